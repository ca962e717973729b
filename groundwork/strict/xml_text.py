"""XML of which nothing is left to the reader: no entities of its own, and sizes that are checked before a tree is built."""

from collections.abc import Mapping
from typing import NoReturn
from xml.etree import ElementTree
from xml.parsers import expat

from fatcube.groundwork.strict.malformed import Malformed
from fatcube.groundwork.validation import ParameterError, shown

__all__ = ["parse_xml"]


_REFUSED = {
    expat.errors.XML_ERROR_NO_ELEMENTS: "an element must be closed before the file ends",
    expat.errors.XML_ERROR_SYNTAX: "it must begin with an element",
    expat.errors.XML_ERROR_TAG_MISMATCH: "a closing tag must have the name of the element that is open",
    expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "one element must hold all others",
    expat.errors.XML_ERROR_INVALID_TOKEN: "text and attributes must have &lt; and &amp; in place of < and &",
    expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE: "an attribute must occur once, not twice",
}

DEEPEST = 100  # nested elements; no format needs more than five


def parse_xml(content: bytes, *, most: Mapping[str, int], what: str) -> ElementTree.Element:
    """Return the root element of an XML document.

    Parameters
    ----------
    content : :class:`bytes`
        The document, in an encoding that expat knows.
    most : mapping
        The most elements of each name, without its namespace. Names that are not in it are not counted.
    what : :class:`str`
        The kind of document, with an article, as in ``"a topology file"``.

    Raises
    ------
    ParameterError
        If it is not XML (a :class:`Malformed`), declares an entity, is nested too deeply, or has too many elements of a name.
    """
    parser = expat.ParserCreate()
    counts = dict.fromkeys(most, 0)
    depth = 0
    if not content.strip():
        raise ParameterError("not XML: it is empty")

    def start(name: str, attributes: object) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise ParameterError(f"elements must be at most {DEEPEST} deep in one another")
        kind = name.rpartition(":")[2]
        if kind in counts:
            counts[kind] += 1
            if counts[kind] > most[kind]:
                raise ParameterError(f"{kind}s of {what} must be at most {most[kind]:,}, not more")

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1

    def entity(name: str, *_: object) -> NoReturn:
        raise ParameterError(f"{what} must have no entities of its own, not {shown(name)}")

    parser.StartElementHandler, parser.EndElementHandler, parser.EntityDeclHandler = start, end, entity
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        said = expat.ErrorString(error.code)
        raise Malformed(f"not XML: {_REFUSED.get(said, said)}", error.lineno) from None
    except (ValueError, LookupError) as error:  # unknown encoding
        if isinstance(error, ParameterError):
            raise
        raise ParameterError(f"not XML: {error}") from None
    return ElementTree.fromstring(content)
