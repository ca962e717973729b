"""The classes of turns in a router with tables, against what the tables of its nodes answer."""

import pytest

from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.grids import Ring, Torus
from fatcube.rtl.router_options import RouterOptions
from tests.support.grids import Grid


def answered(network, router, nodes):
    """For each input and class: the targets that a table of one of these nodes names."""
    header = router.header
    selectors = [header.selector(target.output, target.channels[0]) for target in router.targets]
    found = {}
    for node in nodes:
        for place, (number, channel_class) in enumerate(router.tables):
            table = network.tables[node] >> place * router.table_bits
            for destination in range(network.endpoints):
                selector = table >> destination * header.selector_bits & (1 << header.selector_bits) - 1
                index = selectors.index(selector) if selector in selectors else None
                if index is not None and router.targets[index].output in router.reach(number):
                    found.setdefault((number, channel_class), set()).add(index)
    return found


@pytest.mark.parametrize("message_classes", [1, 2])
@pytest.mark.parametrize("topology", [Torus(w=5, d=2), Torus(w=4, d=2, m=2), CubeConnectedCycles(3), Ring(6)], ids=str)
def test_what_tables_answer(topology, message_classes):
    """Nothing that a table answers is missing, and of turns that packets take there is nothing else."""
    network = RoutedNetwork(
        topology, RouterOptions(width=64), message_classes=message_classes, addressing="destination"
    )
    for router, nodes in network.routers:
        found = answered(network, router, nodes)
        classified = {(number, output) for number, _, output, _ in router.class_turns}
        assert classified
        for number, channel_class in router.tables:
            reached = set(router.reached(number, channel_class))
            here = found.get((number, channel_class), set())
            assert here <= reached
            assert {index for index in reached if (number, router.targets[index].output) in classified} == here


@pytest.mark.parametrize(
    ("topology", "options"),
    [
        (Torus(w=5, d=2), {"addressing": "route"}),
        (Grid((4, 4)), {"addressing": "destination"}),
        (Torus(w=5, d=2), {"addressing": "destination", "turns": "all"}),
    ],
    ids=str,
)
def test_where_headers_or_users_say_otherwise(topology, options):
    """A route in a header, one class and given turns leave all classes."""
    addressing = options["addressing"]
    rest = {name: value for name, value in options.items() if name != "addressing"}
    router = RoutedNetwork(topology, RouterOptions(width=64, **rest), addressing=addressing).router()
    assert router.class_turns is None
    assert router.reached(1, 0) == [
        index for index, target in enumerate(router.targets) if target.output in router.reach(1)
    ]
