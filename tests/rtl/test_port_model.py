import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.port_model import PortModel


@pytest.mark.parametrize(
    "symbol, word, model",
    [
        ("1", "one", PortModel.ONE),
        ("b", "broadcast", PortModel.BROADCAST),
        ("d", "d-port", PortModel.D_PORT),
        ("*", "all-port", PortModel.ALL_PORT),
    ],
)
def test_names(symbol, word, model):
    """Catches a name that means another model."""
    assert PortModel.parse(symbol) is PortModel.parse(word) is PortModel.parse(model) is model
    assert (model.value, model.word) == (symbol, word)
    assert model.copies == (symbol == "b")


@pytest.mark.parametrize("text", ["", "B", "1 ", "all", "ONE", 1, None, True, ["1"], b"1"])
def test_refused(text):
    """Catches a name that is nearly right."""
    with pytest.raises(
        ParameterError,
        match=re.escape(f"ports must be one of 1, b, d, * or one, broadcast, d-port, all-port, not {text!r}") + "$",
    ):
        PortModel.parse(text)


@pytest.mark.parametrize("model", PortModel)
@pytest.mark.parametrize("d, m, f", [(1, 1, 1), (3, 1, 1), (2, 2, 1), (3, 4, 2), (10, 2, 3)])
def test_table_1(model, d, m, f):
    """Catches a formula of the paper's Table 1 that is copied wrong."""
    crossbar = {"1": m + d * f, "b": m + d * f, "d": d * (m + f), "*": d * (m + f) + m * (m - 1)}
    assert model.crossbar_ports(d, m, f) == crossbar[model.value]
    ports = {"1": 1, "b": 1, "d": d, "*": d + m - 1}
    assert model.processor_ports(d, m) == ports[model.value]


def test_no_port_without_links():
    """Catches processors of model d without ports, of which no router can be made."""
    assert [PortModel.parse(word).processor_ports(0, 4) for word in "1b*"] == [1, 1, 3]
    with pytest.raises(ParameterError, match="^ports must be 1, b or \\* on a node without links, .*, not d$"):
        PortModel.D_PORT.processor_ports(0, 4)
