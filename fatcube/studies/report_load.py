"""The part of a report that is of networks under load: a table of their curves, and the curves."""

from collections.abc import Mapping, Sequence
from typing import Any

from fatcube.noc.topologies import name_from
from fatcube.reports.figure import Figure
from fatcube.reports.table import Section, TitledTable
from fatcube.studies.load import CAUSES, SATURATED, Curve, load_figures

__all__ = ["figures_of_load", "section_of_load"]


_COLUMNS = (
    "network",
    "configuration",
    "latency without load",
    "saturated from",
    "accepted at most",
    "bound",
    "limited by",
    "record",
)


def section_of_load(records: Sequence[Mapping[str, Any]]) -> Section:
    """The table of records of networks under load: a row for each network and pattern."""
    curves = _sorted(records)
    rows = []
    for curve, key in curves:
        measured = curve.measured
        saturated = "-" if measured.saturation is None else f"{measured.saturation:.3f}"
        figures = (
            f"{measured.latency_without_load:.1f}",
            saturated,
            f"{measured.throughput:.3f}",
            f"{measured.bound:.3f}",
            curve.cause,
        )
        rows.append([name_from(curve.network), curve.configuration, *figures, key])
    note = (
        "Latencies are in cycles; loads are in flits per cycle per processor port, including headers. "
        f"{SATURATED}; - stands where no measured load saturates the network, or saturation was not searched. Bound: the load at which a channel or receiver is full. {CAUSES}."
    )
    return Section(
        "Under load",
        [f"{len(curves)} curves of latency and throughput against offered load, measured on the RTL."],
        [TitledTable("Networks under load", note, list(_COLUMNS), rows)],
    )


def figures_of_load(records: Sequence[Mapping[str, Any]]) -> list[Figure]:
    """Latency and accepted load against offered load, a curve for each network and pattern."""
    return load_figures([curve for curve, _ in _sorted(records)])


def _sorted(records: Sequence[Mapping[str, Any]]) -> list[tuple[Curve, str]]:
    """The curve of each record and its key, by network and what else it differs in."""
    curves = [(Curve.of(record), record["key"]) for record in records]
    return sorted(curves, key=lambda one: (one[0].network, one[0].configuration, one[1]))
