"""`fatcube load` from the command line: table, JSON, page, other curves, and what it refuses."""

import json

import pytest

from tests.support.commands import run

QUICK = ["--topology", "hypercube", "-d", "2", "--measured", "300", "--warm-up", "50", "--repeats", "2"]
pytestmark = pytest.mark.xdist_group("load of a square")


def test_curve(monkeypatch, capsys, tmp_path):
    """The loads asked for, in the table, in the record, and in a page with another network's curve beside it."""
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    status, out, err = run(monkeypatch, capsys, "load", *QUICK, "--loads", "0.1,0.4", "--json", first)
    assert status == 0
    title = " ".join(out.partition("┏")[0].split())
    assert title.startswith("load on the ") and title.endswith(" routing, uniform, packets of 8 flits"), title
    assert title.count("uniform") == 1
    assert "0.100" in out and "0.400" in out and "latency without load 9.0 cycles" in out
    points = json.loads(first.read_text())["measured"]["points"]
    assert all(0 < point["least"] <= point["accepted"] for point in points)
    assert (
        f"from every processor; accepted at most {max(point['accepted'] for point in points):.3f} on average and "
        in out
    )
    assert (
        f"and {max(point['least'] for point in points):.3f} from the worst-served processor\nnot saturated at a load of 0.4\n"
        in out
    )
    record = json.loads(first.read_text())
    assert [point["load"] for point in record["measured"]["points"]] == [0.1, 0.4]
    assert record["measured"]["saturation"] is None  # It was not looked for.
    assert record["parameters"]["routing"] == "dimension-order"
    page = tmp_path / "page.html"
    fat = ["load", "-d", "2", *QUICK[4:], "--pattern", "neighbour"]  # of the same nodes, which are built
    status, out, err = run(
        monkeypatch, capsys, *fat, "--loads", "0.2", "--json", second, "--beside", first, "--page", page
    )
    assert status == 0, err
    text = page.read_text()
    assert "hypercube of 4 nodes" in text and "fat cube d = 2" in text and "neighbour" in text


@pytest.mark.parametrize(
    "topology", [["hypercube", "-d", "8"], pytest.param(["hypercube", "-d", "10"], marks=pytest.mark.long)]
)
def test_large_networks_are_prepared(monkeypatch, capsys, topology):
    status, out, err = run(monkeypatch, capsys, "load", "--topology", *topology, "--dry-run")
    assert (status, err) == (0, "")
    assert out.endswith("can be measured under uniform traffic; nothing was done (--dry-run)\n")


def test_too_large_networks_are_refused(monkeypatch, capsys):
    """Before a route is followed."""
    status, out, err = run(monkeypatch, capsys, "load", "-d", "8", "-m", "32", "--dry-run")
    message = "processors must be at most 4,096 to measure the fat cube d = 8, m = 32 under load, not 8,192"
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")


@pytest.mark.parametrize("traffic", ["", "--routing default", "--interface axi4-stream"])
def test_a_network_with_too_many_ports_is_not_generated(monkeypatch, capsys, traffic):
    """Nor is a route followed: 4,096 ports of 35 bits each."""
    monkeypatch.setattr("fatcube.noc.routing.routing.Routing.trees", None)
    status, out, err = run(monkeypatch, capsys, "generate", "network", "-d", "12", *traffic.split())
    message = "ports of module fabric must have at most 65532 bits of input, which is what Amaranth can write, not 143360: 1872 of these 4096 nodes fit"
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")


def test_saturation_is_looked_for(monkeypatch, capsys, tmp_path):
    """Twelve loads, all but the last two of them below the saturation that was found, or all up to 1 if there is none."""
    file = tmp_path / "square.json"
    status, out, _ = run(monkeypatch, capsys, "load", *QUICK, "--json", file)
    assert status == 0
    measured = json.loads(file.read_text())["measured"]
    assert f"saturated from a load of {measured['saturation']:.3f} on" in out
    loads = [point["load"] for point in measured["points"]]
    assert len(loads) == 12 and loads == sorted(loads) and loads[-1] == 1
    assert loads[9] == pytest.approx(measured["saturation"], abs=1e-4)
    assert measured["points"][-1]["saturated"] and not measured["points"][0]["saturated"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--loads", "0"], "load must be a finite number above 0 and at most 1, not 0.0"),
        (["--loads", "0.1,2"], "load must be a finite number above 0 and at most 1, not 2.0"),
        (["--loads", "-1"], "load must be a finite number above 0 and at most 1, not -1.0"),
        (["--loads", "nan"], "load must be a finite number above 0 and at most 1, not nan"),
        (["--loads", "0.1,"], "loads must be comma-separated numbers, not '0.1,'"),
        (["--pattern", "storm"], "pattern must be one of"),
        (["--pattern", "uniform", "--hotspot", "1:0.1"], "pattern must be left out with hotspot, which says where packets go"),
        (["--hotspot", ""], "hotspot must say where packets go, or be left out, not be empty"),
        (["--traffic", ""], "traffic must say where packets go, or be left out, not be empty"),
        (["--routing", "none"], "routing must be one of default, "),
        (["--ports", "b", "--switching", "wormhole"], "switching must be virtual-cut-through with model b and a routing"),
        (["--beside", "nothing.json"], "file must be one that exists, not 'nothing.json'"),
        (["--routing-file", "nothing.json"], "file must be one that exists, not 'nothing.json'"),
        (["--addressing", "destination", "--lanes", "in-turn", "-f", "2"], "lanes must be fixed or by-source where headers carry destinations"),
        (["--lanes", "in-turn", "-f", "2"], "lanes must be fixed or by-source for traffic sources, not in-turn"),
        (["--routing", "disjoint", "--ports", "d", "--width", "64", "--reply-flits", "5"], "routing must have one route for each pair with replies"),
    ],
)  # fmt: skip
def test_refused(monkeypatch, capsys, arguments, message):
    topology = ["-d", "2"] if {"-f", "disjoint"} & {*arguments} else QUICK[:4]
    for further in ([], ["--dry-run"]):
        status, out, err = run(monkeypatch, capsys, "load", *topology, *arguments, *further)
        assert (status, out) == (2, "")
        assert message in err and err.count("\n") == 1


