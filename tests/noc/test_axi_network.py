"""Networks with AXI4-Streams at their ports: their Verilog and JSON, refusals, and packets between all ports."""

import functools
import itertools
import json
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc import fabric, lanes
from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.network_file import network_json
from fatcube.noc.embedded import PacketNetwork
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing import make_routing
from fatcube.noc.routing.dimension_order import DimensionOrder
from fatcube.noc.routing.routing import routings
from fatcube.noc.routing.table import Table
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.interface.egress import Egress
from fatcube.rtl.router_options import RouterOptions
from tests.support.cases import some
from tests.support.commands import run
from tests.support.faults import FaultyLink
from tests.support.linting import lint
from tests.support.networks import TREE
from tests.support.planted import plant
from tests.support.verilog_ports import verilog_ports

#: An endpoint's ports with their bits, except those of `tdest` and `tid`: directions as a user sees them.
STREAMS = {
    "s_axis_{}_tdata": "input",
    "s_axis_{}_tvalid": "input",
    "s_axis_{}_tready": "output",
    "s_axis_{}_tlast": "input",
    "s_axis_{}_tdest": "input",
    "m_axis_{}_tdata": "output",
    "m_axis_{}_tvalid": "output",
    "m_axis_{}_tready": "input",
    "m_axis_{}_tlast": "output",
    "m_axis_{}_tid": "output",
    "unknown_count_{}": "output",
    "too_long_count_{}": "output",
    "empty_count_{}": "output",
}
CLOCKS = {"axis_{}_aclk": "input", "axis_{}_aresetn": "input"}
BITS = {"tdata": 32, "count": 16}


def expected_ports(endpoints, *, nodes, dest_bits, id_bits, port_clocks):
    """The ports that the documentation promises, by name, with direction and bits."""
    bits = {**BITS, "tdest": dest_bits, "tid": id_bits}
    ports = {"aclk": ("input", 1), "aresetn": ("input", 1), "error": ("output", nodes)}
    for endpoint in range(endpoints):
        for name, direction in {**STREAMS, **(CLOCKS if port_clocks else {})}.items():
            kind = "count" if "count" in name else name.rpartition("_")[2]
            ports[name.format(endpoint)] = (direction, bits.get(kind, 1))
    return ports


@pytest.mark.parametrize(
    ("network", "endpoints", "dest_bits", "id_bits", "crossing_depth"),
    [
        (RoutedNetwork(FatCube(1, 2)), 4, 2, 2, 0),
        (RoutedNetwork(FatCube(1, 3)), 6, 3, 3, 8),
        (RoutedNetwork(Hypercube(2), RouterOptions(ports="d", width=32)), 8, 3, 2, 0),
        (RoutedNetwork(FatCube(1), RouterOptions(longest_packet=4)), 2, 1, 1, 16),
        pytest.param(
            RoutedNetwork(Torus(w=4, d=2), RouterOptions(virtual_channels=2, buffer_depth=4)), 16, 4, 4, 8,
            marks=pytest.mark.long,
        ),
    ],
    ids=["plain", "clocks", "two ports a processor", "two processors, longest packet, clocks", "torus, clocks"],
)  # fmt: skip
def test_ports_are_those_promised_and_the_verilog_lints(
    network, endpoints, dest_bits, id_bits, crossing_depth, tmp_path
):
    """Catches a name or width that changes, a port that the JSON has otherwise, and what Verilator warns of."""
    shared = AxiNetwork(network, crossing_depth=crossing_depth).shared()
    text = to_verilog(shared)
    expected = expected_ports(
        endpoints,
        nodes=network.topology.nodes,
        dest_bits=dest_bits,
        id_bits=id_bits,
        port_clocks=crossing_depth > 0,
    )
    assert verilog_ports(text, "axi_network") == expected
    # The interface counts within; what it counts is no port.
    assert not verilog_ports(text, "network_interface").keys() & {"unknown", "too_long", "empty"}
    about = network_json(network, shared, interface="axi4-stream")
    assert {port["name"]: (port["direction"], port["bits"]) for port in about["ports"]} == expected
    assert all(port["meaning"] for port in about["ports"])
    assert lint("axi_network", text, tmp_path) == ""
    assert text.count("\nmodule network_interface(") == 1
    assert len(re.findall(r"^  network_interface ", text, re.MULTILINE)) == endpoints


def test_only_a_network_with_crossings_has_their_warning_off(tmp_path):
    """Without the waiver exactly that warning appears."""
    waiver = "/* verilator lint_off SYNCASYNCNET */\n"
    plain, crossed = (
        to_verilog(AxiNetwork(RoutedNetwork(FatCube(1)), crossing_depth=depth).shared()) for depth in (0, 8)
    )
    assert waiver not in plain
    warnings = lint("axi_network", crossed.replace(waiver, ""), tmp_path)
    assert set(re.findall(r"%Warning-(\w+):", warnings)) == {"SYNCASYNCNET"}


def test_two_networks_have_names_of_their_own():
    text = to_verilog(AxiNetwork(RoutedNetwork(FatCube(1)), name="left").shared())
    names = re.findall(r"^module (\w+)", text, re.MULTILINE)
    assert "left" in names and all(name == "left" or name.startswith("left_") for name in names)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: AxiNetwork(Network(FatCube(1))),
            r"network must be a RoutedNetwork, as in RoutedNetwork\(FatCube\(2\)\), not the Network fat cube d = 1",
        ),
        (
            lambda: AxiNetwork(RoutedNetwork(FatCube(1)), crossing_depth=-1),
            "crossing depth must be an integer from 0 to 4096, not -1",
        ),
        (
            lambda: AxiNetwork(RoutedNetwork(FatCube(1)), crossing_depth=12),
            "crossing depth must be a power of two from 8 to 4096, not 12",
        ),
        (
            lambda: AxiNetwork(RoutedNetwork(FatCube(1), RouterOptions(width=12))),
            "width must be a multiple of 8 with AXI4-Stream interfaces, not 12$",
        ),
        (lambda: AxiNetwork(RoutedNetwork(FatCube(1)), name="a b"), "name must be a Verilog identifier .*, not 'a b'"),
        (
            lambda: AxiNetwork(RoutedNetwork(FatCube(5, 2), RouterOptions(width=1104))),
            "ports of module .* must have at most 65532 bits of input, which is what Amaranth can write, not",
        ),
        (
            lambda: AxiNetwork(RoutedNetwork(FatCube(1)), flit_ports=[0, 1]),
            r"ports with flits must be fewer than the 2 ports of the fat cube d = 1$",
        ),
        (
            lambda: AxiNetwork(RoutedNetwork(FatCube(1)), flit_ports=[2]),
            "port with flits must be an integer from 0 to 1, not 2",
        ),
        (
            lambda: AxiNetwork(RoutedNetwork(FatCube(1)), flit_ports=[1], crossing_depth=(0, 8)),
            "crossing depth must be 0 where ports have flits, as port 1 has, not 8",
        ),
        (
            lambda: AxiNetwork(RoutedNetwork(FatCube(1)), flit_ports=[1], streams=StreamOptions(byte_exact=True)),
            "byte exact must be left out where ports have flits, as port 1 has, whose packets would need trailers, not true",
        ),
        (
            lambda: AxiNetwork(RoutedNetwork(FatCube(1)), flit_ports=[1], streams=StreamOptions(store_packets=8)),
            "store packets must be left out where ports have flits, as port 1 has, which store none, not 8",
        ),
    ],
)
def test_refused(make, message):
    with pytest.raises(ParameterError, match=f"^{message}"):
        make()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "network --interface axi4",
            "interface must be one of flits, axi4-stream, not 'axi4'; did you mean axi4-stream?",
        ),
        ("router --interface axi4-stream", "No such option: --interface; it is an option of fatcube generate network"),
        ("system --interface axi4-stream", "No such option: --interface; it is an option of fatcube generate network"),
        ("network --port-clocks", "--port-clocks requires --interface axi4-stream"),
        (
            "network --interface axi4-stream --ports b --switching wormhole",
            "switching must be virtual-cut-through with model b and a routing, or copies can deadlock, not wormhole",
        ),
        (
            "network --interface axi4-stream --routing none",
            "routing must be one of default, dimension-order, dateline, shortest-path, up-down, a1, disjoint, not 'none'",
        ),
        (
            "network --interface axi4-stream --width 28",
            "width must be a multiple of 8 with AXI4-Stream interfaces, not 28",
        ),
        (
            "network --interface axi4-stream -m 33 --width 8",
            "width must be an integer of at least 14 (a header has 7 bits of route and 7 of message id), not 8",
        ),
    ],
)
def test_the_command_refuses_in_one_line(monkeypatch, capsys, tmp_path, arguments, message):
    status, out, err = run(monkeypatch, capsys, "generate", *arguments.split(), "-d", 1, "-o", tmp_path / "net.v")
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")
    assert list(tmp_path.iterdir()) == []


