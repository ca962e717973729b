"""A harness's record of the flits in a design."""

from amaranth.hdl import Cat, Const, Mux, Signal

__all__ = ["ReferenceQueue"]


class ReferenceQueue:
    """Flits that are in a design, the oldest first, and how many packets have left: up to three.

    ``push`` puts in ``payload``, a flit whose highest bit says that it is the last one, with ``destination`` and whether
    it is a ``header``; the members of these names are those of the oldest. It leaves when one of ``pops`` is true, of
    which the harness makes ``pop``.
    """

    def __init__(self, m, payload, destination, header, *, depth):
        entry = Cat(payload, destination, header)
        count = Signal(range(depth + 1))
        entries = [Signal(len(entry)) for _ in range(depth)]
        self.push, self.pop = Signal(), Signal()
        self.pops = []
        self.any, self.full, self.several = count != 0, count == depth, count > 1
        oldest = entries[0]
        self.following = entries[min(1, depth - 1)][: len(payload)]  # where there are several
        self.payload = oldest[: len(payload)]
        self.destination = oldest[len(payload) : -1]
        self.header = oldest[-1]
        self.delivered = Signal(2)
        m.d.sync += count.eq(count + self.push - self.pop)
        for index, one in enumerate(entries):
            following = entries[index + 1] if index + 1 < depth else Const(0, len(entry))
            place = count - self.pop == index
            m.d.sync += one.eq(Mux(self.push & place, entry, Mux(self.pop, following, one)))
        with m.If(self.pop & self.payload[-1] & (self.delivered != 3)):
            m.d.sync += self.delivered.eq(self.delivered + 1)
