"""The experiment of benchmarks: each is a function without parameters, and its rows are one record."""

from collections.abc import Callable, Sequence

from experiments.benchmarks.networks import generation, routers, scheduling
from experiments.benchmarks.simulation import compilers, modes, simulation, traffic
from experiments.benchmarks.tables import page
from experiments.experiment import Experiment, Record, Settings
from fatcube.groundwork.record import record
from fatcube.studies.figures import Figures

__all__ = ["EXPERIMENT"]


def _measure(benchmark: Callable[[], Sequence[Figures]], settings: Settings) -> Record:
    return record({"benchmark": benchmark.__name__}, {"rows": [row.to_json() for row in benchmark()]})


EXPERIMENT = Experiment(
    name="benchmarks",
    about="routers of 5, 8 and 16 ports, and time and memory of commands by the size of the network",
    cases={
        "routers": routers,
        "generate": generation,
        "schedule": scheduling,
        "simulate": simulation,
        "modes": modes,
        "compilers": compilers,
        "traffic": traffic,
    },
    measure=_measure,
    page=page,
)
