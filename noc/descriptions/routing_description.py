"""What the head of generated Verilog says of a network with a routing: ways, guarantees, latency, tables."""

from noc.descriptions.paragraphs import count, paragraph
from noc.latency import formula_of
from noc.network import Network
from noc.routed_network import RoutedNetwork
from noc.routing.lanes import LaneRule

__all__ = ["routing", "tables"]


_LANES = {
    LaneRule.FIXED: "Packets take lane 0 of each link.",
    LaneRule.BY_SOURCE: "Packets of processor p take lane p mod f of each link.",
    LaneRule.IN_TURN: "A processor may use any lane of the first link, and uses the lane of the same number at every further link.",
}


def routing(network: Network) -> list[str]:
    """The ways of packets, what is guaranteed of them, and what their receivers owe."""
    if not isinstance(network, RoutedNetwork):
        return []
    options = network.options
    classes = f", in {options.channel_classes} classes of virtual channels" if options.channel_classes > 1 else ""
    order = (
        "Packets from one port to another arrive in the order in which they are sent."
        if network.keeps_order
        else "Packets from one port to another can overtake each other."
    )
    receivers = "every receiver takes its packets, whatever it has to send itself"
    if network.message_classes > 1:
        each = network.processor_ports // network.message_classes
        ports = "c" if each == 1 else f"{each} c to {each} c + {each - 1}"
        receivers = (
            "packets of the last message class are always taken, and those of any other class once packets of higher classes "
            f"have been sent. Message class c has port{'s' if each > 1 else ''} {ports} of each processor and virtual "
            "channels of its own, so its packets never wait for those of another class: for example, requests use class 0 and "
            "replies class 1"
        )
    copies = (
        " Copies of a packet may go to processors of its own node and of neighbours only; then they cannot deadlock either."
        if options.ports.multicast
        else ""
    )
    lanes = f" {_LANES[network.lanes].replace('mod f', f'mod {network.topology.f}')}" if network.topology.f > 1 else ""
    return [
        *paragraph(
            f"Routing: {network.ways.name}, routes of at most {count(network.longest_way, 'link')}{classes}.{lanes} The channel "
            f"dependency graph was checked to be acyclic: packets on these routes cannot deadlock, provided that "
            f"{receivers}.{copies} {order}"
        ),
        *paragraph(
            f"Latency without contention: the last flit of a packet of L flits, including the header, is taken from the last of "
            f"H routers {formula_of(options)} cycles after the cycle in which the first router takes its first flit; H is the "
            f"number of links on its route, plus 1."
        ),
    ]


def tables(network: Network, what: str) -> list[str]:
    """What the port ``routes`` of a router alone is to be."""
    router = network.router()
    if not router.destinations or what != "router":
        return []
    header = router.header
    if router.route_computation is not None:
        return paragraph(
            "routes: constant, different for each node: its coordinates, in the format of destinations. A packet takes the "
            "channel of the first coordinate that differs."
        )
    return paragraph(
        f"routes: constant, different for each node. For each input in order, and of a lane for each class of virtual channels, "
        f"a table of {1 << header.route_bits} selectors of {count(header.selector_bits, 'bit')}, one for each destination, "
        f"the first in the lowest bits: the output"
        + (
            f" and, in the upper {count(header.class_bits, 'bit')}, for a lane the class of virtual channels"
            if header.class_bits
            else ""
        )
        + f"; {header.nowhere} for combinations that no packet has."
    )
