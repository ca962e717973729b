"""Network files through the commands that take them: what flags override, what is refused, and what is generated again."""

import json
from pathlib import Path
import re
import shlex
import tomllib

import pytest

from fatcube.noc.routing.shortest_path import ShortestPath
from fatcube.noc.routing.table import Table
from fatcube.noc.topologies.graph_file import topology_file_json
from tests.support.cases import some
from tests.support.commands import run
from tests.support.networks import IRREGULAR

HEAD = 'format = "fatcube.network-file/1"\n'


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """The current folder has a topology file and a routing file of it."""
    monkeypatch.chdir(tmp_path)
    Path("graph.json").write_text(json.dumps(topology_file_json(IRREGULAR)))
    Path("ways.json").write_text(json.dumps(Table.of(ShortestPath(IRREGULAR)).to_json()))
    return tmp_path


def generated(monkeypatch, capsys, folder, *arguments):
    """The files that are generated into a new folder, by name."""
    Path(folder).mkdir()
    status, _, err = run(monkeypatch, capsys, "generate", "network", *arguments, "-o", f"{folder}/net.v")
    assert status == 0, err
    return {path.name: path.read_text() for path in Path(folder).iterdir()}


AXI = ("--interface", "axi4-stream")

NETWORKS = {
    "flits": ["-d", 1],
    "axi4-stream": ["-d", 1, *AXI, "--with", "template", "--with", "testbench"],
    "byte-exact": ["-d", 1, *AXI, "--byte-exact", "--user-bits", 3, "--port-widths", "8,32", "--name", "left"],
    "clocks": ["-d", 1, *AXI, "--port-clocks", "--store-packets", 20, "--with", "constraints"],
    "classes": ["--topology", "ring", "-n", 4, "--message-classes", 2, "--width", 64],
    "failures": ["--topology", "mesh", "-w", "3,2", "--failed", "link:0-1,node:5"],
    "graph": ["--topology-file", "graph.json", "--addressing", "destination"],
    "routes": ["--topology-file", "graph.json", "--routing-file", "ways.json"],
    "lanes of dimensions": ["--topology", "mesh", "-w", 2, "-d", 2, "--lanes-of", "0=2", "--lanes", "fixed"],
    "virtual channels": ["-d", 1, "-m", 2, "--virtual-channels", 4, "--injection-channels", 1, "--buffer-depth", 7],
    "half duplex": ["-d", 1, "--turn-round", 1, "--virtual-channels", 2],
    "simplex": ["-d", 2, "--links", "simplex"],
    "circuits": ["-d", 1, "--setup-retry", 9],
    "copies": ["-d", 1, "-m", 2, "--ports", "b", "--routing", "none", "--for-schedules-only"],
    "schedules": ["-d", 2, "--routing", "none", "--hops", 2, "--turns", "all", "--for-schedules-only"],
    "up-down": ["-d", 2, "--routing", "up-down", "--pipeline", 2, "--link-stages", 1],
    "switch": ["--topology", "switch", "-n", 4, *AXI, "--with", "testbench"],
    "torus": ["--topology", "torus", "-w", "3,2", "--virtual-channels", 2],
}


@pytest.mark.parametrize("name", some(NETWORKS, (0, 1, 2, 3, 5, 6, 9, 11, 16)))
def test_a_description_makes_the_same_files_again(monkeypatch, capsys, folder, name):
    """Byte for byte, whatever the network was said to be by; and the inputs are needed no more."""
    arguments = NETWORKS[name]
    once = generated(monkeypatch, capsys, "once", *arguments)
    for path in folder.glob("*.json"):
        path.unlink()
    beside = [part for flag, one in zip(arguments, arguments[1:]) if flag == "--with" for part in (flag, one)]
    again = generated(monkeypatch, capsys, "again", "once/net.json", *beside)
    assert again.keys() == once.keys() >= {"net.v", "net.json"}
    for file, text in once.items():
        assert again[file] == text, file
    said = re.search(r"^// Generated again by (fatcube .*?)\n//$", once["net.v"], re.MULTILINE | re.DOTALL)
    command = said[1].replace("\n//", "")
    if name in ("graph", "routes", "lanes of dimensions"):
        assert command.startswith("fatcube generate network FILE.json, ")
        return
    assert generated(monkeypatch, capsys, "typed", *shlex.split(command)[3:])["net.v"] == once["net.v"]


