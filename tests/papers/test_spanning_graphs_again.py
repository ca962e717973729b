"""Ten doubtful verdicts on the spanning-graphs paper, chosen by nobody, derived a second time from the definitions.

Nothing here comes from the audit's own counts and executions: graphs are built from the printed definitions, and a time
is added up cycle by cycle, the largest packet of each.
"""

from fractions import Fraction
from functools import partial
from itertools import pairwise
import json
from math import ceil, comb, log2, pi, sqrt
from pathlib import Path
from types import SimpleNamespace

import networkx
import pytest

from fatcube.papers.evidence import Evidence
from fatcube.papers.spanning_graphs.claims import PAPER
from fatcube.schedules.spanning.graphs import spanning_graph
from tests.support.audits import chosen

STORED = Path(__file__).parents[2] / "synth_reports" / "spanning-graphs.json"


def about(found, printed):
    return abs(printed - found) <= printed / 10


def rotations(address, n):
    """The right rotations of an address, by their number of steps."""
    return [(address >> steps | address << n - steps) % (1 << n) for steps in range(n)]


def bits_to_the_right(address, j, n):
    """The position of the first 1 cyclically to the right of bit j."""
    return next(bit for bit in [(j - step) % n for step in range(1, n + 1)] if address >> bit & 1)


def ports_of_a_subtree(n):
    """Children per node of the SBnT, from its base and its parent's function."""
    children = dict.fromkeys(range(1 << n), 0)
    for node in range(1, 1 << n):
        turned = rotations(node, n)
        base = turned.index(min(turned))
        children[node ^ 1 << bits_to_the_right(node, base, n)] += 1
    return max(count for node, count in children.items() if node) <= n - 3


def height_of_nESBT(n):
    """The longest path of any of its trees, from the parent's function."""
    height = 0
    for tree in range(n):
        for node in range(1, 1 << n):
            steps = 0
            while node:
                node ^= 1 << (bits_to_the_right(node, tree, n) if node >> tree & 1 else tree)
                steps += 1
            height = max(height, steps)
    return height


def ratio_n_port_nRSBT_large_tau(n):
    """Where a start-up is all that counts, every tree sends one packet, and the height is the time."""
    other = height_of_nESBT(n) if n < 8 else n + 1
    return about(Fraction(n, other), 1)


def packets(M, B):
    """The sizes of the packets of M elements."""
    return [min(B, M - first) for first in range(0, M, B)]


def cost(cycles):
    """Start-ups and elements of cycles, each a list of the sizes of its packets."""
    return len(cycles), sum(map(max, cycles))


def pipelined(sizes, height, apart):
    """Cycles of packets that start so many cycles apart and cross an edge in every cycle."""
    last = apart * (len(sizes) - 1) + height
    return [[size for p, size in enumerate(sizes) if 0 <= cycle - apart * p < height] for cycle in range(last)]


def labels(n, tree):
    """The labels of a tree of the nESBT (theorem 4.1)."""
    found = set()
    for node in range(1, 1 << n):
        k = bits_to_the_right(node, tree, n)
        found.add(tree + n if not node >> tree & 1 else k if k >= tree else k + n)
    return found


