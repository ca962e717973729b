"""Constructions that try less often, for tests in which schedules need not be short."""

from fatcube.schedules.constructions import (
    balanced,
    direct,
    direct_broadcast,
    direct_copies,
    greedy,
    packed,
    packed_all_gather,
)

__all__ = ["few_tries"]


def few_tries(monkeypatch, number):
    """Have every construction end after so many tries."""
    for module in (balanced, direct, direct_broadcast, direct_copies, greedy, packed, packed_all_gather):
        assert module.TRIES > number
        monkeypatch.setattr(module, "TRIES", number)
