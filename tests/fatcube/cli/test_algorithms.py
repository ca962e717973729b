"""`--by`: the algorithms of the papers from the command line, and what is refused."""

import json

import pytest

from fatcube.papers.algorithms import ALGORITHMS
from tests.support.commands import run

COMMANDS = ["schedule", "simulate"]


@pytest.mark.parametrize("command", COMMANDS)
def test_list(monkeypatch, capsys, tmp_path, command):
    """Every algorithm, with its source and what it takes; nothing is built."""
    monkeypatch.setenv("COLUMNS", "160")
    status, out, err = run(monkeypatch, capsys, command, "--by", "list", "--json", tmp_path / "list.json")
    assert (status, err) == (0, "")
    rows = json.loads((tmp_path / "list.json").read_text())["algorithms"]
    assert [row["name"] for row in rows] == list(ALGORITHMS)
    assert rows[4] == {
        "name": "gather-scatter",
        "does": ALGORITHMS["gather-scatter"].does,
        "source": "fat cubes, 4.2 and 4.4",
        "collectives": ["AAB", "AAS"],
        "topologies": "fat-cube or hypercube",
        "ports": ["1", "d", "*"],
        "model": {"per_packet": "unlimited"},
    }
    for algorithm in ALGORITHMS.values():
        assert f"\n{algorithm.name}: {algorithm.does}\n" in out and algorithm.source in out


def test_a_schedule_with_its_bound(monkeypatch, capsys, tmp_path):
    """The printed result and the file, which is the algorithm's, with its step model."""
    file, record = tmp_path / "s.json", tmp_path / "r.json"
    line = ["schedule", "--by", "gather-scatter", "-c", "AAB", "-d", 2, "-m", 2]
    status, out, err = run(monkeypatch, capsys, *line, "-o", file, "--json", record)
    assert (status, err) == (0, "")
    assert "found by" in out and "gather-scatter: fat cubes, 4.2 and 4.4" in out
    written = json.loads(record.read_text())
    assert (written["parameters"]["by"], written["parameters"]["per_packet"]) == ("gather-scatter", "unlimited")
    assert (written["measured"]["steps"], written["measured"]["lower_bound"]) == (4, 3)
    assert json.loads(file.read_text())["model"] == {"per_packet": "unlimited"}
    assert run(monkeypatch, capsys, "check", file)[0] == 0


def test_what_is_given_of_the_step_model_counts(monkeypatch, capsys, tmp_path):
    """Over the algorithm's own: 2 messages a packet instead of any number, and processors that send or receive."""
    for line, steps in (
        ("--by gather-scatter -c AAB -d 1 -m 2 --per-packet 2", 4),
        ("--by a4 --topology ccc -n 2 --port-use send-or-receive", 14),
        ("--by two-way-circuit --topology hypercube -d 3 --ports d --one-partner", 7),
    ):
        record = tmp_path / "r.json"
        assert run(monkeypatch, capsys, "schedule", *line.split(), "--json", record)[0] == 0
        assert json.loads(record.read_text())["measured"]["steps"] == steps


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--by nope", "algorithm must be one of hamiltonian, tadt, two-phase, edelman, "),
        ("--by hamiltonian", "collective must be given (-c), as in -c all-gather\n"),
        ("--by hamiltonian -c AAS", "collective must be AAB or OAS by hamiltonian, not AAS\n"),
        ("--by a7 -d 3", "topology must be ccc with k = n and m = f = 1 by a7, not the fat cube d = 3\n"),
        ("--by a7 --topology ccc -n 3", "ports must be d or * by a7, not 1\n"),
        (
            "--by gather-scatter -c AAB --per-packet 0",
            'per_packet must be an integer of at least 1 or "unlimited", not 0\n',
        ),
        ("--by circuit --topology hypercube -d 3 --half-duplex --root 1", "root must be left out for AAB, "),
        (
            "--by circuit --topology hypercube -d 3 --one-partner",
            "AAB by circuit must be done without one-partner: step 1: ",
        ),
        (
            "--by circuit --topology ring -n 4",
            "topology must be hypercube by circuit, not the ring of 4 nodes\n",
        ),
    ],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_refusals(monkeypatch, capsys, tmp_path, command, arguments, message):
    """In one line that says what it must be, with status 2, and nothing is built."""
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path))
    status, out, err = run(monkeypatch, capsys, command, *arguments.split())
    assert status == 2 and err.startswith(f"fatcube: {message}") and err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["--along sbt", "--parts 2", "--optimal", "--seed 0"])
