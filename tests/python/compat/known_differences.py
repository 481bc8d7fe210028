"""Why emberjit's results of recorded calls (test_mindspore.py) may differ from MindSpore's: rules for all names, and a
list. What users meet of them is in emberjit/deviations.py."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from emberjit import deviations


def raises(found: Any) -> bool:
    return isinstance(found, str) and found[:1] == "!"


def is_tensor(found: Any) -> bool:
    return len(found) == 3 and isinstance(found[0], str) and found[0].isalnum() and isinstance(found[1], list)


def tensors(found: Any) -> list[Any]:
    if not isinstance(found, list):
        return []
    return [found] if is_tensor(found) else [one for item in found for one in tensors(item)]


def is_random(want: Any) -> bool:
    """Whether MindSpore gave something else the second time."""
    return any(one[2] is None for one in tensors(want))


def differ_in(got: Any, want: Any, dtypes: bool, equal: Callable[[float, float], bool]) -> bool:
    """Whether the parts of results have equal shapes and elements, and dtypes unless these may differ."""
    pairs = list(zip(tensors(got), tensors(want)))
    return bool(pairs) and all(
        g[1] == w[1] and (dtypes or g[0] == w[0]) and w[2] is not None and all(map(equal, g[2], w[2])) for g, w in pairs
    )


def _near(a: float, b: float) -> bool:
    return a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= 2e-3 * (1 + abs(b))


def _near_or_nan(a: float, b: float) -> bool:
    return math.isnan(a) or math.isnan(b) or _near(a, b)


def name_of(text: str) -> str:
    """The public name that a recorded call is of."""
    inner = re.sub(r"^(grad\(lambda x_: |stepped\()", "", text)
    if found := re.match(r"(?:ops|mint|numpy|nn|scipy)(?:\.\w+)+", inner):
        return found[0]
    depth, at = 0, 0
    for i, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        at = i if char == "." and depth == 0 else at
    found = re.match(r"\.(\w+)\(", text[at:])
    return f"Tensor.{found[1]}" if found else text


def short_name(text: str) -> str:
    return name_of(text).rpartition(".")[2]


def names_of(text: str) -> set[str]:
    """The names by which the list has a call."""
    short = short_name(text)
    return {f"grad_{short}"} if text.startswith("grad(") else {name_of(text), short}


# Of calls with an argument of a wrong kind, with an axis out of range, with elements that are no numbers.
WRONG_KIND = re.compile(r"'no'|\bobject\b")
WRONG_AXIS = re.compile(r"(?<!of)(?<!of=\(\d\.\d,)(?<!of=\(\d,)[(= ]9\)")
SPECIAL = re.compile(r"\b(nan|inf)\(")
_INTERNAL = (
    "!RuntimeError",
    "!SystemError",
    "!AssertionError",
    "!NotImplementedError",
    "!SyntaxError",
    "!UnboundLocalError",
)
_OF_KINDS = ("!TypeError", "!AttributeError")
_OF_VALUES = ("!ValueError", "!IndexError", "!KeyError", "!ZeroDivisionError", "!MemoryError")
NOT_ON_CPU = {"!absent", "!unsupported", "!crash", "!hang", *_INTERNAL}
_EQUAL = (("!ValueError", "!IndexError"), ("!IndexError", "!ValueError"), ("!AttributeError", "!TypeError"))
_ORDER = {name.rpartition(".")[2].lower() for one in deviations.TABLE if "nan" in one.example for name in one.names.split()}
_ORDER |= {"argmax_with_value", "argmin_with_value", "argmaxwithvalue", "argminwithvalue", "maxpoolwithargmaxv2"}
# Beside those of numpy: small integers, halves and float64 are not widened or narrowed.
_KEEPING = """trapz cov cond histc Histogram polygamma Polygamma hamming_window UnravelIndex RGBToHSV addbmm matrix_solve any
MatrixSolve LayerNorm AdaptiveMaxPool3D trace lu solve_triangular"""
RULES: tuple[tuple[str, Callable[[str, Any, Any], bool]], ...] = (
    ("MindSpore does not have the name", lambda text, got, want: want == "!absent"),
    ("MindSpore has no kernel for a CPU", lambda text, got, want: want == "!unsupported"),
    ("MindSpore crashes or hangs", lambda text, got, want: want in ("!crash", "!hang")),
    ("MindSpore fails within, where it checks nothing", lambda text, got, want: want in _INTERNAL),
    (
        "emberjit takes more dtypes and kinds of operands, and keywords of all names of a function",
        lambda text, got, want: want in _OF_KINDS and not raises(got) and WRONG_KIND.search(text) is None,
    ),
    (
        "emberjit gives a meaning to shapes, empty operands and values that MindSpore refuses",
        lambda text, got, want: want in _OF_VALUES and not raises(got) and WRONG_AXIS.search(text) is None,
    ),
    (
        "emberjit takes the kind of an argument, or an empty operand, and refuses its value or shape",
        lambda text, got, want: want in _OF_KINDS and got in _OF_VALUES and WRONG_KIND.search(text) is None,
    ),
    (
        "emberjit refuses the kind of an operand before its value or shape",
        lambda text, got, want: want in _OF_VALUES and got == "!TypeError" and WRONG_AXIS.search(text) is None,
    ),
    (
        "emberjit checks the kind of every argument",
        lambda text, got, want: got == "!TypeError" and WRONG_KIND.search(text) is not None,
    ),
    (
        "IndexError is the ValueError of an index, and what lacks a method is of a wrong kind",
        lambda text, got, want: (want, got) in _EQUAL,
    ),
    (
        "MindSpore's result changes from call to call: it is of memory that nothing was written to",
        lambda text, got, want: is_random(want) and raises(got),
    ),
    (
        "a result of what is not a number is not a number, and MindSpore's of infinities is often not one",
        lambda text, got, want: SPECIAL.search(text) is not None and differ_in(got, want, False, _near_or_nan),
    ),
    (
        "in MindSpore a NaN is below or above all numbers, by the function",
        lambda text, got, want: "nan(" in text and short_name(text).lower() in _ORDER,
    ),
    (
        "the mean of nothing is NaN, in MindSpore infinite",
        lambda text, got, want: differ_in(got, want, False, lambda a, b: math.isnan(a) and math.isinf(b)),
    ),
    (
        "emberjit keeps the dtype of what it computes from, as NumPy does",
        lambda text, got, want: (
            (name_of(text).startswith("numpy.") or short_name(text) in _KEEPING.split())
            and differ_in(got, want, True, _near)
        ),
    ),
)
INTEGER = r"\b([iu]\d+|b1)\("
BOOL = r"\bb1\("
HALF = r"\bf16\("
COMPLEX = r"\bc(64|128)\("
NONE = r"\b\w\d+\([^()]*\b0\b|combinations"
WITHOUT_AXES = r"[fi]32\(\)"
ANY = ""
# Reasons, for names with their scopes or without, in calls whose texts have something; a gradient's begin with grad_.
_TABLE = (
    (
        "integers stay integers in MindSpore, and what is between them is lost; emberjit gives floats",
        INTEGER,
        """hardsigmoid HSigmoid Hardsigmoid hardswish HSwish Hardswish leaky_relu LeakyReLU RealDiv tensor_div
        addcdiv numpy.reciprocal numpy.exp2 numpy.clip numpy.average numpy.polyint numpy.mean clip_by_norm""",
    ),
    ("MindSpore's mean of integers is an integer", INTEGER, "std var l1_loss L1Loss MAELoss RMSELoss"),
    (
        "absolute values of complex numbers are real; in MindSpore complex ones with a zero imaginary part",
        COMPLEX,
        """abs absolute Abs norm vector_norm matrix_norm slogdet log_matrix_determinant LogMatrixDeterminant fabs l1_loss
        L1Loss MAELoss RMSELoss""",
    ),
    (
        "MindSpore drops imaginary parts, or computes with real ones",
        COMPLEX,
        """numpy.convolve numpy.polymul numpy.rot90 numpy.fliplr numpy.flip numpy.flipud numpy.diff numpy.ediff1d cond
        trapz numpy.trapz numpy.true_divide numpy.divide numpy.cov numpy.corrcoef numpy.float_power numpy.cumprod
        numpy.gradient numpy.histogram_bin_edges numpy.divmod numpy.ceil numpy.trunc numpy.fix SquaredDifference numpy.isin
        numpy.in1d numpy.sign""",
    ),
    (
        "complex numbers have no order or remainder, and these functions are not of them",
        COMPLEX,
        """floor_div floordiv tensor_floordiv FloorDiv floor_divide floor_divide_ remainder remainder_ div divide div_ sinc
        Sinc glu GLU logsigmoid unsorted_segment_max unsorted_segment_min UnsortedSegmentMax UnsortedSegmentMin mse_loss
        nll_loss NLLLoss PoissonNLLLoss RMSELoss numpy.hypot numpy.logaddexp numpy.logaddexp2 ihfft ihfft2 ihfftn rfft
        rfft2 rfftn numpy.mod numpy.fmod numpy.remainder multilabel_soft_margin_loss MultiLabelSoftMarginLoss""",
    ),
    (
        "bools are no numbers: emberjit says so, or counts them as int64",
        BOOL,
        """add sub subtract floor_div floordiv tensor_floordiv FloorDiv floor_divide floor_divide_ remainder remainder_ fmod
        gcd lcm Gcd Lcm frac sinc Sinc xlogy l1_loss L1Loss MAELoss TripletMarginWithDistanceLoss approximate_equal
        numpy.mod numpy.remainder numpy.convolve numpy.polymul numpy.cross numpy.ix_ numpy.polyval numpy.polyder numpy.nansum
        numpy.nanmean numpy.nanvar numpy.nanstd""",
    ),
    (
        "losses, norms and activations are of floating point",
        INTEGER + "|" + COMPLEX,
        """selu SeLU nll_loss NLLLoss lp_pool1d lp_pool2d LPPool1d LPPool2d huber_loss HuberLoss cosine_embedding_loss
        CosineEmbeddingLoss margin_ranking_loss MarginRankingLoss gaussian_nll_loss GaussianNLLLoss numpy.unwrap
        mse_loss""",
    ),
    ("floats are not counted, and have no divisors", r"\bf\d\d\(", "bincount numpy.gcd numpy.lcm"),
    ("integers wrap, as products do", r"\bu8\(", "numpy.lcm numpy.polyval"),
    ("the cube root of 0 is 0", INTEGER, "numpy.cbrt"),
    ("numpy.indices is one Tensor, as NumPy's", ANY, "numpy.indices"),
    (
        "decompositions are of float32 and float64, of which float16 is no substitute",
        HALF,
        """qr Qr cholesky Cholesky cholesky_inverse CholeskyInverse det matrix_determinant MatrixDeterminant slogdet
        log_matrix_determinant LogMatrixDeterminant lstsq Lstsq matrix_solve MatrixSolve logdet""",
    ),
    ("the other triangle of a factor is not read", ANY, "cholesky_inverse CholeskyInverse"),
    ("eigenvalues are in no order, and eigenvectors that are not asked for are empty", ANY, "eigvals eig Eig Svd"),
    (
        "an axis of a Tensor without axes is out of range",
        WITHOUT_AXES,
        """log_softmax softmax Softmax argmax argmin max min argmax_with_value argmin_with_value transpose swapaxes permute
        TransposeExtView LpNorm outer addr SubAndFilter""",
    ),
    ("what is written in place keeps its shape", ANY, "add_ sub_ mul_ div_ floor_divide_ remainder_"),
    (
        "a Tensor is no axis, and no number of bins",
        r"Tensor\(",
        """sum log_softmax transpose gather select numpy.apply_over_axes bucketize inplace_add inplace_sub slice_scatter
        histc matrix_norm norm""",
    ),
    ("empty memory is 0", ANY, "new_empty empty_like"),
    (
        "MindSpore reads operands that broadcast, or are empty, beyond their ends, or as they are not",
        ANY,
        """cross Cross binary_cross_entropy BinaryCrossEntropy BCELoss Polar polar mv Pad unique numpy.setdiff1d
        numpy.intersect1d ROIAlign ClipByNorm Median ReduceProd scipy.linalg.block_diag choose""",
    ),
    (
        "MindSpore gives one empty part, or none, of what is empty, or another neutral element",
        NONE,
        """tensor_split vsplit chunk combinations any LpNorm nansum numpy.nansum numpy.nanmax numpy.nanmin BCELoss
        numpy.meshgrid DiagPart Split numpy.polyadd numpy.polysub numpy.polyder numpy.polyint scipy.linalg.lstsq mean
        EmbeddingLookup numpy.bincount numpy.histogram_bin_edges numpy.histogram2d""",
    ),
    ("MindSpore's ReduceSum with skip_mode fills its result", ANY, "ReduceSum"),
    ("what is not asked for is not given; MindSpore's is not set", ANY, "UniqueConsecutive"),
    (
        "a NaN among boundaries is above all numbers, and elements that are not finite have no range",
        r"(nan|inf)\(",
        """searchsorted SearchSorted LowerBound UpperBound histc Histogram numpy.histogram numpy.histogram2d RGBToHSV cond
        numpy.histogramdd""",
    ),
    ("of equals the lower index comes first", ANY, "topk TopK top_k"),
    ("MindSpore's powers overflow on the way", ANY, "mish Mish"),
    (
        "shifts by the width of a number or more give 0 or -1",
        ANY,
        "bitwise_right_shift bitwise_left_shift RightShift LeftShift",
    ),
    ("MindSpore's weights are rounded to 1024ths", ANY, "ResizeBicubic grad_ResizeBicubic"),
    ("MindSpore computes the norm of order 2 only", ANY, "clip_by_norm Tensor.norm"),
    (
        "operands of losses are of one shape",
        ANY,
        """gaussian_nll_loss GaussianNLLLoss cosine_embedding_loss CosineEmbeddingLoss multilabel_soft_margin_loss
        MultiLabelSoftMarginLoss""",
    ),
    ("MindSpore's gives no value", ANY, "tail tuple_to_array"),
    ("what is to be multiplied or written is so, along an axis that is an int", r"'(multiply|none)'|\(Tensor\(", "scatter"),
    ("sums of integers keep their dtype", ANY, "bidense"),
    ("it is a penalty of floating numbers, in float32", ANY, "L1Regularizer"),
    ("whole numbers are int64", ANY, "Range"),
    ("sizes below 0 are unknown", ANY, "is_sequence_value_unknown"),
    ("the spread of nothing is NaN", ANY, "ReduceStd"),
    ("the spread of nothing along an axis keeps the others", r"^t\(f32\(0, 3, 4\)\)", "std var"),
    ("elements of one place are added wherever they stand", ANY, "coalesce Coalesce grad_coalesce grad_Coalesce"),
    ("bool_not gives a bool", ANY, "bool_not"),
    (
        "MindSpore's kernels start from 0, or from the largest finite number",
        ANY,
        "MaxPool3DWithArgmax unsorted_segment_min UnsortedSegmentMin CumulativeLogsumexp",
    ),
    ("MindSpore's CPU kernel knows no half_pixel_centers", ANY, "ResizeNearestNeighbor"),
    ("sums in float16 are rounded otherwise", HALF, "LayerNorm CTCLoss RGBToHSV"),
    ("of values of one place all count", ANY, "SparseToDense"),
    ("requires_grad_ gives the Tensor, so that calls follow it", ANY, "requires_grad_"),
    ("the root of a negative variance is NaN", ANY, "ApplyCenteredRMSProp"),
    ("MindSpore adds the threshold to what is negative", ANY, "ApplyAdagradDA"),
    ("a gradient of 0 counts in the average of squares", ANY, "SparseApplyRMSProp"),
    ("MindSpore's edges are of float32, and leave the largest element out", r"f64\(", "numpy.histogram numpy.histogram2d"),
    ("float16 has a sign", HALF, "is_signed"),
    ("a Tensor to which an array is added adds it, so that gradients flow", r"^np\.", "ones"),
    ("a Tensor is a stack of its slices, as in NumPy", ANY, "numpy.hstack numpy.dstack numpy.column_stack numpy.vstack"),
    ("an axis out of range is refused", WRONG_AXIS.pattern, "numpy.stack"),
    ("what MindSpore reserves for its gradient is not given", ANY, "LSTM"),
    ("factors of what is not finite are NaN", r"(nan|inf)\(", "lu_factor lu"),
    (
        "MindSpore's gradient of several results leaves some out",
        ANY,
        "grad_LayerNorm grad_SoftmaxCrossEntropyWithLogits grad_CTCLossV2 grad_LSTM",
    ),
    (
        "MindSpore's gradient is not the function's",
        ANY,
        """grad_selu grad_SeLU grad_real grad_Real grad_polar grad_Polar grad_EmbeddingLookup grad_gather grad_Gather
        grad_index_select grad_inplace_update grad_InplaceUpdate grad_InplaceUpdateV2 grad_inplace_add grad_InplaceAdd
        grad_inplace_sub grad_InplaceSub grad_iou grad_IOU grad_RGBToHSV grad_assign grad_Assign grad_fliplr grad_interp
        grad_cholesky_inverse grad_CholeskyInverse grad_OneHot grad_one_hot""",
    ),
    ("a mean of integers is a float", r"\b[iu](8|16|32|64)\(", "nn.MSELoss"),
    ("of nothing the sum is 0, the mean NaN and the overlap whole", r"\(0, 3\)", "SquareSumAll Moments DiceLoss"),
    ("float16 is computed as float32", r"f16\(", "nn.LGamma"),
    ("complex numbers have no greatest common divisor", r"c64\(", "numpy.gcd"),
    ("other dtypes are refused", r"\b(b1|c64|i32|i64)\(", "ImageGradients DiceLoss nn.MSELoss"),
    ("bools are packed as numbers are, the first in the highest bit", r"b1\(", "CompareAndBitpack"),
    (
        "random numbers of a seed are emberjit's own",
        ANY,
        """UniformReal StandardNormal random_categorical RandomChoiceWithMask choice_with_mask MultinomialWithReplacement
        RandomCategorical RandomShuffle multinomial_with_replacement UniformInt randint randperm
        StandardLaplace RandpermV2 NonDeterministicInts FractionalMaxPool FractionalAvgPool""",
    ),
)
KNOWN = tuple((reason, re.compile(pattern), frozenset(names.split())) for reason, pattern, names in _TABLE)


# Declared names of which less than two results are recorded, where MindSpore has them and computes them on a CPU.
NOT_RECORDED = {
    "what a Tensor's storage, hooks and flags are is no result": """Tensor.register_hook Tensor.assign_value_cpp
    Tensor.data_sync Tensor.delete_ Tensor.flush_from_cache Tensor.init_data Tensor.is_init Tensor.is_shared Tensor.move_to
    Tensor.offload Tensor.offload_file_path Tensor.pin_memory Tensor.remove_hook Tensor.set_ Tensor.set_cast_dtype
    Tensor.getitem_index_info Tensor.setitem_index_info
    Tensor.set_const_arg Tensor.set_device_address Tensor.set_init_flag Tensor.set_param_info Tensor.storage Tensor.to_
    Tensor.untyped_storage Tensor.wait_pipeline""",
    "it acts, and gives nothing": """ops.NPUClearFloatStatus ops.Print ops.PyFunc ops.print_ ops.Assert ops.Custom
    ops.HistogramSummary ops.ImageSummary ops.ScalarSummary ops.TensorSummary""",
    "it is of several processes or devices": """ops.Barrier ops.BatchISendIRecv ops.MoveTo ops.NeighborExchange
    ops.NeighborExchangeV2 ops.Receive ops.Send ops.move_to""",
    "it is held to differences, by test_backward.py": """ops.AdaptiveMaxPool2DGrad ops.AdaptiveMaxPool3DGrad
    ops.BatchNormGrad ops.BatchNormGradGrad ops.FractionalAvgPoolGrad ops.FractionalMaxPool3DGradWithFixedKsize
    ops.FractionalMaxPoolGrad ops.FractionalMaxPoolGradWithFixedKsize ops.GroupNormGrad ops.LayerNormGradGrad
    ops.MaskedSelectGrad ops.MaxPool3DGradWithArgmax ops.MaxPoolGradGradWithArgmax ops.MaxPoolGradWithArgmax
    ops.MaxPoolGradWithArgmaxV2 ops.MaxUnpool2DGrad ops.MaxUnpool3DGrad ops.PSROIPoolingGrad ops.ResizeV2Grad
    ops.ConcatOffset""",
    "test_distributions.py and test_optimizer_steps.py hold it to its definition": """
    ops.FusedAdaFactor ops.FusedAdaFactorWithGlobalNorm ops.LogUniformCandidateSampler ops.ParameterizedTruncatedNormal
    ops.TruncatedNormal ops.Uniform ops.UniformCandidateSampler ops.log_uniform_candidate_sampler
    ops.uniform_candidate_sampler""",
    "it is of an accelerator": """ops.ReshapeAndCache ops.fused_infer_attention_score
    ops.incre_flash_attention ops.prompt_flash_attention ops.FusedCastAdamWeightDecay
    ops.multi_scale_deformable_attn_function""",
    "MindSpore's method has another object": "Tensor.eigvals",
    "MindSpore has it in a private module alone": "ops.GRUV2",
    "MindSpore refuses all but a few sizes and kinds": "nn.IGamma nn.PSNR",
    "it is random, or of the state of an optimizer": """ops.NonDeterministicInts ops.SampleDistortedBoundingBoxV2
    ops.SparseApplyFtrlV2""",
    "one is enough of what few forms are taken of": """ops.RandpermV2 ops.Cauchy ops.Gamma ops.Poisson
    ops.laplace ops.poisson ops.SGD ops.SparseApplyAdagrad ops.SparseApplyRMSProp ops.AdamNoUpdateParam ops.ApplyFtrl
    ops.FusedWeightScaleApplyMomentum""",
}


def reason_for(text: str, got: Any, want: Any) -> str | None:
    """Why a result may be another than MindSpore's."""
    for reason, applies in RULES:
        if applies(text, got, want):
            return reason
    names = names_of(text)
    return next((reason for reason, pattern, of in KNOWN if names & of and pattern.search(text)), None)
