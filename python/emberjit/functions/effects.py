"""What acts: assignments, printing, and the order of effects."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.registry import publish, publish_ops
from emberjit.values import tree

_ops = core.op_table

publish_ops(
    __name__,
    """
assign: ops.assign ops.Assign
assign_add: ops.assign_add ops.AssignAdd
assign_sub: ops.assign_sub ops.AssignSub
clear_float_status: ops.NPUClearFloatStatus
foreign_call: ops.foreign_call
""",
)


@publish("ops.print_(*input_x = ()) ops.Print()(*input_x = ())", in_python=True)
def print_lines(input_x: Any) -> None:
    """Prints each argument on a line of its own, Tensors as repr shows them; in a graph whenever it runs."""
    lines = []
    for value in input_x:
        is_tensor = isinstance(value, (core.Tensor, core.Number))
        lines.append("{}" if is_tensor else str(value).replace("{", "{{").replace("}", "}}"))
    operands = [value for value in input_x if isinstance(value, (core.Tensor, core.Number))]
    _ops["print_"](operands, "".join(line + "\n" for line in lines))


@publish("ops.depend ops.Depend", numpy="value", samples="f32(2), f32(3)", in_python=True)
def depend(value: Any, expr: Any) -> Any:
    """Answers value; effects before it stay before what uses it, as they do anyway."""
    return value


@publish("ops.stop_gradient ops.StopGradient", numpy="value", samples="f32(2)", in_python=True)
def stop_gradient(value: Any) -> Any:
    """value itself, but no gradient flows back through it, nor through the Tensors in a tuple, list or dict."""
    return tree.rebuild(value, lambda leaf: _ops["stop_gradient"](leaf) if isinstance(leaf, core.Tensor) else leaf)
