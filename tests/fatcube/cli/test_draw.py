"""The command `fatcube draw`: what is drawn is what the network, its routing and its schedules say."""

from collections import Counter
from fractions import Fraction
import itertools
import json
import math
from pathlib import Path
import re
from xml.etree import ElementTree

import pytest

from fatcube.noc.descriptions.network_file import network_json
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing import make_routing
from fatcube.noc.topologies import make_topology
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule_file import write_schedule
from fatcube.schedules.step_model import StepModel
from tests.support.cases import some
from tests.support.commands import run

SVG = "{http://www.w3.org/2000/svg}"
IRREGULAR = {
    "format": "fatcube.topology/1",
    "nodes": [
        {"name": "cpu", "processors": 2},
        {"name": "dram-controller"},
        {"name": "switch <1>", "processors": 0},
        {"name": "io"},
    ],
    "links": [["cpu", "switch <1>"], {"from": "io", "to": "switch <1>", "lanes": 3}, ["dram-controller", "cpu"]],
}
ONE_WAY = {
    "format": "fatcube.topology/1",
    "nodes": [{"name": name} for name in "abcd"],
    "links": [
        {"from": one, "to": other, "one_way": True, "lanes": lanes}
        for one, other, lanes in (("a", "b", 1), ("b", "a", 1), ("b", "c", 2), ("c", "d", 1), ("d", "a", 1))
    ],
}


