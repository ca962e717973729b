"""The switch: a network of one node and no links, by its name and from a file, under packets and in steps."""

import json
import math
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.cost import price
from fatcube.noc.measures import Bisection, Measures, measure
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing import make_routing
from fatcube.noc.routing.dependencies import dependencies
from fatcube.noc.routing.loads import lane_loads, load_bound
from fatcube.noc.routing.shortest_path import ShortestPath
from fatcube.noc.topologies import make_topology, topology_from_json
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.failures import parse_failures
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.graph_file import read_topology
from fatcube.noc.topologies.switch import Switch
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from tests.support.commands import run

FILE = {"format": "fatcube.topology/1", "nodes": [{"name": "xbar", "processors": 8}], "links": []}


def test_one_node_without_links():
    """Catches a node or a link too many, and measures that divide by the pairs of nodes, of which there are none."""
    switch = Switch(8)
    assert (switch.nodes, switch.degree, switch.m, switch.processors, switch.channels) == (1, 0, 8, 8, 0)
    assert measure(switch) == Measures(1, 0, 0, 0, 0, Bisection(0, 0, frozenset(), "no link"), 0)
    cost = price(switch, "1")
    assert (cost.a, cost.b, cost.ab, cost.router_cost, cost.links) == (8, 8, 64, 64, 0)
    assert topology_from_json(switch.to_json()) == switch == make_topology("switch", n=8)


def test_a_file_of_one_node_is_a_switch(tmp_path, monkeypatch, capsys):
    """Catches hardware that depends on how the network was described."""
    (tmp_path / "one.json").write_text(json.dumps(FILE))
    graph = read_topology(tmp_path / "one.json")
    assert graph == Graph(("xbar",), (8,), ()) and measure(graph) == measure(Switch(8))
    texts = []
    for arguments in (["--topology-file", tmp_path / "one.json"], ["--topology", "switch", "-n", 8]):
        assert run(monkeypatch, capsys, "generate", "network", *arguments, "-o", tmp_path / "net.v")[0] == 0
        texts.append((tmp_path / "net.v").read_text())
    verilog = [[line for line in text.splitlines() if not line.startswith("//")] for text in texts]
    assert verilog[0] == verilog[1]
    assert "8 processors on 1 node, 1 port per processor; crossbar 8 x 8; 0 links." in texts[0]
    assert "routes of at most 0 links" in texts[0] and "at most 0 hops" in texts[0]


def test_a_header_has_one_selector():
    """Catches a place in headers for the router behind a link that is not there."""
    router = RoutedNetwork(Switch(8), RouterOptions(width=6)).router()
    assert router.header.fields() == [("selector of router 0", 0, 3), ("message id", 3, 3)]
    assert (router.crossbar_ports, router.reach(0)) == (8, tuple(range(8)))
    with pytest.raises(ParameterError, match="width must be an integer of at least 6 "):
        RoutedNetwork(Switch(8), RouterOptions(width=5))


def test_headers_may_provide_for_no_hop():
    """As in a study of failures, where they have room for the longest way of any network."""
    routing = ShortestPath(Switch(4), least_hops=0)
    assert RoutedNetwork(Switch(4), routing=routing).router() == RoutedNetwork(Switch(4)).router()


