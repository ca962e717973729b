"""Tables 2 to 19 of the spanning-graphs paper: what communication costs, printed and executed.

Every price is that of an execution (schedules/spanning/packets.py) which follows the routing and the scheduling discipline and
knows no formula. The data is split among n trees as equally as whole elements can be. An n-port or all-to-all
communication transfers the same elements whatever B is, and every phase of it takes one start-up if B is large enough:
there B_opt is the largest packet that is sent without a limit, and T_min what it costs then. Where the broadcast is
pipelined T_min is the least time over all whole B, executed one by one.
"""

from fractions import Fraction
from functools import cache
from math import isclose

from fatcube.papers.audit import Row, arithmetic, judge
from fatcube.papers.spanning_graphs import printed as printed
from schedules.spanning.graphs import spanning_graph
from schedules.spanning.loads import fewest_dimensions, loads
from schedules.spanning.packets import N_PORT, ONE_PORT, SEND_AND_RECEIVE, check_execution
from schedules.spanning.phases import by_label, by_level, by_size, farthest_first, in_phases, rotating
from schedules.spanning.pipelines import broadcast_by_label, broadcast_oldest_first, deliver, one_way

__all__ = ["CONDITIONS", "GRID", "NAMES", "OF_M", "OPTIMUM_CASES", "OPTIMUM_CONDITIONS", "RUNS", "SIZES", "UNLIMITED",
           "against", "by_coverage", "close", "cycle_sizes", "fewest_of", "graph_of", "in_words", "least", "loads_of",
           "of_N",
           "price", "rows", "shown_case"]


NAMES = {4: "one-port one-to-all broadcasting", 5: "n-port one-to-all broadcasting", 7: "one-to-all personalized",
         8: "one-to-all personalized", 9: "one-to-all personalized",
         11: "one-port all-to-all broadcasting", 12: "one-port all-to-all broadcasting",
         13: "n-port all-to-all broadcasting", 14: "n-port all-to-all broadcasting",
         15: "one-port all-to-all personalized", 16: "one-port all-to-all personalized",
         17: "n-port all-to-all personalized", 18: "n-port all-to-all personalized"}

SIZES = (3, 4, 5, 6)
UNLIMITED = 1 << 20


