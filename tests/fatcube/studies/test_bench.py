"""Benchmarks: what stands in synth_reports is what the stored rows say, and nothing of these is lost."""

import json
from pathlib import Path

from fatcube.studies.bench.__main__ import _BENCHMARKS
from fatcube.studies.bench.flows import Flow, flows_table
from fatcube.studies.bench.rows import KINDS, Build, read_results
from fatcube.studies.bench.tables import markdown

REPORTS = Path(__file__).parents[3] / "synth_reports"


def stored(name):
    return json.loads((REPORTS / f"{name}.json").read_text())["measured"]


def as_text(value):
    """JSON as it is written, in which the order of keys counts."""
    return json.dumps(value, indent=1)


def test_every_benchmark_has_rows_of_one_kind():
    assert KINDS.keys() == _BENCHMARKS.keys() == stored("benchmarks").keys()


def test_the_page_shows_the_stored_rows():
    results = read_results(stored("benchmarks"))
    assert markdown(results) == (REPORTS / "benchmarks.md").read_text()
    assert as_text({name: [row.to_json() for row in rows] for name, rows in results.items()}) == as_text(
        stored("benchmarks")
    )


def test_there_are_tables_only_of_what_was_measured():
    [title] = [
        line
        for line in markdown({"generate": read_results(stored("benchmarks"))["generate"]}).splitlines()
        if line.startswith("## ")
    ]
    assert title == "## `fatcube generate network`, model 1"


def test_a_program_that_is_never_faster_does_not_pay():
    """A run of 1,000 cycles takes 10 seconds, or 1: 90 more of compilation pay after 10,000 of them."""
    node = Build(network="n", processors=1, simulator="verilator", build_seconds=10, cycles_per_second=100)
    flat = Build(network="n", processors=1, simulator="verilator-flat", build_seconds=100, cycles_per_second=1000)
    assert markdown({"modes": [node, flat]}).endswith("| n | 10.0 | 100.0 | 100 | 1,000 | 10,000 cycles |\n")
    assert markdown({"modes": [flat, node]}).endswith("| n | 100.0 | 10.0 | 1,000 | 100 | never |\n")


def test_the_page_of_flows_shows_the_stored_rows():
    rows = [Flow.from_json(row) for row in stored("flows")["rows"]]
    assert flows_table(rows) == (REPORTS / "flows.md").read_text()
    assert as_text([row.to_json() for row in rows]) == as_text(stored("flows")["rows"])
