"""Topology files: files of networkx are read correctly, and files that describe no network are refused in one line."""

import json
from pathlib import Path
import pickle

from hypothesis import given
from hypothesis import strategies as st
import networkx
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies import topology_from_json
from fatcube.noc.topologies.graph import Graph, graph_from_json
from fatcube.noc.topologies.graph_file import (
    MOST_BYTES,
    graph_from_graphml,
    one_way_links,
    read_topology,
    topology_file_json,
    topology_schema,
)
from tests.support.networks import HUB, IRREGULAR, MESH, TRIANGLE


def as_networkx(graph):
    """The graph as networkx has it, so that its own writer makes the GraphML."""
    made = networkx.MultiDiGraph() if graph.one_way else networkx.MultiGraph()
    for name, count in zip(graph.names, graph.counts):
        made.add_node(name, processors=count)
    for node, other in graph.links:
        made.add_edge(graph.names[node], graph.names[other], lanes=graph.f)
    return made


@pytest.mark.parametrize("graph", [IRREGULAR, MESH, HUB, TRIANGLE], ids=str)
def test_round_trip(tmp_path, graph):
    """A JSON file, a record, another process: each has the whole graph, channels included."""
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(topology_file_json(graph)))
    for other in (read_topology(file), topology_from_json(graph.to_json()), pickle.loads(pickle.dumps(graph))):
        assert other == graph and hash(other) == hash(graph)
        assert [list(other.ends(node)) for node in range(graph.nodes)] == [
            list(graph.ends(node)) for node in range(graph.nodes)
        ]


@pytest.mark.parametrize("graph", [IRREGULAR, MESH, HUB, TRIANGLE], ids=str)
def test_graphml_of_networkx(tmp_path, graph):
    """The writer of networkx goes from node to node, so the order of links can differ, and nothing else."""
    file = tmp_path / "graph.graphml"
    networkx.write_graphml(as_networkx(graph), file)
    read = read_topology(file)
    assert (read.names, read.counts, read.one_way, read.f) == (graph.names, graph.counts, graph.one_way, graph.f)
    assert sorted(map(sorted, read.links)) == sorted(map(sorted, graph.links))


@given(st.integers(2, 9), st.integers(0, 10), st.integers(0, 2**32), st.booleans())
def test_any_graph(nodes, more, seed, directed):
    """Connected graphs of any shape: distances and degrees are those of networkx, processors count in order."""
    made = networkx.gnm_random_graph(nodes, more, seed=seed)
    made.add_edges_from((node, node + 1) for node in range(nodes - 1))
    if directed:  # a way round, whose links lead on only
        made = networkx.cycle_graph(nodes + 2, create_using=networkx.DiGraph)
    networkx.set_node_attributes(made, {node: (node * 7 + seed) % 3 for node in made}, "processors")
    made.nodes[0]["processors"] = 2
    content = "\n".join(networkx.generate_graphml(made)).encode()
    graph = graph_from_graphml(content)
    graph._check_channels()
    super(Graph, graph)._check_channels()  # the check of every channel
    ends = tuple if directed else frozenset
    assert graph.graph.number_of_edges() == made.number_of_edges()
    assert {ends(edge) for edge in graph.graph.edges()} == {ends(edge) for edge in made.edges()}
    for node, lengths in networkx.all_pairs_shortest_path_length(made):
        assert graph.distances[node] == [lengths[other] for other in range(graph.nodes)]
    owners = [node for node in made for _ in range(made.nodes[node]["processors"])]
    assert [graph.node_of(processor) for processor in range(graph.processors)] == owners
    for node in made:
        assert [graph.local_of(processor) for processor in graph.processors_of(node)] == list(range(owners.count(node)))
    degrees = (made.in_degree(), made.out_degree()) if directed else (made.degree(),)
    assert graph.degree == max(degree for each in degrees for _, degree in each)


def test_channels_by_hand():
    """Channels are numbered at each node in the order of the links; of one-way links, those in and out apart."""
    assert [list(IRREGULAR.ends(node)) for node in range(4)] == [
        [(0, 1, 0)],
        [(0, 0, 0), (1, 2, 0), (2, 3, 0)],
        [(0, 1, 1), (1, 3, 1)],
        [(0, 1, 2), (1, 2, 1)],
    ]
    assert [list(TRIANGLE.ends(node)) for node in range(3)] == [[(0, 1, 0)], [(0, 2, 0), (1, 2, 1)], [(0, 0, 0)]]
    assert (IRREGULAR.degree, IRREGULAR.m, IRREGULAR.processors) == (3, 2, 4)
    assert TRIANGLE.degree == 2 and TRIANGLE.directed and TRIANGLE.channels == 4


