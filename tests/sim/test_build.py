"""Simulator builds: in any folder, said aloud, and nothing left of what is not finished."""

import tempfile

import pytest

from groundwork import progress
from groundwork.validation import ParameterError
from noc.network import Network
from noc.topologies.cubes import FatCube
from rtl.router_options import RouterOptions
from schedules.construct import construct
from sim import build as building
from sim.simulate import Run, fitting_machine, simulate

MACHINE = fitting_machine(Network(FatCube(1), RouterOptions(width=16)))


def test_build_and_run_in_folders_with_spaces(monkeypatch, tmp_path, capsys):
    """Catches make, which takes a path with a space for two; and a minute in which nothing is said."""
    for name in ("the cache", "temporary files"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "the cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary files"))
    monkeypatch.setattr(progress, "_FIRST", 0.1)
    result = simulate(MACHINE, Run(schedule=construct(FatCube(1), "1", "OAB").schedule, payload_flits=4))
    assert (result.steps, result.cycles, result.failures) == (1, 8, ())
    assert capsys.readouterr().err.startswith(f"fatcube: building the simulator of {MACHINE.network}\n")
    assert sorted(path.name for path in (tmp_path / "the cache").iterdir()) == ["builds", "netlists", "support"]
    [folder] = (tmp_path / "the cache" / "builds").iterdir()
    assert (folder / "system").exists() and not list((tmp_path / "temporary files").iterdir())


def test_build_that_fails_leaves_nothing(monkeypatch, tmp_path):
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path))

    def broken(folder, *arguments):
        (folder / "half").touch()
        raise RuntimeError("the simulator could not be built")

    monkeypatch.setattr(building, "_build_in", broken)
    with pytest.raises(RuntimeError, match="^the simulator could not be built$"):
        building.build(MACHINE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["builds", "netlists"]
    assert not list((tmp_path / "builds").iterdir())


def test_no_folder_that_make_can_work_in(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "a b"))
    monkeypatch.setattr(building.os, "access", lambda *arguments: False)
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path))
    with pytest.raises(
        ParameterError, match="^TMPDIR must be a folder whose path has letters, digits and ./_.- only, "
    ):
        building.build(MACHINE)
