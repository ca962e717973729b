"""Paragraphs of the head of generated Verilog on the output ``error``, and on ports that a design does not use."""

from fatcube.noc.descriptions.paragraphs import paragraph
from fatcube.noc.descriptions.ports import ERROR, ERROR_RULE
from fatcube.noc.network import Network

__all__ = ["error", "unused", "unused_axi"]


def error(what: str) -> list[str]:
    """The output ``error`` of a ``what``, ``"router"`` or ``"network"``."""
    of_nodes = "" if what == "router" else ", one bit per node,"
    return paragraph(f"Error: error{of_nodes} is {ERROR}. {ERROR_RULE}")


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
