"""The tables and sentences of `fatcube reproduce`, and its page with figures."""

from collections.abc import Mapping, Sequence
from typing import Any

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.reports.figure import COLOURS, Axis, Figure, Point, Series
from fatcube.reports.markdown import titled_table
from fatcube.reports.page import Results
from fatcube.reports.table import Marked, TitledTable
from fatcube.synth.families import find_family

__all__ = ["figures", "reproduced", "reproduced_markdown", "says", "table_1", "table_2", "table_6", "table_6_flat"]


_STEP = 4  # cycles of a step besides those of its payload flits
_NAMES = {"HC": Hypercube(3).name, "FC": FatCube(2, 2).name}


def reproduced(
    tables: Sequence[TitledTable], cells: Sequence[dict[str, Any]], routers: Sequence[dict[str, Any]]
) -> Results:
    """The page of these tables, and of the figures of what they show."""
    return Results(
        title="The tables of the fat-cube paper, measured",
        note="Written by `fatcube reproduce`.",
        says=says(cells),
        figures=figures(cells, routers),
        tables=tables,
    )


def reproduced_markdown(tables: Sequence[TitledTable], cells: Sequence[dict[str, Any]]) -> str:
    """The page in Markdown, without figures."""
    text = [f"{paragraph}\n" for paragraph in says(cells)]
    return "\n".join(["# fatcube reproduce\n", *text, *(titled_table(*table) for table in tables)])


def _agreement(cells: int, agree: int, fewest: int) -> str:
    """The sentence on how many cells match the paper, and how many have the fewest possible steps."""
    match = (
        f"All {cells} measured cells of Table 6 match"
        if agree == cells
        else f"{agree} of {cells} measured cells of Table 6 match"
    )
    minimal = "all" if fewest == cells else str(fewest)
    return f"{match} the paper, and {minimal} are provably minimal."


def says(cells: Sequence[dict[str, Any]]) -> list[str]:
    """The paragraphs of the page: what agrees, who does what in a run, and what the hardware adds to steps."""
    agree = sum(not cell["problems"] for cell in cells)
    fewest = sum(cell["steps"] == cell["lower_bound"] for cell in cells)
    formula = sum(cell["cycles"] == cell["steps"] * (cell["payload_flits"] + _STEP) for cell in cells)
    sooner = sum(cell["dataflow_cycles"] < cell["cycles"] for cell in cells)
    return [
        _agreement(len(cells), agree, fewest),
        "In a run, cocotb writes programs and payloads into the memories of the processors, resets the system, starts it, waits "
        "until it has finished, and reads counters, traces and memories. The hardware does the rest: processors send packets by "
        "their programs, routers pass them on, and counters count steps, cycles, flits and conflicts.",
        f"In lockstep the cycles are steps x (F + {_STEP}) by construction, F being the payload flits of a packet: {formula} of "
        f"{len(cells)} cells are. A header leaves with the signal that starts a step, and the last of F flits follows F cycles later. "
        "It takes 2 cycles through two routers, 1 until the barrier sees it, and 1 until the barrier's register starts the next step. "
        f"Within a node there is one router less, but a sender takes {_STEP} cycles from its last flit to its next header. So cycles "
        "in lockstep say no more than steps.",
        "What the hardware adds is cycles in dataflow, where a packet leaves as soon as its message is there, and programs have "
        f"barriers only where they need them or are shorter with them ({sooner} of {len(cells)} cells take fewer cycles than in lockstep); and time in "
        "nanoseconds, by the clock of the router.",
        "`make reproduce FLAT=1` (`fatcube reproduce --flat`) runs all cells again on the Verilog that `fatcube generate system` "
        "writes, compiled as one design by Verilator and by Icarus, and fails if a counter or a word is different.",
    ]


def figures(cells: Sequence[dict[str, Any]], routers: Sequence[dict[str, Any]]) -> list[Figure]:
    """The figures of Table 6 and of Table 1."""
    return [_cycles(cells), _area(routers)]


