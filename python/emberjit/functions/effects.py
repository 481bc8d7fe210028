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


@publish(
    "ops.stop_gradient ops.StopGradient ops.stop_gradient_(value as input: tensor)",
    numpy="value",
    samples="f32(2)",
    in_python=True,
)
def stop_gradient(value: Any) -> Any:
    """value itself, but no gradient flows back through it, nor through the Tensors in a tuple, list or dict."""
    return tree.rebuild(value, lambda leaf: _ops["stop_gradient"](leaf) if isinstance(leaf, core.Tensor) else leaf)


@publish("ops.PyFunc(fn, in_types, in_shapes, out_types, out_shapes, stateful)(*operands)", in_python=True)
def python_function(
    operands: Any, fn: Any, in_types: Any, in_shapes: Any, out_types: Any, out_shapes: Any, stateful: bool = True
) -> Any:
    """What a function of NumPy's arrays gives, as a tuple of Tensors. No gradient flows through it.

    Args:
        operands: Tensors, which fn takes as arrays.
        in_types, in_shapes, out_shapes, stateful: have no effect: fn is called with what there is, each time.
        out_types: dtypes of the results.

    Raises:
        ValueError: fn gives another number of results than out_types has.
        CaptureError: code is being captured; fn runs in Python.
    """
    if core.current_capture() is not None:
        raise core.CaptureError("PyFunc calls a function of NumPy's arrays, which runs in Python only.")
    import numpy as np

    found = fn(*(operand.asnumpy() for operand in operands))
    results = found if isinstance(found, (tuple, list)) else (found,)
    if len(results) != len(out_types):
        raise ValueError(
            f"For 'PyFunc', fn must give {len(out_types)} results, as 'out_types' has, but gave {len(results)}."
        )
    return tuple(core.Tensor(np.asarray(result), kind) for result, kind in zip(results, out_types))
