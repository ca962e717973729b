"""Cycles of a collective against the size of its messages, in the best of several numbers of parts, with the bound."""

from collections.abc import Sequence
import dataclasses

from amaranth.utils import ceil_log2

from fatcube.studies.large.cells import PORTS, roots_of
from groundwork.progress import doing
from noc.network import Network
from noc.topology import Topology
from rtl.router_options import RouterOptions
from schedules.bounds import lower_bound
from schedules.collective import Collective
from schedules.construct import construct
from schedules.cycles import StepKinds, lockstep_cycles
from schedules.parted.best import best_in_parts
from schedules.parted.build import flits_of_part
from schedules.schedule import Schedule
from schedules.wiring import network_of
from sim.collectives.run import Run
from sim.collectives.simulate import fitting_machine, simulate_all

__all__ = ["EXECUTED", "PARTS", "SIZES", "Time", "times_of"]


SIZES = tuple(1 << size for size in range(13))  # payload flits of an undivided message
PARTS = (1, 2, 4, 8, 16, 32, 64, 128)  # from which the best is taken, without a root up to 32
BOUNDED = tuple(1 << size for size in range(9))  # numbers of parts of which the bound is the lowest
EXECUTED = (1, 16, 256, 4096)
_MOST_EXECUTED = 24  # processors: larger networks take minutes for 4,096 flits
_MOST_BUILT = 24  # processors in which all-reduces in more than _MOST_PARTS parts are built
_MOST_PARTS = 8
_MOST_WITHOUT_ROOT = 32


@dataclasses.dataclass(frozen=True, kw_only=True)
class Time:
    """The cycles in lockstep of a collective with messages of one size.

    Members
    -------
    graph, collective : :class:`str`
    payload_flits : :class:`int`
        Of an undivided message.
    parts : :class:`int`
        The number of parts among :data:`PARTS` that takes the fewest cycles.
    cycles : :class:`int`
        By formula.
    bound : :class:`int`
        The cycles of the lowest of the lower bounds for 1, 2, 4, ..., 256 parts.
    counted : :class:`int` or ``None``
        By the hardware; ``None`` if it was not run.
    failures : tuple of :class:`str`
    """

    graph: str
    collective: str
    payload_flits: int
    parts: int
    cycles: int
    bound: int
    counted: int | None = None
    failures: tuple[str, ...] = ()


def times_of(name: str, topology: Topology, collective: Collective, *, rtl: bool = True) -> list[Time]:
    """The times of a collective on a graph for all :data:`SIZES`, from processor 0; with ``rtl``, :data:`EXECUTED` ones are run."""
    root = roots_of(topology, collective)[0]
    made = {
        parts: _made(name, topology, collective, root, parts) for parts in PARTS if _built(topology, collective, parts)
    }
    network = Network(topology, RouterOptions(ports=PORTS))
    bounds = {parts: lower_bound(topology, PORTS, collective, root, parts=parts).steps for parts in BOUNDED}
    times = []
    chosen: list[tuple[int, Schedule]] = []
    for size in SIZES:
        cycles = {
            parts: lockstep_cycles(schedule, _with_parts(network, parts), flits_of_part(size, parts))
            for parts, schedule in made.items()
            if parts <= size
        }
        best = min(cycles, key=lambda parts: (cycles[parts], parts))
        bound = min(
            lockstep_cycles(StepKinds(steps, 0, 0), network, flits_of_part(size, parts))
            for parts, steps in bounds.items()
            if parts <= size
        )
        times.append(
            Time(
                graph=name,
                collective=collective.value,
                payload_flits=size,
                parts=best,
                cycles=cycles[best],
                bound=bound,
            )
        )
        chosen.append((size, made[best]))
    return _run(name, times, chosen) if rtl and topology.processors <= _MOST_EXECUTED else times


def _built(topology: Topology, collective: Collective, parts: int) -> bool:
    if parts > _MOST_WITHOUT_ROOT and not collective.rooted:
        return False
    small = topology.processors <= _MOST_BUILT or len(topology.translations) > 1
    return small or collective is not Collective.ALL_REDUCE or parts <= _MOST_PARTS


def _made(name: str, topology: Topology, collective: Collective, root: int | None, parts: int) -> Schedule:
    with doing(f"building {collective.value} in {parts} parts on {name}"):
        if parts == 1:
            found = construct(topology, PORTS, collective, root)
        else:
            found = best_in_parts(topology, PORTS, collective, root, parts=parts)
    assert found.schedule is not None
    return found.schedule


def _with_parts(network: Network, parts: int) -> Network:
    return dataclasses.replace(network, parts=parts)


def _run(name: str, times: Sequence[Time], chosen: Sequence[tuple[int, Schedule]]) -> list[Time]:
    """The times with what was counted for those sizes that are executed, each on a machine with room for its messages."""
    found = []
    for time, (size, schedule) in zip(times, chosen):
        if size not in EXECUTED:
            found.append(time)
            continue
        flits = flits_of_part(size, schedule.parts)
        messages = len(schedule.messages)
        machine = fitting_machine(
            network_of(schedule, RouterOptions(ports=PORTS)).for_packets(flits + 1),
            payload_flits=flits,
            steps=schedule.steps,
            memory_words=1 << max(14, ceil_log2(messages) + ceil_log2(flits)),
            reductions=schedule.collective.reduction,
        )
        with doing(f"running {schedule.collective.value} of {size} flits on {name}"):
            [result] = simulate_all(machine, [Run(schedule=schedule, payload_flits=flits, timeout=2 * flits + 1000)])
        failures = list(result.failures)
        if result.cycles != time.cycles:
            failures.append(f"{result.cycles} cycles were counted, not {time.cycles} as predicted")
        found.append(dataclasses.replace(time, counted=result.cycles, failures=tuple(failures)))
    return found
