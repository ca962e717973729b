"""A testbench's view of the JSON beside Verilog: headers as :class:`HeaderLayout` packs them, and routes that lead there."""

import json
import random

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.fields import fields_json
from fatcube.noc.descriptions.network_file import network_json
from fatcube.noc.descriptions.router_file import router_json
from fatcube.noc.descriptions.system_file import system_json
from fatcube.noc.fabric import Fabric, shared_router
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.system import System
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.sim.collectives.run import Run
from fatcube.sim.collectives.simulate import fitting_machine
from fatcube.sim.collectives.written import written_run
from fatcube.testing.description import Description, HeaderFormat, WordFormat
from fatcube.testing.pauses import listed_pauses, periodic_pauses, random_pauses


def read(about, tmp_path):
    """The description as it is read from a file."""
    (tmp_path / "it.json").write_text(json.dumps(about))
    return Description.read(tmp_path / "it.json")


@pytest.mark.parametrize(
    "network",
    [Network(FatCube(2, 2)), Network(FatCube(2, 2), RouterOptions(ports="b")), RoutedNetwork(Mesh(w=3, d=2))],
    ids=str,
)
def test_headers_are_those_of_the_hardware(network):
    layout = network.router().header
    header = HeaderFormat(fields_json(layout.fields()))
    assert (header.route_bits, header.message_bits) == (layout.route_bits, layout.message_bits)
    fields = header.fields()
    for name, (low, bits) in fields.items():
        value = (1 << bits) - 1
        assert header.pack(**{name: value}) == value << low
        assert header.unpack(value << low) == {other: value * (other == name) for other in fields}
    packet = header.packet([1, 2], layout.pack([], 0), message_id=3)
    assert packet.words == [layout.pack([], 3), 1, 2] and header.kept(packet.words) == [3, 1, 2]


def test_a_field_that_is_not_there_or_does_not_fit():
    word = WordFormat([{"field": "message id", "low": 2, "bits": 3}])
    assert word.pack(0b1_000_11, message_id=5) == 0b1_101_11
    with pytest.raises(ParameterError, match="^field must be one of message_id, not route$"):
        word.pack(route=1)
    with pytest.raises(ParameterError, match="^message_id must be an integer from 0 to 7, not 8$"):
        word.pack(message_id=8)


