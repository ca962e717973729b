"""The findings of a study in words and tables: the papers' price a b against silicon, the choice, and where it comes from."""

from collections.abc import Iterable, Sequence
import json
from statistics import mean, median

from fatcube.groundwork.validation import ParameterError
from fatcube.reports.table import Section, TitledTable
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective
from fatcube.studies.explore import Choice, explore, pareto_front
from fatcube.studies.report_row import ReportRow
from fatcube.studies.steps import MOST
from fatcube.studies.study import Model, Study
from fatcube.synth.ab_model import AB, CROSSBAR, FLIP_FLOPS, ROUTER, TERMS, Sample

__all__ = ["sections"]


_PARTS = {
    "inputs and buffers": ("a W", "a", "a W (D > 2)"),
    "multiplexers": ("multiplexers W",),
    "arbiters and decoders": ("turns",),
    "copies": ("turns, model b",),
}
"""The terms of :data:`fatcube.synth.ab_model.ROUTER` by the part of a router that they stand for."""
_SAMPLES_PER_TERM = 3
"""Different routers that a fit must have for each of its terms."""


def sections(study: Study, rows: Sequence[ReportRow], papers: Iterable[Section] = ()) -> list[Section]:
    """The :class:`Section`s of the report of ``study``, whose table is ``rows``; every number is worked out here.

    ``papers`` are sections of what papers print, held against the study; they stand before the sources.
    """
    return [_overview(study, rows), _against_silicon(study), *papers, _sources(study)]


def _overview(study: Study, rows: Sequence[ReportRow]) -> Section:
    """The measurements, and what they say of time and speed."""
    networks = {(row.network, row.model) for row in rows}
    processors = sorted({row.processors for row in rows})
    runs = [row for row in rows if row.cycles is not None]
    placed = [(router.mhz, router) for router in study.routers.values() if router.mhz is not None]
    text = [
        f"{len(rows)} measurements of {len(networks)} configurations (a network with its router model) of "
        f"{_and(processors)} processors, on {study.family}. Area is COMB equivalents: "
        + (
            "LUTs of four inputs, 2 for a carry cell and 6 for a cell of distributed RAM, mapped without wide LUTs."
            if study.family == "ecp5"
            else "LUTs or gates, and what carry cells and RAM made of LUTs take."
        )
    ]
    if runs:
        exact = sum(row.cycles == row.predicted_cycles for row in runs)
        tight = sum(row.steps == row.lower_bound for row in runs)
        text.append(
            f"Time. Of {len(runs)} runs on the RTL {tight} take the fewest steps that are possible, by a proven bound. "
            f"The cycles of {exact} of them in lockstep are exactly those that were known before, from the schedule "
            f"alone (schedules/cycles.py)."
        )
        text += _dataflow(runs)
        text += _choice(study, runs)
    if placed:
        (low, slow), (high, fast) = (of(placed, key=lambda one: one[0]) for of in (min, max))
        spread = [max(router.seeds) / min(router.seeds) - 1 for _, router in placed if len(router.seeds) > 1]
        text.append(
            f"Speed. Fmax goes from {low:.0f} MHz ({slow.network}, {slow.network.router().crossbar_ports} ports) to "
            f"{high:.0f} MHz ({fast.network}, {fast.network.router().crossbar_ports} ports), so steps alone do not say "
            "which network is faster."
            + (
                f" Placement seeds of one router differ by {median(spread):.0%} (median) and {max(spread):.0%} at "
                "most, so smaller differences between routers mean nothing."
                if spread
                else ""
            )
        )
        text.append(study.flow_note)
    return Section("What it says", [one for one in text if one], [])


def _dataflow(runs: Sequence[ReportRow]) -> list[str]:
    """The change where a packet begins as soon as it can, and not with its step."""
    changes = [row.dataflow_cycles / row.cycles - 1 for row in runs if row.dataflow_cycles and row.cycles]
    if not changes:
        return []
    less, more = [one for one in changes if one < 0], [one for one in changes if one > 0]
    return [
        "In dataflow, where a packet does not wait for its step (in model b only where copies need it), "
        f"{len(less)} of {len(changes)} runs take fewer cycles{f', down to {min(less):+.0%}' if less else ''}, "
        f"{len(more) or 'and none'} take{'' if len(more) > 1 else 's'} more"
        f"{f', up to {max(more):+.0%}, as packets of later steps get in the way' if more else ''}; "
        f"on average it is {mean(changes):+.0%}."
    ]


