"""Half a minute of the tests of `make soak`, and faults that they must find: see tests/support/soak.py."""

import inspect
import itertools
import random
import re
import sys

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.allocators.allocator import Allocator
from fatcube.rtl.allocators.copying_allocator import CopyingAllocator
from fatcube.rtl.arbiters.round_robin import RoundRobinArbiter
from fatcube.rtl.buffer import TwoFlitBuffer
from fatcube.rtl.deep_buffer import MemoryBuffer, QueuedBuffer
from fatcube.rtl.inputs.input_unit import InputUnit
from fatcube.rtl.inputs.limited_input import LimitedInput
from fatcube.rtl.outputs.credits import CreditCounter
from fatcube.rtl.queue import FlitQueue
from fatcube.rtl.router_options import RouterOptions
from tests.support import caches, soak, soak_networks
from tests.support.cases import some
from tests.support.soak import CHOICES, MODELS, Case, Outcome, case_of

CHANNELS = Case(
    FatCube(1, 2), RouterOptions(virtual_channels=2, channel_classes=2, buffer_depth=5, link_stages=1), alone=False
)
STORED = Case(FatCube(1, 2), RouterOptions(switching="store-and-forward", buffer_depth=8, longest_packet=8))
QUEUED = Case(FatCube(1, 2), RouterOptions(buffer_depth=5, buffer_memory="block"))
CIRCUITS = Case(FatCube(1, 2), RouterOptions(switching="circuit", setup_retry=3), alone=False)
SMALL = {"1": Case(FatCube(1, 2), RouterOptions()), "b": Case(FatCube(1, 3), RouterOptions(ports="b"))}


@pytest.mark.parametrize("case", some([MODELS["1"], MODELS["b"], CHANNELS, STORED, CIRCUITS], [2]), ids=str)
def test_nothing_is_lost(case):
    outcome = soak.soak(case, flits=100_000, seed=1000)
    assert outcome.wrong == []
    assert outcome.flits >= 100_000 and outcome.resets > 3  # three of them in the run that is repeated
    assert outcome.illegal == outcome.errors > 1000


def _plant(monkeypatch, part, line, instead):
    """Build routers with a part in whose file one line is replaced."""
    file = inspect.getsourcefile(part)
    source = open(file).read()
    assert source.count(line) == 1
    names = {"__name__": part.__module__}
    exec(compile(source.replace(line, instead), file, "exec"), names)
    monkeypatch.setattr(part, "elaborate", names[part.__name__].elaborate)


COUNTED = "routers counted [0-9]+ headers for turns that are not there, where [0-9]+ were sent"
LOST = "endpoint [0-9]+: [0-9]+ packets? lost"
STALLED = "the run stalled: .*"
OTHER = "a run behind resets in the middle is another than after power-up"
#: Planted faults: the router, its part, a line there, its replacement, and a part of the message of soaking.
FAULTS = {
    "an illegal bit beside a legal one does not count": (
        *(SMALL["b"], InputUnit, "missing.eq(others.any() | nowhere)", "missing.eq(nowhere)", COUNTED),
    ),
    "a register without reset": (
        *(SMALL["1"], InputUnit, "expect_header = Signal(init=1)", "expect_header = Signal(init=1, reset_less=True)"),
        OTHER,
    ),
    "an illegal header alone does not count": (
        *(
            SMALL["1"],
            InputUnit,
            "self.header & self.allocator.discard)",
            "self.header & self.allocator.discard & ~self.flit.last)",
        ),
        COUNTED,
    ),
    "of an illegal packet only the header is discarded": (
        *(
            SMALL["1"],
            InputUnit,
            "requesting & nowhere | ~requesting & self.allocator.discard",
            "requesting & nowhere",
            STALLED,
        ),
    ),
    "what follows an illegal packet is discarded too": (
        *(SMALL["1"], InputUnit, "~requesting & self.allocator.discard", "self.allocator.discard", LOST),
    ),
    "two win": (
        *(SMALL["1"], RoundRobinArbiter, "self.winner.eq(rotating_first(self.requests, first))"),
        *("self.winner.eq(self.requests)", LOST),
    ),
    "flits are taken without room": (
        *(SMALL["1"], TwoFlitBuffer, "self.i.ready.eq(~full)", "self.i.ready.eq(1)", LOST),
    ),
    "an output stays held across a reset": (
        *(SMALL["1"], Allocator, "free = Signal(init=1, name", "free = Signal(init=1, reset_less=True, name", OTHER),
    ),
    "a copy that was taken is forgotten": (
        *(SMALL["b"], CopyingAllocator, "already.eq(already | ready", "already.eq(ready", "endpoint .*"),
    ),
    "the outputs of a copied packet are free too early": (
        *(SMALL["b"], CopyingAllocator, "(leaving & last).any() & ready", "leaving.any() & ready", LOST),
    ),
    "flits are sent without credits": (*(CHANNELS, CreditCounter, "room.eq(after != 0)", "room.eq(1)", LOST),),
    "a credit is lost": (
        *(CHANNELS, CreditCounter, "credits + self.returned", "credits + (self.returned & credits.any())", STALLED),
    ),
    "a memory takes flits without room": (
        *(STORED, MemoryBuffer, "full.eq(level_next == self.depth)", "full.eq(level_next > self.depth)", LOST),
    ),
    "a flit passes those in the queue": (
        *(QUEUED, QueuedBuffer, "(waiting | ~front.i.ready)", "~front.i.ready", ".*"),
    ),
    "a queue takes flits without room": (
        *(QUEUED, FlitQueue, "room | self.o.ready if self.replaces else room", "1", LOST),
    ),
    "a header goes on before its packet is there": (
        *(STORED, LimitedInput, "whole = self._whole(m, ", "whole = ~self._whole(m, ", STALLED),
    ),
    "a header behind one that was refused is taken for payload": (
        *(CIRCUITS, InputUnit, "with m.If(self.restart):", "with m.If(0):", STALLED),
    ),
}
QUICK = ("a register without reset",)


