"""Mutants: what errors are put into sources, that the choice is repeatable, and that one that no test finds is a failure."""

import contextlib
import json
import os
from pathlib import Path
import signal
import subprocess
import sys

import pytest

from tests.support.children import start, until
from tests.support.mutants import mutants_of
from tests.support.mutations import QUICK, ROOT, TABLE, Table, chosen, main, output_of


def changes(source):
    """The texts that the mutants of a source have in place of what they replace."""
    source = source.encode()
    return {(source[one.start : one.end].decode(), one.text) for one in mutants_of("file.py", source)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b", {("<", "<=")}),
        ("a <= b", {("<=", "<")}),
        ("a > b", {(">", ">=")}),
        ("a >= b", {(">=", ">")}),
        ("a == b != c", {("==", "!="), ("!=", "==")}),
        ("a is b", {("is", "is not")}),
        ("a in b", {("in", "not in")}),
        ("x = 5", {("5", "6"), ("5", "4")}),
        ("x = 0", {("0", "1"), ("0", "(-1)")}),
        ("a - b", {(" - b", ""), ("a - ", "")}),
        ("a // b", {(" // b", "")}),
        ("(a + b) * (c)", {(" * (c)", ""), ("(a + b) * ", ""), (" + b", ""), ("a + ", "")}),
        ("a and b and c", {("a and ", ""), (" and b", ""), (" and c", "")}),
        ("[a, b]", {("a, ", ""), (", b", "")}),
        ("{a: b, **c}", {("a: b, ", ""), (", **c", "")}),
        ("(a, b)", set()),
        ("f(a, b)", {("a, b", "b, a")}),
        ("f('a', b)", set()),
        ("max(a, b)", set()),
        ("wiring.connect(m, a, b)", {("m, a", "a, m")}),
        ("a.b(a.c, d)", {("a.c, d", "d, a.c")}),
        ("a.b or a.c", {("a.b or ", ""), (" or a.c", ""), ("b", "c"), ("c", "b")}),
        ("b if a else c", {("a", "not (a)")}),
        ("[b for b in c if a]", {("a", "not (a)")}),
        ("m.If(a)", {("a", "(a) == 0")}),
    ],
)  # fmt: skip
def test_errors(source, expected):
    assert changes(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        '"""1 < 2"""',
        "def f(a: A | B) -> C | D: pass",
        "a: dict[1, 2]",
        "raise ValueError(f'{a + b}', a - b)",
        "assert a < b",
        "f'{a + 1}'",
        "def __repr__(self): return a + b",
        "__all__ = ['a', 'b']",
        "import a, b",
        "@d(1)\ndef f(): pass",
        "port = In(1)",
        "with doing(a + b): pass",
    ],
)
def test_what_is_left_alone(source):
    """Messages, texts that are only shown, and types."""
    assert changes(source) == set()


def test_a_mutant_says_its_lines():
    source = b"def f(a):\n    # first\n    return [\n        a,\n        b,\n    ]\n"
    dropped = {one.before: (one.line, one.after, one.applied_to(source)) for one in mutants_of("file.py", source)}
    whole = source.replace(b"a,\n        b,", b"a,")
    assert dropped["a, b,"] == (4, "a,", whole)


def test_one_wider_register_is_no_error():
    assert ("1", "2") not in changes("Signal(range(a + 1))")
    assert ("1", "0") in changes("Signal(range(a + 1))")


def test_the_choice_is_repeatable_and_that_of_other_lines():
    """Catches a choice that is another one after a line was added above."""
    source = b"def f(a, b):\n    return a + 1 < b - 2\n\ndef g(a):\n    return a - 3 or a + 4\n"
    longer = b"import os\n\n" + source
    candidates = [{"file.py": mutants_of("file.py", text)} for text in (source, source, longer)]
    first, again, below = ([(one.before, one.after) for one in chosen(one, 5, 1)] for one in candidates)
    assert first == again == below and len(set(first)) == 5
    assert first != [(one.before, one.after) for one in chosen(candidates[0], 5, 2)]


def test_every_file_has_some_and_no_more_than_there_are():
    few, many = mutants_of("few.py", b"a < b"), mutants_of("many.py", b"\n".join(b"a + b" for _ in range(20)))
    found = [one.path for one in chosen({"few.py": few, "many.py": many}, 10, 1)]
    assert found == ["few.py", *["many.py"] * 9]
    assert len(chosen({"few.py": few, "many.py": many}, 1000, 1)) == 1 + len(many)


