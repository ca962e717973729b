"""Pages of schedules, of their runs and of routers: the figures and the tables have what commands print and record."""

import importlib
import json

import pytest

from fatcube.cli.router_areas import RouterAreas
from fatcube.reports.table import TitledTable
from fatcube.sim.collectives.run import RunResult
from fatcube.studies import given_schedules
from tests.support.commands import run


@pytest.fixture
def results(monkeypatch):
    """The pages that are written."""
    made = []
    for name in ("check", "schedule", "synthesize", "schedules.runs", "schedules.several"):
        module = importlib.import_module(f"fatcube.cli.{name}")
        monkeypatch.setattr(module, "write_page", lambda page, make: made.append(make()))
    return made


def _points(figure):
    """The values at each place of a figure, by the names of its series."""
    return {one.name: [(point.x, point.y) for point in one.points] for one in figure.series}


def test_figure_of_a_schedule(monkeypatch, capsys, results):
    """The transfers over links and within nodes: of an all-gather, each of four messages crosses the link once."""
    assert run(monkeypatch, capsys, *"schedule -c AAB -d 1 -m 2 --half-duplex".split())[0] == 0
    (page,) = results
    counts = _points(page.figures[0])
    assert {name: sum(count for _, count in points) for name, points in counts.items()} == {
        "over links": 4,
        "within nodes": 8,
    }
    assert [[step for step, _ in points] for points in counts.values()] == [["1", "2", "3", "4", "5"]] * 2
    both = [sum(count for _, count in step) for step in zip(*counts.values())]
    assert page.figures[0].says == f"Step {both.index(max(both)) + 1} has the most transfers, {max(both)}."
    assert page.title == "AAB (all-gather) on the fat cube d = 1, m = 2, half-duplex"


def test_page_of_a_schedule_of_equal_steps(monkeypatch, capsys, results):
    """Catches a page that singles out one of equal steps, and cycles and parts without their flits."""
    for words, said, parts in (
        ("-c AAB -d 2 -m 3", "Each of the 11 steps has 12 transfers.", None),
        (
            "-c OAB --topology hypercube -d 1 --ports d --parts 4",
            "Each of the 4 steps has 1 transfer.",
            "4 parts of 4 payload flits",
        ),
        ("-c OAB --topology hypercube -d 1", "Step 1 has the most transfers, 1.", None),
    ):
        results.clear()
        assert run(monkeypatch, capsys, *f"schedule {words} --payload-flits 16".split())[0] == 0
        (page,) = results
        rows = dict(page.tables[0].rows)
        assert page.figures[0].says == said
        assert "cycles in lockstep, 16 payload flits" in rows and rows.get("parts") == parts


def test_page_of_schedules_that_are_compared(monkeypatch, capsys, tmp_path, results):
    """The bars are the steps and bounds of the rows, and the table is that of the CSV file and of the record."""
    csv, record = tmp_path / "f.csv", tmp_path / "f.json"
    words = "compare hypercube:3 hypercube:2 -c AAB --along sbt --ports d".split()
    assert run(monkeypatch, capsys, *words, "--csv", csv, "--json", record)[0] == 0
    (page,) = results
    assert [*_points(page.figures[0]).values()] == [
        [("1: --along sbt", 4), ("2: --along sbt", 2)],
        [("1: --along sbt", 3), ("2: --along sbt", 2)],
    ]
    assert page.figures[0].says == "The fewest steps, 2, are those of --along sbt on the hypercube of 4 nodes."
    head, *lines = [line.split(",") for line in csv.read_text().splitlines()]
    rows = json.loads(record.read_text())["measured"]["schedules"]
    for line, row, cells in zip(lines, rows, page.tables[0].rows, strict=True):
        assert line == [*map(str, cells)] and head == [*page.tables[0].columns]
        cell = dict(zip(head, line))
        assert [int(cell[name]) for name in ("steps", "bound", "cycles", "parts")] == [
            row[name] for name in ("steps", "bound", "cycles", "parts")
        ]


def test_a_run_that_fails_is_a_failure_of_the_comparison(monkeypatch, capsys, results):
    monkeypatch.setattr(given_schedules, "judged_runs", _failing)
    status, out, err = run(monkeypatch, capsys, *"compare hypercube:2 -c OAB --run".split())
    assert status == 1 and "│ 77 " in out and err == "FAILED: best known: word 3 is wrong\n"


def _failing(machine, runs):
    counted = {"cycles": 77, "conflicts": 0, "flits": 9, "lane_utilisation": 0.25, "delivered": 3}
    return [RunResult(steps=2, lane_flits=1, **counted, failures=())] * 2, ["word 3 is wrong"]


