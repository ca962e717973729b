"""Tables at any width of a terminal: no number is cut, no letter is lost, and what is left out is said."""

import csv
import io
import re
import sys

import pytest
from rich.console import Console

from fatcube.reports.table import Column, Shown, show, write_csv
from tests.support.cases import some
from tests.support.commands import run
from tests.support.stored import small

COLUMNS = [
    Column("network"),
    Column("model"),
    Column("a b of all routers", 5),
    Column("links", 4),
    Column("LUTs"),
    Column("Fmax MHz", 1),
    Column("steps", 2),
    Column("cycles", 3),
    Column("µs"),
]
ROWS = [
    ["fat-cube(d=4, m=4, f=1)", "1", "1,024", 32, Shown(27648, "27,648"), "115.2", "131 + 63", "11,740", "101.94"],
    ["fat-cube(d=5, m=2, f=1)", "d", "7,200", 80, Shown(162624.3, "162,624~"), "82.8~", "64 + 14", "5,400", "65.20~"],
    ["hypercube(d=6)", "*", "9,216", 192, Shown(170304, "170,304"), "108.0", "32 + 11", "2,780", "25.75"],
]
WIDTHS = [10, 20, 40, 60, 80, 200]


def printed(width, columns=COLUMNS, rows=ROWS, terminal=True, **keywords):
    file = io.StringIO()
    console = Console(file=file, width=width, force_terminal=terminal, color_system=None)
    show(console, "the title", columns, rows, **keywords)
    return file.getvalue()


@pytest.mark.parametrize("width", WIDTHS)
def test_numbers_are_whole_and_nothing_is_lost(width):
    out = printed(width)
    assert "…" not in out
    left_out = re.search(r"left out at \d+ columns: (.*); --wide shows all", out)
    names = left_out[1] if left_out else ""
    letters = "".join(re.sub(r"[\s│┃]", "", out))
    for index, column in enumerate(COLUMNS):
        if column.rank and column.title in names.split(", "):
            continue
        for row in ROWS:
            text = str(row[index])
            if index:
                assert re.search(rf"(?<![\d,.]){re.escape(text)}(?![\d,.~])", out), f"{text} at {width}"
            else:
                assert all(word in letters for word in text.split())
    if width >= 30:
        table = [line for line in out.splitlines() if line[:1] in "┏┃┡│└"]
        assert not table or max(map(len, table)) <= width


def test_what_is_left_out_is_the_least_important():
    assert "left out" not in printed(200)
    assert printed(80).endswith("\nleft out at 80 columns: a b of all routers, links; --wide shows all\n")
    assert printed(60).endswith(
        "\nleft out at 60 columns: a b of all routers, links, steps, cycles; --wide shows all\n"
    )
    assert printed(40).startswith(
        "the title\nnetwork: fat-cube(d=4, m=4, f=1)\nmodel: 1\na b of all routers: 1,024\n"
        "links: 32\nLUTs: 27,648\nFmax MHz: 115.2\n"
    )
    assert "left out" not in printed(40)


def test_all_columns_where_they_are_asked_for_or_there_is_no_terminal():
    whole = printed(200)
    assert printed(40, wide=True) == printed(40, terminal=False) == whole
    assert printed(140, terminal=False) == whole and "links" in whole


def test_text_is_wrapped_at_spaces():
    out = printed(40, ["", ""], [["lower bound", "12: every processor has to be sent twelve messages"], ["steps", 12]])
    assert {"every", "processor", "messages"} <= set(re.findall(r"\w+", out)) and max(map(len, out.splitlines())) <= 40
    assert "left out" not in out


def test_csv(tmp_path):
    write_csv(tmp_path / "t.csv", COLUMNS, ROWS)
    with open(tmp_path / "t.csv", newline="", encoding="utf-8") as file:
        head, *lines = csv.reader(file)
    assert head == [column.title for column in COLUMNS]
    assert lines[1][2:5] == ["7,200", "80", "162624.3"] and len(lines[1]) == len(head)


def on_terminal(monkeypatch, width):
    """Has every command print on a terminal of that width."""
    console = Console(width=width, markup=False, force_terminal=True, color_system=None)
    for name, module in list(sys.modules.items()):
        if name.startswith("fatcube.cli.") and hasattr(module, "console"):
            monkeypatch.setattr(module, "console", console)


@pytest.mark.parametrize("width", some(WIDTHS, [1]))
@pytest.mark.parametrize(
    "command",
    [
        ["explore", "--processors", "8", "--results", str(small())],
        pytest.param(["compare", "--processors", "8"], marks=pytest.mark.long),
        ["schedule", "-c", "AAB", "--topology", "hypercube", "-d", "2"],
    ],
)
def test_commands_cut_nothing(monkeypatch, capsys, tmp_path, command, width):
    monkeypatch.chdir(tmp_path)
    on_terminal(monkeypatch, 200)
    status, whole, _ = run(monkeypatch, capsys, *command)
    on_terminal(monkeypatch, width)
    status, out, _ = run(monkeypatch, capsys, *command)
    assert status == 0 and "…" not in out
    # The seconds of a schedule are those of each run.
    whole, out = (re.sub(r"(seconds\W+)[\d.]+", r"\1", text) for text in (whole, out))
    numbers = r"(?<![\w.,])\d[\d.,]*\d(?![\w.,])"
    assert set(re.findall(numbers, out)) <= set(re.findall(numbers, whole)) | {str(width)}
