"""A processor without a program: its address and the headers that have arrived determine the packets that it sends."""

from collections.abc import Sequence
import functools
import operator
from typing import Any, NamedTuple

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, memory
from amaranth.lib.wiring import In

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.rtl.endpoint.distributed.arrival import Arrival
from fatcube.rtl.endpoint.distributed.outbox import Outbox
from fatcube.rtl.endpoint.distributed.rules import Rule, dimensions_ahead
from fatcube.rtl.endpoint.distributed.source import Source
from fatcube.rtl.endpoint.host import Region
from fatcube.rtl.endpoint.processor_base import ProcessorBase
from fatcube.rtl.endpoint.receiver import Receiver
from fatcube.rtl.endpoint.sender import Sender

__all__ = ["Assignment", "DistributedProcessor", "check_header"]


def check_header(width: int, message_low: int, message_bits: int, address_bits: int) -> None:
    """Check that a header has room for the address of a source above the message id.

    Raises
    ------
    ParameterError
        If ``width``, the bits of a flit, is too small.
    """
    least = message_low + message_bits + address_bits
    check_integer(
        "width", width, minimum=least, why=", with the address of the source above the message id in a header"
    )


class Assignment(data.StructLayout):
    """The role of a processor in a run, written as word 0 of port 0 in the region of programs.

    Members
    -------
    source : :class:`unsigned(1)`
        This processor is the source.
    parts : :class:`unsigned(part_bits)`
        The messages for every processor, M; 1 in a scatter.
    """

    def __init__(self, part_bits: int) -> None:
        super().__init__({"source": 1, "parts": part_bits})


class _Arrived(NamedTuple):
    """A message that has arrived in the previous cycle, whether it is for this node, and the dimensions along which it is
    forwarded, a bit for each."""

    message: Value
    source: Value
    bank: Value | int
    own: Signal
    dimensions: Signal


