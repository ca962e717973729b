"""The component and the entity in VHDL have the ports of the Verilog: GHDL elaborates them with signals of those widths."""

import re
import shutil
import subprocess

import pytest

from fatcube.noc.descriptions.flows.vhdl import vhdl_name
from tests.support.commands import run

pytestmark = pytest.mark.skipif(shutil.which("ghdl") is None, reason="GHDL (ghdl) is not installed")


def around(top, ports):
    """A design with an instance whose outputs are connected to signals, and whose inputs to constants, of their widths."""
    component = vhdl_name(top)
    signals, maps = [], []
    for number, (name, (direction, bits)) in enumerate(ports.items()):
        if direction == "output":
            kind = "std_logic" if bits == 1 else f"std_logic_vector({bits - 1} downto 0)"
            signals.append(f"  signal s{number} : {kind};")
            maps.append(f"    {vhdl_name(name)} => s{number}")
        else:
            maps.append(f"    {vhdl_name(name)} => " + ("'0'" if bits == 1 else f'"{"0" * bits}"'))
    return "\n".join(
        [
            "library ieee;\nuse ieee.std_logic_1164.all;",
            f"use work.{vhdl_name(f'{top}_component')}.all;",
            "entity around is end entity;\narchitecture a of around is",
            *signals,
            f"begin\n  network : {component} port map (",
            ",\n".join(maps),
            "  );\nend architecture;\n",
        ]
    )


def ghdl(folder, files, top):
    """GHDL's messages on the files and on the design around the network; empty if there are none."""
    for name, text in files.items():
        (folder / name).write_text(text)
    for command in (["-a", "--std=08", *files], ["-e", "--std=08", top], ["-r", "--std=08", top, "--stop-time=1ns"]):
        done = subprocess.run(["ghdl", *command], cwd=folder, capture_output=True, text=True)
        if done.returncode or done.stderr:
            return done.stderr or done.stdout
    return ""


def elaborated(folder, flows, **edits):
    """GHDL's messages on a network's files, after an edit of ``net.vhd`` or ``net_entity.vhd``."""
    about, ports, files = flows
    texts = {name: files[name] for name in ("net.vhd", "net_entity.vhd")}
    for name, (old, new) in edits.items():
        file = f"{name}.vhd"
        assert re.search(old, texts[file])
        texts[file] = re.sub(old, new, texts[file], count=1)
    return ghdl(folder, {**texts, "around.vhd": around(about["top"], ports)}, "around")


def test_ghdl_elaborates_it_with_the_widths_of_the_verilog(flows, tmp_path):
    _, ports, files = flows
    assert elaborated(tmp_path, flows) == ""
    for name in ("net.vhd", "net_entity.vhd"):
        found = re.findall(r"^ +(\S+) +: (in|out) std_logic", files[name], re.MULTILINE)
        assert {port.strip("\\"): f"{way}put" for port, way in found} == {port: way for port, (way, _) in ports.items()}


@pytest.mark.parametrize(
    "edits",
    [
        {"net": (r"in std_logic_vector\((\d+) downto 0\)", r"in std_logic_vector(1\1 downto 0)")},
        {"net_entity": (r"in std_logic_vector\((\d+) downto 0\)", r"in std_logic_vector(1\1 downto 0)")},
        {"net": (r"\n.* : in std_logic;", "")},
        {"net": (": in std_logic;", ": out std_logic;"), "net_entity": (": in std_logic;", ": out std_logic;")},
    ],
    ids=["a wider component", "a wider entity", "no clock", "a wrong direction"],
)
@pytest.mark.parametrize("flows", ["streams"], indirect=True)
def test_a_wrong_port_is_found(flows, tmp_path, edits):
    assert elaborated(tmp_path, flows, **edits) != ""


@pytest.mark.parametrize("name", ["std_logic", "STD_LOGIC_VECTOR", "ieee", "work"])
def test_a_name_that_hides_what_ports_are_declared_with(monkeypatch, capsys, tmp_path, name):
    """In the package, a component std_logic is what the ports behind it would be of."""
    arguments = ["generate", "network", "-d", 1, "--with", "vhdl", "--name", name, "-o", tmp_path / "net.v"]
    message = f"name must be another than {name} in VHDL, where it would hide a name that its ports need"
    assert run(monkeypatch, capsys, *arguments) == (2, "", f"fatcube: {message}\n")
    assert list(tmp_path.iterdir()) == []


def test_reserved_words_are_no_plain_names(tmp_path):
    """GHDL takes each name as :func:`vhdl_name` writes it, and none of the escaped ones as it is."""
    names = ["signal", "Process", "vunit", "default", "a__b", "_a", "a_", "1", "net", "net_1"]
    entities = [f"entity {vhdl_name(name)} is end entity;\n" for name in names]
    assert (
        ghdl(tmp_path, {"names.vhd": "".join([*entities, "architecture a of net is begin end architecture;\n"])}, "net")
        == ""
    )
    for number, name in enumerate(names):
        if vhdl_name(name) != name:
            assert ghdl(tmp_path, {f"name{number}.vhd": f"entity {name} is end entity;\n"}, "net") != "", name
    assert [name for name in names if vhdl_name(name) == name] == ["net", "net_1"]
