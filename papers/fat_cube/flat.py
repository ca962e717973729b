"""Table 6 again on the Verilog that is shipped, one design for each network, held against the stored table."""

from collections.abc import Mapping
import functools
import json
from pathlib import Path
import shutil
from typing import Any, TypeAlias

from rich.console import Console

from fatcube.groundwork.progress import tracked
from fatcube.groundwork.validation import ParameterError
from fatcube.groundwork.workers import in_processes
from fatcube.papers.fat_cube.reproduce import networks_of_table_6, run_network
from fatcube.papers.fat_cube.reproduce_page import table_6_flat
from fatcube.reports.table import show
from fatcube.studies.result_record import network_of

__all__ = ["MEASURED", "Stored", "differences", "reproduce_flat", "stored_cells"]


Stored: TypeAlias = dict[tuple[str, str, str], dict[str, Any]]
"""The stored cells by their network, router model and collective."""

MEASURED = (
    "steps",
    "cycles",
    "dataflow_cycles",
    "conflicts",
    "dataflow_conflicts",
    "delivered",
    "payload_flits",
    "tau",
    "t_c",
    "lane_utilisation",
)
"""The figures of a cell that the hardware measures. Each must be the same in every simulator."""

_VERILATOR, _ICARUS = "verilator-flat", "icarus"


def stored_cells(folder: Path) -> Stored:
    """The cells of Table 6 that `fatcube reproduce` has written to a folder.

    Raises
    ------
    ParameterError
        If there is no such file, it is damaged, or it lacks a cell of today's networks.
    """
    path, networks = folder / "reproduce.json", networks_of_table_6()
    must = (
        f"{path} must have the {4 * len(networks)} cells of Table 6 for --flat, as `fatcube reproduce` writes them, not"
    )
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["table_6"]
        found = {(network_of(row["parameters"]), row["measured"]["collective"]): row["measured"] for row in rows}
        complete = all(name in one for one in found.values() for name in MEASURED)
    except OSError as error:
        raise ParameterError(f"{must} nothing ({error.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ParameterError(f"{must} other JSON") from None
    cells = {
        (*names, of): one for (network, of), one in found.items() for names, here in networks.items() if here == network
    }
    if not complete or len(cells) != 4 * len(networks):
        raise ParameterError(f"{must} {len(cells)}{'' if complete else ' that lack measurements'}")
    return cells


def reproduce_flat(folder: Path, *, jobs: int, console: Console) -> list[str]:
    """Run the stored cells again on the Verilog of `fatcube generate system`, under cocotb, and print what they take.

    Verilator compiles each system as one design, and so does Icarus, where that is installed. Nothing is written.

    Returns
    -------
    list of :class:`str`
        The failures, and the differences from the stored cells; empty if none.

    Raises
    ------
    ParameterError
        As in :func:`stored_cells`.
    """
    stored = stored_cells(folder)
    simulators = (_VERILATOR, _ICARUS) if shutil.which("iverilog") else (_VERILATOR,)
    calls = [
        (simulator, functools.partial(run_network, name, ports, network, simulator))
        for (name, ports), network in networks_of_table_6().items()
        for simulator in simulators
    ]
    found: dict[str, dict[tuple[str, str, str], dict[str, Any]]] = {simulator: {} for simulator in simulators}
    running = in_processes([call for _, call in calls], jobs=jobs)
    for number, cells in tracked(running, "running systems as one design", len(calls)):
        found[calls[number][0]] |= {(cell["network"], cell["ports"], cell["collective"]): cell for cell in cells}
    problems = {
        simulator: {where: differences(simulator, cell, stored[where]) for where, cell in cells.items()}
        for simulator, cells in found.items()
    }
    table = table_6_flat(stored, problems)
    show(console, table.title, table.columns, table.rows, note=table.note)
    failures = [one for of in problems.values() for several in of.values() for one in several]
    delivered = sum(cell["delivered"] for cells in found.values() for cell in cells.values())
    console.print(
        f"{len(stored)} cells run on the Verilog of `fatcube generate system` with {' and '.join(simulators)}, {delivered} messages "
        f"delivered and compared word by word; {len(failures)} problems. Held against {folder}/reproduce.json"
        f"{'' if _ICARUS in simulators else '; icarus left out, as iverilog is not installed'}",
        highlight=False,
        soft_wrap=True,
    )
    return failures


def differences(simulator: str, cell: Mapping[str, Any], stored: Mapping[str, Any]) -> list[str]:
    """The problems of a cell, and its figures that differ from the stored ones, each with the name of the cell."""
    where = f"Table 6, {cell['network']}, model {cell['ports']}, {cell['collective']}"
    return [
        *(f"{simulator}: {problem}" for problem in cell["problems"]),
        *(
            f"{simulator}: {where}: {name} is {cell[name]}, stored as {stored[name]}"
            for name in MEASURED
            if cell[name] != stored[name]
        ),
    ]
