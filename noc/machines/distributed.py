"""Machines whose processors compute to whom they send: the networks that these need, and what their processors are told."""

from typing import assert_never

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.latency import latency_without_load
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.rtl.endpoint.distributed.processor import Assignment, DistributedProcessor, check_header
from fatcube.rtl.endpoint.distributed.rules import Rule
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.switching import Switching

__all__ = ["assignment_of", "check_distributed", "distributed_processor"]


def check_distributed(network: Network, rule: Rule) -> None:
    """Refuse a network on which processors cannot compute to whom they send.

    Raises
    ------
    ParameterError
        If it is no hypercube, its processors have not the ports that the rule needs, a header has no room for an address, or
        a header is not under way for a fixed number of cycles, as with other switching or links that turn.
    """
    topology, options = network.topology, network.options
    if not isinstance(topology, Hypercube):
        raise ParameterError(
            f"topology must be a hypercube where processors compute their children, not the {topology.name}"
        )
    match options.ports:
        case PortModel.ONE:
            suits = not rule.several_ports
        case PortModel.D_PORT | PortModel.ALL_PORT:
            suits = True
        case PortModel.BROADCAST:
            suits = False
        case _:
            assert_never(options.ports)
    if not suits:
        taken = "d or *" if rule.several_ports else "1, d or *"
        raise ParameterError(
            f"ports must be {taken} where processors compute the children of {rule}, not {options.ports.value}"
        )
    if Switching(options.switching) not in (Switching.WORMHOLE, Switching.VIRTUAL_CUT_THROUGH):
        raise ParameterError(
            "switching must be wormhole or virtual-cut-through where processors compute their children, not "
            f"{options.switching}"
        )
    if options.shared_lanes:
        raise ParameterError(f"links must be full-duplex where processors compute their children, not {options.links}")
    if options.hops > 1:
        raise ParameterError(f"hops must be 1 where processors compute their children, not {options.hops}")
    check_header(options.width, network.router().header.route_bits, network.message_bits, topology.d)


def distributed_processor(network: Network, rule: Rule, *, memory_words: int, host_width: int) -> DistributedProcessor:
    """The processor of every node of a network that :func:`check_distributed` accepts.

    A processor with several ports sends along dimension j through port j, and receives there from that dimension.
    """
    router = network.router()
    routes = [
        router.header.pack([router.lane_port(d, 0), router.processor_port(0, d if router.ports > 1 else 0)], 0)
        for d in range(network.topology.degree)
    ]
    return DistributedProcessor(
        network.options.width,
        rule=rule,
        ports=router.ports,
        routes=routes,
        transit=latency_without_load(network.options, 2, 1),
        part_bits=_part_bits(network),
        message_low=router.header.route_bits,
        message_bits=network.message_bits,
        memory_words=memory_words,
        host_width=host_width,
        parted=network.parts > 1,
    )


def assignment_of(network: Network) -> Assignment:
    """The layout of what the processors of a network are told before a run."""
    return Assignment(_part_bits(network))


def _part_bits(network: Network) -> int:
    return network.parts.bit_length()
