"""Where things stand in a drawing: nothing lies on anything else."""

import itertools
import math

import pytest

from fatcube.reports.layout import layout
from noc.topologies.cubes import FatCube
from noc.topologies.grids import Ring
from tests.support.networks import IRREGULAR

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

    def test_other_topologies_stand_on_a_circle(self):
        drawn = layout(Ring(12, 3))
        centre = drawn.width / 2, drawn.height / 2
        assert len({round(math.dist(centre, node), 3) for node in drawn.nodes}) == 1
        assert len(drawn.processors) == 36

    def test_processors_of_nodes_that_differ(self):
        """Each stands beside its own node, and a node without any has none beside it."""
        drawn = layout(IRREGULAR)
        nearest = [min(range(4), key=lambda node: math.dist(place, drawn.nodes[node])) for place in drawn.processors]
        assert nearest == [1, 2, 2, 3]
