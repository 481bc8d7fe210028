"""match, try, with, assert, conditions: what decides which way a function goes."""

import contextlib
import dataclasses
import threading

from idiom import Row, call, floats, ints, jit

import emberjit as ms
from emberjit import Tensor, ops

A, B = floats(2, 4), floats(3, 4)
trail: list[str] = []
lock = threading.Lock()
settings = {"mode": "train", "depth": 1}
debug = False


@dataclasses.dataclass
class Scale:
    by: float


@dataclasses.dataclass
class Shift:
    by: float
    twice: bool = False


class NotReady(Exception):
    def __init__(self, shape):
        super().__init__(f"not ready for {tuple(shape)}")
        self.shape = shape


@contextlib.contextmanager
def section(name):
    trail.append("begin " + name)
    try:
        yield name.upper()
    finally:
        trail.append("end " + name)


class Guarded:
    depth = 0

    def __enter__(self):
        self.depth += 1
        return self

    def __exit__(self, kind, error, trace):
        self.depth -= 1
        return kind is not None and issubclass(kind, KeyError)


guarded = Guarded()


@jit
def match_on_text(x):
    match settings["mode"]:
        case "train" | "fit":
            return x * 2
        case "eval":
            return x
        case other:
            raise ValueError(f"no mode {other!r}")


@jit
def match_on_shape(x):
    match x.shape:
        case (n,):
            return x * n
        case (2, m):
            return x + m
        case (n, m) if n > m:
            return x - n
        case _:
            return x


@jit
def match_on_classes(x, ops_given):
    for op in ops_given:
        match op:
            case Scale(by=b):
                x = x * b
            case Shift(b, twice=True):
                x = x + 2 * b
            case Shift(b):
                x = x + b
    return x


@jit
def match_on_a_mapping(x, event):
    match event:
        case {"kind": "scale", "by": by, **rest}:
            return x * by + len(rest)
        case {"kind": kind}:
            return x + len(kind)
        case [first, *others]:
            return x * first + len(others)
        case int() | float():
            return x * event
    return x


@jit
def try_with_default(x):
    try:
        scale = settings["scale"]
    except KeyError:
        scale = 3.0
    return x * scale


@jit
def try_else_finally(x):
    try:
        y = x.reshape(2, -1)
    except ValueError as error:
        trail.append(type(error).__name__)
        y = x
    else:
        trail.append("else")
    finally:
        trail.append("finally")
    return y * 2


@jit
def error_of_ones_own(x):
    if x.shape[0] > 2:
        raise NotReady(x.shape)
    return x


@jit
def error_chained(x):
    try:
        return x * settings["missing"]
    except KeyError as error:
        raise RuntimeError("no setting") from error


@jit
def error_caught_and_raised(x, name):
    try:
        return x * settings[name]
    except KeyError:
        trail.append("failed")
        raise


@jit
def assert_on_shape(x):
    assert x.ndim == 2 and x.shape[1] == 4, f"bad shape {x.shape}"
    return x * 2


@jit
def assert_on_values(x):
    assert (x.abs() <= 2).all(), "values out of range"
    return x * 2


@jit
def raise_on_values(x):
    if x.max() > 5:
        raise ValueError("too large")
    return x * 2


@jit
def own_context_manager(x):
    with section("scale") as name:
        return x * len(name)


@jit
def class_context_manager(x):
    with guarded as g, section("inner"):
        x = x * g.depth
        x = x * settings["absent"]
    return x


@jit
def null_context(x):
    with section("debug") if debug else contextlib.nullcontext(2.0) as scale:
        return x * 2 if isinstance(scale, str) else x * scale


@jit
def exit_stack(x):
    with contextlib.ExitStack() as stack:
        names = [stack.enter_context(section(name)) for name in ("a", "b")]
        return x * len(names)


@jit
def suppressed(x):
    with contextlib.suppress(KeyError):
        x = x * settings["absent"]
    return x + 1


@jit
def with_a_lock(x):
    with lock:
        settings["depth"] = x.shape[0]
    return x * settings["depth"]


@jit
def no_grad(x):
    with ms._no_grad():
        y = x * 2
    return y + x


@jit
def conditional_expression(x, flag):
    return (x if flag else -x) * (2 if x.shape[0] > 2 else 3)


@jit
def condition_on_a_tensor(x):
    if x.sum() > 0:
        return x * 2
    elif x.max() > 0.5:
        return x - 1
    return x * 3


@jit
def branches_with_effects(x):
    kind = "none"
    if x.sum() > 0:
        kind = "positive"
        x = x * 2
    else:
        x = x - 1
    return x, kind


@jit
def and_or_not(x, mask=None):
    scale = settings.get("scale") or 2.0
    use = mask is not None and mask.shape == x.shape
    return x * scale * mask if use and not debug else x * scale


@jit
def bool_of_a_tensor(x):
    return x * 2 if bool((x > 0).any()) and not (x > 100).any() else x


@jit
def nan_check(x):
    if ops.isnan(x).any():
        trail.append("nan")
        return ops.zeros_like(x)
    return x * 2


@jit
def mode_by_global(x):
    if debug:
        trail.append(f"{x.shape}")
    return x * 2


