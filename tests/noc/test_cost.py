"""The ab price against the paper's Table 1 worked by hand, and Table 2 by evaluating its inequalities."""

import math

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.cost import cheaper_dimensions, price
from fatcube.noc.topologies.cubes import FatCube, Hypercube


@pytest.mark.parametrize(
    ("topology", "ports", "a", "router_cost", "links"),
    [
        (FatCube(2, 2, 1), "1", 4, 64, 4),
        (FatCube(2, 2, 1), "b", 4, 64, 4),
        (FatCube(2, 2, 1), "d", 6, 144, 4),
        (FatCube(2, 2, 1), "*", 8, 256, 4),
        (Hypercube(3), "1", 4, 128, 12),
        (Hypercube(3), "d", 6, 288, 12),
        (Hypercube(3), "*", 6, 288, 12),
        (FatCube(3, 4, 2), "*", 30, 7200, 24),
    ],
)
def test_table_1_by_hand(topology, ports, a, router_cost, links):
    """Catches a wrong port count, a cost of one router for that of all, and links counted from both ends."""
    found = price(topology, ports)
    assert (found.a, found.b, found.router_cost, found.links) == (a, a, router_cost, links)
    assert found.links == topology.graph.number_of_edges()


@pytest.mark.parametrize("m", [2, 4, 8, 16])
@pytest.mark.parametrize("f", [1, 2, 3])
def test_table_2_is_what_inequalities_3_to_5_say(m, f):
    """The inequalities as the paper prints them, in real numbers, against the integer prices."""
    log = math.log2(m)
    sides = {
        "1": lambda d: ((m + d * f) ** 2, m * (1 + d + log) ** 2),
        "d": lambda d: (d**2 * (m + f) ** 2, 4 * m * (d + log) ** 2),
        "*": lambda d: ((d * (m + f) + m * (m - 1)) ** 2, 4 * m * (d + log) ** 2),
    }
    for ports, both in sides.items():
        holds = [d for d in range(1, 41) if both(d)[0] <= both(d)[1]]
        assert cheaper_dimensions(ports, m, f, most=40) == holds


def test_the_one_entry_of_table_2_that_does_not_hold():
    """m = 4, f = 2, model d: 36 d^2 <= 16 (d + 2)^2 is 6 d <= 4 d + 8, so d <= 4; the paper prints d <= 6."""
    assert cheaper_dimensions("d", 4, 2) == [1, 2, 3, 4]


def test_m_must_be_a_power_of_2():
    with pytest.raises(ParameterError, match="^m must be a power of 2 for a hypercube with as many processors, not 3$"):
        cheaper_dimensions("1", 3, 1)
