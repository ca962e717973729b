"""The cycles of packets whose half-duplex lanes turn on the way, on the RTL: along a line, and with copies."""

import itertools
import random

import pytest

from fatcube.noc.latency import turning, turning_formula
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.collective import Message
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.timing.passage import passages
from fatcube.schedules.wiring import common_network
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all

LINE, CUBE = Mesh(w=5, d=1), Hypercube(3)
PAYLOADS = (1, 2, 5, 16)


def along(step, here, there):
    """A transfer along the line."""
    way = 1 if there > here else -1
    nodes = range(here + way, there + way, way)
    lanes = {"lane": 0} if len(nodes) == 1 else {"path": tuple((node, 0) for node in nodes)}
    return Transfer(step, here, there, Message(here, there), **lanes)


def there_and_back(hops, turned):
    """A packet over so many links, of which those at ``turned`` face the other way, and one back, for which all must turn.

    At first all lanes face up the line, so packets down the lanes ``turned`` are sent before. Of a single link, the packet
    down is the one back, if it was not sent before.
    """
    before = [along(1, place + 1, place) for place in turned]
    back = [] if hops == 1 and turned else [along(3, hops, 0)]
    model = StepModel(transfers="direct", links="half-duplex")
    return Schedule(LINE, "1", "AAS", None, [*before, along(2, 0, hops), *back], model=model)


def lines():
    """Paths of every length, on which no lane has to turn, all have to, or some."""
    dice = random.Random(0)
    found = []
    for hops in (1, 2, 3, 4):
        some = [tuple(sorted(dice.sample(range(hops), dice.randint(1, hops - 1)))) for _ in range(3 * (hops > 1))]
        found += [there_and_back(hops, turned) for turned in sorted({(), tuple(range(hops)), *some})]
    return found


def copied(turned):
    """A packet that is copied over three links, of which those at ``turned`` face the other way, and packets back."""
    links = range(3)
    before = [Transfer(step, 1 << link, 0, Message(1 << link, None), 0) for step, link in enumerate(turned, 1)]
    step = len(before) + 1
    copies = [Transfer(step, 0, 1 << link, Message(0, None), 0) for link in links]
    after = [
        Transfer(step + later, 1 << link, 0, Message(1 << link, None), 0)
        for later, link in enumerate((link for link in links if link not in turned), 1)
    ]
    return Schedule(CUBE, "b", "AAB", None, [*before, *copies, *after], model=StepModel(links="half-duplex"))


def check_cycles(schedules, **options):
    """Run schedules on one machine: each takes the predicted cycles, and packets never wait for each other."""
    network = common_network(schedules, RouterOptions(**options)).for_packets(max(PAYLOADS) + 1)
    machine = fitting_machine(network, payload_flits=max(PAYLOADS))
    runs = [
        Run(schedule=schedule, payload_flits=payload_flits)
        for schedule, payload_flits in itertools.product(schedules, PAYLOADS)
    ]
    results = simulate_all(machine, runs)
    assert [result.conflicts for result in results] == [0] * len(runs)
    taken = [result.cycles for result in results]
    assert taken == [lockstep_cycles(run.schedule, network, run.payload_flits) for run in runs]


TURN_ROUNDS = (0, 1, 2, 3, 4, 7, 20)
DAILY = {(7, 4, 2, 1)}
GRID = itertools.product(TURN_ROUNDS, (2, 4, 8), (1, 2), (0, 1))


@pytest.mark.xdist_group("turning lanes")
@pytest.mark.parametrize(
    ("turn_round", "buffer_depth", "pipeline", "link_stages"),
    [pytest.param(*one, marks=() if one in DAILY else pytest.mark.long) for one in GRID],
)
def test_wormhole(turn_round, buffer_depth, pipeline, link_stages):
    """Buffers fill behind a lane that turns late, so the last flits cross the lanes before it later."""
    check_cycles(lines(), turn_round=turn_round, buffer_depth=buffer_depth, pipeline=pipeline, link_stages=link_stages)


CHANNELS = {"switching": "virtual-cut-through", "virtual_channels": 2}
TWO_CYCLES = {**CHANNELS, "pipeline": 2}
ALONE = {"virtual_channels": 2}
OTHERS = (
    {"buffer_depth": 1},
    CHANNELS,
    {"switching": "virtual-cut-through"},
    TWO_CYCLES,
    {**CHANNELS, "link_stages": 1},
    {"switching": "circuit"},
    {"switching": "circuit", "pipeline": 2, "link_stages": 1},
)


@pytest.mark.xdist_group("turning lanes")
@pytest.mark.parametrize(
    ("options", "turn_round"),
    [
        pytest.param(
            options,
            turn_round,
            marks=pytest.mark.long(stays="tests/sim/collectives/test_machines.py::test_every_collective"),
        )
        for options in OTHERS
        for turn_round in (1, 7, 20)
    ],
    ids=str,
)
def test_other_hardware(options, turn_round):
    """Where a packet fits into a buffer, has several channels, asks for permission to begin, or has a circuit."""
    check_cycles(lines(), turn_round=turn_round, **options)


@pytest.mark.xdist_group("turning lanes")
@pytest.mark.parametrize(
    ("options", "turn_round"),
    [
        pytest.param(options, turn_round, marks=() if options == ALONE and turn_round == 1 else pytest.mark.long)
        for options in (ALONE, {**ALONE, "link_stages": 1, "pipeline": 2}, {"pipeline": 2})
        for turn_round in (1, 20)
    ],
    ids=str,
)
def test_store_and_forward(options, turn_round):
    adjacent = [there_and_back(1, turned) for turned in ((), (0,))]
    check_cycles(adjacent, switching="store-and-forward", turn_round=turn_round, **options)


@pytest.mark.parametrize(
    ("switching", "channels"),
    [
        ("wormhole", 1),
        *itertools.product(("virtual-cut-through", "store-and-forward"), (1, 2)),
    ],
)
def test_what_a_lane_adds_is_as_it_is_written(switching, channels):
    """The formula in the description beside the Verilog is the difference of passages, which these tests see on the RTL."""
    registers = (0,) if switching != "wormhole" and channels == 1 else (0, 1, 2)
    for pipeline, link_stages, flits in itertools.product((1, 2), registers, (2, 3, 9, 17)):
        options = RouterOptions(
            switching=switching,
            virtual_channels=channels,
            pipeline=pipeline,
            link_stages=link_stages,
            links="half-duplex",
            buffer_depth=17,
            longest_packet=0 if switching == "wormhole" else 17,
        )
        facing, turned = (passages(options, [[since]], [flits - 1])[0].arrived for since in (None, -99))
        assert turned - facing == eval(turning_formula(options), {"L": flits}) == turning(options, flits)


COPYING = (
    {"buffer_depth": 2, "link_stages": 1},
    {"buffer_depth": 2},
    {"buffer_depth": 4, "pipeline": 2},
    {"switching": "virtual-cut-through"},
    {"switching": "store-and-forward"},
)


@pytest.mark.xdist_group("turning lanes")
@pytest.mark.parametrize("turn_round", [1, 20])
@pytest.mark.parametrize("options", COPYING, ids=str)
@pytest.mark.long(stays="tests/sim/collectives/test_turning_lanes.py::test_wormhole")
def test_copies(options, turn_round):
    """Copies over lanes that turn late hold back the others, which are then free for packets back later."""
    subsets = [turned for number in range(4) for turned in itertools.combinations(range(3), number)]
    check_cycles([copied(turned) for turned in subsets], turn_round=turn_round, **options)
