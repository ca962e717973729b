"""A second derivation of the fewest steps of small collectives, written from docs/ideas/steps.md and from nothing else.

It shares no code with :mod:`fatcube.schedules.search` and says what a schedule is in other terms. Nothing is moved and nothing
is followed: a processor knows a message from the beginning, or after a step in which a packet brought it one that its sender
knew, and then knows it for good. Every sending port has a packet of its own in every step, every packet has routes that are
listed beforehand, node by node, and every lane has a number. The integer program is solved by SCIP, not by CP-SAT.
"""

from collections.abc import Iterator, Sequence
import dataclasses
from functools import cached_property
import itertools

from ortools.linear_solver import pywraplp

__all__ = ["Case", "Lane", "Sent", "case_of", "found", "size"]


@dataclasses.dataclass(frozen=True)
class Lane:
    """A lane between two nodes: ``ways`` are the directions in which it can carry packets, ``both`` if in two at once."""

    ways: tuple[tuple[int, int], ...]
    both: bool


@dataclasses.dataclass(frozen=True)
class Route:
    """A way of a packet: the processor that receives it, and the pairs of nodes between which it uses a lane."""

    dst: int
    hops: tuple[tuple[int, int], ...]


@dataclasses.dataclass(frozen=True)
class Sent:
    """A message that a processor receives in a step of a schedule, and the nodes of its way."""

    step: int
    src: int
    dst: int
    message: int
    nodes: tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Case:
    """A collective on a network, with the rules of a step.

    Members
    -------
    places : list of :class:`int`
        The node of each processor.
    lanes : list of :class:`Lane`
    ports : list of :class:`int`
        For each processor, the packets that it can send in a step, and receive.
    copies : :class:`bool`
        Whether a packet can have several receivers.
    far : :class:`bool`
        Whether a packet can cross several lanes.
    most : :class:`int`
        Messages in a packet.
    messages : list of (:class:`int`, list of :class:`int`)
        The processor that knows a message in the beginning, and those that must know it in the end.
    """

    places: Sequence[int]
    lanes: Sequence[Lane]
    ports: Sequence[int]
    copies: bool
    far: bool
    most: int
    messages: Sequence[tuple[int, Sequence[int]]]

    @cached_property
    def routes(self) -> list[list[Route]]:
        """The routes of the packets of each processor."""
        everybody = range(len(self.places))
        return [
            [
                Route(dst, hops)
                for hops in self._hops(self.places[src], ())
                for dst in everybody
                if dst != src and self.places[dst] == (hops[-1][1] if hops else self.places[src])
            ]
            for src in everybody
        ]

    def _hops(self, node: int, before: tuple[tuple[int, int], ...]) -> Iterator[tuple[tuple[int, int], ...]]:
        """All ways from a node, the one to itself first, which come to no node twice."""
        yield before
        if before and not self.far:
            return
        been = {node for hop in before for node in hop}
        for here, there in sorted({way for lane in self.lanes for way in lane.ways}):
            if here == node and there not in been:
                yield from self._hops(there, (*before, (here, there)))


def case_of(topology, ports, collective, transfers, links, per_packet) -> Case:
    """The case of a fat cube or another topology, each of the others a word as in docs/ideas/steps.md; the root is processor 0."""
    places = [node for node in range(topology.nodes) for _ in range(topology.m)]
    joined = [(node, channel) for node in range(topology.nodes) for channel in range(topology.degree)]
    ends = [(node, topology.neighbour(node, channel), channel) for node, channel in joined]
    links_at = [sum(one[0] == node and one[1] is not None for one in ends) for node in range(topology.nodes)]
    lanes = []
    for node, end, channel in ends:
        if end is None or (node, channel) > end:  # a link has two ends, and is made at one of them
            continue
        for number in range(topology.f):
            there, back = (node, end[0]), (end[0], node)
            if links == "simplex":
                if topology.f == 1:
                    dimension = (node ^ end[0]).bit_length() - 1
                    one_way = there if (node.bit_count() + dimension) % 2 == 0 else back
                else:
                    low, high = min(there, back), max(there, back)
                    one_way = low if number < topology.f // 2 else high
                lanes.append(Lane((one_way,), False))
            else:
                lanes.append(Lane((there, back), links == "full-duplex"))
    everybody = range(len(places))
    others = {one: [other for other in everybody if other != one] for one in everybody}
    messages = {
        "OAB": [(0, others[0])],
        "OAS": [(0, [other]) for other in others[0]],
        "AAB": [(one, others[one]) for one in everybody],
        "AAS": [(one, [other]) for one in everybody for other in others[one]],
    }[collective]
    sending = {"1": lambda node: 1, "b": lambda node: 1, "d": links_at.__getitem__}
    sending["*"] = lambda node: links_at[node] + topology.m - 1
    return Case(
        places,
        lanes,
        [sending[ports](node) for node in places],
        ports == "b",
        transfers == "direct",
        len(messages) if per_packet == "unlimited" else per_packet,
        messages,
    )


