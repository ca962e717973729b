"""The part of ``amaranth.lib.memory`` 0.5 that is used here."""

from collections.abc import Iterable, Mapping
from typing import Any

from amaranth.hdl import Elaboratable, ShapeLike, Signal

class ReadPort:
    addr: Signal
    data: Any  # a view of the memory's layout, or a value
    en: Signal

class WritePort:
    addr: Signal
    data: Any
    en: Signal

class Memory(Elaboratable):
    def __init__(
        self, *, shape: ShapeLike, depth: int, init: Iterable[Any], attrs: Mapping[str, str] = ...
    ) -> None: ...
    def read_port(self, *, domain: str = "sync", transparent_for: Iterable[WritePort] = ()) -> ReadPort: ...
    def write_port(self) -> WritePort: ...
