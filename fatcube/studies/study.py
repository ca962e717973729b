"""The measured routers of a results file, and the models fitted to them: for `explore` and `report`."""

from collections.abc import Callable, Iterable, Mapping
import dataclasses
import functools
import json
from pathlib import Path
from typing import Any, Self

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.rtl.router_options import RouterOptions
from fatcube.studies.load_record import is_load_record
from fatcube.studies.result_record import network_of
from fatcube.synth.ab_model import PERIOD, ROUTER, SEEN, Fit, Sample, different, fit, held_out_errors, identifiable
from fatcube.synth.families import find_family

__all__ = ["Model", "Router", "Study", "committed_all_turns", "committed_study", "network_of"]


def committed_study() -> Path:
    """The path of the study that comes with fatcube: here, where a checkout has a link to that in synth_reports.

    Raises
    ------
    ParameterError
        If there is none.
    """
    study = Path(__file__).with_name("study.jsonl")
    if study.is_file():
        return study
    raise ParameterError(
        "results file must be given (--results), as no study comes with this installation; "
        "`fatcube sweep FILE.toml --json FILE.jsonl` makes one"
    )


def committed_all_turns() -> list[dict[str, Any]]:
    """The records of the routers of :func:`committed_study` with all turns.

    Raises
    ------
    ParameterError
        If there are none.
    """
    file = Path(__file__).with_name("turns.json")
    if file.is_file():
        return json.loads(file.read_text(encoding="utf-8"))
    raise ParameterError(
        "results file must be given (--results), as routers with all turns do not come with this installation"
    )


@dataclasses.dataclass(frozen=True)
class Router:
    """A router that was measured.

    Members
    -------
    network : :class:`Network`
        The network that it is of.
    luts, ff : number
        Area of one router in the unit of the family (:attr:`~fatcube.synth.families.family.Family.unit`), COMB equivalents on an
        FPGA; and flip-flops.
    crossbar : :class:`int` or ``None``
        COMB equivalents of the full a x b crossbar alone.
    mhz : :class:`float` or ``None``
        Fmax, the median over the placement seeds; ``None`` if it was not placed.
    seeds : :class:`tuple` of :class:`float`
        Fmax of each seed.
    key : :class:`str`
        The key of the record that measured it.
    """

    network: Network
    luts: float
    ff: int
    crossbar: int | None
    mhz: float | None
    seeds: tuple[float, ...]
    key: str


@dataclasses.dataclass(frozen=True)
class Model:
    """A fitted model, and its errors for samples that were left out of the fit, one at a time.

    Members
    -------
    fit : :class:`fatcube.synth.ab_model.Fit`
    terms : :class:`tuple` of :class:`str`
    errors : list of :class:`float`
        Relative, one per sample.
    """

    fit: Fit
    terms: tuple[str, ...]
    errors: list[float]

    @classmethod
    def of(cls, samples: Iterable[Sample], terms: Iterable[str]) -> Self:
        """The model of those of ``terms`` that the samples tell apart, also if any one sample is left out.

        The first terms count most: the last ones are dropped.

        Raises
        ------
        ParameterError
            If there are too few samples for any model.
        """
        samples = list(samples)
        if len(samples) < 2:
            raise ParameterError(
                f"results must have at least two different routers for a model of what was not "
                f"measured, and these have {len(samples)}"
            )
        terms = identifiable(samples, terms)
        while True:
            try:
                return cls(fit(samples, terms), terms, held_out_errors(samples, terms))
            except ParameterError:
                if len(terms) <= 1:
                    raise
                terms = terms[:-1]

    @property
    def worst(self) -> float:
        """The largest error, without its sign."""
        return max(map(abs, self.errors))

    @property
    def mean(self) -> float:
        """The mean error, without their signs."""
        return sum(map(abs, self.errors)) / len(self.errors)

    def within(self, part: float) -> int:
        """The number of errors that are not larger than ``part``."""
        return sum(abs(error) <= part for error in self.errors)


def _routers(records: Iterable[Mapping[str, Any]], family: str) -> dict[Network, Router]:
    found: dict[Network, Router] = {}
    target = find_family(family)
    today = target.placed_as_today
    for record in sorted(records, key=lambda one: (not today(one["measured"]), one["key"])):
        network, measured = network_of(record["parameters"]), record["measured"]
        area = target.measured_area(measured)
        if area is None:
            continue
        router = Router(
            network,
            area,
            measured["ff"],
            measured.get("crossbar_comb_equivalents"),
            measured.get("fmax_mhz"),
            tuple(mhz for _, mhz in measured.get("seeds_mhz") or ()),
            record["key"],
        )
        if network not in found or found[network].mhz is None:
            found[network] = router
    return found


