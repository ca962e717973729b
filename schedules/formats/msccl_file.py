"""MSCCL's XML, read into a program: for each GPU thread blocks, for each of these instructions.

The format is what microsoft/msccl reads at commit b23e9cd5 (``mscclGetAlgoFromXMLAndSetAlgo`` in src/graph/topo.cc) and
microsoft/msccl-tools writes at commit 030a750f (``ir_to_xml`` in msccl/language/ir.py). What that reader ignores is ignored
here: further attributes, and elements other than gpu, tb and step.
"""

from collections.abc import Sequence
import enum
from typing import NamedTuple
from xml.etree.ElementTree import Element

from fatcube.groundwork.strict.xml_text import parse_xml
from fatcube.groundwork.validation import ParameterError, check_choice, check_integer, shown
from fatcube.schedules.collective import Collective
from fatcube.schedules.formats.early import MOST_PACKETS
from fatcube.schedules.formats.foreign import MOST_PROCESSORS

__all__ = ["AT", "WORDS", "Block", "Cell", "Gpu", "Instruction", "Program", "Type", "read_program"]


AT = "at"
"""The attribute of a send in which fatcube writes the step of its packet; a lane is then a channel. MSCCL ignores it."""

MOST_CHUNKS = 1 << 16  # of a buffer
_MOST_CELLS = 1 << 20  # of the input buffers of all GPUs
_MOST_COUNT = 1 << 12  # chunks of an instruction
_MOST_CHANNELS = 1 << 12
_MOST = {"gpu": MOST_PROCESSORS, "tb": 100_000, "step": MOST_PACKETS}
_DIGITS = 12

WORDS = {
    "allgather": Collective.AAB,
    "allreduce": Collective.ALL_REDUCE,
    "alltoall": Collective.AAS,
    "broadcast": Collective.OAB,
    "reduce": Collective.AOR,
    "reduce_scatter": Collective.AAR,
    "reducescatter": Collective.AAR,  # RCCL's word for it
}
"""The collectives that MSCCL has words for."""


class Type(enum.StrEnum):
    """The type of an instruction: receive, add the received chunk, copy, send."""

    SEND = "s"
    RECEIVE = "r"
    RECEIVE_COPY_SEND = "rcs"
    RECEIVE_REDUCE_SEND = "rrs"
    RECEIVE_REDUCE_COPY = "rrc"
    RECEIVE_REDUCE_COPY_SEND = "rrcs"
    COPY = "cpy"
    REDUCE = "re"
    NOTHING = "nop"

    @property
    def sends(self) -> bool:
        """True if it sends."""
        return self.value.endswith("s")

    @property
    def receives(self) -> bool:
        """True if it receives."""
        return self.value.startswith("r") and self is not Type.REDUCE


class Cell(NamedTuple):
    """A chunk of a buffer: ``"i"`` input, ``"o"`` output, ``"s"`` scratch."""

    buffer: str
    offset: int

    def plus(self, chunks: int) -> "Cell":
        """The cell ``chunks`` further on."""
        return Cell(self.buffer, self.offset + chunks)

    def __str__(self) -> str:
        return f"{self.buffer}[{self.offset}]"


class Instruction(NamedTuple):
    """A step of a thread block: what it does with some ``chunks`` from the cells ``src`` and ``dst`` on.

    ``wait`` is the thread block of the same GPU and the position of its instruction that come first, ``at`` the step in which
    its packets go, where the file has it.
    """

    type: Type
    src: Cell
    dst: Cell
    chunks: int
    wait: tuple[int, int] | None
    at: int | None


class Block(NamedTuple):
    """A thread block: the GPUs that it sends to and receives from, its channel, and what it does in order."""

    send: int | None
    receive: int | None
    channel: int
    instructions: Sequence[Instruction]


class Gpu(NamedTuple):
    """The program of a GPU: its thread blocks by number, and the cells that are copied before (``copy`` elements of TACCL)."""

    blocks: dict[int, Block]
    copies: Sequence[tuple[Cell, Cell]]


