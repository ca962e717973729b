"""The comparison: the right candidates, figures that agree with counting by hand, runs that agree with schedules."""

import json
from pathlib import Path
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.butterflies import Butterfly, WrappedButterfly
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import SparseGHC
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.schedules.step_model import StepModel
from fatcube.sim.traffic.limit import Fullest
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.load_point import LoadPoint
from fatcube.sim.traffic.saturation import LoadCurve, saturation
from fatcube.studies.compare import candidates, compare, with_lanes
from fatcube.studies.comparing.pages import write_comparison
from fatcube.studies.comparison import COLLECTIVES, Compared
from fatcube.studies.load import plain_network
from tests.support.commands import run
from tests.support.loads import POINT

REPORTS = Path(__file__).parents[3] / "synth_reports"


@pytest.mark.parametrize("processors", [16, 24, 64])
def test_candidates(processors):
    found = candidates(processors, tolerance=0.2)
    assert all(0.8 * processors <= topology.processors <= 1.2 * processors for topology in found)
    assert {topology.kind for topology in found} >= {"fat-cube", "dense-ghc", "sparse-ghc"} | (
        {"ccc"} if processors > 16 else {"hypercube"}
    )
    assert len(set(map(str, found))) == len(found)
    assert candidates(processors, tolerance=0.0) == [
        topology for topology in found if topology.processors == processors
    ]


def test_candidates_by_hand():
    """Of 192 processors, at most 8 on a node: on 24, 32, 64 and 192 nodes of cycles, and on those of butterflies."""
    found = candidates(192, tolerance=0)
    cycles = {(3, 8, 3), (3, 6, 4), (4, 3, 4), (5, 1, 6)}  # dimensions, processors on a node, nodes of a cycle
    butterflies = {Butterfly(3, 6), Butterfly(5, 1), WrappedButterfly(3, 8), WrappedButterfly(4, 3)}
    named = {(one.n, one.m, one.k or one.n) for one in found if isinstance(one, CubeConnectedCycles)}
    assert named == cycles
    assert {topology for topology in found if "butterfly" in topology.kind} == butterflies
    grids = {topology for topology in found if isinstance(topology, Mesh | Torus) and isinstance(topology.w, tuple)}
    assert grids == {Mesh(w=(12, 16)), Torus(w=(12, 16))}
    assert Ring(192) in found and all(topology.processors == 192 for topology in found)


@pytest.mark.parametrize("processors", [3, 513])
def test_refused(processors):
    with pytest.raises(
        ParameterError, match=re.escape(f"processors to compare at must be an integer from 4 to 512, not {processors}")
    ):
        candidates(processors)


def test_figures(tmp_path):
    """The 3-cube and the fat cube of the paper's example: Table 6, equation 2 and Table 1, counted by hand."""
    rows = compare([Hypercube(3), FatCube(2, 2)], "d")
    steps = [[row.collectives[collective.value].steps for collective in COLLECTIVES] for row in rows]
    assert steps == [[3, 3, 3, 4], [2, 4, 4, 8]]
    assert [(row.links, row.bisection, row.diameter, row.connectivity, row.router_cost) for row in rows] == [
        (12, 4, 3, 3, 288),
        (4, 2, 2, 2, 144),
    ]
    paths = write_comparison(rows, tmp_path, 8, "d")
    assert json.loads(paths[1].read_text())["measured"]["networks"] == [row.to_json() for row in rows]
    assert "| fat cube d = 2, m = 2 | 8 | 2 | 4 | 4 | 8 |" in paths[0].read_text()
    page = paths[2].read_text()
    assert page.count("<tr>") == 2 * 3
    drawn = json.loads(re.search(r'id="figure-data" type="application/json">(.*?)</script>', page)[1])[0]
    broadcast = next(one for one in drawn["series"] if one["name"] == "OAB")
    assert [point[:2] for point in broadcast["points"]] == [[288, 3], [144, 2]]
    assert [point[4] for point in broadcast["points"]] == [
        ["OAB on the hypercube of 8 nodes"],
        ["OAB on the fat cube d = 2, m = 2"],
    ]
    fronts = [
        (one["label"], [point[:2] for point in one["points"]]) for one in drawn["series"] if one["mark"] == "front"
    ]
    assert fronts == [
        ("OAB", [[144, 2]]),
        ("OAS", [[144, 4], [288, 3]]),
        ("AAB", [[144, 4], [288, 3]]),
        ("AAS", [[144, 8], [288, 4]]),
    ]
    text = re.sub(r"\s", " ", re.sub(r"<[^>]+>", "", page))
    assert "Cheapest routers: fat cube d = 2, m = 2, with CR = 144." in text
    assert "On the Pareto fronts of 4 of 4 collectives: fat cube d = 2, m = 2." in text


