"""Topology files: a graph in JSON, ``fatcube.topology/1``, or in GraphML, which many tools write.

The JSON Schema of the former, :func:`topology_schema`, is docs/schemas/topology.json.
"""

from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from fatcube.groundwork.files import read_bytes
from fatcube.groundwork.strict.json_text import read_json
from fatcube.groundwork.strict.malformed import within
from fatcube.groundwork.strict.xml_text import parse_xml
from fatcube.groundwork.validation import ParameterError, check_choice, check_integer, shown
from fatcube.noc.topologies.graph import MOST_LANES, Graph, Link, graph_from_json, graph_schema, make_graph
from fatcube.noc.topology import MOST_NODES
from fatcube.noc.topology_check import MOST_CHANNELS

__all__ = ["graph_from_graphml", "one_way_links", "read_topology", "topology_file_json", "topology_schema"]


FORMAT = "fatcube.topology/1"
MOST_BYTES = 1 << 25  # about 300,000 links
_ARROWS = "{http://www.yworks.com/xml/graphml}Arrows"
_NAMESPACES = ("{http://graphml.graphdrawing.org/xmlns}", "")
_MOST = {"node": MOST_NODES, "edge": MOST_CHANNELS}  # elements


def read_topology(path: str | Path) -> Graph:
    """The graph in the file ``path``, whose extension is .graphml for GraphML or .json for JSON.

    Raises
    ------
    ParameterError
        If the file holds no graph that a network can be built from; the message begins with the path and gives the
        reason.
    OSError
        If the file does not exist or cannot be read.
    """
    graph, _ = _read(Path(path))
    return graph


def one_way_links(path: str | Path) -> str:
    """A clause with the number of one-way links in a topology file and the words that define them; empty if there are none.

    Raises
    ------
    ParameterError, OSError
        If :func:`read_topology` raises it.
    """
    graph, words = _read(Path(path))
    if not graph.one_way:
        return ""
    said = [word if len(words) == 1 else f"{word} of {count}" for word, count in words.items()]
    return f"{len(graph.links)} link{'s go' if len(graph.links) > 1 else ' goes'} one way, as {' and '.join(said)} says"


def _read(path: Path) -> tuple[Graph, Counter[str]]:
    """The graph in a file, and the words in the file that make links one-way, each with the number of these links."""
    suffix = check_choice("ending of a topology file", path.suffix.lower(), (".graphml", ".json"))
    if suffix == ".graphml":
        content = read_bytes(path, most=MOST_BYTES, what="a topology file")
        with within(path):
            return _of_graphml(content)
    graph = read_json(path, _graph_from_file_json, most=MOST_BYTES, what="a topology file")
    return graph, Counter({'"one_way": true': len(graph.links)})


def topology_file_json(graph: Graph) -> dict[str, Any]:
    """The content of a topology file in JSON that describes the graph."""
    return {"format": FORMAT} | {name: value for name, value in graph.to_json().items() if name != "type"}


def topology_schema() -> dict[str, Any]:
    """The JSON Schema of topology files in JSON."""
    schema = graph_schema()
    schema["properties"] = {"format": {"const": FORMAT}, **schema["properties"]}
    schema["required"] = ["format", *schema["required"]]
    schema["description"] = "A topology file: named nodes with processors, and links between them."
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _graph_from_file_json(value: object) -> Graph:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ParameterError(f'a topology file in JSON must be an object with "format": "{FORMAT}"')
    return graph_from_json({name: part for name, part in value.items() if name != "format"})


def graph_from_graphml(content: bytes) -> Graph:
    """The graph of a GraphML document: nodes with attribute ``processors``, edges with attribute ``lanes``.

    The default of both attributes is 1; other attributes are ignored. Undirected edges are bidirectional links. Directed
    edges are also bidirectional links if each has an opposite edge; if none has one, they are unidirectional links. If an
    edge was drawn with yEd and has no attribute ``directed``, its arrows determine whether it is directed, and in which
    direction, because yEd writes ``edgedefault="directed"`` for every drawing.

    The GraphML reader of networkx is not used: it creates nodes for unknown ends of edges, merges nodes of the same
    name, and changes the order of edges.

    Raises
    ------
    ParameterError
        If the content is not such a document, or holds no graph that a network can be built from.
    """
    graph, _ = _of_graphml(content)
    return graph


