"""One channel of an input with several: the number of its flits, their places, and the target of the packet in front."""

from collections.abc import Sequence

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.groundwork.validation import check_boolean, check_integer
from fatcube.rtl.optional_ports import OptionalPorts
from fatcube.rtl.queue import next_place

__all__ = ["InputChannel"]


class InputChannel(OptionalPorts):
    """Counts the flits of a channel and keeps the target of its packet. The flits are in a :class:`ChannelStore`.

    Whether a flit leaves settles late in a cycle, so the count is updated a cycle later, and most outputs correct for a
    flit that left in the cycle before.

    Parameters
    ----------
    depth : :class:`int`
        Flits that it has room for.
    outputs : list of :class:`int`
        For each target, the number of its output among those that can be reached.
    rooms : list of :class:`int`
        For each of these outputs, its channels.
    most : :class:`int`
        The most channels of an output of the router; 0 if packets are not given one.
    fixed : list of :class:`int` or ``None``
        For each target, its channel, if no target has several.
    stages : :class:`int`
        With 1, a packet that arrives is there in the same cycle; with 2, in the next one. Only with ``whole``.
    whole : :class:`bool`
        A header leaves only when its whole packet has arrived.

    Members
    -------
    enters : :py:`In(1)`
        A flit enters in this cycle; only if there is ``space``.
    tail : :py:`In(1)`
        It is the last of its packet.
    coming : :py:`In(targets)`
        The target of the header that enters, one-hot; zero if there is none.
    bids : :py:`In(1)`
        The input bids for the flit in front.
    leaves : :py:`In(1)`
        The flit in front leaves in this cycle. Only if the input bids for it.
    head, last : :py:`In(1)`
        It is a header; the last of its packet.
    following : :py:`In(targets)`
        The target of the flit behind it, if this one is a header.
    behind, third : :py:`In(range(depth))`
        The places of the next flit behind it, and of the second one.
    given : :py:`In(most)`
        The channel that it gets if it is a header that leaves.
    more : :py:`In(1)`
        There is room for a flit behind it on the channel that its packet has, or gets.
    ready : :py:`In(targets)`
        Of each target: a channel is ready for any header.
    own : :py:`In(targets)`
        Of each target: a channel is ready for the header of an urgent channel.
    urgent : :py:`In(1)`
        The channel has priority over others.
    room{output} : :py:`In(rooms[output])`
        ``room`` of the outputs that can be reached.
    space : :py:`Out(1)`
        A flit can enter.
    some, two, three : :py:`Out(1)`
        There are at least one, two or three flits.
    left : :py:`Out(1)`
        A flit left in the cycle before. A register.
    could : :py:`Out(1)`
        The flit in front could leave if it won its output. Valid only while the input does not bid for it.
    due : :py:`Out(targets)`
        The target of the header in front, one-hot, if the channel is urgent and the header waits for its target only; else
        zero.
    place, first, second : :py:`Out(range(depth))`
        The place where the next flit is written, and the places of the flit in front and of the one behind it if the input
        does not bid for them. Registers.
    target : :py:`Out(targets)`
        The target of the packet in front, one-hot; zero if it has none. A register.
    begun : :py:`Out(1)`
        The header of the packet in front has left. A register.
    dropped : :py:`Out(1)`
        The packet in front has no target. A register.
    out : :py:`Out(most)`
        The channel that it was given, one-hot. A register.
    """

    enters: Signal
    tail: Signal
    coming: Signal
    bids: Signal
    leaves: Signal
    head: Signal
    last: Signal
    following: Signal
    behind: Signal
    third: Signal
    given: Signal
    more: Signal
    ready: Signal
    own: Signal
    urgent: Signal
    space: Signal
    some: Signal
    two: Signal
    three: Signal
    left: Signal
    could: Signal
    due: Signal
    place: Signal
    first: Signal
    second: Signal
    target: Signal
    begun: Signal
    dropped: Signal
    out: Signal

    def __init__(
        self,
        depth: int,
        *,
        outputs: Sequence[int],
        rooms: Sequence[int],
        most: int,
        fixed: Sequence[int] | None = None,
        stages: int = 1,
        whole: bool = False,
    ) -> None:
        self.depth = check_integer("buffer depth", depth, minimum=2, maximum=4096)
        self.outputs = tuple(outputs)
        self.rooms = tuple(rooms)
        self.fixed = None if fixed is None else tuple(fixed)
        self.stages = check_integer("stages", stages, minimum=1, maximum=2)
        self.whole = check_boolean("whole", whole)
        place, targets = ceil_log2(depth), len(self.outputs)
        super().__init__(
            {
                **dict.fromkeys(("enters", "tail", "bids", "leaves", "head", "last", "more", "urgent"), In(1)),
                **dict.fromkeys(("coming", "following", "ready", "own"), In(targets)),
                **dict.fromkeys(("behind", "third"), In(place)),
                "given": In(most),
                **{f"room{output}": In(channels) for output, channels in enumerate(self.rooms)},
                **dict.fromkeys(("space", "some", "two", "three", "left", "could", "begun", "dropped"), Out(1)),
                **dict.fromkeys(("place", "first"), Out(place)),
                "second": Out(place, init=1),
                **dict.fromkeys(("target", "due"), Out(targets)),
                "out": Out(most),
            }
        )

    def room(self, output: int) -> Signal:
        """``room`` of an output, by its number among those that can be reached."""
        return getattr(self, f"room{output}")

    def elaborate(self, platform: object) -> Module:
        m = Module()
        level = Signal(range(self.depth + 1))  # It includes a flit that left in the cycle before.
        m.d.comb += [
            self.some.eq(self._at_least(1, level, self.left)),
            self.two.eq(self._at_least(2, level, self.left)),
            self.three.eq(self._at_least(3, level, self.left)),
            self.space.eq((level != self.depth) | self.left),
        ]
        m.d.sync += [level.eq(level + self.enters - self.left), self.left.eq(self.leaves)]
        with m.If(self.enters):
            m.d.sync += self.place.eq(next_place(self.place, self.depth))

        with m.If(self.bids & self.head):
            m.d.sync += self.out.eq(self.given)
        # The next packet in front: the one behind, the one that enters in this cycle, or one that enters later.
        coming = Mux(self.leaves & self.two, self.following, self.coming)
        begins = Signal()
        with m.If(self.leaves):
            m.d.sync += [self.first.eq(self.behind), self.second.eq(self.third), self.begun.eq(~self.last)]
            m.d.comb += begins.eq(self.last)
        with m.Else():
            m.d.comb += begins.eq(self.enters & ~self.some & ~self.begun)
        with m.If(begins):
            m.d.sync += [self.target.eq(coming), self.dropped.eq(~coming.any())]

        roomy = Signal()
        if self.fixed is None:
            # A flit behind its header can bid a cycle after there is room for it.
            m.d.sync += roomy.eq(Mux(self.bids, self.more, self._room()))
        else:
            m.d.comb += roomy.eq(self._room())
        arrived, size = self._arrived(m), len(self.target)
        ready = self.ready | self.own & self.urgent.replicate(size)
        header_could = (self.target & ready).any() & arrived
        m.d.comb += self.due.eq(self.target & (self.urgent & ~self.begun & arrived).replicate(size))
        m.d.comb += self.could.eq(self.some & (self.dropped | Mux(self.begun, roomy, header_could)))
        return m

    def _room(self) -> Value:
        """There is room for a flit of the packet in front, whose header has left."""
        if self.fixed is not None:
            ways = zip(self.target, self.outputs, self.fixed)
            return Cat(bit & self.room(output)[channel] for bit, output, channel in ways).any()
        return Cat(
            Cat(bit for bit, number in zip(self.target, self.outputs) if number == output).any()
            & (self.out[: len(self.room(output))] & self.room(output)).any()
            for output in range(len(self.rooms))
        ).any()

    def _arrived(self, m: Module) -> Value:
        """The header in front need not wait for the rest of its packet: a tail flit is there, or ``whole`` is not set."""
        if not self.whole:
            return Const(1)
        tails = Signal(range(self.depth + 1))
        left = Signal()
        enters = self.enters & self.tail
        m.d.sync += [tails.eq(tails + enters - left), left.eq(self.leaves & self.last)]
        there = self._at_least(1, tails, left)
        return there | enters if self.stages == 1 else there

    def _at_least(self, count: int, level: Signal, left: Signal) -> Value:
        """The ``level``, less one if ``left`` is set, is at least ``count``; the level never exceeds the depth."""
        return Mux(left, level > count if count < self.depth else Const(0), level >= count)
