"""The manual says what is so: every block of its pages is run as it is printed, in an empty folder for each page.

What seconds do is run by ``make test``, the rest by ``make long``, as the pages say (``tests/support/manual.py``); options of all commands
are checked by both.
"""

from itertools import pairwise
import json
from pathlib import Path
import re
import shlex
import shutil

import pytest

from fatcube import cli
from fatcube.groundwork.digest import rooms
from fatcube.noc.descriptions.flows.files import FLOWS
import fatcube.testing
from tests.support.commands import run
from tests.support.manual import MADE, PAGES, ROOT, blocks, follow, parts

#: Commands of sections that take minutes have tests of their own, so that several processes can share them.
PARTS = [(page, section) for page in PAGES for section in parts(page)]
#: What commands need that pip does not install, by the word that they begin with.
NEEDED = ("iverilog", "ghdl", "vvp")


def ran(kind):
    """Whether a kind of block does something."""
    return kind in ("commands", "program", "file", "copy", "shows")


def needs(page, section, long):
    """The tools that blocks of a page need and that are not here."""
    text = "\n".join(
        block.text
        for block in blocks(page)
        if section in (None, block.section) and block.kind == "commands" and (long or not block.is_long)
    )
    wanted = {name for name in NEEDED if re.search(rf"\b{name}\b", text)} | (
        {"iverilog"} if "icarus" in text else set()
    )
    return sorted(name for name in wanted if shutil.which(name) is None)


def constraints(folder, printed):
    found = json.loads((folder / "net.report.json").read_text())["fmax"]
    assert [clock["constraint"] for clock in found.values()] == [50, 50, 50]


def bitstream(folder, printed):
    """A comment, and then the preamble of an ECP5 bitstream."""
    [made] = folder.glob("build/*/ulx3s/*.bit")
    assert b"\xff\xff\xbd\xb3" in made.read_bytes()[:512]


def knock(folder, printed):
    assert (folder / "build" / "top.bit").stat().st_size > 100_000
    assert (folder / "echo.v").read_text().count("module axi_network(") == 1


def planted(folder, printed):
    assert re.search(r"wrong tid: packet \[.*\] from port 2 to port \d\s+arrived with tid 1, not 2", printed)
    assert list((folder / "waves").glob("test_net_every_port*.fst"))


#: What else must be so when a page, or a section, has been followed to its end.
AFTERWARDS = {
    ("tasks/flows", "Constraints"): constraints,
    ("tasks/flows", "FuseSoC"): bitstream,
    ("tasks/amaranth", None): knock,
    ("start/regression", None): planted,
}


def test_every_block_is_known():
    """There is no block that no test looks at: none without a kind, none by indentation, and few that are not run."""
    found = [(page, block) for page in PAGES for block in blocks(page)]
    assert [f"{page}, line {block.line}" for page, block in found if block.kind == "unknown"] == []
    unrun = [(page, block.name) for page, block in found if block.kind == "not run"]
    assert len(unrun) < 12 and all(len(why) > 10 for _, why in unrun)
    for page, path in PAGES.items():
        assert path.read_text(encoding="utf-8").count("```") == 2 * len(blocks(page)), page


