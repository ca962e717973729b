"""Table 3's wormhole columns on the RTL, and the broadcast of section 4: direct transfers along disjoint paths."""

from functools import partial

from fatcube.papers.claim import Cases, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.executed import Executed, executed, run_file
from fatcube.papers.fat_cube.claims.hypercube import WORMHOLE, cells, value
from fatcube.papers.fat_cube.fat_case import FatCase
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.verdict import Case, judged
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import StepModel, Transfers

claim = partial(PAPER.claim, evidence="")


DIRECT = StepModel(transfers=Transfers.DIRECT)
_WORDS = {"1": "one", "d": "d-port"}


def _case(d: int, model: str, collective: str) -> FatCase:
    return FatCase.of(d, 1, 1, model, collective, DIRECT)


def _name(d: int, model: str) -> str:
    return f"direct-d{d}-{_WORDS[model]}"


def _executed(evidence: Evidence, d: int, model: str) -> dict[str, Executed]:
    """The four collectives with direct transfers, on one machine."""
    schedules = {
        collective: construct(Problem(case.topology, model, collective, model=DIRECT)).found.expanded()
        for collective in WORMHOLE[model]
        for case in [_case(d, model, collective)]
    }
    return executed(evidence, _name(d, model), schedules)


@claim("Table 3", "{cell}", name="wormhole_executed_{collective}_{ports}", parameters=cells(WORMHOLE))
@said(
    evidence="steps counted by the barrier on the RTL, with every message delivered word by word and no conflict counted; "
    "wormhole switching, direct transfers along paths that share no lane in one direction",
    show="d == 3",
)
def wormhole_executed(evidence: Evidence, model: str, collective: str, text: str) -> Cases:
    """The wormhole bound {text} of {collective} on the hypercube with model {model} is reached on the RTL."""
    for d in range(1, 5):
        printed, run = value(text, d), _executed(evidence, d, model)[collective]
        found = f"{run.steps} steps, {run.cycles} cycles" + ("" if run.right else ", which failed")
        yield Case({"d": d, "P": 1 << d}, printed, found, run.right and run.steps == printed, run_file(_name(d, model)))


@claim("section 4, wormhole", "can be reached only for d <= 6 by the double-tree algorithm", over=each(d=range(1, 7)))
@said(
    reading="Read as what can be reached, by whatever algorithm: the double tree is not described",
    show="d == 6",
)
def wormhole_broadcast(evidence: Evidence, d: int) -> Case:
    """For d <= 6 the lower bound ceil(log P to the base d + 1) of OAB on the all-port wormhole hypercube can be reached."""
    return evidence.reached(_case(d, "d", "OAB"), value(WORMHOLE["d"]["OAB"], d), P=1 << d)


@claim("section 4, wormhole", "only for d <= 6", over=each(d=(7, 8)))
@said(
    reading="The other half of wormhole_broadcast, read in the same way: beyond d = 6 nothing reaches the bound. Of the "
    "algorithms that were known in 2005 nothing can be tried"
)
def wormhole_broadcast_beyond(evidence: Evidence, d: int) -> Case:
    """For d > 6 the lower bound of OAB on the all-port wormhole hypercube cannot be reached."""
    instance, bound = _case(d, "d", "OAB"), value(WORMHOLE["d"]["OAB"], d)
    _, steps = evidence.known(instance)
    return judged(
        f"{steps} steps",
        f"more than {bound}",
        steps > bound,
        evidence=lambda: evidence.schedule(instance),
        d=d,
        P=1 << d,
    )
