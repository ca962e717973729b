# amaranth: UnusedElaboratable=no
"""The key of a simulator: in one cache it finds the one that would be built, whatever was built before.

Verilator, the compiler and the linker are replaced by ones that write down what they were given.
"""

import hashlib
import os
from pathlib import Path

from amaranth.hdl import Signal
import pytest

from fatcube.groundwork import digest as digests
from fatcube.groundwork.tool import Finished
from fatcube.noc import shared
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.endpoint.host import Region
from fatcube.rtl.endpoint.phases import Phases
from fatcube.rtl.lanes.link import LinkRegister
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.builds import build as builds
from fatcube.sim.builds import parts, verilator
from fatcube.sim.builds.build import build
from fatcube.sim.builds.job import Lanes
from tests.support.cases import some
from tests.support.faults import FaultyLink
from tests.support.varied import ROUTERS, varied


def of(*parts):
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def texts(paths):
    """The content of files by name; where they lie does not count."""
    return [(Path(path).name, Path(path).read_bytes()) for path in paths]


@pytest.fixture
def built(monkeypatch, tmp_path):
    """Builds in a cache that is empty at first, by its name; returns the digest of everything that went into them."""

    def verilate(folder, sources, **how):
        assert {path for path in folder.iterdir() if path.suffix in (".v", ".vlt")} <= set(sources)
        result = folder / f"{how['prefix']}.cpp"
        result.write_text(of(texts(sources), how, verilator.VERILATOR))
        return [result]

    def compile_objects(folder, sources, *, what, includes=(), waves=False):
        here = texts(path for path in folder.iterdir() if path.suffix in (".h", ".v", ".vlt"))
        include = texts(path for one in includes for path in sorted(one.glob("*.h")))
        content = of(texts(sources), sorted(here), include, waves, verilator._COMPILER, verilator._compiler_version())
        (folder / "all.o").write_text(of(content, digests.versions(verilator._TOOLS)))

    def link(program, folders, *, cocotb=True):
        program.write_text(of([texts(sorted(folder.glob("*.o"))) for folder in folders], cocotb))

    for function in (verilate, compile_objects, link):
        monkeypatch.setattr(verilator, function.__name__, function)
    monkeypatch.setattr(verilator, "_compiler_version", lambda: "a compiler")

    def program(cache, machine, **how):
        monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / cache))
        return (build(machine, **how).folder / "system").read_text()

    return program


def machine(options=RouterOptions(width=16), **others):
    return Machine(network=Network(FatCube(1), options), **{"memory_words": 64, "program_entries": 4, **others})


def traffic(options=RouterOptions(width=40), **others):
    network = RoutedNetwork(Hypercube(1), options)
    return TrafficMachine(network=network, **{"queue": 4, "bins": 4, "ways": 4, **others})


MACHINES = {
    "memory": (machine(), machine(memory_words=128)),
    "program": (machine(), machine(program_entries=8)),
    "sums": (machine(), machine(reductions=True)),
    "monitors": (machine(), machine(monitors="none")),
    "waves": (machine(), machine(probes=True)),
    "topology": (machine(), Machine(network=Network(FatCube(1, 2), RouterOptions(width=16)), memory_words=64)),
    "traffic": (machine(RouterOptions(width=40)), traffic()),
    "queue": (traffic(), traffic(queue=8)),
    "bins": (traffic(), traffic(bins=8)),
    "ways": (traffic(), traffic(ways=8)),
    "bursts": (traffic(), traffic(bursts=True)),
    "details": (traffic(), traffic(details=True)),
    "trace": (traffic(), traffic(trace=8)),
    "log": (traffic(), traffic(log=8)),
}
#: One of each kind: a size, an option, and another network; the others are parameters like these.
QUICK_MACHINES = {"memory", "topology", "details"}


@pytest.mark.parametrize(
    "name", some(MACHINES, [place for place, name in enumerate(MACHINES) if name in QUICK_MACHINES])
)
def test_another_machine_is_another_build(built, name):
    """And in the cache in which the one was built, the other is what it is in one of its own."""
    one, other = MACHINES[name]
    first, second = built("shared", one), built("shared", other)
    assert first != second == built("alone", other)
    assert built("shared", one) == first


def test_a_whole_system_is_its_own_build(built):
    """As one module: another one than that in parts, and one for each machine, in a cache with others or without."""
    one, other = (built("shared", machine(memory_words=words), simulator="verilator-flat") for words in (64, 128))
    assert len({one, other, built("shared", machine())}) == 3
    assert built("alone", machine(memory_words=128), simulator="verilator-flat") == other


@pytest.mark.parametrize("kind", [machine, traffic])
def test_netlists_are_looked_up_by_every_router_option(kind):
    """Catches a description of a machine from which an option is missing, so that the netlist of another one is found."""
    # A network with a routing says itself what these are.
    ours = ("hops", "channel_classes", "turns") if kind is traffic else ()
    bases = [{"width": 40, **base} for base in ROUTERS]
    for name, (one, other) in varied(RouterOptions, kind, bases, without=ours).items():
        assert one.to_json() != other.to_json(), name


