"""Bare flits at a processor's port: packets with headers, as routers move them."""

from collections.abc import Mapping

from fatcube.rtl.protocols.protocol import Protocol, Role, StreamSignal

__all__ = ["FLITS", "flit_bits"]


FLITS = Protocol(
    name="flits",
    signals=(
        StreamSignal(Role.PAYLOAD, "payload", "a flit"),
        StreamSignal(Role.VALID, "valid", "there is a flit"),
        StreamSignal(Role.READY, "ready", "ready for a flit"),
    ),
    streams=("processor{processor}_send{port}", "processor{processor}_receive{port}"),
    streams_by_name=("{endpoint}_send", "{endpoint}_receive"),
)
"""The streams of :func:`fatcube.rtl.flit.FlitStream`."""


def flit_bits(width: int) -> Mapping[Role, int]:
    """The bits of the signals of a stream of flits of ``width`` bits."""
    return {Role.PAYLOAD: width + 1}
