"""Constraints name registers that are there, and all paths from one clock to another have one."""

import fnmatch
import re

import pytest

from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.flows.files import files_beside
from fatcube.noc.descriptions.network_file import network_json
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.router_options import RouterOptions
from tests.support.commands import run

pytest.importorskip("tkinter", reason="this Python has no Tcl (tkinter)")
crossings = pytest.importorskip("tests.support.crossings")

_BYTES = StreamOptions(byte_exact=True, port_widths=(8, 64))
#: By words of what is told apart: the network, its streams, the beats of its crossings, and the name of its top module.
NETWORKS = {
    "words of 16 bits, one clock of a port": (RoutedNetwork(Hypercube(1), RouterOptions(width=16)), None, (0, 8), None),
    "limited packets, a name, deep": (RoutedNetwork(FatCube(1, 2), RouterOptions(longest_packet=4)), None, 64, "left"),
    "bytes, ports of two widths": (RoutedNetwork(Hypercube(1), RouterOptions(width=16)), _BYTES, 8, None),
}


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=[pytest.mark.long] * (not name.startswith("words"))) for name in NETWORKS],
)
def design(request):
    """The files of a network, and the registers of the interface of a port after synthesis."""
    network, streams, depth, name = NETWORKS[request.param]
    shared = AxiNetwork(network, streams=streams or StreamOptions(), crossing_depth=depth, name=name).shared()
    about = network_json(network, shared, interface="axi4-stream")
    files = files_beside(["constraints"], about, verilog="net.v", title=str(network), mhz=125)
    *_, widest = shared.component.shared_interfaces.values()
    assert files["net.xdc"].count("read_xdc") == 1 + (streams is not None)
    assert len(shared.component.shared_interfaces) == 1 + (streams is not None or isinstance(depth, tuple))
    return files, crossings.Netlist(to_verilog(widest), about["interface_modules"][-1])


def cells(netlist, path=""):
    """The query of a tool: cells of the netlist by a pattern, in which brackets are nothing but brackets."""

    def match(pattern):
        pattern = re.sub(r"[\[\]]", "?", pattern)
        return [name for name in netlist.clocks if fnmatch.fnmatchcase(path + re.sub(r"[\[\]]", "?", name), pattern)]

    return match


def covers(constraint, source, target, netlist):
    """Whether a constraint of :func:`evaluate` is one of the path between two registers, not of its hold time alone."""
    name, *words = constraint
    if name not in ("set_max_delay", "set_false_path") or ("-hold",) in words:
        return False
    given = dict(zip(words, words[1:]))
    ends = {}
    for way, register in (("-from", source), ("-to", target)):
        of = given.get((way,))
        ends[way] = of is None or register in of or f"clock:{netlist.clocks[register]}" in of
    return all(ends.values()) and (("-from",) in given or ("-to",) in given)


def uncovered(text, netlist, path=""):
    """Paths from one clock to another without a constraint, and registers that a foreign reset sets without one."""
    constraints = crossings.evaluate(text, cells(netlist, path))
    paths = [
        (source, target)
        for source, target in netlist.crossings()
        if not any(covers(one, source, target, netlist) for one in constraints)
    ]
    ends = {
        register
        for name, *words in constraints
        if name in ("set_max_delay", "set_false_path") and ("-hold",) not in words
        for register in dict(zip(words, words[1:])).get(("-to",), ())
    }
    return paths + [register for register in netlist.asynchronous if register not in ends]


@pytest.mark.parametrize("file", ["net.sdc", "net.xdc"])
def test_every_path_between_clocks_has_a_constraint(design, file):
    """Each pattern matches a register, or its query ends the evaluation, and the registers are those of all crossings."""
    files, netlist = design
    assert len({*netlist.clocks.values()}) == 2 and len({*netlist.crossings()}) > 100 and len(netlist.asynchronous) == 4
    assert uncovered(files[file], netlist) == []


def test_sdc_finds_the_crossings_in_a_flat_netlist(design):
    """Where synthesis flattens, the path through the design is a part of the names of cells."""
    files, netlist = design
    assert uncovered(files["net.sdc"], netlist, "network.interface0.") == []


@pytest.mark.parametrize("file", ["net.sdc", "net.xdc"])
def test_a_wrong_name_is_found(design, file):
    files, netlist = design
    names = {*re.findall(r"unbuffered__(\w+?)(?:_reg)?[*/ }]", files[file])}
    assert names >= {"produce_cdc__stage0", "consume_cdc__stage0", "storage", "rst_cdc__stage0", "rst_cdc__stage1"}
    for name in names:
        with pytest.raises(LookupError, match="no cells match .*_planted"):
            uncovered(files[file].replace(f"unbuffered__{name}", f"unbuffered__{name}_planted"), netlist)


@pytest.mark.parametrize("file", ["net.sdc", "net.xdc"])
def test_a_constraint_that_is_left_out_is_found(design, file):
    files, netlist = design
    lines = files[file].splitlines()
    limits = [line for line in lines if line.startswith("set_max_delay")]
    assert len(limits) >= 3
    for line in limits:
        assert uncovered("\n".join(other for other in lines if other != line), netlist) != []


def test_the_wrong_clock_is_found(design):
    files, netlist = design
    assert uncovered(files["net.xdc"].replace("-from $port_clock", "-from $network_clock"), netlist) != []


def test_clocks(design, request):
    """SDC of every clock with its period, and LPF with its frequency; nextpnr reads LPF in tests of docs/tasks/flows.md."""
    files, _ = design
    made = crossings.evaluate(files["net_clocks.sdc"], lambda pattern: [])
    ports = re.findall(r'^FREQUENCY PORT "(\w+)" 125 MHZ;$', files["net.lpf"], re.MULTILINE)
    assert made == [("create_clock", ("-name",), (port,), ("-period",), ("8.000",), (port,)) for port in ports]
    first = 1 if "words of 16 bits" in request.node.name else 0
    assert ports[:2] == ["aclk", f"axis_{first}_aclk"]


def test_one_clock_crosses_nothing():
    network = RoutedNetwork(Hypercube(1))
    about = network_json(network, AxiNetwork(network).shared(), interface="axi4-stream")
    files = files_beside(["constraints"], about, verilog="net.v", title=str(network), mhz=100)
    assert [*files] == ["net_clocks.sdc", "net.lpf"]
    assert files["net.lpf"].splitlines()[1:] == ['FREQUENCY PORT "aclk" 100 MHZ;']


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--clock 100", "--clock requires --with constraints"),
        ("--with constraints --clock 0", "clock must be a finite number of at least 0.001 and at most 10000, not 0.0"),
        (
            "--with constraints --clock nan",
            "clock must be a finite number of at least 0.001 and at most 10000, not nan",
        ),
    ],
)
def test_refused_in_one_line(monkeypatch, capsys, tmp_path, arguments, message):
    status, out, err = run(
        monkeypatch, capsys, *"generate network -d 1 -o".split(), tmp_path / "net.v", *arguments.split()
    )
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("name", "kind"), [("net.f", "filelist"), ("net.vhd", "vhdl"), ("fatcube_generator.v", "fusesoc")]
)
def test_the_verilog_is_not_overwritten(monkeypatch, capsys, tmp_path, name, kind):
    status, _, err = run(monkeypatch, capsys, "generate", "network", "-d", 1, "-o", tmp_path / name, "--with", kind)
    assert (status, err) == (2, f"fatcube: output must be named otherwise than the files beside it, not {name}\n")
    assert [*tmp_path.iterdir()] == []
