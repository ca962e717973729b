"""Broadcasts along the trees of nESBT that failures leave: how many they are, and the steps that they take."""

import math

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.collective import Collective
from fatcube.schedules.spanning.degraded import degraded
from fatcube.schedules.spanning.graphs import NESBT, SBT
from tests.support.along import made_along


def _cases(n, source):
    """Failures of each kind with the trees that they leave (models.md, section 8)."""
    for b in range(n):
        at = source ^ 1 << b
        yield f"link:{source}-{at}:out", n - 1
        yield f"link:{source}-{at}", n - 1
    for c in range(1, 1 << n):
        for b in range(n):
            if not c >> b & 1:
                node, other = c ^ source, c ^ 1 << b ^ source
                yield f"link:{node}-{other}:out", n - 1
                yield f"link:{other}-{node}:out", n - 1
                yield f"link:{node}-{other}", n - 2
        yield f"node:{c ^ source}", n - c.bit_count()


@pytest.mark.parametrize(("n", "source"), [(3, 0), (3, 5), (4, 9)])
def test_trees_that_are_left(n, source):
    """Every failure of a link, in one direction and in both, and of a node."""
    for failed, left in _cases(n, source):
        network = damaged(Hypercube(n), [failed])
        if left:
            assert degraded(NESBT(n, source), network, Collective.OAB).trees == left, failed
        else:
            with pytest.raises(ParameterError, match="must have a tree without failures, unlike nesbt"):
                degraded(NESBT(n, source), network, Collective.OAB)


@pytest.mark.parametrize("n", [3, 4])
def test_broadcasts(n):
    """With n ports ceil(M / t) + n steps at most, checked on the network, for the cases of one failure and both collectives."""
    for failed, left in (("link:0-1:out", n - 1), ("link:0-1", n - 1), ("link:3-2", n - 2), ("node:2", n - 1)):
        network = damaged(Hypercube(n), [failed])
        for parts in (1, 4 * left, 4 * left + 1):
            found = made_along(NESBT(n, 0), "d", Collective.OAB, parts=parts, network=network)
            assert check(found.found).steps <= math.ceil(parts / left) + n
            assert found.found.topology == network and found.bound.steps <= found.found.steps
            assert parts == 1 or f"{left} of its {n} trees" in found.by
        check(made_along(NESBT(n, 0), "1", Collective.OAS, parts=2, network=network).found)


def test_the_whole_graph_crosses_the_failure():
    """Catches a checker that lets the failed link pass: the schedule along all trees is refused on the damaged network."""
    network = damaged(Hypercube(3), ["link:3-2"])
    whole = made_along(NESBT(3, 0), "d", Collective.OAB, parts=6).found
    with pytest.raises(ScheduleError, match="are not adjacent"):
        check(type(whole)(network, "d", "OAB", 0, whole.transfers, parts=6))


def test_refused():
    network = damaged(Hypercube(3), ["link:0-1"])
    with pytest.raises(ParameterError, match="must be OAB or OAS on a network with failures, not AAB"):
        made_along(NESBT(3, 0), "d", Collective.AAB, network=network)
    with pytest.raises(ParameterError, match="unlike sbt"):
        made_along(SBT(3, 0), "d", Collective.OAB, network=network)
