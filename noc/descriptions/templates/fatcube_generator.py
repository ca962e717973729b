"""The generator of fatcube_generator.core: FuseSoC starts it in an empty folder, with a file of its parameters."""

import json
import shlex
import subprocess
import sys

import yaml

NETWORK = "network.v"
TESTBENCH = "network_tb.v"


def main() -> None:
    """Generate a network by the command `fatcube`, and write the core of its files."""
    with open(sys.argv[1], encoding="utf-8") as file:
        request = yaml.safe_load(file)
    parameters = request.get("parameters") or {}
    if unknown := sorted(set(parameters) - {"options", "testbench"}):
        sys.exit(f"fatcube_network: parameters must be options and testbench, not {', '.join(unknown)}")
    testbench = bool(parameters.get("testbench", False))
    beside = ["--with", "testbench"] if testbench else []
    command = ["fatcube", "generate", "network", *shlex.split(parameters.get("options", "")), *beside, "-o", NETWORK]
    if status := subprocess.call(command):
        sys.exit(status)
    files: list[dict[str, dict[str, object]]] = [{NETWORK: {"file_type": "verilogSource"}}]
    if testbench:
        files.append({TESTBENCH: {"file_type": "verilogSource", "tags": ["simulation"]}})
    core = {
        "name": request["vlnv"],
        "filesets": {"rtl": {"files": files}},
        "targets": {"default": {"filesets": ["rtl"]}},
    }
    with open("network.core", "w", encoding="utf-8") as file:
        file.write(f"CAPI=2:\n{json.dumps(core, indent=2)}\n")


main()
