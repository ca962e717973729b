"""Wrong calls such as users make: each is refused in one line that has the value, what it may be, and the word that was meant."""

import re
import shlex

import pytest

from fatcube import cli
from fatcube.cli.refusals.words import hinted, meant, meant_option, said_of_file
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topology import kinds
from fatcube.noc.verilog import to_verilog
from tests.support.commands import run

#: A call, and what its message has at its end, or in it where that is in dots.
CALLS = {
    "help": "not 'help'; did you mean --help?",
    "version": "not 'version'; did you mean --version?",
    "-h": "No such option: -h; did you mean --help?",
    "synthesise -d 2": "not 'synthesise'; did you mean synthesize?",
    "sim -c OAB": "not 'sim'; did you mean simulate?",
    "network -d 2": "not 'network'; did you mean generate network?",
    "net.toml": "not 'net.toml'; did you mean generate network net.toml?",
    "list": "not 'list'; did you mean board list?",
    "generate mesh": "command must be one of network, router, system, not 'mesh'; did you mean network --topology mesh?",
    "generate mesh -w 4": "not 'mesh'; did you mean network --topology mesh?",
    "generate mesh:4x4": "not 'mesh:4x4'; did you mean network --topology mesh -w 4 -d 2?",
    "generate net.v": "not 'net.v'; did you mean network -o net.v?",
    "generate net.toml": "not 'net.toml'; did you mean network net.toml?",
    "generate -o": "-o needs a value, and none follows it",
    "generate network mesh": "(.toml or .json), not 'mesh'; did you mean --topology mesh?",
    "generate network mesh:3x4": "not 'mesh:3x4'; did you mean --topology mesh -w 3,4 -d 2?",
    "generate network --topology mesh:3x4": "not 'mesh:3x4'; did you mean mesh -w 3,4?",
    "generate network nett.toml": "file must be one that exists, not 'nett.toml'; did you mean net.toml?",
    "generate network net.toml net.v": "takes NETWORK and no further argument, not 'net.v'; did you mean -o net.v?",
    "generate network --vcs 2": "No such option: --vcs; did you mean --virtual-channels?",
    "generate network --vritual-channels 2": "did you mean --virtual-channels?",
    "generate network -d 2 --data-width 64": "No such option: --data-width; did you mean --width?",
    "generate network --size 4x4": "No such option: --size; did you mean -w?",
    "generate network -d 2 --output net.v": "No such option: --output; did you mean -o?",
    "generate network -d 2 --axi": "No such option: --axi; did you mean --interface axi4-stream?",
    "generate network -d 2 --testbench": "No such option: --testbench; did you mean --with testbench?",
    "generate network -d 2 --counters": "No such option: --counters; it is an option of fatcube generate router",
    "generate network -d 2 --fast": "No such option: --fast; fatcube generate network --help lists those there are",
    "generate network --topology meshh": "not 'meshh'; did you mean mesh?",
    "generate network --topology Torus -w 4": "not 'Torus'; did you mean torus?",
    "generate network --topology mesh": "topology mesh needs the parameter w (-w)",
    "generate network --topology mesh -w 4x4": "w must be comma-separated integers, not '4x4'; did you mean 4,4?",
    "generate network -d four": "-d must be an integer, not 'four'",
    "generate network -d 2 --with tb -o net.v": "block-diagram, map, not 'tb'; did you mean testbench?",
    "generate network -d 2 --interface axi": "one of flits, axi4-stream, not 'axi'; did you mean axi4-stream?",
    "generate network -d 2 --routing xy": "a1, disjoint, not 'xy'; did you mean dimension-order?",
    "generate network -d 2 --byte-exact=1": "--byte-exact takes no value",
    "generate network -d 8 -m 2 --ports d": "not 143360: 117 of these 256 nodes fit",
    "generate network --topology-file grap.json": "not 'grap.json'; did you mean graph.json?",
    "synthesize net.v": "must be a network file (.toml or .json), not 'net.v'; Verilog is not read: give a network file, or flags",
    "synthesize -d 2 --family ECP5": "gates, osu018, not 'ECP5'; did you mean ecp5?",
    "synthesize -d 2 --device ecp5": "No such option: --device; did you mean --family?",
    "simulate graph.json": "simulate takes no argument, not 'graph.json'; did you mean --topology-file graph.json?",
    "simulate net.json": "simulate takes no argument, not 'net.json'; did you mean --schedule net.json?",
    "simulate -c all-gather machine.json": "simulate takes no argument, not 'machine.json'",
    "simulate bad.json": "simulate takes no argument, not 'bad.json'",
    "simulate missing.json": "simulate takes no argument, not 'missing.json'",
    "simulate broadcast -d 2": "simulate takes no argument, not 'broadcast'; did you mean -c broadcast?",
    "simulate mesh:4x4 -c OAB": "not 'mesh:4x4'; did you mean --topology mesh -w 4 -d 2?",
    "simulate -c gatherr -d 2": "not 'gatherr'; did you mean gather?",
    "simulate -d 2": "collective must be given (-c), as in -c all-gather",
    "simulate --schedule missing.json": "file must be one that exists, not 'missing.json'",
    "simulate -c OAB -d 2 --simulator verilog": "verilator-flat, icarus, not 'verilog'; did you mean verilator?",
    "simulate -c OAB -d 2 --vcd w.vcd": "No such option: --vcd; did you mean --waves?",
    "simulate -c OAB -d 2 --seed x": "--seed must be an integer, not 'x'",
    "schedule all-gather -d 2": "schedule takes no argument, not 'all-gather'; did you mean -c all-gather?",
    "schedule -c OAB -d 2 --algorithm a2": "No such option: --algorithm; did you mean --by?",
    "check missing.json": "file must be one that exists, not 'missing.json'",
    "check net.toml": "fatcube: net.toml, line 1: not JSON: it must begin with { or [, not with 'topology'",
    "export graph.json": "-o must be given: Write MSCCL's XML to this file",
    "load --rate 0.1 -d 2": "No such option: --rate; did you mean --loads?",
    "load -d 2 --interface axi4-stream": "No such option: --interface; fatcube load --help lists those there are",
    "load mesh:4x4": "not 'mesh:4x4'; did you mean --topology mesh -w 4 -d 2?",
    "load -d 2 --loads ten": "loads must be comma-separated numbers, not 'ten'",
    "load -d 2 --time-out 5": "No such option: --time-out; did you mean --timeout?",
    "compare --topology mesh -w 4": "--topology; networks are arguments, as in fatcube compare mesh:4x4 torus:4x4",
    "compare mesh4x4": "network must be KIND:parameters, such as mesh:4x4, or a network file (.toml or .json), not 'mesh4x4'",
    "compare -p 16": "No such option: -p; did you mean --processors?",
    "explore --topology mesh": "--topology; a network file fixes the topology, as in fatcube explore net.toml",
    "reproduce --table 6": "No such option: --table; it prints all tables",
    "reproduce table6": "reproduce takes no argument, not 'table6'",
    "audit fatcube": "ccc, ghc, spanning-graphs, not 'fatcube'; did you mean fat-cube?",
    "audit": "PAPER must be given: Paper to check: fat-cube, ccc, ghc, spanning-graphs",
    "where foo": "MAP must be given: The map that --with map of fatcube generate wrote",
    "draw -d 2 -o net.png": "output must end in .svg, as a drawing is one, not .png",
    "draw -d 2 -o net.svg --route 0-3": "--route needs 2 values behind it, with spaces between them",
    "draw net.toml net.svg": "takes NETWORK and no further argument, not 'net.svg'; did you mean -o net.svg?",
    "generate network --topology torus -w 4 -d 2 --virtual-channels 1": "-> (2 more) -> channel 3 of node 11, class 0",
    "generate network -d 1 -m 2 --ports b --routing none": "in a cycle (deadlock); --routing default cannot deadlock",
    "generate network -d 2 -o --dry-run": "-o needs a value, and --dry-run follows it",
    "faults -d 2 --pairs --dry-run": "--pairs needs a value, and --dry-run follows it",
    "generate network --topology mesh -w 4000 -d 2": "Mesh d must be 1 where w is 4000, not 2",
    "generate network bad.toml": "bad.toml, line 1: not TOML: a value must be a number, true, false, text in quotes, or a list "
    "in brackets, not 'mesh'; did you mean \"mesh\"?",
    "generate network bad.json": "bad.json, line 2: not JSON: no comma may stand before a closing bracket",
    "generate network --topology-file bad.json": "bad.json, line 2: not JSON: no comma may stand before a closing bracket",
    "load -d 2 --routing-file net.json": "net.json: format must be 'fatcube.routing/1', not \"fatcube.schedule/1\"",
    "load -d 2 --failures bad.json": "bad.json, line 2: not JSON: no comma may stand before a closing bracket",
    "load -d 2 --traffic net.v": "net.v must begin with a line source,destination,flits_per_cycle",
    "sweep bad.toml": "not 'mesh'; did you mean \"mesh\"?",
    "sweep net.toml -o r.json": "No such option: -o; did you mean --json?",
    "check bad.json": "bad.json, line 2: not JSON: no comma may stand before a closing bracket",
    "check .": "file must be a file, not the folder '.'",
    "import net.json -o x.json": "with a list '7-Flows', of an all-gather, not one with the format 'fatcube.schedule/1'",
    "where foo bad.json": "bad.json, line 2: not JSON: no comma may stand before a closing bracket",
    "report r.jsonl": "report takes no argument, not 'r.jsonl'; did you mean --results r.jsonl?",
    "synthesize -d 2 --liberty net.v": "net.v: liberty must be a Liberty library with cells, which this file is not",
    "board ulx3s-85f": "list, build, run, simulate, not 'ulx3s-85f'; did you mean build ulx3s-85f?",
    "board run --port net.v": "port must be a serial port that can be opened, not 'net.v': it is another kind of file",
    "generate network nohead.toml": 'nohead.toml must have the line format = "fatcube.network-file/1" at its beginning',
    "draw net.json -o net.svg": "which fatcube generate network writes, not 'fatcube.schedule/1'",
    "sweep sweep.toml": "sweep.toml, block 1: colective must be left out, as there is no such key (there is collective)",
    "import net.v -o x.json": "net.v: must be a schedule of another program (msccl, forestcoll, te-ccl), in XML or JSON",
    "check nohead.json": "file must be one that exists, not 'nohead.json'; did you mean nohead.toml?",
    "check head.json": "file must be one that exists, not 'head.json'",
    "check --schedule net.json": "No such option: --schedule; the schedule is an argument, as in fatcube check FILE",
    "load -d 2 --cycles 100": "No such option: --cycles; did you mean --measured?",
    "board run": "--port must be given: Serial port of the board, such as /dev/ttyUSB0 or COM3",
}


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.toml").write_text('topology = "hypercube"\nd = 1\n')
    (tmp_path / "bad.toml").write_text("topology = mesh\n")
    (tmp_path / "nohead.toml").write_text("d = 2\n")
    (tmp_path / "sweep.toml").write_text('format = "fatcube.sweep/1"\n[[points]]\nd = 2\ncolective = "AAB"\n')
    (tmp_path / "bad.json").write_text('{"a": 1,\n}\n')
    (tmp_path / "net.json").write_text('{"format": "fatcube.schedule/1"}\n')
    (tmp_path / "net.v").write_text("module net;\nendmodule\n")
    (tmp_path / "graph.json").write_text('{"format": "fatcube.topology/1", "links": [[0, 1]]}\n')
    (tmp_path / "machine.json").write_text('{"format": "fatcube.network/1"}\n')


