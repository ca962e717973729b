"""Step models: their order, their words, and the checker's rules of each, held against the rules written again."""

import itertools
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.orientation import lanes_leaving, oriented
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.schedules.checker import Checked, ScheduleError, check
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.schedule_file import schedule_from_json, schedule_to_json
from fatcube.schedules.step_model import STANDARD, StepModel, check_ways
from tests.support.networks import HUB

LINKS = ("simplex", "half-duplex", "full-duplex")
MODELS = [
    StepModel(transfers=transfers, links=links, per_packet=per_packet, port_use=port_use, dedicated_ports=dedicated)
    for transfers in ("adjacent", "direct")
    for links in LINKS
    for per_packet in (1, 3, "unlimited")
    for port_use in ("send-and-receive", "one-partner", "send-or-receive")
    for dedicated in (False, True)
]


def wider(one, other):
    """Whether ``other`` allows all that ``one`` does, by tables of what is no narrower than what."""
    return (
        other.transfers in {"adjacent": ("adjacent", "direct"), "direct": ("direct",)}[one.transfers]
        and LINKS.index(other.links) >= LINKS.index(one.links)
        and other.per_packet
        in {1: (1, 3, "unlimited"), 3: (3, "unlimited"), "unlimited": ("unlimited",)}[one.per_packet]
        and other.port_use in (one.port_use, "send-and-receive")
        and (one.dedicated_ports or not other.dedicated_ports)
    )


class TestOrder:
    def test_is_that_of_each_field(self):
        for one, other in itertools.product(MODELS, repeat=2):
            assert (one <= other) is wider(one, other), (one, other)
            assert (other >= one) is wider(one, other)

    def test_meet(self):
        """The widest of all that are narrower than both, where there is any."""
        for one, other in itertools.product(MODELS[::3], MODELS[::2]):
            below = [model for model in MODELS if model <= one and model <= other]
            if {one.port_use, other.port_use} == {"one-partner", "send-or-receive"}:
                with pytest.raises(ParameterError, match=f"^port_use must be {one.port_use} or send-and-receive, not "):
                    one.meet(other)
            else:
                assert one.meet(other) in below
                assert all(model <= one.meet(other) for model in below)

    def test_words(self):
        assert str(STANDARD) == "" and STANDARD.to_file() == {}
        model = StepModel(
            transfers="direct", links="simplex", per_packet=4, port_use="one-partner", dedicated_ports=True
        )
        assert str(model) == "direct, simplex, 4 messages per packet, one-partner, dedicated-ports"
        assert StepModel(per_packet="4") == StepModel(per_packet=4)
        assert model.with_given(StepModel(links="half-duplex")) == model.changed(links="half-duplex")


class TestOrientation:
    @pytest.mark.parametrize(("d", "diameter"), [(2, 3), (3, 5), (4, 5), (5, 7)])
    def test_one_lane(self, d, diameter):
        """Links that go one way each, and the longest of all shortest ways; the formula is written with ones and zeros."""
        links = set()
        for low, b in itertools.product(range(2**d), range(d)):
            if not low & 1 << b:
                ends = (low, low | 1 << b)
                links.add(ends if (bin(low).count("1") + b) % 2 == 0 else ends[::-1])
        cube = oriented(FatCube(d, 2, 1))
        assert cube == OrientedCube(d, 2)
        cube._check_channels()
        assert {(node, other) for node in range(2**d) for _, other, _ in cube.ends(node)} == links
        assert all(
            (lanes_leaving(Hypercube(d), u, v) == range(1)) is ((u, v) in links)
            for u, v in links | {(v, u) for u, v in links}
        )
        assert max(max(cube.distances[node]) for node in range(2**d)) == diameter
        assert {(cube.mirror[v], cube.mirror[u]) for u, v in links} == links
        for way in cube.translations:
            assert {(way[u], way[v]) for u, v in links} == links
        assert len({tuple(way) for way in cube.translations}) == 2 ** (d - 1) and cube.bases == (0, 1)

    def test_several_lanes(self):
        cube = FatCube(3, 2, 4)
        assert oriented(cube) == FatCube(3, 2, 2)
        assert lanes_leaving(cube, 1, 3) == range(2) and lanes_leaving(cube, 3, 1) == range(2, 4)

    @pytest.mark.parametrize(
        ("topology", "message"),
        [
            (Hypercube(1), "simplex links of one lane must be in cubes of 2 dimensions or more, not 1"),
            (FatCube(2, 1, 3), "lanes of simplex links must be 1 or an even number, not 3"),
            (
                CubeConnectedCycles(3),
                "links must be full-duplex or half-duplex on the CCC of order 3, as only cubes have simplex links",
            ),
        ],
    )
    def test_refused(self, topology, message):
        with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
            Schedule(topology, "1", "AAB", None, [], model=StepModel(links="simplex"))


