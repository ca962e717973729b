"""Runs that an audit rests on: executed once, found again, and made again when something of them changes."""

import dataclasses

import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.papers import executed as module
from fatcube.papers.evidence import Evidence
from fatcube.papers.executed import executed, run_file
from fatcube.papers.fat_cube.claims import combining, searched, wormhole
from fatcube.papers.fat_cube.claims.combining import COMBINING
from fatcube.papers.fat_cube.fat_case import FatCase
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from tests.support.audits import check_evidence, said, stored
from tests.support.children import HANG

pytestmark = pytest.mark.xdist_group("audit of the fat cube")

EXECUTED = ("combining_", "gather_scatter_", "wormhole_executed_", "wormhole_broadcast")


def all_to_all(ports="1"):
    return {"AAS": construct(Problem(Hypercube(2), ports, "AAS")).found.expanded()}


def test_runs_are_kept(tmp_path, monkeypatch):
    """Each processor of a square sends 4 messages, one a step: 20 cycles each. What is kept is not run again, and what differs is."""
    evidence, ran = Evidence(tmp_path), []
    real = module.simulate_all
    monkeypatch.setattr(module, "simulate_all", lambda machine, runs: ran.append(machine) or real(machine, runs))
    first = executed(evidence, "square", all_to_all())
    assert first == executed(evidence, "square", all_to_all()) and len(ran) == 1
    assert first["AAS"].right and (first["AAS"].steps, first["AAS"].cycles, first["AAS"].delivered) == (4, 80, 12)
    kept = tmp_path / run_file("square")
    text = kept.read_text()
    for damaged in ("{", "[]", text.replace('"key": "', '"key": "0')):
        kept.write_text(damaged)
        assert executed(evidence, "square", all_to_all()) == first and kept.read_text() == text
    assert len(ran) == 4
    # Another schedule under the same name, on the same machine and in as many steps: its loads tell them apart.
    for number, root in enumerate((0, 1), start=5):
        other = {"AAS": construct(Problem(Hypercube(2), "1", "OAS", root)).found.expanded()}
        assert executed(evidence, "square", other)["AAS"].cycles == 60 and len(ran) == number
    assert kept.read_text() != text


class Planned:
    """A machine, a schedule and its run, of which only this is looked at."""

    def __init__(self, steps):
        self.steps, self.schedule = steps, self

    def to_json(self):
        return {}


def test_all_that_a_run_follows_from_is_in_its_key(monkeypatch):
    """Each alone makes another key: netlist, jobs, steps as planned, and the version of every tool."""
    now = {"netlist": "a netlist", "jobs": "a job", "amaranth": "1", "cocotb": "1", "verilator": "1"}
    monkeypatch.setattr(module, "netlist_digest", lambda *asked: now["netlist"])
    monkeypatch.setattr(module, "jobs_of", lambda machine, runs: now["jobs"])
    monkeypatch.setattr(module, "versions", lambda names: {name: now[name] for name in names})
    found = [module._key(Planned(0), [Planned(steps)]) for steps in (3, 4)]
    for name in now:
        monkeypatch.setitem(now, name, "another")
        found.append(module._key(Planned(0), [Planned(3)]))
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("wrong", [{"steps": 5}, {"conflicts": 1}, {"failures": ("message lost",)}], ids=str)
def test_a_run_that_went_wrong_refutes_the_claim(tmp_path, monkeypatch, wrong):
    """Planted: one run of Table 3 that is not as planned, and its case alone is red."""
    real = module.Executed(planned_steps=3, steps=3, cycles=60, conflicts=0, delivered=12)
    planted = dataclasses.replace(real, **wrong)

    def runs(evidence, d, model):
        right = {name: wormhole.value(text, d) for name, text in wormhole.WORMHOLE[model].items()}
        found = {name: dataclasses.replace(real, planned_steps=steps, steps=steps) for name, steps in right.items()}
        return found | ({"AAS": planted} if d == 2 else {})

    monkeypatch.setattr(wormhole, "_executed", runs)
    evidence = Evidence(tmp_path)
    assert PAPER.find("wormhole_executed_AAB_1_port").row(evidence).verdict == "holds"
    row = PAPER.find("wormhole_executed_AAS_1_port").row(evidence)
    assert (row.verdict, row.failing) == ("wrong: fails in 1 of 4 cases", "d = 2, P = 4")


def test_least_cycles_by_hand(tmp_path):
    """Two neighbours of two processors each: an all-gather of 3 messages through one port takes 2 steps at least."""
    evidence = Evidence(tmp_path, time_limit=HANG, searched=searched)
    instance = FatCase.of(2, 1, 1, "1", "AAB", COMBINING)
    assert combining._least_cycles(evidence, instance) == 3 * 2 + 3 * 17
    assert combining._least_cycles(evidence, instance.changed(collective="AAS")) == 3 * 2 + 4 * 17


def test_an_all_to_all_goes_the_ways_of_an_all_gather():
    spread = construct(Problem(FatCube(2, 2, 1), "1", "AAB", model=COMBINING)).found.expanded()
    exchange = combining._exchange(spread)
    assert check(exchange).steps == spread.steps and exchange.collective.value == "AAS"
    assert {one.message for one in exchange.transfers} == {
        type(one)(origin, target)
        for one in [exchange.transfers[0].message]
        for origin in range(8)
        for target in range(8)
        if origin != target
    }


@pytest.mark.long(stays="tests/papers/test_executed.py::test_runs_are_kept")
def test_what_is_stored_of_executed_claims_is_what_is_found(tmp_path):
    """Execute all cases anew: 17 machines."""
    evidence = Evidence(tmp_path / "audit", time_limit=HANG, searched=searched)
    rows = [row for row in stored("fat-cube") if row.name.startswith(EXECUTED)]
    assert len(rows) == 18
    found = [PAPER.find(row.name).row(evidence) for row in rows]
    assert list(map(said, found)) == list(map(said, rows))
    check_evidence(evidence.folder, found, at_least=6)
    runs = list((tmp_path / "audit/runs").glob("*.json"))
    assert len(runs) == 17 and all('"failures"' not in one.read_text() for one in runs)
