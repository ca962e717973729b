"""Paragraphs of the head of generated Verilog on ports: streams of flits, names, the output ``error``, and unused ones."""

from collections.abc import Sequence

from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.paragraphs import item, paragraph
from fatcube.noc.descriptions.ports import ERROR_RULE
from fatcube.noc.network import Network
from fatcube.rtl.protocols.protocol import Protocol

__all__ = [
    "clock_of_flits",
    "error",
    "lacks_outputs",
    "port_names",
    "ports_with_flits",
    "streams_of_flits",
    "unused",
    "unused_axi",
]


def clock_of_flits() -> list[str]:
    """The clock and reset of ports with flits."""
    return paragraph(
        "Clock and reset: registers change at the rising edge of clk. rst is synchronous and active high; "
        "hold it for one cycle before anything is sent, or start from the initial values of the registers."
    )


def ports_with_flits(top: AxiNetwork | None) -> list[str]:
    """The ports that have flits where others have AXI4-Streams, and what packets between the two are."""
    if top is None or not top.flit_ports:
        return []
    network, into = top.network, top.protocol.streams_of
    names = {port: into(port, network.processor_ports) for port in top.flit_ports}
    lines = paragraph(
        "Ports with flits, in the clock aclk; they send and receive packets with headers. A packet to port e must have one of "
        "the routes of the description (routing, routes) from this port to e, or packets can deadlock; and the number of the "
        "sending processor as its message id, which is its tid on m_axis_e. A header alone for m_axis_e is dropped and counted. "
        "A packet from s_axis_e has the number of its processor as its message id."
    )
    for port, (send, receive) in names.items():
        lines += item(f"port {port}", f"{send}, {receive}", room=max(len(f"port {port}") for port in names))
    return lines


def streams_of_flits(network: Network) -> list[str]:
    """The rules of streams of flits."""
    return [
        *paragraph(
            "Streams: a flit moves in every cycle in which valid and ready are both 1. Once valid is 1, neither "
            "valid nor payload may change until the flit has moved. A receiver must keep taking flits: its "
            "backpressure blocks all packets that wait for the same lanes."
        ),
        *paragraph(
            f"payload[{network.options.width - 1}:0] is the data, payload[{network.options.width}] is 1 on the tail "
            f"flit of a packet."
        ),
    ]


def error(network: Network, what: str, *, legal: bool = False) -> list[str]:
    """The output ``error`` of a ``what``, ``"router"`` or ``"network"``, with the causes that can occur.

    With ``legal``, every header is made by an interface, and has an output.
    """
    of_nodes = "" if what == "router" else ", one bit per node,"
    options = network.options
    causes = []
    if not legal and _turns_are_missing(network):
        causes.append("discarded (its header requests a turn that does not exist)")
    if not legal and lacks_outputs(network):
        causes.append("lost (its node lacks the output)")
    cut = [("--longest-packet", options.longest_packet and not legal), ("--stop-timeout", options.stop_timeout)]
    if flags := [flag for flag, given in cut if given]:
        causes.append(f"cut ({', '.join(flags)})")
    if not causes:
        return paragraph(f"Error: error{of_nodes} is always 0, as every packet has an output.")
    return paragraph(f"Error: error{of_nodes} is 1 for one cycle when a packet is {_either(causes)}. {ERROR_RULE}")


def _either(causes: Sequence[str]) -> str:
    return " or ".join([", ".join(causes[:-1]), causes[-1]] if len(causes) > 1 else causes)


def _turns_are_missing(network: Network) -> bool:
    """Whether some header requests a turn that does not exist at some router."""
    header = network.router().header
    if header.copies or header.destinations or header.class_bits:
        return True
    return any(
        len(kind.reach(number)) < 1 << header.selector_bits for kind, _ in network.routers for number in kind.inputs
    )


def lacks_outputs(network: Network) -> bool:
    """Whether routers have outputs that lead nowhere at some nodes."""
    return not network.topology.alike and not any(router.absent_ports for router, _ in network.routers)


def unused(network: Network, what: str) -> list[str]:
    """The connections of unused ports of a ``what``, ``"router"`` or ``"network"``."""
    router, options = what == "router", network.options
    inputs, outputs = ("input", "output") if router else ("processor*_send*", "processor*_receive*")
    text = (
        f"Unused ports: connect payload and valid of an unused {inputs} to 0, and ready of an unused {outputs} to 1. A packet "
        f"that is sent to an unused {outputs} is then taken, and blocks no other."
    )
    for name, there in (("credit", options.virtual_channels > 1), ("answer", options.answers > 0)):
        if router and there:
            text += f" Connect {name} of an unused lane output to 0, and send no packet there."
    return paragraph(text)


def port_names(protocol: Protocol, ports: int) -> list[str]:
    """The names of ports that have any; ``ports`` are those of each processor."""
    if not protocol.names:
        return []
    usual = {port: protocol.named({}).streams_of(port, ports)[0] for port in protocol.names}
    lines = paragraph(
        "Names: of each port that has one, the stream into the network, and its name without; all others likewise."
    )
    room = max(len(protocol.streams_of(port, ports)[0]) for port in usual)
    for port, name in usual.items():
        lines += item(protocol.streams_of(port, ports)[0], name, room=room)
    return lines


def unused_axi(*, clocks: bool) -> list[str]:
    """The connections of unused AXI4-Streams, with clocks of their own or without."""
    of_clocks = ", and axis_e_aclk and axis_e_aresetn to a clock that runs and its reset, such as aclk and aresetn"
    return paragraph(
        f"Unused ports: connect s_axis_e_tvalid to 0 and m_axis_e_tready to 1{of_clocks if clocks else ''}. A packet that is "
        "sent to an unused port is then taken, and blocks no other."
    )
