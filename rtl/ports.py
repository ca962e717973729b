"""The ports of a router, and of whatever has those of several routers: arrays, with plain names in Verilog."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.flit import FlitStream

__all__ = ["ProcessorPort", "inputs_of", "outputs_of", "verilog_name", "verilog_ports"]


def ProcessorPort(width: int) -> wiring.Signature:
    """The signature of a port of a processor, as the router sees it.

    Members
    -------
    send : :py:`In(FlitStream(width))`
        From the processor.
    receive : :py:`Out(FlitStream(width))`
        To the processor.
    """
    return wiring.Signature({"send": In(FlitStream(width)), "receive": Out(FlitStream(width))})


def inputs_of(router: Any) -> list[Any]:
    """The streams and lanes into a router, or a copy of one, by number: those of processors, then lanes."""
    return [
        *(port.send for ports in router.processors for port in ports),
        *(lane.into for lanes in router.lanes for lane in lanes),
    ]


def outputs_of(router: Any) -> list[Any]:
    """The streams and lanes out of a router, in the same order."""
    return [
        *(port.receive for ports in router.processors for port in ports),
        *(lane.out for lanes in router.lanes for lane in lanes),
    ]


def verilog_name(path: Iterable[str | int]) -> str:
    """The name in Verilog of the port at a path in a signature.

    ``processors[p][j].send`` is ``processor{p}_send{j}``, ``lanes[c][l].into`` is ``channel{c}_lane{l}_in``, and
    ``ends[e].into`` of a lane is ``end{e}_in``.
    """
    match tuple(path):
        case ("processors", processor, port, way, *rest):
            path = f"processor{processor}_{way}{port}", *rest
        case ("lanes", channel, lane, way, *rest):
            path = f"channel{channel}_lane{lane}_{'in' if way == 'into' else way}", *rest
        case ("ends", end, way, *rest):
            path = f"end{end}_{'in' if way == 'into' else way}", *rest
    return "__".join(map(str, path))


def verilog_ports(component: wiring.Component) -> Iterator[tuple[str, str, Any, Any]]:
    """The ports of a component: of each its name in Verilog, the name that it has if users give no names, member and value.

    The names that users give are the component's ``port_names``, by the names that the ports would have otherwise.
    """
    names: Mapping[str, str] = getattr(component, "port_names", {})
    for path, member, value in component.signature.flatten(component):
        usual = verilog_name(path)
        yield names.get(usual, usual), usual, member, value
