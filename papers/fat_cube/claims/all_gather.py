"""Section 4.2: AAB, equations 7 to 11, Theorem 3."""

import dataclasses
from functools import partial

from fatcube.noc.topologies.cubes import FatCube
from fatcube.papers.arithmetic import ceil_div
from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube.fat_case import (
    FAT,
    SINGLE,
    FatCase,
    Size,
    by_size,
    cases,
    no_fewer,
    port_bound,
    shown_together,
)
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.verdict import Case, case, judged
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Move
from fatcube.schedules.construct import best, construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import Links, StepModel

__all__ = ["PORTS", "theorem_3"]

claim = partial(PAPER.claim, evidence="both sides computed in whole numbers")


PORTS = {"1": "P - 1", "d": "ceil((P - 1)/d)", "*": "ceil((P - 1)/(d + m - 1))"}
"""Equations 7 and 12."""
_AAB = partial(cases, FAT, collective="AAB")

_LARGE: list[Size] = [(d, m, f) for d in range(1, 9) for m in range(2, 18) for f in range(1, 7)]
LARGE = columns("d m f", by_size(_LARGE))
"""Sizes for what is arithmetic only."""
LARGE_SINGLE = columns("d m", [(d, m) for d, m, f in by_size(_LARGE) if f == 1])
"""The same with simple links."""

HALF_DUPLEX = StepModel(links=Links.HALF_DUPLEX)
_PARAMETERS = columns("model text", PORTS.items())


