"""Options that are declared once: a field says its default, its meaning and its range, and all else is made from that.

Checks, flags and help of the command line, keys of files and of records follow from the fields of a class of options,
so a new option is a new field and nothing else.
"""

from collections.abc import Callable, Collection, Mapping
import dataclasses
import enum
import math
from typing import Any, Self

from groundwork.validation import ParameterError, check_boolean, check_choice, check_integer, check_number, shown

__all__ = ["Option", "Options", "listed", "option"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Option:
    """The declaration of an option.

    Members
    -------
    help : :class:`str`
        The meaning, as a sentence.
    minimum, maximum : :class:`int` or ``None``
        The range of an integer; no upper limit if ``None``.
    above : :class:`float` or ``None``
        What a number of ``several`` must be higher than.
    several : type or ``None``
        The value is a tuple of these, :class:`int` or :class:`float`, each in the range: see :func:`listed`.
    each : :class:`str`
        What messages call one of ``several``, if not by the name of the option.
    choices : collection of :class:`str`
        All values that a text may have.
    parse : callable or ``None``
        Makes the value from what is given, and raises :class:`ParameterError` if it cannot.
    """

    help: str
    minimum: int | None = None
    maximum: int | None = None
    above: float | None = None
    several: type[int] | type[float] | None = None
    each: str = ""
    choices: Collection[str] = ()
    parse: Callable[[Any], Any] | None = None

    @classmethod
    def of(cls, field: "dataclasses.Field[Any]") -> "Option":
        """The declaration that a field of a class of options was made with."""
        return field.metadata["option"]

    def value(self, name: str, given: object) -> Any:
        """The value of the option ``name`` for what is given.

        Raises
        ------
        ParameterError
            If it can be none.
        """
        words = name.replace("_", " ")
        if self.parse is not None:
            return self.parse(given)
        if self.several is not None:
            return tuple(self._one_of(self.each or words, one) for one in listed(words, given, self.several))
        if self.choices:
            return check_choice(words, given, self.choices)
        if self.minimum is not None:
            return check_integer(words, given, minimum=self.minimum, maximum=self.maximum)
        return check_boolean(words, given)

    def _one_of(self, name: str, given: Any) -> float:
        """One of several values, checked."""
        if self.several is int:
            return check_integer(name, given, minimum=self.minimum or 0, maximum=self.maximum)
        most = math.inf if self.maximum is None else self.maximum
        return check_number(name, given, above=-math.inf if self.above is None else self.above, maximum=most)

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the value, as it stands in a file."""
        if self.several is not None:
            limits = {"minimum": self.minimum, "maximum": self.maximum, "exclusiveMinimum": self.above}
            one = {"type": "integer" if self.several is int else "number"}
            one |= {name: limit for name, limit in limits.items() if limit is not None}
            return {"anyOf": [one, {"type": "array", "items": one}]}
        if self.minimum is not None:
            limit = {} if self.maximum is None else {"maximum": self.maximum}
            return {"type": "integer", "minimum": self.minimum, **limit}
        if self.parse is not None:  # which may take more than it lists
            return {"type": "string", "examples": list(self.choices)}
        return {"enum": list(self.choices)} if self.choices else {"type": "boolean"}


def listed(name: str, given: object, kind: type[int] | type[float]) -> tuple[Any, ...]:
    """Several values: those of a sequence, of a text with commas between them, or one alone. They are not checked.

    Raises
    ------
    ParameterError
        If it is a text in which something else stands.
    """
    if not isinstance(given, str):
        return tuple(given) if isinstance(given, (list, tuple)) else (given,)
    try:
        return tuple(kind(part) for part in given.split(","))
    except ValueError:
        words = "integers" if kind is int else "numbers"
        raise ParameterError(f"{name} must be {words} with commas between them, not {given!r}") from None


def option(default: Any, help: str, **limits: Any) -> Any:
    """A field of a class of options: its default, its meaning, and the limits of an :class:`Option`.

    Without limits it is true or false.
    """
    return dataclasses.field(default=default, metadata={"option": Option(help=help, **limits)})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Options:
    """Base of a class of options: a frozen dataclass whose fields are made by :func:`option`.

    Raises
    ------
    ParameterError
        If the value of an option is out of its range.
    """

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, Option.of(field).value(field.name, getattr(self, field.name)))

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of all options, in the order of their declaration."""
        return tuple(field.name for field in dataclasses.fields(cls))

    @classmethod
    def from_json(cls, given: Mapping[str, object]) -> Self:
        """The options that an object of a file gives; one that is not there has its default.

        Raises
        ------
        ParameterError
            If there is no such option, or its value is out of range.
        """
        for name in given:
            if name not in cls.names():
                raise ParameterError(f"options must be of {', '.join(cls.names())}, not {shown(name)}")
        return cls(**dict(given))

    def to_json(self) -> dict[str, Any]:
        """All options and their values, as they stand in files and records."""
        return {name: _plain(getattr(self, name)) for name in self.names()}


def _plain(value: Any) -> Any:
    """The value as JSON has it."""
    if isinstance(value, tuple):
        return list(value)
    return value.value if isinstance(value, enum.Enum) else value
