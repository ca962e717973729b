"""A problem and a way to build a schedule for it, as the options of a command describe them, and the schedule that is built."""

from collections.abc import Callable
import dataclasses
import time
from typing import NamedTuple

import typer

from fatcube.cli.arguments import processors, refuse_given, require
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
from fatcube.schedules.checker import Checked, ScheduleError, check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import best
from fatcube.schedules.pipelined.best import best_in_parts, best_number_of_parts
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.search import Finding
from fatcube.schedules.size import check_along, check_size, check_transfers, transfers_needed
from fatcube.schedules.spanning.construct import check_can_follow, construct_along
from fatcube.schedules.spanning.graphs import spanning_graph
from fatcube.schedules.spanning.trees import Order
from fatcube.schedules.step_model import StepModel

__all__ = [
    "AUTO",
    "Prepared",
    "Way",
    "build",
    "check_built",
    "check_payload",
    "find_schedule",
    "parts_along",
    "prepare",
    "problem_of",
    "refuse_other_ways",
    "rule_of",
    "schedule_of",
]


AUTO = "auto"  # the number of parts that takes the fewest cycles


@dataclasses.dataclass(frozen=True, kw_only=True)
class Way:
    """How a schedule is built: by an algorithm, along a spanning graph, in parts, or by construction and search.

    Members
    -------
    algorithm : :class:`Algorithm` or ``None``
        The algorithm of ``--by``.
    graph, order : :class:`str` or ``None``
        The spanning graph of ``--along``, and the order of the messages along it.
    parts : :class:`str`
        The number of parts of each message, or :data:`AUTO`.
    optimal : :class:`bool`
        Search in large cases, too.
    time_limit : :class:`float`
        Seconds of a search.
    """

    algorithm: Algorithm | None = None
    graph: str | None = None
    parts: str = "1"
    order: str | None = None
    optimal: bool = False
    time_limit: float = 20.0


def problem_of(
    topology: Topology,
    ports: PortModel,
    collective: str | None,
    root: int | None,
    model: StepModel,
    *,
    sources: str | None = None,
    targets: str | None = None,
    subset: str | None = None,
    algorithm: Algorithm | None = None,
) -> Problem:
    """The problem that the options of a command describe; ``None`` stands for what was not given.

    The root of a collective on a subset is, if not given, the first processor of the subset. The only collective of an algorithm
    need not be given, and its step model is that of ``model`` where nothing else was given.

    Raises
    ------
    ParameterError
        If there is no collective, or no such one, or no such root or participants of it.
    """
    if algorithm is not None:
        model = algorithm.model.with_given(model)
        if collective is None and len(algorithm.collectives) == 1:
            collective = algorithm.collectives[0].value
    if collective is None:
        raise ParameterError("collective must be given (-c), as in -c all-gather")
    parsed = Collective.parse(collective)
    sides = {"from": sources, "to": targets, "subset": subset}
    among = parsed.among(*(None if text is None else processors(name, text) for name, text in sides.items()))
    if root is None and subset is not None:
        root = (among.sources or among.targets or (0,))[0]
    elif root is not None and not parsed.rooted:
        raise ParameterError(f"root must be left out for {parsed.value}, which has none, not {root}")
    return Problem(topology, ports, parsed, root or 0, model, among)


def refuse_other_ways(
    context: typer.Context, way: Way, *, of_search: tuple[str, ...] = (), of_length: tuple[str, ...] = ()
) -> None:
    """Refuse the options of other ways to build a schedule than this one.

    ``of_search`` and ``of_length`` are parameters of the command that only a search has, or only messages that have a length.

    Raises
    ------
    ParameterError
        If such an option was given.
    """
    searching = ("optimal", *of_search)
    if way.algorithm is not None:
        told = ("graph", "parts", *of_length, "order", *searching)
        refuse_given(context, "with --by, which takes these from the algorithm", *told)
        return
    if way.graph is not None:
        refuse_given(context, "along a spanning graph, where nothing is searched", *searching, "time_limit")
        return
    require(context, "a spanning graph (--along)", "order")
    if way.parts != "1":
        refuse_given(context, "in several parts, where nothing is searched", *searching, "time_limit")


class Prepared(NamedTuple):
    """A schedule that can be built, as far as that is known before.

    Members
    -------
    what : :class:`str`
        A phrase for the problem and the way.
    make : callable
        Builds it.
    """

    what: str
    make: Callable[[], Finding]

    def built(self) -> Finding:
        """The schedule, while the phrase stands on standard error."""
        with doing(f"building {self.what}"):
            return self.make()


def find_schedule(
    problem: Problem,
    way: Way,
    *,
    network: Callable[[], Network],
    payload_flits: int,
    seed: int = 0,
    dry_run: bool = False,
) -> Finding:
    """The schedule that is built for a problem in one way: see :func:`prepare`."""
    prepared = prepare(problem, way, network=network, payload_flits=payload_flits, seed=seed)
    stop_if(dry_run, f"{prepared.what} can be built")
    return prepared.built()


