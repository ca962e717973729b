"""Cycles of stored points that are counted again: what is counted is today's, and area and speed stay as they were."""

import json
from pathlib import Path

import pytest

from fatcube.studies.keys import point_key
from fatcube.studies.point import Point
from fatcube.studies.result_record import check_record, network_of
from tests.support.measured import point_of
from tests.support.recount import counted_again

STUDY = Path(__file__).parents[1] / "synth_reports" / "study.jsonl"
SMALL = {
    "topology": {"type": "fat-cube", "d": 2, "m": 2, "f": 1},
    "ports": "1",
    "collective": "OAB",
    "payload_flits": 4,
}


@pytest.fixture(scope="module")
def stored():
    """A small point of the study, on a machine that other tests have built."""
    for line in STUDY.read_text(encoding="utf-8").splitlines()[1:]:
        record = json.loads(line)
        if SMALL.items() <= record["parameters"].items():
            return record
    raise AssertionError("the study has no such point")


def test_cycles_are_counted_and_area_stays(stored):
    """Catches a count that is not stored, an area that is touched, and a record that no reader takes."""
    wrong = {"dataflow_cycles": 99, "cycles": 77, "ff": 12345, "microseconds": 5.0}
    how = {name: value for name, value in stored["how"].items() if name != "counted_at_revision"}
    record = {**stored, "key": "old", "measured": {**stored["measured"], **wrong}, "how": how}
    found, problems, different = counted_again(record)
    assert not problems
    assert sorted(different) == ["cycles", "dataflow_cycles"]
    right = stored["measured"]
    assert found["measured"] == {**right, "ff": 12345}
    assert found["measured"]["microseconds"] == pytest.approx(right["cycles"] / right["fmax_mhz"])
    # The stored router was placed before rip-up, so its key is another.
    assert found["key"] == point_key(point_of(Point, network_of(stored["parameters"]), stored["parameters"]))
    assert "counted_at_revision" in found["how"]
    assert {name: found["how"][name] for name in how} == how
    check_record(found)
