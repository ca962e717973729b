"""What the tests of several audits ask of their rows."""

import hashlib

from schedules.checker import check
from schedules.schedule_file import read_schedule


def row_of(rows, where, claim):
    """The one row there whose claim begins so."""
    [row] = [row for row in rows if row.where == where and row.claim.startswith(claim)]
    return row


def check_verdict(row, verdict):
    """Its verdict; ``wrong`` stands for every way to be wrong."""
    assert row.verdict == verdict or verdict == "wrong" and row.verdict.startswith("wrong: ")


def said(row):
    """What a row says whatever machine it comes from."""
    fields = ("name", "where", "claim", "printed", "cases", "verdict", "kind", "failing", "reading", "optimum")
    return [getattr(row, field) for field in fields]


def check_told_apart(rows):
    """No two rows are of the same claim."""
    assert len({(row.where, row.claim) for row in rows}) == len(rows)


def check_evidence(folder, rows, *, at_least):
    """Every schedule in the folder is valid, and every one that a row names, and so many at least, is there."""
    named = {
        word
        for row in rows
        for word in (word.strip(",;:") for word in row.evidence.split())
        if word.startswith(("schedules/", "proofs/")) and word.endswith(".json")
    }
    assert len(named) >= at_least and all((folder / name).exists() for name in named)
    for path in (folder / "schedules").iterdir():
        check(read_schedule(path))


def chosen(rows, number=10):
    """Rows that are wrong or hold under a condition, chosen by the digests of their names and so by nobody."""
    doubtful = [row for row in rows if row.kind in ("wrong", "condition")]
    return sorted(doubtful, key=lambda row: hashlib.sha256(row.name.encode()).hexdigest())[:number]
