"""`--page` of the commands that have it: an HTML page, or Markdown if the name ends in .md."""

from importlib import metadata
import json
from pathlib import Path
import re

import pytest

from fatcube.cli import commands
from fatcube.papers.fat_cube import reproduce
from fatcube.papers.spanning_graphs import curves, curves_page
from tests.support.commands import run
from tests.support.stored import small

STORED = Path(__file__).parents[3] / "synth_reports"


@pytest.mark.parametrize(
    ("command", "title", "said"),
    [
        (
            "explore --processors 8 --workload broadcast",
            "1 x OAB, 16 payload flits, 8 processors, ecp5",
            "Pareto front",
        ),
        ("gaps --links half-duplex", "Steps against lower bounds", " cells on 28 networks are open, "),
        (
            "faults --topology ring -n 3 --pairs 1 --no-rtl --jobs 1",
            "Failures of the ring of 3 nodes",
            "single failures leave",
        ),
        ("compare mesh:2x2 ring:4", "Comparison of 2 × 2 mesh; ring of 4 nodes", "Cheapest routers"),
        (
            "schedule -c AAB -d 2 -m 2",
            "AAB (all-gather) on the fat cube d = 2, m = 2",
            "Each of the 7 steps has 8 transfers.",
        ),
        (
            "simulate -c OAB -d 1 --payload-flits 4 --mode lockstep",
            "OAB on the ",
            "Every delivery was compared and is right.",
        ),
        (
            "synthesize -d 1 --no-fmax",
            "Router of the fat cube d = 1",
            "COMB equivalents, and all routers together",
        ),
        pytest.param(
            "board build arty-a7-35 -d 1 -m 1 --width 16 -o made",
            "on the Arty A7, Xilinx XC7A35T",
            "The clock is",
            marks=pytest.mark.long,
        ),
    ],
    ids=["explore", "gaps", "faults", "compare", "schedule", "simulate", "synthesize", "board"],
)
def test_pages(monkeypatch, capsys, tmp_path, command, title, said):
    monkeypatch.chdir(tmp_path)
    for name in ("page.html", "page.md"):
        status, out, err = run(monkeypatch, capsys, *command.split(), "--page", name)
        assert (status, err) == (0, ""), err
        assert f"Written to {name}" in out
    page, text = ((tmp_path / name).read_text(encoding="utf-8") for name in ("page.html", "page.md"))
    assert page.startswith("<!doctype html>") and text.startswith("# ")
    assert title in page and title in text.partition("\n")[0] and said in page
    foot = re.sub("<[^>]*>", "", page.partition("<footer>")[2].partition("</footer>")[0])
    assert foot.startswith(f"Written by fatcube {metadata.version('fatcube')}")
    assert f": fatcube {command} --page page.html. " in foot
    assert "--page" not in text  # A file of Markdown is the same from whatever command.


def test_page_of_a_checked_file(monkeypatch, capsys, tmp_path):
    """The transfers of each step are counted for all nodes, also in a file that says each only once."""
    pages = []
    for compact in ([], ["--compact"]):
        file = tmp_path / "s.json"
        assert run(monkeypatch, capsys, "schedule", "-c", "AAB", "-d", 3, "-o", file, *compact)[0] == 0
        assert run(monkeypatch, capsys, "check", file, "--page", tmp_path / "page.html")[0] == 0
        pages.append((tmp_path / "page.html").read_text())
    assert pages[0] == pages[1] and "Each of the 7 steps has 8 transfers." in pages[0]


def _stored(name):
    return json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture
def without_measurements(monkeypatch):
    """Have the programs of the papers get what is stored in place of what they would measure."""
    rows = [row for row in _stored("curves")["measured"]["rows"] if row["n"] == 2]
    tables = [[one["measured"] for one in _stored("reproduce")[name]] for name in ("table_6", "table_1")]
    monkeypatch.setattr(curves, "measure_curves", lambda dimensions, jobs: rows)
    monkeypatch.setattr(curves_page, "png", lambda figures, **how: b"")  # beside the page, which has its own
    monkeypatch.setattr(reproduce, "_measure", lambda networks, jobs: tables)