NAMED = {
    "flits": ('d = 1\nports = "b"\nm = 2\n', {3: "dma", 0: "cpu"}, ("dma_send__payload", "cpu_receive__ready")),
    "axi4-stream": (
        'd = 1\ninterface = "axi4-stream"\nport_clocks = true\n',
        {1: "dma"},
        ("s_axis_dma_tdata", "m_axis_dma_tready", "axis_dma_aresetn", "too_long_count_dma"),
    ),
}


@pytest.mark.parametrize("interface", NAMED)
def test_names_of_ports_are_everywhere_and_stay(monkeypatch, capsys, folder, interface):
    """From a file, from what describes it, and from the description of what was made: byte for byte the same."""
    text, names, ports = NAMED[interface]
    tables = "".join(f'[[port]]\nprocessor = {processor}\nname = "{name}"\n' for processor, name in names.items())
    Path("soc.toml").write_text(HEAD + text + tables)
    kinds = ["vhdl", "ip-xact", "c-header", "cocotb", "map"]
    kinds += ["template", "testbench", "constraints"] * (interface != "flits")
    beside = [part for kind in kinds for part in ("--with", kind)]
    once = generated(monkeypatch, capsys, "once", "soc.toml", *beside)
    about = json.loads(once["net.json"])
    assert about["named_ports"] == [
        {"processor": processor, "port": processor, "name": names[processor]} for processor in sorted(names)
    ]
    assert about["network"]["port"] == [{"processor": one, "name": names[one]} for one in sorted(names)]
    assert {*ports} <= {port["name"] for port in about["ports"]}
    Path("plain.toml").write_text(HEAD + text)
    plain = json.loads(generated(monkeypatch, capsys, "plain", "plain.toml")["net.json"])
    assert [{**port, "name": ""} for port in about["ports"]] == [{**port, "name": ""} for port in plain["ports"]]
    for port in (port for port in about["ports"] if port["name"] in ports):
        assert re.search(rf"\b{port['name']},?\s+// {re.escape(port['meaning'])}\n", once["net.v"]), port
    for file in {"net.v", "net.vhd", "net.xml", "net_instance.v", "net_tb.v"} & once.keys():
        assert all(port in once[file] for port in ports), file
    assert f"_PORT_{names[max(names)].upper()} {max(names)}\n" in once["net.h"]
    assert (
        f"{ports[0].rpartition('_t')[0]}  s_axis_1\n" in once["net.v"] or "dma_send  processor3_send0" in once["net.v"]
    )
    assert run(monkeypatch, capsys, "describe", "soc.toml", "-o", "normal.toml")[0] == 0
    assert "# fatcube" not in Path("normal.toml").read_text()
    assert run(monkeypatch, capsys, "describe", "normal.toml")[1] == Path("normal.toml").read_text()
    assert generated(monkeypatch, capsys, "again", "once/net.json", *beside) == once
    assert generated(monkeypatch, capsys, "described", "normal.toml", *beside) == once


@pytest.mark.parametrize("own", [(1,), (0,), (0, 1)])
def test_clocks_of_ports_stay(monkeypatch, capsys, folder, own):
    """Said of some ports, or of the others: the same network, from its description too; and of all, `port_clocks`."""
    head = f'{HEAD}d = 1\ninterface = "axi4-stream"\n'
    tables = [f"[[port]]\nprocessor = {processor}\nclock = " for processor in (0, 1)]
    Path("some.toml").write_text(head + "".join(f'{tables[one]}"own"\n' for one in own))
    others = "".join(f'{tables[one]}"network"\n' for one in (0, 1) if one not in own)
    Path("others.toml").write_text(f"{head}port_clocks = true\n{others}")
    beside = ["--with", "testbench", "--with", "constraints", "--with", "ip-xact"]
    once = generated(monkeypatch, capsys, "once", "some.toml", *beside)
    about = json.loads(once["net.json"])
    clocks = [port["name"] for port in about["ports"] if port["name"].endswith("aclk") and port["name"] != "aclk"]
    assert clocks == [f"axis_{one}_aclk" for one in own]
    assert about["network"].get("port", "all") == (
        [{"processor": one, "clock": "own"} for one in own] if own != (0, 1) else "all"
    )
    assert about["network"].get("port_clocks", False) == (own == (0, 1))
    assert generated(monkeypatch, capsys, "again", "once/net.json", *beside) == once
    assert generated(monkeypatch, capsys, "others", "others.toml", *beside) == once


def tables(key, values):
    """The text of tables in which processors have these values of a key."""
    return "".join(f'[[port]]\nprocessor = {processor}\n{key} = "{value}"\n' for processor, value in values.items())


