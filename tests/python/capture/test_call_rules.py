"""What captured code may do while it is captured: what reads or changes the world outside happens once in every call, in
order, and what was read is guarded."""

import collections
import contextlib
import io
import logging
import os
import queue
import sys
import threading
import time
import uuid

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

MODES = ["ast", "bytecode"]


def x():
    return Tensor(np.array([1.0, 2.0, 3.0], np.float32))


def told(values):
    return [v.asnumpy().tolist() if isinstance(v, Tensor) else v for v in values]


def compare(make, calls=4, mode="ast", between=None):
    """Calls of what make() returns, eagerly and jitted: results and what it logs."""

    def run(wrap):
        function, log = make()
        function = wrap(function)
        results = []
        for i in range(calls):
            results.append(function(x()))
            if between is not None:
                between(function, i)
        return told(results), list(log)

    assert run(lambda f: ms.jit(f, capture_mode=mode)) == run(lambda f: f)


def fill_array():
    a = np.zeros(2)

    def f(x):
        a.fill(a[0] + 1)
        return x * float(a[0])

    return f, a


def into_array():
    a = np.zeros(2)

    def f(x):
        np.add(a, 1, out=a)
        return x * float(a[0])

    return f, a


def shared_memory():
    seen = []

    def f(x):
        y = x.asnumpy().copy()
        a = y
        a[:] += 1
        seen.append(float(a.sum()))
        return float(a.sum())

    return f, seen


def set_attribute():
    class Box:
        n = 0

    box, log = Box(), []

    def f(x):
        box.n = box.n + 1
        log.append(box.n)
        return x * box.n

    return f, log


def default_dict():
    d = collections.defaultdict(list)

    def f(x):
        d["a"].append(1)
        return x * len(d["a"])

    return f, d


def generator_effects():
    log = []

    def values(x):
        log.append("a")
        yield x
        log.append("b")
        yield x * 2
        log.append("c")

    def f(x):
        total = 0
        for v in values(x):
            log.append("v")
            total = total + v
        return total

    return f, log


def context_manager_effects():
    log = []

    @contextlib.contextmanager
    def manager():
        log.append("in")
        yield 3
        log.append("out")

    def f(x):
        with manager() as n:
            log.append("body")
            return x * n

    return f, log


def sent_to():
    log = []

    def adds():
        total = 0
        while True:
            value = yield total
            if value is None:
                log.append("stop")
                return
            total += value
            log.append(total)

    def f(x):
        g = adds()
        next(g)
        return x * (g.send(1) + g.send(2))

    return f, log


def with_lock():
    lock, log = threading.Lock(), []

    def f(x):
        with lock:
            log.append(lock.locked())
            y = x * 2
        log.append(lock.locked())
        return y

    return f, log


def queues():
    q = queue.Queue()
    log = []

    def f(x):
        q.put(len(log))
        log.append(q.get())
        return x * len(log)

    return f, log


def environment():
    os.environ["CALL_RULES_TEXT"] = ""
    log = []

    def f(x):
        os.environ["CALL_RULES_TEXT"] += "a"
        log.append(os.environ.get("CALL_RULES_TEXT"))
        return x * len(os.environ["CALL_RULES_TEXT"])

    return f, log


def written_parameter():
    p = Parameter(Tensor(np.ones(3, np.float32)), name="p")
    log = []

    def f(x):
        ops.assign_add(p, x)
        log.append(float(p.asnumpy().sum()))
        return float(p.asnumpy().sum())

    return f, log


def replaced_parameter():
    p = Parameter(Tensor(np.ones(3, np.float32)), name="p")

    def f(x):
        p.set_data(p + x)
        return p * 2

    return f, []


def set_by_object():
    class Box:
        n = 0

    box, log = Box(), []

    def f(x):
        object.__setattr__(box, "n", box.n + 1)
        log.append(box.n)
        return x * box.n

    return f, log


def counted_on_the_function():
    log = []

    def f(x):
        f.calls = getattr(f, "calls", 0) + 1
        log.append(f.calls)
        return x * f.calls

    return f, log


