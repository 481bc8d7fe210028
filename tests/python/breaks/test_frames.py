"""What goes on across the instructions that Python runs between graphs: generators that are half through, exceptions with
their tracebacks, contexts and `finally`, recursion. Each function does, raises and shows what it does in Python."""

from __future__ import annotations

import contextlib
import inspect
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

import pytest
from test_breaks import LOG
from values import array, plain

import emberjit as ms

pytestmark = pytest.mark.breaks


def total(t):
    return float((t * 2 + 1).sum())


def notes(t):
    LOG.append("begin")
    try:
        for i in range(4):
            got = yield t * i
            LOG.append(got)
    except ValueError as error:
        LOG.append(str(error))
        yield t * 100
    finally:
        LOG.append("finally")


class Manager:
    def __init__(self, swallows):
        self.swallows = swallows

    def __enter__(self):
        LOG.append("enter")
        return self

    def __exit__(self, kind, error, trace):
        LOG.append((kind, trace and trace.tb_lineno))
        return self.swallows


# Generators --------------------------------------------------------------------------------------------------------


def is_half_through(x, n):
    made = notes(x)
    a = next(made)
    LOG.append("break")
    b = next(made)
    c = made.send(5)
    print(end="")
    return a, b, c, list(made)


def is_thrown_into(x, n):
    made = notes(x)
    a = next(made)
    LOG.append("break")
    b = made.throw(ValueError("thrown"))
    LOG.append("break")
    with contextlib.suppress(StopIteration):
        made.send(None)
    return a, b


def lets_out_what_is_thrown(x, n):
    made = notes(x)
    next(made)
    LOG.append("break")
    made.throw(KeyError("out"))


def is_closed(x, n):
    made = notes(x)
    a = next(made)
    LOG.append("break")
    made.close()
    LOG.append("closed")
    return a


def is_dropped(x, n):
    made, unbegun = notes(x), notes(x)
    a = next(made)
    LOG.append("break")
    made = unbegun = None
    LOG.append(made is unbegun)
    return a


def delegates(x, n):
    def inner(t):
        got = yield t
        LOG.append(got)
        return got * 2

    def outer(t):
        result = yield from inner(t + 1)
        LOG.append(result)
        yield result
        return 7

    made = outer(x)
    a = next(made)
    LOG.append("break")
    b = made.send(x * 3)
    try:
        next(made)
    except StopIteration as stop:
        return a, b, stop.value


def breaks_within(x, n):
    def doubles(t):
        for _ in range(3):
            print(end="")
            t = t * 2
            yield t

    found = x
    for t in doubles(x):
        LOG.append("break")
        found = found + t
    return found


def shares_a_variable(x, n):
    count = 0

    def counts():
        nonlocal count
        while count < 3:
            count += 1
            yield x * count

    made = counts()
    a = next(made)
    LOG.append(count)
    b = next(made)
    return a, b, count, list(made)


def fails_within(x, n):
    def fails():
        yield x
        raise StopIteration("no stop")  # noqa: PLR1708

    for t in fails():
        LOG.append(t)


def enters_itself(x, n):
    def enters():
        yield x
        yield next(made)

    made = enters()
    a = next(made)
    LOG.append("break")
    try:
        next(made)
    except ValueError as error:
        LOG.append(str(error))
    return a


def shows_its_state(x, n):
    made = notes(x)
    LOG.append(inspect.getgeneratorstate(made))
    a = next(made)
    LOG.append((inspect.getgeneratorstate(made), sorted(made.gi_frame.f_locals), made.gi_frame.f_lineno))
    list(made)
    LOG.append((inspect.getgeneratorstate(made), made.gi_frame))
    return a


def handles_for_itself(x, n):
    def sees():
        LOG.append(repr(sys.exc_info()[1]))
        yield x
        try:
            raise KeyError("in")
        except KeyError:
            yield x * 2
            LOG.append(repr(sys.exc_info()[1]))
        LOG.append(repr(sys.exc_info()[1]))
        yield x * 3

    made = sees()
    try:
        raise ValueError("out")
    except ValueError:
        a = next(made)
    b = next(made)
    LOG.append(repr(sys.exc_info()[1]))
    return a, b, next(made)


