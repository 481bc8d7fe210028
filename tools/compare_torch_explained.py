"""Where mint, or a method, is meant to differ from PyTorch, and why: MindSpore's documentation or results say so, or what
PyTorch does only happens to be so."""

from __future__ import annotations

import fnmatch
import re
from typing import NamedTuple


class Explanation(NamedTuple):
    """A meant difference."""

    labels: str  # patterns of functions
    text: str  # a regular expression, of the call and what differs
    reason: str


_METHOD = "the method is MindSpore's, which defines it so"
_NUMBER = "numbers are taken as Tensors without axes"
_TIES = "of equals the lower index comes first"
_PAIR = r"(float16|bfloat16|complex64|float64|u?int8)\[[\d, ]+\].*(float16|bfloat16|complex64|float64|u?int8)\[\].*: dtype"

TABLE = (
    Explanation("*", _PAIR, "a Tensor without axes takes part in the promotion of dtypes as others do"),
    Explanation("*", r"not TypeError: .*(must be Tensor, not|invalid combination of arguments)", _NUMBER),
    Explanation("*", r"out=.*: gives", "there is no parameter out"),
    Explanation("*add*mm *addmv *addr", r"u?int.*(beta|alpha)=0\.\d.*: dtype float32", "int * float is a float"),
    Explanation("*addr", "bool.*beta=3.*: dtype int64", "bool * int is an int"),
    Explanation("*addr", r"nan.*beta=0\.0", "nan * 0 is nan"),
    Explanation("*.all *.any", "uint8.*: dtype bool, not uint8", "the result is of bools"),
    Explanation("*.cumsum *.einsum *.nansum *.sum_to_size", "(int32|uint8|bool).*: dtype", "the dtype stays the input's"),
    Explanation("*.cholesky*", "gradient result .: values", "what is not read, or not Hermitian, has gradient 0"),
    Explanation("*.kthvalue *.topk *.sort *.argsort", r"u?int.*values: ", _TIES),
    Explanation("Tensor.topk Tensor.*sort Tensor.argmin Tensor.cummin Tensor.count_nonzero", "dtype int32", _METHOD),
    Explanation("Tensor.multinomial", "dtype int32", _METHOD),
    Explanation("Tensor.bincount", "dtype (float32|int32|int64|uint8), not", _METHOD),
    Explanation("Tensor.median Tensor.nanmedian", "not a Tensor|shape of sens", _METHOD),
    Explanation("Tensor.unfold Tensor.norm Tensor.aminmax", "", _METHOD),
    Explanation("Tensor.std Tensor.var", r"\[[\d, ]+\]\): |\], (True|False)\)", _METHOD),
    Explanation("Tensor.trace", r"\[3, 4, 5\]", "the method takes the traces of stacked matrices"),
    Explanation("Tensor.tensor_split", r"int64\[3\]", "indices are ints"),
    Explanation("Tensor.cov", "b?float16.*: dtype float32", "weighted covariances are of float32"),
    Explanation("Tensor.cov", "weights cannot be negative", "MindSpore does not ask"),
    Explanation("Tensor.masked_scatter", r"cannot be stretched", "the mask broadcasts to the Tensor, not the Tensor to it"),
    Explanation("Tensor.heaviside", "bool.*dtype int64", "MindSpore has no heaviside of bools"),
    Explanation("Tensor.heaviside Tensor.igamma Tensor.igammac", "values: .*, nan not", "what is not a number stays so"),
    Explanation("Tensor.mvlgamma", "values: .*, nan not", "NaN where the function has no value"),
    Explanation("Tensor.i0", "inf not nan", "the limit, as SciPy's"),
    Explanation("*.add* *.sub*", r"complex64.*\(inf\+infj\) not \(nan", "PyTorch multiplies by alpha = 1"),
    Explanation("*.addcdiv", "float64.*bfloat16.*float32.*values", "each op is in the dtype of its operands"),
    Explanation("Tensor.angle", "3.1415.* not 0.0", "the angle of -0 is pi, as NumPy's"),
    Explanation("*pow*", "complex.*values: ", "0 to the power of 0 is 1; the sign of what overflows"),
    Explanation("Tensor.__radd__ Tensor.__rsub__", r"infj\) not \(nan", "PyTorch multiplies by alpha = 1"),
    Explanation("Tensor.nextafter", "float16.*: dtype float32", "MindSpore has it of float32 and float64"),
    Explanation("Tensor.ldexp", "float16.*float16.*values|complex64.*values", "the power of 2 is of the result's dtype"),
    Explanation("mint.cat mint.concat", r"\[0\]=\[\].*(out of range|must agree)", "an empty vector fits vectors only"),
    Explanation("*.gather", r"\[2, 0\].*do not fit", "indices have as many axes as the input"),
    Explanation("mint.nn.functional.batch_norm", r"float\d\d\[0\]", "channels are an axis of their own"),
    Explanation("*.avg_pool*", "divisor_override|(padding|stride)' must be an int", "sizes are as documented"),
    Explanation("mint.var* mint.std*", r"\], (True|False)\)", "there is no parameter unbiased"),
    Explanation("*.mean", r"int64.*: gives int64", "means of ints are ints"),
    Explanation("mint.arange", r"dtype=torch.u?int", "the numbers are computed before they are converted"),
    Explanation("mint.normal", "b?float16.*: dtype float32", "normal numbers are of float32"),
    Explanation("mint.maximum mint.minimum", "Dimension out of range", "it is not max of an axis"),
    Explanation("*.roll", r"\[\]\)|\[2, 1\], 0\)", "shifts and axes broadcast"),
    Explanation("*.max_unpool2d", "gradient", "of several elements that go to one place only the last counts"),
    Explanation("Tensor.equal", "not (True|False)", _METHOD),
    Explanation("Tensor.cov", r"gradient.*aweights=float32|aweights=float32.*gradient", "PyTorch's weights stay in float32"),
    Explanation("mint.linalg.*norm", "no elements", "nothing has no largest element"),
    Explanation("*.grid_sample", r"float32\[2, 3, 345", "positions in large images round in float32"),
    Explanation("*.narrow", "bool.*: gives", "a bool is an int"),
    Explanation("*.index_select", r"\[\]=.*(shape \(1,\), not \(\)|should be \(1,\))", "vectors of indices select vectors"),
    Explanation("*.div* *.floor_divide", r"\(-?[\d.]+, -?[\d.]+.*, not a Tensor", "of numbers the result is a number"),
    Explanation("*.div* *.floor_div*", "float64.*float64.*values", "the floor of the rounded quotient, as MindSpore's"),
    Explanation("*.histc", "float16.*: values", "bins of half dtypes are found in float32"),
)  # fmt: skip


def explanation(label: str, line: str) -> str:
    """The reason of a difference, if it is meant."""
    rows = (one for one in TABLE if any(fnmatch.fnmatch(label, name) for name in one.labels.split()))
    return next((one.reason for one in rows if re.search(one.text, line)), "")
