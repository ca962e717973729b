"""nextpnr from YoWASP: a netlist is placed and routed with several seeds, and its frequency read."""

from collections.abc import Iterable, Mapping, Sequence
import dataclasses
import functools
import json
import re
import statistics
from typing import Any

from fatcube.groundwork.tool import Call, ToolError, run_tools
from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.synth.mapping import Netlist
from fatcube.synth.programs import program_call

__all__ = ["PlaceAndRoute", "RIP_UP", "check_seeds", "command", "place_and_route", "program", "version"]


RIP_UP = "--tmg-ripup"
"""The option with which routing rips up wires on paths that are too slow, and lays them again."""


@dataclasses.dataclass(frozen=True)
class PlaceAndRoute:
    """The result of place and route.

    Members
    -------
    seeds_mhz : mapping of :class:`int` to :class:`float`
        The highest clock frequency of each seed, MHz.
    logs : mapping of :class:`int` to :class:`str`
        The output of nextpnr for each seed, with the critical path.
    """

    seeds_mhz: Mapping[int, float]
    logs: Mapping[int, str]

    @property
    def fmax_mhz(self) -> float:
        """The highest clock frequency, MHz: the median of the seeds."""
        return statistics.median(self.seeds_mhz.values())


def check_seeds(seeds: Iterable[int]) -> tuple[int, ...]:
    """Return ``seeds`` as a tuple.

    Raises
    ------
    ParameterError
        If there are no seeds, or one is given twice or is not an integer.
    """
    seeds = tuple(check_integer("seed", seed, minimum=0) for seed in seeds)
    if not seeds or len(set(seeds)) < len(seeds):
        raise ParameterError(f"seeds must be one or more different integers, not {seeds!r}")
    return seeds


def command(options: Sequence[str], top: str, seed: int) -> tuple[str, ...]:
    """The arguments of nextpnr for the module ``top`` and one seed."""
    return (*options, "--seed", str(seed), "--top", top, "--json", "netlist.json", "--report", "report.json")


def place_and_route(
    architecture: str,
    netlist: Netlist,
    *,
    options: Sequence[str],
    files: Mapping[str, str] | None = None,
    seeds: Iterable[int],
    jobs: int,
) -> PlaceAndRoute:
    """Run nextpnr for ``architecture`` (for example ``"ecp5"``) once for each seed, ``jobs`` at a time.

    Returns a :class:`PlaceAndRoute`. See :func:`fatcube.synth.families.family.Family.place_and_route` for the parameters and errors.
    """
    seeds = check_seeds(seeds)
    # The very first run compiles nextpnr and keeps the result; two runs at a time would write the same file.
    version(architecture)
    files = {**(files or {}), "netlist.json": netlist.json}
    finished = run_tools(
        [_call(architecture, command(options, netlist.top, seed), files, ("report.json",)) for seed in seeds], jobs=jobs
    )
    runs = dict(zip(seeds, finished))
    return PlaceAndRoute(
        seeds_mhz={seed: _frequency(json.loads(run.outputs["report.json"])) for seed, run in runs.items()},
        logs={seed: run.log for seed, run in runs.items()},
    )


def program(architecture: str) -> str:
    """The name of nextpnr for ``architecture`` among the programs of :mod:`fatcube.synth.programs`."""
    return f"nextpnr-{architecture.partition('-')[0]}"


@functools.cache
def version(architecture: str) -> str:
    """The version that nextpnr prints, for example ``"nextpnr-0.11.1"``."""
    [finished] = run_tools([_call(architecture, ("--version",))])
    found = re.search(r"Version ([^)\s]+)", finished.log)
    assert found is not None, finished.log
    return found[1]


def _call(
    architecture: str, arguments: Sequence[str], files: Mapping[str, str] | None = None, outputs: tuple[str, ...] = ()
) -> Call:
    return program_call((program(architecture), *arguments), files=files, outputs=outputs)


def _frequency(report: Mapping[str, Any]) -> float:
    clocks = report["fmax"]
    if len(clocks) != 1:
        raise ToolError(
            f"Fmax needs one clock with a path from register to register, not {', '.join(clocks) or 'none'}"
        )
    [clock] = clocks.values()
    return clock["achieved"]
