"""A serial port between a computer and a board that loses, doubles and changes bytes."""

__all__ = ["KINDS", "FaultyPort"]


KINDS = ("lost", "doubled", "flipped")


class FaultyPort:
    """A port in front of another one, with a clock that depends on what happens to the bytes and on nothing else.

    Time passes only where no answer comes any more: where nothing has come, and the board is at rest. So a slow board is
    waited for, however long it takes.

    Parameters
    ----------
    port : :class:`~fatcube.sim.board.line.Port`
    at_rest : callable
        Returns whether the board sends nothing more before it is asked.

    Attributes
    ----------
    fault : callable or ``None``
        From a direction, ``"out"`` or ``"in"``, and the number of a byte that way since it was set, to one of
        :data:`KINDS` or ``None``.
    """

    def __init__(self, port, at_rest):
        self._port = port
        self.at_rest = at_rest
        self._time = 0.0
        self.arm(None)

    def arm(self, fault):
        """Do as ``fault`` says from the next byte on."""
        self.fault = fault
        self.bytes = {"out": 0, "in": 0}

    def clock(self):
        """Seconds, for :class:`~fatcube.sim.board.line.Line`."""
        return self._time

    @property
    def in_waiting(self):
        return self._port.in_waiting

    def read(self, size=1):
        data = self._port.read(size)
        if not data and self.at_rest():
            self._time += 1000  # more than any patience
        return self._through("in", data)

    def write(self, data):
        return self._port.write(self._through("out", data))

    def _through(self, way, data):
        passed = bytearray()
        for byte in data:
            number = self.bytes[way]
            self.bytes[way] += 1
            kind = self.fault(way, number) if self.fault else None
            if kind == "flipped":
                byte ^= 1 << number % 8
            passed += bytes([byte] * {"lost": 0, "doubled": 2}.get(kind, 1))
        return bytes(passed)
