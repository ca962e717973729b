"""The results of :mod:`fatcube.studies.models` as tables, a page and a Markdown file."""

from collections.abc import Sequence
import itertools
from pathlib import Path
import re
from typing import Any

from fatcube.groundwork.record import record
from fatcube.noc.topology import Topology
from fatcube.reports.page import Results, write_results
from fatcube.reports.table import Marked, TitledTable
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.step_model import Links, Transfers
from fatcube.studies.comparison import COLLECTIVES
from fatcube.studies.model_cells import PAYLOAD_FLITS, PER_PACKET, Result

__all__ = ["models_record", "summary", "tables", "write_models"]


def tables(results: Sequence[Result]) -> list[TitledTable]:
    """A table for each reach of transfers and type of links, with a row for each collective and limit of packets."""
    found = {(one.transfers, one.links, one.collective, one.per_packet, one.ports): one for one in results}
    return [
        TitledTable(
            f"{transfers.capitalize()} transfers, {links} links",
            _note([one for one in results if (one.transfers, one.links) == (transfers, links)]),
            ["collective", "per packet", *(f"model {ports.value}" for ports in PortModel)],
            [
                [
                    collective.value,
                    number,
                    *(_cell(found[transfers, links, collective.value, number, ports.value]) for ports in PortModel),
                ]
                for collective, number in itertools.product(COLLECTIVES, PER_PACKET)
            ],
        )
        for transfers, links in itertools.product(Transfers, Links)
    ]


def _cell(result: Result) -> Marked | str:
    """Steps, the lower bound, and cycles; open where the bound does not prove that there can be no fewer steps."""
    if result.refused is not None:
        return "-"
    if result.failures:
        return Marked("FAILED", "wrong")
    if result.proved:
        return Marked(f"{result.steps} ({result.lower_bound}) {result.cycles}", "good")
    return Marked(f"{result.steps} ({result.lower_bound}, open) {result.cycles}", "partly")


def _note(results: Sequence[Result]) -> str:
    """Why cells of a table are refused or failed."""
    # A message of the schedules names the option and the value of one cell.
    refused = [one.refused for one in results if one.refused is not None]
    reasons = dict.fromkeys(
        re.sub(r", not \w+$", "", reason).replace("per_packet", "messages per packet") for reason in refused
    )
    parts = [f"Refused (-): {'; '.join(reasons)}."] if reasons else []
    parts += [
        f"Failed: {one.collective}, model {one.ports}, per packet {one.per_packet}: {failure}."
        for one in results
        for failure in one.failures
    ]
    return " ".join(parts)


def summary(results: Sequence[Result]) -> str:
    """How many cells there are of each kind."""
    refused = sum(one.refused is not None for one in results)
    failed = sum(bool(one.failures) for one in results)
    executed = sum(one.cycles is not None for one in results)
    proved = sum(one.cycles is not None and one.proved for one in results)
    return (
        f"{len(results)} cells: {refused} refused; {executed} executed on the RTL, {proved} of them in provably "
        f"minimal steps and {executed - proved} open; {failed} failed"
    )


def models_record(results: Sequence[Result], topology: Topology, time_limit: float) -> dict[str, Any]:
    """The results as they stand in a file."""
    parameters = {"topology": topology.to_json(), "payload_flits": PAYLOAD_FLITS, "time_limit": time_limit}
    return record(parameters, {"cells": [one.to_json() for one in results]})


def write_models(results: Sequence[Result], file: Path, topology: Topology, time_limit: float) -> None:
    """Write the tables to ``file``: Markdown if its name ends in ``.md``, and else an HTML page."""
    title = f"Every machine model on the {topology.name}"
    note = (
        "A cell has the steps of the schedule, in brackets the lower bound, and the cycles that it took in lockstep on the "
        f"RTL, with {PAYLOAD_FLITS} payload flits in a message. A cell is open where its steps are not proved "
        f"minimal. A search took at most {time_limit:g} s for a cell. Direct transfers run with wormhole switching, and on "
        "routers of model b with virtual cut-through. Traces of all wires equal the schedules, and no conflict was counted, "
        "where a cell has not failed. Written by `fatcube models`."
    )
    write_results(Results(title=title, note=note, says=[f"{summary(results)}."], tables=tables(results)), file)
