# amaranth: UnusedElaboratable=no
"""The stamps beside the data of flits: a network moves every flit in the cycle in which it does without them."""

from pathlib import Path
import random
import re

from amaranth.hdl import Module
from amaranth.lib import wiring
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.fabric import Fabric
from fatcube.noc.machines.traffic_machine import TrafficMachine
import fatcube.noc.network
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.endpoint.traffic import Stamp
from fatcube.rtl.ports import inputs_of
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.load import LoadTest
from fatcube.studies.point import LoadedNetwork
from fatcube.synth import silicon
from tests.support.streams import simulate

WHOLE = {"longest_packet": 4, "buffer_depth": 4}
KINDS = {
    "one channel": ({}, {}),
    "two cycles": ({"pipeline": 2, "link_stages": 1}, {}),
    "distributed memory": ({"buffer_depth": 4}, {}),
    "block memory": ({"buffer_depth": 5, "buffer_memory": "block"}, {}),
    "virtual channels": ({"virtual_channels": 2, "buffer_depth": 3}, {"message_classes": 2}),
    "side by side": ({"virtual_channels": 2, "buffer_depth": 4}, {}),
    "half-duplex": ({"links": "half-duplex", "switching": "virtual-cut-through", "virtual_channels": 2, **WHOLE}, {}),
    "store-and-forward": ({"switching": "store-and-forward", **WHOLE}, {}),
    "circuits": ({"switching": "circuit", "setup_retry": 4}, {}),
    "copies": ({"ports": "b", "switching": "virtual-cut-through", **WHOLE}, {}),
    "tables": ({"width": 8}, {"addressing": "destination"}),
}


class Both(wiring.Component):
    """A network, and the same with wider flits."""

    def __init__(self, network, bits):
        self.narrow, self.wide = Fabric(network), Fabric(network.with_sideband(bits))
        super().__init__({})

    def elaborate(self, platform):
        m = Module()
        m.submodules.narrow = self.narrow
        m.submodules.wide = self.wide
        return m


@pytest.mark.parametrize("kind", KINDS)
def test_equal_cycles(kind):
    """In every cycle of full traffic: the same flits come out, each with what was put beside it, and as many go in."""
    options, others = KINDS[kind]
    bits, dice = 20, random.Random(kind)
    topology = FatCube(1, 2 if "message_classes" not in others else 1)
    network = RoutedNetwork(topology, RouterOptions(**{"width": 16, **options}), **others)
    both, width, low = Both(network, bits), network.options.width, network.router().header.route_bits
    endpoints = range(network.endpoints)
    narrow, wide = ([port for ports in fabric.processors for port in ports] for fabric in (both.narrow, both.wide))
    moved = 0

    def beside(data, header):
        """Data beside a flit: random, but determined by the bits that no router changes."""
        return random.Random(data >> low if header else data).getrandbits(bits)

    def packets(source):
        while True:
            routes = [network.routes(source, one) for one in endpoints]
            route = dice.choice([route for some in routes for route in some])
            flits = dice.randint(1, 4)
            for place in range(flits):
                data = dice.getrandbits(width)
                yield data >> low << low | route if place == 0 else data, place == 0, place == flits - 1

    async def testbench(ctx):
        nonlocal moved
        sources = [packets(source) for source in endpoints]
        offered, header = [None] * len(sources), [True] * len(sources)
        for _ in range(120):
            for port, source in enumerate(sources):
                if offered[port] is None and dice.random() < 0.9:
                    offered[port] = next(source)
                ready = dice.random() < 0.8
                for one, upper in ((narrow[port], False), (wide[port], True)):
                    data, first, last = offered[port] or (0, True, 0)
                    ctx.set(one.send.payload.data, data | (beside(data, first) << width if upper else 0))
                    ctx.set(one.send.payload.last, last)
                    ctx.set(one.send.valid, offered[port] is not None)
                    ctx.set(one.receive.ready, ready)
            for port in endpoints:
                one, other = narrow[port], wide[port]
                assert ctx.get(one.send.ready) == ctx.get(other.send.ready)
                assert ctx.get(one.receive.valid) == ctx.get(other.receive.valid)
                if ctx.get(one.send.ready):
                    offered[port] = None
                if ctx.get(one.receive.valid):
                    data, last = ctx.get(one.receive.payload.data), ctx.get(one.receive.payload.last)
                    assert last == ctx.get(other.receive.payload.last)
                    assert ctx.get(other.receive.payload.data) == data | beside(data, header[port]) << width
                    if ctx.get(one.receive.ready):
                        header[port] = last
                        moved += 1
            await ctx.tick()
            assert ctx.get(both.narrow.error) == ctx.get(both.wide.error) == 0

    simulate(both, testbench)
    assert moved > 80


@pytest.mark.parametrize(
    "network",
    [
        RoutedNetwork(
            Mesh(w=8, d=2), RouterOptions(width=16)
        ),  # where headers carry destinations, as routes do not fit
        RoutedNetwork(Mesh(w=3, d=2), RouterOptions(buffer_depth=70)),
        RoutedNetwork(Hypercube(3), message_classes=2),
        Network(FatCube(2, 2), RouterOptions(ports="b")),
    ],
    ids=str,
)
def test_what_follows_from_the_width_is_kept(network):
    """Only the width is another: headers, buffers and channels are those of the network, and so is what is synthesized."""
    machine = TrafficMachine(network=network)
    built, bits = machine.built, Stamp(machine.address_bits).size
    assert built.options.width == network.options.width + bits
    assert built.to_json() == network.to_json() | {"width": built.options.width}
    assert built.tables == network.tables and built.router().reach(0) == network.router().reach(0)
    fields = [one.router().header.fields() for one in (network, built)]
    assert fields[0] == fields[1]
    assert machine.to_json().items() >= network.to_json().items()


def test_only_runs_have_stamps():
    """Nothing that is generated or synthesized is of the wider flits: no other source of the house asks for them."""
    house, asking = Path(fatcube.noc.network.__file__).resolve().parents[1], set()
    for room in ("rtl", "noc", "sim", "synth", "papers", "fatcube"):
        for path in (house / room).rglob("*.py"):
            if re.search(r"machine\.built\b|\bwith_sideband\(", path.read_text()):
                asking.add(str(path.resolve().relative_to(house)))
    machines = {f"noc/machines/traffic_{name}.py" for name in ("machine", "node", "system")}
    assert asking == {"noc/network.py", "sim/builds/lanes.py", *machines}


def test_area_is_that_of_the_network(monkeypatch):
    """The router of a network that was measured under load is synthesized without stamps."""
    point = LoadedNetwork(test=LoadTest(RoutedNetwork(Hypercube(1))), family="ecp5", seeds=(1,), fmax=False)
    assert point.test.machine.built.options.width > 32
    monkeypatch.setattr(silicon, "synthesis_source", lambda component, **_: [component])
    router, _ = silicon.silicon_source(point.network, seeds=point.seeds, fmax=False, family="ecp5")
    assert [len(port.payload.data) for port in inputs_of(router)] == [32, 32]


def test_the_widest_flit():
    network = Network(FatCube(1), RouterOptions(width=4096 - 68))
    assert TrafficMachine(network=network).built.options.width == 4096
    with pytest.raises(
        ParameterError,
        match="^width must be an integer from 1 to 4028 under traffic, where flits have 68 bits more, not 4029$",
    ):
        TrafficMachine(network=network.with_options(width=4029))
