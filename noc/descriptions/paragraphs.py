"""The paragraphs and lists of the comment at the head of generated Verilog."""

from collections.abc import Iterable
import textwrap

__all__ = ["bit_range", "count", "item", "paragraph", "ranges"]


WIDTH = 117
"""Columns of the text, after ``// ``."""


def paragraph(text: str) -> list[str]:
    """The lines of a paragraph."""
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def item(name: str, text: str, *, room: int = 0) -> list[str]:
    """The indented lines of an item in a list."""
    first = f"  {name:<{room}}  "
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first.rstrip()]


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def bit_range(low: int, bits: int) -> str:
    if not bits:
        return "no bits"
    return f"bit {low}" if bits == 1 else f"bits {low + bits - 1}:{low}"


def ranges(numbers: Iterable[int]) -> str:
    """Ascending integers, as in ``0-3,6``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
