"""The networks of 1,024 nodes, and `fatcube large --cases` on smaller ones."""

import json

import pytest

from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.studies.large_messages import cases
from fatcube.studies.large_messages.cases import CASES, irregular_of_degree, measured
from fatcube.studies.large_messages.large_page import cases_table
from tests.support.commands import run


def test_the_networks():
    """All have 1,024 nodes; all nodes of the random graph have four links, and it is the same in every run."""
    made = {name: make() for name, make in CASES.items()}
    assert {topology.nodes for topology in made.values()} == {1024}
    drawn = made["irregular-1024-of-degree-4"]
    assert {sum(1 for _ in drawn.ends(node)) for node in range(1024)} == {4}
    assert drawn == irregular_of_degree(4, 1024) != irregular_of_degree(4, 1024, seed=2)


@pytest.mark.parametrize(("topology", "stored", "steps"), [(Torus(w=4, d=2), 15, 4), (Mesh(w=4, d=2), 240, 8)], ids=str)
def test_what_is_stored(topology, stored, steps):
    """Of a network all of whose nodes look alike one tree of 15 transfers, and else all."""
    found = measured("small", topology)
    assert (found.stored, found.steps, found.lower_bound, found.ratio) == (stored, steps, steps, 1)
    assert found.megabytes > 10 and found.seconds >= 0


def test_the_command(monkeypatch, capsys, tmp_path):
    """The table and the record of all cases, here of small ones; the options that it takes the place of are refused."""
    some = [measured("mesh", Mesh(w=4, d=2)), measured("torus", Torus(w=4, d=2))]
    monkeypatch.setattr(cases, "measure_cases", lambda: some)
    status, out, _ = run(monkeypatch, capsys, "large", "--cases", "--json", tmp_path / "cases.json")
    assert status == 0 and "1.000" in out
    record = json.loads((tmp_path / "cases.json").read_text())
    assert [one["ratio"] for one in record["measured"]["cases"]] == [1, 1]
    assert [row[0] for row in cases_table(some).rows] == ["mesh", "torus"]
    for option in (["--parts", "4"], ["--graphs", "ring-8"], ["--no-rtl"]):
        status, _, err = run(monkeypatch, capsys, "large", "--cases", *option)
        assert status == 2 and len(err.splitlines()) == 1
    assert run(monkeypatch, capsys, "large", "--cases", "--dry-run")[0] == 0
