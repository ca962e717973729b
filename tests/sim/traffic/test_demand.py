"""Traffic of one's own: what is read, the tables and rates that are made of it, and what the hardware does with these."""

from collections import Counter
from fractions import Fraction
import json
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing.loads import lane_loads, load_bound
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.failures import parse_failures
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.topologies.switch import Switch
from fatcube.sim.traffic.demand import demand_of, entries_of
from fatcube.sim.traffic.flow_rates import realized
from fatcube.sim.traffic.given import flows, flows_given, hot_spots, hot_spots_given
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from tests.support.commands import run

HEAD = "source,destination,flits_per_cycle"
FLOWS = f"{HEAD}\n0,1,0.3\n\n0,3,0.2\n2,1,0.1\n"
SQUARE = Mesh(w=2, d=2)


@pytest.fixture
def file(tmp_path):
    (tmp_path / "flows.csv").write_text(FLOWS)
    return tmp_path / "flows.csv"


def test_flows_of_a_file(file):
    """Catches columns taken for each other, and a value that depends on the file once it is read."""
    text = flows_given(str(file))
    assert text == "0,1,0.3;0,3,0.2;2,1,0.1" == flows_given(text)
    assert flows(text) == [(0, 1, Fraction(3, 10)), (0, 3, Fraction(1, 5)), (2, 1, Fraction(1, 10))]
    file.write_text("flits_per_cycle, source, destination\n5e-1,2,0\n")
    assert flows_given(file) == "2,0,5e-1" and flows("2,0,5e-1")[0].rate == Fraction(1, 2)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1,1,0.1", "line 6: destination of processor 1 must be another processor, not itself"),
        ("1,2,1.5", "line 6: flits per cycle must be a number above 0 and at most 1, not '1.5'"),
        ("1,2,0", "line 6: flits per cycle must be a number above 0 and at most 1, not '0'"),
        ("1,2,nan", "line 6: flits per cycle must be a number above 0 and at most 1, not 'nan'"),
        ("1,b,0.1", "line 6: destination must be an integer from 0 to 65535, not 'b'"),
        ("-1,2,0.1", "line 6: source must be an integer from 0 to 65535, not -1"),
        ("1,2", "line 6: a flow must have 3 values, not 2"),
        ("0,3,0.1", "line 6: flows must be given once, not twice from 0 to 3"),
        ("0,2,0.6", "line 6: flits per cycle of processor 0 must add up to at most 1, not to 1.1"),
    ],
)
def test_flows_refused(file, line, message):
    file.write_text(f"{FLOWS}{line}\n")
    with pytest.raises(ParameterError, match=re.escape(f"{file}, {message}") + "$"):
        flows_given(file)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", f"must begin with a line {HEAD}"),
        (HEAD.encode(), "must have at least one flow"),
        (b"\xff", "must be text"),
    ],
)
def test_files_refused(file, content, message):
    file.write_bytes(content)
    with pytest.raises(
        ParameterError, match=rf"^{re.escape(str(file))}(, line \d+: not CSV: it)? {re.escape(message)}"
    ):
        flows_given(file)


