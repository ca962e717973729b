"""The step model: what a step allows beside what docs/ideas/steps.md has for every step."""

import dataclasses
import enum
import math
from typing import Any, Literal

import networkx

from fatcube.groundwork.options import Options, option
from fatcube.groundwork.validation import ParameterError, check_integer, shown
from fatcube.noc.orientation import oriented
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, End

__all__ = ["STANDARD", "UNLIMITED", "Links", "PortUse", "StepModel", "Transfers", "check_ways"]


UNLIMITED: Literal["unlimited"] = "unlimited"


class Transfers(enum.StrEnum):
    """How far a transfer reaches in a step."""

    ADJACENT = "adjacent"
    DIRECT = "direct"


class Links(enum.StrEnum):
    """The packets that a lane carries in a step."""

    FULL_DUPLEX = "full-duplex"
    HALF_DUPLEX = "half-duplex"
    SIMPLEX = "simplex"


class PortUse(enum.StrEnum):
    """With whom a processor exchanges packets in a step."""

    SEND_AND_RECEIVE = "send-and-receive"
    ONE_PARTNER = "one-partner"
    SEND_OR_RECEIVE = "send-or-receive"


_WIDTH = {
    Transfers.ADJACENT: 0,
    Transfers.DIRECT: 1,
    Links.SIMPLEX: 0,
    Links.HALF_DUPLEX: 1,
    Links.FULL_DUPLEX: 2,
}
"""Of two transfer reaches or link types, the one with the higher number allows all that the other one does."""


def _per_packet(given: object) -> int | str:
    """The most messages in a packet: a number, also one in digits as flags have it, or :data:`UNLIMITED`."""
    if given == UNLIMITED:
        return UNLIMITED
    number = int(given) if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) < 10 else given
    if isinstance(number, int):
        return check_integer("per_packet", number, minimum=1, why=' or "unlimited"')
    raise ParameterError(f'per_packet must be an integer of at least 1 or "unlimited", not {shown(given)}')


