"""Results of two checkouts of fatcube, compared: Verilog, schedules, checks, choices.

    python -m tests.support.compare_checkouts PATH [PATH]

Each checkout runs the same command lines in a process of its own; what differs is printed, and the exit status is 1 if
anything does. Of Verilog, comments and white space do not count, and names may be others if each is another one
everywhere: those are printed. Of a record the numbers of what was measured count, to twelve digits.
"""

from collections import Counter
import json
from pathlib import Path
import re
import subprocess
import sys
import tempfile
from typing import Any

from fatcube.rtl.router_options import RouterOptions

__all__ = ["main"]


_SHAPES = (
    ["-d", "1"],
    ["-d", "2"],
    ["-d", "2", "-m", "2"],
    ["-d", "2", "-m", "3", "-f", "2"],
    ["-d", "3", "-m", "2"],
    ["--topology", "hypercube", "-d", "3"],
    ["--topology", "ccc", "-n", "3"],
    ["--topology", "dense-ghc", "-w", "3", "-d", "1"],
    ["--topology", "sparse-ghc", "-w", "3", "-d", "2"],
)
_MODELS = ("1", "b", "d", "*")
_OPTIONS = (
    ["--width", "48"],
    ["--buffer-depth", "1"],
    ["--buffer-depth", "8"],
    ["--pipeline", "2"],
    ["--hops", "2"],
    ["--turns", "all"],
    ["--turns", "forward"],
    ["--counters"],
)
_CHECKOUT = "@checkout"
_COLLECTIVES = ("OAB", "OAS", "AOG", "AOR", "AAB", "AAR", "AAS", "all-reduce")

# Runs command lines one after the other and writes what each printed; knows nothing of how fatcube is laid out.
_RUN = """
import contextlib, io, json, pathlib, sys
from fatcube import cli
found = []
for line in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        sys.argv = ["fatcube", *line]
        try:
            cli.main()
            status = 0
        except SystemExit as stop:
            status = stop.code or 0
    files = {path.name: path.read_text() for path in pathlib.Path().iterdir()}
    for name in files:
        pathlib.Path(name).unlink()
    found.append([status, files.popitem()[1] if files else out.getvalue(), err.getvalue() if status else ""])
json.dump(found, sys.__stdout__)
"""


def command_lines() -> list[list[str]]:
    """The commands to run: Verilog of 63 configurations, schedules of every shape, model and collective, and a choice."""
    lines = [["generate", "router", *shape, "--ports", model] for shape in _SHAPES for model in _MODELS]
    lines += [
        ["generate", "router", "-d", "2", "-m", "2", "--ports", model, *option]
        for option in _OPTIONS
        for model in ("1", "d")
    ]
    lines += [["generate", "network", *shape, "--ports", "d"] for shape in _SHAPES[:6]]
    lines += [["generate", "system", "-d", "1", "-m", "2", "--ports", model] for model in ("1", "b", "d")]
    lines += [
        ["schedule", *shape, "--ports", model, "-c", collective, "-o", "schedule.json"]
        for shape in _SHAPES[1:]
        for model in _MODELS
        for collective in _COLLECTIVES
    ]
    results = f"{_CHECKOUT}/synth_reports/study.jsonl"
    workload = ["--processors", "64", "--workload", "alltoall:4,allgather:1"]
    lines += [["explore", *workload, "--results", results, "--json", "explore.json"]]
    return lines


_DEFAULTS = RouterOptions().to_json()

# Of Verilog as Yosys writes it. What is in none of the groups but the first is compared as it stands.
_TOKENS = re.compile(r"""("(?:\\.|[^"])*"|\d*'s?[bdh][0-9a-fxz?_]+|\d+)|(\\\S+|[A-Za-z_$][\w$]*)|(\S)""")


def compared(line: list[str], output: str) -> Any:
    """The part of an output that counts."""
    if line[0] == "generate":
        output = re.sub(r"/\*.*?\*/|//[^\n]*", "", output, flags=re.DOTALL)
        return [match.group() for match in _TOKENS.finditer(output)]
    if line[0] == "explore":
        return _numbers(json.loads(output)["measured"]["front"])
    return output


def _numbers(value: Any) -> Any:
    """A JSON value without keys of records, and without options that have their default: there may be new ones."""
    if isinstance(value, dict):
        return {
            key: _numbers(inner)
            for key, inner in value.items()
            if not key.endswith("_from") and (key not in _DEFAULTS or inner != _DEFAULTS[key])
        }
    if isinstance(value, list):
        return [_numbers(inner) for inner in value]
    return float(f"{value:.12g}") if isinstance(value, float) else value


def renamed(one: list[str], other: list[str]) -> dict[str, str] | None:
    """The names that differ between two texts that are the same but for names, or ``None`` if they differ in more."""
    if len(one) != len(other):
        return None
    there: dict[str, str] = {}
    back: dict[str, str] = {}
    for old, new in zip(one, other, strict=True):
        if old != new and not (_TOKENS.fullmatch(old)[2] and _TOKENS.fullmatch(new)[2]):
            return None
        if there.setdefault(old, new) != new or back.setdefault(new, old) != old:
            return None
    return {old: new for old, new in there.items() if old != new}


def outputs(checkout: Path, lines: list[list[str]]) -> list[tuple[int, Any]]:
    """Exit status and output of every command line in that checkout, and the files that it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.run(
            [sys.executable, "-c", _RUN],
            input=json.dumps(lines).replace(_CHECKOUT, str(checkout)),
            cwd=folder,
            env={"PYTHONPATH": str(checkout)},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return [
        (status, compared(line, out) if status == 0 else err)
        for line, (status, out, err) in zip(lines, json.loads(process.stdout), strict=True)
    ]


def main() -> None:
    """Compares the checkouts that the command line names; one alone is compared with this one."""
    checkouts = [Path(path).resolve() for path in sys.argv[1:]]
    if len(checkouts) == 1:
        checkouts.append(Path(__file__).resolve().parents[2])
    lines = command_lines()
    first, second = (outputs(checkout, lines) for checkout in checkouts)
    names: Counter[tuple[str, str]] = Counter()
    different = 0
    for line, one, other in zip(lines, first, second, strict=True):
        if one == other:
            continue
        changed = renamed(one[1], other[1]) if line[0] == "generate" and one[0] == other[0] == 0 else None
        if changed is None:
            print(f"differs: fatcube {' '.join(line)}")
            different += 1
        else:
            names.update(changed.items())
    for (old, new), count in sorted(names.items()):
        print(f"renamed in {count}: {old} -> {new}")
    refused = sum(status != 0 for status, _ in second)
    print(f"{len(lines)} command lines, {refused} refused, {different} differ, {len(names)} names changed")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
