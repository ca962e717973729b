"""The latency from one AXI4-Stream to another over routers: the documented one is measured, to the cycle."""

import itertools

from amaranth.hdl import Elaboratable, Module
from amaranth.lib import wiring
import pytest

from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.description import describe
from fatcube.noc.descriptions.network_file import network_json
from fatcube.noc.latency import interface_formulas, interface_latency, latency_without_load
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.interface.interface import NetworkInterface
from fatcube.rtl.router_options import RouterOptions
from tests.support.axi_streams import AxiSink, AxiSource
from tests.support.cases import some
from tests.support.channels import Channels, channel_parameters
from tests.support.streams import cycles, moves, simulate, watch

OPTIONS = [
    {},
    {"pipeline": 2, "longest_packet": 6},
    {"switching": "store-and-forward", "longest_packet": 6, "buffer_depth": 6},
    {"virtual_channels": 2, "ejection_channels": 2},
    {"switching": "circuit", "buffer_depth": 2},
]


class Way(Elaboratable):
    """An interface, routers in a row, and an interface: from the first router's processor to another one of the last."""

    def __init__(self, options, routers, *, crossing):
        self.of = of = channel_parameters(hops=3, **options)
        self.row = Channels(of, routers)
        interface = {
            "route_bits": of.header.route_bits,
            "message_bits": of.message_bits,
            "destinations": 1,
            "longest": of.options.longest_packet,
            # With one clock on both sides, a crossing behaves as between two equal clocks.
            **({"crossing_depth": 8, "port_domain": "sync"} if crossing else {}),
        }
        self.first, self.last = (NetworkInterface(of.options.width, **interface) for _ in range(2))
        self.send, self.receive = self.row.inputs[0, 0, 0], self.row.outputs[routers - 1, 1, 0]
        self.route = of.header.pack([of.lane_port(1, 0)] * (routers - 1) + [1], 0)

    def elaborate(self, platform):
        m = Module()
        m.submodules.row, m.submodules.first, m.submodules.last = self.row, self.first, self.last
        wiring.connect(m, self.first.send, self.send)
        wiring.connect(m, self.receive, self.last.receive)
        m.d.comb += self.first.routes.eq(self.first.table.pack([[self.route]]))
        return m


@pytest.mark.parametrize(
    ("options", "crossing"),
    # Each of the options, and each kind of clocks with a router of one channel and of two.
    some(itertools.product(OPTIONS, (False, True)), (0, 3, 4, 7, 8)),
    ids=lambda value: {False: "one clock", True: "crossings"}[value] if isinstance(value, bool) else str(value),
)
def test_every_part_is_as_it_is_written(options, crossing):
    """The latencies of injection, of one to three routers, and of ejection, for packets of one beat and of several."""
    of = RouterOptions(**{"buffer_depth": 3, **options})
    for routers, beats in ((1, 1), (2, 4), (3, 5)):
        way, into, out = Way(options, routers, crossing=crossing), [], []
        source = AxiSource(way.first.s_axis, [(0, list(range(beats)))])
        sink = AxiSink(way.last.m_axis)

        async def testbench(ctx):
            await cycles(ctx, 70)

        simulate(way, testbench, source, sink, moves(way.send, into), moves(way.receive, out), watch(way.send))
        assert len(into) == len(out) == beats + 1 and len(sink.times) == beats
        found = into[0] - source.offers[0], out[-1] - into[0], sink.times[-1] - out[-1]
        first, last = interface_latency(of, beats, crossing=crossing)
        assert found == (first, latency_without_load(of, routers, beats + 1), last)
        texts = interface_formulas(of, crossing=crossing)
        assert tuple(eval(text, {"F": beats}) for text in texts) == (first, last)


@pytest.mark.parametrize(
    ("longest", "depth", "into", "out"), [(0, 0, "1", "1"), (4, 0, "F + 2", "1"), (4, 8, "F + 6", "5")]
)
def test_the_head_and_the_file_say_it(longest, depth, into, out):
    """The head of the Verilog gives the first and last cycle that count, and the JSON beside it the formulas."""
    network = RoutedNetwork(FatCube(1, 2), RouterOptions(longest_packet=longest))
    top = AxiNetwork(network, crossing_depth=depth)
    text = " ".join(describe(network, "network", axi=top).split())
    of_cycles = f"{into} cycle{'' if into == '1' else 's'}", f"{out} cycle{'' if out == '1' else 's'}"
    assert (
        f"The first router takes its header {of_cycles[0]} after the first cycle in which the first beat is offered on "
        f"s_axis_e, and its last beat is taken on m_axis_* {of_cycles[1]} after its last flit is taken from the last router"
    ) in text
    assert (
        "is taken from the last of H routers H + L - 1 cycles after the cycle in which the first router takes its first flit"
    ) in text
    assert network_json(network, top.shared(), interface="axi4-stream")["interface_latency"] == {"in": into, "out": out}
