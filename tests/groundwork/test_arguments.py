"""Names and numbers of arguments in a user's program: what is wrong is said with what it may be."""

import copy
import re

import pytest

from fatcube.groundwork.arguments import ArgumentNameError, Numbered, NumberError
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.axi_network import AxiInDomain, AxiNetwork
from fatcube.noc.embedded import PacketNetwork
from fatcube.noc.fabric import Fabric
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.load_options import LoadOptions

SMALL = RoutedNetwork(Hypercube(1), RouterOptions(width=16))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: PacketNetwork(SMALL, byte_exact=True),
            "PacketNetwork must be one of network, streams, name, not byte_exact; did you mean "
            "streams=StreamOptions(byte_exact=True)?",
        ),
        (
            lambda: AxiNetwork(SMALL, width=64),
            "AxiNetwork must be one of network, crossing_depth, streams, name, names, flit_ports, not width; did you mean "
            "RoutedNetwork(topology, RouterOptions(width=64))?",
        ),
        (lambda: AxiInDomain(SMALL, message_classes=2), "did you mean RoutedNetwork(topology, message_classes=2)?"),
        (lambda: AxiNetwork(SMALL, crossing=4), "not crossing"),
        (lambda: Fabric(Network(Hypercube(1)), nam="a"), "Fabric must be one of network, name, names, not nam; did you"),
        (
            lambda: RoutedNetwork(Mesh(w=4, d=2), width=64),
            "RoutedNetwork must be one of topology, options, parts, routing, lanes, addressing, message_classes, not "
            "width; did you mean options=RouterOptions(width=64)?",
        ),
        (lambda: Network(Mesh(w=4, d=2), route=1), "Network must be one of topology, options, parts, not route"),
        (lambda: RouterOptions(virtual_channel=2), "not virtual_channel; did you mean virtual_channels?"),
        (lambda: StreamOptions(bytes=True), "StreamOptions must be one of "),
        (lambda: LoadOptions(patterns="uniform"), "did you mean pattern?"),
    ],
)  # fmt: skip
def test_names(make, message):
    """Catches a TypeError of Python that does not say which arguments there are."""
    with pytest.raises(ParameterError, match=re.escape(message)) as error:
        make()
    assert isinstance(error.value, ArgumentNameError) and isinstance(error.value, TypeError)
    assert str(error.value).startswith("argument of ") and "\n" not in str(error.value)


def test_what_is_right_is_made():
    assert copy.deepcopy(SMALL) == SMALL and SMALL.options.changed(width=16) == SMALL.options
    assert AxiNetwork(SMALL, crossing_depth=8).name == "axi_network"


@pytest.mark.parametrize("number", [2, -3, "dma", None])
def test_ports(number):
    packets = PacketNetwork(SMALL)
    for way in ("send", "receive"):
        assert getattr(packets, way)[1] is getattr(packets, f"{way}_1")
        with pytest.raises(
            IndexError, match=f"^port of {way} must be an integer from 0 to 1, not {number!r}$"
        ) as error:
            getattr(packets, way)[number]
        assert isinstance(error.value, ParameterError) and isinstance(error.value, NumberError)


def test_processors_of_a_fabric():
    fabric = Fabric(Network(Hypercube(1)))
    with pytest.raises(ParameterError, match="^processor must be an integer from 0 to 1, not 2$"):
        fabric.processors[2]
    with pytest.raises(ParameterError, match="^port of a processor must be 0, not 1$"):
        fabric.processors[0][1]


def test_a_list_is_a_list():
    numbered = Numbered("abc", "letter")
    assert list(numbered) == ["a", "b", "c"] and numbered[1:] == ["b", "c"] and numbered[-1] == "c"


def test_no_network():
    """Catches a message that needs a name of what has none."""
    with pytest.raises(ParameterError, match="^network must be a RoutedNetwork, .* not the int 5$"):
        AxiNetwork(5)  # pyright: ignore[reportArgumentType]