def changed_file(name):
    def change(monkeypatch, tmp_path):
        folder = tmp_path / "native"
        folder.mkdir()
        for path in builds._NATIVE.iterdir():
            (folder / path.name).write_bytes(path.read_bytes() + (b"// changed" if path.name == name else b""))
        monkeypatch.setattr(builds, "_NATIVE", folder)

    return change


def changed_version(name):
    def change(monkeypatch, tmp_path):
        installed = digests.metadata.version
        monkeypatch.setattr(digests.metadata, "version", lambda one: "changed" if one == name else installed(one))

    return change


def changed(module, name, value):
    return lambda monkeypatch, tmp_path: monkeypatch.setattr(module, name, value)


def changed_controller(monkeypatch, tmp_path):
    class Changed(Phases):
        def elaborate(self, platform):
            m = super().elaborate(platform)
            m.d.sync += Signal(name="changed").eq(self.all_idle)
            return m

    monkeypatch.setattr(parts, "Phases", Changed)
    monkeypatch.setattr(shared, "source_digest", lambda *rooms: "changed")


CHANGES = {
    "controller": changed_controller,
    **{name: changed_file(name) for name in ("part.cpp", "harness.h", "harness.cpp", "nodes.sv", "traffic.sv")},
    **{name: changed_version(name) for name in ("cocotb", "verilator")},
    "options of Verilator": changed(verilator, "VERILATOR", ["--other"]),
    "options of the compiler": changed(verilator, "_COMPILER", ["-other"]),
    "compiler": changed(verilator, "_compiler_version", lambda: "another compiler"),
}
#: One of each kind: our hardware, our sources of the harness, a tool, its options.
QUICK_CHANGES = {"controller", "harness.h", "verilator", "options of the compiler"}


@pytest.mark.parametrize("name", some(CHANGES, [place for place, name in enumerate(CHANGES) if name in QUICK_CHANGES]))
def test_what_it_is_built_from_and_with_counts(monkeypatch, tmp_path, built, name):
    before = built("shared", traffic())
    CHANGES[name](monkeypatch, tmp_path)
    after = built("shared", traffic())
    assert before != after == built("alone", traffic())


@pytest.fixture
def built_with_icarus(monkeypatch, tmp_path):
    """As ``built``, with Icarus Verilog in its place."""

    def compile_source(source, folder):
        (folder / "system").write_text(of(source.read_text(), builds._ICARUS, builds._icarus_version()))

    monkeypatch.setattr(builds, "_compile_with_icarus", compile_source)
    monkeypatch.setattr(builds, "_icarus_version", lambda: "a version")
    monkeypatch.setattr(builds.shutil, "which", lambda name: f"/bin/{name}")

    def program(cache, machine):
        monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / cache))
        return build(machine, simulator="icarus").folder

    return program


@pytest.mark.parametrize(
    "change",
    some(
        [
            changed(builds, "_icarus_version", lambda: "another version"),
            changed(builds, "_ICARUS", ["-other"]),
            changed_version("cocotb"),
        ],
        [0],
    ),
    ids=["Icarus", "options", "cocotb"],
)
def test_what_icarus_is_counts(monkeypatch, tmp_path, built_with_icarus, change):
    """And so does the machine; the same is found again."""
    before, other = (built_with_icarus("shared", one) for one in (machine(), machine(memory_words=128)))
    assert before != other and built_with_icarus("shared", machine()) == before
    change(monkeypatch, tmp_path)
    after = built_with_icarus("shared", machine())
    assert after.name != before.name
    assert (after / "system").read_text() == (built_with_icarus("alone", machine()) / "system").read_text()


def test_the_version_of_icarus_is_its_first_line(monkeypatch):
    """The licence after it does not count."""
    calls = []
    said = "Icarus Verilog version 11.0 (stable) ()\n\nCopyright 2000-2015\n"
    monkeypatch.setattr(builds, "run_tools", lambda given: calls.extend(given) or [Finished(said, {})])
    assert builds._icarus_version.__wrapped__() == "Icarus Verilog version 11.0 (stable) ()"
    assert [call.command for call in calls] == [("iverilog", "-V")]


def test_links_are_told_apart(built):
    """By what they are, the options of the lanes that they stand in, and from none; each is where it was asked for."""
    given = [
        (machine(), {}),
        (machine(), {"links": {(0, 0, 0): LinkRegister(16)}}),
        (machine(), {"links": {(0, 0, 0): FaultyLink(16, "flip", 1)}}),
        (machine(), {"links": {(0, 0, 0): FaultyLink(16, "flip", 2)}}),
        (machine(RouterOptions(width=24)), {"links": {(0, 0, 0): LinkRegister(24)}}),
    ]
    folders = []
    for one, how in given:
        built("shared", one, **how)
        folders.append(build(one, **how).folder)
    assert len(set(folders)) == len(folders)
    there, back = (build(machine(), links={(node, 0, 0): LinkRegister(16)}).lanes for node in (0, 1))
    assert there["parts"] != back["parts"]  # the register stands in another direction of the same lane
    assert (there["leads_to"], there["ends"]) == (back["leads_to"], back["ends"]) == ([-1, -1], [0, 1, 0])


