"""The rows of the benchmarks: what is measured of a router, a command, a build and of traffic."""

from collections.abc import Iterable, Mapping, Sequence
import dataclasses
from typing import Any

from fatcube.studies.figures import Figures

__all__ = ["KINDS", "Build", "Command", "RouterRow", "Scheduling", "TrafficRow", "read_results"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class RouterRow(Figures):
    """A router of 32 bits with buffers of two flits.

    Members
    -------
    ports : :class:`int`
        Inputs and outputs.
    turns, arbiter : :class:`str`
        As in :class:`~fatcube.rtl.router_options.RouterOptions`.
    lut4, ff, comb_equivalents : :class:`int`
        As in :class:`~fatcube.synth.area.Area`.
    fmax_mhz, fmax_wide_mhz : :class:`float` or ``None``
        The median of the placements, without and with wide LUTs; ``None`` if it was not placed so.
    cycles_per_hop : :class:`int`
    seeds_mhz : list of pairs or ``None``
        A seed and its frequency, MHz.
    published_comb_equivalents, published_mhz : :class:`int`
        The smallest and the fastest published router of as many ports.
    crossbar_comb_per_crosspoint_bit : :class:`float`
        COMB equivalents of the full crossbar alone by a b W.
    commands : list of :class:`str`
        The commands that it was measured with; left out in older rows.
    """

    ports: int
    turns: str
    arbiter: str
    lut4: int
    ff: int
    comb_equivalents: int
    fmax_mhz: float | None
    fmax_wide_mhz: float | None
    cycles_per_hop: int
    seeds_mhz: list[list[float]] | None
    published_comb_equivalents: int
    published_mhz: int
    crossbar_comb_per_crosspoint_bit: float
    commands: Sequence[str] = ()


@dataclasses.dataclass(frozen=True, kw_only=True)
class Command(Figures):
    """A command in a process of its own.

    Members
    -------
    network : :class:`str`
        The description of the network for which it was called.
    processors : :class:`int`
        The processors of the network.
    seconds : :class:`float`
    began : :class:`float` or ``None``
        Seconds since 1970; ``None`` in older files.
    megabytes : :class:`float`
        The memory of its largest process.
    stages : mapping of :class:`str` to :class:`float`, or ``None``
        The seconds of each stage of a run that builds.
    """

    network: str
    processors: int
    seconds: float
    began: float | None = None
    megabytes: float
    stages: Mapping[str, float] | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Scheduling(Command):
    """A command that constructs a schedule.

    Members
    -------
    collective, ports : :class:`str`
        The collective and the router model.
    steps, lower_bound, transfers : :class:`int`
        Of the schedule.
    """

    collective: str
    ports: str
    steps: int
    lower_bound: int
    transfers: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class Build(Figures):
    """A network that was compiled, and then ran while nothing moves.

    Members
    -------
    what : :class:`str` or ``None``
        The way in which it was compiled, where that is none of the simulators' own.
    network : :class:`str`
    processors : :class:`int`
    simulator : :class:`str`
    build_seconds : :class:`float`
        Processor seconds of the compilation.
    cycles_per_second : :class:`float`
        By processor seconds.
    cycles_per_wall_second : :class:`float` or ``None``
        By seconds; ``None`` in older files.
    """

    what: str | None = None
    network: str
    processors: int
    simulator: str
    build_seconds: float
    cycles_per_second: float
    cycles_per_wall_second: float | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrafficRow(Figures):
    """Sources and sinks on a network at one load.

    Members
    -------
    network : :class:`str`
    build_seconds : :class:`float`
        Processor seconds of the compilation.
    offered, delivered : :class:`float`
        Flits per cycle and source.
    packets, faults, cycles : :class:`int`
    cycles_per_second : :class:`float`
        By processor seconds, with the start and the end of the process.
    """

    network: str
    build_seconds: float
    offered: float
    delivered: float
    packets: int
    faults: int
    cycles: int
    cycles_per_second: float


KINDS: dict[str, type[Figures]] = {
    "routers": RouterRow,
    "generate": Command,
    "schedule": Scheduling,
    "simulate": Command,
    "modes": Build,
    "compilers": Build,
    "traffic": TrafficRow,
}
"""The rows of each benchmark, by its name."""


def read_results(records: Iterable[Mapping[str, Any]]) -> dict[str, list[Figures]]:
    """The rows that stand in the records of benchmarks."""
    return {one["case"]: [KINDS[one["case"]].from_json(row) for row in one["measured"]["rows"]] for one in records}
