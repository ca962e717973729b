"""Schedules of other programs from the command line: imported, checked, played, run, and written again."""

import json
from xml.etree import ElementTree

import pytest

from fatcube.noc.topologies.cubes import Hypercube
from fatcube.schedules.construct import construct
from fatcube.schedules.formats.msccl_writer import write_msccl
from fatcube.schedules.participants import Participants
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule_file import read_schedule, write_schedule
from tests.support.commands import run

CUBE = ("--topology", "hypercube", "-d", "2", "--ports", "d")


@pytest.fixture
def written(tmp_path):
    """An all-reduce as MSCCL's XML, and the schedule."""
    schedule = construct(Problem(Hypercube(2), "d", "all-reduce")).found.expanded()
    assert write_msccl(schedule, tmp_path / "a.xml") == []
    return tmp_path / "a.xml", schedule


@pytest.mark.parametrize("content", ["", " \n"])
def test_an_empty_file(monkeypatch, capsys, tmp_path, content):
    """It is said to be empty: it has no format that a message could speak of."""
    (tmp_path / "a.xml").write_text(content)
    status, out, err = run(monkeypatch, capsys, "import", tmp_path / "a.xml", "-o", tmp_path / "a.json")
    message = "must be a schedule of another program (msccl, forestcoll, te-ccl), and is empty"
    assert (status, out, err) == (2, "", f"fatcube: {tmp_path / 'a.xml'}: {message}\n")
    status, _, err = run(monkeypatch, capsys, "check", tmp_path / "a.xml")
    assert (status, err) == (2, f"fatcube: {tmp_path / 'a.xml'}: not JSON: it is empty\n")


def test_import_and_export(monkeypatch, capsys, tmp_path, written):
    """The schedule is what was written; the record has its steps and its bound; and it is written as the same file."""
    file, schedule = written
    status, out, err = run(
        monkeypatch, capsys, "import", file, *CUBE, "-o", tmp_path / "a.json", "--json", tmp_path / "about.json"
    )
    assert (status, err) == (0, "") and "all-reduce" in out
    assert read_schedule(tmp_path / "a.json") == schedule
    about = json.loads((tmp_path / "about.json").read_text())
    assert about["measured"]["steps"] == schedule.steps >= about["measured"]["lower_bound"]
    assert about["measured"]["transfers"] == schedule.size and about["parameters"].items() >= {
        "file": "a.xml", "topology": Hypercube(2).to_json(), "ports": "d", "collective": "all-reduce", "root": None,
        "parts": schedule.parts,
    }.items()  # fmt: skip
    status, out, err = run(monkeypatch, capsys, "export", tmp_path / "a.json", "-o", tmp_path / "b.xml")
    assert (status, err) == (0, "") and out.startswith(f"{tmp_path}/b.xml: all-reduce on the hypercube of 4 nodes")
    assert (tmp_path / "b.xml").read_text() == file.read_text()


def test_without_a_topology_it_is_on_the_links_of_the_file(monkeypatch, capsys, tmp_path, written):
    file, _ = written
    assert run(monkeypatch, capsys, "import", file, "--ports", "d", "-o", tmp_path / "a.json")[0] == 0
    topology = read_schedule(tmp_path / "a.json").topology
    assert sorted(topology.links) == [(0, 1), (0, 2), (1, 3), (2, 3)]


@pytest.mark.long(stays="tests/fatcube/cli/test_import.py::test_import_and_export")
def test_run_on_the_rtl(monkeypatch, capsys, tmp_path, written):
    """With its steps removed, it is timed, checked, played, and run with every wire compared."""
    file, schedule = written
    root = ElementTree.fromstring(file.read_text())
    for step in root.iter("step"):
        step.attrib.pop("at", None)
    file.write_text(ElementTree.tostring(root, encoding="unicode"))
    assert run(monkeypatch, capsys, "import", file, *CUBE, "-o", tmp_path / "a.json")[0] == 0
    for command in (("check", tmp_path / "a.json"), ("view", tmp_path / "a.json")):
        assert run(monkeypatch, capsys, *command)[0] == 0
    status, out, err = run(
        *(monkeypatch, capsys, "simulate", "--schedule", tmp_path / "a.json", "--payload-flits", "4"),
        *("--mode", "lockstep", "--json", tmp_path / "run.json"),
    )
    assert (status, err) == (0, "")
    [measured] = json.loads((tmp_path / "run.json").read_text())["measured"]["runs"]
    assert (measured["steps"], measured["cycles"], measured["failures"]) == (schedule.steps, 8 * schedule.steps, [])


