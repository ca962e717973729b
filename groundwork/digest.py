"""The digest of what something was made from, by which it is found again."""

from collections.abc import Iterable
import functools
import hashlib
from importlib import metadata
import json
from pathlib import Path
from typing import Any

__all__ = ["digest", "rooms", "source_digest", "versions"]


_PACKAGE = Path(__file__).parent.parent


def digest(*values: Any) -> str:
    """The digest of JSON values, as 24 hexadecimal digits; the order of keys in an object does not count."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:24]


def rooms() -> dict[str, Path]:
    """The folder of each package directly in fatcube; in a checkout most are links, to the folders beside fatcube."""
    return {path.parent.name: path.parent for path in sorted(_PACKAGE.glob("*/__init__.py"))}


@functools.cache
def source_digest(*names: str) -> str:
    """The digest of all Python files in these packages of fatcube, and below them; without names, in all of them."""
    files = (path for name in names or rooms() for path in sorted((_PACKAGE / name).rglob("*.py")))
    return digest(*((str(path.relative_to(_PACKAGE)), path.read_text(encoding="utf-8")) for path in files))


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The version of each of these packages that is installed; those of an extra may not be."""
    found = {}
    for name in packages:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found
