"""The public names that each module of emberjit.functions declares. Written by tools/stubs.py."""

from __future__ import annotations

_DECLARED = {
    "Tensor": {
        "activations": "relu_ sigmoid sigmoid_ softmax",
        "arithmetic": (
            "abs abs_ absolute add add_ ceil ceil_ clamp clamp_ clip clip_ cos cos_ div div_ divide erf erf_ exp "
            "exp_ expm1 expm1_ floor floor_ floor_div floor_divide floor_divide_ floor_mod log log1p log1p_ log_ "
            "maximum minimum mul mul_ multiply neg neg_ negative pow pow_ reciprocal reciprocal_ remainder "
            "remainder_ round round_ rsqrt rsqrt_ sign sign_ sin sin_ sqrt sqrt_ square square_ sub sub_ subtract "
            "tanh tanh_ true_divide trunc trunc_ "
        ),
        "choosing": (
            "argwhere choose count_nonzero diagonal_scatter index masked_select nonzero select_scatter "
            "slice_scatter take "
        ),
        "complex": "angle arctan2 atan2 atan2_ conj hypot hypot_ imag is_complex isreal real",
        "conversion": (
            "astype bfloat16 bool byte char clone copy dim double float half int is_floating_point long numel "
            "register_hook set_data short stride to value "
        ),
        "creation": "fill new_ones new_zeros",
        "histograms": "histc",
        "indexing": "gather gather_d gather_elements index_select masked_fill masked_fill_ select where",
        "logic": (
            "bitwise_and bitwise_not bitwise_or bitwise_xor eq equal ge greater greater_equal gt invert isfinite "
            "isinf isnan le less less_equal logical_and logical_not logical_or logical_xor lt ne not_equal "
        ),
        "movement": (
            "broadcast_to chunk diagonal expand expand_as expand_dims flatten flip moveaxis movedim narrow "
            "permute ravel repeat_interleave reshape reshape_as reverse split squeeze swapaxes swapdims t tile "
            "transpose tril tril_ triu triu_ unbind unflatten unsqueeze view view_as "
        ),
        "products": "bmm matmul mm",
        "random": "bernoulli bernoulli_ exponential_ normal_ random_ uniform_",
        "reductions": (
            "all amax amin any argmax argmax_with_value argmin argmin_with_value cumsum max mean min prod std sum "
            "var "
        ),
        "scans": "cummax cummin cumprod diff logcumsumexp",
        "scattering": "gather_nd inplace_update scatter_div scatter_max scatter_min scatter_mul scatter_sub",
        "searching": "bincount searchsorted",
        "segments": "reverse_sequence unsorted_segment_max unsorted_segment_min unsorted_segment_prod unsorted_segment_sum",
        "sets": "unique_consecutive unique_with_pad",
        "sorting": "argsort median msort nanmedian sort top_k topk unique",
        "statistics": "aminmax kthvalue logsumexp nanmean nanquantile nansum quantile",
        "writes": (
            "addmm addmm_ copy_ fill_ fill_diagonal fill_diagonal_ index_add index_add_ index_copy_ index_fill "
            "index_fill_ index_put index_put_ masked_scatter masked_scatter_ put_ scatter scatter_ scatter_add "
            "scatter_add_ zero_ "
        ),
    },
    "mint": {
        "activations": "sigmoid softmax",
        "arithmetic": (
            "abs add ceil clamp clip cos div divide erf exp expm1 fix floor floor_divide log log1p maximum "
            "minimum mul neg negative pow reciprocal remainder round rsqrt sign sin sqrt square sub tanh trunc "
        ),
        "choosing": "count_nonzero masked_select nonzero take",
        "complex": "arctan2 atan2 imag polar real",
        "conversion": "clone",
        "convolution": "conv2d",
        "creation": "arange eye full full_like ones ones_like zeros zeros_like",
        "histograms": "histc",
        "indexing": "gather index_select masked_fill select where",
        "logic": (
            "bitwise_and bitwise_not bitwise_or bitwise_xor eq ge greater greater_equal gt isfinite isinf isnan "
            "le less less_equal logical_and logical_not logical_or logical_xor lt ne not_equal "
        ),
        "movement": (
            "broadcast_to cat chunk concat diagonal flatten flip movedim narrow permute ravel repeat_interleave "
            "reshape split squeeze stack swapaxes swapdims t tile transpose tril triu unbind unflatten unsqueeze "
        ),
        "products": "bmm matmul mm",
        "random": "rand rand_like randn randn_like",
        "reductions": "all amax amin any argmax argmin cumsum max mean min prod std sum var",
        "scans": "cummax cummin cumprod diff",
        "searching": "bincount searchsorted",
        "sets": "unique_consecutive",
        "sorting": "argsort median sort topk unique",
        "statistics": "kthvalue logsumexp nansum std_mean var_mean",
        "writes": "addmm index_add index_put scatter scatter_add",
    },
    "mint.nn": {
        "activations": "GELU Hardsigmoid Hardswish LogSoftmax ReLU Sigmoid Softmax Softplus",
        "arithmetic": "Tanh",
        "movement": "Flatten",
    },
    "mint.nn.functional": {
        "activations": (
            "gelu hardsigmoid hardswish leaky_relu log_softmax relu relu6 relu_ sigmoid sigmoid_ silu softmax "
            "softplus "
        ),
        "arithmetic": "tanh",
        "convolution": "conv2d conv_transpose1d conv_transpose2d conv_transpose3d",
        "indexing": "one_hot pad",
        "movement": "flatten",
        "networks": "cross_entropy layer_norm mse_loss nll_loss",
        "pooling": "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d max_pool2d",
        "products": "linear",
        "random": "dropout",
    },
    "mint.special": {
        "arithmetic": "erf expm1 log1p round",
    },
    "nn": {
        "activations": "GELU HSigmoid HSwish LeakyReLU LogSoftmax ReLU ReLU6 SiLU Sigmoid Softmax",
        "arithmetic": "Tanh",
        "movement": "Flatten",
    },
    "numpy": {
        "arithmetic": (
            "abs absolute add ceil clip cos divide exp expm1 fix floor floor_divide log log1p maximum minimum mod "
            "multiply negative power reciprocal remainder sign sin sqrt square subtract tanh true_divide trunc "
        ),
        "choosing": "argwhere choose count_nonzero select take take_along_axis",
        "complex": "arctan2 hypot",
        "creation": "arange full ones zeros",
        "histograms": "histogram histogram2d histogram_bin_edges histogramdd",
        "indexing": "where",
        "logic": (
            "bitwise_and bitwise_not bitwise_or bitwise_xor equal greater greater_equal invert isfinite isinf "
            "isnan less less_equal logical_and logical_not logical_or logical_xor not_equal "
        ),
        "movement": (
            "broadcast_to diagonal expand_dims moveaxis ravel reshape squeeze stack swapaxes tile transpose tril "
            "triu "
        ),
        "positions": (
            "apply_along_axis apply_over_axes diag_indices indices interp ix_ piecewise ravel_multi_index "
            "tril_indices tril_indices_from triu_indices triu_indices_from unravel_index "
        ),
        "products": "matmul",
        "random": "rand randn",
        "reductions": "amax amin argmax argmin max mean min std sum var",
        "scans": "cumprod cumsum diff ediff1d gradient nancumsum trapz",
        "searching": "bincount digitize searchsorted",
        "sets": "in1d intersect1d isin setdiff1d union1d",
        "sorting": "unique",
        "statistics": "average nanmax nanmean nanmin nanstd nansum nanvar",
    },
    "ops": {
        "activations": (
            "GeLU GeluExt HSigmoid HSwish LogSoftmax ReLU ReLU6 SiLU Sigmoid Softmax gelu hardsigmoid hardswish "
            "leaky_relu log_softmax relu relu6 sigmoid silu softmax softplus "
        ),
        "arithmetic": (
            "Abs Add AddV2 Ceil Cos Div Erf Exp Expm1 Floor FloorDiv FloorMod Inv Log Log1p Maximum Minimum Mod "
            "Mul Neg Pow RealDiv Reciprocal Round Rsqrt Sign Sin Sqrt Square Sub SubV2 Tanh Trunc abs absolute "
            "add ceil clamp clamp_ clip clip_by_value cos div divide erf exp expm1 floor floor_div floor_divide "
            "floor_mod fma log log1p maximum minimum mul multiply neg negative pow reciprocal remainder round "
            "rsqrt sign sin sqrt square sub subtract tanh tanh_ true_divide trunc "
        ),
        "choosing": (
            "CountNonZero EmbeddingLookup GatherV2 MaskedSelect NonZero SparseGatherV2 argwhere count_nonzero "
            "diagonal_scatter is_nonzero masked_select nonzero select_scatter slice_scatter take "
        ),
        "complex": (
            "Angle Atan2 Complex ComplexAbs Conj Hypot Imag Polar Real angle arctan2 atan2 complex conj hypot "
            "imag is_complex isreal polar real view_as_complex view_as_real "
        ),
        "conversion": "Cast DType Identity Rank Shape Size cast identity is_floating_point is_tensor numel rank shape size",
        "convolution": (
            "Conv2D Conv2DBackpropInput Conv2DTranspose Conv3D Conv3DTranspose conv1d conv2d conv3d "
            "conv_transpose1d conv_transpose2d conv_transpose3d "
        ),
        "creation": (
            "Eye Fill FillV2 Ones OnesLike Range ScalarToTensor TupleToArray Zeros ZerosLike arange eye fill full "
            "full_like ones ones_like range scalar_to_tensor tuple_to_array zeros zeros_like "
        ),
        "effects": (
            "Assign AssignAdd AssignSub Depend NPUClearFloatStatus Print StopGradient assign assign_add "
            "assign_sub depend foreign_call print_ stop_gradient "
        ),
        "fourier": (
            "fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft "
            "irfft2 irfftn rfft rfft2 rfftfreq rfftn "
        ),
        "histograms": "Histogram HistogramFixedWidth histc",
        "indexing": (
            "Gather GatherD GatherElements IndexAdd MaskedFill OneHot Pad PadV3 Select Slice StridedSlice "
            "TensorScatterElements gather gather_d gather_elements index_add index_select masked_fill one_hot pad "
            "select slice strided_slice tensor_scatter_elements where "
        ),
        "logic": (
            "BitwiseAnd BitwiseOr BitwiseXor Equal Greater GreaterEqual Invert IsFinite IsInf IsNan Less "
            "LessEqual LogicalAnd LogicalNot LogicalOr LogicalXor NotEqual bitwise_and bitwise_not bitwise_or "
            "bitwise_xor eq equal ge greater greater_equal gt invert isfinite isinf isnan le less less_equal "
            "logical_and logical_not logical_or logical_xor lt ne not_equal "
        ),
        "movement": (
            "BroadcastTo Concat ExpandDims Flatten Reshape ReverseV2 Split Squeeze Stack Tile Transpose Tril Triu "
            "Unstack broadcast_to cat chunk concat diagonal expand_as expand_dims flatten flip moveaxis movedim "
            "narrow permute ravel repeat_interleave reshape reverse split squeeze stack swapaxes swapdims t tile "
            "transpose tril triu unbind unflatten unsqueeze unstack "
        ),
        "networks": (
            "BatchNorm L2Loss LayerNorm SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits "
            "attention batch_norm cross_entropy flash_attention_score layer_norm mse_loss nll_loss "
        ),
        "pooling": (
            "AdaptiveAvgPool2D AdaptiveAvgPool3D AvgPool AvgPool3D MaxPool MaxPool3D adaptive_avg_pool1d "
            "adaptive_avg_pool2d adaptive_avg_pool3d avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d "
            "max_pool3d "
        ),
        "positions": "DataFormatDimMap InvertPermutation TrilIndices TriuIndices UnravelIndex tril_indices triu_indices",
        "products": "BatchMatMul BiasAdd Dense MatMul bias_add bmm dense matmul mm",
        "random": (
            "Dropout StandardNormal UniformInt UniformReal bernoulli bernoulli_ dropout exponential_ normal "
            "normal_ rand rand_like randint randn randn_like random_ standard_normal uniform uniform_ "
        ),
        "reductions": (
            "ArgMaxWithValue ArgMinWithValue Argmax Argmin ReduceAll ReduceAny ReduceMax ReduceMean ReduceMin "
            "ReduceProd ReduceSum all amax amin any argmax argmin cumsum max mean min prod reduce_max reduce_min "
            "reduce_prod reduce_sum std sum var "
        ),
        "scans": "CumProd CumSum Cummax Cummin CumulativeLogsumexp cummax cummin cumprod diff diff_ext logcumsumexp trapz",
        "scattering": (
            "GatherNd InplaceAdd InplaceIndexAdd InplaceSub InplaceUpdate InplaceUpdateV2 ScatterAdd ScatterDiv "
            "ScatterMax ScatterMin ScatterMul ScatterNd ScatterNdAdd ScatterNdDiv ScatterNdMax ScatterNdMin "
            "ScatterNdMul ScatterNdSub ScatterNdUpdate ScatterNonAliasingAdd ScatterSub ScatterUpdate "
            "TensorScatterAdd TensorScatterDiv TensorScatterMax TensorScatterMin TensorScatterMul "
            "TensorScatterSub TensorScatterUpdate gather_nd inplace_add inplace_index_add inplace_sub "
            "inplace_update scatter_add scatter_div scatter_max scatter_min scatter_mul scatter_nd scatter_nd_add "
            "scatter_nd_div scatter_nd_max scatter_nd_min scatter_nd_mul scatter_nd_sub scatter_nd_update "
            "scatter_sub scatter_update tensor_scatter_add tensor_scatter_div tensor_scatter_max "
            "tensor_scatter_min tensor_scatter_mul tensor_scatter_sub tensor_scatter_update "
        ),
        "searching": "Bincount Bucketize LowerBound SearchSorted UpperBound bincount bucketize searchsorted",
        "segments": (
            "ReverseSequence SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum UnsortedSegmentMax "
            "UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSum reverse_sequence sequence_mask "
            "sparse_segment_mean unsorted_segment_max unsorted_segment_min unsorted_segment_prod "
            "unsorted_segment_sum "
        ),
        "sets": "ListDiff UniqueConsecutive UniqueWithPad unique_consecutive unique_with_pad",
        "sorting": "Median Sort TopK Unique argsort median msort nanmedian sort top_k topk unique",
        "statistics": (
            "InTopK NthElement Quantile ReduceStd aminmax intopk logsumexp nanmean nanquantile nansum quantile "
            "std_mean var_mean "
        ),
        "writes": (
            "FillDiagonal IndexFill IndexPut MaskedScatter ScatterAddWithAxis addmm index_fill index_put "
            "masked_scatter put_ scatter zero_ "
        ),
    },
}
NAMES = {
    scope: {name: module for module, names in modules.items() for name in names.split()}
    for scope, modules in _DECLARED.items()
}
