"""The manual, as Sphinx builds it: ``make docs`` writes ``build/docs``, and a warning ends it.

The modules in ``extensions`` generate pages from other sources: commands from their options, keys of files from
their schemas, results from ``synth_reports``; and the API from docstrings. Nothing is loaded from another address.
"""

from importlib import metadata
from pathlib import Path
import sys
import warnings

_HERE = Path(__file__).parent
sys.path[:0] = [str(_HERE.parent), str(_HERE / "extensions")]

from fatcube.groundwork.memory import collect_seldom  # noqa: E402 - it stands in the folder that was named just now

collect_seldom()  # a third of the time that Sphinx took
project = "fatcube"
author = "The founders of fatcube"
version = release = metadata.version("fatcube")
language = "en"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "docstring_sections",
    "numpydoc",
    "command_pages",
    "result_pages",
    "schema_tables",
    "term_page",
    "known_names",
    "whole_builds",
    "formulas",
    "plain_list",
]
exclude_patterns = ["extensions", "examples", "figures", "schemas"]
smartquotes = False  # -- before a word is an option
nitpicky = True  # a role or a link without a target is an error; known_names lists our names

myst_heading_anchors = 4
myst_enable_extensions = ["fieldlist"]

# numpydoc reads docstrings once more, before docstring_sections has renamed their sections, for signatures that it does not find.
warnings.filterwarnings("ignore", "Unknown section", UserWarning)
autodoc_typehints = "none"  # docstrings have the types
numpydoc_show_class_members = False
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "inherited-members": False}
add_module_names = False
toc_object_entries = False

html_theme = "furo"
html_title = f"fatcube {version}"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_js_files = ["manual.js"]
html_copy_source = html_show_sourcelink = False
html_show_sphinx = html_show_copyright = False
html_theme_options = {
    # The contrast of links and of quiet words is at least 4.5:1 on both backgrounds.
    "light_css_variables": {
        "color-brand-primary": "#1f5fbf",
        "color-brand-content": "#1f5fbf",
        "color-brand-visited": "#6b3fa0",
    },
    "dark_css_variables": {
        "color-brand-primary": "#8ab4f8",
        "color-brand-content": "#8ab4f8",
        "color-brand-visited": "#c9a8f5",
    },
}
