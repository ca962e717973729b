"""A sending port of a processor, with its program."""

from collections.abc import Sequence
from typing import Any

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import data, memory, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.rtl.endpoint.banks import combined, pick_bank, read_for_host, total
from fatcube.rtl.endpoint.host import HostBus, Region
from fatcube.rtl.endpoint.lengths import flits_of, settings_of_parts
from fatcube.rtl.endpoint.program import ARRIVAL_BITS, PortStatus, ProgramEntry
from fatcube.rtl.endpoint.receiver import BankRead
from fatcube.rtl.flit import FlitStream

__all__ = ["Sender"]


class Sender(wiring.Component):
    """Carries out its program: one entry per ``go`` in lockstep, one after the other in dataflow.

    In dataflow it waits for another ``go`` after entries with ``sync``. Entries with ``more`` put several messages
    into one packet, without a pause between them if they have two flits of payload or more.

    Parameters
    ----------
    number : :class:`int`
        The number of the port. The host reads the message memory through port 0.
    banks : :class:`int`
        Banks of the message memory.
    program_entries : :class:`int`
        Entries in the program; 0 for no program, in which case other logic computes the entries.
    width, message_low, message_bits, memory_words, host_width, reductions, barriers, combining, parted
        See :class:`Processor`.

    Members
    -------
    stream : :py:`Out(FlitStream(width))`
    lockstep, payload_flits, slot_shift, last_flits, last_from, last_to, go
        See :class:`Processor`.
    received : :py:`In(16)`
        Packets that have arrived at the receiving port of this number, for the status.
    expected : :py:`Out(16)`
        Packets that should have arrived there so far.
    waits : :py:`Out(1)`
        The port waits for ``go``: all earlier entries have been sent, and the next entry is ready.
    ended : :py:`Out(1)`
        The program is over.
    read{b} : :py:`Out(BankRead(width))`
        To bank b.
    host : :py:`In(HostBus(host_width))`
        Writes the program; reads the status and, through port 0, the message memory.
    entry : :py:`In(ProgramEntry(width))`
        Without a program: the entry that ``go`` starts. It must not change while its header waits to leave.
    took : :py:`Out(1)`
        Without a program: the header of ``entry`` leaves in this cycle.
    """

    stream: stream.Interface
    lockstep: Signal
    payload_flits: Signal
    slot_shift: Signal
    last_flits: Signal
    last_from: Signal
    last_to: Signal
    go: Signal
    received: Signal
    expected: Signal
    waits: Signal
    ended: Signal
    host: wiring.PureInterface
    entry: data.View
    took: Signal

    def __init__(
        self,
        width: int,
        *,
        number: int,
        banks: int,
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
        self.width = width
        self.number = number
        self.banks = banks
        self.message = slice(message_low, message_low + message_bits)
        self.message_bits = message_bits
        self.program_entries = program_entries
        self.reductions = reductions
        self.barriers = barriers
        self.combining = combining
        self.parted = parted
        read = BankRead(
            width, memory_words=memory_words, message_bits=message_bits, arrival_bits=ARRIVAL_BITS if reductions else 1
        )
        super().__init__(
            {
                "stream": Out(FlitStream(width)),
                "lockstep": In(1),
                "payload_flits": In(16),
                "slot_shift": In(5),
                **({name: In(bits) for name, bits in settings_of_parts(message_bits).items()} if parted else {}),
                "go": In(1),
                "received": In(16),
                "expected": Out(16),
                "waits": Out(1),
                "ended": Out(1),
                **{f"read{b}": Out(read) for b in range(banks)},
                "host": In(HostBus(host_width)),
                **({} if program_entries else {"entry": In(ProgramEntry(width)), "took": Out(1)}),
            }
        )

    def read(self, bank: int) -> wiring.PureInterface:
        """The bus to ``bank``."""
        return getattr(self, f"read{bank}")

    def elaborate(self, platform: object) -> Module:
        m = Module()
        stream = self.stream
        reads = [self.read(b) for b in range(self.banks)]
        index = Signal(ceil_log2(max(2, self.program_entries)))
        entry, address = self._entries(m)
        # While a message is sent the next entry may be fetched already, so the fields of the current one are kept.
        sent = Signal(data.StructLayout({"slot": self.message_bits, "bank": 8, "combine": 1, "more": 1}))
        now = Signal.like(sent)
        arrived, missing, fresh, started, permitted, sending, advance = (
            Signal(name=name) for name in ("arrived", "missing", "fresh", "started", "permitted", "sending", "advance")
        )
        word = Signal(self.width)
        flit = Signal(16)
        next_flit = Signal(16)
        m.d.comb += [
            now.slot.eq(entry.source if self.reductions else entry.header[self.message]),
            now.bank.eq(entry.bank),
            now.combine.eq(entry.combine if self.reductions else 0),
            now.more.eq(entry.more),
            arrived.eq(pick_bank(now.bank, [bank.arrived for bank in reads]).any()),
            word.eq(pick_bank(now.bank, [bank.word for bank in reads])),
        ]
        with m.If(sending):
            m.d.comb += now.eq(sent)
        m.d.sync += sent.eq(now)
        if self.reductions:
            with m.If(now.combine):
                m.d.comb += [
                    arrived.eq(total([bank.arrived for bank in reads]) >= entry.need),
                    word.eq(combined(reads)),
                ]

        # The entry is read in every cycle: `fresh` says that it is the one at `index`, and that the arrivals of its
        # message are those of this cycle or of the one before.
        fetched = Signal(2)
        m.d.comb += [
            address.eq(index),
            fresh.eq(fetched[1]),
            missing.eq(~self.lockstep & (entry.send | entry.more if self.combining else entry.send) & ~arrived),
            started.eq((self.go | permitted) & fresh & ~entry.end & ~missing),
            self.ended.eq(fresh & entry.end),
            self.waits.eq(fresh & ~permitted & ~sending),
        ]
        m.d.sync += fetched.eq(Cat(1, fetched[0]))

        # In lockstep `go` permits one entry; in dataflow all, up to the next barrier.
        with m.If(self.go):
            m.d.sync += permitted.eq(1)

        last = (self.last_flits, self.last_from, self.last_to) if self.parted else None
        ends = flit == flits_of(now.slot, self.payload_flits, last) - 1
        with m.FSM():
            with m.State("HEADER"):
                with m.If(started & entry.send):
                    m.d.comb += [
                        stream.valid.eq(1),
                        stream.payload.data.eq(entry.header),
                    ]
                    with m.If(stream.ready):
                        m.d.sync += [
                            flit.eq(0),
                            self.expected.eq(self.expected + entry.expect),
                        ]
                        with m.If(entry.more):
                            m.d.sync += [
                                index.eq(index + 1),
                                fetched.eq(0),
                            ]
                        m.next = "PAYLOAD"
                with m.Elif(started):
                    m.d.comb += advance.eq(1)
                    m.d.sync += self.expected.eq(self.expected + entry.expect)
            with m.State("PAYLOAD"):
                m.d.comb += [
                    sending.eq(1),
                    stream.valid.eq(1),
                    stream.payload.data.eq(word),
                    stream.payload.last.eq(ends & ~now.more),
                    next_flit.eq(flit + stream.ready),
                ]
                with m.If(stream.ready):
                    m.d.sync += flit.eq(next_flit)
                    with m.If(ends):
                        m.d.comb += advance.eq(~now.more)
                        if self.combining:
                            # The arrivals that were read are those of the message that has been sent.
                            with m.If(~self.lockstep):
                                m.d.sync += fetched.eq(1)
                        m.next = "HEADER"
        with m.If(advance):
            m.d.sync += [
                index.eq(index + 1),
                fetched.eq(0),
                permitted.eq(~(self.lockstep | entry.sync) if self.barriers else ~self.lockstep),
            ]

        for number, bank in enumerate(reads):
            m.d.comb += [
                bank.slot.eq(now.slot),
                bank.address.eq((now.slot << self.slot_shift) + next_flit),
                bank.enable.eq(now.bank == number),
            ]
            if self.reductions:
                with m.If(now.combine):
                    m.d.comb += bank.enable.eq(1)

        status = Signal(PortStatus())
        m.d.comb += [
            status.entry.eq(index),
            status.sending.eq(sending),
            status.blocked.eq(stream.valid & ~stream.ready),
            status.missing.eq(fresh & permitted & ~entry.end & missing),
            status.ended.eq(self.ended),
            status.expected.eq(self.expected),
            status.received.eq(self.received),
        ]
        self._give_to_host(m, status, reads, sending)
        return m

    def _give_to_host(
        self, m: Module, status: data.View, reads: Sequence[wiring.PureInterface], sending: Signal
    ) -> None:
        """Let the host read the status, and through port 0 the banks; without a program, also drive ``took``."""
        host = self.host
        if not self.program_entries:
            m.d.comb += [
                self.took.eq(~sending & self.stream.valid & self.stream.ready),
                # The number of packets that will arrive is not known here.
                status.expected.eq(self.received),
            ]
        asked = Signal()
        m.d.sync += asked.eq(host.select & (host.region == Region.STATUS) & (host.bank == self.number))
        with m.If(asked):
            m.d.comb += host.value.eq(status)
        if self.number == 0:
            read_for_host(m, host, reads, self.slot_shift, reductions=self.reductions)

    def _entries(self, m: Module) -> tuple[Any, Signal]:
        """The current entry, and the address from which a memory that the host writes reads it in every cycle.

        Without a program the address is not connected.
        """
        host = self.host
        if not self.program_entries:
            return self.entry, Signal()
        m.submodules.program = program = memory.Memory(
            shape=ProgramEntry(self.width, reductions=self.reductions, barriers=self.barriers),
            depth=self.program_entries,
            init=[],
        )
        write, read = program.write_port(), program.read_port()
        m.d.comb += [
            write.addr.eq(host.word),
            write.data.eq(host.data),
            write.en.eq(host.select & host.write & (host.region == Region.PROGRAM) & (host.bank == self.number)),
        ]
        return read.data, read.addr
