"""Every machine model on a network: which cells are refused, what is measured of the others, and what is a failure."""

import dataclasses
import json
from pathlib import Path
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies import topology_from_json
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.search import Outcome
from fatcube.schedules.step_model import StepModel
from fatcube.studies import models
from fatcube.studies.models import Cell, Result, cells_of, check_models, measure, refusal
from fatcube.studies.models_page import summary, tables, write_models
from tests.support.children import HANG
from tests.support.commands import run

ROOT = Path(__file__).parents[3]
#: The committed tables, in which no cell has failed.
STORED = ("hypercube-3", "fat-cube-2-2-1", "fat-cube-2-2-2")
SQUARE = Hypercube(2)

pytestmark = pytest.mark.xdist_group("models")  # They share a simulator build.


def cell(collective="AAS", ports="1", topology=SQUARE, **model):
    return Cell(topology, PortModel.parse(ports), Collective.parse(collective), StepModel(**model))


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """Schedules are found anew in every test; simulators are not."""
    monkeypatch.setattr(models, "cache_folder", lambda: tmp_path / "found")
    return tmp_path / "found"


def copies(cell):
    return cell.ports is PortModel.BROADCAST and cell.model.per_packet != 1


@pytest.mark.parametrize(
    ("topology", "simplex"),
    [(Hypercube(3), True), (FatCube(2, 2, 1), True), (FatCube(1, 2, 2), True)]
    + [(Hypercube(1), False), (FatCube(2, 1, 3), False), (Mesh(w=3, d=2), False)],
    ids=str,
)
def test_what_is_refused(topology, simplex):
    """Nothing but several messages in packets that are copied, and simplex links of which there are none."""
    cells = cells_of(topology)
    assert len(cells) == len(set(cells)) == 2 * 3 * 3 * 4 * 4
    for one in cells:
        meant = copies(one) or (one.model.links == "simplex" and not simplex)
        assert (refusal(one) is not None) == meant, one


def test_measured():
    """Two lanes lead from each of the four nodes of a square: by hand, in steps that are all full, or two messages each."""
    models = ({"links": "half-duplex"}, {"links": "half-duplex", "per_packet": 4})
    cells = [cell("AAB", "b", **models[0]), cell("AAS", "b", **models[0]), cell("AAS", "b", **models[1])]
    spread, exchange, refused = measure(cells, time_limit=HANG)
    assert (spread.steps, spread.lower_bound, spread.proved, spread.failures) == (3, 3, True, ())
    assert (exchange.steps, exchange.lower_bound, exchange.proved, exchange.failures) == (4, 4, True, ())
    assert (spread.delivered, exchange.delivered) == (16, 12)  # in an all-gather, one's own too
    for one in (spread, exchange):
        # A packet of a header and 16 flits takes 20 cycles, and at most a cycle more for a lane that has to turn.
        assert 20 * one.steps <= one.cycles == one.predicted_cycles <= 21 * one.steps
    assert refused.refused == "per_packet must be 1 on routers of model b, which copy packets, not 4"
    assert refused.steps is refused.cycles is None
    assert summary([spread, exchange, refused]) == (
        "3 cells: 1 refused; 2 executed on the RTL, 2 of them in provably minimal steps and 0 open; 0 failed"
    )
    assert [Result.from_json(one.to_json()) for one in (spread, refused)] == [spread, refused]


def plant(monkeypatch, change):
    """Whatever builds schedules gives what ``change`` makes of them."""
    for name in ("construct", "best"):
        real = getattr(models, name)
        monkeypatch.setattr(models, name, lambda *given, real=real, **how: change(real(*given, **how)))


def test_what_was_found_is_not_searched_again(monkeypatch):
    first = measure([cell()], time_limit=HANG)
    plant(monkeypatch, refuse)
    assert measure([cell()], time_limit=HANG) == first
    assert measure([cell()], time_limit=HANG + 1)[0].failures


def test_what_was_interrupted_is_not_kept(monkeypatch, cache):
    plant(monkeypatch, lambda finding: dataclasses.replace(finding, stopped=Outcome.INTERRUPTED))
    with pytest.raises(KeyboardInterrupt):
        measure([cell()], time_limit=HANG)
    assert not list(cache.glob("**/*.json"))


def refuse(*_, **__):
    raise ParameterError("moons must be full, not new")


def crash(finding):
    raise RuntimeError("it has no end")


def with_nothing(finding):
    return dataclasses.replace(finding, schedule=None, stopped=Outcome.TIME)


def with_less(finding):
    """A schedule without one of its transfers."""
    written = finding.found.expanded()
    return dataclasses.replace(finding, schedule=dataclasses.replace(written, transfers=written.transfers[:-1]))