_GROUPS = """
def f(x):
    try:
        raise ExceptionGroup("several", [ValueError(1), KeyError(2)])
    except* ValueError as group:
        log.append(len(group.exceptions))
    except* KeyError:
        log.append("key")
    return x
"""


def exception_groups():
    found = {"log": []}
    exec(compile(_GROUPS, __file__, "exec"), found)
    return found["f"], found["log"]


EFFECTS = [
    counted_on_the_function,
    exception_groups,
    fill_array,
    into_array,
    shared_memory,
    set_attribute,
    default_dict,
    generator_effects,
    context_manager_effects,
    sent_to,
    with_lock,
    queues,
    environment,
    written_parameter,
    replaced_parameter,
    set_by_object,
]


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("make", EFFECTS, ids=lambda f: f.__name__)
def test_effects_happen_once_in_every_call(make, mode):
    compare(make, mode=mode)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "read",
    [
        lambda: float(np.random.rand()),
        lambda: float(np.random.default_rng().random()),
        lambda: uuid.uuid4().int % 1000003,
        lambda: time.perf_counter(),
        lambda: threading.get_ident() + time.monotonic_ns(),
    ],
    ids=["np.random", "default_rng", "uuid", "time", "monotonic"],
)
def test_what_differs_from_call_to_call_is_asked_each_time(read, mode):
    f = ms.jit(lambda x: (x, read()), capture_mode=mode)
    assert len({f(x())[1] for _ in range(4)}) == 4


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
def test_logging_files_and_sleep_act_in_every_call(mode, tmp_path, caplog):
    path = tmp_path / "log.txt"

    def f(x):
        logging.getLogger("emberjit.test").warning("said")
        with open(path, "a") as out:
            out.write("x")
        time.sleep(0.002)
        return x * os.path.getsize(path)

    g = ms.jit(f, capture_mode=mode)
    start = time.perf_counter()
    got = [float(g(x())[0]) for _ in range(4)]
    assert got == [1, 2, 3, 4]
    assert len(caplog.records) == 4
    assert time.perf_counter() - start > 0.008


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
def test_print_goes_where_python_prints(mode):
    def f(x):
        print("said", x[0])
        return x * 2

    g = ms.jit(f, capture_mode=mode)
    for _ in range(3):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            g(x())
        assert out.getvalue() == "said 1.0\n"


def _generator_body():
    state = {"k": 2.0}

    def values(x):
        yield x * state["k"]

    return lambda x: sum(values(x)), lambda: state.update(k=5.0)


def _generator_of_a_class():
    class Values:
        k = 2.0

        def __iter__(self):
            yield self.k

    values = Values()
    return lambda x: x * sum(values), lambda: setattr(Values, "k", 5.0)


def _default_of_an_operator():
    class Scale:
        def __getitem__(self, i, k=2.0):
            return i * k

    scale = Scale()
    return lambda x: x * scale[1], lambda: setattr(Scale.__getitem__, "__defaults__", (5.0,))


def _dunder():
    class Config:
        def __init__(self):
            self.d = {"k": 2.0}

        def __getitem__(self, key):
            return self.d[key]

        def __len__(self):
            return len(self.d)

    config = Config()

    def change():
        config.d["k"] = 5.0
        config.d["other"] = 1

    return lambda x: x * config["k"] + len(config), change


def _user_dict():
    d = collections.UserDict(k=2.0)
    return lambda x: x * d["k"], lambda: d.update(k=5.0)


def _genexpr_over_closure():
    values = [1.0, 2.0]
    return lambda x: sum(x * v for v in values), lambda: values.append(7.0)


def _star():
    values = [1.0, 2.0]

    def add(*items):
        return items[-1] * len(items)

    return lambda x: x * add(*values), lambda: values.append(7.0)


class _A:
    def m(self, x):
        return x * 2


class _B(_A):
    def m(self, x):
        return x * 3


def _shadowed_method():
    a = _A()
    return lambda x: a.m(x), lambda: setattr(a, "m", lambda x: x * 6)


def _other_class():
    a = _A()
    return lambda x: a.m(x), lambda: setattr(a, "__class__", _B)


def _construct_replaced():
    class Net(nn.Cell):
        def construct(self, x):
            return x * 2

    net = Net()
    return lambda x: net(x), lambda: setattr(Net, "construct", lambda self, x: x * 9)


