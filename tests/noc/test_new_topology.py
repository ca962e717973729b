"""Adding a topology: a torus in under 40 lines outside of the package, from its graph to its router's area."""

import pytest

from fatcube import cli
from fatcube.noc.measures import measure
from fatcube.noc.network import Network
from fatcube.noc.topologies import topology_from_json
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions.greedy import greedy
from fatcube.schedules.problem import Problem
from fatcube.schedules.search import search
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all
from fatcube.synth.silicon import router_silicon
from tests.support.children import HANG
from tests.support.commands import run
from tests.support.graphs import check_channels, check_distances, check_translations
from tests.support.torus import Torus

TORUS = Torus(3)


def test_graph():
    for topology in (TORUS, Torus(2), Torus(4)):
        check_channels(topology)
        check_translations(topology)
        check_distances(topology)
    found = measure(TORUS)
    # 9 nodes with 4 links each; 4 nodes are 1 away and 4 nodes 2; two rows and a corner of the third are cut off
    # by 3 links along the cycles of each column and 2 in the row that is divided.
    assert (found.links, found.diameter, found.average_distance, found.connectivity) == (18, 2, 1.5, 4)
    assert found.bisection.exact and found.bisection.width == 8
    assert topology_from_json({"type": "square-torus", "n": 3}) == TORUS


def test_verilog(monkeypatch, capsys, tmp_path):
    """The command line knows it as soon as it is there: a network with 9 routers of one kind."""
    file = tmp_path / "torus.v"
    status, _, err = run(
        monkeypatch,
        capsys,
        "generate",
        "network",
        "--topology",
        "square-torus",
        "-n",
        3,
        "--routing",
        "none",
        "-o",
        file,
    )
    assert status == 0 and err.startswith("packets cross at most 1 link ")
    text = file.read_text()
    assert text.count("\nmodule fat_node_router(") == 1 and text.count("\n  fat_node_router ") == 9
    status, _, err = run(monkeypatch, capsys, "generate", "network", "--topology", "square-torus", "-n", 1)
    assert (status, err) == (2, "fatcube: Torus n must be an integer of at least 2, not 1\n")
    assert cli.flags.kinds()["square-torus"] is Torus


@pytest.mark.parametrize("ports", ["1", "b", "d", "*"])
@pytest.mark.parametrize("collective", ["OAB", "OAS", "AAB", "AAS"])
def test_greedy(collective, ports):
    for topology in (TORUS, Torus(2, 2, 2)):
        schedule = greedy(
            Problem(
                topology,
                Network(topology, RouterOptions(ports=ports)).options.ports,
                Collective.parse(collective),
                None if collective.startswith("AA") else 4,
            ),
            0,
        )
        assert check(schedule).steps >= lower_bound(Problem(topology, ports, collective, 4)).steps
        check(schedule.expanded())


@pytest.mark.parametrize(("collective", "symmetric"), [("OAB", False), ("OAS", False), ("AAB", True), ("AAS", True)])
def test_search(collective, symmetric):
    """The bounds are met: 8 messages over 4 links a node, and no message farther than 2."""
    steps = {"OAB": 2, "OAS": 2, "AAB": 2, "AAS": 3}[collective]
    assert lower_bound(Problem(TORUS, "d", collective)).steps == steps
    found = search(Problem(TORUS, "d", collective), steps=steps, time_limit=HANG, symmetric=symmetric)
    assert check(found.schedule.expanded()).steps == steps


def test_hardware():
    """Every collective on the RTL: all delivered, no conflicts, as many steps as scheduled."""
    machine = fitting_machine(Network(TORUS, RouterOptions(ports="1")), payload_flits=4, reductions=True)
    runs = [
        Run(schedule=construct(Problem(TORUS, "1", collective, 4)).schedule.expanded(), payload_flits=4)
        for collective in Collective
    ]
    for run_, result in zip(runs, simulate_all(machine, runs)):
        assert result.failures == () and result.conflicts == 0 and result.steps == run_.schedule.steps


@pytest.mark.long(stays="tests/noc/test_new_topology.py::test_verilog")
def test_area():
    """A router of 5 ports; its area lies between those of the routers of a 3-cube and of a 5-cube."""

    def area(topology):
        return router_silicon(Network(topology, RouterOptions(ports="1")), fmax=False).area.comb_equivalents

    cubes = [topology_from_json({"type": "hypercube", "d": d}) for d in (3, 5)]
    assert area(cubes[0]) < area(TORUS) < area(cubes[1])
