"""Tables in Markdown."""

from collections.abc import Iterable, Sequence

__all__ = ["markdown_table", "titled_table"]


def markdown_table(columns: Sequence[object], rows: Iterable[Sequence[object]]) -> list[str]:
    """A table as lines; what would be markup in a cell is shown as it is."""
    lines = [columns, ["---"] * len(columns), *rows]
    return ["| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines]


def titled_table(title: str, note: str, columns: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A table with a heading of the second order and a note above it; neither if the title is empty."""
    above = [f"## {title}", "", note, ""] if title else []
    return "\n".join([*above, *markdown_table(columns, rows), ""])


def _cell(cell: object) -> str:
    return str(cell).replace("|", r"\|").replace("*", r"\*")
