"""Executions for the printed times of the spanning-graphs paper, and their costs.

Every price is that of an execution (schedules/spanning/packets.py) which follows the routing and the scheduling
discipline and knows no formula. The data is split among n trees as equally as whole elements can be. An n-port or
all-to-all communication transfers the same elements whatever B is, and every phase of it takes one start-up if B is
large enough: there B_opt is the largest packet that is sent without a limit, and T_min what it costs then. Where the
broadcast is pipelined T_min is the least time over all whole B, executed one by one.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
import functools
from typing import Any, TypeAlias

from fatcube.papers.spanning_graphs.counts import graph_of, kind_of
from fatcube.schedules.spanning.packets import N_PORT, ONE_PORT, SEND_AND_RECEIVE, Execution, Price, check_execution
from fatcube.schedules.spanning.phases import by_label, by_level, by_size, farthest_first, in_phases, rotating
from fatcube.schedules.spanning.pipelines import broadcast_by_label, broadcast_oldest_first, deliver, one_way

__all__ = [
    "GRID",
    "RUNS",
    "SHARED",
    "SIZES",
    "UNLIMITED",
    "WHOLE",
    "Grid",
    "Key",
    "cost",
    "cycle_sizes",
    "is_split",
    "least",
    "name_of",
    "price",
    "problem_of",
    "run_of",
    "time_of",
    "unlimited",
]


Key: TypeAlias = tuple[int | str, str]
Run: TypeAlias = Callable[[int, int, int], Execution]
Grid: TypeAlias = list[dict[str, int]]

_PROBLEMS = {
    4: ("one-to-all broadcasting", ONE_PORT),
    5: ("one-to-all broadcasting", N_PORT),
    7: ("one-to-all personalized", ""),  # the routing's name says the ports
    11: ("all-to-all broadcasting", ONE_PORT),
    13: ("all-to-all broadcasting", N_PORT),
    15: ("all-to-all personalized", ONE_PORT),
    17: ("all-to-all personalized", N_PORT),
}
_TIMES = {8: 7, 9: 7, 12: 11, 14: 13, 16: 15, 18: 17}
"""The tables of times that tables of B_opt and T_min are of."""


def name_of(table: int) -> str:
    """The title of a table: its problem and its ports."""
    problem, ports = _PROBLEMS[_TIMES.get(table, table)]
    return f"{ports} {problem}".strip() + " communication" * problem.endswith("personalized")


def run_of(problem: str, ports: str, name: str) -> "Key":
    """The run of a routing that solves a problem with these ports."""
    found = [table for table, solved in _PROBLEMS.items() if solved == (problem, ports)]
    return (found[0], name) if found else (7, f"{name}, {ports}")


def problem_of(run: "Key") -> tuple[str, str]:
    """The communication problem that a run solves, and with how many ports."""
    problem, ports = _PROBLEMS[int(str(run[0]).partition(",")[0])]
    return problem, ports or run[1].rpartition(", ")[2]


SIZES = (3, 4, 5, 6)
UNLIMITED = 1 << 20


def _grid() -> Iterator[dict[str, int]]:
    for n in SIZES:
        for M in sorted({1, n - 1, n, n + 1, 2 * n, 3 * n + 1} if n < 6 else {1, n, n + 1, 2 * n}):
            for B in sorted({1, 2, -(-M // n), max(1, M - 1), M, M + 1, 3 * M, M << n}):
                yield {"n": n, "M": M, "B": B}


def _shared() -> Iterator[dict[str, int]]:
    for n in SIZES:
        for M in (n, 2 * n):
            for B in sorted({1, 2, 3, M // n, M - 1, M, M + 1, 3 * M, M << n}):
                yield {"n": n, "M": M, "B": B}


GRID: Grid = list(_grid())
"""n, M and B: M divisible by n and not, B from one element to more than there is."""
SHARED: Grid = list(_shared())
"""n, M and B where n divides M, for graphs of n trees."""
WHOLE: Grid = [{"n": n, "M": M} for n in SIZES for M in (1, n, n + 1, 2 * n, 3 * n + 1)]
"""n and M where B has no limit."""


def is_split(name: str) -> bool:
    """Whether a routing splits the data among n trees."""
    return name.startswith(("n", "SBnT"))


def _phases(kind: str, ports: str, when: Any, *, personalized: bool = False, everybody: bool = False) -> Run:
    return functools.partial(_in_phases, kind, ports, when, personalized, everybody)


def _in_phases(
    kind: str, ports: str, when: Any, personalized: bool, everybody: bool, n: int, M: int, B: int
) -> Execution:
    labels = _labels(when, kind, n)
    return in_phases(graph_of(kind, n), ports, M, B, labels, personalized=personalized, everybody=everybody)


@functools.cache
def _labels(when: Any, kind: str, n: int) -> Any:
    return when(graph_of(kind, n))


def _itself(tree: int) -> int:
    return tree


def staggered(graph: Any) -> Any:
    """nRSBT, one-port: the tree that is rotated j steps begins in cycle j (section 4.1.4)."""
    return by_size(graph, _itself)


def _deliver(kind: str, ports: str, *, farthest: bool = False) -> Run:
    return functools.partial(_delivered, kind, ports, farthest)


def _delivered(kind: str, ports: str, farthest: bool, n: int, M: int, B: int) -> Execution:
    # On a path the data for a node is a packet of its own: larger ones would only be held up (section 1).
    limit = min(M, B) if kind == "brg" else B
    return deliver(graph_of(kind, n), ports, M, limit, farthest_first=farthest)


def _broadcast(kind: str, ports: str) -> Run:
    return functools.partial(_broadcasted, kind, ports)


def _broadcasted(kind: str, ports: str, n: int, M: int, B: int) -> Execution:
    return broadcast_oldest_first(graph_of(kind, n), ports, M, B)


def _by_labels(n: int, M: int, B: int) -> Execution:
    graph: Any = graph_of("nesbt", n)
    return broadcast_by_label(graph, M, B)


def _by_labels_one_way(n: int, M: int, B: int) -> Execution:
    return one_way(_by_labels(n, M, B))


_ONE_PORT = {"BRG": by_level, "SBT": by_size, "nRSBT": staggered, "nESBT": by_label, "SBnT": rotating}
_N_PORT = ("nRBRG", "SBT", "nRSBT", "nESBT", "SBnT", "TCBT", "BRG")


def _all_to_all() -> Iterator[tuple[Key, Run]]:
    """Tables 11, 13, 15 and 17: every node is a source."""
    for personalized, one, many in ((False, 11, 13), (True, 15, 17)):
        for name, when in _ONE_PORT.items():
            yield (one, name), _phases(kind_of(name), ONE_PORT, when, personalized=personalized, everybody=True)
        for name in _N_PORT:
            yield (many, name), _phases(kind_of(name), N_PORT, by_level, personalized=personalized, everybody=True)
    for name in _N_PORT:
        run = _phases(kind_of(name), N_PORT, farthest_first, personalized=True, everybody=True)
        yield ("17, reverse-breadth-first", name), run


RUNS: dict[Key, Run] = {
    (4, "BRG"): _broadcast("brg", ONE_PORT),
    (4, "SBT"): _phases("sbt", ONE_PORT, by_size),
    (4, "nRSBT"): _phases("nrsbt", ONE_PORT, staggered),
    (4, "TCBT"): _broadcast("tcbt", ONE_PORT),
    (4, "nESBT"): _by_labels,
    (5, "nRBRG"): _phases("nrbrg", N_PORT, by_level),
    (5, "BRG"): _broadcast("brg", N_PORT),
    (5, "SBT"): _broadcast("sbt", N_PORT),
    (5, "nRSBT"): _phases("nrsbt", N_PORT, by_size),
    (5, "TCBT"): _broadcast("tcbt", N_PORT),
    (5, "nESBT"): _broadcast("nesbt", N_PORT),
    ("4, send and receive", "BRG"): _broadcast("brg", SEND_AND_RECEIVE),
    ("4, send and receive", "TCBT"): _broadcast("tcbt", SEND_AND_RECEIVE),
    ("4, send or receive", "nESBT"): _by_labels_one_way,
    ("4, not pipelined", "BRG"): _phases("brg", ONE_PORT, by_level),
    (7, "BRG, one-port"): _deliver("brg", ONE_PORT),
    (7, "SBT, one-port"): _phases("sbt", ONE_PORT, by_size, personalized=True),
    (7, "nRSBT, one-port"): _phases("nrsbt", ONE_PORT, staggered, personalized=True),
    (7, "TCBT, one-port"): _phases("tcbt", ONE_PORT, by_size, personalized=True),
    (7, "SBnT, one-port"): _deliver("sbntc", ONE_PORT),
    (7, "nRBRG, n-port"): _phases("nrbrg", N_PORT, by_level, personalized=True),
    (7, "SBT, n-port"): _phases("sbt", N_PORT, farthest_first, personalized=True),
    (7, "nRSBT, n-port"): _phases("nrsbt", N_PORT, farthest_first, personalized=True),
    (7, "TCBT, n-port"): _phases("tcbt", N_PORT, farthest_first, personalized=True),
    (7, "SBnT, n-port"): _phases("sbntc", N_PORT, farthest_first, personalized=True),
    ("7, send and receive", "BRG"): _deliver("brg", SEND_AND_RECEIVE),
    ("7, not pipelined", "BRG"): _phases("brg", ONE_PORT, by_level, personalized=True),
    ("7, pipelined", "SBT"): _deliver("sbt", ONE_PORT),
    ("7, pipelined", "TCBT"): _deliver("tcbt", ONE_PORT),
    ("7, one tree", "SBnT"): _deliver("sbnt", ONE_PORT),
    ("7, levels merged", "SBnT"): _deliver("sbntc", N_PORT, farthest=True),
    **dict(_all_to_all()),
    # Section 7.1: every tree uses one dimension in a cycle, the n of them different ones.
    (17, "nRSBT"): _phases("nrsbt", N_PORT, by_size, personalized=True, everybody=True),
    ("17, postorder", "nRSBT"): _phases("nrsbt", N_PORT, by_level, personalized=True, everybody=True),
    ("13, one dimension a tree", "nRSBT"): _phases("nrsbt", N_PORT, by_size, everybody=True),
}
"""What is executed for a row of a table, by (table and variant, routing): a function of n, M and B."""


def unlimited(table: int, name: str) -> Key:
    """The run of a row of a table of B_opt and T_min, which are those of the table of times before it."""
    return _TIMES.get(table, table), name


@functools.cache
def price(run: Key, n: int, M: int, B: int) -> Price:
    """The start-ups and elements of a run, which is checked packet by packet."""
    return check_execution(RUNS[run](n, M, B))


@functools.cache
def cycle_sizes(run: Key, n: int, M: int) -> tuple[int, ...]:
    """The largest packet of every cycle where B is no limit."""
    execution = RUNS[run](n, M, UNLIMITED)
    check_execution(execution)
    return tuple(execution.sizes)


def cost(run: Key, quantity: str) -> Callable[..., int]:
    """The ``startups``, the ``elements`` or the largest ``packet`` of a run, as a function of n, M and B.

    M is n where it is not given, and B has no limit; for the largest packet it never has one.
    """
    return functools.partial(_cost, run, quantity)


def _cost(run: Key, quantity: str, n: int, M: int | None = None, B: int = UNLIMITED) -> int:
    M = n if M is None else M
    return max(cycle_sizes(run, n, M)) if quantity == "packet" else getattr(price(run, n, M, B), quantity)


def time_of(run: Key, n: int, M: int, B: int, tau: Fraction | int) -> Fraction:
    """The time of a run, exactly, for t_c = 1."""
    found = price(run, n, M, B)
    return found.startups * Fraction(tau) + found.elements


@functools.cache
def least(run: Key, n: int, M: int, tau: Fraction | int) -> Fraction:
    """The least time over all whole B up to M, executed, for t_c = 1."""
    return min(time_of(run, n, M, B, tau) for B in range(1, M + 1))
