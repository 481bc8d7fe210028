"""Checks of arguments as programs for MindSpore make them with mindspore._checkparam. All return the argument."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

EQ, NE, LT, LE, GT, GE, INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH, IN, NOT_IN = range(1, 13)
_COMPARE: dict[int, tuple[str, Callable[[Any, Any], bool]]] = {
    EQ: ("=", operator.eq),
    NE: ("!=", operator.ne),
    LT: ("<", operator.lt),
    LE: ("<=", operator.le),
    GT: (">", operator.gt),
    GE: (">=", operator.ge),
}
_BOUNDS = {INC_NEITHER: ("(", ")"), INC_LEFT: ("[", ")"), INC_RIGHT: ("(", "]"), INC_BOTH: ("[", "]")}


def _head(arg_name: str | None, prim_name: str | None) -> str:
    what = f"'{arg_name}'" if arg_name else "input value"
    return f"For '{prim_name}', the {what}" if prim_name else f"The {what}"


def _is(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool)


def _check_number(value: Any, bound: Any, rel: int, kind: type, arg_name: str | None, prim_name: str | None) -> Any:
    sign, holds = _COMPARE[rel]
    head = f"{_head(arg_name, prim_name)} must be {kind.__name__} and must {sign} {bound}, but got '{value}' with type"
    if not _is(value, kind):
        raise TypeError(f"{head} '{type(value).__name__}'.")
    if not holds(value, bound):
        raise ValueError(f"{head} '{type(value).__name__}'.")
    return value


def check_int(arg_value: Any, value: int, rel: int, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Checks an int against another by a relation, EQ to GE.

    Raises:
        TypeError: it is no int.
        ValueError: the relation does not hold.
    """
    return int(_check_number(arg_value, value, rel, int, arg_name, prim_name))


def check_float(arg_value: Any, value: float, rel: int, arg_name: str | None = None, prim_name: str | None = None) -> float:
    """Checks a float against another by a relation, EQ to GE.

    Raises:
        TypeError: it is no float.
        ValueError: the relation does not hold.
    """
    return float(_check_number(arg_value, value, rel, float, arg_name, prim_name))


def check_number(arg_name: str, arg_value: Any, value: Any, rel: int, prim_name: str | None = None) -> Any:
    """Checks a number against another by a relation, EQ to GE.

    Raises:
        ValueError: the relation does not hold.
    """
    sign, holds = _COMPARE[rel]
    if not holds(arg_value, value):
        raise ValueError(f"{_head(arg_name, prim_name)} must {sign} {value}, but got {arg_value}.")
    return arg_value


