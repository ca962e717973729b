"""The page that plays a schedule, in a headless Chromium. What it must show is worked out here."""

from collections import defaultdict
from datetime import datetime
import itertools
import json
import math
import re

import pytest

from fatcube.noc.topologies.butterflies import WrappedButterfly
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.tree import Tree
from fatcube.reports.layout import layout
from fatcube.reports.view import view_page
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.construct import best, construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.spanning.graphs import NESBT, SBT
from fatcube.schedules.spanning.trees import along
from fatcube.schedules.step_model import StepModel
from tests.support.cases import some
from tests.support.children import HANG
from tests.support.chromium import Tab, missing

pytestmark = pytest.mark.xdist_group("browser")  # one browser, not one for each worker

if missing():
    pytest.skip(f"the page of `fatcube view` is not tested, because {missing()}", allow_module_level=True)

SMALL = FatCube(2, 2, 1)


@pytest.fixture(scope="module")
def tab(browser):
    """The tab that all documents are shown in."""
    found = Tab(browser)
    yield found
    found.close()


@pytest.fixture
def show(browser, tab, tmp_path):
    """A function that opens the page of a schedule; in the end no page may have complained or loaded anything."""
    tabs, names = [tab], itertools.count()

    def show(schedule, *, hash="", edit=None, clock=False, **options):
        text = view_page(schedule)
        if edit:
            text = re.sub(
                r'(?<=type="application/json">).*?(?=</script>)',
                lambda match: json.dumps(edit(json.loads(match[0]))),
                text,
                flags=re.DOTALL,
            )
        file = tmp_path / f"{next(names)}.html"
        file.write_text(text, encoding="utf-8")
        if clock:  # of a tab of its own, for ever
            tabs.append(Tab(browser))
            tabs[-1].page.clock.install(time=datetime(2026, 1, 1))
        page = tabs[-1].open(file.as_uri() + hash, **options)
        if clock:
            page.clock.pause_at(datetime(2026, 1, 2))  # from here on, time passes only where a test lets it
        return page

    yield show
    said = [one.forget() for one in tabs]
    for one in tabs[1:]:
        one.close()
    assert [complaint for complaints, _ in said for complaint in complaints] == []
    assert [url for _, requests in said for url in requests if not url.startswith(("file:", "data:"))] == []


def few(*collectives):
    """Schedules of many kinds, of which the first two are for every day."""
    return [*collectives[:2], *(pytest.param(one, marks=pytest.mark.long) for one in collectives[2:])]


def built(collective, topology=SMALL, ports="d"):
    return best(Problem(topology, ports, Collective.parse(collective), 0), time_limit=HANG).schedule.expanded()


def step(page):
    """The step that the page says it is at, everywhere the same."""
    said = int(re.match(r"step (\d+) of", page.inner_text("#step"))[1])
    assert page.input_value("#slider") == str(said)
    return said


def holdings(page, processors):
    """The page's contents of each processor, selected in turn: message to number of contributions."""
    found = page.evaluate(
        """processors => [...Array(processors).keys()].map(processor => {
            const select = document.querySelector("#processor");
            select.value = processor;
            for (const name of ["input", "change"]) select.dispatchEvent(new Event(name, {bubbles: true}));
            const chips = [...document.querySelectorAll("#detail dd:last-child .chip")];
            return chips.map(one => [one.dataset.message, one.dataset.count]); })""",
        processors,
    )
    return [{message: int(count) for message, count in chips} for chips in found]


def lit(page):
    """The transfers that are lit, by what they say of themselves."""
    spoken = page.eval_on_selector_all(".transfer", "all => all.map(one => one.getAttribute('aria-label'))")
    pattern = r"Step (\d+): processor (\d+) sends (\S+) to processor (\d+), (?:within node \d+|from .* over lane (\d+))"
    found = []
    for text in spoken:
        number, src, message, dst, lane = re.fullmatch(pattern, text).groups()
        found.append((int(number), int(src), int(dst), message, None if lane is None else int(lane)))
    return sorted(found, key=str)


def named(message, parts=1):
    origin, destination, part = message
    name = f"{'Σ' if origin is None else origin}→{'all' if destination is None else destination}"
    return f"{name}.{part}" if parts > 1 else name


def transfers(schedule, number):
    return sorted(
        (
            (one.step, one.src, one.dst, named(one.message, schedule.parts), one.lane)
            for one in schedule.transfers
            if one.step == number
        ),
        key=str,
    )


