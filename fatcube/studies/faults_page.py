"""The figures of :mod:`fatcube.studies.faults` as tables and a Markdown file."""

from collections.abc import Iterable, Mapping, Sequence
import dataclasses
from typing import Any, TypeAlias

from fatcube.noc.topology import Topology
from fatcube.reports.page import Results
from fatcube.reports.table import TitledTable
from fatcube.studies.failure_sets import Orbit
from fatcube.studies.faults import COLLECTIVES, PACKETS, Case

__all__ = ["Study", "failures_page", "tables"]


Figures: TypeAlias = Mapping[str, Any]


@dataclasses.dataclass(frozen=True)
class Study:
    """All figures of a network.

    Members
    -------
    whole : :class:`Topology`
    sound : mapping
        The figures without failures.
    singles : dict
        The figures of each single failure, by its name.
    orbits : list of :class:`Orbit`
        The single failures, in groups that look the same.
    doubles : list of (:class:`Case`, mapping)
        The figures of the pairs.
    rtl : dict
        The figures of the sets that ran on the RTL, by the names of their failures.
    """

    whole: Topology
    sound: Figures
    singles: Mapping[str, Figures]
    orbits: Sequence[Orbit]
    doubles: Sequence[tuple[Case, Figures]]
    rtl: Mapping[tuple[str, ...], Figures]

    def to_json(self) -> dict[str, Any]:
        """The figures as they stand in a record."""
        return {
            "sound": self.sound,
            "orbits": [[str(failure) for failure in orbit.failures] for orbit in self.orbits],
            "singles": self.singles,
            "doubles": [{"failed": list(case.failed), **figures} for case, figures in self.doubles],
            "rtl": [{"failed": list(failed), **figures["rtl"]} for failed, figures in self.rtl.items()],
        }


def tables(study: Study) -> list[TitledTable]:
    """A table of single failures, a row for those that look the same, one of pairs, and one of the runs on the RTL."""
    columns = ["failures", "sets", "cut", "diameter", "classes", "load", *(one.value for one in COLLECTIVES)]
    rows = [["none", 1, 0, *_row([study.sound])]]
    for orbit in study.orbits:
        figures = [study.singles[str(failure)] for failure in orbit.failures]
        left = [one for one in figures if "cut" not in one]
        rows.append([str(orbit.first), len(figures), len(figures) - len(left), *_row(left)])
    left = [figures for _, figures in study.doubles if "cut" not in figures]
    rows.append(["pairs of links and nodes", len(study.doubles), len(study.doubles) - len(left), *_row(left)])
    note = (
        "Steps, with the lower bounds of the remaining network in brackets; the load in flits per cycle and processor at which the first lane "
        "or receiver has a flit in every cycle. Where failures differ, the least and the most."
    )
    found = [TitledTable("Failures", note, columns, rows)]
    if study.rtl:
        ran = [[", ".join(failed) or "none", *_measured(figures["rtl"])] for failed, figures in study.rtl.items()]
        found.append(
            TitledTable(
                "On the RTL",
                f"Steps and cycles of the collectives, whose traces equal their schedules, and packets of random traffic, at least "
                f"{PACKETS:,}, all of which arrived; the least load, in flits per cycle and processor, at which uniform traffic "
                f"saturates the network, in steps of 1/128.",
                ["failures", "AAB", "all-reduce", "packets", "saturation"],
                ran,
            )
        )
    return found


def _row(figures: Sequence[Figures]) -> list[object]:
    if not figures:
        return ["-"] * (3 + len(COLLECTIVES))
    cells: list[object] = [_span(one[name] for one in figures) for name in ("diameter", "classes")]
    cells.append(_span(f"{one['load']:.3f}" for one in figures))
    for collective in COLLECTIVES:
        of_one = [one["collectives"][collective.value] for one in figures]
        cells.append(f"{_span(one['steps'] for one in of_one)} ({_span(one['lower_bound'] for one in of_one)})")
    return cells


def _measured(rtl: Mapping[str, Any]) -> list[object]:
    collectives = [f"{rtl[name]['steps']} steps, {rtl[name]['cycles']} cycles" for name in ("AAB", "all-reduce")]
    saturated = rtl["saturation"]
    return [*collectives, rtl["packets"], "above 1" if saturated is None else f"{saturated:.3f}"]


def _span(values: Iterable[Any]) -> str:
    """The least and the most of these values, or the one that there is."""
    found = sorted(set(values))
    return f"{found[0]}" if len(found) == 1 else f"{found[0]}-{found[-1]}"


def failures_page(study: Study) -> Results:
    """The tables as a page."""
    title, note = f"Failures of the {study.whole.name}", "Written by `fatcube faults`."
    return Results(title=title, note=note, says=[_says(study)], tables=tables(study))


def _says(study: Study) -> str:
    """How many failures the network survives, and which costs most."""
    cut = sum("cut" in one for one in study.singles.values())
    left = {name: one for name, one in study.singles.items() if "cut" not in one}
    text = f"{len(left)} of {len(study.singles)} single failures leave processors that all reach each other, and {cut} do not."
    if not left:
        return text
    worst = min(left, key=lambda name: left[name]["load"])
    return (
        f"{text} The costliest of them is {worst}: a lane or receiver is full from a load of {left[worst]['load']:.3f} on, and "
        f"without failures from {study.sound['load']:.3f} on."
    )
