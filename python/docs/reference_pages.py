"""Sphinx extension that writes the reference: a page for each room of a module, an entry for each public name
(tools/public_names.py), from the documentation that help() shows. Pages are written into reference/, before Sphinx reads.
"""

from __future__ import annotations

import importlib
import inspect
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import emberjit
from emberjit.publish import registry
from emberjit.publish.index import NAMES

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import public_names
from public_names import Name

SECTIONS = ("Args", "Inputs", "Returns", "Yields", "Raises", "Gradients", "Views", "Differs from MindSpore", "Examples")
TITLES = {"Args": "Parameters", "Views": "Memory"}
ROOMS = {"compat": "MindSpore's interface", "linalg": "Linear algebra", "random": "Random numbers", "more": "Others"}
ROOMS |= {"optim": "Optimizers", "optimiser_rules": "Optimizers' rules", "signal": "Signals"}
CLASSES = ("Tensor", "Parameter")  # whose page is that of their members


def escaped(text: str) -> str:
    """Plain text as reStructuredText: what stands between backticks is code, all else has no meaning."""
    parts = re.split(r"(`+[^`]+`+)", text)
    return "".join(
        f"``{part.strip('`')}``" if part.startswith("`") else re.sub(r"([\\*_|`<>])", r"\\\1", part) for part in parts
    )


def sections(text: str) -> Iterator[tuple[str, str]]:
    """A docstring's sections; the first has no title. `In NumPy: ...` is one, too."""
    title, lines = "", []
    for line in text.splitlines():
        head = line.removesuffix(":")
        if line.endswith(":") and head in SECTIONS:
            yield title, textwrap.dedent("\n".join(lines)).strip("\n")
            title, lines = head, []
        elif line.startswith("In NumPy: "):
            yield title, textwrap.dedent("\n".join(lines)).strip("\n")
            title, lines = "In NumPy", [line.removeprefix("In NumPy: ")]
        elif title and line and not line.startswith(" ") and title != "In NumPy":
            yield title, textwrap.dedent("\n".join(lines)).strip("\n")
            title, lines = "", [line]
        else:
            lines.append(line)
    yield title, textwrap.dedent("\n".join(lines)).strip("\n")


def prose(text: str) -> Iterator[str]:
    """Paragraphs; what is indented is a formula or code."""
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.startswith("    "):
            yield from ("::", "", *(f"    {line}" for line in paragraph.splitlines()), "")
        elif paragraph.strip():
            yield from (escaped(" ".join(paragraph.split())), "")


def entries(text: str) -> list[tuple[str, str]]:
    """Lines `name: text`, which go on where they are indented."""
    out: list[tuple[str, str]] = []
    for line in text.splitlines():
        match = re.match(r"(\*{0,2}[\w., |]+?):\s*(.*)", line)
        if match and not line.startswith(" "):
            out.append((match[1], match[2]))
        elif out:
            out[-1] = out[-1][0], f"{out[-1][1]} {line.strip()}"
        elif line.strip():
            out.append(("", line.strip()))
    return out


def section(title: str, text: str) -> Iterator[str]:
    """A section as reStructuredText: one field, or prose, or a session."""
    if not title:
        yield from prose(text)
    elif title == "Examples":
        yield from (".. code-block:: pycon", "", *(f"   {line}".rstrip() for line in text.splitlines()), "")
    elif title == "In NumPy":
        yield from (f":In NumPy: ``{' '.join(text.split())}``", "")
    elif title in ("Args", "Inputs", "Raises"):
        yield from (f":{TITLES.get(title, title)}:", "")
        for name, told in entries(text):
            yield f"   - ``{name}``: {escaped(told)}" if name else f"   - {escaped(told)}"
        yield ""
    else:
        yield from (f":{TITLES.get(title, title)}: {escaped(' '.join(text.split()))}", "")


def signature_of(value: Any) -> str:
    """Parameters as code shows them; short names of types."""
    try:
        text = str(inspect.signature(value))
    except (TypeError, ValueError):
        return ""
    text = re.sub(r"\b(?:emberjit|typing|collections\.abc|mindspore)(?:\.\w+)*\.(?=\w)", "", text.replace("'", ""))
    return re.sub(r"<.*? at 0x[0-9a-f]+>|<(?:function|class|object)[^>]*>", "...", text)


def elsewhere(name: Name) -> list[str]:
    """Other names of the same definition."""
    if not name.scope:
        return []
    own = name.name.removeprefix("Tensor.")
    targets = {id(one.target) for one in registry.declared(name.scope, own)}
    return [
        f"{scope}.{other}"
        for scope, names in NAMES.items()
        for other, module in names.items()
        if module == NAMES[name.scope][own]
        and (scope, other) != (name.scope, own)
        and targets & {id(one.target) for one in registry.declared(scope, other)}
    ]


