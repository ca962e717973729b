"""The door: command line, studies, papers, reports, and the names that a user of the library needs at hand.

It is thin and calls the other rooms. Never here: hardware, graphs, algorithms.
"""

# The module of each name. It is imported on first use, so that the command line can look after signals before
# the half second that importing everything takes.
_HOMES = {
    "Butterfly": "fatcube.noc.topologies.butterflies",
    "CubeConnectedCycles": "fatcube.noc.topologies.ccc",
    "FatCube": "fatcube.noc.topologies.cubes",
    "Graph": "fatcube.noc.topologies.graph",
    "Hypercube": "fatcube.noc.topologies.cubes",
    "OrientedCube": "fatcube.noc.topologies.oriented_cube",
    "Mesh": "fatcube.noc.topologies.grids",
    "Ring": "fatcube.noc.topologies.grids",
    "Star": "fatcube.noc.topologies.star",
    "Switch": "fatcube.noc.topologies.switch",
    "Torus": "fatcube.noc.topologies.grids",
    "Tree": "fatcube.noc.topologies.tree",
    "WrappedButterfly": "fatcube.noc.topologies.butterflies",
    "read_topology": "fatcube.noc.topologies.graph_file",
    "Embedded": "fatcube.noc.embedded",
    "PacketNetwork": "fatcube.noc.embedded",
    "Fabric": "fatcube.noc.fabric",
    "DenseGHC": "fatcube.noc.topologies.generalized",
    "SparseGHC": "fatcube.noc.topologies.generalized",
    "Network": "fatcube.noc.network",
    "Machine": "fatcube.noc.machines.system",
    "System": "fatcube.noc.machines.system",
    "Shared": "fatcube.noc.shared",
    "to_verilog": "fatcube.noc.verilog",
    "ParameterError": "fatcube.groundwork.validation",
    "PortModel": "fatcube.rtl.port_model",
    "FatNodeRouter": "fatcube.rtl.router",
    "FlitStream": "fatcube.rtl.flit",
    "RouterOptions": "fatcube.rtl.router_options",
    "StreamOptions": "fatcube.noc.streams.options",
    "RouterParameters": "fatcube.rtl.router_parameters",
    "ScheduleError": "fatcube.schedules.checker",
    "check": "fatcube.schedules.checker",
    "Collective": "fatcube.schedules.collective",
    "best": "fatcube.schedules.construct",
    "Problem": "fatcube.schedules.problem",
    "Schedule": "fatcube.schedules.schedule",
    "Transfer": "fatcube.schedules.schedule",
    "RoutedNetwork": "fatcube.noc.routed_network",
    "LoadTest": "fatcube.sim.traffic.load",
    "LoadOptions": "fatcube.sim.traffic.load_options",
    "saturation": "fatcube.sim.traffic.saturation",
    "TrafficMachine": "fatcube.noc.machines.traffic_machine",
    "Traffic": "fatcube.sim.traffic.traffic",
    "run_traffic": "fatcube.sim.traffic.traffic",
    "Run": "fatcube.sim.collectives.simulate",
    "fitting_machine": "fatcube.sim.collectives.simulate",
    "simulate": "fatcube.sim.collectives.simulate",
    "simulate_all": "fatcube.sim.collectives.simulate",
    "synthesize": "fatcube.synth.measure",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = globals()[name] = getattr(importlib.import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
