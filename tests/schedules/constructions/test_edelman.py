"""Edelman's table against its definition, and the all-to-all that it makes between nodes."""

from collections import Counter

import pytest

from fatcube.schedules.collective import Message
from fatcube.schedules.constructions.edelman import between_nodes, edelman_table


@pytest.mark.parametrize("d", range(1, 8))
def test_each_address_stands_once_for_each_of_its_bits_in_different_rows(d):
    rows = edelman_table(d)
    assert len(rows) == 2 ** (d - 1) and all(sorted(row) == list(range(d)) for row in rows)
    assert all(len(set(row.values())) == d for row in rows)
    entries = Counter((address, i) for row in rows for i, address in row.items())
    assert entries == Counter((address, i) for address in range(1, 2**d) for i in range(d) if address >> i & 1)


@pytest.mark.parametrize(("d", "m", "f"), [(2, 1, 1), (2, 2, 1), (3, 2, 2), (3, 4, 2), (4, 3, 3)])
def test_rows_fill_all_lanes(d, m, f):
    """In every step, f messages in each dimension: of 2^(d-1) rows each takes m^2 / f steps."""
    moves = between_nodes(d, m, f)
    crossing = Counter((move.step, move.src // m ^ move.dst // m) for move in moves)
    steps = range(1, 2 ** (d - 1) * m * m // f + 1)
    assert crossing == {(step, 1 << i): f for step in steps for i in range(d)}


def test_a_message_turns_on_its_last_hop():
    """From place 0 of node 0 to place 1 of node 3: over one link to place 0, over the other to place 1."""
    first, last = (move for move in between_nodes(2, 2, 1) if move.message == Message(0, 7))
    assert (first.src, first.dst % 2, last.dst) == (0, 0, 7) and last.src == first.dst and first.step < last.step
