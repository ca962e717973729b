"""A machine with traffic: who reaches whom, and nodes that simulation may evaluate once per cycle."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.machines.traffic_node import TrafficNode
from fatcube.noc.network import Network
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.router_options import RouterOptions
from tests.support.netlists import paths


def machine(topology, ports, *, alone=False, **options):
    return TrafficMachine(network=Network(topology, RouterOptions(ports=ports, width=32, **options)), alone=alone)


@pytest.mark.parametrize("topology", [FatCube(2, 2, 2), Hypercube(3), CubeConnectedCycles(3)], ids=str)
@pytest.mark.parametrize("ports", ["1", "b", "d", "*"])
def test_destinations(topology, ports):
    """Every port of every other processor on this node and on its neighbours."""
    traffic = machine(topology, ports)
    k = traffic.network.processor_ports
    for endpoint in range(traffic.endpoints):
        node, own = endpoint // (topology.m * k), endpoint // k
        neighbours = {topology.neighbour(node, channel)[0] for channel in range(topology.degree)}
        expected = [
            processor * k + port
            for processor in range(topology.processors)
            for port in range(k)
            if processor != own and processor // topology.m in {node, *neighbours}
        ]
        assert sorted(way.destination for way in traffic.destinations(endpoint)) == expected


def test_lanes_are_shared():
    """Each endpoint has its own lane to a neighbour, and together they use all."""
    traffic = machine(FatCube(1, 4, 2), "1")
    lanes = [{way.route & 7 for way in traffic.destinations(endpoint) if way.destination >= 4} for endpoint in range(4)]
    assert lanes == [{4}, {5}, {4}, {5}]


@pytest.mark.parametrize("ports", ["1", "b", "d", "*"])
@pytest.mark.parametrize("hops", [1, 2])
def test_destinations_of_a_router_alone(ports, hops):
    """Its own turns."""
    if ports == "b" and hops == 2:
        return
    traffic = machine(FatCube(2, 2, 2), ports, alone=True, hops=hops)
    router = traffic.network.router()
    for number in range(router.crossbar_ports):
        found = [way.destination for way in traffic.destinations(number)]
        assert found == [output for output in router.reach(number) if output != number]


def test_destinations_on_virtual_channels():
    """Every channel of a lane is an endpoint: two processors, then two lanes of two channels, and no turn back."""
    traffic = machine(FatCube(2, 2), "1", alone=True, hops=2, virtual_channels=2, channel_classes=2, buffer_depth=3)
    found = [[way.destination for way in traffic.destinations(endpoint)] for endpoint in range(traffic.endpoints)]
    assert found == [[1, 2, 3, 4, 5], [0, 2, 3, 4, 5], *[[0, 1, 4, 5]] * 2, *[[0, 1, 2, 3]] * 2]


def test_order_is_kept_without_a_choice_of_channels():
    channels = {"virtual_channels": 4, "buffer_depth": 3}
    kept = {
        classes: machine(FatCube(1, 2), "1", channel_classes=classes, **channels).network.keeps_order
        for classes in (1, 2, 4)
    }
    assert kept == {1: False, 2: False, 4: True}


def test_a_router_alone_whose_classes_have_several_channels():
    with pytest.raises(
        ParameterError, match="^channel classes of a router alone must be as many as its 4 virtual channels, not 2$"
    ):
        machine(FatCube(1), "1", alone=True, virtual_channels=4, channel_classes=2, buffer_depth=3)


@pytest.mark.parametrize(
    ("alone", "ports"),
    [
        (False, "b"),
        (True, "1"),
        *(pytest.param(False, ports, marks=pytest.mark.long) for ports in "1d*"),
        *(pytest.param(True, ports, marks=pytest.mark.long) for ports in "bd*"),
    ],
)
def test_no_path_through_a_node(ports, alone):
    """Nodes with traffic, as nodes with processors: only the host's reads follow from an input in the same cycle."""
    found = paths(TrafficNode(machine(FatCube(2, 2), ports, alone=alone)).shared())
    assert found <= {"host__value"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"queue": 1}, "^queue must be an integer from 2 to 65536, not 1$"),
        ({"bins": 0}, "^bins must be an integer from 2 to 65536, not 0$"),
        ({"ways": 0}, "^ways must be an integer from 1 to 65536, not 0$"),
        ({"trace": 12}, "^trace must be a power of two, or 0, not 12$"),
        ({"trace": 16, "log": 16}, "^log must be 0, not 16$"),
        ({"alone": 1}, "^alone must be true or false, not 1$"),
    ],
    ids=str,
)
def test_parameters(changes, message):
    with pytest.raises(ParameterError, match=message):
        TrafficMachine(network=Network(FatCube(1)), **changes)