def test_absent_outputs_by_hand():
    """Two processors of a port each, three channels: outputs 0 and 1, then 2 to 4."""
    network = Network(IRREGULAR)
    assert [network.absent(node) for node in range(4)] == [(0, 1, 3, 4), (1,), (4,), (1, 4)]


HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
NODES = '<node id="a"/><node id="b"/><node id="c"/>'
KEYS = (
    '<key id="p" for="node" attr.name="processors" attr.type="int"/>'
    '<key id="l" for="edge" attr.name="lanes" attr.type="int"><default>2</default></key>'
)


def xml(inside, default="undirected", keys=""):
    return f'{HEAD}{keys}<graph edgedefault="{default}">{inside}</graph></graphml>'


def edges(*pairs, more=""):
    return "".join(f'<edge source="{pair[0]}" target="{pair[1]}" {more}/>' for pair in pairs)


def drawn(*arrows, default="directed", more=""):
    """A ring of four nodes as yEd writes it, with arrows at the source and target of each edge."""
    ends = zip("abcd", "bcda", arrows, strict=True)
    return xml(
        NODES
        + '<node id="d"/>'
        + "".join(
            f'<edge source="{node}" target="{other}" {more}><data key="d10"><y:PolyLineEdge xmlns:y="{YED}"><y:Path/>'
            f'<y:Arrows source="{source}" target="{target}"/></y:PolyLineEdge></data></edge>'
            for node, other, (source, target) in ends
        ),
        default,
        '<key for="edge" id="d10" yfiles.type="edgegraphics"/>',
    )


YED = "http://www.yworks.com/xml/graphml"
NONE, THERE, BACK, BOTH = ("none", "none"), ("none", "standard"), ("white_delta", "none"), ("standard", "delta")


