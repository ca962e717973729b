# amaranth: UnusedElaboratable=no
"""The units of a router that each option reaches: one that reaches some kinds of a unit and not others is found."""

import dataclasses
import functools
import itertools
import warnings

from amaranth.back import rtlil
from amaranth.hdl import UnusedElaboratable
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.channel_units import ChannelUnits
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.router_units import RouterUnits

#: Routers that have every kind of unit between them.
KINDS = {
    "plain": {},
    "channels": {"virtual_channels": 2, "injection_channels": 1, "ejection_channels": 1},
    "side by side": {"virtual_channels": 2, "injection_channels": 2, "ejection_channels": 2},
    "copies": {"ports": "b"},
    "circuits": {"switching": "circuit"},
    "limits": {"longest_packet": 4, "stop_timeout": 5},
}
#: Another value of each option.
CHANGED = {
    "ports": "d",
    "width": 40,
    "buffer_depth": 6,
    "buffer_memory": "registers",
    "pipeline": 2,
    "link_stages": 1,
    "links": "half-duplex",
    "turn_round": 3,
    "hops": 3,
    "switching": "virtual-cut-through",
    "setup_retry": 8,
    "longest_packet": 5,
    "stop_timeout": 7,
    "virtual_channels": 4,
    "channel_classes": 2,
    "injection_channels": 3,
    "ejection_channels": 3,
    "turns": "all",
    "arbiter": "least-recent",
}
INPUTS = {"input of processor", "input of lane"}
OUTPUTS = {"output to processor", "output to lane"}
FEEDS = {"feed of processor", "feed of lane"}
LANES = {"feed of lane", *INPUTS, "output to lane", "allocator"}  # another kind of lane, and inputs that give credits
SIDES = {"feed of processor", "output to processor"}  # where packets are side by side, if they are on lanes
ROUTES = {*INPUTS, "allocator"}
#: Several channels ask for the direction of a lane with room for whole packets; what turns is not in the router.
SHARED_LANES = (
    set(),
    {
        "channels": {"feed of lane", *INPUTS, "output to lane", "allocator", "guard", "gate"},
        "side by side": {"feed of lane", *INPUTS, *OUTPUTS, "allocator", "guard"},
    },
)
#: With channels, packets are cut before the input of a processor.
GUARDED = {one: {"guard"} for one in ("channels", "side by side")}
#: The units that an option reaches in each router that can have it, and where that differs, with the reason.
REACHES = {
    "ports": (ROUTES, {"copies": ROUTES | {"output to lane"}}),  # which keeps a part of a mask
    "width": (FEEDS | INPUTS | OUTPUTS, {}),
    "buffer_depth": (
        INPUTS,
        {
            "channels": INPUTS | {"output to lane"},
            "side by side": INPUTS | OUTPUTS,
        },  # credits, and queues to deliver from
    ),
    # Buffers of two flits are registers.
    "buffer_memory": (set(), {"channels": INPUTS, "side by side": INPUTS | {"output to processor"}}),
    # With channels, where bids are made; and buffers are deeper.
    "pipeline": ({"allocator"}, {"channels": INPUTS | {"output to lane"}, "side by side": INPUTS | OUTPUTS}),
    "link_stages": (
        {"registers"},
        # Deeper buffers.
        {"channels": INPUTS | {"output to lane", "registers"}, "side by side": INPUTS | OUTPUTS | {"registers"}},
    ),
    "links": SHARED_LANES,
    "turn_round": SHARED_LANES,  # which only half-duplex links have
    "hops": (ROUTES, {"copies": ROUTES | {"output to lane"}}),
    "switching": (
        INPUTS,
        {
            "channels": INPUTS | {"output to lane", "allocator", "guard", "gate"},  # room for whole packets
            "side by side": INPUTS | OUTPUTS | {"allocator", "guard"},
            "copies": ROUTES,
            "circuits": INPUTS | {"feed of lane", "output to lane"},  # no answers
        },
    ),
    "setup_retry": (LANES, {}),
    "longest_packet": (
        INPUTS,
        {
            "channels": {"output to lane", "guard"},
            "side by side": {"output to lane", "guard"},
            "circuits": {"input of processor"},  # where packets are cut
        },
    ),
    "stop_timeout": ({"input of processor"}, GUARDED),
    "virtual_channels": (
        LANES | SIDES,
        {"limits": LANES | SIDES | {"guard"}}
        | {
            one: {"feed of lane", *INPUTS, "output to lane", "allocator"} for one in ("channels", "side by side")
        },  # more of them
    ),
    "channel_classes": (
        LANES | {"output to processor"},
        {"channels": ROUTES, "limits": LANES | {"output to processor", "guard"}},
    ),
    "injection_channels": (
        LANES | SIDES,
        {"limits": LANES | SIDES | {"guard"}}
        | {one: {"feed of processor", "input of processor"} for one in ("channels", "side by side")},
    ),
    "ejection_channels": (
        LANES | SIDES,
        {"limits": LANES | SIDES | {"guard"}}
        | {one: {*INPUTS, "output to processor", "allocator"} for one in ("channels", "side by side")},
    ),
    "turns": (ROUTES, {}),
    "arbiter": ({"allocator"}, {}),
}


