"""The block diagram of a generated network as a standalone SVG: routers, lanes, and each port with its protocol, width and clock."""

from collections.abc import Iterator, Mapping, Sequence
import dataclasses
from functools import cached_property
import textwrap
from typing import Any

from fatcube.noc.descriptions.flows.buses import clocks_of, streams_of
from fatcube.noc.topology import Topology
from fatcube.reports.blocks.boxes import Blocks, blocks, up_to_edge
from fatcube.reports.bows import beside
from fatcube.reports.lanes import DrawnLane, drawn_lanes, joined
from fatcube.reports.limits import check_size
from fatcube.reports.page import page
from fatcube.reports.places import Point
from fatcube.reports.strokes import at, head, lozenge, path, short, shortened
from fatcube.rtl.protocols import protocol_of
from fatcube.rtl.protocols.protocol import Role

__all__ = ["BlockDiagram"]


# Sizes in pixels.
_ROW, _TITLE = 17.0, 22.0  # the height of a port's row, and of the title of a block
_LETTER, _OF_LEGEND = 6.3, 5.7  # the width of a letter, in a row and below the diagram
_BESIDE = 8.0  # the text of a row, on each side
_PITCH = 6.0  # the distance between the lanes of a link
_HEAD = 8.0
_MARGIN = 16.0
_LINE = 17.0  # the height of a line of the legend
_SHORTEST = 60  # letters of a line of the legend below a narrow diagram


@dataclasses.dataclass(frozen=True)
class _Port:
    """The texts of a port: the columns of its row, and its tooltip."""

    number: int
    columns: tuple[str, str, str]
    title: str


