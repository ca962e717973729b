"""The part of ``amaranth.hdl._mem`` 0.5 that the writer of Verilog reads: memories and their ports."""

from collections.abc import Mapping, Sequence
from typing import Any

from amaranth.hdl import Fragment, Value

class _Init:
    _raw: Sequence[int]

class _Data:
    _shape: Any
    _depth: int
    _init: _Init

class MemoryInstance(Fragment):
    class _ReadPort:
        _domain: str
        _addr: Value
        _data: Value
        _en: Value
        _transparent_for: Sequence[int]

    class _WritePort:
        _domain: str
        _addr: Value
        _data: Value
        _en: Value
        _granularity: int

    _attrs: Mapping[str, str]
    _data: _Data
    _read_ports: Sequence[_ReadPort]
    _write_ports: Sequence[_WritePort]
