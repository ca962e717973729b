"""The comment at the head of generated Verilog: all that its user needs to connect it, send packets and run it."""

from noc.axi_network import AxiNetwork
from noc.cost import price
from noc.interface_description import clock_of_axi, streams_of_axi
from noc.machine import Machine
from noc.network import Network
from noc.paragraphs import bit_range, count, item, paragraph, ranges
from noc.routing_description import routing, tables
from noc.system_description import host, layouts, run
from rtl.router_options import RouterOptions

__all__ = ["describe"]


def describe(network: Network, what: str, *, machine: Machine | None = None, axi: AxiNetwork | None = None) -> str:
    """The text for :func:`noc.verilog.to_verilog` on a ``what`` of ``network``.

    Parameters
    ----------
    network : :class:`Network`
    what : :class:`str`
        ``"router"``, ``"network"`` or ``"system"``.
    machine : :class:`Machine`
        The machine of a system.
    axi : :class:`AxiNetwork`
        The network, if it has AXI4-Streams at its ports.
    """
    sections = [_title(network, what), _schedules_only(network, what), routing(network)]
    if axi is not None:
        sections += [clock_of_axi(axi), streams_of_axi(axi)]
    else:
        sections += [
            _clock(),
            _streams(network) + _lanes(network, what),
            _packets(network),
            _sent(network),
            _received(network),
            _outputs(network),
            _turns(network, what),
            tables(network, what),
        ]
    if what != "router":
        sections += [_absent(network), _processors(network), _channels(network)]
    if what == "system":
        assert machine is not None
        sections += [run(machine), host(machine), *layouts(machine)]
    sections.append(_area())
    return "\n\n".join("\n".join(section) for section in sections if section)


def _title(network: Network, what: str) -> list[str]:
    router, cost = network.router(), price(network.topology, network.options.ports)
    options = network.options
    memory = {"auto": "", "registers": " in registers"}.get(
        options.buffer_memory, f" in {options.buffer_memory} memory"
    )
    of_lane = f" ({count(options.link_stages, 'register')} on each lane)" if options.link_stages else ""
    return [
        f"fatcube {what}: {network}",
        "",
        *paragraph(
            f"{count(network.topology.processors, 'processor')} on {count(network.topology.nodes, 'node')}, "
            f"{count(router.ports, 'port')} per processor; crossbar {cost.a} x {cost.b}; {count(cost.links, 'link')}."
        ),
        *paragraph(
            f"Flits of {options.width} bits, buffers of {count(options.buffer_depth, 'flit')}{memory}, "
            f"{count(options.pipeline + options.link_stages, 'cycle')} per hop{of_lane}, "
            f"at most {count(options.hops, 'hop')}, turns: {options.turns}.{_virtual_channels(options)}"
        ),
    ]