def _cycles(cells: Sequence[dict[str, Any]]) -> Figure:
    series = [
        (network, name, mode, key)
        for network, name in _NAMES.items()
        for mode, key in (("lockstep", "cycles"), ("dataflow", "dataflow_cycles"))
    ]
    return Figure(
        name="cycles",
        title=f"Cycles measured on RTL, {cells[0]['payload_flits']} payload flits, by router model",
        says=_slowest(cells),
        x=Axis("collective, router model", "category"),
        y=Axis("cycles"),
        series=tuple(
            Series(
                name=f"{name}, {mode}",
                colour=colour,
                mark="bars",
                opacity=1,
                points=tuple(
                    Point(
                        x=f"{cell['collective']}, {cell['ports']}",
                        y=cell[key],
                        text=(f"{name}, {mode}", f"{cell['steps']} steps"),
                    )
                    for cell in cells
                    if cell["network"] == network
                ),
            )
            for (network, name, mode, key), colour in zip(series, COLOURS)
        ),
    )


def _area(routers: Sequence[dict[str, Any]]) -> Figure:
    series = (
        ("comb_equivalents", "router, turns that are used"),
        ("all_turns_comb_equivalents", "router, all turns"),
        ("crossbar_comb_equivalents", "crossbar alone"),
    )
    return Figure(
        name="area",
        title="The price a b of a router, and the area that it takes (ECP5)",
        says=_dearest(routers),
        x=Axis("a b of one router"),
        y=Axis("COMB equivalents of one router"),
        series=tuple(
            Series(
                name=name,
                colour=colour,
                points=tuple(
                    Point(
                        x=row["ab"],
                        y=row[key],
                        text=(f"{_NAMES[row['network']]}, model {row['ports']}: {name}",),
                        name=f"{row['network']} {row['ports']}",
                    )
                    for row in routers
                    if row[key] is not None
                ),
            )
            for (key, name), colour in zip(series, COLOURS)
        ),
    )


def _slowest(cells: Sequence[dict[str, Any]]) -> str:
    slow, fast = max(cells, key=lambda cell: cell["cycles"]), min(cells, key=lambda cell: cell["cycles"])
    sooner = sum(cell["dataflow_cycles"] < cell["cycles"] for cell in cells)
    return (
        f"Cycles in lockstep go from {fast['cycles']} ({fast['collective']}, model {fast['ports']}, {_NAMES[fast['network']]}) to "
        f"{slow['cycles']} ({slow['collective']}, model {slow['ports']}, {_NAMES[slow['network']]}), and {sooner} of {len(cells)} "
        "runs take fewer in dataflow."
    )


def _dearest(routers: Sequence[dict[str, Any]]) -> str:
    small, large = (of(routers, key=lambda row: row["ab"]) for of in (min, max))
    return (
        f"From a b = {small['ab']} to {large['ab']}, {large['ab'] / small['ab']:.1f} times the price, a router grows "
        f"{large['comb_equivalents'] / small['comb_equivalents']:.1f} times in area."
    )


_TABLE_6 = {
    "model": "{ports}",
    "collective": "{collective}",
    "network": "{network}",
    "printed steps": "{printed}",
    "measured steps": "{steps}",
    "proved fewest": "{lower_bound}",
    "cycles, lockstep": "{cycles}",
    "cycles, dataflow": "{dataflow_cycles}",
    "ns, lockstep": "{ns:.0f}",
    "ns, dataflow": "{dataflow_ns:.0f}",
    "τ": "{tau:.2f}",
    "t_c": "{t_c:.2f}",
}
"""The columns of Table 6, and their contents from the results of a cell."""


def _row(columns: dict[str, str], results: dict[str, Any]) -> list[str]:
    return [text.format(**results) for text in columns.values()]


def table_6(cells: Sequence[dict[str, Any]], routers: Sequence[dict[str, Any]]) -> TitledTable:
    """Table 6 beside what was measured; nanoseconds are cycles by the clock of the router that Table 1 has of a cell."""
    clocks = {(row["network"], row["ports"]): row["fmax_mhz"] for row in routers}
    found = [
        {
            **cell,
            "ns": 1000 * cell["cycles"] / clocks[cell["network"], cell["ports"]],
            "dataflow_ns": 1000 * cell["dataflow_cycles"] / clocks[cell["network"], cell["ports"]],
        }
        for cell in cells
    ]
    return TitledTable(
        f"Table 6: steps with 8 processors, and cycles at {cells[0]['payload_flits']} payload flits",
        f"{'. '.join(f'{short}: {name}' for short, name in _NAMES.items())}. Steps and cycles are read from hardware counters; "
        "τ cycles per step and t_c cycles per flit and step are fitted from runs of 4, 8 and 16 payload flits. "
        "The proved fewest is a lower bound with a proof. ns: cycles by the Fmax of the cell's router in Table 1, the median of "
        "three placements of one router; the clock of a whole network is lower.",
        [*_TABLE_6, "agrees"],
        [[*_row(_TABLE_6, cell), _agrees(not cell["problems"])] for cell in found],
    )


