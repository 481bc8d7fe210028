"""Where emberjit's results are not MindSpore 2.10's, and why. It is the source of what help() says of these functions and of
python/docs/deviations.md (tools/tables.py writes it); the tests run the examples."""

from __future__ import annotations

from typing import NamedTuple


class Deviation(NamedTuple):
    """A difference in results."""

    names: str  # public names
    example: str  # an expression
    theirs: str  # what MindSpore gives
    ours: str
    why: str


_NAN = "NaN is above all numbers in every order, and what is the largest or smallest of something with a NaN is NaN"
_KEPT = "a result of what is not a number is not a number: errors must not vanish"
_BETWEEN = "what is between integers is not lost: the result is float32"
_ZERO = "the quotient by zero is 0 for every integer, as NumPy's is"

TABLE = (
    Deviation(
        "ops.sort ops.Sort ops.argsort ops.msort Tensor.sort Tensor.argsort Tensor.msort",
        "ops.sort(Tensor([1.0, nan, 0.0]))",
        "([1, nan, 0], [0, 1, 2])",
        "([0.0, 1.0, nan], [2, 0, 1])",
        _NAN,
    ),
    Deviation(
        "ops.topk ops.TopK Tensor.topk",
        "ops.topk(Tensor([3, 1, 2, 1, 3]), 2)",
        "([3, 3], [4, 0])",
        "([3, 3], [0, 4])",
        "of equals the lower index comes first",
    ),
    Deviation("ops.topk ops.TopK Tensor.topk", "ops.topk(Tensor([1.0, nan, 0.0]), 1)", "([1], [0])", "([nan], [1])", _NAN),
    Deviation(
        "Tensor.max Tensor.min",
        "jit(lambda x: x.max(0))(Tensor([1.0, 2.0]))",
        "2",
        "(2.0, 1)",
        "jit keeps what the function gives without it; set_context(mode=GRAPH_MODE) gives the elements alone, everywhere",
    ),
    Deviation("ops.argmax Tensor.argmax", "ops.argmax(Tensor([1.0, nan, 2.0]), 0)", "2", "1", _NAN),
    Deviation("ops.argmin Tensor.argmin", "ops.argmin(Tensor([1.0, nan, 0.0]))", "2", "1", _NAN),
    Deviation("ops.max Tensor.max", "ops.max(Tensor([1.0, nan, 2.0]), 0)", "(2, 2)", "(nan, 1)", _NAN),
    Deviation("ops.min Tensor.min", "ops.min(Tensor([1.0, nan, 0.0]), 0)", "(0, 2)", "(nan, 1)", _NAN),
    Deviation("ops.amax ops.ReduceMax Tensor.amax", "ops.amax(Tensor([1.0, nan]))", "1", "nan", _NAN),
    Deviation("ops.amin ops.ReduceMin Tensor.amin", "ops.amin(Tensor([1.0, nan]))", "1", "nan", _NAN),
    Deviation("ops.maximum ops.Maximum", "ops.maximum(Tensor([nan]), Tensor([1.0]))", "[1]", "[nan]", _KEPT),
    Deviation("ops.minimum ops.Minimum", "ops.minimum(Tensor([nan]), Tensor([1.0]))", "[1]", "[nan]", _KEPT),
    Deviation("ops.clip ops.clamp Tensor.clip Tensor.clamp", "ops.clip(Tensor([nan]), 0, 1)", "[0]", "[nan]", _KEPT),
    Deviation("ops.relu ops.relu6 ops.ReLU ops.ReLU6 nn.ReLU nn.ReLU6", "ops.relu(Tensor([nan]))", "[0]", "[nan]", _KEPT),
    Deviation("ops.softplus", "ops.softplus(Tensor([nan]))", "[inf]", "[nan]", _KEPT),
    Deviation(
        "ops.softmax ops.Softmax nn.Softmax Tensor.softmax",
        "ops.softmax(Tensor([nan, 0.0]))",
        "[nan, 0]",
        "[nan, nan]",
        _KEPT,
    ),
    Deviation(
        "ops.binary_cross_entropy ops.BinaryCrossEntropy nn.BCELoss",
        "ops.binary_cross_entropy(Tensor([0.0]), Tensor([1.0]))",
        "27.63102",
        "100.0",
        "the logarithm's floor is -100, as mint's, and not log(1e-12)",
    ),
    Deviation("ops.div ops.Div Tensor.div", "ops.div(Tensor([1.0]), Tensor([-0.0]))", "[inf]", "[-inf]", "IEEE 754"),
    Deviation("ops.expm1 ops.Expm1", "ops.expm1(Tensor([-0.0]))", "[0]", "[-0.0]", "IEEE 754"),
    Deviation("ops.log1p ops.Log1p", "ops.log1p(Tensor([-0.0]))", "[0]", "[-0.0]", "IEEE 754"),
    Deviation(
        "ops.floor_div ops.FloorDiv", "Tensor([7, -7]) // 0", "[9223372036854775807, -9223372036854775808]", "[0, 0]", _ZERO
    ),
    Deviation(
        "ops.floor_mod ops.FloorMod", "Tensor([7, -7]) % 0", "[-9223372036854775808, -9223372036854775808]", "[0, 0]", _ZERO
    ),
    Deviation(
        "ops.pow ops.Pow Tensor.pow",
        "ops.pow(Tensor([50000], int32), 2)",
        "[-2147483648]",
        "[-1794967296]",
        "integers wrap, as those of products do",
    ),
    Deviation(
        "Tensor.diag",
        "Tensor([[1, 2], [3, 4]]).diag()",
        "a Tensor of shape (2, 2, 2, 2)",
        "[1, 4]",
        "a matrix has a diagonal, as mint.diag says",
    ),
    Deviation(
        "ops.LpNorm",
        "ops.LpNorm(0, 0)(Tensor([3.0, 0.0]))",
        "2",
        "1.0",
        "the norm of order 0 is how many are not 0, as in ops.norm",
    ),
    Deviation(
        "ops.crop_and_resize ops.CropAndResize",
        "ops.crop_and_resize(Tensor([[[[1.0], [2.0], [3.0]]]]), Tensor([[0.0, 0.0, 0.0, 1.0]]), Tensor([0]), (1, 1))",
        "[[[[0]]]]",
        "[[[[2.0]]]]",
        "one element is read at the middle of the box",
    ),
    Deviation(
        "ops.interpolate ops.upsample nn.Upsample ops.ResizeLinear1D",
        "ops.interpolate(Tensor([[[1.0, 2.0, 3.0]]]), 1, mode='linear')",
        "[[[1]]]",
        "[[[2.0]]]",
        "one element is read at the middle, as for all other sizes and modes",
    ),
    Deviation(
        "ops.hardsigmoid ops.hardswish ops.leaky_relu ops.HSigmoid ops.HSwish nn.LeakyReLU",
        "ops.hardsigmoid(Tensor([0], int32))",
        "[0]",
        "[0.5]",
        _BETWEEN,
    ),
    Deviation(
        "ops.RealDiv ops.tensor_div", "ops.tensor_div(Tensor([1], int32), Tensor([2], int32))", "[0]", "[0.5]", _BETWEEN
    ),
    Deviation("Tensor.std Tensor.var", "Tensor([1, 2], int32).var()", "0.5", "0.25", "the mean of integers need not be one"),
    Deviation("ops.abs ops.absolute ops.Abs", "ops.abs(Tensor([3 + 4j]))", "[5 + 0j]", "[5.0]", "an absolute value is real"),
    Deviation(
        "ops.mean ops.mse_loss ops.l1_loss ops.huber_loss",
        "ops.mean(Tensor([]))",
        "-inf",
        "nan",
        "the mean of nothing is no number",
    ),
    Deviation(
        "ops.cast ops.Cast Tensor.astype Tensor.byte Tensor.char Tensor.short Tensor.int Tensor.long Tensor.bool",
        "ops.grad(lambda x: x.int())(Tensor([1.5]))",
        "[1]",
        "[0.0]",
        "whole numbers change in steps, which have no slope",
    ),
    Deviation(
        "ops.ApplyMomentum",
        "ops.ApplyMomentum(use_nesterov=True)(Tensor([1.0]), Tensor([1.0]), 0.5, Tensor([0.0]), 0.5).value()",
        "[0.75]",
        "[0.875]",
        "Nesterov's step looks ahead by the new momentum, that of nn.Momentum, too; by the old one it is the step without",
    ),
    Deviation("ops.any", "ops.any(Tensor([]))", "True", "False", "nothing is true of nothing"),
    Deviation("ops.mish ops.Mish", "ops.mish(Tensor([100.0]))", "[nan]", "[100.0]", "its power overflows on the way"),
    Deviation(
        "ops.bitwise_left_shift ops.LeftShift",
        "ops.bitwise_left_shift(Tensor([1], int32), Tensor([33], int32))",
        "[2]",
        "[0]",
        "all bits are shifted out",
    ),
    Deviation(
        "ops.cholesky_inverse ops.CholeskyInverse Tensor.cholesky_inverse",
        "ops.cholesky_inverse(Tensor([[1.0, 9.0], [0.0, 1.0]]))",
        "[[1, -9], [-9, 82]]",
        "[[1.0, 0.0], [0.0, 1.0]]",
        "the other triangle is no part of the factor",
    ),
    Deviation(
        "train.RootMeanSquareDistance",
        "train.RootMeanSquareDistance()([[1, 0, 0]], [[0, 0, 1]], 1)",
        "4.0",
        "2.0",
        "the root is taken, as its documentation says",
    ),
    Deviation(
        "train.ROC",
        "train.ROC(2)([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]], [0, 1, 0])[0][0].tolist()",
        "[0.0, 0.0, 1.0]",
        "[0.0, 0.0, 0.0, 1.0]",
        "scores belong to the class of their column, however many samples there are",
    ),
)


