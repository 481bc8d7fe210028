"""Checkpoints: files of named Tensors, MindSpore's or safetensors. No pickle anywhere."""

from __future__ import annotations

import atexit
import os
import stat
import threading
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.forks import ForkLock
from emberjit.generator import Generator
from emberjit.nn.cell import Cell
from emberjit.options import take, take_all
from emberjit.train import encryption, records, safetensors
from emberjit.train.file_part import Content, FilePart, pieces
from emberjit.train.loading import load_param_into_net, shown
from emberjit.train.mindir import export, load

__all__ = [
    "async_ckpt_thread_status",
    "ckpt_to_safetensors",
    "export",
    "load",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_param_into_net",
    "safetensors_to_ckpt",
    "save_checkpoint",
]

_FORMATS: dict[str, Any] = {"ckpt": records, "safetensors": safetensors}
_THREAD = "asyn_save_ckpt"
_HEAD = 64  # bytes by which an encrypted file is known


class _Writer:
    """Writes one file after the other in a thread; wait() and the next start() raise its error."""

    def __init__(self) -> None:
        self.thread: threading.Thread | None = None
        self.error: BaseException | None = None
        self.lock = ForkLock()

    def start(self, write: Callable[[], None]) -> None:
        with self.lock:
            self.wait()
            self.thread = threading.Thread(target=self._run, args=(write,), name=_THREAD)
            self.thread.start()

    def _run(self, write: Callable[[], None]) -> None:
        try:
            write()
        except BaseException as error:
            self.error = error

    def join(self) -> None:
        """Waits until nothing is left to write; wait() raises the error of a write."""
        with self.lock:
            if self.thread is not None:
                self.thread.join()

    def wait(self) -> None:
        """Waits until the file is written.

        Raises:
            OSError: it could not be written.
        """
        with self.lock:
            if self.thread is not None:
                self.thread.join()
                self.thread = None
            error, self.error = self.error, None
        if error is not None:
            raise error


_writer = _Writer()
wait_for_writes = _writer.wait
atexit.register(wait_for_writes)


def async_ckpt_thread_status() -> bool:
    """Whether a thread is writing a checkpoint, as save_checkpoint with async_save starts.

    Returns:
        A bool.

    Examples:
        >>> print(ms.async_ckpt_thread_status())
        False
    """
    return any(thread.name == _THREAD for thread in threading.enumerate())


def save_checkpoint(
    save_obj: Any,
    ckpt_file_name: str | bytes | os.PathLike[Any],
    integrated_save: bool = True,
    async_save: bool | str = False,
    append_dict: dict[str, Any] | None = None,
    enc_key: bytes | None = None,
    enc_mode: str = "AES-GCM",
    choice_func: Callable[[str], bool] | None = None,
    crc_check: bool = False,
    format: str = "ckpt",
    incremental: bool = False,
    global_step_num: Any = None,
    remove_redundancy: bool | None = None,
) -> None:
    """Saves the Parameters of a Cell, a dict of name to Tensor or str, or a list of Parameters or of {"name": ...,
    "data": ...}.

    Args:
        save_obj: what to save.
        ckpt_file_name: where to, a str, bytes or os.PathLike; "." and the format are added to a name that does not end so,
            folders are made. Written whole or not at all. A link's target is replaced, and an existing file keeps its mode.
        async_save: whether a thread writes the file; "thread" and "process" mean the same. The values are those of now.
        append_dict: further names and their values: Tensors, strs, numbers, which become Tensors without axes, or
            Generators, of which the state is saved; None: there are none.
        enc_key: encrypts the file: bytes, 16, 24 or 32 of them; None: it is not.
        enc_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".
        choice_func: takes a name and returns whether it is saved; None: all are.
        crc_check: whether the file has a checksum.
        format: "ckpt", MindSpore's, or "safetensors".
        integrated_save, incremental, global_step_num, remove_redundancy: of several devices, and MapParameters (Options).

    Raises:
        TypeError: save_obj is something else, a name is no str, or a value no Tensor or str.
        ValueError: a name occurs twice, is reserved or no Unicode; safetensors with enc_key.
        OSError: the file cannot be written.
        ImportError: enc_key without the package cryptography.

    Examples:
        >>> net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        >>> ms.save_checkpoint(net, "dense", append_dict={"epoch": 3})
        >>> for name, value in ms.load_checkpoint("dense.ckpt").items():
        ...     print(name, value.value())
        weight [[1. 1.]]
        bias [0.]
        epoch 3
    """
    options = {"integrated_save": integrated_save, "async_save": async_save, "crc_check": crc_check, "format": format}
    others = {"incremental": incremental, "global_step_num": global_step_num, "remove_redundancy": remove_redundancy}
    take_all("save_checkpoint", {**options, **others})
    if isinstance(async_save, str) and async_save not in ("thread", "process"):
        raise ValueError(f"For 'save_checkpoint', 'async_save' must be 'thread' or 'process', but got {async_save!r}.")
    encryption.check("save_checkpoint", "enc_key", enc_key, "enc_mode", enc_mode)
    if enc_key is not None and format != "ckpt":
        raise ValueError(f"For 'save_checkpoint', 'enc_key' must be None where 'format' is {format!r}.")
    entries = [*_select(_entries_of(save_obj), choice_func), *_appended(append_dict)]
    _check_names(entries)
    parts = _FORMATS[format].encode(entries, crc_check)
    path = _path(ckpt_file_name, format)

    def write() -> None:
        core.write_file(os.fsencode(path), parts if enc_key is None else encryption.encrypted(parts, enc_key, enc_mode))

    if async_save:
        _writer.start(write)
    else:
        write()


