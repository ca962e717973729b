"""The report of a study: one page that needs nothing else, and Markdown with figures, both from the same parts."""

import dataclasses
import html
from importlib import resources
import importlib.util
import io
import json
import statistics

from fatcube.reports.markdown import titled_table
from fatcube.studies.findings import sections
from fatcube.studies.study import network_of
from groundwork.files import write_bytes, write_text
from groundwork.validation import ParameterError
from noc.cost import price

__all__ = ["FIGURES", "Figure", "page", "rows", "write_report"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Figure:
    """What a figure shows, for the page's script and for the PNG alike.

    Members
    -------
    name, title : :class:`str`
    x, y : :class:`str`
        Keys of a row: see :func:`rows`.
    x_title, y_title : :class:`str`
        Meaning and units.
    log : :class:`bool`
        Whether both axes are logarithmic.
    routers : :class:`bool`
        A point is a router, and not a run on a network.
    diagonal, front : :class:`bool`
        The line x = y; a line through what nothing beats, for each size, collective and payload.
    low, high : :class:`str` or ``None``
        Keys of the ends of a point's spread.
    """

    name: str
    title: str
    x: str
    y: str
    x_title: str
    y_title: str
    log: bool = True
    routers: bool = False
    diagonal: bool = False
    front: bool = False
    low: str | None = None
    high: str | None = None


FIGURES = (
    Figure(
        name="area",
        title="Area against a b",
        x="ab",
        y="router_luts",
        x_title="a b of a router",
        y_title="LUTs of the router (COMB equivalents)",
        routers=True,
    ),
    Figure(
        name="time",
        title="Time against area of what was run, with what nothing beats",
        x="luts",
        y="microseconds",
        front=True,
        x_title="LUTs of all routers (COMB equivalents)",
        y_title="µs in lockstep",
    ),
    Figure(
        name="bound",
        title="Steps against their lower bound",
        x="lower_bound",
        y="steps",
        diagonal=True,
        x_title="lower bound, steps",
        y_title="steps measured",
    ),
    Figure(
        name="cycles",
        title="Cycles against steps",
        x="steps",
        y="cycles",
        x_title="steps",
        y_title="cycles in lockstep",
    ),
    Figure(
        name="fmax",
        title="Fmax against ports",
        x="ports",
        y="fmax_mhz",
        low="fmax_low",
        high="fmax_high",
        log=False,
        x_title="ports of a router, a",
        y_title="Fmax, MHz: median and spread of the seeds",
        routers=True,
    ),
)
_MODELS = {"1": "#1f5fbf", "b": "#b45309", "d": "#15803d", "*": "#a21caf"}


def rows(study):
    """A row for each record, flat: what the table shows, the figures draw, and the CSV file has."""
    found = []
    for record in study.records:
        parameters, measured = record["parameters"], record["measured"]
        network = network_of(parameters)
        topology, cost = network.topology, price(network.topology, network.options.ports)
        seeds = [mhz for _, mhz in measured.get("seeds_mhz") or ()]
        found.append(
            {
                "network": str(topology),
                "processors": topology.processors,
                "model": network.options.ports.value,
                "collective": parameters.get("collective"),
                "payload_flits": parameters.get("payload_flits"),
                "width": network.options.width,
                "buffer_depth": network.options.buffer_depth,
                "ports": cost.a,
                "ab": cost.ab,
                "C_R": cost.router_cost,
                "links": cost.links,
                "crossbar_luts": measured.get("crossbar_comb_equivalents"),
                "router_luts": measured["comb_equivalents"],
                "router_ff": measured["ff"],
                "luts": measured["comb_equivalents"] * cost.routers,
                "fmax_mhz": measured.get("fmax_mhz"),
                "fmax_low": min(seeds, default=None),
                "fmax_high": max(seeds, default=None),
                "steps": measured.get("steps"),
                "lower_bound": measured.get("lower_bound"),
                "cycles": measured.get("cycles"),
                "predicted_cycles": measured.get("predicted_cycles"),
                "dataflow_cycles": measured.get("dataflow_cycles"),
                "microseconds": measured.get("microseconds"),
                "seed": record["how"]["seed"],
                "source_revision": record["how"]["source_revision"],
                "record": record["key"],
            }
        )
    found.sort(
        key=lambda row: (
            row["processors"],
            row["network"],
            row["model"],
            row["collective"] or "",
            row["payload_flits"] or 0,
            row["width"],
            row["buffer_depth"],
            row["record"],
        )
    )
    return found


def page(study):
    """The HTML text; it loads nothing from anywhere."""
    from plotly.offline import get_plotlyjs

    table = rows(study)
    data = {
        "rows": table,
        "figures": [dataclasses.asdict(figure) for figure in FIGURES],
        "colours": _MODELS,
        "records": {record["key"]: record for record in study.records},
    }
    body = []
    for section in sections(study, table):
        body.append(f"<h2>{html.escape(section.title)}</h2>")
        body += [f"<p>{html.escape(text)}</p>" for text in section.paragraphs]
        body += [_table(*one) for one in section.tables]
    parts = {
        "TITLE": html.escape(_title(study)),
        "STYLE": _text("report.css"),
        "SECTIONS": "\n".join(body),
        "PLOTLY": get_plotlyjs(),
        "SCRIPT": _text("report.js"),
        # No "<" in it can end the element that it stands in.
        "DATA": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
    }
    first, *rest = _text("report.html").split("@@")
    for index in range(0, len(rest), 2):
        first += parts[rest[index]] + rest[index + 1]
    return first


def _title(study):
    return f"What networks cost and what they buy, on {study.family}"


def _text(name):
    return resources.files("fatcube.studies").joinpath(name).read_text(encoding="utf-8")


def _table(title, note, columns, cells):
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in line) + "</tr>" for line in cells)
    return (
        f"<details open><summary>{html.escape(title)}</summary><p>{html.escape(note)}</p><table>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></details>"
    )


