"""Section 4.1 and Table 4: OAB, the general bound, and when the diameter dominates."""

import functools

import networkx

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.papers.arithmetic import ceil_log
from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube.fat_case import FAT, MODELS, FatCase, Size, cases, compared, cube, fewer
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.fat_cube.printed import TABLE_4
from fatcube.papers.verdict import Case, case, judged
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import Links, StepModel

__all__ = ["BEYOND"]

claim = functools.partial(PAPER.claim, evidence="")


BEYOND: list[Size] = [(d, m, 1) for d in range(1, 7) for m in range(2, 41) if m << d <= 160]
"""Fat cubes with simple links, to well beyond the 32 processors of other claims: a broadcast is soon built."""
_DEEP = [(d, m, f) for d, m, f in BEYOND if d >= m]
_FLAT = [(d, m, f) for d, m, f in BEYOND if d < m]
STARRED = [(2, 2), (3, 2), (4, 2), (4, 4)]
STARRED_MODELS = columns("model d m", [(model, d, m) for model in ("b", "d") for d, m in STARRED])
"""The fat cubes that have an asterisk in Table 4, and with models b and d."""
_BEYOND = functools.partial(cases, BEYOND, collective="OAB")
_STARRED = functools.partial(cases, [(d, m, 1) for d, m in STARRED], collective="OAB")

HALF_DUPLEX = StepModel(links=Links.HALF_DUPLEX)


_BRANCHING = columns("model word", [("b", "broadcast"), ("d", "d_port"), ("*", "all_port")])


def _general_bound(d: int, m: int, model: str) -> int:
    """Section 4.1: the larger of D = d and log P to the base k + 1, rounded up, with k = d in model b."""
    return max(d, ceil_log((d + m - 1 if model == "*" else d) + 1, m << d))


@claim(
    "section {section}",
    "not influenced by the type of the links (HD / FD)",
    name="half_duplex_{collective}",
    parameters=columns("section collective", [("4.1", "OAB"), ("4.3", "OAS")]),
    evidence="the best schedules for full-duplex links pass the checker with half-duplex ones",
    show="(d, m, f, model) == (2, 2, 1, 'd')",
)
def half_duplex(evidence: Evidence, collective: str) -> Cases:
    """{collective} takes as many steps with half-duplex as with full-duplex links."""
    for fat in cases(FAT, "1", collective):
        for model in MODELS:
            instance = fat.changed(ports=model)
            _, steps = evidence.known(instance)
            try:
                found = check(construct(Problem(instance.topology, model, collective)).found, HALF_DUPLEX).steps
                yield Case({"model": model, **fat.given}, steps, found, found == steps, "", evidence.text(instance))
            except ScheduleError as error:
                yield Case({"model": model, **fat.given}, steps, str(error), None)


@claim("Theorem 1", "ceil(log P)", over=cases({*FAT, *BEYOND}, "1", "OAB"), show="(d, m, f) == (2, 2, 1)")
def oab_one_port(evidence: Evidence, instance: FatCase) -> Case:
    """OAB on the 1-port fat cube takes at least ceil(log P) steps, and this is reached for all f, d and m."""
    return evidence.fewest(instance, ceil_log(2, instance.P))


@claim("section 4.1", "4 steps", over=cases([(2, 3, 1), (2, 4, 1), (3, 2, 1), (4, 1, 1)], "1", "OAB"))
def oab_twelve_processors(evidence: Evidence, instance: FatCase) -> Case:
    """With one port, 12 processors (d = 2, m = 3) need 4 steps, as do fat cubes and the hypercube of 16."""
    return evidence.fewest(instance, 4)


@claim("section 4.1", "better OAB performance than in the hypercube", parameters=_BRANCHING, over=_STARRED)
@said(reading="Can be obtained: in the fat cubes that have an asterisk in Table 4")
def oab_faster_starred(evidence: Evidence, instance: FatCase) -> Case:
    """Better performance in OAB than in the hypercube can be obtained in model {model}."""
    return compared(evidence, instance, cube(instance), fewer, "fewer")