def test_the_table_names_files_that_exist_and_equivalents_that_are_mutants():
    table = Table.read(TABLE)
    for path, tests in table.tests.items():
        assert (ROOT / path).is_file() and tests, path
        for test in tests:
            file, _, name = test.partition("::")
            assert (ROOT / file).is_file(), test
            assert not name or f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), test
    of_equivalents = {path for path, _, _ in table.equivalents}
    assert of_equivalents <= table.tests.keys()
    assert all(table.candidates(ROOT, of_equivalents).values())


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Sources with one file and its tests, which need no plugins, and what to give the command for them."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "small.py").write_text("def most(a, b):\n    return a if a > b else b\n")
    (folder / "test_small.py").write_text(
        "from small import most\n\ndef test_most():\n    assert (most(1, 2), most(2, 1)) == (2, 2)\n"
    )
    (folder / "table.toml").write_text('[tests]\n"small.py" = ["test_small.py"]\n')
    return folder, ["--root", str(folder), "--table", str(folder / "table.toml"), "--jobs", "1"]


EQUIVALENT = """
[[equivalent."small.py"]]
before = "return a if a > b else b"
after = "return a if a >= b else b"
reason = "They are the same where they are equal."
"""


def test_a_mutant_that_no_test_finds_is_a_failure(capsys, small):
    """It is shown with its place; one that a test finds is not, and the sources are as they were."""
    folder, given = small
    before = (folder / "small.py").read_text()
    record = folder / "record.json"
    assert main([*given, "--json", str(record)]) == 1
    out = capsys.readouterr().out
    survivors = out[out.index("survivors:") :]
    assert "small.py:2\n    - return a if a > b else b\n    + return a if a >= b else b" in survivors
    assert survivors.count("small.py:2") == 1 and "   1 of   2  killed, 50.0%" in survivors
    assert sorted(one["outcome"] for one in json.loads(record.read_text())) == ["failed", "passed"]
    assert (folder / "small.py").read_text() == before


def test_an_equivalent_is_no_mutant_and_a_stale_one_an_error(capsys, small):
    folder, given = small
    table = folder / "table.toml"
    table.write_text(table.read_text() + EQUIVALENT)
    assert main(given) == 0
    out = capsys.readouterr().out
    assert "no survivors" in out and "   1 of   1  killed, 100.0%" in out and "not counted: 1 " in out
    (folder / "small.py").write_text("def most(a, b):\n    return b if a < b else a\n")
    with pytest.raises(ValueError, match="^equivalent mutant of small.py must be one of its mutants, not "):
        main(given)
    table.write_text(table.read_text().replace("They are the same where they are equal.", " "))
    with pytest.raises(ValueError, match="^equivalent mutant of small.py must have a reason"):
        main(given)


def test_tests_that_fail_without_a_mutant_kill_none(small):
    folder, given = small
    (folder / "test_small.py").write_text("def test_wrong():\n    assert False\n")
    with pytest.raises(RuntimeError, match="^tests of small.py must pass without a mutant, and failed"):
        main(given)
    (folder / "test_small.py").write_text("")
    with pytest.raises(RuntimeError, match="and no tests"):
        main(given)


def test_nothing_is_left_of_one_that_is_ended(tmp_path, small):
    """Of a mutant that hangs neither the process nor the copy of the sources stays."""
    folder, given = small
    (folder / "small.py").write_text("def forever(a):\n    return a > 1\n")
    (folder / "test_small.py").write_text(
        "import os, pathlib, time\n\nfrom small import forever\n\n\ndef test_hangs():\n"
        f"    if forever(1):\n        pathlib.Path({str(tmp_path / 'pid')!r}).write_text(f'{{os.getpid()}}\\n')\n"
        "        time.sleep(3600)\n"
    )
    (tmp_path / "temporary").mkdir()
    process = start(
        *(sys.executable, "-m", "tests.support.mutations", *given),
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path / "temporary")},
        stdout=subprocess.PIPE,
    )
    until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().endswith("\n"), process)
    process.terminate()
    process.communicate()
    assert process.returncode == 143
    assert not list((tmp_path / "temporary").iterdir())
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        ("time.sleep(3600)", None),
        ("subprocess.run(['sleep', '3600'])", None),
        ("while time.process_time() < 1.2: pass\nprint('through')", b"begun\nthrough\n"),
    ],
    ids=["asleep", "asleep in a child", "busy"],
)
def test_a_deadlock_is_told_from_a_slow_run(program, printed):
    """Catches a limit in seconds of the clock, by which a run that others keep from the processor would be a hang."""
    program = f"import subprocess, time\nprint('begun', flush=True)\n{program}"
    with start(sys.executable, "-c", program, stdout=subprocess.PIPE, start_new_session=True) as process:
        try:
            assert output_of(process, 0.5) == printed
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def test_quick_tests_are_those_of_make_test():
    assert f'-m "{QUICK}"' in (Path(ROOT) / "Makefile").read_text()


def test_some_of_what_make_mutate_does():
    """In a process of its own, as a test would run within a test: a mutant, which a test finds."""
    command = [sys.executable, "-m", "tests.support.mutations", "--only", "groundwork/digest", "--count", "1"]
    found = subprocess.run([*command, "--jobs", "1"], cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "   1 of   1  killed, 100.0%" in found.stdout
