"""The one value that everything is derived from: a topology and the hardware that it is built of."""

import dataclasses

from amaranth.utils import ceil_log2

from groundwork.validation import ParameterError, check_integer
from noc.topology import Topology
from rtl.port_model import PortModel
from rtl.router_parameters import RouterParameters

__all__ = ["Network"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Network:
    """A network on chip, checked when it is made.

    Parameters
    ----------
    topology : :class:`Topology`
        Who is whose neighbour, processors on a node, lanes of a link.
    ports : :class:`PortModel` or :class:`str`
        The router model.
    width : :class:`int`
        Bits of a flit, W.
    buffer_depth : :class:`int`
        Flits in the buffer of each router input.
    fast_buffers : :class:`bool`
        Faster and larger buffers: see :class:`RouterParameters`.
    pipeline : :class:`int`
        Cycles a hop, 1 or 2.
    hops : :class:`int`
        The most links that a packet crosses.
    turns : :class:`str`
        Which turns the routers have: see :class:`RouterParameters`.
    parts : :class:`int`
        The most messages that the data for one processor may be divided into: headers have bits to tell them apart.

    Raises
    ------
    ParameterError
        If one of them is out of range, or a header does not fit into a flit.
    """

    topology: Topology
    ports: PortModel = PortModel.ONE
    width: int = 32
    buffer_depth: int = 2
    fast_buffers: bool = False
    pipeline: int = 1
    hops: int = 1
    turns: str = "used"
    parts: int = 1

    def __post_init__(self):
        if not isinstance(self.topology, Topology):
            raise ParameterError(f"topology must be a Topology, not {self.topology!r}")
        self.topology.check()
        object.__setattr__(self, "ports", PortModel.parse(self.ports))
        check_integer("parts", self.parts, minimum=1)
        self.router()  # Refuses what no router can be built from.

    @property
    def message_bits(self):
        """Bits of a message id: enough for every part for every pair of origin and destination."""
        return max(1, 2 * ceil_log2(self.topology.processors) + ceil_log2(self.parts))

    def router(self, *, counters=False):
        """The parameters of the router that every node has."""
        return RouterParameters(
            processors=self.topology.m,
            channels=self.topology.degree,
            lanes=self.topology.f,
            one_way=self.topology.directed,
            model=self.ports,
            width=self.width,
            message_bits=self.message_bits,
            buffer_depth=self.buffer_depth,
            fast_buffers=self.fast_buffers,
            pipeline=self.pipeline,
            hops=self.hops,
            turns=self.turns,
            counters=counters,
        )

    @property
    def processor_ports(self):
        """Ports k of a processor."""
        return self.ports.processor_ports(self.topology.degree, self.topology.m)

    @property
    def deadlock(self):
        """How packets that no schedule keeps apart can wait for each other for ever, as a clause; empty if they cannot.

        No routing rules it out yet, so it is decided by what the routers can do. A packet holds the lanes behind it
        while it waits for the next one. If routes turn from lane to lane, those turns, followed from any lane on, come
        back to it, as there are finitely many: packets along that ring can all wait, each for the next. If a router
        copies packets, a copy holds its outputs while another copy waits in the next router. Where neither is so, a
        packet waits in the end for receivers only.
        """
        router = self.router()
        if router.model.multicast:
            copies = any(len(router.reach(number)) > 1 for number in range(router.processor_ports))
            return (
                (
                    "each copy of a packet holds its outputs while another copy waits, so packets that are copied can "
                    "wait for each other in a ring"
                )
                if copies
                else ""
            )
        lanes = range(router.processor_ports, router.crossbar_ports)
        turns = self.hops > 1 and any(output in lanes for number in lanes for output in router.reach(number))
        return (
            (
                "each packet holds its lanes while it waits for the next one, so packets that turn from lane to lane "
                "can wait for each other in a ring"
            )
            if turns
            else ""
        )

    def to_json(self):
        """The parameters as they stand in a result record."""
        return {
            "topology": self.topology.to_json(),
            "ports": self.ports.value,
            "width": self.width,
            "buffer_depth": self.buffer_depth,
            "fast_buffers": self.fast_buffers,
            "pipeline": self.pipeline,
            "hops": self.hops,
            "turns": self.turns,
            **({"parts": self.parts} if self.parts > 1 else {}),
        }

    def __str__(self):
        return f"{self.topology} ports={self.ports.value}"
