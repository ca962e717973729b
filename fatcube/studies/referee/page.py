"""The page of published schedules, judged."""

from collections.abc import Sequence

from fatcube.reports.markdown import titled_table
from fatcube.studies.referee.judge import Judged

__all__ = ["page"]


def page(rows: Sequence[Judged]) -> str:
    """The page of Markdown: what was judged, what was refused, and where each file comes from."""
    judged = [row for row in rows if row.refused is None]
    refused = [row for row in rows if row.refused is not None]
    flits = judged[0].flits if judged else ()
    return "\n".join(
        [
            "# Published schedules of other synthesizers, judged",
            "",
            "`python -m fatcube.studies.referee --checkouts FOLDER -o synth_reports` imports each schedule, times its packets as early "
            "as what they wait for allows, one per lane and step, checks it, and runs it on the RTL of its network in model d, "
            "where every delivery is compared word by word and every packet on every wire with the schedule. "
            "[other-programs.md](../docs/reference/other-programs.md) says how.",
            "",
            titled_table(
                "Steps",
                "The bound is the lower bound of model d for this number of parts, of an all-reduce also those of "
                "its reduce-scatter and its all-gather; the ratio is steps to bound. Ours is fatcube's schedule of "
                "the same collective on the same network with undivided messages. Without a network of its own, a schedule "
                "is on the links that its file uses, one lane each.",
                [
                    "schedule",
                    "by",
                    "network",
                    "collective",
                    "parts",
                    "transfers",
                    "steps",
                    "bound",
                    "ratio",
                    "ours",
                    "runs",
                ],
                [_steps(row) for row in judged],
            ),
            titled_table(
                "Cycles",
                "Each message has F flits, and each of P parts ⌈F / P⌉ of them. Cycles are read out of the hardware, in lockstep / in "
                "dataflow; those in lockstep are the predicted ones. Ours moves undivided messages.",
                ["schedule", *(f"{one}F = {number}" for number in flits for one in ("", "ours, "))],
                [_cycles(row) for row in judged],
            ),
            titled_table(
                "Refused",
                "Files that are no schedules of the step model, with the reason.",
                ["schedule", "by", "reason"],
                [[row.name, row.by, row.refused] for row in refused],
            ),
            titled_table(
                "Sources",
                "A file stands in the commit of the repository, or a program at that commit has written it, once; of such files "
                "the record has the SHA-256.",
                ["schedule", "repository", "commit", "file"],
                [[row.name, row.repository, row.commit[:10], row.made or row.path] for row in rows],
            ),
        ]
    )


def _steps(row: Judged) -> list[object]:
    assert row.steps is not None and row.bound is not None
    return [
        *(row.name, row.by, row.network, row.work, row.parts, row.transfers, row.steps, row.bound),
        *(f"{row.steps / row.bound:.2f}", row.ours, "; ".join(row.failures) or "as scheduled"),
    ]


def _cycles(row: Judged) -> list[object]:
    columns = zip(row.lockstep, row.dataflow, row.ours_lockstep, row.ours_dataflow)
    return [row.name, *(cell for one, two, three, four in columns for cell in (f"{one} / {two}", f"{three} / {four}"))]
