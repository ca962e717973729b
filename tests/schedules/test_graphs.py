"""Schedules on graphs whose nodes differ: correct, no shorter than the bound, and refused where there can be none."""

import networkx
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.tree import Tree
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import lower_bound, through_nodes
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.collective import Collective, Message
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.schedule_file import schedule_from_json, schedule_to_json
from fatcube.schedules.search import Outcome, model_size, search
from fatcube.schedules.size import check_size
from fatcube.schedules.step_model import StepModel
from tests.support.children import HANG
from tests.support.networks import HUB, IRREGULAR, MESH, TRIANGLE

TWO = Graph(("a", "b", "c"), (3, 0, 2), ((0, 1), (0, 2), (0, 2)) * 2)
TAIL = Graph(("a", "b"), (3, 0), ((0, 1),))  # all processors on one node
LEAF = Graph(("a", "b", "c"), (2, 1, 0), ((0, 1), (1, 2)))


@pytest.fixture(autouse=True)
def few_tries(monkeypatch):
    """Here schedules need not be short."""
    monkeypatch.setattr("fatcube.schedules.constructions.greedy.TRIES", 3)


# Channel 0 leads over the one link that counts in one direction only, channel 1 in the other.
FIRST = Graph(("h", "a", "b"), (0, 1, 2), ((0, 1), (1, 2)))
GRAPHS = [IRREGULAR, MESH, TWO, TAIL, LEAF, FIRST, Star(3), Tree(2, 2), Mesh(w=3, d=2)]


@pytest.mark.parametrize("topology", GRAPHS, ids=str)
@pytest.mark.parametrize("ports", ["1", "b", "d", "*"])
def test_every_collective(topology, ports):
    """The checker, which knows nothing of how they are made, accepts them all; no one is below its bound."""
    for collective in Collective:
        found = construct(Problem(topology, ports, collective, topology.processors - 1))
        assert check(found.found).steps >= found.bound.steps
        assert schedule_from_json(schedule_to_json(found.found)) == found.found


@pytest.mark.parametrize("topology", [IRREGULAR, TWO, TAIL, LEAF, FIRST, Star(3), Mesh(w=2, d=2)], ids=str)
@pytest.mark.parametrize("ports", ["1", "b", "d"])
@pytest.mark.parametrize("collective", ["OAB", "OAS", "AAB", "AAS"])
def test_bounds_are_none_too_high(topology, ports, collective):
    """The search, which knows of no bound, finds no schedule of fewer steps where the bound says that there is none.

    The fewest steps are looked for from 1 on, so a bound that is too high is found out.
    """
    for model in (StepModel(), StepModel(links="half-duplex")):
        bound = lower_bound(Problem(topology, ports, collective, 0, model))
        for steps in range(1, 40):
            assert model_size(Problem(topology, "1", collective), steps) < 10_000
            answer = search(Problem(topology, ports, collective, 0, model=model), steps=steps, time_limit=HANG)
            if answer.outcome is Outcome.FOUND:
                break
            assert answer.outcome is Outcome.IMPOSSIBLE
        assert check(answer.schedule, model).steps == steps >= bound.steps, (model, bound)


def test_through_the_hub():
    """By hand: of n + 1 messages the hub sends each of n into n - 1 leaves and its own into n, one by one, or k a step."""
    [bound] = through_nodes(Problem(Star(5), PortModel.ONE, Collective.AAB))
    assert bound.steps == 5 * 4 + 5 == lower_bound(Problem(Star(5), "1", "AAB")).steps
    [bound] = through_nodes(Problem(Star(5), PortModel.parse("b"), Collective.AAB))
    assert bound.steps == 6
    # In an all-to-all the 20 messages from leaf to leaf, and 5 of its own.
    [bound] = through_nodes(Problem(Star(5), PortModel.ONE, Collective.AAS))
    assert bound.steps == 25
    assert construct(Problem(Star(5), "1", "AAB")).steps == construct(Problem(Star(5), "1", "AAS")).steps == 25
    # A tree of 7 nodes: its root joins 3 and 3, each of its children 1, 1 and 4.
    assert sorted(bound.steps for bound in through_nodes(Problem(Tree(2, 2), PortModel.ONE, Collective.AAB))) == [
        8,
        15,
        15,
    ]
    assert not list(through_nodes(Problem(MESH, PortModel.ONE, Collective.AAB)))


