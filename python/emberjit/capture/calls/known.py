"""What of Python's library and of NumPy is known to only compute from its arguments. A graph holds what such a call returned
and makes no other. Names of modules are without the underscore of their compiled part.
"""

from __future__ import annotations

import collections
import datetime
import enum
import fractions
import functools
import itertools
import operator
import pathlib
import re
import string
import types
import uuid
from typing import Any


def _named(table: dict[str, str]) -> dict[str, frozenset[str]]:
    return {module: frozenset(names.split()) for module, names in table.items()}


# Functions by module, "*": all of them. They call back at most special methods, and what CALLED_BACK says.
FUNCTIONS = _named(
    {
        "abc": "abstractmethod update_abstractmethods",
        "base64": "*",
        "binascii": "*",
        "bisect": "bisect bisect_left bisect_right",
        "builtins": "abs all any ascii bin callable chr divmod format getattr hasattr hash hex id isinstance issubclass "
        "iter len maketrans max min oct ord pow repr round sorted sum",
        "cmath": "*",
        "collections": "_asdict _make _replace",  # of named tuples
        "colorsys": "*",
        "dataclasses": "fields is_dataclass",
        "enum": "*",
        "fractions": "*",
        "functools": "reduce cmp_to_key wraps",
        "heapq": "merge nlargest nsmallest",
        "html": "*",
        "inspect": "isclass isfunction ismethod isbuiltin isroutine cleandoc",
        "itertools": "tee",
        "json": "loads",
        "keyword": "*",
        "math": "*",
        "numbers": "*",
        "posixpath": "basename commonpath commonprefix dirname isabs join normcase normpath split splitdrive splitext",
        "re": "compile escape findall finditer fullmatch match search split sub subn",
        "reprlib": "*",
        "operator": "*",
        "statistics": "fmean geometric_mean harmonic_mean mean median median_grouped median_high median_low mode multimode "
        "pstdev pvariance quantiles stdev variance correlation covariance",
        "string": "capwords",
        "struct": "calcsize pack unpack unpack_from iter_unpack",
        "textwrap": "*",
        "typing": "assert_never assert_type cast get_args get_origin",
        "unicodedata": "*",
        "zlib": "adler32 compress crc32 decompress",
    }
)

# Functions that read their arguments whole, as what classes of the user's say of themselves does not tell.
DEEP = _named({"copy": "copy deepcopy", "dataclasses": "asdict astuple replace", "json": "dumps"})

# The argument that a function changes, by its position.
CHANGES: dict[str, dict[str, int]] = {
    "builtins": dict.fromkeys(("next", "setattr", "delattr"), 0),
    "bisect": dict.fromkeys(("insort", "insort_left", "insort_right"), 0),
    "heapq": dict.fromkeys(("heapify", "heappop", "heappush", "heappushpop", "heapreplace"), 0),
    "operator": {
        **dict.fromkeys(("setitem", "delitem", "iadd", "iand", "ifloordiv", "ilshift", "imatmul", "imod", "imul"), 0),
        **dict.fromkeys(("ior", "ipow", "irshift", "isub", "itruediv", "ixor", "iconcat"), 0),
    },
    "functools": {"update_wrapper": 0, "total_ordering": 0},
    "struct": {"pack_into": 1},
    "typing": {"final": 0, "no_type_check": 0},
}

# Where functions take what they call back: positions and keywords.
CALLED_BACK: dict[tuple[str, str], tuple[Any, ...]] = {
    **dict.fromkeys((("builtins", name) for name in ("map", "filter")), (0,)),
    **dict.fromkeys((("builtins", name) for name in ("sorted", "min", "max", "sort")), ("key",)),
    **dict.fromkeys((("heapq", name) for name in ("merge", "nlargest", "nsmallest")), (2, "key")),
    **dict.fromkeys((("bisect", name) for name in ("bisect", "bisect_left", "bisect_right")), ("key",)),
    **dict.fromkeys((("bisect", name) for name in ("insort", "insort_left", "insort_right")), ("key",)),
    **dict.fromkeys((("itertools", name) for name in ("takewhile", "dropwhile", "filterfalse", "starmap")), (0,)),
    **dict.fromkeys((("re", name) for name in ("sub", "subn")), (0, 1, "repl")),
    ("json", "dumps"): ("default",),
    ("json", "loads"): ("object_hook", "object_pairs_hook", "parse_constant", "parse_float", "parse_int"),
    ("builtins", "iter"): (0,),
    ("collections", "defaultdict"): (0,),
    ("functools", "reduce"): (0,),
    ("functools", "cmp_to_key"): (0,),
    ("itertools", "accumulate"): (1, "func"),
    ("itertools", "groupby"): (1, "key"),
}

# Classes whose instances nobody can change; their methods only compute, but for what UNKNOWN names.
IMMUTABLE: tuple[type, ...] = (
    *(bool, int, float, complex, str, bytes, tuple, frozenset, range, slice),
    *(type(None), type(Ellipsis), type(NotImplemented)),
    *(types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType),
    *(types.ModuleType, types.MappingProxyType, types.GenericAlias, types.CodeType, types.GetSetDescriptorType),
    *(datetime.date, datetime.time, datetime.datetime, datetime.timedelta, datetime.timezone),
    *(fractions.Fraction, uuid.UUID, re.Pattern, re.Match, pathlib.PurePath, enum.Enum),
    *(operator.attrgetter, operator.itemgetter, operator.methodcaller, property, staticmethod, classmethod),
)
UNKNOWN = _named(
    {
        "date": "today fromtimestamp strftime __format__",
        "datetime": "now today utcnow fromtimestamp timestamp astimezone strftime __format__",
        "time": "strftime __format__",
        "PosixPath": "*",
        "WindowsPath": "*",
    }
)