def _code_replaced():
    def g(x, k=2.0):
        return x * k

    def change():
        g.__code__ = (lambda x, k: x * k + 1).__code__

    return lambda x: g(x), change


def _defaults_replaced():
    def g(x, k=2.0):
        return x * k

    def change():
        g.__defaults__ = (5.0,)

    return lambda x: g(x), change


def _own_code_replaced():
    def g(x):
        return x * 2

    def change():
        g.__code__ = (lambda x: x * 7).__code__

    return g, change


def _got_attribute():
    class Box:
        k = 2.0

    box = Box()
    return lambda x: x * getattr(box, "k") * getattr(box, "other", 1.0), lambda: setattr(box, "other", 4.0)


def _looked_for_attribute():
    class Box:
        pass

    box = Box()
    return lambda x: x * 2 if hasattr(box, "k") else x * 3, lambda: setattr(box, "k", 1)


def _outside_elements():
    t = Tensor(np.array([2.0], np.float32))
    return lambda x: x * float(t.asnumpy()[0]), lambda: t.__setitem__(0, 5.0)


CHANGES = [
    _generator_body,
    _generator_of_a_class,
    _default_of_an_operator,
    _dunder,
    _user_dict,
    _genexpr_over_closure,
    _star,
    _shadowed_method,
    _other_class,
    _construct_replaced,
    _code_replaced,
    _defaults_replaced,
    _own_code_replaced,
    _got_attribute,
    _looked_for_attribute,
    _outside_elements,
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("make", CHANGES, ids=lambda f: f.__name__)
def test_what_was_read_is_guarded(make, mode):
    plain, change = make()
    before = plain(x()).asnumpy()
    f = ms.jit(plain, capture_mode=mode, fullgraph=True)
    for _ in range(3):
        np.testing.assert_array_equal(f(x()).asnumpy(), before)
    change()
    after = plain(x()).asnumpy()
    assert not np.array_equal(before, after)
    np.testing.assert_array_equal(f(x()).asnumpy(), after)


@pytest.mark.parametrize("mode", MODES)
def test_a_parameters_elements_are_no_constants(mode):
    p = Parameter(Tensor(np.array([2.0, 3.0], np.float32)), name="p")
    f = ms.jit(lambda x: x * float(p[0]), capture_mode=mode)
    assert f(x()).asnumpy().tolist() == [2, 4, 6]
    p.set_data(Tensor(np.array([5.0, 3.0], np.float32)))
    assert f(x()).asnumpy().tolist() == [5, 10, 15]


@pytest.mark.parametrize("mode", MODES)
def test_generators_of_all_kinds_enter_graphs(mode):
    def inner(x):
        got = yield x
        if got is not None:
            yield x * got
        return x + 1

    def outer(x):
        last = yield from inner(x)
        yield last
        try:
            yield x * 3
        except ValueError as error:
            yield x * len(error.args)
        finally:
            yield x * 4

    def f(x):
        g = outer(x)
        values = [next(g), g.send(5.0), next(g), next(g), g.throw(ValueError(1, 2)), next(g)]
        return sum(values) + sum(v for v in outer(x)) + next(inner(x), None)

    got = ms.jit(f, capture_mode=mode, fullgraph=True)(x())
    np.testing.assert_array_equal(got.asnumpy(), f(x()).asnumpy())


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
def test_imports_and_finalisers_are_pythons_own(mode, monkeypatch):
    seen = []

    class Finder:
        def find_spec(self, name, path=None, target=None):
            seen.append(name)

    class Dropped:
        def __del__(self):
            seen.append("dropped")

    held = [Dropped()]
    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])

    def f(x):
        import emberjit_is_not_this as missing

        return x * missing.K

    def g(x):
        return sum(map(lambda v: v * 2, [x, x]))

    with pytest.raises(ModuleNotFoundError):
        ms.jit(f, capture_mode=mode)(x())
    assert "emberjit_is_not_this" in seen
    held.clear()
    assert ms.jit(g, capture_mode=mode)(x()).asnumpy().tolist() == [4, 8, 12]
    assert "dropped" in seen
