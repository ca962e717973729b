"""The description of a generated router as JSON, ``fatcube.router/1``: its ports, its turns, and a header for each turn."""

from collections.abc import Callable, Iterator
from typing import Any

from fatcube.groundwork.digest import versions
from fatcube.noc.descriptions.fields import fields_json
from fatcube.noc.descriptions.network_file import ports_json, streams_json
from fatcube.noc.latency import formula_of, waiting_formula
from fatcube.noc.network import Network
from fatcube.noc.shared import Shared
from fatcube.rtl.flit import HeaderLayout
from fatcube.rtl.router_parameters import RouterParameters

__all__ = ["FORMAT", "router_json"]


FORMAT = "fatcube.router/1"
_NODE = 0  # whose tables are the example, where headers name destinations
_MOST_TRIED = 1 << 16  # headers


def router_json(network: Network, shared: Shared) -> dict[str, Any]:
    """The description of the router of ``network`` that ``shared`` is; docs/reference/network-files.md names its keys."""
    router, options = network.router(), network.options
    headers = _Headers(network)
    return {
        "format": FORMAT,
        "parameters": network.to_json(),
        "top": shared.name,
        "ports": ports_json(shared),
        "router": streams_json(network),
        "processors": router.processors,
        "ports_per_processor": router.ports,
        "turns": [list(router.reach(number)) for number in range(router.crossbar_ports)],
        "lanes": {
            "channels": options.virtual_channels,
            "classes": options.channel_classes,
            "depth": options.buffer_depth,
            "answers": options.answers,
        },
        "header": fields_json(router.header.fields()),
        "example": {
            "node": _NODE,
            "routes": f"{network.tables[_NODE]:x}" if network.tables else None,
            "headers": [list(headers.legal(number)) for number in range(router.crossbar_ports)],
            "illegal": [headers.illegal(number) for number in range(router.crossbar_ports)],
        },
        "deadlock": network.deadlock or None,
        "latency": formula_of(options),
        "waiting": waiting_formula([network.router()]) or None,
        "tools": versions(["amaranth", "pyosys"]),
    }


class _Headers:
    """A header for each turn, as it comes in and as it goes out: what is below the message id."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._router: RouterParameters = network.router()
        self._layout: HeaderLayout = self._router.header
        self._to = self._looked_up() if self._layout.destinations else self._selected

    def legal(self, number: int) -> Iterator[dict[str, Any]]:
        """For each class and output that input ``number`` reaches: the header sent, and the one received, if it is known."""
        router, classes = self._router, self._router.options.channel_classes
        for channel_class in range(classes if number >= router.processor_ports else 1):
            for output in router.reach(number):
                sent = self._to(number, channel_class, output)
                if sent is not None:
                    received = self._received(number, output, sent)
                    yield {
                        "class": channel_class,
                        "output": output,
                        "sent": f"{sent:x}",
                        "received": None if received is None else f"{received:x}",
                    }

    def illegal(self, number: int) -> str | None:
        """A header for an output that input ``number`` does not reach; ``None`` if it reaches all that a header can name."""
        for output in sorted({*range(self._router.crossbar_ports + 1)}.difference(self._router.reach(number))):
            sent = self._to(number, 0, output)
            if sent is not None:
                return f"{sent:x}"
        return None

    def _selected(self, number: int, channel_class: int, output: int) -> int | None:
        """A source route, or a mask. The selectors after the first select no output; they differ so that shifts are seen."""
        layout, first_lane = self._layout, self._router.processor_ports
        if layout.copies and number < first_lane:
            known = output < self._router.crossbar_ports
            return layout.pack([(output,) if output < first_lane else (output, 0)], 0) if known else None
        if output >> layout.selector_bits - layout.class_bits:
            return None
        if layout.copies:
            return output
        channels_class = channel_class if output >= first_lane else 0
        later = [(3 * place + 1) % (1 << layout.selector_bits) for place in range(layout.hops)]
        selectors = [layout.selector(output, channels_class), *later]
        if number >= first_lane:
            selectors[-1] = selectors[-2]  # as the router before has left it
        return layout.pack(selectors, 0)

    def _received(self, number: int, output: int, sent: int) -> int | None:
        """The header that leaves: see the head of the Verilog."""
        layout = self._layout
        if layout.destinations:
            return sent
        if layout.copies:
            if layout.hops > 1:
                return None
            if number >= self._router.processor_ports or output < self._router.processor_ports:
                return sent
            return sent >> layout.selector_bits << layout.selector_bits  # beyond the lane is output 0
        kept = sent >> layout.hops * layout.selector_bits
        return sent >> layout.selector_bits | kept << layout.hops * layout.selector_bits

    def _looked_up(self) -> Callable[[int, int, int], int | None]:
        """Destinations by input, class and output, from the tables of the example, or from its address."""
        router, layout = self._router, self._layout
        found: dict[tuple[int, int, int], int] = {}
        for number in range(router.crossbar_ports):
            for channel_class in range(router.options.channel_classes if number >= router.processor_ports else 1):
                for destination in range(min(_MOST_TRIED, 1 << layout.route_bits)):
                    output = self._next(number, channel_class, destination)
                    found.setdefault((number, channel_class, output), destination)
        return lambda number, channel_class, output: found.get((number, channel_class, output))

    def _next(self, number: int, channel_class: int, destination: int) -> int:
        """The output to a destination."""
        router, table = self._router, self._network.tables[_NODE]
        computation = router.route_computation
        if computation is not None:
            channel = computation.channel(table, destination)
            if channel is not None:
                return router.lane_port(channel, router.own_lane(number))
            return destination & (1 << computation.output_bits) - 1
        bits = self._layout.selector_bits
        low = router.tables.index((number, channel_class)) * router.table_bits + destination * bits
        return table >> low & (1 << bits - self._layout.class_bits) - 1
