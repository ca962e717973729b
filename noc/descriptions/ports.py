"""The meaning of the ports of all generated modules: the comment beside each in the Verilog."""

import re

from fatcube.rtl.protocols.axi_stream import AXI_STREAM
from fatcube.rtl.protocols.flits import FLITS

__all__ = ["ERROR", "ERROR_RULE", "port_meaning"]


ERROR = "1 for one cycle when a packet is discarded, lost or cut"
"""The meaning of the output ``error`` of a router; a network has one bit for each node.

The paragraph on errors in the head of generated Verilog names the causes that can occur.
"""

ERROR_RULE = (
    "It is an event, not a count: errors of several packets in the same cycle give one pulse. A router reports each packet at "
    "most once."
)
"""The timing of ``error``."""


_STREAM = {
    **{signal.name: f"{signal.meaning} {{}}" for signal in FLITS.signals},
    "answer": "answer to the header {}: bit 0 the route is reserved, bit 1 it is refused (only with set-up retries)",
    "credit": "room for one more flit {}, a bit for each virtual channel",
}

# The streams by name: the flits that they carry.
_STREAMS = {
    r"processor(\d+)_send(\d+)": r"from port \2 of processor \1",
    r"processor(\d+)_receive(\d+)": r"to port \2 of processor \1",
    r"channel(\d+)_lane(\d+)_in": r"that arrives on channel \1, lane \2",
    r"channel(\d+)_lane(\d+)_out": r"that leaves on channel \1, lane \2",
    r"send(\d+)": r"from port \1",
    r"receive(\d+)": r"to port \1",
    r"": "on the watched stream",  # a port of a monitor
}

_OTHERS = {
    **FLITS.clocks(),
    **AXI_STREAM.clocks(),
    "source": "the number of this processor; constant",
    "error": f"{ERROR}, if that can occur; in a network, one bit per node",
    "error_count": "packets that were discarded, lost or cut; each packet counts once",
    "number": "number of the router, a different constant at each",
    "absent": "outputs of the router that are not connected at this node, a bit for each",
    "routes": "where packets go from here, for each input, class and destination; constant",
    "flit_count": "flits that left the router since reset",
    "conflict_count": "cycles in which an input waited for an output that another packet had",
    # The ports of a run, in a system and in its parts.
    "start": "start the run",
    "lockstep": "1: a barrier after every step; 0: dataflow",
    "payload_flits": "payload flits of every message",
    "slot_shift": "base-2 logarithm of the words that a message takes in a memory",
    "reduced": "messages with an id below this are partial sums",
    "last_flits": "payload flits of messages with ids from last_from to last_to - 1, in place of payload_flits",
    "last_from": "the lowest id of such a message",
    "last_to": "one more than the highest id of such a message; as large as last_from: there is none",
    "timeout": "cycles without a moving flit after which the run counts as stalled",
    "running": "the run is in progress",
    "finished": "every program has ended, and every expected packet has arrived",
    "stalled": "no flit moved for timeout cycles, which ended the run",
    "steps": "completed steps, in lockstep",
    "cycles": "cycles of the run",
    "go": "starts the next step, or the run",
    "step": "current step, from 1; 0 in dataflow",
    "cycle": "current cycle of the run",
    "done": "everything of this step is sent and has arrived",
    "active": "a flit is sent or received in this cycle",
    # The host bus, whose signals are ports of a system, and have a prefix in its parts.
    "node": "host bus: the node; all ones: every node",
    "unit": "host bus: the processor of the node or, after those, the monitor; all ones: all of them",
    "select": "host bus: this module is addressed",
    "region": "host bus: the region",
    "bank": "host bus: the bank, or the port",
    "word": "host bus: the word, the entry or the message",
    "write": "host bus: 1: write; 0: read",
    "data": "host bus: the data to write",
    "value": "host bus: the word read",
}


# A number in the name of a port, or its replacement in a module of one port alone.
_NUMBER = re.compile(r"_\d*(?=_|$)")
# The ports of endpoints, by their names without numbers.
_OF_ENDPOINTS = {_NUMBER.sub("", name): meaning for name, meaning in AXI_STREAM.ports_of(0).items()}


def port_meaning(name: str) -> str:
    """The meaning of a port of a generated module by its Verilog name; empty for one of a user's own module."""
    if meaning := _OF_ENDPOINTS.get(_NUMBER.sub("", name)):
        return meaning
    stream, _, signal = name.rpartition("__")
    if signal in _STREAM:
        for pattern, words in _STREAMS.items():
            if found := re.fullmatch(pattern, stream):
                return _STREAM[signal].format(found.expand(words))
    return _OTHERS.get(signal, "") if stream in ("", "host") else ""
