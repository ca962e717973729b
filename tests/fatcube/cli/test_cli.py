"""The command line: one line and status 2 for bad input, nothing half-written, JSON beside every table."""

import json
from pathlib import Path
import re
import shutil

import pytest

from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.papers.fat_cube import reproduce
from fatcube.rtl.router_options import RouterOptions
from tests.support.commands import run

BAD = [
    (["-d", "0"], "FatCube d must be an integer from 1 to 16, not 0"),
    (["-m", "0"], "FatCube m must be an integer of at least 1, not 0"),
    (["-f", "0"], "FatCube f must be an integer of at least 1, not 0"),
    (["-d", "x"], "-d must be an integer, not 'x'"),
    # Other tests may have added topologies of their own, so the end of the list is open.
    (
        ["--topology", "bush"],
        "topology must be one of butterfly, wrapped-butterfly, ccc, fat-cube, hypercube, dense-ghc, sparse-ghc, mesh, torus, ring, oriented-cube, star, switch, tree",
    ),
    (["--topology", "hypercube", "-m", "2"], "Hypercube m must be 1, not 2"),
    (["--topology", "ccc"], "topology ccc needs the parameter n (-n)"),
    (["--topology", "ccc", "-n", "1"], "CubeConnectedCycles n must be an integer from 2 to 12, not 1"),
    (["--topology", "ccc", "-n", "3", "-d", "3"], "topology ccc has parameters n, m, f, k, not d (-d)"),
    (["--topology", "dense-ghc", "-d", "2"], "topology dense-ghc needs the parameter w (-w)"),
    (["--topology", "mesh", "-w", "x"], "w must be comma-separated integers, not 'x'"),
    (
        ["--topology", "dense-ghc", "-w", "3,4", "-d", "3"],
        "DenseGHC d must be 2 where w is 3,4, not 3",
    ),
    (
        ["--topology", "ccc", "-n", "3", "-k", "2"],
        "CubeConnectedCycles k must be an integer from 3 to 8192 where n is 3, not 2",
    ),
    (["--topology", "sparse-ghc", "-w", "1"], "SparseGHC w must be an integer from 2 to 65536, not 1"),
    (["-n", "3"], "topology fat-cube has parameters d, m, f, not n (-n)"),
    (["--ports", "c"], "ports must be one of 1, b, d, * or one, broadcast, d-port, all-port, not 'c'"),
    (
        ["-m", "2", "--width", "9", "--routing", "none"],
        "width must be an integer of at least 10 (a header has 4 bits of route and 6 of message id), not 9",
    ),
    (["--width", "0"], "width must be an integer from 1 to 4096, not 0"),
    (["--buffer-depth", "0"], "buffer depth must be an integer from 1 to 4096, not 0"),
    (["--pipeline", "3"], "pipeline must be an integer from 1 to 2, not 3"),
    (["--turns", "left"], "turns must be one of used, forward, all, not 'left'"),
    (["--frobnicate"], "No such option: --frobnicate"),
    (
        ["--ports", "b", "--routing", "none"],
        "for schedules only must be given (--for-schedules-only) for the fat cube d = 2, model b with 1 hop, where "
        "copied packets can wait for each other in a cycle (deadlock); --routing default cannot deadlock",
    ),
    (
        ["--hops", "2"],
        "for schedules only must be given (--for-schedules-only) for the fat cube d = 2 with 2 hops, where "
        "packets can wait for each other in a cycle (deadlock); --routing default cannot deadlock",
    ),
    (
        ["--for-schedules-only"],
        "for schedules only must be left out for the fat cube d = 2, which carries any traffic",
    ),
    (["-d", "1", "--hops", "2", "--for-schedules-only"], "for schedules only must be left out for the fat cube d = 1"),
    *(
        (
            [what, option],
            f"No such option: {option}; it is an option of {' and '.join(f'fatcube generate {one}' for one in having)}\n",
        )
        for what, option, having in (
            ("router", "--for-schedules-only", ["network"]),
            ("router", "--port-clocks", ["network"]),
            ("system", "--interface", ["network"]),
            ("system", "--routing", ["network", "router"]),
            ("network", "--counters", ["router"]),
            ("system", "--counters", ["router"]),
        )
    ),
    (["rooter"], "command must be one of network, router, system, not 'rooter'; did you mean router?"),
    *(
        (
            [what, "--name", name],
            f"name must be a Verilog identifier of letters, digits and _ and no keyword, not '{name}'",
        )
        for name in ("a-b", "module", "")
        for what in ("router", "network", "system")
    ),
    (
        ["-d", "8", "-m", "2", "--ports", "d"],
        "ports of module fabric must have at most 65532 bits of input, which is what Amaranth can write, not 143360: 117 of these 256 nodes fit",
    ),
    (
        ["-d", "16", "-m", "9999", "--width", "99", "--ports", "d"],
        "ports of module fabric must have at most 65532 bits",
    ),
    (
        ["router", "-m", "99999", "--width", "99"],
        "ports of a router must be at most 1,024 with a routing on the fat cube d = 2",
    ),
    (
        ["router", "-m", "99999", "--width", "99", "--routing", "none"],
        "ports of module fat_node_router must have at most 65532 bits",
    ),
    (["system", "-m", "1999", "--width", "99"], "ports of module fat_node_router must have at most 65532 bits"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_generate_refuses_bad_input_in_one_line(monkeypatch, capsys, tmp_path, arguments, message):
    """Catches a traceback, a wrong status, and a file that is left behind."""
    output = tmp_path / "noc.v"
    status, out, err = run(monkeypatch, capsys, "generate", *arguments, "-o", output)
    assert status == 2
    assert err.startswith(f"fatcube: {message}")
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-c", "AAB", "--payload-flits", "0"], "payload flits must be an integer from 1 to 65534, not 0"),
        (["-c", "AAB", "--payload-flits", "a,b"], "payload flits must be comma-separated integers, not 'a,b'"),
        (
            ["-c", "AAB", "-m", "2", "--payload-flits", "3000", "--memory-words", "4096"],
            "payload flits must be an integer from 1 to 512 for 8 messages in a memory of 4096 words, not 3000",
        ),
        (["-c", "nothing"], "collective must be one of OAB, "),
        (["-c", "OAB", "--root", "4"], "root of OAB must be an integer from 0 to 3, not 4"),
        (["-c", "AAB", "--mode", "slow"], "mode must be one of lockstep, dataflow, both, not 'slow'"),
        (
            ["-c", "AAB", "--simulator", "spice"],
            "simulator must be one of verilator, verilator-flat, icarus, not 'spice'",
        ),
        ([], "collective must be given (-c), as in -c all-gather"),
    ],
)
def test_simulate_refuses_bad_input_before_anything_is_built(monkeypatch, capsys, tmp_path, arguments, message):
    """Catches input that is only found bad after a minute of building."""
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path))
    status, out, err = run(monkeypatch, capsys, "simulate", *arguments)
    assert status == 2
    assert err.startswith(f"fatcube: {message}")
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--order", "postorder"], "--order requires a spanning graph (--along)"),
        (
            ["-c", "AAB", "--topology", "hypercube", "--along", "sbt", "--order", "postorder"],
            "order must be left out along a spanning graph except for OAS, AOG and, with several ports, AAS, not postorder",
        ),
        (
            ["--topology", "hypercube", "--along", "sbt", "--order", "preorder"],
            "order must be one of postorder, reverse-breadth-first, not 'preorder'",
        ),
        (["--per-packet", "0"], 'per_packet must be an integer of at least 1 or "unlimited", not 0'),
        (["--per-packet", "some"], "per_packet must be an integer of at least 1 or \"unlimited\", not 'some'"),
        (
            ["--per-packet", "2", "--ports", "b"],
            "per_packet must be 1 on routers of model b, which copy packets, not 2",
        ),
        (
            ["--topology", "hypercube", "--along", "sbt", "--per-packet", "70000"],
            "per_packet must be an integer from 1 to 65535, not 70000",
        ),
        (["--transfers", "far"], "transfers must be one of adjacent, direct, not 'far'"),
        (["--links", "half"], "links must be one of full-duplex, half-duplex, simplex, not 'half'"),
        (["--port-use", "none"], "port use must be one of send-and-receive, one-partner, send-or-receive, not 'none'"),
        (["--links", "simplex", "--half-duplex"], "--links must be half-duplex with --half-duplex, not simplex"),
        (
            ["--one-partner", "--port-use", "send-or-receive"],
            "--port-use must be one-partner with --one-partner, not send-or-receive",
        ),
        (
            ["-d", "1", "--links", "simplex"],
            "simplex links of one lane must be in cubes of 2 dimensions or more, not 1",
        ),
        (["-f", "3", "--links", "simplex"], "lanes of simplex links must be 1 or an even number, not 3"),
        (
            ["--topology", "ccc", "-n", "3", "--links", "simplex"],
            "links must be full-duplex or half-duplex on the CCC of order 3, as only cubes have simplex links",
        ),
        (["--topology", "hypercube", "--along", "oak"], "spanning graph must be one of "),
        (["--along", "sbt"], "topology must be a hypercube (--topology hypercube) along a spanning graph, not "),
    ],
)
def test_schedule_refuses_bad_input_in_one_line(monkeypatch, capsys, tmp_path, arguments, message):
    status, out, err = run(monkeypatch, capsys, "schedule", "-c", "AAB", *arguments, "-o", tmp_path / "s.json")
    assert status == 2
    assert err.startswith(f"fatcube: {message}") and err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-c", "AAS", "--root", "1"], "root must be left out for AAS, which has none, not 1"),
        (
            ["-c", "OAB", "--topology", "hypercube", "--along", "sbt", "--optimal"],
            "--optimal must be left out along a spanning graph, where nothing is searched",
        ),
        (
            ["-c", "AAS", "--topology", "hypercube", "--along", "sbt", "--half-duplex"],
            "AAS along sbt must be done without half-duplex: step ",
        ),
        (["-c", "OAB", "-o", "."], "output must be a file, not the folder ."),
        (["-c", "OAB", "-o", "nowhere/s.json"], "output must be in a folder that exists, not nowhere/s.json"),
        (
            ["-c", "OAB", "-o", "x", "--json", "x"],
            "output must be a different file from all others that are read or written, not x",
        ),
    ],
)
def test_schedule_refuses_options_that_do_not_go_together(monkeypatch, capsys, tmp_path, arguments, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(monkeypatch, capsys, "schedule", *arguments)
    assert status == 2
    assert err.startswith(f"fatcube: {message}") and err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_result_never_takes_the_place_of_what_was_read(monkeypatch, capsys, tmp_path):
    """Catches a schedule, a study or a sweep file that is overwritten by what was made of it."""
    file = tmp_path / "[b]a.json"  # in Rich a mark that is not shown
    assert run(monkeypatch, capsys, "schedule", "-c", "OAB", "-o", file)[0] == 0
    assert run(monkeypatch, capsys, "check", file)[1].startswith(f"{file}: OAB on the fat cube d = 2")
    before = file.read_bytes()
    for command in (["check", file], ["simulate", "--schedule", file], ["explore", "--results", file], ["sweep", file]):
        status, out, err = run(monkeypatch, capsys, *command, "--json", file)
        assert (status, out) == (2, "") and err.startswith("fatcube: output must be a different file from "), command
    assert file.read_bytes() == before and len(list(tmp_path.iterdir())) == 1


def test_steps_of_shared_packets_are_not_fitted(monkeypatch, capsys, tmp_path):
    """They are of several lengths: what came out was no start-up and no transfer time."""
    file = tmp_path / "s.json"
    for size, fitted in ((2, False), (1, True)):
        assert (
            run(
                monkeypatch,
                capsys,
                "schedule",
                "-c",
                "AAS",
                "--topology",
                "hypercube",
                "--along",
                "sbt",
                "--per-packet",
                size,
                "-o",
                file,
            )[0]
            == 0
        )
        status, out, _ = run(monkeypatch, capsys, "simulate", "--schedule", file, "--mode", "lockstep")
        assert status == 0 and ("τ = 4.00" in out) is fitted is ("τ" in out)


def test_packets_of_several_messages(monkeypatch, capsys, tmp_path):
    """Two messages a packet on 4 nodes: 2 start-ups instead of 4; in dataflow each packet waits for both of its messages."""
    file, record = tmp_path / "s.json", tmp_path / "r.json"
    assert (
        run(
            monkeypatch,
            capsys,
            "schedule",
            "-c",
            "AAS",
            "--topology",
            "hypercube",
            "--along",
            "sbt",
            "--per-packet",
            2,
            "-o",
            file,
        )[0]
        == 0
    )
    status, out, err = run(
        monkeypatch, capsys, "simulate", "--schedule", file, "--payload-flits", "4", "--json", record
    )
    assert status == 0
    measured, in_dataflow = json.loads(record.read_text())["measured"]["runs"]
    assert (measured["mode"], measured["steps"], measured["cycles"], measured["delivered"]) == ("lockstep", 2, 26, 12)
    assert (in_dataflow["mode"], in_dataflow["delivered"]) == ("dataflow", 12)
    status, _, err = run(monkeypatch, capsys, "simulate", "--schedule", file, "--per-packet", 1)
    assert status == 1 and "a packet of 2 messages, at most 1 may share one" in err


@pytest.mark.parametrize("text", ["", "{", '{"format": "fatcube.schedule/1"}', '{"format": "other/1"}', "[]"])
def test_check_refuses_a_broken_file(monkeypatch, capsys, tmp_path, text):
    """Catches a parser that trips over its input."""
    file = tmp_path / "schedule.json"
    file.write_text(text)
    status, out, err = run(monkeypatch, capsys, "check", file)
    assert status == 2
    assert err.startswith((f"fatcube: {file}: ", f"fatcube: {file}, line 1: ")) and err.count("\n") == 1


def test_check_refuses_a_schedule_that_does_not_deliver(monkeypatch, capsys, tmp_path):
    """A check that failed is status 1, not 2, and names what is missing."""
    file = tmp_path / "schedule.json"
    assert run(monkeypatch, capsys, "schedule", "-c", "OAB", "-m", "2", "-o", file)[0] == 0
    value = json.loads(file.read_text())
    last = value["transfers"].pop()
    file.write_text(json.dumps(value))
    status, out, err = run(monkeypatch, capsys, "check", file)
    assert status == 1
    assert f"processor {last['dst']}" in err and "[0, null]" in err and err.count("\n") == 1


def test_schedule_file_and_record(monkeypatch, capsys, tmp_path):
    """The written schedule is one that `check` accepts, and the record names its origin."""
    file, record = tmp_path / "s.json", tmp_path / "r.json"
    status, out, err = run(
        monkeypatch,
        capsys,
        "schedule",
        "-c",
        "all-gather",
        "-d",
        2,
        "-m",
        2,
        "--ports",
        "d-port",
        "-o",
        file,
        "--json",
        record,
    )
    assert status == 0
    assert run(monkeypatch, capsys, "check", file)[0] == 0
    value = json.loads(record.read_text())
    assert value["measured"]["steps"] == value["measured"]["lower_bound"] == 4
    assert value["how"]["tools"]["amaranth"] and value["key"]
    assert {path.name for path in tmp_path.iterdir()} == {"s.json", "r.json"}


def test_generate_writes_the_same_router_twice(monkeypatch, capsys, tmp_path):
    """Catches names or an order that depend on the run."""
    texts = []
    for name in ("a.v", "b.v"):
        assert run(monkeypatch, capsys, "generate", "router", "-m", 2, "-o", tmp_path / name)[0] == 0
        texts.append((tmp_path / name).read_text())
    assert texts[0] == texts[1]
    assert "input  wire [32:0] processor0_send0__payload," in texts[0]


@pytest.mark.parametrize(
    ("arguments", "modules", "told"),
    [
        (["network", "-d", 1, "--hops", 3], ["fabric", "fat_node_router"], False),
        (["network", "--hops", 2, "--for-schedules-only"], ["fabric", "fat_node_router"], True),
        (["network", "--ports", "b", "--for-schedules-only", "--name", "left"], ["left", "left_fat_node_router"], True),
        (["router", "--ports", "b", "--routing", "none", "--name", "mine"], ["mine"], True),
        (["router", "--counters"], ["fat_node_router"], False),
        (
            ["system", "-d", 1, "-m", 2, "--ports", "b", "--name", "s"],
            ["s", "s_fat_node_router", "s_monitor", "s_node", "s_processor"],
            True,
        ),
    ],
    ids=str,
)
def test_generate_names_modules_and_says_what_is_for_schedules_only(monkeypatch, capsys, arguments, modules, told):
    status, out, err = run(monkeypatch, capsys, "generate", *arguments)
    assert status == 0
    found = [line[7:-1] for line in out.splitlines() if line.startswith("module ")]
    assert {*modules} <= {*found} and len({*found}) == len(found)
    if "--name" in arguments:
        assert all(re.match(f"{arguments[-1]}(_|$)", name) for name in found)
    assert ("FOR SCHEDULES ONLY" in out) == told


def test_an_unwritable_output_is_bad_input(monkeypatch, capsys, tmp_path):
    status, out, err = run(monkeypatch, capsys, "generate", "-o", tmp_path / "missing" / "noc.v")
    assert status == 2 and err.count("\n") == 1


def test_reproduce_notices_a_cell_that_disagrees(monkeypatch):
    """The check of the main job: were a cell printed otherwise, it would say so and end with 1."""
    network = Network(FatCube(2, 2, 1), RouterOptions(ports="1"))
    cells = reproduce.run_network("FC", "1", network)
    assert [cell["steps"] for cell in cells] == [3, 7, 7, 9]
    assert [cell["problems"] for cell in cells] == [[]] * 4

    wrong = {**reproduce.TABLE_6, "1": {**reproduce.TABLE_6["1"], "AAS": (12, 8)}}
    monkeypatch.setattr(reproduce, "TABLE_6", wrong)
    cells = reproduce.run_network("FC", "1", network)
    assert [cell["problems"] for cell in cells] == [
        [],
        [],
        [],
        ["Table 6, FC, model 1, AAS: printed 8 steps, measured 9"],
    ]


def test_a_study_that_finds_a_problem_ends_with_status_1(monkeypatch, capsys, tmp_path):
    """Catches a status that never leaves the process, which would make every check of a script pass."""
    monkeypatch.setattr(reproduce, "reproduce", lambda *arguments, **keywords: ["AAB: 5 steps, not 4"])
    status, _, err = run(monkeypatch, capsys, "reproduce", "-o", tmp_path)
    assert (status, err) == (1, "FAILED: AAB: 5 steps, not 4\n")


def test_no_schedule_in_time(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("fatcube.schedules.construct._build", lambda *_: None)
    status, out, err = run(
        monkeypatch,
        capsys,
        "schedule",
        "-c",
        "AAS",
        "-d",
        2,
        "-m",
        2,
        "--one-partner",
        "--time-limit",
        0,
        "-o",
        tmp_path / "s.json",
    )
    assert (status, out) == (1, "")
    assert err.startswith("fatcube: no schedule found in ") and "the lower bound is 9 steps" in err
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_search_leaves_the_best_schedule(monkeypatch, capsys, tmp_path):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("fatcube.schedules.search.solve", interrupt)
    monkeypatch.setattr("fatcube.schedules.constructions.greedy.TRIES", 60)
    status, out, _ = run(
        monkeypatch,
        capsys,
        "schedule",
        "-c",
        "AAS",
        "-d",
        1,
        "-m",
        5,
        "-f",
        3,
        "--optimal",
        "--time-limit",
        3600,  # so that a slow machine comes to the search
        "-o",
        tmp_path / "s.json",
        "--json",
        tmp_path / "r.json",
    )
    assert status == 130
    assert "no: interrupted, nothing proven" in out
    assert run(monkeypatch, capsys, "check", tmp_path / "s.json")[0] == 0
    measured = json.loads((tmp_path / "r.json").read_text())["measured"]
    assert (measured["lower_bound"], measured["proved"], measured["stopped"]) == (
        9,
        False,
        "interrupted, nothing proven",
    )


def test_compact_files(monkeypatch, capsys, tmp_path):
    """A schedule that is the same from every node is written once if requested, and means the same."""
    case = ["schedule", "-c", "all-reduce", "-d", 3, "-m", 2, "--ports", "1"]
    run(monkeypatch, capsys, *case, "-o", tmp_path / "full.json")
    run(monkeypatch, capsys, *case, "--compact", "-o", tmp_path / "compact.json")
    full, compact = (json.loads((tmp_path / name).read_text()) for name in ("full.json", "compact.json"))
    assert len(full["transfers"]) == 8 * len(compact["transfers"])
    assert compact["symmetric"] and "symmetric" not in full
    checked = [
        run(monkeypatch, capsys, "check", tmp_path / name)[1].split(": ", 1)[1]
        for name in ("full.json", "compact.json")
    ]
    assert checked[0] == checked[1]


def test_check_with_options(monkeypatch, capsys, tmp_path):
    run(monkeypatch, capsys, "schedule", "-c", "AAB", "-d", 2, "-m", 2, "-o", tmp_path / "s.json")
    assert run(monkeypatch, capsys, "check", tmp_path / "s.json")[0] == 0
    status, _, err = run(monkeypatch, capsys, "check", tmp_path / "s.json", "--half-duplex")
    assert status == 1 and err.endswith("(half duplex)\n") and err.count("\n") == 1
    status, _, err = run(monkeypatch, capsys, "check", tmp_path / "s.json", "--dedicated-ports")
    assert (status, err) == (2, "fatcube: dedicated ports must be in model * (all-port), not in model 1\n")


def test_audit_prints_every_case_and_writes_nothing(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    status, out, _ = run(monkeypatch, capsys, "audit", "ghc", "--claim", "pascal")
    assert status == 0
    assert [line.split(" | ")[0] for line in out.splitlines() if line.startswith("| d = ")] == [
        f"| d = {d}" for d in range(1, 17)
    ]
    assert "| d = 2 | row of the triangle: 1, 2, 1 | row of the triangle: 1, 2, 1 | yes | lemma 2's recursion |" in out
    assert list(tmp_path.iterdir()) == []


def test_audit_refuses(monkeypatch, capsys, tmp_path):
    status, _, err = run(monkeypatch, capsys, "audit", "thin-cube", "-o", tmp_path)
    assert (status, err) == (
        2,
        "fatcube: paper must be one of fat-cube, ccc, ghc, spanning-graphs, not 'thin-cube'; did you mean fat-cube?\n",
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--family", "ecp6"],
            "FPGA family must be one of ecp5, ice40, xilinx, gowin, gates, osu018, not 'ecp6'; did you mean ecp5?",
        ),
        (
            ["--family", "gates", "--fmax"],
            "Fmax requires an FPGA family with place and route, not gates",
        ),
        (["--seeds", "1,1"], "seeds must be one or more different integers, not (1, 1)"),
    ],
)
def test_synthesize_refuses_bad_input(monkeypatch, capsys, tmp_path, arguments, message):
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path))
    status, out, err = run(monkeypatch, capsys, "synthesize", "-d", 1, "--width", 12, *arguments)
    assert (status, err) == (2, f"fatcube: {message}\n")
    assert list(tmp_path.iterdir()) == []


def test_synthesize_shows_a_family_in_its_own_cells(monkeypatch, capsys, tmp_path):
    file = tmp_path / "router.json"
    status, out, err = run(
        monkeypatch, capsys, "synthesize", "-d", 1, "--width", 12, "--family", "gates", "--json", file
    )
    assert status == 0 and "transistors" in out and "Fmax" not in out and "LUT" not in out
    record = json.loads(file.read_text())
    assert record["parameters"]["family"] == "gates"
    measured = record["measured"]
    assert measured["gates"] > measured["cells"]["$_NAND_"] > 0
    assert (measured["a"], measured["b"], measured["ab"], measured["C_R"]) == (2, 2, 4, 8)
    assert measured["turns"] == [3] and measured["all_turns_comb_equivalents"] > measured["comb_equivalents"]
    assert measured["crossbar_turns_used_comb_equivalents"] <= measured["crossbar_comb_equivalents"]
    assert "router, all turns" in out and "crossbar, turns used" in out


def test_synthesize_on_standard_cells(monkeypatch, capsys, tmp_path):
    """The library that the family names, and the same file as a user's own, give the same figures."""
    library = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
    if not (library.exists() and shutil.which("sta")):
        pytest.skip("opensta and qflow-tech-osu018 are not installed")
    file = tmp_path / "router.json"
    records = []
    for target in (["--family", "osu018"], ["--liberty", library]):
        status, out, err = run(monkeypatch, capsys, "synthesize", "-d", 1, "--width", 12, *target, "--json", file)
        assert status == 0 and "NAND2 equivalents" in out and "longest path of the router: from " in out
        assert "Fmax is that of one router" in out
        records.append(json.loads(file.read_text()))
    assert records[0]["measured"]["path"] == records[1]["measured"]["path"]
    assert (
        records[0]["measured"]["um2"]
        == records[1]["measured"]["um2"]
        == 24 * records[0]["measured"]["nand2_equivalents"]
    )
    assert [one["parameters"]["family"] for one in records] == ["osu018", "osu018_stdcells"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--liberty", "/dev/null"], "/dev/null: liberty must be a Liberty library with cells, which this file is not"),
        (["--liberty", "/dev/null", "--family", "ecp5"], "--family must be left out with --liberty, not 'ecp5'"),
    ],
)
def test_synthesize_refuses_other_libraries(monkeypatch, capsys, arguments, message):
    assert run(monkeypatch, capsys, "synthesize", "-d", 1, *arguments) == (2, "", f"fatcube: {message}\n")


@pytest.mark.long(stays="tests/synth/test_silicon.py::test_routers_of_simplex_links_are_measured_one_by_one")
def test_synthesize_whole(monkeypatch, capsys, tmp_path):
    """Two routers together: their flip-flops, the logic of both, and a clock that wires between them have."""
    file = tmp_path / "whole.json"
    status, out, err = run(
        monkeypatch, capsys, *("synthesize", "-d", 1, "--width", 12, "--seeds", 1, "--whole", "--json", file)
    )
    assert status == 0 and "whole network" in out and "Fmax is that of one router" not in out
    measured = json.loads(file.read_text())["measured"]
    whole = measured["whole"]
    assert whole["ff"] == 2 * measured["ff"] == measured["network"]["ff"]
    assert 0.5 < whole["comb_equivalents"] / measured["network"]["comb_equivalents"] < 1.1
    assert [seed for seed, _ in whole["seeds_mhz"]] == [1] and whole["fmax_mhz"] > 50
