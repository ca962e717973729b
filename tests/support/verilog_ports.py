"""The ports of a module as Yosys reads them from its Verilog."""

import json

from fatcube.groundwork import yosys

__all__ = ["verilog_ports"]


def verilog_ports(text, module):
    """The direction and the number of bits of each port of ``module`` in a Verilog text, by its name."""
    finished = yosys.run(
        ["read_verilog net.v", f"hierarchy -top {module}", "proc", "write_json net.json"],
        files={"net.v": text},
        outputs=["net.json"],
    )
    ports = json.loads(finished.outputs["net.json"])["modules"][module]["ports"]
    return {name: (port["direction"], len(port["bits"])) for name, port in ports.items()}
