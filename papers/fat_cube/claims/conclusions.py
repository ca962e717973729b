"""The eight conclusions of section 6."""

import functools

from fatcube.noc import measures
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.papers.arithmetic import ceil_div
from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube.claims.all_to_all import LANES_D_PORT, LANES_ONE_PORT
from fatcube.papers.fat_cube.claims.broadcast import BEYOND
from fatcube.papers.fat_cube.claims.cost import router_cost
from fatcube.papers.fat_cube.fat_case import FAT, POWERS, SINGLE, FatCase, cases, compared, cube, equal, fewer, no_more
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.verdict import Case, judged
from fatcube.schedules.schedule_file import read_schedule

claim = functools.partial(PAPER.claim, evidence="")


_COUNTED = "inputs and outputs counted on the routers that are generated"
_WIDTH = "a cut of that width, and Fiedler's bound that none is smaller"


_POWERS_BEYOND = [size for size in BEYOND if size[1] & (size[1] - 1) == 0]
_OAB = functools.partial(cases, _POWERS_BEYOND, collective="OAB")
_AAS = functools.partial(cases, FAT, collective="AAS")
_AS_MANY_LINKS = functools.partial(
    cases, [(d, m, m) for d in range(1, 5) for m in (2, 4) if m << d <= 32], collective="AAS"
)
_MODELS = each(model=("1", "d", "*"))


@claim("conclusion 1", "the same", over=cases({*POWERS, *_POWERS_BEYOND}, "1", "OAB"))
@said(reading="m is a power of 2, so that there is a hypercube of as many processors", show="(d, m, f) == (2, 2, 1)")
def oab_like_hypercube(evidence: Evidence, instance: FatCase) -> Case:
    """Performance in OAB is the same in 1-port router models of fat cubes and hypercubes."""
    return compared(evidence, instance, cube(instance), equal, "equal")


@claim("conclusion 2", "can be done faster", over=each(model=("b", "d", "*")))
@said(reading="Can is read as: in some fat cube of each model. In every fat cube: oab_always_faster_*")
def oab_faster(evidence: Evidence, model: str) -> Case:
    """OAB can be done faster than on the hypercube in models b, d and *."""
    instance = FatCase.of(2, 2, 1, model, "OAB")
    return compared(evidence, instance, cube(instance), fewer, "fewer", **instance.given)


@claim("conclusion 2", "faster", parameters=each(model=("b", "d", "*")), over=_OAB)
@said(
    conditions=["d > 1", "d > 1 or m > 2"],
    reading="The other reading of oab_faster, in every fat cube; m is a power of 2",
    show="(d, m) == (2, 2)",
)
def oab_always_faster(evidence: Evidence, instance: FatCase) -> Case:
    """OAB is faster than on the hypercube in model {model}, in every fat cube."""
    return compared(evidence, instance, cube(instance), fewer, "fewer")


@claim(
    "conclusion 3",
    "could run faster",
    parameters=each(collective=("OAS", "AAB")),
    over=columns("model d m", [("*", 2, 4)]),
    reading="Could is read as: in some fat cube of some model. Of each model: multiple_links_{collective}_*",
    evidence="f = 3 against f = 1",
)
def multiple_links(evidence: Evidence, collective: str, model: str, d: int, m: int) -> Case:
    """{collective} could run faster if multiple links are provided."""
    instance = FatCase.of(d, m, 1, model, collective)
    return compared(evidence, instance.changed(f=3), instance, fewer, "fewer")


