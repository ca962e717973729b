"""The area of a processor that follows a spanning graph: with a program, and computing to whom it sends."""

import dataclasses

from amaranth.utils import ceil_log2

from fatcube.groundwork.cache import cache_folder
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.node import processor_of
from fatcube.noc.network import Network
from fatcube.rtl.endpoint.distributed.rules import Rule
from fatcube.schedules.problem import Problem
from fatcube.schedules.spanning.construct import construct_along
from fatcube.schedules.spanning.graphs import spanning_graph
from fatcube.sim.collectives.distributed import check_computed, collective_of
from fatcube.synth.area import Area
from fatcube.synth.families.family import Family
from fatcube.synth.measure import synthesize

__all__ = ["ProcessorAreas", "processor_areas"]


_SLOT = 16  # words of a message


@dataclasses.dataclass(frozen=True, kw_only=True)
class ProcessorAreas:
    """The area of one processor, built in two ways for the same steps.

    Members
    -------
    program_entries : :class:`int`
        Entries in the program memory of each port, the next power of two after the steps.
    memory_words : :class:`int`
        Words in each bank of the message memories of both.
    program, distributed : :class:`~fatcube.synth.area.Area`
        With a program, and without.
    """

    program_entries: int
    memory_words: int
    program: Area
    distributed: Area


def processor_areas(network: Network, rule: Rule, *, parts: int = 1, family: str | Family = "ecp5") -> ProcessorAreas:
    """The :class:`ProcessorAreas` of a network whose processors broadcast or scatter along the graph of a rule.

    Their memories have room for the messages of the collective, of up to 16 flits of payload, and the program memories for its
    steps. Both are mapped without a router around them.

    Parameters
    ----------
    network : :class:`Network`
    rule : :class:`Rule`
    parts : :class:`int`
        The messages that the data for every processor is divided into.
    family : :class:`str`
        One of :data:`~fatcube.synth.families.FAMILIES`.

    Raises
    ------
    ParameterError
        If processors of this network cannot compute the children of the graph, or not with the given number of parts.
    """
    collective = collective_of(rule)
    check_computed(rule, collective, parts=parts)
    network = dataclasses.replace(network, parts=parts)
    messages = network.topology.nodes if rule.scatters else parts
    plain = Machine(network=network, memory_words=_SLOT << ceil_log2(messages), monitors="none")
    distributed = dataclasses.replace(plain, distributed=rule)
    graph = spanning_graph(rule.value, network.topology.degree)
    problem = Problem(network.topology, network.options.ports, collective, parts=parts)
    steps = construct_along(graph, problem).found.steps
    program = dataclasses.replace(plain, program_entries=1 << ceil_log2(steps + 1))
    areas = (
        synthesize(
            processor_of(machine), name="processor", fmax=False, family=family, cache=cache_folder() / "synthesis"
        ).area
        for machine in (program, distributed)
    )
    return ProcessorAreas(
        **dict(zip(("program", "distributed"), areas)),
        program_entries=program.program_entries,
        memory_words=plain.memory_words,
    )
