"""Sums of products in Einstein's notation."""

from __future__ import annotations

from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.functions.arguments import as_tensors
from emberjit.functions.linalg.vector_products import contracted
from emberjit.publish.registry import publish
from emberjit.tensors.operands import promoted

_ops = core.ops
_Labels = tuple[str, ...]  # of axes: a letter, or "...i" for the i-th last axis of an ellipsis


class _Term(NamedTuple):
    tensor: Any
    labels: _Labels


def _refuse(equation: str, problem: str) -> None:
    raise ValueError(f"For 'einsum', the equation '{equation}' {problem}")


def _parsed(equation: str, text: str, rank: int | None) -> list[str]:
    """The labels of a term; rank None for the output's, whose ellipsis stays whole."""
    before, dots, after = text.partition("...")
    letters = before + after
    if not all(letter.isascii() and letter.isalpha() for letter in letters):
        _refuse(equation, f"has a term '{text}', which must be of letters and at most one '...'.")
    if rank is None:
        return [*before, *(["..."] if dots else []), *after]
    hidden = rank - len(letters)
    if hidden < 0 or (hidden > 0 and not dots):
        _refuse(equation, f"has a term '{text}' for an operand of {rank} axes.")
    return [*before, *(f"...{i}" for i in reversed(range(hidden))), *after]


