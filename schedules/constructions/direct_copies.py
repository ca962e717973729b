"""Direct broadcasts by routers that copy packets: copies to the neighbours, and single packets to nodes that are far away.

In model b a packet goes to any of the sender's own outputs, or along a path to one processor. So the holders of a message at first
copy it to their neighbours, then send it far away, one packet each, to where it is farthest from all holders, and in the
last step those copy it by whom the most processors are reached, and the others send it to those that are left. A flow says whom
they reach over the lanes that are left (:mod:`fatcube.schedules.constructions.direct_broadcast`). How many of the steps are copies is
tried, and what is equally far is drawn at random; the result is the same in every run.

Nodes next to a holder are reached by its copies. So t steps are enough for a d-cube, as far as lanes last, if 2^(t - 2) (d + 1) nodes
are enough to have each node next to one: 3 steps up to d = 5, and the bound is 2.
"""

from collections import Counter
from collections.abc import Collection, Iterator
import random

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.constructions.direct_broadcast import given_at_once
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step import StepRules, StepState
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.symmetry import Link, Symmetry

__all__ = ["direct_copies"]


TRIES = 20
WORK = 60_000  # lanes of all tries


def direct_copies(
    topology: Topology, ports: PortModel, root: int, least_steps: int, most_steps: int, model: StepModel
) -> Schedule | None:
    """A :class:`Schedule` of OAB in model b with direct transfers, on any topology whose links are not simplex.

    It has as few steps as are found, from ``least_steps`` to ``most_steps``; ``None`` if no try reaches everybody in these.
    """
    rules = StepRules(topology, ports, Symmetry.none(topology), model)
    for steps in range(max(1, least_steps), most_steps + 1):
        for number in range(max(1, min(TRIES, WORK // max(1, topology.channels * steps)))):
            for copied in range(steps):
                spread = _Spread(rules, root, random.Random(number))
                for step in range(1, steps + 1):
                    if step <= copied or step == steps:
                        spread.copy(step, alone=step == steps)
                    else:
                        spread.send(step)
                if not any(spread.lacking.values()):
                    return Schedule.from_moves(topology, ports, Collective.OAB, root, spread.moves, model=model)
    return None


class _Spread:
    """The holders of the message, and the processors of each node that lack it."""

    def __init__(self, rules: StepRules, root: int, dice: random.Random) -> None:
        topology = rules.topology
        self.moves: list[Move] = []
        self.lacking = {node: [p for p in topology.processors_of(node) if p != root] for node in topology.served}
        self._topology = topology
        self._holders = [root]
        self._message = Message(root, None)
        self._rules = rules
        self._dice = dice

    def copy(self, number: int, *, alone: bool) -> None:
        """Each holder multicasts to its outputs, in descending order of the processors it reaches.

        With ``alone``, a holder that would reach at most one processor sends a unicast packet instead, over lanes that are still free.
        """
        step = StepState(number, self._rules)
        waiting = list(self._holders)
        given: list[Move] = []
        while waiting:
            reached = {src: list(self._outputs(src, step)) for src in waiting}
            src = max(waiting, key=lambda one: (len(reached[one]), self._dice.random()))
            if len(reached[src]) <= alone:
                break
            waiting.remove(src)
            for dst in reached[src]:
                self._give(Move(number, src, dst, self._message), given)
                step.add(src, dst, self._message)
        others = [processor for those in self.lacking.values() for processor in those]
        if alone and waiting and others:
            used = Counter({Link(*link): lanes - step.left(*link) for link, (_, _, lanes) in self._rules.links.items()})
            self._far(number, waiting, others, used, given)
        self._holders += [move.dst for move in given]

    def send(self, step: int) -> None:
        """Every holder sends one packet, to nodes whose neighbours have the fewest holders."""
        near = Counter(node for holder in self._holders for node in self._around(self._topology.node_of(holder)))
        others: list[int] = []
        for _ in self._holders:
            open_nodes = [node for node, those in self.lacking.items() if any(p not in others for p in those)]
            if not open_nodes:
                break
            values = {
                node: (sum(not near[other] for other in self._around(node)), -near[node], self._dice.random())
                for node in open_nodes
            }
            node = max(values, key=values.__getitem__)
            others.append(next(p for p in self.lacking[node] if p not in others))
            near.update(self._around(node))
        given: list[Move] = []
        if others:
            self._far(step, self._holders, others, Counter(), given)
        self._holders += [move.dst for move in given]

    def _far(
        self, step: int, senders: Collection[int], others: Collection[int], used: Counter[Link], given: list[Move]
    ) -> None:
        for src, dst, way in given_at_once(self._topology, 1, senders, others, used):
            self._give(Move(step, src, dst, self._message, way), given)

    def _give(self, move: Move, given: list[Move]) -> None:
        self.lacking[self._topology.node_of(move.dst)].remove(move.dst)
        self.moves.append(move)
        given.append(move)

    def _around(self, node: int) -> list[int]:
        """A node and its neighbours."""
        return [node, *self._topology.served[node]]

    def _outputs(self, src: int, step: StepState) -> Iterator[int]:
        """The processors that lack the message to which the router of ``src`` can copy it."""
        here = self._topology.node_of(src)
        yield from self.lacking[here]
        for there in self._topology.served[here]:
            yield from self.lacking[there][: step.left(here, there)]