def _of_graphml(content: bytes) -> tuple[Graph, Counter[str]]:
    """The graph of a GraphML document, and the words that make links one-way as in :func:`_read`."""
    root = parse_xml(content, most=_MOST, what="a topology file")
    namespace = next((one for one in _NAMESPACES if root.tag == f"{one}graphml"), None)
    if namespace is None:
        raise ParameterError(f"a topology file in XML must be a GraphML document, not one of {shown(root.tag)}")
    graphs = root.findall(f"{namespace}graph")
    if len(graphs) != 1:
        raise ParameterError(f"a GraphML document must have one graph, not {len(graphs)}")
    [graph] = graphs
    for kind in ("hyperedge", "port", "graph"):
        if graph.find(f".//{namespace}{kind}") is not None:
            raise ParameterError(f"a graph must have nodes and edges only, not the <{kind}> that is in it")
    default = check_choice("edgedefault", graph.get("edgedefault", "undirected"), ("directed", "undirected"))
    read = _Attributes(root, namespace)
    nodes = [(_name(node, "id"), read(node, "node", "processors")) for node in graph.findall(f"{namespace}node")]
    links, words = [], Counter[str]()
    for edge in graph.findall(f"{namespace}edge"):
        lanes = read(edge, "edge", "lanes")
        check_integer("lanes", lanes, minimum=1, maximum=MOST_LANES)
        node, other = _name(edge, "source"), _name(edge, "target")
        arrows, word = edge.find(f".//{_ARROWS}"), f'edgedefault="{default}"'
        one_way = default == "directed"
        if "directed" in edge.attrib:
            one_way = check_choice("directed", edge.attrib["directed"], ("true", "false")) == "true"
            word = 'directed="true"'
        elif arrows is not None:
            at_source, at_target = (arrows.get(end, "none") != "none" for end in ("source", "target"))
            one_way, word = at_source != at_target, "the arrows in <y:Arrows>"
            node, other = (other, node) if at_source and one_way else (node, other)
        words[word] += one_way
        links.append(Link(node, other, one_way, lanes))
    return make_graph(nodes, _paired(links)), +words


def _paired(links: list[Link]) -> list[Link]:
    """The links, with each pair of opposite one-way links merged into a bidirectional link at the position of the first."""
    waiting = Counter((link.node, link.other) for link in links if link.one_way)
    if not any((other, node) in waiting for node, other in waiting):
        return links
    paired = []
    for link in links:
        back = link.other, link.node
        if not link.one_way:
            paired.append(link)
        elif waiting[link.node, link.other]:
            if not waiting[back]:
                raise ParameterError(
                    f"edges must all have one that leads back, or none, not one only from {shown(link.node)} to "
                    f"{shown(link.other)}"
                )
            waiting[link.node, link.other] -= 1
            waiting[back] -= 1
            paired.append(link._replace(one_way=False))
    return paired


class _Attributes:
    """The integer attributes of nodes and edges; the default is 1 unless the document defines another one."""

    def __init__(self, root: ElementTree.Element, namespace: str) -> None:
        self._namespace = namespace
        self._keys: dict[tuple[str, str], str] = {}
        self._defaults: dict[str, str] = {}
        for key in root.findall(f"{namespace}key"):
            for owner in ("node", "edge") if key.get("for") in (None, "all") else (key.get("for", ""),):
                self._keys[owner, key.get("attr.name", "")] = key.get("id", "")
            default = key.findtext(f"{namespace}default")
            if default is not None:
                self._defaults[key.get("id", "")] = default

    def __call__(self, element: ElementTree.Element, owner: str, name: str) -> int:
        key = self._keys.get((owner, name))
        if key is None:
            return 1
        texts = [data.text or "" for data in element.findall(f"{self._namespace}data") if data.get("key") == key]
        text = texts[0] if texts else self._defaults.get(key, "1")
        try:
            if len(texts) < 2 and len(text) <= 20:
                return int(text)
        except ValueError:
            pass
        what = shown(text) if len(texts) < 2 else f"{len(texts)} of them"
        raise ParameterError(f"{name} of {'a node' if owner == 'node' else 'an edge'} must be an integer, not {what}")


def _name(element: ElementTree.Element, attribute: str) -> str:
    """The name of a node, which is an attribute of ``element``."""
    name = element.get(attribute)
    if name is None:
        raise ParameterError(f"{attribute} must be given for every {element.tag.rpartition('}')[2]}")
    return name
