"""The papers' price a b against silicon: routers with all turns, which it prices, and with the turns used, which networks need."""

from collections import Counter
from collections.abc import Iterable, Sequence
import dataclasses
import json
from statistics import mean

from fatcube.groundwork.validation import ParameterError
from fatcube.reports.table import Section, TitledTable
from fatcube.rtl.port_model import PortModel
from fatcube.studies.study import Model, Router, Study
from fatcube.synth.ab_model import AB, AB_W, CROSSBAR, FLIP_FLOPS, ROUTER, TERMS, Sample, different

__all__ = ["against_silicon"]


_PARTS = {
    "inputs and buffers": ("a W", "a", "a W (D > 2)"),
    "multiplexers": ("multiplexers W",),
    "arbiters and decoders": ("turns",),
    "copies": ("turns, model b",),
}
"""The terms of :data:`fatcube.synth.ab_model.ROUTER` by the part of a router that they stand for."""
_SAMPLES_PER_TERM = 3
"""Different routers that a fit must have for each of its terms."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Set:
    """The routers of a study as a b sees them.

    Members
    -------
    width, depth : :class:`int`
        The width and depth of most routers; a b has neither.
    whole : list of :class:`Router`
        With all turns.
    used : list of :class:`Router`
        With fewer turns, and without copies, as copies have no routers with all turns.
    fewer : list of :class:`Router`
        All routers with fewer turns.
    """

    width: int
    depth: int
    whole: Sequence[Router]
    used: Sequence[Router]
    fewer: Sequence[Router]

    @classmethod
    def of(cls, study: Study) -> "_Set":
        whole = [*study.whole.values()]
        keys = {router.key for router in whole}
        fewer = [router for router in study.routers.values() if router.key not in keys]
        options = [router.network.options for router in study.routers.values()]
        sizes = Counter((one.width, one.buffer_depth) for one in options)
        width, depth = max(sizes, key=lambda size: (sizes[size], size))
        used = [router for router in fewer if not router.network.options.ports.copies]
        return cls(width=width, depth=depth, whole=whole, used=used, fewer=fewer)

    def plain(self, routers: Iterable[Router]) -> list[Router]:
        """The routers of this width and depth."""
        size = self.width, self.depth
        return [one for one in routers if (one.network.options.width, one.network.options.buffer_depth) == size]


def against_silicon(study: Study) -> Section:
    """The area of routers against a b and against a fuller model."""
    routers = _Set.of(study)
    fits = _fits(study, routers)
    tables = [
        TitledTable(
            "Fits",
            "Least squares of relative errors, of different hardware. R² and errors are of the sum of the terms; held "
            "out: predicted by a model fitted to all others. W bits per flit, D flits per buffer, turns: pairs of an "
            "input and an output that are joined, multiplexers: LUTs per bit of the outputs' multiplexers. Routers with the turns "
            "used are without model b where a b stands alone.",
            [
                *("of", "model", "samples", "R²", "mean error", "worst error"),
                *("held out, mean", "held out, worst", "coefficients"),
            ],
            [[*key, *_cells(model)] for key, model in fits.items()],
        )
    ]
    text = [*_priced(study, routers, fits), *_explained(study, fits), *_crossbars(routers, fits)]
    if (fuller := fits.get(_FULLER)) is not None:
        tables.append(_shares(study, fuller))
    if not fits:
        tables.clear()
        text.append(
            "Too few different routers were measured for a model of their area: there must be at least "
            f"{_SAMPLES_PER_TERM} for each term of it."
        )
    return Section("The ab model against silicon", [*text, *_pairs(study)], tables)


_WHOLE, _USED, _FULLER = (
    ("router with all turns, LUTs", "a b alone"),
    ("router with the turns used, LUTs", "a b alone"),
    ("router with the turns used, LUTs", "fuller"),
)
_WHOLE_WIDE = ("router with all turns, LUTs", "a b W, of several widths")
_CROSSBAR, _CROSSBAR_WIDE, _CROSSBAR_FULLER = (
    ("crossbar alone, LUTs", model) for model in ("a b alone", "a b (W + 1), of several widths", "fuller")
)


def _fits(study: Study, routers: _Set) -> dict[tuple[str, str], Model]:
    """The models by what they are of, for which there are enough samples."""
    at_depth = [one for one in routers.whole if one.network.options.buffer_depth == routers.depth]
    crossbars = [
        Sample.of_crossbar(router.network, router.crossbar)
        for router in study.routers.values()
        if router.crossbar is not None
    ]
    whole, used = (routers.plain(some) for some in (routers.whole, routers.used))
    found: dict[tuple[str, str], Model] = {}
    for key, samples, terms in (
        (_WHOLE, _samples(whole, "luts"), AB),
        (_WHOLE_WIDE, _samples(at_depth, "luts"), AB_W),
        (("router with all turns, LUTs", "fuller"), _samples(routers.whole, "luts"), ROUTER),
        (("router with all turns, FFs", "a b alone"), _samples(whole, "ff"), AB),
        (_USED, _samples(used, "luts"), AB),
        (_FULLER, _samples(routers.fewer, "luts"), ROUTER),
        (("router with the turns used, FFs", "a b alone"), _samples(used, "ff"), AB),
        (("router with the turns used, FFs", "fuller"), _samples(routers.fewer, "ff"), FLIP_FLOPS),
        (_CROSSBAR, [one for one in crossbars if one.width == routers.width + 1], AB),
        (_CROSSBAR_WIDE, crossbars, AB_W),
        (_CROSSBAR_FULLER, crossbars, CROSSBAR),
    ):
        if terms is AB_W and len({one.width for one in samples}) < 2:
            continue
        try:
            model = Model.of(different(samples), terms)
        except ParameterError:
            continue  # too few were measured
        # Else it is close to its own values and says nothing of others.
        if len(model.errors) >= _SAMPLES_PER_TERM * sum(map(bool, model.fit.coefficients.values())):
            found[key] = model
    return found


def _samples(routers: Iterable[Router], member: str) -> list[Sample]:
    return [Sample.of_router(router.network, getattr(router, member)) for router in routers]


def _cells(model: Model) -> list[str]:
    alone = len(model.terms) == 1
    return [
        str(len(model.errors)),
        f"{model.fit.r_squared:.4f}",
        f"{model.fit.mean_error:.1%}",
        f"{model.fit.worst_error:.1%}",
        *(["-", "-"] if alone else [f"{model.mean:.1%}", f"{model.worst:.1%}"]),
        "; ".join(f"{term}: {value:.3g}" for term, value in model.fit.coefficients.items() if value),
    ]


def _within(model: Model) -> str:
    return f"{model.fit.mean_error:.1%} on average and {model.fit.worst_error:.1%} at worst"


def _priced(study: Study, routers: _Set, fits: dict[tuple[str, str], Model]) -> list[str]:
    """Both sides: what the paper prices, and what a network of the study needs."""
    text = []
    if (model := fits.get(_WHOLE)) is not None:
        inputs = [one.a for one in model.fit.samples]
        wide = fits.get(_WHOLE_WIDE)
        text.append(
            "The paper's price: a b counts all crosspoints of a crossbar, and routers that have all turns follow it. "
            f"Flits of {routers.width} bits and buffers of {routers.depth}: a b alone fits the LUTs of {len(model.errors)} "
            f"different routers of {min(inputs)} to {max(inputs)} inputs within {_within(model)}."
            + (
                f" Over flits of {_between(one.width for one in wide.fit.samples)} bits a b W fits {len(wide.errors)} within "
                f"{_within(wide)}, as arbiters, decoders and control do not grow with the width."
                if wide
                else ""
            )
        )
    if (model := fits.get(_USED)) is not None:
        pairs = [
            (one, study.whole[same])
            for one in routers.plain(routers.used)
            if (same := one.network.with_options(turns="used")) in study.whole
        ]
        parts = [one.turns / one.a / one.b for one in model.fit.samples]
        text.append(
            "The need of a network for these schedules: routers with the turns that are used have "
            f"{min(parts):.0%} to {max(parts):.0%} of the crosspoints, in models 1, d and *. a b alone misses the LUTs of "
            f"{len(model.errors)} by {model.fit.mean_error:.1%} on average and by {model.fit.worst_error:.1%} at worst, as it prices "
            "crosspoints that are not there."
            + (f" {_less(pairs)} LUTs than with all turns, over {len(pairs)} of them." if pairs else "")
        )
    return text


def _less(pairs: Sequence[tuple[Router, Router]]) -> str:
    less = [1 - used.luts / whole.luts for used, whole in pairs]
    return f"They take {min(less):.0%} to {max(less):.0%}, on average {mean(less):.0%}, fewer"


def _between(values: Iterable[int]) -> str:
    values = [*values]
    return f"{min(values)} to {max(values)}"


def _explained(study: Study, fits: dict[tuple[str, str], Model]) -> list[str]:
    """The gain of a fuller model, held against routers that it was not fitted to."""
    if (fuller := fits.get(_FULLER)) is None:
        return []
    text = (
        "With buffers, turns and multiplexers as terms, the worst error for routers with the turns used is "
        f"{fuller.fit.worst_error:.0%}, and a router that was left out of the fit is predicted within {fuller.mean:.1%} on "
        f"average, within 10 % for {fuller.within(0.1)} of {len(fuller.errors)}, and within {fuller.worst:.1%} always."
    )
    known = {dataclasses.replace(one, measured=1) for one in fuller.fit.samples}
    unseen = [
        one
        for one in different(_samples(study.whole.values(), "luts"))
        if dataclasses.replace(one, measured=1) not in known
    ]
    if unseen:
        errors = [abs(fuller.fit.predict(one) / one.measured - 1) for one in unseen]
        text += (
            f" The same model, fitted to no router with all turns, predicts the LUTs of {len(unseen)} with them within {mean(errors):.1%} "
            f"on average and {max(errors):.1%} at worst."
        )
    return [text]


def _crossbars(routers: _Set, fits: dict[tuple[str, str], Model]) -> list[str]:
    alone, wide, fuller = (fits.get(key) for key in (_CROSSBAR, _CROSSBAR_WIDE, _CROSSBAR_FULLER))
    if alone is None or fuller is None:
        return []
    return [
        f"The crossbar alone, with all turns: a b fits the LUTs of {len(alone.errors)} for flits of {routers.width} bits within "
        f"{_within(alone)}"
        + (
            f"; of {len(wide.errors)} for {_between(one.width - 1 for one in wide.fit.samples)} bits, as a b (W + 1), within "
            f"{_within(wide)}"
            if wide
            else ""
        )
        + ". The rest are the steps of multiplexers (on ECP5 1 LUT per bit for 2 inputs, 3 for 4 and 5, 5 for 6 to 8, 9 for 9, and 7 "
        f"for 12), which explain the LUTs with R² {fuller.fit.r_squared:.4f} and a worst error of {fuller.fit.worst_error:.0%}. All of it "
        "is LUTs: the flow joins none to wider multiplexers, and a crossbar has no flip-flop."
    ]


def _shares(study: Study, model: Model) -> TitledTable:
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
    return TitledTable(
        "What a router is made of",
        "Parts of the LUTs by the fuller model of routers with the turns used, mean over the routers of a model. a b prices the "
        "multiplexers only.",
        columns,
        cells,
    )


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
    widths: dict[str, list[tuple[int, float]]] = {}
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
