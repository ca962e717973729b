"""Schedules written as MSCCL's XML.

Every link lane that a GPU sends over is a thread block of it, and every one that it receives over is one; the channel is the
lane. A send waits for the receive, or the sum, that gave its sender the message, and a sum for the one before it of the same
chunk. Buffers are in place except in an all-to-all, where what passes a processor is in its scratch buffer.

Each send has the step of its packet in an attribute that MSCCL ignores, so that what is written is read again as the same schedule.
"""

from collections.abc import Sequence
import dataclasses
import itertools
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from fatcube.groundwork.files import write_text
from fatcube.groundwork.validation import ParameterError
from fatcube.schedules.collective import Collective, Message
from fatcube.schedules.formats.msccl_file import AT, WORDS, Cell, Type
from fatcube.schedules.participants import EVERYBODY
from fatcube.schedules.schedule import Schedule, Transfer

__all__ = ["beyond_limits", "msccl_xml", "write_msccl"]


_LIMITS = {"steps in a thread block": 256, "thread blocks on a GPU": 216, "channels": 32}
"""What microsoft/msccl reads at commit b23e9cd5, by src/include/msccl.h; files with more are for other readers."""


_Block = tuple[str, int, int]  # whether it sends or receives, the other GPU, the channel


class _Place(NamedTuple):
    """A step of a GPU: its thread block, and its position there."""

    block: _Block
    position: int


class _Step(NamedTuple):
    """A step of a thread block: its element's attributes, and the step of the same GPU that it waits for."""

    attributes: dict[str, str]
    wait: _Place | None


def write_msccl(schedule: Schedule, path: str | Path) -> list[str]:
    """Write a schedule to a file as MSCCL's XML, and return a phrase for each of MSCCL's limits that it exceeds.

    Raises
    ------
    ParameterError
        As in :func:`msccl_xml`.
    OSError
        If the file cannot be written.
    """
    root = msccl_xml(schedule)
    ElementTree.indent(root)
    write_text(path, ElementTree.tostring(root, encoding="unicode") + "\n")
    return beyond_limits(root)


def beyond_limits(root: Element) -> list[str]:
    """A phrase for each of MSCCL's limits that a file exceeds."""
    most = {
        "steps in a thread block": max((len(block) for block in root.iter("tb")), default=0),
        "thread blocks on a GPU": max(len(gpu) for gpu in root.iter("gpu")),
        "channels": int(root.get("nchannels", "0")),
    }
    return [f"{most[what]} {what}, at most {limit}" for what, limit in _LIMITS.items() if most[what] > limit]


def msccl_xml(schedule: Schedule) -> Element:
    """A schedule as the ``algo`` element of MSCCL's XML.

    Raises
    ------
    ParameterError
        If MSCCL has no word for the collective, it is not among all processors, processors have failed, packets have several
        messages, or transfers go over several links.
    """
    word = next((word for word, collective in WORDS.items() if collective is schedule.collective), None)
    if word is None:
        have = ", ".join(dict.fromkeys(one.word for one in WORDS.values()))
        raise ParameterError(f"collective must be one of {have} in MSCCL's XML, not {schedule.collective.word}")
    if dataclasses.replace(schedule.among, homes=None) != EVERYBODY or schedule.topology.failures:
        raise ParameterError("collective must be among all processors in MSCCL's XML, not some")
    if schedule.model.combining:
        raise ParameterError(f"per_packet must be 1 in MSCCL's XML, not {schedule.model.per_packet}")
    if any(transfer.path for transfer in schedule.transfers):
        raise ParameterError("transfers must go over one link each in MSCCL's XML, not over several")
    return _Writer(schedule.expanded()).root(word)


