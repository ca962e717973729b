"""The search for a permutation of nodes that reverses all links, on graphs for which no formula gives one."""

from collections.abc import Iterator, Sequence

from fatcube.noc.topology import Topology

__all__ = ["MOST_NODES", "reversing"]


MOST_NODES = 64
_MOST_TRIED = 100_000  # images of nodes


def reversing(topology: Topology) -> Sequence[int] | None:
    """A permutation that is its own inverse and reverses every link, as the image of every node; ``None`` if none is found.

    A node and its image have equal numbers of processors. The search is a backtracking search: it proceeds from nodes that
    have an image to adjacent nodes, and gives each node the first image for which all links between these nodes are
    reversed; if there is no such image, the previous node gets its next one. The search is not made on more than 64 nodes,
    and ends after 100,000 images.
    """
    if topology.nodes > MOST_NODES:
        return None
    search = _Search(topology)
    return search.images if any(True for _ in search.found(0)) else None


class _Search:
    """The state of the search: the images assigned to nodes so far."""

    def __init__(self, topology: Topology) -> None:
        nodes = range(topology.nodes)
        self._links = [[len(topology.channels_between(node, other)) for other in nodes] for node in nodes]
        self._order = _by_links(self._links)
        there, back = _colours(self._links, [len(topology.processors_of(node)) for node in nodes])
        self._candidates = [[other for other in nodes if there[node] == back[other]] for node in nodes]
        self.images = [-1] * topology.nodes
        self._left = _MOST_TRIED

    def found(self, done: int) -> Iterator[None]:
        """Yield for each complete assignment; the first ``done`` nodes of the order already have images."""
        while done < len(self._order) and self.images[self._order[done]] >= 0:
            done += 1
        if done == len(self._order):
            yield
            return
        node = self._order[done]
        for image in self._candidates[node]:
            self._left -= 1
            if self._left < 0:
                return
            if self.images[image] < 0:
                self.images[node], self.images[image] = image, node
                if self._fits(node) and self._fits(image):
                    yield from self.found(done + 1)
                self.images[node] = self.images[image] = -1

    def _fits(self, node: int) -> bool:
        links, image = self._links, self.images[node]
        return all(
            links[node][other] == links[seen][image] and links[other][node] == links[image][seen]
            for other, seen in enumerate(self.images)
            if seen >= 0
        )


def _by_links(links: Sequence[Sequence[int]]) -> list[int]:
    """The nodes in an order in which each node except the first is adjacent to an earlier one."""
    order = [0]
    for node in order:
        order += [
            other for other in range(len(links)) if other not in order and (links[node][other] or links[other][node])
        ]
    return order


def _colours(links: Sequence[Sequence[int]], processors: Sequence[int]) -> tuple[list[int], list[int]]:
    """Colours of nodes on the graph and on the reversed graph; a node's colour on one is its image's colour on the other."""
    nodes = range(len(links))
    back = [[links[other][node] for other in nodes] for node in nodes]
    colours = [list(processors), list(processors)]
    for _ in nodes:
        numbers: dict[object, int] = {}
        found = []
        for colour, out, into in ((colours[0], links, back), (colours[1], back, links)):
            looks = [
                (
                    colour[node],
                    *(tuple(sorted((row[node][other], colour[other]) for other in nodes)) for row in (out, into)),
                )
                for node in nodes
            ]
            found.append([numbers.setdefault(look, len(numbers)) for look in looks])
        if all(len(set(new)) == len(set(old)) for new, old in zip(found, colours)):
            break
        colours = found
    return colours[0], colours[1]