@pytest.mark.parametrize("name", ["shortest-path", "up-down", "disjoint"])
def test_routings_have_no_route(name):
    """Catches a routing that looks for a way where there is none to look for."""
    routing = make_routing(name, Switch(5))
    assert (routing.classes, routing.longest, [*routing.ways()], lane_loads(routing)) == (1, 0, [], {})
    assert len(dependencies(routing)) == 0 and routing.way(0, 0) == ()
    assert load_bound(routing) == 1
    all_to_one = [[1, 0, 0, 0, 0]] * 5
    assert load_bound(routing, all_to_one) == pytest.approx(1 / 5)
    with pytest.raises(ParameterError, match="must be 0, not 1"):
        routing.way(0, 1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Switch(1), "Switch n must be an integer from 2 to 4294967296, not 1"),
        (lambda: make_topology("switch", n=4, m=2), "topology switch has parameters n, not m (-m)"),
        (lambda: make_topology("switch", n=4, f=2), "Switch f must be 1, not 2"),
        (lambda: make_topology("switch"), "topology switch needs the parameter n (-n)"),
        (
            lambda: Network(Switch(4), RouterOptions(ports="d")),
            "ports must be 1, b or * on a node without links, as model d has a port for each link, not d",
        ),
        (
            lambda: damaged(Switch(4), parse_failures("link:0-1")),
            "failures of the switch of 4 processors must be processors, as it has no links, not link:0-1",
        ),
        (
            lambda: damaged(Switch(4), parse_failures("node:0")),
            "failures must leave two processors or more of the switch of 4 processors, not 0, as node:0 do",
        ),
        (
            lambda: make_routing("dimension-order", Switch(4)),
            "topology of dimension-order routing must be one whose nodes",
        ),
        (lambda: Graph(("a",), (1,), ()), "processors of a graph must be an integer of at least 2, not 1"),
        (lambda: Graph(("a",), (4,), ((0, 0),)), "links must join two nodes, not 'a' with itself"),
        (lambda: Graph(("a", "b"), (1, 1), ()), "links of a graph must be an integer from 1 to 1100000, not 0"),
    ],
)
def test_refused(make, message):
    with pytest.raises(ParameterError, match=re.escape(message)):
        make()


#: The fewest steps by counting, for n processors that send to any other one: in model 1 to one, in model * to all.
STEPS = {
    "OAB": {"1": lambda n: math.ceil(math.log2(n)), "b": lambda n: 1, "*": lambda n: 1},
    "OAS": {"1": lambda n: n - 1, "b": lambda n: n - 1, "*": lambda n: 1},
    "AOR": {"1": lambda n: math.ceil(math.log2(n)), "b": lambda n: math.ceil(math.log2(n)), "*": lambda n: 1},
    "AAB": {"1": lambda n: n - 1, "b": lambda n: n - 1, "*": lambda n: 1},
    "AAR": {"1": lambda n: n - 1, "b": lambda n: n - 1, "*": lambda n: 1},
    "AAS": {"1": lambda n: n - 1, "b": lambda n: n - 1, "*": lambda n: 1},
}


@pytest.mark.parametrize("collective", STEPS)
@pytest.mark.parametrize("ports", ["1", "b", "*"])
def test_steps(collective, ports):
    """Catches a bound above what is possible, and a schedule with more steps than it takes."""
    for n in (2, 3, 4, 7, 8):
        finding = construct(Problem(Switch(n), ports, collective, 0))
        steps = STEPS[collective][ports](n)
        assert (check(finding.found).steps, finding.bound.steps) == (steps, steps), n


@pytest.mark.parametrize(
    "ports", ["1", pytest.param("b", marks=pytest.mark.long), pytest.param("*", marks=pytest.mark.long)]
)
def test_a_collective_runs(ports):
    """All messages arrive word by word, in the steps of the schedule, and no share of no lanes is made up."""
    schedule = construct(Problem(Switch(4), ports, "AAB")).found
    machine = fitting_machine(Network(Switch(4), RouterOptions(ports=ports)), payload_flits=4, steps=schedule.steps)
    result = simulate(machine, Run(schedule=schedule, payload_flits=4))
    assert (result.steps, result.conflicts, result.delivered, result.failures) == (schedule.steps, 0, 16, ())
    assert (result.lane_flits, result.lane_utilisation) == (0, None)


def test_packets_arrive():
    """Every packet is checked; the latency is that of one router, and a receiver is what limits a hot spot."""
    test = LoadTest(RoutedNetwork(Switch(4)), LoadOptions(packet_flits=(8,), details=True, repeats=2))
    assert (test.bound, test.latency_without_load) == (1, 8)  # a router of one cycle, and 8 - 1 flits behind the header
    few, many = test.points([0.01, 1.0])
    assert not few.failures and not many.failures and not few.lanes
    assert few.histogram[0][0] == 8 and few.accepted == pytest.approx(few.offered, rel=0.05)
    assert many.saturated and 0.5 < many.accepted < 1
    assert {(pair.source, pair.destination) for pair in many.pairs} == {(a, b) for a in range(4) for b in range(4)}


