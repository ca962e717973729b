"""The door: command line, studies, papers, reports, and the names that a user of the library needs at hand.

It is thin and calls the other rooms. Never here: hardware, graphs, algorithms.
"""

# The module of each name. It is imported when it is asked for, so that the command line can look after signals before
# the half second that importing everything takes.
_HOMES = {
    "Butterfly": "noc.topologies.butterflies",
    "CubeConnectedCycles": "noc.topologies.ccc",
    "FatCube": "noc.topologies.cubes",
    "Graph": "noc.topologies.graph",
    "Hypercube": "noc.topologies.cubes",
    "OrientedCube": "noc.topologies.oriented_cube",
    "Mesh": "noc.topologies.grids",
    "Ring": "noc.topologies.grids",
    "Star": "noc.topologies.star",
    "Torus": "noc.topologies.grids",
    "Tree": "noc.topologies.tree",
    "WrappedButterfly": "noc.topologies.butterflies",
    "read_topology": "noc.topologies.graph_file",
    "Embedded": "noc.embedded",
    "PacketNetwork": "noc.embedded",
    "Fabric": "noc.fabric",
    "DenseGHC": "noc.topologies.generalized",
    "SparseGHC": "noc.topologies.generalized",
    "Network": "noc.network",
    "Machine": "noc.machines.system",
    "System": "noc.machines.system",
    "Shared": "noc.shared",
    "to_verilog": "noc.verilog",
    "ParameterError": "groundwork.validation",
    "PortModel": "rtl.port_model",
    "FatNodeRouter": "rtl.router",
    "FlitStream": "rtl.flit",
    "RouterOptions": "rtl.router_options",
    "StreamOptions": "noc.streams.options",
    "RouterParameters": "rtl.router_parameters",
    "ScheduleError": "schedules.checker",
    "check": "schedules.checker",
    "Collective": "schedules.collective",
    "best": "schedules.construct",
    "Schedule": "schedules.schedule",
    "Transfer": "schedules.schedule",
    "RoutedNetwork": "noc.routed_network",
    "LoadTest": "sim.traffic.load",
    "LoadOptions": "sim.traffic.load_options",
    "saturation": "sim.traffic.saturation",
    "TrafficMachine": "noc.machines.traffic_machine",
    "Traffic": "sim.traffic.traffic",
    "run_traffic": "sim.traffic.traffic",
    "Run": "sim.collectives.simulate",
    "fitting_machine": "sim.collectives.simulate",
    "simulate": "sim.collectives.simulate",
    "simulate_all": "sim.collectives.simulate",
    "synthesize": "synth.measure",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    from fatcube.hidden import hidden_room

    if hidden := hidden_room():
        raise ImportError(hidden)
    value = globals()[name] = getattr(importlib.import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
