"""The price a b against routers with all turns, which is what it counts, and against those of the study, which have fewer.

    python -m fatcube.papers.fat_cube.turns -o synth_reports

writes turns.md and turns.json into synth_reports: the area of the routers of the committed study, each with all turns of its
crossbar, how well a b fits it, and the verdicts of the paper's Table 2 in it. Model b is not there, as its routers have the
turns that copies use, and no others.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
import dataclasses
import json
from pathlib import Path
from typing import Any

from fatcube.groundwork.files import write_text
from fatcube.groundwork.progress import tracked
from fatcube.groundwork.record import record
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.papers.fat_cube.silicon import is_plain, verdicts
from fatcube.reports.markdown import markdown_table
from fatcube.studies.result_record import network_of
from fatcube.studies.results import read_records
from fatcube.studies.study import Router, Study, committed_study
from fatcube.synth.ab_model import AB, Sample, different, fit
from fatcube.synth.silicon import crossbar_area, router_silicon

__all__ = ["gates", "measure", "page"]


_CELLS = "osu018"
_MOST_INPUTS = 12
"""The largest routers that are mapped to standard cells, which takes a minute for each."""
_PLACED = tuple(topology for d in (3, 4, 5, 6) for topology in (Hypercube(d), FatCube(d - 1, 2)))
"""The networks whose routers of model 1 are placed with all turns too."""


def measure(network: Network, *, family: str = "ecp5", fmax: bool = False) -> dict[str, Any]:
    """The record of the router of a network with all turns.

    On ECP5 it has COMB equivalents and flip-flops, those of its crossbar, and with ``fmax`` the clock of three placement seeds; on
    standard cells gates, flip-flops, area in µm² and in NAND2 equivalents.
    """
    router = router_silicon(network, fmax=fmax, family=family, wide=False)
    measured: dict[str, Any] = {"comb_equivalents": router.area.comb_equivalents, "ff": router.area.ff}
    if router.area.um2 is None:
        measured["crossbar_comb_equivalents"] = crossbar_area(network, family=family).comb_equivalents
    else:
        measured |= {name: getattr(router.area, name) for name in ("um2", "register_um2", "nand2_equivalents")}
    if fmax:
        measured |= {name: router.to_json()[name] for name in ("fmax_mhz", "seeds_mhz", "commands")}
    return record({**network.to_json(), "family": family}, measured, command="python -m fatcube.papers.fat_cube.turns")


def gates(records: Iterable[Mapping[str, Any]]) -> dict[Network, float]:
    """NAND2 equivalents of the routers on standard cells, by the network with the turns used."""
    return {network: one["nand2_equivalents"] for network, one in _cells(records).items()}


def _cells(records: Iterable[Mapping[str, Any]]) -> dict[Network, dict[str, float]]:
    return {
        network_of(one["parameters"]).with_options(turns="used"): one["measured"]
        for one in records
        if one["parameters"]["family"] == _CELLS
    }


def _fit(title: str, samples: Sequence[Sample]) -> list[object]:
    """The row of a fit of a b alone, by the least squares of relative errors, to the samples of different hardware."""
    apart = different(samples)
    model = fit(apart, AB)
    errors = [abs(model.sum(one) / one.measured - 1) for one in apart]
    return [
        title,
        len(apart),
        f"{model.coefficients['ab']:.3g}",
        f"{sum(errors) / len(errors):.1%}",
        f"{model.worst_error:.1%}",
    ]


def _per_bit(sample: Sample) -> Sample:
    return dataclasses.replace(sample, measured=sample.measured / sample.width)


def _fits(study: Study) -> list[list[object]]:
    plain = {network: router for network, router in study.whole.items() if is_plain(network)}
    crossbars = [
        [Sample.of_crossbar(network, router.crossbar or 1) for network, router in some.items()]
        for some in (plain, study.whole)
    ]
    all_turns = [Sample.of_router(router.network, router.luts) for router in plain.values()]
    return [
        _fit("router with the turns used, 32 bits", [Sample.of_router(one, study.routers[one].luts) for one in plain]),
        _fit("router with all turns, 32 bits", all_turns),
        _fit("the same, of at most 14 inputs", [one for one in all_turns if one.a <= 14]),
        _fit("crossbar alone, 32 bits", crossbars[0]),
        _fit("crossbar alone, 16 to 48 bits", crossbars[1]),
        _fit("the same, as a b (W + 1)", [*map(_per_bit, crossbars[1])]),
    ]


def _fits_of_gates(study: Study, records: Sequence[Mapping[str, Any]]) -> list[list[object]]:
    """The fits of a b to gates, and to the LUTs of the same routers."""
    cells = _cells(records)
    networks = {one: study.whole[one].network for one in cells}
    logic = {
        one: found["nand2_equivalents"] * (1 - found["register_um2"] / found["um2"]) for one, found in cells.items()
    }
    return [
        _fit(title, [Sample.of_router(networks[one], value) for one, value in values.items()])
        for title, values in (
            ("LUTs", {one: study.whole[one].luts for one in cells}),
            ("NAND2 equivalents", gates(records)),
            ("NAND2 equivalents without registers", logic),
        )
    ]


def _mhz(router: Router) -> str:
    return "-" if router.mhz is None else f"{router.mhz:.1f}"


def _better(rows: Sequence[Sequence[object]]) -> str:
    """A clause that compares the mean and the worst error of gates with those of LUTs."""
    (mean, worst), (gates_mean, gates_worst) = (rows[place][3:] for place in (0, 1))
    word = "worse" if float(str(gates_mean)[:-1]) > float(str(mean)[:-1]) else "better"
    return f"{word}, within {gates_mean} on average and {gates_worst} at worst against {mean} and {worst} of LUTs"


def _times(number: int) -> str:
    return "never" if not number else "once" if number == 1 else f"{number} times"


def page(study: Study, records: Sequence[Mapping[str, Any]]) -> str:
    """The page in Markdown, of a study with routers with all turns, which are those of the records."""
    plain = sorted(
        ((network, router) for network, router in study.whole.items() if is_plain(network)),
        key=lambda one: (one[0].router().crossbar_ports, str(one[0])),
    )
    pairs = verdicts(study)
    changed = [sum(one[0] != one[place] for one in pairs) for place in (1, 2)]
    rows, nand2 = [], gates(records)
    of_gates = _fits_of_gates(study, records)
    for network, whole in plain:
        ports, used = network.router().crossbar_ports, study.routers[network]
        turns = Sample.of_router(network).turns
        rows.append(
            [
                *(network.topology.name, network.options.ports.value, ports, ports * ports),
                f"{turns} ({turns / ports**2:.0%})",
                *(f"{value:,}" for value in (whole.crossbar or 0, whole.luts, used.luts)),
                f"{used.luts / whole.luts - 1:+.0%}",
                f"{nand2[network]:,.0f}" if network in nand2 else "-",
                *(_mhz(whole), _mhz(used) if whole.mhz else "-"),
            ]
        )
    return "\n".join(
        [
            "# The price a b, and the turns that a router has",
            "",
            "The paper's price a b counts all crosspoints of a crossbar. The routers of the study have only the turns of schedules "
            "whose packets cross one link. Here are the routers of models 1, d and * of the study with all turns (`--turns all`), on ECP5; "
            "LUTs are COMB equivalents. Written by `python -m fatcube.papers.fat_cube.turns`; all figures in turns.json.",
            "",
            "## How well a b fits",
            "",
            "Least squares of relative errors, with a b as the only term; routers of the same hardware count once.",
            "",
            *markdown_table(["LUTs of", "samples", "LUTs per a b", "mean error", "worst error"], _fits(study)),
            "",
            "## Gates",
            "",
            f"Where the steps of LUTs disappear, a b fits {_better(of_gates)}: registers and the control of an input grow with a, and not with a b, "
            "and a LUT has a flip-flop of its own. Routers with all turns, 32 bits, on the cells of osu018, and the LUTs of the same routers.",
            "",
            *markdown_table(["what", "samples", "for each a b", "mean error", "worst error"], of_gates),
            "",
            "## Table 2",
            "",
            f"The verdict of a b (the fat cube is no dearer, or it is) on {len(pairs)} pairs of a fat cube and a hypercube differs from "
            f"that of LUTs {_times(changed[0])} with all turns, and {_times(changed[1])} with the turns used, which leave out more of "
            "the crosspoints of a hypercube than of a fat cube.",
            "",
            "## Routers",
            "",
            "Flits of 32 bits, buffers of two. MHz are the medians of three placement seeds of routers of model 1. "
            f"{study.flow_note}".rstrip(),
            "",
            *markdown_table(
                [
                    *("network", "model", "a", "a b", "turns used"),
                    *("crossbar LUTs", "router LUTs, all turns", "router LUTs, turns used", "change"),
                    *("NAND2, all turns", "MHz, all turns", "MHz, turns used"),
                ],
                rows,
            ),
            "",
        ]
    )


def _is_placed(network: Network) -> bool:
    return is_plain(network) and network.options.ports.value == "1" and network.topology in _PLACED


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-o", type=Path, required=True, help="folder to write to")
    folder = parser.parse_args().o
    study = Study(read_records(committed_study()), "ecp5")
    networks = sorted(
        (one for one in study.routers if not one.options.ports.copies), key=lambda one: str(one.to_json())
    )
    mapped = [one for one in networks if is_plain(one) and one.router().crossbar_ports <= _MOST_INPUTS]
    todo = [(one, "ecp5") for one in networks] + [(one, _CELLS) for one in mapped]
    records = [
        measure(one.with_options(turns="all"), family=family, fmax=family == "ecp5" and _is_placed(one))
        for one, family in tracked(todo, "mapping routers", len(todo))
    ]
    write_text(folder / "turns.json", json.dumps(records, indent=1) + "\n")
    write_text(folder / "turns.md", page(Study(study.records, "ecp5", all_turns=records), records))


if __name__ == "__main__":
    main()
