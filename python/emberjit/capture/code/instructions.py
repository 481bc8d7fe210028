"""The canonical instructions, into which the bytecode of each supported version of CPython is decoded (cpython.py).

They act on a stack as CPython's do, but say all that they need themselves: names and constants instead of indices,
functions instead of numbers of operators, positions in the list of instructions instead of distances. Nothing is left of
caches, of prefixes that widen an argument, and of instructions that only prepare another.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from emberjit import _emberjit as core


class Damaged(LookupError):
    """What is wrong with code that CPython could not run."""


class _Null:
    """CPython's NULL on the stack."""


NULL = _Null()
Instruction = core.Instruction


Count = int | Callable[[Any], int]


class Effect(NamedTuple):
    """What an instruction takes from the stack and puts there, given its operand, and how many values from the top it
    looks at: at what they contain, too, or at the objects alone. `jumping`: what it puts there if it jumps, if not `puts`.
    """

    takes: Count
    puts: Count
    looks_at: Count = 0
    into: bool = True
    jumping: int | None = None


def _alike(effect: Effect, names: str) -> dict[str, Effect]:
    return dict.fromkeys(names.split(), effect)


_itself: Count = int
_one_more: Count = lambda operand: operand + 1

INSTRUCTIONS: dict[str, Effect] = {
    "POP": Effect(1, 0),
    "COPY": Effect(_itself, _one_more),
    "SWAP": Effect(_itself, _itself),
    # Names
    **_alike(Effect(0, 1), "LOAD_CONST LOAD_LOCAL LOAD_CELL LOAD_CLOSURE LOAD_GLOBAL LOAD_BUILD_CLASS"),
    **_alike(Effect(1, 0), "STORE_LOCAL STORE_CELL STORE_GLOBAL"),
    **_alike(Effect(0, 0), "DELETE_LOCAL DELETE_CELL DELETE_GLOBAL"),
    "NEW_CELL": Effect(0, 0),  # of a variable of a comprehension
    "CLEAR_LOCAL": Effect(0, 1),  # only while code is decoded (inlined.py)
    "IMPORT_NAME": Effect(2, 1),
    "IMPORT_FROM": Effect(1, 2, 1),
    # Attributes and items
    "LOAD_ATTR": Effect(1, 1, 1, into=False),
    "LOAD_METHOD": Effect(1, 2, 1, into=False),  # puts a NULL below the attribute
    "SUPER": Effect(3, 1, 3, into=False),  # of `super`, a class and its instance; the operand: whether these were given
    "STORE_ATTR": Effect(2, 0, 2, into=False),
    "DELETE_ATTR": Effect(1, 0, 1, into=False),
    "LOAD_ITEM": Effect(2, 1, 2, into=False),
    "STORE_ITEM": Effect(3, 0, 3, into=False),
    "DELETE_ITEM": Effect(2, 0, 2, into=False),
    # Operators; the operand is the function, of IS and CONTAINS whether it is negated
    **_alike(Effect(1, 1, 1), "UNARY NOT"),
    **_alike(Effect(2, 1, 2), "BINARY COMPARE"),
    **_alike(Effect(2, 1, 2, into=False), "CONTAINS INPLACE"),
    "IS": Effect(2, 1),
    # Containers and text; the operand counts items, or entries from the container to the top
    **_alike(Effect(_itself, 1), "BUILD_TUPLE BUILD_LIST BUILD_SET BUILD_SLICE BUILD_STRING"),
    "BUILD_MAP": Effect(lambda count: 2 * count, 1),
    "BUILD_CONST_KEY_MAP": Effect(_one_more, 1),
    "FORMAT": Effect(lambda how: 1 + how[1], 1, lambda how: 1 + how[1]),  # (conversion, whether there is a spec)
    "LIST_APPEND": Effect(_one_more, _itself),
    **_alike(Effect(_one_more, _itself, 1), "SET_ADD LIST_EXTEND SET_UPDATE DICT_UPDATE"),
    "MAP_ADD": Effect(lambda depth: depth + 2, _itself, 2),
    "DICT_MERGE": Effect(lambda depth: depth + 3, lambda depth: depth + 2, 1),  # below the dict is what is called
    "LIST_TO_TUPLE": Effect(1, 1, 1),
    "UNPACK": Effect(1, _itself, 1),
    "UNPACK_STARRED": Effect(1, lambda counts: sum(counts) + 1, 1),  # (before, after)
    # Control flow; the operand of a jump is the truth that it is made at, or whether it is at None
    "JUMP": Effect(0, 0),
    "JUMP_IF": Effect(1, 0, 1),
    "JUMP_IF_OR_POP": Effect(1, 0, 1, jumping=1),
    "JUMP_IF_NONE": Effect(1, 0),
    "GET_ITER": Effect(1, 1, 1),
    "FOR": Effect(1, 2, 1, jumping=0),
    "RETURN": Effect(1, 0),
    # Calls: (count of arguments, names of the last of them); whether there are keywords; which parts there are
    "CALL": Effect(lambda arguments: arguments[0] + 2, 1),
    "CALL_SPREAD": Effect(lambda keywords: 3 + keywords, 1, lambda keywords: 1 + keywords),
    "MAKE_FUNCTION": Effect(lambda parts: 1 + len(parts), 1),
    # Generators; the operand of YIELD is whether it passes on what another gives
    "YIELD": Effect(1, 1),
    "DELEGATE": Effect(1, 1, 1),
    "SEND": Effect(2, 2, 2, jumping=1),
    # Errors and `with`; the operand of EXIT_WITH is where the stack has the manager's __exit__
    **_alike(Effect(1, 2), "PUSH_HANDLED EXIT_WITH"),
    "POP_HANDLED": Effect(1, 0),
    "CATCHES": Effect(2, 2, 2),
    "RAISE": Effect(_itself, 0, _itself),
    "RERAISE": Effect(1, 0, 1),
    "ENTER_WITH": Effect(1, 2, 1),
    # `match`
    **_alike(Effect(1, 2, 1), "GET_LEN MATCH_MAPPING MATCH_SEQUENCE"),
    "MATCH_KEYS": Effect(2, 3, 2),
    "MATCH_CLASS": Effect(3, 1, 3),
}
CONDITIONAL = frozenset(("JUMP_IF", "JUMP_IF_OR_POP", "JUMP_IF_NONE", "FOR", "SEND"))
ENDS = frozenset(("RETURN", "RAISE", "RERAISE"))
STORES = frozenset(("STORE_LOCAL", "STORE_CELL", "DELETE_LOCAL", "DELETE_CELL"))


