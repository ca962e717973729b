"""Area, clock and the figures that follow from them, held against `synthesize`, `load` and `schedule` run by themselves."""

import json
import re

import pytest

from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.grids import Mesh, Ring
from fatcube.noc.topologies.switch import Switch
from fatcube.rtl.router_options import RouterOptions
from fatcube.studies.compare import compare, compare_given
from fatcube.studies.comparing.pages import comparison_record, write_page
from fatcube.studies.comparing.silicon import Flow, Silicon
from fatcube.studies.comparison import Compared, GivenNetwork, UnderLoad, tables
from tests.support.commands import run

NETWORKS = ("mesh:2x2", "ring:5")
FLAGS = {
    "mesh:2x2": ("--topology", "mesh", "-w", 2, "-d", 2),
    "ring:5": ("--topology", "ring", "-n", 5, "--virtual-channels", 2),
}


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def table(rows, title):
    """The cells of each row of a table by column."""
    columns, cells = next((columns, cells) for columns, cells in tables(rows) if title in columns)
    return [dict(zip(columns, row)) for row in cells]


def test_area_is_that_of_synthesize_run_by_itself(monkeypatch, capsys, folder):
    """COMB and flip-flops of routers, of the network and per processor; the ring has 5 processors and channels for its cycle."""
    monkeypatch.setattr(
        "fatcube.studies.compare._under_load",
        lambda given, topology, model, pattern: UnderLoad(
            pattern=pattern, latency_without_load=10.0, saturation=0.5, accepted=0.4, bound=1.0, failures=[]
        ),
    )
    status, _, err = run(monkeypatch, capsys, "compare", *NETWORKS, "--no-fmax", "--json", "found.json")
    assert status == 0, err
    found = json.loads((folder / "found.json").read_text())
    rows = [Compared.from_json(one) for one in found["measured"]["networks"]]
    assert [row.to_json() for row in rows] == found["measured"]["networks"]
    for name, row, shown in zip(NETWORKS, rows, table(rows, "router COMB")):
        flags = (*FLAGS[name], "--buffer-depth", 4, "--no-fmax", "--json", "alone.json")
        status, _, err = run(monkeypatch, capsys, "synthesize", *flags)
        assert status == 0, err
        alone = json.loads((folder / "alone.json").read_text())
        measured, network = alone["measured"], alone["measured"]["network"]
        processors = int(name[-1]) if name == "ring:5" else 4
        assert (shown["router COMB"], shown["router FF"]) == (measured["comb_equivalents"], measured["ff"])
        assert (shown["COMB"], shown["FF"]) == (network["comb_equivalents"], network["ff"])
        assert shown["COMB/P"] == f"{network['comb_equivalents'] / processors:.1f}"
        carried = 0.4 * processors / network["comb_equivalents"] * 1000
        assert shown["flits per cycle and 1000 COMB"] == f"{carried:.2f}"
        assert row.machine == {key: alone["parameters"][key] for key in row.machine}


def test_cycles_are_those_of_schedule_and_of_the_hardware(monkeypatch, capsys, folder):
    """Where routers have two cycles per hop too, a step takes as long as the run counts."""
    slow = RoutedNetwork(Mesh(w=(2, 2)), RouterOptions(pipeline=2))
    monkeypatch.setattr("fatcube.studies.compare.silicon_of", lambda network, flow: SILICON)
    [row] = compare_given([GivenNetwork("slow", slow)], run=True, flow=Flow())
    for one in row.collectives.values():
        assert one.failures == [] and one.lockstep_cycles == one.cycles > one.steps * 20


SILICON = Silicon(router_comb=100, router_ff=10, processor_ports=1, comb=400, ff=40, router_mhz=200.0)


def test_networks_that_differ_in_one_option_keep_their_figures_apart(monkeypatch):
    """Each has the area of its own routers: those with deeper buffers have more of both, and say so."""
    given = [
        GivenNetwork(str(depth), RoutedNetwork(Mesh(w=(2, 2)), RouterOptions(buffer_depth=depth))) for depth in (2, 8)
    ]
    shallow, deep = compare_given(given, flow=Flow())
    assert (shallow.machine["buffer_depth"], deep.machine["buffer_depth"]) == (2, 8)
    assert shallow.silicon.comb < deep.silicon.comb
    [again] = compare_given(given[1:], flow=Flow())
    assert again == deep


def test_ns_are_at_the_clock_that_is_known(monkeypatch):
    """The clock of the whole network where it was placed, else of the router; without either there is none."""
    monkeypatch.setattr("fatcube.studies.compare.silicon_of", lambda network, flow: SILICON)
    [row] = compare([Ring(4)], "1", flow=Flow())
    loaded = Compared.from_json(
        {**row.to_json(), "load": {"pattern": "uniform", "latency_without_load": 10.0, "saturation": 0.5, "accepted": 0.25,
                                  "bound": 1.0, "failures": []}}
    )  # fmt: skip
    assert loaded.latency_ns == 50.0  # 10 cycles of 5 ns
    assert loaded.flits_per_comb == 2.5  # a flit per cycle of four processors, on 400 COMB
    [shown] = table([loaded], "latency ns")
    assert shown["thousand flits per second and COMB"] == "500.0"
    whole = Compared.from_json({**loaded.to_json(), "silicon": {**SILICON.to_json(), "whole_mhz": 100.0}})
    assert whole.latency_ns == 100.0
    unplaced = Compared.from_json({**loaded.to_json(), "silicon": {**SILICON.to_json(), "router_mhz": None}})
    assert unplaced.latency_ns is None and "latency ns" not in tables([unplaced])[3][0]


def test_only_networks_of_equal_numbers_are_on_a_front(monkeypatch, tmp_path):
    """A ring of 3 is cheaper than both networks of 4 processors, as it carries less."""
    rows = compare([Ring(3), Ring(4), Switch(4)], "1")
    write_page(rows, tmp_path / "page.html", None, "1")
    page = re.sub("<[^>]*>", "", (tmp_path / "page.html").read_text()).replace("\N{NO-BREAK SPACE}", " ")
    assert "Cheapest routers of the networks of 4 processors: switch of 4 processors, with CR = 16" in page
    record = comparison_record(rows, None, "1", flow=Flow(fmax=True, seeds=(1,)))
    assert record["parameters"] == {"family": "ecp5", "fmax": True, "whole": False, "seeds": (1,)}
