"""Section 3: equations 1 to 5, Tables 1 and 2. Crossbars are counted on the routers that are generated."""

from collections.abc import Callable, Iterator
import functools
import itertools

from fatcube.papers.arithmetic import ceil_log
from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.fat_cube.printed import TABLE_2
from fatcube.papers.verdict import Case, case, judged
from noc.network import Network
from noc.topologies.cubes import FatCube, Hypercube
from noc.topology import Topology
from rtl.port_model import PortModel
from rtl.ports import inputs_of, outputs_of
from rtl.router import FatNodeRouter
from rtl.router_options import RouterOptions

__all__: list[str] = []


COUNTED = "inputs and outputs counted on the routers that are generated"

claim = functools.partial(PAPER.claim, evidence=COUNTED)

_POWER_OF_2 = "m is a power of 2, as the paper assumes: otherwise no hypercube has as many processors"
_MODELS = [{"model": model, "word": PortModel.parse(model).word.replace("-", "_")} for model in ("1", "d", "*")]

_DEARER = "the fat cube is no dearer", "the fat cube is dearer"


@claim("equation 1", "d' = d + log m", reading=_POWER_OF_2, evidence="nodes of the hypercube, counted")
def equal_processors() -> Cases:
    """A hypercube with as many processors as the fat cube has d' = d + log m dimensions."""
    for d, log_m in itertools.product(range(1, 7), range(1, 5)):
        yield case(Hypercube(d + log_m).processors, FatCube(d, 1 << log_m).processors, d=d, m=1 << log_m)


@claim("equation 2", "C'_L = d' 2^(d'-1) = d' m 2^(d-1)", reading=_POWER_OF_2, evidence="links counted on the graph")
def hypercube_link_cost() -> Cases:
    """The links of the hypercube with as many processors cost d' 2^(d'-1) = d' m 2^(d-1)."""
    for d, log_m in itertools.product(range(1, 6), range(1, 5)):
        larger = d + log_m
        printed = larger << larger - 1
        assert printed == larger * (1 << log_m) << d - 1
        yield case(Hypercube(larger).graph.number_of_edges(), printed, d=d, m=1 << log_m)


@claim("equation 2", "C_L <= C'_L d'^(d'-1)")
@said(
    misprint="C'_L = d' 2^(d'-1) must be meant; only the first transcription has this, the second has a 2 there",
    evidence="links counted on the graph",
)
def hypercube_link_cost_transcribed() -> Cases:
    """The links of the hypercube with as many processors cost d'^(d'-1)."""
    for d, log_m in itertools.product(range(1, 4), range(1, 4)):
        larger = d + log_m
        yield case(Hypercube(larger).graph.number_of_edges(), larger ** (larger - 1), d=d, m=1 << log_m)


@claim("equation 2", "f d <= m d'", reading=_POWER_OF_2, evidence="links counted on both graphs", words=_DEARER)
def link_cost_condition() -> Cases:
    """C_L <= C'_L says the same as f d <= m d'."""
    for d, m, f, cheaper in _link_costs():
        yield case(cheaper, f * d <= m * (d + ceil_log(2, m)), d=d, m=m, f=f)


@claim("equation 2", "C_L <= C'_L holds true because mostly f <= m")
@said(
    reading="f <= m is the paper's assumption, and only such fat cubes are tried. Beyond it the printed condition "
    "f d <= m d' decides (link_cost_condition), and is false for example at d = 2, m = 2, f = 4",
    evidence="links counted on both graphs",
    words=_DEARER,
)
def link_cost() -> Cases:
    """The links of a fat cube with f <= m cost no more than those of the hypercube with as many processors."""
    for d, m, f, cheaper in _link_costs():
        if f <= m:
            yield case(cheaper, True, d=d, m=m, f=f)


def _link_costs() -> Iterator[tuple[int, int, int, bool]]:
    for d, m, f in itertools.product(range(1, 6), (2, 4, 8, 16), range(1, 7)):
        larger = Hypercube(d + ceil_log(2, m))
        yield d, m, f, FatCube(d, m, f).graph.number_of_edges() <= larger.graph.number_of_edges()


def _crossbar(topology: Topology, model: str) -> int:
    """Inputs of the router that every node has, which are as many as its outputs."""
    router = FatNodeRouter(Network(topology, RouterOptions(ports=PortModel.parse(model), width=512)).router())
    inputs, outputs = inputs_of(router), outputs_of(router)
    assert len(inputs) == len(outputs)
    return len(inputs)


@functools.cache
def router_cost(topology: Topology, model: str) -> int:
    """C_R: a b of the router that is generated, for each node."""
    return topology.nodes * _crossbar(topology, model) ** 2


def _fat_cost(model: str, d: int, m: int, f: int) -> int:
    """C_R of Table 1, fat cube."""
    ports = {"1": m + d * f, "d": d * (m + f), "*": d * (m + f) + m * (m - 1)}[model]
    return ports**2 << d


def _printed(texts: tuple[str, str, str]) -> list[dict[str, str]]:
    """The router models, each with what is printed for it."""
    return [{**one, "text": text} for one, text in zip(_MODELS, texts, strict=True)]


def _thin_cost(model: str, d: int) -> int:
    """C'_R of Table 1, hypercube of d dimensions."""
    return (1 + d if model == "1" else 2 * d) ** 2 << d


