"""What commands say of runs: the barriers of a run in dataflow."""

import pytest

from fatcube.cli.runs import report_runs
from noc.network import Network
from noc.topologies.cubes import Hypercube
from rtl.router_options import RouterOptions
from schedules.construct import construct
from sim.collectives.run import Run, RunResult
from sim.collectives.simulate import fitting_machine


@pytest.mark.parametrize(
    ("barriers", "words"), [((), None), ((1, 2, 3), "every step"), ((2,), "step 2"), ((1, 3), "steps 1, 3")]
)
def test_barriers_are_printed(capsys, barriers, words):
    network = Network(Hypercube(2), RouterOptions(ports="1"))
    schedule = construct(network.topology, "1", "AAS", 0).schedule
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
