"""An arbiter as allocators have it."""

from amaranth.hdl import Module

from fatcube.rtl.arbiters.arbiter import add_arbiter


def alone(arbiter):
    """A module with an arbiter, and the register that knows who was taken last."""
    m = Module()
    add_arbiter(m, "arbiter", arbiter)
    return m
