"""The part of ``amaranth.lib.fifo`` 0.5 that is used here."""

from amaranth.hdl import Elaboratable, Signal

class SyncFIFO(Elaboratable):
    w_data: Signal
    w_rdy: Signal
    w_en: Signal
    r_data: Signal
    r_rdy: Signal
    r_en: Signal
    level: Signal
    def __init__(self, *, width: int, depth: int) -> None: ...

class SyncFIFOBuffered(SyncFIFO): ...

class AsyncFIFOBuffered(Elaboratable):
    w_data: Signal
    w_rdy: Signal
    w_en: Signal
    r_data: Signal
    r_rdy: Signal
    r_en: Signal
    def __init__(self, *, width: int, depth: int, exact_depth: bool, w_domain: str, r_domain: str) -> None: ...
