"""Curves of load from records made by hand: what they are called, and every row, point and axis of their figures."""

import dataclasses
import json

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.grids import Ring
from fatcube.reports.figure import COLOURS, Axis, Point, Series
from fatcube.reports.table import Shown
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.load_point import LaneFigures, LoadPoint
from fatcube.sim.traffic.saturation import LoadCurve
from fatcube.studies import load
from fatcube.studies.load import Curve, busiest, columns, load_figures, load_results, plain_network, row
from tests.support.loads import POINT


def point(**changed):
    [made] = LoadCurve.from_json(
        {"latency_without_load": 5.0, "bound": 1.0, "saturation": None, "points": [{**POINT, "accepted": 0.75}]}
    ).points
    return dataclasses.replace(made, **changed)


def curve(name, points, bound=0.5):
    return Curve(name, "some routing", LoadCurve(latency_without_load=5.0, bound=bound, saturation=None, points=points))


LOW = point(
    load=0.25,
    offered=0.26,
    accepted=0.24,
    least=0.125,
    latency=6.125,
    confidence=0.5,
    saturated=False,
    histogram=((6, 3), (7, 1)),
)
HIGH = point(load=0.5, offered=0.51, accepted=0.4567891, latency=8.0, saturated=False, histogram=((8, 1), (9, 1)))
FULL = point(load=1.0, histogram=((60, 1),))
CURVES = [curve("one", (LOW, HIGH, FULL)), curve("other", (FULL,))]


def configuration(network, **options):
    """The remarks on a network besides its topology, from the parameters of its record."""
    parameters = LoadTest(network, LoadOptions(**options)).parameters
    curve = Curve.of({"parameters": parameters, "measured": {"latency_without_load": 5.0, "bound": 1.0, "saturation": None, "points": [{**POINT, "accepted": 0.75}]}})  # fmt: skip
    assert curve.points == curve.measured.points == (point(),)
    return curve.network, curve.configuration


def test_what_a_curve_is_called():
    """By hand: what has its default is not said."""
    network = RoutedNetwork(Hypercube(1), RouterOptions(width=40))
    plain = "dimension-order routing, uniform, packets of 8 or 32 flits"
    assert configuration(network, packet_flits=(8, 32)) == ("hypercube(d=1) ports=1", plain)
    others = RouterOptions(width=40, ports="d", virtual_channels=2, buffer_depth=16, switching="virtual-cut-through", pipeline=2, longest_packet=16)  # fmt: skip
    said = (
        "dimension-order routing, 2 virtual channels, virtual-cut-through, buffers of 16 flits, 2 cycles per router, "
        "neighbour, bursts of 3 packets, packets of 4 flits, replies of 6"
    )
    several = RoutedNetwork(Hypercube(1), others, message_classes=2)
    assert configuration(several, pattern="neighbour", burst=3, packet_flits=(4,), reply_flits=6) == (
        "hypercube(d=1) ports=d",
        said,
    )


def test_networks_that_are_compared():
    """The fewest virtual channels that the default routing takes, and buffers of four flits."""
    for topology, channels in ((Hypercube(3), 1), (Ring(8), 2)):
        for ports in ("1", PortModel.parse("d")):
            options = plain_network(topology, ports).options
            assert (options.virtual_channels, options.buffer_depth) == (channels, load.DEPTH) == (channels, 4)
            assert options.ports is PortModel.parse(ports)
    assert plain_network(Hypercube(1)).options.ports is PortModel.ONE


def test_rows_of_the_table():
    assert dict(zip(columns(), row(LOW), strict=True)) == {
        "load": "0.250",
        "offered": "0.260",
        "accepted": "0.240",
        "least": "0.125",
        "latency": "6.1",
        "± 95 %": "0.5",
        "median": 40,
        "99 %": 90,
        "longest": 99,
        "saturated": "",
    }
    unknown = dataclasses.replace(LOW, percentile_99=None, last_bin=2041)
    assert row(unknown)[6:8] == [40, "≥ 2041"]
    assert (row(FULL)[3], row(FULL)[5], row(FULL)[-1]) == ("-", "-", "yes")
    assert load.SATURATED.endswith(
        "more than 3 times that without load, or less than 95 % of the load offered by a processor is accepted"
    )


def lane(number, utilisation):
    return LaneFigures(node=number, to=number + 1, lane=number + 2, utilisation=utilisation, by_loads=utilisation / 2)


