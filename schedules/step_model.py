"""Stricter variants of the step model: options of the checker, the bounds and the search."""

import dataclasses
from typing import assert_never

import networkx

from groundwork.validation import ParameterError
from noc.topology import Topology
from rtl.port_model import PortModel
from schedules.collective import Collective

__all__ = ["FULL_DUPLEX", "StepModel", "check_ways"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class StepModel:
    """Rules of a step beside those that docs/design.md has for every step.

    Parameters
    ----------
    half_duplex : :class:`bool`
        A lane carries one message per step in one of its directions (fat-cube paper, section 2: HD).
    one_partner : :class:`bool`
        A processor sends to, and receives from, one and the same other processor in a step: what the
        spanning-graphs paper calls one-port.
    dedicated_ports : :class:`bool`
        In model \\*, of the d + m - 1 ports of a processor one belongs to each dimension and one to each
        processor beside it, instead of any port reaching any output.
    """

    half_duplex: bool = False
    one_partner: bool = False
    dedicated_ports: bool = False

    def check_ports(self, ports: PortModel) -> "StepModel":
        """Return the model if it makes sense for a router model.

        Raises
        ------
        ParameterError
            If ports shall be dedicated in another model than \\*.
        """
        if self.dedicated_ports and ports is not PortModel.ALL_PORT:
            raise ParameterError(f"dedicated ports must be in model * (all-port), not in model {ports.value}")
        return self

    def __str__(self) -> str:
        """The options in words, as in ``"half-duplex, one partner"``; empty if there are none."""
        return ", ".join(
            field.name.replace("_", "-") for field in dataclasses.fields(self) if getattr(self, field.name)
        )


FULL_DUPLEX = StepModel()


def check_ways(topology: Topology, collective: Collective, root: int | None) -> None:
    """Refuse a collective that steps cannot do, because nodes without processors stand between those that have any.

    ``root`` counts for rooted collectives only.

    Raises
    ------
    ParameterError
        If a message cannot get from processor to processor over one link at a time to where it must be.
    """
    if topology.uniform:
        return
    base = topology.node_of(root or 0) if collective.rooted else next(iter(topology.served))
    ways = [topology.served]
    if isinstance(topology.served, networkx.DiGraph):
        back = topology.served.reverse(copy=False)
        match collective:
            case Collective.OAB | Collective.OAS:
                ways = [topology.served]
            case Collective.AOG | Collective.AOR:
                ways = [back]
            case Collective.AAB | Collective.AAR | Collective.AAS | Collective.ALL_REDUCE:
                ways = [topology.served, back]
            case _:
                assert_never(collective)
    for graph in ways:
        reached = networkx.single_source_shortest_path_length(graph, base)
        for node in topology.served:
            if node not in reached:
                raise ParameterError(
                    f"topology must have processors at all nodes of a route for {collective.value}, as a step takes a "
                    f"message over one link from processor to processor, but between nodes {topology.name_of(base)} and "
                    f"{topology.name_of(node)} of {topology} there are some without"
                )
