"""The components in single lanes of a simulated network, in Verilog, as one module beside its nodes."""

from collections.abc import Mapping, Sequence

from amaranth.lib import wiring

from noc.shared import Shared
from noc.verilog import to_verilog
from rtl.lanes.lane import lane_layout

__all__ = ["links_verilog"]


_WORD = 32

_MODULE = """\
`define CUTS {cuts}
`define PAYLOAD_WORDS {words}
module links #(parameter BITS = 1) (input clk, input rst, input [BITS-1:0] from_nodes, output [BITS-1:0] to_nodes);
{body}
endmodule
"""

# From the nodes come the payload and valid of the one that sends, and what comes back from the one that receives: ready
# or credits, and answers. To them go the payload and valid that the component passes on, and its own of what comes back.
_LINK = """\
  link{number} link{number}(
    .clk(clk), .rst(rst),
    .i__payload(from_nodes[{low} +: {bits}]), .i__valid(from_nodes[{flags}]), {to_sender},
    .o__payload(to_nodes[{low} +: {bits}]), .o__valid(to_nodes[{flags}]), {from_receiver}
  );
  assign to_nodes[{flags} + 1 + {lines} +: 31 - {lines}] = 0;"""

_UNUSED = "  assign to_nodes[{low} + {bits} +: {unused}] = 0;"


def links_verilog(links: Sequence[wiring.Component], width: int, channels: int = 1, answers: int = 0) -> str:
    """The module ``links`` of these components, each with streams ``i`` and ``o``, with all that they are made of.

    In its ports a link has the payload in whole words of 32 bits, then a word with valid in bit 0 and, from bit 1 on, ready
    and behind it the answers of circuits, or credits.

    Parameters
    ----------
    links : list of :class:`wiring.Component`
    width : :class:`int`
        Bits of a flit.
    channels : :class:`int`
        Virtual channels of each lane.
    answers : :class:`int`
        The kinds of answers on each lane.
    """
    bits = lane_layout(width, channels).size
    back = {"credit": channels} if channels > 1 else {"ready": 1, **({"answer": answers} if answers else {})}
    lines = sum(back.values())
    words = -(-bits // _WORD)
    unused = words * _WORD - bits
    body = []
    for number in range(len(links)):
        low = number * (words + 1) * _WORD
        flags = low + words * _WORD
        ways = {
            "to_sender": _ports("i", back, f"to_nodes[{flags}"),
            "from_receiver": _ports("o", back, f"from_nodes[{flags}"),
        }
        body.append(_LINK.format(number=number, low=low, bits=bits, flags=flags, lines=lines, **ways))
        if unused:
            body.append(_UNUSED.format(low=low, bits=bits, unused=unused))
    module = _MODULE.format(cuts=len(links), words=words, body="\n".join(body) or "  assign to_nodes = 0;")
    parts = [to_verilog(Shared(link, f"link{number}")) for number, link in enumerate(links)]
    return "\n".join([module, *parts])


def _ports(side: str, back: Mapping[str, int], nodes: str) -> str:
    """The ports of what comes back on one side of a link, each with its bits behind that of valid."""
    ports, low = [], 1
    for name, lines in back.items():
        ports.append(f".{side}__{name}({nodes} + {low} +: {lines}])")
        low += lines
    return ", ".join(ports)
