"""The latency without load: the printed formula agrees with the computed value."""

import itertools
import re

import pytest

from fatcube.noc.latency import formula_of, latency_without_load
from fatcube.rtl.router_options import RouterOptions

SWITCHING = [
    {},
    {"virtual_channels": 2, "buffer_depth": 10},
    {"virtual_channels": 2, "ejection_channels": 2, "buffer_depth": 10},
    {"switching": "store-and-forward", "longest_packet": 8, "buffer_depth": 8},
    {"switching": "circuit"},
]


@pytest.mark.parametrize("switching", SWITCHING, ids=str)
@pytest.mark.parametrize(("pipeline", "stages", "ejection"), itertools.product((1, 2), (0, 1, 3), (0, 1)))
def test_the_formula_in_words(switching, pipeline, stages, ejection):
    options = RouterOptions(pipeline=pipeline, link_stages=stages, ejection_stages=ejection, **switching)
    text = formula_of(options).removesuffix(" (L > 1)")
    product = re.sub(r"(?<=[\dH]) (?=[H(])", "*", text)
    for routers, flits in itertools.product((1, 2, 5), (2, 8)):
        assert eval(product, {"H": routers, "L": flits}) == latency_without_load(options, routers, flits), text
