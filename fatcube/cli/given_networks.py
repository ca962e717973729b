"""Network files of commands that compare networks: keys that limit a search, and the networks of several files."""

from collections.abc import Mapping
import dataclasses
from pathlib import Path
from typing import Any

from fatcube.cli.flag_values import Flags
from fatcube.cli.flags import routed_network_flags, topology_flags
from fatcube.cli.graphs import graph_in, topology_of
from fatcube.cli.network_files import NETWORK_FILE, Given, network_file_argument
from fatcube.cli.short_names import is_short_name, topology_named
from fatcube.groundwork.validation import ParameterError, shown
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.failures import parse_failures, read_failures
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.studies.load import plain_network

__all__ = ["Fixed", "fixed_flags", "named_network", "network_for_schedules", "network_in"]


_PORTS = "ports"
_SCHEDULES = {"for_schedules_only": "for_schedules_only"}


@dataclasses.dataclass(frozen=True)
class Fixed:
    """The part of a search over networks that a network file fixes, besides the options of routers.

    Members
    -------
    file : :class:`Path` or ``None``
    topology : :class:`Topology` or ``None``
    ports : :class:`PortModel` or ``None``
    """

    file: Path | None = None
    topology: Topology | None = None
    ports: PortModel | None = None

    def to_json(self) -> dict[str, Any]:
        """The key ``fixed`` of a record with what is fixed, if anything is."""
        found = {
            **({} if self.topology is None else {"topology": self.topology.to_json()}),
            **({} if self.ports is None else {"ports": self.ports.value}),
        }
        return {"fixed": found} if found else {}


def fixed_flags() -> Flags:
    """The argument of a network file that fixes a part of a search: its shape, and the model of its routers."""
    flags = topology_flags()
    shape = (*flags.names, *flags.also)

    def make(given: Mapping[str, Any]) -> Fixed:
        of_shape = {name: given[name] for name in shape if name in given}
        ports = given.get(_PORTS)
        return Fixed(
            topology=topology_of(of_shape) if of_shape else None,
            ports=None if ports is None else PortModel.parse(ports),
        )

    return Flags((network_file_argument(),), make, also=(*shape, _PORTS))


def network_in(path: Path, flags: Mapping[str, Any], *, of_routers: bool = False) -> Network:
    """The network of a network file, of which ``flags``, by the names of their keys, override some; ``of_routers`` as for :meth:`Given.of`.

    Raises
    ------
    ParameterError, OSError
        If the file cannot be read, or there is no such network: the message begins with the path and, if it is known, the line.
    """
    made = routed_network_flags(schedules=_SCHEDULES)
    names = (*made.names, *made.also)
    said = Given.of({NETWORK_FILE: path, **flags}, known=names, of_routers=of_routers)
    return said.make(made.make, names, whole=True)


def named_network(name: str, flags: Mapping[str, Any]) -> Network:
    """The network of a short name, as networks are compared with others, or of a network file, with ``flags`` as for :func:`network_in`.

    Raises
    ------
    ParameterError, OSError
        If there is no such network, or the file cannot be read.
    """
    if not is_short_name(name):
        return _in_file(name, flags, of_routers=True)
    plain = plain_network(_with_failures(topology_named(name), flags), flags.get("ports", PortModel.ONE))
    links = flags.get("links")
    return (
        plain
        if links is None
        else RoutedNetwork(plain.topology, plain.options.changed(links=links), routing=plain.routing)
    )


def network_for_schedules(name: str | Path, flags: Mapping[str, Any]) -> Network:
    """The network on which schedules are built: that of a short name, which needs no routing, of a network file, or, if
    ``name`` is a path, on the topology of this file; with ``flags`` as for :func:`network_in`.

    Raises
    ------
    ParameterError, OSError
        If there is no such network, or the file cannot be read.
    """
    if isinstance(name, str) and not is_short_name(name):
        return _in_file(name, flags)
    whole = topology_named(name) if isinstance(name, str) else graph_in(name)
    return Network(_with_failures(whole, flags), RouterOptions(ports=flags.get("ports", PortModel.ONE)))


def _in_file(name: str, flags: Mapping[str, Any], *, of_routers: bool = False) -> Network:
    if not name.endswith((".toml", ".json")) and not Path(name).exists():
        raise ParameterError(
            f"network must be KIND:parameters, such as mesh:4x4, or a network file (.toml or .json), not {shown(name)}"
        )
    return network_in(Path(name), flags, of_routers=of_routers)


def _with_failures(whole: Topology, flags: Mapping[str, Any]) -> Topology:
    failed, failures = flags.get("failed"), flags.get("failures")
    found = (parse_failures(failed) if failed else []) + ([] if failures is None else read_failures(failures, whole))
    return damaged(whole, found)