def broken(schedule, message, model=None):
    with pytest.raises(ScheduleError, match=f"^{re.escape(message)}$"):
        check(schedule, model)


SQUARE = Hypercube(2)
DIRECT = StepModel(transfers="direct")
OVER_1 = ((1, 0), (3, 0))
OVER_2 = ((2, 0), (3, 0))


def scatter(*transfers, model=DIRECT, ports="d", topology=SQUARE):
    return Schedule(topology, ports, "OAS", 0, [Transfer(*one[:4], **one[4]) for one in transfers], model=model)


FAR = (1, 0, 3, (0, 3), {"path": OVER_1})
NEAR = (1, 0, 2, (0, 2), {"lane": 0})
LAST = (2, 0, 1, (0, 1), {"lane": 0})


class TestPaths:
    def test_good(self):
        assert check(scatter(FAR, NEAR, LAST)) == Checked(2, 3)

    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ((1, 0, 3, (0, 3), {"path": OVER_2}), "over lane 0 from node 0 to node 2, which is taken in this step"),
            ((1, 0, 3, (0, 3), {"path": ((3, 0), (2, 0))}), "on a path from node 0 to node 3, which are not adjacent"),
            ((1, 0, 3, (0, 3), {"path": ((1, 0), (4, 0))}), "on a path from node 1 to node 4, which are not adjacent"),
            (
                (1, 0, 3, (0, 3), {"path": ((1, 0), (3, 1))}),
                "on a path over lane 1 from node 1 to node 3, the lane must be from 0 to 0",
            ),
            (
                (1, 0, 3, (0, 3), {"path": ((1, 0), (0, 0), (1, 0), (3, 0))}),
                "on a path that visits node 0 twice",
            ),
            (
                (1, 0, 3, (0, 3), {"path": ((1, 0), (3, 0), (1, 0))}),
                "on a path that visits node 1 twice",
            ),
            (
                (1, 0, 3, (0, 3), {"path": ((1, 0), (3, 0), (2, 0))}),
                "to processor 3 of node 3 on a path that ends at node 2",
            ),
        ],
    )
    def test_bad(self, changed, message):
        broken(scatter(changed, NEAR, LAST), f"step 1: processor 0 sends message [0, 3] {message}")

    def test_adjacent_only(self):
        message = "step 1: processor 0 sends message [0, 3] over 2 links, but transfers go to adjacent nodes only"
        broken(scatter(FAR, NEAR, LAST, model=STANDARD), message)
        broken(scatter(FAR, NEAR, LAST), message, StepModel())

    def test_simplex_lanes_are_not_those_of_translations(self):
        """A contribution to node 0 takes lane 0 of full duplex, and of simplex lanes the other one, which enters the node."""
        schedule = construct(Problem(FatCube(1, 1, 2), "1", "AAR")).schedule
        assert schedule.symmetric and [(one.src, one.dst, one.lane) for one in schedule.transfers] == [(1, 0, 0)]
        assert check(schedule, StepModel(links="simplex")) == Checked(1, 2)

    def test_one_port(self):
        broken(
            scatter(FAR, NEAR, LAST, ports="1"),
            "step 1: processor 0 sends message [0, 3], but all of its ports (1) are taken in this step",
        )

    def test_half_duplex(self):
        back = Schedule(
            SQUARE,
            "d",
            "AAS",
            None,
            [Transfer(1, 0, 3, (0, 3), path=OVER_1), Transfer(1, 1, 0, (1, 0), 0)],
            model=DIRECT.changed(links="half-duplex"),
        )
        broken(
            back,
            "step 1: processor 1 sends message [1, 0] over lane 0 from node 1 to node 0, which carries a message in the "
            "opposite direction in this step (half duplex)",
        )

    def test_simplex(self):
        check(
            scatter(
                FAR,
                (1, 0, 3, (0, 2), {"path": OVER_1}),
                (2, 3, 2, (0, 2), {"lane": 0}),
                LAST,
                model=DIRECT.changed(links="simplex", per_packet=2),
            )
        )
        broken(
            scatter(FAR, NEAR, LAST, model=DIRECT.changed(links="simplex")),
            "step 1: processor 0 sends message [0, 2] over lane 0 from node 0 to node 2, which leads the other way (simplex)",
        )

    def test_copies_go_to_neighbours(self):
        """In model b a packet of one copy may go far."""
        moves = [Transfer(1, 0, 3, (0, None), path=OVER_1), *(Transfer(2, 0, to, (0, None), 0) for to in (1, 2))]
        assert check(Schedule(SQUARE, "b", "OAB", 0, moves, model=DIRECT)).steps == 2
        moves = [Transfer(1, 0, 3, (0, None), path=OVER_1), Transfer(1, 0, 2, (0, None), 0), moves[1]]
        broken(
            Schedule(SQUARE, "b", "OAB", 0, moves, model=DIRECT),
            "step 1: processor 0 sends message [0, null] over 2 links, but only a packet with one copy goes beyond the "
            "neighbours",
        )


