"""The Pareto front: choices that no other one beats in both respects."""

from collections.abc import Callable, Iterable
from typing import TypeVar

__all__ = ["undominated"]


_Item = TypeVar("_Item")


def undominated(items: Iterable[_Item], objectives: Callable[[_Item], tuple[float, float]]) -> list[_Item]:
    """The Pareto front of ``items``, by their first objective; less is better in both. Of several that are equal in both,
    all are there."""
    kept: list[_Item] = []
    for item in sorted(items, key=objectives):
        if not kept or objectives(item)[1] < objectives(kept[-1])[1] or objectives(item) == objectives(kept[-1]):
            kept.append(item)
    return kept
