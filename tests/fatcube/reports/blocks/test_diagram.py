"""Block diagrams: every port and lane of a network stands there once, with what the description says, and nothing covers it."""

import itertools
import re
from xml.etree import ElementTree

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.network_file import network_json
from fatcube.noc.fabric import Fabric
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.switch import Switch
from fatcube.noc.topologies.tree import Tree
from fatcube.reports.blocks.boxes import crosses, up_to_edge
from fatcube.reports.blocks.diagram import BlockDiagram
from fatcube.rtl.router_options import RouterOptions
from tests.support.commands import run

SVG = "{http://www.w3.org/2000/svg}"
TWO_CHANNELS = RouterOptions(virtual_channels=2, buffer_depth=4)
HALF = RouterOptions(links="half-duplex", switching="store-and-forward", longest_packet=5)


def flits(network, **names):
    about = network_json(network, Fabric(network, **names).shared())
    return network, about


def streams(network, **options):
    about = network_json(network, AxiNetwork(network, **options).shared(), interface="axi4-stream")
    return network, about


NETWORKS = {
    "names": streams(RoutedNetwork(Mesh(w=(2, 2))), crossing_depth=8, names={3: "dma", 0: "cpu"}),
    "widths": streams(
        RoutedNetwork(FatCube(1, 2)), streams=StreamOptions(byte_exact=True, port_widths=(8, 32, 64, 128))
    ),
    "some flits": streams(RoutedNetwork(Hypercube(2)), crossing_depth=(8, 0, 0, 0), names={2: "raw"}, flit_ports=[2]),
    "flits with names": flits(RoutedNetwork(Hypercube(2), RouterOptions(ports="d", width=24)), names={5: "uart"}),
    "64 processors": flits(RoutedNetwork(FatCube(4, 4))),
    "mesh of 64": flits(RoutedNetwork(Mesh(w=(8, 8)))),
    "cube of 64": flits(RoutedNetwork(Hypercube(6))),
    "torus": flits(RoutedNetwork(Torus(w=(4, 4)), TWO_CHANNELS)),
    "ring": flits(RoutedNetwork(Ring(6), TWO_CHANNELS)),
    "star": flits(RoutedNetwork(Star(5))),
    "tree": flits(RoutedNetwork(Tree(3, 2))),
    "cycles": flits(RoutedNetwork(CubeConnectedCycles(3), TWO_CHANNELS)),
    "switch": streams(RoutedNetwork(Switch(16))),
    "one way": flits(RoutedNetwork(OrientedCube(3))),
    "failures": flits(RoutedNetwork(damaged(FatCube(3, 2, 2), ["link:0-1", "node:5", "lane:2-3:0"]), HALF)),
}


def drawn(name):
    network, about = NETWORKS[name]
    return network, about, ElementTree.fromstring(BlockDiagram(network.topology, about, title="a < b").svg())


def of_class(tree, name):
    return [one for one in tree.iter(f"{SVG}g") if name in one.get("class", "").split()]


def expected_ports(about):
    """The texts of each row, from the ports of the description alone."""
    names = {port["port"]: port["name"] for port in about.get("named_ports", ())}
    bits = {port["name"]: port["bits"] for port in about["ports"]}
    for port in range(len(about["processors"]) * about["ports_per_processor"]):
        label = names.get(port, str(port))
        if about.get("port_interfaces", [about["interface"]] * (port + 1))[port] == "flits":
            clock = "clk" if about["interface"] == "flits" else "aclk"
            yield [names.get(port, f"port {port}"), f"flits {about['parameters']['width']}", clock]
        else:
            own = f"axis_{label}_aclk"
            said = f"axi4-stream {bits[f's_axis_{label}_tdata']}"
            yield [names.get(port, f"port {port}"), said, own if own in bits else "aclk"]


