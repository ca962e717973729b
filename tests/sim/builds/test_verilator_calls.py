"""The calls of Verilator, the compiler and the linker; they are replaced by something that writes them down."""

import dataclasses
import os
from pathlib import Path

import pytest

from fatcube.groundwork.digest import versions
from fatcube.groundwork.tool import Call, Finished, ToolError
from fatcube.sim.builds import verilator

CXX = "/bin/c++"


@pytest.fixture
def calls(monkeypatch, tmp_path):
    """The calls of tools, each with its jobs; the cache is empty, and the compiler has a known name and version."""
    made = []

    def run_tools(these: list[Call], *, jobs=1, advance=lambda: None):
        for call in these:
            made.append((call, jobs))
            advance()
            if "-o" in call.command:
                (call.folder / call.command[call.command.index("-o") + 1]).write_text("compiled")
        return [Finished("a compiler", {}) for _ in these]

    monkeypatch.setattr(verilator, "run_tools", run_tools)
    monkeypatch.setattr(verilator, "_compiler", lambda: CXX)
    monkeypatch.setattr(os, "sched_getaffinity", {0: range(3)}.__getitem__)
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "cache"))
    verilator._compiler_version.cache_clear()
    yield made
    verilator._compiler_version.cache_clear()


def compiled(calls):
    """The calls that are neither those of headers nor of the version of the compiler."""
    return [one for one in calls if "c++-header" not in one[0].command and "--version" not in one[0].command]


INCLUDE = verilator.home("verilator") / "include"


@pytest.mark.parametrize("waves", [False, True])
def test_verilator(calls, tmp_path, waves):
    for name in ("Vnode.cpp", "Vnode__1.cpp", "Vnode.h", "Vtop.cpp"):
        (tmp_path / name).touch()
    sources = [tmp_path / "a.vlt", tmp_path / "a.v"]
    found = verilator.verilate(tmp_path, sources, top="node", prefix="Vnode", waves=waves)
    assert found == [tmp_path / "Vnode.cpp", tmp_path / "Vnode__1.cpp"]
    [(call, _)] = calls
    home = verilator.home("verilator")
    assert (home / "bin" / "verilator_bin").is_file() and (home / "include" / "verilated.h").is_file()
    assert call == Call(
        "Verilator",
        (
            str(home / "bin" / "verilator_bin"),
            *verilator.VERILATOR,
            *(["--trace-vcd", "--trace-structs"] if waves else []),
            *("--top-module", "node", "--prefix", "Vnode", "-Mdir", str(tmp_path), *map(str, sources)),
        ),
        folder=tmp_path,
        environment={"VERILATOR_ROOT": str(home)},
    )


