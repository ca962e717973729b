"""The blocks of the manual's pages, and how they are run: in order, each page in a folder that is empty at first.

A block of code has one of these kinds, which its language and what stands in front of it say:

- ``console``: commands after ``$``, run in one shell that ends with the first that fails; each line below a command is among what
  that command prints, in that order.
- ``python`` whose first line is no file name: a program, which is run.
- Any language with a file name in a comment on its first lines, or after ``<!-- file: NAME -->``: a file, which is written.
- ``{literalinclude} PATH``: a file that is there when the page begins.
- After ``<!-- shows: NAME -->``: lines that this file has when the page has been run as far as there.
- After ``<!-- not run: WHY -->``: nothing is run; options of commands are checked all the same.

``<!-- long -->`` leaves a block to ``make long``, and so all blocks of a page in front of whose first section it stands.
``<!-- fails -->`` stands in front of commands of which the last one fails. ``<!-- each section -->`` in front of the first section
gives each section a folder of its own. Readers see none of these words.
"""

from collections.abc import Iterator
import dataclasses
import os
from pathlib import Path
import re
import shlex
import shutil
import subprocess
import sys
import textwrap

__all__ = ["MADE", "PAGES", "ROOT", "Block", "blocks", "follow", "parts"]


ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
#: Folders of pages that are made when the manual is built.
MADE = ("reference/commands", "reference/terms", "results/reports")
#: Every page in the repository, by its name, as in ``start/design``; generated pages are left out.
PAGES = {
    path.relative_to(DOCS).with_suffix("").as_posix(): path
    for path in sorted(DOCS.rglob("*.md"))
    if not path.relative_to(DOCS).as_posix().startswith(MADE)
}
_FENCE = re.compile(
    r"((?:^[ ]*<!-- [^\n]* -->\n)*)^([ ]*)(`{3,}|~{3,})([^\n`]*)\n(.*?)^\2\3[ ]*$", re.MULTILINE | re.DOTALL
)
_NAMED = re.compile(r"(?:#!.*\n# (\w+)|(?:\w+=[\d.]+:\n)?(?://|#|--) ([\w./-]*\.\w+))\n")


@dataclasses.dataclass(frozen=True)
class Block:
    """A block of code.

    Parameters
    ----------
    kind : :class:`str`
        ``commands``, ``program``, ``file``, ``copy``, ``shows``, ``not run``, ``directive`` (Sphinx makes something of it), or ``unknown``.
    text : :class:`str`
        What stands in it.
    name : :class:`str`
        Of a file, or why the block is not run.
    section : :class:`str`
        The heading of the second level above it, empty in front of the first one.
    line : :class:`int`
        Where it begins.
    is_long, fails : :class:`bool`
        Whether ``make long`` alone runs it, and whether its last command is to fail.
    """

    kind: str
    text: str
    name: str
    section: str
    line: int
    is_long: bool
    fails: bool

    @property
    def commands(self) -> list[tuple[str, list[str]]]:
        """Every command with the lines shown below it."""
        found: list[tuple[str, list[str]]] = []
        for line in self.text.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found:
                found[-1][1].append(line)
        return found


def blocks(page: str) -> list[Block]:
    """All blocks of a page, by its name."""
    text = PAGES[page].read_text(encoding="utf-8")
    always = _marks(text.partition("\n## ")[0], alone=True)
    return list(_blocks(text, "long" in always))


def parts(page: str) -> list[str | None]:
    """The sections that have folders of their own, or one ``None`` where the page has one folder."""
    text = PAGES[page].read_text(encoding="utf-8")
    if "each section" not in _marks(text.partition("\n## ")[0], alone=True):
        return [None]
    return list(dict.fromkeys(block.section for block in blocks(page) if block.kind in ("commands", "program")))


