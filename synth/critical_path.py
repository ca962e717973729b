"""The longest path from register to register, as place and route reports it."""

import dataclasses
import re

from groundwork.tool import ToolError

__all__ = ["CriticalPath"]


_REPORT = "Critical path report for clock "
_ROW = re.compile(r"^Info:\s+(clk-to-q|logic|routing|setup)\s+([\d.]+)\s+[\d.]+\s+(Source|Net)\s+(\S+)", re.MULTILINE)


@dataclasses.dataclass(frozen=True, kw_only=True)
class CriticalPath:
    """The longest path of a clock.

    Members
    -------
    source, sink : :class:`str`
        The pins that it begins and ends at, with the names of the modules around them.
    logic_ns, routing_ns : :class:`float`
        The times in registers and LUTs, and on wires.
    through : tuple of :class:`str`
        The pins that drive its wires, ``source`` first.
    """

    source: str
    sink: str
    logic_ns: float
    routing_ns: float
    through: tuple[str, ...]

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
        rows = [(kind, float(ns), name) for kind, ns, _, name in _ROW.findall(report)]
        if not found or not rows or rows[-1][0] != "setup":
            raise ToolError("the log of place and route has no critical path")
        pins = [name for kind, _, name in rows if kind != "routing"]
        routing = sum(ns for kind, ns, _ in rows if kind == "routing")
        return cls(
            source=pins[0],
            sink=pins[-1],
            logic_ns=round(sum(ns for _, ns, _ in rows) - routing, 2),
            routing_ns=round(routing, 2),
            through=tuple(pins[:-1]),
        )
