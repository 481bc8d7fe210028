"""Objects of classes of one's own: properties, inheritance, descriptors, slots, operators, protocols, counters."""

import abc
import functools
from typing import Generic, Protocol, TypeVar, runtime_checkable

from idiom import Row, floats, jit

from emberjit import Tensor, ops

A, B = floats(2, 4), floats(3, 4)
T = TypeVar("T")


class Scaler:
    instances = 0
    default = 2.0

    def __init__(self, scale, name="scaler"):
        type(self).instances += 1
        self._scale = scale
        self.name = name
        self.calls = 0

    @property
    def scale(self):
        return self._scale

    @scale.setter
    def scale(self, value):
        if value <= 0:
            raise ValueError(f"scale must be positive, not {value}")
        self._scale = value

    @classmethod
    def standard(cls):
        return cls(cls.default)

    @staticmethod
    def shifted(x, by):
        return x + by

    def __call__(self, x):
        self.calls += 1
        return self.shifted(x * self.scale, 1.0)


class Named(Scaler):
    default = 3.0

    def __init__(self, scale):
        super().__init__(scale, name="named")

    def __call__(self, x):
        return super().__call__(x) - 1


class Layer(abc.ABC):
    @property
    @abc.abstractmethod
    def width(self): ...

    @abc.abstractmethod
    def forward(self, x): ...

    def __call__(self, x):
        return self.forward(x) / self.width


class Relu(Layer):
    width = 4

    def forward(self, x):
        return ops.relu(x)


class Double(Layer):
    @functools.cached_property
    def width(self):
        return 2 * 2

    def forward(self, x):
        return x * 2


class Positive:
    """A descriptor."""

    def __set_name__(self, owner, name):
        self.field = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.field)

    def __set__(self, obj, value):
        if value < 0:
            raise ValueError(f"{self.field[1:]} must be positive")
        setattr(obj, self.field, value)


class Ranged:
    low = Positive()
    high = Positive()

    def __init__(self, low, high):
        self.low, self.high = low, high


class Slotted:
    __slots__ = ("count", "scale")

    def __init__(self, scale):
        self.scale, self.count = scale, 0

    def step(self, x):
        self.count += 1
        return x * self.scale


class Vector:
    def __init__(self, *parts):
        self.parts = parts

    def __add__(self, other):
        return Vector(*(a + b for a, b in zip(self.parts, other.parts)))

    def __mul__(self, by):
        return Vector(*(p * by for p in self.parts))

    __rmul__ = __mul__

    def __getitem__(self, i):
        return self.parts[i]

    def __len__(self):
        return len(self.parts)

    def __iter__(self):
        return iter(self.parts)

    def __contains__(self, n):
        return n in self.parts

    def __eq__(self, other):
        return isinstance(other, Vector) and self.parts == other.parts

    def __hash__(self):
        return hash(self.parts)

    def __bool__(self):
        return len(self.parts) > 0

    def __repr__(self):
        return f"Vector{self.parts}"


class Rows:
    def __init__(self, count):
        self.count = count

    def __format__(self, spec):
        return f"{self.count} rows"


class Lazy:
    def __init__(self):
        self.known = {"scale": 2.0}

    def __getattr__(self, name):
        if name in self.known:
            return self.known[name]
        raise AttributeError(name)


class Registry:
    items = {}

    @classmethod
    def register(cls, name):
        def add(function):
            cls.items[name] = function
            return function

        return add


@Registry.register("double")
def double(x):
    return x * 2


@Registry.register("square")
def square(x):
    return x * x


class Logs:
    def describe(self):
        return f"{type(self).__name__}({self.scale})"


class Shifts:
    def apply(self, x):
        return x + 1


class Mixed(Logs, Shifts):
    scale = 2.0

    def apply(self, x):
        return super().apply(x) * self.scale


@runtime_checkable
class HasApply(Protocol):
    def apply(self, x): ...


class Box(Generic[T]):
    def __init__(self, value: T):
        self.value = value

    def map(self, f) -> "Box[T]":
        return Box(f(self.value))


BoxOfTensor = Box[Tensor]


