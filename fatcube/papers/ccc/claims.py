"""The claims of the cube-connected cycles paper (Kambhatla), one row each: what it prints, held against proofs.

Numbers of nodes, links and hops are counted on graphs, its algorithms are executed (:mod:`schedules.constructions.ccc`), and its
bounds are held against proven bounds and against schedules. "n" is the size of a CCC, "N" are its n 2^n nodes.
"""

from fractions import Fraction
from functools import cache
import itertools
from math import comb, log2

import networkx
from ortools.sat.python import cp_model

from fatcube.papers.audit import Case, Row, arithmetic, counted, formula, judge, optimal, reachable
from fatcube.papers.ccc import printed as printed
from groundwork.solving import solve
from noc import measures
from noc.topologies.ccc import CubeConnectedCycles
from noc.topologies.cubes import Hypercube
from schedules.checker import ScheduleError, check
from schedules.collective import Message, Move
from schedules.constructions import ccc
from schedules.schedule import Schedule

__all__ = ["rows", "searched"]


SIZES = range(3, 8)  # where the graph is counted; CCC(7) has 896 nodes
SCHEDULED = {"OAB": range(3, 7), "AAB": range(3, 6), "OAS": range(3, 6),
             "AAS": range(3, 6)}  # where schedules are built
ORDERS = 100  # of left and right in A2, that are tried
IO = {"1": "single I/O", "d": "multiple I/O"}
CUBE_COLLECTIVES = {"OAB": "single-node broadcast", "AAB": "multinode broadcast", "OAS": "scatter",
                    "AAS": "total exchange"}

UP_TO_3 = ("n = 3", lambda n: n == 3)
UP_TO_5 = ("n <= 5", lambda n: n <= 5)


def searched(case):
    """A broadcast is one message: where its bound and its schedule differ, a search decides."""
    return case.collective == "OAB"


def rows(evidence):
    """All rows of the audit, in the order of the paper; ``evidence`` is an :class:`Evidence`."""
    return [*_definition(), *_topology(), *_layout(), *_faults(), *_bounds(evidence), *_broadcasts(evidence),
            *_rings(evidence), *_multinode(evidence), *_scatters(evidence), *_exchange(evidence), *_table_2(evidence)]


_ccc = cache(CubeConnectedCycles)
_cube = cache(Hypercube)


