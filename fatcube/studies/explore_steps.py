"""What a collective takes on a network that `explore` looks at: steps and cycles, whatever a step allows."""

from typing import NamedTuple

from fatcube.studies.steps import fewest_steps, steps_of
from groundwork.validation import ParameterError
from noc.network import Network
from schedules.bounds import lower_bound
from schedules.collective import Collective
from schedules.construct import construct
from schedules.cycles import StepKinds, lockstep_cycles
from schedules.step_model import STANDARD, StepModel, Transfers

__all__ = ["Work", "least_cycles", "work_of"]


class Work(NamedTuple):
    """The steps of a collective, and its cycles in lockstep, which are exact."""

    steps: int
    cycles: int


def work_of(network: Network, collective: Collective, allowed: StepModel, payload_flits: int) -> Work:
    """What the quickest of the schedules takes that are constructed for these steps and for narrower ones on the same links.

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
    schedule = construct(topology, ports, collective, model=model).schedule
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
        sum(lower_bound(topology, ports, phase, model=one).steps for phase in collective.phases)
        for one in (allowed, single)
    )
    short = lockstep_cycles(StepKinds(0, steps, 0), network, payload_flits)
    return short + max(0, messages - steps) * (payload_flits + 1)
