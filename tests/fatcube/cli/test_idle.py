"""Options that change no bit of the hardware: that is said on standard error, and true."""

import pytest

from tests.support.commands import run

LANES = "--lanes {} changes nothing here, where links have one lane\n"
PORTS = "--ports {} is the same as model 1 here, where processors have one port\n"


def generated(monkeypatch, capsys, folder, arguments):
    """The Verilog of a network without its comments, and what was printed on standard error."""
    file = folder / "net.v"
    status, _, err = run(monkeypatch, capsys, "generate", "network", *arguments.split(), "-o", file)
    assert status == 0
    return [line for line in file.read_text().splitlines() if not line.startswith("//")], err


@pytest.mark.parametrize(
    ("plain", "option", "said"),
    [
        ("-d 1 -m 2", "--ports d", PORTS.format("d")),
        ("-d 1", "--ports all-port", PORTS.format("all-port")),
        ("-d 2 --routing default", "--lanes in-turn", LANES.format("in-turn")),
    ],
)
def test_what_changes_no_bit_is_said(monkeypatch, capsys, tmp_path, plain, option, said):
    text, err = generated(monkeypatch, capsys, tmp_path, plain)
    assert err == ""
    assert generated(monkeypatch, capsys, tmp_path, f"{plain} {option}") == (text, said)


@pytest.mark.parametrize(
    ("plain", "option"),
    [
        ("-d 1 -m 2", "--ports all-port"),
        ("-d 2", "--ports d"),
        ("-d 1", "--ports b"),
        ("-d 1 -f 2 -m 2 --routing default --interface axi4-stream", "--lanes in-turn"),
    ],
)
def test_nothing_is_said_of_what_does(monkeypatch, capsys, tmp_path, plain, option):
    text, _ = generated(monkeypatch, capsys, tmp_path, plain)
    other, err = generated(monkeypatch, capsys, tmp_path, f"{plain} {option}")
    assert other != text and " here, where " not in err


def test_a_dry_run_refuses_what_cannot_be_placed(monkeypatch, capsys):
    """As the run does, if the place and route of a family is not installed."""
    monkeypatch.setattr("fatcube.synth.families.family.installed", lambda program: False)
    for further in ([], ["--dry-run"]):
        status, out, err = run(monkeypatch, capsys, "synthesize", "-d", 1, "--family", "ice40", *further)
        assert (status, out) == (2, "")
        assert err.startswith("fatcube: Fmax on the FPGA family ice40 needs its place and route: pip install")
    assert run(monkeypatch, capsys, "synthesize", "-d", 1, "--family", "ice40", "--no-fmax", "--dry-run")[0] == 0
    assert run(monkeypatch, capsys, "synthesize", "-d", 1, "--family", "gates", "--dry-run")[0] == 0