class Program(NamedTuple):
    """A program: ``chunks`` are those of the whole of the larger buffer, ``nchunksperloop``."""

    collective: Collective
    chunks: int
    in_place: bool
    gpus: Sequence[Gpu]


def read_program(content: bytes) -> Program:
    """The program of an XML file.

    Raises
    ------
    ParameterError
        If it is none; the message says at which GPU, thread block and step.
    """
    root = parse_xml(content, most=_MOST, what="an MSCCL file")
    if root.tag != "algo":
        raise ParameterError(f"an MSCCL file must be an algo element, not {shown(root.tag)}")
    name = check_choice("coll", root.get("coll"), WORDS)
    collective = WORDS[name]
    gpus = _integer(root, "ngpus", minimum=2, maximum=MOST_PROCESSORS)
    chunks = _integer(root, "nchunksperloop", minimum=1, maximum=MOST_CHUNKS)
    if gpus * chunks > _MOST_CELLS:
        raise ParameterError(f"ngpus times nchunksperloop must be at most {_MOST_CELLS:,}, not {gpus * chunks:,}")
    if collective in (Collective.AAB, Collective.AAR, Collective.AAS) and chunks % gpus:
        raise ParameterError(f"nchunksperloop of {name} must be a multiple of ngpus, {gpus}, not {chunks}")
    in_place = _integer(root, "inplace", minimum=0, maximum=1) == 1
    found: dict[int, Gpu] = {}
    for element in root.findall("gpu"):
        number = _integer(element, "id", minimum=0, maximum=gpus - 1)
        if number in found:
            raise ParameterError(f"gpu ids must be different, not {number} twice")
        try:
            found[number] = _gpu(element, number, gpus, chunks, collective)
        except ParameterError as error:
            raise ParameterError(f"gpu {number}: {error}") from None
    if len(found) != gpus:
        raise ParameterError(f"gpu elements must be as many as ngpus, {gpus}, not {len(found)}")
    return Program(collective, chunks, in_place, [found[number] for number in range(gpus)])


def _gpu(element: Element, number: int, gpus: int, chunks: int, collective: Collective) -> Gpu:
    sizes = {name: _integer(element, f"{name}_chunks", minimum=0, maximum=MOST_CHUNKS) for name in "ios"}
    shares = {"i": collective is Collective.AAB, "o": collective is Collective.AAR}  # a GPU's part of the whole
    for name, share in shares.items():
        whole = chunks // gpus if share else chunks
        if sizes[name] not in (0, whole):
            raise ParameterError(f"{name}_chunks must be {whole}, or 0 if in place, not {sizes[name]}")
    blocks: dict[int, Block] = {}
    channels: set[tuple[str, int | None, int]] = set()
    for one in element.findall("tb"):
        block = _integer(one, "id", minimum=0, maximum=_MOST["tb"])
        if block in blocks:
            raise ParameterError(f"thread block ids must be different, not {block} twice")
        try:
            blocks[block] = read = _block(one, number, gpus, sizes)
            sends, receives = (
                any(getattr(step.type, way) for step in read.instructions) for way in ("sends", "receives")
            )
            for way, peer, used in (("send", read.send, sends), ("recv", read.receive, receives)):
                if used and (way, peer, read.channel) in channels:
                    raise ParameterError(
                        f"{way} and chan must be of no other thread block of the GPU, not {peer} and {read.channel}"
                    )
                if used:
                    channels.add((way, peer, read.channel))
        except ParameterError as error:
            raise ParameterError(f"thread block {block}: {error}") from None
    for block, read in blocks.items():
        for step, instruction in enumerate(read.instructions):
            if instruction.wait is not None:
                other, position = instruction.wait
                if other not in blocks or position >= len(blocks[other].instructions):
                    raise ParameterError(
                        f"thread block {block}: step {step}: depid and deps must be a step that is there, not step "
                        f"{position} of thread block {other}"
                    )
    copies = [
        (Cell("i", _integer(copy, "i_off", minimum=0)), Cell("o", _integer(copy, "o_off", minimum=0)))
        for copy in element.findall("copy")
    ]
    return Gpu(blocks, copies)