def write_report(study, folder):
    """Writes report.md, report-*.png and report.html into ``folder``; returns their paths.

    Raises
    ------
    ParameterError
        If Matplotlib is not installed.
    OSError
        If a file cannot be written.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise ParameterError("fatcube report needs Matplotlib: pip install 'fatcube[report]'")
    table = rows(study)
    drawn = [figure for figure in FIGURES if _points(figure, table)]
    figures = {folder / f"report-{figure.name}.png": _png(figure, table) for figure in drawn}
    lines = [
        f"# {_title(study)}",
        "",
        "Written by `fatcube report`, which also writes a page with figures that can be "
        "hovered and filtered and a table that can be sorted and downloaded.",
        "",
    ]
    for section in sections(study, table):
        lines += [f"## {section.title}", ""]
        for text in section.paragraphs:
            lines += [text.replace("*", r"\*"), ""]
        for one in section.tables:
            lines += [titled_table(*one).replace("## ", "### ", 1)]
    lines += ["## Figures", ""]
    for figure in drawn:
        lines += [f"![{figure.title}](report-{figure.name}.png)", ""]
    texts = {folder / "report.md": "\n".join(lines), folder / "report.html": page(study)}
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        write_text(path, text)
    for path, content in figures.items():
        write_bytes(path, content)
    return [*texts, *figures]


def _points(figure, table):
    """The rows that a figure shows: those that have both values, and one of each router if it is of routers."""
    shown = [row for row in table if row[figure.x] is not None and row[figure.y] is not None]
    if figure.routers:
        shown = list({(row["network"], row["model"], row["width"], row["buffer_depth"]): row for row in shown}.values())
    return shown


def _png(figure, table):
    """The figure drawn by Matplotlib, as the bytes of a PNG file."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    panels = _panels(figure, _points(figure, table))
    canvas = Canvas(figsize=(8 if len(panels) == 1 else 4.5 * len(panels), 5), dpi=110, layout="constrained")
    FigureCanvasAgg(canvas)
    for axes, (title, shown) in zip(canvas.subplots(1, len(panels), squeeze=False)[0], panels):
        _draw(axes, figure, shown)
        axes.set(title=title, xlabel=figure.x_title, ylabel=figure.y_title)
    content = io.BytesIO()
    canvas.savefig(content, format="png", metadata={"Software": None})
    return content.getvalue()


def _panels(figure, shown):
    """Titles and rows of the parts of a PNG. One that shows fronts has a part for each collective, with the payload
    that most rows have: more lines could not be told apart where nothing can be filtered or hovered."""
    if not figure.front:
        return [(figure.title, shown)]
    payload = statistics.mode(row["payload_flits"] for row in shown)
    shown = [row for row in shown if row["payload_flits"] == payload]
    return [
        (f"{collective}, {payload} payload flits", [row for row in shown if row["collective"] == collective])
        for collective in sorted({row["collective"] for row in shown})
    ]


def _draw(axes, figure, shown):
    for model, colour in _MODELS.items():
        mine = [row for row in shown if row["model"] == model]
        x, y = [row[figure.x] for row in mine], [row[figure.y] for row in mine]
        if figure.low and mine:
            spread = [
                [row[figure.y] - row[figure.low] for row in mine],
                [row[figure.high] - row[figure.y] for row in mine],
            ]
            axes.errorbar(x, y, yerr=spread, fmt="o", markersize=4, color=colour, label=f"model {model}")
        else:
            axes.plot(x, y, "o", markersize=4, alpha=0.7, color=colour, label=f"model {model}")
    if figure.diagonal:
        ends = [min(row[figure.x] for row in shown), max(row[figure.x] for row in shown)]
        axes.plot(ends, ends, color="#888888", linewidth=1, zorder=0)
    for processors, line in _fronts(figure, shown) if figure.front else ():
        axes.plot(*zip(*line), color="#888888", linewidth=0.8, zorder=0)
        axes.annotate(
            f"{processors} processors",
            line[-1],
            xytext=(0, -13),
            ha="center",
            textcoords="offset points",
            fontsize=8,
            color="#555555",
        )
    if figure.log:
        axes.set_xscale("log")
        axes.set_yscale("log")
    axes.margins(0.08)
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left" if figure.front else "best")


def _fronts(figure, shown):
    """For each size, collective, payload and width its processors and what nothing beats, from left to right."""
    groups = {}
    for row in shown:
        groups.setdefault((row["processors"], row["collective"], row["payload_flits"], row["width"]), []).append(
            (row[figure.x], row[figure.y])
        )
    lines = []
    for (processors, *_), points in groups.items():
        line = []
        for x, y in sorted(points):
            if not line or y < line[-1][1]:
                line.append((x, y))
        lines.append((processors, line))
    return lines
