"""Standard cells: area held against the library by hand, and paths of known length."""

from pathlib import Path
import shutil

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.router_options import RouterOptions
from fatcube.synth.families import find_family
from fatcube.synth.families.liberty import family_of_file
from fatcube.synth.families.library import nand2, parse_library
from fatcube.synth.measure import synthesize
from fatcube.synth.silicon import router_silicon
from tests.support.designs import Combinational, RegisteredAdder
from tests.support.designs import Path as LongPath

LIBRARY = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
INSTALLED = pytest.mark.skipif(
    not (LIBRARY.exists() and shutil.which("sta")), reason="opensta and qflow-tech-osu018 are not installed"
)
SMALL = """library(small) { /* a comment { */
  cell (A) { area : 4; pin(X) { direction : input; } pin(Y) { direction : input; }
    pin(Z) { direction : output; function : "%s"; } }
  cell ("B") { area : 3; pin(X) { direction : input; } pin(Y) { direction : input; }
    pin(Z) { direction : output; function : "X Y"; } }
  cell (F) { area : 9; ff(IQ, IQN) { clocked_on : "C"; next_state : "D"; } }
}
"""


@pytest.mark.parametrize("function", ["!(X Y)", "(X*Y)'", "X'+Y'", "!X | !Y", "(X&Y)^1", "(!(X Y))"])
def test_nand_is_found_by_its_function(function):
    cells = parse_library(SMALL % function)
    assert nand2(cells) == "A" and cells["A"].area == 4
    assert cells["F"].register and not cells["B"].is_nand2


@pytest.mark.parametrize("function", ["X+Y", "!(X+Y)", "X^Y", "!(X Z)", "!(X Y"[:3]])
def test_library_without_nand_is_refused(function, tmp_path):
    (tmp_path / "own.lib").write_text(SMALL % function)
    with pytest.raises(
        ParameterError, match="own.lib: liberty must have a NAND gate of two inputs, unlike this library$"
    ):
        family_of_file(tmp_path / "own.lib")


@pytest.mark.parametrize("text", ["", "module a; endmodule", "library(a) { cell (", "{ }"])
def test_other_files_are_refused(text, tmp_path):
    (tmp_path / "own.lib").write_text(text)
    with pytest.raises(
        ParameterError, match="own.lib: liberty must be a Liberty library with cells, which this file is not$"
    ):
        family_of_file(tmp_path / "own.lib")


def test_missing_file_is_named(tmp_path):
    with pytest.raises(ParameterError, match="^liberty must be a file that can be read, not .*: No such file"):
        family_of_file(tmp_path / "none.lib")


@INSTALLED
def test_area_by_hand():
    nand = synthesize(Combinational(1, lambda a, b: ~(a & b)), name="nand", family="osu018", fmax=False).area
    assert (nand.um2, nand.nand2_equivalents, nand.register_um2) == (24, 1, 0)
    adder = synthesize(RegisteredAdder(), name="adder", family="osu018", fmax=False).area
    assert adder.ff == 8 and adder.register_um2 == 8 * 96  # DFFPOSX1
    assert adder.um2 == 24 * adder.nand2_equivalents > adder.register_um2


@INSTALLED
def test_long_path_is_slow_and_its_ends_are_named():
    short, long = (synthesize(LongPath(depth), name="path", family="osu018") for depth in (1, 8))
    assert short.path.ns < long.path.ns / 2
    assert not long.path.start.startswith(("$", "_")) and not long.path.end.startswith(("$", "_"))
    assert long.to_json()["path"]["ns"] == long.path.ns and long.fmax_mhz == 1000 / long.path.ns


@INSTALLED
def test_router_of_five_ports():
    """Against figures that were found outside the project: 113,634 µm², 1.80 ns; the mapping varies by some per cent."""
    router = router_silicon(Network(FatCube(2, 3), RouterOptions(turns="forward")), family="osu018")
    assert router.area.um2 == pytest.approx(113634, rel=0.02) and router.area.nand2_equivalents == router.area.um2 / 24
    assert router.path.ns == pytest.approx(1.80, rel=0.1)
    assert router.area.register_um2 / router.area.um2 == pytest.approx(0.34, abs=0.02)


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(ParameterError, match=r"^ns of cells of osu018 need OpenSTA \(sta\), Debian's package opensta"):
        find_family("osu018").check_place_and_route()
