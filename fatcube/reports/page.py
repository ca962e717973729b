"""The study as one self-contained HTML page with figures."""

import html
import re

import plotly.graph_objects as go
import plotly.io

__all__ = ["page", "table_page"]


_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430; }
table { border-collapse: collapse; font-size: 0.9rem; margin: 0.5rem 0 2rem; }
caption { text-align: left; color: #55606e; padding-bottom: 0.5rem; max-width: 60rem; }
th, td { padding: 0.25rem 0.7rem; border-bottom: 1px solid #d8dee6; text-align: right; }
th:nth-child(-n+3), td:nth-child(-n+3) { text-align: left; }
td.no { background: #ffe1dc; }
"""
_NAMES = {"HC": "hypercube d=3", "FC": "fat cube d=2, m=2, f=1"}


def page(tables, cells, routers):
    """The HTML text; it loads nothing from anywhere."""
    figures = [_cycles(cells), _area(routers)]
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>fatcube reproduce</title>",
        "<link rel='icon' href='data:,'>",
        f"<style>{_STYLE}</style></head><body><h1>fatcube reproduce</h1>",
    ]
    for index, figure in enumerate(figures):
        parts.append(plotly.io.to_html(figure, full_html=False, include_plotlyjs=index == 0))
    parts += [_table(*table) for table in tables]
    return "\n".join([*parts, "</body></html>\n"])


def table_page(title, note, columns, rows, folder=""):
    """A page with one table that can be filtered by what is typed, and by verdict; it loads nothing.

    Files that cells name are links into ``folder``, which is beside the page.
    """
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{_linked(cell, folder)}</td>" for cell in row) + "</tr>\n" for row in rows)
    return f"""<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{html.escape(title)}</title>
<link rel='icon' href='data:,'><style>{_STYLE}
th, td {{ text-align: left; vertical-align: top; }} tr.hidden {{ display: none; }}
td.wrong {{ background: #ffe1dc; }} td.partly {{ background: #fff3cd; }} td.good {{ background: #e1f5e4; }}
input {{ font: inherit; padding: 0.3rem 0.6rem; width: 24rem; max-width: 90%; }}
</style></head><body style='max-width: 110rem'><h1>{html.escape(title)}</h1><p>{html.escape(note)}</p>
<p><label>Only rows with <input id='filter' placeholder='e.g. wrong, Theorem 4, AAB'></label>
<span id='count'></span></p>
<table><thead><tr>{head}</tr></thead><tbody>
{body}</tbody></table><script>
const rows = [...document.querySelectorAll("tbody tr")];
for (const row of rows) {{
  const verdict = row.children[5];
  const text = verdict.textContent;
  verdict.className = text === "holds" ? "good" : text.startsWith("wrong") ? "wrong" : "partly";
}}
const filter = document.getElementById("filter");
filter.addEventListener("input", () => {{
  let shown = 0;
  for (const row of rows) {{
    const hit = row.textContent.toLowerCase().includes(filter.value.toLowerCase());
    row.classList.toggle("hidden", !hit);
    shown += hit;
  }}
  document.getElementById("count").textContent = `${{shown}} of ${{rows.length}} claims`;
}});
filter.dispatchEvent(new Event("input"));
</script></body></html>
"""


def _linked(cell, folder):
    """A cell in which files in ``folder`` beside the page are links."""
    return re.sub(r"\b((?:schedules|proofs)/[\w.*-]+\.json)", rf"<a href='{folder}/\1'>\1</a>", html.escape(cell))


def _cycles(cells):
    figure = go.Figure()
    for network, name in _NAMES.items():
        mine = [cell for cell in cells if cell["network"] == network]
        for mode, key in (("lockstep", "cycles"), ("dataflow", "dataflow_cycles")):
            figure.add_bar(
                name=f"{name}, {mode}",
                x=[[cell["collective"] for cell in mine], [cell["ports"] for cell in mine]],
                y=[cell[key] for cell in mine],
                customdata=[cell["steps"] for cell in mine],
                hovertemplate="%{x}: %{y} cycles, %{customdata} steps<extra>%{fullData.name}</extra>",
            )
    figure.update_layout(
        title=f"Cycles measured on RTL, {cells[0]['payload_flits']} payload flits, by router model",
        yaxis_title="cycles",
        barmode="group",
        height=460,
    )
    return figure


def _area(routers):
    figure = go.Figure()
    for key, name in (
        ("comb_equivalents", "router, turns that are used"),
        ("all_turns_comb_equivalents", "router, all turns"),
        ("crossbar_comb_equivalents", "crossbar alone"),
    ):
        mine = [row for row in routers if row[key] is not None]
        figure.add_scatter(
            name=name,
            mode="markers",
            marker_size=11,
            x=[row["ab"] for row in mine],
            y=[row[key] for row in mine],
            text=[f"{_NAMES[row['network']]}, model {row['ports']}" for row in mine],
            hovertemplate="%{text}: ab = %{x}, %{y} COMB<extra>%{fullData.name}</extra>",
        )
    figure.update_layout(
        title="What a b prices, and what a router takes (ECP5)",
        xaxis_title="a b of one router",
        yaxis_title="COMB equivalents of one router",
        height=460,
    )
    return figure


def _table(title, note, columns, rows):
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td{' class=no' if cell == 'no' else ''}>{html.escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return (
        f"<h2>{html.escape(title)}</h2><table><caption>{html.escape(note)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )
