"""No test depends on the speed of the machine: every sleep, short limit of time and clock reading is listed with a reason.

The list is of what :mod:`tests.support.timing` finds. Another limit is :data:`tests.support.children.HANG`, which only ends
a test that fails.
"""

from pathlib import Path

from hypothesis import HealthCheck, settings
import pytest

from tests.support.timing import timed

ROOT = Path(__file__).parents[1]
PRINTED = "The seconds are printed, and nothing is decided by them."
POLLED = "It is how often something is looked for, until it is there."
FUZZED = "The limit is an argument, and HANG in `make test`."
MUTATED = "It tells mutants that hang from slow ones, by far longer times than those measured without a mutant."
CONSTRUCTED = "What is constructed is taken, without a search."
NO_TIME = "No search ends in no time, on any machine."
ENDED = "It sleeps until the test has ended it; on no machine does the test wait for its end."

IN_CYCLES = "The timeout is in cycles."

#: From file and place to the reason why a test does not depend on the machine's speed there.
LISTED = {
    "tests/fatcube/cli/test_gaps.py": {
        "test_steps_are_those_that_were_proved_apart.steps: cells_of_fat_cubes(time_limit=0)": CONSTRUCTED
    },
    "tests/fatcube/test_fuzz.py": {
        "-: time.process_time() < 1: pass": "It has to compute for longer than what counts as asleep, on any machine.",
        "test_a_process_that_does_not_end_is_seen: sleep(3600)": ENDED,
    },
    "tests/fatcube/testing/test_generated.py": {
        "-: timeout 2": IN_CYCLES,
        "-: timeout 3": IN_CYCLES,
        "-: timeout 9": IN_CYCLES,
        "-: timeout 9 --counters": IN_CYCLES,
    },
    "tests/groundwork/test_ending.py": {
        'test_what_does_not_let_itself_be_interrupted_is_ended: sleep 600 & sleep 600"])': ENDED,
        'test_what_does_not_let_itself_be_interrupted_is_ended: sleep 600"])': ENDED,
        "test_what_does_not_let_itself_be_interrupted_is_ended: sleep(600)": ENDED,
        "test_what_falls_over_on_the_way_out_is_not_shown: sleep(600)": ENDED,
    },
    "tests/groundwork/test_workers.py": {"test_error_is_handed_on_and_no_process_is_left: time.sleep": ENDED},
    "tests/noc/streams/test_options.py": {"test_the_command_refuses_in_one_line: timeout 3": IN_CYCLES},
    "tests/schedules/test_construct.py": {"TestBest.test_no_time_to_search: best(time_limit=0)": NO_TIME},
    "tests/schedules/test_routes.py": {"found: best(time_limit=0)": CONSTRUCTED},
    "tests/schedules/test_search.py": {
        "TestFewest.test_no_time: fewest(time_limit=0)": NO_TIME,
        "TestSearch.test_out_of_time: search(time_limit=1)": "No machine solves this case in so short a time.",
        "TestSearch.test_out_of_time_before_the_model_is_written_down: search(time_limit=0.5)": (
            "No machine writes down and solves this model in so short a time."
        ),
    },
    "tests/schedules/test_wiring.py": {"found: best(time_limit=0)": CONSTRUCTED},
    "tests/sim/board/test_board.py": {
        "test_a_time_for_answers_that_is_none: Line(timeout=timeout)": "It is refused before any time passes.",
    },
    "tests/sim/collectives/test_participants.py": {"test_on_the_rtl: best(time_limit=0)": CONSTRUCTED},
    "tests/sim/collectives/test_step_models.py": {"found: best(time_limit=0)": CONSTRUCTED},
    "tests/support/channel_router_harness.py": {"_Anything.__init__: __init__(patience=2)": IN_CYCLES},
    "tests/support/axi_soak.py": {"main: time.monotonic": PRINTED},
    "tests/support/children.py": {
        "until: time.monotonic": "Only HANG depends on it, which ends a test that fails.",
        "until: time.sleep(0.01)": POLLED,
    },
    "tests/support/costs.py": {"_Plugin.pytest_sessionfinish: time.process_time": PRINTED},
    "tests/support/fuzzing.py": {
        "answer: setitimer(signal.ITIMER_PROF, seconds)": FUZZED,
        "answer: setitimer(signal.ITIMER_REAL, seconds, seconds)": FUZZED,
        "answer: setitimer(timer, 0)": "Zero switches the timer off.",
        "attended.attend: wait(0.01)": POLLED,
        "run_here: resource.getrusage": "The memory is printed, not a time.",
        "run_processes: os.wait4": FUZZED,
        "run_processes: time.sleep(0.01)": POLLED,
    },
    "tests/support/byte_soak.py": {"main: time.monotonic": PRINTED},
    "tests/support/kit_speed.py": {"measure: time.process_time": PRINTED},
    "tests/support/limited_input_harness.py": {"LimitedInputHarness.__init__: timeout=0": IN_CYCLES},
    "tests/support/machines.py": {"Kind.schedule: best(time_limit=0)": CONSTRUCTED},
    "tests/support/mutations.py": {
        "Copy._pytest: time.monotonic": MUTATED,
        "output_of: communicate(timeout=seconds)": MUTATED,
    },
    "tests/support/prove.py": {"prove_part: harness(patience=patience - sooner)": IN_CYCLES},
    "tests/support/rekey.py": {"main: time.monotonic": PRINTED},
    "tests/support/soak.py": {"soak.carry: time.monotonic": PRINTED},
    "tests/support/soak_networks.py": {"main: time.monotonic": PRINTED},
    "tests/support/waits.py": {"main: time.monotonic": PRINTED},
    "tests/synth/test_synth.py": {
        "test_failure_stops_the_others_and_leaves_no_files: sleep {...}; touch {...}/late": ENDED,
        "test_interrupt_leaves_no_process_and_no_files: sleep {...}'])": ENDED,
    },
    "tests/test_mutations.py": {
        "test_a_deadlock_is_told_from_a_slow_run: sleep(3600)": ENDED,
        "test_a_deadlock_is_told_from_a_slow_run: time.process_time() < 1.2: pass": MUTATED,
        "test_nothing_is_left_of_one_that_is_ended: sleep(3600)": ENDED,
    },
}