@pytest.fixture
def drawn(monkeypatch, capsys, tmp_path):
    """Draws a network; gives the parsed drawing, the record beside it and what was said on standard error."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "irregular.json").write_text(json.dumps(IRREGULAR))
    (tmp_path / "one-way.json").write_text(json.dumps(ONE_WAY))

    def draw(flags):
        status, _, err = run(monkeypatch, capsys, "draw", *flags.split(), "-o", "net.svg", "--json", "net.json")
        assert status == 0, err
        record = json.loads((tmp_path / "net.json").read_text())
        return ElementTree.parse(tmp_path / "net.svg").getroot(), record["measured"], err

    return draw


def having(root, name):
    """The elements of a class."""
    return [one for one in root.iter() if name in one.get("class", "").split()]


def lanes(root):
    """The lanes of a drawing, without those of its legend."""
    return [one for one in having(root, "lane") if one.get("data-low")]


def numbers(element):
    """The points of a path."""
    return [tuple(map(float, pair.split())) for pair in re.findall(r"[ML]([^MLZ]+)", element.get("d"))]


def nearest(record, place):
    """The node that a place is nearest to."""
    return min(record["nodes"], key=lambda node: math.dist(node["at"], place))["node"]


def leading(root, record):
    """From which node to which arrows lead: from where their line begins to where the tip of their head is."""
    found = Counter()
    for lane in lanes(root):
        heads, lines = having(lane, "head"), having(lane, "line")
        assert len(heads) in (0, len(lines))
        for line, head in zip(lines, heads):
            tip, *base = numbers(head)
            start, end = numbers(line)[0], numbers(line)[-1]
            assert math.dist(start, tip) > max(math.dist(start, place) for place in base)
            assert math.dist(end, tip) < 12
            found[nearest(record, start), nearest(record, tip)] += 1
    return found


def topology_of(flags):
    """The topology of flags, as a library makes it."""
    words = flags.split()
    if "--links" in words:
        return make_topology("oriented-cube", d=3)
    options = {flag.lstrip("-").replace("-", "_"): value for flag, value in zip(words[::2], words[1::2])}
    text = ("topology", "topology_file", "w", "lanes_of", "failed")
    return make_topology(**{name: value if name in text else int(value) for name, value in options.items()})


class TestNetwork:
    @pytest.mark.parametrize(
        "flags",
        [
            "-d 3 -m 4 -f 2",
            "--topology mesh -w 3 -d 3",
            "--topology torus -w 4 -d 2 -f 3",
            "--topology ring -n 5",
            "--topology star -n 6",
            "--topology tree -w 2 -d 3 -m 2",
            "--topology butterfly -n 2",
            "--topology wrapped-butterfly -n 2",
            "--topology wrapped-butterfly -n 3",
            "--topology ccc -n 2",
            "--topology ccc -n 3 -k 4",
            "--topology dense-ghc -w 3,2",
            "--topology sparse-ghc -w 3,2",
            "--topology hypercube -d 6",
            "-d 3 --links simplex",
            "--topology-file irregular.json",
            "--topology-file one-way.json",
            "--topology mesh -w 4 -d 2 --lanes-of 0=2",
        ],
    )
    def test_every_lane_is_drawn_once(self, drawn, flags):
        """Catches a lane that is left out or drawn twice, an end at another node, and two things in one place."""
        root, record, _ = drawn(flags)
        topology = topology_of(flags)
        shown = [int(one.get("data-node")) for one in having(root, "node") if one.get("data-node")]
        assert sorted(shown) == [*range(topology.nodes)]
        assert len(having(root, "processor")) == topology.processors
        lines = [line for lane in lanes(root) for line in having(lane, "line")]
        ends = [sorted(nearest(record, point) for point in (numbers(line)[0], numbers(line)[-1])) for line in lines]
        assert sorted(ends) == sorted(sorted(edge[:2]) for edge in topology.graph.edges)
        assert len({line.get("d") for line in lines}) == len(lines)
        places = [tuple(one["at"]) for one in (*record["nodes"], *record["processors"])]
        assert len(set(places)) == len(places)
        if topology.directed:
            assert leading(root, record) == Counter(edge[:2] for edge in topology.graph.edges)
        else:
            assert not leading(root, record)

    def test_names(self, drawn):
        """Catches a name that is not escaped, and one for which there is no room that is left out without a word."""
        root, _, err = drawn("--topology-file irregular.json")
        texts = [one.text for one in root.iter(f"{SVG}text")]
        assert {"cpu", "dram-controller", "switch <1>", "io"} <= set(texts) and err == ""
        root, _, err = drawn("--topology ccc -n 6 -m 2")
        missing = sum(map(int, re.findall(r"no room for the names? of (\d+) ", err)))
        assert (
            missing and missing + len(list(root.iter(f"{SVG}text"))) == 6 * 2**6 * 3
        )  # nodes, and two processors on each
        assert len(err.splitlines()) <= 2

    def test_what_has_failed(self, drawn):
        """Catches what has failed and is drawn whole, what works and is drawn as failed, and a wrong direction left."""
        root, record, _ = drawn("--topology mesh -w 3 -d 2 -f 2 --failed link:0-1,lane:1-2:1:out,node:8,processor:3")
        states = {}
        for lane in lanes(root):
            names = [line.get("class") for line in having(lane, "line")]
            states.setdefault((int(lane.get("data-low")), int(lane.get("data-high"))), []).append(
                (*names, len(having(lane, "cross")))
            )
        assert states.pop((0, 1)) == [("line failed", 1)] * 2
        assert states.pop((1, 2)) == [("line", 0), ("line one-left", 1)]
        assert states.pop((5, 8)) == states.pop((7, 8)) == [("line failed", 0)] * 2
        assert len(states) == 8 and set(map(tuple, states.values())) == {(("line", 0), ("line", 0))}
        assert leading(root, record) == {(2, 1): 1}
        failed = {
            name: [one for one in having(root, name) if "failed" in one.get("class").split()]
            for name in ("node", "processor")
        }
        assert {one.get("data-node") for one in failed["node"]} == {"8", None}
        assert {one.get("data-processor") for one in failed["processor"]} == {"3", "8"}
        assert all(having(one, "cross") for one in failed["processor"])

    def test_half_duplex(self, drawn):
        root, _, _ = drawn("-d 2 -f 2 --links half-duplex")
        assert all(having(lane, "lozenge") for lane in lanes(root))
        root, _, _ = drawn("-d 2 -f 2")
        assert not having(root, "lozenge")

    def test_file(self, monkeypatch, capsys, tmp_path):
        """Catches what is loaded from elsewhere, and text that differs between two runs."""
        texts = [
            run(monkeypatch, capsys, "draw", *"--topology mesh -w 4 -d 2 --lanes-of 1=2".split()) for _ in range(2)
        ]
        assert texts[0] == texts[1] and texts[0][0] == 0 and texts[0][2] == ""
        text = texts[0][1].replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?:|href|@import|url\(", text)
        root = ElementTree.fromstring(texts[0][1])
        assert root.get("role") == "img" and [one.tag for one in root][:2] == [f"{SVG}title", f"{SVG}desc"]
        assert "prefers-color-scheme: dark" in text

    @pytest.mark.parametrize("name", ["mesh.pdf", "mesh.PNG", "mesh.svgz"])
    def test_another_format_is_refused(self, monkeypatch, capsys, tmp_path, name):
        status, out, err = run(monkeypatch, capsys, "draw", "-d", 2, "-o", tmp_path / name)
        ending = name.partition(".")[2]
        assert (status, out) == (2, "")
        assert err == f"fatcube: output must end in .svg, as a drawing is one, not .{ending}\n"
        assert list(tmp_path.iterdir()) == []

    def test_beside_a_network(self, monkeypatch, capsys, tmp_path):
        monkeypatch.chdir(tmp_path)
        flags = ["--topology", "ring", "-n", "4", "--links", "half-duplex"]
        generate = ["generate", "network", *flags, "--routing", "none", "--with", "picture", "-o"]
        assert run(monkeypatch, capsys, *generate, "net.v")[0] == 0
        assert run(monkeypatch, capsys, "draw", *flags, "-o", "drawn.svg")[0] == 0
        assert Path("net.svg").read_text() == Path("drawn.svg").read_text()
        assert run(monkeypatch, capsys, *generate, "net.svg")[::2] == (
            2,
            "fatcube: output must be named otherwise than the files beside it, not net.svg\n",
        )


class TestLoads:
    @pytest.mark.parametrize(
        ("flags", "lane_sets_it"),
        some(
            [
                ("--topology ccc -n 2", True),
                ("--topology mesh -w 4 -d 2 --failed link:1-5,node:10 --ports d --pattern hot-spot", True),
                ("--topology torus -w 5 -d 2 --pattern tornado", True),
                ("--topology mesh -w 4 -d 2 --routing up-down", True),
                ("-d 2 -m 2 -f 2 --lanes by-source --pattern hot-spot", False),
            ],
            [0],
        ),
    )
    def test_the_highest_load_sets_the_bound(self, monkeypatch, capsys, drawn, flags, lane_sets_it):
        """Catches loads of another traffic or routing: `fatcube load` prints the bound, from a run on the RTL."""
        root, record, _ = drawn(f"{flags} --loads")
        few = "--loads 0.01 --warm-up 1 --measured 60 --repeats 1"
        status, out, err = run(monkeypatch, capsys, "load", *flags.split(), *few.split())
        assert status == 0, err
        printed = re.search(r"take a load of at most (\S+) from", " ".join(out.split()))[1]
        lines = [
            one for lane in lanes(root) for one in having(lane, "line") if "failed" not in one.get("class").split()
        ]
        loads = [Fraction(one.get("data-load")) for one in lines]
        assert f"{record['loads']['bound']:.3f}" == printed
        assert Fraction(record["loads"]["most"]) == max(loads)
        assert (f"{float(1 / max(loads)):.3f}" == printed) == lane_sets_it
        assert f"at most {printed} from" in " ".join(one.text for one in root.iter(f"{SVG}text"))
        assert sum(leading(root, record).values()) == len(loads)

    def test_each_lane_has_its_own(self, drawn):
        """Every direction has the sum of what all ways bring it, walked way by way."""
        root, _, _ = drawn("--topology mesh -w 3 -d 2 --routing up-down --loads")
        topology = make_topology("mesh", w=3, d=2)
        network = RoutedNetwork(topology, routing=make_routing("up-down", topology))
        expected = Counter()
        for source, _, way in network.ways.ways():
            node = source
            for hop in way:
                other, _ = network.topology.neighbour(node, hop.channel)
                expected[node, other] += Fraction(1, 9)
                node = other
        found = {
            (int(one.get("data-from")), int(one.get("data-to"))): Fraction(one.get("data-load"))
            for lane in lanes(root)
            for one in having(lane, "line")
        }
        assert found == expected
        widths = {}
        for lane in lanes(root):
            for one in having(lane, "line"):
                widths[Fraction(one.get("data-load"))] = float(one.get("style").partition(":")[2])
        assert [widths[load] for load in sorted(widths)] == sorted(widths.values())


def walked(about, source, target):
    """The ways of packets as the headers in a network's description have them, which name an output at each router."""
    assert about["routing"]["addressing"] == "route" and about["routing"]["classes"] == 1
    fields = [one for one in about["header"] if one["field"].startswith("selector of router")]
    outputs = [one["output"] for one in about["router"]["inputs_and_outputs"]]
    leads = {(link["node"], link["channel"]): link["to"] for link in about["links"]}
    found = []
    for value in about["routing"]["routes"][source][target]:
        node, way = about["processors"][source]["node"], []
        for field in fields:
            name = outputs[int(value, 16) >> field["low"] & (1 << field["bits"]) - 1]
            taken = re.fullmatch(r"channel(\d+)_lane(\d+)_out", name)
            if taken is None:
                assert name.startswith(f"processor{about['processors'][target]['local']}_")
                break
            channel, lane = map(int, taken.groups())
            other = leads[node, channel]
            beside = sorted(one for (here, one), there in leads.items() if (here, there) == (node, other))
            way.append((node, other, beside.index(channel) * about["links"][0]["lanes"] + lane))
            node = other
        assert node == about["processors"][target]["node"]
        found.append(way)
    return found


