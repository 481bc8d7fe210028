# Written by tools/stubs.py from the declarations.
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor
from emberjit._emberjit import dtype as _DType
from emberjit.compat.communication.distributed import P2POp as P2POp
from emberjit.compat.communication.distributed import all_gather as all_gather
from emberjit.compat.communication.distributed import all_gather_into_tensor as all_gather_into_tensor
from emberjit.compat.communication.distributed import all_gather_into_tensor_uneven as all_gather_into_tensor_uneven
from emberjit.compat.communication.distributed import all_gather_object as all_gather_object
from emberjit.compat.communication.distributed import all_reduce as all_reduce
from emberjit.compat.communication.distributed import all_to_all as all_to_all
from emberjit.compat.communication.distributed import all_to_all_single as all_to_all_single
from emberjit.compat.communication.distributed import all_to_all_v_c as all_to_all_v_c
from emberjit.compat.communication.distributed import barrier as barrier
from emberjit.compat.communication.distributed import batch_isend_irecv as batch_isend_irecv
from emberjit.compat.communication.distributed import broadcast as broadcast
from emberjit.compat.communication.distributed import broadcast_object_list as broadcast_object_list
from emberjit.compat.communication.distributed import destroy_process_group as destroy_process_group
from emberjit.compat.communication.distributed import gather_into_tensor as gather_into_tensor
from emberjit.compat.communication.distributed import gather_object as gather_object
from emberjit.compat.communication.distributed import get_backend as get_backend
from emberjit.compat.communication.distributed import get_global_rank as get_global_rank
from emberjit.compat.communication.distributed import get_group_rank as get_group_rank
from emberjit.compat.communication.distributed import get_process_group_ranks as get_process_group_ranks
from emberjit.compat.communication.distributed import get_rank as get_rank
from emberjit.compat.communication.distributed import get_world_size as get_world_size
from emberjit.compat.communication.distributed import init_process_group as init_process_group
from emberjit.compat.communication.distributed import irecv as irecv
from emberjit.compat.communication.distributed import is_available as is_available
from emberjit.compat.communication.distributed import is_initialized as is_initialized
from emberjit.compat.communication.distributed import isend as isend
from emberjit.compat.communication.distributed import new_group as new_group
from emberjit.compat.communication.distributed import recv as recv
from emberjit.compat.communication.distributed import recv_object_list as recv_object_list
from emberjit.compat.communication.distributed import reduce as reduce
from emberjit.compat.communication.distributed import reduce_scatter as reduce_scatter
from emberjit.compat.communication.distributed import reduce_scatter_tensor as reduce_scatter_tensor
from emberjit.compat.communication.distributed import reduce_scatter_tensor_uneven as reduce_scatter_tensor_uneven
from emberjit.compat.communication.distributed import scatter_object_list as scatter_object_list
from emberjit.compat.communication.distributed import scatter_tensor as scatter_tensor
from emberjit.compat.communication.distributed import send as send
from emberjit.compat.communication.distributed import send_object_list as send_object_list
from emberjit.compat.communication.distributed import set_comm_ops_inplace as set_comm_ops_inplace
from emberjit.compat.communication.groups import ReduceOp as ReduceOp
from emberjit.compat.registration import AiCPURegOp as AiCPURegOp
from emberjit.compat.registration import AkgAscendRegOp as AkgAscendRegOp
from emberjit.compat.registration import AkgGpuRegOp as AkgGpuRegOp
from emberjit.compat.registration import CpuRegOp as CpuRegOp
from emberjit.compat.registration import CustomRegOp as CustomRegOp
from emberjit.compat.registration import DataType as DataType
from emberjit.compat.registration import TBERegOp as TBERegOp
from emberjit.compat.registration import custom_info_register as custom_info_register
from emberjit.compat.registration import op_info_register as op_info_register
from emberjit.language.decorators import constexpr as constexpr
from emberjit.ops.control import ForiLoop as ForiLoop
from emberjit.ops.control import Morph as Morph
from emberjit.ops.control import Partial as Partial
from emberjit.ops.control import Scan as Scan
from emberjit.ops.control import WhileLoop as WhileLoop
from emberjit.ops.control import partial as partial
from emberjit.ops.dumping import DumpGradient as DumpGradient
from emberjit.ops.dumping import TensorDump as TensorDump
from emberjit.ops.dumping import tensordump as tensordump
from emberjit.ops.float_status import NPUAllocFloatStatus as NPUAllocFloatStatus
from emberjit.ops.float_status import NPUGetFloatStatus as NPUGetFloatStatus
from emberjit.ops.graph_forms import DtypeToEnum as DtypeToEnum
from emberjit.ops.graph_forms import Reusing as Reusing
from emberjit.ops.graph_forms import SliceGetItem as SliceGetItem
from emberjit.ops.graph_forms import _add_attr as _add_attr
from emberjit.ops.graph_forms import _ms_pyfunc as _ms_pyfunc
from emberjit.ops.graph_forms import _ones_like_for_grad as _ones_like_for_grad
from emberjit.ops.graph_forms import add_flags as add_flags
from emberjit.ops.graph_forms import broadcast_gradient_args as broadcast_gradient_args
from emberjit.ops.graph_forms import embed as embed
from emberjit.ops.graph_forms import env_get as env_get
from emberjit.ops.graph_forms import environ_add as environ_add
from emberjit.ops.graph_forms import environ_create as environ_create
from emberjit.ops.graph_forms import environ_get as environ_get
from emberjit.ops.graph_forms import environ_set as environ_set
from emberjit.ops.graph_forms import get_vm_impl_fn as get_vm_impl_fn
from emberjit.ops.graph_forms import hastype as hastype
from emberjit.ops.graph_forms import identity as identity
from emberjit.ops.graph_forms import iter_converter as iter_converter
from emberjit.ops.graph_forms import ms_hasnext as ms_hasnext
from emberjit.ops.graph_forms import ms_next as ms_next
from emberjit.ops.graph_forms import ref_to_embed as ref_to_embed
from emberjit.ops.graph_forms import reshape_ as reshape_
from emberjit.ops.graph_forms import switch as switch
from emberjit.ops.graph_forms import switch_layer as switch_layer
from emberjit.ops.graph_forms import tensor_operator_registry as tensor_operator_registry
from emberjit.ops.graph_forms import typeof as typeof
from emberjit.ops.graph_forms import vm_impl_registry as vm_impl_registry
from emberjit.ops.graph_forms import zip_operation as zip_operation
from emberjit.ops.kernels import kernel as kernel
from emberjit.ops.kernels import ms_kernel as ms_kernel
from emberjit.ops.multitype import HyperMap as HyperMap
from emberjit.ops.multitype import Map as Map
from emberjit.ops.multitype import MultitypeFuncGraph as MultitypeFuncGraph
from emberjit.ops import primitive as primitive
from emberjit.ops.quantised import WeightQuantBatchMatmul as WeightQuantBatchMatmul
from emberjit.ops.quantised import quantise_weight as quantise_weight
from emberjit.ops.quantised import weight_quant_batch_matmul as weight_quant_batch_matmul
from emberjit.ops.unavailable import ApplyRotaryPosEmb as ApplyRotaryPosEmb
from emberjit.ops.unavailable import BasicLSTMCell as BasicLSTMCell
from emberjit.ops.unavailable import CustomOpBuilder as CustomOpBuilder
from emberjit.ops.unavailable import GeSwitch as GeSwitch
from emberjit.ops.unavailable import GetNext as GetNext
from emberjit.ops.unavailable import GroupTopk as GroupTopk
from emberjit.ops.unavailable import J as J
from emberjit.ops.unavailable import MapCacheIdx as MapCacheIdx
from emberjit.ops.unavailable import Merge as Merge
from emberjit.ops.unavailable import PagedAttentionMask as PagedAttentionMask
from emberjit.ops.unavailable import Pull as Pull
from emberjit.ops.unavailable import Push as Push
from emberjit.ops.unavailable import PyExecute as PyExecute
from emberjit.ops.unavailable import Reshard as Reshard
from emberjit.ops.unavailable import TCPStore as TCPStore
from emberjit.ops.unavailable import UpdateState as UpdateState
from emberjit.ops.unavailable import _AllSwap as _AllSwap
from emberjit.ops.unavailable import _Grad as _Grad
from emberjit.ops.unavailable import _Vmap as _Vmap
from emberjit.ops.unavailable import array_reduce as array_reduce
from emberjit.ops.unavailable import distribute as distribute
from emberjit.ops.unavailable import geswitch as geswitch
from emberjit.ops.unavailable import is_dynamic_sequence_element_unknown as is_dynamic_sequence_element_unknown
from emberjit.ops.unavailable import is_tensor_bool_cond as is_tensor_bool_cond
from emberjit.ops.unavailable import lightning_indexer as lightning_indexer
from emberjit.ops.unavailable import make_map_parameter as make_map_parameter
from emberjit.ops.unavailable import merge as merge
from emberjit.ops.unavailable import moe_distribute_combine as moe_distribute_combine
from emberjit.ops.unavailable import moe_distribute_dispatch as moe_distribute_dispatch
from emberjit.ops.unavailable import nsa_compress_attention as nsa_compress_attention
from emberjit.ops.unavailable import nsa_select_attention as nsa_select_attention
from emberjit.ops.unavailable import recompute_block as recompute_block
from emberjit.ops.unavailable import reshard as reshard
from emberjit.ops.unavailable import rotated_iou as rotated_iou
from emberjit.ops.unavailable import sparse_flash_attention as sparse_flash_attention
from emberjit.ops.unavailable import speed_fusion_attention as speed_fusion_attention
from emberjit.primitives.primitive import Primitive as Primitive
from emberjit.primitives.primitive import PrimitiveWithCheck as PrimitiveWithCheck
from emberjit.primitives.primitive import PrimitiveWithInfer as PrimitiveWithInfer
from emberjit.primitives.primitive import prim_arg_register as prim_arg_register
from emberjit.primitives.primitive import prim_attr_register as prim_attr_register
from emberjit.sparse.functions import coo2csr as coo2csr
from emberjit.sparse.functions import coo_abs as coo_abs
from emberjit.sparse.functions import coo_acos as coo_acos
from emberjit.sparse.functions import coo_acosh as coo_acosh
from emberjit.sparse.functions import coo_add as coo_add
from emberjit.sparse.functions import coo_asin as coo_asin
from emberjit.sparse.functions import coo_asinh as coo_asinh
from emberjit.sparse.functions import coo_atan as coo_atan
from emberjit.sparse.functions import coo_atanh as coo_atanh
from emberjit.sparse.functions import coo_ceil as coo_ceil
from emberjit.sparse.functions import coo_concat as coo_concat
from emberjit.sparse.functions import coo_cos as coo_cos
from emberjit.sparse.functions import coo_cosh as coo_cosh
from emberjit.sparse.functions import coo_exp as coo_exp
from emberjit.sparse.functions import coo_expm1 as coo_expm1
from emberjit.sparse.functions import coo_floor as coo_floor
from emberjit.sparse.functions import coo_inv as coo_inv
from emberjit.sparse.functions import coo_isfinite as coo_isfinite
from emberjit.sparse.functions import coo_isinf as coo_isinf
from emberjit.sparse.functions import coo_isnan as coo_isnan
from emberjit.sparse.functions import coo_log as coo_log
from emberjit.sparse.functions import coo_log1p as coo_log1p
from emberjit.sparse.functions import coo_neg as coo_neg
from emberjit.sparse.functions import coo_relu as coo_relu
from emberjit.sparse.functions import coo_relu6 as coo_relu6
from emberjit.sparse.functions import coo_round as coo_round
from emberjit.sparse.functions import coo_sigmoid as coo_sigmoid
from emberjit.sparse.functions import coo_sin as coo_sin
from emberjit.sparse.functions import coo_sinh as coo_sinh
from emberjit.sparse.functions import coo_softsign as coo_softsign
from emberjit.sparse.functions import coo_sqrt as coo_sqrt
from emberjit.sparse.functions import coo_square as coo_square
from emberjit.sparse.functions import coo_tan as coo_tan
from emberjit.sparse.functions import coo_tanh as coo_tanh
from emberjit.sparse.functions import coo_tensor_get_dense_shape as coo_tensor_get_dense_shape
from emberjit.sparse.functions import coo_tensor_get_indices as coo_tensor_get_indices
from emberjit.sparse.functions import coo_tensor_get_values as coo_tensor_get_values
from emberjit.sparse.functions import csr2coo as csr2coo
from emberjit.sparse.functions import csr_abs as csr_abs
from emberjit.sparse.functions import csr_acos as csr_acos
from emberjit.sparse.functions import csr_acosh as csr_acosh
from emberjit.sparse.functions import csr_add as csr_add
from emberjit.sparse.functions import csr_asin as csr_asin
from emberjit.sparse.functions import csr_asinh as csr_asinh
from emberjit.sparse.functions import csr_atan as csr_atan
from emberjit.sparse.functions import csr_atanh as csr_atanh
from emberjit.sparse.functions import csr_ceil as csr_ceil
from emberjit.sparse.functions import csr_cos as csr_cos
from emberjit.sparse.functions import csr_cosh as csr_cosh
from emberjit.sparse.functions import csr_div as csr_div
from emberjit.sparse.functions import csr_exp as csr_exp
from emberjit.sparse.functions import csr_expm1 as csr_expm1
from emberjit.sparse.functions import csr_floor as csr_floor
from emberjit.sparse.functions import csr_gather as csr_gather
from emberjit.sparse.functions import csr_inv as csr_inv
from emberjit.sparse.functions import csr_isfinite as csr_isfinite
from emberjit.sparse.functions import csr_isinf as csr_isinf
from emberjit.sparse.functions import csr_isnan as csr_isnan
from emberjit.sparse.functions import csr_log as csr_log
from emberjit.sparse.functions import csr_log1p as csr_log1p
from emberjit.sparse.functions import csr_mm as csr_mm
from emberjit.sparse.functions import csr_mul as csr_mul
from emberjit.sparse.functions import csr_mv as csr_mv
from emberjit.sparse.functions import csr_neg as csr_neg
from emberjit.sparse.functions import csr_reduce_sum as csr_reduce_sum
from emberjit.sparse.functions import csr_relu as csr_relu
from emberjit.sparse.functions import csr_relu6 as csr_relu6
from emberjit.sparse.functions import csr_round as csr_round
from emberjit.sparse.functions import csr_sigmoid as csr_sigmoid
from emberjit.sparse.functions import csr_sin as csr_sin
from emberjit.sparse.functions import csr_sinh as csr_sinh
from emberjit.sparse.functions import csr_softmax as csr_softmax
from emberjit.sparse.functions import csr_softsign as csr_softsign
from emberjit.sparse.functions import csr_sqrt as csr_sqrt
from emberjit.sparse.functions import csr_square as csr_square
from emberjit.sparse.functions import csr_tan as csr_tan
from emberjit.sparse.functions import csr_tanh as csr_tanh
from emberjit.sparse.functions import csr_tensor_get_dense_shape as csr_tensor_get_dense_shape
from emberjit.sparse.functions import csr_tensor_get_indices as csr_tensor_get_indices
from emberjit.sparse.functions import csr_tensor_get_indptr as csr_tensor_get_indptr
from emberjit.sparse.functions import csr_tensor_get_values as csr_tensor_get_values
from emberjit.sparse.functions import csr_to_coo as csr_to_coo
from emberjit.sparse.functions import csr_to_dense as csr_to_dense
from emberjit.sparse.functions import dense_to_sparse_coo as dense_to_sparse_coo
from emberjit.sparse.functions import dense_to_sparse_csr as dense_to_sparse_csr
from emberjit.sparse.functions import make_coo_tensor as make_coo_tensor
from emberjit.sparse.functions import make_csr_tensor as make_csr_tensor
from emberjit.sparse.functions import make_row_tensor as make_row_tensor
from emberjit.sparse.functions import make_row_tensor_inner as make_row_tensor_inner
from emberjit.sparse.functions import make_sparse_tensor as make_sparse_tensor
from emberjit.sparse.functions import row_tensor_add as row_tensor_add
from emberjit.sparse.functions import row_tensor_get_dense_shape as row_tensor_get_dense_shape
from emberjit.sparse.functions import row_tensor_get_indices as row_tensor_get_indices
from emberjit.sparse.functions import row_tensor_get_values as row_tensor_get_values
from emberjit.sparse.primitives import SparseAdd as SparseAdd
from emberjit.sparse.primitives import SparseAddmm as SparseAddmm
from emberjit.sparse.primitives import SparseCountSparseOutput as SparseCountSparseOutput
from emberjit.sparse.primitives import SparseDenseCwiseAdd as SparseDenseCwiseAdd
from emberjit.sparse.primitives import SparseDenseCwiseDiv as SparseDenseCwiseDiv
from emberjit.sparse.primitives import SparseDenseCwiseMul as SparseDenseCwiseMul
from emberjit.sparse.primitives import SparseMatrixSoftmax as SparseMatrixSoftmax
from emberjit.sparse.primitives import SparseReorder as SparseReorder
from emberjit.sparse.primitives import SparseReshape as SparseReshape
from emberjit.sparse.primitives import SparseSlice as SparseSlice
from emberjit.sparse.primitives import SparseSparseMaximum as SparseSparseMaximum
from emberjit.sparse.primitives import SparseSparseMinimum as SparseSparseMinimum
from emberjit.sparse.primitives import SparseTensorDenseAdd as SparseTensorDenseAdd
from emberjit.sparse.primitives import SparseTensorDenseMatmul as SparseTensorDenseMatmul
from emberjit.transforms.derivatives import derivative as derivative
from emberjit.transforms.derivatives import jacfwd as jacfwd
from emberjit.transforms.derivatives import jacrev as jacrev
from emberjit.transforms.derivatives import jet as jet
from emberjit.transforms.derivatives import jvp as jvp
from emberjit.transforms.derivatives import linearize as linearize
from emberjit.transforms.derivatives import vjp as vjp
from emberjit.transforms.gradient import GradOperation as GradOperation
from emberjit.transforms.gradient import get_grad as get_grad
from emberjit.transforms.gradient import grad as grad
from emberjit.transforms.gradient import value_and_grad as value_and_grad
from emberjit.transforms.tensor_hooks import HookBackward as HookBackward
from emberjit.transforms.tensor_hooks import InsertGradientOf as InsertGradientOf
from emberjit.transforms.vmap import vmap as vmap

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

