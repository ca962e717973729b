"""The tables of ports in network files: what they may say of which network, and on which line a mistake stands."""

import json

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.fabric import Fabric
from fatcube.noc.network_files.key_lines import json_line, toml_line
from fatcube.noc.network_files.ports import (
    CLOCKS,
    PortTable,
    names_of,
    own_clocks,
    protocol_of_tables,
    tables_of,
    with_widths,
)
from fatcube.noc.network_files.reading import read_network_file
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.protocols.axi_stream import AXI_STREAM
from fatcube.rtl.protocols.flits import FLITS
from fatcube.rtl.router_options import RouterOptions

HEAD = 'format = "fatcube.network-file/1"\n'
ONE = RoutedNetwork(FatCube(1, 2))
SEVERAL = RoutedNetwork(Hypercube(2), RouterOptions(ports="d"))


def table(processor, name, port=None, **others):
    return PortTable(processor=processor, port=port, name=name, **others)


def test_line_of_a_table():
    text = 'name = "x"\n[[port]]\nname = """\n[[port]]\n"""\n\n[graph]\nport = 1\n[[ port ]]\n'
    assert [toml_line(text, "port", number) for number in (1, 2, 3)] == [2, 9, None]
    text = '{"network": {\n"port": [\n{"a": [{}, {"b": 1}]},\n\n{"port": 3}]},\n"port": [{}]}'
    assert [json_line(text, "network", "port", table=number) for number in (1, 2, 3)] == [3, 5, None]
    assert json_line(text, "network", "port") == 2


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("processor = -1\nname = 'a'", "processor must be an integer of at least 0, not -1"),
        ("processor = 1\nport = '1'\nname = 'a'", "port must be an integer of at least 0, not '1'"),
        ("processor = 1", "name, width, clock or interface must be given"),
        ("processor = 1\nwidth = 4", "width must be an integer from 8 to 512, not 4"),
        ("processor = 1\nname = 'a'\nwidth = true", "width must be an integer from 8 to 512, not True"),
        ("name = 'a'", "processor must be given"),
        ("processor = 1\nname = 'wire'", "name must be a Verilog identifier of letters, digits and _ and no keyword"),
        ("processor = 1\nname = 3", "name must be a Verilog identifier"),
        (
            "processor = 1\nname = 'a'\nwide = 3",
            "wide must be left out, as ports have processor, port, name, width, clock, interface only",
        ),
    ],
)
def test_mistakes_in_tables_are_named_by_their_line(tmp_path, second, message):
    file = tmp_path / "soc.toml"
    file.write_text(f"{HEAD}\n[[port]]\nprocessor = 0\nname = 'cpu'\n\n[[port]]\n{second}\n")
    with pytest.raises(ParameterError) as error:
        read_network_file(file)
    assert str(error.value).startswith(f"{file}, line 7: port table 2: {message}") and "\n" not in str(error.value)


@pytest.mark.parametrize("value", ["3", "'dma'", "{ processor = 1 }", "['dma']"])
def test_ports_are_tables(tmp_path, value):
    file = tmp_path / "soc.toml"
    file.write_text(f"{HEAD}port = {value}\n")
    with pytest.raises(ParameterError, match=r"soc.toml, line 2: port must be a list of tables, \[\[port\]\] in TOML"):
        read_network_file(file)


def test_tables_of_a_description(tmp_path):
    ports = [{"processor": 0, "name": "cpu"}, {"processor": 1, "port": 0, "name": "dma"}]
    file = {"format": "fatcube.network-file/1", "port": ports}
    path = tmp_path / "net.json"
    path.write_text(json.dumps({"format": "fatcube.network/1", "network": file}, indent=1))
    read = read_network_file(path)
    assert read.values["port"] == (table(0, "cpu"), table(1, "dma", 0))
    lines = path.read_text().splitlines()
    error = ParameterError("port table 2: name must be another")
    line = lines.index("   {", lines.index('    "name": "cpu"')) + 1
    assert read.blamed(error, ["port", "name"]) == "port"
    assert read.place("port", error) == f"{path}, line {line}"
    assert read.blamed(ParameterError("port widths must be one integer"), ["port"]) is None


