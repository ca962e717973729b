"""Networks with a routing: their options, refusals, and their tables followed packet by packet."""

import dataclasses

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.descriptions.description import describe
from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing import make_routing
from fatcube.noc.routing.lanes import LaneRule
from fatcube.noc.routing.lookup import check_tables, lookup_tables
from fatcube.noc.routing.table import Table
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.rtl.router_options import RouterOptions
from tests.support.networks import HUB, IRREGULAR, KITE, TREE

NETWORKS = [
    (Hypercube(3), {}),
    (FatCube(2, 3, 2), {"ports": "d"}),
    (DenseGHC(3, 2), {}),
    (Mesh(w=4, d=2), {}),
    (Torus(w=4, d=2), {"virtual_channels": 2, "buffer_depth": 3}),
    (SparseGHC(4, 1), {"virtual_channels": 2, "buffer_depth": 3}),
    (CubeConnectedCycles(3), {"virtual_channels": 2, "buffer_depth": 3}),
    (IRREGULAR, {}),
    (HUB, {}),
    (KITE, {"virtual_channels": 2, "buffer_depth": 3}),
    (TREE, {}),
    (Hypercube(2), {"virtual_channels": 2, "buffer_depth": 3, "message_classes": 2}),
]


def routed(topology, options, **others):
    options = dict(options)
    others |= {name: options.pop(name) for name in ("message_classes",) if name in options}
    return RoutedNetwork(topology, RouterOptions(**{"width": 64, **options}), **others)


@pytest.mark.parametrize(("topology", "options"), NETWORKS, ids=str)
def test_routes_lead_where_they_should(topology, options):
    """Each route, followed selector by selector, ends at its destination, by turns that the routers have."""
    network = routed(topology, options)
    router = network.router()
    header, ports = router.header, network.processor_ports
    ends = [{channel: (other, back) for channel, other, back in topology.ends(node)} for node in range(topology.nodes)]
    class_low = header.selector_bits - header.class_bits
    for source in range(network.endpoints):
        for destination in range(network.endpoints):
            if (
                source % ports * network.message_classes // ports
                != destination % ports * network.message_classes // ports
            ):
                assert not network.routes(source, destination)
                continue
            [route] = network.routes(source, destination)
            processor, port = divmod(source, ports)
            node, number = topology.node_of(processor), router.processor_port(topology.local_of(processor), port)
            while True:
                selector = route & (1 << header.selector_bits) - 1
                route >>= header.selector_bits
                output = selector & (1 << class_low) - 1
                assert (number, output) in network.turns
                if output < router.processor_ports:
                    break
                channel, lane = divmod(output - router.processor_ports, router.lanes)
                node, back = ends[node][channel]
                number = router.lane_port(back, lane)
            assert topology.processors_of(node).start * ports + output == destination


