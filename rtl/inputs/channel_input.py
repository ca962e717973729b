"""An input of a router with virtual channels: the flits of all its channels, and the one that it bids for."""

from collections.abc import Sequence

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, stream
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.groundwork.validation import check_boolean, check_integer
from fatcube.rtl.flit import FlitLayout, FlitStream
from fatcube.rtl.inputs.channel_store import ChannelStore
from fatcube.rtl.inputs.input_channel import InputChannel
from fatcube.rtl.inputs.route import Route
from fatcube.rtl.one_hot import either, encoded, first_after, pick
from fatcube.rtl.optional_ports import OptionalPorts
from fatcube.rtl.queue import next_place

__all__ = ["ChannelInput"]


class ChannelInput(OptionalPorts):
    """Keeps the flits of the channels of an input in one memory, and bids for one flit at a time.

    A bid is held in registers, with the place of its flit, so arbitration begins at the start of a cycle. The next bid is
    computed in parallel with the arbitration, both for the case that the flit leaves and for the case that it does not.
    Channels that can send take turns, except that a packet which keeps its output continues to bid.

    In one stage, a header that arrives while the input has no other bid is bid for in the next cycle, and a flit that follows
    another flit is bid for in the cycle after its arrival. In two stages, the bid is a cycle later. While a target is
    reserved, a header first waits until it could begin.

    Parameters
    ----------
    width, depth, memory
        See :class:`ChannelStore`; ``depth`` is the buffer depth of each channel.
    channels : :class:`int`
        The number of channels.
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
    left : :py:`Out(channels)`
        A flit of the channel left in the cycle before. Registers.
    idle : :py:`Out(channels)`
        The channel has no flit.
    flit : :py:`Out(FlitLayout(width))`
        The flit for which the input bids, with its route as the next router is to see it.
    urgent : :py:`In(channels)`
        From the :class:`~fatcube.rtl.inputs.channel_watch.ChannelWatch` of the router: the channel has priority.
    bid, head, last, sure, channel, waits, passed, due
        To the :class:`~fatcube.rtl.allocators.channel_allocator.ChannelAllocator`, whose ports of these names belong to them.
    won, given, more, plenty, ready, shut, stays, reserved
        From it.
    room{output} : :py:`In(rooms[output])`
        ``room`` of the outputs that can be reached.
    legal : :py:`Out(1)`
        The header that enters has a target.
    dropped : :py:`Out(channels)`
        A flit of a packet that has no target leaves the channel in this cycle.
    error : :py:`Out(1)`
        A header that has no target is dropped in this cycle.
    routes : :py:`In(known_bits)`
        The router's routing tables, or its address.
    """

    i: Sequence[stream.Interface]
    left: Signal
    idle: Signal
    dropped: Signal
    flit: data.View
    bid: Signal
    head: Signal
    last: Signal
    sure: Signal
    channel: Signal
    waits: Signal
    passed: Signal
    due: Signal
    urgent: Signal
    won: Signal
    given: Signal
    more: Signal
    plenty: Signal
    ready: Signal
    shut: Signal
    stays: Signal
    reserved: Signal
    legal: Signal
    error: Signal
    routes: Signal

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
        self.width = width
        self.depth = depth
        self.memory = memory
        self.channels = check_integer("channels", channels, minimum=1)
        self.route = route
        self.outputs = tuple(outputs)
        self.rooms = tuple(rooms)
        self.most = most
        self.fixed = fixed
        self.stages = check_integer("stages", stages, minimum=1, maximum=2)
        self.whole = check_boolean("whole", whole)
        targets = len(self.outputs)
        super().__init__(
            {
                "i": In(FlitStream(width)).array(channels),
                **dict.fromkeys(("left", "idle", "dropped"), Out(channels)),
                "flit": Out(FlitLayout(width)),
                "bid": Out(targets),
                **dict.fromkeys(("head", "sure", "last", "passed", "legal", "error"), Out(1)),
                "channel": Out(most),
                **dict.fromkeys(("waits", "due"), Out(targets)),
                "urgent": In(channels),
                **dict.fromkeys(("won", "more", "plenty", "stays"), In(1)),
                "given": In(most),
                **dict.fromkeys(("ready", "shut", "reserved"), In(targets)),
                **{f"room{number}": In(channels) for number, channels in enumerate(self.rooms)},
                "routes": In(route.known_bits),
            }
        )

    def room(self, output: int) -> Signal:
        """``room`` of an output, by its number among those that can be reached."""
        return getattr(self, f"room{output}")

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.store = store = ChannelStore(
            self.width, self.depth, self.channels, noted=ceil_log2(len(self.outputs) + 1), memory=self.memory
        )
        units = [self._unit(m, number) for number in range(self.channels)]
        enters, arriving = Signal(self.channels), self.i[0].payload
        bid = _Bid(self.channels, self.depth)
        coming, following = Signal(len(self.outputs)), Signal(len(self.outputs))
        m.d.comb += [
            bid.leaves.eq(self.won | bid.dropping),
            bid.third.eq(next_place(bid.behind, self.depth)),
            bid.follows.eq((bid.turn & Cat(unit.two for unit in units)).any()),
            enters.eq(Cat(one.valid & one.ready for one in self.i)),
            coming.eq(self._decoded(arriving.data, enters)),
            # A header is decoded when it arrives, and the number of its target kept with it: 0 if it has none.
            store.note.eq(encoded(Cat(Const(0, 1), coming))),
            following.eq(self._target(store.behind.data)),
            store.write.eq(enters.any()),
            store.flit.eq(arriving),
            store.place.eq(Cat(pick(enters, [unit.place for unit in units]), encoded(enters))),
            self.flit.eq(store.front),
            self.last.eq(store.front.last),
            self.legal.eq(coming.any()),
            self.dropped.eq(bid.turn & bid.dropping.replicate(self.channels)),
            self.error.eq(bid.dropping & self.head),
            self.sure.eq(
                ~self.last
                & ~store.behind.last
                & (bid.turn & Cat(unit.three for unit in units)).any()
                & self.plenty
                # A packet gives its output up for an urgent channel.
                & ~self.urgent.any()
            ),
            self.waits.eq(pick([unit.some & ~unit.begun for unit in units], [unit.target for unit in units])),
            self.due.eq(either(unit.due for unit in units)),
            Cat(unit.urgent for unit in units).eq(self.urgent),
        ]
        self._wire(m, bid, units, enters=enters, coming=coming, following=following)
        held = self._held(m, units)
        able, other, fresh = Signal(self.channels), Signal(self.channels), self._fresh(m, units, enters)
        shut = Cat((unit.target & self.shut).any() for unit in units)
        m.d.comb += [
            able.eq(Cat(unit.could & ~unit.bids for unit in units) & ~held & ~shut),
            other.eq(first_after(able, bid.turn)),
            self.passed.eq(able.any() & bid.bidding),
        ]
        comes = (bid.turn & enters).any() if self.stages == 1 else Const(0)
        # A header can follow at once, as a channel is checked for when it wins.
        headless = ~self.last if self.whole else Const(1)
        # But while a target is reserved, it first waits until it could begin.
        reserves = self.reserved.any()
        follows = Mux(self.last, ~reserves, self.more | bid.dropping)
        m.d.comb += [
            bid.continues.eq(bid.bidding & (bid.follows | comes) & headless),
            bid.goes_on.eq(bid.continues & follows & (self.stays | ~(bid.turn & held).any())),
        ]
        bypasses = (fresh & ~held).any() & ~bid.continues & ~reserves
        self._bid_next(m, bid, units, other=other, fresh=fresh, bypasses=bypasses, following=following, coming=coming)
        m.d.comb += [
            store.front_place.eq(Cat(bid.next_front, encoded(bid.next_turn))),
            store.behind_place.eq(Cat(bid.next_behind, encoded(bid.next_turn))),
        ]
        self._shift(m, store.front.data)
        return m

    def _shift(self, m: Module, header: Value) -> None:
        """Take this router's selector out of a header that leaves."""
        if not self.route.kept:
            return
        # With a name of its own, so that no tool sees the bits of one vector follow from each other.
        front = Signal(self.width, attrs={"keep": "true"})
        shifted = front[self.route.shift : self.route.shift + self.route.kept]
        m.d.comb += front.eq(header)
        with m.If(self.head):
            m.d.comb += self.flit.data[: self.route.kept].eq(shifted)

    def _bid_next(
        self,
        m: Module,
        bid: "_Bid",
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
        with m.If(~self.stays & other.any()):
            self._turn_to(m, bid, other, units)
            m.d.sync += [
                self.bid.eq(pick(other, [unit.target for unit in units])),
                self.head.eq(~(other & Cat(unit.begun for unit in units)).any()),
                self.channel.eq(pick(other, [unit.out for unit in units])),
                bid.dropping.eq((other & Cat(unit.dropped for unit in units)).any()),
            ]
        with m.Elif(bid.bidding & ~bid.leaves):
            m.d.comb += [bid.next_turn.eq(bid.turn), bid.next_front.eq(bid.front), bid.next_behind.eq(bid.behind)]
        with m.Elif(bypasses):
            self._turn_to(m, bid, fresh, units)
            m.d.sync += [self.bid.eq(coming), self.head.eq(1), bid.dropping.eq(~coming.any())]
        with m.Else():
            m.d.comb += [bid.next_turn.eq(bid.turn), bid.next_front.eq(bid.behind), bid.next_behind.eq(bid.third)]
            target = Mux(self.last, following_or_coming, self.bid)
            m.d.sync += [
                bid.bidding.eq(bid.goes_on),
                self.bid.eq(target & bid.goes_on.replicate(len(target))),
                self.head.eq(self.last),
                bid.dropping.eq(bid.goes_on & Mux(self.last, ~following_or_coming.any(), bid.dropping)),
            ]
            with m.If(self.head):
                m.d.sync += self.channel.eq(self.given)
        m.d.sync += [
            bid.turn.eq(bid.next_turn),
            bid.front.eq(bid.next_front),
            bid.behind.eq(bid.next_behind),
        ]

    def _unit(self, m: Module, number: int) -> InputChannel:
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
            unit.given.eq(self.given),
            unit.more.eq(self.more),
            unit.ready.eq(self.ready),
            unit.reserved.eq(self.reserved),
            *(unit.room(output).eq(self.room(output)) for output in range(len(self.rooms))),
            self.i[number].ready.eq(unit.space),
            self.left[number].eq(unit.left),
            self.idle[number].eq(~unit.some),
        ]
        return unit

    def _wire(
        self, m: Module, bid: "_Bid", units: Sequence[InputChannel], *, enters: Value, coming: Value, following: Value
    ) -> None:
        """Tell each channel which flit enters, and whether the flit for which the input bids leaves."""
        for number, unit in enumerate(units):
            # Other bits are never set, but synthesis cannot infer this without the mask.
            taken = self._taken(number)
            m.d.comb += [
                unit.enters.eq(enters[number]),
                unit.tail.eq(self.i[0].payload.last),
                unit.coming.eq(coming & taken),
                unit.bids.eq(bid.turn[number] & bid.bidding),
                unit.leaves.eq(bid.turn[number] & bid.leaves),
                unit.head.eq(self.head),
                unit.last.eq(self.last),
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

    def _held(self, m: Module, units: Sequence[InputChannel]) -> Signal:
        """The channels that must not bid next, as an urgent one could send if it won its output. Registers.

        So they never wait for a packet that waits for them.
        """
        held = Signal(self.channels)
        could = (self.urgent & Cat(unit.could for unit in units)).any()
        m.d.sync += held.eq(~self.urgent & could.replicate(self.channels))
        return held

    def _turn_to(self, m: Module, bid: "_Bid", chosen: Value, units: Sequence[InputChannel]) -> None:
        """Bid for the flit in front of a channel next."""
        m.d.comb += [
            bid.next_turn.eq(chosen),
            bid.next_front.eq(pick(chosen, [unit.first for unit in units])),
            bid.next_behind.eq(pick(chosen, [unit.second for unit in units])),
        ]
        m.d.sync += bid.bidding.eq(1)

    def _decoded(self, header: Value, where: Value) -> Value:
        """The target of a header on one of the channels, one-hot or zero."""
        decoders, route = self.route.decode, header[: self.route.bits]
        decoded = [decode(route, self.routes) & self._taken(of_class) for of_class, decode in enumerate(decoders)]
        if len(decoders) == 1:
            return decoded[0]
        classes = [
            Cat(where[number] for number in range(first, self.channels, len(decoders)))
            for first in range(len(decoders))
        ]
        return pick([one.any() for one in classes], decoded)

    def _target(self, number: Value) -> Value:
        """The target that is kept with a flit as a number, one-hot; zero if there is none."""
        return Cat(number == one for one in range(1, len(self.outputs) + 1))

    def _taken(self, channel: int) -> Const:
        """A bit for each target: packets on a channel can take it."""
        targets = self.route.targets[channel % len(self.route.targets)]
        return Const(sum(1 << number for number in targets), len(self.outputs))


class _Bid:
    """The state of the flit for which an input bids, beyond the signals to the allocator.

    Members
    -------
    turn : :class:`Signal`
        The channel that bids, or did before, one-hot. A register.
    bidding, dropping : :class:`Signal`
        The channel bids; its flit is dropped, as its packet has no target. Registers.
    front, behind : :class:`Signal`
        The place of the flit for which the input bids, and of the flit behind it. Registers.
    third : :class:`Signal`
        The place of the next flit after ``behind``.
    leaves : :class:`Signal`
        The flit leaves in this cycle.
    follows, continues, goes_on : :class:`Signal`
        There is a flit behind it; there will be one in the next cycle; the input can bid for this one then.
    next_turn, next_front, next_behind : :class:`Signal`
        ``turn``, ``front`` and ``behind`` of the next cycle.
    """

    def __init__(self, channels: int, depth: int) -> None:
        self.turn, self.next_turn = Signal(channels, init=1), Signal(channels)
        self.bidding, self.dropping, self.leaves = Signal(), Signal(), Signal()
        self.front, self.next_front = Signal(range(depth)), Signal(range(depth))
        self.behind, self.next_behind = Signal(range(depth), init=1), Signal(range(depth))
        self.third = Signal(range(depth))
        self.follows, self.continues, self.goes_on = Signal(), Signal(), Signal()
