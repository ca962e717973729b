"""A drawing of a network as a standalone SVG: nodes, processors and lanes, and what goes over them.

The text of the file is made by the template ``drawing.svg`` from the places and marks that are worked out here. It loads
nothing, has the colours of the reader's theme, and is the same, byte for byte, whenever it is made of the same network.
"""

from collections.abc import Iterator, Mapping, Sequence
import dataclasses
from functools import cached_property
from typing import Any

from fatcube.noc.topology import Topology
from fatcube.reports.bows import beside, up_to
from fatcube.reports.labels import Label, left_out, node_labels, processor_labels
from fatcube.reports.lanes import DrawnLane, Way, drawn_lanes
from fatcube.reports.layout import Layout, Proportions, layout
from fatcube.reports.legend import Entry, figure, legend
from fatcube.reports.limits import check_size
from fatcube.reports.page import page
from fatcube.reports.pills import Box, Pill, pills
from fatcube.reports.places import Point
from fatcube.reports.shown import CLASSES, Loads, Route, Step, Trail
from fatcube.reports.strokes import at, cross, head, lozenge, path, rounded, short, shortened

__all__ = ["Drawing"]


# Sizes in pixels.
_WIDE, _WIDEST = 1000.0, 1600.0
_APART, _LEAST_APART = 110.0, 44.0  # of the nearest two nodes
_FOR_NAMES = 25.0  # more where each lane has names
_LANE, _LANES = 1.6, 2.4  # the width of a line, and the least distance between two
_HEAD = 7.0  # the length of an arrow's head
_LINE = 19.0  # the height of a line of the legend
_NARROW = 620.0  # a drawing; below wider ones, which are shown smaller, the legend is as much larger
_MARGIN = 12.0


