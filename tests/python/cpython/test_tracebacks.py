"""An error is the user's own, captured or not: type, arguments, notes, causes, contexts, groups, and of each the traceback
of the user's lines, without a frame of emberjit's."""

from __future__ import annotations

import builtins
import contextlib
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import emberjit as ms
from emberjit import Tensor

X = Tensor([1.0, 2.0])


Group: Any = getattr(builtins, "ExceptionGroup", None)  # of Python 3.11


class Own(Exception):
    def __init__(self, *args: Any, code: int = 3):
        super().__init__(*args)
        self.code = code


def raises(x):
    raise Own("a", 3)


def in_a_call(x):
    y = x + 1
    raises(y)


def from_another(x):
    try:
        raises(x)
    except Own as error:
        raise ValueError("b") from error


def while_handling(x):
    try:
        raises(x)
    except Own:
        raise KeyError("k")  # noqa: B904


def from_none(x):
    try:
        raises(x)
    except Own:
        raise IndexError from None


def raised_again(x):
    try:
        raises(x)
    except Own:
        raise


def raises_again(x):
    if x is not None:
        raise  # noqa: PLE0704


def raised_again_by_a_callee(x):
    try:
        raises(x)
    except Own:
        raises_again(x)


def raised_again_by_a_callee_after_a_break(x):
    try:
        raises(x)
    except Own:
        print(end="")
        raises_again(x)


def with_notes(x):
    error = Own("n")
    error.add_note("a note")
    raise error


def from_one_that_was_caught(x):
    try:
        raise TypeError("t")
    except TypeError as caught:
        kept = caught
    raise Own("k") from kept


def three_deep(x):
    try:
        try:
            from_another(x)
        finally:
            raise KeyError("2")
    finally:
        raise IndexError("3")


def of_a_group(x):
    raise Group("g", [ValueError(1), KeyError(2)])


class Leaving:
    def __enter__(self) -> None: ...

    def __exit__(self, *_: Any) -> None:
        raise Own("exit")


def by_a_context(x):
    with Leaving():
        raise ValueError("in")


@contextlib.contextmanager
def managed() -> Iterator[None]:
    yield
    raise Own("managed")


def by_a_manager(x):
    with managed():
        x = x + 1
    return x


def in_a_comprehension(x):
    return [raises(x) for _ in range(2)]


def in_a_generator(x):
    def items():
        yield x
        raise Own("gen")

    return list(items())


def in_a_callback(x):
    return sorted([3, 1], key=lambda value: value.nope)


def by_an_op(x):
    return x.reshape((7,))


def by_an_attribute(x):
    return x.nope


def by_an_op_while_handling(x):
    try:
        1 / 0
    except ZeroDivisionError:
        return x.reshape((7,))


def under_a_condition(x):
    if x.sum() > 0:
        raise Own("graph", x.shape)
    return x


def under_a_condition_while_handling(x):
    try:
        1 / 0
    except ZeroDivisionError:
        if x.sum() > 0:
            raise Own("graph")  # noqa: B904
    return x


def without_an_error(x):
    raise  # noqa: PLE0704


def of_no_error(x):
    raise 5  # noqa: B016


def from_no_error(x):
    raise Own("a") from 5


def after_a_break(x):
    print(end="")
    y = x + 1
    from_another(y)


def kept_across_a_break(x):
    try:
        raises(x)
    except Own as caught:
        kept = caught
    print(end="")
    raise kept


FUNCTIONS = [
    value
    for name, value in list(globals().items())
    if callable(value) and getattr(value, "__code__", None) and name != "managed"
]


def told(error: BaseException | None, depth: int = 0) -> Any:
    """All that there is to see of an error."""
    if error is None or depth > 8:
        return None
    lines = [(frame.f_code.co_name, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    return (
        type(error),
        error.args if not hasattr(error, "exceptions") else [told(part, depth + 1) for part in error.exceptions],
        vars(error).get("code"),
        getattr(error, "__notes__", None),
        error.__suppress_context__,
        lines[1:] if depth == 0 else lines,
        told(error.__cause__, depth + 1),
        told(error.__context__, depth + 1),
    )


def outcome(function: Callable[..., Any]) -> Any:
    try:
        return function(X)
    except BaseException as error:
        return told(error)


@pytest.mark.breaks
@pytest.mark.parametrize("fullgraph", [False, True])
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_errors_are_the_users_own(function: Callable[..., Any], mode: str, fullgraph: bool) -> None:
    wanted = outcome(function)
    assert isinstance(wanted, tuple)
    jitted = ms.jit(function, capture_mode=mode, fullgraph=fullgraph)
    for _ in range(3):
        got = outcome(jitted)
        if not (fullgraph and issubclass(got[0], ms.CaptureError)):
            assert got == wanted


def tells_what_is_handled(x):
    try:
        raise  # noqa: PLE0704
    except KeyError:
        return x * 2
    except ValueError:
        return x * 3
    except RuntimeError as error:
        return str(error)


def tells_of_each(x):
    told = []
    for kind in (KeyError, ValueError, KeyError):
        try:
            print(end="")
            raise kind
        except Exception:
            told.append(tells_what_is_handled(x))
    return told, tells_what_is_handled(x)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_what_a_caller_handles_may_be_another_error_in_each_call(mode: str) -> None:
    def seen(tells: Callable[..., Any], of_each: Callable[..., Any]) -> str:
        found = []
        for error in (KeyError(1), ValueError(2), KeyError(3)):
            try:
                raise error
            except Exception:
                found.append(tells(X))
            found += [tells(X), of_each(X), len(traceback.extract_tb(error.__traceback__))]
        return str(found)

    wanted = seen(tells_what_is_handled, tells_of_each)
    assert seen(*(ms.jit(f, capture_mode=mode) for f in (tells_what_is_handled, tells_of_each))) == wanted


def reads_a_traceback(x):
    try:
        raises(x)
    except Own as error:
        return error.__traceback__.tb_lineno - reads_a_traceback.__code__.co_firstlineno


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_a_traceback_that_is_read_is_the_users(mode: str) -> None:
    jitted = ms.jit(reads_a_traceback, capture_mode=mode)
    assert [jitted(X) for _ in range(3)] == [2, 2, 2]


CAUGHT: list[BaseException] = []


def keeps_what_it_catches(x):
    y = x + 1
    try:
        raises(y)
    except Own as error:
        CAUGHT.append(error)
    return y


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_an_error_that_is_kept_has_its_traceback(mode: str) -> None:
    functions = (keeps_what_it_catches, *[ms.jit(keeps_what_it_catches, capture_mode=mode)] * 3)
    lines = []
    for function in functions:
        function(X)
        lines.append([(frame.f_code.co_name, line) for frame, line in traceback.walk_tb(CAUGHT.pop().__traceback__)])
    assert len(lines[0]) == 2
    assert lines == lines[:1] * 4


def test_limits_are_capture_errors() -> None:
    assert "CaptureError" in ms.__all__ and "limit of emberjit" in ms.CaptureError.__doc__
    assert not issubclass(ms.CaptureError, (TypeError, ValueError, RuntimeError))
    with pytest.raises(ms.CaptureError, match="asnumpy"):
        ms.jit(lambda x: x.asnumpy(), fullgraph=True)(X)
