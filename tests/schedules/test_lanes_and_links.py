"""A link of two lanes and two parallel links are the same network: of one key, with the same bounds, schedules and ports."""

import functools

import pytest

from fatcube.noc.network import Network
from fatcube.noc.topologies import make_topology
from fatcube.noc.topologies.graph import graph_from_json
from fatcube.noc.topologies.graph_file import read_topology
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.pipelined.best import best_in_parts
from fatcube.schedules.problem import Problem
from tests.support.tries import few_tries

NAMES = [str(node) for node in range(5)]
LINKS = [["0", "4"], ["0", "1"], ["1", "2"], ["2", "3"], ["3", "4"]]  # in the order of the channels of the ring


def graph(links, **further):
    return graph_from_json({"nodes": [{"name": name} for name in NAMES], "links": links, **further})


TWICE = [
    graph(LINKS, lanes=2),
    graph([{"from": one, "to": other, "lanes": 2} for one, other in LINKS]),
    graph([link for link in LINKS for _ in range(2)]),
    graph([LINKS[0]] * 2 + [{"from": one, "to": other, "lanes": 2} for one, other in LINKS[1:]]),
    make_topology("ring", n=5, lanes_of="0=2"),
    graph(graph(LINKS, lanes=2).to_json()["links"]),
]


@functools.cache
def best_of_first(ports):
    """The best all-gather on the first one, which is compared with those of all others."""
    return best_in_parts(Problem(TWICE[0], ports, "AAB", None, parts=4)).schedule


@pytest.mark.parametrize("topology", TWICE[1:], ids=["own-lanes", "parallel", "mixed", "lanes-of", "again"])
@pytest.mark.parametrize("ports", list(PortModel))
def test_the_same_network(monkeypatch, topology, ports):
    """Catches a number of ports, a degree or a bound that counts neighbours for one of them and lanes for another."""
    few_tries(monkeypatch, 10)
    first = TWICE[0]
    assert topology == first and topology.to_json() == first.to_json()
    network, same = (Network(one, RouterOptions(ports=ports)) for one in (first, topology))
    assert network == same and network.router() == same.router()
    assert network.to_json() == same.to_json()
    for collective in ("OAB", "AAB", "AAS", "all-reduce"):
        root = 0 if collective == "OAB" else None
        assert lower_bound(Problem(first, ports, collective, root, parts=4)) == lower_bound(
            Problem(topology, ports, collective, root, parts=4)
        )
    assert best_in_parts(Problem(topology, ports, "AAB", None, parts=4)).schedule == best_of_first(ports)


def test_lanes_are_ports():
    """In model d a processor has a port for each lane: an all-gather on a ring of 5 with double links takes half the steps."""
    double, single = TWICE[0], graph(LINKS)
    assert (double.degree, double.f, single.degree) == (4, 1, 2)
    assert Network(double, RouterOptions(ports="d")).processor_ports == 4
    for graph_, steps in ((double, 8), (single, 16)):
        found = best_in_parts(Problem(graph_, "d", "AAB", None, parts=8))
        assert check(found.schedule).steps == found.bound.steps == steps


def test_the_order_of_the_links_changes_no_bound():
    """Written apart, parallel links have other numbers of channels, and as many steps."""
    apart = graph(LINKS + LINKS)
    assert apart != TWICE[0]
    for collective in ("AAB", "all-reduce"):
        found, first = (best_in_parts(Problem(one, "d", collective, None, parts=4)) for one in (apart, TWICE[0]))
        assert (found.steps, found.bound.steps) == (first.steps, first.bound.steps)


def test_files(tmp_path):
    """Both kinds of files, where the default of an edge is two lanes."""
    (tmp_path / "ring.graphml").write_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        '<key id="l" for="edge" attr.name="lanes" attr.type="int"><default>2</default></key><graph edgedefault="undirected">'
        + "".join(f'<node id="{name}"/>' for name in NAMES)
        + "".join(f'<edge source="{one}" target="{other}"/>' for one, other in LINKS)
        + "</graph></graphml>"
    )
    assert read_topology(tmp_path / "ring.graphml") == TWICE[0]
