"""The allocator of a router whose lanes have virtual channels."""

from collections.abc import Iterable, Sequence
import functools
import operator
from typing import NamedTuple

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.utils import ceil_log2

from rtl.allocators.allocator_base import AllocatorBase, exactly_one
from rtl.allocators.channel_turns import ChannelTurns
from rtl.arbiters.arbiter import Arbiter, add_arbiter
from rtl.arbiters.least_recent import longest_ago
from rtl.arbiters.round_robin import RoundRobinArbiter
from rtl.crossbar import select_bits, select_lines

__all__ = ["ChannelAllocator", "Target"]


class Target(NamedTuple):
    """What a header can ask for.

    Members
    -------
    output : :class:`int`
        An output.
    channels : tuple of :class:`int`
        Those of its virtual channels that it can be given; they are in no other target.
    """

    output: int
    channels: tuple[int, ...]


class _State(NamedTuple):
    """The signals of the channels of an output, a bit or a signal for each.

    Members
    -------
    valid, last : :class:`Value`
        Of each source of the output: it has a flit in front, and that is its last.
    ready, whole : :class:`Value`
        There is room for a flit, and for the longest packet; ``whole`` is ``None`` where it does not count.
    free : :class:`Signal`
        The channel has no holder.
    holder, selecting : list of :class:`Signal`
        Its holder among the sources, and the select lines of that.
    granted, selected : list of :class:`Signal`
        The source whose flit it offers, and its select lines.
    offers, sends, done : :class:`Signal`
        It offers a flit, its flit leaves, and that is the last of its holder's packet.
    held : :class:`Signal`
        Of each source: it is the holder of a channel.
    """

    valid: Value
    last: Value
    ready: Value
    whole: Value | None
    free: Signal
    holder: list[Signal]
    selecting: list[Signal]
    granted: list[Signal]
    selected: list[Signal]
    offers: Signal
    sends: Signal
    done: Signal
    held: Signal


