"""The memories of a node: where the words of each region of the host bus lie in the node's Verilog."""

from noc.machine import Machine
from rtl.endpoint.host import Region

__all__ = ["memories", "public_memories"]


_MEMORIES = {
    Region.PAYLOAD: "processor{{unit}}.receiver{{bank}}{0}bank",
    Region.HELD: "processor{{unit}}.receiver{{bank}}{0}held",
    Region.PROGRAM: "processor{{unit}}.sender{{bank}}{0}program",
    Region.TRACE: "monitor{{monitor}}.trace",
}


def memories(*, flat: bool) -> dict[Region, str]:
    """The path of the memory of each region, with ``unit``, ``bank`` and ``monitor`` in braces.

    Monitors are counted after the processors. ``flat`` is as for :func:`noc.verilog.to_verilog`.
    """
    return {region: path.format("_" if flat else ".") for region, path in _MEMORIES.items()}


def public_memories(machine: Machine, *, flat: bool) -> list[tuple[str, str]]:
    """The module and the name of every memory that is accessed where it lies."""
    names = {path.rpartition(".")[::2] for path in memories(flat=flat).values()}
    if not flat:
        return [("*", name) for _, name in sorted(names)]
    found = {
        (module.format(unit="", monitor=""), name.format(bank=bank))
        for module, name in names
        for bank in range(machine.network.processor_ports)
    }
    return [(module, name) for module, name in sorted(found) if module != "monitor" or machine.monitors != "none"]
