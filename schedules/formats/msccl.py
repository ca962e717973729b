"""An MSCCL program, followed chunk by chunk: which message each of its packets is, and what it waits for.

A thread block does one instruction after the other. What a GPU sends to another one on a channel arrives in order, and is
kept until it is received, so a send waits for no receiver. An instruction of several chunks sends each as soon as it is
there. A send waits for the instruction before it in its thread block, for the one that it names, and for the one that
wrote what it reads.

A chunk that is summed becomes a partial sum of the GPU at which the sum gets complete, since what a step moves of a sum is
all that its sender has of it. Programs in which several GPUs complete a sum copy contributions and are refused.
"""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
import itertools
from typing import NamedTuple

from fatcube.groundwork.validation import ParameterError, check_count
from fatcube.schedules.collective import Collective, Message
from fatcube.schedules.formats.early import MOST_PACKETS, Packet, Task
from fatcube.schedules.formats.foreign import Foreign
from fatcube.schedules.formats.msccl_file import Block, Cell, Instruction, Program, Type, read_program
from fatcube.schedules.participants import EVERYBODY, Participants

__all__ = ["foreign_of", "read_msccl"]


class Value(NamedTuple):
    """The value in a cell: the chunk with a number of the input buffers of some GPUs, their sum if they are several.

    ``gpus`` is a mask of them, as an integer. ``task`` is the position of the instruction that wrote it.
    """

    chunk: int
    gpus: int
    task: int


class _Sent(NamedTuple):
    """A chunk that a GPU has sent, before it is known which message it is."""

    src: int
    dst: int
    value: Value
    at: int | None
    channel: int


_Place = tuple[int, int]  # a thread block: its GPU and number
_Way = tuple[int, int, int]  # a sender, a receiver, and a channel


def read_msccl(content: bytes) -> Foreign:
    """The contents of an MSCCL file.

    Raises
    ------
    ParameterError
        If it is none, or its program waits for ever, reads cells in which nothing is, or does not do its collective.
    """
    return foreign_of(read_program(content))


def foreign_of(program: Program) -> Foreign:
    """The packets of a program and what they wait for; raises as :func:`read_msccl`."""
    return _Run(program).foreign()


