# amaranth: UnusedElaboratable=no
import functools
import random
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.allocators.allocator import Allocator
from fatcube.rtl.allocators.copying_allocator import CopyingAllocator
from fatcube.rtl.allocators.packet_allocator import several
from tests.support.cases import some
from tests.support.planted import plant
from tests.support.streams import simulate

FULL = [(0, 1, 2, 3)] * 4
MANY = [(0, 1, 2)] * 11
SPARSE = [(1, 2, 4), (0, 2), (0, 1, 3, 4), (3,), (0, 4)]


class Packets:
    """The inputs of an allocator with packets in front, and the outputs that take them; a cycle at a time.

    Whatever the allocator, it is held to this in every cycle:

    - an output offers the flit of one input, which requests or holds it;
    - a packet gets all its outputs in the same cycle, and each until its last flit has left there;
    - every flit is offered on each output of its packet until it is taken there once, and accepted in the
      cycle in which it is taken on the last of them;
    - a packet for no output leaves flit by flit, and is offered nowhere;
    - a header that waits for what another holds or requests is a conflict, and nothing else is; for nothing, it waits in
      two stages only, and for a cycle.
    """

    def __init__(self, allocator, packets, *, pause=0.0, stall=0.0, seed=0):
        self.allocator = allocator
        # Of each input: its packets, each the outputs and the number of flits.
        self.packets = [list(some) for some in packets]
        self.pause, self.stall = pause, stall
        self.random = random.Random(seed)
        inputs = range(len(allocator.reach))
        self.flit = [0 for _ in inputs]  # Flits of the packet in front that have left.
        self.taken = [set() for _ in inputs]  # Where the flit in front has been taken already.
        self.holds = [set() for _ in inputs]  # What the packet in front has been granted.
        self.here = [False for _ in inputs]
        self.alone = [0 for _ in inputs]  # Cycles for which it has waited though no other wants what it wants.
        self.waited = [0 for _ in inputs]  # Cycles for which the header in front has waited.
        self.longest = [0 for _ in inputs]
        self.order = [[] for _ in allocator.sources]
        self.conflicts = 0

    @property
    def done(self):
        """Whether every packet has left."""
        return not any(self.packets)

    async def cycle(self, ctx):
        """One cycle: drives everything, checks everything, moves on."""
        ports = self.allocator
        requests = []
        for number, packets in enumerate(self.packets):
            # A flit that is in front stays there.
            self.here[number] = bool(packets) and (self.here[number] or self.random.random() >= self.pause)
            outputs, flits = packets[0] if packets else ((), 0)
            header = self.here[number] and self.flit[number] == 0
            requests.append(set(outputs) if header else set())
            ctx.set(ports.input(number).valid, self.here[number])
            ctx.set(
                ports.input(number).last,
                self.flit[number] == flits - 1 if self.here[number] else self.random.getrandbits(1),
            )
            # An input that is empty may say either.
            ctx.set(
                ports.input(number).discard,
                not outputs if self.here[number] else self.random.getrandbits(1),
            )
            ctx.set(
                ports.input(number).requests,
                sum((output in requests[-1]) << index for index, output in enumerate(ports.reach[number])),
            )
        ready = [self.random.random() >= self.stall for _ in ports.sources]
        for output, value in enumerate(ready):
            ctx.set(ports.output(output).ready, value)

        offered = [set() for _ in self.packets]
        for output, sources in enumerate(ports.sources):
            if ctx.get(ports.output(output).offer):
                grant = ctx.get(ports.grant(output))
                assert grant.bit_count() == 1
                assert ctx.get(ports.select(output)) == lines_of(grant, len(sources))
                source = sources[grant.bit_length() - 1]
                assert output in requests[source] | self.holds[source]
                assert self.here[source] and output not in self.taken[source]
                offered[source].add(output)
                if self.flit[source] == 0 and output not in self.holds[source]:
                    self.order[output].append(source)

        waiting = False
        holds = [set(some) for some in self.holds]
        for number, request in enumerate(requests):
            if request and not self.holds[number]:
                assert not offered[number] or offered[number] == request
                self.holds[number] |= offered[number]
            assert offered[number] == (self.holds[number] - self.taken[number] if self.here[number] else set())
            waits = bool(request) and not self.holds[number]
            contends = waits and any(
                request & (requests[other] | holds[other]) for other in range(len(requests)) if other != number
            )
            self.alone[number] = self.alone[number] + 1 if waits and not contends else 0
            assert self.alone[number] < self.allocator.stages
            waiting |= contends
            self.waited[number] = self.waited[number] + 1 if waits else 0
            self.longest[number] = max(self.longest[number], self.waited[number])
        assert ctx.get(ports.conflict) == waiting
        self.conflicts += waiting

        for number, packets in enumerate(self.packets):
            if not self.here[number]:
                continue
            outputs, flits = packets[0]
            self.taken[number] |= {output for output in offered[number] if ready[output]}
            leaves = self.taken[number] == set(outputs)
            assert ctx.get(ports.input(number).advance) == leaves
            if self.flit[number] == flits - 1:
                self.holds[number] -= self.taken[number]
            if leaves:
                self.taken[number].clear()
                self.here[number] = False
                self.flit[number] += 1
                if self.flit[number] == flits:
                    self.flit[number] = 0
                    packets.pop(0)
        await ctx.tick()

    def run(self, limit):
        """Runs until all have left. Returns itself."""

        async def testbench(ctx):
            for _ in range(limit):
                if self.done:
                    break
                await self.cycle(ctx)
            assert self.done, f"{self.packets} are stuck"

        simulate(self.allocator, testbench)
        return self