@claim(
    "conclusion 3",
    "could run faster",
    name="multiple_links_{collective}_{model}",
    parameters=each(collective=("OAS", "AAB"), model=("1", "d", "*")),
    reading="Of each router model: in at least one fat cube with at most 32 processors and 3 lanes it must then be so. "
    "The bounds of equations 7 and 12, which have no f, say that no number of lanes helps where one reaches them",
)
def multiple_links_of_model(evidence: Evidence, collective: str, model: str) -> Cases:
    """{collective} in model {model} could run faster if multiple links are provided."""
    helped: list[FatCase] = []
    open_cases = 0
    sizes = cases(SINGLE, model, collective)
    for instance in sizes:
        steps = evidence.known(instance)
        for f in (2, 3):
            more = evidence.known(instance.changed(f=f))
            relation = fewer((more[0].steps, more[1]), (steps[0].steps, steps[1]))
            open_cases += relation is None
            if relation:
                helped.append(instance)
                break
    names = {(one.d, one.m) for one in helped}
    first = helped[0] if helped else sizes[0]
    holds = True if helped else None if open_cases else False
    found = f"faster in {len(names)} of {len(sizes)} fat cubes" + (
        f", first d = {first.d}, m = {first.m}" if helped else ""
    )
    yield Case({"f": "2 or 3"}, "some", found, holds, functools.partial(evidence.schedule, first), evidence.text(first))


@claim("conclusion 4", "no advantage", parameters=each(model=("d", "*")), over=_AAS)
@said(
    conditions=[LANES_ONE_PORT, f"d == 1 or {LANES_ONE_PORT}"],
    reading="Of all fat cubes tried, as the sentence before the conclusions says: generally. "
    "In the fat cube of Table 6 both models save a step",
    evidence="the fewest steps of both models",
)
def more_ports(evidence: Evidence, instance: FatCase) -> Case:
    """Model {model} has no advantage over model 1 in AAS: it takes no fewer steps."""
    return compared(evidence, instance, instance.changed(ports="1"), _no_fewer, "no fewer")


def _no_fewer(one: tuple[int, int], other: tuple[int, int]) -> bool | None:
    """Whether the first takes no fewer steps than the second."""
    return no_more(other, one)


@claim("conclusion 5", "only a half", over=columns("d m f", [(2, 2, 1)]))
@said(evidence=_WIDTH, reading="Of the fat cube of Table 6. Of all fat cubes: half_bisection")
def half_bisection_example(d: int, m: int, f: int) -> Case:
    """The bisection width of the fat cube of 8 processors is only half of that of the hypercube."""
    return _half(FatCube(d, m, f), Hypercube(3))


@claim(
    "conclusion 5",
    "only a half",
    over=cases([(d, m, f) for d in range(1, 5) for m in (2, 4, 8) for f in range(1, 6)], "1", "AAS"),
    conditions=["m == 2*f"],
    evidence=_WIDTH,
    reading="The other reading of half_bisection_example, of all fat cubes; m is a power of 2",
)
def half_bisection(instance: FatCase) -> Case:
    """The bisection width of a fat cube is only half of that of the hypercube with as many processors."""
    return _half(instance.topology, cube(instance).topology)


def _half(fat: FatCube, thin: FatCube | Hypercube) -> Case:
    """The case that the bisection width of the fat cube is half that of the other network."""
    found, larger = _width(fat), _width(thin)
    return judged(f"{found} of {larger}", f"half of {larger}", 2 * found == larger)


def _width(topology: FatCube | Hypercube) -> int:
    found = measures.bisection(topology, effort=0)
    assert found.exact
    return found.width


