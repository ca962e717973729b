"""The networks that schedules run on."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.path_network import PathNetwork
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.collective import Message
from fatcube.schedules.construct import best
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.wiring import check_fits, common_network, network_of, wired

CUBE, SQUARE = Hypercube(3), Hypercube(2)
DIRECT = StepModel(transfers="direct")


def found(topology, ports, collective):
    return best(Problem(topology, ports, collective, 0, model=DIRECT), time_limit=0).schedule


def points(network):
    """Crosspoints of the crossbar of every router."""
    router = network.router()
    return sum(len(router.reach(number)) for number in range(router.crossbar_ports))


@pytest.mark.parametrize(
    ("ports", "collective", "before", "after"),
    [
        # Three turns from the processor, three to it, and from lane to lane all six, or the three of dimension order.
        ("1", "AAS", 12, 9),
        # Paths over one link reach the bound: nothing turns from lane to lane.
        ("d", "AAS", 18, 18),
        # Nine from three ports, nine to them and six between lanes; the broadcast has few paths.
        ("d", "OAB", 24, 13),
    ],
)
def test_crosspoints_of_direct_transfers(ports, collective, before, after):
    network = network_of(found(CUBE, ports, collective), RouterOptions(width=64))
    assert (points(Network(CUBE, network.options)), points(network)) == (before, after)


def crossing(first, second):
    """A message from node 0 to node 3 of a square, around one of the corners between them."""
    path = ((first, 0), (second, 0))
    return Schedule(SQUARE, "1", "AAS", None, [Transfer(1, 0, 3, Message(0, 3), path=path)], model=DIRECT)


def test_one_machine_for_several_schedules():
    """Its routers have the turns of each: over channel 0 and then 1, and the other way around."""
    one, other = crossing(1, 3), crossing(2, 3)
    network = common_network([one, other], RouterOptions())
    assert isinstance(network, PathNetwork)
    assert network.taken_turns == {(0, 1), (1, 2), (2, 0), (0, 2), (2, 1), (1, 0)}
    for schedule in (one, other):
        assert check_fits(schedule, network) is schedule
    message = (
        "^schedule must take turns that the routers of its machine have, not that from processor0_send0 to "
        "channel1_lane0_out$"
    )
    with pytest.raises(ParameterError, match=message):
        check_fits(other, network_of(one, RouterOptions()))


def test_the_longest_paths_and_most_parts_count():
    near = Schedule(SQUARE, "1", "AAS", None, [Transfer(1, 0, 1, Message(0, 1), 0)], parts=3, model=DIRECT)
    network = common_network([near, crossing(1, 3)], RouterOptions())
    assert (network.options.hops, network.parts) == (2, 3)
    assert {(0, 1), (1, 0), (1, 2)} <= network.taken_turns


@pytest.mark.parametrize("options", [{}, {"hops": 1}, {"turns": "forward"}, {"turns": "all", "hops": 2}])
def test_other_networks_have_the_turns_of_their_options(options):
    """Adjacent transfers, or turns that are given: the routers are those of a network that knows no schedule."""
    schedule = found(FatCube(2, 2), "1", "AAB")
    assert network_of(schedule, RouterOptions(**options)) == Network(FatCube(2, 2), RouterOptions(**options))
    assert type(network_of(schedule, RouterOptions(**options))) is Network


def test_simplex_lanes_by_hand():
    """Of four lanes the first two leave node 0, and the others node 1: they are lanes 0 and 1 of each direction."""
    transfers = [Transfer(1, 0, 1, Message(0, 1), 1), Transfer(1, 1, 0, Message(1, 0), 3)]
    schedule = Schedule(FatCube(1, 1, 4), "1", "AAS", None, transfers, model=StepModel(links="simplex"))
    assert wired(schedule).topology == FatCube(1, 1, 2)
    assert [one.lane for one in wired(schedule).transfers] == [1, 1]
    assert wired(found(CUBE, "1", "AAS")) == found(CUBE, "1", "AAS")
