"""The checker: whether a schedule keeps to the step model and does its work (DESIGN section 3).

It knows nothing of how schedules are made, and believes nothing that a schedule says about itself.
"""

from collections import Counter
import dataclasses
import itertools

__all__ = ["ScheduleError", "Checked", "check"]


class ScheduleError(ValueError):
    """A schedule breaks a rule. The message is one line that names the step, the processor, the message."""


@dataclasses.dataclass(frozen=True)
class Checked:
    """What is known of a schedule that passed: its number of steps and of transfers."""

    steps: int
    transfers: int


def check(schedule):
    """Returns a :class:`Checked` if ``schedule`` keeps to the step model and delivers every message.

    More transfers or steps than needed are no error: a processor may be given a message that it has.

    Raises
    ------
    ScheduleError
        At the first rule that is broken, in the order of the steps.
    ParameterError
        If the collective is a reduction: they are not built yet.
    """
    topology = schedule.topology
    messages = schedule.collective.each_message(topology, schedule.root)
    holders = {transfer.message: {transfer.message.origin} for transfer in schedule.transfers}
    for _, transfers in itertools.groupby(schedule.transfers, key=lambda transfer: transfer.step):
        transfers = list(transfers)
        for transfer in transfers:
            _check_transfer(transfer, schedule, holders[transfer.message])
        _check_lanes(transfers, topology)
        _check_receivers(transfers, schedule)
        _check_senders(transfers, schedule)
        for transfer in transfers:  # only now: what arrives in a step can be sent in the next
            holders[transfer.message].add(transfer.dst)
    for message in messages:
        for processor in message.destinations(topology):
            if processor not in holders.get(message, {message.origin}):
                raise ScheduleError(f"after step {schedule.steps}: processor {processor} has not received "
                                    f"message {message}")
    return Checked(schedule.steps, len(schedule.transfers))


def _check_transfer(transfer, schedule, holders):
    """One transfer by itself: its ends, its message and its lane."""
    topology = schedule.topology
    step, src, dst, message = transfer.step, transfer.src, transfer.dst, transfer.message
    for processor in (src, dst):
        if processor >= topology.processors:
            raise ScheduleError(f"step {step}: processor {processor} of the transfer of message {message} "
                                f"does not exist, the last one is {topology.processors - 1}")
    if src == dst:
        raise ScheduleError(f"step {step}: processor {src} sends message {message} to itself")
    if not schedule.collective.moves(message, topology, schedule.root):
        raise ScheduleError(f"step {step}: processor {src} sends message {message}, which is none of "
                            f"{schedule.collective.value}")
    if src not in holders:
        raise ScheduleError(f"step {step}: processor {src} sends message {message}, which it does not hold "
                            f"at the start of the step")
    here, there = topology.node_of(src), topology.node_of(dst)
    if here == there:
        if transfer.lane is not None:
            raise ScheduleError(f"step {step}: processor {src} sends message {message} to processor {dst} "
                                f"of its own node over lane {transfer.lane}, the lane must be null")
        return
    lanes = len(topology.channels_between(here, there)) * topology.f
    if not lanes:
        raise ScheduleError(f"step {step}: processor {src} sends message {message} to processor {dst}, but "
                            f"their nodes {here} and {there} are not adjacent")
    if transfer.lane is None or transfer.lane >= lanes:
        lane = "null" if transfer.lane is None else transfer.lane
        raise ScheduleError(f"step {step}: processor {src} sends message {message} to processor {dst} over "
                            f"lane {lane}, the lane must be from 0 to {lanes - 1}")


def _check_lanes(transfers, topology):
    """A lane carries one message a direction a step."""
    used = set()
    for transfer in transfers:
        lane = topology.node_of(transfer.src), topology.node_of(transfer.dst), transfer.lane
        if transfer.lane is not None and lane in used:
            raise ScheduleError(f"step {transfer.step}: processor {transfer.src} sends message "
                                f"{transfer.message} over lane {lane[2]} from node {lane[0]} to node "
                                f"{lane[1]}, which is taken in this step")
        used.add(lane)


def _check_receivers(transfers, schedule):
    """A processor receives at most k messages a step, and none of them twice."""
    ports = _processor_ports(schedule)
    received = Counter()
    messages = set()
    for transfer in transfers:
        if (transfer.dst, transfer.message) in messages:
            raise ScheduleError(f"step {transfer.step}: processor {transfer.dst} receives message "
                                f"{transfer.message} twice")
        messages.add((transfer.dst, transfer.message))
        received[transfer.dst] += 1
        if received[transfer.dst] > ports:
            raise ScheduleError(f"step {transfer.step}: processor {transfer.dst} receives message "
                                f"{transfer.message}, but all of its ports ({ports}) are taken in this step")


def _check_senders(transfers, schedule):
    """A processor sends at most k messages a step; where the router copies, one to any set of outputs."""
    ports = _processor_ports(schedule)
    sent = {}
    for transfer in transfers:
        messages = sent.setdefault(transfer.src, [])
        if schedule.ports.multicast and transfer.message in messages:
            continue
        messages.append(transfer.message)
        if len(messages) > ports:
            raise ScheduleError(f"step {transfer.step}: processor {transfer.src} sends message "
                                f"{transfer.message}, but all of its ports ({ports}) are taken in this step")


def _processor_ports(schedule):
    """The ports k of a processor."""
    return schedule.ports.processor_ports(schedule.topology.degree, schedule.topology.m)