def check_equal_int(arg_value: Any, value: int, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Checks that an int is another. Raises as check_int()."""
    return check_int(arg_value, value, EQ, arg_name, prim_name)


def check_positive_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Checks that an int is above 0. Raises as check_int()."""
    return check_int(arg_value, 0, GT, arg_name, prim_name)


def check_negative_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Checks that an int is below 0. Raises as check_int()."""
    return check_int(arg_value, 0, LT, arg_name, prim_name)


def check_non_negative_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Checks that an int is at least 0. Raises as check_int()."""
    return check_int(arg_value, 0, GE, arg_name, prim_name)


def check_positive_float(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> float:
    """Checks that a float is above 0. Raises as check_float()."""
    return check_float(arg_value, 0, GT, arg_name, prim_name)


def check_non_negative_float(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> float:
    """Checks that a float is at least 0. Raises as check_float()."""
    return check_float(arg_value, 0, GE, arg_name, prim_name)


def check_is_number(arg_value: Any, arg_type: type, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """Checks that a number is of a type, and finite.

    Raises:
        TypeError: it is of another.
        ValueError: it is an infinity or NaN.
    """
    if not _is(arg_value, arg_type):
        what = f"'{arg_name}'" if arg_name else "input value"
        head = f"For '{prim_name}', the type of {what}" if prim_name else f"The type of {what}"
        raise TypeError(f"{head} must be '{arg_type.__name__}', but got '{type(arg_value).__name__}'.")
    if arg_type is float and not math.isfinite(arg_value):
        raise ValueError(f"{_head(arg_name, prim_name)} must be a legal value, but got '{arg_value}'.")
    return arg_value


def check_is_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Checks that a value is an int. Raises as check_is_number()."""
    return int(check_is_number(arg_value, int, arg_name, prim_name))


def check_is_float(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> float:
    """Checks that a value is a float. Raises as check_is_number()."""
    return float(check_is_number(arg_value, float, arg_name, prim_name))


def _check_range(
    value: Any, lower: Any, upper: Any, rel: int, kind: type, arg_name: str | None, prim_name: str | None
) -> Any:
    check_is_number(value, kind, arg_name, prim_name)
    begin, end = _BOUNDS[rel]
    above = value >= lower if begin == "[" else value > lower
    below = value <= upper if end == "]" else value < upper
    if not (above and below):
        head = _head(arg_name, prim_name)
        raise ValueError(
            f"{head} must be in range of {begin}{lower}, {upper}{end}, but got {value} with type '{kind.__name__}'."
        )
    return value


def check_int_range(
    arg_value: Any, lower_limit: int, upper_limit: int, rel: int, arg_name: str | None = None, prim_name: str | None = None
) -> int:
    """Checks that an int lies between two, by a relation, INC_NEITHER to INC_BOTH, which says whether they count.

    Raises:
        TypeError: it is no int.
        ValueError: it lies outside.
    """
    return int(_check_range(arg_value, lower_limit, upper_limit, rel, int, arg_name, prim_name))


def check_float_range(
    arg_value: Any,
    lower_limit: float,
    upper_limit: float,
    rel: int,
    arg_name: str | None = None,
    prim_name: str | None = None,
) -> float:
    """Checks that a float lies between two, by a relation, INC_NEITHER to INC_BOTH, which says whether they count.

    Raises:
        TypeError: it is no float.
        ValueError: it lies outside.
    """
    return float(_check_range(arg_value, lower_limit, upper_limit, rel, float, arg_name, prim_name))


def check_bool(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> bool:
    """Checks that a value is a bool.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(arg_value, bool):
        raise TypeError(f"{_head(arg_name, prim_name)} must be a bool, but got {type(arg_value).__name__}.")
    return arg_value


def check_string(
    arg_value: Any, valid_values: Iterable[str], arg_name: str | None = None, prim_name: str | None = None
) -> str:
    """Checks that a value is one of some strings.

    Raises:
        ValueError: it is none of them.
    """
    valid = list(valid_values)
    if not isinstance(arg_value, str) or arg_value not in valid:
        raise ValueError(f"{_head(arg_name, prim_name)} must be str and must be in '{valid}', but got '{arg_value}'.")
    return arg_value


def check_isinstance(arg_name: str, arg_value: Any, classes: Any) -> Any:
    """Checks that a value is an instance of a class, or of one of several.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(arg_value, classes):
        raise ValueError(f"The parameter '{arg_name}' must be isinstance of {classes}, but got {arg_value}.")
    return arg_value


def check_value_type(arg_name: str, arg_value: Any, valid_types: Any, prim_name: str | None = None) -> Any:
    """Checks that a value is of one of some types; a bool counts as an int only where bool is among them.

    Raises:
        TypeError: it is of none.
    """
    types = list(valid_types) if isinstance(valid_types, Iterable) else [valid_types]
    if any(_is(arg_value, kind) for kind in types):
        return arg_value
    names = [kind.__name__ for kind in types]
    wanted = f"should be '{names[0]}'" if len(names) == 1 else f"should be one of '{names}'"
    head = f"For '{prim_name}', the type of '{arg_name}'" if prim_name else f"The type of '{arg_name}'"
    raise TypeError(f"{head} {wanted}, but got type '{type(arg_value).__name__}'.")


def check_type_name(arg_name: str, arg_type: Any, valid_types: Any, prim_name: str | None = None) -> Any:
    """Checks that a dtype is one of some.

    Raises:
        TypeError: it is none of them.
    """
    valid = list(valid_types) if isinstance(valid_types, Iterable) else [valid_types]
    if arg_type not in valid:
        names = ", ".join(str(kind) for kind in valid)
        raise TypeError(f"{_head(arg_name, prim_name)} should be {names}, but got '{arg_type!r}'.")
    return arg_type


def check_subclass(arg_name: str, type_: Any, template_types: Any, prim_name: str, addition_error_info: Any = None) -> None:
    """Checks that a dtype or class is one of some, or below one of them.

    Raises:
        TypeError: it is none of them.
    """
    valid = list(template_types) if isinstance(template_types, Iterable) else [template_types]
    for kind in valid:
        both = isinstance(kind, type) and isinstance(type_, type)
        if type_ == kind or (both and issubclass(type_, kind)):
            return
    names = ", ".join(getattr(kind, "__name__", str(kind)) for kind in valid)
    mine = getattr(type_, "__name__", str(type_))
    raise TypeError(
        f"For '{prim_name}', the element of '{arg_name}' must be {names}, but got {mine}.{addition_error_info or ''}"
    )


def check_types_same_and_valid(args: dict[str, Any], valid_values: Any, prim_name: str) -> None:
    """Checks that dtypes, by the names of arguments, are one and the same of some.

    Raises:
        TypeError: they are not.
    """
    for name, kind in args.items():
        check_subclass(name, kind, valid_values, prim_name)
    if len(set(map(str, args.values()))) > 1:
        raise TypeError(
            f"For '{prim_name}', the types of {', '.join(args)} must be one, but are {list(map(str, args.values()))}."
        )