def _one_way_at_a_time(schedule: Schedule) -> Schedule:
    """Every step as two: what goes to a higher node or stays in its node, then the rest."""
    written = schedule.expanded()
    m = written.topology.m
    moves = [
        Move(2 * one.step - (one.dst // m >= one.src // m), one.src, one.dst, one.message) for one in written.transfers
    ]
    return Schedule.from_moves(written.topology, written.ports, written.collective, written.root, moves)


@claim("section 4.2", "slowdown two", over=each(model=PORTS, d=range(1, 5)))
@said(evidence="every step of the schedule done in two, one direction of the links after the other, passes the checker")
def half_duplex_twice(model: str, d: int) -> Case:
    """AAB with half-duplex links takes at most twice the steps of full-duplex ones."""
    schedule = construct(Problem(FatCube(d), model, "AAB")).found
    steps = check(_one_way_at_a_time(schedule), HALF_DUPLEX).steps
    return judged(f"{steps} instead of {schedule.steps} steps", "at most twice", steps <= 2 * schedule.steps)


@claim("section 4.2", "sometimes better", evidence="a schedule of so many steps, by search or construction")
def half_duplex_better(evidence: Evidence) -> Cases:
    """AAB with half-duplex links sometimes takes fewer than twice the steps."""
    instance = FatCase.of(3, 1, 1, "1", "AAB")
    finding = best(Problem(instance.topology, "1", "AAB", model=HALF_DUPLEX), time_limit=evidence.time_limit)
    steps = check(finding.found, HALF_DUPLEX).steps
    full = evidence.known(instance)[1]
    found = f"{steps} instead of {full} steps"
    yield Case({"model": "1", "d": 3}, "fewer than twice", found, steps < 2 * full, "", str(steps))


@claim("section 4.2", "equal results", over=each(model=("1", "d"), d=range(1, 6)))
@said(
    evidence="no wormhole step brings a processor more messages than it has ports, and a store-and-forward schedule, "
    "which is a wormhole schedule too, needs no more steps than that"
)
def wormhole_equal(evidence: Evidence, model: str, d: int) -> Case:
    """AAB on the hypercube takes as many steps with wormhole as with store-and-forward switching."""
    instance = FatCase.of(d, 1, 1, model, "AAB")
    received = [other for other in range(instance.P) if other]
    return evidence.reached(instance, len(range(0, len(received), 1 if model == "1" else d)))


@claim("section 4.2", "P(m - 1)", over=columns("d m", [size[:2] for size in by_size(SINGLE)]))
@said(evidence="messages and processors of a node, counted pair by pair")
def copies_within_nodes(d: int, m: int) -> Case:
    """In a node P(m - 1) copies are internal: each message enters a node once, and goes on to its m processors."""
    P, inside = m << d, range(m)
    pairs = [(message, processor) for message in range(P) for processor in inside if message != processor]
    entering = [message for message in range(P) if message not in inside]
    return case(len(pairs) - len(entering), P * (m - 1), P=P)


@claim(
    "equation {number}",
    "{text}",
    name="{collective}_bound_{model}",
    parameters=[
        {"number": number, "collective": collective, **one}
        for number, collective in ((7, "AAB"), (12, "OAS"))
        for one in _PARAMETERS
    ],
    evidence="a search that knows no bound",
)
def receiving_bound(evidence: Evidence, collective: str, model: str) -> Cases:
    """{collective} in model {model} takes at least {text} steps."""
    small = [(d, m, f) for d, m, f in FAT if f < 3 and (m << d <= 6 or d == m == 2)]
    yield from shown_together(
        no_fewer(evidence, instance, port_bound(instance), **instance.given)
        for instance in cases(small, model, collective)
    )


THEOREM_3 = {
    "1": "P - 1",
    "d": "ceil((P - m)/min(f d, m d)) + ceil((m - 1)/d) P/m",
    "*": "ceil((P - m)/min(f d, m (d + m - 1))) + P/m",
}


def theorem_3(case: FatCase) -> int:
    """The steps of AAB by Theorem 3."""
    P, m, d, f = case.P, case.m, case.d, case.f
    if case.ports == "1":
        return P - 1
    if case.ports == "d":
        return ceil_div(P - m, min(f * d, m * d)) + ceil_div(m - 1, d) * (P // m)
    return ceil_div(P - m, min(f * d, m * (d + m - 1))) + P // m


@claim("Theorem 3", "{text}", parameters=columns("model text", THEOREM_3.items()), over=_AAB)
@said(show="(d, m, f) == (2, 2, 1)", evidence="")
def aab_theorem(evidence: Evidence, instance: FatCase) -> Case:
    """AAB in model {model} can be done in {text} steps."""
    return evidence.reached(instance, theorem_3(instance))


@claim("Theorem 3", "P - 1", over=_AAB("1"), show="(d, m, f) == (2, 2, 1)", evidence="")
def aab_one_port_fewest(evidence: Evidence, instance: FatCase, P: int) -> Case:
    """P - 1 is the fewest steps of AAB in model 1."""
    return evidence.fewest(instance, P - 1)


@claim(
    "equation 8",
    "(2^d - 1) ceil(m/min(f d, m d)) + ceil((m - 1)/d) P/m = ceil((P - m)/min(f d, m d)) + ceil((m - 1)/d) P/m",
    over=LARGE,
    conditions=["m % min(f*d, m*d) == 0 or (2**d - 1) * (min(f*d, m*d) - m % min(f*d, m*d)) < min(f*d, m*d)"],
)
def super_messages_aab(d: int, m: int, f: int) -> Case:
    """(2^d - 1) ceil(m/min(f d, m d)) is ceil((P - m)/min(f d, m d))."""
    rate = min(f * d, m * d)
    return case(((1 << d) - 1) * ceil_div(m, rate), ceil_div((m << d) - m, rate))


@claim("equation 9", "ceil((m - 1)/(d + m - 1)) P/m = P/m", over=LARGE_SINGLE)
def local_steps_all_port(d: int, m: int) -> Case:
    """Within the nodes, ceil((m - 1)/(d + m - 1)) P/m steps come to P/m."""
    return case(ceil_div(m - 1, d + m - 1) * (1 << d), 1 << d)


_OVERLAP = columns("model number k within", [("d", 10, "d", "f < m"), ("*", 11, "(d + m - 1)", "f d < m (d + m - 1)")])


def _overlaps(model: str, d: int, m: int, f: int) -> bool:
    """The paper's assumption: more ports than links."""
    return f < m if model == "d" else f * d < m * (d + m - 1)


@claim("equation {number}", "= ceil((P - 1)/{k})", parameters=_OVERLAP)
@said(
    conditions=["(m - P) % (f*d) * k <= (1 - P) % k * f*d"],
    reading="Without asking whether a schedule does it, for {within} as the paper assumes; k = {k}",
)
def overlap_sum(model: str) -> Cases:
    """The steps between nodes and the rest, both rounded up, add up to ceil((P - 1)/{k}) in model {model}."""
    for d, m, f in by_size(size for size in _LARGE if _overlaps(model, *size)):
        P, ports = m << d, d if model == "d" else d + m - 1
        hidden = (P - m) * (m * ports - f * d)
        rest = ceil_div(P * (m - 1) * f * d - hidden, m * ports * f * d)
        yield case(ceil_div(P - m, f * d) + rest, ceil_div(P - 1, ports), d=d, m=m, f=f, P=P, k=ports)


@claim("equation {number}", "ceil((P - 1)/{k})", parameters=_OVERLAP)
@said(
    conditions=[
        "1 + ceil((P - m - f*d // m) / (f*d)) <= ceil((P - 1) / k) "
        "and m*(P - 1) <= f*d + m*(m - 1) + (ceil((P - 1) / k) - 1) * m*k"
    ],
    reading="For {within} as the paper assumes, k = {k}. The condition is of links and ports: what enters a node in the "
    "last step must enter it for each processor, and in the first step nothing can be relayed",
    evidence="up to 12 processors and 2 lanes, what fails is refuted by a search too, which knows no bound",
)
def overlap_reached(evidence: Evidence, model: str) -> Cases:
    """With overlap AAB in model {model} takes ceil((P - 1)/{k}) steps."""
    instances = cases([size for size in FAT if _overlaps(model, *size)], model, "AAB")
    yield from shown_together(_with_proof(evidence, instance) for instance in instances)


def _with_proof(evidence: Evidence, instance: FatCase) -> Case:
    """The case that the bound of the ports is reached; where it is small and is not, with a proof by search."""
    printed = port_bound(instance)
    one = evidence.reached(instance, printed, **instance.given, k=instance.k)
    if one.holds is not False or instance.P > 12 or instance.f > 2:
        return one
    assert evidence.impossible(instance, printed), f"{instance}: bound and search disagree"
    return dataclasses.replace(one, evidence=evidence.proof(instance, printed))
