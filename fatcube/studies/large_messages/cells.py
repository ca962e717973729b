"""Collectives in many parts on a graph: the steps against the lower bound, and a run of each on the RTL."""

from collections.abc import Iterator, Sequence
import dataclasses
from typing import Any

from fatcube.groundwork.progress import doing
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.counting import Bound
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.pipelined.best import best_in_parts
from fatcube.schedules.pipelined.build import flits_of_part
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.wiring import network_of
from fatcube.sim.collectives.run import Run
from fatcube.sim.collectives.simulate import fitting_machine, simulate_all

__all__ = ["COLLECTIVES", "FEWER", "PORTS", "Cell", "cells_of", "roots_of"]


PORTS = PortModel.D_PORT
FEWER = {"dgx-1": (Collective.AAB, 6)}
"""Graphs with a collective in other parts that is known: SCCL has 7 steps for the all-gather of 6 parts, which is the bound."""
COLLECTIVES = (Collective.OAB, Collective.AOR, Collective.AAB, Collective.AAR, Collective.ALL_REDUCE)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Cell:
    """A collective on a graph, with messages in parts.

    Members
    -------
    graph : :class:`str`
        Its name in :data:`fatcube.studies.large_messages.graphs.GRAPHS`.
    collective : :class:`str`
    root : :class:`int` or ``None``
    parts, payload_flits : :class:`int`
        Of an undivided message, and the parts that it has.
    steps, lower_bound : :class:`int`
    reason : :class:`str`
        The argument for the bound.
    seconds : :class:`float`
        The time in which the schedule was made.
    cycles, predicted_cycles : :class:`int` or ``None``
        Counted by the hardware in lockstep, and by the formula; the first is ``None`` if it was not run.
    failures : tuple of :class:`str`
        Every fault of the run: wires that differ from the schedule, words that differ, conflicts, other counts.
    """

    graph: str
    collective: str
    root: int | None
    parts: int
    payload_flits: int
    steps: int
    lower_bound: int
    reason: str
    seconds: float
    predicted_cycles: int
    cycles: int | None = None
    failures: tuple[str, ...] = ()

    @property
    def near(self) -> bool:
        """True if steps are at most one more, or a tenth more, than the bound."""
        return self.steps <= max(self.lower_bound + 1, 1.1 * self.lower_bound)

    def to_json(self) -> dict[str, Any]:
        """The cell as it stands in a file."""
        return {**dataclasses.asdict(self), "ratio": self.steps / self.lower_bound, "near": self.near}


def roots_of(topology: Topology, collective: Collective) -> Sequence[int | None]:
    """Processor 0 and the one that is farthest from it, if the collective has a root."""
    if not collective.rooted:
        return (None,)
    hops = topology.served_distances[topology.node_of(0)]
    return 0, max(range(topology.processors), key=lambda one: hops[topology.node_of(one)])


def cells_of(
    name: str,
    topology: Topology,
    *,
    parts: int,
    payload_flits: int,
    collectives: Sequence[Collective] = COLLECTIVES,
    rtl: bool = True,
) -> list[Cell]:
    """The cells of a graph; with ``rtl`` they are run, all on one machine."""
    made = [*_made(name, topology, parts, payload_flits, collectives)]
    return _run(name, made, flits_of_part(payload_flits, parts)) if rtl else [cell for _, cell in made]


def _made(
    name: str, topology: Topology, parts: int, payload_flits: int, collectives: Sequence[Collective]
) -> Iterator[tuple[Schedule, Cell]]:
    """The schedules of a graph and their cells, without runs."""
    for collective in collectives:
        for root in roots_of(topology, collective):
            with doing(f"building {collective.value} in {parts} parts on {name}"):
                found = best_in_parts(Problem(topology, PORTS, collective, root, parts=parts))
            schedule, bound = found.schedule, found.bound
            assert schedule is not None
            check(schedule)
            yield schedule, _cell(name, schedule, bound, found.seconds, payload_flits)


def _cell(name: str, schedule: Schedule, bound: Bound, seconds: float, payload_flits: int) -> Cell:
    return Cell(
        graph=name,
        collective=schedule.collective.value,
        root=schedule.root,
        parts=schedule.parts,
        payload_flits=payload_flits,
        steps=schedule.steps,
        lower_bound=bound.steps,
        reason=bound.reason,
        seconds=seconds,
        predicted_cycles=lockstep_cycles(
            schedule, network_of(schedule, RouterOptions(ports=PORTS)), flits_of_part(payload_flits, schedule.parts)
        ),
    )


def _run(name: str, made: Sequence[tuple[Schedule, Cell]], flits: int) -> list[Cell]:
    """The cells with what was counted in lockstep on one machine, and everything that differed from their schedules."""
    schedules = [schedule for schedule, _ in made]
    machine = fitting_machine(
        network_of(schedules[0], RouterOptions(ports=PORTS)).for_packets(flits + 1),
        payload_flits=flits,
        steps=max(schedule.steps for schedule in schedules),
        messages=max(len(schedule.messages) for schedule in schedules),
        reductions=True,
    )
    with doing(f"running {len(schedules)} schedules on {name}"):
        results = simulate_all(machine, [Run(schedule=schedule, payload_flits=flits) for schedule in schedules])
    cells = []
    for (_, cell), result in zip(made, results):
        failures = list(result.failures)
        if result.cycles != cell.predicted_cycles:
            failures.append(f"{result.cycles} cycles were counted, not {cell.predicted_cycles} as predicted")
        cells.append(dataclasses.replace(cell, cycles=result.cycles, failures=tuple(failures)))
    return cells
