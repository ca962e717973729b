"""Where the price a b stops fitting the area of routers: one option of them changed at a time.

    python -m fatcube.papers.fat_cube.breaks -o synth_reports

writes breaks.md, breaks.png and breaks.json into synth_reports, by Yosys alone.
"""

import argparse
from collections.abc import Mapping, Sequence
import json
from pathlib import Path
from statistics import mean
from typing import Any

from fatcube.groundwork.files import write_bytes, write_text
from fatcube.groundwork.progress import tracked
from fatcube.groundwork.record import record
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.reports.figure import COLOURS, GREY, Axis, Figure, Point, Series, png
from fatcube.reports.markdown import markdown_table
from fatcube.rtl.router_options import RouterOptions
from fatcube.studies.result_record import network_of
from fatcube.studies.results import read_records
from fatcube.studies.study import Study, committed_study
from fatcube.synth.ab_model import AB, Sample, fit
from fatcube.synth.silicon import router_silicon

__all__ = ["FACTORS", "SIZES", "figure", "measure", "page"]


SIZES = (Hypercube(3), Hypercube(4), Hypercube(5), FatCube(2, 4, 2))
"""The networks whose routers of model 1 have 4, 5, 6 and 8 inputs."""
_USED = {"turns": "used"}
FACTORS: dict[str, dict[str, Any]] = {
    "all turns, 32 bits, buffers of 2": {},
    "turns: no U-turns": {"turns": "forward"},
    "turns: those used": _USED,
    "width: 16 bits": {"width": 16},
    "width: 64 bits": {"width": 64},
    "buffer depth: 1": {"buffer_depth": 1},
    "buffer depth: 8": {"buffer_depth": 8},
    "copies (model b), turns used": {"ports": "b", **_USED},
    "virtual channels: 2": {"virtual_channels": 2},
    "pipeline: 2 cycles": {"pipeline": 2},
}
"""The options that are changed, one for each line of the table; the first line has none. Copies have no router with all turns."""
_BASE, *_ = FACTORS
_SEEN = {"turns", "width", "buffer_depth", "ports"}
"""The options that the correction model has."""


def _networks(options: Mapping[str, Any]) -> list[Network]:
    return [Network(topology, RouterOptions(**{"turns": "all", **options})) for topology in SIZES]


def measure(network: Network) -> dict[str, Any]:
    """The record of the area of a router on ECP5."""
    area = router_silicon(network, fmax=False).area
    return record(
        {**network.to_json(), "family": "ecp5"},
        {"comb_equivalents": area.comb_equivalents, "ff": area.ff},
        command="python -m fatcube.papers.fat_cube.breaks",
    )


def _samples(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Sample]]:
    """The routers of each factor, the smallest first."""
    luts = {network_of(one["parameters"]): one["measured"]["comb_equivalents"] for one in records}
    return {
        name: [Sample.of_router(network, luts[network]) for network in _networks(options)]
        for name, options in FACTORS.items()
    }


def _rows(samples: Mapping[str, Sequence[Sample]], study: Study) -> list[list[object]]:
    base = fit(samples[_BASE], AB)
    used = {one.a: one.measured for one in samples["turns: those used"]}
    rows = []
    for name, some in samples.items():
        alone = fit(some, AB)
        against = used if "copies" in name else {one.a: one.measured for one in samples[_BASE]}
        changes = [one.measured / against[one.a] - 1 for one in some]
        errors = [abs(base.sum(one) / one.measured - 1) for one in some]
        predicted = "-"
        if FACTORS[name].keys() <= _SEEN:
            off = [abs(study.luts.fit.predict(one) / one.measured - 1) for one in some]
            predicted = f"{mean(off):.1%}, {max(off):.1%}"
        rows.append(
            [
                name,
                " / ".join(f"{one.measured:,.0f}" for one in some),
                f"{min(changes):+.0%} to {max(changes):+.0%}",
                f"{alone.coefficients['ab']:.1f}",
                f"{alone.mean_error:.1%}, {alone.worst_error:.1%}",
                f"{mean(errors):.0%}, {max(errors):.0%}",
                predicted,
            ]
        )
    return rows


