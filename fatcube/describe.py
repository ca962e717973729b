"""The comment before generated Verilog: what it is, how a header is laid out, how ports are named."""

from noc.cost import price

__all__ = ["describe"]


def describe(network, what):
    """Text for :func:`noc.verilog.to_verilog` on a ``what`` of ``network``."""
    router = network.router()
    cost = price(network.topology, network.ports)
    lines = [
        f"fatcube {what}: {network}",
        "",
        f"{network.topology.processors} processors on {network.topology.nodes} nodes, {router.ports} ports each; "
        f"crossbar {cost.a} x {cost.b}; {cost.links} links.",
        f"Flits of {network.width} bits, buffers of {network.buffer_depth} flits, {network.pipeline} cycle"
        f"{'s' if network.pipeline > 1 else ''} a hop, at most {network.hops} hop"
        f"{'s' if network.hops > 1 else ''}, turns: {network.turns}.",
        "",
        "Streams: a flit moves in every cycle in which valid and ready are both 1. Once valid, it stays until ready.",
        f"payload[{network.width - 1}:0] is the data, payload[{network.width}] is 1 on the last flit of a packet. "
        "A packet is a header and at least one payload flit.",
        "A router must be reset once for one cycle, or start from its initial values.",
        "",
        "Header as a processor sends it:",
        *(f"  bits {low + bits - 1}:{low}  {name}" if bits else f"  no bits  {name}"
          for name, low, bits in router.header.fields()),
        "",
        "Outputs of a router, by number:",
        *(f"  {router.processor_port(p, j)}  processor{p}_receive{j}"
          for p in range(router.processors) for j in range(router.ports)),
        *(f"  {router.lane_port(c, l)}  channel{c}_lane{l}_out"
          for c in range(router.channels) for l in range(router.lanes)),
    ]
    if what == "network":
        lines += ["", f"Processor p of the network is processor p % {network.topology.m} of node "
                      f"p / {network.topology.m}."]
    return "\n".join(lines)