def test_names_by_the_numbers_of_ports():
    assert names_of([table(3, "dma"), table(0, "cpu")], ONE, FLITS) == {3: "dma", 0: "cpu"}
    several = {1: "a", 2: "b", 7: "c"}
    tables = [table(0, "a", 1), table(1, "b", 0), table(3, "c", 1)]
    assert names_of(tables, SEVERAL, AXI_STREAM) == several
    written = [{"processor": p.processor, "port": p.port, "name": p.name} for p in tables]
    assert tables_of(several, [], {}, SEVERAL) == written
    assert tables_of({3: "dma", 0: "cpu"}, [3, 2], {0: "flits", 1: "flits"}, ONE) == [
        {"processor": 0, "name": "cpu", "interface": "flits"},
        {"processor": 1, "interface": "flits"},
        {"processor": 2, "clock": "own"},
        {"processor": 3, "name": "dma", "clock": "own"},
    ]


@pytest.mark.parametrize(
    ("network", "second", "message"),
    [
        (ONE, table(4, "a"), "processor must be an integer from 0 to 3, not 4"),
        (ONE, table(1, "a", 1), "port must be 0, not 1"),
        (SEVERAL, table(1, "a", 2), "port must be an integer from 0 to 1, not 2"),
        (SEVERAL, table(1, "a"), "port must be given where processors have 2 ports"),
        (ONE, table(0, "a", 0), "processor and port must be those of no other table"),
        (ONE, table(1, "CPU"), "name must be unique, ignoring case, but port 0 has CPU"),
        (ONE, table(1, "error"), "name must be unique, ignoring case, but the top module has"),
        (ONE, table(1, "aclk"), "name must be unique, ignoring case, but the top module has"),
        (ONE, table(1, "ARESETN"), "name must be unique, ignoring case, but the top module"),
        (ONE, table(1, "s_axis_2"), "name must be unique, ignoring case, but port 2 has"),
        (ONE, table(1, "axis_3_aclk"), "name must be unique, ignoring case, but port 3 has"),
        (ONE, table(1, "m_axis_3_tdata"), "name must be unique, ignoring case, but port 3"),
    ],
)
def test_what_cannot_be_of_this_network_is_refused(network, second, message):
    with pytest.raises(ParameterError) as error:
        names_of([table(0, "cpu", 0), second], network, AXI_STREAM)
    assert str(error.value).startswith(f"port table 2: {message}")


@pytest.mark.parametrize("name", ["clk", "rst", "processor1_send0", "processor2_receive0__valid"])
def test_ports_of_flits_have_other_names_that_are_taken(name):
    with pytest.raises(ParameterError, match="^port table 1: name must be unique"):
        names_of([table(1, name)], ONE, FLITS)
    assert names_of([table(1, "aclk")], ONE, FLITS) == {1: "aclk"}


@pytest.mark.parametrize("make", [Fabric, AxiNetwork])
def test_networks_in_python_refuse_the_same(make):
    for names, message in (
        ({4: "a"}, "port with a name must be an integer from 0 to 3, not 4"),
        ({1: "module"}, "name must be a Verilog identifier"),
        ({1: "error"}, "name must be unique"),
        ({1: "a", 2: "A"}, "name must be unique, ignoring case, but port 1 has A"),
    ):
        with pytest.raises(ParameterError, match=f"^{message}"):
            make(ONE, names=names)


def test_widths_of_ports():
    """Others have the one width of all, or that of a flit; a table may have no name."""
    tables = [table(3, None, width=8), table(1, "dma", width=128)]
    assert names_of(tables, ONE, AXI_STREAM) == {1: "dma"}
    for given, rest in ((StreamOptions(byte_exact=True), 32), (StreamOptions(byte_exact=True, port_widths=(16,)), 16)):
        found = with_widths(given, tables, ONE, AXI_STREAM)
        assert found == given.changed(port_widths=(rest, 128, rest, 8))
        assert with_widths(given, [table(1, "dma")], ONE, AXI_STREAM) is given


