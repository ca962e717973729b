"""The memory of a schedule is counted before it is built, and one that is too large is refused at once, in one line."""

import json
import resource
import subprocess
import sys

import pytest

from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions.all_gather import all_gather
from fatcube.schedules.constructions.all_to_all import all_to_all
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.schedule_file import write_schedule
from fatcube.schedules.size import (
    MOST_CHOICES,
    MOST_TRANSFERS,
    check_size,
    choices_along,
    choices_needed,
    transfers_needed,
)
from fatcube.schedules.spanning.graphs import spanning_graph
from tests.support.cases import some
from tests.support.children import HANG
from tests.support.commands import run
from tests.support.effort import at_most
from tests.support.torus import Torus


@pytest.mark.parametrize(
    "topology",
    [Hypercube(3), FatCube(2, 3), FatCube(3, 2, 2), CubeConnectedCycles(3), DenseGHC(3, 2), SparseGHC(3, 2), Torus(3)],
    ids=str,
)
@pytest.mark.parametrize("collective", Collective)
def test_transfers_needed_are_those_of_a_schedule(topology, collective):
    """Catches a count that is not of what is built."""
    for ports in "1d":
        found, needed = (
            len(construct(Problem(topology, ports, collective)).schedule.transfers),
            transfers_needed(Problem(topology, "1", collective)),
        )
        # Branches of equal size are not of shortest ways.
        balanced = isinstance(topology, CubeConnectedCycles) and collective in (Collective.OAS, Collective.AOG)
        assert found == needed or (ports == "d" and balanced and needed < found < 1.1 * needed)


def test_parts_are_counted():
    assert transfers_needed(Problem(Hypercube(3), "1", "AAS", parts=5)) == 5 * 12
    assert transfers_needed(Problem(Hypercube(3), "1", "OAB", parts=5)) == 5 * 7
    graph = spanning_graph("sbt", 3, 0)
    assert choices_along(graph, "AOR", 2, True) == choices_along(graph, "OAB", 2, True) > 0
    assert choices_along(graph, "AAS", 10, True) == 100 * choices_along(graph, "AAS", 1, True) == 100 * 7 * 12


@pytest.mark.parametrize(
    ("topology", "ports", "collective"),
    [
        *(
            (topology, ports, collective)
            for topology in (Hypercube(12), FatCube(10, 4))
            for ports in "1bd*"
            for collective in Collective
        ),
        *(
            (topology, ports, collective)
            for topology in (
                FatCube(3, 8),
                FatCube(4, 4, 2),
                CubeConnectedCycles(4),
                DenseGHC(8, 2),
                SparseGHC(8, 2),
                DenseGHC(64, 1),
            )
            for ports in "1bd*"
            for collective in Collective
        ),
        *((FatCube(8, 16), ports, collective) for ports in "1bd*" for collective in Collective),
    ],
    ids=str,
)
def test_what_was_answered_is_answered(topology, ports, collective):
    """64 and 4,096 processors are below every limit, for all collectives and models."""
    check_size(Problem(topology, ports, collective))