class TestRoute:
    @pytest.mark.parametrize(
        "flags",
        [
            "--topology mesh -w 4 -d 2 --failed link:1-5,node:10 --route 1 13 --routing up-down",
            "--topology mesh -w 4 -d 2 -f 2 --lanes-of 0=3 --route 13 2 --routing up-down",
            "--topology ccc -n 3 --route 0 9 --routing up-down",  # another way than the default routing takes
            "-d 3 -m 2 -f 3 --lanes in-turn --route 1 14",
            "-d 2 -m 2 --route 2 3",
        ],
    )
    def test_is_what_headers_say(self, monkeypatch, capsys, tmp_path, drawn, flags):
        """The hops are those of the source routes that the generated network's description has."""
        root, record, _ = drawn(flags)
        words = flags.split()
        place = words.index("--route")
        source, target = map(int, words[place + 1 : place + 3])
        del words[place : place + 3]
        routing = [] if "--routing" in words else ["--routing", "default"]
        # The description is written beside the Verilog, which takes most of a second and is not read here.
        described = []
        monkeypatch.setattr(
            "fatcube.cli.generate.network.network_json",
            lambda *what, **how: described.append(network_json(*what, **how)) or described[-1],
        )
        assert run(monkeypatch, capsys, "generate", "network", *words, *routing, "--dry-run")[0] == 0
        about = json.loads(json.dumps(described.pop()))
        ways = [[tuple(hop) for hop in way] for way in record["route"]["ways"]]
        assert ways == walked(about, source, target)
        trails = [one for one in having(root, "trail") if one.get("data-source")]
        assert len(trails) == len(ways)
        nodes = {one["node"]: one["at"] for one in record["nodes"]}
        for trail, way in zip(trails, ways):
            points = numbers(having(trail, "line")[0])
            visited = [min(nodes, key=lambda node: math.dist(nodes[node], point)) for point in points]
            visited = [node for node, _ in itertools.groupby(visited)]
            assert visited == [*([way[0][0]] if way else visited[:1]), *(node for _, node, _ in way)]
            tip = numbers(having(trail, "head")[0])[0]
            assert math.dist(tip, record["processors"][target]["at"]) < math.dist(
                tip, record["processors"][source]["at"]
            )
        hops = {number for way in ways for number, _ in enumerate(way, start=1)}
        assert {int(one) for badge in having(root, "badge") for one in badge[1].text.split(",")} == hops