_FLAT = {
    "model": "{ports}",
    "collective": "{collective}",
    "network": "{network}",
    "steps": "{steps}",
    "cycles, lockstep": "{cycles}",
    "cycles, dataflow": "{dataflow_cycles}",
    "messages": "{delivered}",
}
"""The same of Table 6 on systems as one design."""


def table_6_flat(
    stored: Mapping[tuple[str, str, str], dict[str, Any]],
    problems: Mapping[str, Mapping[tuple[str, str, str], Sequence[str]]],
) -> TitledTable:
    """The stored cells, and for each simulator whether it shows the same, which it does where it has no ``problems``."""
    return TitledTable(
        "Table 6 on systems as one design",
        "As stored; same: the simulator shows the same steps, cycles, conflicts, fits and use of lanes, and messages that are equal "
        "word by word.",
        [*_FLAT, *problems],
        [
            [*_row(_FLAT, cell), *(_same(not found[where]) for found in problems.values())]
            for where, cell in stored.items()
        ],
    )


_TABLE_1 = {
    "model": "{ports}",
    "network": "{network}",
    "a = b": "{a}",
    "ab": "{ab}",
    "C_R": "{C_R}",
    "C_L": "{C_L}",
    "LUT4": "{lut4}",
    "COMB": "{comb_equivalents}",
    "FF": "{ff}",
    "COMB, all turns": "{all_turns}",
    "crossbar LUT4": "{used_crossbar_lut4}",
    "crossbar LUT4, all turns": "{crossbar_lut4}",
    "LUT4 per ab": "{per_ab:.1f}",
    "the same per ab W": "{crossbar_per_bit:.2f}",
    "Fmax MHz": "{fmax_mhz:.1f}",
}
"""The same of Table 1."""


def table_1(routers: Sequence[dict[str, Any]]) -> TitledTable:
    """Table 1 beside what was synthesized."""
    found = [
        {
            **row,
            "all_turns": "-" if row["all_turns_comb_equivalents"] is None else row["all_turns_comb_equivalents"],
            "per_ab": row["lut4"] / row["ab"],
            "crossbar_per_bit": row["crossbar_lut4"] / row["ab"] / 33,
        }
        for row in routers
    ]
    return TitledTable(
        "Table 1: the price a b beside silicon (one router, 32-bit flits, ECP5)",
        "LUT4, FF and COMB (LUT4 + 2 per carry cell + 6 per distributed RAM cell) of the router as the network "
        "uses it, without the turns that no route takes; COMB with all a x b turns; the crossbar "
        "alone, 33 bits wide, with the turns of the router and with all. Fmax is the median of three placements of the registered router, of the same netlist. "
        f"C_R and C_L are computed for the whole network. {find_family('ecp5').flow_note(routers)}".rstrip(),
        list(_TABLE_1),
        [_row(_TABLE_1, row) for row in found],
    )


def table_2(rows: Sequence[dict[str, Any]]) -> TitledTable:
    """Table 2 beside what was computed."""
    return TitledTable(
        "Table 2: when the fat cube's routers cost no more than the hypercube's",
        "Computed by evaluating both prices for d from 1 to 100. A disagreement here is a finding about the "
        "print: both prices follow from Table 1.",
        ["f", "m", "model", "printed", "computed", "agrees"],
        [
            [
                *(str(row[column]) for column in ("f", "m", "ports", "printed", "computed")),
                _agrees(row["printed"] == row["computed"]),
            ]
            for row in rows
        ],
    )


def _agrees(agrees: bool) -> str | Marked:
    return "yes" if agrees else Marked("no", "wrong")


def _same(same: bool) -> str | Marked:
    return "same" if same else Marked("other", "wrong")