@pytest.mark.parametrize(
    ("command", "name"),
    [("audit ghc --item section:2", None), ("curves --dimensions 2", "curves"), ("reproduce", "reproduce")],
    ids=["audit", "curves", "reproduce"],
)
@pytest.mark.usefixtures("without_measurements")
def test_pages_of_papers_are_those_of_the_folder(monkeypatch, capsys, tmp_path, command, name):
    """Catches a page, or a JSON file, that has something else than the files in the folder of -o."""
    monkeypatch.chdir(tmp_path)
    words = [word.replace(":", " ") for word in command.split()]
    folder = ["-o", "out"] if name else []
    for page in ("page.html", "page.md"):
        status, out, err = run(monkeypatch, capsys, *words, *folder, "--page", page, "--json", "found.json")
        assert (status, err) == (0, "") and page in out
    page, text, found = ((tmp_path / one).read_text("utf-8") for one in ("page.html", "page.md", "found.json"))
    if name is None:
        rows = json.loads(found)["measured"]["rows"]
        assert rows and all(f'id="{row["name"]}"' in page and row["name"] in text for row in rows)
        assert page.startswith("<!doctype html>")
        return
    assert page == (tmp_path / "out" / f"{name}.html").read_text("utf-8")
    beside = (tmp_path / "out" / f"{name}.json").read_text("utf-8")
    assert found == beside.replace("page.html --json", "page.md --json")  # Equal results stay as they were written.
    beside = (tmp_path / "out" / f"{name}.md").read_text("utf-8")
    assert text == beside.replace("![Cycles against packet size](curves.png)\n\n", "")


def test_reproduce_refuses_files_where_it_writes_nothing(monkeypatch, capsys, tmp_path):
    for option, file in (("--page", "f.md"), ("--json", "f.json")):
        status, out, err = run(monkeypatch, capsys, "reproduce", "--flat", option, tmp_path / file)
        assert (status, out) == (2, "") and err.count("\n") == 1 and list(tmp_path.iterdir()) == []
        assert f"{option} must be left out with --flat" in err


def test_a_page_that_is_an_input_or_another_output_is_refused(monkeypatch, capsys, tmp_path):
    for command in (
        "explore --json same",
        "gaps --json same",
        "report --json same",
        "curves --json same",
        "reproduce --json same",
    ):
        status, _, err = run(
            monkeypatch, capsys, *command.replace("same", str(tmp_path / "f.md")).split(), "--page", tmp_path / "f.md"
        )
        assert status == 2 and "must be a different file" in err and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", [name for name, one in commands().items() if any("--page" in p.opts for p in one.params)]
)
def test_a_page_is_of_one_of_two_kinds(monkeypatch, capsys, tmp_path, name):
    """Catches a suffix that says one thing, as .txt or .MD does, and gets another."""
    before = ["arty-a7-35"] if name == "board build" else []
    for page in ("page.txt", "page", "page.MD"):
        status, out, err = run(monkeypatch, capsys, *name.split(), *before, "--page", tmp_path / page)
        assert (status, out) == (2, "") and list(tmp_path.iterdir()) == []
        assert err == f"fatcube: page must be a file that ends in .html or .md, not {tmp_path / page}\n"


def test_pages_of_a_report(monkeypatch, capsys, tmp_path):
    """Catches a page that is not the one in the folder of -o, and a notice that stands on standard output."""
    pytest.importorskip("matplotlib", reason="figures are not tested without Matplotlib")
    stored = small()
    files = [tmp_path / name for name in ("page.html", "page.md", "report.json")]
    for page in files[:2]:
        status, out, err = run(monkeypatch, capsys, "report", "--results", stored, "--page", page, "--json", files[2])
        assert (status, out, err) == (0, f"Written to {page}\n", "")
    status, out, err = run(monkeypatch, capsys, "report", "--results", stored, "-o", tmp_path / "out")
    assert status == 0 and [line for line in err.splitlines() if "--page FILE" in line] == err.splitlines()[-1:]
    assert files[0].read_text() == (tmp_path / "out" / "report.html").read_text()
    assert (tmp_path / "out" / "report.md").read_text().startswith(files[1].read_text())
    assert len(json.loads(files[2].read_text())["measured"]["rows"]) == int(out.split()[0])
