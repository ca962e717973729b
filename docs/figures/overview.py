"""Draws overview.svg, the figure of the README: four networks of 16 processors, measured.

It reads the records that two commands write for each network::

    fatcube load --topology mesh -w 4 -d 2 --json mesh.load.json
    fatcube synthesize --topology mesh -w 4 -d 2 --routing default --json mesh.area.json

``python overview.py FOLDER`` reads NETWORK.load.json and NETWORK.area.json of every network in :data:`NETWORKS` from the
folder and prints the figure.
"""

import json
from pathlib import Path
import sys

NETWORKS = {
    "hypercube": ("hypercube of 16 routers", "--topology hypercube -d 4", "#1f5fbf"),
    "torus": ("4 x 4 torus, 2 VCs", "--topology torus -w 4 -d 2", "#a21caf"),
    "mesh": ("4 x 4 mesh", "--topology mesh -w 4 -d 2", "#15803d"),
    "fat-cube": ("fat cube, 4 routers with 4 processors each", "--topology fat-cube -d 2 -m 4", "#b45309"),
}
"""For each network its label, its flags and its colour."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 420, 40, 300  # of the axes, in pixels
_LOADS, _CYCLES = 0.5, 40  # where the axes end


def overview(records: dict[str, tuple[dict, dict]]) -> str:
    """The figure as SVG, from the records of load and of area of each network."""
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 350" font-family="system-ui, sans-serif" font-size="13">',
        "<title>Latency against offered load, area and clock of four networks of 16 processors</title>",
        '<rect width="860" height="350" fill="#ffffff"/>',
        '<text x="62" y="22" font-weight="600" fill="#1c2430">Latency (cycles), uniform traffic</text>',
    ]
    for cycles in range(0, _CYCLES + 1, 10):
        y = _y(cycles)
        parts.append(f'<line x1="{_LEFT}" y1="{y}" x2="{_RIGHT}" y2="{y}" stroke="#dfe5ec"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end" fill="#55606e">{cycles}</text>')
    for tenth in range(6):
        x = _x(tenth / 10)
        parts.append(f'<text x="{x}" y="{_BOTTOM + 18}" text-anchor="middle" fill="#55606e">{tenth / 10:g}</text>')
    parts.append(
        f'<text x="{_LEFT}" y="338" fill="#55606e">offered load in flits per cycle and processor; packets of 8 flits</text>'
    )
    parts.append('<text x="450" y="22" font-weight="600" fill="#1c2430">Routers with 32-bit flits, Lattice ECP5</text>')
    for place, (name, (label, _, colour)) in enumerate(NETWORKS.items()):
        load, area = (record["measured"] for record in records[name])
        points = [point for point in load["points"] if point["latency"] <= _CYCLES]
        line = " ".join(f"{_x(point['load'])},{_y(point['latency'])}" for point in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        y = 62 + 68 * place
        accepted = max(point["accepted"] for point in load["points"])
        parts.append(f'<line x1="450" y1="{y - 5}" x2="476" y2="{y - 5}" stroke="{colour}" stroke-width="4"/>')
        parts.append(f'<text x="486" y="{y}" font-weight="600" fill="{colour}">{label}</text>')
        parts.append(
            f'<text x="486" y="{y + 20}" fill="#1c2430">{area["network"]["comb_equivalents"]:,} COMB equivalents, '
            f"{area['fmax_mhz']:.0f} MHz</text>"
        )
        parts.append(
            f'<text x="486" y="{y + 38}" fill="#55606e">{load["latency_without_load"]:g} cycles without load; '
            f"accepts up to {accepted:.2f}</text>"
        )
    return "\n".join([*parts, "</svg>\n"])


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
