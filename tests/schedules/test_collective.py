"""The collectives, and what each says of itself, held against its messages."""

import copy
import pickle

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.schedules.bounds import Bound
from fatcube.schedules.collective import Collective, Message, Participants
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.search import Finding

TOPOLOGIES = [Hypercube(3), FatCube(2, 2), CubeConnectedCycles(3), DenseGHC(3, 2), SparseGHC(3, 2)]


def mapped(topology, permutation, message):
    """The message after a permutation of the nodes."""
    image = [place for node in permutation for place in topology.processors_of(node)]
    origin, destination = (None if end is None else image[end] for end in message[:2])
    return Message(origin, destination, message.part)


@pytest.mark.parametrize("collective", Collective)
@pytest.mark.parametrize("topology", TOPOLOGIES, ids=str)
def test_invariance(topology, collective):
    """Catches a collective whose schedules would be stored as the same seen from every node, and are not."""
    root = 1 if collective.rooted else None
    messages = set(collective.messages(topology, root))
    kept = [
        {mapped(topology, permutation, message) for message in messages} == messages
        for permutation in topology.translations
    ]
    assert len(kept) > 1
    assert kept.count(True) == (len(kept) if collective.invariant else 1)


@pytest.mark.parametrize("collective", Collective)
def test_what_it_says_of_its_messages(collective):
    """Catches a collective that is said to have a root, sums or phases that its messages do not show."""
    topology, root = Hypercube(2), 1 if collective.rooted else None
    messages = collective.messages(topology, root)
    assert collective.reduction == any(message.reduced for message in messages)
    assert collective.rooted == all(1 in (message.origin, message.destination) for message in messages)
    phases = [phase.messages(topology, root) for phase in collective.phases]
    assert sorted(sum(phases, ()), key=repr) == sorted(messages, key=repr)


class TestFinding:
    def test_another_collective(self):
        schedule = construct(Problem(Hypercube(2), "1", "AAS")).schedule
        with pytest.raises(ValueError, match=r"^the schedule that was found for AAB is one for AAS$"):
            Finding(Collective.AAB, schedule, "constructed", Bound(3, "three messages"), 0.0)

    def test_fewer_steps_than_its_bound(self):
        found = construct(Problem(Hypercube(2), "1", "AAS"))
        assert Finding(Collective.AAS, found.schedule, "constructed", Bound(4, "hops"), 0.0).proved
        why = r"^a schedule of 4 steps for AAS contradicts the lower bound of 5: hops$"
        with pytest.raises(ValueError, match=why):
            Finding(Collective.AAS, found.schedule, "constructed", Bound(5, "hops"), 0.0)


@pytest.mark.parametrize("collective", Collective)
def test_parts_by_hand(collective):
    """Every message has as many parts as are asked for, counted from 0, and there is no other one."""
    topology, root = Hypercube(1), 1 if collective.rooted else None
    whole = collective.messages(topology, root)
    divided = collective.messages(topology, root, 2)
    assert len(divided) == 2 * len(whole) and {message.part for message in divided} == {0, 1}
    assert all(collective.moves(message, topology, root, 2) for message in divided)
    assert not any(collective.moves(message._replace(part=2), topology, root, 2) for message in whole)


def test_participants_of_a_subset():
    """A root alone stands for its side, so the others are the receivers or the senders; else they are both."""
    some = (0, 3)
    sides = {collective: collective.among(None, None, some) for collective in Collective}
    assert sides == {
        **dict.fromkeys((Collective.OAB, Collective.OAS), Participants(targets=some)),
        **dict.fromkeys((Collective.AOG, Collective.AOR), Participants(sources=some)),
        **dict.fromkeys(
            (Collective.AAB, Collective.AAR, Collective.AAS, Collective.ALL_REDUCE), Participants(some, some)
        ),
    }


def test_there_is_one_value_for_each_name():
    """Catches a copy that is none of the collectives which are told apart, and a second one of the same name."""
    for one in Collective:
        assert pickle.loads(pickle.dumps(one)) is copy.deepcopy(one) is one is Collective.parse(one.word.upper())
    with pytest.raises(ParameterError, match="^name of a collective must be that of no other one, not 'scatter'$"):
        Collective(value="x", words=("scatter",))
    assert "x" not in [one.value for one in Collective]


def test_what_is_reversed():
    """Catches a reversal of another one: what each is, the ends of its messages say."""
    reversed_ = {one.value: one.reversal and one.reversal.value for one in Collective}
    assert reversed_ == {
        **dict.fromkeys(["OAB", "OAS", "AAB", "AAS", "all-reduce"]),
        "AOG": "OAS",
        "AOR": "OAB",
        "AAR": "AAB",
    }
