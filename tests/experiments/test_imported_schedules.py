"""Published schedules: the committed page follows from the stored judgements, and the files are those that are named."""

from collections import Counter
import dataclasses
import hashlib
import subprocess
from types import SimpleNamespace

import pytest

from experiments.__main__ import main
from experiments.checkout import MissingCheckout
from experiments.experiment import read_stored
from experiments.imported_schedules import judge as judging
from experiments.imported_schedules.experiment import EXPERIMENT
from experiments.imported_schedules.judge import judge, with_bound, with_ours
from experiments.imported_schedules.page import rows_of
from experiments.imported_schedules.published import Published, read_published
from fatcube.groundwork.tool import ToolError
from fatcube.noc.topologies import topology_from_json
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.schedules.construct import construct
from fatcube.schedules.formats.msccl_writer import write_msccl
from fatcube.schedules.problem import Problem
from tests.support.experiments import REPORTS


def read_rows(folder):
    return rows_of(read_stored(EXPERIMENT, folder))


def test_all_that_are_described_are_stored():
    rows = read_rows(REPORTS)
    assert [row.name for row in rows] == [one.name for one in read_published()]
    assert not any(row.failures for row in rows)


def test_the_stored_figures_hold_together():
    """Steps are no fewer than the bound of today; a step of F flits takes F + 4 cycles in lockstep, and dataflow no longer."""
    for row in read_rows(REPORTS):
        if row.refused is None:
            assert row.steps >= row.bound == with_bound(row).bound
            assert row.lockstep == [row.steps * (-(-flits // row.parts) + 4) for flits in row.flits]
            assert row.ours_lockstep == [row.ours * (flits + 4) for flits in row.flits]
            pairs = (
                *zip(row.lockstep, row.dataflow, strict=True),
                *zip(row.ours_lockstep, row.ours_dataflow, strict=True),
            )
            assert all(dataflow <= lockstep for lockstep, dataflow in pairs), row.name


def test_the_machines_that_are_described():
    """A GPU of a DGX-1 has six NVLinks, each lane a link here, and 16 of an MI250 box have 56 in all."""
    found = {one.name: one.topology for one in read_published()}
    dgx1 = found["ForestColl DGX-1, all-gather"]
    assert set(Counter(node for link in dgx1.links for node in link).values()) == {6}
    assert len(found["ForestColl MI250, one tree each"].links) == 56


@pytest.fixture
def published(tmp_path):
    """A file in a commit of a repository, and the same as one that a program has written."""
    folder = tmp_path / "made"
    folder.mkdir()
    (tmp_path / "generated").mkdir()
    schedule = construct(Problem(Hypercube(2), "d", "AAB")).found
    write_msccl(schedule, folder / "a.xml")
    content = (folder / "a.xml").read_bytes()
    (tmp_path / "generated" / "a.xml").write_bytes(content)
    for arguments in (
        ["init", "-q"],
        ["add", "a.xml"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"],
    ):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, capture_output=True, text=True).stdout.strip()
    about = Published(name="a", by="us", repository="some/made", commit=commit, path="a.xml")
    digest = hashlib.sha256(content).hexdigest()
    return tmp_path, about, dataclasses.replace(about, sha256=digest), content


def test_files_are_those_that_are_named(published):
    folder, committed, generated, content = published
    assert committed.content(folder) == generated.content(folder) == content
    for changed, error in (
        ({"repository": "some/other"}, MissingCheckout),
        ({"commit": "0" * 40}, ToolError),
        ({"path": "b.xml"}, ToolError),
        ({"sha256": "0" * 64}, ToolError),
    ):
        with pytest.raises(error):
            dataclasses.replace(committed, **changed).content(folder)


def test_a_refused_file_is_a_row(published):
    folder, committed, _, _ = published
    row = judge(dataclasses.replace(committed, topology=Hypercube(3)), folder)
    assert row.refused.startswith("topology must have the 4 processors of the schedule, not 8") and row.steps is None


def test_bad_input(capsys, tmp_path):
    given = ["imported-schedules", "-o", str(tmp_path)]
    assert main(given) == 2
    assert capsys.readouterr().err == "experiments: --checkouts must be given, or --stored\n"
    assert main([*given, "--checkouts", str(tmp_path)]) == 2
    missing = tmp_path / "generated" / "forestcoll-dgx1.xml"  # which is said before anything takes long
    assert capsys.readouterr().err == f"experiments: {missing}: No such file or directory\n"
    assert main([*given, "--ours", "--checkouts", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "experiments: --ours requires --stored\n"
    assert list(tmp_path.iterdir()) == []


def test_ours_run_again(monkeypatch):
    """On one machine for all that is on a network, in their order; a row that is refused stays, and a failure is told."""
    rows = [row for row in read_rows(REPORTS) if row.name.startswith("ForestColl DGX-1")]
    refused = dataclasses.replace(rows[0], refused="it is none", topology=None)
    machines = []
    monkeypatch.setattr(judging, "machine_of", lambda schedules, flits: machines.append(len(schedules)))
    monkeypatch.setattr(judging, "judged_runs", lambda machine, runs: (
        [SimpleNamespace(cycles=run.schedule.steps * (run.payload_flits + 3 + run.lockstep)) for run in runs],
        ["a word differs"] * (runs[0].schedule.collective.value == "AAR"),
    ))  # fmt: skip
    found = with_ours([rows[0], refused, *rows[1:]])
    assert machines == [3] and found[1] == refused
    for old, new in zip(rows, [found[0], *found[2:]], strict=True):
        assert list(new.ours_lockstep) == list(old.ours_lockstep)
        assert list(new.ours_dataflow) == [old.ours * (flits + 3) for flits in old.flits]
        assert (new.name, new.dataflow, new.steps) == (old.name, old.dataflow, old.steps)
    assert [list(row.failures) for row in found] == [[], [], ["ours: a word differs"], []]


@pytest.mark.long(stays="tests/experiments/test_imported_schedules.py::test_ours_run_again")
def test_judged_on_the_rtl(published):
    """Four processors in a square: two steps of F + 4 cycles each, theirs and ours alike."""
    folder, committed, _, _ = published
    row = judge(dataclasses.replace(committed, topology=Hypercube(2)), folder)
    assert topology_from_json(row.topology) == Hypercube(2)
    assert (row.steps, row.bound, row.ours, row.failures) == (2, 2, 2, ())
    assert row.lockstep == row.ours_lockstep == (10, 40, 520)
