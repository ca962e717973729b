"""Simplex links as flags and sweep files ask for them: the network of the lanes that there are, or one line of refusal."""

import json

import pytest

from fatcube.noc.network import Network
from fatcube.noc.orientation import as_wired
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.rtl.router_options import RouterOptions
from fatcube.studies.sweep_file import read_points
from tests.support.commands import run

CUBES = [
    (Hypercube(3), OrientedCube(3)),
    (FatCube(2, 2, 1), OrientedCube(2, 2)),
    (FatCube(2, 1, 2), FatCube(2, 1, 1)),
    (FatCube(1, 3, 4), FatCube(1, 3, 2)),
]


@pytest.mark.parametrize(("cube", "lanes"), CUBES, ids=str)
def test_as_wired(cube, lanes):
    assert as_wired(cube, "simplex") == (lanes, "full-duplex")
    for links in ("full-duplex", "half-duplex", None):
        assert as_wired(cube, links) == (cube, links)


@pytest.mark.parametrize(
    ("cube", "flags"),
    [("-d 3 -m 1 -f 1", "--topology oriented-cube -d 3"), ("-d 2 -m 2 -f 2", "-d 2 -m 2 -f 1")],
    ids=["one lane", "two lanes"],
)
def test_networks_are_those_of_the_lanes(monkeypatch, capsys, tmp_path, cube, flags):
    """Equal Verilog. Catches links that are taken for those of both directions, and lanes that are not halved."""
    texts = []
    for number, given in enumerate((f"{cube} --links simplex", flags)):
        file = tmp_path / f"{number}.v"
        arguments = f"generate network {given} --routing default -o {file}".split()
        assert run(monkeypatch, capsys, *arguments)[0] == 0
        texts.append(file.read_text())
    assert texts[0] == texts[1]
    about = json.loads(file.with_suffix(".json").read_text())
    lanes = [(node, link["to"]) for link in about["links"] for node in [link["node"]] for _ in range(link["lanes"])]
    assert len(lanes) == (12 if "3" in cube else 8)
    assert all(about["routing"]["routes"][a][b] for a in range(8) for b in range(8))
    assert "behind_node" not in texts[0]  # nothing stands where no lane leads, as there is no port


def test_turns_are_those_of_ports_that_are_there():
    """Of an oriented cube with every turn: node 0 has the lanes of dimensions 0 and 2 out and of 1 in, node 1 the others."""
    network = Network(OrientedCube(3), RouterOptions(turns="all"))
    turns = [[router.reach(number) for number in range(4)] for router, _ in network.routers]
    assert turns == [[(0, 1, 3), (), (0, 1, 3), ()], [(0, 2), (0, 2), (), (0, 2)]]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("-d 1", "simplex links of one lane must be in cubes of 2 dimensions or more, not 1"),
        ("-f 3", "lanes of simplex links must be 1 or an even number, not 3"),
        (
            "--topology ccc -n 3",
            f"links must be full-duplex or half-duplex on the {CubeConnectedCycles(3).name}, as only cubes have simplex links",
        ),
        ("--turn-round 2", "turn round must be 1 with full-duplex links, not 2"),
    ],
)
@pytest.mark.parametrize("command", ["load", "synthesize", "generate network"])
def test_refused(monkeypatch, capsys, command, flags, message):
    status, out, err = run(monkeypatch, capsys, *f"{command} {flags} --links simplex --dry-run".split())
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")


def test_words(monkeypatch, capsys):
    """The word that is refused is told what it may be; without a topology, simplex is none of that."""
    _, _, err = run(monkeypatch, capsys, "load", "--links", "half", "--dry-run")
    assert (
        err
        == "fatcube: links must be one of full-duplex, half-duplex, simplex, not 'half'; did you mean half-duplex?\n"
    )
    _, _, err = run(monkeypatch, capsys, "explore", "--links", "simplex")
    assert err.startswith("fatcube: links must be one of full-duplex, half-duplex, not")


def test_no_packet_is_lost(monkeypatch, capsys):
    """Random packets on the routers of an oriented square, with as many lanes into a node as out of it."""
    arguments = "load -d 2 --links simplex --loads 0.1,0.3 --warm-up 50 --measured 500 --repeats 1".split()
    status, out, err = run(monkeypatch, capsys, *arguments)
    assert status == 0, err
    assert "oriented cube of 4 nodes" in out


def test_sweep(tmp_path):
    """A list of links is one of topologies here, and other values stay what they are."""
    file = tmp_path / "links.toml"
    file.write_text(
        'format = "fatcube.sweep/1"\ntopology = "hypercube"\nd = 3\nlinks = ["simplex", "half-duplex"]\n'
        '[[points]]\ncollective = "AAB"\n[[load]]\n'
    )
    topologies = [(str(one.network.topology), one.network.options.links) for one in read_points(file)]
    assert topologies == [("oriented-cube(d=3, m=1)", "full-duplex"), ("hypercube(d=3)", "half-duplex")] * 2
