"""For cocotb tests of generated Verilog: sources, sinks, monitors and scoreboards, and pytest collects the tests.

docs/start/regression.md shows how. Nothing here imports Amaranth in the simulator's process. Never here: hardware, or a network or
schedule that is not read from a file.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fatcube.testing.around import Around as Around
    from fatcube.testing.around import AxiAround as AxiAround
    from fatcube.testing.around import FlitsAround as FlitsAround
    from fatcube.testing.around import random_words as random_words
    from fatcube.testing.axi import AxiMonitor as AxiMonitor
    from fatcube.testing.axi import AxiSink as AxiSink
    from fatcube.testing.axi import AxiSource as AxiSource
    from fatcube.testing.bench import Bench as Bench
    from fatcube.testing.circuits import CircuitMonitor as CircuitMonitor
    from fatcube.testing.circuits import CircuitSink as CircuitSink
    from fatcube.testing.circuits import CircuitSource as CircuitSource
    from fatcube.testing.description import Description as Description
    from fatcube.testing.description import HeaderFormat as HeaderFormat
    from fatcube.testing.description import Route as Route
    from fatcube.testing.ends import ProtocolError as ProtocolError
    from fatcube.testing.flits import FlitMonitor as FlitMonitor
    from fatcube.testing.flits import FlitSink as FlitSink
    from fatcube.testing.flits import FlitSource as FlitSource
    from fatcube.testing.flits import HeaderSink as HeaderSink
    from fatcube.testing.flits import HeaderSource as HeaderSource
    from fatcube.testing.lanes import LaneMonitor as LaneMonitor
    from fatcube.testing.lanes import LaneSink as LaneSink
    from fatcube.testing.lanes import LaneSource as LaneSource
    from fatcube.testing.packet import Packet as Packet
    from fatcube.testing.pauses import listed_pauses as listed_pauses
    from fatcube.testing.pauses import periodic_pauses as periodic_pauses
    from fatcube.testing.pauses import random_pauses as random_pauses
    from fatcube.testing.router import RouterAround as RouterAround
    from fatcube.testing.scoreboard import Scoreboard as Scoreboard
    from fatcube.testing.system import HostBus as HostBus
    from fatcube.testing.system import SystemAround as SystemAround
    from fatcube.testing.system import read_runs as read_runs

# The module of each name, imported on first use: pytest loads the plugin beside them in every run.
_HOMES = {
    "Around": "around",
    "AxiAround": "around",
    "AxiMonitor": "axi",
    "AxiSink": "axi",
    "AxiSource": "axi",
    "Bench": "bench",
    "CircuitMonitor": "circuits",
    "CircuitSink": "circuits",
    "CircuitSource": "circuits",
    "Description": "description",
    "FlitMonitor": "flits",
    "FlitSink": "flits",
    "FlitSource": "flits",
    "FlitsAround": "around",
    "HeaderFormat": "description",
    "HeaderSink": "flits",
    "HeaderSource": "flits",
    "HostBus": "system",
    "LaneMonitor": "lanes",
    "LaneSink": "lanes",
    "LaneSource": "lanes",
    "Packet": "packet",
    "ProtocolError": "ends",
    "Route": "description",
    "RouterAround": "router",
    "Scoreboard": "scoreboard",
    "SystemAround": "system",
    "listed_pauses": "pauses",
    "periodic_pauses": "pauses",
    "random_pauses": "pauses",
    "random_words": "around",
    "read_runs": "system",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
