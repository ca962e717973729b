"""Section 8 of the spanning-graphs paper again, on RTL: time against packet size, beside what the formulas say.

The elements of the paper are flits here, and a packet of B elements is one of B payload flits. In lockstep a routing
cycle of the paper is a step, so a run of S steps takes S (tau + B t_c) clock cycles; tau and t_c are fitted from runs
of their own. Packets of several messages (B > M) are not built in hardware, so B goes up to M.
"""

import dataclasses
import json

import plotly.io
from plotly.subplots import make_subplots

from fatcube.page import table_page
from fatcube.printed_spanning import T
from fatcube.record import record, write_text
from noc.cubes import Hypercube
from noc.network import Network
from rtl.parameters import check_integer
from schedules.checker import check
from schedules.spanning import BRG, NESBT, NRBRG, NRSBT, SBT, TCBT, SBnTc
from schedules.step_model import FULL_DUPLEX, StepModel
from schedules.trees import along
from sim.fit import fit
from sim.simulate import Run, fitting_machine, simulate_all

__all__ = ["CURVES", "Curve", "best_sizes", "measure_curves", "write_curves"]


@dataclasses.dataclass(frozen=True)
class Curve:
    """One algorithm whose time is measured for several packet sizes.

    Attributes
    ----------
    collective, ports : :class:`str`
        What is done, and with one-port (1) or n-port (d) communication.
    graph : :class:`type`
        The spanning graph.
    table, row : :class:`int`, :class:`str`
        Where the paper prints its time.
    figure : :class:`str`
        The figure of section 8 that it belongs to.
    """

    collective: str
    ports: str
    graph: type
    table: int
    row: str
    figure: str

    @property
    def name(self):
        """The name of the spanning graph and of the ports, in the paper's words."""
        return f"{self.row.partition(',')[0]}, {'one-port' if self.ports == '1' else 'n-port'}"


_BROADCAST, _SCATTER, _GATHER = "Figures 15 to 17", "Figure 18", "Figure 19"
CURVES = [
    *(Curve("OAB", "1", graph, 4, row, _BROADCAST) for graph, row in (
        (BRG, "BRG"), (SBT, "SBT"), (TCBT, "TCBT"), (NESBT, "nESBT"))),
    *(Curve("OAB", "d", graph, 5, row, _BROADCAST) for graph, row in (
        (SBT, "SBT"), (NRSBT, "nRSBT"), (TCBT, "TCBT"), (NESBT, "nESBT"))),
    *(Curve("OAS", "1", graph, 7, row, _SCATTER) for graph, row in (
        (BRG, "BRG, one-port"), (SBT, "SBT, one-port"), (SBnTc, "SBnT, one-port"))),
    *(Curve("OAS", "d", graph, 7, row, _SCATTER) for graph, row in (
        (SBT, "SBT, n-port"), (NRSBT, "nRSBT, n-port"), (SBnTc, "SBnT, n-port"))),
    *(Curve("AAB", "1", graph, 11, row, _GATHER) for graph, row in ((BRG, "BRG"), (SBT, "SBT"), (SBnTc, "SBnT"))),
    *(Curve("AAB", "d", graph, 13, row, _GATHER) for graph, row in (
        (NRBRG, "nRBRG"), (SBT, "SBT"), (NRSBT, "nRSBT"), (SBnTc, "SBnT"))),
]
ELEMENTS = {"OAB": 120, "OAS": 24, "AAB": 24}
"""M, in flits: with few enough steps for one program, and many divisors."""
LARGEST = {"OAB": 6, "OAS": 5, "AAB": 5}
"""Dimensions up to which a collective is measured."""
_CALIBRATION = (1, 8, 40, 120)  # payload flits of the runs that tau and t_c are fitted from


def _sizes(elements):
    """Packet sizes B that divide M, so that all packets are full."""
    return [size for size in range(1, elements + 1) if elements % size == 0]


