"""Memories as arrays of registers, in the forms from which tools infer memories."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from amaranth.hdl import ClockDomain, Shape, Signal, Value
from amaranth.hdl._mem import MemoryInstance

from fatcube.noc.verilog.expressions import Expressions, signals_in
from fatcube.noc.verilog.names import width_of
from fatcube.noc.verilog.texts import literal

__all__ = ["Memory"]


class _Lane(NamedTuple):
    """A part of a word that is written by itself: when, to which bits, and what."""

    enable: str
    start: int
    stop: int
    data: str


class Memory(NamedTuple):
    """A memory with its name in the module, and the clock domains around it by name."""

    name: str
    instance: MemoryInstance
    domains: Mapping[str, ClockDomain]

    @property
    def outputs(self) -> list[tuple[Signal, bool]]:
        """The signals that are read from it, and whether each is a register."""
        return [
            (signal, port._domain != "comb") for port in self.instance._read_ports for signal in signals_in(port._data)
        ]

    @property
    def inputs(self) -> list[Value]:
        """The values that its ports are given."""
        return [
            *(value for port in self.instance._read_ports for value in (port._addr, port._en)),
            *(value for port in self.instance._write_ports for value in (port._addr, port._data, port._en)),
        ]

    def names(self) -> Iterator[tuple[Value, str]]:
        """The values of its ports with names for those that have none, as ``words__write_addr``."""
        for port in self.instance._write_ports:
            for value, name in ((port._addr, "addr"), (port._data, "data"), (port._en, "en")):
                yield value, f"{self.name}__write_{name}"
        for port in self.instance._read_ports:
            for value, name in ((port._addr, "addr"), (port._data, "data"), (port._en, "en")):
                yield value, f"{self.name}__read_{name}"

    @property
    def used_domains(self) -> list[ClockDomain]:
        """The clock domains of its ports."""
        ports = (*self.instance._read_ports, *self.instance._write_ports)
        return [self.domains[port._domain] for port in ports if port._domain != "comb"]

    def declaration(self) -> str:
        """The array, with what a tool is told of its kind."""
        told = "".join(f'(* {name} = "{value}" *) ' for name, value in self.instance._attrs.items())
        return f"{told}reg {width_of(self._bits)}{self.name} [0:{self.instance._data._depth - 1}];"

    @property
    def _bits(self) -> int:
        return Shape.cast(self.instance._data._shape).width

    def lines(self, expressions: Expressions) -> list[str]:
        """The contents at the start, unless they are zeros, and the ports."""
        lines: list[str] = []
        contents = self.instance._data._init._raw
        if any(contents):
            lines.append("initial begin")
            lines += [f"  {self.name}[{place}] = {literal(value, self._bits)};" for place, value in enumerate(contents)]
            lines.append("end")
        for port in self.instance._write_ports:
            lanes = _lanes(port, expressions)
            lines.append(_always(self.domains[port._domain], expressions, several=len(lanes) > 1))
            for lane in lanes:
                part = "" if len(lanes) == 1 else f"[{lane.stop - 1}:{lane.start}]"
                lines.append(f"  if ({lane.enable})")
                lines.append(f"    {self.name}[{_address(port, expressions)}]{part} <= {lane.data};")
            lines += ["end"] if len(lanes) > 1 else []
        for port in self.instance._read_ports:
            lines += self._reading(port, expressions)
        return lines

    def _reading(self, port: MemoryInstance._ReadPort, expressions: Expressions) -> list[str]:
        target = expressions.text(port._data)
        word = f"{self.name}[{_address(port, expressions)}]"
        if port._domain == "comb":
            return [f"assign {target} = {word};"]
        inner = [f"{target} <= {word};"]
        for number in port._transparent_for:
            write = self.instance._write_ports[number]
            for lane, part in enumerate(_lanes(write, expressions)):
                together = write._en[lane] & (write._addr == port._addr)
                inner.append(f"if ({expressions.text(together)})")
                inner.append(f"  {expressions.text(port._data, part.start, part.stop)} <= {part.data};")
        enable = expressions.text(port._en)
        if enable != literal(1, 1):
            inner = [f"if ({enable}) begin", *(f"  {line}" for line in inner), "end"]
        return [_always(self.domains[port._domain], expressions, several=True), *(f"  {line}" for line in inner), "end"]


def _address(port: MemoryInstance._ReadPort | MemoryInstance._WritePort, expressions: Expressions) -> str:
    return expressions.text(port._addr) if len(port._addr) else "0"


def _lanes(port: MemoryInstance._WritePort, expressions: Expressions) -> list[_Lane]:
    size = port._granularity
    return [
        _Lane(
            expressions.text(port._en, number, number + 1),
            number * size,
            (number + 1) * size,
            expressions.text(port._data, number * size, (number + 1) * size),
        )
        for number in range(len(port._en))
    ]


def _always(domain: ClockDomain, expressions: Expressions, *, several: bool) -> str:
    return f"always @({domain.clk_edge}edge {expressions.text(domain.clk)})" + (" begin" if several else "")
