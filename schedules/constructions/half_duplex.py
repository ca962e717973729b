"""Half-duplex lanes from full-duplex ones: half of the lanes for each direction, or one direction after the other.

A lane that carries one packet in a step, in either direction, does what a full-duplex one does

- in the same steps, if there are two of them: so f lanes do what floor(f / 2) full-duplex ones do, which is all that they can if
  f is even. On cubes, full-duplex lanes take ceil(m P / (2 f)) steps for an all-to-all with many ports and f <= m
  (:mod:`fatcube.schedules.constructions.all_to_all`), and so half-duplex lanes take ceil(m P / f), as few as all hops need
  (:func:`fatcube.schedules.bounding.totals.lanes_in_total`); and with one port and m <= f d / 2 they take the d P / 2 + m - 1 of full-duplex lanes.
- in twice the steps: at first what goes to a node with a higher number or stays in the node, then the rest. That is at most one
  step more than the lanes need, for any number of them, if the full-duplex schedule has as many steps as its lanes need:
  2 ceil(x / 2) <= ceil(x) + 1.

With one port an all-gather needs neither: :mod:`fatcube.schedules.constructions.hamiltonian` has it in P - 1 steps.
"""

import dataclasses

from fatcube.noc.topology import Topology
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.size import check_transfers
from fatcube.schedules.step_model import StepModel

__all__ = ["half_of_the_lanes", "on_all_lanes", "one_way_at_a_time"]


def half_of_the_lanes(topology: Topology) -> Topology:
    """The network with half of its lanes, of which there are two or more per link."""
    return dataclasses.replace(topology, f=topology.f // 2)


def on_all_lanes(schedule: Schedule, topology: Topology, model: StepModel) -> Schedule:
    """A schedule of :func:`half_of_the_lanes`, with full-duplex links, as one of ``topology`` with half-duplex ones."""
    moves = [transfer.move for transfer in schedule.expanded().transfers]
    return Schedule.from_moves(topology, schedule.ports, schedule.collective, schedule.root, moves, model=model)


def one_way_at_a_time(schedule: Schedule, model: StepModel) -> Schedule:
    """Every step as two: first what goes to a node with a higher number or stays in the node, then the rest."""
    check_transfers(
        schedule.size, f"for {schedule.collective.value} on the {schedule.topology.name} with half-duplex links"
    )
    schedule = schedule.expanded()
    node_of = schedule.topology.node_of
    moves = [
        transfer.move._replace(step=2 * transfer.step - (node_of(transfer.dst) >= node_of(transfer.src)))
        for transfer in schedule.transfers
    ]
    return Schedule.from_moves(
        schedule.topology, schedule.ports, schedule.collective, schedule.root, moves, model=model
    )
