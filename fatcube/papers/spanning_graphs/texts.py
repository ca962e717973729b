"""What sections 1 and 4 to 7 of the spanning-graphs paper say of costs beside the tables, held against executions."""

from fractions import Fraction
from functools import cache
from math import comb, log2, pi, sqrt

from fatcube.papers.audit import arithmetic
from fatcube.papers.spanning_graphs import printed as printed
from fatcube.papers.spanning_graphs.prices import (
    CONDITIONS,
    GRID,
    NAMES,
    OPTIMUM_CASES,
    OPTIMUM_CONDITIONS,
    SIZES,
    UNLIMITED,
    against,
    by_coverage,
    close,
    cycle_sizes,
    fewest_of,
    graph_of,
    in_words,
    least,
    loads_of,
    of_N,
    price,
    shown_case,
)
from schedules.spanning.graphs import SBnTc
from schedules.spanning.loads import top
from schedules.spanning.packets import N_PORT, ONE_PORT
from schedules.spanning.pipelines import broadcast_by_label, broadcast_oldest_first, deliver

__all__ = ["rows"]


def rows():
    """The rows of what is said of costs in sections 1 and 4 to 7."""
    return [*_one_to_all(), *_bounds(), *_least(), *_broadcasting(), *_personalized(), *_all_to_all(), *_labels(),
            *_all_to_all_personalized()]


