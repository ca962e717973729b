"""The table of routes of an ingress: the routes that it puts into headers to each destination."""

from collections.abc import Sequence

from amaranth.lib import data
from amaranth.utils import ceil_log2

from fatcube.groundwork.validation import ParameterError, check_integer

__all__ = ["RouteEntry", "RouteTable"]


class RouteEntry(data.StructLayout):
    """The routes to one destination.

    Members
    -------
    ways : :class:`ArrayLayout(unsigned(route_bits), ways)`
        A route for each of the ways that are used in round-robin order. A destination with fewer routes repeats them.
    valid : :class:`unsigned(1)`
        There is such a destination.
    """

    def __init__(self, route_bits: int, ways: int = 1) -> None:
        self.route_bits = check_integer("route bits", route_bits, minimum=1, maximum=4096)
        self.ways = check_integer("ways", ways, minimum=1, maximum=64)
        super().__init__({"ways": data.ArrayLayout(route_bits, ways), "valid": 1})


class RouteTable(data.ArrayLayout):
    """A :class:`RouteEntry` for each destination, with destination 0 in the lowest bits.

    Parameters
    ----------
    route_bits : :class:`int`
        Bits of a route.
    destinations : :class:`int`
        Entries.
    ways : :class:`int`
        Routes to each destination.

    Attributes
    ----------
    dest_bits : :class:`int`
        Bits of the number of a destination, at least 1.
    """

    def __init__(self, route_bits: int, destinations: int, ways: int = 1) -> None:
        self.destinations = check_integer("destinations", destinations, minimum=1, maximum=1 << 16)
        self.entry = RouteEntry(route_bits, ways)
        self.dest_bits = max(1, ceil_log2(destinations))
        super().__init__(self.entry, destinations)

    def pack(self, routes: Sequence[Sequence[int] | None]) -> int:
        """The table as an integer.

        Parameters
        ----------
        routes : list
            For each destination a list of one to ``ways`` routes, which is repeated cyclically if it is shorter than
            ``ways``; or ``None`` if there is no such destination.

        Raises
        ------
        ParameterError
            If there are more or fewer destinations, or routes, or a route is too long.
        """
        if len(routes) != self.destinations:
            raise ParameterError(f"routes must be of {self.destinations} destinations, not {len(routes)}")
        table = 0
        for number, ways in enumerate(routes):
            if ways is None:
                continue
            check_integer(f"routes to destination {number}", len(ways), minimum=1, maximum=self.entry.ways)
            entry = 1 << self.entry["valid"].offset
            for way in range(self.entry.ways):
                route = check_integer(
                    f"route to destination {number}",
                    ways[way % len(ways)],
                    minimum=0,
                    maximum=(1 << self.entry.route_bits) - 1,
                )
                entry |= route << way * self.entry.route_bits
            table |= entry << number * self.entry.size
        return table
