"""The value that a fat node's router is built from: its ports, their numbers, its header, its turns."""

from collections.abc import Sequence
import dataclasses

from amaranth.hdl import Const, Value

from fatcube.groundwork.validation import check_boolean, check_integer
from fatcube.rtl.allocators.channel_allocator import Target
from fatcube.rtl.flit import HeaderLayout
from fatcube.rtl.optional_ports import Path
from fatcube.rtl.ports import verilog_name
from fatcube.rtl.route_computation import RouteComputation
from fatcube.rtl.router_options import RouterOptions

__all__ = ["RouterParameters"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class RouterParameters:
    """A router for ``processors`` x ``ports`` processor ports and ``channels`` x ``lanes`` lanes.

    Outputs, and inputs alike, are numbered processor by processor, port by port, then channel by channel, lane by lane.

    Parameters
    ----------
    processors : :class:`int`
        Processors of the node, m.
    channels : :class:`int`
        Neighbours of the node: the d of a cube. The router of a switch has none, and no lanes.
    lanes : :class:`int`
        Lanes to each neighbour, f.
    one_way : :class:`bool`
        The links go one way, so that the output with the number of a packet's input leads on and not back.
    message_bits : :class:`int`
        Bits of the message id in a header; the router passes it on.
    message_classes : :class:`int`
        Message classes, each with ports of its own at every processor: the ports of class 0 come first.
    turns : set of (:class:`int`, :class:`int`) or ``None``
        The turns that there are, from input to output; if not given, those that the options say.
    class_turns : set of (:class:`int`, :class:`int`, :class:`int`, :class:`int`) or ``None``
        The turns that packets take from a channel of a class to one of a class, where tables have their routes: input, class,
        output, class, which is 0 at processors. A turn that is in none of them has all. If not given, all turns have all.
    destinations : :class:`int`
        Destinations that headers name instead of a route: see :class:`~fatcube.rtl.flit.HeaderLayout`.
    route_computation : :class:`RouteComputation` or ``None``
        The unit that computes the way to a destination; if not given, tables hold the routes.
    absent_inputs, absent_outputs : set of :class:`int`
        The inputs that no lane enters, and the outputs that no lane leaves, where links go one way. They have no ports, and
        no turns.
    by_source : :class:`bool`
        With computed routes, packets of a processor take the lane of its number, modulo ``lanes``; else lane 0. Packets from a
        lane take the lane of the same number.
    counters : :class:`bool`
        Flits and conflicts are counted. Without, the counters and their ports are not there.
    options : :class:`RouterOptions`
        The options that the user chooses.

    Raises
    ------
    ParameterError
        If a parameter is out of range or a header does not fit into a flit.
    """

    processors: int
    channels: int
    lanes: int = 1
    one_way: bool = False
    message_bits: int = 0
    message_classes: int = 1
    turns: frozenset[tuple[int, int]] | None = None
    class_turns: frozenset[tuple[int, int, int, int]] | None = None
    destinations: int = 0
    route_computation: RouteComputation | None = None
    by_source: bool = False
    absent_inputs: frozenset[int] = frozenset()
    absent_outputs: frozenset[int] = frozenset()
    counters: bool = False
    options: RouterOptions = RouterOptions()

    def __post_init__(self) -> None:
        for name in ("one_way", "counters"):
            check_boolean(name.replace("_", " "), getattr(self, name))
        for name in ("processors", "channels", "lanes", "message_classes"):
            check_integer(name.replace("_", " "), getattr(self, name), minimum=0 if name == "channels" else 1)
        for name in ("absent_inputs", "absent_outputs"):
            for number in sorted(getattr(self, name)):
                check_integer(
                    name.replace("_", " "), number, minimum=self.processor_ports, maximum=self.crossbar_ports - 1
                )
        _ = self.header  # Refuses a width that a header does not fit into.

    @property
    def ports(self) -> int:
        """Ports of a processor: k for each message class."""
        return self.options.ports.processor_ports(self.channels, self.processors) * self.message_classes

    def message_class(self, port: int) -> int:
        """The message class of a port of a processor."""
        return port * self.message_classes // self.ports

    @property
    def processor_ports(self) -> int:
        """Ports of all processors; the lanes are numbered from here on."""
        return self.processors * self.ports

    @property
    def crossbar_ports(self) -> int:
        """Inputs a, and outputs b, of the crossbar."""
        return self.processor_ports + self.channels * self.lanes

    @property
    def inputs(self) -> list[int]:
        """The numbers of the inputs that the router has, in order."""
        return [number for number in range(self.crossbar_ports) if number not in self.absent_inputs]

    @property
    def outputs(self) -> list[int]:
        """The numbers of the outputs that it has, in order."""
        return [number for number in range(self.crossbar_ports) if number not in self.absent_outputs]

    @property
    def absent_ports(self) -> list[Path]:
        """The members of a router with these parameters that are no ports of its module."""
        return [
            ("lanes", *divmod(number - self.processor_ports, self.lanes), way)
            for way, numbers in (("into", self.absent_inputs), ("out", self.absent_outputs))
            for number in sorted(numbers)
        ]

    def processor_port(self, processor: int, port: int) -> int:
        """The number of ``port`` of local ``processor``."""
        return processor * self.ports + port

    def lane_port(self, channel: int, lane: int) -> int:
        """The number of ``lane`` of ``channel``."""
        return self.processor_ports + channel * self.lanes + lane

    def virtual_channels(self, number: int) -> int:
        """Virtual channels of an input, or of an output: those of a lane, and one of a port of a processor."""
        return 1 if number < self.processor_ports else self.options.virtual_channels

    def input_units(self, number: int) -> int:
        """Inputs of the crossbar behind an input port: one for each virtual channel, or for each packet that can wait."""
        return self.options.injection_channels if number < self.processor_ports else self.options.virtual_channels

    def answers(self, number: int) -> int:
        """The kinds of answers that come back from an output: those of a lane, and none of a port of a processor."""
        return 0 if number < self.processor_ports else self.options.answers

    @property
    def input_names(self) -> list[str]:
        """The names in Verilog of the streams and lanes into the router, by number."""
        return self._names("send", "into")

    @property
    def output_names(self) -> list[str]:
        """The names in Verilog of the streams and lanes out of the router, by number."""
        return self._names("receive", "out")

    def _names(self, of_processor: str, of_lane: str) -> list[str]:
        processors = ((p, j, of_processor) for p in range(self.processors) for j in range(self.ports))
        lanes = ((c, l, of_lane) for c in range(self.channels) for l in range(self.lanes))
        return [
            *(verilog_name(("processors", *place)) for place in processors),
            *(verilog_name(("lanes", *place)) for place in lanes),
        ]

    @property
    def header(self) -> HeaderLayout:
        """The places of route and message id in a header."""
        return HeaderLayout(
            self.options.width,
            processor_outputs=self.processor_ports,
            lane_outputs=self.channels * self.lanes,
            message_bits=self.message_bits,
            hops=self.options.hops if self.channels else 0,
            copies=self.options.ports.copies,
            classes=self.options.channel_classes,
            destinations=self.destinations,
        )

    @property
    def tables(self) -> list[tuple[int, int]]:
        """The tables of destinations, as ``(input, class of virtual channels)``; none without."""
        if not self.destinations or self.route_computation is not None:
            return []
        return [
            (number, channel_class)
            for number in range(self.crossbar_ports)
            for channel_class in range(1 if number < self.processor_ports else self.options.channel_classes)
        ]

    @property
    def table_bits(self) -> int:
        """Bits of one of these tables."""
        return self.header.selector_bits << self.header.route_bits if self.tables else 0

    @property
    def routes_bits(self) -> int:
        """Bits of the router's tables, or of its address with computed routes; 0 where headers have routes."""
        if self.route_computation is not None:
            return self.route_computation.address_bits
        return len(self.tables) * self.table_bits

    def own_lane(self, number: int) -> int:
        """The lane of each link that packets from input ``number`` take, if routes are computed."""
        if number >= self.processor_ports:
            return (number - self.processor_ports) % self.lanes
        return number // self.ports % self.lanes if self.by_source else 0

    def ways_to(
        self,
        targets: Sequence[Target],
        destination: Value,
        address: Value,
        *,
        own_lane: int,
        own_class: int = 0,
    ) -> list[Value]:
        """A bit for each target: a packet for ``destination`` takes it at ``address``, if routes are computed.

        Dimension order has one class of channels for each class of messages, which a packet keeps, as it keeps its lane.

        Parameters
        ----------
        targets : list of :class:`Target`
            The targets in reach of the packet.
        destination, address : :class:`Value`
            See :meth:`~fatcube.rtl.route_computation.RouteComputation.directions`.
        own_lane, own_class : :class:`int`
            The lane of each link that the packet takes, and its class of channels.
        """
        computation = self.route_computation
        assert computation is not None
        home, ways = computation.directions(address, destination)

        def taken(target: Target) -> Value:
            if target.output < self.processor_ports:
                return home & (destination[: computation.output_bits] == target.output)
            way, lane = divmod(target.output - self.processor_ports, self.lanes)
            channel_class = target.channels[0] % self.options.channel_classes
            return ways[way] if (lane, channel_class) == (own_lane, own_class) else Const(0)

        return [taken(target) for target in targets]

    @property
    def targets(self) -> list[Target]:
        """The targets that headers can request: the outputs in order, with lanes once for each class of channels."""
        channels, classes = self.options.virtual_channels, self.options.channel_classes
        of_class = [tuple(range(channels)[first::classes]) for first in range(classes)]
        ejection = tuple(range(self.options.ejection_channels))
        return [
            *(Target(output, ejection) for output in range(self.processor_ports)),
            *(Target(output, each) for output in self.outputs[self.processor_ports :] for each in of_class),
        ]

    def reached(self, number: int, channel_class: int) -> list[int]:
        """The :attr:`targets` that a packet can take from input ``number`` on a channel of a class, as their indices."""
        outputs, taken = self.reach(number), self.class_turns or frozenset()
        classified = {(one, output) for one, _, output, _ in taken}

        def is_taken(target: Target) -> bool:
            if (number, target.output) not in classified:
                return target.output in outputs
            next_class = target.channels[0] if target.output >= self.processor_ports else 0
            return target.output in outputs and (number, channel_class, target.output, next_class) in taken

        return [index for index, target in enumerate(self.targets) if is_taken(target)]

    def reach(self, number: int) -> tuple[int, ...]:
        """The outputs that a packet can take from input ``number``, in order."""
        return tuple(output for output in range(self.crossbar_ports) if self._has_turn(number, output))

    def _has_turn(self, number: int, output: int) -> bool:
        """True if a packet can go from input ``number`` to ``output``."""
        if number in self.absent_inputs or output in self.absent_outputs:
            return False
        if self.turns is not None:
            return (number, output) in self.turns
        first_lane = self.processor_ports
        match self.options.turns:
            case "all":
                return True
            case "forward":
                return output != number or self.one_way and number >= first_lane
            case "used":
                return self._is_used(number, output)
            case other:
                raise AssertionError(f"turns {other} are of no kind")

    def _is_used(self, number: int, output: int) -> bool:
        """True if a route can take the turn from input ``number`` to ``output``."""
        first_lane = self.processor_ports
        if number < first_lane and output < first_lane:
            return number // self.ports != output // self.ports
        if number < first_lane or output < first_lane:
            return True
        channels = (number - first_lane) // self.lanes, (output - first_lane) // self.lanes
        return self.options.hops > 1 and (self.one_way or channels[0] != channels[1])
