"""A target of standard cells, given by a Liberty file: area in µm² and in NAND gates, and speed by OpenSTA."""

from collections.abc import Callable, Iterator, Mapping
import dataclasses
from pathlib import Path
import shutil
from typing import Any

from fatcube.groundwork.strict.malformed import within
from fatcube.groundwork.validation import ParameterError
from fatcube.synth.area import Area
from fatcube.synth.families.family import FF, Cell, Family
from fatcube.synth.families.library import LibraryCell, inverter, nand2, parse_library

__all__ = ["LibertyFamily", "family_of_file", "library_family"]


_LIBRARY, _CONSTRAINTS = "cells.lib", "cells.constr"
_LOAD = "set_load 0.02\n"  # at each output; 0.1 and 10 gave the same area within 0.1 %


@dataclasses.dataclass(frozen=True)
class _Cells(Mapping[str, Cell | None]):
    """The kind of each cell of a library that is read when it is needed, as it may not be installed."""

    library: Callable[[], str]

    def __getitem__(self, name: str) -> Cell:
        return FF if parse_library(self.library())[name].register else Cell("gates", 1)

    def __iter__(self) -> Iterator[str]:
        return iter(parse_library(self.library()))

    def __len__(self) -> int:
        return len(parse_library(self.library()))


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class LibertyFamily(Family):
    """A library of standard cells.

    Members
    -------
    library : callable
        Returns the text of the Liberty file, or raises a :class:`ParameterError` that says how to install it.
    """

    library: Callable[[], str]

    @property
    def timed(self) -> bool:
        """True, as all libraries have delays."""
        return True

    @property
    def static(self) -> bool:
        """True, as nothing is placed."""
        return True

    @property
    def library_cells(self) -> Mapping[str, LibraryCell]:
        """The cells of the library by name."""
        return parse_library(self.library())

    @property
    def inputs(self) -> Mapping[str, str]:
        """The library, and the constraints by which its cells are chosen."""
        # Without a driving cell, ABC leaves nets of many cells without buffers: 2.20 ns for five ports, not 1.65.
        driver = inverter(self.library_cells)
        return {
            _LIBRARY: self.library(),
            _CONSTRAINTS: (f"set_driving_cell {driver}\n" if driver else "") + _LOAD,
        }

    def area(self, cells: Mapping[str, int], *, wide_luts: bool = False, transistors: int | None = None) -> Area:
        """The :class:`~fatcube.synth.area.Area`, with that of the cells in µm² and in NAND gates of two inputs."""
        known, counted = self.library_cells, super().area(cells, wide_luts=wide_luts, transistors=transistors)
        of_each = {name: known[name].area * number for name, number in counted.cells.items()}
        return dataclasses.replace(
            counted,
            um2=sum(of_each.values()),
            register_um2=sum(area for name, area in of_each.items() if known[name].register),
            nand2_equivalents=sum(of_each.values()) / known[nand2(known)].area,
        )

    def measured_area(self, measured: Mapping[str, Any]) -> float | None:
        """The area in NAND gates, flip-flops included."""
        return measured.get("nand2_equivalents")

    def check_installed(self) -> None:
        """Refuse a library that is not installed, or is none."""
        parse_library(self.library())

    def check_place_and_route(self) -> None:
        """Refuse to measure speed without OpenSTA."""
        if shutil.which("sta") is None:
            raise ParameterError(
                f"ns of cells of {self.name} need OpenSTA (sta), Debian's package opensta, or leave Fmax out"
            )


def _commands(top: str, wide_luts: bool) -> list[str]:
    return [
        "setattr -mod -unset keep_hierarchy *",  # ABC chooses among all cells, so nothing is mapped by itself
        f"synth -flatten -top {top}",
        f"dfflibmap -liberty {_LIBRARY}",
        f"abc -D 1000 -liberty {_LIBRARY} -constr {_CONSTRAINTS}",
        "opt_clean",
        "delete t:$scopeinfo",
        "splitnets -ports",
    ]


def library_family(*, name: str, title: str, library: Callable[[], str]) -> LibertyFamily:
    """The family of a library with this name and title."""
    return LibertyFamily(
        name=name,
        title=title,
        commands=_commands,
        library=library,
        cells=_Cells(library),
        keep_selectors=False,
        unit="NAND2 equivalents",
    )


def family_of_file(path: Path) -> LibertyFamily:
    """The family of a user's Liberty file, with its name without the ending.

    Raises
    ------
    ParameterError
        If there is no such file, or it is no library with flip-flops and NAND gates.
    """
    try:
        text = path.read_text(errors="replace")
    except OSError as error:
        raise ParameterError(f"liberty must be a file that can be read, not {str(path)!r}: {error.strerror}") from None
    found = library_family(name=path.stem, title=f"cells of {path.name}", library=lambda: text)
    with within(path):
        found.check_installed()
    return found
