"""A processor: a message memory and a program that sends and expects messages, on k ports in each direction."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib.wiring import In

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.endpoint.processor_base import ProcessorBase
from fatcube.rtl.endpoint.program import PortStatus, ProgramEntry
from fatcube.rtl.endpoint.receiver import Receiver
from fatcube.rtl.endpoint.sender import Sender

__all__ = ["Processor"]


class Processor(ProcessorBase):
    """Sends the messages that its program names and stores those that arrive.

    The message memory has a bank for each port; a port writes the messages that it receives into its own bank, and
    every port can send from all banks. A message with id n takes 2^``slot_shift`` words from word n 2^``slot_shift``
    on. In lockstep a port carries out one entry per ``go``; in dataflow it proceeds by itself, and a packet waits
    until the whole of its message has arrived. With barriers a program can make a port wait for ``go`` in dataflow
    too, where packets that the router copies must not meet others: see :func:`fatcube.sim.collectives.plan.compile_schedule`.

    With reductions the memory adds: see :class:`Receiver` for arrivals, :class:`ProgramEntry` for sends. The sums over
    all banks that are sent, and that the host reads as bank 255, are computed in :class:`Sender`.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit and of a word, W.
    ports : :class:`int`
        Sending ports, and receiving ports, k.
    message_low, message_bits : :class:`int`
        The position of the message id in a header.
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
    parted : :class:`bool`
        Messages may be the parts of a divided message, the last of which is shorter than the others.

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
    last_flits : :py:`In(16)`
        Payload flits of the messages with ids from ``last_from`` to ``last_to`` - 1, at least 1. With ``parted`` only.
    last_from, last_to : :py:`In(message_bits + 1)`
        With ``parted`` only.
    go : :py:`In(1)`
        Starts the next step (lockstep), or starts the run and continues it after each barrier (dataflow).
    done : :py:`Out(1)`
        Everything of this step, or up to this barrier, is sent and has arrived, and the next entries are ready
        to start.
    finished : :py:`Out(1)`
        Everything is sent and has arrived, and the program is over.
    active : :py:`Out(1)`
        A flit is sent or received in this cycle.
    host : :py:`In(HostBus(host_width))`
    """

    reduced: Signal

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
        parted: bool = False,
    ) -> None:
        super().__init__(
            width,
            ports=ports,
            message_low=message_low,
            message_bits=message_bits,
            memory_words=memory_words,
            host_width=host_width,
            parted=parted,
            further={"reduced": In(message_bits + 1)} if reductions else {},
        )
        self.program_entries = check_integer("program entries", program_entries, minimum=2, maximum=1 << 16)
        check_integer(
            "host width",
            host_width,
            minimum=max(ProgramEntry(width, reductions=reductions, barriers=barriers).size, PortStatus().size),
        )
        self.reductions = reductions
        self.barriers = barriers
        self.combining = combining

    def elaborate(self, platform: object) -> Module:
        m = Module()
        receivers = [
            Receiver(self.width, number=j, readers=self.ports, reductions=self.reductions, **self._common)
            for j in range(self.ports)
        ]
        senders = [
            Sender(
                self.width,
                number=j,
                banks=self.ports,
                program_entries=self.program_entries,
                barriers=self.barriers,
                combining=self.combining,
                reductions=self.reductions,
                **self._common,
            )
            for j in range(self.ports)
        ]
        value, active = self._connect(m, receivers, senders)
        if self.reductions:
            m.d.comb += [receiver.reduced.eq(self.reduced) for receiver in receivers]
        arrived = Cat(sender.expected == receiver.received for receiver, sender in zip(receivers, senders)).all()
        m.d.comb += [
            self.done.eq(Cat(sender.waits | sender.ended for sender in senders).all() & arrived),
            self.finished.eq(Cat(sender.ended for sender in senders).all() & arrived),
            self.active.eq(active),
            self.host.value.eq(value),
        ]
        return m
