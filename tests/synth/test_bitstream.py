"""Bitstreams: real ones of small designs, and how the clock is chosen."""

import dataclasses
from fractions import Fraction
import importlib.util
import json
from pathlib import Path
import re

import pytest

from fatcube.groundwork.digest import digest
from fatcube.groundwork.tool import ToolError
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.boards import find_board
from fatcube.noc.boards.project import project_files
from fatcube.noc.boards.top import Top
from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.router_options import RouterOptions
from fatcube.synth import bitstream, place_and_route
from fatcube.synth.bitstream import LIST, Request, build_board
from fatcube.synth.board_record import board_record
from fatcube.synth.memory_budget import fewest_memories
from fatcube.synth.place_and_route import Routed, Use, pack
from fatcube.synth.programs import check_programs
from fatcube.synth.vendor import check_mapping
from tests.support.cases import some
from tests.support.echo import echo
from tests.support.linting import lint

TINY = Machine(
    network=Network(FatCube(1, 1, 1), RouterOptions(width=8)), memory_words=64, program_entries=8, monitors="none"
)


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "cache"))


def routed_echo(name, mhz):
    board = find_board(name)
    setting = board.nearest(mhz)
    # nextpnr works out the clock behind the PLL by itself, but not on a Gowin.
    told = mhz if board.family == "gowin" else 7
    files = project_files(Top(board, echo(), setting), nextpnr_opts=f"--seed 1 --freq {told}")
    return files, place_and_route.place_and_route(files, title=board.title)


@pytest.mark.parametrize(
    ("name", "mhz", "magic", "cells"),
    [
        pytest.param("ulx3s-12f", 60, b"\xff\x00", {"EHXPLLL": 1, "TRELLIS_IO": 7}, marks=pytest.mark.long),
        ("icebreaker", 30, b"\xff\x00\x00\xff\x7e\xaa\x99\x7e", {"ICESTORM_PLL": 1, "SB_IO": 6}),
        pytest.param(
            *("ice40-hx8k", 60, b"\xff\x00\x00\xff\x7e\xaa\x99\x7e", {"ICESTORM_PLL": 1, "SB_IO": 6}),
            marks=pytest.mark.long,
        ),
        pytest.param("ecpix-5-85", 100, b"\xff\x00", {"TRELLIS_IO": 7}, marks=pytest.mark.long),
        pytest.param("tang-nano-9k", 54, b"1111", {"rPLL": 1}, marks=pytest.mark.long),
    ],
)
def test_the_smallest_design_of_a_board(name, mhz, magic, cells):
    """Catches a PLL, a pin or an attribute that place and route refuses, and dividers that it takes for another clock."""
    if name == "tang-nano-9k" and importlib.util.find_spec("apycula") is None:
        pytest.skip("the extra gowin is not installed")
    files, routed = routed_echo(name, mhz)
    assert routed.constraint_mhz == pytest.approx(mhz, rel=1e-3)
    assert routed.fmax_mhz > mhz
    assert {kind: routed.utilisation[kind].used for kind in cells} == cells
    file, content = pack(files, routed)
    assert content.startswith(magic) and len(content) > 10_000
    assert file == {"ecp5": "top.bit", "ice40": "top.bin", "gowin": "top.fs"}[find_board(name).family]


@pytest.mark.long(stays="tests/synth/test_bitstream.py::test_the_smallest_design_of_a_board")
def test_a_board_with_a_network(tmp_path):
    """The whole way, with the clock given: what is written, and what is said of it."""
    made = build_board(Request(find_board("icebreaker"), TINY, clock_mhz=12))
    [(asked, reached)] = made.routes
    assert asked == 12 and reached > 12 and made.bit_cycles == 12
    assert made.bitstream == "top.bin" and made.files["top.bin"].startswith(b"\xff\x00\x00\xff")
    assert b"module board(" in made.files["board.v"] and b"Max frequency for clock" in made.files["top.tim"]
    assert 0 < made.utilisation["ICESTORM_LC"].used <= made.utilisation["ICESTORM_LC"].available == 5280
    listed = [line for line in made.files[LIST].decode().splitlines() if not line.startswith("//")]
    assert listed == ["board.v"] and "%Error:" not in lint("board", made.files["board.v"].decode(), tmp_path)
    about = json.loads(json.dumps(board_record(made)))
    assert (about["format"], about["key"]) == ("fatcube.board/1", made.key)
    assert about["parameters"]["memory_words"] == 64 and about["measured"]["processors"] == 2
    again = build_board(Request(find_board("icebreaker"), TINY, clock_mhz=12))
    assert (again.key, again.seconds, again.files["top.bin"]) == (made.key, made.seconds, made.files["top.bin"])


