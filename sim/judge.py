"""What a run must show: every delivery word by word, every wire packet by packet, and no conflict."""

from amaranth.lib import data

from rtl.monitor import TraceEntry, signature_of
from schedules.program import Crossing

__all__ = ["judge"]


def judge(machine, run, plan, payload, observation, statuses):
    """Holds a run against its plan.

    Returns
    -------
    delivered : :class:`int`
        Messages that were found, word by word, where they must be.
    failures : list of :class:`str`
        What is wrong, and where; empty if all is well.
    """
    failures = []
    if observation["stalled"]:
        failures += _stalls(run, plan, observation, statuses)
    elif run.lockstep and observation["steps"] != run.schedule.steps:
        failures.append(f"the hardware counted {observation['steps']} steps, the schedule has "
                        f"{run.schedule.steps}")
    if run.lockstep:
        for node, conflicts in enumerate(observation["conflicts"]):
            if conflicts:
                failures.append(f"router of node {node}: packets waited for each other in {conflicts} cycles "
                                f"of a lockstep run")
    failures += _wires(machine, run, plan, payload, observation)
    delivered, wrong = _deliveries(run, plan, payload, observation)
    return delivered, failures + wrong


def _name(plan, number):
    """A message by its id, which on a faulty wire may be none."""
    return str(plan.messages[number]) if number < len(plan.messages) else f"with unknown id {number}"


def _stalls(run, plan, observation, statuses):
    """Who waits, and for what."""
    where = f"in step {observation['steps'] + 1}" if run.lockstep else "in dataflow"
    failures = [f"the run stalled {where} after {observation['cycles']} cycles"]
    ports = plan.network.processor_ports
    for index, status in enumerate(statuses):
        processor, port = divmod(index, ports)
        step = observation["steps"] + 1
        if status.blocked:
            failures.append(f"processor {processor}, sending port {port}: waits {where} for the router to take "
                            f"a flit")
        if status.missing:
            entry = plan.programs[processor][port][status.entry]
            message = plan.network.router().header.unpack_message(entry.header)
            failures.append(f"processor {processor}, sending port {port}: waits for message "
                            f"{_name(plan, message)}, which it is to send")
        if status.received < status.expected:
            source = plan.sources.get((processor, port, step)) if run.lockstep else None
            what = (f"message {_name(plan, source[1])} from processor {source[0]}" if source
                    else f"{status.expected - status.received} more of {status.expected} packets")
            failures.append(f"processor {processor}, receiving port {port}: waits {where} for {what}")
        if status.received > status.expected:
            failures.append(f"processor {processor}, receiving port {port}: received {status.received} packets "
                            f"where {status.expected} were to arrive")
    return failures


def _wires(machine, run, plan, payload, observation):
    """Every wire's trace against the schedule."""
    width = plan.network.width
    header = plan.network.router().header
    layout = TraceEntry(width)
    signatures = [signature_of(words, width) for words in payload]
    topology = plan.network.topology
    traces = iter(observation["traces"])
    failures = []
    for wire, count in zip(machine.wires, observation["counts"]):
        packets, flits = count & 0xffffffff, count >> 32
        place = wire.describe(topology)
        entries = [data.Const(layout, next(traces))
                   for _ in range(min(packets, machine.program_entries))]
        expected = list(plan.crossings[wire])
        seen = [Crossing(entry.step, header.unpack_message(entry.header)) for entry in entries]
        if not run.lockstep:
            # Packets of different steps may change places; which cross the wire may not.
            expected = [Crossing(0, crossing.message) for crossing in expected]
        for crossing in _without(expected, seen):
            failures.append(f"{place}: message {_name(plan, crossing.message)} is missing{_step(crossing)}")
        for crossing in _without(seen, expected):
            failures.append(f"{place}: message {_name(plan, crossing.message)} crossed it{_step(crossing)}, "
                            f"where the schedule has none")
        for entry, crossing in zip(entries, seen):
            if entry.flits != run.payload_flits + 1:
                failures.append(f"{place}: the packet with message {_name(plan, crossing.message)}{_step(crossing)} "
                                f"had {entry.flits} flits, not {run.payload_flits + 1}")
            elif crossing.message < len(signatures) and entry.signature != signatures[crossing.message]:
                failures.append(f"{place}: the payload of message {_name(plan, crossing.message)}{_step(crossing)} "
                                f"was not what was loaded")
        whole = sum(entry.flits for entry in entries)
        if packets == len(entries) and flits != whole:
            failures.append(f"{place}: {flits - whole} flits after the last whole packet")
    return failures


def _step(crossing):
    return f" in step {crossing.step}" if crossing.step else ""


def _without(some, others):
    """What is in ``some`` more often than in ``others``."""
    others = list(others)
    rest = []
    for one in some:
        if one in others:
            others.remove(one)
        else:
            rest.append(one)
    return rest


def _deliveries(run, plan, payload, observation):
    """Every message at every destination, against what was loaded at its origin."""
    words = iter(observation["payload"])
    delivered, failures = 0, []
    for (processor, number), bank in plan.final.items():
        found = [next(words) for _ in range(run.payload_flits)]
        wrong = [index for index in range(run.payload_flits) if found[index] != payload[number][index]]
        if wrong:
            index = wrong[0]
            failures.append(
                f"processor {processor}, bank {bank}: message {plan.messages[number]} differs in {len(wrong)} of "
                f"{run.payload_flits} words, first in word {index}: {found[index]:#x}, not "
                f"{payload[number][index]:#x}")
        else:
            delivered += 1
    return delivered, failures
