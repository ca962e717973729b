"""The comment at the head of generated Verilog: all that its user needs to connect it, send packets and run it."""

from collections.abc import Iterable, Iterator
import textwrap

from noc.cost import price
from noc.machine import Machine
from noc.network import Network
from rtl.endpoint.host import Region
from rtl.endpoint.monitor import TraceEntry
from rtl.endpoint.program import PortStatus
from rtl.endpoint.sender import ALL_BANKS

__all__ = ["describe"]


_WIDTH = 117  # columns of the text, after "// "


def describe(network: Network, what: str, *, machine: Machine | None = None) -> str:
    """The text for :func:`noc.verilog.to_verilog` on a ``what`` of ``network``.

    Parameters
    ----------
    network : :class:`Network`
    what : :class:`str`
        ``"router"``, ``"network"`` or ``"system"``.
    machine : :class:`Machine`
        The machine of a system.
    """
    sections = [
        _title(network, what),
        _schedules_only(network, what),
        _clock(),
        _streams(network),
        _packets(),
        _sent(network),
        _received(network),
        _outputs(network),
        _turns(network),
    ]
    if what != "router":
        sections += [_processors(network), _channels(network)]
    if what == "system":
        assert machine is not None
        sections += [_run(machine), _host(machine), *_layouts(machine)]
    sections.append(_area())
    return "\n\n".join("\n".join(section) for section in sections if section)


def _text(text: str) -> list[str]:
    """The lines of a paragraph."""
    return textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _item(name: str, text: str, *, room: int = 0) -> list[str]:
    """The indented lines of an item in a list."""
    first = f"  {name:<{room}}  "
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first.rstrip()]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _bits(low: int, bits: int) -> str:
    if not bits:
        return "no bits"
    return f"bit {low}" if bits == 1 else f"bits {low + bits - 1}:{low}"


