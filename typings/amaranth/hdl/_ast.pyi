"""The part of ``amaranth.hdl._ast`` 0.5 that the writer of Verilog reads: values and statements as they are kept."""

from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from typing import Any

from amaranth.hdl import Shape as Shape
from amaranth.hdl import Signal as Signal
from amaranth.hdl import Statement as Statement
from amaranth.hdl import Value as Value

SourceLocation = tuple[str, int] | None

class Operator(Value):
    operator: str
    operands: Sequence[Value]
    src_loc: SourceLocation

class Slice(Value):
    value: Value
    start: int
    stop: int

class Part(Value):
    value: Value
    offset: Value
    width: int
    stride: int
    src_loc: SourceLocation

class Concat(Value):
    parts: Sequence[Value]

class SwitchValue(Value):
    test: Value
    cases: Sequence[tuple[tuple[str, ...] | None, Value]]
    src_loc: SourceLocation
    def __init__(
        self, test: Value, cases: Sequence[tuple[int | tuple[str, ...] | None, Value]], *, src_loc: SourceLocation = ...
    ) -> None: ...

class Assign(Statement):
    lhs: Value
    rhs: Value

class Switch(Statement):
    test: Value
    cases: Sequence[tuple[tuple[str, ...] | None, Sequence[Statement], SourceLocation]]

class SignalDict(MutableMapping[Signal, Any]):
    def __init__(self, pairs: Iterable[tuple[Signal, Any]] = ...) -> None: ...
    def __getitem__(self, key: Signal) -> Any: ...
    def __setitem__(self, key: Signal, value: Any) -> None: ...
    def __delitem__(self, key: Signal) -> None: ...
    def __iter__(self) -> Iterator[Signal]: ...
    def __len__(self) -> int: ...
