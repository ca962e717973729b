"""Network files, read: what their keys may have, and the line on which a mistake stands."""

import json

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network_files.key_lines import json_line, toml_line
from fatcube.noc.network_files.reading import read_network_file

HEAD = 'format = "fatcube.network-file/1"\n'
GRAPH = '[graph]\nnodes = [\n  { name = "a" },\n  { name = "b" },\n]\nlinks = [["a", "b"]]\n'

TOML = '''# width = 1
text = """
width = 2
"""
list = [
  "depth = 1",
]
width = 3
"quoted" = 4

[table]
depth = 5
nodes = [
  1,
]
[other]
width = 6
'''

JSON = """{
 "width": "\\"width\\": 1",
 "network": {"list": [{"width": 2}, {
   "depth": 3}],
  "width": 4
 }, "width":
 5
}"""


@pytest.mark.parametrize(
    ("key", "line"), [("width", 8), ("quoted", 9), ("table", 11), ("other", 16), ("depth", None), ("list", 5)]
)
def test_line_of_a_key_in_toml(key, line):
    """Catches a key in a comment, a text, a list or another table that is taken for the one that is meant."""
    assert toml_line(TOML, key) == line


@pytest.mark.parametrize(
    ("path", "line"), [(("width",), 2), (("network", "width"), 5), (("network", "list"), 3), (("depth",), None)]
)
def test_line_of_a_key_in_json(path, line):
    assert json_line(JSON, *path) == line


def write(folder, text, name="soc.toml"):
    path = folder / name
    path.write_text(text)
    return path


def test_values_are_those_of_flags(tmp_path):
    text = (
        HEAD
        + 'topology = "torus"\nw = [4, 3]\nfailed = ["link:0-1", "node:5"]\nfailures = "deep/failures.json"\nport_widths = 8\n'
    )
    assert read_network_file(write(tmp_path, text)).values == {
        "topology": "torus",
        "w": (4, 3),
        "failed": "link:0-1,node:5",
        "failures": tmp_path / "deep" / "failures.json",
        "port_widths": (8,),
    }


def test_toml_json_and_a_description_say_the_same(tmp_path):
    values = {"d": 3, "ports": "*", "byte_exact": True}
    toml = write(tmp_path, HEAD + 'd = 3\nports = "*"\nbyte_exact = true\n')
    file = {"format": "fatcube.network-file/1", **values}
    written = write(tmp_path, json.dumps(file), "soc.json")
    inside = write(tmp_path, json.dumps({"format": "fatcube.network/1", "network": file, "top": "fabric"}), "net.json")
    assert [read_network_file(path).values for path in (toml, written, inside)] == [values] * 3


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("widht = 64", "widht must be left out, as there is no such key (there is width)"),
        ("names = ['a']", "names must be left out, as there is no such key"),
        ("width = '64'", "width must be an integer from 1 to 4096, not '64'"),
        ("width = true", "width must be an integer from 1 to 4096, not True"),
        ("d = 0", "d must be an integer of at least 1, not 0"),
        ("w = [4, 1.5]", "w must be an integer of at least 1, not 1.5"),
        ("w = '4,4'", "w must be an integer or a list of integers, not '4,4'"),
        ("w = []", "w must be an integer or a list of integers, not []"),
        ("d = '2'", "d must be an integer, not '2'"),
        ("d = [2, 2]", "d must be an integer of at least 1, not [2, 2]"),
        ("topology = 'cube'", "topology must be one of "),
        ("routing = 'magic'", "routing must be one of none, default,"),
        ("byte_exact = 1", "byte exact must be true or false, not 1"),
        ("port_widths = '8,32'", "port width must be an integer from 8 to 512, not '8,32'"),
        ("failed = [3]", "failed must be a list of texts such as link:0-1, not 3"),
        ("topology_file = 3", "topology_file must be the path of a file, not 3"),
        ("graph = 3", "graph must be an object, not 3"),
        ("graph = { nodes = [] }", "links must be given"),
        ("interface = 'axi'", "interface must be one of flits, axi4-stream, not 'axi'"),
        ("name = 'module'", "name must be a Verilog identifier"),
    ],
)
def test_mistakes_are_named_by_their_line(tmp_path, line, message):
    file = write(tmp_path, f"{HEAD}# the next line\n{line}\n")
    with pytest.raises(ParameterError) as error:
        read_network_file(file)
    assert str(error.value).startswith(f"{file}, line 3: ") and message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_mistake_in_a_description_is_named_by_its_line_there(tmp_path):
    about = {"format": "fatcube.network/1", "width": 1, "network": {"format": "fatcube.network-file/1", "width": 0}}
    file = write(tmp_path, json.dumps(about, indent=1), "net.json")
    with pytest.raises(ParameterError, match=r"net.json, line 6: width must be an integer from 1 to 4096, not 0"):
        read_network_file(file)


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (
            '{"format": "fatcube.topology/1"}',
            "soc.json",
            "must be given with --topology-file, as it is a topology file",
        ),
        ("width = 3\n", "soc.toml", 'must have the line format = "fatcube.network-file/1" at its beginning'),
        ('format = "a/1"\n', "soc.toml", "at its beginning, not 'a/1'"),
        ("width = \n", "soc.toml", "soc.toml, line 1: not TOML: a value must be a number"),
        ("[]", "soc.json", 'must have the format "fatcube.network-file/1"'),
        ('{"format": "fatcube.network/1"}', "net.json", 'must have the format "fatcube.network-file/1"'),
        ("{", "soc.json", "not JSON"),
        (HEAD, "soc.yaml", "ending of a network file must be one of .toml, .json, not '.yaml'"),
    ],
)
def test_what_is_no_network_file(tmp_path, text, name, message):
    with pytest.raises(ParameterError) as error:
        read_network_file(write(tmp_path, text, name))
    assert message in str(error.value) and "\n" not in str(error.value)
