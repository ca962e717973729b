"""Pages: HTML made from the folder ``templates``, where every value is escaped. A page loads nothing."""

from collections.abc import Sequence
import re
from typing import Any

import jinja2
from markupsafe import Markup, escape

from fatcube.reports.figure import Figure, for_page
from fatcube.reports.table import TitledTable

__all__ = ["page", "table_page"]


def page(template: str, **values: Any) -> str:
    """The HTML text of a page.

    Parameters
    ----------
    template : :class:`str`
        The name of a file in the folder ``templates``.
    values
        What the template names. Text is escaped, whatever it holds; data for a script goes through ``tojson``.

    Raises
    ------
    jinja2.UndefinedError
        If the template names a value that is not given.
    """
    return _ENVIRONMENT.get_template(template).render(values)


def table_page(table: TitledTable, *, folder: str = "", figures: Sequence[Figure] = ()) -> str:
    """The HTML text of a page with figures and one table that can be filtered by what is typed.

    Parameters
    ----------
    table : :class:`TitledTable`
    folder : :class:`str`
        The folder beside the page in which the schedules and proofs lie that cells name: they are links.
    figures : list of :class:`Figure`
    """
    return page("table_page.html", table=table, folder=folder, figures=figures)


def _source(name: str) -> Markup:
    """The text of a style or script among the templates: it is ours, and no template itself."""
    return Markup(_LOADER.get_source(_ENVIRONMENT, name)[0])


def _plotly() -> Markup:
    """The script of Plotly."""
    from plotly.offline import get_plotlyjs

    return Markup(get_plotlyjs())


def _linked(cell: object, folder: str) -> Markup:
    """The cell escaped, with links to the schedules and proofs that it names, if they have a ``folder``."""
    if not folder:
        return escape(cell)
    link = Markup('<a href="{}/{}">{}</a>')
    named = re.compile(r"\b(?:schedules|proofs)/[\w.*-]+\.json")
    return Markup(named.sub(lambda file: link.format(folder, file[0], file[0]), str(escape(cell))))


_LOADER = jinja2.PackageLoader("fatcube.reports")
_ENVIRONMENT = jinja2.Environment(
    loader=_LOADER,
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
# The order of keys stays, as it is that of columns; and NaN is not JSON.
_ENVIRONMENT.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
_ENVIRONMENT.globals |= {"source": _source, "plotly": _plotly}
_ENVIRONMENT.filters |= {"linked": _linked, "for_page": for_page}