def size(case: Case, steps: int) -> int:
    """The variables that tell which message a packet brings whom, which are most of all."""
    receivers = sum(k * len({route.dst for route in routes}) for k, routes in zip(case.ports, case.routes))
    return steps * receivers * len(case.messages)


class _Program:
    """Variables that are 0 or 1, and linear constraints on them."""

    def __init__(self, solver: str) -> None:
        self._solver = pywraplp.Solver.CreateSolver(solver)

    def variable(self):
        return self._solver.BoolVar("")

    def at_most(self, left, right) -> None:
        """Require that the sum of the variables ``left`` is no more than that of ``right``, or than a number."""
        numbers, most = (right, ()) if isinstance(right, int) else (0, right)
        constraint = self._solver.Constraint(-self._solver.infinity(), numbers)
        weights = {}
        for sign, variables in ((1, left), (-1, most)):
            for one in variables:
                number, variable = one if isinstance(one, tuple) else (1, one)
                weights[variable] = weights.get(variable, 0) + sign * number
        for variable, weight in weights.items():
            constraint.SetCoefficient(variable, weight)

    def solve(self, seconds):
        self._solver.SetTimeLimit(round(seconds * 1000))
        status = self._solver.Solve()
        return {pywraplp.Solver.OPTIMAL: True, pywraplp.Solver.FEASIBLE: True, pywraplp.Solver.INFEASIBLE: False}.get(
            status
        )


def found(case: Case, steps: int, *, solver: str = "SCIP", seconds: float) -> list[Sent] | None:
    """A schedule of a case in so many steps, or ``None`` if there is none.

    Raises
    ------
    TimeoutError
        If neither is known after so many seconds.
    """
    search = _Search(case, steps, _Program(solver))
    answer = search.program.solve(seconds)
    if answer is None:
        raise TimeoutError(f"{solver} has no answer after {seconds} s")
    return [*search.sent()] if answer else None


