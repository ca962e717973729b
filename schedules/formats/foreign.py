"""The contents of another program's file, in any format, and the schedule on a network that it describes."""

from collections.abc import Sequence
import dataclasses
import itertools

from fatcube.groundwork.validation import ParameterError, check_count
from fatcube.noc.topologies.graph import Graph, Link, make_graph
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.collective import Collective
from fatcube.schedules.formats.early import Packet, Task, timed
from fatcube.schedules.participants import EVERYBODY, Participants
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.step_model import STANDARD, StepModel

__all__ = ["MOST_PROCESSORS", "Foreign"]


MOST_PROCESSORS = 1024


@dataclasses.dataclass(frozen=True)
class Foreign:
    """The packets of another program's schedule, and what each waits for.

    Parameters
    ----------
    collective : :class:`Collective`
    root : :class:`int` or ``None``
        The root of a rooted collective.
    parts : :class:`int`
        The chunks that the data of a processor, or for one, is divided into.
    names : tuple of :class:`str`
        The name of each processor in the file, in the order of their numbers.
    tasks : tuple of :class:`Task`
        The packets, which know processors by number.
    through : mapping from the position of a task to a tuple of :class:`str`
        The nodes without processors that a packet passes, in order, where there are any.
    steps : mapping from the position of a task to a step and a lane
        The step and the way of each packet, if the file has them; then for all of them.
    among : :class:`Participants`
        The processors at which sums become complete, if not at all.
    """

    collective: Collective
    root: int | None
    parts: int
    names: tuple[str, ...]
    tasks: tuple[Task, ...]
    through: dict[int, tuple[str, ...]] = dataclasses.field(default_factory=dict[int, tuple[str, ...]])
    steps: dict[int, tuple[int, int]] = dataclasses.field(default_factory=dict[int, tuple[int, int]])
    among: Participants = EVERYBODY

    def __post_init__(self) -> None:
        check_count("processors", len(self.names), maximum=MOST_PROCESSORS, what="of a schedule that is imported")

    @property
    def packets(self) -> list[Packet]:
        """The packets of all tasks, in their order."""
        return [task.packet for task in self.tasks if task.packet is not None]

    def graph(self) -> Graph:
        """The links that the packets use, both ways and with one lane; nodes without processors are left out."""
        pairs = dict.fromkeys((min(one.src, one.dst), max(one.src, one.dst)) for one in self.packets)
        links = [Link(self.names[low], self.names[high], False, 1) for low, high in sorted(pairs)]
        return make_graph([(name, 1) for name in self.names], links)

    def schedule(self, topology: Topology | None, ports: PortModel | str, model: StepModel = STANDARD) -> Schedule:
        """The schedule on ``topology``, or on the links that the packets use if that is ``None``, checked.

        On a graph file whose nodes have the names of the file, these are meant; else processor numbers are.

        Raises
        ------
        ParameterError
            If the topology has other processors or lacks a link, or the schedule is wrong, with what the checker says.
        """
        ports = PortModel.parse(ports)
        if topology is None:
            topology = self.graph()
        place = self._places(topology)
        tasks = self._placed(topology, model, place)
        root = None if self.root is None else place[self.root]
        given = topology, ports, self.collective, root
        among = self.among.renumbered(place.__getitem__)
        if self.steps:
            at = [(*self.steps[number], task.packet) for number, task in enumerate(tasks) if task.packet is not None]
            transfers = tuple(_transfer(topology, *one) for one in at)
            found = Schedule(*given, transfers, parts=self.parts, model=model, among=among)
        else:
            moves = timed(tasks, topology, ports, model)
            found = Schedule.from_moves(*given, moves, parts=self.parts, model=model, among=among)
        try:
            check(found)
        except ScheduleError as error:
            raise ParameterError(f"schedule must keep to the step model: {error}") from None
        return found

    def _places(self, topology: Topology) -> Sequence[int]:
        """The processor of a topology that each of the schedule is."""
        if topology.processors != len(self.names):
            raise ParameterError(
                f"topology must have the {len(self.names)} processors of the schedule, not {topology.processors} as on "
                f"the {topology.name}"
            )
        nodes = [topology.node_named(name) for name in self.names]
        if any(node is None or len(topology.processors_of(node)) != 1 for node in nodes):
            return range(topology.processors)
        return [topology.processors_of(node)[0] for node in nodes if node is not None]

    def _placed(self, topology: Topology, model: StepModel, place: Sequence[int]) -> Sequence[Task]:
        """The tasks with the processors of a topology, and with the nodes that packets pass, if they may pass any."""
        found = {name: topology.node_named(name) for name in itertools.chain.from_iterable(self.through.values())}
        nodes = {name: node for name, node in found.items() if node is not None}
        placed = []
        for number, task in enumerate(self.tasks):
            packet = task.packet
            if packet is None:
                placed.append(task)
                continue
            message = packet.message
            ends = (None if end is None else place[end] for end in (message.origin, message.destination))
            src, dst = place[packet.src], place[packet.dst]
            way: tuple[int, ...] = ()
            if model.direct and all(name in nodes for name in self.through.get(number, ())):
                way = (*(nodes[name] for name in self.through.get(number, ())), topology.node_of(dst))
            here = topology.node_of(src)
            for there in way or (topology.node_of(dst),):
                if here != there and not topology.lanes_between(here, there):
                    raise ParameterError(
                        f"topology must have a link for the packets from {self.names[packet.src]} to "
                        f"{self.names[packet.dst]}, but nodes {topology.name_of(here)} and {topology.name_of(there)} of "
                        f"the {topology.name} are not adjacent"
                    )
                here = there
            moved = Packet(
                src, dst, message._replace(**dict(zip(("origin", "destination"), ends))), way if len(way) > 1 else ()
            )
            placed.append(task._replace(packet=moved))
        return placed


def _transfer(topology: Topology, step: int, lane: int, packet: Packet) -> Transfer:
    """The transfer of a packet whose step and lane are given; within a node there is no lane."""
    within = topology.node_of(packet.src) == topology.node_of(packet.dst)
    return Transfer(step, packet.src, packet.dst, packet.message, None if within else lane)
