"""Network files on the command line: an argument of every command that takes a network, whose keys flags override."""

from collections.abc import Callable, Collection, Iterator, Mapping
import contextlib
import dataclasses
import inspect
from pathlib import Path
from typing import Annotated, Any, Optional, Self

import typer

from fatcube.cli.output import note
from fatcube.cli.refusals.usage import check_network_file
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network_files.keys import GRAPH, PORT, ROUTES
from fatcube.noc.network_files.reading import NetworkFile, read_network_file
from fatcube.noc.topology import kinds

__all__ = ["GRAPH_OF_FILE", "NETWORK_FILE", "PORTS_OF_FILE", "ROUTES_OF_FILE", "Given", "network_file_argument"]


NETWORK_FILE = "network_file"
"""The name of the argument."""

GRAPH_OF_FILE, ROUTES_OF_FILE, PORTS_OF_FILE = "graph_of_file", "routes_of_file", "ports_of_file"
"""The names of what no flag says; commands have other parameters of such names as in the file."""

_NAMES = {GRAPH: GRAPH_OF_FILE, ROUTES: ROUTES_OF_FILE, PORT: PORTS_OF_FILE}
_SHAPE = ("topology", "topology_file", GRAPH_OF_FILE, "lanes_of")
_WAYS = ("routing", "routing_file", ROUTES_OF_FILE)


def network_file_argument() -> inspect.Parameter:
    """The parameter of a network file."""
    argument = typer.Argument(
        metavar="[NETWORK]",
        help="Network file (.toml or .json), or the description (.json) of a generated network; flags override it. See Network "
        "files in the manual.",
        show_default=False,
    )
    return inspect.Parameter(
        NETWORK_FILE,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[Optional[Path], argument],
    )


@dataclasses.dataclass(frozen=True)
class Given:
    """The arguments of a command: its flags, and the values of a network file.

    Members
    -------
    flags : mapping of :class:`str` to object
        The values of flags, by the names of parameters.
    file : :class:`NetworkFile` or ``None``
    of_file : mapping of :class:`str` to object
        The values of the file that the command has and no flag overrides, by the same names.
    """

    flags: Mapping[str, Any]
    file: NetworkFile | None = None
    of_file: Mapping[str, Any] = dataclasses.field(default_factory=dict[str, Any])

    @classmethod
    def of(cls, flags: Mapping[str, Any], *, known: Collection[str], of_routers: bool = False) -> Self:
        """Read the network file that flags name; ``known`` are the names of the parameters of the command.

        ``of_routers`` is whether the command measures the routers of a network without its interfaces.

        Raises
        ------
        ParameterError, OSError
            If the file cannot be read, or is no network file.
        """
        if NETWORK_FILE not in flags:
            return cls(flags)
        check_network_file(flags[NETWORK_FILE])
        file = read_network_file(flags[NETWORK_FILE])
        values = {_NAMES.get(key, key): value for key, value in file.values.items()}
        if idle := [key for key in file.values if _NAMES.get(key, key) not in known]:
            note(f"{file.path}: {_idle(idle, of_routers=of_routers)}")
        dropped = {*flags, *(_NAMES.get(key, key) for key in idle), *_displaced(flags)}
        return cls(flags, file, {name: value for name, value in values.items() if name not in dropped})

    def make(self, make: Callable[[Mapping[str, Any]], Any], names: Collection[str], *, whole: bool) -> Any:
        """Call ``make`` with the values of the parameters ``names``; ``whole`` if these describe the network.

        Raises
        ------
        ParameterError
            As ``make`` does; with the line of the file if a value in the file is at fault.
        """
        flags = {name: self.flags[name] for name in names if name in self.flags}
        with self.blaming(whole=whole and not {*flags} - {NETWORK_FILE}):
            of_file = {name: self.of_file[name] for name in names if name in self.of_file}
            return make({name: value for name, value in (of_file | flags).items() if name != NETWORK_FILE})

    @contextlib.contextmanager
    def blaming(self, *, whole: bool = False) -> Iterator[None]:
        """Within it, an error says on which line of the file the value stands that it names; with ``whole``, it names the file."""
        try:
            yield
        except ParameterError as error:
            if self.file is None:
                raise
            keys = {name: key for key, name in _NAMES.items()}
            key = self.file.blamed(error, [keys.get(name, name) for name in self.of_file])
            if key is None and not whole:
                raise
            raise ParameterError(f"{self.file.path if key is None else self.file.place(key, error)}: {error}") from None


def _idle(keys: list[str], *, of_routers: bool) -> str:
    """The keys of a file that a command does not use, and for one that measures routers, the command that measures the rest."""
    several, named = len(keys) > 1, ", ".join(keys)
    if not of_routers:
        return f"{named} {'change' if several else 'changes'} nothing here"
    where = (
        ""
        if {*keys} <= {"name", PORT}
        else "; fatcube synthesize --interface measures the area and clock of interfaces"
    )
    return f"the routers are measured, and {named} {'do' if several else 'does'} not change them{where}"


def _displaced(flags: Mapping[str, Any]) -> set[str]:
    """The names in a file that have no meaning any more with these flags: those of another shape or another routing."""
    found: set[str] = set()
    if {"topology", "topology_file"} & flags.keys():
        found |= {*_SHAPE}
    if "topology_file" in flags:
        found |= {field.name for kind in kinds().values() for field in dataclasses.fields(kind)}
    if {"routing", "routing_file"} & flags.keys():
        found |= {*_WAYS}
    return found
