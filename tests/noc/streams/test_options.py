# amaranth: UnusedElaboratable=no
"""The options of AXI4-Streams: what they follow from and what is refused, in Python and, in one line, on the command line."""

import json
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.interface_description import streams_of_axi
from fatcube.noc.descriptions.network_file import network_json
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.router_options import RouterOptions
from tests.support.commands import run
from tests.support.linting import lint

BYTES = "--byte-exact"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (f"{BYTES} --port-widths 12", "port width must be a multiple of 8, not 12"),
        (f"{BYTES} --port-widths 520", "port width must be an integer from 8 to 512, not 520"),
        (
            f"{BYTES} --port-widths 8,24",
            "port width must divide the 32 bits of a flit, or be a multiple of them, not 24",
        ),
        (
            f"{BYTES} --port-widths 8,16,32",
            "port widths must be one integer, or one for each of the 2 ports, not 3 integers",
        ),
        (f"{BYTES} --port-widths 8,x", "port widths must be comma-separated integers, not '8,x'"),
        (f"{BYTES} --port-widths=", "port widths must be comma-separated integers, not ''"),
        ("--port-widths 8", "port widths must be left out without byte-exact packets (--byte-exact)"),
        ("--user-bits 2", "user bits must be left out without byte-exact packets (--byte-exact)"),
        (f"{BYTES} --user-bits 0", "user bits must be an integer from 1 to 512, not 0"),
        (
            f"{BYTES} --user-bits 30",
            "user bits must be an integer from 1 to 29 (a flit of 32 bits has 3 of the number of bytes), not 30",
        ),
        (
            f"{BYTES} --width 20",
            "width must be a multiple of 8 with AXI4-Stream interfaces, not 20",
        ),
        ("--store-packets 1", "store packets must be 0 or at least 2 flits (header and word), not 1"),
        (
            f"{BYTES} --store-packets 2",
            "store packets must be 0 or at least 3 flits (header, word and trailer), not 2",
        ),
        (
            f"{BYTES} --longest-packet 2",
            "longest packet must be 0 or at least 3 flits (header, word and trailer), not 2",
        ),
        ("--store-packets 4097", "store packets must be an integer from 0 to 4096, not 4097"),
        (
            "--store-packets 5 --longest-packet 6",
            "store packets must be left out with --longest-packet 6, with which ports store packets of up to 6 flits already, not 5",
        ),
        (
            f"{BYTES} --port-widths 32,8 --stop-timeout 3",
            "stop timeout must be 0 or at least 4 with a port of 8 bits, which takes as many cycles to collect a flit of 32 bits, "
            "or packets be stored (--store-packets), not 3",
        ),
    ],
)
def test_the_command_refuses_in_one_line(monkeypatch, capsys, tmp_path, options, message):
    arguments = ["network", "--interface", "axi4-stream", "-d", 1, *options.split(" "), "-o", tmp_path / "net.v"]
    status, out, err = run(monkeypatch, capsys, "generate", *arguments)
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", [BYTES, "--store-packets 9"])
def test_only_streams_have_these_options(monkeypatch, capsys, option):
    status, _, err = run(monkeypatch, capsys, "generate", "network", "-d", 1, *option.split())
    assert (status, err) == (2, f"fatcube: {option.split()[0]} requires --interface axi4-stream\n")


def test_a_testbench_needs_packets_that_hold_a_number(monkeypatch, capsys, tmp_path):
    arguments = ["-d", 3, "-m", 3, "--width", 16, "--addressing", "destination", "--interface", "axi4-stream", BYTES]
    arguments += ["--store-packets", 3, "--with", "testbench", "-o", tmp_path / "net.v"]
    assert run(monkeypatch, capsys, "generate", "network", *arguments)[0] == 0
    arguments[5] = 8
    status, _, err = run(monkeypatch, capsys, "generate", "network", *arguments[:1], 1, "-m", 17, *arguments[4:])
    assert status == 2 and err.startswith("fatcube: ") and err.count("\n") == 1


def test_a_stop_timeout_may_be_short_where_packets_are_stored():
    """And where every port collects a flit in as few cycles."""
    of = RoutedNetwork(FatCube(1), RouterOptions(stop_timeout=3))
    AxiNetwork(of, streams=StreamOptions(byte_exact=True, port_widths=(8, 32), store_packets=4))
    AxiNetwork(of, streams=StreamOptions(byte_exact=True, port_widths=(16, 32)))
    with pytest.raises(ParameterError, match="^stop timeout must be 0 or at least 4 with a port of 8 bits"):
        AxiNetwork(of, streams=StreamOptions(byte_exact=True, port_widths=(8, 32)))


def test_widths_and_longest():
    """One width is that of all ports, and none that of a flit; what a port stores is the longest packet of either kind."""
    of_bytes = StreamOptions(byte_exact=True, port_widths="8,64")
    assert of_bytes.widths(2, 32) == (8, 64) and of_bytes.longest(32, 0) == 0
    assert StreamOptions(byte_exact=True, port_widths=8).widths(3, 32) == (8, 8, 8)
    assert StreamOptions().widths(3, 37) == (37, 37, 37)
    assert (StreamOptions(store_packets=7).longest(37, 0), StreamOptions().longest(37, 9)) == (7, 9)


