"""Where the modules and signals of written Verilog come from, as JSON, and the search for a name in it."""

from collections.abc import Iterator, Mapping
import functools
import inspect
import json
from pathlib import Path
import re
import sys
from typing import Any, Literal

from amaranth.hdl import Signal
from pydantic import TypeAdapter
from typing_extensions import TypedDict

from fatcube.groundwork.schema import validated
from fatcube.groundwork.strict.json_text import read_json
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.verilog.comments import members_of, purpose_of
from fatcube.noc.verilog.unit import Unit

__all__ = ["FORMAT", "SourceMap", "map_text", "module_source", "places_of", "read_map"]


FORMAT = "fatcube.map/1"
_MOST_KEYS = 1 << 20  # signals of a module
_MOST_BYTES = 1 << 28


class _Signal(TypedDict):
    name: str
    file: str | None
    line: int | None
    meaning: str


_Module = TypedDict(
    "_Module",
    {
        "class": str | None,
        "file": str | None,
        "line": int | None,
        "purpose": str,
        "signals": dict[str, _Signal],
        "instances": dict[str, str],
    },
)


class SourceMap(TypedDict):
    """The map of a file of Verilog: where each of its modules and signals comes from."""

    format: Literal["fatcube.map/1"]
    verilog: str
    top: str
    modules: dict[str, _Module]


_MAP = TypeAdapter(SourceMap)


def map_text(verilog: str, top: str, modules: Mapping[str, Any]) -> str:
    """The text of a map: of the file ``verilog``, whose modules are as of :func:`module_source`, by name."""
    return json.dumps({"format": FORMAT, "verilog": verilog, "top": top, "modules": modules}, indent=1) + "\n"


def read_map(path: Path) -> SourceMap:
    """The map in a file.

    Raises
    ------
    ParameterError
        If there is none in it; the message says where it is none.
    OSError
        If there is no such file, or it cannot be read.
    """
    make = functools.partial(validated, _MAP, name="map")
    return read_json(path, make, most=_MOST_BYTES, what="a map of Verilog", most_keys=_MOST_KEYS)


def module_source(origin: object, unit: Unit) -> dict[str, Any]:
    """The source of a module: its class and purpose, those of its signals, and the modules of its instances.

    Parameters
    ----------
    origin : elaboratable or ``None``
        The component that it was made of.
    unit : :class:`Unit`
        The written module.
    """
    meanings = members_of(type(origin)) if origin is not None else {}
    return {
        **_class_of(origin),
        "signals": {name: _signal(signal, meanings) for name, signal in sorted(unit.signals.items())},
        "instances": unit.instances,
    }


def _class_of(origin: object) -> dict[str, Any]:
    if origin is None:
        return {"class": None, "file": None, "line": None, "purpose": ""}
    one = type(origin)
    try:
        file, line = inspect.getsourcefile(one), inspect.getsourcelines(one)[1]
    except (OSError, TypeError):  # A class that was made at run time has no source.
        file = line = None
    return {
        "class": f"{one.__module__}.{one.__qualname__}",
        "file": _short(file),
        "line": line,
        "purpose": purpose_of(one),
    }


def _signal(signal: Signal, meanings: Mapping[str, str]) -> dict[str, Any]:
    file, line = signal.src_loc or (None, None)
    meaning = meanings.get(signal.name.partition("__")[0], "")
    return {"name": signal.name, "file": _short(file), "line": line, "meaning": meaning}


def _short(file: str | None) -> str | None:
    """The name of a source below the folder from which Python imports it, which names no place of this machine."""
    if file is None:
        return None
    path = Path(file)
    for root in sorted(sys.path, key=len, reverse=True):
        if root and path.is_relative_to(Path(root).resolve()):
            return path.relative_to(Path(root).resolve()).as_posix()
    return path.name


def places_of(name: str, about: SourceMap) -> list[dict[str, Any]]:
    """The places that a name of a waveform or a report means: the module, and the signal if the name is that of one.

    Parameters
    ----------
    name : :class:`str`
        A path, whose parts a dot, a slash or a bar separates, with or without what is above the top module; or one name, which may
        stand in several modules. What tools add to registers (``_reg``), bits and backslashes do not count.
    about : :class:`SourceMap`

    Raises
    ------
    ParameterError
        If nothing has that name.
    """
    parts = [part for part in re.split(r"[./|]", name.replace("\\", "").strip()) if part]
    plain = [re.sub(r"(_reg)?(\[\d+(:\d+)?\])*$", "", part) for part in parts]
    modules = about["modules"]
    for start in range(len(plain)):
        if found := _walk(modules, about["top"], plain[start:]):
            return [found]
    if plain and (found := list(_anywhere(modules, plain[-1]))):
        return found
    raise ParameterError(f"name must be that of a module, an instance or a signal of {about['top']}, not {name!r}")


def _walk(modules: Mapping[str, Any], module: str, parts: list[str]) -> dict[str, Any] | None:
    """The place of a path that begins in ``module``, or with its name."""
    if parts[0] == module:
        parts = parts[1:]
    for place, part in enumerate(parts):
        inner = modules[module]["instances"].get(part)
        if inner is None:
            known = part in modules[module]["signals"] and place == len(parts) - 1
            return _place(modules, module, part) if known else None
        module = inner
    return _place(modules, module, None)


def _anywhere(modules: Mapping[str, Any], name: str) -> Iterator[dict[str, Any]]:
    for module, source in modules.items():
        if name in source["signals"]:
            yield _place(modules, module, name)
        elif name == module:
            yield _place(modules, module, None)


def _place(modules: Mapping[str, Any], module: str, signal: str | None) -> dict[str, Any]:
    source = modules[module]
    unit = {key: source[key] for key in ("class", "file", "line", "purpose")}
    return {
        "module": module,
        **unit,
        "signal": None if signal is None else {"verilog": signal, **source["signals"][signal]},
    }
