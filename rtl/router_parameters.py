"""The one value that a fat node's router is built from: its ports, their numbers, its header, its turns."""

import dataclasses

from groundwork.validation import ParameterError, check_boolean, check_integer
from rtl.flit import HeaderLayout
from rtl.port_model import PortModel

__all__ = ["RouterParameters"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class RouterParameters:
    """A router for ``processors`` x ``ports`` processor ports and ``channels`` x ``lanes`` lanes.

    Outputs, and inputs alike, are numbered processor by processor, port by port, then channel by channel,
    lane by lane.

    Parameters
    ----------
    processors : :class:`int`
        Processors of the node, m.
    channels : :class:`int`
        Neighbours of the node: the d of a cube.
    lanes : :class:`int`
        Lanes to each neighbour, f.
    one_way : :class:`bool`
        Whether the links go one way, so that what goes out where a packet came in leads on and not back.
    model : :class:`PortModel` or :class:`str`
        Says how many ports a processor has and whether the router can copy packets.
    width : :class:`int`
        Bits of a flit, W.
    message_bits : :class:`int`
        Bits of the message id in a header; the router passes it on.
    buffer_depth : :class:`int`
        Flits in the buffer of each input.
    fast_buffers : :class:`bool`
        Buffers of two flits that are faster and larger: see :class:`FastInputBuffer`. What they gain depends
        on the number of ports; from 9 on they cost more than they are worth.
    pipeline : :class:`int`
        Cycles a hop: 1, or 2 with a register behind the crossbar.
    hops : :class:`int`
        The most links that a packet crosses. More than 1 adds the turns between lanes.
    turns : :class:`str`
        ``"used"``: only the turns that a route can use, never back to the processor or channel that a packet
        came from. ``"forward"``: from every input to every output but its own. ``"all"``: the full a x b
        crossbar that the papers price.
    counters : :class:`bool`
        Whether flits and conflicts are counted. Without, the counters and their ports are not there.

    Raises
    ------
    ParameterError
        If a parameter is out of range or a header does not fit into ``width`` bits.
    """

    processors: int
    channels: int
    lanes: int = 1
    one_way: bool = False
    model: PortModel = PortModel.ONE
    width: int = 32
    message_bits: int = 0
    buffer_depth: int = 2
    fast_buffers: bool = False
    pipeline: int = 1
    hops: int = 1
    turns: str = "used"
    counters: bool = False

    def __post_init__(self):
        object.__setattr__(self, "model", PortModel.parse(self.model))
        for name in ("one_way", "fast_buffers", "counters"):
            check_boolean(name.replace("_", " "), getattr(self, name))
        check_integer("processors", self.processors, minimum=1)
        check_integer("channels", self.channels, minimum=1)
        check_integer("lanes", self.lanes, minimum=1)
        check_integer("buffer depth", self.buffer_depth, minimum=1, maximum=4096)
        if self.fast_buffers and self.buffer_depth != 2:
            raise ParameterError(f"buffer depth must be 2 with fast buffers, not {self.buffer_depth}")
        check_integer("pipeline", self.pipeline, minimum=1, maximum=2)
        check_integer(
            "hops",
            self.hops,
            minimum=1,
            maximum=1 if self.model.multicast else 64,
            why=" in model b" if self.model.multicast else "",
        )
        turns = ("used",) if self.model.multicast else ("used", "forward", "all")
        if self.turns not in turns:
            raise ParameterError(
                f"turns must be one of {', '.join(turns)}"
                f"{' in model b' if self.model.multicast else ''}, not {self.turns!r}"
            )
        _ = self.header  # Refuses a width that a header does not fit into.

    @property
    def ports(self):
        """Ports of a processor, k."""
        return self.model.processor_ports(self.channels, self.processors)

    @property
    def processor_ports(self):
        """Ports of all processors; the lanes are numbered from here on."""
        return self.processors * self.ports

    @property
    def crossbar_ports(self):
        """Inputs a, and outputs b, of the crossbar."""
        return self.processor_ports + self.channels * self.lanes

    def processor_port(self, processor, port):
        """The number of ``port`` of local ``processor``."""
        return processor * self.ports + port

    def lane_port(self, channel, lane):
        """The number of ``lane`` of ``channel``."""
        return self.processor_ports + channel * self.lanes + lane

    @property
    def header(self):
        """Where route and message id stand in a header: a :class:`HeaderLayout`."""
        return HeaderLayout(
            self.width,
            processor_outputs=self.processor_ports,
            lane_outputs=self.channels * self.lanes,
            message_bits=self.message_bits,
            hops=self.hops,
            multicast=self.model.multicast,
        )

    def reach(self, number):
        """The outputs that a packet can take from input ``number``, in order."""
        outputs = range(self.crossbar_ports)
        if self.turns == "all":
            return tuple(outputs)
        if self.turns == "forward":
            return tuple(
                output for output in outputs if output != number or self.one_way and number >= self.processor_ports
            )
        if number < self.processor_ports:
            own = number // self.ports
            return tuple(output for output in outputs if output >= self.processor_ports or output // self.ports != own)
        own = (number - self.processor_ports) // self.lanes
        return tuple(
            output
            for output in outputs
            if output < self.processor_ports
            or self.hops > 1
            and (self.one_way or (output - self.processor_ports) // self.lanes != own)
        )
