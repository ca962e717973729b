"""Networks under load in sweeps: what a file asks for, what is kept, found again and reported."""

import json
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing.dimension_order import DimensionOrder
from fatcube.noc.routing.table import Table
from fatcube.noc.routing.up_down import UpDown
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.grids import Ring
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.studies.keys import point_key
from fatcube.studies.load import Curve
from fatcube.studies.load_record import check_load_record
from fatcube.studies.measure import measure
from fatcube.studies.point import LoadedNetwork
from fatcube.studies.report import write_report
from fatcube.studies.report_load import figures_of_load, section_of_load
from fatcube.studies.results import Results, read_records, write_records
from fatcube.studies.sweep import Summary, sweep
from fatcube.studies.sweep_file import read_points
from fatcube.synth.silicon import router_silicon
from tests.support.commands import run
from tests.support.stored import points as stored_points

pytestmark = pytest.mark.xdist_group("sweep of loads")
HEAD = 'format = "fatcube.sweep/1"\nwarm_up = 50\nmeasured = 300\nrepeats = 2\n'
SQUARE = HEAD + '[[load]]\ntopology = "hypercube"\nd = 2\npattern = ["uniform", "neighbour"]\nloads = [0.1, 0.4]\n'


def write(tmp_path, text):
    file = tmp_path / "loads.toml"
    file.write_text(text)
    return file


def square(**options):
    return LoadTest(RoutedNetwork(Hypercube(2)), LoadOptions(**options))


def test_what_a_file_asks_for(tmp_path):
    """Every combination of lists; a list within a list is one value; what stands above is for the blocks that have it."""
    text = (
        HEAD
        + 'family = "gates"\nwidth = 32\n[[points]]\nd = 1\ncollective = "AAB"\n'
        + '[[load]]\ntopology = "ring"\nn = 4\nvirtual_channels = 2\nbuffer_depth = [3, 4]\n'
        + 'packet_flits = [6, [6, 8]]\nlanes = "fixed"\n'
    )
    collective, *points = read_points(write(tmp_path, text))
    assert {point.family for point in points} == {"gates"}
    tests = [point.test for point in points]
    assert collective.family == "gates"
    assert [(test.network.options.buffer_depth, test.options.packet_flits) for test in tests] == [
        (3, (6,)),
        (3, (6, 8)),
        (4, (6,)),
        (4, (6, 8)),
    ]
    assert {test.network.topology for test in tests} == {Ring(4)}
    assert {(test.options.warm_up, test.options.loads, test.network.lanes.value) for test in tests} == {
        (50, (), "fixed")
    }


def test_tables_are_told_apart(tmp_path):
    """Catches two tables that share a key, a file looked for in another folder, and a record that no report reads."""
    for name, routing in (("one", DimensionOrder(Hypercube(2))), ("other", UpDown(Hypercube(2)))):
        entries = tuple((source, target, tuple(way)) for source, target, way in routing.ways())
        table = Table(Hypercube(2), routing.classes, entries)
        (tmp_path / f"{name}.json").write_text(json.dumps(table.to_json()))
    text = HEAD + '[[load]]\ntopology = "hypercube"\nd = 2\nrouting_file = ["one.json", "other.json"]\n'
    one, other = (point.test.network for point in read_points(write(tmp_path, text)))
    assert one.ways.entries != other.ways.entries
    assert one.to_json()["routing"] == "table" and one.to_json() != other.to_json()
    assert point_key(LoadedNetwork(test=LoadTest(one))) != point_key(LoadedNetwork(test=LoadTest(other)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[load]]\nd = 2\nrouting_file = 3", "load block 1: routing_file must be the path of a file, not 3"),
        ("[[load]]\nd = 2\npattern = 'storm'", "load block 1: pattern must be one of uniform, "),
        ("[[load]]\nd = 2\nloads = [0.1, 2]", "load block 1: load must be a finite number above 0 and at most 1, not 2"),
        ("[[load]]\nd = 2\nloads = 0.1", "load block 1: loads must be a valid list, not 0.1"),
        ("[[load]]\nd = 2\npacket_flits = [8, 0]", "load block 1, point packet_flits=0: packet flits must be an integer from 1"),
        ("[[load]]\nd = 2\ncollective = 'AAB'", "load block 1: collective must be left out, as there is no such key"),
        ("root = 1\n[[load]]\nd = 2", "load block 1: root must be left out, as there is no such key"),
        ("[[load]]\nd = 2\nfmax = true", "load block 1: fmax requires a family"),
        ("[[load]]\nd = 2\nfamily = 'gates'\nfmax = true", "load block 1: Fmax requires an FPGA family with place and route, not gates"),
        ("[[load]]\nd = 2\nfamily = 'ecp6'", "load block 1: FPGA family must be one of"),
        ("[[load]]\nd = 2\nrouting = 'none'", "load block 1: routing must be one of default, "),
        ("[[load]]\nd = 2\nports = ['1', 'b']\nswitching = 'wormhole'", "load block 1, point ports=b: switching must be virtual-cut-through"),
        ("[[load]]\ntopology = 'ring'\nn = 4\nvirtual_channels = 1", "load block 1: virtual channels must be"),
        ("[[load]]\ntopology = 'ring'\nn = 3\nvirtual_channels = 2\nbuffer_depth = 4\npattern = 'shuffle'",
         "load block 1: processors must be a power of two for shuffle, not 3"),
        ("load = 3", ": load must be blocks that begin with [[load]]"),
    ],
)  # fmt: skip
def test_bad_file_is_refused_in_one_line(monkeypatch, capsys, tmp_path, text, message):
    file = write(tmp_path, HEAD.partition("warm_up")[0] + text)
    status, out, err = run(monkeypatch, capsys, "sweep", file)
    assert (status, out) == (2, "")
    assert err.startswith(f"fatcube: {file}") and message in err and err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [file]


