"""The parts of a machine for a simulator: nodes, their drivers, and the addresses of the host's words."""

from collections.abc import Callable, Sequence
import dataclasses

from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.node import Node
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.machines.traffic_node import TrafficNode
from fatcube.noc.shared import Shared
from fatcube.rtl.endpoint.barrier import Barrier
from fatcube.rtl.endpoint.host import Region
from fatcube.rtl.endpoint.phases import Phases
from fatcube.rtl.endpoint.traffic import TrafficRegion

__all__ = ["Parts", "parts_of"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Parts:
    """The parts of a machine.

    Attributes
    ----------
    node, controller : callable
        Make the node, as a module ``node``, and the component that drives all nodes.
    top : :class:`str`
        The file in ``native`` that joins them.
    inputs, outputs : list of :class:`str`
        The ports of a node that the top drives and combines, in the order of its words.
    nodes, channels, lanes : :class:`int`
        Nodes; of each the channels, and the lanes of a channel.
    units, banks : :class:`int`
        Units of a node that have memories, and their number of each.
    memories : dict
        The path of the memory of each region in a node, with ``unit``, ``bank`` and ``monitor`` in braces. Monitors are
        counted after the units.
    """

    node: Callable[[], Shared]
    controller: Callable[[], Shared]
    top: str
    inputs: Sequence[str]
    outputs: Sequence[str]
    nodes: int
    channels: int
    lanes: int
    units: int
    banks: int
    memories: dict[int, str]

    def public(self, *, flat: bool) -> list[tuple[str, str]]:
        """The module and the name of every variable of the node that is accessed where it lies.

        ``flat`` is as for :func:`fatcube.noc.netlist_verilog.netlist_verilog`. Monitors of lanes may be a module of their own.
        """
        names = {path.rpartition(".")[::2] for path in self.memories.values()}
        if not flat:
            return [("*", name) for _, name in sorted(names)]
        found = {
            (module.format(unit="", monitor="*"), name.format(bank=bank))
            for module, name in names
            for bank in range(self.banks)
        }
        return sorted(found)


def parts_of(machine: Machine | TrafficMachine) -> Parts:
    """The parts of ``machine``."""
    return _traffic_parts(machine) if isinstance(machine, TrafficMachine) else _schedule_parts(machine)


def _schedule_parts(machine: Machine) -> Parts:
    topology = machine.network.topology
    # Anything inside a module that all copies share is flattened: the path has an underscore there.
    inside = "." if machine.probes else "_"
    memories = {
        Region.PAYLOAD: f"processor{{unit}}.receiver{{bank}}{inside}bank",
        Region.HELD: f"processor{{unit}}.receiver{{bank}}{inside}held",
        Region.PROGRAM: f"processor{{unit}}.{'assignment' if machine.distributed else f'sender{{bank}}{inside}program'}",
    }
    if machine.monitors != "none":
        memories[Region.TRACE] = "monitor{monitor}.trace"
    return Parts(
        node=lambda: Node(machine).shared(),
        controller=lambda: Shared(Barrier(), "barrier"),
        top="system.sv",
        inputs=(
            *("rst", "lockstep", "payload_flits", "slot_shift", "reduced", "last_flits", "last_from", "last_to"),
            *("go", "step", "cycle"),
        ),
        outputs=("done", "finished", "active"),
        nodes=topology.nodes,
        channels=topology.degree,
        lanes=topology.f,
        units=topology.m,
        banks=machine.network.processor_ports,
        memories={region.value: path for region, path in memories.items()},
    )


def _traffic_parts(machine: TrafficMachine) -> Parts:
    topology = machine.network.topology
    memories = {
        TrafficRegion.SETUP: "endpoint{unit}.setup",
        TrafficRegion.ROUTES: "endpoint{unit}.source_preparation_ways",
        TrafficRegion.NUMBERED: "endpoint{unit}.source_preparation_numbered",
        TrafficRegion.USED: "endpoint{unit}.source_preparation_used",
        TrafficRegion.ARRIVED: "endpoint{unit}.sink_arrivals",
        TrafficRegion.LATENCIES: "endpoint{unit}.sink_records_latencies",
    }
    if machine.trace:
        memories[TrafficRegion.TRACE] = "endpoint{unit}.source_trace_memory"
        memories[TrafficRegion.GIVEN] = "endpoint{unit}.source_trace_given"
        memories[TrafficRegion.TAKEN] = "endpoint{unit}.source_trace_read"
    if machine.trace or machine.log:
        memories[TrafficRegion.LOG] = "endpoint{unit}.sink_records_log"
        memories[TrafficRegion.LOGGED] = "endpoint{unit}.sink_records_measured"
    if machine.details:
        memories[TrafficRegion.PAIRS] = "endpoint{unit}.sink_records_pairs"
    return Parts(
        node=lambda: TrafficNode(machine).shared(),
        controller=lambda: Shared(Phases(), "phases"),
        top="traffic.sv",
        inputs=(
            *("rst", "rate", "packet_flits", "source_pause", "pause", "histogram_shift", "burst_begin", "burst_end"),
            *("running", "creating", "measuring", "cycle"),
        ),
        outputs=("idle", "active"),
        nodes=machine.nodes,
        channels=0 if machine.alone else topology.degree,
        lanes=topology.f,
        units=machine.node_endpoints,
        banks=1,
        memories={region.value: path for region, path in memories.items()},
    )
