"""Edelman's table for an all-to-all between the nodes of a cube (fat-cube paper, section 4.4 and Fig. 7).

The table has 2^(d-1) rows, which are super-steps, and d columns, which are dimensions. Relative address r stands once in
column i for each bit i that is set in r, in different rows: in such a row every node passes on, over dimension i, the
messages that are for r away from where they come from. So a row uses every link in both directions.
"""

from collections import defaultdict

from fatcube.schedules.collective import Message, Move
from fatcube.schedules.constructions.coloring import color_edges

__all__ = ["between_nodes", "edelman_table"]


def edelman_table(d: int) -> list[dict[int, int]]:
    """The rows of a table for d dimensions, each with the relative address in every column.

    It is an edge colouring with rows for colours: relative addresses on one side, dimensions, which are in 2^(d-1)
    addresses each, on the other. By König's theorem 2^(d-1) rows do, and then every dimension is in each.
    """
    crossings = [(address, i) for i in range(d) for address in range(1, 1 << d) if address >> i & 1]
    rows: list[dict[int, int]] = [{} for _ in range(1 << d - 1)]
    for (address, i), row in zip(crossings, color_edges(crossings)):
        rows[row][i] = address
    return rows


def between_nodes(d: int, m: int, f: int) -> list[Move]:
    """The moves of what node 0 has for other nodes, by the table, over f <= m lanes in each dimension and step.

    Every entry is a super-message of m^2 messages, so a row takes m^2 / f steps. A message keeps its place in the
    nodes until its last hop, on which it comes to the place that it is for.
    """
    hops: defaultdict[Message, list[tuple[int, int]]] = defaultdict(list)
    for number, row in enumerate(edelman_table(d)):
        for i, address in row.items():
            for index in range(m * m):
                shift, place = divmod(index, m)
                message = Message(place, address * m + (place + shift) % m)
                hops[message].append(((number * m * m + index) // f + 1, i))
    moves = []
    for message, crossed in hops.items():
        here, place = 0, message.source
        for step, i in sorted(crossed):
            there = here ^ 1 << i
            arriving = message.target % m if there == message.target // m else place
            moves.append(Move(step, here * m + place, there * m + arriving, message))
            here, place = there, arriving
    return moves