FLITS, STREAMS = ({"interface": name} for name in ("flits", "axi4-stream"))


@pytest.mark.parametrize("flits", [(1,), (0, 2), (), (0, 1, 2, 3)], ids=str)
def test_protocols_of_ports_stay(monkeypatch, capsys, folder, flits):
    """Said of the ports with flits, or of the others: the same network, from its description too; of none or all, no table."""
    some = dict.fromkeys(flits, "flits")
    head = f"{HEAD}d = 2\nport_clocks = {str(len(flits) < 4).lower()}\n"
    Path("some.toml").write_text(f'{head}interface = "axi4-stream"\n{tables("interface", some)}')
    others = {port: "axi4-stream" for port in range(4) if port not in flits}
    Path("others.toml").write_text(head + tables("interface", others))
    beside = [
        word for what in ("constraints", "ip-xact", "block-diagram", "c-header", "vhdl") for word in ("--with", what)
    ]
    once = generated(monkeypatch, capsys, "once", "some.toml", *beside)
    about = json.loads(once["net.json"])
    mixed = 0 < len(flits) < 4
    assert about["network"].get("port", []) == [{"processor": port, **FLITS} for port in flits if mixed]
    assert ("port_interfaces" in about) == mixed and about["interface"] == (
        "flits" if len(flits) == 4 else "axi4-stream"
    )
    names = {port["name"] for port in about["ports"]}
    for port in range(4):
        found = {f"processor{port}_receive0__payload", f"axis_{port}_aclk", f"m_axis_{port}_tid"} & names
        assert len(found) == (1 if port in flits else 2) and (f"m_axis_{port}_tid" in found) == (port not in flits)
    assert generated(monkeypatch, capsys, "again", "once/net.json", *beside) == once
    assert generated(monkeypatch, capsys, "others", "others.toml", *beside) == once
    if not mixed:
        network = [f"{about['interface']}"] + (["--port-clocks"] if not flits else [])
        assert generated(monkeypatch, capsys, "flags", "-d", 2, "--interface", *network, *beside) == once


COMMANDS = pytest.mark.parametrize(
    "command", [["generate", "network"], ["describe"], ["synthesize"]], ids=lambda words: words[0]
)


@COMMANDS
def test_one_port_with_streams_needs_a_routing(monkeypatch, capsys, folder, command):
    """Catches a network for schedules, whose interfaces would know no way, where only a table asks for AXI4-Streams."""
    Path("soc.toml").write_text(f"{HEAD}d = 2\nrouting = 'none'\n{tables('interface', {1: 'axi4-stream'})}")
    status, out, err = run(monkeypatch, capsys, *command, "soc.toml")
    assert (status, out) == (2, "") and err.startswith("fatcube: soc.toml, line 3: routing must be one of default")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("byte_exact = true", "line 4: byte exact must be left out where ports have flits, as port 2 has, whose packets"),
        ("store_packets = 9", "line 4: store packets must be left out where ports have flits, as port 2 has, which store none, not 9"),
        ("routing = 'none'", "line 4: routing must be one of default"),
        ("width = 12", "line 4: width must be a multiple of 8 with AXI4-Stream interfaces, not 12"),
        ("[[port]]\nprocessor = 2\nname = 'a'", "line 7: port table 2: processor and port must be those of no other table"),
        ("clock = 'own'", "line 4: port table 1: clock requires ports with AXI4-Streams (interface axi4-stream), not own"),
        ("interface = 'axi4'", "line 4: port table 1: interface must be one of flits, axi4-stream, not 'axi4'"),
    ],
)  # fmt: skip
@COMMANDS
def test_what_ports_with_flits_cannot_have_is_refused(monkeypatch, capsys, folder, command, lines, message):
    table = "[[port]]\nprocessor = 2\n"
    flits = "" if lines.startswith("interface") else "interface = 'flits'\n"
    of_table = lines.startswith(("clock", "interface", "[["))
    text = f"{table}{flits}{lines}\n" if of_table else f"{lines}\n{table}{flits}"
    Path("soc.toml").write_text(f"{HEAD}d = 2\ninterface = 'axi4-stream'\n{text}")
    status, out, err = run(monkeypatch, capsys, *command, "soc.toml")
    assert (status, out) == (2, "") and err.startswith(f"fatcube: soc.toml, {message}") and err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-d", 1], "soc.toml, line 8: port table 2: processor must be an integer from 0 to 1, not 3"),
        (["--ports", "d"], "soc.toml, line 4: port table 1: port must be given where processors have 2 ports"),
        (
            [*AXI],
            "soc.toml, line 8: port table 2: name must be unique, ignoring case, but port 1",
        ),
        (["--port-widths", "3"], "port width must be an integer from 8 to 512, not 3"),
    ],
)
def test_a_port_that_flags_leave_no_place_is_named_by_its_line(monkeypatch, capsys, folder, arguments, message):
    tables = '\n\n[[port]]\nprocessor = 0\nname = "cpu"\n\n[[port]]\nprocessor = 3\nname = "s_axis_1"\n'
    Path("soc.toml").write_text(f"{HEAD}d = 2{tables}")
    status, out, err = run(monkeypatch, capsys, "generate", "network", "soc.toml", *arguments)
    assert (status, out) == (2, "") and err.startswith(f"fatcube: {message}") and err.count("\n") == 1


