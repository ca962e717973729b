"""Section 4: disjoint paths."""

from collections.abc import Iterator, Sequence
from functools import cache, partial
import itertools

import networkx

from fatcube.papers.ccc import printed
from fatcube.papers.ccc.graphs import Address, ccc, connectivity, cube, defined
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.claim import columns, each, said
from fatcube.papers.verdict import Case, case, judged

_BUILT = (
    "built as in the proof's example, which is reproduced exactly: from each of three positions first over its link to the "
    "other cycle, then clockwise"
)

claim = partial(PAPER.claim, evidence=_BUILT)

_ENDS = (
    "In the destination's cycle a path goes either way round, as in the example; of all choices one with "
    "disjoint paths is taken, if there is one."
)


@claim("section 4", "n", over=each(n=range(1, 8)))
@said(evidence="counted on the graph (Menger), and no node in common either")
def cube_disjoint_paths(n: int) -> Case:
    """There are n edge-disjoint paths from any source to any destination in an n-cube."""
    return case(connectivity(cube(n)), n)


@claim("section 4", "h of length h and (n - h) of length (h + 2)", over=each(n=range(1, 9)))
@said(evidence="the paths, built and compared for all destinations")
def cube_path_lengths(n: int) -> Case:
    """Of the n disjoint paths h are of length h and n - h of length h + 2, h being the Hamming distance."""
    good = sum(_cube_paths(n, node) for node in range(1, 1 << n))
    return case(f"for {good} destinations", f"for {(1 << n) - 1} destinations")


def _cube_paths(n: int, node: int) -> bool:
    """Whether the rotations of the set dimensions, and the same between each other dimension twice, are disjoint."""
    mine = [i for i in range(n) if node >> i & 1]
    orders = [mine[turn:] + mine[:turn] for turn in range(len(mine))]
    orders += [[i, *mine, i] for i in range(n) if i not in mine]
    inner = [[*itertools.accumulate((1 << i for i in order), int.__xor__)][:-1] for order in orders]
    everything = list(itertools.chain(*inner))
    return len(everything) == len(set(everything)) and 0 not in everything and node not in everything


@claim("result 3", "three, for r > 2", over=each(n=range(3, 7)))
@said(
    evidence="counted on the graph (Menger)",
    reading='"r" is not defined in the paper; n is read. For n = 2 there are two.',
)
def three_disjoint_paths(n: int) -> Case:
    """There exist three disjoint paths between any two nodes of a CCC, for n > 2."""
    return case(connectivity(ccc(n)), 3)


@claim("result 3, proof", "(S_n ... S_0, i)", over=each(n=range(1, 8)))
@said(
    evidence="the bits that 2^n cycles need",
    misprint="S_(n-1) ... S_0 must be meant; the destination, d_n ... d_1, has n bits",
)
def source_address(n: int) -> Case:
    """The cube address of a source in a CCC of size n is S_n ... S_0."""
    return case(((1 << n) - 1).bit_length(), n + 1)


@claim("result 3, proof", "(000,1) to (011,1)", over=each(n=(3,)), evidence="link by link")
def example_paths(n: int) -> Case:
    """The two paths of the example are paths in CCC(3,3) and share no node before their end."""
    paths = [[(int(cycle, 2), position) for cycle, position in path] for path in printed.EXAMPLE_PATHS]
    linked = all(defined(n).has_edge(u, v) for path in paths for u, v in itertools.pairwise(path))
    apart = not set(paths[0][:-1]) & set(paths[1][:-1])
    found = f"{'paths' if linked else 'no paths'}, {'disjoint' if apart else 'not disjoint'}"
    return case(found, "paths, disjoint")


@claim("result 3, proof", "disjoint", over=columns("n h", [(n, h) for n in range(3, 8) for h in range(n + 1)]))
@said(conditions=["n == 3 and h >= 1"], reading=f"From (0, 0) to all nodes of cycles at Hamming distance h. {_ENDS}")
def proof_paths_are_disjoint(n: int, h: int) -> Case:
    """The three paths of the proof are disjoint."""
    those = [node for node in _destinations(n) if node[0].bit_count() == h]
    good = sum(_disjoint(_three(n, node)) for node in those)
    return case(f"for {good} of {len(those)}", f"for {len(those)} of {len(those)}")


@claim(
    "result 3, proof",
    "cannot reach the same intermediate node address in the same number of hops",
    over=each(n=range(3, 8)),
    reading=_ENDS,
)
def never_in_the_same_hop(n: int) -> Case:
    """The paths do not reach the same intermediate node in the same number of hops from two starting nodes."""
    met = 0
    for node in _destinations(n):
        met += all(map(_meet, itertools.product(*_all_ways(n, node))))
    return case(f"they do for {met} destinations", "they do for 0 destinations")


