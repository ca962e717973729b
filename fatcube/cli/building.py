"""The schedule that the options of a command describe, built."""

import dataclasses
import time

import typer

from fatcube.cli.arguments import processors
from fatcube.cli.output import complain, stop_if
from fatcube.groundwork.progress import doing
from fatcube.groundwork.validation import ParameterError, check_choice, check_integer
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.damaged import Damaged
from fatcube.noc.topology import Topology
from fatcube.papers.algorithm import Algorithm
from fatcube.rtl.endpoint.distributed.rules import Rule
from fatcube.rtl.endpoint.monitor import MOST_FLITS
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import best
from fatcube.schedules.parted.best import best_in_parts, best_number_of_parts
from fatcube.schedules.participants import EVERYBODY, Participants
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.search import Finding
from fatcube.schedules.size import check_along, check_size, check_transfers, transfers_needed
from fatcube.schedules.spanning.construct import construct_along
from fatcube.schedules.spanning.graphs import spanning_graph
from fatcube.schedules.spanning.trees import Order
from fatcube.schedules.step_model import STANDARD, PortUse, StepModel

__all__ = [
    "AUTO",
    "Case",
    "build",
    "build_along",
    "build_by",
    "build_in_parts",
    "parts_along",
    "parts_of",
    "rule_of",
    "schedule_of",
]


AUTO = "auto"  # the number of parts that takes the fewest cycles


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
    among : :class:`Participants`
    """

    topology: Topology
    ports: PortModel
    collective: Collective
    root: int
    among: Participants = EVERYBODY

    @classmethod
    def of(
        cls,
        topology: Topology,
        ports: PortModel,
        collective: str | None,
        root: int | None,
        *,
        sources: str | None = None,
        targets: str | None = None,
        subset: str | None = None,
        algorithm: Algorithm | None = None,
    ) -> "Case":
        """The case that the options of a command describe; ``None`` stands for what was not given.

        The root of a collective on a subset is, if not given, the first processor of that. Of an algorithm that does one
        collective only, this one need not be given.

        Raises
        ------
        ParameterError
            If there is no collective, or no such one, or no such root or participants of it.
        """
        if collective is None and algorithm is not None and len(algorithm.collectives) == 1:
            collective = algorithm.collectives[0].value
        if collective is None:
            raise ParameterError("collective must be given (-c), as in -c all-gather")
        parsed = Collective.parse(collective)
        sides = {"from": sources, "to": targets, "subset": subset}
        among = parsed.among(*(None if text is None else processors(name, text) for name, text in sides.items()))
        if parsed.rooted:
            if root is None and subset is not None:
                root = (among.sources or among.targets or (0,))[0]
            parsed.check_root(topology, root or 0)
        elif root is not None:
            raise ParameterError(f"root must be left out for {parsed.value}, which has none, not {root}")
        parsed.check_among(topology, (root or 0) if parsed.rooted else None, among)
        return cls(topology, ports, parsed, root or 0, among)

    def __str__(self) -> str:
        return f"{self.collective.value}{'' if self.among.all else f' {self.among}'} on {self.topology}"


def build(
    case: Case,
    *,
    time_limit: float = 20.0,
    seed: int = 0,
    optimal: bool = False,
    model: StepModel = STANDARD,
    dry_run: bool = False,
) -> Finding:
    """The best schedule that is known for ``case``: see :func:`fatcube.schedules.construct.best`."""
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
            among=case.among,
        )


def parts_of(text: str) -> int | None:
    """The number of parts that an option says, ``None`` for the best one."""
    return None if text == AUTO else _parts(text, ' or "auto"')


def parts_along(text: str) -> int:
    """The number of parts that an option says along a spanning graph, where there is no best one."""
    return _parts(text, " along a spanning graph")


def _parts(text: str, otherwise: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 10 and int(text)):
        raise ParameterError(f"parts must be an integer of at least 1{otherwise}, not {text!r}")
    return int(text)


def build_in_parts(
    case: Case,
    parts: int | None,
    *,
    network: Network,
    payload_flits: int,
    model: StepModel = STANDARD,
    dry_run: bool = False,
) -> Finding:
    """The best schedule that is known for ``case`` in so many parts, or in those that take the fewest cycles on ``network``.

    See :mod:`fatcube.schedules.parted.best`. ``payload_flits`` are those of an undivided message.
    """
    check_size(case.topology, case.ports, case.collective, case.root, parts or 1)
    check_integer("payload flits", payload_flits, minimum=1, maximum=MOST_FLITS - 1)
    stop_if(dry_run, f"{case} in {parts or 'the best number of'} parts can be built")
    root = case.root if case.collective.rooted else None
    some = {"model": model, "among": case.among}
    with doing(f"building {case} in {parts or 'the best number of'} parts"):
        if parts is not None:
            return best_in_parts(case.topology, case.ports, case.collective, root, parts=parts, **some)
        return best_number_of_parts(case.topology, network, case.collective, root, payload_flits, **some)


def build_along(
    case: Case, graph: str, *, parts: int, model: StepModel, order: Order | None = None, dry_run: bool
) -> Finding:
    """The schedule that follows a spanning graph: see :func:`fatcube.schedules.spanning.construct.construct_along`."""
    network = case.topology if isinstance(case.topology, Damaged) else None
    cube = case.topology if network is None else network.whole
    if not isinstance(cube, Hypercube):
        raise ParameterError(
            f"topology must be a hypercube (--topology hypercube) along a spanning graph, not {case.topology}"
        )
    tree = spanning_graph(graph, cube.d, case.root)
    check_size(case.topology, "d", Collective.OAB)  # that spreads a part, for the bound
    if not model.combining:
        one_port = model.port_use is PortUse.ONE_PARTNER or case.ports is PortModel.ONE
        check_along(tree, case.topology, case.collective, parts, one_port)
    stop_if(dry_run, f"{case} along {graph} can be built")
    return construct_along(
        tree,
        case.ports,
        case.collective,
        model=model,
        parts=parts,
        order=order,
        among=case.among,
        network=network,
    )


def rule_of(graph: str | None) -> Rule:
    """The rule by which processors compute their children in a spanning graph."""
    found = (graph or "").lower()
    return Rule(check_choice("spanning graph with --distributed", found, [rule.value for rule in Rule]))


def build_by(case: Case, algorithm: Algorithm, *, model: StepModel, dry_run: bool) -> Finding:
    """The schedule that an algorithm of a paper makes, with the lower bound: see :mod:`fatcube.papers.algorithm`."""
    topology, ports, collective = case.topology, case.ports, case.collective
    algorithm.check_takes(topology, ports, collective)
    if not case.among.all:
        raise ParameterError(f"participants must be all processors by {algorithm.name}, not {case.among}")
    model.check_ports(ports).lanes_of(topology)
    check_size(topology, ports, collective, case.root)
    origins = 1 if collective.rooted else len(topology.translations)
    transfers = origins * transfers_needed(topology, collective, algorithm.parts(topology))
    check_transfers(transfers, f"for {case} by {algorithm.name}")
    stop_if(dry_run, f"{case} by {algorithm.name} can be built")
    started = time.monotonic()
    with doing(f"building {case} by {algorithm.name}"):
        made = algorithm.schedule(topology, ports, collective, case.root, model)
        bound = lower_bound(topology, ports, collective, case.root, model, made.parts)
    return Finding(collective, made, f"{algorithm.name}: {algorithm.source}", bound, time.monotonic() - started)


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
