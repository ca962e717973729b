"""The texts of a page as HTML: commands in backquotes, terms of the glossary, cells of tables with links and marks."""

import re

from markupsafe import Markup, escape

from fatcube.reports.glossary import Term, in_heading, in_prose
from fatcube.reports.table import Marked, Shown

__all__ = ["INDEX", "POWER", "Text", "formulas", "unbroken"]


_CODE = re.compile(r"`([^`]+)`")
_LINKED = re.compile(r"\b(?:schedules|proofs)/[\w.*-]+\.json")

_OPERATOR = re.compile(r"(?<=[\w)\]⌉]) ([=<>≤≥≠+×·/-]|<=|>=|==|!=|x(?= (?:[\d(A-Z]|[a-z]\b))) (?=[\w(\[⌈'-])")
# A product of a number and a letter, as in "2 n"; "4 a" may be the beginning of a sentence's next word.
_PRODUCT = re.compile(r"(?<=\d) (?=[b-zB-HJ-Z]\b(?!['-]))|(?<=\b[b-z]) (?=\d\^)")
_PRICE = re.compile(r"\ba b\b")  # of a router with a inputs and b outputs
_PERCENT = re.compile(r"(?<=\d) ?%(?!\w)")
_MINUS = re.compile(r"(?<=(?<![\w-])[A-Za-z]|[\d)\]])(\s)-(\s)(?=[\d(]|[A-Za-z]\b)|(?<![\w.:)\]-])-(?=\d)")
_SIGNS = {"<=": "≤", ">=": "≥", "==": "=", "!=": "≠", "x": "×"}
_WORD = re.compile(r"[^\W\d_]")
_SHORT, _LONG = 32, 90  # letters of a cell that stay in one line, and that would take many lines in a narrow column

POWER = re.compile(r"(?<=[\w)\]])\^(?:\(([^()]*)\)|([A-Za-z0-9]+))")
"""A power in a text, such as 2^n and 2^(n-1), with its exponent."""
INDEX = re.compile(r"(?<![\w./-])([A-Za-z])_(?:\(([^()]*)\)|([A-Za-z0-9]))(?![\w/]|[.-]\w)")
"""A letter with an index in a text, such as t_c and S_(n-1)."""


def unbroken(text: str) -> str:
    """A text whose formulas, such as "d = 2" and "S × (F + 4)", have their signs, and spaces at which no line is broken."""
    text = _OPERATOR.sub(lambda sign: f"\N{NO-BREAK SPACE}{_SIGNS.get(sign[1], sign[1])}\N{NO-BREAK SPACE}", text)
    text = _PRICE.sub("a·b", text)
    text = _MINUS.sub(lambda found: f"{found[1] or ''}\N{MINUS SIGN}{found[2] or ''}", text)
    return _PERCENT.sub("\N{NO-BREAK SPACE}%", _PRODUCT.sub("\N{NO-BREAK SPACE}", text))


def formulas(text: str) -> Markup:
    """A text as HTML, with powers and indices of letters set as such."""
    raised = POWER.sub(lambda found: f"<sup>{(found[1] or found[2]).replace('-', '−')}</sup>", str(escape(text)))
    return Markup(INDEX.sub(lambda found: f"{found[1]}<sub>{(found[2] or found[3]).replace('-', '−')}</sub>", raised))


def _code(text: str) -> Markup:
    """A command, whose options are not broken at their hyphens."""
    words = [
        Markup('<span class="whole">{}</span>').format(word) if word.startswith("-") else escape(word)
        for word in text.split(" ")
    ]
    return Markup("<code>{}</code>").format(Markup(" ").join(words))


def _worded(text: str) -> Markup:
    """The formulas of a cell with words; a number stays as it is."""
    return formulas(unbroken(text)) if _WORD.search(text) else escape(text)


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
            _code(part) if index % 2 else self._explained(unbroken(part))
            for index, part in enumerate(_CODE.split(text))
        ]
        return Markup("").join(parts)

    def _explained(self, text: str) -> Markup:
        pieces = []
        for piece, term in in_prose(text):
            if term is None or term in self.used:
                pieces.append(formulas(piece))
            else:
                self.used.append(term)
                pieces.append(Markup('<a class="term" href="#term-{}">{}</a>').format(term.slug, formulas(piece)))
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

    @staticmethod
    def code(command: str) -> Markup:
        """A command, whatever stands in it."""
        return _code(command)

    def cell(self, cell: object) -> Markup:
        """The text of a cell, with links to the schedules and proofs that it names."""
        parts = _CODE.split(str(cell))
        text = Markup("").join(_code(part) if index % 2 else _worded(part) for index, part in enumerate(parts))
        if not self._folder:
            return text
        link = Markup('<a href="{}/{}">{}</a>')
        return Markup(_LINKED.sub(lambda file: link.format(self._folder, file[0], file[0]), str(text)))

    @staticmethod
    def attributes(cell: object, numeric: bool) -> Markup:
        """The class of a cell, and its value if it is shown otherwise."""
        classes = [*(["number"] if numeric else []), *([cell.mark] if isinstance(cell, Marked) else [])]
        if len(str(cell)) > _SHORT:
            classes += ["long", "longer"] if len(str(cell)) > _LONG else ["long"]
        text = Markup(' class="{}"').format(" ".join(classes)) if classes else Markup("")
        if isinstance(cell, Shown) and str(cell.value) != cell.text:
            text += Markup(' data-value="{}"').format("" if cell.value is None else cell.value)
        elif _worded(str(cell)) != escape(str(cell)):
            text += Markup(' data-value="{}"').format(str(cell))
        return text
