"""A serial line for Amaranth's simulator: bytes as levels in time, and levels back to bytes, by the definition alone."""

from bisect import bisect_right

__all__ = ["bytes_of", "levels", "on_line"]


def levels(content, bit, *, idle=3.0):
    """The level of a line in each cycle while it carries bytes, with bits of ``bit`` cycles, which need not be whole."""
    edges, values, now = [0.0], [1], idle * bit
    for byte in content:
        for value in [0, *(byte >> place & 1 for place in range(8)), 1]:
            edges.append(now)
            values.append(value)
            now += bit
    return [values[bisect_right(edges, cycle) - 1] for cycle in range(int(now + idle * bit))]


def bytes_of(line, bit):
    """The bytes that a line has carried, given its level in each cycle; all its edges must be where bits end."""
    found, cycle = [], 0
    while cycle < len(line):
        if line[cycle]:
            cycle += 1
            continue
        bits = []
        for _ in range(10):
            piece = line[cycle : cycle + bit]
            assert len(set(piece)) == 1, f"an edge within a bit, at cycle {cycle}"
            bits.append(piece[0])
            cycle += bit
        assert bits[0] == 0 and bits[9] == 1
        found.append(sum(value << place for place, value in enumerate(bits[1:9])))
    return bytes(found)


async def on_line(ctx, rx, line, each):
    """Drive ``rx`` with a level per cycle, and let ``each(ctx)`` look at every cycle."""
    for level in line:
        ctx.set(rx, level)
        await ctx.tick()
        each(ctx)