@claim(
    "Table 1",
    "{text}",
    name="fat_cube_routers_{word}",
    parameters=_printed(("2^d (m + d f)^2", "2^d d^2 (m + f)^2", "2^d (d (m + f) + m^2 - m)^2")),
    over=each(d=range(1, 5), m=(2, 3, 4, 8), f=range(1, 4)),
)
def fat_cube_routers(model: str, d: int, m: int, f: int) -> Case:
    """C_R of the fat cube in model {model} is what Table 1 says."""
    return case(router_cost(FatCube(d, m, f), model), _fat_cost(model, d, m, f))


@claim(
    "Table 1",
    "{text}",
    name="hypercube_routers_{word}",
    parameters=_printed(("2^d' (1 + d')^2", "2^d' 4 d'^2", "2^d' 4 d'^2")),
)
@said(reading="As in the second transcription, with d' throughout")
def hypercube_routers(model: str) -> Cases:
    """C'_R of the hypercube of d' dimensions in model {model} is what Table 1 says."""
    for larger in range(1, 9):
        found, printed = router_cost(Hypercube(larger), model), _thin_cost(model, larger)
        yield Case({"d'": larger}, printed, found, found == printed)


@claim(
    "Table 1",
    "{text}",
    name="hypercube_routers_transcribed_{word}",
    parameters=_printed(("2^d (1 + d)^2", "2^d 4 d'^2", "2^d 4 d'^2")),
)
@said(misprint="d' must be meant for every d of the hypercube; only the first transcription has lost the primes")
def hypercube_routers_transcribed(model: str) -> Cases:
    """C'_R in model {model} of the hypercube with as many processors has the fat cube's d where the primes are lost."""
    for d, log_m in itertools.product(range(1, 5), range(1, 4)):
        larger = d + log_m
        printed = (1 + d) ** 2 << d if model == "1" else 4 * larger**2 << d
        yield case(router_cost(Hypercube(larger), model), printed, d=d, m=1 << log_m)


def _inequality_1(d: int, m: int, f: int, log_m: int) -> bool:
    return (m + d * f) ** 2 <= m * (1 + d + log_m) ** 2


def _inequality_d(d: int, m: int, f: int, log_m: int) -> bool:
    return d**2 * (m + f) ** 2 <= 4 * m * (d + log_m) ** 2


def _inequality_all(d: int, m: int, f: int, log_m: int) -> bool:
    return (d * (m + f) + m * (m - 1)) ** 2 <= 4 * m * (d + log_m) ** 2


_INEQUALITIES: dict[str, Callable[[int, int, int, int], bool]] = {
    "1": _inequality_1,
    "d": _inequality_d,
    "*": _inequality_all,
}


@claim(
    "equation {number}",
    "{text}",
    name="cheaper_routers_{word}",
    parameters=[
        {**one, "number": number}
        for number, one in zip(
            (3, 4, 5),
            _printed(
                (
                    "(m + d f)^2 <= m (1 + d + log m)^2",
                    "d^2 (m + f)^2 <= 4 m (d + log m)^2",
                    "[d (m + f) + m (m - 1)]^2 <= 4 m (d + log m)^2",
                )
            ),
        )
    ],
)
@said(reading=_POWER_OF_2, words=_DEARER)
def cheaper_routers(model: str) -> Cases:
    """The inequality says when the routers of the fat cube in model {model} cost no more than the hypercube's."""
    for d, log_m, f in itertools.product(range(1, 8), range(1, 4), range(1, 5)):
        m = 1 << log_m
        cheaper = router_cost(FatCube(d, m, f), model) <= router_cost(Hypercube(d + log_m), model)
        yield case(cheaper, _INEQUALITIES[model](d, m, f, log_m), d=d, m=m, f=f)


@claim(
    "Table 2",
    "{text}",
    name="cheaper_{word}_m{m}_f{f}",
    parameters=[
        {**one, "f": f, "m": m, "text": row[one["model"]]} for (f, m), row in TABLE_2.items() for one in _MODELS
    ],
    over=each(d=range(1, 101)),
    evidence="C_R and C'_R of Table 1, d up to 100; beyond, nothing changes: their square roots, divided by that of the "
    "number of routers, differ by a linear function of d",
    reading="Cheaper is C_R <= C'_R, as in section 3; both cost the same at f = 1, m = 4, d = 8 and at f = 2, m = 4, "
    "d = 4 in model d, and nowhere else in the table",
)
def cheaper(model: str, f: int, m: int, text: str, d: int) -> Case:
    """With f = {f} and m = {m} the fat cube in model {model} is cheaper exactly for: {text}."""
    fat, thin = _fat_cost(model, d, m, f), _thin_cost(model, d + ceil_log(2, m))
    words = {True: "no dearer", False: "dearer"}
    printed = text == "every d" or text != "never" and d <= int(text.split()[-1])
    found = f"{words[fat <= thin]}, {fat} against {thin}"
    return judged(found, words[printed], (fat <= thin) == printed)


@claim("section 3", "cheaper", over=columns("d m f", ((2, 4, 2), (3, 2, 1))))
def figure_1_cheaper(d: int, m: int, f: int) -> Case:
    """Both fat cubes of Figure 1 with model 1 are cheaper than the hypercube with as many processors."""
    fat, thin = router_cost(FatCube(d, m, f), "1"), router_cost(Hypercube(4), "1")
    return judged(f"{fat} against {thin}", "cheaper", fat < thin)