def _one_to_all():
    """T of sections 1, 4 and 5 that is not in a table."""
    path = {"start-ups": of_N(lambda n, N, M, B: -(-M // B) + N - 2), "elements": of_N(lambda n, N, M,
                                                                                       B: M + (N - 2) * B)}
    both = {"start-ups": of_N(lambda n, N, M, B: 2 * -(-M // B) + 2 * n - 4),
            "elements": of_N(lambda n, N, M, B: 2 * M + (2 * n - 4) * B)}
    either = {"start-ups": of_N(lambda n, N, M, B: 2 * -(-M // B) + n - 1),
              "elements": of_N(lambda n, N, M, B: 2 * M + (n - 1) * B)}
    slow = {"start-ups": of_N(lambda n, N, M, B: -(-M // B) * (N - 1)), "elements": of_N(lambda n, N, M,
                                                                                         B: M * (N - 1))}
    scatter = {"start-ups": of_N(lambda n, N, M, B: max(-(-(N - 1) * M // B), N - 1)),
               "elements": of_N(lambda n, N, M, B: (N - 1) * M)}
    merged = {"start-ups": of_N(lambda n, N, M, B: -(-(N - 1) * M // (n * B))),
              "elements": of_N(lambda n, N, M, B: Fraction((N - 1) * M, n))}
    for where, what, run, texts, formulas in (
            ("section 1", "pipelined along the N - 1 edges of a path, one send and one receive at a time",
             ("4, send and receive", "BRG"), ("ceil(M / B) + (N - 1) - 1", "M + ((N - 1) - 1) B"), path),
            ("section 4.1.1", "BRG without pipelining", ("4, not pipelined", "BRG"),
             ("ceil(M / B) (N - 1)", "M (N - 1)"), slow),
            ("section 4.1.3", "TCBT with one send and one receive at a time", ("4, send and receive", "TCBT"),
             ("2 ceil(M / B) + 2n - 4", "2 M + (2n - 4) B"), both),
            ("theorem 4.3", "nESBT with one send or one receive at a time", ("4, send or receive", "nESBT"),
             ("2 ceil(M / B) + n - 1", "2 M + (n - 1) B"), either),
            ("section 5.1.1", "BRG, personalized, with one send and one receive at a time",
             ("7, send and receive", "BRG"), ("max(ceil((N - 1) M / B), N - 1)", "(N - 1) M"), scatter),
            ("section 5.1.5", "SBnT, personalized, n-port, levels merged into packets", ("7, levels merged", "SBnT"),
             ("ceil((N - 1) M / (n B))", "(N - 1) M / n"), merged)):
        for number, (quantity, formula) in enumerate(formulas.items()):
            yield against(where, f"{what}: {'transferred ' * number}{quantity} are", texts[number],
                          lambda n, M, B, run=run, number=number: price(run, n, M, B)[number], formula)
    yield against("theorem 4.2", "nESBT, one-port: start-ups are at most", "ceil(M / B) + n",
                  lambda n, M, B: price((4, "nESBT"), n, M, B).startups, lambda n, M, B: -(-M // B) + n,
                  agrees=lambda value, bound: value <= bound)
    yield against("theorem 4.2", "nESBT, one-port: transferred elements are at most", "M + n B",
                  lambda n, M, B: price((4, "nESBT"), n, M, B).elements, lambda n, M, B: M + n * B,
                  agrees=lambda value, bound: value <= bound)


def _bounds():
    """Lower bounds, and who attains them."""
    for table, names, text, bound in (
            (4, ("BRG", "SBT", "nRSBT", "TCBT", "nESBT"), "(M + n - 1) t_c + n tau", lambda n, M: (n, M + n - 1)),
            (5, ("nRBRG", "SBT", "nRSBT", "TCBT", "nESBT"), "(ceil(M / n) + n - 1) t_c",
             lambda n, M: (0, -(-M // n) + n - 1)),
            (7, tuple(name for name in printed.T[7] if "one-port" in name), "(N - 1) M t_c + n tau",
             lambda n, M: (n, ((1 << n) - 1) * M)),
            (7, tuple(name for name in printed.T[7] if "n-port" in name), "(N - 1) M / n t_c + n tau",
             lambda n, M: (n, Fraction(((1 << n) - 1) * M, n))),
            (11, tuple(printed.T[11]), "(N - 1) M t_c + n tau", lambda n, M: (n, ((1 << n) - 1) * M)),
            (13, tuple(printed.T[13]), "(N - 1) M / n t_c + n tau", lambda n, M: (n, Fraction(((1 << n) - 1) * M, n))),
            (15, tuple(printed.T[15]), "n (N M / 2 t_c + tau)", lambda n, M: (n, n * M << n - 1)),
            (17, tuple(printed.T[17]), "N M / 2 t_c + n tau", lambda n, M: (n, M << n - 1))):
        where = {4: "section 4", 5: "section 4", 7: "section 5", 11: "theorem 6.1", 13: "theorem 6.1",
                 15: "theorem 7.1", 17: "theorem 7.2"}[table]
        cases = [(name, *case) for name in names for case in GRID]
        ports = "n-port" if any("n-port" in name for name in names) or table in (5, 13, 17) else "one-port"
        yield arithmetic(where, f"no execution costs less than the lower bound of {ports} "
                         f"{NAMES[table].replace('one-port ', '').replace('n-port ', '')}", text, cases,
                         lambda case, table=table, bound=bound: all(
                             value >= limit for value, limit in zip(price((table, case[0]), *case[1:]),
                                                                    bound(*case[1:3]))),
                         evidence=f"all executions of Table {table}, start-ups and elements each",
                         show=lambda case: f"{case[0]}, {shown_case(case[1:])}")
    yield against("section 4", "with M = 1 the strict lower bound is attained by SBT, one-port and n-port", "n (t_c "
                                                                                                            "+ tau)",
                  lambda n: (price((4, "SBT"), n, 1, 1), price((5, "SBT"), n, 1, 1)) == ((n, n), (n, n)),
                  lambda n: True, [], [(n,) for n in SIZES])
    small = [(n, M) for n in SIZES for M in range(2, n + 1)]
    yield against("section 4", "with 1 < M <= n nRSBT attains the n-port lower bound", "n (t_c + tau)",
                  lambda n, M: tuple(price((5, "nRSBT"), n, M, 1)), lambda n, M: (n, n), [], small)
    yield against("section 4", "nRSBT needs, n-port and in packets of one element, without pipelining",
                  "ceil(M / n) n (t_c + tau)", lambda n, M: tuple(price((5, "nRSBT"), n, M, 1)),
                  lambda n, M: (-(-M // n) * n,) * 2, OPTIMUM_CONDITIONS, OPTIMUM_CASES)
    yield against("section 4", "where one routing cycle is enough for the source nESBT is inferior by so many cycles, "
                  "one-port and n-port", "1",
                  lambda n: (price((4, "nESBT"), n, 1, 1).startups - price((4, "SBT"), n, 1, 1).startups,
                             price((5, "nESBT"), n, n, 1).startups - price((5, "nRSBT"), n, n, 1).startups) == (1, 1),
                  lambda n: True, [], [(n,) for n in SIZES])


def _least():
    """Who takes the least time."""
    weights = [(n, M, tau) for n in SIZES for M in (2, n, 4 * n) for tau in (Fraction(1, 4), 1, 4, 16, 64)]
    for where, ports, table, others, bound in (
            ("section 4, Table 19", "one-port", 4, ("BRG", "SBT", "nRSBT", "TCBT"), lambda n: 1),
            ("section 4, Table 19", "n-port", 5, ("nRBRG", "SBT", "nRSBT", "TCBT"), lambda n: n)):
        cases = [case for case in weights if case[1] > bound(case[0])]
        yield arithmetic(where, f"{ports}, M > {'1' if ports == 'one-port' else 'n'}: of all graphs nESBT needs the "
                         "least time with the best B", "the lowest", cases,
                         lambda case, table=table, others=others: all(
                             least((table, "nESBT"), *case) <= least((table, other), *case) for other in others),
                         by_coverage(cases, _weight_conditions()), "executed with every whole B up to M",
                         lambda case, table=table, others=others: f"n = {case[0]}, M = {case[1]}, tau / t_c = "
                                                                  f"{case[2]}: "
                         f"{float(least((table, 'nESBT'), *case)):.6g}, "
                         f"{min(others, key=lambda other: least((table, other), *case))} "
                         f"{float(min(least((table, other), *case) for other in others)):.6g}")
    yield arithmetic("section 1", "along a path personalized data takes the least time with the data of each node by "
                     "itself", "separately", [(n, M, tau) for n in SIZES for M in (1, 2, 5) for tau in
                                              (0, 1, Fraction(5, 2), 5, 6, 20, 50, 160, 400)],
                     lambda case: price((7, "BRG, one-port"), *case[:2], case[1]).time(case[2], 1)
                     <= price(("7, not pipelined", "BRG"), *case[:2], UNLIMITED).time(case[2], 1),
                     [("tau <= (N - 3) M t_c / 2", lambda case: case[2] <= Fraction(((1 << case[0]) - 3) * case[1],
                                                                                    2))],
                     "executed: 2N - 3 start-ups and (2N - 3) M elements, or N - 1 and N (N - 1) M / 2 with all data "
                     "below an edge in a packet",
                     lambda case: f"n = {case[0]}, M = {case[1]}, tau / t_c = {case[2]}")


def _weight_conditions():
    return [("tau <= t_c", lambda case: case[2] <= 1), ("tau <= 4 t_c", lambda case: case[2] <= 4),
            ("n tau <= M t_c", lambda case: case[0] * case[2] <= case[1]),
            ("tau <= M t_c", lambda case: case[2] <= case[1]),
            ("tau <= (n - 1) M t_c", lambda case: case[2] <= (case[0] - 1) * case[1]),
            ("4 n tau <= (M - 1) t_c", lambda case: 4 * case[0] * case[2] <= case[1] - 1)]


DIMENSIONS = [(n,) for n in SIZES]
FROM_N = [(f"n >= {limit}", lambda case, limit=limit: case[0] >= limit) for limit in range(4, 30)]


def _broadcasting():
    """Section 4."""
    packets = [(n, packets) for n in SIZES for packets in (1, 2, n, n + 1, 3 * n)]

    def one_direction(n, number):
        cycles = broadcast_by_label(graph_of("nesbt", n), number, 1).cycles
        return [len({packet.src < packet.dst for packet in cycle}) == 1 for cycle in cycles]
    yield arithmetic("section 4.1.5", "one-port nESBT: links are used in one direction only in the first n cycles "
                                      "and the "
                     "last, and in no others", "n + 1 cycles", packets,
                     lambda case: one_direction(*case) == [cycle < case[0] or cycle == sum(case) - 1
                                                           for cycle in range(sum(case))],
                     evidence="executed", show=lambda case: f"n = {case[0]}, {case[1]} packets")
    yield against("section 4.1.5", "cycles of n packets over nESBT, one-port and n-port", "2n and n + 1",
                  lambda n: (price((4, "nESBT"), n, n, 1).startups, price((5, "nESBT"), n, n, 1).startups)
                  == (2 * n, n + 1), lambda n: True, [], DIMENSIONS)
    yield arithmetic("section 4.1.5", "n-port nESBT: the input ports of a node for ones of its address receive first "
                                      "in "
                     "cycle |c|, the others in cycle |c| + 2", "|c| and |c| + 2",
                     [(n, c, d) for n in SIZES for c in range(1, 1 << n) for d in range(n)
                      if c != 1 << d or n > 1],
                     lambda case: _first_arrivals(case[0]).get((case[1] ^ 1 << case[2], case[1]))
                     == case[1].bit_count() + (0 if case[1] >> case[2] & 1 else 2),
                     [], "executed: M = n, B = 1; cycles from 1", lambda case: f"n = {case[0]}, node {case[1]}, port "
                                                                               f"{case[2]}")
    yield arithmetic("section 4.1.4", "one-port nRSBT: the packets grow linearly from M / n to M and shrink to M / n",
                     "M / n, 2 M / n, ..., M, ..., M / n", list(SIZES),
                     lambda n: cycle_sizes((4, "nRSBT"), n, 2 * n) == tuple(
                         2 * min(cycle + 1, 2 * n - 1 - cycle) for cycle in range(2 * n - 1)),
                     evidence="executed: M = 2n, no limit of B", show=lambda n: f"n = {n}")
    for claim, text, mine, share in (
            ("i < n", "N M / n (1 - 1 / 2^(i+1))", lambda n, i: i < n, lambda n, i: 1 - Fraction(1, 2 << i)),
            ("i >= n", "N M / n (1 / 2^(n+1-n) - 1 / N)", lambda n, i: i >= n,
             lambda n, i: Fraction(1, 2) - Fraction(1, 1 << n)),
            ("i >= n, read with i + 1 - n for n + 1 - n", "N M / n (1 / 2^(i+1-n) - 1 / N)", lambda n, i: i >= n,
             lambda n, i: Fraction(1, 2 << i - n) - Fraction(1, 1 << n))):
        yield arithmetic("section 5.1.4", f"one-port nRSBT, personalized: the elements of cycle i, {claim}",
                         text, [(n, i) for n in SIZES for i in range(2 * n - 1) if mine(n, i)],
                         lambda case, share=share: cycle_sizes((7, "nRSBT, one-port"), case[0], case[0])[case[1]]
                         == share(*case) * (1 << case[0]), [("i = n", lambda case: case[1] == case[0])],
                         "executed: M = n, no limit of B", lambda case: f"n = {case[0]}, i = {case[1]}")


def _personalized():
    """Section 5."""
    yield arithmetic("section 5.1", "one-port SBT with B = M: the source uses its ports in the order of the Gray code",
                     "Gray code", list(SIZES), lambda n: [
                         packet.dst for cycle in deliver(graph_of("sbt", n), ONE_PORT, 2, 2).cycles for packet in cycle
                         if packet.src == 0] == [i & -i for i in range(1, 1 << n)], evidence="executed",
                     show=lambda n: f"n = {n}")
    for name, run in (("SBT", (7, "SBT, one-port")), ("TCBT", (7, "TCBT, one-port")), ("nRSBT", (7, "nRSBT, one-port")),
                      ("SBnT", (7, "SBnT, one-port"))):
        yield against("section 5.1", f"one-port {name}: start-ups in postorder, without a limit of B, are n to 2n",
                      "n to 2n", lambda n, run=run: price(run, n, n, UNLIMITED).startups, lambda n: n, [], DIMENSIONS,
                      agrees=lambda value, n: n <= value <= 2 * n)
    yield against("section 5.1.2", "one-port SBT: start-ups, M <= B <= N M / 2, are within 10 %",
                  "about N M / B + log floor(B / M) - 1", lambda n, M, B: price((7, "SBT, one-port"), n, M, B).startups,
                  lambda n, M, B: Fraction(M << n, B) + Fraction(log2(B // M)) - 1,
                  [*CONDITIONS, ("B / M is a power of 2", lambda case: case[2] % case[1] == 0
                                 and (case[2] // case[1]).bit_count() == 1)],
                  [(n, M, B) for n in SIZES for M in (1, 2, 5) for B in sorted({M, M + 1, 2 * M, 3 * M, 4 * M,
                                                                                M << n - 1})
                   if B <= M << n - 1], agrees=close)
    yield against("section 5.1.2", "one-port SBT: start-ups, B <= M, are within 10 %", "about ceil((N - 1) M / B)",
                  lambda n, M, B: price((7, "SBT, one-port"), n, M, B).startups,
                  lambda n, M, B: -(-((1 << n) - 1) * M // B), CONDITIONS,
                  [case for case in GRID if case[2] <= case[1]],
                  agrees=close)
    same = [(name, n, M) for name, _ in _same_price() for n in SIZES for M in (n, 2 * n)]
    yield arithmetic("section 5.2", "with B = M one-port routing along SBT, TCBT, nRSBT, SBnT and a Hamiltonian path "
                                    "costs "
                     "the same", "(N - 1) (M t_c + tau)", same,
                     lambda case: price(dict(_same_price())[case[0]], *case[1:], case[2]) == (
                         (1 << case[1]) - 1, ((1 << case[1]) - 1) * case[2]),
                     [("the graph is no path", lambda case: case[0] != "BRG"),
                      ("the graph is SBT or SBnT", lambda case: case[0] in ("SBT", "SBnT")),
                      ("the graph is SBT", lambda case: case[0] == "SBT")],
                     "executed, pipelined (nRSBT in phases), each message over one tree of the SBnT",
                     lambda case: f"{case[0]}, n = {case[1]}, M = {case[2]}: " + in_words(price(
                         dict(_same_price())[case[0]], *case[1:], case[2])))
    yield against("section 5.1.5", "SBnT, one-port: start-ups without a limit of B, each node's data over one path, "
                                   "are",
                  "2n - 2 (Table 8)", lambda n: price(("7, one tree", "SBnT"), n, n, UNLIMITED).startups,
                  lambda n: 2 * n - 2, [], DIMENSIONS)
    yield against("section 5.1.5", "SBnT, one-port: start-ups without a limit of B, cyclic nodes' data split, are",
                  "2n - 1", lambda n: price((7, "SBnT, one-port"), n, n, UNLIMITED).startups, lambda n: 2 * n - 1, [],
                  DIMENSIONS)
    yield against("section 5.1.5", "SBnT, one-port: transferred elements without a limit of B are at most",
                  "N (1 + 2 log n / n) M", lambda n: price((7, "SBnT, one-port"), n, n, UNLIMITED).elements,
                  lambda n: (1 << n) * (1 + 2 * log2(n) / n) * n, [], DIMENSIONS, agrees=lambda value,
                  bound: value <= bound)
    yield arithmetic("section 5.1.5, Table 7", "SBnT, n-port: the text's ceil((N - 1) M / (n B)) start-ups are those "
                                               "of the "
                     "table", "the same", GRID, lambda case: -(-((1 << case[0]) - 1) * case[1] // (case[0] * case[2]))
                     == of_N(printed.T[7]["SBnT, n-port"]["start-ups"][1])(*case), by_coverage(GRID, CONDITIONS),
                     "both as printed; with B >= (N - 1) M / n they are 1 and n", shown_case)
    yield arithmetic("section 4.2", "for some M broadcasting along a path is faster than along SBT, and than along "
                                    "TCBT",
                     "for some", list(SIZES), lambda n: all(
                         price((4, "BRG"), n, 64, 1).startups < price((4, other), n, 64, 1).startups
                         for other in ("SBT", "TCBT")), evidence="executed: M = 64, B = 1", show=lambda n: f"n = {n}")
    yield against("section 5.1.1", "nRBRG, n-port: without pipelining it transfers more elements than one BRG path",
                  "more", lambda n: price((7, "nRBRG, n-port"), n, n, UNLIMITED).elements,
                  lambda n: price(("7, send and receive", "BRG"), n, n, n).elements, [], DIMENSIONS,
                  agrees=lambda value, other: value > other)
    yield against("section 5.1.1", "nRBRG, n-port: it transfers more elements than one BRG path, one-port", "more",
                  lambda n: price((7, "nRBRG, n-port"), n, n, UNLIMITED).elements,
                  lambda n: price((7, "BRG, one-port"), n, n, n).elements, [("n >= 4", lambda case: case[0] >= 4)],
                  DIMENSIONS,
                  agrees=lambda value, other: value > other)
    yield against("section 5.1.4", "nRSBT, n-port, B = M / n: T is", "(M / n t_c + tau) (N - 1)",
                  lambda n, M: tuple(price((7, "nRSBT, n-port"), n, M, max(1, M // n))),
                  lambda n, M: ((1 << n) - 1, Fraction(M, n) * ((1 << n) - 1)), OPTIMUM_CONDITIONS,
                  [case for case in OPTIMUM_CASES if case[1] % case[0] == 0])
    for name, factor, text in (("SBT", lambda n: Fraction(n, 2), "n / 2"), ("TCBT", lambda n: Fraction(3 * n, 4),
                                                                            "3n / 4")):
        for quantity in ("elements", "start-ups"):
            yield against("section 5.2", f"n-port, B = M: {quantity} of {name} are to those of SBnT, within 10 %, as",
                          text,
                          lambda n, name=name, quantity=quantity: Fraction(*(
                              printed.T[7][f"{one}, n-port"][quantity][1](n, 1 << n, n, n) for one in (name, "SBnT"))),
                          factor, FROM_N, [(n,) for n in range(3, 41)], agrees=close,
                          evidence="Table 7, which executions confirm for n = 3 to 6 and M divisible by n; M = n")
    yield against("section 5.1.3", "TCBT, one-port: transferred elements are to those of SBT, within 10 %, as", "2",
                  lambda n: Fraction(price((7, "TCBT, one-port"), n, 1, UNLIMITED).elements, (1 << n) - 1), lambda n: 2,
                  [("n >= 5", lambda case: case[0] >= 5), ("n >= 6", lambda case: case[0] >= 6)], DIMENSIONS,
                  agrees=close)
    middle = [("n is even or n >= 9", lambda n: n % 2 == 0 or n >= 9), ("n >= 4", lambda n: n >= 4),
              ("n is odd or n >= 8", lambda n: n % 2 == 1 or n >= 8), ("n is odd or n >= 10",
                                                                       lambda n: n % 2 or n >= 10),
              ("n is even", lambda n: n % 2 == 0),
              ("n = 5, n = 7 or n >= 9", lambda n: n in (5, 7) or n >= 9)]
    yield arithmetic("section 5.1.4", "the largest C(n, i) / n, within 10 %", "sqrt(2 / pi) N / n^(3/2)",
                     list(range(3, 41)), lambda n: close(comb(n, n // 2) / n, sqrt(2 / pi) * 2 ** n / n ** 1.5), middle,
                     show=lambda n: f"n = {n}: {comb(n, n // 2) / n:.4g}, not {sqrt(2 / pi) * 2 ** n / n ** 1.5:.4g}")
    yield arithmetic("lemma 5.1", "the largest C(n - 1, i), within 10 %", "N / sqrt(2 pi (n - 1))", list(range(3, 41)),
                     lambda n: close(comb(n - 1, (n - 1) // 2), 2 ** n / sqrt(2 * pi * (n - 1))), middle,
                     show=lambda n: f"n = {n}: {comb(n - 1, (n - 1) // 2)}, not {2 ** n / sqrt(2 * pi * (n - 1)):.4g}")


def _same_price():
    return (("BRG", (7, "BRG, one-port")), ("SBT", ("7, pipelined", "SBT")), ("TCBT", ("7, pipelined", "TCBT")),
            ("nRSBT", (7, "nRSBT, one-port")), ("SBnT", ("7, one tree", "SBnT")))


@cache
def _first_arrivals(n):
    """The cycle, from 1, of the first packet on every edge of an n-port nESBT."""
    found = {}
    for number, cycle in enumerate(broadcast_oldest_first(graph_of("nesbt", n), N_PORT, n, 1).cycles, start=1):
        for packet in cycle:
            found.setdefault(packet.edge, number)
    return found


def _all_to_all():
    """Section 6, and theorems 6.2, 7.3 and 7.4."""
    several = ("nRBRG", "nRSBT", "nESBT", "SBnT")
    for where, table, quantity, kinds in (
            ("theorem 6.2", 13, "ew", ("nRBRG", "SBT", "nRSBT", "nESBT", "SBnT", "TCBT", "BRG")),
            ("theorem 7.3", 17, "sw", ("nRBRG", "SBT", "nESBT", "SBnT", "TCBT", "BRG")),
            ("theorem 7.3", "17, postorder", "sw", ("nRSBT",)),
            ("theorem 7.4", "17, reverse-breadth-first", "rw", ("nRBRG", "SBT", "nRSBT", "nESBT", "SBnT", "TCBT",
                                                                "BRG"))):
        cases = [(name, *case) for name in kinds for case in GRID if case[0] < 6]

        def printed_T(case, quantity=quantity):
            name, n, M, B = case
            counted = loads_of("sbntc" if name == "SBnT" else name.lower(), n)
            widest = [max(getattr(counted, quantity)[l, d] for d in range(n)) for l in range(counted.height)]
            return sum(-(-M * wide // B) for wide in widest), M * sum(widest)
        exact = [("the graph is one tree, or n divides M",
                  lambda case: case[0] not in several or case[2] % case[1] == 0)]
        title = f"{', '.join(kinds)}: T from the largest {quantity}_ld of every level"
        yield arithmetic(where, title, f"sum of ceil(M / B max {quantity}_ld) tau + M t_c max {quantity}_ld", cases,
                         lambda case, table=table, printed_T=printed_T: price((table, case[0]),
                                                                              *case[1:]) == printed_T(case),
                         exact, f"executed; {quantity}_ld counted on the graph",
                         lambda case, table=table, printed_T=printed_T: f"{case[0]}, {shown_case(case[1:])}: "
                         f"{in_words(price((table, case[0]), *case[1:]))}, not {float(printed_T(case)[0]):.6g} and "
                         f"{float(printed_T(case)[1]):.6g}")
    for name in printed.STARTUPS_6:
        text, function = printed.STARTUPS_6[name]
        yield against("Table 10", f"{name}: the minimum number of start-ups of one-port all-to-all broadcasting", text,
                      lambda n, name=name: fewest_of("sbntc" if name == "SBnT" else name.lower(), n), function,
                      [("n >= 3", lambda case: case[0] >= 3), ("n = 2", lambda case: case[0] == 2)],
                      [(n,) for n in (2, 3, 4)],
                      agrees=(lambda value, expected: value >= expected) if text.startswith(">") else
                      lambda value, expected: value == expected,
                      evidence="the shortest sequence of dimensions that serves every tree, by exhaustive search")
    yield arithmetic("section 7", "of greedy graphs only SBT allows n start-ups, one-port", "SBT only",
                     [(kind, n) for kind in ("sbt", "nrsbt", "sbnt", "sbntc") for n in (3, 4)],
                     lambda case: (fewest_of(*case) == case[1]) == (case[0] == "sbt"),
                     [("the SBnT is the one with split cyclic nodes", lambda case: case[0] != "sbnt")],
                     "the shortest sequence of dimensions, by exhaustive search",
                     lambda case: f"{case[0]}, n = {case[1]}: {fewest_of(*case)}")
    yield against("section 7.1", "TCBT, one-port all-to-all personalized: start-ups are greater than", "2n - 2",
                  lambda n: fewest_of("tcbt", n), lambda n: 2 * n - 2,
                  [("n >= 3", lambda case: case[0] >= 3), ("n >= 4", lambda case: case[0] >= 4)], [(n,) for n in (2, 3,
                                                                                                                  4,
                                                                                                                  5)],
                  agrees=lambda value, bound: value > bound,
                  evidence="the shortest sequence of dimensions for the tree that schedules/spanning/graphs.py embeds")
    for where, run, text, size in (
            ("section 6.1", (11, "nESBT"), "2^i M / n, i < n; (N - 1 - 2^(i-n)) M / n, i >= n",
             lambda n, i: 2 ** i if i < n else 2 ** n - 1 - 2 ** (i - n)),
            ("section 6.1", (11, "nRSBT"), "(2^(i+1) - 1) M / n, i < n; (N - 2^(i-n+1)) M / n, i >= n",
             lambda n, i: 2 ** (i + 1) - 1 if i < n else 2 ** n - 2 ** (i - n + 1)),
            ("section 7.1", (15, "nRSBT"), "N M (i + 1) / (2n), i < n; N M (2n - i - 1) / (2n), i >= n",
             lambda n, i: 2 ** (n - 1) * min(i + 1, 2 * n - 1 - i))):
        cases = [(n, i) for n in SIZES for i in range(len(cycle_sizes(run, n, n)))]
        yield arithmetic(where, f"{run[1]}, {NAMES[run[0]]}: the elements of cycle i are", text, cases,
                         lambda case, run=run, size=size: cycle_sizes(run, case[0], case[0])[case[1]] == size(*case),
                         evidence="executed: M = n, no limit of B", show=lambda case: f"n = {case[0]}, i = {case[1]}")
    yield arithmetic("section 6.1", "SBnT, one-port: packets grow up to cycle n - 1 and then shrink, and those of "
                                    "cycles i "
                     "and i + n have (N - 1) M / n elements together", "so", list(SIZES), lambda n: _mountain(n),
                     evidence="executed: M = n, no limit of B", show=lambda n: f"n = {n}: "
                                                                               f"{cycle_sizes((11, 'SBnT'), n, n)}")
    yield arithmetic("section 6.1", "SBT, n-port: the data accumulated for port j in step i has length C(j, i)",
                     "C(j, i)",
                     [(n, i, j) for n in SIZES for i in range(n) for j in range(n)],
                     lambda case: loads_of("sbt", case[0]).ew[case[1], case[2]] == comb(case[2], case[1]),
                     evidence="counted on the graph")
    yield against("section 6.1", "one-port with B <= M: SBT has the start-ups of BRG", "the same",
                  lambda n, M, B: price((11, "SBT"), n, M, B).startups, lambda n, M, B: price((11, "BRG"), n, M,
                                                                                              B).startups,
                  CONDITIONS, [case for case in GRID if case[2] <= case[1]])
    yield against("section 6.1", "nRBRG, n-port: the complexity is in Table", "11",
                  lambda n: "Table 13" if "nRBRG" in printed.T[13] and "nRBRG" not in printed.T[11] else "Table 11",
                  lambda n: "Table 11", [], [(3,)], evidence="Table 11 is one-port and has no nRBRG; Table 13 has it")


def _labels():
    """The labels of section 6."""
    for name, kind in (("nESBT", "nesbt"), ("nRSBT", "nrsbt"), ("SBnT", "sbntc")):
        claimed = {"nESBT": ("2n - 1", lambda n: 2 * n - 1)}.get(name, ("2n - 2", lambda n: 2 * n - 2))
        without = {_largest_label(kind, n, leaves=False) - 2 * n for n in SIZES}
        yield against("section 6", f"{name}: with edges in dimension i of tree 0 labelled i, and i + n if to a leaf, "
                                   f"and j "
                      "added in tree j, the largest label is", claimed[0],
                      lambda n, kind=kind: _largest_label(kind, n, leaves=True), claimed[1], [], DIMENSIONS,
                      evidence="labelled as printed; with i for the edges to leaves too it is " + ", ".join(
                          f"2n - {-offset}" for offset in sorted(without)) + ", and labels grow along paths"
                      + ("" if all(_growing(kind, n) for n in SIZES) else " no longer"))
    yield against("section 7.2", "the number of start-ups equals the maximum edge label, labels counting from 0",
                  "equal",
                  lambda n: price((15, "SBT"), n, n, UNLIMITED).startups, lambda n: n - 1, [], DIMENSIONS,
                  evidence="executed, SBT: the largest label is n - 1; section 6 has the label plus 1")


def _all_to_all_personalized():
    """Section 7."""
    non_greedy = [(table, name, n) for table, name in ((15, "BRG"), (15, "nESBT"), (17, "nRBRG"), (17, "nESBT"),
                                                       (17, "TCBT"), (17, "BRG")) for n in SIZES]
    yield arithmetic("theorem 7.5", "with graphs that are not greedy the lower bound of the transfers is not attained",
                     "not attained", non_greedy,
                     lambda case: price(case[:2], case[2], case[2], UNLIMITED).elements
                     > (case[2] ** 2 << case[2] - 1) // (1 if case[0] == 15 else case[2]), evidence="executed",
                     show=lambda case: f"{case[1]}, n = {case[2]}")
    yield arithmetic("theorem 7.5, proof", "the sums of all sw_ld, of all rw_ld, and of l times the nodes at level l "
                                           "are the "
                     "same, l and d being summed to n - 1", "the same",
                     [(kind, n) for kind in ("brg", "nrbrg", "sbt", "tcbt", "nrsbt", "nesbt", "sbntc") for n in SIZES],
                     lambda case: _sums(case, case[1]),
                     [("the height is n", lambda case: case[0] not in ("brg", "nrbrg", "nesbt"))],
                     "counted on the graph; with l to h - 1 they are "
                     + ("the same for all" if all(_sums((kind, n), None) for kind in (
                         "brg", "nrbrg", "sbt", "tcbt", "nrsbt", "nesbt", "sbntc") for n in SIZES) else "not"),
                     lambda case: f"{case[0]}, n = {case[1]}")
    for number, quantity, text, function in (
            (1, "ew", "C(n, l)", lambda n, l: comb(n, l)),
            (2, "sw", "sum of C(n, i), i = l + 1 to n", lambda n, l: sum(comb(n, i) for i in range(l + 1, n + 1))),
            (3, "rw", "sum of C(n, i), i = l + 1 to n", lambda n, l: sum(comb(n, i) for i in range(l + 1, n + 1)))):
        cases = [(n, l) for n in SIZES for l in range(n)]
        yield arithmetic("theorem 7.6, proof", f"property {number}: {quantity}_ld of n rotated greedy trees is", text,
                         cases,
                         lambda case, quantity=quantity, function=function: all(
                             getattr(loads_of("nrsbt", case[0]), quantity)[case[1],
                                                                           d] == function(*case)
                                                                                for d in range(case[0])),
                         [], "counted on nRSBT: Table 1's " + ("C(n, l + 1) / n"
                                                               if number == 1 else "sum / n") + " holds",
                         lambda case, quantity=quantity, function=function: f"n = {case[0]}, l = {case[1]}: "
                         f"{getattr(loads_of('nrsbt', case[0]), quantity)[case[1], 0]}, not {function(*case)}")
    for name, run in (("nRSBT, postorder", ("17, postorder", "nRSBT")), ("SBnT, postorder", (17, "SBnT")),
                      ("nRSBT, reverse-breadth-first", ("17, reverse-breadth-first", "nRSBT")),
                      ("SBnT, reverse-breadth-first", ("17, reverse-breadth-first", "SBnT"))):
        yield against("theorem 7.6, corollary 7.1", f"{name}: T with B = (N - 1) M / n is", "N M / 2 t_c + n tau",
                      lambda n, run=run: tuple(price(run, n, n, (1 << n) - 1)), lambda n: (n, n << n - 1), [],
                      DIMENSIONS,
                      evidence="executed: M = n")
        last = "reverse" in name
        yield arithmetic("theorem 7.6, proof", f"{name}: the largest packet, (N - 1) M / n, is sent in the "
                         f"{'last' if last else 'first'} cycle", "so", list(SIZES),
                         lambda n, run=run, last=last: cycle_sizes(run, n, n)[-1 if last else 0]
                         == max(cycle_sizes(run, n, n)) == (1 << n) - 1, evidence="executed: M = n, no limit of B",
                         show=lambda n: f"n = {n}")
    yield against("lemma 7.1", "SBT, one-port: T is", "n N M / (2 B) (B t_c + tau)",
                  lambda n, M, B: tuple(price((15, "SBT"), n, M, B)),
                  lambda n, M, B: (Fraction(n * M << n, 2 * B), n * M << n - 1),
                  [*CONDITIONS, ("B divides N M / 2", lambda case: (case[1] << case[0] - 1) % case[2] == 0)])
    yield arithmetic("Table 18", "SBT: transferred elements of T_min of n-port all-to-all personalized are",
                     "O(sqrt(n)) N M", list(range(2, 201)),
                     lambda n: printed.T[17]["SBT"]["elements"][1](n, 1 << n, 1, 1) <= sqrt(n) * 2 ** n,
                     evidence="the sum of Table 17, which is executed above: never more than sqrt(n) N M for n up to "
                              "200")
    yield against("Table 18", "SBT: start-ups of T_min of n-port all-to-all personalized are", "n",
                  lambda n: price((17, "SBT"), n, 1, UNLIMITED).startups, lambda n: n, [], DIMENSIONS)
    yield against("section 7.1", "SBT, n-port: postorder and reverse-breadth-first scheduling cost the same",
                  "the same",
                  lambda n, M, B: price((17, "SBT"), n, M, B),
                  lambda n, M, B: price(("17, reverse-breadth-first", "SBT"), n, M, B))
    yield against("section 7.1", "nRBRG, n-port: both disciplines cost the same", "the same",
                  lambda n, M, B: price((17, "nRBRG"), n, M, B),
                  lambda n, M, B: price(("17, reverse-breadth-first", "nRBRG"), n, M, B))
    yield against("section 7.1", "nRSBT, one-port: for B <= N M / (2n) the start-ups are those of SBT", "the same",
                  lambda n, M, B: price((15, "nRSBT"), n, M, B).startups,
                  lambda n, M, B: price((15, "SBT"), n, M, B).startups,
                  [*CONDITIONS, ("2 n B divides N M",
                                 lambda case: (case[1] << case[0]) % (2 * case[0] * case[2]) == 0)],
                  [case for case in GRID if case[2] * 2 * case[0] <= case[1] << case[0]])
    yield against("section 7.1", "nRSBT, n-port broadcast with one dimension a tree in a cycle: the largest packet is",
                  "N M / (2n)", lambda n: max(cycle_sizes(("13, one dimension a tree", "nRSBT"), n, n)),
                  lambda n: 1 << n - 1, [],
                  DIMENSIONS, evidence="executed: M = n, no limit of B")
    yield against("section 7.1", "TCBT: all data that is transferred, a node's share of all hops, is", "((2n - 3) N "
                                                                                                       "/ 2 + 2) M",
                  lambda n: sum(l * sum(loads_of("tcbt", n).ew[l - 1, d] for d in range(n)) for l in range(1, n + 1)),
                  lambda n: (2 * n - 3 << n - 1) + 2, [], [(n,) for n in range(2, 9)], evidence="counted on the graph")
    yield arithmetic("sections 7.1, 7.2", "TCBT: the transfers are twice those of a greedy graph, within 10 %", "2",
                     list(range(3, 65)), lambda n: close(Fraction((2 * n - 3 << n - 1) + 2, n << n - 1), 2),
                     [(f"n >= {limit}", lambda n, limit=limit: n >= limit) for limit in range(4, 40)],
                     "the formula above, divided by n N / 2", lambda n: f"n = {n}: "
                     f"{((2 * n - 3 << n - 1) + 2) / (n << n - 1):.3g}")
    yield arithmetic("section 7.1", "TCBT, n-port: the transfers are more than twice the lower bound", "more",
                     list(SIZES),
                     lambda n: price((17, "TCBT"), n, 1, UNLIMITED).elements > 2 << n - 1, evidence="executed",
                     show=lambda n: f"n = {n}")
    yield against("section 7.1", "nESBT: elements that it transfers beyond the lower bound, one-port, are", "M (N - 2)",
                  lambda n: price((15, "nESBT"), n, n, UNLIMITED).elements - (n * n << n - 1),
                  lambda n: ((1 << n) - 2) * n, [], DIMENSIONS)
    yield against("section 7.1", "nESBT, one-port: the largest packet is", "M / n (N (n + 1) / 2 - 1)",
                  lambda n: max(cycle_sizes((15, "nESBT"), n, n)), lambda n: (n + 1 << n - 1) - 1, [], DIMENSIONS,
                  evidence="executed: M = n, no limit of B")
    yield against("section 7.1", "SBnT, one-port: transferred elements are", "N M / 2",
                  lambda n: price((15, "SBnT"), n, n, UNLIMITED).elements, lambda n: n << n - 1, [], DIMENSIONS,
                  evidence="executed: n N M / 2, as theorem 7.1 and Table 16 have it")
    limits = [*((f"n >= {limit}", lambda case, limit=limit: case[0] >= limit) for limit in range(4, 30)),
              *((f"n <= {limit}", lambda case, limit=limit: case[0] <= limit) for limit in range(4, 40))]
    for where, name, table, text, factor in (
            ("section 7.2", "nESBT", 16, "(n + 2) / n", lambda n: Fraction(n + 2, n)),
            ("section 7.2", "nESBT", 18, "(n + 2) / n", lambda n: Fraction(n + 2, n)),
            ("sections 7.1, 7.2", "BRG", 16, "N / n", lambda n: Fraction(1 << n, n)),
            ("section 7.2", "nRBRG", 18, "N / n", lambda n: Fraction(1 << n, n)),
            ("section 7.2", "SBT", 18, "sqrt(n)", sqrt)):
        one_port = table == 16
        elements = printed.T[17]["SBT"]["elements"][1] if name == "SBT" else printed.OPTIMA[table][name][1][0][1]

        def ratio(n, name=name, one_port=one_port, elements=elements):
            return Fraction(elements(n, 1 << n, n, 1) if name == "SBT" else elements(n, 1 << n, n),
                            (n * n << n - 1) // (1 if one_port else n))
        yield against(where, f"{name}, {'one-port' if one_port else 'n-port'}: transfers to the lower bound, within "
                             f"10 %, "
                      "are as", text, ratio, factor, limits, [(n,) for n in range(3, 41)], agrees=close,
                      evidence=f"T_min of Table {table}, or T of Table 17, which executions confirm for n = 3 to 6; "
                               f"M = n")
    yield against("section 7.2", "BRG: start-ups of all-to-all personalized are", "N",
                  lambda n: price((15, "BRG"), n, 1, UNLIMITED).startups, lambda n: 1 << n, [], DIMENSIONS,
                  evidence="executed: N - 1, as Table 16 has it")


def _mountain(n):
    sizes = cycle_sizes((11, "SBnT"), n, n)
    return (len(sizes) == 2 * n - 1 and all(one <= other for one, other in zip(sizes[:n - 1], sizes[1:n]))
            and all(one >= other for one, other in zip(sizes[n - 1:], sizes[n:]))
            and all(sizes[i] + sizes[i + n] == (1 << n) - 1 for i in range(n - 1)))


def _label(graph, node, tree, leaves):
    """Section 6: dimension i of tree 0 (the trees, or subtrees, are its rotations), j added in tree or subtree j."""
    n, parent = graph.n, graph.parent(node, tree)
    j = tree
    if isinstance(graph, SBnTc):
        j = top(graph, tree, node).bit_length() - 1
    leaf = leaves and not graph.children(node, tree)
    return ((node ^ parent).bit_length() - 1 - j) % n + (n if leaf else 0) + j


@cache
def _largest_label(kind, n, leaves):
    graph = graph_of(kind, n)
    return max(_label(graph, node, tree, leaves) for tree in range(graph.trees) for node in range(1, graph.nodes))


@cache
def _growing(kind, n):
    graph = graph_of(kind, n)
    return all(graph.parent(node, tree) == 0 or _label(graph, graph.parent(node, tree), tree, False)
               < _label(graph, node, tree, False) for tree in range(graph.trees) for node in range(1, graph.nodes))


def _sums(case, levels):
    kind, n = case
    counted = loads_of(kind, n)
    levels = levels or counted.height
    sums = {sum(found[l, d] for l in range(levels) for d in range(n)) for found in (counted.sw, counted.rw)}
    return sums == {sum(l * counted.ew[l - 1, d] for l in range(1, counted.height + 1) for d in range(n))}


