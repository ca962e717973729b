"""The steps and cycles of a collective on a network in `explore`, with any rules of a step."""

import dataclasses
from typing import NamedTuple

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.network import Network
from fatcube.rtl.endpoint.monitor import MOST_FLITS
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.collective import Collective, End
from fatcube.schedules.construct import construct
from fatcube.schedules.cycles import StepKinds, lockstep_cycles
from fatcube.schedules.pipelined.best import best_number_of_parts, cycles_of_bound
from fatcube.schedules.pipelined.build import lengths_of_parts
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import STANDARD, StepModel, Transfers
from fatcube.studies.steps import fewest_steps, steps_of

__all__ = ["Work", "flits_of_message", "least_cycles", "least_in_parts", "work_in_parts", "work_of"]


_MOST_PARTS = 64  # numbers of parts are powers of two up to this


class Work(NamedTuple):
    """The steps of a collective, its cycles in lockstep, which are exact, and the parts of each message."""

    steps: int
    cycles: int
    parts: int = 1


def work_of(network: Network, collective: Collective, allowed: StepModel, payload_flits: int) -> Work:
    """The steps and cycles of the quickest schedule constructed for these steps or for narrower ones on the same links.

    With the usual steps a schedule need not be constructed to be counted.

    Raises
    ------
    ParameterError
        If no schedule is constructed.
    """
    found = [
        work
        for transfers in (Transfers.ADJACENT, Transfers.DIRECT)
        for number in dict.fromkeys((1, allowed.per_packet))
        if (one := allowed.changed(transfers=transfers, per_packet=number)) <= allowed
        and (work := _constructed(network, collective, one, payload_flits)) is not None
    ]
    if not found:
        raise ParameterError(f"workload must have what can be constructed with {allowed}, unlike {collective.value}")
    return min(found, key=lambda work: work.cycles)


def _constructed(network: Network, collective: Collective, model: StepModel, payload_flits: int) -> Work | None:
    topology, ports = network.topology, network.options.ports
    if model == STANDARD:
        kinds = steps_of(topology, ports, collective)
        return Work(kinds.steps, lockstep_cycles(kinds, network, payload_flits))
    schedule = construct(Problem(topology, ports, collective, model=model)).schedule
    if schedule is None:
        return None
    longest = max((len(transfer.path) for transfer in schedule.transfers), default=0)
    if longest > network.options.hops:
        network = Network(topology, network.options.changed(hops=longest))
    return Work(schedule.steps, lockstep_cycles(schedule, network, payload_flits))


def least_cycles(network: Network, collective: Collective, allowed: StepModel, payload_flits: int) -> int:
    """A lower bound of the cycles of :func:`work_of`, in milliseconds where a schedule takes seconds to construct.

    Every step is a short one. Where packets hold several messages, as many messages follow each other as there are steps
    without combining, as a step of n messages can be done in n of these.
    """
    topology, ports = network.topology, network.options.ports
    if allowed == STANDARD:
        return lockstep_cycles(StepKinds(0, fewest_steps(topology, ports, collective), 0), network, payload_flits)
    single = allowed.changed(per_packet=1)
    steps, messages = (
        sum(lower_bound(Problem(topology, ports, phase, model=one)).steps for phase in collective.phases)
        for one in (allowed, single)
    )
    short = lockstep_cycles(StepKinds(0, steps, 0), network, payload_flits)
    return short + max(0, messages - steps) * (payload_flits + 1)


def flits_of_message(message_bytes: int, collective: Collective, network: Network) -> int:
    """The payload flits of each message where a processor has, or gets, ``message_bytes`` bytes.

    Of what it has for each of the P processors, or adds to the sum of each, it is one P-th; a message for everybody is all of it.

    Raises
    ------
    ParameterError
        If a packet cannot have that number of flits.
    """
    divided = collective.phases_of or collective.personalized or collective.destination is End.EACH
    share = network.topology.processors if divided and collective.pairs is None else 1
    flits = max(1, -(-8 * message_bytes // (share * network.options.width)))
    return check_integer(f"payload flits of {message_bytes} bytes", flits, minimum=1, maximum=MOST_FLITS - 1)


def work_in_parts(network: Network, collective: Collective, payload_flits: int) -> Work:
    """The work of a collective with messages of ``payload_flits`` flits, in the number of parts with the fewest cycles."""
    root = 0 if collective.rooted else None
    found = best_number_of_parts(
        Problem(network.topology, network.options.ports, collective, root),
        network,
        payload_flits,
        numbers=_numbers(payload_flits),
    )
    schedule = found.schedule
    assert schedule is not None
    there = dataclasses.replace(network, parts=schedule.parts)
    cycles = lockstep_cycles(schedule, there, *lengths_of_parts(payload_flits, schedule.parts))
    return Work(schedule.steps, cycles, schedule.parts)


def least_in_parts(network: Network, collective: Collective, payload_flits: int) -> int:
    """A lower bound of the cycles of :func:`work_in_parts`, without a schedule."""
    root = 0 if collective.rooted else None
    return min(
        cycles_of_bound(
            Problem(network.topology, network.options.ports, collective, root, parts=parts), network, payload_flits
        )
        for parts in _numbers(payload_flits)
    )


def _numbers(payload_flits: int) -> list[int]:
    """The numbers of parts that are tried: powers of two."""
    return [1 << power for power in range(_MOST_PARTS.bit_length()) if 1 << power <= payload_flits]
