"""The networks that are compared: those of about one number of processors, and the same with failures."""

from collections.abc import Iterable
import math
from pathlib import Path

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.topologies.butterflies import Butterfly, WrappedButterfly
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.failures import parse_failures, read_failures
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topologies.switch import Switch
from fatcube.noc.topologies.tree import Tree
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.step_model import Links, StepModel
from fatcube.schedules.wiring import empty_network

__all__ = ["candidates", "each_with_failures", "with_lanes", "with_ports"]


_MOST_ON_A_SWITCH = 64  # processors: a crossbar of 64 x 64 ports is the largest that compiles in a minute


def candidates(processors: int, *, tolerance: float = 0.15, most_on_a_node: int = 8) -> list[Topology]:
    """Networks of about ``processors`` processors: cubes, CCC, butterflies, GHC, mesh, torus, ring, tree, switch.

    The switch, a single router with up to 64 processors, is the baseline of the others, and comes first.
    Generalized hypercubes, meshes, tori and trees have at least two dimensions or levels here: with one, a dense one is a
    complete graph, a mesh a line, a tree a star and the others are rings. A star is left out: its router has a channel
    for every leaf. Cycles have as many nodes as dimensions, or one more. Of generalized hypercubes, meshes and tori of unequal
    widths there is one each, of w by up to 2 w nodes. Of each kind and shape the one whose number of processors comes
    nearest, if it is within ``tolerance``. More than one processor on a node is considered for all but the hypercube.

    Parameters
    ----------
    processors : :class:`int`
        At least 4, at most 512.
    tolerance : :class:`float`
        The largest difference, as a part of ``processors``.
    most_on_a_node : :class:`int`
        The most processors on a node.

    Raises
    ------
    ParameterError
        If the number of processors is out of range.
    """
    check_integer("processors to compare at", processors, minimum=4, maximum=512)
    dimensions = range(1, processors.bit_length() + 1)
    shapes = [lambda m, d=d: FatCube(d, m) for d in dimensions]
    shapes += [lambda m, n=n: CubeConnectedCycles(n, m) for n in (3, 4, 5, 6)]
    shapes += [lambda m, n=n: CubeConnectedCycles(n, m, k=n + 1) for n in (2, 3, 4, 5)]
    shapes += [lambda m, kind=kind, n=n: kind(n, m) for kind in (Butterfly, WrappedButterfly) for n in (2, 3, 4, 5, 6)]
    shapes += [
        lambda m, kind=kind, w=w, d=d: kind(w=w, d=d, m=m)
        for kind in (DenseGHC, SparseGHC, Mesh, Torus)
        for w in range(3, 10)
        for d in dimensions
        if d > 1 and w**d <= 2 * processors
    ]
    shapes += [
        lambda m, w=w, d=d: Tree(w, d, m) for w in (2, 3, 4) for d in dimensions if d > 1 and w**d <= 2 * processors
    ]
    shapes += [lambda m: Ring(processors, m)]
    found: list[Topology] = [*_switches(processors), *(Hypercube(d) for d in dimensions)]
    unequal = min(
        ((w, v) for w in range(2, processors) for v in range(w + 1, 2 * w + 1) if w * w < 2 * processors),
        key=lambda widths: (abs(math.prod(widths) - processors), widths[1] - widths[0]),
    )
    for shape in shapes:
        m = min(most_on_a_node, max(1, round(processors / shape(1).nodes)))
        if not (isinstance(shape(m), FatCube) and m == 1):
            found.append(shape(m))
    found += [kind(w=unequal, d=2) for kind in (DenseGHC, SparseGHC, Mesh, Torus)]
    return [topology for topology in found if abs(topology.processors - processors) <= tolerance * processors]


def _switches(processors: int) -> list[Topology]:
    """The switch with ``processors`` processors, if it is not too large."""
    return [Switch(processors)] if processors <= _MOST_ON_A_SWITCH else []


def with_lanes(topologies: Iterable[Topology], steps: StepModel) -> list[Topology]:
    """The topologies that have lanes for these steps: only some cubes have simplex links, and one-way links are never
    half-duplex."""
    found = []
    for topology in topologies:
        try:
            empty_network(topology, RouterOptions(), steps)
            lanes = steps.lanes_of(topology)
        except ParameterError:
            continue
        if not (lanes.directed and steps.links is Links.HALF_DUPLEX):
            found.append(topology)
    return found


def with_ports(topologies: Iterable[Topology], model: PortModel) -> list[Topology]:
    """The topologies whose processors have ports in this model; in model d, those of a switch have none."""
    return [one for one in topologies if one.degree or model is not PortModel.D_PORT]


def each_with_failures(
    topologies: Iterable[Topology], failed: str | None, failures: Path | None
) -> tuple[list[Topology], list[str]]:
    """Each of the topologies, and behind it the same with these failures; and why some have none, a line for each.

    Raises
    ------
    ParameterError
        If none of them can have these failures: the reason of the first.
    """
    found, without = list[Topology](), list[str]()
    for whole in topologies:
        found.append(whole)
        try:
            given = parse_failures(failed) if failed else []
            found.append(damaged(whole, given + ([] if failures is None else read_failures(failures, whole))))
        except ParameterError as error:
            without.append(str(error))
    if len(found) == len(without):
        raise ParameterError(without[0])
    return found, without