def simulated(schedule, until):
    """The contents of each processor after step ``until``, as the page words them."""
    held = [set() for _ in range(schedule.topology.processors)]
    for message in schedule.collective.messages(schedule.topology, schedule.root, schedule.parts):
        held[message.origin].add(message)
    for one in schedule.transfers:
        if one.step <= until:
            held[one.dst].add(one.message)
    return [{str(message): 1 for message in messages} for messages in held]


class TestPlaying:
    def test_buttons(self, show):
        """Catches a button that does nothing or does another's work, and a step before the first or after the last."""
        page = show(built("AAB"))
        for button, expected in (("forward", 1), ("forward", 2), ("back", 1), ("last", 4), ("back", 3), ("first", 0)):
            page.click(f"#{button}")
            assert step(page) == expected, button
        assert page.is_disabled("#back") and page.is_disabled("#first")
        page.click("#last")
        assert page.is_disabled("#forward") and page.is_disabled("#last")

    def test_play_and_pause(self, show):
        """Catches a player that does not move, does not stop, or cannot be stopped."""
        page = show(built("AAB"), clock=True)
        page.click("#play")
        assert step(page) == 1 and page.get_attribute("#play", "aria-label") == "Pause"
        page.clock.run_for(1500)
        assert step(page) == 2
        page.click("#play")
        page.clock.run_for(10000)
        assert step(page) == 2 and page.get_attribute("#play", "aria-label") == "Play"
        page.select_option("#speed", "4")
        page.click("#play")
        page.clock.run_for(400)
        assert step(page) == 4 and page.get_attribute("#play", "aria-label") == "Play"
        page.clock.run_for(10000)
        assert step(page) == 4 and page.get_attribute("#play", "aria-label") == "Play"
        page.click("#play")  # once more from the beginning
        assert step(page) == 0

    def test_keyboard(self, show):
        """Catches a key that does nothing, also after a click on a button, and one that a selection needs itself."""
        page = show(built("AAB"), clock=True)
        for key, expected in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 4), ("Home", 0)):
            page.keyboard.press(key)
            assert step(page) == expected, key
        page.click("#forward")
        page.keyboard.press("Space")
        page.clock.run_for(1500)
        assert step(page) == 3
        page.keyboard.press("Space")
        page.clock.run_for(9000)
        assert step(page) == 3
        page.focus("#speed")
        page.keyboard.press("ArrowLeft")
        assert step(page) == 3

    def test_slider(self, show):
        """Catches a slider that is not listened to."""
        page = show(built("AAB"))
        page.fill("#slider", "3")
        assert step(page) == 3
        page.focus("#slider")
        page.keyboard.press("ArrowLeft")
        assert step(page) == 2

    @pytest.mark.parametrize(("hash", "expected"), [("#step=3", 3), ("#step=99", 4), ("#step=x", 0)])
    def test_hash_opens_a_step(self, show, hash, expected):
        page = show(built("AAB"), hash=hash)
        assert step(page) == expected

    def test_hash_follows_and_is_followed(self, show):
        page = show(built("AAB"))
        page.click("#forward")
        assert page.url.endswith("#step=1")
        page.evaluate("location.hash = '#step=4'")
        page.wait_for_function("document.querySelector('#slider').value === '4'")
        assert step(page) == 4

    def test_motion(self, show):
        """Catches motion where the reader wants none, and none where it is wanted."""
        for wanted, expected in (("reduce", False), ("no-preference", True)):
            page = show(built("AAB"), reduced_motion=wanted)
            page.click("#forward")
            assert page.evaluate("document.getAnimations().length > 0") == expected


