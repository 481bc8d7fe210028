# Written by tools/stubs.py from the declarations.
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor
from emberjit._emberjit import dtype as _DType
from emberjit.nn.cell import Cell as Cell
from emberjit.nn import cell as cell
from emberjit.nn.cell import register_cell_buffer_registration_hook as register_cell_buffer_registration_hook
from emberjit.nn.cell.graph_cell import GraphCell as GraphCell
from emberjit.nn.distributed import DistributedGradReducer as DistributedGradReducer
from emberjit.nn.distributed import GetNextSingleOp as GetNextSingleOp
from emberjit.nn.distributed import PipelineGradReducer as PipelineGradReducer
from emberjit.nn.distributed import VirtualDatasetCellTriple as VirtualDatasetCellTriple
from emberjit.nn.dynamic_lr import cosine_decay_lr as cosine_decay_lr
from emberjit.nn import dynamic_lr as dynamic_lr
from emberjit.nn.dynamic_lr import exponential_decay_lr as exponential_decay_lr
from emberjit.nn.dynamic_lr import inverse_decay_lr as inverse_decay_lr
from emberjit.nn.dynamic_lr import natural_exp_decay_lr as natural_exp_decay_lr
from emberjit.nn.dynamic_lr import piecewise_constant_lr as piecewise_constant_lr
from emberjit.nn.dynamic_lr import polynomial_decay_lr as polynomial_decay_lr
from emberjit.nn.dynamic_lr import warmup_lr as warmup_lr
from emberjit.nn.layers.activation import PReLU as PReLU
from emberjit.nn.layers.activation import get_activation as get_activation
from emberjit.nn.layers.bn_act import Conv2dBnAct as Conv2dBnAct
from emberjit.nn.layers.bn_act import DenseBnAct as DenseBnAct
from emberjit.nn.layers.containers import CellDict as CellDict
from emberjit.nn.layers.containers import CellList as CellList
from emberjit.nn.layers.containers import SequentialCell as SequentialCell
from emberjit.nn.layers.convolution import Conv1d as Conv1d
from emberjit.nn.layers.convolution import Conv1dTranspose as Conv1dTranspose
from emberjit.nn.layers.convolution import Conv2d as Conv2d
from emberjit.nn.layers.convolution import Conv2dTranspose as Conv2dTranspose
from emberjit.nn.layers.convolution import Conv3d as Conv3d
from emberjit.nn.layers.convolution import Conv3dTranspose as Conv3dTranspose
from emberjit.nn.layers.dense import BiDense as BiDense
from emberjit.nn.layers.dense import Dense as Dense
from emberjit.nn.layers.dense import Identity as Identity
from emberjit.nn.layers.dense import Linear as Linear
from emberjit.nn.layers.dropout import Dropout as Dropout
from emberjit.nn.layers.dropout import Dropout1d as Dropout1d
from emberjit.nn.layers.dropout import Dropout2d as Dropout2d
from emberjit.nn.layers.dropout import Dropout3d as Dropout3d
from emberjit.nn.layers.embedding import Embedding as Embedding
from emberjit.nn.layers.embedding import EmbeddingLookup as EmbeddingLookup
from emberjit.nn.layers.embedding import MultiFieldEmbeddingLookup as MultiFieldEmbeddingLookup
from emberjit.nn.layers.image_similarity import MSSSIM as MSSSIM
from emberjit.nn.layers.image_similarity import SSIM as SSIM
from emberjit.nn.layers.mint import Dropout2dExt as Dropout2dExt
from emberjit.nn.layers.mint import DropoutExt as DropoutExt
from emberjit.nn.layers.mint import EmbeddingExt as EmbeddingExt
from emberjit.nn.layers.mint import LayerNormExt as LayerNormExt
from emberjit.nn.layers.mint import PReLUExt as PReLUExt
from emberjit.nn.layers.normalisation import BatchNorm1d as BatchNorm1d
from emberjit.nn.layers.normalisation import BatchNorm2d as BatchNorm2d
from emberjit.nn.layers.normalisation import BatchNorm3d as BatchNorm3d
from emberjit.nn.layers.normalisation import GroupNorm as GroupNorm
from emberjit.nn.layers.normalisation import InstanceNorm1d as InstanceNorm1d
from emberjit.nn.layers.normalisation import InstanceNorm2d as InstanceNorm2d
from emberjit.nn.layers.normalisation import InstanceNorm3d as InstanceNorm3d
from emberjit.nn.layers.normalisation import LayerNorm as LayerNorm
from emberjit.nn.layers.normalisation import SyncBatchNorm as SyncBatchNorm
from emberjit.nn.layers.pooling import AdaptiveAvgPool1d as AdaptiveAvgPool1d
from emberjit.nn.layers.pooling import AdaptiveAvgPool2d as AdaptiveAvgPool2d
from emberjit.nn.layers.pooling import AdaptiveAvgPool3d as AdaptiveAvgPool3d
from emberjit.nn.layers.pooling import AvgPool1d as AvgPool1d
from emberjit.nn.layers.pooling import AvgPool2d as AvgPool2d
from emberjit.nn.layers.pooling import AvgPool3d as AvgPool3d
from emberjit.nn.layers.pooling import MaxPool1d as MaxPool1d
from emberjit.nn.layers.pooling import MaxPool2d as MaxPool2d
from emberjit.nn.layers.pooling import MaxPool3d as MaxPool3d
from emberjit.nn.layers.recurrent import GRU as GRU
from emberjit.nn.layers.recurrent import GRUCell as GRUCell
from emberjit.nn.layers.recurrent import LSTM as LSTM
from emberjit.nn.layers.recurrent import LSTMCell as LSTMCell
from emberjit.nn.layers.recurrent import RNN as RNN
from emberjit.nn.layers.recurrent import RNNCell as RNNCell
from emberjit.nn.layers.recurrent import RNNCellBase as RNNCellBase
from emberjit.nn.layers.sparse import SparseTensorDenseMatmul as SparseTensorDenseMatmul
from emberjit.nn.layers.sparse import SparseToDense as SparseToDense
from emberjit.nn.layers.time_distributed import TimeDistributed as TimeDistributed
from emberjit.nn.layers.transformer import MultiheadAttention as MultiheadAttention
from emberjit.nn.layers.transformer import Transformer as Transformer
from emberjit.nn.layers.transformer import TransformerDecoder as TransformerDecoder
from emberjit.nn.layers.transformer import TransformerDecoderLayer as TransformerDecoderLayer
from emberjit.nn.layers.transformer import TransformerEncoder as TransformerEncoder
from emberjit.nn.layers.transformer import TransformerEncoderLayer as TransformerEncoderLayer
from emberjit.nn.learning_rate_schedule import CosineDecayLR as CosineDecayLR
from emberjit.nn.learning_rate_schedule import ExponentialDecayLR as ExponentialDecayLR
from emberjit.nn.learning_rate_schedule import InverseDecayLR as InverseDecayLR
from emberjit.nn.learning_rate_schedule import NaturalExpDecayLR as NaturalExpDecayLR
from emberjit.nn.learning_rate_schedule import PolynomialDecayLR as PolynomialDecayLR
from emberjit.nn.learning_rate_schedule import WarmUpLR as WarmUpLR
from emberjit.nn import learning_rate_schedule as learning_rate_schedule
from emberjit.nn.loss import LossBase as LossBase
from emberjit.nn.loss import MultiClassDiceLoss as MultiClassDiceLoss
from emberjit.nn.loss import SampledSoftmaxLoss as SampledSoftmaxLoss
from emberjit.nn.loss import SoftmaxCrossEntropyWithLogits as SoftmaxCrossEntropyWithLogits
from emberjit.nn import loss as loss
from emberjit.nn.optim import ASGD as ASGD
from emberjit.nn.optim import AdaFactor as AdaFactor
from emberjit.nn.optim import AdaMax as AdaMax
from emberjit.nn.optim import AdaSumByDeltaWeightWrapCell as AdaSumByDeltaWeightWrapCell
from emberjit.nn.optim import AdaSumByGradWrapCell as AdaSumByGradWrapCell
from emberjit.nn.optim import Adadelta as Adadelta
from emberjit.nn.optim import Adagrad as Adagrad
from emberjit.nn.optim import Adam as Adam
from emberjit.nn.optim import AdamOffload as AdamOffload
from emberjit.nn.optim import AdamWeightDecay as AdamWeightDecay
from emberjit.nn.optim import FTRL as FTRL
from emberjit.nn.optim import LARS as LARS
from emberjit.nn.optim import Lamb as Lamb
from emberjit.nn.optim import LazyAdam as LazyAdam
from emberjit.nn.optim import Momentum as Momentum
from emberjit.nn.optim import OptTFTWrapper as OptTFTWrapper
from emberjit.nn.optim import Optimizer as Optimizer
from emberjit.nn.optim import ProximalAdagrad as ProximalAdagrad
from emberjit.nn.optim import RMSProp as RMSProp
from emberjit.nn.optim import Rprop as Rprop
from emberjit.nn.optim import SGD as SGD
from emberjit.nn.optim import opt_init_args_register as opt_init_args_register
from emberjit.nn import optim as optim
from emberjit.nn.optim import thor as thor
from emberjit.nn import probability as probability
from emberjit.nn.training.gradients import ForwardValueAndGrad as ForwardValueAndGrad
from emberjit.nn.training.gradients import Jvp as Jvp
from emberjit.nn.training.gradients import Vjp as Vjp
from emberjit.nn.training.loss_scale import DynamicLossScaleUpdateCell as DynamicLossScaleUpdateCell
from emberjit.nn.training.loss_scale import FixedLossScaleUpdateCell as FixedLossScaleUpdateCell
from emberjit.nn.training.loss_scale import TrainOneStepWithLossScaleCell as TrainOneStepWithLossScaleCell
from emberjit.nn.training.micro_batches import GradAccumulationCell as GradAccumulationCell
from emberjit.nn.training.micro_batches import MicroBatchInterleaved as MicroBatchInterleaved
from emberjit.nn.training.micro_batches import PipelineCell as PipelineCell
from emberjit.nn.training.steps import ParameterUpdate as ParameterUpdate
from emberjit.nn.training.steps import TrainOneStepCell as TrainOneStepCell
from emberjit.nn.training.steps import WithEvalCell as WithEvalCell
from emberjit.nn.training.steps import WithGradCell as WithGradCell
from emberjit.nn.training.steps import WithLossCell as WithLossCell
from emberjit.nn.utils import no_init_parameters as no_init_parameters
from emberjit.train.metrics import Accuracy as Accuracy
from emberjit.train.metrics import BleuScore as BleuScore
from emberjit.train.metrics import ConfusionMatrix as ConfusionMatrix
from emberjit.train.metrics import ConfusionMatrixMetric as ConfusionMatrixMetric
from emberjit.train.metrics import CosineSimilarity as CosineSimilarity
from emberjit.train.metrics import Dice as Dice
from emberjit.train.metrics import F1 as F1
from emberjit.train.metrics import Fbeta as Fbeta
from emberjit.train.metrics import HausdorffDistance as HausdorffDistance
from emberjit.train.metrics import Loss as Loss
from emberjit.train.metrics import MAE as MAE
from emberjit.train.metrics import MSE as MSE
from emberjit.train.metrics import MeanSurfaceDistance as MeanSurfaceDistance
from emberjit.train.metrics import Metric as Metric
from emberjit.train.metrics import OcclusionSensitivity as OcclusionSensitivity
from emberjit.train.metrics import Perplexity as Perplexity
from emberjit.train.metrics import Precision as Precision
from emberjit.train.metrics import ROC as ROC
from emberjit.train.metrics import Recall as Recall
from emberjit.train.metrics import RootMeanSquareDistance as RootMeanSquareDistance
from emberjit.train.metrics import Top1CategoricalAccuracy as Top1CategoricalAccuracy
from emberjit.train.metrics import Top5CategoricalAccuracy as Top5CategoricalAccuracy
from emberjit.train.metrics import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from emberjit.train.metrics import auc as auc
from emberjit.train.metrics import get_metric_fn as get_metric_fn
from emberjit.train.metrics import get_metrics as get_metrics
from emberjit.train import metrics as metrics
from emberjit.train.metrics import names as names
from emberjit.train.metrics import rearrange_inputs as rearrange_inputs

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

