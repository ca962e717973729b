"""Cases about numbers of steps: bounds, and the paper's algorithms executed."""

from collections.abc import Callable, Iterable
import dataclasses
from fractions import Fraction
import functools

from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.papers.ccc.graphs import ccc
from fatcube.papers.claim import Cases
from fatcube.papers.evidence import Evidence, Instance
from fatcube.papers.verdict import Case
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.collective import Move
from fatcube.schedules.schedule import Schedule

__all__ = ["NAMES", "SCHEDULED", "bounded", "executed", "instances", "scheduled", "searched"]

SCHEDULED = {"OAB": range(2, 7), "AAB": range(2, 6), "OAS": range(2, 6), "AAS": range(2, 6)}
"""Sizes for which schedules are built."""
NAMES = {"OAB": "Single-node broadcast", "AAB": "Multinode broadcast", "OAS": "Scatter", "AAS": "Total exchange"}


def scheduled(collective: str) -> list[dict[str, int]]:
    """The n for which schedules of a collective are built."""
    return [{"n": n} for n in SCHEDULED[collective]]


def searched(instance: Instance) -> bool:
    """A broadcast is one message: where its bound and its schedule differ, a search decides."""
    return instance.collective == "OAB"


def bounded(evidence: Evidence, instance: Instance, printed: Fraction) -> Case:
    """The case that no schedule has fewer than ``printed`` steps, a fraction, which is shown as a number too."""
    one = evidence.at_least(instance, printed)
    return dataclasses.replace(one, found=f"{one.found}, bound {float(printed):.4g}")


def executed(
    evidence: Evidence,
    algorithm: str,
    instances: Iterable[Instance],
    make: Callable[[CubeConnectedCycles, str], Iterable[Move]],
    target: Callable[[int], int] | None = None,
    *,
    choices: bool = False,
) -> Cases:
    """The cases that an algorithm does its collective, and in no more than ``target`` steps for each n.

    ``make`` returns its moves on a topology with a router model.

    With ``choices`` the algorithm leaves some open, and not all are tried: then it is only known to fail where no
    schedule at all takes so few steps.
    """
    for instance in instances:
        topology, ports, collective = instance.topology, instance.ports, instance.collective
        assert isinstance(topology, CubeConnectedCycles)
        n = topology.n
        schedule = Schedule.from_moves(
            topology, ports, collective, None if collective[0] == "A" else 0, make(topology, ports)
        )
        printed = "received by all" if target is None else f"{target(n)} steps"
        known = n in SCHEDULED[collective]
        fewest = evidence.text(instance) if known else ""
        impossible = target is not None and target(n) < (
            evidence.known(instance)[0].steps if known else max(topology.distances[0])
        )
        fails = None if choices and not impossible else False
        try:
            steps = check(schedule).steps
        except ScheduleError as error:
            yield Case({"n": n}, printed, f"{NAMES[collective].lower()} fails: {error}", fails, "executed", fewest)
            continue
        small = n <= (4 if collective == "OAB" else 3)
        kept = (f"{algorithm}-{instance.name}", schedule) if small else None
        shown = functools.partial(_shown, evidence, kept, instance if known else None)
        yield Case(
            {"n": n}, printed, f"{steps} steps", True if target is None or steps <= target(n) else fails, shown, fewest
        )


def _shown(evidence: Evidence, kept: tuple[str, Schedule] | None, known: Instance | None) -> str:
    """The file of the schedule that was executed, if it is kept, and that of the best one, if that is known."""
    text = "executed" if kept is None else evidence.keep(*kept)
    return text if known is None else f"{text}; fewest known: {evidence.schedule(known)}"


def instances(collective: str, ports: str, sizes: Iterable[int]) -> list[Instance]:
    """The collective on CCC, by size."""
    return [Instance(ccc(n), ports, collective) for n in sizes]
