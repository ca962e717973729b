"""`--topology-file` through the commands that have it: what they print, write and refuse."""

import json
from pathlib import Path
import re

import pytest

from fatcube.noc.topologies.graph_file import topology_file_json
from tests.support.commands import run
from tests.support.networks import HUB, IRREGULAR

NAME = "graph of 4 nodes and 4 links"


@pytest.fixture
def file(monkeypatch, tmp_path):
    """The current folder has a file with the irregular graph, and one with a hub that only routes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "graph.json").write_text(json.dumps(topology_file_json(IRREGULAR)))
    (tmp_path / "hub.json").write_text(json.dumps(topology_file_json(HUB)))
    return "graph.json"


def test_schedule(monkeypatch, capsys, file):
    """The schedule file has the whole graph, so it is checked and viewed without the topology file."""
    status, out, _ = run(monkeypatch, capsys, "schedule", "-c", "AAB", "--topology-file", file, "-o", "s.json")
    assert status == 0 and f"on the {NAME}\n" in out
    Path(file).unlink()
    assert run(monkeypatch, capsys, "check", "s.json")[0] == 0
    assert run(monkeypatch, capsys, "view", "s.json", "-o", "page.html")[0] == 0
    assert '"nodeOf":[1,2,2,3]' in Path("page.html").read_text()


def test_generate(monkeypatch, capsys, file):
    """One router, four nodes; ports for the four processors that are there and none for others."""
    status, out, _ = run(monkeypatch, capsys, "generate", "network", "--topology-file", file, "--routing", "none")
    assert status == 0
    assert out.count("\nmodule fat_node_router(") == 1 and out.count("\n  fat_node_router ") == 4
    assert "processor3_send0__valid," in out and "processor4_send0" not in out
    for line in (
        "//   node 0:  none",
        "//   node 2:  1-2",
        "//   node 1 (b):  0:0 2:0 3:0",
        "// fatcube network: graph(nodes=4, processors=4, links=4, f=1) ports=1",
        "// 4 processors on 4 nodes, 1 port per processor; crossbar 5 x 5; 4 links.",
    ):
        assert f"\n{line}\n" in f"\n{out}", line


def test_a_ring_that_yed_has_drawn(monkeypatch, capsys, file):
    """Without arrows its links go both ways, and an all-gather takes two steps; one way round it takes three."""
    edge = '<edge source="n{}" target="n{}"><data key="d1"><y:PolyLineEdge><y:Arrows source="none" target="{}"/></y:PolyLineEdge></data></edge>'
    for name, arrow in (("both", "none"), ("one", "standard")):
        Path(f"{name}.graphml").write_text(
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">'
            '<key for="edge" id="d1" yfiles.type="edgegraphics"/><graph edgedefault="directed" id="G">'
            + "".join(f'<node id="n{node}"/>' for node in range(4))
            + "".join(edge.format(node, (node + 1) % 4, arrow) for node in range(4))
            + "</graph></graphml>"
        )
    command = "schedule", "-c", "all-gather", "--ports", "d", "--topology-file"
    status, out, err = run(monkeypatch, capsys, *command, "both.graphml")
    assert (status, err) == (0, "") and re.search(r"steps +│ 2 ", out) and "one-way" not in out, out
    status, out, err = run(monkeypatch, capsys, *command, "one.graphml")
    assert status == 0 and re.search(r"steps +│ 3 ", out) and "4 one-way links" in out, out
    assert err == "one.graphml: 4 links go one way, as the arrows in <y:Arrows> says\n"


def test_what_is_read_stays(monkeypatch, capsys, file):
    """The description of graph.v would stand in graph.json, which has the topology."""
    before = Path(file).read_bytes()
    status, out, err = run(monkeypatch, capsys, "generate", "network", "--topology-file", file, "-o", "graph.v")
    assert (status, out) == (2, "") and Path(file).read_bytes() == before and not Path("graph.v").exists()
    assert err == (
        "fatcube: output must have another name than graph.v, as graph.json would be written, which the command reads\n"
    )
    assert run(monkeypatch, capsys, "generate", "network", "--topology-file", file, "-o", "net.v")[0] == 0


def test_dry_runs(monkeypatch, capsys, file):
    """The others check it and stop: what they do then is what they do with any network."""
    for arguments in (
        ("simulate", "-c", "AAS"),
        ("synthesize",),
        ("generate", "system"),
    ):
        status, out, err = run(monkeypatch, capsys, *arguments, "--topology-file", file, "--dry-run")
        assert (status, err) == (0, "") and out.startswith("checked: ")
    status, out, _ = run(
        monkeypatch,
        capsys,
        *("compare", "--processors", 8, "--topology-file", file, "--topology-file", "hub.json", "--dry-run"),
    )
    assert status == 0 and out.replace("\n", " ").count("graph of 4 nodes") == 2


def test_sweep(monkeypatch, capsys, file, tmp_path):
    """The path of the file is taken from the sweep file on, wherever the command is run."""
    (tmp_path / "study.toml").write_text(
        'format = "fatcube.sweep/1"\nfmax = false\ncollective = "AAB"\n[[points]]\ntopology_file = "graph.json"\n'
        '[[points]]\ntopology = "ring"\nn = 4\n'
    )
    monkeypatch.chdir("/")
    status, out, _ = run(monkeypatch, capsys, "sweep", tmp_path / "study.toml", "--dry-run")
    assert status == 0 and out.startswith("checked: 2 points can be measured")
    (tmp_path / file).write_text("{}")
    status, _, err = run(monkeypatch, capsys, "sweep", tmp_path / "study.toml", "--dry-run")
    assert status == 2 and err.count("\n") == 1 and 'must be an object with "format": "fatcube.topology/1"' in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--topology-file", "graph.json", "-d", "2"],
            "d must be left out with a topology file, which defines it, not 2",
        ),
        (
            ["--topology-file", "graph.json", "-m", "1"],
            "m must be left out with a topology file, which defines it, not 1",
        ),
        (
            ["--topology-file", "graph.json", "--topology", "ring"],
            "topology must be left out with a topology file, which defines it, not 'ring'",
        ),
        (["--topology-file", "none.json"], "file must be one that exists, not 'none.json'"),
        (["--topology-file", "."], "ending of a topology file must be one of .graphml, .json, not ''"),
        (
            ["--topology-file", "hub.json"],
            "topology must have processors at all nodes of a route for AAB, "
            "but between nodes 1 (x) and 2 (y) of the graph of 4 nodes and 3 links "
            "some have none; only direct transfers, in a schedule file, cross these",
        ),
    ],
)
@pytest.mark.parametrize("command", ["schedule", "simulate"])
def test_refused(monkeypatch, capsys, file, command, arguments, message):
    status, out, err = run(monkeypatch, capsys, command, "-c", "AAB", *arguments)
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")
