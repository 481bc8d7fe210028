"""CPython 3.11: what its instructions mean, where not all versions have them."""

from __future__ import annotations

import operator

from emberjit.capture.code.cpython import (
    COMPARISONS,
    FORMAT_VALUE,
    JUMPS,
    MAKE_FUNCTION,
    MEANINGS,
    PLAIN,
    SKIPPED,
    Version,
    call_with_names_before,
    plain,
)

_PLAIN = plain(
    (
        (lambda reader, arg: None, "LIST_TO_TUPLE"),
        (lambda reader, arg: operator.pos, "UNARY_POSITIVE=UNARY"),
        (lambda reader, arg: reader.names[arg], "LOAD_ATTR LOAD_METHOD"),
        (lambda reader, arg: COMPARISONS[arg], "COMPARE_OP=COMPARE"),
        MAKE_FUNCTION,
        FORMAT_VALUE,
    )
)
_JUMPS = {"JUMP_IF_TRUE_OR_POP": ("JUMP_IF_OR_POP", True), "JUMP_IF_FALSE_OR_POP": ("JUMP_IF_OR_POP", False)}


VERSION = Version(
    PLAIN | _PLAIN,
    MEANINGS | {"CALL": call_with_names_before},
    JUMPS | _JUMPS,
    SKIPPED | {"PRECALL", "KW_NAMES", "MAKE_CELL"},
    {},
    copies_ends=False,
)