class TestPackets:
    def test_by_path(self):
        """Messages with the same way share a packet, others do not."""
        model = DIRECT.changed(per_packet="unlimited")
        both = (1, 0, 3, (0, 2), {"path": OVER_1})
        made = scatter(FAR, both, LAST, (2, 3, 2, (0, 2), {"lane": 0}), model=model, ports="1")
        assert check(made).steps == 2 and made.per_packet == 2
        apart = scatter(FAR, (1, 0, 3, (0, 2), {"path": OVER_2}), LAST, model=model, ports="1")
        assert [len(packet) for packet in apart.packets(apart.transfers[:2])] == [1, 1]
        broken(
            made,
            "step 1: processor 0 sends processor 3 a packet of 2 messages, at most 1 may share one",
            made.model.changed(per_packet=1),
        )

    def test_sums(self):
        """Two partial sums in a packet: a reduce-scatter by halving."""
        moves = [Move(1, v, v ^ 1, Message(None, w)) for v in range(4) for w in (v ^ 1, v ^ 3)]
        moves += [Move(2, v, v ^ 2, Message(None, v ^ 2)) for v in range(4)]
        made = Schedule.from_moves(FatCube(1, 2, 2), "1", "AAR", None, moves, model=StepModel(per_packet=2))
        assert check(made) == Checked(2, 12)
        broken(
            made,
            "step 1: processor 0 sends processor 1 a packet of 2 messages, at most 1 may share one",
            StepModel(),
        )

    @pytest.mark.parametrize("links", ["full-duplex", "half-duplex", "simplex"])
    def test_symmetric(self, links):
        """All-gather by doubling, both messages in a packet, on a symmetric schedule and written out."""
        model = StepModel(per_packet=2, links=links)
        topology = FatCube(2, 1, 2)
        bases = (0,) if links == "full-duplex" else (0, 1) if links == "half-duplex" else (0,)
        moves = []
        for node in bases:
            moves += [Move(1, node, node ^ 1, Message(node, None))]
            moves += [Move(2, node, node ^ 2, Message(node ^ by, None)) for by in (0, 1)]
        made = Schedule.from_moves(topology, "1", "AAB", None, moves, symmetric=True, model=model)
        whole = made.expanded()
        assert check(made) == check(whole) == Checked(2, 12)
        assert whole.size == made.size and not whole.symmetric
        assert max(len(packet) for packet in whole.packets(whole.transfers[4:])) == 2
        assert schedule_from_json(schedule_to_json(made)) == made

    def test_symmetric_moves_of_several_nodes(self):
        """The images of two moves share a packet, though they are given as those of different senders."""
        moves = [Move(1, 0, 1, Message(0, None)), Move(2, 0, 2, Message(0, None)), Move(2, 1, 3, Message(0, None))]
        model = StepModel(per_packet=2)
        made = Schedule.from_moves(SQUARE, "1", "AAB", None, moves, symmetric=True, model=model)
        assert check(made) == check(made.expanded()) == Checked(2, 12)


class TestWays:
    """Over nodes without processors, which no step crosses."""

    @pytest.mark.parametrize("collective", Collective)
    def test_one_way(self, collective):
        """From a to b leads a link, and back only a way over c: the first processor can send to all, and get from none."""
        ring = Graph(("a", "b", "c"), (1, 1, 0), ((0, 1), (1, 2), (2, 0)), one_way=True)
        root = 0 if collective.rooted else None
        if collective in (Collective.OAB, Collective.OAS):
            check_ways(ring, collective, root)
        else:
            with pytest.raises(
                ParameterError, match=r"between nodes 0 \(a\) and 1 \(b\) of the graph of .* some have none"
            ):
                check_ways(ring, collective, root)

    @pytest.mark.parametrize("collective", Collective)
    def test_both_ways(self, collective):
        root = 3 if collective.rooted else None
        base, other = (r"3 \(z\)", r"1 \(x\)") if collective.rooted else (r"1 \(x\)", r"2 \(y\)")
        with pytest.raises(ParameterError, match=f"between nodes {base} and {other} of "):
            check_ways(HUB, collective, root)
        check_ways(Hypercube(2), collective, root)