@pytest.mark.parametrize("processors", [16, 24, 64])
def test_what_is_stored_is_what_is_compared(tmp_path, processors):
    """The page in synth_reports follows from the figures beside it, and a row of theirs is the same when it is read."""
    record = json.loads((REPORTS / f"compare-{processors}.json").read_text())
    stored, parameters = record["measured"]["networks"], record["parameters"]
    rows = [Compared.from_json(one) for one in stored]
    assert processors in {row.processors for row in rows}
    whose = parameters.get("processors"), parameters.get("ports", "1")
    markdown, data, _ = write_comparison(rows, tmp_path, *whose, files=parameters.get("files", ()))
    assert markdown.read_text() == (REPORTS / f"compare-{processors}.md").read_text()
    assert json.dumps(json.loads(data.read_text())["measured"]["networks"]) == json.dumps(stored)
    assert all(one["C_R"] == one["ab"] * one["nodes"] and "router_cost" not in one for one in stored)
    older = [{"router_cost" if name == "C_R" else name: part for name, part in one.items()} for one in stored]
    assert [Compared.from_json(one) for one in older] == rows


def test_runs():
    [row] = compare([Hypercube(2)], "1", run=True)
    for one in row.collectives.values():
        assert one.measured_steps == one.steps
        assert one.cycles == one.steps * 20
        assert one.failures == []


def test_what_is_measured_under_load(monkeypatch):
    """Without a simulator: what the measurements are asked for, and where each figure goes."""
    asked = []

    def measured(*given):
        asked.append(given)
        some = {**POINT, "accepted": 0.75, "failures": ("one",), "fullest": Fullest(0.9, 0.75, 0.75, 0.0, 0.5)}
        return LoadCurve(latency_without_load=10, saturation=0.5, bound=0.9, points=(LoadPoint(**some),))

    monkeypatch.setattr("fatcube.studies.compare.saturation", lambda test: 0.5)
    monkeypatch.setattr("fatcube.studies.compare.curve", measured)
    [row] = compare([Hypercube(2)], "1", load="bit-complement")
    [(test, loads, saturated)] = asked
    assert (loads, saturated) == ([1.0], 0.5)
    assert (test.network.topology, test.options.pattern, test.options.repeats) == (Hypercube(2), "bit-complement", 1)
    assert row.load.to_json() == {
        "pattern": "bit-complement", "latency_without_load": 10, "saturation": 0.5, "accepted": 0.75, "bound": 0.9,
        "failures": ["load 1: one"],
        "limit": "Limited by channels: at a load of 1.000 the fullest lane moves 0.90 flits per cycle, of at most 1.",
        "cause": "channels",
    }  # fmt: skip


@pytest.mark.long(stays="tests/fatcube/studies/test_compare.py::test_runs")
def test_under_load(tmp_path):
    """The figures of a measurement of the network by itself; a network that the pattern is not for has none."""
    square, ring = compare([Hypercube(2), Ring(3)], "1", load="bit-complement")
    test = LoadTest(plain_network(Hypercube(2)), LoadOptions(pattern="bit-complement", repeats=1))
    assert square.load.latency_without_load == 3 + 8 - 1  # two links, three routers, packets of 8 flits
    assert square.load.saturation == saturation(test)
    assert square.load.accepted == test.points([1.0])[0].accepted
    assert ring.load.to_json() == {
        **dict.fromkeys(("latency_without_load", "saturation", "accepted", "bound")),
        "pattern": "bit-complement",
        "failures": [],
    }
    markdown, _, page = write_comparison([square, ring], tmp_path, 4, "1")
    text = markdown.read_text()
    assert f"| hypercube of 4 nodes | 4 | 10.0 | {saturation(test):.3f} | {square.load.accepted:.3f} |" in text
    assert "| ring of 3 nodes | 3 | - | - | - |" in text
    assert "bit-complement: saturated from" in page.read_text()


