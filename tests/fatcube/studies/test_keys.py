"""Keys of points: digests of what is measured, and of nothing else."""

import dataclasses

from amaranth.hdl import C
import pytest

from fatcube.studies import keys
from fatcube.studies.keys import point_key
from fatcube.studies.point import Point
from noc.network import Network
from noc.topologies.cubes import FatCube, Hypercube
from rtl.arbiters.round_robin import RoundRobinArbiter, rotating_first
from rtl.router_options import RouterOptions


def point(ports="1", topology=FatCube(1, 2), **others):  # noqa: B008
    options = {name: others.pop(name) for name in list(others) if name in RouterOptions.names()}
    given = {"collective": "AAB", "family": "gates", "payload_flits": 4, **others}
    return Point(network=Network(topology, RouterOptions(ports=ports, width=16, **options)), **given)


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """Nothing is found that another test has computed."""
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "first"))


def test_a_comment_changes_no_key(monkeypatch, tmp_path):
    """Catches a key of sources: other sources that make the same hardware are a comment's, or a moved function's."""
    before = point_key(point())
    monkeypatch.setattr(keys, "source_digest", lambda *rooms: "other sources")
    monkeypatch.setattr("noc.shared.source_digest", lambda *rooms: "other sources")
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "second"))
    assert point_key(point()) == before


def test_an_arbiter_changes_the_keys_of_its_routers(monkeypatch, tmp_path):
    """Catches a netlist that is not looked at: model b has no such arbiter, so its keys stay."""
    before = {ports: point_key(point(ports)) for ports in "1b"}
    whole = RoundRobinArbiter.elaborate

    def changed(self, platform):
        m = whole(self, platform)
        m.d.comb += self.winner.eq(rotating_first(self.requests, C(1, self.requesters)))
        return m

    monkeypatch.setattr(RoundRobinArbiter, "elaborate", changed)
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "second"))
    assert {ports: point_key(point(ports)) == before[ports] for ports in "1b"} == {"1": False, "b": True}


def test_what_is_measured_is_in_the_key():
    """Catches two measurements with one key: each of these differs from all others."""
    points = [
        point(),
        point("d"),
        point(collective="OAB"),
        point(collective="OAB", root=1),
        point(payload_flits=5),
        point(family="ecp5", fmax=False),
        point(family="ecp5"),
        point(family="ecp5", seeds=(1, 2)),
        point(buffer_depth=3),
        point(topology=FatCube(2)),
        point(topology=Hypercube(2)),  # the same netlists and jobs, asked for by another name
    ]
    assert len({point_key(one) for one in points}) == len(points)
    assert point_key(point(collective="all-gather", root=1)) == point_key(
        point()
    )  # Nobody is the root of an all-gather.


def test_a_schedule_is_in_the_key(monkeypatch, tmp_path):
    """Catches a schedule that is constructed another way, and whose old cycles would be found."""
    before, best = point_key(point()), keys.best

    def other(*arguments, **keywords):
        return dataclasses.replace(best(*arguments, **keywords), by="another construction")

    monkeypatch.setattr(keys, "best", other)
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "second"))
    assert point_key(point()) != before


@pytest.mark.long
def test_keys_are_computed_in_processes(monkeypatch):
    """Catches keys that are computed again: what the processes computed is found."""
    points = [point(), point(collective="OAB"), point("d")]
    keys.compute_keys(points, jobs=2)
    monkeypatch.setattr(keys, "measured_by", lambda point: pytest.fail("computed again"))
    assert len({point_key(one) for one in points}) == 3
    keys.compute_keys(points, jobs=2)
