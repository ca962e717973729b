"""Where things stand in a drawing: nothing lies on anything else."""

import itertools
import math

import pytest

from fatcube.noc.topologies.butterflies import Butterfly, WrappedButterfly
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.generalized import DenseGHC
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.tree import Tree
from fatcube.noc.topologies.widened import widened
from fatcube.reports.lanes import joined
from fatcube.reports.layout import _leaving, layout
from tests.support.networks import IRREGULAR, KITE


def away(place, line):
    """How far a place is from a line through points."""
    found = []
    for (x, y), (x2, y2) in itertools.pairwise(line):
        part = ((place[0] - x) * (x2 - x) + (place[1] - y) * (y2 - y)) / math.dist((x, y), (x2, y2)) ** 2
        part = max(0, min(1, part))
        found.append(math.dist(place, (x + part * (x2 - x), y + part * (y2 - y))))
    return min(found)


CUBES = [FatCube(d, m, 1) for d in range(1, 9) for m in (1, 2, 3, 4, 8, 16) if m << d <= 256]


class TestLayout:
    @pytest.mark.parametrize("topology", [*CUBES, FatCube(1, 128, 1)], ids=str)
    def test_nothing_lies_on_anything(self, topology):
        """Catches nodes, processors or routers that overlap or lie outside of the drawing."""
        drawn = layout(topology)
        half = drawn.side / 2
        for x, y in drawn.processors:
            assert half <= x <= drawn.width - half and half <= y <= drawn.height - half
        for one, other in itertools.combinations(drawn.processors, 2):
            assert max(abs(a - b) for a, b in zip(one, other)) > drawn.side
        for one, other in itertools.combinations(drawn.nodes, 2):
            assert math.dist(one, other) > 2 * drawn.radius
        for processor, place in enumerate(drawn.processors):
            aside = [max(abs(a - b) - half, 0) for a, b in zip(place, drawn.nodes[topology.node_of(processor)])]
            assert math.hypot(*aside) > drawn.router

    @pytest.mark.parametrize("d", range(2, 7))
    def test_links_pass_clear_of_routers(self, d):
        """Catches directions in which a link seems to end at a node that it does not join."""
        topology = FatCube(d, 1, 1)
        drawn = layout(topology)
        for u, v, _ in topology.graph.edges:
            (x, y), (x2, y2) = drawn.nodes[u], drawn.nodes[v]
            for node, (px, py) in enumerate(drawn.nodes):
                if node not in (u, v):
                    along = ((px - x) * (x2 - x) + (py - y) * (y2 - y)) / math.dist((x, y), (x2, y2)) ** 2
                    along = min(1, max(0, along))
                    away = math.dist((px, py), (x + along * (x2 - x), y + along * (y2 - y)))
                    assert away > 2 * drawn.router

    @pytest.mark.parametrize(
        "topology",
        [
            Mesh(w=4, d=2, m=3),
            Mesh(w=3, d=3),
            Mesh(w=2, d=5),
            Torus(w=5, d=2, m=2),
            Mesh(w=(3, 4, 2)),
            Mesh(w=(2, 6), m=2),
            Torus(w=(2, 4)),
            Torus(w=(5, 3, 2)),
            Torus(w=2, d=3),
            DenseGHC((3, 4, 2), 3),
            Star(20, 2),
            Tree(3, 3),
            Butterfly(3),
            WrappedButterfly(2),
            WrappedButterfly(3, 2),
            CubeConnectedCycles(3, k=5),
            OrientedCube(4, 2),
            IRREGULAR,
            KITE,
        ],
        ids=str,
    )
    def test_other_families(self, topology):
        """Catches places of a family that coincide, or lie outside, and a link that passes over a node."""
        drawn = layout(topology)
        half = drawn.side / 2
        for x, y in drawn.processors:
            assert half <= x <= drawn.width - half and half <= y <= drawn.height - half
        for one, other in itertools.combinations(drawn.processors, 2):
            assert max(abs(a - b) for a, b in zip(one, other)) > drawn.side
        for one, other in itertools.combinations(drawn.nodes, 2):
            assert math.dist(one, other) > 2 * drawn.radius
        for low, high in joined(topology):
            line = drawn.link(low, high)
            assert line[0] == pytest.approx(drawn.nodes[low], abs=0.02)
            assert line[-1] == pytest.approx(drawn.nodes[high], abs=0.02)
            for node, place in enumerate(drawn.nodes):
                if node not in (low, high) and not isinstance(topology, (CubeConnectedCycles, OrientedCube)):
                    assert away(place, line) > 0.19 * drawn.apart, (low, high, node)

    def test_a_mesh_from_a_file_is_drawn_as_one(self):
        """Places by distances: neighbours are nearer than others, and rows and columns are level and upright."""
        drawn = layout(widened(Mesh(w=4, d=2), {0: 2}))
        steps = {
            (round(abs(a - c) / drawn.apart), round(abs(b - d) / drawn.apart))
            for low, high in joined(Mesh(w=4, d=2))
            for (a, b), (c, d) in [(drawn.nodes[low], drawn.nodes[high])]
        }
        assert steps == {(0, 1), (1, 0)}

    def test_a_ring_is_a_circle(self):
        drawn = layout(Ring(12, 3))
        centre = drawn.width / 2, drawn.height / 2
        assert len({round(math.dist(centre, node), 3) for node in drawn.nodes}) == 1
        assert len(drawn.processors) == 36

    def test_processors_of_nodes_that_differ(self):
        """Each stands beside its own node, and a node without any has none beside it."""
        drawn = layout(IRREGULAR)
        nearest = [min(range(4), key=lambda node: math.dist(place, drawn.nodes[node])) for place in drawn.processors]
        assert nearest == [1, 2, 2, 3]


def test_angles_at_which_links_leave():
    """By hand: a straight link, and one that bows upwards, which leaves both nodes at 45 degrees."""
    centres = [(0, 0), (10, 0), (0, 10)]
    found = _leaving(centres, {(0, 1): [(0, 0), (5, 5), (10, 0)]}, [(0, 1), (0, 2)])
    assert found == [[math.pi / 4, math.pi / 2], [3 * math.pi / 4], [-math.pi / 2]]
