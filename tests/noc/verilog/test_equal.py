"""The Verilog that is written does what is simulated and measured, in every cycle."""

import pytest

from fatcube.noc.shared import Shared
from fatcube.rtl.router import FatNodeRouter
from tests.support.cases import some
from tests.support.equivalence import prove_equivalent
from tests.support.pair_cover import CHOICES, CONFIGURATIONS, wide
from tests.support.written_verilog import written_modules


@pytest.mark.parametrize("choices", some([pytest.param(one, id=str(one)) for one in CONFIGURATIONS], (7, 20)))
def test_a_router_of_the_pair_cover(choices):
    """Catches a unit that is connected otherwise, a register without its reset or initial value, and a name that is lost."""
    parameters = wide(dict(zip(CHOICES, choices, strict=True)))
    shared = Shared(FatNodeRouter(parameters), "fat_node_router")
    assert "are equal in every cycle" in prove_equivalent(
        "fat_node_router", shared.modules(), written_modules(shared), {}
    )