def test_busiest_lanes():
    """Of the highest load below saturation, or of the lowest one; eight, the busiest first."""
    lanes = tuple(lane(number, (number * 7 % 10) / 10) for number in range(10))
    some = curve("one", (LOW, dataclasses.replace(HIGH, lanes=lanes), FULL))
    title, names, rows = busiest(some.measured)
    assert title == "busiest lanes at a load of 0.500; one is full from 0.500 on"
    assert names == ["from node", "to node", "lane", "flits per cycle", "by the routes of packets"]
    assert rows[0] == [7, 8, 9, "0.900", "0.450"]
    assert [one[3] for one in rows] == [f"0.{tenth}00" for tenth in range(9, 1, -1)]
    assert len(busiest(some.measured, most=2)[2]) == 2
    full = curve("all full", (dataclasses.replace(FULL, lanes=lanes[:1]), dataclasses.replace(FULL, load=0.9)), 0.25)
    title, _, rows = busiest(full.measured)
    assert title == "busiest lanes at a load of 1.000; one is full from 0.250 on" and len(rows) == 1


def both(points, name, colour):
    """A line and dots, with the name of the network at their end."""
    label = name.partition(",")[0]
    return [
        Series(name=name, points=points, mark="line", colour=colour),
        Series(name=name, points=points, mark="dots", colour=colour, label=label),
    ]


@pytest.mark.parametrize("numbered", [True, False])
def test_figures(numbered):
    """Every point by hand: latencies only below saturation, and a line and dots for each network."""
    latency, accepted = load_figures(CURVES, [[0, 1, 2], [3]] if numbered else None)

    def rows(number):
        return (number,) if numbered else ()

    names = ["one", "other"]  # what all have in common is said once
    offered = Axis("offered load, flits per cycle per processor port")
    assert (latency.name, accepted.name) == ("latency", "accepted")
    assert (latency.x, latency.y) == (offered, Axis("latency, cycles", "log"))
    assert (accepted.x, accepted.y) == (offered, Axis("accepted load, flits per cycle per processor port"))
    assert (latency.title, accepted.title) == ("Latency against offered load", "Accepted against offered load")
    below = (
        Point(x=0.25, y=6.12, low=5.625, high=6.625, text=(names[0], "99th percentile: 90 cycles"), rows=rows(0)),
        Point(x=0.5, y=8.0, text=(names[0], "99th percentile: 90 cycles"), rows=rows(1)),
    )
    assert list(latency.series) == both(below, names[0], COLOURS[0]) + both((), names[1], COLOURS[1])
    values = [(0.25, 0.24, names[0]), (0.5, 0.4568, names[0]), (1.0, 0.75, names[0]), (1.0, 0.75, names[1])]
    every = tuple(Point(x=x, y=y, text=(name,), rows=rows(number)) for number, (x, y, name) in enumerate(values))
    assert latency.says == (
        "The highest load below saturation that was measured is 0.500, at which packets take 8.0 cycles on average "
        "(one); without load they take 5.0 there. Configuration: some routing."
    )
    assert accepted.says.startswith("one accepts most, 0.750 flits per cycle per processor port, which is 150%")
    assert list(accepted.series) == both(every[:3], names[0], COLOURS[0]) + both(every[3:], names[1], COLOURS[1])


def test_page():
    """Its table has a row for each point, which the figures know; the histogram is that of the highest load below
    saturation, in parts of all packets."""
    results = load_results(CURVES)
    [table], figures = results.tables, results.figures
    assert results.title == "Latency and throughput against load"
    assert results.note.startswith("Loads are in flits per cycle") and load.SATURATED in results.note
    assert table.columns == ["network", *columns()]  # no configuration where all have the same
    assert table.rows == [*(["one", *row(one)] for one in (LOW, HIGH, FULL)), ["other", *row(FULL)]]
    assert figures[:2] == load_figures(CURVES, [[0, 1, 2], [3]]) and len(figures) == 3
    histogram = figures[2]
    assert (histogram.name, histogram.x, histogram.y) == (
        "histogram",
        Axis("latency, cycles", "log"),
        Axis("part of all packets"),
    )
    assert histogram.title == "Latencies of packets at the highest load below saturation"
    assert histogram.series == (
        Series(name="one, load 0.500", points=(Point(x=8, y=0.5), Point(x=9, y=0.5)), mark="line", colour=COLOURS[0]),
    )  # fmt: skip


