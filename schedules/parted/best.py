"""The best schedule that is known for messages in many parts, on any network."""

from collections.abc import Sequence
import dataclasses
import time

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.network import Network
from fatcube.noc.topologies.damaged import Damaged
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import best, construct
from fatcube.schedules.constructions.survivors import in_network, left_of
from fatcube.schedules.cycles import StepKinds, lockstep_cycles
from fatcube.schedules.parted.build import fewest_cycles, in_parts, lengths_of_parts
from fatcube.schedules.parted.last import with_short_steps
from fatcube.schedules.participants import EVERYBODY, Participants
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.search import Finding, simplex
from fatcube.schedules.step_model import STANDARD, Links, StepModel

__all__ = ["best_in_parts", "best_number_of_parts", "cycles_of_bound"]


def best_in_parts(
    topology: Topology,
    ports: PortModel | str,
    collective: Collective | str,
    root: int | None = 0,
    *,
    parts: int,
    model: StepModel = STANDARD,
    among: Participants = EVERYBODY,
) -> Finding:
    """The shortest schedule in so many ``parts`` that is constructed, with its lower bound, as a :class:`Finding`.

    Of one part it is that of :func:`fatcube.schedules.construct.best`.

    Raises
    ------
    ParameterError
        If a parameter is wrong, or no construction keeps to the step model.
    """
    started = time.monotonic()
    check_integer("parts", parts, minimum=1)
    ports, collective = PortModel.parse(ports), Collective.parse(collective)
    if parts == 1:
        return best(topology, ports, collective, root, model=model, among=among)
    root = collective.root_of(topology, root)
    collective.check_among(topology, root, among)
    bound = lower_bound(topology, ports, collective, root, model, parts, among)
    schedule = with_short_steps(_schedule(topology, ports, collective, root, parts, model, among))
    return Finding(collective, schedule, f"constructed, {parts} parts", bound, time.monotonic() - started)


def _schedule(
    topology: Topology,
    ports: PortModel,
    collective: Collective,
    root: int | None,
    parts: int,
    model: StepModel,
    among: Participants,
) -> Schedule:
    """The schedule, made for the lanes that a step can use, and for what failures have left."""
    if model.links is Links.SIMPLEX:
        full_duplex = model.changed(links=Links.FULL_DUPLEX)
        return simplex(
            _schedule(model.lanes_of(topology), ports, collective, root, parts, full_duplex, among), topology
        )
    if isinstance(topology, Damaged):
        left, here, participants = left_of(topology, root, among)
        return in_network(_schedule(left, ports, collective, here, parts, model, participants), topology, among)

    def undivided(topology: Topology, ports: PortModel, collective: Collective, root: int | None) -> Schedule:
        found = construct(topology, ports, collective, root, model, among).schedule
        if found is None:
            raise ParameterError(f"parts must be 1 for {collective.value} with {model}, which no construction keeps to")
        return found

    return in_parts(topology, ports, collective, root, parts, undivided, model, among)


def cycles_of_bound(
    topology: Topology,
    network: Network,
    collective: Collective,
    root: int | None,
    payload_flits: int,
    parts: int,
    *,
    model: StepModel = STANDARD,
    among: Participants = EVERYBODY,
) -> int:
    """The cycles in lockstep of as many steps as the lower bound has; where nodes have several processors, of short ones.

    Where the last part of a message is shorter, the other parts move in as many steps as the bound of so many parts has at
    least, and what is left of the bound may be steps of last parts only.
    """

    def cycles(steps: int, flits: int) -> int:
        kinds = StepKinds(steps, 0, 0) if topology.m == 1 else StepKinds(0, steps, 0)
        return lockstep_cycles(kinds, network, flits)

    def steps(parts: int) -> int:
        return lower_bound(topology, network.options.ports, collective, root, model, parts, among).steps

    flits, last = lengths_of_parts(payload_flits, parts)
    if last == flits:
        return cycles(steps(parts), flits)
    long = steps(parts - 1)
    return cycles(long, flits) + cycles(max(0, steps(parts) - long), last)


def best_number_of_parts(
    topology: Topology,
    network: Network,
    collective: Collective,
    root: int | None,
    payload_flits: int,
    *,
    model: StepModel = STANDARD,
    among: Participants = EVERYBODY,
    numbers: Sequence[int] | None = None,
) -> Finding:
    """What :func:`best_in_parts` finds for the number of parts that takes the fewest cycles in lockstep on ``network``.

    ``payload_flits`` are those of an undivided message. Cycles are those of :func:`fatcube.schedules.cycles.lockstep_cycles`, of schedules
    and of lower bounds. ``network`` is on ``topology``, with the lanes of ``model``. ``numbers`` are
    those to choose from, instead of all.
    """
    ports = network.options.ports

    def of_bound(parts: int) -> int:
        return cycles_of_bound(topology, network, collective, root, payload_flits, parts, model=model, among=among)

    def build(parts: int) -> Finding:
        return best_in_parts(topology, ports, collective, root, parts=parts, model=model, among=among)

    def cycles(finding: Finding) -> int:
        assert finding.schedule is not None
        parts = finding.schedule.parts
        there = dataclasses.replace(network, parts=parts)
        return lockstep_cycles(finding.schedule, there, *lengths_of_parts(payload_flits, parts))

    return fewest_cycles(payload_flits, of_bound, build, cycles, numbers)
