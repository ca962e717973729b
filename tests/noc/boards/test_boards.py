"""Boards: the pins of every project, the top, and the serial port's rate."""

from fractions import Fraction
import json
import re

from amaranth.hdl import Fragment
from amaranth.lib import io
from amaranth.sim import Simulator
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.boards import BOARDS, find_board
from fatcube.noc.boards.clocks.clock_source import Setting
from fatcube.noc.boards.project import project_files
from fatcube.noc.boards.top import Top
from tests.support.echo import Echo, echo


@pytest.fixture(scope="module", params=BOARDS)
def made(request):
    """A board and the files of its smallest project."""
    board = BOARDS[request.param]
    return board, project_files(Top(board, echo(), board.fastest(board.clock_mhz, 115_200)))


def ports(files):
    """The names of the ports of the top module."""
    if "top.il" in files:
        module = files["top.il"].partition("\nmodule \\top\n")[2].partition("\nend\n")[0]
        return re.findall(r"^  wire .*?(?:input|output|inout) \d+\s+\\(\S+)$", module, re.MULTILINE)
    module = re.search(r"^module top\((.*?)\);", files["top.v"], re.DOTALL | re.MULTILINE)[1]
    return re.findall(r"\\?([^\s,]+)", module)


#: A line that gives a port its place, and one that gives a clock its period or frequency, in each kind of file.
PLACES = {
    "top.lpf": (r'^LOCATE COMP "(\S+)" SITE "\w+";', r'^FREQUENCY PORT "(\S+)" [\d.]+ HZ;'),
    "top.pcf": (r"^set_io (\S+) \w+$", r"^set_frequency (\S+) [\d.]+$"),
    "top.cst": (r'^IO_LOC "(\S+)" \w+;', None),
    "top.xdc": (
        r'^set_property LOC \w+ \[get_ports "(\S+)"\]',
        r'^create_clock -name \S+ -period [\d.]+ \[.* "(\S+)"\]',
    ),
    "top.qsf": (r'^set_location_assignment -to "(\S+)" PIN_\w+', None),
    "top.sdc": (None, r'^create_clock -name \S+ -period [\d.]+ \[get_ports "(\S+)"\]'),
}


def constrained(files):
    """The ports that have a place, and those that have a period."""
    found = [], []
    for name, patterns in PLACES.items():
        for number, pattern in enumerate(patterns):
            if pattern and name in files:
                found[number].extend(re.findall(pattern, files[name], re.MULTILINE))
    return found


def test_every_port_has_a_place_of_its_own_and_the_clock_a_period(made):
    board, files = made
    placed, timed = constrained(files)
    names = ports(files)
    assert len(names) == 3 + len(board.leds) + (board.reset is not None)
    assert sorted(placed) == sorted(names)
    [clock] = [name for name in names if name.startswith("clk")]
    # nextpnr-himbaechel gets the clock as an option: see the test of bitstreams.
    assert timed == ([] if "top.cst" in files else [clock])


def test_the_sources_are_there_and_name_no_place_of_this_machine(made):
    board, files = made
    assert {"board.v", "build_top.sh", "build_top.json"} < files.keys()
    assert "module board(" in files["board.v"]
    assert "/" not in files.get("top.il", "").replace("//", "")
    script = files["build_top.sh"]
    assert {"": "yosys", "Vivado": "vivado", "Quartus": "quartus_map"}[board.vendor] in script
    assert json.loads(files["build_top.json"])["commands"]
    assert board.vendor == "" or "emit_rtlil" not in files["top.v"] and "module top(" in files["top.v"]


def test_names_are_unique_and_found():
    assert all(find_board(name).name == name for name in BOARDS)
    with pytest.raises(ParameterError, match="^board must be one of ulx3s-12f, .*de10-nano, not 'ulx3s'$"):
        find_board("ulx3s")


def test_a_board_without_its_package_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "amaranth_boards.ulx3s", None)
    with pytest.raises(
        ParameterError, match=r"^board ulx3s-85f needs amaranth-boards: pip install 'fatcube\[board\]'$"
    ):
        find_board("ulx3s-85f").make_platform()


@pytest.mark.parametrize(("mhz", "baud", "cycles"), [(50, 1_000_000, 50), (50, 115_200, 434), (16, 3_000_000, 5)])
def test_bits_of_the_serial_line(mhz, baud, cycles):
    board = find_board("ulx3s-85f")
    setting = Setting(Fraction(mhz * 1_000_000))
    if abs(mhz * 1e6 / cycles / baud - 1) <= 0.02:
        assert board.bit_cycles(setting, baud) == cycles
    else:
        with pytest.raises(ParameterError, match=f"^baud must be within 2 % .* as 3200000 is, not {baud}$"):
            board.bit_cycles(setting, baud)


