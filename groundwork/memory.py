"""The memory of a process that builds large designs."""

import gc

__all__ = ["collect_seldom"]


def collect_seldom() -> None:
    """Look for garbage after a hundred thousand new objects, not after seven hundred.

    A design or a schedule is a graph of millions of small objects that all stay: a search for garbage among them finds
    none, and took a fifth of the time in which Amaranth writes a router.
    """
    gc.set_threshold(100_000, 20, 100)