def measure_curves(dimensions, *, progress=iter):
    """A record for each curve, dimension and packet size: start-ups and cycles measured, and those of the formula.

    Parameters
    ----------
    dimensions : list of :class:`int`
        The n of the cubes, 2 to 6.
    progress : callable
        Wraps what is gone through, to show how far it is.

    Raises
    ------
    ParameterError
        If a dimension is out of range.
    """
    for n in dimensions:
        check_integer("dimensions", n, minimum=2, maximum=6)
    builds = [(n, ports) for n in dimensions for ports in ("1", "d")]
    return [row for n, ports in progress(builds) for row in _measure(n, ports)]


def _measure(n, ports):
    """The rows of one build."""
    model = StepModel(one_partner=True) if ports == "1" else FULL_DUPLEX

    def schedule(graph, collective, parts):
        made = along(graph(n), ports, collective, one_partner=model.one_partner, parts=parts)
        check(made, model)
        return made.expanded()

    curves = [(curve, size) for curve in CURVES if curve.ports == ports and n <= LARGEST[curve.collective]
              for size in _sizes(ELEMENTS[curve.collective])]
    runs = [Run(schedule=schedule(curve.graph, curve.collective, ELEMENTS[curve.collective] // size),
                payload_flits=size) for curve, size in curves]
    # Nothing that is measured below is among what tau and t_c are fitted from.
    calibration = schedule(SBT, "OAS", 1)
    runs += [Run(schedule=calibration, payload_flits=flits) for flits in _CALIBRATION]
    parts = max(run.schedule.parts for run in runs)
    words = max(len(run.schedule.collective.messages(run.schedule.topology, run.schedule.root, run.schedule.parts))
                << (run.payload_flits - 1).bit_length() for run in runs)
    machine = fitting_machine(Network(topology=Hypercube(n), ports=ports, parts=parts), memory_words=words,
                              payload_flits=max(_CALIBRATION), steps=max(run.schedule.steps for run in runs))
    results = simulate_all(machine, runs)
    fitted = fit(list(zip(_CALIBRATION, (result.cycles for result in results[len(curves):]))), calibration.steps)
    tau, t_c = fitted.startup, fitted.per_flit
    rows = []
    for (curve, size), run, result in zip(curves, runs, results):
        elements = ELEMENTS[curve.collective]
        printed = {name: float(formula(n, 1 << n, elements, size))
                   for name, (_, formula) in T[curve.table][curve.row].items()}
        rows.append({
            "figure": curve.figure, "collective": curve.collective, "ports": ports, "graph": curve.name, "n": n,
            "elements": elements, "packet": size, "parts": run.schedule.parts, "startups": result.steps,
            "cycles": result.cycles, "tau": tau, "t_c": t_c, "printed_startups": printed["start-ups"],
            "printed_cycles": printed["start-ups"] * tau + printed["elements"] * t_c,
            "printed_in": f"Table {curve.table}", "delivered": result.delivered, "failures": list(result.failures)})
    return rows


def best_sizes(rows):
    """Of each algorithm and dimension the best packet size: measured, and of the formula over the same sizes.

    Returns rows (collective, graph, n, best B measured, its cycles, best B of the formula, its cycles, the worst
    relative difference of a measured time from the formula).
    """
    found = {}
    for row in rows:
        found.setdefault((row["collective"], row["graph"], row["n"]), []).append(row)
    return [(*key, *(value for name in ("cycles", "printed_cycles")
                     for best in [min(curve, key=lambda row: row[name])] for value in (best["packet"], best[name])),
             max(abs(row["cycles"] / row["printed_cycles"] - 1) for row in curve))
            for key, curve in found.items()]


def write_curves(rows, folder):
    """Writes curves.md, .json and .html into ``folder``; returns the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    title = "Time against packet size, measured on the RTL"
    fits = sorted({(row["n"], row["ports"], row["tau"], row["t_c"]) for row in rows})
    note = ("The spanning-graphs paper's section 8 on routers of fatcube, in lockstep. Cycles are clock cycles read out "
            "of the hardware; the formula's are its start-ups times tau plus its elements times t_c, both fitted from "
            "other runs: " + ", ".join(sorted({f"tau = {tau:.2f}, t_c = {t_c:.3f}" for _, _, tau, t_c in fits}))
            + ". Written by `fatcube curves`.")
    paths = [folder / f"curves.{ending}" for ending in ("md", "json", "html")]
    best = (["collective", "along", "n", "best B measured", "its cycles", "best B of the formula", "its cycles",
             "farthest from the formula"],
            [[*cells[:6], f"{cells[6]:.0f}", f"{cells[7]:.1%}"] for cells in best_sizes(rows)])
    speedups = (["n", "ports", "B", "SBT cycles", "nESBT cycles", "speed-up"], _speedups(rows))
    lines = [f"# {title}", "", note, ""]
    for heading, (columns, cells) in (("The best packet size", best),
                                      ("How much faster nESBT broadcasts than SBT (Figure 17)", speedups)):
        lines += [f"## {heading}", "",
                  *("| " + " | ".join(map(str, line)) + " |" for line in (columns, ["---"] * len(columns), *cells)), ""]
    write_text(paths[0], "\n".join(lines))
    write_text(paths[1], json.dumps(record({"elements": ELEMENTS}, {"rows": rows}), indent=1) + "\n")
    columns = ["figure", "collective", "along", "n", "M", "B", "start-ups", "printed", "cycles", "printed ", "in"]
    page = table_page(title, note, columns, [[str(cell) for cell in (
        row["figure"], row["collective"], row["graph"], row["n"], row["elements"], row["packet"], row["startups"],
        f"{row['printed_startups']:g}", row["cycles"], f"{row['printed_cycles']:.0f}", row["printed_in"])]
        for row in rows])
    figures = plotly.io.to_html(_figure(rows), full_html=False, include_plotlyjs=True)
    write_text(paths[2], page.replace("<p><label>", f"{figures}<p><label>"))
    return paths


def _speedups(rows):
    """Cycles of a broadcast along SBT divided by those along nESBT, both at packets of 4 elements."""
    cycles = {(row["n"], row["ports"], row["graph"].partition(",")[0], row["packet"]): row["cycles"] for row in rows
              if row["collective"] == "OAB"}
    return [[n, ports, size, slow, fast, f"{slow / fast:.2f}"] for (n, ports, graph, size), slow in cycles.items()
            if graph == "SBT" and size == 4 and (fast := cycles.get((n, ports, "nESBT", size)))]


def _figure(rows):
    """A plot for each collective and number of ports: marks are measured, lines are formulas."""
    shown = sorted({(row["collective"], row["ports"]) for row in rows},
                   key=lambda one: (list(ELEMENTS).index(one[0]), one))
    largest = max(row["n"] for row in rows)
    figure = make_subplots(rows=len(shown), cols=1, vertical_spacing=0.06, subplot_titles=[
        f"{collective}, {'one-port' if ports == '1' else 'n-port'}, M = {ELEMENTS[collective]}"
        for collective, ports in shown])
    palette = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b"]
    for place, (collective, ports) in enumerate(shown, start=1):
        mine = [row for row in rows if (row["collective"], row["ports"]) == (collective, ports)]
        for number, graph in enumerate(dict.fromkeys(row["graph"] for row in mine)):
            for n in sorted({row["n"] for row in mine}):
                curve = [row for row in mine if row["graph"] == graph and row["n"] == n]
                same = {"x": [row["packet"] for row in curve], "legendgroup": f"{collective} {graph}",
                        "line_color": palette[number % len(palette)],
                        "opacity": 0.35 + 0.65 * n / largest}
                figure.add_scatter(y=[row["cycles"] for row in curve], mode="markers", name=f"{collective} {graph}",
                                   showlegend=n == 2 or n == min(row["n"] for row in mine), row=place, col=1,
                                   hovertemplate=f"{graph}, n = {n}: B = %{{x}}, %{{y}} cycles measured<extra></extra>",
                                   **same)
                figure.add_scatter(y=[row["printed_cycles"] for row in curve], mode="lines", showlegend=False,
                                   row=place, col=1, hovertemplate=f"{graph}, n = {n}: B = %{{x}}, %{{y:.0f}} by "
                                                                   "formula<extra></extra>", **same)
    figure.update_xaxes(type="log", title_text="B, payload flits of a packet")
    figure.update_yaxes(type="log", title_text="cycles")
    figure.update_layout(height=430 * len(shown))
    return figure
