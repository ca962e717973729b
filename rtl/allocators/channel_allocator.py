"""The allocator of a router whose lanes have virtual channels."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from fatcube.groundwork.validation import check_boolean
from fatcube.rtl.allocators.allocator_base import AllocatorBase
from fatcube.rtl.allocators.bid import ChannelBid, ChannelOffer
from fatcube.rtl.allocators.channel_pool import ChannelPool
from fatcube.rtl.arbiters.arbiter import Arbiter, add_arbiter
from fatcube.rtl.arbiters.round_robin import RoundRobinArbiter
from fatcube.rtl.crossbar import select_lines
from fatcube.rtl.one_hot import encoded, pick

__all__ = ["ChannelAllocator", "Target"]


class Target(NamedTuple):
    """A group of virtual channels of one output that a header can request.

    Members
    -------
    output : :class:`int`
        An output.
    channels : tuple of :class:`int`
        The virtual channels of the output that the header can be given; they are in no other target.
    """

    output: int
    channels: tuple[int, ...]


class ChannelAllocator(AllocatorBase):
    """The switch allocator, and the VC allocator, which gives a header a channel in the cycle in which it wins the switch.

    An input bids for one flit at a time. Each output arbitrates between the inputs that bid for it, and has a channel ready
    for a header (:class:`ChannelPool`). A flit behind its header bids only if there is room for it. A packet that is sure
    to continue (``sure``) keeps its output: no other input begins to bid for it, and an input that bids already waits. Other
    packets on different channels of an output take turns flit by flit, so a blocked packet delays no other. A target is
    reserved for headers that were passed over (``due``): the inputs that have one take turns, packet by packet, and no other
    header begins to bid for it.

    Parameters
    ----------
    reach : list of list of :class:`int`
        For each input, the numbers of the targets that it can reach.
    targets : list of :class:`Target`
    arbiter : subclass of :class:`Arbiter`
        The arbiter of each output.
    whole : :class:`bool`
        A packet gets a channel only if there is room for the longest packet behind it.
    keeps : :class:`bool`
        Packets that are sure to continue keep their outputs.
    asks : collection of :class:`int`
        The outputs where packets need permission to begin, as described at :func:`~fatcube.rtl.lanes.lane.LaneSignature`; only with ``whole``.

    Members
    -------
    grant{output} : :py:`Out(len(sources[output]))`
        The input, in the order of ``sources[output]``, whose flit the output offers; zero if it offers none.

    Attributes
    ----------
    fixed : :class:`bool`
        Each target has one channel, so no header is given one.
    """

    def __init__(
        self,
        reach: Sequence[Sequence[int]],
        targets: Sequence[Target],
        *,
        arbiter: type[Arbiter] = RoundRobinArbiter,
        whole: bool = False,
        keeps: bool = True,
        asks: Collection[int] = (),
    ) -> None:
        self.reach = [tuple(reached) for reached in reach]
        self.targets = tuple(targets)
        self.arbiter = arbiter
        self.whole = check_boolean("whole", whole)
        self.keeps = check_boolean("keeps", keeps)
        self.asks = frozenset(asks)
        outputs = range(1 + max(target.output for target in targets))
        self.channels = [
            sum(len(target.channels) for target in targets if target.output == output) for output in outputs
        ]
        self.fixed = all(len(target.channels) == 1 for target in targets)
        self.most = 0 if self.fixed else max(self.channels)
        super().__init__(
            [{self.targets[number].output for number in reached} for reached in self.reach],
            [ChannelBid(len(reached), self.most) for reached in self.reach],
            [ChannelOffer(channels, permission=output in self.asks) for output, channels in enumerate(self.channels)],
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        pools = [self._pool(m, number) for number in range(len(self.targets))]
        reserved = self._reserved(m, pools)
        keepers = [Signal(len(sources), name=f"keeper{output}") for output, sources in enumerate(self.sources)]
        kept = [Signal(name=f"kept{output}") for output in range(len(self.sources))]
        for source, reached in enumerate(self.reach):
            self._look(m, source, pools)
            m.d.comb += [
                self.input(source).won.eq(
                    Cat(
                        self.grant(output)[sources.index(source)]
                        for output, sources in enumerate(self.sources)
                        if source in sources
                    ).any()
                ),
                self.input(source).stays.eq(
                    Cat(
                        keeper[sources.index(source)]
                        for keeper, sources in zip(keepers, self.sources)
                        if source in sources
                    ).any()
                ),
                self.input(source).shut.eq(Cat(kept[self.targets[number].output] for number in reached)),
                self.input(source).reserved.eq(Cat(reserved[number] for number in reached)),
            ]
        conflicts = [self._arbitrate(m, output, pools, keepers[output], kept[output]) for output in range(len(kept))]
        m.d.comb += self.conflict.eq(
            Cat(*conflicts, *(self.input(source).passed for source in range(len(self.reach)))).any()
        )
        return m

    def _bids(self, number: int, source: int, name: str = "bid") -> Value:
        """The bid of an input for a target."""
        reached = self.reach[source]
        return getattr(self.input(source), name)[reached.index(number)] if number in reached else Const(0)

    def _targets_of(self, output: int) -> list[int]:
        """The targets of an output."""
        return [number for number, target in enumerate(self.targets) if target.output == output]

    def _pool(self, m: Module, number: int) -> ChannelPool:
        """The channels of a target."""
        target = self.targets[number]
        m.submodules[f"pool{number}"] = pool = ChannelPool(len(target.channels))
        offer = self.output(target.output)
        fit = offer.whole if self.whole else offer.room
        m.d.comb += pool.fit.eq(Cat(fit[channel] for channel in target.channels))
        another = Cat(offer.more[channel] for channel in target.channels)
        m.d.comb += [pool.another.eq(another), pool.refit.eq(0 if self.whole else another)]
        return pool

    def _reserved(self, m: Module, pools: Sequence[ChannelPool]) -> Signal:
        """Of each target: a header that was passed over waits for it. Also tells inputs whose turn it is to have it then."""
        reserved = Signal(len(self.targets))
        for number, pool in enumerate(pools):
            sources = [source for source, reached in enumerate(self.reach) if number in reached]
            due = Signal(len(sources), name=f"due{number}")
            named = Signal(len(sources), init=1, name=f"named{number}")
            m.d.comb += due.eq(Cat(self._bids(number, source, "due") for source in sources))
            m.d.sync += reserved[number].eq(due.any())
            # Even if it has another one, so that an input whose channels are always due does not keep the turn.
            with m.If(~(named & due).any() | pool.given & reserved[number]):
                m.d.sync += named.eq(named.rotate_left(1))
            for source, turn in zip(sources, named, strict=True):
                m.d.comb += self._told(number, source).eq(turn)
        return reserved

    def _told(self, number: int, source: int) -> Value:
        """The bit of ``named`` of an input for a target."""
        return self.input(source).named[self.reach[source].index(number)]

    def _spread(self, pool: ChannelPool, number: int) -> Value:
        """The channel that a pool has ready, among those of all outputs."""
        channels = self.targets[number].channels
        return Cat(
            pool.ready[channels.index(channel)] if channel in channels else Const(0) for channel in range(self.most)
        )

    def _look(self, m: Module, source: int, pools: Sequence[ChannelPool]) -> None:
        """Drive the signals that tell an input about the room behind its targets, and behind the one for which it bids."""
        reached, bid = self.reach[source], self.input(source).bid
        given = self.input(source).given
        m.d.comb += [
            self.input(source).ready.eq(
                Cat(pools[number].ready.any() & self.output(self.targets[number].output).soon for number in reached)
            ),
            given.eq(pick(bid, [self._spread(pools[number], number) for number in reached])),
        ]
        head = self.input(source).head
        more: list[Value] = []
        for asked, number in zip(bid, reached):
            behind = self._said(source, number, "more")
            more.append(asked & (behind if self.fixed else Mux(head, pools[number].ample, behind)))
        plenty = Cat(asked & self._said(source, number, "plenty") for asked, number in zip(bid, reached))
        m.d.comb += [
            self.input(source).more.eq(Cat(more).any()),
            # A hint: it is not worth the time for a header.
            self.input(source).plenty.eq(~head & plenty.any()),
        ]

    def _said(self, source: int, number: int, name: str) -> Value:
        """The bit of the output's port ``name`` for the channel that the packet of an input has at a target."""
        output, channels = self.targets[number]
        said = getattr(self.output(output), name)
        return said[channels[0]] if self.fixed else (said & self.input(source).channel[: len(said)]).any()

    def _goes_on(self, source: int, output: int) -> Value:
        """The channel of an output on which the flit of an input is sent, one-hot, if the input bids for the output."""
        count = self.channels[output]
        if not self.fixed:
            given, channel = self.input(source).given, self.input(source).channel
            return Mux(self.input(source).head, given, channel)[:count]
        of_channel = {self.targets[number].channels[0]: number for number in self._targets_of(output)}
        return Cat(self._bids(of_channel[channel], source) for channel in range(count))

    def _arbitrate(self, m: Module, output: int, pools: Sequence[ChannelPool], keeper: Signal, kept: Signal) -> Value:
        """Choose the flit of an output, and return whether a packet waits for another one there."""
        sources = self.sources[output]
        grant, offer = self.grant(output), self.output(output).offer
        bids = Signal(len(sources), name=f"bids{output}")
        header = self._of(output, "head")
        arbiter = self.arbiter(len(sources))
        winner = add_arbiter(m, f"arbiter{output}", arbiter)
        sure = grant & self._of(output, "sure") if self.keeps else Const(0, len(sources))
        m.d.comb += [
            bids.eq(Cat(self._asks(output, source).any() for source in sources)),
            arbiter.requests.eq(bids & self._able(output, pools)),
            arbiter.take.eq(1),
            arbiter.sent.eq(grant),
            grant.eq(winner),
            self.select(output).eq(select_lines(winner)),
            offer.eq(arbiter.requests.any()),
        ]
        m.d.sync += [keeper.eq(sure), kept.eq(sure.any())]
        channels = [self._goes_on(source, output) for source in sources]
        freed = Signal(self.channels[output], name=f"freed{output}")
        m.d.comb += [
            self.output(output).channel.eq(pick(grant, [encoded(channel) for channel in channels])),
            freed.eq(pick(grant & self._of(output, "last"), channels)),
        ]
        waits = []
        for number in self._targets_of(output):
            pool, asked = pools[number], Cat(self._bids(number, source) for source in sources)
            m.d.comb += [
                pool.given.eq((grant & header & asked).any()),
                pool.freed.eq(Cat(freed[channel] for channel in self.targets[number].channels)),
            ]
            waits.append((Cat(self._bids(number, source, "waits") for source in sources).any(), pool))
        if output in self.asks:
            m.d.comb += [
                self.output(output).wanted.eq(Cat(waiting & pool.ready.any() for waiting, pool in waits).any()),
                self.output(output).holds.eq(Cat(pool.busy for _, pool in waits).any()),
            ]
        return (bids & ~grant).any() & offer | Cat(waiting & pool.busy.all() for waiting, pool in waits).any()

    def _of(self, output: int, name: str) -> Value:
        """The ports ``name`` of the inputs that can reach an output, a bit each."""
        return Cat(getattr(self.input(source), name) for source in self.sources[output])

    def _asks(self, output: int, source: int) -> Value:
        """The bid of an input for each target of an output."""
        return Cat(self._bids(number, source) for number in self._targets_of(output))

    def _able(self, output: int, pools: Sequence[ChannelPool]) -> Value:
        """A bit for each input: the output can offer its flit; a header only if a channel is ready for it."""
        is_open, begins = self.output(output).open, self.output(output).begins
        ready = Cat(pools[number].ready.any() & begins for number in self._targets_of(output))
        return Cat(
            is_open & (~self.input(source).head | (self._asks(output, source) & ready).any())
            for source in self.sources[output]
        )
