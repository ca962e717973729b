"""A node: no output of it follows from an input in the same cycle, which simulation relies on."""

import pytest

from fatcube.noc.machines.machine import MONITORS, Machine
from fatcube.noc.machines.node import Node
from fatcube.noc.network import Network
from fatcube.noc.shared import Shared
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.endpoint.processor import Processor
from fatcube.rtl.router_options import RouterOptions
from tests.support.netlists import paths

OPTIONS = [{}, {"buffer_depth": 1}, {"buffer_depth": 4}, {"buffer_depth": 3}, {"pipeline": 2}]
ROOMY = {"switching": "virtual-cut-through", "longest_packet": 4, "buffer_depth": 4}
FEW = [
    ({}, "1"),
    ({}, "b"),
    (ROOMY, "b"),
    ({"buffer_depth": 1}, "1"),
    ({"buffer_depth": 3}, "b"),
    ({"pipeline": 2}, "1"),
    ({"pipeline": 2}, "b"),
]


@pytest.mark.parametrize(
    ("options", "ports"),
    [
        # With every option a router of each kind of allocator at most, for every day.
        pytest.param(options, ports, marks=() if (options, ports) in FEW else pytest.mark.long)
        for options in (*OPTIONS, ROOMY)
        for ports in "1bd*"
    ],
    ids=str,
)
def test_no_path_through_a_node(ports, options):
    """Catches one that would make a node that is evaluated once per cycle see what its neighbours did a cycle ago."""
    network = Network(FatCube(2, 2, 1), RouterOptions(ports=ports, width=16, **options))
    machine = Machine(network=network, memory_words=16, program_entries=2, reductions=ports == "d")
    # What the host bus reads is not for neighbours: a status says what a port does in this cycle.
    assert paths(Node(machine).shared()) == {"host__value"}


def test_paths_are_found():
    """A processor that is told to go is active in the same cycle: the node has a register behind that."""
    processor = Processor(16, ports=1, message_low=4, message_bits=4, memory_words=16, program_entries=2, host_width=64)
    found = paths(Shared(processor, "processor"))
    assert "active" in found and "send0__valid" in found and "done" not in found


def test_monitors():
    network = Network(FatCube(2, 2, 1), RouterOptions(ports="d"))
    counts = {monitors: len(Machine(network=network, monitors=monitors).streams) for monitors in MONITORS}
    assert counts == {"none": 0, "lanes": 2, "all": 2 + 2 * 2 * 2}
