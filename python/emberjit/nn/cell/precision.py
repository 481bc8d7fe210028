"""The precision that a Cell computes in, and flags, by which it may be set."""

from __future__ import annotations

import enum
from typing import Any

from emberjit import _emberjit as core
from emberjit.nn.cell.hooks import HookRegistration

_PRECISIONS = {"fp16": core.float16, "fp32": core.float32, "bf16": core.bfloat16}


class MixedPrecisionType(enum.IntEnum):
    """The precision that a Cell alone computes in; NOTSET: that of its arguments."""

    NOTSET = 0
    FP16 = 1
    FP32 = 2
    BF16 = 3


class CellPrecision(HookRegistration):
    """The part of Cell that is about precision and flags."""

    def _set_precision(self, dtype: Any) -> None:
        self._with_hooks().precision = dtype
        self._changed()

    def _set_rules(self, rules: Any) -> None:
        hooks = self._with_hooks()
        hooks.rules = rules if hooks.rules is None else {**hooks.rules, **rules}
        self._changed()

    def add_flags(self, **flags: Any) -> Any:
        """Sets attributes. One of fp16, fp32 and bf16, if True, is the precision of to_float, of this Cell alone."""
        self.__dict__.setdefault("_flags", {}).update(flags)
        for name, value in flags.items():
            self.__dict__[name] = value
            if name in _PRECISIONS and value:
                self._set_precision(_PRECISIONS[name])
        return self

    def add_flags_recursive(self, **flags: Any) -> Any:
        """Sets attributes of this Cell and all within it, as add_flags does."""
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """What add_flags has set."""
        flags: dict[str, Any] = self.__dict__.setdefault("_flags", {})
        return flags

    def to_float(self, dst_type: Any) -> Any:
        """Sets the precision of this Cell and all within it: a call of each casts its floating-point arguments, and
        construct reads its Parameters cast. In a user's class those that require no gradient are not cast, so that construct
        can assign to them.

        Args:
            dst_type: float16, bfloat16 or float32.

        Raises:
            ValueError: another dtype.
        """
        if dst_type not in _PRECISIONS.values():
            expected = "mstype.float32, mstype.float16 or mstype.bfloat16"
            raise ValueError(f"For 'to_float', the argument 'dst_type' must be {expected}, but got {dst_type!r}.")
        return self.add_flags_recursive(**{name: dtype == dst_type for name, dtype in _PRECISIONS.items()})

    def set_mixed_precision_type(self, mixed_precision_type: MixedPrecisionType) -> None:
        """Computes this Cell alone in a precision, as to_float says.

        Raises:
            TypeError: it is no MixedPrecisionType.
        """
        if not isinstance(mixed_precision_type, MixedPrecisionType):
            expected = "must be a MixedPrecisionType"
            raise TypeError(
                f"For 'set_mixed_precision_type', 'mixed_precision_type' {expected}, but got {mixed_precision_type!r}."
            )
        self._set_precision(_PRECISIONS.get(mixed_precision_type.name.lower()))

    def get_mixed_precision_type(self) -> MixedPrecisionType:
        """The precision that to_float, add_flags or set_mixed_precision_type has set."""
        dtype = None if self._cell_hooks is None else self._cell_hooks.precision
        return next(
            (MixedPrecisionType[name.upper()] for name, one in _PRECISIONS.items() if one == dtype),
            MixedPrecisionType.NOTSET,
        )
