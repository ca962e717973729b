"""The ports of a network in groups: the streams of its processors' ports, and the clock and the reset of each."""

from collections.abc import Mapping
import dataclasses
from typing import Any

from fatcube.rtl.protocols import protocol_of
from fatcube.rtl.protocols.protocol import Role

__all__ = ["Clock", "Stream", "clocks_of", "endpoints_of", "streams_of"]


@dataclasses.dataclass(frozen=True)
class Stream:
    """A stream of a network.

    Members
    -------
    name : :class:`str`
        The beginning of the names of its ports: ``s_axis_0``.
    endpoint : :class:`int`
        The port of a processor that has it.
    enters : :class:`bool`
        Whether it leads into the network.
    ports : mapping of :class:`Role` to :class:`str`
        Its ports by role, in their order.
    """

    name: str
    endpoint: int
    enters: bool
    ports: Mapping[Role, str]


@dataclasses.dataclass(frozen=True)
class Clock:
    """A clock input of a network, and what goes with it.

    Members
    -------
    port : :class:`str`
    reset : :class:`str`
        The port of the synchronous reset in this clock.
    active_low : :class:`bool`
        Whether that reset holds at 0.
    streams : tuple of :class:`Stream`
        The streams in this clock.
    """

    port: str
    reset: str
    active_low: bool
    streams: tuple[Stream, ...]


def endpoints_of(about: Mapping[str, Any]) -> int:
    """The number of ports of all processors of a described network."""
    return len(about["processors"]) * about["ports_per_processor"]


def streams_of(about: Mapping[str, Any]) -> list[Stream]:
    """The streams of a described network, into it and out of it at each port of a processor."""
    protocol, there = protocol_of(about), {port["name"] for port in about["ports"]}
    return [
        Stream(
            name,
            endpoint,
            enters,
            {role: port for role, port in protocol.at(endpoint).ports(name).items() if port in there},
        )
        for endpoint in range(endpoints_of(about))
        for name, enters in zip(protocol.streams_of(endpoint, about["ports_per_processor"]), (True, False))
    ]


def clocks_of(about: Mapping[str, Any]) -> list[Clock]:
    """The clocks of a described network; the first is that of its routers."""
    protocol, there = protocol_of(about), {port["name"] for port in about["ports"]}
    of_network = protocol.clock, protocol.reset
    found: dict[tuple[str, str], list[Stream]] = {of_network: []}
    for stream in streams_of(about):
        own = protocol.own_clock(stream.endpoint)
        found.setdefault(own if own[0] in there else of_network, []).append(stream)
    return [Clock(*names, protocol.reset_level == 0, tuple(streams)) for names, streams in found.items()]
