"""The texts of a page as HTML: commands in backquotes, terms of the glossary, cells of tables with links and marks."""

import re

from markupsafe import Markup, escape

from fatcube.reports.glossary import Term, in_heading, in_prose
from fatcube.reports.table import Marked, Shown

__all__ = ["Text", "unbroken"]


_CODE = re.compile(r"`([^`]+)`")
_LINKED = re.compile(r"\b(?:schedules|proofs)/[\w.*-]+\.json")

_OPERATOR = re.compile(r"(?<=[\w)\]⌉]) ([=<>≤≥+×·/-]|<=|>=|x(?= [\d(])) (?=[\w(\[⌈-])")
_SHORT = 32  # letters of a cell that stay in one line


def unbroken(text: str) -> str:
    """A text whose formulas, such as "d = 2" and "S x (F + 4)", have spaces around operators at which no line is broken."""
    return _OPERATOR.sub("\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text)


class Text:
    """The texts of one page. Text is escaped, whatever it holds.

    Parameters
    ----------
    folder : :class:`str`
        The folder beside the page in which the schedules and proofs lie that cells name: they are links. None if empty.

    Attributes
    ----------
    used : list of :class:`Term`
        The terms that have been marked so far.
    """

    def __init__(self, folder: str = "") -> None:
        self._folder = folder
        self._headed: set[Term] = set()
        self.used: list[Term] = []

    def prose(self, text: str) -> Markup:
        """A paragraph: where a term stands first on the page it leads to its explanation."""
        parts = [
            Markup("<code>{}</code>").format(part) if index % 2 else self._explained(unbroken(part))
            for index, part in enumerate(_CODE.split(text))
        ]
        return Markup("").join(parts)

    def _explained(self, text: str) -> Markup:
        pieces = []
        for piece, term in in_prose(text):
            if term is None or term in self.used:
                pieces.append(escape(piece))
            else:
                self.used.append(term)
                pieces.append(Markup('<a class="term" href="#term-{}">{}</a>').format(term.slug, piece))
        return Markup("").join(pieces)

    def heading(self, column: str) -> Markup:
        """A link from the heading of a column to the explanation of its term, if it has one that no column before has."""
        term = in_heading(column)
        if term is None or term in self._headed:
            return Markup("")
        self._headed.add(term)
        if term not in self.used:
            self.used.append(term)
        return Markup(' <a class="term" href="#term-{}" aria-label="What {} means">?</a>').format(term.slug, term.name)

    def cell(self, cell: object) -> Markup:
        """The text of a cell, with links to the schedules and proofs that it names."""
        text = Markup(_CODE.sub(r"<code>\1</code>", str(escape(str(cell)))))
        if not self._folder:
            return text
        link = Markup('<a href="{}/{}">{}</a>')
        return Markup(_LINKED.sub(lambda file: link.format(self._folder, file[0], file[0]), str(text)))

    @staticmethod
    def attributes(cell: object, numeric: bool) -> Markup:
        """The class of a cell, and its value if it is shown otherwise."""
        classes = [*(["number"] if numeric else []), *([cell.mark] if isinstance(cell, Marked) else [])]
        if len(str(cell)) > _SHORT:
            classes.append("long")
        text = Markup(' class="{}"').format(" ".join(classes)) if classes else Markup("")
        if isinstance(cell, Shown) and str(cell.value) != cell.text:
            text += Markup(' data-value="{}"').format("" if cell.value is None else cell.value)
        return text