class ACos(Primitive):
    """The arc cosine in radians; NaN beyond 1. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ACosGrad(Primitive):
    """The gradient of acos by input.

    Inputs:
        x: the operands and attributes of acos, at which the gradient is taken.
        dout: the gradient by its result, of the result's shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Abs(Primitive):
    """|input|. The least signed integer, which has no opposite, stays itself.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class AbsGrad(Primitive):
    """The gradient of abs by input.

    Inputs:
        x: the operands and attributes of abs, at which the gradient is taken.
        dout: the gradient by its result, of the result's shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AccumulateNV2(Primitive):
    """The sum of Tensors of one shape and dtype, added up in their order.

    Inputs:
        x: tuple or list of Tensors
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Acosh(Primitive):
    """The inverse hyperbolic cosine; NaN below 1. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class AcoshGrad(Primitive):
    """The gradient of acosh by its operand, from its result.

    Inputs:
        out: the result.
        dout: the gradient by it, of the same shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Adam(Primitive):
    """m = beta1 * m + (1 - beta1) * g; v = beta2 * v + (1 - beta2) * g * g; var -= lr * sqrt(1 - beta2_power) / (1 -
    beta1_power) * m / (sqrt(v) + epsilon) (Kingma and Ba, "Adam", 2015).
    """
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AdamNoUpdateParam(Primitive):
    """What a step of Adam adds to a Parameter, which is not written; the moments are."""
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AdamWeightDecay(Primitive):
    """m = beta1 * m + (1 - beta1) * g; v = beta2 * v + (1 - beta2) * g * g; var -= lr * (m / (sqrt(v) + epsilon) + decay *
    var) (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019).
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AdaptiveAvgPool2D(Primitive):
    """The means of windows of (N, C, H, W) or (C, H, W), which divide rows and columns as evenly as they can."""
    def __init__(self, output_size: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AdaptiveAvgPool2DGrad(Primitive):
    """The gradient of adaptive_avg_pool2d by input.

    Inputs:
        input_grad: the gradient by its result, of the result's shape.
        orig_input_shape: the shape of the operand, of which adaptive_avg_pool2d is a linear function, and its other operands and attributes.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AdaptiveAvgPool3D(Primitive):
    """The means of windows of (N, C, D, H, W) or (C, D, H, W), which divide each axis as evenly as they can."""
    def __init__(self, output_size: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AdaptiveAvgPool3DGrad(Primitive):
    """The gradient of adaptive_avg_pool3d by input.

    Inputs:
        y_grad: the gradient by its result, of the result's shape.
        orig_input_shape: the shape of the operand, of which adaptive_avg_pool3d is a linear function, and its other operands and attributes.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AdaptiveMaxPool2D(Primitive):
    """The largest elements of windows of (N, C, H, W) or (C, H, W), which divide each axis evenly."""
    def __init__(self, output_size: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AdaptiveMaxPool2DGrad(Primitive):
    """The gradient by x, of shape (N, C, ...), of the largest elements of windows.

    Inputs:
        y_grad: the gradient by them.
        x: of shape (N, C, ...).
        argmax: their positions in a channel, of grad's shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AdaptiveMaxPool3D(Primitive):
    """The largest elements of windows of (N, C, D, H, W) or (C, D, H, W), which divide each axis evenly.

    Inputs:
        x: Tensor
        output_size: how many; one int for all axes, or a tuple in which None keeps a size.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AdaptiveMaxPool3DGrad(Primitive):
    """The gradient by x, of shape (N, C, ...), of the largest elements of windows.

    Inputs:
        input_grad: the gradient by them.
        x: of shape (N, C, ...).
        argmax: their positions in a channel, of grad's shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Add(Primitive):
    """input + other, elementwise with broadcasting; of two bools, their disjunction.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class AddN(Primitive):
    """The sum of Tensors of one shape and dtype, added up in their order.

    Inputs:
        x: tuple or list of Tensors
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AddV2(Primitive):
    """input + other, elementwise with broadcasting; of two bools, their disjunction.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Addcdiv(Primitive):
    """input + value * tensor1 / tensor2, elementwise with broadcasting; quotients of integers are float32.

    Inputs:
        input_data: Tensor or number
        x1: Tensor or number
        x2: Tensor or number
        value: Tensor or number; by default 1
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Addcmul(Primitive):
    """input + value * tensor1 * tensor2, elementwise with broadcasting.

    Inputs:
        input_data: Tensor or number
        x1: Tensor or number
        x2: Tensor or number
        value: Tensor or number; by default 1
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AdjustHue(Primitive):
    """Images (..., H, W, 3) of red, green and blue with delta, one number, added to hues, of which 1 is 0.

    Inputs:
        image: Tensor
        delta: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AdjustSaturation(Primitive):
    """Images (..., H, W, 3) of red, green and blue with saturations times scale, one number, within [0, 1].

    Inputs:
        image: Tensor
        scale: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AffineGrid(Primitive):
    """The points at which grid_sample() turns an image by affine maps: (N, H, W, 2), or (N, D, H, W, 3)."""
    def __init__(self, align_corners: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AffineGridGrad(Primitive):
    """The gradient of affine_grid by theta."""
    def __init__(self, align_corners: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AllGather(Primitive):
    """The Tensors of all processes joined along the first axis."""
    def __init__(self, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AllGatherV(Primitive):
    """The Tensors of all processes joined, of which each may have another size."""
    def __init__(self, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AllReduce(Primitive):
    """The Tensors of all processes reduced."""
    def __init__(self, op: str = 'sum', group: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AlltoAll(Primitive):
    """Parts along one axis of the Tensors of all processes, joined along another."""
    def __init__(self, split_count: int, split_dim: int, concat_dim: int, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AlltoAllV(Primitive):
    """Parts of the Tensors of all processes, joined."""
    def __init__(self, group: str = 'hccl_world_group', block_size: int = 1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AlltoAllVC(Primitive):
    """What all processes have for this one, joined."""
    def __init__(self, group: str = 'hccl_world_group', block_size: int = 1, transpose: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Angle(Primitive):
    """The angle of complex numbers in radians, within (-pi, pi]; of real numbers 0, or pi below zero.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ApplyAdaMax(Primitive):
    """m = beta1 * m + (1 - beta1) * g; v = max(beta2 * v, |g|); var -= lr / (1 - beta1_power) * m / (v + epsilon) (Kingma
    and Ba, "Adam", 2015).

    Inputs:
        var: what is trained, a Parameter or Tensor, which is written.
        m: a state of the shape of what is trained, a Parameter or Tensor, which is written.
        v: a state of the shape of what is trained, a Parameter or Tensor, which is written.
        beta1_power: beta1 to the power of the step's number, which is 1 at first.
        lr: the learning rate, a number or a Tensor of one.
        beta1: the part of m that a step keeps.
        beta2: the part of v that a step keeps.
        epsilon: is added to what divides.
        grad: the gradient, a Tensor.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyAdadelta(Primitive):
    """accum = rho * accum + (1 - rho) * g * g; u = sqrt(accum_update + epsilon) * g / sqrt(accum + epsilon); var -= lr * u;
    accum_update = rho * accum_update + (1 - rho) * u * u (Zeiler, "ADADELTA", 2012).

    Inputs:
        var: what is trained, a Parameter or Tensor, which is written.
        accum: a state of the shape of what is trained, a Parameter or Tensor, which is written.
        accum_update: a state of the shape of what is trained, a Parameter or Tensor, which is written.
        lr: the learning rate, a number or a Tensor of one.
        rho: the part of means that a step keeps.
        epsilon: is added to what divides.
        grad: the gradient, a Tensor.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyAdagrad(Primitive):
    """accum += g * g, if update_slots; var -= lr * g / sqrt(accum)."""
    def __init__(self, update_slots: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyAdagradDA(Primitive):
    """s += g; q += g * g; var = -lr * sign(s) * max(|s| - l1 * global_step, 0) / (l2 * global_step * lr + sqrt(q)) (Duchi,
    Hazan and Singer, "Adaptive subgradient methods", 2011).
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyAdagradV2(Primitive):
    """accum += g * g, if update_slots; var -= lr * g / (sqrt(accum) + epsilon)."""
    def __init__(self, epsilon: float, update_slots: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyAdamWithAmsgrad(Primitive):
    """Adam with vhat = max(vhat, v) in place of v (Reddi, Kale and Kumar, "On the convergence of Adam and beyond", 2018)."""
    def __init__(self, beta1: Any = 0.9, beta2: Any = 0.999, epsilon: Any = 1e-08, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyAdamWithAmsgradV2(Primitive):
    """Adam with vhat = max(vhat, v) in place of v (Reddi, Kale and Kumar, "On the convergence of Adam and beyond", 2018)."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyAddSign(Primitive):
    """m = beta * m + (1 - beta) * g; var -= lr * (alpha + sign_decay * sign(g) * sign(m)) * g (Bello et al., "Neural
    optimizer search with reinforcement learning", 2017).

    Inputs:
        var: what is trained, a Parameter or Tensor, which is written.
        m: a state of the shape of what is trained, a Parameter or Tensor, which is written.
        lr: the learning rate, a number or a Tensor of one.
        alpha: a number or a Tensor of one, as sign_decay.
        sign_decay: what becomes of the rate where the signs of g and m agree, or do not, as the formula says.
        beta: the part of m that a step keeps.
        grad: the gradient, a Tensor.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyCenteredRMSProp(Primitive):
    """RMSProp with the gradients' variance, s - mean_gradient ** 2, in place of s (Graves, "Generating sequences with
    recurrent neural networks", 2013).
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyFtrl(Primitive):
    """n = accum + g * g; z = linear + g - (n ** -lr_power - accum ** -lr_power) / lr * var; var = (sign(z) * l1 - z) / (n **
    -lr_power / lr + 2 * l2) where |z| > l1, else 0; accum, linear = n, z (McMahan et al., "Ad click prediction", 2013).
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyGradientDescent(Primitive):
    """var - alpha * delta.

    Inputs:
        var: what is trained, a Parameter or Tensor, which is written.
        alpha: the learning rate, a number or a Tensor of one.
        delta: the gradient, a Tensor.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyKerasMomentum(Primitive):
    """accum = momentum * accum - lr * g; var += accum, or by Nesterov momentum * accum - lr * g."""
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyMomentum(Primitive):
    """a = momentum * a + g; variable -= learning_rate * a, or by Nesterov learning_rate * (g + momentum * a)."""
    def __init__(self, use_nesterov: bool = False, use_locking: bool = False, gradient_scale: float = 1.0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyPowerSign(Primitive):
    """m = beta * m + (1 - beta) * g; var -= lr * exp(logbase * sign_decay * sign(g) * sign(m)) * g (Bello et al., "Neural
    optimizer search with reinforcement learning", 2017).

    Inputs:
        var: what is trained, a Parameter or Tensor, which is written.
        m: a state of the shape of what is trained, a Parameter or Tensor, which is written.
        lr: the learning rate, a number or a Tensor of one.
        logbase: a number or a Tensor of one, as sign_decay.
        sign_decay: what becomes of the rate where the signs of g and m agree, or do not, as the formula says.
        beta: the part of m that a step keeps.
        grad: the gradient, a Tensor.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyProximalAdagrad(Primitive):
    """accum += g * g; r = lr / sqrt(accum); p = var - r * g; var = sign(p) * max(|p| - r * l1, 0) / (1 + r * l2)."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyProximalGradientDescent(Primitive):
    """p = var - alpha * delta; var = sign(p) * max(|p| - alpha * l1, 0) / (1 + alpha * l2).

    Inputs:
        var: what is trained, a Parameter or Tensor, which is written.
        alpha: the learning rate, a number or a Tensor of one.
        l1: the strength of l1 regularisation.
        l2: the strength of l2 regularisation.
        delta: the gradient, a Tensor.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApplyRMSProp(Primitive):
    """s = decay * s + (1 - decay) * g * g; moment = momentum * moment + learning_rate * g / sqrt(s + epsilon); var -= moment
    (Tieleman and Hinton, 2012).
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ApproximateEqual(Primitive):
    """Whether |x - y| < tolerance, elementwise with broadcasting."""
    def __init__(self, tolerance: float = 1e-05) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ArgMaxWithValue(Primitive):
    """The index (int64) of the largest element along `axis`, the first of equals, and the element."""
    def __init__(self, axis: int = 0, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]: ...

class ArgMinWithValue(Primitive):
    """The index (int64) of the smallest element along `axis`, the first of equals, and the element."""
    def __init__(self, axis: int = 0, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]: ...

class Argmax(Primitive):
    """The index of the largest element along an axis, the first of equals."""
    def __init__(self, axis: int = -1, output_type: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Argmin(Primitive):
    """The index of the smallest element along an axis, the first of equals."""
    def __init__(self, axis: int = -1, output_type: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Asin(Primitive):
    """The arc sine in radians; NaN beyond 1. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class AsinGrad(Primitive):
    """The gradient of asin by input.

    Inputs:
        x: the operands and attributes of asin, at which the gradient is taken.
        dout: the gradient by its result, of the result's shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Asinh(Primitive):
    """The inverse hyperbolic sine. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class AsinhGrad(Primitive):
    """The gradient of asinh by its operand, from its result.

    Inputs:
        out: the result.
        dout: the gradient by it, of the same shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Assert(Primitive):
    """Checks that a condition is true."""
    def __init__(self, summarize: int = 3) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...

class Assign(Primitive):
    """Writes value into a Parameter of the same shape. The value's dtype must promote to the Parameter's. A jitted function that reads the Parameter in another thread meanwhile may see some elements of before and some of after; set_data exchanges them all at once.

    Inputs:
        variable: Parameter or Tensor
        value: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class AssignAdd(Primitive):
    """Adds value to a Parameter of the same shape, where () and (1,) count as one, in the Parameter's dtype.

    Inputs:
        variable: Parameter or Tensor
        value: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class AssignSub(Primitive):
    """Takes value from a Parameter of the same shape, where () and (1,) count as one, in the Parameter's dtype.

    Inputs:
        variable: Parameter or Tensor
        value: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Atan(Primitive):
    """The arc tangent in radians. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Atan2(Primitive):
    """The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of zero as in C. Integers give float32.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class AtanGrad(Primitive):
    """The gradient of atan by input.

    Inputs:
        x: the operands and attributes of atan, at which the gradient is taken.
        dout: the gradient by its result, of the result's shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Atanh(Primitive):
    """The inverse hyperbolic tangent; infinite at 1, NaN beyond. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class AvgPool(Primitive):
    """The mean of each window of images (N, C, H, W)."""
    def __init__(self, kernel_size: int | Sequence[int] = 1, strides: int | Sequence[int] = 1, pad_mode: str = 'VALID', data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AvgPool3D(Primitive):
    """The mean of each window of volumes (N, C, D, H, W), whose padding counts unless count_include_pad is False; or its
    sum over divisor_override. `pad` is one number or six: before and after each axis, for pad_mode "pad".
    """
    def __init__(self, kernel_size: int | Sequence[int] = 1, strides: int | Sequence[int] = 1, pad_mode: str = 'valid', pad: int | Sequence[int] = 0, ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AvgPool3DGrad(Primitive):
    """The gradient of AvgPool3D by input."""
    def __init__(self, kernel_size: int | Sequence[int] = 1, strides: int | Sequence[int] = 1, pads: int | Sequence[int] = 0, ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0, data_format: str = 'NCDHW', pad_mode: str = 'pad') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AvgPoolGrad(Primitive):
    """The gradient of AvgPool by x."""
    def __init__(self, kernel_size: int | Sequence[int] = 1, strides: int | Sequence[int] = 1, pad_mode: str = 'VALID', data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BCEWithLogitsLoss(Primitive):
    """The binary cross entropy of sigmoid(input), without computing that first."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Barrier(Primitive):
    """Waits for the other processes of a group."""
    def __init__(self, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BartlettWindow(Primitive):
    """Bartlett's window, a triangle: 1 - abs(2 n / N - 1)."""
    def __init__(self, periodic: bool = True, dtype: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BatchISendIRecv(Primitive):
    """Sends Tensors to other processes and receives others."""
    def __init__(self, op_types: Any, remote_ranks: Any, receive_shapes: Any = None, receive_dtypes: Any = None, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BatchMatMul(Primitive):
    """The products of two batches of matrices, each transposed first where asked."""
    def __init__(self, transpose_a: bool = False, transpose_b: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BatchNorm(Primitive):
    """(result, mean, variance, mean, variance): the batch's own statistics when training, else the given ones, which are
    not updated here.
    """
    def __init__(self, is_training: bool = False, epsilon: float = 1e-05, momentum: float = 0.1, data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BatchNormGrad(Primitive):
    """The gradients of batch normalisation by x, scale and bias."""
    def __init__(self, is_training: bool = False, epsilon: float = 1e-05, data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BatchNormGradGrad(Primitive):
    """The gradients of BatchNormGrad by x, dy and scale, from those by its three results."""
    def __init__(self, is_training: bool = False, epsilon: float = 1e-05, data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BatchToSpace(Primitive):
    """The inverse of space_to_batch_nd."""
    def __init__(self, block_size: int | Sequence[int], crops: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BatchToSpaceND(Primitive):
    """The inverse of space_to_batch_nd."""
    def __init__(self, block_shape: int | Sequence[int], crops: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BatchToSpaceNDV2(Primitive):
    """The inverse of space_to_batch_nd.

    Inputs:
        input_x: (places in a block * batch, ..., spatial axes).
        block_shape: the size of blocks along each spatial axis; an int for all.
        crops: (elements cut before, elements cut after) each.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Bernoulli(Primitive):
    """1 with probability p, else 0, in x's shape and dtype; p is a number or a Tensor that broadcasts to x."""
    def __init__(self, seed: int = -1, offset: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BesselI0(Primitive):
    """The modified Bessel function of the first kind, of order 0. Integers give float32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BesselI0e(Primitive):
    """e^-|input| times the modified Bessel function of the first kind, of order 0. Integers give float32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BesselI1(Primitive):
    """The modified Bessel function of the first kind, of order 1. Integers give float32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BesselI1e(Primitive):
    """e^-|input| times the modified Bessel function of the first kind, of order 1. Integers give float32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BesselJ0(Primitive):
    """The Bessel function of the first kind, of order 0. Integers give float32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BesselJ1(Primitive):
    """The Bessel function of the first kind, of order 1. Integers give float32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BesselK0(Primitive):
    """The modified Bessel function of the second kind, of order 0: infinite at 0, NaN below. Integers give float32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BesselK0e(Primitive):
    """e^input times the modified Bessel function of the second kind, of order 0. Integers give float32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BesselK1(Primitive):
    """The modified Bessel function of the second kind, of order 1: infinite at 0, NaN below. Integers give float32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BesselK1e(Primitive):
    """e^input times the modified Bessel function of the second kind, of order 1. Integers give float32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BesselY0(Primitive):
    """The Bessel function of the second kind, of order 0: -inf at 0, NaN below. Integers give float32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BesselY1(Primitive):
    """The Bessel function of the second kind, of order 1: -inf at 0, NaN below. Integers give float32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Betainc(Primitive):
    """The regularised incomplete beta function I_x(a, b), elementwise with broadcasting; NaN unless a, b > 0 and x is within [0, 1]. There is a gradient by x alone. Integers give float32.

    Inputs:
        a: Tensor
        b: Tensor
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BiasAdd(Primitive):
    """Adds one element of `bias` to each channel: axis 1 for the formats 'NCHW' and 'NCDHW', the last for 'NHWC'."""
    def __init__(self, data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BiasAddGrad(Primitive):
    """The gradient of bias_add by the bias: the sum over all axes but that of channels."""
    def __init__(self, data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BinaryCrossEntropy(Primitive):
    """-weight * (labels * log(logits) + (1 - labels) * log(1 - logits)), where logarithms are at least -100."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BinaryCrossEntropyGrad(Primitive):
    """The gradient of binary_cross_entropy by logits."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Bincount(Primitive):
    """The sums of the weights of each integer below a size; without weights, how often each is there.

    Inputs:
        array: integers that are not negative; those from size on do not count.
        size: an int, or a 0-d Tensor of one.
        weights: of the array's shape, or without elements.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BitwiseAnd(Primitive):
    """input & other, elementwise with broadcasting. Floats are a TypeError.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BitwiseOr(Primitive):
    """input | other, elementwise with broadcasting. Floats are a TypeError.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BitwiseXor(Primitive):
    """input ^ other, elementwise with broadcasting. Floats are a TypeError.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BlackmanWindow(Primitive):
    """Blackman's window: 0.42 - 0.5 cos(2 pi n / N) + 0.08 cos(4 pi n / N)."""
    def __init__(self, periodic: bool = True, dtype: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BoundingBoxDecode(Primitive):
    """The boxes (N, 4) that deltas (N, 4) tell of, given anchors (N, 4): the inverse of bounding_box_encode(), within
    images.
    """
    def __init__(self, max_shape: Any, means: Any = (0.0, 0.0, 0.0, 0.0), stds: Any = (1.0, 1.0, 1.0, 1.0), wh_ratio_clip: float = 0.016) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BoundingBoxEncode(Primitive):
    """What regression is to tell of boxes of pixels (N, 4), given anchors (N, 4): the middle's distance in widths and
    heights of the anchor, and the logarithms of ratios of sizes.

    Method: R. Girshick et al., Rich feature hierarchies for accurate object detection and semantic segmentation (2014).
    """
    def __init__(self, means: Any = (0.0, 0.0, 0.0, 0.0), stds: Any = (1.0, 1.0, 1.0, 1.0)) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Broadcast(Primitive):
    """A tuple of one process's Tensors."""
    def __init__(self, root_rank: int, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BroadcastTo(Primitive):
    """Stretches axes of size one, and adds axes in front. A size of -1 keeps the operand's. A view."""
    def __init__(self, shape: int | Sequence[int]) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Bucketize(Primitive):
    """The index (int32) of the interval that each element lies in."""
    def __init__(self, boundaries: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CTCGreedyDecoder(Primitive):
    """The most probable class of each input as labels: (indices (K, 2), labels (K), (sequences, labels at most), -log (N,
    1)).

    An index is the sequence's number and that of the label in it; all are int64. The last class stands for no label.
    """
    def __init__(self, merge_repeated: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CTCLoss(Primitive):
    """(losses (N), their gradient by x): -log of the probability of labels that are not aligned; the last class is no label."""
    def __init__(self, preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True, ignore_longer_outputs_than_inputs: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CTCLossV2(Primitive):
    """(losses (N), logarithms of forward variables (N, T, 2 S + 1)): -log of the probability of labels that are not aligned."""
    def __init__(self, blank: int = 0, reduction: str = 'none', zero_infinity: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Cast(Primitive):
    """input in another dtype. Floats become integers by truncation (out of range as NumPy does on x86), integers wrap, to bool is `!= 0`, and the half types are rounded to nearest even.

    Inputs:
        input: Tensor
        dtype: dtype
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Cauchy(Primitive):
    """Random numbers of density sigma / (pi * (sigma ** 2 + (x - median) ** 2)), float32 of shape size."""
    def __init__(self, size: int | Sequence[int], median: float = 0.0, sigma: float = 1.0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Cdist(Primitive):
    """The distances of order p of each of n vectors, (..., n, k), from each of m, (..., m, k)."""
    def __init__(self, p: float = 2.0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CdistGrad(Primitive):
    """The gradient of cdist by input_x, from its result; 0 where vectors are equal."""
    def __init__(self, p: float = 2.0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CeLU(Primitive):
    """x where it is positive, else alpha * (exp(x / alpha) - 1) (Barron, 2017)."""
    def __init__(self, alpha: float = 1.0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Ceil(Primitive):
    """Rounds up to an integer, in the dtype of input.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ChannelShuffle(Primitive):
    """Channels (the second axis) in the order of their place within groups, so that groups mix.

    ShuffleNet's, of Zhang et al. (2018).
    """
    def __init__(self, group: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CheckNumerics(Primitive):
    """x itself, whose elements are all finite.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CheckValid(Primitive):
    """Whether boxes (N, 4) lie within an image (bool, N).

    Inputs:
        bboxes: Tensor
        img_metas: (height, width, ratio), by which both are multiplied.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Cholesky(Primitive):
    """L with a positive diagonal, for which L L^H is the input, or L^H."""
    def __init__(self, upper: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CholeskyInverse(Primitive):
    """The inverse of a matrix by its Cholesky factor: of L L^H, or with upper of U^H U."""
    def __init__(self, upper: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CholeskySolve(Primitive):
    """The x for which A x = input, of A by its Cholesky factor."""
    def __init__(self, upper: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ClipByNorm(Primitive):
    """x, scaled down where its norm along axes is above clip_norm."""
    def __init__(self, axis: int | Sequence[int] | None = None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Coalesce(Primitive):
    """(the coordinates that differ in row-major order, the sum of the values at each, x_shape): a sparse Tensor without
    duplicates.

    Inputs:
        x_indices: (axes, values), int64, the coordinates of each value.
        x_values: (values,).
        x_shape: (axes,), int64.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Col2Im(Primitive):
    """The images (N, C, H, W) in which windows are summed, given as (N, C, kernel's size, windows). See fold."""
    def __init__(self, kernel_size: int | Sequence[int], dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CollectiveGather(Primitive):
    """The Tensors of all processes joined along the first axis, for one of them."""
    def __init__(self, dest_rank: int, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CollectiveScatter(Primitive):
    """This process's part, along the first axis, of one's Tensor."""
    def __init__(self, src_rank: int = 0, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CombinedNonMaxSuppression(Primitive):
    """(boxes (N, K, 4), scores (N, K), classes (N, K), how many there are (int32, N)) that stay, in descending order of
    scores, zeros behind them: greedy non-maximum suppression within each class.
    """
    def __init__(self, pad_per_class: bool = False, clip_boxes: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CompareAndBitpack(Primitive):
    """Whether elements are greater than a threshold, eight of the last axis in one uint8, the first in its highest bit.

    Inputs:
        x: Tensor
        threshold: a Tensor without axes; without effect on bools, which are packed as they are.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Complex(Primitive):
    """real + imag * i, elementwise with broadcasting: complex128 of float64, else complex64. Complex operands are a TypeError.

    Inputs:
        real: Tensor or number
        imag: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ComplexAbs(Primitive):
    """The magnitude sqrt(re^2 + im^2) of complex numbers.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ComputeAccidentalHits(Primitive):
    """Where samples are among true classes: (rows (int32), positions of samples, the lowest float32 of each)."""
    def __init__(self, num_true: int = 1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Concat(Primitive):
    """Joins tensors along an axis. All other sizes must agree; dtypes promote to their common one."""
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ConcatOffset(Primitive):
    """Where each of N Tensors begins in their concatenation: an int64 Tensor (N, axes), of zeros but along the axis."""
    def __init__(self, N: int = 2, axis: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ConcatOffsetV1(Primitive):
    """Where each of several Tensors begins in their concatenation, by their shapes: a tuple of (rank,).

    Inputs:
        axis: along which they are concatenated, an int or a Tensor of one.
        x: the shapes, Tensors of integers (rank,).
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ConfusionMatrix(Primitive):
    """How often a class was taken for another: rows are labels, columns predictions."""
    def __init__(self, num_classes: int, dtype: str = 'int32') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Conj(Primitive):
    """The complex conjugate, re - im * i; of real numbers themselves.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ConjugateTranspose(Primitive):
    """Conjugated elements with axes in another order.

    Inputs:
        x: Tensor
        perm: which axis comes at each place.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Conv2D(Primitive):
    """Convolution of images (N, C, H, W). `pad` is one number or four (top, bottom, left, right), for pad_mode "pad"."""
    def __init__(self, out_channel: int, kernel_size: int | Sequence[int], mode: int = 1, pad_mode: str = 'valid', pad: int | Sequence[int] = 0, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Conv2DBackpropFilter(Primitive):
    """The gradient of Conv2D by weight."""
    def __init__(self, out_channel: int, kernel_size: int | Sequence[int], pad_mode: str = 'valid', pad: int | Sequence[int] = 0, mode: int = 1, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Conv2DBackpropInput(Primitive):
    """The gradient of the input, of shape `input_sizes`, of a convolution with `filter`: the transposed convolution. `pad`
    is one number or four (top, bottom, left, right), for pad_mode "pad".
    """
    def __init__(self, out_channel: int, kernel_size: int | Sequence[int], pad_mode: str = 'valid', pad: int | Sequence[int] = 0, pad_list: int | Sequence[int] | None = None, mode: int = 1, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Conv2DTranspose(Primitive):
    """The gradient of the input, of shape `input_sizes`, of a convolution with `filter`: the transposed convolution. `pad`
    is one number or four (top, bottom, left, right), for pad_mode "pad".
    """
    def __init__(self, out_channel: int, kernel_size: int | Sequence[int], pad_mode: str = 'valid', pad: int | Sequence[int] = 0, pad_list: int | Sequence[int] | None = None, mode: int = 1, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Conv3D(Primitive):
    """Convolution of volumes (N, C, D, H, W). `pad` is one number or six: before and after each axis, for pad_mode "pad"."""
    def __init__(self, out_channel: int, kernel_size: int | Sequence[int], mode: int = 1, pad_mode: str = 'valid', pad: int | Sequence[int] = 0, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Conv3DBackpropFilter(Primitive):
    """The gradient of Conv3D by weight."""
    def __init__(self, out_channel: int, kernel_size: int | Sequence[int], mode: int = 1, pad_mode: str = 'valid', pad: int | Sequence[int] = 0, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Conv3DTranspose(Primitive):
    """Transposed convolution of volumes (N, C, D, H, W). `pad` is one number or six: before and after each axis, for
    pad_mode "pad"; output_padding leaves more of the result at the end of each axis.
    """
    def __init__(self, in_channel: int, out_channel: int, kernel_size: int | Sequence[int], mode: int = 1, pad_mode: str = 'valid', pad: int | Sequence[int] = 0, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, output_padding: int | Sequence[int] = 0, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ConvertToDynamic(Primitive):
    """A copy; in a graph of MindSpore's its shape is unknown."""
    def __init__(self, is_dynamic_rank: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CopyWithSlice(Primitive):
    """Writes value into input, a view or the whole of a Tensor, which is returned.

    Inputs:
        input: a Tensor, which is written.
        value: a Tensor that broadcasts to input's shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Cos(Primitive):
    """The cosine of radians of any size. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Cosh(Primitive):
    """The hyperbolic cosine. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class CountNonZero(Primitive):
    """How many elements are not 0 (int64), over axes; over all if there are none. NaN is not 0."""
    def __init__(self, dims: int | Sequence[int] | None = None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CropAndResize(Primitive):
    """Crops of images (N, H, W, C), resized to one size: (K, height, width, C). float64 of float64, else float32."""
    def __init__(self, method: str = 'bilinear', extrapolation_value: float = 0.0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Cross(Primitive):
    """The cross products of vectors along an axis of size 3, after broadcasting."""
    def __init__(self, dim: int = -65530) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CumProd(Primitive):
    """The products of all elements up to each along an axis, in the dtype of x."""
    def __init__(self, exclusive: bool = False, reverse: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CumSum(Primitive):
    """The sums of all elements up to each along an axis, in the dtype of x."""
    def __init__(self, exclusive: bool = False, reverse: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Cummax(Primitive):
    """The largest of all elements up to each along an axis, and its index (int64): of equals, and of NaN, which prevails, the last."""
    def __init__(self, axis: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]: ...

class Cummin(Primitive):
    """(the smallest of all elements up to each along an axis, its position, as int32); of equals the last."""
    def __init__(self, axis: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CumulativeLogsumexp(Primitive):
    """The logarithms of the sums of the exponentials of all elements up to each along an axis, in the dtype of x."""
    def __init__(self, exclusive: bool = False, reverse: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Custom(Primitive):
    """What a function gives, as a Tensor or tuple of Tensors: of NumPy's arrays, which runs in Python, or of a library,
    which graphs call.
    """
    def __init__(self, func: Any, out_shape: Any = None, out_dtype: Any = None, func_type: str = 'pyfunc', bprop: Any = None, reg_info: Any = None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DType(Primitive):
    """The dtype.

    Inputs:
        input_x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DataFormatDimMap(Primitive):
    """Where axes of one order of images are in another."""
    def __init__(self, src_format: str = 'NHWC', dst_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DataFormatVecPermute(Primitive):
    """What is said of each axis of images, in another order of them."""
    def __init__(self, src_format: str = 'NHWC', dst_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DeformableOffsets(Primitive):
    """What the windows of a deformable convolution read of images (N, C, H, W): (N, C, rows * kernel's, columns * kernel's)."""
    def __init__(self, strides: int | Sequence[int], pads: int | Sequence[int], ksize: int | Sequence[int], dilations: int | Sequence[int] = (1, 1, 1, 1), data_format: str = 'NCHW', deformable_groups: int = 1, modulated: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DeformableOffsetsGrad(Primitive):
    """The gradient of DeformableOffsets by x, offsets."""
    def __init__(self, strides: int | Sequence[int], pads: int | Sequence[int], kernel_size: int | Sequence[int], dilations: int | Sequence[int] = (1, 1, 1, 1), data_format: str = 'NCHW', deformable_groups: int = 1, modulated: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Dense(Primitive):
    """input @ weight.T + bias, where `weight` is (outputs, inputs), or (inputs,).

    Inputs:
        x: Tensor
        w: Tensor
        b: Tensor or None; by default None
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Depend(Primitive):
    """Answers value; effects before it stay before what uses it, as they do anyway.

    Inputs:
        value: any object
        expr: any object
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DepthToSpace(Primitive):
    """The inverse of SpaceToDepth: images (N, C, H, W) become (N, C / block^2, H * block, W * block)."""
    def __init__(self, block_size: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DepthwiseConv2dNative(Primitive):
    """Each channel of images (N, C, H, W) convolved with channel_multiplier kernels of its own."""
    def __init__(self, channel_multiplier: int, kernel_size: int | Sequence[int], mode: int = 3, pad_mode: str = 'valid', pad: int | Sequence[int] = 0, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Diag(Primitive):
    """The Tensor of twice the axes that has the input's elements where their indices repeat, and zeros elsewhere.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DiagPart(Primitive):
    """The elements of a Tensor of an even number of axes whose indices in the first half repeat in the second. A view.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Digamma(Primitive):
    """psi(input), the derivative of lgamma: infinite at 0, NaN at integers below. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Dilation2D(Primitive):
    """The largest sum of an element and the filter's in each window of images (N, C, H, W): greyscale dilation."""
    def __init__(self, stride: int | Sequence[int], dilation: int | Sequence[int], pad_mode: str = 'SAME', data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Div(Primitive):
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class DivNoNan(Primitive):
    """x / y, and 0 where y is 0, elementwise with broadcasting. Integers give float32.

    Inputs:
        x: Tensor or number
        y: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Dropout(Primitive):
    """(x with elements dropped and the others scaled, 1 where one was kept)."""
    def __init__(self, keep_prob: float = 0.5, Seed0: int = 0, Seed1: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Dropout2D(Primitive):
    """(x with whole channels zero and the others scaled by 1 / keep_prob, whether elements are kept).

    Quotients of integers are truncated.
    """
    def __init__(self, keep_prob: float = 0.5) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Dropout3D(Primitive):
    """(x with whole channels zero and the others scaled by 1 / keep_prob, whether elements are kept).

    Quotients of integers are truncated.
    """
    def __init__(self, keep_prob: float = 0.5) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DropoutDoMask(Primitive):
    """input_x / keep_prob where the bit of a mask of DropoutGenMask is 1, else 0.

    Inputs:
        input_x: Tensor
        mask: of DropoutGenMask, with a bit for each element of input_x.
        keep_prob: the probability with which elements are kept, a number or a Tensor of one.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DropoutGenMask(Primitive):
    """A bit for each element of a shape, 1 with probability keep_prob: uint8, the lowest bit first, in whole 16 bytes."""
    def __init__(self, Seed0: int = 0, Seed1: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DropoutGrad(Primitive):
    """The gradient of dropout: dy / keep_prob where the mask is 1, else 0."""
    def __init__(self, keep_prob: float = 0.5) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DynamicGRUV2(Primitive):
    """(results, states, update gates, reset gates, new states, the states' part of those), all (T, N, H): gated recurrent
    units, step by step.

    Method: K. Cho et al., Learning phrase representations using RNN encoder-decoder (2014).
    """
    def __init__(self, direction: str = 'UNIDIRECTIONAL', cell_depth: int = 1, keep_prob: float = 1.0, cell_clip: float = -1.0, num_proj: int = 0, time_major: bool = True, activation: str = 'tanh', gate_order: str = 'rzh', reset_after: bool = True, is_training: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DynamicRNN(Primitive):
    """(results, states, cells, input gates, new cells, forget gates, output gates, tanh of cells), all (T, N, H): long
    short-term memory, step by step.
    """
    def __init__(self, cell_type: str = 'LSTM', direction: str = 'UNIDIRECTIONAL', cell_depth: int = 1, use_peephole: bool = False, keep_prob: float = 1.0, cell_clip: float = -1.0, num_proj: int = 0, time_major: bool = True, activation: str = 'tanh', forget_bias: float = 0.0, is_training: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DynamicShape(Primitive):
    """The shape as a Tensor of int64."""
    def __init__(self, dtype: int = 9) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class EditDistance(Primitive):
    """How many insertions, deletions and substitutions turn sequences into the true ones (float32): Levenshtein's distance."""
    def __init__(self, normalize: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Eig(Primitive):
    """(eigenvalues, eigenvectors); without compute_v these are empty. See ops.eig."""
    def __init__(self, compute_v: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Einsum(Primitive):
    """Sums of products of elements, by labels of axes: "ij,jk->ik" is the product of two matrices."""
    def __init__(self, equation: str) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Elu(Primitive):
    """input where it is positive, else alpha * (exp(input) - 1) (Clevert et al., 2016)."""
    def __init__(self, alpha: float = 1.0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class EluGrad(Primitive):
    """The gradient of elu by its operand, from its result.

    Inputs:
        dout: the gradient by it, of the same shape.
        out: the result.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class EluGradExt(Primitive):
    """The gradient of elu by its operand.

    Inputs:
        dout: the gradient by the result.
        x_or_out: the operand, or the result, of the same shape.
        alpha: float; by default 1.0
        is_result: which of them.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class EmbeddingLookup(Primitive):
    """Slices along the first axis at input_indices - offset; zeros where that is out of range.

    Inputs:
        input_params: with at least one axis.
        input_indices: integers.
        offset: int
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Eps(Primitive):
    """The distance from 1 to the next number of x's dtype, in x's shape.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Equal(Primitive):
    """Whether input equals other, elementwise with broadcasting. NaN equals nothing.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class EqualCount(Primitive):
    """How many elements of two Tensors are equal, in x's dtype and of shape (1,).

    Inputs:
        x: Tensor
        y: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Erf(Primitive):
    """The error function, within 1.5 ulp. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Erfc(Primitive):
    """1 - erf(input), exact where that is small. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Erfinv(Primitive):
    """The inverse of erf: infinite at 1, NaN beyond. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class EuclideanNorm(Primitive):
    """The square root of the sum of squares along axes, in the dtype of x."""
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Exp(Primitive):
    """e to the power of input, within 1 ulp. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Expand(Primitive):
    """Repeated along axes of size 1, and along new ones in front; -1 keeps a size. A view, which cannot be written.

    Inputs:
        x: Tensor
        shape: int or tuple of ints
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ExpandDims(Primitive):
    """Inserts an axis of size one. A view.

    Inputs:
        input_x: Tensor
        axis: int, the axis, from the end if negative
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Expm1(Primitive):
    """exp(input) - 1, also exact near zero. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ExtractGlimpse(Primitive):
    """Windows of a size of images (N, H, W, C): (N, *size, C), with noise outside of the image."""
    def __init__(self, centered: bool = True, normalized: bool = True, uniform_noise: bool = True, noise: str = 'uniform') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ExtractImagePatches(Primitive):
    """The windows of images (N, C, H, W) as channels, those of one tap together: (N, kernel's size * C, rows, columns)."""
    def __init__(self, ksizes: int | Sequence[int], strides: int | Sequence[int], rates: int | Sequence[int], padding: str = 'VALID') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ExtractVolumePatches(Primitive):
    """The windows of volumes (N, C, D, H, W) as channels, those of one tap together: (N, kernel's size * C, *windows)."""
    def __init__(self, kernel_size: int | Sequence[int], strides: int | Sequence[int], padding: str) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Eye(Primitive):
    """Ones on the diagonal of an n x m (None: n x n) matrix of zeros.

    Inputs:
        n: int
        m: int or None; by default None
        dtype: dtype or None; by default None
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class FFTWithSize(Primitive):
    """The discrete Fourier transform along the last signal_ndim axes, one to three, or its inverse."""
    def __init__(self, signal_ndim: int, inverse: bool, real: bool, norm: str = 'backward', onesided: bool = True, signal_sizes: int | Sequence[int] = ()) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FastGeLU(Primitive):
    """x * sigmoid(1.702 * x) (Hendrycks and Gimpel, 2016).

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FastGeLUGrad(Primitive):
    """The gradient of fast_gelu by x.

    Inputs:
        dy: the gradient by its result, of the result's shape.
        x: the operands and attributes of fast_gelu, at which the gradient is taken.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FastGelu(Primitive):
    """x * sigmoid(1.702 * x) (Hendrycks and Gimpel, 2016).

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Fill(Primitive):
    """A tensor of one value, converted to dtype: int64 if that is None, as in MindSpore, but of a complex value its own.

    Inputs:
        type: dtype or None; by default None
        shape: int or tuple of ints
        value: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class FillDiagonal(Primitive):
    """input with a number along its main diagonal, which goes on below a tall matrix with `wrap`."""
    def __init__(self, fill_value: _Operand, wrap: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FillV2(Primitive):
    """A Tensor of one value, or of what broadcasts to the shape.

    Inputs:
        shape: int or tuple of ints
        value: a number or Tensor.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Fills(Primitive):
    """One value in input's shape, and its dtype unless another is given.

    Inputs:
        x: Tensor
        value: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Flatten(Primitive):
    """A matrix of the slices along the first axis.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FlattenGrad(Primitive):
    """The same elements in row-major order under another shape. One size may be -1; it follows from the others. A view where the strides allow it, else a copy.

    Inputs:
        x: Tensor
        shape: int or tuple of ints
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class FloatStatus(Primitive):
    """1, of shape (1,) and float32, if an element is infinite or NaN; else 0.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Floor(Primitive):
    """Rounds down to an integer, in the dtype of input.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class FloorDiv(Primitive):
    """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError.

    Inputs:
        x: Tensor or number
        y: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class FloorMod(Primitive):
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError.

    Inputs:
        x: Tensor or number
        y: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Fmax(Primitive):
    """The larger of input and other, elementwise with broadcasting; NaN only where both are.

    Inputs:
        x1: Tensor or number
        x2: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Fmin(Primitive):
    """The smaller of input and other, elementwise with broadcasting; NaN only where both are.

    Inputs:
        x1: Tensor or number
        x2: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class FractionalAvgPool(Primitive):
    """(means of regions of images (N, H, W, C), where regions of rows begin and end, the same of columns)."""
    def __init__(self, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False, deterministic: bool = False, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FractionalAvgPoolGrad(Primitive):
    """The gradient of the means of regions of images (N, H, W, C) by these."""
    def __init__(self, overlapping: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FractionalMaxPool(Primitive):
    """(maxima of regions of images (N, H, W, C), where regions of rows begin and end, the same of columns)."""
    def __init__(self, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False, deterministic: bool = False, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FractionalMaxPool3DGradWithFixedKsize(Primitive):
    """The gradient by origin_input, of which only the shape NCDHW matters, of the largest elements."""
    def __init__(self, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FractionalMaxPool3DWithFixedKsize(Primitive):
    """(the largest elements of windows of volumes (N, C, D, H, W), their positions), as fractional_max_pool3d."""
    def __init__(self, ksize: int | Sequence[int], output_shape: int | Sequence[int], data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FractionalMaxPoolGrad(Primitive):
    """The gradient of the largest elements of regions of images (N, H, W, C) by these."""
    def __init__(self, overlapping: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FractionalMaxPoolGradWithFixedKsize(Primitive):
    """The gradient by origin_input, of which only the shape NCHW matters, of the largest elements."""
    def __init__(self, data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FractionalMaxPoolWithFixedKsize(Primitive):
    """(the largest elements of windows of images (N, C, H, W), their positions), as fractional_max_pool2d."""
    def __init__(self, ksize: int | Sequence[int], output_shape: int | Sequence[int], data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FusedAdaFactor(Primitive):
    """A step of Adafactor: writes param, and the means that it uses; returns what param holds then."""
    def __init__(self, enable_scale_parameter: bool = False, enable_first_moment: bool = False, enable_weight_decay: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FusedAdaFactorWithGlobalNorm(Primitive):
    """A step of Adafactor: writes param, and the means that it uses; returns what param holds then."""
    def __init__(self, enable_scale_parameter: bool = False, enable_first_moment: bool = False, enable_weight_decay: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FusedCastAdamWeightDecay(Primitive):
    """m = beta1 * m + (1 - beta1) * g; v = beta2 * v + (1 - beta2) * g * g; var -= lr * (m / (sqrt(v) + epsilon) + decay *
    var) (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019).
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FusedSparseAdam(Primitive):
    """A step of Adam with the gradient that has `gradient`'s rows, added up, at indices, and zeros elsewhere."""
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FusedSparseFtrl(Primitive):
    """A step of FTRL on rows, whose gradients are added up."""
    def __init__(self, lr: float, l1: float, l2: float, lr_power: float, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FusedSparseLazyAdam(Primitive):
    """A step of Adam on rows, whose gradients are added up; other rows keep their moments."""
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FusedSparseProximalAdagrad(Primitive):
    """A step of proximal Adagrad on rows, whose gradients are added up."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FusedWeightScaleApplyMomentum(Primitive):
    """a = momentum * a + (g * loss_scale + variable * weight_decay); variable -= learning_rate * a.

    Inputs:
        weight_decay: the part of variable that is added to the gradient.
        loss_scale: what the gradient is multiplied with.
        variable: what is trained, a Parameter or Tensor, which is written.
        accumulation: a state of the shape of what is trained, a Parameter or Tensor, which is written.
        learning_rate: the learning rate, a number or a Tensor of one.
        gradient: the gradient, a Tensor.
        momentum: the part of the state that a step keeps.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class GLU(Primitive):
    """The first half along an axis times the sigmoid of the second (Dauphin et al., 2017)."""
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class GRUV2(Primitive):
    """(results (T, N, directions * hidden_size), last states h, nothing, nothing): gated recurrent units, as nn.GRU.

    What MindSpore keeps for gradients has no elements here (0, 1).

    Method: K. Cho et al., Learning phrase representations using RNN encoder-decoder for statistical machine translation
    (2014), the state reset after its product with the weights.
    """
    def __init__(self, input_size: int, hidden_size: int, num_layers: int, has_bias: bool, bidirectional: bool, dropout: float, is_train: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Gamma(Primitive):
    """Random numbers of density beta ** alpha * x ** (alpha - 1) * exp(-beta * x) / gamma(alpha); all three broadcast."""
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Gather(Primitive):
    """Slices of input_params at input_indices along an axis. The first batch_dims axes of both are walked together."""
    def __init__(self, batch_dims: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class GatherD(Primitive):
    """For each position of `index` the element of x there, with `dim` replaced by the index.

    Inputs:
        x: Tensor
        dim: int, the axis, from the end if negative
        index: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class GatherDGradV2(Primitive):
    """The gradient of gather_d by x.

    Inputs:
        x: the operands and attributes of gather_d, at which the gradient is taken.
        dim: int, the axis, from the end if negative
        index: Tensor
        dout: the gradient by its result, of the result's shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class GatherElements(Primitive):
    """For each position of `index` the element of x there, with `dim` replaced by the index.

    Inputs:
        x: Tensor
        dim: int, the axis, from the end if negative
        index: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class GatherNd(Primitive):
    """The elements, or slices of other axes, that rows of indices name.

    Inputs:
        input_x: Tensor
        indices: integers; a row of k along the last axis indexes the first k axes of input_x.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class GatherV2(Primitive):
    """Slices at positions along an axis.

    Inputs:
        input_params: Tensor
        input_indices: Tensor
        axis: int, the axis, from the end if negative
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Gcd(Primitive):
    """The greatest common divisor of integers, not negative, elementwise with broadcasting; of 0 and x it is |x|.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class GeLU(Primitive):
    """gelu(input, approximate='tanh').

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class GeLUGrad(Primitive):
    """The gradient of GeLU by input.

    Inputs:
        dy: the gradient by its result, of the result's shape.
        x: the operands and attributes of GeLU, at which the gradient is taken.
        y: the result, which is not read.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Gelu(Primitive):
    """gelu(input, approximate='tanh').

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class GeluExt(Primitive):
    """input times the normal distribution's cumulated density at input. approximate='tanh' computes it by tanh of a cubic, 'none' by erf; anything else is a ValueError."""
    def __init__(self, approximate: str = 'none') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Geqrf(Primitive):
    """(R on and above the diagonal, with Householder vectors below; their factors tau), as LAPACK packs them. See orgqr.

    Of its results there is no gradient; ops.qr has one.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Ger(Primitive):
    """The products of each element of a vector with each of another, of shape (n, m).

    Inputs:
        x1: Tensor
        x2: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class GluGrad(Primitive):
    """The gradient of glu by x."""
    def __init__(self, axis: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Greater(Primitive):
    """Whether input is greater than other, elementwise with broadcasting.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class GreaterEqual(Primitive):
    """Whether input is at least other, elementwise with broadcasting.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class GridSampler2D(Primitive):
    """Images (N, C, H, W) or volumes (N, C, D, H, W) read at points: (N, C, *points). NaN coordinates read zeros, or the
    start.

    Method: M. Jaderberg et al., Spatial transformer networks (2015).
    """
    def __init__(self, interpolation_mode: str = 'bilinear', padding_mode: str = 'zeros', align_corners: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class GridSampler2DGrad(Primitive):
    """The gradient of grid_sample by input, grid."""
    def __init__(self, interpolation_mode: str = 'bilinear', padding_mode: str = 'zeros', align_corners: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class GridSampler3D(Primitive):
    """Images (N, C, H, W) or volumes (N, C, D, H, W) read at points: (N, C, *points). NaN coordinates read zeros, or the
    start.

    Method: M. Jaderberg et al., Spatial transformer networks (2015).
    """
    def __init__(self, interpolation_mode: str = 'bilinear', padding_mode: str = 'zeros', align_corners: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class GridSampler3DGrad(Primitive):
    """The gradient of grid_sample by input, grid."""
    def __init__(self, interpolation_mode: str = 'bilinear', padding_mode: str = 'zeros', align_corners: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class GroupNormGrad(Primitive):
    """The gradients of group normalisation by x, gamma and beta.

    Inputs:
        dy: the gradient by the result, of x's shape (N, C, ...).
        x: of shape (N, C, ...).
        mean, rstd: the means and 1 / deviations of groups, of shape (N, num_groups).
        gamma_opt: factors of channels.
        num_groups: the number of groups of channels.
        dx_is_require, dgamma_is_require, dbeta_is_require: a gradient that is not needed is returned as well.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class HSVToRGB(Primitive):
    """Red, green and blue of hue, saturation and value within [0, 1], along the last axis (N, H, W, 3). See RGBToHSV.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class HShrink(Primitive):
    """input, but 0 within [-lambd, lambd]."""
    def __init__(self, lambd: float = 0.5) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class HShrinkGrad(Primitive):
    """The gradient of hardshrink by input."""
    def __init__(self, lambd: float = 0.5) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class HSigmoid(Primitive):
    """min(max(input + 3, 0), 6) / 6.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class HSigmoidGrad(Primitive):
    """The gradient of hardsigmoid by input.

    Inputs:
        grads: the gradient by its result, of the result's shape.
        input_x: the operands and attributes of hardsigmoid, at which the gradient is taken.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class HSwish(Primitive):
    """input * min(max(input + 3, 0), 6) / 6.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class HSwishGrad(Primitive):
    """The gradient of hardswish by input.

    Inputs:
        y_grad: the gradient by its result, of the result's shape.
        x: the operands and attributes of hardswish, at which the gradient is taken.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class HammingWindow(Primitive):
    """Hamming's window: alpha - beta cos(2 pi n / N)."""
    def __init__(self, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, dtype: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Heaviside(Primitive):
    """0 where input is below zero, 1 above, values at zero, elementwise with broadcasting; NaN stays NaN.

    Inputs:
        x: Tensor or number
        values: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Histogram(Primitive):
    """How many elements lie in each of some bins of one width, in the input's dtype. NaN lies in none."""
    def __init__(self, bins: int = 100, min: float = 0.0, max: float = 0.0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class HistogramFixedWidth(Primitive):
    """How many elements (int32) lie in each of some bins of one width; those beyond them count in the first and the last."""
    def __init__(self, nbins: int, dtype: str = 'int32') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class HistogramSummary(Primitive):
    """Gives a value to the SummaryRecord that is open, if there is one: record() writes it.

    Inputs:
        name: a str.
        value: a Tensor that has an axis at least.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...

class Hypot(Primitive):
    """sqrt(input^2 + other^2) without overflow, elementwise with broadcasting. Integers give float32.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class IOU(Primitive):
    """The area that boxes of pixels share over that of both (M, N), for gt_boxes (M, 4) and anchor_boxes (N, 4).

    A box has the pixels of x0 to x1 and of y0 to y1, those included.
    """
    def __init__(self, mode: str = 'iou') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Identity(Primitive):
    """The same elements.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class IdentityN(Primitive):
    """Copies of Tensors, a tuple.

    Inputs:
        x: any object
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Igamma(Primitive):
    """The regularised lower incomplete gamma function P(input, other), elementwise with broadcasting; NaN below zero. Integers give float32.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class IgammaGradA(Primitive):
    """How igamma(a, x) changes with a, elementwise with broadcasting; it has no gradient by a itself.

    Inputs:
        a: Tensor
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Igammac(Primitive):
    """The regularised upper incomplete gamma function Q(input, other) = 1 - P, elementwise with broadcasting; NaN below zero. Integers give float32.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Im2Col(Primitive):
    """The windows of images (N, C, H, W): (N, C, kernel's size, windows). See unfold."""
    def __init__(self, ksizes: int | Sequence[int], strides: int | Sequence[int] = 1, dilations: int | Sequence[int] = 1, pads: int | Sequence[int] = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Imag(Primitive):
    """The imaginary part, a view; of real numbers zeros.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ImageSummary(Primitive):
    """Gives a value to the SummaryRecord that is open, if there is one: record() writes it.

    Inputs:
        name: a str.
        value: a Tensor that has 4 axes, (N, C, H, W).
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...

class InTopK(Primitive):
    """Whether the score of each example's class is finite, and less than k classes have a larger one."""
    def __init__(self, k: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class IndexAdd(Primitive):
    """x with the slices of y added at `indices` along an axis, in index order. The last two arguments change nothing."""
    def __init__(self, axis: int, use_lock: bool = True, check_index_bound: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class IndexFill(Primitive):
    """input with a number at positions along an axis.

    Inputs:
        x: Tensor
        dim: int, the axis, from the end if negative
        index: a 1-d Tensor of integers.
        value: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class IndexPut(Primitive):
    """input with input[indices] = values, or += values in the order of the positions."""
    def __init__(self, accumulate: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class InplaceAdd(Primitive):
    """A copy of x, where indices name slices along the first axis: an element becomes its sum with the update."""
    def __init__(self, indices: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class InplaceIndexAdd(Primitive):
    """Adds updates to a Parameter at positions along an axis, in their order."""
    def __init__(self, axis: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class InplaceSub(Primitive):
    """A copy of x, where indices name slices along the first axis: an element becomes its difference from the update."""
    def __init__(self, indices: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class InplaceUpdate(Primitive):
    """A copy of x, where indices name slices along the first axis: an element becomes the update."""
    def __init__(self, indices: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class InplaceUpdateV2(Primitive):
    """A copy of x, where indices name slices along the first axis: an element becomes the update.

    Inputs:
        x: Tensor
        indices: an int, a tuple of ints, or a Tensor.
        v: of x's shape, but as long as indices along the first axis.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Inv(Primitive):
    """1 / x of each element, which is no inverse of matrices; of integers truncated.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class InvGrad(Primitive):
    """The gradient of 1 / x by x, from its result: -dy * y * y, of numbers of any kind, complex ones not conjugated.

    Inputs:
        x: the result.
        grad: the gradient by it, of the same shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Invert(Primitive):
    """~x: the complement of every bit; of bools the negation. Floats are a TypeError.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class InvertPermutation(Primitive):
    """Of a tuple of ints where each of 0, 1, ... stands in it.

    Inputs:
        input_x: a tuple or list of ints.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class IsClose(Primitive):
    """Whether |input - other| <= atol + rtol * |other|, elementwise with broadcasting. Infinities are near to themselves
    alone, NaN to nothing, or with equal_nan to NaN.
    """
    def __init__(self, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class IsFinite(Primitive):
    """Whether input is neither infinite nor NaN; of integers true.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class IsInf(Primitive):
    """Whether input is infinite, of either sign; of integers false.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class IsNan(Primitive):
    """Whether input is NaN; of integers false.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class KLDivLoss(Primitive):
    """target * (log(target) - input), 0 where target is not positive: the divergence of exp(input) from target (Kullback,
    Leibler, 1951). The derivative by input is -target everywhere.
    """
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class KLDivLossGrad(Primitive):
    """The gradient of kl_div by input."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class L2Loss(Primitive):
    """Half the sum of squares. Integers and bools are a TypeError.

    Inputs:
        input_x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class L2Normalize(Primitive):
    """x divided by the square root of the sum of its squares along axes, which is taken to be epsilon at least."""
    def __init__(self, axis: int | Sequence[int] = 0, epsilon: float = 0.0001) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class L2NormalizeGrad(Primitive):
    """The gradient of L2Normalize by x."""
    def __init__(self, axis: int | Sequence[int] = 0, epsilon: float = 0.0001) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LARSUpdate(Primitive):
    """The gradient by layer-wise adaptive rate scaling (You, Gitman and Ginsburg, 2017): (g + weight_decay * weight) *
    hyperpara * |w| / (|g| + weight_decay * |w| + epsilon).
    """
    def __init__(self, epsilon: float = 1e-05, hyperpara: float = 0.001, use_clip: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LRN(Primitive):
    """x / (bias + alpha * sum)**beta with the sum of the squares of channels at most depth_radius away.

    Source: A. Krizhevsky et al., "ImageNet classification with deep convolutional neural networks" (2012).
    """
    def __init__(self, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5, norm_region: str = 'ACROSS_CHANNELS') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LRNGrad(Primitive):
    """The gradient of lrn by x."""
    def __init__(self, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LSTM(Primitive):
    """(results (T, N, directions * R), last states h, last cells c, nothing, nothing): long short-term memory.

    R is proj_size, or else hidden_size. What MindSpore keeps for gradients has no elements here (0, 1), for both.

    Method: S. Hochreiter and J. Schmidhuber, Long short-term memory (1997), with forget gates (Gers et al. 2000).
    """
    def __init__(self, input_size: int, hidden_size: int, num_layers: int, has_bias: bool, bidirectional: bool, dropout: float, proj_size: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LayerNorm(Primitive):
    """(normalised elements, means, variances): over the axes from one on, then times gamma plus beta."""
    def __init__(self, begin_norm_axis: int = 1, begin_params_axis: int = 1, epsilon: float = 1e-07) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LayerNormGrad(Primitive):
    """The gradients of layer normalisation by x, gamma and beta."""
    def __init__(self, begin_norm_axis: int = 1, begin_params_axis: int = 1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LayerNormGradGrad(Primitive):
    """The gradients of LayerNormGrad by x, dy and gamma, from those by its three results."""
    def __init__(self, begin_norm_axis: int = 1, begin_params_axis: int = 1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Lcm(Primitive):
    """The least common multiple of integers, elementwise with broadcasting; 0 where one is 0. It wraps.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LeftShift(Primitive):
    """input * 2^other of integers, elementwise with broadcasting, without the bits that leave the dtype; 0 if other is negative or no less than the number of bits.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Lerp(Primitive):
    """input + weight * (end - input), elementwise with broadcasting.

    Inputs:
        input: Tensor or number
        end: Tensor or number
        weight: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LerpScalar(Primitive):
    """input + weight * (end - input), elementwise with broadcasting.

    Inputs:
        input: Tensor or number
        end: Tensor or number
        weight: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Less(Primitive):
    """Whether input is less than other, elementwise with broadcasting.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LessEqual(Primitive):
    """Whether input is at most other, elementwise with broadcasting.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Lgamma(Primitive):
    """log |Gamma(input)|; infinite at integers up to 0. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LinSpace(Primitive):
    """Numbers from start to end, both included, evenly spaced: computed in double precision, then of the dtype of start and
    end if they are floating Tensors, else float32.

    Inputs:
        start: a number or 0-d Tensor.
        stop: likewise.
        num: how many.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ListDiff(Primitive):
    """(the elements of x that are not in y, in their order, their positions)."""
    def __init__(self, out_idx: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Log(Primitive):
    """The natural logarithm, within 1 ulp; -inf at zero, NaN below. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Log1p(Primitive):
    """log(1 + input), also exact near zero. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LogMatrixDeterminant(Primitive):
    """(the sign of the determinants, the logarithm of their magnitude), by LU factorisation (LAPACK).

    The sign of a complex number is that divided by its magnitude; of 0 it is 0, and the logarithm -inf.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LogNormalReverse(Primitive):
    """Numbers whose logarithms have a mean and deviation, exp(mean + std * z), in input's shape and dtype."""
    def __init__(self, mean: float = 1.0, std: float = 2.0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LogSoftmax(Primitive):
    """(logits - m) - log(sum(exp(logits - m))) along `axis`, where m is the largest element."""
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LogSoftmaxExt(Primitive):
    """The logarithm of softmax along an axis: without one along the first of 0, 1 or 3 axes, else along the second.

    Inputs:
        input: Tensor
        dim: int or None, the axis, from the end if negative; by default None
        dtype: dtype or None; by default None
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LogSoftmaxGrad(Primitive):
    """The gradient of log_softmax by its operand, from its result."""
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LogSpace(Primitive):
    """base ** x for x from start to end, both included, evenly spaced; computed in double precision."""
    def __init__(self, steps: Any = 10, base: _Operand = 10, dtype: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LogUniformCandidateSampler(Primitive):
    """(classes drawn from 0 .. range_max - 1, class k with probability log((k + 2) / (k + 1)) / log(range_max + 1); how
    often each of true_classes, and of those drawn, is to be expected among them, as float32).
    """
    def __init__(self, num_true: int = 1, num_sampled: int = 5, unique: bool = True, range_max: int = 5, seed: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LogicalAnd(Primitive):
    """Whether both are true; numbers are true if they are not zero.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LogicalNot(Primitive):
    """Whether input is false; numbers are true if they are not zero.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LogicalOr(Primitive):
    """Whether one at least is true; numbers are true if they are not zero.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LogicalXor(Primitive):
    """Whether exactly one is true; numbers are true if they are not zero.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Logit(Primitive):
    """log(x / (1 - x)) of input, the inverse of sigmoid; NaN outside of [0, 1]. Integers give float32."""
    def __init__(self, eps: float | None = -1.0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LogitGrad(Primitive):
    """The gradient of logit by input."""
    def __init__(self, eps: float | None = -1.0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LowerBound(Primitive):
    """Of each row the indices at which values, put there, keep it in order: before equal elements, or after them."""
    def __init__(self, out_type: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LpNorm(Primitive):
    """(sum |input|^p)^(1 / p) along axes, but at least epsilon."""
    def __init__(self, axis: int | Sequence[int], p: int = 2, keep_dims: bool = False, epsilon: float = 1e-12) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Lstsq(Primitive):
    """The y for which |x y - a|^2 + l2_regularizer |y|^2 is smallest, of a matrix of full rank. See ops.lstsq."""
    def __init__(self, fast: bool = True, l2_regularizer: _Operand = 0.0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LstsqV2Grad(Primitive):
    """The gradient of lstsq by input, A.

    Inputs:
        gX: the gradient by its result, of the result's shape.
        A: the operands and attributes of lstsq, at which the gradient is taken.
        B: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LuSolve(Primitive):
    """The x for which A x = b, of A by its LU factors. See lu_unpack.

    Inputs:
        x: (..., n, k).
        lu_data: (..., n, n).
        lu_pivots: (..., n), from 1.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LuUnpack(Primitive):
    """(P, L, U) of what is packed: U above the diagonal, L below it, whose diagonal is 1."""
    def __init__(self, unpack_data: bool = True, unpack_pivots: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class LuUnpackGrad(Primitive):
    """The gradients of LuUnpack's L, and of its U, by LU_data, each of its shape."""
    def __init__(self, L_grad_flag: bool = True, U_grad_flag: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MapUniform(Primitive):
    """Keys spread evenly over groups: input % group_num * per_group_size + input // group_num.

    Inputs:
        input: Tensor
        per_group_size: Tensor or number
        group_num: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaskedFill(Primitive):
    """value, one number, where mask is true, elements of input_x elsewhere, in the dtype of input_x; input_x and mask broadcast. A mask that is not bool is a TypeError.

    Inputs:
        input_x: Tensor
        mask: Tensor
        value: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class MaskedScatter(Primitive):
    """input with the elements of source, one after the other, where mask is true.

    Inputs:
        x: Tensor
        mask: bools, broadcast to input's shape.
        updates: of at least as many elements as are true.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaskedSelect(Primitive):
    """The elements where a mask, which broadcasts with the input, is true, in one axis.

    Inputs:
        x: Tensor
        mask: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaskedSelectGrad(Primitive):
    """The gradient of masked_select by input.

    Inputs:
        input: the operands and attributes of masked_select, at which the gradient is taken.
        mask: Tensor
        grad: the gradient by its result, of the result's shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MatMul(Primitive):
    """The product of two matrices, each transposed first where asked."""
    def __init__(self, transpose_a: bool = False, transpose_b: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class MatrixBandPart(Primitive):
    """Matrices with zeros outside of a band around the diagonal.

    Inputs:
        x: Tensor
        lower: how many diagonals below the main one stay, an int or a Tensor that broadcasts to the matrices; negative: all.
        upper: how many above it.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MatrixDeterminant(Primitive):
    """The determinants of matrices, by LU factorisation (LAPACK). Singular ones have a gradient too.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MatrixDiagPartV3(Primitive):
    """Diagonals of matrices, in the last axis; of several the highest first, along the axis before it."""
    def __init__(self, align: str = 'RIGHT_LEFT') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MatrixDiagV3(Primitive):
    """Matrices that have the given diagonals."""
    def __init__(self, align: str = 'RIGHT_LEFT') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MatrixExp(Primitive):
    """The exponential of square matrices: the sum of input^k / k!.

    By scaling and squaring a Pade approximant (Higham 2005).

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MatrixInverse(Primitive):
    """The inverse of matrices, or of their adjoints, by LU factorisation (LAPACK); ops.inv is 1 / x. See matrix_solve."""
    def __init__(self, adjoint: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MatrixLogarithm(Primitive):
    """The principal logarithm of square matrices, whose eigenvalues are not on the negative real axis or 0.

    Method: N. Higham, Functions of matrices (2008), chapters 6 and 11: square roots, then a rule for the integral of
    (x - 1) / (1 + t (x - 1)), in complex128, whose roundings the roots make 256 times larger.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MatrixPower(Primitive):
    """The product of n square matrices, by repeated squaring; of their inverses if n is negative."""
    def __init__(self, n: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MatrixSetDiagV3(Primitive):
    """Matrices with other diagonals, which are given as matrix_diag takes them."""
    def __init__(self, align: str = 'RIGHT_LEFT') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MatrixSolve(Primitive):
    """The x for which matrix x = rhs, or with adjoint matrix^H x = rhs, by LU factorisation (LAPACK).

    A singular matrix gives numbers that are not finite.
    """
    def __init__(self, adjoint: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MatrixSolveLs(Primitive):
    """The y for which |x y - a|^2 + l2_regularizer |y|^2 is smallest, of a matrix of full rank. See ops.lstsq."""
    def __init__(self, fast: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MatrixTriangularSolve(Primitive):
    """The x for which matrix x = rhs, or with adjoint matrix^H x = rhs, of a triangle of matrix."""
    def __init__(self, lower: bool = True, adjoint: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxPool(Primitive):
    """The largest element of each window of images (N, C, H, W)."""
    def __init__(self, kernel_size: int | Sequence[int] = 1, strides: int | Sequence[int] = 1, pad_mode: str = 'valid', data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxPool3D(Primitive):
    """The largest element of each window of volumes (N, C, D, H, W). `pad_list` is one number, three, or six: before and
    after each axis, for pad_mode "pad".
    """
    def __init__(self, kernel_size: int | Sequence[int] = 1, strides: int | Sequence[int] = 1, pad_mode: str = 'VALID', pad_list: int | Sequence[int] = 0, ceil_mode: bool | None = None, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxPool3DGrad(Primitive):
    """The gradient of MaxPool3D by x."""
    def __init__(self, kernel_size: int | Sequence[int] = 1, strides: int | Sequence[int] = 1, pad_mode: str = 'VALID', pad_list: int | Sequence[int] = 0, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxPool3DGradGrad(Primitive):
    """How the result of MaxPool3D changes as its operand does along a direction."""
    def __init__(self, kernel_size: int | Sequence[int] = 1, strides: int | Sequence[int] = 1, pad_mode: str = 'VALID', data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxPool3DGradWithArgmax(Primitive):
    """The gradient by x of the largest elements of windows: sums of grad where they were, zeros elsewhere."""
    def __init__(self, ksize: int | Sequence[int], strides: int | Sequence[int], pads: int | Sequence[int], dilation: int | Sequence[int] = 1, ceil_mode: bool = False, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxPool3DWithArgmax(Primitive):
    """(the largest element of each window of volumes (N, C, D, H, W), its position in a channel)."""
    def __init__(self, ksize: int | Sequence[int], strides: int | Sequence[int], pads: int | Sequence[int], dilation: int | Sequence[int] = 1, ceil_mode: bool = False, data_format: str = 'NCDHW', argmax_type: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxPoolGrad(Primitive):
    """The gradient of MaxPool by x."""
    def __init__(self, kernel_size: int | Sequence[int] = 1, strides: int | Sequence[int] = 1, pad_mode: str = 'valid', data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxPoolGradGrad(Primitive):
    """How the result of MaxPool changes as its operand does along a direction."""
    def __init__(self, kernel_size: int | Sequence[int] = 1, strides: int | Sequence[int] = 1, pad_mode: str = 'valid') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxPoolGradGradWithArgmax(Primitive):
    """The elements of grad where pooling found the largest ones of x."""
    def __init__(self, kernel_size: int | Sequence[int] = 1, strides: int | Sequence[int] = 1, pad_mode: str = 'valid') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxPoolGradWithArgmax(Primitive):
    """The gradient by x of the largest elements of windows: sums of grad where they were, zeros elsewhere."""
    def __init__(self, kernel_size: int | Sequence[int] = 1, strides: int | Sequence[int] = 1, pad_mode: str = 'valid', data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxPoolGradWithArgmaxV2(Primitive):
    """The gradient by x of the largest elements of windows: sums of grad where they were, zeros elsewhere."""
    def __init__(self, kernel_size: int | Sequence[int], strides: int | Sequence[int] | None = None, pads: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, ceil_mode: bool = False, argmax_type: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxPoolWithArgmax(Primitive):
    """(the largest element of each window of images (N, C, H, W), its position in (C, H, W), as int32)."""
    def __init__(self, kernel_size: int | Sequence[int] = 1, strides: int | Sequence[int] = 1, pad_mode: str = 'valid', data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxPoolWithArgmaxV2(Primitive):
    """(the largest element of each window of images (N, C, H, W), its position in the plane)."""
    def __init__(self, kernel_size: int | Sequence[int], strides: int | Sequence[int] | None = None, pads: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, ceil_mode: bool = False, argmax_type: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxUnpool2D(Primitive):
    """x at positions of a channel of images (N, C, H, W), zeros elsewhere; strides 0 are ksize."""
    def __init__(self, ksize: int | Sequence[int], strides: int | Sequence[int] = 0, pads: int | Sequence[int] = 0, output_shape: int | Sequence[int] = (), data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxUnpool2DGrad(Primitive):
    """The gradient of MaxUnpool2D by x: the elements of grads at argmax."""
    def __init__(self, ksize: int | Sequence[int], strides: int | Sequence[int] = 0, pads: int | Sequence[int] = 0, output_shape: int | Sequence[int] = (), data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxUnpool3D(Primitive):
    """x at positions of a channel of volumes (N, C, D, H, W), zeros elsewhere; strides 0 are ksize."""
    def __init__(self, ksize: int | Sequence[int], strides: int | Sequence[int] = 0, pads: int | Sequence[int] = 0, output_shape: int | Sequence[int] = (), data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaxUnpool3DGrad(Primitive):
    """The gradient of MaxUnpool3D by x: the elements of grads at argmax."""
    def __init__(self, ksize: int | Sequence[int], strides: int | Sequence[int] = 0, pads: int | Sequence[int] = 0, output_shape: int | Sequence[int] = (), data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Maximum(Primitive):
    """The larger of input and other, elementwise with broadcasting; NaN if either is. Where they are equal each has half the gradient.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class MaximumGrad(Primitive):
    """The gradients of maximum by both operands."""
    def __init__(self, grad_x: bool = True, grad_y: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaximumGradGrad(Primitive):
    """The gradients of MaximumGrad by x, y and grads."""
    def __init__(self, grad_x: bool = True, grad_y: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Median(Primitive):
    """(medians along an axis, or of all elements, the lower of two; their indices as int64). The median of no floats is NaN."""
    def __init__(self, global_median: bool = False, axis: int = 0, keep_dims: bool = False, ignore_nan: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MedianGrad(Primitive):
    """The gradient of Median by x."""
    def __init__(self, global_median: bool = False, axis: int = 0, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Meshgrid(Primitive):
    """The coordinates of a grid, a Tensor for each of its axes. Views."""
    def __init__(self, indexing: str | None = 'xy') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Minimum(Primitive):
    """The smaller of input and other, elementwise with broadcasting; NaN if either is. Where they are equal each has half the gradient.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class MinimumGrad(Primitive):
    """The gradients of minimum by both operands."""
    def __init__(self, grad_x: bool = True, grad_y: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MinimumGradGrad(Primitive):
    """The gradients of MinimumGrad by x, y and grads.

    Inputs:
        x1, x2: the operands of minimum.
        grad_y1, grad_y2: the gradients by both results.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MirrorPad(Primitive):
    """Mirrored elements before and after those of each axis."""
    def __init__(self, mode: str = 'REFLECT') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MirrorPadGrad(Primitive):
    """The gradient of MirrorPad by what it pads."""
    def __init__(self, mode: str = 'REFLECT') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Mish(Primitive):
    """x * tanh(log(1 + exp(x))) (Misra, 2020), by n / (n + 2) with n = e * (e + 2), e = exp(x).

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Mod(Primitive):
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError.

    Inputs:
        x: Tensor or number
        y: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class MoveTo(Primitive):
    """input itself.

    Inputs:
        input: a Tensor.
        to: "CPU".
        blocking: has no effect: nothing is copied.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Mul(Primitive):
    """input * other, elementwise with broadcasting; of two bools, their conjunction.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class MulNoNan(Primitive):
    """x * y, and 0 where y is 0 whatever x is, elementwise with broadcasting. Two bool operands are a TypeError.

    Inputs:
        x: Tensor or number
        y: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class MultiMarginLoss(Primitive):
    """The mean over classes, the right one excepted, of weight[target] * max(0, margin - input[target] + input)**p
    (Crammer and Singer, 2001).
    """
    def __init__(self, p: int = 1, margin: _Operand = 1, reduction: str = 'mean') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MultiMarginLossGrad(Primitive):
    """The gradient of multi_margin_loss by input."""
    def __init__(self, p: int = 1, margin: _Operand = 1, reduction: str = 'mean') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MultilabelMarginLoss(Primitive):
    """(multilabel_margin_loss, 1 where a class is a label, else 0, as int32)."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Multinomial(Primitive):
    """Categories, drawn with the probabilities that x's elements have in a row's sum, and with replacement."""
    def __init__(self, seed: int = 0, seed2: int = 0, dtype: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MultinomialWithReplacement(Primitive):
    """Categories, drawn with the probabilities that x's elements have in a row's sum, and with replacement."""
    def __init__(self, numsamples: int, replacement: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Mvlgamma(Primitive):
    """The logarithm of the multivariate gamma function of dimension p: log Gamma(input - j / 2) summed over j < p, and
    p (p - 1) / 4 log pi. NaN where input is not above (p - 1) / 2. Integers give float32.
    """
    def __init__(self, p: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MvlgammaGrad(Primitive):
    """The gradient of mvlgamma by input."""
    def __init__(self, p: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class NLLLoss(Primitive):
    """(the negative log likelihood of classes, the sum of their weights)."""
    def __init__(self, reduction: str = 'mean', ignore_index: int = -100) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class NLLLossGrad(Primitive):
    """The gradient of nll_loss by logits."""
    def __init__(self, reduction: str = 'mean', ignore_index: int = -100) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class NMSWithMask(Primitive):
    """(boxes in descending order of scores, their numbers 0, 1, ... (int32), which of them stay (bool)): greedy
    non-maximum suppression. A box is dropped if one before it that stays shares more than iou_threshold of the area of
    both.
    """
    def __init__(self, iou_threshold: float = 0.5) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class NPUClearFloatStatus(Primitive):
    """Clears the float status: from now on results count. NPUGetFloatStatus tells it.

    Inputs:
        x: the flag that NPUAllocFloatStatus makes, a Tensor of float16 or float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class NanToNum(Primitive):
    """input with other numbers in place of NaN and infinities; integers as they are."""
    def __init__(self, nan: float | None = None, posinf: float | None = None, neginf: float | None = None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Neg(Primitive):
    """-input. Unsigned integers wrap; bool is a TypeError.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class NeighborExchange(Primitive):
    """Exchanges Tensors with other processes."""
    def __init__(self, send_rank_ids: Any, recv_rank_ids: Any, recv_shapes: Any, send_shapes: Any, recv_type: Any, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class NeighborExchangeV2(Primitive):
    """Exchanges the edges of images with neighbouring processes, which is not there: NeighborExchange exchanges Tensors."""
    def __init__(self, send_rank_ids: Any, send_lens: Any, recv_rank_ids: Any, recv_lens: Any, data_format: Any, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class NextAfter(Primitive):
    """The number next to input on the way to other, elementwise with broadcasting; other itself where they are equal. Both must be float32, or both float64, else a TypeError.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class NoRepeatNGram(Primitive):
    """log_probs (N, beams, words), the lowest number where the word would end n words that stand in state_seq already."""
    def __init__(self, ngram_size: int = 1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class NonDeterministicInts(Primitive):
    """Random integers of all that a dtype holds."""
    def __init__(self, dtype: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class NonMaxSuppressionV3(Primitive):
    """The numbers (int32) of the boxes that stay, in descending order of scores: greedy non-maximum suppression.

    Inputs:
        boxes: two opposite corners of each (N, 4).
        scores: (N).
        max_output_size: how many to give at most, as a number or Tensor; negative is 0.
        iou_threshold: a box is dropped if one that stays shares more than this of the area of both; within [0, 1].
        score_threshold: what a score must exceed.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class NonMaxSuppressionWithOverlaps(Primitive):
    """The numbers (int32) of the boxes that stay, in descending order of scores: greedy non-maximum suppression.

    Inputs:
        overlaps: how much each box overlaps each (N, N).
        scores: (N).
        max_output_size: how many to give at most, as a number or Tensor.
        overlap_threshold: a box is dropped if it overlaps one that stays more than this.
        score_threshold: what a score must exceed.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class NonZero(Primitive):
    """The indices (int64, a row each) of the elements that are not 0, in row-major order.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class NotEqual(Primitive):
    """Whether input differs from other, elementwise with broadcasting.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class NthElement(Primitive):
    """The n-th smallest elements along the last axis, or largest, counted from 0; NaN is the largest."""
    def __init__(self, reverse: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class NuclearNorm(Primitive):
    """The sum of the singular values of the matrices that two axes are."""
    def __init__(self, dim: int | Sequence[int] | None = None, keepdim: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class OneHot(Primitive):
    """A new axis on which there is one value at the index, and another elsewhere."""
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Ones(Primitive):
    """A tensor of ones, float32 unless dtype says otherwise.

    Inputs:
        shape: int or tuple of ints
        dtype: dtype or None; by default None
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class OnesLike(Primitive):
    """Ones of input's shape, and its dtype unless another is given.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Orgqr(Primitive):
    """The first n columns of the product of the reflections I - tau_i v_i v_i^H: Q of what geqrf gives.

    Inputs:
        x: (..., m, n), with the elements of v_i after the i-th, which is 1, below the diagonal.
        tau: tau, (..., k).
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Ormqr(Primitive):
    """The product of the reflections I - tau_i v_i v_i^H and a matrix: Q of what geqrf gives, (..., m, m), times it."""
    def __init__(self, left: bool = True, transpose: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class PReLU(Primitive):
    """input where it is positive, else input times a weight, one for all or one for each channel (He et al., 2015).

    Inputs:
        x: Tensor
        weight: of no axis or one; channels are the second axis.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class PReLUGrad(Primitive):
    """The gradient of prelu by input, weight.

    Inputs:
        dy: the gradient by its result, of the result's shape.
        x: the operands and attributes of prelu, at which the gradient is taken.
        weight: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class PSROIPooling(Primitive):
    """Regions of images as grids of cells (N * K, output_dim, group_size, group_size): means of pixels, where each cell has
    channels of its own; 0 of a cell without pixels.

    Source: J. Dai et al., "R-FCN: Object detection via region-based fully convolutional networks" (2016).
    """
    def __init__(self, spatial_scale: float, group_size: int, output_dim: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class PSROIPoolingGrad(Primitive):
    """The gradient of PSROIPooling by features: (N, output_dim * group_size**2, *input_size)."""
    def __init__(self, input_size: int | Sequence[int], spatial_scale: float, group_size: int, output_dim: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Pack(Primitive):
    """Joins tensors of one shape and dtype along a new axis."""
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Pad(Primitive):
    """Zeros before and after each axis, as many as `paddings` names pair by pair."""
    def __init__(self, paddings: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class PadV3(Primitive):
    """Elements before and after axes, pair by pair from the last axis on; not contiguous: (all before, all after)."""
    def __init__(self, mode: str = 'constant', paddings_contiguous: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class PadV3Grad(Primitive):
    """The gradient of PadV3 by what it pads."""
    def __init__(self, mode: str = 'reflect', paddings_contiguous: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Padding(Primitive):
    """The last axis, of size 1, extended to pad_dim_size by zeros."""
    def __init__(self, pad_dim_size: int = 8) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class PagedAttention(Primitive):
    """Attention of one position of each sequence to keys and values that lie in blocks."""
    def __init__(self, head_num: int, scale_value: float, kv_head_num: int, kv_cache_quant_mode: str = 'DEFAULT', mask_mode: str = 'MASK_DEFAULT', mla_v_dim: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ParallelConcat(Primitive):
    """Joined along the first axis, along which each has size 1.

    Inputs:
        values: tuple or list of Tensors
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ParameterizedTruncatedNormal(Primitive):
    """Random numbers of normal distributions between two numbers, of one along each of the first axis of the result."""
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Pdist(Primitive):
    """The distances of order p between each two of n vectors, (..., n, k): those of the first, then of the second, ..."""
    def __init__(self, p: float = 2.0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class PdistGrad(Primitive):
    """The gradient of pdist by input."""
    def __init__(self, p: float = 2.0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Poisson(Primitive):
    """Random whole numbers n of probability mean ** n * exp(-mean) / n!, int32; shape and mean broadcast."""
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Polar(Primitive):
    """The complex numbers of these magnitudes and angles, in radians.

    Inputs:
        abs: Tensor
        angle: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Polygamma(Primitive):
    """The n-th derivative of digamma at input, elementwise with broadcasting; of order 0 digamma itself. NaN where n is no integer from 0. Integers give float32.

    Inputs:
        n: Tensor or number
        input: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class PopulationCount(Primitive):
    """How many bits of an integer are 1, as uint8; of a negative one those of its two's complement.

    Inputs:
        input_x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Pow(Primitive):
    """input to the power of exponent, elementwise with broadcasting. Special cases are C's: anything to the 0 is 1, a negative base with a fractional exponent is NaN. Integers wrap; a negative integer exponent gives 0 unless the base is 1 or -1. By 1, 2, 3 and -1 of floats it is products and a quotient. Two bool operands are a TypeError. The slope by the exponent is 0 where the base is 0 and the exponent is not negative.

    Inputs:
        input: Tensor or number
        exponent: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Print(Primitive):
    """Prints each argument on a line of its own, Tensors as repr shows them; in a graph whenever it runs.

    Inputs:
        input_x: any values.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...

class PyFunc(Primitive):
    """What a function of NumPy's arrays gives, as a tuple of Tensors. No gradient flows through it."""
    def __init__(self, fn: Any, in_types: Any, in_shapes: Any, out_types: Any, out_shapes: Any, stateful: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Qr(Primitive):
    """(Q, R), complete with full_matrices. See ops.qr."""
    def __init__(self, full_matrices: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Quantile(Primitive):
    """The quantiles along an axis, of the two nearest elements in between."""
    def __init__(self, dim: int | None = None, keep_dims: bool = False, ignore_nan: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class RGBToHSV(Primitive):
    """Hue, saturation and value, within [0, 1], of red, green and blue within [0, 1], along the last axis (..., 3).

    Method: A. R. Smith, Color gamut transform pairs (1978).

    Inputs:
        images: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class RNNTLoss(Primitive):
    """(-log of the probability of labels (B), its gradient by acts)."""
    def __init__(self, blank_label: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ROIAlign(Primitive):
    """Regions of images (N, C, H, W), each as one grid of cells (K, C, pooled_height, pooled_width): means over points of
    each cell, at which the image is interpolated.

    Method: K. He et al., Mask R-CNN (2017).
    """
    def __init__(self, pooled_height: int, pooled_width: int, spatial_scale: float, sample_num: int = 2, roi_end_mode: int = 1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ROIAlignGrad(Primitive):
    """The gradient of ROIAlign by features."""
    def __init__(self, pooled_height: int, pooled_width: int, spatial_scale: float, sample_num: int = 2) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class RaggedRange(Primitive):
    """(where each range begins, and the end; the ranges start, start + delta, ... below limit, one after the other)."""
    def __init__(self, Tsplits: _DType) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class RandomCategorical(Primitive):
    """Categories, drawn with the probabilities softmax(logits) of each row."""
    def __init__(self, dtype: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class RandomChoiceWithMask(Primitive):
    """(positions of true elements (int32, (count, axes)), which rows are such (bool)), in random order, none twice.

    Where there are less than count, zeros follow; a count of 0 gives all.
    """
    def __init__(self, count: int = 256, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class RandomGamma(Primitive):
    """Random numbers of density x ** (alpha - 1) * exp(-x) / gamma(alpha): `shape` of them for each alpha."""
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class RandomPoisson(Primitive):
    """Random whole numbers n of probability rate ** n * exp(-rate) / n!: `shape` of them for each rate."""
    def __init__(self, seed: int = 0, seed2: int = 0, dtype: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class RandomShuffle(Primitive):
    """x with its elements along the first axis in random order."""
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Randperm(Primitive):
    """The integers 0 .. n - 1 in random order, and `pad` after them up to max_length elements."""
    def __init__(self, max_length: int = 1, pad: int = -1, dtype: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class RandpermV2(Primitive):
    """The integers 0 .. n - 1 in random order."""
    def __init__(self, seed: int = 0, offset: int = 0, dtype: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Range(Primitive):
    """The same as arange."""
    def __init__(self, maxlen: int = 1000000) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Rank(Primitive):
    """The number of axes of a Tensor, an int.

    Inputs:
        input_x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ReLU(Primitive):
    """max(input, 0), in the dtype of input. NaN stays NaN. The slope at 0 is 0.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReLU6(Primitive):
    """min(max(x, 0), 6). NaN stays NaN.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReLU6Grad(Primitive):
    """The gradient of relu6 by x.

    Inputs:
        y_backprop: the gradient by its result, of the result's shape.
        x: the operands and attributes of relu6, at which the gradient is taken.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Real(Primitive):
    """The real part, a view; of real numbers input itself.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class RealDiv(Primitive):
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Receive(Primitive):
    """Receives a Tensor of another process."""
    def __init__(self, sr_tag: int, src_rank: int, shape: int | Sequence[int], dtype: _DType, group: str = 'hccl_world_group', group_back: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Reciprocal(Primitive):
    """1 / input; integers are computed in float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReciprocalGrad(Primitive):
    """The gradient of reciprocal by its operand, from its result.

    Inputs:
        y: the result.
        dy: the gradient by it, of the same shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Reduce(Primitive):
    """The Tensors of all processes reduced, for one of them."""
    def __init__(self, dest_rank: int, op: str = 'sum', group: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ReduceAll(Primitive):
    """Whether all elements over `axis` are true (not zero)."""
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReduceAny(Primitive):
    """Whether any element over `axis` is true (not zero)."""
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReduceMax(Primitive):
    """The largest element over `axis`; NaN if there is one."""
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReduceMean(Primitive):
    """The sum of the elements over `axis` divided by their number (integers truncate). `x` is converted to `dtype` first."""
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReduceMin(Primitive):
    """The smallest element over `axis`; NaN if there is one."""
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReduceProd(Primitive):
    """Multiplies the elements over `axis`, in the dtype of `x` (integers wrap)."""
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReduceScatter(Primitive):
    """Of the Tensors of all processes reduced, this process's part along the first axis."""
    def __init__(self, op: str = 'sum', group: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ReduceScatterV(Primitive):
    """Of the Tensors of all processes reduced, this process's part."""
    def __init__(self, op: str = 'sum', group: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ReduceStd(Primitive):
    """(the standard deviations over axes, the means)."""
    def __init__(self, axis: int | Sequence[int] | None = (), unbiased: bool = True, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ReduceSum(Primitive):
    """Sums the elements over axes, in the dtype of x. No axis means all of them, with skip_mode none."""
    def __init__(self, keep_dims: bool = False, skip_mode: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ReluGrad(Primitive):
    """The gradient of relu by input.

    Inputs:
        y_backprop: the gradient by its result, of the result's shape.
        x: the operands and attributes of relu, at which the gradient is taken.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Renorm(Primitive):
    """Each part along an axis whose norm of order p is larger than maxnorm, scaled down to that."""
    def __init__(self, p: float, dim: int, maxnorm: float) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Reshape(Primitive):
    """The same elements in row-major order under another shape. One size may be -1; it follows from the others. A view where the strides allow it, else a copy.

    Inputs:
        input: Tensor
        shape: int or tuple of ints
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReshapeAndCache(Primitive):
    """Writes tokens into caches of blocks; returns key.

    Inputs:
        key, value: of tokens (N, heads, size).
        key_cache, value_cache: (blocks, positions of a block, heads, size), which are written.
        slot_mapping: the position of each token, counted through all blocks (N,); a negative one is left out.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ResizeArea(Primitive):
    """Images (N, H, W, C) resized: the mean of what each new pixel covers in the original.

    float64 of float64, else float32.
    """
    def __init__(self, align_corners: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ResizeBicubic(Primitive):
    """Images (N, C, H, W) resized by cubic convolution along both axes (Keys 1981)."""
    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ResizeBicubicGrad(Primitive):
    """The gradient of ResizeBicubic by image."""
    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ResizeBilinear(Primitive):
    """Images (N, C, H, W) resized by linear interpolation along both axes."""
    def __init__(self, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ResizeBilinearGrad(Primitive):
    """The gradient of ResizeBilinear by image."""
    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ResizeBilinearV2(Primitive):
    """Images (N, C, H, W) resized by linear interpolation along both axes."""
    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ResizeLinear1D(Primitive):
    """Signals (N, C, W) resized by linear interpolation."""
    def __init__(self, coordinate_transformation_mode: str = 'align_corners') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ResizeLinear1DGrad(Primitive):
    """The gradient of ResizeLinear1D by x."""
    def __init__(self, coordinate_transformation_mode: str = 'align_corners') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ResizeNearestNeighbor(Primitive):
    """Images (N, C, H, W) resized: each element is the one below it in the original, of whose pixels it takes the starts."""
    def __init__(self, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ResizeNearestNeighborGrad(Primitive):
    """The gradient of ResizeNearestNeighbor by the images that it resizes."""
    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ResizeNearestNeighborV2(Primitive):
    """Images (N, C, H, W) resized: each element is the one below it in the original, of whose pixels it takes the starts."""
    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ResizeNearestNeighborV2Grad(Primitive):
    """The gradient of ResizeNearestNeighbor by the images that it resizes."""
    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ResizeV2Grad(Primitive):
    """The gradient of ResizeV2 by the images that it resizes."""
    def __init__(self, coordinate_transformation_mode: str = 'half_pixel', mode: str = 'nearest') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ReverseSequence(Primitive):
    """Of each example the first elements along an axis in reverse order, as many as its length; the others stay."""
    def __init__(self, seq_dim: int, batch_dim: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ReverseV2(Primitive):
    """Reverses the order of elements along the given axes."""
    def __init__(self, axis: int | Sequence[int], dims: Any = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class RightShift(Primitive):
    """input / 2^other of integers, rounded down, elementwise with broadcasting; 0 or -1, as the sign is, if other is negative or no less than the number of bits.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Rint(Primitive):
    """Rounds to the nearest integer, ties to even, or to `decimals` decimal places, which may be negative; in the dtype of input.

    Inputs:
        input_x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class RmsNorm(Primitive):
    """(x * r * gamma, r) with r = 1 / sqrt(mean(x**2) + epsilon) over the last axes (Zhang and Sennrich, 2019)."""
    def __init__(self, epsilon: float = 1e-06) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Roll(Primitive):
    """Elements moved along axes; those that pass the end come in at the front."""
    def __init__(self, shifts: int | Sequence[int], dims: int | Sequence[int] | None = None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Round(Primitive):
    """Rounds to the nearest integer, ties to even, or to `decimals` decimal places, which may be negative; in the dtype of input."""
    def __init__(self, decimals: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Rsqrt(Primitive):
    """1 / sqrt(input); infinite at zero, NaN below. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class RsqrtGrad(Primitive):
    """The gradient of rsqrt by its operand, from its result.

    Inputs:
        y_backprop: the result.
        x: the gradient by it, of the same shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SGD(Primitive):
    """a = momentum * a + (1 - dampening) * g, in the first step, where stat is positive, g; parameters -= learning_rate * a,
    or by Nesterov learning_rate * (g + momentum * a). Weight decay adds weight_decay * parameters to g.
    """
    def __init__(self, dampening: float = 0.0, weight_decay: float = 0.0, nesterov: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class STFT(Primitive):
    """The short-time Fourier transform of signals (L) or (N, L): (frequencies, frames), or (N, frequencies, frames)."""
    def __init__(self, n_fft: int, hop_length: int, win_length: int, normalized: bool, onesided: bool, return_complex: bool) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SampleDistortedBoundingBoxV2(Primitive):
    """(begin (3), size (3), box (1, 1, 4)) of a random crop, for slice(): the first of some attempts that lies within the
    image and shows enough of a box, or else the whole image.
    """
    def __init__(self, seed: int = 0, seed2: int = 0, aspect_ratio_range: Any = (0.75, 1.33), area_range: Any = (0.05, 1.0), max_attempts: int = 100, use_image_if_no_bounding_boxes: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScalarCast(Primitive):
    """A number as one of another kind: an int of a dtype of integers, toward 0, else a float or bool.

    Inputs:
        input_x: any object
        input_y: dtype
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScalarSummary(Primitive):
    """Gives a value to the SummaryRecord that is open, if there is one: record() writes it.

    Inputs:
        name: a str.
        value: a Tensor that has no axis, or one of size 1.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...

class ScalarToArray(Primitive):
    """A 0-d Tensor of a number: int64 of an int, float32 of a float.

    Inputs:
        input_x: any object
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScalarToTensor(Primitive):
    """A 0-d Tensor of a number.

    Inputs:
        input_x: any object
        dtype: dtype; by default Float32
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScaleAndTranslate(Primitive):
    """Images (N, H, W, C) scaled, then moved: (N, *size, C). float64 of float64, else float32.

    Each new element is the mean of those around its place, with weights of a kernel: Lanczos's (1, 3, 5), a Gaussian, a
    box, a triangle, or cubic ones of Keys (1981) and of Mitchell and Netravali (1988). It is 0 outside of the image.
    """
    def __init__(self, kernel_type: str = 'lanczos3', antialias: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScaleAndTranslateGrad(Primitive):
    """The gradient of ScaleAndTranslate by images."""
    def __init__(self, kernel_type: str = 'lanczos3', antialias: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterAdd(Primitive):
    """Writes into input_x where indices name slices along its first axis: an element becomes its sum with the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterAddWithAxis(Primitive):
    """input with src added at the positions that index names along an axis, in their order."""
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterDiv(Primitive):
    """Writes into input_x where indices name slices along its first axis: an element becomes its quotient by the update; of integers truncated, and 0 if that is by zero."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterMax(Primitive):
    """Writes into input_x where indices name slices along its first axis: an element becomes the larger of it and the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterMin(Primitive):
    """Writes into input_x where indices name slices along its first axis: an element becomes the smaller of it and the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterMul(Primitive):
    """Writes into input_x where indices name slices along its first axis: an element becomes its product with the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNd(Primitive):
    """Zeros of a shape with updates added where rows of indices name elements, or slices of other axes, in their order.

    Inputs:
        indices: integers; a row of k along the last axis indexes the first k axes of the shape.
        update: of indices' shape without the last axis, followed by the shape's other axes.
        shape: int or tuple of ints
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNdAdd(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes its sum with the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNdDiv(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes its quotient by the update; of integers truncated, and 0 if that is by zero."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNdMax(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes the larger of it and the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNdMin(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes the smaller of it and the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNdMul(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes its product with the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNdSub(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes its difference from the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNdUpdate(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes the update."""
    def __init__(self, use_locking: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNonAliasingAdd(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes its sum with the update.

    Inputs:
        input_x: Parameter or Tensor
        indices: integers; a row of k along the last axis indexes the first k axes of input_x.
        updates: of indices' shape without the last axis, followed by input_x's other axes.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterSub(Primitive):
    """Writes into input_x where indices name slices along its first axis: an element becomes its difference from the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterUpdate(Primitive):
    """Writes into input_x where indices name slices along its first axis: an element becomes the update."""
    def __init__(self, use_locking: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SeLU(Primitive):
    """elu(x, 1.6732632423543772) times 1.0507009873554805, which keep mean 0 and deviation 1 (Klambauer et al., 2017).

    Inputs:
        input_x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SearchSorted(Primitive):
    """The indices at which values, put there, keep a sequence in order along its last axis. NaN is above all."""
    def __init__(self, dtype: _DType = ..., right: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SegmentMax(Primitive):
    """The largest elements of the slices of each segment; 0 where there is none.

    There are as many segments as the largest id says.

    Inputs:
        input_x: Tensor
        segment_ids: integers in ascending order, as many as slices along the first axis.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SegmentMean(Primitive):
    """The means of the slices of each segment; 0 where there is none.

    There are as many segments as the largest id says.

    Inputs:
        input_x: Tensor
        segment_ids: integers in ascending order, as many as slices along the first axis.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SegmentMin(Primitive):
    """The smallest elements of the slices of each segment; 0 where there is none.

    There are as many segments as the largest id says.

    Inputs:
        input_x: Tensor
        segment_ids: integers in ascending order, as many as slices along the first axis.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SegmentProd(Primitive):
    """The products of the slices of each segment; 1 where there is none.

    There are as many segments as the largest id says.

    Inputs:
        input_x: Tensor
        segment_ids: integers in ascending order, as many as slices along the first axis.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SegmentSum(Primitive):
    """The sums of the slices of each segment; 0 where there is none.

    There are as many segments as the largest id says.

    Inputs:
        input_x: Tensor
        segment_ids: integers in ascending order, as many as slices along the first axis.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Select(Primitive):
    """input where condition, else other, elementwise; all three broadcast, input and other promote. A condition that is not bool is a TypeError.

    Inputs:
        condition: Tensor or number
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SelectView(Primitive):
    """The element at `index` of an axis, without that axis: input[index] for axis 0. A view.

    Inputs:
        input: Tensor
        index: int
        axis: int, the axis, from the end if negative; by default 0
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SeluGrad(Primitive):
    """The gradient of selu by its operand, from its result.

    Inputs:
        gradient: the gradient by it, of the same shape.
        result: the result.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Send(Primitive):
    """Sends a Tensor to another process."""
    def __init__(self, sr_tag: int, dest_rank: int, group: str = 'hccl_world_group', group_back: str = 'hccl_world_group') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SequenceAddN(Primitive):
    """The sum of Tensors of one shape and dtype, added up in their order.

    Inputs:
        x: tuple or list of Tensors
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SequenceConcat(Primitive):
    """Joins tensors along an axis. All other sizes must agree; dtypes promote to their common one."""
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SequenceStack(Primitive):
    """Joins tensors of one shape and dtype along a new axis."""
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SequenceUnstack(Primitive):
    """The slices along an axis, `num` of them. Views."""
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]: ...

class Shape(Primitive):
    """The shape of a Tensor, a tuple of ints.

    Inputs:
        input_x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Shift(Primitive):
    """Elements moved along an axis; those that pass an end are lost, and a number comes in at the other."""
    def __init__(self, periods: int = 1, axis: int = -1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SiLU(Primitive):
    """input * sigmoid(input).

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SiLUGrad(Primitive):
    """The gradient of silu by input.

    Inputs:
        dout: the gradient by its result, of the result's shape.
        x: the operands and attributes of silu, at which the gradient is taken.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Sigmoid(Primitive):
    """1 / (1 + exp(-input)), without overflow. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SigmoidCrossEntropyWithLogits(Primitive):
    """The binary cross entropy of sigmoid(input), without computing that first.

    Inputs:
        logits: Tensor
        label: probabilities of input's shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SigmoidCrossEntropyWithLogitsGrad(Primitive):
    """The gradient of binary_cross_entropy_with_logits by input.

    Inputs:
        x: the operands and attributes of binary_cross_entropy_with_logits, at which the gradient is taken.
        y: Tensor
        dout: the gradient by its result, of the result's shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SigmoidGrad(Primitive):
    """The gradient of sigmoid by its operand, from its result.

    Inputs:
        y: the result.
        dy: the gradient by it, of the same shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Sign(Primitive):
    """1, 0 or -1 as input is above, at or below zero; of NaN 0. Of a complex number input / |input|, 0 at 0.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Sin(Primitive):
    """The sine of radians of any size. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Sinc(Primitive):
    """sin(pi input) / (pi input), 1 at zero. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Sinh(Primitive):
    """The hyperbolic sine. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Size(Primitive):
    """The number of elements of a Tensor, an int.

    Inputs:
        input_x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Slice(Primitive):
    """size[i] elements from begin[i] on of each axis i; a size of -1 means all the rest. A view.

    Inputs:
        input_x: Tensor
        begin: int or tuple of ints
        size: int or tuple of ints
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SliceGrad(Primitive):
    """The gradient of slice by input_x.

    Inputs:
        dy: the gradient by its result, of the result's shape.
        x: the operands and attributes of slice, at which the gradient is taken.
        begin: int or tuple of ints
        size: int or tuple of ints
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SmoothL1Loss(Primitive):
    """With d = abs(input - target), d**2 / (2 * beta) below beta, else d - beta / 2 (Girshick, 2015)."""
    def __init__(self, beta: float = 1.0, reduction: str = 'none') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SmoothL1LossGrad(Primitive):
    """The gradient of smooth_l1_loss by input."""
    def __init__(self, beta: float = 1.0, reduction: str = 'none') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SoftMarginLoss(Primitive):
    """log(1 + exp(-target * input))."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SoftShrink(Primitive):
    """input, by lambd nearer to 0, and 0 within [-lambd, lambd]."""
    def __init__(self, lambd: float = 0.5) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SoftShrinkGrad(Primitive):
    """The gradient of softshrink by input."""
    def __init__(self, lambd: float = 0.5) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Softmax(Primitive):
    """exp(input - m) / sum(exp(input - m)) along `axis`, where m is the largest element."""
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SoftmaxBackward(Primitive):
    """The gradient of softmax along an axis by its operand, from its result.

    Inputs:
        dout: the gradient by it, of the same shape.
        out: the result.
        dim: int, the axis, from the end if negative; by default -1
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SoftmaxCrossEntropyWithLogits(Primitive):
    """(the cross entropy of each row of `logits` (N, C) against the probabilities `labels`, its gradient by the logits).

    Inputs:
        logits: Tensor
        labels: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]: ...

class SoftmaxGrad(Primitive):
    """The gradient of softmax along an axis by its operand, from its result.

    Inputs:
        y: the result.
        dy: the gradient by it, of the same shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Softplus(Primitive):
    """log(1 + exp(beta * input)) / beta, and input itself where beta * input is above threshold.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SoftplusGrad(Primitive):
    """The gradient of softplus by x.

    Inputs:
        gradients: the gradient by its result, of the result's shape.
        features: the operands and attributes of softplus, at which the gradient is taken.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Softsign(Primitive):
    """x / (1 + abs(x)).

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Sort(Primitive):
    """(the elements in order along an axis, their indices as int32), of equals the lower index first; NaN is the largest."""
    def __init__(self, axis: int = -1, descending: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SpaceToBatch(Primitive):
    """Blocks of the last axes, of which the elements at each place within a block become a batch of their own."""
    def __init__(self, block_size: int | Sequence[int], paddings: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SpaceToBatchND(Primitive):
    """Blocks of the last axes, of which the elements at each place within a block become a batch of their own."""
    def __init__(self, block_shape: int | Sequence[int], paddings: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SpaceToDepth(Primitive):
    """The elements at each place within blocks of images (N, C, H, W) as channels: (N, places * C, H / block, W / block)."""
    def __init__(self, block_size: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseApplyAdadelta(Primitive):
    """A step of Adadelta on rows."""
    def __init__(self, epsilon: float, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseApplyAdagrad(Primitive):
    """A step of Adagrad on rows."""
    def __init__(self, lr: float, update_slots: bool = True, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseApplyAdagradV2(Primitive):
    """A step of Adagrad on rows, with epsilon added to the root."""
    def __init__(self, lr: float, epsilon: float, use_locking: bool = False, update_slots: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseApplyFtrl(Primitive):
    """A step of FTRL on rows."""
    def __init__(self, lr: float, l1: float, l2: float, lr_power: float, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseApplyFtrlV2(Primitive):
    """A step of FTRL on rows, with the gradient of l2_shrinkage * var**2 beside grad."""
    def __init__(self, lr: float, l1: float, l2: float, l2_shrinkage: float, lr_power: float, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseApplyProximalAdagrad(Primitive):
    """A step of proximal Adagrad on rows."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseApplyRMSProp(Primitive):
    """A step of RMSProp on rows."""
    def __init__(self, rho: float, momentum: float, epsilon: float, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseFillEmptyRowsGrad(Primitive):
    """(the gradient by the values, that by the default value) of filling empty rows.

    Inputs:
        reverse_index_map: where each value is in the result.
        grad_values: the gradient by the result's values (K,).
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseGatherV2(Primitive):
    """Slices at positions along an axis.

    Inputs:
        input_params: Tensor
        input_indices: Tensor
        axis: int, the axis, from the end if negative
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseSegmentMeanGrad(Primitive):
    """The gradient of the means of slices of segments by what these are slices of.

    Inputs:
        x: the gradient by the means, of shape (segments, ...).
        indices: which slices there were, along the first axis, of shape (K,).
        segment_ids: the segment of each (K,).
        output_dim0: the size of the first axis: an int, or a Tensor of one.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseSegmentMeanWithNumSegments(Primitive):
    """The means of the slices that indices name, of each segment; 0 where there is none.

    Inputs:
        x: Tensor
        indices: a 1-d Tensor of integers, positions along x's first axis.
        segment_ids: integers in ascending order, as many as indices.
        num_segments: how many segments there are.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseSegmentSqrtN(Primitive):
    """The sums by the square roots of the counts of the slices that indices name, of each segment; 0 where there is none.

    Inputs:
        x: Tensor
        indices: a 1-d Tensor of integers, positions along x's first axis.
        segment_ids: integers in ascending order, as many as indices.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseSegmentSqrtNGrad(Primitive):
    """The gradient of the sums by root of slices of segments by what these are slices of.

    Inputs:
        x: the gradient by the sums by root, of shape (segments, ...).
        indices: which slices there were, along the first axis, of shape (K,).
        segment_ids: the segment of each (K,).
        output_dim0: the size of the first axis: an int, or a Tensor of one.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseSegmentSqrtNWithNumSegments(Primitive):
    """The sums by the square roots of the counts of the slices that indices name, of each segment; 0 where there is none.

    Inputs:
        x: Tensor
        indices: a 1-d Tensor of integers, positions along x's first axis.
        segment_ids: integers in ascending order, as many as indices.
        num_segments: how many segments there are.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseSliceGrad(Primitive):
    """The gradient of a slice of a sparse tensor by the values: of those in the slice that by the value there, else 0.

    Inputs:
        backprop_val_grad: the gradient by the slice's values (K,).
        indices: of the tensor's values (N, axes).
        start: where the slice begins (axes,).
        new_indices: of the slice's values (K, axes).
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseSoftmaxCrossEntropyWithLogits(Primitive):
    """The mean cross entropy of `logits` (N, C) against the class numbers `labels` (N,), or with `is_grad` its gradient by the logits."""
    def __init__(self, is_grad: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SparseSoftmaxCrossEntropyWithLogitsV2(Primitive):
    """(the cross entropy of each row's softmax and its label (N,), its gradient by the logits (N, C)).

    Inputs:
        logits: (N, C), of floating point.
        labels: (N,), classes as integers.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseToDense(Primitive):
    """Zeros of a shape with updates added where rows of indices name elements, or slices of other axes, in their order.

    Inputs:
        indices: integers; a row of k along the last axis indexes the first k axes of the shape.
        values: of indices' shape without the last axis, followed by the shape's other axes.
        sparse_shape: int or tuple of ints
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Split(Primitive):
    """output_num pieces of one size along an axis. Views."""
    def __init__(self, axis: int = 0, output_num: int = 1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SplitV(Primitive):
    """Pieces of the sizes that are given, of which one may be -1 for what is left. Views."""
    def __init__(self, size_splits: int | Sequence[int], split_dim: int, num_split: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Sqrt(Primitive):
    """The square root, correctly rounded; NaN below zero. Integers give float32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SqrtGrad(Primitive):
    """The gradient of sqrt by its operand, from its result.

    Inputs:
        dy: the result.
        y: the gradient by it, of the same shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Square(Primitive):
    """input * input. Bool is a TypeError.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SquareSumAll(Primitive):
    """The sums of squares of two Tensors.

    Inputs:
        x: Tensor
        y: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SquaredDifference(Primitive):
    """(x - y) * (x - y), elementwise with broadcasting.

    Inputs:
        x: Tensor or number
        y: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Squeeze(Primitive):
    """Drops the axes of size one, or those of them that `axis` names; an axis of another size stays. A view."""
    def __init__(self, axis: int | Sequence[int] | None = None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Stack(Primitive):
    """Joins tensors of one shape and dtype along a new axis."""
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class StandardLaplace(Primitive):
    """Random numbers of density exp(-|x|) / 2, float32."""
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class StandardNormal(Primitive):
    """Random numbers of mean 0 and deviation 1."""
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class StopGradient(Primitive):
    """value itself, but no gradient flows back through it, nor through the Tensors in a tuple, list or dict.

    Inputs:
        value: any object
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class StridedSlice(Primitive):
    """The region begin[i]:end[i]:strides[i] of each axis; bit i of a mask changes what entry i means. A view."""
    def __init__(self, begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class StridedSliceGrad(Primitive):
    """The gradient of StridedSlice by input_x."""
    def __init__(self, begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Sub(Primitive):
    """input - other, elementwise with broadcasting. Two bool operands are a TypeError.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SubAndFilter(Primitive):
    """(input_x - offset where that is within [0, max_num), the positions of those elements, in input_x's dtype).

    Inputs:
        input_x: Tensor
        max_num: Tensor or number
        offset: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SubV2(Primitive):
    """input - other, elementwise with broadcasting. Two bool operands are a TypeError.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Svd(Primitive):
    """(singular values, U, V); without compute_uv the last two are empty. See ops.svd."""
    def __init__(self, full_matrices: bool = False, compute_uv: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Tan(Primitive):
    """The tangent of radians. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Tanh(Primitive):
    """The hyperbolic tangent, within 2 ulp. Integers give float32.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TanhGrad(Primitive):
    """The gradient of tanh by its operand, from its result.

    Inputs:
        y: the result.
        dy: the gradient by it, of the same shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorAdd(Primitive):
    """input + other, elementwise with broadcasting; of two bools, their disjunction.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TensorCopySlices(Primitive):
    """x with a value in the region begin[i]:end[i]:strides[i] of each axis.

    Inputs:
        x: Tensor
        value: Tensor
        begin: int or tuple of ints
        end: int or tuple of ints
        strides: int or tuple of ints
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorScatterAdd(Primitive):
    """input_x, in which an element that a row of indices names is its sum with the update.

    Inputs:
        input_x: Tensor
        indices: integers; a row of k along the last axis indexes the first k axes of input_x.
        updates: of indices' shape without the last axis, followed by input_x's other axes.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorScatterDiv(Primitive):
    """input_x, in which an element that a row of indices names is its quotient by the update; of integers truncated, and 0 if that is by zero.

    Inputs:
        input_x: Tensor
        indices: integers; a row of k along the last axis indexes the first k axes of input_x.
        updates: of indices' shape without the last axis, followed by input_x's other axes.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorScatterElements(Primitive):
    """input_x with `updates` written ('none') or added ('add') where gather_d would have read them, in index order."""
    def __init__(self, axis: int = 0, reduction: str = 'none') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TensorScatterMax(Primitive):
    """input_x, in which an element that a row of indices names is the larger of it and the update.

    Inputs:
        input_x: Tensor
        indices: integers; a row of k along the last axis indexes the first k axes of input_x.
        updates: of indices' shape without the last axis, followed by input_x's other axes.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorScatterMin(Primitive):
    """input_x, in which an element that a row of indices names is the smaller of it and the update.

    Inputs:
        input_x: Tensor
        indices: integers; a row of k along the last axis indexes the first k axes of input_x.
        updates: of indices' shape without the last axis, followed by input_x's other axes.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorScatterMul(Primitive):
    """input_x, in which an element that a row of indices names is its product with the update.

    Inputs:
        input_x: Tensor
        indices: integers; a row of k along the last axis indexes the first k axes of input_x.
        updates: of indices' shape without the last axis, followed by input_x's other axes.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorScatterSub(Primitive):
    """input_x, in which an element that a row of indices names is its difference from the update.

    Inputs:
        input_x: Tensor
        indices: integers; a row of k along the last axis indexes the first k axes of input_x.
        updates: of indices' shape without the last axis, followed by input_x's other axes.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorScatterUpdate(Primitive):
    """input_x, in which an element that a row of indices names is the update.

    Inputs:
        input_x: Tensor
        indices: integers; a row of k along the last axis indexes the first k axes of input_x.
        updates: of indices' shape without the last axis, followed by input_x's other axes.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorShape(Primitive):
    """The shape as a Tensor of int64.

    Inputs:
        input_x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorSummary(Primitive):
    """Gives a value to the SummaryRecord that is open, if there is one: record() writes it.

    Inputs:
        name: a str.
        value: a Tensor that has an axis at least.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...

class TensorToTuple(Primitive):
    """The elements of a Tensor of one axis as a tuple of numbers.

    Inputs:
        input_x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Tile(Primitive):
    """Repeats the tensor dims[i] times along axis i, counted from the last.

    Inputs:
        input: Tensor
        dims: int or tuple of ints
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TopK(Primitive):
    """(the k largest elements along an axis in order, their indices as int32), of equals the lower index first.

    NaN is the largest.
    """
    def __init__(self, sorted: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Trace(Primitive):
    """The sum of a matrix's diagonal, in its dtype.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TraceGrad(Primitive):
    """The gradient of trace by input.

    Inputs:
        y_grad: the gradient by its result, of the result's shape.
        x_shape: the shape of the operand, of which trace is a linear function, and its other operands and attributes.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TraceV2Grad(Primitive):
    """The gradient of trace by input.

    Inputs:
        dout: the gradient by its result, of the result's shape.
        shape: the shape of the operand, of which trace is a linear function, and its other operands and attributes.
        offset: int; by default 0
        axis1: int; by default 1
        axis2: int; by default 0
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Transpose(Primitive):
    """Axis i of the result is axis dims[i] of the operand. A view.

    Inputs:
        input: Tensor
        dims: int or tuple of ints
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TransposeExtView(Primitive):
    """Exchanges two axes. A view.

    Inputs:
        input: Tensor
        dim0: int
        dim1: int
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TransposeView(Primitive):
    """Axis i of the result is axis dims[i] of the operand. A view.

    Inputs:
        input: Tensor
        input_perm: int or tuple of ints
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TridiagonalMatMul(Primitive):
    """The product of a tridiagonal matrix (m, m) and another (m, n), of batches of them.

    Inputs:
        superdiag: (..., 1, m), the elements right of the diagonal; the last does not count.
        maindiag: (..., 1, m), the diagonal.
        subdiag: (..., 1, m), the elements left of the diagonal; the first does not count.
        rhs: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Tril(Primitive):
    """The matrices of the last two axes with zeros above the given diagonal."""
    def __init__(self, diagonal: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TrilIndices(Primitive):
    """A matrix of two rows: the row and the column of each element of a matrix on a diagonal and below it, in row-major order."""
    def __init__(self, row: int, col: int, offset: int = 0, dtype: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TripletMarginLoss(Primitive):
    """max(0, margin + d(anchor, positive) - d(anchor, negative)) of distances along the last axis (Balntas et al., 2016)."""
    def __init__(self, p: _Operand = 2, swap: bool = False, eps: float = 1e-06, reduction: str = 'mean') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Triu(Primitive):
    """The matrices of the last two axes with zeros below the given diagonal."""
    def __init__(self, diagonal: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TriuIndices(Primitive):
    """A matrix of two rows: the row and the column of each element of a matrix on a diagonal and above it, in row-major order."""
    def __init__(self, row: int, col: int, offset: int = 0, dtype: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Trunc(Primitive):
    """Rounds toward zero to an integer, in the dtype of input.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TruncateDiv(Primitive):
    """x / y rounded toward zero, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0.

    Inputs:
        x: Tensor or number
        y: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TruncateMod(Primitive):
    """input - other * trunc(input / other), exactly, elementwise with broadcasting: the remainder that has the sign of input. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError.

    Inputs:
        x: Tensor or number
        y: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TruncatedNormal(Primitive):
    """Random numbers of the standard normal distribution between -2 and 2."""
    def __init__(self, dtype: _DType = ..., seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TupleToArray(Primitive):
    """A 1-d Tensor of a tuple of numbers: int32 of ints, float32 of floats.

    Inputs:
        input_x: any object
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Uniform(Primitive):
    """Random numbers of [minval, maxval) in x's shape and dtype."""
    def __init__(self, minval: float = 0.0, maxval: float = 1.0, seed: int = 0, offset: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UniformCandidateSampler(Primitive):
    """(classes drawn from 0 .. range_max - 1, all as likely; how often each of true_classes, and of those drawn, is to be
    expected among them, as float32).
    """
    def __init__(self, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0, remove_accidental_hits: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UniformInt(Primitive):
    """Random integers of [minval, maxval), int32."""
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UniformReal(Primitive):
    """Random numbers of [0, 1)."""
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Unique(Primitive):
    """(the distinct elements in the order of their first occurrence, 1-d; which of them each element is).

    Each NaN is distinct. The second is of int64 if the input is, else of int32.

    Inputs:
        x: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UniqueConsecutive(Primitive):
    """The elements, or slices along an axis, that differ from those before them. Each NaN is distinct."""
    def __init__(self, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UniqueWithPad(Primitive):
    """(the distinct elements in the order of their first occurrence, filled up to x's size; which each is).

    Inputs:
        x: one axis.
        pad_num: what fills up.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Unpack(Primitive):
    """The slices along an axis, `num` of them. Views."""
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]: ...

class UnravelIndex(Primitive):
    """The indices along each axis, a row each, of elements that are counted in row-major order.

    Inputs:
        indices: Tensor
        dims: the shape, a 1-d Tensor of integers.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UnsortedSegmentMax(Primitive):
    """The largest elements of the slices of each segment; the least number of the dtype where there is none.

    Inputs:
        input_x: Tensor
        segment_ids: integers, of the shape of x's first axes; slices of negative ids are left out.
        num_segments: an int, how many segments there are.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UnsortedSegmentMin(Primitive):
    """The smallest elements of the slices of each segment; the largest number of the dtype where there is none.

    Inputs:
        input_x: Tensor
        segment_ids: integers, of the shape of x's first axes; slices of negative ids are left out.
        num_segments: an int, how many segments there are.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UnsortedSegmentProd(Primitive):
    """The products of the slices of each segment; 1 where there is none.

    Inputs:
        input_x: Tensor
        segment_ids: integers, of the shape of x's first axes; slices of negative ids are left out.
        num_segments: an int, how many segments there are.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UnsortedSegmentSum(Primitive):
    """The sums of the slices of each segment.

    Inputs:
        input_x: Tensor
        segment_ids: integers, of the shape of x's first axes; slices of negative ids are left out.
        num_segments: an int, how many segments there are.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Unstack(Primitive):
    """The slices along an axis, `num` of them. Views."""
    def __init__(self, axis: int = 0, num: int | None = None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]: ...

class UpperBound(Primitive):
    """Of each row the indices at which values, put there, keep it in order: before equal elements, or after them."""
    def __init__(self, out_type: _DType = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UpsampleNearest1DGrad(Primitive):
    """The gradient of interpolate by input.

    Inputs:
        dy: the gradient by its result, of the result's shape.
        input_size: the shape of the operand, of which interpolate is a linear function, and its other operands and attributes.
        output_size: any object or None; by default None
        scales: any object or None; by default None
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UpsampleNearest2DGrad(Primitive):
    """The gradient of interpolate by input.

    Inputs:
        dy: the gradient by its result, of the result's shape.
        input_size: the shape of the operand, of which interpolate is a linear function, and its other operands and attributes.
        output_size: any object or None; by default None
        scales: any object or None; by default None
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UpsampleNearest3D(Primitive):
    """Volumes (N, C, D, H, W) resized to a size or by factors, of which one is given: interpolate() of mode "nearest".

    Inputs:
        x: of shape (N, C, D, H, W).
        output_size: three ints, or None.
        scales: three floats, or None.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UpsampleNearest3DGrad(Primitive):
    """The gradient of UpsampleNearest3D by x.

    Inputs:
        dy: the gradient by its result, of the result's shape.
        input_size: the shape of the operand, of which UpsampleNearest3D is a linear function, and its other operands and attributes.
        output_size: any object or None; by default None
        scales: any object or None; by default None
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UpsampleTrilinear3D(Primitive):
    """Volumes (N, C, D, H, W) resized to a size or by factors, of which one is given: interpolate() of mode "trilinear"."""
    def __init__(self, align_corners: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UpsampleTrilinear3DGrad(Primitive):
    """The gradient of UpsampleTrilinear3D by x."""
    def __init__(self, align_corners: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Xdivy(Primitive):
    """x / y, and 0 where x is 0, elementwise with broadcasting. Integers give float32.

    Inputs:
        x: Tensor or number
        y: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Xlogy(Primitive):
    """input * log(other), and 0 where input is 0 unless other is NaN, elementwise with broadcasting. Integers give float32.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Zeros(Primitive):
    """A tensor of zeros, float32 unless dtype says otherwise.

    Inputs:
        size: int or tuple of ints
        dtype: dtype or None; by default None
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ZerosLike(Primitive):
    """Zeros of input's shape, and its dtype unless another is given.

    Inputs:
        input: Tensor
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Zeta(Primitive):
    """Hurwitz' zeta function: the sum of (other + k)^-input from k = 0, elementwise with broadcasting. Infinite at input 1 and at integers other up to 0, NaN for input below 1 and where a power is not real. Integers give float32.

    Inputs:
        input: Tensor or number
        other: Tensor or number
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

def abs(input: _TensorLike) -> Tensor:
    """|input|. The least signed integer, which has no opposite, stays itself."""

def absolute(input: _TensorLike) -> Tensor:
    """|input|. The least signed integer, which has no opposite, stays itself."""

def accumulate_n(x: Sequence[_TensorLike]) -> Any:
    """The sum of Tensors of one shape and dtype, added up in their order."""

def acos(input: _TensorLike) -> Tensor:
    """The arc cosine in radians; NaN beyond 1. Integers give float32."""

def acosh(input: _TensorLike) -> Tensor:
    """The inverse hyperbolic cosine; NaN below 1. Integers give float32."""

def adaptive_avg_pool1d(input: _TensorLike, output_size: Any) -> Any:
    """The means of windows of (N, C, L) or (C, L), which divide the axis as evenly as they can."""

def adaptive_avg_pool2d(input: _TensorLike, output_size: Any) -> Any:
    """The means of windows of (N, C, H, W) or (C, H, W), which divide rows and columns as evenly as they can."""

def adaptive_avg_pool2d_ext(input: _TensorLike, output_size: Any) -> Any:
    """The means of windows of (N, C, H, W) or (C, H, W), which divide rows and columns as evenly as they can."""

def adaptive_avg_pool3d(input: _TensorLike, output_size: Any) -> Any:
    """The means of windows of (N, C, D, H, W) or (C, D, H, W), which divide each axis as evenly as they can."""

def adaptive_max_pool1d(input: _TensorLike, output_size: Any) -> Any:
    """The largest elements of windows of (N, C, L) or (C, L), which divide each axis evenly."""

def adaptive_max_pool2d(input: _TensorLike, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of windows of (N, C, H, W) or (C, H, W), which divide each axis evenly."""

def adaptive_max_pool3d(input: _TensorLike, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of windows of (N, C, D, H, W) or (C, D, H, W), which divide each axis evenly."""

def add(input: _Operand, other: _Operand) -> Tensor:
    """input + other, elementwise with broadcasting; of two bools, their disjunction."""

def add_ext(input: _Operand, other: _Operand, alpha: _Operand = 1) -> Any:
    """input + alpha * other, elementwise with broadcasting."""

def add_layer_norm(x1: _TensorLike, x2: _TensorLike, gamma: _TensorLike, beta: _TensorLike, epsilon: float = 1e-05, additional_output: bool = False) -> Any:
    """(layer_norm of x1 + x2 over the axes of gamma, mean, 1 / sqrt(variance + epsilon), x1 + x2)."""

def add_rms_norm(x1: _TensorLike, x2: _TensorLike, gamma: _TensorLike, epsilon: float = 1e-06) -> Any:
    """(rms_norm of x1 + x2, the factor that it used, x1 + x2)."""

def addbmm(input: _TensorLike, batch1: _TensorLike, batch2: _TensorLike, *, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
    """beta * input + alpha * the sum of the products of two batches of matrices, (b, n, k) and (b, k, m)."""

def addcdiv(input: _Operand, tensor1: _Operand, tensor2: _Operand, value: _Operand = 1) -> Any:
    """input + value * tensor1 / tensor2, elementwise with broadcasting; quotients of integers are float32."""

def addcmul(input: _Operand, tensor1: _Operand, tensor2: _Operand, value: _Operand = 1) -> Any:
    """input + value * tensor1 * tensor2, elementwise with broadcasting."""

def addmm(input: _TensorLike, mat1: _TensorLike, mat2: _TensorLike, *, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
    """beta * input + alpha * (mat1 @ mat2)."""

def addmv(input: _TensorLike, mat: _TensorLike, vec: _TensorLike, *, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
    """beta * input + alpha * (mat @ vec), of a matrix (n, m) and a vector (m,); input broadcasts to (n,)."""

def addn(x: Sequence[_TensorLike]) -> Any:
    """The sum of Tensors of one shape and dtype, added up in their order."""

def addr(x: _TensorLike, vec1: _TensorLike, vec2: _TensorLike, *, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
    """beta * input + alpha * the outer product of two vectors, (n,) and (m,); input broadcasts to (n, m)."""

def adjoint(x: _TensorLike) -> Any:
    """Matrices, of the last two axes, transposed and conjugated."""

def affine_grid(theta: _TensorLike, size: Any, align_corners: bool = False) -> Any:
    """The points at which grid_sample() turns an image by affine maps: (N, H, W, 2), or (N, D, H, W, 3)."""

def all(input: _TensorLike, axis: int | Sequence[int] | None = None, keep_dims: bool = False, *, dim: int | Sequence[int] | None = ..., keepdims: bool = ...) -> Tensor:
    """Whether all elements over `axis` are true (not zero)."""

def all_gather_matmul(input: _TensorLike, x2: _TensorLike, group: str, world_size: int, *, bias: Any = None, gather_index: int = 0, gather_output: bool = True, comm_turn: int = 0, trans_input: bool = False, trans_x2: bool = False) -> Any:
    """(the product of matrices of all processes, joined along the first axis, with x2; what was joined)."""

def amax(input: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, *, initial: _Operand | None = None, where: _TensorLike | None = None) -> Tensor:
    """The largest element over `axis`, and of `initial` if given; NaN if there is one. Only elements where `where` is true take part, which needs `initial`."""

def amin(input: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, *, initial: _Operand | None = None, where: _TensorLike | None = None) -> Tensor:
    """The smallest element over `axis`, and of `initial` if given; NaN if there is one. Only elements where `where` is true take part, which needs `initial`."""

def aminmax(input: _TensorLike, *, axis: int | None = 0, keepdims: bool = False) -> Any:
    """(the smallest elements along an axis, the largest); of all elements without one."""

def angle(input: _TensorLike) -> Tensor:
    """The angle of complex numbers in radians, within (-pi, pi]; of real numbers 0, or pi below zero."""

def any(input: _TensorLike, axis: int | Sequence[int] | None = None, keep_dims: bool = False, *, dim: int | Sequence[int] | None = ..., keepdims: bool = ...) -> Tensor:
    """Whether any element over `axis` is true (not zero)."""

def approximate_equal(x: _Operand, y: _Operand, tolerance: float = 1e-05) -> Any:
    """Whether |x - y| < tolerance, elementwise with broadcasting."""

def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: _DType | None = None) -> Any:
    """Numbers from start up to, but without, end, in steps; with one argument from 0."""

def arccos(input: _TensorLike) -> Tensor:
    """The arc cosine in radians; NaN beyond 1. Integers give float32."""

def arccosh(input: _TensorLike) -> Tensor:
    """The inverse hyperbolic cosine; NaN below 1. Integers give float32."""

def arcsin(x: _TensorLike) -> Tensor:
    """The arc sine in radians; NaN beyond 1. Integers give float32."""

def arcsinh(input: _TensorLike) -> Tensor:
    """The inverse hyperbolic sine. Integers give float32."""

def arctan(input: _TensorLike) -> Tensor:
    """The arc tangent in radians. Integers give float32."""

def arctan2(input: _Operand, other: _Operand) -> Tensor:
    """The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of zero as in C. Integers give float32."""

def arctanh(input: _TensorLike) -> Tensor:
    """The inverse hyperbolic tangent; infinite at 1, NaN beyond. Integers give float32."""

def argmax(input: _TensorLike, dim: int | None = None, keepdim: bool = False, *, axis: int | None = ..., keepdims: bool = ...) -> Tensor:
    """The index (int64) of the largest element along `dim`, the first of equals; of all elements if `dim` is None."""

def argmin(input: _TensorLike, axis: int | None = None, keepdims: bool = False, *, dim: int | None = ..., keepdim: bool = ...) -> Tensor:
    """The index (int32) of the smallest element along `axis`, the first of equals; of all elements if `axis` is None."""

def argsort(input: _TensorLike, axis: int = -1, descending: bool = False) -> Any:
    """The indices (int32) of the elements in order along an axis, of equals the lower index first; NaN is the largest."""

def argwhere(input: _TensorLike) -> Any:
    """The indices (int64, a row each) of the elements that are not 0, in row-major order."""

def array_to_scalar(x: _TensorLike) -> Any:
    """The number that a Tensor of one element has."""

def asin(input: _TensorLike) -> Tensor:
    """The arc sine in radians; NaN beyond 1. Integers give float32."""

def asinh(input: _TensorLike) -> Tensor:
    """The inverse hyperbolic sine. Integers give float32."""

def assign(variable: Tensor, value: _Operand) -> Tensor:
    """Writes value into a Parameter of the same shape. The value's dtype must promote to the Parameter's. A jitted function that reads the Parameter in another thread meanwhile may see some elements of before and some of after; set_data exchanges them all at once."""

def assign_add(variable: Tensor, value: _Operand) -> Tensor:
    """Adds value to a Parameter of the same shape, where () and (1,) count as one, in the Parameter's dtype."""

def assign_sub(variable: Tensor, value: _Operand) -> Tensor:
    """Takes value from a Parameter of the same shape, where () and (1,) count as one, in the Parameter's dtype."""

def atan(input: _TensorLike) -> Tensor:
    """The arc tangent in radians. Integers give float32."""

def atan2(input: _Operand, other: _Operand) -> Tensor:
    """The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of zero as in C. Integers give float32."""

def atanh(input: _TensorLike) -> Tensor:
    """The inverse hyperbolic tangent; infinite at 1, NaN beyond. Integers give float32."""

def atleast_1d(inputs: Any) -> Any:
    """With at least 1 axes: one for a number. Several Tensors one by one. Views."""

def atleast_2d(inputs: Any) -> Any:
    """With at least 2 axes: a new one in front of it. Several Tensors one by one. Views."""

def atleast_3d(inputs: Any) -> Any:
    """With at least 3 axes: new ones around it, or one behind two. Several Tensors one by one. Views."""

def attention(query: _TensorLike, key: _TensorLike, value: _TensorLike, mask: _TensorLike | None = None, scale: float = 1.0, divide: bool = False, causal: bool = False, fill: float = ...) -> Tensor:
    """softmax(query @ key' * scale) @ value for each head: `query` is (..., heads, length, depth), `key` (..., groups, keys, depth), `value` (..., groups, keys, width), and a group serves heads / groups heads in a row; of two dimensions there is one head. With `divide` the scores are divided by `scale`. `mask` broadcasts to the scores: a bool one sets them to `fill` where it is true, another is added. `causal` adds -inf where the key is behind the query. Scores are not kept, neither for the gradient."""

def augassign_add(x: Any, y: Any) -> Any:
    """x + y."""

def augassign_div(x: Any, y: Any) -> Any:
    """x / y."""

def augassign_floordiv(x: Any, y: Any) -> Any:
    """x // y."""

def augassign_mod(x: Any, y: Any) -> Any:
    """x % y."""

def augassign_mul(x: Any, y: Any) -> Any:
    """x * y."""

def augassign_sub(x: Any, y: Any) -> Any:
    """x - y."""

def avg_pool1d(input_x: _TensorLike, kernel_size: int | Sequence[int] = (1,), stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), ceil_mode: bool = False, count_include_pad: bool = True) -> Tensor:
    """The mean of each window, whose padding counts unless `count_include_pad` is False; or its sum over `divisor_override`. `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`)."""

def avg_pool2d(input_x: _TensorLike, kernel_size: int | Sequence[int] = (1,), stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0) -> Tensor:
    """The mean of each window, whose padding counts unless `count_include_pad` is False; or its sum over `divisor_override`. `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`)."""

def avg_pool3d(input_x: _TensorLike, kernel_size: int | Sequence[int] = (1,), stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0) -> Tensor:
    """The mean of each window, whose padding counts unless `count_include_pad` is False; or its sum over `divisor_override`. `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`)."""

def baddbmm(input: _TensorLike, batch1: _TensorLike, batch2: _TensorLike, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
    """beta * input + alpha * (batch1 @ batch2), of two batches of matrices, (b, n, k) and (b, k, m)."""

def baddbmm_ext(input: _TensorLike, batch1: _TensorLike, batch2: _TensorLike, *, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
    """beta * input + alpha * (batch1 @ batch2), of two batches of matrices, (b, n, k) and (b, k, m)."""

def bartlett_window(window_length: Any, periodic: bool = True, *, dtype: _DType | None = None) -> Any:
    """Bartlett's window, a triangle: 1 - abs(2 n / N - 1)."""

def batch_dot(x1: _TensorLike, x2: _TensorLike, axes: int | Sequence[int] | None = None) -> Any:
    """For each position along the first axis of both the sum of products over an axis of each."""

def batch_norm(input_x: _TensorLike, running_mean: _TensorLike, running_var: _TensorLike, weight: _TensorLike, bias: _TensorLike, training: bool = False, momentum: float = 0.1, eps: float = 1e-05) -> Tensor:
    """(input_x - mean) / sqrt(var + eps) * weight + bias per channel, with the batch's own statistics when training, else with the running ones. These are not updated here."""

def batch_to_space_nd(input_x: _TensorLike, block_shape: int | Sequence[int], crops: Any) -> Any:
    """The inverse of space_to_batch_nd."""

def bernoulli(input: _TensorLike, p: _Operand = 0.5, seed: int | None = None) -> Any:
    """1 with probability p, else 0, in input's shape and dtype."""

def bernoulli_(input: _TensorLike, p: _Operand = 0.5, *, generator: Any = None) -> Tensor:
    """1 with probability p, else 0: whether u < p, where u are those of rand() in input's shape.

    It is written into input, which is returned.
    """

def bernoulli_ext(input: _TensorLike, *, generator: Any = None) -> Any:
    """1 where a random number of [0, 1) is below input's element, the probability, else 0; in input's dtype."""

def bessel_i0(x: _TensorLike) -> Tensor:
    """The modified Bessel function of the first kind, of order 0. Integers give float32."""

def bessel_i0e(x: _TensorLike) -> Tensor:
    """e^-|input| times the modified Bessel function of the first kind, of order 0. Integers give float32."""

def bessel_i1(x: _TensorLike) -> Tensor:
    """The modified Bessel function of the first kind, of order 1. Integers give float32."""

def bessel_i1e(x: _TensorLike) -> Tensor:
    """e^-|input| times the modified Bessel function of the first kind, of order 1. Integers give float32."""

def bessel_j0(x: _TensorLike) -> Tensor:
    """The Bessel function of the first kind, of order 0. Integers give float32."""

def bessel_j1(x: _TensorLike) -> Tensor:
    """The Bessel function of the first kind, of order 1. Integers give float32."""

def bessel_k0(x: _TensorLike) -> Tensor:
    """The modified Bessel function of the second kind, of order 0: infinite at 0, NaN below. Integers give float32."""

def bessel_k0e(x: _TensorLike) -> Tensor:
    """e^input times the modified Bessel function of the second kind, of order 0. Integers give float32."""

def bessel_k1(x: _TensorLike) -> Tensor:
    """The modified Bessel function of the second kind, of order 1: infinite at 0, NaN below. Integers give float32."""

def bessel_k1e(x: _TensorLike) -> Tensor:
    """e^input times the modified Bessel function of the second kind, of order 1. Integers give float32."""

def bessel_y0(x: _TensorLike) -> Tensor:
    """The Bessel function of the second kind, of order 0: -inf at 0, NaN below. Integers give float32."""

def bessel_y1(x: _TensorLike) -> Tensor:
    """The Bessel function of the second kind, of order 1: -inf at 0, NaN below. Integers give float32."""

def bias_add(input_x: _TensorLike, bias: _TensorLike, data_format: str = 'NCHW') -> Tensor:
    """Adds one element of `bias` to each channel: axis 1 for the formats 'NCHW' and 'NCDHW', the last for 'NHWC'."""

def bidense(input1: _TensorLike, input2: _TensorLike, weight: _TensorLike, bias: _Operand | None = None) -> Any:
    """input1 @ weight[o] @ input2 + bias[o] for each output o."""

def binary_cross_entropy(logits: _TensorLike, labels: _TensorLike, weight: _TensorLike | None = None, reduction: str = 'mean') -> Any:
    """-weight * (labels * log(logits) + (1 - labels) * log(1 - logits)), where logarithms are at least -100."""

def binary_cross_entropy_with_logits(input: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, pos_weight: _TensorLike | None = None, reduction: str = 'mean') -> Any:
    """The binary cross entropy of sigmoid(input), without computing that first."""

def bincount(input: _TensorLike, weights: _TensorLike | None = None, minlength: int = 0) -> Any:
    """How often each integer from 0 to the largest element is there, as float32, or the sums of their weights."""

def bitwise_and(input: _Operand, other: _Operand) -> Tensor:
    """input & other, elementwise with broadcasting. Floats are a TypeError."""

def bitwise_left_shift(input: _Operand, other: _Operand) -> Tensor:
    """input * 2^other of integers, elementwise with broadcasting, without the bits that leave the dtype; 0 if other is negative or no less than the number of bits."""

def bitwise_not(input: _TensorLike) -> Tensor:
    """~x: the complement of every bit; of bools the negation. Floats are a TypeError."""

def bitwise_or(input: _Operand, other: _Operand) -> Tensor:
    """input | other, elementwise with broadcasting. Floats are a TypeError."""

def bitwise_right_shift(input: _Operand, other: _Operand) -> Tensor:
    """input / 2^other of integers, rounded down, elementwise with broadcasting; 0 or -1, as the sign is, if other is negative or no less than the number of bits."""

def bitwise_xor(input: _Operand, other: _Operand) -> Tensor:
    """input ^ other, elementwise with broadcasting. Floats are a TypeError."""

def blackman_window(window_length: Any, periodic: bool = True, *, dtype: _DType | None = None) -> Any:
    """Blackman's window: 0.42 - 0.5 cos(2 pi n / N) + 0.08 cos(4 pi n / N)."""

def block_diag(*inputs: Any) -> Any:
    """Matrices along the diagonal of one, with zeros elsewhere."""

def bmm(input_x: _TensorLike, mat2: _TensorLike) -> Tensor:
    """The products of two batches of matrices."""

def bool_and(x: Any, y: Any) -> Any:
    """x and y."""

def bool_eq(x: Any, y: Any) -> Any:
    """x == y."""

def bool_not(x: Any) -> Any:
    """not x."""

def bool_or(x: Any, y: Any) -> Any:
    """x or y."""

def bounding_box_decode(anchor_box: _TensorLike, deltas: _TensorLike, max_shape: Any, means: Any = (0.0, 0.0, 0.0, 0.0), stds: Any = (1.0, 1.0, 1.0, 1.0), wh_ratio_clip: float = 0.016) -> Any:
    """The boxes (N, 4) that deltas (N, 4) tell of, given anchors (N, 4): the inverse of bounding_box_encode(), within
    images.
    """

def bounding_box_encode(anchor_box: _TensorLike, groundtruth_box: _TensorLike, means: Any = (0.0, 0.0, 0.0, 0.0), stds: Any = (1.0, 1.0, 1.0, 1.0)) -> Any:
    """What regression is to tell of boxes of pixels (N, 4), given anchors (N, 4): the middle's distance in widths and
    heights of the anchor, and the logarithms of ratios of sizes.

    Method: R. Girshick et al., Rich feature hierarchies for accurate object detection and semantic segmentation (2014).
    """

def broadcast_to(input: _TensorLike, shape: int | Sequence[int]) -> Tensor:
    """Stretches axes of size one, and adds axes in front. A size of -1 keeps the operand's. A view."""

def bucketize(input: _TensorLike, boundaries: Any, *, right: bool = False) -> Any:
    """The index (int32) of the interval that each element lies in."""

def cartesian_prod(*inputs: Any) -> Any:
    """All combinations of one element of each input, as rows, those of the last input changing the fastest."""

def cast(input: _TensorLike, dtype: _DType) -> Tensor:
    """input in another dtype. Floats become integers by truncation (out of range as NumPy does on x86), integers wrap, to bool is `!= 0`, and the half types are rounded to nearest even."""

def cat(tensors: Sequence[_TensorLike], axis: int = 0) -> Tensor:
    """Joins tensors along an axis. All other sizes must agree; dtypes promote to their common one."""

def cdist(x1: _TensorLike, x2: _TensorLike, p: float = 2.0) -> Any:
    """The distances of order p of each of n vectors, (..., n, k), from each of m, (..., m, k)."""

def ceil(input: _TensorLike) -> Tensor:
    """Rounds up to an integer, in the dtype of input."""

def celu(x: _TensorLike, alpha: float = 1.0) -> Any:
    """x where it is positive, else alpha * (exp(x / alpha) - 1) (Barron, 2017)."""

def channel_shuffle(x: _TensorLike, groups: int) -> Any:
    """Channels (the second axis) in the order of their place within groups, so that groups mix.

    ShuffleNet's, of Zhang et al. (2018).
    """

def check_valid(bboxes: _TensorLike, img_metas: _TensorLike) -> Any:
    """Whether boxes (N, 4) lie within an image (bool, N)."""

def choice_with_mask(input_x: _TensorLike, count: int = 256, seed: int | None = None) -> Any:
    """(positions of true elements (int32, (count, axes)), which rows are such (bool)), in random order, none twice.

    Where there are less than count, zeros follow; a count of 0 gives all.
    """

def cholesky(input_x: _TensorLike, upper: bool = False) -> Any:
    """L with a positive diagonal, for which L L^H is the input, or L^H."""

def cholesky_inverse(input_x: _TensorLike, upper: bool = False) -> Any:
    """The inverse of a matrix by its Cholesky factor: of L L^H, or with upper of U^H U."""

def cholesky_solve(input: _TensorLike, input2: _TensorLike, upper: bool = False) -> Any:
    """The x for which A x = input, of A by its Cholesky factor."""

def chunk(input: _TensorLike, chunks: int, axis: int = 0) -> tuple[Any, ...]:
    """At most `chunks` pieces of one size along an axis; the last may be smaller. Views."""

def clamp(input: _Operand, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
    """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError."""

def clamp_(input: _Operand, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
    """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError.

    It is written into input, which is returned.
    """

def clip(input: _Operand, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
    """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError."""

def clip_by_global_norm(x: Any, clip_norm: _Operand = 1.0, use_norm: Any = None) -> Any:
    """x, scaled down where the norm of all its elements is above clip_norm, a tuple (Pascanu et al., 2013)."""

def clip_by_norm(x: Any, max_norm: _Operand, norm_type: _Operand = 2.0, error_if_nonfinite: bool = False) -> Any:
    """x, scaled down where the norm of all its elements is above max_norm (Pascanu et al., 2013)."""

def clip_by_value(x: Any, clip_value_min: _Operand | None = None, clip_value_max: _Operand | None = None) -> Any:
    """x, but at least clip_value_min and at most clip_value_max; a tuple or list item by item."""

def coalesce(x_indices: _TensorLike, x_values: _TensorLike, x_shape: _TensorLike) -> Any:
    """(the coordinates that differ in row-major order, the sum of the values at each, x_shape): a sparse Tensor without
    duplicates.
    """

def col2im(input_x: _TensorLike, output_size: Any, kernel_size: int | Sequence[int], dilation: int | Sequence[int], padding_value: int | Sequence[int], stride: int | Sequence[int]) -> Any:
    """The images (N, C, H, W) in which windows are summed, given as (N, C, kernel's size, windows). See fold."""

def column_stack(tensors: Any) -> Any:
    """Joined along the second axis, with one axis, or none, as columns."""

def combinations(input: _TensorLike, r: int = 2, with_replacement: bool = False) -> Any:
    """All ways to choose r elements, as rows, in the order of their positions."""

def complex(real: _Operand, imag: _Operand) -> Tensor:
    """real + imag * i, elementwise with broadcasting: complex128 of float64, else complex64. Complex operands are a TypeError."""

def concat(tensors: Sequence[_TensorLike], axis: int = 0) -> Tensor:
    """Joins tensors along an axis. All other sizes must agree; dtypes promote to their common one."""

def cond(A: _TensorLike, p: Any = None) -> Any:
    """The condition number of matrices for a norm: that of the matrix times that of its inverse."""

def conj(input: _TensorLike) -> Tensor:
    """The complex conjugate, re - im * i; of real numbers themselves."""

def conv1d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), pad_mode: str = 'valid', padding: int | Sequence[int] = (0,), dilation: int | Sequence[int] = (1,), groups: int = 1) -> Tensor:
    """Convolution of input (N, C, W) with weight (OC, C / groups, KW). `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`)."""

def conv2d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), pad_mode: str = 'valid', padding: int | Sequence[int] = (0,), dilation: int | Sequence[int] = (1,), groups: int = 1) -> Tensor:
    """Convolution of images (N, C, H, W) with weights (OC, C / groups, KH, KW). `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`, of rows and columns)."""

def conv3d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), pad_mode: str = 'valid', padding: int | Sequence[int] = (0,), dilation: int | Sequence[int] = (1,), groups: int = 1) -> Tensor:
    """Convolution of volumes (N, C, D, H, W) with weights (OC, C / groups, KD, KH, KW). `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`, of each axis)."""

def conv3d_transpose(inputs: _TensorLike, weight: _TensorLike, pad_mode: str = 'valid', padding: int | Sequence[int] = (0,), stride: int | Sequence[int] = (1,), dilation: int | Sequence[int] = (1,), group: int = 1, output_padding: int | Sequence[int] = (0,)) -> Tensor:
    """Transposed convolution of volumes (N, C, D, H, W) with weights (C, OC / groups, KD, KH, KW): the gradient of the input of the convolution with those weights. `padding` is cut from the result; `output_padding` leaves more of it at the end. `pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times stride)."""

def conv_transpose1d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), output_padding: int | Sequence[int] = (0,), groups: int = 1, dilation: int | Sequence[int] = (1,)) -> Tensor:
    """Transposed convolution of input (N, C, W) with weight (C, OC / groups, KW): the gradient of the input of the convolution with that weight. `padding` is cut from the result; `output_padding` leaves more of it at the end. `pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times stride)."""

def conv_transpose2d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), output_padding: int | Sequence[int] = (0,), groups: int = 1, dilation: int | Sequence[int] = (1,)) -> Tensor:
    """Transposed convolution of images (N, C, H, W) with weights (C, OC / groups, KH, KW): the gradient of the input of the convolution with those weights. `padding` is cut from the result; `output_padding` leaves more of it at the end. `pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times stride)."""

def conv_transpose3d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), output_padding: int | Sequence[int] = (0,), groups: int = 1, dilation: int | Sequence[int] = (1,)) -> Tensor:
    """Transposed convolution of volumes (N, C, D, H, W) with weights (C, OC / groups, KD, KH, KW): the gradient of the input of the convolution with those weights. `padding` is cut from the result; `output_padding` leaves more of it at the end. `pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times stride)."""

def copysign(x: _Operand, other: _Operand) -> Tensor:
    """|x| with the sign of other, that of zeros and NaN too, elementwise with broadcasting. Integers give float32."""

def cos(input: _TensorLike) -> Tensor:
    """The cosine of radians of any size. Integers give float32."""

def cosh(input: _TensorLike) -> Tensor:
    """The hyperbolic cosine. Integers give float32."""

def cosine_embedding_loss(input1: _TensorLike, input2: _TensorLike, target: _TensorLike, margin: float = 0.0, reduction: str = 'mean') -> Any:
    """With c the cosine between two vectors, 1 - c where target is 1, max(0, c - margin) where it is -1."""

def cosine_similarity(x1: _TensorLike, x2: _TensorLike, dim: int = 1, eps: float = 1e-08) -> Any:
    """The cosines of the angles between vectors along an axis: x1 x2 / max(|x1| |x2|, eps)."""

def count_nonzero(x: _TensorLike, axis: int | Sequence[int] | None = (), keep_dims: bool = False, dtype: _DType = ...) -> Any:
    """How many elements are not 0, over axes; over all if there are none. NaN is not 0."""

def cov(input: _TensorLike, *, correction: int = 1, fweights: _TensorLike | None = None, aweights: _TensorLike | None = None) -> Any:
    """The covariance matrix of variables, which are the rows of input and whose samples its columns."""

def crop_and_resize(image: _TensorLike, boxes: _TensorLike, box_indices: _TensorLike, crop_size: Any, method: str = 'bilinear', extrapolation_value: float = 0.0) -> Any:
    """Crops of images (N, H, W, C), resized to one size: (K, height, width, C). float64 of float64, else float32."""

def cross(input: _TensorLike, other: _TensorLike, dim: int | None = None) -> Any:
    """The cross products of vectors along an axis of size 3, after broadcasting."""

def cross_entropy(input: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, ignore_index: int = -100, reduction: str = 'mean', label_smoothing: float = 0.0) -> Tensor:
    """The loss of `log_softmax(input)` against `target`: class indices (int32 or int64), or probabilities of the shape and dtype of `input`."""

def ctc_greedy_decoder(inputs: _TensorLike, sequence_length: _TensorLike, merge_repeated: bool = True) -> Any:
    """The most probable class of each input as labels: (indices (K, 2), labels (K), (sequences, labels at most), -log (N,
    1)).

    An index is the sequence's number and that of the label in it; all are int64. The last class stands for no label.
    """

def ctc_loss(log_probs: _TensorLike, targets: _TensorLike, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: str = 'mean', zero_infinity: bool = False) -> Any:
    """(loss, logarithms of forward variables (N, T, 2 S + 1)): -log of the probability of labels that are not aligned."""

def cummax(input: _TensorLike, axis: int) -> tuple[Tensor, Tensor]:
    """The largest of all elements up to each along an axis, and its index (int64): of equals, and of NaN, which prevails, the last."""

def cummin(input: _TensorLike, axis: int) -> Any:
    """(the smallest of all elements up to each along an axis, its position, as int32); of equals the last."""

def cumprod(input: _TensorLike, dim: int, dtype: _DType | None = None) -> Any:
    """The products of all elements up to each along an axis, one after the other."""

def cumsum(x: _TensorLike, axis: int, dtype: _DType | None = None) -> Tensor:
    """Sums of all elements up to each along an axis, one after the other, in dtype (None: the operand's)."""

def deepcopy(input_x: _TensorLike) -> Any:
    """A copy with memory of its own."""

def deformable_conv2d(x: _TensorLike, weight: _TensorLike, offsets: _TensorLike, kernel_size: int | Sequence[int], strides: int | Sequence[int], padding: int | Sequence[int], bias: _TensorLike | None = None, dilations: int | Sequence[int] = (1, 1, 1, 1), groups: int = 1, deformable_groups: int = 1, modulated: bool = True) -> Any:
    """Convolution of images (N, C, H, W) with weights (O, C / groups, *kernel_size) over points that are moved by offsets.

    Method: X. Zhu et al., Deformable ConvNets v2: more deformable, better results (2019).
    """

def deg2rad(x: _TensorLike) -> Any:
    """Degrees in radians. Integers give float32."""

def dense(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None) -> Tensor:
    """input @ weight.T + bias, where `weight` is (outputs, inputs), or (inputs,)."""

def depend(value: Any, expr: Any) -> Any:
    """Answers value; effects before it stay before what uses it, as they do anyway."""

def det(input: _TensorLike) -> Any:
    """The determinants of matrices, by LU factorisation (LAPACK). Singular ones have a gradient too."""

def diag(input: _TensorLike) -> Any:
    """The Tensor of twice the axes that has the input's elements where their indices repeat, and zeros elsewhere."""

def diag_embed(input: _TensorLike, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """The last axis as a diagonal of matrices that lie along two axes of the result, with zeros elsewhere."""

def diagflat(input: _TensorLike, offset: int = 0) -> Any:
    """The matrix with all elements as a diagonal, and zeros elsewhere."""

def diagonal(input: _TensorLike, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The diagonal of the matrices that two axes are, `offset` columns to the right, as the last axis. A view."""

def diagonal_scatter(input: _TensorLike, src: _TensorLike, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """input with a diagonal replaced."""

def dict_getitem(x: Any, key: Any) -> Any:
    """The value of a key."""

def dict_setitem(x: Any, key: Any, value: Any) -> Any:
    """A copy with another value of a key."""

def diff(x: _Operand, n: int = 1, axis: int = -1, prepend: _Operand | None = None, append: _Operand | None = None) -> Any:
    """The differences of neighbours along an axis, n times; of bools whether they differ."""

def diff_ext(input: _Operand, n: int = 1, dim: int = -1, prepend: _Operand | None = None, append: _Operand | None = None) -> Any:
    """The differences of neighbours along an axis, n times; of bools whether they differ."""

def digamma(input: _TensorLike) -> Tensor:
    """psi(input), the derivative of lgamma: infinite at 0, NaN at integers below. Integers give float32."""

def dist(input: _TensorLike, other: _TensorLike, p: float = 2) -> Any:
    """The norm of order p of input - other, as of a vector. The shapes broadcast."""

@overload
def div(input: _Operand, other: _Operand) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

@overload
def div(input: _Operand, other: _Operand, *, rounding_mode: str | None = None) -> Any:
    """input / other, elementwise with broadcasting."""

@overload
def divide(input: _Operand, other: _Operand) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

@overload
def divide(input: _Operand, other: _Operand, *, rounding_mode: str | None = None) -> Any:
    """input / other, elementwise with broadcasting."""

def dot(input: _TensorLike, other: _TensorLike) -> Any:
    """The sum of products over the last axis of input and the last but one of other, or its only one.

    With an operand without axes the product of both.
    """

def dropout(input: _TensorLike, p: float = 0.5, training: bool = True, seed: int | None = None) -> Tensor:
    """While training, zeros with probability p and input / (1 - p) elsewhere; else the input itself."""

def dropout1d(input: _TensorLike, p: float = 0.5, training: bool = True) -> Any:
    """Zeroes whole channels with probability p while training, and scales the others by 1 / (1 - p).

    Source: J. Tompson et al., "Efficient object localization using convolutional networks" (2015).
    """

def dropout2d(input: _TensorLike, p: float = 0.5, training: bool = True) -> Any:
    """Zeroes whole channels with probability p while training, and scales the others by 1 / (1 - p).

    Source: J. Tompson et al., "Efficient object localization using convolutional networks" (2015).
    """

def dropout3d(input: _TensorLike, p: float = 0.5, training: bool = True) -> Any:
    """Zeroes whole channels with probability p while training, and scales the others by 1 / (1 - p).

    Source: J. Tompson et al., "Efficient object localization using convolutional networks" (2015).
    """

def dsplit(input: _TensorLike, indices_or_sections: int | Sequence[int]) -> Any:
    """Pieces along axis 2. Views."""

def dstack(tensors: Any) -> Any:
    """Joined along the third axis, which those of fewer axes get."""

def dtype(x: _TensorLike) -> Any:
    """The dtype."""

def dyn_shape(input_x: _TensorLike) -> Any:
    """The shape as a Tensor of int64."""

def eig(A: _TensorLike) -> Any:
    """(eigenvalues in no order, eigenvectors of length 1 as columns) of square matrices; both are complex.

    By the QR algorithm (LAPACK). Gradients are those of what does not depend on the vectors' phases.
    """

def eigvals(A: _TensorLike) -> Any:
    """The eigenvalues of square matrices in no order, which are complex. See eig."""

def einsum(equation: str, *operands: Any) -> Any:
    """Sums of products of elements, by labels of axes: "ij,jk->ik" is the product of two matrices."""

def einsum_ext(equation: str, *operands: Any) -> Any:
    """Sums of products of elements, by labels of axes: "ij,jk->ik" is the product of two matrices."""

def elu(input_x: _TensorLike, alpha: float = 1.0) -> Any:
    """input where it is positive, else alpha * (exp(input) - 1) (Clevert et al., 2016)."""

def embedding(input: _TensorLike, weight: _TensorLike, padding_idx: int | None = None, max_norm: _Operand | None = None, norm_type: _Operand = 2.0, scale_grad_by_freq: bool = False) -> Any:
    """The rows of a table that numbers name."""

def eps(x: _TensorLike) -> Any:
    """The distance from 1 to the next number of x's dtype, in x's shape."""

def eq(input: _Operand, other: _Operand) -> Tensor:
    """Whether input equals other, elementwise with broadcasting. NaN equals nothing."""

def equal(input: _Operand, other: _Operand) -> Tensor:
    """Whether input equals other, elementwise with broadcasting. NaN equals nothing."""

def erf(input: _TensorLike) -> Tensor:
    """The error function, within 1.5 ulp. Integers give float32."""

def erfc(input: _TensorLike) -> Tensor:
    """1 - erf(input), exact where that is small. Integers give float32."""

def erfinv(input: _TensorLike) -> Tensor:
    """The inverse of erf: infinite at 1, NaN beyond. Integers give float32."""

def erfinv_(input: _TensorLike) -> Tensor:
    """The inverse of erf: infinite at 1, NaN beyond. Integers give float32.

    It is written into input, which is returned.
    """

def exp(input: _TensorLike) -> Tensor:
    """e to the power of input, within 1 ulp. Integers give float32."""

def exp2(input: _TensorLike) -> Tensor:
    """2 to the power of input. Integers give float32."""

def expand(input_x: _TensorLike, size: int | Sequence[int]) -> Any:
    """Repeated along axes of size 1, and along new ones in front; -1 keeps a size. A view, which cannot be written."""

def expand_as(input: _TensorLike, other: _TensorLike) -> Any:
    """Repeated along axes of size 1 to the shape of other. A view."""

def expand_dims(input_x: _TensorLike = ..., axis: int = ..., *, input: _TensorLike = ..., dim: int = ...) -> Tensor:
    """Inserts an axis of size one. A view."""

def expm1(input: _TensorLike) -> Tensor:
    """exp(input) - 1, also exact near zero. Integers give float32."""

def exponential_(input: _TensorLike, lambd: float = 1.0, *, generator: Any = None) -> Tensor:
    """Random numbers of density lambd * exp(-lambd * x): -log1p(-u) / lambd, where u are those of rand().

    It is written into input, which is returned.
    """

def eye(n: int, m: int | None = None, dtype: _DType | None = None) -> Tensor:
    """Ones on the diagonal of an n x m (None: n x n) matrix of zeros."""

def fast_gelu(x: _TensorLike) -> Any:
    """x * sigmoid(1.702 * x) (Hendrycks and Gimpel, 2016)."""

def fft(input: _TensorLike, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The discrete Fourier transform along an axis: sum over j of input[j] exp(-2 pi i j k / n).

    Computed by mixed radices (Cooley and Tukey 1965), lengths with large prime factors by a convolution (Bluestein 1970).
    """

def fft2(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """fft along two axes, cut or filled up to the sizes s."""

def fftfreq(n: int, d: float = 1.0, dtype: _DType | None = None) -> Any:
    """The frequencies of the numbers that fft gives, 0, 1, ..., -2, -1 over n d, in cycles per unit of the distance d."""

def fftn(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] | None = None, norm: str | None = None) -> Any:
    """fft along several axes: all, or the last ones that s has sizes for."""

def fftshift(input: _TensorLike, dim: int | Sequence[int] | None = None) -> Any:
    """The elements along all or the given axes turned by half, so that frequency 0 stands in the middle."""

def fill(type: _DType | None = None, shape: int | Sequence[int] = ..., value: _Operand = ...) -> Any:
    """A Tensor of one value, converted to dtype: if None, float32 for a float, bool for a bool, int64 for an int."""

def fills(x: _TensorLike, value: _Operand) -> Tensor:
    """One value in input's shape, and its dtype unless another is given."""

def flash_attention_score(query: _TensorLike, key: _TensorLike, value: _TensorLike, head_num: int, real_shift: _TensorLike | None = None, drop_mask: _TensorLike | None = None, padding_mask: _TensorLike | None = None, attn_mask: _TensorLike | None = None, prefix: int | Sequence[int] | None = None, actual_seq_qlen: int | Sequence[int] | None = None, actual_seq_kvlen: int | Sequence[int] | None = None, keep_prob: float = 1.0, scalar_value: float = 1.0, pre_tokens: int = 2147483647, next_tokens: int = 2147483647, inner_precise: int = 0, input_layout: str = 'BSH', sparse_mode: int = 0) -> Tensor:
    """Attention of `head_num` heads, in the layouts 'BSH', 'SBH', 'BNSD' and 'BSND', any floating-point dtype; the heads of key and value divide those of query. Scores are query @ key' * `scalar_value` + `real_shift`, and -inf where `attn_mask` (bool or uint8) is true or the key is outside of `pre_tokens` and `next_tokens`, counted from the query, which takes an attn_mask. `sparse_mode` 1 takes attn_mask alone; 2, 3 and 4 make the mask: keys up to the query's, the same with the last query and key aligned, and the tokens so aligned. There is no dropout: drop_mask and the parameters of packed sequences must be None. Like attention it stores no scores."""

def flatten(input: _TensorLike, order: str = 'C', *, start_dim: int = 1, end_dim: int = -1) -> Tensor:
    """Joins the axes start_dim to end_dim into one. order 'F' first reverses the axes after the first."""

def flip(input: _TensorLike, dims: int | Sequence[int] = ..., *, axis: int | Sequence[int] = ...) -> Tensor:
    """Reverses the order of elements along the given axes."""

def fliplr(input: _TensorLike) -> Any:
    """The second axis in reverse order."""

def flipud(input: _TensorLike) -> Any:
    """The first axis in reverse order."""

def float_power(input: _Operand, exponent: _Operand) -> Any:
    """input to the power of exponent in float64, or complex128 where one is complex, elementwise with broadcasting."""

def float_power_ext(input: _Operand, exponent: _Operand) -> Any:
    """input to the power of exponent in float64, or complex128 where one is complex, elementwise with broadcasting."""

def floor(input: _TensorLike) -> Tensor:
    """Rounds down to an integer, in the dtype of input."""

def floor_div(x: _Operand, y: _Operand) -> Tensor:
    """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def floor_divide(input: _Operand, other: _Operand) -> Tensor:
    """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def floor_mod(x: _Operand, y: _Operand) -> Tensor:
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def floordiv(input: _Operand, other: _Operand) -> Tensor:
    """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def floormod(x: _Operand, y: _Operand) -> Tensor:
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def fma(input: _Operand, factor: _Operand, term: _Operand) -> Tensor:
    """input * factor + term, rounded once."""

def fmax(input: _Operand, other: _Operand) -> Tensor:
    """The larger of input and other, elementwise with broadcasting; NaN only where both are."""

def fmin(input: _Operand, other: _Operand) -> Tensor:
    """The smaller of input and other, elementwise with broadcasting; NaN only where both are."""

def fmod(input: _Operand, other: _Operand) -> Tensor:
    """input - other * trunc(input / other), exactly, elementwise with broadcasting: the remainder that has the sign of input. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def fold(input: _TensorLike, output_size: Any, kernel_size: int | Sequence[int], dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1) -> Any:
    """The images (N, C, H, W) in which windows are summed, given as columns (N, C * kernel's size, windows), or without N."""

def foreign_call(operands: Sequence[_TensorLike], library: str, symbol: str, signature: str, backward: str = '') -> tuple[Tensor, ...]:
    """Calls a C function of a shared library. The signature names dtypes and sizes, as in 'float32[n], float32[n] -> float32[n]': operands and results with sizes are pointers, those without are values, and named sizes follow as int64_t. The function is called for each index of axes that are named in braces, 'float64{n} -> float64', and so for each element under vmap. The library is loaded by the first call. `backward` is the symbol of its gradient: its operands are the function's, the results and their cotangents, its results the gradients of the floating operands, 'float32[n], float32[n], float32[n], float32[n] -> float32[n], float32[n]', as pointers but for one of one operand by value. Without it, asking for a gradient is a TypeError, unless the call stands in the construct of a Cell with a bprop."""

def frac(x: _TensorLike) -> Any:
    """x less x rounded toward zero: the part with its sign behind the point; of integers zeros."""

def fractional_max_pool2d(input: _TensorLike, kernel_size: int | Sequence[int], output_size: int | Sequence[int] | None = None, output_ratio: Any = None, return_indices: bool = False, _random_samples: _TensorLike | None = None) -> Any:
    """The largest elements of windows whose distances are random, but have a given mean (Graham, 2014)."""

def fractional_max_pool3d(input: _TensorLike, kernel_size: int | Sequence[int], output_size: int | Sequence[int] | None = None, output_ratio: Any = None, return_indices: bool = False, _random_samples: _TensorLike | None = None) -> Any:
    """The largest elements of windows whose distances are random, but have a given mean (Graham, 2014)."""

def full(size: Any, fill_value: _Operand, *, dtype: _DType | None = None) -> Any:
    """A Tensor of one value, converted to dtype: int64 if that is None."""

def full_like(input: _TensorLike, fill_value: _Operand, *, dtype: _DType | None = None) -> Tensor:
    """One value in input's shape, and its dtype unless another is given."""

def fused_infer_attention_score(query: _TensorLike, key: Any, value: Any, *, pse_shift: _TensorLike | None = None, atten_mask: _TensorLike | None = None, actual_seq_lengths: Any = None, actual_seq_lengths_kv: Any = None, dequant_scale1: Any = None, quant_scale1: Any = None, dequant_scale2: Any = None, quant_scale2: Any = None, quant_offset2: Any = None, antiquant_scale: Any = None, antiquant_offset: Any = None, key_antiquant_scale: Any = None, key_antiquant_offset: Any = None, value_antiquant_scale: Any = None, value_antiquant_offset: Any = None, block_table: Any = None, query_padding_size: Any = None, kv_padding_size: Any = None, key_shared_prefix: Any = None, value_shared_prefix: Any = None, actual_shared_prefix_len: Any = None, num_heads: int = 1, scale: float = 1.0, pre_tokens: int = 2147483647, next_tokens: int = 2147483647, input_layout: str = 'BSH', num_key_value_heads: int = 0, sparse_mode: int = 0, inner_precise: int = 1, block_size: int = 0, antiquant_mode: int = 0, key_antiquant_mode: int = 0, value_antiquant_mode: int = 0, softmax_lse_flag: bool = False) -> Any:
    """(prompt_flash_attention() of these arguments, zeros of shape (1,))."""

def gamma(shape: int | Sequence[int], alpha: _Operand, beta: _Operand, seed: int | None = None) -> Any:
    """Random numbers of density beta ** alpha * x ** (alpha - 1) * exp(-beta * x) / gamma(alpha)."""

def gather(input_params: _TensorLike, input_indices: _TensorLike, axis: int, batch_dims: int = 0) -> Tensor:
    """Slices of input_params at input_indices along an axis. The first batch_dims axes of both are walked together."""

def gather_d(x: _TensorLike = ..., dim: int = ..., index: _TensorLike = ..., *, input: _TensorLike = ...) -> Tensor:
    """For each position of `index` the element of x there, with `dim` replaced by the index."""

def gather_elements(input: _TensorLike, dim: int, index: _TensorLike) -> Tensor:
    """For each position of `index` the element of x there, with `dim` replaced by the index."""

def gather_nd(input_x: _TensorLike, indices: _TensorLike) -> Any:
    """The elements, or slices of other axes, that rows of indices name."""

def gaussian_nll_loss(x: _TensorLike, target: _TensorLike, var: _TensorLike, full: bool = False, eps: float = 1e-06, reduction: str = 'mean') -> Any:
    """(log(v) + (x - target)**2 / v) / 2 with v = max(var, eps): the negative log likelihood of a normal distribution
    (Nix and Weigend, 1994).
    """

def gcd(input: _Operand, other: _Operand) -> Tensor:
    """The greatest common divisor of integers, not negative, elementwise with broadcasting; of 0 and x it is |x|."""

def ge(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is at least other, elementwise with broadcasting."""

def gelu(input: _TensorLike, approximate: str = 'none') -> Tensor:
    """input times the normal distribution's cumulated density at input. approximate='tanh' computes it by tanh of a cubic, 'none' by erf; anything else is a ValueError."""

def geqrf(input: _TensorLike) -> Any:
    """(R on and above the diagonal, with Householder vectors below; their factors tau), as LAPACK packs them. See orgqr.

    Of its results there is no gradient; ops.qr has one.
    """

def ger(input: _TensorLike, vec2: _TensorLike) -> Any:
    """The products of each element of a vector with each of another, of shape (n, m)."""

def glu(x: _TensorLike, axis: int = -1) -> Any:
    """The first half along an axis times the sigmoid of the second (Dauphin et al., 2017)."""

def greater(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is greater than other, elementwise with broadcasting."""

def greater_equal(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is at least other, elementwise with broadcasting."""

def grid_sample(input: _TensorLike, grid: _TensorLike, mode: str = 'bilinear', padding_mode: str = 'zeros', align_corners: bool | None = None) -> Any:
    """Images (N, C, H, W) or volumes (N, C, D, H, W) read at points: (N, C, *points). NaN coordinates read zeros, or the
    start.

    Method: M. Jaderberg et al., Spatial transformer networks (2015).
    """

def group_norm(input: _TensorLike, num_groups: int, weight: _TensorLike | None = None, bias: _TensorLike | None = None, eps: float = 1e-05) -> Any:
    """(x - mean) / sqrt(variance + eps) * weight + bias with the statistics of groups of channels (Wu and He, 2018)."""

def gt(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is greater than other, elementwise with broadcasting."""

def gumbel_softmax(logits: _TensorLike, tau: float = 1.0, hard: bool = False, dim: int = -1) -> Any:
    """softmax of (logits + g) / tau, where g are random numbers of Gumbel's distribution (Jang et al., 2017)."""

def hamming_window(window_length: Any, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, *, dtype: _DType | None = None) -> Any:
    """Hamming's window: alpha - beta cos(2 pi n / N)."""

def hann_window(window_length: Any, periodic: bool = True, *, dtype: _DType | None = None) -> Any:
    """Hann's window: (1 - cos(2 pi n / N)) / 2."""

def hardshrink(input: _TensorLike, lambd: float = 0.5) -> Any:
    """input, but 0 within [-lambd, lambd]."""

def hardsigmoid(input: _TensorLike) -> Tensor:
    """min(max(input + 3, 0), 6) / 6."""

def hardswish(input: _TensorLike) -> Tensor:
    """input * min(max(input + 3, 0), 6) / 6."""

def hardtanh(input: _TensorLike, min_val: _Operand = -1.0, max_val: _Operand = 1.0) -> Any:
    """input, but at least min_val and at most max_val; its slope there is 0."""

def heaviside(input: _Operand, values: _Operand) -> Any:
    """0 where input is below zero, 1 above, values at zero, elementwise with broadcasting; NaN stays NaN."""

def hfft(input: _TensorLike, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """fft of n numbers that are Hermitian, of which the first n // 2 + 1 are given: n real numbers. See irfft."""

def hfft2(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """fft along the first of two axes, then hfft along the other."""

def hfftn(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] | None = None, norm: str | None = None) -> Any:
    """fft along several axes but the last of them, then hfft along that."""

def hinge_embedding_loss(inputs: _TensorLike, targets: _TensorLike, margin: float = 1.0, reduction: str = 'mean') -> Any:
    """inputs where targets are 1, max(0, margin - inputs) where they are -1."""

def histc(input: _TensorLike, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Any:
    """How many elements lie in each of some bins of one width, in the input's dtype. NaN lies in none."""

def hsplit(input: _TensorLike, indices_or_sections: int | Sequence[int]) -> Any:
    """Pieces along axis 1, or the only one. Views."""

def hstack(tensors: Any) -> Any:
    """Joined along the second axis, or what has one axis along that."""

def huber_loss(input: _TensorLike, target: _TensorLike, reduction: str = 'mean', delta: float = 1.0) -> Any:
    """With d = abs(input - target), d**2 / 2 below delta, else delta * (d - delta / 2) (Huber, 1964)."""

def hyper_add(x: Any, y: Any) -> Any:
    """The sums of two tuples or lists, item by item and into nested ones; of anything else x + y."""

def hypot(input: _Operand, other: _Operand) -> Tensor:
    """sqrt(input^2 + other^2) without overflow, elementwise with broadcasting. Integers give float32."""

def i0(input: _TensorLike) -> Tensor:
    """The modified Bessel function of the first kind, of order 0. Integers give float32."""

def ifft(input: _TensorLike, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The inverse of fft: sum over k of input[k] exp(2 pi i j k / n), times 1 / n (norm "backward"). See fft."""

def ifft2(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """ifft along two axes, cut or filled up to the sizes s."""

def ifftn(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] | None = None, norm: str | None = None) -> Any:
    """ifft along several axes: all, or the last ones that s has sizes for."""

def ifftshift(input: _TensorLike, dim: int | Sequence[int] | None = None) -> Any:
    """The inverse of fftshift."""

def igamma(input: _Operand, other: _Operand) -> Tensor:
    """The regularised lower incomplete gamma function P(input, other), elementwise with broadcasting; NaN below zero. Integers give float32."""

def igammac(input: _Operand, other: _Operand) -> Tensor:
    """The regularised upper incomplete gamma function Q(input, other) = 1 - P, elementwise with broadcasting; NaN below zero. Integers give float32."""

def ihfft(input: _TensorLike, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The inverse of hfft: the first n // 2 + 1 numbers of ifft of real ones. See rfft."""

def ihfft2(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """The inverse of hfft2."""

def ihfftn(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] | None = None, norm: str | None = None) -> Any:
    """The inverse of hfftn."""

def imag(input: _TensorLike) -> Any:
    """The imaginary part, a view; of real numbers zeros."""

def in_dict(x: Any, y: Any) -> Any:
    """Whether the dict y has a key x."""

def incre_flash_attention(query: _TensorLike, key: Any, value: Any, attn_mask: _TensorLike | None = None, actual_seq_lengths: Any = None, pse_shift: _TensorLike | None = None, dequant_scale1: Any = None, quant_scale1: Any = None, dequant_scale2: Any = None, quant_scale2: Any = None, quant_offset2: Any = None, antiquant_scale: Any = None, antiquant_offset: Any = None, block_table: Any = None, num_heads: int = 1, input_layout: str = 'BSH', scale_value: float = 1.0, num_key_value_heads: int = 0, block_size: int = 0, inner_precise: int = 1, kv_padding_size: Any = None) -> Any:
    """flash_attention_score of one position, the next after those of key and value."""

def index(input: _TensorLike, indices: Sequence[_TensorLike]) -> Any:
    """The elements at indices, a Tensor of integers or bools for each of the first axes, which broadcast."""

def index_add(x: _TensorLike, indices: _TensorLike, y: _TensorLike, axis: int, use_lock: bool = True, check_index_bound: bool = True) -> Tensor:
    """x with the slices of y added at `indices` along an axis, in index order. The last two arguments change nothing."""

def index_fill(x: _TensorLike, axis: int, index: _TensorLike, value: _Operand) -> Any:
    """input with a number at positions along an axis."""

def index_put(input: _TensorLike, indices: Any, values: _TensorLike, accumulate: bool = False) -> Any:
    """input with input[indices] = values, or += values in the order of the positions."""

def index_select(input: _TensorLike, axis: int, index: _TensorLike) -> Tensor:
    """Slices of input_params at input_indices along an axis. The first batch_dims axes of both are walked together."""

def inner(input: _TensorLike, other: _TensorLike) -> Any:
    """The sum of products over the last axis of both, of shape input's other axes, then other's.

    With an operand without axes the product of both.
    """

def inplace_add(x: _TensorLike, v: _TensorLike, indices: Any) -> Any:
    """A copy of x, where indices name slices along the first axis: an element becomes its sum with the update."""

def inplace_index_add(var: Tensor, indices: _TensorLike, updates: _TensorLike, axis: int) -> Any:
    """Adds updates to a Parameter at positions along an axis, in their order."""

def inplace_sigmoid(input: Any) -> Any:
    """Writes 1 / (1 + exp(-input)) into input, which is returned."""

def inplace_sub(x: _TensorLike, v: _TensorLike, indices: Any) -> Any:
    """A copy of x, where indices name slices along the first axis: an element becomes its difference from the update."""

def inplace_update(x: _TensorLike, v: _TensorLike, indices: Any) -> Any:
    """A copy of x, where indices name slices along the first axis: an element becomes the update."""

def interpolate(input: _TensorLike, size: Any = None, scale_factor: Any = None, mode: str = 'nearest', align_corners: bool | None = None, recompute_scale_factor: bool | None = None) -> Any:
    """Signals (N, C, W), images (N, C, H, W) or volumes (N, C, D, H, W) resized.

    Elements lie in the middles of pixels, whose outer edges stay where they are. Cubic convolution is that of Keys (1981):
    in PyTorch's names, and where corners are aligned, with the coefficient -0.75 and the last elements beyond the ends;
    else with -0.5, of third order, and weights among the elements that there are.
    """

def intopk(x1: _TensorLike, x2: _TensorLike, k: int) -> Any:
    """Whether the score of each example's class is finite, and less than k classes have a larger one."""

def inv(x: _TensorLike) -> Any:
    """1 / x of each element, which is no inverse of matrices; of integers truncated."""

def inverse(input: _TensorLike) -> Any:
    """The inverse of matrices, or of their adjoints, by LU factorisation (LAPACK); ops.inv is 1 / x. See matrix_solve."""

def invert(x: _TensorLike) -> Tensor:
    """~x: the complement of every bit; of bools the negation. Floats are a TypeError."""

def iou(anchor_boxes: _TensorLike, gt_boxes: _TensorLike, mode: str = 'iou') -> Any:
    """The area that boxes of pixels share over that of both (M, N), for gt_boxes (M, 4) and anchor_boxes (N, 4).

    A box has the pixels of x0 to x1 and of y0 to y1, those included.
    """

def irfft(input: _TensorLike, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The inverse of rfft: n real numbers, 2 (size of the axis - 1) if it is None. See fft."""

def irfft2(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """The inverse of rfft2."""

def irfftn(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] | None = None, norm: str | None = None) -> Any:
    """The inverse of rfftn."""

def is_(x: Any, y: Any) -> Any:
    """x is y."""

def is_complex(input: _TensorLike) -> Any:
    """Whether the dtype is complex64 or complex128."""

def is_floating_point(input: _TensorLike) -> Any:
    """Whether the dtype is of floating point."""

def is_nonzero(input: _TensorLike) -> Any:
    """Whether the only element is not 0."""

def is_not(x: Any, y: Any) -> Any:
    """x is not y."""

def is_sequence_shape_unknown(x: Any) -> Any:
    """Whether the number of a sequence's items is unknown: no sequence of a program's is so."""

def is_sequence_value_unknown(shape: Any) -> bool:
    """Whether a shape has an unknown size, as those of placeholders; graphs know sizes where they are read."""

def is_tensor(obj: Any) -> bool:
    """Whether an object is a Tensor."""

def isclose(input: _Operand, other: _Operand, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether |input - other| <= atol + rtol * |other|, elementwise with broadcasting. Infinities are near to themselves
    alone, NaN to nothing, or with equal_nan to NaN.
    """

def isconstant(x: Any) -> Any:
    """Whether a value is known now, as it is of all but Tensors and numbers of a graph that is being captured."""

def isfinite(input: _TensorLike) -> Tensor:
    """Whether input is neither infinite nor NaN; of integers true."""

def isinf(input: _TensorLike) -> Tensor:
    """Whether input is infinite, of either sign; of integers false."""

def isnan(input: _TensorLike) -> Tensor:
    """Whether input is NaN; of integers false."""

def isneginf(input: _TensorLike) -> Any:
    """Which elements are negative infinity: of integers none."""

def isposinf(input: _TensorLike) -> Any:
    """Which elements are positive infinity: of integers none."""

def isreal(input: _TensorLike) -> Any:
    """Which elements have no imaginary part: for real dtypes all."""

def kaiser_window(window_length: Any, periodic: bool = True, beta: float = 12.0, *, dtype: _DType | None = None) -> Any:
    """Kaiser's window: I0(beta sqrt(1 - (2 n / N - 1)^2)) / I0(beta), of the modified Bessel function I0."""

def kl_div(logits: _TensorLike, labels: _TensorLike, reduction: str = 'mean') -> Any:
    """target * (log(target) - input), 0 where target is not positive: the divergence of exp(input) from target (Kullback,
    Leibler, 1951). The derivative by input is -target everywhere.
    """

def kron(input: _TensorLike, other: _TensorLike) -> Any:
    """The Kronecker product: a block other * x for each element x of input. Axes of size 1 are put before the shorter's."""

def kthvalue(input: _TensorLike, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """(the k-th smallest elements along an axis, their indices as int64).

    Of equals the lower index comes first; NaN is the largest.
    """

def l1_loss(input: _TensorLike, target: _TensorLike, reduction: str = 'mean') -> Any:
    """abs(input - target)."""

def laplace(shape: int | Sequence[int], mean: _Operand, lambda_param: _Operand, seed: int | None = None) -> Any:
    """Random numbers of density exp(-|x - mean| / lambda_param) / (2 * lambda_param), float32."""

def layer_norm(input: _TensorLike, normalized_shape: int | Sequence[int], weight: _TensorLike | None = None, bias: _TensorLike | None = None, eps: float = 1e-05) -> Tensor:
    """(input - mean) / sqrt(var + eps) over the last axes, whose sizes are `normalized_shape`, times `weight` plus `bias`."""

def lcm(input: _Operand, other: _Operand) -> Tensor:
    """The least common multiple of integers, elementwise with broadcasting; 0 where one is 0. It wraps."""

def ldexp(x: _Operand, other: _Operand) -> Any:
    """x * 2^other, elementwise with broadcasting. Integers give float32."""

def le(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is at most other, elementwise with broadcasting."""

def leaky_relu(input: _TensorLike, alpha: float = 0.2) -> Tensor:
    """input where it is above 0, else alpha * input."""

def lerp(input: _Operand, end: _Operand, weight: _Operand) -> Any:
    """input + weight * (end - input), elementwise with broadcasting."""

def less(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is less than other, elementwise with broadcasting."""

def less_equal(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is at most other, elementwise with broadcasting."""

def lgamma(input: _TensorLike) -> Tensor:
    """log |Gamma(input)|; infinite at integers up to 0. Integers give float32."""

def linspace(start: _Operand, end: _Operand, steps: Any) -> Any:
    """Numbers from start to end, both included, evenly spaced: computed in double precision, then of the dtype of start and
    end if they are floating Tensors, else float32.
    """

def list_equal(x: Any, y: Any) -> Any:
    """x == y."""

def list_getitem(x: Any, index: Any) -> Any:
    """An item."""

def list_len(x: Any) -> Any:
    """The number of items."""

def list_setitem(x: Any, index: Any, value: Any) -> Any:
    """A copy with another item."""

def log(input: _TensorLike) -> Tensor:
    """The natural logarithm, within 1 ulp; -inf at zero, NaN below. Integers give float32."""

def log10(input: _TensorLike) -> Tensor:
    """The logarithm to the base 10; -inf at zero, NaN below. Integers give float32."""

def log1p(input: _TensorLike) -> Tensor:
    """log(1 + input), also exact near zero. Integers give float32."""

def log2(input: _TensorLike) -> Tensor:
    """The logarithm to the base 2; -inf at zero, NaN below. Integers give float32."""

def log_matrix_determinant(input: _TensorLike) -> Any:
    """(the sign of the determinants, the logarithm of their magnitude), by LU factorisation (LAPACK).

    The sign of a complex number is that divided by its magnitude; of 0 it is 0, and the logarithm -inf.
    """

@overload
def log_softmax(logits: _TensorLike, axis: int = -1) -> Tensor:
    """(logits - m) - log(sum(exp(logits - m))) along `axis`, where m is the largest element."""

@overload
def log_softmax(logits: _TensorLike, axis: int = -1, *, dtype: _DType | None = None) -> Any:
    """The logarithm of softmax, without computing it first."""

def log_uniform_candidate_sampler(true_classes: _TensorLike, num_true: int = 1, num_sampled: int = 5, unique: bool = True, range_max: int = 5, seed: int = 0) -> Any:
    """(classes drawn from 0 .. range_max - 1, class k with probability log((k + 2) / (k + 1)) / log(range_max + 1); how
    often each of true_classes, and of those drawn, is to be expected among them, as float32).
    """

def logaddexp(input: _Operand, other: _Operand) -> Tensor:
    """log(e^input + e^other) without overflow, elementwise with broadcasting. Integers give float32."""

def logaddexp2(input: _Operand, other: _Operand) -> Tensor:
    """The logarithm to the base 2 of 2^input + 2^other, elementwise with broadcasting. Integers give float32."""

def logcumsumexp(input: _TensorLike, axis: int) -> Any:
    """The logarithms of the sums of the exponentials of all elements up to each along an axis, without overflow."""

def logdet(input: _TensorLike) -> Any:
    """The logarithm of the determinants of matrices: -inf of 0, NaN of what is negative. See slogdet."""

def logical_and(input: _Operand, other: _Operand) -> Tensor:
    """Whether both are true; numbers are true if they are not zero."""

def logical_not(input: _TensorLike) -> Tensor:
    """Whether input is false; numbers are true if they are not zero."""

def logical_or(input: _Operand, other: _Operand) -> Tensor:
    """Whether one at least is true; numbers are true if they are not zero."""

def logical_xor(input: _Operand, other: _Operand) -> Tensor:
    """Whether exactly one is true; numbers are true if they are not zero."""

def logit(input: _TensorLike, eps: float | None = None) -> Any:
    """log(x / (1 - x)) of input, the inverse of sigmoid; NaN outside of [0, 1]. Integers give float32."""

def logsigmoid(x: _TensorLike) -> Any:
    """The logarithm of sigmoid(x), without computing it first."""

def logspace(start: _Operand, end: _Operand, steps: Any, base: _Operand = 10, *, dtype: _DType = ...) -> Any:
    """base ** x for x from start to end, both included, evenly spaced; computed in double precision."""

def logsumexp(input: _TensorLike, dim: int | Sequence[int] | None, keepdim: bool = False) -> Any:
    """The logarithm of the sum of the exponentials over axes, without overflow."""

def lp_pool1d(x: _TensorLike, norm_type: _Operand, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, ceil_mode: bool = False) -> Any:
    """(sum of x**norm_type)**(1 / norm_type) of each window; where the sum is 0, its slope is, too."""

def lp_pool2d(x: _TensorLike, norm_type: _Operand, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, ceil_mode: bool = False) -> Any:
    """(sum of x**norm_type)**(1 / norm_type) of each window; where the sum is 0, its slope is, too."""

def lrn(x: _TensorLike, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5, norm_region: str = 'ACROSS_CHANNELS') -> Any:
    """x / (bias + alpha * sum)**beta with the sum of the squares of channels at most depth_radius away.

    Source: A. Krizhevsky et al., "ImageNet classification with deep convolutional neural networks" (2012).
    """

def lstsq(input: _TensorLike, A: _TensorLike) -> Any:
    """The x for which |input x - A| is smallest, and of several the shortest, of a matrix of full rank; by QR."""

def lt(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is less than other, elementwise with broadcasting."""

def lu_solve(b: _TensorLike, LU_data: _TensorLike, LU_pivots: _TensorLike) -> Any:
    """The x for which A x = b, of A by its LU factors. See lu_unpack."""

def lu_unpack(LU_data: _TensorLike, LU_pivots: _TensorLike, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
    """(P, L, U) of what is packed: U above the diagonal, L below it, whose diagonal is 1."""

def make_dict(x: Any, y: Any) -> Any:
    """The dict of keys x and values y."""

def make_list(*args: Any) -> Any:
    """The arguments as a list."""

def make_range(*args: Any) -> Any:
    """The ints from start up to, but without, stop, in steps, as a tuple."""

def make_slice(*args: Any) -> Any:
    """The slice of start, stop and step."""

def make_tuple(*args: Any) -> Any:
    """The arguments as a tuple."""

def margin_ranking_loss(input1: _TensorLike, input2: _TensorLike, target: _TensorLike, margin: float = 0.0, reduction: str = 'mean') -> Any:
    """max(0, -target * (input1 - input2) + margin)."""

def masked_fill(input_x: _TensorLike = ..., mask: _TensorLike = ..., value: _Operand = ..., *, input: _TensorLike = ...) -> Tensor:
    """value, one number, where mask is true, elements of input_x elsewhere, in the dtype of input_x; input_x and mask broadcast. A mask that is not bool is a TypeError."""

def masked_scatter(input: _TensorLike, mask: _TensorLike, source: _TensorLike) -> Any:
    """input with the elements of source, one after the other, where mask is true."""

def masked_select(input: _TensorLike, mask: _TensorLike) -> Any:
    """The elements where a mask, which broadcasts with the input, is true, in one axis."""

def matmul(input: _TensorLike, other: _TensorLike) -> Tensor:
    """The matrix product, as np.matmul: batches broadcast, and a 1-d operand is a row or column that vanishes again."""

def matmul_reduce_scatter(input: _TensorLike, x2: _TensorLike, group: str, world_size: int, *, reduce_op: str = 'sum', bias: Any = None, comm_turn: int = 0, trans_input: bool = False, trans_x2: bool = False) -> Any:
    """This process's part of products of matrices that are summed up over all processes."""

def matrix_band_part(x: _TensorLike, lower: _Operand, upper: _Operand) -> Any:
    """Matrices with zeros outside of a band around the diagonal."""

def matrix_determinant(input: _TensorLike) -> Any:
    """The determinants of matrices, by LU factorisation (LAPACK). Singular ones have a gradient too."""

def matrix_diag(x: _TensorLike, k: Any = 0, num_rows: Any = -1, num_cols: Any = -1, padding_value: Any = 0, align: str = 'RIGHT_LEFT') -> Any:
    """Matrices that have the given diagonals."""

def matrix_diag_part(x: _TensorLike, k: Any, padding_value: Any, align: str = 'RIGHT_LEFT') -> Any:
    """Diagonals of matrices, in the last axis; of several the highest first, along the axis before it."""

def matrix_exp(input: _TensorLike) -> Any:
    """The exponential of square matrices: the sum of input^k / k!.

    By scaling and squaring a Pade approximant (Higham 2005).
    """

def matrix_norm(A: _TensorLike, ord: Any = 'fro', axis: int | Sequence[int] = (-2, -1), keepdims: bool = False, *, dtype: _DType | None = None) -> Any:
    """The norm of the matrices that two axes are."""

def matrix_power(input: _TensorLike, n: int) -> Any:
    """The product of n square matrices, by repeated squaring; of their inverses if n is negative."""

def matrix_set_diag(x: _TensorLike, diagonal: _TensorLike, k: Any = 0, align: str = 'RIGHT_LEFT') -> Any:
    """Matrices with other diagonals, which are given as matrix_diag takes them."""

def matrix_solve(matrix: _TensorLike, rhs: _TensorLike, adjoint: bool = False) -> Any:
    """The x for which matrix x = rhs, or with adjoint matrix^H x = rhs, by LU factorisation (LAPACK).

    A singular matrix gives numbers that are not finite.
    """

def max(input: _TensorLike, axis: int | None = None, keepdims: bool = False, *, initial: _Operand | None = None, where: Any = True) -> Any:
    """(largest elements along an axis, their indices as int64), of equals the first; without an axis (largest of all, 0)."""

def max_pool1d(x: _TensorLike, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = (0,), dilation: int | Sequence[int] = (1,), ceil_mode: bool = False) -> Tensor:
    """The largest element of each window. `stride` is `kernel_size` if None. `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`); padding counts as less than any element."""

def max_pool2d(x: _TensorLike, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, return_indices: bool = False, ceil_mode: bool = False) -> Any:
    """The largest element of each window of images (N, C, H, W) or (C, H, W)."""

def max_pool3d(x: _TensorLike, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, ceil_mode: bool = False, return_indices: bool = False) -> Any:
    """The largest element of each window of volumes (N, C, D, H, W) or (C, D, H, W)."""

def max_unpool1d(x: _TensorLike, indices: _TensorLike, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, output_size: int | Sequence[int] | None = None) -> Any:
    """x at positions of a channel, zeros elsewhere: the inverse of max_pool1d."""

def max_unpool2d(x: _TensorLike, indices: _TensorLike, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, output_size: int | Sequence[int] | None = None) -> Any:
    """x at positions of a channel, zeros elsewhere: the inverse of max_pool2d."""

def max_unpool3d(x: _TensorLike, indices: _TensorLike, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, output_size: int | Sequence[int] | None = None) -> Any:
    """x at positions of a channel, zeros elsewhere: the inverse of max_pool3d."""

def maximum(input: _Operand, other: _Operand) -> Tensor:
    """The larger of input and other, elementwise with broadcasting; NaN if either is. Where they are equal each has half the gradient."""

def mean(x: _TensorLike = ..., axis: int | Sequence[int] | None = None, keep_dims: bool = False, *, dtype: _DType | None = None, input: _TensorLike = ..., dim: int | Sequence[int] | None = ..., keepdims: bool = ..., keepdim: bool = ...) -> Tensor:
    """The sum of the elements over `axis` divided by their number (integers truncate). `x` is converted to `dtype` first."""

def median(input: _TensorLike, axis: int = -1, keepdims: bool = False) -> Any:
    """(medians along an axis, the lower of two; their indices as int64). NaN, and the first index of one, if there is one."""

def meshgrid(*inputs: Any, indexing: str | None = 'xy') -> Any:
    """The coordinates of a grid, a Tensor for each of its axes. Views."""

def min(input: _TensorLike, axis: int | None = None, keepdims: bool = False, *, initial: _Operand | None = None, where: Any = True) -> Any:
    """(smallest elements along an axis, their indices as int64), of equals the first; without an axis (smallest of all, 0)."""

def minimum(input: _Operand, other: _Operand) -> Tensor:
    """The smaller of input and other, elementwise with broadcasting; NaN if either is. Where they are equal each has half the gradient."""

def mirror_pad(input_x: _TensorLike, paddings: Any, mode: str) -> Any:
    """Mirrored elements before and after those of each axis."""

def mish(x: _TensorLike) -> Any:
    """x * tanh(log(1 + exp(x))) (Misra, 2020), by n / (n + 2) with n = e * (e + 2), e = exp(x)."""

def mixed_precision_cast(dst_dtype: _DType, x: Any) -> Any:
    """x with its floating Tensors in another dtype: those in tuples, lists and dicts too."""

def mm(input: _TensorLike, mat2: _TensorLike) -> Any:
    """The product of two matrices."""

def moe_init_routing_v2(x: _TensorLike, expert_idx: _TensorLike, active_num: int, expert_capacity: int, expert_num: int, drop_pad_mode: int, expert_tokens_count_or_cumsum_flag: int, expert_tokens_before_capacity_flag: bool) -> Any:
    """(tokens ordered by their experts, where each of them went, counts that are asked for)."""

def moe_token_permute(tokens: _TensorLike, indices: _TensorLike, num_out_tokens: int | None = None, padded_mode: bool = False) -> Any:
    """(tokens ordered by their experts, where each of them went, int32)."""

def moe_token_unpermute(permuted_tokens: _TensorLike, sorted_indices: _TensorLike, probs: _TensorLike | None = None, padded_mode: bool = False, restore_shape: Any = None) -> Any:
    """Tokens in the order before moe_token_permute(), of several experts summed up. Those that were not kept are 0."""

def move_to(input: Any, to: str = 'CPU', blocking: bool = True) -> Any:
    """input itself."""

def moveaxis(x: _TensorLike, source: int | Sequence[int], destination: int | Sequence[int]) -> Any:
    """Axes at other places; those that are not named keep their order. A view."""

def movedim(x: _TensorLike, source: int | Sequence[int], destination: int | Sequence[int]) -> Any:
    """Axes at other places; those that are not named keep their order. A view."""

def mse_loss(input: _TensorLike, target: _TensorLike, reduction: str = 'mean') -> Tensor:
    """The squares of input - target: their mean, their sum, or as they are."""

def mse_loss_ext(input: _TensorLike, target: _TensorLike, reduction: str = 'mean') -> Tensor:
    """The squares of input - target: their mean, their sum, or as they are."""

def msort(input: _TensorLike) -> Any:
    """The elements in ascending order along the first axis; NaN is the largest."""

def mul(input: _Operand, other: _Operand) -> Tensor:
    """input * other, elementwise with broadcasting; of two bools, their conjunction."""

def multi_margin_loss(input: _TensorLike, target: _TensorLike, p: int = 1, margin: _Operand = 1, weight: _TensorLike | None = None, reduction: str = 'mean') -> Any:
    """The mean over classes, the right one excepted, of weight[target] * max(0, margin - input[target] + input)**p
    (Crammer and Singer, 2001).
    """

def multi_scale_deformable_attn_function(value: _TensorLike, shape: _TensorLike, offset: _TensorLike, locations: _TensorLike, weight: _TensorLike) -> Any:
    """Sums of values at a few places of feature maps of several sizes (Zhu et al., 2021), (N, queries, heads * size)."""

def multilabel_margin_loss(input: _TensorLike, target: _TensorLike, reduction: str = 'mean') -> Any:
    """The sum over labels j and classes i that are none of max(0, 1 - input[j] + input[i]), over the number of classes."""

def multilabel_soft_margin_loss(input: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, reduction: str = 'mean') -> Any:
    """The mean over classes of the binary cross entropy of sigmoid(input)."""

def multinomial(input: _TensorLike, num_samples: int, replacement: bool = True, seed: int | None = None) -> Any:
    """Categories, drawn with the probabilities that input's elements have in a row's sum."""

def multinomial_with_replacement(x: _TensorLike, seed: Any, offset: Any, numsamples: int, replacement: bool = False) -> Any:
    """Categories, drawn with the probabilities that x's elements have in a row's sum, and with replacement."""

def multiply(input: _Operand, other: _Operand) -> Tensor:
    """input * other, elementwise with broadcasting; of two bools, their conjunction."""

def mv(mat: _TensorLike, vec: _TensorLike) -> Any:
    """The product of a matrix and a vector."""

def mvlgamma(input: _TensorLike, p: int) -> Any:
    """The logarithm of the multivariate gamma function of dimension p: log Gamma(input - j / 2) summed over j < p, and
    p (p - 1) / 4 log pi. NaN where input is not above (p - 1) / 2. Integers give float32.
    """

def nan_to_num(input: _TensorLike, nan: float | None = None, posinf: float | None = None, neginf: float | None = None) -> Any:
    """input with other numbers in place of NaN and infinities; integers as they are."""

def nanmean(input: _Operand, axis: int | Sequence[int] | None = None, keepdims: bool = False, *, dtype: _DType | None = None) -> Any:
    """The means over axes of what is not NaN."""

def nanmedian(input: _TensorLike, axis: int = -1, keepdims: bool = False) -> Any:
    """(medians along an axis of what is not NaN, the lower of two; their indices as int64); NaN where there is nothing else."""

def nanquantile(input: _TensorLike, q: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """The quantiles along an axis, of the two nearest elements in between, of what is not NaN; NaN where there is nothing else."""

def nansum(input: _Operand, axis: int | Sequence[int] | None = None, keepdims: bool = False, *, dtype: _DType | None = None) -> Any:
    """The sums over axes of what is not NaN."""

def narrow(input: _TensorLike, axis: int, start: int, length: int) -> Any:
    """The elements from start on along an axis, as many as length. A view."""

def ne(input: _Operand, other: _Operand) -> Tensor:
    """Whether input differs from other, elementwise with broadcasting."""

def neg(input: _TensorLike) -> Tensor:
    """-input. Unsigned integers wrap; bool is a TypeError."""

def negative(input: _TensorLike) -> Tensor:
    """-input. Unsigned integers wrap; bool is a TypeError."""

def new_ones(input: _TensorLike, size: int | Sequence[int], dtype: _DType | None = None) -> Any:
    """A Tensor of ones with this one's dtype unless another is given."""

def new_zeros(input: _TensorLike, size: int | Sequence[int], dtype: _DType | None = None) -> Any:
    """A Tensor of zeros with this one's dtype unless another is given."""

def nextafter(input: _Operand, other: _Operand) -> Tensor:
    """The number next to input on the way to other, elementwise with broadcasting; other itself where they are equal. Both must be float32, or both float64, else a TypeError."""

def nll_loss(inputs: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, ignore_index: int = -100, reduction: str = 'mean', label_smoothing: float = 0.0) -> Tensor:
    """The negative of the log-probabilities `inputs` at the target classes, times their weights; the mean divides by the sum of these."""

def nonzero(input: _TensorLike, *, as_tuple: bool = False) -> Any:
    """The indices (int64, a row each) of the elements that are not 0, in row-major order."""

def norm(A: _TensorLike, ord: Any = None, dim: int | Sequence[int] | None = None, keepdim: bool = False, *, dtype: _DType | None = None) -> Any:
    """The norm of a vector along an axis, or of the matrices that two axes are. See vector_norm and matrix_norm."""

def normal(shape: int | Sequence[int], mean: _Operand, stddev: _Operand, seed: int | None = None) -> Tensor:
    """mean + stddev * standard_normal(shape), broadcast."""

def normal_(input: _TensorLike, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Tensor:
    """Random numbers of a mean and deviation: mean + z * std, where z are those of randn() in input's shape and dtype.

    It is written into input, which is returned.
    """

def not_equal(input: _Operand, other: _Operand) -> Tensor:
    """Whether input differs from other, elementwise with broadcasting."""

def not_in_dict(x: Any, y: Any) -> Any:
    """Whether the dict y lacks a key x."""

def nsa_compress(input: _TensorLike, weight: _TensorLike, compress_block_size: int, compress_stride: int, *, actual_seq_len: Any = ()) -> Any:
    """Weighted sums of windows of positions (T', N, D), which lie within sequences."""

def numel(input: _TensorLike) -> Any:
    """The number of elements of a Tensor, an int."""

def one_hot(indices: _TensorLike, depth: Any, on_value: _Operand = 1, off_value: _Operand = 0, axis: int = -1) -> Any:
    """A new axis on which there is one value at the index, and another elsewhere."""

def ones(shape: int | Sequence[int] = ..., dtype: _DType | None = None, *, size: int | Sequence[int] = ...) -> Tensor:
    """A tensor of ones, float32 unless dtype says otherwise."""

def ones_like(input: _TensorLike, *, dtype: _DType | None = None) -> Tensor:
    """Ones of input's shape, and its dtype unless another is given."""

def orgqr(input: _TensorLike, input2: _TensorLike) -> Any:
    """The first n columns of the product of the reflections I - tau_i v_i v_i^H: Q of what geqrf gives."""

def ormqr(input: _TensorLike, tau: _TensorLike, other: _TensorLike, left: bool = True, transpose: bool = False) -> Any:
    """The product of the reflections I - tau_i v_i v_i^H and a matrix: Q of what geqrf gives, (..., m, m), times it."""

def outer(input: _TensorLike, vec2: _TensorLike) -> Any:
    """The products of each element of a vector with each of another, of shape (n, m)."""

@overload
def pad(input_x: _TensorLike, padding: int | Sequence[int]) -> Tensor:
    """Adds `value` (None: 0) before and after: padding holds a pair of sizes for the last axis, then one for the axis before it, and so on. A negative size cuts off. The only mode is 'constant'."""

@overload
def pad(input_x: _TensorLike, padding: Any, mode: str = 'constant', value: Any = None) -> Any:
    """Elements before and after those of axes, pair by pair from the last axis on."""

def padding(x: _TensorLike, pad_dim_size: int = 8) -> Any:
    """The last axis, of size 1, extended to pad_dim_size by zeros."""

def pdist(input: _TensorLike, p: float = 2.0) -> Any:
    """The distances of order p between each two of n vectors, (..., n, k): those of the first, then of the second, ..."""

def permute(input: _TensorLike, axis: int | Sequence[int] = ..., *, dims: int | Sequence[int] = ...) -> Tensor:
    """Axis i of the result is axis dims[i] of the operand. A view."""

def pinv(x: _TensorLike, *, atol: _Operand | None = None, rtol: _Operand | None = None, hermitian: bool = False) -> Any:
    """The Moore-Penrose pseudo-inverse, by singular values (LAPACK); its gradient is that of Golub and Pereyra 1973."""

def pixel_shuffle(input: _TensorLike, upscale_factor: int) -> Any:
    """Channels as pixels: (..., C * r * r, H, W) becomes (..., C, H * r, W * r), r being upscale_factor.

    Method: W. Shi et al., Real-time single image and video super-resolution (2016).
    """

def pixel_unshuffle(input: _TensorLike, downscale_factor: int) -> Any:
    """Pixels as channels: (..., C, H * r, W * r) becomes (..., C * r * r, H, W), r being downscale_factor. See
    pixel_shuffle.
    """

def poisson(shape: int | Sequence[int], mean: _Operand, seed: int | None = None) -> Any:
    """Random whole numbers n of probability mean ** n * exp(-mean) / n!, float32; shape and mean broadcast."""

def polar(abs: _TensorLike, angle: _TensorLike) -> Any:
    """The complex numbers of these magnitudes and angles, in radians."""

def polygamma(n: _Operand, input: _Operand) -> Tensor:
    """The n-th derivative of digamma at input, elementwise with broadcasting; of order 0 digamma itself. NaN where n is no integer from 0. Integers give float32."""

def population_count(input_x: _TensorLike) -> Tensor:
    """How many bits of an integer are 1, as uint8; of a negative one those of its two's complement."""

def positive(input: _TensorLike) -> Any:
    """input itself."""

def pow(input: _Operand, exponent: _Operand) -> Tensor:
    """input to the power of exponent, elementwise with broadcasting. Special cases are C's: anything to the 0 is 1, a negative base with a fractional exponent is NaN. Integers wrap; a negative integer exponent gives 0 unless the base is 1 or -1. By 1, 2, 3 and -1 of floats it is products and a quotient. Two bool operands are a TypeError. The slope by the exponent is 0 where the base is 0 and the exponent is not negative."""

def pows(input: _Operand, exponent: _Operand) -> Tensor:
    """input to the power of exponent, elementwise with broadcasting. Special cases are C's: anything to the 0 is 1, a negative base with a fractional exponent is NaN. Integers wrap; a negative integer exponent gives 0 unless the base is 1 or -1. By 1, 2, 3 and -1 of floats it is products and a quotient. Two bool operands are a TypeError. The slope by the exponent is 0 where the base is 0 and the exponent is not negative."""

def prelu(input: _TensorLike, weight: _TensorLike) -> Any:
    """input where it is positive, else input times a weight, one for all or one for each channel (He et al., 2015)."""

def print_(*input_x: Any) -> None:
    """Prints each argument on a line of its own, Tensors as repr shows them; in a graph whenever it runs."""

def prod(input: _TensorLike, axis: int | Sequence[int] | None = None, keep_dims: bool = False, dtype: _DType | None = None, *, dim: int | Sequence[int] | None = ..., keepdims: bool = ..., keepdim: bool = ...) -> Tensor:
    """Multiplies the elements over `axis`. Bools, signed integers and uint8 give int64 unless `dtype` says otherwise; `input` is converted to `dtype` first."""

def prompt_flash_attention(query: _TensorLike, key: _TensorLike, value: _TensorLike, attn_mask: _TensorLike | None = None, actual_seq_lengths: Any = None, actual_seq_lengths_kv: Any = None, pse_shift: _TensorLike | None = None, deq_scale1: Any = None, quant_scale1: Any = None, deq_scale2: Any = None, quant_scale2: Any = None, quant_offset2: Any = None, num_heads: int = 1, scale_value: float = 1.0, pre_tokens: int = 2147483647, next_tokens: int = 0, input_layout: str = 'BSH', num_key_value_heads: int = 0, sparse_mode: int = 0, inner_precise: int = 1) -> Any:
    """flash_attention_score of a prompt."""

def put_(input: _TensorLike, index: _TensorLike, source: _TensorLike, accumulate: bool = False) -> Tensor:
    """input with source at positions among all elements, or added there in their order.

    It is written into input, which is returned.
    """

def qr(input: _TensorLike, mode: str = 'reduced') -> Any:
    """(Q, R) with orthonormal columns and an upper triangle, for which Q R is the input.

    By Householder reflections (LAPACK); R's diagonal may have any sign. There is no gradient of complete factors of what is
    higher than wide.
    """

def quantile(input: _TensorLike, q: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """The quantiles along an axis, of the two nearest elements in between; NaN if there is one."""

def rad2deg(x: _TensorLike) -> Any:
    """Radians in degrees. Integers give float32."""

def rand(*size: int | Sequence[int], dtype: _DType | None = None, seed: int | None = None) -> Tensor:
    """Numbers drawn evenly from [0, 1), float32 unless dtype says otherwise."""

def rand_like(input: _TensorLike, seed: int | None = None, *, dtype: _DType | None = None) -> Any:
    """Random numbers of [0, 1) in input's shape, and its dtype unless another is given."""

def randint(low: int, high: int, size: int | Sequence[int], seed: int | None = None, *, dtype: _DType | None = None) -> Tensor:
    """Whole numbers drawn evenly from [low, high): the top half of 64 random bits times the number of choices. int64 unless dtype says otherwise."""

def randint_like(input: _TensorLike, low: int, high: int, seed: int | None = None, *, dtype: _DType | None = None) -> Any:
    """Random integers of [low, high) in input's shape, and its dtype unless another is given."""

def randn(*size: int | Sequence[int], dtype: _DType | None = None, seed: int | None = None) -> Tensor:
    """standard_normal, converted to dtype."""

def randn_like(input: _TensorLike, seed: int | None = None, *, dtype: _DType | None = None) -> Any:
    """Random numbers of mean 0 and deviation 1 in input's shape, of float32 unless another dtype is given."""

def random_(input: _TensorLike, from_: int = 0, to: int | None = None, *, generator: Any = None) -> Tensor:
    """Random integers of [from_, to), those of randint(); without `to` as far as input's dtype holds all integers.

    It is written into input, which is returned.
    """

def random_categorical(logits: _TensorLike, num_sample: int, seed: int = 0, dtype: _DType = ...) -> Any:
    """Categories, drawn with the probabilities softmax(logits) of each row."""

def random_gamma(shape: int | Sequence[int], alpha: _Operand, seed: int | None = None) -> Any:
    """Random numbers of density x ** (alpha - 1) * exp(-x) / gamma(alpha): `shape` of them for each alpha."""

def random_poisson(shape: Any, rate: _Operand, seed: int | None = None, dtype: _DType = ...) -> Any:
    """Random whole numbers n of probability rate ** n * exp(-rate) / n!: `shape` of them for each rate."""

def randperm(n: Any, seed: int = 0, offset: int = 0, dtype: _DType = ...) -> Any:
    """The integers 0 .. n - 1 in random order."""

def range(start: Any, end: Any = None, step: Any = 1, maxlen: int = 1000000) -> Any:
    """The same as arange."""

def rank(input_x: _TensorLike) -> Any:
    """The number of axes of a Tensor, an int."""

def ravel(input: _TensorLike) -> Any:
    """All elements in one axis: a view where they are in order."""

def real(input: _TensorLike) -> Any:
    """The real part, a view; of real numbers input itself."""

def reciprocal(input: _TensorLike) -> Tensor:
    """1 / input; integers are computed in float32."""

def reduce_max(x: _TensorLike, axis: int | Sequence[int] | None = None, keep_dims: bool = False) -> Tensor:
    """The largest element over `axis`; NaN if there is one."""

def reduce_mean(x: _TensorLike, axis: int | Sequence[int] | None = None, keep_dims: bool = False) -> Tensor:
    """The sum of the elements over `axis` divided by their number (integers truncate). `x` is converted to `dtype` first."""

def reduce_min(x: _TensorLike, axis: int | Sequence[int] | None = None, keep_dims: bool = False) -> Tensor:
    """The smallest element over `axis`; NaN if there is one."""

def reduce_prod(x: _TensorLike, axis: int | Sequence[int] | None = None, keep_dims: bool = False) -> Tensor:
    """Multiplies the elements over `axis`, in the dtype of `x` (integers wrap)."""

def reduce_sum(x: _TensorLike, axis: int | Sequence[int] | None = None, keep_dims: bool = False) -> Tensor:
    """Sums the elements over `axis`, in the dtype of `x` (integers wrap)."""

def reduced_shape(shape: Any, axis: Any) -> Any:
    """A shape after a reduction that keeps axes."""

@overload
def relu(input: _TensorLike) -> Tensor:
    """max(input, 0), in the dtype of input. NaN stays NaN. The slope at 0 is 0."""

@overload
def relu(input: _TensorLike, inplace: bool = False) -> Any:
    """max(input, 0), in the dtype of input. NaN stays NaN. The slope at 0 is 0."""

def relu6(x: _TensorLike) -> Tensor:
    """min(max(x, 0), 6). NaN stays NaN."""

def remainder(input: _Operand, other: _Operand) -> Tensor:
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def renorm(input: _TensorLike, p: float, axis: int, maxnorm: float) -> Any:
    """Each part along an axis whose norm of order p is larger than maxnorm, scaled down to that."""

def repeat_elements(x: _TensorLike, rep: int, axis: int = 0) -> Any:
    """Each element again and again along an axis; None: all elements in a single one."""

def repeat_interleave(input: _TensorLike, repeats: int | Sequence[int], axis: int | None = None, *, dim: int | None = ...) -> Tensor:
    """Repeats each element in place along an axis, or of the flattened tensor; `repeats` is one number, or one for each element of the axis."""

def reshape(input: _TensorLike, shape: int | Sequence[int]) -> Tensor:
    """The same elements in row-major order under another shape. One size may be -1; it follows from the others. A view where the strides allow it, else a copy."""

def reverse(x: _TensorLike, axis: int | Sequence[int]) -> Tensor:
    """Reverses the order of elements along the given axes."""

def reverse_sequence(x: _TensorLike, seq_lengths: _TensorLike, seq_dim: int, batch_dim: int = 0) -> Any:
    """Of each example the first elements along an axis in reverse order, as many as its length; the others stay."""

def rfft(input: _TensorLike, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The first n // 2 + 1 numbers of fft of real numbers; the others are their conjugates. See fft."""

def rfft2(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """rfft along the last of two axes, then fft along the other."""

def rfftfreq(n: int, d: float = 1.0, dtype: _DType | None = None) -> Any:
    """The frequencies of the numbers that rfft gives, 0, 1, ..., n // 2 over n d. See fftfreq."""

def rfftn(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] | None = None, norm: str | None = None) -> Any:
    """rfft along the last of several axes, then fft along the others."""

def ring_attention_update(prev_attn_out: _TensorLike, prev_softmax_max: _TensorLike, prev_softmax_sum: _TensorLike, cur_attn_out: _TensorLike, cur_softmax_max: _TensorLike, cur_softmax_sum: _TensorLike, actual_seq_qlen: Any = None, layout: str = 'SBH') -> Any:
    """(results, largest scores, sums of exponentials) of attention to two parts of the keys, from those of each."""

def rms_norm(x: _TensorLike, gamma: _TensorLike, epsilon: float = 1e-06) -> Any:
    """(x * r * gamma, r) with r = 1 / sqrt(mean(x**2) + epsilon) over the last axes (Zhang and Sennrich, 2019)."""

def roll(input: _TensorLike, shifts: int | Sequence[int], dims: int | Sequence[int] | None = None) -> Any:
    """Elements moved along axes; those that pass the end come in at the front."""

def rot90(input: _TensorLike, k: int, dims: int | Sequence[int]) -> Any:
    """Turned by 90 degrees in the plane of two axes, from the first towards the second."""

def rotary_position_embedding(x: _TensorLike, cos: _TensorLike, sin: _TensorLike, mode: int = 0) -> Any:
    """Pairs of elements of the last axis, turned by angles: x * cos + y * sin, where y is x with each pair (a, b) become
    (-b, a) (Su et al., 2024).
    """

def round(input: _TensorLike, *, decimals: int = 0) -> Tensor:
    """Rounds to the nearest integer, ties to even, or to `decimals` decimal places, which may be negative; in the dtype of input."""

def row_stack(tensors: Any) -> Any:
    """Joined along the first axis, with one axis as rows."""

def rrelu(input: _TensorLike, lower: float = 0.125, upper: float = 0.3333333333333333) -> Any:
    """input where it is not negative, else input times random numbers of [lower, upper) (Xu et al., 2015)."""

def rsqrt(input: _TensorLike) -> Tensor:
    """1 / sqrt(input); infinite at zero, NaN below. Integers give float32."""

def scalar_add(x: Any, y: Any) -> Any:
    """x + y."""

def scalar_cast(input_x: Any, input_y: _DType) -> Any:
    """A number as one of another kind: an int of a dtype of integers, toward 0, else a float or bool."""

def scalar_div(x: Any, y: Any) -> Any:
    """x / y."""

def scalar_eq(x: Any, y: Any) -> Any:
    """x == y."""

def scalar_floordiv(x: Any, y: Any) -> Any:
    """x // y."""

def scalar_ge(x: Any, y: Any) -> Any:
    """x >= y."""

def scalar_gt(x: Any, y: Any) -> Any:
    """x > y."""

def scalar_le(x: Any, y: Any) -> Any:
    """x <= y."""

def scalar_log(x: Any) -> Any:
    """The natural logarithm of a number."""

def scalar_lt(x: Any, y: Any) -> Any:
    """x < y."""

def scalar_max(x: Any, y: Any) -> Any:
    """The larger number."""

def scalar_min(x: Any, y: Any) -> Any:
    """The smaller number."""

def scalar_mod(x: Any, y: Any) -> Any:
    """x % y."""

def scalar_mul(x: Any, y: Any) -> Any:
    """x * y."""

def scalar_ne(x: Any, y: Any) -> Any:
    """x != y."""

def scalar_pow(x: Any, y: Any) -> Any:
    """x ** y."""

def scalar_sub(x: Any, y: Any) -> Any:
    """x - y."""

def scalar_to_array(input_x: Any) -> Any:
    """A 0-d Tensor of a number: int64 of an int, float32 of a float."""

def scalar_to_tensor(input_x: Any, dtype: _DType = ...) -> Any:
    """A 0-d Tensor of a number."""

def scalar_uadd(x: Any) -> Any:
    """x."""

def scalar_usub(x: Any) -> Any:
    """-x."""

def scatter(input: _TensorLike, axis: int, index: _TensorLike, src: _Operand) -> Any:
    """input with src at the positions that index names along an axis; of equal positions the last counts."""

def scatter_add(input_x: Tensor, indices: _TensorLike, updates: _TensorLike) -> Any:
    """Writes into input_x where indices name slices along its first axis: an element becomes its sum with the update."""

def scatter_div(input_x: Tensor, indices: _TensorLike, updates: _TensorLike) -> Any:
    """Writes into input_x where indices name slices along its first axis: an element becomes its quotient by the update; of integers truncated, and 0 if that is by zero."""

def scatter_max(input_x: Tensor, indices: _TensorLike, updates: _TensorLike) -> Any:
    """Writes into input_x where indices name slices along its first axis: an element becomes the larger of it and the update."""

def scatter_min(input_x: Tensor, indices: _TensorLike, updates: _TensorLike) -> Any:
    """Writes into input_x where indices name slices along its first axis: an element becomes the smaller of it and the update."""

def scatter_mul(input_x: Tensor, indices: _TensorLike, updates: _TensorLike) -> Any:
    """Writes into input_x where indices name slices along its first axis: an element becomes its product with the update."""

def scatter_nd(indices: _TensorLike, updates: _TensorLike, shape: int | Sequence[int]) -> Any:
    """Zeros of a shape with updates added where rows of indices name elements, or slices of other axes, in their order."""

def scatter_nd_add(input_x: Tensor, indices: _TensorLike, updates: _TensorLike, use_locking: bool = False) -> Any:
    """Writes into input_x where a row of indices names an element: it becomes its sum with the update."""

def scatter_nd_div(input_x: Tensor, indices: _TensorLike, updates: _TensorLike, use_locking: bool = False) -> Any:
    """Writes into input_x where a row of indices names an element: it becomes its quotient by the update; of integers truncated, and 0 if that is by zero."""

def scatter_nd_max(input_x: Tensor, indices: _TensorLike, updates: _TensorLike, use_locking: bool = False) -> Any:
    """Writes into input_x where a row of indices names an element: it becomes the larger of it and the update."""

def scatter_nd_min(input_x: Tensor, indices: _TensorLike, updates: _TensorLike, use_locking: bool = False) -> Any:
    """Writes into input_x where a row of indices names an element: it becomes the smaller of it and the update."""

def scatter_nd_mul(input_x: Tensor, indices: _TensorLike, updates: _TensorLike, use_locking: bool = False) -> Any:
    """Writes into input_x where a row of indices names an element: it becomes its product with the update."""

def scatter_nd_sub(input_x: Tensor, indices: _TensorLike, updates: _TensorLike, use_locking: bool = False) -> Any:
    """Writes into input_x where a row of indices names an element: it becomes its difference from the update."""

def scatter_nd_update(input_x: Tensor, indices: _TensorLike, updates: _TensorLike, use_locking: bool = False) -> Any:
    """Writes into input_x where a row of indices names an element: it becomes the update."""

def scatter_sub(input_x: Tensor, indices: _TensorLike, updates: _TensorLike) -> Any:
    """Writes into input_x where indices name slices along its first axis: an element becomes its difference from the update."""

def scatter_update(input_x: Tensor, indices: _TensorLike, updates: _TensorLike) -> Any:
    """Writes into input_x where indices name slices along its first axis: an element becomes the update."""

def searchsorted(sorted_sequence: _TensorLike, values: _Operand, *, out_int32: bool = False, right: bool = False, side: str | None = None, sorter: _TensorLike | None = None) -> Any:
    """The indices (int64) at which values, put there, keep a sequence in order along its last axis. NaN is above all."""

def select(condition: _Operand, input: _Operand, other: _Operand) -> Tensor:
    """input where condition, else other, elementwise; all three broadcast, input and other promote. A condition that is not bool is a TypeError."""

def select_scatter(input: _TensorLike, src: _TensorLike, axis: int, index: int) -> Any:
    """input with the slice at an index along an axis replaced."""

def selu(input_x: _TensorLike) -> Any:
    """elu(x, 1.6732632423543772) times 1.0507009873554805, which keep mean 0 and deviation 1 (Klambauer et al., 2017)."""

def sequence_mask(lengths: _TensorLike, maxlen: int | None = None) -> Any:
    """Of each length so many true elements and false ones after them, along a new last axis."""

def sgn(input: _TensorLike) -> Tensor:
    """1, 0 or -1 as input is above, at or below zero; of NaN 0. Of a complex number input / |input|, 0 at 0."""

def shape(input_x: _TensorLike) -> Any:
    """The shape of a Tensor, a tuple of ints."""

def shape_(x: Any) -> Any:
    """The shape of a Tensor, a tuple of ints."""

def shape_mul(input_data: Any) -> Any:
    """The product of the sizes of a shape."""

def shuffle(x: _TensorLike, seed: int | None = None) -> Any:
    """x with its elements along the first axis in random order."""

def sigmoid(input: _TensorLike) -> Tensor:
    """1 / (1 + exp(-input)), without overflow. Integers give float32."""

def sign(input: _TensorLike) -> Tensor:
    """1, 0 or -1 as input is above, at or below zero; of NaN 0. Of a complex number input / |input|, 0 at 0."""

def signbit(input: _TensorLike) -> Tensor:
    """Whether input is below zero, or -0.0, or a NaN with that sign."""

def silu(input: _TensorLike) -> Tensor:
    """input * sigmoid(input)."""

def sin(input: _TensorLike) -> Tensor:
    """The sine of radians of any size. Integers give float32."""

def sinc(input: _TensorLike) -> Tensor:
    """sin(pi input) / (pi input), 1 at zero. Integers give float32."""

def sinh(input: _TensorLike) -> Tensor:
    """The hyperbolic sine. Integers give float32."""

def size(input_x: _TensorLike) -> Any:
    """The number of elements of a Tensor, an int."""

def slice(input_x: _TensorLike, begin: int | Sequence[int], size: int | Sequence[int]) -> Tensor:
    """size[i] elements from begin[i] on of each axis i; a size of -1 means all the rest. A view."""

def slice_scatter(input: _TensorLike, src: _TensorLike, axis: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Any:
    """input with the slices start:end:step along an axis replaced."""

def slogdet(input: _TensorLike) -> Any:
    """(the sign of the determinants, the logarithm of their magnitude), by LU factorisation (LAPACK).

    The sign of a complex number is that divided by its magnitude; of 0 it is 0, and the logarithm -inf.
    """

def smooth_l1_loss(input: _TensorLike, target: _TensorLike, beta: float = 1.0, reduction: str = 'none') -> Any:
    """With d = abs(input - target), d**2 / (2 * beta) below beta, else d - beta / 2 (Girshick, 2015)."""

def soft_margin_loss(input: _TensorLike, target: _TensorLike, reduction: str = 'mean') -> Any:
    """log(1 + exp(-target * input))."""

def soft_shrink(input: _TensorLike, lambd: float = 0.5) -> Any:
    """input, by lambd nearer to 0, and 0 within [-lambd, lambd]."""

@overload
def softmax(input: _TensorLike, axis: int = -1) -> Tensor:
    """exp(input - m) / sum(exp(input - m)) along `axis`, where m is the largest element."""

@overload
def softmax(input: _TensorLike, axis: int = -1, *, dtype: _DType | None = None) -> Any:
    """exp(input) over its sum along an axis, computed from input less its largest element."""

def softmin(x: _TensorLike, axis: int = -1, *, dtype: _DType | None = None) -> Any:
    """exp(-x) over its sum along an axis."""

def softplus(input: _TensorLike, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + exp(beta * input)) / beta, and input itself where beta * input is above threshold."""

def softshrink(input: _TensorLike, lambd: float = 0.5) -> Any:
    """input, by lambd nearer to 0, and 0 within [-lambd, lambd]."""

def softsign(x: _TensorLike) -> Any:
    """x / (1 + abs(x))."""

def sort(input_x: _TensorLike, axis: int = -1, descending: bool = False) -> Any:
    """(the elements in order along an axis, their indices as int32), of equals the lower index first; NaN is the largest."""

def space_to_batch_nd(input_x: _TensorLike, block_size: int | Sequence[int], paddings: Any) -> Any:
    """Blocks of the last axes, of which the elements at each place within a block become a batch of their own."""

def sparse_segment_mean(x: _TensorLike, indices: _TensorLike, segment_ids: _TensorLike) -> Any:
    """The means of the slices that indices name, of each segment; 0 where there is none."""

def split(tensor: _TensorLike, split_size_or_sections: int | Sequence[int], axis: int = 0) -> tuple[Tensor, ...]:
    """Pieces along an axis: of one size, the last of which may be smaller, or of the given sizes. Views."""

def sqrt(x: _TensorLike) -> Tensor:
    """The square root, correctly rounded; NaN below zero. Integers give float32."""

def square(input: _TensorLike) -> Tensor:
    """input * input. Bool is a TypeError."""

def squeeze(input: _TensorLike, axis: int | Sequence[int] | None = None, *, dim: int | Sequence[int] | None = ...) -> Tensor:
    """Drops the axes of size one, or those of them that `axis` names; an axis of another size stays. A view."""

def stack(tensors: Sequence[_TensorLike], axis: int = 0) -> Tensor:
    """Joins tensors of one shape and dtype along a new axis."""

def standard_laplace(shape: int | Sequence[int], seed: int | None = None) -> Any:
    """Random numbers of density exp(-|x|) / 2, float32, by the inverse of the distribution function."""

def standard_normal(shape: int | Sequence[int], seed: int | None = None) -> Tensor:
    """Normally distributed float32 numbers of mean 0 and deviation 1, by Box and Muller: sqrt(-2 log u) cos(2 pi v)."""

def std(input: _TensorLike, axis: int | Sequence[int] | None = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The square root of `var`."""

def std_mean(input: _TensorLike, axis: int | Sequence[int] | None = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """(the standard deviations over axes, the means)."""

def stft(x: _TensorLike, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: _TensorLike | None = None, center: bool = True, pad_mode: str = 'REFLECT', normalized: bool = False, onesided: bool | None = None, return_complex: bool | None = None) -> Any:
    """The short-time Fourier transform of signals (L) or (N, L): (frequencies, frames), or (N, frequencies, frames)."""

def stop_gradient(value: Any) -> Any:
    """value itself, but no gradient flows back through it, nor through the Tensors in a tuple, list or dict."""

def stop_gradient_(input: _TensorLike) -> Tensor:
    """value itself, but no gradient flows back through it, nor through the Tensors in a tuple, list or dict.

    It is written into input, which is returned.
    """

def strided_slice(input_x: _TensorLike, begin: int | Sequence[int], end: int | Sequence[int], strides: int | Sequence[int], begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0) -> Any:
    """The region begin[i]:end[i]:strides[i] of each axis; bit i of a mask changes what entry i means. A view."""

def string_concat(x: Any, y: Any) -> Any:
    """x, followed by y."""

def string_eq(x: Any, y: Any) -> Any:
    """x == y."""

def sub(input: _Operand, other: _Operand) -> Tensor:
    """input - other, elementwise with broadcasting. Two bool operands are a TypeError."""

def sub_ext(input: _Operand, other: _Operand, alpha: _Operand = 1) -> Any:
    """input - alpha * other, elementwise with broadcasting."""

@overload
def subtract(input: _Operand, other: _Operand) -> Tensor:
    """input - other, elementwise with broadcasting. Two bool operands are a TypeError."""

@overload
def subtract(input: _Operand, other: _Operand, *, alpha: _Operand = 1) -> Any:
    """input - alpha * other, elementwise with broadcasting."""

def sum(input: _TensorLike, dim: int | Sequence[int] | None = None, keepdim: bool = False, *, dtype: _DType | None = None, axis: int | Sequence[int] | None = ..., keepdims: bool = ..., keep_dims: bool = ...) -> Tensor:
    """Sums the elements over `dim`. Bools, signed integers and uint8 give int64 unless `dtype` says otherwise; `input` is converted to `dtype` first."""

def svd(input: _TensorLike, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """(singular values in descending order, U, V), for which U diag(s) V^H is the input; or the values alone.

    By LAPACK's divide and conquer. The signs of pairs of vectors are LAPACK's. Gradients (Giles 2008) are those of what does
    not depend on them, and infinite where singular values are equal.
    """

def swapaxes(input: _TensorLike, axis0: int, axis1: int) -> Tensor:
    """Exchanges two axes. A view."""

def swapdims(input: _TensorLike, dim0: int, dim1: int) -> Tensor:
    """Exchanges two axes. A view."""

def swiglu(input: _TensorLike, dim: int = -1) -> Any:
    """silu of the first half along an axis times the second (Shazeer, 2020)."""

def t(input: _TensorLike) -> Any:
    """A matrix with its axes exchanged, a view; what has fewer axes itself."""

def tail(x: Any) -> Any:
    """All items but the first."""

def take(input: _TensorLike, index: _TensorLike) -> Any:
    """The elements at positions among all, in row-major order."""

def tan(input: _TensorLike) -> Tensor:
    """The tangent of radians. Integers give float32."""

def tanh(input: _TensorLike) -> Tensor:
    """The hyperbolic tangent, within 2 ulp. Integers give float32."""

def tanh_(input: _TensorLike) -> Tensor:
    """The hyperbolic tangent, within 2 ulp. Integers give float32.

    It is written into input, which is returned.
    """

def tanhshrink(input: _TensorLike) -> Any:
    """input - tanh(input); integers give float32."""

def tensor_add(input: _Operand, other: _Operand) -> Tensor:
    """input + other, elementwise with broadcasting; of two bools, their disjunction."""

def tensor_div(x: _Operand, y: _Operand) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

def tensor_dot(x1: _TensorLike, x2: _TensorLike, axes: Any) -> Any:
    """The sum of products over pairs of axes, of shape a's other axes, then b's."""

def tensor_exp(input: _TensorLike) -> Tensor:
    """e to the power of input, within 1 ulp. Integers give float32."""

def tensor_expm1(input: _TensorLike) -> Tensor:
    """exp(input) - 1, also exact near zero. Integers give float32."""

def tensor_floordiv(input: _Operand, other: _Operand) -> Tensor:
    """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def tensor_ge(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is at least other, elementwise with broadcasting."""

def tensor_gt(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is greater than other, elementwise with broadcasting."""

def tensor_le(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is at most other, elementwise with broadcasting."""

def tensor_lt(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is less than other, elementwise with broadcasting."""

def tensor_mod(x: _Operand, y: _Operand) -> Tensor:
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def tensor_mul(input: _Operand, other: _Operand) -> Tensor:
    """input * other, elementwise with broadcasting; of two bools, their conjunction."""

def tensor_muls(input: _Operand, other: _Operand) -> Tensor:
    """input * other, elementwise with broadcasting; of two bools, their conjunction."""

def tensor_pow(input: _Operand, exponent: _Operand) -> Tensor:
    """input to the power of exponent, elementwise with broadcasting. Special cases are C's: anything to the 0 is 1, a negative base with a fractional exponent is NaN. Integers wrap; a negative integer exponent gives 0 unless the base is 1 or -1. By 1, 2, 3 and -1 of floats it is products and a quotient. Two bool operands are a TypeError. The slope by the exponent is 0 where the base is 0 and the exponent is not negative."""

def tensor_range(start: Any, end: Any, step: Any) -> Any:
    """Numbers from start up to, but without, end, in steps; with one argument from 0."""

def tensor_scatter_add(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike) -> Any:
    """input_x, in which an element that a row of indices names is its sum with the update."""

def tensor_scatter_div(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike) -> Any:
    """input_x, in which an element that a row of indices names is its quotient by the update; of integers truncated, and 0 if that is by zero."""

def tensor_scatter_elements(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike, axis: int = 0, reduction: str = 'none') -> Tensor:
    """input_x with `updates` written ('none') or added ('add') where gather_d would have read them, in index order."""

def tensor_scatter_max(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike) -> Any:
    """input_x, in which an element that a row of indices names is the larger of it and the update."""

def tensor_scatter_min(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike) -> Any:
    """input_x, in which an element that a row of indices names is the smaller of it and the update."""

def tensor_scatter_mul(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike) -> Any:
    """input_x, in which an element that a row of indices names is its product with the update."""

def tensor_scatter_sub(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike) -> Any:
    """input_x, in which an element that a row of indices names is its difference from the update."""

def tensor_scatter_update(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike) -> Any:
    """input_x, in which an element that a row of indices names is the update."""

def tensor_slice(input: _TensorLike, begin: int | Sequence[int], size: int | Sequence[int]) -> Tensor:
    """size[i] elements from begin[i] on of each axis i; a size of -1 means all the rest. A view."""

def tensor_split(input: _TensorLike, indices_or_sections: int | Sequence[int], axis: int = 0) -> Any:
    """Pieces along an axis. Views."""

def tensor_sub(input: _Operand, other: _Operand) -> Tensor:
    """input - other, elementwise with broadcasting. Two bool operands are a TypeError."""

def threshold(input: _TensorLike, thr: _Operand, value: _Operand) -> Any:
    """input where it is above a number, else another number."""

def tile(input: _TensorLike, dims: int | Sequence[int] = ..., *, reps: int | Sequence[int] = ...) -> Tensor:
    """Repeats the tensor dims[i] times along axis i, counted from the last."""

def top_k(input_x: _TensorLike, k: int, sorted: bool = True) -> Any:
    """(the k largest elements along an axis in order, their indices as int32), of equals the lower index first.

    NaN is the largest.
    """

def topk(input: _TensorLike, k: int, dim: int | None = None, largest: bool = True, sorted: bool = True) -> Any:
    """(the k largest elements along an axis in order, their indices as int32), of equals the lower index first.

    NaN is the largest.
    """

def trace(input: _TensorLike) -> Any:
    """The sum of a matrix's diagonal, in its dtype."""

def tracev2_grad_op(dout: _TensorLike, shape: Any, offset: int = 0, axis1: int = 1, axis2: int = 0) -> Any:
    """The gradient of trace by input."""

def transpose(input: _TensorLike, dims: int | Sequence[int] = ..., *, input_perm: int | Sequence[int] = ...) -> Tensor:
    """Axis i of the result is axis dims[i] of the operand. A view."""

def trapz(y: _Operand, x: Any = None, *, dx: float = 1.0, dim: int = -1) -> Any:
    """The integral along an axis by the trapezoidal rule."""

def tril(input: _TensorLike, diagonal: int = 0) -> Tensor:
    """The matrices of the last two axes with zeros above the given diagonal."""

def tril_indices(row: int, col: int, offset: int = 0, *, dtype: _DType = ...) -> Any:
    """A matrix of two rows: the row and the column of each element of a matrix on a diagonal and below it, in row-major order."""

def triplet_margin_loss(anchor: _TensorLike, positive: _TensorLike, negative: _TensorLike, margin: _Operand = 1.0, p: _Operand = 2, eps: float = 1e-06, swap: bool = False, reduction: str = 'mean') -> Any:
    """max(0, margin + d(anchor, positive) - d(anchor, negative)) of distances along the last axis (Balntas et al., 2016)."""

def triu(input: _TensorLike, diagonal: int = 0) -> Tensor:
    """The matrices of the last two axes with zeros below the given diagonal."""

def triu_indices(row: int, col: int, offset: int = 0, *, dtype: _DType = ...) -> Any:
    """A matrix of two rows: the row and the column of each element of a matrix on a diagonal and above it, in row-major order."""

def true_divide(dividend: _Operand, divisor: _Operand) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

def trunc(input: _TensorLike) -> Tensor:
    """Rounds toward zero to an integer, in the dtype of input."""

def truncate_div(x: _Operand, y: _Operand) -> Any:
    """x / y rounded toward zero, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0."""

def truncate_mod(x: _Operand, y: _Operand) -> Tensor:
    """input - other * trunc(input / other), exactly, elementwise with broadcasting: the remainder that has the sign of input. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def tuple_div(x: Any, y: Any) -> Any:
    """Each item of x divided by that of y."""

def tuple_equal(x: Any, y: Any) -> Any:
    """x == y."""

def tuple_getitem(x: Any, index: Any) -> Any:
    """An item."""

def tuple_len(x: Any) -> Any:
    """The number of items."""

def tuple_reversed(x: Any) -> Any:
    """The items in reverse order."""

def tuple_setitem(x: Any, index: Any, value: Any) -> Any:
    """A copy with another item."""

def tuple_to_array(input_x: Any) -> Any:
    """A 1-d Tensor of a tuple of numbers: int32 of ints, float32 of floats."""

def type_as(input: _TensorLike, other: _TensorLike) -> Any:
    """Converted to the dtype of another Tensor; of this dtype, itself."""

def unbind(input: _TensorLike, dim: int = 0) -> tuple[Any, ...]:
    """The slices along an axis. Views."""

def unflatten(input: _TensorLike, axis: int, unflattened_size: int | Sequence[int]) -> Any:
    """An axis as several. A view."""

def unfold(input: _TensorLike, kernel_size: int | Sequence[int], dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1) -> Any:
    """The windows of images (N, C, H, W) or (C, H, W) as columns: (N, C * kernel's size, windows), or without N."""

def uniform(shape: int | Sequence[int], minval: _Operand, maxval: _Operand, seed: int | None = None, dtype: _DType = ...) -> Tensor:
    """Numbers drawn evenly from [minval, maxval), which may be tensors and broadcast. An integer dtype takes whole numbers below each."""

def uniform_(input: _TensorLike, from_: float = 0.0, to: float = 1.0, *, generator: Any = None) -> Tensor:
    """Random numbers of [from_, to): from_ + u * (to - from_), where u are those of rand() in input's shape and dtype.

    It is written into input, which is returned.
    """

def uniform_candidate_sampler(true_classes: _TensorLike, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0, remove_accidental_hits: bool = False) -> Any:
    """(classes drawn from 0 .. range_max - 1, all as likely; how often each of true_classes, and of those drawn, is to be
    expected among them, as float32).
    """

def unique(input: _TensorLike) -> Any:
    """(the distinct elements in the order of their first occurrence, 1-d; which of them each element is).

    Each NaN is distinct. The second is of int64 if the input is, else of int32.
    """

def unique_consecutive(input: _TensorLike, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None) -> Any:
    """The elements, or slices along an axis, that differ from those before them. Each NaN is distinct."""

def unique_with_pad(x: _TensorLike, pad_num: _Operand) -> Any:
    """(the distinct elements in the order of their first occurrence, filled up to x's size; which each is)."""

def unsorted_segment_max(x: _TensorLike, segment_ids: _TensorLike, num_segments: Any) -> Any:
    """The largest elements of the slices of each segment; the least number of the dtype where there is none."""

def unsorted_segment_min(x: _TensorLike, segment_ids: _TensorLike, num_segments: Any) -> Any:
    """The smallest elements of the slices of each segment; the largest number of the dtype where there is none."""

def unsorted_segment_prod(x: _TensorLike, segment_ids: _TensorLike, num_segments: Any) -> Any:
    """The products of the slices of each segment; 1 where there is none."""

def unsorted_segment_sum(input_x: _TensorLike, segment_ids: _TensorLike, num_segments: Any) -> Any:
    """The sums of the slices of each segment."""

def unsqueeze(input: _TensorLike, dim: int) -> Tensor:
    """Inserts an axis of size one. A view."""

def unstack(input_x: _TensorLike, axis: int = 0) -> tuple[Any, ...]:
    """The slices along an axis. Views."""

def upsample(input: _TensorLike, size: Any = None, scale_factor: Any = None, mode: str = 'nearest', align_corners: bool | None = None, recompute_scale_factor: bool | None = None) -> Any:
    """Signals (N, C, W), images (N, C, H, W) or volumes (N, C, D, H, W) resized.

    Elements lie in the middles of pixels, whose outer edges stay where they are. Cubic convolution is that of Keys (1981):
    in PyTorch's names, and where corners are aligned, with the coefficient -0.75 and the last elements beyond the ends;
    else with -0.5, of third order, and weights among the elements that there are.
    """

def vander(x: _TensorLike, N: int | None = None) -> Any:
    """The powers of the elements of a vector, a row for each: x^(N - 1), ..., x, 1; of integers and bools in int64."""

def var(input: _TensorLike, axis: int | Sequence[int] | None = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The sum of squared differences from the mean over `axis`, divided by the number of elements less `ddof`."""

def var_mean(input: _TensorLike, axis: int | Sequence[int] | None = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """(the variances over axes, the means)."""

def vecdot(x: _TensorLike, y: _TensorLike, *, axis: int = -1) -> Any:
    """The sum of products along an axis after broadcasting, x's elements conjugated; of integers in int64."""

def vector_norm(x: _TensorLike, ord: Any = 2, axis: int | Sequence[int] | None = None, keepdims: bool = False, *, dtype: _DType | None = None) -> Any:
    """(sum |x|^ord)^(1 / ord) along axes; inf: the largest magnitude, -inf: the smallest, 0: how many are not 0."""

def view_as(input: _TensorLike, other: _TensorLike) -> Any:
    """The same elements under the shape of other."""

def view_as_complex(input: _TensorLike) -> Tensor:
    """The complex numbers whose parts lie along the last axis, of size 2. A view where the parts of each are next to each other."""

def view_as_real(input: _TensorLike) -> Tensor:
    """A complex tensor's parts along a new last axis of 2. A view."""

def vsplit(input: _TensorLike, indices_or_sections: int | Sequence[int]) -> Any:
    """Pieces along axis 0. Views."""

def vstack(inputs: Any) -> Any:
    """Joined along the first axis, with one axis as rows."""

def where(condition: _Operand, input: _Operand, other: _Operand) -> Tensor:
    """input where condition, else other, elementwise; all three broadcast, input and other promote. A condition that is not bool is a TypeError."""

def xdivy(x: _Operand, y: _Operand) -> Tensor:
    """x / y, and 0 where x is 0, elementwise with broadcasting. Integers give float32."""

def xlogy(input: _Operand, other: _Operand) -> Tensor:
    """input * log(other), and 0 where input is 0 unless other is NaN, elementwise with broadcasting. Integers give float32."""

def zero_(input: _TensorLike) -> Tensor:
    """value, in the dtype of input.

    It is written into input, which is returned.
    """

def zeros(size: int | Sequence[int] = ..., dtype: _DType | None = None, *, shape: int | Sequence[int] = ...) -> Tensor:
    """A tensor of zeros, float32 unless dtype says otherwise."""

def zeros_like(input: _TensorLike, *, dtype: _DType | None = None) -> Tensor:
    """Zeros of input's shape, and its dtype unless another is given."""

def zeta(input: _Operand, other: _Operand) -> Tensor:
    """Hurwitz' zeta function: the sum of (other + k)^-input from k = 0, elementwise with broadcasting. Infinite at input 1 and at integers other up to 0, NaN for input below 1 and where a power is not real. Integers give float32."""

def __getattr__(name: str) -> Any: ...
