"""The application: the names of the commands, a line of help for each, and the console that they print on.

The module of a command is imported when it is named: together they import all of fatcube, which takes half a second.
"""

from collections.abc import Callable
import copy
import enum
import functools
import importlib
from importlib import metadata
import sys
from typing import Annotated, Any, TypeVar

from rich.console import Console
import typer
import typer.core

from fatcube.cli.refusals.usage import check_values, surplus_argument, unknown_command
from fatcube.groundwork.progress import be_quiet

__all__ = ["PANELS", "Panel", "application", "command", "console", "examples", "load_command", "paths"]


#: The commands by the panels of the help, in its order: what each does, in a line. The module of a command has its name,
#: with ``_`` for ``-``.
PANELS: dict[str, dict[str, str]] = {
    "Hardware": {
        "generate": "Write the Verilog of a network, a router or a system.",
        "generate network": "Write the Verilog of a network, and a JSON description of it.",
        "generate router": "Write the Verilog of one router, and a JSON description of it.",
        "generate system": "Write the Verilog of a system, and a JSON description of it.",
        "synthesize": "Measure area and Fmax of a network's router, and the area of its crossbar and of all routers.",
        "run-testbench": "Compile a testbench in Verilog, run it to its end, and print its output.",
        "where": "Find the sources of a signal or a module in generated Verilog.",
        "board": "Put a network on an FPGA board, and measure it there over a serial port.",
        "board list": "List the boards, each with its family, tools, clock, serial port and memory.",
        "board build": "Make the bitstream of a network for a board, or the project for its vendor's tool.",
        "board run": "Run a collective on a board, check every delivery and every wire, and print steps, cycles and conflicts.",
        "board simulate": "Simulate a board, and print the name of its serial port; Ctrl-C ends the simulation.",
    },
    "Networks": {
        "describe": "Write the network file for the given flags, or the normal form of another network file.",
        "draw": "Draw a network as SVG: nodes, processors, lanes and failures, and loads, a route or a step of a schedule on them.",
    },
    "Schedules": {
        "schedule": "Build and check a schedule, and print its distance from the lower bound.",
        "check": "Check a schedule file, from any program.",
        "import": "Read a schedule of another program, time its packets in steps, check it, and write a schedule file.",
        "export": "Check a schedule file, and write it as MSCCL's XML.",
        "view": "Check a schedule file, and write an HTML page that plays it step by step.",
    },
    "Measurements": {
        "simulate": "Run a collective on the RTL, check every delivery and every wire, and print steps, cycles and conflicts.",
        "load": "Measure the latency and throughput of a network against offered load, on the RTL or on a board.",
        "sweep": "Measure many configurations: steps, cycles, area, Fmax. An interrupted sweep continues where it stopped.",
        "explore": "List the Pareto front of area and time for a workload, over hypercubes and fat cubes, from stored results.",
        "report": "Print the tables of a results file as Markdown or, with -o, write them with figures as Markdown and as one HTML page.",
        "compare": "Compare topologies with about the same number of processors: graph, price, steps, cycles.",
        "models": "Run OAB, OAS, AAB and AAS on every machine model of a network: bounds, steps, and cycles on the RTL.",
        "faults": "Measure the cost of failures: steps of collectives against their bounds, diameter, classes, load; and runs on the RTL.",
        "large": "Build broadcast, reduce, all-gather, reduce-scatter and all-reduce in many parts on 13 graphs, and run them on the RTL.",
    },
    "Papers": {
        "reproduce": "Print the tables of the fat-cube paper next to computed figures and to those measured on the RTL.",
        "audit": "Check the claims of a paper: printed figure, recomputed figure, proof, verdict, evidence.",
        "curves": "Measure the times of the spanning-graphs paper against packet size on the RTL, and compare them with its formulas.",
        "gaps": "List the cells in which schedules have more steps than the lower bound.",
    },
}
_LINES = {path: line for panel in PANELS.values() for path, line in panel.items()}
_GROUPS = {path.rpartition(" ")[0] for path in _LINES} - {""}
_AT_ONCE = {"generate": "network"}  # the command of a group to which options directly behind the group belong

#: The option that may be given before any command, or after it.
_QUIET = "--quiet"


class Panel(enum.StrEnum):
    """The panels of a command's options in its help, in their order."""

    NETWORK = "Network"
    ROUTER = "Router"
    SCHEDULE = "Schedule"
    RUN = "Run"
    RESULT = "Result"


# Into a file or a pipe goes the whole table, not as much of it as fits into a terminal that is not there.
console = Console(width=None if sys.stdout.isatty() else 140, markup=False)

_made: dict[str, typer.Typer] = {}
_Function = TypeVar("_Function", bound=Callable[..., None])


def examples(*commands: str) -> str:
    """The end of a command's help: command lines to try, each on a line of its own."""
    # Typer takes a paragraph for a line.
    return "\n\n".join(["Examples:" if len(commands) > 1 else "Example:", *(f"- `fatcube {one}`" for one in commands)])


