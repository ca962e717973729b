"""The help of every command: whole at 80 columns, in the imperative, with examples that the command takes."""

import re
import shlex

import pytest

from fatcube import cli
from tests.support.commands import run

COMMANDS = cli.commands()


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_cut_at_80_columns(monkeypatch, capsys, name):
    """Catches a table of options in which a name or a text does not fit."""
    monkeypatch.setenv("COLUMNS", "80")
    status, out, err = run(monkeypatch, capsys, *name.split(), "--help")
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80 and "…" not in out
    for option in COMMANDS[name].params:
        assert option.help.endswith("."), option.name


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
