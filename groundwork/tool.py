"""Outside tools, each run in a child process and a directory of its own; nothing is left behind.

An error in Yosys ends the process that it happens in, so no tool is run inside ours.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
import contextlib
import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

from fatcube.groundwork.validation import check_integer

__all__ = ["ToolError", "Call", "Finished", "environment", "run_tools"]

#: An error as Yosys, Verilator and compilers write it, and the two of Icarus Verilog that are written otherwise.
_ERROR = re.compile(r"error(-[A-Z]+)?: |: syntax error$|: Include file .* not found$", re.IGNORECASE)


class ToolError(Exception):
    """A tool failed, or its result is not one that may be believed.

    The message is one line, the tool's own where it gave one.

    Members
    -------
    log : :class:`str`
        All that the tool printed; empty if it was not the tool that complained.
    """

    def __init__(self, message: str, *, log: str = "") -> None:
        super().__init__(message)
        self.log = log


@dataclasses.dataclass(frozen=True)
class Call:
    """One run of a tool.

    Members
    -------
    name : :class:`str`
        The tool's name, for messages.
    command : :class:`tuple` of :class:`str`
        The program and its arguments.
    files : mapping of :class:`str` to :class:`str`
        Names and texts of the files that it finds in its working directory.
    outputs : :class:`tuple` of :class:`str`
        Names of the files that it writes there.
    folder : path or ``None``
        Its working directory, if that is not to be a new one that is removed when it has ended.
    environment : mapping of :class:`str` to :class:`str`
        Environment variables that it has besides ours.
    """

    name: str
    command: tuple[str, ...]
    files: Mapping[str, str] = dataclasses.field(default_factory=dict)
    outputs: tuple[str, ...] = ()
    folder: pathlib.Path | None = None
    environment: Mapping[str, str] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Finished:
    """The output of a tool: ``log``, which it printed, and the texts of the files that it was to write, by name."""

    log: str
    outputs: Mapping[str, str]


def run_tools(calls: Iterable[Call], *, jobs: int = 1, advance: Callable[[], None] = lambda: None) -> list[Finished]:
    """Run ``calls``, at most ``jobs`` of them at a time, and return a :class:`Finished` for each, in order.

    ``advance`` is called whenever one has finished.

    Whether it returns, fails or is interrupted by Ctrl-C, no process and no temporary file is left.

    Raises
    ------
    ToolError
        If a tool fails; those still running are stopped.
    ParameterError
        If ``jobs`` is not a positive integer.
    """
    check_integer("synthesis jobs", jobs, minimum=1)
    waiting = list(enumerate(calls))
    finished: dict[int, Finished] = {}
    running: list[tuple[int, Call, subprocess.Popen[bytes], pathlib.Path]] = []
    with contextlib.ExitStack() as stack:
        while waiting or running:
            while waiting and len(running) < jobs:
                index, call = waiting.pop(0)
                running.append((index, call, *stack.enter_context(_started(call))))
            time.sleep(0.02)
            for entry in running[:]:
                index, call, process, directory = entry
                if process.poll() is not None:
                    finished[index] = _result(call, process.returncode, directory)
                    running.remove(entry)
                    advance()
    return [finished[index] for index in sorted(finished)]


@contextlib.contextmanager
def _started(call: Call) -> Iterator[tuple[subprocess.Popen[bytes], pathlib.Path]]:
    with tempfile.TemporaryDirectory(prefix="fatcube-") as name:
        directory = pathlib.Path(name)
        work = call.folder or directory / "work"
        work.mkdir(exist_ok=True)
        for file, text in call.files.items():
            (work / file).write_text(text)
        with open(directory / "log", "wb") as log:
            # A tool starts others (Yosys starts abc) and makes temporary files of its own. A group of
            # their own lets us stop all of them, and TMPDIR has the files removed with our directory.
            process = subprocess.Popen(
                call.command,
                cwd=work,
                env={**os.environ, **call.environment, "TMPDIR": name},
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            yield process, directory
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _result(call: Call, returncode: int, directory: pathlib.Path) -> Finished:
    log = (directory / "log").read_text(errors="replace")
    if returncode:
        for line in log.splitlines():
            if _ERROR.search(line):
                raise ToolError(line.strip(), log=log)
        end = f"signal {-returncode}" if returncode < 0 else f"status {returncode}"
        last = (log.strip().splitlines() or ["nothing"])[-1]
        raise ToolError(f"{call.name} ended with {end}; its last output was: {last}", log=log)
    outputs = {}
    for name in call.outputs:
        file = (call.folder or directory / "work") / name
        if not file.exists():
            raise ToolError(f"{call.name} did not write {name}", log=log)
        outputs[name] = file.read_text()
    return Finished(log, outputs)


@contextlib.contextmanager
def environment(changes: Mapping[str, str | None]) -> Iterator[None]:
    """Within it, environment variables have these values; ``None`` stands for no such variable."""
    before = {name: os.environ.get(name) for name in changes}
    try:
        _set(changes)
        yield
    finally:
        _set(before)


def _set(variables: Mapping[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
