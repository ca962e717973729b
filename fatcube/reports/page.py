"""Pages: HTML made from the folder ``templates``, where every value is escaped. A page loads nothing."""

from collections import Counter
from collections.abc import Mapping, Sequence
import dataclasses
import functools
import json
from pathlib import Path
import re
from typing import Any

import jinja2
from markupsafe import Markup

from fatcube.groundwork.files import write_text
from fatcube.reports.figure import Figure, for_page
from fatcube.reports.markdown import titled_table
from fatcube.reports.table import Section, TitledTable
from fatcube.reports.text import Text, formulas, unbroken

__all__ = ["More", "Results", "page", "results_page", "write_results"]


_UNFOLDS = 6  # columns: a table with as many may be too wide for a phone, where a row is read unfolded
_NAMED, _NAME = 3, 30  # columns beside which names of rows stay in sight, and letters of a name
_CHOICES = 4  # columns of which a value can be chosen
_VALUES = 8  # the most in such a column
_NUMBER = re.compile(r"[<>~±+-]?\d[\d,]*(\.\d+)?(e[+-]?\d+)?[ ]?[%~?*]?")


@dataclasses.dataclass(frozen=True, kw_only=True)
class More:
    """Further contents of the first table of a page, besides its cells.

    Members
    -------
    details : list of lists of (:class:`str`, :class:`str`)
        The details of each row that are unfolded, as terms and texts, in place of its cells.
    records : list of mappings
        JSON values that rows unfold to besides their cells, and that a download as JSON has.
    ids : list of :class:`str`
        The name of each row, by which links lead to it.
    keys : list of :class:`str`
        The names of the columns in downloads, if not their heads.
    choices : list of :class:`str`
        The columns of which one value can be chosen; those with few texts if not given.
    """

    details: Sequence[Sequence[tuple[str, str]]] = ()
    records: Sequence[Mapping[str, Any]] = ()
    ids: Sequence[str] = ()
    keys: Sequence[str] = ()
    choices: Sequence[str] | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Results:
    """Results as a page or as Markdown.

    Members
    -------
    title : :class:`str`
    note : :class:`str`
        The text that the reader needs to understand them.
    says : list of :class:`str`
        The conclusions, a paragraph each.
    figures : list of :class:`Figure`
        Points may name rows of the first table.
    tables : list of :class:`TitledTable`
    sections : list of :class:`Section`
        They stand below the tables.
    more : :class:`More`
    folder : :class:`str`
        The folder beside the page in which the schedules and proofs lie that cells name: they are links.
    version, command : :class:`str`
        The version and the command line that made them, which a page has at its end; none if empty. Markdown has neither, as
        it is kept under version control.
    """

    title: str
    note: str = ""
    says: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[TitledTable] = ()
    sections: Sequence[Section] = ()
    more: More = More()
    folder: str = ""
    version: str = ""
    command: str = ""


@dataclasses.dataclass(frozen=True)
class _PageTable:
    """A table for the template: which columns have numbers, of which a value can be chosen, and whether rows unfold."""

    table: TitledTable
    more: More

    def __getattr__(self, name: str) -> Any:
        return getattr(self.more if name in ("details", "records", "ids", "keys") else self.table, name)

    @functools.cached_property
    def numeric(self) -> list[bool]:
        return [_numeric([str(row[index]) for row in self.table.rows]) for index in range(len(self.table.columns))]

    @functools.cached_property
    def choices(self) -> Sequence[str]:
        if self.more.choices is not None:
            return self.more.choices
        found = []
        for index, (column, numeric) in enumerate(zip(self.table.columns, self.numeric)):
            counts = Counter(str(row[index]) for row in self.table.rows)
            if (
                any(text[:1].isalpha() for text in counts)
                and not numeric
                and 2 <= len(counts) <= _VALUES
                and len(counts) * 2 <= len(self.table.rows)
            ):
                found.append(column)
        return found[:_CHOICES]

    @property
    def named(self) -> bool:
        """True if the first cells of rows are names, and no sentences."""
        return len(self.table.columns) > _NAMED and all(len(str(row[0])) <= _NAME for row in self.table.rows)

    @property
    def unfolds(self) -> bool:
        return bool(self.more.details or self.more.records) or len(self.table.columns) >= _UNFOLDS


