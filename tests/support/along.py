"""Schedules along spanning graphs of hypercubes."""

from fatcube.noc.topologies.cubes import Hypercube
from fatcube.schedules.problem import Problem
from fatcube.schedules.spanning.construct import construct_along

__all__ = ["made_along"]


def made_along(graph, ports, collective, *, order=None, network=None, **others):
    """The finding for a collective along a graph whose source is the root, on its hypercube or on ``network``."""
    problem = Problem(network or Hypercube(graph.n), ports, collective, graph.source, **others)
    return construct_along(graph, problem, order=order)
