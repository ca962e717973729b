"""The page, the text and the figures of `fatcube curves`."""

from collections.abc import Iterable, Iterator, Sequence
import importlib.util
import json
from operator import itemgetter
from pathlib import Path
from typing import Any

from fatcube.groundwork.files import write_bytes, write_text
from fatcube.groundwork.record import record
from fatcube.papers.spanning_graphs.curves import CURVES, best_sizes
from fatcube.reports.figure import COLOURS, Axis, Figure, Point, Series, png
from fatcube.reports.markdown import markdown_table
from fatcube.reports.page import Results, write_results
from fatcube.reports.table import TitledTable

__all__ = ["BEST_COLUMNS", "best_cells", "curves_record", "write_curves", "write_page"]


BEST_COLUMNS = [
    "collective",
    "along",
    "n",
    "M",
    "best B measured",
    "its cycles",
    "B_opt printed",
    "T_min printed",
    "farthest from T printed",
    "headers apart",
]


def best_cells(rows: Iterable[dict[str, Any]]) -> list[list[str]]:
    """:func:`best_sizes` as text, below :data:`BEST_COLUMNS`."""

    def number(value: float | None, digits: int) -> str:
        return "-" if value is None else f"{value:.{digits}f}"

    return [
        [*map(str, cells[:6]), number(cells[6], 1), number(cells[7], 0), f"{cells[8]:.1%}", f"{cells[9]:.1%}"]
        for cells in best_sizes(rows)
    ]


def write_curves(rows: Sequence[dict[str, Any]], folder: Path) -> list[Path]:
    """Write curves.md, .json and .html into ``folder``, and .png if Matplotlib is installed, and return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"curves.{ending}" for ending in ("md", "json", "html")]
    drawn = importlib.util.find_spec("matplotlib") is not None
    write_text(paths[0], _markdown(rows, "curves.png" if drawn else None))
    write_text(paths[1], json.dumps(curves_record(rows), indent=1) + "\n")
    write_page(rows, paths[2])
    if drawn:
        paths.append(folder / "curves.png")
        write_bytes(paths[-1], png(_figures(rows), across=2, panel=(5.7, 4.1)))
    return paths


def write_page(rows: Sequence[dict[str, Any]], file: Path) -> None:
    """Write curves to one page: Markdown, without figures, if its name ends in ``.md``, and else HTML."""
    if file.suffix == ".md":
        write_text(file, _markdown(rows, None))
    else:
        write_results(_page(rows), file)


def curves_record(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The rows as they are stored, with the dimensions of their cubes."""
    return record({"dimensions": sorted({row["n"] for row in rows})}, {"rows": rows})


_TITLE = "Time against packet size, measured on the RTL"
_FASTER = "How much faster nESBT broadcasts than SBT (Figure 17)"
_FASTER_COLUMNS = ["n", "ports", "B", "SBT cycles", "nESBT cycles", "speed-up"]


def _note(rows: Sequence[dict[str, Any]]) -> str:
    fits = sorted({f"tau = {row['tau']:.2f}, t_c = {row['t_c']:.3f}" for row in rows})
    return (
        f"The spanning-graphs paper's section 8 on routers of fatcube, in lockstep: {len(rows)} runs. Cycles are "
        "clock cycles read out of the hardware. A printed time is its start-ups times tau plus its elements times "
        f"t_c, which are fitted from other runs: {', '.join(fits)}. All messages of a packet but the first have a "
        "header of one flit there, which the paper's prices leave out: the last column leaves it out too, so what "
        "is far from the print in it is a print that is wrong, holds under a condition or is an approximation (see "
        "spanning-graphs.md, which begins with n = 3). Written by `fatcube curves`."
    )


def _markdown(rows: Sequence[dict[str, Any]], picture: str | None) -> str:
    lines = [f"# {_TITLE}", "", _note(rows), ""]
    lines += [] if picture is None else [f"![Cycles against packet size]({picture})", ""]
    lines += ["## The best packet size", "", *markdown_table(BEST_COLUMNS, best_cells(rows)), ""]
    lines += [f"## {_FASTER}", "", *markdown_table(_FASTER_COLUMNS, _speedups(rows)), ""]
    return "\n".join(lines)


