"""The lines below a drawing of a network that say what is seen: each a mark of the drawing, and a text."""

from collections.abc import Iterator, Sequence
import dataclasses
from fractions import Fraction
import textwrap

from fatcube.noc.topology import Topology
from fatcube.reports.lanes import DrawnLane
from fatcube.reports.shown import CLASSES, Loads, Route, Step

__all__ = ["Entry", "figure", "legend"]


_LONGEST = 76  # letters of a line


@dataclasses.dataclass(frozen=True)
class Entry:
    """A line of the legend.

    Members
    -------
    mark : :class:`str`
        The mark before the text, as the template names it: none if it is empty, and room for one if it is "more".
    text : :class:`str`
    """

    mark: str
    text: str


def legend(
    topology: Topology,
    lanes: Sequence[DrawnLane],
    *,
    half_duplex: bool,
    loads: Loads | None,
    route: Route | None,
    step: Step | None,
) -> list[Entry]:
    """The lines for what of all this is there, each short enough for a small drawing."""
    entries = [
        *_of_lanes(topology, lanes, half_duplex),
        *(() if loads is None else _of_loads(loads)),
        *(() if route is None else _of_route(route)),
        *(() if step is None else _of_step(step)),
    ]
    found = []
    for entry in entries:
        first, *others = textwrap.wrap(entry.text, _LONGEST)
        found += [Entry(entry.mark, first), *(Entry(entry.mark and "more", text) for text in others)]
    return found


def _of_lanes(topology: Topology, lanes: Sequence[DrawnLane], half_duplex: bool) -> Iterator[Entry]:
    if any(lane.one_way for lane in lanes):
        yield Entry("one-way", "an arrow leads the way of a lane that has one direction")
    if half_duplex:
        yield Entry("half-duplex", "half-duplex lane: one packet at a time, in either direction")
    if not topology.failures:
        return
    if any(not any(way.works for way in lane.ways) for lane in lanes):
        yield Entry("failed", "lane that has failed (dashed), or was lost with its node")
    if any(len({way.works for way in lane.ways}) == 2 for lane in lanes):
        yield Entry("one-left", "lane of which the direction of the arrow is left, and the other one has failed")
    if any(name.startswith(("node", "processor")) for name in topology.failures):
        yield Entry("cross", "node or processor that has failed")


def _of_loads(loads: Loads) -> Iterator[Entry]:
    who = "the busiest processor" if loads.of_busiest else "every processor"
    yield Entry(
        "",
        f"Flits per cycle on each lane if {who} offers one flit per cycle and port: {loads.pattern} traffic, "
        f"{loads.routing} routing.",
    )
    for rank in range(CLASSES, -1, -1):
        some = sorted(load for load in loads.of.values() if loads.class_of(load) == rank)
        if some:
            least, most = figure(some[0]), figure(some[-1])
            figures = "0" if not rank else least if least == most else f"{least} to {most}"
            yield Entry(f"load-{rank}", f"{figures} ({len(some)} of {len(loads.of)})")
    yield Entry("", f"Lanes and receivers take a load of at most {loads.bound:.3f} from {who}.")


def _of_route(route: Route) -> Iterator[Entry]:
    hops = sorted({len(way) for way in route.ways})
    lengths = " or ".join(map(str, hops))
    several = "" if len(route.ways) == 1 else f", one of {len(route.ways)} ways"
    yield Entry(
        "route",
        f"route of a packet from processor {route.source} to processor {route.target}{several}: {lengths} "
        f"hop{'' if hops == [1] else 's'}, {route.routing} routing",
    )


def _of_step(step: Step) -> Iterator[Entry]:
    count = len(step.transfers)
    yield Entry(
        "transfer", f"step {step.number} of {step.of} of {step.what}: {count} transfer{'' if count == 1 else 's'}"
    )


def figure(load: Fraction) -> str:
    """A load in at most four digits."""
    return f"{float(load):.4g}"
