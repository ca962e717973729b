"""The plane of start-up time and time per flit, and the page that is written from it."""

import dataclasses
from fractions import Fraction
import re

import pytest

from experiments.experiment import read_stored
from experiments.machine_costs.experiment import EXPERIMENT, NETWORKS, networks_of
from experiments.machine_costs.hardware import measure_hardware
from experiments.machine_costs.offers import WAYS, Offer, offers_of, sectors
from experiments.machine_costs.page import page
from experiments.machine_costs.plane import TAU
from fatcube.noc.network import Network
from fatcube.noc.topologies import make_topology
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.construct import best
from fatcube.schedules.cycles import largest_packets
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import StepModel
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all
from fatcube.studies.model_cells import PAYLOAD_FLITS, Result
from fatcube.studies.models import cells_of
from tests.support.children import HANG
from tests.support.experiments import REPORTS, text_of

ADJACENT, COMBINING, DIRECT, DIRECT_COMBINING = WAYS


def offer(way, steps, messages):
    return Offer(way, steps, messages, 0, 0)


def test_time_by_hand():
    """Three steps of 1, 2 and 4 messages of 16 flits: 3 cycles each, and 17 for each message, which is what the RTL takes."""
    assert offer(COMBINING, 3, 7).time(4, 16) == 3 * 3 + 7 * 17 == 128
    assert offer(ADJACENT, 7, 7).time(4, 16) == 7 * (16 + 4)
    assert offer(ADJACENT, 2, 2).time(Fraction(50), 1) == 2 * (50 + 1)


@pytest.mark.parametrize(
    ("offers", "found"),
    [
        # As many messages in fewer steps: always.
        ([(ADJACENT, 7, 7), (COMBINING, 3, 7)], [(1, None, COMBINING)]),
        # 6 (x - 1) = 3 * 17.
        ([(ADJACENT, 9, 9), (COMBINING, 3, 12)], [(1, Fraction(19, 2), ADJACENT), (Fraction(19, 2), None, COMBINING)]),
        # Of the same time the first.
        ([(ADJACENT, 4, 4), (DIRECT, 4, 4)], [(1, None, ADJACENT)]),
        # One that is never the fastest.
        ([(ADJACENT, 4, 4), (COMBINING, 4, 6), (DIRECT, 2, 4)], [(1, None, DIRECT)]),
        # Two schedules of one way are one sector: 17 from the first, 34 to the second.
        (
            [(ADJACENT, 4, 4), (COMBINING, 3, 5), (COMBINING, 2, 7)],
            [(1, Fraction(18), ADJACENT), (Fraction(18), None, COMBINING)],
        ),
    ],
)
def test_sectors_by_hand(offers, found):
    assert [(one.start, one.end, one.offer.way) for one in sectors([offer(*one) for one in offers], 16)] == found


@pytest.mark.parametrize("flits", [1, 16, 300])
def test_sectors_by_force(flits):
    """On a fine grid of ratios no offer is faster than that of the sector."""
    offers = [offer(ADJACENT, 9, 9), offer(COMBINING, 6, 10), offer(COMBINING, 3, 13), offer(DIRECT, 8, 8)]
    offers += [offer(DIRECT_COMBINING, 2, 18)]
    found = sectors(offers, flits)
    for ratio in (1 + Fraction(number, 7) for number in range(1, 40 * (flits + 1) * 7, 5)):
        [sector] = [one for one in found if one.start <= ratio and (one.end is None or ratio < one.end)]
        best = min(one.time(ratio, flits) for one in offers)
        ways = {one.way for one in offers if one.time(ratio, flits) == best}
        assert sector.offer.way in ways
    assert len(found) > 2


def test_sectors_of_nothing():
    with pytest.raises(ValueError, match="an offer"):
        sectors([], 16)


@pytest.fixture(scope="module")
def networks():
    return networks_of(read_stored(EXPERIMENT, REPORTS), REPORTS)


def test_the_formula_is_what_the_hardware_takes(networks):
    """Adjacent transfers on links that nothing has to wait for: in exactly these cycles, whatever is combined."""
    cells = [
        one
        for network in networks
        for one in (*network.results, *network.pairs)
        if one.transfers == "adjacent" and one.links != "half-duplex" and one.cycles is not None
    ]
    assert len(cells) > 200
    for one in cells:
        [found] = offers_of([one])
        assert found.time(TAU, PAYLOAD_FLITS) == one.cycles, one


def test_messages_are_no_fewer_than_without_combining(networks):
    """A step of n messages can be done in n steps without combining; single messages are one in each step."""
    checked = 0
    for network in networks:
        least = {
            (one.transfers, one.links, one.ports, one.collective): one.lower_bound
            for one in network.results
            if one.per_packet == 1
        }
        for one in (*network.results, *network.pairs):
            if one.messages is not None:
                assert one.messages >= least[one.transfers, one.links, one.ports, one.collective], one
                assert one.per_packet != 1 or one.messages == one.steps
                checked += 1
    assert checked == 3 * (240 + 18)


