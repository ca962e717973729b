"""Sequences and mappings whose items are computed on access."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

__all__ = ["Computed", "Kept"]


Item = TypeVar("Item")


class Computed(Sequence[Item]):
    """A sequence whose items are computed on access, so its memory does not grow with its length.

    Parameters
    ----------
    length : :class:`int`
        Number of items.
    item : callable
        The item at an index from 0 to ``length`` - 1.
    """

    def __init__(self, length: int, item: Callable[[int], Item]) -> None:
        self._length = length
        self._item = item

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: Any) -> Any:  # the type of Sequence has slices too, which are not supported here
        if not 0 <= index < self._length:
            raise IndexError(index)
        return self._item(index)


class Kept(dict[int, Item]):
    """A mapping of numbers to items, each computed at its first access and kept."""

    def __init__(self, item: Callable[[int], Item]) -> None:
        super().__init__()
        self._item = item

    def __missing__(self, index: int) -> Item:
        self[index] = found = self._item(index)
        return found
