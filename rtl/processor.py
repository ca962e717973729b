"""A processor: a message memory and a program that sends and expects messages, on k ports each way."""

from amaranth.hdl import Array, Cat, Module, Signal
from amaranth.lib import data, memory, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.flit import FlitStream
from rtl.host import HostBus, Region
from rtl.parameters import check_integer

__all__ = ["ProgramEntry", "PortStatus", "Processor"]


class ProgramEntry(data.StructLayout):
    """What one port of a processor does in one step.

    Members
    -------
    header : :class:`unsigned(width)`
        The header of the packet to send, route and message id in their places.
    bank : :class:`unsigned(8)`
        The bank of the message memory that holds the message: that of the port at which it arrived.
    send : :class:`unsigned(1)`
        There is a packet to send.
    expect : :class:`unsigned(1)`
        A packet arrives at this port.
    end : :class:`unsigned(1)`
        The program is over; nothing else in this entry counts.
    """

    def __init__(self, width):
        super().__init__({"header": width, "bank": 8, "send": 1, "expect": 1, "end": 1})


class PortStatus(data.StructLayout):
    """What a port does, for whoever asks why a run stands still.

    Members
    -------
    entry : :class:`unsigned(16)`
        The program entry that it is at.
    sending : :class:`unsigned(1)`
        It is in the middle of a packet.
    blocked : :class:`unsigned(1)`
        It offers a flit that the router does not take.
    missing : :class:`unsigned(1)`
        It waits for the message that it is to send.
    ended : :class:`unsigned(1)`
        It is at the end of its program.
    expected : :class:`unsigned(16)`
        Packets that were to arrive so far.
    received : :class:`unsigned(16)`
        Packets that did.
    """

    def __init__(self):
        super().__init__({"entry": 16, "sending": 1, "blocked": 1, "missing": 1, "ended": 1,
                          "expected": 16, "received": 16})


