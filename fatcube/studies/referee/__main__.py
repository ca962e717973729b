"""The command that judges published schedules and writes the page.

    python -m fatcube.studies.referee --checkouts FOLDER -o synth_reports

writes referee.md and referee.json. FOLDER has a clone of each repository, bare or not, under the repository's own name, and in a
folder "generated" what programs have written. It takes about a quarter of an hour on two cores. --only judges some of them,
and keeps the stored rows of the others. --stored computes the bounds anew and writes the page again,
from the runs that are in referee.json; with --ours it also runs our schedules again, for which no files of others are needed.
"""

import argparse
from collections.abc import Sequence
import dataclasses
import json
from pathlib import Path
import sys

from fatcube.groundwork.files import write_text
from fatcube.groundwork.record import record
from fatcube.groundwork.tool import ToolError
from fatcube.groundwork.validation import ParameterError
from fatcube.studies.bench.peers.checkout import MissingCheckout
from fatcube.studies.referee.judge import MESSAGES, Judged, judge, with_bound, with_ours
from fatcube.studies.referee.page import page
from fatcube.studies.referee.published import PUBLISHED, read_published

__all__ = ["main", "read_rows"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge, and write; the exit status is 1 if a run was not as scheduled or a file is missing, and 2 of bad input."""
    parser = argparse.ArgumentParser(prog="fatcube.studies.referee", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--checkouts", type=Path, metavar="FOLDER", help="Clones, and the folder of generated files.")
    parser.add_argument(
        "--published", type=Path, default=PUBLISHED, metavar="FILE", help="Description of other schedules."
    )
    parser.add_argument(
        "--only", metavar="NAME", action="append", help="One of them, beside the stored ones; may be repeated."
    )
    parser.add_argument("--stored", action="store_true", help="Write the page of the rows that are stored.")
    parser.add_argument("--ours", action="store_true", help="With --stored: run our schedules beside them again.")
    parser.add_argument(
        "-o", type=Path, required=True, metavar="FOLDER", help="The folder of referee.md and referee.json."
    )
    options = parser.parse_args(arguments)
    try:
        return _run(options)
    except (ParameterError, OSError, ToolError, MissingCheckout) as error:
        print(f"fatcube: {error}", file=sys.stderr)
        return 2


def read_rows(folder: Path) -> list[Judged]:
    """The rows that are stored in a folder."""
    stored = json.loads((folder / "referee.json").read_text(encoding="utf-8"))
    return [Judged.from_json(row) for row in stored["measured"]["rows"]]


def _run(options: argparse.Namespace) -> int:
    if options.stored:
        rows = list(map(with_bound, read_rows(options.o)))
        rows = with_ours(rows) if options.ours else rows
        _write(rows, options.o)
        return int(any(row.failures for row in rows))
    if options.ours:
        raise ParameterError("--ours requires --stored")
    if options.checkouts is None:
        raise ParameterError("--checkouts must be given, or --stored")
    published = read_published(options.published)
    chosen = [one for one in published if not options.only or one.name in options.only]
    if not chosen:
        raise ParameterError(f"--only must be the name of a schedule in {options.published}")
    contents = [one.content(options.checkouts) for one in chosen]  # before anything takes long
    assert len(contents) == len(chosen)
    kept = options.only and (options.o / "referee.json").is_file()
    found = {row.name: row for row in read_rows(options.o)} if kept else {}
    rows: list[Judged] = []
    for one in chosen:
        found[one.name] = judge(one, options.checkouts)
        rows = [found[each.name] for each in published if each.name in found]
        _write(rows, options.o)  # at every row: what a run has is not to be lost
        print(dataclasses.replace(found[one.name], topology=None), file=sys.stderr, flush=True)
    return int(any(row.failures for row in rows))


def _write(rows: Sequence[Judged], folder: Path) -> None:
    about = {"schedules": [row.name for row in rows], "flits": list(MESSAGES), "ports": "d"}
    value = record(
        about, {"rows": [row.to_json() for row in rows]}, command=" ".join(["python -m fatcube.studies.referee"])
    )
    write_text(folder / "referee.json", json.dumps(value, indent=1) + "\n")
    write_text(folder / "referee.md", page(rows))


if __name__ == "__main__":
    sys.exit(main())
