"""The map of the papers: every item that an audit has, with its verdict, and no number of theorems, tables … left out."""

import re

import pytest

from fatcube.papers.items import PAPERS, page, stored
from tests.support.audits import REPORTS
from tests.support.commands import run

ROWS = stored(REPORTS)


def test_the_page_is_that_of_the_rows():
    assert page(ROWS) == (REPORTS / "papers.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAPERS)
def test_no_number_is_left_out(name):
    """Of theorems, lemmas, tables, equations, algorithms …, each of which has numbers from 1 on without a gap."""
    section = next(part for part in page(ROWS).split("\n## ")[1:] if f"All rows: [{name}.md]({name}.md)." in part)
    items = re.findall(r"^\| ([\w ,.()-]+) \| \d+ \|", section, re.MULTILINE)
    assert items == list(dict.fromkeys(row.where for row in ROWS[name]))
    numbers = {}
    for one in items:
        if found := re.fullmatch(r"(\w+) (?:A|(\d+)\.)?(\d+)(?: \(\w\))?", one):
            kind, part, number = found.groups()
            if kind != "section":
                numbers.setdefault((kind.lower(), part), set()).add(int(number))
    assert {kind for kind, _ in numbers} >= {"table"} and len(numbers) >= 4
    for kind, some in numbers.items():
        assert some == set(range(1, max(some) + 1)), kind


def test_verdicts_are_counted():
    """Theorem 4 of the fat cubes, and an item of one claim."""
    text = page(ROWS)
    kinds = sorted(row.kind for row in ROWS["fat-cube"] if row.where == "Theorem 4")
    assert len(kinds) == 4
    said = re.search(r"^\| Theorem 4 \| 4 \| (.*?) \|", text, re.MULTILINE)[1]
    assert sum(int(number) for number in re.findall(r"\d+", said)) == 4
    assert ("condition" in said) == ("condition" in kinds) and ("wrong" in said) == ("wrong" in kinds)
    assert '| algorithm A5 | 1 | holds | `fatcube audit ccc --item "algorithm A5"` |' in text


def test_the_command_of_an_item(monkeypatch, capsys, tmp_path):
    """It tries the claims of that place alone, in whatever case it is written, and says what the page says."""
    monkeypatch.chdir(tmp_path)
    status, out, _ = run(monkeypatch, capsys, "audit", "ghc", "--item", "Footnote 1", "--json", "one.json")
    [row] = [row for row in ROWS["ghc"] if row.where == "footnote 1"]
    assert (status, out.splitlines()[-1]) == (0, "footnote 1: 1 hold.") and row.kind == "holds"
    assert f"footnote 1: {row.claim}" in out and [one.name for one in tmp_path.iterdir()] == ["one.json"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--item", "theorem 3"],
            "item must be a place of ghc that claims something, as in theorem 1, theorem 2, ",
        ),
        (
            ["--item", "theorem 1", "--claim", "pascal"],
            "--claim must be given without --item, as a claim stands in one",
        ),
    ],
)
def test_items_that_are_refused(monkeypatch, capsys, tmp_path, arguments, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(monkeypatch, capsys, "audit", "ghc", *arguments)
    assert (status, out) == (2, "") and err.startswith(f"fatcube: {message}") and err.count("\n") == 1
