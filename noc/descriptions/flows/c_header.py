"""A header in C with the numbers of the ports of a network, for the software of its processors."""

from collections import Counter
from collections.abc import Iterator, Mapping
import re
from typing import Any

from fatcube.noc.network_files.keys import GRAPH
from fatcube.noc.network_files.reading import INSIDE
from fatcube.rtl.protocols.axi_stream import AXI_STREAM

__all__ = ["c_header"]


def c_header(about: Mapping[str, Any], *, title: str) -> str:
    """The text of the header: macros that begin with the name of the top module in capitals.

    Parameters
    ----------
    about, title
        As in :func:`fatcube.noc.descriptions.flows.vhdl.component_file`.
    """
    prefix = about["top"].upper()
    each = about["ports_per_processor"]
    ports = len(about["processors"]) * each
    number = "TDEST of packets to it" if about["interface"] == AXI_STREAM.name else "number of its streams"
    if "port_interfaces" in about:
        number += " (from ports with flits, packets have routes to it)"
    lines = [
        f"/* Numbers of the ports of {_plain(title)}. */",
        f"#ifndef {prefix}_H",
        f"#define {prefix}_H",
        "",
        f"#define {prefix}_PROCESSORS {len(about['processors'])}",
        f"#define {prefix}_PORTS_PER_PROCESSOR {each}",
        f"#define {prefix}_PORTS {ports}",
        f"#define {prefix}_FLIT_BITS {about['parameters']['width']}",
        "",
        f"/* Port of a processor by its number there, the {number}. */",
        f"#define {prefix}_PORT(processor, number) ((processor) * {each} + (number))",
        *(f"#define {prefix}_PORT_{port['name'].upper()} {port['port']}" for port in about.get("named_ports", ())),
        *_named(about, prefix),
        "",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def _named(about: Mapping[str, Any], prefix: str) -> Iterator[str]:
    """The first processors of the nodes that a user has named, where their names are different ones in C too."""
    graph = (about[INSIDE] or {}).get(GRAPH)
    if graph is None:
        return
    firsts = {one["node"]: one["processor"] for one in reversed(about["processors"])}
    names = {node: re.sub(r"\W", "_", graph["nodes"][node]["name"], flags=re.ASCII).upper() for node in sorted(firsts)}
    if max(Counter(names.values()).values()) > 1:
        return
    yield from ("", "/* The first processor of each node. */")
    for node, name in names.items():
        yield f"#define {prefix}_PROCESSOR_{name} {firsts[node]}"


def _plain(text: str) -> str:
    """The text without what ends a comment."""
    return text.replace("*/", "* /").replace("/*", "/ *")