def described(**streams):
    """The description of two processors with these streams, its Verilog, and the head on streams as one line."""
    network = RoutedNetwork(FatCube(1))
    top = AxiNetwork(network, streams=StreamOptions(**streams))
    shared = top.shared()
    head = " ".join(" ".join(streams_of_axi(top)).split())
    return network_json(network, shared, interface="axi4-stream"), to_verilog(shared), head


def test_the_description_has_all_that_is_new(tmp_path):
    """Ports with their widths and meanings, options, trailer and times; and what Verilator says of the Verilog is nothing."""
    about, text, head = described(byte_exact=True, user_bits=3, port_widths=(8, 64), store_packets=6)
    bits = {port["name"]: port["bits"] for port in about["ports"]}
    for way in ("s", "m"):
        assert [bits[f"{way}_axis_{e}_{name}"] for e in (0, 1) for name in ("tdata", "tkeep", "tuser")] == [
            8,
            1,
            3,
            64,
            8,
            3,
        ]
    assert bits["bad_keep_count_1"] == 16 and all(port["meaning"] for port in about["ports"])
    assert about["streams"] == {"byte_exact": True, "user_bits": 3, "port_widths": [8, 64], "store_packets": 6}
    assert about["trailer"] == [
        {"field": "bytes", "low": 0, "bits": 3},
        {"field": "whole", "low": 3, "bits": 1},
        {"field": "user", "low": 4, "bits": 2},
    ]
    assert [one["width"] for one in about["port_timing"]] == [8, 64] and about["interface_latency"] is None
    assert about["port_timing"][0]["in"] == "B + 4" and about["port_timing"][1]["last_in"] == "2 F + 5"
    assert (
        "are 8, 64. Packets are byte-exact" in head and "A packet has at most 16 bytes; a longer one is dropped" in head
    )
    assert "8 bits header B + 4, trailer B + F + 5, last beat B - F + 2; sends max(B + 1, F + 2)," in head
    assert sorted(re.findall(r"^module (network_interface\w*)", text, re.MULTILINE)) == [
        "network_interface_64",
        "network_interface_8",
    ]
    assert lint("axi_network", text, tmp_path) == ""


def test_ports_that_are_alike_have_one_latency():
    about, text, head = described(byte_exact=True)
    assert about["interface_latency"] == {"in": "1", "out": "1"} and "All tdata have 32 bits." in head
    assert "module network_interface(" in text and "A packet has any number of bytes." in head


def test_words_can_be_stored_too():
    about, _, head = described(store_packets=5)
    assert about["interface_latency"] == {"in": "F + 2", "out": "1"} and about["streams"]["store_packets"] == 5
    assert "A packet has 1 to 4 beats; a longer one is dropped" in head and "trailer" not in about


@pytest.mark.parametrize("byte_exact", [False, True])
def test_each_port_has_the_time_of_its_clock(byte_exact):
    """The formulas are those of networks in which all ports are like it."""

    def about(depth):
        top = AxiNetwork(
            RoutedNetwork(FatCube(1, 2)), crossing_depth=depth, streams=StreamOptions(byte_exact=byte_exact)
        )
        return network_json(top.network, top.shared(), interface="axi4-stream")

    found, plain, crossed = about((0, 8, 8, 0)), about(0), about(8)
    assert found["interface_latency"] is None and found["crossing_modules"] == ["network_interface_crossing_8"]
    alike = [one["interface_latency"] for one in (plain, crossed, crossed, plain)]
    assert [{"in": one["in"], "out": one["out"]} for one in found["port_timing"]] == alike and plain != crossed
    assert not {"crossing_modules"} & (plain.keys() | crossed.keys())


@pytest.mark.parametrize(("depth", "differ"), [(0, False), (8, False), ((0, 0, 8, 0), True)])
def test_ports_with_flits_have_no_times(depth, differ):
    """Other ports are as they would be without such ports, and one formula is enough if they are alike."""
    network = RoutedNetwork(FatCube(1, 2))
    tops = AxiNetwork(network, crossing_depth=depth, flit_ports=[1]), AxiNetwork(network, crossing_depth=depth)
    mixed, plain = (network_json(network, top.shared(), interface="axi4-stream") for top in tops)
    for key in ("interface_latency", "crossing_modules"):
        assert mixed.get(key) == plain.get(key)
    assert (mixed["interface_latency"] is None) == ("crossing_modules" in mixed) == differ
    times = [None if port == 1 else one for port, one in enumerate(plain.get("port_timing", []))]
    assert mixed.get("port_timing", []) == times
    assert mixed["port_interfaces"] == ["axi4-stream", "flits", "axi4-stream", "axi4-stream"]


def test_without_options_nothing_is_new():
    about, text, head = described()
    assert not about.keys() & {"streams", "trailer", "port_timing"} and "tkeep" not in text
    assert "there is no TKEEP" in head and "bad_keep" not in json.dumps(about)