def test_widths_of_tables_are_those_of_ports(monkeypatch, capsys, folder):
    """As if all widths were given in a list, which the description has."""
    head = HEAD + 'd = 2\ninterface = "axi4-stream"\nbyte_exact = true\n'
    Path("soc.toml").write_text(f"{head}[[port]]\nprocessor = 2\nwidth = 8\n[[port]]\nprocessor = 0\nwidth = 64\n")
    Path("list.toml").write_text(f"{head}port_widths = [64, 32, 8, 32]\n")
    once = generated(monkeypatch, capsys, "once", "soc.toml")
    assert json.loads(once["net.json"])["streams"]["port_widths"] == [64, 32, 8, 32]
    assert (
        generated(monkeypatch, capsys, "listed", "list.toml")
        == once
        == generated(monkeypatch, capsys, "again", "once/net.json")
    )
    assert run(monkeypatch, capsys, "describe", "soc.toml")[1] == run(monkeypatch, capsys, "describe", "list.toml")[1]


@pytest.mark.parametrize("command", ["load", "board build ulx3s-85f -o board", "board simulate", "draw"])
def test_names_change_nothing_where_there_are_no_ports(monkeypatch, capsys, folder, command):
    """Catches a command that ignores the tables of ports and does not say so."""
    Path("soc.toml").write_text(f'{HEAD}d = 1\n[[port]]\nprocessor = 9\nname = "cpu"\n')
    said = (
        "port changes nothing here" if command != "load" else "the routers are measured, and port does not change them"
    )
    dry = [] if command == "draw" else ["--dry-run"]
    status, _, err = run(monkeypatch, capsys, *command.split(), "soc.toml", *dry)
    assert (status, err) == (0, f"soc.toml: {said}\n")


@pytest.mark.parametrize(
    ("one", "other", "keys"),
    [
        (["-d", 2], ["--topology", "fat-cube", "-m", 1, "--buffer-depth", 2, "--routing", "dimension-order"], {}),
        (["--topology", "torus", "-w", 4], ["--topology", "torus", "-w", "4,4", "--virtual-channels", 2], {}),
        (["--virtual-channels", 2], ["--injection-channels", 2, "--buffer-depth", 3], {"virtual_channels": 2}),
        (["--links", "half-duplex"], ["--turn-round", 1, "--switching", "wormhole"], {"links": "half-duplex"}),
        (["--failed", "node:3"], ["--failed", "processor:3,link:2-3,link:1-3,node:3"], {"failed": ["node:3"]}),
        (
            [*AXI, "--byte-exact"],
            [*AXI, "--byte-exact", "--port-widths", "32,32,32,32"],
            {"interface": "axi4-stream", "byte_exact": True},
        ),
        (["--links", "simplex"], ["--topology", "oriented-cube"], {}),
        (["--ports", "all-port"], ["--ports", "*"], {"ports": "*"}),
    ],
)
def test_what_means_the_same_is_described_in_the_same_way(monkeypatch, capsys, folder, one, other, keys):
    texts = [run(monkeypatch, capsys, "describe", *arguments)[1] for arguments in (one, other)]
    assert texts[0] == texts[1]
    shape = {"format", "topology", "d", "w", "m", "f"}
    assert {key: value for key, value in tomllib.loads(texts[0]).items() if key not in shape} == keys
    Path("soc.toml").write_text(texts[0])
    assert run(monkeypatch, capsys, "describe", "soc.toml")[1] == texts[0]
    assert run(monkeypatch, capsys, "describe", "soc.toml", "-o", "soc.json")[0] == 0
    assert json.loads(Path("soc.json").read_text()) == tomllib.loads(texts[0])
    assert run(monkeypatch, capsys, "describe", "soc.json")[1] == texts[0]