@pytest.mark.parametrize(
    "fault", [pytest.param(fault, marks=[] if fault in QUICK else pytest.mark.grid) for fault in FAULTS]
)
def test_a_fault_is_found(monkeypatch, tmp_path, fault):
    case, part, line, instead, found = FAULTS[fault]
    caches.share_builds(tmp_path)
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path))
    _plant(monkeypatch, part, line, instead)
    outcome = soak.soak(case, flits=50_000, seed=1)
    assert any(re.match(found, line) for line in outcome.wrong), outcome


def test_every_pair_of_options():
    """Every pair of option values is in a case, or is refused with any other values, of which random ones are tried."""
    covered = {(name, value) for name in CHOICES for value in CHOICES[name]}
    cases = soak.cover()
    assert 18 <= len(cases) <= 32
    dice = random.Random(5)
    missing = set()
    for (one, first), (other, second) in itertools.combinations(sorted(covered, key=repr), 2):
        if one == other or any(_has(case, one, first) and _has(case, other, second) for case in cases):
            continue
        missing.add(((one, first), (other, second)))
    for pair in missing:
        for _ in range(300):
            drawn = {name: dice.choice(values) for name, values in CHOICES.items()}
            with pytest.raises(ParameterError):
                case_of(drawn | dict(pair))


def _has(case, name, value):
    """True if a case has this choice."""
    options = case.options
    if name == "place":
        return value == ("alone" if case.alone else "link_stages" if options.link_stages else "network")
    if name == "switching":
        return value == options.switching + " with retries" * (options.setup_retry > 0)
    if name == "virtual_channels" and options.channel_classes < options.virtual_channels:
        return value == f"{options.virtual_channels} in {options.channel_classes} classes"
    chosen = getattr(options, name)
    return value == (chosen.value if name == "ports" else chosen)


@pytest.mark.parametrize(("wrong", "status"), [([], 0), (["a flit is lost"], 1)])
def test_faults_are_reported(monkeypatch, capsys, wrong, status):
    """A fault is reported in the table, in a line, and by the exit status."""
    monkeypatch.setattr(soak, "soak", lambda case, **_: Outcome(flits=1234, packets=77, wrong=wrong))
    monkeypatch.setattr(sys, "argv", ["soak", "--only", "b alone"])
    with pytest.raises(SystemExit) as ended:
        soak.main()
    assert ended.value.code == status
    printed = capsys.readouterr().out
    assert "1,234" in printed and ("b alone: a flit is lost" in printed) == bool(wrong)


@pytest.mark.parametrize("name", some(["torus", "lanes", "virtual cut-through, channels"], [1, 2]))
def test_networks_with_a_routing(name):
    arrived, wrong = soak_networks.soak(name, packets=10_000, seed=1000, cycles=5_000)
    assert wrong == []
    assert arrived >= 10_000


def test_every_network_that_is_soaked_can_be_made():
    for name in soak_networks.NETWORKS:
        soak_networks.network(name)
