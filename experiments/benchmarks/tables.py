"""The tables of all benchmarks: what each of them shows stands here as data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
import dataclasses
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from experiments.benchmarks.rows import Build, Command, RouterRow, Scheduling, TrafficRow, read_results
from experiments.experiment import table
from fatcube.noc.topologies import name_from
from fatcube.reports.page import Results
from fatcube.reports.table import TitledTable
from fatcube.synth.families import find_family

__all__ = ["page"]


_Row = TypeVar("_Row")
_Shown = TypeVar("_Shown")


@dataclasses.dataclass(frozen=True)
class _Table(Generic[_Row, _Shown]):
    """A table of one benchmark.

    Members
    -------
    benchmark : :class:`str`
        Its name in the results; without any, there is no table.
    title : :class:`str`
    note : callable
        The explanation that the reader needs, from the rows of the benchmark.
    shown : callable
        The contents of each row of the table, from the rows of the benchmark; without any there is no table.
    columns : callable
        The title of each column and its cell, from what is shown.
    """

    benchmark: str
    title: str
    note: Callable[[Sequence[_Row]], str]
    shown: Callable[[Sequence[_Row]], Sequence[_Shown]]
    columns: Callable[[Sequence[_Shown]], dict[str, Callable[[_Shown], object]]]

    def of(self, rows: Sequence[_Row]) -> list[TitledTable]:
        """The table; none if it shows nothing."""
        shown = self.shown(rows)
        return [table(self.title, self.note(rows), self.columns(shown), shown)] if shown else []


class _Beside(NamedTuple):
    """A command, and the one that it is compared with."""

    row: Command
    base: Command


class _Schedule(NamedTuple):
    """A schedule, and the smallest one of its collective and model."""

    row: Scheduling
    base: Scheduling


class _Pair(NamedTuple):
    """A network compiled node by node, and as a whole."""

    node: Build
    flat: Build

    @property
    def crossover(self) -> str:
        """The cycles of a run from which ``flat`` takes less time, compilation and run together."""
        gained = 1 / self.node.cycles_per_second - 1 / self.flat.cycles_per_second
        if gained <= 0:
            return "never"
        return f"{(self.flat.build_seconds - self.node.build_seconds) / gained:,.0f} cycles"


def _beside_first(rows: Sequence[Command]) -> list[_Beside]:
    return [_Beside(row, rows[0]) for row in rows]


def _beside_smallest(rows: Sequence[Scheduling]) -> list[_Schedule]:
    smallest = {(row.collective, row.ports): row for row in reversed(rows)}
    return [_Schedule(row, smallest[row.collective, row.ports]) for row in rows]


def _staged(rows: Sequence[Command]) -> list[Command]:
    return [row for row in rows if row.stages is not None]


def _stages(rows: Sequence[Command]) -> dict[str, Callable[[Command], object]]:
    """A column for each stage: its seconds, and their part of the whole."""

    def cell(row: Command, stage: str) -> str:
        seconds = (row.stages or {})[stage]
        return f"{seconds:.1f} ({seconds / row.seconds:.0%})"

    return {stage: lambda row, stage=stage: cell(row, stage) for stage in rows[0].stages or ()}


def _megahertz(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _kind(row: RouterRow) -> str:
    return f"{row.arbiter}, {row.cycles_per_hop} cycle{'s' if row.cycles_per_hop > 1 else ''} per hop"


def _extremes(rows: Iterable[RouterRow]) -> str:
    """Which of the routers with all turns but the one back is the smallest, and which the fastest, of each size."""
    placed = [(row.fmax_mhz, row) for row in rows if row.fmax_mhz]
    said = []
    for ports in sorted({row.ports for _, row in placed}):
        some = [one for one in placed if one[1].ports == ports]
        _, small = min(some, key=lambda one: one[1].comb_equivalents)
        mhz, fast = max(some, key=lambda one: one[0])
        said.append(
            f"Of {ports} ports the smallest has {small.comb_equivalents:,} COMB ({_kind(small)}), and the fastest "
            f"runs at {mhz:.0f} MHz ({_kind(fast)})."
        )
    return " ".join(said)


def _commands(benchmark: str, title: str) -> tuple[_Table[Any, Any], ...]:
    """The tables of whole processes: their time and memory, and the stages of those that have any."""
    return (
        _Table[Command, _Beside](
            benchmark,
            title,
            lambda _: "Whole processes; ratios are to the first row, run beside the others.",
            _beside_first,
            lambda _: {
                "network": lambda one: name_from(one.row.network),
                "processors": lambda one: one.row.processors,
                "seconds": lambda one: f"{one.row.seconds:.1f}",
                "MB, largest process": lambda one: f"{one.row.megabytes:.0f}",
                "time ratio": lambda one: f"{one.row.seconds / one.base.seconds:.1f}",
                "memory ratio": lambda one: f"{one.row.megabytes / one.base.megabytes:.1f}",
            },
        ),
        _Table[Command, Command](
            benchmark,
            "Where the time goes",
            lambda _: "Seconds of the runs above that build, and their part of the whole.",
            _staged,
            lambda rows: {
                "network": lambda row: name_from(row.network),
                "processors": lambda row: row.processors,
                **_stages(rows),
            },
        ),
    )


_TABLES: tuple[_Table[Any, Any], ...] = (
    _Table[RouterRow, RouterRow](
        "routers",
        "Routers of 5, 8 and 16 ports",
        lambda rows: (
            "32-bit flits, buffers of two flits, one or two cycles per hop; ECP5, `synth_ecp5 -nowidelut`, COMB equivalents = "
            "LUT4 + 2 per carry cell + 6 per distributed RAM cell; Fmax is the median of three placements between "
            "registers, of the same netlist and of the one with wide LUTs. Turns: `used` by a fat cube's routes, "
            "`forward` to every output but its own, `all`. Published: the best "
            f"area and the best speed found, which no single router has both. {_extremes(rows)} "
            f"{find_family('ecp5').flow_note(row.to_json() for row in rows)}".rstrip()
        ),
        lambda rows: rows,
        lambda _: {
            "ports": lambda row: row.ports,
            "turns": lambda row: row.turns,
            "cycles per hop": lambda row: row.cycles_per_hop,
            "arbiter": lambda row: row.arbiter,
            "LUT4": lambda row: row.lut4,
            "COMB": lambda row: row.comb_equivalents,
            "FF": lambda row: row.ff,
            "Fmax MHz": lambda row: _megahertz(row.fmax_mhz),
            "wide-LUT Fmax": lambda row: _megahertz(row.fmax_wide_mhz),
            "published COMB": lambda row: row.published_comb_equivalents,
            "published MHz": lambda row: row.published_mhz,
            "crossbar COMB per a b W": lambda row: f"{row.crossbar_comb_per_crosspoint_bit:.2f}",
        },
    ),
    *_commands("generate", "`fatcube generate network`, model 1"),
    *_commands("simulate", "`fatcube simulate`, 4, 8 and 16 payload flits, both modes: six runs"),
    _Table[Build, _Pair](
        "modes",
        "Node by node, or the whole network as one program",
        lambda _: (
            "Processor seconds of compilation, and cycles per processor second while nothing moves, with all monitors, "
            "`verilator` and `verilator-flat`. The last column is the length of a run from which the second is "
            "faster in total."
        ),
        lambda rows: [_Pair(*pair) for pair in zip(rows[::2], rows[1::2])],
        lambda _: {
            "network": lambda pair: name_from(pair.node.network),
            "build": lambda pair: f"{pair.node.build_seconds:.1f}",
            "build, flat": lambda pair: f"{pair.flat.build_seconds:.1f}",
            "cycles/s": lambda pair: f"{pair.node.cycles_per_second:,.0f}",
            "cycles/s, flat": lambda pair: f"{pair.flat.cycles_per_second:,.0f}",
            "flat pays from": lambda pair: pair.crossover,
        },
    ),
    _Table[Build, Build](
        "compilers",
        "Other ways to compile",
        lambda rows: (
            f"{name_from(rows[0].network)}, processor seconds of compilation, and cycles while nothing moves per "
            "processor second and per second."
        ),
        lambda rows: rows,
        lambda _: {
            "compiled": lambda row: row.what,
            "build": lambda row: f"{row.build_seconds:.1f}",
            "cycles/s of processors": lambda row: f"{row.cycles_per_second:,.0f}",
            "cycles/s": lambda row: f"{row.cycles_per_wall_second:,.0f}",
        },
    ),
    _Table[TrafficRow, TrafficRow](
        "traffic",
        "Sources and sinks of traffic",
        lambda _: (
            "64 routers of 7 ports, packets of 8 flits of 40 bits to random neighbours, for 200,000 cycles; flits per "
            "cycle and source; cycles per processor second with the start and the end of the process."
        ),
        lambda rows: rows,
        lambda _: {
            "network": lambda row: name_from(row.network),
            "offered": lambda row: f"{row.offered:.2f}",
            "delivered": lambda row: f"{row.delivered:.2f}",
            "packets": lambda row: f"{row.packets:,}",
            "faults": lambda row: row.faults,
            "cycles/s": lambda row: f"{row.cycles_per_second:,.0f}",
        },
    ),
    _Table[Scheduling, _Schedule](
        "schedule",
        "`fatcube schedule`",
        lambda _: "Whole processes, with the check and the file; ratios are to 64 processors.",
        _beside_smallest,
        lambda _: {
            "collective": lambda one: one.row.collective,
            "model": lambda one: one.row.ports,
            "processors": lambda one: one.row.processors,
            "steps": lambda one: one.row.steps,
            "lower bound": lambda one: one.row.lower_bound,
            "transfers": lambda one: f"{one.row.transfers:,}",
            "seconds": lambda one: f"{one.row.seconds:.1f}",
            "MB": lambda one: f"{one.row.megabytes:.0f}",
            "time ratio": lambda one: f"{one.row.seconds / one.base.seconds:.1f}",
            "memory ratio": lambda one: f"{one.row.megabytes / one.base.megabytes:.1f}",
        },
    ),
)


def page(records: Sequence[Mapping[str, Any]], folder: Path | None = None) -> Results:
    """The page, from the records alone."""
    results = read_results(records)
    return Results(
        title="fatcube benchmarks",
        tables=[one for some in _TABLES if some.benchmark in results for one in some.of(results[some.benchmark])],
    )
