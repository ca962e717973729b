"""The files of searches: what an audit writes is the same on every machine."""

import json

import pytest

from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.papers import evidence
from fatcube.papers.evidence import Evidence, Instance
from fatcube.schedules.search import Outcome, Search
from tests.support.audits import REPORTS


@pytest.mark.parametrize("outcome", [Outcome.IMPOSSIBLE, Outcome.TIME])
def test_a_record_does_not_depend_on_how_long_the_search_took(tmp_path, monkeypatch, outcome):
    case, files = Instance(CubeConnectedCycles(2), "1", "OAB"), []
    for seconds in (0.5, 61.25):
        found = Search(3, outcome, None, seconds)
        monkeypatch.setattr(evidence, "search", lambda *given, found=found, **more: found)
        folder = tmp_path / str(seconds)
        assert Evidence(folder).impossible(case, 3) == (outcome is Outcome.IMPOSSIBLE)
        files.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.json")})
    assert files[0] == files[1] and len(files[0]) == 1


def test_no_kept_record_has_a_time():
    records = list(REPORTS.glob("*/proofs/*.json"))
    assert records and [path.name for path in records if "seconds" in path.read_text()] == []


def test_a_schedule_that_was_found_is_kept():
    """Else the audit of a new clone searches for it again, and writes a file that was not there."""
    missing = [
        path.name
        for path in REPORTS.glob("*/proofs/*.json")
        if json.loads(path.read_text())["outcome"] == Outcome.FOUND.value
        and not (path.parents[1] / "schedules" / f"{path.stem.rpartition('-')[0]}.json").exists()
    ]
    assert missing == []
