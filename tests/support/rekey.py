"""Gives records of a checkout before this one the keys of today, where the hardware that was measured is still the same.

    python -m tests.support.rekey OLD_CHECKOUT FILE... [--prove] [--write] [--jobs 2] [--every 10]

OLD_CHECKOUT is a checkout of the sources at which the keys are right, as the records' `source_revision` says. What each
point of a sweep measures is made there and here. A record gets the key of today if

- its key is that of OLD_CHECKOUT,
- all that the key covers besides netlists is the same in both: jobs, schedule, commands, versions of the tools,
- the netlists that are mapped, placed and routed have the same digests (tests/support/canonical.py), with the same
  modules mapped on their own,
- the netlists that run have the same digests, but for modules that are proved to do the same (tests/data/equivalent.json,
  which --prove adds to).

All others keep their key and are named, with the reason. Records that no sweep looks for, whose key is that of all
sources of their day, stay as they are. FILE may also be a page, where the keys are replaced as well. Nothing is written
without --write. Exit status 1 if a record is refused.
"""

import argparse
from collections import Counter
import functools
import json
from pathlib import Path
import sys
import tempfile
import time

from fatcube.groundwork.digest import digest
from fatcube.groundwork.files import write_text
from fatcube.groundwork.progress import Bar
from fatcube.groundwork.workers import in_processes
from tests.support.same import (
    HERE,
    add_equivalent,
    known_equivalent,
    mapped_otherwise,
    measured_in,
    runs_otherwise,
)

__all__ = ["judge", "judged", "main"]


def records_of(path):
    """All records within a JSON file, or a file of JSON lines; none in a page that names them by their keys."""
    if path.suffix not in (".json", ".jsonl"):
        return []
    text = path.read_text(encoding="utf-8")
    values = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else [json.loads(text)]
    return [record for value in values for record in _records_in(value)]


def _records_in(value):
    if isinstance(value, dict) and {"key", "parameters", "how"} <= value.keys():
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _records_in(inner)


def is_point(record):
    """Whether a record is that of a point of a sweep, which is looked for by its key."""
    return {"collective", "payload_flits", "placement_seeds"} <= record["parameters"].keys()


def of_sources(record):
    """Whether the key of a record is that of its parameters and of all sources, which nothing looks for."""
    return record["key"] == digest(record["parameters"], record["how"]["source_hash"], record["how"]["seed"])


def judged(key, old, new, folder, *, equivalent, prove=False):
    """The reason to refuse the record with that ``key``, ``None`` if it may have the new one; and new equivalences.

    Parameters
    ----------
    key : :class:`str`
    old, new : dict
        What `tests.support.measured` prints of its parameters in both checkouts.
    folder : path
        Where the texts of the netlists are.
    equivalent : list of dict
        Pairs of digests of modules that were proved equivalent.
    prove : :class:`bool`
        Whether to prove others.
    """
    for where, side in (("there", old), ("here", new)):
        if "error" in side:
            return f"it cannot be made {where}: {side['error']}", []
    if old["key"] != key:
        return f"its key is not that of the old checkout, {old['key']}", []
    for what in ("rest", "netlists"):
        if old[what].keys() != new[what].keys():
            return f"its key covers {', '.join(sorted(old[what].keys() ^ new[what].keys()))} in one checkout only", []
    if other := [part for part in old["rest"] if old["rest"][part] != new["rest"][part]]:
        return f"another {' and '.join(other)}", []
    proofs = []
    for part in old["netlists"]:
        before, after = old["netlists"][part], new["netlists"][part]
        if [one["rest"] for one in before] != [one["rest"] for one in after]:
            return f"{part}: other commands or versions of tools", proofs
        for one, other in zip(before, after, strict=True):
            if one["rest"] is not None:
                reason, more = mapped_otherwise(one, other, folder), []
            else:
                reason, more = runs_otherwise(one, other, folder, equivalent=[*equivalent, *proofs], prove=prove)
            proofs += more
            if reason:
                return f"{part}: {reason}", proofs
    return None, proofs


def _judge_group(group, folder, equivalent, prove):
    found, proofs = [], []
    for key, old, new in group:
        reason, more = judged(key, old, new, folder, equivalent=[*equivalent, *proofs], prove=prove)
        proofs += more
        found.append((key, reason, None if reason else new["key"]))
    return found, proofs


def judge(points, checkouts, folder, *, prove, jobs):
    """For each key of ``points``, records, the reason to refuse it and the new key; and what was proved for that."""
    pairs = measured_in(checkouts, [{"point": record["parameters"]} for record in points], folder)
    groups = {}
    for record, (old, new) in zip(points, pairs, strict=True):
        network = json.dumps([record["parameters"]["topology"], record["parameters"]["ports"]])
        groups.setdefault(network, []).append((record["key"], old, new))
    calls = [functools.partial(_judge_group, group, folder, known_equivalent(), prove) for group in groups.values()]
    found, proofs = {}, []
    with Bar("comparing networks", len(calls)) as bar:
        for _, (results, more) in in_processes(calls, jobs=jobs):
            found |= {key: (reason, new) for key, reason, new in results}
            proofs += more
            bar.advance()
    return found, proofs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--prove", action="store_true", help="Prove modules equivalent whose digests differ.")
    parser.add_argument("--write", action="store_true", help="Write the new keys.")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, help="Only every n-th point.")
    given = parser.parse_args()
    begun = time.monotonic()
    records = {path: records_of(path) for path in given.files}
    points = list({one["key"]: one for found in records.values() for one in found if is_point(one)}.values())
    points = points[:: given.every]
    with tempfile.TemporaryDirectory() as folder:
        found, proofs = judge(points, [given.checkout.resolve(), HERE], folder, prove=given.prove, jobs=given.jobs)
    for record in points:
        reason, _ = found[record["key"]]
        if reason:
            what = record["parameters"]
            print(f"refused: {record['key']} ({what['collective']} of {what['payload_flits']} flits on "
                  f"{what['topology']}, ports={what['ports']}): {reason}")  # fmt: skip
    proved = add_equivalent(proofs)
    for path, some in records.items():
        for record in some:
            if not is_point(record) and not of_sources(record):
                print(f"kept: {record['key']} in {path}: no sweep looks for it, and it is not that of its sources")
        if some:
            print(f"{path}: {_summary(some, found)}")
        if given.write:
            write_text(path, _with_keys(path.read_text(encoding="utf-8"), found))
    refused = sum(reason is not None for reason, _ in found.values())
    print(
        f"{len(points)} points, {refused} refused, {proved} equivalences of modules proved anew, "
        f"{time.monotonic() - begun:.0f} s"
    )
    return int(refused > 0)


def _summary(records, found):
    def of(record):
        if record["key"] in found:
            reason, new = found[record["key"]]
            return "refused" if reason else "as it is" if new == record["key"] else "with another key"
        if is_point(record):
            return "not looked at"
        return "of all sources" if of_sources(record) else "kept"

    return ", ".join(f"{count} {what}" for what, count in sorted(Counter(map(of, records)).items())) or "no record"


def _with_keys(text, found):
    """A file with the new keys."""
    for key, (reason, new) in found.items():
        if reason is None:
            text = text.replace(key, new)
    return text


if __name__ == "__main__":
    sys.exit(main())
