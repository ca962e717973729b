"""A library of standard cells as a Liberty file: the area, the function and the kind of each cell."""

from collections.abc import Iterator, Mapping
import dataclasses
import functools
import itertools
import re

from fatcube.groundwork.validation import ParameterError

__all__ = ["LibraryCell", "inverter", "nand2", "parse_library"]


_TOKEN = re.compile(r'\s+|/\*.*?\*/|\\\n|("(?:[^"\\]|\\.)*"|[^\s"(){}:;,]+|[(){}:;,])', re.DOTALL)
_FUNCTION = re.compile(r"[A-Za-z_]\w*|[()!'*&+|^01]")


@dataclasses.dataclass(frozen=True)
class LibraryCell:
    """A cell of a library.

    Members
    -------
    area : :class:`float`
        Its area in the unit of the library, which is µm² in all that are known.
    register : :class:`bool`
        True for a flip-flop or latch.
    inputs : :class:`tuple` of :class:`str`
        Its input pins.
    functions : mapping of :class:`str` to :class:`str`
        The function of each output pin, as in the file.
    """

    area: float
    register: bool
    inputs: tuple[str, ...]
    functions: Mapping[str, str]

    @property
    def is_nand2(self) -> bool:
        """True if it is a NAND gate of two inputs, whatever its name and the way its function is written."""
        return self._is_nand(2)

    @property
    def is_inverter(self) -> bool:
        """True if it is an inverter."""
        return self._is_nand(1)

    def _is_nand(self, inputs: int) -> bool:
        if self.register or len(self.inputs) != inputs or len(self.functions) != 1:
            return False
        [function] = self.functions.values()
        return all(
            _value(function, dict(zip(self.inputs, values))) == (not all(values))
            for values in itertools.product((False, True), repeat=inputs)
        )


@dataclasses.dataclass
class _Group:
    kind: str
    name: str
    attributes: dict[str, str] = dataclasses.field(default_factory=dict)
    groups: "list[_Group]" = dataclasses.field(default_factory=list)


@functools.lru_cache(maxsize=8)
def parse_library(text: str) -> Mapping[str, LibraryCell]:
    """The cells of a Liberty file by name.

    Raises
    ------
    ParameterError
        If the text is no Liberty library, or has no flip-flop or no NAND gate of two inputs.
    """
    tokens = (found[1].strip('"') if found[1][0] == '"' else found[1] for found in _TOKEN.finditer(text) if found[1])
    try:
        [library] = _groups(tokens, outermost=True).groups
        cells = {one.name: _cell(one) for one in library.groups if one.kind == "cell"}
    except (IndexError, ValueError):
        cells = {}
    if not cells:
        raise ParameterError("liberty must be a Liberty library with cells, which this file is not")
    if not any(cell.register for cell in cells.values()):
        raise ParameterError("liberty must have a flip-flop, unlike this library")
    if not any(cell.is_nand2 for cell in cells.values()):
        raise ParameterError("liberty must have a NAND gate of two inputs, unlike this library")
    return cells


def nand2(cells: Mapping[str, LibraryCell]) -> str:
    """The name of the smallest NAND gate of two inputs, whose area is a gate equivalent."""
    return min((name for name, cell in cells.items() if cell.is_nand2), key=lambda name: (cells[name].area, name))


def inverter(cells: Mapping[str, LibraryCell]) -> str | None:
    """The name of the smallest inverter, if there is one."""
    return min(
        (name for name, cell in cells.items() if cell.is_inverter),
        key=lambda name: (cells[name].area, name),
        default=None,
    )


def _groups(tokens: Iterator[str], *, outermost: bool = False) -> _Group:
    """The content of a group, whose opening brace has been read; of the whole file if it is the outermost."""
    group, words = _Group("", ""), list[str]()
    for token in tokens:
        if token == "}":
            return group
        if token == "{":
            inner = _groups(tokens)
            inner.kind, inner.name = words[0], "".join(words[1:]).strip("()")
            group.groups.append(inner)
            words = []
        elif token == ";":
            words = []
        else:
            words.append(token)
            if len(words) == 3 and words[1] == ":":
                group.attributes[words[0]] = words[2]
                words = []
    if not outermost or words:
        raise ValueError("the file ends within a group")
    return group


def _cell(group: _Group) -> LibraryCell:
    pins = [one for one in group.groups if one.kind == "pin"]
    return LibraryCell(
        area=float(group.attributes.get("area", "0")),
        register=any(one.kind in ("ff", "latch", "ff_bank", "latch_bank") for one in group.groups),
        inputs=tuple(one.name for one in pins if one.attributes.get("direction") == "input"),
        functions={one.name: one.attributes["function"] for one in pins if "function" in one.attributes},
    )


def _value(function: str, pins: Mapping[str, bool]) -> bool | None:
    """The value of a Liberty function; ``None`` if it has other names than ``pins``."""
    tokens = _FUNCTION.findall(function)

    def peek() -> str:
        return tokens[0] if tokens else ""

    def alternative() -> bool:
        value = conjunction()
        while peek() in ("+", "|"):
            tokens.pop(0)
            value = conjunction() or value
        return value

    def conjunction() -> bool:
        value = exclusive()
        while peek() not in ("", ")", "+", "|"):
            if peek() in ("*", "&"):
                tokens.pop(0)
            value = exclusive() and value
        return value

    def exclusive() -> bool:
        value = factor()
        while peek() == "^":
            tokens.pop(0)
            value ^= factor()
        return value

    def factor() -> bool:
        token = tokens.pop(0)
        if token == "!":
            return not factor()
        if token == "(":
            value = alternative()
            tokens.pop(0)
        else:
            value = token == "1" if token in "01" else pins[token]
        while peek() == "'":
            tokens.pop(0)
            value = not value
        return value

    try:
        return alternative()
    except (KeyError, IndexError):
        return None
