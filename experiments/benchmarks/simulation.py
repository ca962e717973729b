"""Simulation: whole commands and where their time goes, the ways to compile a network, and traffic."""

from collections.abc import Iterator
import contextlib
import dataclasses
import itertools
import os
import resource
import shutil
import time
from unittest import mock

from experiments.benchmarks.commands import command
from experiments.benchmarks.rows import Build, Command, TrafficRow
from fatcube.groundwork.cache import cache_folder
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.sim.builds import verilator
from fatcube.sim.builds.build import build
from fatcube.sim.collectives.plan import Plan, compile_schedule
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all
from fatcube.sim.traffic.traffic import RATE_UNITS, Traffic, run_traffic

__all__ = ["compilers", "modes", "simulation", "traffic"]


_SIMULATED = {
    "AAS, hypercube -d 6, model d": (64, "-c AAS --topology hypercube -d 6 --ports d"),
    "OAB, hypercube -d 8, model d": (256, "-c OAB --topology hypercube -d 8 --ports d"),
    "AAB, hypercube -d 8, model d": (256, "-c AAB --topology hypercube -d 8 --ports d"),
    "OAB, fat cube -d 8 -m 4, model 1": (1024, "-c OAB -d 8 -m 4 --ports 1"),
}
_D_PORT = RouterOptions(ports=PortModel.D_PORT, width=24)
_MODES = (
    *(Network(Hypercube(d), _D_PORT) for d in (3, 4, 6)),
    *(Network(FatCube(d, 4), RouterOptions(width=40)) for d in (4, 6)),
)
_COMPILED = {
    "node by node, -O0": ("verilator", "O0", []),
    "node by node, -O1": ("verilator", "O1", []),
    "node by node, -O2": ("verilator", "O2", []),
    "node by node, -O3": ("verilator", "O3", []),
    "flat, -O1": ("verilator-flat", "O1", []),
    "flat, -O1, two threads": ("verilator-flat", "O1", ["--threads", "2"]),
}
_IDLE = 200_000  # cycles
_PACKET = 8  # flits


def simulation() -> list[Command]:
    """The time and memory of `fatcube simulate` with an empty cache, and again with the build in it."""
    rows = []
    for number, (name, (processors, arguments)) in enumerate(_SIMULATED.items()):
        words, fresh = ["simulate", *arguments.split()], f"bench-{number}"
        first = command(f"{name}, from nothing", processors, words, fresh=fresh)
        again = command(f"{name}, again", processors, words, fresh=fresh, keep=True)
        rows += [dataclasses.replace(first, stages=_stages(first, fresh)), again]
    return rows


_STAGES = {
    "Verilator's library": "library",
    "testbench": "tops",
    "netlist of a node": "netlists",
    "C++ of a node": "nodes",
    "linking": "builds",
}


def _stages(row: Command, fresh: str) -> dict[str, float]:
    """The seconds of each stage of a build and run, by the times at which its last file came into the cache."""
    kinds = [cache_folder() / fresh / kind for kind in _STAGES.values()]
    written = [max(path.stat().st_mtime for path in kind.iterdir()) for kind in kinds]
    assert row.began is not None
    ends = [row.began, *written, row.began + row.seconds]
    return dict(
        zip([*_STAGES, "schedule, loading and runs"], (after - before for before, after in itertools.pairwise(ends)))
    )


def modes() -> list[Build]:
    """A network compiled node by node and as a whole: the processor seconds of each, and cycles per second when idle."""
    rows = []
    with _cache_of_its_own("bench-modes"):
        for network in _MODES:
            rows += [_built_and_idle(network, simulator) for simulator in ("verilator", "verilator-flat")]
    return rows


def compilers() -> list[Build]:
    """One network compiled in other ways, which are those of neither simulator."""
    rows = []
    for what, (simulator, level, arguments) in _COMPILED.items():
        with (
            _cache_of_its_own("bench-compilers"),
            mock.patch.object(verilator, "LEVEL", level),
            mock.patch.object(verilator, "VERILATOR", [*verilator.VERILATOR, *arguments]),
        ):
            built = _built_and_idle(Network(Hypercube(4), _D_PORT), simulator)
            rows.append(dataclasses.replace(built, what=what))
    return rows


def _built_and_idle(network: Network, simulator: str) -> Build:
    """The time to compile a network, and its speed while nothing moves."""
    verilator.library(waves=False)
    machine = fitting_machine(network)
    start = _processor_seconds()
    build(machine, simulator=simulator)
    compiled, began = _processor_seconds(), time.monotonic()
    run = _waiting(network, _IDLE)
    # Nobody sends anything, so the run waits for as long as it may.
    [result] = simulate_all(machine, [run], plans=[_silent(run, network)], simulator=simulator)
    row = Build(
        network=str(network),
        processors=network.topology.processors,
        simulator=simulator,
        build_seconds=compiled - start,
        cycles_per_second=result.cycles / (_processor_seconds() - compiled),
        cycles_per_wall_second=result.cycles / (time.monotonic() - began),
    )
    print(row.to_json(), flush=True)
    return row


def traffic() -> list[TrafficRow]:
    """Sources and sinks on 64 routers of 7 ports: cycles per processor second, by load, with the start of the process."""
    machine = TrafficMachine(network=Network(Hypercube(6), RouterOptions(width=40)))
    rows = []
    with _cache_of_its_own("bench-traffic"):
        start = _processor_seconds()
        build(machine)
        compiled = _processor_seconds()
        for load in (0.0, 0.1, 0.4, 0.8):
            began = _processor_seconds()
            run = Traffic(rate=round(load / _PACKET * RATE_UNITS), packet_flits=_PACKET, measured=_IDLE)
            [result] = run_traffic(machine, [run])
            rows.append(
                TrafficRow(
                    network=str(machine.network),
                    build_seconds=compiled - start,
                    offered=result.offered,
                    delivered=result.delivered,
                    packets=result.arrived,
                    faults=sum(result.faults.values()),
                    cycles=result.cycles,
                    cycles_per_second=result.cycles / (_processor_seconds() - began),
                )
            )
            print(rows[-1].to_json(), flush=True)
    return rows


def _waiting(network: Network, cycles: int) -> Run:
    """A broadcast that may stand still for this many cycles."""
    schedule = construct(Problem(network.topology, network.options.ports, Collective.OAB)).schedule
    assert schedule is not None
    return Run(schedule=schedule, timeout=cycles)


def _silent(run: Run, network: Network) -> Plan:
    """The plan of a run in which no processor sends, and all that receive wait."""
    plan = compile_schedule(run.schedule, network, lockstep=run.lockstep)
    programs = [
        [[dataclasses.replace(entry, send=0) for entry in port] for port in processor] for processor in plan.programs
    ]
    return dataclasses.replace(plan, programs=programs)


def _processor_seconds() -> float:
    """Processor seconds of this process and of all its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


@contextlib.contextmanager
def _cache_of_its_own(name: str) -> Iterator[None]:
    """Within it, there is nothing in the cache."""
    folder, before = cache_folder() / name, os.environ.get("FATCUBE_CACHE")
    shutil.rmtree(folder, ignore_errors=True)
    os.environ["FATCUBE_CACHE"] = str(folder)
    try:
        yield
    finally:
        del os.environ["FATCUBE_CACHE"]
        if before is not None:
            os.environ["FATCUBE_CACHE"] = before