def _grid():
    for n in SIZES:
        for M in sorted({1, n - 1, n, n + 1, 2 * n, 3 * n + 1}):
            for B in sorted({1, 2, -(-M // n), M, M + 1, 3 * M, M << n}):
                yield n, M, B


GRID = list(_grid())
"""(n, M, B): M divisible by n and not, B from one element to more than there is."""

OF_M = [("n divides M", lambda case: case[1] % case[0] == 0), ("M = 1", lambda case: case[1] == 1)]
CONDITIONS = [
    *OF_M,
    ("B <= M", lambda case: case[2] <= case[1]),
    ("B divides M", lambda case: case[1] % case[2] == 0),
    ("B divides M or B >= M", lambda case: case[1] % case[2] == 0 or case[2] >= case[1]),
    ("n divides M and B <= M / n", lambda case: case[1] % case[0] == 0 and case[2] <= case[1] // case[0]),
    ("B <= M / n", lambda case: case[2] * case[0] <= case[1]),
    ("n divides M and B divides M / n", lambda case: case[1] % (case[0] * case[2]) == 0),
    ("n divides M and B divides M", lambda case: case[1] % case[0] == case[1] % case[2] == 0),
    ("B = 1", lambda case: case[2] == 1),
    ("B = 1 and n divides M", lambda case: case[2] == 1 and case[1] % case[0] == 0),
    ("B >= M", lambda case: case[2] >= case[1]),
    ("B >= N M", lambda case: case[2] >= case[1] << case[0]),
    ("B < N M", lambda case: case[2] < case[1] << case[0]),
    ("M >= n", lambda case: case[1] >= case[0]),
    ("n >= 4", lambda case: case[0] >= 4),
    ("n >= 5", lambda case: case[0] >= 5),
    ("n is prime", lambda case: case[0] in (2, 3, 5, 7)),
]


def _phases(kind, ports, when, *, personalized=False, everybody=False):
    def make(n, M, B):
        graph = graph_of(kind, n)
        return in_phases(graph, ports, M, B, _labels(when, kind, n), personalized=personalized, everybody=everybody)
    return make


graph_of = cache(spanning_graph)


def loads_of(kind, n):
    return loads(graph_of(kind, n))


def fewest_of(kind, n):
    return fewest_dimensions(graph_of(kind, n))


@cache
def _labels(when, kind, n):
    return when(graph_of(kind, n))


def staggered(graph):
    """nRSBT, one-port: the tree that is rotated j steps begins in cycle j (section 4.1.4)."""
    return by_size(graph, lambda tree: tree)


def _deliver(kind, ports, limit=lambda M, B: B, **options):
    return lambda n, M, B: deliver(graph_of(kind, n), ports, M, limit(M, B), **options)


def _broadcast(kind, ports):
    return lambda n, M, B: broadcast_oldest_first(graph_of(kind, n), ports, M, B)


RUNS = {
    (4, "BRG"): _broadcast("brg", ONE_PORT),
    (4, "SBT"): _phases("sbt", ONE_PORT, by_size),
    (4, "nRSBT"): _phases("nrsbt", ONE_PORT, staggered),
    (4, "TCBT"): _broadcast("tcbt", ONE_PORT),
    (4, "nESBT"): lambda n, M, B: broadcast_by_label(graph_of("nesbt", n), M, B),
    (5, "nRBRG"): _phases("nrbrg", N_PORT, by_level),
    (5, "BRG"): _broadcast("brg", N_PORT),
    (5, "SBT"): _broadcast("sbt", N_PORT),
    (5, "nRSBT"): _phases("nrsbt", N_PORT, by_size),
    (5, "TCBT"): _broadcast("tcbt", N_PORT),
    (5, "nESBT"): _broadcast("nesbt", N_PORT),
    ("4, send and receive", "BRG"): _broadcast("brg", SEND_AND_RECEIVE),
    ("4, send and receive", "TCBT"): _broadcast("tcbt", SEND_AND_RECEIVE),
    ("4, send or receive", "nESBT"): lambda n, M, B: one_way(broadcast_by_label(graph_of("nesbt", n), M, B)),
    ("4, not pipelined", "BRG"): _phases("brg", ONE_PORT, by_level),
    # On a path the data for a node is a packet of its own: larger ones would only be held up (section 1).
    (7, "BRG, one-port"): _deliver("brg", ONE_PORT, min),
    (7, "SBT, one-port"): _phases("sbt", ONE_PORT, by_size, personalized=True),
    (7, "nRSBT, one-port"): _phases("nrsbt", ONE_PORT, staggered, personalized=True),
    (7, "TCBT, one-port"): _phases("tcbt", ONE_PORT, by_size, personalized=True),
    (7, "SBnT, one-port"): _deliver("sbntc", ONE_PORT),
    (7, "nRBRG, n-port"): _phases("nrbrg", N_PORT, by_level, personalized=True),
    (7, "SBT, n-port"): _phases("sbt", N_PORT, farthest_first, personalized=True),
    (7, "nRSBT, n-port"): _phases("nrsbt", N_PORT, farthest_first, personalized=True),
    (7, "TCBT, n-port"): _phases("tcbt", N_PORT, farthest_first, personalized=True),
    (7, "SBnT, n-port"): _phases("sbntc", N_PORT, farthest_first, personalized=True),
    ("7, send and receive", "BRG"): _deliver("brg", SEND_AND_RECEIVE, min),
    ("7, not pipelined", "BRG"): _phases("brg", ONE_PORT, by_level, personalized=True),
    ("7, pipelined", "SBT"): _deliver("sbt", ONE_PORT),
    ("7, pipelined", "TCBT"): _deliver("tcbt", ONE_PORT),
    ("7, one tree", "SBnT"): _deliver("sbnt", ONE_PORT),
    ("7, levels merged", "SBnT"): _deliver("sbntc", N_PORT, farthest_first=True),
    **{(table, name): _phases(kind, ports, when, personalized=personalized, everybody=True)
       for personalized, one, many in ((False, 11, 13), (True, 15, 17))
       for table, ports, name, kind, when in (
           (one, ONE_PORT, "BRG", "brg", by_level), (one, ONE_PORT, "SBT", "sbt", by_size),
           (one, ONE_PORT, "nRSBT", "nrsbt", staggered), (one, ONE_PORT, "nESBT", "nesbt", by_label),
           (one, ONE_PORT, "SBnT", "sbntc", rotating),
           (many, N_PORT, "nRBRG", "nrbrg", by_level), (many, N_PORT, "SBT", "sbt", by_level),
           (many, N_PORT, "nRSBT", "nrsbt", by_level), (many, N_PORT, "nESBT", "nesbt", by_level),
           (many, N_PORT, "SBnT", "sbntc", by_level), (many, N_PORT, "TCBT", "tcbt", by_level),
           (many, N_PORT, "BRG", "brg", by_level))},
    # Section 7.1: every tree uses one dimension in a cycle, the n of them different ones.
    (17, "nRSBT"): _phases("nrsbt", N_PORT, by_size, personalized=True, everybody=True),
    ("17, postorder", "nRSBT"): _phases("nrsbt", N_PORT, by_level, personalized=True, everybody=True),
    ("13, one dimension a tree", "nRSBT"): _phases("nrsbt", N_PORT, by_size, everybody=True),
    **{("17, reverse-breadth-first", name): _phases(kind, N_PORT, farthest_first, personalized=True, everybody=True)
       for name, kind in (("nRBRG", "nrbrg"), ("SBT", "sbt"), ("nRSBT", "nrsbt"), ("nESBT", "nesbt"),
                          ("SBnT", "sbntc"), ("TCBT", "tcbt"), ("BRG", "brg"))},
}
"""What is executed for a row of a table, by (table and variant, routing): a function of n, M and B."""

_UNLIMITED_OF = {8: 7, 9: 7, 12: 11, 14: 13, 16: 15, 18: 17, 4: 4, 5: 5}


@cache
def price(run, n, M, B):
    return check_execution(RUNS[run](n, M, B))


@cache
def cycle_sizes(run, n, M):
    """The largest packet of every cycle where B is no limit."""
    execution = RUNS[run](n, M, UNLIMITED)
    check_execution(execution)
    return execution.sizes


def rows():
    """The rows of Tables 2 to 19."""
    return [*_packets(), *_tables(), *_roots(), *_optima(), *_ratios(), *_summary()]


def by_coverage(cases, conditions):
    """The conditions that cover most cases first: the weakest that explains is the best."""
    return sorted(conditions, key=lambda condition: -sum(map(condition[1], cases)))


def shown_case(case):
    return ", ".join(f"{name} = {value}" for name, value in zip(("n", "M", "B"), case))


def against(where, claim, text, found, formula, conditions=CONDITIONS, cases=None, *,
            agrees=lambda value, expected: value == expected, evidence="executed and checked, packet by packet"):
    """The row of a number that is executed, ``found(*case)``, and printed, ``formula(*case)``.

    The cases are those of :data:`GRID` unless others are given.
    """
    cases = cases or GRID
    results = {case: (found(*case), formula(*case)) for case in cases}
    verdict, failing = judge(cases, lambda case: agrees(*results[case]), by_coverage(cases, conditions))
    shown = failing or cases[len(cases) // 2]
    value, expected = results[shown]
    recomputed = f"{shown_case(shown)}: {in_words(value)}" + (f", not {in_words(expected)}" if failing else "")
    exact = f", exact in {sum(value == expected for value, expected in results.values())}" if agrees is close else ""
    return Row(where, claim, text, f"{recomputed}; {len(cases)} cases{exact}", verdict, evidence)


def in_words(value):
    """A number, or a pair of start-ups and elements, in words."""
    if isinstance(value, tuple):
        return f"{in_words(value[0])} start-ups, {in_words(value[1])} elements"
    return str(value) if isinstance(value, (int, str)) else f"{float(value):.6g}"


def close(value, expected):
    """Whether "about" is within 10 %."""
    return abs(expected - value) <= abs(value) / 10


def of_N(function):
    return lambda n, M, B: function(n, 1 << n, M, B)


def _tables():
    """T of Tables 4, 5, 7, 11, 13, 15 and 17."""
    for table, routings in printed.T.items():
        for name, quantities in routings.items():
            for quantity, (text, function) in quantities.items():
                def found(n, M, B, table=table, name=name, quantity=quantity):
                    return price((table, name), n, M, B)[quantity == "elements"]
                word = "transferred elements" if quantity == "elements" else quantity
                about = text.startswith("about")
                yield against(f"Table {table}", f"{name}: {word} of {NAMES[table]} are"
                              + (", within 10 %," if about else ""), text, found, of_N(function),
                              agrees=close if about else lambda value, expected: value == expected)
                if (table, name) == (7, "SBnT, one-port"):  # Table 8 has the same elements as a bound
                    yield against("Table 7", f"{name}: {word} of {NAMES[table]} are at most", text, found,
                                  of_N(function),
                                  agrees=lambda value, expected: value <= expected)


def least(run, n, M, tau, t_c=1):
    """The least time over all whole B, executed."""
    return min(price(run, n, M, B).time(tau, t_c) for B in range(1, M + 1))


_ROOT_RUNS = {"section 4.1.1": ("4, send and receive", "BRG"), "section 4.1.3": ("4, send and receive", "TCBT"),
              "section 4.1.5": ("4, send or receive", "nESBT")}


def _roots():
    """B_opt and T_min of the pipelined broadcasts, where they depend on tau / t_c."""
    for (where, name), (text_B, text_T, functions) in printed.ROOTS.items():
        run = _ROOT_RUNS.get(where) or (int(where.split()[1]), name)
        cases = []  # (n, M, tau / t_c), the latter such that the printed B_opt is b
        for n in SIZES:
            for M in (2 * n, 3 * n + 1, 4 * n):
                for b in (Fraction(1, 2), 1, Fraction(3, 2), 2, 3, M // 2, M, 2 * M):
                    cases.append((n, M, Fraction(b * b) / functions["square"](n, 1 << n, M)))
        trees, whole = 1, "B_opt is whole and divides M"
        if (where, name) == ("Table 5", "nESBT"):  # M / n for every tree
            trees, whole = None, "B_opt is whole and n B_opt divides M"

        def B_opt(case, functions=functions):
            return functions["B_opt"](case[0], 1 << case[0], case[1], case[2], 1)

        def divides(case, B_opt=B_opt, trees=trees):
            b = round(B_opt(case))
            return b > 0 and isclose(b, B_opt(case)) and case[1] % (b * (trees or case[0])) == 0

        conditions = [(whole, divides),
                      ("B_opt <= M", lambda case, B_opt=B_opt: B_opt(case) <= case[1] * (1 + 1e-9)),
                      ("1 <= B_opt <= M", lambda case, B_opt=B_opt: 1 - 1e-9 <= B_opt(case) <= case[1] * (1 + 1e-9)),
                      ("B_opt <= M / n", lambda case, B_opt=B_opt: B_opt(case) * case[0] <= case[1] * (1 + 1e-9)),
                      ("1 <= B_opt <= M / n", lambda case, B_opt=B_opt: 1 - 1e-9 <= B_opt(case)
                       and B_opt(case) * case[0] <= case[1] * (1 + 1e-9))]
        T_min = {case: functions["T_min"](case[0], 1 << case[0], *case[1:], 1) for case in cases}
        best = {case: float(least(run, *case)) for case in cases}

        def at_B_opt(case, run=run, B_opt=B_opt):
            below = max(1, int(B_opt(case) + 1e-9))
            return min(float(price(run, *case[:2], B).time(case[2], 1)) for B in (below, below + 1))

        def show(case, T_min=T_min, best=best, B_opt=B_opt, at_B_opt=at_B_opt):
            return (f"n = {case[0]}, M = {case[1]}, tau / t_c = {case[2]}: B_opt = {B_opt(case):.4g}, T = "
                    f"{at_B_opt(case):.6g}, the least {best[case]:.6g}, T_min = {T_min[case]:.6g}")
        evidence = f"executed with every whole B up to M, {len(cases)} cases of n, M and tau / t_c"
        if text_B != "-":
            yield arithmetic(where, f"{name}: a whole number next to B_opt takes the least time of all B", text_B,
                             cases,
                             lambda case, best=best, at_B_opt=at_B_opt: isclose(at_B_opt(case), best[case]),
                             by_coverage(cases, conditions), evidence, show)
        yield arithmetic(where, f"{name}: T_min is the least time of all B", text_T, cases,
                         lambda case, best=best, T_min=T_min: isclose(best[case], T_min[case]),
                         by_coverage(cases, conditions), evidence, show)
        yield arithmetic(where, f"{name}: no B takes less than T_min", text_T, cases,
                         lambda case, best=best, T_min=T_min: best[case] >= T_min[case] * (1 - 1e-9),
                         by_coverage(cases, conditions), evidence, show)


OPTIMUM_CASES = [(n, M) for n in SIZES for M in sorted({1, n, n + 1, 2 * n, 3 * n + 1})]
OPTIMUM_CONDITIONS = [*OF_M, ("M >= n", lambda case: case[1] >= case[0]), ("n = 5", lambda case: case[0] == 5),
                      ("n is even", lambda case: case[0] % 2 == 0),
                      ("n divides M and n is even", lambda case: case[1] % case[0] == case[0] % 2 == 0),
                      ("n >= 4", lambda case: case[0] >= 4), ("n >= 5", lambda case: case[0] >= 5),
                      ("n = 3", lambda case: case[0] == 3), ("n = 6", lambda case: case[0] == 6),
                      ("n is prime", lambda case: case[0] in (3, 5)),
                      ("n is prime and divides M", lambda case: case[0] in (3, 5) and case[1] % case[0] == 0)]


def _optima():
    """B_opt and T_min where neither depends on tau / t_c: Tables 4, 5, 8, 9, 12, 14, 16 and 18."""
    for table, routings in printed.OPTIMA.items():
        for name, ((text, B_opt), T_min) in routings.items():
            run = _UNLIMITED_OF[table], name
            about = text.startswith("about")
            yield against(f"Table {table}", f"{name}: B_opt of {NAMES[table]}, the largest packet that is of use,"
                          + (" is, within 10 %," if about else " is"), text,
                          lambda n, M, run=run: max(cycle_sizes(run, n, M)),
                          lambda n, M, B_opt=B_opt: B_opt(n, 1 << n, M), OPTIMUM_CONDITIONS, OPTIMUM_CASES,
                          agrees=close if about else lambda value, expected: value == expected,
                          evidence="executed without a limit: the largest packet"
                          + ("; read as corollary 6.2 has it, the root over 2 / pi only" if "2 / pi" in text else ""))
            if T_min is None:
                continue
            (text, elements), (startups_text, startups) = T_min
            bound = text.startswith("<=")
            yield against(f"Table {table}", f"{name}: transferred elements of T_min of {NAMES[table]} are", text,
                          lambda n, M, run=run: price(run, n, M, UNLIMITED).elements,
                          lambda n, M, elements=elements: elements(n, 1 << n, M), OPTIMUM_CONDITIONS, OPTIMUM_CASES,
                          agrees=(lambda value, expected: value <= expected) if bound
                          else lambda value, expected: value == expected, evidence="executed without a limit")
            yield against(f"Table {table}", f"{name}: start-ups of T_min of {NAMES[table]} are", startups_text,
                          lambda n, M, run=run: price(run, n, M, UNLIMITED).startups,
                          lambda n, M, startups=startups: startups(n, 1 << n), OPTIMUM_CONDITIONS, OPTIMUM_CASES,
                          evidence="executed without a limit")


def _packets():
    """Tables 2 and 3: the first packet, and how far apart the packets are."""
    for number, table in ((2, printed.PROPAGATION), (3, printed.PACKETS_APART)):
        for name, columns in table.items():
            for ports, (text, function) in columns.items():
                run = 4 if ports == "one-port" else 5, name

                def found(n, run=run, number=number):
                    if number == 2:
                        return price(run, n, 1, 1).startups
                    few, many = 3 * n, 5 * n  # packets, in whole rounds of the n trees
                    return Fraction(price(run, n, many, 1).startups - price(run, n, few, 1).startups, many - few)
                yield against(f"Table {number}", f"{name}, {ports}: " + (
                    "cycles until one packet is everywhere" if number == 2 else "cycles per distinct packet"), text,
                    found, function, [("n is prime", lambda case: case[0] in (3, 5))], [(n,) for n in SIZES],
                    evidence="executed: M = B = 1" if number == 2 else
                    "executed: (cycles of 5n packets - cycles of 3n packets) / 2n")


def _ratios():
    """Table 6: how much longer than nESBT."""
    conditions = [(f"n >= {least_n}", lambda n, least_n=least_n: n >= least_n) for least_n in range(4, 40)]
    for (ports, name, column), (text, function) in printed.RATIOS.items():
        table = 4 if ports == "one-port" else 5
        mine, other = (table, name), (table, "nESBT")
        sizes = list(SIZES) if column == "one packet" else list(range(3, 65))
        if column == "one packet":
            def found(n, mine=mine, other=other):
                return Fraction(price(mine, n, 1, 1).startups, price(other, n, 1, 1).startups)
            evidence = "executed: M = B = 1"
        elif column.startswith("M / B"):
            sizes = list(SIZES)

            def found(n, mine=mine, other=other):
                cycles = [Fraction(price(run, n, 5 * n, 1).startups - price(run, n, 3 * n, 1).startups)
                          for run in (mine, other)]
                return cycles[0] / cycles[1]
            evidence = "executed: the growth from 3n to 5n packets"
        else:
            large = 10.0 ** 30

            def found(n, table=table, name=name, column=column, large=large):
                tau, M = (large, n) if ">>" in column else (1.0, n * int(large))
                return _T_min(table, name, n, M, tau) / _T_min(table, "nESBT", n, M, tau)
            evidence = "T_min of Tables 4 and 5, tau / (M t_c) = 10^30 or 10^-30"

        def agrees(n, found=found, function=function, column=column):
            return close(found(n), function(n)) if "B_opt" in column else found(n) == function(n)
        yield arithmetic("Table 6", f"{ports} {name} / nESBT, {column}" + (", within 10 %"
                                                                           if "B_opt" in column else ""),
                         text, sizes, agrees, conditions, evidence,
                         lambda n, found=found, function=function: f"n = {n}: {float(found(n)):.4g}, not "
                         f"{float(function(n)):.4g}")


def _T_min(table, name, n, M, tau):
    """T_min of Tables 4 and 5, for t_c = 1."""
    if (f"Table {table}", name) in printed.ROOTS:
        return printed.ROOTS[f"Table {table}", name][2]["T_min"](n, 1 << n, M, tau, 1)
    (_, elements), (_, startups) = printed.OPTIMA[table][name][1]
    return float(elements(n, 1 << n, M)) + startups(n, 1 << n) * tau


def _summary():
    """Table 19, what is not in other tables' words."""
    runs = {"one-to-all personalized": 7, "all-to-all broadcasting": {"one-port": 11, "n-port": 13},
            "all-to-all personalized": {"one-port": 15, "n-port": 17}}
    for (problem, ports, name), ((text, B_opt), ((elements_text, elements), (startups_text, startups))) in (
            printed.SUMMARY.items()):
        table = runs[problem] if problem == "one-to-all personalized" else runs[problem][ports]
        run = (table, f"{name}, {ports}") if table == 7 else (table, name)
        cases = [(n, M) for n, M in OPTIMUM_CASES if M % n == 0]
        yield against("Table 19", f"{problem}, {ports}, {name}: T_min is", f"{elements_text} t_c + {startups_text} tau",
                      lambda n, M, run=run: tuple(price(run, n, M, UNLIMITED)),
                      lambda n, M, startups=startups, elements=elements: (startups(n, 1 << n), elements(n, 1 << n, M)),
                      [], cases, evidence="executed without a limit, n dividing M"
                      + ("; for nRSBT it holds: " + in_words(price((17, "nRSBT"), 3, 3, UNLIMITED)) + " for n = M = 3"
                         if name == "nESBT" else ""))
        about = text.startswith("sqrt")
        yield against("Table 19", f"{problem}, {ports}, {name}: B_opt, the largest packet that is of use, is"
                      + (", within 10 %," if about else ""), text, lambda n, M, run=run: max(cycle_sizes(run, n, M)),
                      lambda n, M, B_opt=B_opt: B_opt(n, 1 << n, M), OPTIMUM_CONDITIONS, cases,
                      agrees=close if about else lambda value, expected: value == expected,
                      evidence="executed without a limit, n dividing M" + (
                          "; corollary 6.2 has sqrt(2 / pi) N M / n^(3/2)" if about else ""))