def test_what_is_measured_is_in_the_key():
    """Catches two measurements with one key: each of these differs from all others."""
    tests = [
        square(),
        square(pattern="neighbour"),
        square(packet_flits=9),
        square(packet_flits=(8, 8, 9)),
        square(loads=(0.5,)),
        square(loads=(0.5, 0.6)),
        square(seed=1),
        square(repeats=4),
        square(measured=3001),
        square(warm_up=999),
        LoadTest(RoutedNetwork(Hypercube(2), RouterOptions(buffer_depth=3))),
        LoadTest(RoutedNetwork(Hypercube(2), addressing="destination")),
        LoadTest(RoutedNetwork(Ring(4), RouterOptions(virtual_channels=2, buffer_depth=4))),
    ]
    points = [LoadedNetwork(test=test) for test in tests]
    points += [
        LoadedNetwork(test=square(), family="gates"),
        LoadedNetwork(test=square(), family="ecp5"),
        LoadedNetwork(test=square(), family="ecp5", fmax=False),
    ]
    assert len({point_key(one) for one in points}) == len(points)
    assert point_key(LoadedNetwork(test=square(), seeds=(4, 5))) == point_key(points[0])  # Nothing is placed.


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The records of a sweep that has run, as JSON lines beside its file and its results."""
    folder = tmp_path_factory.mktemp("loads")
    points = read_points(write(folder, SQUARE))
    with Results(folder / "loads.sqlite") as store:
        assert sweep(points, store, jobs=1) == Summary(2, 0, [])
        write_records(folder / "lines.jsonl", store.records())
    return folder / "lines.jsonl"


def test_it_is_measured_once_and_found_again(monkeypatch, capsys, measured):
    status, out, _ = run(monkeypatch, capsys, "sweep", measured.parent / "loads.toml")
    assert status == 0
    assert out.startswith("2 points: 0 measured now, 2 found in ")


def test_a_record_is_what_the_command_measures(monkeypatch, capsys, tmp_path, measured):
    """Parameters and figures equal those of `fatcube load --json`."""
    flags = ["--topology", "hypercube", "-d", "2", "--loads", "0.1,0.4", "--warm-up", "50", "--measured", "300"]
    file = tmp_path / "uniform.json"
    status, _, _ = run(monkeypatch, capsys, "load", *flags, "--repeats", "2", "--json", file)
    assert status == 0
    alone = json.loads(file.read_text())
    [record] = [one for one in read_records(measured) if one["parameters"]["pattern"] == "uniform"]
    assert (record["parameters"], record["measured"]) == (alone["parameters"], alone["measured"])


def test_the_report_has_a_row_and_a_curve_for_each(monkeypatch, capsys, tmp_path, measured):
    pytest.importorskip("matplotlib", reason="figures are not tested without Matplotlib")
    records = read_records(measured)
    [table] = section_of_load(records).tables
    assert [row[-1] for row in table.rows] == [
        one["key"] for one in sorted(records, key=lambda one: one["parameters"]["pattern"])
    ]
    for row, one in zip(table.rows, sorted(records, key=lambda one: one["parameters"]["pattern"])):
        found = one["measured"]
        most = max(point["accepted"] for point in found["points"])
        assert row[2:6] == [f"{found['latency_without_load']:.1f}", "-", f"{most:.3f}", f"{found['bound']:.3f}"]
    latency, accepted = figures_of_load(records)
    lines = [series for series in accepted.series if series.mark == "line"]
    assert len(lines) == 2 and all([point.x for point in one.points] == [0.1, 0.4] for one in lines)
    unsaturated = sum(not point["saturated"] for one in records for point in one["measured"]["points"])
    assert sum(len(series.points) for series in latency.series if series.mark == "dots") == unsaturated
    status, out, err = run(monkeypatch, capsys, "report", "--results", measured, "-o", tmp_path / "out")
    assert (status, out.partition(".")[0]) == (0, "2 curves of networks under load"), err
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *("report.md", "report.html", "report-latency.png", "report-accepted.png")
    }
    assert all(one["key"] in (tmp_path / "out" / "report.md").read_text() for one in records)


def test_a_report_of_routers_and_of_loads(monkeypatch, capsys, tmp_path, measured):
    pytest.importorskip("matplotlib", reason="figures are not tested without Matplotlib")
    write_records(tmp_path / "both", [*stored_points(), *read_records(measured)])
    status, out, err = run(monkeypatch, capsys, "report", "--results", tmp_path / "both", "-o", tmp_path / "out")
    assert (status, out.partition(".")[0]) == (0, "32 records of 8 routers, 2 curves of networks under load"), err
    text, page = ((tmp_path / "out" / name).read_text() for name in ("report.md", "report.html"))
    for said in (text, page):
        assert "Tables 1 and 2" in said and "Networks under load" in said
    assert "report-latency.png" in text and '"name":"latency"' in page


def test_a_router_with_it():
    """With a family, the record has area, and speed where there is one, of the router that was under load."""
    test = square(loads=(0.1,), warm_up=50, measured=300, repeats=1)
    found, problems = measure(LoadedNetwork(test=test, family="gates"))
    assert problems == []
    found = check_load_record(json.loads(json.dumps(found)))
    silicon = router_silicon(test.network, family="gates")
    assert found["measured"]["comb_equivalents"] == silicon.area.comb_equivalents
    assert found["measured"]["fmax_mhz"] is None
    assert found["parameters"]["family"] == "gates" and found["parameters"]["placement_seeds"] is None


def test_damaged_records(measured):
    good = json.dumps(read_records(measured)[0])
    for place, value, message in (
        (("measured", "points", 0, "latency"), -1, "measured.points.0.latency must be greater than or equal to 0"),
        (("measured", "points", 0, "pairs"), [[0, 1, 5, 9.5]], "measured.points.0.pairs.0."),
        (("measured", "points", 0, "lanes"), [[0, 1, 0, -0.5, 0.5]], "measured.points.0.lanes.0.3 must be greater"),
        (("measured", "saturation"), 2.0, "measured.saturation must be less than or equal to 1"),
        (("measured", "colour"), 1, "measured.colour must be left out"),
        (("parameters", "pattern"), "storm", "parameters: pattern must be one of"),
        (
            ("parameters", "routing"),
            "table",
            "parameters: routing_digest must be hexadecimal digits with a routing table",
        ),
        (("parameters", "routing_digest"), "12ab", "parameters: there must be a topology and options"),
        (("parameters", "colour"), 1, "parameters: there must be a topology and options of networks and loads"),
        (("parameters", "topology"), {"type": "hypercube", "d": 99}, "parameters: "),
    ):
        record = json.loads(good)
        check_load_record(record)
        *path, last = place
        part = record
        for name in path:
            part = part[name]
        part[last] = value
        with pytest.raises(ParameterError, match=re.escape(message)):
            check_load_record(record)


def test_record_of_a_table(measured):
    record = json.loads(json.dumps(read_records(measured)[0]))
    record["parameters"] |= {"routing": "table", "routing_digest": "12ab"}
    assert check_load_record(record) is record


def test_details_are_in_records(measured):
    record = json.loads(json.dumps(read_records(measured)[0]))
    record["measured"]["points"][0] |= {"pairs": [[0, 1, 5, 9.5, 12]], "lanes": [[0, 1, 0, 0.25, 0.2]]}
    record["parameters"]["details"] = True
    assert check_load_record(record) is record
    [lane] = Curve.of(record).points[0].lanes
    assert (lane.node, lane.to, lane.utilisation) == (0, 1, 0.25)


def test_curves_say_what_they_differ_in(measured):
    record = json.loads(json.dumps(read_records(measured)[0]))
    record["parameters"] |= {"buffer_depth": 4, "virtual_channels": 2}
    assert (
        "buffers of 4 flits" in Curve.of(record).configuration
        and "2 virtual channels" in Curve.of(record).configuration
    )


def test_a_report_of_nothing_needs_loads(tmp_path, measured):
    """Without a study the page is that of the curves."""
    pytest.importorskip("matplotlib", reason="figures are not tested without Matplotlib")
    write_report(None, tmp_path, read_records(measured))
    assert "Latency and throughput against load" in (tmp_path / "report.html").read_text()
