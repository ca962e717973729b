"""XML that is malformed is refused in plain words, with its line."""

import re

import pytest

from fatcube.groundwork.strict.malformed import Malformed
from fatcube.groundwork.strict.xml_text import parse_xml


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("links: a b", 1, "it must begin with an element"),
        ("<a>\n<b>\n</a>", 3, "a closing tag must have the name of the element that is open"),
        ("<a>\n", 2, "an element must be closed before the file ends"),
        ("<a/>\n<b/>", 2, "one element must hold all others"),
        ('<a b="1"\nb="2"/>', 2, "an attribute must occur once, not twice"),
        ("<a>\nb & c</a>", 2, "text and attributes must have &lt; and &amp; in place of < and &"),
    ],
)
def test_malformed(text, line, message):
    """Catches the text of expat."""
    with pytest.raises(Malformed, match=f"^not XML: {re.escape(message)}$") as error:
        parse_xml(text.encode(), most={}, what="a file")
    assert error.value.line == line
