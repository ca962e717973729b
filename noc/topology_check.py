"""The check of a topology: its channels have ends, its links are consistent, and its nodes reach each other."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from fatcube.groundwork.validation import ParameterError, check_integer, shown

__all__ = ["MOST_CHANNELS", "check_connected", "check_links", "check_number"]


MOST_CHANNELS = 1_100_000  # of all nodes together: the hypercube of 65,536 nodes has 1,048,576


class Linked(Protocol):
    """The members of a :class:`~fatcube.noc.topology.Topology` that are checked."""

    @property
    def nodes(self) -> int: ...

    @property
    def degree(self) -> int: ...

    @property
    def name(self) -> str: ...

    def neighbour(self, node: int, channel: int) -> tuple[int, int] | None: ...

    def name_of(self, node: int) -> str: ...


def check_links(topology: Linked, *, directed: bool) -> None:
    """Refuse a topology whose links are inconsistent: see :meth:`fatcube.noc.topology.Topology.check`."""
    check_number(topology)
    links: dict[tuple[int, int], tuple[int, int]] = {}
    entered: dict[tuple[int, int], tuple[int, int]] = {}
    for node in range(topology.nodes):
        for channel in range(topology.degree):
            where = f"channel {channel} of node {node} of the {topology.name}"
            end = _end(topology, node, channel, where)
            if end is None:
                continue
            links[node, channel] = end
            if end[0] == node:
                raise ParameterError(f"{where} must lead to another node, not to itself")
            if end in entered:
                raise ParameterError(
                    f"{where} must lead to a channel of its own, not to channel {end[1]} of node "
                    f"{end[0]}, as channel {entered[end][1]} of node {entered[end][0]} does"
                )
            entered[end] = node, channel
    if not directed:
        for (node, channel), end in links.items():
            if (back := links.get(end)) != (node, channel):
                raise ParameterError(
                    f"channel {channel} of node {node} of the {topology.name} must lead to a channel that leads back, not to "
                    f"channel {end[1]} of node {end[0]}, which leads "
                    f"{'nowhere' if back is None else f'to channel {back[1]} of node {back[0]}'}"
                )
    check_connected(topology, [(node, other) for (node, _), (other, _) in links.items()], directed=directed)


def check_number(topology: Linked) -> None:
    """Refuse too many channels to check."""
    check_integer(f"nodes of the {topology.name}", topology.nodes, minimum=1)
    check_integer(f"channels of each node of the {topology.name}", topology.degree, minimum=min(1, topology.nodes - 1))
    if topology.nodes * topology.degree > MOST_CHANNELS:
        raise ParameterError(
            f"channels of all nodes must be at most {MOST_CHANNELS:,} on the {topology.name}, not {topology.nodes * topology.degree:,}"
        )


def check_connected(topology: Linked, links: Iterable[tuple[int, int]], *, directed: bool) -> None:
    """Refuse nodes that cannot be reached over ``links``, from node to node, or that cannot reach others."""
    there: list[list[int]] = [[] for _ in range(topology.nodes)]
    back: list[list[int]] = [[] for _ in range(topology.nodes)]
    for node, other in links:
        there[node].append(other)
        back[other].append(node)
    _check_reached(topology, there, "must be reached from node 0 over links, not be apart from it")
    if directed:
        _check_reached(topology, back, "must have a route to node 0 over its unidirectional links, not none")


def _check_reached(topology: Linked, adjacent: Sequence[Iterable[int]], rule: str) -> None:
    """Refuse nodes to which no path leads from node 0."""
    reached, queue = {0}, [0]
    for node in queue:
        found = set(adjacent[node]) - reached
        reached |= found
        queue += found
    if len(reached) < topology.nodes:
        lost = next(node for node in range(topology.nodes) if node not in reached)
        raise ParameterError(f"node {topology.name_of(lost)} of the {topology.name} {rule}")


def _end(topology: Linked, node: int, channel: int, where: str) -> tuple[int, int] | None:
    """The end of a channel, checked, as an implementation may return or raise anything."""
    try:
        end = topology.neighbour(node, channel)
    except Exception as error:
        raise ParameterError(
            f"{where} must lead to a node and a channel, or to None where the node has no such channel, not end in "
            f"{type(error).__name__}: {error}"
        ) from error
    if end is None or (
        isinstance(end, tuple)
        and len(end) == 2
        and all(
            isinstance(number, int) and number in range(count)
            for number, count in zip(end, (topology.nodes, topology.degree))
        )
    ):
        return end
    raise ParameterError(
        f"{where} must lead to a node from 0 to {topology.nodes - 1} and a channel from 0 to {topology.degree - 1}, or to "
        f"None where the node has no such channel, not to {shown(end)}"
    )