def test_the_list_of_sources(monkeypatch):
    """Of a vendor's project it has the top too, and nothing but its Verilog; the key is that of the sources without it."""
    monkeypatch.setattr("fatcube.synth.bitstream.check_mapping", lambda board, files: ({}, {}))
    request = Request(find_board("de10-nano"), TINY)
    made = build_board(request)
    named = [line for line in made.files[LIST].decode().splitlines() if not line.startswith("//")]
    assert named == ["board.v", "top.v"] and {*named} < {*made.files}
    assert made.key == digest(dict(request.project(request.first_setting)))


@pytest.mark.long(stays="tests/synth/test_bitstream.py::test_the_clock_is_the_fastest_that_leaves_the_margin")
def test_the_fastest_clock_of_a_network_leaves_the_margin():
    made = build_board(Request(find_board("icebreaker"), TINY, margin=0.05))
    asked, reached = made.routes[-1]
    assert asked == made.setting.mhz and asked * 1.05 <= reached < asked * 1.2
    assert made.setting.dividers


@pytest.mark.long(stays="tests/synth/test_bitstream.py::test_what_does_not_fit_is_read_from_the_log")
def test_a_design_that_does_not_fit_is_said_with_the_numbers():
    machine = dataclasses.replace(TINY, network=Network(FatCube(2, 2, 1), RouterOptions(width=16)))
    with pytest.raises(
        ParameterError, match=r"^network must fit on the iCEBreaker, .*, but needs \d+ of 5280 ICESTORM_LC"
    ):
        build_board(Request(find_board("icebreaker"), machine))


def test_what_does_not_fit_is_read_from_the_log():
    log = "Info: Device utilisation:\nInfo: \t          TRELLIS_IO:     7/  365     1%\nInfo: \t              DP16KD:   300/  208   144%\n"
    error = place_and_route._refused(ToolError("ERROR: no BELs remaining", log=log), "ULX3S")
    assert isinstance(error, ParameterError)
    assert str(error) == "network must fit on the ULX3S, but needs 300 of 208 DP16KD"
    other = ToolError("ERROR: something else", log=log.replace("300", "100"))
    assert place_and_route._refused(other, "ULX3S") is other


# How the clock is chosen, with a place and route that reaches what is written here.


class _Routes:
    def __init__(self, monkeypatch, *reached):
        self.asked, self._reached = [], iter(reached)
        monkeypatch.setattr(bitstream, "place_and_route", self._route)
        monkeypatch.setattr(bitstream, "pack", lambda files, routed: ("top.bit", b"bits"))
        monkeypatch.setattr(Request, "project", lambda request, setting: {"mhz": str(setting.mhz)})

    def _route(self, files, *, title, placement):
        self.asked.append(float(files["mhz"]))
        folder = Path(title.replace("/", "_").replace(" ", "_"))
        folder.mkdir(exist_ok=True)
        (folder / "top.tim").write_text("")
        return Routed(folder, next(self._reached), self.asked[-1], {"LUT": Use(1, 2)}, {})


@pytest.mark.parametrize(
    ("reached", "count"),
    [
        ([80, 80], 2),  # as fast as when it was learnt
        ([80, 77, 77], 3),  # a little slower: once more
        ([80, 77, 70, 72], 4),
        ([45, 46], 2),  # slower than where it began
        ([52.6], 1),  # the first was the fastest already
    ],
)
def test_the_clock_is_the_fastest_that_leaves_the_margin(monkeypatch, tmp_path, reached, count):
    monkeypatch.chdir(tmp_path)
    routes = _Routes(monkeypatch, *reached)
    made = build_board(Request(find_board("ulx3s-85f"), TINY, margin=0.05))
    assert len(routes.asked) == count == len(made.routes)
    asked, last = made.routes[-1]
    assert asked == made.setting.mhz and asked * 1.05 <= last
    if count > 1:
        _, before = made.routes[-2]
        # The next clock that the PLL has would not have left the margin.
        settings = made.request.board.clocks.settings(Fraction(25_000_000))
        faster = settings[[one.mhz for one in settings].index(asked) + 1]
        assert faster.mhz * 1.05 > before


