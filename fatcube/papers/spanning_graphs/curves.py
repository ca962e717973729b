"""Section 8 of the spanning-graphs paper again, on RTL: time against packet size, beside what the formulas say.

What `fatcube audit spanning-graphs` executes packet by packet for a row of Tables 4, 5, 7, 11, 13, 15 and 17 runs here
on routers and processors. The elements of the paper are flits, and a packet of B elements is one of up to B payload
flits. In lockstep a routing cycle of the paper is a step, so a run of S steps in which E elements are transferred takes
S tau + E t_c clock cycles; tau and t_c are fitted from runs of their own. What the paper leaves out is that a packet of
several messages has to say whose they are: all but the first have a header flit among the payload.
"""

from collections.abc import Iterable, Iterator, Sequence
import dataclasses
import functools
import importlib.util
import json
from pathlib import Path
from typing import Any

from fatcube.papers.spanning_graphs.prices import NAMES, RUNS, UNLIMITED
from fatcube.papers.spanning_graphs.printed import OPTIMA, ROOTS, T
from fatcube.reports.figure import Axis, Figure, Point, Series, png
from fatcube.reports.markdown import markdown_table
from fatcube.reports.page import table_page
from fatcube.reports.table import TitledTable
from groundwork.files import write_bytes, write_text
from groundwork.progress import tracked
from groundwork.record import record
from groundwork.validation import check_integer
from groundwork.workers import in_processes
from noc.network import Network
from noc.topologies.cubes import Hypercube
from rtl.port_model import PortModel
from rtl.router_options import RouterOptions
from schedules.checker import check
from schedules.schedule import Schedule
from schedules.spanning.graphs import SBT
from schedules.spanning.packets import ONE_PORT, Execution, Price, check_execution, to_schedule
from schedules.spanning.trees import along
from schedules.step_model import FULL_DUPLEX, StepModel
from sim.fit import fit
from sim.plan import most_entries
from sim.simulate import Run, fitting_machine, simulate_all

__all__ = ["CURVES", "Curve", "best_sizes", "check_dimensions", "elements_of", "measure_curves", "write_curves"]


@dataclasses.dataclass(frozen=True)
class Curve:
    """One algorithm whose time is measured for several packet sizes.

    Attributes
    ----------
    collective, ports : :class:`str`
        What is done, and the router model: 1 for one-port and d for n-port communication.
    table : :class:`int`
    row : :class:`str`
        Where the paper prints its time.
    """

    collective: str
    ports: str
    table: int
    row: str

    @property
    def name(self) -> str:
        """The name of the spanning graph and of the ports, in the paper's words."""
        return f"{self.row.partition(',')[0]}, {'one-port' if self.ports == '1' else 'n-port'}"

    @property
    def figure(self) -> str:
        """The figures of section 8 that have such curves; empty for those that the paper did not measure."""
        return {"OAB": "Figures 15 to 17", "OAS": "Figure 18", "AAB": "Figure 19"}.get(self.collective, "")

    def execution(self, n: int, M: int, B: int) -> Execution:
        """The run: its :class:`~schedules.spanning.packets.Execution`."""
        return RUNS[self.table, self.row](n, M, B)


_COLLECTIVES = {4: "OAB", 5: "OAB", 7: "OAS", 11: "AAB", 13: "AAB", 15: "AAS", 17: "AAS"}
CURVES = [Curve(_COLLECTIVES[table], "1" if "one-port" in f"{NAMES[table]} {row}" else "d", table, row)
          for table, rows in T.items() for row in rows]
"""Every row of the tables of times."""
_CALIBRATION = (1, 8, 40, 120)  # payload flits of the runs that tau and t_c are fitted from
_MOST_STEPS = 1023  # longer runs are left out: small packets, whose times grow as 1 / B


_LARGEST = {"AAS": 5}
"""Dimensions up to which a collective is measured: what is loaded and read back grows with the square of the nodes."""


def elements_of(collective: str, n: int) -> int:
    """M: divisible by n, so that n trees carry the same; less where every node has data for every other one."""
    return {"OAB": 120, "OAS": 12 * n}.get(collective, 2 * n)