class TestStep:
    @pytest.mark.parametrize(
        ("topology", "ports", "collective", "model"),
        [
            (make_topology("fat-cube", d=2, m=2), "d", "AAB", StepModel()),
            (make_topology("torus", w=3, d=2), "1", "OAB", StepModel(transfers="direct")),
            (make_topology("hypercube", d=3), "1", "AAB", StepModel(links="half-duplex")),
            (make_topology("fat-cube", d=2, f=2), "d", "AAB", StepModel(links="simplex")),
        ],
    )
    def test_every_transfer_is_drawn(self, drawn, topology, ports, collective, model):
        """Catches a transfer of another step, and one over another lane."""
        schedule = construct(Problem(topology, ports, collective, 0, model)).schedule
        write_schedule(schedule, "s.json")
        number = schedule.steps - 1
        root, record, _ = drawn(f"--schedule s.json --step {number}")
        expected = sorted(
            [one.src, one.dst, [list(hop) for hop in one.hops(topology)], [one.message.to_json()]]
            for one in schedule.expanded().transfers
            if one.step == number
        )
        assert (
            sorted([*map(one.get, ("src", "dst", "hops", "messages"))] for one in record["step"]["transfers"])
            == expected
        )
        trails = [
            (int(one.get("data-source")), int(one.get("data-target")))
            for one in having(root, "trail")
            if one.get("data-source")
        ]
        assert sorted(trails) == sorted((src, dst) for src, dst, *_ in expected)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("-d 2 --routing default", "--routing requires --loads or --route"),
        ("-d 10", "nodes must be at most 512 of a network that is drawn, fat cube d = 10, not 1,024"),
        (
            "-d 2 -m 4096",
            "processors must be at most 4,096 of a network that is drawn, fat cube d = 2, m = 4096, not 16,384",
        ),
        (
            "-d 2 -f 65",
            "lanes between two nodes must be at most 64 of a network that is drawn, fat cube d = 2, f = 65, not 65",
        ),
        ("-d 2 --route 0 4", "target of the route must be an integer from 0 to 3, not 4"),
        ("-d 2 --failed processor:3 --route 0 3", "target of the route must be a processor that works, not 3"),
        ("-d 2 --route 0 3 --loads", "--route must be left out with --loads, not '0' '3'"),
        ("-d 2 --step 2", "--step requires a schedule (--schedule)"),
        ("-d 2 --pattern tornado", "--pattern requires --loads"),
        ("--schedule s.json -d 3", "-d must be left out with a schedule (--schedule), which has its network, not 3"),
        ("--schedule s.json --step 9", "step must be an integer from 1 to 2, the steps of OAB, not 9"),
    ],
)
def test_refused(monkeypatch, capsys, tmp_path, flags, message):
    """One line, and no file."""
    monkeypatch.chdir(tmp_path)
    write_schedule(construct(Problem(make_topology("hypercube", d=2), "1", "OAB")).schedule, "s.json")
    status, out, err = run(monkeypatch, capsys, "draw", *flags.split(), "-o", "net.svg")
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")
    assert not Path("net.svg").exists()