@pytest.mark.parametrize("baud", [9600, 115_200, 1_000_000, 2_000_000, 3_000_000, 4_500_000])
def test_the_fastest_clock_has_the_rate_within_two_per_cent(baud):
    board = find_board("icebreaker")
    setting = board.fastest(22.3, baud)
    cycles = board.bit_cycles(setting, baud)
    assert cycles >= 4 and abs(setting.mhz * 1e6 / cycles / baud - 1) <= 0.02
    # No faster available clock has the rate within 2 %.
    faster = [other for other in board.clocks.at_most(board.oscillator, 22.3) if other.mhz > setting.mhz]
    assert all(abs(one.mhz * 1e6 / max(4, round(one.mhz * 1e6 / baud)) / baud - 1) > 0.02 for one in faster)


def test_unavailable_rates_are_refused():
    board = find_board("icebreaker")
    with pytest.raises(
        ParameterError, match="^baud must be at most 5531250 with a clock of at most 22.3 MHz, .* not 8000000$"
    ):
        board.fastest(22.3, 8_000_000)
    with pytest.raises(ParameterError, match="^baud must be an integer from 9600 to 12000000, not 5$"):
        board.fastest(22.3, 5)


class _Platform:
    """A platform whose pins the simulator can reach."""

    default_clk = "clk"

    def __init__(self):
        self.pins = {}

    def add_file(self, name, text):
        pass

    def request(self, name, number=0, dir=None):
        def pin(key, direction):
            self.pins[key] = io.SimulationPort(direction, 1, name=key)
            return self.pins[key]

        if name == "uart":
            return type("Uart", (), {"rx": pin("rx", "i"), "tx": pin("tx", "o")})
        return pin(f"{name}{number}", "o" if name.startswith("led") else "i")


@pytest.mark.parametrize("name", ["ulx3s-85f", "icebreaker"])
def test_reset_leds_and_the_serial_line(monkeypatch, name):
    """The top without PLL, simulated: reset by the button and for 200 cycles more, then the design runs, and LEDs show it."""
    monkeypatch.setattr("fatcube.noc.boards.top._RESET_CYCLES", 200)
    monkeypatch.setattr("fatcube.noc.boards.top.Embedded", lambda component, *, comment: component)
    board, platform, inside = find_board(name), _Platform(), Echo()
    fragment = Fragment.get(Top(board, inside, Setting(Fraction(12_000_000))), platform)
    pins, period = platform.pins, 1 / 12e6
    simulator = Simulator(fragment)
    lit = {led: pins[f"{place.name}{place.number}"].o for led, place in board.leds.items()}

    async def clock(ctx):
        while True:
            ctx.set(pins["clk0"].i, 0)
            await ctx.delay(period / 2)
            ctx.set(pins["clk0"].i, 1)
            await ctx.delay(period / 2)

    async def bench(ctx):
        button = pins[f"{board.reset.name}{board.reset.number}"].i
        ctx.set(button, 1)
        ctx.set(pins["rx"].i, 1)
        await ctx.delay(period * 20)
        ctx.set(button, 0)
        await ctx.delay(period * 190)
        assert not any(ctx.get(led) for led in lit.values())  # still reset, with the line high
        await ctx.delay(period * ((1 << 5) + 20))
        assert ctx.get(lit["failed"])
        await ctx.delay(period * (1 << 7))
        assert ctx.get(inside.running)
        if "running" in lit:
            assert ctx.get(lit["running"]) and ctx.get(lit["failed"]) == ctx.get(inside.failed)
        else:
            assert ctx.get(lit["failed"]) and ctx.get(lit["done"])
        assert ctx.get(pins["tx"].o)
        ctx.set(pins["rx"].i, 0)
        await ctx.delay(period * 1.5)
        assert ctx.get(pins["tx"].o)  # two registers of the synchroniser, and one of the design
        await ctx.delay(period * 3)
        assert not ctx.get(pins["tx"].o)
        ctx.set(button, 1)
        await ctx.delay(period * 5)
        assert not any(ctx.get(led) for led in lit.values())

    simulator.add_process(clock)
    simulator.add_testbench(bench)
    simulator.run_until(600 * period)
