"""The table of routers, for a terminal and as a page."""

from collections.abc import Sequence
import operator

from fatcube.reports.markdown import titled_table
from fatcube.reports.table import Column
from fatcube.studies.bench.peers.measure import Row

__all__ = ["COLUMNS", "cells", "page", "sizes"]


COLUMNS = (
    Column("router"),
    Column("COMB"),
    Column("FF"),
    Column("MHz"),
    Column("cycles/hop"),
    Column("commit", 2),
    Column("parameters", 3),
    Column("turns", 1),
)
_AGREES = 0.05


def cells(row: Row) -> list[str]:
    """The cells of a row, one a column; beside a figure the printed one, where it differs by more than 5 %."""
    printed = row.published
    if row.problem:
        figures = [_figure(None, value, 0) for value in (printed.comb, printed.ff)] + [_figure(None, printed.mhz, 0)]
    else:
        figures = [_figure(row.comb, printed.comb, 0), _figure(row.ff, printed.ff, 0), _figure(row.mhz, printed.mhz, 1)]
    commit = " ".join([*([row.repository] if row.repository else []), f"@{row.commit[:10]}"]) if row.commit else "-"
    name = f"{row.name}: not measured, {row.problem}" if row.problem else row.name
    return [name, *figures, str(row.cycles_per_hop), commit, row.settings, row.turns]


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


def page(rows: Sequence[Row], seeds: Sequence[int]) -> str:
    """The page of Markdown: a table for each size."""
    tables = [
        titled_table(title, "Theirs first, then ours.", [column.title for column in COLUMNS], list(map(cells, some)))
        for title, some in sizes(rows).items()
    ]
    built_with = sorted(
        {
            f"{row.repository} was built with {repository} @{commit}."
            for row in rows
            for repository, commit in row.commits.items()
            if repository != row.repository
        }
    )
    return "\n".join(
        [
            "# Published routers and ours, in one run",
            "",
            "ECP5, `synth_ecp5 -nowidelut`, nextpnr-ecp5 85k, speed grade 6. COMB = LUT4 + 2 CCU2C + 6 TRELLIS_DPR16X4, and "
            "FF, are of the bare router; MHz is the median of "
            f"{len(seeds)} seed{'s' if len(seeds) > 1 else ''} ({', '.join(map(str, seeds))}) with a register at each "
            "input and output, placed with nextpnr's --tmg-ripup but where a title says without. Products are made of LUTs, where a flow left alone takes multipliers of the chip. In brackets stands the figure that was printed before, where it is more than 5 % off "
            "(docs/results/published.md says how to measure again). Routers differ in what they do: a row says what it has.",
            "",
            *tables,
            *(f"{line}\n" for line in built_with),
        ]
    )


def _figure(measured: float | None, printed: float | None, digits: int) -> str:
    before = "" if printed is None else f"({printed:,})"
    if measured is None:
        return f"- {before}".rstrip()
    differs = printed is not None and abs(measured - printed) > _AGREES * printed
    return f"{measured:,.{digits}f} {before if differs else ''}".rstrip()
