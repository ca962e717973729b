"""An input of a router with virtual channels: the flits of all its channels, and the one that it bids for."""

from collections.abc import Sequence

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.groundwork.validation import check_boolean, check_integer
from fatcube.rtl.allocators.bid import ChannelBid
from fatcube.rtl.inputs.bid_state import BidState
from fatcube.rtl.inputs.channel_store import ChannelStore
from fatcube.rtl.inputs.input import Input
from fatcube.rtl.inputs.input_channel import InputChannel
from fatcube.rtl.inputs.route import Route
from fatcube.rtl.one_hot import either, encoded, pick
from fatcube.rtl.queue import next_place

__all__ = ["ChannelInput"]


class ChannelInput(Input):
    """Keeps the flits of the channels of an input in one memory, and bids for one flit at a time.

    A bid is held in registers, with the place of its flit, so arbitration begins at the start of a cycle. The next bid is
    computed in parallel with the arbitration, both for the case that the flit leaves and for the case that it does not.
    Channels that can send take turns, except that a packet which keeps its output continues to bid.

    In one stage, a header that arrives while the input has no other bid is bid for in the next cycle, and a flit that follows
    another flit is bid for in the cycle after its arrival. In two stages, the bid is a cycle later. While a target is
    reserved, a header first waits until it could begin.

    Parameters
    ----------
    width, depth, channels, memory
        See :class:`ChannelStore`; ``depth`` is the buffer depth of each channel.
    route : :class:`~fatcube.rtl.inputs.route.Route`
    outputs : list of :class:`int`
        For each target, the number of its output among those that can be reached.
    rooms : list of :class:`int`
        For each of these outputs, its channels.
    most, fixed
        See :class:`~fatcube.rtl.inputs.input_channel.InputChannel`.
    stages : :class:`int`
        Cycles from a header in front to its first flit at the output: 1 or 2.
    whole : :class:`bool`
        A header leaves only when its whole packet has arrived.

    Members
    -------
    i : :py:`In(FlitStream(width)).array(channels)`
        Flits in. All streams have the same payload, and one of them at most is valid.
    flit : :py:`Out(FlitLayout(width))`
        The flit for which the input bids, with its route as the next router is to see it.
    left : :py:`Out(channels)`
        A flit of the channel left in the cycle before. Registers.
    idle : :py:`Out(channels)`
        The channel has no flit.
    urgent : :py:`In(channels)`
        From the :class:`~fatcube.rtl.inputs.channel_watch.ChannelWatch` of the router: the channel has priority.
    room{output} : :py:`In(rooms[output])`
        The room of the outputs in reach.
    legal : :py:`Out(1)`
        The header that enters has a target.
    dropped : :py:`Out(channels)`
        A flit of a packet that has no target leaves the channel in this cycle.
    """

    idle: Signal
    dropped: Signal
    urgent: Signal
    legal: Signal

    def __init__(
        self,
        width: int,
        depth: int,
        *,
        memory: str = "auto",
        channels: int,
        route: Route,
        outputs: Sequence[int],
        rooms: Sequence[int],
        most: int,
        fixed: Sequence[int] | None = None,
        stages: int = 1,
        whole: bool = False,
    ) -> None:
        self.depth, self.memory, self.route = depth, memory, route
        self.outputs = tuple(outputs)
        self.rooms = tuple(rooms)
        self.most = most
        self.fixed = fixed
        self.stages = check_integer("stages", stages, minimum=1, maximum=2)
        self.whole = check_boolean("whole", whole)
        super().__init__(
            width,
            ChannelBid(len(self.outputs), most),
            channels=channels,
            routes_bits=route.known_bits,
            members={
                **dict.fromkeys(("idle", "dropped"), Out(channels)),
                "urgent": In(channels),
                "legal": Out(1),
                **{f"room{number}": In(count) for number, count in enumerate(self.rooms)},
            },
        )

    def room(self, output: int) -> Signal:
        """``room`` of an output, by its number among those that can be reached."""
        return getattr(self, f"room{output}")

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.store = store = ChannelStore(
            self.width, self.depth, self.channels, noted=ceil_log2(len(self.outputs) + 1), memory=self.memory
        )
        bid = BidState(self.channels, self.depth)
        ready = bid.open(m, self.allocator, self.urgent)
        units = [self._unit(m, number, *ready) for number in range(self.channels)]
        enters = Signal(self.channels)
        arriving = self.i[0].payload
        coming, following = Signal(len(self.outputs)), Signal(len(self.outputs))
        held, awaited = self._held(m, bid, units)
        m.d.comb += [
            bid.leaves.eq(self.allocator.won | bid.dropping),
            bid.third.eq(next_place(bid.behind, self.depth)),
            bid.follows.eq((bid.turn & Cat(unit.two for unit in units)).any()),
            enters.eq(Cat(one.valid & one.ready for one in self.i)),
            coming.eq(self.route.decoded(arriving.data, self.routes, enters)),
            # A header is decoded when it arrives, and the number of its target kept with it: 0 if it has none.
            store.note.eq(encoded(Cat(Const(0, 1), coming))),
            following.eq(self.route.numbered(store.behind.data)),
            store.write.eq(enters.any()),
            store.flit.eq(arriving),
            store.place.eq(Cat(pick(enters, [unit.place for unit in units]), encoded(enters))),
            self.flit.eq(store.front),
            self.allocator.last.eq(store.front.last),
            self.legal.eq(coming.any()),
            self.dropped.eq(bid.turn & bid.dropping.replicate(self.channels)),
            self.error.eq(bid.dropping & self.allocator.head),
            self.allocator.sure.eq(
                ~self.allocator.last
                & ~store.behind.last
                & (bid.turn & Cat(unit.three for unit in units)).any()
                & self.allocator.plenty
                & ~awaited
            ),
            self.allocator.waits.eq(pick([unit.some & ~unit.begun for unit in units], [unit.target for unit in units])),
            self.allocator.due.eq(either(unit.due for unit in units)),
            Cat(unit.urgent for unit in units).eq(self.urgent),
        ]
        self._wire(m, bid, units, enters=enters, coming=coming, following=following)
        able, other = Signal(self.channels), Signal(self.channels)
        fresh = self._fresh(m, units, enters)
        shut = Cat((unit.target & self.allocator.shut).any() for unit in units)
        m.d.comb += [
            able.eq(Cat(unit.could & ~unit.bids for unit in units) & ~held & ~shut),
            other.eq(bid.other(m, able, bid.leaves & self.allocator.head)),
            self.allocator.passed.eq(able.any() & bid.bidding),
        ]
        comes = (bid.turn & enters).any() if self.stages == 1 else Const(0)
        # A header can follow at once, as a channel is checked for when it wins.
        headless = ~self.allocator.last if self.whole else Const(1)
        # But while a target is reserved, it first waits until it could begin.
        reserves = self.allocator.reserved.any()
        follows = Mux(self.allocator.last, ~reserves, self.allocator.more | bid.dropping)
        m.d.comb += [
            bid.continues.eq(bid.bidding & (bid.follows | comes) & headless),
            bid.goes_on.eq(bid.continues & follows & (self.allocator.stays | ~(bid.turn & held).any())),
        ]
        bypasses = (fresh & ~held).any() & ~bid.continues & ~reserves
        self._bid_next(m, bid, units, other=other, fresh=fresh, bypasses=bypasses, following=following, coming=coming)
        m.d.comb += [
            store.front_place.eq(Cat(bid.next_front, encoded(bid.next_turn))),
            store.behind_place.eq(Cat(bid.next_behind, encoded(bid.next_turn))),
        ]
        if kept := self.route.kept:
            shifted = self.route.shifted(m, store.front.data)
            with m.If(self.allocator.head):
                m.d.comb += self.flit.data[:kept].eq(shifted)
        return m

    def _bid_next(
        self,
        m: Module,
        bid: BidState,
        units: Sequence[InputChannel],
        *,
        other: Value,
        fresh: Value,
        bypasses: Value,
        following: Value,
        coming: Value,
    ) -> None:
        """Bid in the next cycle: for another channel that can send, the same flit again, one that arrives, or the one behind."""
        following_or_coming = Mux(bid.follows, following, coming)
        with m.If(~self.allocator.stays & other.any()):
            self._turn_to(m, bid, other, units)
            m.d.sync += [
                self.allocator.bid.eq(pick(other, [unit.target for unit in units])),
                self.allocator.head.eq(~(other & Cat(unit.begun for unit in units)).any()),
                self.allocator.channel.eq(pick(other, [unit.out for unit in units])),
                bid.dropping.eq((other & Cat(unit.dropped for unit in units)).any()),
                bid.fresh.eq((other & self.urgent).any()),
            ]
        with m.Elif(bid.bidding & ~bid.leaves):
            m.d.comb += [bid.next_turn.eq(bid.turn), bid.next_front.eq(bid.front), bid.next_behind.eq(bid.behind)]
        with m.Elif(bypasses):
            self._turn_to(m, bid, fresh, units)
            m.d.sync += [self.allocator.bid.eq(coming), self.allocator.head.eq(1), bid.dropping.eq(~coming.any())]
        with m.Else():
            m.d.comb += [bid.next_turn.eq(bid.turn), bid.next_front.eq(bid.behind), bid.next_behind.eq(bid.third)]
            target = Mux(self.allocator.last, following_or_coming, self.allocator.bid)
            m.d.sync += [
                bid.bidding.eq(bid.goes_on),
                self.allocator.bid.eq(target & bid.goes_on.replicate(len(target))),
                self.allocator.head.eq(self.allocator.last),
                bid.dropping.eq(bid.goes_on & Mux(self.allocator.last, ~following_or_coming.any(), bid.dropping)),
            ]
            with m.If(self.allocator.head):
                m.d.sync += self.allocator.channel.eq(self.allocator.given)
        m.d.sync += [
            bid.turn.eq(bid.next_turn),
            bid.front.eq(bid.next_front),
            bid.behind.eq(bid.next_behind),
        ]

    def _unit(self, m: Module, number: int, anybody: Value, own: Value) -> InputChannel:
        """A channel, wired to the ports of the input."""
        m.submodules[f"channel{number}"] = unit = InputChannel(
            self.depth,
            outputs=self.outputs,
            rooms=self.rooms,
            most=self.most,
            fixed=self.fixed,
            stages=self.stages,
            whole=self.whole,
        )
        m.d.comb += [
            unit.given.eq(self.allocator.given),
            unit.more.eq(self.allocator.more),
            unit.ready.eq(anybody),
            unit.own.eq(own),
            *(unit.room(output).eq(self.room(output)) for output in range(len(self.rooms))),
            self.i[number].ready.eq(unit.space),
            self.left[number].eq(unit.left),
            self.idle[number].eq(~unit.some),
        ]
        return unit

    def _wire(
        self, m: Module, bid: BidState, units: Sequence[InputChannel], *, enters: Value, coming: Value, following: Value
    ) -> None:
        """Tell each channel which flit enters, and whether the flit for which the input bids leaves."""
        for number, unit in enumerate(units):
            # Other bits are never set, but synthesis cannot infer this without the mask.
            taken = self.route.taken(number)
            m.d.comb += [
                unit.enters.eq(enters[number]),
                unit.tail.eq(self.i[0].payload.last),
                unit.coming.eq(coming & taken),
                unit.bids.eq(bid.turn[number] & bid.bidding),
                unit.leaves.eq(bid.turn[number] & bid.leaves),
                unit.head.eq(self.allocator.head),
                unit.last.eq(self.allocator.last),
                unit.following.eq(following & taken),
                unit.behind.eq(bid.behind),
                unit.third.eq(bid.third),
            ]

    def _fresh(self, m: Module, units: Sequence[InputChannel], enters: Value) -> Signal:
        """The channel, if it had no flit, at which a header arrives that the input can bid for in the next cycle."""
        fresh = Signal(self.channels)
        if self.stages == 1:
            empty = Cat(~unit.some & ~unit.begun for unit in units)
            # To leave whole, it must be a packet by itself.
            alone = self.i[0].payload.last if self.whole else Const(1)
            m.d.comb += fresh.eq(enters & empty & alone.replicate(self.channels))
        return fresh

    def _held(self, m: Module, bid: BidState, units: Sequence[InputChannel]) -> tuple[Signal, Signal]:
        """The channels that must not bid next, and that they must not: an urgent one could send if it won its output. Registers.

        So they never wait for a packet that waits for them.
        """
        held, awaited = Signal(self.channels), Signal()
        could = (self.urgent & Cat(unit.could for unit in units)).any()
        could |= bid.keeps & (self.allocator.bid & self.allocator.ready).any()
        m.d.sync += [held.eq(~self.urgent & could.replicate(self.channels)), awaited.eq(could)]
        return held, awaited

    def _turn_to(self, m: Module, bid: BidState, chosen: Value, units: Sequence[InputChannel]) -> None:
        """Bid for the flit in front of a channel next."""
        m.d.comb += [
            bid.next_turn.eq(chosen),
            bid.next_front.eq(pick(chosen, [unit.first for unit in units])),
            bid.next_behind.eq(pick(chosen, [unit.second for unit in units])),
        ]
        m.d.sync += bid.bidding.eq(1)
