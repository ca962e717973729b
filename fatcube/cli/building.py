"""The schedule that the options of a command describe, built."""

import dataclasses

import typer

from fatcube.cli.output import complain, stop_if
from groundwork.progress import doing
from groundwork.validation import ParameterError
from noc.topologies.cubes import Hypercube
from noc.topology import Topology
from rtl.port_model import PortModel
from schedules.collective import Collective
from schedules.construct import best
from schedules.schedule import Schedule
from schedules.search import Finding
from schedules.size import check_along, check_size
from schedules.spanning.construct import construct_along
from schedules.spanning.graphs import spanning_graph
from schedules.spanning.trees import Order
from schedules.step_model import STANDARD, PortUse, StepModel

__all__ = ["Case", "build", "build_along", "schedule_of"]


@dataclasses.dataclass(frozen=True)
class Case:
    """A collective on a topology with a router model.

    Members
    -------
    topology : :class:`Topology`
    ports : :class:`PortModel`
    collective : :class:`Collective`
    root : :class:`int`
        0 for a collective that has none.
    """

    topology: Topology
    ports: PortModel
    collective: Collective
    root: int

    @classmethod
    def of(cls, topology: Topology, ports: PortModel, collective: str | None, root: int | None) -> "Case":
        """The case that the options of a command describe; ``None`` stands for what was not given.

        Raises
        ------
        ParameterError
            If there is no collective, or no such one, or no such root of it.
        """
        if collective is None:
            raise ParameterError("collective must be given (-c), as in -c all-gather")
        parsed = Collective.parse(collective)
        if parsed.rooted:
            parsed.check_root(topology, root or 0)
        elif root is not None:
            raise ParameterError(f"root must be left out for {parsed.value}, which has none, not {root}")
        return cls(topology, ports, parsed, root or 0)

    def __str__(self) -> str:
        return f"{self.collective.value} on {self.topology}"


def build(
    case: Case,
    *,
    time_limit: float = 20.0,
    seed: int = 0,
    optimal: bool = False,
    model: StepModel = STANDARD,
    dry_run: bool = False,
) -> Finding:
    """The best schedule that is known for ``case``: see :func:`schedules.construct.best`."""
    check_size(case.topology, case.ports, case.collective, case.root)
    stop_if(dry_run, f"{case} can be built")
    with doing(f"building {case}"):
        return best(
            case.topology,
            case.ports,
            case.collective,
            case.root,
            time_limit=time_limit,
            seed=seed,
            optimal=optimal,
            model=model,
        )


def build_along(
    case: Case, graph: str, *, parts: int, model: StepModel, order: Order | None = None, dry_run: bool
) -> Finding:
    """The schedule that follows a spanning graph: see :func:`schedules.spanning.construct.construct_along`."""
    if not isinstance(case.topology, Hypercube):
        raise ParameterError(
            f"topology must be a hypercube (--topology hypercube) along a spanning graph, not {case.topology}"
        )
    tree = spanning_graph(graph, case.topology.d, case.root)
    check_size(case.topology, "d", Collective.OAB)  # that spreads a part, for the bound
    if not model.combining:
        one_port = model.port_use is PortUse.ONE_PARTNER or case.ports is PortModel.ONE
        check_along(tree, case.topology, case.collective, parts, one_port)
    stop_if(dry_run, f"{case.collective.value} along {graph} on {case.topology} can be built")
    return construct_along(tree, case.ports, case.collective, model=model, parts=parts, order=order)


def schedule_of(finding: Finding) -> Schedule:
    """The schedule that was found; where there is none, the command ends with exit status 1 and says why."""
    if finding.schedule is None:
        because = "out of time" if finding.stopped is None else finding.stopped.value
        complain(
            f"no schedule found in {finding.seconds:.1f} s: {because}; the lower bound is {finding.bound.steps} steps "
            f"({finding.bound.reason})"
        )
        raise typer.Exit(1)
    return finding.schedule
