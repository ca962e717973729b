"""The report of a study: one page that needs nothing else, and Markdown with figures, both from the same parts."""

from collections.abc import Mapping, Sequence
import importlib.util
from pathlib import Path
from typing import Any

from fatcube.reports.figure import png
from fatcube.reports.markdown import titled_table
from fatcube.reports.page import page as template_page
from fatcube.studies.findings import sections
from fatcube.studies.load import Curve, load_page
from fatcube.studies.report_figures import figure_png, figures
from fatcube.studies.report_load import figures_of_load, section_of_load
from fatcube.studies.study import Study, network_of
from groundwork.files import write_bytes, write_text
from groundwork.validation import ParameterError
from noc.cost import price

__all__ = ["markdown", "page", "rows", "write_report"]


def rows(study: Study) -> list[dict[str, Any]]:
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


def page(study: Study, loads: Sequence[Mapping[str, Any]] = ()) -> str:
    """The HTML text; it loads nothing from anywhere. ``loads`` are records of networks under load."""
    table = rows(study)
    return template_page(
        "report.html",
        title=_title(study),
        columns=list(table[0]),
        sections=[*sections(study, table), *([section_of_load(loads)] if loads else [])],
        figures=[*figures(table), *(figures_of_load(loads) if loads else [])],
        data={"rows": table, "records": {record["key"]: record for record in study.records}},
    )


def markdown(study: Study | None, loads: Sequence[Mapping[str, Any]] = ()) -> str:
    """The sections with their tables as Markdown, without figures. Parameters are those of :func:`write_report`."""
    found = sections(study, rows(study)) if study else []
    lines = [
        f"# {_title(study) if study else 'Networks under load'}",
        "",
        "Written by `fatcube report`, which also writes a page with figures that can be "
        "hovered and filtered and a table that can be sorted and downloaded.",
        "",
    ]
    for section in [*found, section_of_load(loads)] if loads else found:
        lines += [f"## {section.title}", ""]
        for text in section.paragraphs:
            lines += [text.replace("*", r"\*"), ""]
        for one in section.tables:
            lines += [titled_table(*one).replace("## ", "### ", 1)]
    return "\n".join(lines)


def _title(study: Study) -> str:
    return f"What networks cost and what they buy, on {study.family}"


def write_report(study: Study | None, folder: Path, loads: Sequence[Mapping[str, Any]] = ()) -> list[Path]:
    """Write report.md, report-*.png and report.html into ``folder``, and return their paths.

    Parameters
    ----------
    study : :class:`Study` or ``None``
        The collectives and routers that were measured; there may be none if there are ``loads``.
    folder : path
    loads : list
        Records of networks under load.

    Raises
    ------
    ParameterError
        If Matplotlib is not installed.
    OSError
        If a file cannot be written.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise ParameterError("fatcube report needs Matplotlib: pip install 'fatcube[report]'")
    table = rows(study) if study else []
    drawn = figures(table)
    images = {folder / f"report-{figure.name}.png": figure_png(figure, table) for figure in drawn}
    if loads:
        of_load = figures_of_load(loads)
        images |= {folder / f"report-{figure.name}.png": png([figure]) for figure in of_load}
        drawn = [*drawn, *of_load]
    lines = [markdown(study, loads), "## Figures", ""]
    for figure in drawn:
        lines += [f"![{figure.title}](report-{figure.name}.png)", ""]
    html = page(study, loads) if study else load_page([Curve.of(record) for record in loads])
    texts = {folder / "report.md": "\n".join(lines), folder / "report.html": html}
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        write_text(path, text)
    for path, content in images.items():
        write_bytes(path, content)
    return [*texts, *images]