def _sizes(n: int, M: int, largest: int, few: bool) -> list[int]:
    """Packet sizes up to the largest that is of use: parts of what a tree carries, and multiples of it and of M.

    If they are to be few, multiples of M only.
    """
    share = M // n
    if few:
        return sorted({*(M << power for power in range(0, largest.bit_length(), 2) if M << power < largest), largest})
    sizes = {size for size in range(1, share + 1) if share % size == 0}
    sizes |= {part << power for part in (share, M) for power in range(largest.bit_length())}
    return sorted(size for size in {*sizes, largest} if size <= largest)


def check_dimensions(dimensions: Iterable[int]) -> list[int]:
    """The different ``dimensions``, in order.

    Raises
    ------
    ParameterError
        If one of them is no integer from 2 to 6.
    """
    return sorted({check_integer("dimensions", n, minimum=2, maximum=6) for n in dimensions})


def measure_curves(dimensions: Iterable[int], *, jobs: int = 2) -> list[dict[str, Any]]:
    """A record for each curve, dimension and packet size: start-ups and cycles measured, and those of the formula.

    Parameters
    ----------
    dimensions : list of :class:`int`
        The n of the cubes, 2 to 6.
    jobs : :class:`int`
        Cubes that are built and run at a time, each in a process of its own.

    Raises
    ------
    ParameterError
        If a dimension or the number of jobs is out of range.
    """
    check_integer("jobs", jobs, minimum=1)
    # Those that take longest come first.
    builds = [(n, ports) for n in reversed(check_dimensions(dimensions)) for ports in ("d", "1")]
    calls = [functools.partial(_measure, n, ports) for n, ports in builds]
    found = sorted(tracked(in_processes(calls, jobs=jobs), "building and running cubes", len(calls)))
    return [row for _, rows in reversed(found) for row in rows]


