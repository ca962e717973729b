"""The comment at the head of generated Verilog: all that its user needs to connect it, send packets and run it."""

from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.coordinates import NumberedCoordinates
from fatcube.noc.cost import price
from fatcube.noc.descriptions.interface_description import clock_of_axi, streams_of_axi
from fatcube.noc.descriptions.paragraphs import bit_range, count, item, paragraph, ranges
from fatcube.noc.descriptions.port_description import (
    clock_of_flits,
    error,
    lacks_outputs,
    port_names,
    ports_with_flits,
    streams_of_flits,
    unused,
)
from fatcube.noc.descriptions.routing_description import routing, tables
from fatcube.noc.descriptions.system_description import host, layouts, run
from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topology import Topology
from fatcube.rtl.lanes.lane import lane_layout
from fatcube.rtl.protocols.flits import FLITS
from fatcube.rtl.protocols.protocol import Protocol
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.switching import Switching

__all__ = ["describe"]


def describe(
    network: Network,
    what: str,
    *,
    machine: Machine | None = None,
    axi: AxiNetwork | None = None,
    protocol: Protocol = FLITS,
    again: str = "",
) -> str:
    """The comment for :func:`fatcube.noc.verilog.to_verilog` that describes a ``what`` of ``network``.

    Parameters
    ----------
    network : :class:`Network`
    what : :class:`str`
        ``"router"``, ``"network"`` or ``"system"``.
    machine : :class:`Machine`
        The machine of a system.
    axi : :class:`AxiNetwork`
        The network, if it has AXI4-Streams at its ports.
    protocol : :class:`Protocol`
        The protocol of the ports of processors, with their names.
    again : :class:`str`
        A sentence that says how it is generated again.
    """
    sections = [_title(network, what), paragraph(again), _schedules_only(network, what), routing(network)]
    sections += [clock_of_flits()] if axi is None else [clock_of_axi(axi), streams_of_axi(axi)]
    if axi is None or axi.flit_ports:
        sections += [
            ports_with_flits(axi),
            streams_of_flits(network) + _lanes(network, what),
            _packets(network),
            _sent(network),
            _received(network),
            _outputs(network),
            _turns(network, what),
            *([] if what == "system" else [error(network, what), unused(network, what)]),
            tables(network, what),
        ]
    if what != "router":
        sections += [
            port_names(protocol, network.processor_ports),
            _absent(network, legal=axi is not None and not axi.flit_ports),
            _processors(network),
            _channels(network),
        ]
    if what == "system":
        assert machine is not None
        sections += [run(machine), host(machine), *layouts(machine)]
    return "\n\n".join("\n".join(section) for section in sections if section)


def _title(network: Network, what: str) -> list[str]:
    router, cost = network.router(), price(network.topology, network.options.ports)
    options = network.options
    memory = {"auto": "", "registers": " in registers"}.get(
        options.buffer_memory, f" in {options.buffer_memory} memory"
    )
    of_lane = f" ({count(options.link_stages, 'register')} on each lane)" if options.link_stages else ""
    of_ports = ", one more in a register at each port that a processor receives on" if options.ejection_stages else ""
    return [
        f"fatcube {what}: {network}",
        "",
        *paragraph(
            f"{count(network.topology.processors, 'processor')} on {count(network.topology.nodes, 'node')}, "
            f"{count(router.ports, 'port')} per processor; crossbar {cost.a} x {cost.b}; {count(cost.links, 'link')}."
        ),
        *paragraph(
            f"Flits of {options.width} bits, buffers of {count(options.buffer_depth, 'flit')}{memory}, "
            f"{count(options.pipeline + options.link_stages, 'cycle')} per hop{of_lane}{of_ports}, "
            f"at most {count(router.header.hops, 'hop')}, turns: {options.turns}.{_virtual_channels(options)}"
        ),
    ]


