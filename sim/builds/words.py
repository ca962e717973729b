"""Words of the hardware's layouts, packed and unpacked many at a time: Amaranth's constants take as long for one."""

from collections import namedtuple
from collections.abc import Callable
from typing import Any

from amaranth.lib import data

__all__ = ["packer", "unpacker"]


def packer(layout: data.StructLayout) -> Callable[[Any], int]:
    """A function that packs those fields of ``layout`` that a value has as attributes; the others are 0."""
    places = [(name, field.offset) for name, field in layout]

    def pack(value: Any) -> int:
        return sum(int(getattr(value, name, 0)) << offset for name, offset in places)

    return pack


def unpacker(layout: data.StructLayout) -> Callable[[int], Any]:
    """A function that unpacks a word of ``layout`` into a named tuple of its fields, all integers."""
    fields = namedtuple(type(layout).__name__, layout.members)
    places = [(field.offset, (1 << field.width) - 1) for _, field in layout]

    def unpack(word: int) -> Any:
        return fields._make([word >> offset & mask for offset, mask in places])

    return unpack