def command(*, epilog: str, more: str = "") -> Callable[[_Function], _Function]:
    """Decorate the function of the command that has the name of its module, and a line in :data:`PANELS`.

    Parameters
    ----------
    epilog : :class:`str`
        Its :func:`examples`.
    more : :class:`str`
        The help after this line.
    """

    def register(function: _Function) -> _Function:
        path = function.__module__.removeprefix("fatcube.cli.").replace(".", " ").replace("_", "-")
        made = _made[path] = typer.Typer(add_completion=False, rich_markup_mode="markdown")
        text = "\n\n".join(filter(None, (_LINES[path], more)))
        made.command(
            path.rpartition(" ")[2], cls=_Command, help=text, epilog=epilog, context_settings={"allow_extra_args": True}
        )(function)
        return function

    return register


def paths() -> list[str]:
    """The commands, as in ``board build``, in the order of the help."""
    return [path for path in _LINES if path not in _GROUPS]


@functools.cache
def load_command(path: str) -> Any:
    """The command of a path as Click has it, whose classes are private in Typer: its ``params`` are the options."""
    group, _, name = path.replace("-", "_").rpartition(" ")
    if group:
        importlib.import_module(f"fatcube.cli.{group}.{name}")
    else:
        importlib.import_module(f"fatcube.cli.{name}")
    made: Any = typer.main.get_command(_made[path])
    quiet = copy.copy(_quiet())
    quiet.rich_help_panel = Panel.RUN
    made.params = _by_panel([*made.params, quiet])
    return made


def _by_panel(parameters: list[Any]) -> list[Any]:
    """The parameters of a command, its arguments first, and its options as their panels stand in its help."""
    order = [None, *Panel]
    return sorted(parameters, key=lambda one: order.index(one.rich_help_panel))


def _without_types(parameters: list[Any]) -> list[Any]:
    """The parameters, of which those that take no value show no type in the help: Typer writes <bool>."""
    for one in parameters:
        if getattr(one, "is_flag", False):
            one.display_type_rich = lambda ctx: None
    return parameters


class _Group(typer.core.TyperGroup):
    """A group that knows only the help lines of its commands, until one of them is to run."""

    def get_params(self, ctx: Any) -> Any:
        return _without_types(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        own = {name for option in self.params for name in option.opts}
        others = [word for word in args if word not in own]
        at_once = _AT_ONCE.get(self.name or "")
        if at_once and args and (not others or (others[0].startswith("-") and others[0] not in ctx.help_option_names)):
            args = [at_once, *args]
        elif others and not others[0].startswith("-"):
            self._check_name(ctx, others[0])  # before Typer imports Pydantic for the options
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        self._check_name(ctx, args[0])
        name, found, rest = super().resolve_command(ctx, args)
        if found is not None and not hasattr(found, "commands"):
            found = load_command(name if ctx.parent is None else f"{self.name} {name}")
        return name, found, rest

    def _check_name(self, ctx: Any, name: str) -> None:
        if name not in self.commands and not ctx.resilient_parsing:
            raise unknown_command(ctx, name, paths())


class _Command(typer.core.TyperCommand):
    """A command that refuses arguments beyond its own itself."""

    def get_params(self, ctx: Any) -> Any:
        return _without_types(super().get_params(ctx))

    def get_help_option(self, ctx: Any) -> Any:
        option: Any = super().get_help_option(ctx)
        option.rich_help_panel = Panel.RUN
        return option

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            check_values(self.params, args)
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise surplus_argument(ctx, rest)
        return rest


def _print_version(wanted: bool) -> None:
    if wanted:
        console.print(f"fatcube {metadata.version('fatcube')}", highlight=False)
        raise typer.Exit(0)


def _be_quiet(wanted: bool) -> None:
    if wanted:
        be_quiet()


def _fatcube(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    # Here it is declared, and every command has it.
    quiet: Annotated[
        bool,
        typer.Option(
            _QUIET,
            callback=_be_quiet,
            is_eager=True,
            help="Do not report progress on standard error.",
        ),
    ] = False,
) -> None:
    pass


def _unloaded() -> None:
    raise AssertionError("the module of a command is imported before it runs")


@functools.cache
def application() -> Any:
    """All commands as one group of Click's."""
    app = typer.Typer(
        cls=_Group,
        help="Generate networks-on-chip as RTL, measure them in simulation, and synthesize them.",
        no_args_is_help=True,
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
    )
    app.callback()(_fatcube)
    groups = {"": app} | {
        name: typer.Typer(cls=_Group, no_args_is_help=True, rich_markup_mode="markdown") for name in _GROUPS
    }
    for panel, lines in PANELS.items():
        for path, line in lines.items():
            group, _, name = path.rpartition(" ")
            if path in _GROUPS:
                app.add_typer(groups[path], name=name, help=line, rich_help_panel=panel)
            else:
                groups[group].command(name, help=line, rich_help_panel=None if group else panel)(_unloaded)
    made: Any = typer.main.get_command(app)
    made.commands = {
        path: made.commands[path] for path in _LINES if path in made.commands
    }  # Typer has groups at the end.
    [quiet] = (option for option in made.params if _QUIET in option.opts)
    quiet.expose_value = False  # Its callback does all, and no function has it as an argument.
    for name in _GROUPS:
        made.commands[name].params.append(quiet)
    return made


def _quiet() -> Any:
    return next(option for option in application().params if _QUIET in option.opts)
