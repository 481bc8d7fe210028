"""Comprehensions that CPython has compiled into the function they are in (PEP 709): their variables are others than those of
the function that have the same names.

CPython keeps what a variable of the function holds on the stack meanwhile, from a CLEAR_LOCAL to the STORE_LOCAL that takes
it from there. Here the comprehension's has another name, which ends with spaces, so that nothing has to be kept; where
inner functions see it, it has a new cell each time (NEW_CELL).
"""

from __future__ import annotations

from collections.abc import Iterator

from emberjit.capture.code.instructions import INSTRUCTIONS, NULL, Handler, Instruction, count, successors

_Kept = tuple[str, int] | None  # of an entry of the stack: whose value it keeps, since which instruction
_NAMING = frozenset(
    ("LOAD_LOCAL", "STORE_LOCAL", "DELETE_LOCAL", "LOAD_CELL", "STORE_CELL", "DELETE_CELL", "LOAD_CLOSURE", "NEW_CELL")
)


def rename(instructions: list[Instruction], handlers: list[Handler | None], depth: int) -> None:
    """Gives variables of comprehensions names of their own; `depth`: that of the stack where the code begins."""
    if any(ins.name == "CLEAR_LOCAL" for ins in instructions):
        _Renaming(instructions, handlers).run(depth)


class _Renaming:
    def __init__(self, instructions: list[Instruction], handlers: list[Handler | None]):
        self.instructions, self.handlers = instructions, handlers
        self.seen: set[int] = set()
        self.cells: set[int] = set()  # since where those are kept whose variables inner functions see

    def run(self, depth: int) -> None:
        todo: list[tuple[int, tuple[_Kept, ...]]] = [(0, (None,) * depth)]
        while todo:
            at, stack = todo.pop()
            if at in self.seen or at >= len(self.instructions):
                continue
            self.seen.add(at)
            handler = self.handlers[at]
            if handler is not None:
                todo.append((handler.target, (*stack[: handler.depth], *(None,) * (handler.lasti + 1))))
            todo += [(after, entries) for after, entries in self.after(at, stack)]
        for at, ins in enumerate(self.instructions):
            if ins.name == "CLEAR_LOCAL":
                self.replace(at, "LOAD_CONST", NULL)
        for at, handler in enumerate(self.handlers):
            while handler is not None and self.only_restores(handler.target):
                handler = self.handlers[handler.target]
            self.handlers[at] = handler

    def only_restores(self, at: int) -> bool:
        """Whether a handler only put back what a comprehension keeps, of which nothing is left."""
        behind = (self.instructions[i].name for i in range(at, len(self.instructions)))
        return next((name for name in behind if name not in ("SWAP", "POP")), None) == "RERAISE"

    def after(self, at: int, stack: tuple[_Kept, ...]) -> Iterator[tuple[int, tuple[_Kept, ...]]]:
        """Where execution may go from an instruction, and the stack there; names the variable that the instruction is of."""
        ins = self.instructions[at]
        if ins.name == "SWAP" and 0 < ins.operand <= len(stack):
            entries = list(stack)
            entries[-1], entries[-ins.operand] = entries[-ins.operand], entries[-1]
            yield at + 1, tuple(entries)
            return
        effect = INSTRUCTIONS[ins.name]
        rest = stack[: max(0, len(stack) - count(effect.takes, ins.operand))]
        restores = ins.name == "STORE_LOCAL" and stack and stack[-1] is not None and stack[-1][0] == ins.operand
        if ins.name == "CLEAR_LOCAL":
            yield at + 1, (*stack, (ins.operand, at))
            return
        if restores:
            self.replace(at, "POP", None)
        elif ins.name in _NAMING:
            self.name(at, ins, [kept for kept in stack if kept is not None and kept[0] == ins.operand])
        for after in successors(ins, at):
            puts = effect.puts if after != ins.target or effect.jumping is None else effect.jumping
            yield after, (*rest, *(None,) * count(puts, ins.operand))

    def name(self, at: int, ins: Instruction, kept: list[tuple[str, int]]) -> None:
        """Names the variable that an instruction is of, if it is that of a comprehension: of so many within one another."""
        if not kept:
            return
        since = kept[-1][1]
        if ins.name == "NEW_CELL":
            self.cells.add(since)
        name = "LOAD_LOCAL" if ins.name == "LOAD_CLOSURE" and since not in self.cells else ins.name
        self.replace(at, name, ins.operand + " " * len(kept))

    def replace(self, at: int, name: str, operand: object) -> None:
        ins = self.instructions[at]
        self.instructions[at] = Instruction(name, operand, ins.target, ins.line, ins.positions)