class AdaptiveMaxPool1d(Cell):
    """The largest elements of windows of (N, C, L) or (C, L), which divide each axis evenly."""
    def __init__(self, output_size: Any) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class AdaptiveMaxPool2d(Cell):
    """The largest elements of windows of (N, C, H, W) or (C, H, W), which divide each axis evenly."""
    def __init__(self, output_size: Any, return_indices: bool = False) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class AdaptiveMaxPool3d(Cell):
    """The largest elements of windows of (N, C, D, H, W) or (C, D, H, W), which divide each axis evenly."""
    def __init__(self, output_size: Any, return_indices: bool = False) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class AvgPool1dExt(Cell):
    """The mean of each window, whose padding counts unless count_include_pad is False."""
    def __init__(self, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, ceil_mode: bool = False, count_include_pad: bool = True) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class AvgPool2dExt(Cell):
    """The mean of each window, whose padding counts unless count_include_pad is False."""
    def __init__(self, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class AvgPool3dExt(Cell):
    """The mean of each window, whose padding counts unless count_include_pad is False."""
    def __init__(self, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class BCELoss(Cell):
    """-weight * (labels * log(logits) + (1 - labels) * log(1 - logits)), where logarithms are at least -100."""
    def __init__(self, weight: _TensorLike | None = None, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class BCEWithLogitsLoss(Cell):
    """The binary cross entropy of sigmoid(input), without computing that first."""
    def __init__(self, reduction: str = 'mean', weight: _TensorLike | None = None, pos_weight: _TensorLike | None = None) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class CELU(Cell):
    """x where it is positive, else alpha * (exp(x / alpha) - 1) (Barron, 2017)."""
    def __init__(self, alpha: float = 1.0) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class CTCLoss(Cell):
    """The loss of ctc_loss. Without a batch log_probs are (T, C), and targets (S) or (1, S); lengths are of one element."""
    def __init__(self, blank: int = 0, reduction: str = 'mean', zero_infinity: bool = False) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class CentralCrop(Cell):
    """The middle of images (..., height, width), with a part of rows and of columns."""
    def __init__(self, central_fraction: float) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ChannelShuffle(Cell):
    """Channels (the second axis) in the order of their place within groups, so that groups mix.

    ShuffleNet's, of Zhang et al. (2018).
    """
    def __init__(self, groups: int) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ClipByNorm(Cell):
    """x, scaled down where its norm along axes is above clip_norm."""
    def __init__(self, axis: int | Sequence[int] | None = None) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ConstantPad1d(Cell):
    """A number before and after each of the last axes."""
    def __init__(self, padding: int | Sequence[int], value: _Operand) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ConstantPad2d(Cell):
    """A number before and after each of the last axes."""
    def __init__(self, padding: int | Sequence[int], value: _Operand) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ConstantPad3d(Cell):
    """A number before and after each of the last axes."""
    def __init__(self, padding: int | Sequence[int], value: _Operand) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class CosineEmbeddingLoss(Cell):
    """With c the cosine between two vectors, 1 - c where target is 1, max(0, c - margin) where it is -1."""
    def __init__(self, margin: float = 0.0, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class CrossEntropyLoss(Cell):
    """The loss of `log_softmax(input)` against `target`: class indices (int32 or int64), or probabilities of the shape and dtype of `input`."""
    def __init__(self, weight: _TensorLike | None = None, ignore_index: int = -100, reduction: str = 'mean', label_smoothing: float = 0.0) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class DiGamma(Cell):
    """psi(input), the derivative of lgamma: infinite at 0, NaN at integers below. Integers give float32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class DiceLoss(Cell):
    """1 - twice the overlap of all elements by the sum of both sizes, which are sums of squares (Milletari et al., 2016)."""
    def __init__(self, smooth: Any = 1e-05) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ELU(Cell):
    """input where it is positive, else alpha * (exp(input) - 1) (Clevert et al., 2016)."""
    def __init__(self, alpha: float = 1.0) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class FastGelu(Cell):
    """x * sigmoid(1.702 * x) (Hendrycks and Gimpel, 2016).

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Flatten(Cell):
    """Joins the axes start_dim to end_dim into one. order 'F' first reverses the axes after the first."""
    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class FocalLoss(Cell):
    """-(1 - p) ** gamma * log(p) of the probability p of each place's class (Lin et al., 2017)."""
    def __init__(self, weight: Any = None, gamma: Any = 2.0, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class FractionalMaxPool2d(Cell):
    """The largest elements of windows whose distances are random, but have a given mean (Graham, 2014)."""
    def __init__(self, kernel_size: int | Sequence[int], output_size: int | Sequence[int] | None = None, output_ratio: Any = None, return_indices: bool = False, _random_samples: _TensorLike | None = None) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class FractionalMaxPool3d(Cell):
    """The largest elements of windows whose distances are random, but have a given mean (Graham, 2014)."""
    def __init__(self, kernel_size: int | Sequence[int], output_size: int | Sequence[int] | None = None, output_ratio: Any = None, return_indices: bool = False, _random_samples: _TensorLike | None = None) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class GELU(Cell):
    """x times the normal distribution's function of x (Hendrycks and Gimpel, 2016)."""
    def __init__(self, approximate: bool = True) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class GLU(Cell):
    """The first half along an axis times the sigmoid of the second (Dauphin et al., 2017)."""
    def __init__(self, axis: int = -1) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class GaussianNLLLoss(Cell):
    """(log(v) + (x - target)**2 / v) / 2 with v = max(var, eps): the negative log likelihood of a normal distribution
    (Nix and Weigend, 1994).
    """
    def __init__(self, full: bool = False, eps: float = 1e-06, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class HShrink(Cell):
    """input, but 0 within [-lambd, lambd]."""
    def __init__(self, lambd: float = 0.5) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class HSigmoid(Cell):
    """min(max(input + 3, 0), 6) / 6.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class HSwish(Cell):
    """input * min(max(input + 3, 0), 6) / 6.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Hardtanh(Cell):
    """input, but at least min_val and at most max_val; its slope there is 0."""
    def __init__(self, min_val: _Operand = -1.0, max_val: _Operand = 1.0) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class HingeEmbeddingLoss(Cell):
    """inputs where targets are 1, max(0, margin - inputs) where they are -1."""
    def __init__(self, margin: float = 1.0, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class HuberLoss(Cell):
    """With d = abs(input - target), d**2 / 2 below delta, else delta * (d - delta / 2) (Huber, 1964)."""
    def __init__(self, reduction: str = 'mean', delta: float = 1.0) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class IGamma(Cell):
    """The regularised lower incomplete gamma function P(input, other), elementwise with broadcasting; NaN below zero. Integers give float32.

    Inputs:
        a: Tensor or number
        x: Tensor or number
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ImageGradients(Cell):
    """(dy, dx) of images (N, C, H, W): how much the next row, and the next column, is more; 0 in the last.

    Inputs:
        images: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class KLDivLoss(Cell):
    """target * (log(target) - input), 0 where target is not positive: the divergence of exp(input) from target (Kullback,
    Leibler, 1951). The derivative by input is -target everywhere.
    """
    def __init__(self, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class L1Loss(Cell):
    """abs(input - target)."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class L1LossExt(Cell):
    """abs(input - target)."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class L1Regularizer(Cell):
    """scale times the sum of magnitudes, float32 at least."""
    def __init__(self, scale: Any) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class LBeta(Cell):
    """The logarithm of the beta function, elementwise with broadcasting.

    Inputs:
        x: Tensor
        y: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class LGamma(Cell):
    """log |Gamma(input)|; infinite at integers up to 0. Integers give float32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LPPool1d(Cell):
    """(sum of x**norm_type)**(1 / norm_type) of each window; where the sum is 0, its slope is, too."""
    def __init__(self, norm_type: _Operand, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, ceil_mode: bool = False) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class LPPool2d(Cell):
    """(sum of x**norm_type)**(1 / norm_type) of each window; where the sum is 0, its slope is, too."""
    def __init__(self, norm_type: _Operand, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, ceil_mode: bool = False) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class LRN(Cell):
    """x / (bias + alpha * sum)**beta with the sum of the squares of channels at most depth_radius away.

    Source: A. Krizhevsky et al., "ImageNet classification with deep convolutional neural networks" (2012).
    """
    def __init__(self, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5, norm_region: str = 'ACROSS_CHANNELS') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class LeakyReLU(Cell):
    """input where it is above 0, else alpha * input."""
    def __init__(self, alpha: float = 0.2) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LogSigmoid(Cell):
    """The logarithm of sigmoid(x), without computing it first.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class LogSoftmax(Cell):
    """(logits - m) - log(sum(exp(logits - m))) along `axis`, where m is the largest element."""
    def __init__(self, axis: int = -1) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LogSoftmaxExt(Cell):
    """The logarithm of softmax along an axis: without one along the first of 0, 1 or 3 axes, else along the second."""
    def __init__(self, dim: int | None = None) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class MAELoss(Cell):
    """abs(input - target)."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class MSELoss(Cell):
    """The squares of input - target: their mean, their sum, or as they are."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class MarginRankingLoss(Cell):
    """max(0, -target * (input1 - input2) + margin)."""
    def __init__(self, margin: float = 0.0, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class MatDet(Cell):
    """The determinants of matrices, by LU factorisation (LAPACK). Singular ones have a gradient too.

    Inputs:
        a: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class MatInverse(Cell):
    """The inverse of matrices, or of their adjoints, by LU factorisation (LAPACK); ops.inv is 1 / x. See matrix_solve.

    Inputs:
        a: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class MatMul(Cell):
    """The product of matrices, of which either may be transposed first."""
    def __init__(self, transpose_x1: bool = False, transpose_x2: bool = False) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class MatrixDiag(Cell):
    """Matrices that have the given diagonals.

    Inputs:
        input_x: a diagonal in the last axis; of several the highest first, along the axis before it.
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class MatrixDiagPart(Cell):
    """Diagonals of matrices, in the last axis; of several the highest first, along the axis before it.

    Inputs:
        input_x: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class MatrixSetDiag(Cell):
    """Matrices with other diagonals, which are given as matrix_diag takes them.

    Inputs:
        input_x: Tensor
        diagonal: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxPool2dExt(Cell):
    """The largest element of each window of images (N, C, H, W) or (C, H, W)."""
    def __init__(self, kernel_size: int | Sequence[int] = 1, stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, return_indices: bool = False, ceil_mode: bool = False) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxUnpool1d(Cell):
    """x at positions of a channel, zeros elsewhere: the inverse of max_pool1d."""
    def __init__(self, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxUnpool2d(Cell):
    """x at positions of a channel, zeros elsewhere: the inverse of max_pool2d."""
    def __init__(self, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxUnpool3d(Cell):
    """x at positions of a channel, zeros elsewhere: the inverse of max_pool3d."""
    def __init__(self, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Mish(Cell):
    """x * tanh(log(1 + exp(x))) (Misra, 2020), by n / (n + 2) with n = e * (e + 2), e = exp(x).

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Moments(Cell):
    """(mean, variance) along axes, of all with None or ()."""
    def __init__(self, axis: int | Sequence[int] | None = None, keep_dims: bool | None = None) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class MultiLabelSoftMarginLoss(Cell):
    """The mean over classes of the binary cross entropy of sigmoid(input)."""
    def __init__(self, weight: _TensorLike | None = None, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class MultiMarginLoss(Cell):
    """The mean over classes, the right one excepted, of weight[target] * max(0, margin - input[target] + input)**p
    (Crammer and Singer, 2001).
    """
    def __init__(self, p: int = 1, margin: _Operand = 1, reduction: str = 'mean', weight: _TensorLike | None = None) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class MultilabelMarginLoss(Cell):
    """The sum over labels j and classes i that are none of max(0, 1 - input[j] + input[i]), over the number of classes."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class NLLLoss(Cell):
    """The negative of the log-probabilities `inputs` at the target classes, times their weights; the mean divides by the sum of these."""
    def __init__(self, weight: _TensorLike | None = None, ignore_index: int = -100, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Norm(Cell):
    """The square root of the sum of squares along axes; of all with ()."""
    def __init__(self, axis: int | Sequence[int] = (), keep_dims: bool = False) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class OneHot(Cell):
    """A new axis of `depth` elements: on_value (None: 1) at the index, off_value (None: 0) elsewhere; an index outside marks nothing. The dtype is that of the values."""
    def __init__(self, axis: int = -1, depth: int = 1, on_value: _Operand | None = 1.0, off_value: _Operand | None = 0.0, dtype: _DType | None = ...) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class PSNR(Cell):
    """10 * log10(max_val ** 2 / mean of squared differences) of each pair of images (N, C, H, W)."""
    def __init__(self, max_val: Any = 1.0) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Pad(Cell):
    """Elements before and after each axis, as many as `paddings` names pair by pair."""
    def __init__(self, paddings: Any, mode: str = 'CONSTANT') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class PixelShuffle(Cell):
    """Channels as pixels: (..., C * r * r, H, W) becomes (..., C, H * r, W * r), r being upscale_factor.

    Method: W. Shi et al., Real-time single image and video super-resolution (2016).
    """
    def __init__(self, upscale_factor: int) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class PixelUnshuffle(Cell):
    """Pixels as channels: (..., C, H * r, W * r) becomes (..., C * r * r, H, W), r being downscale_factor. See
    pixel_shuffle.
    """
    def __init__(self, downscale_factor: int) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class PoissonNLLLoss(Cell):
    """The negative log likelihood of Poisson distributions of rates exp(input): exp(input) - target * input."""
    def __init__(self, log_input: bool = True, full: bool = False, eps: float = 1e-08, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class RMSELoss(Cell):
    """The square root of the mean of (input - target)**2.

    Inputs:
        logits: Tensor
        label: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class RReLU(Cell):
    """input where it is not negative, else input times random numbers of [lower, upper) (Xu et al., 2015)."""
    def __init__(self, lower: float = 0.125, upper: float = 0.3333333333333333) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Range(Cell):
    """The same as arange."""
    def __init__(self, start: Any, limit: Any = None, delta: Any = 1) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ReLU(Cell):
    """max(input, 0), in the dtype of input. NaN stays NaN. The slope at 0 is 0.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReLU6(Cell):
    """min(max(x, 0), 6). NaN stays NaN.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReduceLogSumExp(Cell):
    """The logarithm of the sum of the exponentials over axes, without overflow."""
    def __init__(self, axis: int | Sequence[int] | None, keep_dims: bool = False) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ReflectionPad1d(Cell):
    """Elements mirrored at the first and last one before and after each of the last axes."""
    def __init__(self, padding: int | Sequence[int]) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ReflectionPad2d(Cell):
    """Elements mirrored at the first and last one before and after each of the last axes."""
    def __init__(self, padding: int | Sequence[int]) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ReflectionPad3d(Cell):
    """Elements mirrored at the first and last one before and after each of the last axes."""
    def __init__(self, padding: int | Sequence[int]) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ReplicationPad1d(Cell):
    """The first and last element again before and after each of the last axes."""
    def __init__(self, padding: int | Sequence[int]) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ReplicationPad2d(Cell):
    """The first and last element again before and after each of the last axes."""
    def __init__(self, padding: int | Sequence[int]) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ReplicationPad3d(Cell):
    """The first and last element again before and after each of the last axes."""
    def __init__(self, padding: int | Sequence[int]) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ResizeBilinear(Cell):
    """Images (N, C, H, W) resized by linear interpolation along both axes; the Cell that former versions of MindSpore had."""
    def __init__(self, half_pixel_centers: bool = False) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Roll(Cell):
    """Elements moved along axes; those that pass the end come in at the front."""
    def __init__(self, shift: int | Sequence[int], axis: int | Sequence[int] | None) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class SeLU(Cell):
    """elu(x, 1.6732632423543772) times 1.0507009873554805, which keep mean 0 and deviation 1 (Klambauer et al., 2017).

    Inputs:
        input_x: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class SiLU(Cell):
    """input * sigmoid(input).

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Sigmoid(Cell):
    """1 / (1 + exp(-input)), without overflow. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SmoothL1Loss(Cell):
    """With d = abs(input - target), d**2 / (2 * beta) below beta, else d - beta / 2 (Girshick, 2015)."""
    def __init__(self, beta: float = 1.0, reduction: str = 'none') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class SoftMarginLoss(Cell):
    """log(1 + exp(-target * input))."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class SoftShrink(Cell):
    """input, by lambd nearer to 0, and 0 within [-lambd, lambd]."""
    def __init__(self, lambd: float = 0.5) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Softmax(Cell):
    """exp(input - m) / sum(exp(input - m)) along `axis`, where m is the largest element."""
    def __init__(self, axis: int = -1) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Softmax2d(Cell):
    """Softmax over the channels of images (N, C, H, W) or (C, H, W).

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Softmin(Cell):
    """exp(-x) over its sum along an axis."""
    def __init__(self, axis: int = -1) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Softsign(Cell):
    """x / (1 + abs(x)).

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Tanh(Cell):
    """The hyperbolic tangent, within 2 ulp. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Tanhshrink(Cell):
    """input - tanh(input); integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Threshold(Cell):
    """input where it is above a number, else another number."""
    def __init__(self, threshold: _Operand, value: _Operand) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Tril(Cell):
    """The matrices of the last two axes with zeros above the given diagonal.

    Inputs:
        x: Tensor
        k: int; by default 0
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TripletMarginLoss(Cell):
    """max(0, margin + d(anchor, positive) - d(anchor, negative)) of distances along the last axis (Balntas et al., 2016)."""
    def __init__(self, p: _Operand = 2, swap: bool = False, eps: float = 1e-06, reduction: str = 'mean', margin: _Operand = 1.0) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class TripletMarginWithDistanceLoss(Cell):
    """max(0, margin + d(anchor, positive) - d(anchor, negative))."""
    def __init__(self, distance_function: Any = None, swap: bool = False, reduction: str = 'mean', margin: _Operand = 1.0) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Triu(Cell):
    """The matrices of the last two axes with zeros below the given diagonal.

    Inputs:
        x: Tensor
        k: int; by default 0
    """
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Unflatten(Cell):
    """An axis as several. A view."""
    def __init__(self, axis: int, unflattened_size: int | Sequence[int]) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Unfold(Cell):
    """The windows of images as ops.ExtractImagePatches gives them."""
    def __init__(self, ksizes: Any, strides: Any, rates: Any, padding: str = 'valid') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Upsample(Cell):
    """Signals (N, C, W), images (N, C, H, W) or volumes (N, C, D, H, W) resized.

    Elements lie in the middles of pixels, whose outer edges stay where they are. Cubic convolution is that of Keys (1981):
    in PyTorch's names, and where corners are aligned, with the coefficient -0.75 and the last elements beyond the ends;
    else with -0.5, of third order, and weights among the elements that there are.
    """
    def __init__(self, size: Any = None, scale_factor: Any = None, mode: str = 'nearest', align_corners: bool | None = None, recompute_scale_factor: bool | None = None) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ZeroPad2d(Cell):
    """A number before and after each of the last axes."""
    def __init__(self, padding: int | Sequence[int]) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

def __getattr__(name: str) -> Any: ...
