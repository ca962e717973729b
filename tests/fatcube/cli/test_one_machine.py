"""Every command makes the network of the table in docs/ideas/network.md, whatever it does with it then."""

import pytest

from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing import default_routing
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.grids import Mesh, Torus
from tests.support.commands import run

#: Commands, and where each hands its network on.
ROUTED = {
    "load --loads 0.1": "fatcube.sim.traffic.load.LoadTest",
    "draw --loads": "fatcube.sim.traffic.load.LoadTest",
    "generate network": "fatcube.cli.generate.network.Fabric",
    "generate network --interface axi4-stream": "fatcube.cli.interfaces.AxiNetwork",
    "generate router": "fatcube.cli.generate.router.shared_router",
    "synthesize --no-fmax": "fatcube.synth.silicon.measured_routers",
}
SCHEDULES = {
    "generate system": "fatcube.cli.generate.system.fitting_machine",
    "simulate -c OAB": "fatcube.cli.simulate.fitting_machine",
    "generate network --routing none": "fatcube.cli.generate.network.Fabric",
    "generate network --hops 1": "fatcube.cli.generate.network.Fabric",
    "generate router --routing none": "fatcube.cli.generate.router.shared_router",
    "synthesize --no-fmax --routing none": "fatcube.synth.silicon.measured_routers",
    "synthesize --no-fmax --hops 1": "fatcube.synth.silicon.measured_routers",
}
TOPOLOGIES = {
    "--topology mesh -w 3 -d 2": Mesh(w=3, d=2),
    "-d 2 -m 2": FatCube(2, 2),
    "--topology torus -w 4 -d 1": Torus(w=4, d=1),
}


class Made(BaseException):
    """A command has made its network, and nothing further is of interest."""


def made(monkeypatch, capsys, command, place):
    """The network that a command makes."""

    def stop(network, *rest, **more):
        raise Made(network)

    monkeypatch.setattr(place, stop)
    with pytest.raises(Made) as caught:
        run(monkeypatch, capsys, *command.split())
    return caught.value.args[0]


@pytest.mark.parametrize("flags", TOPOLOGIES)
@pytest.mark.parametrize("command", ROUTED)
def test_commands_that_speak_of_networks_route(monkeypatch, capsys, command, flags):
    network = made(monkeypatch, capsys, f"{command} {flags}", ROUTED[command])
    topology = TOPOLOGIES[flags]
    assert isinstance(network, RoutedNetwork)
    assert (network.topology, network.routing) == (topology, default_routing(topology))


@pytest.mark.parametrize("flags", TOPOLOGIES)
@pytest.mark.parametrize("command", SCHEDULES)
def test_commands_for_schedules(monkeypatch, capsys, command, flags):
    network = made(monkeypatch, capsys, f"{command} {flags}", SCHEDULES[command])
    assert isinstance(network, Network) and not isinstance(network, RoutedNetwork)
    assert network.topology == TOPOLOGIES[flags]


def test_a_spanning_graph_is_for_schedules(monkeypatch, capsys):
    command = "synthesize --topology hypercube -d 3 --ports d --along nesbt --parts 3 --no-fmax"
    network = made(monkeypatch, capsys, command, "fatcube.synth.silicon.measured_routers")
    assert not isinstance(network, RoutedNetwork)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("generate network -d 2 --hops 2 --for-schedules-only --dry-run", "--hops"),
        ("generate network -d 2 --ports b --for-schedules-only --dry-run", "--for-schedules-only"),
        ("synthesize --topology hypercube -d 3 --ports d --along nesbt --parts 3 --dry-run", "--along"),
        ("synthesize -d 2 --hops 2 --dry-run", "--hops"),
        ("synthesize -d 2 --hops 2 --routing none --dry-run", None),
        ("synthesize -d 2 --dry-run", None),
    ],
)
def test_what_implies_no_routing_is_said(monkeypatch, capsys, tmp_path, command, said):
    output = ["-o", tmp_path / "net.v"] if command.startswith("generate") else []
    status, _, err = run(monkeypatch, capsys, *command.split(), *output)
    assert status == 0
    line = f"{said} implies --routing none: the network is one for schedules\n"
    assert (line in err) == (said is not None) and ("implies" in err) == (said is not None)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("synthesize --topology mesh -w 4 -d 2", "dimension-order routing, at most 6 hops"),
        ("synthesize --topology mesh -w 4 -d 2 --routing none", "for schedules, at most 1 hop"),
        ("synthesize -d 3 --hops 2", "for schedules, at most 2 hops"),
    ],
)
def test_what_is_synthesized_is_said(monkeypatch, capsys, command, said):
    status, out, _ = run(monkeypatch, capsys, *command.split(), "--dry-run")
    assert status == 0 and f", {said}, can be synthesized" in out


def test_a_load_needs_a_routing(monkeypatch, capsys):
    status, out, err = run(monkeypatch, capsys, "load", "-d", 2, "--routing", "none", "--dry-run")
    assert (status, out) == (2, "") and err.startswith("fatcube: routing must be one of default, ")
    assert err.count("\n") == 1
