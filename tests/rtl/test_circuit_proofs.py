# amaranth: UnusedElaboratable=no
"""A router with circuits proved: payload, and the answers, whatever comes in; where blocked set-ups wait, and are refused."""

import pytest

from fatcube.rtl.inputs.circuit_input import CircuitInput
from fatcube.rtl.inputs.retry_pause import RetryPause
from tests.support.circuit_router_harness import CircuitRouterHarness, RetryRouterHarness, any_pause
from tests.support.parameters import router_parameters
from tests.support.planted import plant, some_of
from tests.support.prove import Outcome, prove

# A processor and two lanes: three ports, the least with which an answer passes from lane to lane. And two processors and a
# lane, over which headers end here.
PASSING = {"processors": 1, "channels": 2, "hops": 2, "width": 8}
ENDING = {"processors": 2, "channels": 1, "width": 8}


def checked(*, depth=None, seconds=900, goal=None, **options):
    """The outcome for a router with these options."""
    harness = CircuitRouterHarness(router_parameters(switching="circuit", **options), goal=goal)
    return prove(harness, ports=harness.ports, depth=depth, seconds=seconds)


@pytest.mark.parametrize("options", [PASSING, pytest.param(ENDING, marks=pytest.mark.prove)], ids=str)
def test_every_input_can_deliver(options):
    """The assumptions leave room for two packets of each input: otherwise everything could be proved."""
    assert checked(goal=2, depth=20, **options).frame is not None


@pytest.mark.parametrize(
    "options",
    [
        *(
            pytest.param(one, marks=pytest.mark.prove)
            for one in (
                PASSING,
                ENDING,
                {**PASSING, "pipeline": 2},
                {**PASSING, "arbiter": "least-recent"},
            )
        ),
    ],
    ids=str,
)
def test_nothing_ever_goes_wrong(options):
    assert checked(**options) == Outcome(True)


WRONG = {
    "payload does not wait": ("Mux(keeps, answer.granted, self.allocator.advance)", "self.allocator.advance"),
    "the header goes out twice": ("hidden.eq(waiting)", "hidden.eq(0)"),
    "a header alone is answered": ("(Const(bool(self.retry)) | ~unit.flit.last)", "1"),
    "an answer is not passed on": ("here | self.answered.granted", "here"),
    "an answer comes before the header has left": ("leaves & sets_up & here", "sets_up & here"),
    "an answer comes twice": (
        "self.answer.eq(answer)",
        "self.answer.eq(answer.as_value() | self.answered.as_value())",
    ),
}


QUICK = {"payload does not wait", "an answer is not passed on", "an answer comes twice"}


@pytest.mark.parametrize("fault", some_of(WRONG, QUICK))
def test_a_fault_is_found(monkeypatch, fault):
    plant(monkeypatch, CircuitInput, *WRONG[fault])
    assert checked(depth=6, **PASSING).frame is not None


@pytest.fixture
def refused(monkeypatch):
    """The outcome for a router whose blocked set-ups are refused."""
    monkeypatch.setattr(RetryPause, "elaborate", any_pause)

    def checked(*, depth=None, seconds=900, goal=None, **options):
        parameters = router_parameters(switching="circuit", setup_retry=2, **options)
        harness = RetryRouterHarness(parameters, goal=goal)
        return prove(harness, ports=harness.ports, depth=depth, seconds=seconds)

    return checked


@pytest.mark.parametrize("options", [PASSING, pytest.param(ENDING, marks=pytest.mark.prove)], ids=str)
def test_every_input_can_deliver_where_set_ups_are_refused(refused, options):
    assert refused(goal=2, depth=20, **options).frame is not None


REFUSING = {
    "sent again without a refusal": ("hidden.eq(waiting | pause.resting)", "hidden.eq(pause.resting)"),
    "refused though an output is held": ("refuses.eq(enough & ~stays)", "refuses.eq(enough)"),
    "refused too early": ("blocked == self.retry - 1", "blocked == 0"),
    "a refusal is not passed on": ("refused = refuses | self.answered.refused", "refused = refuses"),
    "a refused header stays": (
        "unit.allocator.advance.eq(self.allocator.advance | refuses)",
        "unit.allocator.advance.eq(self.allocator.advance)",
    ),
    "an output stays held": ("released = self.answered.refused | ", "released = "),
    "a header alone frees its output": (
        "self.allocator.last.eq(unit.flit.last & ~to_lane)",
        "self.allocator.last.eq(unit.flit.last)",
    ),
}


@pytest.mark.prove
@pytest.mark.parametrize("fault", REFUSING)
def test_a_fault_of_refusals_is_found(monkeypatch, refused, fault):
    plant(monkeypatch, CircuitInput, *REFUSING[fault])
    assert refused(depth=8, **PASSING).frame is not None


@pytest.mark.prove
def test_nothing_ever_goes_wrong_where_set_ups_are_refused(refused):
    assert refused(**ENDING) == Outcome(True)
    # Where headers pass from lane to lane, with an arbiter that the prover likes better: in test_pair_proofs.py.
    assert refused(depth=8, **PASSING) == Outcome(False, depth=8)
