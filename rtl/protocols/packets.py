"""Words of packets as Amaranth streams: the ports of a network in an Amaranth design, where users choose no names."""

from fatcube.rtl.protocols.protocol import Protocol, Role, StreamSignal

__all__ = ["PACKETS"]


PACKETS = Protocol(
    name="packets",
    signals=(
        StreamSignal(Role.DATA, "data"),
        StreamSignal(Role.LAST, "last"),
        StreamSignal(Role.KEEP, "keep"),
        StreamSignal(Role.USER, "user"),
        StreamSignal(Role.DESTINATION, "destination"),
        StreamSignal(Role.SOURCE, "source"),
        StreamSignal(Role.VALID, "valid"),
        StreamSignal(Role.READY, "ready"),
    ),
    streams=("send_{endpoint}", "receive_{endpoint}"),
)
"""The streams of :class:`fatcube.noc.embedded.PacketNetwork`, whose bits are those of the AXI4-Streams behind them."""
