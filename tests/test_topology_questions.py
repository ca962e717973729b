"""Each place in the sources that asks of what kind a topology is, with the reason why failures may change the answer.

A network with failures is of no other kind, and so is one with other numbers of lanes: such a question has another answer there
than on the whole network.
"""

import ast

import pytest

from fatcube.noc.topologies import topology_from_json
from fatcube.noc.topology import Topology
from tests.support.packages import PACKAGE, ROOMS

assert topology_from_json  # All kinds are known then.

PROTOCOLS = {"Coordinates", "NumberedCoordinates"}

LEFT = "What is made for the whole network would use what has failed; this is made for what is left, or refused."
WHOLE = "It asks the topology before anything failed, or has put it in place of the one that it was given."
PAPER = "What a paper says of its own networks, without failures."
FAMILY = (
    "A formula or construction that is proved for this family only; for any other network the general one is taken."
)

#: The files that ask for kinds of topologies, with the kinds, and why.
ASKED = {
    "noc/descriptions/description.py": ("FatCube Graph Hypercube NumberedCoordinates", WHOLE),
    "noc/machines/distributed.py": ("Hypercube", LEFT),
    "noc/network_files/normal.py": ("Graph", "A graph of a user's own stands whole in a network file."),
    "noc/orientation.py": ("FatCube Hypercube", LEFT),
    "noc/routing/__init__.py": ("Coordinates", LEFT),
    "noc/routing/a1.py": ("CubeConnectedCycles", LEFT),
    "noc/routing/computation.py": ("NumberedCoordinates", LEFT),
    "noc/routing/dimension_order.py": ("Coordinates", LEFT),
    "noc/topologies/damaged.py": ("Damaged", "Failures of a network with failures are those of both."),
    "noc/topologies/widened.py": ("NumberedCoordinates", "It is refused where links have no dimensions."),
    "schedules/bounding/totals.py": ("Coordinates", FAMILY),
    "schedules/bounds.py": ("Survivors", LEFT),
    "schedules/construct.py": ("DenseGHC FatCube Hypercube Mesh SparseGHC", FAMILY),
    "schedules/constructions/combining.py": ("FatCube Hypercube", FAMILY),
    "schedules/constructions/generalized.py": ("DenseGHC", FAMILY),
    "schedules/constructions/hamiltonian.py": ("FatCube Hypercube Mesh", FAMILY),
    "schedules/constructions/survivors.py": ("Survivors", LEFT),
    "schedules/problem.py": ("Damaged", LEFT),
    "schedules/spanning/construct.py": ("Damaged", LEFT),
    "schedules/size.py": ("DenseGHC FatCube Hypercube SparseGHC", FAMILY),
    "schedules/symmetry.py": ("FatCube Hypercube", FAMILY),
    "sim/traffic/patterns.py": ("Digits NumberedCoordinates", WHOLE),
    "cli/schedules/building.py": ("Damaged Hypercube", WHOLE),
    "papers/ccc/algorithms.py": ("CubeConnectedCycles", PAPER),
    "papers/ccc/steps.py": ("CubeConnectedCycles", PAPER),
    "papers/fat_cube/algorithms.py": ("FatCube Hypercube", PAPER),
    "papers/fat_cube/silicon.py": ("FatCube Hypercube", PAPER),
    "papers/fat_cube/two_phase.py": ("FatCube Hypercube", PAPER),
    "papers/fat_cube/worth.py": ("FatCube Hypercube", PAPER),
    "papers/spanning_graphs/algorithms.py": ("FatCube Hypercube", PAPER),
    "reports/labels.py": ("Graph", WHOLE),
    "reports/layout.py": ("CubeConnectedCycles FatCube Hypercube OrientedCube", WHOLE),
    "reports/places.py": (
        "Butterfly CubeConnectedCycles Digits FatCube Hypercube OrientedCube Ring Star Tree WrappedButterfly",
        WHOLE,
    ),
    "studies/comparing/candidates.py": ("FatCube", "The kind of a shape, of which networks are made."),
}


def kinds(cls=Topology):
    """The names of all topologies, and of their bases."""
    return {cls.__name__}.union(*map(kinds, cls.__subclasses__()))


def asked(source, names):
    """The kinds of topologies that a source tells apart, by any means."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kind]):
                found |= {one.id for one in ast.walk(kind) if isinstance(one, ast.Name)}
            case ast.MatchClass(cls=ast.Name(id=name)):
                found.add(name)
            case ast.Compare(left=ast.Call(func=ast.Name(id="type"))):
                found |= {one.id for other in node.comparators for one in ast.walk(other) if isinstance(one, ast.Name)}
    return found & names


def test_every_question_for_a_kind_has_a_reason():
    names = {name for name in kinds() - {"Topology"} if not name.startswith("_")} | PROTOCOLS
    assert {"Damaged", "Graph", "Torus", "FatCube"} <= names
    files = [file for room in ROOMS for file in (PACKAGE / room).rglob("*.py")]
    found = {str(file.relative_to(PACKAGE)): asked(file.read_text(encoding="utf-8"), names) for file in files}
    assert {file: kinds for file, kinds in found.items() if kinds} == {
        file: set(kinds.split()) for file, (kinds, _) in ASKED.items()
    }


@pytest.mark.parametrize(
    "source",
    [
        "isinstance(self.topology, (Torus, int))",
        "match topology:\n    case Torus():\n        pass",
        "type(topology) is Torus",
        "issubclass(kind, Torus)",
    ],
)
def test_each_way_to_ask_is_seen(source):
    assert asked(source, kinds()) == {"Torus"}