def entry(name: Name) -> list[str]:
    """A name with its documentation."""
    is_class = inspect.isclass(name.value)
    kind = "class" if is_class else "method" if "." in name.name else "function"
    callable_ = is_class or callable(name.value) or inspect.isroutine(name.value)
    if not callable_:
        kind = "attribute"
    shown = signature_of(name.value) if callable_ else ""
    body: list[str] = []
    for title, text in sections(inspect.getdoc(name.value) or ""):
        if text:
            body += section(title, text)
    also = elsewhere(name)
    if also:
        body += [f":Also: {', '.join(f':py:obj:`{path} <emberjit.{path}>`' for path in also)}", ""]
    full = f"{name.module}.{name.name}"
    return [f".. py:{kind}:: {full}{shown}", "", *(f"   {line}".rstrip() for line in body), ""]


def room(name: Name) -> str:
    """The page of a name: the room of functions that declares it, or the folder of its module that defines it; a
    method is on its class's."""
    if name.scope:
        return NAMES[name.scope][name.name.removeprefix("Tensor.")].split(".")[0]
    owner = name.name.rpartition(".")[0]
    value = getattr(importlib.import_module(name.module), owner) if owner not in ("", "Tensor") else name.value
    module = getattr(value, "__module__", None) or ""
    inner = module.removeprefix("emberjit.").removeprefix(f"{name.module.removeprefix('emberjit')}."[1:]).split(".")
    return inner[0] if module.startswith("emberjit.") and module != name.module else "more"


def _about(rooms: str, names: list[Name]) -> str:
    """What a page's names are, if they are declared in one room of functions."""
    if not all(name.scope for name in names):
        return ""
    return inspect.getdoc(importlib.import_module(f"emberjit.functions.{rooms}")) or ""


def _heading(text: str, line: str) -> list[str]:
    return [escaped(text), line * max(len(escaped(text)), 4), ""]


def write(folder: Path) -> None:
    """All pages."""
    shutil.rmtree(folder, ignore_errors=True)
    pages: dict[str, dict[str, list[Name]]] = {}
    for name in public_names.names():
        if name.module == "emberjit" and name.name in CLASSES:
            continue
        module = "Tensor" if name.name.startswith("Tensor.") and name.module == "emberjit" else name.module
        pages.setdefault(module, {}).setdefault(room(name), []).append(name)
    folder.mkdir()
    first = ("emberjit", "Tensor", "emberjit.ops", "emberjit.nn", "emberjit.train", "emberjit.dataset")
    write_index(folder, sorted(pages, key=lambda module: (first.index(module) if module in first else len(first), module)))
    for module, rooms in pages.items():
        path = folder / module.removeprefix("emberjit.").replace(".", "_")
        path.mkdir(parents=True)
        about = "Methods and attributes of Tensors" if module == "Tensor" else public_names.MODULES[module]
        index = [*_heading(module, "="), f"{about}.", "", ".. toctree::", "   :hidden:", ""]
        index += [*(f"   {short}" for short in sorted(rooms)), ""]
        for kind in CLASSES if module == "Tensor" else ():
            index += entry(Name("emberjit", kind, getattr(emberjit, kind), ""))
        for short, names in sorted(rooms.items()):
            title = ROOMS.get(short, short.replace("_", " ").capitalize())
            lines = [*_heading(title, "="), escaped(_about(short, names)), ""]
            for name in sorted(names, key=lambda one: one.name):
                lines += entry(name)
            (path / f"{short}.rst").write_text("\n".join(lines))
            index += ["", *_heading(title, "-"), *_names(names)]
        (path / "index.rst").write_text("\n".join(index) + "\n")


INTRODUCTION = """\
Every public name, by module, from the documentation that `help()` shows. Most names of MindSpore 2.10 are here; those of
`emberjit.mint` have PyTorch's parameters, those of `emberjit.numpy` NumPy's.

The examples run as they stand, with these names:

```python
import numpy as np
import emberjit as ms
from emberjit import Parameter, Tensor, mint, nn, ops, train
from emberjit import dataset as ds
from emberjit.dataset import audio, text, transforms, vision
```

`example_data("mnist")` makes a folder with a few samples in a published format (tools/example_data.py).

"""


def write_index(folder: Path, modules: list[str]) -> None:
    """The page that leads to all others."""
    lines = ["# Reference", "", INTRODUCTION, "```{toctree}", ":hidden:", ""]
    short = {module: module.removeprefix("emberjit.").replace(".", "_") for module in modules}
    lines += [f"{short[module]}/index" for module in modules] + ["```", "", "| Module | |", "|---|---|"]
    about = public_names.MODULES | {"Tensor": "Methods and attributes of Tensors"}
    lines += [f"| [{module}]({short[module]}/index.rst) | {about[module]} |" for module in modules]
    (folder / "index.md").write_text("\n".join(lines) + "\n")


def _names(names: list[Name]) -> Iterator[str]:
    """Links, classes first."""
    ordered = sorted(names, key=lambda one: (not inspect.isclass(one.value), one.name))
    yield from (", ".join(f":py:obj:`{n.name} <{n.module}.{n.name}>`" for n in ordered), "")


def setup(app: Any) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("config-inited", lambda app, _: write(Path(app.srcdir) / "reference"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
