"""Limits of simulations, checked before anything is built."""

from fatcube.groundwork.validation import check_count
from fatcube.noc.machines.machine import Machine
from fatcube.noc.topology import Topology

__all__ = ["check_load", "check_memory", "check_simulation"]


MOST_NODES = 256  # with more, the Verilog back end recurses too deeply
MOST_PROCESSORS = 1024
MOST_UNDER_LOAD = 4096  # nodes, and processors: 16 million ways
MOST_MEMORY = 1 << 30  # bytes of all message memories
_WORD = 32  # bits; a simulator stores every word of a memory in a multiple of this width


def check_simulation(topology: Topology) -> None:
    """Refuse a network that is too large to be simulated.

    Raises
    ------
    ParameterError
        If it has more than :data:`MOST_NODES` nodes or :data:`MOST_PROCESSORS` processors.
    """
    check_count("nodes", topology.nodes, maximum=MOST_NODES, what=f"to simulate the {topology.name}")
    check_count("processors", topology.processors, maximum=MOST_PROCESSORS, what=f"to simulate the {topology.name}")


def check_load(topology: Topology) -> None:
    """Refuse a network that is too large to be measured under load.

    Raises
    ------
    ParameterError
        If it has more than :data:`MOST_UNDER_LOAD` nodes or processors.
    """
    for name, count in (("nodes", topology.nodes), ("processors", topology.processors)):
        check_count(name, count, maximum=MOST_UNDER_LOAD, what=f"to measure the {topology.name} under load")


def check_memory(machine: Machine) -> None:
    """Refuse a machine whose message memories, a bank for each port of each processor, are too large to be simulated.

    Raises
    ------
    ParameterError
        If they have more than :data:`MOST_MEMORY` bytes.
    """
    network = machine.network
    banks = network.topology.processors * network.processor_ports
    bytes_of_a_word = -(-network.options.width // _WORD) * _WORD // 8
    check_count(
        "bytes of all message memories",
        banks * machine.memory_words * bytes_of_a_word,
        maximum=MOST_MEMORY,
        what=f"to simulate the {network.name} with {machine.memory_words:,} words in a bank",
    )
