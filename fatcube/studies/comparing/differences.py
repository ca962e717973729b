"""The options in which networks that are compared differ besides their topologies."""

from collections.abc import Iterable, Sequence

from fatcube.rtl.router_options import RouterOptions
from fatcube.studies.comparison import Compared
from fatcube.studies.load import DEPTH

__all__ = ["differences", "measured_through"]


def differences(rows: Sequence[Compared], processors: int | None) -> str:
    """A clause on processors, width, buffers and, under load, virtual channels that are not the same in all networks.

    It is empty if there is no such difference. Numbers of processors may differ where ``processors`` is only about as many.
    """
    found = {
        "processors ({})": [one.processors for one in rows] if processors is None else [],
        "width ({} bits)": _option(rows, "width", RouterOptions().width),
        "buffers ({} flits)": _option(rows, "buffer_depth", DEPTH),
        "virtual channels ({})": _channels(rows) if any(one.load for one in rows) else [],
    }
    differing = [what.format(_listed(values)) for what, values in found.items() if len({*values}) > 1]
    return f"the networks differ in {', '.join(differing)}" if differing else ""


def measured_through(rows: Sequence[Compared]) -> str:
    """The buffers and virtual channels of networks that are measured under load, as they stand in a sentence."""
    channels = _channels(rows)
    usual = ["as many virtual channels as the default routing takes"] if len(channels) < len(rows) else []
    own = [f"{_listed(channels)} virtual channel{'s' * ({*channels} != {1})}"] if channels else []
    return f"buffers of {_listed(_option(rows, 'buffer_depth', DEPTH))}, with {' or '.join([*own, *usual])}"


def _option(rows: Iterable[Compared], name: str, usual: int) -> list[int]:
    """An option of the routers of each network; those that compare itself chose have the ``usual`` value."""
    return [(one.machine or {}).get(name, usual) for one in rows]


def _channels(rows: Iterable[Compared]) -> list[int]:
    return [one.machine["virtual_channels"] for one in rows if one.machine and "virtual_channels" in one.machine]


def _listed(values: Iterable[int]) -> str:
    """Each of the values once, in order, as in ``2, 4 and 8``."""
    *most, last = dict.fromkeys(map(str, values))
    return f"{', '.join(most)} and {last}" if most else last