CALLS = 20_000_000  # that an answer may take
REFUSED = [
    (
        "-c OAB -m 100000",
        "transfers of a schedule must be at most 300,000 for OAB on the fat cube d = 2, m = 100000, not 399,999",
    ),
    (
        "-c AAS -m 100000",
        "transfers of a schedule must be at most 300,000 for AAS on the fat cube d = 2, m = 100000, not 49,999,900,000",
    ),
    (
        "-c AAB -m 4294967296",
        "processors must be at most 1,048,576 for AAB on the fat cube d = 2, m = 4294967296, not 17,179,869,184",
    ),
    ("-c OAB -m 4294967297", "FatCube m must be an integer from 1 to 4294967296, not 4294967297"),
    (
        "-c OAB -d 1 -m 5000",
        "choices that a schedule takes must be at most 16,000,000 for OAB on the fat cube d = 1, m = 5000, not 100,000,130",
    ),
    (
        "-c AAS --topology dense-ghc -w 60000 -d 1",
        "channels of all nodes must be at most 1,100,000 for AAS on the dense GHC of 60,000 nodes, not 3,599,940,000",
    ),
    (
        "-c OAS --topology sparse-ghc -w 60000 -d 1",
        "transfers of a schedule must be at most 300,000 for OAS on the sparse GHC of 60,000 nodes, not 1,799,970,000",
    ),
    ("-c AAS --topology ccc -n 12", "transfers of a schedule must be at most 300,000 for AAS on the CCC of order 12, "),
    (
        "-c AAB --topology ccc -n 10",
        "choices that a schedule takes must be at most 16,000,000 for AAB on the CCC of order 10",
    ),
    (
        "-c AAS --topology hypercube -d 16",
        "transfers of a schedule must be at most 300,000 for AAS on the hypercube of 65,536 nodes, not 524,288",
    ),
    (
        "-c OAB --topology hypercube -d 4 --along sbt --parts 1000000",
        "transfers of a schedule must be at most 300,000 for OAB in 1000000 parts on the hypercube of 16 nodes, not 15,000,000",
    ),
    (
        "-c OAB --topology hypercube -d 2 --along sbt --parts 60000",
        "choices that a schedule takes must be at most 16,000,000 for OAB in 60000 parts on the hypercube of 4 nodes, not "
        "14,400,000,000",
    ),
    (
        "-c AAS -d 9 --half-duplex",
        "transfers of a schedule must be at most 300,000 for AAS on the fat cube d = 9 "
        "with half-duplex links, not 1,179,648",
    ),
    (
        "-c AAB --topology torus -w 16 -d 2 --ports d --one-partner",
        "variables of a search must be at most 500,000 for AAB on the 16 × 16 torus, ",
    ),
    (
        "-c AAB --topology torus -w 16 -d 2 --ports d --one-partner --parts 2",
        "channels looked at without symmetry must be at most 2,000,000 for AAB on the 16 × 16 torus, not 33,554,432",
    ),
    (
        "-c AAB --topology ccc -n 4 -m 2 --ports d --optimal",
        "variables of a search must be at most 500,000 for AAB on the CCC of order 4, m = 2, not 4,931,584",
    ),
]
SLOW = {
    "-c OAS --topology sparse-ghc -w 60000 -d 1",
    "-c AAS --topology ccc -n 12",
    "-c AAS --topology hypercube -d 16",
    "-c AAB --topology ccc -n 4 -m 2 --ports d --optimal",
}


@pytest.mark.parametrize(
    ("arguments", "message"),
    # The slowest ones are of kinds that are refused elsewhere too.
    some(REFUSED, [place for place, (line, _) in enumerate(REFUSED) if line not in SLOW]),
)
def test_schedule_refuses_what_takes_too_much(monkeypatch, capsys, arguments, message):
    with at_most(CALLS):
        status, out, err = run(monkeypatch, capsys, "schedule", *arguments.split())
    assert (status, out) == (2, "") and err.startswith(f"fatcube: {message}") and err.count("\n") == 1


def test_lanes_that_are_not_used_cost_nothing(monkeypatch, capsys):
    with at_most(5_000_000):
        assert run(monkeypatch, capsys, "schedule", "-c", "AAS", "-f", "10000000")[0] == 0


def test_limits_are_no_larger_than_measured():
    """300,000 transfers took about 13 s, 16,000,000 choices about 15 s."""
    assert MOST_TRANSFERS <= 300_000 and MOST_CHOICES <= 16_000_000
    assert (
        choices_needed(Problem(FatCube(8, 16), "d", "AAB")) > MOST_CHOICES * 0.9
    )  # the largest of 4,096 that was measured


FILE = {
    "format": "fatcube.schedule/1",
    "topology": {"type": "fat-cube", "d": 1},
    "ports": "1",
    "collective": "OAB",
    "root": 0,
    "transfers": [{"step": 1, "src": 0, "dst": 1, "message": [0, None], "lane": 0}],
}
SYMMETRIC = {"symmetric": True, "root": None}
VALID = 0, ""
BOMBS = {
    "a large step": (FILE | {"transfers": [FILE["transfers"][0] | {"step": 10**18}]}, *VALID),
    "a large packet": (FILE | {"per_packet": 10**12}, *VALID),
    "many lanes": (FILE | {"topology": {"type": "fat-cube", "d": 1, "f": 10**9}}, *VALID),
    "many parts": (FILE | {"parts": 10**12}, 1, "after step 1: processor 1 has not received message [0, null, 1]"),
    "a large root": (FILE | {"root": 10**18}, 2, "root of OAB must be an integer from 0 to 1, not 1000000000000000000"),
    "a larger root": (FILE | {"root": 10**30}, 2, "an integer must have at most 20 characters, not 31"),
    "many processors": (
        FILE | {"topology": {"type": "fat-cube", "d": 1, "m": 10**12}},
        2,
        "FatCube m must be an integer from 1 to 4294967296, not 1000000000000",
    ),
    "an end of a billion": (
        FILE | SYMMETRIC | {"topology": {"type": "fat-cube", "d": 2, "m": 10**9}, "collective": "AAS"},
        1,
        "step 1: processor 0 sends message [0, null], which is none of AAS",
    ),
    "sums of a billion": (
        FILE | SYMMETRIC | {"topology": {"type": "fat-cube", "d": 2, "m": 10**9}, "collective": "AAR", "transfers": []},
        1,
        "after step 0: processor 0 has not received the contribution of processor 1 to message [null, 0]",
    ),
    "16,384 nodes of a cube": (
        FILE | SYMMETRIC | {"topology": {"type": "hypercube", "d": 14}, "collective": "AAS", "transfers": []},
        1,
        "after step 0: processor 1 has not received message [0, 1]",
    ),
    "22,528 nodes": (
        FILE | SYMMETRIC | {"topology": {"type": "ccc", "n": 11}, "collective": "AAS", "transfers": []},
        1,
        "after step 0: processor 1 has not received message [0, 1]",
    ),
    "16,384 nodes": (
        FILE | SYMMETRIC | {"topology": {"type": "sparse-ghc", "w": 128, "d": 2}, "collective": "AAB", "transfers": []},
        1,
        "after step 0: processor 1 has not received message [0, null]",
    ),
    "a complete graph": (
        FILE | SYMMETRIC | {"topology": {"type": "dense-ghc", "w": 20000, "d": 1}, "collective": "AAB"},
        1,
        "after step 1: processor 2 has not received message [0, null]",
    ),
    "a long key": (
        FILE | {"x" * 10**6: 1},
        2,
        's.json: "' + "x" * 59 + "... must be left out, as there is no such key",
    ),
    "a long name": (FILE | {"ports": "x" * 10**6}, 2, "ports must be one of 1, b, d, * or one, "),
}


