"""Machines that are small enough for a board."""

import dataclasses

from amaranth.utils import ceil_log2

from fatcube.groundwork.validation import check_integer
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.rtl.endpoint.monitor import MOST_FLITS
from fatcube.sim.traffic.load import QUEUE
from fatcube.sim.traffic.load_point import BINS

__all__ = ["board_machine", "board_traffic_machine"]


def board_machine(
    network: Network,
    *,
    payload_flits: int = 16,
    memory_words: int | None = None,
    program_entries: int = 32,
    reductions: bool = True,
    monitors: str = "all",
) -> Machine:
    """A machine on ``network`` whose memories have no more room than every collective needs.

    Parameters
    ----------
    network : :class:`Network`
    payload_flits : :class:`int`
        The longest payload; memories have room for as many messages of it as there are pairs of processors.
    memory_words : :class:`int` or ``None``
        Words in each bank of a message memory, in place of the number that follows from the payload.
    program_entries : :class:`int`
        One more than the most steps of a schedule.
    reductions : :class:`bool`
        True if processors can add, which AOR, AAR and all-reduce need.
    monitors : :class:`str`
        The wires that are traced: one of :data:`fatcube.noc.machines.machine.MONITORS`.

    Raises
    ------
    ParameterError
        If a parameter is out of its range.
    """
    check_integer("payload flits", payload_flits, minimum=1, maximum=MOST_FLITS - 1)
    if memory_words is None:
        pairs = network.topology.processors**2
        memory_words = 1 << ceil_log2(pairs * network.parts) + ceil_log2(payload_flits)
    return Machine(
        network=network,
        memory_words=memory_words,
        program_entries=program_entries,
        reductions=reductions,
        monitors=monitors,
    )


def board_traffic_machine(network: RoutedNetwork) -> TrafficMachine:
    """The machine with traffic on ``network`` that measures what :class:`fatcube.sim.traffic.load.LoadTest` does.

    Every source has room for two routes to each endpoint, as packets of two lengths need.

    Raises
    ------
    ParameterError
        If there is no such machine.
    """
    machine = TrafficMachine(network=network, queue=QUEUE, bins=BINS)
    return dataclasses.replace(machine, ways=2 << ceil_log2(machine.endpoints))
