"""A receiving port of a processor, with the bank of the message memory into which it writes."""

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import memory, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.rtl.endpoint.host import HostBus, Region
from fatcube.rtl.endpoint.lengths import flits_of, settings_of_parts
from fatcube.rtl.endpoint.program import ARRIVAL_BITS
from fatcube.rtl.flit import FlitStream

__all__ = ["BankRead", "Receiver"]


class BankRead(wiring.Signature):
    """The bus over which a sending port reads a bank; the word read is there in the next cycle.

    Members
    -------
    address : :py:`Out(ceil_log2(memory_words))`
        The word to read.
    enable : :py:`Out(1)`
        The word is read; otherwise ``word`` does not change.
    slot : :py:`Out(message_bits)`
        The message whose arrival is queried.
    word : :py:`In(width)`
    arrived : :py:`In(arrival_bits)`
        The message of ``slot`` is in this bank; with reductions, the number of arrivals for it.
    """

    def __init__(self, width: int, *, memory_words: int, message_bits: int, arrival_bits: int = 1) -> None:
        super().__init__(
            {
                "address": Out(ceil_log2(memory_words)),
                "enable": Out(1),
                "slot": Out(message_bits),
                "word": In(width),
                "arrived": In(arrival_bits),
            }
        )


class Receiver(wiring.Component):
    """Stores the messages that arrive in its bank.

    A message with id n takes 2^``slot_shift`` words from word n 2^``slot_shift`` on. With reductions, ids below
    ``reduced`` are partial sums: the first that arrives is stored, and every further one is added to it, word
    by word as its flits arrive, modulo 2^W. If a packet continues after the payload of a message, the next flit is
    another header, of which only the message id is used, and another payload follows.

    Parameters
    ----------
    number : :class:`int`
        The number of the port and its bank.
    readers : :class:`int`
        Sending ports that read the bank, independently of each other.
    width, message_low, message_bits, memory_words, host_width, reductions, parted
        See :class:`Processor`.

    Members
    -------
    stream : :py:`In(FlitStream(width))`
    payload_flits : :py:`In(16)`
    slot_shift : :py:`In(5)`
    reduced : :py:`In(message_bits + 1)`
        With reductions only.
    last_flits, last_from, last_to
        See :class:`Processor`.
    received : :py:`Out(16)`
        Packets that have arrived.
    read{i} : :py:`In(BankRead(width))`
    host : :py:`In(HostBus(host_width))`
        Writes words and arrivals of messages; reads are ignored.
    """

    stream: stream.Interface
    payload_flits: Signal
    slot_shift: Signal
    reduced: Signal
    last_flits: Signal
    last_from: Signal
    last_to: Signal
    received: Signal
    host: wiring.PureInterface

    def __init__(
        self,
        width: int,
        *,
        number: int,
        readers: int,
        message_low: int,
        message_bits: int,
        memory_words: int,
        host_width: int,
        reductions: bool = False,
        parted: bool = False,
    ) -> None:
        self.width = width
        self.number = number
        self.readers = readers
        self.message = slice(message_low, message_low + message_bits)
        self.message_bits = message_bits
        self.memory_words = memory_words
        self.reductions = reductions
        self.parted = parted
        self.arrival_bits = ARRIVAL_BITS if reductions else 1
        reader = BankRead(width, memory_words=memory_words, message_bits=message_bits, arrival_bits=self.arrival_bits)
        super().__init__(
            {
                "stream": In(FlitStream(width)),
                "payload_flits": In(16),
                "slot_shift": In(5),
                **({"reduced": In(message_bits + 1)} if reductions else {}),
                **({name: In(bits) for name, bits in settings_of_parts(message_bits).items()} if parted else {}),
                "received": Out(16),
                **{f"read{i}": In(reader) for i in range(readers)},
                "host": In(HostBus(host_width)),
            }
        )

    def read(self, reader: int) -> wiring.PureInterface:
        """The bus of sending port ``reader``."""
        return getattr(self, f"read{reader}")

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.bank = bank = memory.Memory(shape=self.width, depth=self.memory_words, init=[])
        m.submodules.held = held = memory.Memory(
            shape=self.arrival_bits, depth=min(1 << self.message_bits, self.memory_words), init=[]
        )
        write, flag = bank.write_port(), held.write_port()

        stream = self.stream
        expect_header = Signal(init=1)
        message = Signal(self.message_bits)
        flit = Signal(16)
        ends = Signal()
        last = (self.last_flits, self.last_from, self.last_to) if self.parted else None
        m.d.comb += [
            stream.ready.eq(1),
            ends.eq(stream.payload.last | (~expect_header & (flit == flits_of(message, self.payload_flits, last) - 1))),
        ]
        with m.If(stream.valid):
            m.d.sync += expect_header.eq(ends)
            with m.If(stream.payload.last):
                m.d.sync += self.received.eq(self.received + 1)
            with m.If(expect_header):
                m.d.sync += [
                    message.eq(stream.payload.data[self.message]),
                    flit.eq(0),
                ]
            with m.Else():
                m.d.sync += flit.eq(flit + 1)

        word, arrivals = stream.payload.data, 1
        if self.reductions:
            word, arrivals = self._add(m, bank, held, expect_header, message, flit)

        written = self.host.select & self.host.write & (self.host.bank == self.number)
        with m.If(written & (self.host.region == Region.PAYLOAD)):
            m.d.comb += [
                write.addr.eq(self.host.word),
                write.data.eq(self.host.data),
                write.en.eq(1),
            ]
        with m.Else():
            m.d.comb += [
                write.addr.eq((message << self.slot_shift) + flit),
                write.data.eq(word),
                write.en.eq(stream.valid & ~expect_header),
            ]
        with m.If(written & (self.host.region == Region.HELD)):
            m.d.comb += [
                flag.addr.eq(self.host.word),
                flag.data.eq(self.host.data),
                flag.en.eq(1),
            ]
        with m.Else():
            m.d.comb += [
                flag.addr.eq(message),
                flag.data.eq(arrivals),
                flag.en.eq(stream.valid & ends & ~expect_header),
            ]

        for i in range(self.readers):
            reader = self.read(i)
            words, flags = bank.read_port(), held.read_port()
            m.d.comb += [
                words.addr.eq(reader.address),
                words.en.eq(reader.enable),
                reader.word.eq(words.data),
                flags.addr.eq(reader.slot),
                reader.arrived.eq(flags.data),
            ]
        return m

    def _add(
        self,
        m: Module,
        bank: memory.Memory,
        held: memory.Memory,
        expect_header: Signal,
        message: Signal,
        flit: Signal,
    ) -> tuple[Value, Value]:
        """The word to write and the count of arrivals with it, where both depend on the stored ones.

        The stored word is read one cycle ahead, so that an addition takes no longer than storing: the first word of
        the slot while the header arrives, and the next word while a word arrives.
        """
        stream = self.stream
        words, counts = bank.read_port(), held.read_port()
        next_message = Signal.like(message)
        next_flit = Signal.like(flit)
        m.d.comb += [
            next_message.eq(message),
            next_flit.eq(flit),
            words.addr.eq((next_message << self.slot_shift) + next_flit),
            counts.addr.eq(next_message),
        ]
        with m.If(stream.valid):
            with m.If(expect_header):
                m.d.comb += [
                    next_message.eq(stream.payload.data[self.message]),
                    next_flit.eq(0),
                ]
            with m.Else():
                m.d.comb += next_flit.eq(flit + 1)
        reduced = message < self.reduced
        word = stream.payload.data + Mux(reduced & counts.data.any(), words.data, 0)
        return word[: self.width], Mux(reduced, counts.data + 1, 1)
