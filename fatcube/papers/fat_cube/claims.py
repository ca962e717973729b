"""The claims of the fat-cube paper, one row each: what it prints, and how that is held against proofs.

What is printed stands here as formulas and texts; all else is computed. "Reachable" means that a schedule with so
many steps exists: it is shown by a schedule, and refuted by a lower bound or an infeasibility proof.
"""

import dataclasses
import itertools
from math import comb, log2

from ortools.sat.python import cp_model

from fatcube.papers.audit import Case, Row, arithmetic, ceil_div, ceil_log, formula, judge, optimal, reachable
from fatcube.papers.fat_cube.printed import TABLE_2, TABLE_4, TABLE_5, TABLE_6
from groundwork.solving import solve
from noc.cost import cheaper_dimensions, price
from noc.topologies.cubes import FatCube, Hypercube
from schedules.bounds import lower_bound
from schedules.checker import ScheduleError, check
from schedules.collective import Message, Move
from schedules.construct import best, construct
from schedules.schedule import Schedule
from schedules.schedule_file import write_schedule
from schedules.step_model import StepModel

__all__ = ["FatCase", "SIZES", "rows"]


MODELS = ("1", "b", "d", "*")
SIZES = [(d, m, f) for d in range(1, 5) for m in range(1, 9) for f in range(1, 4) if m << d <= 32]
FAT = [size for size in SIZES if size[1] > 1]  # "m: an integer greater than 1" (section 2)