def _path(name: str | bytes | os.PathLike[Any], format: str) -> str:
    path = os.fsdecode(name)
    folder, file_name = os.path.split(path)
    if file_name and not file_name.endswith(f".{format}"):
        path += f".{format}"
    if folder:
        os.makedirs(folder, exist_ok=True)
    return path


def _select(entries: list[tuple[Any, Any]], choice: Any) -> list[tuple[Any, Any]]:
    return entries if choice is None else [(name, value) for name, value in entries if choice(name)]


def _check_names(entries: list[tuple[Any, Any]]) -> None:
    seen = set()
    for name, value in entries:
        if not isinstance(name, str) or not isinstance(value, (core.Tensor, str)):
            raise TypeError(
                f"For 'save_checkpoint', names must be str and values Tensors, but got {type(name)} and {type(value)}."
            )
        if name in seen:
            raise ValueError(f"For 'save_checkpoint', the name '{name}' occurs twice.")
        seen.add(name)
        try:
            name.encode()
        except UnicodeEncodeError:
            raise ValueError(f"For 'save_checkpoint', the name {name!r} is no Unicode and cannot be stored.") from None


def _appended(append_dict: Any) -> Iterable[tuple[str, Any]]:
    if append_dict is None:
        return []
    check_instance("save_checkpoint", "append_dict", append_dict, dict)
    return [(name, _to_entry(value)) for name, value in append_dict.items()]


def _to_entry(value: Any) -> Any:
    if type(value) in (bool, int, float):
        return core.Tensor(value)
    return value.get_state() if isinstance(value, Generator) else value


def _is_array(value: Any) -> bool:
    return hasattr(value, "__array__") and not isinstance(value, core.Tensor)


def _entries_of(save_obj: Any) -> list[tuple[Any, Any]]:
    if isinstance(save_obj, Cell):
        save_obj.check_names_and_refresh_name()
        return list(save_obj.parameters_dict().items())
    if isinstance(save_obj, dict):
        arrays = {name: core.Tensor(value) for name, value in save_obj.items() if _is_array(value)}
        return list({**save_obj, **arrays}.items())
    if isinstance(save_obj, list):
        if all(isinstance(item, core.Parameter) for item in save_obj):
            return [(item.name, item) for item in save_obj]
        for item in save_obj:
            if not isinstance(item, dict) or not {"name", "data"} <= item.keys():
                raise TypeError(
                    "For 'save_checkpoint', a list must hold Parameters, or dicts with 'name' and 'data', but has "
                    f"{item!r:.80}."
                )
        return [(item["name"], item["data"]) for item in save_obj]
    raise TypeError(f"For 'save_checkpoint', 'save_obj' must be a Cell, list or dict, but got {type(save_obj)}.")


