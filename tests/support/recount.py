"""Counts the cycles of stored points again whose runs are others than then, and keeps the area and speed of their routers.

    python -m tests.support.recount OLD_CHECKOUT FILE [--write] [--jobs 2] [--every 10]

OLD_CHECKOUT is a checkout at which the keys of the records are right, as for tests.support.rekey. A record is counted again if its
key is not that of today, and if its router has the same netlist, commands and tools in both checkouts, which area and speed
follow from. It then has the key of today, the figures of the new run, and the revision that they are from. A record of another
router is named and left alone: a sweep has to measure it. Nothing is written without --write; with it, after each network, so that a
command that was stopped goes on where it was. Exit status 1 if a record is left alone, or a run went wrong.
"""

import argparse
import functools
import json
from pathlib import Path
import sys
import tempfile

from fatcube.groundwork.files import write_text
from fatcube.groundwork.progress import Bar
from fatcube.groundwork.record import source_revision
from fatcube.groundwork.workers import in_processes
from fatcube.studies.keys import point_key
from fatcube.studies.measure import find_schedule, machines_of, measure_cycles
from fatcube.studies.point import Point
from fatcube.studies.result_record import network_of
from tests.support.measured import point_of
from tests.support.rekey import is_point
from tests.support.same import HERE, mapped_otherwise, measured_in

__all__ = ["counted_again", "main", "same_router"]


def same_router(key, old, new, folder):
    """The reason why area and speed may be others than those stored, or ``None``; as in tests.support.rekey.judged."""
    for where, side in (("there", old), ("here", new)):
        if "error" in side:
            return f"it cannot be made {where}: {side['error']}"
    if old["key"] != key:
        return f"its key is not that of the old checkout, {old['key']}"
    for before, after in zip(old["netlists"]["router"], new["netlists"]["router"], strict=True):
        if before["rest"] != after["rest"]:
            return "router: other commands or versions of tools"
        if reason := mapped_otherwise(before, after, folder):
            return f"router: {reason}"
    return None


def counted_again(record, machine=None):
    """The record with what is counted today and today's key, and what went wrong; and the names of the figures that differ."""
    point = _point(record)
    [outcome] = measure_cycles([point], [find_schedule(point)], machine or next(iter(machines_of([point]).values())))
    if isinstance(outcome, str):
        raise RuntimeError(f"{point}: {outcome}")
    found, problems = outcome
    measured = {**record["measured"], **found.to_json()}
    different = [name for name, value in measured.items() if record["measured"].get(name) != value]
    if "microseconds" in measured:
        measured["microseconds"] = measured["fmax_mhz"] and measured["cycles"] / measured["fmax_mhz"]
    how = {**record["how"], "counted_at_revision": source_revision()[0]}
    return {**record, "key": point_key(point), "measured": measured, "how": how}, problems, different


def _point(record):
    parameters = record["parameters"]
    return point_of(Point, network_of(parameters), parameters)


def _group(records):
    """The records of a network, counted again on one machine."""
    points = [_point(record) for record in records]
    [machine] = machines_of(points).values()
    return [counted_again(record, machine) for record in records]


def _stale(records):
    """The records whose key is not that of today."""
    return [record for record in records if point_key(_point(record)) != record["key"]]


def _by_network(records):
    together = {}
    for record in records:
        together.setdefault(network_of(record["parameters"]), []).append(record)
    return [*together.values()]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--write", action="store_true", help="Write the records that were counted again.")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, help="Only every n-th point.")
    given = parser.parse_args(arguments)
    head, *lines = given.file.read_text(encoding="utf-8").splitlines()
    stored = {record["key"]: record for record in map(json.loads, lines)}
    points = [record for record in stored.values() if is_point(record)][:: given.every]
    networks = _by_network(points)
    with Bar("comparing keys of networks", len(networks)) as bar:
        stale = []
        for _, found in in_processes(
            [functools.partial(_stale, group) for group in _by_network(points)], jobs=given.jobs
        ):
            stale += found
            bar.advance()
    with tempfile.TemporaryDirectory() as folder:
        asked = [{"point": record["parameters"]} for record in stale]
        pairs = measured_in([given.checkout.resolve(), HERE], asked, folder) if stale else []
        reasons = [same_router(record["key"], *pair, folder) for record, pair in zip(stale, pairs, strict=True)]
    bad = 0
    for record, reason in zip(stale, reasons, strict=True):
        if reason:
            bad += 1
            print(f"left alone: {record['key']} ({_point(record)}): {reason}")
    same = [record for record, reason in zip(stale, reasons, strict=True) if not reason]
    groups = _by_network(same)
    with Bar("counting again, networks", len(groups)) as bar:
        for number, results in in_processes([functools.partial(_group, group) for group in groups], jobs=given.jobs):
            for record, (new, problems, different) in zip(groups[number], results, strict=True):
                what = ", ".join(
                    f"{name} {record['measured'].get(name)} -> {new['measured'][name]}" for name in different
                )
                print(
                    f"{record['key']} -> {new['key']} ({_point(record)}): {'; '.join(problems) or what or 'the same'}"
                )
                bad += bool(problems)
                if not problems:
                    stored[record["key"]] = new
            if given.write:
                write_text(given.file, "\n".join([head, *map(json.dumps, stored.values())]) + "\n")
            bar.advance()
    print(
        f"{len(points)} points, {len(points) - len(stale)} as they are, {len(same)} counted again, {bad} left alone or wrong"
    )
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
