"""Sphinx's configuration: tools/docs builds the pages into build/docs."""

import sys
from pathlib import Path

import emberjit

sys.path.insert(0, str(Path(__file__).parent))

project = "emberjit"
copyright = "the emberjit authors"
version = release = emberjit.__version__
extensions = ["myst_nb", "reference_pages", "example_pages"]
exclude_patterns = ["README.md"]
html_theme = "furo"
html_title = f"emberjit {version}"
html_copy_source = False
html_show_sphinx = False
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_execution_in_temp = True
nb_merge_streams = True
suppress_warnings = ["mystnb.unknown_mime_type", "ref.python"]
toc_object_entries_show_parents = "hide"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 90
