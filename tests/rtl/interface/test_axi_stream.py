# amaranth: UnusedElaboratable=no
from amaranth.hdl import Module
from amaranth.lib import wiring
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.interface.axi_stream import AxiStreamSignature


def test_members():
    """Catches a member that is missing, too wide or of the wrong direction."""
    full = AxiStreamSignature(24, dest_bits=5, id_bits=3)
    found = {name: (member.flow.name, member.shape) for name, member in full.members.items()}
    assert found == {
        "tdata": ("Out", 24),
        "tlast": ("Out", 1),
        "tdest": ("Out", 5),
        "tid": ("Out", 3),
        "tvalid": ("Out", 1),
        "tready": ("In", 1),
    }
    of_bytes = AxiStreamSignature(24, keep=True, user_bits=2).members
    assert {name: (member.flow.name, member.shape) for name, member in of_bytes.items()} == {
        "tdata": ("Out", 24),
        "tlast": ("Out", 1),
        "tkeep": ("Out", 3),
        "tuser": ("Out", 2),
        "tvalid": ("Out", 1),
        "tready": ("In", 1),
    }
    assert list(AxiStreamSignature(8).members) == ["tdata", "tlast", "tvalid", "tready"]


def test_alike_are_equal():
    assert AxiStreamSignature(8, id_bits=2) == AxiStreamSignature(8, id_bits=2)
    assert AxiStreamSignature(8, id_bits=2) != AxiStreamSignature(8, dest_bits=2)
    assert AxiStreamSignature(8) != AxiStreamSignature(16)
    assert AxiStreamSignature(8, keep=True) != AxiStreamSignature(8)
    wider = AxiStreamSignature(8, dest_bits=2, keep=True, user_bits=3).changed(width=16)
    assert wider == AxiStreamSignature(16, dest_bits=2, keep=True, user_bits=3)
    assert repr(wider) == "AxiStreamSignature(16, dest_bits=2, id_bits=0, keep=True, user_bits=3)"
    assert repr(AxiStreamSignature(8, dest_bits=2)) == "AxiStreamSignature(8, dest_bits=2, id_bits=0)"


def test_streams_that_differ_are_not_connected():
    with pytest.raises(wiring.ConnectionError):
        wiring.connect(Module(), AxiStreamSignature(8).create(), AxiStreamSignature(8, id_bits=2).flip().create())


def test_refused():
    with pytest.raises(ParameterError, match="^width must be an integer from 1 to 4096, not 0$"):
        AxiStreamSignature(0)
    with pytest.raises(ParameterError, match="^destination bits must be an integer from 0 to 32, not -1$"):
        AxiStreamSignature(8, dest_bits=-1)
    with pytest.raises(ParameterError, match="^width must be a multiple of 8 with TKEEP, not 12$"):
        AxiStreamSignature(12, keep=True)
    with pytest.raises(ParameterError, match="^user bits must be an integer from 0 to 4096, not -1$"):
        AxiStreamSignature(8, user_bits=-1)
    with pytest.raises(ParameterError, match="^id bits must be an integer from 0 to 32, not 33$"):
        AxiStreamSignature(8, id_bits=33)
