"""What emberjit makes of ATen's ops: by the name of an op and its overload, a function of its operands.

An operand is a Tensor, a number, or a list of such. The first argument says what PyTorch expects of the result:

    @aten("aten.mul.Tensor", "aten.mul.Scalar")
    def mul(to: Expected, x: Any, y: Any) -> Any:
        return to.cast(x) * to.cast(y)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from emberjit.publish.kinds import Number, Tensor

Rule = Callable[..., Any]
RULES: dict[str, Rule] = {}


@dataclasses.dataclass(frozen=True)
class Expected:
    """What PyTorch knows of a node.

    Args:
        dtype: of the result, or of the first one; None if that is no Tensor.
        operands: the dtype in which PyTorch would compare the first two operands.
        shape: of the result, or of the first one, if no size of it is symbolic.
        order: of the first operand's axes, those with the largest strides first, if its memory is dense.
    """

    dtype: Any
    operands: Any
    shape: tuple[int, ...] | None
    order: tuple[int, ...] | None = None

    def cast(self, x: Number) -> Any:
        """An operand in the dtype of the result; numbers stay what they are."""
        return x.astype(self.dtype) if isinstance(x, Tensor) and x.dtype != self.dtype else x

    def alike(self, x: Number) -> Any:
        """An operand in the dtype in which two are compared; numbers stay what they are."""
        return x.astype(self.operands) if isinstance(x, Tensor) and x.dtype != self.operands else x


def aten(*names: str) -> Callable[[Rule], Rule]:
    """Enters a rule under the names of the ops that it is for."""

    def enter(rule: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, rule))
        return rule

    return enter
