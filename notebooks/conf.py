"""How the site is built: ``sphinx-build -W --keep-going -n notebooks out/site``.

Its pages are the Markdown files and the notebooks beside this file; nothing in it is fetched from a network.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "extensions"))
sys.path.insert(0, str(HERE.parent))  # the package that is documented is the one beside these pages

import layoutalg  # noqa: E402

project = "layoutalg"
author = "the layoutalg authors"
copyright = "the layoutalg authors"  # noqa: A001  Sphinx's name
version = release = layoutalg.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "example_files",
    "mathml",
    "public_names",
    "search_texts",
    "tables",
]
exclude_patterns = ["examples/ck_tree", "extensions", "**.ipynb_checkpoints"]
nitpicky = True

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # their outputs are kept in the notebooks: python -m tests.notebooks
nb_merge_streams = True
suppress_warnings = ["myst.xref_missing_unused"]

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
add_module_names = False
smartquotes = False  # two dashes are an option, not a dash
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"
pygments_style = "friendly"
pygments_dark_style = "github-dark"

html_math_renderer = "mathml"
html_theme = "furo"  # light and dark, narrow and wide, all its files its own: it works without a network
html_title = "layoutalg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = [("unmarked.js", {"defer": "defer"})]
html_show_search_summary = False  # they would be fetched; search_texts shows them
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}
