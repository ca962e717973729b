"""Collectives among some processors from the command line, and in the player."""

import json

import pytest

from tests.support.commands import run

CUBE = ("--topology", "hypercube", "-d", "3")


@pytest.mark.parametrize(
    ("flags", "keys", "root"),
    [
        ("-c multicast --to 7,1,2", {"to": [1, 2, 7]}, 0),
        ("-c m-to-n-scatter --from 0,3 --to 1-2,7", {"from": [0, 3], "to": [1, 2, 7]}, None),
        ("-c m-to-n-broadcast --to 0-1", {"to": [0, 1]}, None),
        ("-c all-reduce --subset 2-4", {"subset": [2, 3, 4]}, None),
        ("-c scatter --subset 5,6", {"to": [5, 6]}, 5),
        ("-c reduce --subset 5,6 --root 1", {"from": [5, 6]}, 1),
    ],
)
def test_from_flags_to_files(monkeypatch, capsys, tmp_path, flags, keys, root):
    """The participants are in the file, in the record and in the title, and the file is checked and viewed."""
    file, about = tmp_path / "some.json", tmp_path / "about.json"
    status, out, err = run(monkeypatch, capsys, "schedule", *flags.split(), *CUBE, "-o", file, "--json", about)
    assert (status, err) == (0, "")
    written, parameters = json.loads(file.read_text()), json.loads(about.read_text())["parameters"]
    for found in (written, parameters):
        assert {key: found[key] for key in ("from", "to", "subset") if key in found} == keys
        assert found["root"] == root
    collective = written["collective"]
    status, out, _ = run(monkeypatch, capsys, "check", file)
    assert status == 0 and f": {collective} {'among' if 'subset' in keys else next(iter(keys))} " in out
    assert run(monkeypatch, capsys, "view", file)[0] == 0
    data = (tmp_path / "some.html").read_text()
    for side, key in (("sources", "from"), ("targets", "to")):
        expected = keys.get(key, keys.get("subset", list(range(8))))
        assert (
            f'"{side}": {json.dumps(expected)}' in data
            or f'"{side}":{json.dumps(expected, separators=(",", ":"))}' in data
        )
    status, out, _ = run(monkeypatch, capsys, "simulate", "--schedule", file, "--dry-run")
    assert status == 0


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("-c AAS --from 0,x", "from must be comma-separated processors, such as 0,4-7, not '0,x'"),
        ("-c AAS --from 3-1", "from must have ranges from a lower processor to a higher one, not '3-1'"),
        ("-c AAS --to 1,1", "to must have each processor once, not 1,1"),
        ("-c AAS --to 0-8", "processor of to must be an integer from 0 to 7, not 8"),
        ("-c AAS --to 99999", "processor of to must be an integer from 0 to 65535, not 99999"),
        ("-c AAS --subset 0,1 --to 2", "to must be left out with a subset, which is both sides of a collective"),
        ("-c OAB --from 0,1", "from must be left out for OAB, where it is the root alone"),
        ("-c AAB --subset 4", "AAB must have something to move, which it has not among 4"),
        (
            "-c all-reduce --from 0,1",
            "all-reduce must be among the same processors from and to, a subset, not from 0,1",
        ),
        ("-c AAB --to=", "to must be comma-separated processors, such as 0,4-7, not ''"),
    ],
)
@pytest.mark.parametrize("command", ["schedule", "simulate"])
def test_refused(monkeypatch, capsys, command, flags, message):
    status, out, err = run(monkeypatch, capsys, command, *flags.split(), *CUBE)
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")


def test_refused_beside_others(monkeypatch, capsys, tmp_path):
    file = tmp_path / "all.json"
    assert run(monkeypatch, capsys, "schedule", "-c", "AAB", *CUBE, "-o", file)[0] == 0
    status, _, err = run(monkeypatch, capsys, "simulate", "--schedule", file, "--subset", "0,1")
    assert (status, err.count("\n")) == (2, 1) and f"with the schedule file {file}, which defines it" in err
    for command in ("schedule", "simulate"):
        status, _, err = run(monkeypatch, capsys, command, "-c", "AAB", *CUBE, "--by", "circuit", "--to", "1,2")
        assert (status, err) == (2, "fatcube: participants must be all processors by circuit, not to 1,2\n")
