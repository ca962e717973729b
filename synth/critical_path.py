"""The longest path from register to register, as place and route reports it."""

import dataclasses
import re

from fatcube.groundwork.tool import ToolError

__all__ = ["CriticalPath"]


_REPORT = "Critical path report for clock "
_ROW = re.compile(r"^Info:\s+(clk-to-q|logic|routing|setup)\s+([\d.]+)\s+[\d.]+\s+(?:Source|Net)\s+(\S+)", re.MULTILINE)


@dataclasses.dataclass(frozen=True, kw_only=True)
class CriticalPath:
    """The longest path of a clock.

    Members
    -------
    pins : tuple of :class:`str`
        The pin that it begins at, those that drive its other wires, and the one that it ends at, with the names of the modules
        around them. Synthesis names a cell after the net that it drives, which in a flat design can have the name of another
        module that it leads to.
    logic_ns, routing_ns : :class:`float`
        The times in registers and LUTs, and on wires.
    """

    pins: tuple[str, ...]
    logic_ns: float
    routing_ns: float

    @classmethod
    def of(cls, log: str) -> "CriticalPath":
        """The one in the output of nextpnr; that of the last report, which is of what was routed.

        Raises
        ------
        ToolError
            If there is none.
        """
        _, found, report = log.rpartition(_REPORT)
        report = report.partition("\n\n")[0]
        rows = [(kind, float(ns), name) for kind, ns, name in _ROW.findall(report)]
        if not found or not rows or rows[-1][0] != "setup":
            raise ToolError("the log of place and route has no critical path")
        routing = sum(ns for kind, ns, _ in rows if kind == "routing")
        return cls(
            pins=tuple(name for kind, _, name in rows if kind != "routing"),
            logic_ns=round(sum(ns for _, ns, _ in rows) - routing, 2),
            routing_ns=round(routing, 2),
        )
