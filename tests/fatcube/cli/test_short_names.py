"""Short names of networks: the topologies that they stand for, and refusals in one line that say what may be there."""

import pytest

from fatcube.cli.given_networks import named_network
from fatcube.cli.short_names import topology_named
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.noc.topologies.switch import Switch
from tests.support.commands import run


@pytest.mark.parametrize(
    ("name", "topology"),
    [
        ("mesh:4x4", Mesh(w=(4, 4))),
        ("mesh:4,3", Mesh(w=4, d=3)),
        ("torus:3x4,2", Torus(w=(3, 4), m=2)),
        ("hypercube:4", Hypercube(4)),
        ("fat-cube:2,4,3", FatCube(2, 4, 3)),
        ("fat-cube:2,f=3", FatCube(2, 1, 3)),
        ("switch:16", Switch(16)),
        ("ccc:3,k=4", CubeConnectedCycles(3, k=4)),
    ],
)
def test_a_name_is_its_topology(name, topology):
    assert topology_named(name) == topology
    network = named_network(name, {})
    assert isinstance(network, RoutedNetwork) and network.topology == topology


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("msh:4", "kind of a network must be one of butterfly, "),
        *((name, "network must be mesh:WxW[,m[,f]] or mesh:w,d[,m[,f]], not ") for name in ("mesh", "mesh:", "mesh:4")),
        ("mesh:4x4,d=2", "network must be mesh:WxW"),
        ("mesh:4x4,1,1,1", "network must be mesh:WxW"),
        ("fat-cube:m=2,3", "network must be fat-cube:d[,m[,f]], not 'fat-cube:m=2,3'"),
        ("hypercube:2x2", "network must be hypercube:d, not 'hypercube:2x2'"),
        ("hypercube:0", "Hypercube d must be an integer from 1 to 16, not 0"),
        (
            "nothere",
            "network must be KIND:parameters, such as mesh:4x4, or a network file (.toml or .json), not 'nothere'",
        ),
    ],
)
def test_what_is_no_name_is_refused_in_one_line(monkeypatch, capsys, name, message):
    with pytest.raises(ParameterError):
        named_network(name, {})
    status, out, err = run(monkeypatch, capsys, "compare", name)
    assert (status, out) == (2, "") and err.startswith(f"fatcube: {message}") and err.count("\n") == 1


def test_names_stand_beside_files_and_flags_reach_both(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.toml").write_text('format = "fatcube.network-file/1"\nd = 1\n')
    status, out, _ = run(monkeypatch, capsys, "compare", "mesh:2x3", "a.toml", "--ports", "d", "--dry-run")
    assert status == 0 and "2 networks can be compared: mesh:2x3: 2 × 3 mesh, model d; a.toml: " in out
    assert "checked: 1 network can be compared: " in run(monkeypatch, capsys, "compare", "mesh:2x3", "--dry-run")[1]
    status, out, _ = run(monkeypatch, capsys, "compare", "mesh:2x3", "--failed", "link:0-1", "--dry-run")
    assert status == 0 and "mesh:2x3: 2 × 3 mesh without link:0-1" in out
