"""Simulator builds: in any folder, of as little as possible, said aloud, and nothing left of what is not finished."""

import dataclasses
import os
from pathlib import Path
import re
import subprocess
import sys
import tempfile

import pytest

from fatcube.groundwork.tool import ToolError
from fatcube.noc.network import Network
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.sim.builds import verilator
from fatcube.sim.builds.build import build
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate
from tests.support.caches import share_library
from tests.support.commands import run
from tests.support.spoken import say_at_once

MACHINE = fitting_machine(Network(FatCube(1), RouterOptions(width=16)))
RUN = Run(schedule=construct(Problem(FatCube(1), "1", "OAB")).schedule, payload_flits=4)
KINDS = ["builds", "headers", "library", "netlists", "parts", "tops"]


def built(folder):
    """The folders of each kind in the cache, by name, and nothing that is not finished."""
    return {kind.name: sorted(path.name for path in kind.iterdir()) for kind in folder.iterdir()}


@pytest.mark.parametrize("library", ["shared", pytest.param("compiled", marks=pytest.mark.long)])
def test_build_and_run_in_folders_with_odd_names(monkeypatch, tmp_path, capsys, library):
    """Catches a tool that takes a path with a space for two or one with an umlaut for none; and silence."""
    cache, temporary = tmp_path / "the cäche", tmp_path / "temporäry files"
    if library == "shared":
        share_library(cache)
    temporary.mkdir()
    monkeypatch.setenv("FATCUBE_CACHE", str(cache))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    say_at_once(monkeypatch)
    result = simulate(MACHINE, RUN)
    assert (result.steps, result.cycles, result.failures) == (1, 8, ())
    said = [re.sub(r": \d+ of \d+$", "", line) for line in capsys.readouterr().err.splitlines()]
    assert list(dict.fromkeys(said)) == [
        *(["fatcube: compiling what all simulators share"] if library == "compiled" else []),
        "fatcube: compiling the testbench",
        f"fatcube: compiling a node of the {MACHINE.network.name}",
        f"fatcube: running 1 run on the {MACHINE.network.name}",
    ]
    assert sorted(built(cache)) == KINDS
    assert not list(temporary.iterdir())


def test_what_is_the_same_is_compiled_once(monkeypatch, tmp_path):
    """A node belongs to its router and processors, not to the network; what stands around it, to all machines."""
    share_library(tmp_path)
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path))

    def machine(topology, ports):
        return fitting_machine(Network(topology, RouterOptions(ports=ports, width=24)), memory_words=64)

    first = build(machine(Hypercube(3), "d"))
    assert build(machine(FatCube(3), "d")).folder == first.folder
    assert [len(built(tmp_path)[kind]) for kind in ("parts", "tops", "builds")] == [1, 1, 1]
    # All the files that Verilator writes of it are compiled together.
    for kind in ("parts", "tops"):
        [folder] = (tmp_path / kind).iterdir()
        assert [path.name for path in folder.glob("together*")] == ["together0.o"]
        assert len(list(folder.iterdir())) <= 4
    # Three channels again, but another port model, and more bits for the ids of messages.
    assert build(machine(CubeConnectedCycles(3), "1")).folder != first.folder
    assert [len(built(tmp_path)[kind]) for kind in ("parts", "tops", "builds")] == [2, 1, 2]


def test_build_that_fails_leaves_nothing(monkeypatch, tmp_path):
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path))

    def broken(folder, sources, **options):
        (folder / "half.o").touch()
        raise ToolError("out of room")

    monkeypatch.setattr(verilator, "compile_objects", broken)
    with pytest.raises(RuntimeError, match="^the simulator could not be built: out of room$"):
        build(MACHINE)
    assert not any(names for kind, names in built(tmp_path).items() if kind != "netlists")


def test_cache_that_cannot_be_written(monkeypatch, capsys, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "file"))
    status, out, err = run(monkeypatch, capsys, "simulate", "-c", "OAB", "-d", "1")
    assert (status, out, err) == (2, "", f"fatcube: Not a directory: '{tmp_path}/file/library'\n")


def test_no_compiler(monkeypatch, tmp_path):
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    verilator._compiler.cache_clear()
    verilator._compiler_version.cache_clear()
    with pytest.raises(RuntimeError, match="a C[+][+] compiler must be installed to simulate with Verilator: "):
        build(MACHINE)


def test_simulator_imports_little():
    """Catches a testbench that imports Amaranth or networkx, which would be most of the time of a short run."""
    names = "import fatcube.sim.builds.testbench, sys; print(*{'amaranth', 'networkx', 'numpy'} & set(sys.modules))"
    root = Path(__file__).resolve().parents[3]
    found = subprocess.run([sys.executable, "-c", names], cwd=root, env=os.environ, capture_output=True, text=True)
    assert (found.stdout, found.returncode) == ("\n", 0), found.stderr


def test_testbench_that_fails_is_no_result(monkeypatch):
    """Catches a run that ends before all has been read, and is taken for a short one."""
    from fatcube.sim.collectives import simulate as module

    made = module._job

    def with_nonsense(*arguments):
        job = made(*arguments)
        return {**job, "settings": {**job["settings"], "no_such_input": 1}} if arguments[1].seed else job

    monkeypatch.setattr(module, "_job", with_nonsense)
    with pytest.raises(RuntimeError, match="^the simulation failed: 1 of 1 tests failed\n(.|\n)*no_such_input"):
        module.simulate_all(MACHINE, [RUN, dataclasses.replace(RUN, seed=1)])