@claim("corollary 3", "not of the same length", over=each(n=range(3, 10)))
@said(
    conditions=["n % 2 == 1"],
    reading="Read as: where the three paths of the proof are disjoint, they are never all of the same length. "
    f"That they are not always of the same length is proof_paths_differ_somewhere. {_ENDS}",
)
def proof_paths_differ_in_length(n: int) -> Case:
    """The disjoint paths of the proof are not of the same length, whatever the destination."""
    alike = sum(_alike(paths) for paths in _disjoint_threes(n))
    return case(f"alike for {alike} destinations", "alike for 0 destinations")


@claim("corollary 3", "not of the same length", over=each(n=range(3, 10)))
@said(reading="Read as: the three paths are not always of the same length.")
def proof_paths_differ_somewhere(n: int) -> Case:
    """The disjoint paths of the proof are not of the same length for some destination."""
    differ = sum(not _alike(paths) for paths in _disjoint_threes(n))
    return judged(f"they differ for {differ}", "some", differ > 0)


def _disjoint_threes(n: int) -> Iterator[Sequence[Sequence[Address]]]:
    return filter(_disjoint, (_three(n, node) for node in _destinations(n)))


def _alike(paths: Sequence[Sequence[Address]]) -> bool:
    return len(set(map(len, paths))) == 1


def _destinations(n: int) -> list[Address]:
    return [(cycle, position) for cycle in range(1 << n) for position in range(n) if cycle or position]


@cache
def _three(n: int, destination: Address) -> Sequence[Sequence[Address]]:
    """The paths from (0, 0) as result 3 builds them: disjoint ones if the choices that are open can make them so."""
    choices = sorted(itertools.product(*_all_ways(n, destination)), key=_total)
    return next(filter(_disjoint, choices), choices[0])


def _all_ways(n: int, destination: Address) -> list[list[list[Address]]]:
    return [_ways(n, first, destination) for first in (1, 0, n - 1)]


def _meet(paths: Sequence[Sequence[Address]]) -> bool:
    """Whether two paths are at one node, not their end, as many hops from where they start: at the positions 1, 0, -1."""
    for at in itertools.zip_longest(*(path[len(path) > 1 and path[1][0] == 0 : -1] for path in paths)):
        there = [node for node in at if node is not None]
        if len(set(there)) < len(there):
            return True
    return False


def _total(paths: Sequence[Sequence[Address]]) -> int:
    return sum(map(len, paths))


def _ways(n: int, first: int, destination: Address) -> list[list[Address]]:
    """One of the paths, with either way round in the cycle of the destination; the shorter first."""
    path: list[Address] = [(0, 0)] if first == 0 else [(0, 0), (0, first)]
    if path[-1] == destination:
        return [path]
    cycle, position = 1 << first, first
    path.append((cycle, position))
    while cycle != destination[0]:
        position = (position - 1) % n
        path.append((cycle, position))
        if (cycle ^ destination[0]) >> position & 1:
            cycle ^= 1 << position
            path.append((cycle, position))
    ends = []
    for turn in (1, -1):
        count = (destination[1] - position) * turn % n
        ends.append(path + [(cycle, (position + turn * hop) % n) for hop in range(1, count + 1)])
    return sorted(ends, key=len)


def _disjoint(paths: Sequence[Sequence[Address]]) -> bool:
    inner = list(itertools.chain(*(path[1:-1] for path in paths)))
    return len(inner) == len(set(inner)) and not {paths[0][0], paths[0][-1]} & set(inner)


@claim("corollary 3", "not of the same length", over=each(n=(3, 4, 5)))
@said(
    evidence="all simple paths of up to 9 hops, searched for three that share no node",
    reading="The corollary is tried for any three disjoint paths; for those of its proof see "
    "proof_paths_differ_in_length.",
)
def no_three_of_one_length(n: int) -> Case:
    """No three disjoint paths that join two nodes are of the same length."""
    alike = sum(_of_one_length(n, node) for node in _destinations(n))
    return case(f"there are for {alike} destinations", "there are for 0 destinations")


def _of_one_length(n: int, destination: Address) -> bool:
    numbered: networkx.Graph[int] = networkx.Graph(ccc(n).graph)
    lengths: dict[int, dict[int, list[list[Address]]]] = {}
    for path in networkx.all_simple_paths(numbered, 0, destination[0] * n + destination[1], cutoff=9):
        lengths.setdefault(len(path), {}).setdefault(path[1], []).append([divmod(node, n) for node in path])
    return any(
        len(by_first) == 3 and any(map(_disjoint, itertools.product(*by_first.values())))
        for by_first in lengths.values()
    )
