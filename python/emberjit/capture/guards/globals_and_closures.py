"""Guards on global variables and on those of enclosing functions."""

from __future__ import annotations

from typing import Any

from emberjit.capture.guards.objects import guard_object
from emberjit.capture.session.session import current_session


def read_variable(name: str, cells: dict[str, Any], global_names: dict[str, Any]) -> Any:
    """The value of a name that is not local. A KeyError lets Python look among its builtins."""
    session = current_session()
    if name in cells:
        try:
            value = cells[name].cell_contents
        except ValueError:
            raise NameError(f"cannot access free variable '{name}' where it is not associated with a value") from None
        if session is not None:
            session.guard("cell", cells[name], None, value)
        return guard_object(value)
    if name not in global_names:
        if session is not None:
            session.guard("absent", global_names, name, None)
        raise KeyError(name)
    value = global_names[name]
    if session is not None:
        session.guard("item", global_names, name, value)
    return guard_object(value)
