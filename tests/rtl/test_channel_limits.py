"""Routers with virtual channels and limits of packets, at the limits: too long, stopped, illegal, with too little room."""

import pytest

from fatcube.rtl.router import FatNodeRouter
from tests.support.channels import channel_parameters
from tests.support.covering import Covering
from tests.support.limited_traffic import REST, Traffic
from tests.support.streams import simulate

CHOICES = {
    "virtual_channels": ("2", "3", "2 in 2 classes", "4 in 2 classes"),
    "switching": ("wormhole", "virtual-cut-through", "store-and-forward"),
    "longest_packet": (0, 4, 6),
    "buffer_depth": (5, 6),
    "stop_timeout": (0, REST + 1),
    "injection_channels": (1, 2),
    "ejection_channels": (1, 2),
    "pipeline": (1, 2),
    "link_stages": (0, 1),
}
#: In the order of the names above, as :meth:`Covering.find` gives them.
CONFIGURATIONS = [
    ("3", "virtual-cut-through", 4, 6, 0, 1, 2, 2, 0),
    ("2", "wormhole", 4, 5, 5, 2, 1, 1, 1),
    ("4 in 2 classes", "store-and-forward", 6, 6, 5, 2, 2, 1, 0),
    ("4 in 2 classes", "wormhole", 0, 6, 0, 1, 1, 2, 1),
    ("2 in 2 classes", "virtual-cut-through", 6, 6, 0, 1, 1, 1, 1),
    ("2", "wormhole", 0, 6, 5, 2, 2, 2, 0),
    ("2 in 2 classes", "store-and-forward", 4, 5, 5, 1, 1, 2, 0),
    ("3", "wormhole", 6, 6, 0, 2, 2, 2, 1),
    ("3", "virtual-cut-through", 4, 5, 5, 2, 1, 1, 1),
    ("2", "store-and-forward", 6, 6, 0, 1, 2, 2, 1),
    ("2 in 2 classes", "wormhole", 0, 5, 0, 1, 1, 1, 1),
    ("4 in 2 classes", "virtual-cut-through", 4, 6, 5, 2, 2, 2, 1),
    ("3", "store-and-forward", 4, 5, 5, 1, 1, 1, 1),
    ("2", "virtual-cut-through", 6, 6, 0, 1, 1, 2, 0),
    ("3", "wormhole", 0, 5, 5, 2, 2, 1, 0),
    ("4 in 2 classes", "wormhole", 6, 5, 5, 1, 1, 1, 0),
]


def router_of(chosen):
    """The router with these choices."""
    channels, _, classes = chosen["virtual_channels"].partition(" in ")
    return channel_parameters(
        **{
            **chosen,
            "virtual_channels": int(channels),
            "channel_classes": int(classes.removesuffix(" classes") or 1),
            "hops": 2,
            "message_bits": 10,
        }
    )


def plain(chosen):
    """The choices, and plain ones for those that are missing."""
    return {name: values[0] for name, values in CHOICES.items()} | {"longest_packet": 4} | chosen


def test_every_pair_is_there():
    covering = Covering(CHOICES, router_of, plain)
    pairs = [covering.pairs(dict(zip(CHOICES, one, strict=True))) for one in CONFIGURATIONS]
    assert covering.possible().keys() == set().union(*pairs)


#: Those that have every choice between them.
QUICK = [CONFIGURATIONS[place] for place in (3, 5, 10, 12, 13)]


def test_every_choice_is_in_a_quick_one():
    assert [set(chosen) for chosen in zip(*QUICK)] == [set(choices) for choices in CHOICES.values()]


@pytest.mark.parametrize(
    "configuration",
    [pytest.param(one, marks=() if one in QUICK else pytest.mark.long) for one in CONFIGURATIONS],
    ids=str,
)
def test_at_the_limits(configuration):
    """Catches a credit that is lost or given twice, a header without room, and a packet that is not ended as it must be."""
    router = FatNodeRouter(router_of(dict(zip(CHOICES, configuration, strict=True))))
    traffic = Traffic(router, packets=12, seed=str(configuration))
    simulate(router, traffic.run, *traffic.sources, *traffic.drains)