def by_labels(sizes, n):
    """Cycles of a one-port broadcast along the nESBT, its packets dealt to the trees."""
    cycles = {}
    for p, size in enumerate(sizes):
        for label in labels(n, p % n):
            cycles.setdefault(label + n * (p // n), []).append(size)
    return [cycles[cycle] for cycle in sorted(cycles)]


def best_near(B_opt, M, tau, time):
    """Whether a whole number next to B_opt takes as little time as any."""
    times = {B: startups * tau + elements for B in range(1, M + 1) for startups, elements in [time(min(B, M))]}
    below = max(1, int(B_opt))
    return min(times[min(B, M)] for B in (below, below + 1)) == min(times.values())


def best_packet_nESBT_one(n, M, B_opt, tau):
    assert tau == Fraction(B_opt) ** 2 * n / M
    return best_near(B_opt, M, tau, lambda B: cost(by_labels(packets(M, B), n)))


def best_packet_BRG_one(n, M, B_opt, tau):
    """One port: a node receives in a cycle and sends on in the next, so packets are two cycles apart."""
    N = 1 << n
    assert tau == Fraction(B_opt) ** 2 * (N - 3) / (2 * M)
    return best_near(B_opt, M, tau, lambda B: cost(pipelined(packets(M, B), N - 1, 2)))


def best_packet_TCBT_n(n, M, B_opt, tau):
    assert tau == Fraction(B_opt) ** 2 * (n - 1) / M
    return best_near(B_opt, M, tau, lambda B: cost(pipelined(packets(M, B), n, 1)))


def nESBT_is_the_best_n_port(n, M, tau):
    """Least times over all B: edge-disjoint trees are pipelined, and rotated ones go in phases."""

    def least(time):
        return min(startups * tau + elements for B in range(1, M + 1) for startups, elements in [time(B)])

    share = M // n
    mine = least(lambda B: cost(pipelined(packets(share, B), n + 1, 1)))
    tree = least(lambda B: cost(pipelined(packets(M, B), n, 1)))  # SBT, and TCBT of the same height
    rotated = least(lambda B: (n * ceil(share / B), n * share))
    paths = least(lambda B: (((1 << n) - 1) * ceil(share / B), ((1 << n) - 1) * share))
    return mine <= min(tree, rotated, paths)


def attained_or_beaten(mine, others, proven):
    """True if it is the proven bound, False if another routing takes less, and else not decided."""
    return True if mine == proven else False if min(others) < mine else None


def lowest_one_to_all_broadcasting_n_port(n, M, tau):
    """The farthest node is n hops away; then it receives M elements on n ports."""

    def least(time):
        return min(startups * tau + elements for B in range(1, M + 1) for startups, elements in [time(B)])

    share = M // n
    mine = least(lambda B: cost(pipelined(packets(share, B), n + 1, 1)))
    tree = least(lambda B: cost(pipelined(packets(M, B), n, 1)))  # SBT, and TCBT of the same height
    rotated = least(lambda B: (n * ceil(share / B), n * share))
    paths = least(lambda B: (((1 << n) - 1) * ceil(share / B), ((1 << n) - 1) * share))
    return attained_or_beaten(mine, (tree, rotated, paths), n * tau + n - 1 + share)


def lowest_one_to_all_broadcasting_one_port(n, M, tau):
    """One port: SBT takes n cycles for each packet, a path two cycles, and TCBT three; nRSBT takes more than SBT."""

    def least(time):
        return min(startups * tau + elements for B in range(1, M + 1) for startups, elements in [time(B)])

    mine = least(lambda B: cost(by_labels(packets(M, B), n)))
    tree = least(lambda B: (n * ceil(M / B), n * M))
    path = least(lambda B: cost(pipelined(packets(M, B), (1 << n) - 1, 2)))
    two_rooted = least(lambda B: cost(pipelined(packets(M, B), 2 * n - 2, 3)))
    return attained_or_beaten(mine, (tree, path, two_rooted), n * tau + n - 1 + M)


def startups_of_two_rooted_tree(n):
    """The shortest sequence of dimensions of which the way to every node of the embedded tree is a part."""
    tree = spanning_graph("tcbt", n)
    above = {node: tree.parent(node) for node in range(1, 1 << n)}
    served, cycles = {frozenset({0})}, 0
    while not any(len(nodes) == 1 << n for nodes in served):
        cycles += 1
        served = {
            nodes | {node for node, parent in above.items() if parent in nodes and node ^ parent == 1 << d}
            for nodes in served
            for d in range(n)
        }
    return cycles > 2 * n - 2


def startups_of_packets_above_M(n, M, B):
    """The source serves subtrees of N/2, N/4, ..., 1 nodes, and what it has served does so at the same time."""
    found = sum(ceil(Fraction(M << i, B)) for i in range(n))
    return about(found, (M << n) / B + log2(B // M) - 1)


def factor_of_nRBRG_n_port(n):
    """All hops of N - 1 targets on a path, spread over n dimensions, against those of shortest ways."""
    nodes = range(1 << n) if n < 12 else []
    hops = sum(nodes) if nodes else (1 << n) * ((1 << n) - 1) // 2
    shortest = sum(node.bit_count() for node in nodes) if nodes else n << n - 1
    return about(Fraction(hops, shortest), Fraction(1 << n, n))


def startups_of_small_packets(n, M, B):
    """In every cycle one dimension: all of the trees that have begun and not ended use it, for half of the nodes."""
    half = sum(node & 1 for node in range(1 << n))
    active = [sum(tree <= cycle < tree + n for tree in range(n)) for cycle in range(2 * n - 1)]
    rotated = sum(ceil(Fraction(trees * half * M, n * B)) for trees in active)
    return rotated == n * ceil(Fraction(half * M, B))


def complete_tree(nodes, phase, sent):
    """Elements that are sent in each phase below the root of a complete binary tree, which receives in ``phase``."""
    if nodes > 1:
        for later in (1, 2):
            sent.setdefault(phase + later, []).append(nodes // 2)
            complete_tree(nodes // 2, phase + later, sent)


def slow_down_of_two_rooted_tree(n):
    """The source sends N/2 to the other root, then N/2 - 1 to its tree, while the other root does the same."""
    half = 1 << n - 1
    sent = {0: [half], 1: [half - 1, half - 1]}
    complete_tree(half - 1, 1, sent)
    return about(Fraction(sum(map(max, sent.values())), (1 << n) - 1), 2)


def balanced_startups(n):
    """SBnT, n-port, B = M: level by level 1/n of the nodes by each port."""
    return sum(ceil(Fraction(comb(n, i), n)) for i in range(1, n + 1))


def startups_to_SBnT_TCBT(n):
    """Levels behind the source's two edges, the farthest first; the tree of the other root is one level deeper."""
    other, own = [1, *(1 << l for l in range(n - 1))], [1 << l for l in range(n - 1)]
    found = sum(max(pair) for pair in zip(reversed(other), [0, *reversed(own)]))
    return about(Fraction(found, balanced_startups(n)), Fraction(3 * n, 4))


def startups_to_SBnT_SBT(n):
    return about(Fraction(sum(comb(n - 1, i) for i in range(n)), balanced_startups(n)), Fraction(n, 2))


def binomial_tree_attains_the_bound(n, M, B):
    half = sum(node & 1 for node in range(1 << n)) * M
    return n * ceil(Fraction(half, B)) == Fraction(n * half, B)


def complete_tree_cannot_be_embedded(n):
    """Neighbours differ in parity, so the levels of the tree alternate between halves of N/2 nodes."""
    tree = networkx.full_rary_tree(2, (1 << n) - 1)
    level = networkx.single_source_shortest_path_length(tree, 0)
    odd = sum(depth % 2 for depth in level.values())
    return max(odd, len(level) - odd) > 1 << n - 1


def largest_level(n, M):
    """The largest level of a greedy graph, spread over n ports."""
    levels = [comb(n, l) for l in range(n + 1)]
    assert all(one <= other for one, other in pairwise(levels[: n // 2 + 1]))
    return about(Fraction(max(levels) * M, n), sqrt(2 / pi) * M * 2**n / n**1.5)


def best(cycles, M, tau):
    """Start-ups and elements of the packet size that takes the least time."""
    return min((cost(cycles(B)) for B in range(1, M + 1)), key=lambda price: price[0] * tau + price[1])


def pipelines(n, M):
    """By graph and ports, the cycles of packets of at most B elements."""
    N = 1 << n
    return {
        "BRG, one-port": lambda B: pipelined(packets(M, B), N - 1, 2),
        "SBT, one-port": lambda B: [[size] for size in packets(M, B) for _ in range(n)],
        "TCBT, one-port": lambda B: pipelined(packets(M, B), 2 * n - 2, 3),
        "nESBT, one-port": lambda B: by_labels(packets(M, B), n),
        "SBT, n-port": lambda B: pipelined(packets(M, B), n, 1),
        "TCBT, n-port": lambda B: pipelined(packets(M, B), n, 1),
        "nESBT, n-port": lambda B: pipelined(packets(M // n, B), n + 1, 1),
    }


def startups_with_best_packets(run, n, M, tau):
    """At most 5 n, or 5 N along the path."""
    startups, _ = best(pipelines(n, M)[run], M, tau)
    return startups <= 5 * (1 << n if "BRG" in run else n)


def bandwidth_with_best_packets(graph, n, M, tau):
    one, many = (best(pipelines(n, M)[f"{graph}, {ports}"], M, tau)[1] for ports in ("one-port", "n-port"))
    return about(Fraction(one, many), Fraction(3 if graph == "TCBT" else n))


def rounds_of_nRBRG(n):
    """Whether a directed link is in two of the paths, each the Gray code with its dimensions rotated."""
    used = []
    for turn in range(n):
        dimensions = [((place & -place).bit_length() - 1 + turn) % n for place in range(1, 1 << n)]
        node = 0
        for dimension in dimensions:
            used.append((node, node ^ 1 << dimension))
            node ^= 1 << dimension
    return len(set(used)) < len(used)


AGAIN = {
    "rounds_of_nRBRG": rounds_of_nRBRG,
    **{
        f"startups_with_best_packets_{run.replace(', ', '_').replace('-', '_')}": partial(
            startups_with_best_packets, run
        )
        for run in pipelines(2, 1)
        if run != "SBT, one-port"
    },
    **{
        f"bandwidth_with_best_packets_{graph}": partial(bandwidth_with_best_packets, graph)
        for graph in ("SBT", "nESBT", "TCBT")
    },
    "ports_of_a_subtree": ports_of_a_subtree,
    "ratio_n_port_nRSBT_large_tau": ratio_n_port_nRSBT_large_tau,
    "best_packet_nESBT_one": best_packet_nESBT_one,
    "best_packet_BRG_one": best_packet_BRG_one,
    "best_packet_TCBT_n": best_packet_TCBT_n,
    "best_packet_SBT_n": best_packet_TCBT_n,
    "nESBT_is_the_best_n_port": nESBT_is_the_best_n_port,
    "lowest_one_to_all_broadcasting_n_port": lowest_one_to_all_broadcasting_n_port,
    "lowest_one_to_all_broadcasting_one_port": lowest_one_to_all_broadcasting_one_port,
    "startups_of_two_rooted_tree": startups_of_two_rooted_tree,
    "startups_of_packets_above_M": startups_of_packets_above_M,
    "factor_of_nRBRG_n_port": factor_of_nRBRG_n_port,
    "startups_of_small_packets": startups_of_small_packets,
    "slow_down_of_two_rooted_tree": slow_down_of_two_rooted_tree,
    "startups_to_SBnT_TCBT": startups_to_SBnT_TCBT,
    "startups_to_SBnT_SBT": startups_to_SBnT_SBT,
    "binomial_tree_attains_the_bound": binomial_tree_attains_the_bound,
    "complete_tree_cannot_be_embedded": complete_tree_cannot_be_embedded,
    "packet_9_SBnT_n_port_meant": largest_level,
}


def stored():
    return [SimpleNamespace(**row) for row in json.loads(STORED.read_text())]


def test_ten_are_chosen():
    assert len({row.name for row in chosen(stored())} & AGAIN.keys()) == 10


@pytest.mark.parametrize("name", AGAIN)
def test_again(name, tmp_path):
    """In every case the second derivation says what the audit says, which is what is stored."""
    [kept] = [row for row in stored() if row.name == name]
    claim = PAPER.find(name)
    cases = list(claim.cases(Evidence(tmp_path)))
    assert [one.holds for one in cases] == [AGAIN[name](**one.given) for one in cases]
    assert False in {one.holds for one in cases} and len({one.holds for one in cases}) > 1
    assert claim.row(Evidence(tmp_path)).verdict == kept.verdict
