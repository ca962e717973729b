"""Bounds on small irregular graphs, beside what trying everything finds: neither too high nor too low."""

from fractions import Fraction
import itertools
import math

import networkx
import pytest

from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounding.totals import entries_in_total, lanes_in_total, lanes_of_channels, ports_in_total
from fatcube.schedules.bounds import first_step, lanes_into_node, lanes_of_root, lower_bound, ports_of_root
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import StepModel
from tests.support.force import steps_of_broadcast

LINE = Graph(tuple("abcd"), (1, 1, 1, 1), ((0, 1), (1, 2), (2, 3)))
KITE = Graph(tuple("abcd"), (1, 2, 1, 1), ((0, 1), (1, 2), (0, 2), (2, 3)))
BROOM = Graph(tuple("abcde"), (2, 1, 1, 1, 1), ((0, 1), (1, 2), (2, 3), (2, 4)))
UNEVEN = Graph(tuple("abc"), (1, 1, 3), ((0, 1), (1, 2)) * 2)
GRAPHS = [LINE, KITE, BROOM, UNEVEN]
CASES = [(topology, root) for topology in GRAPHS for root in range(topology.processors)]


def hops(topology):
    """The hops between any two processors."""
    graph = networkx.Graph((node, other) for node in range(topology.nodes) for _, other, _ in topology.ends(node))
    lengths = dict(networkx.all_pairs_shortest_path_length(graph))
    homes = [topology.node_of(one) for one in range(topology.processors)]
    return [[lengths[one][other] for other in homes] for one in homes]


