"""The part of ``amaranth.hdl._ir`` 0.5 that the writer of Verilog reads: the hierarchy of a design."""

from collections.abc import Mapping, Sequence
import enum

from amaranth.hdl import Fragment as Fragment
from amaranth.hdl import Signal
from amaranth.hdl import Value as Value
from amaranth.hdl._ast import SignalDict

class PortDirection(enum.Enum):
    Input = "input"
    Output = "output"
    Inout = "inout"

class RequirePosedge(Fragment): ...

class DesignFragmentInfo:
    name: Sequence[str]
    used_signals: SignalDict

class Design:
    fragment: Fragment
    fragments: Mapping[Fragment, DesignFragmentInfo]
    signal_lca: SignalDict
    ports: Sequence[tuple[str, Signal, PortDirection]]
