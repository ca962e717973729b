"""Draws overview.svg, the figure of the README: four networks of 16 processors, measured.

It reads the records that two commands write for each network::

    fatcube load --topology mesh -w 4 -d 2 --json mesh.load.json
    fatcube synthesize --topology mesh -w 4 -d 2 --json mesh.area.json

``python overview.py FOLDER`` reads NETWORK.load.json and NETWORK.area.json of every network in :data:`NETWORKS` from the
folder and prints the figure.
"""

import json
from pathlib import Path
import sys

NETWORKS = {
    "hypercube": ("hypercube of 16 nodes", "--topology hypercube -d 4", "first"),
    "torus": ("4 × 4 torus, 2 virtual channels", "--topology torus -w 4 -d 2", "second"),
    "mesh": ("4 × 4 mesh", "--topology mesh -w 4 -d 2", "third"),
    "fat-cube": ("fat cube d = 2, m = 4", "--topology fat-cube -d 2 -m 4", "fourth"),
}
"""For each network its label, its flags and the class of its colour."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 420, 40, 300  # of the axes, in pixels
_LOADS, _CYCLES = 0.5, 40  # where the axes end
_BELOW = (
    380  # pixels: where the networks are listed, under the curves, so that a narrow screen shows letters of 11 pixels
)
_COLOURS = {  # as in fatcube/reports/templates/palette.css, light and dark
    "page": ("#ffffff", "#0f141b"),
    "ink": ("#1c2430", "#e6ecf4"),
    "soft": ("#55606e", "#a9b6c6"),
    "rule": ("#dfe5ec", "#2f3b4c"),
    "first": ("#1f5fbf", "#7db0ff"),
    "second": ("#a21caf", "#e58bf0"),
    "third": ("#15803d", "#5fd38a"),
    "fourth": ("#b45309", "#f0a35a"),
}


def overview(records: dict[str, tuple[dict, dict]]) -> str:
    """The figure as SVG, from the records of load and of area of each network."""
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 440 634" width="560" fill="currentColor" font-family="system-ui, sans-serif" font-size="13">',
        "<title>Latency against offered load, area and clock of four networks of 16 processors</title>",
        "<style>",
        *_rules(0),
        "@media screen and (prefers-color-scheme: dark) {",
        *_rules(1),
        "}",
        "</style>",
        '<rect width="440" height="634" class="page"/>',
        f'<text x="{_LEFT}" y="22" font-weight="600" class="ink">Latency (cycles), uniform traffic</text>',
    ]
    for cycles in range(0, _CYCLES + 1, 10):
        y = _y(cycles)
        parts.append(f'<line x1="{_LEFT}" y1="{y}" x2="{_RIGHT}" y2="{y}" class="rule" stroke="currentColor"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end" class="soft">{cycles}</text>')
    for tenth in range(6):
        x = _x(tenth / 10)
        parts.append(f'<text x="{x}" y="{_BOTTOM + 18}" text-anchor="middle" class="soft">{tenth / 10:g}</text>')
    parts.append(
        f'<text x="{_LEFT}" y="338" class="soft">flits offered per cycle and processor; packets of 8 flits</text>'
    )
    parts.append(
        f'<text x="20" y="{_BELOW}" font-weight="600" class="ink">Routers with 32-bit flits, Lattice ECP5</text>'
    )
    for place, (name, (label, _, colour)) in enumerate(NETWORKS.items()):
        load, area = (record["measured"] for record in records[name])
        points = [point for point in load["points"] if point["latency"] <= _CYCLES]
        line = " ".join(f"{_x(point['load'])},{_y(point['latency'])}" for point in points)
        parts.append(
            f'<polyline points="{line}" fill="none" class="{colour}" stroke="currentColor" stroke-width="2.5"/>'
        )
        y = _BELOW + 28 + 58 * place
        accepted = max(point["accepted"] for point in load["points"])
        parts.append(
            f'<line x1="20" y1="{y - 5}" x2="46" y2="{y - 5}" class="{colour}" stroke="currentColor" stroke-width="4"/>'
        )
        parts.append(f'<text x="56" y="{y}" font-weight="600" class="{colour}">{label}</text>')
        parts.append(
            f'<text x="56" y="{y + 17}" class="ink">{area["network"]["comb_equivalents"]:,} COMB equivalents, '
            f"{area['fmax_mhz']:.0f} MHz</text>"
        )
        parts.append(
            f'<text x="56" y="{y + 34}" class="soft">{load["latency_without_load"]:g} cycles without load; '
            f"accepts up to {accepted:.2f}</text>"
        )
    return "\n".join([*parts, "</svg>\n"])


def _rules(dark: int) -> list[str]:
    """The rules of the colours, light or dark; letters, areas and lines take them as the current colour."""
    return [f".{name} {{ color: {colours[dark]}; }}" for name, colours in _COLOURS.items()]


def _x(load: float) -> float:
    return round(_LEFT + (_RIGHT - _LEFT) * load / _LOADS, 1)


def _y(cycles: float) -> float:
    return round(_BOTTOM - (_BOTTOM - _TOP) * cycles / _CYCLES, 1)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    print(
        overview(
            {
                name: tuple(json.loads((folder / f"{name}.{kind}.json").read_text()) for kind in ("load", "area"))
                for name in NETWORKS
            }
        ),
        end="",
    )
