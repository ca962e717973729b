"""Options that are declared once: a field says its default, its meaning and its range, and all else is made from that.

Checks, flags and help of the command line, keys of files and of records follow from the fields of a class of options,
so a new option is a new field and nothing else.

An option that is not given has its default, or, if it is declared with a rule, the value that the other options need.
Which options are given is remembered, and is no part of the value: options are equal if all their values are, and what
is written to files and records is the same whether a value was given or chosen.
"""

from collections.abc import Callable, Collection, Mapping
import dataclasses
import enum
import math
from typing import Any, Self

from fatcube.groundwork.arguments import refuse_unknown
from fatcube.groundwork.validation import (
    ParameterError,
    check_boolean,
    check_choice,
    check_integer,
    check_number,
    shown,
)

__all__ = ["NotGiven", "Option", "Options", "Values", "listed", "not_given", "option"]


class NotGiven:
    """A placeholder in the field of an option that is not given, until its value is found; shown as the default."""

    def __init__(self, default: Any) -> None:
        self.default = default

    def __repr__(self) -> str:
        return repr(self.default)


def not_given(default: Any) -> Any:
    """A :class:`NotGiven` as the default of a field of any type."""
    return NotGiven(default)


@dataclasses.dataclass(frozen=True)
class _Needed:
    """The value of an option that is not given and that something else needs: see :meth:`Options.needing`."""

    value: Any


class Values:
    """The values that the rule of an option can read: those of all options, by name.

    Values that are not given are derived in turn, so rules must not depend on each other in a ring.

    Members
    -------
    given : set of :class:`str`
        The names of the options that are given.
    """

    def __init__(self, declared: "Mapping[str, Option]", known: Mapping[str, Any], given: Collection[str]) -> None:
        self.given = given
        self._declared = declared
        self._known = dict(known)

    def __getattr__(self, name: str) -> Any:
        if name not in self._known:
            declared = self._declared[name]
            value = declared.default if declared.follows is None else declared.follows(self)
            self._known[name] = declared.value(name, value)
        return self._known[name]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Option:
    """The declaration of an option.

    Members
    -------
    default : object
        The value of an option that is not given.
    help : :class:`str`
        The meaning, as a sentence.
    follows : callable or ``None``
        The rule for the value of an option that is not given, which takes the :class:`Values` of all options. It returns
        the default where they do not need another value.
    announced : :class:`bool`
        Whether :attr:`Options.chosen` has it.
    reaches : mapping
        For each kind of what is built, the parts that it reaches, as words.
    minimum, maximum : :class:`int` or ``None``
        The range of an integer; no upper limit if ``None``.
    above : :class:`float` or ``None``
        A number of ``several`` must be higher than this.
    several : type or ``None``
        The value is a tuple of these, :class:`int` or :class:`float`, each in the range: see :func:`listed`.
    each : :class:`str`
        The name of one of ``several`` in messages, if not that of the option.
    choices : collection of :class:`str`
        All values that a text may have; where the default is a member of an enumeration, the value becomes one too.
    also : collection of :class:`str`
        Other words for these values, which ``parse`` takes as well.
    parse : callable or ``None``
        Makes the value from what is given, and raises :class:`ParameterError` if it cannot.
    """

    default: Any = None
    help: str
    follows: Callable[[Values], Any] | None = None
    announced: bool = True
    reaches: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    minimum: int | None = None
    maximum: int | None = None
    above: float | None = None
    several: type[int] | type[float] | None = None
    each: str = ""
    choices: Collection[str] = ()
    also: Collection[str] = ()
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
            chosen = check_choice(words, given, self.choices)
            return type(self.default)(chosen) if isinstance(self.default, enum.Enum) else chosen
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
        if self.parse is not None and not self.choices:
            return {"type": ["string", "integer"], "examples": [self.default]}
        if self.parse is not None:  # which may take more than it lists
            return {"type": "string", "examples": list(self.choices)}
        return {"enum": list(self.choices)} if self.choices else {"type": "boolean"}