def debugging():
    global debug
    debug = True


@jit
def type_dispatch(x):
    if x.dtype in (ms.float32, ms.float16):
        return x * 0.5
    if x.dtype == ms.int32:
        return x // 2
    raise TypeError(f"unsupported {x.dtype}")


@jit
def not_implemented(x, kind="linear"):
    if kind == "linear":
        return x
    raise NotImplementedError


@jit
def validated(x, k):
    if not isinstance(k, int):
        raise TypeError(f"k must be an int, not {type(k).__name__}")
    if not 0 < k <= x.shape[-1]:
        raise ValueError(f"k={k} is not in 1..{x.shape[-1]}")
    return ops.topk(x, k)[0]


@jit
def rescued_values(x):
    try:
        if x.max() > 5:
            raise ValueError("too large")
        return x * 2
    except ValueError:
        return x * 0


ROWS = [
    Row(
        "match on text",
        match_on_text,
        [(A,), (B,), lambda: settings.update(mode="eval"), (A,), lambda: settings.update(mode="none"), (A,)],
        graphs=3,
        captured=2,
    ),
    Row("match on a shape", match_on_shape, [(A,), (floats(2, 5),), (B,), (floats(5, 4),), (floats(3),)], graphs=4),
    Row(
        "match on classes",
        match_on_classes,
        [(A, [Scale(2.0), Shift(1.0)]), (B, [Scale(3.0), Shift(0.5)]), (A, [Shift(1.0, True)])],
        graphs=2,
        captured=3,
    ),
    Row(
        "match on mappings and sequences",
        match_on_a_mapping,
        [(A, {"kind": "scale", "by": 2.0}), (B, {"kind": "scale", "by": 3.0}), (A, {"kind": "x"}), (A, [2, 3]), (A, 4)],
        graphs=4,
    ),
    Row("try with default", try_with_default, [(A,), (B,), lambda: settings.update(scale=4.0), (A,), (A,)], captured=2),
    Row("try, else, finally", try_else_finally, [(A,), (B,), (floats(3, 3),), (A,)], breaks=2, wanted=(2, 0)),
    Row("error of one's own", error_of_ones_own, [(A,), (B,), (A,)], graphs=2, captured=1),
    Row("raise from", error_chained, [(A,), lambda: settings.update(missing=2.0), (A,), (B,)]),
    Row("except and raise", error_caught_and_raised, [(A, "depth"), (A, "none"), (B, "depth")]),
    Row("assert on a shape", assert_on_shape, [(A,), (B,), (floats(2, 3),), (A,)], graphs=2, captured=1),
    Row("assert on values", assert_on_values, [(A,), (B,), (A * 9,), (A,)]),
    Row("raise on values", raise_on_values, [(A,), (B,), (A * 9,), (A,)]),
    Row("contextmanager", own_context_manager, [(A,), (B,), (A,)]),
    Row(
        "class with __enter__",
        class_context_manager,
        [(A,), (B,), lambda: settings.update(absent=2.0), (A,), (A,)],
        graphs=2,
        breaks=2,
        wanted=(2, 0),
    ),
    Row("nullcontext", null_context, [(A,), (B,), debugging, (A,), (A,)], graphs=2),
    Row("ExitStack", exit_stack, [(A,), (B,), (A,)], graphs=0, breaks=2, wanted=(1, 0)),
    Row("suppress", suppressed, [(A,), (B,), lambda: settings.update(absent=2.0), (A,), (A,)], captured=2),
    Row("lock", with_a_lock, [(A,), (B,), (A,)], graphs=4, breaks=3, wanted=(2, 1)),
    Row("no_grad", no_grad, [(A,), (B,), (A,)], graphs=3, breaks=2, wanted=(1, 0)),
    Row("conditional expression", conditional_expression, [(A, True), (B, True), (A, False)], graphs=3),
    Row("if on a Tensor", condition_on_a_tensor, [(A,), (A + 1,), (A - 5,), (B,)]),
    Row("if on a Tensor with variables", branches_with_effects, [(A,), (A + 1,), (B - 1,)], graphs=3, breaks=1),
    Row("and, or, not", and_or_not, [(A,), (B,), (A, A), (A, B), call(A, mask=A)], graphs=4),
    Row("bool of a Tensor", bool_of_a_tensor, [(A,), (-B * 0,), (A * 999,)]),
    Row("check for nan", nan_check, [(A,), (A / 0,), (B,), (A * float("nan"),)], graphs=3, breaks=1),
    Row("debug by a global", mode_by_global, [(A,), (B,), debugging, (A,), (A,)], graphs=2),
    Row("dispatch by dtype", type_dispatch, [(A,), (ints(2, 4),), (B,), (Tensor([True]),)], graphs=3, captured=2),
    Row("NotImplementedError", not_implemented, [(A,), (A, "linear"), (A, "cubic"), (B,)], graphs=3, captured=2),
    Row("validated arguments", validated, [(A, 2), (B, 3), (A, 5), (A, 0.5), (A, 2)], graphs=3, captured=1),
    Row("try around values", rescued_values, [(A,), (A * 9,), (B,)]),
]
