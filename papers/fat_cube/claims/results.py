"""Table 6, and the statements of section 6 about it."""

from functools import partial

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.papers.claim import columns, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube.claims.all_to_all import theorem_5
from fatcube.papers.fat_cube.claims.cost import router_cost
from fatcube.papers.fat_cube.fat_case import MODELS, FatCase, compared, no_more, port_bound
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.fat_cube.printed import TABLE_6
from fatcube.papers.verdict import Case, case, judged

claim = partial(PAPER.claim, over=each(model=MODELS))


NETWORKS = {"HC": (3, 1, 1), "FC": (2, 2, 1)}
STARRED = {("1", "OAS"), ("1", "AAB"), ("1", "AAS"), ("d", "OAS"), ("d", "AAB"), ("*", "OAS")}
"""Cells of the fat cube with an asterisk."""
_STARRED = columns("collective model", [(collective, model) for model, collective in sorted(STARRED)])


@claim(
    "Table 6",
    "{steps}{star}",
    name="steps_{network}_{collective}_{model}",
    parameters=[
        {
            "network": network,
            "model": model,
            "collective": collective,
            "steps": steps,
            "star": "*" if network == "FC" and (model, collective) in STARRED else "",
        }
        for model, row in TABLE_6.items()
        for collective, pair in row.items()
        for network, steps in zip(NETWORKS, pair)
    ],
    over=({},),
    evidence="",
)
def table_6(evidence: Evidence, network: str, model: str, collective: str, steps: int) -> Case:
    """{collective} on {network} in model {model} takes {steps} steps, and no fewer."""
    return evidence.fewest(FatCase.of(*NETWORKS[network], model, collective), steps)


@claim("Table 6", "asterisks denote reaching the lower bound", over=_STARRED)
@said(
    reading="The bounds are those of equations 7, 12 and 14. Cells without an asterisk are not said to miss theirs: FC "
    "takes the fewest steps in those too",
    evidence="the bounds of equations 7, 12 and 14, computed",
)
def asterisks_reached(collective: str, model: str) -> Case:
    """The cells with an asterisk reach the paper's lower bound."""
    instance = FatCase.of(2, 2, 1, model, collective)
    bound = theorem_5(instance) if collective == "AAS" else port_bound(instance)
    return case(TABLE_6[model][collective][1], bound)


@claim("section 6", "cheaper", evidence="inputs and outputs counted on the routers that are generated")
def all_models_cheaper(model: str) -> Case:
    """All models of the fat cube of 8 processors are cheaper than the hypercube of 8 processors."""
    fat, thin = router_cost(FatCube(2, 2), model), router_cost(Hypercube(3), model)
    return judged(f"{fat} against {thin}", "cheaper", fat < thin)


@claim("section 6", "the same or better", evidence="")
def oab_same_or_better(evidence: Evidence, model: str) -> Case:
    """The performance of the fat cube of 8 processors is the same or better in OAB."""
    fat, thin = (FatCase.of(*NETWORKS[network], model, "OAB") for network in ("FC", "HC"))
    return compared(evidence, fat, thin, no_more, "no more")


@claim("section 6", "almost the same", over=each(collective=("OAS", "AAB"), model=MODELS))
@said(
    evidence="the proven fewest steps of the fat cube and of the hypercube, in that order",
    reading="Almost is read as within one step; three cells differ by one",
)
def oas_aab_almost_the_same(evidence: Evidence, collective: str, model: str) -> Case:
    """The performance of the fat cube of 8 processors is almost the same in OAS and AAB."""
    fat, thin = _fewest(evidence, model, collective)
    return judged(f"{fat} against {thin}", "within a step", abs(fat - thin) <= 1)


def _fewest(evidence: Evidence, model: str, collective: str) -> tuple[int, int]:
    """Fewest steps on the fat cube and on the hypercube, both proven."""
    fat, thin = (evidence.optimum(FatCase.of(*NETWORKS[network], model, collective)) for network in ("FC", "HC"))
    assert fat is not None and thin is not None
    return fat, thin


@claim("section 6", "25% faster", over=each(model=("1",)))
@said(reading="25 % fewer steps; as speed it would be a third", evidence="the proven fewest steps on both networks")
def aas_faster(evidence: Evidence, model: str) -> Case:
    """AAS is 25 % faster on 1-port models."""
    fat, thin = _fewest(evidence, model, "AAS")
    return judged(f"{fat} against {thin}", "25 %", 4 * fat == 3 * thin)


@claim("section 6", "twice as slower as on the hypercube on models d and b")
@said(
    misprint='models d and * must be meant: on model b Table 6 itself has 9 against 12. Both transcriptions have "b"',
    evidence="the proven fewest steps on both networks",
)
def aas_twice_as_slow(evidence: Evidence, model: str) -> Case:
    """AAS is twice as slow as on the hypercube on models d and b, and on no other."""
    fat, thin = _fewest(evidence, model, "AAS")
    printed = "twice" if model in "db" else "not twice"
    return judged(f"{fat} against {thin}", printed, (fat == 2 * thin) == (model in "db"))
