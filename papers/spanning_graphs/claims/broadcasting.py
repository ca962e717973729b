"""Sections 1 and 4: broadcasting, its lower bounds, and Table 6."""

from collections.abc import Callable
from fractions import Fraction
import functools
import operator
from typing import Any

from fatcube.noc.topologies.cubes import Hypercube
from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.expression import Number
from fatcube.papers.spanning_graphs import printed
from fatcube.papers.spanning_graphs.bounds import bound_of
from fatcube.papers.spanning_graphs.claims.common import (
    EXECUTED,
    SHARE,
    against,
    equal,
    fact_case,
    in_words,
    optimal,
    priced,
)
from fatcube.papers.spanning_graphs.claims.times import growth
from fatcube.papers.spanning_graphs.counts import graph_of
from fatcube.papers.spanning_graphs.formula import value
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.spanning_graphs.prices import GRID, SIZES, UNLIMITED, WHOLE, Key, cycle_sizes, least, price, time_of
from fatcube.papers.verdict import ABOUT, Case, about, case, judged
from fatcube.schedules.spanning.packets import N_PORT, ONE_PORT
from fatcube.schedules.spanning.pipelines import broadcast_by_label, broadcast_oldest_first

claim = functools.partial(PAPER.claim, evidence=EXECUTED)


@claim("section 4", "n (t_c + tau)", over=each(n=range(2, 9), ports=(ONE_PORT, N_PORT)))
@said(evidence="executed: M = B = 1, one-port and n-port")
def strict_bound_of_one_element(n: int, ports: str) -> Case:
    """With M = 1 the strict lower bound n (t_c + tau) is attained by SBT, one-port and n-port."""
    return optimal((4 if ports == ONE_PORT else 5, "SBT"), (n, n), n, 1, 1)


@claim("section 4", "any spanning graph of height n", over=each(n=range(2, 9), graph=("SBT", "nRSBT", "TCBT")))
@said(evidence="executed: M = B = 1")
def graphs_of_height_n(n: int, graph: str) -> Case:
    """With M = 1 and n ports any spanning graph of height n attains n (t_c + tau): SBT, nRSBT and TCBT."""
    return optimal((5, graph), (n, n), n, 1, 1)


@claim("section 4", "n (t_c + tau)", over=columns("n M", [(n, M) for n in SIZES for M in range(2, n + 1)]))
def bound_of_few_elements(n: int, M: int) -> Case:
    """With 1 < M <= n and n ports nRSBT attains the lower bound n (t_c + tau)."""
    return optimal((5, "nRSBT"), (n, n), n, M, 1)


