"""Runs on a simulated board, over its serial line, on good lines and on bad ones."""

import contextlib
import itertools
import json
import random
import signal
import zlib

import psutil
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.board_system import registers_of
from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.endpoint.host import Region
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.serial.request import Operation
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import best
from fatcube.schedules.problem import Problem
from fatcube.sim.board.board import Board
from fatcube.sim.board.line import TIMEOUT, Address, BoardError, Line, opened
from fatcube.sim.board.virtual import virtual_board
from fatcube.sim.collectives.run import Run
from fatcube.sim.collectives.simulate import simulate_all
from tests.support.children import HANG, until
from tests.support.faulty_port import KINDS, FaultyPort

pytestmark = pytest.mark.xdist_group("board")

MACHINE = Machine(network=Network(FatCube(d=1, m=2)), memory_words=256, program_entries=16, reductions=True)
PLACE = Address(node=1, unit=1, region=Region.PAYLOAD.value, word=5)


@contextlib.contextmanager
def lined(virtual, *, attempts=40):
    with opened(virtual.port, 115200) as port:
        faulty = FaultyPort(port, virtual.at_rest)
        yield faulty, Line(faulty, attempts=attempts, clock=faulty.clock)


@pytest.fixture(scope="module")
def virtual():
    with virtual_board(MACHINE) as board:
        yield board


@pytest.fixture
def line(virtual):
    with lined(virtual) as (faulty, line):
        yield faulty, line


def schedule(collective, network=MACHINE.network):
    return best(Problem(network.topology, network.options.ports, collective, 0), time_limit=HANG).schedule


def test_says_what_it_is(line):
    board = Board(line[1])
    assert board.machine == MACHINE
    assert board.described["board"] == "simulated"


@pytest.mark.parametrize("collective", list(Collective))
def test_same_as_simulated(line, collective):
    """Steps, cycles, counters, traces and every word are those of the simulator, which loads and reads in another way."""
    given = schedule(collective)
    runs = [
        Run(schedule=given, payload_flits=flits, lockstep=lockstep) for flits in (3, 8) for lockstep in (True, False)
    ]
    found = simulate_all(MACHINE, runs, observer=Board(line[1]).observe)
    assert found == simulate_all(MACHINE, runs)
    assert not any(result.failures for result in found)


def test_fault_on_the_board(line):
    """A word that differs from the one loaded is found: the memories of the board are what is compared."""
    board = Board(line[1])
    run = Run(schedule=schedule(Collective.AAB), payload_flits=4)

    def observe(jobs, ends):
        node, unit, region, bank, first, words = next(
            write for write in jobs[0]["writes"] if write[2] == Region.PAYLOAD.value
        )
        jobs[0]["writes"].append((node, unit, region, bank, first + 1, [words[1] ^ 4]))
        return board.observe(jobs, ends)

    [result] = simulate_all(MACHINE, [run], observer=observe)
    assert any("differs in 1 of 4 words, first in word 1" in failure for failure in result.failures), result.failures


WORDS = [0x7E7D7E7D, 0, 0xFFFFFFFF, 0x7D5E7E5D, 0x12345678]


@pytest.mark.parametrize("way", ["out", "in"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_byte(virtual, kind, way):
    """A byte lost, doubled or changed at any place of a request or of its reply, once: the request is sent again."""
    with lined(virtual) as (faulty, line):
        for request in ("write", "read"):
            place, length = 0, 1
            while place < length:
                line.write(PLACE, [0] * 5 if request == "write" else WORDS)
                faulty.arm(lambda direction, number: kind if (direction, number) == (way, place) else None)
                if request == "write":
                    line.write(PLACE, WORDS)
                    length = max(length, faulty.bytes[way])
                    faulty.arm(None)
                assert line.read(PLACE, 5, 4) == WORDS, (request, place)
                if request == "read":
                    length = max(length, faulty.bytes[way])
                faulty.arm(None)
                place += 1
            assert place >= (9 if way == "in" else 21)
        assert line.repeated


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])
def test_noisy_line(virtual, seed):
    """On a line that changes one byte in a hundred a run takes longer, and gives the same."""
    run = Run(schedule=schedule(Collective.AAS), payload_flits=4)
    dice = random.Random(seed)
    with lined(virtual) as (faulty, line):
        board = Board(line)
        faulty.arm(lambda way, number: dice.choice(KINDS) if dice.random() < 0.01 else None)
        [found] = simulate_all(MACHINE, [run], observer=board.observe)
    assert found == simulate_all(MACHINE, [run])[0]
    assert line.repeated > 5