@pytest.mark.parametrize(("topology", "options"), NETWORKS, ids=str)
def test_a_wrong_entry_is_found(topology, options):
    """The generated tables are accepted; with one changed entry on a packet's route they are refused."""
    network = routed(topology, options, addressing="destination")
    # The tables that routers which compute routes would have otherwise.
    router = dataclasses.replace(network.router(), route_computation=None, destinations=network.endpoints)
    tables = lookup_tables(network.ways, router, network.lanes)
    bits, mask = router.header.selector_bits, (1 << router.header.selector_bits) - 1
    destination = network.endpoints - 1
    source = next(
        processor
        for processor in range(topology.processors)
        if topology.node_of(processor) != topology.node_of(destination // network.processor_ports)
    )
    node = topology.node_of(source)
    number = router.processor_port(topology.local_of(source), network.processor_ports - 1)
    low = router.tables.index((number, 0)) * router.table_bits + destination * bits
    right = tables[node] >> low & mask
    assert right not in (router.header.nowhere, 0)
    tables[node] ^= (right ^ router.header.selector(router.processor_port(0, 0))) << low
    with pytest.raises(ParameterError, match=f"from processor {source} to destination {destination}, not to"):
        check_tables(topology, router, tables)


def test_a_ring_in_tables_is_named():
    """The tables of a routing with too few classes, as they would be stored, can deadlock."""
    ring = Ring(4)
    network = routed(ring, {"virtual_channels": 2, "buffer_depth": 3}, addressing="destination")
    one_class = Table(
        ring, 1, tuple((a, b, tuple(hop._replace(channel_class=0) for hop in way)) for a, b, way in network.ways.ways())
    )
    router = Network(ring, RouterOptions(hops=2))._router(destinations=4)
    with pytest.raises(
        ParameterError, match="tables must have no channels that wait for each other in a cycle, not channel"
    ):
        check_tables(ring, router, lookup_tables(one_class, router, LaneRule.FIXED))


def test_two_ways_on():
    """Routes that diverge after they enter a node by the same input cannot be looked up by destination."""
    mesh = Mesh(w=3, d=2)
    table = Table.of(make_routing("dimension-order", mesh))
    ways = {(source, target): way for source, target, way in table.entries}

    def channels(*nodes):
        return tuple(
            ways[0, 1][0]._replace(channel=mesh.channels_between(node, other)[0])
            for node, other in zip(nodes, nodes[1:])
        )

    # From 0 and from 3, both enter 4 from 3, and continue to 8 by 5 and by 7.
    ways[3, 8] = channels(3, 4, 7, 8)
    ways[0, 8] = channels(0, 3, 4, 5, 8)
    routing = Table(mesh, 1, tuple((source, target, way) for (source, target), way in ways.items()))
    with pytest.raises(ParameterError, match="at node 4, packets for node 8 from input . have two"):
        routed(mesh, {}, routing=routing, addressing="destination")
    assert routed(mesh, {}, routing=routing).addressing == "route"


def test_headers_carry_the_destination_where_the_route_does_not_fit():
    assert RoutedNetwork(Hypercube(6)).addressing == "route"  # 7 selectors of 3 bits, and 6 of the sender
    mesh = RoutedNetwork(Mesh(w=8, d=2))  # 15 selectors of 3 bits
    assert (mesh.addressing, mesh.router().header.route_bits) == ("destination", 6)
    assert RoutedNetwork(Mesh(w=8, d=2), RouterOptions(width=51)).addressing == "route"
    with pytest.raises(ParameterError, match="width must be an integer of at least 51 .*, not 50"):
        RoutedNetwork(Mesh(w=8, d=2), RouterOptions(width=50), addressing="route")


def test_only_the_turns_that_ways_take():
    """By hand: in a square, a processor reaches itself and both lanes, and dimension 0 turns to 1, not vice versa."""
    network = routed(Hypercube(2), {})
    processor, first, second = 0, 1, 2
    assert network.turns == {
        (processor, processor),
        (processor, first),
        (processor, second),
        (first, second),
        (first, processor),
        (second, processor),
    }
    assert routed(Hypercube(2), {"turns": "forward"}).turns is None


def test_what_follows_from_the_routing():
    network = routed(CubeConnectedCycles(3), {"virtual_channels": 4, "buffer_depth": 3})
    assert (network.options.hops, network.options.channel_classes) == (network.longest_way, 2)
    assert not network.keeps_order
    assert routed(Hypercube(3), {}).keeps_order
    assert not routed(FatCube(2, 2, 2), {}, lanes="in-turn").keeps_order
    assert network.deadlock == ""
    assert network.with_options(width=48).routing == network.routing


@pytest.mark.parametrize("classes", [1, 2])
@pytest.mark.parametrize(
    "topology", [Hypercube(3), Mesh(w=3, d=2), Torus(w=4, d=2), CubeConnectedCycles(3), FatCube(2, 2, 2)], ids=str
)
def test_defaults_give_up_no_order(topology, classes):
    """A network that keeps packets in order has one at a time at the ports of processors; one that has more says so."""
    plain = routed(topology, {"message_classes": classes})
    each = plain.options.virtual_channels // plain.options.channel_classes
    assert plain.keeps_order and each == 1
    more = routed(topology, {"message_classes": classes, "virtual_channels": 2 * plain.options.virtual_channels})
    for network, channels in ((plain, 1), (more, 2)):
        options = network.options
        assert options.injection_channels == options.ejection_channels == channels
        text = " ".join(describe(network, "network").split()).replace(" // ", " ")
        assert ("arrive in the order in which they are sent" in text) is (channels == 1)
        assert ("can overtake each other" in text) is (channels == 2)


COPIES = {"ports": "b", "switching": "virtual-cut-through", "longest_packet": 8, "buffer_depth": 8, "width": 48}


def test_routes_of_copies():
    """A square of two processors a node: outputs 0 and 1 are processors, 2 and 3 lead to nodes 1 and 2."""
    network = routed(FatCube(2, 2), COPIES)
    assert (network.options.hops, network.addressing) == (2, "route")
    header = network.router().header
    assert network.route_of_copies(0, [1, 3, 4]) == header.pack([(1,), (2, 1), (3, 0)], 0)
    # From node 0 to node 3 by node 1.
    assert network.routes(0, 7) == [header.pack([(2, 3, 1)], 0)]
    assert network.routes(0, 1) == [header.pack([(1,)], 0)]
    two_lanes = routed(FatCube(1, 2, 2), COPIES)
    assert two_lanes.route_of_copies(0, [2, 3]) == two_lanes.router().header.pack([(2, 0), (3, 1)], 0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: routed(FatCube(2, 2), COPIES).route_of_copies(0, [6]),
            "destinations of copies must be on node 0 and its",
        ),
        (lambda: routed(FatCube(2, 2), COPIES).route_of_copies(0, [2, 3]), "neighbours, one for each lane, not 3"),
        (lambda: routed(FatCube(2, 2), {}).route_of_copies(0, [1]), "ports must be of model b for copies, not 1"),
        (lambda: routed(Hypercube(6), COPIES | {"width": 40}), "width must be an integer of at least 46"),
        (lambda: routed(FatCube(2, 2), COPIES, addressing="destination"), "addressing must be route with model b"),
        (
            lambda: routed(Torus(w=4, d=2), COPIES),
            "routing must take one virtual channel of each lane in model b, not 2 as dateline",
        ),
    ],
)
def test_copies_that_cannot_be(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: routed(Torus(w=4, d=2), {"virtual_channels": 1}), "virtual channels must be an integer of at least 2 for dateline routing .* wait for each other: channel"),
        (
            lambda: routed(Torus(w=4, d=2), {}, routing=make_routing("dimension-order", Torus(w=4, d=2))),
            "must have no channels that wait for each other in a cycle, not channel",
        ),
        (lambda: routed(Hypercube(2), {"ports": "b", "switching": "wormhole"}), "switching must be virtual-cut-through with model b and a routing"),
        (lambda: routed(Hypercube(2), {}, routing=make_routing("up-down", Hypercube(3))), "routing must be one of the hypercube"),
        (
            lambda: routed(Hypercube(2), {"virtual_channels": 2, "channel_classes": 2, "buffer_depth": 3}),
            "channel classes must be the 1 of dimension-order routing on the hypercube of 4 nodes, not 2",
        ),
        (lambda: routed(Torus(w=4, d=2), {"channel_classes": 1}), "channel classes must be the 2 of dateline routing"),
        (lambda: routed(Hypercube(3), {"hops": 2}), "hops must be the 3 of dimension-order routing"),
        (lambda: routed(Ring(5), {"switching": "circuit"}), "routing must take one virtual channel of each lane with circuit"),
        (lambda: routed(Hypercube(2), {}, addressing="name"), "addressing must be one of auto, route, destination, not 'name'"),
        (lambda: routed(Hypercube(2), {}, lanes="all"), "lanes must be one of fixed, by-source, in-turn, not 'all'"),
        (
            lambda: routed(FatCube(2, 2, 2), {}, lanes="in-turn", addressing="destination"),
            "lanes must be fixed or by-source where headers carry destinations, not in-turn",
        ),
        (
            lambda: routed(Ring(5), {"virtual_channels": 3, "buffer_depth": 3}, message_classes=2),
            "virtual channels must be an integer of at least 4 for 2 message classes and dateline routing",
        ),
        (lambda: Machine(network=routed(Hypercube(2), {})), "network must be one without a routing for schedules"),
    ],
)  # fmt: skip
def test_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
