"""A page of every command that writes one, of results that are stored, or of some of them."""

import itertools
import json
from pathlib import Path
from unittest import mock

from fatcube.noc.topologies import topology_from_json
from fatcube.papers.audit_rows import write_audit
from fatcube.papers.ccc.claims import PAPER
from fatcube.papers.claim import Row
from fatcube.papers.fat_cube.against_silicon import against_silicon
from fatcube.papers.fat_cube.reproduce_page import reproduced, table_1, table_2, table_6
from fatcube.papers.fat_cube.silicon import tables_1_and_2
from fatcube.papers.spanning_graphs import curves_page
from fatcube.reports.page import write_results
from fatcube.reports.table import TitledTable
from fatcube.reports.view import view_page
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective
from fatcube.schedules.schedule_file import read_schedule
from fatcube.studies.board_page import board_page
from fatcube.studies.comparing.pages import write_comparison
from fatcube.studies.comparison import Compared
from fatcube.studies.explore import explore, pareto_front
from fatcube.studies.explore_page import choices_page
from fatcube.studies.failure_sets import orbits, single_failures
from fatcube.studies.faults import Case
from fatcube.studies.faults_page import Study as Faults
from fatcube.studies.faults_page import failures_page
from fatcube.studies.large_messages.cells import Cell
from fatcube.studies.large_messages.large_page import write_large
from fatcube.studies.large_messages.times import Time
from fatcube.studies.load import Curve, load_results
from fatcube.studies.model_cells import Result
from fatcube.studies.models_page import write_models
from fatcube.studies.open_cells.record import stored_cells
from fatcube.studies.open_cells.tables import gaps_page
from fatcube.studies.report import page as report_page
from fatcube.studies.results import read_records
from fatcube.studies.study import Study
from tests.support.stored import small

__all__ = ["PAGES"]


STORED = Path(__file__).parents[2] / "synth_reports"


def _stored(name):
    return json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))


def _report(file, whole):
    study = Study(read_records(STORED / "study.jsonl") if whole else read_records(small())[::3], "ecp5")
    file.write_text(report_page(study, papers=[against_silicon(study), tables_1_and_2(study)]), encoding="utf-8")


def _compare(file, whole):
    networks = _stored("compare-16")["measured"]["networks"]
    rows = [Compared.from_json(one) for one in networks]
    write_comparison(rows, file.parent / "compare", 16, "1")
    (file.parent / "compare" / "compare-16.html").rename(file)


def _explore(file, whole):
    study = Study(read_records(STORED / "study.jsonl"), "ecp5")
    choices = explore(16 if whole else 8, {Collective.OAB: 1}, study).choices
    best = pareto_front(choices)
    cells = [
        [one.network.topology.name, one.network.options.ports.value, f"{one.luts:,.0f}", f"{one.microseconds:.2f}"]
        for one in best
    ]
    table = TitledTable("1 x OAB, 16 payload flits", "", ["network", "model", "LUTs", "µs"], cells)
    write_results(choices_page(table, "Written by `fatcube explore`.", best, choices), file)


def _load(file, whole):
    curves = [Curve.of(one) for one in _stored("traffic")]
    write_results(load_results(curves if whole else curves[:3]), file)


def _audit(file, whole):
    rows = [Row(**one) for one in _stored("ccc")]
    write_audit(rows if whole else rows[::12], file.parent / "audit", PAPER)
    (file.parent / "audit" / "ccc.html").rename(file)


def _curves(file, whole):
    rows = [row for row in _stored("curves")["measured"]["rows"] if whole or row["n"] == 2]
    with mock.patch.object(curves_page, "png", lambda figures, **how: b""):  # beside the page, which has its own
        curves_page.write_curves(rows if whole else rows[::3], file.parent / "curves")
    (file.parent / "curves" / "curves.html").rename(file)


def _models(file, whole):
    stored = _stored("models-hypercube-3")
    results = [Result(**one) for one in stored["measured"]["cells"]]
    write_models(results, file, topology_from_json(stored["parameters"]["topology"]), 15.0)


def _faults(file, whole):
    stored = _stored("faults-ccc-3")
    whole_one, measured = topology_from_json(stored["parameters"]["topology"]), stored["measured"]
    doubles = [(Case(whole_one, PortModel.parse("d"), tuple(one["failed"])), one) for one in measured["doubles"]]
    rtl = {tuple(one["failed"]): {"rtl": one} for one in measured["rtl"]}
    same = orbits(whole_one, single_failures(whole_one))
    write_results(failures_page(Faults(whole_one, measured["sound"], measured["singles"], same, doubles, rtl)), file)


def _large(file, whole):
    fields = Cell.__dataclass_fields__
    cells = [
        Cell(**{name: value for name, value in one.items() if name in fields})
        for one in _stored("large")["measured"]["cells"]
    ]
    times = [
        Time(graph="ring-8", collective=name, payload_flits=flits, parts=parts, cycles=cycles + 9, bound=cycles, counted=counted)
        for (name, cycles), (flits, parts, counted) in itertools.product(
            (("OAB", 60), ("AAB", 70)), ((16, 1, 69), (64, 4, None), (1024, 16, None))
        )
    ]  # fmt: skip
    write_large(cells if whole else cells[:12], times, file)


def _board(file, whole):
    [record] = [one for one in _stored("boards") if one["case"] == "ulx3s-16"]
    write_results(board_page("16 processors on the ULX3S", record), file)


def _reproduce(file, whole):
    stored = _stored("reproduce")
    cells, routers = ([one["measured"] for one in stored[name]] for name in ("table_6", "table_1"))
    write_results(
        reproduced([table_6(cells, routers), table_1(routers), table_2(stored["table_2"])], cells, routers), file
    )


def _gaps(file, whole):
    cells = [*stored_cells()]
    write_results(gaps_page(cells if whole else cells[::9]), file)


def _view(file, whole):
    name = "AAB-ccc-n3-one" if whole else "OAB-hypercube-d3-d-port"
    file.write_text(view_page(read_schedule(STORED / "ccc" / "schedules" / f"{name}.json")), encoding="utf-8")


PAGES = {
    "audit": _audit,
    "board": _board,
    "compare": _compare,
    "curves": _curves,
    "explore": _explore,
    "faults": _faults,
    "gaps": _gaps,
    "large": _large,
    "load": _load,
    "models": _models,
    "report": _report,
    "reproduce": _reproduce,
    "view": _view,
}
"""A function for each page, which writes it to a file: of all that is stored, or with ``whole`` false of a part."""
