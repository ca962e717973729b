"""The form of all experiments: named cases, what is measured of each, and the page that follows from the records."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
import concurrent.futures
import dataclasses
import itertools
import json
from pathlib import Path
from typing import Any, TypeVar

from fatcube.groundwork.files import write_bytes, write_text
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topology import Topology
from fatcube.reports.page import Results, write_results
from fatcube.reports.table import TitledTable
from fatcube.synth.nextpnr import check_seeds

__all__ = ["Experiment", "Record", "Settings", "file_name", "read_stored", "run", "table", "write"]


Record = dict[str, Any]
"""A result record (:func:`fatcube.groundwork.record.record`) of one case, whose name is its member ``case``."""

_Row = TypeVar("_Row")


def _option(default: Any, text: str, **how: Any) -> Any:
    """A field of :class:`Settings`, with what argparse has to know of its option."""
    return dataclasses.field(default=default, metadata={"help": text, **how})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Settings:
    """Options of a run; each experiment lists those that it takes.

    Members
    -------
    folder : path
        The folder of the results.
    """

    folder: Path
    seeds: Sequence[int] = _option((1, 2, 3), "seeds of place and route", type=int, nargs="+")
    fmax: bool = _option(True, "leave out place and route", flag="--no-fmax", action="store_false")
    whole: bool = _option(True, "leave out networks as a whole", flag="--no-whole", action="store_false")
    time_limit: float = _option(15.0, "seconds of search for each schedule", type=float, metavar="SECONDS")
    checkouts: Path | None = _option(
        None,
        "folder with a clone of each repository, bare or not, by its name without the owner, "
        'and in "generated" what programs have written',
        type=Path,
        metavar="FOLDER",
    )
    ours: bool = _option(False, "with --stored: run our own schedules again", action="store_true")

    def __post_init__(self) -> None:
        object.__setattr__(self, "seeds", check_seeds(self.seeds))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Experiment:
    """A measurement whose results are stored.

    Members
    -------
    name : :class:`str`
        The name in the command, and of the files NAME.json and NAME.md.
    about : :class:`str`
        One line for ``--list``.
    cases : mapping, or callable
        All cases by name, in the order of the results; or a function that reads them from a file like ``described``.
    described : path or ``None``
        The file that describes the cases.
    measure : callable
        The record of a case, from the case and the :class:`Settings`; it may write files into their folder.
    check : callable
        Raises an error if the chosen cases cannot be measured with the :class:`Settings`, before anything takes long.
    page : callable
        The page, from all records and the folder that they stand in: title, sentences, columns and rows.
    takes : tuple of :class:`str`
        The members of :class:`Settings` that are options of this experiment.
    jobs : :class:`int`
        Cases that are measured at a time.
    stays : callable
        Whether a stored record stays beside a new one of its case, as one of an older flow may.
    failed : callable
        Whether a record tells of a failure, which makes the exit status 1.
    renew : callable
        For ``--stored``: the records, from the stored ones and the :class:`Settings`, where more than the page is computed anew.
    files : callable
        Further files in the folder of the page, by name: text or bytes, from the records and the folder.
    """

    name: str
    about: str
    cases: Mapping[str, Any] | Callable[[Path], Mapping[str, Any]]
    described: Path | None = None
    measure: Callable[[Any, Settings], Record]
    check: Callable[[Iterable[Any], Settings], None] = lambda cases, settings: None
    page: Callable[[Sequence[Record], Path], Results]
    takes: Collection[str] = ()
    jobs: int = 1
    stays: Callable[[Record], bool] = lambda record: False
    failed: Callable[[Record], bool] = lambda record: False
    renew: Callable[[Sequence[Record], Settings], Sequence[Record]] = lambda records, settings: records
    files: Callable[[Sequence[Record], Path], Mapping[str, str | bytes]] = lambda records, folder: {}

    def cases_of(self, file: Path | None = None) -> Mapping[str, Any]:
        """The cases; those of another description if ``file`` is given."""
        if isinstance(self.cases, Mapping):
            return self.cases
        described = file or self.described
        assert described is not None
        return self.cases(described)

    def results(self, records: Sequence[Record], folder: Path) -> Results:
        """The page, with the command that writes it."""
        made = self.page(records, folder)
        written = f"Written by `python -m experiments {self.name}`; all figures are in {self.name}.json."
        return dataclasses.replace(made, note=f"{made.note} {written}".lstrip())


def file_name(topology: Topology) -> str:
    """A network as part of the name of a file or a case."""
    return "-".join([topology.kind, *map(str, topology.parameters.values())])


def table(title: str, note: str, columns: Mapping[str, Callable[[_Row], object]], rows: Iterable[_Row]) -> TitledTable:
    """A table of rows, from a function for the cell of each column."""
    return TitledTable(title, note, list(columns), [[cell(row) for cell in columns.values()] for row in rows])


def read_stored(experiment: Experiment, folder: Path) -> list[Record]:
    """The records that a folder has; none if there is no file.

    Raises
    ------
    ParameterError
        If the file has something else.
    """
    path = folder / f"{experiment.name}.json"
    if not path.is_file():
        return []
    try:
        records = json.loads(path.read_text(encoding="utf-8"))
        assert all(isinstance(one["case"], str) for one in records)
        return list(records)
    except (AssertionError, KeyError, TypeError, ValueError):
        raise ParameterError(f"{path} must have a list of records, each with its case, or not be there") from None


def write(experiment: Experiment, records: Sequence[Record], folder: Path) -> None:
    """Write records, a line each, and the page in Markdown with the files beside it."""
    lines = ",\n".join(json.dumps(one) for one in records)
    write_text(folder / f"{experiment.name}.json", f"[\n{lines}\n]\n")
    for name, content in experiment.files(records, folder).items():
        (write_text if isinstance(content, str) else write_bytes)(folder / name, content)  # pyright: ignore
    write_results(experiment.results(records, folder), folder / f"{experiment.name}.md")


def run(
    experiment: Experiment, cases: Mapping[str, Any], only: Collection[str], settings: Settings
) -> Iterator[Record]:
    """Measure the cases of these names; yields each record when it is written beside the stored ones of other cases."""
    records = read_stored(experiment, settings.folder)
    order = {name: number for number, name in enumerate(cases)}
    for name, measured in _measured(experiment, {name: cases[name] for name in cases if name in only}, settings):
        made = {"case": name, **measured}
        kept = [one for one in records if one["case"] in order and (one["case"] != name or experiment.stays(one))]
        records = sorted([*kept, made], key=lambda one: order[one["case"]])
        write(experiment, records, settings.folder)  # at every case: what a long run has is not to be lost
        yield made


def _measured(experiment: Experiment, cases: Mapping[str, Any], settings: Settings) -> Iterator[tuple[str, Record]]:
    if experiment.jobs == 1:
        yield from ((name, experiment.measure(case, settings)) for name, case in cases.items())
        return
    with concurrent.futures.ProcessPoolExecutor(experiment.jobs) as pool:
        yield from zip(cases, pool.map(experiment.measure, cases.values(), itertools.repeat(settings)))