@functools.cache
def units(**options):
    """The RTLIL text of each unit of a router with these options."""
    parameters = Network(FatCube(2, 2), RouterOptions(**{"width": 32, **options})).router()
    several, lane = parameters.options.virtual_channels > 1, parameters.processor_ports
    make = ChannelUnits(parameters) if several else RouterUnits(parameters)
    found = {
        "feed of processor": make.feed(0),
        "feed of lane": make.feed(lane),
        "input of processor": make.input(0),
        "input of lane": make.input(make.sources.index(lane)),
        "output to processor": make.output(0),
        "output to lane": make.output(lane),
        "allocator": make.allocator(),
    }
    if several:
        found |= {"guard": make.guard(0), "gate": make.gate(0)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnusedElaboratable)
        registers = len(make.registers(lane))
    texts = {
        place: rtlil.convert(unit, name="unit", emit_src=False) for place, unit in found.items() if unit is not None
    }
    return {"guard": None, "gate": None, **texts, "registers": registers}


def test_every_option_is_looked_at():
    names = {field.name for field in dataclasses.fields(RouterOptions)}
    assert names == set(CHANGED) == set(REACHES)


#: In every run each option is changed in these routers, which have most kinds of units between them, and in others where
#: what it reaches is in no router of these two. Of 38 options forgotten in one place of the two files of units, one at a
#: time, these cases find as many as all.
EVERY_RUN = {"plain", "side by side"}
FURTHER = {
    "copies": {"ports", "hops", "pipeline", "switching", "width"},
    "channels": {"links", "switching", "width"},
    "circuits": {"longest_packet", "setup_retry", "switching"},
    "limits": {"longest_packet", "stop_timeout", "virtual_channels"},
}
#: A plain router becomes one with channels by each of these and by ``virtual_channels``.
CHANNELS_ALONE = {"channel_classes", "injection_channels", "ejection_channels"}


def cases():
    for option, kind in itertools.product(CHANGED, KINDS):
        often = kind in EVERY_RUN and not (kind == "plain" and option in CHANNELS_ALONE)
        marks = () if often or option in FURTHER.get(kind, ()) else pytest.mark.long
        yield pytest.param(option, kind, marks=marks, id=f"{option}-{kind}")


@pytest.mark.parametrize(("option", "kind"), cases())
def test_an_option_reaches_its_units(option, kind):
    """Catches an option that is forgotten in one kind of unit, as in one of three kinds of outputs."""
    everywhere, elsewhere = REACHES[option]
    given = KINDS[kind]
    try:
        before, after = units(**given), units(**{**given, option: CHANGED[option]})
    except ParameterError:
        assert kind not in elsewhere
        return
    assert {place for place in before if before[place] != after[place]} == elsewhere.get(kind, everywhere)
