"""An input of a router with virtual channels: the flits of all its channels, and the one that it bids for."""

from collections.abc import Callable, Sequence
import dataclasses

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, stream
from amaranth.lib.wiring import In, Out

from groundwork.validation import check_boolean, check_integer
from rtl.flit import FlitLayout, FlitStream
from rtl.inputs.channel_store import ChannelStore
from rtl.inputs.channel_watch import ChannelWatch
from rtl.one_hot import encoded, first_after, pick
from rtl.optional_ports import OptionalPorts
from rtl.queue import next_place

__all__ = ["ChannelInput", "Route"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Route:
    """How an input with channels decodes the routes of headers.

    Parameters
    ----------
    bits : :class:`int`
        The lowest bits of a header, which are looked at.
    decode : list of callable
        For each class of the channels, what makes of these bits, and of what the router knows of destinations, a bit for
        each target. Channel c has class c modulo their number.
    known_bits : :class:`int`
        Bits of what the router knows of destinations.
    shift : :class:`int`
        Bits that the header loses: this router's selector.
    kept : :class:`int`
        Bits of the selectors behind it.
    """

    bits: int
    decode: Sequence[Callable[[Value, Value], Value]]
    known_bits: int = 0
    shift: int = 0
    kept: int = 0


class _Channel:
    """The registers of a channel, and what follows from them.

    Members
    -------
    level : :class:`Signal`
        Its flits, with one that left in the cycle before.
    left : :class:`Signal`
        A flit left in the cycle before.
    place, first, second : :class:`Signal`
        Where the next flit is written, and where the one in front and the one behind it stand if the input does not bid for it.
    target : :class:`Signal`
        The target of the packet in front, one-hot.
    begun : :class:`Signal`
        Its header has left.
    dropped : :class:`Signal`
        It has no target.
    out : :class:`Signal`
        The channel that it was given, one-hot.
    roomy : :class:`Signal`
        There is room for a flit on that.
    """

    def __init__(self, number: int, depth: int, targets: int, most: int) -> None:
        self.level = Signal(range(depth + 1), name=f"level{number}")
        self.left = Signal(name=f"left{number}")
        self.place = Signal(range(depth), name=f"place{number}")
        self.first = Signal(range(depth), name=f"first{number}")
        self.second = Signal(range(depth), init=1, name=f"second{number}")
        self.target = Signal(targets, name=f"target{number}")
        self.begun = Signal(name=f"begun{number}")
        self.dropped = Signal(name=f"dropped{number}")
        self.out = Signal(most, name=f"out{number}")
        self.roomy = Signal(name=f"roomy{number}")

    def holds(self, flits: int) -> Value:
        """It has so many flits."""
        return Mux(self.left, self.level > flits, self.level >= flits)


class ChannelInput(OptionalPorts):
    """Keeps the flits of the channels of an input in one memory, and bids for one flit at a time.

    A bid stands in registers, with the place of its flit, so arbitration begins with a cycle. Which bid is next is found
    beside the arbitration, for the case that the flit leaves and for the case that it does not. Channels that can send take
    turns, except that a packet which keeps its output goes on.

    In one stage, a header that arrives while the input has no other bid is bid for in the next cycle, and what follows a flit
    is bid for in the cycle after it arrives. In two stages, a cycle later.

    Parameters
    ----------
    width, depth, memory
        As of :class:`ChannelStore`; ``depth`` is that of each channel.
    channels : :class:`int`
        How many there are.
    route : :class:`Route`
    outputs : list of :class:`int`
        For each target, the number of its output among those that can be reached.
    rooms : list of :class:`int`
        For each of these outputs, its channels.
    most : :class:`int`
        The most channels of an output of the router.
    stages : :class:`int`
        Cycles from a header in front to its first flit at the output: 1 or 2.
    whole : :class:`bool`
        A header leaves only when its whole packet has arrived.

    Members
    -------
    i : :py:`In(FlitStream(width)).array(channels)`
        Flits in. All streams have the same payload, and one of them at most is valid.
    left : :py:`Out(channels)`
        A flit of that channel left in the cycle before. Registers.
    idle : :py:`Out(channels)`
        The channel has no flit.
    flit : :py:`Out(FlitLayout(width))`
        The flit for which the input bids, with its route as the next router is to see it.
    bid, head, last, sure, channel, waits, passed
        To the :class:`~rtl.allocators.channel_allocator.ChannelAllocator`, whose ports of these names belong to them.
    won, given, more, plenty, ready, shut, stays
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
        What the router knows of destinations.
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
    won: Signal
    given: Signal
    more: Signal
    plenty: Signal
    ready: Signal
    shut: Signal
    stays: Signal
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
        self.stages = check_integer("stages", stages, minimum=1, maximum=2)
        self.whole = check_boolean("whole", whole)
        self.watch = ChannelWatch(channels) if channels > 1 else None
        targets = len(self.outputs)
        super().__init__(
            {
                "i": In(FlitStream(width)).array(channels),
                **dict.fromkeys(("left", "idle", "dropped"), Out(channels)),
                "flit": Out(FlitLayout(width)),
                "bid": Out(targets),
                **dict.fromkeys(("head", "sure", "last", "passed", "legal", "error"), Out(1)),
                "channel": Out(most),
                "waits": Out(targets),
                **dict.fromkeys(("won", "more", "plenty", "stays"), In(1)),
                "given": In(most),
                **dict.fromkeys(("ready", "shut"), In(targets)),
                **{f"room{number}": In(channels) for number, channels in enumerate(self.rooms)},
                "routes": In(route.known_bits),
            }
        )

    def room(self, output: int) -> Signal:
        """``room`` of an output, by its number among those that can be reached."""
        return getattr(self, f"room{output}")

    def elaborate(self, platform: object) -> Module:
        m = Module()
        targets = len(self.outputs)
        m.submodules.store = store = ChannelStore(
            self.width, self.depth, self.channels, shown=self.route.bits, memory=self.memory
        )
        channels = [_Channel(number, self.depth, targets, self.most) for number in range(self.channels)]
        # The channel that bids, or did before; whether it does, and whether for a flit that is dropped.
        turn = Signal(self.channels, init=1)
        bidding, dropping = Signal(), Signal()
        # Where the flit for which it bids stands, and the one behind that.
        front, behind = (Signal(range(self.depth), init=init) for init in (0, 1))
        third = Signal.like(front)
        m.d.comb += third.eq(next_place(behind, self.depth))

        enters = Signal(self.channels)
        arriving = self.i[0].payload
        m.d.comb += [
            enters.eq(Cat(one.valid & one.ready for one in self.i)),
            store.write.eq(enters.any()),
            store.flit.eq(arriving),
            store.place.eq(Cat(pick(enters, [one.place for one in channels]), encoded(enters))),
            self.flit.eq(store.front),
            self.waits.eq(
                pick([one.holds(1) & ~one.begun for one in channels], [one.target for one in channels])
            ),
            self.legal.eq(self._decoded(arriving.data, enters).any()),
        ]
        leaves = Signal()  # The flit for which the input bids, or which is dropped.
        m.d.comb += leaves.eq(self.won | dropping)
        last, next_last = store.front.last, store.behind.last
        has_next, has_two = (
            Cat(bit & one.holds(flits) for bit, one in zip(turn, channels)).any() for flits in (2, 3)
        )
        m.d.comb += [
            self.last.eq(last),
            self.sure.eq(~last & ~next_last & has_two & self.plenty),
            self.dropped.eq(turn & dropping.replicate(self.channels)),
            self.error.eq(dropping & self.head),
        ]

        # Of the flit behind the one that leaves: its target if it is a header, or that of the packet.
        comes = Signal()  # It arrives in this cycle.
        next_target, arriving_target = Signal(targets), Signal(targets)
        m.d.comb += [
            comes.eq((turn & enters).any() if self.stages == 1 else 0),
            next_target.eq(self._decoded(store.behind.data, turn)),
            arriving_target.eq(self._decoded(arriving.data, enters)),
        ]

        able, other = Signal(self.channels), Signal(self.channels)
        could, held = Signal(self.channels), Signal(self.channels)
        for number, one in enumerate(channels):
            self._keep(m, number, one, enters[number], turn[number] & bidding, leaves)
            header_can = (one.target & self.ready).any()
            if self.whole:
                header_can &= self._arrived(m, number, enters[number] & arriving.last, turn[number] & leaves & last)
            m.d.comb += [
                could[number].eq(one.holds(1) & (one.dropped | Mux(one.begun, one.roomy, header_can))),
                able[number].eq(
                    could[number]
                    & ~(turn[number] & bidding)
                    & ~held[number]
                    & ~(one.target & self.shut).any()
                ),
            ]
            with m.If(turn[number] & bidding & self.head):
                m.d.sync += one.out.eq(self.given)
            with m.If(leaves & turn[number]):
                m.d.sync += [one.first.eq(behind), one.second.eq(third)]
                with m.If(last):
                    m.d.sync += [
                        one.begun.eq(0),
                        one.target.eq(Mux(has_next, next_target, arriving_target)),
                        one.dropped.eq(Mux(has_next, ~next_target.any(), ~arriving_target.any())),
                    ]
                with m.Elif(self.head):
                    m.d.sync += one.begun.eq(1)
            with m.Elif(enters[number] & ~one.holds(1)):
                with m.If(~one.begun):
                    m.d.sync += [one.target.eq(arriving_target), one.dropped.eq(~arriving_target.any())]
        if self.watch is not None:
            m.submodules.watch = watch = self.watch
            m.d.comb += [
                watch.waits.eq(Cat(one.holds(1) for one in channels)),
                watch.could.eq(could),
                watch.leaves.eq(turn & leaves.replicate(self.channels)),
                held.eq(watch.held),
            ]
        m.d.comb += [
            other.eq(first_after(able, turn)),
            self.passed.eq(able.any() & bidding),
        ]

        # The header of the next packet can follow at once, as the pool is looked at when it bids.
        fresh = Signal(self.channels)  # A header arrives at a channel that has no flit.
        if self.stages == 1:
            empty = Cat(~one.holds(1) & ~one.begun for one in channels)
            alone = arriving.last if self.whole else Const(1)
            m.d.comb += fresh.eq(enters & empty & alone.replicate(self.channels))
        follows, goes_on = Signal(), Signal()  # There is a flit behind this one; the input can bid for it.
        m.d.comb += [
            follows.eq((has_next | comes) & (~last if self.whole else Const(1))),
            goes_on.eq(bidding & follows & (last | self.more | dropping) & (self.stays | ~(turn & held).any())),
        ]
        changes, bypasses = Signal(), Signal()
        m.d.comb += [
            changes.eq(~self.stays & other.any()),
            bypasses.eq((fresh & ~held).any() & ~(bidding & follows)),
        ]
        next_front, next_behind, next_turn = Signal.like(front), Signal.like(behind), Signal.like(turn)
        with m.If(changes):
            m.d.comb += [
                next_turn.eq(other),
                next_front.eq(pick(other, [one.first for one in channels])),
                next_behind.eq(pick(other, [one.second for one in channels])),
            ]
            m.d.sync += [
                bidding.eq(1),
                self.bid.eq(pick(other, [one.target for one in channels])),
                self.head.eq(~(other & Cat(one.begun for one in channels)).any()),
                dropping.eq((other & Cat(one.dropped for one in channels)).any()),
                self.channel.eq(pick(other, [one.out for one in channels])),
            ]
        with m.Elif(bidding & ~leaves):
            m.d.comb += [next_turn.eq(turn), next_front.eq(front), next_behind.eq(behind)]
        with m.Elif(bypasses):
            m.d.comb += [
                next_turn.eq(fresh),
                next_front.eq(pick(fresh, [one.first for one in channels])),
                next_behind.eq(pick(fresh, [one.second for one in channels])),
            ]
            m.d.sync += [
                bidding.eq(1),
                self.bid.eq(arriving_target),
                self.head.eq(1),
                dropping.eq(~arriving_target.any()),
            ]
        with m.Else():
            m.d.comb += [next_turn.eq(turn), next_front.eq(behind), next_behind.eq(third)]
            m.d.sync += [bidding.eq(goes_on), self.head.eq(last)]
            with m.If(last):
                m.d.sync += [
                    self.bid.eq(Mux(has_next, next_target, arriving_target) & goes_on.replicate(targets)),
                    dropping.eq(goes_on & ~Mux(has_next, next_target.any(), arriving_target.any())),
                ]
            with m.Else():
                m.d.sync += [
                    self.bid.eq(self.bid & goes_on.replicate(targets)),
                    dropping.eq(dropping & goes_on),
                ]
                with m.If(self.head):
                    m.d.sync += self.channel.eq(self.given)
        m.d.comb += [
            store.front_place.eq(Cat(next_front, encoded(next_turn))),
            store.behind_place.eq(Cat(next_behind, encoded(next_turn))),
        ]
        m.d.sync += [front.eq(next_front), behind.eq(next_behind), turn.eq(next_turn)]

        if self.route.kept:
            shifted = store.front.data[self.route.shift : self.route.shift + self.route.kept]
            with m.If(self.head):
                m.d.comb += self.flit.data[: self.route.kept].eq(shifted)
        return m

    def _decoded(self, header: Value, where: Value) -> Value:
        """The target of a header on one of the channels, one-hot or zero."""
        decoders, route = self.route.decode, header[: self.route.bits]
        classes = [Cat(where[number] for number in range(first, self.channels, len(decoders))) for first in range(len(decoders))]
        if len(decoders) == 1:
            return decoders[0](route, self.routes)
        return pick([one.any() for one in classes], [decode(route, self.routes) for decode in decoders])

    def _keep(self, m: Module, number: int, one: _Channel, enters: Value, bids: Value, leaves: Value) -> None:
        """Keep the count of the flits of a channel, and look for the room of its packet."""
        m.d.comb += [
            self.i[number].ready.eq(~one.holds(self.depth)),
            self.left[number].eq(one.left),
            self.idle[number].eq(~one.holds(1)),
        ]
        m.d.sync += [one.level.eq(one.level + enters - one.left), one.left.eq(bids & leaves)]
        with m.If(enters):
            m.d.sync += one.place.eq(next_place(one.place, self.depth))
        of_target = []
        for output in range(len(self.rooms)):
            room = self.room(output)
            asked = Cat(bit for bit, number in zip(one.target, self.outputs) if number == output).any()
            of_target.append((one.out[: len(room)] & room).any() & asked)
        m.d.sync += one.roomy.eq(Mux(bids, self.more, Cat(of_target).any()))

    def _arrived(self, m: Module, number: int, enters: Value, leaves: Value) -> Value:
        """The packet in front of a channel has arrived whole, of whose packets a tail flit enters, and leaves."""
        tails, left = Signal(range(self.depth + 1), name=f"tails{number}"), Signal(name=f"tail_left{number}")
        m.d.sync += [tails.eq(tails + enters - left), left.eq(leaves)]
        there = Mux(left, tails > 1, tails >= 1)
        return there | enters if self.stages == 1 else there
