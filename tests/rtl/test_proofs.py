# amaranth: UnusedElaboratable=no
"""Routers proved: whatever comes in, what goes out is right. What takes longer than seconds is for ``make prove``."""

import pytest

from fatcube.rtl.allocators.allocator import Allocator
from fatcube.rtl.allocators.copying_allocator import CopyingAllocator
from fatcube.rtl.arbiters.round_robin import RoundRobinArbiter
from fatcube.rtl.buffer import TwoFlitBuffer
from fatcube.rtl.inputs.input_unit import InputUnit
from tests.support.cases import some
from tests.support.parameters import router_parameters
from tests.support.planted import plant
from tests.support.prove import Outcome, prove
from tests.support.router_harness import RouterHarness

# Two processors and a lane: three ports, the least with which two inputs want one output.
SMALLEST = {"processors": 2, "channels": 1, "width": 8}
LONGEST_PACKET = 3


def longest_stay(inputs):
    """Cycles in front of a buffer where so many inputs reach the output: one in which headers meet,
    those of a packet of each other input, and the flit's own."""
    return 1 + (inputs - 1) * LONGEST_PACKET + 1


def checked(*, depth=None, seconds=900, longest=None, patience=None, goal=None, **options):
    """The outcome for the smallest router with these options."""
    harness = RouterHarness(router_parameters(**{**SMALLEST, **options}), longest=longest, patience=patience, goal=goal)
    return prove(harness, ports=harness.ports, depth=depth, seconds=seconds)


# Models d and * differ at four and at five ports.
D_PORT = {"ports": "d", "processors": 1, "channels": 2}
ALL_PORT = {"ports": "*", "width": 10}
# Of a switch, which has no lanes.
SWITCH = {"processors": 3, "channels": 0, "buffer_depth": 1}
# Copies that may go on to a network: room for the whole packet behind all of them.
ROOMY = {"ports": "b", "switching": "virtual-cut-through", "longest_packet": 2}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ports": "b"},
        SWITCH,
        *(
            pytest.param(one, marks=pytest.mark.prove)
            for one in (
                D_PORT,
                ALL_PORT,
                {**SWITCH, "ports": "b"},
                {"buffer_depth": 1},
                {"buffer_depth": 1, "ports": "b"},
                {"buffer_depth": 1, "pipeline": 2},
                {"buffer_depth": 1, "pipeline": 2, "arbiter": "least-recent"},
                {"arbiter": "deficit"},
                {"arbiter": "least-recent"},
                {"turns": "all"},
                {"pipeline": 2},
                {"arbiter": "least-recent", "pipeline": 2},
                {"ports": "b", "pipeline": 2, "buffer_depth": 1},
                {**D_PORT, "buffer_depth": 1, "pipeline": 2, "arbiter": "least-recent"},
                {**ALL_PORT, "buffer_depth": 1, "pipeline": 2, "arbiter": "least-recent"},
                ROOMY,
                {**ROOMY, "pipeline": 2},
                {"switching": "virtual-cut-through", "longest_packet": 2},
                {"switching": "store-and-forward", "longest_packet": 2},
            )
        ),
    ],
    ids=str,
)
def test_every_input_can_deliver(options):
    """The assumptions leave room for two packets of each input: otherwise everything could be proved."""
    assert checked(goal=2, depth=16, **options).frame is not None


def test_nothing_goes_wrong_at_first():
    assert checked(depth=5) == Outcome(False, depth=5)


@pytest.mark.parametrize(
    "options",
    [
        {"buffer_depth": 1},
        {"buffer_depth": 1, "pipeline": 2, "arbiter": "least-recent"},
        {"buffer_depth": 1, "ports": "b"},
        SWITCH,
        *(
            pytest.param(one, marks=pytest.mark.prove)
            for one in (
                {},
                {**SWITCH, "ports": "b"},
                {"buffer_depth": 1, "pipeline": 2},
                {"arbiter": "deficit"},
                {"arbiter": "least-recent"},
                {"arbiter": "least-recent", "pipeline": 2},
                {"turns": "all"},
                {"pipeline": 2},
                {"ports": "b"},
                {"ports": "b", "pipeline": 2, "buffer_depth": 1},
                D_PORT,
                {**D_PORT, "buffer_depth": 1},
                {**D_PORT, "buffer_depth": 1, "pipeline": 2, "arbiter": "least-recent"},
                ALL_PORT,
                {**ALL_PORT, "buffer_depth": 1},
                {**ALL_PORT, "buffer_depth": 1, "pipeline": 2, "arbiter": "least-recent"},
                ROOMY,
                {**ROOMY, "pipeline": 2},
                {"switching": "virtual-cut-through", "longest_packet": 2},
                {"switching": "store-and-forward", "longest_packet": 2},
            )
        ),
    ],
    ids=str,
)
def test_nothing_ever_goes_wrong(options):
    assert checked(**options) == Outcome(True)


@pytest.mark.parametrize(
    ("inputs", "options"),
    [
        (2, {"pipeline": 2, "arbiter": "least-recent"}),
        *(
            pytest.param(inputs, options, marks=pytest.mark.prove)
            for inputs, options in (
                (2, {}),
                (2, {"pipeline": 2}),
                (2, {"arbiter": "least-recent"}),
                (3, {"turns": "all"}),
                (3, {"turns": "all", "arbiter": "least-recent"}),
            )
        ),
    ],
    ids=str,
)
def test_no_flit_stays_for_long(inputs, options):
    """And a shorter bound fails, which catches one that no trace comes near, and with it a count that does not count."""
    bounded = {"longest": LONGEST_PACKET, **options}
    assert checked(patience=longest_stay(inputs), **bounded) == Outcome(True)
    assert checked(patience=longest_stay(inputs) - 1, depth=13, **bounded).frame is not None


