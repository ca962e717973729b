"""The description of a generated system as JSON, ``fatcube.system/1``: its ports, its host bus and its wires."""

from typing import Any

from amaranth.lib import data

from fatcube.groundwork.digest import versions
from fatcube.noc.descriptions.fields import fields_json
from fatcube.noc.descriptions.network_file import graph_json, ports_json
from fatcube.noc.machines.machine import Machine
from fatcube.noc.shared import Shared
from fatcube.rtl.endpoint.banks import ALL_BANKS
from fatcube.rtl.endpoint.host import Region
from fatcube.rtl.endpoint.monitor import TraceEntry
from fatcube.rtl.endpoint.program import PortStatus

__all__ = ["FORMAT", "system_json"]


FORMAT = "fatcube.system/1"
_EVERY = (1 << 16) - 1  # node or unit
_COUNTS = (1 << 24) - 1  # word of a monitor


def system_json(machine: Machine, shared: Shared) -> dict[str, Any]:
    """The description of the system of ``machine`` that ``shared`` is; docs/reference/network-files.md names its keys."""
    network = machine.network
    return {
        "format": FORMAT,
        "parameters": machine.to_json(),
        "top": shared.name,
        "ports": ports_json(shared),
        **graph_json(network),
        "header": fields_json(network.router().header.fields()),
        "host": {
            "read_latency": 2,
            "every": _EVERY,
            "counts": _COUNTS,
            "banks": network.processor_ports,
            "all_banks": ALL_BANKS if machine.reductions else None,
            "regions": {region.name: region.value for region in Region},
            "words": {
                "PROGRAM": _fields(machine.program_entry),
                "STATUS": _fields(PortStatus()),
                "TRACE": _fields(TraceEntry(network.options.width)),
            },
        },
        "monitors": [
            {"node": node, "unit": unit, "wire": wire.describe(network.topology)}
            for wire, (node, unit) in machine.wires.items()
        ],
        "tools": versions(["amaranth", "pyosys"]),
    }


def _fields(layout: data.StructLayout) -> list[dict[str, Any]]:
    return fields_json((name, field.offset, field.width) for name, field in layout)
