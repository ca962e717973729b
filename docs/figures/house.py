"""Draws house.svg: the rooms of the sources, and which of them imports which.

``python docs/figures/house.py`` in a clone reads the imports of all modules and writes the picture again.
"""

import ast
from pathlib import Path

__all__ = ["house"]


_ROOT = Path(__file__).resolve().parents[2]
_ROOMS = {
    "groundwork": "validation, options, files, caches, records",
    "rtl": "the hardware that ships with a design",
    "noc": "networks, topologies, routings, Verilog",
    "schedules": "collectives, bounds, searches, checker",
    "sim": "runs on the RTL, traffic, boards",
    "synth": "synthesis, place and route, area model",
    "testing": "parts of cocotb tests",
    "reports": "tables, figures, pages",
    "studies": "sweeps, choices, comparisons",
    "papers": "claims of four papers, and verdicts",
    "cli": "a file for each command",
}
"""The rooms in the order in which they may import each other, and what lives there."""

_WIDE, _HIGH, _STEP, _LEFT, _TOP = 390, 40, 56, 16, 16
_COLOURS = {  # as in fatcube/reports/templates/palette.css, light and dark
    "page": ("#ffffff", "#0f141b"),
    "ink": ("#1c2430", "#e6ecf4"),
    "soft": ("#55606e", "#a9b6c6"),
    "box": ("#e9eef5", "#1b2431"),
    "way": ("#66768c", "#7d8da2"),
}


def imported() -> dict[str, set[str]]:
    """For each room the others that its modules import, in functions too."""
    found: dict[str, set[str]] = {}
    for room in _ROOMS:
        names: set[str] = set()
        for path in (_ROOT / "fatcube" / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("fatcube."):
                    names.add(node.module.split(".")[1])
                elif isinstance(node, ast.ImportFrom) and node.module == "fatcube":
                    names |= {alias.name for alias in node.names}
        found[room] = (names & _ROOMS.keys()) - {room}
    return found


def house(imports: dict[str, set[str]]) -> str:
    """The picture as SVG: a room is a box, and an arc leads from it up to each room that it ``imports``."""
    places = {room: _TOP + _STEP * number for number, room in enumerate(_ROOMS)}
    high = _TOP + _STEP * len(_ROOMS)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 {high}" width="620" font-family="system-ui, sans-serif" font-size="13">',
        "<title>The rooms of the sources, and which of them imports which</title>",
        "<style>",
        *_rules(0),
        "@media screen and (prefers-color-scheme: dark) {",
        *_rules(1),
        "}",
        "</style>",
        f'<rect width="620" height="{high}" class="page" fill="currentColor"/>',
    ]
    for room, others in imports.items():
        for other in sorted(others, key=list(_ROOMS).index):
            start, end, edge = places[room] + 14, places[other] + 26, _LEFT + _WIDE
            reach = edge + 24 + 0.32 * abs(start - end)
            parts.append(
                f'<path d="M{edge} {start}C{reach:g} {start} {reach:g} {end} {edge} {end}" class="way" fill="none" '
                f'stroke="currentColor" stroke-width="1.3"><title>{room} imports {other}</title></path>'
            )
    for room, text in _ROOMS.items():
        y = places[room]
        parts.append(
            f'<rect x="{_LEFT}" y="{y}" width="{_WIDE}" height="{_HIGH}" rx="4" class="box" fill="currentColor"/>'
        )
        parts.append(
            f'<text x="{_LEFT + 12}" y="{y + 25}" class="ink" fill="currentColor" font-weight="600">{room}</text>'
        )
        parts.append(f'<text x="{_LEFT + 106}" y="{y + 25}" class="soft" fill="currentColor">{text}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _rules(dark: int) -> list[str]:
    return [f".{name} {{ color: {colours[dark]}; }}" for name, colours in _COLOURS.items()]


if __name__ == "__main__":
    (Path(__file__).parent / "house.svg").write_text(house(imported()), encoding="utf-8")
