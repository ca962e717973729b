"""A user's topology with inconsistent links is refused in one line that names node and channel."""

import dataclasses
import json
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Mesh, Ring
from fatcube.noc.topologies.grids import Torus as BuiltInTorus
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.tree import Tree
from fatcube.noc.topology import Topology
from fatcube.noc.topology_check import MOST_CHANNELS, check_connected
from fatcube.schedules.schedule import Schedule
from tests.support.commands import run
from tests.support.torus import Torus


@dataclasses.dataclass(frozen=True)
class Wrong(Topology, kind="wrong-ring"):
    """A ring of nodes, with channels to the next and to the previous one, that is wrong in one of several ways."""

    fault: int = 0
    nodes = 6
    degree = 2
    m = 1
    f = 1

    def neighbour(self, node, channel):
        ways = [((node + 1) % 6, 1), ((node - 1) % 6, 0)]
        match self.fault:
            case 1:  # a line has nodes of different degree at its ends
                return {0: ways[:1], 5: ways[1:]}.get(node, ways)[channel]
            case 2:
                return None if node == 3 else ways[channel]
            case 3:
                return (6, 1) if (node, channel) == (5, 0) else ways[channel]
            case 4:
                return (node, 1 - channel) if node == 2 else ways[channel]
            case 5:  # two ends exchanged: each channel is entered once, but not from the node to which it leads back
                return {(1, 0): (4, 1), (3, 0): (2, 1)}.get((node, channel), ways[channel])
            case 6:
                return (2, 1) if (node, channel) == (4, 0) else ways[channel]
            case 7:
                side = node // 3 * 3
                return [(side + (node + 1) % 3, 1), (side + (node - 1) % 3, 0)][channel]
        return ways[channel]


FAULTS = {
    1: "channel 1 of node 0 of the wrong ring fault = 1 must lead to a node and a channel, or to None where the node has no "
    "such channel, not end in IndexError: list index out of range",
    2: "channel 0 of node 2 of the wrong ring fault = 2 must lead to a channel that leads back, not to channel 1 of node 3, "
    "which leads nowhere",
    3: "channel 0 of node 5 of the wrong ring fault = 3 must lead to a node from 0 to 5 and a channel from 0 to 1, or to None "
    "where the node has no such channel, not to (6, 1)",
    4: "channel 0 of node 2 of the wrong ring fault = 4 must lead to another node, not to itself",
    5: "channel 0 of node 1 of the wrong ring fault = 5 must lead to a channel that leads back, not to channel 1 of node 4, "
    "which leads to channel 0 of node 3",
    6: "channel 0 of node 4 of the wrong ring fault = 6 must lead to a channel of its own, not to channel 1 of node 2, as "
    "channel 0 of node 1 does",
    7: "node 3 of the wrong ring fault = 7 must be reached from node 0 over links, not be apart from it",
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(
    "use",
    [
        lambda topology: Network(topology),
        lambda topology: Schedule(topology, "1", "OAB", 0, ()),
        lambda topology: topology.graph,
        lambda topology: topology.adjacent,
    ],
)
def test_wrong_links_are_refused_wherever_they_enter(use, fault):
    with pytest.raises(ParameterError, match="^" + re.escape(FAULTS[fault]) + "$"):
        use(Wrong(fault))


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("command", ["schedule", "simulate", "generate", "check"])
def test_every_command_says_so_in_one_line(monkeypatch, capsys, tmp_path, command, fault):
    file = tmp_path / "s.json"
    file.write_text(
        json.dumps(
            {
                "format": "fatcube.schedule/1",
                "topology": {"type": "wrong-ring", "fault": fault},
                "ports": "1",
                "collective": "OAB",
                "root": 0,
                "transfers": [],
            }
        )
    )
    monkeypatch.setattr("fatcube.cli.graphs.make_topology", lambda *_, **__: Wrong(fault))
    arguments = {"schedule": ["-c", "OAS"], "simulate": ["-c", "OAS"], "generate": ["router"], "check": [file]}[command]
    status, out, err = run(monkeypatch, capsys, command, *arguments)
    assert (status, out) == (2, "") and err.endswith(f"{FAULTS[fault]}\n") and err.count("\n") == 1


def test_right_links_are_accepted():
    Wrong().check()
    for topology in (Torus(2), Torus(3), Torus(5, 2, 3)):
        topology.check()


@pytest.mark.parametrize(
    "topology",
    [
        Hypercube(1),
        Hypercube(5),
        FatCube(3, 2, 2),
        CubeConnectedCycles(2),
        CubeConnectedCycles(4),
        DenseGHC(2, 3),
        DenseGHC(4, 2),
        SparseGHC(2, 3),
        SparseGHC(5, 1),
        SparseGHC(3, 3),
        Mesh(w=2, d=3),
        Mesh(w=4, d=2),
        BuiltInTorus(w=4, d=2),
        BuiltInTorus(w=3, d=3),
        Ring(3),
        Star(4),
        Tree(2, 1),
        Tree(3, 3),
    ],
)
def test_what_is_proved_need_not_be_gone_through(topology):
    """Catches a built-in topology that is declared proved and would be refused."""
    assert type(topology).proved
    topology._check_channels()
    assert topology.channels == sum(1 for node in range(topology.nodes) for _ in topology.ends(node))


def test_more_channels_than_can_be_gone_through():
    with pytest.raises(
        ParameterError,
        match="^"
        + re.escape(
            f"channels of all nodes must be at most {MOST_CHANNELS:,} on the square torus n = 100000, not 40,000,000,000"
        )
        + "$",
    ):
        Torus(100_000).check()


def test_unidirectional_links_lead_back():
    """By hand: to nodes 2 and 3 of four leads a path, and from them none; links in both directions are their own way back."""
    links = [(0, 1), (1, 0), (1, 2), (2, 3), (3, 2)]
    check_connected(Ring(4), links, directed=False)
    check_connected(Ring(4), [*links, (3, 0)], directed=True)
    message = "node 2 of the ring of 4 nodes must have a route to node 0 over its unidirectional links, not none"
    with pytest.raises(ParameterError, match="^" + re.escape(message) + "$"):
        check_connected(Ring(4), links, directed=True)
