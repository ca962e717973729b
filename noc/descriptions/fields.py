"""The fields of a word of hardware, as descriptions have them."""

from collections.abc import Iterable
from typing import Any

__all__ = ["fields_json"]


def fields_json(fields: Iterable[tuple[str, int, int]]) -> list[dict[str, Any]]:
    """The fields of a word: the name, the lowest bit and the number of bits of each."""
    return [{"field": name, "low": low, "bits": bits} for name, low, bits in fields]
