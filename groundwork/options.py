"""Options that are declared once: a field says its default, its meaning and its range, and all else is made from that.

Checks, flags and help of the command line, keys of files and of records follow from the fields of a class of options,
so a new option is a new field and nothing else.
"""

from collections.abc import Callable, Collection, Mapping
import dataclasses
import enum
from typing import Any, Self

from groundwork.validation import ParameterError, check_boolean, check_choice, check_integer, shown

__all__ = ["Option", "Options", "option"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Option:
    """The declaration of an option.

    Members
    -------
    help : :class:`str`
        The meaning, as a sentence.
    minimum, maximum : :class:`int` or ``None``
        The range of an integer; no upper limit if ``None``.
    choices : collection of :class:`str`
        All values that a text may have.
    parse : callable or ``None``
        Makes the value from what is given, and raises :class:`ParameterError` if it cannot.
    """

    help: str
    minimum: int | None = None
    maximum: int | None = None
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
        if self.choices:
            return check_choice(words, given, self.choices)
        if self.minimum is not None:
            return check_integer(words, given, minimum=self.minimum, maximum=self.maximum)
        return check_boolean(words, given)


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
        values = {name: getattr(self, name) for name in self.names()}
        return {name: value.value if isinstance(value, enum.Enum) else value for name, value in values.items()}