def _choice(study: Study, runs: Sequence[ReportRow]) -> list[str]:
    """For each collective at the largest size the ends of the Pareto front. Cycles are exact, so what was placed but
    not run counts too."""
    found = []
    most = max((row.processors for row in runs), default=0)
    if most % 2 or not 2 <= most <= MOST:
        return []  # no cubes to choose from
    largest = [row for row in runs if row.processors == most]
    for collective in sorted({row.collective for row in largest if row.collective}):
        flits = max(row.payload_flits or 0 for row in largest if row.collective == collective)
        choices = explore(
            most, {Collective.parse(collective): 1}, study, payload_flits=flits, measured_only=True
        ).choices
        best = pareto_front(choices)
        if len(best) > 1:
            small, fast = best[0], best[-1]
            found.append(
                f"Choice. {collective} with {most} processors and {flits} payload flits: of the {len(choices)} "
                f"configurations that were placed, {len(best)} are on the Pareto front of area and time. It goes from "
                f"{_priced(small)} to {_priced(fast)}: {fast.luts / small.luts:.1f} times the area buys "
                f"{small.microseconds / fast.microseconds:.1f} times the speed."
            )
    return found


def _priced(choice: Choice) -> str:
    return (
        f"{choice.network.topology} with model {choice.network.options.ports.value} ({choice.luts:,} LUTs, "
        f"{choice.microseconds:.1f} µs)"
    )


def _against_silicon(study: Study) -> Section:
    """The area of routers against a b and against a fuller model."""
    fits = [
        ("router, LUTs", "luts", AB, ROUTER, Sample.of_router),
        ("router, FFs", "ff", AB, FLIP_FLOPS, Sample.of_router),
        ("crossbar alone, LUTs", "crossbar", AB, CROSSBAR, Sample.of_crossbar),
    ]
    cells: list[list[str]] = []
    models: dict[str, tuple[Model, Model]] = {}
    text: list[str] = []
    for title, name, alone, fuller, of in fits:
        try:
            first, second = study.model(name, alone, of=of), study.model(name, fuller, of=of)
        except ParameterError:
            continue  # too few were measured
        if not _tells(second):
            continue
        models[name] = first, second
        cells += [
            [
                title,
                "a b alone",
                str(len(first.errors)),
                f"{first.fit.r_squared:.3f}",
                f"{first.fit.worst_error:.1%}",
                "-",
                "-",
                f"a b: {first.fit.coefficients['ab']:.3g}",
            ],
            [
                title,
                "fuller",
                str(len(second.errors)),
                f"{second.fit.r_squared:.4f}",
                f"{second.fit.worst_error:.1%}",
                f"{second.mean:.1%}",
                f"{second.worst:.1%}",
                "; ".join(f"{term}: {value:.3g}" for term, value in second.fit.coefficients.items() if value),
            ],
        ]
    tables = [
        TitledTable(
            "Fits",
            "Least squares of relative errors. R² and the worst error are of the sum of the terms; held "
            "out: predicted by a model fitted to all other routers. W bits per flit, D flits per buffer, "
            "turns: pairs of an "
            "input and an output that are joined, multiplexers: LUTs per bit of the outputs' multiplexers.",
            ["of", "model", "samples", "R²", "worst error", "held out, mean", "held out, worst", "coefficients"],
            cells,
        )
    ]
    if not models:
        tables.clear()
        text.append(
            "Too few different routers were measured for a model of their area: there must be at least "
            f"{_SAMPLES_PER_TERM} for each term of it."
        )
    if "luts" in models:
        alone, fuller = models["luts"]
        text.append(
            f"a b alone explains the LUTs of routers with R² {alone.fit.r_squared:.2f}, and is off by up to "
            f"{alone.fit.worst_error:.0%}: it prices crosspoints, and a router has also what grows with its ports and "
            "not with their square. With buffers, turns and multiplexers the worst error is "
            f"{fuller.fit.worst_error:.0%}, "
            f"and a router that was left out of the fit is predicted within {fuller.mean:.1%} on average, "
            "within 10 % for "
            f"{fuller.within(0.1)} of {len(fuller.errors)}, and within {fuller.worst:.1%} always."
        )
        columns, shares = _shares(study, fuller)
        tables.append(
            TitledTable(
                "What a router is made of",
                "Parts of the LUTs by the fuller model, mean over the routers of "
                "a model. a b prices the multiplexers only.",
                columns,
                shares,
            )
        )
    if "crossbar" in models:
        alone, fuller = models["crossbar"]
        text.append(
            "The crossbar alone is not a b either: its LUTs go in steps of the inputs of a multiplexer (on ECP5 1 LUT "
            "per bit for 2 inputs, 3 for 4 and 5, 5 for 6 to 8, 9 for 9, and 7 for 12), and those steps explain "
            f"them with R² {fuller.fit.r_squared:.4f} and a worst error of {fuller.fit.worst_error:.0%}, where a b is off by up "
            f"to {alone.fit.worst_error:.0%}. All of it is LUTs: the flow joins none to wider multiplexers, and a "
            "crossbar has "
            "no flip-flop."
        )
    text += _pairs(study)
    return Section("The ab model against silicon", text, tables)