def count(of: Count, operand: Any) -> int:
    """A number of an Effect, given the instruction's operand."""
    return of if isinstance(of, int) else of(operand)


class Handler(NamedTuple):
    """Where an exception goes, the depth of the stack there, and whether the position that raised it lies above that."""

    target: int
    depth: int
    lasti: bool


class While(NamedTuple):
    """A `while` whose test is compiled twice: before the first trip, at [first, body), and after each, at [test, end)."""

    first: int
    body: int
    test: int
    end: int
    simple: bool  # whether the test sets no variables, and its jumps lead to `body` and `end` alone; else a trip includes it


def successors(ins: Instruction, at: int) -> tuple[int, ...]:
    """Where execution may go from an instruction at a position, exceptions aside."""
    if ins.name in ENDS:
        return ()
    if ins.target < 0:
        return (at + 1,)
    return (at + 1, ins.target) if ins.name in CONDITIONAL else (ins.target,)


def plain_name(name: str) -> str:
    """The name in the user's code of a variable, which that of an inlined comprehension (inlined.py) is not."""
    return name.rstrip(" ")


def _set_effect(ins: Instruction) -> None:
    effect = INSTRUCTIONS[ins.name]
    ins.looks_at, ins.into = count(effect.looks_at, ins.operand), effect.into
    ins.takes, ins.puts = count(effect.takes, ins.operand), count(effect.puts, ins.operand)


class Code:
    """The instructions of a code object, and the handler of each."""

    def __init__(self, code: types.CodeType, instructions: list[Instruction], handlers: list[Handler | None]):
        self.code, self.instructions, self.handlers = code, instructions, handlers
        self.whiles: dict[int, While] = {}  # by where their bodies begin
        self.tests: dict[int, While] = {}  # by the jumps of their tests
        self.lows: dict[tuple[int, int], int] = {}  # how much of the stack what lies between two positions leaves alone
        for ins in instructions:
            _set_effect(ins)
        for handler in set(handlers):
            if handler is not None and self.is_with(handler):
                instructions[handler.target + 1].operand = handler.depth - 1

    def replace(self, at: int, ins: Instruction) -> None:
        """Puts an instruction in the place of another."""
        _set_effect(ins)
        self.instructions[at] = ins

    def is_with(self, handler: Handler) -> bool:
        """Whether a handler is that of a `with`."""
        following = self.instructions[handler.target : handler.target + 2]
        return [ins.name for ins in following] == ["PUSH_HANDLED", "EXIT_WITH"]

    def enclosing_handlers(self, at: int) -> Iterator[tuple[bool, Handler]]:
        """The handlers of each `with` (True) and `try` that an instruction's exception may come to, the inner ones first."""
        handler = self.handlers[at]
        while handler is not None:
            if self.instructions[handler.target].name == "PUSH_HANDLED":
                yield self.is_with(handler), handler
            handler = self.handlers[handler.target]

    def left(self, before: int, at: int) -> Handler | None:
        """The handler of the `try` or `with` that is left between an instruction (-1: none) and another."""
        left, around = self.handlers[before] if before >= 0 else None, self.handlers[at]
        while around is not None and around != left:
            around = self.handlers[around.target]
        return left if around is None else None

    def successors(self, at: int) -> tuple[int, ...]:
        """Where execution may go from an instruction, exceptions aside."""
        return successors(self.instructions[at], at)

    def line(self, at: int) -> int:
        """The user's line that a part of the code begins at."""
        return self.instructions[at].line if at else self.code.co_firstlineno

    def is_driven(self, at: int) -> bool:
        """Whether a loop that begins here goes through an iterator."""
        return self.instructions[at].name in ("FOR", "SEND")
