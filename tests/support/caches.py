"""Caches of their own for tests that compile."""

from groundwork.cache import cache_folder
from sim import verilator

__all__ = ["share_library"]


def share_library(folder):
    """Make an empty cache in which Verilator's library is compiled already: it takes long, and is always the same."""
    [library] = verilator.library(waves=False)
    folder.mkdir(parents=True, exist_ok=True)
    for kind in ("headers", library.parent.name):
        (folder / kind).symlink_to(cache_folder() / kind)
