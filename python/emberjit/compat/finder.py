"""Finds the modules of this package by their paths below `emberjit`."""

from __future__ import annotations

from typing import Any

from emberjit.compat import PATHS


class Finder:
    """Knows what `emberjit.hal` stands for."""

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: Any = None) -> Any:
        """The spec of a module with a path of MindSpore's; None of any other."""
        package, _, below = fullname.partition(".")
        if package != "emberjit" or below.partition(".")[0] not in PATHS:
            return None
        from emberjit.compat import alias

        return alias.spec_of(fullname)