def test_a_clock_that_never_settles_is_an_error(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    _Routes(monkeypatch, 80, 70, 60, 50, 40, 30)
    with pytest.raises(
        ToolError, match=r"^place and route reaches no clock with a margin of 0.05 \(MHz\): 50.00 asked"
    ):
        build_board(Request(find_board("ulx3s-85f"), TINY))


def test_a_clock_that_is_not_reached_is_refused(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    _Routes(monkeypatch, 61.5)
    with pytest.raises(
        ToolError, match="^clock must be at most 61.50 MHz, which place and route reached with seed 1, not 62.50$"
    ):
        build_board(Request(find_board("ulx3s-85f"), TINY, clock_mhz=62.5))


def test_another_clock_than_that_of_the_pll_is_an_error(monkeypatch, tmp_path):
    """Catches dividers that place and route understands in another way than we do."""
    monkeypatch.chdir(tmp_path)
    routes = _Routes(monkeypatch, 80)
    monkeypatch.setattr(
        bitstream,
        "place_and_route",
        lambda *given, **named: dataclasses.replace(routes._route(*given, **named), constraint_mhz=25),
    )
    with pytest.raises(ToolError, match="^place and route must compute a clock of 50.000 MHz, not of 25.000$"):
        build_board(Request(find_board("ulx3s-85f"), TINY))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"clock_mhz": 0}, "clock must be a finite number above 0, not 0"),
        (
            {"clock_mhz": 500},
            r"clock must be one that the EHXPLLL can make, from 3.125 to 400 MHz, the nearest 400, not 500",
        ),
        ({"margin": -0.1}, r"margin must be a finite number of at least 0 and at most 1, not -0\.1"),
        ({"seed": -1}, "seed must be an integer from 0 to 2147483647, not -1"),
        ({"baud": 12_000_001}, "baud must be an integer from 9600 to 12000000, not 12000001"),
        ({"clock_mhz": 12.5, "baud": 3_500_000}, "baud must be within 2 % of the clock of 12.5 MHz .* not 3500000"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(changes, message):
    with pytest.raises(ParameterError, match=f"^{message}$"):
        Request(find_board("ulx3s-85f"), TINY, **changes)


def test_memories_without_room_are_refused_with_the_most_that_there_is():
    network = Network(FatCube(2, 2, 1), RouterOptions(ports="d"))
    board = find_board("ulx3s-85f")
    # Eight processors with two banks, and of each two copies: 32 of 32 bits a word.
    fitting = Machine(network=network, memory_words=6 * 512, program_entries=8, monitors="none")
    assert fewest_memories(board, fitting) == 32 * 6 <= 208
    Request(board, fitting)
    with pytest.raises(
        ParameterError,
        match="^memory words must be at most 3072 for .*, not 3073, which needs 224 of 208 block memories$",
    ):
        Request(board, dataclasses.replace(fitting, memory_words=3073))


@pytest.mark.parametrize("name", some(["arty-a7-35", "arty-a7-100", "de10-nano"], [2]))
def test_yosys_maps_a_vendors_project(name):
    board = find_board(name)
    files = project_files(Top(board, echo(), board.fastest(board.clock_mhz, 115_200)))
    utilisation, _ = check_mapping(board, files)
    assert utilisation["block memory"] == Use(0, board.block_memories)
    # A counter of 8 bits, one of 12, and the registers of the line and of the resets.
    assert 8 + 12 + 3 <= utilisation["register"].used <= 8 + 12 + 12
    assert utilisation["LUT"].used > 1
    with pytest.raises(
        ParameterError, match=rf"^network must fit on the {re.escape(board.title)}, but needs \d+ of 1 LUT$"
    ):
        check_mapping(dataclasses.replace(board, luts=1), files)
    with pytest.raises(ToolError, match="^ERROR: "):
        check_mapping(board, {**files, "board.v": files["board.v"].replace("module board(", "module other(")})


def test_a_program_that_is_not_there_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ParameterError, match=r"^board needs icepack: pip install 'fatcube\[ice40\]'$"):
        check_programs(["icepack"])
