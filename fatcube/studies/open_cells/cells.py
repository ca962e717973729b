"""The cells of the study, and which of them have schedules that are such of another one."""

from collections.abc import Iterable, Iterator
import itertools

from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.tree import Tree
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective
from fatcube.schedules.constructions.relabelled import contains
from fatcube.schedules.step_model import STANDARD, UNLIMITED, Links, StepModel, Transfers
from fatcube.studies.comparison import COLLECTIVES
from fatcube.studies.models import Cell, refusal

__all__ = ["FAT_CUBES", "NETWORKS", "SMALL", "cell_of", "cells_on", "cubes_in", "key", "serves"]


SMALL: tuple[Topology, ...] = (
    *(FatCube(d, m, f) for d in range(1, 4) for m in range(1, 7) for f in (1, 2) if m << d <= 12),
    CubeConnectedCycles(2),
    DenseGHC(3, 2),
    SparseGHC(3, 2),
    Mesh(w=3, d=2),
    Torus(w=3, d=2),
    Ring(8),
    Tree(2, 2),
    Star(5),
)
"""Fat cubes with at most 12 processors and two lanes per link, and one network of each other kind: in every step model."""

FAT_CUBES = tuple(FatCube(d, m, f) for d in range(1, 5) for m in range(1, 9) for f in range(1, 4) if m << d <= 32)
"""Those with d <= 4, m <= 8, f <= 3 and at most 32 processors: every collective in one step model."""

NETWORKS = (*SMALL, *(cube for cube in FAT_CUBES if cube not in SMALL))

_PER_PACKET = (1, 2, UNLIMITED)
_LINKS = (Links.SIMPLEX, Links.HALF_DUPLEX, Links.FULL_DUPLEX)  # each includes those before it
_PORTS = (PortModel.ONE, PortModel.BROADCAST, PortModel.D_PORT, PortModel.ALL_PORT)


def key(cell: Cell) -> str:
    """The words of a cell in the record, in which the network is named apart."""
    values = cell.to_json()
    return " ".join(str(values[name]) for name in ("transfers", "links", "per_packet", "ports", "collective"))


def cell_of(topology: Topology, words: str) -> Cell:
    """The cell of a network by its words."""
    transfers, links, number, ports, collective = words.split()
    model = StepModel(
        transfers=Transfers(transfers), links=Links(links), per_packet=int(number) if number.isdigit() else UNLIMITED
    )
    return Cell(topology, PortModel(ports), Collective.parse(collective), model)


def cells_on(topology: Topology) -> list[Cell]:
    """The cells of a network that mean something; every one comes after those that are narrower."""
    found = []
    for links, transfers, number, ports, collective in itertools.product(
        _LINKS, Transfers, _PER_PACKET, _PORTS, COLLECTIVES if topology in SMALL else ()
    ):
        cell = Cell(topology, ports, collective, StepModel(transfers=transfers, links=links, per_packet=number))
        if refusal(cell) is None:
            found.append(cell)
    return found + [one for one in cubes_in(STANDARD, [topology]) if one not in found]


def cubes_in(model: StepModel, among: Iterable[Topology] = FAT_CUBES) -> Iterator[Cell]:
    """The cells of :data:`FAT_CUBES`, or of such among these, in one step model, for every collective."""
    for topology, ports, collective in itertools.product(among, _PORTS, Collective):
        cell = Cell(topology, ports, collective, model)
        if topology in FAT_CUBES and refusal(cell) is None:
            yield cell


def serves(one: Cell, other: Cell) -> bool:
    """Return whether every schedule of ``one`` is one of ``other``, as it stands or relabelled.

    It has no more ports or messages in a packet, and neither copies, directions nor reach that the other one lacks. It
    moves the same, or more (:func:`fatcube.schedules.constructions.relabelled.contains`).
    """
    topology = one.topology
    k, most = (cell.ports.processor_ports(topology.degree, topology.m) for cell in (one, other))
    copies = one.ports.copies and not other.ports.copies
    if k > most or copies or not one.model <= other.model:
        return False
    return one.collective is other.collective or contains(one.collective, other.collective, other.model)
