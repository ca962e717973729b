"""Paragraphs of the head of generated Verilog on a routing: routes, guarantees, latency, tables."""

from fatcube.noc.descriptions.paragraphs import count, paragraph
from fatcube.noc.latency import formula_of, turning_formula, waiting_formula
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing.lanes import LaneRule
from fatcube.rtl.router_options import RouterOptions

__all__ = ["configuration", "purpose", "routing", "tables"]


_LANES = {
    LaneRule.FIXED: "Packets take lane 0 of each link.",
    LaneRule.BY_SOURCE: "Packets of processor p take lane p mod f of each link.",
    LaneRule.IN_TURN: "A processor may use any lane of the first link, and uses the lane of the same number at every further link.",
}


def purpose(network: Network) -> str:
    """For which packets a network is, as a clause: those of schedules, or of a routing; and the most hops of one."""
    if isinstance(network, RoutedNetwork):
        return f"{network.ways.name} routing, at most {count(network.longest_way, 'hop')}"
    return f"for schedules, at most {count(network.router().header.hops, 'hop')}"


def configuration(options: RouterOptions) -> str:
    """The bits of a flit, the buffers, virtual channels, switching and cycles of routers, as a phrase."""
    return ", ".join(
        [
            f"flits of {count(options.width, 'bit')}",
            f"buffers of {count(options.buffer_depth, 'flit')} at each input",
            count(options.virtual_channels, "virtual channel"),
            f"{options.switching} switching",
            f"{count(options.pipeline, 'cycle')} per router",
        ]
    )


def routing(network: Network) -> list[str]:
    """The routes of packets, the guarantees on them, and the obligations of receivers."""
    if not isinstance(network, RoutedNetwork):
        return []
    options = network.options
    classes = f", in {options.channel_classes} classes of virtual channels" if options.channel_classes > 1 else ""
    order = (
        "Packets from one port to another arrive in the order in which they are sent."
        if network.keeps_order
        else "Packets from one port to another can overtake each other."
    )
    receivers = "every receiver accepts its packets, even while it has packets to send"
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
        if options.ports.copies
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
            f"number of links on its route, plus 1.{_lanes_that_turn(options) if network.topology.channels else ''}{_waiting(network)}"
        ),
    ]


def _waiting(network: RoutedNetwork) -> str:
    """The longest wait in a router, as a sentence; empty if no bound is known."""
    cycles = waiting_formula(kind for kind, _ in network.routers)
    if not cycles:
        return ""
    return f" While its output takes flits, a packet in front of a router's buffer waits at most {cycles} cycles for others."


def _lanes_that_turn(options: RouterOptions) -> str:
    """The latency that half-duplex lanes add, as a sentence; empty without them."""
    cycles = turning_formula(options)
    if not cycles:
        return ""
    added = count(int(cycles), "cycle") if cycles.isdigit() else f"{cycles} cycles"
    idle = f", and {count(options.turn_round, 'idle cycle')} must lie between flits of opposite directions"
    return (
        f" Lanes are half duplex and keep their direction: one that faces the other way adds {added}"
        f"{idle if options.turn_round else ''}."
    )


def tables(network: Network, what: str) -> list[str]:
    """The values of the port ``routes`` of a router that is generated by itself."""
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