def _virtual_channels(options: RouterOptions) -> str:
    """The virtual channels of a lane, as sentences to append; empty if there is one."""
    channels, classes = options.virtual_channels, options.channel_classes
    if channels == 1:
        return ""
    divided = f", in {classes} classes: channel c is of class c mod {classes}" if classes > 1 else ""
    overtake = (
        " Packets from one sender to one receiver can overtake each other on channels of one class."
        if channels > classes
        else ""
    )
    waiting = (
        f" {count(options.injection_channels, 'packet')} of each processor port can wait in parallel."
        if options.injection_channels > 1
        else ""
    )
    if options.ejection_channels > 1:
        waiting += (
            f" {count(options.ejection_channels, 'packet')} can arrive in parallel at each, and are delivered one after the "
            "other."
        )
    return f" Each lane has {channels} virtual channels{divided}.{waiting}{overtake}"


def _lanes(network: Network, what: str) -> list[str]:
    """The rules of lanes with circuits or virtual channels, which only a router has as ports."""
    options = network.options
    if what != "router":
        return []
    if options.answers:
        return _answers(options)
    if options.virtual_channels == 1:
        return []
    layout = lane_layout(options.width, options.virtual_channels)
    low = layout["channel"].offset
    return paragraph(
        f"Lanes: payload{_index(low, layout['channel'].width)} is the virtual channel. A flit is taken whenever valid is 1. "
        f"The receiver has a buffer of {options.buffer_depth} flits for each channel. For each flit that leaves the buffer, it "
        f"sets the bit of that channel in credit to 1 for one cycle; a sender may be ahead of credits by that many flits. "
        f"All flits of a packet use one channel."
    )


def _answers(options: RouterOptions) -> list[str]:
    retries = options.setup_retry > 0
    which, granted = ("each header", "answer[0]") if retries else ("each header with payload", "answer")
    text = (
        f"Lanes: for {which} that has crossed a lane, {granted} is 1 for one cycle when its route is completely reserved; "
        "no payload may be sent before that. Other logic than a router that receives flits from a lane must set it likewise "
        "in a cycle after it has taken the header."
    )
    if retries:
        text += (
            " answer[1] is 1 instead if the route stays blocked: then nothing follows the header, and the lane is free. "
            "No header may follow one that has not been answered. number must be different at each router, as the "
            "random pauses depend on it."
        )
    return paragraph(text)


def _index(low: int, bits: int) -> str:
    return f"[{low}]" if bits == 1 else f"[{low + bits - 1}:{low}]"


def _schedules_only(network: Network, what: str) -> list[str]:
    if not network.deadlock:
        return []
    where = "a network of such routers" if what == "router" else f"this {what}"
    return paragraph(
        f"FOR SCHEDULES ONLY: general-purpose traffic can deadlock in {where}, because {network.deadlock}. Send only "
        f"packets that a schedule keeps apart (fatcube schedule, fatcube check), or give the network a routing "
        f"(--routing)."
    )


def _packets(network: Network) -> list[str]:
    options = network.options
    longest, timeout = options.longest_packet, options.stop_timeout
    text = "Packets: a header and any number of payload flits, or a header alone."
    if longest:
        text += f" A longer packet than {longest} flits is cut: flit {longest} becomes its tail flit, the rest is dropped, and error is 1."
    stops = "A sender that stalls inside a packet"
    if timeout:
        text += (
            f" {stops} for {timeout} cycles loses it: a zero tail flit is inserted, the rest is dropped, and error is 1. Only "
            "cycles in which valid is 0 and ready is 1 count, so a packet that is blocked is not lost."
        )
    else:
        text += f" {stops} holds the outputs of that packet until it continues."
    moves = {
        Switching.WORMHOLE: "",
        Switching.VIRTUAL_CUT_THROUGH: " A header leaves a router when the next one has room for the longest packet.",
        Switching.STORE_AND_FORWARD: " A header leaves a router when the whole packet has arrived there.",
        Switching.CIRCUIT: " A header reserves its route, router by router. The first router takes at most one payload flit before "
        "the whole route is reserved; the tail flit releases it." + _set_ups(options),
    }
    return paragraph(text + moves[Switching(options.switching)])