class TestHolding:
    @pytest.mark.parametrize("collective", few("AAS", "AOG", "OAB", "OAS", "AAB"))
    def test_after_every_step(self, show, collective):
        """Catches what arrives too soon, too late or nowhere, and a step back that keeps what it should not."""
        schedule = built(collective)
        page = show(schedule)
        for number in [*range(schedule.steps + 1), 1]:
            page.fill("#slider", str(number))
            assert holdings(page, 8) == simulated(schedule, number), number

    @pytest.mark.parametrize("collective", few("OAS", "AAB", "OAB", "AOG", "AAS"))
    def test_in_the_end_everybody_has_what_it_must(self, show, collective):
        page = show(built(collective), hash="#step=99")
        must = {
            "OAB": lambda p: {"[0, null]"},
            "OAS": lambda p: {f"[0, {p}]"} if p else set(),
            "AOG": lambda p: set() if p else {f"[{o}, 0]" for o in range(1, 8)},
            "AAB": lambda p: {f"[{o}, null]" for o in range(8)},
            "AAS": lambda p: {f"[{o}, {p}]" for o in range(8) if o != p},
        }[collective]
        for processor, held in enumerate(holdings(page, 8)):
            assert must(processor) <= set(held)
        receivers = sum(bool(must(processor)) for processor in range(8))
        assert f"Complete: {receivers} of {receivers} " in page.inner_text("#news")
        assert page.locator(".processor.done").count() == receivers
        page.click("#first")
        assert f"Complete: {1 if collective == 'OAB' else 0} of {receivers} " in page.inner_text("#news")

    def test_cells_of_the_drawing(self, show):
        """Catches a drawing that says something else than the list beside it."""
        schedule = built("AAB")
        page = show(schedule, hash="#step=2")
        for processor, held in enumerate(simulated(schedule, 2)):
            cells = page.eval_on_selector_all(
                f"[data-processor='{processor}'] .cell",
                "all => all.map(one => [one.dataset.key, one.getAttribute('opacity')])",
            )
            assert {f"[{key}, null]" for key, opacity in cells if opacity == "1"} == set(held)
            assert {opacity for _, opacity in cells} <= {"0", "1"}

    def test_looking_at_a_processor(self, show):
        """Catches a processor that does not answer, and a look that does not end or does not stay."""
        schedule = built("AAB")
        page = show(schedule, hash="#step=2")
        assert page.input_value("#processor") == "0"
        page.hover("[data-processor='5']")
        assert page.input_value("#processor") == "5"
        sends, receives = (page.inner_text(f"#detail dd:nth-of-type({place})") for place in (1, 2))
        mine = [one for one in schedule.transfers if one.step == 2]
        assert sorted(re.findall(r"to P(\d)", sends)) == sorted(str(one.dst) for one in mine if one.src == 5)
        assert sorted(re.findall(r"from P(\d)", receives)) == sorted(str(one.src) for one in mine if one.dst == 5)
        page.hover("h1")
        assert page.input_value("#processor") == "0"
        page.click("[data-processor='5']")
        page.hover("h1")
        assert page.input_value("#processor") == "5"
        assert re.match(
            r"Processor 5 on node 2: holds \d messages, sends \d and receives \d in step 2",
            page.get_attribute("[data-processor='5']", "aria-label"),
        )