class Processor(wiring.Component):
    """Sends what its program says and keeps what arrives.

    The message memory has a bank for each port; a port writes what it receives into its own bank, and every
    port can send from all banks. A message with id n takes 2^``stride`` words from word n 2^``stride`` on.
    In lockstep a port carries out one entry for each ``go``; in dataflow it goes on by itself, and a packet
    waits until its message has arrived whole.

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

    Members
    -------
    send{j} : :py:`Out(FlitStream(width))`
    receive{j} : :py:`In(FlitStream(width))`
    lockstep : :py:`In(1)`
        Steps are ended by ``go``; otherwise dataflow.
    payload_flits : :py:`In(16)`
        Payload flits of every packet, F, at least 1.
    stride : :py:`In(5)`
        Base-2 logarithm of the words that a message takes.
    go : :py:`In(1)`
        The next step starts (lockstep), or the run does (dataflow).
    done : :py:`Out(1)`
        Everything of this step is sent and has arrived, and the next one is ready to start.
    finished : :py:`Out(1)`
        The same, and the program is over.
    active : :py:`Out(1)`
        A flit is sent or received in this cycle.
    host : :py:`In(HostBus(host_width))`
    """

    def __init__(self, width, *, ports, message_low, message_bits, memory_words, program_entries, host_width):
        self.width = check_integer("width", width, minimum=1)
        self.ports = check_integer("ports of a processor", ports, minimum=1, maximum=255)
        self.message_low = check_integer("message low", message_low, minimum=0)
        self.message_bits = check_integer("message bits", message_bits, minimum=1)
        self.memory_words = check_integer("memory words", memory_words, minimum=2, maximum=1 << 24)
        self.program_entries = check_integer("program entries", program_entries, minimum=2, maximum=1 << 16)
        self.message_slots = min(1 << message_bits, memory_words)
        members = {}
        for j in range(ports):
            members[f"send{j}"] = Out(FlitStream(width))
            members[f"receive{j}"] = In(FlitStream(width))
        super().__init__({
            **members,
            "lockstep": In(1),
            "payload_flits": In(16),
            "stride": In(5),
            "go": In(1),
            "done": Out(1),
            "finished": Out(1),
            "active": Out(1),
            "host": In(HostBus(host_width)),
        })

    def elaborate(self, platform):
        m = Module()
        host = self.host
        self._selected = {}
        for region in Region:
            self._selected[region] = Signal(name=f"host_{region.name.lower()}")
            m.d.comb += self._selected[region].eq(host.select & (host.region == region))

        # Bank by bank: its words, and which messages are in it; bank j is written by port j or by the host.
        banks, held = [], []
        for j in range(self.ports):
            bank = memory.Memory(shape=self.width, depth=self.memory_words, init=[])
            flags = memory.Memory(shape=1, depth=self.message_slots, init=[])
            m.submodules[f"bank{j}"], m.submodules[f"held{j}"] = bank, flags
            banks.append(bank)
            held.append(flags)

        received = [self._receiver(m, j, banks[j], held[j]) for j in range(self.ports)]
        senders = [self._sender(m, j, banks, held, received[j]) for j in range(self.ports)]

        arrived = Signal()
        crossing = Cat(stream.valid & stream.ready for j in range(self.ports)
                       for stream in (getattr(self, f"send{j}"), getattr(self, f"receive{j}")))
        m.d.comb += [
            arrived.eq(Cat(sender.expected == count for sender, count in zip(senders, received)).all()),
            self.done.eq(Cat(sender.waits | sender.ended for sender in senders).all() & arrived),
            self.finished.eq(Cat(sender.ended for sender in senders).all() & arrived),
            self.active.eq(crossing.any()),
        ]

        # What the host reads, a cycle later.
        chosen, bank = Signal(len(Region)), Signal(8)
        m.d.sync += [
            chosen.eq(Cat(self._selected[region] for region in Region)),
            bank.eq(host.bank),
        ]
        with m.If(chosen[Region.PAYLOAD.value]):
            m.d.comb += host.value.eq(_pick(bank, [port.data for port in senders[0].words]))
        with m.If(chosen[Region.STATUS.value]):
            m.d.comb += host.value.eq(_pick(bank, [sender.status.as_value() for sender in senders]))
        return m

    def _message(self, header):
        return header[self.message_low:self.message_low + self.message_bits]

    def _receiver(self, m, j, bank, held):
        """Port j's way in. Returns the number of packets that have arrived."""
        stream = getattr(self, f"receive{j}")
        write, flag = bank.write_port(), held.write_port()
        expect_header = Signal(init=1, name=f"expect_header{j}")
        message = Signal(self.message_bits, name=f"message{j}")
        flit = Signal(16, name=f"flit{j}")
        count = Signal(16, name=f"received{j}")
        m.d.comb += stream.ready.eq(1)
        with m.If(stream.valid):
            m.d.sync += expect_header.eq(stream.payload.last)
            with m.If(stream.payload.last):
                m.d.sync += count.eq(count + 1)
            with m.If(expect_header):
                m.d.sync += [
                    message.eq(self._message(stream.payload.data)),
                    flit.eq(0),
                ]
            with m.Else():
                m.d.sync += flit.eq(flit + 1)

        in_host = self._selected[Region.PAYLOAD] & (self.host.bank == j) & self.host.write
        in_host_held = self._selected[Region.HELD] & (self.host.bank == j) & self.host.write
        with m.If(in_host):
            m.d.comb += [
                write.addr.eq(self.host.word),
                write.data.eq(self.host.data),
                write.en.eq(1),
            ]
        with m.Else():
            # A packet that is longer than it may be does not run over into the next message.
            m.d.comb += [
                write.addr.eq((message << self.stride) + flit),
                write.data.eq(stream.payload.data),
                write.en.eq(stream.valid & ~expect_header & (flit < self.payload_flits)),
            ]
        with m.If(in_host_held):
            m.d.comb += [
                flag.addr.eq(self.host.word),
                flag.data.eq(self.host.data),
                flag.en.eq(1),
            ]
        with m.Else():
            m.d.comb += [
                flag.addr.eq(message),
                flag.data.eq(1),
                flag.en.eq(stream.valid & stream.payload.last & ~expect_header),
            ]
        return count

    def _sender(self, m, j, banks, held, received):
        """Port j's way out: its program, and the state that the processor sums up."""
        stream = getattr(self, f"send{j}")
        m.submodules[f"program{j}"] = program = memory.Memory(
            shape=ProgramEntry(self.width), depth=self.program_entries, init=[])
        write, read = program.write_port(), program.read_port()
        in_host = self._selected[Region.PROGRAM] & (self.host.bank == j) & self.host.write
        m.d.comb += [
            write.addr.eq(self.host.word),
            write.data.eq(self.host.data),
            write.en.eq(in_host),
        ]

        words = [bank.read_port() for bank in banks]
        flags = [flags.read_port() for flags in held]
        index = Signal(ceil_log2(self.program_entries), name=f"index{j}")
        entry = read.data
        message = self._message(entry.header)
        expected = Signal(16, name=f"expected{j}")
        permitted = Signal(name=f"permitted{j}")
        flit = Signal(16, name=f"sent{j}")
        next_flit = Signal(16, name=f"next_flit{j}")
        started, ended, waits, missing, fresh, sending = (
            Signal(name=f"{name}{j}") for name in ("started", "ended", "waits", "missing", "fresh", "sending"))

        # The entry is read again and again: `fresh` says that it is the one at `index`, and that the flag of
        # its message is that of now or of a cycle ago.
        fetched = Signal(2, name=f"fetched{j}")
        m.d.comb += [
            read.addr.eq(index),
            fresh.eq(fetched[1]),
            missing.eq(~self.lockstep & entry.send & ~_pick(entry.bank, [flag.data for flag in flags])),
            ended.eq(fresh & entry.end),
            started.eq((self.go | permitted) & fresh & ~entry.end & ~missing),
            waits.eq(fresh & ~permitted & ~sending & self.lockstep),
        ]
        for flag in flags:
            m.d.comb += flag.addr.eq(message)
        m.d.sync += fetched.eq(Cat(1, fetched[0]))

        # Once the run has started, a port in dataflow needs no further permission.
        with m.If(self.go):
            m.d.sync += permitted.eq(1)

        advance = Signal(name=f"advance{j}")
        with m.If(sending):
            m.d.comb += [
                stream.valid.eq(1),
                stream.payload.data.eq(_pick(entry.bank, [port.data for port in words])),
                stream.payload.last.eq(flit == self.payload_flits - 1),
                next_flit.eq(flit + stream.ready),
            ]
            with m.If(stream.ready):
                m.d.sync += flit.eq(next_flit)
                with m.If(stream.payload.last):
                    m.d.comb += advance.eq(1)
                    m.d.sync += sending.eq(0)
        with m.Elif(started):
            with m.If(entry.send):
                m.d.comb += [
                    stream.valid.eq(1),
                    stream.payload.data.eq(entry.header),
                ]
                with m.If(stream.ready):
                    m.d.sync += [
                        sending.eq(1),
                        flit.eq(0),
                        expected.eq(expected + entry.expect),
                    ]
            with m.Else():
                m.d.comb += advance.eq(1)
                m.d.sync += expected.eq(expected + entry.expect)
        with m.If(advance):
            m.d.sync += [
                index.eq(index + 1),
                fetched.eq(0),
                permitted.eq(~self.lockstep),
            ]

        for number, port in enumerate(words):
            m.d.comb += [
                port.addr.eq((message << self.stride) + next_flit),
                port.en.eq(entry.bank == number),
            ]
            if j == 0:
                with m.If(self._selected[Region.PAYLOAD]):
                    m.d.comb += [
                        port.addr.eq(self.host.word),
                        port.en.eq(1),
                    ]

        status = Signal(PortStatus(), name=f"status{j}")
        m.d.comb += [
            status.entry.eq(index),
            status.sending.eq(sending),
            status.blocked.eq(stream.valid & ~stream.ready),
            status.missing.eq(fresh & ~entry.end & missing),
            status.ended.eq(ended),
            status.expected.eq(expected),
            status.received.eq(received),
        ]
        return _Sender(expected, waits, ended, words, status)


class _Sender:
    def __init__(self, expected, waits, ended, words, status):
        self.expected, self.waits, self.ended, self.words, self.status = expected, waits, ended, words, status


def _pick(index, values):
    return values[0] if len(values) == 1 else Array(values)[index]