def lines_of(grant, sources):
    """The select lines of a grant, from their definition: of each four inputs a or b, b or d, c or d, and the rest."""
    whole = sources // 4 * 4
    lines = [
        any(grant >> start + index & 1 for index in some)
        for start in range(0, whole, 4)
        for some in ((0, 1), (1, 3), (2, 3))
    ]
    lines += [grant >> index & 1 for index in range(whole, sources)]
    return sum(bool(line) << index for index, line in enumerate(lines))


def copying(reach, outputs, **how):
    """An allocator that copies packets of all inputs."""
    return CopyingAllocator(reach, outputs, copying=range(len(reach)), **how)


def not_copying(reach, outputs):
    """One that could copy, and has no input that asks for it."""
    return CopyingAllocator(reach, outputs, copying=())


TWO_STAGES = functools.partial(Allocator, stages=2)
COPYING_IN_TWO = functools.partial(copying, stages=2)


def random_packets(reach, count, *, copies, longest, seed):
    """``count`` packets for every input, of which some are headers alone and some are for no output."""
    pick = random.Random(seed)
    return [
        [
            (pick.sample(one, pick.randint(pick.random() < 0.9, min(copies, len(one)))), pick.randint(1, longest))
            for _ in range(count)
        ]
        for one in reach
    ]


@pytest.mark.parametrize(
    "make, copies",
    [
        pytest.param(Allocator, 1, id="one output"),
        pytest.param(TWO_STAGES, 1, id="one output, two stages"),
        pytest.param(not_copying, 1, id="not copying", marks=pytest.mark.long),
        pytest.param(copying, 1, id="copying to one", marks=pytest.mark.long),
        pytest.param(copying, 9, id="copying"),
        pytest.param(COPYING_IN_TWO, 9, id="copying, two stages"),
    ],
)
@pytest.mark.parametrize("reach", [FULL, SPARSE, [(0,)], [(0,), (0,)]], ids=str)
@pytest.mark.parametrize(
    "pause, stall",
    some([(0, 0), (0.1, 0.8), (0.5, 0), (0, 0.5), (0.3, 0.3)], [4]),
)
def test_random(make, copies, reach, pause, stall):
    """Catches a grant to who did not ask, a packet cut short, a copy lost or doubled, a deadlock."""
    random_run(make, copies, reach, pause, stall)


def random_run(make, copies, reach, pause, stall, *, count=25):
    packets = random_packets(reach, count, copies=copies, longest=5, seed=pause)
    Packets(make(reach, 1 + max(map(max, reach))), packets, pause=pause, stall=stall, seed=stall).run(6000)


@pytest.mark.parametrize(
    "make, copies",
    [
        pytest.param(Allocator, 1, id="one output"),
        pytest.param(TWO_STAGES, 1, id="one output, two stages", marks=pytest.mark.long),
        pytest.param(copying, 9, id="copying", marks=pytest.mark.long),
        pytest.param(COPYING_IN_TWO, 9, id="copying, two stages"),
    ],
)
def test_random_among_many_inputs(make, copies):
    """Allocators with more inputs than a LUT has; half as many packets, as each waits for that many."""
    random_run(make, copies, MANY, 0.3, 0.3, count=12)


