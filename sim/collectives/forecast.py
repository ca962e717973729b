"""A forecast of the cycles of a dataflow run: each packet of its programs, followed through the outputs that it takes.

In dataflow packets of different steps meet, and arbiters decide who waits, so there is no formula as for lockstep. A packet takes
the output to its processor, and before it that to a lane if it crosses a link. A lone header passes a free output in the cycle in
which it is there; of several the first in turn passes a cycle later; and a packet follows another one without a pause. While
a packet waits, it keeps the outputs it holds and fills the buffer in front of which it waits.

The cycles are those of the hardware in all runs that were compared (routers of one stage, wormhole switching, buffers of two
flits), but for an all-to-all with packets of one flit, which took a cycle fewer, and routers that copy packets with a single
neighbour, where they were 8 % off. For other routers they say
which of two ways to run a schedule takes longer. In routers that copy packets, headers that ask together leave two cycles after an
output is free, in turns of their own; packets with several copies are not followed.
"""

from collections import Counter, deque
from collections.abc import Callable, Sequence
import dataclasses
import heapq
from typing import TypeAlias

from fatcube.sim.collectives.flow import Place
from fatcube.sim.collectives.plan import Entry, Plan

__all__ = ["can_forecast", "dataflow_cycles"]


_Node: TypeAlias = int
_End: TypeAlias = tuple[_Node, int]  # an input or an output of a router, by its number
_Port: TypeAlias = tuple[int, int]  # a processor, and the number of its port

_NEXT_ENTRY = 3  # cycles from the last flit of a packet, or from an entry without one, to the next entry


def can_forecast(plan: Plan) -> bool:
    """Whether each packet has one message, goes to one processor, and crosses one link at most."""
    options = plan.network.options
    if options.hops > 1 or plan.schedule.per_packet > 1 or plan.assignments:
        return False
    senders = Counter((transfer.step, transfer.src) for transfer in plan.schedule.transfers)
    return not options.ports.copies or max(senders.values(), default=0) <= 1


def dataflow_cycles(plan: Plan, payload_flits: int, last_flits: int | None = None) -> int | None:
    """The cycles of a run in dataflow, of one that :func:`can_forecast`, with lengths as those of a :class:`Run`.

    ``None`` if the run deadlocks, as it does where a plan lacks a transfer that a port waits for.
    """
    assert can_forecast(plan)
    return _Forecast(plan, payload_flits, payload_flits if last_flits is None else last_flits).cycles()


@dataclasses.dataclass(eq=False)
class _Packet:
    """A packet on its way.

    Members
    -------
    port : (processor, port)
        Of the sender.
    inputs, outputs : list of (node, number)
        Of the one or two routers on its way.
    crossed : list of :class:`int`
        The cycles in which its header left the sender, and crossed outputs so far.
    target : (processor, id)
    flits : :class:`int`
        Payload flits.
    asked : :class:`int`
        The cycle in which it began to ask for its next output.
    """

    port: _Port
    inputs: list[_End]
    outputs: list[_End]
    crossed: list[int]
    target: Place
    flits: int
    asked: int = 0