@claim("section 4.1", "max(D, ceil(log P to the base k + 1))", parameters=_BRANCHING, over=_BEYOND)
@said(
    conditions=["m * 2**d <= (d + 1)**(d + 1)"],
    reading="Read as a lower bound, as the lower index of tau and the caption of Table 4 say; k = d in model b",
    show="(d, m) == (2, 2)",
)
def oab_bound(evidence: Evidence, instance: FatCase, model: str) -> Case:
    """No broadcast in model {model} takes fewer steps than max(D, ceil(log P to the base k + 1))."""
    return evidence.at_least(instance, _general_bound(instance.d, instance.m, model))


@claim("section 4.1", "max(D, ceil(log P to the base k + 1))", parameters=_BRANCHING, over=_BEYOND)
@said(
    conditions=["d <= 2 or m <= d", "m <= d or (d + 1)**d < m * 2**d <= (d + 1)**(d + 1)", "d == 1 or m <= d"],
    reading="Read as the exact number of steps, as the sentence says: the complexity is given by the larger of "
    "two values. As a lower bound see oab_bound_{word}",
    show="(d, m) == (2, 2)",
)
def oab_complexity(evidence: Evidence, instance: FatCase, model: str) -> Case:
    """The fewest steps of OAB in model {model} are max(D, ceil(log P to the base k + 1))."""
    return evidence.fewest(instance, _general_bound(instance.d, instance.m, model))


@claim("section 4.1", "D = d", over=each(d=range(1, 6), m=(2, 4, 8)))
@said(evidence="hops between all pairs of nodes, counted")
def diameter(d: int, m: int) -> Case:
    """The diameter of the fat cube is D = d, and always lower than that of the hypercube with as many processors."""
    found = networkx.diameter(FatCube(d, m).graph)
    lower = found < networkx.diameter(Hypercube(d + ceil_log(2, m)).graph)
    return judged(found if lower else f"{found}, not lower", d, found == d and lower)


_DOMINATES = "the diameter dominates", "the diameter does not dominate"


def _dominating(dominates: bool, power: bool) -> str:
    return f"{_DOMINATES[not dominates]}, (d + m)^d is {'at least' if power else 'below'} P"


@claim("equation 6", "m <= [(d + 1)/2]^d", over=each(d=range(1, 13), m=range(1, 65)))
@said(evidence="whole numbers: (d + 1)^d >= P or not", words=_DOMINATES)
def diameter_dominates(d: int, m: int) -> Case:
    """The diameter dominates ceil(log P to the base d + 1) if, and only if, m <= ((d + 1)/2)^d."""
    return case(ceil_log(d + 1, m << d) <= d, m * 2**d <= (d + 1) ** d)


@claim(
    "section 4.1",
    "(d + m)^d >= m 2^d or equivalently d > 1 and m is arbitrary",
    over=each(d=range(1, 13), m=range(2, 65)),
    evidence="whole numbers: (d + m)^d >= P or not",
)
def diameter_dominates_all_port(d: int, m: int) -> Case:
    """In model * the diameter dominates if (d + m)^d >= m 2^d or equivalently if d > 1 and m is arbitrary."""
    dominates = ceil_log(d + m, m << d) <= d
    return case(_dominating(dominates, (d + m) ** d >= m << d), _dominating(d > 1, d > 1))


@claim("section 4.1", "ceil(log P to the base d + 1)", over=each(d=range(1, 13), m=range(2, 65)))
@said(
    misprint="base d + m must be meant, k + 1 for the d + m - 1 ports that the sentence has; both transcriptions have d + 1",
    evidence="both sides computed in whole numbers",
    words=_DOMINATES,
)
def diameter_dominates_printed_base(d: int, m: int) -> Case:
    """In model * the diameter dominates ceil(log P to the base d + 1) if d > 1 and m is arbitrary."""
    return case(ceil_log(d + 1, m << d) <= d, d > 1)


