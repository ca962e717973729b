"""Lower bounds for a collective among some processors, each with its argument; all hold for any topology and router model.

Other processors may pass messages on. They hold the messages that they pass, so a bound that counts holders or receivers
includes them. Distances are counted in transfers, as in :mod:`fatcube.schedules.bounds`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
import dataclasses
from functools import cached_property

from fatcube.noc.topology import Topology
from fatcube.schedules import counting
from fatcube.schedules.collective import Collective
from fatcube.schedules.counting import Bound
from fatcube.schedules.participants import Participants
from fatcube.schedules.problem import Problem
from fatcube.schedules.reach import lanes_from, lanes_into
from fatcube.schedules.step_model import UNLIMITED, PortUse

__all__ = ["bound_among", "sums_among"]


def bound_among(problem: Problem) -> Bound:
    """The best of the lower bounds of this module for OAB, OAS, AAB or AAS, as a :class:`Bound`.

    The others are bounded like what they are made of: see :func:`fatcube.schedules.bounds.lower_bound`.
    """
    case, collective = _Case(problem), problem.collective
    spread = [case.last_part(source) for source in case.sources]
    counted = problem.model.per_packet != UNLIMITED  # or no number of messages says anything
    if not counted:
        return counting.highest(*spread)
    if not collective.personalized:
        return counting.highest(*spread, *case.into_targets(), *case.nodes_of_broadcast())
    return counting.highest(
        *spread, *case.into_targets(), *case.out_of_sources(), *case.nodes_of_scatter(), *case.in_total()
    )


def sums_among(problem: Problem) -> Bound:
    """An all-reduce brings every contribution to each participant, or home of sums, and only then the last sum to all participants."""
    bounds, among = [], problem.among

    def steps(collective: Collective, owner: int, participants: Participants, parts: int) -> int:
        one = problem.changed(collective=collective, root=owner, among=participants, parts=parts)
        return bound_among(one.normal).steps

    for owner in among.homes or among.destinations(problem.topology):
        to = steps(Collective.AOR, owner, Participants(sources=among.sources), problem.parts)
        fro = steps(Collective.OAB, owner, Participants(targets=among.targets), 1)
        sums = "a sum" if problem.parts == 1 else "all sums"
        why = f"processor {owner} cannot have {sums} before step {to}, nor all others have it {fro} steps later"
        bounds.append(Bound(to + fro, why))
    return counting.highest(*bounds)


@dataclasses.dataclass(frozen=True)
class _Case:
    """Each of ``sources`` has something for each of ``targets``."""

    problem: Problem

    @property
    def topology(self) -> Topology:
        return self.problem.topology

    @property
    def sources(self) -> Sequence[int]:
        root = self.problem.root
        return self.problem.among.origins(self.topology) if root is None else (root,)

    @property
    def targets(self) -> Sequence[int]:
        return self.problem.among.destinations(self.topology)

    @cached_property
    def rate(self) -> int:
        """The messages that a processor sends, and that it receives, in a step."""
        return counting.messages_in(counting.processor_ports(self.topology, self.problem.ports), self.problem.model)

    @cached_property
    def transfers(self) -> dict[int, list[int]]:
        """For each source the transfers to the node of every processor, 0 to its own."""
        return {
            source: [*counting.transfers_between(self.topology, source, self.problem.model)] for source in self.sources
        }

    def last_part(self, source: int) -> Bound:
        """The last part of a message leaves its source late, and then spreads."""
        spread = self.spread(source)
        leaves = counting.ceil_divide(self.problem.parts, self.rate)
        if leaves <= 1 or not spread.steps:
            return spread
        return Bound(
            leaves - 1 + spread.steps,
            f"the last of {self.problem.parts} parts of processor {source} leaves it in step {leaves} at the earliest, and takes "
            f"{spread.steps} steps to reach its targets",
        )

    def spread(self, source: int) -> Bound:
        """A message reaches its farthest target, and as many processors as it has targets, by copies of its holders.

        A holder sends it to at most k processors in a step, or in model b to all outputs of its router.
        """
        others = [target for target in self.targets if target != source]
        farthest = max((max(1, self.transfers[source][target]) for target in others), default=0)
        copies = counting.processor_ports(self.topology, self.problem.ports)
        if self.problem.ports.copies:
            copies = max(
                len(self.topology.processors_of(node)) - 1 + lanes_from(self.topology, node)
                for node in self.topology.served
            )
        if self.problem.model.port_use is PortUse.ONE_PARTNER:
            copies = 1
        steps, holders = 0, 1
        while holders <= len(others):
            steps, holders = steps + 1, holders * (1 + copies)
        return counting.highest(
            Bound(farthest, f"a target of processor {source} is {farthest} transfers away"),
            Bound(steps, f"a message of processor {source} cannot reach {len(others)} targets sooner"),
        )

    def _staged(self, distances: Iterable[int], rate: int, where: str) -> Iterator[Bound]:
        """Messages that pass one place, of which those that come over D transfers do not pass in the first D - 1 steps."""
        for distance, count in counting.counts_by_distance(distances, self.problem.parts):
            yield Bound(
                distance - 1 + counting.ceil_divide(count, rate),
                f"{count} messages {where}, at most {rate} a step{counting.beyond(distance)}",
            )

    def into_targets(self) -> Iterator[Bound]:
        """Each target receives something from each source."""
        for target in self.targets:
            distances = [max(1, self.transfers[source][target]) for source in self.sources if source != target]
            yield from self._staged(distances, self.rate, f"enter processor {target}")

    def out_of_sources(self) -> Iterator[Bound]:
        """Each source sends something different for each target; what goes far leaves early."""
        for source in self.sources:
            distances = [max(1, self.transfers[source][target]) for target in self.targets if target != source]
            yield from self._staged(distances, self.rate, f"leave processor {source}")

    def nodes_of_scatter(self) -> Iterator[Bound]:
        """Messages for or from other nodes pass the lanes of a node."""
        leaving: dict[int, list[int]] = {}
        entering: dict[int, list[int]] = {}
        for source in self.sources:
            for target in self.targets:
                if distance := self.transfers[source][target]:
                    leaving.setdefault(self.topology.node_of(source), []).append(distance)
                    entering.setdefault(self.topology.node_of(target), []).append(distance)
        for node, distances in leaving.items():
            yield from self._staged(distances, self._lanes(lanes_from(self.topology, node)), f"leave node {node}")
        for node, distances in entering.items():
            lanes = sum(lanes_into(self.topology, node).values())
            yield from self._staged(distances, self._lanes(lanes), f"enter node {node}")

    def nodes_of_broadcast(self) -> Iterator[Bound]:
        """Each message enters every other node that has targets, and leaves the node of its source if there is one."""
        nodes = {self.topology.node_of(target): target for target in self.targets}
        for node, target in nodes.items():
            distances = [self.transfers[source][target] for source in self.sources]
            lanes = sum(lanes_into(self.topology, node).values())
            yield from self._staged(distances, self._lanes(lanes), f"enter node {node}")
        leaving = Counter(self.topology.node_of(source) for source in self.sources)
        for node, count in leaving.items():
            if nodes.keys() - {node}:
                rate = self._lanes(lanes_from(self.topology, node))
                yield from self._staged([1] * count, rate, f"leave node {node}")
        entries = sum(len(nodes.keys() - {self.topology.node_of(source)}) for source in self.sources)
        yield counting.lanes_bound(
            self.topology, self.problem.model, self.problem.parts * entries, "entries into nodes"
        )

    def in_total(self) -> Iterator[Bound]:
        """All hops over all lanes, and all transfers over the receiving ports of all processors."""
        pairs = [(source, target) for source in self.sources for target in self.targets if source != target]
        hops = [self.topology.served_distances[self.topology.node_of(s)][self.topology.node_of(t)] for s, t in pairs]
        yield counting.lanes_bound(self.topology, self.problem.model, self.problem.parts * sum(hops), "hops")
        transfers = self.problem.parts * sum(max(1, self.transfers[source][target]) for source, target in pairs)
        receivers = self.topology.processors * self.rate
        if self.problem.model.port_use is PortUse.SEND_OR_RECEIVE:
            receivers = self.topology.processors // 2 * self.rate
        yield Bound(counting.ceil_divide(transfers, receivers), f"{transfers} transfers, at most {receivers} a step")

    def _lanes(self, lanes: int) -> int:
        """The messages that ``lanes`` lanes carry in a step in one direction."""
        return counting.messages_in(lanes, self.problem.model)