def _page(rows: Sequence[dict[str, Any]]) -> Results:
    shown = {
        "figure": "figure",
        "collective": "collective",
        "along": "graph",
        "n": "n",
        "M": "elements",
        "B": "packet",
        "start-ups": "startups",
        "elements": "transferred",
        "headers": "headers",
        "cycles": "cycles",
        "printed start-ups": "printed_startups",
        "printed elements": "printed_transferred",
        "printed cycles": "printed_cycles",
        "in": "printed_in",
    }
    table = TitledTable(
        "All runs",
        "",
        list(shown),
        [
            [f"{row[name]:g}" if isinstance(row[name], float) else str(row[name]) for name in shown.values()]
            for row in rows
        ],
    )
    best = TitledTable("The best packet size", "", BEST_COLUMNS, best_cells(rows))
    faster = TitledTable(_FASTER, "", _FASTER_COLUMNS, _speedups(rows))
    return Results(title=_TITLE, note=_note(rows), figures=_figures(rows), tables=[table, best, faster])


def _speedups(rows: Iterable[dict[str, Any]]) -> list[list[object]]:
    """Cycles of a broadcast along SBT divided by those along nESBT, in packets of 4 elements or just below."""
    cycles = {}
    for row in rows:
        graph = row["graph"].partition(",")[0]
        if row["collective"] == "OAB" and graph in ("SBT", "nESBT") and row["packet"] <= 4:
            cycles.setdefault((row["n"], row["ports"]), {}).setdefault(row["packet"], {})[graph] = row["cycles"]
    found = []
    for (n, ports), sizes in cycles.items():
        for size in sorted(size for size, graphs in sizes.items() if len(graphs) == 2)[-1:]:
            slow, fast = sizes[size]["SBT"], sizes[size]["nESBT"]
            found.append([n, ports, size, slow, fast, f"{slow / fast:.2f}"])
    return found


_SHOWN = list(dict.fromkeys((curve.collective, curve.ports) for curve in CURVES))
_TITLES = [f"{collective}, {'one-port' if ports == '1' else 'n-port'}" for collective, ports in _SHOWN]
_COLOURS: dict[str, str] = dict(zip(("BRG", "SBT", "TCBT", "nESBT", "nRBRG", "nRSBT", "SBnT"), COLOURS))


def _figures(rows: Sequence[dict[str, Any]]) -> list[Figure]:
    """A figure for each collective and number of ports: dots are measured, lines are formulas."""
    largest = max(row["n"] for row in rows)
    return [
        Figure(
            name=f"{collective}-{ports}",
            title=f"{title}: measured (dots) and printed (lines)",
            says=_says(rows, collective, ports),
            x=Axis("B, elements of a packet", "log"),
            y=Axis("cycles", "log"),
            series=tuple(
                series
                for (graph, n), curve in _curves_of(rows, collective, ports).items()
                for series in _series(graph, n, curve, 0.35 + 0.65 * n / largest)
            ),
        )
        for title, (collective, ports) in zip(_TITLES, _SHOWN)
    ]


def _says(rows: Sequence[dict[str, Any]], collective: str, ports: str) -> str:
    """The fastest run on the largest cube, and how far measured and printed times are from each other there."""
    those = [row for row in rows if (row["collective"], row["ports"]) == (collective, ports)]
    if not those:
        return "No run of this kind was made."
    largest = max(row["n"] for row in those)
    fastest = min((row for row in those if row["n"] == largest), key=itemgetter("cycles"))
    apart = max(abs(row["cycles"] / row["printed_cycles"] - 1) for row in those)
    return (
        f"For n = {largest}, {fastest['graph']} with packets of B = {fastest['packet']} is the fastest, with {fastest['cycles']:,} "
        f"cycles; of {len(those)} runs none is farther than {apart:.0%} from what is printed."
    )


def _curves_of(
    rows: Iterable[dict[str, Any]], collective: str, ports: str
) -> dict[tuple[str, int], list[dict[str, Any]]]:
    """The rows of each curve of a figure by spanning graph and dimension."""
    found: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for number, row in enumerate(rows):
        if (row["collective"], row["ports"]) == (collective, ports):
            found.setdefault((row["graph"].partition(",")[0], row["n"]), []).append({**row, "number": number})
    return found


def _series(graph: str, n: int, curve: Iterable[dict[str, Any]], opacity: float) -> Iterator[Series]:
    def points(key: str, source: str) -> tuple[Point, ...]:
        return tuple(
            Point(x=row["packet"], y=row[key], text=(f"{graph}, n = {n}, {source}",), rows=(row["number"],))
            for row in curve
        )

    yield Series(
        name=graph, points=points("cycles", "measured"), colour=_COLOURS[graph], opacity=opacity, label=f"n = {n}"
    )
    yield Series(
        name=graph, points=points("printed_cycles", "by formula"), mark="line", colour=_COLOURS[graph], opacity=opacity
    )
