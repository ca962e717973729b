"""`fatcube-yosys`: Yosys as pyosys brings it, with the command line that other programs expect of `yosys`.

Set the environment variable ``YOSYS`` to it, and `amaranth.back.verilog` and edalize use the Yosys that came with fatcube.
"""

import argparse
from collections.abc import Callable, Sequence
import functools

from pyosys import libyosys  # pyright: ignore[reportAttributeAccessIssue]  (a library without types)

__all__ = ["main"]


_READERS = {
    "blif": "read_blif",
    "il": "read_rtlil",
    "json": "read_json",
    "sv": "read_verilog -sv",
    "v": "read_verilog",
    "ys": "script",
}
_WRITERS = {"blif": "blif", "edif": "edif", "il": "rtlil", "json": "json", "sv": "verilog -sv", "v": "verilog"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run Yosys as a command line says.

    Files are read first, by their extensions, or the script on standard input for ``-``; then come scripts and commands, and at
    last the output is written. An error ends the process with status 1, as in Yosys itself.
    """
    parser = argparse.ArgumentParser(prog="fatcube-yosys", description="Yosys as pyosys brings it.", allow_abbrev=False)
    parser.add_argument("-V", "--version", action="store_true", help="print the version")
    parser.add_argument("-q", dest="quiet", action="count", default=0, help="print no log")
    parser.add_argument("-Q", "-T", dest="plain", action="count", help="accepted: there is no banner and no footer")
    parser.add_argument("-l", dest="log", metavar="FILE", help="write the log to this file, too")
    parser.add_argument("-s", dest="scripts", metavar="FILE", action="append", default=[], help="run a script")
    parser.add_argument(
        "-p", dest="commands", metavar="TEXT", action="append", default=[], help="run commands, or tcl FILE"
    )
    parser.add_argument(
        "-o", dest="output", metavar="FILE", help=f"write the design, by the extension: {', '.join(_WRITERS)}"
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="designs; - for a script on standard input")
    given = parser.parse_args(arguments)
    if given.version:
        print(libyosys.yosys_maybe_version())
        return
    for file, known in [*((file, _READERS) for file in given.files if file != "-"), (given.output or ".v", _WRITERS)]:
        if _extension(file) not in known:
            parser.error(f"the extension of {file} must be one of {', '.join(known)}")
    for file in filter(None, [*given.files, *given.scripts, given.log, given.output]):
        if any(map(str.isspace, file)):
            parser.error(f"the name of a file must have no blank, where Yosys ends a word, not {file!r}")
    tee = [*(["-q"] if given.quiet else []), *(["-a", given.log] if given.log else [])]
    if given.log:
        open(given.log, "w", encoding="utf-8").close()
    design = libyosys.Design()

    def run(line: str) -> None:
        design.run_pass(" ".join(["tee", *tee, line] if tee else [line]))

    for file in given.files:
        run("script /dev/stdin" if file == "-" else f"{_READERS[_extension(file)]} {file}")
    for file in given.scripts:
        run(f"script {file}")
    for line in given.commands:
        word, _, file = line.strip().partition(" ")
        if word == "tcl":
            _run_tcl(file.strip(), run)
        else:
            run(line)
    if given.output:
        run(f"write_{_WRITERS[_extension(given.output)]} {given.output}")


def _extension(file: str) -> str:
    return file.rpartition(".")[2]


def _run_tcl(file: str, run: Callable[[str], None]) -> None:
    """Run a Tcl script, which pyosys cannot do, with the Tcl of Python: words that Tcl does not know are commands of Yosys."""
    import tkinter  # which few commands need, and not every Python has

    tcl = tkinter.Tcl()

    def yosys(*words: str) -> None:
        if words != ("-import",):
            run(" ".join(words))

    tcl.createcommand("yosys", yosys)
    tcl.createcommand("unknown", lambda *words: run(" ".join(words)))
    for name in ("proc", "rename", "exec"):  # commands of Tcl, which `yosys -import` has under other names
        tcl.createcommand(f"{name}s", functools.partial(yosys, name))
    tcl.call("source", file)


if __name__ == "__main__":
    main()