def prepare(
    problem: Problem, way: Way, *, network: Callable[[], Network], payload_flits: int, seed: int = 0
) -> Prepared:
    """Check that a schedule can be built for a problem in one way, before anything is built.

    ``network`` makes the network on which the number of parts is chosen, for messages of ``payload_flits``.

    Raises
    ------
    ParameterError
        If there is no such way for this problem.
    """
    if way.algorithm is not None:
        return _by(problem, way.algorithm)
    if way.graph is not None:
        turn = None if way.order is None else Order(way.order)
        return _along(problem, way.graph, parts=parts_along(way.parts), order=turn)
    if way.parts != "1":
        return _in_parts(problem, _parts_of(way.parts), network=network(), payload_flits=payload_flits)
    return _best(problem, way, seed)


def build(problem: Problem) -> Finding:
    """The best schedule that is known for a problem."""
    return _best(problem, Way(), seed=0).built()


def _best(problem: Problem, way: Way, seed: int) -> Prepared:
    """The best schedule that is known, or found by search: see :func:`fatcube.schedules.construct.best`."""
    check_integer("seed", seed, minimum=0, maximum=2**31 - 1)
    check_size(problem)
    return Prepared(str(problem), lambda: best(problem, time_limit=way.time_limit, seed=seed, optimal=way.optimal))


def _parts_of(text: str) -> int | None:
    """The number of parts that an option says, ``None`` for the best one."""
    return None if text == AUTO else _parts(text, ' or "auto"')


def parts_along(text: str) -> int:
    """The number of parts that an option says along a spanning graph, where there is no best one."""
    return _parts(text, " along a spanning graph")


def _parts(text: str, otherwise: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 10 and int(text)):
        raise ParameterError(f"parts must be an integer of at least 1{otherwise}, not {text!r}")
    return int(text)


def _in_parts(problem: Problem, parts: int | None, *, network: Network, payload_flits: int) -> Prepared:
    """The best schedule that is known for a problem in ``parts`` parts, or in the number that takes the fewest cycles on ``network``.

    See :mod:`fatcube.schedules.pipelined.best`. ``payload_flits`` are those of an undivided message.
    """
    problem = problem.changed(parts=parts or 1)
    check_size(problem)
    check_payload(payload_flits)
    return Prepared(
        f"{problem} in {parts or 'the best number of'} parts",
        lambda: best_number_of_parts(problem, network, payload_flits) if parts is None else best_in_parts(problem),
    )


def check_payload(flits: int) -> int:
    """Return the flits of an undivided message if a run could count them."""
    return check_integer("payload flits", flits, minimum=1, maximum=MOST_FLITS - 1)


def _along(problem: Problem, graph: str, *, parts: int, order: Order | None) -> Prepared:
    """The schedule that follows a spanning graph: see :func:`fatcube.schedules.spanning.construct.construct_along`."""
    topology = problem.topology
    cube = topology.whole if isinstance(topology, Damaged) else topology
    if not isinstance(cube, Hypercube):
        raise ParameterError(
            f"topology must be a hypercube (--topology hypercube) along a spanning graph, not the {topology.name}"
        )
    tree = spanning_graph(graph, cube.d, problem.root or 0)
    check_can_follow(problem, order)
    check_size(Problem(topology, "d", Collective.OAB, problem.root or 0))  # the spread of one part, for the bound
    problem = problem.changed(parts=parts)
    if not problem.model.combining:
        check_along(tree, problem)
    return Prepared(f"{problem} along {graph}", lambda: construct_along(tree, problem, order=order))


def check_built(schedule: Schedule, model: StepModel, way: Way) -> Checked:
    """Check a schedule in the step model that it was built for, which may be another than its own.

    Raises
    ------
    ScheduleError
        If it is wrong.
    ParameterError
        If the spanning graph cannot be followed in that step model.
    """
    try:
        return check(schedule, model)
    except ScheduleError as error:
        if way.graph is None:
            raise
        raise ParameterError(
            f"{schedule.collective.value} along {way.graph} must be done without {model}: {error}"
        ) from None


def rule_of(graph: str | None) -> Rule:
    """The rule by which processors compute their children in a spanning graph."""
    found = (graph or "").lower()
    return Rule(check_choice("spanning graph of distributed processors", found, [rule.value for rule in Rule]))


def _by(problem: Problem, algorithm: Algorithm) -> Prepared:
    """The schedule that an algorithm of a paper makes, with the lower bound: see :mod:`fatcube.papers.algorithm`."""
    algorithm.check_takes(problem)
    check_size(problem)
    problem = problem.changed(parts=algorithm.parts(problem.topology))
    origins = 1 if problem.collective.rooted else len(problem.topology.translations)
    check_transfers(origins * transfers_needed(problem), f"for {problem} by {algorithm.name}")

    def make() -> Finding:
        started = time.monotonic()
        made = algorithm.schedule(problem)
        bound = lower_bound(problem)
        by = f"{algorithm.name}: {algorithm.source}"
        return Finding(problem.collective, made, by, bound, time.monotonic() - started)

    return Prepared(f"{problem} by {algorithm.name}", make)


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
