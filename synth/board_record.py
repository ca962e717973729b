"""The record of a board that was built: ``fatcube.board/1``."""

from typing import Any

from fatcube.groundwork.record import record
from fatcube.noc.boards.clocks.clock_source import megahertz
from fatcube.synth.bitstream import Build

__all__ = ["FORMAT", "board_record"]


FORMAT = "fatcube.board/1"
"""The format of a board's record."""


def board_record(made: Build) -> dict[str, Any]:
    """The record of a build, as in ``board.json``; its key is the digest of the project's sources."""
    request, setting = made.request, made.setting
    board, topology = request.board, request.machine.network.topology
    return {
        "format": FORMAT,
        **record(
            {
                "board": board.name,
                **request.machine.to_json(),
                "clock_mhz": request.clock_mhz,
                "margin": request.margin,
                "baud": request.baud,
            },
            {
                "processors": topology.processors,
                "nodes": topology.nodes,
                "clock_mhz": setting.mhz,
                "oscillator_mhz": megahertz(board.oscillator),
                "pll": board.clocks.primitive if setting.dividers else None,
                "dividers": dict(setting.dividers),
                "routes_mhz": [list(route) for route in made.routes],
                "bit_cycles": made.bit_cycles,
                "utilisation": {
                    kind: {"used": use.used, "available": use.available} for kind, use in made.utilisation.items()
                },
                "seconds": {name: round(seconds, 1) for name, seconds in made.seconds.items()},
                "bitstream": made.bitstream,
                "files": sorted(made.files),
            },
            key=made.key,
            seed=request.seed,
        ),
    }