ONE_LANE = ("f = 1", lambda case: case.f == 1)
FEW_LANES = ("f <= m", lambda case: case.f <= case.m)
NARROW = ("m > f d", lambda case: case.m > case.f * case.d)
WIDE = ("m <= f d", lambda case: case.m <= case.f * case.d)
POWER = ("m is a power of 2", lambda case: case.m & (case.m - 1) == 0)
LANES_BOUND = ("f d <= d + m - 1", lambda case: case.f * case.d <= case.d + case.m - 1)
LINKS_BOUND = ("P m / (2 f) >= d P / 2 + m - 1",
               lambda case: ceil_div(case.P * case.m, 2 * case.f) >= case.d * case.P // 2 + case.m - 1)
EVEN = ("min(f d, m d) divides m", lambda case: case.m % min(case.f * case.d, case.m * case.d) == 0)
EVEN_D = ("the rounded parts add up: (P - m) mod d = 0 or (m - 1) mod d = 0",
          lambda case: (case.P - case.m) % case.d == 0 or (case.m - 1) % case.d == 0)
PORTS_BOUND = ("1 + ceil((P - m - floor(f d / m)) / (f d)) <= s and m (P - 1) <= f d + m (m - 1) + (s - 1) m k, "
               "s = ceil((P - 1) / k)", lambda case: _has_time(case, ceil_div(case.P - 1, case.k)))



def rows(evidence):
    """All rows of the audit, in the order of the paper; ``evidence`` is an :class:`Evidence`."""
    return [*_cost(), *_table_3(evidence), *_broadcast(evidence), *_all_gather(evidence), *_scatter(evidence),
            *_all_to_all(evidence), *_section_5(evidence), *_table_6(evidence), *_conclusions(evidence)]


@dataclasses.dataclass(frozen=True)
class FatCase(Case):
    """A collective on a fat cube with a router model."""

    @classmethod
    def of(cls, d, m, f, ports, collective):
        """The case of the fat cube with d dimensions, m processors a node and f lanes a link."""
        return cls(FatCube(d, m, f), ports, collective)

    d = property(lambda self: self.topology.d)
    m = property(lambda self: self.topology.m)
    f = property(lambda self: self.topology.f)
    place = property(lambda self: f"d{self.d}-m{self.m}-f{self.f}")

    def __str__(self):
        return f"{self.collective} on (d={self.d}, m={self.m}, f={self.f}) model {self.ports}"


def _cases(sizes, ports, collective):
    return [FatCase.of(d, m, f, ports, collective) for d, m, f in sorted(sizes, key=lambda size: (size[1] << size[0], size))]


def _formula(evidence, where, claim, printed, cases, value, holds, conditions=()):
    return formula(evidence, where, claim, printed, cases, value, holds, conditions, sizes="with P <= 32",
                   show=lambda case: (case.d, case.m, case.f) in ((2, 2, 1), (3, 1, 1)))


def _cost():
    """Section 3: equations 1 to 5, Tables 1 and 2."""
    sizes = [FatCase.of(d, m, f, "1", "") for d in range(1, 9) for m in range(2, 17) for f in range(1, 5)]

    def show(case):
        return f"d={case.d}, m={case.m}, f={case.f}"

    yield arithmetic("equation 1", "a hypercube with as many processors has d' = d + log m dimensions",
                     "d' = d + log m", sizes, lambda case: case.P == 1 << int(case.d + log2(case.m)), [POWER], show=show)
    for where, claim, holds, conditions in (
            ("equation 2", "the links of a fat cube cost no more than those of the hypercube: f d <= m d'",
             lambda case: case.f * case.d <= case.m * (case.d + ceil_log(2, case.m)), [FEW_LANES]),
            ("section 2", "there are L = f d 2^(d-1) links",
             lambda case: price(case.topology, "1").links == case.topology.graph.number_of_edges()
             == case.f * case.d << case.d - 1, [])):
        yield arithmetic(where, claim, "always", sizes, holds, conditions, "counted on the graph", show=show)
    for model, number, left in (
            ("1", 3, lambda c: (c.m + c.d * c.f) ** 2 <= c.m * (1 + c.d + log2(c.m)) ** 2 + 1e-9),
            ("d", 4, lambda c: c.d ** 2 * (c.m + c.f) ** 2 <= 4 * c.m * (c.d + log2(c.m)) ** 2 + 1e-9),
            ("*", 5, lambda c: (c.d * (c.m + c.f) + c.m * (c.m - 1)) ** 2
             <= 4 * c.m * (c.d + log2(c.m)) ** 2 + 1e-9)):
        def same(case, model=model, left=left):
            hypercube = Hypercube(case.d + ceil_log(2, case.m))
            cheaper = price(case.topology, model).router_cost <= price(hypercube, model).router_cost
            return cheaper == left(case)
        yield arithmetic(f"equation {number}", f"the inequality says when the routers of model {model} cost no more",
                         "C_R <= C'_R", [case for case in sizes if case.m <= 8], same, [POWER],
                         "both sides from the crossbars of the routers that are generated", show=show)
    for model, fat, thin in (("1", lambda d, m, f: (m + d * f) ** 2 << d, lambda d: (1 + d) ** 2 << d),
                             ("d", lambda d, m, f: d * d * (m + f) ** 2 << d, lambda d: 4 * d * d << d),
                             ("*", lambda d, m, f: (d * (m + f) + m * m - m) ** 2 << d, lambda d: 4 * d * d << d)):
        yield arithmetic(
            "Table 1", f"C_R of model {model}, fat cube and hypercube", "2^d (a b)", sizes,
            lambda case, model=model, fat=fat, thin=thin: (
                price(case.topology, model).router_cost == fat(case.d, case.m, case.f)
                and price(Hypercube(case.d), model).router_cost == thin(case.d)),
            [], "crossbar sizes of the routers that are generated", show=show)
    for (f, m), printed in TABLE_2.items():
        for model, text in printed.items():
            found = _conditions_of(cheaper_dimensions(model, m, f, most=100), 100)
            margin = ""
            if found != text:
                d = int(text.rsplit(maxsplit=1)[1]) if text[-1].isdigit() else 1
                margin = f"; at d = {d}: {price(FatCube(d, m, f), model).router_cost} against " \
                         f"{price(Hypercube(d + ceil_log(2, m)), model).router_cost}"
            yield Row("Table 2", f"f = {f}, m = {m}, model {model}: the fat cube is not dearer for", text, found + margin,
                      "holds" if found == text else f"wrong: {found}", "C_R of Table 1 for d up to 100")
    yield from (Row("section 3", f"the fat cube of Figure 1{part} with model 1 is cheaper than the hypercube",
                    "cheaper", f"{cost} against {other}", "holds" if cost < other else "wrong", "C_R of Table 1")
                for part, topology in (("a", FatCube(2, 4, 2)), ("b", FatCube(3, 2, 1)))
                for cost, other in [(price(topology, "1").router_cost, price(Hypercube(4), "1").router_cost)])


def _conditions_of(found, most):
    if not found:
        return "never"
    return "every d" if len(found) == most else f"d <= {found[-1]}" if found == list(range(1, found[-1] + 1)) \
        else ", ".join(map(str, found))


def _table_3(evidence):
    """Table 3: the hypercube; store-and-forward by schedules, wormhole as lower bounds only."""
    sizes = [(d, 1, 1) for d in range(1, 6)]
    for name, model, formulas in (
            ("1-port", "1", {"OAB": ("log P", lambda c: c.d), "AAB": ("P - 1", lambda c: c.P - 1),
                             "OAS": ("P - 1", lambda c: c.P - 1), "AAS": ("d P / 2", lambda c: c.d * c.P // 2)}),
            ("all-port", "d", {"OAB": ("d", lambda c: c.d),
                               "AAB": ("ceil((P - 1) / d)", lambda c: ceil_div(c.P - 1, c.d)),
                               "OAS": ("ceil((P - 1) / d)", lambda c: ceil_div(c.P - 1, c.d)),
                               "AAS": ("P / 2", lambda c: c.P // 2)})):
        for collective, (printed, value) in formulas.items():
            yield _formula(evidence, "Table 3", f"SF hypercube, {name}: {collective} is a lower bound that is reached",
                           printed, _cases(sizes, model, collective), value, optimal(evidence, value))
    dimensions = range(1, 11)
    for name, collective, printed, holds in (
            ("1-port", "OAB", "log P", lambda d: ceil_log(2, 1 << d) == d),
            ("all-port", "OAB", "ceil(log P to the base d + 1) = ceil(d / log(d + 1))",
             lambda d: ceil_log(d + 1, 1 << d) == -int(-d // log2(d + 1))),
            ("1-port", "AAB, OAS, AAS", "P - 1", lambda d: _port_bound(d, 1) == (1 << d) - 1),
            ("all-port", "AAB, OAS", "ceil((P - 1) / d)", lambda d: _port_bound(d, Hypercube(d).degree)
             == ceil_div((1 << d) - 1, d)),
            ("all-port", "AAS", "P / 2", lambda d: _middle_bound(d) == 1 << d - 1)):
        yield arithmetic("Table 3", f"WH hypercube, {name}: {collective} takes at least", printed, list(dimensions), holds,
                         evidence="ports of a processor, and for AAS links across the middle; whether it is reached "
                                  "is not decided: fatcube's steps are store-and-forward")


def _port_bound(d, ports):
    """Steps in which a processor can receive a message from each of the others, whatever the distance."""
    cube = Hypercube(d)
    return ceil_div(sum(other != 0 for other in range(cube.processors)), ports)


def _middle_bound(d):
    """Steps in which all messages of an all-to-all between the two halves can cross the links between them."""
    cube = Hypercube(d)
    half = [node < cube.nodes // 2 for node in range(cube.nodes)]
    links = sum(half[u] != half[v] for u, v in cube.graph.edges())
    return ceil_div(sum(half) * (cube.nodes - sum(half)), links)


def _broadcast(evidence):
    """Section 4.1: Theorems 1 and 2, Table 4, equation 6, Lemma 1."""
    yield _formula(evidence, "Theorem 1", "OAB on the 1-port fat cube: the lower bound is reached for all f, d and m",
                   "ceil(log P)", _cases(FAT, "1", "OAB"), lambda case: ceil_log(2, case.P),
                   optimal(evidence, lambda case: ceil_log(2, case.P)))
    yield _formula(evidence, "section 4.1", "a 12-processor fat cube (d = 2, m = 3) needs 4 steps on 1-port routers", "4",
                   [FatCase.of(2, 3, 1, "1", "OAB")], lambda case: 4, optimal(evidence, lambda case: 4))
    for model in ("b", "d", "*"):
        def value(case):
            return max(case.d, ceil_log((case.d if case.ports == "b" else case.k) + 1, case.P))
        sizes = [size for size in FAT if size[2] == 1]
        yield _formula(evidence, "section 4.1", f"OAB in model {model} takes max(D, ceil(log P to the base k + 1)) steps"
                       + (", k = d" if model == "b" else ""), "max(D, ceil(log P to the base k + 1))",
                       _cases(sizes, model, "OAB"), value, optimal(evidence, value))
    for model, cells in TABLE_4.items():
        for (d, m), printed in cells.items():
            for ports in ("b", "d") if model == "d" else ("*",):
                case = FatCase.of(d, m, 1, ports, "OAB")
                base = (d if model == "d" else d + m - 1) + 1
                computed = max(d, ceil_log(base, case.P))
                _, steps = evidence.known(case)
                star = model == "d" and (d, m) in ((2, 2), (3, 2), (4, 2), (4, 4))
                verdict = f"wrong: {steps} steps are enough" if steps < printed else \
                    f"wrong: {printed} steps cannot be reached" if star and evidence.optimum(case) != printed else \
                    "holds" if computed == printed else f"wrong: {base}^{computed} >= {case.P}, so {computed}"
                claim = f"d = {d}, m = {m}, model {ports}: the lower bound of OAB{', reachable' if star else ''}"
                yield Row("Table 4", claim, f"{printed}{'*' if star else ''}", str(computed), verdict,
                          f"max(d, ceil(log {case.P} to the base {base})); {evidence.schedule(case)}", evidence.text(case))
    plain = [FatCase.of(d, m, 1, "d", "OAB") for d in range(1, 13) for m in range(1, 65)]
    yield arithmetic("equation 6", "the diameter dominates ceil(log P to the base d + 1) if and only if m <= ((d + 1) / 2)^d",
                     "m <= ((d + 1) / 2)^d", plain,
                     lambda case: (ceil_log(case.d + 1, case.P) <= case.d) == (case.m << case.d <= (case.d + 1) ** case.d),
                     show=str)
    yield arithmetic("section 4.1", "in model * the diameter dominates if and only if (d + m)^d >= m 2^d, that is, if d > 1",
                     "d > 1", [case for case in plain if case.m > 1],
                     lambda case: ((case.d + case.m) ** case.d >= case.P) == (case.d > 1), show=str)
    yield from _theorem_2(evidence)
    levels = [(d, i) for d in range(1, 11) for i in range(d)]
    counted = {(d, i): sum(1 for u, v in FatCube(d).graph.edges()
                           if {u.bit_count(), v.bit_count()} == {i, i + 1}) for d, i in levels}
    yield arithmetic("Lemma 1", "links between levels i and i + 1 of the broadcast tree, as stated", "C(d - 1, i)",
                     levels, lambda level: counted[level] == comb(level[0] - 1, level[1]),
                     [("d = 1", lambda level: level[0] == 1)], "counted on the graph",
                     show=lambda level: f"d={level[0]}, i={level[1]}: {counted[level]} links")
    yield arithmetic("Lemma 1", "the same, as proved and used", "d C(d - 1, i)", levels,
                     lambda level: counted[level] == level[0] * comb(level[0] - 1, level[1]), [],
                     "counted on the graph")


def _theorem_2(evidence):
    sizes = [size for size in FAT if size[2] == 1]

    def d_port(case):
        return case.d + ceil_log(case.d + 1, ceil_div(case.m, case.d))

    def copies(case):
        return case.d if case.m <= case.d else case.d + 1

    for model, printed, value in (("d", "d + ceil(log ceil(m / d) to the base d + 1)", d_port),
                                  ("*", "d if m <= d, else d + 1", copies), ("b", "d if m <= d, else d + 1", copies)):
        cases = _cases(sizes, model, "OAB")
        yield _formula(evidence, "Theorem 2", f"OAB in model {model} can be done in", printed, cases, value,
                       reachable(evidence, value))
    yield _formula(evidence, "Theorem 2, proof", "OAB in model b takes d + 1 steps, whatever m and d are", "d + 1",
                   _cases(sizes, "b", "OAB"), lambda case: case.d + 1, optimal(evidence, lambda case: case.d + 1),
                   [("m > d", lambda case: case.m > case.d)])
    yield _formula(evidence, "section 4.1", "the bound D = d is reached in model d if d >= m", "d",
                   [case for case in _cases(sizes, "d", "OAB") if case.d >= case.m], lambda case: case.d,
                   optimal(evidence, lambda case: case.d))


def _all_gather(evidence):
    """Section 4.2: equations 7 to 11, Theorem 3."""
    for model in MODELS:
        def ports(case):
            return ceil_div(case.P - 1, case.k)
        cases = _cases(FAT, model, "AAB")
        yield _formula(evidence, "equation 7", f"AAB in model {model} takes at least", "ceil((P - 1) / k)", cases, ports,
                       lambda case: ports(case) <= evidence.known(case)[0].steps)
        if model in "d*":
            yield _formula(evidence, f"equation {10 if model == 'd' else 11}",
                           f"with full overlap (model {model}, {'f < m' if model == 'd' else 'f d < m (d + m - 1)'}) AAB "
                           f"reaches that bound", "ceil((P - 1) / k)",
                           [case for case in cases if (case.f < case.m if model == "d"
                                                       else case.f * case.d < case.m * (case.d + case.m - 1))],
                           ports, reachable(evidence, ports), [PORTS_BOUND])
            yield _overlap_sum(model, cases)

    def theorem(case):
        if case.k == 1 and case.ports in "1b":
            return case.P - 1
        if case.ports == "d":
            return (ceil_div(case.P - case.m, min(case.f * case.d, case.m * case.d))
                    + ceil_div(case.m - 1, case.d) * (case.P // case.m))
        return ceil_div(case.P - case.m, min(case.f * case.d, case.m * (case.d + case.m - 1))) + case.P // case.m

    for model, printed in (("1", "P - 1"), ("d", "ceil((P - m) / min(f d, m d)) + ceil((m - 1) / d) P / m"),
                           ("*", "ceil((P - m) / min(f d, m (d + m - 1))) + P / m")):
        cases = _cases(FAT, model, "AAB")
        yield _formula(evidence, "Theorem 3", f"AAB in model {model} can be done in", printed, cases, theorem,
                       reachable(evidence, theorem), [ONE_LANE, FEW_LANES])
    yield _formula(evidence, "Theorem 3", "and for model 1 that is the fewest", "P - 1", _cases(FAT, "1", "AAB"), theorem,
                   optimal(evidence, theorem))
    cases = _cases(FAT, "d", "AAB")
    yield arithmetic("equation 8", "(2^d - 1) ceil(m / min(f d, m d)) = ceil((P - m) / min(f d, m d))", "equal", cases,
                     lambda case: ((1 << case.d) - 1) * ceil_div(case.m, min(case.f * case.d, case.m * case.d))
                     == ceil_div(case.P - case.m, min(case.f * case.d, case.m * case.d)), [EVEN], show=str)
    yield arithmetic("equation 9", "ceil((m - 1) / (d + m - 1)) P / m = P / m", "equal", cases,
                     lambda case: ceil_div(case.m - 1, case.d + case.m - 1) == 1, show=str)


def _has_time(case, steps):
    """Whether what enters a node last can still be copied there, and the first step, without relaying, is no loss."""
    P, m, d, f, k = case.P, case.m, case.d, case.f, case.k
    return (1 + ceil_div(P - m - f * d // m, f * d) <= steps
            and m * (P - 1) <= f * d + m * (m - 1) + (steps - 1) * m * k)


def _overlap_sum(model, cases):
    """The equality of the printed sum with the bound, without asking whether it is reached."""
    def equal(case):
        P, m, d, f, k = case.P, case.m, case.d, case.f, case.k
        hidden = (P - m) * (m * k - f * d)
        rest = ceil_div(P * (m - 1) * f * d - hidden, m * k * f * d)
        return ceil_div(P - m, f * d) + rest == ceil_div(P - 1, k)
    inside = [case for case in cases if (case.f < case.m if model == "d"
                                         else case.f * case.d < case.m * (case.d + case.m - 1))]
    return arithmetic(f"equation {10 if model == 'd' else 11}",
                      f"ceil of the inter-node steps and ceil of the rest add up to ceil((P - 1) / k), model {model}",
                      "equal", inside, equal, [("f d divides P - m", lambda case: (case.P - case.m) % (
                          case.f * case.d) == 0)], show=str)


def _scatter(evidence):
    """Section 4.3: equation 12, Theorem 4."""
    for model in ("1", "d", "*"):
        def ports(case):
            return ceil_div(case.P - 1, case.k)
        yield _formula(evidence, "equation 12", f"OAS in model {model} takes at least", "ceil((P - 1) / k)",
                       _cases(FAT, model, "OAS"), ports, lambda case: ports(case) <= evidence.known(case)[0].steps)

    def theorem(case):
        if case.ports == "1":
            return case.P - 1
        if case.ports == "d":
            return (ceil_div(case.P - case.m, min(case.f * case.d, case.m * case.d)) + ceil_div(case.m - 1, case.d))
        return ceil_div(case.P - case.m - case.d, min(case.f * case.d, case.m * (case.d + case.m - 1))) + 1

    for model, printed in (("1", "P - 1"), ("d", "ceil((P - m) / min(f d, m d)) + ceil((m - 1) / d)"),
                           ("*", "ceil((P - m - d) / min(f d, m (d + m - 1))) + 1")):
        yield _formula(evidence, "Theorem 4", f"OAS in model {model} can be done in", printed, _cases(FAT, model, "OAS"),
                       theorem, reachable(evidence, theorem), [ONE_LANE, LANES_BOUND, FEW_LANES])
    yield _formula(evidence, "Theorem 4", "and for model 1 that is the fewest", "P - 1", _cases(FAT, "1", "OAS"), theorem,
                   optimal(evidence, theorem))
    single = [size for size in FAT if size[2] == 1]
    yield arithmetic("Theorem 4, proof", "for f = 1, model d, it comes to ceil((P - 1) / d)", "ceil((P - 1) / d)",
                     _cases(single, "d", "OAS"), lambda case: theorem(case) == ceil_div(case.P - 1, case.d), [EVEN_D],
                     show=lambda case: f"{case}: {theorem(case)}, not {ceil_div(case.P - 1, case.d)}")
    yield _formula(evidence, "Theorem 4, proof", "and ceil((P - 1) / d) can be reached", "ceil((P - 1) / d)",
                   _cases(single, "d", "OAS"), lambda case: ceil_div(case.P - 1, case.d),
                   optimal(evidence, lambda case: ceil_div(case.P - 1, case.d)))
    yield arithmetic("Theorem 4, proof", "for f = 1, model *, it comes to ceil((P - m) / d)", "ceil((P - m) / d)",
                     _cases(single, "*", "OAS"), lambda case: theorem(case) == ceil_div(case.P - case.m, case.d), show=str)
    yield _formula(evidence, "section 4.3", "for m = f = 1 Theorem 4 gives the lower bounds of the hypercube",
                   "ceil((P - 1) / d)", _cases([size for size in SIZES if size[1:] == (1, 1)], "d", "OAS"), theorem,
                   optimal(evidence, theorem))


def _all_to_all(evidence):
    """Section 4.4: equations 13 to 17, Theorem 5."""
    def theorem(case):
        P, m, d, f = case.P, case.m, case.d, case.f
        if case.ports == "1":
            return ceil_div(P * m * d, 2 * min(m, f * d)) + m - 1
        if case.ports == "d":
            return ceil_div(P * m * d, 2 * min(m * d, f * d)) + ceil_div(m - 1, d)
        return ceil_div(P * m * d, 2 * min(m * (d + m - 1), f * d)) + 1

    for model, printed in (("1", "ceil(P m d / (2 min(m, f d))) + m - 1"),
                           ("d", "ceil(P m d / (2 min(m d, f d))) + ceil((m - 1) / d)"),
                           ("*", "ceil(P m d / (2 min(m (d + m - 1), f d))) + 1")):
        yield _formula(evidence, "Theorem 5", f"AAS in model {model} can be done in", printed, _cases(FAT, model, "AAS"),
                       theorem, reachable(evidence, theorem), [ONE_LANE, FEW_LANES])
    dimensions = list(range(1, 13))
    yield arithmetic("equation 13", "the super-messages on all levels are d 2^(d-1)", "d 2^(d-1)", dimensions,
                     lambda d: sum(FatCube(d).distances[0]) == d << d - 1 if d <= 8
                     else sum(k * comb(d, k) for k in range(d + 1)) == d << d - 1, [],
                     "distances counted on the graph for d up to 8, the sum beyond")
    one = _cases(FAT, "1", "AAS")
    d_port = _cases(FAT, "d", "AAS")
    for where, claim, printed, cases, value in (
            ("equation 14", "for m <= f d, model 1, d P / 2 + m - 1 is the fewest", "d P / 2 + m - 1",
             [case for case in one if WIDE[1](case)], lambda case: case.d * case.P // 2 + case.m - 1),
            ("equation 16", "for m > f d, model 1, full overlap reaches ceil(P m / (2 f)), the fewest",
             "ceil(P m / (2 f))", [case for case in one if NARROW[1](case)],
             lambda case: ceil_div(case.P * case.m, 2 * case.f)),
            ("equation 17", "for m <= f, model d, P / 2 + ceil((m - 1) / d) is the fewest", "P / 2 + ceil((m - 1) / d)",
             [case for case in d_port if case.m <= case.f], lambda case: case.P // 2 + ceil_div(case.m - 1, case.d)),
            ("section 4.4", "for f = m, model *, P / 2 is the fewest", "P / 2",
             [case for case in _cases(FAT, "*", "AAS") if case.f == case.m], lambda case: case.P // 2)):
        yield _formula(evidence, where, claim, printed, cases, value, optimal(evidence, value), [LINKS_BOUND])
    for where, claim, printed, cases, value in (
            ("equation 15", "for m > f d, model 1, it can be done in", "ceil(P m / (2 f)) + m - 1",
             [case for case in one if NARROW[1](case)], lambda case: ceil_div(case.P * case.m, 2 * case.f) + case.m - 1),
            ("equation 17", "for f <= m, model d, it can be done in", "ceil(P m / (2 f)) + ceil((m - 1) / d)",
             [case for case in d_port if case.f <= case.m],
             lambda case: ceil_div(case.P * case.m, 2 * case.f) + ceil_div(case.m - 1, case.d)),
            ("section 4.4", "for f < m, model d, overlap hides the local messages", "ceil(P m / (2 f))",
             [case for case in d_port if case.f < case.m], lambda case: ceil_div(case.P * case.m, 2 * case.f))):
        yield _formula(evidence, where, claim, printed, cases, value, reachable(evidence, value), [LINKS_BOUND])
    half = StepModel(half_duplex=True)

    def half_duplex_bound(case):
        return lower_bound(case.topology, case.ports, "AAS", model=half).steps
    for model in ("1", "d"):
        cases = _cases(FAT, model, "AAS")
        yield arithmetic("section 4.4", f"lower bounds of AAS for HD and FD links differ by a factor of two, model {model}",
                         "2", cases,
                         lambda case: 0 <= 2 * evidence.known(case)[0].steps - half_duplex_bound(case) <= 1,
                         [("m > f d", NARROW[1]), ("f < m", lambda case: case.f < case.m), LINKS_BOUND],
                         "best lower bounds, with and without half duplex",
                         show=lambda case: f"{case}: {evidence.known(case)[0].steps} and "
                         f"{half_duplex_bound(case)}")


def _link_types(evidence):
    """Sections 4.1 to 4.3: what half duplex links change."""
    half = StepModel(half_duplex=True)
    for where, collective in (("section 4.1", "OAB"), ("section 4.3", "OAS")):
        cases = [case for model in MODELS for case in _cases(FAT, model, collective)]

        def same(case):
            try:
                return check(construct(case.topology, case.ports, case.collective).schedule, half).steps == evidence.known(case)[1]
            except ScheduleError:
                return None
        yield arithmetic(where, f"{collective} takes the same on half duplex links", "the same", cases, same, [],
                         "the same schedules, checked with half duplex links", show=str)
    case = FatCase.of(3, 1, 1, "1", "AAB")
    found = best(case.topology, case.ports, case.collective, model=half, time_limit=evidence.time_limit)
    full = evidence.known(case)[1]
    yield Row("section 4.2", "AAB on half duplex links takes twice the steps, or sometimes fewer", "2, or fewer",
              f"{case}: {found.steps} instead of {full} steps", "holds" if found.steps <= 2 * full else "wrong",
              "search; every step can be done in two, one direction after the other", str(found.steps) if found.proved else "-")


def _section_5(evidence):
    """Section 5: the 8-processor example."""
    printed = {"5.1": ("OAB", {"1": 3, "b": 2, "d": 2, "*": 2}), "5.2": ("AAB", {"1": 7, "d": 4, "*": 3}),
               "5.3": ("OAS", {"1": 7, "d": 4, "*": 3}), "5.4": ("AAS", {"1": 9, "d": 8, "*": 8})}
    for section, (collective, cells) in printed.items():
        for model, steps in cells.items():
            case = FatCase.of(2, 2, 1, model, collective)
            bound, best = evidence.known(case)
            verdict = "holds" if best == steps else f"wrong: {steps} is impossible" if steps < bound.steps else \
                f"holds, but {best} is possible"
            yield Row(f"section {section}", f"{collective} in model {model} takes", str(steps),
                      str(best), verdict, f"{evidence.schedule(case)}; no fewer: {bound.reason}"
                      + (f"; also {evidence.proof(case, steps)}" if steps < bound.steps else ""), evidence.text(case))
    yield _table_5(evidence)


def _table_5(evidence):
    """Whether there are senders and lanes for the deliveries that Table 5 prints."""
    topology = FatCube(2, 2)
    # The local pairs and links that its first step uses: processors 1 2 | 3 4 | 5 6 | 7 8 share a node.
    place = {1: 0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 7}
    held = {message: {place[message]} for message in TABLE_5}
    model = cp_model.CpModel()
    chosen = {}
    for step in range(4):
        now = {}
        for message, steps in TABLE_5.items():
            for dst in (place[number] for number in steps[step]):
                ways = [src for src in held[message] if src != dst and (
                    src // 2 == dst // 2 or topology.channels_between(src // 2, dst // 2))]
                for src in ways:
                    now[src, dst, message] = model.new_bool_var("")
                model.add_exactly_one(now[src, dst, message] for src in ways)
        for processor in range(8):
            model.add(sum(variable for (src, _, _), variable in now.items() if src == processor) <= 2)
            model.add(sum(variable for (_, dst, _), variable in now.items() if dst == processor) <= 2)
        for here, there in itertools.permutations(range(4), 2):
            model.add(sum(variable for (src, dst, _), variable in now.items() if (src // 2, dst // 2) == (here, there)) <= 1)
        chosen.update({Move(step + 1, src, dst, Message(place[message], None)): variable
                       for (src, dst, message), variable in now.items()})
        for message, steps in TABLE_5.items():
            held[message] |= {place[number] for number in steps[step]}
    solver = cp_model.CpSolver()
    if solve(solver, model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        moves = [move for move, variable in chosen.items() if solver.boolean_value(variable)]
        schedule = Schedule.from_moves(topology, "d", "AAB", None, moves)
        try:
            check(schedule)
        except ScheduleError as error:
            return Row("Table 5", "AAB in model d in 4 steps", "4 steps", str(error), "wrong", "the checker")
        path = evidence.folder / "schedules" / "table-5.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_schedule(schedule, path)
        return Row("Table 5", "these deliveries are a schedule of AAB in model d", "4 steps",
                   f"{schedule.steps} steps, {schedule.size} transfers", "holds",
                   "schedules/table-5.json: senders found by search, the paper prints receivers only", "4")
    return Row("Table 5", "these deliveries are a schedule of AAB in model d", "4 steps",
               "no choice of senders keeps to ports and lanes", "wrong", "search over all senders", "4")


def _table_6(evidence):
    starred = {("FC", "1", "OAS"), ("FC", "1", "AAB"), ("FC", "1", "AAS"), ("FC", "d", "OAS"), ("FC", "d", "AAB"),
               ("FC", "*", "OAS")}
    for model, cells in TABLE_6.items():
        for collective, pair in cells.items():
            for network, steps in zip(("HC", "FC"), pair):
                case = FatCase.of(3, 1, 1, model, collective) if network == "HC" else FatCase.of(2, 2, 1, model, collective)
                bound, best = evidence.known(case)
                star = (network, model, collective) in starred
                verdict = "holds" if best == bound.steps == steps else f"wrong: {evidence.text(case)}"
                note = "" if star or network == "HC" or collective == "OAB" or best != bound.steps else \
                    "; it is the fewest, though no asterisk says so"
                yield Row("Table 6", f"{network}, model {model}: {collective}", f"{steps}{'*' if star else ''}",
                          f"{best}{note}", verdict, f"{evidence.schedule(case)}; no fewer: {bound.reason}",
                          evidence.text(case))


def _conclusions(evidence):
    """Section 6."""
    fat, thin = (2, 2, 1), (3, 1, 1)
    ratios = {model: tuple(evidence.known(FatCase.of(*size, model, "AAS"))[1] for size in (thin, fat)) for model in MODELS}
    yield Row("section 6", "AAS is 25 % faster than on the hypercube on 1-port models", "25 %",
              f"{ratios['1'][1]} against {ratios['1'][0]} steps", "holds" if ratios["1"] == (12, 9) else "wrong",
              "Table 6 above")
    slow = [model for model, (cube, fatcube) in ratios.items() if fatcube == 2 * cube]
    yield Row("section 6", "AAS takes twice as long as on the hypercube on models d and b", "d, b", ", ".join(slow),
              "holds" if slow == ["b", "d"] else f"wrong: on models {' and '.join(slow)}; on b it is "
              f"{ratios['b'][1]} against {ratios['b'][0]}", "Table 6 above")
    prices = {model: (price(FatCube(*fat), model).router_cost, price(Hypercube(3), model).router_cost) for model in MODELS}
    yield Row("section 6", "all models of this fat cube are cheaper than the 8-processor hypercube", "cheaper",
              ", ".join(f"{model}: {a} < {b}" for model, (a, b) in prices.items()),
              "holds" if all(a < b for a, b in prices.values()) else "wrong", "C_R of Table 1")
    powers = [size for size in FAT if POWER[1](FatCase.of(*size, "1", ""))]

    def cube(case):
        return FatCase.of(case.d + ceil_log(2, case.m), 1, 1, case.ports, case.collective)

    def compare(where, claim, sizes, models, collective, holds, conditions=()):
        cases = [case for model in models for case in _cases(sizes, model, collective)]
        verdict, failing = judge(cases, holds, conditions)
        shown = failing or next(case for case in cases if (case.d, case.m, case.f) == (2, 2, 1))
        other = cube(shown)
        return Row(where, claim, "generally", f"{len(cases)} cases with P <= 32; {shown}: {evidence.text(shown)}, "
                   f"hypercube: {evidence.text(other)}", verdict, f"{evidence.schedule(shown)}, {evidence.schedule(other)}",
                   evidence.text(shown))

    def same(case):
        return evidence.known(case)[1] == evidence.known(cube(case))[1]

    yield compare("conclusion 1", "OAB takes the same in 1-port fat cubes and hypercubes", powers, ("1",), "OAB", same)
    yield compare("conclusion 2", "OAB is faster than on the hypercube in models b, d and *", powers, ("b", "d", "*"), "OAB",
                  lambda case: evidence.known(case)[1] < evidence.known(cube(case))[1],
                  [("m <= d", lambda case: case.m <= case.d), ("d > 1", lambda case: case.d > 1)])
    yield from _link_types(evidence)
    for collective in ("OAS", "AAB"):
        for model in ("1", "d", "*"):
            yield compare("conclusion 3", f"{collective} in model {model} runs faster with multiple links",
                          [size for size in powers if size[2] == 1], (model,), collective,
                          lambda case: evidence.known(FatCase.of(case.d, case.m, 3, case.ports, case.collective))[1]
                          < evidence.known(case)[1])
    yield compare("conclusion 4", "more ports have no advantage over model 1 in AAS", FAT, ("d", "*"), "AAS",
                  lambda case: evidence.known(FatCase.of(case.d, case.m, case.f, "1", "AAS"))[1] <= evidence.known(case)[1],
                  [LINKS_BOUND, NARROW])
    yield arithmetic("conclusion 5", "the bisection width is only half of the hypercube's", "half",
                     _cases(powers, "1", "AAS"), lambda case: 2 * (case.f << case.d - 1) == case.P // 2,
                     [("m = 2 f", lambda case: case.m == 2 * case.f)], "links across the middle: f 2^(d-1) and P / 2",
                     show=str)
    yield compare("conclusion 5", "the fat cube's AAS is as fast as the hypercube's when f = m", [
        size for size in powers if size[1] == size[2]], ("1", "d", "*"), "AAS", same,
        [("the model is *", lambda case: case.ports == "*")])
    for collective in ("OAS", "AAB", "AAS"):
        yield compare("conclusion 6", f"in {collective} model * saves at most one step over model d", FAT, ("*",), collective,
                      lambda case: evidence.known(case)[1] + 1
                      >= evidence.known(FatCase.of(case.d, case.m, case.f, "d", case.collective))[1],
                      [("f = 1 and d > 1", lambda case: case.f == 1 and case.d > 1), ONE_LANE, FEW_LANES])
    cheap = {(f, m): [model for model in ("1", "d", "*") if cheaper_dimensions(model, m, f)] for f, m in TABLE_2}
    served = {model for models in cheap.values() for model in models}
    yield Row("conclusion 7", "a fat cube can be found that is cheaper than the equivalent hypercube", "every model",
              "; ".join(f"f = {f}, m = {m}: {', '.join(models)}" for (f, m), models in cheap.items()),
              "holds" if served == {"1", "d", "*"} else f"wrong: none for {', '.join({'1', 'd', '*'} - served)}",
              "Table 2 above: for each model there is one")
    sizes = {size[1] << size[0] for size in SIZES}
    between = sorted(P for P in sizes if P & (P - 1))
    cases = [case for case in _cases(FAT, "1", "AAB") if case.P in between]
    yield Row("conclusion 8", "the number of processors is not limited to powers of 2", "P = m 2^d",
              f"{len(sizes)} sizes up to 32, of them no power of 2: {', '.join(map(str, between))}",
              "holds" if between and all(evidence.known(case)[1] for case in cases) else "wrong",
              f"schedules of AAB in model 1 for {len(cases)} such fat cubes")