def test_other_json_is_no_curve(monkeypatch, capsys, tmp_path):
    other = tmp_path / "other.json"
    other.write_text('{"parameters": {}, "measured": {}}')
    status, _, err = run(monkeypatch, capsys, "load", *QUICK, "--loads", "0.1", "--beside", other)
    assert status == 2
    assert err == f"fatcube: {other}: must be a JSON file of `fatcube load`\n"


def test_trace(monkeypatch, capsys, tmp_path):
    """When each packet was created and how long it took, in print and in the record."""
    trace, file = tmp_path / "trace.csv", tmp_path / "arrived.json"
    trace.write_text("cycle,source,destination,flits\n0,0,3,8\n50,1,1,6\n")
    status, out, err = run(monkeypatch, capsys, "load", *QUICK[:4], "--trace", trace, "--json", file)
    assert status == 0, err
    assert out == (
        "2 packets of 14 flits; the last arrived in cycle 56\n"
        "latency 8.0 cycles on average, median 6, 99 % within 10, longest 10\n"
    )
    record = json.loads(file.read_text())
    assert record["parameters"]["trace"] == [[0, 0, 3, 8], [50, 1, 1, 6]]
    assert record["measured"]["packets"] == [[0, 0, 3, 8, 10], [50, 1, 1, 6, 6]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--loads", "0.1"], "--loads must be left out with a trace (--trace), not '0.1'"),
        (["--burst", "2"], "--burst must be left out with a trace (--trace), not 2"),
        (["--page", "p.html"], "--page must be left out with a trace (--trace), not 'p.html'"),
        ([], "packet (0, 4, 0, 8): source must be an integer from 0 to 3, not 4"),
        (["-f", "2", "--lanes", "in-turn"], "lanes must be fixed or by-source for traffic sources, not in-turn"),
        (["--routing", "disjoint"], "routing must have one route for each pair, not several as disjoint routing on the fat cube d = 2"),
    ],
)  # fmt: skip
def test_trace_refused(monkeypatch, capsys, tmp_path, arguments, message):
    topology, source = (["-d", "2", "--dry-run"], 1) if {"-f", "--routing"} & {*arguments} else (QUICK[:4], 4)
    trace = tmp_path / "trace.jsonl"
    trace.write_text(json.dumps({"cycle": 0, "source": source, "destination": 0, "flits": 8}))
    status, out, err = run(monkeypatch, capsys, "load", *topology, "--trace", trace, *arguments)
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")


def test_replies(monkeypatch, capsys):
    channels = ("--virtual-channels", "2", "--buffer-depth", "3", "--reply-flits", "5", "--loads", "0.1")
    status, out, _ = run(monkeypatch, capsys, "load", *QUICK, *channels, "--message-classes", "2")
    assert status == 0 and "replies of 5" in out
    status, _, err = run(monkeypatch, capsys, "load", *QUICK, *channels, "--message-classes", "1")
    assert status == 2
    assert err.endswith(
        "must be 2, or another even number, with replies, not 1: otherwise requests and replies can deadlock\n"
    )


def test_bursts_and_busiest_lanes(monkeypatch, capsys, tmp_path):
    """In print beside what their ways bring; in the record, all lanes and all pairs; bursts are in the curve."""
    file = tmp_path / "square.json"
    status, out, _ = run(
        monkeypatch, capsys, "load", *QUICK, "--loads", "0.1", "--burst", "4", "--details", "--json", file
    )
    assert status == 0 and "bursts of 4 packets" in out
    [point] = json.loads(file.read_text())["measured"]["points"]
    assert len(point["lanes"]) == 8 and len(point["pairs"]) <= 16
    assert "busiest lanes at a load of 0.100; one is full from 1.000 on" in out
    node, to, lane, most, by_loads = max(point["lanes"], key=lambda lane: lane[3])
    assert f"│ {node}         │ {to}       │ {lane}    │ {most:.3f}           │ {by_loads:.3f}" in out
