"""`fatcube board build` and `board list`: what is refused in a line, what is written, and what is left after Ctrl-C."""

import json

import pytest
from rich.console import Console

from fatcube.noc.boards import BOARDS
from fatcube.synth import bitstream
from fatcube.synth.place_and_route import Routed, Use
from tests.support.commands import run

PROJECT = bitstream.Request.project


def test_list_as_json(monkeypatch, capsys, tmp_path):
    """Every board, with its note, and its clock as a number."""
    status, out, err = run(monkeypatch, capsys, "board", "list", "--json", tmp_path / "boards.json")
    assert (status, err) == (0, "")
    boards = json.loads((tmp_path / "boards.json").read_text())["boards"]
    assert [(one["board"], one["note"]) for one in boards] == [(one.name, one.note) for one in BOARDS.values()]
    assert all(f"{one['oscillator MHz']:g}" in out for one in boards)


MADE = {}  # projects by what they follow from: most of these tests are not about them
SMALL = ("-d", 1, "--width", 8, "--memory-words", 64, "--program-entries", 8, "--monitors", "none", "--no-reductions")


def test_the_list_has_every_board(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("fatcube.cli.output.console", Console(width=200, markup=False))
    status, out, err = run(monkeypatch, capsys, "board", "list")
    assert (status, err) == (0, "")
    for board in BOARDS.values():
        [line] = [line for line in out.splitlines() if f" {board.name} " in line]
        cells = [cell.strip() for cell in line.strip("│").split("│")]
        assert cells[1:4] == [board.title, board.family, board.vendor or "from pip"]
        assert float(cells[4]) * 1_000_000 == board.oscillator
        assert cells[7] == f"{board.block_memories} of {board.block_bits // 1024} Kbit"
        assert f"{board.name}: {board.note}" in out or not board.note


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("nosuch",),
            "board must be one of ulx3s-12f, ulx3s-25f, ulx3s-45f, ulx3s-85f, ecpix-5-45, ecpix-5-85, icebreaker, ",
        ),
        (
            ("ulx3s-85f", "--clock", 405),
            "clock must be one that the EHXPLLL can make, from 3.125 to 400 MHz, the nearest 400, ",
        ),
        (("ulx3s-85f", "--clock", "nan"), "clock must be a finite number above 0, not nan"),
        (("de10-nano", "--clock", 60), "clock must be 50 MHz, the oscillator's, not 60"),
        (("icebreaker", *SMALL, "--clock", 12, "--baud", 3_500_000), "baud must be within 2 % of the clock of 12 MHz "),
        (("ulx3s-85f", "--baud", 1), "baud must be an integer from 9600 to 12000000, not 1"),
        (("ulx3s-85f", "--memory-words", 1 << 20), "memory words must be at most "),
        (("ulx3s-85f", "--margin", 2), "margin must be a finite number of at least 0 and at most 1, not 2"),
        (("ulx3s-85f", "-o", "nowhere/within"), "output must be a folder, or a new one in a folder that exists, "),
        (("ulx3s-85f", "--json", "ulx3s-85f/board.json"), "output must be "),
    ],
)
def test_bad_input_is_refused_in_a_line(monkeypatch, capsys, tmp_path, arguments, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(monkeypatch, capsys, "board", "build", *arguments, "--dry-run")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"fatcube: {message}")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def routed(monkeypatch, tmp_path):
    """Place and route that reaches 80 MHz at once, of a project that is generated once."""

    def route(files, *, title, placement):
        (tmp_path / "routed").mkdir(exist_ok=True)
        (tmp_path / "routed" / "top.tim").write_text("log")
        asked = float(files["build_top.sh"].partition("--freq ")[2].split()[0])
        return Routed(tmp_path / "routed", 80.0, asked, {"DP16KD": Use(5, 208)}, {"mapping": 1.0, "placing": 2.0})

    def project(request, setting):
        if (name := repr((request, setting))) not in MADE:
            MADE[name] = PROJECT(request, setting)
        return MADE[name]

    monkeypatch.setattr(bitstream.Request, "project", project)
    monkeypatch.setattr(bitstream, "place_and_route", route)
    monkeypatch.setattr(bitstream, "pack", lambda files, routed: ("top.bit", b"bits"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def test_what_is_written(monkeypatch, capsys, routed):
    arguments = ("board", "build", "ulx3s-85f", *SMALL, "--json", "all.json")
    status, out, err = run(monkeypatch, capsys, *arguments)
    assert (status, err) == (0, "")
    folder = routed / "ulx3s-85f"
    about = json.loads((folder / "board.json").read_text())
    assert {path.name for path in folder.iterdir()} == {*about["measured"]["files"], "board.json"}
    assert (folder / "top.bit").read_bytes() == b"bits" and (folder / "top.tim").read_text() == "log"
    assert json.loads((routed / "all.json").read_text()) == about
    assert about["measured"]["utilisation"] == {"DP16KD": {"used": 5, "available": 208}}
    # 80 MHz, and 5 % less: no clock of the PLL is between that and 76.2.
    assert about["measured"]["clock_mhz"] == about["measured"]["routes_mhz"][-1][0] == 75
    assert about["measured"]["routes_mhz"] == [[50, 80], [about["measured"]["clock_mhz"], 80]]
    assert "clock 75.00 MHz; place and route reached 80.00 MHz with seed 1, 6.7% more" in out
    assert "serial port with 1000000 baud, 75 cycles per bit" in out
    assert "Bitstream written to ulx3s-85f/top.bit" in out
    assert str(routed) not in "".join(path.read_text(errors="replace") for path in folder.iterdir())


def test_an_earlier_build_is_replaced_and_other_files_stay(monkeypatch, capsys, routed):
    folder = routed / "mine"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    (folder / "top.bit").write_text("old")
    status, _, _ = run(monkeypatch, capsys, "board", "build", "ulx3s-85f", *SMALL, "-o", "mine")
    assert status == 0 and (folder / "notes.txt").read_text() == "mine" and (folder / "top.bit").read_bytes() == b"bits"
    assert [path.name for path in routed.iterdir()] == ["mine"]


def test_a_clock_that_is_not_reached_leaves_nothing(monkeypatch, capsys, routed):
    status, out, err = run(monkeypatch, capsys, "board", "build", "ulx3s-85f", *SMALL, "--clock", 100)
    assert (status, out) == (1, "")
    assert err == "fatcube: clock must be at most 80.00 MHz, which place and route reached with seed 1, not 100.00\n"
    assert list(routed.iterdir()) == []


def test_a_write_that_fails_leaves_nothing(monkeypatch, capsys, routed):
    def full(self, *arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("fatcube.groundwork.files.os.replace", full)
    status, out, err = run(monkeypatch, capsys, "board", "build", "ulx3s-85f", *SMALL)
    assert (status, out, err) == (2, "", "fatcube: No space left on device: 'ulx3s-85f/board.json'\n")
    assert list(routed.iterdir()) == []


def test_dry_run_does_nothing(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(monkeypatch, capsys, "board", "build", "arty-a7-35", *SMALL, "--dry-run")
    assert (status, err) == (0, "") and out.startswith("checked: the fat cube d = 1")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long(stays="tests/fatcube/cli/test_board_build.py::test_what_is_written")
def test_a_vendors_project(monkeypatch, capsys, tmp_path):
    """Without any stand-in: Yosys maps the network to the chip."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    status, out, err = run(monkeypatch, capsys, "board", "build", "de10-nano", *SMALL)
    assert (status, err) == (0, "")
    assert {"top.v", "board.v", "top.qsf", "top.sdc", "board.json"} <= {
        path.name for path in (tmp_path / "de10-nano").iterdir()
    }
    assert "clock 50.00 MHz, which Quartus has to reach" in out
    assert "Project for Quartus written to de10-nano: build_top.sh makes the bitstream" in out
    about = json.loads((tmp_path / "de10-nano" / "board.json").read_text())["measured"]
    assert about["bitstream"] is None and 1000 < about["utilisation"]["LUT"]["used"] < 10_000
