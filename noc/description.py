"""The comment before generated Verilog: what a person who wires it, sends into it or drives it has to know."""

import textwrap

from noc.cost import price
from noc.wires import wires_of_node
from rtl.endpoint.host import Region
from rtl.endpoint.monitor import TraceEntry
from rtl.endpoint.program import PortStatus
from rtl.endpoint.sender import ALL_BANKS

__all__ = ["describe"]


_WIDTH = 117  # columns of the text, behind "// "


def describe(network, what, *, machine=None):
    """The text for :func:`noc.verilog.to_verilog` on a ``what`` of ``network``.

    Parameters
    ----------
    network : :class:`Network`
    what : :class:`str`
        ``"router"``, ``"network"`` or ``"system"``.
    machine : :class:`Machine`
        That of a system.
    """
    sections = [
        _title(network, what),
        _schedules_only(network, what),
        _clock(),
        _streams(network),
        _packets(network),
        _sent(network),
        _received(network),
        _outputs(network),
        _turns(network),
    ]
    if what != "router":
        sections += [_processors(network), _channels(network)]
    if what == "system":
        sections += [_run(machine), _host(machine), *_layouts(machine)]
    sections.append(_area())
    return "\n\n".join("\n".join(section) for section in sections if section)


def _text(text):
    """A paragraph as lines."""
    return textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _item(name, text, *, room=0):
    """An indented line, or more, of a list."""
    first = f"  {name:<{room}}  "
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first.rstrip()]


