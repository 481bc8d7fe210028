"""Errors of MindRecord files."""

from __future__ import annotations


class MindRecordException(Exception):
    """The base of the errors of MindRecord files.

    Examples:
        >>> try:
        ...     ms.mindrecord.FileWriter("rows.mindrecord", shard_num=0)
        ... except ms.mindrecord.MindRecordException as error:
        ...     print(type(error).__name__)
        ParamValueError
    """


class MRMInvalidSchemaError(MindRecordException):
    """Raised where a schema of MindRecord files is no dict of fields, or has a field of a type that there is not.

    Examples:
        >>> writer = ms.mindrecord.FileWriter("rows.mindrecord")
        >>> writer.add_schema({"label": {"type": "complex64"}})
        Traceback (most recent call last):
            ...
        emberjit.mindrecord.exceptions.MRMInvalidSchemaError: The type of field 'label' must be bytes ...
    """


class MRMDefineIndexError(MindRecordException):
    """Raised where an index of MindRecord files is to have fields that rows cannot be found by: only scalars can.

    Examples:
        >>> writer = ms.mindrecord.FileWriter("rows.mindrecord")
        >>> number = writer.add_schema({"image": {"type": "bytes"}})
        >>> writer.add_index(["image"])
        Traceback (most recent call last):
            ...
        emberjit.mindrecord.exceptions.MRMDefineIndexError: For 'add_index', field 'image' must be a ...
    """


class MRMOpenError(MindRecordException):
    """A file cannot be opened."""


class MRMGetMetaError(MindRecordException):
    """A file is no MindRecord file."""


class PathNotExistsError(MindRecordException):
    """Raised where there is no such file or folder.

    Examples:
        >>> import os
        >>> os.mkdir("empty")
        >>> ms.mindrecord.Cifar10ToMR("empty", "cifar.mindrecord")
        Traceback (most recent call last):
            ...
        emberjit.mindrecord.exceptions.PathNotExistsError: For 'Cifar10ToMR', there is no file of the ...
    """


class ParamTypeError(MindRecordException, TypeError):
    """Raised where an argument is of a wrong type; a TypeError, too.

    Examples:
        >>> ms.mindrecord.FileWriter("rows.mindrecord", overwrite="yes")
        Traceback (most recent call last):
            ...
        emberjit.mindrecord.exceptions.ParamTypeError: For 'FileWriter', 'overwrite' must be a bool, ...
    """


class ParamValueError(MindRecordException, ValueError):
    """Raised where an argument has a wrong value; a ValueError, too.

    Examples:
        >>> ms.mindrecord.FileWriter("rows.mindrecord", shard_num=0)
        Traceback (most recent call last):
            ...
        emberjit.mindrecord.exceptions.ParamValueError: For 'FileWriter', 'shard_num' must be an int ...
    """
