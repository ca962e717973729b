"""Verilator and the C++ compiler: Verilog becomes C++, C++ becomes objects, and these a program that cocotb drives.

Verilator's own makefiles are not used: they take a path with a space for two, compile Verilator's library and its
headers anew for every program, and need make.
"""

from collections.abc import Iterable, Sequence
import functools
import importlib.util
import os
from pathlib import Path
import shutil

from fatcube.groundwork.cache import cached_folder
from fatcube.groundwork.digest import digest, versions
from fatcube.groundwork.progress import Bar
from fatcube.groundwork.tool import Call, ToolError, run_tools

__all__ = ["COCOTB_MAIN", "LEVEL", "VERILATOR", "compile_objects", "home", "key", "library", "link", "verilate"]


_TOOLS = ("cocotb", "verilator")
VERILATOR = "--cc --vpi -O3 --noassert --no-timing -Wno-fatal -Wno-WIDTH -Wno-MULTITOP -Wno-UNOPTFLAT --x-assign fast --x-initial fast".split()
_COMPILER = (
    "-std=gnu++20 -w -DVERILATOR=1 -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TIMING=0 -DVM_TRACE=0 -DVM_TRACE_VCD=0 "
    "-DVM_TRACE_FST=0 -DVM_TRACE_SAIF=0 -fcf-protection=none"
).split()
LEVEL = "O1"
"""The level of optimisation of what runs in every cycle. What runs once or writes waves is not optimised."""

_HEADERS = ("verilated.h", "verilated_syms.h", "verilated_vpi.h", "verilated_dpi.h", "svdpi.h")
_SHARED = "what all simulators share"
_LIBRARY = ("verilated.cpp", "verilated_dpi.cpp", "verilated_threads.cpp", "verilated_vpi.cpp")
_WAVES = ("verilated_vcd_c.cpp",)
_TIMING = ("verilated_timing.cpp",)
# Verilator's own headers do not test whether there are waves. So this comes after them, and they are the same either way.
_WITH_WAVES = "".join(f"#undef {name}\n#define {name} 1\n" for name in ("VM_TRACE", "VM_TRACE_VCD"))
# Bytes of files that Verilator wrote which are compiled together: a compiler needs half a second to read the headers, and as
# long for what 150,000 bytes say, or for more that is not optimised. What is larger is compiled at the same time.
_MOST = 1_200_000
_ONCE = '#pragma GCC optimize ("O0")\n'


def home(package: str) -> Path:
    """The folder that a package is installed in."""
    spec = importlib.util.find_spec(package)
    assert spec is not None and spec.origin is not None, package
    return Path(spec.origin).resolve().parent


COCOTB_MAIN = "share/lib/verilator/verilator.cpp"
"""The main program that cocotb has for Verilator, in its folder; it is compiled with the headers of the top module."""


def key(*source: object) -> str:
    """The digest of what is compiled, of the options it is compiled with, and of the tools."""
    return digest(*source, VERILATOR, LEVEL, _ONCE, _COMPILER, versions(_TOOLS), _compiler_version())


def verilate(
    folder: Path,
    sources: Sequence[Path],
    *,
    top: str | None,
    prefix: str,
    waves: bool = False,
    options: Sequence[str] = VERILATOR,
) -> list[Path]:
    """The C++ files, in ``folder``, of the class ``prefix`` that Verilator makes of the module ``top``.

    With ``waves``, as everywhere here, it can write the waves of all its signals. Without ``top``, the top module is the one
    that no other one instantiates.

    Raises
    ------
    ToolError
        If Verilator refuses the sources.
    """
    command = (
        str(home("verilator") / "bin" / "verilator_bin"),
        *options,
        *(["--trace-vcd", "--trace-structs"] if waves else []),
        *(["--top-module", top] if top is not None else []),
        *("--prefix", prefix, "-Mdir", str(folder)),
        *map(str, sources),
    )
    run_tools([Call("Verilator", command, folder=folder, environment={"VERILATOR_ROOT": str(home("verilator"))})])
    return sorted(folder.glob(f"{prefix}*.cpp"))


