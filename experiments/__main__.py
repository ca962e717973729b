"""The command that runs an experiment from a checkout.

    python -m experiments --list
    python -m experiments NAME

writes NAME.json, with a record for each case, and NAME.md into synth_reports. ``--only`` measures some cases, and the
records of the others stay; ``--stored`` measures nothing, and writes the page of the records that are there.
"""

import argparse
from collections.abc import Sequence
import dataclasses
import fnmatch
from pathlib import Path
import sys

from experiments.catalogue import NAMES, find
from experiments.experiment import Experiment, Settings, read_stored, run, write
from fatcube.groundwork.progress import tracked
from fatcube.groundwork.tool import ToolError
from fatcube.groundwork.validation import ParameterError
from fatcube.reports.page import write_results

__all__ = ["main"]


_REPORTS = Path(__file__).resolve().parents[1] / "synth_reports"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 1 if a record tells of a failure, and 2 of bad input."""
    parser = argparse.ArgumentParser(prog="python -m experiments", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="list all experiments")
    parser.add_argument("name", nargs="?", choices=NAMES, metavar="NAME", help=f"one of {', '.join(NAMES)}")
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="...", help="options: see NAME --help")
    given = parser.parse_args(arguments)
    if given.list:
        for name in NAMES:
            print(f"{name:20} {find(name).about}")
        return 0
    if given.name is None:
        parser.error("NAME must be given, or --list")
    try:
        return _run(find(given.name), given.rest)
    except (ParameterError, OSError, ToolError) as error:
        said = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else error
        print(f"experiments: {said}", file=sys.stderr)
        return 2


def _parser(experiment: Experiment) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m experiments {experiment.name}", description=experiment.about)
    parser.add_argument("-o", type=Path, default=_REPORTS, metavar="FOLDER", help="folder to write to (synth_reports)")
    parser.add_argument(
        "--only", action="append", metavar="CASE", help="measure this case, or those of a pattern; may be repeated"
    )
    parser.add_argument("--stored", action="store_true", help="measure nothing: write the page of the stored records")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the page to FILE too: .html or .md")
    if experiment.described:
        parser.add_argument("--cases", type=Path, metavar="FILE", help=f"other cases than {experiment.described.name}")
    for field in dataclasses.fields(Settings):
        if field.name in experiment.takes:
            how = dict(field.metadata)
            flag = how.pop("flag", f"--{field.name.replace('_', '-')}")
            parser.add_argument(flag, dest=field.name, default=field.default, **how)
    return parser


def _run(experiment: Experiment, arguments: Sequence[str]) -> int:
    given = _parser(experiment).parse_args(arguments)
    settings = Settings(folder=given.o, **{name: getattr(given, name) for name in experiment.takes})
    if given.page and given.page.suffix not in (".html", ".md"):
        raise ParameterError(f"--page must be a name that ends in .html or .md, not {given.page}")
    if given.stored:
        if given.only:
            raise ParameterError("--only must be left out with --stored, which measures nothing")
        records = experiment.renew(read_stored(experiment, given.o), settings)
        if not records:
            raise ParameterError(f"--stored requires {given.o / experiment.name}.json")
        write(experiment, records, given.o)
    else:
        if settings.ours:
            raise ParameterError("--ours requires --stored")
        cases = experiment.cases_of(getattr(given, "cases", None))
        chosen = [name for name in cases if any(fnmatch.fnmatchcase(name, one) for one in given.only or ["*"])]
        if unknown := [one for one in given.only or () if not fnmatch.filter(cases, one)]:
            raise ParameterError(f"--only must be one of {', '.join(cases)}, or a pattern of them, not {unknown[0]!r}")
        experiment.check([cases[name] for name in chosen], settings)
        records = list(tracked(run(experiment, cases, chosen, settings), f"measuring {experiment.name}", len(chosen)))
    if given.page:
        write_results(experiment.results(read_stored(experiment, given.o), given.o), given.page)
    return int(any(map(experiment.failed, records)))


if __name__ == "__main__":
    sys.exit(main())
