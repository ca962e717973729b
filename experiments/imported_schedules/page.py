"""The page of imported schedules."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.experiment import table
from experiments.imported_schedules.judge import Judged
from fatcube.reports.page import Results

__all__ = ["page", "rows_of"]


def rows_of(records: Sequence[Mapping[str, Any]]) -> list[Judged]:
    """The results for each schedule."""
    return [Judged.from_json(one["measured"]) for one in records]


def page(records: Sequence[Mapping[str, Any]], folder: Path | None = None) -> Results:
    """The page, from the records alone: what was judged, what was refused, and where each file comes from."""
    rows = rows_of(records)
    judged = [row for row in rows if row.refused is None]
    return Results(
        title="Published schedules of other synthesizers, judged",
        note="Each schedule is imported, its packets are timed as early as what they wait for allows, one per lane and step, it is checked, "
        "and run on the RTL of its network in model d, where every delivery is compared word by word and every packet on every wire "
        "with the schedule. [other-programs.md](../docs/reference/other-programs.md) says how.",
        tables=[
            table(
                "Steps",
                "The bound is the lower bound of model d for this number of parts, of an all-reduce also those of "
                "its reduce-scatter and its all-gather; the ratio is steps to bound. Ours is fatcube's schedule of "
                "the same collective on the same network with undivided messages. Without a network of its own, a schedule "
                "is on the links that its file uses, one lane each.",
                {
                    "schedule": lambda row: row.name,
                    "by": lambda row: row.by,
                    "network": lambda row: row.network,
                    "collective": lambda row: row.work,
                    "parts": lambda row: row.parts,
                    "transfers": lambda row: row.transfers,
                    "steps": lambda row: row.steps,
                    "bound": lambda row: row.bound,
                    "ratio": _ratio,
                    "ours": lambda row: row.ours,
                    "runs": lambda row: "; ".join(row.failures) or "as scheduled",
                },
                judged,
            ),
            table(
                "Cycles",
                "Each message has F flits, and each of P parts ⌈F / P⌉ of them. Cycles are read out of the hardware, in lockstep / in "
                "dataflow; those in lockstep are the predicted ones. Ours moves undivided messages.",
                {
                    "schedule": lambda row: row.name,
                    **{
                        f"{ours}F = {flits}": lambda row, ours=ours, index=index: _cycles(row, ours, index)
                        for index, flits in enumerate(judged[0].flits if judged else ())
                        for ours in ("", "ours, ")
                    },
                },
                judged,
            ),
            table(
                "Refused",
                "Files that are no schedules of the step model, with the reason.",
                {"schedule": lambda row: row.name, "by": lambda row: row.by, "reason": lambda row: row.refused},
                [row for row in rows if row.refused is not None],
            ),
            table(
                "Sources",
                "A file stands in the commit of the repository, or a program at that commit has written it, once; of such files "
                "the record has the SHA-256.",
                {
                    "schedule": lambda row: row.name,
                    "repository": lambda row: row.repository,
                    "commit": lambda row: row.commit[:10],
                    "file": lambda row: row.made or row.path,
                },
                rows,
            ),
        ],
    )


def _ratio(row: Judged) -> str:
    """Steps to bound."""
    assert row.steps is not None and row.bound is not None
    return f"{row.steps / row.bound:.2f}"


def _cycles(row: Judged, ours: str, index: int) -> str:
    """The cycles of a run in lockstep and in dataflow."""
    lockstep, dataflow = (row.ours_lockstep, row.ours_dataflow) if ours else (row.lockstep, row.dataflow)
    return f"{lockstep[index]} / {dataflow[index]}"