@claim("section 4.1", "D = d on the 1-port fat cube", over=cases(_DEEP, "1", "OAB"))
@said(
    misprint="the fat cube of models d and * must be meant; with one port Theorem 1 has ceil(log P). Both transcriptions "
    "have 1-port"
)
def diameter_one_port(evidence: Evidence, instance: FatCase, d: int) -> Case:
    """The bound D = d of OAB on the 1-port fat cube can be reached if d >= m."""
    return evidence.reached(instance, d)


@claim("section 4.1", "D = d", parameters=_BRANCHING[1:], over=functools.partial(cases, _DEEP, collective="OAB"))
def diameter_reached(evidence: Evidence, instance: FatCase, d: int) -> Case:
    """The bound D = d of OAB is reached in model {model} if d >= m."""
    return evidence.fewest(instance, d)


@claim(
    "section 4.1", "additional steps", parameters=_BRANCHING[1:], over=functools.partial(cases, _FLAT, collective="OAB")
)
def steps_beyond_diameter(evidence: Evidence, instance: FatCase, d: int) -> Case:
    """OAB in model {model} needs more than d steps if d < m."""
    return evidence.at_least(instance, d + 1)


_CELLS = [
    {
        "model": model,
        "d": d,
        "m": m,
        "steps": steps,
        "star": "*" if (d, m) in STARRED and model != "*" else "",
        "reached": ", which is reached" if (d, m) in STARRED and model != "*" else "",
    }
    for row, cells in TABLE_4.items()
    for model in (("b", "d") if row == "d" else ("*",))
    for (d, m), steps in cells.items()
]


@claim("Table 4", "{steps}{star}", name="oab_cell_{model}_d{d}_m{m}", parameters=_CELLS)
@said(evidence="max(D, ceil(log P to the base k + 1)) in whole numbers, and the fewest steps")
def oab_cell(evidence: Evidence, model: str, d: int, m: int, steps: int, star: str) -> Cases:
    """For d = {d} and m = {m} in model {model} the lower bound of OAB is {steps}{reached}."""
    instance = FatCase.of(d, m, 1, model, "OAB")
    bound, fewest = evidence.known(instance)
    computed = _general_bound(d, m, model)
    decided = bound.steps == fewest
    holds = computed == steps and steps <= bound.steps and (not star or decided and fewest == steps)
    found = f"the bound is {computed}, the fewest steps {evidence.text(instance)}"
    yield Case({}, steps, found, holds, functools.partial(evidence.schedule, instance), evidence.text(instance))


@claim("Table 4", "satisfied in the grey area")
@said(
    reading="The transcriptions have no colours: grey is read as the cells that print D = d, in models b and d",
    evidence="both sides computed in whole numbers",
    words=(
        "condition (6) is satisfied, the bound below the hypercube's",
        "condition (6) or the lower bound is missing",
    ),
)
def grey_cells() -> Cases:
    """Condition (6) is satisfied in the grey cells, and there the bound is lower than in the hypercube."""
    for (d, m), steps in TABLE_4["d"].items():
        grey = (m << d <= (d + 1) ** d) and d < d + ceil_log(2, m)
        yield case(grey, steps == d, d=d, m=m)


@claim("Table 4", "asterisks denote values reachable according to Theorem 2", over=STARRED_MODELS)
@said(
    reading="That every value which Theorem 2 reaches has an asterisk is not said; those for d = 1, and all of model *, "
    "have none and are reached for m <= 2 at least",
    evidence="the formula of Theorem 2, computed",
)
def asterisks(model: str, d: int, m: int) -> Case:
    """Asterisks denote values that are reachable according to Theorem 2."""
    return case(theorem_2(d, m, model), TABLE_4["d"][d, m])


def theorem_2(d: int, m: int, model: str) -> int:
    """The steps of OAB in models b, d and * by Theorem 2."""
    if model == "d":
        return d + ceil_log(d + 1, -(-m // d))
    return d if m <= d else d + 1