def _numeric(texts: Sequence[str]) -> bool:
    """True if these are numbers, some of which may be missing."""
    there = [text for text in texts if text not in ("", "-")]
    return bool(there) and all(_NUMBER.fullmatch(text) for text in there)


def page(template: str, **values: Any) -> str:
    """The HTML text of a page.

    Parameters
    ----------
    template : :class:`str`
        The name of a file in the folder ``templates``.
    values
        The variables of the template. Text is escaped, whatever it holds; data for a script goes through ``tojson``.

    Raises
    ------
    jinja2.UndefinedError
        If the template names a value that is not given.
    """
    return _environment().get_template(template).render(values)


def results_page(results: Results) -> str:
    """The HTML text of a page with results: figures, and tables that can be sorted, filtered, unfolded and downloaded."""
    tables = [_PageTable(table, More() if number else results.more) for number, table in enumerate(results.tables)]
    sections = [
        {
            "title": section.title,
            "paragraphs": section.paragraphs,
            "tables": [_PageTable(one, More()) for one in section.tables],
        }
        for section in results.sections
    ]
    return page(
        "results.html",
        title=results.title,
        note=results.note,
        says=results.says,
        figures=results.figures,
        tables=tables,
        sections=[{"title": "", "paragraphs": [], "tables": tables}, *sections],
        text=Text(results.folder),
        version=results.version,
        command=results.command,
    )


def write_results(results: Results, file: Path) -> None:
    """Write results to ``file``: as Markdown, without figures, if its name ends in ``.md``, and else as an HTML page."""
    if file.suffix != ".md":
        write_text(file, results_page(results))
        return
    parts = [f"# {results.title}\n\n{results.note}\n", *(f"{_text(text)}\n" for text in results.says)]
    for section in (Section("", [], list(results.tables)), *results.sections):
        parts += [f"## {section.title}\n"] if section.title else []
        parts += [f"{_text(text)}\n" for text in section.paragraphs]
        parts += [f"![{text}]({name})\n" for text, name in section.pictures]
        parts += [titled_table(one.title, _text(one.note), one.columns, one.rows) for one in section.tables]
    write_text(file, "\n".join(parts))


def _text(text: str) -> str:
    """A text in Markdown, in which a star is one, as in the name of a router model; in backquotes it is so anyway."""
    return "`".join(part if index % 2 else part.replace("*", r"\*") for index, part in enumerate(text.split("`")))


def _shared(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Records in which every list or object that stands in several of them is stored once, and else by its number."""
    counts = Counter(text for record in records for text in _parts(record))
    numbers: dict[str, int] = {}
    shared: list[Any] = []

    def packed(value: Any, *, whole: bool = False) -> Any:
        text = "" if whole or not isinstance(value, (list, dict)) else json.dumps(value)
        if counts[text] > 1 and len(text) > _SHORT:
            if text not in numbers:
                content = packed(value, whole=True)
                numbers[text] = len(shared)
                shared.append(content)
            return {"$": numbers[text]}
        if isinstance(value, Mapping):
            return {name: packed(one) for name, one in value.items()}
        return [packed(one) for one in value] if isinstance(value, (list, tuple)) else value

    return {"rows": [packed(record) for record in records], "shared": shared}


_SHORT = 24  # letters that are not worth a reference


def _parts(value: Any) -> list[str]:
    """The lists and objects in a JSON value, as texts."""
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    found = [text for one in inner for text in _parts(one)]
    return [*found, json.dumps(value)] if isinstance(value, (list, dict)) else found


def _source(name: str) -> Markup:
    """The text of a style or script among the templates: it is ours, and no template itself."""
    return Markup(_loader().get_source(_environment(), name)[0])


@functools.cache
def _loader() -> "jinja2.PackageLoader":
    return jinja2.PackageLoader("fatcube.reports")


@functools.cache
def _environment() -> "jinja2.Environment":
    """The environment that fills the templates; made with the first page, as most commands make none."""
    environment = jinja2.Environment(
        loader=_loader(),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    # The order of keys stays, as it is that of columns; and NaN is not JSON.
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    environment.globals |= {"source": _source}
    environment.filters |= {"for_page": for_page, "shared": _shared, "unbroken": unbroken, "formulas": formulas}
    return environment
