# amaranth: UnusedElaboratable=no
"""Ports of processors as data: the signatures of the components, with every option, are as described."""

import pkgutil
import subprocess
import sys

from amaranth.hdl import Value
from amaranth.lib.wiring import Out
import pytest

from fatcube.rtl import protocols
from fatcube.rtl.flit import FlitStream
from fatcube.rtl.interface.byte_interface import ByteInterface
from fatcube.rtl.interface.interface import NetworkInterface
from fatcube.rtl.protocols import PROTOCOLS, protocol_of_ports
from fatcube.rtl.protocols.axi_stream import AXI_STREAM, axi_stream_bits
from fatcube.rtl.protocols.flits import FLITS, flit_bits
from fatcube.rtl.protocols.packets import PACKETS
from fatcube.rtl.protocols.protocol import Role
from tests.support.packages import ROOT

SIZES = {"route_bits": 3, "message_bits": 4, "destinations": 5}
DEST_BITS = 3


def members(signature):
    """The name, the direction and the bits of each signal, in order, as the transmitter sees it."""
    made = signature.create()
    return [(*path, one.flow == Out, len(Value.cast(value))) for path, one, value in signature.flatten(made)]


def described(protocol, bits):
    """The ports by the description."""
    return [(signal.name, signal.role is not Role.READY, size) for signal, size in protocol.sized(bits)]


def test_no_amaranth_is_needed():
    """Or the kit could not read it in the simulator's process."""
    names = [f"{protocols.__name__}.{found.name}" for found in pkgutil.iter_modules(protocols.__path__)]
    assert len(names) >= 4
    code = f"import sys, {', '.join(names)}; print([n for n in ('amaranth', 'numpy', 'networkx') if n in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert ended.stdout == "[]\n"


@pytest.mark.parametrize("width", [1, 8, 33])
def test_flits(width):
    assert members(FlitStream(width)) == described(FLITS, flit_bits(width))


def test_bits():
    """Catches bits of another signal, and a signal without any."""
    full = axi_stream_bits(24, dest_bits=5, id_bits=4, keep=True, user_bits=2)
    handshake = [("tvalid", True, 1), ("tready", False, 1)]
    assert described(AXI_STREAM, full) == [
        *(("tdata", True, 24), ("tlast", True, 1), ("tdest", True, 5), ("tid", True, 4), ("tkeep", True, 3)),
        *(("tuser", True, 2), *handshake),
    ]
    assert described(AXI_STREAM, axi_stream_bits(24)) == [("tdata", True, 24), ("tlast", True, 1), *handshake]
    assert described(FLITS, flit_bits(24)) == [("payload", True, 25), ("valid", True, 1), ("ready", False, 1)]
    assert described(FLITS, {}) == [("valid", True, 1), ("ready", False, 1)]


@pytest.mark.parametrize("crossing", [0, 8], ids=["one clock", "clocks"])
@pytest.mark.parametrize("width", [16, 64])
def test_words(width, crossing):
    made = NetworkInterface(width, **SIZES, crossing_depth=crossing)
    assert members(made.sends) == described(AXI_STREAM, axi_stream_bits(width, dest_bits=DEST_BITS))
    assert members(made.receives) == described(AXI_STREAM, axi_stream_bits(width, id_bits=SIZES["message_bits"]))
    assert [name for name in made.signature.members if name.endswith("_count")] == [*AXI_STREAM.counters]


@pytest.mark.parametrize("user_bits", [1, 5])
@pytest.mark.parametrize(("width", "port_width"), [(16, 16), (16, 8), (16, 64)])
def test_bytes(width, port_width, user_bits):
    made = ByteInterface(width, port_width=port_width, user_bits=user_bits, **SIZES)
    of_bytes = {"keep": True, "user_bits": user_bits}
    into = axi_stream_bits(port_width, dest_bits=DEST_BITS, **of_bytes)
    assert members(made.sends) == described(AXI_STREAM, into)
    assert into[Role.KEEP] == port_width // 8 and into[Role.USER] == user_bits
    out = axi_stream_bits(port_width, id_bits=SIZES["message_bits"], **of_bytes)
    assert members(made.receives) == described(AXI_STREAM, out)
    counts = [name for name in made.signature.members if name.endswith("_count")]
    assert counts == [*AXI_STREAM.counter_names(byte_exact=True)]


def test_every_signal_has_a_meaning_and_a_role_of_its_own():
    for protocol in (*PROTOCOLS.values(), PACKETS):
        roles = [signal.role for signal in protocol.signals]
        assert len({*roles}) == len(roles) and {Role.VALID, Role.READY} <= {*roles}
    assert all(signal.meaning for protocol in PROTOCOLS.values() for signal in protocol.signals)


@pytest.mark.parametrize(
    ("protocol", "streams", "ready", "clocks"),
    [
        (FLITS, ("processor3_send1", "processor3_receive1"), "processor3_send1__ready", ("clk", "rst")),
        (AXI_STREAM, ("s_axis_7", "m_axis_7"), "s_axis_7_tready", ("axis_7_aclk", "axis_7_aresetn")),
        (PACKETS, ("send_7", "receive_7"), "send_7__ready", ("clk", "rst")),
    ],
)
def test_names(protocol, streams, ready, clocks):
    assert protocol.streams_of(7, 2) == streams
    assert protocol.port(streams[0], Role.READY) == ready
    assert protocol.own_clock(7) == clocks


def test_endpoints_with_another_protocol():
    """They have its streams and the names and the clock of the network, and no counters."""
    mixed = protocol_of_ports(["axi4-stream", "flits", "axi4-stream", "flits"]).named({3: "dma"})
    assert mixed.name == "axi4-stream" and [mixed.at(port).name for port in (0, 1)] == ["axi4-stream", "flits"]
    assert [mixed.streams_of(port, 2)[0] for port in range(4)] == [
        "s_axis_0",
        "processor0_send1",
        "s_axis_2",
        "dma_send",
    ]
    assert [mixed.own_clock(port)[0] for port in (1, 2)] == ["aclk", "axis_2_aclk"]
    assert [*mixed.ports_of(3, 2)] == [
        f"dma_{way}__{signal}" for way in ("send", "receive") for signal in ("payload", "valid", "ready")
    ]
    assert mixed.ports_of(2, 2).keys() == AXI_STREAM.ports_of(2).keys()
    assert mixed.renamed(2) == dict(zip(FLITS.ports_of(3, 2), mixed.ports_of(3, 2)))
    assert mixed.at(3).reset_level == 0 == AXI_STREAM.reset_level
    assert protocol_of_ports(["flits"] * 2) is FLITS and not protocol_of_ports(["axi4-stream"]).others


def test_ports_of_an_endpoint():
    """Catches a port that a description would not know to belong to a processor's port."""
    signals = ["tdata", "tlast", "tdest", "tid", "tkeep", "tuser", "tvalid", "tready"]
    counters = ["unknown", "too_long", "empty", "bad_keep"]
    assert [*AXI_STREAM.ports_of(12)] == [
        *(f"{way}_axis_12_{signal}" for way in "sm" for signal in signals),
        *("axis_12_aclk", "axis_12_aresetn"),
        *(f"{counter}_count_12" for counter in counters),
    ]
    assert AXI_STREAM.ports_of(0)["axis_0_aresetn"] == "reset of this port, synchronous, active low"
    assert FLITS.clocks() == {"clk": "clock, rising edge", "rst": "reset, synchronous, active high"}
    flits = [f"processor6_{way}0__{signal}" for way in ("send", "receive") for signal in ("payload", "valid", "ready")]
    assert [*FLITS.ports_of(12, 2)] == flits