@pytest.mark.parametrize(
    ("change", "failure"),
    [
        (refuse, "ParameterError: moons must be full, not new"),
        (crash, "RuntimeError: it has no end"),
        (with_nothing, "no schedule found in 300 s: out of time, nothing proven"),
        (with_less, "ScheduleError: "),
    ],
    ids=["refused", "crashed", "not found", "wrong"],
)
def test_what_cannot_be_run_is_a_failure(monkeypatch, change, failure):
    """Catches a cell that is refused for a reason which is none, and then left out."""
    plant(monkeypatch, change)
    [result] = measure([cell()], time_limit=HANG)
    assert result.refused is None and result.cycles is None
    assert len(result.failures) == 1 and result.failures[0].startswith(failure)


def test_a_wider_model_takes_the_schedule_of_a_narrower_one(monkeypatch):
    """Where nothing shorter is constructed, and not where it is; that of other links or ports is another machine's."""
    narrow, wide = cell("OAB"), cell("OAB", transfers="direct")
    [first] = measure([narrow], time_limit=HANG)
    real = models.construct
    monkeypatch.setattr(
        models,
        "construct",
        lambda problem: with_nothing(real(problem)) if problem.model.direct or problem.k > 1 else real(problem),
    )
    monkeypatch.setattr(models, "best", lambda problem, **how: with_nothing(real(problem)))
    again, taken, of_ports = measure([narrow, wide, cell("OAB", "d", transfers="direct")], time_limit=HANG)
    _, of_links = measure([cell("OAB", links="half-duplex"), wide], time_limit=HANG)
    assert again == first and first.by == "constructed"
    assert (taken.by, taken.steps, taken.cycles, taken.failures) == ("found for a narrower model", 2, first.cycles, ())
    assert [one.failures[0][:17] for one in (of_ports, of_links)] == ["no schedule found"] * 2


@pytest.mark.parametrize(
    ("changes", "failure"),
    [
        ({"conflicts": 3}, "3 conflicts were counted in lockstep"),
        ({"failures": ("lane 0 of node 1: packet 2 is missing",)}, "lane 0 of node 1: packet 2 is missing"),
        ({"steps": 5}, "5 steps were counted, not 4"),
        ({"cycles": 81}, "81 cycles were counted, not 80 as predicted"),
    ],
    ids=lambda value: "" if isinstance(value, str) else next(iter(value)),
)
def test_a_run_that_is_not_as_planned_fails_the_command(monkeypatch, capsys, tmp_path, changes, failure):
    real = models.simulate_all

    def simulate_all(machine, runs):
        return [dataclasses.replace(result, **changes) for result in real(machine, runs)]

    monkeypatch.setattr(models, "simulate_all", simulate_all)
    monkeypatch.setattr(models, "cells_of", lambda topology: [cell()])
    monkeypatch.setattr("fatcube.studies.models_page.tables", lambda results: [])
    status, _, err = run(monkeypatch, capsys, "models", "--topology", "hypercube", "--json", tmp_path / "models.json")
    named = "AAS, model 1, adjacent transfers, full-duplex links, 1 message per packet"
    assert (status, err) == (1, f"FAILED: {named}: {failure}\n")
    [written] = json.loads((tmp_path / "models.json").read_text())["measured"]["cells"]
    assert written["failures"] == [failure]


def test_a_machine_that_cannot_be_built_is_a_failure(monkeypatch):
    monkeypatch.setattr(models, "fitting_machine", refuse)
    [result] = measure([cell()], time_limit=HANG)
    assert result.failures == ("moons must be full, not new",) and result.steps == 4


@pytest.mark.parametrize("topology", [Hypercube(9), FatCube(1, 1024)], ids=str)
def test_too_large(topology):
    with pytest.raises(ParameterError, match="to simulate"):
        check_models(topology)


@pytest.mark.long(stays="tests/fatcube/studies/test_models.py::test_measured")
def test_all_cells_of_a_square():
    cells = cells_of(SQUARE)
    results = measure(cells, time_limit=HANG)
    assert [result.failures for result in results if result.failures] == []
    assert [result.refused is not None for result in results] == [*map(copies, cells)]
    assert all(result.cycles is not None for result in results if result.refused is None)


def stored(name):
    """Topology, limit of the search and results of a committed table."""
    written = json.loads((ROOT / "synth_reports" / f"models-{name}.json").read_text(encoding="utf-8"))
    results = [Result.from_json(one) for one in written["measured"]["cells"]]
    return topology_from_json(written["parameters"]["topology"]), written["parameters"]["time_limit"], results


