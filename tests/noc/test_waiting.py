"""How long headers wait in routers under load: the formula, and what monitors in simulated routers see."""

import pytest

from fatcube.noc.latency import waiting, waiting_formula
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.allocators.channel_allocator import ChannelAllocator
from fatcube.rtl.router_options import RouterOptions
from tests.support.planted import plant
from tests.support.waits import NETWORKS, bound, longest_wait, monitored

CYCLES = 10_000


def formula(topology, **options):
    return waiting_formula(kind for kind, _ in RoutedNetwork(topology, RouterOptions(**options)).routers)


def test_formula_by_hand():
    """All five inputs reach a lane upwards, one of them only to turn back where routers are alike; four packets go first."""
    assert formula(Mesh(w=4, d=2)) == "4·L + 2"
    # Five inputs of two channels: 15 packets, each beside those of the other channel; 32 and 32 cycles for the watch.
    assert formula(Mesh(w=4, d=2), virtual_channels=2) == "30·L + 186"


@pytest.mark.parametrize(
    "options",
    [
        {"switching": "circuit"},
        {"arbiter": "deficit"},
        {"links": "half-duplex"},
        {"ports": "b", "switching": "virtual-cut-through", "longest_packet": 8, "buffer_depth": 8},
    ],
    ids=str,
)
def test_no_bound_is_said_where_none_is_known(options):
    assert formula(FatCube(2, 2), **options) == ""
    assert waiting(RoutedNetwork(FatCube(2, 2), RouterOptions(**options)).router()) is None


@pytest.mark.parametrize(
    "name", [name if name == "mesh, 2 channels" else pytest.param(name, marks=pytest.mark.long) for name in NETWORKS]
)
def test_longest_wait(name):
    """With two channels at most five times as long as with one, 24 cycles; ``python -m tests.support.waits`` for longer."""
    with monitored():
        longest = longest_wait(name, cycles=CYCLES)
    assert longest <= bound(name)
    if "2 channels" in name:
        assert longest <= 5 * 24


def test_a_header_that_waits_for_ever_is_found(monkeypatch):
    """It is always the turn of the same input."""
    plant(monkeypatch, ChannelAllocator, "named.rotate_left(1)", "named")
    with monitored():
        assert longest_wait("mesh, 2 channels", cycles=CYCLES) > bound("mesh, 2 channels")
