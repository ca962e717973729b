"""The options that describe a network, the same in every command (DESIGN section 6)."""

from typing import Annotated, Optional

import typer

from noc.cubes import FatCube, Hypercube
from noc.network import Network
from rtl.parameters import ParameterError, check_choice

__all__ = ["BufferDepth", "DedicatedPorts", "Dimensions", "FastBuffers", "HalfDuplex", "Hops", "Lanes", "OnePartner",
           "Pipeline", "Ports", "Processors", "Topology", "Turns", "Width", "make_network", "make_topology"]


_network, _hardware, _steps = "Network", "Hardware", "Stricter steps"

Topology = Annotated[str, typer.Option("--topology", help="fat-cube or hypercube.", rich_help_panel=_network)]
Dimensions = Annotated[int, typer.Option("-d", help="Dimensions of the cube.", rich_help_panel=_network)]
Processors = Annotated[Optional[int], typer.Option(
    "-m", help="Processors on each node (fat cube).", rich_help_panel=_network)]
Lanes = Annotated[Optional[int], typer.Option(
    "-f", help="Lanes of each link (fat cube).", rich_help_panel=_network)]
Ports = Annotated[str, typer.Option(
    "--ports", help="Router model: 1, b, d, * or one, broadcast, d-port, all-port.", rich_help_panel=_network)]
Width = Annotated[int, typer.Option("--width", help="Bits of a flit.", rich_help_panel=_hardware)]
BufferDepth = Annotated[int, typer.Option(
    "--buffer-depth", help="Flits in the buffer of each router input.", rich_help_panel=_hardware)]
FastBuffers = Annotated[bool, typer.Option(
    "--fast-buffers", help="Faster, larger input buffers.", rich_help_panel=_hardware)]
Pipeline = Annotated[int, typer.Option("--pipeline", help="Cycles a hop: 1 or 2.", rich_help_panel=_hardware)]
Hops = Annotated[int, typer.Option(
    "--hops", help="The most links that a packet crosses.", rich_help_panel=_hardware)]
Turns = Annotated[str, typer.Option(
    "--turns", help="Turns in the crossbar: used, forward or all.", rich_help_panel=_hardware)]
HalfDuplex = Annotated[bool, typer.Option(
    "--half-duplex", help="A lane carries one message a step in one of its directions.", rich_help_panel=_steps)]
OnePartner = Annotated[bool, typer.Option(
    "--one-partner", help="A processor sends to and receives from one other a step.", rich_help_panel=_steps)]
DedicatedPorts = Annotated[bool, typer.Option(
    "--dedicated-ports", help="In model *: a port for each dimension and each processor beside it.",
    rich_help_panel=_steps)]


def make_topology(topology, d, m, f):
    """The topology that the options describe.

    Raises
    ------
    ParameterError
        If they describe none.
    """
    check_choice("topology", topology, ("fat-cube", "hypercube"))
    if topology == "hypercube":
        for name, value in (("m", m), ("f", f)):
            if value not in (None, 1):
                raise ParameterError(f"Hypercube {name} must be 1, not {value}; a fat cube may have more")
        return Hypercube(d)
    return FatCube(d, 1 if m is None else m, 1 if f is None else f)


def make_network(topology, d, m, f, ports, width, buffer_depth, pipeline, hops=1, turns="used",
                 fast_buffers=False):
    """The network that the options describe; raises the same."""
    return Network(topology=make_topology(topology, d, m, f), ports=ports, width=width, buffer_depth=buffer_depth,
                   pipeline=pipeline, hops=hops, turns=turns, fast_buffers=fast_buffers)
