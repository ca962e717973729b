"""Yosys, as pyosys brings it: a script in, the log and the files that it wrote out."""

from collections.abc import Mapping, Sequence
import functools
import sys

from fatcube.groundwork.tool import Call, Finished, run_tools

__all__ = ["run", "version"]


_RUN = "from pyosys import libyosys; libyosys.Design().run_pass('script script.ys')"
_VERSION = "from pyosys import libyosys; print(libyosys.yosys_maybe_version())"


def run(
    script_lines: Sequence[str], *, files: Mapping[str, str] | None = None, outputs: Sequence[str] = ()
) -> Finished:
    """Run a Yosys script and return a :class:`~fatcube.groundwork.tool.Finished`.

    Parameters
    ----------
    script_lines : list of :class:`str`
        Yosys commands, one a line. They run in an empty directory where only ``files`` are.
    files : mapping of :class:`str` to :class:`str`
        Names and texts of the files that the script reads.
    outputs : sequence of :class:`str`
        Names of the files that the script writes.

    Raises
    ------
    ToolError
        If Yosys fails; the message is its ``ERROR:`` line.
    """
    files = {**(files or {}), "script.ys": "\n".join(script_lines) + "\n"}
    [finished] = run_tools([Call("Yosys", (sys.executable, "-c", _RUN), files, tuple(outputs))])
    return finished


@functools.cache
def version() -> str:
    """The version that Yosys gives of itself, as in ``"Yosys 0.70 (git sha1 …)"``."""
    [finished] = run_tools([Call("Yosys", (sys.executable, "-c", _VERSION))])
    return finished.log.strip()
