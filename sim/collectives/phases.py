"""The phases of a dataflow run: parts between barriers in which packets cannot wait for each other in a cycle.

In a step no two packets request the same output, and paths share no lane. In dataflow packets of different steps meet, so
all processors wait for each other after those steps after which packets could deadlock otherwise. A single step is always a
phase.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

import networkx

from fatcube.noc.network import Network
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.sim.collectives.flow import by_step

__all__ = ["phase_ends"]


_Vertex: TypeAlias = tuple[int, ...]


def phase_ends(schedule: Schedule, network: Network) -> list[int]:
    """The steps after which all processors must wait for each other in dataflow.

    Parameters
    ----------
    schedule : :class:`Schedule`
        Written out, on the lanes of the network.
    network : :class:`Network`
    """
    if network.options.ports.copies and network.options.shared_lanes:
        # Copies hold the directions of several lanes while each of them waits for the slowest: no phase has two steps.
        return list(range(1, schedule.steps))
    ends: list[int] = []
    copies, paths = _Copies(), _Paths(schedule, network)
    for step, transfers in by_step(schedule):
        parts = [
            part for part, wanted in ((copies, network.options.ports.copies), (paths, schedule.model.direct)) if wanted
        ]
        taken = [part.takes(transfers) for part in parts]  # each has to know of the step
        if not all(taken):
            ends.append(step - 1)
            for part in parts:
                part.begin(transfers)
    return ends


class _Paths:
    """The channel-dependency graph of the paths of a phase, which must have no cycle.

    A packet of several hops holds lanes while it waits for the next one. A vertex is a lane in a direction, or a whole lane
    if it is half-duplex and waiting packets hold both directions.
    """

    def __init__(self, schedule: Schedule, network: Network) -> None:
        self._topology = schedule.topology
        self._both = network.options.links_held
        self._graph: networkx.DiGraph[_Vertex] = networkx.DiGraph()

    def takes(self, transfers: Sequence[Transfer]) -> bool:
        """Add a step to the phase, and return whether nothing in it can deadlock."""
        for transfer in transfers:
            vertices = [self._vertex(*hop) for hop in transfer.hops(self._topology)]
            networkx.add_path(self._graph, vertices)
        return networkx.is_directed_acyclic_graph(self._graph)

    def begin(self, transfers: Sequence[Transfer]) -> None:
        """Begin a phase with this step."""
        self._graph.clear()
        self.takes(transfers)

    def _vertex(self, node: int, other: int, lane: int) -> _Vertex:
        if not self._both:
            return node, other, lane
        if node < other:
            return node, other, lane
        back = self._topology.other_end(node, other, lane)
        assert back is not None
        return other, node, back


class _Copies:
    """The processors that are sent copies in a phase, and those that receive any packet.

    The steps after which all processors must wait for each other in dataflow, if the routers copy.

        All copies of a packet advance at the pace of the slowest. So while one holds the output to a processor, another
        may wait in the next router for an output that a copy of another packet holds, and so on in a ring, if packets
        are longer than buffers. In a step no two packets request the same output, but in dataflow packets of different
        steps meet.

        The barriers divide the run into phases. **In no phase does a processor that is sent a copy receive another
        packet too.** That is enough:

        - A packet that is not copied waits for nothing once it has the output to its processor: it then holds all
          outputs on its way, its sender does not pause, and processors always receive. So it ends, and so does the
          wait for such an output, as all packets that request it take turns.
        - A copy at the front of a lane's buffer is granted its output at once: no other packet requests the same.
        - In front of it in that buffer are only packets that its own router admitted before it. So in each router the
          admitted packets end, one after the other, regardless of other routers.
        - A packet that is not admitted yet waits in turn for outputs that admitted ones hold.
        - So every packet that is sent arrives. A processor that waits for a message to send holds no output meanwhile,
          and that message is sent in an earlier step.

        By this rule schedules without copies need no barrier, nor do broadcasts (OAB), in which a processor receives
        one packet. A single step is always a phase, as the port model lets a processor receive one packet in it.
    """

    def __init__(self) -> None:
        self._reached: set[int] = set()
        self._copied: set[int] = set()

    def takes(self, transfers: Sequence[Transfer]) -> bool:
        """Add a step to the phase, and return whether nothing in it can deadlock."""
        packets = Counter(transfer.src for transfer in transfers)
        reached = {transfer.dst for transfer in transfers}
        copied = {transfer.dst for transfer in transfers if packets[transfer.src] > 1}
        right = not (copied & self._reached or reached & self._copied)
        self._reached |= reached
        self._copied |= copied
        return right

    def begin(self, transfers: Sequence[Transfer]) -> None:
        """Begin a phase with this step."""
        self._reached, self._copied = set(), set()
        self.takes(transfers)
