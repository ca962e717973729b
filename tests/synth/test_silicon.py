"""The cost of a whole network: one router many times, held against the network as one design."""

import pytest

from fatcube.noc.fabric import Fabric
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.rtl.router_options import RouterOptions
from fatcube.synth.families import FAMILIES
from fatcube.synth.mapping import Design
from fatcube.synth.measure import measure_area
from fatcube.synth.silicon import (
    all_turns_area,
    crossbar_area,
    network_area,
    network_silicon,
    router_silicon,
    turns_of,
    used_crossbar_area,
)


@pytest.mark.long(stays="tests/synth/test_silicon.py::test_routers_of_simplex_links_are_measured_one_by_one")
@pytest.mark.parametrize(
    ("family", "cube"),
    [("ecp5", FatCube(1, 2)), ("gates", FatCube(2, 1)), ("ecp5", FatCube(2, 1)), ("gates", FatCube(1, 2))],
    ids=str,
)
def test_network_costs_what_its_routers_cost_when_mapped_apart(cube, family):
    """Exactly: catches a router too many, one that is not like the others, and logic between them."""
    network = Network(cube, RouterOptions(width=10, buffer_depth=3))
    modules = Fabric(network).shared().modules()
    design = Design("\n".join(modules.values()), "fabric", keep_hierarchy=("fat_node_router",))
    assert network_area(network, family=family) == measure_area(design, family=FAMILIES[family])


def test_routers_of_simplex_links_are_measured_one_by_one():
    """Exactly: catches a router that is measured with ports that it has not, and one that is counted for the other nodes."""
    network = Network(OrientedCube(3), RouterOptions(width=10, buffer_depth=3))
    few, many = (router_silicon(network, router, fmax=False).area for router, _ in network.routers)
    assert few.distributed_ram < many.distributed_ram  # one input of a lane, and two
    modules = Fabric(network).shared().modules()
    design = Design("\n".join(modules.values()), "fabric", keep_hierarchy=("fat_node_router0", "fat_node_router1"))
    assert network_area(network) == measure_area(design, family=FAMILIES["ecp5"]) == few * 4 + many * 4


@pytest.mark.parametrize(
    "family",
    [
        pytest.param(
            name,
            marks=pytest.mark.grid
            if name == "xilinx"
            else pytest.mark.long(
                stays="tests/synth/test_silicon.py::test_routers_of_simplex_links_are_measured_one_by_one"
            ),
        )
        for name in FAMILIES
        if name != "osu018"  # tests/synth/test_liberty.py
    ],
)
def test_network_costs_nearly_what_it_costs_flattened(family):
    """The margin is what synthesis across the lanes gains or loses; README states it."""
    for ports in "1b":
        network = Network(FatCube(1, 2), RouterOptions(ports=ports, width=10))
        one_by_one, flat = (
            network_area(network, family=family),
            network_silicon(network, family=family, fmax=False).area,
        )
        assert (one_by_one.ff, one_by_one.ram) == (flat.ff, flat.ram)
        assert abs(one_by_one.comb_equivalents / flat.comb_equivalents - 1) < 0.15


def test_half_duplex_lanes_are_in_the_whole_network():
    """They cost logic and a few flip-flops for each lane, which no router has."""
    full, half = (Network(FatCube(1), RouterOptions(width=10, links=links)) for links in ("full-duplex", "half-duplex"))
    assert network_area(full) == network_area(half)
    without, within = (network_silicon(one, fmax=False).area for one in (full, half))
    assert within.comb_equivalents > without.comb_equivalents and 0 < within.ff - without.ff < 10


def test_turns_used_and_all_turns_are_two_areas():
    """Catches an area with all turns that is that of the turns used."""
    network = Network(FatCube(1, 2), RouterOptions(width=10))
    router = network.router()
    pairs = {(one, other) for one in range(3) for other in router.reach(one)}
    assert turns_of(router) == len(pairs) < 9
    every, used = all_turns_area(network), used_crossbar_area(network)
    assert every is not None and used is not None
    assert every.comb_equivalents > router_silicon(network, fmax=False).area.comb_equivalents
    assert used.comb_equivalents < crossbar_area(network).comb_equivalents
    whole = network.with_options(turns="all")
    assert router_silicon(whole, fmax=False).area == every
    assert all_turns_area(whole) is None and used_crossbar_area(whole) is None


def test_model_b_has_no_router_with_all_turns():
    assert all_turns_area(Network(FatCube(1, 2), RouterOptions(ports="b", width=10))) is None


@pytest.mark.long(stays="tests/synth/test_silicon.py::test_routers_of_simplex_links_are_measured_one_by_one")
def test_lanes_with_one_source_are_smaller_flattened():
    network = Network(FatCube(2, 1), RouterOptions(width=10))
    one_by_one, flat = network_area(network), network_silicon(network, fmax=False).area
    assert one_by_one.ff == flat.ff
    assert 1 < one_by_one.comb_equivalents / flat.comb_equivalents < 1.35