def test_lanes_lead_where_the_topology_says(built):
    """By hand: two nodes with a channel of two lanes between them, and what a harness must know of a node."""
    built("shared", machine())
    lanes = build(Machine(network=Network(FatCube(1, 2, 2), RouterOptions(width=16)), memory_words=64)).lanes
    assert {name: lanes[name] for name in ("nodes", "channels", "lanes", "units", "banks")} == {
        "nodes": 2,
        "channels": 1,
        "lanes": 2,
        "units": 2,
        "banks": 1,
    }
    assert (lanes["leads_to"], lanes["parts"], lanes["constants"]) == ([2, 3, 0, 1], [], {})
    square = build(Machine(network=Network(Hypercube(2), RouterOptions(width=16)), memory_words=64)).lanes
    # Lane 2 n + c is that of channel c of node n.
    assert square["leads_to"] == [2, 5, 0, 7, 6, 1, 4, 3]
    line = build(Machine(network=Network(Mesh(w=3, d=1), RouterOptions(width=16)), memory_words=64)).lanes
    # At the ends of a line a lane leads nowhere, which the nodes are told.
    assert line["leads_to"].count(-1) == 2
    absent = [lane - 2 * node for node in range(3) for lane in (2 * node, 2 * node + 1) if line["leads_to"][lane] == -1]
    assert [len(bits) > 0 for bits in line["constants"]["absent"]] == [True] * 3
    assert line["constants"]["absent"][1] == "0" and len(absent) == 2


def test_a_harness_is_told_all_that_it_needs(built):
    """By hand, for what a build says of its nodes: their ports, the bytes of a word of the host, and their memories."""
    for one in (machine(), traffic()):
        built("shared", one)
    lanes, of_traffic = build(machine()).lanes, build(traffic()).lanes
    assert set(lanes) == set(of_traffic) == set(Lanes.__annotations__)
    assert lanes["inputs"] == [
        *("rst", "lockstep", "payload_flits", "slot_shift", "reduced", "last_flits", "last_from", "last_to"),
        *("go", "step", "cycle"),
    ]
    assert (lanes["outputs"], of_traffic["outputs"]) == (["done", "finished", "active"], ["idle", "active"])
    for one, said in ((machine(), lanes), (traffic(), of_traffic)):
        assert said["host_bytes"] in range(4, 100, 4) and 0 <= 8 * said["host_bytes"] - one.host_width < 32
    assert lanes["memories"][str(Region.PROGRAM.value)] == "processor{unit}.sender{bank}_program"
    assert len(set(lanes["memories"].values())) == 4


@pytest.mark.parametrize(("tests", "failed"), [(1, 0), (2, 1), (0, 0)])
def test_a_testbench_is_given_its_environment(monkeypatch, tmp_path, built, tests, failed):
    """And a run in which a test fails, or in which there is none, is an error."""
    given = {}
    monkeypatch.setenv("LD_LIBRARY_PATH", "theirs")
    monkeypatch.setenv("COCOTB_TEST_FILTER", "theirs")
    expected = {
        "FATCUBE_JOB": "a job",
        "COCOTB_LOG_LEVEL": "WARNING",
        "COCOTB_REWRITE_ASSERTION_FILES": "",
        # What cocotb starts by itself, behind what keeps pytest from it.
        "PYGPI_USERS": "fatcube.sim.builds.start:leave_out_pytest,cocotb.logging:_configure,"
        "cocotb._init:init_package_from_simulation,cocotb.regression:_run_regression",
        "LD_LIBRARY_PATH": f"{verilator.home('cocotb') / 'libs'}:theirs",
        "COCOTB_TEST_FILTER": None,
        "PYTEST_CURRENT_TEST": None,
    }

    class Recorded:
        def test(self, **settings):
            given.update(settings, environment={name: os.environ.get(name) for name in expected})
            return tmp_path / "results.xml"

    monkeypatch.setattr(builds, "_runner", lambda simulator: Recorded())
    monkeypatch.setattr(builds, "_test_results", lambda file: (tests, failed))
    built("shared", machine())
    simulator = build(machine())
    if failed or not tests:
        with pytest.raises(RuntimeError, match=f"^the simulation failed: {failed} of {tests} tests failed"):
            simulator.run("some.module", tmp_path, {"FATCUBE_JOB": "a job"})
    else:
        simulator.run("some.module", tmp_path, {"FATCUBE_JOB": "a job"})
    assert given["environment"] == expected
    assert (os.environ["LD_LIBRARY_PATH"], os.environ["COCOTB_TEST_FILTER"]) == ("theirs", "theirs")
    assert (given["test_module"], given["hdl_toplevel"]) == ("some.module", "system")
    assert (given["build_dir"], given["test_dir"]) == (simulator.folder, tmp_path)
