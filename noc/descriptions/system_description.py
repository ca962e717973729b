"""Paragraphs of the head of a generated system on how to run it, and on its host bus."""

from collections.abc import Iterator

from fatcube.noc.descriptions.paragraphs import bit_range, item, paragraph, ranges
from fatcube.noc.machines.machine import Machine
from fatcube.rtl.endpoint.banks import ALL_BANKS
from fatcube.rtl.endpoint.host import Region
from fatcube.rtl.endpoint.monitor import TraceEntry
from fatcube.rtl.endpoint.program import PortStatus

__all__ = ["host", "layouts", "run"]


def run(machine: Machine) -> list[str]:
    reduced = " Messages with an id below reduced are partial sums, which are added up." if machine.reductions else ""
    parts = (
        " Messages with an id from last_from to last_to - 1 have last_flits payload flits instead; equal numbers: none has."
        if machine.parted
        else ""
    )
    return [
        "A run:",
        *item("1.", "Reset the system with start at 0. This clears counters and traces, but not memories."),
        *item(
            "2.",
            "Write over the host bus: HELD for every message and bank, 1 if the processor has the message from the "
            "start, otherwise 0; PAYLOAD of the messages that it has; PROGRAM of every port, with an end entry.",
        ),
        *item(
            "3.",
            "Set, and keep until the end: payload_flits, the payload flits F of every message (1 to 65534); "
            "slot_shift, such that 2^slot_shift is at least F; lockstep, 1 for a barrier after every step (one entry "
            "of every program), 0 for dataflow (each port proceeds by itself and sends a message once it has "
            "arrived); timeout, the cycles without a moving flit after which the run counts as stalled."
            f"{reduced}{parts}",
        ),
        *item(
            "4.",
            "Set start to 1. running is 1 until finished or stalled is 1, which then stays 1 until reset. finished: "
            "all programs have ended and all expected packets have arrived. stalled: no flit moved for timeout "
            "cycles. Leave region, node and unit at 0 during the run.",
        ),
        *item("5.", "Read steps (completed steps; 0 in dataflow), cycles, STATUS, TRACE and PAYLOAD."),
    ]


def host(machine: Machine) -> list[str]:
    network = machine.network
    m, ports = network.topology.m, network.processor_ports
    monitors = machine.streams
    reductions = f" Bank {ALL_BANKS} is the sum over all banks, read only." if machine.reductions else ""
    regions = {
        Region.IDLE: "nothing; the bus is idle",
        Region.PAYLOAD: "message memory, read and write. bank: the port at which a message arrives "
        f"({ranges(range(ports))}); a message that a processor has from the start may be in any. word: message id * "
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
        *paragraph(
            "Host bus: one access per cycle, to unit `unit` of node `node`; 65535 addresses all of them. With write "
            "at 1, data is written at the next rising edge. With write at 0, value is the word read two rising edges "
            "later; a new read can start in every cycle. flit_count, conflict_count and error_count are those of the "
            "router of `node`, also two rising edges later."
        ),
        "Units of a node:",
        *item("0" if m == 1 else f"0-{m - 1}", "processor" if m == 1 else "processors"),
        *(line for number, text in enumerate(monitors) for line in item(str(m + number), f"monitor: {text}")),
        "Regions:",
        *(line for region, text in regions.items() for line in item(f"{region.value} {region.name}", text, room=9)),
    ]


_ENTRY = {
    "header": "header of the packet to send, as above",
    "bank": "bank that holds the message",
    "send": "there is a packet to send",
    "more": "the packet continues with the message of the next entry",
    "expect": "a packet arrives at this port",
    "end": "the program is over; all other fields are ignored",
    "sync": "in dataflow too, the next entry waits until all processors have reached this barrier",
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
    "header": "header on this wire",
    "signature": "signature of the payload: from 0 on, rotated left by one bit and exclusive-ored with each word",
    "flits": "flits of the packet, headers included",
    "step": "step in which the header crossed, from 1; 0 in dataflow",
    "cycle": "cycle in which the tail flit crossed",
}


def layouts(machine: Machine) -> Iterator[list[str]]:
    """The layouts of the words of the regions."""
    for title, layout, words in (
        ("PROGRAM", machine.program_entry, _ENTRY),
        ("STATUS", PortStatus(), _STATUS),
        ("TRACE", TraceEntry(machine.network.options.width), _TRACE),
    ):
        room = max(len(name) for name, _ in layout)
        lines = [f"A word of {title}:"]
        for name, field in layout:
            lines += item(f"{bit_range(field.offset, field.width):<12} {name:<{room}}", words[name])
        yield lines
