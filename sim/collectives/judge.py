"""The checks of a run: every delivery word by word, every wire packet by packet, every counter, and no conflict."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.wires import LaneWire
from fatcube.noc.network import Network
from fatcube.rtl.endpoint.monitor import TraceEntry, signature_of
from fatcube.sim.builds.job import Observation
from fatcube.sim.builds.words import unpacker
from fatcube.sim.collectives.flow import Parts, Place
from fatcube.sim.collectives.plan import Contents, Plan
from fatcube.sim.collectives.run import Run

__all__ = ["ExpectedContents", "Fields", "Payload", "judge"]


Payload: TypeAlias = dict[Place, list[int]]
"""The words that are loaded, for each of ``Plan.initial``."""

Fields: TypeAlias = Any
"""A word of the hardware, unpacked: a named tuple whose layout gives it its fields when it is made."""

_Key: TypeAlias = tuple[int, int]  # identifies a packet on a wire: step and message id


def judge(
    machine: Machine,
    run: Run,
    plan: Plan,
    payload: Payload,
    observation: Observation,
    statuses: Sequence[Fields],
) -> tuple[int, list[str]]:
    """Compare a run with its plan.

    Returns
    -------
    delivered : :class:`int`
        Messages found, word by word, where they must be.
    failures : list of :class:`str`
        Every fault and its place; empty if there is none.
    """
    contents = ExpectedContents(payload, plan.network)
    failures: list[str] = []
    if observation.ends["stalled"]:
        failures += _stalls(run, plan, observation, statuses)
    elif run.lockstep and observation.ends["steps"] != run.schedule.steps:
        failures.append(
            f"the hardware counted {observation.ends['steps']} steps, the schedule has {run.schedule.steps}"
        )
    if run.lockstep:
        for node, conflicts in enumerate(observation.counters["conflict_count"]):
            if conflicts:
                failures.append(
                    f"router of node {node}: packets waited for each other in {conflicts} cycles of a lockstep run"
                )
    failures += observation.errors(lanes_turn=machine.network.options.shared_lanes)
    failures += _wires(machine, run, plan, contents, observation)
    failures += [] if failures else _counts(machine, observation)
    delivered, wrong = _deliveries(run, plan, contents, observation)
    return delivered, failures + wrong


class ExpectedContents:
    """The contents that packets must carry: loaded words, and sums of them."""

    def __init__(self, payload: Payload, network: Network) -> None:
        self.payload = payload
        self._width = network.options.width
        self._mask = (1 << self._width) - 1
        self._header = network.router().header
        self._signatures: dict[Contents, int] = {}
        self._summed: Parts = ()
        self._sum: list[int] = []

    def words(self, parts: Parts) -> list[int]:
        """The sum of the messages loaded at ``parts``, word by word."""
        if len(parts) == 1:
            return self.payload[parts[0]]
        if parts != self._summed:  # many processors hold the same sum
            loaded = [self.payload[part] for part in parts]
            self._summed, self._sum = parts, [sum(words) & self._mask for words in zip(*loaded)]
        return self._sum

    def signature(self, messages: Contents) -> int:
        """The signature of a packet with the contents of a :class:`~fatcube.sim.collectives.plan.Crossing`.

        The header of every message but the first is a word of it.
        """
        if messages not in self._signatures:
            [(_, first), *others] = messages
            words = [*self.words(first)]
            for number, parts in others:
                words += [self._header.pack([], number), *self.words(parts)]
            self._signatures[messages] = signature_of(words, self._width)
        return self._signatures[messages]

    def difference(self, found: Sequence[int], parts: Parts) -> str:
        """The one contribution that explains the words found, in brackets; empty if none does alone."""
        if len(parts) == 1:
            return ""
        rest = [(word - expected) & self._mask for word, expected in zip(found, self.words(parts))]
        for processor, slot in parts:
            loaded = self.payload[processor, slot]
            if rest == loaded:
                return f" (the contribution of processor {processor} is in it twice)"
            if rest == [-word & self._mask for word in loaded]:
                return f" (the contribution of processor {processor} is not in it)"
        return ""


def _described(messages: Contents) -> str:
    """A phrase for the contents that a packet should have."""
    (_, parts), *others = messages
    if others:
        return f"what was loaded for its {len(messages)} messages"
    if len(parts) < 2:
        return "what was loaded" if parts else "an empty sum"
    processors = [str(processor) for processor, _ in parts]
    if len(processors) > 8:
        return f"the sum of what {len(processors)} processors contribute"
    return f"the sum of what processors {', '.join(processors[:-1])} and {processors[-1]} contribute"


def _name(plan: Plan, number: int) -> str:
    """A message by its id, which on a faulty wire may be none."""
    return str(plan.messages[number]) if number < len(plan.messages) else f"with unknown id {number}"


def _stalls(run: Run, plan: Plan, observation: Observation, statuses: Sequence[Fields]) -> list[str]:
    """The ports that wait, and for which packets."""
    where = f"in step {observation.ends['steps'] + 1}" if run.lockstep else "in dataflow"
    failures = [f"the run stalled {where} after {observation.ends['cycles']} cycles"]
    ports = plan.network.processor_ports
    for index, status in enumerate(statuses):
        processor, port = divmod(index, ports)
        step = observation.ends["steps"] + 1
        if status.blocked:
            failures.append(f"processor {processor}, sending port {port}: waits {where} for the router to take a flit")
        if status.missing:
            entry = plan.programs[processor][port][status.entry]
            message = plan.network.router().header.unpack_message(entry.header)
            failures.append(
                f"processor {processor}, sending port {port}: waits for message "
                f"{_name(plan, message)}, which it is to send"
            )
        if status.received < status.expected:
            source = plan.sources.get((processor, port, step)) if run.lockstep else None
            what = (
                f"message {_name(plan, source[1])} from processor {source[0]}"
                if source
                else f"{status.expected - status.received} more of {status.expected} packets"
            )
            failures.append(f"processor {processor}, receiving port {port}: waits {where} for {what}")
        if status.received > status.expected:
            failures.append(
                f"processor {processor}, receiving port {port}: received {status.received} packets "
                f"where {status.expected} were to arrive"
            )
    return failures


def _wires(machine: Machine, run: Run, plan: Plan, contents: ExpectedContents, observation: Observation) -> list[str]:
    """Compare the trace of every wire with the schedule."""
    width = plan.network.options.width
    header = plan.network.router().header
    unpack = unpacker(TraceEntry(width))
    topology = plan.network.topology
    failures = []
    for wire, count, trace in zip(machine.wires, observation.counts, observation.traces):
        packets, flits = count & 0xFFFFFFFF, count >> 32
        place = wire.describe(topology)
        entries: list[Fields] = [*map(unpack, trace)]
        # Packets are identified by step and id. In dataflow packets of different steps may change places (the step
        # of all is 0), but the set of packets and their contents may not change.
        expected: dict[_Key, list[Contents]] = {}
        for crossing in plan.crossings[wire]:
            key = crossing.step if run.lockstep else 0, crossing.message
            expected.setdefault(key, []).append(crossing.contents)
        seen = [(entry.step, header.unpack_message(entry.header)) for entry in entries]
        wanted = [key for key, several in expected.items() for _ in several]
        for step, number in _surplus(wanted, seen):
            failures.append(f"{place}: message {_name(plan, number)} is missing{_step(step)}")
        for step, number in _surplus(seen, wanted):
            failures.append(
                f"{place}: message {_name(plan, number)} crossed it{_step(step)}, where the schedule has none"
            )
        # Several sums can have the same id: each must cross as often as it is expected.
        awaited = {key: Counter(map(contents.signature, several)) for key, several in expected.items()}
        good = []
        for entry, key in zip(entries, seen):
            good.append(awaited.get(key, {}).get(entry.signature, 0) > 0)
            if good[-1]:
                awaited[key][entry.signature] -= 1
        for entry, key, is_good in zip(entries, seen, good):
            step, number = key
            # In dataflow packets of different steps may have the same id, and not the same number of messages.
            lengths = sorted({_flits(run, plan, one) for one in expected.get(key, [])}) or [run.payload_flits + 1]
            if entry.flits not in lengths:
                failures.append(
                    f"{place}: the packet with message {_name(plan, number)}{_step(step)} had "
                    f"{entry.flits} flits, not {' or '.join(map(str, lengths))}"
                )
            elif not is_good and key in awaited and awaited[key].total():
                failures.append(
                    f"{place}: the payload of message {_name(plan, number)}{_step(step)} was not "
                    f"{' or '.join(dict.fromkeys(map(_described, expected[key])))}"
                )
        whole = sum(entry.flits for entry in entries)
        if packets == len(entries) and flits != whole:
            failures.append(f"{place}: {flits - whole} flits after the last whole packet")
    return failures


def _counts(machine: Machine, observation: Observation) -> list[str]:
    """Compare the flits that each router counted with those that the monitors of its outputs saw, where all have one."""
    if machine.monitors != "all":
        return []
    seen = [0] * machine.network.topology.nodes
    for wire, count in zip(machine.wires, observation.counts):
        if isinstance(wire, LaneWire) or wire.way == "receive":
            seen[wire.node] += count >> 32
    return [
        f"router of node {node}: it counted {counted} flits, and the monitors of its outputs {flits}"
        for node, (counted, flits) in enumerate(zip(observation.counters["flit_count"], seen))
        if counted != flits
    ]


def _flits(run: Run, plan: Plan, contents: Contents) -> int:
    """The flits of a packet with these messages."""
    return sum(run.flits_of(plan.messages[number]) + 1 for number, _ in contents)


def _step(step: int) -> str:
    return f" in step {step}" if step else ""


def _surplus(keys: Sequence[_Key], others: Sequence[_Key]) -> list[_Key]:
    """The keys that are in ``keys`` more often than in ``others``."""
    unmatched = list(others)
    surplus = []
    for key in keys:
        if key in unmatched:
            unmatched.remove(key)
        else:
            surplus.append(key)
    return surplus


def _deliveries(run: Run, plan: Plan, contents: ExpectedContents, observation: Observation) -> tuple[int, list[str]]:
    """Compare every message at every destination with the words loaded at its origin, or at all contributors."""
    delivered, failures = 0, []
    for delivery, found in zip(plan.final, observation.payload):
        expected = contents.words(delivery.parts)
        words = run.flits_of(delivery.message)
        different = [index for index in range(words) if found[index] != expected[index]]
        if different:
            index = different[0]
            failures.append(
                f"processor {delivery.processor}, {'all banks' if delivery.bank is None else f'bank {delivery.bank}'}: "
                f"message {delivery.message} differs in {len(different)} of {words} words, first in word "
                f"{index}: {found[index]:#x}, not {expected[index]:#x}{contents.difference(found, delivery.parts)}"
            )
        else:
            delivered += 1
    return delivered, failures