@pytest.mark.parametrize("failures", [(), ("word 3 is wrong", "word 4 is wrong")])
def test_page_of_runs(monkeypatch, capsys, tmp_path, results, failures):
    """The cycles of each mode by payload, the fits, and the verdict."""
    counted = {"conflicts": 0, "flits": 9, "lane_utilisation": 0.25, "delivered": 3}
    monkeypatch.setattr(
        importlib.import_module("fatcube.cli.simulate"),
        "simulate_all",
        lambda machine, runs, **how: [
            RunResult(
                steps=2,
                lane_flits=1,
                cycles=(20 if run.lockstep else 10) + run.payload_flits,
                failures=failures if run.payload_flits == 8 and run.lockstep else (),
                **counted,
            )
            for run in runs
        ],
    )
    words = "simulate -c OAB --topology hypercube -d 2 --along sbt --json".split()
    status, _, _ = run(monkeypatch, capsys, *words, tmp_path / "f.json")
    assert status == (1 if failures else 0)
    (page,) = results
    assert _points(page.figures[0]) == {
        "lockstep": [(4, 24), (8, 28), (16, 36)],
        "dataflow": [(4, 14), (8, 18), (16, 26)],
    }
    assert page.figures[0].says == "36 cycles in lockstep; 26 cycles in dataflow for 16 payload flits."
    verdict = (
        "2 checks failed, the first: word 3 is wrong." if failures else "Every delivery was compared and is right."
    )
    assert page.says[0] == verdict
    assert any(line.startswith("dataflow: start-up") and "cycles per scheduled step" in line for line in page.says)
    assert page.says[-2] == (
        "Measured on routers of model 1 with flits of 32 bits, buffers of 2 flits at each input, 1 virtual channel, "
        "wormhole switching, 1 cycle per router; seed 0."
    )
    assert json.loads((tmp_path / "f.json").read_text())["parameters"]["along"] == "sbt"


@pytest.mark.parametrize(
    ("words", "unit", "place"),
    [
        ("-d 1", "COMB equivalents", "comb_equivalents"),
        ("-d 1 --family gates", "gates", "gates"),
        ("-d 1 --family osu018", "NAND2 equivalents", "nand2_equivalents"),
    ],
)
def test_page_of_areas(monkeypatch, capsys, tmp_path, results, words, unit, place):
    """The bars are the areas of the table and of the record, in the unit of the target."""
    status, out, _ = run(monkeypatch, capsys, *f"synthesize {words} --no-fmax --json".split(), tmp_path / "f.json")
    assert status == 0
    (page,) = results
    measured = json.loads((tmp_path / "f.json").read_text())["measured"]
    bars = dict(_points(page.figures[0])["area"])
    assert [*bars] == ["router", "router, all turns", "crossbar, turns used", "crossbar alone, a x b"]
    assert page.figures[0].y.title == unit
    whole = round(measured["network"][place])
    assert page.figures[0].says == f"The router has {bars['router']:,} {unit}, and all routers together {whole:,}."
    (row,) = [row for row in page.tables[0].rows if row[0] == unit]
    assert [round(float(str(cell).replace(",", ""))) for cell in row[1:]] == [*bars.values(), whole]


def test_page_of_areas_has_all_tables(monkeypatch, capsys, results):
    """Catches a page without the processors, the interfaces or the paths that the command prints."""
    monkeypatch.setattr(RouterAreas, "paths", ["longest path of the router: from a to b"])
    further = TitledTable("processor", "", ["", "distributed"], [["LUT4", 337]])
    synthesize = importlib.import_module("fatcube.cli.synthesize")
    monkeypatch.setattr(synthesize, "_processors_table", lambda *given: [further])
    assert run(monkeypatch, capsys, *"synthesize -d 1 --no-fmax".split())[0] == 0
    assert results[0].says == [
        "Longest path of the router: from a to b.",
        "Routers of model 1 with flits of 32 bits, buffers of 2 flits at each input, 1 virtual channel, wormhole switching, "
        "1 cycle per router.",
    ]
    assert results[0].tables[1] == further._replace(columns=["quantity", "distributed"])


def test_page_of_areas_has_the_network(monkeypatch, capsys, tmp_path, results):
    """Catches a figure of parts only, where the network with its interfaces was measured too."""
    words = "synthesize -d 1 --interface axi4-stream --no-fmax --json"
    status, _, err = run(monkeypatch, capsys, *words.split(), tmp_path / "f.json")
    assert status == 0, err
    (page,) = results
    measured = json.loads((tmp_path / "f.json").read_text())["measured"]
    bars, flat = dict(_points(page.figures[0])["area"]), measured["axi"]["flat"]["comb_equivalents"]
    assert [*bars][-3:] == ["all routers", "interface of 32 bits", "network with interfaces"]
    assert bars["all routers"] == measured["network"]["comb_equivalents"] and bars["network with interfaces"] == flat
    assert page.figures[0].says.endswith(f"; the network with interfaces has {flat:,}.")
    assert page.note.startswith("a b is the price of a router, and C_R that of all. COMB equivalents sum up LUTs")
