# amaranth: UnusedElaboratable=no
"""The units of a router that each option reaches: one that reaches some kinds of a unit and not others is found."""

import dataclasses
import functools
import itertools
import warnings

from amaranth.back import rtlil
from amaranth.hdl import UnusedElaboratable
import pytest

from fatcube.groundwork.options import Option
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.option_checks import KINDS
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.units.channel_units import ChannelUnits
from fatcube.rtl.units.packet_units import PacketUnits

#: Routers that have every kind of unit between them.
ROUTERS = {
    "plain": {"buffer_depth": 4},
    "channels": {"virtual_channels": 2, "injection_channels": 1, "ejection_channels": 1},
    "side by side": {"virtual_channels": 2, "injection_channels": 2, "ejection_channels": 2},
    "copies": {"ports": "b", "buffer_depth": 4},
    "circuits": {"switching": "circuit", "buffer_depth": 4},
    "limits": {"buffer_depth": 4, "longest_packet": 4, "stop_timeout": 5},
}
FIELDS = dataclasses.fields(RouterOptions)
#: Another value of each option.
CHANGED = {
    "ports": "d",
    "width": 40,
    "buffer_depth": 6,
    "buffer_memory": "registers",
    "pipeline": 2,
    "link_stages": 1,
    "ejection_stages": 1,
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


@functools.cache
def units(**options):
    """The options of a router with these given, and the RTLIL text of each of its units; of none, an empty one."""
    parameters = Network(FatCube(2, 2), RouterOptions(**{"width": 32, **options})).router()
    several, lane = parameters.options.virtual_channels > 1, parameters.processor_ports
    make = ChannelUnits(parameters) if several else PacketUnits(parameters)
    found = {
        "processor-feed": make.feed(0),
        "lane-feed": make.feed(lane),
        "processor-input": make.input(0),
        "lane-input": make.input(make.sources.index(lane)),
        "processor-output": make.output(0),
        "lane-output": make.output(lane),
        "allocator": make.allocator(),
        **make.entries(0),
        **{f"ejection{stage}": register for stage, register in enumerate(make.registers(0))},
        **{f"register{stage}": register for stage, register in enumerate(make.registers(lane))},
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnusedElaboratable)
        texts = {place: rtlil.convert(unit, name="unit", emit_src=False) for place, unit in found.items()}
    entries = "".join(texts.pop(name, "") for name in ("guard", "gate"))
    registers, ejection = (
        "".join(texts.pop(name) for name in sorted(texts) if name.startswith(kind)) for kind in ("register", "ejection")
    )
    return parameters.options, {**texts, "entries": entries, "registers": registers, "ejection-registers": ejection}


def declared(kind, changed):
    """The places that options are declared to reach in a kind of router."""
    words = " ".join(Option.of(field).reaches.get(kind, "") for field in FIELDS if field.name in changed).split()
    both = {f"{word}s": {f"processor-{word}", f"lane-{word}"} for word in ("feed", "input", "output")}
    return set().union(*(both.get(word, {word}) for word in words))


def test_every_option_is_looked_at():
    assert {field.name for field in FIELDS} == set(CHANGED)
    known = {kind for field in FIELDS for kind in Option.of(field).reaches}
    assert known == {*KINDS, "half-duplex"}


#: In every run each option is changed in these routers, which have most kinds of units between them, and in others where
#: what it reaches is in no router of these two. Of 38 options forgotten in one place of the two files of units, one at a
#: time, these cases find as many as all.
EVERY_RUN = {"plain", "side by side"}
FURTHER = {
    "copies": {"arbiter", "ports", "hops", "pipeline", "switching", "width"},
    "channels": {"links", "switching", "width"},
    "circuits": {"longest_packet", "setup_retry", "switching"},
    "limits": {"longest_packet", "stop_timeout", "virtual_channels"},
}
#: A plain router becomes one with channels by each of these and by ``virtual_channels``.
CHANNELS_ALONE = {"channel_classes", "injection_channels", "ejection_channels"}


def cases():
    for option, kind in itertools.product(CHANGED, ROUTERS):
        often = kind in EVERY_RUN and not (kind == "plain" and option in CHANNELS_ALONE)
        marks = () if often or option in FURTHER.get(kind, ()) else pytest.mark.long
        yield pytest.param(option, kind, marks=marks, id=f"{option}-{kind}")


@pytest.mark.parametrize(("option", "kind"), cases())
def test_an_option_reaches_its_units(option, kind):
    """Catches an option that is forgotten in one kind of unit, as in one of three kinds of outputs, and a wrong declaration."""
    given = ROUTERS[kind]
    try:
        (before, units_before), (after, units_after) = units(**given), units(**{**given, option: CHANGED[option]})
    except ParameterError:
        return
    [field] = [field for field in FIELDS if field.name == option]
    assert set(after.kinds) & set(Option.of(field).reaches), "it reaches nothing, and was not refused"
    changed = {field.name for field in FIELDS if getattr(before, field.name) != getattr(after, field.name)}
    differ = {place for place, text in units_before.items() if text != units_after[place]}
    if before.kinds[0] != after.kinds[0]:
        assert differ  # Other units stand there.
        return
    there = {place for place in units_before if units_before[place] or units_after[place]}
    assert differ == declared(before.kinds[0], changed) & there