@pytest.mark.parametrize(
    ("arrows", "options", "links"),
    [
        ([NONE] * 4, {}, None),
        ([NONE, BOTH, NONE, BOTH], {}, None),
        ([THERE] * 4, {}, ((0, 1), (1, 2), (2, 3), (3, 0))),
        ([THERE] * 4, {"default": "undirected"}, ((0, 1), (1, 2), (2, 3), (3, 0))),
        ([BACK] * 4, {}, ((1, 0), (2, 1), (3, 2), (0, 3))),
        ([NONE] * 4, {"more": 'directed="true"'}, ((0, 1), (1, 2), (2, 3), (3, 0))),
        ([THERE] * 4, {"more": 'directed="false"'}, None),
    ],
)
def test_arrows_of_yed_say_which_way_links_go(tmp_path, arrows, options, links):
    file = tmp_path / "drawn.graphml"
    file.write_text(drawn(*arrows, **options))
    graph = read_topology(file)
    word = 'directed="true"' if "more" in options else "the arrows in <y:Arrows>"
    assert (graph.links if graph.one_way else None) == links
    assert one_way_links(file) == (f"4 links go one way, as {word} says" if links else "")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.graphml", xml(NODES + edges("ab", "bc", "ca"), "directed"), '3 links go one way, as edgedefault="directed" says'),
        ("a.graphml", xml(NODES + edges("ab", "bc"), "undirected"), ""),
        ("a.graphml", xml(NODES + edges("ab", "ba", "bc", "cb"), "directed"), ""),
        (
            "a.graphml",
            xml(NODES + edges("ab") + edges("bc", "ca", more='directed="true"'), "directed"),
            '3 links go one way, as edgedefault="directed" of 1 and directed="true" of 2 says',
        ),
        ("a.json", json.dumps(topology_file_json(TRIANGLE)), '4 links go one way, as "one_way": true says'),
        ("a.json", json.dumps(topology_file_json(IRREGULAR)), ""),
    ],
)  # fmt: skip
def test_what_says_that_links_go_one_way(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    assert one_way_links(tmp_path / name) == said


BOMB = "".join(f'<!ENTITY x{n} "{f"&x{n - 1};" * 10}">' for n in range(1, 12))

BAD_XML = {
    "a loop": (xml(NODES + edges("ab", "bb")), "links must join two nodes, not 'b' with itself"),
    "a dangling link": (
        xml(NODES + edges("ab", "bx")),
        "links must join nodes of the graph, not 'b' and 'x', as there is no node 'x'",
    ),
    "two nodes of one name": (
        xml(NODES + '<node id="b"/>' + edges("ab", "bc")),
        "nodes of a graph must have different names, not 2 times 'b'",
    ),
    "no nodes": (xml(""), "nodes of a graph must be an integer from 1 to 65536, not 0"),
    "no links": (xml(NODES), "links of a graph must be an integer from 1 to 1100000, not 0"),
    "no processors": (
        xml(
            '<node id="a"><data key="p">0</data></node><node id="b"><data key="p">0</data></node>' + edges("ab"),
            keys=KEYS,
        ),
        "processors of a graph must be an integer of at least 2, not 0",
    ),
    "processors in words": (
        xml('<node id="a"><data key="p">two</data></node><node id="b"/>' + edges("ab"), keys=KEYS),
        "processors of a node must be an integer, not 'two'",
    ),
    "fewer than none": (
        xml('<node id="a"><data key="p">-1</data></node><node id="b"/>' + edges("ab"), keys=KEYS),
        "processors of node a must be an integer from 0 to 65536, not -1",
    ),
    "apart": (
        xml(NODES + edges("ab")),
        "node 2 (c) of the graph of 3 nodes and 1 link must be reached from node 0 over links, not be apart from it",
    ),
    "no way back": (
        xml(NODES + edges("ab", "bc"), "directed"),
        "node 1 (b) of the graph of 3 nodes and 2 one-way links must have a route to node 0 over its "
        "unidirectional links, not none",
    ),
    "some lead back": (
        xml(NODES + edges("ab", "bc", "ca", "ac"), "directed"),
        "edges must all have one that leads back, or none, not one only from 'a' to 'b'",
    ),
    "mixed": (
        xml(NODES + edges("ab") + edges("bc", more='directed="true"')),
        "links must all be unidirectional or all bidirectional, not unidirectional from 'b' to 'c' and bidirectional from 'a' to 'b'",
    ),
    "a hyperedge": (
        xml(NODES + edges("ab", "bc") + "<hyperedge/>"),
        "a graph must have nodes and edges only, not the <hyperedge> that is in it",
    ),
    "a port": (
        xml('<node id="a"><port name="p"/></node><node id="b"/>' + edges("ab")),
        "a graph must have nodes and edges only, not the <port> that is in it",
    ),
    "a graph in a node": (
        xml('<node id="a"><graph/></node><node id="b"/>' + edges("ab")),
        "a graph must have nodes and edges only, not the <graph> that is in it",
    ),
    "two graphs": (
        HEAD + "<graph/><graph/></graphml>",
        "a GraphML document must have one graph, not 2",
    ),
    "an edge without ends": (xml(NODES + "<edge/>"), "source must be given for every edge"),
    "a name of two lines": (
        xml('<node id="a"/><node id="b&#10;c"/>' + edges("ab")),
        "links must join nodes of the graph, not 'a' and 'b', as there is no node 'b'",
    ),
    "another document": ("<html/>", "a topology file in XML must be a GraphML document, not one of 'html'"),
    "wrong XML": (
        "<graphml><graph></graphml>",
        ", line 1: not XML: a closing tag must have the name of the element that is open",
    ),
    "no XML": ("digraph { a -> b }", ", line 1: not XML: it must begin with an element"),
    "nothing": ("", "not XML: it is empty"),
    "a bomb": (
        f'<!DOCTYPE graphml [<!ENTITY x0 "boom">{BOMB}]><graphml>&x11;</graphml>',
        "a topology file must have no entities of its own, not 'x0'",
    ),
    "another file": (
        '<!DOCTYPE graphml [<!ENTITY x SYSTEM "file:///etc/hostname">]><graphml>&x;</graphml>',
        "a topology file must have no entities of its own, not 'x'",
    ),
    "depth": ("<graph>" * 10_000, "elements must be at most 100 deep in one another"),
    "too many nodes": (
        xml("".join(f'<node id="{number}"/>' for number in range(100_000))),
        "nodes of a topology file must be at most 65,536, not more",
    ),
    "too many bytes": (" " * (MOST_BYTES + 1), "a topology file must have at most 33,554,432 bytes"),
}

THREE = [{"name": "a"}, {"name": "b"}, {"name": "c", "processors": 0}]


def document(**keys):
    return json.dumps({"format": "fatcube.topology/1", **keys})


BAD_JSON = {
    "no link": (
        document(nodes=THREE, links=[["a", "b"], ["b", "c", "a"]]),
        "links.1 must be [node, node], or an object with from, to and, if need be, one_way and lanes, not "
        '["b", "c", "a"]',
    ),
    "an unknown key": (document(nodes=THREE, links=[], speed=1), "speed must be left out, as there is no such key"),
    "an unknown key of a node": (
        document(nodes=[{"name": "a", "x": 1}], links=[]),
        "nodes.0.x must be left out, as there is no such key",
    ),
    "a loop": (document(nodes=THREE, links=[["a", "a"]]), "links must join two nodes, not 'a' with itself"),
    "a part of a processor": (
        document(nodes=[{"name": "a", "processors": 0.5}], links=[]),
        "nodes.0.processors must be a valid integer, not 0.5",
    ),
    "a name of two lines": (
        document(nodes=[{"name": "a\nmodule b"}, {"name": "b"}], links=[["a\nmodule b", "b"]]),
        r"name of a node must be of 1 to 100 characters that can be printed, not 'a\nmodule b'",
    ),
    "no lanes": (
        document(nodes=THREE, links=[["a", "b"], ["b", "c"]], lanes=0),
        "lanes must be greater than or equal to 1, not 0",
    ),
    "one processor": (
        document(nodes=[THREE[0], THREE[2]], links=[["a", "c"]]),
        "processors of a graph must be an integer of at least 2, not 1",
    ),
    "too many nodes": (
        document(nodes=[{"name": str(number)} for number in range(100_000)], links=[]),
        "nodes of a graph must be at most 65,536, not 100,000",
    ),
    "no nodes": (document(links=[]), "nodes must be given"),
    "no format": ("{}", 'a topology file in JSON must be an object with "format": "fatcube.topology/1"'),
    "no graph": ("[1]", 'a topology file in JSON must be an object with "format": "fatcube.topology/1"'),
    "no JSON": ("{", ", line 1: not JSON: a key in double quotes must follow, not the end of the file"),
}


@pytest.mark.parametrize(
    ("suffix", "text", "message"),
    [
        *(pytest.param(".graphml", *value, id=f"{name}, XML") for name, value in BAD_XML.items()),
        *(pytest.param(".json", *value, id=f"{name}, JSON") for name, value in BAD_JSON.items()),
    ],
)
def test_refused(tmp_path, suffix, text, message):
    file = tmp_path / f"bad{suffix}"
    file.write_text(text)
    with pytest.raises(ParameterError) as caught:
        read_topology(file)
    between = "" if message.startswith(", line") else ": "
    assert str(caught.value) == f"{file}{between}{message}" and "\n" not in message


def test_another_ending(tmp_path):
    (tmp_path / "a.dot").write_text("graph {}")
    with pytest.raises(ParameterError, match="^ending of a topology file must be one of .graphml, .json, not '.dot'$"):
        read_topology(tmp_path / "a.dot")
    with pytest.raises(FileNotFoundError):
        read_topology(tmp_path / "a.json")


def test_lanes_and_ways():
    """Lanes of every edge, or of none; directed edges there and back are one link each."""
    assert graph_from_graphml(xml(NODES + edges("ab", "bc"), keys=KEYS).encode()).links == ((0, 1),) * 2 + ((1, 2),) * 2
    both = graph_from_graphml(xml(NODES + edges("ab", "ba", "cb", "bc"), "directed").encode())
    assert both.links == ((0, 1), (2, 1)) and not both.directed
    parallel = graph_from_graphml(xml(NODES + edges("ab", "ab", "bc")).encode())
    assert parallel.channels_between(0, 1) == (0, 1) and parallel.graph.number_of_edges() == 3


@pytest.mark.parametrize(
    ("owner", "counts", "lanes"),
    [("", (2, 3), 4), ('for="all"', (2, 3), 4), ('for="node"', (2, 3), 1), ('for="edge"', (1, 1), 4)],
)
def test_attributes_of_nodes_and_edges(owner, counts, lanes):
    """A key for nobody or for all is one of nodes and of edges. What the file does not say has the default, which is 1."""
    keys = (
        f'<key id="p" {owner} attr.name="processors"><default>3</default></key><key id="l" {owner} attr.name="lanes"/>'
    )
    nodes = '<node id="a"><data key="p">2</data></node><node id="b"/>'
    edge = '<edge source="a" target="b"><data key="l">4</data></edge>'
    graph = graph_from_graphml(xml(nodes + edge, keys=keys).encode())
    assert (graph.counts, len(graph.lanes_between(0, 1))) == (counts, lanes)


def test_published_schema_is_the_one_that_is_read():
    published = Path(__file__).parents[2] / "docs" / "schemas" / "topology.json"
    assert json.loads(published.read_text()) == topology_schema()


def test_links_with_lanes_of_their_own():
    """Each lane is a link of its own, the same network as parallel links, also where all links have as many."""
    nodes = [{"name": name} for name in "abc"]
    links = [{"from": "a", "to": "b", "lanes": 3}, ["b", "c"]]
    found = graph_from_json({"nodes": nodes, "links": links})
    assert found == graph_from_json({"nodes": nodes, "links": [["a", "b"]] * 3 + [["b", "c"]]})
    assert (found.f, found.degree, len(found.lanes_between(0, 1))) == (1, 4, 3)
    twice = graph_from_json({"nodes": nodes, "links": [["a", "b"], ["b", "c"]], "lanes": 2})
    assert twice == graph_from_json({"nodes": nodes, "links": [["a", "b"]] * 2 + [["b", "c"]] * 2})
    assert (twice.f, twice.degree) == (1, 4)
    with pytest.raises(ParameterError, match="^lanes of a graph must be an integer from 1 to"):
        graph_from_json({"nodes": nodes, "links": [{"from": "a", "to": "b", "lanes": 4096}] * 300 + [["b", "c"]]})