@pytest.mark.parametrize("pattern", ["tornado", "neighbour"])
def test_patterns_that_need_coordinates_are_refused(pattern):
    with pytest.raises(ParameterError, match=f"topology must be one whose nodes have coordinates for {pattern}, not"):
        LoadTest(RoutedNetwork(Switch(4)), LoadOptions(pattern=pattern))


def test_a_processor_that_has_failed():
    """Catches a switch without one processor that is taken for a smaller switch."""
    left = damaged(Switch(4), parse_failures("processor:1"))
    assert [*left.working] == [0, 2, 3]
    [point] = LoadTest(RoutedNetwork(left), LoadOptions(repeats=1, measured=1000)).points([0.2])
    assert not point.failures and point.accepted == pytest.approx(point.offered, rel=0.1)


SWITCH = ["--topology", "switch", "-n", 4]


@pytest.mark.parametrize(
    ("option", "value"),
    [("--links", "half-duplex"), ("--turn-round", 3), ("--link-stages", 2), ("--lanes", "in-turn"), ("--hops", 3)],
)
def test_options_of_links_change_no_bit(monkeypatch, capsys, tmp_path, option, value):
    """Catches a lane that stands in the Verilog without a place, and an option that is ignored in silence."""
    further = {"--hops": ["--routing", "none"], "--turn-round": ["--links", "half-duplex"]}.get(option, [])
    texts = []
    for given in (further, [*further, option, value]):
        status, _, err = run(monkeypatch, capsys, "generate", "network", *SWITCH, *given, "-o", tmp_path / "net.v")
        assert status == 0
        lines = (tmp_path / "net.v").read_text().splitlines()
        texts.append([line for line in lines if not line.startswith("//")])
    assert texts[0] == texts[1] and not any(line.startswith("module lane") for line in texts[0])
    assert f"{option} {value} changes nothing here, where there are no links\n" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            "draw {} --loads -o {folder}/a.svg --json {folder}/a.json",
            "switch of 4 processors, 1 node, 4 processors, 0 lanes",
        ),
        ("models {} --dry-run", "checked: "),
        ("faults {} --dry-run", "checked: "),
        ("board build ulx3s-85f {} --dry-run", "switch of 4 processors can be built for the ULX3S"),
        ("synthesize {} --dry-run", "the router of the switch of 4 processors, shortest-path routing, at most 0 hops,"),
    ],
)
def test_commands(monkeypatch, capsys, tmp_path, arguments, said):
    """Catches a command that takes the largest of no links."""
    words = arguments.format(" ".join(map(str, SWITCH)), folder=tmp_path).split()
    status, out, _ = run(monkeypatch, capsys, *words)
    assert status == 0 and said in out.replace("\n", " ")


def test_details_without_lanes(monkeypatch, capsys):
    """Catches a table of the busiest of no lanes."""
    status, out, _ = run(monkeypatch, capsys, "load", *SWITCH, "--loads", "0.2", "--measured", 500, "--details")
    assert status == 0 and "latency without load 8.0 cycles" in out and "busiest" not in out


def test_compare(monkeypatch, capsys):
    """The switch is the baseline, first in the table, of models in which its processors have ports."""
    for ports, has in (("1", True), ("d", False)):
        status, out, _ = run(
            monkeypatch, capsys, "compare", "--processors", 8, "--tolerance", 0, "--ports", ports, "--dry-run"
        )
        assert status == 0 and ("networks can be compared: switch of 8 processors; hypercube of 8 nodes" in out) == has
        assert ("switch" in out) == has


def test_processors_on_one_node_of_several():
    """Catches a routing over disjoint paths that looks for the most of no paths."""
    graph = Graph(("a", "b"), (3, 0), ((0, 1),))
    routing = make_routing("disjoint", graph)
    assert (routing.classes, routing.longest, lane_loads(routing)) == (1, 0, {(0, 0, 0): 0, (1, 0, 0): 0})
