"""The options of a network for general-purpose traffic, each declared once: flags, keys of files and of records."""

import dataclasses

from fatcube.groundwork.options import Options, not_given, option
from fatcube.noc.routed_network import ADDRESSING, RoutedNetwork
from fatcube.noc.routing import make_routing
from fatcube.noc.routing.lanes import LaneRule
from fatcube.noc.routing.routing import Routing, routings
from fatcube.noc.routing.table import Table
from fatcube.noc.topology import Topology
from fatcube.rtl.lanes.lane import MOST_CHANNELS
from fatcube.rtl.router_options import RouterOptions

__all__ = ["DEFAULT_ROUTING", "RoutingOptions"]


DEFAULT_ROUTING = "default"
"""The name that stands for the default routing of the topology."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class RoutingOptions(Options):
    """The routing of packets, and how they use lanes and headers.

    Parameters
    ----------
    routing : :class:`str`
        The name of a routing, or :data:`DEFAULT_ROUTING`.
    lanes, addressing, message_classes
        See :class:`RoutedNetwork`.

    Raises
    ------
    ParameterError
        If an option is out of range.
    """

    routing: str = option(
        DEFAULT_ROUTING,
        "Deadlock-free routing; default selects the one that suits the topology.",
        choices=(DEFAULT_ROUTING, *(name for name in routings() if name != Table.name)),
    )
    lanes: str = option(
        LaneRule.BY_SOURCE.value,
        "Rule that selects the lane of each link for a packet.",
        choices=[rule.value for rule in LaneRule],
    )
    addressing: str = option(
        "auto",
        "Content of headers: the route, or the destination, which routers look up; auto: the route if it fits.",
        choices=ADDRESSING,
    )
    message_classes: int = option(
        1,
        "Classes of messages that never wait for each other, each with its own ports and virtual channels: 2 for "
        "requests and replies.",
        minimum=1,
        maximum=MOST_CHANNELS,
    )

    def network(self, topology: Topology, options: RouterOptions, routing: Routing | None = None) -> RoutedNetwork:
        """The network with these options, or with another ``routing`` than the one that they name.

        Raises
        ------
        ParameterError
            If no network can have these options.
        """
        if routing is None and self.routing != DEFAULT_ROUTING:
            routing = make_routing(self.routing, topology)
        return RoutedNetwork(
            topology,
            options,
            routing=routing,
            lanes=LaneRule.parse(self.lanes),
            addressing=self.addressing,
            message_classes=self.message_classes
            if "message_classes" in self.given
            else not_given(self.message_classes),
        )
