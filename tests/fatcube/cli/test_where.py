"""`fatcube where`, from the map that `fatcube generate` writes to a place in the sources."""

import json

import pytest

from tests.support.commands import run


@pytest.mark.parametrize("what", ["router", "network", "system"])
def test_from_the_map_to_the_unit(monkeypatch, capsys, tmp_path, what):
    file = tmp_path / "it.map.json"
    assert (
        run(monkeypatch, capsys, "generate", what, "-d", 1, "-m", 2, "--with", "map", "-o", tmp_path / "it.v")[0] == 0
    )
    status, out, err = run(monkeypatch, capsys, "where", "free0", file, "--json", tmp_path / "place.json")
    assert (status, err) == (
        0,
        "",
    ) and "fatcube.rtl.allocators.allocator.Allocator (fatcube/rtl/allocators/allocator.py:" in out
    [place] = json.loads((tmp_path / "place.json").read_text())["measured"]["places"]
    assert place["signal"]["verilog"] == "free0" and place["purpose"] in out


def test_bad_input_costs_one_line(monkeypatch, capsys, tmp_path):
    assert run(monkeypatch, capsys, "generate", "router", "--with", "map")[0] == 2  # nothing is beside standard output
    run(monkeypatch, capsys, "generate", "router", "-d", 1, "--with", "map", "-o", tmp_path / "it.v")
    for name, file in (("nothing", "it.map.json"), ("free0", "it.json"), ("free0", "it.v"), ("free0", "missing.json")):
        status, out, err = run(monkeypatch, capsys, "where", name, tmp_path / file)
        assert (status, out, err.count("\n")) == (2, "", 1), (name, file)


def test_a_dry_run_names_the_map(monkeypatch, capsys, tmp_path):
    status, out, err = run(
        monkeypatch, capsys, "generate", "router", "--with", "map", "-o", tmp_path / "it.v", "--dry-run"
    )
    assert status == 0 and "it.map.json" in out + err and list(tmp_path.iterdir()) == []