@pytest.mark.parametrize(("call", "message"), CALLS.items())
def test_a_wrong_call_is_refused_in_a_line_that_helps(monkeypatch, capsys, folder, call, message):
    """Catches a message of the system, of Pydantic or of Typer that does not say what to write instead."""
    status, out, err = run(monkeypatch, capsys, *shlex.split(call))
    assert (status, out) == (2, "")
    # Lists of kinds have those too that other tests declare.
    foreign = sum(len(f"{name}, ") for name, kind in kinds().items() if not kind.__module__.startswith("fatcube."))
    assert len(err) <= 250 + foreign, len(err)
    assert err.startswith("fatcube: ") and err.endswith(f"{message}\n") and err.count("\n") == 1, err
    assert not re.search(r"\[Errno|Input should|unexpected extra|Invalid value|Missing (option|argument)", err)


def test_there_are_sixty():
    assert len(CALLS) >= 60


def test_options_that_are_meant_are_there():
    """Catches a hint that is refused itself."""
    commands, seen = cli.commands(), 0
    for call, message in CALLS.items():
        hint = message.partition("did you mean ")[2].rstrip("?").split()
        name = next((path for path in commands if call.startswith(path)), "generate network")
        known = {option for one in commands[name].params for option in one.opts} | {"--help", "--version"}
        options = {word for word in hint if word.startswith("-")}
        seen += len(options)
        assert options <= known, call
    assert seen > 25