def test_options_of_other_ways_to_build(monkeypatch, capsys, option):
    line = ["schedule", "--by", "circuit", "--topology", "hypercube", *option.split()]
    status, out, err = run(monkeypatch, capsys, *line)
    flag = option.split()[0]
    assert (status, out) == (2, "") and err.count("\n") == 1
    assert err.startswith(f"fatcube: {flag} must be left out with --by, which takes these from the algorithm")


@pytest.mark.parametrize("seconds", [0, 5])
def test_a_time_limit_holds_without_a_search(monkeypatch, capsys, tmp_path, seconds):
    """The schedule is the one that is made without a limit, above its lower bound: no search has shortened it."""
    line = ["schedule", "--by", "gather-scatter", "-c", "AAB", "-d", 2, "-m", 2]
    files = tmp_path / "with.json", tmp_path / "without.json"
    assert run(monkeypatch, capsys, *line, "-o", files[1])[0] == 0
    status, out, err = run(monkeypatch, capsys, *line, "--time-limit", seconds, "-o", files[0])
    assert (status, err) == (0, "") and "gather-scatter: " in out
    assert files[0].read_text() == files[1].read_text()


@pytest.mark.parametrize(
    ("name", "d", "case", "transfers"),
    [
        ("circuit", 10, "AAB", 1024 * 1023),
        ("nrsbt-alternative", 7, "AAS", 7 * 128 * 7 * 64),  # in 7 parts
    ],
)
def test_what_is_too_large_is_refused_at_once(monkeypatch, capsys, name, d, case, transfers):
    """Every transfer is counted: all origins, and all parts."""
    line = ["schedule", "--by", name, "--topology", "hypercube", "-d", d, "--ports", "d"]
    assert run(monkeypatch, capsys, *line) == (
        2,
        "",
        f"fatcube: transfers of a schedule must be at most 300,000 for {case} on the hypercube of {1 << d:,} nodes by {name}, "
        f"not {transfers:,}\n",
    )


@pytest.mark.xdist_group("algorithms")
@pytest.mark.parametrize(
    ("name", "n", "ports", "steps"),
    [
        pytest.param(name, n, ports, steps, marks=() if (name, n) == ("a2", 3) else pytest.mark.long)
        for name, ports, counts in (
            ("a2", "one", (6, 13)),
            ("a3", "d", (6, 12)),
            ("a4", "one", (60, 157)),
            ("a5", "one", (23, 63)),
            ("a6", "d", (12, 31)),
            ("a7", "d", (75, 364)),
        )
        for n, steps in zip((3, 4), counts)
    ],
)
def test_on_the_rtl(monkeypatch, capsys, tmp_path, name, n, ports, steps):
    """A2 to A7 of the cube-connected cycles paper; a lockstep step of 4 payload flits takes 8 cycles."""
    record = tmp_path / "r.json"
    line = ["simulate", "--by", name, "--topology", "ccc", "-n", n, "--ports", ports, "--payload-flits", "4"]
    status, out, err = run(monkeypatch, capsys, *line, "--mode", "lockstep", "--json", record)
    assert status == 0, err
    [measured] = json.loads(record.read_text())["measured"]["runs"]
    assert (measured["steps"], measured["cycles"], measured["conflicts"]) == (steps, 8 * steps, 0)
