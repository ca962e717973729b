"""`fatcube faults`: single failures that look the same, pairs, figures by hand, and a run that goes on where it was."""

import dataclasses
import json

import networkx
import pytest

from fatcube import cli
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.port_model import PortModel
from fatcube.studies import faults
from fatcube.studies.failure_sets import orbits, pairs, single_failures
from fatcube.studies.faults import Case, Room, measure, study
from fatcube.studies.results import Results


def _sizes(topology):
    return sorted(
        (str(one.first.kind), one.first.out, len(one.failures))
        for one in orbits(topology, [*single_failures(topology)])
    )


def test_failures_that_look_the_same():
    """Edge-symmetric cubes have one kind of links; cube-connected cycles have two, n 2^(n-1) lateral and n 2^n cycle links."""
    assert _sizes(Hypercube(3)) == [("link", False, 12), ("link", True, 24), ("node", False, 8)]
    assert _sizes(CubeConnectedCycles(3)) == [
        *(("link", False, count) for count in (12, 24)),
        *(("link", True, count) for count in (24, 48)),
        ("node", False, 24),
    ]
    assert _sizes(FatCube(2, 2, 2)) == [
        ("lane", False, 8),
        ("link", False, 4),
        ("link", True, 8),
        ("node", False, 4),
        ("processor", False, 8),
    ]
    # The corners, the edges and the centre of a mesh, and the links between them.
    assert _sizes(Mesh(w=3, d=2)) == [
        *(("link", False, count) for count in (4, 8)),
        *(("link", True, count) for count in (4, 4, 8, 8)),
        *(("node", False, count) for count in (1, 4, 4)),
    ]


@pytest.mark.parametrize(
    "topology", [Mesh(w=3, d=2), pytest.param(CubeConnectedCycles(3), marks=pytest.mark.long)], ids=str
)
def test_each_is_named_once_and_has_the_same_figures_as_its_like(topology):
    """Over every single failure: distances of what is left are equal within a group, by networkx."""
    failures = [*single_failures(topology)]
    assert len(set(failures)) == len(failures) == sum(len(one.failures) for one in orbits(topology, failures))
    for orbit in orbits(topology, failures):
        sums = set()
        for failure in orbit.failures:
            try:
                left = damaged(topology, [failure]).survivors
            except ValueError:
                sums.add(None)
                continue
            sums.add(sum(sum(one.values()) for _, one in networkx.all_pairs_shortest_path_length(left.adjacent)))
        assert len(sums) == 1


def test_pairs():
    failures = [*single_failures(Hypercube(2))]
    every = pairs(failures, 1000, 0)
    assert len(set(every)) == len(every) == 8 * 7 // 2 - 4 * 2  # a node takes its two links along
    some = pairs(failures, 5, 3)
    assert len(set(some)) == 5 and set(some) <= set(every)
    assert some == pairs(failures, 5, 3) != pairs(failures, 5, 4)


def test_figures_of_a_case():
    """The 3-cube without a link: distances and steps that are known; a cut network has a reason only."""
    figures = measure(Case(Hypercube(3), PortModel.D_PORT, ("link:0-1",)))
    assert (figures["diameter"], figures["processors"], figures["classes"]) == (3, 8, 1)
    assert figures["collectives"]["AAB"] == {"steps": 4, "lower_bound": 4}
    # The busiest link is on the way of three pairs of nodes, each of which sends a flit per cycle (4 x 4/16), over two lanes in turn.
    assert measure(Case(FatCube(2, 4, 2), PortModel.D_PORT, ()))["load"] == pytest.approx(2 / 3)
    assert "leave none" in measure(Case(Hypercube(2), PortModel.D_PORT, ("link:0-1", "link:0-2")))["cut"]


def test_a_case_is_found_by_all_that_its_figures_depend_on(monkeypatch):
    """Each input alone makes another key, and so do other sources; the commit does not, nor who asks."""
    case = Case(FatCube(2, 2, 2), PortModel.D_PORT, ("link:0-1",), Room(2, 3))
    others = [
        {"whole": FatCube(2, 2, 3)},
        {"ports": PortModel("1")},
        {"failed": ("link:0-2",)},
        {"failed": ()},
        {"room": None},
        {"room": Room(3, 3)},
        {"room": Room(2, 4)},
    ]
    found = []
    for sources in (("one commit", "one digest"), ("another commit", "one digest"), ("one commit", "another digest")):
        monkeypatch.setattr(faults, "source_revision", lambda sources=sources: sources)
        found.append([dataclasses.replace(case, **other).key for other in [{}, *others]])
    assert found[0] == found[1]
    assert len({*found[0], *found[2]}) == 2 * (1 + len(others))


def test_a_study_goes_on(monkeypatch, tmp_path):
    """Cases in the results are not measured again, and a case that fails is kept with its reason."""
    cases = [Case(Hypercube(2), PortModel.D_PORT, failed) for failed in ((), ("link:0-1",))]
    with Results(tmp_path / "r.sqlite") as results:
        for case in cases:
            results.put(case.key, case.parameters, reason="a reason")
        assert study(cases, results, what="x") == ["a reason"] * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--topology", "hypercube", "-d", "7"], "nodes must be at most 64 to go through all failures"),
        (["--topology", "switch", "-n", "1025"], "processors must be at most 1,024 to go through all failures"),
        (["--failed", "link:0-1"], "topology must have no failures"),
        (["--ports", "b"], "ports must be 1, d or"),
        (["--rtl-pairs", "300"], "pairs on the RTL must be an integer from 0 to 200, not 300"),
    ],
)
def test_refused(capsys, tmp_path, arguments, message):
    assert cli.run(["faults", *arguments, "--results", str(tmp_path / "f.sqlite"), "--dry-run"]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long(stays="tests/fatcube/studies/test_faults.py::test_a_study_goes_on")
def test_the_command(capsys, tmp_path):
    """The whole study of the 2-cube, with runs on the RTL: no packet is lost, and the results give the same figures again."""
    files = [str(tmp_path / name) for name in ("f.sqlite", "f.md", "f.json")]
    command = ["faults", "--topology", "hypercube", "-d", "2", "--ports", "d", "--rtl-pairs", "1"]
    command += ["--results", files[0], "--page", files[1], "--json", files[2]]
    assert cli.run(command) == 0
    measured = json.loads((tmp_path / "f.json").read_text())["measured"]
    assert [len(orbit) for orbit in measured["orbits"]] == [4, 8, 4]
    assert len(measured["rtl"]) == 1 + 3 + 1 and all(one["packets"] >= 100_000 for one in measured["rtl"])
    # No network saturates at the load that it carried, nor carries more than its lanes and receivers can take.
    bounds = {(): measured["sound"]["load"]}
    bounds |= {(name,): one["load"] for name, one in measured["singles"].items()}
    bounds |= {tuple(one["failed"]): one["load"] for one in measured["doubles"] if "load" in one}
    for one in measured["rtl"]:
        assert one["offered"] < (one["saturation"] or 1) <= bounds[tuple(one["failed"])] + 1 / 64
    page = (tmp_path / "f.md").read_text()
    assert cli.run(command) == 0
    assert (tmp_path / "f.md").read_text() == page
