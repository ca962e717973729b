"""Collectives among some processors: who they are, what moves, and that a schedule delivers just that."""

import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.construct import best, construct
from fatcube.schedules.constructions import greedy
from fatcube.schedules.participants import EVERYBODY, Participants
from fatcube.schedules.pipelined.best import best_in_parts
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.schedule_file import schedule_from_json, schedule_to_json
from fatcube.schedules.size import transfers_needed
from fatcube.schedules.step_model import StepModel
from tests.support.force import steps_of_broadcast, steps_of_scatter

CUBE = Hypercube(3)


def messages(collective, *sides, root=None):
    return [
        message.to_json() for message in Collective.parse(collective).messages(CUBE, root, among=Participants(*sides))
    ]


def test_messages():
    """Each by hand. Catches a side that is taken for the other, and one's own message that is sent to oneself."""
    assert messages("multicast", None, (1, 7), root=0) == [[0, None]]
    assert messages("scatter", None, (0, 1, 7), root=0) == [[0, 1], [0, 7]]
    assert messages("gather", (0, 1, 7), None, root=0) == [[1, 0], [7, 0]]
    assert messages("reduce", (1, 7), None, root=0) == [[None, 0]]
    assert messages("m-to-n-broadcast", (3, 0), (1, 2)) == [[0, None], [3, None]]
    assert messages("m-to-n-broadcast", (0, 3), (3,)) == [[0, None]]
    assert messages("m-to-n-scatter", (0, 3), (3, 1)) == [[0, 1], [0, 3], [3, 1]]
    assert messages("reduce-scatter", (0, 3), (1, 2)) == [[None, 1], [None, 2]]
    assert messages("all-reduce", (0, 3), (0, 3)) == [[None, 0], [None, 3], [0, None], [3, None]]


def test_sides():
    """The processors of each end of a message; in order, each once."""
    among = Participants((3, 0), (7, 1))
    assert (among.sources, among.targets) == ((0, 3), (1, 7))
    assert among.reversed == Participants((1, 7), (0, 3)) and not among.all and EVERYBODY.all
    assert Message(None, 1).origins(CUBE, among) == (0, 3) and Message(None, 1).destinations(CUBE, among) == (1,)
    assert Message(0, None).origins(CUBE, among) == (0,) and Message(0, None).destinations(CUBE, among) == (1, 7)
    assert [str(one) for one in (among, EVERYBODY, Participants(targets=[2]), Participants((1, 2), (2, 1)))] == [
        "from 0,3 to 1,7",
        "",
        "to 2",
        "among 1,2",
    ]
    mirror = Participants((1,), (6,)).mirrored(OrientedCube(3))
    assert mirror == Participants((0,), (7,))


@pytest.mark.parametrize("collective", Collective)
def test_a_subset_is_both_sides(collective):
    among = collective.among(None, None, [5, 2])
    root = 0 if collective.rooted else None
    ends = {
        end for message in collective.messages(CUBE, root, among=among) for end in (message.origin, message.destination)
    }
    assert ends <= {None, 0, 2, 5}
    assert Schedule(CUBE, "1", collective, root, [], among=among).among == among
    with pytest.raises(ParameterError, match=r"^from must be left out with a subset"):
        collective.among([1], None, [2, 3])


@pytest.mark.parametrize(
    ("collective", "root", "sides", "message"),
    [
        ("AAS", None, ((), None), "from must have at least one processor, not none"),
        ("AAS", None, (None, (1, 1)), "to must have each processor once, not 1,1"),
        ("AAS", None, (None, "12"), "to must be a list of processors, not '12'"),
        ("AAS", None, ((-1,), None), "processor of from must be an integer of at least 0, not -1"),
        ("AAS", None, (None, (8,)), "processor of to must be an integer from 0 to 7, not 8"),
        ("OAB", 0, ((0, 1), None), "from must be left out for OAB, where it is the root alone"),
        ("AOG", 0, (None, (0, 1)), "to must be left out for AOG, where it is the root alone"),
        ("OAS", 3, (None, (3,)), "OAS must have something to move, which it has not to 3"),
        ("AAB", None, ((3,), (3,)), "AAB must have something to move, which it has not among 3"),
        (
            "all-reduce",
            None,
            ((1, 2), (2, 3)),
            "all-reduce must be among the same processors from and to, a subset, not from 1,2 to 2,3",
        ),
    ],
)
def test_refused(collective, root, sides, message):
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        Schedule(CUBE, "1", collective, root, [], among=Participants(*sides))


