"""Options of a measurement of load: each limit, and one value beyond it."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.sim.traffic.load_options import LoadOptions


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("burst", 0, 1024),
        ("reply_flits", 0, 65535),
        ("warm_up", 0, None),
        ("measured", 1, None),
        ("repeats", 1, None),
        ("seed", 0, None),
    ],
)
def test_limits(name, least, most):
    for value in (least, *([] if most is None else [most])):
        assert getattr(LoadOptions(**{name: value}), name) == value
    for value in (least - 1, *([] if most is None else [most + 1])):
        with pytest.raises(
            ParameterError, match=rf"^{name.replace('_', ' ')} must be an integer .*{least}.*, not {value}$"
        ):
            LoadOptions(**{name: value})


def test_several_values():
    """Loads are above 0 and at most 1; lengths are at least a flit, and one is needed."""
    given = LoadOptions(loads=(0.001, 1.0), packet_flits=(1, 65535))
    assert (given.loads, given.packet_flits) == ((0.001, 1.0), (1, 65535))
    for values in ({"loads": (0,)}, {"loads": (0.5, 1.001)}, {"packet_flits": (0,)}, {"packet_flits": (8, 65536)}):
        with pytest.raises(ParameterError):
            LoadOptions(**values)
    with pytest.raises(ParameterError, match="^packet flits must be one number or several, not none$"):
        LoadOptions(packet_flits=())


def test_defaults():
    """The values that docs and help print."""
    assert vars(LoadOptions()).items() >= {
        "pattern": "uniform", "loads": (), "packet_flits": (8,), "burst": 0, "reply_flits": 0, "warm_up": 1000,
        "measured": 3000, "repeats": 5, "seed": 0, "details": False,
    }.items()  # fmt: skip
