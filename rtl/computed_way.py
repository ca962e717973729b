"""The target of a destination, where routers compute the way to it."""

from collections.abc import Sequence

from amaranth.hdl import Const, Value

from rtl.allocators.channel_allocator import Target
from rtl.router_parameters import RouterParameters

__all__ = ["targets_to"]


def targets_to(
    parameters: RouterParameters,
    targets: Sequence[Target],
    destination: Value,
    address: Value,
    *,
    own_lane: int,
    own_class: int = 0,
) -> list[Value]:
    """A bit for each target: a packet for ``destination`` takes it at ``address``.

    Dimension order has one class of channels for each class of messages, which a packet keeps, as it keeps its lane.

    Parameters
    ----------
    parameters : :class:`RouterParameters`
        Those of the router, whose routes are computed.
    targets : list of :class:`Target`
        Those in reach of the packet.
    destination, address : :class:`Value`
        As of :meth:`~rtl.route_computation.RouteComputation.directions`.
    own_lane, own_class : :class:`int`
        The lane of each link that the packet takes, and its class of channels.
    """
    computation = parameters.route_computation
    assert computation is not None
    home, ways = computation.directions(address, destination)

    def taken(target: Target) -> Value:
        output = target.output
        if output < parameters.processor_ports:
            return home & (destination[: computation.output_bits] == output)
        way, lane = divmod(output - parameters.processor_ports, parameters.lanes)
        channel_class = target.channels[0] % parameters.options.channel_classes
        return ways[way] if (lane, channel_class) == (own_lane, own_class) else Const(0)

    return [taken(target) for target in targets]
