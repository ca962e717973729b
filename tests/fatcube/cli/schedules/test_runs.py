"""The remarks of commands on runs: the barriers of a run in dataflow."""

import json

import pytest

from fatcube.cli.schedules.runs import report_runs
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.sim.collectives.run import Run, RunResult
from fatcube.sim.collectives.simulate import fitting_machine


@pytest.mark.parametrize(
    ("barriers", "words"), [((), None), ((1, 2, 3), "every step"), ((2,), "step 2"), ((1, 3), "steps 1, 3")]
)
def test_barriers_are_printed(capsys, barriers, words):
    network = Network(Hypercube(2), RouterOptions(ports="1"))
    schedule = construct(Problem(network.topology, "1", "AAS", 0)).schedule
    assert schedule.steps == 4
    counted = {"cycles": 9, "conflicts": 0, "flits": 9, "lane_flits": 1, "lane_utilisation": 0.5, "delivered": 12}
    result = RunResult(steps=0, **counted, failures=(), barriers=barriers)
    run = Run(schedule=schedule, payload_flits=16, lockstep=False)
    report_runs(fitting_machine(network), [run], [result], simulator="verilator", json_file=None)
    printed = capsys.readouterr().out
    if words is None:
        assert "barriers" not in printed
    else:
        assert f"dataflow, 16 payload flits: barriers after {words}\n" in printed


def test_the_row_of_a_run(capsys, tmp_path):
    """In print and in the record, with another number for everything; the steps of a run in dataflow are not printed."""
    network = Network(Hypercube(2), RouterOptions(ports="1"))
    schedule = construct(Problem(network.topology, "1", "AAS", 0)).schedule
    counted = {"cycles": 91, "conflicts": 7, "flits": 33, "lane_utilisation": 0.25, "delivered": 12}
    result = RunResult(steps=4, lane_flits=1, **counted, failures=())
    runs = [Run(schedule=schedule, payload_flits=16, lockstep=lockstep) for lockstep in (True, False)]
    file = tmp_path / "runs.json"
    report_runs(fitting_machine(network), runs, [result, result], simulator="verilator", json_file=file)
    printed = [line.replace("│", " ").split() for line in capsys.readouterr().out.splitlines()]
    rows = [words for words in printed if words[:1] in (["lockstep"], ["dataflow"])]
    assert rows == [
        ["lockstep", "16", "4", "91", "7", "25.0%", "12"],
        ["dataflow", "16", "-", "91", "7", "25.0%", "12"],
    ]
    more = {"payload_flits": 16, "steps": 4, **counted, "failures": []}
    assert json.loads(file.read_text())["measured"]["runs"] == [{"mode": row[0], **more} for row in rows]
