"""The findings of a study as sentences and tables: measurements, the choice, and its source."""

from collections.abc import Iterable, Sequence
from statistics import mean, median

from fatcube.reports.table import Section
from fatcube.schedules.collective import Collective
from fatcube.studies.explore import Choice, explore, pareto_front
from fatcube.studies.report_row import ReportRow
from fatcube.studies.steps import MOST
from fatcube.studies.study import Study
from fatcube.synth.families import find_family

__all__ = ["sections"]


def sections(study: Study, rows: Sequence[ReportRow], papers: Iterable[Section] = ()) -> list[Section]:
    """The :class:`Section`s of the report of ``study``, whose table is ``rows``; every number is worked out here.

    ``papers`` are sections on values that papers print, held against the study; they come before the sources.
    """
    return [_overview(study, rows), *papers, _sources(study)]


def _overview(study: Study, rows: Sequence[ReportRow]) -> Section:
    """The measurements, and what they say of time and speed."""
    networks = {(row.network, row.model) for row in rows}
    processors = sorted({row.processors for row in rows})
    runs = [row for row in rows if row.cycles is not None]
    placed = [(router.mhz, router) for router in study.routers.values() if router.mhz is not None]
    text = [
        f"{len(rows)} measurements of {len(networks)} configurations (a network with its router model) of "
        f"{_and(processors)} processors, on {find_family(study.family).title}. Area is {_area(study)}."
    ]
    if runs:
        exact = sum(row.cycles == row.predicted_cycles for row in runs)
        tight = sum(row.steps == row.lower_bound for row in runs)
        text.append(
            f"Time. Of {len(runs)} runs on the RTL {tight} take the fewest possible steps, by a proven bound. "
            f"The cycles of {exact} of them in lockstep are exactly those that were known before, from the schedule "
            f"alone."
        )
        text += _dataflow(runs)
        text += _choice(study, runs)
    if placed:
        (low, slow), (high, fast) = (of(placed, key=lambda one: one[0]) for of in (min, max))
        spread = [max(router.seeds) / min(router.seeds) - 1 for _, router in placed if len(router.seeds) > 1]
        text.append(
            f"Speed. Fmax goes from {low:.0f} MHz ({slow.network.name}, {slow.network.router().crossbar_ports} ports) to "
            f"{high:.0f} MHz ({fast.network.name}, {fast.network.router().crossbar_ports} ports), so steps alone do not say "
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
                f"{_priced(small, study.unit)} to {_priced(fast, study.unit)}: {fast.luts / small.luts:.1f} times the area buys "
                f"{small.microseconds / fast.microseconds:.1f} times the speed."
            )
    return found


def _area(study: Study) -> str:
    """The unit of areas in a sentence."""
    if study.unit != "LUTs":
        return study.unit
    if study.family == "ecp5":
        return "COMB equivalents: LUTs of four inputs, 2 for a carry cell and 6 for a cell of distributed RAM, mapped without wide LUTs"
    return "COMB equivalents: LUTs, and what carry cells and RAM made of LUTs take"


def _priced(choice: Choice, unit: str) -> str:
    return f"{choice.network.name} ({choice.luts:,.0f} {unit}, {choice.microseconds:.1f} µs)"


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
