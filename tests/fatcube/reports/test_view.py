"""The page that plays a schedule, in a headless Chromium. What it must show is worked out here."""

from collections import defaultdict
from datetime import datetime
import itertools
import json
import math
import re

import pytest

from fatcube.reports.layout import layout
from fatcube.reports.view import view_page
from noc.topologies.cubes import FatCube, Hypercube
from schedules.collective import Collective, Message, Move
from schedules.construct import best
from schedules.schedule import Schedule
from schedules.spanning.graphs import NESBT, SBT
from schedules.spanning.trees import along
from tests.support.cases import some
from tests.support.children import HANG
from tests.support.chromium import chromium, missing, new_context

pytestmark = pytest.mark.xdist_group("browser")  # one browser, not one for each worker

if missing():
    pytest.skip(f"the page of `fatcube view` is not tested, because {missing()}", allow_module_level=True)

SMALL = FatCube(2, 2, 1)


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def show(browser, tmp_path):
    """A function that opens the page of a schedule; in the end no page may have complained or loaded anything."""
    complaints, requests, contexts = [], [], []

    def show(schedule, *, hash="", edit=None, clock=False, **options):
        text = view_page(schedule)
        if edit:
            text = re.sub(
                r'(?<=type="application/json">).*?(?=</script>)',
                lambda match: json.dumps(edit(json.loads(match[0]))),
                text,
                flags=re.DOTALL,
            )
        file = tmp_path / f"{len(contexts)}.html"
        file.write_text(text, encoding="utf-8")
        options = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **options}
        context = new_context(browser, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        if clock:
            page.clock.install(time=datetime(2026, 1, 1))
        page.goto(file.as_uri() + hash)
        if clock:
            page.clock.pause_at(datetime(2026, 1, 2))  # from here on, time passes only where a test lets it
        return page

    yield show
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []


def few(*collectives):
    """These, of which the first two are for every day."""
    return [*collectives[:2], *(pytest.param(one, marks=pytest.mark.long) for one in collectives[2:])]


def built(collective, topology=SMALL, ports="d"):
    return best(topology, ports, Collective.parse(collective), 0, time_limit=HANG).schedule.expanded()


def step(page):
    """The step that the page says it is at, everywhere the same."""
    said = int(re.match(r"step (\d+) of", page.inner_text("#step"))[1])
    assert page.input_value("#slider") == str(said)
    return said


def holdings(page, processors):
    """What the page says that each processor holds: message to number of contributions."""
    held = []
    for processor in range(processors):
        page.select_option("#processor", str(processor))
        chips = page.eval_on_selector_all(
            "#detail dd:last-child .chip", "all => all.map(one => [one.dataset.message, one.dataset.count])"
        )
        held.append({message: int(count) for message, count in chips})
    return held


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
    """What each processor holds after step ``until``, in the page's words."""
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

    @pytest.mark.parametrize(("hash", "expected"), [("#step=3", 3), ("#step=99", 4), ("#step=x", 0), ("", 0)])
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
    @pytest.mark.parametrize("viewport", [(1280, 800), (700, 600)])
    @pytest.mark.parametrize(
        ("collective", "topology", "ports"),
        [
            ("AAS", FatCube(2, 2, 2), "1"),
            ("OAB", FatCube(3, 8, 2), "*"),
            *(
                pytest.param("AAB", topology, ports, marks=pytest.mark.long)
                for topology, ports in ((SMALL, "d"), (Hypercube(3), "*"), (FatCube(4, 4, 1), "d"), (Hypercube(6), "*"))
            ),
        ],
        ids=str,
    )
    def test_texts(self, show, viewport, collective, topology, ports):
        """Catches labels that lie on each other, are too small, or are drawn outside of their processor."""
        page = show(
            built(collective, topology, ports), hash="#step=2", viewport=dict(zip(("width", "height"), viewport))
        )
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
