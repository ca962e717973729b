"""Arguments of classes that a user's program makes: a wrong name or number is refused with what it may be."""

from collections.abc import Callable, Collection, Iterable, Mapping
import difflib
import functools
import inspect
from typing import Any, Concatenate, ParamSpec, SupportsIndex, TypeVar, overload

from fatcube.groundwork.validation import ParameterError, shown

__all__ = ["ArgumentNameError", "NumberError", "Numbered", "known_arguments", "refuse_unknown"]


_Item = TypeVar("_Item")
_Self = TypeVar("_Self")
_Given = ParamSpec("_Given")


class ArgumentNameError(ParameterError, TypeError):
    """An argument has a name that a class does not take."""


class NumberError(ParameterError, IndexError):
    """A number is that of no item."""


class Numbered(list[_Item]):
    """A list whose items have numbers, such as ports.

    Parameters
    ----------
    items : iterable
    name : :class:`str`
        The name of a number in messages, as in ``"port of send"``.
    """

    def __init__(self, items: Iterable[_Item], name: str) -> None:
        super().__init__(items)
        self._name = name

    @overload
    def __getitem__(self, number: SupportsIndex) -> _Item: ...
    @overload
    def __getitem__(self, number: slice) -> list[_Item]: ...
    def __getitem__(self, number: Any) -> Any:
        try:
            return super().__getitem__(number)
        except (IndexError, TypeError):
            limits = f"an integer from 0 to {len(self) - 1}" if len(self) > 1 else "0"
            raise NumberError(f"{self._name} must be {limits}, not {shown(number)}") from None


def refuse_unknown(
    kind: str, names: Collection[str], given: Mapping[str, object], elsewhere: Mapping[str, Collection[str]]
) -> None:
    """Refuse arguments that are not among ``names``, those of the class ``kind``.

    ``elsewhere`` says where other arguments belong: a call in which ``{}`` stands for the argument, and the names of these.

    Raises
    ------
    ArgumentNameError
        The message lists the arguments, and says where this one belongs or which one may be meant.
    """
    for name, value in given.items():
        if name in names:
            continue
        place = next((call for call, known in elsewhere.items() if name in known), None)
        near = difflib.get_close_matches(name, names, n=1)
        meant = place.format(f"{name}={shown(value)}") if place else near[0] if near else ""
        hint = f"; did you mean {meant}?" if meant else ""
        raise ArgumentNameError(f"argument of {kind} must be one of {', '.join(names)}, not {name}{hint}")


def known_arguments(
    elsewhere: Callable[[], Mapping[str, Collection[str]]],
) -> Callable[
    [Callable[Concatenate[_Self, _Given], None]],
    Callable[Concatenate[_Self, _Given], None],
]:
    """Decorate a constructor: see :func:`refuse_unknown`."""

    def decorate(
        construct: Callable[Concatenate[_Self, _Given], None],
    ) -> Callable[Concatenate[_Self, _Given], None]:
        _, *names = inspect.signature(construct).parameters

        @functools.wraps(construct)
        def checked(self: _Self, *args: _Given.args, **given: _Given.kwargs) -> None:
            refuse_unknown(type(self).__name__, names, given, elsewhere())
            construct(self, *args, **given)

        return checked

    return decorate