def manages_by_a_generator(x, n):
    @contextlib.contextmanager
    def manager():
        LOG.append("in")
        try:
            yield x * 2
        except KeyError:
            LOG.append("swallowed")
        finally:
            LOG.append("out")

    with manager() as t:
        LOG.append("body")
        t = t + 1
        raise KeyError("swallow")
    return t


def sends_to_a_coroutine(x, n):
    async def doubles(t):
        LOG.append("in")
        return t * 2

    made = doubles(x)
    try:
        made.send(None)
    except StopIteration as stop:
        return stop.value


# Exceptions --------------------------------------------------------------------------------------------------------


def fails_in_a_handler(x, n):
    def fails(t):
        LOG.append(repr(sys.exc_info()[1]))
        raise TypeError("inner")

    try:
        LOG.append(x * 2)
        raise KeyError("outer")
    except KeyError:
        LOG.append(x + 1)
        fails(x)


def raises_from(x, n):
    try:
        LOG.append("break")
        raise KeyError("first")
    except KeyError as error:
        raise ValueError("second") from (error if n else None)


def raises_the_handled_one(x, n):
    try:
        LOG.append("break")
        raise KeyError("first")
    except KeyError as error:
        error.add_note("noted")
        LOG.append(str(error))
        x = x * 2
        raise


def raises_nothing(x, n):
    LOG.append(x * 2)
    raise  # noqa: PLE0704


def passes_each_finally(x, n):
    try:
        try:
            LOG.append(x * 2)
            raise KeyError("out")
        finally:
            LOG.append((x * 3, repr(sys.exc_info()[1])))
    finally:
        LOG.append("outer")


def returns_in_finally(x, n):
    try:
        LOG.append("break")
        raise KeyError("lost")
    finally:
        LOG.append("finally")
        return x * 3  # noqa: B012


def fails_in_finally(x, n):
    try:
        LOG.append("break")
        raise KeyError("first")
    finally:
        LOG.append("finally")
        raise ValueError("second")


def leaves_a_loop_by_finally(x, n):
    for i in range(4):
        try:
            LOG.append(i)
            if i == n:
                continue
            if i == 3:
                break
            x = x + i
        finally:
            LOG.append(-i)
            x = x * 2
    return x


def forgets_the_caught_one(x, n):
    error = 1
    try:
        LOG.append("break")
        raise KeyError("out")
    except KeyError as error:
        LOG.append(str(error))
    return error


GROUPS = """
def handles_a_group(x, n):
    try:
        LOG.append("break")
        raise ExceptionGroup("group", [KeyError("k"), ValueError("v"), TypeError("t")][: n + 1])
    except* KeyError as error:
        LOG.append(repr(error))
        x = x * 2
    except* ValueError:
        LOG.append("again")
        raise
    return x
"""
exec(compile(GROUPS, "<groups>", "exec"))


def nests_handlers(x, n):
    try:
        LOG.append("break")
        try:
            raise KeyError(1)
        except KeyError:
            try:
                raise ValueError(2)
            except ValueError:
                LOG.append(repr(sys.exc_info()[1]))
                x = x * 2
            LOG.append(repr(sys.exc_info()[1]))
            raise
    except KeyError as error:
        LOG.append((repr(error.__context__), repr(sys.exc_info()[1])))
    LOG.append(repr(sys.exc_info()[1]))
    return x


def keeps_errors(x, n):
    kept = []
    for i in range(3):
        try:
            LOG.append(x * i)
            raise KeyError(i)
        except KeyError as error:
            kept.append(error)
    try:
        raise kept[0]
    except KeyError as error:
        LOG.append(len(traceback.extract_tb(error.__traceback__)))
    raise kept[1] from kept[2]


