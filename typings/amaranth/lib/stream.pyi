"""The part of ``amaranth.lib.stream`` 0.5 that is used here."""

from typing import Any

from amaranth.hdl import ShapeLike, Signal
from amaranth.lib import wiring

class Signature(wiring.Signature):
    def __init__(self, payload_shape: ShapeLike, *, always_ready: bool = ...) -> None: ...

class Interface:
    payload: Any  # a view of its layout, or a value
    valid: Signal
    ready: Signal