def compile_objects(
    folder: Path, sources: Iterable[Path], *, what: str, includes: Iterable[Path] = (), waves: bool = False
) -> None:
    """Compile the C++ files of ``what`` to objects in ``folder``, as many at a time as there are processors.

    Files in ``folder`` are compiled several at a time, which Verilator provides for, the largest first, so that no
    processor is left with it at the end.

    Raises
    ------
    ToolError
        If the compiler refuses one.
    """
    headers = _headers()
    _compile(
        folder,
        [
            [
                *(f"-I{path}" for path in (*includes, folder)),
                *("-include", str(headers / "headers.h"), f"-{LEVEL}"),
                *(("-include", str(headers / "waves.h")) if waves else ()),
                *("-c", str(source), "-o", f"{source.stem}.o"),
            ]
            for source in _together(folder, sources)
        ],
        what=what,
    )


def _together(folder: Path, sources: Iterable[Path]) -> list[Path]:
    """The sources, the largest first; those in ``folder`` included by as few files as :data:`_MOST` allows."""

    def size(paths: Iterable[Path]) -> int:
        return sum(path.stat().st_size for path in paths)

    groups: list[list[Path]] = []  # the files compiled at a time
    for source in sorted(sources, key=lambda source: size([source]), reverse=True):
        alike = (
            group for group in groups if source.parent == group[0].parent == folder and size([*group, source]) <= _MOST
        )
        if (group := next(alike, None)) is None:
            groups.append([source])
        else:
            group.append(source)
    found = []
    for number, group in enumerate(sorted(groups, key=size, reverse=True)):
        if group[0].parent != folder:
            found += group
            continue
        found.append(folder / f"together{number}.cpp")
        often, once = (
            "".join(f'#include "{source.name}"\n' for source in group if _runs_once(source) == wanted)
            for wanted in (False, True)
        )
        found[-1].write_text(often + (_ONCE + once if once else ""))
    return found


def library(*, waves: bool = False, timing: bool = False) -> list[Path]:
    """Folders with the objects of Verilator's own library, compiled once for all programs; ``timing``: for ``#`` delays."""

    def compiled(sources: Sequence[str]) -> Path:
        def make(folder: Path) -> None:
            include = home("verilator") / "include"
            compile_objects(folder, [include / source for source in sources], what=_SHARED)

        return cached_folder("library", key(sources), make)

    return [compiled(sources) for sources in (_LIBRARY, *([_WAVES] if waves else []), *([_TIMING] if timing else []))]


def link(program: Path, folders: Iterable[Path], *, cocotb: bool = True) -> None:
    """Link all objects in ``folders`` to a program; with ``cocotb``, Python is in it and finds its functions."""
    objects = [str(path) for folder in folders for path in sorted(folder.glob("*.o"))]
    python = ["-rdynamic", f"-L{home('cocotb') / 'libs'}", "-lcocotbvpi_verilator"] if cocotb else []
    arguments = [*objects, *python, "-pthread", "-o", str(program)]
    run_tools([Call("the linker", (_compiler(), *arguments), folder=program.parent)])


def _headers() -> Path:
    """A folder with Verilator's headers, compiled."""

    def make(folder: Path) -> None:
        (folder / "waves.h").write_text(_WITH_WAVES)
        (folder / "headers.h").write_text("".join(f'#include "{name}"\n' for name in _HEADERS))
        _compile(folder, [[f"-{LEVEL}", "-x", "c++-header", "headers.h", "-o", "headers.h.gch"]], what=_SHARED)

    return cached_folder("headers", key(_HEADERS, _WITH_WAVES), make)


def _compile(folder: Path, commands: Iterable[Sequence[str]], *, what: str) -> None:
    include = home("verilator") / "include"
    common = (_compiler(), *_COMPILER, f"-I{include}", f"-I{include / 'vltstd'}")
    calls = [Call("the C++ compiler", (*common, *command), folder=folder) for command in commands]
    with Bar(f"compiling {what}", len(calls)) as bar:
        run_tools(calls, jobs=len(os.sched_getaffinity(0)), advance=bar.advance)


def _runs_once(source: Path) -> bool:
    return source.stem.endswith("Slow") or "Trace" in source.stem


@functools.cache
def _compiler_version() -> str:
    [finished] = run_tools([Call("the C++ compiler", (_compiler(), "--version"))])
    return finished.log


@functools.cache
def _compiler() -> str:
    """The C++ compiler: that of ``$CXX``, or the system's."""
    for name in (os.environ.get("CXX", ""), "c++", "g++", "clang++"):
        if name and (found := shutil.which(name)):
            return found
    raise ToolError("a C++ compiler must be installed to simulate with Verilator: c++, g++, clang++ or that of $CXX")
