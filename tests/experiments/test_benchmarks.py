"""Benchmarks: the committed pages follow from the stored rows, and no row is lost."""

from experiments.benchmarks.experiment import EXPERIMENT
from experiments.benchmarks.rows import KINDS, Build, read_results
from experiments.experiment import read_stored
from experiments.flows import EXPERIMENT as FLOWS
from experiments.flows import Flow
from tests.support.experiments import REPORTS, markdown


def test_every_benchmark_has_rows_of_one_kind():
    stored = read_stored(EXPERIMENT, REPORTS)
    assert KINDS.keys() == EXPERIMENT.cases.keys() == {one["case"] for one in stored}


def test_nothing_of_the_stored_rows_is_lost():
    for one in read_stored(EXPERIMENT, REPORTS):
        [rows] = read_results([one]).values()
        assert [row.to_json() for row in rows] == one["measured"]["rows"]
    for one in read_stored(FLOWS, REPORTS):
        assert [Flow.from_json(row).to_json() for row in one["measured"]["rows"]] == one["measured"]["rows"]


def test_there_are_tables_only_of_what_was_measured():
    some = [one for one in read_stored(EXPERIMENT, REPORTS) if one["case"] == "generate"]
    [title] = [line for line in markdown(EXPERIMENT, some).splitlines() if line.startswith("## ")]
    assert title == "## `fatcube generate network`, model 1"


def test_a_program_that_is_never_faster_does_not_pay():
    """A run of 1,000 cycles takes 10 seconds, or 1: 90 more of compilation pay after 10,000 of them."""
    node = Build(network="n", processors=1, simulator="verilator", build_seconds=10, cycles_per_second=100)
    flat = Build(network="n", processors=1, simulator="verilator-flat", build_seconds=100, cycles_per_second=1000)
    assert shown(node, flat).endswith("| n | 10.0 | 100.0 | 100 | 1,000 | 10,000 cycles |\n")
    assert shown(flat, node).endswith("| n | 100.0 | 10.0 | 1,000 | 100 | never |\n")


def shown(*rows):
    return markdown(EXPERIMENT, [{"case": "modes", "measured": {"rows": [row.to_json() for row in rows]}}])
