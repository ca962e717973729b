"""A processor: a message memory and a program that sends and expects messages, on k ports each way."""

from typing import Any

from amaranth.hdl import Cat, Module, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import check_integer
from rtl.endpoint.host import HostBus
from rtl.endpoint.program import PortStatus, ProgramEntry
from rtl.endpoint.receiver import Receiver
from rtl.endpoint.sender import Sender
from rtl.flit import FlitStream

__all__ = ["Processor"]


class Processor(wiring.Component):
    """Sends the messages that its program names and stores those that arrive.

    The message memory has a bank for each port; a port writes the messages that it receives into its own bank, and
    every port can send from all banks. A message with id n takes 2^``slot_shift`` words from word n 2^``slot_shift``
    on. In lockstep a port carries out one entry per ``go``; in dataflow it proceeds by itself, and a packet waits
    until the whole of its message has arrived. With barriers a program can make a port wait for ``go`` in dataflow
    too, where packets that the router copies must not meet others: see :func:`sim.collectives.plan.compile_schedule`.

    With reductions the memory adds: see :class:`Receiver` for arrivals, :class:`ProgramEntry` for sends. The sums over
    all banks that are sent, and that the host reads as bank 255, are computed in :class:`Sender`.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit and of a word, W.
    ports : :class:`int`
        Sending ports, and receiving ports, k.
    message_low, message_bits : :class:`int`
        Where the message id stands in a header.
    memory_words : :class:`int`
        Words in each bank.
    program_entries : :class:`int`
        Entries in the program of each port.
    host_width : :class:`int`
        Data bits of the host bus.
    reductions : :class:`bool`
        The processor has adders for partial sums.
    barriers : :class:`bool`
        Programs can have barriers in dataflow.

    Members
    -------
    send{j} : :py:`Out(FlitStream(width))`
    receive{j} : :py:`In(FlitStream(width))`
    lockstep : :py:`In(1)`
        Each step ends with ``go``; otherwise dataflow.
    payload_flits : :py:`In(16)`
        Payload flits of every message, F, at least 1.
    slot_shift : :py:`In(5)`
        Base-2 logarithm of the words that a message takes.
    reduced : :py:`In(message_bits + 1)`
        Messages with an id below this are partial sums. With reductions only.
    go : :py:`In(1)`
        The next step starts (lockstep), or the run does and goes on after each barrier (dataflow).
    done : :py:`Out(1)`
        Everything of this step, or up to this barrier, is sent and has arrived, and the next entries are ready
        to start.
    finished : :py:`Out(1)`
        Everything is sent and has arrived, and the program is over.
    active : :py:`Out(1)`
        A flit is sent or received in this cycle.
    host : :py:`In(HostBus(host_width))`
    """

    lockstep: Signal
    payload_flits: Signal
    slot_shift: Signal
    reduced: Signal
    go: Signal
    done: Signal
    finished: Signal
    active: Signal
    host: wiring.PureInterface

    def __init__(
        self,
        width: int,
        *,
        ports: int,
        message_low: int,
        message_bits: int,
        memory_words: int,
        program_entries: int,
        host_width: int,
        reductions: bool = False,
        barriers: bool = False,
        combining: bool = False,
    ) -> None:
        self.width = check_integer("width", width, minimum=1)
        self.ports = check_integer("ports of a processor", ports, minimum=1, maximum=255)
        self.message_low = check_integer("message low", message_low, minimum=0)
        self.message_bits = check_integer("message bits", message_bits, minimum=1)
        self.memory_words = check_integer("memory words", memory_words, minimum=2, maximum=1 << 24)
        self.program_entries = check_integer("program entries", program_entries, minimum=2, maximum=1 << 16)
        self.host_width = check_integer(
            "host width",
            host_width,
            minimum=max(ProgramEntry(width, reductions=reductions, barriers=barriers).size, PortStatus().size),
        )
        self.reductions = reductions
        self.barriers = barriers
        self.combining = combining
        members = {}
        for j in range(ports):
            members[f"send{j}"] = Out(FlitStream(width))
            members[f"receive{j}"] = In(FlitStream(width))
        super().__init__(
            {
                **members,
                "lockstep": In(1),
                "payload_flits": In(16),
                "slot_shift": In(5),
                **({"reduced": In(message_bits + 1)} if reductions else {}),
                "go": In(1),
                "done": Out(1),
                "finished": Out(1),
                "active": Out(1),
                "host": In(HostBus(host_width)),
            }
        )

    def send(self, port: int) -> stream.Interface:
        """The stream that sending port ``port`` sends on."""
        return getattr(self, f"send{port}")

    def receive(self, port: int) -> stream.Interface:
        """The stream that receiving port ``port`` receives from."""
        return getattr(self, f"receive{port}")

    def elaborate(self, platform: object) -> Module:
        m = Module()
        common: dict[str, Any] = {
            "message_low": self.message_low,
            "message_bits": self.message_bits,
            "memory_words": self.memory_words,
            "host_width": self.host_width,
            "reductions": self.reductions,
        }
        receivers = [Receiver(self.width, number=j, readers=self.ports, **common) for j in range(self.ports)]
        senders = [
            Sender(
                self.width,
                number=j,
                banks=self.ports,
                program_entries=self.program_entries,
                barriers=self.barriers,
                combining=self.combining,
                **common,
            )
            for j in range(self.ports)
        ]
        value: Value | int = 0
        for j, (receiver, sender) in enumerate(zip(receivers, senders)):
            m.submodules[f"receiver{j}"], m.submodules[f"sender{j}"] = receiver, sender
            wiring.connect(m, wiring.flipped(self.receive(j)), receiver.stream)
            wiring.connect(m, sender.stream, wiring.flipped(self.send(j)))
            for i, other in enumerate(senders):
                wiring.connect(m, other.read(j), receiver.read(i))
            for part, names in (
                (receiver, ("payload_flits", "slot_shift")),
                (sender, ("lockstep", "payload_flits", "slot_shift", "go")),
            ):
                m.d.comb += [getattr(part, name).eq(getattr(self, name)) for name in names]
                m.d.comb += [
                    getattr(part.host, name).eq(getattr(self.host, name))
                    for name in ("select", "region", "bank", "word", "write", "data")
                ]
            m.d.comb += sender.received.eq(receiver.received)
            if self.reductions:
                m.d.comb += receiver.reduced.eq(self.reduced)
            value = value | sender.host.value

        arrived = Cat(sender.expected == receiver.received for receiver, sender in zip(receivers, senders)).all()
        crossing = Cat(
            stream.valid & stream.ready for j in range(self.ports) for stream in (self.send(j), self.receive(j))
        )
        m.d.comb += [
            self.done.eq(Cat(sender.waits | sender.ended for sender in senders).all() & arrived),
            self.finished.eq(Cat(sender.ended for sender in senders).all() & arrived),
            self.active.eq(crossing.any()),
            self.host.value.eq(value),
        ]
        return m
