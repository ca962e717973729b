"""A machine to run schedules on: a network, and the memories and monitors of the processors on it."""

import dataclasses
import functools
from typing import Any

from fatcube.groundwork.validation import ParameterError, check_boolean, check_choice, check_integer
from fatcube.noc.machines.distributed import check_distributed
from fatcube.noc.machines.wires import LaneWire, Wire, wires_of_node, wires_of_router
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.rtl.endpoint.distributed.rules import Rule
from fatcube.rtl.endpoint.lengths import settings_of_parts
from fatcube.rtl.endpoint.monitor import TraceEntry
from fatcube.rtl.endpoint.program import PortStatus, ProgramEntry
from fatcube.rtl.port_model import PortModel

__all__ = ["MONITORS", "Machine"]


MONITORS = ("none", "lanes", "all")
"""The wires that have monitors: none, the lanes between routers, or the ports of processors too."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Machine:
    """A network and the memories of the processors on it.

    Parameters
    ----------
    network : :class:`Network`
    memory_words : :class:`int`
        Words of W bits in each bank of a message memory; a processor has a bank for each port.
    program_entries : :class:`int`
        Entries in the program of each port: the most steps, and one for the end.
    reductions : :class:`bool`
        The processors add partial sums: see :class:`Processor`.
    monitors : :class:`str`
        The wires on which packets are traced: one of :data:`MONITORS`. Fewer make a simulation faster, and leave less
        to compare with the schedule.
    probes : :class:`bool`
        Every wire has a :class:`~fatcube.rtl.endpoint.probe.Probe`, whose signals are for waveforms.
    combining : :class:`bool`
        In dataflow processors wait for all messages of a packet before its header leaves.
    distributed : :class:`Rule` or ``None``
        The processors have no programs, and compute to whom they send by this rule: see
        :class:`~fatcube.rtl.endpoint.distributed.processor.DistributedProcessor`. In lockstep only.
    """

    network: Network
    memory_words: int = 1 << 14
    program_entries: int = 256
    reductions: bool = False
    monitors: str = "all"
    probes: bool = False
    combining: bool = False
    distributed: Rule | None = None

    def __post_init__(self) -> None:
        if isinstance(self.network, RoutedNetwork):
            raise ParameterError(f"network must be one without a routing for schedules, not the {self.network.name}")
        check_integer("memory words", self.memory_words, minimum=2, maximum=1 << 24)
        check_integer("program entries", self.program_entries, minimum=2, maximum=1 << 16)
        check_boolean("reductions", self.reductions)
        check_choice("monitors", self.monitors, MONITORS)
        check_boolean("probes", self.probes)
        check_boolean("combining", self.combining)
        if self.distributed is not None:
            check_distributed(self.network, self.distributed)
            for name in ("reductions", "combining"):
                if getattr(self, name):
                    raise ParameterError(f"{name} must be false where processors compute their children, not true")

    @property
    def settings(self) -> dict[str, int]:
        """The inputs that a run sets for all processors, and that the system has too: their widths by name."""
        settings = {"lockstep": 1, "payload_flits": 16, "slot_shift": 5}
        if self.reductions:
            settings["reduced"] = self.network.message_bits + 1
        if self.parted:
            settings |= settings_of_parts(self.network.message_bits)
        return settings

    @property
    def parted(self) -> bool:
        """``True`` if messages may be divided, and the last part of one be shorter."""
        return self.network.parts > 1

    @property
    def numbered(self) -> bool:
        """``True`` if nodes have their number as an input."""
        return self.distributed is not None or self.network.options.setup_retry > 0

    @property
    def barriers(self) -> bool:
        """``True`` if dataflow may have barriers.

        It may need them where routers copy packets or these cross several links (:mod:`fatcube.sim.collectives.phases`). It may be shorter
        with them where processors with several ports share lanes, or lanes ports (:mod:`fatcube.sim.collectives.planned`).
        """
        options = self.network.options
        several = options.ports is not PortModel.ONE
        shared = self.network.topology.m > 1 or not self.network.has_ports_of_lanes
        return options.ports.copies or options.hops > 1 or (several and shared)

    @property
    def program_entry(self) -> ProgramEntry:
        """The layout of an entry of a program."""
        return ProgramEntry(self.network.options.width, reductions=self.reductions, barriers=self.barriers)

    @property
    def host_width(self) -> int:
        """Data bits of the host bus, which the widest word read or written takes."""
        trace_entry = TraceEntry(self.network.options.width)
        return max(64, self.program_entry.size, PortStatus().size, trace_entry.size)

    def _monitored(self, wire: Wire) -> bool:
        return self.monitors == "all" or (self.monitors == "lanes" and isinstance(wire, LaneWire))

    @functools.cached_property
    def streams(self) -> list[str]:
        """The streams of a node that have monitors, by the number of the monitor: those of a node that lacks nothing."""
        return [wire.stream for wire in wires_of_router(self.network) if self._monitored(wire)]

    @functools.cached_property
    def wires(self) -> dict[Wire, tuple[int, int]]:
        """Every monitored :class:`Wire`, and the ``(node, unit)`` of its monitor on the host bus."""
        topology = self.network.topology
        units = {stream: topology.m + number for number, stream in enumerate(self.streams)}
        return {
            wire: (node, units[wire.stream])
            for node in range(topology.nodes)
            for wire in wires_of_node(self.network, node)
            if self._monitored(wire)
        }

    def to_json(self) -> dict[str, Any]:
        """The parameters as they stand in a result record."""
        return {
            **self.network.to_json(),
            "memory_words": self.memory_words,
            "program_entries": self.program_entries,
            "reductions": self.reductions,
            "monitors": self.monitors,
            "probes": self.probes,
            **({"combining": True} if self.combining else {}),
            **({"distributed": self.distributed.value} if self.distributed else {}),
        }