def _set_ups(options: RouterOptions) -> str:
    """The handling of blocked circuit set-ups, as sentences to append."""
    if not options.setup_retry:
        return " A blocked header waits, and keeps what it has reserved."
    return (
        f" A header that is blocked for {count(options.setup_retry, 'cycle')} behind a lane releases what it has reserved, "
        "and the first router sends it again after a pause, which is random and longer after each try."
        + (
            " A route that crosses a lane twice can never be reserved: it blocks the port that sends it forever, and no other."
            if options.hops > 2
            else ""
        )
    )


def _sent(network: Network) -> list[str]:
    header = network.router().header
    lines = ["Header as a processor sends it:"]
    for name, low, bits in header.fields():
        lines += item(f"{bit_range(low, bits)}", name)
    if header.copies:
        return lines + paragraph(
            "Bit n of the mask is for output n. The selector beyond a lane output is the number of "
            + (
                "the output at the neighbour, that of router 2 the output at the router after that; copies go to processors "
                "there. "
                if header.hops > 1
                else "the processor output at the neighbour. "
            )
            + "Routers pass on the bits above the message id unchanged."
        )
    class_of_channel = (
        f" and, in the upper {count(header.class_bits, 'bit')}, for a lane the class of virtual channels, of which the "
        "router takes any that is free; for a processor output they must be 0, or the packet is discarded, with an error"
        if header.class_bits
        else ""
    )
    if header.destinations:
        ports = network.processor_ports
        number = (
            "The destination is the number of a processor."
            if ports == 1
            else (f"The destination is {ports} p + j for port j of processor p.")
        )
        route_computation = network.router().route_computation
        if route_computation is not None:
            number = (
                "The destination is, from its lowest bit upwards, "
                + (
                    f"{count(route_computation.output_bits, 'bit')} of output to the processor port, then "
                    if route_computation.output_bits
                    else ""
                )
                + "the coordinates of the node, the lowest dimension first, in "
                + f"{' and '.join(str(dimension.bits) for dimension in route_computation.dimensions)} bits."
            )
        return lines + paragraph(
            f"{number} The message id is free for the sender's use; the number of the sender fits into it. Routers "
            f"do not change the header."
        )
    return lines + paragraph(
        "Router 0 is that of the sender's node, router 1 the next on the route. The selector of a "
        f"router is the number of the output there{class_of_channel}; selectors after that of the last router on the route "
        "are ignored. Routers pass on the bits above the message id unchanged."
    )


def _received(network: Network) -> list[str]:
    header = network.router().header
    lines = [
        "Header as a processor receives it:",
        *item(
            bit_range(header.message.start, header.message_bits),
            "message id; this field and all bits above it are as sent",
        ),
    ]
    if header.copies:
        lines += item(bit_range(0, header.route_bits), "as sent, from a processor of the same node")
        if header.hops > 1:
            return lines + item(bit_range(0, header.route_bits), "over a lane: the rest of the route")
        if header.selector_bits:
            lines += item(bit_range(0, header.selector_bits), "over a lane: the selector beyond the lane output taken")
        return lines + item(
            bit_range(header.selector_bits, header.route_bits - header.selector_bits), "over a lane: as sent"
        )
    if header.destinations:
        return lines + item(bit_range(0, header.route_bits), "the destination, as sent")
    return lines + item(
        bit_range(0, header.route_bits),
        "rest of the route: the field of selector i has the "
        f"selector that was sent for router min(i + 1 + lanes crossed, {header.hops})",
    )


def _outputs(network: Network) -> list[str]:
    return [
        "Outputs of a router, by number:",
        *(f"  {number}  {name}" for number, name in enumerate(network.router().output_names)),
    ]