def _terms(equation: str, operands: list[Any]) -> tuple[list[_Term], _Labels]:
    """The operands with their labels, and those of the output."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    texts = left.split(",")
    if len(texts) != len(operands):
        _refuse(equation, f"has {len(texts)} terms for {len(operands)} operands.")
    inputs = [_parsed(equation, text, x.ndim) for text, x in zip(texts, operands)]
    every = [label for labels in inputs for label in labels]
    hidden = sorted({label for label in every if label.startswith(".")}, key=lambda label: -int(label[3:]))
    if arrow:
        output = []
        for label in _parsed(equation, right, None):
            output += hidden if label == "..." else [label]
    else:
        output = [*hidden, *sorted(label for label in {*every} if every.count(label) == 1 and not label.startswith("."))]
    if len({*output}) != len(output) or not {*output} <= {*every}:
        _refuse(equation, "has an output of labels that repeat, or that no operand has.")
    return [_Term(x, tuple(labels)) for x, labels in zip(operands, inputs)], tuple(output)


def _without_repeats(term: _Term) -> _Term:
    """With one axis for each label: the diagonal of those that share one."""
    x, labels = term
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            i = labels.index(label)
            j = labels.index(label, i + 1)
            x = _ops.diagonal(x, 0, i, j)
            labels = (*labels[:i], *labels[i + 1 : j], *labels[j + 1 :], label)
    return _Term(x, labels)


def _check_sizes(equation: str, terms: list[_Term]) -> dict[str, Any]:
    """The size of each label. Axes of size 1 are stretched."""
    sizes: dict[str, Any] = {}
    for x, labels in terms:
        for label, size in zip(labels, x.shape):
            known = sizes.setdefault(label, size)
            if known == 1:
                sizes[label] = size
            elif size not in (1, known):
                _refuse(equation, f"has axes '{label}' of different sizes, {known} and {size}.")
    return sizes


def _narrowed(term: _Term, sizes: dict[str, Any], out_labels: set[str]) -> _Term:
    """Summed over what nothing else wants, without axes of size 1 that stand for larger ones."""
    x, labels = term
    stretched = [i for i, label in enumerate(labels) if x.shape[i] == 1 and sizes[label] != 1]
    if stretched:
        x = _ops.squeeze(x, tuple(stretched))
        labels = tuple(label for i, label in enumerate(labels) if i not in stretched)
    summed = [i for i, label in enumerate(labels) if label not in out_labels]
    if summed:
        x = _ops.reduce_sum(x, tuple(summed))
        labels = tuple(label for label in labels if label in out_labels)
    return _Term(x, labels)


def _multiplied(first: _Term, second: _Term, out_labels: set[str]) -> _Term:
    """The product of two terms, summed over the labels of both that nothing else wants."""
    both = [label for label in first.labels if label in second.labels]
    batch = [label for label in both if label in out_labels]
    summed = [label for label in both if label not in out_labels]
    places = [[term.labels.index(label) for label in of] for of in (batch, summed) for term in (first, second)]
    x = contracted(first.tensor, second.tensor, (places[0], places[1]), (places[2], places[3]))
    others = [label for term in (first, second) for label in term.labels if label not in both]
    return _Term(x, (*batch, *others))


def _cheapest(terms: list[_Term], output: _Labels, sizes: dict[str, Any]) -> tuple[int, int]:
    """The pair whose product is smallest beside what it takes the place of (as of Smith and Gray 2018, "greedy")."""
    best: tuple[Any, tuple[int, int]] | None = None
    for j in range(1, len(terms)):
        for i in range(j):
            pair = (terms[i], terms[j])
            out_labels = {*output}.union(*(term.labels for k, term in enumerate(terms) if k not in (i, j)))
            kept = {label for term in pair for label in term.labels if label in out_labels}
            gain = _volume(kept, sizes) - sum(_volume({*term.labels}, sizes) for term in pair)
            if best is None or gain < best[0]:
                best = (gain, (i, j))
    assert best is not None
    return best[1]


def _volume(labels: set[str], sizes: dict[str, Any]) -> Any:
    volume: Any = 1
    for label in labels:
        volume = volume * sizes[label]
    return volume


@publish(
    """ops.einsum(equation, *operands) ops.einsum_ext(equation, *operands) mint.einsum(equation, *operands)
    ops.Einsum(equation)(operands as x)""",
    numpy="np.einsum(equation, *operands)",
    samples="""'ij,jk->ik', (f32(2, 3), f32(3, 4)); 'bij,bkj->bik', (f32(2, 3, 4), f32(2, 5, 4)); 'ii', (f32(3, 3),);
    'i,j', (f32(2), f32(3)); 'ba', (f32(2, 3),); '...ij,...jk', (f32(2, 2, 3), f32(3, 4)); 'i...->...', (f32(3, 2),);
    'ij,jk,kl->il', (f32(2, 5), f32(5, 3), f32(3, 4)); 'iij->ij', (f32(3, 3, 2),); 'ij->', (c64(2, 3),);
    'i,i,i', (f32(4), f32(4), f32(4)); 'bhqd,bhkd->bhqk', (f32(2, 2, 3, 4), f32(2, 2, 5, 4)); ',i->i', (f32(), f32(3));
    'ij,kl->', (f32(2, 3), f32(3, 2)); 'ij,ij->ij', (i32(2, 3), i32(2, 3)); 'a...b,b...->...a', (f32(2, 3, 4), f32(4, 3));
    'ij,j', (f32(2, 3), f32(1)); 'ik,kj->ij', (f32(2, 0), f32(0, 3)); 'a,ab,bc,cd,d', (f32(2), f32(2, 3),
    f32(3, 4), f32(4, 2), f32(2))""",
)
def einsum(equation: str, operands: Any) -> Any:
    """Sums of products of elements, by labels of axes: "ij,jk->ik" is the product of two matrices.

    Args:
        equation: a term of letters for each operand, between commas, and after "->" that of the result; without it the
            labels that occur once, in the order of the alphabet. "..." stands for the axes that have no letter, which
            broadcast. A label that repeats within a term takes the diagonal; what the result lacks is summed over.

    The operands are multiplied two at a time, first those whose product is smallest beside them.

    Raises:
        ValueError: the equation is not well formed, or does not fit the operands.
    """
    items = list(operands) if isinstance(operands, (tuple, list)) else [operands]
    if not items:
        raise ValueError("For 'einsum', there must be at least one operand.")
    terms, output = _terms(equation, promoted(as_tensors(items)))
    sizes = _check_sizes(equation, terms)
    terms = [_without_repeats(term) for term in terms]
    while True:
        for i, term in enumerate(terms):
            out_labels = {*output}.union(*(other.labels for k, other in enumerate(terms) if k != i))
            terms[i] = _narrowed(term, sizes, out_labels)
        if len(terms) == 1:
            break
        i, j = (0, 1) if len(terms) == 2 else _cheapest(terms, output, sizes)
        out_labels = {*output}.union(*(term.labels for k, term in enumerate(terms) if k not in (i, j)))
        product = _multiplied(terms[i], terms[j], out_labels)
        terms = [*(term for k, term in enumerate(terms) if k not in (i, j)), product]
    return _arranged(terms[0], output, sizes)


def _arranged(term: _Term, output: _Labels, sizes: dict[str, Any]) -> Any:
    """With the axes that the output has, in its order."""
    x, labels = term
    x = _ops.transpose(x, tuple(labels.index(label) for label in output if label in labels))
    for i, label in enumerate(output):
        if label not in labels:
            x = _ops.expand_dims(x, i)
    return x if len(labels) == len(output) else _ops.broadcast_to(x, tuple(sizes[label] for label in output))
