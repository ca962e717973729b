"""The tests that `generate --with cocotb` writes: they pass, and each planted fault of the Verilog turns them red and says where."""

import json
import re
import shutil

import pytest

from fatcube.testing.bench import Bench
from tests.support.commands import run
from tests.support.hostile import hostile

ICARUS = pytest.mark.skipif(
    None in (shutil.which("iverilog"), shutil.which("vvp")), reason="Icarus Verilog (iverilog) is not installed"
)
TWO = "-d 1 -m 2"
DESIGNS = {
    "router 1": f"router {TWO} --counters",
    "router b": f"router {TWO} --ports b",
    "router d": "router -d 2 --ports d",
    "router all": f"router {TWO} --ports all-port",
    "router with virtual channels": "router -d 2 --virtual-channels 2 --counters",
    "router of half-duplex links": (
        f"router {TWO} --links half-duplex --switching virtual-cut-through --virtual-channels 2 --counters"
    ),
    "router with channels and limits": f"router {TWO} --virtual-channels 2 --longest-packet 5 --stop-timeout 9",
    "router with classes": "router --topology torus -w 4 -d 1 --routing default",
    "router with tables": "router --topology torus -w 4 -d 1 --routing default --addressing destination",
    "router with addresses": "router --topology mesh -w 3 -d 2 --routing default --addressing destination",
    "router with circuits": "router -d 2 --switching circuit",
    "router with set-up retries": "router -d 2 --switching circuit --setup-retry 10",
    "router with limits": f"router {TWO} --longest-packet 5 --stop-timeout 9 --counters",
    "router that stores packets": "router -d 2 --switching store-and-forward",
    "router that copies with room": f"router {TWO} --ports b --routing default --stop-timeout 20",
    "network": f"network {TWO} --routing none",
    "half-duplex links": f"network {TWO} --links half-duplex",
    "torus": "network --topology torus -w 4 -d 2 --routing default",
    "message classes": f"network {TWO} --routing default --message-classes 2",
    "network with limits": "network -d 1 --stop-timeout 3",
    "network that copies": f"network {TWO} --ports b --routing default",
    "network with set-up retries": "network -d 2 --switching circuit --setup-retry 10 --hops 2",
    "routers of two kinds": "network --topology star -n 4 --interface axi4-stream",
    "port clocks": f"network {TWO} --interface axi4-stream --port-clocks",
    "longest packet": "network -d 1 -m 3 --interface axi4-stream --longest-packet 4",
    "pauses that end a packet": f"network {TWO} --interface axi4-stream --stop-timeout 2",
    "two classes of streams": f"network {TWO} --interface axi4-stream --message-classes 2",
    "two ports a processor": "network -d 2 --ports d --width 72 --interface axi4-stream",
    "lanes in turn": f"network {TWO} -f 2 --lanes in-turn --interface axi4-stream",
    "bytes": f"network {TWO} --interface axi4-stream --byte-exact --user-bits 3 --port-widths 8,32,64,128",
    "bytes with limits and clocks": (
        f"network {TWO} --interface axi4-stream --byte-exact --port-widths 8 --width 16 --store-packets 5 --port-clocks"
    ),
    "bytes through slow ports": (
        f"network {TWO} --interface axi4-stream --byte-exact --user-bits 2 --port-widths 8,32,32,512 --store-packets 400"
    ),
    "bytes that a pause would end": f"network {TWO} --interface axi4-stream --byte-exact --stop-timeout 2",
    "bytes of two classes": f"network {TWO} --interface axi4-stream --byte-exact --message-classes 2 --port-widths 64",
    "system": f"system {TWO}",
    "flits at some ports": """
d = 1
m = 2
longest_packet = 6
interface = "axi4-stream"
[[port]]
processor = 0
clock = "own"
[[port]]
processor = 2
name = "raw"
interface = "flits"
[[port]]
processor = 3
interface = "flits"
""",
}
QUICK = {
    ("flits at some ports", "icarus"),
    ("router with virtual channels", "verilator"),
    ("router with limits", "icarus"),
    ("router with channels and limits", "icarus"),
    ("router with set-up retries", "icarus"),
    ("port clocks", "icarus"),
    ("bytes", "icarus"),
    ("bytes through slow ports", "icarus"),
    ("system", "icarus"),
}


def files(monkeypatch, capsys, folder, arguments):
    """Generate a design and its tests in ``folder``, by flags or a network file; returns the bench of the tests."""
    if "\n" in arguments:
        (folder / "net.toml").write_text(f'format = "fatcube.network-file/1"\n{arguments}')
        arguments = f"network {folder / 'net.toml'}"
    command, *options = arguments.split()
    status, _, err = run(monkeypatch, capsys, "generate", command, *options, "--with", "cocotb", "-o", folder / "net.v")
    assert status == 0, err
    return bench_of(folder)


@pytest.mark.parametrize(
    ("interface", "simulator"), [("axi4-stream", "icarus"), pytest.param("flits", "icarus", marks=pytest.mark.long)]
)
@ICARUS
def test_tests_of_ports_with_names_pass(monkeypatch, capsys, tmp_path, interface, simulator):
    """Catches a test that looks for a port by its number; with AXI4-Streams, ports have widths of their own."""
    tables = "".join(f'[[port]]\nprocessor = {number}\nname = "{name}"\n' for number, name in ((2, "dma"), (0, "Cpu")))
    head = f'format = "fatcube.network-file/1"\nd = 1\nm = 2\ninterface = "{interface}"\n'
    if interface != "flits":
        head += "byte_exact = true\n"
        tables += "width = 64\n[[port]]\nprocessor = 3\nwidth = 8\n"
    (tmp_path / "soc.toml").write_text(head + tables)
    bench = files(monkeypatch, capsys, tmp_path, f"network {tmp_path / 'soc.toml'}")
    assert bench.about.has_port({"flits": "dma_send__valid", "axi4-stream": "s_axis_dma_tvalid"}[interface])
    passes(bench, simulator)


def bench_of(folder):
    """The bench of the tests in ``folder``, which is that of any file like it."""
    return Bench(folder / "test_net.py", verilog="net.v", description="net.json")


def names_in(folder):
    """The names of the tests in a generated file, without the parameters of those that have some."""
    return re.findall(r"^async def (\w+)", (folder / "test_net.py").read_text(), re.MULTILINE)


def passes(bench, simulator):
    """All tests of a bench pass."""
    results, log, _ = bench.run(simulator=simulator)
    assert [result for result in results if result.failure is not None] == [], log[-3000:]
    assert {result.name.partition("/")[0] for result in results} == set(names_in(bench.folder))


@pytest.mark.parametrize(
    ("name", "simulator"),
    [
        pytest.param(
            name,
            simulator,
            marks=[ICARUS] * (simulator == "icarus") + [pytest.mark.long] * ((name, simulator) not in QUICK),
        )
        for name in DESIGNS
        for simulator in ("verilator", "icarus")
    ],
)
def test_generated_tests_pass(monkeypatch, capsys, tmp_path, name, simulator):
    """In an environment that is set up for other programs."""
    for variable, value in hostile(tmp_path).items():
        monkeypatch.delenv(variable, raising=False) if value is None else monkeypatch.setenv(variable, value)
    passes(files(monkeypatch, capsys, tmp_path, DESIGNS[name]), simulator)


