"""Section 5: the fat cube of 8 processors, d = m = 2 and f = 1; Table 5 and Figure 7."""

from collections import Counter
from collections.abc import Iterator
import dataclasses
import functools
import itertools

from ortools.sat.python import cp_model

from fatcube.groundwork.solving import solve
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube.claims.all_gather import theorem_3
from fatcube.papers.fat_cube.claims.all_to_all import theorem_5
from fatcube.papers.fat_cube.claims.broadcast import BEYOND
from fatcube.papers.fat_cube.claims.scatter import theorem_4
from fatcube.papers.fat_cube.fat_case import FatCase, cases, compared, equal, fewer, port_bound
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.fat_cube.printed import TABLE_5
from fatcube.papers.verdict import Case, case
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule

claim = functools.partial(PAPER.claim, evidence="")


PRINTED = {
    "5.1": ("OAB", {"1": 3, "b": 2, "d": 2, "*": 2}),
    "5.2": ("AAB", {"1": 7, "d": 4, "*": 3}),
    "5.3": ("OAS", {"1": 7, "d": 4, "*": 3}),
    "5.4": ("AAS", {"1": 9, "d": 8, "*": 8}),
}
"""Steps by section, collective and router model."""

MODELS = ("1", "d", "*")


def _example(model: str, collective: str) -> FatCase:
    return FatCase.of(2, 2, 1, model, collective)


@claim(
    "section {section}",
    "{steps}",
    name="example_{collective}_{model}",
    parameters=[
        {"section": section, "collective": collective, "model": model, "steps": steps}
        for section, (collective, cells) in PRINTED.items()
        for model, steps in cells.items()
    ],
)
def example_steps(evidence: Evidence, collective: str, model: str, steps: int) -> Case:
    """{collective} in model {model} takes {steps} steps on the fat cube of 8 processors, and no fewer."""
    instance = _example(model, collective)
    one = evidence.fewest(instance, steps)
    bound, _ = evidence.known(instance)
    if bound.steps > steps:
        shown = f"{evidence.proof(instance, steps)}; {bound.reason}; {evidence.schedule(instance)}"
        one = dataclasses.replace(one, evidence=shown)
    return one


@claim("section 5.1", "3", over=each(model=("1", "b", "d", "*")))
def oab_hypercube(evidence: Evidence, model: str) -> Case:
    """OAB always needs 3 steps on the hypercube of 8 processors."""
    return evidence.fewest(FatCase.of(3, 1, 1, model, "OAB"), 3)


@claim("section 5.1", "1 + 1 + 2 + 4")
@said(evidence="processors that get the message in each step, counted", words="the root, and then in each step: %s")
def oab_doubling() -> Cases:
    """In model 1 the number of informed processors doubles: 1 + 1 + 2 + 4 in 3 steps."""
    instance = _example("1", "OAB")
    schedule = construct(Problem(instance.topology, "1", "OAB")).found.expanded()
    informed = Counter(one.step for one in schedule.transfers)
    yield case([1, *(informed[step] for step in sorted(informed))], [1, 1, 2, 4])


@claim("section 5.1", "like model *", over=cases(BEYOND, "b", "OAB"), show="(d, m) == (2, 2)")
def oab_broadcast_like_all_port(evidence: Evidence, instance: FatCase) -> Case:
    """In OAB model b behaves like model *: both take the same steps."""
    return compared(evidence, instance, instance.changed(ports="*"), equal, "equal")


@claim("section 5.2", "7 steps with all 1, d, and * router models", over=each(model=MODELS))
@said(evidence="the formula of Theorem 3, computed")
def example_theorem_3(model: str) -> Case:
    """Theorem 3 states that AAB takes 7 steps with models 1, d and *."""
    return case(theorem_3(_example(model, "AAB")), 7)


@claim("section 5.2", "the lower bounds for d and * routers, i.e. 4 and 3 steps", over=each(model=MODELS))
@said(evidence="the bound of equation 7, computed")
def example_bounds(model: str) -> Case:
    """The lower bounds of AAB in models 1, d and * are 7, 4 and 3 steps."""
    return case(port_bound(_example(model, "AAB")), PRINTED["5.2"][1][model])


@claim("section 5.3", "7, 4, 3", over=each(model=MODELS))
@said(evidence="the formulas of Theorem 4 and equation 12, computed", words="upper bound %s, lower bound %s steps")
def example_theorem_4(model: str) -> Case:
    """The upper bounds of Theorem 4 match the lower bounds 7, 4 and 3 of OAS in models 1, d and *."""
    instance, steps = _example(model, "OAS"), PRINTED["5.3"][1][model]
    return case((theorem_4(instance), port_bound(instance)), (steps, steps))


# Step, sender, receiver, destination: farthest first, the two messages for the opposite node over one sub-tree each.
_OUTSIDE = [
    (1, 0, 2, 6),
    (1, 0, 4, 7),
    (2, 2, 6, 6),
    (2, 4, 7, 7),
    (2, 0, 2, 2),
    (2, 0, 4, 4),
    (3, 0, 3, 3),
    (3, 0, 5, 5),
]
_LOCAL = columns("model local", [("d", 4), ("*", 1), ("*", 2), ("*", 3)])
"""The step of the message within the node."""


@claim("section 5.3", "3 steps and 1 more step, which can be combined with any step in model *", over=_LOCAL)
@said(
    evidence="such a schedule, checked",
    reading="Of the text; Figure 6, which has the messages, is not in the transcriptions",
)
def example_subtrees(evidence: Evidence, model: str, local: int) -> Case:
    """In OAS 2 messages go into two sub-trees for 3 steps; the step within the node is a fourth, or in * any of them."""
    moves = [Move(step, src, dst, Message(0, target)) for step, src, dst, target in [*_OUTSIDE, (local, 0, 1, 1)]]
    schedule = Schedule.from_moves(FatCube(2, 2), model, "OAS", 0, moves)
    return _executed(evidence, schedule, f"figure-6-{PAPER.words[model]}", 4 if model == "d" else 3)


