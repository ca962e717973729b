"""The help of every command: whole at 80 columns, in the imperative, with examples that the command takes."""

import dataclasses
import re
import shlex

import pytest

from fatcube import cli
from fatcube.cli.app import Panel
from fatcube.noc.topologies import make_topology, named_topologies
from tests.support.commands import run

COMMANDS = cli.commands()


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_cut_at_80_columns(monkeypatch, capsys, name):
    """Catches a table of options in which a name or a text does not fit."""
    monkeypatch.setenv("COLUMNS", "80")
    status, out, err = run(monkeypatch, capsys, *name.split(), "--help")
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80 and "…" not in out
    assert "<bool>" not in out
    for option in COMMANDS[name].params:
        assert option.help.endswith("."), option.name


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_stands_in_a_panel_and_panels_in_their_order(monkeypatch, capsys, name):
    """Catches an option without a panel, or in one of its own, and a command with the panels in another order."""
    for option in COMMANDS[name].params:
        panel = option.rich_help_panel
        assert (panel in [*Panel]) if option.param_type_name == "option" else panel is None, option.name
    status, out, _ = run(monkeypatch, capsys, *name.split(), "--help")
    titles = [title for title in re.findall(r"^╭─ (.+?) ─", out, re.MULTILINE) if title != "Arguments"]
    assert status == 0 and titles == [panel for panel in Panel if panel in titles]
    quiet_and_help = out.partition(f"─ {Panel.RUN} ─")[2].partition("╰")[0]
    assert "--quiet" in quiet_and_help and "--help" in quiet_and_help


def test_a_letter_is_explained_for_every_topology_that_has_it():
    """Catches a help that is that of one topology only, and a default that is not said."""
    helps = {option.opts[0]: option.help for option in COMMANDS["schedule"].params}
    assert helps["-m"] == "Processors on each node; 1 if not given."
    for kind in named_topologies().values():
        for field in dataclasses.fields(kind):
            if field.name not in ("m", "f"):
                meaning = field.metadata["help"].removesuffix(".").lower()
                assert re.search(rf"{re.escape(meaning)} \([^)]*\b{kind.kind}\b", helps[f"-{field.name}"].lower())
    assert make_topology("mesh", w=3).d == 2 and helps["-d"].endswith("; 2 if not given.")
    assert "if not given" not in helps["-w"]


def test_generate_says_what_its_commands_write_in_a_line_each(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    status, out, err = run(monkeypatch, capsys, "generate", "--help")
    assert (status, err) == (0, "")
    listed = out.partition(" Commands ")[2].splitlines()[1:-2]
    assert "<bool>" not in out
    assert [line.split()[1] for line in listed] == ["network", "router", "system"]


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_can_be_given(monkeypatch, tmp_path, name):
    """Catches an example with an option that has another name now, or that is another command's."""
    monkeypatch.chdir(tmp_path)
    lines = re.findall("`fatcube (.*?)`", COMMANDS[name].epilog)
    assert lines
    for line in lines:
        words, length = shlex.split(line), len(name.split())
        command, arguments = " ".join(words[:length]), words[length:]
        assert command == name
        COMMANDS[name].make_context(name, arguments)