class DistributedProcessor(ProcessorBase):
    """Forwards arriving messages by a :class:`~fatcube.rtl.endpoint.distributed.rules.Rule`; the source sends its own messages.

    It is a :class:`~fatcube.rtl.endpoint.processor.Processor` whose sending ports take their entries from outboxes instead of
    program memories. A header has the address of the source above the message id, and the message id is the part (of a
    broadcast) or the target (of a scatter). In lockstep, which is the only mode, a message that has arrived in a step is
    forwarded from the next step on. A processor does not know beforehand which messages will arrive, so a step is over for it
    when it sends nothing, none of its headers can still be in flight, and no packet is in the middle of arriving.

    The source cannot see that the last message has arrived. If the run is not over n + 1 steps after its last message,
    which is the height of the highest tree, the source is never ``done`` again, so that the run stalls and does not continue
    forever.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit, W.
    rule : :class:`Rule`
    ports : :class:`int`
        Sending and receiving ports: 1, or one for each dimension, which then sends along it and receives along it.
    routes : list of :class:`int`
        The route in a header for the port at which the neighbour receives, for each dimension, which are n.
    transit : :class:`int`
        Cycles from the departure of a header to its arrival, over one link.
    part_bits : :class:`int`
        Bits of the number of parts.
    message_low, message_bits, memory_words, host_width, parted
        See :class:`~fatcube.rtl.endpoint.processor.Processor`.

    Members
    -------
    number : :py:`In(16)`
        The address of the node; the lowest n bits count.
    send{j}, receive{j}, lockstep, payload_flits, slot_shift, last_flits, last_from, last_to, go, done, finished, active, host
        See :class:`~fatcube.rtl.endpoint.processor.Processor`; the region of programs holds an :class:`Assignment`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, the rule needs several ports, or a header has no room for an address.
    """

    number: Signal

    def __init__(
        self,
        width: int,
        *,
        rule: Rule,
        ports: int,
        routes: Sequence[int],
        transit: int,
        part_bits: int,
        message_low: int,
        message_bits: int,
        memory_words: int,
        host_width: int,
        parted: bool = False,
    ) -> None:
        self.rule = Rule(rule)
        self.dimensions = n = check_integer("dimensions", len(routes), minimum=1, maximum=12)
        self.transit = check_integer("transit", transit, minimum=1, maximum=255)
        self.part_bits = check_integer("part bits", part_bits, minimum=1, maximum=16)
        check_integer("message low", message_low, minimum=1)
        check_integer("message bits", message_bits, minimum=max(n, part_bits - 1))
        if ports not in (n, *(() if self.rule.several_ports else (1,))):
            one = "" if self.rule.several_ports else "1 or "
            raise ParameterError(f"ports of a processor must be {one}{n} for {self.rule}, not {ports}")
        check_header(width, message_low, message_bits, n)
        self.routes = list(routes)
        super().__init__(
            width,
            ports=ports,
            message_low=message_low,
            message_bits=message_bits,
            memory_words=memory_words,
            host_width=host_width,
            parted=parted,
            further={"number": In(16)},
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        ports = range(self.ports)
        receivers = [Receiver(self.width, number=j, readers=self.ports, **self._common) for j in ports]
        senders = [Sender(self.width, number=j, banks=self.ports, program_entries=0, **self._common) for j in ports]
        value, active = self._connect(m, receivers, senders)
        arrivals = self._arrivals(m)
        assignment = self._assignment(m)
        outboxes = [self._outbox(m, j, senders[j]) for j in ports]
        sources = [self._source(m, j, assignment, outboxes[j]) for j in ports]
        arrived = self._arrived(m, arrivals)
        for j, (outbox, source) in enumerate(zip(outboxes, sources)):
            self._put(m, outbox, source, arrived, j)

        own = Signal(self.part_bits + 1)
        owned = Signal.like(own)
        m.d.comb += owned.eq(own + sum(one.own for one in arrived))
        m.d.sync += own.eq(owned)

        idle = Signal()
        rests = Signal()
        empty = Signal()
        under_way = Signal()
        given_up = Signal()
        m.d.comb += [
            rests.eq(Cat(sender.waits for sender in senders).all()),
            empty.eq(~Cat(one.waiting | one.put for one in outboxes).any()),
            idle.eq(rests & ~under_way & ~Cat(one.within for one in arrivals).any()),
            self.done.eq(idle & ~given_up),
            self.finished.eq(
                idle
                & empty
                & Mux(assignment.source, ~Cat(one.valid for one in sources).any(), owned == assignment.parts)
            ),
            self.active.eq(active),
            self.host.value.eq(value),
        ]
        self._time_headers(m, Cat(sender.took for sender in senders).any(), under_way)
        self._give_up(m, self.go & assignment.source & empty, given_up)
        return m

    def _arrivals(self, m: Module) -> list[Arrival]:
        arrivals = []
        for j in range(self.ports):
            m.submodules[f"arrival{j}"] = arrival = Arrival(self.width)
            m.d.comb += [arrival.valid.eq(self.receive(j).valid), arrival.payload.eq(self.receive(j).payload)]
            arrivals.append(arrival)
        return arrivals

    def _assignment(self, m: Module) -> Any:
        """The assignment, which is in a memory because the content of a memory survives a reset."""
        m.submodules.assignment = words = memory.Memory(shape=Assignment(self.part_bits), depth=2, init=[])
        write, read = words.write_port(), words.read_port()
        host = self.host
        m.d.comb += [
            write.addr.eq(host.word),
            write.data.eq(host.data),
            write.en.eq(host.select & host.write & (host.region == Region.PROGRAM) & (host.bank == 0)),
        ]
        return read.data

    def _outbox(self, m: Module, port: int, sender: Sender) -> Outbox:
        m.submodules[f"outbox{port}"] = outbox = Outbox(
            self.width,
            routes=self.routes if self.ports == 1 else [self.routes[port]],
            message_low=self.message_low,
            message_bits=self.message_bits,
            address_bits=self.dimensions,
        )
        m.d.comb += [sender.entry.eq(outbox.entry), outbox.sent.eq(sender.took)]
        return outbox

    def _source(self, m: Module, port: int, assignment: Any, outbox: Outbox) -> Source:
        m.submodules[f"source{port}"] = source = Source(
            self.rule, self.dimensions, port=port, message_bits=self.message_bits, part_bits=self.part_bits
        )
        m.d.comb += [
            source.address.eq(self.number),
            source.active.eq(assignment.source),
            source.parts.eq(assignment.parts),
            source.taken.eq(source.valid & ~outbox.waiting),
        ]
        return source

    def _arrived(self, m: Module, arrivals: Sequence[Arrival]) -> list[_Arrived]:
        """The messages that can arrive in one cycle: one at each port, or, with one tree only, one at any of the ports."""
        if self.rule.trees_of_ports:
            return [self._forwarded(m, one.whole, one.header, bank, bank) for bank, one in enumerate(arrivals)]
        header = Signal(self.width)
        bank = Signal(range(self.ports))
        m.d.comb += [
            header.eq(functools.reduce(operator.or_, (Mux(one.whole, one.header, 0) for one in arrivals))),
            bank.eq(functools.reduce(operator.or_, (Mux(one.whole, bank, 0) for bank, one in enumerate(arrivals)))),
        ]
        return [self._forwarded(m, Cat(one.whole for one in arrivals).any(), header, bank, 0)]

    def _forwarded(self, m: Module, valid: Value, header: Value, bank: Value | int, along: int) -> _Arrived:
        n = self.dimensions
        above = self.message_low + self.message_bits
        message, source = header[self.message_low : above], header[above : above + n]
        relative = Signal(n, name=f"relative{along}")
        ahead = Signal(n, name=f"ahead{along}")
        own = Signal(name=f"own{along}")
        sent_on = Signal(n, name=f"sent_on{along}")
        m.d.comb += [
            relative.eq(self.number ^ source),
            ahead.eq(self.number ^ message),
            own.eq(valid & ~ahead.any() if self.rule.scatters else valid),
            sent_on.eq(Mux(valid, dimensions_ahead(m, self.rule, relative, ahead, along), 0)),
        ]
        return _Arrived(message, source, bank, own, sent_on)

    def _put(self, m: Module, outbox: Outbox, source: Source, arrived: Sequence[_Arrived], port: int) -> None:
        """Fill an outbox with a message that has arrived, or, at the source, with its next message."""
        own = slice(0, None) if self.ports == 1 else slice(port, port + 1)
        for one in arrived:
            along = one.dimensions[own]
            with m.If(along.any()):
                m.d.comb += [
                    outbox.put.eq(1),
                    outbox.dimensions.eq(along),
                    outbox.message.eq(one.message),
                    outbox.bank.eq(one.bank),
                    outbox.source.eq(one.source),
                ]
        with m.If(source.taken):
            m.d.comb += [
                outbox.put.eq(1),
                outbox.dimensions.eq(~0),
                outbox.message.eq(source.message),
                outbox.bank.eq(0),
                outbox.source.eq(self.number),
            ]

    def _time_headers(self, m: Module, took: Value, under_way: Signal) -> None:
        """Assert ``under_way`` from the cycle after a header has left to the one in which it arrives."""
        left = Signal(range(self.transit + 1))
        m.d.comb += under_way.eq(left.any())
        with m.If(took):
            m.d.sync += left.eq(self.transit)
        with m.Elif(under_way):
            m.d.sync += left.eq(left - 1)

    def _give_up(self, m: Module, idle_step: Value, given_up: Signal) -> None:
        """Assert ``given_up`` when the source has begun n + 1 steps with nothing to send."""
        steps = Signal(range(self.dimensions + 2))
        m.d.comb += given_up.eq(steps == self.dimensions + 1)
        with m.If(idle_step & ~given_up):
            m.d.sync += steps.eq(steps + 1)
