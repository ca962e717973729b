"""A serial port between a computer and a board that loses, doubles and changes bytes."""

__all__ = ["KINDS", "FaultyPort"]


KINDS = ("lost", "doubled", "flipped")


class FaultyPort:
    """A port in front of another one.

    Attributes
    ----------
    fault : callable or ``None``
        From a direction, ``"out"`` or ``"in"``, and the number of a byte that way since it was set, to one of
        :data:`KINDS` or ``None``.
    """

    def __init__(self, port):
        self._port = port
        self.arm(None)

    def arm(self, fault):
        """Do as ``fault`` says from the next byte on."""
        self.fault = fault
        self.bytes = {"out": 0, "in": 0}

    @property
    def in_waiting(self):
        return self._port.in_waiting

    def read(self, size=1):
        return self._through("in", self._port.read(size))

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
