"""The header in C, compiled: its numbers are those of the description."""

import json
import subprocess

import pytest

from fatcube.noc.descriptions.flows.c_header import c_header
from fatcube.noc.descriptions.network_file import network_json
from fatcube.noc.fabric import Fabric
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.graph import Graph
from fatcube.rtl.router_options import RouterOptions


def values(folder, header, *expressions):
    """The values of some expressions, as a C compiler knows them."""
    (folder / "net.h").write_text(header)
    prints = "".join(f'printf("%d\\n", {one});' for one in expressions)
    (folder / "main.c").write_text(f'#include <stdio.h>\n#include "net.h"\nint main(void) {{ {prints} return 0; }}\n')
    subprocess.run(["cc", "-Wall", "-Werror", "-pedantic", "main.c", "-o", "main"], cwd=folder, check=True)
    return [*map(int, subprocess.run(["./main"], cwd=folder, check=True, capture_output=True).stdout.split())]


def test_numbers_are_those_of_the_description(flows, tmp_path):
    about, _, files = flows
    top, each = about["top"].upper(), about["ports_per_processor"]
    names = [f"{top}_{name}" for name in ("PROCESSORS", "PORTS_PER_PROCESSOR", "PORTS", "FLIT_BITS", "PORT(1 + 0, 0)")]
    processors = len(about["processors"])
    expected = [processors, each, processors * each, about["parameters"]["width"], each]
    assert values(tmp_path, files["net.h"], *names) == expected


@pytest.mark.parametrize("last", ["d-1", "b c"])
def test_nodes_of_a_graph_have_their_first_processors(tmp_path, last):
    """Where two names are the same in C, there are none; a node without processors has none either."""
    graph = Graph(("a", "b-c", "hub", last), (2, 3, 0, 1), ((0, 2), (1, 2), (3, 2)))
    network = RoutedNetwork(graph, RouterOptions(width=64), message_classes=2)
    about = json.loads(json.dumps(network_json(network, Fabric(network, name="soc").shared())))
    header = c_header(about, title="/* a graph */")
    if last == "b c":
        assert "SOC_PROCESSOR_" not in header
        return
    named = ["SOC_PROCESSOR_A", "SOC_PROCESSOR_B_C", "SOC_PROCESSOR_D_1"]
    assert values(tmp_path, header, *named, "SOC_PORT(2 + 3, 1)", "SOC_PORTS") == [0, 2, 5, 11, 12]
    assert "HUB" not in header


def test_ports_with_names_have_their_numbers(tmp_path):
    network = RoutedNetwork(Hypercube(2), RouterOptions(ports="d", width=16))
    about = network_json(network, Fabric(network, names={6: "dma", 1: "Cpu0"}).shared())
    header = c_header(about, title="names")
    assert values(tmp_path, header, "FABRIC_PORT_DMA", "FABRIC_PORT_CPU0", "FABRIC_PORT(3, 0)") == [6, 1, 6]
