"""Where cells are, from a file as nextpnr writes it."""

import json

from fatcube.synth.placement import places


def test_cells_are_counted_by_part_and_place(tmp_path):
    names = {
        "board.system.node0.router.input0_x": "X3/Y4/SLICEA.COMB0",
        "board.system.node11.router.y": "X3/Y4/SLICEB.FF1",
        "board.system.node1.processor0.sender0_z": "X3/Y4/SLICEC.COMB0",
        "board.bridge_timer": "X70/Y12/lc3",
        "held": "X0/Y1/SLICEA.FF0",
        "pll": "EHXPLL_LL",
    }
    cells = {name: {"attributes": {"NEXTPNR_BEL": place}} for name, place in names.items()} | {
        "none": {"attributes": {}}
    }
    file = tmp_path / "placed.json"
    file.write_text(json.dumps({"modules": {"top": {"cells": cells}}}))
    assert places(file) == {
        (3, 4): {"routers": 2, "processors": 1},
        (70, 12): {"serial link": 1},
        (0, 1): {"the rest": 1},
    }
