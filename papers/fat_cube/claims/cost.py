"""Section 3: equations 1 to 5, Tables 1 and 2. Crossbars are counted on the routers that are generated."""

import functools

from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topology import Topology
from fatcube.papers.arithmetic import ceil_log
from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.expression import evaluate
from fatcube.papers.fat_cube.fat_case import FIGURE_1
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.fat_cube.printed import TABLE_2
from fatcube.papers.verdict import Case, case, judged
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.ports import inputs_of, outputs_of
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.router_options import RouterOptions

COUNTED = "inputs and outputs counted on the routers that are generated"
claim = functools.partial(PAPER.claim, evidence=COUNTED)

_POWER_OF_2 = "m is a power of 2, as the paper assumes: otherwise no hypercube has as many processors"
_MODELS = ("1", "d", "*")

_DEARER = "the fat cube is no dearer", "the fat cube is dearer"


@claim("equation 1", "d' = d + log m", over=each(d=range(1, 7), m=(2, 4, 8, 16)))
@said(reading=_POWER_OF_2, evidence="nodes of the hypercube, counted")
def equal_processors(d: int, m: int) -> Case:
    """A hypercube with as many processors as the fat cube has d' = d + log m dimensions."""
    return case(Hypercube(d + ceil_log(2, m)).processors, FatCube(d, m).processors)


@claim("equation 2", "C'_L = d' 2^(d'-1) = d' m 2^(d-1)", over=each(d=range(1, 6), m=(2, 4, 8, 16)))
@said(reading=_POWER_OF_2, evidence="links counted on the graph")
def hypercube_link_cost(d: int, m: int) -> Case:
    """The links of the hypercube with as many processors cost d' 2^(d'-1) = d' m 2^(d-1)."""
    larger = d + ceil_log(2, m)
    printed = larger << larger - 1
    assert printed == larger * m << d - 1
    return case(Hypercube(larger).graph.number_of_edges(), printed)


@claim("equation 2", "C_L <= C'_L d'^(d'-1)", over=each(d=range(1, 4), m=(2, 4, 8)))
@said(
    misprint="C'_L = d' 2^(d'-1) must be meant; only the first transcription has this, the second has a 2 there",
    evidence="links counted on the graph",
)
def hypercube_link_cost_transcribed(d: int, m: int) -> Case:
    """The links of the hypercube with as many processors cost d'^(d'-1)."""
    larger = d + ceil_log(2, m)
    return case(Hypercube(larger).graph.number_of_edges(), larger ** (larger - 1))


_LANES = each(d=range(1, 6), m=(2, 4, 8, 16), f=range(1, 7))


@claim("equation 2", "f d <= m d'", over=_LANES)
@said(reading=_POWER_OF_2, evidence="links counted on both graphs", words=_DEARER)
def link_cost_condition(d: int, m: int, f: int) -> Case:
    """C_L <= C'_L says the same as f d <= m d'."""
    return case(_links_no_dearer(d, m, f), f * d <= m * (d + ceil_log(2, m)))


@claim(
    "equation 2",
    "C_L <= C'_L holds true because mostly f <= m",
    over=[size for size in _LANES if size["f"] <= size["m"]],
    reading="f <= m is the paper's assumption, and only such fat cubes are tried. Beyond it the printed condition "
    "f d <= m d' decides (link_cost_condition), and is false for example at d = 2, m = 2, f = 4",
    evidence="links counted on both graphs",
    words=_DEARER,
)
def link_cost(d: int, m: int, f: int) -> Case:
    """The links of a fat cube with f <= m cost no more than those of the hypercube with as many processors."""
    return case(_links_no_dearer(d, m, f), True)


def _links_no_dearer(d: int, m: int, f: int) -> bool:
    larger = Hypercube(d + ceil_log(2, m))
    return FatCube(d, m, f).graph.number_of_edges() <= larger.graph.number_of_edges()


def _crossbar(topology: Topology, model: str) -> int:
    """Inputs of the router that every node has; it has the same number of outputs."""
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
    return columns("model text", zip(_MODELS, texts, strict=True))


