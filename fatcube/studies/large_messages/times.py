"""Cycles of a collective against the size of its messages, in the best of several numbers of parts, with the bound."""

from collections.abc import Sequence
import dataclasses
import functools

from amaranth.utils import ceil_log2

from fatcube.groundwork.progress import doing
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.noc.topology import Topology
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.collective import Collective, Message
from fatcube.schedules.construct import construct
from fatcube.schedules.cycles import StepKinds, lockstep_cycles
from fatcube.schedules.pipelined.best import best_in_parts
from fatcube.schedules.pipelined.build import flits_of_part
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.wiring import common_network
from fatcube.sim.collectives.run import Run
from fatcube.sim.collectives.simulate import fitting_machine, simulate_all
from fatcube.sim.size import check_memory
from fatcube.studies.large_messages.cells import COLLECTIVES, PORTS, roots_of

__all__ = ["EXECUTED", "PARTS", "SIZES", "Time", "cycles_bound", "times_of"]


SIZES = tuple(1 << size for size in range(13))  # payload flits of an undivided message
PARTS = (1, 2, 4, 8, 16, 32, 64, 128)  # from which the best is taken, without a root up to 32
BOUNDED = tuple(1 << size for size in range(9))  # numbers of parts of which the bound is the lowest
EXECUTED = (1, 16, 256, 4096)
_MOST_COMPARED = 1 << 24  # words that processors hold in the end: all are read and compared
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
    omitted : :class:`str` or ``None``
        Why one of :data:`EXECUTED` was not run.
    """

    graph: str
    collective: str
    payload_flits: int
    parts: int
    cycles: int
    bound: int
    counted: int | None = None
    failures: tuple[str, ...] = ()
    omitted: str | None = None


def times_of(
    name: str, topology: Topology, collectives: Sequence[Collective] = COLLECTIVES, *, rtl: bool = True
) -> list[Time]:
    """The times of collectives on a graph for all :data:`SIZES`, from processor 0; with ``rtl``, :data:`EXECUTED` ones are run."""
    found = [one for collective in collectives for one in _by_formula(name, topology, collective)]
    return _run(name, found) if rtl else [time for time, _ in found]


def _by_formula(name: str, topology: Topology, collective: Collective) -> list[tuple[Time, Schedule]]:
    """The times of a collective for all :data:`SIZES`, with their schedules."""
    root = roots_of(topology, collective)[0]
    made = {
        parts: _made(name, topology, collective, root, parts) for parts in PARTS if _built(topology, collective, parts)
    }
    network = Network(topology, RouterOptions(ports=PORTS))
    times = []
    for size in SIZES:
        cycles = {
            parts: lockstep_cycles(schedule, _with_parts(network, parts), flits_of_part(size, parts))
            for parts, schedule in made.items()
            if parts <= size
        }
        best = min(cycles, key=lambda parts: (cycles[parts], parts))
        time = Time(
            graph=name,
            collective=collective.value,
            payload_flits=size,
            parts=best,
            cycles=cycles[best],
            bound=cycles_bound(topology, collective, size),
        )
        times.append((time, made[best]))
    return times


def cycles_bound(topology: Topology, collective: Collective, payload_flits: int) -> int:
    """The fewest cycles in lockstep that the lower bounds on steps allow, in any of :data:`BOUNDED` parts; from processor 0."""
    network = Network(topology, RouterOptions(ports=PORTS))
    return min(
        lockstep_cycles(
            StepKinds(_steps(topology, collective, parts), 0, 0), network, flits_of_part(payload_flits, parts)
        )
        for parts in BOUNDED
        if parts <= payload_flits
    )


@functools.lru_cache(maxsize=4096)
def _steps(topology: Topology, collective: Collective, parts: int) -> int:
    root = roots_of(topology, collective)[0]
    return lower_bound(Problem(topology, PORTS, collective, root, parts=parts)).steps


def _built(topology: Topology, collective: Collective, parts: int) -> bool:
    if parts > _MOST_WITHOUT_ROOT and not collective.rooted:
        return False
    small = topology.processors <= _MOST_BUILT or len(topology.translations) > 1
    return small or collective is not Collective.ALL_REDUCE or parts <= _MOST_PARTS


def _made(name: str, topology: Topology, collective: Collective, root: int | None, parts: int) -> Schedule:
    with doing(f"building {collective.value} in {parts} parts on {name}"):
        if parts == 1:
            found = construct(Problem(topology, PORTS, collective, root))
        else:
            found = best_in_parts(Problem(topology, PORTS, collective, root, parts=parts))
    assert found.schedule is not None
    return found.schedule


def _with_parts(network: Network, parts: int) -> Network:
    return dataclasses.replace(network, parts=parts)


def _run(name: str, made: Sequence[tuple[Time, Schedule]]) -> list[Time]:
    """The times with what was counted for those sizes that are executed, on one machine with room for all messages."""
    omitted = {number: _too_large(*one) for number, one in enumerate(made) if one[0].payload_flits in EXECUTED}
    chosen = [made[number] for number, reason in omitted.items() if reason is None]
    machine = _machine([schedule for _, schedule in chosen], [_flits(time) for time, _ in chosen])
    runs = [Run(schedule=schedule, payload_flits=_flits(time), timeout=1 << 16) for time, schedule in chosen]
    with doing(f"running {len(runs)} schedules of {', '.join(map(str, EXECUTED))} flits on {name}"):
        results = iter(simulate_all(machine, runs))
    found = []
    for number, (time, _) in enumerate(made):
        if number not in omitted:
            found.append(time)
        elif reason := omitted[number]:
            found.append(dataclasses.replace(time, omitted=reason))
        else:
            result = next(results)
            failures = list(result.failures)
            if result.cycles != time.cycles:
                failures.append(f"{result.cycles} cycles were counted, not {time.cycles} as predicted")
            found.append(dataclasses.replace(time, counted=result.cycles, failures=tuple(failures)))
    return found


def _flits(time: Time) -> int:
    return flits_of_part(time.payload_flits, time.parts)


def _machine(schedules: Sequence[Schedule], flits: Sequence[int]) -> Machine:
    """A machine on which all these schedules run with parts of these numbers of flits."""
    words = max(
        ceil_log2(len(schedule.messages)) + ceil_log2(length) for schedule, length in zip(schedules, flits, strict=True)
    )
    return fitting_machine(
        common_network(schedules, RouterOptions(ports=PORTS)).for_packets(max(flits) + 1),
        payload_flits=max(flits),
        steps=max(schedule.steps for schedule in schedules),
        memory_words=1 << max(14, words),
        reductions=any(schedule.collective.reduction for schedule in schedules),
    )


def _too_large(time: Time, schedule: Schedule) -> str | None:
    """Why a run is left out, if it is."""
    messages = [message for message in schedule.messages if _ends(message, schedule)]
    compared = _flits(time) * sum(len(message.destinations(schedule.topology)) for message in messages)
    if compared > _MOST_COMPARED:
        return f"{compared:,} words would be read and compared, more than {_MOST_COMPARED:,}"
    try:
        check_memory(_machine([schedule], [_flits(time)]))
    except ParameterError as error:
        return str(error)
    return None


def _ends(message: Message, schedule: Schedule) -> bool:
    """Whether a message is compared where it is held in the end; sums that are carried on are compared as what they become."""
    return schedule.collective is not Collective.ALL_REDUCE or not message.reduced
