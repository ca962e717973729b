"""Sends random packets between all AXI4-Stream ports of a generated network: 100,000 on each of 8, 16 and 64 processors.

    python -m tests.support.axi_soak
    python -m tests.support.axi_soak --processors 64 --packets 10000 --seed 2
    python -m tests.support.axi_soak --processors 8 --port-clocks

The network is the Verilog that `fatcube generate network --interface axi4-stream` writes, on Verilator, and at its ports
are the sources and sinks of `fatcube.testing`. Exit status 1 if a packet was lost, doubled, torn, misrouted or had the wrong
`tid`, or if one overtook another in a network that keeps the order.
"""

import argparse
import json
from pathlib import Path
import sys
import tempfile
import time

from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.network_file import network_json
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.router_options import RouterOptions
from tests.support.cocotb_runs import built_verilog

__all__ = ["NETWORKS", "axi_traffic"]


#: The network of each number of processors.
NETWORKS = {
    8: RoutedNetwork(FatCube(2, 2)),
    16: RoutedNetwork(Torus(w=4, d=2), RouterOptions(virtual_channels=2, buffer_depth=4)),
    64: RoutedNetwork(Mesh(w=8, d=2), addressing="destination"),
}
#: Beats that a crossing holds.
CROSSING = 8


def axi_traffic(network, folder, *, packets, port_clocks=False, seed=1):
    """Send so many packets between the ports of ``network``; returns how many arrived, were dropped, and the cycles.

    Raises
    ------
    RuntimeError
        If anything was wrong.
    """
    top = AxiNetwork(network, crossing_depth=CROSSING * port_clocks, name="system").shared()
    about = network_json(network, top, interface="axi4-stream")
    build = built_verilog(to_verilog(top), folder, visible=[port["name"] for port in about["ports"]])
    description = folder / "system.json"
    description.write_text(json.dumps(about))
    job = {"description": str(description), "packets": packets, "seed": seed}
    build.run("tests.support.axi_traffic", folder, {"AXI_JOB": json.dumps(job)})
    return json.loads((folder / "result.json").read_text())


def main():
    """Run what the command line says, print a line for each network, and exit with 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processors", type=int, choices=NETWORKS, action="append", help="all of them if not given")
    parser.add_argument("--packets", type=int, default=100_000)
    parser.add_argument("--port-clocks", action="store_true", help="each port has a clock of its own")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    failed = False
    for processors in given.processors or NETWORKS:
        network = NETWORKS[processors]
        with tempfile.TemporaryDirectory() as folder:
            begun = time.monotonic()
            try:
                found = axi_traffic(
                    network, Path(folder), packets=given.packets, port_clocks=given.port_clocks, seed=given.seed
                )
                told = f"{found['arrived']:,} packets arrived in {found['cycles']:,} cycles"
            except RuntimeError as error:
                failed, told = True, str(error)
            print(f"{network}: {told}, {time.monotonic() - begun:.0f} s", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
