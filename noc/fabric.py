# amaranth: UnusedElaboratable=no
"""The routers of a network, wired, for a design with processors of its own."""

from collections.abc import Mapping, Sequence
import functools
from typing import Any
import warnings

from amaranth.hdl import Cat, Const, Module, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.arguments import Numbered, known_arguments
from fatcube.groundwork.late import read_at_exit
from fatcube.noc.lanes import connect_lanes, shared_lane
from fatcube.noc.network import Network
from fatcube.noc.shared import Shared, check_port_bits, module_name, port_bits
from fatcube.noc.streams.names import named_ports
from fatcube.rtl.flit import FlitStream
from fatcube.rtl.lanes.absent import AbsentOutput
from fatcube.rtl.ports import ProcessorPort, outputs_of
from fatcube.rtl.protocols.flits import FLITS
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.router_parameters import RouterParameters

__all__ = ["Fabric", "shared_router"]

read_at_exit(__file__)

_MOST_IN_PLACE = 16  # routers that are elaborated without a word


def shared_router(network: Network, *, counters: bool = False, name: str = "fat_node_router") -> Shared:
    """A router with the turns of all nodes of a network as a :class:`Shared` component, whose module has this name.

    Raises
    ------
    ParameterError
        If it has more ports than can be written, which is checked before any is made.
    """
    return _shared_router(network, network.router(counters=counters), name)


def _shared_router(network: Network, parameters: RouterParameters, name: str) -> Shared:
    _check_streams(name, network, parameters.crossbar_ports)
    again = functools.partial(FatNodeRouter, parameters)
    return Shared(again(), name, again=again)


def _check_streams(name: str, network: Network, number: int, *, nodes: int = 0) -> None:
    """Refuse a module of ``nodes`` nodes with too many streams, ``number`` each way, before they are made: thousands take long."""
    stream = FlitStream(network.options.width)
    inputs, _ = port_bits(wiring.Signature({"there": In(stream), "back": Out(stream)}))
    check_port_bits(name, number * inputs, nodes=nodes)


class Fabric(wiring.Component):
    """All routers and lanes of a network, without processors.

    Members
    -------
    processors : :py:`Out(ProcessorPort(width)).array(processors, ports)`
        ``processors[p][j]`` is port j of processor p, numbered over the whole network; in Verilog ``processor{p}_send{j}``
        and ``processor{p}_receive{j}``.
    error : :py:`Out(nodes)`
        See :data:`fatcube.noc.descriptions.ports.ERROR`: a bit for each node.

    Parameters
    ----------
    network : :class:`Network`
    name : :class:`str` or ``None``
        The name of its module, and the prefix of the names of all modules that it uses, so that several networks fit
        into one design. Without it the modules are ``fabric`` and ``fat_node_router``, with a number where there are several.
    names : mapping of :class:`int` to :class:`str`
        The names of ports of processors that have any, by their numbers, processor by processor: in Verilog their streams are
        ``{name}_send`` and ``{name}_receive``.

    Attributes
    ----------
    protocol : :class:`Protocol`
        The protocol of the ports, with their names.

    Raises
    ------
    ParameterError
        If a name is not a Verilog identifier or is that of another port, or there are more ports than can be written.
    """

    error: Signal
    processors: Sequence[Sequence[Any]]

    @known_arguments(lambda: {"Network(topology, RouterOptions({}))": RouterOptions.names()})
    def __init__(self, network: Network, *, name: str | None = None, names: Mapping[int, str] = {}) -> None:
        self.network = network
        self.protocol = named_ports(FLITS, names, network)
        self.port_names = self.protocol.renamed(network.processor_ports)
        self._prefix = name
        self.name = name or "fabric"
        ports = network.topology.processors * network.processor_ports
        _check_streams(self.name, network, ports, nodes=network.topology.nodes)
        several = len(network.routers) > 1
        self.shared_routers = [
            _shared_router(network, parameters, module_name(f"fat_node_router{kind if several else ''}", name))
            for kind, (parameters, _) in enumerate(network.routers)
        ]
        self.shared_lane = shared_lane(network.options, prefix=name) if network.topology.channels else None
        port = ProcessorPort(network.options.width)
        super().__init__(
            {
                "error": Out(network.topology.nodes),
                "processors": Out(port).array(network.topology.processors, network.processor_ports),
            }
        )
        self.processors = Numbered([Numbered(ports, "port of a processor") for ports in self.processors], "processor")

    def shared(self) -> Shared:
        """The fabric as a module with all modules that it uses, for :func:`fatcube.noc.verilog.to_verilog`."""
        again = functools.partial(Fabric, self.network, name=self._prefix, names=self.protocol.names)
        return Shared(self, self.name, uses=self.parts, again=again)

    @property
    def parts(self) -> list[Shared]:
        """The parts that the network has many times: its routers and, if they are more than wires, its lanes."""
        return [*self.shared_routers, *filter(None, [self.shared_lane])]

    def elaborate(self, platform: object) -> Module:
        m = Module()
        topology = self.network.topology
        if platform is None and topology.nodes > _MOST_IN_PLACE:
            warnings.warn(
                f"{topology.nodes} routers are elaborated one by one for Amaranth's simulator, which takes milliseconds for each in "
                "every cycle: Verilog of to_verilog is simulated a thousand times as fast",
                stacklevel=2,
            )
        kinds = {
            node: (shared, parameters)
            for shared, (parameters, nodes) in zip(self.shared_routers, self.network.routers, strict=True)
            for node in nodes
        }
        routers: list[Any] = []
        for node in range(topology.nodes):
            router: Any = kinds[node][0].copy()
            m.submodules[f"node{node}"] = router
            routers.append(router)
            if self.network.tables:
                bits = len(router.routes)
                m.d.comb += router.routes.eq(Const(self.network.tables[node], bits))
            if self.network.options.setup_retry:
                m.d.comb += router.number.eq(node)
            for local, processor in enumerate(topology.processors_of(node)):
                for outer, inner in zip(self.processors[processor], router.processors[local]):
                    wiring.connect(m, wiring.flipped(outer), inner)
        connect_lanes(m, topology, routers, self.shared_lane)
        errors = [self._error(m, node, router, kinds[node][1]) for node, router in enumerate(routers)]
        m.d.comb += self.error.eq(Cat(errors))
        return m

    def _error(self, m: Module, node: int, router: Any, parameters: RouterParameters) -> Value:
        """The error of a node; whatever its router sends to where nothing is, is taken."""
        names = parameters.output_names
        error = router.error
        for output in self.network.absent(node):
            if output in parameters.absent_outputs:
                continue
            channels, answers = parameters.virtual_channels(output), parameters.answers(output)
            options = self.network.options
            behind = AbsentOutput(options.width, channels, answers, options.shared_lanes)
            m.submodules[f"behind_node{node}_{names[output]}"] = behind
            wiring.connect(m, outputs_of(router)[output], behind.i)
            m.d.comb += behind.absent.eq(1)
            error = error | behind.lost
        return error