def _definition():
    """Section 2: nodes, links, addresses, algorithm A1."""
    graphs = {n: _defined(n) for n in range(1, 8)}
    yield counted("section 2", "a CCC of size n has n 2^n processors", "n 2^n", list(graphs), lambda n: len(graphs[n]),
                  lambda n: n << n, evidence="the definition, pair by pair of addresses")
    yield counted("section 2", "each processor has exactly three links, whatever the dimension", "3", list(graphs),
                  lambda n: ", ".join(map(str, sorted({degree for _, degree in graphs[n].degree()}))), lambda n: "3",
                  [("n >= 3", lambda n: n >= 3)],
                  evidence="the definition, pair by pair of addresses (for n = 2 the next "
                  "node of the cycle is the previous one too, for n = 1 it is the node itself)")
    yield counted("section 3", "a CCC has 3 n 2^n / 2 links", "3 n 2^n / 2", list(graphs),
                  lambda n: graphs[n].number_of_edges(), lambda n: 3 * n * 2 ** n // 2, [("n >= 3", lambda n: n >= 3)],
                  "the definition, pair by pair of addresses")
    yield counted("section 3", "an n-cube has n 2^n / 2 links", "n 2^n / 2", list(graphs),
                  lambda n: measures.links(_cube(n)), lambda n: n * 2 ** n // 2)
    yield counted("section 3", "for the same dimension CCC has n times the processors and 3 times the links", "n and 3",
                  list(SIZES),
                  lambda n: (_ccc(n).nodes // _cube(n).nodes, measures.links(_ccc(n)) / measures.links(_cube(n))),
                  lambda n: (n, 3))
    ways = {n: [ccc.route(_ccc(n), 0, node) for node in range(_ccc(n).nodes)] for n in SIZES}
    yield counted("algorithm A1",
                  "the routing algorithm brings a message from any source to any destination, as printed",
                  "any", list(SIZES), lambda n: f"undefined for {sum(_undefined(n, way) for way in ways[n])} of "
                  f"{_ccc(n).nodes - 1} destinations", lambda n: f"undefined for 0 of {_ccc(n).nodes - 1} destinations",
                  evidence="A1 has no rule for a message in the right cycle at the wrong position: there is no next "
                           "bit to change; below it takes the shorter way round")
    yield counted("algorithm A1, result 1", "so completed, it brings every message there in 2 n hops", "2 n",
                  list(SIZES),
                  lambda n: max(map(len, ways[n])) - 1, lambda n: 2 * n, [UP_TO_3],
                  "executed from node 0 to all others")
    yield counted("algorithm A1", "its routes are shortest paths (which it does not say, but result 1 is about)",
                  "shortest", list(SIZES),
                  lambda n: _longer(n, ways[n]), lambda n: "0 longer",
                  evidence="executed; the nearest bit first is not always on a shortest path")


def _defined(n):
    """The graph as section 2 defines it, with d = n: no link twice, none from a node to itself."""
    graph = networkx.Graph()
    graph.add_nodes_from((i, j) for i in range(1 << n) for j in range(n))
    for i, j in list(graph):
        graph.add_edge((i, j), (i ^ 1 << j, j))
        graph.add_edges_from(((i, j), (i, m)) for m in range(n) if m != j and abs(j - m) in (1, n - 1))
    return graph


def _undefined(n, way):
    """Whether A1 comes to a node on this way for which it prints no rule."""
    return any(node != way[-1] and node // n == way[-1] // n for node in way)


def _longer(n, ways):
    excess = [len(way) - 1 - hops for way, hops in zip(ways, _ccc(n).distances[0])]
    count = sum(more > 0 for more in excess)
    return f"{count} longer, by up to {max(excess)}" if count else "0 longer"


def _topology():
    """Section 3: bisection, distances, growth, embeddings."""
    yield counted("section 3", "the bisection width of the n-cube is 2^(n-1)", "2^(n-1)", list(range(1, 8)),
                  lambda n: _width(_cube(n)), lambda n: 1 << n - 1,
                  evidence="a cut of the top dimension; no fewer: second "
                  "eigenvalue of the Laplacian")
    yield counted("section 3", "the bisection width of CCC is 2^(d-1) = N / (2 n)", "2^(d-1)", list(SIZES),
                  lambda n: _width(_ccc(n)), lambda n: 1 << n - 1,
                  evidence="a cut of the top dimension; no fewer: N^2 / 4 "
                  "pairs are divided, and shortest paths between all pairs put n N / 2 on no more than every link")
    cubes = [3, 4]
    for network, n in (("3-cube", 3), ("4-cube", 4)):
        text = printed.AVERAGE_DISTANCE[network]
        yield _average(network, text, _cube(n))
    yield counted("section 3", "the average distance in an n-cube is (1 / n) sum of i C(n, i)",
                  "(1 / n) sum of i C(n, i)",
                  cubes, lambda n: str(measures.average_distance(_cube(n))),
                  lambda n: str(Fraction(sum(i * comb(n, i) for i in range(n + 1)), n)),
                  evidence="counted on the graph; the printed sum is 2^(n-1), and there are 2^n - 1 other nodes")
    yield _average("CCC(3,3)", printed.AVERAGE_DISTANCE["CCC(3,3)"], _ccc(3))
    yield counted("section 3", "the diameter of an n-cube is n", "n", list(range(1, 8)),
                  lambda n: measures.diameter(_cube(n)), lambda n: n)
    for where, claim in (("result 1", "no destination is more than 2 n hops away, and some are 2 n"),
                         ("corollary 2", "the diameter of a CCC, and the least depth of a spanning tree, is 2 n")):
        yield counted(where, claim, "2 n", list(SIZES), lambda n: measures.diameter(_ccc(n)), lambda n: 2 * n,
                      [UP_TO_5],
                      "counted on the graph: 2 n + floor(n / 2) - 2 from n = 4 on")
    yield counted("corollary 1",
                  "the node farthest from another has all bits of its cycle number inverted and the same "
                  "position (printed: bit-reversal)", "2 n hops away", list(SIZES),
                  lambda n: f"{_ccc(n).distances[0][((1 << n) - 1) * n]} of {measures.diameter(_ccc(n))} hops",
                  lambda n: f"{measures.diameter(_ccc(n))} of {measures.diameter(_ccc(n))} hops", [UP_TO_5])
    yield counted("corollary 1", "it is the only node so far away", "the node", list(SIZES), _farthest,
                  lambda n: [((1 << n) - 1, 0)], [UP_TO_3], show=lambda n: f"from (0, 0), n = {n}")
    yield counted("corollary 1", "and it is that node if bit-reversal is taken at its word, from (0, 0)", "2 n",
                  list(SIZES),
                  lambda n: _ccc(n).distances[0][int(f"{0:0{n}b}"[::-1], 2) * n], lambda n: 2 * n,
                  evidence="0 reversed is 0: the node itself")
    yield counted("result 2", "a CCC of size n + 1 becomes two of size n if the nodes of the new position are bridged",
                  "two CCCs", [3, 4, 5], lambda n: _bridged(n + 1), lambda n: True)
    yield counted("result 1, proof", "the two smaller CCCs are there as they were, with all their links",
                  "a CCC of size n",
                  [3, 4, 5], lambda n: f"{sum(_lost(n))} of {measures.links(_ccc(n))} links missing",
                  lambda n: f"0 of {measures.links(_ccc(n))} links missing",
                  evidence="the new node opens every cycle: the proof's hops through the old CCC do not all exist")
    yield counted("result 2", "growing does not change what a CCC's nodes have, unlike a cube's: three links each",
                  "3", list(SIZES),
                  lambda n: f"{_ccc(n).degree} and {_ccc(n + 1).degree}, in the cubes {_cube(n).degree} and "
                  f"{_cube(n + 1).degree}", lambda n: f"3 and 3, in the cubes {n} and {n + 1}")
    yield counted("section 3, embeddings",
                  "a hypercube is logically present in a CCC: its cycles, each taken for one node",
                  "the n-cube", [3, 4, 5, 6], lambda n: networkx.utils.graphs_equal(_contracted(n), networkx.Graph(
                      _cube(n).graph.edges())), lambda n: True)
    yield counted("section 3, embeddings",
                  "so all mappings onto the hypercube hold in the CCC by default: adjacent nodes "
                  "are adjacent", "by default", [3, 4, 5, 6],
                  lambda n: f"dilation {1 + n // 2}" if _apart(n) == 1 + n // 2
                  else _apart(n), lambda n: "dilation 1",
                  evidence="hops from the end of one cube link to the far end of "
                  "another at the same cube node, counted: what crosses dimension i and then j walks between them")


def _farthest(n):
    """Cycle and position of the nodes that are farthest from node 0."""
    hops = _ccc(n).distances[0]
    return [divmod(node, n) for node in range(_ccc(n).nodes) if hops[node] == max(hops)]


def _width(topology):
    found = measures.bisection(topology, effort=0)
    return found.width if found.exact else f"{found.at_least} to {found.width}"


def _average(network, text, topology):
    """To the digits that are printed; whether the node itself counts is left open, either may be meant."""
    others = measures.average_distance(topology)
    everybody = others * (topology.nodes - 1) / topology.nodes
    digits = len(text.partition(".")[2])
    holds = any(f"{float(value):.{digits}f}" == text for value in (others, everybody))
    return Row("section 3, Table 2", f"the average distance in {network} is about", text,
               f"{float(others):.3f} = {others}, "
               f"with the node itself {float(everybody):.3f}",
               judge([network], lambda _: holds)[0], "counted on the graph")


def _lost(n):
    """For each link of CCC(n), in order, whether CCC(n + 1) lacks it."""
    larger = _ccc(n + 1).graph
    for u, v in _ccc(n).graph.edges():
        (i, j), (k, m) = divmod(u, n), divmod(v, n)
        yield not larger.has_edge(i * (n + 1) + j, k * (n + 1) + m)


def _bridged(n):
    """Whether CCC(n) without the last position, its neighbours in the cycle joined, is two times CCC(n - 1)."""
    graph = networkx.Graph()
    for u, v in _ccc(n).graph.edges():
        (i, j), (k, m) = divmod(u, n), divmod(v, n)
        if j != n - 1 and m != n - 1:
            graph.add_edge((i, j), (k, m))
    graph.add_edges_from(((i, n - 2), (i, 0)) for i in range(1 << n))
    half = 1 << n - 1
    return all(networkx.utils.graphs_equal(
        networkx.relabel_nodes(graph.subgraph((i, j) for i, j in graph if i // half == top),
                               lambda node: (node[0] % half, node[1])), _defined(n - 1)) for top in (0, 1))


def _contracted(n):
    graph = networkx.Graph()
    graph.add_edges_from((u // n, v // n) for u, v in _ccc(n).graph.edges() if u // n != v // n)
    return graph


def _apart(n):
    """The most hops from arriving at a cycle by one dimension to having left it by another."""
    return 1 + max(_ccc(n).distances[i][j] for i in range(n) for j in range(n))


def _layout():
    """Section 3, VLSI implementation; Table 2's last but three rows: arithmetic, up to a constant factor."""
    sizes = list(range(3, 40))
    nodes = {"hypercube": lambda n: 2 ** n, "CCC": lambda n: n * 2 ** n}
    area = {"hypercube": lambda n, N: N ** 2, "CCC": lambda n, N: N ** 2 / log2(N) ** 2}
    width = {"hypercube": lambda n, N: N / 2, "CCC": lambda n, N: N / (2 * n)}
    for network, text in (("hypercube", "O(N^2)"), ("CCC", "O(N^2 / log^2 N)")):
        yield _order("section 3, Table 2", f"the chip area of the {network} agrees with its bisection width: at least "
                     f"its square (Thompson)", text, sizes,
                     lambda n, network=network: area[network](n, nodes[network](n)),
                     lambda n, network=network: width[network](n, nodes[network](n)) ** 2)
    for measure in ("area", "power"):
        for where, network, text, efficiency in (
                ("section 3", "hypercube", "O(1 / N)", lambda n, N: 1 / N),
                ("section 3, Table 2", "CCC", "O(log^2 N / N)", lambda n, N: log2(N) ** 2 / N),
                ("Table 2", "hypercube", "O(1 / n)", lambda n, N: 1 / n)):
            yield _order(where, f"the {measure} efficiency of the {network}, N processors over the area, is", text,
                         sizes,
                         lambda n, network=network, efficiency=efficiency: efficiency(n, nodes[network](n)),
                         lambda n, network=network: nodes[network](n) / area[network](n, nodes[network](n)))


def _order(where, claim, text, sizes, one, other):
    """An order of growth is an upper bound, or the order itself: there the ratio stays within a constant factor."""
    ratios = [one(n) / other(n) for n in sizes]
    ways = {"upper bound": ratios[-1] / ratios[0] > 1 / 4, "order": max(ratios) / min(ratios) < 4}
    verdict, _ = judge(list(ways), ways.get, [("it is only meant as an upper bound", lambda way: way == "upper bound")])
    return Row(where, claim, text,
               f"printed over computed is {ratios[0]:.3g} for n = {sizes[0]} and {ratios[-1]:.3g} for "
               f"n = {sizes[-1]}", verdict, "arithmetic")


def _faults():
    """Section 4."""
    yield counted("section 4", "an n-cube has n disjoint paths between any two nodes", "n", list(range(1, 8)),
                  lambda n: measures.connectivity(_cube(n)), lambda n: n)
    yield counted("section 4", "h of them are of length h and n - h of length h + 2, where h is their distance",
                  "h, h + 2",
                  [2, 3, 4, 5], lambda n: all(map(_cube_paths, itertools.repeat(n), range(1, 1 << n))), lambda n: True,
                  evidence="the paths, built and compared for all pairs")
    yield counted("result 3", "three disjoint paths join any two nodes of a CCC, for n > 2", "3", [3, 4, 5],
                  lambda n: measures.connectivity(_ccc(n)), lambda n: 3, evidence="counted on the graph (Menger)")
    paths = {n: {node: _three(n, node) for node in range(1, _ccc(n).nodes)} for n in (3, 4, 5, 6)}
    yield counted("result 3, proof", "the paths of the proof are disjoint", "disjoint", list(paths),
                  lambda n: f"for {sum(map(_disjoint, paths[n].values()))} of {len(paths[n])} destinations",
                  lambda n: f"for {len(paths[n])} of {len(paths[n])} destinations",
                  evidence="built as in the proof's example, which comes out as printed: by each of three positions "
                           "first over its link to the other cycle, then clockwise, in the end the shorter way round")
    yield counted("corollary 3", "the paths of the proof are not all of the same length", "never", list(paths),
                  lambda n: f"for {sum(_alike(three) for three in paths[n].values())} of {len(paths[n])}",
                  lambda n: f"for 0 of {len(paths[n])}", evidence="built as above")
    yield counted("corollary 3", "no three disjoint paths that join two nodes are of the same length", "never", [3],
                  lambda n: f"all of the same length for {sum(_equal(n, node) for node in range(1, _ccc(n).nodes))} of "
                  f"{_ccc(n).nodes - 1} destinations", lambda n: f"all of the same length for 0 of {_ccc(n).nodes - 1} "
                  "destinations", evidence="all simple paths of up to 9 hops, searched for three that share no node")


def _cube_paths(n, node):
    """Whether the rotations of the set dimensions, and the same between each other dimension twice, are disjoint."""
    mine = [i for i in range(n) if node >> i & 1]
    orders = [mine[turn:] + mine[:turn] for turn in range(len(mine))]
    orders += [[i, *mine, i] for i in range(n) if i not in mine]
    inner = [[*itertools.accumulate((1 << i for i in order), int.__xor__)][:-1] for order in orders]
    everything = list(itertools.chain(*inner))
    return len(everything) == len(set(everything)) and 0 not in everything and node not in everything


def _three(n, destination):
    """The paths from node 0 as result 3 builds them."""
    paths = []
    for first in (1 % n, 0, n - 1):
        path = [0] if first == 0 else [0, first]
        cycle, position = 1 << first, first
        path.append(cycle * n + position)
        while cycle != destination // n:
            position = (position - 1) % n
            path.append(cycle * n + position)
            if (cycle ^ destination // n) >> position & 1:
                cycle ^= 1 << position
                path.append(cycle * n + position)
        paths.append(path + ccc.route(_ccc(n), path[-1], destination)[1:])
    return paths


def _disjoint(paths):
    inner = list(itertools.chain(*(path[1:-1] for path in paths)))
    ends = {paths[0][0], paths[0][-1]}
    return len(inner) == len(set(inner)) and not ends & set(inner)


def _alike(paths):
    """Whether all paths are of one length."""
    return len(set(map(len, paths))) == 1


def _equal(n, destination):
    """Whether three paths of one length join node 0 to ``destination`` and share no node between."""
    lengths = {}
    for path in networkx.all_simple_paths(networkx.Graph(_ccc(n).graph), 0, destination, cutoff=9):
        lengths.setdefault(len(path), []).append(path)
    for same in lengths.values():
        by_first = {}
        for path in same:
            by_first.setdefault(path[1], []).append(path)
        if len(by_first) == 3 and any(_disjoint(three) for three in itertools.product(*by_first.values())):
            return True
    return False


def _case(n, ports, collective):
    return Case(_ccc(n), ports, collective)


def _cases(ports, collective):
    return [_case(n, ports, collective) for n in SCHEDULED[collective]]


def _value(function):
    return lambda case: function(case.topology.n, case.P)


def _valid(evidence, value):
    """Whether ``value`` is a lower bound: no more than a proven one, and not more than a schedule has steps."""
    def holds(case):
        bound, steps = evidence.known(case)
        return True if value(case) <= bound.steps else False if value(case) > steps else None
    return holds


def _bounds(evidence):
    """Section 5, Table 1 with results 4, 7, 12 and 13: whether they are lower bounds, and whether they are reached."""
    where = {"OAB": "result 4", "AAB": "result 7", "OAS": "result 12", "AAS": "result 13"}
    for collective, cells in printed.TABLE_1.items():
        for ports, (text, function) in cells.items():
            value = _value(function)
            name = f"{CUBE_COLLECTIVES[collective]}, {IO[ports]}"
            yield formula(evidence, f"Table 1, {where[collective]}", f"{name}: a lower bound is", text,
                          _cases(ports, collective), value, _valid(evidence, value))
            def rounded(case, value=value):
                return -int(-value(case) // 1)
            yield formula(evidence, f"Table 1, {where[collective]}", f"{name}: that bound, rounded up, can be reached",
                          text,
                          _cases(ports, collective), rounded, reachable(evidence, rounded),
                          [("n = 3", lambda case: case.topology.n == 3), ("n <= 5", lambda case: case.topology.n <= 5)])
    yield counted("result 12", "a scatter's source sends n - 1 messages, n being the size", "n - 1", list(SIZES),
                  lambda n: _ccc(n).nodes - 1, lambda n: n - 1, evidence="counted; Table 1 has N for n")
    half = {n: n << n - 1 for n in SIZES}
    for reading, power in (("as the paper's text has come to us", lambda a, b: a * b),
                           ("with ** (power) for each *", pow)):
        yield counted("result 13, proof", f"(n 2^(n-1)) * 2 messages cross the cut, {reading}", "(n 2^(n-1)) * 2",
                      list(SIZES),
                      lambda n: half[n] ** 2, lambda n, power=power: power(half[n], 2),
                      evidence="one way: n 2^(n-1) processors on a side have n 2^(n-1) messages each for the other")
        yield counted("result 13, proof", f"so it takes 2^(n-1) (n * 2) = N n / 2 steps, {reading}", "2^(n-1) (n * 2)",
                      list(SIZES), lambda n: half[n] ** 2 >> n - 1, lambda n, power=power: power(n, 2) << n - 1,
                      evidence="the messages of one way, over 2^(n-1) links: it is N n / 2")


def _executed(evidence, where, claim, text, ports, collective, make, target, sizes=(3, 4, 5), conditions=()):
    """The row of an algorithm that is executed as printed: steps against a target, or why it is no such collective."""
    steps, texts, files = {}, {}, []
    root = None if collective in ("AAB", "AAS") else 0
    for n in sizes:
        schedule = Schedule.from_moves(_ccc(n), ports, collective, root, make(_ccc(n)))
        try:
            steps[n] = check(schedule).steps
            texts[n] = f"{steps[n]} steps"
            if n < 6:
                texts[n] += f" where {evidence.text(_case(n, ports, collective))} are enough"
            if n == 3:
                files.append(evidence.keep(f"{where.split(',')[0].split()[-1]}-{_case(n, ports, collective).name}",
                                           schedule))
        except ScheduleError as error:
            steps[n] = None
            texts[n] = f"no {CUBE_COLLECTIVES[collective]}: {error}"
    verdict, failing = judge(list(sizes), lambda n: steps[n] is not None and (target is None or steps[n] <= target(n)),
                             conditions)
    shown = failing or sizes[0]
    return Row(where, claim, text, "; ".join(f"n = {n}: {result}" for n, result in texts.items()), verdict,
               f"{', '.join(files) or 'executed'}; fewest known: {evidence.schedule(_case(shown, ports, collective))}",
               "; ".join(f"n = {n}: {evidence.text(_case(n, ports, collective))}" for n in sizes if n < 6))


def _broadcasts(evidence):
    """Results 5 and 6: algorithms A2 and A3."""
    sizes = (3, 4, 5, 6, 7)
    for where, claim, ports, both in (
            ("algorithm A2", "left OR right, as printed, left everywhere: all nodes receive the message", "1", False),
            ("algorithm A2, result 5",
             "left AND right, as its proof says, in the best of 100 orders: all nodes receive the message", "1", True),
            ("algorithm A3, result 6", "all nodes receive the message", "d", True)):
        yield _executed(evidence, where, claim, "all", ports, "OAB",
                        lambda topology, ports=ports, both=both: _best_broadcast(topology, ports, both), None, sizes,
                        [UP_TO_3])
        if both:
            yield _executed(evidence, where, "it takes 2 n steps, the lower bound", "2 n", ports, "OAB",
                            lambda topology, ports=ports: _best_broadcast(topology, ports, True), lambda n: 2 * n,
                            sizes,
                            [UP_TO_3])
    for ports in "1d":
        value = _value(lambda n, N: 2 * n)
        yield formula(evidence, f"result {5 if ports == '1' else 6}",
                      f"the bound 2 n is reached by some algorithm, {IO[ports]}",
                      "2 n", _cases(ports, "OAB"), value, optimal(evidence, value),
                      [("n = 3", lambda case: case.topology.n == 3), ("n <= 5", lambda case: case.topology.n <= 5)])


@cache
def _best_broadcast(topology, ports, both):
    """The moves of A2 or A3 that bring the message to most, soonest: A2 leaves open whether left or right is first."""
    tries = (ccc.broadcast(topology, ports, both=both, seed=seed) for seed in range(ORDERS if ports == "1" else 1))
    return min(tries, key=lambda moves: (-len(moves), moves[-1][0]))


def _rings(evidence):
    """Results 8 to 10, corollary 4."""
    files = {n: evidence.keep(f"ring-ccc-n{n}", _walk(n, _ring(n, twice=True))) for n in (4, 5)}
    yield counted("result 8", "a simple ring through all nodes must change neighbouring dimensions one after the other, "
                  "since it must cross each cycle at once", "required, n > 3", [4, 5],
                  lambda n: f"a ring of {_ccc(n).nodes} nodes comes to cycle 0 twice" if files[n] else "none",
                  lambda n: "none",
                  evidence=f"{', '.join(files.values())}: a broadcast that goes round such a ring but for its "
                  "last link; found by search")
    yield counted("result 8", "for n = 3 any dimensions will do", "any", [3],
                  lambda n: all((a - b) % n in (1, n - 1) for a, b in itertools.permutations(range(n), 2)),
                  lambda n: True,
                  evidence="any two of three positions are neighbours")
    yield counted("corollary 4", "the reflected Gray code changes dimensions that are not neighbours, from n = 4 on",
                  "0, 2",
                  [4, 5, 6, 7], lambda n: _not_neighbours(n)[0], lambda n: (0, 2),
                  evidence="counted (the paper refers to "
                  "condition 2 of result 11; it is in result 8)")
    sizes = list(range(3, 8))
    found = {n: ccc.rings(_ccc(n)) for n in sizes}
    yield counted("result 9", "a ring can have at least two nodes of each cycle", "2", sizes,
                  lambda n: min(sum(node // n == cycle for node in found[n][0]) for cycle in range(1 << n)) >= 2,
                  lambda n: True, evidence="the rings of A4, each node once, each link there")
    yield counted("result 10", "partial rings together include all processors", "all", sizes,
                  lambda n: len(set(found[n][0]) | set(found[n][1])), lambda n: n << n, evidence="the two rings of A4")


def _ring(n, twice):
    """A ring through all nodes, found by search; with ``twice`` one that comes to cycle 0 more than once."""
    model = cp_model.CpModel()
    arcs = {(u, v): model.new_bool_var("") for u, v in networkx.Graph(_ccc(n).graph).to_directed().edges()}
    model.add_circuit([(u, v, taken) for (u, v), taken in arcs.items()])
    if twice:
        model.add(sum(taken for (u, v), taken in arcs.items() if (u // n == 0) != (v // n == 0)) >= 4)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = 60
    if solve(solver, model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    after = {u: v for (u, v), taken in arcs.items() if solver.boolean_value(taken)}
    ring = [0]
    while after[ring[-1]] != 0:
        ring.append(after[ring[-1]])
    return ring


def _walk(n, ring):
    return Schedule.from_moves(_ccc(n), "1", "OAB", 0, [Move(step, u, v, Message(0, None)) for step, (u, v) in enumerate(
        zip(ring, ring[1:]), start=1)])


def _not_neighbours(n):
    codes = [number ^ number >> 1 for number in range(1 << n)]
    changes = [(a ^ b).bit_length() - 1 for a, b in itertools.pairwise(codes)]
    return [pair for pair in itertools.pairwise(changes) if abs(pair[0] - pair[1]) not in (1, n - 1)]


def _multinode(evidence):
    """Algorithm A4 with result 11."""
    sizes = (3, 4, 5)
    yield _executed(evidence, "algorithm A4, result 11", "it implements a multinode broadcast", "correct", "1", "AAB",
                    lambda topology: ccc.multinode_broadcast(topology)[0], None, sizes)
    splits = [(n, r) for n in range(3, 33) for r in range(2, n + 1)]

    def parts(n, r):
        return r + Fraction(r - 2, 2) * (n - r + 2) + Fraction(n - r, 2) * r

    yield arithmetic("result 11, proof", "the three parts add up to [r / 2 + (n - r + 1)(r - 1) + 1 / 2] 2^n",
                     "[r / 2 + (n - r + 1)(r - 1) + 1 / 2] 2^n", splits,
                     lambda split: parts(*split) == Fraction(split[1], 2) + (split[0] - split[1] + 1) * (split[1] - 1)
                     + Fraction(1, 2), [("r = 3", lambda split: split[1] == 3)], "the sum is (r - 1)(n - r + 2) 2^n",
                     show=lambda split: f"n = {split[0]}, r = {split[1]}: {parts(*split)}, times 2^n")
    halves = list(range(4, 33, 2))
    for name, function in (("the printed sum", lambda n: Fraction(n, 4) + (Fraction(n, 2) + 1) * (Fraction(n, 2) - 1)
                            + Fraction(1, 2)), ("the sum of the three parts", lambda n: parts(n, n // 2))):
        yield arithmetic("result 11, proof", f"with r = n / 2, {name} is [n^2 / 4 + n / 2 + 1] 2^n",
                         "[n^2 / 4 + n / 2 + 1] 2^n",
                         halves, lambda n, function=function: function(n) == Fraction(n * n, 4) + Fraction(n, 2) + 1,
                         show=lambda n, function=function: f"n = {n}: {function(n)}, not {n * n // 4 + n // 2 + 1}")
    wide = list(range(4, 64, 2))
    yield _order("result 11", "it takes O(n^2 N) steps: the order of what its proof derives", "O(n^2 N)", wide,
                 lambda n: n ** 3 * 2 ** n, lambda n: float(parts(n, n // 2)) * 2 ** n)
    yield _order("result 11, proof", "it takes O(n N) steps: the order of what is derived", "O(n N)", wide,
                 lambda n: n ** 2 * 2 ** n, lambda n: float(parts(n, n // 2)) * 2 ** n)
    executed = {n: ccc.multinode_broadcast(_ccc(n))[1][-1] for n in (3, 4, 5, 6)}
    sums = {n: _expected(n, parts) for n in executed}
    verdict, _ = judge(list(executed),
                       lambda n: sums[n] >= executed[n] or (None if sums[n] >= 2 * (n << n) - 2 else False))
    yield Row("result 11, proof", "the three parts, with r as it is on average in the rings, are what A4 takes",
              "their sum",
              "; ".join(f"n = {n}: {float(sums[n]):g}, executed {executed[n]}" for n in executed), verdict,
              "no reading takes fewer than 2 N - 2, one phase after the other: R - 1 for the R nodes of the first ring, "
              "N - 1 since a node on the second ring only receives everything in this phase, N - R for the rest")


def _expected(n, parts):
    ring = ccc.rings(_ccc(n))[0]
    return parts(n, Fraction(len(ring), 1 << n)) * (1 << n)


def _scatters(evidence):
    """Algorithms A5 and A6."""
    yield _executed(evidence, "algorithm A5", "it is a scatter in N - 1 steps, the lower bound for single I/O",
                    "N - 1", "1",
                    "OAS", lambda topology: ccc.scatter_by_route(topology, "1"), lambda n: (n << n) - 1)
    yield _executed(evidence, "algorithm A6", "it is a scatter: every node receives its message", "a scatter", "d",
                    "OAS",
                    lambda topology: ccc.scatter_on_tree(topology, "d"), None, conditions=[UP_TO_3])


def _exchange(evidence):
    """Algorithm A7."""
    yield _executed(evidence, "algorithm A7", "it is a total exchange", "a total exchange", "d", "AAS",
                    lambda topology: ccc.total_exchange(topology, "d"), None, (3, 4))


def _table_2(evidence):
    """Table 2 and section 7."""
    table = printed.TABLE_2
    cubes = [_cube(n) for n in range(3, 6)]

    def of_cube(topology):
        return f"{topology.d}-cube"

    yield counted("Table 2", "relative number of links for the same dimension, hypercube : CCC",
                  "{} : {}".format(*table["links"]),
                  list(SIZES), lambda n: str(Fraction(measures.links(_cube(n)), measures.links(_ccc(n)))),
                  lambda n: str(Fraction(*table["links"])), evidence="counted on the graph; section 3 has it right")
    yield counted("Table 2", "relative number of nodes for the same dimension, hypercube : CCC",
                  " : ".join(text for text, _ in table["nodes"]), list(SIZES),
                  lambda n: str(Fraction(_cube(n).nodes, _ccc(n).nodes)),
                  lambda n: str(Fraction(table["nodes"][0][1](n), table["nodes"][1][1](n))))
    for key, claim, measure in (("bisection", "bisection width", _width), ("diameter", "diameter", measures.diameter),
                                ("paths", "redundant paths", measures.connectivity)):
        for network, topologies, (text, function) in (("hypercube", cubes, table[key][0]),
                                                      ("CCC", [_ccc(n) for n in (3, 4, 5, 6)], table[key][1])):
            yield counted("Table 2", f"{claim} of the {network}", text, topologies, measure,
                          lambda topology, function=function: function(_size(topology), topology.nodes),
                          [("n <= 5", lambda topology: _size(topology) <= 5)],
                          show=lambda topology: f"n = {_size(topology)}")
    yield counted("Table 2", "the hypercube is not inductive: it is not made of two smaller ones", "Not inductive",
                  cubes,
                  lambda cube: "not" if not _halves(cube) else "made of two", lambda cube: "not",
                  evidence="counted on the graph, and said so in section 3 (what changes are the links of a node); a CCC "
                           "is made of two smaller ones only if their cycles are opened, see result 2", show=of_cube)
    for collective in CUBE_COLLECTIVES:
        text, function = table[collective][0]
        cases = [Case(cube, "d", collective) for cube in cubes]

        def value(case, function=function):
            return -int(-function(case.topology.d, case.P) // 1)
        yield formula(evidence, "Table 2",
                      f"hypercube: {CUBE_COLLECTIVES[collective]} takes at least, rounded up, and can be "
                      "done in", text, cases, value, optimal(evidence, value))
    for collective in CUBE_COLLECTIVES:
        text, function = table[collective][1]
        value = _value(lambda n, N, function=function: -int(-function(n, N) // 1))
        yield formula(evidence, "Table 2",
                      f"CCC: {CUBE_COLLECTIVES[collective]} takes at least, rounded up, and can be done in",
                      text, _cases("d", collective), value, optimal(evidence, value),
                      [("n <= 5", lambda case: case.topology.n <= 5)])
    lower = {collective: [float(table[collective][1][1](n, N) / table[collective][0][1](m, N)) / (m / 3)
                          for n, m, N in [(n, log2(n << n),
                                           n << n) for n in (4, 8, 16)]] for collective in CUBE_COLLECTIVES}
    yield counted("section 7",
                  "in most cases the bounds of the hypercube are lower by a factor of n / 3 (for as many nodes, "
                  "n being the hypercube's)", "most of 4", ["of 4"], lambda _: sum(
                      all(abs(ratio - 1) < 1e-9 for ratio in ratios) for ratios in lower.values()), lambda _: 3,
                  evidence="Table 2's formulas divided for CCC(4), CCC(8), CCC(16): multinode broadcast and scatter; "
                           "broadcast about 2, total exchange the CCC's n", show=str)
    yield counted("section 7", "the bisection width is a factor of n less than that of a hypercube with as many nodes",
                  "n", list(SIZES), lambda n: str(Fraction(n << n, 2) / _width(_ccc(n))), str,
                  evidence="N / 2, the hypercube's formula, over what is counted on the CCC")


def _size(topology):
    return topology.degree if isinstance(topology, Hypercube) else topology.n


def _halves(cube):
    """Whether both halves of a cube are smaller cubes, with all their links."""
    half = cube.nodes // 2
    smaller = networkx.Graph(Hypercube(cube.degree - 1).graph.edges())
    return all(networkx.utils.graphs_equal(networkx.relabel_nodes(
        networkx.Graph(cube.graph.edges()).subgraph(range(top * half, (top + 1) * half)), lambda node: node % half),
        smaller)
        for top in (0, 1))
