"""Access to the processors and monitors of a simulated machine, from inside its simulator: over its bus, or directly.

Both write and read the same words, by the addresses of the host bus. The bus is that of the hardware, and takes a cycle
of the whole network for each word. Where the nodes are compiled by themselves, memories are filled and read where they
lie, and the bus of a node is clocked for that node alone.

The simulator imports this, so it imports nothing that takes long.
"""

import array
from collections.abc import Sequence
import ctypes
from typing import Any, Protocol

from cocotb.triggers import FallingEdge

from fatcube.sim.builds.job import COUNTS, EVERY, Lanes, Read, Waves, Write

__all__ = ["BusHost", "Host", "NodesHost"]


_READ_LATENCY = 2


class Host(Protocol):
    """A way to the units of a machine."""

    def clear(self) -> None:
        """Leave nothing of an earlier run in the memories, where that takes no time."""
        ...

    async def write(self, accesses: Sequence[Write]) -> None:
        """Write the words of each access."""
        ...

    async def read(self, accesses: Sequence[Read]) -> list[list[int]]:
        """The words of each access."""
        ...

    async def counters(self, nodes: int, names: Sequence[str]) -> dict[str, list[int]]:
        """The value of each of these counters in each node."""
        ...

    def close(self) -> None:
        """Finish what has been begun."""
        ...


class BusHost:
    """The host bus of a :class:`fatcube.noc.machines.system.System`, whose ports are driven and sampled at the falling edge."""

    _names = ("node", "unit", "region", "bank", "word", "write", "data")

    def __init__(self, dut: Any) -> None:  # cocotb finds the signals of a design by their names
        self._dut = dut
        self._signals = [getattr(dut, name) for name in self._names]
        self._driven: list[int | None] = [None] * len(self._names)
        self._drive(0, 0, 0, 0, 0, 0, 0)

    def _drive(self, *values: int) -> None:
        for index, value in enumerate(values):
            if value != self._driven[index]:
                self._signals[index].value = value
                self._driven[index] = value

    def clear(self) -> None:
        """Leave the memories as they are: it would take a cycle for each word of them."""

    async def write(self, accesses: Sequence[Write]) -> None:
        """Write the words of each access, one per cycle."""
        for node, unit, region, bank, first, words in accesses:
            for word, data in enumerate(words, first):
                self._drive(node, unit, region, bank, word, 1, data)
                await FallingEdge(self._dut.clk)
        self._drive(0, 0, 0, 0, 0, 0, 0)
        await FallingEdge(self._dut.clk)

    async def read(self, accesses: Sequence[Read]) -> list[list[int]]:
        """The words of each access, one per cycle."""
        addresses = [
            (node, unit, region, bank, word)
            for node, unit, region, bank, first, count in accesses
            for word in range(first, first + count)
        ]
        values = iter([value for (value,) in await self._sample(addresses, [self._dut.value])])
        return [[next(values) for _ in range(access[5])] for access in accesses]

    async def counters(self, nodes: int, names: Sequence[str]) -> dict[str, list[int]]:
        """The counters of each node, one node per cycle."""
        signals = [getattr(self._dut, name) for name in names]
        values = await self._sample([(node, 0, 0, 0, 0) for node in range(nodes)], signals)
        return {name: list(counts) for name, counts in zip(names, zip(*values))}

    def close(self) -> None:
        """Nothing has been begun."""

    def _value(self, signal: Any) -> int:
        """The value of a signal; bits that are not known, as those of a word that nobody has written, are read as 1.

        So they are found where they are compared, and no counter is 0 because it is not known.
        """
        value = signal.value
        return int(value if value.is_resolvable else value.resolve("ones"))

    async def _sample(self, addresses: Sequence[tuple[int, ...]], signals: Sequence[Any]) -> list[list[int]]:
        """The values of ``signals`` after each read; one read per cycle, pipelined."""
        values = []
        for index in range(len(addresses) + _READ_LATENCY):
            if index < len(addresses):
                self._drive(*addresses[index], 0, 0)
            if index >= _READ_LATENCY:
                values.append([self._value(signal) for signal in signals])
            await FallingEdge(self._dut.clk)
        return values


