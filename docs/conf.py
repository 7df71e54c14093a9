"""How Sphinx makes the site of these pages and of the docstrings: ``ci/docs`` calls it, with bgcore installed.

Nothing is fetched while building.  What this file can't say to Sphinx itself is in ``site/``, one extension a file.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import version as installed
from pathlib import Path

DOCS = Path(__file__).resolve().parent
os.environ["SPHINX_AUTODOC_IGNORE_NATIVE_MODULE_TYPE_STUBS"] = "1"  # written_signatures reads them
sys.path.insert(0, str(DOCS / "site"))

project = "bgcore"
author = "the bgcore authors"
release = installed("bgcore")
version = release
copyright = "the bgcore authors, MIT licence"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "written_signatures",
    "name_links",
    "state_tables",
    "page_text",
]
exclude_patterns = ["site", "images"]
source_suffix = {".md": "markdown"}

# ---- Markdown
myst_heading_anchors = 3  # GitHub's anchors, which the pages link to
myst_fence_as_directive = ["mermaid"]

# ---- docstrings: numpydoc's form
default_role = "py:obj"
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 150
add_module_names = False
toc_object_entries_show_parents = "hide"

# ---- strictness: every name of ours must lead somewhere; those of Python and numpy would need the network
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(?!bgcore\b).*"),
    # Not for users: the core, what stands behind matches and the conformance suites, type variables.
    ("py:.*", r"bgcore\.(core|conformance\.(cases|doors)|match\.(ledger|transitions))\b.*"),
    ("py:.*", r"bgcore\.formats(\.folders\.[TF])?"),
]

# ---- looks
html_theme = "furo"
html_title = f"bgcore {release}"
html_static_path = ["site/static"]
html_css_files = ["bgcore.css"]
html_show_sourcelink = False
html_copy_source = False
html_last_updated_fmt = None
pygments_style = "friendly"
pygments_dark_style = "monokai"
html_theme_options = {"navigation_with_keys": False}
