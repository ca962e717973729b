"""The shell offers the words of every option that takes one of several."""

import pytest

from fatcube import cli
from fatcube.noc.boards import BOARDS
from fatcube.noc.topology import kinds
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective
from fatcube.schedules.spanning.graphs import spanning_graphs
from tests.support.commands import run

#: Those whose help has the words in a sentence, or that take more words than are listed.
LONG = {
    "--topology": list(kinds()),
    "--ports": ["1", "b", "d", *(model.word for model in PortModel)],  # a shell expands *
    "--collective": list(dict.fromkeys(name for one in Collective for name in (one.value, one.word))),
    "--along": spanning_graphs(),
    "paper": ["fat-cube", "ccc", "ghc", "spanning-graphs"],
    "name": list(BOARDS),
}
#: Those that commands are known to have: a declaration without words is not overlooked.
KNOWN = {
    *LONG, "--switching", "--arbiter", "--turns", "--buffer-memory", "--routing", "--lanes", "--addressing", "--family",
    "--script", "--interface", "--with", "--simulator", "--monitors", "--mode", "--pattern", "--load",
    "--links", "--transfers", "--port-use", "--by", "--order", "--format",
}  # fmt: skip


def _choices():
    """Every option and argument with words, by its command: what is typed before them, and the words."""
    for command, declared in cli.commands().items():
        for one in declared.params:
            name = one.opts[0]
            listed = (getattr(one, "metavar", None) or "").split("|")
            if name in KNOWN or len(listed) > 1:
                line = command if name.isalpha() else f"{command} {name}"
                words = (
                    listed if line == "synthesize --along" else LONG.get(name, listed)
                )  # Processors have few of them.
                yield pytest.param(name, line, words, id=line)


CHOICES = list(_choices())


def offered(monkeypatch, capsys, line):
    """The completions that bash gets at the end of a command line."""
    monkeypatch.setenv("_FATCUBE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"fatcube {line}")
    monkeypatch.setenv("COMP_CWORD", str(len(line.split(" "))))
    status, out, err = run(monkeypatch, capsys)
    assert (status, err) == (0, "")
    return out.split()


@pytest.mark.parametrize(("name", "line", "words"), CHOICES)
def test_words_are_offered(monkeypatch, capsys, name, line, words):
    assert words
    assert offered(monkeypatch, capsys, f"{line} ") == words
    begun = [word for word in words if word.startswith(words[-1])]
    assert offered(monkeypatch, capsys, f"{line} {words[-1]}") == begun


def test_every_known_choice_is_among_them():
    assert {choice.values[0] for choice in CHOICES} == KNOWN


def test_commands_of_generate_are_offered(monkeypatch, capsys):
    assert offered(monkeypatch, capsys, "generate ") == ["network", "router", "system"]
    assert offered(monkeypatch, capsys, "generate -d 2 --interf") == ["--interface"]