def test_values_that_are_alike_are_meant():
    assert (
        meant("Mesh", ["mesh", "torus"])
        == meant("mes", ["mesh", "torus"])
        == meant("mehs", ["mesh", "torus"])
        == "mesh"
    )
    assert meant("x", ["mesh", "torus"]) is None and meant("", ["mesh"]) is None
    assert meant("axi", ["flits"]) is None
    assert (
        hinted("kind must be one of a-b, c-d or e, not 'a-d'; and more")
        == "kind must be one of a-b, c-d or e, not 'a-d'; and more"
    )
    assert hinted("d must be an integer of at least 1, not 0") == "d must be an integer of at least 1, not 0"


def test_only_options_that_a_command_has_are_meant():
    """Catches a hint at an option of another command."""
    assert meant_option("--output", ["--json", "-d"]) is None
    assert (
        meant_option("--file", ["--schedule"]) == "--schedule" and meant_option("--file", ["-o", "--schedule"]) == "-o"
    )
    assert meant_option("--axi", ["--interface"]) == "--interface axi4-stream"


def test_errors_of_files_name_the_file(tmp_path):
    (tmp_path / "schedule.json").touch()
    for path, said in (
        (tmp_path / "shedule.json", f"did you mean {tmp_path}/schedule.json?"),
        (tmp_path / "none" / "schedule.json", f"not '{tmp_path}/none/schedule.json'"),
        (tmp_path / "schedule.json" / "below", f"Not a directory: '{tmp_path}/schedule.json/below'"),
    ):
        with pytest.raises(OSError) as error:
            path.read_text()
        assert said_of_file(error.value).endswith(said)
    assert said_of_file(OSError("by a library")) == "by a library"


def test_verilog_of_something_else_is_refused():
    with pytest.raises(ParameterError, match=r"^shared must be a Shared component, .* not the str 'net'$"):
        to_verilog("net")
