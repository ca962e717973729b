"""The part of ``amaranth.lib.cdc`` 0.5 that is used here."""

from amaranth.hdl import Elaboratable, ValueLike

class FFSynchronizer(Elaboratable):
    def __init__(self, i: ValueLike, o: ValueLike, *, init: int = ...) -> None: ...

class ResetSynchronizer(Elaboratable):
    def __init__(self, arst: ValueLike, *, domain: str = ...) -> None: ...
