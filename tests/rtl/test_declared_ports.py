# amaranth: UnusedElaboratable=no
"""A port stands three times, as no type checker reads a signature: in docstring, annotation and signature, which agree."""

import importlib
import inspect
import pkgutil
import re

from amaranth.hdl import Shape, Value, ValueCastable
from amaranth.lib import wiring
from amaranth.lib.wiring import Out
import pytest

from fatcube import rtl
from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.fabric import Fabric
from fatcube.noc.lanes import shared_lane
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.node import Node
from fatcube.noc.machines.system import System
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.machines.traffic_node import TrafficNode
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.shared import Shared
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.allocators.bid import ChannelBid, ChannelOffer
from fatcube.rtl.allocators.request import FlitOffer, PacketRequest
from fatcube.rtl.endpoint.distributed.rules import Rule
from fatcube.rtl.endpoint.host import HostBus
from fatcube.rtl.endpoint.phases import Phases
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.serial.bridge import SerialBridge

ENTRY = re.compile(r"^(?P<names>[\w{}, ]+)(?: : (?P<types>.*))?$")
FLOW = re.compile(r":py:`(In|Out)\((?:(\d+)\))?")
#: Routers with every kind of unit between them.
OPTIONS = (
    {"arbiter": "deficit", "longest_packet": 4, "stop_timeout": 9},
    {"switching": "circuit", "setup_retry": 8, "arbiter": "least-recent", "link_stages": 1},
    {"ports": "b", "links": "half-duplex", "buffer_depth": 4, "buffer_memory": "block"},
    {"virtual_channels": 2, "buffer_depth": 8, "switching": "virtual-cut-through", "injection_channels": 1},
    {"virtual_channels": 2, "ejection_channels": 2, "links": "half-duplex", "stop_timeout": 5, "link_stages": 1},
)


def components():
    """The classes of components in `rtl`."""
    for found in pkgutil.walk_packages(rtl.__path__, "fatcube.rtl."):
        for one in vars(importlib.import_module(found.name)).values():
            named = inspect.isclass(one) and one.__module__ == found.name and not one.__name__.startswith("_")
            if named and issubclass(one, wiring.Component):
                yield one


def described(unit):
    """For each member in the docstrings of a class and of its bases: its flow and its bits, where these are said."""
    found = {}
    for one in reversed(unit.__mro__):
        section = (inspect.cleandoc(one.__dict__.get("__doc__") or "") + "\n").partition("Members\n-------\n")[2]
        for line in re.split(r"\n\n?\w[\w ]*\n---+\n", section)[0].splitlines():
            if line[:1].strip() and not line.endswith(".") and (entry := ENTRY.match(line)):
                flows = FLOW.findall(entry["types"] or "")
                for number, name in enumerate(entry["names"].split(", ")):
                    said = flows[min(number, len(flows) - 1)] if flows else ("", "")
                    found[name] = said if flows or name not in found else found[name]
    return found


def annotated(unit):
    """The members that the annotations of a class and of its bases name."""
    names = {
        name for one in unit.__mro__ if one.__module__.startswith("fatcube") for name in inspect.get_annotations(one)
    }
    return {name for name in names if not name.startswith("_")}


def made():
    """Components with all that is in them: routers, networks with interfaces, nodes and systems, and a board's system."""
    cube = FatCube(1, 2, 2)
    for options in OPTIONS:
        yield Shared(FatNodeRouter(Network(cube, RouterOptions(hops=2, **options)).router()), "router")
    streams = StreamOptions(byte_exact=True, user_bits=2, port_widths=(8, 32, 64, 128), store_packets=64)
    yield AxiNetwork(RoutedNetwork(cube, RouterOptions()), streams=streams).shared()
    yield AxiNetwork(RoutedNetwork(Mesh(w=3, d=1), RouterOptions()), crossing_depth=8).shared()
    for links in ({}, {"setup_retry": 8, "switching": "circuit"}):
        yield Fabric(RoutedNetwork(cube, RouterOptions(links="half-duplex", **links))).shared()
    for given in ({"reductions": True, "monitors": "lanes", "probes": True}, {}):
        yield Node(Machine(network=Network(cube, RouterOptions(ports="d"), parts=2 - len(given) % 2), **given)).shared()
    network = RoutedNetwork(FatCube(1, 2, 1), RouterOptions())
    for given in ({"bursts": True, "log": 8, "details": True}, {"trace": 8}):
        yield TrafficNode(TrafficMachine(network=network, **given)).shared()
    for options in ({"switching": "circuit", "setup_retry": 8}, {"virtual_channels": 2, "channel_classes": 2}):
        network = Network(cube, RouterOptions(**options))
        yield TrafficNode(TrafficMachine(network=network, alone=True)).shared()
    network = RoutedNetwork(FatCube(1, 2, 1), RouterOptions(), message_classes=2)
    yield TrafficNode(TrafficMachine(network=network, answers=4)).shared()
    for rule in Rule:
        network = Network(Hypercube(2), RouterOptions(ports="d"), parts=2 if rule == Rule.SBT else 1)
        machine = Machine(network=network, distributed=rule)
        yield Node(machine).shared()
    circuits = Network(cube, RouterOptions(switching="circuit", setup_retry=8))
    yield System(Machine(network=circuits, monitors="lanes", probes=True)).shared()
    yield Shared(shared_lane(RouterOptions(links="half-duplex"), counters=True).component, "lane")
    yield Shared(Phases(), "phases")
    yield Shared(SerialBridge(bit_cycles=8, host_width=40), "bridge")


