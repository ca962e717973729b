"""Throws bad input at fatcube and says what went wrong: `make fuzz`, and for some seconds `make test`.

    python -m tests.support.fuzzing schedules --seed 1 --count 1000
    python -m tests.support.fuzzing processes:2 schedules:600 imports:400
    python -m tests.support.fuzzing all

Whatever comes in, the answer is exit status 0, 1 or 2, in one line where the input is bad, within 10 seconds of processor
time and 2 GB, with no traceback, and nothing is left behind. What breaks that is printed with the input that does;
status 1. What sleeps for 10 seconds has stopped; what waits for a processor that others have is waited for. A machine may
be slow, so `make test` has ``--seconds`` after which a computation counts as hanging.
"""

import argparse
import concurrent.futures
import contextlib
import functools
import io
import itertools
import json
import os
from pathlib import Path
import random
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from xml.etree import ElementTree

from fatcube import cli
from fatcube.groundwork.progress import be_quiet
from fatcube.noc.network_files.keys import KEYS
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.generalized import SparseGHC
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.formats.msccl_writer import msccl_xml
from fatcube.schedules.participants import Participants
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.schedule_file import schedule_to_json, write_schedule
from fatcube.schedules.step_model import StepModel
from fatcube.studies.results import Results, write_records
from tests.support.asleep import Watch, of_family, of_this_thread
from tests.support.children import start
from tests.support.damage import mutate_json, mutate_json_lines, mutate_sqlite, mutate_xml, spoil_bytes
from tests.support.special_files import FULL, NULL

#: How much `make fuzz` throws of each kind, and in how many parts, each with a seed of its own.
ALL = {
    "schedules": 100_000,
    "imports": 50_000,
    "sweeps": 100_000,
    "network_files": 10_000,
    "results": 100_000,
    "command_lines": 10_000,
    "processes": 100,
}
PARTS = 10
SECONDS = 10  # of processor time for an answer, unless the command line says otherwise
BYTES = 2 << 30
ROOT = Path(__file__).parents[2]
SIX_POINTS = ROOT / "tests" / "data" / "six_points.toml"

#: What stands in the folder of a command line and is no regular file, with the type of its mode. Nothing may replace it.
SPECIAL = {
    "null": stat.S_IFCHR,
    "full": stat.S_IFCHR,
    "fifo": stat.S_IFIFO,
    "link": stat.S_IFLNK,
    "link-to-null": stat.S_IFLNK,
    "dangling": stat.S_IFLNK,
    "loop": stat.S_IFLNK,
}


class TooLong(BaseException):
    """No answer in time; not an exception that anything of fatcube's catches."""