@pytest.mark.parametrize("name", STORED)
def test_committed_tables(tmp_path, name):
    """Each has every cell, follows from the figures beside it, and what is not refused was executed."""
    topology, time_limit, results = stored(name)
    cells = cells_of(topology)
    assert [one.to_json() for one in cells] == [
        {key: getattr(result, key) for key in one.to_json()} for one, result in zip(cells, results, strict=True)
    ]
    assert not any(result.failures for result in results)
    for one, result in zip(cells, results):
        assert result.refused == refusal(one) and result.cycles == result.predicted_cycles
        assert (result.cycles is None) == (result.refused is not None)
    write_models(results, tmp_path / "page.md", topology, time_limit)
    assert (tmp_path / "page.md").read_text() == (ROOT / "synth_reports" / f"models-{name}.md").read_text()


@pytest.mark.parametrize("name", STORED)
def test_wider_models_need_no_more_steps(name):
    """Where both are proved, as a schedule runs on a wider model too; the bound of the one is no higher than that of the
    other."""
    topology, _, results = stored(name)
    cells = cells_of(topology)
    pairs = 0
    for one, narrow in zip(cells, results):
        for other, wide in zip(cells, results):
            if (one.ports, one.collective) == (other.ports, other.collective) and one.model <= other.model:
                if narrow.refused is None is wide.refused and narrow.proved and wide.proved:
                    assert wide.steps <= narrow.steps, (str(one), str(other))
                    pairs += 1
    assert pairs > 500


@pytest.mark.parametrize(
    ("collective", "ports", "links", "steps"),
    [("AAS", "1", "half-duplex", 12), ("AAS", "d", "half-duplex", 8)]
    + [("AAB", "1", "half-duplex", 7), ("AAB", "d", "half-duplex", 5)]
    + [("AAS", "1", "full-duplex", 12), ("AAS", "d", "full-duplex", 4)],
)
def test_known_steps_of_the_cube(collective, ports, links, steps):
    """Derived independently of the project: by search and maximum flow."""
    _, _, results = stored("hypercube-3")
    [one] = [
        one
        for one in results
        if (one.collective, one.ports, one.links, one.transfers, one.per_packet)
        == (collective, ports, links, "adjacent", 1)
    ]
    assert one.proved and one.steps == steps


def test_page(tmp_path):
    """A mark for what is proved, open and failed; nothing for what is refused."""
    topology, time_limit, results = stored("hypercube-3")
    results[0] = dataclasses.replace(results[0], failures=("it stalled",))
    write_models(results, tmp_path / "page.html", topology, time_limit)
    text = (tmp_path / "page.html").read_text()
    proved = sum(one.proved for one in results[1:])
    still_open = sum(one.cycles is not None and not one.proved for one in results)
    failed = 1
    marks = [text.count(f'<td class="{mark}">') for mark in ("good", "partly", "wrong")]
    assert marks == [proved, still_open, failed] and text.count("<td>-</td>") == 48
    assert [table.title for table in tables(results)] == [
        f"{transfers} transfers, {links} links"
        for transfers in ("Adjacent", "Direct")
        for links in ("full-duplex", "half-duplex", "simplex")
    ]
    assert "Refused (-): messages per packet must be 1 on routers of model b, which copy packets.</p>" in text
    assert "Failed: OAB, model 1, per packet 1: it stalled." in re.sub(r"<[^>]*>", "", text)


def test_what_is_found_is_kept_for_its_cell(monkeypatch):
    """Each thing alone that a schedule depends on has it found anew, and nothing else."""
    found = []
    monkeypatch.setattr(models, "_best", lambda *asked: found.append(asked))
    monkeypatch.setattr(models, "_to_json", lambda finding: len(found))
    narrower = construct(Problem(SQUARE, PortModel.ONE, Collective.AAS)).found
    asked = [
        (cell(), None, 1.0),
        (cell(topology=Hypercube(3)), None, 1.0),
        (cell(ports="d"), None, 1.0),
        (cell("AAB"), None, 1.0),
        (cell(transfers="direct"), None, 1.0),
        (cell(links="half-duplex"), None, 1.0),
        (cell(per_packet=2), None, 1.0),
        (cell(), None, 2.0),
        (cell(), narrower, 1.0),
    ]
    for sources, version in (("one", "1"), ("other", "1"), ("one", "2")):
        monkeypatch.setattr(models, "source_digest", lambda *rooms, sources=sources: sources)
        monkeypatch.setattr(models, "versions", lambda names, version=version: dict.fromkeys(names, version))
        before = len(found)
        for _ in range(2):
            assert [models._cached(*one) for one in asked] == [*range(before + 1, before + 1 + len(asked))]
        assert found[before:] == asked
