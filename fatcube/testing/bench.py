"""A file of cocotb tests and the design that they are for: what builds and runs it, with pytest or by itself."""

import argparse
from collections.abc import Mapping, Sequence
import functools
import os
from pathlib import Path
import re
import shutil
import sys
import tempfile
from typing import TYPE_CHECKING

from fatcube.groundwork.validation import ParameterError
from fatcube.testing.description import Description

if TYPE_CHECKING:
    from fatcube.testing.simulators import Design, Result

__all__ = ["Bench", "BenchFailure"]


class BenchFailure(Exception):
    """A test failed, or could not be run. The message begins with the reason."""


class Bench:
    """The design that the cocotb tests of a file are for. A file has one, at its top level; pytest finds the tests by it.

    Parameters
    ----------
    file : path
        ``__file__`` of the tests; other files are found beside it.
    verilog : :class:`str` or sequence of :class:`str`
        The files of Verilog.
    description : :class:`str` or ``None``
        The JSON beside generated Verilog.
    top : :class:`str` or ``None``
        The top module, if it differs from the described one.
    visible : mapping
        Further signals that tests use on Verilator: names by module, ``*`` for all of them. The ports of the described
        module and, of another top module, all signals are visible anyway.

    Raises
    ------
    ParameterError
        If there is neither a description nor a top module.
    """

    def __init__(
        self,
        file: str | Path,
        *,
        verilog: str | Sequence[str],
        description: str | None = None,
        top: str | None = None,
        visible: Mapping[str, Sequence[str]] = {},
    ) -> None:
        if description is None and top is None:
            raise ParameterError("top must be given where there is no description, not None")
        self.file = Path(file).resolve()
        self._verilog = (verilog,) if isinstance(verilog, str) else tuple(verilog)
        self._description = description
        self._top = top
        self._visible = visible

    @property
    def folder(self) -> Path:
        """The folder of the file."""
        return self.file.parent

    @functools.cached_property
    def about(self) -> Description:
        """The description of the generated module.

        Raises
        ------
        ParameterError
            If none was given.
        """
        if self._description is None:
            raise ParameterError("description must be given for this, not None")
        return Description.read(self.folder / self._description)

    @functools.cached_property
    def design(self) -> "Design":
        """The design to simulate."""
        from fatcube.testing.simulators import Design

        visible = dict(self._visible)
        if self._description is not None:
            visible.setdefault(self.about.top, self.about.port_names)
        top = self._top or self.about.top
        visible.setdefault(top, ["*"])
        return Design(sources=tuple(self.folder / name for name in self._verilog), top=top, visible=visible)

    def run(
        self, tests: Sequence[str] = (), *, simulator: str = "verilator", waves: bool = False
    ) -> tuple[list["Result"], str, Path | None]:
        """Build the design, if it is not built yet, and run tests of the file in one simulation.

        Parameters
        ----------
        tests : sequence of :class:`str`
            Their names; all if there is none.
        simulator : :class:`str`
            ``"verilator"`` or ``"icarus"``.
        waves : :class:`bool`
            Keep the waves of the simulation if a test of it fails.

        Returns
        -------
        results : list of :class:`~fatcube.testing.simulators.Result`
        log : :class:`str`
            The output of the simulator.
        waves : :class:`Path` or ``None``
            The file of waves that was kept.

        Raises
        ------
        BenchFailure
            If a tool is missing or refuses the Verilog, or the simulation ends without results.
        """
        from fatcube.groundwork.tool import ToolError
        from fatcube.testing import simulators

        try:
            build = simulators.built(self.design, simulator, waves=waves)
        except (ParameterError, ToolError, FileNotFoundError) as error:
            raise BenchFailure(str(error)) from None
        with tempfile.TemporaryDirectory(prefix="fatcube-") as name:
            folder = Path(name) if waves else None
            results, log = simulators.run(
                self.design, build, simulator, module=self.file.stem, path=self.folder, tests=tests, waves=folder
            )
            failed = not results or any(result.failure is not None for result in results)
            kept = self._keep(Path(name), tests) if failed else None
        if not results:
            last = (log.strip().splitlines() or ["nothing"])[-1]
            raise BenchFailure(f"the simulation ended without a result; its last output was: {last}\n{log[-4000:]}")
        return results, log, kept

    def _keep(self, folder: Path, tests: Sequence[str]) -> Path | None:
        """Move the waves in a folder to where they are kept."""
        for found in sorted(folder.glob("dump.*")):
            name = re.sub(r"\W+", "_", "-".join((self.file.stem, *tests)))
            kept = self.folder / "waves" / f"{name}{found.suffix}"
            kept.parent.mkdir(exist_ok=True)
            shutil.move(found, kept)
            return kept
        return None

    def main(self) -> None:
        """Run all tests of the file, as the command line says; exit status 0 if all pass, and 1 if not."""
        from fatcube.testing.simulators import SIMULATORS

        parser = argparse.ArgumentParser(description=f"Run the cocotb tests in {self.file.name}.")
        parser.add_argument("tests", nargs="*", help="names of tests; all if none is given")
        parser.add_argument("--simulator", choices=SIMULATORS, default=os.environ.get("SIM", "verilator"))
        parser.add_argument("--waves", action="store_true", help="keep the waves of a run in which a test fails")
        given = parser.parse_args()
        try:
            results, log, kept = self.run(given.tests, simulator=given.simulator, waves=given.waves)
        except BenchFailure as error:
            sys.exit(str(error))
        print(log, end="")
        if kept is not None:
            print(f"waves: {kept}")
        sys.exit(1 if any(result.failure is not None for result in results) else 0)