@claim("conclusion 5", "given by the bisection width", parameters=_MODELS, over=_AAS)
@said(
    conditions=[LANES_ONE_PORT, LANES_D_PORT, "ceil(P*m / (2*f)) >= (d*P/2 + m - 1)/(d + m - 1)"],
    reading="Given is read as: the fewest steps are the messages that cross the bisection one way, over its links",
    evidence=_WIDTH,
    show="(d, m, f) == (2, 2, 1)",
)
def aas_by_bisection(evidence: Evidence, instance: FatCase, P: int) -> Case:
    """Performance in AAS in model {model} is given by the bisection width."""
    return evidence.fewest(instance, ceil_div((P // 2) ** 2, _width(instance.topology)))


@claim("conclusion 5", "the same performance", parameters=_MODELS, over=_AS_MANY_LINKS)
@said(
    reading="The same is read as no more steps, and multiple links as f = m. In model d no number of links is enough: the "
    "ports alone take P/2 + (m - 1)/d steps"
)
def aas_with_multiple_links(evidence: Evidence, instance: FatCase) -> Case:
    """The performance of the hypercube in AAS is obtained in model {model} when multiple links are used."""
    return compared(evidence, instance, cube(instance), no_more, "no more")


@claim(
    "conclusion 6",
    "much less",
    parameters=each(collective=("OAS", "AAB", "AAS")),
    over=functools.partial(cases, SINGLE, "d"),
    reading="Much less is read as less. In AAB the paper itself counts P(m - 1) copies within a node in section 4.2, and "
    "P - m messages that enter it",
    evidence="messages that stay in a node and hops between nodes, counted on the graph",
)
def less_within_nodes(instance: FatCase, collective: str, m: int, P: int) -> Case:
    """In {collective} the amount of intra-node communication is less than that of inter-node communication."""
    hops = sum(instance.topology.distances[0])
    within, between = {
        "OAS": (m - 1, m * hops),
        "AAB": (m * P - m - (P - m), P - m),
        "AAS": (m * (m - 1), m * m * hops),
    }[collective]
    return judged(f"{within} within, {between} between", "less", within < between)


@claim(
    "conclusion 6",
    "some overlap",
    parameters=columns("collective model", [("AAB", "d"), ("OAS", "*")]),
    reading="Some is read as: on the fat cube of Table 6, in model {model}",
    evidence="transfers of the schedule: a step has some within nodes and some between them",
)
def overlap(evidence: Evidence, collective: str, model: str) -> Cases:
    """Some overlap of intra-node and inter-node communication can be realized in {collective}."""
    instance = FatCase.of(2, 2, 1, model, collective)
    from_file = _read(evidence, instance)
    mixed = [step for step, kinds in from_file.items() if kinds == {True, False}]
    found = f"in steps {', '.join(map(str, mixed))}" if mixed else "in no step"
    yield Case({"model": model}, "in some step", found, bool(mixed), functools.partial(evidence.schedule, instance))


def _read(evidence: Evidence, instance: FatCase) -> dict[int, set[bool]]:
    """For each step of the best schedule, whether transfers are within nodes, or between them, or both."""
    kinds: dict[int, set[bool]] = {}
    for one in read_schedule(evidence.folder / evidence.schedule(instance)).expanded().transfers:
        kinds.setdefault(one.step, set()).add(one.src // instance.m == one.dst // instance.m)
    return kinds


@claim("conclusion 7", "cheaper", over=each(model=("1", "d", "*")), evidence=_COUNTED)
def cheaper_fat_cube(model: str) -> Case:
    """For each router model a fat cube can be found that is cheaper than the hypercube with as many processors."""
    fat, thin = router_cost(FatCube(2, 2), model), router_cost(Hypercube(3), model)
    return judged(f"{fat} against {thin}", "cheaper", fat < thin, d=2, m=2, f=1)


@claim("conclusion 7", "not much (if any) performance degradation", over=each(collective=("OAB", "OAS", "AAB", "AAS")))
@said(reading="Any is read literally: the one fat cube that suits, in model 1, takes no more steps in any collective")
def no_degradation(evidence: Evidence, collective: str) -> Case:
    """The cheaper fat cube of 8 processors with model 1 takes no more steps in any collective."""
    instance = FatCase.of(2, 2, 1, "1", collective)
    return compared(evidence, instance, cube(instance), no_more, "no more")


@claim(
    "conclusion 8",
    "not limited to powers of 2, but a power of 2 can be multiplied by an integer m",
    over=cases([(d, m, f) for d, m, f in SINGLE if m & (m - 1)], "1", "AAB"),
    show="P & (P - 1) > 0",
)
def processors_between(evidence: Evidence, instance: FatCase, P: int) -> Case:
    """P is not limited to powers of 2: with m processors per node there are m 2^d, and AAB is done there in P - 1 steps."""
    assert P & (P - 1)
    return evidence.reached(instance, P - 1)
