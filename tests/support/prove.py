"""Proofs about hardware: Amaranth's assertions under its assumptions, by the model checker that comes with pyosys.

The design goes through Yosys into an and-inverter graph, and abc searches it: for a trace to a failing assertion
(``bmc3``), and for an inductive invariant that rules all of them out (``pdr``).
"""

import dataclasses
import re
import sys

from amaranth.back import rtlil

from fatcube.groundwork.tool import Call, run_tools

__all__ = ["Outcome", "abc_log", "prove", "prove_part"]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The outcome: ``proved`` without bound, or to ``depth`` cycles, or the ``frame`` in which an assertion fails."""

    proved: bool
    depth: int | None = None
    frame: int | None = None


def _to_graph(simplify, ands):
    """The script by which a design becomes an and-inverter graph: ``simplify`` stands before its gates, ``ands`` after."""
    return [
        "read_rtlil design.il",
        *simplify,
        "memory_map",
        "async2sync",
        "chformal -lower",
        *ands,
        "opt_clean",
        "write_aiger -zinit design.aig",
    ]


#: A small graph, which is worth its time where the search takes long.
_SMALL_GRAPH = _to_graph(
    ["prep -flatten -top top"],
    ["opt -full", "techmap", "opt -fast", "dfflegalize -cell $_DFF_P_ 01", "abc -g AND"],
)
#: A third larger, in a third of the time.
_QUICK_GRAPH = _to_graph(
    ["hierarchy -top top", "proc -noopt", "flatten", "opt_expr", "opt_clean", "memory_collect"],
    ["opt -fast", "simplemap", "techmap", "opt -fast", "dfflegalize -cell $_DFF_P_ 01", "setundef -zero", "aigmap"],
)
# One process after the other in one folder, so that nothing but the log has to come out of it. pyosys is not imported
# here: it has all libraries that are loaded after it see each other's symbols, and Matplotlib's exceptions break then.
_PROGRAM = """
import os, sys
import pyosys
from pyosys import libyosys
libyosys.Design().run_pass("script script.ys")
abc = os.path.join(os.path.dirname(pyosys.__file__), "yosys-abc")
os.execl(abc, abc, "-c", sys.argv[1])
"""


def prove(design, *, ports, depth=None, seconds=600, merged=False):
    """Prove that no assertion of ``design`` fails.

    Parameters
    ----------
    design : elaboratable
        With ``Assert`` and ``Assume`` in it, and a clock domain without reset.
    ports : list
        What may have any value in every cycle.
    depth : :class:`int` or ``None``
        Search to so many cycles only; without bound if ``None``.
    seconds : :class:`int`
        The time to give up after.
    merged : :class:`bool`
        First merge what agrees in every reachable state, which abc proves by induction.

    Returns :class:`Outcome`.
    """
    search = f"bmc3 -F {depth} -T {seconds}" if depth else f"pdr -T {seconds}"
    if merged:
        search = f"scorr; dc2; scorr -F 2; {search}"
    text = rtlil.convert(design, name="top", ports=ports, emit_src=False)
    log = abc_log(text, f"print_stats; {search}", quick=bool(depth))
    if failed := re.search(r"asserted in frame (\d+)", log):
        return Outcome(False, frame=int(failed[1]))
    # An assertion that holds whatever the registers have is gone before the search, and abc does not call that proved.
    if re.search(r"Property proved|lat = +0  and = +0 ", log):
        return Outcome(True)
    if depth and re.search(rf"No output asserted in {depth} frames", log):
        return Outcome(False, depth=depth)
    raise AssertionError(f"not decided within {seconds} s: {log[-1500:]}")


def prove_part(harness, patience, *, depth=None, sooner=0, **claim):
    """As :func:`prove`, of a class of harnesses, with nothing that waits for more than ``patience`` cycles, or ``sooner``."""
    part = harness(patience=patience - sooner, **claim)
    return prove(part, ports=part.ports, depth=depth)


def abc_log(text, search, *, quick=False):
    """The output of abc for the commands ``search`` about the assertions of a design in RTLIL, whose top is ``top``.

    ``quick`` has the graph made in less time, and larger.
    """
    files = {"design.il": text, "script.ys": "\n".join([*(_QUICK_GRAPH if quick else _SMALL_GRAPH), ""])}
    command = (sys.executable, "-c", _PROGRAM, f"read_aiger design.aig; fold; strash; {search}")
    return run_tools([Call("Yosys and abc", command, files)])[0].log.rpartition("======== ABC command line")[2]