def test_dead_line(virtual):
    """On a line that transfers no bytes, the run is refused, with no result."""
    with lined(virtual, attempts=3) as (faulty, line):
        board = Board(line)
        for dead in ("out", "in"):
            faulty.arm(lambda way, number: "lost" if way == dead else None)
            with pytest.raises(BoardError, match="^the board must answer within 5.0 s, but has not in 3 attempts"):
                simulate_all(MACHINE, [Run(schedule=schedule(Collective.OAB))], observer=board.observe)


@pytest.mark.parametrize("after", [0, 3, 30, 60])
def test_reset_in_the_middle(virtual, after):
    """A run in which the reset button is pressed, at any time, has no result; the next run is not affected."""
    with lined(virtual) as (faulty, line):
        board, requests = Board(line), [0]
        write = faulty.write

        def pressed(data):
            requests[0] += 1
            if requests[0] == after:
                virtual.press_reset()
            return write(data)

        run = Run(schedule=schedule(Collective.AAS), payload_flits=8)
        [expected] = simulate_all(MACHINE, [run])
        faulty.write = pressed
        if after:
            with pytest.raises(BoardError, match="^the board must not be reset during a run"):
                simulate_all(MACHINE, [run], observer=board.observe)
        else:
            assert simulate_all(MACHINE, [run], observer=board.observe) == [expected]
            assert requests[0] > 60
        faulty.write = write
        assert simulate_all(MACHINE, [run], observer=board.observe) == [expected]


def test_two_programs(virtual):
    """If two programs use a board at a time, the first one gets an error."""
    run = Run(schedule=schedule(Collective.OAB), payload_flits=4)
    with lined(virtual) as (faulty, line):
        board, other, write = Board(line), Board(Line(faulty, clock=faulty.clock)), faulty.write
        sent = [0]

        def disturbed(data):
            sent[0] += 1
            if sent[0] == 40:
                faulty.write = write
                simulate_all(MACHINE, [run], observer=other.observe)
            return write(data)

        faulty.write = disturbed
        with pytest.raises(BoardError, match="^the board must be used by one program at a time"):
            simulate_all(MACHINE, [run], observer=board.observe)


def test_launched_once(line):
    """A launch that is sent twice, because its reply was lost, begins one run only."""
    faulty, line = line
    registers = registers_of(MACHINE)
    launch, cycles = (Address(word=registers[name].word) for name in ("launch", "cycles"))
    line.write(Address(word=registers["timeout"].word), [100])
    line.write(launch, [0])
    line.write(launch, [7])
    ended = line.read(cycles, 1, 4)
    line.write(launch, [7])
    assert line.read(cycles, 1, 4) == ended and line.read(launch, 1, 4) == [7]


@pytest.mark.parametrize("operation, size", [(0x53, 4), (0x52, 0), (0x57, 255)])
def test_refused(line, operation, size, monkeypatch):
    """A malformed request is refused, and writes nothing."""
    faulty, line = line
    line.write(PLACE, [1, 2, 3])

    class Other:
        name, value = "OTHER", operation

    with pytest.raises(BoardError, match="^the board refuses to other 3 words"):
        line._ask(Other, PLACE, size, 3, bytes(12), 0)
    assert line.read(PLACE, 3, 4) == [1, 2, 3]


def test_part_of_a_word(line):
    """Of a request whose last word is incomplete, the complete words are written."""
    _, line = line
    line.write(PLACE, [1, 2, 3])
    line._ask(Operation.WRITE, PLACE, 4, 0, b"\x09\0\0\0\x08\0\0", 0)
    assert line.read(PLACE, 3, 4) == [9, 2, 3]


