"""Digests of netlists in one cache: computed again after any change of the sources of hardware, and otherwise found."""

import pytest

from fatcube.groundwork import digest as digests
from fatcube.noc import shared
from fatcube.noc.shared import netlist_digest


class Made:
    """A component with the netlist of that number."""

    def __init__(self, number):
        self.number = number

    def modules(self):
        return {"module": str(self.number)}


@pytest.fixture
def looked_up(monkeypatch, tmp_path):
    """The digest of a netlist that differs each time it is made."""
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path))
    made = []

    def look_up(name="node", parameters=(1,)):
        return netlist_digest(name, list(parameters), lambda: made.append(1) or Made(len(made)))

    return look_up


@pytest.mark.parametrize("room", ["rtl", "noc"])
def test_a_change_in_either_room_counts(monkeypatch, looked_up, room):
    sources = {"rtl": "as it was", "noc": "as it was"}
    monkeypatch.setattr(shared, "source_digest", lambda *rooms: str([sources[one] for one in rooms]))
    before = looked_up()
    assert looked_up() == before
    sources[room] = "changed"
    assert looked_up() == looked_up() != before


def test_another_version_of_amaranth_counts(monkeypatch, looked_up):
    before, installed = looked_up(), digests.metadata.version
    assert looked_up() == before
    monkeypatch.setattr(digests.metadata, "version", lambda name: "other" if name == "amaranth" else installed(name))
    assert looked_up() == looked_up() != before


def test_kinds_and_parameters_are_distinguished(looked_up):
    found = [looked_up(), looked_up("router"), looked_up(parameters=(2,)), looked_up(parameters=(1, 2))]
    assert len(set(found)) == 4
    assert looked_up() == found[0]