def found():
    return {
        (path.relative_to(ROOT).as_posix(), text)
        for path in (ROOT / "tests").rglob("*.py")
        if path != Path(__file__)  # which has examples of everything
        for text in timed(path.read_text(encoding="utf-8"), cycles=path.is_relative_to(ROOT / "tests" / "rtl"))
    }


def test_every_one_is_listed_with_its_reason():
    listed = {(file, text) for file, reasons in LISTED.items() for text in reasons}
    assert sorted(found() - listed) == [], "not listed"
    assert sorted(listed - found()) == [], "listed, but not there any more"
    assert all(len(reason) > 20 for reasons in LISTED.values() for reason in reasons.values())


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("import time\ntime.sleep(0.5)", "-: time.sleep(0.5)"),
        ("from time import sleep as wait", "-: from time import sleep as wait"),
        ("def test():\n    sleep(2)", "test: sleep(2)"),
        ("async def test():\n    await asyncio.sleep(1)", "test: asyncio.sleep(1)"),
        ("class T:\n    def t(self):\n        partial(time.sleep, 3)", "T.t: time.sleep"),
        ("page.wait_for_timeout(500)", "-: page.wait_for_timeout(500)"),
        ("run('echo; sleep 2')", "-: sleep 2"),
        ("run(f'sleep {n}; echo')", "-: sleep {...}; echo"),
        ("run(['sleep', '1'])", "-: sleep '1'"),
        ("p.communicate(timeout=5)", "-: communicate(timeout=5)"),
        ("p.communicate('x', 5)", "-: communicate('x', 5)"),
        ("p.wait(9.5)", "-: wait(9.5)"),
        ("p.wait(limit)", "-: wait(limit)"),
        ("thread.join(2)", "-: join(2)"),
        ("future.result(timeout=1)", "-: result(timeout=1)"),
        ("SHORT = 2\nLONGER = 3 * SHORT\np.wait(timeout=LONGER)", "-: wait(timeout=LONGER)"),
        ("subprocess.run(c, timeout=3)", "-: run(timeout=3)"),
        ("page.set_default_timeout(9999)", "-: set_default_timeout(9999)"),
        ("page.wait_for_selector('a', timeout=5000)", "-: wait_for_selector(timeout=5000)"),
        ("Line(port, patience=0.1)", "-: Line(patience=0.1)"),
        ("def f(*, patience=0.1): pass", "f: patience=0.1"),
        ("search(case, time_limit=60)", "-: search(time_limit=60)"),
        ("run('timeout 5 make')", "-: timeout 5 make"),
        ("run('timeout -k 1 2.5 make')", "-: timeout -k 1 2.5 make"),
        ("run(['timeout', str(3), 'make'])", "-: timeout str(3)"),
        ("signal.alarm(3)", "-: alarm(3)"),
        ("begin = time.monotonic()", "-: time.monotonic"),
        ("clock = time.perf_counter_ns", "-: time.perf_counter_ns"),
        ("took = time.time() - begin", "-: time.time"),
        ("at = datetime.datetime.now()", "-: datetime.datetime.now"),
        ("resource.getrusage(1)", "-: resource.getrusage"),
        ("code = 'import time; print(time.time())'", "-: time.time())"),
    ],
)
def test_what_depends_on_time_is_found(source, text):
    assert text in timed(source)


@pytest.mark.parametrize(
    "source",
    [
        "'''sleep 5, timeout 2 and time.time() in a docstring'''",
        "HANG = 300\np.wait(HANG)\np.communicate(timeout=HANG)\nsearch(time_limit=HANG)",
        "', '.join(names)\nos.path.join(a, b)\nd.get(key, 1)\nresult(3)",
        "event.wait()\nthread.join()\np.wait(timeout=None)\nqueue.get()",
        "await Timer(1, 'us')\nawait with_timeout(sink.recv(), 100, 'us')",
        "Run(schedule=s, timeout=3)\nTraffic(timeout=3)\nRouterOptions(stop_timeout=2)",
        "page.set_default_timeout(300_000)",
        "run(['timeout', str(HANG), 'make'])\nrun('timeout 600 make')",
        "def now(): pass\nnow = x.time",
    ],
)
def test_what_does_not_is_not(source):
    assert timed(source) == set()


def test_timeouts_of_hardware_are_cycles():
    assert timed("run(timeout=4, patience=2)", cycles=True) == set()
    assert timed("subprocess.run(timeout=4)", cycles=True) == {"-: run(timeout=4)"}


def test_drawn_cases_have_no_deadline():
    """Not even where a test says nothing of it: Hypothesis gives a case 200 ms. The cases are the same in every run."""
    assert settings().deadline is None and settings().derandomize
    assert HealthCheck.too_slow in settings().suppress_health_check