def _virtual_channels(options: RouterOptions) -> str:
    """The virtual channels of a lane, as a sentence behind others, if there are several."""
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
        f" {count(options.injection_channels, 'packet')} of each processor port can wait side by side."
        if options.injection_channels > 1
        else ""
    )
    if options.ejection_channels > 1:
        waiting += (
            f" {count(options.ejection_channels, 'packet')} can arrive side by side at each, and are delivered one after the "
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
    layout = network.router().lane_layout
    low = layout["channel"].offset
    return paragraph(
        f"Lanes: payload{_index(low, layout['channel'].width)} is the virtual channel. A flit is taken whenever valid is 1. "
        f"The receiver has a buffer of {options.buffer_depth} flits for each channel, and sets the bit of that channel in "
        f"credit to 1 for a cycle for each flit that has left it; a sender may be ahead of credits by that many flits. "
        f"All flits of a packet are on one channel."
    )


def _answers(options: RouterOptions) -> list[str]:
    retries = options.setup_retry > 0
    which, granted = ("each header", "answer[0]") if retries else ("each header with payload", "answer")
    text = (
        f"Lanes: for {which} that has gone over a lane, {granted} is 1 for one cycle when its way is reserved to the end; "
        "no payload may come before. Whoever takes flits from a lane in place of a router sets it so in a cycle after it has "
        "taken the header."
    )
    if retries:
        text += (
            " answer[1] is 1 instead where the way stays blocked: then nothing comes behind the header, and the lane is "
            "free. No header may follow one that has not been answered. number is to be another one at each router, as "
            "pauses follow from it."
        )
    return paragraph(text)


def _index(low: int, bits: int) -> str:
    return f"[{low}]" if bits == 1 else f"[{low + bits - 1}:{low}]"


def _schedules_only(network: Network, what: str) -> list[str]:
    if not network.deadlock:
        return []
    where = "a network of such routers" if what == "router" else f"this {what}"
    return paragraph(
        f"FOR SCHEDULES ONLY: ordinary traffic can deadlock in {where}, because {network.deadlock}. Send only "
        f"packets that a schedule keeps apart (fatcube schedule, fatcube check), or give the network a routing "
        f"(--routing)."
    )


def _clock() -> list[str]:
    return paragraph(
        "Clock and reset: registers change at the rising edge of clk. rst is synchronous and active high; "
        "hold it for one cycle before anything is sent, or start from the initial values of the registers."
    )


def _streams(network: Network) -> list[str]:
    return [
        *paragraph(
            "Streams: a flit moves in every cycle in which valid and ready are both 1. Once valid is 1, neither "
            "valid nor payload may change until the flit has moved. A receiver must keep taking flits: a flit that it "
            "does not take holds up all packets that wait for the same lanes."
        ),
        *paragraph(
            f"payload[{network.options.width - 1}:0] is the data, payload[{network.options.width}] is 1 on the last "
            f"flit of a packet."
        ),
    ]


def _packets(network: Network) -> list[str]:
    options = network.options
    longest, timeout = options.longest_packet, options.stop_timeout
    text = "Packets: a header and any number of payload flits, or a header alone."
    if longest:
        text += f" Of one with more than {longest} flits, flit {longest} becomes the last; the rest is lost, and error is 1."
    stops = "A sender that stops inside a packet"
    if timeout:
        text += f" {stops} for {timeout} cycles loses it: its last flit becomes 0, the rest is lost, and error is 1."
    else:
        text += f" {stops} holds the outputs of that packet for as long as it stops."
    moves = {
        "wormhole": "",
        "virtual-cut-through": " A header moves on when there is room for the longest packet behind it.",
        "store-and-forward": " A header moves on when its packet is in the router whole.",
        "circuit": " A header reserves its way, router by router. The first router takes at most one flit of payload before "
        "the way is reserved to its end; the last flit frees it." + _set_ups(options),
    }
    return paragraph(text + moves[options.switching])


def _set_ups(options: RouterOptions) -> str:
    """What becomes of set-ups of circuits that are blocked, as a sentence behind others."""
    if not options.setup_retry:
        return " A header that is blocked waits, and keeps what it has reserved."
    return (
        f" A header that is blocked for {count(options.setup_retry, 'cycle')} behind a lane gives back what it has reserved, "
        "and the first router sends it again after a pause, which is random and longer after each try."
        + (
            " A way that crosses a lane twice can never be reserved: the port that sends it is blocked for ever, and no other."
            if options.hops > 2
            else ""
        )
    )


def _sent(network: Network) -> list[str]:
    header = network.router().header
    lines = ["Header as a processor sends it:"]
    for name, low, bits in header.fields():
        lines += item(f"{bit_range(low, bits)}", name)
    if header.multicast:
        return lines + paragraph(
            "Bit n of the mask is for output n. The selector beyond a lane output is the number of "
            + (
                "the output at the neighbour, that of router 2 the number of the next one's; what is copied goes to processors "
                "there. "
                if header.hops > 1
                else "the processor output at the neighbour. "
            )
            + "Routers pass on the bits above the message id unchanged."
        )
    class_of_channel = (
        f" and, in the upper {count(header.class_bits, 'bit')}, for a lane the class of virtual channels, of which the "
        "router takes any that is free"
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
            f"{number} The message id is the sender's own; the number of the processor that sends fits into it. Routers "
            f"pass on the header unchanged."
        )
    return lines + paragraph(
        "Router 0 is that of the sender's node, router 1 the next on the way. The selector of a "
        f"router is the number of the output there{class_of_channel}; selectors after that of the last router on the way "
        "are ignored. Routers pass on the bits above the message id unchanged."
    )


def _received(network: Network) -> list[str]:
    header = network.router().header
    lines = [
        "Header as a processor receives it:",
        *item(bit_range(header.message.start, header.message_bits), "message id; it and all bits above are as sent"),
    ]
    if header.multicast:
        lines += item(bit_range(0, header.route_bits), "as sent, from a processor of the same node")
        if header.hops > 1:
            return lines + item(bit_range(0, header.route_bits), "over a lane: what is left of the route")
        if header.selector_bits:
            lines += item(bit_range(0, header.selector_bits), "over a lane: the selector beyond the lane output taken")
        return lines + item(
            bit_range(header.selector_bits, header.route_bits - header.selector_bits), "over a lane: as sent"
        )
    if header.destinations:
        return lines + item(bit_range(0, header.route_bits), "the destination, as sent")
    return lines + item(
        bit_range(0, header.route_bits),
        "rest of the route: the field of selector i holds what was "
        f"sent as selector of router min(i + 1 + lanes crossed, {header.hops})",
    )


def _outputs(network: Network) -> list[str]:
    return [
        "Outputs of a router, by number:",
        *(f"  {number}  {name}" for number, name in enumerate(network.router().port_names("receive", "out"))),
    ]


def _turns(network: Network, what: str) -> list[str]:
    router = network.router()
    multicast = router.header.multicast
    text = (
        "Turns: the outputs that each input of a router reaches. A packet whose header selects any other output is "
        "discarded, whole, and error (of a network, the bit of that node) is 1 for a cycle; nothing else is disturbed."
    )
    if multicast:
        text += (
            " Of a mask with bits for other outputs, the copies for these outputs are made, and error is 1 as well. "
            "For a packet from a lane, the lowest selector counts."
            + ("" if router.options.hops > 1 else " It can select processor outputs only.")
        )
    names = router.port_names("send", "in")
    room = max(map(len, names))
    # All nodes of a system have one router.
    kinds = network.routers if what == "network" else [(router, ())]
    lines = paragraph(text)
    for kind, nodes in kinds:
        lines += paragraph(f"At node{'s' if len(nodes) > 1 else ''} {ranges(nodes)}:") if len(kinds) > 1 else []
        for number, name in enumerate(names):
            lines += item(name, ranges(kind.reach(number)), room=room)
    return lines


def _absent(network: Network) -> list[str]:
    if network.topology.alike:
        return []
    return paragraph(
        "All routers have the most channels and processors of any node. A packet that goes where its node has "
        "none is lost, and error (the bit of that node) is 1 in the cycle of its last flit; nothing waits for it."
    )


def _processors(network: Network) -> list[str]:
    topology = network.topology
    if topology.uniform:
        m = topology.m
        return paragraph(f"Processor p of the network is processor p mod {m} of node p / {m}, rounded down.")
    lines = paragraph("Processors: for every node, those of the network that are its own processors 0, 1 and so on.")
    room = len(f"node {topology.nodes - 1}:")
    for node in range(topology.nodes):
        lines += item(f"node {node}:", ranges(topology.processors_of(node)) or "none", room=room)
    return lines


def _channels(network: Network) -> list[str]:
    topology = network.topology
    lines = paragraph(
        "Channels: for every node, from channel 0 on, the neighbour that the channel leads to and, after the colon, "
        "the channel by which the link enters it."
        + ("" if topology.complete else " Where there is a dash, or no more, no link leaves by the channel.")
    )
    room = len(f"node {topology.nodes - 1}:")
    for node in range(topology.nodes):
        ends = {channel: f"{other}:{back}" for channel, other, back in topology.ends(node)}
        last = max(ends, default=-1)
        lines += item(f"node {node}:", " ".join(ends.get(channel, "-") for channel in range(last + 1)), room=room)
    return lines


# COMB equivalents of the 32-bit router of -d 2 -m 3 --turns forward; tests/synth/test_plain.py measures them again.
_AREAS = {
    "synth_ecp5": (803, 764, "-nowidelut"),
    "synth_ice40": (773, 773, "the same"),
    "synth_xilinx": (727, 984, "-flatten -nowidelut, and no keep_hierarchy"),
    "synth_gowin": (1038, 757, "-nowidelut"),
}


def _area() -> list[str]:
    room = max(map(len, _AREAS))
    return [
        *paragraph(
            "Area: Yosys' plain command, and the script that `fatcube generate --script FAMILY` writes beside this file, "
            "make of the router of -d 2 -m 3 --turns forward (in LUTs, those that carry cells take among them):"
        ),
        *(
            line
            for command, (plain, small, options) in _AREAS.items()
            for line in item(command, f"{plain}, by the script {small} ({options})", room=room)
        ),
        *paragraph(
            "fatcube reports the area of the script. Without -nowidelut, LUTs are joined to wider ones on the slowest "
            "paths (PFUMX, L6MUX21, MUX2_LUT5 to MUX2_LUT8). The modules with keep_hierarchy are LUTs of the crossbar, "
            "which synthesis takes apart where it sees what is around: plain synth_ecp5 makes 2,228 LUTs of the "
            "router of -d 4 -m 4 --turns forward. The LUTs of Xilinx have six inputs and mostly do better without this "
            "attribute: of that router 1,965 with it, and 1,736 by the script. iopad_external_pin keeps the pads of "
            "synth_gowin out of these modules. synth_xilinx flattens a network with -flatten only."
        ),
    ]
