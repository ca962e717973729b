# amaranth: UnusedElaboratable=no
"""Routers proved with every pair of options that go together, whatever comes in, besides those of the other proofs."""

from amaranth.utils import ceil_log2
import pytest

from fatcube.rtl.inputs.retry_pause import RetryPause
from tests.support.channel_router_harness import ChannelRouterHarness
from tests.support.circuit_router_harness import CircuitRouterHarness, RetryRouterHarness, any_pause
from tests.support.covering import Covering
from tests.support.pair_cover import CHOICES, CONFIGURATIONS, options, plain, wide
from tests.support.parameters import router_parameters
from tests.support.prove import Outcome, prove
from tests.support.reference_buffer import reference_buffer
from tests.support.router_harness import RouterHarness


def harness(configuration, **claim):
    """The harness of a router with just the width for a route and the number of who sent it."""
    chosen = dict(zip(CHOICES, configuration, strict=True))
    kind = {"circuit": CircuitRouterHarness, "circuit with retries": RetryRouterHarness}.get(
        chosen["switching"], ChannelRouterHarness if chosen["virtual_channels"] > 1 else RouterHarness
    )
    router = wide(chosen)
    lanes = router.crossbar_ports - router.processor_ports
    sources = router.processor_ports + lanes * chosen["virtual_channels"]
    width = router.header.route_bits + max(1, ceil_log2(sources))
    return kind(router_parameters(**options(chosen), width=width), **claim)


LARGEST = ("1", 3, 2, "least-recent", "used", 1, "wormhole", 2)
"""With most registers. What agrees is merged, which shortens the proof."""


@pytest.fixture(autouse=True)
def buffers(monkeypatch):
    """Deep buffers are proved by themselves (test_buffer_proofs.py), and are what that proof says here."""
    monkeypatch.setattr("fatcube.rtl.inputs.input_unit.input_buffer", reference_buffer)


@pytest.fixture(autouse=True)
def pauses(monkeypatch):
    """A refused packet waits for as long as it likes."""
    monkeypatch.setattr(RetryPause, "elaborate", any_pause)


@pytest.fixture(autouse=True)
def keeps(monkeypatch):
    """Packets keep outputs, although the buffers are shallow."""
    monkeypatch.setattr("fatcube.rtl.units.channel_units._KEEPS", 0)


def test_every_pair_is_proved():
    covering = Covering(CHOICES, wide, plain)
    pairs = [covering.pairs(dict(zip(CHOICES, one, strict=True))) for one in CONFIGURATIONS]
    assert covering.possible().keys() == set().union(*pairs)
    assert LARGEST in CONFIGURATIONS
    # None is there for nothing.
    assert all(pairs[index] - set().union(*pairs[:index], *pairs[index + 1 :]) for index in range(len(pairs)))


@pytest.mark.prove
@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
def test_nothing_ever_goes_wrong(configuration):
    largest = configuration == LARGEST
    built = harness(configuration)
    assert prove(built, ports=built.ports, seconds=1800, merged=largest) == Outcome(True)


@pytest.mark.prove
@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
def test_every_input_can_deliver(configuration):
    """The assumptions leave room for two packets of each input: otherwise everything could be proved."""
    built = harness(configuration, goal=2)
    assert prove(built, ports=built.ports, depth=24, seconds=1800).frame is not None