class TestLanes:
    @pytest.mark.parametrize(
        ("collective", "topology", "ports"),
        [
            ("AAB", SMALL, "d"),
            ("AAS", FatCube(2, 2, 2), "1"),
            ("OAB", FatCube(2, 4, 1), "b"),
            ("AAB", Hypercube(3), "*"),
        ],
    )
    def test_lit_lanes_and_rows_are_the_transfers(self, show, collective, topology, ports):
        schedule = built(collective, topology, ports)
        page = show(schedule)
        for number in range(schedule.steps + 1):
            page.fill("#slider", str(number))
            assert lit(page) == transfers(schedule, number)
            rows = page.eval_on_selector_all(
                "#transfers tbody tr", "all => all.map(row => [...row.cells].map(cell => cell.innerText))"
            )
            said = sorted((int(src[1:]), int(dst[1:]), message, lane) for message, src, dst, _, lane in rows)
            assert said == sorted(
                (*ends, "" if lane is None else str(lane)) for _, *ends, lane in transfers(schedule, number)
            )

    @pytest.mark.parametrize("topology", [FatCube(2, 2, 2), FatCube(4, 4, 1)])
    def test_arrows_go_from_sender_through_routers_to_receiver(self, show, topology):
        """Catches an arrow drawn the wrong way round, to another place, past a router, or over another's lane."""
        page = show(built("AAS" if topology.f > 1 else "AAB", topology), hash="#step=2")
        drawn = layout(topology)
        arrows = page.eval_on_selector_all(
            ".transfer",
            """all => all.map(one => ({
            src: +one.dataset.src, dst: +one.dataset.dst,
            points: one.querySelector('.flow').getAttribute('d').slice(1).split('L').map(p => p.split(' ').map(Number)),
            tip: one.querySelector('.head').getAttribute('d').slice(1).split('L')[0].split(' ').map(Number)}))""",
        )
        assert arrows
        half = drawn.side / 2
        lanes = defaultdict(list)
        for arrow in arrows:
            start, *middle, end = arrow["points"]
            assert arrow["tip"] == end
            for place, processor in ((start, arrow["src"]), (end, arrow["dst"])):
                assert max(abs(a - b) for a, b in zip(place, drawn.processors[processor])) < half + 0.3
            here, there = topology.node_of(arrow["src"]), topology.node_of(arrow["dst"])
            assert len(middle) == (1 if here == there else 2)
            for place, node in zip(middle, (here, there)):
                assert math.dist(place, drawn.nodes[node]) <= drawn.router + 0.3
            if here != there:
                lanes[min(here, there), max(here, there)].append(middle if here < there else middle[::-1])
        for ways in lanes.values():  # whatever is on a link at once lies side by side
            for one, other in itertools.combinations(ways, 2):
                assert math.dist(one[0], other[0]) > 2 and math.dist(one[1], other[1]) > 2
                assert math.dist(one[0], other[0]) == pytest.approx(math.dist(one[1], other[1]), abs=0.3)

    def test_parts_are_told_apart(self, show):
        """A pipelined broadcast: lanes are lit with their part, and a part is followed by itself."""
        schedule = along(NESBT(3), "1", "OAB", one_partner=True, parts=6)
        page = show(schedule)
        for number in range(schedule.steps + 1):
            page.fill("#slider", str(number))
            assert lit(page) == transfers(schedule, number)
            assert holdings(page, 8) == simulated(schedule, number)
        page.select_option("#origin", "0")
        page.select_option("#destination", label="all.4")
        before = [one for one in schedule.transfers if one.message.part == 4 and one.step < schedule.steps]
        assert 0 < page.locator(".trail").count() == len(before)

    def test_messages_that_share_a_packet(self, show):
        """Each is told, they take one way, and the lane's label says how many more there are, or who is looked for."""
        schedule = along(SBT(3), "1", "AAB", one_partner=True, per_packet=4)
        page = show(schedule)
        for number in range(schedule.steps + 1):
            page.fill("#slider", str(number))
            assert lit(page) == transfers(schedule, number)
            assert holdings(page, 8) == simulated(schedule, number)
        assert set(page.locator(".pill").all_text_contents()) == {"0→all +3", "4→all +3"}
        ways = page.eval_on_selector_all(".transfer .flow", "all => all.map(one => one.getAttribute('d'))")
        assert len(ways) == 32 and len(set(ways)) == 8
        page.select_option("#origin", "2")
        assert set(page.locator(".pill").all_text_contents()) == {"2→all +3", "4→all +3"}

    def test_following_a_message(self, show):
        """Catches a message that is mixed up with another, and processors that it has not reached."""
        schedule = built("AAS")
        page = show(schedule, hash="#step=3")
        page.select_option("#origin", "1")
        page.select_option("#destination", label="P6")
        mine = [one for one in schedule.transfers if one.message == (1, 6, 0)]
        for number in range(schedule.steps + 1):
            page.fill("#slider", str(number))
            assert page.locator(".transfer.chosen").count() == sum(one.step == number for one in mine)
            assert page.locator(".trail").count() == sum(one.step < number for one in mine)
            held = {1} | {one.dst for one in mine if one.step <= number}
            rings = page.eval_on_selector_all(".processor.has", "all => all.map(one => +one.dataset.processor)")
            assert set(rings) == held
        told = re.findall(r"step (\d+): P(\d+)→P(\d+)", page.inner_text("#way"))
        assert told == [(str(one.step), str(one.src), str(one.dst)) for one in mine]
        page.select_option("#origin", "-")
        assert page.locator(".chosen, .has, .trail").count() == 0

    def test_following_by_a_click(self, show):
        page = show(built("AAB"), hash="#step=2")
        arrow = page.locator(".transfer").first
        message = re.search(r"sends (\S+) ", arrow.get_attribute("aria-label"))[1]
        arrow.dispatch_event("click")
        assert page.input_value("#origin") == message.split("→")[0]
        page.click("#transfers tbody tr:last-child")
        row = page.inner_text("#transfers tbody tr:last-child .chip")
        assert page.input_value("#origin") == row.split("→")[0]


def away(place, line):
    """How far a place is from a line through points."""
    found = []
    for (x, y), (x2, y2) in itertools.pairwise(line):
        length = math.dist((x, y), (x2, y2)) ** 2 or 1
        part = max(0, min(1, ((place[0] - x) * (x2 - x) + (place[1] - y) * (y2 - y)) / length))
        found.append(math.dist(place, (x + part * (x2 - x), y + part * (y2 - y))))
    return min(found)


