"""The page that plays a schedule step by step: one file that needs nothing else."""

from collections.abc import Sequence
from typing import Any

from fatcube.groundwork.validation import ParameterError
from fatcube.reports.lanes import drawn_lanes
from fatcube.reports.layout import layout
from fatcube.reports.page import page
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import Links

__all__ = ["view_page"]


_MOST_PROCESSORS = 1024  # more could still be drawn, but take a browser long
_MOST_STEPS = 100_000  # an empty step takes a page's room too


def view_page(schedule: Schedule) -> str:
    """The HTML text of a page that plays ``schedule``; it loads nothing from anywhere.

    The page works out by itself, from the transfers, who holds what after each step. The checker should accept the
    schedule.

    Raises
    ------
    ParameterError
        If the network has too many processors to be drawn, or the schedule too many steps.
    """
    topology = schedule.topology
    if topology.processors > _MOST_PROCESSORS:
        raise ParameterError(
            f"processors of a network that is drawn must be at most {_MOST_PROCESSORS}, not {topology.processors}"
        )
    if schedule.steps > _MOST_STEPS:
        raise ParameterError(f"steps of a schedule that is drawn must be at most {_MOST_STEPS}, not {schedule.steps}")
    title = f"{schedule.collective.word} on the {topology.name}"
    return page("view.html", title=title, data=_data(schedule.expanded()))


def _data(schedule: Schedule) -> dict[str, object]:
    """The schedule and its drawing in JSON values, for the script."""
    topology = schedule.topology
    drawn = layout(topology)
    left = set(topology.left)
    steps: list[list[list[Any]]] = [[] for _ in range(schedule.steps)]
    for transfer in schedule.transfers:
        way = [[list(hop) for hop in transfer.path]] if transfer.path else []
        steps[transfer.step - 1].append([transfer.src, transfer.dst, *transfer.message, transfer.lane, *way])
    return {
        "network": topology.name,
        "ports": schedule.ports.value,
        "model": str(schedule.model),
        "nodeOf": [topology.node_of(processor) for processor in range(topology.processors)],
        "collective": schedule.collective.value,
        "word": schedule.collective.word,
        "root": schedule.root,
        "among": str(schedule.among),
        "sources": list(schedule.among.origins(topology)),
        "targets": list(schedule.among.destinations(topology)),
        "parts": schedule.parts,
        "width": round(drawn.width, 1),
        "height": round(drawn.height, 1),
        "radius": round(drawn.radius, 2),
        "router": round(drawn.router, 2),
        "side": round(drawn.side, 2),
        "nodes": _rounded(drawn.nodes),
        "processors": _rounded(drawn.processors),
        "halfDuplex": schedule.model.links is Links.HALF_DUPLEX,
        # Each line of a lane, and its directions as [node that it leaves, number there, whether it works].
        "lanes": [
            [lane.low, lane.high, lane.place, lane.of, [[way.node, way.number, way.works] for way in lane.ways]]
            for lane in drawn_lanes(topology, simplex=schedule.model.links is Links.SIMPLEX)
        ],
        "bows": [[*pair, _rounded(points)] for pair, points in drawn.bows.items()],
        "failedNodes": [node for node in range(topology.nodes) if node not in left],
        "failedProcessors": [one for one in range(topology.processors) if not topology.works(one)],
        "steps": steps,
    }


def _rounded(points: Sequence[tuple[float, float]]) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in points]