def test_a_block_of_each_kind_is_found(tmp_path, monkeypatch):
    """The parser itself, on a page that has everything."""
    page = tmp_path / "page.md"
    page.write_text(
        "# Page\n\n"
        "<!-- long -->\n```console\n$ echo one; echo two\ntwo\n```\n\n"
        "<!-- file: a.json -->\n```json\n{}\n```\n\n"
        "- in a list:\n\n  ```python\n  # b.py\n  ```\n\n"
        "```python\nprint(1)\n```\n\n```text\nx\n```\n\n"
        "## Section\n\n<!-- not run: it takes an hour -->\n<!-- fails -->\n```console\n$ false\n```\n"
    )
    monkeypatch.setitem(PAGES, "page", page)
    found = [(block.kind, block.name, block.section, block.is_long, block.fails) for block in blocks("page")]
    assert found == [
        ("commands", "", "", True, False),
        ("file", "a.json", "", False, False),
        ("file", "b.py", "", False, False),
        ("program", "", "", False, False),
        ("unknown", "", "", False, False),
        ("not run", "it takes an hour", "Section", False, True),
    ]


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("```console\n$ echo one\ntwo\n```", "two"),
        ("```console\n$ echo one\ntwo\n$ echo three\nfour\n```", "(?s)two.*four"),
        ("```console\n$ false\n```", "exit status 1"),
        ("<!-- fails -->\n```console\n$ true\n```", "it should fail"),
        ("```python\nimport nothing_of_this_name\n```", "nothing_of_this_name"),
        ("<!-- file: a.txt -->\n```text\none\n```\n\n<!-- shows: a.txt -->\n```text\ntwo\n```", "two"),
        ("```console\n$ fatcube schedule --collectiv OAB -d 2\n```", "No such option"),
    ],
)
def test_what_is_not_so_fails(tmp_path, monkeypatch, block, said):
    """The runner itself: a wrong output, exit status, program, file and option are found."""
    page = tmp_path / "page.md"
    page.write_text(f"# Page\n\n{block}\n")
    monkeypatch.setitem(PAGES, "page", page)
    folder = tmp_path / "empty"
    folder.mkdir()
    with pytest.raises(AssertionError, match=said):
        follow("page", folder, long=True)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(block.kind in ("commands", "not run") for block in blocks(page))]
)
def test_every_command_is_one(monkeypatch, capsys, tmp_path, page):
    """Catches an option that has another name now: of each command all options are read, and it is run dry where it can be."""
    monkeypatch.chdir(tmp_path)
    for block in blocks(page):
        if block.kind == "file":
            Path(block.name).parent.mkdir(parents=True, exist_ok=True)
            Path(block.name).write_text(block.text)
        if block.kind not in ("commands", "not run"):
            continue
        for line, _ in block.commands:
            words = shlex.split(line, comments=True)
            if words[0] == "mkdir":
                Path(words[1]).mkdir()
            if words[0] != "fatcube" or words[1:] in (["--version"],):
                continue
            name, *arguments = words[1:]
            if name in ("board", "generate"):
                name = f"{name} {arguments.pop(0)}"
            command = cli.commands()[name]
            if "--help" not in arguments:
                command.make_context(name, list(arguments))
            written = {word for flag, word in pairwise(arguments) if flag in ("-o", "--json", "--csv", "--page")}
            missing = [
                word
                for word in arguments
                if word not in written
                and re.fullmatch(r"[\w.]+\.(json|sqlite|xml|csv|toml|v)", word)
                and not Path(word).is_file()
            ]
            if block.fails or missing or "--port" in arguments or "--dry-run" in arguments:
                continue
            if any("--dry-run" in option.opts for option in command.params):
                status, _, err = run(monkeypatch, capsys, *name.split(), *arguments, "--dry-run")
                assert (status, err) == (0, ""), line


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(ran(block.kind) and not block.is_long for block in blocks(page))]
)
def test_what_takes_seconds_is_so(tmp_path, page):
    if missing := needs(page, None, False):
        pytest.skip(f"{missing[0]} is not installed")
    follow(page, tmp_path, long=False)


@pytest.mark.long(stays="tests/fatcube/test_manual.py::test_what_takes_seconds_is_so")
@pytest.mark.parametrize(
    ("page", "section"),
    [(page, section) for page, section in PARTS if any(block.is_long and ran(block.kind) for block in blocks(page))],
)
def test_all_of_it_is_so(tmp_path, page, section):
    if missing := needs(page, section, True):
        pytest.skip(f"{missing[0]} is not installed")
    printed = follow(page, tmp_path, section=section, long=True)
    AFTERWARDS.get((page, section), lambda folder, printed: None)(tmp_path, printed)


def test_every_check_afterwards_is_of_a_page():
    assert set(AFTERWARDS) <= set(PARTS)


def test_every_name_of_the_kit_is_written():
    """The page of regressions names what ``fatcube.testing`` has, and nothing else in its place."""
    page = PAGES["start/regression"].read_text(encoding="utf-8")
    names = {*re.findall(r"`((?:[A-Z][a-z]+)+)\b", page)} - {"ProtocolError", "True"}
    assert names - {*fatcube.testing.__all__} == set()
    made = {name for name in fatcube.testing.__all__ if re.search("(Source|Sink|Monitor|Around|Bus)$", name)}
    assert made - names == {"Around"}


def test_every_flow_has_a_section():
    """The table of kinds of files has each of them, and each has commands."""
    page = PAGES["tasks/flows"].read_text(encoding="utf-8")
    table = re.findall(r"^\| `([\w-]+)` \|", page.partition("## ")[0], re.MULTILINE)
    assert sorted(table) == sorted([*FLOWS, "block-diagram"])
    sections = {block.section for block in blocks("tasks/flows") if block.kind == "commands"}
    assert {"Lists of files", "Constraints", "VHDL", "IP-XACT", "FuseSoC"} <= sections


def test_links_of_other_files_lead_to_the_manual():
    """README, CONTRIBUTING and the reports: what they name in docs/ is there."""
    texts = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "synth_reports").glob("*.md")]
    sources = [path for folder in (*rooms().values(), ROOT / "tests") for path in folder.rglob("*.py")]
    named = {
        (path.name, name)
        for path in (*texts, *sources)
        for name in re.findall(r"\bdocs/[\w/.-]*\w", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 20
    assert [
        one
        for one in sorted(named)
        if not (ROOT / one[1]).exists() and not one[1].startswith(tuple(f"docs/{folder}" for folder in MADE))
    ] == []