def _runs(n: int, ports: str) -> Iterator[tuple[Curve, int, int, Price, Run]]:
    """(curve, M, B, price, run) of all that is run on one machine."""
    for curve in CURVES:
        if curve.ports != ports or n > _LARGEST.get(curve.collective, n):
            continue
        M = elements_of(curve.collective, n)
        few = n > {"OAB": 6, "OAS": 5}.get(curve.collective, 4)
        for size in _sizes(n, M, curve.execution(n, M, UNLIMITED).largest, few):
            execution = curve.execution(n, M, size)
            if len(execution.cycles) > _MOST_STEPS:
                continue
            schedule, unit = to_schedule(execution)
            if unit not in (size, M, M // n):
                continue  # messages torn apart: there would be more headers than there need be
            price = check_execution(execution)
            check(schedule, StepModel(one_partner=True) if execution.ports == ONE_PORT else FULL_DUPLEX)
            yield curve, M, size, price, Run(schedule=schedule, payload_flits=unit)


def _measure(n: int, ports: str) -> list[dict[str, Any]]:
    """The rows of one build."""
    cases = list(_runs(n, ports))
    runs = [run for *_, run in cases]
    # Nothing that is measured below is among what tau and t_c are fitted from.
    calibration = along(SBT(n), ports, "OAS", one_partner=ports == "1")
    runs += [Run(schedule=calibration, payload_flits=flits) for flits in _CALIBRATION]
    parts = max(run.schedule.parts for run in runs)
    words = max(len(run.schedule.collective.messages(run.schedule.topology, run.schedule.root, run.schedule.parts))
                << (run.payload_flits - 1).bit_length() for run in runs)
    network = Network(Hypercube(n), RouterOptions(ports=PortModel.parse(ports)), parts=parts)
    machine = fitting_machine(network, memory_words=words, payload_flits=max(_CALIBRATION),
                              steps=max(most_entries(run.schedule) for run in runs))
    results = simulate_all(machine, runs)
    fitted = fit(list(zip(_CALIBRATION, (result.cycles for result in results[len(cases):]))), calibration.steps)
    tau, t_c = fitted.startup, fitted.per_flit
    rows = []
    for (curve, M, size, price, run), result in zip(cases, results):
        printed = {name: float(formula(n, 1 << n, M, size)) for name, (_, formula) in T[curve.table][curve.row].items()}
        best, least = _printed_optimum(curve, n, M, tau, t_c)
        rows.append({
            "figure": curve.figure, "collective": curve.collective, "ports": ports, "graph": curve.name, "n": n,
            "elements": M, "packet": size, "message": run.payload_flits, "startups": result.steps,
            "transferred": price.elements, "headers": _headers(run.schedule), "cycles": result.cycles,
            "conflicts": result.conflicts, "tau": tau, "t_c": t_c, "printed_startups": printed["start-ups"],
            "printed_transferred": printed["elements"],
            "printed_cycles": printed["start-ups"] * tau + printed["elements"] * t_c,
            "printed_best": best, "printed_least": least, "printed_in": f"Table {curve.table}",
            "delivered": result.delivered, "failures": list(result.failures)})
    return rows


def _headers(schedule: Schedule) -> int:
    """The headers among the payload of the largest packet of every step, added up."""
    steps = {}
    for transfer in schedule.transfers:
        steps.setdefault(transfer.step, []).append(transfer)
    return sum(max(map(len, schedule.packets(transfers))) - 1 for transfers in steps.values())


def _printed_optimum(curve: Curve, n: int, M: int, tau: float, t_c: float) -> tuple[float | None, float | None]:
    """B_opt and the cycles of T_min as they are printed, ``None`` where they are not or make no sense."""
    N, key = 1 << n, (f"Table {curve.table}", curve.row)
    if key in ROOTS:
        _, _, functions = ROOTS[key]
        best, least = (functions[name] for name in ("B_opt", "T_min"))
        try:
            return float(best(n, N, M, tau, t_c)), float(least(n, N, M, tau, t_c))
        except (ValueError, ZeroDivisionError):
            return None, None
    for table in range(curve.table, curve.table + 3):
        if curve.row in OPTIMA.get(table, {}):
            (_, best), least = OPTIMA[table][curve.row]
            if least is not None:
                (_, elements), (_, startups) = least
                least = float(startups(n, N) * tau + elements(n, N, M) * t_c)
            return float(best(n, N, M)), least
    return None, None


def best_sizes(rows: Iterable[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Of each algorithm and dimension the best packet size, measured and printed.

    Returns rows (collective, graph, n, M, best B measured, its cycles, printed B_opt, cycles of the printed T_min, the
    largest relative difference of a measured time from the printed T, and the same without the headers of messages
    that share a packet).
    """
    found: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault((row["collective"], row["graph"], row["n"], row["elements"]), []).append(row)
    table = []
    for key, curve in found.items():
        best = min(curve, key=lambda row: row["cycles"])

        def farthest(headers: int) -> float:
            return max(abs((row["cycles"] - headers * row["headers"] * row["t_c"]) / row["printed_cycles"] - 1)
                       for row in curve)
        table.append((*key, best["packet"], best["cycles"], best["printed_best"], best["printed_least"], farthest(0),
                      farthest(1)))
    return table


BEST_COLUMNS = ["collective", "along", "n", "M", "best B measured", "its cycles", "B_opt printed", "T_min printed",
                "farthest from T printed", "headers apart"]


def best_cells(rows: Iterable[dict[str, Any]]) -> list[list[str]]:
    """:func:`best_sizes` as text, below :data:`BEST_COLUMNS`."""
    def number(value: float | None, digits: int) -> str:
        return "-" if value is None else f"{value:.{digits}f}"
    return [[*map(str, cells[:6]), number(cells[6], 1), number(cells[7], 0), f"{cells[8]:.1%}", f"{cells[9]:.1%}"]
            for cells in best_sizes(rows)]


def write_curves(rows: Sequence[dict[str, Any]], folder: Path) -> list[Path]:
    """Write curves.md, .json and .html into ``folder``, and .png if Matplotlib is installed, and return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    title = "Time against packet size, measured on the RTL"
    fits = sorted({f"tau = {row['tau']:.2f}, t_c = {row['t_c']:.3f}" for row in rows})
    note = (f"The spanning-graphs paper's section 8 on routers of fatcube, in lockstep: {len(rows)} runs. Cycles are "
            "clock cycles read out of the hardware. A printed time is its start-ups times tau plus its elements times "
            f"t_c, which are fitted from other runs: {', '.join(fits)}. All messages of a packet but the first have a "
            "header of one flit there, which the paper's prices leave out: the last column leaves it out too, so what "
            "is far from the print in it is a print that is wrong, holds under a condition or is an approximation (see "
            "spanning-graphs.md, which begins with n = 3). Written by `fatcube curves`.")
    paths = [folder / f"curves.{ending}" for ending in ("md", "json", "html")]
    speedups = (["n", "ports", "B", "SBT cycles", "nESBT cycles", "speed-up"], _speedups(rows))
    drawn = importlib.util.find_spec("matplotlib") is not None
    lines = [f"# {title}", "", note, "", *(["![Cycles against packet size](curves.png)", ""] if drawn else [])]
    for heading, (columns, cells) in (("The best packet size", (BEST_COLUMNS, best_cells(rows))),
                                      ("How much faster nESBT broadcasts than SBT (Figure 17)", speedups)):
        lines += [f"## {heading}", "", *markdown_table(columns, cells), ""]
    write_text(paths[0], "\n".join(lines))
    write_text(paths[1], json.dumps(record({"dimensions": sorted({row["n"] for row in rows})}, {"rows": rows}),
                                    indent=1) + "\n")
    shown = {"figure": "figure", "collective": "collective", "along": "graph", "n": "n", "M": "elements", "B": "packet",
             "start-ups": "startups", "elements": "transferred", "headers": "headers", "cycles": "cycles",
             "printed start-ups": "printed_startups", "printed elements": "printed_transferred",
             "printed cycles": "printed_cycles", "in": "printed_in"}
    table = TitledTable(title, note, list(shown), [
        [f"{row[name]:g}" if isinstance(row[name], float) else str(row[name]) for name in shown.values()]
        for row in rows])
    figures = _figures(rows)
    write_text(paths[2], table_page(table, figures=figures))
    if drawn:
        paths.append(folder / "curves.png")
        write_bytes(paths[-1], png(figures, across=2, panel=(5.7, 4.1)))
    return paths


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
_COLOURS = {"BRG": "#1f77b4", "nRBRG": "#17becf", "SBT": "#d62728", "nRSBT": "#ff7f0e", "TCBT": "#2ca02c",
            "nESBT": "#9467bd", "SBnT": "#8c564b"}


def _figures(rows: Sequence[dict[str, Any]]) -> list[Figure]:
    """A figure for each collective and number of ports: dots are measured, lines are formulas."""
    largest = max(row["n"] for row in rows)
    return [
        Figure(
            name=f"{collective}-{ports}", title=f"{title}: measured (dots) and printed (lines)",
            x=Axis("B, elements of a packet", "log"), y=Axis("cycles", "log"),
            series=tuple(series for (graph, n), curve in _curves_of(rows, collective, ports).items()
                         for series in _series(graph, n, curve, 0.35 + 0.65 * n / largest)))
        for title, (collective, ports) in zip(_TITLES, _SHOWN)]


def _curves_of(rows: Iterable[dict[str, Any]], collective: str,
               ports: str) -> dict[tuple[str, int], list[dict[str, Any]]]:
    """The rows of each curve of a figure by spanning graph and dimension."""
    found: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in rows:
        if (row["collective"], row["ports"]) == (collective, ports):
            found.setdefault((row["graph"].partition(",")[0], row["n"]), []).append(row)
    return found


def _series(graph: str, n: int, curve: Iterable[dict[str, Any]], opacity: float) -> Iterator[Series]:
    def points(key: str, source: str) -> tuple[Point, ...]:
        return tuple(Point(x=row["packet"], y=row[key], text=(f"{graph}, n = {n}, {source}",)) for row in curve)

    yield Series(name=graph, points=points("cycles", "measured"), colour=_COLOURS[graph], opacity=opacity,
                 label=f"n = {n}")
    yield Series(name=graph, points=points("printed_cycles", "by formula"), mark="line", colour=_COLOURS[graph],
                 opacity=opacity)
