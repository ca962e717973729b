"""The page of routers."""

from collections.abc import Callable, Mapping, Sequence
import operator
from pathlib import Path
from typing import Any

from experiments.experiment import table
from experiments.peers.measure import Row
from fatcube.reports.page import Results
from fatcube.reports.table import Section

__all__ = ["COLUMNS", "page", "sizes"]


_AGREES = 0.05


def sizes(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows of each size, under its title: routers with virtual channels behind those without, and rows of the older flow
    behind those of today's. What is not placed is with today's, if there are any."""
    together: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        together.setdefault((row.virtual_channels, row.ports), []).append(row)
    found = {}
    for (channels, ports), some in sorted(together.items(), key=operator.itemgetter(0)):
        title = f"{ports} ports" + (f", {channels} virtual channels" if channels > 1 else "")
        today = [row for row in some if row.as_today]
        old = [row for row in some if not row.as_today]
        if old and all(row.mhz is None for row in today):
            today, old = [], some
        found |= {title: today} if today else {}
        found |= {f"{title}, without timing-driven rip-up": old} if old else {}
    return found


def page(records: Sequence[Mapping[str, Any]], folder: Path | None = None) -> Results:
    """The page, from the records alone: a table for each size."""
    rows = [Row.from_json(one["measured"]) for one in records]
    seeds = sorted({seed for one in records for seed in one["parameters"]["seeds"]})
    built_with = sorted(
        {
            f"{row.repository} was built with {repository} @{commit}."
            for row in rows
            for repository, commit in row.commits.items()
            if repository != row.repository
        }
    )
    return Results(
        title="Published routers and ours, in one flow",
        note="ECP5, `synth_ecp5 -nowidelut`, nextpnr-ecp5 85k, speed grade 6. COMB = LUT4 + 2 CCU2C + 6 TRELLIS_DPR16X4, and "
        "FF, are of the bare router; MHz is the median of "
        f"{len(seeds)} seed{'s' if len(seeds) > 1 else ''} ({', '.join(map(str, seeds))}) with a register at each "
        "input and output, placed with nextpnr's --tmg-ripup but where a title says without. Products are made of LUTs, where a flow "
        "left alone takes multipliers of the chip. In brackets stands the figure that was printed before, where it is more than 5 % off "
        "(docs/results/published.md says how to measure again). Routers differ in what they do: a row says what it has.",
        tables=[table(title, "Theirs first, then ours.", COLUMNS, some) for title, some in sizes(rows).items()],
        sections=[Section("Other repositories", built_with, [])] if built_with else [],
    )


def _name(row: Row) -> str:
    return f"{row.name}: not measured, {row.problem}" if row.problem else row.name


def _commit(row: Row) -> str:
    """The repository of others, and the commit."""
    return " ".join([*([row.repository] if row.repository else []), f"@{row.commit[:10]}"]) if row.commit else "-"


def _figure(measured: float | None, printed: float | None, digits: int) -> str:
    before = "" if printed is None else f"({printed:,})"
    if measured is None:
        return f"- {before}".rstrip()
    differs = printed is not None and abs(measured - printed) > _AGREES * printed
    return f"{measured:,.{digits}f} {before if differs else ''}".rstrip()


COLUMNS: dict[str, Callable[[Row], object]] = {
    "router": _name,
    "COMB": lambda row: _figure(None if row.problem else row.comb, row.published.comb, 0),
    "FF": lambda row: _figure(None if row.problem else row.ff, row.published.ff, 0),
    "MHz": lambda row: _figure(None if row.problem else row.mhz, row.published.mhz, 1),
    "cycles/hop": lambda row: row.cycles_per_hop,
    "commit": _commit,
    "parameters": lambda row: row.settings,
    "turns": lambda row: row.turns,
}
"""The columns of the page; beside a figure the printed one, where it differs by more than 5 %."""
