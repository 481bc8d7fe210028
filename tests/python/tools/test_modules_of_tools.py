"""The modules of tools/: what a module defines, it defines once, as functions that others of it hold would change."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[3] / "tools"


@pytest.mark.parametrize("path", sorted(TOOLS.glob("*.py")), ids=lambda path: path.name)
def test_a_module_defines_each_name_once(path: Path) -> None:
    kinds = (ast.FunctionDef, ast.ClassDef)
    body = ast.parse(path.read_text(encoding="utf-8")).body
    names = Counter(one.name for one in body if isinstance(one, kinds) and "overload" not in ast.dump(one))
    assert [name for name, times in names.items() if times > 1] == []