def test_steps_over_nodes_without_processors():
    """From x a message can go to y only over the hub, and no step ends there."""
    message = (
        "topology must have processors at all nodes of a route for {}, but between nodes 1 (x) and 2 (y) of the graph of 4 "
        "nodes and 3 links some have none; only direct transfers, in a schedule file, cross these"
    )
    for collective in Collective:
        for use in (construct, lower_bound, lambda problem: search(problem, steps=3, time_limit=HANG)):
            with pytest.raises(ParameterError) as caught:
                use(Problem(HUB, "1", collective))
            assert str(caught.value) == message.format(collective.value)
        with pytest.raises(ParameterError):
            check_size(Problem(HUB, "1", collective))
    jump = Schedule(HUB, "1", "OAB", 0, (Transfer(1, 0, 1, Message(0, None), 0),))
    with pytest.raises(ScheduleError, match="their nodes 1 and 2 are not adjacent"):
        check(jump)
    # The schedule of what the graph is without node a goes round without it.
    assert check(construct(Problem(IRREGULAR, "1", "OAB")).found).steps == 2


def test_one_way():
    """Messages go round, never back; what runs backwards is refused if the graph turned round is another."""
    for collective in ("OAB", "OAS", "AAB", "AAS"):
        for ports in ("1", "b", "d", "*"):
            found = construct(Problem(TRIANGLE, ports, collective))
            assert check(found.found).steps >= found.bound.steps
            for transfer in found.found.transfers:
                assert (transfer.src, transfer.dst) in TRIANGLE.links
    assert check(construct(Problem(TRIANGLE, "1", "AOR")).found).steps == 2  # turned round, b and c change places
    # One processor, two, three, one: round a ring, and turned round 1, 3, 2, 1.
    uneven = Graph(tuple("abcd"), (1, 2, 3, 1), ((0, 1), (1, 2), (2, 3), (3, 0)), one_way=True)
    with pytest.raises(ParameterError, match="^topology must be one that is unchanged when all links are reversed"):
        construct(Problem(uneven, "1", "AOR"))
    # Round the ring a, b, c, d, of which b has no processor: from d nothing gets to c, but all the other way.
    ring = Graph(tuple("abcd"), (1, 0, 1, 1), ((0, 1), (1, 2), (2, 3), (3, 0)), one_way=True)
    assert construct(Problem(ring, "1", "OAB", 1)).steps == 2
    for root in (0, 2):
        with pytest.raises(ParameterError, match="for OAB, .* between nodes"):
            construct(Problem(ring, "1", "OAB", root))
    with pytest.raises(ParameterError, match="for AAB, .* between nodes"):
        construct(Problem(ring, "1", "AAB"))


def test_hops_are_those_of_networkx():
    """Added up over every two processors, on the part of the graph that has any."""
    for topology in (*GRAPHS, Mesh(w=4, d=2, m=3)):
        part = topology.adjacent.subgraph(node for node in range(topology.nodes) if topology.processors_of(node))
        lengths = dict(networkx.all_pairs_shortest_path_length(part))
        owners = [topology.node_of(processor) for processor in range(topology.processors)]
        assert topology.all_hops == sum(lengths[here][there] for here in owners for there in owners)


@pytest.mark.parametrize("collective", ["OAB", "AAS", "AAB", "all-reduce"])
def test_direct_transfers_through_a_switch_are_refused(collective):
    """Catches a bound that has no distances, or never ends, where processors are joined only by a node without any."""
    topology = Graph(("a", "x", "b"), (1, 0, 1), ((0, 1), (1, 2)))
    for make in (lower_bound, construct):
        with pytest.raises(ParameterError, match=r"^topology must have processors at all nodes of a route for "):
            make(Problem(topology, "d", collective, model=StepModel(transfers="direct")))
