"""Outputs of commands: what is not a regular file is written to and stays, and nothing is written beside it."""

import json
import os
from pathlib import Path
import stat

import pytest

from fatcube.cli.output import say_chosen
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.sim.builds.observe import observe
from fatcube.sim.collectives.simulate import fitting_machine
from fatcube.studies.results import Results
from tests.support.commands import run
from tests.support.special_files import device, drained


def _names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def here(monkeypatch, capsys, tmp_path):
    """The current folder, with a schedule file."""
    monkeypatch.chdir(tmp_path)
    assert run(monkeypatch, capsys, "schedule", "-c", "OAS", "-d", 1, "-o", "s.json")[0] == 0
    return tmp_path


COMMANDS = {
    "generate": "generate network -d 1 -o",
    "view": "view s.json -o",
    "check": "check s.json --json",
    "schedule": "schedule -c OAS -d 1 -o",
    "csv": "explore --processors 4 --csv",
    "json": "explore --processors 4 --json",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_device_stays_a_device(monkeypatch, capsys, here, command):
    """Catches `fatcube view s.json -o /dev/null` as root, which broke the machine for everybody."""
    null = device(here / "null")
    before = os.stat(null)
    status, _, err = run(monkeypatch, capsys, *COMMANDS[command].split(), "null")
    assert status == 0, err
    after = os.stat(null)
    assert stat.S_ISCHR(after.st_mode) and (after.st_ino, after.st_rdev) == (before.st_ino, before.st_rdev)
    assert _names(here) == ["null", "s.json"]


def test_a_fifo_gets_the_page(monkeypatch, capsys, here):
    with drained(here / "fifo") as read:
        assert run(monkeypatch, capsys, "view", "s.json", "-o", "fifo")[0] == 0
    assert run(monkeypatch, capsys, "view", "s.json", "-o", "page.html")[0] == 0
    assert read == [(here / "page.html").read_bytes()]
    assert stat.S_ISFIFO(os.stat(here / "fifo").st_mode)


def test_a_link_stays_a_link(monkeypatch, capsys, here):
    (here / "folder").mkdir()
    (here / "page.html").symlink_to("folder/page")
    assert run(monkeypatch, capsys, "view", "s.json", "-o", "page.html")[0] == 0
    assert (here / "page.html").is_symlink()
    assert (here / "folder" / "page").read_text().startswith("<!")


def test_no_description_is_written_beside_a_fifo(monkeypatch, capsys, here):
    with drained(here / "net") as read:
        status, out, err = run(monkeypatch, capsys, "generate", "network", "-d", 1, "-o", "net")
    assert (status, out) == (0, "")
    assert err == "no description was written, as net is not a regular file\n"
    assert b"endmodule" in read[0]
    assert _names(here) == ["net", "s.json"]


@pytest.mark.parametrize(
    ("arguments", "option"),
    [("network --interface axi4-stream --with template", "--with template"), ("router --script ecp5", "--script ecp5")],
)
def test_nothing_can_be_asked_for_beside_a_fifo(monkeypatch, capsys, here, arguments, option):
    os.mkfifo(here / "fifo")
    status, _, err = run(monkeypatch, capsys, "generate", *arguments.split(), "-d", 1, "-o", "fifo")
    assert (status, err) == (2, f"fatcube: {option} requires a regular file for the Verilog (-o), not fifo\n")


@pytest.mark.parametrize("command", ["view fifo", "sweep fifo --dry-run"])
def test_what_is_read_from_a_fifo_has_nothing_beside_it(monkeypatch, capsys, here, command):
    os.mkfifo(here / "fifo")
    status, _, err = run(monkeypatch, capsys, *command.split())
    assert (status, err) == (
        2,
        "fatcube: output must be given where the input is no regular file, not be beside fifo\n",
    )


@pytest.mark.parametrize(
    ("name", "reason"),
    [("loop", "Too many levels of symbolic links"), ("astray", "No such file or directory"), ("folder", "")],
)
def test_what_cannot_be_written_is_refused_at_once(monkeypatch, capsys, here, name, reason):
    (here / "loop").symlink_to("loop")
    (here / "astray").symlink_to("no/folder")
    (here / "folder").mkdir()
    status, _, err = run(monkeypatch, capsys, "schedule", "-c", "OAS", "-d", 1, "-o", name, "--dry-run")
    expected = (
        f"output must be a file that can be written, not {name}: {reason}"
        if reason
        else f"output must be a file, not the folder {name}"
    )
    assert (status, err) == (2, f"fatcube: {expected}\n")


def test_a_link_that_leads_nowhere_is_no_folder(monkeypatch, capsys, here):
    (here / "dangling").symlink_to("nowhere")
    status, _, err = run(monkeypatch, capsys, "gaps", "-o", "dangling", "--dry-run")
    assert (status, err) == (2, "fatcube: output must be a folder, not the file dangling\n")


def test_results_are_in_the_file_that_a_link_leads_to(here):
    (here / "folder").mkdir()
    (here / "link").symlink_to("folder/results")
    with Results(here / "link") as store:
        assert (here / "folder" / "results-lock").exists() and not (here / "link-lock").exists()
        with pytest.raises(ParameterError, match="no other sweep writes"):
            Results(here / "folder" / "results")
        store.put("k", {}, reason="x")
    assert _names(here / "folder") == ["results"] and (here / "link").is_symlink()


def test_new_results_behind_a_link_are_removed_if_nothing_was_put_there(here):
    (here / "link").symlink_to("results")
    with Results(here / "link"):
        pass
    assert _names(here) == ["link", "s.json"]


def test_results_are_a_regular_file(here):
    os.mkfifo(here / "fifo")
    with pytest.raises(ParameterError, match="results file must be a regular file, not fifo"):
        Results("fifo")
    assert _names(here) == ["fifo", "s.json"]


def test_a_lock_of_results_is_no_link(here):
    (here / "precious").write_text("x")
    (here / "results-lock").symlink_to("precious")
    with pytest.raises(OSError):
        Results(here / "results")
    assert (here / "precious").read_text() == "x"


def test_waves_go_into_a_fifo(here):
    """Catches waves that are moved to the place of what stands there."""

    class Built:
        nodes, lanes, machine = 2, [], fitting_machine(Network(Hypercube(1)))

        def run(self, module, folder, environment):
            job = json.loads((folder / "job.json").read_text())
            Path(job["waves"]["file"]).write_text("$end\n")
            Path(job["results"]).touch()

    with drained(here / "waves") as read:
        assert observe(Built(), [], ends=[], waves=here / "waves") == []
    assert read == [b"$end\n"]
    assert stat.S_ISFIFO(os.stat(here / "waves").st_mode)


def test_where_chosen_options_are_said(capsys):
    """As a result, or beside one that goes to standard output."""
    line = "implied by the other options: --buffer-depth 4 --links half-duplex\n"
    chosen = {"buffer_depth": 4, "links": "half-duplex"}
    say_chosen(chosen)
    assert capsys.readouterr() == (line, "")
    say_chosen(chosen, error=True)
    assert capsys.readouterr() == ("", line)
    say_chosen({})
    assert capsys.readouterr() == ("", "")