def _thin_cost(model: str, d: int) -> int:
    """C'_R of Table 1, hypercube of d dimensions."""
    return (1 + d if model == "1" else 2 * d) ** 2 << d


@claim(
    "Table 1",
    "{text}",
    parameters=_printed(("2^d (m + d f)^2", "2^d d^2 (m + f)^2", "2^d (d (m + f) + m^2 - m)^2")),
    over=each(d=range(1, 5), m=(2, 3, 4, 8), f=range(1, 4)),
)
def fat_cube_routers(model: str, d: int, m: int, f: int) -> Case:
    """C_R of the fat cube in model {model} is what Table 1 says."""
    return case(router_cost(FatCube(d, m, f), model), _fat_cost(model, d, m, f))


@claim(
    "Table 1",
    "{text}",
    parameters=_printed(("2^d' (1 + d')^2", "2^d' 4 d'^2", "2^d' 4 d'^2")),
    reading="As in the second transcription, with d' throughout",
)
def hypercube_routers(model: str) -> Cases:
    """C'_R of the hypercube of d' dimensions in model {model} is what Table 1 says."""
    for larger in range(1, 9):
        found, printed = router_cost(Hypercube(larger), model), _thin_cost(model, larger)
        yield Case({"d'": larger}, printed, found, found == printed)


@claim(
    "Table 1",
    "{text}",
    parameters=_printed(("2^d (1 + d)^2", "2^d 4 d'^2", "2^d 4 d'^2")),
    over=each(d=range(1, 5), m=(2, 4, 8)),
    misprint="d' must be meant for every d of the hypercube; only the first transcription has lost the primes",
)
def hypercube_routers_transcribed(model: str, d: int, m: int) -> Case:
    """C'_R in model {model} of the hypercube with as many processors has the fat cube's d where the primes are lost."""
    larger = d + ceil_log(2, m)
    return case(router_cost(Hypercube(larger), model), (1 + d) ** 2 << d if model == "1" else 4 * larger**2 << d)


@claim(
    "equation {number}",
    "{text}",
    parameters=columns(
        "model number text inequality",
        [
            ("1", 3, "(m + d f)^2 <= m (1 + d + log m)^2", "(m + d*f)**2 <= m*(1 + d + log_m)**2"),
            ("d", 4, "d^2 (m + f)^2 <= 4 m (d + log m)^2", "d**2*(m + f)**2 <= 4*m*(d + log_m)**2"),
            (
                "*",
                5,
                "[d (m + f) + m (m - 1)]^2 <= 4 m (d + log m)^2",
                "(d*(m + f) + m*(m - 1))**2 <= 4*m*(d + log_m)**2",
            ),
        ],
    ),
    over=each(d=range(1, 8), m=(2, 4, 8), f=range(1, 5)),
)
@said(reading=_POWER_OF_2, words=_DEARER)
def cheaper_routers(model: str, inequality: str, d: int, m: int, f: int) -> Case:
    """The inequality says when the routers of the fat cube in model {model} cost no more than the hypercube's."""
    log_m = ceil_log(2, m)
    cheaper = router_cost(FatCube(d, m, f), model) <= router_cost(Hypercube(d + log_m), model)
    return case(cheaper, evaluate(inequality, {"d": d, "m": m, "f": f, "log_m": log_m}))


@claim(
    "Table 2",
    "{text}",
    name="cheaper_{model}_m{m}_f{f}",
    parameters=columns(
        "model f m text", [(model, f, m, row[model]) for (f, m), row in TABLE_2.items() for model in _MODELS]
    ),
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


@claim("section 3", "cheaper", over=FIGURE_1)
def figure_1_cheaper(d: int, m: int, f: int) -> Case:
    """Both fat cubes of Figure 1 with model 1 are cheaper than the hypercube with as many processors."""
    fat, thin = router_cost(FatCube(d, m, f), "1"), router_cost(Hypercube(4), "1")
    return judged(f"{fat} against {thin}", "cheaper", fat < thin)