class _Search:
    """The program of a case in so many steps."""

    def __init__(self, case: Case, steps: int, program: _Program) -> None:
        self.case, self.program = case, program
        self.everybody, self.messages = range(len(case.places)), range(len(case.messages))
        # What a processor knows at the beginning of a step, and in the end.
        self.knows = {
            (time, one, message): program.variable()
            for time in range(steps + 1)
            for one in self.everybody
            for message in self.messages
        }
        self.goes = {}  # for each packet: whether it takes each route
        self.brings = {}  # for each packet, receiver and message: whether it brings it
        for message, (origin, targets) in enumerate(case.messages):
            for one in self.everybody:
                if one != origin:
                    program.at_most([self.knows[0, one, message]], 0)
                if one in targets:
                    program.at_most([(-1, self.knows[steps, one, message])], -1)
        for time in range(steps):
            self._step(time)
        self._enter()

    def _step(self, time: int) -> None:
        """The packets of a step, and what they share: ports that receive, and lanes."""
        case, at_most = self.case, self.program.at_most
        used = {(number, way): [] for number, lane in enumerate(case.lanes) for way in lane.ways}
        received = {one: [] for one in self.everybody}
        brought = {(one, message): [] for one in self.everybody for message in self.messages}
        for src in self.everybody:
            for port in range(case.ports[src]):
                packet = time, src, port
                self._travel(packet, used)
                self._load(packet, received, brought)
                if port:  # ports are alike: their packets may be taken in the order of their routes
                    before = self.goes[time, src, port - 1]
                    at_most([*enumerate(self.goes[packet], 1)], [*enumerate(before, 1)])
        for one in self.everybody:
            at_most(received[one], case.ports[one])
            for message in self.messages:
                known = self.knows[time, one, message]
                at_most([self.knows[time + 1, one, message]], [known, *brought[one, message]])
        for number, lane in enumerate(case.lanes):
            if lane.both:
                for way in lane.ways:
                    at_most(used[number, way], 1)
            else:
                at_most([on for way in lane.ways for on in used[number, way]], 1)

    def _travel(self, packet, used) -> None:
        """The routes of a packet, and a lane for every link of them."""
        case, at_most = self.case, self.program.at_most
        routes = case.routes[packet[1]]
        going = self.goes[packet] = [self.program.variable() for _ in routes]
        if case.copies:
            # Only a packet of one copy goes on from its node's own lanes.
            for one, route in zip(going, routes):
                if len(route.hops) > 1:
                    for other in going:
                        if other is not one:
                            at_most([one, other], 1)
        else:
            at_most(going, 1)
        taken = {lane: self.program.variable() for lane in used}
        for lane, on in taken.items():
            used[lane].append(on)
        for way in sorted({way for _, way in taken}):
            lanes = [on for (_, leading), on in taken.items() if leading == way]
            at_most([one for one, route in zip(going, routes) if way in route.hops], lanes)

    def _load(self, packet, received, brought) -> None:
        """The messages in a packet, which its sender knows, and what it brings to each receiver."""
        case, at_most = self.case, self.program.at_most
        time, src, _ = packet
        routes = case.routes[src]
        receivers = sorted({route.dst for route in routes})
        loaded = [self.program.variable() for _ in self.messages]
        at_most(loaded, case.most)
        for message in self.messages:
            at_most([loaded[message]], [self.knows[time, src, message]])
        for dst in receivers:
            coming = [one for one, route in zip(self.goes[packet], routes) if route.dst == dst]
            received[dst] += coming
            here = [self.program.variable() for _ in self.messages]
            for message, bring in enumerate(here):
                self.brings[*packet, dst, message] = bring
                brought[dst, message].append(bring)
                at_most([bring], [loaded[message]])
                at_most([bring], coming)
            if case.most < len(self.messages):
                at_most(here, [(case.most, one) for one in coming])
        if not case.copies:
            for message in self.messages:
                at_most([self.brings[*packet, dst, message] for dst in receivers], [loaded[message]])

    def _enter(self) -> None:
        """Require that what somebody in a set of processors must know, and none of them knows at first, enters the set.

        This follows from the rest, but not for knowledge in fractions, of which programs without it prove little.
        """
        moved = {}
        for (_, src, _, dst, message), bring in self.brings.items():
            moved.setdefault((src, dst, message), []).append((-1, bring))
        for message, (origin, targets) in enumerate(self.case.messages):
            others = [one for one in self.everybody if one != origin]
            for count in range(1, len(others) + 1):
                for inside in itertools.combinations(others, count):
                    if set(inside) & set(targets):
                        pairs = [(src, dst) for src in self.everybody if src not in inside for dst in inside]
                        self.program.at_most([one for pair in pairs for one in moved.get((*pair, message), ())], -1)

    def sent(self) -> Iterator[Sent]:
        """The schedule that was found, without what its receiver knows or is brought twice."""
        places = self.case.places
        known = {(origin, message) for message, (origin, _) in enumerate(self.case.messages)}
        for (time, src, port, dst, message), bring in self.brings.items():
            if bring.solution_value() > 0.5 and (dst, message) not in known:
                known.add((dst, message))
                ways = zip(self.goes[time, src, port], self.case.routes[src])
                route = next(route for one, route in ways if route.dst == dst and one.solution_value() > 0.5)
                yield Sent(time + 1, src, dst, message, (places[src], *(there for _, there in route.hops)))
