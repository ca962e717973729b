# amaranth: UnusedElaboratable=no
"""The ports of generated networks: those that the protocol of their processors' ports describes, with every option."""

import pytest

from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.network_file import network_json
from fatcube.noc.embedded import PacketNetwork
from fatcube.noc.fabric import Fabric
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.protocols.axi_stream import AXI_STREAM, axi_stream_bits
from fatcube.rtl.protocols.flits import FLITS, flit_bits
from fatcube.rtl.protocols.packets import PACKETS
from fatcube.rtl.protocols.protocol import HANDSHAKE, Role
from fatcube.rtl.router_options import RouterOptions

NETWORKS = [
    RoutedNetwork(Hypercube(1), RouterOptions(width=16)),
    RoutedNetwork(FatCube(1, 2), RouterOptions(width=64)),
    RoutedNetwork(Hypercube(2), RouterOptions(ports="d")),
]
STREAMS = [
    None,
    StreamOptions(store_packets=8),
    StreamOptions(byte_exact=True),
    StreamOptions(byte_exact=True, user_bits=3, port_widths=(8,)),
    StreamOptions(byte_exact=True, port_widths=(512,), store_packets=8),
]


def ports(network, top, protocol):
    """The direction and the bits of each port of a generated network, by its name, but those of the network as a whole."""
    about = network_json(network, top.shared(), interface=protocol.name)
    whole = {protocol.clock, protocol.reset, "error"}
    found = {port["name"]: (port["direction"], port["bits"]) for port in about["ports"]}
    assert whole <= {*found}
    return {name: port for name, port in found.items() if name not in whole}


def described(network, protocol, bits):
    """The bits of streams by the description; ``bits`` are those of a port's streams, into the network and out of it."""
    found = {}
    for endpoint in range(network.endpoints):
        names = protocol.streams_of(endpoint, network.processor_ports)
        for stream, enters, sizes in zip(names, (True, False), bits(endpoint), strict=True):
            for signal, size in protocol.sized(sizes):
                direction = "input" if enters is (signal.role is not Role.READY) else "output"
                found[protocol.port(stream, signal.role)] = direction, size
    return found


def bits_of(network, streams):
    """The bits of the AXI4-Streams of a port by their options."""
    streams = streams or StreamOptions()
    of_bytes = {"keep": True, "user_bits": streams.user_bits} if streams.byte_exact else {}
    widths = streams.widths(network.endpoints, network.options.width)
    dest_bits = (network.endpoints - 1).bit_length()
    return lambda endpoint: (
        axi_stream_bits(widths[endpoint], dest_bits=dest_bits, **of_bytes),
        axi_stream_bits(widths[endpoint], id_bits=network.message_bits, **of_bytes),
    )


@pytest.mark.parametrize("network", NETWORKS, ids=str)
def test_flits(network):
    expected = described(network, FLITS, lambda _: [flit_bits(network.options.width)] * 2)
    assert ports(network, Fabric(network), FLITS) == expected


@pytest.mark.parametrize("crossing", [0, 8], ids=["one clock", "clocks"])
@pytest.mark.parametrize("streams", STREAMS, ids=["words", "stored", "bytes", "narrow", "wide"])
@pytest.mark.parametrize("network", NETWORKS, ids=str)
def test_axi_streams(network, streams, crossing):
    expected = described(network, AXI_STREAM, bits_of(network, streams))
    for endpoint in range(network.endpoints):
        if crossing:
            expected |= dict.fromkeys(AXI_STREAM.own_clock(endpoint), ("input", 1))
        counters = AXI_STREAM.counter_names(byte_exact=streams is not None and streams.byte_exact)
        expected |= {AXI_STREAM.counter(name, endpoint): ("output", 16) for name in counters}
    assert ports(network, AxiNetwork(network, streams=streams, crossing_depth=crossing), AXI_STREAM) == expected


@pytest.mark.parametrize("network", NETWORKS, ids=str)
def test_flits_at_one_port(network):
    """The last port has the streams of a fabric in the clock of the network, and the others what they have without it."""
    flits, last = ports(network, Fabric(network), FLITS), network.endpoints - 1
    streams = ports(network, AxiNetwork(network, crossing_depth=8), AXI_STREAM)
    mixed = AxiNetwork(network, crossing_depth=8, flit_ports=[last])
    expected = {name: of for name, of in streams.items() if name not in AXI_STREAM.ports_of(last)}
    expected |= {name: flits[name] for name in FLITS.ports_of(last, network.processor_ports)}
    assert ports(network, mixed, mixed.protocol) == expected
    assert mixed.port_clocks and not mixed.clocks_differ and mixed.crossing_modules == mixed.interface_modules


@pytest.mark.parametrize("streams", STREAMS, ids=["words", "stored", "bytes", "narrow", "wide"])
def test_packets(streams):
    network = NETWORKS[0]
    made, bits = PacketNetwork(network, streams=streams), bits_of(network, streams)
    for endpoint in range(network.endpoints):
        for name, sizes in zip(PACKETS.streams_of(endpoint), bits(endpoint), strict=True):
            words = [(signal.name, size) for signal, size in PACKETS.sized(sizes) if signal.role not in HANDSHAKE]
            assert [(field, place.width) for field, place in getattr(made, name).payload.shape()] == words