def listed(name: str, given: object, kind: type[int] | type[float]) -> tuple[Any, ...]:
    """Several values: those of a sequence, of a comma-separated text, or one alone. They are not checked.

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
        raise ParameterError(f"{name} must be comma-separated {words}, not {given!r}") from None


def option(default: Any, help: str, **limits: Any) -> Any:
    """A field of a class of options: its default, its meaning, and the limits and the rule of an :class:`Option`.

    Without limits it is true or false.
    """
    return dataclasses.field(
        default=NotGiven(default), metadata={"option": Option(default=default, help=help, **limits)}
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Options:
    """Base of a class of options: a frozen dataclass whose fields are made by :func:`option`.

    Raises
    ------
    ParameterError
        If the value of an option is out of its range, or there is no option of this name.
    """

    def __new__(cls, *_: object, **given: object) -> Self:
        refuse_unknown(cls.__name__, cls.names(), given, {})
        return super().__new__(cls)

    def __post_init__(self) -> None:
        declared = {field.name: Option.of(field) for field in dataclasses.fields(self)}
        known, given, needed = dict[str, Any](), set[str](), set[str]()
        for name, option in declared.items():
            value = getattr(self, name)
            if isinstance(value, NotGiven):
                continue
            if isinstance(value, _Needed):
                needed.add(name)
                value = value.value
            else:
                given.add(name)
            known[name] = option.value(name, value)
        values = Values(declared, known, frozenset(given))
        for name in declared:
            object.__setattr__(self, name, getattr(values, name))
        object.__setattr__(self, "_given", frozenset(given))
        object.__setattr__(self, "_needed", frozenset(needed))

    @property
    def given(self) -> frozenset[str]:
        """The names of the options that were given; all others have their defaults, or what others need."""
        return self.__dict__["_given"]

    @property
    def chosen(self) -> dict[str, Any]:
        """The options that were not given and have other values than their defaults, as they stand in files."""
        return {
            field.name: _plain(getattr(self, field.name))
            for field in dataclasses.fields(self)
            if Option.of(field).announced
            and field.name not in self.given
            and getattr(self, field.name) != Option.of(field).default
        }

    def changed(self, **given: Any) -> Self:
        """Like these options, with ``given`` ones; what is not given follows anew.

        Raises
        ------
        ParameterError
            If a value is out of its range, or does not go together with others.
        """
        return self._made({}, given)

    def needing(self, **needed: Any) -> Self:
        """Like these options, with the values that something else needs: those of ``needed`` that are not given, and what
        follows from them.

        Raises
        ------
        ParameterError
            If a value is out of its range, or does not go together with what is given.
        """
        return self._made(needed, {})

    def _made(self, needed: Mapping[str, Any], given: Mapping[str, Any]) -> Self:
        values = {name: _Needed(getattr(self, name)) for name in self.__dict__["_needed"]}
        values |= {name: _Needed(value) for name, value in needed.items()}
        return type(self)(**values | {name: getattr(self, name) for name in self.given} | dict(given))

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of all options, in the order of their declaration."""
        return tuple(field.name for field in dataclasses.fields(cls))

    @classmethod
    def from_json(cls, given: Mapping[str, object]) -> Self:
        """The options that an object of a file gives. They are as they were measured: one that is not there came later, and
        has its default.

        Raises
        ------
        ParameterError
            If there is no such option, or its value is out of range.
        """
        for name in given:
            if name not in cls.names():
                raise ParameterError(f"options must be of {', '.join(cls.names())}, not {shown(name)}")
        return cls(**{field.name: Option.of(field).default for field in dataclasses.fields(cls)} | dict(given))

    def to_json(self) -> dict[str, Any]:
        """All options and their values, as they stand in files and records."""
        return {name: _plain(getattr(self, name)) for name in self.names()}


def _plain(value: Any) -> Any:
    """The value as JSON has it."""
    if isinstance(value, tuple):
        return list(value)
    return value.value if isinstance(value, enum.Enum) else value
