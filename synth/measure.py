"""Area and speed of one component, and the record of their measurement."""

from collections.abc import Iterable, Mapping, Sequence
import dataclasses
from pathlib import Path
from typing import Any, TypedDict

from amaranth.lib import wiring

from fatcube.groundwork import yosys
from fatcube.groundwork.cache import Cache
from fatcube.groundwork.digest import versions
from fatcube.groundwork.progress import doing
from fatcube.groundwork.validation import check_integer
from fatcube.synth.area import Area
from fatcube.synth.families import find_family
from fatcube.synth.families.family import Family
from fatcube.synth.families.static_timing import SCRIPT, StaticPath, longest_path
from fatcube.synth.families.static_timing import version as sta_version
from fatcube.synth.mapping import Design, map_design, mapping_script
from fatcube.synth.nextpnr import PlaceAndRoute, check_seeds
from fatcube.synth.wrapper import registered_design

__all__ = ["SynthesisResult", "measure_area", "synthesis_source", "synthesize"]


@dataclasses.dataclass(frozen=True)
class SynthesisResult:
    """Area and speed of a component.

    Members
    -------
    name : :class:`str`
        The component's name.
    family : :class:`str`
        One of :data:`~fatcube.synth.families.FAMILIES`.
    area : :class:`~fatcube.synth.area.Area`
        The area of the bare component, in the area flow.
    timing, timing_wide : :class:`~fatcube.synth.nextpnr.PlaceAndRoute` or ``None``
        The timing of the component between registers: of the netlist of the area flow, and of the one with wide LUTs.
        ``None`` if it was not requested, or the family has none.
    tools : mapping of :class:`str` to :class:`str`
        The tools that ran and their versions.
    commands : :class:`tuple` of :class:`str`
        All commands of these tools, in order.
    path : :class:`~fatcube.synth.families.static_timing.StaticPath` or ``None``
        The longest path, on standard cells.
    """

    name: str
    family: str
    area: Area
    timing: PlaceAndRoute | None
    timing_wide: PlaceAndRoute | None
    tools: Mapping[str, str]
    commands: tuple[str, ...]
    path: StaticPath | None = None

    @property
    def fmax_mhz(self) -> float | None:
        """The highest clock frequency, MHz, of the netlist of the area flow; ``None`` without timing."""
        return 1000 / self.path.ns if self.path else self.timing and self.timing.fmax_mhz

    @property
    def fmax_wide_mhz(self) -> float | None:
        """The highest clock frequency, MHz, of the netlist with wide LUTs; ``None`` without timing."""
        return self.timing_wide and self.timing_wide.fmax_mhz

    def to_json(self) -> dict[str, Any]:
        """The result as in a result record (docs/reference/result-records.md); frequencies of seeds are pairs."""
        return {
            "name": self.name,
            "family": self.family,
            **self.area.to_json(),
            "fmax_mhz": self.fmax_mhz,
            "fmax_wide_mhz": self.fmax_wide_mhz,
            "seeds_mhz": self.timing and _pairs(self.timing.seeds_mhz),
            "seeds_wide_mhz": self.timing_wide and _pairs(self.timing_wide.seeds_mhz),
            "tools": dict(self.tools),
            "commands": list(self.commands),
            **({"path": dataclasses.asdict(self.path)} if self.path else {}),
        }


def measure_area(design: Design, *, family: Family, wide_luts: bool = False) -> Area:
    """The area of ``design`` on a :class:`~fatcube.synth.families.family.Family`.

    Parameters
    ----------
    design : :class:`~fatcube.synth.mapping.Design`
        A component without registers around it.
    wide_luts : :class:`bool`
        True if LUTs are combined into wider ones, which is faster, but no measure of size (docs/reference/result-records.md).

    Raises
    ------
    ToolError
        If Yosys refuses the design, or the area of a cell is unknown.
    """
    netlist = map_design(design, family=family, wide_luts=wide_luts)
    return family.area(netlist.cells, wide_luts=wide_luts, transistors=netlist.transistors)


def synthesize(
    component: wiring.Component,
    *,
    name: str,
    seeds: Iterable[int] = (1, 2, 3),
    fmax: bool | None = None,
    wide: bool = True,
    family: str | Family = "ecp5",
    modules: str = "",
    jobs: int = 1,
    cache: Path | str | None = None,
) -> SynthesisResult:
    """Measure area and speed of a component.

    Parameters
    ----------
    component : :class:`amaranth.lib.wiring.Component`
        The device under test; its clock is the ``sync`` domain.
    name : :class:`str`
        A Verilog identifier.
    seeds : sequence of :class:`int`
        Seeds of place and route; the frequency is their median.
    fmax : :class:`bool` or ``None``
        True to place and route for the speed; ``None`` to do so on families that support it.
    wide : :class:`bool`
        True to do so with wide LUTs too, if the family has them.
    family : :class:`str`
        One of :data:`~fatcube.synth.families.FAMILIES`.
    modules : :class:`str`
        RTLIL text of modules that the component instantiates by :class:`amaranth.hdl.Instance`.
    jobs : :class:`int`
        Number of seeds that are placed and routed in parallel.
    cache : path or ``None``
        A directory where results are kept. They are identified by the design, the versions of the tools and their
        commands, so a repeated call runs no tool, and a call for a changed design does.

    Raises
    ------
    ToolError
        If a tool fails, or its result is inconsistent.
    ParameterError
        If a parameter is out of range, or speed is requested for a family that cannot be placed and routed here.
    """
    target = find_family(family)
    seeds = check_seeds(seeds)
    check_integer("synthesis jobs", jobs, minimum=1)
    if fmax is None:
        fmax = target.timed
    if fmax:
        target.check_place_and_route()
    kept = Cache(cache)

    bare = Design.of(component, name=name, modules=modules)
    mapped = _map(bare, target, kept)
    records: list[_Record] = [mapped]
    timings: dict[bool, PlaceAndRoute | None] = {False: None, True: None}
    path = None
    if fmax and target.static:
        timed = _time(registered_design(component, name=name, modules=modules), target, kept)
        records.append(timed)
        path = StaticPath(**timed["path"])
    elif fmax:
        registered = registered_design(component, name=name, modules=modules, few_pins=target.few_pins)
        for wide_luts in (False, True) if target.wide_luts and wide else (False,):
            record = _place_and_route(registered, target, kept, wide_luts=wide_luts, seeds=seeds, jobs=jobs)
            records.append(record)
            timings[wide_luts] = PlaceAndRoute(dict(record["seeds_mhz"]), dict(record["logs"]))

    return SynthesisResult(
        name=name,
        family=target.name,
        area=target.area(mapped["cells"], transistors=mapped["transistors"]),
        timing=timings[False],
        timing_wide=timings[True],
        tools={tool: version for record in records for tool, version in record["tools"].items()},
        commands=tuple(command for record in records for command in record["commands"]),
        path=path,
    )