@dataclasses.dataclass(frozen=True, kw_only=True)
class StepModel(Options):
    """The rules of a step. The default is the machine of docs/ideas/steps.md, which a network has unless options change it.

    Together with the router model it is the classification of the fat-cube paper (section 2). Models are partially
    ordered: ``one <= other`` if every step of ``one`` is one of ``other``.

    Parameters
    ----------
    transfers : :class:`Transfers`
        ``"adjacent"``: a transfer crosses at most one link (store-and-forward). ``"direct"``: it goes along a path, and
        no two transfers of a step use the same lane in the same direction (wormhole, virtual cut-through, circuits).
    links : :class:`Links`
        ``"full-duplex"``: a lane carries one packet per step in each direction. ``"half-duplex"``: one in one of its
        directions. ``"simplex"``: one in its one direction, which is that of :mod:`fatcube.noc.orientation`.
    per_packet : :class:`int` or ``"unlimited"``
        The most messages in a packet (combining); all of them go from one processor to one other.
    port_use : :class:`PortUse`
        ``"send-and-receive"``: a processor may send and receive, with different partners. ``"one-partner"``: it sends
        to, and receives from, one and the same other processor, which the spanning-graphs paper calls one-port.
        ``"send-or-receive"``: in a step in which it sends it receives nothing (cube-connected cycles, section 5).
    dedicated_ports : :class:`bool`
        In model \\*, of the d + m - 1 ports of a processor one belongs to each dimension and one to each
        processor beside it, instead of any port reaching any output.
    """

    transfers: Transfers = option(
        Transfers.ADJACENT,
        "Reach of a transfer in a step: adjacent, over one link at most; direct, along a path that is disjoint from "
        "all others.",
        choices=tuple(Transfers),
    )
    links: Links = option(
        Links.FULL_DUPLEX,
        "Packets of a lane in a step: full-duplex, one in each direction; half-duplex, one; simplex, one in the lane's "
        "one direction.",
        choices=tuple(Links),
    )
    per_packet: int | Literal["unlimited"] = option(
        1, "Maximum number of messages per packet, or unlimited.", parse=_per_packet
    )
    port_use: PortUse = option(
        PortUse.SEND_AND_RECEIVE,
        "Partners of a processor in a step: any; one that it exchanges messages with; or it either sends or receives.",
        choices=tuple(PortUse),
    )
    dedicated_ports: bool = option(
        False, "In model *, each port is dedicated to one dimension or to one other processor of the node."
    )

    @property
    def most_messages(self) -> float:
        """The most messages in a packet as a number; infinite if there is no limit."""
        return math.inf if self.per_packet == UNLIMITED else int(self.per_packet)

    @property
    def direct(self) -> bool:
        """True if a transfer may cross several links."""
        return self.transfers is Transfers.DIRECT

    @property
    def combining(self) -> bool:
        """True if a packet may hold several messages."""
        return self.per_packet != 1

    def __le__(self, other: "StepModel") -> bool:
        """Whether every step of this model is one of ``other``: a schedule runs on its own model or a wider one."""
        return (
            _WIDTH[self.transfers] <= _WIDTH[other.transfers]
            and _WIDTH[self.links] <= _WIDTH[other.links]
            and self.most_messages <= other.most_messages
            and other.port_use in (self.port_use, PortUse.SEND_AND_RECEIVE)
            and self.dedicated_ports >= other.dedicated_ports
        )

    def meet(self, other: "StepModel") -> "StepModel":
        """The widest model that is no wider than either of the two.

        Raises
        ------
        ParameterError
            If one has one partner and the other sends or receives, of which neither is the wider one.
        """
        uses = {self.port_use, other.port_use} - {PortUse.SEND_AND_RECEIVE}
        if len(uses) > 1:
            raise ParameterError(
                f"port_use must be {self.port_use} or {PortUse.SEND_AND_RECEIVE}, not {other.port_use}, as neither "
                f"{self.port_use} nor {other.port_use} includes the other"
            )
        return StepModel(
            transfers=min(self.transfers, other.transfers, key=_WIDTH.__getitem__),
            links=min(self.links, other.links, key=_WIDTH.__getitem__),
            per_packet=self.per_packet if self.most_messages <= other.most_messages else other.per_packet,
            port_use=next(iter(uses), PortUse.SEND_AND_RECEIVE),
            dedicated_ports=self.dedicated_ports or other.dedicated_ports,
        )

    def with_given(self, flags: "StepModel") -> "StepModel":
        """This model with what was given of ``flags``."""
        return self.changed(**{name: getattr(flags, name) for name in flags.given})

    def lanes_of(self, topology: Topology) -> Topology:
        """The topology whose lanes are those that a step can use: ``topology`` itself unless links are simplex.

        Nodes and processors are the same ones; of lanes there may be fewer.

        Raises
        ------
        ParameterError
            If links are simplex, and the lanes of the topology have no direction, or half-duplex, and a lane has failed in
            one direction, which shares its wires with the other.
        """
        if self.links is Links.HALF_DUPLEX and topology.one_sided:
            raise ParameterError(
                f"half-duplex lanes must fail in both directions, not in one as on the {topology.name}"
            )
        return oriented(topology) if self.links is Links.SIMPLEX else topology

    def check_ports(self, ports: PortModel) -> "StepModel":
        """Return the model if it makes sense for a router model.

        Raises
        ------
        ParameterError
            If ports shall be dedicated in another model than \\*, or packets that are copied hold several messages.
        """
        if self.dedicated_ports and ports is not PortModel.ALL_PORT:
            raise ParameterError(f"dedicated ports must be in model * (all-port), not in model {ports.value}")
        if self.combining and ports.copies:
            raise ParameterError(
                f"per_packet must be 1 on routers of model {ports.value}, which copy packets, not {self.per_packet}"
            )
        return self

    def to_file(self) -> dict[str, Any]:
        """The differences from the default, as they are in a schedule file."""
        return {name: value for name, value in self.to_json().items() if value != getattr(STANDARD, name)}

    def __str__(self) -> str:
        """The differences from the default, as in ``"half-duplex, one-partner"``; empty if there are none."""
        words = [value.value for value in (self.transfers, self.links) if value != getattr(STANDARD, _field(value))]
        if self.combining:
            words.append(f"{self.per_packet} messages per packet")
        if self.port_use is not PortUse.SEND_AND_RECEIVE:
            words.append(self.port_use.value)
        return ", ".join([*words, *["dedicated-ports"] * self.dedicated_ports])


def _field(value: Transfers | Links) -> str:
    return "links" if isinstance(value, Links) else "transfers"


STANDARD = StepModel()


def check_ways(topology: Topology, collective: Collective, root: int | None) -> None:
    """Refuse a collective that steps cannot do, because there are nodes without processors between those with some.

    ``root`` counts for rooted collectives only. Direct transfers could pass such nodes, but neither the bounds nor the
    constructions count ways through them, so such networks are refused for these too.

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
        if collective.origin is not End.ROOT:
            ways = [back] if collective.rooted else [topology.served, back]
    for graph in ways:
        reached = networkx.single_source_shortest_path_length(graph, base)
        for node in topology.served:
            if node not in reached:
                raise ParameterError(
                    f"topology must have processors at all nodes of a route for {collective.value}, but between nodes "
                    f"{topology.name_of(base)} and {topology.name_of(node)} of the {topology.name} some have none; only direct "
                    "transfers, in a schedule file, cross these"
                )