def test_a_drawn_network_is_described_in_place(monkeypatch, capsys, folder):
    assert run(monkeypatch, capsys, "describe", *NETWORKS["routes"], "-o", "soc.toml")[0] == 0
    given = tomllib.loads(Path("soc.toml").read_text())
    assert [node["name"] for node in given["graph"]["nodes"]] == list(IRREGULAR.names)
    assert len(given["routes"]["ways"]) == len(json.loads(Path("ways.json").read_text())["ways"])
    assert "# fatcube" not in Path("soc.toml").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "soc.yaml"], "ending of a network file must be one of .toml, .json, not '.yaml'"),
        (["--byte-exact"], "--byte-exact requires --interface axi4-stream"),
        (["--hops", 2], "for schedules only must be given (--for-schedules-only)"),
        (["--name", "module"], "name must be a Verilog identifier"),
    ],
)
def test_what_cannot_be_generated_is_not_described(monkeypatch, capsys, folder, arguments, message):
    before = {*folder.iterdir()}
    status, out, err = run(monkeypatch, capsys, "describe", *arguments)
    assert (status, out) == (2, "") and message in err and err.count("\n") == 1
    assert {*folder.iterdir()} == before


def test_the_head_of_a_router_has_its_command(monkeypatch, capsys, folder):
    """In one form, whether flags or a file said it."""
    Path("soc.toml").write_text(HEAD + 'd = 1\nvirtual_channels = 2\nname = "soc"\nrouting = "none"\n')
    _, once, _ = run(monkeypatch, capsys, "generate", "router", "soc.toml", "--counters")
    command = "fatcube generate router -d 1 --virtual-channels 2 --routing none --name soc --counters"
    assert f"\n// Generated again by {command}\n" in once
    assert run(monkeypatch, capsys, *command.split()[1:])[1] == once
    assert "Generated again" not in run(monkeypatch, capsys, "generate", "router", "--topology-file", "graph.json")[1]


def checked(monkeypatch, capsys, *arguments):
    """The description of what is generated, and the error output."""
    status, _, err = run(monkeypatch, capsys, "generate", "network", *arguments, "-o", "net.v")
    assert status == 0, err
    return json.loads(Path("net.json").read_text()), err


MESH = 'topology = "mesh"\nw = 2\nd = 1\nwidth = 16\nfailed = "processor:0"\nrouting = "up-down"\nm = 2\n'


def test_flags_override_the_file(monkeypatch, capsys, folder):
    Path("soc.toml").write_text(HEAD + MESH)
    about, _ = checked(monkeypatch, capsys, "soc.toml", "--width", 24, "--topology", "torus", "--failed", "none")
    assert about["parameters"]["topology"] == {"type": "torus", "w": 2, "d": 1, "m": 2, "f": 1}
    assert (about["parameters"]["width"], about["routing"]["name"]) == (24, "up-down")
    Path("streams.toml").write_text(HEAD + 'd = 1\ninterface = "axi4-stream"\nname = "soc"\n')
    about, _ = checked(monkeypatch, capsys, "streams.toml", "--interface", "flits", "--name", "bare")
    assert (about["interface"], about["top"]) == ("flits", "bare")


def test_a_topology_file_stands_for_all_that_says_the_shape(monkeypatch, capsys, folder):
    Path("soc.toml").write_text(HEAD + MESH)
    others = "--failed", "none", "--routing", "default"
    about, _ = checked(monkeypatch, capsys, "soc.toml", "--topology-file", "graph.json", *others)
    assert about["parameters"]["topology"]["type"] == "graph" and about["routing"]["name"] == "shortest-path"
    Path("drawn.json").write_text(json.dumps(about))
    about, _ = checked(monkeypatch, capsys, "drawn.json", "--topology", "ring", "-n", 3)
    assert about["parameters"]["topology"]["type"] == "ring"


def test_files_that_it_names_stand_beside_it(monkeypatch, capsys, folder):
    Path("deep").mkdir()
    Path("graph.json").rename("deep/graph.json")
    Path("ways.json").rename("deep/ways.json")
    Path("deep/soc.toml").write_text(HEAD + 'topology_file = "graph.json"\nrouting_file = "ways.json"\n')
    about, _ = checked(monkeypatch, capsys, "deep/soc.toml")
    assert (about["nodes"], about["routing"]["name"]) == (4, "table")
    for file in ("soc.toml", "graph.json", "ways.json"):
        status, _, err = run(monkeypatch, capsys, "generate", "network", "deep/soc.toml", "-o", f"deep/{file}")
        assert status == 2 and "output must be a different file from all others" in err


