"""Section 8 of the spanning-graphs paper on RTL: time against packet size, beside the printed formulas.

The routings that `fatcube audit spanning-graphs` executes packet by packet for a row of Tables 4, 5, 7, 11, 13, 15 and 17 run
here on routers and processors. The elements of the paper are flits, and a packet of B elements is one of up to B payload
flits. In lockstep a routing cycle of the paper is a step, so a run of S steps in which E elements are transferred takes
S tau + E t_c clock cycles; tau and t_c are fitted from runs of their own. What the paper leaves out is that a packet of
several messages has to say whose they are: all but the first have a header flit among the payload.
"""

from collections.abc import Iterable, Iterator
import dataclasses
import functools
import operator
from typing import Any

from fatcube.groundwork.progress import tracked
from fatcube.groundwork.validation import check_integer
from fatcube.groundwork.workers import in_processes
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.papers.spanning_graphs.formula import value
from fatcube.papers.spanning_graphs.prices import RUNS, UNLIMITED, name_of
from fatcube.papers.spanning_graphs.printed import OPTIMA, ROOTS, T
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.spanning.graphs import SBT
from fatcube.schedules.spanning.packets import ONE_PORT, Execution, Price, check_execution, to_schedule
from fatcube.schedules.spanning.trees import along
from fatcube.schedules.step_model import PortUse
from fatcube.sim.collectives.plan import most_entries
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all
from fatcube.sim.fit import fit

__all__ = ["CURVES", "Curve", "best_sizes", "check_dimensions", "elements_of", "measure_curves"]


@dataclasses.dataclass(frozen=True)
class Curve:
    """One algorithm whose time is measured for several packet sizes.

    Attributes
    ----------
    collective, ports : :class:`str`
        The collective, and the router model: 1 for one-port and d for n-port communication.
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
        """The run: its :class:`~fatcube.schedules.spanning.packets.Execution`."""
        return RUNS[self.table, self.row](n, M, B)


_COLLECTIVES = {4: "OAB", 5: "OAB", 7: "OAS", 11: "AAB", 13: "AAB", 15: "AAS", 17: "AAS"}
CURVES = [
    Curve(_COLLECTIVES[table], "1" if "one-port" in f"{name_of(table)} {row}" else "d", table, row)
    for table, rows in T.items()
    for row in rows
]
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
    # The longest ones come first.
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
            check(
                schedule, schedule.model.changed(port_use=PortUse.ONE_PARTNER) if execution.ports == ONE_PORT else None
            )
            yield curve, M, size, price, Run(schedule=schedule, payload_flits=unit)


def _measure(n: int, ports: str) -> list[dict[str, Any]]:
    """The rows of one build."""
    cases = list(_runs(n, ports))
    runs = [run for *_, run in cases]
    # Nothing that is measured below is among what tau and t_c are fitted from.
    calibration = along(SBT(n), ports, "OAS", one_partner=ports == "1")
    runs += [Run(schedule=calibration, payload_flits=flits) for flits in _CALIBRATION]
    parts = max(run.schedule.parts for run in runs)
    words = max(len(run.schedule.messages) << (run.payload_flits - 1).bit_length() for run in runs)
    network = Network(Hypercube(n), RouterOptions(ports=PortModel.parse(ports)), parts=parts)
    machine = fitting_machine(
        network,
        memory_words=words,
        payload_flits=max(_CALIBRATION),
        steps=max(most_entries(run.schedule) for run in runs),
    )
    results = simulate_all(machine, runs)
    fitted = fit(list(zip(_CALIBRATION, (result.cycles for result in results[len(cases) :]))), calibration.steps)
    tau, t_c = fitted.startup, fitted.per_flit
    rows = []
    for (curve, M, size, price, run), result in zip(cases, results):
        time = T[curve.table][curve.row]
        startups, elements = (float(value(text, n=n, M=M, B=size)) for text in (time.startups, time.elements))
        best, least = _printed_optimum(curve, n, M, tau, t_c)
        rows.append(
            {
                "figure": curve.figure,
                "collective": curve.collective,
                "ports": ports,
                "graph": curve.name,
                "n": n,
                "elements": M,
                "packet": size,
                "message": run.payload_flits,
                "startups": result.steps,
                "transferred": price.elements,
                "headers": _headers(run.schedule),
                "cycles": result.cycles,
                "conflicts": result.conflicts,
                "tau": tau,
                "t_c": t_c,
                "printed_startups": startups,
                "printed_transferred": elements,
                "printed_cycles": startups * tau + elements * t_c,
                "printed_best": best,
                "printed_least": least,
                "printed_in": f"Table {curve.table}",
                "delivered": result.delivered,
                "failures": list(result.failures),
            }
        )
    return rows


def _headers(schedule: Schedule) -> int:
    """The headers among the payload of the largest packet of every step, added up."""
    steps = {}
    for transfer in schedule.transfers:
        steps.setdefault(transfer.step, []).append(transfer)
    return sum(max(map(len, schedule.packets(transfers))) - 1 for transfers in steps.values())


def _printed_optimum(curve: Curve, n: int, M: int, tau: float, t_c: float) -> tuple[float | None, float | None]:
    """B_opt and the cycles of T_min as they are printed, ``None`` where they are not or make no sense."""
    key = (f"Table {curve.table}", curve.row)
    if key in ROOTS:
        try:
            best, least = (float(value(text, n=n, M=M, tau=tau, t_c=t_c)) for text in ROOTS[key])
        except (ValueError, ZeroDivisionError):
            return None, None
        return best, least
    for table in range(curve.table, curve.table + 3):
        if curve.row in OPTIMA.get(table, {}):
            optimum = OPTIMA[table][curve.row]
            # In Tables 9 and 14 the radical sign reaches over too much: corollary 6.2 has what is meant.
            packet = optimum.packet.replace("sqrt(2/pi*N*M/n**(3/2))", "sqrt(2/pi)*N*M/n**(3/2)")
            least = None
            if optimum.startups:
                least = float(value(f"({optimum.startups})*tau + ({optimum.elements})*t_c", n=n, M=M, tau=tau, t_c=t_c))
            return float(value(packet, n=n, M=M)), least
    return None, None


def best_sizes(rows: Iterable[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Of each algorithm and dimension the best packet size, measured and printed.

    Returns rows (collective, graph, n, M, best B measured, its cycles, printed B_opt, cycles of the printed T_min, the
    largest relative difference of a measured time from the printed T, and this difference without the headers of messages
    in shared packets).
    """
    found: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault((row["collective"], row["graph"], row["n"], row["elements"]), []).append(row)
    table = []
    for key, curve in found.items():
        best = min(curve, key=operator.itemgetter("cycles"))

        def farthest(headers: int) -> float:
            return max(
                abs((row["cycles"] - headers * row["headers"] * row["t_c"]) / row["printed_cycles"] - 1)
                for row in curve
            )

        table.append(
            (
                *key,
                best["packet"],
                best["cycles"],
                best["printed_best"],
                best["printed_least"],
                farthest(0),
                farthest(1),
            )
        )
    return table
