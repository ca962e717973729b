"""Words that users write for others: of options, of commands, and of what options take. It imports nothing of the rooms."""

from collections.abc import Collection
import difflib
import errno
from pathlib import Path
import re

__all__ = ["hinted", "meant", "meant_option", "said_of_file"]


#: Options of other programs, and those here that mean the same, with a value if they need one; the first that a command has counts.
_OPTIONS = {
    "--algorithm": ("--by",),
    "--axi": ("--interface axi4-stream",),
    "--axi4-stream": ("--interface axi4-stream",),
    "--axis": ("--interface axi4-stream",),
    "--cocotb": ("--with cocotb",),
    "--concentration": ("-m",),
    "--cycles": ("--measured",),
    "--data-width": ("--width",),
    "--depth": ("--buffer-depth",),
    "--device": ("--family",),
    "--dim": ("-d",),
    "--dimensions": ("-d",),
    "--fifo-depth": ("--buffer-depth",),
    "--file": ("-o", "--schedule"),
    "--flit-width": ("--width",),
    "--fpga": ("--family",),
    "--height": ("-w",),
    "--injection-rate": ("--loads",),
    "--length": ("--packet-flits", "--payload-flits"),
    "--load": ("--loads",),
    "--lanes": ("-f",),
    "--nodes": ("-w", "-d", "--processors"),
    "--out": ("-o",),
    "--output": ("-o",),
    "--packet-length": ("--packet-flits",),
    "--packet-size": ("--packet-flits", "--payload-flits"),
    "--rate": ("--loads",),
    "--result": ("--json",),
    "--size": ("-w", "-d", "--processors"),
    "--target": ("--family",),
    "--tb": ("--with testbench",),
    "--testbench": ("--with testbench",),
    "--traffic": ("--pattern",),
    "--vc": ("--virtual-channels",),
    "--vcd": ("--waves",),
    "--vcs": ("--virtual-channels",),
    "--vhdl": ("--with vhdl",),
    "-h": ("--help",),
    "-n": ("-d",),
    "-o": ("--json",),
    "-p": ("--processors",),
    "-v": ("--version",),
}
_WORDS = {
    "artix": "xilinx",
    "artix7": "xilinx",
    "axi": "axi4-stream",
    "axi4": "axi4-stream",
    "axis": "axi4-stream",
    "bench": "load",
    "benchmark": "load",
    "dor": "dimension-order",
    "fpga": "board",
    "help": "--help",
    "iverilog": "icarus",
    "plot": "draw",
    "random": "uniform",
    "run": "simulate",
    "sim": "simulate",
    "synth": "synthesize",
    "tb": "testbench",
    "test": "simulate",
    "validate": "check",
    "verify": "check",
    "version": "--version",
    "xy": "dimension-order",
    "yosys": "synthesize",
    "7-series": "xilinx",
}
_ONE_OF = re.compile(r"must be one of (?P<words>.+), not '(?P<value>[^']*)'$")
_SIDES = re.compile(r"^topology must be one of .+, not '(?P<kind>mesh|torus):(?P<value>\d+(?:x\d+)+)'$")
_TIMES = re.compile(r"comma-separated integers, not '(?P<value>\d+(?:x\d+)+)'$")


def meant(word: str, words: Collection[str], *, alike: bool = True) -> str | None:
    """The one of ``words`` that may have been meant by another word, if there is one: one that looks ``alike``, too."""
    known = {one.lower(): one for one in words}
    small = word.lower()
    if (other := _WORDS.get(small, small)) in known or not alike:
        return known.get(other)
    begun = [one for text, one in known.items() if small and text.startswith(small)]
    near = difflib.get_close_matches(small, known, 1)
    return begun[0] if len(begun) == 1 else known[near[0]] if near else None


def meant_option(option: str, options: Collection[str]) -> str | None:
    """The one of ``options`` that may have been meant by another one, with a value where it needs that."""
    for other in _OPTIONS.get(option, ()):
        if other.partition(" ")[0] in options:
            return other
    near = difflib.get_close_matches(option, [one for one in options if one.startswith("--")], 1, 0.8)
    return near[0] if near else None


def hinted(text: str) -> str:
    """A message, and at its end the word that may have been meant if it lists several."""
    if found := _TIMES.search(text):
        return f"{text}; did you mean {found['value'].replace('x', ',')}?"
    if found := _SIDES.search(text):
        return f"{text}; did you mean {found['kind']} -w {found['value'].replace('x', ',')}?"
    if found := _ONE_OF.search(text):
        word = meant(found["value"], re.split(", | or ", found["words"]))
        return text if word is None else f"{text}; did you mean {word}?"
    return text


def said_of_file(error: OSError) -> str:
    """An error of the system as a message, which names the file and, where there is none, another one with such a name."""
    if error.filename is None or error.strerror is None:
        return str(error)
    if error.errno == errno.EISDIR:
        return f"file must be a file, not the folder '{error.filename}'"
    if error.errno != errno.ENOENT:
        return f"{error.strerror}: '{error.filename}'"
    path = Path(str(error.filename))
    text = f"file must be one that exists, not '{path}'"
    try:
        files = {one.stem: one.name for one in sorted(path.parent.iterdir(), key=lambda one: one.suffix == path.suffix)}
    except OSError:
        return text
    alike = difflib.get_close_matches(path.stem, files, 1)
    near = [one for one in alike if Path(files[one]).suffix == path.suffix or one == path.stem]
    return f"{text}; did you mean {path.with_name(files[near[0]])}?" if near and path.name else text