@pytest.mark.parametrize(
    ("lines", "arguments", "message"),
    [
        (["width = 60", "interface = 'axi4-stream'"], [], "soc.toml, line 2: width must be a multiple of 8"),
        (["topology = 'mesh'", "n = 3"], [], "soc.toml, line 2: topology mesh has parameters w, d, m, f, not n (-n)"),
        (["", "topology = 'mesh'"], [], "soc.toml, line 3: topology mesh needs the parameter w (-w)"),
        (["d = 40"], [], "soc.toml, line 2: FatCube d must be an integer from 1 to 16, not 40"),
        (["d = 2"], ["-d", 40], "FatCube d must be an integer from 1 to 16, not 40"),
        (["failed = 'link:0-3'"], [], "soc.toml, line 2: failed link must be one of the fat cube"),
        (["buffer_depth = 2", "virtual_channels = 2"], [], "soc.toml, line 2: buffer depth must be at least 3"),
        (["topology_file = 'none.json'"], [], "none.json"),
        (["port_clocks = true"], [], "soc.toml, line 2: --port-clocks requires --interface axi4-stream"),
        (["for_schedules_only = true"], [], "soc.toml, line 2: for schedules only must be left out"),
        (["topology = 'ring'", "[graph]", "nodes = [{name='a'}, {name='b'}]", "links = [['a','b']]"], [], "soc.toml, line 2: topology must be left out with a graph"),
        (["[routes]", "classes = 1", "ways = []"], [], "soc.toml: route from node 0 to 1 must be given"),
        (["failed = 'node:0,node:1,node:2'"], [], "soc.toml: failures must leave two processors or more"),
    ],
)  # fmt: skip
def test_refused_by_the_line_and_nothing_is_written(monkeypatch, capsys, folder, lines, arguments, message):
    Path("soc.toml").write_text(HEAD + "\n".join(lines) + "\n")
    before = {*folder.iterdir()}
    status, out, err = run(monkeypatch, capsys, "generate", "network", "soc.toml", *arguments, "-o", "net.v")
    assert (status, out) == (2, "") and err.count("\n") == 1
    assert err.startswith("fatcube: ") and message in err
    assert {*folder.iterdir()} == before


ELSEWHERE = "fatcube synthesize --interface measures the area and clock of interfaces"


@pytest.mark.parametrize(
    ("command", "idle"),
    [
        (["load", "soc.toml", "--dry-run"], f"the routers are measured, and interface, byte_exact, name do not change them; {ELSEWHERE}"),
        (["compare", "soc.toml", "--dry-run"], f"the routers are measured, and interface, byte_exact, name do not change them; {ELSEWHERE}"),
        (["draw", "soc.toml", "-o", "soc.svg"], "interface, byte_exact, name change nothing here"),
        (["draw", "soc.toml", "--loads", "-o", "soc.svg"], "interface, byte_exact, name change nothing here"),
        (["synthesize", "soc.toml", "--dry-run"], "name changes nothing here"),
        (["generate", "router", "soc.toml", "--dry-run"], "interface, byte_exact change nothing here"),
        (["generate", "network", "soc.toml", "--dry-run"], None),
        (["board", "build", "ulx3s-85f", "soc.toml", "--traffic", "--dry-run"], "interface, byte_exact change nothing here"),
    ],
    ids=str,
)  # fmt: skip
def test_commands_take_the_same_file(monkeypatch, capsys, folder, command, idle):
    """A note names the keys that a command does not use, and they are not refused: one file is for all commands."""
    lines = [
        "topology = 'mesh'",
        "w = 2",
        "message_classes = 2",
        "interface = 'axi4-stream'",
        "byte_exact = true",
        "name = 'soc'",
    ]
    Path("soc.toml").write_text(HEAD + "\n".join(lines) + "\n")
    status, out, err = run(monkeypatch, capsys, *command)
    assert status == 0, err
    assert "2 × 2 mesh" in out or "soc can be generated" in out
    assert [line for line in err.splitlines() if line.startswith("soc.toml: ")] == (
        [] if idle is None else [f"soc.toml: {idle}"]
    )
