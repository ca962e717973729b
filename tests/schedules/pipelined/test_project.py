"""Schedules that get shorter forwards and backwards: which of them is taken, and when no further one is looked for."""

import pytest

from fatcube.noc.topologies.grids import Ring
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.pipelined.project import UNCHANGED, Project
from fatcube.schedules.symmetry import Symmetry


def project():
    topology = Ring(4)
    return Project(topology, PortModel.ONE, Symmetry.none(topology))


@pytest.mark.parametrize(
    ("forwards", "least", "expected", "looked_at"),
    [
        ([7, 5, 6, *[8] * 9], 1, 5, 2 + UNCHANGED),  # the shortest, not the last
        ([7, 7, 7, 7, 5, *[6] * 9], 1, 5, 5 + UNCHANGED),  # after several that are no shorter
        ([4, *[5] * 9], 1, 4, 1 + UNCHANGED),
        ([7, 5, 4], 5, 5, 2),  # as short as can be
        ([5], 5, 5, 1),
    ],
)
def test_the_shortest_of_all_passes(monkeypatch, forwards, least, expected, looked_at):
    tried = iter(forwards)
    given = []

    def filled(self, order, before, after):
        given.append([*order])
        return [1, next(tried)] if before is self._before else [2, 1]

    monkeypatch.setattr(Project, "_filled", filled)
    found = project()
    for part in range(2):
        found.add(Move(1, 0, 1, Message(0, None, part)), ())
    assert found.shortest([0, 1], least) == [1, expected]
    assert len(forwards) - len([*tried]) == looked_at
    assert given[0] == [0, 1]


def test_steps_by_hand():
    """Along a ring of four with one port: the longer chain goes first though it stands last, and both end after three steps."""
    found = project()
    found.add(Move(1, 0, 3, Message(0, None, 0)), ())
    first = found.add(Move(1, 0, 1, Message(0, None, 1)), ())
    second = found.add(Move(1, 1, 2, Message(0, None, 1)), [first])
    found.add(Move(1, 2, 3, Message(0, None, 1)), [second])
    assert found.shortest([0, 1, 2, 3], 3) == [2, 1, 2, 3]
