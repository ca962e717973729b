"""The schedule that the options of a command describe, built."""

from fatcube.cli.output import stop_if
from groundwork.progress import doing
from groundwork.validation import ParameterError
from noc.topologies.cubes import Hypercube
from rtl.port_model import PortModel
from schedules.collective import Collective
from schedules.construct import best
from schedules.size import check_along, check_size
from schedules.spanning.graphs import spanning_graph
from schedules.spanning.trees import construct_along

__all__ = ["collective_of", "build_along", "build"]


def collective_of(text, topology, root):
    if text is None:
        raise ParameterError("collective must be given (-c), as in -c all-gather")
    collective = Collective.parse(text)
    if not collective.rooted:
        if root is not None:
            raise ParameterError(f"root must be left out for {collective.value}, which has none, not {root}")
        return collective, 0
    return collective, collective.check_root(topology, 0 if root is None else root)


def build_along(graph, topology, ports, collective, root, parts, per_packet, model, dry_run):
    """What :func:`build` returns, for a schedule that follows a spanning graph."""
    if not isinstance(topology, Hypercube):
        raise ParameterError(
            f"topology must be a hypercube (--topology hypercube) along a spanning graph, not {topology}"
        )
    collective, root = collective_of(collective, topology, root)
    tree = spanning_graph(graph, topology.d, root)
    check_size(topology, "d", Collective.OAB)  # that spreads a part, for the bound
    if per_packet == 1:
        check_along(tree, topology, collective, parts, model.one_partner or PortModel.parse(ports) is PortModel.ONE)
    stop_if(dry_run, f"{collective.value} along {graph} on {topology} can be built")
    return construct_along(tree, ports, collective, model=model, parts=parts, per_packet=per_packet)


def build(collective, topology, ports, root, *, dry_run=False, **keywords):
    collective, root = collective_of(collective, topology, root)
    check_size(topology, ports, collective)
    stop_if(dry_run, f"{collective.value} on {topology} can be built")
    with doing(f"building {collective.value} on {topology}"):
        return best(topology, PortModel.parse(ports), collective, root, **keywords)
