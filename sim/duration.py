"""Roughly how long runs take, from the size of the work, before any is begun.

The figures are of two cores of 2024, measured with uniform traffic and with all-to-all, and are meant to tell seconds from
minutes.
"""

from collections.abc import Sequence

from fatcube.groundwork.cache import NotCached, nothing_made
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.sim.builds.build import build
from fatcube.sim.collectives.run import Run
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.saturation import SEARCHED, SHOWN
from fatcube.sim.traffic.trace import TraceTest

__all__ = ["build_seconds", "is_built", "load_seconds", "schedule_seconds", "trace_seconds"]


_PORT_PAIR = 0.06  # seconds to compile what a node has for each pair of ports of its router
_FLAT = 1.5  # seconds to compile a processor and its part of a router, where the whole system is one program
_NODE_CYCLE = {"verilator": 3e-7, "verilator-flat": 5e-6, "icarus": 3e-4}  # seconds
_WORD = 3e-7  # seconds to write or read a word of a memory
_FED = 1e-5  # seconds to give a source a packet of a trace, and to take it from a sink
_PAIR = 4e-6  # seconds to pack the way of a pair of endpoints, and to compare what it has sent and received


def is_built(machine: Machine | TrafficMachine, simulator: str = "verilator") -> bool:
    """Whether the simulator of a machine is in the cache."""
    try:
        with nothing_made():
            build(machine, simulator=simulator)
    except NotCached:
        return False
    return True


def build_seconds(machine: Machine | TrafficMachine, simulator: str = "verilator") -> float:
    """Seconds to build the simulator of a machine; none if it is in the cache."""
    if is_built(machine, simulator):
        return 0
    match simulator:
        case "verilator":
            return _PORT_PAIR * machine.network.router().crossbar_ports ** 2
        case "verilator-flat":
            return _FLAT * machine.network.topology.processors
        case _:
            return 0


def load_seconds(test: LoadTest) -> float:
    """Seconds of a measurement under load, with the search for saturation where no loads are given."""
    options = test.options
    runs = len(test.loads) * options.repeats if test.loads else SEARCHED + SHOWN * options.repeats
    cycles = 2 * options.warm_up + options.measured
    return (0 if test.bench else build_seconds(test.machine)) + runs * _run_seconds(test.machine, cycles)


def trace_seconds(test: TraceTest) -> float:
    """Seconds to send the packets of a trace."""
    return build_seconds(test.machine) + _run_seconds(test.machine, test.busy_cycles) + len(test.packets) * _FED


def _run_seconds(machine: TrafficMachine, cycles: int) -> float:
    """Seconds of a run with traffic, in which each endpoint's memories are written and read."""
    endpoints = machine.endpoints
    words = endpoints * (4 * endpoints + 4 * machine.table + 2 * machine.bins)
    return cycles * machine.nodes * _NODE_CYCLE["verilator"] + words * _WORD + endpoints**2 * _PAIR


def schedule_seconds(machine: Machine, runs: Sequence[Run], simulator: str = "verilator") -> float:
    """Seconds of these runs of schedules; those in dataflow take no more cycles than in lockstep."""
    nodes, seconds = machine.network.topology.nodes, build_seconds(machine, simulator)
    for run in runs:
        cycles = lockstep_cycles(run.schedule, machine.network, run.payload_flits, run.last_flits)
        words = run.schedule.size * (run.payload_flits + 2)
        seconds += cycles * nodes * _NODE_CYCLE[simulator] + words * _WORD
    return seconds