POINTS = "one.getAttribute('d').slice(1).split('L').map(p => p.split(' ').map(Number))"
ONE_WAY = Graph(tuple("abcd"), (1,) * 4, ((0, 1), (1, 0), (1, 2), (1, 2), (2, 3), (3, 0)), one_way=True)


class TestAnyNetwork:
    """Schedules of every kind on networks of every kind, each lane where the drawing of the network has it."""

    @pytest.mark.parametrize(
        ("topology", "ports", "collective", "model"),
        some(
            [
                (Hypercube(3), "1", "AAB", StepModel(links="half-duplex")),
                (Torus(w=4, d=2), "d", "AAB", StepModel()),
                (Mesh(w=3, d=2), "1", "OAB", StepModel(transfers="direct")),
                (ONE_WAY, "1", "OAB", StepModel()),
                (WrappedButterfly(2), "d", "AAB", StepModel()),
                (SparseGHC((3, 2), 2), "d", "AAB", StepModel()),
                (FatCube(3, 1, 2), "d", "AAB", StepModel(links="simplex")),
                (Tree(2, 2, 2), "1", "AAB", StepModel()),
                (Star(5), "1", "OAB", StepModel()),
            ],
            [0, 1, 2, 3, 4],
        ),
        ids=str,
    )
    def test_transfers_run_along_their_lanes(self, show, topology, ports, collective, model):
        """Catches an arrow over another lane than the schedule's, and a lane that is drawn twice or not at all."""
        schedule = construct(Problem(topology, ports, collective, 0, model)).schedule
        page = show(schedule)
        lanes = {
            tuple(map(int, name.split(","))): line
            for name, line in page.eval_on_selector_all(
                "[data-lane]", f"all => all.map(one => [one.dataset.lane, {POINTS}])"
            )
        }
        graph = topology.graph
        assert len(lanes) == graph.number_of_edges() == len({str(line) for line in lanes.values()})
        for number in range(1, schedule.steps + 1):
            page.fill("#slider", str(number))
            drawn = page.eval_on_selector_all(
                ".transfer",
                f"all => all.map(all => [+all.dataset.src, +all.dataset.dst, "
                f"[all.querySelector('.flow')].map(one => {POINTS})[0]])",
            )
            expected = [one for one in schedule.expanded().transfers if one.step == number]
            assert sorted(one[:2] for one in drawn) == sorted([one.src, one.dst] for one in expected)
            for src, dst, points in drawn:
                hops = [list(one.hops(topology)) for one in expected if (one.src, one.dst) == (src, dst)]
                assert any(self.follows(points[1:-1], some, topology, model, lanes) for some in hops), (src, dst)

    def follows(self, points, hops, topology, model, lanes):
        """Whether points run along the lanes of all hops in order, nearer to these than to others of their links."""
        for node, other, number in hops:
            low, high = min(node, other), max(node, other)
            if topology.directed:
                place = number + (len(topology.lanes_between(low, high)) if node > other else 0)
            elif model.links == "simplex" or node < other:
                place = number
            else:
                place = topology.other_end(node, other, number)
            line = lanes[low, high, place]
            mine, points = points[: len(line)], points[len(line) :]
            ends = [line[0], line[-1]] if node < other else [line[-1], line[0]]
            near = max(math.dist(mine[0], ends[0]), math.dist(mine[-1], ends[1]))
            aside = [other for name, other in lanes.items() if name[:2] == (low, high) and name[2] != place]
            centred = model.links == "half-duplex" or topology.directed or model.links == "simplex"
            if near > (0.2 if centred else 12) or any(
                away(point, one) <= away(point, line) for one in aside for point in mine
            ):
                return False
        return not points or not hops

    def test_what_has_failed(self, show):
        """Catches what has failed and is drawn whole, and what works and is drawn as failed."""
        topology = damaged(Mesh(w=3, d=2, m=1, f=2), ["link:0-1", "lane:1-2:1:out", "node:8"])
        page = show(construct(Problem(topology, "d", "AAB")).schedule)
        states = dict(
            page.eval_on_selector_all(
                "[data-lane]", "all => all.map(one => [one.dataset.lane, one.getAttribute('class')])"
            )
        )
        failed = {name for name, state in states.items() if state == "lane failed"}
        assert failed == {f"{pair},{place}" for pair in ("0,1", "5,8", "7,8") for place in (0, 1)}
        assert {name for name, state in states.items() if state == "lane one-left"} == {"1,2,1"}
        assert page.locator(".node.failed").count() == 1
        names = page.eval_on_selector_all(".processor.failed", "all => all.map(one => +one.dataset.processor)")
        assert names == [8]
        tip, *base = [
            tuple(map(float, place.split()))
            for place in page.locator(".one-left.end").get_attribute("d").strip("MZ").split("L")
        ]
        one, two = (layout(topology).nodes[node] for node in (1, 2))
        assert math.dist(tip, one) < min(math.dist(place, one) for place in base) < math.dist(two, one)

    def test_half_duplex_and_one_way_lanes_are_marked(self, show):
        half = StepModel(links="half-duplex")
        page = show(construct(Problem(Hypercube(2), "1", "OAB", 0, half)).schedule)
        assert page.locator(".lozenge").count() == 4 and "half-duplex" in page.inner_text("#legend")
        page = show(construct(Problem(ONE_WAY, "1", "OAB")).schedule)
        assert page.locator(".lane.end").count() == 6 and "one direction" in page.inner_text("#legend")

    def test_many(self, show):
        """Catches a limit that is lower than is said, and a page that begins with a corner of a large network."""
        page = show(construct(Problem(Hypercube(9), "1", "OAB")).schedule.expanded(), hash="#step=9")
        assert page.locator(".processor.done").count() == 512
        assert page.evaluate(
            "(() => { const one = document.querySelector('#stage'); return one.scrollWidth <= one.clientWidth; })()"
        )