class Difference(NamedTuple):
    """A difference that no expression shows."""

    names: str  # public names
    theirs: str
    ours: str
    why: str


FURTHER = (
    Difference(
        "dataset.TextFileDataset dataset.CSVDataset dataset.TFRecordDataset dataset.CLUEDataset",
        "without shuffling, rows of several files alternate, by how many workers there are",
        "files come one after the other, in the order of their names",
        "rows do not depend on the number of workers",
    ),
    Difference(
        "dataset.TextFileDataset", "a line that ends as on Windows keeps its carriage return", "it does not", "it is no text"
    ),
    Difference(
        "dataset.GeneratorDataset dataset.BatchDataset dataset.MapDataset",
        "each worker draws random numbers of its own: what comes depends on how many there are",
        "each row draws by the seed, the epoch and its place",
        "rows do not depend on the number of workers",
    ),
    Difference(
        "dataset.Dataset",
        "parts of split() of what is shuffled overlap, and change with each epoch",
        "they are disjoint, and have the same rows in all epochs",
        "rows that are trained on are not tested with",
    ),
    Difference(
        "dataset.TFRecordDataset dataset.MindDataset",
        "lengths, types and checksums of damaged files are in part not looked at",
        "what is damaged is named",
        "errors must not vanish",
    ),
    Difference(
        "mindrecord.FileWriter",
        "an int beyond int32, or a float beyond float32, is written to a field of these types as another number",
        "the row is left out, with a warning, as one of another type is",
        "numbers that are read are those that were written",
    ),
    Difference(
        "dataset.serialize dataset.deserialize",
        "the JSON has the names and options of its operations in C++; of several steps on one dataset there is none",
        "it has those of the classes and their arguments, and any pipeline but one with a function can be made again",
        "the forms of both belong to what they are made of",
    ),
    Difference(
        "mindrecord.CsvToMR",
        "a row that lacks a text is left out; inf, or a number that is missing, ends the process",
        "the text is empty, the numbers are inf and NaN",
        "rows are not lost",
    ),
    Difference(
        "nn.Cell",
        "hooks of register_parameter_forward_hook are called in graphs alone",
        "they are called wherever construct reads Parameters",
        "a graph gives what Python gives",
    ),
    Difference(
        "_Function",
        "with set_materialize_grads(False) backward is given None for a result from which nothing was computed",
        "it is given zeros; None only for results that have no gradient",
        "the derivative is the same",
    ),
    Difference(
        "dataset.vision.Rotate dataset.vision.RandomRotation",
        "a fill_value of three is taken as blue, green and red",
        "as red, green and blue",
        "as the documentation says, and as in Affine",
    ),
    Difference(
        "dataset.audio.AmplitudeToDB",
        "amin is the least that ref_value is taken as; numbers are taken as 1e-10 at least, whatever it is",
        "it is the least of both",
        "as the documentation says",
    ),
    Difference(
        "dataset.audio.DCShift",
        "of a negative shift with a limiter the lowest samples become positive",
        "they are limited as the highest are of a positive shift",
        "as in SoX, which it is from",
    ),
    Difference(
        "dataset.audio.Spectrogram",
        "with power=0 and onesided=False the second half of the frequencies is the first",
        "it is its complex conjugate",
        "so it is of the transform of real numbers",
    ),
    Difference(
        "dataset.audio.MelSpectrogram dataset.audio.MFCC dataset.audio.LFCC dataset.audio.InverseSpectrogram "
        "dataset.audio.PhaseVocoder",
        "memory is read as if it were float32: of float64 by the first three, of float16 and ints by the others",
        "each dtype is read as what it is",
        "what is computed with must be what is given",
    ),
    Difference(
        "dataset.audio.MFCC dataset.audio.LFCC",
        "melkwargs and speckwargs must have all keys, are changed, and allow two of the pad_modes",
        "those that are not given have their defaults; all pad_modes do",
        "as the documentation says",
    ),
    Difference(
        "dataset.audio.TimeStretch dataset.audio.PhaseVocoder dataset.audio.GriffinLim dataset.audio.InverseMelScale "
        "dataset.audio.SlidingWindowCmn",
        "axes before the last ones are joined or lost, or one is added: at a rate of 1, of four axes, of two, of one frame",
        "axes stay",
        "as the documentation says",
    ),
    Difference(
        "dataset.audio.GriffinLim",
        "with a length that does not fit the number of frames, each step reads frames of other sizes, and beyond them",
        "steps are as long as frames reach; the result is cut, or goes on with zeros",
        "what is computed with must be what is given",
    ),
    Difference(
        "dataset.audio.InverseMelScale",
        "sgd_momentum is not read, and what is negative is set to 0 after the last step",
        "it is read, and no step gives what is negative",
        "as the documentation says; mels of the result are those that are given",
    ),
    Difference(
        "dataset.audio.Vad",
        "nothing triggers, as each measure is 0: what is given is the end of the sound",
        "voices trigger",
        "as in SoX, which it is from",
    ),
    Difference(
        "dataset.audio.LFilter dataset.audio.Filtfilt dataset.audio.Biquad dataset.audio.BassBiquad "
        "dataset.audio.RiaaBiquad",
        "recursions are computed in the array's dtype, and coefficients in part in float32: of float16 little is left",
        "both in float64; coefficients are rounded to float32 but for float64",
        "rounding errors add up over all samples before",
    ),
    Difference(
        "ops.grad ops.value_and_grad ops.GradOperation",
        "the position of an argument that is passed by its name is that in the call",
        "it is that in the function's signature",
        "the order of keywords means nothing",
    ),
    Difference(
        "ops.grad ops.value_and_grad ops.GradOperation",
        "a tuple, list or dict at a position has no gradient in Python, in graphs one if it is mutable(), of get_all too",
        "at a position it has one, in its form; get_all is by the arguments that are Tensors alone",
        "a graph gives what Python gives",
    ),
    Difference(
        "ops.grad ops.value_and_grad ops.GradOperation",
        "a Tensor that is two arguments has the sum of both gradients at each of its positions",
        "each position has its own gradient; a Parameter has one, of all that reads it",
        "it is the derivative by the argument",
    ),
    Difference(
        "ops.assign_add ops.assign_sub ops.scatter_update ops.scatter_nd_update Tensor.add_ Tensor.sub_ "
        "Tensor.mul_ Tensor.copy_",
        "the gradient of the result, though not of the Parameter that was written, flows to what was written",
        "the result is the Parameter, to which nothing flows, as is that of assign",
        "what is written to a Parameter is cut off from it in one way",
    ),
    Difference(
        "ops.GRUV2",
        "on a CPU the results are not those of nn.GRU, and several layers are refused",
        "it computes what nn.GRU does, of any number of layers",
        "its description says so",
    ),
    Difference(
        "ops.ctc_loss nn.CTCLoss",
        "the gradient is that of the logits from which log_softmax made log_probs (as PyTorch's is)",
        "it is the derivative by log_probs themselves; through log_softmax both are the same",
        "a gradient is the derivative by what it is taken of",
    ),
    Difference(
        "train.Model",
        "on a CPU, train(dataset_sink_mode=True, sink_size=n) trains with all of the data in each epoch",
        "an epoch has n batches",
        "as the documentation says",
    ),
)


def documentation(name: str) -> str:
    """What help() of a public name says of it."""
    rows = [one for one in TABLE if name in one.names.split()]
    lines = [f"\n    {one.example} is {one.ours}, in MindSpore {one.theirs}: {one.why}." for one in rows]
    return "\n\nDiffers from MindSpore:" + "".join(lines) if rows else ""
