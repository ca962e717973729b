"""Cube-connected cycles against the paper's definition, pair by pair of nodes."""

from collections import Counter

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies import topology_from_json
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule_file import schedule_from_json, schedule_to_json
from fatcube.schedules.search import search
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all
from tests.support.children import HANG
from tests.support.graphs import check_channels, check_distances, check_translations


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_links_are_those_of_the_definition(n):
    """Catches a link too few or too many, a rotation of bits or positions the wrong way round."""
    graph = CubeConnectedCycles(n).graph
    links = Counter((u, v) for u, v in graph.edges())
    for one in range(n << n):
        for other in range(one + 1, n << n):
            i, j = divmod(one, n)
            k, m = divmod(other, n)
            joined = j == m and i ^ k == 1 << j or i == k and (abs(j - m) == 1 or abs(j - m) == n - 1)
            # In a cycle of two the next position is the previous one too: two links, three at every node.
            assert links[one, other] + links[other, one] == joined * (2 if n == 2 and i == k else 1)
    assert {degree for _, degree in graph.degree()} == {3}
    assert graph.number_of_edges() == 3 * n * 2**n // 2


@pytest.mark.parametrize("n", [2, 3, 4])
def test_is_a_topology(n):
    topology = CubeConnectedCycles(n)
    check_channels(topology)
    check_translations(topology)
    check_distances(topology)
    assert len(topology.translations) == topology.nodes == n * 2**n and topology.bases == (0,)


def test_two_channels_between_the_same_nodes():
    """In cycles of two, lane 0 of one end is lane 1 of the other: channel 1 leads to channel 2."""
    topology = CubeConnectedCycles(2, m=1, f=2)
    assert topology.channels_between(0, 1) == (1, 2) and topology.channels_between(0, 2) == (0,)
    assert [topology.other_end(0, 1, lane) for lane in range(4)] == [2, 3, 0, 1]
    assert [topology.other_end(0, 2, lane) for lane in range(2)] == [0, 1]


@pytest.mark.parametrize(
    "topology", [CubeConnectedCycles(2), CubeConnectedCycles(2, 2, 2), CubeConnectedCycles(3)], ids=str
)
@pytest.mark.parametrize("ports", ["1", "b", "d", "*"])
@pytest.mark.parametrize("collective", Collective)
def test_schedules(topology, ports, collective):
    schedule = construct(Problem(topology, ports, collective, topology.processors - 1)).schedule
    assert schedule.symmetric == (not collective.rooted)
    check(schedule)
    check(schedule.expanded())
    assert schedule_from_json(schedule_to_json(schedule)) == schedule


def test_symmetric_search():
    """An all-gather that is the same seen from every node, in as many steps as the farthest node is away."""
    found = search(Problem(CubeConnectedCycles(2), "d", "AAB"), steps=4, time_limit=HANG, symmetric=True)
    assert check(found.schedule).steps == 4
    check(found.schedule.expanded())


@pytest.mark.long(stays="tests/schedules/constructions/test_ccc.py::test_two_channels_between_the_same_nodes")
def test_two_channels_between_the_same_nodes_on_the_hardware():
    """Every collective on the RTL, where a cycle is two nodes and two links between them: no conflicts."""
    machine = fitting_machine(
        Network(CubeConnectedCycles(2), RouterOptions(ports="d")), payload_flits=4, reductions=True
    )
    runs = [
        Run(
            schedule=construct(Problem(machine.network.topology, "d", collective, 5)).schedule.expanded(),
            payload_flits=3,
        )
        for collective in Collective
    ]
    assert any(transfer.lane == 1 for run in runs for transfer in run.schedule.transfers)
    for run, result in zip(runs, simulate_all(machine, runs)):
        assert result.failures == () and result.conflicts == 0 and result.steps == run.schedule.steps


def test_json_round_trip():
    topology = CubeConnectedCycles(3, 2, 4)
    assert topology.to_json() == {"type": "ccc", "n": 3, "m": 2, "f": 4}
    assert topology_from_json(topology.to_json()) == topology


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((1,), "CubeConnectedCycles n must be an integer from 2 to 12, not 1"),
        ((13,), "CubeConnectedCycles n must be an integer from 2 to 12, not 13"),
        ((3, 0), "CubeConnectedCycles m must be an integer of at least 1, not 0"),
        ((3, 1, None), "CubeConnectedCycles f must be an integer of at least 1, not None"),
    ],
)
def test_refusals(parameters, message):
    with pytest.raises(ParameterError) as caught:
        CubeConnectedCycles(*parameters)
    assert str(caught.value) == message
