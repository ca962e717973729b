"""The passage of a packet, flit by flit, against formulas and worked examples."""

import pytest

from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.cycles import StepKinds, lockstep_cycles
from fatcube.schedules.timing.passage import Passage, passages


def passage(rested, messages=1, payload_flits=4, **options):
    [one] = passages(
        RouterOptions(hops=4, width=64, links="half-duplex", **options), [rested], [payload_flits] * messages
    )
    return one


@pytest.mark.parametrize("switching", ["wormhole", "virtual-cut-through", "store-and-forward"])
@pytest.mark.parametrize("pipeline", [1, 2])
@pytest.mark.parametrize("payload_flits", [1, 2, 5, 16])
def test_formula_over_lanes_that_face_the_way(switching, pipeline, payload_flits):
    """In a node and over a link: the passage takes what the formula says, whatever the depth of buffers."""
    depths = (1, 2, 3, 8) if switching == "wormhole" else (20,)
    for depth, channels in [*((depth, 1) for depth in depths), (depths[-1], 2)]:
        whole = {} if switching == "wormhole" else {"longest_packet": depth}
        network = Network(
            Hypercube(1),
            RouterOptions(
                switching=switching, pipeline=pipeline, buffer_depth=depth, virtual_channels=channels, **whole
            ),
        )
        for hops, kinds in ((0, StepKinds(0, 1, 0)), (1, StepKinds(1, 0, 0))):
            [one] = passages(network.options, [[None] * hops], [payload_flits])
            cycles = max(one.sent + 4, one.arrived + 2)
            assert cycles == lockstep_cycles(kinds, network, payload_flits)


def test_latency_over_a_path_by_hand():
    """Three routers of a cycle and two lanes of a register: the header arrives in cycle 5, and four flits after it."""
    assert passage([None, None], link_stages=1, buffer_depth=4) == Passage(4, (6, 8), 9)


def test_a_lane_that_turns_by_hand():
    """The header of three flits would cross in cycle 1, and crosses in 2 as the lane turns, or in 10 as it rests till then.

    Of a buffer of two flits, the third has room in the cycle after the header left.
    """
    assert passage([-5], payload_flits=2, buffer_depth=2) == Passage(3, (4,), 5)
    assert passage([10], payload_flits=2, buffer_depth=2) == Passage(11, (12,), 13)
    assert passage([10], payload_flits=2, buffer_depth=4) == Passage(2, (12,), 13)


def test_a_late_lane_holds_up_the_lane_before_it_by_hand():
    """The second lane opens in cycle 10: two flits wait at it, so the third and last crosses the first lane in cycle 11."""
    assert passage([None, 10], payload_flits=2, buffer_depth=2) == Passage(2, (11, 12), 13)
    assert passage([None, 10], payload_flits=2, buffer_depth=3) == Passage(2, (3, 12), 13)


def test_messages_of_a_packet_leave_gaps_by_hand():
    """The second header leaves three cycles after the first, so the gap hides the cycle in which the first was decided on."""
    assert passage([None], messages=2, payload_flits=1, pipeline=2) == Passage(4, (6,), 7)
    assert passage([None], messages=2, payload_flits=1, pipeline=1) == Passage(4, (5,), 6)


def test_copies_by_hand():
    """A copy inside the node is ahead of the one over a lane that opens in cycle 10 by one flit."""
    options = RouterOptions(ports="b", buffer_depth=8, links="half-duplex")
    inside, over = passages(options, [[], [10]], [2])
    assert (inside.arrived, over.crossed) == (12, (12,))
    inside, over = passages(options, [[], [None]], [2])
    assert (inside.arrived, over.crossed) == (3, (3,))


def test_a_channel_bids_again_after_a_gap_by_hand():
    """Flits leave the sender in cycles 0, 1, 3 and 4. With virtual channels the third comes after the second has left.

    It waits a cycle longer in each router: the first is left in 1, 2, 5 and 6, the second in 2, 3, 7 and 8. With two stages, in
    which the header waits a cycle too, the first is left in 2, 3, 5 and 6, the second in 4, 5, 7 and 8.
    """
    for pipeline in (1, 2):
        options = RouterOptions(virtual_channels=2, ejection_channels=1, pipeline=pipeline, buffer_depth=4)
        assert passages(options, [[None]], [1, 1]) == [Passage(4, (6,), 8)]


def test_a_channel_that_had_no_credit_bids_again_by_hand():
    """Three headers with a flit each leave the sender in cycles 0, 1, 3, 4, 6 and 7, and the first router in 1, 2, 5, 6, 7 and 8.

    They leave the second in 2, 3, 7, 8, 9 and 10. With buffers of three flits, the room that the third makes there is seen in
    cycle 9, and as the last one had none in cycle 8, it bids again: it leaves the first router in 10, and the second after a gap,
    in 12.
    """
    for depth, left in ((4, (8, 10)), (3, (10, 12))):
        options = RouterOptions(virtual_channels=2, ejection_channels=1, buffer_depth=depth)
        assert passages(options, [[None]], [1, 1, 1]) == [Passage(7, left[:1], left[1])]


@pytest.mark.parametrize(
    ("flits", "expected"), [(4, Passage(7, (8,), 9)), (2, Passage(5, (6,), 7)), (1, Passage(1, (5,), 6))]
)
def test_a_circuit_by_hand(flits, expected):
    """The header takes two cycles in each of two routers, and the payload waits for it; a single flit waits in the buffer."""
    assert passages(RouterOptions(switching="circuit"), [[None]], [flits]) == [expected]
