"""Files of the user that stand where Python looks for one of our rooms, whose names are general."""

import importlib.util
import os
import sys

__all__ = ["hidden_room"]


_ROOMS = ("groundwork", "rtl", "noc", "schedules", "sim", "synth")
_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def hidden_room() -> str | None:
    """The remedy for the first file that hides a room of fatcube's, in a line; ``None`` if none does."""
    for room in _ROOMS:
        place = _place(room)
        if place is not None and os.path.dirname(place) != os.path.join(_HOME, room):
            return f"{place} hides the package {room} that fatcube is made of: rename it, or start in another folder"
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