def _whoever(self, platform, whole=RoundRobinArbiter.elaborate):
    """An arbiter that lets two win."""
    m = whole(self, platform)
    m.d.comb += self.winner.eq(self.requests)
    return m


def _kept(self, platform, whole=InputUnit.elaborate):
    """An input that goes on requesting after its header."""
    m = whole(self, platform)
    with m.If(self.allocator.advance & self.allocator.valid):
        m.d.sync += self.allocator.requests.eq(self.allocator.requests)
    return m


def _blocked(self, platform, whole=InputUnit.elaborate):
    """An input in which a packet for no output stays for ever."""
    m = whole(self, platform)
    m.d.sync += self.allocator.discard.eq(0)
    return m


def _cut(self, platform, whole=InputUnit.elaborate):
    """An input that discards the header only of a packet for no output."""
    m = whole(self, platform)
    with m.If(self.allocator.discard):
        m.d.sync += [self.allocator.discard.eq(0), self.allocator.requests.eq(1)]
    return m


def _dropped(self, platform, whole=TwoFlitBuffer.elaborate):
    """A buffer that says that it has room when it has none."""
    m = whole(self, platform)
    m.d.comb += self.i.ready.eq(1)
    return m


def _changed(self, platform, whole=InputUnit.elaborate):
    """A flit with a bit that depends on who leaves."""
    m = whole(self, platform)
    m.d.comb += self.flit.data[0].eq(self.allocator.advance)
    return m


@pytest.mark.parametrize(
    ("part", "fault"),
    [
        (RoundRobinArbiter, _whoever),
        pytest.param(InputUnit, _kept, marks=pytest.mark.long),
        (InputUnit, _cut),
        pytest.param(TwoFlitBuffer, _dropped, marks=pytest.mark.long),
        (InputUnit, _changed),
    ],
    ids=["two win", "requests kept", "header discarded", "no room", "bit changed"],
)
def test_a_fault_is_found(monkeypatch, part, fault):
    monkeypatch.setattr(part, "elaborate", fault)
    assert checked(depth=8).frame is not None


def test_a_packet_that_stays_is_found(monkeypatch):
    """No wrong flit comes out, but right ones behind it do not either."""
    monkeypatch.setattr(InputUnit, "elaborate", _blocked)
    assert checked(depth=4) == Outcome(False, depth=4)
    assert checked(longest=LONGEST_PACKET, patience=longest_stay(2), depth=13).frame is not None


@pytest.mark.parametrize(
    ("line", "instead", "options"),
    some(
        [
            ("lone.eq(~several(requests))", "lone.eq(1)", {}),
            ("others.eq((requests & ~holder).any())", "others.eq(requests.any())", {}),
            ("done.eq(ending & (holding & ready)", "done.eq(holding & ready", {}),
            ("done.eq(ending & (holding & ready)", "done.eq(ending & ready", {}),
            ("ending & stays_free |", "", {}),
            ("lone & requests.any(), holding)", "lone & requests.any(), 1)", {}),
            ("grant.eq(Mux(free, requests, holder))", "grant.eq(requests)", {}),
            ("(ready & (~free | ~several(requests)))", "ready", {}),
            ("granted=holder if self.stages == 2 else None", "granted=None", {"pipeline": 2}),
            ("select.eq(select_lines(winner))", "select.eq(select_lines(holder))", {"pipeline": 2}),
            ("free.eq(~others)", "free.eq(1)", {"pipeline": 2}),
        ],
        (0, 2, 6, 8),
    ),
)
def test_a_fault_in_the_allocator_is_found(monkeypatch, line, instead, options):
    plant(monkeypatch, Allocator, line, instead)
    assert checked(depth=8, **options).frame is not None


@pytest.mark.prove
@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("~several(self._requests(output)) & state.free[output]", "state.free[output]"),
        ("~several(self._requests(output)) & state.free[output]", "~several(self._requests(output))"),
        ("copied.eq(copied | ready", "copied.eq(ready"),
        (
            "self._of_input(state.turn, source) & Cat(open[output] for output in outputs)",
            "self._of_input(state.turn, source)",
        ),
        ("(passing & last).any() & ready", "passing.any() & ready"),
        ("(leaving & last).any() & ready", "leaving.any() & ready"),
        (
            "            m.d.comb += [\n                grant.eq(Mux(free, requests, holder)),",
            "            m.d.comb += [\n                grant.eq(requests),",
        ),
    ],
)
def test_a_fault_in_copying_is_found(monkeypatch, line, instead):
    plant(monkeypatch, CopyingAllocator, line, instead)
    assert checked(depth=8, ports="b", buffer_depth=1).frame is not None


@pytest.mark.prove
@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("(free & room, alone & room)", "(free & room, alone)"),
        ("(free & room, alone & room)", "(free, alone & room)"),
        ("self.output(output).ready & ~self.output(output).offer", "1"),
    ],
)
def test_a_copy_without_room_is_found(monkeypatch, line, instead):
    plant(monkeypatch, CopyingAllocator, line, instead)
    assert checked(depth=8, **ROOMY).frame is not None
