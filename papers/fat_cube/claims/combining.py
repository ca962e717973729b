"""Sections 4.2 and 4.4, combining: several messages in a packet, on the fat cube and on the hypercube.

Two measures of faster are tried: the fewest steps, with packets of any size, and the cycles of the RTL, where a step takes
longer the more messages its largest packet has. On full-duplex lanes with adjacent transfers it takes 3 + n (F + 1) cycles for n
messages of F flits. So no schedule takes fewer than 3 S + M (F + 1) cycles in all, where S is the fewest steps with packets
of any size, and M the fewest without combining: a step of n messages can be done in n steps without.
"""

from collections.abc import Callable, Iterator
from functools import partial

from fatcube.noc.topologies.cubes import FatCube
from fatcube.papers.claim import Cases, columns, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.executed import executed, run_file
from fatcube.papers.fat_cube.fat_case import FatCase, compared, cube, fewer
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.verdict import Case, judged
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.constructions.combining import gather_scatter
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.schedule_file import read_schedule
from fatcube.schedules.step_model import UNLIMITED, StepModel
from fatcube.studies.model_cells import PAYLOAD_FLITS

claim = partial(PAPER.claim, evidence="")


COMBINING = StepModel(per_packet=UNLIMITED)
PAIRS = StepModel(per_packet=2)
_MODELS = ("1", "d", "*")
_EXAMPLES = [(2, 2, 1), (2, 2, 2)]
"""Fat cubes of 8 processors: that of Table 6, and the same with two lanes per link."""
_PLACES = {"AAB": "section 4.2, combining", "AAS": "section 4.4, combining"}
_COLLECTIVES = columns("collective where", _PLACES.items())
_GATHER_SCATTER = "gather-scatter"
_FASTER = "can sometimes be faster on the fat cube than on the hypercube"


def _least_cycles(evidence: Evidence, instance: FatCase) -> int:
    """Cycles that no schedule of an instance with packets of any size can go below: see the head of this file."""
    without = FatCase.of(instance.d, instance.m, instance.f, instance.ports, instance.collective)
    # An all-to-all has the fewest steps of an all-gather, see `combining_steps`.
    steps, messages = evidence.known(instance.changed(collective="AAB"))[0], evidence.known(without)[0]
    return 3 * steps.steps + messages.steps * (PAYLOAD_FLITS + 1)


@claim("{where}", _FASTER, name="combining_steps_{collective}", parameters=_COLLECTIVES)
@said(
    conditions=["f >= m and k > 1"],
    reading="Sometimes is read as: under a condition, on fat cubes of 8 processors; packets hold any number of messages, and the "
    "fewest steps count. On larger fat cubes see gather_scatter_steps_*",
    show="(d, m, f, model) == (2, 2, 2, 'd')",
)
def combining_steps(evidence: Evidence, collective: str) -> Cases:
    """Combining {collective} takes fewer steps on a fat cube than on the hypercube with as many processors."""
    for model in _MODELS:
        for size in [(1, 4, 1), (1, 4, 2), (1, 4, 4), *_EXAMPLES]:
            instance = FatCase.of(*size, model, "AAB", COMBINING)
            one = compared(
                evidence, instance, cube(instance), fewer, "fewer", model=model, **instance.given, k=instance.k
            )
            if collective == "AAS":
                shown = partial(_exchanges, evidence, instance)
                one = judged(one.found, one.printed, one.holds, evidence=shown, **one.given)
            yield one


def _exchanges(evidence: Evidence, instance: FatCase) -> str:
    """The files of all-to-alls on a fat cube and on its hypercube, each in the steps of the all-gather there."""
    files = []
    for one in (instance, cube(instance)):
        spread = read_schedule(evidence.folder / evidence.schedule(one)).expanded()
        files.append(evidence.keep(f"{one.changed(collective='AAS').name}-as-AAB", _exchange(spread)))
    return (
        ", ".join(files)
        + "; an all-to-all with packets of any size gives an all-gather in as many steps, and backwards"
    )


def _exchange(spread: Schedule) -> Schedule:
    """The all-to-all in which the message of a pair goes the way on which an all-gather brings that of its origin there."""
    came: dict[tuple[int, int], Move] = {(move.dst, origin): move for origin, move in _by_origin(spread)}
    moves: set[Move] = set()
    for target, origin in came:
        place = target
        while place != origin:
            move = came[place, origin]
            moves.add(move._replace(message=Message(origin, target)))
            place = move.src
    ordered = sorted(moves, key=lambda move: move.order)
    return Schedule.from_moves(spread.topology, spread.ports, Collective.AAS, None, ordered, model=spread.model)


def _by_origin(spread: Schedule) -> Iterator[tuple[int, Move]]:
    for transfer in spread.transfers:
        assert transfer.message.origin is not None
        yield transfer.message.origin, transfer.move


def _file(size: tuple[int, int, int], model: str) -> str:
    d, m, f = size
    return f"combining-d{d}-m{m}-f{f}-{PortModel.parse(model).word}"


