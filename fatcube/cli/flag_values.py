"""Values of commands that flags describe: a command takes each as one argument, and what a network file says counts as flags."""

from collections.abc import Callable, Mapping
import dataclasses
import functools
import inspect
from typing import Any

import typer

from fatcube.cli.arguments import keep_inputs, was_given
from fatcube.cli.network_files import NETWORK_FILE, Given

__all__ = ["Flags", "made_from_flags"]


_CONTEXT = inspect.Parameter("context_of_flags", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)


@dataclasses.dataclass(frozen=True)
class Flags:
    """Flags that describe one value.

    Members
    -------
    parameters : tuple of :class:`inspect.Parameter`
        The flags, as Typer reads them from a function's signature.
    make : callable
        Makes the value from what was given, by the parameters' names; what was not given is not there.
    also : tuple of :class:`str`
        Parameters of the command itself that the value depends on as well, and names of what only a network file can say;
        ``make`` gets those that were given.
    """

    parameters: tuple[inspect.Parameter, ...]
    make: Callable[[Mapping[str, Any]], Any]
    also: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(parameter.name for parameter in self.parameters)


def made_from_flags(
    check: Callable[[typer.Context, Mapping[str, Any]], None] | None = None, /, **arguments: Flags
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a command whose ``arguments`` are described by flags.

    Parameters
    ----------
    check : callable or ``None``
        Gets the context in which the command runs and everything that it was given, by name, before a value is made
        of it.
    arguments
        The flags of each of these arguments of the command, which stand in its help where the argument stands.
    """
    flags_of_all = {flag for flags in arguments.values() for flag in flags.names}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        # Typer hands the context to one parameter only, so a command that has one shares it.
        own = [one.name for one in signature.parameters.values() if one.annotation is typer.Context]
        parameters = [] if own else [_CONTEXT]
        for parameter in signature.parameters.values():
            flags = arguments.get(parameter.name)
            parameters += (
                [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)] if flags is None else flags.parameters
            )

        @functools.wraps(command)
        def run(**given: Any) -> None:
            context = given[own[0]] if own else given.pop(_CONTEXT.name)
            if check is not None:
                check(context, given)
            flags_given = {name: value for name, value in given.items() if was_given(context, name)}
            known = {*given, *(name for one in arguments.values() for name in one.also)}
            said = Given.of(flags_given, known=known, of_routers=context.info_name == "load")
            given |= {name: value for name, value in said.of_file.items() if name in given}
            keep_inputs(given)
            made = {
                name: said.make(flags.make, (*flags.names, *flags.also), whole=NETWORK_FILE in flags.names)
                for name, flags in arguments.items()
            }
            with said.blaming():
                command(**made, **{name: value for name, value in given.items() if name not in flags_of_all})

        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate
