"""The places of the cells of a design after place and route, by the part of the design to which they belong."""

from collections import Counter
from collections.abc import Iterator, Mapping
import json
from pathlib import Path
import re

__all__ = ["PARTS", "places"]


PARTS = {
    "routers": r"board\.system\.node\d+\.router\.",
    "processors": r"board\.system\.node\d+\.",
    "serial link": r"board\.bridge_",
    "the rest": "",
}
"""The parts, each with the prefix of its cells' names; a cell belongs to the first part that matches."""


def places(file: Path) -> Mapping[tuple[int, int], Counter[str]]:
    """The cells of each part at each place of the chip, column and row, from the JSON that nextpnr writes."""
    found: dict[tuple[int, int], Counter[str]] = {}
    for name, place in _cells(file):
        part = next(part for part, pattern in PARTS.items() if re.match(pattern, name))
        found.setdefault(place, Counter())[part] += 1
    return found


def _cells(file: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Every cell with its column and row."""
    modules = json.loads(file.read_text())["modules"]
    for module in modules.values():
        for name, cell in module["cells"].items():
            if place := re.match(r"X(\d+)/Y(\d+)/", cell["attributes"].get("NEXTPNR_BEL", "")):
                yield name, (int(place[1]), int(place[2]))