@dataclasses.dataclass(frozen=True)
class BlockDiagram:
    """A generated network.

    Parameters
    ----------
    topology : :class:`Topology`
    about : mapping
        The description of the network (:func:`fatcube.noc.descriptions.network_file.network_json`).
    title : :class:`str`
        A short description of the network.

    Raises
    ------
    ParameterError
        If the network has more nodes, processors or lanes than can be distinguished in a drawing.
    """

    topology: Topology
    about: Mapping[str, Any]
    title: str

    def __post_init__(self) -> None:
        check_size(self.topology)

    def svg(self) -> str:
        """The text of the file."""
        place, lines = self._blocks, [*self._lines()]
        ends = [*place.centres, *(point for way in place.ways.values() for point in way)]
        across = max(max(x for x, _ in place.centres) + place.wide / 2, max(x for x, _ in ends))
        letters = max(_SHORTEST, int(across / _OF_LEGEND))
        below = [line for text in self._legend() for line in textwrap.wrap(text, letters)]
        width = max(across, *(_OF_LEGEND * len(text) for text in below))
        high = max(max(y for _, y in place.centres) + place.high / 2, max(y for _, y in ends))
        return page(
            "blocks.svg",
            title=f"{self.about['top']}: {self.title}",
            description=" ".join(below),
            width=short(width + 2 * _MARGIN),
            height=short(high + 3.4 * _MARGIN + _LINE * (len(below) - 1)),
            margin=short(_MARGIN),
            lanes=lines,
            nodes=[*self._nodes()],
            wide=short(place.wide),
            title_high=short(_TITLE),
            row=short(_ROW),
            legend=below,
            legend_top=short(high + 1.4 * _MARGIN),
            legend_line=_LINE,
        )

    @cached_property
    def _ports(self) -> dict[int, list[_Port]]:
        """The ports of the processors of each node, in order."""
        about, protocol = self.about, protocol_of(self.about)
        bits = {port["name"]: port["bits"] for port in about["ports"]}
        clocks = {stream.name: clock.port for clock in clocks_of(about) for stream in clock.streams}
        each = about["ports_per_processor"]
        nodes = {one["processor"]: one["node"] for one in about["processors"]}
        found: dict[int, list[_Port]] = {node: [] for node in range(about["nodes"])}
        streams = streams_of(about)
        for into, out in zip(streams[::2], streams[1::2], strict=True):
            port = into.endpoint
            processor, number = divmod(port, each)
            word = bits[into.ports[Role.DATA]] if Role.DATA in into.ports else about["parameters"]["width"]
            name = protocol.names.get(port, f"port {port}")
            title = (
                f"port {port}: processor {processor}{f', its port {number}' if each > 1 else ''}; {into.name}, {out.name}; "
                f"{protocol.at(port).name}, {word} bits, clock {clocks[into.name]}"
            )
            columns = name, f"{protocol.at(port).name} {word}", clocks[into.name]
            found[nodes[processor]].append(_Port(port, columns, title))
        return found

    @cached_property
    def _columns(self) -> list[float]:
        """Where the columns of a row begin, and where the last one ends."""
        rows = [[port.columns[column] for column in self._shown] for ports in self._ports.values() for port in ports]
        widest = [max((len(row[place]) for row in rows), default=0) for place in range(len(self._shown))]
        longest = max(map(len, self._titles))
        starts = [_BESIDE]
        for letters in widest:
            starts.append(starts[-1] + _LETTER * letters + _BESIDE)
        return [*starts[:-1], max(starts[-1], _LETTER * longest + 2 * _BESIDE)]

    @cached_property
    def _shown(self) -> list[int]:
        """The columns of the rows: names, and what is not the same for all ports, which the legend says."""
        rows = [port.columns for ports in self._ports.values() for port in ports]
        return [0, *(column for column in (1, 2) if len({row[column] for row in rows}) > 1)]

    @cached_property
    def _titles(self) -> list[str]:
        return [f"router {self.topology.name_of(node)}" for node in range(self.topology.nodes)]

    @cached_property
    def _blocks(self) -> Blocks:
        high = _TITLE + _ROW * max(map(len, self._ports.values())) + 4
        return blocks(self.topology, joined(self.topology.intact), self._columns[-1], high)

    def _half(self, node: int) -> Point:
        """Half the width and half the height of the block of a node."""
        return self._columns[-1] / 2, (_TITLE + _ROW * len(self._ports[node]) + 4) / 2

    def _lines(self) -> Iterator[dict[str, Any]]:
        """The values of the template for each lane."""
        half_duplex = self.about["parameters"].get("links") == "half-duplex"
        for lane in drawn_lanes(self.topology):
            points = beside(self._blocks.ways[lane.low, lane.high], lane.offset * _PITCH)
            working = [way for way in lane.ways if way.works]
            arrow = ""
            if len(working) == 1:
                if working[0].node != lane.low:
                    points.reverse()
                other = working[0].other
                points = up_to_edge(points, self._blocks.centres[other], self._half(other))
                arrow = head(points, _HEAD, _HEAD / 2)
                points = shortened(points, 0.7 * _HEAD)
            yield {
                "low": lane.low,
                "high": lane.high,
                "place": lane.place,
                "title": _said(lane),
                "failed": not working,
                "d": path(points),
                "head": arrow,
                "lozenge": lozenge(*at(points, 0.5)) if half_duplex and working else "",
            }

    def _nodes(self) -> Iterator[dict[str, Any]]:
        """The values of the template for each router and its ports."""
        left = set(self.topology.left)
        *starts, wide = self._columns
        for node, (x, y) in enumerate(self._blocks.centres):
            _, half = self._half(node)
            yield {
                "node": node,
                "failed": node not in left,
                "title": self._titles[node],
                "x": short(x - wide / 2),
                "y": short(y - half),
                "high": short(2 * half),
                "middle": short(wide / 2),
                "ports": [
                    {
                        "number": port.number,
                        "title": port.title,
                        "failed": not self.topology.works(port.number // self.about["ports_per_processor"]),
                        "y": short(_TITLE + _ROW * place),
                        "texts": [(short(start), port.columns[column]) for start, column in zip(starts, self._shown)],
                    }
                    for place, port in enumerate(self._ports[node])
                ],
            }

    def _legend(self) -> Iterator[str]:
        """The lines below the diagram."""
        first, *own = clocks_of(self.about)
        clocks = f"Routers and {'all' if not own else 'other'} ports have the clock {first.port}"
        yield f"{self.about['top']}: {self.title}"
        rows = [port.columns for ports in self._ports.values() for port in ports]
        named = [["its name", "protocol and bits of a word", "clock"][column] for column in self._shown]
        protocol, bits = rows[0][1].rsplit(" ", 1) if rows and 1 not in self._shown else ("", "")
        every = f" All ports: {protocol}, {bits} bits." if protocol else ""
        columns = f": {', '.join(named)}" if named[1:] else ""
        yield f"A row is a port of a processor{columns}.{every} {clocks}."
        lanes = [*drawn_lanes(self.topology)]
        said = ["A line is a lane between two routers"]
        if any(len([way for way in lane.ways if way.works]) == 1 for lane in lanes):
            said.append("with an arrow where it goes one way")
        if self.about["parameters"].get("links") == "half-duplex":
            said.append("with a lozenge as it carries one packet at a time")
        if self.topology.failures:
            said.append("dashed if it has failed")
        yield ", ".join(said) + "."


def _said(lane: DrawnLane) -> str:
    """The tooltip of a lane."""
    ways: Sequence[str] = [
        f"lane {way.number} from node {way.node} to node {way.other}{'' if way.works else ' has failed'}"
        for way in lane.ways
    ]
    return "; ".join(ways)