def _count(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _bits(low, bits):
    if not bits:
        return "no bits"
    return f"bit {low}" if bits == 1 else f"bits {low + bits - 1}:{low}"


def _ranges(numbers):
    """Ascending integers, as in ``0-3,6``."""
    runs = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def _title(network, what):
    router, cost = network.router(), price(network.topology, network.options.ports)
    return [
        f"fatcube {what}: {network}",
        "",
        *_text(
            f"{_count(network.topology.processors, 'processor')} on {_count(network.topology.nodes, 'node')}, "
            f"{_count(router.ports, 'port')} each; crossbar {cost.a} x {cost.b}; {_count(cost.links, 'link')}."
        ),
        *_text(
            f"Flits of {network.options.width} bits, buffers of {_count(network.options.buffer_depth, 'flit')}, "
            f"{_count(network.options.pipeline, 'cycle')} a hop, at most {_count(network.options.hops, 'hop')}, "
            f"turns: {network.options.turns}."
        ),
    ]


def _schedules_only(network, what):
    if not network.deadlock:
        return []
    where = "a network of such routers" if what == "router" else f"this {what}"
    return _text(
        f"FOR SCHEDULES ONLY: ordinary traffic can deadlock in {where}. "
        f"{network.deadlock[0].upper()}{network.deadlock[1:]}, for which there is no deadlock-free routing "
        f"yet. Send only packets that a schedule keeps apart (fatcube schedule, fatcube check)."
    )


def _clock():
    return _text(
        "Clock and reset: everything happens at the rising edge of clk. rst is synchronous and active high; "
        "hold it for one cycle before anything is sent, or start from the initial values of the registers."
    )


def _streams(network):
    return [
        *_text(
            "Streams: a flit moves in every cycle in which valid and ready are both 1. Once valid, it stays "
            "until ready. A receiver must go on taking flits: what it does not take holds up everything that "
            "waits for the same lanes."
        ),
        *_text(
            f"payload[{network.options.width - 1}:0] is the data, payload[{network.options.width}] is 1 on the last flit of a packet."
        ),
    ]


def _packets(network):
    alone = (
        "Here, in model b, a header alone passes as well; routers of the other models break on it."
        if network.options.ports.multicast
        else "Never send a header alone: it leaves its output held, others wait for that output, and the next packet "
        "of the same input arrives twice: where it belongs and at that output."
    )
    return _text(f"Packets: a packet must be a header and at least one payload flit. {alone}")


def _sent(network):
    header = network.router().header
    lines = ["Header as a processor sends it:"]
    for name, low, bits in header.fields():
        lines += _item(f"{_bits(low, bits)}", name)
    if header.multicast:
        return lines + _text(
            "Bit n of the mask is for output n. The selector beyond a lane output is the number of "
            "the processor output at the neighbour. Routers pass on the bits above the message id."
        )
    return lines + _text(
        "Router 0 is that of the sender's node, router 1 the next on the way. The selector of a "
        "router is the number of the output there; behind the last router of the way selectors do "
        "not count. Routers pass on the bits above the message id."
    )


def _received(network):
    header = network.router().header
    lines = [
        "Header as a processor receives it:",
        *_item(_bits(header.message.start, header.message_bits), "message id, in its place; all bits above as sent"),
    ]
    if header.multicast:
        lines += _item(_bits(0, header.route_bits), "as sent, from a processor of the same node")
        if header.selector_bits:
            lines += _item(_bits(0, header.selector_bits), "over a lane: the selector beyond the lane output taken")
        return lines + _item(
            _bits(header.selector_bits, header.route_bits - header.selector_bits), "over a lane: as sent"
        )
    return lines + _item(
        _bits(0, header.route_bits),
        "what is left of the route: the place of selector i has what was "
        f"sent as selector of router min(i + 1 + lanes crossed, {header.hops})",
    )


def _outputs(network):
    return [
        "Outputs of a router, by number:",
        *(f"  {number}  {name}" for number, name in enumerate(_router_ports(network, "receive", "out"))),
    ]


def _turns(network):
    router = network.router()
    multicast = router.header.multicast
    text = (
        "Turns: the outputs that each input of a router reaches. A header that asks for any other one blocks its "
        "input until reset."
    )
    if multicast:
        text += (
            " In a mask, bits for others are ignored, but it blocks too where no bit is left. From a lane the "
            "lowest selector counts, which is for processor outputs only."
        )
    names = list(_router_ports(network, "send", "in"))
    room = max(map(len, names))
    return [
        *_text(text),
        *(line for number, name in enumerate(names) for line in _item(name, _ranges(router.reach(number)), room=room)),
    ]


def _router_ports(network, processor_way, lane_way):
    """The names of the router's ports one way, by number."""
    router = network.router()
    yield from (f"processor{p}_{processor_way}{j}" for p in range(router.processors) for j in range(router.ports))
    yield from (f"channel{c}_lane{l}_{lane_way}" for c in range(router.channels) for l in range(router.lanes))


def _processors(network):
    m = network.topology.m
    return _text(f"Processor p of the whole is processor p % {m} of node p / {m}, rounded down.")


def _channels(network):
    topology = network.topology
    lines = _text(
        "Where channels lead: for every node, from channel 0 on, the neighbour and, behind the colon, the "
        "channel by which it is entered there."
    )
    room = len(f"node {topology.nodes - 1}:")
    for node in range(topology.nodes):
        ends = (topology.neighbour(node, channel) for channel in range(topology.degree))
        lines += _item(f"node {node}:", " ".join(f"{other}:{back}" for other, back in ends), room=room)
    return lines


def _run(machine):
    reduced = " Messages with an id below reduced are partial sums, which are added up." if machine.reductions else ""
    return [
        "A run:",
        *_item("1.", "Reset, with start at 0. It clears counters and traces, but no memory."),
        *_item(
            "2.",
            "Write, over the host bus: HELD of every message and bank, 1 where the processor has the message "
            "already, else 0; the PAYLOAD of those; the PROGRAM of every port, with an entry for the end.",
        ),
        *_item(
            "3.",
            "Set, and leave until the end: payload_flits, the payload flits F of every message (1 to 65534); "
            "slot_shift, so that 2^slot_shift is at least F; lockstep, 1 for a barrier after every step (one entry of "
            "every program), 0 for dataflow (a port goes on by itself, and a message is sent when it has "
            "arrived); timeout, the cycles without any moving flit after which the run counts as stalled."
            f"{reduced}",
        ),
        *_item(
            "4.",
            "Set start to 1. running is 1 until finished or stalled is, which stays until reset. finished: "
            "all programs are at their ends and all expected packets have arrived. stalled: nothing moved "
            "for too long. Leave region, node and unit at 0 meanwhile.",
        ),
        *_item("5.", "Read steps (ended by the barrier; 0 in dataflow), cycles, STATUS, TRACE and PAYLOAD."),
    ]


def _host(machine):
    network = machine.network
    m, ports = network.topology.m, network.processor_ports
    monitors = [wire.stream for wire in wires_of_node(network, 0)]
    reductions = f" Bank {ALL_BANKS} is the sum over all banks, read only." if machine.reductions else ""
    regions = {
        Region.IDLE: "nothing; the bus rests",
        Region.PAYLOAD: "message memory, read and write. bank: the port at which a message arrives "
        f"({_ranges(range(ports))}); what a processor has from the start may be in any. word: message id * 2^slot_shift + flit, below "
        f"{machine.memory_words}.{reductions}",
        Region.PROGRAM: "program of a port, write only. bank: the port. word: the entry, below "
        f"{machine.program_entries}",
        Region.HELD: "whether a message has arrived, write only. bank as above. word: the message id. data: 1 or 0",
        Region.STATUS: "what a port does, read only. bank: the port",
        Region.TRACE: f"what a monitor has seen, read only. word n: its n-th packet, below {machine.program_entries}; "
        f"word {(1 << 24) - 1}: packets in bits 31:0, flits in bits 63:32",
    }
    return [
        *_text(
            "Host bus: one access a cycle, to unit `unit` of node `node`; 65535 is every one. With write at 1, "
            "data is written at the next rising edge. With write at 0, value has what was asked for after two "
            "rising edges; a new question can be asked every cycle. flit_count and conflict_count are those of the "
            "router of `node` after two rising edges."
        ),
        "Units of a node:",
        *_item("0" if m == 1 else f"0-{m - 1}", "processor" if m == 1 else "processors"),
        *(line for number, text in enumerate(monitors) for line in _item(str(m + number), f"monitor: {text}")),
        "Regions:",
        *(line for region, text in regions.items() for line in _item(f"{region.value} {region.name}", text, room=9)),
    ]


_ENTRY = {
    "header": "of the packet to send, as above",
    "bank": "the bank that holds the message",
    "send": "there is a packet to send",
    "more": "the packet goes on with the message of the next entry",
    "expect": "a packet arrives at this port",
    "end": "the program is over; nothing else in this entry counts",
    "sync": "in dataflow too, the next entry waits until all processors are here",
    "source": "the message id to send; its receiver keeps it as the one in the header",
    "combine": "send the sum over all banks",
    "need": "the arrivals without which a sum is not sent in dataflow",
}
_STATUS = {
    "entry": "where the program is",
    "sending": "in the middle of a packet",
    "blocked": "the router does not take a flit",
    "missing": "what is to be sent has not arrived",
    "ended": "at the end of the program",
    "expected": "packets that were to arrive so far",
    "received": "packets that did",
}
_TRACE = {
    "header": "the header as it was here",
    "signature": "of the payload: rotated left by one bit and exclusive-ored with each word, from 0 on",
    "flits": "of the packet, headers too",
    "step": "in which the header crossed, from 1; 0 in dataflow",
    "cycle": "in which the last flit crossed",
}


def _layouts(machine):
    """What the words of the regions are made of."""
    for title, layout, words in (
        ("PROGRAM", machine.program_entry, _ENTRY),
        ("STATUS", PortStatus(), _STATUS),
        ("TRACE", TraceEntry(machine.network.options.width), _TRACE),
    ):
        room = max(len(name) for name, _ in layout)
        lines = [f"A word of {title}:"]
        for name, field in layout:
            lines += _item(f"{_bits(field.offset, field.width):<12} {name:<{room}}", words[name])
        yield lines


def _area():
    return _text(
        "Area: what fatcube reports of ECP5 is from `synth_ecp5 -nowidelut`. Without the option Yosys takes "
        "1,130 LUT4 and 432 PFUMX for the router of -d 2 -m 2, and 429 LUT4 with it."
    )
