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
        "arrays": "ptp",
        "complex": "angle arctan2 atan2 atan2_ conj hypot hypot_ imag is_complex isreal real",
        "conversion": (
            "astype bfloat16 bool byte char clone copy dim double float half int is_floating_point is_signed "
            "itemset long ndimension nelement numel register_hook set_data short stride to type_as value "
        ),
        "creation": "fill fills new_empty new_full new_ones new_zeros",
        "diagonals": "diag diagflat",
        "indexing": "gather gather_d gather_elements index_select masked_fill masked_fill_ select where",
        "joining": "dsplit hsplit tensor_split vsplit",
        "logic": (
            "bitwise_and bitwise_not bitwise_or bitwise_xor eq equal ge greater greater_equal gt invert isfinite "
            "isinf isnan le less less_equal logical_and logical_not logical_or logical_xor lt ne not_equal "
        ),
        "movement": (
            "broadcast_to chunk diagonal expand expand_as expand_dims flatten flip moveaxis movedim narrow "
            "permute ravel repeat_interleave reshape reshape_as resize reverse split squeeze sum_to_size swapaxes "
            "swapdims t tile transpose tril tril_ triu triu_ unbind unflatten unsqueeze view view_as "
        ),
        "products": "bmm matmul mm",
        "random": "bernoulli bernoulli_ exponential_ normal_ random_ uniform_",
        "rearranging": "fliplr flipud repeat roll rot90",
        "reductions": (
            "all amax amin any argmax argmax_with_value argmin argmin_with_value cumsum max mean min prod std sum "
            "var "
        ),
        "sorting": "argsort median msort nanmedian sort topk unique",
        "writes": (
            "addmm addmm_ copy_ fill_ fill_diagonal_ index_add index_add_ index_copy_ index_fill index_fill_ "
            "index_put index_put_ masked_scatter masked_scatter_ put_ scatter scatter_ scatter_add scatter_add_ "
            "zero_ "
        ),
    },
    "mint": {
        "activations": "sigmoid softmax",
        "arithmetic": (
            "abs add ceil clamp clip cos div divide erf exp expm1 fix floor floor_divide log log1p maximum "
            "minimum mul neg negative pow reciprocal remainder round rsqrt sign sin sqrt square sub tanh trunc "
        ),
        "complex": "arctan2 atan2 imag polar real",
        "conversion": "clone",
        "convolution": "conv2d",
        "creation": "arange empty empty_like eye full full_like ones ones_like zeros zeros_like",
        "diagonals": "diag",
        "indexing": "gather index_select masked_fill select where",
        "joining": "dstack hstack meshgrid",
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
        "rearranging": "roll",
        "reductions": "all amax amin any argmax argmin cumsum max mean min prod std sum var",
        "sorting": "argsort median sort topk unique",
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
        "movement": "flatten",
        "networks": "cross_entropy layer_norm mse_loss nll_loss",
        "padding": "pad",
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
        "arrays": (
            "array array_equal array_equiv array_str asarray asfarray broadcast_arrays convolve correlate ediff1d "
            "isscalar polyadd polyder polyint polymul polysub polyval promote_types ptp result_type size sometrue "
        ),
        "complex": "arctan2 hypot",
        "creation": "arange empty empty_like eye full full_like identity ones ones_like tri zeros zeros_like",
        "diagonals": "diag diagflat",
        "indexing": "where",
        "joining": (
            "append array_split atleast_1d atleast_2d atleast_3d column_stack concatenate dsplit dstack hsplit "
            "hstack meshgrid split vsplit vstack "
        ),
        "logic": (
            "bitwise_and bitwise_not bitwise_or bitwise_xor equal greater greater_equal invert isfinite isinf "
            "isnan less less_equal logical_and logical_not logical_or logical_xor not_equal "
        ),
        "movement": (
            "broadcast_to diagonal expand_dims moveaxis ravel reshape squeeze stack swapaxes tile transpose tril "
            "triu "
        ),
        "padding": "pad",
        "products": "matmul",
        "random": "rand randn",
        "rearranging": "flip fliplr flipud repeat roll rollaxis rot90",
        "reductions": "amax amin argmax argmin max mean min std sum var",
        "sequences": "bartlett blackman geomspace hamming hanning linspace logspace",
        "sorting": "unique",
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
        "complex": (
            "Angle Atan2 Complex ComplexAbs Conj Hypot Imag Polar Real angle arctan2 atan2 complex conj hypot "
            "imag is_complex isreal polar real view_as_complex view_as_real "
        ),
        "conversion": (
            "Cast DType DynamicShape Identity IdentityN Rank Shape Size TensorShape TensorToTuple cast dtype "
            "dyn_shape identity is_floating_point is_tensor numel rank shape shape_ size type_as "
        ),
        "convolution": (
            "Conv2D Conv2DBackpropInput Conv2DTranspose Conv3D Conv3DTranspose conv1d conv2d conv3d "
            "conv_transpose1d conv_transpose2d conv_transpose3d "
        ),
        "creation": (
            "Eye Fill FillV2 Fills Ones OnesLike Range ScalarToTensor TupleToArray Zeros ZerosLike arange eye "
            "fill fills full full_like ones ones_like range scalar_to_tensor tensor_range tuple_to_array zeros "
            "zeros_like "
        ),
        "diagonals": (
            "Diag DiagPart MatrixBandPart MatrixDiagPartV3 MatrixDiagV3 MatrixSetDiagV3 diag diag_embed diagflat "
            "matrix_band_part matrix_diag matrix_diag_part matrix_set_diag "
        ),
        "effects": (
            "Assign AssignAdd AssignSub Depend NPUClearFloatStatus Print StopGradient assign assign_add "
            "assign_sub depend foreign_call print_ stop_gradient "
        ),
        "fourier": (
            "fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft "
            "irfft2 irfftn rfft rfft2 rfftfreq rfftn "
        ),
        "indexing": (
            "Gather GatherD GatherElements IndexAdd MaskedFill OneHot Pad PadV3 Select Slice StridedSlice "
            "TensorScatterElements gather gather_d gather_elements index_add index_select masked_fill one_hot "
            "select slice strided_slice tensor_scatter_elements tensor_slice where "
        ),
        "joining": (
            "Meshgrid ParallelConcat SplitV atleast_1d atleast_2d atleast_3d block_diag cartesian_prod "
            "column_stack combinations dsplit dstack hsplit hstack meshgrid row_stack tensor_split vsplit vstack "
        ),
        "logic": (
            "BitwiseAnd BitwiseOr BitwiseXor Equal Greater GreaterEqual Invert IsFinite IsInf IsNan Less "
            "LessEqual LogicalAnd LogicalNot LogicalOr LogicalXor NotEqual bitwise_and bitwise_not bitwise_or "
            "bitwise_xor eq equal ge greater greater_equal gt invert isfinite isinf isnan le less less_equal "
            "logical_and logical_not logical_or logical_xor lt ne not_equal "
        ),
        "movement": (
            "BroadcastTo Concat Expand ExpandDims Flatten Pack Reshape ReverseV2 Split Squeeze Stack Tile "
            "Transpose TransposeExtView TransposeView Tril Triu Unpack Unstack broadcast_to cat chunk concat "
            "diagonal expand expand_as expand_dims flatten flip moveaxis movedim narrow permute ravel "
            "repeat_interleave reshape reverse split squeeze stack swapaxes swapdims t tile transpose tril triu "
            "unbind unflatten unsqueeze unstack view_as "
        ),
        "networks": (
            "BatchNorm L2Loss LayerNorm SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits "
            "attention batch_norm cross_entropy flash_attention_score layer_norm mse_loss nll_loss "
        ),
        "padding": "MirrorPad Padding mirror_pad pad padding",
        "pooling": (
            "AdaptiveAvgPool2D AdaptiveAvgPool3D AvgPool AvgPool3D MaxPool MaxPool3D adaptive_avg_pool1d "
            "adaptive_avg_pool2d adaptive_avg_pool3d avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d "
            "max_pool3d "
        ),
        "products": "BatchMatMul BiasAdd Dense MatMul bias_add bmm dense matmul mm",
        "random": (
            "Dropout StandardNormal UniformInt UniformReal bernoulli bernoulli_ dropout exponential_ normal "
            "normal_ rand rand_like randint randn randn_like random_ standard_normal uniform uniform_ "
        ),
        "rearranging": (
            "BatchToSpace BatchToSpaceND BatchToSpaceNDV2 ChannelShuffle DepthToSpace Roll SpaceToBatch "
            "SpaceToBatchND SpaceToDepth batch_to_space_nd channel_shuffle fliplr flipud repeat_elements roll "
            "rot90 space_to_batch_nd "
        ),
        "reductions": (
            "ArgMaxWithValue ArgMinWithValue Argmax Argmin CumSum ReduceAll ReduceAny ReduceMax ReduceMean "
            "ReduceMin ReduceProd ReduceSum all amax amin any argmax argmin cumsum max mean min prod reduce_max "
            "reduce_min reduce_prod reduce_sum std sum var "
        ),
        "scalars": (
            "ScalarCast ScalarToArray array_to_scalar bool_and bool_eq bool_not bool_or deepcopy dict_getitem "
            "dict_setitem in_dict is_ is_nonzero is_not isconstant list_equal list_getitem list_len list_setitem "
            "make_dict make_list make_range make_slice make_tuple not_in_dict reduced_shape scalar_add "
            "scalar_cast scalar_div scalar_eq scalar_floordiv scalar_ge scalar_gt scalar_le scalar_log scalar_lt "
            "scalar_max scalar_min scalar_mod scalar_mul scalar_ne scalar_pow scalar_sub scalar_to_array "
            "scalar_uadd scalar_usub shape_mul string_concat string_eq tail tuple_div tuple_equal tuple_getitem "
            "tuple_len tuple_reversed tuple_setitem "
        ),
        "sequences": (
            "BartlettWindow BlackmanWindow HammingWindow LinSpace LogSpace bartlett_window blackman_window "
            "hamming_window hann_window kaiser_window linspace logspace "
        ),
        "sorting": "Sort TopK Unique argsort median msort nanmedian sort topk unique",
        "writes": "addmm index_fill index_put masked_scatter put_ scatter zero_",
    },
}
NAMES = {
    scope: {name: module for module, names in modules.items() for name in names.split()}
    for scope, modules in _DECLARED.items()
}
