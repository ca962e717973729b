"""Traffic patterns of the literature: the destinations of each processor.

Source: W. J. Dally and B. Towles, "Principles and Practices of Interconnection Networks" (2004), section 3.2.
"""

from collections.abc import Callable, Sequence
import functools

from fatcube.groundwork.validation import ParameterError, check_choice
from fatcube.noc.coordinates import NumberedCoordinates
from fatcube.noc.topologies.digits import Digits
from fatcube.noc.topology import Topology

__all__ = ["PATTERNS", "destinations_of"]


_HOT = 10  # One packet in this many is for processor 0, in addition to its uniform share.


def destinations_of(pattern: str, topology: Topology) -> list[Sequence[int]]:
    """For each processor its destinations, each repeated in proportion to its share: the next is any of them.

    They are those in the topology before anything failed. Where processors have failed, nothing is sent to them; a processor
    whose only destination has failed sends nothing.

    Parameters
    ----------
    pattern : :class:`str`
        One of :data:`PATTERNS`.

    Raises
    ------
    ParameterError
        If there is no such pattern, it is not defined for this number of processors, or it needs coordinates that the nodes
        do not have.
    """
    make = PATTERNS[check_choice("pattern", pattern, PATTERNS)]
    processors, whole = range(topology.processors), topology.intact
    made = [make(whole, processor) if topology.works(processor) else () for processor in processors]
    if len(topology.working) == len(processors):
        return made
    return [tuple(filter(topology.works, targets)) for targets in made]


def _uniform(topology: Topology, processor: int) -> Sequence[int]:
    """All processors, the sender included, with equal probability."""
    return range(topology.processors)


def _hot_spot(topology: Topology, processor: int) -> Sequence[int]:
    """Everybody alike, but a tenth more to processor 0."""
    return _hot(topology.processors)


@functools.cache  # one sequence for all processors
def _hot(processors: int) -> Sequence[int]:
    return (*range(processors), *[0] * max(1, round(processors / (_HOT - 1))))


def _bits(topology: Topology, name: str) -> int:
    """Bits of a processor's number; the number of processors must be a power of two."""
    if topology.processors & topology.processors - 1:
        raise ParameterError(f"processors must be a power of two for {name}, not {topology.processors}")
    return topology.processors.bit_length() - 1


def _bit_complement(topology: Topology, processor: int) -> Sequence[int]:
    """The processor whose number has all bits inverted."""
    return [processor ^ (1 << _bits(topology, "bit-complement")) - 1]


def _transpose(topology: Topology, processor: int) -> Sequence[int]:
    """The processor whose number has its upper and lower halves of bits exchanged."""
    bits = _bits(topology, "transpose")
    if bits % 2:
        raise ParameterError(f"processors must be a power of four for transpose, not {topology.processors}")
    half = bits // 2
    return [processor >> half | (processor & (1 << half) - 1) << half]


def _shuffle(topology: Topology, processor: int) -> Sequence[int]:
    """The processor whose number has its bits rotated left by one."""
    bits = _bits(topology, "shuffle")
    return [(processor << 1 | processor >> bits - 1) & (1 << bits) - 1]


def _moved(topology: Topology, processor: int, name: str, far: Callable[[int], int]) -> Sequence[int]:
    """The processor with the same local number on the node ``far(k)`` further in each coordinate, modulo its k values.

    If no coordinate of the nodes has at least three values, the processor whose number is ``far(P)`` higher, modulo P.
    """
    if not isinstance(topology, NumberedCoordinates):
        raise ParameterError(f"topology must be one whose nodes have coordinates for {name}, not the {topology.name}")
    if isinstance(topology, Digits) and max(topology.widths) > 2:
        node, local = topology.node_of(processor), topology.local_of(processor)
        places = zip(topology.weights, topology.widths)
        there = sum((node // weight + far(width)) % width * weight for weight, width in places)
        return [topology.processors_of(there)[local]]
    return [(processor + far(topology.processors)) % topology.processors]


def _tornado(topology: Topology, processor: int) -> Sequence[int]:
    """The processor ceil(k/2) - 1 further in each coordinate of k values."""
    return _moved(topology, processor, "tornado", lambda values: -(-values // 2) - 1)


def _neighbour(topology: Topology, processor: int) -> Sequence[int]:
    """The processor 1 further in each coordinate."""
    return _moved(topology, processor, "neighbour", lambda values: 1)


PATTERNS: dict[str, Callable[[Topology, int], Sequence[int]]] = {
    "uniform": _uniform,
    "bit-complement": _bit_complement,
    "transpose": _transpose,
    "shuffle": _shuffle,
    "tornado": _tornado,
    "neighbour": _neighbour,
    "hot-spot": _hot_spot,
}
"""The destinations of a processor under each pattern, by name."""