def _marks(text: str, *, alone: bool = False) -> dict[str, str]:
    """Markers by their words, with what stands after a colon; ``alone``: those that do not stand at a block."""
    pattern = r"^<!-- (.*?) -->\n(?=(?:<!-- [^\n]* -->\n)*\s*\n)" if alone else r"^[ ]*<!-- (.*?) -->$"
    return {word: rest for word, _, rest in (mark.partition(": ") for mark in re.findall(pattern, text, re.MULTILINE))}


def _blocks(text: str, always: bool) -> Iterator[Block]:
    for match in _FENCE.finditer(text):
        marks, language, inside = _marks(match[1]), match[4].strip(), textwrap.dedent(match[5])
        before = text[: match.start(2)]
        headings = re.findall(r"^## (.*)$", _FENCE.sub("", before), re.MULTILINE)
        kind, name = _kind(marks, language, inside)
        yield Block(
            kind,
            inside,
            name,
            headings[-1] if headings else "",
            before.count("\n") + 1,
            always or "long" in marks,
            "fails" in marks,
        )


def _kind(marks: dict[str, str], language: str, text: str) -> tuple[str, str]:
    for kind in ("not run", "shows", "file"):
        if kind in marks:
            return kind, marks[kind]
    if language.startswith("{literalinclude}"):
        return "copy", language.split()[1]
    if language.startswith("{"):
        return "directive", ""
    if language == "console":
        return "commands" if text.startswith("$ ") else "unknown", ""
    if named := _NAMED.match(text):
        return "file", named[1] or named[2]
    return ("program", "") if language == "python" else ("unknown", "")


def follow(page: str, folder: Path, *, section: str | None = None, long: bool) -> str:
    """Do what a page says, or one section of it, in a folder; return what was printed.

    Raises
    ------
    AssertionError
        If a command fails, or succeeds where it should not, or if a line that the page shows is not printed.
    """
    script, shown = ["set -e"], []
    chosen = [block for block in blocks(page) if section in (None, block.section) and (long or not block.is_long)]
    for block in chosen:
        if block.kind == "copy":
            shutil.copy(PAGES[page].parent / block.name, folder)
    for block in chosen:
        where = f"{page}, line {block.line}"
        match block.kind:
            case "file" | "program":
                source = folder / f".block{block.line}"
                source.write_text(block.text, encoding="utf-8")
                if block.kind == "program":
                    script.append(f"python {source.name}")
                else:
                    name = shlex.quote(block.name)
                    script.append(f'mkdir -p "$(dirname {name})"; cp {source.name} {name}')
            case "commands":
                for number, (command, lines) in enumerate(block.commands):
                    output = f".output{block.line}.{number}"
                    last = number == len(block.commands) - 1
                    run = f"{{ {command}\n}} > {output} 2>&1"
                    if block.fails and last:
                        run = f"if {run}; then echo '{where}: it should fail'; exit 99; fi"
                    else:
                        run = f"{run} || {{ code=$?; cat {output}; echo '{where}: exit status' $code; exit $code; }}"
                    script += [run, f"cat {output}"]
                    shown.append((f"{where}: {command}", folder / output, lines))
            case "shows":
                saved = f".shown{block.line}"
                script.append(f"cp {shlex.quote(block.name)} {saved}")
                shown.append((f"{where}: {block.name}", folder / saved, block.text.splitlines()))
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=folder,
        env=_environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, f"{page}: exit status {done.returncode}\n{done.stdout}"
    wrong = []
    for where, path, lines in shown:
        text = path.read_text(encoding="utf-8")
        printed = iter([line.rstrip() for line in text.splitlines()])
        missing = [line for line in lines if line.rstrip() not in printed and line.strip() != "..."]
        if missing:
            wrong.append(f"{where}: not printed: {missing}\n{text}")
    assert wrong == [], "\n".join(wrong)
    return done.stdout


def _environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
        "PYTHONDONTWRITEBYTECODE": "1",  # a file that is written again within a second is another one
        "COLUMNS": "100",
        **{f"XDG_{kind}_HOME": str(folder / ".home" / kind) for kind in ("CONFIG", "DATA")},
    }