def test_only_all_processors_look_the_same_from_every_node():
    with pytest.raises(ParameterError, match=r"^symmetric must be false for AAB"):
        Schedule(CUBE, "1", "AAB", None, [], symmetric=True, among=Participants((0, 1), (0, 1)))


MULTICAST = [Transfer(1, 0, 1, (0, None), 0), Transfer(2, 1, 3, (0, None), 0), Transfer(3, 3, 7, (0, None), 0)]


def multicast(transfers, *targets):
    return check(Schedule(CUBE, "1", "OAB", 0, transfers, among=Participants(targets=targets)))


def test_others_pass_messages_on():
    """Processors 1 and 3 forward the message to 7, which is the only target."""
    assert multicast(MULTICAST, 7).steps == 3
    with pytest.raises(ScheduleError, match=r"^after step 3: processor 2 has not received message \[0, null\]$"):
        multicast(MULTICAST, 2, 7)
    with pytest.raises(ScheduleError, match=r"^step 1: processor 0 sends message \[0, 3\], which is none of OAB to 7$"):
        multicast([Transfer(1, 0, 1, (0, 3), 0)], 7)


SUM = [Transfer(1, 7, 3, (None, 0), 0), Transfer(2, 3, 1, (None, 0), 0), Transfer(3, 1, 0, (None, 0), 0)]


def reduction(transfers, *sources):
    return check(Schedule(CUBE, "1", "AOR", 0, transfers, among=Participants(sources=sources)))


def test_only_sources_contribute():
    """The sum of 7 and 1 passes 3, which adds nothing."""
    assert reduction(SUM, 1, 7).steps == 3
    assert reduction(SUM, 0, 7).steps == 3
    with pytest.raises(
        ScheduleError, match="after step 3: processor 0 has not received the contribution of processor 2"
    ):
        reduction(SUM, 2, 7)
    with pytest.raises(
        ScheduleError, match=r"^step 1: processor 3 sends .* of which it has nothing at the start of the step$"
    ):
        reduction([Transfer(1, 3, 1, (None, 0), 0)], 7)
    with pytest.raises(ScheduleError, match="of which it has nothing left at the start of the step: all that it had"):
        reduction([*SUM[:1], Transfer(2, 7, 6, (None, 0), 0)], 7)


PATH = Mesh(w=3, d=1)
TREE = [
    Transfer(1, 0, 1, (None, 1), 0),
    Transfer(1, 2, 1, (None, 1), 0),
    Transfer(2, 1, 0, (1, None), 0),
    Transfer(2, 1, 2, (1, None), 0),
]


def tree(transfers, *homes):
    return Schedule(PATH, "d", "all-reduce", None, transfers, among=Participants(homes=homes))


def test_a_sum_is_complete_at_its_home_and_sent_on():
    """Four transfers over a path of three; the bound is as many steps, and the file says where the sum is."""
    assert check(tree(TREE, 1)).steps == lower_bound(Problem.of(tree(TREE, 1))).steps == 2
    assert schedule_to_json(tree(TREE, 1))["homes"] == [1]
    assert schedule_from_json(schedule_to_json(tree(TREE, 1))) == tree(TREE, 1)
    assert messages("all-reduce", (0, 1, 2), (0, 1, 2), (1, 7)) == [[None, 1], [None, 7], [1, None], [7, None]]
    assert Participants(homes=(1,)).mirrored(OrientedCube(3)).homes == (0,)
    whole = Hypercube(2)
    left = Problem(damaged(whole, ["node:0"]), "d", "all-reduce", None, among=Participants(homes=(3,))).normal
    assert left.among.homes == (2,)


