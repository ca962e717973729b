"""The longest path, read from what nextpnr prints."""

import pytest

from fatcube.groundwork.tool import ToolError
from fatcube.synth.critical_path import CriticalPath

LOG = """
Info: Critical path report for clock 'clk' (posedge -> posedge):
Info:       type curr  total name
Info:   clk-to-q  0.52  0.52 Source node0.a_TRELLIS_FF_Q.Q
Info:      setup  0.00  0.52 Source node0.b.CE

Info: Critical path report for clock 'clk' (posedge -> posedge):
Info:       type curr  total name
Info:   clk-to-q  0.52  0.52 Source node1.valid_TRELLIS_FF_Q.Q
Info:    routing  1.24  1.76 Net node1.some[0] (19,7) -> (18,3)
Info:                          Sink node3.lut.D
Info:                          Defined in:
Info:                               cells_map.v:108.23-108.24
Info:      logic  0.24  2.00 Source node3.lut.F
Info:    routing  10.5  12.5 Net node3.other (18,3) -> (18,3)
Info:                          Sink node3.register.CE
Info:      setup  0.01  12.51 Source node3.register.CE
Info: 0.77 ns logic, 11.74 ns routing

Info: Critical path report for cross-domain path 'a' -> 'b':
Info:      logic  9.99  9.99 Source elsewhere.F
"""


def test_last_report_of_a_clock():
    assert CriticalPath.of(LOG) == CriticalPath(
        pins=("node1.valid_TRELLIS_FF_Q.Q", "node3.lut.F", "node3.register.CE"),
        logic_ns=0.77,
        routing_ns=11.74,
    )


@pytest.mark.parametrize(
    "log", ["", "Info: Critical path report for clock 'clk':\n\nInfo: done", LOG.replace("setup", "hold")]
)
def test_log_without_a_path(log):
    with pytest.raises(ToolError, match="has no critical path"):
        CriticalPath.of(log)
