"""The lower bound that a schedule is compared with: that of its collective, and of the phases that it consists of."""

from noc.topologies.damaged import Damaged
from schedules.bounds import lower_bound
from schedules.collective import Collective
from schedules.counting import Bound, highest, lanes_bound
from schedules.schedule import Schedule

__all__ = ["bound_of"]


def bound_of(schedule: Schedule) -> Bound:
    """The highest lower bound on the steps of a schedule's collective on its network, in its parts.

    The transfers of partial sums of an all-reduce are a reduce-scatter, and those of whole sums an all-gather, each in all
    parts, so the bounds of both hold for it; and for each part of each sum, something leaves every other node at least once,
    and the sum enters it.
    """
    topology, parts = schedule.topology, schedule.parts
    collectives = dict.fromkeys((schedule.collective, *schedule.collective.phases))
    bounds = [
        lower_bound(topology, schedule.ports, one, schedule.root, schedule.model, parts, schedule.among)
        for one in collectives
    ]
    if schedule.collective is Collective.ALL_REDUCE and schedule.among.all and not isinstance(topology, Damaged):
        crossings = 2 * topology.processors * (len(topology.served) - 1) * parts
        bounds.append(lanes_bound(topology, schedule.model, crossings, "crossings"))
    return highest(*bounds)
