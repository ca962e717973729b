# amaranth: UnusedElaboratable=no
"""The areas of networks with AXI4-Streams: of an interface, of all modules, and of one flat design, beside an outside flow."""

import json

import pytest

from fatcube.cli.interface_areas import measure_interfaces
from fatcube.noc.axi_network import AxiNetwork, MixedNetwork
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.router_options import RouterOptions
from fatcube.synth.families import FAMILIES
from fatcube.synth.plain import script_area
from fatcube.synth.silicon import network_area
from tests.support.commands import run

NETWORK = RoutedNetwork(FatCube(1, 2), RouterOptions(width=16))
NETWORK_OF_TWO = RoutedNetwork(FatCube(1), RouterOptions(width=16))


def test_the_area_of_what_is_generated():
    """The flat design takes what a user's Yosys takes of the generated Verilog, and less than its modules."""
    axi = AxiNetwork(NETWORK, streams=StreamOptions(byte_exact=True, port_widths=(8, 16, 16, 32)))
    found = measure_interfaces(axi, network_area(NETWORK), placed=False, family="ecp5", seeds=[1], jobs=1)
    assert [one[:3] for one in found.interfaces] == [(8, False, 1), (16, False, 2), (32, False, 1)]
    narrow, plain, wide = (area for *_, area in found.interfaces)
    assert plain.ff < narrow.ff < wide.ff
    for count in ("ff", "comb_equivalents", "carry"):
        routers = getattr(network_area(NETWORK), count)
        interfaces = sum(number * getattr(area, count) for *_, number, area in found.interfaces)
        assert getattr(found.modules, count) == routers + interfaces
    flat = found.flat.area
    outside = script_area(to_verilog(axi.shared()), "axi_network", family=FAMILIES["ecp5"])
    assert flat.ff == outside.ff
    assert flat.comb_equivalents == pytest.approx(outside.comb_equivalents, rel=0.03)
    assert 0.5 * found.modules.comb_equivalents < flat.comb_equivalents < found.modules.comb_equivalents
    assert flat.ff <= found.modules.ff and found.flat.fmax_mhz is None


def test_the_command(monkeypatch, capsys, tmp_path):
    """The record says what was asked for; with --whole the design with its interfaces is placed."""
    file = tmp_path / "areas.json"
    arguments = "synthesize -d 1 --width 16 --family ice40 --interface axi4-stream --whole --seeds 1".split()
    status, out, _ = run(monkeypatch, capsys, *arguments, "--no-fmax", "--json", file)
    assert status == 0 and "with AXI4-Stream interfaces on Lattice iCE40" in out and "interface of 16 bits" in out
    record = json.loads(file.read_text())
    assert (record["parameters"]["interface"], record["parameters"]["port_clocks"]) == ("axi4-stream", False)
    measured = record["measured"]
    [interface] = measured["axi"]["interfaces"]
    assert (interface["port_width"], interface["number"]) == (16, 2)
    assert measured["axi"]["modules"]["ff"] == measured["network"]["ff"] + 2 * interface["area"]["ff"]
    assert measured["axi"]["flat"]["ff"] <= measured["axi"]["modules"]["ff"]
    assert "whole" not in measured


def test_widths_and_clocks_of_single_ports(monkeypatch, capsys, tmp_path):
    """Of a network file, each kind of interface is measured: a crossing costs registers, and so does a wide port."""
    head = 'format = "fatcube.network-file/1"\nd = 1\nwidth = 16\ninterface = "axi4-stream"\nbyte_exact = true\n'
    file, found = tmp_path / "soc.toml", tmp_path / "areas.json"

    def measured(tables):
        file.write_text(head + tables)
        status, _, err = run(monkeypatch, capsys, "synthesize", file, "--family", "ice40", "--no-fmax", "--json", found)
        assert status == 0, err
        record = json.loads(found.read_text())
        kinds = record["measured"]["axi"]["interfaces"]
        return record["parameters"], {(one["port_width"], one["own_clock"]): one["area"]["ff"] for one in kinds}

    parameters, own = measured('[[port]]\nprocessor = 1\nclock = "own"\n')
    assert parameters["own_clocks"] == [False, True] and own.keys() == {(16, False), (16, True)}
    assert own[16, True] > own[16, False]
    parameters, wide = measured("[[port]]\nprocessor = 1\nwidth = 64\n")
    assert parameters["port_widths"] == [16, 64] and "own_clocks" not in parameters
    assert wide[64, False] > wide[16, False] == own[16, False]
    file.write_text(f'{head}[[port]]\nprocessor = 1\nclock = "own"\n')
    status, _, err = run(monkeypatch, capsys, "synthesize", file, "--whole")
    assert (status, err.splitlines()[-1][:32]) == (2, "fatcube: clocks of ports (--port")


def test_ports_with_flits_have_no_interface(monkeypatch, capsys, tmp_path):
    """Of two ports one interface is left; what is placed has flits there, too."""
    file, found = tmp_path / "soc.toml", tmp_path / "areas.json"
    head = 'format = "fatcube.network-file/1"\nd = 1\nwidth = 16\n'
    file.write_text(f'{head}[[port]]\nprocessor = 1\ninterface = "axi4-stream"\n')
    arguments = ["synthesize", file, "--family", "ice40", "--no-fmax", "--json", found]
    status, out, err = run(monkeypatch, capsys, *arguments)
    assert (status, "with AXI4-Stream interfaces at port 1 on Lattice iCE40" in out) == (0, True), err
    record = json.loads(found.read_text())
    assert record["parameters"]["port_interfaces"] == ["flits", "axi4-stream"]
    axi = record["measured"]["axi"]
    [interface] = axi["interfaces"]
    assert interface["number"] == 1
    assert axi["modules"]["ff"] == record["measured"]["network"]["ff"] + interface["area"]["ff"]
    outside = script_area(
        to_verilog(MixedNetwork(NETWORK_OF_TWO, flit_ports=[0]).shared()), "axi_network", family=FAMILIES["ice40"]
    )
    assert axi["flat"]["ff"] == outside.ff
    placed = []
    monkeypatch.setattr("fatcube.synth.silicon.axi_silicon", lambda top, **flow: placed.append(top))
    mixed = MixedNetwork(NETWORK_OF_TWO, flit_ports=[0])
    measure_interfaces(mixed, network_area(NETWORK_OF_TWO), placed=True, family="ice40", seeds=[1], jobs=1)
    assert [top.signature for top in placed] == [mixed.signature]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--byte-exact", "--byte-exact requires --interface axi4-stream"),
        ("--port-clocks", "--port-clocks requires --interface axi4-stream"),
        (
            "--interface axi4-stream --port-clocks --whole",
            "clocks of ports (--port-clocks) must be left out with --whole, or Fmax (--no-fmax), which is that of one clock",
        ),
        (
            "--interface axi4-stream --routing none",
            "routing must be one of default, dimension-order, dateline, shortest-path, up-down, a1, disjoint, not 'none'",
        ),
        ("--interface axi4-stream --width 12", "width must be a multiple of 8 with AXI4-Stream interfaces, not 12"),
    ],
)
def test_refused(monkeypatch, capsys, options, message):
    for further in ([], ["--dry-run"]):
        status, out, err = run(monkeypatch, capsys, "synthesize", "-d", 1, *options.split(), *further)
        assert (status, out, err) == (2, "", f"fatcube: {message}\n")