@pytest.mark.parametrize(
    ("make", "late", "idle"),
    [(Allocator, 1, 0), (TWO_STAGES, 1, 0), (copying, 2, 1), (not_copying, 2, 1), (COPYING_IN_TWO, 2, 1)],
    ids=["one output", "two stages", "copying", "not copying", "copying in two stages"],
)
@pytest.mark.parametrize("flits", [1, 2, 5])
def test_turns(make, late, idle, flits):
    """Catches an input that is passed over, an idle cycle too many between packets, a miscounted conflict.

    Where headers come to a free output together, all of them wait for ``late`` cycles; the next one waits for ``idle``.
    """
    rounds = 4
    run = Packets(make([(0, 1)] * 5, 2), [[((1,), flits)] * rounds for _ in range(5)])
    run.run(5 * rounds * (flits + idle) - idle + late)
    assert run.order == [[], [0, 1, 2, 3, 4] * rounds]
    wait = 4 * (flits + idle) + idle
    assert run.longest == [wait] * 4 + [wait + 1]
    # The last packet of all has nobody to wait for it.
    assert run.conflicts == (5 * rounds - 1) * (flits + idle) + late - idle


@pytest.mark.parametrize(
    ("part", "line", "instead"),
    [
        (several, "several(Cat(group.any() for group in groups)) | ", ""),
        (several, " | Cat(several(group) for group in groups).any()", ""),
        (Allocator, "free & ~far.any()", "free"),
        (Allocator, "requests[index] & ~Cat(", "requests[index] | ~Cat("),
        (Allocator, "holder[index] & (ready & ~free)", "holder[index] & ready"),
    ],
)
def test_a_fault_among_many_inputs_is_found(monkeypatch, part, line, instead):
    """Catches, with more inputs than a LUT has, headers that pass together and a header that passes twice."""
    plant(monkeypatch, part, line, instead)
    packets = random_packets(MANY, 25, copies=1, longest=5, seed=0)
    with pytest.raises(AssertionError):
        Packets(Allocator(MANY, 3), packets, pause=0.3, stall=0.3).run(4000)


@pytest.mark.parametrize("make", [Allocator, copying, not_copying, TWO_STAGES, COPYING_IN_TWO])
def test_no_conflict(make):
    """Catches inputs that disturb each other without a common output."""
    for shift in range(4):
        run = Packets(make(FULL, 4), [[(((number + shift) % 4,), 3)] * 5 for number in range(4)])
        run.run(15 if make in (Allocator, copying, not_copying) else 20)
        assert run.conflicts == 0


@pytest.mark.parametrize("flits", [1, 2, 7])
def test_everybody_copies_to_all(flits):
    """Catches deadlock, starvation and idle cycles where every packet wants every output: one between packets."""
    rounds = 5
    run = Packets(copying(FULL, 4), [[(range(4), flits)] * rounds for _ in range(4)])
    run.run(4 * rounds * (flits + 1) + 1)
    assert max(run.longest) == 3 * (flits + 1) + 2


@pytest.mark.parametrize("flits", [2, 3, 8])
def test_copies_beside_streams(flits):
    """Catches the starvation of a packet whose outputs are never all free by themselves."""
    reach = [(0, 1, 2, 3)] * 5
    packets = [[((0, 1, 2, 3), 2)] * 6, *([((output,), flits + output)] * 60 for output in range(4))]
    run = Packets(copying(reach, 4), packets)

    async def testbench(ctx):
        for _ in range(6 * 5 * (flits + 5)):
            await run.cycle(ctx)

    simulate(run.allocator, testbench)
    assert not run.packets[0]
    # It waits for the longest packet that is on its way, at most once for every other input's turn.
    assert max(run.longest) <= 5 * (flits + 4)


@pytest.mark.parametrize("make", [Allocator, copying])
@pytest.mark.parametrize(
    "reach, outputs, message",
    [
        ([(0,), ()], 1, "turns must let every input reach an output, but input 1 reaches none"),
        ([(0,), (0, 2)], 3, "turns must let every output be reached, but output 1 is not"),
    ],
)
def test_refused(make, reach, outputs, message):
    """Catches turns that leave a port with nothing to do."""
    with pytest.raises(ParameterError, match=re.escape(message) + "$"):
        make(reach, outputs)


def test_sources():
    """Catches grants that mean other inputs than the crossbar thinks."""
    allocator = Allocator(SPARSE, 5)
    simulate(allocator, _nothing)
    assert allocator.sources == [(1, 2, 4), (0, 2), (0, 1), (2, 3), (0, 2, 4)]


async def _nothing(ctx):
    pass