class _Forecast:
    """The state of a run, and what is still to happen."""

    def __init__(self, plan: Plan, payload_flits: int, last_flits: int) -> None:
        self.topology = plan.network.topology
        self.router = plan.network.router()
        self.flits, self.last_flits, self.last_parts = payload_flits, last_flits, plan.last_parts
        self.depth = plan.network.options.buffer_depth
        self.pace = 2 if self.depth == 1 else 1  # a buffer of one flit takes one every second cycle
        self.stages = plan.network.options.pipeline
        self.programs = {
            (processor, port): entries
            for processor, ports in enumerate(plan.programs)
            for port, entries in enumerate(ports)
        }
        self.index = dict.fromkeys(self.programs, 0)
        self.held = {(processor, number): 1 for (processor, _), number in plan.initial.items()}  # arrivals
        self.waiting: dict[Place, list[_Port]] = {}
        self.queues: dict[_End, deque[_Packet]] = {}  # the packets that are in an input or wait for it
        self.requests: dict[_End, list[_Packet]] = {}
        self.busy: set[_End] = set()
        self.latest: dict[_End, int] = {}  # the input that had an output last
        self.turns = _Turns(self.router.crossbar_ports) if plan.network.options.ports.copies else None
        self.resting = 0  # ports at a barrier or at their end
        self.under_way = 0
        self.end = 0  # the last cycle in which a port came to rest, or a packet was counted
        self.events: list[tuple[int, int, int, Callable[[int], None]]] = []
        self.posted = 0

    def cycles(self) -> int | None:
        """Follow all packets, and return the cycles of the run; ``None`` if it deadlocks."""
        for port in self.programs:
            self._post(0, lambda time, port=port: self._fetched(time, port))
        while self.events:
            time, _, _, happen = heapq.heappop(self.events)
            happen(time)
        ended = all(self.index[port] == len(program) for port, program in self.programs.items())
        return self.end + 1 if ended else None

    def _post(self, time: int, happen: Callable[[int], None], order: int = 0) -> None:
        """Let something happen in a cycle; outputs are given (order 1) when all have asked, who find what is held (-1)."""
        self.posted += 1
        heapq.heappush(self.events, (time, order, self.posted, happen))

    # Ports

    def _fetched(self, time: int, port: _Port) -> None:
        """A port has its next entry."""
        if self.index[port] == len(self.programs[port]):
            self._rests(time)
            return
        entry = self.programs[port][self.index[port]]
        if not entry.send:
            self._done(time, port)
            return
        source = port[0], entry.source
        if self.held.get(source, 0) < (entry.need if entry.combine else 1):
            self.waiting.setdefault(source, []).append(port)
            return
        self.under_way += 1
        self._enters(time, self._packet(time, port, entry), 0)

    def _packet(self, time: int, port: _Port, entry: Entry) -> _Packet:
        """The packet of an entry, whose way stands in its header."""
        header, router = self.router.header, self.router
        processor, number = port
        node = self.topology.node_of(processor)
        inputs, outputs = [(node, router.processor_port(self.topology.local_of(processor), number))], []
        while True:
            output = self._selected(entry.header, len(outputs), outputs)
            outputs.append((node, output))
            if output < router.processor_ports:
                local = output // router.ports
                place = self.topology.processors_of(node)[local], header.unpack_message(entry.header)
                flits = self.last_flits if place[1] in self.last_parts else self.flits
                return _Packet(port, inputs, outputs, [time], place, flits)
            channel, lane = divmod(output - router.processor_ports, router.lanes)
            end = self.topology.neighbour(node, channel)
            assert end is not None
            node, into = end
            inputs.append((node, router.lane_port(into, lane)))

    def _selected(self, entry: int, stage: int, before: Sequence[_End]) -> int:
        """The output of the router of ``stage`` that a header selects."""
        header = self.router.header
        if not header.copies:
            return entry >> stage * header.selector_bits & (1 << header.selector_bits) - 1
        if stage == 0:
            return (entry & (1 << header.outputs) - 1).bit_length() - 1
        branch = header.branch(before[0][1] - header.processor_outputs)
        return entry >> branch.start & (1 << header.selector_bits) - 1

    def _done(self, time: int, port: _Port) -> None:
        """A port has carried out its entry."""
        entry = self.programs[port][self.index[port]]
        self.index[port] += 1
        if entry.sync:
            self._rests(time + _NEXT_ENTRY)
        else:
            self._post(time + _NEXT_ENTRY, lambda time: self._fetched(time, port))

    def _rests(self, time: int) -> None:
        """A port is at a barrier, or at its end."""
        self.resting += 1
        self._went(time)

    def _went(self, time: int) -> None:
        """Note the cycle; all go on behind a barrier when every port rests and every packet has arrived."""
        self.end = max(self.end, time)
        if self.under_way or self.resting < len(self.programs):
            return
        going = [port for port, program in self.programs.items() if self.index[port] < len(program)]
        self.resting -= len(going)
        for port in going:
            self._post(self.end + 1, lambda time, port=port: self._fetched(time, port))

    # Packets

    def _enters(self, time: int, packet: _Packet, stage: int) -> None:
        """A header crosses into the input of a router, where it requests its output once it is in front."""
        queue = self.queues.setdefault(packet.inputs[stage], deque())
        queue.append(packet)
        if len(queue) == 1:
            self._post(time + self.stages, lambda time: self._asks(time, packet, stage))

    def _asks(self, time: int, packet: _Packet, stage: int) -> None:
        output = packet.outputs[stage]
        self.requests.setdefault(output, []).append(packet)
        packet.asked = time
        if self.turns is not None:
            self.turns.asks(time, packet.inputs[stage])
        if output not in self.busy:
            self._post(time, lambda time: self._free(time, output), order=1)

    def _free(self, time: int, output: _End) -> None:
        """A free output passes a lone header, or takes one of several for the next cycle."""
        asking = self.requests.get(output, []) if output not in self.busy else []
        if not asking:
            return
        if self.turns is None or len(asking) == 1:
            self._give(time + (len(asking) > 1), time, output, asking)
        elif before := [packet for packet in asking if packet.asked < time]:
            self._give(time + 1, time, output, before)
        else:
            self._post(time + 1, lambda time: self._free(time, output), order=1)

    def _ends(self, time: int, output: _End) -> None:
        """The last flit of a packet crosses an output, which takes the next packet meanwhile, unless routers copy packets."""
        asking = self.requests.get(output)
        if asking and self.turns is None:
            self._give(time + 1, time, output, asking)
        else:
            self._post(time + 1, lambda time: self._idle(time, output))

    def _idle(self, time: int, output: _End) -> None:
        self.busy.discard(output)
        self._post(time, lambda time: self._free(time, output), order=1)

    def _give(self, time: int, taken: int, output: _End, asking: Sequence[_Packet]) -> None:
        """Give an output to the first in turn, whose header crosses it in this cycle; it was taken in that one or before."""
        inputs = self.router.crossbar_ports
        if self.turns is None:
            first = self.latest.get(output, inputs - 1) + 1
        else:
            first = self.turns.first(output[0], taken - 1)

        def input_of(packet: _Packet) -> int:
            return packet.inputs[packet.outputs.index(output)][1]

        packet = min(asking, key=lambda packet: (input_of(packet) - first) % inputs)
        if self.turns is not None:
            self.turns.has((output[0], input_of(packet)), taken)
        self.requests[output].remove(packet)
        self.latest[output] = input_of(packet)
        self.busy.add(output)
        packet.crossed.append(time)
        stage = len(packet.crossed) - 1
        if stage < len(packet.outputs):
            self._post(time, lambda time: self._enters(time, packet, stage))
        else:
            self._passes(packet)

    def _passes(self, packet: _Packet) -> None:
        """A header crosses its last output: from now on all its flits move, and so it is known when the last one does."""
        crossed = packet.crossed

        def at(place: int, flit: int) -> int:
            """The cycle in which a flit crosses a place: one after that in which the buffer behind it has room again."""
            moving = crossed[place] + self.pace * flit
            if place + 1 == len(crossed) or flit < self.depth:
                return moving
            return max(moving, at(place + 1, flit - self.depth) + 1)

        sent, *ends = (at(place, packet.flits) for place in range(len(crossed)))
        for entered, output, end in zip(packet.inputs, packet.outputs, ends, strict=True):
            self._post(end, lambda time, entered=entered: self._leaves(time, entered))
            self._post(end, lambda time, output=output: self._ends(time, output), order=1)
        self._post(sent, lambda time: self._done(time, packet.port))
        self._post(ends[-1] + 1, self._counted)
        self._post(ends[-1] + 2, lambda time: self._holds(time, packet.target), order=-1)

    def _leaves(self, time: int, entered: _End) -> None:
        """The last flit of a packet leaves an input, where the header behind it is in front in the next cycle."""
        queue = self.queues[entered]
        queue.popleft()
        if queue:
            packet = queue[0]
            self._post(time + 1, lambda time: self._asks(time, packet, packet.inputs.index(entered)))

    def _counted(self, time: int) -> None:
        """A receiving port has counted a packet."""
        self.under_way -= 1
        self._went(time)

    def _holds(self, time: int, place: Place) -> None:
        """Mark a message as arrived, so that it can be sent."""
        self.held[place] = self.held.get(place, 0) + 1
        for port in self.waiting.pop(place, ()):
            self._post(time, lambda time, port=port: self._fetched(time, port))


class _Turns:
    """The turns of routers that copy packets: the input that is first at all outputs of a router, in each cycle.

    The first input changes every cycle, except that a requesting input stays first until it is granted its outputs.
    """

    def __init__(self, inputs: int) -> None:
        self._inputs = inputs
        self._asking: dict[_End, tuple[int, int | None]] = {}  # since when, and until when
        self._firsts: dict[_Node, list[int]] = {}  # of each cycle, as far as it is known

    def asks(self, time: int, place: _End) -> None:
        """An input has a header that asks from this cycle on."""
        self.first(place[0], time)
        self._asking[place] = time, None

    def has(self, place: _End, time: int) -> None:
        """Grant an input the output that it requests in this cycle."""
        self.first(place[0], time)
        self._asking[place] = self._asking[place][0], time

    def first(self, node: _Node, time: int) -> int:
        """The input that is first in this cycle."""
        firsts = self._firsts.setdefault(node, [0])
        while len(firsts) <= time:
            first, now = firsts[-1], len(firsts) - 1
            since, until = self._asking.get((node, first), (now + 1, None))
            stays = since <= now and (until is None or now <= until)
            firsts.append(first if stays else (first + 1) % self._inputs)
        return firsts[max(0, time)]