class TestZoom:
    def wide(self, page):
        return page.locator("#stage > svg").bounding_box()["width"]

    def test_buttons_and_keys(self, show):
        """Catches a button or a key that does nothing, and one that moves the step as well."""
        page = show(built("OAB"), hash="#step=1")
        whole = self.wide(page)
        for click, factor in (("#zoom-in", 1.25), ("#zoom-in", 1.25**2), ("#zoom-out", 1.25), ("#zoom-fit", 1)):
            page.click(click)
            assert self.wide(page) == pytest.approx(factor * whole, rel=1e-3), click
        for key, factor in (("+", 1.25), ("-", 1), ("+", 1.25), ("0", 1)):
            page.keyboard.press(key)
            assert self.wide(page) == pytest.approx(factor * whole, rel=1e-3), key
        page.fill("#zoom", "3")
        page.focus("#stage")
        at = "(() => { const one = document.querySelector('#stage'); return [one.scrollLeft, one.scrollTop]; })()"
        before = page.evaluate(at)
        for key, axis, sign in (("Right", 0, 1), ("Down", 1, 1), ("Left", 0, -1), ("Up", 1, -1)):
            page.keyboard.press(f"Shift+Arrow{key}")
            after = page.evaluate(at)
            moved = [new - old for new, old in zip(after, before)]
            assert sign * moved[axis] > 50 and moved[1 - axis] == 0, key
            before = after
        assert step(page) == 1

    def test_zoom_keeps_the_middle_and_dragging_moves(self, show):
        """Catches a zoom that runs away to a corner, a drawing that cannot be moved, and a drag that is taken for a click."""
        page = show(built("OAB"), hash="#step=1")
        stage = page.locator("#stage").bounding_box()
        x, y = stage["x"] + stage["width"] / 2, stage["y"] + stage["height"] / 2

        def part():
            box = page.locator("#stage > svg").bounding_box()
            return (x - box["x"]) / box["width"], (y - box["y"]) / box["height"]

        before = part()
        for _ in range(5):
            page.click("#zoom-in")
        assert part() == pytest.approx(before, abs=0.01)
        old = page.locator("#stage > svg").bounding_box()
        place = page.locator(".processor .box").first.bounding_box()
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 60, y - 40, steps=4)
        page.mouse.up()
        new = page.locator("#stage > svg").bounding_box()
        assert (new["x"] - old["x"], new["y"] - old["y"]) == pytest.approx((-60, -40), abs=1.5)
        assert place and page.locator(".processor.pinned, .transfer.chosen").count() == 0


