"""All experiments: the committed pages follow from the stored records, and the command runs each experiment."""

import dataclasses
import json
import subprocess
import sys

import pytest

from experiments.__main__ import main
from experiments.catalogue import NAMES, find
from experiments.experiment import Experiment, read_stored, write
from fatcube.reports.page import Results
from fatcube.reports.table import TitledTable
from tests.support.experiments import REPORTS, markdown
from tests.support.packages import ROOT


@pytest.mark.parametrize("name", NAMES)
def test_what_is_stored_follows_from_the_records(name):
    """The page, the file of records and text beside it; pictures are drawn otherwise by another version of the library."""
    experiment = find(name)
    records = read_stored(experiment, REPORTS)
    cases = list(experiment.cases_of())
    assert experiment.name == name and [one["case"] for one in records] == sorted(
        (one["case"] for one in records), key=cases.index
    )
    assert markdown(experiment, records) == (REPORTS / f"{name}.md").read_text(encoding="utf-8")
    for file, content in experiment.files(records, REPORTS).items():
        if isinstance(content, str):
            assert (REPORTS / file).read_text(encoding="utf-8") == content
        assert (REPORTS / file).is_file()


def test_every_experiment_is_in_the_catalogue():
    """Catches one that no command runs."""
    found = [path for path in (ROOT / "experiments").rglob("*.py") if "\nEXPERIMENT = " in path.read_text("utf-8")]
    assert len(found) == len(NAMES)


@pytest.fixture
def planted(monkeypatch):
    """An experiment that counts letters; its record of a word with a "!" tells of a failure."""
    experiment = Experiment(
        name="letters",
        about="letters of words",
        cases={"a": "one", "b": "three", "c": "four!"},
        measure=lambda case, settings: {"measured": len(case), "seeds": list(settings.seeds)},
        page=lambda records, folder: Results(
            title="Letters",
            note="All of them.",
            tables=[TitledTable("Words", "", ["case", "letters"], [[one["case"], one["measured"]] for one in records])],
        ),
        takes=("seeds",),
        failed=lambda record: record["case"] == "c",
    )
    monkeypatch.setattr("experiments.__main__.NAMES", ("letters",))
    monkeypatch.setattr("experiments.__main__.find", lambda name: experiment)
    return experiment


def stored(folder):
    return {one["case"]: (one["measured"], one["seeds"]) for one in json.loads((folder / "letters.json").read_text())}


def test_some_cases_are_measured_and_others_stay(planted, tmp_path, capsys):
    """In the order of the cases, whatever was measured first; catches a record that is lost, or measured without being asked for."""
    given = ["letters", "-o", str(tmp_path)]
    assert main([*given, "--only", "b"]) == 0
    assert main([*given, "--only", "[ac]", "--seeds", "7"]) == 1
    assert list(stored(tmp_path).items()) == [("a", (3, [7])), ("b", (5, [1, 2, 3])), ("c", (5, [7]))]
    assert main([*given, "--only", "a"]) == 0
    assert stored(tmp_path)["a"] == (3, [1, 2, 3]) and stored(tmp_path)["c"] == (5, [7])
    text = (tmp_path / "letters.md").read_text()
    written = "All of them. Written by `python -m experiments letters`; all figures are in letters.json."
    assert text.startswith(f"# Letters\n\n{written}\n") and text.endswith("| a | 3 |\n| b | 5 |\n| c | 5 |\n")


def test_records_of_another_flow_stay(planted, tmp_path):
    """Beside the new one of their case, and before it; a record of a case that is no more goes."""
    old = dataclasses.replace(planted, cases={"a": "one", "z": "last"})
    write(old, [{"case": "a", "measured": 9, "seeds": []}, {"case": "z", "measured": 4, "seeds": []}], tmp_path)
    object.__setattr__(planted, "stays", lambda record: record["measured"] == 9)
    for _ in range(2):
        assert main(["letters", "-o", str(tmp_path), "--only", "a"]) == 0
        records = read_stored(planted, tmp_path)
        assert [(one["case"], one["measured"]) for one in records] == [("a", 9), ("a", 3)]


def test_pages_are_written_from_what_is_stored(planted, tmp_path, capsys):
    given = ["letters", "-o", str(tmp_path)]
    assert main([*given, "--stored"]) == 2
    main(given)
    before = (tmp_path / "letters.md").read_text()
    (tmp_path / "letters.md").unlink()
    assert main([*given, "--stored", "--page", str(tmp_path / "page.html")]) == 1  # a record tells of a failure
    assert (tmp_path / "letters.md").read_text() == before
    assert "<title>Letters" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--only", "d"], "--only must be one of a, b, c, or a pattern of them, not 'd'"),
        (["--only", "a", "--stored"], "--only must be left out with --stored, which measures nothing"),
        (["--seeds", "1", "1"], "seeds must be one or more different integers, not (1, 1)"),
        (["--page", "page.txt"], "--page must be a name that ends in .html or .md, not page.txt"),
    ],
)
def test_bad_input_is_one_line(planted, tmp_path, capsys, arguments, message):
    assert main(["letters", "-o", str(tmp_path), *arguments]) == 2
    assert capsys.readouterr().err == f"experiments: {message}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "{}x", '{"parameters": {}}', "[1]", '[{"measured": 1}]'])
def test_a_file_of_something_else_is_refused(planted, tmp_path, capsys, text):
    """And stays as it is."""
    (tmp_path / "letters.json").write_text(text)
    assert main(["letters", "-o", str(tmp_path), "--only", "a"]) == 2
    assert "must have a list of records, each with its case, or not be there" in capsys.readouterr().err
    assert (tmp_path / "letters.json").read_text() == text


def test_an_option_of_another_experiment_is_refused(planted, tmp_path, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["letters", "-o", str(tmp_path), "--checkouts", "."])
    assert stopped.value.code == 2 and "--checkouts" in capsys.readouterr().err


def test_the_list_names_all():
    """From a checkout, as the README says."""
    ended = subprocess.run([sys.executable, "-m", "experiments", "--list"], cwd=ROOT, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert [line.split()[0] for line in ended.stdout.splitlines()] == list(NAMES)