def soonest(distances, rate):
    """The step in which the last of so many messages arrives, if the best order of all has them leave, ``rate`` a step."""
    orders = itertools.permutations(distances)
    return min(max(place // rate + far for place, far in enumerate(order)) for order in orders)


@pytest.mark.parametrize(("topology", "root"), CASES, ids=str)
@pytest.mark.parametrize("ports", ["1", "d", "*"])
def test_different_messages_of_the_root(topology, root, ports):
    """Catches the farthest processors left out: that the last of their messages still has its way before it."""
    model = PortModel.parse(ports)
    rate = model.processor_ports(topology.degree, topology.m)
    others = [max(1, far) for other, far in enumerate(hops(topology)[root]) if other != root]
    beyond = [far for far in hops(topology)[root] if far]
    lanes = topology.f * len(list(topology.ends(topology.node_of(root))))
    assert ports_of_root(topology, model, root).steps == soonest(others, rate)
    assert lanes_of_root(topology, root).steps == soonest(beyond, lanes)
    broadcast = lower_bound(Problem(topology, ports, "OAB", root)).steps  # which a scatter contains
    bound = max(soonest(others, rate), soonest(beyond, lanes), broadcast)
    assert (
        lower_bound(Problem(topology, ports, "OAS", root)).steps
        == lower_bound(Problem(topology, ports, "AOG", root)).steps
        == bound
    )


@pytest.mark.parametrize(("topology", "root"), CASES, ids=str)
def test_a_broadcast(topology, root):
    """The fewest steps on these graphs, from any root but those from which the bound is known to be one step short.

    From the handle of the broom, node c is reached last, and then has two leaves to send to, each of which the bound lets
    receive from it in one step less.
    """
    short = topology is BROOM and root in (0, 1)
    assert lower_bound(Problem(topology, "1", "OAB", root)).steps == steps_of_broadcast(topology, root) - short


@pytest.mark.parametrize("topology", GRAPHS, ids=str)
@pytest.mark.parametrize("ports", ["1", "d"])
def test_all_to_all_in_total(topology, ports):
    """Every hop and every transfer counted one by one."""
    model = PortModel.parse(ports)
    far = hops(topology)
    pairs = list(itertools.permutations(range(topology.processors), 2))
    lanes = topology.f * sum(len(list(topology.ends(node))) for node in range(topology.nodes))
    crossed = sum(far[one][other] for one, other in pairs)
    transfers = sum(max(1, far[one][other]) for one, other in pairs)
    rate = topology.processors * model.processor_ports(topology.degree, topology.m)
    assert lanes_in_total(topology).steps == math.ceil(Fraction(crossed, lanes))
    assert lanes_in_total(topology, StepModel(links="half-duplex")).steps == math.ceil(Fraction(crossed, lanes // 2))
    assert lanes_in_total(topology, parts=3).steps == math.ceil(Fraction(3 * crossed, lanes))
    assert ports_in_total(topology, model).steps == math.ceil(Fraction(transfers, rate))
    assert ports_in_total(topology, model, parts=3).steps == math.ceil(Fraction(3 * transfers, rate))
    entered = topology.processors * (topology.nodes - 1)
    least = min(len(topology.processors_of(node)) for node in range(topology.nodes))
    able, steps = 0, 0
    while able < entered:  # step by step from the last one on, in which each message takes a lane for each processor
        able += lanes // 2 if steps else lanes // 2 // least
        steps += 1
    assert entries_in_total(topology, StepModel(links="half-duplex")).steps == steps
    assert entries_in_total(topology, parts=2).steps == math.ceil(Fraction(2 * entered, lanes))


@pytest.mark.parametrize(("topology", "processor"), CASES, ids=str)
@pytest.mark.parametrize("parts", [1, 2])
def test_all_gather_into_a_node(topology, processor, parts):
    """The messages that enter a node, those of the last step a lane for each of its processors."""
    node = topology.node_of(processor)
    here, rate = len(topology.processors_of(node)), topology.f * len(list(topology.ends(node)))
    far = [one for one in hops(topology)[processor] if one for _ in range(parts)]
    steps = 0
    for least in range(1, max(far) + 1):
        entering = sum(one >= least for one in far)
        # In the steps from ``least`` on, in the last of which fewer can enter.
        needed = next(n for n in itertools.count(1) if (n - 1) * rate + rate // here >= entering)
        steps = max(steps, least - 1 + needed)
    assert lanes_into_node(topology, processor, parts).steps == steps


def test_the_first_step_of_an_all_gather():
    """By hand: on a line, an end receives 3 messages, one a step; a node of three receives 4 each, first all they can."""
    assert first_step(LINE, PortModel.ONE, 0).steps == 3
    # Three receivers: 12 messages, of which 3 x 2 come from beside and 2 over the lanes, but only 3 a step.
    assert first_step(UNEVEN, PortModel.ONE, 2).steps == 4
    # On as many ports as a processor has, all 8 come in the first step, and 4 in another.
    k = PortModel.parse("*").processor_ports(UNEVEN.degree, UNEVEN.m)
    assert first_step(UNEVEN, PortModel.parse("*"), 2).steps == 1 + math.ceil((12 - min(3 * k, 8)) / (3 * k))


def test_an_all_gather_is_bounded_from_processor_0():
    """By hand: 8 messages come over the 4 lanes to its node. From processor 1 the bound would be a step higher."""
    diamond = Graph(tuple("abcd"), (1, 3, 3, 2), ((0, 1), (0, 2), (1, 3), (2, 3)) * 2)
    assert first_step(diamond, PortModel.D_PORT, 1).steps == 3
    assert lower_bound(Problem(diamond, "d", "AAB")).steps == 2


def test_links_of_one_kind():
    """By hand: in a mesh of 3 x 3 nodes 72 hops are along each dimension, on 12 lanes; half duplex on 6."""
    assert [bound.steps for bound in lanes_of_channels(Mesh(w=3, d=2))] == [6, 6]
    assert [bound.steps for bound in lanes_of_channels(Mesh(w=3, d=2), parts=2)] == [12, 12]
    assert [bound.steps for bound in lanes_of_channels(Mesh(w=3, d=2), StepModel(links="half-duplex"))] == [12, 12]
