"""Settings: module constants, dicts, dataclasses, enums, named tuples, namespaces, typed dicts; their copies and changes."""

import argparse
import collections
import copy
import dataclasses
import enum
import json
import os
import types
from typing import Any, ClassVar, Final, NamedTuple, TypedDict

from idiom import Row, floats, jit

import emberjit as ms
from emberjit import ops

A, B = floats(2, 4), floats(3, 4)
SCALE: Final = 2.0
EPSILON = 1e-6
SIZES = (2, 4)
config: dict[str, Any] = {"scale": 2.0, "bias": 1.0, "act": "relu", "net": {"depth": 2, "rates": [0.1, 0.2]}, "clip": None}
args = argparse.Namespace(lr=0.1, layers=3, act="relu", amp=False)
plain = types.SimpleNamespace(rate=0.5, on=True)


class Kind(enum.Enum):
    RELU = "relu"
    TANH = "tanh"

    @property
    def function(self):
        return ops.relu if self is Kind.RELU else ops.tanh


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3


class Flags(enum.Flag):
    SCALE = enum.auto()
    SHIFT = enum.auto()


@dataclasses.dataclass
class Options:
    rate: float = 0.1
    kind: Kind = Kind.RELU
    sizes: list[int] = dataclasses.field(default_factory=lambda: [2, 4])
    version: ClassVar[int] = 1

    def scaled(self, by):
        return dataclasses.replace(self, rate=self.rate * by)


@dataclasses.dataclass(frozen=True)
class Fixed:
    gain: float
    offset: float = 0.0

    @property
    def total(self):
        return self.gain + self.offset


@dataclasses.dataclass
class Checked:
    width: int
    heads: int = 2
    head_size: int = dataclasses.field(init=False)

    def __post_init__(self):
        if self.width % self.heads:
            raise ValueError(f"width {self.width} is no multiple of {self.heads}")
        self.head_size = self.width // self.heads


class Point(NamedTuple):
    scale: float
    shift: float = 0.0

    def apply(self, x):
        return x * self.scale + self.shift


class Setup(TypedDict, total=False):
    scale: float
    shift: float


Pair = collections.namedtuple("Pair", ["first", "second"])
options = Options()
fixed = Fixed(2.0, 1.0)
kinds = {"now": Kind.RELU, "level": Level.LOW, "flags": Flags.SCALE}
setup: Setup = {"scale": 2.0}


@jit
def module_constants(x):
    return (x * SCALE + EPSILON).reshape(-1, SIZES[-1])


@jit
def item_of_a_dict(x):
    return x * config["scale"] + config["bias"]


@jit
def nested_dict(x):
    for _ in range(config["net"]["depth"]):
        x = x * config["net"]["rates"][0]
    return x


@jit
def get_with_default(x):
    return x * config.get("scale", 1.0) + config.get("missing", 3.0)


@jit
def key_present(x):
    if "dropout" in config:
        x = x * (1 - config["dropout"])
    return x + 1


@jit
def optional_clip(x):
    clip = config["clip"]
    return x if clip is None else x.clamp(-clip, clip)


@jit
def function_by_name(x):
    return {"relu": ops.relu, "tanh": ops.tanh}[config["act"]](x)


@jit
def getattr_of_a_module(x):
    return getattr(ops, config["act"])(x)


@jit
def merged_dicts(x):
    merged = {**config, "scale": 3.0} | {"bias": 0.5}
    return x * merged["scale"] + merged["bias"]


@jit
def dict_given(x, settings):
    return x * settings["scale"] + settings["shift"]


@jit
def argparse_namespace(x):
    for _ in range(args.layers):
        x = x * args.lr
    return ops.relu(x) if args.act == "relu" else ops.tanh(x)


@jit
def vars_of_a_namespace(x):
    return x * vars(args)["lr"] + len(vars(args))


@jit
def simple_namespace(x):
    return x * plain.rate if plain.on else x


@jit
def enum_member(x):
    return ops.relu(x) if kinds["now"] is Kind.RELU else ops.tanh(x)


@jit
def enum_by_value(x, name):
    return Kind(name).function(x)


