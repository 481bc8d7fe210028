"""Modules of public names, which are made when they are first asked for."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from emberjit.publish.index import NAMES
from emberjit.publish.registry import Declaration, find
from emberjit.spelling import UnknownName, advice


def lazy(
    scope: str, namespace: dict[str, Any], elsewhere: dict[str, str], class_of: Callable[[Declaration], type] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """A module's __getattr__ and __dir__: the names that are declared in a scope, and those that other modules have.

    Args:
        namespace: the module's globals, which keep what was found.
        elsewhere: names by the modules that have them; a module's own name, if it has nothing of that name, stands for it.
        class_of: makes the classes that are declared.
    """

    def get(name: str) -> Any:
        module = elsewhere.get(name)
        if module is not None:
            value = importlib.import_module(module)
            value = vars(value).get(name, value) if module.endswith("." + name) else getattr(value, name)
        else:
            value = find(scope, name, class_of)
        if value is None:
            module = f"emberjit.{scope}" if scope else "emberjit"
            message = f"module '{module}' has no attribute '{name}'"
            otherwise = ": emberjit does not have this name (yet)"
            raise UnknownName(message, name, lambda: advice(name, (scope,), names(), otherwise))
        return namespace.setdefault(name, value)

    def names() -> list[str]:
        return sorted({*namespace, *NAMES.get(scope, ()), *elsewhere})

    return get, names