HALF, PAIRS = StepModel(links="half-duplex"), StepModel(per_packet=2)


def test_steps_of_a_model():
    """The 3-cube with half-duplex links, derived by search and maximum flow: all-gather 5 and all-to-all 8 in model d, 7 and 12 in
    model 1; and the square with two messages in a packet: 3 messages from each of two neighbours and beyond."""
    for ports, steps in (("d", (5, 8)), ("1", (7, 12))):
        [row] = compare([Hypercube(3)], ports, steps=HALF)
        assert tuple(row.collectives[name].steps for name in ("AAB", "AAS")) == steps
        assert row.to_json()["steps"] == {"links": "half-duplex"}
    [single], [pairs] = (compare([Hypercube(2)], "1", steps=model) for model in (StepModel(), PAIRS))
    assert [one.collectives["AAB"].steps for one in (single, pairs)] == [3, 2]
    assert "steps" not in single.to_json()


def test_networks_without_such_lanes_are_left_out(monkeypatch, capsys):
    """Simplex links are those of some cubes, and a ring whose links go one way has none that go both ways in turn."""
    candidates = [Hypercube(3), FatCube(1, 2), FatCube(2, 1, 3), SparseGHC(3, 2), Ring(4)]
    assert with_lanes(candidates, StepModel(links="simplex")) == [Hypercube(3)]
    assert with_lanes(candidates, HALF) == [one for one in candidates if one != SparseGHC(3, 2)]
    assert with_lanes(candidates, PAIRS) == candidates
    status, out, _ = run(monkeypatch, capsys, "compare", "--processors", 8, "--links", "simplex", "--dry-run")
    assert (
        status == 0
        and "13 networks have no simplex links and are left out: switch of 8 processors; fat cube d = 1, m = 4; " in out
    )
    assert "2 networks can be compared: hypercube of 8 nodes; fat cube d = 2, m = 2" in out


def test_steps_refused(monkeypatch, capsys):
    status, _, err = run(monkeypatch, capsys, "compare", "--processors", 8, "--ports", "b", "--per-packet", 4)
    assert (status, err) == (2, "fatcube: per_packet must be 1 on routers of model b, which copy packets, not 4\n")
    with pytest.raises(
        ParameterError, match="load must be measured without half-duplex, as only collectives go in steps"
    ):
        compare([Hypercube(1)], "1", steps=HALF, load="uniform")


@pytest.mark.long(stays="tests/fatcube/studies/test_compare.py::test_runs")
@pytest.mark.parametrize("steps", [HALF, PAIRS, StepModel(transfers="direct"), StepModel(links="simplex")], ids=str)
def test_runs_of_a_model(steps):
    """On the hardware that such steps need, word by word and in as many steps."""
    [row] = compare([Hypercube(2)], "1", steps=steps, run=True)
    for one in row.collectives.values():
        assert (one.measured_steps, one.failures) == (one.steps, [])


def test_load_refused():
    with pytest.raises(ParameterError, match="pattern must be one of"):
        compare([Hypercube(1)], "1", load="storm")


@pytest.mark.parametrize("arguments", [("--processors", "4", "--no-fmax"), ("ring:4",), ("mesh:4x4", "--no-fmax")])
def test_routers_that_copy_are_refused_by_their_model(monkeypatch, capsys, arguments):
    """Before anything is measured, and by what the user said."""
    monkeypatch.setattr("fatcube.studies.compare.construct", None)
    status, out, err = run(monkeypatch, capsys, "compare", *arguments, "--ports", "b", "--quiet")
    assert (status, out) == (2, "")
    assert (
        err.startswith("fatcube: ports must be one of 1, d, * where ") and ", not b: " in err and err.count("\n") == 1
    )
