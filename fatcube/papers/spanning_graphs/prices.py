"""What is executed for a printed time of the spanning-graphs paper, and what that costs.

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

from fatcube.papers.spanning_graphs.counts import graph_of
from schedules.spanning.packets import N_PORT, ONE_PORT, SEND_AND_RECEIVE, Execution, Price, check_execution
from schedules.spanning.phases import by_label, by_level, by_size, farthest_first, in_phases, rotating
from schedules.spanning.pipelines import broadcast_by_label, broadcast_oldest_first, deliver, one_way

__all__ = [
    "GRID",
    "NAMES",
    "RUNS",
    "SHARED",
    "SIZES",
    "UNLIMITED",
    "WHOLE",
    "Grid",
    "Key",
    "cycle_sizes",
    "is_split",
    "least",
    "price",
    "time_of",
    "unlimited",
]


Key: TypeAlias = tuple[int | str, str]
Run: TypeAlias = Callable[[int, int, int], Execution]
Grid: TypeAlias = list[dict[str, int]]

NAMES = {
    4: "one-port one-to-all broadcasting",
    5: "n-port one-to-all broadcasting",
    7: "one-to-all personalized communication",
    8: "one-to-all personalized communication",
    9: "one-to-all personalized communication",
    11: "one-port all-to-all broadcasting",
    12: "one-port all-to-all broadcasting",
    13: "n-port all-to-all broadcasting",
    14: "n-port all-to-all broadcasting",
    15: "one-port all-to-all personalized communication",
    16: "one-port all-to-all personalized communication",
    17: "n-port all-to-all personalized communication",
    18: "n-port all-to-all personalized communication",
}

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


def _all_to_all() -> Iterator[tuple[Key, Run]]:
    """Tables 11, 13, 15 and 17: every node is a source."""
    for personalized, one, many in ((False, 11, 13), (True, 15, 17)):
        for table, ports, name, kind, when in (
            (one, ONE_PORT, "BRG", "brg", by_level),
            (one, ONE_PORT, "SBT", "sbt", by_size),
            (one, ONE_PORT, "nRSBT", "nrsbt", staggered),
            (one, ONE_PORT, "nESBT", "nesbt", by_label),
            (one, ONE_PORT, "SBnT", "sbntc", rotating),
            (many, N_PORT, "nRBRG", "nrbrg", by_level),
            (many, N_PORT, "SBT", "sbt", by_level),
            (many, N_PORT, "nRSBT", "nrsbt", by_level),
            (many, N_PORT, "nESBT", "nesbt", by_level),
            (many, N_PORT, "SBnT", "sbntc", by_level),
            (many, N_PORT, "TCBT", "tcbt", by_level),
            (many, N_PORT, "BRG", "brg", by_level),
        ):
            yield (table, name), _phases(kind, ports, when, personalized=personalized, everybody=True)
    for name in ("nRBRG", "SBT", "nRSBT", "nESBT", "SBnT", "TCBT", "BRG"):
        kind = "sbntc" if name == "SBnT" else name.lower()
        yield (
            ("17, reverse-breadth-first", name),
            _phases(kind, N_PORT, farthest_first, personalized=True, everybody=True),
        )


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

_TIMES = {8: 7, 9: 7, 12: 11, 14: 13, 16: 15, 18: 17}


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


def time_of(run: Key, n: int, M: int, B: int, tau: Fraction | int) -> Fraction:
    """The time of a run, exactly, for t_c = 1."""
    found = price(run, n, M, B)
    return found.startups * Fraction(tau) + found.elements


def least(run: Key, n: int, M: int, tau: Fraction | int) -> Fraction:
    """The least time over all whole B up to M, executed, for t_c = 1."""
    return min(time_of(run, n, M, B, tau) for B in range(1, M + 1))
