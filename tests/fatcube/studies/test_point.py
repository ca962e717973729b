"""Points: what they take when it is not given, the limits of their values, and what stands in their records."""

import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.endpoint.monitor import MOST_FLITS
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.load import LoadTest
from fatcube.studies.point import LoadedNetwork, Point, check_placement

NETWORK = Network(FatCube(1), RouterOptions(width=16))


def test_what_is_not_given():
    point = Point(network=NETWORK, collective="OAS")
    assert point.parameters == {
        **NETWORK.to_json(),
        "collective": "OAS",
        "root": 0,
        "payload_flits": 16,
        "family": "ecp5",
        "fmax": True,
        "placement_seeds": [1, 2, 3],
    }


def test_what_does_not_count_is_not_recorded():
    """A root where there is none, and seeds where nothing is placed."""
    point = Point(network=NETWORK, collective="AAB", root=1, family="ice40", fmax=False, seeds=(4,))
    assert (point.root, point.parameters["placement_seeds"], point.parameters["family"]) == (None, None, "ice40")


def test_a_network_under_load():
    test = LoadTest(network=RoutedNetwork(Hypercube(1), RouterOptions(width=40)))
    alone, placed = LoadedNetwork(test=test), LoadedNetwork(test=test, family="ecp5")
    assert (alone.parameters, alone.fmax, alone.network) == (test.parameters, False, test.network)
    also = {"family": "ecp5", "fmax": True, "placement_seeds": [1, 2, 3]}
    assert placed.parameters == {**test.parameters, **also}
    unplaced = LoadedNetwork(test=test, family="ecp5", fmax=False)
    assert unplaced.parameters == {**also, **test.parameters, "fmax": False, "placement_seeds": None}
    assert (str(placed), str(alone)) == (f"{test}, ecp5", str(test))


def test_limits():
    """The longest payload is a point, and one flit more is none, nor is one of no flit."""
    assert Point(network=NETWORK, collective="OAB", payload_flits=MOST_FLITS - 1).payload_flits == MOST_FLITS - 1
    assert Point(network=NETWORK, collective="OAB", payload_flits=1, root=1).root == 1
    for flits in (0, MOST_FLITS):
        message = f"payload flits must be an integer from 1 to {MOST_FLITS - 1}, not {flits}"
        with pytest.raises(ParameterError, match=re.escape(message) + "$"):
            Point(network=NETWORK, collective="OAB", payload_flits=flits)
    with pytest.raises(ParameterError, match="^root of OAB must be"):
        Point(network=NETWORK, collective="OAB", root=2)


def test_the_longest_packet_holds_the_payload():
    options = RouterOptions(width=16, switching="store-and-forward")
    assert (
        Point(network=Network(FatCube(1), options), collective="OAB", payload_flits=17).network.options.longest_packet
        >= 18
    )


@pytest.mark.parametrize(
    ("family", "fmax", "placed"),
    [
        ("ecp5", None, True),
        ("ecp5", True, True),
        ("ecp5", False, False),
        ("xilinx", None, False),
        (None, None, False),
        (None, False, False),
    ],
)
def test_placement(family, fmax, placed):
    assert check_placement(family, [3, 1], fmax) == ((3, 1), placed)


@pytest.mark.parametrize(
    ("family", "fmax", "message"),
    [("ecp5", 2, "fmax must be true or false, not 2"), (None, True, "fmax requires a family")],
)
def test_refused(family, fmax, message):
    with pytest.raises(ParameterError, match=f"^{message}$"):
        check_placement(family, [1], fmax)
