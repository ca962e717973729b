"""The comparison: the right candidates, figures that agree with counting by hand, runs that agree with schedules."""

import json
import re

import pytest

from fatcube.studies.compare import COLLECTIVES, candidates, compare, write_comparison
from groundwork.validation import ParameterError
from noc.topologies.cubes import FatCube, Hypercube


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


@pytest.mark.parametrize("processors", [3, 513])
def test_refused(processors):
    with pytest.raises(
        ParameterError, match=re.escape(f"processors to compare at must be an integer from 4 to 512, not {processors}")
    ):
        candidates(processors)


def test_figures(tmp_path):
    """The 3-cube and the fat cube of the paper's example: Table 6, equation 2 and Table 1, counted by hand."""
    rows = compare([Hypercube(3), FatCube(2, 2)], "d")
    steps = [[row["collectives"][collective.value]["steps"] for collective in COLLECTIVES] for row in rows]
    assert steps == [[3, 3, 3, 4], [2, 4, 4, 8]]
    assert [
        (row["links"], row["bisection"], row["diameter"], row["connectivity"], row["router_cost"]) for row in rows
    ] == [(12, 4, 3, 3, 288), (4, 2, 2, 2, 144)]
    paths = write_comparison(rows, tmp_path, 8, "d")
    assert json.loads(paths[1].read_text())["measured"]["networks"] == json.loads(json.dumps(rows))
    assert "| fat-cube(d=2, m=2, f=1) | 8 | 2 | 4 | 4 | 8 |" in paths[0].read_text()
    page = paths[2].read_text()
    assert page.count("<tr>") == 3 and '"text":["OAB on hypercube(d=3)","OAB on fat-cube(d=2, m=2, f=1)"]' in page
    assert '"x":[288,144],"y":[3,2]' in page


def test_runs():
    [row] = compare([Hypercube(2)], "1", run=True)
    for one in row["collectives"].values():
        assert one["measured_steps"] == one["steps"]
        assert one["cycles"] == one["steps"] * 20
        assert one["failures"] == []