def load_checkpoint(
    ckpt_file_name: str | bytes | os.PathLike[Any],
    net: Any = None,
    strict_load: bool = False,
    filter_prefix: Any = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: Any = None,
    choice_func: Callable[[str], bool] | None = None,
    crc_check: bool = False,
    remove_redundancy: bool = False,
    format: str = "ckpt",
) -> dict[str, Any]:
    """Loads a checkpoint into a dict of name to Parameter, or str, and into a Cell if one is given (load_param_into_net,
    which warns of what was not loaded).

    Args:
        ckpt_file_name: the file, a str, bytes or os.PathLike. It is waited for a thread that writes (async_save).
        net: the Cell; None: there is none.
        strict_load: whether the Cell's names and dtypes have to be those of the file, as of load_param_into_net.
        filter_prefix: a str, or several, with which the names of what is left out begin; None: nothing is.
        dec_key, dec_mode: enc_key and enc_mode of an encrypted file.
        specify_prefix: a str, or several, with which the names of what is loaded begin; None: all are.
        choice_func: takes a name and returns whether it is loaded; None: all are.
        crc_check: whether the checksum of the file is compared; a file without one is warned of.
        remove_redundancy: of several devices (page Options).
        format: "ckpt" or "safetensors"; the file says itself which it is.

    Returns:
        A dict of name to Parameter, or to str where one was saved.

    Raises:
        ValueError: the file is no checkpoint, or a damaged one, or encrypted otherwise; what is wrong is named. Nothing in
            it is to be loaded.
        OSError: it cannot be read; a FileNotFoundError that is a ValueError too, as MindSpore's is, if there is none.
        TypeError: an argument of another type.
        ImportError: an encrypted file without the package cryptography.

    Examples:
        >>> ms.save_checkpoint({"weight": Tensor([[1.0, 2.0]]), "bias": Tensor([3.0])}, "dense.ckpt")
        >>> net = nn.Dense(2, 1)
        >>> names = list(ms.load_checkpoint("dense.ckpt", net))
        >>> print(names, net.weight.value(), net.bias.value())
        ['weight', 'bias'] [[1. 2.]] [3.]
    """
    take_all("load_checkpoint", {"crc_check": crc_check, "remove_redundancy": remove_redundancy, "format": format})
    encryption.check("load_checkpoint", "dec_key", dec_key, "dec_mode", dec_mode)
    predicate = _name_filter(_prefixes(specify_prefix), _prefixes(filter_prefix), choice_func)
    path = os.fsdecode(ckpt_file_name)
    _writer.join()
    with _opened(path) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError(f"For 'load_checkpoint', '{path}' is no regular file.")
        try:
            names, values = _decoded(FilePart(file), dec_key, dec_mode, crc_check, predicate, path)
        except ValueError as error:
            why = f"For 'load_checkpoint', the file '{path}' is not a valid checkpoint: {error}."
            raise ValueError(why) from None
    parameters = {name: value if isinstance(value, str) else core.Parameter(value, name) for name, value in values.items()}
    if names and not parameters:
        raise ValueError(
            f"For 'load_checkpoint', no name in '{path}' passes 'specify_prefix', 'filter_prefix' and 'choice_func': it has "
            f"{shown(names)}."
        )
    if net is not None:
        load_param_into_net(net, parameters, strict_load)
    return parameters


class MissingCheckpoint(FileNotFoundError, ValueError):
    """There is no such file."""


def _opened(path: str) -> Any:
    try:
        return open(path, "rb")
    except FileNotFoundError as error:
        raise MissingCheckpoint(error.errno, "For 'load_checkpoint', there is no such file", path) from None


def _decoded(
    content: Content, key: bytes | None, mode: str, checks: bool, predicate: Callable[[str], bool], path: str
) -> tuple[list[str], dict[str, Any]]:
    """The names of a file, and the values whose names predicate selects."""
    if key is not None:
        content = memoryview(encryption.decrypted(bytes(content), key, mode))
    elif encryption.is_encrypted(bytes(content[:_HEAD])):
        raise ValueError("it is encrypted, and 'dec_key' is None")
    if bytes(content[4:9]) == b"\0\0\0\0{":
        result = safetensors.decode(content, predicate)
        stored, actual = safetensors.checksums(content) if checks else (None, 0)
    else:
        data, stored = records.split_checksum(content)
        actual = records.checksum_of(pieces(data)) if checks and stored is not None else 0
        if not data:
            raise ValueError("it is empty")
        result = records.decode(data, predicate) if not checks or stored in (None, actual) else ([], {})
    if checks and stored is None:
        warnings.warn(f"For 'load_checkpoint', the file '{path}' has no checksum.", stacklevel=3)
    elif checks and stored != actual:
        raise ValueError("its checksum is not that of what it holds")
    return result


class ParamDictFuture:
    """A checkpoint that a thread loads."""

    def __init__(self, load: Callable[[], dict[str, Any]]):
        self._load = load
        self._result: dict[str, Any] | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._result = self._load()
        except BaseException as error:
            self._error = error

    def result(self) -> dict[str, Any]:
        """What load_checkpoint gives, once it is there. Raises as that."""
        self._thread.join()
        if self._result is None and self._error is None:  # in a forked child, which does not have the thread
            self._run()
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result


def load_checkpoint_async(
    ckpt_file_name: str | bytes | os.PathLike[Any],
    net: Any = None,
    strict_load: bool = False,
    filter_prefix: Any = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: Any = None,
    choice_func: Callable[[str], bool] | None = None,
) -> ParamDictFuture:
    """load_checkpoint in a thread, while the program goes on.

    Args:
        ckpt_file_name, net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func: as of
            load_checkpoint: the file; a Cell to load into; whether names and dtypes have to be the same; prefixes of names
            that are left out; key and mode of an encrypted file; prefixes of names that are loaded; a function of a name.

    Returns:
        An object whose result() waits, and gives what load_checkpoint gives, or raises as that.

    Examples:
        >>> ms.save_checkpoint({"weight": Tensor([1.0, 2.0])}, "weights")
        >>> future = ms.load_checkpoint_async("weights.ckpt")
        >>> print(future.result()["weight"].value())
        [1. 2.]
    """
    options = (net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func)
    return ParamDictFuture(lambda: load_checkpoint(ckpt_file_name, *options))