def combining(collective, **schedule):
    """A reduction on 8 processors by halving, and for an all-reduce the doubling after it."""
    moves, spread = [], []
    for number, bit in enumerate((4, 2, 1), start=1):
        for src in range(8):
            if collective == "AOR":
                if src & bit and src < 2 * bit:
                    moves.append(Move(number, src, src ^ bit, Message(None, 0)))
                continue
            higher = 7 & -2 * bit
            moves += [
                Move(number, src, src ^ bit, Message(None, t))
                for t in range(8)
                if not (t ^ src) & higher and (t ^ src) & bit
            ]
    for number, bit in enumerate((1, 2, 4), start=4):
        spread += [(number, src, src ^ bit, (t, None)) for src in range(8) for t in range(8) if not (t ^ src) & -bit]
    base = "AOR" if collective == "AOR" else "AAR"
    reduced = Schedule.from_moves(FatCube(3, 1, 4), "*", base, 0 if base == "AOR" else None, moves)

    def edit(data):
        if collective == "all-reduce":
            data["collective"] = collective
            data["steps"] += [
                [[src, dst, *message, 0, 0] for number, src, dst, message in spread if number == step]
                for step in (4, 5, 6)
            ]
        return data

    return reduced, edit, moves, spread if collective == "all-reduce" else []


class TestReductions:
    @pytest.mark.parametrize(
        ("collective", "steps"), [("AOR", 3), ("all-reduce", 6), pytest.param("AAR", 3, marks=pytest.mark.long)]
    )
    def test_contributions(self, show, collective, steps):
        """Catches a partial sum that stays with its sender, counts twice, or is passed on in the step it arrives in."""
        schedule, edit, moves, spread = combining(collective)
        page = show(schedule, edit=edit)
        roots = [0] if collective == "AOR" else range(8)
        parts = {
            Message(None, t): [{p} for p in range(8)] for t in roots
        }  # who has contributed to what a processor has
        sums = {(t, None): set() for t in (roots if spread else ())}
        for number in range(steps + 1):
            moved = [(src, dst, message, parts[message][src]) for when, src, dst, message, _ in moves if when == number]
            for src, _, message, _ in moved:
                parts[message][src] = set()
            for _, dst, message, contributors in moved:
                assert not parts[message][dst] & contributors
                parts[message][dst] = parts[message][dst] | contributors
            for when, src, dst, message in spread:
                if when == number:
                    assert src in sums[message]
                    sums[message].add(dst)
            for (origin, _), holders in sums.items():
                if len(parts[Message(None, origin)][origin]) == 8:
                    holders.add(origin)
            page.fill("#slider", str(number))
            for processor, held in enumerate(holdings(page, 8)):
                expected = {
                    f"[null, {t}]": len(parts[Message(None, t)][processor])
                    for t in roots
                    if parts[Message(None, t)][processor]
                }
                expected |= {f"[{t}, null]": 1 for (t, _), holders in sums.items() if processor in holders}
                assert held == expected, (number, processor)
        assert f"Complete: {len(roots)} of {len(roots)} " in page.inner_text("#news")
        page.select_option("#processor", "0")
        assert "Σ→0: 8 of 8" in page.inner_text("#detail")
        if collective == "AAR":
            page.fill("#slider", "1")
            assert "Σ→3: 2 of 8" in page.inner_text("#detail")
            assert page.locator("[data-processor='0'] .count").all_text_contents()[:5] == ["2", "2", "2", "2", ""]

    def test_what_arrives_counts_after_the_step(self, show):
        """Catches a partial sum that is passed on in the step in which it arrives."""
        moves = [(1, 1, 3), (1, 3, 2), (2, 2, 0), (2, 3, 1), (3, 1, 0)]
        page = show(Schedule.from_moves(Hypercube(2), "*", "AOR", 0, [Move(*move, Message(None, 0)) for move in moves]))
        for number, expected in enumerate([(1, 1, 1, 1), (1, 0, 2, 1), (3, 1, 0, 0), (4, 0, 0, 0)]):
            page.fill("#slider", str(number))
            assert tuple(held.get("[null, 0]", 0) for held in holdings(page, 4)) == expected


def overlapping(boxes):
    return [
        (one["text"], other["text"])
        for one, other in itertools.combinations(boxes, 2)
        if min(one["right"], other["right"]) - max(one["left"], other["left"]) > 0.5
        and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 0.5
    ]


BOXES = """all => all.filter(one => one.textContent).map(one => {
    const {left, right, top, bottom} = one.getBoundingClientRect();
    return {text: one.textContent, left, right, top, bottom,
            size: parseFloat(one.getAttribute('font-size')) * one.ownerSVGElement.getScreenCTM()?.a}; })"""


