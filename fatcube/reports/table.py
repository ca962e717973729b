"""Tables of results on a terminal of any width, and as CSV: columns go by importance, and no number is ever cut."""

from collections.abc import Iterable, Sequence
import csv
import dataclasses
import io
from pathlib import Path
import re
from typing import Literal, NamedTuple

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from fatcube.groundwork.files import write_text

__all__ = ["Column", "Marked", "Section", "Shown", "TitledTable", "show", "write_csv"]


_FRAME = 3  # characters a column takes beside its own: two spaces and a line, and one line more at the end


class TitledTable(NamedTuple):
    """A table for pages and Markdown.

    Members
    -------
    title, note : :class:`str`
        The heading, and what the reader has to know to read it.
    columns : list of :class:`str`
    rows : list of lists
        A cell for each column: anything that :class:`str` makes a text of.
    """

    title: str
    note: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]


@dataclasses.dataclass(frozen=True)
class Section:
    """A part of a report.

    Members
    -------
    title : :class:`str`
    paragraphs : list of :class:`str`
    tables : list of :class:`TitledTable`
        All cells are text.
    pictures : list of (:class:`str`, :class:`str`)
        Descriptions of pictures, and their files beside a file of Markdown; a page has none of them, as it loads nothing.
    """

    title: str
    paragraphs: Sequence[str]
    tables: Sequence[TitledTable]
    pictures: Sequence[tuple[str, str]] = ()


class Marked(NamedTuple):
    """A cell with a verdict, which a page shows by a sign and a colour: ``good``, ``partly``, ``wrong``, or none of them."""

    text: str
    mark: Literal["good", "partly", "wrong", "other"]

    def __str__(self) -> str:
        return self.text


class Shown(NamedTuple):
    """A cell that is shown otherwise than what it is: with separators and marks, which CSV does not have."""

    value: object
    text: str

    def __str__(self) -> str:
        return self.text


@dataclasses.dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    title : :class:`str`
    rank : :class:`int`
        The rank of the column: where there is no room, the highest is left out first. Columns of rank 0 always stay.
    """

    title: str
    rank: int = 0


def show(
    console: Console,
    title: str,
    columns: Iterable[Column | str],
    rows: Iterable[Sequence[object]],
    *,
    wide: bool = False,
    note: str = "",
) -> None:
    """Print a table. Text is wrapped at spaces where it must be; a number stays whole, or its column is left out.

    A terminal decides how wide it is. In a pipe or file nothing is left out.

    Parameters
    ----------
    console : :class:`rich.console.Console`
    title, note : :class:`str`
        Lines above and below, if any.
    columns : list of :class:`Column` or :class:`str`
        A text is the title of a column that is never left out. Without any title there is no head.
    rows : list of lists
        A cell for each column: anything that :class:`str` makes a text of.
    wide : :class:`bool`
        Show all columns however narrow the terminal is.
    """
    heads = [one if isinstance(one, Column) else Column(one) for one in columns]
    texts = [[str(cell) for cell in row] for row in rows]
    if title:
        _line(console, title)
    kept = list(range(len(heads)))
    widths = _widths(heads, texts, kept, console.width)
    if wide or not console.is_terminal:
        widths = widths or _widths(heads, texts, kept, None)
    while widths is None and any(heads[index].rank for index in kept):
        kept.remove(max(kept, key=lambda index: (heads[index].rank, index)))
        widths = _widths(heads, texts, kept, console.width)
    if widths is None:
        kept = list(range(len(heads)))
        _lines(console, heads, texts)
    else:
        _print(console, heads, texts, widths)
    left_out = [one.title for index, one in enumerate(heads) if index not in kept]
    if left_out:
        _line(console, f"left out at {console.width} columns: {', '.join(left_out)}; --wide shows all")
    if note:
        _line(console, note)


def write_csv(path: Path, columns: Iterable[Column | str], rows: Iterable[Sequence[object]]) -> None:
    """Write all of a table as CSV, or nothing: values as they are, without separators and marks.

    Parameters
    ----------
    path : path
    columns : list of :class:`Column` or :class:`str`
    rows : list of lists
        A cell for each column; of a :class:`Shown` one the value.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([one.title if isinstance(one, Column) else one for one in columns])
    writer.writerows([cell.value if isinstance(cell, Shown) else cell for cell in row] for row in rows)
    write_text(path, text.getvalue())


def _widths(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], kept: Sequence[int], total: int | None
) -> dict[int, int] | None:
    """Characters for each of the columns that are kept, in ``total``; ``None`` if there are too few.

    Without a ``total`` every column has what it needs for no cell to be wrapped.
    """
    texts = {index: [columns[index].title, *(row[index] for row in rows)] for index in kept}
    whole = {index: max(map(cell_len, cells)) for index, cells in texts.items()}
    if total is None:
        return whole
    least = {index: max(cell_len(part) for cell in cells for part in _parts(cell)) for index, cells in texts.items()}
    left = total - 1 - _FRAME * len(kept) - sum(least.values())
    if left < 0:
        return None
    # The remaining room goes first to the columns that need least, so that as few columns as possible are wrapped.
    for index in sorted(kept, key=lambda index: whole[index] - least[index]):
        more = min(whole[index] - least[index], left)
        least[index] += more
        left -= more
    return least


def _parts(text: str) -> list[str]:
    """The indivisible parts of a text: its words, or all of it if it has no letter, as "131 + 63"."""
    return text.split(" ") if re.search(r"[^\W\d_]", text) else [text]


def _print(console: Console, columns: Sequence[Column], rows: Iterable[Sequence[str]], widths: dict[int, int]) -> None:
    """Print the columns that have a width as a frame, which may be wider than the terminal."""
    table = Table(show_header=any(columns[index].title for index in widths), box=box.HEAVY_HEAD)
    for index, width in widths.items():
        table.add_column(columns[index].title, width=width, overflow="fold")
    for row in rows:
        table.add_row(*(row[index] for index in widths))
    total = sum(widths.values()) + _FRAME * len(widths) + 1
    if total <= console.width:
        console.print(table)
        return
    before = console.width
    console.width = total
    try:
        console.print(table)
    finally:
        console.width = before


def _lines(console: Console, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
    """Print each row as lines of name and value, where not even the most important columns fit side by side."""
    for row in rows:
        for column, cell in zip(columns, row):
            _line(console, f"{column.title}: {cell}" if column.title else cell)
        _line(console, "")


def _line(console: Console, text: str) -> None:
    """Print a line however long: the terminal wraps it, and nothing is cut."""
    console.print(text, highlight=False, soft_wrap=True, markup=False)