@pytest.fixture(scope="module")
def instances():
    """For each class, the components of it that came up."""
    found = {}
    plain = wiring.Component.__init__

    def noted(self, signature=None, **options):
        plain(self, signature, **options)
        found.setdefault(type(self), []).append(self)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(wiring.Component, "__init__", noted)
        for shared in made():
            shared.modules()
    return found


def of_instances(components):
    """For each member of these components, whether it leads out and its bits; ``None`` for what is no single port."""
    found = {}
    for one in components:
        for name, member in one.signature.members.items():
            bits = Shape.cast(member.shape).width if member.is_port and not member.dimensions else None
            found.setdefault(name, set()).add((member.flow == Out, bits))
        for name, value in vars(one).items():
            if isinstance(value, ValueCastable | Value) and not len(Value.cast(value)):  # A port that this one lacks.
                found.setdefault(name, set())
    return found


def numbered(name):
    return re.sub(r"\{\w+\}", r"\\d+", name)


@pytest.mark.parametrize("unit", [pytest.param(unit, id=unit.__name__) for unit in components()])
def test_docstring_annotations_and_signature(instances, unit):
    """Catches a port that was added, removed or turned round in one of the three, and a wrong number of bits."""
    about, named = described(unit), annotated(unit)
    ports = of_instances(one for kind, some in instances.items() if issubclass(kind, unit) for one in some)
    assert ports, "no component of this class, or of one that extends it, was made"
    for name, ways in ports.items():
        entries = [entry for entry in about if re.fullmatch(numbered(entry), name)]
        assert entries or name not in unit_ports(instances, unit), f"{name} is not described"
        if entries and name in unit_ports(instances, unit):
            flow, bits = about[entries[0]]
            assert not flow or {out for out, _ in ways} <= {flow == "Out"}, f"{name} is described as {flow}"
            assert not bits or {of for _, of in ways} <= {int(bits), None}, f"{name} is described with {bits} bits"
            assert "{" in entries[0] or name in named, f"{name} has no annotation"
    for entry in about:
        assert any(re.fullmatch(numbered(entry), name) for name in ports), f"{entry} is described and not there"
    others = {name for kind, some in instances.items() if issubclass(kind, unit) for one in some for name in dir(one)}
    assert named <= set(ports) | others, f"{sorted(named - set(ports) - others)} are annotated and not there"


def unit_ports(instances, unit):
    """The members that every component of a class has, or of classes that extend it."""
    some = [of_instances([one]) for kind, found in instances.items() if issubclass(kind, unit) for one in found]
    return set.intersection(*map(set, some))


def test_signatures_have_the_members_that_they_describe(instances):
    """The dialogues between the units of a router, buses and lanes, which are classes of their own."""
    seen = {}
    for component in (one for some in instances.values() for one in some):
        for member in component.signature.members.values():
            if not member.is_port:
                signature = member.signature if member.flow == Out else member.signature.flip()
                if type(signature).__module__.startswith("fatcube."):
                    seen.setdefault(type(signature), []).append(signature)
    assert {PacketRequest, FlitOffer, ChannelBid, ChannelOffer, HostBus} <= set(seen)
    for kind, signatures in seen.items():
        about = {name: flow for name, (flow, _) in described(kind).items()}
        members = {name: member.flow for one in signatures for name, member in one.members.items()}
        assert about == {name: "Out" if flow == Out else "In" for name, flow in members.items()}, kind