def _block(element: Element, number: int, gpus: int, sizes: dict[str, int]) -> Block:
    peers = [_integer(element, name, minimum=-1, maximum=gpus - 1) for name in ("send", "recv")]
    if number in peers:
        raise ParameterError(f"send and recv must be other GPUs, not {number}")
    send, receive = (None if peer < 0 else peer for peer in peers)
    channel = _integer(element, "chan", minimum=0, maximum=_MOST_CHANNELS)
    instructions = []
    for position, step in enumerate(element.findall("step")):
        try:
            instructions.append(_instruction(step, position, send, receive, sizes))
        except ParameterError as error:
            raise ParameterError(f"step {position}: {error}") from None
    return Block(send, receive, channel, instructions)


def _instruction(
    element: Element, position: int, send: int | None, receive: int | None, sizes: dict[str, int]
) -> Instruction:
    _integer(element, "s", minimum=position, maximum=position)
    kind = Type(check_choice("type", element.get("type"), [one.value for one in Type]))
    wait = _integer(element, "depid", minimum=-1), _integer(element, "deps", minimum=-1)
    if (wait[0] < 0) != (wait[1] < 0):
        raise ParameterError(f"depid and deps must both be -1 or neither, not {wait[0]} and {wait[1]}")
    waits = None if wait[0] < 0 else wait
    nowhere = Cell("i", 0)
    if kind is Type.NOTHING:
        return Instruction(kind, nowhere, nowhere, 0, waits, None)
    if kind.sends and send is None:
        raise ParameterError(f"type {kind} must be in a thread block that sends, not with send -1")
    if kind.receives and receive is None:
        raise ParameterError(f"type {kind} must be in a thread block that receives, not with recv -1")
    count = _integer(element, "cnt", minimum=1, maximum=_MOST_COUNT)
    # Where nothing is written or read at this GPU, the cell is that of the other GPU, or none.
    reads = kind not in (Type.RECEIVE, Type.RECEIVE_COPY_SEND)
    writes = kind not in (Type.SEND, Type.RECEIVE_REDUCE_SEND)
    src = _cell(element, "src", count, sizes) if reads else nowhere
    dst = _cell(element, "dst", count, sizes) if writes else nowhere
    at = _integer(element, AT, minimum=1) if AT in element.keys() else None
    if at is not None and not kind.sends:
        raise ParameterError(f"{AT} must be of a step that sends, not of type {kind}")
    return Instruction(kind, src, dst, count, waits, at)


def _cell(element: Element, end: str, count: int, sizes: dict[str, int]) -> Cell:
    """The first cell of an instruction's ``count`` chunks, which must be in the buffer; one of 0 chunks is in another one."""
    buffer = check_choice(f"{end}buf", element.get(f"{end}buf"), sizes)
    most = sizes[buffer] or (0 if buffer == "s" else MOST_CHUNKS)
    offset = _integer(element, f"{end}off", minimum=0)
    if offset + count > most:
        raise ParameterError(
            f"{end}off and cnt must be within the {most:,} chunks of {buffer}, not {offset} and {count}"
        )
    return Cell(buffer, offset)


def _integer(element: Element, name: str, *, minimum: int, maximum: int = MOST_PACKETS) -> int:
    """An attribute that is an integer in digits, as in ``-1``."""
    text = element.get(name)
    if text is None:
        raise ParameterError(f"{name} must be given")
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(text) <= _DIGITS):
        raise ParameterError(f"{name} must be an integer, not {shown(text)}")
    return check_integer(name, int(text), minimum=minimum, maximum=maximum)
