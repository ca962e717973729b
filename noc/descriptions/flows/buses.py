"""The ports of a network in groups: its AXI4-Streams, and the clock and the reset of each."""

from collections.abc import Mapping
import dataclasses
import re
from typing import Any

__all__ = ["Clock", "Stream", "clocks_of", "streams_of"]


@dataclasses.dataclass(frozen=True)
class Stream:
    """An AXI4-Stream of a network.

    Members
    -------
    name : :class:`str`
        What the names of its ports begin with: ``s_axis_0``.
    enters : :class:`bool`
        Whether it leads into the network.
    ports : mapping of :class:`str` to :class:`str`
        Its ports by the names of its signals in the standard (AMBA AXI-Stream, IHI 0051B, section 2.1): ``TDATA``.
    """

    name: str
    enters: bool
    ports: Mapping[str, str]


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
    streams : tuple of :class:`str`
        The streams in this clock.
    """

    port: str
    reset: str
    active_low: bool
    streams: tuple[str, ...]


def streams_of(about: Mapping[str, Any]) -> list[Stream]:
    """The AXI4-Streams of a described network; none of one with ports of flits."""
    found: dict[str, dict[str, str]] = {}
    for port in about["ports"]:
        if matched := re.fullmatch(r"([sm]_axis_\d+)_(t[a-z]+)", port["name"]):
            found.setdefault(matched[1], {})[matched[2].upper()] = port["name"]
    return [Stream(name, name.startswith("s"), ports) for name, ports in found.items()]


def clocks_of(about: Mapping[str, Any]) -> list[Clock]:
    """The clocks of a described network; the first is that of its routers."""
    ports = [port["name"] for port in about["ports"]]
    if "aclk" not in ports:
        return [Clock("clk", "rst", False, ())]
    own = {name: _clock_of(name, ports) for name in (stream.name for stream in streams_of(about))}
    clocks = ["aclk", *(name for name in ports if re.fullmatch(r"axis_\d+_aclk", name))]
    return [
        Clock(
            clock,
            clock.removesuffix("aclk") + "aresetn",
            True,
            tuple(stream for stream, of in own.items() if of == clock),
        )
        for clock in clocks
    ]


def _clock_of(stream: str, ports: list[str]) -> str:
    """The clock of a stream: that of its port, where ports have clocks of their own."""
    own = f"{stream[2:]}_aclk"
    return own if own in ports else "aclk"
