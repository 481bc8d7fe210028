"""Errors of MindRecord files."""

from __future__ import annotations


class MindRecordException(Exception):
    """The base of the others."""


class MRMInvalidSchemaError(MindRecordException):
    """A schema has something that none may have."""


class MRMDefineIndexError(MindRecordException):
    """An index is of fields that cannot have one."""


class MRMOpenError(MindRecordException):
    """A file cannot be opened."""


class MRMGetMetaError(MindRecordException):
    """A file is no MindRecord file."""


class PathNotExistsError(MindRecordException):
    """There is no such file or folder."""


class ParamTypeError(MindRecordException, TypeError):
    """An argument is of a wrong type."""


class ParamValueError(MindRecordException, ValueError):
    """An argument has a wrong value."""