@pytest.mark.parametrize("name", BOMBS)
def test_small_files_that_ask_for_much(monkeypatch, capsys, tmp_path, name):
    value, wanted, message = BOMBS[name]
    file = tmp_path / "s.json"
    file.write_text(json.dumps(value))
    with at_most(CALLS):  # One that is taken at its word takes minutes and all memory.
        status, _, err = run(monkeypatch, capsys, "check", file)
    assert status == wanted and message in err and err.count("\n") == bool(wanted) and len(err) < 1000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 10**6 + "]" * 10**6, "not JSON: it is nested too deeply"),
        (
            json.dumps(FILE).replace('"root": 0', '"root": ' + "9" * 5000),
            "an integer must have at most 20 characters, not 5000",
        ),
        (json.dumps(FILE).replace('"fat-cube"', "[" * 900 + "]" * 900), "topology type must be one of "),
        (" " * (1 << 25) + "{}", "a schedule file must have at most 33,554,432 bytes"),
    ],
    ids=["nested", "long integer", "nested type", "large file"],
)
def test_json_that_is_no_schedule(monkeypatch, capsys, tmp_path, text, message):
    file = tmp_path / "s.json"
    file.write_text(text)
    status, out, err = run(monkeypatch, capsys, "check", file)
    assert (status, out) == (2, "") and err.startswith(f"fatcube: {file}: {message}") and err.count("\n") == 1


def test_65536_nodes_take_little_memory(tmp_path):
    """Tables of all translations took 34 GB."""
    file = tmp_path / "s.json"
    topology = {"type": "hypercube", "d": 16}
    file.write_text(json.dumps(FILE | SYMMETRIC | {"topology": topology, "collective": "AAS", "transfers": []}))
    process = subprocess.run(
        [sys.executable, "-m", "fatcube", "check", file],
        capture_output=True,
        text=True,
        timeout=HANG,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)),
    )
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr == "fatcube: after step 0: processor 1 has not received message [0, 1]\n"


@pytest.mark.parametrize("make", [lambda: all_gather(Hypercube(11), "1"), lambda: all_to_all(Hypercube(11), "d")])
def test_symmetric_schedules_that_are_too_large_for_tables(make):
    """Beyond 1,024 nodes a permutation is no list any more; what is checked there is the same."""
    schedule = make()
    assert check(schedule).transfers == len(schedule.transfers) << 11


@pytest.mark.parametrize(("command", "words"), [("view", "that is drawn, OAB"), ("simulate", "for a run of OAB")])
def test_a_schedule_that_is_written_out_is_counted_first(monkeypatch, capsys, tmp_path, command, words):
    """Catches a page or a run of more transfers than fit: a file's own are few, those they stand for many."""
    file = tmp_path / "s.json"
    write_schedule(
        Schedule(FatCube(1), "1", "OAB", 0, [Transfer(step, 0, 1, (0, None), 0) for step in range(1, 5)]), file
    )
    monkeypatch.setattr("fatcube.schedules.size.MOST_TRANSFERS", 3)
    arguments = {"view": [file], "simulate": ["--schedule", file]}[command]
    status, out, err = run(monkeypatch, capsys, command, *arguments)
    assert (status, out) == (2, "")
    assert err == f"fatcube: transfers of a schedule must be at most 3 {words} on the fat cube d = 1, not 4\n"
    assert list(tmp_path.iterdir()) == [file]