@claim("section 4", "ceil(M/n) n (t_c + tau)", over=WHOLE, evidence="executed: B = 1")
def rotated_trees_without_pipelining(n: int, M: int) -> Case:
    """nRSBT, n-port: without pipelining it takes ceil(M/n) n (t_c + tau), in packets of one element."""
    return priced(price((5, "nRSBT"), n, M, 1), (-(-M // n) * n,) * 2)


@claim("section 4", "1", over=each(n=range(2, 8)))
@said(evidence="executed: M = 1 compared with SBT one-port, M = n compared with nRSBT n-port, B = 1")
def inferior_by_one_cycle(n: int) -> Case:
    """Where one routing cycle is enough for the source, nESBT is inferior by one routing cycle, one-port and n-port."""
    one = price((4, "nESBT"), n, 1, 1).startups - price((4, "SBT"), n, 1, 1).startups
    many = price((5, "nESBT"), n, n, 1).startups - price((5, "nRSBT"), n, n, 1).startups
    text = "{} cycle(s) more one-port, {} n-port"
    return case(text.format(one, many), text.format(1, 1))


@claim(
    "section 4",
    "the lowest",
    name="nESBT_is_the_best_{id}",
    parameters=[
        {"id": "one_port", "ports": "one-port", "table": 4, "others": ("BRG", "SBT", "nRSBT", "TCBT"), "least": "1"},
        {"id": "n_port", "ports": "n-port", "table": 5, "others": ("nRBRG", "SBT", "nRSBT", "TCBT"), "least": "n"},
    ],
    conditions=(
        "4*n*tau <= (n - 1)**2*M",
        "4*n**2*tau <= (n - 1)**2*M",
        "8*n**2*tau <= (n - 1)**2*M",
        "tau <= (n - 1)*M",
        "tau <= M",
        "n*tau <= M",
        "4*n*tau <= M - 1",
        "tau <= 4",
        "tau <= 1",
    ),
    evidence="executed with every whole B up to M; tau in units of t_c",
    reading="B is whole: of the printed T_min, for any B, that of nESBT is the least up to 4 n^2 tau = (n - 1)^2 M t_c with "
    "n ports, and up to 4 n tau = (n - 1)^2 M t_c with one",
)
def best_of_all(table: int, others: tuple[str, ...]) -> Cases:
    """With {ports} communication and M > {least} nESBT needs the least time of all graphs, each with its best B."""
    sizes = [(n, M) for n in SIZES for M in (2, n, 2 * n, 4 * n) if M > (1 if table == 4 else n)]
    for n, M in sizes:
        edge = Fraction((n - 1) ** 2 * M, 4 * n * n)
        for tau in (Fraction(1, 4), 1, 4, 16, 64, edge / 2, edge * Fraction(9, 10), edge):
            found = least((table, "nESBT"), n, M, tau)
            best, other = min(((least((table, name), n, M, tau), name) for name in others), key=operator.itemgetter(0))
            shown = f"at most {float(best):.6g} of {other}", f"{float(found):.6g}"
            yield Case({"n": n, "M": M, "tau": tau}, *shown, found <= best)


@claim("section 1", "separately", over=each(n=SIZES, M=(1, 2, 5), tau=(0, 1, Fraction(5, 2), 5, 6, 20, 50, 160, 400)))
@said(
    conditions=("tau <= (2**n - 3)*M/2",),
    evidence="executed: 2N - 3 start-ups and (2N - 3) M elements, or N - 1 and N (N - 1) M/2 with all data below an edge "
    "in a packet; tau in units of t_c",
)
def separate_data_on_a_path(n: int, M: int, tau: Fraction) -> Case:
    """Along a path the time of personalized communication is the least with the data of each node by itself."""
    apart = time_of((7, "BRG, one-port"), n, M, M, tau)
    merged = time_of(("7, not pipelined", "BRG"), n, M, UNLIMITED, tau)
    return judged(str(apart), f"at most {merged}", apart <= merged)


@claim("section 4.1.2", "(M t_c + ceil(M/B) tau) n; B_opt = M", over=GRID)
def broadcast_along_binomial_tree(**given: int) -> Case:
    """SBT, one-port: T = (M t_c + ceil(M/B) tau) n, so that the transfers are independent of B."""
    found = tuple(price((4, "SBT"), **given))
    expected = -(-given["M"] // given["B"]) * given["n"], given["M"] * given["n"]
    return priced(found, expected)


@claim("section 4.1.4", "M/n, 2 M/n, ..., M, ..., M/n", over=each(n=SIZES))
@said(evidence="executed: no limit of B", reading=SHARE)
def packets_grow_and_shrink(n: int) -> Case:
    """nRSBT, one-port: the packets grow linearly from M/n to M and shrink to M/n in the last cycle."""
    expected = tuple(2 * min(cycle + 1, 2 * n - 1 - cycle) for cycle in range(2 * n - 1))
    return case(in_words(list(cycle_sizes((4, "nRSBT"), n, 2 * n))), in_words(list(expected)), M=2 * n)


_PACKETS = columns("n packets", [(n, packets) for n in SIZES for packets in (1, 2, n, n + 1, 3 * n)])


@claim("theorem 4.3", "the first n cycles, and the last", over=_PACKETS)
def one_direction(n: int, packets: int) -> Case:
    """nESBT, one-port: links are used in one direction in the first n cycles and the last, and in no others."""
    graph: Any = graph_of("nesbt", n)
    cycles = broadcast_by_label(graph, packets, 1).cycles
    found = [number for number, cycle in enumerate(cycles) if len({one.src < one.dst for one in cycle}) == 1]
    return case(f"in cycles {in_words(found)}", f"in cycles {in_words([*range(n), n + packets - 1])}")


@claim("section 4.1.5", "2n and n + 1", over=each(n=range(2, 8)), evidence="executed: M = n, B = 1")
def cycles_of_n_packets(n: int) -> Case:
    """nESBT: n packets take 2n cycles with one port and n + 1 with n ports."""
    found = [price((table, "nESBT"), n, n, 1).startups for table in (4, 5)]
    text = "{} cycles one-port, {} n-port"
    return case(text.format(*found), text.format(2 * n, n + 1))


@claim("section 4.1.5", "2n - 1 and n", over=each(n=range(2, 9), ports=(ONE_PORT, N_PORT)))
@said(
    evidence="proven for any routing: the farthest node is n hops away, and then receives n packets on one port or on n"
)
def least_cycles_of_n_packets(n: int, ports: str) -> Case:
    """To broadcast n packets takes at least 2n - 1 cycles with one port and n with n ports, by any routing."""
    found = bound_of("one-to-all broadcasting", ports, n, n, B=1).price.startups
    least = 2 * n - 1 if ports == ONE_PORT else n
    return judged(f"at least {found} cycles", f"at least {least}", found >= least or None)


@claim("section 4.1.5", "|c| and |c| + 2", over=each(n=SIZES), evidence="executed: M = n, B = 1; cycles counted from 1")
def first_arrivals(n: int) -> Case:
    """nESBT, n-port: a node's ports of ones receive first in cycle |c|, its other ports in cycle |c| + 2."""
    found: dict[tuple[int, int], int] = {}
    for number, cycle in enumerate(broadcast_oldest_first(graph_of("nesbt", n), N_PORT, n, 1).cycles, start=1):
        for packet in cycle:
            found.setdefault((packet.src, packet.dst), number)
    links = [(c, d) for c in range(1, 1 << n) for d in range(n)]
    expected = {(c ^ 1 << d, c): c.bit_count() + (0 if c >> d & 1 else 2) for c, d in links}
    return fact_case(found == expected, "all ports of all nodes receive first then")


_COLUMNS = {
    "one packet": ("", "executed: M = B = 1"),
    "many packets": ("", "executed: the growth from 3n to 5n packets"),
    "large tau": (
        f"{ABOUT}: as n grows the quotient tends to 1, to 2 for one-port TCBT and nRSBT",
        "the least start-ups of all B, which are those of M = n elements in one packet for each tree, executed for n = 3 "
        "to 6; beyond, the start-ups of Tables 4 and 5, which executions confirm",
    ),
    "small tau": (ABOUT, "executed: B = 1, M = 20 n^2, elements alone"),
}


@claim(
    "Table 6",
    "{text}",
    name="ratio_{ports}_{name}_{column}",
    parameters=columns(
        "ports name column text reading shown",
        [(*cell, text, *_COLUMNS[cell[2]]) for cell, text in printed.RATIOS.items()],
    ),
    evidence="{shown}",
)
def ratio_to_nESBT(ports: str, name: str, column: str, text: str, reading: str) -> Cases:
    """{ports} {name} takes {text} times the time of nESBT ({column})."""
    run = 4 if ports == ONE_PORT else 5, name
    cases = each(n=range(3, 65 if column == "large tau" else 7))
    return against(functools.partial(_RATIOS[column], run), text, cases, about if reading else equal)


def _of_one_packet(run: Key, n: int) -> Fraction:
    return Fraction(price(run, n, 1, 1).startups, price((run[0], "nESBT"), n, 1, 1).startups)


def _of_many_packets(run: Key, n: int) -> Fraction:
    return growth(run, n) / growth((run[0], "nESBT"), n)


def _fewest_startups(run: Key, n: int) -> Number:
    if n in SIZES:
        return min(price(run, n, n, B).startups for B in (1, n, UNLIMITED))
    assert isinstance(run[0], int)
    return value(printed.T[run[0]][run[1]].startups, n=n, M=n, B=n)


def _of_large_tau(run: Key, n: int) -> Fraction:
    return Fraction(_fewest_startups(run, n)) / Fraction(_fewest_startups((run[0], "nESBT"), n))


def _of_small_tau(run: Key, n: int) -> Fraction:
    return Fraction(price(run, n, 20 * n * n, 1).elements, price((run[0], "nESBT"), n, 20 * n * n, 1).elements)


_RATIOS: dict[str, Callable[..., Number]] = {
    "one packet": _of_one_packet,
    "many packets": _of_many_packets,
    "large tau": _of_large_tau,
    "small tau": _of_small_tau,
}


@claim("section 5", "n N M/2, and (N - 1) M", over=each(n=range(2, 9)))
@said(evidence="hops by shortest ways added up, M = 1; each node once")
def total_bandwidth(n: int) -> Case:
    """The cube has to transfer n N M/2 elements in personalized communication, and (N - 1) M in broadcasting."""
    hops = sum(Hypercube(n).distances[0])
    text = "{} hops, and {} nodes to reach"
    return case(text.format(hops, Hypercube(n).nodes - 1), text.format(n * 2 ** (n - 1), 2**n - 1))
