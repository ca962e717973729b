"""The memories of a node: where the words of each region of the host bus lie in the node's Verilog."""

from noc.machine import Machine
from rtl.endpoint.host import Region

__all__ = ["MEMORIES", "public_memories"]


MEMORIES = {
    Region.PAYLOAD: "processor{unit}.receiver{bank}_bank",
    Region.HELD: "processor{unit}.receiver{bank}_held",
    Region.PROGRAM: "processor{unit}.sender{bank}_program",
    Region.TRACE: "monitor{monitor}.trace",
}
"""The path of a memory, by the region and its unit and bank; monitors are counted after the processors."""


def public_memories(machine: Machine) -> list[tuple[str, str]]:
    """The module and the name of every memory that is accessed where it lies."""
    paths = {
        path.format(unit="", monitor="", bank=bank)
        for path in MEMORIES.values()
        for bank in range(machine.network.processor_ports)
    }
    found = [(module, name) for module, _, name in (path.partition(".") for path in sorted(paths))]
    return [(module, name) for module, name in found if module != "monitor" or machine.monitors != "none"]