class _Run:
    """The program while it is followed."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._gpus = len(program.gpus)
        self._share = program.chunks // self._gpus
        self._tasks: list[tuple[int, ...]] = [()]  # the predecessors of each; the first is the beginning
        self._sent: dict[int, _Sent] = {}
        self._queues: dict[_Way, deque[tuple[Value, ...]]] = {}
        self._ends: dict[_Place, list[int]] = {}  # the tasks with which the instructions of a thread block end
        self._cells: dict[tuple[int, Cell], Value] = {}
        self._complete: dict[int, set[int]] = {}  # the GPUs that complete the sum of a chunk
        for gpu, cell, chunk in self._inputs():
            self._cells[gpu, self._where(gpu, cell)] = Value(chunk, 1 << gpu, 0)
        for gpu, one in enumerate(program.gpus):
            for src, dst in one.copies:
                self._cells[gpu, self._where(gpu, dst)] = self._read(gpu, src)
        self._follow()
        self._check_outputs()

    def _inputs(self) -> Iterator[tuple[int, Cell, int]]:
        """The cells that are full in the beginning, with the number of the chunk, among those of all that the GPU has."""
        chunks = self._share if self._program.collective is Collective.AAB else self._program.chunks
        for gpu, chunk in itertools.product(range(self._gpus), range(chunks)):
            yield gpu, Cell("i", chunk), chunk

    def _where(self, gpu: int, cell: Cell) -> Cell:
        """The cell itself, under one name where input and output are in one place."""
        if not self._program.in_place or cell.buffer == "s":
            return cell
        first = gpu * self._share
        if self._program.collective is Collective.AAB:
            return cell if cell.buffer == "o" else Cell("o", first + cell.offset)
        if self._program.collective is Collective.AAR:
            return cell if cell.buffer == "i" else Cell("i", first + cell.offset)
        return Cell("o", cell.offset)

    def _read(self, gpu: int, cell: Cell) -> Value:
        value = self._cells.get((gpu, self._where(gpu, cell)))
        if value is None:
            raise ParameterError(f"{cell} must be written before it is read")
        return value

    def _follow(self) -> None:
        """Do all instructions, each as soon as what it waits for is done."""
        waiting: dict[object, list[_Place]] = {}
        runnable = deque((gpu, block) for gpu, one in enumerate(self._program.gpus) for block in one.blocks)
        self._ends = {place: [] for place in runnable}
        while runnable:
            place = runnable.popleft()
            gpu, number = place
            block = self._program.gpus[gpu].blocks[number]
            ends = self._ends[place]
            while len(ends) < len(block.instructions):
                instruction = block.instructions[len(ends)]
                lacking = self._lacking(gpu, block, instruction)
                if lacking is not None:
                    waiting.setdefault(lacking, []).append(place)
                    break
                try:
                    self._do(gpu, block, instruction, ends)
                except ParameterError as error:
                    raise ParameterError(f"gpu {gpu}: thread block {number}: step {len(ends)}: {error}") from None
                runnable += waiting.pop((gpu, number, len(ends) - 1, "done"), ())
                if instruction.type.sends:
                    runnable += waiting.pop((gpu, block.send, block.channel), ())
        for (gpu, number), ends in self._ends.items():
            block = self._program.gpus[gpu].blocks[number]
            if len(ends) < len(block.instructions):
                instruction = block.instructions[len(ends)]
                whom = self._lacking(gpu, block, instruction)
                what = (
                    f"step {whom[2]} of thread block {whom[1]}" if whom and len(whom) == 4 else f"gpu {block.receive}"
                )
                raise ParameterError(
                    f"gpu {gpu}: thread block {number}: step {len(ends)} must not wait for ever, as it does for {what}"
                )
        for (src, dst, channel), queue in self._queues.items():
            if queue:
                raise ParameterError(
                    f"gpu {dst} must receive all that gpu {src} sends it on channel {channel}, not {len(queue)} fewer"
                )

    def _lacking(
        self, gpu: int, block: Block, instruction: Instruction
    ) -> "tuple[int, int | None, int, str] | _Way | None":
        """The event that an instruction still waits for: another instruction of the GPU, or chunks on a channel."""
        if instruction.wait is not None:
            other, position = instruction.wait
            if len(self._ends[gpu, other]) <= position:
                return gpu, other, position, "done"
        if instruction.type.receives and block.receive is not None:
            way = block.receive, gpu, block.channel
            if not self._queues.get(way):
                return way
        return None

    def _new(self, *after: int) -> int:
        """The position of a new task, which comes after others."""
        self._tasks.append(tuple(dict.fromkeys(task for task in after if task)))
        check_count("chunks and steps", len(self._tasks), maximum=4 * MOST_PACKETS, what="of an MSCCL file")
        return len(self._tasks) - 1

    def _all(self, *tasks: int) -> int:
        """The position of a task that is done when all of these are, which may be one of them."""
        several = {task for task in tasks if task}
        return self._new(*several) if len(several) > 1 else next(iter(several), 0)

    def _do(self, gpu: int, block: Block, instruction: Instruction, ends: list[int]) -> None:
        """Do an instruction, and note the task with which it ends."""
        start = ends[-1] if ends else 0
        if instruction.wait is not None:
            other, position = instruction.wait
            start = self._all(start, self._ends[gpu, other][position])
        if instruction.type is Type.NOTHING:
            ends.append(start)
            return
        arrived = self._received(gpu, block, instruction)
        results = [self._result(gpu, instruction, chunk, value) for chunk, value in enumerate(arrived)]
        there = [self._all(start, value.task) for value in results]
        if instruction.type not in (Type.SEND, Type.RECEIVE_REDUCE_SEND):
            for chunk, (value, task) in enumerate(zip(results, there)):
                self._cells[gpu, self._where(gpu, instruction.dst.plus(chunk))] = value._replace(task=task)
        if instruction.type.sends:
            there = self._send(gpu, block, instruction, results, there)
        ends.append(self._all(*there))

    def _send(
        self, gpu: int, block: Block, instruction: Instruction, results: Sequence[Value], there: Sequence[int]
    ) -> list[int]:
        """Send results once they are there, and return the tasks that send them."""
        assert block.send is not None
        tasks = [self._new(task) for task in there]
        self._sent |= {
            task: _Sent(gpu, block.send, value, instruction.at, block.channel) for task, value in zip(tasks, results)
        }
        arriving = tuple(value._replace(task=task) for task, value in zip(tasks, results))
        self._queues.setdefault((gpu, block.send, block.channel), deque()).append(arriving)
        return tasks

    def _received(self, gpu: int, block: Block, instruction: Instruction) -> Sequence[Value | None]:
        """The chunks that an instruction receives, ``None`` for each if it receives none."""
        if not instruction.type.receives:
            return [None] * instruction.chunks
        assert block.receive is not None
        arrived = self._queues[block.receive, gpu, block.channel].popleft()
        if len(arrived) != instruction.chunks:
            raise ParameterError(
                f"cnt must be that of the send, {len(arrived)} at gpu {block.receive}, not {instruction.chunks}"
            )
        return arrived

    def _result(self, gpu: int, instruction: Instruction, chunk: int, arrived: Value | None) -> Value:
        """The result of an instruction for one of its chunks: a copy, or the sum with the present value."""
        match instruction.type:
            case Type.SEND | Type.COPY:
                return self._read(gpu, instruction.src.plus(chunk))
            case Type.RECEIVE | Type.RECEIVE_COPY_SEND:
                assert arrived is not None
                return arrived
            case Type.REDUCE:
                one, two = instruction.src.plus(chunk), instruction.dst.plus(chunk)
                return self._added(gpu, self._read(gpu, one), self._read(gpu, two))
            case Type.RECEIVE_REDUCE_SEND | Type.RECEIVE_REDUCE_COPY | Type.RECEIVE_REDUCE_COPY_SEND:
                assert arrived is not None
                return self._added(gpu, arrived, self._read(gpu, instruction.src.plus(chunk)))
            case Type.NOTHING:
                raise AssertionError(instruction)

    def _added(self, gpu: int, one: Value, two: Value) -> Value:
        if not self._program.collective.reduction:
            raise ParameterError(f"type must be none that adds in {self._program.collective.word}")
        if one.chunk != two.chunk:
            raise ParameterError(f"chunks that are added must be the same of all GPUs, not {one.chunk} and {two.chunk}")
        if one.gpus & two.gpus:
            twice = (one.gpus & two.gpus).bit_length() - 1
            raise ParameterError(f"chunk {one.chunk} of gpu {twice} must be added once, not twice")
        gpus = one.gpus | two.gpus
        if gpus == self._whole:
            self._complete.setdefault(one.chunk, set()).add(gpu)
        return Value(one.chunk, gpus, self._all(one.task, two.task))

    @property
    def _whole(self) -> int:
        """The mask of all GPUs."""
        return (1 << self._gpus) - 1

    def _check_outputs(self) -> None:
        """Every GPU has in its output buffer what the collective gives it; what it had itself may be missing there."""
        for gpu in range(self._gpus):
            for cell, chunk, source in self._outputs(gpu):
                if source == gpu:
                    continue
                value = self._cells.get((gpu, self._where(gpu, cell)))
                mask = self._whole if source is None else 1 << source
                if value is None or value.chunk != chunk or value.gpus != mask:
                    what = "the sum of all" if source is None else f"that of gpu {source}"
                    raise ParameterError(f"{cell} of gpu {gpu} must end as chunk {chunk}, {what}, which it does not")

    def _outputs(self, gpu: int) -> Iterator[tuple[Cell, int, int | None]]:
        """The cells of an output buffer, each with the number of its chunk, and the GPU that has it, ``None`` for a sum."""
        share = self._share
        match self._program.collective:
            case Collective.AAB:
                for source, part in itertools.product(range(self._gpus), range(share)):
                    yield Cell("o", source * share + part), part, source
            case Collective.AAS:
                for source, part in itertools.product(range(self._gpus), range(share)):
                    yield Cell("o", source * share + part), gpu * share + part, source
            case Collective.AAR:
                yield from ((Cell("o", part), gpu * share + part, None) for part in range(share))
            case Collective.ALL_REDUCE:
                yield from ((Cell("o", chunk), chunk, None) for chunk in range(self._program.chunks))
            case Collective.AOR:
                if gpu == self._root:
                    yield from ((Cell("o", chunk), chunk, None) for chunk in range(self._program.chunks))
            case Collective.OAB:
                yield from ((Cell("o", chunk), chunk, self._root) for chunk in range(self._program.chunks))
            case _:
                raise AssertionError(f"MSCCL has no word for {self._program.collective.value}")

    @property
    def _root(self) -> int | None:
        """The root of a rooted collective: the only GPU that receives nothing, or in a reduction sends nothing."""
        match self._program.collective:
            case Collective.OAB:
                busy = {sent.dst for sent in self._sent.values()}
            case Collective.AOR:
                busy = {sent.src for sent in self._sent.values()}
            case Collective.AAB | Collective.AAR | Collective.AAS | Collective.ALL_REDUCE:
                return None
            case _:
                raise AssertionError(f"MSCCL has no word for {self._program.collective.value}")
        idle = [gpu for gpu in range(self._gpus) if gpu not in busy]
        if len(idle) != 1:
            does = "sends" if self._program.collective is Collective.AOR else "receives"
            raise ParameterError(f"one gpu must be the root, which {does} nothing, not {len(idle)}")
        return idle[0]

    def foreign(self) -> Foreign:
        """The packets of the program."""
        messages, parts = self._messages()
        tasks, steps = [], {}
        for number, after in enumerate(self._tasks):
            sent = self._sent.get(number)
            if sent is None:
                tasks.append(Task(after))
                continue
            tasks.append(Task(after, Packet(sent.src, sent.dst, messages[number])))
            if sent.at is not None:
                steps[number] = sent.at, sent.channel
        if len(steps) not in (0, len(self._sent)):
            raise ParameterError(f"at must be given for all sends or none, not for {len(steps)} of {len(self._sent)}")
        names = tuple(map(str, range(self._gpus)))
        homes = {message.target for message in messages.values() if message.reduced}
        some = self._program.collective is Collective.ALL_REDUCE and len(homes) < self._gpus
        among = Participants(homes=tuple(homes)) if some else EVERYBODY
        return Foreign(self._program.collective, self._root, parts, names, tuple(tasks), steps=steps, among=among)

    def _messages(self) -> tuple[dict[int, Message], int]:
        """The message of each chunk that is sent, and the parts that the data is divided into."""
        share, root = self._share, self._root
        match self._program.collective:
            case Collective.AAB:
                return {
                    task: Message(_one(one.value), None, one.value.chunk) for task, one in self._sent.items()
                }, share
            case Collective.AAS:
                ends = {task: divmod(one.value.chunk, share) for task, one in self._sent.items()}
                return {task: Message(_one(self._sent[task].value), *end) for task, end in ends.items()}, share
            case Collective.AAR:
                return {task: Message(None, *divmod(one.value.chunk, share)) for task, one in self._sent.items()}, share
            case Collective.OAB:
                chunks = self._program.chunks
                return {task: Message(root, None, one.value.chunk) for task, one in self._sent.items()}, chunks
            case Collective.AOR:
                chunks = self._program.chunks
                return {task: Message(None, root, one.value.chunk) for task, one in self._sent.items()}, chunks
            case Collective.ALL_REDUCE:
                return self._messages_of_sums()
            case _:
                raise AssertionError(f"MSCCL has no word for {self._program.collective.value}")

    def _messages_of_sums(self) -> tuple[dict[int, Message], int]:
        """As :meth:`_messages` of an all-reduce, in which every GPU that completes sums completes as many."""
        roots = self._roots()
        number: Counter[int] = Counter()
        place: dict[int, tuple[int, int]] = {}
        for chunk in range(self._program.chunks):
            place[chunk] = roots[chunk], number[roots[chunk]]
            number[roots[chunk]] += 1
        for gpu in sorted(number):
            if number[gpu] * len(number) != self._program.chunks:
                raise ParameterError(
                    f"sums must become complete alike at the GPUs at which any do, {self._program.chunks} chunks at "
                    f"{len(number)}, not {number[gpu]} at gpu {gpu}"
                )
        messages = {}
        for task, sent in self._sent.items():
            root, part = place[sent.value.chunk]
            whole = sent.value.gpus == self._whole
            messages[task] = Message(root, None, part) if whole else Message(None, root, part)
        return messages, self._program.chunks // len(number)

    def _roots(self) -> dict[int, int]:
        """The GPU at which the sum of each chunk becomes complete."""
        for chunk in range(self._program.chunks):
            if len(self._complete.get(chunk, ())) != 1:
                raise ParameterError(
                    f"the sum of a chunk must become complete at one GPU, which sends it to the others, as a step moves all "
                    f"that a sender has of a sum; chunk {chunk} does at {len(self._complete.get(chunk, ()))}"
                )
        return {chunk: next(iter(gpus)) for chunk, gpus in self._complete.items()}


def _one(value: Value) -> int:
    """The GPU of a value that is no sum."""
    return value.gpus.bit_length() - 1
