# amaranth: UnusedElaboratable=no
"""Offers to a processor stay, with their payload, until they are taken: routers of half-duplex lanes, proved.

The proofs of other routers say it of all their outputs (test_pair_proofs.py). Where the directions of a lane wait for each other,
an offer to the lane may be withdrawn.
"""

import pytest

from fatcube.rtl.inputs.circuit_input import CircuitInput
from fatcube.rtl.inputs.retry_pause import RetryPause
from tests.support.circuit_router_harness import any_pause
from tests.support.offer_harness import OfferHarness
from tests.support.pair_cover import CHOICES, CONFIGURATIONS, options, wide
from tests.support.parameters import router_parameters
from tests.support.planted import plant
from tests.support.prove import Outcome, prove

#: Channels need room for whole packets where a lane has one direction at a time.
HALF_DUPLEX = [one for one in CONFIGURATIONS if not (one[6] == "wormhole" and one[7] > 1)]
#: Not decided without bound in 25 minutes: searched to so many cycles.
SEARCHED = {("*", 2, 1, "deficit", "used", 2, "circuit with retries", 1): 12}
REFUSED = ("1", 2, 1, "least-recent", "all", 2, "circuit with retries", 1)


@pytest.fixture(autouse=True)
def pauses(monkeypatch):
    """A refused header waits for as long as it likes."""
    monkeypatch.setattr(RetryPause, "elaborate", any_pause)


def checked(configuration, *, depth=None, **claim):
    chosen = dict(zip(CHOICES, configuration, strict=True))
    width = wide(chosen).header.route_bits + 4
    harness = OfferHarness(router_parameters(**options(chosen), links="half-duplex", width=width), **claim)
    return prove(harness, ports=harness.ports, depth=depth, seconds=1800)


@pytest.mark.prove
@pytest.mark.parametrize("configuration", HALF_DUPLEX, ids=str)
def test_an_offer_stays(configuration):
    depth = SEARCHED.get(configuration)
    assert checked(configuration, depth=depth) == (Outcome(True) if depth is None else Outcome(False, depth=depth))


def test_an_offer_stays_where_headers_are_refused():
    assert checked(REFUSED, depth=8) == Outcome(False, depth=8)


@pytest.mark.parametrize(
    "configuration",
    [one if one == REFUSED else pytest.param(one, marks=pytest.mark.prove) for one in HALF_DUPLEX],
    ids=str,
)
def test_there_are_offers(configuration):
    """Otherwise everything could be proved."""
    assert checked(configuration, depth=8, goal=True).frame is not None


FAULTS = {
    "an output to a processor is given up": ("stays = alone | self.allocator.held & to_processor", "stays = alone"),
    "one that is held for the first cycle": (
        "self.allocator.held & to_processor",
        "self.allocator.held & to_processor & ~unit.header",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(monkeypatch, fault):
    plant(monkeypatch, CircuitInput, *FAULTS[fault])
    assert checked(REFUSED, depth=8).frame is not None
