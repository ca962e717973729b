"""The common base of all processors: ports in each direction, a message memory with a bank for each, and the host bus."""

from collections.abc import Mapping, Sequence
from typing import Any

from amaranth.hdl import Cat, Module, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.endpoint.host import HostBus
from fatcube.rtl.endpoint.lengths import settings_of_parts
from fatcube.rtl.endpoint.receiver import Receiver
from fatcube.rtl.endpoint.sender import Sender
from fatcube.rtl.flit import FlitStream

__all__ = ["ProcessorBase"]


class ProcessorBase(wiring.Component):
    """Receiving and sending ports side by side; the subclass determines the messages that a port sends.

    Parameters
    ----------
    width, ports, message_low, message_bits, memory_words, host_width
        See :class:`~fatcube.rtl.endpoint.processor.Processor`; the subclass checks any stricter limits.
    parted : :class:`bool`
        See :class:`~fatcube.rtl.endpoint.processor.Processor`.
    further : mapping
        Members that the subclass adds.

    Members
    -------
    send{j}, receive{j}, lockstep, payload_flits, slot_shift, last_flits, last_from, last_to, go, done, finished, active, host
        See :class:`~fatcube.rtl.endpoint.processor.Processor`.
    """

    lockstep: Signal
    payload_flits: Signal
    slot_shift: Signal
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
        host_width: int,
        parted: bool,
        further: Mapping[str, Any],
    ) -> None:
        self.width = check_integer("width", width, minimum=1)
        self.ports = check_integer("ports of a processor", ports, minimum=1, maximum=255)
        self.message_low = check_integer("message low", message_low, minimum=0)
        self.message_bits = check_integer("message bits", message_bits, minimum=1)
        self.memory_words = check_integer("memory words", memory_words, minimum=2, maximum=1 << 24)
        self.host_width = check_integer("host width", host_width, minimum=1)
        self.parted = parted
        self._of_parts = settings_of_parts(message_bits) if parted else {}
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
                **{name: In(bits) for name, bits in self._of_parts.items()},
                **further,
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

    @property
    def _common(self) -> dict[str, Any]:
        """The parameters that receivers and senders share."""
        return {
            "message_low": self.message_low,
            "message_bits": self.message_bits,
            "memory_words": self.memory_words,
            "host_width": self.host_width,
            "parted": self.parted,
        }

    def _connect(
        self, m: Module, receivers: Sequence[Receiver], senders: Sequence[Sender]
    ) -> tuple[Value | int, Value]:
        """Place the ports and connect them to streams, banks and host; return the host's word, and whether a flit crosses."""
        value: Value | int = 0
        for j, (receiver, sender) in enumerate(zip(receivers, senders)):
            m.submodules[f"receiver{j}"], m.submodules[f"sender{j}"] = receiver, sender
            wiring.connect(m, wiring.flipped(self.receive(j)), receiver.stream)
            wiring.connect(m, sender.stream, wiring.flipped(self.send(j)))
            for i, other in enumerate(senders):
                wiring.connect(m, other.read(j), receiver.read(i))
            # Each part has some of the settings.
            for part, names in (
                (receiver, ("payload_flits", "slot_shift", *self._of_parts)),
                (sender, ("lockstep", "payload_flits", "slot_shift", *self._of_parts, "go")),
            ):
                m.d.comb += [getattr(part, name).eq(getattr(self, name)) for name in names]
                m.d.comb += [
                    getattr(part.host, name).eq(getattr(self.host, name))
                    for name in ("select", "region", "bank", "word", "write", "data")
                ]
            m.d.comb += sender.received.eq(receiver.received)
            value = value | sender.host.value
        crossing = Cat(
            stream.valid & stream.ready for j in range(self.ports) for stream in (self.send(j), self.receive(j))
        )
        return value, crossing.any()