def test_a_page_says_what_was_measured():
    """Say once what all networks share, and for each what differs."""
    network = RoutedNetwork(Hypercube(1), RouterOptions(width=40, buffer_depth=4))
    parameters = LoadTest(network, LoadOptions(packet_flits=(8,))).parameters
    measured = CURVES[0].measured.to_json()
    first = Curve.of({"parameters": parameters, "measured": measured, "how": {"seed": 5}})
    said = (
        "flits of 40 bits, buffers of 4 flits at each input, 1 virtual channel, wormhole switching, 1 cycle per router, "
        "router model 1, dimension-order routing, uniform traffic, packets of 8 flits, seed 5"
    )
    assert first.machine == said
    assert load_results([first, first]).says[-1] == f"Measured with {said}."
    other = dataclasses.replace(first, network="ring of 4 nodes", machine=said.replace("40 bits", "64 bits"))
    _, shared = said.split(", ", 1)
    assert load_results([first, other]).says[-1] == (
        f"Measured with {shared}. hypercube of 2 nodes: flits of 40 bits; ring of 4 nodes: flits of 64 bits."
    )


def test_what_differs_names_a_curve():
    """In figures and in the table; downloads keep the whole configuration, which `Shown` holds."""
    curves = [
        dataclasses.replace(one, configuration=f"{how}, uniform, packets of 8 flits")
        for one, how in zip(CURVES, ("some routing", "some routing, 2 virtual channels"))
    ]
    results = load_results(curves)
    assert [one.name for one in results.figures[1].series][::2] == ["one", "other, 2 virtual channels"]
    assert results.figures[1].says.endswith("Configuration: some routing, uniform, packets of 8 flits.")
    assert [row[1] for row in results.tables[0].rows][2:] == [
        Shown("some routing, uniform, packets of 8 flits", ""),
        Shown("some routing, 2 virtual channels, uniform, packets of 8 flits", "2 virtual channels"),
    ]
    others = [dataclasses.replace(one, configuration=how) for one, how in zip(CURVES, ("a", "b"))]
    assert "Configuration" not in load_results(others).figures[1].says


def test_a_histogram_keeps_the_colour_of_its_network():
    """Also after a network without one, and with more networks than colours; points without one are left out."""
    without = dataclasses.replace(HIGH, histogram=())
    curves = [curve("full", (FULL,)), *(curve(str(number), (LOW, without)) for number in range(len(COLOURS)))]
    figure = load._histogram(curves)
    assert [one.name for one in figure.series] == [
        f"{number}, some routing, load 0.250" for number in range(len(COLOURS))
    ]
    assert [one.colour for one in figure.series] == [*COLOURS[1:], COLOURS[0]]
    assert figure.series[0].points == (Point(x=6, y=0.75), Point(x=7, y=0.25))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", "must be a JSON file of `fatcube load`"),
        ("[]", "must be a JSON file of `fatcube load`"),
        ('{"parameters": [], "measured": 1}', "must be a JSON file of `fatcube load`"),
    ],
)
def test_other_files(tmp_path, content, message):
    path = tmp_path / "file.json"
    path.write_text(content)
    with pytest.raises(ParameterError) as error:
        Curve.read(path)
    assert str(error.value).startswith(f"{path}: {message}")


def written(tmp_path, **changed):
    """A file with a record of one point."""
    parameters = LoadTest(RoutedNetwork(Hypercube(1), RouterOptions(width=40)), LoadOptions()).parameters
    measured = curve("", (point(),)).measured.to_json() | changed
    path = tmp_path / "file.json"
    path.write_text(json.dumps({"parameters": parameters, "measured": measured}))
    return path


def test_a_file_that_load_wrote(monkeypatch, tmp_path):
    """It may have 128 MB."""
    most = []
    read = load.read_json
    monkeypatch.setattr(load, "read_json", lambda *args, **how: most.append(how["most"]) or read(*args, **how))
    path = written(tmp_path)
    assert Curve.read(path) == Curve.of(json.loads(path.read_text()))
    assert isinstance(Curve.read(path).points[0], LoadPoint)
    assert set(most) == {128 * 1024**2}


def test_a_file_with_points_that_are_none(tmp_path):
    path = written(tmp_path, points=[5])
    with pytest.raises(ParameterError, match=f"^{path}: must be a JSON file of `fatcube load`$"):
        Curve.read(path)