class _Writer:
    """The thread blocks of all GPUs, filled step by step."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._gpus = schedule.topology.processors
        self._homes = schedule.among.homes or range(self._gpus)
        self._blocks: list[dict[_Block, list[_Step]]] = [{} for _ in range(self._gpus)]
        self._scratch: list[dict[Message, int]] = [{} for _ in range(self._gpus)]
        self._given: dict[tuple[int, Message], _Place] = {}  # the last instruction that wrote the cell of a message
        self._left: dict[tuple[int, Message], _Place] = {}  # the send after which a processor has nothing of a sum
        for _, together in itertools.groupby(schedule.transfers, key=lambda transfer: transfer.step):
            transfers = list(together)
            for transfer in transfers:
                self._send(transfer)
            for transfer in transfers:
                self._receive(transfer)

    def _send(self, transfer: Transfer) -> None:
        src, dst, message = transfer.src, transfer.dst, transfer.message
        wait = self._given.get((src, message))
        if wait is None and src == message.origin and self._schedule.collective.reduction:
            wait = self._given.get((src, Message(None, src, message.part)))
        attributes = {"type": Type.SEND.value, **self._cells(src, dst, message), AT: str(transfer.step)}
        place = self._add(src, ("send", dst, transfer.lane or 0), attributes, wait)
        if message.reduced:
            self._left[src, message] = place

    def _receive(self, transfer: Transfer) -> None:
        """Add an arriving value to the receiver's part of a sum, or put it in the place of one that it has sent on."""
        src, dst, message = transfer.src, transfer.dst, transfer.message
        left = self._left.pop((dst, message), None)
        adds = message.reduced and left is None
        kind = Type.RECEIVE_REDUCE_COPY if adds else Type.RECEIVE
        wait = self._given.get((dst, message)) if adds else left
        attributes = {"type": kind.value, **self._cells(dst, dst, message)}
        self._given[dst, message] = self._add(dst, ("recv", src, transfer.lane or 0), attributes, wait)

    def _add(self, gpu: int, block: _Block, attributes: dict[str, str], wait: _Place | None) -> _Place:
        steps = self._blocks[gpu].setdefault(block, [])
        if wait is not None and wait.block == block:
            wait = None  # which comes first anyway
        steps.append(_Step(attributes, wait))
        return _Place(block, len(steps) - 1)

    def _cells(self, src: int, dst: int, message: Message) -> dict[str, str]:
        """The attributes of the cells that a message is read from and written to."""
        cells = {"src": self._cell(src, message), "dst": self._cell(dst, message)}
        return {
            name: value
            for end, cell in cells.items()
            for name, value in ((f"{end}buf", cell.buffer), (f"{end}off", str(cell.offset)))
        } | {"cnt": "1"}

    def _cell(self, gpu: int, message: Message) -> Cell:
        """Where a GPU has a message."""
        parts = self._schedule.parts
        match self._schedule.collective:
            case Collective.OAB | Collective.AOR:
                return Cell("o", message.part)
            case Collective.AAB:
                return Cell("o", message.source * parts + message.part)
            case Collective.AAR:
                return Cell("i", message.target * parts + message.part)
            case Collective.ALL_REDUCE:
                root = message.target if message.reduced else message.source
                return Cell("o", self._homes.index(root) * parts + message.part)
            case Collective.AAS if gpu == message.origin:
                return Cell("i", message.target * parts + message.part)
            case Collective.AAS if gpu == message.destination:
                return Cell("o", message.source * parts + message.part)
            case Collective.AAS:
                return Cell("s", self._scratch[gpu].setdefault(message, len(self._scratch[gpu])))
            case _:
                raise AssertionError(f"MSCCL has no word for {self._schedule.collective.value}")

    def _sizes(self) -> tuple[int, int]:
        """The chunks of the input buffer, 0 if it is in another one, and of the output buffer."""
        parts = self._schedule.parts
        whole = self._gpus * parts
        match self._schedule.collective:
            case Collective.OAB | Collective.AOR:
                return 0, parts
            case Collective.AAB:
                return parts, whole
            case Collective.AAR:
                return whole, 0
            case Collective.ALL_REDUCE:
                return 0, len(self._homes) * parts
            case Collective.AAS:
                return whole, whole
            case _:
                raise AssertionError(f"MSCCL has no word for {self._schedule.collective.value}")

    def root(self, word: str) -> Element:
        """The element of the whole; ``word`` is that for the collective."""
        apart = self._schedule.collective is Collective.AAS
        inputs, outputs = self._sizes()
        channels = max((block[2] for blocks in self._blocks for block in blocks), default=0) + 1
        attributes = {
            "name": f"fatcube {word}",
            "proto": "Simple",
            "nchannels": str(channels),
            "nchunksperloop": str(max(inputs, outputs)),
            "ngpus": str(self._gpus),
            "coll": word,
            "inplace": str(int(not apart)),
            "outofplace": str(int(apart)),
        }
        root = Element("algo", attributes)
        for gpu, blocks in enumerate(self._blocks):
            sizes = {"i_chunks": inputs, "o_chunks": outputs, "s_chunks": len(self._scratch[gpu])}
            element = SubElement(root, "gpu", {"id": str(gpu), **{name: str(size) for name, size in sizes.items()}})
            numbers = {block: number for number, block in enumerate(blocks)}
            for block, steps in blocks.items():
                self._write_block(element, gpu, block, steps, numbers)
            if apart:
                self._write_own(element, gpu, len(numbers))
        return root

    def _write_block(
        self, element: Element, gpu: int, block: _Block, steps: Sequence[_Step], numbers: dict[_Block, int]
    ) -> None:
        way, peer, channel = block
        ends = {"send": "-1", "recv": "-1"} | {way: str(peer)}
        inner = SubElement(element, "tb", {"id": str(numbers[block]), **ends, "chan": str(channel)})
        waited = {step.wait for steps in self._blocks[gpu].values() for step in steps}
        for position, step in enumerate(steps):
            wait = {"depid": "-1", "deps": "-1"}
            if step.wait is not None:
                wait = {"depid": str(numbers[step.wait.block]), "deps": str(step.wait.position)}
            hasdep = {"hasdep": str(int(_Place(block, position) in waited))}
            SubElement(inner, "step", {"s": str(position), **step.attributes, **wait, **hasdep})

    def _write_own(self, element: Element, gpu: int, number: int) -> None:
        """A thread block that copies what a GPU has for itself from its input to its output."""
        inner = SubElement(element, "tb", {"id": str(number), "send": "-1", "recv": "-1", "chan": "0"})
        for part in range(self._schedule.parts):
            offset = str(gpu * self._schedule.parts + part)
            cells = {"srcbuf": "i", "srcoff": offset, "dstbuf": "o", "dstoff": offset, "cnt": "1"}
            waits = {"depid": "-1", "deps": "-1", "hasdep": "0"}
            SubElement(inner, "step", {"s": str(part), "type": Type.COPY.value, **cells, **waits})
