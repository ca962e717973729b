"""The report of a study: one page that needs nothing else, and Markdown with figures, both from the same parts."""

from collections.abc import Mapping, Sequence
import importlib.util
from pathlib import Path
from typing import Any

from fatcube.groundwork.files import write_bytes, write_text
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies import name_from
from fatcube.reports.figure import png
from fatcube.reports.markdown import titled_table
from fatcube.reports.page import More, Results, results_page
from fatcube.reports.table import Section, Shown, TitledTable
from fatcube.studies.findings import sections
from fatcube.studies.load import Curve, load_results
from fatcube.studies.report_figures import figure_png, figures
from fatcube.studies.report_load import figures_of_load, section_of_load
from fatcube.studies.report_row import ReportRow
from fatcube.studies.study import Study
from fatcube.synth.families import find_family

__all__ = ["html", "markdown", "page", "rows", "write_report"]


_HEADS = {
    "network": "network",
    "processors": "processors",
    "model": "model",
    "collective": "collective",
    "payload_flits": "payload flits",
    "width": "W",
    "buffer_depth": "D",
    "ports": "ports a",
    "ab": "a b",
    "C_R": "C_R",
    "links": "lanes",
    "crossbar_luts": "crossbar LUTs",
    "router_luts": "router LUTs",
    "router_ff": "router FFs",
    "luts": "LUTs of all routers",
    "fmax_mhz": "Fmax, MHz",
    "fmax_low": "least Fmax, MHz",
    "fmax_high": "most Fmax, MHz",
    "steps": "steps",
    "lower_bound": "lower bound, steps",
    "cycles": "cycles, lockstep",
    "predicted_cycles": "predicted cycles",
    "dataflow_cycles": "cycles, dataflow",
    "microseconds": "µs, lockstep",
    "seed": "seed of payloads",
    "source_revision": "source revision",
    "record": "record",
}
"""The head of the column of each member of :class:`ReportRow` in the page's table; a download has the name of the member."""


def _heads(unit: str) -> dict[str, str]:
    """The heads with the unit of areas, without that of the crossbar where it was not measured in it."""
    heads = {name: head.replace("LUTs", unit) for name, head in _HEADS.items()}
    return heads if unit == "LUTs" else {name: head for name, head in heads.items() if name != "crossbar_luts"}


def rows(study: Study) -> list[ReportRow]:
    """A row for each record, in the order of the table."""
    return sorted(map(ReportRow.of, study.records), key=lambda row: row.order)


def page(study: Study, loads: Sequence[Mapping[str, Any]] = (), papers: Sequence[Section] = ()) -> str:
    """The HTML text; it loads nothing from anywhere. Parameters are those of :func:`write_report`."""
    found = rows(study)
    records = {record["key"]: record for record in study.records}
    overview, *others = sections(study, found, papers)
    heads, family = _heads(study.unit), find_family(study.family)
    return results_page(
        Results(
            title=_title(study),
            says=overview.paragraphs,
            figures=[*figures(found, family), *(figures_of_load(loads) if loads else [])],
            tables=[_measurements(found, heads)],
            more=More(
                records=[records[row.record] for row in found],
                keys=[family.unit_key if name == "luts" else name.replace("luts", family.unit_key) for name in heads],
                choices=[heads[field] for field in ("processors", "model", "collective", "payload_flits")],
            ),
            sections=[*others, *([section_of_load(loads)] if loads else [])],
        )
    )


def _measurements(found: Sequence[ReportRow], heads: Mapping[str, str]) -> TitledTable:
    """All rows, of which a page shows two digits behind the point."""
    return TitledTable(
        "All measurements",
        "A row unfolds to its record: parameters, all that was measured, command, seeds, versions of tools and source revision.",
        list(heads.values()),
        [[_shown(field, getattr(row, field)) for field in heads] for row in found],
    )


def _shown(field: str, value: object) -> object:
    if value is None:
        return Shown(None, "")
    if field == "network":
        return Shown(value, name_from(str(value)))
    return Shown(value, f"{value:.2f}") if isinstance(value, float) else value


def markdown(study: Study | None, loads: Sequence[Mapping[str, Any]] = (), papers: Sequence[Section] = ()) -> str:
    """The sections with their tables as Markdown, without figures. Parameters are those of :func:`write_report`."""
    found = sections(study, rows(study), papers) if study else []
    lines = [
        f"# {_title(study) if study else 'Networks under load'}",
        "",
        "Written by `fatcube report`, which also writes a page with figures that can be "
        "filtered and a table that can be sorted, unfolded and downloaded.",
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
    return f"Costs and benefits of networks on {find_family(study.family).title}"


def html(study: Study | None, loads: Sequence[Mapping[str, Any]], papers: Sequence[Section]) -> str:
    """The page of a study, or that of the loads alone if there is none; parameters are those of :func:`write_report`."""
    return page(study, loads, papers) if study else results_page(load_results([Curve.of(record) for record in loads]))


def write_report(
    study: Study | None, folder: Path, loads: Sequence[Mapping[str, Any]] = (), papers: Sequence[Section] = ()
) -> list[Path]:
    """Write report.md, report-*.png and report.html into ``folder``, and return their paths.

    Parameters
    ----------
    study : :class:`Study` or ``None``
        The collectives and routers that were measured; there may be none if there are ``loads``.
    folder : path
    loads : list
        Records of networks under load.
    papers : list of :class:`Section`
        Sections on values that papers print, held against the study.

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
    target = find_family(study.family if study else "ecp5")
    drawn = figures(table, target)
    images = {folder / f"report-{figure.name}.png": figure_png(figure, table, target) for figure in drawn}
    if loads:
        of_load = figures_of_load(loads)
        images |= {folder / f"report-{figure.name}.png": png([figure]) for figure in of_load}
        drawn = [*drawn, *of_load]
    lines = [markdown(study, loads, papers), "## Figures", ""]
    for figure in drawn:
        lines += [f"![{figure.title}](report-{figure.name}.png)", ""]
    texts = {folder / "report.md": "\n".join(lines), folder / "report.html": html(study, loads, papers)}
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        write_text(path, text)
    for path, content in images.items():
        write_bytes(path, content)
    return [*texts, *images]
