"""Phrases that stop a reader, and first lines of docstrings: each kind is found where it is planted, and in its place."""

import pytest

from tests.support.english import PHRASES, first_lines, main, phrases

PLANTED = {
    "said": "The table says which one it is.",
    "told": "Nodes that are told apart.",
    "asked": "The loads that are asked for.",
    "stands": "Parts and what stands in a lane.",
    "what comes": "Steps and what is left of them.",
    "so many": "A table of so many rows.",
    "dangling that": "The area of that.",
    "bare reference first": "Those of its router.",
    "question word first": "What a step allows.",
    "whoever": "A processor who sends it.",
    "heeds": "A rule that heeds links.",
    "dice": "A throw of dice.",
    "goes on": "A packet that goes on.",
    "in words": "The network in words.",
}
DOCSTRINGS = '''"""{0}"""


def function():
    """An area.

    Returns
    -------
    area : float
        {0}
    """
    return 1  # {1}
'''


@pytest.mark.parametrize("name", PHRASES)
def test_a_phrase_is_found_wherever_it_stands(name):
    """Catches a pattern without a case, and a module, a member or a comment that is not read."""
    line = PLANTED[name]
    found = phrases(DOCSTRINGS.format(line, line[0].lower() + line[1:]))
    assert found == [f"{number}: {name}: {line}" for number in (1, 10, 12)]


def test_plain_english_is_left_alone():
    """Catches a pattern that meets names of parameters, continued lines, or strings and names of the code."""
    source = '"""A part.\n\n    what : str\n    and words\n    those of a router.\n    """\nsaid = "What is said, so many times."\n'
    assert phrases(source) == first_lines(source) == []


@pytest.mark.parametrize("opening", ["What it", "Those of", "The same for", "All of them", "So many", "Who has"])
def test_a_first_line_opens_with_a_noun_or_an_imperative(opening):
    source = f'"""{opening} x.\n\nWhat y."""\n\n\nclass A:\n    """\n    {opening} z.\n    """\n\n    async def f(self):\n        """{opening} w."""\n'
    assert first_lines(source) == [
        f"{line}: first line: {opening} {end}." for line, end in ((1, "x"), (7, "z"), (12, "w"))
    ]


def test_sources_may_keep_some_phrases_and_tests_no_first_line(tmp_path, capsys):
    """Catches an exit status of 0 with a phrase too many, or with a first line in the tests."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "room.py").write_text('"""A net.\n\nWhat a net is.\n"""\n')
    (tmp_path / "tests" / "test_it.py").write_text('"""A net.\n\nWhat a net is.\n"""\n')
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "other.py").write_text('"""What it is."""\n')

    def end(most):
        with pytest.raises(SystemExit) as ended:
            main(tmp_path, most)
        return ended.value.code, capsys.readouterr().out.splitlines()

    assert end(1) == (0, [])
    assert end(0) == (1, ["room.py:3: question word first: What a net is.", "1 phrases, at most 0"])
    (tmp_path / "tests" / "test_it.py").write_text('"""What a net is."""\n')
    assert end(1) == (1, ["tests/test_it.py:1: first line: What a net is."])