def _executed(evidence: Evidence, schedule: Schedule, name: str, steps: int) -> Case:
    """The case that a schedule, which is kept by this name, passes the checker and takes ``steps`` steps."""
    try:
        found, kept = check(schedule).steps, functools.partial(evidence.keep, name, schedule)
    except ScheduleError as error:
        found, kept = str(error), ""
    return case(found, steps, evidence=kept)


@claim("section 5.4", "all types of routers in the same number of 9 steps", over=each(model=MODELS))
@said(evidence="the formula of Theorem 5, computed")
def example_theorem_5(model: str) -> Case:
    """According to Theorem 5, AAS takes 9 steps with all types of routers."""
    return case(theorem_5(_example(model, "AAS")), 9)


@claim("section 5.4", "only one processor port is busy", over=each(model=("d", "*")))
@said(evidence="transfers between nodes in the schedule of 8 steps, counted")
def one_port_busy(model: str) -> Case:
    """During inter-node communication of AAS only one port of a processor is busy, on average over steps and processors."""
    schedule = construct(Problem(FatCube(2, 2), model, "AAS")).found.expanded()
    between = sum(one.src // 2 != one.dst // 2 for one in schedule.transfers)
    return case(between / (schedule.steps * 8), 1)


@claim("section 5.4", "would improve performance further", parameters=each(model=MODELS), over=each(f=(2, 3, 4)))
@said(reading="Of each router model: the sentence follows those on models 1, d and *")
def multiple_links_aas(evidence: Evidence, model: str, f: int) -> Case:
    """Multiple links would improve the performance of AAS further in model {model}."""
    instance = _example(model, "AAS")
    return compared(evidence, instance.changed(f=f), instance, fewer, "fewer")


FIGURE_7 = {1: {0: 0b11, 1: 0b10}, 2: {0: 0b01, 1: 0b11}}
"""The relative address whose messages go over each dimension, by super-step, as the second transcription has it."""


@claim("Figure 7", "2 super-steps", over=each(d=(2,)))
@said(
    evidence="the table executed from every node, and the schedule checked",
    reading="Bit 0 of a relative address is dimension 0, as in the drawing; only the second transcription has the table",
)
def scheduling_table(evidence: Evidence, d: int) -> Case:
    """The scheduling table of Figure 7 is a schedule of AAS on the all-port hypercube of 4 processors in 2 steps."""
    moves, reached = [], {(node, offset): node for node in range(4) for offset in range(1, 4)}
    for step, row in FIGURE_7.items():
        for (dimension, offset), node in itertools.product(row.items(), range(4)):
            here = reached[node, offset]
            reached[node, offset] = here ^ 1 << dimension
            moves.append(Move(step, here, here ^ 1 << dimension, Message(node, node ^ offset)))
    return _executed(evidence, Schedule.from_moves(Hypercube(d), "d", "AAS", None, moves), "figure-7", 2)


@claim("Table 5", "4 steps", words="%s steps", evidence="senders found by search: the paper prints receivers only")
def table_5(evidence: Evidence) -> Case:
    """The deliveries of Table 5 are a schedule of AAB in model d."""
    moves = _senders()
    if moves is None:
        return case("no choice of senders keeps to ports and lanes", 4)
    one = _executed(evidence, Schedule.from_moves(FatCube(2, 2), "d", "AAB", None, moves), "table-5", 4)
    return dataclasses.replace(one, optimum="4")


def _senders() -> list[Move] | None:
    """Senders for all deliveries of Table 5, or ``None`` if ports and lanes do not allow any."""
    model = cp_model.CpModel()
    chosen: dict[Move, cp_model.IntVar] = {}
    held = {message - 1: {message - 1} for message in TABLE_5}  # processors 1 2 | 3 4 | 5 6 | 7 8 share a node
    for step in range(4):
        now: dict[tuple[int, int, int], cp_model.IntVar] = {}
        for message, receiver in _deliveries(step):
            ways = [src for src in held[message] if _joined(src, receiver)]
            for src in ways:
                now[src, receiver, message] = model.new_bool_var("")
            model.add_exactly_one(now[src, receiver, message] for src in ways)
        for processor in range(8):
            model.add(sum(variable for (src, _, _), variable in now.items() if src == processor) <= 2)
            model.add(sum(variable for (_, dst, _), variable in now.items() if dst == processor) <= 2)
        for here, there in itertools.permutations(range(4), 2):
            crossing = [variable for (src, dst, _), variable in now.items() if (src // 2, dst // 2) == (here, there)]
            model.add(sum(crossing) <= 1)
        for (src, dst, message), variable in now.items():
            chosen[Move(step + 1, src, dst, Message(message, None))] = variable
        for message, receiver in _deliveries(step):
            held[message].add(receiver)
    solver = cp_model.CpSolver()
    if solve(solver, model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return [move for move, variable in chosen.items() if solver.boolean_value(variable)]


def _deliveries(step: int) -> Iterator[tuple[int, int]]:
    """Messages and receivers of a step, numbered from 0."""
    for message, steps in TABLE_5.items():
        for receiver in steps[step]:
            yield message - 1, receiver - 1


def _joined(src: int, dst: int) -> bool:
    """Whether two processors share a node, or are on adjacent ones."""
    return src != dst and (src // 2 ^ dst // 2).bit_count() <= 1
