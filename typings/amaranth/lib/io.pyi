"""The part of ``amaranth.lib.io`` 0.5 that is used here."""

from typing import Any, Literal

from amaranth.hdl import Elaboratable, Signal

class Buffer(Elaboratable):
    i: Signal
    o: Signal
    def __init__(self, direction: Literal["i", "o"], port: Any) -> None: ...