# Methods that only read, of classes whose other methods change their instances.
_SPECIAL = (
    "__class__ __contains__ __dir__ __eq__ __format__ __ge__ __getattribute__ __getitem__ __gt__ __hash__ __iter__ __le__ "
    "__len__ __lt__ __ne__ __repr__ __reversed__ __str__ __sizeof__ __add__ __mul__ __rmul__ __or__ __ror__ __and__ "
    "__rand__ __sub__ __rsub__ __xor__ __rxor__ __missing__ __copy__ __class_getitem__ __length_hint__ "
)
_DICT = "copy fromkeys get items keys values "
_BYTES = " ".join(name for name in dir(bytes) if not name.startswith("_"))
READS: dict[type, frozenset[str]] = {
    cls: frozenset((_SPECIAL + names).split())
    for cls, names in {
        object: "__new__ __init_subclass__ __subclasshook__",
        list: "copy count index",
        dict: _DICT,
        set: "copy difference intersection isdisjoint issubset issuperset symmetric_difference union",
        bytearray: _BYTES,
        collections.deque: "copy count index",
        collections.OrderedDict: _DICT,
        collections.defaultdict: _DICT,
        collections.Counter: _DICT + "elements most_common total",
        memoryview: "tobytes tolist hex cast toreadonly",
        collections.UserDict: _DICT,
        collections.ChainMap: _DICT + "new_child parents",
        collections.UserList: "copy count index",
        string.Template: "substitute safe_substitute",
        type: "mro __instancecheck__ __subclasscheck__ __prepare__ __call__",
    }.items()
}

# Classes that may be instantiated: what the constructor is given it only reads.
CLASSES = frozenset(
    [
        *(bool, int, float, complex, str, bytes, bytearray, tuple, list, dict, set, frozenset, range, slice, object, type),
        *(enumerate, filter, map, reversed, zip, super, property, staticmethod, classmethod, memoryview),
        *(cls for cls in vars(itertools).values() if isinstance(cls, type)),
        *(collections.deque, collections.OrderedDict, collections.defaultdict, collections.Counter, collections.ChainMap),
        *(collections.UserDict, collections.UserList, collections.UserString, types.SimpleNamespace, types.MappingProxyType),
        *(types.MethodType, datetime.date, datetime.time, datetime.datetime, datetime.timedelta, datetime.timezone),
        *(fractions.Fraction, uuid.UUID, pathlib.PurePath, pathlib.PurePosixPath, string.Template, functools.partial),
        *(operator.attrgetter, operator.itemgetter, operator.methodcaller),
    ]
)
_NUMPY_FUNCTIONS = """
absolute all allclose amax amin angle any append arange argmax argmin argpartition argsort argwhere around array
array_equal array_equiv array_split asanyarray asarray asarray_chkfinite
ascontiguousarray asfortranarray astype atleast_1d atleast_2d atleast_3d average bartlett base_repr binary_repr bincount
blackman block bmat broadcast_arrays broadcast_shapes broadcast_to can_cast choose clip column_stack common_type
compress concat concatenate convolve copy corrcoef correlate count_nonzero cov cross cumprod cumsum cumulative_prod
cumulative_sum delete diag diag_indices diag_indices_from diagflat diagonal diff digitize dot dsplit dstack ediff1d
einsum einsum_path empty empty_like expand_dims extract eye fix flatnonzero flip fliplr flipud format_float_positional
format_float_scientific frombuffer fromiter fromstring full full_like geomspace gradient hamming hanning histogram
histogram2d histogram_bin_edges histogramdd hsplit hstack i0 identity imag in1d indices inner insert interp intersect1d
isclose iscomplex iscomplexobj isdtype isfortran isin isneginf isposinf isreal isrealobj isscalar issubdtype iterable
ix_ kaiser kron lexsort linspace logspace mask_indices matrix_transpose max may_share_memory mean median meshgrid min
min_scalar_type mintypecode moveaxis nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin
nanpercentile nanprod nanquantile nanstd nansum nanvar ndim nonzero ones ones_like outer packbits pad partition
percentile permute_dims poly polyadd polyder polydiv polyfit polyint polymul polysub polyval prod product promote_types
ptp quantile ravel ravel_multi_index real real_if_close repeat require reshape resize result_type roll rollaxis roots
rot90 round row_stack searchsorted select setdiff1d setxor1d shape shares_memory sinc size sort sort_complex split
squeeze stack std sum swapaxes take take_along_axis tensordot tile trace transpose trapezoid trapz tri tril tril_indices
tril_indices_from trim_zeros triu triu_indices triu_indices_from typename union1d unique unique_all unique_counts
unique_inverse unique_values unpackbits unravel_index unstack unwrap vander var vdot vsplit vstack where zeros
zeros_like cholesky cond det eig eigh eigvals eigvalsh inv lstsq matmul matrix_norm matrix_power matrix_rank multi_dot
norm pinv qr slogdet solve svd svdvals tensorinv tensorsolve vecdot vector_norm fft fft2 fftfreq fftn fftshift hfft ifft
ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft rfft2 rfftfreq rfftn finfo iinfo dtype ndarray
"""
_NUMPY_METHODS = """
all any argmax argmin argpartition argsort astype byteswap choose clip compress conj conjugate copy cumprod cumsum
diagonal dot flatten getfield item max mean min newbyteorder nonzero prod ptp ravel repeat reshape round searchsorted
squeeze std sum swapaxes take tobytes tolist trace transpose var view accumulate outer reduce reduceat is_integer
as_integer_ratio fill itemset partition put resize setfield sort hex fromhex
"""
NUMPY_FUNCTIONS = frozenset(_NUMPY_FUNCTIONS.split())
NUMPY_METHODS = frozenset(_NUMPY_METHODS.split())
