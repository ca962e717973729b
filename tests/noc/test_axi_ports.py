"""Several ports of a processor with AXI4-Streams: the constants of each interface, and the head's description."""

import re

import pytest

from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.interface_description import clock_of_axi, streams_of_axi
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.router_options import RouterOptions

CHANNELS = RouterOptions(virtual_channels=2, buffer_depth=4)


def interfaces(network):
    """The constants of each interface in the Verilog: the ``tid`` of what it sends, and its entries, lowest first."""
    text = to_verilog(AxiNetwork(network).shared())
    instances = re.findall(r"^  network_interface interface(\d+) \((.*?)^  \);", text, re.DOTALL | re.MULTILINE)
    assert sorted(int(number) for number, _ in instances) == list(range(network.endpoints))
    found = {}
    for number, connections in instances:
        [(bits, table)] = re.findall(r"\.routes\((\d+)'h([0-9a-f]+)\)", connections)
        [source] = re.findall(r"\.source\(\d+'h([0-9a-f]+)\)", connections)
        size, rest = divmod(int(bits), network.endpoints)
        assert rest == 0
        entries = [int(table, 16) >> size * other & (1 << size) - 1 for other in range(network.endpoints)]
        found[int(number)] = (int(source, 16), [(entry >> size - 1, entry) for entry in entries])
    return [found[endpoint] for endpoint in sorted(found)]


@pytest.mark.parametrize(
    ("network", "ports", "classes"),
    [
        (RoutedNetwork(FatCube(1, 2)), 1, 1),
        (RoutedNetwork(Hypercube(2), RouterOptions(ports="d")), 2, 1),
        (RoutedNetwork(FatCube(1, 2), CHANNELS, message_classes=2), 2, 2),
        (RoutedNetwork(Hypercube(2), CHANNELS.changed(ports="d"), message_classes=2), 4, 2),
    ],
    ids=["one port", "two ports", "two classes", "two ports of each class"],
)
def test_interfaces_of_one_processor(network, ports, classes):
    """An interface has its processor's number as ``tid``, and an entry for each port of its message class only."""
    found = interfaces(network)
    assert [source for source, _ in found] == [endpoint // ports for endpoint in range(len(found))]
    class_of = [endpoint % ports * classes // ports for endpoint in range(len(found))]
    for endpoint, (source, entries) in enumerate(found):
        assert [valid for valid, _ in entries] == [int(one == class_of[endpoint]) for one in class_of]
        known = [entry for valid, entry in entries if valid]
        assert len(set(known)) == len(known)
        assert all(
            (entries == others) == (class_of[other] == class_of[endpoint])
            for other, (processor, others) in enumerate(found)
            if processor == source
        )


def said(network, **how):
    return " ".join(" ".join(streams_of_axi(AxiNetwork(network, **how))).split())


@pytest.mark.parametrize(
    ("ports", "endpoint", "sender"),
    [("1", "processor e", "e"), ("d", "port e mod 2 of processor e / 2, rounded down", "e / 2, rounded down")],
)
def test_the_head_says_whose_ports_are_whose(ports, endpoint, sender):
    text = said(RoutedNetwork(Hypercube(2), RouterOptions(ports=ports)))
    assert f"AXI4-Streams: e is {endpoint}. " in text
    assert f" and leaves there with {sender} as m_axis_*_tid. " in text


@pytest.mark.parametrize(
    ("longest", "crossing", "length", "into", "out"),
    [
        (0, 0, "A packet has at least one beat.", "1 cycle after", "1 cycle after its"),
        (0, 8, "A packet has at least one beat.", "5 cycles after", "5 cycles after its"),
        (8, 0, "A packet has 1 to 7 beats; a longer one is dropped", "F + 2 cycles after", "1 cycle after its"),
    ],
    ids=["plain", "clocks", "longest packet"],
)
def test_the_head_says_how_long_packets_are_and_take(longest, crossing, length, into, out):
    network = RoutedNetwork(FatCube(1), RouterOptions(longest_packet=longest))
    text = said(network, crossing_depth=crossing)
    assert (
        f"count. {length}" in text
        and f"takes its header {into} the first cycle" in text
        and f" {out} last flit" in text
    )
    assert ("beats without gaps has" in text) == bool(longest)
    assert (" and with equal clocks." in text) == bool(crossing)
    assert ("axis_e_aclk" in " ".join(clock_of_axi(AxiNetwork(network, crossing_depth=crossing)))) == bool(crossing)


def test_the_head_says_what_is_required_and_what_is_counted():
    lines = streams_of_axi(AxiNetwork(RoutedNetwork(FatCube(1))))
    assert "every m_axis_e must be taken." in " ".join(lines)
    first = lines.index("Counted from reset on, up to 65,535:")
    assert lines[first : first + 4] == [
        "Counted from reset on, up to 65,535:",
        "  unknown_count_e   dropped packets on s_axis_e whose tdest is not a port",
        "  too_long_count_e  dropped packets on s_axis_e that are too long; none is, as there is no limit",
        "  empty_count_e     packets without a beat; none is ever sent",
    ]
    limited = streams_of_axi(AxiNetwork(RoutedNetwork(FatCube(1)), streams=StreamOptions(store_packets=9)))
    assert "  too_long_count_e  dropped packets on s_axis_e that are too long" in limited