def _unseen(options: RouterOptions) -> dict[str, Any]:
    return {name: value for name, value in options.to_json().items() if name not in SEEN}


class Study:
    """The records of one FPGA family.

    Parameters
    ----------
    records : list
        Result records, as :func:`fatcube.studies.results.read_records` returns them.
    family : :class:`str`
    options : :class:`RouterOptions` or ``None``
        Only routers that are like these in all options which the models do not see: see :data:`fatcube.synth.ab_model.SEEN`.
    all_turns : list
        Records of further routers, with all turns, which are in :attr:`whole` and in nothing else.

    Raises
    ------
    ParameterError
        If none of them measures such a router of this family.
    """

    def __init__(
        self,
        records: Iterable[Mapping[str, Any]],
        family: str,
        options: RouterOptions | None = None,
        *,
        all_turns: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        self.family = family
        self._all_turns = [record for record in all_turns if record["parameters"]["family"] == family]
        unseen = {} if options is None else _unseen(options)
        self.records = [
            record
            for record in records
            if not is_load_record(record)
            and record["parameters"]["family"] == family
            and (options is None or _unseen(network_of(record["parameters"]).options) == unseen)
        ]
        if not self.records:
            changed = [f"{name}={value}" for name, value in unseen.items() if value != _unseen(RouterOptions())[name]]
            what = f" with {', '.join(changed)}" if changed else ""
            raise ParameterError(f"results must have routers{what} measured on {family}, and these have none")

    @functools.cached_property
    def routers(self) -> dict[Network, Router]:
        """Every measured :class:`Router` by its network; one that was placed counts before one that was not, and one that was
        placed as it would be today before others."""
        return _routers(self.records, self.family)

    @functools.cached_property
    def whole(self) -> dict[Network, Router]:
        """The routers that have all a x b turns, of this study and of the further records, by the network with the turns used."""
        every = {**self.routers, **_routers(self._all_turns, self.family)}
        samples = {network: Sample.of_router(network) for network in every}
        return {
            network.with_options(turns="used"): router
            for network, router in every.items()
            if samples[network].turns == samples[network].a * samples[network].b
        }

    def model(
        self,
        name: str,
        terms: Iterable[str],
        *,
        of: Callable[[Network, float], Sample] = Sample.of_router,
    ) -> Model:
        """The :class:`Model` of the member ``name`` of :class:`Router`, fitted to those routers that have it.

        Routers of the same hardware in networks of other sizes count once: they would be known if left out.
        """
        values = ((router.network, getattr(router, name)) for router in self.routers.values())
        return Model.of(different(of(network, value) for network, value in values if value is not None), terms)

    @functools.cached_property
    def luts(self) -> Model:
        """The model of a router's LUTs."""
        return self.model("luts", ROUTER)

    @functools.cached_property
    def frequency(self) -> Model:
        """The model of the period, in ns: it is a sum of terms, and Fmax is not.

        Raises
        ------
        ParameterError
            If no or too few routers were placed.
        """
        placed = ((router.network, router.mhz) for router in self.routers.values())
        samples = different(Sample.of_router(network, 1000 / mhz) for network, mhz in placed if mhz is not None)
        if not samples:
            raise ParameterError(
                f"results must have routers placed on {self.family} for their Fmax, and these have none"
            )
        return Model.of(samples, PERIOD)

    @property
    def unit(self) -> str:
        """The unit of areas."""
        return find_family(self.family).unit

    @property
    def flow_note(self) -> str:
        """The sentence that names the Fmax that were measured in another flow than today's, if any; see
        :meth:`fatcube.synth.families.family.Family.flow_note`."""
        return find_family(self.family).flow_note(record["measured"] for record in (*self.records, *self._all_turns))

    @property
    def models(self) -> dict[str, Model]:
        """The models by what they predict, without those for which too few routers were measured."""
        found: dict[str, Model] = {}
        for name, member in ((self.unit, "luts"), ("Fmax", "frequency")):
            try:
                found[name] = getattr(self, member)
            except ParameterError:
                continue
        return found
