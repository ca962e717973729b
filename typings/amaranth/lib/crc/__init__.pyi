"""The part of ``amaranth.lib.crc`` 0.5 that is used here."""

from amaranth.hdl import Elaboratable, Signal

class Algorithm:
    def __call__(self, data_width: int = ...) -> Parameters: ...

class Parameters:
    def create(self) -> Processor: ...

class Processor(Elaboratable):
    start: Signal
    data: Signal
    valid: Signal
    crc: Signal
    match_detected: Signal