def arrives(network, source, header):
    """Where a source route leads, followed through the graph by the numbers of outputs."""
    router, topology = network.router(), network.topology
    bits, ports = router.header.selector_bits, network.processor_ports
    mask = (1 << bits - router.header.class_bits) - 1
    node = topology.node_of(source // ports)
    while True:
        output = header & mask
        header >>= bits
        if output < router.processor_ports:
            local, port = divmod(output, ports)
            return topology.processors_of(node)[local] * ports + port
        [node] = [
            other
            for channel, other, _ in topology.ends(node)
            if channel == (output - router.processor_ports) // router.lanes
        ]


@pytest.mark.parametrize(
    ("network", "count"),
    [
        (Network(FatCube(2, 2)), 8 * (1 + 2 * 2)),
        (Network(FatCube(1, 2, 2)), 4 * (1 + 2 * 2)),
        (Network(Hypercube(2), RouterOptions(ports="d")), 8 * (2 * 2)),
        (RoutedNetwork(Torus(w=4, d=1)), 16),
        (RoutedNetwork(FatCube(1, 2, 2), lanes="in-turn"), 4 * (2 + 2 * 2)),
        (Network(Ring(5), RouterOptions(switching="circuit", setup_retry=9, hops=2)), None),
    ],
    ids=str,
)
def test_routes_lead_where_they_say(network, count, tmp_path):
    about = read(network_json(network, Fabric(network).shared()), tmp_path)
    routes = about.routes()
    assert len(set(routes)) == len(routes) and (count is None or len(routes) == count)
    assert {route.destination for route in routes} == set(range(about.endpoints))
    for route in routes:
        assert arrives(network, route.source, route.header) == route.destination
    some = about.routes(most=5, seed=1)
    assert len(some) <= 5 and set(some) <= set(about.routes(most=4096, seed=1))
    assert some == about.routes(most=5, seed=1) != about.routes(most=5, seed=2)


@pytest.mark.parametrize(
    ("network", "keeps"),
    [
        (Network(FatCube(1, 2)), True),
        (Network(FatCube(1, 2, 2)), False),
        (Network(FatCube(1, 2), RouterOptions(virtual_channels=2)), False),
        (Network(Ring(5), RouterOptions(switching="circuit", setup_retry=9, hops=2)), False),
        (RoutedNetwork(Torus(w=4, d=1)), True),
        (RoutedNetwork(Torus(w=4, d=1), RouterOptions(virtual_channels=4)), False),
    ],
    ids=str,
)
def test_where_order_is_promised(network, keeps, tmp_path):
    assert read(network_json(network, Fabric(network).shared()), tmp_path).keeps_order is keeps


def test_the_names_of_ports(tmp_path):
    network = RoutedNetwork(
        Hypercube(2), RouterOptions(ports="d", virtual_channels=2, buffer_depth=4), message_classes=2
    )
    about = read(network_json(network, Fabric(network).shared()), tmp_path)
    assert (about.endpoints, about.prefixes(6)) == (16, ("processor1_send2", "processor1_receive2"))
    assert [about.message_class(port) for port in range(4, 8)] == [0, 0, 1, 1] and about.processor_of(6) == 1
    assert about.has_port("processor1_send2__valid") and not about.has_port("aclk")
    axi = read(network_json(network, AxiNetwork(network).shared(), interface="axi4-stream"), tmp_path)
    assert axi.prefixes(6) == ("s_axis_6", "m_axis_6") and axi.has_port("aclk")


def test_a_sample_of_many_routes(monkeypatch, tmp_path):
    monkeypatch.setattr("fatcube.noc.descriptions.network_file.MOST_ROUTES", 63)
    network = RoutedNetwork(Mesh(w=2, d=3))
    about = network_json(network, Fabric(network).shared())
    assert about["routing"]["routes"] is None and len(about["routing"]["sample"]) == 4096
    routes = read(about, tmp_path).routes()
    assert len(routes) == 4096
    assert all(arrives(network, route.source, route.header) == route.destination for route in routes)


def test_another_file_is_refused():
    with pytest.raises(ParameterError, match="^format must be one of fatcube.router/1, .*, not 'fatcube.schedule/2'$"):
        Description({"format": "fatcube.schedule/2"})


def test_the_turns_of_a_router(tmp_path):
    network = RoutedNetwork(Torus(w=4, d=1))
    about = read(router_json(network, shared_router(network, counters=True)), tmp_path).about
    assert about["turns"] == [list(network.router().reach(number)) for number in range(3)]
    assert about["lanes"] == {"channels": 2, "classes": 2, "depth": 3, "answers": 0}
    assert {"flit_count", "clk"} <= {port["name"] for port in about["ports"]}
    for number, turns in enumerate(about["example"]["headers"]):
        assert {turn["output"] for turn in turns} == set(about["turns"][number])
        illegal = about["example"]["illegal"][number]
        assert illegal is None or illegal not in {turn["sent"] for turn in turns}


def test_what_a_system_is_to_show(tmp_path):
    network = Network(FatCube(1, 2))
    machine = fitting_machine(network)
    about = read(system_json(machine, System(machine).shared()), tmp_path).about
    schedule = construct(Problem(network.topology, network.options.ports, Collective.AAB)).schedule
    runs = {
        mode: written_run(machine, Run(schedule=schedule, lockstep=mode == "lockstep"))
        for mode in ("lockstep", "dataflow")
    }
    assert [len(run["wires"]) for run in runs.values()] == [len(about["monitors"])] * 2
    assert (runs["lockstep"]["steps"], runs["dataflow"]["steps"]) == (schedule.steps, 0)
    assert "cycles" in runs["lockstep"] and "cycles" not in runs["dataflow"]
    assert {packet["step"] for wire in runs["lockstep"]["wires"] for packet in wire} == set(
        range(1, schedule.steps + 1)
    )
    assert {packet["step"] for wire in runs["dataflow"]["wires"] for packet in wire} == {0}
    assert len(runs["lockstep"]["deliveries"]) == len(runs["lockstep"]["job"]["reads"])
    assert about["host"]["regions"]["TRACE"] == 5 and isinstance(machine, Machine)


def first(pauses, count):
    return [next(pauses) for _ in range(count)]


def test_pauses():
    assert first(periodic_pauses(2, 1), 6) == [False, False, True] * 2
    assert list(listed_pauses([True, False])) == [True, False]
    some = first(random_pauses(0.25, seed=3), 4000)
    assert some == first(random_pauses(0.25, seed=3), 4000) != first(random_pauses(0.25, seed=4), 4000)
    assert 800 < sum(some) < 1200 and random.Random(0)
    for wrong in (lambda: random_pauses(1.5), lambda: periodic_pauses(0, 1), lambda: listed_pauses([2])):
        with pytest.raises(ParameterError):
            wrong()
