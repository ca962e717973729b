"""Flags made from what they describe: topologies, router options and step models, each of which is declared once.

A command takes such a value as one argument; :func:`made_from_flags` replaces this argument by its flags, and
hands the command the value, which a network file may describe, too.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
import dataclasses
import inspect
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from fatcube.cli.app import Panel
from fatcube.cli.choices import completing
from fatcube.cli.flag_values import Flags, made_from_flags
from fatcube.cli.graphs import say_idle, topology_of
from fatcube.cli.network_files import GRAPH_OF_FILE, ROUTES_OF_FILE, network_file_argument
from fatcube.cli.output import note
from fatcube.groundwork.options import Option
from fatcube.groundwork.progress import doing
from fatcube.groundwork.validation import ParameterError, check_choice
from fatcube.noc.network import Network
from fatcube.noc.network_files.keys import NO_ROUTING
from fatcube.noc.orientation import LINKS, as_wired
from fatcube.noc.routing.table import Table, read_table
from fatcube.noc.routing_options import DEFAULT_ROUTING, RoutingOptions
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies import DEFAULT, DEFAULTS
from fatcube.noc.topology import Topology, kinds
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.step_model import Links, PortUse, StepModel
from fatcube.sim.traffic.load_options import LoadOptions

__all__ = [
    "DEFAULT_ROUTING",
    "Flags",
    "NO_ROUTING",
    "load_flags",
    "made_from_flags",
    "network_flags",
    "ports_flag",
    "routed_network_flags",
    "router_flags",
    "step_model_flags",
    "stream_flags",
    "topology_flags",
]


_OF_ALL = {"m": "Processors on each node.", "f": "Lanes of each link."}  # their meaning in every topology
# Flags that stand for one value of an option of a step model.
_SHORT = {"half_duplex": ("links", Links.HALF_DUPLEX), "one_partner": ("port_use", PortUse.ONE_PARTNER)}


def topology_flags(*, otherwise: str = DEFAULT) -> Flags:
    """The flags of a topology: its kind, and a letter for each parameter of some kind; none of them mean ``otherwise``."""
    fields = [field for kind in _kinds() for field in dataclasses.fields(kind)]
    names = dict.fromkeys(field.name for field in fields)
    several = {field.name for field in fields if field.metadata.get("several")}
    parameters = [
        _parameter(
            "topology",
            Optional[str],
            None,
            "--topology",
            help=f"Topology: {', '.join(kinds())}; {otherwise} if not given.",
            panel=Panel.NETWORK,
            metavar="KIND",
            words=kinds(),
        ),
        _file(
            "topology_file",
            "File with a topology of any shape, GraphML (.graphml) or JSON (.json); see A topology of your own in the manual.",
            Panel.NETWORK,
        ),
        *(
            _parameter(
                name,
                Optional[str] if name in several else Optional[int],
                None,
                f"-{name}",
                help=_meaning(name),
                panel=Panel.NETWORK,
                metavar="INTEGERS" if name in several else None,
            )
            for name in names
        ),
        _parameter(
            "lanes_of",
            Optional[str],
            None,
            "--lanes-of",
            help="Lanes of the links of some dimensions, as in 0=4,1=2; each lane is then a link with a channel of its own.",
            panel=Panel.NETWORK,
            metavar="DIMENSION=LANES,...",
        ),
        _parameter(
            "failed",
            Optional[str],
            None,
            "--failed",
            help="Failed parts, separated by commas: link:0-1, lane:2-3:0 (each with :out for one direction only), node:5, "
            "processor:9.",
            panel=Panel.NETWORK,
        ),
        _file(
            "failures",
            "JSON file of failed parts; nodes may have the names of a topology file; see Faults in the manual.",
            Panel.NETWORK,
        ),
    ]
    return Flags(tuple(parameters), topology_of, also=(GRAPH_OF_FILE,))


def _meaning(name: str) -> str:
    """The help of a parameter of topologies: its meaning in each of those that have it, and its default."""
    meanings: dict[str, list[str]] = {}
    defaults: set[object] = set()
    for kind in _kinds():
        for field in dataclasses.fields(kind):
            if field.name == name:
                text = field.metadata.get("help", _OF_ALL.get(name, "A parameter."))
                meanings.setdefault(text.removesuffix("."), []).append(kind.kind)
                defaults.add(DEFAULTS.get(name, field.default))
    if list(meanings) == [_OF_ALL.get(name, "").removesuffix(".")]:
        parts = list(meanings)
    else:
        parts = [f"{text[0].lower()}{text[1:]} ({', '.join(having)})" for text, having in meanings.items()]
    if defaults != {dataclasses.MISSING}:
        parts += [f"{default} if not given" for default in defaults if default is not None]
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _kinds() -> list[type[Topology]]:
    """All topologies, the default one first."""
    return sorted(kinds().values(), key=lambda kind: kind.kind != DEFAULT)


def router_flags(*, without: tuple[str, ...] = (), links: Sequence[str] = ()) -> Flags:
    """The flags of :class:`RouterOptions`, a flag for each field but those ``without``.

    ``links`` are the words that ``--links`` offers where a topology is made beside the routers, which simplex links need.
    """
    offered = {"links": links}
    parameters = (
        _of_option(
            field, panel=Panel.NETWORK if field.name == "ports" else Panel.ROUTER, words=offered.get(field.name, ())
        )
        for field in dataclasses.fields(RouterOptions)
        if field.name not in without
    )
    return Flags(tuple(parameters), lambda given: RouterOptions(**given))


def ports_flag() -> Flags:
    """The flag of a :class:`PortModel` alone, for what has no hardware."""
    fields = (field for field in dataclasses.fields(RouterOptions) if field.name == "ports")
    return Flags(
        tuple(_of_option(field, panel=Panel.NETWORK) for field in fields), lambda given: RouterOptions(**given).ports
    )


def step_model_flags(*, without: tuple[str, ...] = ()) -> Flags:
    """The flags of a :class:`StepModel`, a flag for each field but those ``without``, and short ones for some of their values."""
    fields = [field for field in dataclasses.fields(StepModel) if field.name not in without]
    parameters = [_of_option(field, panel=Panel.SCHEDULE) for field in fields]
    parameters += [
        _parameter(name, bool, False, _flag(name), help=f"The same as {_flag(option)} {value}.", panel=Panel.SCHEDULE)
        for name, (option, value) in _SHORT.items()
        if option not in without
    ]

    def make(given: Mapping[str, Any]) -> StepModel:
        options = {name: value for name, value in given.items() if name not in _SHORT}
        for name in [name for name in given if name in _SHORT]:
            option, value = _SHORT[name]
            if options.setdefault(option, value) != value:
                raise ParameterError(f"{_flag(option)} must be {value} with {_flag(name)}, not {options[option]}")
        return StepModel(**options)

    return Flags(tuple(parameters), make)


def routed_network_flags(
    check: Callable[[Topology], None] = lambda topology: None,
    *,
    schedules: Mapping[str, str] | None = None,
    check_options: Callable[[Topology, RouterOptions], None] = lambda topology, options: None,
) -> Flags:
    """The flags of a :class:`RoutedNetwork`, or of a :class:`Network` for schedules, where there may be one.

    Parameters
    ----------
    check : callable
        Refuses topologies that the command cannot use, before their routes are followed, which can take half a minute.
    schedules : mapping of :class:`str` to :class:`str`
        The network may be one for schedules: it is if the routing is :data:`NO_ROUTING`, or if none is given and there are
        hops, or one of these parameters of the command, each with its flag.
    check_options : callable
        As ``check``, with the options of the routers.
    """
    fields = dataclasses.fields(RoutingOptions)
    routing = _of_option(fields[0], panel=Panel.NETWORK, further=None if schedules is None else NO_ROUTING)
    others = [_of_option(field, panel=Panel.NETWORK) for field in fields[1:]]
    file = _file(
        "routing_file",
        "JSON file with the route of every pair of nodes; see Routing files in the manual.",
        Panel.NETWORK,
    )

    def make(topology: Topology, options: RouterOptions, given: Mapping[str, Any]) -> Network:
        check(topology)
        check_options(topology, options)
        with doing(f"following the routes of the {topology.name}"):
            return routed(topology, options, given)

    def routed(topology: Topology, options: RouterOptions, given: Mapping[str, Any]) -> Network:
        named = {name: given[name] for name in RoutingOptions.names() if name in given}
        asked = [parameter.name for parameter in others if parameter.name in given]
        if "routing_file" in given:
            named["routing"] = DEFAULT_ROUTING
            return RoutingOptions(**named).network(topology, options, read_table(given["routing_file"], topology))
        if ROUTES_OF_FILE in given:
            table = Table.of_routes(topology, given[ROUTES_OF_FILE])
            return RoutingOptions(**named).network(topology, options, table)
        if schedules is not None:
            implied = [flag for name, flag in {"hops": "--hops", **schedules}.items() if given.get(name)]
            if "routing" not in named and not asked and implied:
                note(f"{implied[0]} implies --routing {NO_ROUTING}: the network is one for schedules")
                named["routing"] = NO_ROUTING
            check_choice("routing", named.get("routing", DEFAULT_ROUTING), (NO_ROUTING, *Option.of(fields[0]).choices))
        if schedules is not None and named.get("routing") == NO_ROUTING:
            for name in asked:
                raise ParameterError(f"{_flag(name)} requires a routing, not --routing {NO_ROUTING}")
            return Network(topology, options)
        return RoutingOptions(**named).network(topology, options)

    flags = _with_further([network_file_argument(), routing, file, *others], make)
    return dataclasses.replace(flags, also=(*flags.also, ROUTES_OF_FILE, *(schedules or {})))


def load_flags(*names: str) -> Flags:
    """The flags of :class:`LoadOptions`, a flag for each field, or for each of those with these names."""
    parameters = (
        _of_option(field, panel=Panel.RUN)
        for field in dataclasses.fields(LoadOptions)
        if not names or field.name in names
    )
    return Flags(tuple(parameters), _load_options)


def _load_options(given: Mapping[str, Any]) -> LoadOptions:
    """The options of a measurement; what says nothing, as in a record, contradicts itself or another flag on a command line."""
    for name in ("hotspot", "traffic"):
        if given.get(name) == "":
            raise ParameterError(f"{name} must say where packets go, or be left out, not be empty")
        if name in given and "pattern" in given:
            raise ParameterError(f"pattern must be left out with {name}, which says where packets go")
    return LoadOptions(**given)


def stream_flags() -> Flags:
    """The flags of :class:`StreamOptions`, a flag for each field."""
    parameters = (_of_option(field, panel=Panel.NETWORK) for field in dataclasses.fields(StreamOptions))
    return Flags(tuple(parameters), lambda given: StreamOptions(**given))


def network_flags() -> Flags:
    """The flags of a :class:`Network` without a routing."""
    return _with_further([], lambda topology, options, given: Network(topology, options))


def _with_further(
    further: Sequence[inspect.Parameter], make: Callable[[Topology, RouterOptions, Mapping[str, Any]], Network]
) -> Flags:
    """The flags of a topology and of its routers, and ``further`` ones."""
    parts = topology_flags(), router_flags(links=LINKS)

    def make_all(given: Mapping[str, Any]) -> Network:
        names = ((*part.names, *part.also) for part in parts)
        of_topology, of_routers = ({name: given[name] for name in some if name in given} for some in names)
        topology, links = as_wired(parts[0].make(of_topology), given.get("links"))
        options = parts[1].make(of_routers if links is None else of_routers | {"links": links})
        return say_idle(make(topology, options, given), given)

    parameters = (parameter for flags in parts for parameter in flags.parameters)
    return Flags((*parameters, *further), make_all, also=parts[0].also)


def _of_option(
    field: "dataclasses.Field[Any]",
    *,
    panel: Panel,
    further: str | None = None,
    words: Sequence[str] = (),
) -> inspect.Parameter:
    """The flag of an option; ``further`` is one more choice of it here, and then it may be left out, as ``None``.

    ``words`` are its choices here, if they are not those that are declared.
    """
    declared = Option.of(field)
    default: Any = declared.default if further is None else None
    kind: Any = str if declared.choices or declared.parse else type(default)
    if further is not None:
        kind = Optional[str]
    if declared.several is not None:
        kind, default = Optional[str], ",".join(map(str, default)) or None
    words = [*([] if further is None else [further]), *(words or declared.choices)]
    return _parameter(
        field.name,
        kind,
        getattr(default, "value", default),
        _flag(field.name),
        help=declared.help
        if further is None
        else f"{declared.help[:-1]}; {further}: a network for schedules; default if not given.",
        panel=panel,
        metavar="|".join(words) or None,
        words=[*words, *declared.also],
    )


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _file(name: str, help: str, panel: Panel) -> inspect.Parameter:
    return _parameter(name, Optional[Path], None, _flag(name), help=help, panel=panel)


def _parameter(
    name: str,
    kind: Any,
    default: Any,
    flag: str,
    *,
    help: str,
    panel: Panel,
    metavar: str | None = None,
    words: Collection[str] = (),
) -> inspect.Parameter:
    offered = completing(words) if words else None
    option = typer.Option(flag, help=help, rich_help_panel=panel, metavar=metavar, autocompletion=offered)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])