def test_the_width_has_to_hold_the_header_that_is_used(monkeypatch, capsys, tmp_path):
    """Catches a check of the network without a routing, whose header has 10 bits here."""
    arguments = ["-d", 2, "-m", 2, "--width", 8, "-o", tmp_path / "net.v", "--dry-run"]
    assert run(monkeypatch, capsys, "generate", "network", "--interface", "axi4-stream", *arguments)[0] == 0
    assert run(monkeypatch, capsys, "generate", "network", "--routing", "none", *arguments)[0] == 2


@pytest.mark.parametrize("clocks", [[], ["--port-clocks"]])
def test_the_command_writes_verilog_and_json(monkeypatch, capsys, tmp_path, clocks):
    arguments = ["--interface", "axi4-stream", *clocks, "-d", 1, "-o", tmp_path / "net.v"]
    said = f"Written to {tmp_path / 'net.v'}, {tmp_path / 'net.json'}\n"
    assert run(monkeypatch, capsys, "generate", "network", *arguments) == (0, said, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["net.json", "net.v"]
    about, text = json.loads((tmp_path / "net.json").read_text()), (tmp_path / "net.v").read_text()
    assert (about["top"], about["interface"]) == ("axi_network", "axi4-stream")
    assert {port["name"] for port in about["ports"]} == set(verilog_ports(text, "axi_network"))
    assert ("axis_0_aclk" in verilog_ports(text, "axi_network")) == bool(clocks)


# Packets between all ports, as tests/support/axi_soak.py says. They are few here; `python -m tests.support.axi_soak` has
# 100,000 for each of its networks.


@pytest.fixture
def traffic():
    from tests.support import axi_soak

    return axi_soak


#: Four processors, each with two ports, which have one ``tid`` and two numbers.
TWO_PORTS = RoutedNetwork(Hypercube(2), RouterOptions(ports="d"))


@pytest.mark.parametrize(
    ("network", "port_clocks"),
    some([(8, False), (8, True), (TWO_PORTS, False), (TWO_PORTS, True)], [3]),
    ids=["8 processors", "8 processors, clocks", "two ports a processor", "two ports a processor, clocks"],
)
def test_packets_between_8_ports(tmp_path, traffic, network, port_clocks):
    """1,500 packets; with ports of six speeds, too."""
    network = traffic.NETWORKS.get(network, network)
    found = traffic.axi_traffic(network, tmp_path, packets=1500, port_clocks=port_clocks)
    assert (found["arrived"], found["unknown"], found["too_long"]) == (1500, 0, 0)


@pytest.mark.long(stays="tests/noc/test_axi_network.py::test_packets_between_8_ports")
def test_packets_that_cannot_arrive_are_counted(tmp_path, traffic):
    """3,000 packets between six processors; `tdest` can name two more, and some packets are too long."""
    network = RoutedNetwork(FatCube(1, 3), RouterOptions(longest_packet=8))
    found = traffic.axi_traffic(network, tmp_path, packets=3000)
    assert sum(found[what] for what in ("arrived", "unknown", "too_long")) == 3000
    assert found["unknown"] > 300 and found["too_long"] > 300


@pytest.mark.long(stays="tests/noc/test_axi_network.py::test_packets_between_8_ports")
def test_packets_to_another_message_class_are_counted(tmp_path, traffic):
    """3,000 packets between eight ports of two classes, half of them to a port of the other class."""
    network = RoutedNetwork(FatCube(1, 2), RouterOptions(virtual_channels=2, buffer_depth=4), message_classes=2)
    found = traffic.axi_traffic(network, tmp_path, packets=3000)
    assert found["arrived"] + found["unknown"] == 3000
    assert found["unknown"] > 1000


@pytest.mark.long(stays="tests/noc/test_axi_network.py::test_packets_between_8_ports")
@pytest.mark.parametrize(
    ("network", "packets", "port_clocks"),
    [
        (16, 10_000, False),
        (RoutedNetwork(Torus(w=4, d=2), RouterOptions(virtual_channels=4, buffer_depth=4)), 10_000, False),
        (RoutedNetwork(FatCube(2, 2, 2), RouterOptions(ports="d", width=48)), 5000, False),
        (RoutedNetwork(FatCube(2, 2, 2), RouterOptions(width=40), lanes="in-turn"), 5000, True),
        (64, 5000, False),
    ],
    ids=["torus", "torus without order", "two ports a processor", "lanes in turn, clocks", "mesh with destinations"],
)
def test_packets_between_many_processors(tmp_path, traffic, network, packets, port_clocks):
    network = traffic.NETWORKS.get(network, network)
    found = traffic.axi_traffic(network, tmp_path, packets=packets, port_clocks=port_clocks)
    assert found["arrived"] == packets


ROUTINGS = {
    "a1": CubeConnectedCycles(2),
    "dateline": Ring(5),
    "dimension-order": Mesh(w=2, d=2),
    "disjoint": Hypercube(2),
    "shortest-path": TREE,
    "table": Hypercube(1),
    "up-down": TREE,
}
"""A small topology for each routing."""


def routed(name):
    """A network with this routing, and as many virtual channels as it takes."""
    topology = ROUTINGS[name]
    routing = Table.of(DimensionOrder(topology)) if name == Table.name else make_routing(name, topology)
    options = RouterOptions(virtual_channels=routing.classes, buffer_depth=4)
    return RoutedNetwork(topology, options, routing=routing)


def test_each_routing_is_here():
    assert ROUTINGS.keys() == routings().keys()


@pytest.mark.parametrize("streams", [StreamOptions(), StreamOptions(byte_exact=True, port_widths=(8,))], ids=str)
@pytest.mark.parametrize("name", ROUTINGS)
def test_every_routing_has_every_interface(name, streams):
    """All routes stand in the tables of interfaces, whose entries are of equal size."""
    network = routed(name)
    axi = AxiNetwork(network, streams=streams)
    assert to_verilog(axi.shared()).count("\nmodule axi_network(") == 1
    table = axi._interface(0).interface.table
    for endpoint, other in itertools.product(range(network.endpoints), repeat=2):
        routes = network.routes(endpoint, other)
        assert 1 <= len(routes) <= table.entry.ways == network.most_routes
    assert len(PacketNetwork(network).send) == network.endpoints


def test_packets_over_disjoint_routes(tmp_path, traffic):
    found = traffic.axi_traffic(routed("disjoint"), tmp_path, packets=300)
    assert found["arrived"] == 300


TAKES_ID = "        with m.If(~within):\n            m.d.sync += beats.tid.eq(flit.payload.data[self.message])\n"
LATE_ID = (
    "        latest = Signal.like(beats.tid)\n"
    "        with m.If(~within & flit.valid & flit.ready):\n"
    "            m.d.sync += [beats.tid.eq(latest), latest.eq(flit.payload.data[self.message])]\n"
)


def wrong_port(monkeypatch):
    """The route from port 3 to port 2 leads to port 0."""
    plant(
        monkeypatch,
        AxiNetwork,
        "self.network.routes(endpoint, other)",
        "self.network.routes(endpoint, 0 if (endpoint, other) == (3, 2) else other)",
    )


def in_a_lane(kind, number=20):
    """A flit or packet on the first lane meets a faulty link: for a swap, one with the source and destination of the next."""

    def planted(monkeypatch):
        links = {(0, 0, 0): FaultyLink(32, kind, number)}
        monkeypatch.setattr(fabric, "connect_lanes", functools.partial(lanes.connect_lanes, links=links))

    return planted


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        pytest.param(
            wrong_port,
            "misrouted: packet .* from port 3 to port 2 arrived at port 0",
            id="a wrong port",
            marks=pytest.mark.long,
        ),
        pytest.param(in_a_lane("drop", 50), "torn: packet|unknown: |lost: ", id="a lost beat", marks=pytest.mark.long),
        pytest.param(in_a_lane("double"), "doubled: packet .* arrived again", id="a doubled packet"),
        pytest.param(  # It is the last of its pair; any other one would be seen as reordered.
            in_a_lane("lose", 43), r"lost: \d+ packets? never arrived", id="a lost packet", marks=pytest.mark.long
        ),
        pytest.param(
            in_a_lane("swap", 22), "reordered: packet", id="packets that change places", marks=pytest.mark.long
        ),
        pytest.param(
            lambda monkeypatch: plant(monkeypatch, Egress, TAKES_ID, LATE_ID),
            "wrong tid: packet|tid changed within a packet",
            id="the tid of the packet before",
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_planted_fault_is_found(monkeypatch, tmp_path, traffic, fault, message):
    """Between four processors; 200 packets are enough."""
    fault(monkeypatch)
    with pytest.raises(RuntimeError, match=rf"(?s)1 of 1 tests failed.*({message})"):
        traffic.axi_traffic(RoutedNetwork(FatCube(1, 2)), tmp_path, packets=200)
