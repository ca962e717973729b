"""The experiment of imported schedules: each is read from a file of others, judged, and run beside ours."""

from collections.abc import Iterable, Sequence

from experiments.experiment import Experiment, Record, Settings
from experiments.imported_schedules.judge import MESSAGES, judge, with_bound, with_ours
from experiments.imported_schedules.page import page, rows_of
from experiments.imported_schedules.published import PUBLISHED, Published, read_published
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError

__all__ = ["EXPERIMENT"]


def _check(chosen: Iterable[Published], settings: Settings) -> None:
    """Raise an error if a file is not there."""
    if settings.checkouts is None:
        raise ParameterError("--checkouts must be given, or --stored")
    for one in chosen:
        one.content(settings.checkouts)


def _measure(published: Published, settings: Settings) -> Record:
    assert settings.checkouts is not None
    row = judge(published, settings.checkouts)
    return record({"schedule": row.name, "flits": list(MESSAGES), "ports": "d"}, row.to_json())


def _renew(records: Sequence[Record], settings: Settings) -> list[Record]:
    """The records with the bounds of today and, if ``ours`` is set, with our schedules of today."""
    rows = [with_bound(row) for row in rows_of(records)]
    if settings.ours:
        rows = with_ours(rows)
    return [{**one, "measured": row.to_json()} for one, row in zip(records, rows, strict=True)]


EXPERIMENT = Experiment(
    name="imported-schedules",
    about="published schedules of other synthesizers, imported, checked, and run on the RTL beside ours",
    cases=lambda path: {one.name: one for one in read_published(path)},
    described=PUBLISHED,
    measure=_measure,
    check=_check,
    page=page,
    takes=("checkouts", "ours"),
    failed=lambda record: bool(record["measured"].get("failures")),
    renew=_renew,
)