@pytest.mark.parametrize(
    ("streams", "protocol", "message"),
    [
        (
            StreamOptions(),
            AXI_STREAM,
            "port table 2: width requires AXI4-Streams with byte-exact packets (byte_exact), not 24",
        ),
        (
            StreamOptions(),
            FLITS,
            "port table 2: width requires AXI4-Streams with byte-exact packets (byte_exact), not 24",
        ),
        (
            StreamOptions(byte_exact=True),
            AXI_STREAM,
            "port table 2: port width must divide the 32 bits of a flit, or be a multiple of them, not 24",
        ),
        (
            StreamOptions(byte_exact=True, port_widths=(8, 8, 8, 8)),
            AXI_STREAM,
            "port widths must be one integer, for the other ports, or left out where tables of ports have a width, not 4 ",
        ),
    ],
)
def test_widths_that_cannot_be_are_refused(streams, protocol, message):
    with pytest.raises(ParameterError) as error:
        with_widths(streams, [table(0, "a"), table(1, None, width=24)], ONE, protocol)
    assert str(error.value).startswith(message)


def test_clocks_of_ports():
    """Others have the clock of all, whichever it is; a table may say what holds anyway."""
    tables = [table(3, None, clock="own"), table(1, "dma", clock="network"), table(0, "cpu")]
    assert own_clocks(tables, ONE, AXI_STREAM, port_clocks=False) == (False, False, False, True)
    assert own_clocks(tables, ONE, AXI_STREAM, port_clocks=True) == (True, False, True, True)
    with pytest.raises(ParameterError, match="^port table 1: clock requires ports with AXI4-Streams .*, not own$"):
        own_clocks(tables, ONE, FLITS, port_clocks=False)
    with pytest.raises(ParameterError, match="^clock must be one of own, network, not 'cpu_clk'$"):
        table(0, None, clock="cpu_clk")
    with pytest.raises(ParameterError, match="^port table 1: processor must be an integer from 0 to 3, not 4$"):
        own_clocks([table(4, None, clock="own")], ONE, AXI_STREAM, port_clocks=False)


def test_protocols_of_ports():
    """Others have the one of all; ports with flits have no clock and no width, whatever those of all have."""
    tables = [table(3, None, interface="flits"), table(1, "dma", interface="axi4-stream"), table(0, "cpu")]
    for interface, flits in (("axi4-stream", [3]), ("flits", [0, 2, 3])):
        protocol = protocol_of_tables(tables, ONE, interface)
        assert protocol.name == AXI_STREAM.name and [*protocol.others] == flits
        own = own_clocks(tables, ONE, protocol, port_clocks=True)
        assert own == tuple(port not in flits for port in range(4))
    assert (
        protocol_of_tables([table(place, None, interface="flits") for place in range(4)], ONE, "axi4-stream") is FLITS
    )
    assert protocol_of_tables(tables[2:], ONE, "flits") is FLITS
    mixed = protocol_of_tables(tables, ONE, "axi4-stream")
    for clock in CLOCKS:
        with pytest.raises(
            ParameterError, match=f"^port table 1: clock requires ports with AXI4-Streams .*, not {clock}$"
        ):
            own_clocks([table(3, None, clock=clock)], ONE, mixed, port_clocks=False)
    with pytest.raises(ParameterError, match="^port table 1: width requires AXI4-Streams with byte-exact packets"):
        with_widths(StreamOptions(byte_exact=True), [table(3, None, width=64)], ONE, mixed)
    with pytest.raises(ParameterError, match="^port table 1: processor must be an integer from 0 to 3, not 4$"):
        protocol_of_tables([table(4, None, interface="flits")], ONE, "axi4-stream")
    with pytest.raises(ParameterError, match="^interface must be one of flits, axi4-stream, not 'axi4'$"):
        table(0, None, interface="axi4")
    names_of([table(3, "dma"), table(0, "dma_send")], ONE, mixed)
    with pytest.raises(ParameterError, match="^port table 1: name must be unique"):
        names_of([table(0, "processor3_send0")], ONE, mixed)
