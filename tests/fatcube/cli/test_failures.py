"""`--failed` and `--failures`: what commands print and write of networks with failures, and what they refuse."""

import json

import pytest

from fatcube import cli
from fatcube.schedules.checker import check
from fatcube.schedules.schedule_file import read_schedule


def run(*arguments):
    return cli.run(list(map(str, arguments)))


CUBE = ("--topology", "hypercube", "-d", "2", "--ports", "d")


def test_a_schedule_says_what_has_failed(capsys, tmp_path):
    """Flag and file, in any order and twice, are one value, which the schedule and the record have."""
    file, record = tmp_path / "s.json", tmp_path / "r.json"
    (tmp_path / "f.json").write_text(json.dumps({"format": "fatcube.failures/1", "failed": [{"link": [1, 0]}]}))
    command = (
        "schedule",
        "-c",
        "AAB",
        *CUBE,
        "-d",
        "3",
        "--failed",
        "processor:7,link:0-1",
        "--failures",
        tmp_path / "f.json",
    )
    assert run(*command, "-o", file, "--json", record) == 0
    assert "without processor:7, link:0-1" in capsys.readouterr().out
    topology = {"type": "damaged", "whole": {"type": "hypercube", "d": 3}, "failed": ["processor:7", "link:0-1"]}
    written = json.loads(record.read_text())["parameters"]["topology"]
    assert {**written, "whole": {name: written["whole"][name] for name in ("type", "d")}} == topology
    assert check(read_schedule(file)).steps == 3
    assert run("check", file) == 0


@pytest.mark.parametrize(
    ("failed", "message"),
    [
        ("link:0-3", "as no link leads from node 0 to node 3"),
        ("link:0-1,link:0-2", "leave none from node 0 to 3 nodes: 1, 2, 3"),
        ("node:0,node:1,node:2,node:3", "must leave two processors or more"),
        ("node:0", "root of OAB must be a processor that works"),
        ("node", "failure must be link:NODE-NODE"),
    ],
)
def test_refused_in_one_line(capsys, failed, message):
    assert run("schedule", "-c", "OAB", *CUBE, "--failed", failed) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_a_comparison_has_both(capsys, tmp_path):
    """The network with and without failures, and one line for those that the failures cut in two."""
    assert (
        run("compare", "--processors", "4", "--tolerance", "0", "--failed", "link:0-1", "--csv", tmp_path / "c.csv")
        == 0
    )
    found = capsys.readouterr()
    assert "hypercube(d=2) without link:0-1" in (tmp_path / "c.csv").read_text()
    # One candidate has no link to fail; of others, the link is all that leads to a node.
    assert found.out.count("not compared with failures: failures of the switch of 4 processors must be processors") == 1
    assert found.out.count("not compared with failures") - 1 == found.out.count("leave none") > 0


def test_generated_routers_lack_the_ports(tmp_path):
    """The Verilog has no lane between the nodes of the failed link, and its description names what has failed."""
    assert run("generate", "network", *CUBE, "--failed", "link:0-1", "-o", tmp_path / "n.v") == 0
    text = (tmp_path / "n.v").read_text()
    assert "hypercube(d=2) without link:0-1" in text and "Links have failed" in text
    description = json.loads((tmp_path / "n.json").read_text())
    links = {(link["node"], link["to"]) for link in description["links"]}
    assert links == {(0, 2), (2, 0), (1, 3), (3, 1), (2, 3), (3, 2)}
