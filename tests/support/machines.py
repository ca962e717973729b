"""Small machines that run every collective, by name: every pair of values of what they differ in is in one of them.

Tests that need no hardware of their own take one of these, so that it is built once for all of them.
"""

from typing import NamedTuple

from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.construct import best
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.wiring import common_network
from fatcube.sim.collectives.simulate import fitting_machine, longest_packet_of

__all__ = ["CHOICES", "FLITS", "MACHINES", "Kind", "machine", "machine_for", "plain"]


FLITS = 9
"""Payload flits of the longest message that fits."""
CHOICES = {
    "ports": ("d", "1", "b", "*"),
    "nodes": ((2, 2, 1), (2, 1, 1), (2, 1, 2), (1, 3, 2)),  # dimensions, processors of a node, and lanes of a link
    "links": ("full-duplex", "half-duplex", "simplex"),
    "switching": ("wormhole", "virtual-cut-through", "store-and-forward", "circuit"),
    "virtual_channels": (1, 2),
    "pipeline": (1, 2),
    "link_stages": (0, 1),
}


class Kind(NamedTuple):
    """The ways in which a machine differs from others.

    Members
    -------
    ports, links, switching : str
    nodes : tuple of int
        The dimensions of the fat cube, the processors of each node, and the lanes of each link.
    virtual_channels, pipeline, link_stages : int
        Options of the routers.
    """

    ports: str = "d"
    nodes: tuple[int, int, int] = (2, 2, 1)
    links: str = "full-duplex"
    switching: str = "wormhole"
    virtual_channels: int = 1
    pipeline: int = 1
    link_stages: int = 0

    @property
    def topology(self) -> FatCube:
        """The network of nodes."""
        return FatCube(*self.nodes)

    @property
    def model(self) -> StepModel:
        """The step model of its schedules."""
        return StepModel(links=self.links)

    @property
    def options(self) -> RouterOptions:
        """The options of its routers, but for the kind of links."""
        return RouterOptions(
            switching=self.switching,
            virtual_channels=self.virtual_channels,
            pipeline=self.pipeline,
            link_stages=self.link_stages,
        )

    def schedule(self, collective: str) -> Schedule:
        """The schedule of a collective, from processor 0."""
        return best(Problem(self.topology, self.ports, collective, 0, model=self.model), time_limit=0).found


def plain(chosen):
    """A choice, and for what it leaves open the values that most others go together with."""
    return {name: values[0] for name, values in CHOICES.items()} | chosen


def machine_for(kind):
    """The machine of a kind, which can add; its messages have up to :data:`FLITS` flits.

    Raises
    ------
    ParameterError
        If there is no such machine.
    """
    schedule = kind.schedule("AAB")
    network = common_network([schedule], kind.options).for_packets(longest_packet_of(schedule, FLITS))
    return fitting_machine(network, payload_flits=FLITS, reductions=True)


def machine(name):
    """The machine of that name."""
    return machine_for(MACHINES[name])


MACHINES = {
    "plain": Kind(),
    "lanes": Kind("*", (2, 1, 2)),
    "simplex, whole packets": Kind("d", (1, 3, 2), "simplex", "store-and-forward", 2, 2),
    "turning circuits": Kind("1", (1, 3, 2), "half-duplex", "circuit", 1, 1, 1),
    "simplex copies": Kind("b", (2, 1, 1), "simplex", "wormhole", 1, 2, 1),
    "channels": Kind("1", (2, 1, 1), "full-duplex", "virtual-cut-through", 2),
    "copies of whole packets": Kind("b", (2, 2, 1), "full-duplex", "store-and-forward", 1, 1, 1),
    "simplex channels": Kind("*", (2, 2, 1), "simplex", "virtual-cut-through", 2, 2, 1),
    "turning circuits at ports": Kind("d", (2, 1, 2), "half-duplex", "circuit", 1, 2),
    "slow channels": Kind("1", (2, 1, 2), "full-duplex", "wormhole", 2, 2, 1),
    "turning copies": Kind("b", (2, 1, 2), "half-duplex", "virtual-cut-through", 1, 2),
    "turning": Kind("d", (2, 2, 1), "half-duplex", "wormhole", 1, 1, 1),
    "turning whole packets": Kind("*", (2, 1, 1), "half-duplex", "store-and-forward", 2),
    "simplex whole packets": Kind("1", (2, 2, 1), "simplex", "store-and-forward", 2),
    "circuits": Kind("d", (2, 1, 1), "full-duplex", "circuit", 1, 2),
    "simplex circuits": Kind("*", (2, 1, 2), "simplex", "circuit", 1, 2),
    "channels at ports": Kind("d", (1, 3, 2), "full-duplex", "virtual-cut-through", 2, 1, 1),
    "simplex at all ports": Kind("*", (1, 3, 2), "simplex", "wormhole", 2),
    "simplex, room for copies": Kind("b", (1, 3, 2), "simplex", "virtual-cut-through", 1, 2),
    "slow turning circuits": Kind("1", (2, 2, 1), "half-duplex", "circuit", 1, 2),
    "simplex, slow links": Kind("*", (2, 1, 2), "simplex", "store-and-forward", 1, 1, 1),
}
"""Most as :meth:`tests.support.covering.Covering.find` gives them."""