@pytest.mark.parametrize(
    ("transfers", "homes", "error"),
    [
        # A contribution to two processors, or again in a later step.
        (
            [Transfer(1, 2, 1, (None, 0), 0), *(Transfer(2, 1, dst, (None, 0), 0) for dst in (0, 2))],
            (0,),
            "step 2: processor 1 sends message [null, 0] to processor 2 too, so what it has accumulated would be counted twice",
        ),
        (
            [*TREE, Transfer(2, 0, 1, (None, 1), 0)],
            (1,),
            "step 2: processor 0 sends message [null, 1], of which it has nothing left at the start of the step: all that it "
            "had has been sent",
        ),
        # One is missing when the sum is sent on, or in the end; so is the sum.
        (
            TREE[1:],
            (1,),
            "step 2: processor 1 sends message [1, null], which it does not hold at the start of the step",
        ),
        (
            [*TREE[1:3], Transfer(2, 0, 1, (None, 1), 0)],
            (1,),
            "step 2: processor 1 sends message [1, null], which it does not hold at the start of the step",
        ),
        (
            TREE[:1],
            (1,),
            "after step 1: processor 1 has not received the contribution of processor 2 to message [null, 1]",
        ),
        (TREE[:3], (1,), "after step 2: processor 2 has not received message [1, null]"),
        # A sum is for a processor that is no home, or there is another sum, too.
        (TREE, (2,), "step 1: processor 0 sends message [null, 1], which is none of all-reduce with sums at 2"),
        (
            TREE,
            (1, 2),
            "after step 2: processor 2 has not received the contribution of processor 0 to message [null, 2]",
        ),
    ],
)
def test_no_contribution_twice_and_none_missing(transfers, homes, error):
    with pytest.raises(ScheduleError) as raised:
        check(tree(transfers, *homes))
    assert str(raised.value) == error


def test_bounds_with_homes():
    """By hand on a path of five: the sum is two links from the ends if it is in the middle, and four if it is at one."""
    path = Mesh(w=5, d=1)
    for homes, steps in (((2,), 4), ((0,), 8), ((1,), 6), ((0, 2), 8)):
        problem = Problem(path, "d", "all-reduce", None, among=Participants(homes=homes))
        assert lower_bound(problem).steps == steps, homes
    way = [(0, 1), (1, 2), (2, 1), (1, 0)]
    for parts in (1, 2, 12):  # they come to the middle one after the other, and the last one goes back from there
        problem = Problem(path, "d", "all-reduce", None, among=Participants(homes=(2,)), parts=parts)
        moves = [
            Move(part + later, *ends, Message(*((None, 2) if later < 3 else (2, None)), part))
            for part in range(parts)
            for later, (src, dst) in enumerate(way, 1)
            for ends in ((src, dst), (4 - src, 4 - dst))
        ]
        assert check(problem.schedule(moves)).steps == lower_bound(problem).steps == parts + 3
        assert check(best_in_parts(problem).found).steps >= parts + 3
        assert transfers_needed(problem) >= len(moves)


def test_homes_are_of_an_all_reduce_alone():
    for collective in ("AAB", "AAR", "OAB"):
        message = f"homes must be left out for {collective}, as only an all-reduce has them"
        with pytest.raises(ParameterError, match=f"^{message}$"):
            Problem(CUBE, "1", collective, 0, among=Participants(homes=(1,)))
    with pytest.raises(ParameterError, match=r"^processor of homes must be an integer from 0 to 7, not 8$"):
        Problem(CUBE, "1", "all-reduce", among=Participants(homes=(8,)))