def test_other_boards():
    """A port with another device, or with a board of another version of fatcube, is reported in one line."""

    class Silent:
        in_waiting = 0

        def read(self, size=1):
            return b""

        def write(self, data):
            return len(data)

    class Echo(Silent):
        def __init__(self):
            self.waiting = b""

        def read(self, size=1):
            waiting, self.waiting = self.waiting, b""
            return waiting

        def write(self, data):
            self.waiting += data + bytes(random.Random(0).randbytes(100))

    for port in (Silent(), Echo()):
        with pytest.raises(BoardError, match="^the board must answer within .* has not in 2 attempts: check the port"):
            Board(Line(port, attempts=2, clock=itertools.count().__next__))

    class Other:
        def read(self, place, count, size):
            return list(self.content[place.word : place.word + count].ljust(count, b"\0"))

    other = Other()
    for content, expected in (
        (b"no board", "the board must be made by fatcube: description of a board must be compressed JSON"),
        (zlib.compress(b"{}"), "the board must be made by this fatcube: description of a board must be one of this"),
        (
            zlib.compress(json.dumps({"kind": "schedules", "machine": {**MACHINE.to_json(), "colour": 1}}).encode()),
            "the board must be made by this fatcube: options must be of",
        ),
    ):
        other.content = content
        with pytest.raises(BoardError, match=f"^{expected}"):
            Board(other)


def test_port_refused(tmp_path):
    for port in ("/dev/there/is/none", str(tmp_path), "", "socket://"):
        with (
            pytest.raises(ParameterError, match="^port must be a serial port that can be opened, not "),
            opened(port, 9600),
        ):
            pass


def test_switched_off():
    """A board that is switched off during a run is detected."""
    with virtual_board(MACHINE) as virtual, lined(virtual, attempts=3) as (faulty, line):
        board = Board(line)
        virtual.process.send_signal(signal.SIGSTOP)
        until(lambda: psutil.Process(virtual.process.pid).status() == psutil.STATUS_STOPPED)
        faulty.at_rest = lambda: True
        with pytest.raises(BoardError, match="^the board must answer within"):
            simulate_all(MACHINE, [Run(schedule=schedule(Collective.OAB))], observer=board.observe)
        faulty.at_rest = virtual.at_rest
        virtual.process.send_signal(signal.SIGCONT)
        [result] = simulate_all(MACHINE, [Run(schedule=schedule(Collective.OAB))], observer=board.observe)
        assert not result.failures
        virtual.process.kill()
        virtual.process.wait()
        faulty.at_rest = lambda: True
        with pytest.raises((BoardError, OSError)):
            simulate_all(MACHINE, [Run(schedule=schedule(Collective.OAB))], observer=board.observe)


@pytest.mark.long(stays="tests/sim/board/test_board.py::test_same_as_simulated")
@pytest.mark.parametrize("ports", list("bd*"))
def test_every_model(ports):
    """All-to-all on the other models of routers, steps and cycles as simulated."""
    network = Network(FatCube(d=1, m=2), RouterOptions(ports=PortModel.parse(ports)))
    machine = Machine(network=network, memory_words=256, program_entries=16)
    run = Run(schedule=schedule(Collective.AAS, network), payload_flits=4, lockstep=ports == "b")
    with virtual_board(machine) as virtual, lined(virtual) as (_, line):
        assert simulate_all(machine, [run], observer=Board(line).observe) == simulate_all(machine, [run])


@pytest.mark.parametrize("timeout", [None, 20.0])
def test_a_board_has_its_time_for_an_answer(timeout):
    """By a simulated clock: a request is sent five times within the timeout, five seconds by default."""
    times = []

    class Silent:
        in_waiting = 0
        now = 0.0

        def read(self, size=1):
            self.now += 0.125
            return b""

        def write(self, data):
            times.append(self.now)

    port = Silent()
    how = {} if timeout is None else {"timeout": timeout}
    with pytest.raises(BoardError, match="^the board must answer within .* has not in 5 attempts"):
        Line(port, clock=lambda: port.now, byte_seconds=0, **how).read(Address(), 1, 1)
    each = (timeout or TIMEOUT) / 5
    assert times == [each * attempt for attempt in range(5)] and port.now == 5 * each
    assert TIMEOUT == 5


@pytest.mark.parametrize("timeout", [0, 0.09, 86_401, float("nan")])
def test_a_time_for_answers_that_is_none(timeout):
    with pytest.raises(
        ParameterError, match="^timeout must be a finite number of at least 0.1 and at most 86400, not "
    ):
        Line(None, timeout=timeout)
