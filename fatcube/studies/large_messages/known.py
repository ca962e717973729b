"""All-reduces by known algorithms beside ours: the ring, two rings, and recursive halving and doubling."""

from collections.abc import Sequence
import dataclasses
from typing import Any

from fatcube.groundwork.progress import doing
from fatcube.noc.topology import Topology
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.constructions.known_all_reduce import doubling, ring
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.pipelined.build import lengths_of_parts
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.wiring import network_of
from fatcube.sim.collectives.run import Run
from fatcube.studies.given_schedules import judged_runs, machine_of
from fatcube.studies.large_messages.cells import PORTS
from fatcube.studies.large_messages.times import cycles_bound

__all__ = ["FLITS", "KNOWN_ON", "Known", "known_of"]


KNOWN_ON = ("mesh-4x4", "hypercube-16")
FLITS = (16, 256)  # of an undivided sum


@dataclasses.dataclass(frozen=True, kw_only=True)
class Known:
    """An all-reduce by a known algorithm.

    Members
    -------
    graph, algorithm : :class:`str`
    payload_flits, parts, steps : :class:`int`
        Flits of an undivided sum, of which each processor has one for every processor.
    cycles : :class:`int`
        In lockstep, by formula.
    bound : :class:`int`
        The cycles of the lower bound on adjacent steps, over all numbers of parts.
    counted, dataflow : :class:`int` or ``None``
        Read out of the hardware in lockstep and in dataflow; ``None`` if it was not run.
    failures : tuple of :class:`str`
    """

    graph: str
    algorithm: str
    payload_flits: int
    parts: int
    steps: int
    cycles: int
    bound: int
    counted: int | None = None
    dataflow: int | None = None
    failures: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The row as it stands in a file."""
        return {**dataclasses.asdict(self), "ratio": self.cycles / self.bound}


def known_of(name: str, topology: Topology, *, rtl: bool = True) -> list[Known]:
    """The known algorithms on a graph for all :data:`FLITS`; with ``rtl`` they are run in both modes."""
    rows: list[Known] = []
    made = {
        "ring": ring(topology, PORTS),
        "two rings": ring(topology, PORTS, rings=2),
        "halving and doubling": doubling(topology, PORTS),
    }
    for algorithm, schedule in made.items():
        check(schedule)
        network = network_of(schedule, RouterOptions(ports=PORTS))
        mine = [
            Known(
                graph=name,
                algorithm=algorithm,
                payload_flits=flits,
                parts=schedule.parts,
                steps=schedule.steps,
                cycles=lockstep_cycles(schedule, network, *lengths_of_parts(flits, schedule.parts)),
                bound=cycles_bound(topology, Collective.ALL_REDUCE, flits),
            )
            for flits in FLITS
        ]
        rows += _run(mine, schedule) if rtl else mine
    return rows


def _run(rows: Sequence[Known], schedule: Schedule) -> list[Known]:
    """The rows of a schedule with what was counted in lockstep and in dataflow, and everything that differed."""
    machine = machine_of([schedule], max(FLITS))
    found = []
    for row in rows:
        flits, last = lengths_of_parts(row.payload_flits, row.parts)
        runs = [Run(schedule=schedule, payload_flits=flits, last_flits=last, lockstep=mode) for mode in (True, False)]
        with doing(f"running all-reduce by {row.algorithm} on {row.graph}"):
            (lockstep, dataflow), failures = judged_runs(machine, runs)
        found.append(
            dataclasses.replace(row, counted=lockstep.cycles, dataflow=dataflow.cycles, failures=tuple(failures))
        )
    return found