@pytest.mark.parametrize("homes", [(1,), (0, 3)])
def test_trees(monkeypatch, capsys, tmp_path, homes):
    """Sums are complete at the roots of one tree and of two, and sent on; the texts, the record and the file have the roots."""
    problem = Problem(Hypercube(2), "d", "all-reduce", among=Participants(homes=homes))
    schedule = construct(problem).found
    write_msccl(schedule, tmp_path / "a.xml")
    what = f"all-reduce with sums at {','.join(map(str, homes))}"
    status, out, err = run(
        monkeypatch,
        capsys,
        "import",
        tmp_path / "a.xml",
        *CUBE,
        "-o",
        tmp_path / "a.json",
        "--json",
        tmp_path / "r.json",
    )
    assert (status, err) == (0, "") and f"a.xml: {what} (all-reduce) on the hypercube of 4 nodes" in out
    assert json.loads((tmp_path / "r.json").read_text())["parameters"]["homes"] == list(homes)
    assert read_schedule(tmp_path / "a.json") == schedule
    status, out, err = run(monkeypatch, capsys, "check", tmp_path / "a.json", "--json", tmp_path / "r.json")
    said = f"valid, {schedule.steps} steps, {6 * len(homes)} transfers"
    assert (status, err) == (0, "") and out.startswith(f"{tmp_path}/a.json: {what} on") and said in out
    assert json.loads((tmp_path / "r.json").read_text())["parameters"]["homes"] == list(homes)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "fatcube: -o must be given: Write the schedule to this file"),
        (("-o", "{}/x.json", "--format", "x"), "format must be one of auto, msccl, forestcoll, te-ccl, not 'x'"),
        (
            ("-o", "{}/x.json", "--format", "te-ccl"),
            "{}/a.xml, line 1: not JSON: it must begin with {{ or [, not with '<algo'",
        ),
        (
            ("-o", "{}/x.json", "--format", "forestcoll"),
            "{}/a.xml: a file of trees must be an Algo element, not 'algo'",
        ),
        (("-o", "{}/x.json", "-c", "AAB"), "{}/a.xml: collective must be that of the file, all-reduce, not AAB"),
        (
            ("-o", "{}/x.json", "--topology", "ring", "-n", "5"),
            "{}/a.xml: topology must have the 4 processors of the schedule, not 5 as on the ring of 5 nodes",
        ),
        (("-o", "{}/a.xml"), "output must be a different file from all others that are read or written, not {}/a.xml"),
    ],
)
def test_refused(monkeypatch, capsys, tmp_path, written, arguments, message):
    arguments = [argument.format(tmp_path) for argument in arguments]
    status, out, err = run(monkeypatch, capsys, "import", written[0], *arguments)
    assert (status, out) == (2, "")
    assert err.removesuffix("\n").endswith(message.format(tmp_path)) and err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.xml"]


def test_no_export_of_a_wrong_schedule(monkeypatch, capsys, tmp_path):
    write_schedule(construct(Problem(Hypercube(2), "1", "OAS", 0)).found, tmp_path / "a.json")
    status, _, err = run(monkeypatch, capsys, "export", tmp_path / "a.json", "-o", tmp_path / "a.xml")
    assert status == 2 and err.startswith("fatcube: collective must be one of") and err.endswith("not scatter\n")
    assert not (tmp_path / "a.xml").exists()


def test_schedules_are_compared(monkeypatch, capsys, tmp_path, written):
    """One from another program beside ours: steps, bounds and ratios, and cycles of messages of 16 flits by the formula."""
    monkeypatch.setenv("COLUMNS", "200")
    theirs, ours, table = tmp_path / "theirs.json", tmp_path / "ours.json", tmp_path / "table.csv"
    assert run(monkeypatch, capsys, "import", written[0], *CUBE, "-o", theirs)[0] == 0
    write_schedule(written[1], ours)
    status, out, err = run(monkeypatch, capsys, "compare", "--schedule", theirs, "--schedule", ours, "--csv", table)
    assert (status, err) == (0, "") and "messages of 16 flits, by the formula" in out
    head, *rows = [line.split(",") for line in table.read_text().splitlines()]
    assert head[4:] == ["parts", "steps", "bound", "ratio", "cycles", "dataflow"]
    steps = written[1].steps
    assert [row[-6:] for row in rows] == [["1", str(steps), str(steps), "1.00", str(20 * steps), "-"]] * 2
    status, out, err = run(monkeypatch, capsys, "compare", "--schedule", ours, "--processors", "8")
    assert (status, out) == (2, "")
    assert err == "fatcube: --processors must be left out where schedules are compared, not 8\n"
