"""The digest of what something was made from, by which it is found again."""

from collections.abc import Iterable
import functools
import hashlib
from importlib import metadata
import json
from pathlib import Path
from typing import Any

__all__ = ["digest", "source_digest", "versions"]


def digest(*values: Any) -> str:
    """The digest of JSON values, as 24 hexadecimal digits; the order of keys in an object does not count."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:24]


@functools.cache
def source_digest(*rooms: str) -> str:
    """The digest of all Python files in these folders of fatcube, and in the folders below them."""
    root = Path(__file__).resolve().parent.parent
    files = (path for room in rooms for path in sorted((root / room).rglob("*.py")))
    return digest(*((str(path.relative_to(root)), path.read_text(encoding="utf-8")) for path in files))


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The version of each of these packages that is installed; those of an extra may not be."""
    found = {}
    for name in packages:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found