def _prefixes(value: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    prefixes = (value,) if isinstance(value, str) else value
    if not isinstance(prefixes, (list, tuple)) or not all(isinstance(prefix, str) for prefix in prefixes):
        raise TypeError(f"For 'load_checkpoint', a prefix must be a str, or a list or tuple of them, but got {value!r}.")
    if not prefixes or "" in prefixes:
        raise ValueError("For 'load_checkpoint', the prefixes must be at least one, and none of them empty.")
    return tuple(prefixes)


def _name_filter(included: tuple[str, ...] | None, excluded: tuple[str, ...] | None, choice: Any) -> Callable[[str], bool]:
    if choice is not None and not callable(choice):
        raise TypeError(f"For 'load_checkpoint', 'choice_func' must be a function, but got {type(choice)}.")

    def predicate(name: str) -> bool:
        if (included is not None and not name.startswith(included)) or (excluded is not None and name.startswith(excluded)):
            return False
        return choice is None or bool(choice(name))

    return predicate


def _converter(name: str, source: str, target: str) -> Callable[..., None]:
    def convert(
        file_path: str,
        save_path: str | None = None,
        name_map: dict[str, str] | None = None,
        file_name_regex: str | None = None,
        processes_num: int = 1,
    ) -> None:
        import re

        take("ckpt_to_safetensors", "processes_num", processes_num)
        if name_map is not None and not isinstance(name_map, dict):
            raise ValueError(f"For '{name}', 'name_map' must be a dict, but got {type(name_map)}.")
        if save_path and os.path.splitext(save_path)[1]:
            raise ValueError(f"For '{name}', 'save_path' must be a folder, but got {save_path!r}.")
        if os.path.isfile(file_path):
            if not file_path.endswith(f".{source}"):
                raise ValueError(f"For '{name}', 'file_path' must be a .{source} file, but got {file_path!r}.")
            if file_name_regex is not None and not re.search(file_name_regex, file_path):
                raise ValueError(f"For '{name}', 'file_path' {file_path!r} does not match {file_name_regex!r}.")
            targets = [(file_path, save_path or os.path.dirname(file_path))]
        elif os.path.isdir(file_path):
            targets = _by_rank(name, file_path, save_path, source, file_name_regex)
        else:
            raise ValueError(f"For '{name}', 'file_path' must be a file or folder, but got {file_path!r}.")
        for path, folder in targets:
            values = load_checkpoint(path)
            renamed = {(name_map or {}).get(key, key): value for key, value in values.items()}
            file_name = os.path.basename(path)[: -len(source)] + target
            save_checkpoint(renamed, os.path.join(folder, file_name), format=target)

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = f"""Converts a .{source} file, or those in a folder's folders "rank...", to .{target}.

    Args:
        file_path: the path of the file or folder.
        save_path: the folder to write to, which is made; None: that of the file.
        name_map: a dict of new names of Parameters by old ones; None: they stay.
        file_name_regex: a regular expression that the names of files to convert match somewhere; None: all are converted.
        processes_num: how many processes do it (page Options).

    Raises:
        ValueError: an argument has no meaning, or a file is no checkpoint.

    Examples:
        >>> ms.save_checkpoint({{"weight": Tensor([1.0, 2.0])}}, "old", format="{source}")
        >>> ms.{name}("old.{source}", "new", name_map={{"weight": "gamma"}})
        >>> print(ms.load_checkpoint("new/old.{target}")["gamma"].value())
        [1. 2.]
    """
    return convert


def _by_rank(name: str, folder: str, save_path: str | None, source: str, regex: str | None) -> list[tuple[str, str]]:
    """(file, folder to write to) of the files in the folders of ranks."""
    import re

    ranks = [entry.name for entry in os.scandir(folder) if entry.is_dir() and entry.name.startswith("rank")]
    if not ranks:
        raise ValueError(f"For '{name}', the folder {folder!r} must have folders 'rank...', but has none.")
    return [
        (os.path.join(folder, rank, file), os.path.join(save_path or folder, rank))
        for rank in sorted(ranks)
        for file in sorted(os.listdir(os.path.join(folder, rank)))
        if file.endswith(f".{source}") and (regex is None or re.search(regex, file))
    ]


ckpt_to_safetensors = _converter("ckpt_to_safetensors", "ckpt", "safetensors")
safetensors_to_ckpt = _converter("safetensors_to_ckpt", "safetensors", "ckpt")