@jit
def enum_by_key(x, name):
    return x * (1 if Kind[name] == Kind.RELU else 2)


@jit
def int_enum(x):
    return x * kinds["level"] + (1 if kinds["level"] >= Level.HIGH else 0)


@jit
def flags(x):
    if kinds["flags"] & Flags.SCALE:
        x = x * 2
    if Flags.SHIFT in kinds["flags"]:
        x = x + 1
    return x


@jit
def loop_over_an_enum(x):
    return {kind.name.lower(): kind.function(x) for kind in Kind}


@jit
def dataclass_read(x):
    return options.kind.function(x * options.rate)


@jit
def dataclass_replaced(x):
    return x * options.scaled(2).rate + Options.version


@jit
def dataclass_made_inside(x):
    checked = Checked(x.shape[-1])
    return x.reshape(x.shape[0], checked.heads, checked.head_size)


@jit
def frozen_dataclass_given(x, how):
    return x * how.gain + how.total


@jit
def asdict_of_a_dataclass(x):
    return x * dataclasses.asdict(options)["rate"]


@jit
def fields_of_a_dataclass(x):
    return x * len(dataclasses.fields(options))


@jit
def named_tuple_made(x):
    point = Point(scale=2.0)._replace(shift=0.5)
    return Pair(point.apply(x), second=x.sum())


@jit
def named_tuple_given(point, x):
    scale, shift = point
    return x * scale + shift, point._asdict()


@jit
def typed_dict(x):
    local: Setup = {"scale": setup["scale"]}
    local["shift"] = 1.0
    return x * local["scale"] + local.get("shift", 0.0)


@jit
def deep_copy_changed(x):
    mine = copy.deepcopy(config)
    mine["net"]["rates"].append(0.3)
    mine["scale"] *= 2
    return x * mine["scale"] + len(mine["net"]["rates"])


@jit
def shallow_copy_changed(x):
    mine = copy.copy(options)
    mine.rate = 0.5
    return x * mine.rate + options.rate


@jit
def settings_changed_by_the_call(x, rate):
    config["scale"] = rate
    options.rate = rate * 2
    return x * config["scale"] + options.rate


@jit
def environment_read(x):
    return x * float(os.environ.get("IDIOM_SCALE", "2"))


@jit
def json_both_ways(x):
    return x * json.loads(json.dumps(config))["scale"]


@jit
def dtype_of_settings(x):
    dtype = ms.float16 if args.amp else ms.float32
    return x.astype(dtype)