def _said(samples: Mapping[str, Sequence[Sample]]) -> list[str]:
    """The factors that change the price of a crosspoint, and those that change how well a b fits at all."""
    worst = {name: fit(some, AB).worst_error for name, some in samples.items()}
    price = {name: fit(some, AB).coefficients["ab"] for name, some in samples.items()}
    breaks = [name for name in samples if worst[name] > 2 * worst[_BASE]]
    prices = [name for name in samples if name not in breaks and abs(price[name] / price[_BASE] - 1) > 0.1]
    kept = [name for name in samples if name not in breaks + prices and name != _BASE]

    def listed(names: Sequence[str]) -> str:
        return "; ".join(f"{name} ({worst[name]:.0%})" for name in names) or "none"

    return [
        f"With all turns, 32 bits and buffers of two, a b alone fits these {len(SIZES)} routers within {worst[_BASE]:.1%}. Its worst error more "
        f"than doubles, whatever a crosspoint costs, with: {listed(breaks)}. The price of a crosspoint changes by more than a tenth, but a b fits "
        f"as well, with: {listed(prices)}. Neither changes with: {listed(kept)}. The worst error of a b alone among routers with "
        "the option is in brackets."
    ]


def figure(records: Sequence[Mapping[str, Any]]) -> Figure:
    """The area of a crosspoint against a b: a level line is an area that follows a b."""
    samples = _samples(records)
    places = {name: place for place, name in enumerate(name for name in samples if name != _BASE)}
    series = tuple(
        Series(
            name=name,
            points=tuple(Point(x=one.a * one.b, y=one.measured / one.a / one.b, text=(name,)) for one in some),
            mark="dots" if places.get(name, 0) >= len(COLOURS) else "line",
            colour=GREY if name == _BASE else COLOURS[places[name] % len(COLOURS)],
            opacity=1,
        )
        for name, some in samples.items()
    )
    return Figure(
        name="breaks",
        title="LUTs for each crosspoint that a b prices",
        says="An area that follows a b is a level line.",
        x=Axis("a b of a router"),
        y=Axis("LUTs of the router / a b", "log"),
        series=series,
    )


def page(records: Sequence[Mapping[str, Any]], study: Study) -> str:
    """The page in Markdown."""
    samples = _samples(records)
    inputs = ", ".join(str(one.a) for one in samples[_BASE])
    return "\n".join(
        [
            "# Where the price a b breaks",
            "",
            f"Routers of {inputs} inputs (model 1, ECP5, COMB equivalents) with one option changed at a time. Written by "
            "`python -m fatcube.papers.fat_cube.breaks -o synth_reports`; all figures in breaks.json.",
            "",
            *_said(samples),
            "",
            "![LUTs for each crosspoint](breaks.png)",
            "",
            *markdown_table(
                [
                    *("option", f"LUTs with {inputs} inputs".replace(", ", " / "), "change", "LUTs per a b"),
                    *("a b alone: mean, worst error", "price of the first line: mean, worst error"),
                    "correction model: mean, worst error",
                ],
                _rows(samples, study),
            ),
            "",
            "Changes are against the router of the first line, and of copies against the turns used. The correction model is that of the study "
            "([report.md](report.md)): buffers, turns and multiplexers as terms, corrected by similar routers, and fitted to no router with all "
            "turns; it has no term for virtual channels and pipelines.",
            "",
        ]
    )


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-o", type=Path, required=True, help="folder to write to")
    folder = parser.parse_args().o
    todo = [network for options in FACTORS.values() for network in _networks(options)]
    records = [measure(network) for network in tracked(todo, "mapping routers", len(todo))]
    write_text(folder / "breaks.json", json.dumps(records, indent=1) + "\n")
    write_text(folder / "breaks.md", page(records, Study(read_records(committed_study()), "ecp5")))
    write_bytes(folder / "breaks.png", png([figure(records)]))


if __name__ == "__main__":
    main()