@pytest.mark.parametrize("name", NETWORKS)
def test_every_port_is_there_once(name):
    """At the router of its processor, with its name, and protocol, width and clock where they are not those of all ports."""
    network, about, tree = drawn(name)
    found = {}
    for router in of_class(tree, "router"):
        for port in of_class(router, "port"):
            number = int(port.get("data-port"))
            assert number not in found
            found[number] = [text.text for text in port.iter(f"{SVG}text")]
            processor = about["processors"][number // about["ports_per_processor"]]
            assert int(router.get("data-node")) == processor["node"]
    rows = [*expected_ports(about)]
    differ = [0, *(column for column in (1, 2) if len({row[column] for row in rows}) > 1)]
    assert [found[number] for number in sorted(found)] == [[row[column] for column in differ] for row in rows]
    said = " ".join(text.text for text in tree.iter(f"{SVG}text") if text.get("class") == "legend")
    if 1 not in differ:
        protocol, bits = rows[0][1].split()
        assert f"All ports: {protocol}, {bits} bits." in said
    if 2 not in differ:
        assert f"Routers and all ports have the clock {rows[0][2]}." in said
    assert sorted(int(one.get("data-node")) for one in of_class(tree, "router")) == [*range(about["nodes"])]


@pytest.mark.parametrize("name", NETWORKS)
def test_every_lane_is_there_once(name):
    """By the links of the description, each of which is one way of a lane; failed lanes are dashed."""
    network, about, tree = drawn(name)
    ways = []
    for lane in of_class(tree, "lane"):
        said = re.findall(r"lane (\d+) from node (\d+) to node (\d+)( has failed)?", lane.findtext(f"{SVG}title"))
        assert {int(lane.get("data-low")), int(lane.get("data-high"))} == {*map(int, said[0][1:3])}
        ways += [(int(node), int(to), int(number)) for number, node, to, failed in said if not failed]
        assert ("failed" in lane.get("class").split()) == all(failed for *_, failed in said)
    expected = []
    for (node, to), some in itertools.groupby(
        sorted(about["links"], key=lambda link: (link["node"], link["to"])), lambda link: (link["node"], link["to"])
    ):
        left = [
            place * link["lanes"] + lane
            for place, link in enumerate(some)
            for lane in link.get("lanes_left", range(link["lanes"]))
        ]
        expected += [(node, to, number) for number in left]
    assert sorted(ways) == sorted(expected)
    arrows = [lane for lane in of_class(tree, "lane") if len(lane.findall(f"{SVG}path[@class='head']")) == 1]
    assert len(arrows) == (len(ways) if name == "one way" else 0)


@pytest.mark.parametrize("name", NETWORKS)
def test_nothing_covers_a_block(name):
    """And all is within the picture; lines lead behind no block that they do not join."""
    network, _, tree = drawn(name)
    boxes = []
    for router in of_class(tree, "router"):
        x, y = map(float, re.findall(r"-?[\d.]+", router.get("transform")))
        block = router.find(f"{SVG}rect")
        boxes.append((x, y, float(block.get("width")), float(block.get("height"))))
    _, _, width, height = map(float, tree.get("viewBox").split())
    assert all(x >= 0 and y >= 0 and x + wide <= width and y + high <= height for x, y, wide, high in boxes)
    for one, other in itertools.combinations(boxes, 2):
        assert any(
            one[axis] + one[axis + 2] < other[axis] or other[axis] + other[axis + 2] < one[axis] for axis in (0, 1)
        )
    for lane in of_class(tree, "lane"):
        ends = {int(lane.get("data-low")), int(lane.get("data-high"))}
        points = re.findall(r"(-?[\d.]+) (-?[\d.]+)", lane.find(f"{SVG}path").get("d"))
        line = [(float(x), float(y)) for x, y in points]
        for node, (x, y, wide, high) in enumerate(boxes):
            if node not in ends:
                assert not crosses(line, (x + wide / 2, y + high / 2), (wide / 2, high / 2)), (ends, node)


def test_a_row_is_wide_enough_for_its_texts():
    """For letters that are 7 pixels wide, which those of 11 pixels are not."""
    _, about, tree = drawn("names")
    for port in of_class(tree, "port"):
        wide = float(port.find(f"{SVG}rect").get("width"))
        places = [(float(text.get("x")), len(text.text)) for text in port.iter(f"{SVG}text")]
        for (start, letters), (after, _) in zip(places, [*places[1:], (wide, 0)]):
            assert start + 6.3 * letters <= after


def test_it_is_the_same_whenever_it_is_made():
    network, about = NETWORKS["failures"]
    texts = {BlockDiagram(network.topology, about, title="once").svg() for _ in range(2)}
    assert len(texts) == 1
    assert "dashed if it has failed" in texts.pop()


def test_lines_and_rectangles():
    half = (2, 1)
    for line, expected in (
        ([(-5, 0), (5, 0)], True),
        ([(-5, 2), (5, 2)], False),
        ([(-5, 0), (-3, 0)], False),
        ([(0, -5), (0, 5)], True),
        ([(3, -5), (3, 5)], False),
        ([(-3, -3), (3, 3)], True),
        ([(-4, 0), (0, 4)], False),
        ([(-9, 9), (-5, 0), (0, 0)], True),
        ([(0, 0), (1, 0)], True),
    ):
        assert crosses(line, (0, 0), half) is expected, line
        assert crosses([(x + 7, y - 3) for x, y in line], (7, -3), half) is expected, line
    assert up_to_edge([(-9, 9), (-6, 0), (-1, 0), (0, 0)], (0, 0), half)[:2] == [(-9, 9), (-6, 0)]
    [*_, end] = up_to_edge([(-9, 9), (-6, 0), (-1, 0), (0, 0)], (0, 0), half)
    assert end == pytest.approx((-2, 0), abs=1e-5)


def test_too_large_networks_are_refused():
    with pytest.raises(ParameterError, match="^nodes"):
        BlockDiagram(Hypercube(10), {}, title="")


def test_the_command_writes_it_beside_the_verilog(monkeypatch, capsys, tmp_path):
    status, out, err = run(
        monkeypatch, capsys, "generate", "network", "-d", 1, "--with", "block-diagram", "-o", tmp_path / "net.v"
    )
    assert (status, err) == (0, "")
    tree = ElementTree.parse(tmp_path / "net_blocks.svg").getroot()
    assert len(of_class(tree, "port")) == 2 and len(of_class(tree, "lane")) == 1
    status, _, err = run(monkeypatch, capsys, "generate", "network", "-d", 1, "--with", "block-diagram")
    assert (status, err) == (2, "fatcube: --with block-diagram requires a file for the Verilog (-o)\n")