class ChannelAllocator(AllocatorBase):
    """The VC allocator and the switch allocator: packets get a channel of their output, and channels take turns on it.

    A header requests a target and gets the least recently given of its free channels, which its packet holds until its
    tail flit has left. The holder of a channel sends a flit when there is a credit for it and it is the channel's turn, so a
    packet without credits does not block packets on other channels. Each virtual channel of a lane is an input of its own,
    so there is no head-of-line blocking between them at the input either.

    In one stage, a header that arrives alone at a target with a free channel can pass in the same cycle, and headers that
    arrive together wait for one cycle. In two stages, every header waits for one cycle.

    Parameters
    ----------
    reach : list of list of :class:`int`
        For each input, the numbers of the targets that it can reach.
    targets : list of :class:`Target`
    stages : :class:`int`
        As for every allocator.
    arbiter : subclass of :class:`Arbiter`
        The arbiter of each target. The turns of channels on an output are those of :class:`ChannelTurns`.
    whole : :class:`bool`
        A packet gets a channel only if there is room for the longest packet behind it.
    asks : :class:`bool`
        As for every allocator; only with ``whole``.

    On an output with several channels a flit is offered only if it is taken; ``ready`` comes from registers there.
    """

    def __init__(
        self,
        reach: Sequence[Sequence[int]],
        targets: Sequence[Target],
        *,
        stages: int = 1,
        arbiter: type[Arbiter] = RoundRobinArbiter,
        whole: bool = False,
        asks: bool = False,
    ) -> None:
        self.arbiter = arbiter
        self.whole = whole
        self.asks = asks
        self.targets = tuple(targets)
        self.channels = [
            sum(len(target.channels) for target in targets if target.output == output)
            for output in range(1 + max(target.output for target in targets))
        ]
        super().__init__(
            reach,
            len(self.channels),
            stages=stages,
            leads=[target.output for target in targets],
            channels=self.channels,
            asks=asks,
        )

    def _asking(self, target: int) -> Value:
        """The requests for ``target``, a bit for each source of its output."""
        return Cat(
            self.port("requests", source)[self.reach[source].index(target)]
            if target in self.reach[source]
            else Const(0)
            for source in self.sources[self.targets[target].output]
        )

    def _waiting(self, target: int, state: "_State") -> Value:
        """The requests for ``target`` of headers that have no channel yet."""
        return self._asking(target) & ~state.held

    def elaborate(self, platform: object) -> Module:
        m = Module()
        conflicts: list[Value] = []
        taken: list[list[Value]] = [[] for _ in self.reach]
        for output, sources in enumerate(self.sources):
            state = self._state(output)
            m.d.comb += state.held.eq(_either(state.holder))
            for number, target in enumerate(self.targets):
                if target.output == output:
                    conflicts.append(self._give(m, number, state))
            if len(state.ready) > 1:
                if self.asks:
                    self._ask(m, output, state)
                conflicts.append(self._take_turns(m, output, state))
                granted, selected = (
                    [one & send.replicate(len(one)) for one, send in zip(each, state.sends)]
                    for each in (state.granted, state.selected)
                )
            else:
                granted, selected = state.granted, state.selected
                m.d.comb += [
                    state.sends.eq(state.offers & state.ready),
                    self.port("offer", output).eq(state.offers),
                ]
            grant, select = self.port("grant", output), self.port("select", output)
            m.d.comb += [grant.eq(_either(granted)), select.eq(_either(selected))]
            for bit, source in zip(grant, sources):
                taken[source].append(bit & state.sends.any())
        for source in range(len(self.reach)):
            self._advance(m, source, taken[source])
        m.d.comb += self.conflict.eq(Cat(conflicts).any())
        return m

    def _state(self, output: int) -> "_State":
        """The signals of the channels of an output."""
        channels, sources = range(self.channels[output]), len(self.sources[output])
        select = select_bits(sources)
        return _State(
            valid=self._of_sources("valid", output),
            last=self._of_sources("last", output),
            ready=self.port("ready", output),
            whole=self.port("whole", output) if self.whole and len(channels) > 1 else None,
            free=Signal(len(channels), init=-1, name=f"free{output}"),
            holder=[Signal(sources, name=f"holder{output}_{channel}") for channel in channels],
            selecting=[Signal(select, name=f"selecting{output}_{channel}") for channel in channels],
            granted=[Signal(sources, name=f"granted{output}_{channel}") for channel in channels],
            selected=[Signal(select, name=f"selected{output}_{channel}") for channel in channels],
            offers=Signal(len(channels), name=f"offers{output}"),
            sends=Signal(len(channels), name=f"sends{output}"),
            done=Signal(len(channels), name=f"done{output}"),
            held=Signal(sources, name=f"held{output}"),
        )

    def _give(self, m: Module, number: int, state: "_State") -> Value:
        """Give a channel of a target to a header that asks for it, and return whether a header waits."""
        target, sources = self.targets[number], len(state.held)
        add_arbiter(m, f"arbiter{number}", arbiter := self.arbiter(sources))
        # The header in front of a holder, if it still is, has been given a channel.
        pending = Signal(sources, name=f"pending{number}")
        alone, vacant = Signal(name=f"alone{number}"), Signal(name=f"vacant{number}")
        opens = Signal(len(target.channels), name=f"opens{number}")
        roomy = state.free if state.whole is None else state.free & state.whole
        unheld = Cat(roomy[channel] for channel in target.channels)
        # Without a free channel, the one whose packet ends in this cycle has a new holder in the next.
        ending = (
            Cat(state.done[channel] for channel in target.channels) if state.whole is None else Const(0, len(opens))
        )
        # Of several, the least recently given one: behind the others, packets may still wait in the next buffer.
        given, chosen = (Signal(len(opens), name=f"{name}{number}") for name in ("given", "chosen"))
        m.d.comb += [
            chosen.eq(longest_ago(m, unheld, given)),
            given.eq(opens & pending.any().replicate(len(opens))),
            pending.eq(self._waiting(number, state)),
            alone.eq(exactly_one(pending)),
            vacant.eq(unheld.any()),
            opens.eq(Mux(vacant, chosen, ending)),
            arbiter.requests.eq(pending),
            arbiter.take.eq(opens.any()),
            arbiter.sent.eq(
                _either(
                    [state.granted[channel] & state.sends[channel].replicate(sources) for channel in target.channels]
                )
            ),
        ]
        for open, may_pass, channel in zip(opens, chosen, target.channels):
            name = f"{target.output}_{channel}"
            passing = self._offer(m, name, channel, state, pending, state.free[channel] & may_pass & alone)
            with m.If(open):
                m.d.sync += [
                    state.holder[channel].eq(Mux(passing, 0, arbiter.winner)),
                    state.selecting[channel].eq(select_lines(arbiter.winner)),
                    state.free[channel].eq(passing | ~pending.any()),
                ]
            with m.Elif(state.done[channel]):
                m.d.sync += [state.holder[channel].eq(0), state.free[channel].eq(1)]
        if self.asks:
            # A header that waits for permission or room alone waits for no packet of this router.
            vacant = Cat(state.free[channel] for channel in target.channels).any()
        return pending.any() & ~(alone & vacant)

    def _offer(self, m: Module, name: str, channel: int, state: "_State", pending: Value, passes: Value) -> Value:
        """Offer the flit of a channel, and return whether a packet passes that is a header alone.

        In one stage, ``passes`` says that the only header of ``pending`` can pass on this free channel.
        """
        free, holder = state.free[channel], state.holder[channel]
        moves = (holder & state.valid).any()
        m.d.comb += state.done[channel].eq(state.sends[channel] & (holder & state.last).any())
        if self.stages == 2:
            m.d.comb += [
                state.granted[channel].eq(holder),
                state.selected[channel].eq(state.selecting[channel]),
                state.offers[channel].eq(moves),
            ]
            return Const(0)
        first = Signal(name=f"first{name}")  # The only header can pass on this channel.
        m.d.comb += [
            first.eq(passes),
            state.granted[channel].eq(Mux(free, pending & first.replicate(len(pending)), holder)),
            state.selected[channel].eq(Mux(free, select_lines(pending), state.selecting[channel])),
            state.offers[channel].eq(Mux(free, first, moves)),
        ]
        return first & state.sends[channel] & (pending & state.last).any()

    def _ask(self, m: Module, output: int, state: "_State") -> None:
        """Say which channels of an output are free and wanted, and whether any is held."""
        wanted = self.port("wanted", output)
        for number, target in enumerate(self.targets):
            if target.output == output:
                waits = self._waiting(number, state).any()
                m.d.comb += [wanted[channel].eq(state.free[channel] & waits) for channel in target.channels]
        m.d.comb += self.port("holds", output).eq(~state.free.all())

    def _take_turns(self, m: Module, output: int, state: "_State") -> Value:
        """Let the channels of an output take turns on it, and return whether one of them waits for its turn."""
        ready, offers, sends = state.ready, state.offers, state.sends
        channels = range(len(ready))
        m.submodules[f"turns{output}"] = turns = ChannelTurns(len(ready))
        m.d.comb += [
            turns.requests.eq(offers & ready),
            turns.last.eq(Cat((one & state.last).any() for one in state.granted)),
            sends.eq(turns.winner),
            self.port("offer", output).eq((offers & ready).any()),
            self.port("channel", output).eq(
                Cat(
                    Cat(sends[channel] for channel in channels if channel >> bit & 1).any()
                    for bit in range(ceil_log2(len(ready)))
                )
            ),
        ]
        # Channels that share the output hold each other up, which no schedule does.
        return (offers & ready & ~sends).any()


def _either(values: Iterable[Value]) -> Value:
    """The OR of values of equal width, bit by bit."""
    return functools.reduce(operator.or_, values)
