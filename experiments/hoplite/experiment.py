"""The experiment of Hoplite beside our networks."""

from experiments.experiment import Experiment, Record, Settings
from experiments.hoplite.measure import LOADS, NAMES, measure
from experiments.hoplite.page import page
from fatcube.groundwork.record import record

__all__ = ["EXPERIMENT"]


def _measure(name: str, settings: Settings) -> Record:
    row = measure(name, seeds=settings.seeds, fmax=settings.fmax, whole=settings.whole)
    return record({"network": name, "loads": list(LOADS)}, row.to_json(), seed=list(settings.seeds))


EXPERIMENT = Experiment(
    name="hoplite",
    about="Hoplite, written from its paper, beside our mesh and torus, under packets of one flit",
    cases={name: name for name in NAMES},
    measure=_measure,
    page=page,
    takes=("seeds", "fmax", "whole"),
)