#: Faults: the design, a pattern in its Verilog, what is put in its first place, and what a test must say.
FAULTS = {
    "a dropped word": (
        "network",
        r"\.processor1_send0__valid\(processor1_send0__valid\)",
        ".processor1_send0__valid(processor1_send0__valid & processor1_send0__payload[4:0] != 5'h15)",
        r"torn: packet .* from port 1 to port \d arrived at port \d with \d of its \d words, at \d+ ns",
    ),
    "a word that is not waited for": (
        "port clocks",
        r"\.m_axis__tready\(m_axis_1_tready\)",
        ".m_axis__tready(1'h1)",
        r"m_axis_1: valid fell before .* was taken",
    ),
    "a lane that takes nothing": (
        "network",
        r"(?s)wire (node1__channel0_lane0_in__ready);(.*?_in__valid\()node0__channel0_lane0_out__valid\)",
        r"supply0 \1;\2 1'h0)",
        r"lost: .* at \d+ ns; processor\d_send0 is stalled at word \d of packet .*; "
        r"lane 0 of channel 0 of node 0, to node 1, is stalled\n",
    ),
    "a wrong tid": (
        "port clocks",
        r"\.source\(2'h2\)",
        ".source(2'h1)",
        r"wrong tid: packet .* from port 2 .*tid 1, not 2",
    ),
    "a swapped route": (
        "port clocks",
        r"\.s_axis__tdest\(s_axis_2_tdest\)",
        ".s_axis__tdest(s_axis_2_tdest ^ 2'h1)",
        r"misrouted: packet .* from port 2 to port \d arrived at port \d, at \d+ ns",
    ),
    "a credit too many": (
        "router with virtual channels",
        r"\(credits \+ \{1'h0, returned\}\)",
        "(credits + {1'h0, returned | ~|credits})",
        r"channel\d_lane0_out: a flit without a credit on channel 0, whose buffer of 3 flits is full",
    ),
    "a credit too many upstream": (
        "router with virtual channels",
        r"assign i__credit = left;",
        "assign i__credit = left | 2'h2;",
        r"channel\d_lane0_in: a credit too many for channel 1",
    ),
    "a counter of flits": (
        "router with virtual channels",
        r"flit_count <= flit_count \+ [^;]*;",
        "flit_count <= flit_count;",
        r"flit_count is 0, not \d+",
    ),
    "a counter of conflicts": (
        "router with virtual channels",
        r"conflict_count <= conflict_count \+ [^;]*;",
        "conflict_count <= conflict_count;",
        r"conflict_count is 0",
    ),
    "a counter of errors": (
        "router with virtual channels",
        r"error_count <= error_count \+ [^;]*;",
        "error_count <= error_count;",
        r"error_count is 0",
    ),
    "a counter of unknown destinations": (
        "longest packet",
        r"unknown_count <= unknown_count \+ [^;]*;",
        "unknown_count <= unknown_count;",
        r"unknown_count of port 0 is 0, not 2; of all ports it is \[0, .*, at \d+ ns",
    ),
    "a counter of broken packets": (
        "bytes",
        r"torn_count <= torn_count \+ [^;]*;",
        "torn_count <= torn_count;",
        r"bad_keep_count of port \d is 0, not 4; of all ports it is \[[04, ]*\], at \d+ ns",
    ),
    "a byte too many": (
        "bytes",
        r"\.s_axis__tkeep\(s_axis_2_tkeep\)",
        ".s_axis__tkeep(s_axis_2_tkeep | 8'h1)",
        r"(torn|unknown|wrong tuser): .*",
    ),
    "a bit of the route of a header": (
        "flits at some ports",
        r"\.processor3_send0__payload\(processor3_send0__payload\)",
        ".processor3_send0__payload(processor3_send0__payload & ~33'h1)",
        r"(misrouted|lost): .*packet .* from port 3 to port \d",
    ),
    "a counter of headers alone": (
        "flits at some ports",
        r"empty_count <= empty_count \+ [^;]*;",
        "empty_count <= empty_count;",
        r"empty_count of port 0 is 0, not 2; of all ports it is \[0, 0, 0, 0\], at \d+ ns",
    ),
    "a step too early": (
        "system",
        r"\.lockstep\(lockstep\)",
        ".lockstep(1'h0)",
        r"lockstep: .* of processor \d: message \d in step \d, of 9 flits, (is missing|should not have crossed)",
    ),
    "a field one bit short": (
        "network",
        r"\.processor1_send0__payload\(processor1_send0__payload\)",
        ".processor1_send0__payload(processor1_send0__payload & ~(processor1_send0__payload[31:8] ? 33'h0 : 33'h80))",
        r"(torn|unknown): .*",
    ),
}
QUICK_FAULTS = (
    "a bit of the route of a header",
    "a lane that takes nothing",
    "a swapped route",
    "a credit too many",
    "a counter of errors",
    "a step too early",
)


@pytest.mark.parametrize(
    ("fault", "simulator"),
    [
        pytest.param(
            fault,
            simulator,
            marks=[ICARUS] * (simulator == "icarus")
            + [pytest.mark.long] * (simulator == "verilator" or fault not in QUICK_FAULTS),
        )
        for fault in FAULTS
        for simulator in ("icarus", "verilator")
    ],
)
def test_a_planted_fault_is_found_and_named(monkeypatch, capsys, tmp_path, fault, simulator):
    name, pattern, instead, message = FAULTS[fault]
    bench = files(monkeypatch, capsys, tmp_path, DESIGNS[name])
    plant(tmp_path / "net.v", pattern, instead)
    results, log, _ = bench.run(simulator=simulator)
    failures = [result.failure for result in results if result.failure is not None]
    assert failures, log[-3000:]
    if simulator == "verilator":  # There the lane takes flits, and drops them: no port is stalled.
        message, _, _ = message.partition("; processor")
    assert any(re.search(message, failure) for failure in failures), failures


@ICARUS
@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("route", r"misrouted: packet .* from port 3 to port [01] arrived at port [01], at \d+ ns"),
        ("message id", r"wrong tid: packet .* from port \d to port \d arrived with tid \d, not \d, at \d+ ns"),
    ],
)
def test_ports_with_flits_are_held_against_the_description(monkeypatch, capsys, tmp_path, place, message):
    """Catches headers that are made or read by anything else: of another route, or with the message id a bit higher."""
    bench = files(monkeypatch, capsys, tmp_path, DESIGNS["flits at some ports"])
    about = json.loads((tmp_path / "net.json").read_text())
    routes = about["routing"]["routes"][3]
    if place == "route":
        routes[0], routes[1] = routes[1], routes[0]
    else:
        for field in about["header"]:
            field["low"] += field["field"] == "message id"
    (tmp_path / "net.json").write_text(json.dumps(about))
    results, log, _ = bench.run(["every_port_to_every_port/congested=False"], simulator="icarus")
    assert [result for result in results if re.search(message, result.failure or "")], log[-3000:]


def plant(file, pattern, instead):
    """Put a fault in the first place where the Verilog has the pattern."""
    text, found = re.subn(pattern, instead, file.read_text(), count=1)
    assert found == 1
    file.write_text(text)
