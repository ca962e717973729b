"""Traffic that a user gives: a permutation, shares of hot spots, or the rates of flows, each as a self-contained text.

A file is read once; the value is then its text, so that records do not depend on files.
"""

from collections.abc import Iterator
import csv
from fractions import Fraction
from pathlib import Path
import re
from typing import NamedTuple

from fatcube.groundwork.files import read_bytes
from fatcube.groundwork.strict.malformed import decoded, within
from fatcube.groundwork.validation import ParameterError, check_choice, check_integer, shown

__all__ = [
    "PERMUTATION",
    "Flow",
    "flows",
    "flows_given",
    "hot_spots",
    "hot_spots_given",
    "pattern_given",
    "permutation",
]


PERMUTATION = "permutation:"
"""The beginning of a pattern that is a permutation; a file follows, or the comma-separated destinations."""
_MOST_BYTES = 1 << 25
_MOST_PROCESSORS = 1 << 16
_COLUMNS = ("source", "destination", "flits_per_cycle")
_NUMBER = re.compile(r"\d{1,12}(\.\d{1,12})?(e-?\d{1,2})?", re.ASCII | re.IGNORECASE)
_FLOWS = re.compile(r"\d+,\d+,[^,;]+(;\d+,\d+,[^,;]+)*", re.ASCII)


class Flow(NamedTuple):
    """A flow: the numbers of two processors, and the flits per cycle, headers included, from one to the other."""

    source: int
    destination: int
    rate: Fraction


def pattern_given(given: object, names: tuple[str, ...]) -> str:
    """The pattern ``given``: one of ``names``, or a permutation, whose file is read.

    Raises
    ------
    ParameterError
        If it is none, or the file holds no permutation.
    OSError
        If the file cannot be read.
    """
    if not isinstance(given, str) or not given.startswith(PERMUTATION):
        return check_choice("pattern", given, (*names, f"{PERMUTATION}FILE") if given not in names else names)
    text = given.removeprefix(PERMUTATION)
    if not text:
        raise ParameterError(f"pattern must be {PERMUTATION}FILE, with the name of a file, not {shown(given)}")
    if re.fullmatch(r"\d+(,\d+)*", text, re.ASCII):
        return _permutation_in(text)
    held = _text_of(text, "a permutation")
    try:
        return _permutation_in(held)
    except ParameterError as error:
        raise ParameterError(f"{text}: {error}") from None


def _permutation_in(text: str) -> str:
    """The pattern of the permutation whose destinations a text holds."""
    numbers = [_integer("destination of a permutation", part) for part in re.split(r"[\s,]+", text) if part]
    if not numbers:
        raise ParameterError("destinations of a permutation must be one for each processor, not none")
    if sorted(numbers) != [*range(len(numbers))]:
        wrong = next(number for number in numbers if number >= len(numbers) or numbers.count(number) > 1)
        raise ParameterError(
            f"destinations of a permutation must be the numbers from 0 to {len(numbers) - 1}, each once, not {wrong}"
            f"{f' {numbers.count(wrong)} times' if wrong < len(numbers) else ''}"
        )
    return PERMUTATION + ",".join(map(str, numbers))


def permutation(pattern: str) -> list[int]:
    """The destination of each processor in a pattern that :func:`pattern_given` returned; none if it is no permutation."""
    return (
        [int(part) for part in pattern.removeprefix(PERMUTATION).split(",")] if pattern.startswith(PERMUTATION) else []
    )


def hot_spots_given(given: object) -> str:
    """Hot spots as they are given, ``3:0.2,7:0.1``: processors and the share of all packets that goes to each of them.

    Raises
    ------
    ParameterError
        If the text has another form, names a processor twice, or has shares that add up to more than 1.
    """
    if given == "":
        return ""
    if not isinstance(given, str) or not re.fullmatch(r"\d{1,9}:[^:,]+(,\d{1,9}:[^:,]+)*", given, re.ASCII):
        raise ParameterError(f"hotspot must be processors with shares, such as 3:0.2,7:0.1, not {shown(given)}")
    parts = [part.split(":") for part in given.split(",")]
    spots = [(int(processor), _positive("share of a hot spot", share)) for processor, share in parts]
    for processor, _ in spots:
        if [other for other, _ in spots].count(processor) > 1:
            raise ParameterError(f"hotspot must have each processor once, not {processor} several times")
    if (total := sum(share for _, share in spots)) > 1:
        raise ParameterError(f"shares of hot spots must add up to at most 1, not to {float(total):g}")
    return given


