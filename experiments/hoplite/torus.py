"""The router of Hoplite, and a torus of these routers.

Packets of one flit go east in their row to the column of their destination, then south. A router has three inputs (west,
north and its processor), two outputs with a register each, and no buffers, so in each cycle it sends on whatever came in:

- A packet from the west turns south in its column, or leaves there; elsewhere it continues east. It is never deflected.
- A packet from the north goes south, or leaves. If one from the west turns there in the same cycle, it is deflected east.
- The processor sends where the output that its packet needs is free; it waits otherwise.

The wires of the south output are those to the processor as well: a valid bit each says whose the flit is.

The paper leaves a choice which of two packets is deflected. West first bounds the path, which is the rule of HopliteRT (S.
Wasly, R. Pellizzoni and N. Kapre, FPT 2017); north first lets a packet circle in its row for as long as others come down the
column. See :func:`longest`.
"""

from typing import Any

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.groundwork.validation import check_integer

__all__ = ["Flit", "HopliteRouter", "HopliteTorus", "longest"]


def Flit(columns: int, rows: int, width: int) -> data.StructLayout:
    """The layout of a packet: the column and the row that it goes to, and ``width`` bits of data."""
    return data.StructLayout({"column": ceil_log2(columns), "row": ceil_log2(rows), "data": width})


def Lane(columns: int, rows: int, width: int) -> wiring.Signature:
    """The signature of a lane, which takes a flit in every cycle.

    Members
    -------
    valid : :py:`Out(1)`
    payload : :py:`Out(Flit(columns, rows, width))`
    """
    return wiring.Signature({"valid": Out(1), "payload": Out(Flit(columns, rows, width))})


def longest(columns: int, east: int, south: int) -> int:
    """The most cycles from a router that takes a packet of its processor to the processor of the destination.

    ``east`` and ``south`` are the hops of the path that is never deflected. A packet from the west always has its way. One from
    the north is deflected at most once in each of the ``south`` routers that it enters from there, as it comes back from the
    west, ``columns`` hops later. The last cycle is that of the register to the processor.
    """
    return east + south * (1 + columns) + 1


class HopliteRouter(wiring.Component):
    """A router.

    Parameters
    ----------
    columns, rows : :class:`int`
        The size of the torus, from 2 on.
    column, row : :class:`int`
        Its place.
    width : :class:`int`
        Bits of data of a flit.

    Members
    -------
    west, north : :py:`In(Lane(columns, rows, width))`
        From the neighbours.
    east, south : :py:`Out(Lane(columns, rows, width))`
        To the neighbours.
    send : :py:`In(stream.Signature(Flit(columns, rows, width)))`
        From the processor.
    receive : :py:`Out(Lane(columns, rows, width))`
        To the processor, which has to take a flit in every cycle.
    """

    west: Any
    north: Any
    east: Any
    south: Any
    send: Any
    receive: Any

    def __init__(self, columns: int, rows: int, column: int, row: int, *, width: int = 32) -> None:
        check_integer("columns", columns, minimum=2)
        check_integer("rows", rows, minimum=2)
        check_integer("column", column, minimum=0, maximum=columns - 1)
        check_integer("row", row, minimum=0, maximum=rows - 1)
        check_integer("width", width, minimum=1)
        self._place = column, row
        lane = Lane(columns, rows, width)
        super().__init__(
            {
                "west": In(lane),
                "north": In(lane),
                "east": Out(lane),
                "south": Out(lane),
                "send": In(stream.Signature(Flit(columns, rows, width))),
                "receive": Out(lane),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        column, row = self._place
        west, north, send = self.west, self.north, self.send
        turns = Signal()  # from the west to the south
        passes = Signal()  # from the west to the east
        deflected = Signal()  # from the north to the east
        sends_south = Signal()
        m.d.comb += [
            turns.eq(west.valid & (west.payload.column == column)),
            passes.eq(west.valid & (west.payload.column != column)),
            deflected.eq(north.valid & turns),
            sends_south.eq(send.payload.column == column),
            send.ready.eq(Mux(sends_south, ~(turns | north.valid), ~(passes | deflected))),
        ]
        east, south = Signal.like(send.payload), Signal.like(send.payload)
        m.d.comb += [
            east.eq(Mux(passes, west.payload, Mux(deflected, north.payload, send.payload))),
            south.eq(Mux(turns, west.payload, Mux(north.valid, north.payload, send.payload))),
        ]
        goes_south = turns | north.valid | (send.valid & sends_south)
        arrives = south.row == row
        m.d.sync += [
            self.east.payload.eq(east),
            self.east.valid.eq(passes | deflected | (send.valid & ~sends_south)),
            self.south.payload.eq(south),
            self.south.valid.eq(goes_south & ~arrives),
            self.receive.valid.eq(goes_south & arrives),
        ]
        m.d.comb += self.receive.payload.eq(self.south.payload)
        return m


class HopliteTorus(wiring.Component):
    """A torus of :class:`HopliteRouter`, with a processor at each.

    Parameters
    ----------
    columns, rows, width : :class:`int`
        As in the router.

    Members
    -------
    send : array of :py:`In(stream.Signature(Flit(columns, rows, width)))`
        From each processor; that in column x and row y has the number ``x + columns * y``.
    receive : array of :py:`Out(Lane(columns, rows, width))`
        To each.
    """

    send: Any
    receive: Any

    def __init__(self, columns: int, rows: int, *, width: int = 32) -> None:
        self.columns, self.rows = columns, rows
        self._routers = [
            HopliteRouter(columns, rows, column, row, width=width) for row in range(rows) for column in range(columns)
        ]
        super().__init__(
            {
                "send": In(stream.Signature(Flit(columns, rows, width))).array(columns * rows),
                "receive": Out(Lane(columns, rows, width)).array(columns * rows),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        for number, router in enumerate(self._routers):
            m.submodules[f"router{number}"] = router
            row, column = divmod(number, self.columns)
            to_the_east = self._routers[row * self.columns + (column + 1) % self.columns]
            to_the_south = self._routers[(row + 1) % self.rows * self.columns + column]
            wiring.connect(m, router.east, to_the_east.west)
            wiring.connect(m, router.south, to_the_south.north)
            wiring.connect(m, wiring.flipped(self.send[number]), router.send)
            wiring.connect(m, router.receive, wiring.flipped(self.receive[number]))
        return m