ROWS = [
    Row("module constants", module_constants, [(A,), (B,), (A,)]),
    Row(
        "dict items",
        item_of_a_dict,
        [
            (A,),
            lambda: config.update(scale=3.0),
            (A,),
            lambda: config.update(scale=4.0),
            (B,),
            lambda: config.update(scale=5.0),
            (A,),
        ],
        captured=2,
    ),
    Row("nested dict", nested_dict, [(A,), (B,), lambda: config["net"].update(depth=3), (A,), (A,)], captured=2),
    Row("dict.get with default", get_with_default, [(A,), (B,), lambda: config.update(missing=4.0), (A,), (A,)], captured=2),
    Row("key in dict", key_present, [(A,), (B,), lambda: config.update(dropout=0.5), (A,), (A,)], captured=2),
    Row("None or a number", optional_clip, [(A,), (A,), lambda: config.update(clip=0.5), (A,), (B,)], graphs=2),
    Row("dict of functions", function_by_name, [(A,), (B,), lambda: config.update(act="tanh"), (A,), (B,)], graphs=2),
    Row("getattr of a module", getattr_of_a_module, [(A,), (B,), lambda: config.update(act="tanh"), (A,), (B,)], graphs=2),
    Row("merged dicts", merged_dicts, [(A,), (B,), lambda: config.update(act="tanh"), (A,)], graphs=2),
    Row(
        "dict among the arguments",
        dict_given,
        [(A, {"scale": 2.0, "shift": 1.0}), (A, {"scale": 3.0, "shift": 1.5}), (B, {"scale": 4.0, "shift": 1.0})],
    ),
    Row("argparse.Namespace", argparse_namespace, [(A,), (B,), lambda: setattr(args, "act", "tanh"), (A,), (A,)], graphs=2),
    Row("vars of a namespace", vars_of_a_namespace, [(A,), (B,), lambda: setattr(args, "more", 1), (A,), (A,)], graphs=2),
    Row("SimpleNamespace", simple_namespace, [(A,), (B,), lambda: setattr(plain, "on", False), (A,), (A,)], graphs=2),
    Row("enum member", enum_member, [(A,), (B,), lambda: kinds.update(now=Kind.TANH), (A,), (B,)], graphs=2),
    Row("enum by value", enum_by_value, [(A, "relu"), (B, "relu"), (A, "tanh"), (A, "none")], graphs=2),
    Row("enum by key", enum_by_key, [(A, "RELU"), (B, "RELU"), (A, "TANH"), (A, "NONE")], graphs=2),
    Row("IntEnum", int_enum, [(A,), (B,), lambda: kinds.update(level=Level.HIGH), (A,), (B,)], graphs=2),
    Row("Flag", flags, [(A,), (B,), lambda: kinds.update(flags=Flags.SCALE | Flags.SHIFT), (A,), (B,)], graphs=2),
    Row("loop over an enum", loop_over_an_enum, [(A,), (B,), (A,)], graphs=0, breaks=2, wanted=(1, 0)),
    Row("dataclass", dataclass_read, [(A,), (B,), lambda: setattr(options, "kind", Kind.TANH), (A,), (B,)], graphs=2),
    Row(
        "dataclasses.replace",
        dataclass_replaced,
        [(A,), (B,), lambda: setattr(options, "rate", 0.2), (A,), (B,)],
        graphs=2,
        breaks=2,
        wanted=(1, 0),
    ),
    Row("dataclass with __post_init__", dataclass_made_inside, [(A,), (B,), (floats(2, 3),)], graphs=2, captured=1),
    Row(
        "frozen dataclass given",
        frozen_dataclass_given,
        [(A, fixed), (A, fixed), (A, Fixed(3.0)), (B, Fixed(4.0, 1.0)), (A, Fixed(5.0, 2.0))],
        graphs=4,
        wanted=(2, 0),
    ),
    Row(
        "dataclasses.asdict",
        asdict_of_a_dataclass,
        [(A,), (B,), lambda: setattr(options, "rate", 0.2), (A,), (B,)],
        graphs=3,
        breaks=1,
        wanted=(1, 0),
    ),
    Row("dataclasses.fields", fields_of_a_dataclass, [(A,), (B,), (A,)]),
    Row("NamedTuple made inside", named_tuple_made, [(A,), (B,), (A,)]),
    Row("NamedTuple given", named_tuple_given, [(Point(2.0, 1.0), A), (Point(3.0, 1.5), A), (Point(0.5), B)]),
    Row("TypedDict", typed_dict, [(A,), (B,), lambda: setup.update(scale=3.0), (A,), (A,)], captured=2),
    Row("deepcopy of settings", deep_copy_changed, [(A,), (B,), lambda: config.update(scale=3.0), (A,), (A,)], captured=2),
    Row(
        "copy of an object",
        shallow_copy_changed,
        [(A,), (B,), lambda: setattr(options, "rate", 0.3), (A,), (A,)],
        graphs=5,
        breaks=3,
        wanted=(1, 0),
    ),
    Row("settings changed by the call", settings_changed_by_the_call, [(A, 1.0), (A, 2.0), (B, 3.0), (A, 4.0)]),
    Row(
        "environment variable",
        environment_read,
        [(A,), (B,), lambda: os.environ.update(IDIOM_SCALE="3"), (A,), lambda: os.environ.pop("IDIOM_SCALE"), (A,)],
        graphs=4,
        breaks=2,
        wanted=(2, 0),
    ),
    Row("json both ways", json_both_ways, [(A,), (B,), lambda: config.update(scale=3.0), (A,), (A,)], captured=2),
    Row("dtype by settings", dtype_of_settings, [(A,), (B,), lambda: setattr(args, "amp", True), (A,), (B,)], graphs=2),
]
