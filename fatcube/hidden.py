"""Files of the user that stand where Python looks for one of our rooms, whose names are general."""

import importlib.util
import os
import sys

__all__ = ["hidden_room"]


_ROOMS = ("groundwork", "rtl", "noc", "schedules", "sim", "synth")
_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def hidden_room() -> str | None:
    """The remedy for the first file that hides a room of fatcube's, in a line; ``None`` if none does.

    The script that runs, such as ``sim.py``, hides none, as no other module can need it under that name: the room is
    imported in its place.
    """
    for room in _ROOMS:
        place = _place(room)
        if place is None or os.path.dirname(place) == os.path.join(_HOME, room):
            continue
        if not _runs(place):
            return f"{place} hides the package {room} that fatcube is made of: rename it, or start in another folder"
        _import(room)
    return None


def _place(room: str) -> str | None:
    """The file that ``import room`` runs, or would run if the folder of that name had one."""
    module = sys.modules.get(room)
    if module is not None:
        return getattr(module, "__file__", None)
    spec = importlib.util.find_spec(room)
    if spec is None:
        return None
    return spec.origin or os.path.join(next(iter(spec.submodule_search_locations or ()), ""), "__init__.py")


def _runs(place: str) -> bool:
    """Whether a file is the script that runs, in this process or in one that multiprocessing has started from it."""
    for name in ("__main__", "__mp_main__"):
        script = getattr(sys.modules.get(name), "__file__", None)
        if script is not None and os.path.abspath(script) == os.path.abspath(place):
            return True
    return False


def _import(room: str) -> None:
    """Import a room of ours, wherever Python would look for it."""
    folder = os.path.join(_HOME, room)
    spec = importlib.util.spec_from_file_location(
        room, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    assert spec is not None and spec.loader is not None
    module = sys.modules[room] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
