"""The ports of every generated module in words: what stands beside them as a comment in its Verilog."""

import re

__all__ = ["port_in_words"]


_STREAM = {"payload": "a flit {}", "valid": "there is a flit {}", "ready": "ready for a flit {}"}

# The streams by name: whose flits they carry.
_STREAMS = {
    r"processor(\d+)_send(\d+)": r"from port \2 of processor \1",
    r"processor(\d+)_receive(\d+)": r"to port \2 of processor \1",
    r"channel(\d+)_lane(\d+)_in": r"that comes in by channel \1, lane \2",
    r"channel(\d+)_lane(\d+)_out": r"that leaves by channel \1, lane \2",
    r"send(\d+)": r"from port \1",
    r"receive(\d+)": r"to port \1",
    r"": "on the watched stream",  # a monitor's
}

_OTHERS = {
    "clk": "clock; everything happens at its rising edge",
    "rst": "reset, synchronous, active high",
    "flit_count": "flits that left the router since reset",
    "conflict_count": "cycles in which an input waited for an output that another packet had",
    # A run, in a system and in its parts.
    "start": "start the run",
    "lockstep": "1: a barrier after every step; 0: dataflow",
    "payload_flits": "payload flits of every message",
    "slot_shift": "base-2 logarithm of the words that a message takes in a memory",
    "reduced": "messages with an id below this are partial sums",
    "timeout": "cycles without a moving flit after which the run counts as stalled",
    "running": "the run goes on",
    "finished": "every program is over, and all that was expected has arrived",
    "stalled": "nothing moved for too long; the run has ended",
    "steps": "steps that are over, in lockstep",
    "cycles": "cycles of the run",
    "go": "the next step starts, or the run does",
    "step": "the step that runs, from 1; 0 in dataflow",
    "cycle": "the cycle of the run",
    "done": "everything of this step is sent and has arrived",
    "active": "a flit is sent or received in this cycle",
    # The host bus, whose signals are a system's own ports and bear a prefix in its parts.
    "node": "host bus: the node; all ones: every node",
    "unit": "host bus: in the node a processor or, after those, a monitor; all ones: every one",
    "select": "host bus: this module is meant",
    "region": "host bus: what is reached",
    "bank": "host bus: the bank, or the port",
    "word": "host bus: the word, the entry or the message",
    "write": "host bus: data is written",
    "data": "host bus: what is written",
    "value": "host bus: what was read",
}


def port_in_words(name):
    """The meaning of a port of a generated module by its Verilog name; empty for a port of somebody else's."""
    stream, _, signal = name.rpartition("__")
    if signal in _STREAM:
        for pattern, words in _STREAMS.items():
            if found := re.fullmatch(pattern, stream):
                return _STREAM[signal].format(found.expand(words))
    return _OTHERS.get(signal, "") if stream in ("", "host") else ""