def _ranges(numbers: Iterable[int]) -> str:
    """Ascending integers, as in ``0-3,6``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def _title(network: Network, what: str) -> list[str]:
    router, cost = network.router(), price(network.topology, network.options.ports)
    options = network.options
    memory = {"auto": "", "registers": " in registers"}.get(
        options.buffer_memory, f" in {options.buffer_memory} memory"
    )
    of_lane = f" ({_count(options.link_stages, 'register')} on each lane)" if options.link_stages else ""
    return [
        f"fatcube {what}: {network}",
        "",
        *_text(
            f"{_count(network.topology.processors, 'processor')} on {_count(network.topology.nodes, 'node')}, "
            f"{_count(router.ports, 'port')} per processor; crossbar {cost.a} x {cost.b}; {_count(cost.links, 'link')}."
        ),
        *_text(
            f"Flits of {options.width} bits, buffers of {_count(options.buffer_depth, 'flit')}{memory}, "
            f"{_count(options.pipeline + options.link_stages, 'cycle')} per hop{of_lane}, "
            f"at most {_count(options.hops, 'hop')}, turns: {options.turns}."
        ),
    ]


def _schedules_only(network: Network, what: str) -> list[str]:
    if not network.deadlock:
        return []
    where = "a network of such routers" if what == "router" else f"this {what}"
    return _text(
        f"FOR SCHEDULES ONLY: ordinary traffic can deadlock in {where}, because {network.deadlock}. There is no "
        f"deadlock-free routing for it yet. Send only packets that a schedule keeps apart (fatcube schedule, "
        f"fatcube check)."
    )


def _clock() -> list[str]:
    return _text(
        "Clock and reset: registers change at the rising edge of clk. rst is synchronous and active high; "
        "hold it for one cycle before anything is sent, or start from the initial values of the registers."
    )


def _streams(network: Network) -> list[str]:
    return [
        *_text(
            "Streams: a flit moves in every cycle in which valid and ready are both 1. Once valid is 1, neither "
            "valid nor payload may change until the flit has moved. A receiver must keep taking flits: a flit that it "
            "does not take holds up all packets that wait for the same lanes."
        ),
        *_text(
            f"payload[{network.options.width - 1}:0] is the data, payload[{network.options.width}] is 1 on the last "
            f"flit of a packet."
        ),
    ]


def _packets() -> list[str]:
    return _text(
        "Packets: a header and any number of payload flits, or a header alone. A sender that stops inside a packet holds "
        "the outputs of that packet for as long as it stops."
    )


def _sent(network: Network) -> list[str]:
    header = network.router().header
    lines = ["Header as a processor sends it:"]
    for name, low, bits in header.fields():
        lines += _item(f"{_bits(low, bits)}", name)
    if header.multicast:
        return lines + _text(
            "Bit n of the mask is for output n. The selector beyond a lane output is the number of "
            "the processor output at the neighbour. Routers pass on the bits above the message id unchanged."
        )
    return lines + _text(
        "Router 0 is that of the sender's node, router 1 the next on the way. The selector of a "
        "router is the number of the output there; selectors after that of the last router on the way "
        "are ignored. Routers pass on the bits above the message id unchanged."
    )


def _received(network: Network) -> list[str]:
    header = network.router().header
    lines = [
        "Header as a processor receives it:",
        *_item(_bits(header.message.start, header.message_bits), "message id; it and all bits above are as sent"),
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
        "rest of the route: the field of selector i holds what was "
        f"sent as selector of router min(i + 1 + lanes crossed, {header.hops})",
    )


def _outputs(network: Network) -> list[str]:
    return [
        "Outputs of a router, by number:",
        *(f"  {number}  {name}" for number, name in enumerate(network.router().port_names("receive", "out"))),
    ]


def _turns(network: Network) -> list[str]:
    router = network.router()
    multicast = router.header.multicast
    text = (
        "Turns: the outputs that each input of a router reaches. A packet whose header selects any other output is "
        "discarded, whole, and error (of a network, the bit of that node) is 1 for a cycle; nothing else is disturbed."
    )
    if multicast:
        text += (
            " Of a mask with bits for other outputs, the copies for these outputs are made, and error is 1 as well. "
            "For a packet from a lane, the lowest selector counts; it can select processor outputs only."
        )
    names = router.port_names("send", "in")
    room = max(map(len, names))
    return [
        *_text(text),
        *(line for number, name in enumerate(names) for line in _item(name, _ranges(router.reach(number)), room=room)),
    ]


def _processors(network: Network) -> list[str]:
    m = network.topology.m
    return _text(f"Processor p of the network is processor p mod {m} of node p / {m}, rounded down.")


def _channels(network: Network) -> list[str]:
    topology = network.topology
    lines = _text(
        "Channels: for every node, from channel 0 on, the neighbour that the channel leads to and, after the colon, "
        "the channel by which the link enters it."
    )
    room = len(f"node {topology.nodes - 1}:")
    for node in range(topology.nodes):
        ends = (topology.neighbour(node, channel) for channel in range(topology.degree))
        lines += _item(f"node {node}:", " ".join(f"{other}:{back}" for other, back in ends), room=room)
    return lines


def _run(machine: Machine) -> list[str]:
    reduced = " Messages with an id below reduced are partial sums, which are added up." if machine.reductions else ""
    return [
        "A run:",
        *_item("1.", "Reset the system with start at 0. This clears counters and traces, but not memories."),
        *_item(
            "2.",
            "Write over the host bus: HELD for every message and bank, 1 if the processor has the message from the "
            "start, otherwise 0; PAYLOAD of the messages that it has; PROGRAM of every port, with an end entry.",
        ),
        *_item(
            "3.",
            "Set, and keep until the end: payload_flits, the payload flits F of every message (1 to 65534); "
            "slot_shift, such that 2^slot_shift is at least F; lockstep, 1 for a barrier after every step (one entry "
            "of every program), 0 for dataflow (each port proceeds by itself and sends a message once it has "
            "arrived); timeout, the cycles without a moving flit after which the run counts as stalled."
            f"{reduced}",
        ),
        *_item(
            "4.",
            "Set start to 1. running is 1 until finished or stalled is 1, which then stays 1 until reset. finished: "
            "all programs have ended and all expected packets have arrived. stalled: no flit moved for timeout "
            "cycles. Leave region, node and unit at 0 during the run.",
        ),
        *_item("5.", "Read steps (completed steps; 0 in dataflow), cycles, STATUS, TRACE and PAYLOAD."),
    ]


def _host(machine: Machine) -> list[str]:
    network = machine.network
    m, ports = network.topology.m, network.processor_ports
    monitors = [wire.stream for wire in machine.wires_of_node(0)]
    reductions = f" Bank {ALL_BANKS} is the sum over all banks, read only." if machine.reductions else ""
    regions = {
        Region.IDLE: "nothing; the bus is idle",
        Region.PAYLOAD: "message memory, read and write. bank: the port at which a message arrives "
        f"({_ranges(range(ports))}); a message that a processor has from the start may be in any. word: message id * "
        f"2^slot_shift + flit, below {machine.memory_words}.{reductions}",
        Region.PROGRAM: "program of a port, write only. bank: the port. word: the entry, below "
        f"{machine.program_entries}",
        Region.HELD: "arrivals, write only. bank as above. word: the message id. data: 1 if the message is there, "
        "otherwise 0",
        Region.STATUS: "state of a port, read only. bank: the port",
        Region.TRACE: f"trace of a monitor, read only. word n: its n-th packet, below {machine.program_entries}; "
        f"word {(1 << 24) - 1}: packets in bits 31:0, flits in bits 63:32",
    }
    return [
        *_text(
            "Host bus: one access per cycle, to unit `unit` of node `node`; 65535 addresses all of them. With write "
            "at 1, data is written at the next rising edge. With write at 0, value is the word read two rising edges "
            "later; a new read can start in every cycle. flit_count, conflict_count and error_count are those of the "
            "router of `node`, also two rising edges later."
        ),
        "Units of a node:",
        *_item("0" if m == 1 else f"0-{m - 1}", "processor" if m == 1 else "processors"),
        *(line for number, text in enumerate(monitors) for line in _item(str(m + number), f"monitor: {text}")),
        "Regions:",
        *(line for region, text in regions.items() for line in _item(f"{region.value} {region.name}", text, room=9)),
    ]


_ENTRY = {
    "header": "header of the packet to send, as above",
    "bank": "bank that holds the message",
    "send": "there is a packet to send",
    "more": "the packet goes on with the message of the next entry",
    "expect": "a packet arrives at this port",
    "end": "the program is over; all other fields are ignored",
    "sync": "in dataflow too, the next entry waits until all processors have come to this barrier",
    "source": "id of the message to send; its receiver stores it under the id in the header",
    "combine": "send the sum over all banks",
    "need": "arrivals that a sum waits for in dataflow before it is sent",
}
_STATUS = {
    "entry": "current entry of the program",
    "sending": "in the middle of a packet",
    "blocked": "the router does not take a flit",
    "missing": "the message to send has not arrived",
    "ended": "at the end of the program",
    "expected": "packets that should have arrived so far",
    "received": "packets that have arrived",
}
_TRACE = {
    "header": "header as it was on this wire",
    "signature": "signature of the payload: from 0 on, rotated left by one bit and exclusive-ored with each word",
    "flits": "flits of the packet, headers included",
    "step": "step in which the header crossed, from 1; 0 in dataflow",
    "cycle": "cycle in which the last flit crossed",
}


def _layouts(machine: Machine) -> Iterator[list[str]]:
    """The layouts of the words of the regions."""
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


# COMB equivalents of the 32-bit router of -d 2 -m 3 --turns forward; tests/synth/test_plain.py measures them again.
_AREAS = {
    "synth_ecp5": (953, 821, "-nowidelut"),
    "synth_ice40": (823, 823, "the same"),
    "synth_xilinx": (759, 776, "-flatten -nowidelut, and no keep_hierarchy"),
    "synth_gowin": (895, 812, "-nowidelut"),
}


def _area() -> list[str]:
    room = max(map(len, _AREAS))
    return [
        *_text(
            "Area: Yosys' plain command, and the script that `fatcube generate --script FAMILY` writes beside this file, "
            "make of the router of -d 2 -m 3 --turns forward (in LUTs, those that carry cells take among them):"
        ),
        *(
            line
            for command, (plain, small, options) in _AREAS.items()
            for line in _item(command, f"{plain}, by the script {small} ({options})", room=room)
        ),
        *_text(
            "fatcube reports the area of the script. Without -nowidelut, LUTs are joined to wider ones on the slowest "
            "paths (PFUMX, L6MUX21, MUX2_LUT5 to MUX2_LUT8). The modules with keep_hierarchy are LUTs of the crossbar, "
            "which synthesis takes apart where it sees what is around: plain synth_ecp5 makes 2,109 LUTs of the "
            "router of -d 4 -m 4 --turns forward, and 2,529 without this attribute. The LUTs of Xilinx have six inputs "
            "and do better without it: 1,998 with it, and 1,735 by the script. iopad_external_pin keeps the pads of "
            "synth_gowin out of these modules. synth_xilinx flattens a network with -flatten only."
        ),
    ]
