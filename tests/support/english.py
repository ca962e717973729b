"""Phrases in docstrings and comments that stop a reader, and first lines that do not open with a noun or an imperative.

`make lint` runs it. Phrases count in the sources, of which at most :data:`MOST` may be left: the claims of
papers, whose docstrings are printed beside the papers' own words. A first line counts in the tests too, and none may be left.
"""

import ast
from collections.abc import Iterator
import io
from pathlib import Path
import re
import sys
import tokenize

__all__ = ["MOST", "PHRASES", "first_lines", "main", "phrases"]


ROOT = Path(__file__).parents[2]
#: The lines with phrases that may be left in the sources. Lower it with them; new lines are to be worded otherwise.
MOST = 12
#: What is wrong with a phrase, by its pattern; letters of either case.
PHRASES = {
    "said": r"\b(what|as) is said\b|\bsays (of|which|whether|what|so)\b|\bsay to\b|\bsaid\b",
    "told": r"\btold (apart|whole|by)\b|\ball told\b|\bwho tells\b",
    "asked": r"\basked for\b|\bis asked\b|\basks for\b|\bnobody asks\b",
    "stands": r"\bwhat stands\b|\bstands? (around|before|behind|beside|between|in a lane|there)\b",
    "what comes": r"\bwhat becomes of\b|\bwhat comes\b|\bwhat is left\b|\bwhat is under way\b",
    "so many": r"\bso many\b|\bas many as\b",
    "dangling that": r"\bthan that\b|, not that\b|\bof that\b",
    "bare reference first": r"^(?-i:Those|That|The same|As of|All of|As for|These)\b",
    "question word first": r"^(?-i:What|Who) (?!is\b.*\?)",
    "whoever": r"\bwho (sends|receives|has|decides|lacks|reads|asked|is killed|works)\b|\bwhoever\b",
    "heeds": r"\bheeds?\b|\bknows of\b|\blooked at\b|\blook at\b",
    "dice": r"\bdice\b",
    "goes on": r"\bgoes? on\b|\blets? (it )?go\b",
    "in words": r"\bin words\b",
}
_FIRST = re.compile(r"(What|Who|Whoever|Those|That|These|The same|As of|As for|All of|So many)\b")


def _docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            match node.body[:1]:
                case [ast.Expr(ast.Constant(str()) as text)]:
                    yield text


def _lines(source: str) -> Iterator[tuple[int, str]]:
    """The numbered lines of docstrings, and the comments."""
    for text in _docstrings(ast.parse(source)):
        assert isinstance(text.value, str)
        yield from ((number, line.strip(" \"'")) for number, line in enumerate(text.value.split("\n"), text.lineno))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            text = token.string.lstrip("#: ")
            yield token.start[0], text[:1].upper() + text[1:]


def phrases(source: str) -> list[str]:
    """The lines with a phrase of :data:`PHRASES`, each as its number, the pattern's name and the text."""
    return [
        f"{number}: {name}: {line}"
        for number, line in _lines(source)
        for name, pattern in PHRASES.items()
        if re.search(pattern, line, re.IGNORECASE)
    ]


def first_lines(source: str) -> list[str]:
    """The first lines of docstrings that open with a question word or a bare reference, each with its number."""
    texts = [(text.lineno, str(text.value).strip().partition("\n")[0]) for text in _docstrings(ast.parse(source))]
    return [f"{number}: first line: {line}" for number, line in texts if _FIRST.match(line)]


def main(root: Path = ROOT, most: int = MOST) -> None:
    """Print the lines that are wrong, and exit with status 1 if there is a first line, or a phrase more than ``most``."""
    firsts: list[str] = []
    found: list[str] = []
    for path in sorted(path for path in root.rglob("*.py") if not {".venv", "build", ".fatcube"} & {*path.parts}):
        name, source = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        firsts += [f"{name}:{line}" for line in first_lines(source)]
        if not name.startswith("tests/"):
            found += [f"{name}:{line}" for line in phrases(source)]
    shown = firsts + (found if len(found) > most else [])
    print(*shown, sep="\n", end="\n" if shown else "")
    if len(found) > most:
        print(f"{len(found)} phrases, at most {most}")
    sys.exit(1 if shown else 0)


if __name__ == "__main__":
    main()
