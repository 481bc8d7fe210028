"""Places in a notebook, told as IPython's tracebacks tell them: `Cell In[3]:12` for line 12 of the third cell."""

from __future__ import annotations

import re
import sys

_FILE = re.compile(r"[^\s'\"()]*ipykernel_\d+/\d+\.py|<ipython-input-[^>]*>")  # that IPython names a cell's code by


def with_cells(text: str) -> str:
    """A text in which files of the running notebook's cells have the cells' names; of another program's, the files' own."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None

    def name(match: re.Match[str]) -> str:
        return " ".join(shell.compile.format_code_name(match[0]) or (match[0],)) if shell else match[0]

    return _FILE.sub(name, text)
