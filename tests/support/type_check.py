"""The type check of the sources, by basedpyright, made again only where something that it reads has changed.

    python -m tests.support.type_check

It reads the sources, the stubs, its configuration in ``pyproject.toml`` and the installed packages, all of which are in
the key under which the cache keeps that it has passed. The exit status is that of basedpyright, or 0 if it passed before.
"""

from collections.abc import Callable
from importlib import metadata
from pathlib import Path
import subprocess
import sys
import tomllib
from typing import Any

from fatcube.groundwork.cache import Cache, cache_folder
from fatcube.groundwork.digest import digest

__all__ = ["checked", "main", "read_by"]


ROOT = Path(__file__).resolve().parents[2]


def read_by(root: Path) -> list[Any]:
    """Everything that the result of a check of the sources under ``root`` depends on."""
    configuration = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["basedpyright"]
    folders = [*configuration["include"], configuration["stubPath"]]
    files = sorted(
        (str(path.relative_to(root)), path.read_text(encoding="utf-8"))
        for folder in folders
        for pattern in ("*.py", "*.pyi", "py.typed")
        for path in (root / folder).rglob(pattern)
    )
    packages = sorted({f"{one.name} {one.version}" for one in metadata.distributions()})
    return [configuration, digest(files), packages, sys.version]


def checked(root: Path, cache: Cache, check: Callable[[], int]) -> int:
    """The exit status of ``check``, or 0 if it has been that before with all that it reads."""
    key = read_by(root)
    if cache.find(key):
        print("basedpyright: passed before with the same sources, stubs, configuration and packages")
        return 0
    status = check()
    if status == 0:
        cache.look_up(key, lambda: True)
    return status


def main() -> int:
    """Run the command; the exit status."""
    command = [str(Path(sys.executable).with_name("basedpyright"))]
    return checked(ROOT, Cache(cache_folder() / "types"), lambda: subprocess.run(command, cwd=ROOT).returncode)


if __name__ == "__main__":
    sys.exit(main())