def raises_what_its_caller_handles(x):
    LOG.append("break")
    x = x * 2
    LOG.append(x)
    raise  # noqa: PLE0704


def raises_it_within_a_try(x):
    LOG.append("break")
    try:
        raise  # noqa: PLE0704
    finally:
        LOG.append(x * 2)


def lets_a_callee_raise_again(x, n):
    LOG.append("break")
    try:
        {}[n]
    except KeyError:
        (raises_what_its_caller_handles if n % 2 else raises_it_within_a_try)(x)


def has_nothing_to_raise_again(x, n):
    raises_what_its_caller_handles(x)


def tells_managers(x, n):
    with Manager(n % 2 == 1):
        LOG.append(x * 2)
        with Manager(False):
            raise KeyError("out")
    return x


def catches_what_a_callback_raises(x, n):
    def key(t):
        try:
            if total(t) > 8:
                raise ValueError("large")
        finally:
            LOG.append(repr(sys.exc_info()[1]))
        return total(t)

    try:
        raise KeyError("outer")
    except KeyError:
        try:
            return sorted([x, x * 3, x * 9], key=key)
        except ValueError as error:
            LOG.append((str(error), repr(error.__context__)))
            return sorted([x, x * 100], key=key)


def lets_no_exception_class_out(x, n):
    kind = (SystemExit, KeyboardInterrupt, GeneratorExit, StopIteration)[n]
    try:
        LOG.append("break")
        x = x * 2
        raise kind("out")
    except Exception as error:
        LOG.append(repr(error))
        raise
    finally:
        LOG.append("finally")


def raises_a_stop_after_a_break(x, n):
    LOG.append("break")
    raise StopIteration(n)


def fails_on_a_line_of_several(x, n):
    LOG.append("break")
    return max(total(x), int("seven"))


# Recursion ---------------------------------------------------------------------------------------------------------


def descends_with_finally(x, n):
    LOG.append(n)
    if n <= 0:
        return x
    try:
        return descends_with_finally(x * n, n - 1) + 1
    finally:
        LOG.append(-n)


def descends_by_turns(x, n):
    print(end="")
    return x if n == 0 else takes_the_other_turn(x + 1, n - 1)


def takes_the_other_turn(x, n):
    LOG.append(n)
    return x * 10 if n == 0 else descends_by_turns(x * 2, n - 1)


def fails_at_each_level(x, n):
    LOG.append(n)
    try:
        if n == 0:
            raise KeyError("deep")
        fails_at_each_level(x * 2, n - 1)
    except (KeyError, ValueError) as error:
        raise ValueError(n) from error


def generates_deeply(x, n):
    def numbers(k):
        if k:
            yield from numbers(k - 1)
        yield x * k

    LOG.append(n)
    return list(numbers(n))


FUNCTIONS = [f for f in list(globals().values()) if isinstance(f, types.FunctionType)]
FUNCTIONS = [f for f in FUNCTIONS if f.__code__.co_varnames[:2] == ("x", "n")]


def shown(error: BaseException | None, seen: tuple[Any, ...] = ()) -> Any:
    """What is to be seen of an error: where from, and what it goes back to."""
    if error is None or error in seen:
        return error and len(seen)
    seen = (*seen, error)
    lines = [(frame.name, frame.lineno) for frame in traceback.extract_tb(error.__traceback__) if frame.name != "outcome"]
    back = shown(error.__cause__, seen), shown(error.__context__, seen), error.__suppress_context__
    parts = [shown(part, seen) for part in getattr(error, "exceptions", ())]
    return type(error), str(error), getattr(error, "__notes__", None), lines, back, parts


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    LOG.clear()
    try:
        result = plain(function(*args))
    except BaseException as error:
        result = shown(error)
    return result, plain(LOG), sys.exc_info()[0]


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_functions_go_on_as_in_python(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode)
    for i in range(12):
        x = array(i % 3 - 1, 2) if i < 8 else array(1, 2, 3)
        assert outcome(jitted, x, i % 4) == outcome(function, x, i % 4)
