"""Networks with all files for other tools, each made once."""

import pytest

from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.flows.files import FLOWS, files_beside
from fatcube.noc.descriptions.network_file import network_json
from fatcube.noc.fabric import Fabric
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.router_options import RouterOptions
from tests.support.verilog_ports import verilog_ports

NETWORKS = {
    "streams": RoutedNetwork(Hypercube(1), RouterOptions(width=16)),
    "clocks": RoutedNetwork(FatCube(1, 2)),
    "some clocks": RoutedNetwork(FatCube(1, 2)),
    "some flits": RoutedNetwork(FatCube(1, 2)),
    "flits": Network(FatCube(1, 2), RouterOptions(width=9)),
}


@pytest.fixture(scope="package", params=NETWORKS)
def flows(request):
    """The description of a network, its Verilog's ports as Yosys reads them, and the files of all flows by their names."""
    network, streams = NETWORKS[request.param], request.param != "flits"
    # The second is no plain name in VHDL, and the third a reserved word of it.
    names = {
        "clocks": {1: "dma", 2: "a_b_"},
        "some clocks": {1: "dma"},
        "some flits": {2: "dma"},
        "flits": {0: "Signal", 3: "dma"},
    }.get(request.param, {})
    name = {"clocks": "the__clocks", "flits": "Process"}.get(request.param)
    depths = {"clocks": 8, "some clocks": (0, 8, 8, 0), "some flits": (8, 0, 0, 0)}.get(request.param, 0)
    flit_ports = [2, 3] if request.param == "some flits" else ()
    if streams:
        shared = AxiNetwork(network, crossing_depth=depths, name=name, names=names, flit_ports=flit_ports).shared()
    else:
        shared = Fabric(network, name=name, names=names).shared()
    about = network_json(network, shared, interface="axi4-stream" if streams else "flits")
    files = files_beside(FLOWS, about, verilog="net.v", title="<Networks> & others", mhz=100)
    return about, verilog_ports(to_verilog(shared), shared.name), files