@pytest.mark.parametrize("waves", [False, True])
def test_objects(calls, tmp_path, waves):
    """Each by a call of its own, as many at a time as there are processors, with the headers that are compiled once."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for path, size in ((elsewhere / "small.cpp", 10), (elsewhere / "large.cpp", 20)):
        path.write_text("x" * size)
    work = tmp_path / "work"
    work.mkdir()
    sources = [elsewhere / "small.cpp", elsewhere / "large.cpp"]
    verilator.compile_objects(work, sources, what="it", includes=[elsewhere], waves=waves)
    assert sorted(path.name for path in work.iterdir()) == ["large.o", "small.o"]
    [headers] = (tmp_path / "cache" / "headers").iterdir()
    common = (CXX, *verilator._COMPILER, f"-I{INCLUDE}", f"-I{INCLUDE / 'vltstd'}")
    assert compiled(calls) == [
        (
            Call(
                "the C++ compiler",
                (
                    *(*common, f"-I{elsewhere}", f"-I{work}", "-include", str(headers / "headers.h"), "-O1"),
                    *(("-include", str(headers / "waves.h")) if waves else ()),
                    *("-c", str(elsewhere / f"{name}.cpp"), "-o", f"{name}.o"),
                ),
                folder=work,
            ),
            3,
        )
        for name in ("large", "small")
    ]
    [of_headers] = [call for call, _ in calls if "c++-header" in call.command]
    assert of_headers.command == (*common, "-O1", "-x", "c++-header", "headers.h", "-o", "headers.h.gch")
    assert {path.name for path in headers.iterdir()} == {"headers.h", "headers.h.gch", "waves.h"}
    names = ("verilated.h", "verilated_syms.h", "verilated_vpi.h", "verilated_dpi.h", "svdpi.h")
    assert (headers / "headers.h").read_text() == "".join(f'#include "{name}"\n' for name in names)
    assert (headers / "waves.h").read_text() == (
        "#undef VM_TRACE\n#define VM_TRACE 1\n#undef VM_TRACE_VCD\n#define VM_TRACE_VCD 1\n"
    )


def test_what_verilator_wrote_is_compiled_together(monkeypatch, tmp_path):
    """By hand: at most ten bytes at a time, the largest first; what runs once comes last and is not optimised."""
    monkeypatch.setattr(verilator, "_MOST", 10)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    sizes = {"a.cpp": 3, "b__Slow.cpp": 7, "c.cpp": 12, "d__Trace__0.cpp": 2, "e.cpp": 2, "Slower.cpp": 1}
    for name, size in sizes.items():
        (tmp_path / name).write_text("x" * size)
    (elsewhere / "main.cpp").write_text("x")
    found = verilator._together(tmp_path, [*(tmp_path / name for name in sizes), elsewhere / "main.cpp"])
    # c is too large to stand with others, and main is not in the folder; b with a is 10; the rest is 5.
    assert [path.name for path in found] == ["together0.cpp", "together1.cpp", "together2.cpp", "main.cpp"]
    assert found[3] == elsewhere / "main.cpp"
    texts = [path.read_text() for path in found if path.parent == tmp_path]
    assert texts == [
        '#include "c.cpp"\n',
        '#include "a.cpp"\n#pragma GCC optimize ("O0")\n#include "b__Slow.cpp"\n',
        '#include "e.cpp"\n#include "Slower.cpp"\n#pragma GCC optimize ("O0")\n#include "d__Trace__0.cpp"\n',
    ]


@pytest.mark.parametrize("waves", [False, True])
def test_the_library(calls, tmp_path, waves):
    """All its files once, those of waves in a folder of their own."""
    folders = verilator.library(waves=waves)
    assert verilator.library(waves=waves) == folders
    names = [sorted(path.stem for path in folder.glob("*.o")) for folder in folders]
    plain = ["verilated", "verilated_dpi", "verilated_threads", "verilated_vpi"]
    assert names == [plain, ["verilated_vcd_c"]][: 1 + waves]
    assert len(compiled(calls)) == 4 + waves
    assert all(folder.parent == tmp_path / "cache" / "library" for folder in folders)
    assert {Path(call.command[-3]).parent for call, _ in compiled(calls)} == {INCLUDE}


@pytest.mark.parametrize("cocotb", [True, False])
def test_the_linker(calls, tmp_path, cocotb):
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder, names in zip(folders, (("z.o", "y.o", "y.d"), ("x.o",))):
        folder.mkdir()
        for name in names:
            (folder / name).touch()
    how = {} if cocotb else {"cocotb": False}
    verilator.link(tmp_path / "program", folders, **how)
    libraries = verilator.home("cocotb") / "libs"
    assert (libraries / "libcocotbvpi_verilator.so").is_file()
    python = ("-rdynamic", f"-L{libraries}", "-lcocotbvpi_verilator")
    objects = tuple(str(tmp_path / name) for name in ("a/y.o", "a/z.o", "b/x.o"))
    command = (CXX, *objects, *(python if cocotb else ()), "-pthread", "-o", str(tmp_path / "program"))
    assert calls == [(Call("the linker", command, folder=tmp_path), 1)]


#: What an object depends on besides what is compiled.
CHANGED = {"VERILATOR": ["--other"], "LEVEL": "O2", "_ONCE": "other", "_COMPILER": ["-other"], "_TOOLS": ("cocotb",)}


def test_the_key(calls, monkeypatch):
    """It depends on the options, on the versions of the tools, and on what the compiler says of itself, asked once."""
    first = verilator.key("a")
    assert len({first, verilator.key("b"), verilator.key("a", "b")}) == 3 and verilator.key("a") == first
    assert [dataclasses.astuple(call)[:2] for call, _ in calls] == [("the C++ compiler", (CXX, "--version"))]
    for name, value in CHANGED.items():
        with monkeypatch.context() as patched:
            patched.setattr(verilator, name, value)
            assert verilator.key("a") != first, name
    monkeypatch.setattr(verilator, "versions", lambda tools: {**versions(tools), "cocotb": "other"})
    assert verilator.key("a") != first


def test_the_compiler(monkeypatch, tmp_path):
    """The compiler of $CXX if there is such a program, or the first that is installed."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    asked = verilator._compiler.__wrapped__
    with pytest.raises(
        ToolError, match=r"^a C\+\+ compiler must be installed to simulate with Verilator: c\+\+, g\+\+, "
    ):
        asked()
    for name in ("clang++", "g++", "c++"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
        assert asked() == str(tmp_path / name)
    monkeypatch.setenv("CXX", "clang++")
    assert asked() == str(tmp_path / "clang++")
    monkeypatch.setenv("CXX", "nothing")
    assert asked() == str(tmp_path / "c++")


def test_progress_counts_what_is_compiled(calls, monkeypatch, tmp_path):
    seen = []

    class Recorded:
        def __init__(self, what, total):
            seen.append((what, total))

        def __enter__(self):
            return self

        def __exit__(self, *ending):
            seen.append("end")

        def advance(self):
            seen.append("one")

    verilator._headers()
    monkeypatch.setattr(verilator, "Bar", Recorded)
    (tmp_path / "elsewhere").mkdir()
    sources = [tmp_path / "elsewhere" / name for name in ("a.cpp", "b.cpp")]
    for source in sources:
        source.touch()
    verilator.compile_objects(tmp_path, sources, what="two")
    assert seen == [("compiling two", 2), "one", "one", "end"]
