"""Time reversal: a gather is a scatter run backwards, a reduction is a broadcast run backwards.

Backwards, every transfer goes the other way and the last step comes first. A message that went out from its
origin comes in to it; where a broadcast gave a processor the message and the processor passed it on later, the
reduction collects what those others have accumulated before the processor passes its own sum on. So each of
the two is a schedule exactly if the other is, as long as every processor is given a message once. Where links go
one way, by themselves or because the step model has simplex links, they are turned round too: the schedule is for the
mirror image of the network (:attr:`Topology.mirror`), so
its processors are those seen in the mirror.

Ports and lanes are the same in both directions, with one exception: the router of model b copies what it
sends, but nothing adds up what several outputs would send to one input (and a partial sum that were copied
would be counted twice). So in model b what runs backwards is a schedule for model 1: AOG, AOR and AAR take the
same steps in both models, unlike OAB.
"""

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.schedule import Schedule, Transfer

__all__ = ["backwards", "forwards"]


def forwards(ports: PortModel, collective: Collective) -> tuple[PortModel, Collective] | None:
    """The router model and the collective whose reversal is ``collective``; ``None`` if it is no reversal."""
    if collective.reversal is None:
        return None
    return PortModel.ONE if ports.copies else ports, collective.reversal


def backwards(schedule: Schedule, ports: PortModel | str, collective: Collective | str) -> Schedule:
    """The schedule for ``collective`` on router model ``ports`` that is ``schedule`` run backwards in time.

    ``schedule`` is one for what :func:`forwards` gives, and gives no processor a message twice. Its root is the
    mirror image of the root that is wanted.
    """
    topology, seen = schedule.topology, schedule.model.lanes_of(schedule.topology)
    mirrored = seen.mirrored
    moves = [
        Move(
            schedule.steps + 1 - transfer.step,
            mirrored(transfer.dst),
            mirrored(transfer.src),
            Message(mirrored(transfer.message.destination), mirrored(transfer.message.origin), transfer.message.part),
            tuple(seen.mirror[node] for node in _way_back(transfer, topology)),
        )
        for transfer in schedule.transfers
    ]
    return Schedule.from_moves(
        topology.mirror_image,
        ports,
        collective,
        mirrored(schedule.root),
        moves,
        symmetric=schedule.symmetric,
        parts=schedule.parts,
        model=schedule.model,
        among=schedule.among.mirrored(seen).reversed,
    )


def _way_back(transfer: Transfer, topology: Topology) -> list[int]:
    """The nodes of the path of a transfer from its end on: those that it enters backwards."""
    return [here for here, _, _ in transfer.hops(topology)][::-1] if transfer.path else []