def _tells(model: Model) -> bool:
    """True if a fit has far more values than unknowns; else it is close to its own values and says nothing of others."""
    return len(model.errors) >= _SAMPLES_PER_TERM * sum(map(bool, model.fit.coefficients.values()))


def _shares(study: Study, model: Model) -> tuple[list[str], list[list[str]]]:
    """Mean shares of :data:`_PARTS` in routers, by model; what the study cannot tell apart goes with terms before."""
    columns = ["model", "routers", *_PARTS]
    cells = []
    for ports in PortModel:
        parts = []
        for router in study.routers.values():
            if router.network.options.ports is ports:
                sample = Sample.of_router(router.network)
                whole = model.fit.sum(sample)
                parts.append(
                    [
                        sum(model.fit.coefficients.get(term, 0) * TERMS[term](sample) for term in terms) / whole
                        for terms in _PARTS.values()
                    ]
                )
        if parts:
            cells.append([ports.value, str(len(parts)), *(f"{mean(one):.0%}" for one in zip(*parts))])
    return columns, cells


def _pairs(study: Study) -> list[str]:
    """The cost of copies, deeper buffers and wider flits: routers that differ in nothing else."""
    return [*_copies(study), *_deep(study), *_wide(study)]


def _copies(study: Study) -> list[str]:
    """The cost of copying packets."""
    copies = [
        (router, study.routers[plain])
        for network, router in study.routers.items()
        if network.options.ports.copies
        for plain in [network.with_options(ports="1")]
        if plain in study.routers
    ]
    if not copies:
        return []
    luts = [copying.luts / plain.luts - 1 for copying, plain in copies]
    clocks = [copying.mhz / plain.mhz - 1 for copying, plain in copies if copying.mhz and plain.mhz]
    speed = (
        f", and its Fmax by {min(clocks):+.0%} to {max(clocks):+.0%}, {mean(clocks):+.0%} on average over {len(clocks)}"
        if clocks
        else ""
    )
    return [
        "Copying packets (model b) is free in a b. On silicon it changes the LUTs of the same router by "
        f"{min(luts):+.0%} to {max(luts):+.0%}, {mean(luts):+.0%} on average over {len(luts)} pairs{speed}."
    ]


def _deep(study: Study) -> list[str]:
    """The cost of buffers of more than two flits."""
    deep: dict[int, list[float]] = {}
    for network, router in study.routers.items():
        if network.options.buffer_depth != 2 and (plain := network.with_options(buffer_depth=2)) in study.routers:
            deep.setdefault(network.options.buffer_depth, []).append(router.luts / study.routers[plain].luts - 1)
    if not deep:
        return []
    changes = (f"{mean(deep[depth]):+.0%} with {depth} (mean of {len(deep[depth])})" for depth in sorted(deep))
    return [f"Buffers are free in a b. Against two flits an input, LUTs change by {', '.join(changes)}."]


def _wide(study: Study) -> list[str]:
    """The cost of flits of twice the width."""
    widths: dict[str, list[tuple[int, int]]] = {}
    for router in study.routers.values():
        rest = {**router.network.to_json(), "width": None}
        widths.setdefault(json.dumps(rest), []).append((router.network.options.width, router.luts))
    doubled = [
        wide / narrow for same in widths.values() for low, narrow in same for high, wide in same if high == 2 * low
    ]
    if not doubled:
        return []
    return [
        "a b is the price of one bit's crossbar. Twice the width makes a router "
        f"{mean(doubled):.2f} times as large (mean of {len(doubled)}), as arbiters, decoders and control "
        "do not grow with it."
    ]


def _sources(study: Study) -> Section:
    """The commands, revisions and tools that the records name."""
    hows = [record["how"] for record in study.records]
    tools = sorted({f"{name} {version}" for how in hows for name, version in how["tools"].items()})
    revisions = sorted({how["source_revision"] or "none, as it was no checkout" for how in hows})
    counted = [how["counted_at_revision"] or "no checkout" for how in hows if "counted_at_revision" in how]
    again = (
        f"The cycles of {len(counted)} were counted again later, at {_and(sorted(set(counted)))}, as their routers were the same. "
        if counted
        else ""
    )
    commands = sorted({how["command"] for how in hows})
    return Section(
        "Where the numbers come from",
        [
            f"{len(hows)} records, each with its key, parameters, all that was measured, command, seed and source "
            "revision. "
            f"Commands: {'; '.join(commands)}. Source revisions: {', '.join(revisions)}. "
            f"{again}"
            f"Tools: {', '.join(tools)}."
        ],
        [],
    )


def _and(values: Iterable[object]) -> str:
    *most, last = map(str, values)
    return f"{', '.join(most)} and {last}" if most else last
