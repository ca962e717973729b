"""An all-reduce: a reduce-scatter, and then an all-gather of the sums."""

import dataclasses

from fatcube.schedules.collective import Collective
from fatcube.schedules.participants import Participants
from fatcube.schedules.schedule import Schedule

__all__ = ["all_reduce"]


def all_reduce(collect: Schedule, spread: Schedule) -> Schedule:
    """The all-reduce of a reduce-scatter and an all-gather that are for the same network, step model and parts."""
    if spread.symmetric != collect.symmetric:
        spread, collect = spread.expanded(), collect.expanded()
    everybody, homes = spread.among.targets, spread.among.sources
    among = Participants(everybody, everybody, None if homes == everybody else homes)
    later = [dataclasses.replace(transfer, step=collect.steps + transfer.step) for transfer in spread.transfers]
    transfers = *collect.transfers, *later
    return dataclasses.replace(collect, collective=Collective.ALL_REDUCE, among=among, transfers=transfers)