def _cycles(evidence: Evidence, size: tuple[int, int, int], model: str) -> dict[str, dict[str, int]]:
    """The cycles on the RTL of schedules of each collective, by how they were made; they run on one machine."""
    schedules: dict[str, Schedule] = {}
    for collective in _PLACES:
        for limit in (StepModel(), COMBINING, *([PAIRS] if (*size, model) == (2, 2, 2, "*") else [])):
            instance = FatCase.of(*size, model, collective, limit)
            evidence.known(instance)  # which searches, where that is worth it
            schedules[f"{collective}, {str(limit) or 'single messages'}"] = read_schedule(
                evidence.folder / evidence.schedule(instance)
            ).expanded()
        if size[1] > 1:
            pattern = gather_scatter(Problem(FatCube(*size), model, collective, model=COMBINING))
            schedules[f"{collective}, {_GATHER_SCATTER}"] = pattern
    found: dict[str, dict[str, int]] = {collective: {} for collective in _PLACES}
    for name, run in executed(evidence, _file(size, model), schedules).items():
        assert run.right, f"{name} on {size} in model {model}: {run}"
        collective, _, how = name.partition(", ")
        found[collective][how] = run.cycles
    for collective, cycles in found.items():
        least = _least_cycles(evidence, FatCase.of(*size, model, collective, COMBINING))
        assert min(cycles.values()) >= least, f"{collective} on {size} in model {model} takes fewer than {least} cycles"
    return found


@claim("{where}", _FASTER, name="combining_cycles_{collective}", parameters=_COLLECTIVES)
@said(
    conditions=["f > 1 and model == '*'", "model == '1' or f > 1 and model == '*'"],
    reading="Faster is read as: in fewer cycles on the RTL with 16 payload flits, the quickest of the schedules that ran on "
    "both, of single messages and of packets of several; no schedule is quicker than the least cycles shown",
    show="(d, m, f, model) == (2, 2, 2, '*')",
)
def combining_cycles(evidence: Evidence, collective: str) -> Cases:
    """With combining {collective} takes fewer cycles on a fat cube of 8 processors than on the hypercube."""
    for model in _MODELS:
        for size in _EXAMPLES:
            yield _raced(evidence, size, model, collective, lambda how: how != _GATHER_SCATTER)


def _raced(
    evidence: Evidence, size: tuple[int, int, int], model: str, collective: str, counts: Callable[[str], bool]
) -> Case:
    """The case that those schedules on a fat cube which count take fewer cycles than any on the hypercube."""
    instance = FatCase.of(*size, model, collective, COMBINING)
    other = cube(instance)
    there = other.d, other.m, other.f
    how, cycles = min(
        ((how, cycles) for how, cycles in _cycles(evidence, size, model)[collective].items() if counts(how)),
        key=lambda one: one[1],
    )
    others = min(_cycles(evidence, there, model)[collective].values())
    least, others_least = (_least_cycles(evidence, one) for one in (instance, other))
    beaten = cycles >= others if how == _GATHER_SCATTER else least >= others
    return judged(
        f"{cycles} ({how}) against {others} cycles",
        "fewer",
        True if cycles < others_least else False if beaten else None,
        evidence=f"{run_file(_file(size, model))}, {run_file(_file(there, model))}; no schedule takes fewer than {least} and "
        f"{others_least} cycles",
        model=model,
        **instance.given,
    )


@claim(
    "{where}",
    "a straightforward approach (Gather - Scatter); combining can sometimes be faster",
    name="gather_scatter_steps_{collective}",
    parameters=_COLLECTIVES,
    over=[
        {"model": model, "d": d, "m": m, "f": 1}
        for model in _MODELS
        for d in range(1, 5)
        for m in (2, 4, 8, 16)
        if m << d <= 32
    ],
)
@said(
    conditions=["model == '*' and m >= 8"],
    evidence="schedules of both, which pass the checker; that of the hypercube meets its lower bound. Gather-scatter takes "
    "d + 2 ceil(log m) steps to the base k + 1",
    reading="The approach itself against the fewest steps of the hypercube, packets holding any number of messages. With one "
    "port it is never faster; in model d m = 8 with d = 7 would be, or m = 32 with d = 5: 1,024 processors",
    show="(d, m, model) == (1, 8, '*')",
)
def gather_scatter_steps(collective: str, model: str, d: int, m: int, f: int) -> Case:
    """Gather-scatter takes fewer steps for {collective} than the hypercube with as many processors needs."""
    fat = FatCase.of(d, m, f, model, collective, COMBINING)
    thin = cube(fat).topology
    schedules = [gather_scatter(Problem(one, model, collective, model=COMBINING)) for one in (fat.topology, thin)]
    steps, others = (check(one).steps for one in schedules)
    # One dimension after the other: as many steps as the hypercube's diameter.
    assert others == lower_bound(Problem(thin, model, Collective.AAB, None, COMBINING)).steps
    return judged(f"{steps} against {others} steps", "fewer", steps < others, P=fat.P)


@claim("{where}", _FASTER, name="gather_scatter_cycles_{collective}", parameters=_COLLECTIVES)
@said(reading="Gather-scatter itself, in cycles on the RTL, against the quickest schedule on the hypercube")
def gather_scatter_cycles(evidence: Evidence, collective: str) -> Cases:
    """Gather-scatter takes fewer cycles for {collective} on a fat cube of 8 processors than the hypercube."""
    for model in _MODELS:
        for size in _EXAMPLES:
            yield _raced(evidence, size, model, collective, lambda how: how == _GATHER_SCATTER)
