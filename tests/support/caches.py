"""Caches of their own for tests that compile."""

from fatcube.groundwork.cache import cache_folder
from fatcube.sim.builds import verilator

__all__ = ["share_builds", "share_library"]


def share_library(folder):
    """Make an empty cache in which Verilator's library is compiled already: it takes long, and is always the same."""
    [library] = verilator.library(waves=False)
    folder.mkdir(parents=True, exist_ok=True)
    for kind in ("headers", library.parent.name):
        (folder / kind).symlink_to(cache_folder() / kind)


def share_builds(folder):
    """Make a cache in which everything that is found by its own content is the same, for hardware with faults.

    Netlists are looked up by the sources that they were made from, and these do not show a fault planted in a test.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for kind in ("headers", "library", "tops", "parts", "builds"):
        (cache_folder() / kind).mkdir(parents=True, exist_ok=True)
        (folder / kind).symlink_to(cache_folder() / kind)
