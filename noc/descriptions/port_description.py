"""Paragraphs of the head of generated Verilog on the output ``error``, and on ports that a design does not use."""

from collections.abc import Sequence

from fatcube.noc.descriptions.paragraphs import paragraph
from fatcube.noc.descriptions.ports import ERROR_RULE
from fatcube.noc.network import Network

__all__ = ["error", "lacks_outputs", "unused", "unused_axi"]


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


def unused_axi(*, clocks: bool) -> list[str]:
    """The connections of unused AXI4-Streams, with clocks of their own or without."""
    of_clocks = ", and axis_e_aclk and axis_e_aresetn to a clock that runs and its reset, such as aclk and aresetn"
    return paragraph(
        f"Unused ports: connect s_axis_e_tvalid to 0 and m_axis_e_tready to 1{of_clocks if clocks else ''}. A packet that is "
        "sent to an unused port is then taken, and blocks no other."
    )