def test_half_duplex_lanes_share_their_payload_wires(networks):
    """33 wires of 70 on each lane; routers do not differ, and what stands in a lane is as large in all networks."""
    assert [network.topology for network in networks] == list(NETWORKS.values())
    sizes = set()
    for network in networks:
        machines = {(one.transfers, one.links, one.ports): one for one in network.hardware}
        for (transfers, links, ports), one in machines.items():
            full = machines[transfers, "full-duplex", ports]
            if links == "half-duplex":
                assert (full.wires, one.wires) == (70 * one.lanes, 37 * one.lanes)
                sizes.add(one.lane_luts / one.lanes)
                assert transfers == "direct" or one.router_luts == full.router_luts
            else:
                assert one.lane_luts == 0
    assert len(sizes) <= 2 and min(sizes) > 0  # with wormhole switching, and with virtual cut-through


def test_page_says_what_is_so(networks):
    """Planted: fewer cycles for direct transfers than any measured change the answer, and nothing else of it."""
    before = text_of(page(networks, figure="plane.svg"))
    [fat] = [one for one in networks if one.topology == NETWORKS["fat-cube-2-2-1"]]
    changed = [
        Result.from_json({**one.to_json(), "cycles": 100})
        if (one.transfers, one.links, one.per_packet, one.ports, one.collective)
        == ("direct", "full-duplex", 1, "1", "AAS")
        else one
        for one in fat.results
    ]
    planted = [dataclasses.replace(one, results=changed) if one is fat else one for one in networks]
    after = text_of(page(planted, figure="plane.svg"))
    assert "180 to 164 (-9 %; 9 to 8 steps)" in before and "180 to 100 (-44 %; 9 to 8 steps)" in after
    assert re.findall("(?m)^## .*", before) == re.findall("(?m)^## .*", after)


FLITS = 4  # of a message, where registers stand in links


@pytest.mark.long(stays="tests/experiments/test_machine_costs.py::test_sectors_by_force")
@pytest.mark.parametrize(("stages", "wins"), [(0, ADJACENT), (3, COMBINING)])
def test_the_plane_beyond_our_start_up_time(stages, wins):
    """All-gather on a mesh in model d: with 4 flits in a message, packets of two messages win beyond tau = 6 t_c, and with 3
    registers on each link the RTL has tau = 7. Every packet crosses a link, as a node has one processor."""
    found, cycles = gathered(make_topology("mesh", w=4, d=2), 2, stages)
    offers = [offer(way, one.steps, sum(largest_packets(one))) for way, one in found.items()]
    [sector] = [
        one
        for one in sectors(offers, FLITS)
        if one.start <= TAU + stages and (one.end is None or TAU + stages < one.end)
    ]
    assert min(cycles, key=cycles.__getitem__) == sector.offer.way == wins
    assert cycles == {one.way: one.time(TAU + stages, FLITS) for one in offers}


@pytest.mark.long(stays="tests/experiments/test_machine_costs.py::test_the_formula_is_what_the_hardware_takes")
def test_packets_within_a_node_pass_no_registers():
    """All-gather on the fat cube of the paper, of whose steps some are within nodes: these are sooner over than the plane says."""
    found, cycles = gathered(FatCube(2, 2, 1), 4, 3)
    offers = [offer(way, one.steps, sum(largest_packets(one))) for way, one in found.items()]
    assert {one.time(TAU + 3, FLITS) - cycles[one.way] for one in offers} == {3}


def gathered(topology, limit, stages):
    """All-gathers with a message per packet and with up to ``limit``, and the cycles that they take on the RTL, as counted by hand."""
    found = {
        way: best(Problem(topology, "d", "AAB", model=StepModel(per_packet=most)), time_limit=HANG).found
        for way, most in ((ADJACENT, 1), (COMBINING, limit))
    }
    network = Network(topology, RouterOptions(ports="d", link_stages=stages, buffer_depth=12))
    machine = fitting_machine(network, payload_flits=FLITS)
    runs = simulate_all(machine, [Run(schedule=one, payload_flits=FLITS) for one in found.values()])
    assert [one.failures for one in runs] == [(), ()]
    cycles = dict(zip(found, (one.cycles for one in runs)))
    assert cycles == {way: sum(map(max, taken(one, stages, FLITS))) for way, one in found.items()}
    return found, cycles


def taken(schedule, stages, flits):
    """The cycles of each packet, step by step: one within a node passes no registers of a link."""
    written = schedule.expanded()
    for step in range(1, schedule.steps + 1):
        packets = written.packets([one for one in written.transfers if one.step == step])
        yield [TAU - 1 + stages * (one[0].lane is not None) + len(one) * (flits + 1) for one in packets]


@pytest.mark.long(stays="tests/experiments/test_machine_costs.py::test_half_duplex_lanes_share_their_payload_wires")
def test_hardware_of_a_square():
    """The routers and lanes of all machines of a square, one of the turns of which is counted by hand."""
    machines = measure_hardware([one for one in cells_of(Hypercube(2)) if one.ports.value == "1"], time_limit=HANG)
    assert len(machines) == 6
    for one in machines:
        assert one.lanes == 4 and one.luts == one.router_luts + one.lane_luts > 0
        assert one.inputs == (2 if one.links == "simplex" else 3)
        if one.transfers == "adjacent":  # from the processor to each lane, and back
            assert one.turns == (2 if one.links == "simplex" else 4)
