"""The plane of start-up time and time per flit as an SVG file: a small plane for each case, coloured by the way that wins."""

from collections.abc import Sequence
import html
import math

from experiments.machine_costs.offers import WAYS, Sector
from fatcube.reports.figure import COLOURS

__all__ = ["plane"]


_SIDE, _GAP, _LEFT, _TOP = 112, 14, 200, 64  # of a panel, in pixels, and of the margins
_DECADES = 3  # of each axis, from 1 on


def plane(rows: Sequence[tuple[str, Sequence[tuple[str, Sequence[Sector]]]]]) -> str:
    """The figure: rows of panels, each with a name; both axes go from 1 to 1,000 cycles, in logarithms.

    A way is the fastest between two lines of a constant tau / t_c. Nothing is drawn for tau below t_c. The dot is the hardware here: tau = 4, t_c = 1.
    """
    across = max(len(panels) for _, panels in rows)
    width, height = _LEFT + across * (_SIDE + _GAP), _TOP + len(rows) * (_SIDE + 2 * _GAP) + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" fill="currentColor" '
        'font-family="sans-serif" font-size="11">',
        "<style>svg { color: #17202c; } .page { fill: #ffffff; } @media screen and (prefers-color-scheme: dark) "
        "{ svg { color: #e6ecf4; } .page { fill: #0f141b; } }</style>",
        f'<rect width="{width}" height="{height}" class="page"/>',
        '<text x="10" y="18" font-size="13">The fastest way by start-up time tau (right) and time per flit t_c (up), '
        "1 to 1,000 cycles each, logarithmic; computed</text>",
    ]
    for index, way in enumerate(WAYS):
        parts.append(f'<rect x="{10 + 180 * index}" y="28" width="12" height="12" fill="{COLOURS[index]}"/>')
        parts.append(f'<text x="{26 + 180 * index}" y="38">{html.escape(str(way))}</text>')
    for down, (name, panels) in enumerate(rows):
        top = _TOP + down * (_SIDE + 2 * _GAP)
        parts.append(f'<text x="10" y="{top + _SIDE // 2}">{html.escape(name)}</text>')
        for right, (title, found) in enumerate(panels):
            parts += _panel(_LEFT + right * (_SIDE + _GAP), top, title, found)
    return "\n".join([*parts, "</svg>", ""])


def _panel(left: int, top: int, title: str, found: Sequence[Sector]) -> list[str]:
    """One plane: bands between lines of a constant ratio, which go up to the right, cut off at its frame."""
    parts = [
        f'<text x="{left}" y="{top - 3}">{html.escape(title)}</text>',
        f'<svg x="{left}" y="{top}" width="{_SIDE}" height="{_SIDE}">',
    ]
    for start, end, offer in found:
        low = math.log10(start)
        high = _DECADES if end is None else math.log10(end)
        # A line of ratio r has tau = r t_c: it meets the lower edge, t_c = 1, at log tau = log r.
        corners = [(low, 0), (high, 0), (high + _DECADES, _DECADES), (low + _DECADES, _DECADES)]
        points = " ".join(f"{_SIDE * x / _DECADES:.1f},{_SIDE * (1 - y / _DECADES):.1f}" for x, y in corners)
        parts.append(f'<polygon points="{points}" fill="{COLOURS[WAYS.index(offer.way)]}"/>')
    here = _SIDE * math.log10(4) / _DECADES
    parts.append(f'<circle cx="{here:.1f}" cy="{_SIDE}" r="4"/>')
    return [*parts, f'<rect width="{_SIDE}" height="{_SIDE}" fill="none" stroke="currentColor"/>', "</svg>"]