class Meter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.total, self.count, self.history = 0.0, 0, []

    def update(self, value, n=1):
        self.total += value * n
        self.count += n
        self.history.append(n)

    @property
    def average(self):
        return self.total / max(self.count, 1)


class Single:
    _instance = None
    gain = 2.0

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance


class Chain:
    def __init__(self, x):
        self.x = x

    def scale(self, by):
        self.x = self.x * by
        return self

    def shift(self, by):
        self.x = self.x + by
        return self


class Stateful:
    def __init__(self):
        self.scale, self.cache = 2.0, {}

    @jit
    def method(self, x):
        return x * self.scale

    @jit
    def keeps_last(self, x):
        self.last = x * self.scale
        self.count = getattr(self, "count", 0) + 1
        return self.last

    @jit
    def cached_by_width(self, x):
        width = x.shape[1]
        if width not in self.cache:
            self.cache[width] = ops.arange(width)
        return x + self.cache[width]


scaler, named, relu, twice = Scaler(2.0), Named(3.0), Relu(), Double()
ranged, slotted, lazy, mixed, meter, stateful = Ranged(0.25, 0.5), Slotted(2.0), Lazy(), Mixed(), Meter(), Stateful()


@jit
def property_read(x):
    return x * scaler.scale


@jit
def property_set(x, scale):
    scaler.scale = scale
    return x * scaler.scale


@jit
def called_object(x):
    return scaler(x)


@jit
def inherited_call(x):
    return named(x)


@jit
def class_method(x):
    made = Named.standard()
    return made(x) + Named.shifted(x, 2.0)


@jit
def class_attribute(x):
    return x * type(scaler).default + Scaler.default


@jit
def abstract_bases(x):
    for layer in (relu, twice):
        x = layer(x)
    return x


@jit
def descriptor_read(x):
    return x.clamp(-ranged.low, ranged.high)


@jit
def descriptor_refuses(x, value):
    ranged.low = value
    return x * ranged.low


@jit
def slots(x):
    return slotted.step(x)


@jit
def operators(x):
    v = Vector(x, x + 1) + 2 * Vector(x, x)
    first, second = v
    return first + second * len(v) + v[0] if v else x


@jit
def equality_and_hash(x):
    table = {Vector(1, 2): 3.0}
    return x * table[Vector(1, 2)] + (Vector(1) == Vector(1)) + (1 in Vector(1, 2))


@jit
def repr_of_an_object(x):
    print(Vector(1, 2), f"{Vector(3)!r:>12}")
    return x * 2


@jit
def own_format(x):
    try:
        text = f"{Rows(x.shape[0]):>8}"
    except TypeError as error:
        text = f"none: {error}"
    return x * 2, text


@jit
def missing_attribute(x):
    return x * lazy.scale + getattr(lazy, "shift", 1.0) + hasattr(lazy, "other")


@jit
def registry(x, name):
    return Registry.items[name](x)


@jit
def mixins(x):
    assert mixed.describe() == "Mixed(2.0)"
    return mixed.apply(x)


@jit
def protocol_checked(x):
    return mixed.apply(x) if isinstance(mixed, HasApply) else x


@jit
def generic_box(x):
    return BoxOfTensor(x).map(ops.relu).map(lambda y: y + 1).value


@jit
def meter_of_counts(x):
    meter.update(x.shape[0] * 0.5, n=x.shape[0])
    return x * meter.average


@jit
def meter_of_losses(x):
    loss = (x * x).mean()
    meter.update(loss.item())
    return loss


@jit
def singleton(x):
    return x * Single().gain


@jit
def chained_methods(x):
    return Chain(x).scale(2).shift(1).scale(0.5).x


@jit
def dispatch_by_class(x, item):
    if isinstance(item, int | float):
        return x * item
    if isinstance(item, (list, tuple)):
        return x * sum(item)
    if isinstance(item, Tensor):
        return x + item
    return x if item is None else x * len(item)


@jit
def setattr_in_a_loop(x):
    for i, name in enumerate(("first", "second")):
        setattr(scaler, name, i)
    return x * scaler.second


@jit
def del_attribute(x):
    scaler.temporary = 3.0
    y = x * scaler.temporary
    del scaler.temporary
    return y


@jit
def class_counter(x):
    Scaler(1.0)
    return x * 2