def _turns(network: Network, what: str) -> list[str]:
    router = network.router()
    copies = router.header.copies
    text = (
        "Turns: the outputs that each input of a router reaches. A packet whose header selects any other output is "
        "discarded completely, and no other packet is affected."
    )
    if copies:
        text += (
            " If a mask has legal and illegal bits, the legal copies are made, and error is 1 nevertheless. "
            "For a packet from a lane, the lowest selector counts."
            + ("" if router.options.hops > 1 else " It can select processor outputs only.")
        )
    names = router.input_names
    room = max(map(len, names))
    # All nodes of a system have the same router.
    kinds = network.routers if what == "network" else [(router, ())]
    lines = paragraph(text)
    for kind, nodes in kinds:
        lines += paragraph(f"At node{'s' if len(nodes) > 1 else ''} {ranges(nodes)}:") if len(kinds) > 1 else []
        for number in kind.inputs:
            lines += item(names[number], ranges(kind.reach(number)), room=room)
    return lines


def _absent(network: Network, *, legal: bool) -> list[str]:
    """The ports that some nodes lack. With ``legal``, interfaces make all headers, and send no packet there."""
    if network.topology.alike:
        return []
    if not lacks_outputs(network):
        return paragraph(
            f"Links {'have failed' if network.topology.failures else 'go one way'}. Routers have ports for the lanes "
            "that enter or leave their node, and no others."
        )
    what = (
        "A packet to one that its node lacks is lost, and error is 1 in the cycle of its tail flit; it blocks nothing."
    )
    what = "No packet is sent to one that its node lacks." if legal else what
    return paragraph(f"All routers have the most channels and processors of any node. {what}")


def _processors(network: Network) -> list[str]:
    topology = network.topology
    cut_off = [processor for processor in range(topology.processors) if not topology.works(processor)]
    lines = paragraph("Processors that have failed, or whose node has:") if cut_off else []
    lines += item("", ranges(cut_off), room=0) if cut_off else []
    if topology.uniform:
        m = topology.m
        place = f"processor p mod {m} of node p / {m}, rounded down" if m > 1 else "the processor of node p"
        return [*lines, *paragraph(f"Processor p of the network is {place}.")]
    lines += paragraph("Processors: for every node, the numbers in the network of its processors 0, 1 and so on.")
    room = len(f"node {topology.nodes - 1}:")
    for node in range(topology.nodes):
        lines += item(f"node {node}:", ranges(topology.processors_of(node)) or "none", room=room)
    return lines


def _channels(network: Network) -> list[str]:
    topology = network.topology
    lines = paragraph(
        "Channels: for every node, from channel 0 on, the neighbour that the channel leads to and, after the colon, "
        "the channel at which the link arrives there."
        + ("" if topology.complete else " A channel with a dash, and one that is not listed, has no link.")
        + _places(topology)
    )
    names = [f"node {node}{_place(topology, node)}:" for node in range(topology.nodes)]
    for node, name in enumerate(names):
        ends = {channel: f"{other}:{back}" for channel, other, back in topology.ends(node)}
        last = max(ends, default=-1)
        text = " ".join(ends.get(channel, "-") for channel in range(last + 1))
        lines += item(name, text, room=max(map(len, names)))
    return lines


def _places(topology: Topology) -> str:
    """The meaning of :func:`_place`, as a sentence to append."""
    whole = topology.intact
    if isinstance(whole, (FatCube, Hypercube)):
        return " The address of the node is in parentheses, bit 0 on the right."
    if isinstance(whole, NumberedCoordinates) and whole.dimensions > 1:
        axes = " (x, y)" if whole.dimensions == 2 else ""
        return f" The coordinates of the node{axes} are in parentheses, the lowest dimension first."
    return " The name of the node is in parentheses." if isinstance(whole, Graph) else ""


def _place(topology: Topology, node: int) -> str:
    """The address, the coordinates or the name of a node, in parentheses; empty if it has none but its number."""
    whole = topology.intact
    if isinstance(whole, (FatCube, Hypercube)):
        return f" ({node:0{whole.d}b})"
    if isinstance(whole, NumberedCoordinates) and whole.dimensions > 1:
        return f" ({','.join(str(whole.coordinate(node, dimension)) for dimension in range(whole.dimensions))})"
    return topology.name_of(node).removeprefix(str(node)) if isinstance(whole, Graph) else ""