def answer(arguments, seconds=SECONDS):
    """The exit status of a command line run in this process, what it printed, and what is wrong with that, if anything."""
    out, err = io.StringIO(), io.StringIO()
    wrong = []
    watch = Watch(of_this_thread)

    def too_long(number, frame):
        # Of the processor: a machine that does something else too is no fault of ours. What sleeps is ended as well.
        if number == signal.SIGPROF or watch.asleep(seconds):
            raise TooLong

    before = {number: signal.signal(number, too_long) for number in (signal.SIGPROF, signal.SIGALRM)}
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = cli.run(list(map(str, arguments)))
    except TooLong:
        status, wrong = None, [f"no answer within {seconds} s"]
    except BaseException as error:
        status, wrong = None, [f"{type(error).__name__}: {error}"[:300]]
    finally:
        for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL):
            signal.setitimer(timer, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
    return status, err.getvalue(), wrong + judge(status, err.getvalue())


def judge(status, err):
    """The problems with the end of a command, besides time and memory."""
    wrong = []
    if status not in (None, 0, 1, 2):
        wrong.append(f"exit status {status}")
    if "Traceback" in err:
        wrong.append(f"a traceback: {err[-300:]}")
    lines = err.splitlines()
    if status == 2 and not (len(lines) == 1 and lines[0].startswith("fatcube: ") and len(lines[0]) < 2000):
        wrong.append(f"{len(lines)} lines for bad input: {err[:300]!r}")
    return wrong


def make_special(folder):
    """Make what is :data:`SPECIAL`, where it is not there: devices of our own, as far as that is permitted."""
    for name, numbers in (("null", NULL), ("full", FULL)):
        with contextlib.suppress(OSError):
            os.mknod(folder / name, stat.S_IFCHR | 0o666, os.makedev(*numbers))
    with contextlib.suppress(FileExistsError):
        os.mkfifo(folder / "fifo")
    for name, target in (("link", "schedule.json"), ("link-to-null", "null"), ("dangling", "new"), ("loop", "loop")):
        with contextlib.suppress(FileExistsError):
            (folder / name).symlink_to(target)


def replaced(folder):
    """The files of :data:`SPECIAL` that have changed, where they were made: a message for each."""
    kinds = {path.name: stat.S_IFMT(path.lstat().st_mode) for path in folder.iterdir() if path.name in SPECIAL}
    return [f"{name} was replaced" for name, kind in kinds.items() if kind != SPECIAL[name]]


@contextlib.contextmanager
def attended(fifo):
    """Within it, a writer to ``fifo`` finds a reader, and a reader finds end of file at once."""
    os.mkfifo(fifo)
    done = threading.Event()

    def attend():
        reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        while not done.wait(0.01):
            with contextlib.suppress(BlockingIOError):
                while os.read(reader, 1 << 16):
                    pass
            os.close(os.open(fifo, os.O_WRONLY | os.O_NONBLOCK))  # A process that waits to read sees an end.
        os.close(reader)

    thread = threading.Thread(target=attend, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


STEPS = (
    "--half-duplex",
    "--one-partner",
    "--dedicated-ports",
    "--links simplex",
    "--transfers adjacent",
    "--per-packet 1",
    "--per-packet unlimited",
    "--port-use send-or-receive",
)

# What is thrown. Each yields (description, arguments) without end.


def schedules(rng, folder):
    """Mutated schedule files, checked and viewed."""
    texts = []
    for topology, ports, collective in (
        (FatCube(1, 2, 1), "d", "AAB"),
        (Hypercube(2), "1", "AAS"),
        (FatCube(2, 1, 2), "b", "OAB"),
        (SparseGHC(3, 1), "1", "AOR"),
    ):
        made = construct(Problem(topology, ports, Collective.parse(collective))).schedule
        texts += [schedule_to_json(made), schedule_to_json(made.expanded())]
    model = StepModel(transfers="direct", links="simplex", per_packet=2)
    hops = Transfer(1, 0, 3, (0, 3), path=[(1, 0), (3, 0)]), Transfer(1, 0, 3, (0, 2), path=[(1, 0), (3, 0)])
    later = Transfer(2, 0, 1, (0, 1), 0), Transfer(2, 3, 2, (0, 2), 0)
    texts.append(schedule_to_json(Schedule(Hypercube(2), "1", "OAS", 0, [*hops, *later], model=model)))
    broken = damaged(FatCube(2, 1, 2), ["lane:0-1:0", "lane:3-2:1:out", "node:1"])
    texts += [schedule_to_json(construct(Problem(broken, "d", one, None)).found) for one in ("AAB", "all-reduce")]
    some = Participants((0, 1), (2, 3)), Participants((1, 2), (1, 2))
    texts += [schedule_to_json(construct(Problem(Hypercube(2), "1", "AAS", None, among=among)).found) for among in some]
    roots = Participants(homes=(0, 3))
    texts.append(schedule_to_json(construct(Problem(Hypercube(2), "d", "all-reduce", among=roots)).found))
    texts = [json.dumps(text) for text in texts]
    file = folder / "schedule.json"
    while True:
        text = rng.choice(texts)
        for _ in range(rng.choice((1, 1, 2, 4))):
            try:
                content = mutate_json(rng, text) if rng.random() < 0.9 else spoil_bytes(rng, text.encode())
            except ValueError:
                break  # it is no JSON any more
            if isinstance(content, bytes):
                break
            text = content
        content = content if isinstance(content, bytes) else content.encode(errors="surrogatepass")
        file.write_bytes(content)
        options = rng.sample(STEPS, rng.choice((0, 0, 0, 1, 2)))
        words = [word for option in options for word in option.split()]
        command = ["view", file, "-o", folder / "page.html"] if rng.random() < 0.02 else ["check", file, *words]
        yield content, command


def imports(rng, folder):
    """Mutated schedules of other programs, imported."""
    cases = (Hypercube(2), "d", "AAB"), (FatCube(1, 2, 1), "1", "AAS"), (Hypercube(2), "d", "all-reduce")
    made = [
        construct(Problem(*one, 0 if one[2] == "AOR" else None)).found for one in (*cases, (Hypercube(2), "1", "AOR"))
    ]
    texts = [ElementTree.tostring(msccl_xml(one), encoding="unicode") for one in made]
    texts += [re.sub(r' at="[0-9]+"', "", text) for text in texts]
    chains = [[(root + hop) % 3 for hop in range(3)] for root in range(3)]
    sends = ["".join(f'<send src="{a}" dst="{b}" path="{a},{b}"/>' for a, b in zip(one, one[1:])) for one in chains]
    trees = "".join(f'<tree root="{n}" index="0" nchunks="2" height="2">{one}</tree>' for n, one in enumerate(sends))
    texts.append(f'<Algo nchunkspernode="2">{trees}</Algo>')
    hops = [(root, one[hop], one[hop + 1], hop) for root, one in enumerate(chains) for hop in range(2)]
    flows = [f"Chunk 0 from {o} traveled over {a}->{b} in epoch {e}" for o, a, b, e in hops]
    json_text = json.dumps({"1-Epoch_Duration": 1.0, "7-Flows": flows})
    file = folder / "foreign"
    while True:
        if rng.random() < 0.2:
            content = mutate_json(rng, json_text)
        else:
            content = mutate_xml(rng, rng.choice(texts))
        content = content if isinstance(content, bytes) else content.encode(errors="surrogatepass")
        file.write_bytes(content)
        words = rng.choice(([], [], [], ["--format", "msccl"], ["-c", "all-reduce"], ["--topology", "hypercube"]))
        words = [*words, *rng.choice(([], ["--ports", "d"], *(one.split() for one in STEPS)))]
        yield content, ["import", file, "-o", folder / "schedule.json", *words]


#: What stands behind a key of TOML.
_VALUES = (
    "1",
    "0",
    "-1",
    "3.5",
    "true",
    '"1"',
    '"d"',
    '"AAB"',
    "[]",
    "[1, 2]",
    "[[1]]",
    "{}",
    "{a = 1}",
    "9" * 30,
    "9" * 5000,
    "nan",
    "inf",
    '""',
    '"x"',
    "1979-05-27",
    "[1, 1]",
    '["AAB", "OAB"]',
    "16",
    "12",
    "100000",
    "[" * 2000,
    "'link:0-1'",
    "['node:1', 'lane:0-1:0:out,processor:1', 'none']",
    "'hypercube'",
    "'ccc'",
    "'dense-ghc'",
    "'sparse-ghc'",
    "'butterfly'",
    "'3,2'",
    f"[{', '.join(map(str, range(1, 400)))}]",
)


def sweeps(rng, folder):
    """Mutated sweep files."""
    file = folder / "sweep.toml"
    keys = (
        *("format", "points", "topology", "topology_file", "failed", "failures", "d", "m", "f", "n", "k", "w"),
        *RouterOptions.names(),
        *("collective", "root", "payload_flits", "family", "seeds", "fmax", "unknown"),
    )
    for content in _mutated_toml(rng, SIX_POINTS.read_text(), keys):
        file.write_bytes(content)
        yield content, ["sweep", file, "--dry-run"]


def network_files(rng, folder):
    """Mutated network files."""
    file = folder / "network.toml"
    base = 'format = "fatcube.network-file/1"\ntopology = "mesh"\nw = 2\nd = 2\nwidth = 32\ninterface = "axi4-stream"\n'
    for content in _mutated_toml(rng, base, ("format", "unknown", *KEYS)):
        file.write_bytes(content)
        yield content, ["generate", "network", file, "--dry-run"]


def _mutated_toml(rng, base, keys):
    """A text of TOML with some lines changed, again and again."""
    while True:
        lines = base.splitlines()
        for _ in range(rng.choice((1, 1, 2, 5))):
            kind = rng.choice(("set", "set", "set", "drop", "bytes", "twice"))
            index = rng.randrange(len(lines)) if lines else 0
            if kind == "set" or not lines:
                lines.insert(index, f"{rng.choice(keys)} = {rng.choice(_VALUES)}")
            elif kind == "drop":
                del lines[index]
            elif kind == "twice":
                lines.insert(index, lines[index])
            else:
                lines[index] = spoil_bytes(rng, lines[index].encode() or b" ").decode(errors="replace")
        content = "\n".join(lines).encode()
        if rng.random() < 0.05:
            content = spoil_bytes(rng, content or b" ")
        yield content


def results(rng, folder):
    """Mutated results files, as SQLite and as JSON lines."""
    records = [json.loads(line) for line in (ROOT / "synth_reports" / "study.jsonl").read_text().splitlines()[1:9]]
    whole, database, damaged = folder / "whole.jsonl", folder / "whole.sqlite", folder / "damaged"
    write_records(whole, records)
    with Results(database) as store:
        for record in records:
            store.put(record["key"], record["parameters"], record=record)
    text = whole.read_text()
    while True:
        if rng.random() < 0.5:
            damaged.write_bytes(mutate_json_lines(rng, text))
        else:
            mutate_sqlite(rng, database, damaged)
        yield damaged.read_bytes()[:200], ["explore", "--processors", rng.choice((8, 16, 64)), "--results", damaged]


_WORDS = (
    "",
    " ",
    "x",
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "8",
    "12",
    "16",
    "17",
    "64",
    "-1",
    "1.5",
    "nan",
    "inf",
    "-inf",
    "1e309",
    "100000",
    "10000000",
    str(10**12),
    str(10**30),
    "9" * 5000,
    "1,2,3",
    "1,1",
    ",",
    "é",
    "\x1b[31m",
    "a" * 300,
    "--help",
    "-",
    "true",
    "../x",
    ".",
    "folder/../x",
    "no/such/folder/x",
    "folder",
    "null",
    "full",
    "fifo",
    "link",
    "link-to-null",
    "dangling",
    "loop",
    "file.json",
    "out.json",
    "schedule.json",
)
_GOOD = {
    "--failed": (
        "link:0-1",
        "link:0-1:out,node:3",
        "lane:0-1:0,lane:1-0:0:out",
        "processor:1,processor:1",
        "node:0,node:1",
        "none",
    ),
    "--topology": (
        "fat-cube",
        "hypercube",
        "oriented-cube",
        "butterfly",
        "wrapped-butterfly",
        "ccc",
        "dense-ghc",
        "sparse-ghc",
        "mesh",
        "torus",
        "ring",
        "star",
        "tree",
    ),
    "--ports": ("1", "b", "d", "*"),
    "--collective": tuple(one.value for one in Collective),
    "--family": ("ecp5", "ice40", "gowin", "xilinx", "gates", "osu018"),
    "-d": ("1", "2", "3"),
    "-m": ("1", "2"),
    "-f": ("1", "2"),
    "-n": ("2", "3"),
    "-k": ("2", "3", "4"),
    "-w": ("2", "3", "2,3", "3,2,2", "3,3"),
    "--turns": ("used", "forward", "all"),
    "--mode": ("lockstep", "dataflow", "both"),
    "--transfers": ("adjacent", "direct"),
    "--links": ("full-duplex", "half-duplex", "simplex"),
    "--per-packet": ("1", "2", "unlimited"),
    "--port-use": ("one-partner", "send-or-receive"),
    "--from": ("0", "0,2-3"),
    "--to": ("1", "1-3"),
    "--subset": ("0,1", "0-3", "3-0"),
    "--by": ("hamiltonian", "two-phase", "gather-scatter", "a2", "a7", "circuit", "nrsbt-alternative", "list"),
    "--along": ("sbt", "nesbt", "tcbt"),
    "--order": ("postorder", "reverse-breadth-first"),
    "--item": ("Theorem 1", "table 1"),
    "--liberty": ("cells.lib", "file.json", "fifo", "null"),
    "--workload": ("alltoall:4,allgather:1", "broadcast"),
    "--jobs": ("1", "2"),
    "--payload-flits": ("4,8,16", "16"),
    "--routing": ("default", "a1", "dimension-order", "dateline", "shortest-path", "up-down", "none"),
    "--routing-file": ("file.json", "schedule.json"),
    "--lanes": ("fixed", "by-source", "in-turn"),
    "--addressing": ("auto", "route", "destination"),
    "--message-classes": ("1", "2"),
    "--virtual-channels": ("2", "4"),
    "--buffer-depth": ("4", "8"),
    "--interface": ("flits", "axi4-stream"),
    "--port-widths": ("8", "8,64", "12"),
    "--user-bits": ("1", "4"),
    "--store-packets": ("2", "9"),
    "--switching": ("wormhole", "circuit"),
    "--pattern": ("uniform", "transpose", "hot-spot"),
    "--loads": ("0.1,0.5", "1"),
    "--format": ("auto", "msccl", "forestcoll", "te-ccl"),
}
_LIBRARY = """library(one) { cell (A) { area : 4; pin(X) { direction : input; } pin(Y) { direction : input; }
  pin(Z) { direction : output; function : "!(X Y)"; } }
  cell (F) { area : 9; ff(IQ, IQN) { clocked_on : "C"; next_state : "D"; } } }
"""
_FILES = ("schedule.json", "file.json", SIX_POINTS.name, "fifo", "link")
#: Commands that build, search or place: here they check everything and stop.
DRY = (
    "generate router",
    "generate network",
    "generate system",
    "describe",
    "schedule",
    "simulate",
    "synthesize",
    "run-testbench",
    "board build",
    "board simulate",
    "load",
    "sweep",
    "reproduce",
    "audit",
    "compare",
    "models",
    "faults",
    "large",
    "curves",
    "gaps",
)


def command_lines(rng, folder):
    """Random command lines: every command, every option, with values that make sense and values that do not."""
    good = construct(Problem(FatCube(1, 2, 1), "d", Collective.AAB)).schedule
    commands = cli.commands()
    while True:
        for path in folder.iterdir():
            if path.name not in SPECIAL:
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        (folder / "folder").mkdir()
        shutil.copy(SIX_POINTS, folder / SIX_POINTS.name)
        make_special(folder)
        (folder / "file.json").write_text("{}")
        (folder / "cells.lib").write_text(_LIBRARY)
        (folder / "net.toml").write_text('format = "fatcube.network-file/1"\nd = 1\n')
        write_schedule(good, folder / "schedule.json")
        name = rng.choice((*commands, *DRY)) if rng.random() < 0.99 else rng.choice(_WORDS)
        line = name.split() or [name]  # No command at all gets the help.
        if name in commands:
            for option in commands[name].params:
                if option.param_type_name == "argument":
                    chance = 0.9
                else:
                    chance = 0.5 if option.required else 0.2
                if rng.random() < chance and "--dry-run" not in option.opts:
                    line += with_value(rng, option)
        if (
            name in DRY or name in ("view", "export") and not {*_FILES} & {*line}
        ):  # Without a file they build a schedule.
            line.append("--dry-run")
        elif name == "report" and "-o" not in line:
            line += ["-o", "out"]
        yield line, line


def with_value(rng, option):
    """An option of a command with a value, or an argument of it, as words."""
    if option.param_type_name == "argument":
        choices = {
            "name": ("ulx3s-85f", "icebreaker", "arty-a7-35"),
            "network_file": ("net.toml", "file.json", "schedule.json", "fifo", "link"),
            "networks": ("mesh:2x2", "hypercube:2,m=2", "msh:2", "ring:4", "net.toml", "file.json", "fifo", "link"),
            "signal": ("free0", "fat_node_router.allocator.free1", "a/b[0]"),
            "paper": ("fat-cube", "ccc", "ghc", "spanning-graphs"),
            "files": ("schedule.json", "missing.v", "fifo", "link"),
            "file": _FILES,
            "schedule_file": _FILES,
        }[option.name]
        return [rng.choice(choices if rng.random() < 0.8 else _WORDS)]
    flag = rng.choice((*option.opts, *option.secondary_opts))
    if option.is_flag:
        return [flag]
    good = next((_GOOD[one] for one in option.opts if one in _GOOD), None)
    return [flag, rng.choice(good if good and rng.random() < 0.7 else _WORDS)]


@contextlib.contextmanager
def thrown_in():
    """The folder that commands run in, which is in one of its own: ``..`` leads to nothing of the machine's."""
    with tempfile.TemporaryDirectory() as outer:
        folder = Path(outer, "folder")
        folder.mkdir()
        with attended(folder / "fifo"):
            yield str(folder)


def run_here(kind, seed, count, seconds):
    """Throws ``count`` of a kind within this process; returns what was wrong."""

    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    rng, bad, statuses = random.Random(seed), [], {}
    with thrown_in() as name:
        os.chdir(name)
        for number, (what, arguments) in zip(range(count), kind(rng, Path(name))):
            status, err, wrong = answer(arguments, seconds)
            statuses[status] = statuses.get(status, 0) + 1
            wrong += replaced(Path(name))
            hidden = [path.name for path in Path(name).iterdir() if path.name.startswith(".")]
            if hidden:
                wrong.append(f"left behind: {hidden}")
            if wrong:
                bad.append(
                    f"number {number}: {' '.join(map(str, arguments))[:300]}: {'; '.join(wrong)}\n    {what!r:.300}"
                )
        os.chdir(ROOT)
    print(
        f"{kind.__name__}, seed {seed}: {count} thrown, ended with {statuses}; {len(bad)} wrong; at most "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB"
    )
    return bad


def run_processes(seed, count, limit, *, most=10):
    """Throws ``count`` command lines, each at a process of its own, which ends after ``most`` times the limit of its
    processor time at the latest; returns what was wrong."""
    rng, bad, slowest, largest = random.Random(seed), [], 0.0, 0
    with thrown_in() as name:
        lines = command_lines(rng, Path(name))
        for number in range(count):
            _, arguments = next(lines)
            arguments = [argument.replace("\0", "") for argument in map(str, arguments)]
            with open(Path(name, ".err"), "w+") as err:
                process = start(
                    *(sys.executable, "-m", "fatcube", *arguments),
                    cwd=name,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=err,
                    env={**os.environ, "PYTHONPATH": str(ROOT)},
                    preexec_fn=functools.partial(resource.setrlimit, resource.RLIMIT_CPU, (int(most * limit),) * 2),
                )
                asleep = False
                watch, looks = Watch(functools.partial(of_family, process.pid)), int(100 * limit)
                for look in itertools.count(1):
                    if (ended := os.wait4(process.pid, os.WNOHANG))[0]:
                        break
                    if look % looks == 0 and watch.asleep(limit):
                        process.kill()
                        asleep = True
                    time.sleep(0.01)
                status, usage = os.waitstatus_to_exitcode(ended[1]), ended[2]
                process.returncode = status
                err.seek(0)
                text = err.read()
            Path(name, ".err").unlink()
            wrong = judge(status, text) + replaced(Path(name))
            if asleep:
                wrong.append(f"asleep for {limit} s")
            # Time of the processor, as above.
            seconds = usage.ru_utime + usage.ru_stime
            slowest, largest = max(slowest, seconds), max(largest, usage.ru_maxrss << 10)
            if seconds > limit:
                wrong.append(f"{seconds:.1f} s")
            if usage.ru_maxrss << 10 > BYTES:
                wrong.append(f"{usage.ru_maxrss >> 10} MB")
            if wrong:
                bad.append(f"number {number}: {' '.join(arguments)[:300]}: {'; '.join(wrong)}")
    print(f"processes, seed {seed}: {count} thrown; {len(bad)} wrong; at most {slowest:.1f} s and {largest >> 20} MB")
    return bad


def run_all():
    """Throws everything that `make fuzz` throws, by two processes; returns what ended with a status other than 0."""
    runs = [(kind, seed, count // PARTS) for kind, count in ALL.items() for seed in range(1, PARTS + 1)]

    def throw(run):
        kind, seed, count = run
        return subprocess.run(
            [sys.executable, "-m", "tests.support.fuzzing", kind, "--seed", str(seed), "--count", str(count)], cwd=ROOT
        ).returncode

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return [run for run, status in zip(runs, pool.map(throw, runs)) if status]


def _kind(text):
    """The value of ``KIND[:COUNT]``."""
    kind, _, count = text.partition(":")
    if kind not in (*ALL, "all"):
        raise argparse.ArgumentTypeError(f"kind must be one of {', '.join(ALL)} or all, not {kind!r}")
    return kind, int(count) if count else None


def main():
    """Throws what the command line says, prints what was wrong, and exits with 1 if anything was."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="+", type=_kind, metavar="KIND[:COUNT]", help=f"of {', '.join(ALL)}; or all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=SECONDS)
    given = parser.parse_args()
    be_quiet()  # On a loaded machine anything can take seconds, and would say so.
    bad = []
    # What is run here limits the memory of this process, and so of all that it starts.
    for kind, count in sorted(given.kinds, key=lambda one: one[0] != "processes"):
        number = given.count if count is None else count
        if kind == "all":
            bad += run_all()
        elif kind == "processes":
            bad += run_processes(given.seed, number, given.seconds)
        else:
            bad += run_here(globals()[kind], given.seed, number, given.seconds)
    for one in bad[:40]:
        print(one)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
