"""Flags that are made from what they describe: topologies and router options, each of which says once what it has.

A command takes a topology, router options or a network as one argument; :func:`made_from_flags` puts the flags of it
in the place of that argument, and hands the command the value.
"""

from collections.abc import Callable, Mapping
import dataclasses
import functools
import inspect
from typing import Annotated, Any, Optional

import typer

from groundwork.options import Option
from groundwork.validation import ParameterError, shown
from noc.network import Network
from noc.topologies import make_topology
from noc.topologies.cubes import FatCube
from noc.topology import kinds
from rtl.port_model import PortModel
from rtl.router_options import RouterOptions

__all__ = ["Flags", "made_from_flags", "network_flags", "ports_flag", "refuse_given", "router_flags", "topology_flags"]


_NETWORK, _HARDWARE = "Network", "Hardware"


@dataclasses.dataclass(frozen=True)
class Flags:
    """Flags that describe one value.

    Members
    -------
    parameters : tuple of :class:`inspect.Parameter`
        The flags, as Typer reads them from a function's signature.
    make : callable
        Makes the value from what was given, by the parameters' names.
    unless : :class:`str` or ``None``
        Another argument of the command; where it is given, the value is ``None``.
    """

    parameters: tuple[inspect.Parameter, ...]
    make: Callable[[Mapping[str, Any]], Any]
    unless: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(parameter.name for parameter in self.parameters)


def made_from_flags(**arguments: Flags) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a command whose ``arguments`` are described by flags.

    Parameters
    ----------
    arguments
        The flags of each of these arguments of the command, which stand in its help where the argument stands.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        parameters = []
        for parameter in signature.parameters.values():
            flags = arguments.get(parameter.name)
            parameters += (
                [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)] if flags is None else flags.parameters
            )

        @functools.wraps(command)
        def run(**given: Any) -> None:
            made = {}
            for name, flags in arguments.items():
                values = {flag: given.pop(flag) for flag in flags.names}
                made[name] = None if flags.unless and given[flags.unless] is not None else flags.make(values)
            command(**made, **given)

        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate


def topology_flags(*, unless: str | None = None) -> Flags:
    """The flags of a topology: its kind, and a letter for each parameter that some kind has."""
    helps = {}
    for kind in sorted(kinds().values(), key=lambda kind: kind is not FatCube):
        for field in dataclasses.fields(kind):
            helps.setdefault(field.name, field.metadata.get("help", f"A parameter of {kind.kind}."))
    helps |= {"m": "Processors on each node, 1 if not given.", "f": "Lanes of each link, 1 if not given."}
    parameters = [
        _parameter(
            "topology", str, FatCube.kind, "--topology", help=f"{', '.join(kinds())}.", panel=_NETWORK, metavar="KIND"
        ),
        *(_parameter(name, Optional[int], None, f"-{name}", help=text, panel=_NETWORK) for name, text in helps.items()),
    ]
    return Flags(tuple(parameters), lambda given: make_topology(**given), unless)


def router_flags(*, without: tuple[str, ...] = ()) -> Flags:
    """The flags of :class:`RouterOptions`, a flag for each field but those ``without``."""
    parameters = (_of_option(field) for field in dataclasses.fields(RouterOptions) if field.name not in without)
    return Flags(tuple(parameters), lambda given: RouterOptions(**given))


def ports_flag() -> Flags:
    """The flag of a :class:`PortModel` alone, for what has no hardware."""
    [ports] = (_of_option(field) for field in dataclasses.fields(RouterOptions) if field.name == "ports")
    return Flags((ports,), lambda given: PortModel.parse(given["ports"]))


def network_flags() -> Flags:
    """The flags of a :class:`Network`: those of its topology and of its routers."""
    topology, router = topology_flags(), router_flags()

    def make(given: Mapping[str, Any]) -> Network:
        return Network(*(flags.make({name: given[name] for name in flags.names}) for flags in (topology, router)))

    return Flags((*topology.parameters, *router.parameters), make)


def refuse_given(context: typer.Context, because: str, *names: str) -> None:
    """Refuse flags of the command that runs in ``context`` which would change nothing, if the user gave them.

    Raises
    ------
    ParameterError
        At the first of ``names`` that was given.
    """
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name != "DEFAULT":
            dashes = "-" if len(name) == 1 else "--"
            raise ParameterError(
                f"{dashes}{name.replace('_', '-')} must be left out {because}, not {shown(context.params[name])}"
            )


def _of_option(field: "dataclasses.Field[Any]") -> inspect.Parameter:
    declared, default = Option.of(field), field.default
    return _parameter(
        field.name,
        str if declared.choices else type(default),
        getattr(default, "value", default),
        f"--{field.name.replace('_', '-')}",
        help=declared.help,
        panel=_NETWORK if field.name == "ports" else _HARDWARE,
        metavar="|".join(declared.choices) or None,
    )


def _parameter(
    name: str, kind: Any, default: Any, flag: str, *, help: str, panel: str, metavar: str | None = None
) -> inspect.Parameter:
    option = typer.Option(flag, help=help, rich_help_panel=panel, metavar=metavar)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])