def test_a_permutation_in_a_file(tmp_path):
    """With a comma behind each number, and errors that name the file."""
    path = tmp_path / "ways.txt"
    path.write_text("2,\n0,\n1,\n")
    assert LoadOptions(pattern=f"permutation:{path}").pattern == "permutation:2,0,1"
    for text, message in (("\n", "must be one for each processor, not none"), ("1 # 0", "must be an integer")):
        path.write_text(text)
        with pytest.raises(ParameterError, match=f"^{re.escape(str(path))}: destinations? of a permutation {message}"):
            LoadOptions(pattern=f"permutation:{path}")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hotspot": "3"}, "hotspot must be processors with shares, such as 3:0.2,7:0.1, not '3'"),
        ({"hotspot": "3:0.2,3:0.1"}, "hotspot must have each processor once, not 3 several times"),
        ({"hotspot": "3:0.9,1:0.2"}, "shares of hot spots must add up to at most 1, not to 1.1"),
        ({"hotspot": "3:-1"}, "share of a hot spot must be a number above 0 and at most 1, not '-1'"),
        (
            {"pattern": "permutation:0,0"},
            "destinations of a permutation must be the numbers from 0 to 1, each once, not 0 2 times",
        ),
        (
            {"pattern": "permutation:0,2"},
            "destinations of a permutation must be the numbers from 0 to 1, each once, not 2",
        ),
        ({"pattern": "permutation:"}, "pattern must be permutation:FILE, with the name of a file, not 'permutation:'"),
        ({"pattern": "shift"}, "pattern must be one of uniform, bit-complement, "),
        (
            {"hotspot": "1:0.1", "pattern": "shuffle"},
            "pattern must be left out with hotspot, which says where packets go",
        ),
        (
            {"hotspot": "1:0.1", "traffic": "0,1,0.1"},
            "hotspot must be left out with traffic, which says where packets go",
        ),
    ],
)
def test_options_refused(options, message):
    with pytest.raises(ParameterError, match=re.escape(message)):
        LoadOptions(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hotspot": "4:0.2"}, "processor of a hot spot must be an integer from 0 to 3, not 4"),
        ({"traffic": "0,4,0.2"}, "destination of a flow must be an integer from 0 to 3, not 4"),
        ({"traffic": "5,0,0.2"}, "source of a flow must be an integer from 0 to 3, not 5"),
        (
            {"pattern": "permutation:1,0"},
            "destinations of a permutation must be 4 on the 2 × 2 mesh, one for each",
        ),
        ({"traffic": "0,1,0.2", "burst": 5}, "burst must be 0 with flows, whose sources have different rates, not 5"),
        (
            {"traffic": "0,1,0.5;0,2,0.00001"},
            "share of the packets of processor 0 for 2 must be realized within 1 % by a table of at most 4096 entries, not "
            "2e-05, for which that has 0 entries",
        ),
    ],
)
def test_networks_refused(options, message):
    with pytest.raises(ParameterError, match=re.escape(message)):
        LoadTest(RoutedNetwork(SQUARE), LoadOptions(**options))


def test_tables():
    """Exact where a small table has the shares, and otherwise within one percent of each."""
    assert Counter(entries_of({1: Fraction(3, 10), 3: Fraction(1, 5)}, "")) == {1: 3, 3: 2}
    odd = {0: Fraction(1, 1009), 1: Fraction(1, 31), 2: 1 - Fraction(1, 1009) - Fraction(1, 31)}
    table = entries_of(odd, "")
    assert len(table) <= 4096
    for destination, share in odd.items():
        assert abs(Fraction(table.count(destination), len(table)) / share - 1) <= Fraction(1, 100)


def test_hot_spots_by_hand():
    """A fifth of all to processor 3, a tenth to 1, and the rest to all four alike: 7/40 more to each."""
    demand = demand_of(LoadOptions(hotspot="3:0.2,1:0.1"), SQUARE)
    assert demand.rates is None and len({tuple(table) for table in demand.destinations}) == 1
    table = demand.destinations[0]
    shares = [Fraction(table.count(one), len(table)) for one in range(4)]
    assert shares == [Fraction(7, 40), Fraction(11, 40), Fraction(7, 40), Fraction(15, 40)]
    test = LoadTest(RoutedNetwork(SQUARE), LoadOptions(hotspot="3:0.2,1:0.1"))
    assert test.bound == pytest.approx(1 / (4 * 15 / 40))  # four send 15/40 each to processor 3
    assert hot_spots(hot_spots_given("3:0.2")) == [(3, Fraction(1, 5))]


def test_a_permutation_with_a_failure(tmp_path):
    (tmp_path / "perm.txt").write_text("1, 2\n3 0\n")
    options = LoadOptions(pattern=f"permutation:{tmp_path / 'perm.txt'}")
    assert (options.pattern, options.word) == ("permutation:1,2,3,0", "permutation (4)")
    assert demand_of(options, SQUARE).destinations == [[1], [2], [3], [0]]
    assert demand_of(options, damaged(SQUARE, parse_failures("processor:2"))).destinations == [[1], [], [], [0]]


def test_bound_and_latency_of_flows():
    """The bound is that of the matrix as it stands, and the latency counts each flow by its rate."""
    test = LoadTest(RoutedNetwork(SQUARE), LoadOptions(traffic="0,1,0.3;0,3,0.2;2,1,0.1"))
    matrix = [[0, Fraction(3, 5), 0, Fraction(2, 5)], [0] * 4, [0, Fraction(1, 5), 0, 0], [0] * 4]
    assert test.lane_loads == lane_loads(test.network.ways, matrix, test.network.lanes)
    assert test.bound == load_bound(test.network.ways, matrix, test.network.lanes) == 1
    assert test.loads == (0.5,)
    # Hops of packets of 8 flits: one of six tenths of processor 0's, two of the others.
    assert test.latency_without_load == pytest.approx((0.3 * 9 + 0.2 * 10 + 0.1 * 10) / 0.6)
    assert str(test).startswith("given (3 flows) traffic on the 2 × 2 mesh")


def test_rates_are_read_out_of_the_hardware():
    """Catches a source with the rate of another, a table with other shares, and a silent source that sends."""
    text = "0,1,0.3;0,3,0.2;2,1,0.1;3,2,0.02"
    options = LoadOptions(traffic=text, details=True, measured=60_000, repeats=5)
    test = LoadTest(RoutedNetwork(Switch(4)), options)
    [point] = test.points(test.loads)
    assert not point.failures
    cycles = options.measured * options.repeats
    arrived = {(pair.source, pair.destination): pair.packets for pair in point.pairs}
    flows_of = {(flow.source, flow.destination): flow for flow in realized(test, point.load)}
    assert arrived.keys() == flows_of.keys()
    for pair, flow in flows_of.items():
        assert flow.realized == pytest.approx(float(flow.asked), rel=0.01)
        packets = float(flow.realized) * cycles / 8
        assert abs(arrived[pair] - packets) < 4 * packets**0.5, pair  # four standard deviations
    assert point.offered == pytest.approx(0.62 / 4, rel=0.03)


def test_shares_of_hot_spots_are_read_out_of_the_hardware():
    options = LoadOptions(hotspot="3:0.2,1:0.1", details=True, measured=60_000, repeats=2)
    [point] = LoadTest(RoutedNetwork(Switch(4)), options).points([0.2])
    to = Counter[int]()
    for pair in point.pairs:
        to[pair.destination] += pair.packets
    assert not point.failures
    for destination, share in enumerate((7 / 40, 11 / 40, 7 / 40, 15 / 40)):
        assert to[destination] / to.total() == pytest.approx(share, abs=4 * (share / to.total()) ** 0.5)


def test_several_ports_share_the_rate():
    """A processor of the cube has two ports in model d, each of which sends half of what a flow says."""
    network = RoutedNetwork(Hypercube(2)).with_options(ports="d")
    test = LoadTest(network, LoadOptions(traffic="0,1,0.4", details=True, measured=20_000, repeats=2))
    assert test.loads == (0.2,)
    [point] = test.points(test.loads)
    [pair] = point.pairs
    assert not point.failures and pair.packets * 8 / 40_000 == pytest.approx(0.4, rel=0.05)


def test_command(monkeypatch, capsys, tmp_path, file):
    """Loads, bounds and resolution are said, the record has the flows, and a page is drawn of it."""
    mesh = ["--topology", "mesh", "-w", 2, "-d", 2]
    record, page = tmp_path / "f.json", tmp_path / "f.html"
    status, out, _ = run(
        *(monkeypatch, capsys, "load", *mesh, "--traffic", file, "--measured", 1000, "--details"),
        *("--json", record, "--page", page),
    )
    assert status == 0
    assert "a load of at most 1.000 from the busiest processor" in out
    assert "loads are those of processor 0, the busiest, which sends 0.500 flits per cycle in the file" in out
    assert "the largest difference between a realized rate and its own is 0.02%" in out
    assert "flows at a load of 0.500, in flits per cycle" in out
    written = json.loads(record.read_text())
    assert written["parameters"]["traffic"] == "0,1,0.3;0,3,0.2;2,1,0.1"
    assert [point["load"] for point in written["measured"]["points"]] == [0.5]
    assert "given (3 flows)" in page.read_text()
    drawn = tmp_path / "f.svg"
    assert run(monkeypatch, capsys, "draw", *mesh, "--loads", "--traffic", file, "-o", drawn)[0] == 0
    assert "if the busiest processor offers one flit per cycle" in " ".join(re.findall(r">([^<]+)<", drawn.read_text()))
    for option in ("--traffic", "--hotspot"):
        given = file if option == "--traffic" else "1:0.1"
        status, _, err = run(monkeypatch, capsys, "draw", *mesh, option, given, "-o", drawn)
        assert (status, err) == (2, f"fatcube: {option} requires --loads\n")
