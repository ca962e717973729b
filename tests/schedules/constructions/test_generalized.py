"""Generalized hypercubes against definition 4 of the paper, pair by pair of nodes."""

from collections import Counter

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies import topology_from_json
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule_file import schedule_from_json, schedule_to_json
from fatcube.schedules.search import fewest
from fatcube.schedules.step_model import StepModel
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all
from tests.support.children import HANG
from tests.support.graphs import check_channels, check_distances, check_translations

SIZES = [(2, 1), (2, 3), (3, 1), (3, 2), (4, 2), (3, 3), (5, 1)]


def digits(node, w, d):
    return tuple(node // w**i % w for i in range(d))


@pytest.mark.parametrize(("w", "d"), SIZES)
@pytest.mark.parametrize("kind", [DenseGHC, SparseGHC])
def test_arcs_are_those_of_the_definition(kind, w, d):
    """Catches an arc too few or too many or the wrong way round, and a distance that is not proposition 1's."""
    topology = kind(w, d)
    arcs = Counter((u, v) for u, v in topology.graph.edges())
    if not topology.directed:
        arcs += Counter((v, u) for u, v in topology.graph.edges())
    for one in range(w**d):
        for other in range(w**d):
            x, y = digits(one, w, d), digits(other, w, d)
            differing = [i for i in range(d) if x[i] != y[i]]
            joined = len(differing) == 1 and (kind is DenseGHC or y[differing[0]] == (x[differing[0]] + 1) % w)
            assert arcs[one, other] == joined
            if kind is DenseGHC:
                assert topology.distances[one][other] == len(differing)
            else:
                assert topology.distances[one][other] == sum((b - a) % w for a, b in zip(x, y))
    assert arcs.total() == (w - 1 if kind is DenseGHC else 1) * d * w**d


@pytest.mark.parametrize(("w", "d"), SIZES)
@pytest.mark.parametrize("kind", [DenseGHC, SparseGHC])
def test_is_a_topology(kind, w, d):
    topology = kind(w, d)
    assert topology.directed == (kind is SparseGHC and w > 2)
    check_channels(topology)
    check_translations(topology)
    check_distances(topology)
    assert len(topology.translations) == topology.nodes and topology.bases == (0,)


@pytest.mark.parametrize("kind", [DenseGHC, SparseGHC])
def test_of_two_nodes_a_dimension_is_the_hypercube(kind):
    topology, cube = kind(2, 3, 2, 2), FatCube(3, 2, 2)
    assert all(
        topology.neighbour(node, channel) == cube.neighbour(node, channel) for node in range(8) for channel in range(3)
    )


@pytest.mark.parametrize(
    "topology", [DenseGHC(3, 2), DenseGHC(3, 1, 2, 2), SparseGHC(3, 2), SparseGHC(4, 1, 2, 2)], ids=str
)
@pytest.mark.parametrize("ports", ["1", "b", "d", "*"])
@pytest.mark.parametrize("collective", Collective)
def test_schedules(topology, ports, collective):
    """Catches one-way links that are used the wrong way, and a gather whose mirror image has another root."""
    schedule = construct(Problem(topology, ports, collective, 1)).schedule
    assert schedule.symmetric == (not collective.rooted) and schedule.root == (1 if collective.rooted else None)
    check(schedule)
    check(schedule.expanded())
    assert schedule.steps >= lower_bound(Problem(topology, ports, collective, 1)).steps
    assert schedule_from_json(schedule_to_json(schedule)) == schedule


@pytest.mark.parametrize(
    "model", [StepModel(), StepModel(links="half-duplex"), StepModel(dedicated_ports=True)], ids=str
)
@pytest.mark.parametrize("collective", ["OAB", "OAS", "AOG", "AAB", "AAR", "AAS"])
def test_search_on_a_one_way_ring(collective, model):
    """On a ring of four that turns one way there is no choice: every lane carries what is 1, 2, 3 away."""
    found = fewest(Problem(SparseGHC(4, 1), "*", collective, 1, model=model), time_limit=HANG)
    check(found.schedule, model)
    assert found.proved and found.steps == (6 if collective == "AAS" else 3)


def test_packets_go_straight_on_where_links_go_one_way():
    """Where a packet crosses two links, the one that it goes on by has the number of the one that it came by."""
    straight = [Network(topology, RouterOptions(hops=2)).router() for topology in (SparseGHC(3, 1), SparseGHC(2, 1))]
    assert [router.lane_port(0, 0) in router.reach(router.lane_port(0, 0)) for router in straight] == [True, False]


@pytest.mark.long(stays="tests/sim/collectives/test_graphs.py::test_every_collective")
def test_one_way_links_on_the_hardware():
    """Every delivery of every collective, on rings of one-way links; no conflicts."""
    machine = fitting_machine(
        Network(SparseGHC(3, 1, 2, 1), RouterOptions(ports="d")), payload_flits=4, reductions=True
    )
    runs = [
        Run(
            schedule=construct(Problem(machine.network.topology, "d", collective, 1)).schedule.expanded(),
            payload_flits=3,
        )
        for collective in Collective
    ]
    for run, result in zip(runs, simulate_all(machine, runs)):
        assert result.failures == () and result.conflicts == 0 and result.steps == run.schedule.steps


@pytest.mark.parametrize("topology", [DenseGHC(4, 2, 2, 1), SparseGHC(3, 3)], ids=str)
def test_json_round_trip(topology):
    assert topology_from_json(topology.to_json()) == topology
    assert list(topology.to_json()) == ["type", "w", "d", "m", "f"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: DenseGHC(1, 2), "DenseGHC w must be an integer from 2 to 65536, not 1"),
        (lambda: SparseGHC(3, 0), "SparseGHC d must be an integer from 1 to 10 where w is 3, not 0"),
        (lambda: SparseGHC(256, 3), "SparseGHC d must be an integer from 1 to 2 where w is 256, not 3"),
        (lambda: DenseGHC(3, 2, m=0), "DenseGHC m must be an integer of at least 1, not 0"),
        (lambda: DenseGHC(3, 2, f=0), "DenseGHC f must be an integer of at least 1, not 0"),
    ],
)
def test_refusals(make, message):
    with pytest.raises(ParameterError) as caught:
        make()
    assert str(caught.value) == message
