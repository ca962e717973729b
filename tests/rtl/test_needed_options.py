"""Router options that are not given, and that others need."""

import itertools

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.router_options import RouterOptions

SIDE_BY_SIDE = {"injection_channels": 2, "ejection_channels": 2}


@pytest.mark.parametrize(
    ("given", "chosen"),
    [
        ({"virtual_channels": 2}, {"buffer_depth": 3, **SIDE_BY_SIDE}),
        ({"virtual_channels": 4}, {"buffer_depth": 3, "injection_channels": 4, "ejection_channels": 4}),
        ({"virtual_channels": 4, "channel_classes": 2}, {"buffer_depth": 3, **SIDE_BY_SIDE}),
        # A class with one channel keeps the order of its packets.
        ({"virtual_channels": 4, "channel_classes": 4}, {"buffer_depth": 3}),
        ({"virtual_channels": 4, "injection_channels": 1}, {"buffer_depth": 3, "ejection_channels": 4}),
        ({"virtual_channels": 4, "ejection_channels": 1}, {"buffer_depth": 3, "injection_channels": 4}),
        ({"virtual_channels": 2, "link_stages": 3}, {"buffer_depth": 9, **SIDE_BY_SIDE}),
        ({"channel_classes": 2}, {"virtual_channels": 2, "buffer_depth": 3}),
        (
            {"channel_classes": 2, "ejection_channels": 2},
            {"virtual_channels": 4, "buffer_depth": 3, "injection_channels": 2},
        ),
        ({"injection_channels": 3}, {"virtual_channels": 2, "buffer_depth": 3, "ejection_channels": 2}),
        ({"switching": "store-and-forward"}, {"longest_packet": 8, "buffer_depth": 8}),
        ({"switching": "virtual-cut-through", "longest_packet": 20}, {"buffer_depth": 20}),
        ({"switching": "virtual-cut-through", "buffer_depth": 5}, {"longest_packet": 5}),
        ({"switching": "store-and-forward", "buffer_depth": 16}, {"longest_packet": 8}),
        (
            {"switching": "virtual-cut-through", "link_stages": 1},
            {"virtual_channels": 2, "longest_packet": 8, "buffer_depth": 8, **SIDE_BY_SIDE},
        ),
        (
            {"switching": "virtual-cut-through", "longest_packet": 4, "link_stages": 3},
            {"virtual_channels": 2, "buffer_depth": 9, **SIDE_BY_SIDE},
        ),
        ({"longest_packet": 20}, {}),
        ({"switching": "circuit"}, {}),
        ({"setup_retry": 4}, {"switching": "circuit"}),
        ({"ports": "b", "hops": 2}, {"switching": "virtual-cut-through", "longest_packet": 8, "buffer_depth": 8}),
        ({"buffer_memory": "block"}, {"buffer_depth": 3}),
        ({"turn_round": 2}, {"links": "half-duplex"}),
        ({"links": "half-duplex"}, {}),
        (
            {"links": "half-duplex", "channel_classes": 2},
            {"switching": "virtual-cut-through", "virtual_channels": 2, "longest_packet": 8, "buffer_depth": 8},
        ),
        ({}, {}),
    ],
    ids=str,
)
def test_chosen(given, chosen):
    options = RouterOptions(**given)
    assert options.chosen == chosen
    assert options == RouterOptions(**given, **chosen)


_SOME = {
    "ports": ("1", "b"),
    "switching": ("wormhole", "virtual-cut-through", "store-and-forward", "circuit"),
    "link_stages": (0, 1),
    "virtual_channels": (1, 2, 4),
    "channel_classes": (1, 2),
    "injection_channels": (1, 2),
    "buffer_depth": (1, 2, 3, 8),
    "longest_packet": (0, 4, 9),
}


def _possible(given):
    try:
        return RouterOptions(**given)
    except ParameterError:
        return None


def test_only_contradictions_are_refused():
    """Options refused with some left out are refused with any of the values tried here in their places."""
    left_out = ("virtual_channels", "buffer_depth", "longest_packet")
    others = [name for name in _SOME if name not in left_out]
    tried = 0
    for values in itertools.product(*(_SOME[name] for name in others)):
        given = dict(zip(others, values))
        if _possible(given) is not None:
            continue
        tried += 1
        assert not any(
            _possible({**given, **dict(zip(left_out, rest))})
            for rest in itertools.product(*(_SOME[name] for name in left_out))
        ), given
    assert tried > 20


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"virtual_channels": 2, "buffer_depth": 2},
            "buffer depth must be at least 3 for virtual channels with a pipeline of 1 and 0 link stages, not 2",
        ),
        ({"switching": "store-and-forward", "longest_packet": 0}, "longest packet must be given"),
        ({"injection_channels": 2, "virtual_channels": 1}, "injection channels must be 1 without several"),
        ({"switching": "wormhole", "setup_retry": 3}, "setup retry must be 0 with wormhole switching, not 3"),
        ({"switching": "circuit", "buffer_depth": 3}, "buffer depth must be 2 for circuit switching"),
        ({"switching": "circuit", "buffer_memory": "block"}, "buffer memory must be auto or registers"),
    ],
    ids=str,
)
def test_given_contradictions(given, message):
    with pytest.raises(ParameterError, match=message):
        RouterOptions(**given)


def test_packets():
    whole = RouterOptions(switching="store-and-forward")
    assert whole.for_packets(8) is whole
    assert whole.for_packets(20) == RouterOptions(switching="store-and-forward", longest_packet=20, buffer_depth=20)
    assert RouterOptions().for_packets(20) == RouterOptions()
    assert RouterOptions(switching="store-and-forward", buffer_depth=16).for_packets(12).longest_packet == 12
    with pytest.raises(ParameterError, match="packets must have at most 8 flits"):
        RouterOptions(switching="store-and-forward", longest_packet=8).for_packets(20)
    with pytest.raises(ParameterError, match="buffer depth must be at least 20 for packets of 20 flits"):
        RouterOptions(switching="store-and-forward", buffer_depth=16).for_packets(20)
