"""Sends packets of random numbers of bytes between all AXI4-Stream ports of generated networks, whose widths are mixed.

    python -m tests.support.byte_soak                               # 100,000 packets through each network, with fatcube.testing
    python -m tests.support.byte_soak --peer --network mixed        # with the sources and sinks of cocotbext-axi
    python -m tests.support.byte_soak --packets 2000 --seed 2

The networks are the Verilog that `fatcube generate network --interface axi4-stream --byte-exact` writes, on Verilator. Sources
and sinks pause at random. Of our packets some break the rule of TKEEP, some are too long, and some are for no port. Exit status
1 if a packet was lost, doubled, torn, misrouted, had the wrong `tid` or `tuser`, or was reordered where order is promised.
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
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Torus
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.router_options import RouterOptions
from tests.support.cocotb_runs import built_verilog

__all__ = ["NETWORKS", "byte_traffic"]


#: Beats that a crossing holds.
CROSSING = 8


def _network(topology, widths, *, width=32, clocks=False, store=0, user=4, of=None, **options):
    """A network, the options of its streams, and the depth of its crossings."""
    streams = {"byte_exact": True, "user_bits": user, "port_widths": widths, "store_packets": store}
    network = RoutedNetwork(topology, RouterOptions(width=width, **options), **of or {})
    return network, StreamOptions(**streams), CROSSING * clocks


#: Mixed widths by name, each with something else that they meet.
NETWORKS = {
    "mixed": _network(FatCube(2, 2), (8, 16, 32, 64, 128, 256, 512, 32)),
    "wide": _network(FatCube(1, 2), (8, 64, 128, 512), width=128, store=8, user=1),
    "narrow": _network(FatCube(1, 2), (8, 16, 128, 512), width=8, user=3),
    "clocks": _network(FatCube(1, 3), (8, 128, 32, 64, 8, 512), clocks=True),
    "ports": _network(Hypercube(2), (8, 32, 64, 128, 16, 32, 8, 512), ports="d", longest_packet=14),
    "classes": _network(
        FatCube(1, 2), (8, 32, 64, 128) * 2, virtual_channels=2, buffer_depth=4, of={"message_classes": 2}
    ),
    "torus": _network(Torus(w=4, d=1), (8, 512, 64, 16), virtual_channels=4, buffer_depth=4, store=30, clocks=True),
    "cut-through": _network(
        FatCube(1, 2), (8, 64, 16, 32), switching="virtual-cut-through", longest_packet=12, buffer_depth=12
    ),
    "stored": _network(
        FatCube(1, 2), (8, 64, 16, 32), switching="store-and-forward", longest_packet=12, buffer_depth=12, clocks=True
    ),
    "circuits": _network(FatCube(1, 2), (8, 64, 16, 128), switching="circuit"),
    "copies": _network(FatCube(1, 2), (8, 64, 16, 128), ports="b", longest_packet=10, buffer_depth=10),
    "half-duplex": _network(FatCube(1, 2), (8, 64, 16, 128), links="half-duplex"),
    "in turn": _network(FatCube(2, 1, 2), (8, 64, 16, 128), of={"lanes": "in-turn"}),
}


def byte_traffic(name, folder, *, packets, peer=False, seed=1):
    """Send so many packets between the ports of one of :data:`NETWORKS`; returns how many arrived, were dropped, and the cycles.

    Raises
    ------
    RuntimeError
        If anything was wrong.
    """
    network, streams, crossing = NETWORKS[name]
    top = AxiNetwork(network, crossing_depth=crossing, streams=streams, name="system").shared()
    about = network_json(network, top, interface="axi4-stream")
    build = built_verilog(to_verilog(top), folder, visible=[port["name"] for port in about["ports"]])
    description = folder / "system.json"
    description.write_text(json.dumps(about))
    job = {"description": str(description), "packets": packets, "peer": peer, "seed": seed}
    build.run("tests.support.byte_traffic", folder, {"AXI_JOB": json.dumps(job)})
    return json.loads((folder / "result.json").read_text())


def main():
    """Run what the command line says, print a line for each network, and exit with 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--network", choices=NETWORKS, action="append", help="all of them if not given")
    parser.add_argument("--packets", type=int, default=100_000)
    parser.add_argument("--peer", action="store_true", help="with the sources and sinks of cocotbext-axi")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    failed = False
    for name in given.network or NETWORKS:
        with tempfile.TemporaryDirectory() as folder:
            begun = time.monotonic()
            try:
                found = byte_traffic(name, Path(folder), packets=given.packets, peer=given.peer, seed=given.seed)
                told = ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in found.items())
            except RuntimeError as error:
                failed, told = True, str(error)
            print(f"{name}: {told}; {time.monotonic() - begun:.0f} s", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