@dataclasses.dataclass(frozen=True)
class Drawing:
    """A network and what is shown on it.

    Parameters
    ----------
    topology : :class:`Topology`
        The network; its failed parts are drawn as failed.
    half_duplex, simplex : :class:`bool`
        Whether each lane carries one packet at a time, or has one direction only (see :func:`drawn_lanes`).
    loads, route, step
        The loads, route or step to show on the lanes, if any.

    Raises
    ------
    ParameterError
        If the network has more nodes, processors or lanes than can be distinguished in a drawing.
    """

    topology: Topology
    _: dataclasses.KW_ONLY
    half_duplex: bool = False
    simplex: bool = False
    loads: Loads | None = None
    route: Route | None = None
    step: Step | None = None

    def __post_init__(self) -> None:
        check_size(self.topology)

    def svg(self) -> str:
        """The text of the file."""
        place, below = self.layout, self._legend
        zoom = max(1.0, place.width / _NARROW)
        across = max([place.width, *(zoom * (34 + 6.3 * len(line.text)) for line in below)]) + 2 * _MARGIN
        deep = place.height + 2 * _MARGIN + zoom * _LINE * len(below) + (_MARGIN / 2 if below else 0)
        return page(
            "drawing.svg",
            title=f"Network {self.topology.name}",
            description=self._description,
            width=short(across),
            height=short(deep),
            left=short((across - place.width) / 2),
            top=short(_MARGIN),
            lanes=list(self._lines()),
            nodes=list(self._nodes()),
            processors=list(self._processors()),
            trails=list(self._trails()),
            pills=[pill for pill in self._pills if pill is not None],
            badges=list(self._badges()),
            legend=below,
            legend_top=short(place.height + 1.5 * _MARGIN + zoom * _LINE / 2),
            legend_line=_LINE,
            legend_zoom=f"{zoom:.3g}",
            legend_widths={f"load-{rank}": short(self._width_of(rank)) for rank in range(1, CLASSES + 1)},
            radius=short(place.radius),
            router=short(place.router),
            side=short(place.side),
            badge=short(self._badge),
        )

    def to_json(self) -> dict[str, Any]:
        """All drawn parts and their places, in the units of the file, from the upper left corner of the network on.

        Lanes are in the order of the file, each with its directions; a direction has its load if loads are drawn.
        """
        place, topology = self.layout, self.topology
        lanes = []
        for lane in self._lanes:
            ways = []
            for way in lane.ways:
                load = None if self.loads is None else self.loads.of.get((way.node, way.channel, way.lane))
                about = {"from": way.node, "to": way.other, "lane": way.number, "works": way.works}
                ways.append(about | ({} if load is None else {"load": str(load)}))
            lanes.append({"points": [rounded(point) for point in self._points(lane)], "ways": ways})
        shown: dict[str, Any] = {}
        if self.loads is not None:
            shown["loads"] = {
                "pattern": self.loads.pattern,
                "routing": self.loads.routing,
                "most": str(self.loads.most),
                "bound": self.loads.bound,
            }
        if self.route is not None:
            shown["route"] = self.route.to_json()
        if self.step is not None:
            shown["step"] = self.step.to_json()
        return {
            "nodes": [
                {"node": node, "name": topology.name_of(node), "at": rounded(at)} for node, at in enumerate(place.nodes)
            ],
            "processors": [
                {"processor": one, "node": topology.node_of(one), "works": topology.works(one), "at": rounded(at)}
                for one, at in enumerate(place.processors)
            ],
            "lanes": lanes,
            **shown,
        }

    @cached_property
    def layout(self) -> Layout:
        """The places in pixels."""
        # Nodes with processors are larger, and stand farther apart, so that these have room for their numbers.
        many = min(self.topology.m, 8)
        found = layout(self.topology, Proportions(node=0.27 + 0.01 * many, processor=0.27, router=0.52))
        apart = _APART + 14 * many + (_FOR_NAMES * self._beside if self._names_transfers else 0)
        factor = min(apart / found.apart, _WIDE / max(found.width, found.height))
        factor = max(factor, min(_LEAST_APART / found.apart, _WIDEST / max(found.width, found.height)))
        # All lanes of a link end at the node.
        factor = max(factor, _LANES * (2 if self._both_ways else 1) * self._beside / (1.6 * found.radius))
        return found.scaled(factor)

    @property
    def left_out(self) -> list[str]:
        """The labels for which there is no room, as phrases."""
        kinds = {"node": self._node_labels, "processor": self._processor_labels}
        missing = {
            kind: sum(label is not None and not label.size for label in labels) for kind, labels in kinds.items()
        }
        return [left_out(kind, many) for kind, many in {**missing, "transfer": self._pills.count(None)}.items() if many]

    @cached_property
    def _lanes(self) -> list[DrawnLane]:
        return drawn_lanes(self.topology, simplex=self.simplex)

    @cached_property
    def _beside(self) -> int:
        """The most lines between two nodes."""
        return max((lane.of for lane in self._lanes), default=1)

    @property
    def _both_ways(self) -> bool:
        """Whether the two directions of a lane are drawn beside each other."""
        return self.loads is not None or self.step is not None

    @cached_property
    def _pitch(self) -> float:
        """The distance between lines of a link."""
        return min(14.0 if self._both_ways else 7.0, 1.6 * self.layout.radius / self._beside)

    def _points(self, lane: DrawnLane) -> list[Point]:
        """The line of a lane, from the centre of the lower node."""
        return beside(self.layout.link(lane.low, lane.high), lane.offset * self._pitch)

    def _along(self, lane: DrawnLane, way: Way) -> list[Point]:
        """The line of one direction of a lane, on its right where both are drawn."""
        points = self._points(lane)
        if way.node != lane.low:
            points.reverse()
        return beside(points, 0.24 * self._pitch) if self._both_ways and not lane.one_way else points

    def _lines(self) -> Iterator[dict[str, Any]]:
        """The values of the template for each lane: its directions if they have loads, or else one line."""
        dead_nodes = set(range(self.topology.nodes)) - set(self.topology.left)
        for lane in self._lanes:
            working = [way for way in lane.ways if way.works]
            about = {"low": lane.low, "high": lane.high, "place": lane.place, "title": self._title(lane)}
            strokes, marks = [], []
            points = self._points(lane)
            if self.loads is not None and working:
                strokes = [self._loaded(self.loads, lane, way) for way in working]
            elif len(working) == 1:
                strokes = [self._arrow(self._along(lane, working[0]), working[0], "" if lane.one_way else "one-left")]
            else:
                strokes = [{"name": "" if working else "failed", "d": path(points), "head": ""}]
            if len(working) < len(lane.ways) and dead_nodes.isdisjoint((lane.low, lane.high)):
                gone = next(way for way in lane.ways if not way.works)
                part = 0.5 if not working else 0.7 if gone.node == lane.low else 0.3
                marks.append({"name": "cross", "d": cross(at(points, part)[0], 4.5)})
            elif self.half_duplex and working:
                marks.append({"name": "lozenge", "d": lozenge(*at(points, 0.5))})
            yield {**about, "strokes": strokes, "marks": marks}

    def _loaded(self, loads: Loads, lane: DrawnLane, way: Way) -> dict[str, Any]:
        """The stroke of a direction of a lane with its load."""
        load = loads.of[way.node, way.channel, way.lane]
        rank = loads.class_of(load)
        return self._arrow(self._along(lane, way), way, f"load load-{rank}", self._width_of(rank)) | {"load": str(load)}

    def _width_of(self, rank: int) -> float:
        """The width of a stroke for a class of loads."""
        return max(0.6, 0.44 * self._pitch * rank / CLASSES) if rank else 0.8

    def _arrow(self, points: Sequence[Point], way: Way, name: str, width: float = _LANE) -> dict[str, Any]:
        """The stroke of a direction of a lane with a head where it enters the node that it leads to."""
        points = up_to(points, self.layout.nodes[way.other], self.layout.radius)
        length = min(_HEAD, 0.35 * self.layout.radius) + width / 2
        return {
            "name": name,
            "d": path(shortened(points, 0.7 * length)),
            "head": head(points, length, max(0.5 * length, 0.75 * width)),
            "width": short(width),
            "from": way.node,
            "to": way.other,
            "lane": way.number,
        }

    def _title(self, lane: DrawnLane) -> str:
        """The tooltip of a lane."""
        said = []
        for way in lane.ways:
            load = None if self.loads is None else self.loads.of.get((way.node, way.channel, way.lane))
            what = "has failed" if not way.works else "" if load is None else f"load {figure(load)}"
            said.append(f"lane {way.number} from node {way.node} to node {way.other}{what and f': {what}'}")
        return "; ".join(said)

    def _nodes(self) -> Iterator[dict[str, Any]]:
        """The values of the template for each node."""
        topology, left = self.topology, set(self.topology.left)
        for node, ((x, y), label) in enumerate(zip(self.layout.nodes, self._node_labels)):
            failed = node not in left
            size = 0.8 * self.layout.radius
            yield {
                "node": node,
                "title": f"node {topology.name_of(node)}{' has failed' if failed else ''}",
                "failed": failed,
                "x": short(x),
                "y": short(y),
                "label": label,
                "label_y": short(y + label.below + 0.36 * label.size),
                "cross": cross((x, y), size) if failed else "",
            }

    def _processors(self) -> Iterator[dict[str, Any]]:
        """The values of the template for each processor."""
        topology, half = self.topology, self.layout.side / 2
        for one, ((x, y), label) in enumerate(zip(self.layout.processors, self._processor_labels)):
            works = topology.works(one)
            yield {
                "processor": one,
                "title": f"processor {one} of node {topology.node_of(one)}{'' if works else ' has failed'}",
                "failed": not works,
                "stub": path([(x, y), self.layout.nodes[topology.node_of(one)]]),
                "x": short(x - half),
                "y": short(y - half),
                "middle": short(x),
                "label": label,
                "label_y": "" if label is None else short(y + 0.36 * label.size),
                "cross": "" if works else cross((x, y), 0.8 * half),
            }

    @cached_property
    def _node_labels(self) -> list[Label]:
        return node_labels(self.topology, self.layout)

    @cached_property
    def _processor_labels(self) -> list[Label | None]:
        return processor_labels(self.topology, self.layout)

    def _trails(self) -> Iterator[dict[str, Any]]:
        """The values of the template for each way of a packet, and for each transfer of a step."""
        if self.route is not None:
            for number, way in enumerate(self.route.ways):
                yield self._trail(self.route.source, self.route.target, way, "") | {"way": number}
        if self.step is not None:
            for src, dst, trail, messages in self.step.transfers:
                yield self._trail(src, dst, trail, self.step.label(messages))

    @property
    def _names_transfers(self) -> bool:
        """Whether the lanes may have room for the names of messages."""
        return self.step is not None and self.topology.processors <= 16 and self._beside <= 2

    @cached_property
    def _pills(self) -> list[Pill | None]:
        """The messages of each transfer of a step on the first lane that it crosses, in a small network."""
        if self.step is None or not self._names_transfers:
            return []
        place = self.layout
        routers = [Box(x, y, 2 * place.router, 2 * place.router) for x, y in place.nodes]
        processors = [Box(x, y, place.side, place.side) for x, y in place.processors]
        named = [
            (self.step.label(messages), self._along(*self._lane_of[trail[0]]))
            for _, _, trail, messages in self.step.transfers
            if trail
        ]
        return pills(named, [*routers, *processors])

    def _trail(self, source: int, target: int, hops: Trail, label: str) -> dict[str, Any]:
        """A packet's way from a processor through the routers to another one."""
        place, topology = self.layout, self.topology
        points = [place.processors[source], place.nodes[topology.node_of(source)]]
        for hop in hops:
            points += self._along(*self._lane_of[hop])
        points += [place.nodes[topology.node_of(target)], place.processors[target]]
        points = up_to(points, place.processors[target], 0.5 * place.side)
        width = 2.2 if self.step is not None else 3.4
        length = min(_HEAD, 0.3 * place.radius) + width / 2
        over = " over " + ", ".join(f"lane {lane} from node {node} to node {other}" for node, other, lane in hops)
        return {
            "source": source,
            "target": target,
            "title": f"processor {source} to processor {target}{over if hops else f' within node {topology.node_of(source)}'}"
            f"{label and f': {label}'}",
            "d": path(shortened(points, 0.7 * length)),
            "head": head(points, length, 0.6 * length) + "".join(self._head_on(hop, length) for hop in hops),
            "width": short(width),
        }

    def _head_on(self, hop: tuple[int, int, int], length: float) -> str:
        """A head on a lane that a packet crosses, so that its direction is seen there too."""
        (x, y), (dx, dy) = at(self._along(*self._lane_of[hop]), 0.74)
        return head([(x - dx, y - dy), (x, y)], length, 0.6 * length)

    @cached_property
    def _lane_of(self) -> Mapping[tuple[int, int, int], tuple[DrawnLane, Way]]:
        """Each direction of a lane by the nodes and its number."""
        return {(way.node, way.other, way.number): (lane, way) for lane in self._lanes for way in lane.ways}

    def _badges(self) -> Iterator[dict[str, Any]]:
        """The numbers of the hops of a route, each beside its lane; alternatives that share a lane share them."""
        numbers: dict[tuple[int, int, int], list[int]] = {}
        for way in () if self.route is None else self.route.ways:
            for number, hop in enumerate(way, start=1):
                if number not in numbers.setdefault(hop, []):
                    numbers[hop].append(number)
        for hop, some in numbers.items():
            x, y = at(self._along(*self._lane_of[hop]), 0.5)[0]
            size = 1.3 * self._badge / max(1, 0.55 * len(text := ",".join(map(str, some))))
            yield {"x": short(x), "y": short(y), "text": text, "size": short(size), "text_y": short(y + 0.36 * size)}

    @property
    def _badge(self) -> float:
        """The radius of the number of a hop."""
        return min(9.0, 0.12 * self.layout.apart + 1.5)

    @cached_property
    def _legend(self) -> list[Entry]:
        """The lines below the drawing that say what is seen."""
        return legend(
            self.topology,
            self._lanes,
            half_duplex=self.half_duplex,
            loads=self.loads,
            route=self.route,
            step=self.step,
        )

    def __str__(self) -> str:
        topology = self.topology
        nodes = f"{topology.nodes} node{'s' * (topology.nodes > 1)}"
        return f"{topology.name}, {nodes}, {topology.processors} processors, {len(self._lanes)} lanes"

    @property
    def _description(self) -> str:
        """The drawing in sentences, for who does not see it."""
        topology = self.topology
        text = [
            f"{topology.nodes} nodes with {topology.processors} processors, and {len(self._lanes)} lanes between them."
        ]
        if topology.failures:
            text.append(f"Failed: {', '.join(topology.failures)}.")
        return " ".join([*text, *(entry.text for entry in self._legend)])