class NodesHost:
    """The nodes of ``native/harness.cpp``, which it makes. Every access is at once and takes no cycle of the network.

    Parameters
    ----------
    lanes : :class:`Lanes`
        The lanes that connect the nodes.
    waves : :class:`Waves` or ``None``
        The waveforms to write.
    """

    def __init__(self, lanes: Lanes, waves: Waves | None) -> None:
        self._native = native = ctypes.CDLL(None)  # The simulator is this very process.
        for function in (native.fatcube_variable, native.fatcube_port, native.fatcube_lane_port):
            function.restype = ctypes.c_void_p
        self._lanes = lanes
        leads_to, ends = lanes["leads_to"], lanes["ends"]
        native.fatcube_make(
            lanes["nodes"],
            lanes["channels"],
            lanes["lanes"],
            (ctypes.c_int * len(leads_to))(*leads_to),
            " ".join(lanes["parts"]).encode(),
            (ctypes.c_int * len(ends))(*ends),
            " ".join(lanes["inputs"]).encode(),
            " ".join(lanes["outputs"]).encode(),
        )
        for name, values in lanes["constants"].items():
            for node, value in enumerate(values):
                stored = bytes.fromhex(value.zfill(-(-len(value) // 2) * 2))[::-1]
                ctypes.memmove(native.fatcube_port(node, name.encode()), stored, len(stored))
        if waves is not None:
            numbers = waves["nodes"]
            native.fatcube_open_waves(waves["file"].encode(), len(numbers), (ctypes.c_int * len(numbers))(*numbers))
        native.fatcube_settle()
        self._waves = waves

    def clear(self) -> None:
        """Give all memories their first contents."""
        self._native.fatcube_clear()

    async def write(self, accesses: Sequence[Write]) -> None:
        """Copy the words of each access into the memories."""
        for node, unit, region, bank, first, words in accesses:
            for number in range(self._lanes["nodes"]) if node == EVERY else [node]:
                for processor in range(self._lanes["units"]) if unit == EVERY else [unit]:
                    address, size = self.memory(number, processor, region, bank)
                    data = _packed(words, size)
                    ctypes.memmove(address + first * size, data, len(data))

    async def read(self, accesses: Sequence[Read]) -> list[list[int]]:
        """The words of each access: of memories as they lie there, of everything else over the bus of the node."""
        values = []
        for node, unit, region, bank, first, count in accesses:
            if str(region) not in self._lanes["memories"] or bank >= self._lanes["banks"] or first == COUNTS:
                values.append([self._over_bus(node, unit, region, bank, first + index) for index in range(count)])
            else:
                address, size = self.memory(node, unit, region, bank)
                values.append(_unpacked(ctypes.string_at(address + first * size, count * size), size))
        return values

    def close(self) -> None:
        """Write the rest of the waves."""
        if self._waves is not None:
            self._native.fatcube_close_waves()

    async def counters(self, nodes: int, names: Sequence[str]) -> dict[str, list[int]]:
        """The counters of each node and of the lanes of which it is the first end, which are ports of them."""
        return {name: self.counted(nodes, name) for name in names}

    def counted(self, nodes: int, name: str) -> list[int]:
        """The value of a counter in each node."""

        def value(address: int) -> int:
            return ctypes.c_uint32.from_address(address).value

        counts = [value(self._native.fatcube_port(node, name.encode())) for node in range(nodes)]
        lanes_of_node = self._lanes["channels"] * self._lanes["lanes"]
        for number, first in enumerate(self._lanes["ends"][::3]):
            address = self._native.fatcube_lane_port(number, name.encode())
            counts[first // lanes_of_node] += value(address) if address is not None else 0
        return counts

    def memory(self, node: int, unit: int, region: int, bank: int) -> tuple[int, int]:
        """The address of a memory or a register, and the bytes of one of its words."""
        path = self._lanes["memories"][str(region)]
        path = path.format(unit=unit, monitor=unit - self._lanes["units"], bank=bank)
        scope, _, name = path.rpartition(".")
        size = ctypes.c_int()
        address = self._native.fatcube_variable(node, scope.encode(), name.encode(), ctypes.byref(size))
        assert address is not None, f"no {path} in node {node}"
        return address, size.value

    def _over_bus(self, node: int, unit: int, region: int, bank: int, word: int) -> int:
        value = ctypes.create_string_buffer(self._lanes["host_bytes"])
        self._native.fatcube_read(node, unit, region, bank, word, value)
        return int.from_bytes(value.raw, "little")


_CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}  # of words that Python packs by itself, by their bytes


def _packed(words: Sequence[int], size: int) -> bytes:
    """Words as Verilator stores them: in 1, 2, 4 or 8 bytes, or in several times 4."""
    if size in _CODES:
        return array.array(_CODES[size], words).tobytes()
    return b"".join(word.to_bytes(size, "little") for word in words)


def _unpacked(data: bytes, size: int) -> list[int]:
    if size in _CODES:
        return array.array(_CODES[size], data).tolist()
    return [int.from_bytes(data[start : start + size], "little") for start in range(0, len(data), size)]
