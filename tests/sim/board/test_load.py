"""Traffic on a simulated board: the counters of its sources and sinks, read over the serial line."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.board.board import Board
from fatcube.sim.board.fit import board_traffic_machine
from fatcube.sim.board.line import Line, opened
from fatcube.sim.board.virtual import virtual_board
from fatcube.sim.builds.build import build
from fatcube.sim.builds.observe import observe
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from tests.support.children import HANG

pytestmark = pytest.mark.xdist_group("board")

NETWORK = RoutedNetwork(Hypercube(1))
OPTIONS = LoadOptions(loads=(0.2, 1.0), warm_up=200, measured=1000, repeats=2)


class Simulator:
    """A test bench that is a simulator, with the machine of a board."""

    def __init__(self, machine):
        self.machine = machine

    def observe(self, runs, ends):
        return observe(build(self.machine), runs, ends=ends)


@pytest.mark.parametrize(
    "network",
    [
        NETWORK,
        pytest.param(RoutedNetwork(Hypercube(1), addressing="destination"), marks=pytest.mark.long),
        pytest.param(
            RoutedNetwork(Hypercube(2), RouterOptions(virtual_channels=2, buffer_depth=4)), marks=pytest.mark.long
        ),
    ],
    ids=str,
)
def test_same_curve(network):
    """Every figure of every point, histograms among them, is that of the simulator."""
    machine = TrafficMachine(network=network, queue=64, bins=128, ways=8)
    with virtual_board(machine) as virtual, opened(virtual.port, 115200) as port:
        board = Board(Line(port, timeout=HANG))
        assert board.machine == machine
        found = LoadTest(network, OPTIONS, board).points(OPTIONS.loads)
    expected = LoadTest(network, OPTIONS, Simulator(machine)).points(OPTIONS.loads)
    assert found == expected
    assert not any(point.failures for point in found) and found[1].accepted > 2 * found[0].accepted > 0.2


def test_board_machine():
    """A board measures the same as a simulation without one: the queues and histograms are the same."""
    machine = board_traffic_machine(NETWORK)
    test = LoadTest(NETWORK, OPTIONS)
    assert (machine.queue, machine.bins) == (test.machine.queue, test.machine.bins)
    assert machine.ways >= 2 * machine.endpoints


@pytest.mark.parametrize(
    "machine",
    [TrafficMachine(network=RoutedNetwork(Hypercube(2))), Machine(network=Network(Hypercube(1)))],
)
def test_other_bench(machine):
    with pytest.raises(ParameterError, match=r"^bench must be one with the hypercube of 2 nodes and traffic, not "):
        LoadTest(NETWORK, OPTIONS, Simulator(machine)).points([0.1])


@pytest.mark.parametrize(
    "made, burst, said", [(True, 0, "given .* for bursts, not 0"), (False, 4, "0 .* without bursts, not 4")]
)
def test_other_bursts(made, burst, said):
    """A source with bursts creates no packets without burst settings, so a machine with other bursts is refused."""
    bench = Simulator(TrafficMachine(network=NETWORK, bursts=made))
    with pytest.raises(ParameterError, match=f"^burst must be {said}$"):
        LoadTest(NETWORK, LoadOptions(burst=burst), bench).points([0.1])
