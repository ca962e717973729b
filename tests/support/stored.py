"""Measured points as a sweep stores them, for the tests of what reads them, without measuring them again.

They are the 32 cells of synth_reports/reproduce.json with the routers of its Table 1: 8 processors, all models.
"""

import functools
import json
from pathlib import Path
import tempfile

from fatcube.schedules.collective import Collective
from fatcube.studies.results import write_records
from fatcube.studies.study import network_of

__all__ = ["ROUTERS", "points", "small"]


ROUTERS = Path(__file__).parents[1] / "data" / "routers.jsonl"
_REPRODUCED = Path(__file__).parents[2] / "synth_reports" / "reproduce.json"


@functools.cache
def _points():
    found = json.loads(_REPRODUCED.read_text(encoding="utf-8"))
    routers = {network_of(one["parameters"]): one for one in found["table_1"]}
    joined = []
    for cell in found["table_6"]:
        network, run = network_of(cell["parameters"]), cell["measured"]
        router = routers[network]["measured"]
        names = ("comb_equivalents", "ff", "lut4", "crossbar_comb_equivalents", "fmax_mhz", "seeds_mhz", "commands")
        measured = {name: run[name] for name in ("steps", "lower_bound", "cycles", "dataflow_cycles", "conflicts")}
        joined.append(
            {
                "key": cell["key"],
                "parameters": {
                    **network.to_json(),
                    "collective": run["collective"],
                    "root": 0 if Collective.parse(run["collective"]).rooted else None,
                    "payload_flits": run["payload_flits"],
                    "family": "ecp5",
                    "fmax": True,
                },
                "measured": {
                    **measured,
                    "predicted_cycles": run["steps"] * (run["payload_flits"] + 4),
                    **{name: router[name] for name in names},
                    "network_comb_equivalents": router["comb_equivalents"] * network.topology.nodes,
                    "links": router["C_L"],
                    "microseconds": run["cycles"] / router["fmax_mhz"],
                },
                "how": cell["how"],
            }
        )
    return json.dumps(joined)


def points():
    """The records, which the caller may change."""
    return json.loads(_points())


@functools.cache
def _folder():
    return tempfile.TemporaryDirectory(prefix="fatcube-tests-")


@functools.cache
def small():
    """A results file of them."""
    path = Path(_folder().name) / "small.jsonl"
    write_records(path, points())
    return path
