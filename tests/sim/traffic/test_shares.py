"""The shares of a receiver over several hops: those that the docs show, and those that follow from the routers."""

from collections import defaultdict
from pathlib import Path

import pytest

from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.grids import Mesh
from tests.support.shares import shares, table

RECEIVER = 1


def equal_parts(receiver):
    """The share of each sender if every router divides its output equally among the inputs that send to it."""
    ways = RoutedNetwork(Mesh(w=4, d=2)).ways
    nodes, neighbours = range(16), {}
    for node in nodes:
        neighbours[node] = {channel: other for channel, other, _ in ways.topology.ends(node)}
    inputs, behind = defaultdict(set), {}
    for sender in set(nodes) - {receiver}:
        inputs[sender].add(sender)  # Its own processor.
        node, behind[sender] = sender, [sender]
        for hop in ways.way(sender, receiver):
            following = neighbours[node][hop.channel]
            inputs[following].add((node, following))
            node = following
            behind[sender].append(node)
    parts = {}
    for sender, passed in behind.items():
        parts[sender] = 1.0
        for node in passed:
            parts[sender] /= len(inputs[node])
    return parts


@pytest.mark.long(stays="tests/rtl/arbiters/test_deficit.py::test_shares_are_equal_by_flits")
def test_shares_are_those_of_a_parking_lot():
    found = shares(RECEIVER)
    expected = equal_parts(RECEIVER)
    assert sum(expected.values()) == pytest.approx(1)
    assert {one.sender: one.share for one in found} == {
        sender: pytest.approx(part, rel=0.1, abs=0.0015) for sender, part in expected.items()
    }
    shown = (Path(__file__).parents[3] / "docs" / "ideas" / "switching.md").read_text()
    assert "\n".join(table(found)) in shown
