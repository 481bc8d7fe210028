"""Cells that contain Cells: in sequence, in a list, in a dict."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.nn.cell import Cell
from emberjit.values.cells import CellListMarker


def _check_cell(container: Cell, cell: Any) -> Any:
    if not isinstance(cell, Cell):
        raise TypeError(
            f"For '{type(container).__name__}', each cell must be a subclass of Cell, but got {cell!r} of type "
            f"{type(cell).__name__}."
        )
    return cell


class _Container(Cell):
    """Contains Cells by key. Names of their Parameters begin with a prefix, the path of the container, and the key."""

    def _prefix(self) -> str:
        """The prefix, inferred as MindSpore does from the names of the first Parameters of the Cells: it is before the part
        of the first name that equals its key, the one where the second name has its key, too, or else the last such."""
        names = []
        for key, cell in self._cells.items():
            parameter = next(cell.get_parameters(), None)
            names += [] if parameter is None else [(key, parameter.name.split("."))]
        prefix = ""
        for index, part in enumerate(names[0][1] if names else ()):
            if part == names[0][0]:
                prefix = "".join(f"{one}." for one in names[0][1][:index])
                if len(names) > 1 and names[1][1][index : index + 1] == [names[1][0]]:
                    break
        return prefix

    def _put(self, key: str, cell: Any) -> None:
        self._name(self._prefix(), key, _check_cell(self, cell))
        self._cells[key] = cell

    def _name(self, prefix: str, key: str, cell: Any) -> None:
        if self._auto_prefix:
            cell.update_parameters_name(f"{prefix}{key}.")

    def __len__(self) -> int:
        return len(self._cells)

    def set_grad(self, requires_grad: bool = True) -> Any:
        """Sets the attribute requires_grad of this Cell and of those in it."""
        for cell in (super(), *self._cells.values()):
            cell.set_grad(requires_grad)
        return self


class _Sequence(_Container):
    def _index(self, index: Any, extra: int = 0) -> int:
        """An index, counted from the start.

        Raises:
            TypeError: index is no int.
            IndexError: it is out of range.
        """
        name, size = type(self).__name__, len(self)
        if isinstance(index, bool) or not isinstance(index, int):
            raise TypeError(f"For '{name}', the type of 'index' must be int, but got {type(index).__name__}.")
        if not -size <= index < size + extra:
            raise IndexError(
                f"For '{name}', the value of 'index' must be a number in range [{-size}, {size + extra}), but got {index}."
            )
        return index + size if index < 0 else index

    def _keys(self, index: Any) -> list[str]:
        keys = list(self._cells)
        return keys[index] if isinstance(index, slice) else [keys[self._index(index)]]

    def _replace(self, items: Iterable[tuple[str, Any]], prefix: str) -> None:
        """Replaces all Cells. A key that is a number becomes the place of its Cell."""
        cells = {str(i) if key.isdecimal() else key: cell for i, (key, cell) in enumerate(items)}
        self._cells.clear()
        self._cells.update(cells)
        for key, cell in cells.items():
            self._name(prefix, key, cell)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._cells.values())

    def __setitem__(self, index: int, cell: Any) -> None:
        self._put(self._keys(self._index(index))[0], cell)

    def __delitem__(self, index: Any) -> None:
        removed, prefix = self._keys(index), self._prefix()
        self._replace([(key, cell) for key, cell in self._cells.items() if key not in removed], prefix)

    def append(self, cell: Any) -> Any:
        """Adds a Cell at the end.

        Raises:
            TypeError: no Cell.
        """
        self._put(str(len(self)), cell)
        return self

    def insert(self, index: int, cell: Any) -> None:
        """Adds a Cell before a place.

        Raises:
            TypeError: no Cell, or index no int.
            IndexError: there is no such place.
        """
        items, prefix = list(self._cells.items()), self._prefix()
        items.insert(self._index(index, 1), ("0", _check_cell(self, cell)))
        self._replace(items, prefix)


class SequentialCell(_Sequence):
    """Cells called one after the other, each with the result of the one before.

    Args:
        args: Cells, or one list of Cells, or one OrderedDict of name to Cell.

    Inputs:
        x: what the first Cell takes.

    Returns:
        What the last Cell returns.

    Raises:
        TypeError: something else.

    Examples:
        >>> net = nn.SequentialCell(nn.Dense(3, 2, weight_init="ones", bias_init="zeros"), nn.ReLU())
        >>> print(net(Tensor([[1.0, 2.0, 3.0]])))
        [[6. 6.]]
        >>> net.insert(1, nn.Tanh())
        >>> print(len(net), net[1])
        3 Tanh()
    """

    def __init__(self, *args: Any):
        super().__init__()
        items: Any = args
        if len(args) == 1 and not isinstance(args[0], Cell):
            items = args[0]
            check_instance(type(self).__name__, "args[0]", items, (list, OrderedDict))
        pairs = items.items() if isinstance(items, OrderedDict) else ((str(i), cell) for i, cell in enumerate(items))
        for name, cell in pairs:
            self.insert_child_to_cell(name, _check_cell(self, cell))
            self._name("", name, cell)

    @property
    def cell_list(self) -> list[Any]:
        """The Cells that construct calls; a subclass may set others."""
        return self.__dict__.get("_cell_list") or list(self._cells.values())

    @cell_list.setter
    def cell_list(self, cells: Any) -> None:
        self.__dict__["_cell_list"] = list(cells)

    def construct(self, x: Any) -> Any:
        for cell in self.cell_list:
            x = cell(x)
        return x

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(OrderedDict((key, self._cells[key]) for key in self._keys(index)))
        return self._cells[self._keys(index)[0]]


class CellList(_Sequence, CellListMarker):
    """A list of Cells, whose Parameters are those of the Cell that has the list; it computes nothing by itself.

    Args:
        args: one list of Cells.
        auto_prefix: whether their Parameters are named by their places in the list.

    Raises:
        TypeError: something else; a Cell in it is a CellDict.
        NotImplementedError: when called.

    Examples:
        >>> layers = nn.CellList([nn.Dense(3, 2), nn.Dense(2, 1)])
        >>> layers.insert(1, nn.ReLU())
        >>> x = Tensor(np.ones((4, 3)), ms.float32)
        >>> for layer in layers:
        ...     x = layer(x)
        >>> print(x.shape)
        (4, 1)
    """

    def __init__(self, *args: Any, auto_prefix: bool = True):
        super().__init__(auto_prefix)
        if len(args) > 1:
            raise TypeError(f"For 'CellList', the argument must be one list of Cells, but got {len(args)} arguments.")
        self.extend(args[0] if args else [])

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("A CellList computes nothing by itself: call the Cells in it.")

    def extend(self, cells: Any) -> CellList:
        """Adds the Cells of a list at the end.

        Raises:
            TypeError: no list, or something in it that is no Cell, or a CellDict.
        """
        if not isinstance(cells, (list, CellList)):
            raise TypeError(
                f"For 'CellList', the new cells wanted to append should be instance of list, but got {type(cells).__name__}."
            )
        prefix = self._prefix()
        for cell in cells:
            if isinstance(cell, CellDict):
                raise TypeError("For 'CellList', the type of cell can not be CellDict.")
            self._name(prefix, str(len(self)), _check_cell(self, cell))
            self._cells[str(len(self))] = cell
        return self

    def __iadd__(self, cells: Any) -> CellList:
        return self.extend(cells)

    def __getitem__(self, index: Any) -> Any:
        """A Cell by its place, which may be a Tensor of one integer, or a CellList by a slice."""
        if isinstance(index, slice):
            return CellList([self._cells[key] for key in self._keys(index)])
        return self._cells[self._keys(operator.index(index) if isinstance(index, core.Tensor) else index)[0]]


class CellDict(_Container):
    """A dict of Cells, whose Parameters are those of the Cell that has the dict; it computes nothing by itself.

    Args:
        args: one mapping of str to Cell, or an iterable of pairs.
        auto_prefix: whether their Parameters are named by their keys.

    Raises:
        TypeError: something else; a key is no str, or a Cell is a container.
        KeyError: a key is empty, has a dot, or is an attribute of Cells.
        ValueError: an item of an iterable is no pair.
        NotImplementedError: when called.

    Examples:
        >>> heads = nn.CellDict({"age": nn.Dense(4, 1), "sex": nn.Dense(4, 2)})
        >>> print(list(heads.keys()), heads["sex"](Tensor(np.ones((3, 4)), ms.float32)).shape)
        ['age', 'sex'] (3, 2)
        >>> print([parameter.name for parameter in heads.get_parameters()])
        ['age.weight', 'age.bias', 'sex.weight', 'sex.bias']
    """

    def __init__(self, *args: Any, auto_prefix: bool = True):
        super().__init__(auto_prefix)
        if len(args) > 1:
            raise TypeError(f"For 'CellDict', the argument must be one mapping, but got {len(args)} arguments.")
        self.update(args[0] if args else {})

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("A CellDict computes nothing by itself: call the Cells in it.")

    def __getitem__(self, key: str) -> Any:
        return self._cells[key]

    def __setitem__(self, key: str, cell: Any) -> None:
        self._check_name("CellDict", "key", key, self._cells)
        if isinstance(_check_cell(self, cell), _Container):
            raise TypeError(
                f"For 'CellDict', a cell can not be a CellDict, CellList or SequentialCell, but got {type(cell).__name__}."
            )
        self._put(key, cell)

    def __delitem__(self, key: str) -> None:
        del self._cells[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cells)

    def __contains__(self, key: object) -> bool:
        return key in self._cells

    def clear(self) -> None:
        """Removes all."""
        self._cells.clear()

    def pop(self, key: str) -> Any:
        """Removes a Cell, and gives it.

        Raises:
            KeyError: there is none of this key.
        """
        return self._cells.pop(key)

    def keys(self) -> Any:
        """The keys."""
        return self._cells.keys()

    def values(self) -> Any:
        """The Cells."""
        return self._cells.values()

    def items(self) -> Any:
        """(key, Cell) of all."""
        return self._cells.items()

    def update(self, cells: Any) -> None:
        """Adds those of a mapping or of an iterable of pairs.

        Raises:
            TypeError, KeyError, ValueError: as CellDict.
        """
        if not isinstance(cells, Iterable):
            raise TypeError(
                "CellDict.update() should be called with an iterable of key-value pairs, but got " + type(cells).__name__
            )
        pairs: Any = cells.items() if isinstance(cells, (Mapping, CellDict)) else cells
        for place, item in enumerate(pairs):
            if not isinstance(item, Iterable):
                raise TypeError(
                    f"CellDict update sequence element #{place} should be Iterable, but got {type(item).__name__}"
                )
            pair = tuple(item)
            if len(pair) != 2:
                raise ValueError(f"CellDict update sequence element #{place} has length {len(pair)}, but 2 is required")
            self[pair[0]] = pair[1]
