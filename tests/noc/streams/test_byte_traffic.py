"""Packets of bytes between all ports of networks, whose widths are mixed: see tests/support/byte_soak.py.

The quick test of such a network is the one that generates its tests, in tests/fatcube/testing/test_generated.py.
"""

import json

import pytest

from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.network_file import network_json
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.interface.narrow import Narrow
from fatcube.rtl.interface.trailer import AppendTrailer, TakeTrailer
from fatcube.rtl.router_options import RouterOptions
from tests.support.cocotb_runs import built_verilog
from tests.support.planted import plant


@pytest.fixture
def soak():
    from tests.support import byte_soak

    return byte_soak


#: Networks by what mixed widths meet in them.
NAMES = [
    "mixed",
    "wide",
    "narrow",
    "clocks",
    "ports",
    "classes",
    "torus",
    "cut-through",
    "stored",
    "circuits",
    "copies",
]
NAMES += ["half-duplex", "in turn"]


def test_all_networks_are_here(soak):
    assert list(soak.NETWORKS) == NAMES


@pytest.mark.long(stays="tests/rtl/interface/test_byte_interface.py::test_random")
@pytest.mark.parametrize("name", NAMES)
def test_packets_arrive_byte_for_byte(tmp_path, soak, name):
    """Some packets break the rule of TKEEP, and where there is a longest packet, some are too long."""
    found = soak.byte_traffic(name, tmp_path, packets=600)
    network, streams, _ = soak.NETWORKS[name]
    stored = streams.longest(network.options.width, network.options.longest_packet)
    unknown = network.endpoints & network.endpoints - 1 or network.message_classes > 1
    assert (
        found["bad_keep"] > 20 and bool(found["too_long"]) == bool(stored) and bool(found["unknown"]) == bool(unknown)
    )
    # Some packets to no port break the rule too.
    lost = found["unknown"] + found["too_long"]
    assert 600 - lost <= found["arrived"] <= 600 - found["unknown"]


@pytest.mark.long(stays="tests/rtl/interface/test_byte_interface.py::test_random")
@pytest.mark.parametrize("name", ["mixed", "clocks", "wide"])
def test_the_peer_agrees(tmp_path, soak, name):
    """Traffic with the sources and sinks of cocotbext-axi at all ports."""
    pytest.importorskip("cocotbext.axi", reason="the peer's models of AXI4-Stream are not installed")
    assert soak.byte_traffic(name, tmp_path, packets=600, peer=True)["arrived"] > 300


@pytest.mark.long(stays="tests/rtl/test_switching.py::test_a_sender_that_stops")
def test_a_sender_that_stops(tmp_path):
    """The network ends its packet, which arrives with the error bit; between ports of four widths."""
    from tests.support import stopped_bytes

    network = RoutedNetwork(FatCube(1, 2), RouterOptions(stop_timeout=stopped_bytes.TIMEOUT))
    streams = StreamOptions(byte_exact=True, port_widths=stopped_bytes.WIDTHS, user_bits=3)
    top = AxiNetwork(network, streams=streams, name="system").shared()
    about = network_json(network, top, interface="axi4-stream")
    build = built_verilog(to_verilog(top), tmp_path, visible=[port["name"] for port in about["ports"]])
    (tmp_path / "system.json").write_text(json.dumps(about))
    job = json.dumps({"description": str(tmp_path / "system.json")})
    build.run(stopped_bytes.__name__, tmp_path, {"AXI_JOB": job})


@pytest.mark.long(stays="tests/rtl/interface/test_byte_interface.py::test_a_fault_is_found")
@pytest.mark.parametrize(
    ("part", "line", "instead", "message"),
    [
        (AppendTrailer, "eq(~i.tuser[0])", "eq(~i.tuser[1])", "wrong tuser: packet"),
        (
            TakeTrailer,
            "place < trailer",
            "place <= trailer",
            "torn: packet|unknown: |tkeep of a word|tkeep of the last",
        ),
        (Narrow, "final.eq(~held", "final.eq(i.tvalid | ~held", "torn: packet|unknown: |lost: |tkeep|nothing arrives"),
        (AxiNetwork, "interface.source.eq(processor)", "interface.source.eq(0)", "wrong tid: packet"),
    ],
    ids=["another bit of TUSER is the error", "a byte more", "beats lost", "all are processor 0"],
)
def test_a_planted_fault_is_found(monkeypatch, tmp_path, soak, part, line, instead, message):
    plant(monkeypatch, part, line, instead)
    with pytest.raises(RuntimeError, match=rf"(?s)1 of 1 tests failed.*({message})"):
        soak.byte_traffic("mixed", tmp_path, packets=200)
