"""The part of ``amaranth.lib.enum`` 0.5 that is used here."""

import enum

class Enum(enum.Enum):
    def __init_subclass__(cls, *, shape: int = ...) -> None: ...
