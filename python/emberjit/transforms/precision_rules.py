"""Rules of precision, by which calls within an extent convert their Tensors of floating point: those of amp level "auto",
and those of Cells with a precision.

A name stands for all spellings of its definition. What no list has computes in the dtypes of its arguments, whole: what it
calls inside follows no rule.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.session.session import follow
from emberjit.publish import registry

_ops = core.ops
_LOWER_OPS = """
batch_mat_mul bmm conv1d conv2d conv3d conv_forward conv_transpose1d conv_transpose2d conv_transpose3d dense mat_mul
matmul
"""
_LOWER = """
mint.nn.functional.conv1d mint.nn.functional.conv2d mint.nn.functional.conv3d mint.nn.functional.conv_transpose2d
mint.nn.functional.linear nn.MatMul numpy.outer ops.Conv2D ops.Conv2DTranspose ops.Conv3D ops.Conv3DTranspose
ops.PReLU ops.einsum ops.mm ops.mv ops.prelu
"""
_FLOAT32_OPS = """
acos asin batch_norm batch_norm_training batch_norm_with_statistics cosh cross_entropy cumprod cumsum erfinv exp exp2
expm1 layer_norm layer_norm_with_statistics log log10 log1p log2 log_softmax logaddexp logaddexp2 nll_loss pow prod
reciprocal reduce_prod rsqrt sinh softmax softplus std sum tan var
"""
_FLOAT32 = """
Tensor.cumsum Tensor.softmax Tensor.sum Tensor.sum_to_size mint.nn.Softmax mint.nn.functional.group_norm
mint.nn.functional.layer_norm mint.nn.functional.softplus mint.norm nn.ClipByNorm nn.PoissonNLLLoss nn.Softmax2d
nn.TripletMarginWithDistanceLoss numpy.cumsum numpy.nancumsum numpy.nanmean numpy.nanstd numpy.nanvar
ops.BCEWithLogitsLoss ops.BatchNorm ops.Cdist ops.CumProd ops.CumSum ops.KLDivLoss ops.LayerNorm ops.MultiMarginLoss
ops.NLLLoss ops.Pdist ops.Renorm ops.SmoothL1Loss ops.addbmm ops.binary_cross_entropy_with_logits ops.cdist
ops.cosine_similarity ops.cross_entropy ops.cumprod ops.cumsum ops.gaussian_nll_loss ops.group_norm ops.gumbel_softmax
ops.kl_div ops.log_softmax ops.logdet ops.logsigmoid ops.logsumexp ops.lp_pool1d ops.lp_pool2d ops.multi_margin_loss
ops.multilabel_soft_margin_loss ops.pdist ops.prod ops.renorm ops.smooth_l1_loss ops.softmax ops.softmin ops.std
ops.sum ops.trapz ops.triplet_margin_loss ops.vander ops.var ops.vecdot
"""
_WIDEST_OPS = "bias_add concat"
_WIDEST = """
mint.nn.functional.grid_sample ops.AddN ops.GridSampler2D ops.GridSampler3D ops.addcdiv ops.addcmul ops.addn ops.cross
ops.grid_sample
"""
_PARTS = """
numpy.corrcoef numpy.cov numpy.dot numpy.inner numpy.multi_dot numpy.tensordot ops.addmm ops.addmv ops.addr
ops.baddbmm ops.batch_dot ops.bidense ops.cov ops.deformable_conv2d ops.dot ops.hinge_embedding_loss ops.inner
ops.matrix_norm ops.norm ops.tensor_dot ops.var_mean ops.vector_norm
"""


def _targets(names: str) -> list[Any]:
    """What names of any scope are definitions of."""
    return [one.target for path in names.split() for one in registry.declared(*path.rsplit(".", 1))]


@functools.cache
def of_products(dtype: core.dtype) -> dict[Any, Any]:
    """What core.Precision takes, a dict by op and function: products and convolutions compute in a dtype."""
    return dict.fromkeys([*map(core.op_table.__getitem__, _LOWER_OPS.split()), *_targets(_LOWER)], dtype)


@functools.cache
def automatic(dtype: core.dtype) -> dict[Any, Any]:
    """Likewise; of others the dtype, "widest", or None for what computes by its parts' rules."""
    rules = of_products(dtype).copy()
    for ops, names, rule in ((_FLOAT32_OPS, _FLOAT32, core.float32), (_WIDEST_OPS, _WIDEST, "widest"), ("", _PARTS, None)):
        rules.update({target: rule for target in [*map(core.op_table.__getitem__, ops.split()), *_targets(names)]})
    return rules


def has_rule(op: Any) -> bool:
    """Whether there is a rule for an op here."""
    return op in (core.precision_rules() or ())


def without_rules(function: Callable[..., Any]) -> Any:
    """A function, gradients that a user wrote say, that computes as it is written wherever it is called."""

    def plain(*args: Any) -> Any:
        with core.Precision(None):
            return function(*args)

    return plain


class Automatic:
    """A function in an extent of rules."""

    def __init__(self, function: Callable[..., Any], dtype: core.dtype):
        functools.update_wrapper(self, function)
        self.rules = automatic(dtype)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with core.Precision(self.rules):
            return follow(self.__wrapped__, *args, **kwargs)  # type: ignore[attr-defined]
