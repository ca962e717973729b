"""`fatcube large`: cells and times of a small graph, and what the tables and pages say of good and bad ones."""

import dataclasses

import pytest

from fatcube.noc.topologies.grids import Ring
from fatcube.schedules.collective import Collective
from fatcube.studies.large_messages.cells import Cell, cells_of
from fatcube.studies.large_messages.graphs import GRAPHS, dgx1, irregular
from fatcube.studies.large_messages.large_page import summary, tables, write_large
from fatcube.studies.large_messages.times import SIZES, times_of

CELL = Cell(
    graph="ring-8",
    collective="OAB",
    root=0,
    parts=16,
    payload_flits=16,
    steps=11,
    lower_bound=11,
    reason="it is so",
    seconds=0.1,
    predicted_cycles=55,
    cycles=55,
)


def test_the_graphs():
    """Six links of each GPU; and a graph of so many nodes and links, the same in every run."""
    assert len(GRAPHS) == 13
    assert {sum(1 for _ in dgx1().ends(node)) for node in range(8)} == {6}
    assert irregular(16, 25) == GRAPHS["irregular-16"] != irregular(16, 25, seed=2)
    assert len(set(irregular(16, 25).links)) == 25


def test_cells_of_a_ring():
    """Worked by hand: 4 parts over 2 lanes leave in steps 1 and 2, and have 2 hops to go; 2 x 4 x 3 / 2 lanes in for a sum."""
    found = cells_of("ring", Ring(4), parts=4, payload_flits=4, rtl=False)
    assert [(one.collective, one.root, one.steps) for one in found] == [
        *((name, root, 3) for name in ("OAB", "AOR") for root in (0, 2)),
        ("AAB", None, 6),
        ("AAR", None, 6),
        ("all-reduce", None, 12),
    ]
    assert all(one.near and one.predicted_cycles == 5 * one.steps and one.cycles is None for one in found)


@pytest.mark.parametrize(
    ("steps", "bound", "near"), [(11, 10, True), (12, 11, True), (13, 11, False), (110, 100, True), (111, 100, False)]
)
def test_near_the_bound(steps, bound, near):
    assert dataclasses.replace(CELL, steps=steps, lower_bound=bound).near is near


def test_times_of_a_ring():
    """Never below the bound; 17 steps of 132 cycles in 32 parts of 4,096 flits, and 33 of 68 in 64, which is as long."""
    found = times_of("ring", Ring(4), [Collective.OAB], rtl=False)
    assert [one.payload_flits for one in found] == list(SIZES)
    assert all(one.bound <= one.cycles for one in found)
    assert (found[0].parts, found[0].cycles, found[-1].parts) == (1, 10, 32)


def test_failures_are_shown(tmp_path):
    times = times_of("ring", Ring(4), [Collective.OAB], rtl=False)
    bad = dataclasses.replace(CELL, failures=("a wire differs",))
    text = str([[str(cell) for cell in row] for table in tables([CELL, bad], times) for row in table.rows])
    assert text.count("FAILED") == 1
    assert summary([CELL, bad], times) == (
        "2 cells: 2 at the bound, 2 within max(bound + 1, 1.10 bound), 2 executed on the RTL; 0 of 13 times executed; 1 failed"
    )
    for name in ("page.md", "page.html"):
        write_large([CELL, bad], times, tmp_path / name)
        written = (tmp_path / name).read_text(encoding="utf-8")
        assert "FAILED" in written and "ring-8" in written


@pytest.mark.long(stays="tests/fatcube/studies/large_messages/test_large.py::test_times_of_a_ring")
def test_a_ring_on_the_rtl():
    cells = cells_of("ring", Ring(4), parts=4, payload_flits=8)
    assert [one.failures for one in cells] == [()] * len(cells)
    assert all(one.cycles == one.predicted_cycles for one in cells)
    times = times_of("ring", Ring(4), [Collective.ALL_REDUCE])
    assert [one.counted for one in times if one.payload_flits in (1, 16, 256, 4096)] == [
        one.cycles for one in times if one.payload_flits in (1, 16, 256, 4096)
    ]
