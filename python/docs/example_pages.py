"""Sphinx extension that writes a page for each program of python/examples: what it says of itself, what it prints in its
small form, its picture if it draws one, and its code. Pages are written into examples/, before Sphinx reads.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PROGRAMS = Path(__file__).resolve().parents[1] / "examples"


def _run(program: Path, picture: Path) -> str:
    """Its output. Programs that know --plot draw."""
    arguments = [sys.executable, str(program), "--small"]
    arguments += ["--plot", str(picture)] if '"--plot"' in program.read_text() else []
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "MPLBACKEND": "agg"}
        done = subprocess.run(arguments, capture_output=True, text=True, cwd=folder, env=environment, check=False)
    if done.returncode:
        raise RuntimeError(f"{program.name}:\n{done.stdout}{done.stderr}")
    return done.stdout


def page(program: Path, folder: Path) -> str:
    """The page of a program."""
    title = program.stem.replace("_", " ").capitalize()
    told = ast.get_docstring(ast.parse(program.read_text())) or ""
    picture = folder / f"{program.stem}.png"
    output = _run(program, picture)
    drawn = f"![]({picture.name})\n\n" if picture.exists() else ""
    return f"""# {title}

{told}

`python python/examples/{program.name} --small` prints

```text
{output.rstrip()}
```

{drawn}```{{literalinclude}} {os.path.relpath(program, folder)}
:language: python
```
"""


def write(folder: Path) -> None:
    """All pages, and their index."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    programs = sorted(PROGRAMS.glob("*.py"))
    for program in programs:
        (folder / f"{program.stem}.md").write_text(page(program, folder))
    names = "\n".join(program.stem for program in programs)
    head = "# Examples\n\nPrograms of under 150 lines each, on data that is made or shipped; they are in python/examples."
    (folder / "index.md").write_text(f"{head}\n\n```{{toctree}}\n:maxdepth: 1\n\n{names}\n```\n")


def setup(app: Any) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("config-inited", lambda app, _: write(Path(app.srcdir) / "examples"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