class TestLegibility:
    @pytest.mark.parametrize(
        ("collective", "topology", "ports", "viewport"),
        some(
            [
                (*one, viewport)
                for viewport in ((1280, 800), (700, 600))
                for one in (
                    ("AAS", FatCube(2, 2, 2), "1"),
                    ("OAB", FatCube(3, 8, 2), "*"),
                    *(("AAB", *one) for one in ((SMALL, "d"), (Hypercube(3), "*"), (FatCube(4, 4, 1), "d"))),
                    ("AAB", Hypercube(6), "*"),
                )
            ],
            [0, 7],  # each of the two networks in one of the windows
        ),
        ids=str,
    )
    def test_texts(self, show, viewport, collective, topology, ports):
        """Catches labels that lie on each other, are too small, or are drawn outside of their processor."""
        width, height = viewport
        page = show(built(collective, topology, ports), hash="#step=2", width=width, height=height)
        labels = page.eval_on_selector_all(".label, .router-label, .pill text", BOXES)
        assert len(labels) >= topology.processors
        assert min(label["size"] for label in labels) >= 8.25
        assert min(label["size"] for label in page.eval_on_selector_all(".label", BOXES)) >= 9
        assert overlapping(labels) == []
        boxes = page.eval_on_selector_all(
            ".processor",
            """all => all.map(one => {
            const [box, text] = ['.box', '.label'].map(part => one.querySelector(part).getBoundingClientRect());
            return {text: one.dataset.processor, left: box.left, right: box.right, top: box.top, bottom: box.bottom,
                    inside: text.left >= box.left && text.right <= box.right
                            && text.top >= box.top - 2 && text.bottom <= box.bottom}; })""",
        )
        assert all(box["inside"] for box in boxes)
        assert overlapping(boxes) == []
        counts = page.eval_on_selector_all(".count", BOXES)
        assert overlapping(counts) == []

    def test_drawing_fits_the_window(self, show):
        """Catches a page that must be scrolled where it need not."""
        for topology, ports in ((SMALL, "d"), (FatCube(4, 4, 1), "d"), (Hypercube(6), "*")):
            page = show(built("OAB", topology, ports))
            assert page.evaluate("""() => [document.querySelector('#stage'), document.documentElement].every(
                one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight)""")

    def test_a_narrow_window_shows_the_whole_network(self, show):
        """Catches a page on a telephone that begins with a corner of its network, whose labels could be read there."""
        page = show(built("AAB", CubeConnectedCycles(3), "1"), width=400, height=800)
        assert page.evaluate("""() => { const one = document.querySelector('#stage');
            return one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight; }""")
        texts = page.eval_on_selector_all(
            ".processor .label", "all => all.map(one => one.getBoundingClientRect().height)"
        )
        assert len(texts) == 24 and min(texts) >= 10

    def test_labels_of_transfers_do_not_cover_each_other(self, show):
        """Catches a step of many transfers on a telephone; the message that is followed has its label nevertheless."""
        for width in (400, 1280):
            page = show(built("AAB", DenseGHC(3, 2)), width=width, hash="#step=1")
            pills = page.eval_on_selector_all(".pill text", BOXES)
            assert len(pills) > 8 and overlapping(pills) == []

    def test_zoom(self, show):
        page = show(built("OAB"))
        before = page.locator("#stage > svg").bounding_box()["width"]
        page.fill("#zoom", "2")
        assert page.locator("#stage > svg").bounding_box()["width"] == pytest.approx(2 * before)

    def test_light_and_dark(self, show):
        """Catches a page that is bright in the dark."""
        for scheme, dark in (("light", False), ("dark", True)):
            page = show(built("OAB"), color_scheme=scheme)
            red = int(re.search(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor"))[0])
            ink = int(re.search(r"\d+", page.evaluate("getComputedStyle(document.body).color"))[0])
            assert (red < 60 and ink > 200) if dark else (red > 200 and ink < 60)

    @pytest.mark.parametrize("topology", some([FatCube(4, 4, 1), FatCube(6, 4, 1)], [0]), ids=str)
    def test_many_processors(self, show, topology):
        """Catches a page that breaks when it is large."""
        page = show(built("OAB", topology, "d"), hash="#step=99")
        assert page.locator(".processor.done").count() == topology.processors
        assert f"Complete: {topology.processors} of {topology.processors} processors." in page.inner_text("#news")
