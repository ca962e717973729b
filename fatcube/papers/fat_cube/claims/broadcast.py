"""Section 4.1 and Table 4: OAB, the general bound, and when the diameter dominates."""

import functools

import networkx

from fatcube.papers.arithmetic import ceil_log
from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube.fat_case import FAT, MODELS, FatCase, Size, cases, compared, cube, fewer
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.fat_cube.printed import TABLE_4
from fatcube.papers.verdict import Case, case, judged
from noc.topologies.cubes import FatCube, Hypercube
from rtl.port_model import PortModel
from schedules.checker import ScheduleError, check
from schedules.construct import construct
from schedules.step_model import Links, StepModel

__all__ = ["BEYOND", "word"]

claim = functools.partial(PAPER.claim, evidence="")


BEYOND: list[Size] = [(d, m, 1) for d in range(1, 7) for m in range(2, 41) if m << d <= 160]
"""Fat cubes with simple links, to well beyond the 32 processors of other claims: a broadcast is soon built."""

HALF_DUPLEX = StepModel(links=Links.HALF_DUPLEX)


def word(model: str) -> str:
    """A router model as part of a name."""
    return PortModel.parse(model).word.replace("-", "_")


_BRANCHING = [{"model": model, "word": word(model)} for model in ("b", "d", "*")]


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
                found = check(construct(instance.topology, model, collective).found, HALF_DUPLEX).steps
                yield Case({"model": model, **fat.given}, steps, found, found == steps, "", evidence.text(instance))
            except ScheduleError as error:
                yield Case({"model": model, **fat.given}, steps, str(error), None)


@claim("Theorem 1", "ceil(log P)", show="(d, m, f) == (2, 2, 1)")
def oab_one_port(evidence: Evidence) -> Cases:
    """OAB on the 1-port fat cube takes at least ceil(log P) steps, and this is reached for all f, d and m."""
    for instance in cases(sorted({*FAT, *BEYOND}), "1", "OAB"):
        yield evidence.fewest(instance, ceil_log(2, instance.P), **instance.given)


@claim("section 4.1", "4 steps")
def oab_twelve_processors(evidence: Evidence) -> Cases:
    """With one port, 12 processors (d = 2, m = 3) need 4 steps, as do fat cubes and the hypercube of 16."""
    for d, m in ((2, 3), (2, 4), (3, 2), (4, 1)):
        instance = FatCase.of(d, m, 1, "1", "OAB")
        yield evidence.fewest(instance, 4, **instance.given)


@claim(
    "section 4.1",
    "better OAB performance than in the hypercube",
    name="oab_faster_starred_{word}",
    parameters=_BRANCHING,
)
@said(reading="Can be obtained: in the fat cubes that have an asterisk in Table 4")
def oab_faster_starred(evidence: Evidence, model: str) -> Cases:
    """Better performance in OAB than in the hypercube can be obtained in model {model}."""
    for d, m in STARRED:
        instance = FatCase.of(d, m, 1, model, "OAB")
        yield compared(evidence, instance, cube(instance), fewer, "fewer", **instance.given)


@claim("section 4.1", "max(D, ceil(log P to the base k + 1))", name="oab_bound_{word}", parameters=_BRANCHING)
@said(
    conditions=["m * 2**d <= (d + 1)**(d + 1)"],
    reading="Read as a lower bound, as the lower index of tau and the caption of Table 4 say; k = d in model b",
    show="(d, m) == (2, 2)",
)
def oab_bound(evidence: Evidence, model: str) -> Cases:
    """No broadcast in model {model} takes fewer steps than max(D, ceil(log P to the base k + 1))."""
    for instance in cases(BEYOND, model, "OAB"):
        yield _not_below(evidence, instance, _general_bound(instance.d, instance.m, model))


def _not_below(evidence: Evidence, instance: FatCase, printed: int) -> Case:
    """The case that no schedule has fewer steps than ``printed``."""
    bound, steps = evidence.known(instance)
    holds = True if printed <= bound.steps else False if printed > steps else None
    text = evidence.text(instance)

    def shown() -> str:
        return f"{evidence.schedule(instance)}; no fewer: {bound.reason}"

    return Case(instance.given, printed, f"{text} steps", holds, shown, text)


@claim("section 4.1", "max(D, ceil(log P to the base k + 1))", name="oab_complexity_{word}", parameters=_BRANCHING)
@said(
    conditions=["d <= 2 or m <= d", "m <= d or (d + 1)**d < m * 2**d <= (d + 1)**(d + 1)", "d == 1 or m <= d"],
    reading="Read as the exact number of steps, as the sentence says: the complexity is given by the larger of "
    "two values. As a lower bound see oab_bound_{word}",
    show="(d, m) == (2, 2)",
)
def oab_complexity(evidence: Evidence, model: str) -> Cases:
    """The fewest steps of OAB in model {model} are max(D, ceil(log P to the base k + 1))."""
    for instance in cases(BEYOND, model, "OAB"):
        yield evidence.fewest(instance, _general_bound(instance.d, instance.m, model), **instance.given)


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
)
@said(evidence="whole numbers: (d + m)^d >= P or not")
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


@claim("section 4.1", "D = d on the 1-port fat cube")
@said(
    misprint="the fat cube of models d and * must be meant; with one port Theorem 1 has ceil(log P). Both transcriptions "
    "have 1-port"
)
def diameter_one_port(evidence: Evidence) -> Cases:
    """The bound D = d of OAB on the 1-port fat cube can be reached if d >= m."""
    for instance in cases([size for size in BEYOND if size[0] >= size[1]], "1", "OAB"):
        yield evidence.reached(instance, instance.d, **instance.given)


@claim("section 4.1", "D = d", name="diameter_reached_{word}", parameters=_BRANCHING[1:])
def diameter_reached(evidence: Evidence, model: str) -> Cases:
    """The bound D = d of OAB is reached in model {model} if d >= m."""
    for instance in cases([size for size in BEYOND if size[0] >= size[1]], model, "OAB"):
        yield evidence.fewest(instance, instance.d, **instance.given)


@claim("section 4.1", "additional steps", name="steps_beyond_diameter_{word}", parameters=_BRANCHING[1:])
def steps_beyond_diameter(evidence: Evidence, model: str) -> Cases:
    """OAB in model {model} needs more than d steps if d < m."""
    for instance in cases([size for size in BEYOND if size[0] < size[1]], model, "OAB"):
        yield _not_below(evidence, instance, instance.d + 1)


STARRED = [(2, 2), (3, 2), (4, 2), (4, 4)]

_CELLS = [
    {
        "model": model,
        "word": word(model),
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


@claim("Table 4", "{steps}{star}", name="oab_cell_{word}_d{d}_m{m}", parameters=_CELLS)
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


@claim("Table 4", "asterisks denote values reachable according to Theorem 2")
@said(
    reading="That every value which Theorem 2 reaches has an asterisk is not said; those for d = 1, and all of model *, "
    "have none and are reached for m <= 2 at least",
    evidence="the formula of Theorem 2, computed",
)
def asterisks() -> Cases:
    """Asterisks denote values that are reachable according to Theorem 2."""
    for model in ("b", "d"):
        for d, m in STARRED:
            yield case(theorem_2(d, m, model), TABLE_4["d"][d, m], model=model, d=d, m=m)


def theorem_2(d: int, m: int, model: str) -> int:
    """The steps of OAB in models b, d and * by Theorem 2."""
    if model == "d":
        return d + ceil_log(d + 1, -(-m // d))
    return d if m <= d else d + 1
