"""Constraints of a network: its clocks, and the registers in which a stream crosses from one clock to another."""

from collections.abc import Mapping
from typing import Any

from fatcube.noc.descriptions.flows.buses import clocks_of

__all__ = ["clocks_lpf", "clocks_sdc", "crossings_sdc", "crossings_xdc", "has_crossings"]


# A ClockCrossing contains an AsyncFIFOBuffered of Amaranth's, which is written as a part of it. Its counters cross in Gray
# code through two registers, `produce` to the reader and `consume` back to the writer. Its storage is written by one clock
# and read by the other. The reset of the writer sets the two registers of `rst_cdc` asynchronously, and the first of them
# has no other input but a constant.
_QUEUE = "queue__unbuffered__"
_FIRST = ("produce_cdc__stage0", "consume_cdc__stage0")
_SECOND = ("produce_cdc__stage1", "consume_cdc__stage1")
_STORAGE = "storage"
_RESETS = ("rst_cdc__stage0", "rst_cdc__stage1")


def has_crossings(about: Mapping[str, Any]) -> bool:
    """Whether ports of the network have clocks of their own."""
    return len(clocks_of(about)) > 1


def clocks_sdc(about: Mapping[str, Any], *, title: str, mhz: float) -> str:
    """SDC of the clocks of a network that is mapped by itself.

    Parameters
    ----------
    about : JSON value
        The description of the network, as of :func:`fatcube.noc.descriptions.network_file.network_json`.
    title : :class:`str`
        A short description of the network.
    mhz : :class:`float`
        Frequency of all clocks, in MHz.
    """
    clocks = clocks_of(about)
    lines = [
        f"# Clocks of {about['top']}, {title}, where it is the top module. Any tool that reads SDC or XDC takes them.",
        *(f"create_clock -name {clock.port} -period {_period(mhz)} [get_ports {clock.port}]" for clock in clocks),
    ]
    return "\n".join([*lines, ""])


def clocks_lpf(about: Mapping[str, Any], *, title: str, mhz: float) -> str:
    """LPF, for nextpnr-ecp5 and Diamond, of the clocks of a network that is the top module; as :func:`clocks_sdc`.

    It has no constraints of crossings: nextpnr does not time paths from one clock to another.
    """
    clocks = clocks_of(about)
    lines = [
        f"# Clocks of {about['top']}, {title}, where it is the top module.",
        *(f'FREQUENCY PORT "{clock.port}" {mhz:g} MHZ;' for clock in clocks),
    ]
    return "\n".join([*lines, ""])


def crossings_sdc(about: Mapping[str, Any], *, title: str, mhz: float) -> str:
    """SDC of the crossings of a network with clocks of ports, wherever it stands in a design; as :func:`clocks_sdc`."""
    first, second = _RESETS
    bounded = "".join(f" *{_QUEUE}{name}*" for name in _FIRST)
    return "\n".join(
        [
            f"# Crossings between clocks in {about['top']}, {title}.",
            "# Read this file after all clocks are defined. No asynchronous group or false path may be set between these",
            "# clocks: it would take precedence over the limits below.",
            "#",
            "# The longest delay of a crossing in ns: at most the period of the fastest of the clocks. Counters cross in Gray",
            "# code, and two of their bits may not differ by more than a period.",
            f"set fatcube_crossing_ns {_period(mhz)}",
            "",
            "# The first registers of counters on the other side.",
            f"set_max_delay $fatcube_crossing_ns -to [get_cells -hierarchical {{{bounded.strip()}}}]",
            f"set_false_path -hold -to [get_cells -hierarchical {{{bounded.strip()}}}]",
            "# Words, which are read two edges or more after they were written.",
            f"set_max_delay $fatcube_crossing_ns -from [get_cells -hierarchical {{*{_QUEUE}{_STORAGE}*}}]",
            "# Resets, which set these registers asynchronously. The second one also follows the first one.",
            f"set_false_path -to [get_cells -hierarchical {{*{_QUEUE}{first}*}}]",
            f"set_max_delay $fatcube_crossing_ns -to [get_cells -hierarchical {{*{_QUEUE}{second}*}}]",
            f"set_false_path -hold -to [get_cells -hierarchical {{*{_QUEUE}{second}*}}]",
            "",
        ]
    )


def crossings_xdc(about: Mapping[str, Any], *, name: str, title: str) -> str:
    """XDC for Vivado of the crossings, to be read for each module between a port and the network.

    Parameters
    ----------
    about, title
        See :func:`clocks_sdc`.
    name : :class:`str`
        The name of this file.
    """
    modules = about.get("crossing_modules", about["interface_modules"])
    lines = [
        f"# Crossings between clocks in {about['top']}, {title}: constraints of the module {', '.join(modules)}.",
        *(f"#   read_xdc -ref {module} {name}" for module in modules),
        f"# or, in a project, set_property SCOPED_TO_REF {{{' '.join(modules)}}} [get_files {name}]. Read it after all",
        "# clocks are defined (set_property PROCESSING_ORDER LATE). No asynchronous group may be set between these clocks:",
        "# it would take precedence over the limits below.",
        "set network_clock [get_clocks -of_objects [get_ports clk]]",
        "set port_clock [get_clocks -of_objects [get_ports aclk]]",
        "set limit [expr {min([get_property -min PERIOD $network_clock], [get_property -min PERIOD $port_clock])}]",
    ]
    for way, writer, reader in (("in", "port", "network"), ("out", "network", "port")):
        queue = f"interface_unit/crossing_{way}/{_QUEUE}"
        produce, consume = _FIRST
        chains = " ".join(f"{queue}{name}_reg*" for name in (*_FIRST, *_SECOND))
        resets = " ".join(f"{queue}{name}_reg" for name in _RESETS)
        pins = " ".join(f"{queue}{name}_reg/PRE" for name in _RESETS)
        lines += [
            "",
            f"# {'Into' if way == 'in' else 'Out of'} the network: counters in Gray code, words, and the reset of the writer.",
            f"set_property ASYNC_REG TRUE [get_cells {{{chains} {resets}}}]",
            *(
                f"set_max_delay -datapath_only -from ${source}_clock -to [get_cells {{{queue}{register}_reg*}}] $limit"
                for register, source in ((produce, writer), (consume, reader))
            ),
            f"set_max_delay -datapath_only -from [get_cells {{{queue}{_STORAGE}_reg*}}] -to ${reader}_clock $limit",
            f"set_false_path -to [get_pins {{{pins}}}]",
        ]
    return "\n".join([*lines, ""])


def _period(mhz: float) -> str:
    return f"{1000 / mhz:.3f}"
