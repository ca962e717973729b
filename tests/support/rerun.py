"""Run what stored results were measured on again, and compare every number that comes of the runs.

    python -m tests.support.rerun synth_reports/study.toml synth_reports/study.jsonl [--jobs 2] [--every 10]

Areas and speeds are left alone. Exit status 1 if one number differs.
"""

import argparse
import functools
import json
from pathlib import Path
import sys

from fatcube.groundwork.digest import digest
from fatcube.groundwork.progress import Bar
from fatcube.groundwork.workers import in_processes
from fatcube.studies.measure import find_schedule, machines_of, measure_cycles
from fatcube.studies.sweep_file import read_points

__all__ = ["differences", "rerun", "stored_by_point"]


def stored_by_point(path):
    """The measurements, by the digest of their parameters; an option that a record does not name was as usual."""
    records = [json.loads(line) for line in Path(path).read_text().splitlines()[1:]]
    return {digest(record["parameters"]): record["measured"] for record in records}


def differences(measured, problems, stored):
    """The numbers of a run that are not what is stored, and what went wrong in it, as lines."""
    return [
        f"{name} {measured[name]!r}, stored {stored[name]!r}"
        for name in measured
        if name in stored and measured[name] != stored[name]
    ] + [f"problem: {problem}" for problem in problems]


def _group(points, stored):
    """The lines of points of one network."""
    lines = []
    [machine] = machines_of(points).values()
    for point, outcome in zip(points, measure_cycles(points, [find_schedule(point) for point in points], machine)):
        if isinstance(outcome, str):
            lines.append(f"{point}: {outcome}")
            continue
        measured, problems = outcome
        found = differences(measured.to_json(), problems, stored[_key(point, stored)])
        lines += [f"{point}: {line}" for line in found]
    return lines


def _key(point, stored):
    """Where a point is stored; records from before an option was there do not name it."""
    parameters = dict(point.parameters)
    for missing in (None, "arbiter"):
        parameters.pop(missing, None)
        if digest(parameters) in stored:
            return digest(parameters)
    return None


def rerun(points, stored, *, jobs):
    """The differences of all points that are stored, as lines; the points of a network share its machine."""
    together = {}
    for point in points:
        together.setdefault(point.network, []).append(point)
    lines = []
    with Bar("running again, networks", len(together)) as bar:
        calls = [functools.partial(_group, group, stored) for group in together.values()]
        for _, found in in_processes(calls, jobs=jobs):
            lines += found
            bar.advance()
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweep", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, help="Only every n-th point.")
    options = parser.parse_args()
    stored = stored_by_point(options.results)
    points = [point for point in read_points(options.sweep) if _key(point, stored) is not None]
    chosen = points[:: options.every]
    lines = rerun(chosen, stored, jobs=options.jobs)
    print("\n".join([*lines, f"{len(chosen)} of {len(stored)} records run again, {len(lines)} numbers differ"]))
    sys.exit(bool(lines))


if __name__ == "__main__":
    main()