@jit
def local_class(x):
    class Local:
        gain = 3.0

        def apply(self, x):
            return x * self.gain

    return Local().apply(x)


ROWS = [
    Row("property", property_read, [(A,), (B,), lambda: setattr(scaler, "scale", 3.0), (A,), (B,)], captured=2),
    Row("property setter", property_set, [(A, 2.0), (B, 3.0), (A, 4.0), (A, -1.0)], graphs=2, captured=1),
    Row(
        "__call__ with a counter", called_object, [(A,), (B,), (A,), lambda: setattr(scaler, "calls", 10), (A,)], captured=2
    ),
    Row("super().__call__", inherited_call, [(A,), (B,), (A,)], captured=2),
    Row("class method and static method", class_method, [(A,), (B,), (A,)], graphs=3, breaks=2, wanted=(1, 0)),
    Row("class attribute", class_attribute, [(A,), (B,), lambda: setattr(Scaler, "default", 5.0), (A,), (B,)], graphs=2),
    Row("abstract base class", abstract_bases, [(A,), (B,), (A,)], graphs=3, breaks=2, wanted=(1, 0)),
    Row("descriptor", descriptor_read, [(A,), (B,), lambda: setattr(ranged, "high", 0.75), (A,), (B,)], captured=2),
    Row("descriptor that refuses", descriptor_refuses, [(A, 0.5), (B, 0.25), (A, -1.0), (A, 1.0)], graphs=2, captured=1),
    Row(
        "__slots__",
        slots,
        [(A,), (B,), (A,), lambda: setattr(slotted, "scale", 3.0), (A,)],
        graphs=2,
        breaks=1,
        wanted=(1, 0),
    ),
    Row("operators of a class", operators, [(A,), (B,), (A,)]),
    Row("__eq__ and __hash__", equality_and_hash, [(A,), (B,), (A,)]),
    Row("__repr__ in a print", repr_of_an_object, [(A,), (B,), (A,)]),
    Row("__format__ in a try", own_format, [(A,), (B,), (A,)], graphs=2, wanted=(1, 0)),
    Row(
        "__getattr__ and getattr with default",
        missing_attribute,
        [(A,), (B,), lambda: lazy.known.update(shift=2.0), (A,)],
        captured=2,
    ),
    Row("registry of functions", registry, [(A, "double"), (B, "double"), (A, "square"), (B, "square")], graphs=2),
    Row("mixins", mixins, [(A,), (B,), (A,)]),
    Row("runtime_checkable protocol", protocol_checked, [(A,), (B,), (A,)]),
    Row("generic class", generic_box, [(A,), (B,), (A,)], graphs=4, breaks=2, wanted=(1, 0)),
    Row("meter of counts", meter_of_counts, [(A,), (B,), (A,), (A,)], captured=2),
    Row("meter of losses", meter_of_losses, [(A,), (B,), (A,), (A,)], captured=2),
    Row("singleton by __new__", singleton, [(A,), (B,), (A,)], graphs=2, breaks=2, wanted=(1, 0)),
    Row("chained methods", chained_methods, [(A,), (B,), (A,)]),
    Row(
        "isinstance dispatch",
        dispatch_by_class,
        [(A, 2), (A, 3), (A, 0.5), (A, [1, 2]), (A, A), (A, None), (B, 4)],
        graphs=5,
    ),
    Row("setattr in a loop", setattr_in_a_loop, [(A,), (B,), (A,)]),
    Row("del of an attribute", del_attribute, [(A,), (B,), (A,)], one_thread=True),
    Row("class-level counter", class_counter, [(A,), (B,), (A,)], graphs=2, breaks=1, wanted=(1, 0)),
    Row("class made inside", local_class, [(A,), (B,), (A,)], graphs=4, breaks=2, wanted=(1, 0)),
    Row("jitted method", stateful.method, [(A,), (B,), lambda: setattr(stateful, "scale", 3.0), (A,), (B,)], captured=2),
    Row("method that keeps its result", stateful.keeps_last, [(A,), (B,), (A,), (A,)], captured=2),
    Row("cache by width", stateful.cached_by_width, [(A,), (B,), (floats(2, 3),), (A,), (floats(2, 3),)], graphs=4),
]
