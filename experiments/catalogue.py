"""The experiments by name, each in a module that is imported on first use."""

import importlib

from experiments.experiment import Experiment

__all__ = ["NAMES", "find"]


_MODULES = {
    "benchmarks": "experiments.benchmarks.experiment",
    "flows": "experiments.flows",
    "traffic": "experiments.traffic",
    "boards": "experiments.boards",
    "depth": "experiments.depth",
    "hoplite": "experiments.hoplite.experiment",
    "imported-schedules": "experiments.imported_schedules.experiment",
    "machine-costs": "experiments.machine_costs.experiment",
    "peers": "experiments.peers.experiment",
    "placed-networks": "experiments.placed_networks",
}

NAMES = tuple(_MODULES)
"""The names of all experiments."""


def find(name: str) -> Experiment:
    """The experiment of a name."""
    return importlib.import_module(_MODULES[name]).EXPERIMENT