def synthesis_source(
    component: wiring.Component, *, name: str, seeds: Iterable[int], fmax: bool, family: str | Family
) -> list[dict[str, Any]]:
    """All inputs of the result of :func:`synthesize`: designs, versions and commands of the tools.

    The parameters are those of :func:`synthesize`.
    """
    target, seeds = find_family(family), check_seeds(seeds)
    bare = Design.of(component, name=name)
    sources = [_source(bare, ("pyosys",), mapping_script(bare, family=target), target.inputs)]
    if fmax and target.static:
        sources.append(_timed_source(registered_design(component, name=name), target))
    elif fmax:
        registered = registered_design(component, name=name, few_pins=target.few_pins)
        for wide_luts in (False, True) if target.wide_luts else (False,):
            commands = _placing_commands(registered, target, wide_luts=wide_luts, seeds=seeds)
            sources.append(_source(registered, target.packages, commands))
    return sources


# A record holds only the output of tools, not values derived from it, so that a changed derivation applies to old
# records.


class _Record(TypedDict):
    """The common part of both kinds of records: the tools that ran, by name, with their versions and commands."""

    tools: dict[str, str]
    commands: list[str]


class _Mapped(_Record):
    """The output of Yosys for a mapped design: see :class:`~fatcube.synth.mapping.Netlist`."""

    cells: Mapping[str, int]
    transistors: int | None


class _Timed(_Record):
    """The longest path that OpenSTA found, as the members of :class:`StaticPath`."""

    path: dict[str, Any]


class _Placed(_Record):
    """The output of nextpnr, as pairs of a seed and its result: see :class:`~fatcube.synth.nextpnr.PlaceAndRoute`."""

    seeds_mhz: list[Any]
    logs: list[Any]


def _map(design: Design, family: Family, cache: Cache) -> _Mapped:
    commands = mapping_script(design, family=family)

    def make() -> _Mapped:
        with doing(f"mapping {design.top} to {family.title}"):
            netlist = map_design(design, family=family)
        return {
            "cells": netlist.cells,
            "transistors": netlist.transistors,
            "tools": {"Yosys": yosys.version()},
            "commands": commands,
        }

    # Area needs no place and route, so its package must not be needed either.
    return cache.look_up(_source(design, ("pyosys",), commands, family.inputs), make)


def _time(design: Design, family: Family, cache: Cache) -> _Timed:
    def make() -> _Timed:
        with doing(f"timing {design.top} on {family.title}"):
            path = longest_path(map_design(design, family=family), family.inputs["cells.lib"])
        return {
            "path": dataclasses.asdict(path),
            "tools": {"Yosys": yosys.version(), "OpenSTA": sta_version()},
            "commands": [*mapping_script(design, family=family), *SCRIPT],
        }

    return cache.look_up(_timed_source(design, family), make)


def _timed_source(design: Design, family: Family) -> dict[str, Any]:
    commands = [*mapping_script(design, family=family), *SCRIPT]
    return _source(design, ("pyosys",), commands, {**family.inputs, "OpenSTA": sta_version()})


def _place_and_route(
    design: Design, family: Family, cache: Cache, *, wide_luts: bool, seeds: Sequence[int], jobs: int
) -> _Placed:
    commands = _placing_commands(design, family, wide_luts=wide_luts, seeds=seeds)

    def make() -> _Placed:
        with doing(f"placing and routing {design.top} on {family.title}"):
            netlist = map_design(design, family=family, wide_luts=wide_luts, pads=True)
            placed = family.place_and_route(netlist, seeds=seeds, jobs=jobs)
        return {
            "seeds_mhz": _pairs(placed.seeds_mhz),
            "logs": _pairs(placed.logs),
            "tools": {"Yosys": yosys.version(), "nextpnr": family.version()},
            "commands": commands,
        }

    return cache.look_up(_source(design, family.packages, commands), make)


def _placing_commands(design: Design, family: Family, *, wide_luts: bool, seeds: Sequence[int]) -> list[str]:
    return [
        *mapping_script(design, family=family, wide_luts=wide_luts, pads=True),
        *(family.place_and_route_command(design.top, seed) for seed in seeds),
    ]


def _source(
    design: Design, packages: Iterable[str], commands: Sequence[str], inputs: Mapping[str, str] | None = None
) -> dict[str, Any]:
    # Records of targets without such files keep the keys that they had.
    files = {"files": dict(inputs)} if inputs else {}
    return {"design": design.text, "versions": versions(packages), "commands": list(commands), **files}


def _pairs(mapping: Mapping[int, Any]) -> list[list[Any]]:
    return [list(pair) for pair in mapping.items()]