TOPOLOGIES = [Hypercube(3), FatCube(2, 2, 1), Mesh(w=3, d=2), CubeConnectedCycles(2), OrientedCube(2, 2)]
CASES = [
    ("OAB", 0, Participants(targets=(1, 2, 7))),
    ("OAS", 0, Participants(targets=(1, 2, 7))),
    ("AAB", None, Participants((0, 3), (1, 2, 7))),
    ("AAS", None, Participants((0, 3), (1, 2, 7))),
    ("AOG", 0, Participants(sources=(1, 2, 7))),
    ("AOR", 0, Participants(sources=(1, 2, 7))),
    ("AAR", None, Participants((0, 1, 2, 5), (0, 1, 2, 5))),
    ("all-reduce", None, Participants((0, 1, 2, 5), (0, 1, 2, 5))),
    ("all-reduce", None, Participants(homes=(1, 6))),
    ("all-reduce", None, Participants((0, 1, 2), (0, 1, 2), (1, 6))),
]
MODELS = [
    {},
    {"links": "half-duplex"},
    {"transfers": "direct"},
    {"per_packet": 4},
    {"port_use": "send-or-receive"},
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {case[2]}")
@pytest.mark.parametrize("topology", TOPOLOGIES, ids=str)
def test_constructed(monkeypatch, topology, case):
    """Every model: valid, at least the bound, and the file has it. Catches a model that is not heeded among some."""
    monkeypatch.setattr(greedy, "TRIES", 3)
    collective, root, among = case
    for ports in "1bd*":
        for options in MODELS:
            if ports == "b" and "per_packet" in options:
                continue
            found = construct(Problem(topology, ports, collective, root, StepModel(**options), among))
            assert found.bound == lower_bound(
                Problem(topology, ports, collective, root, StepModel(**options), among=among)
            )
            check(found.found)
            assert found.found.among == among
            assert schedule_from_json(schedule_to_json(found.found)) == found.found


@pytest.mark.parametrize(
    "topology", [Hypercube(2), FatCube(1, 2, 1), Mesh(w=2, d=2), Mesh(w=5, d=1), CubeConnectedCycles(2)], ids=str
)
def test_beside_trying_everything(topology):
    """Model 1: bounds are no higher than the fewest steps, and those that are found are the fewest."""
    last = topology.processors - 1
    for targets in ((last,), (1, last), (1, 2, last), (0, last - 1)):
        among = Participants(targets=targets)
        fewest = steps_of_broadcast(topology, 0, targets)
        assert lower_bound(Problem(topology, "1", "OAB", 0, among=among)).steps <= fewest, targets
        assert best(Problem(topology, "1", "OAB", 0, among=among)).steps == fewest, targets
    for sources, targets in (((0,), (1, last)), ((0, 1), (last,)), ((0, 1), (1, last)), ((0, last), (0, 1))):
        among = Participants(sources, targets)
        fewest = steps_of_scatter(topology, [(s, t) for s in sources for t in targets if s != t])
        assert lower_bound(Problem(topology, "1", "AAS", None, among=among)).steps <= fewest, (sources, targets)
        assert best(Problem(topology, "1", "AAS", None, among=among)).steps == fewest, (sources, targets)


def test_all_of_them_are_everybody():
    """Bounds among all processors, named one by one, are no higher than those that are proved for everybody, and no lower
    than the distance. Catches a bound that counts what need not move."""
    everyone = tuple(range(8))
    for topology in (Hypercube(3), FatCube(2, 2, 1)):
        for ports in "1bd*":
            for collective in ("AAB", "AAS", "AAR"):
                named = lower_bound(Problem(topology, ports, collective, None, among=Participants(everyone, everyone)))
                known = best(Problem(topology, ports, collective, None))
                assert known.bound.steps - 1 <= named.steps <= known.steps


def test_files():
    about = schedule_to_json(Schedule(CUBE, "1", "OAB", 0, MULTICAST, among=Participants(targets=(7,))))
    assert about["to"] == [7] and "from" not in about and "subset" not in about
    about = schedule_to_json(construct(Problem(CUBE, "1", "AAB", None, among=Participants((1, 2), (2, 1)))).found)
    assert about["subset"] == [1, 2]
    for change, message in (
        ({"to": [1, 2]}, "to must be left out with a subset, which is both sides of a collective"),
        ({"format": "fatcube.schedule/1"}, "subset must be left out in fatcube.schedule/1, as there is none before"),
        ({"subset": [1, 8]}, "processor of from must be an integer from 0 to 7, not 8"),
        ({"homes": []}, "homes must be a list of processors, at least one"),
        ({"homes": [1]}, "homes must be left out for AAB, as only an all-reduce has them"),
    ):
        with pytest.raises(ParameterError, match=message):
            schedule_from_json(about | change)