def hot_spots(text: str) -> list[tuple[int, Fraction]]:
    """The processors and shares in a text that :func:`hot_spots_given` returned."""
    return [(int(part.split(":")[0]), Fraction(part.split(":")[1])) for part in text.split(",")] if text else []


def flows_given(given: object) -> str:
    """The flows in a file, or in a text with ``source,destination,flits_per_cycle`` of each and semicolons between them.

    Raises
    ------
    ParameterError
        If it has another form, a flow leads to its source, a pair occurs twice, or the rates of a source add up to more
        than 1; the message begins with the file and the line.
    OSError
        If the file cannot be read.
    """
    if given == "":
        return ""
    if not isinstance(given, (str, Path)):
        raise ParameterError(f"traffic must be a CSV file with {','.join(_COLUMNS)}, not {shown(given)}")
    if isinstance(given, str) and _FLOWS.fullmatch(given):
        rows = [("traffic", part.split(",")) for part in given.split(";")]
    else:
        rows = [*_rows(Path(given))]
        if not rows:
            raise ParameterError(f"{given} must have at least one flow")
    found: dict[tuple[int, int], str] = {}
    totals: dict[int, Fraction] = {}
    for where, cells in rows:
        try:
            source, destination = (_integer(name, cell) for name, cell in zip(_COLUMNS[:2], cells))
            rate = _positive("flits per cycle", cells[2])
            if source == destination:
                raise ParameterError(f"destination of processor {source} must be another processor, not itself")
            if (source, destination) in found:
                raise ParameterError(f"flows must be given once, not twice from {source} to {destination}")
            totals[source] = totals.get(source, Fraction(0)) + rate
            if totals[source] > 1:
                raise ParameterError(
                    f"flits per cycle of processor {source} must add up to at most 1, not to {float(totals[source]):g}"
                )
        except ParameterError as error:
            raise ParameterError(f"{where}: {error}") from None
        found[source, destination] = cells[2].strip()
    return ";".join(f"{source},{destination},{rate}" for (source, destination), rate in sorted(found.items()))


def flows(text: str) -> list[Flow]:
    """The flows in a text that :func:`flows_given` returned."""
    parts = (part.split(",") for part in text.split(";")) if text else ()
    return [Flow(int(source), int(destination), Fraction(rate)) for source, destination, rate in parts]


def _rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The cells of each line of a file of flows, in the order of the columns, and where they stand."""
    lines = [
        (number, line) for number, line in enumerate(_text_of(path, "a file of flows").splitlines(), 1) if line.strip()
    ]
    head = [cell.strip() for cell in next(csv.reader([lines[0][1]]))] if lines else []
    if sorted(head) != sorted(_COLUMNS):
        raise ParameterError(f"{path} must begin with a line {','.join(_COLUMNS)}")
    for number, line in lines[1:]:
        cells = dict(zip(head, row := next(csv.reader([line]))))
        where = f"{path}, line {number}"
        if len(row) != len(head):
            raise ParameterError(f"{where}: a flow must have {len(head)} values, not {len(row)}")
        yield where, [cells[name] for name in _COLUMNS]


def _text_of(path: str | Path, what: str) -> str:
    content = read_bytes(Path(path), most=_MOST_BYTES, what=what)
    with within(path):
        return decoded(content, "CSV")


def _integer(name: str, cell: str) -> int:
    """The number of a processor in a cell."""
    text = cell.strip()
    number: object = int(text) if re.fullmatch(r"[+-]?\d{1,9}", text, re.ASCII) else text
    return check_integer(name, number, minimum=0, maximum=_MOST_PROCESSORS - 1)


def _positive(name: str, cell: str) -> Fraction:
    """The decimal number in a cell, which is above 0 and at most 1, exactly."""
    text = cell.strip()
    if not _NUMBER.fullmatch(text) or not 0 < Fraction(text) <= 1:
        raise ParameterError(f"{name} must be a number above 0 and at most 1, not {shown(text)}")
    return Fraction(text)
