"""The choice for anyone's traffic, from records made by hand: what is beaten in area and throughput is left out."""

import csv
import json

import pytest

from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh, Ring
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.studies.explore_load import choices_under_load, front_under_load
from fatcube.studies.load import plain_network
from fatcube.studies.point import LoadedNetwork
from fatcube.studies.results import read_records, write_records
from tests.support.commands import run
from tests.support.loads import POINT


def made(topology, *, luts, mhz, accepted, ports="1", pattern="uniform", family="ecp5"):
    """A record as a sweep would keep it."""
    test = LoadTest(plain_network(topology, ports), LoadOptions(pattern=pattern))
    point = LoadedNetwork(test=test, family=family, fmax=mhz is not None)
    measured = {
        "latency_without_load": 10.0,
        "bound": 1.0,
        "saturation": None if accepted == 1 else accepted * 0.9,
        "points": [{**POINT, "load": 0.1, "accepted": 0.1}, {**POINT, "accepted": accepted}],
        "comb_equivalents": luts,
        "ff": 100,
        "fmax_mhz": mhz,
        "seeds_mhz": None if mhz is None else [[1, mhz]],
    }
    return record(point.parameters, measured, seed=0)


def _answered(one):
    """The record as it would be of packets that are answered."""
    return {**one, "key": one["key"][::-1], "parameters": {**one["parameters"], "reply_flits": 8}}


RECORDS = [
    made(Hypercube(3), luts=200, mhz=100.0, accepted=0.5),  # 1,600 LUTs, 1.6 Gbit/s
    made(FatCube(2, 2), luts=300, mhz=100.0, accepted=0.4),  # 1,200 LUTs, 1.28 Gbit/s
    made(Ring(8), luts=160, mhz=100.0, accepted=0.3),  # 1,280 LUTs, 0.96 Gbit/s: beaten
    made(FatCube(2, 2), luts=600, mhz=50.0, accepted=0.6, ports="d"),  # 2,400 LUTs, two ports: 1.92 Gbit/s
    # Not asked for:
    made(Mesh(w=3, d=2), luts=1, mhz=900.0, accepted=1),
    made(Hypercube(3), luts=1, mhz=900.0, accepted=1, pattern="neighbour"),
    made(FatCube(2, 2), luts=1, mhz=None, accepted=1, family="gates"),
    made(FatCube(1, 4), luts=1, mhz=None, accepted=1),  # not placed
    _answered(made(Hypercube(3), luts=1, mhz=900.0, accepted=1)),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("explore") / "loads.jsonl"
    write_records(path, RECORDS)
    return path


def test_front(file):
    choices = choices_under_load(read_records(file), processors=8, pattern="uniform", family="ecp5")
    assert sorted((one.luts, round(one.gigabits, 6)) for one in choices) == [
        (1200, 1.28),
        (1280, 0.96),
        (1600, 1.6),
        (2400, 1.92),
    ]
    assert [one.luts for one in front_under_load(choices)] == [1200, 1600, 2400]
    assert [one.luts for one in front_under_load(choices, max_luts=1600)] == [1200, 1600]
    assert [one.luts for one in front_under_load([*choices, choices[0]])] == [1200, 1600, 1600, 2400]
    assert choices[0].nanoseconds == pytest.approx(100)


def test_command(monkeypatch, capsys, tmp_path, file):
    arguments = ["explore", "--processors", "8", "--load", "uniform", "--results", file]
    table, front = tmp_path / "front.csv", tmp_path / "front.json"
    status, out, err = run(monkeypatch, capsys, *arguments, "--csv", table, "--json", front, "--wide")
    assert (status, err) == (0, "")
    assert "uniform traffic, 8 processors, ecp5: 3 of 4 networks measured are on the Pareto front" in out
    rows = list(csv.DictReader(table.open()))
    assert (
        rows[1]["network"] == "hypercube of 8 nodes, dimension-order, 1 channel, 4 flits"
        and "hypercube of 8 nodes" in out
    )
    assert [float(row["Gbit/s per processor"]) for row in rows] == pytest.approx([1.28, 1.6, 1.92])
    found = json.loads(front.read_text())["measured"]
    assert [one["record"] for one in found["front"]] == [RECORDS[number]["key"] for number in (1, 0, 3)]
    status, out, err = run(monkeypatch, capsys, *arguments, "--max-luts", "1000")
    assert (status, out) == (1, "") and "the smallest has 1,200" in err


def test_a_second_cycle_for_nothing_is_named(monkeypatch, capsys, tmp_path):
    """Of networks with several virtual channels, where a second cycle does not raise the clock."""
    found = []
    for name, cycles, channels in (("a", 2, 2), ("b", 1, 2), ("c", 2, 1)):
        one = json.loads(json.dumps(RECORDS[0]))
        one["parameters"] |= {"pipeline": cycles, "virtual_channels": channels}
        write_records(tmp_path / f"{name}.jsonl", [one])
        arguments = ["--load", "uniform", "--results", tmp_path / f"{name}.jsonl"]
        _, out, _ = run(monkeypatch, capsys, "explore", "--processors", "8", *arguments)
        found.append("--pipeline 2 does not raise the clock" in " ".join(out.split()))
    assert found == [True, False, False]


def test_older_placements_are_named(monkeypatch, capsys, tmp_path):
    """On a terminal, on a page and in JSON; not where all were placed as they would be today."""
    new = [json.loads(json.dumps(one)) for one in RECORDS[:2]]
    for one in new:
        one["measured"]["commands"] = ["nextpnr-ecp5 --tmg-ripup"]
    found = []
    for name, records in (("old", RECORDS[:2]), ("both", [RECORDS[0], new[1]]), ("new", new)):
        results, page, front = (tmp_path / f"{name}.{ending}" for ending in ("jsonl", "html", "json"))
        write_records(results, records)
        arguments = ["--results", results, "--page", page, "--json", front, "--wide"]
        status, out, _ = run(monkeypatch, capsys, "explore", "--processors", "8", "--load", "uniform", *arguments)
        assert status == 0
        said = json.loads(front.read_text())["measured"].get("flow_note", "")
        shown = " ".join(out.split()), " ".join(page.read_text().split())
        assert [("without timing-driven rip-up" in text) for text in shown] == 2 * [bool(said)]
        found.append(said.partition(" are ")[0])
    assert found == ["All MHz", "MHz of 1 of 2 measurements", ""]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--load", "storm"], "pattern must be one of"),
        (["--load", "tornado"], "results must have networks of 8 processors under tornado traffic, placed on ecp5, and "),
        (["--load", "uniform", "--workload", "alltoall"], "--workload must be left out with a load (--load), not 'alltoall'"),
        (["--load", "uniform", "--width", "16"], "--width must be left out with a load (--load), not 16"),
        ([], "results must have routers measured on ecp5, and these have none"),
    ],
)  # fmt: skip
def test_refused(monkeypatch, capsys, file, arguments, message):
    status, out, err = run(monkeypatch, capsys, "explore", "--processors", "8", "--results", file, *arguments)
    assert (status, out) == (2, "")
    assert message in err and err.count("\n") == 1


def test_none_is_placed():
    with pytest.raises(ParameterError, match="placed on gates, and these have none"):
        choices_under_load(RECORDS, processors=8, pattern="uniform", family="gates")
