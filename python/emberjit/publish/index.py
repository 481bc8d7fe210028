"""The public names that each module of emberjit.functions declares. Written by tools/stubs.py."""

from __future__ import annotations

_DECLARED = {
    "Tensor": {
        "activations": "hardshrink relu_ sigmoid sigmoid_ soft_shrink softmax",
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
        "convolution": "conv2d conv_tbc",
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
        "activations": (
            "ELU GELU Hardshrink Hardsigmoid Hardswish Hardtanh LogSigmoid LogSoftmax Mish ReLU ReLU6 SELU SiLU "
            "Sigmoid Softmax Softplus Threshold "
        ),
        "arithmetic": "Tanh",
        "losses": "BCELoss BCEWithLogitsLoss CrossEntropyLoss KLDivLoss L1Loss MSELoss NLLLoss SmoothL1Loss",
        "margin_losses": "CosineEmbeddingLoss SoftMarginLoss",
        "max_pooling": "AdaptiveMaxPool1d AdaptiveMaxPool2d MaxUnpool2d",
        "movement": "Flatten",
        "padding_layers": (
            "ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d ReflectionPad2d ReflectionPad3d "
            "ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d "
        ),
        "pooling": "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AvgPool1d AvgPool2d AvgPool3d MaxPool2d",
    },
    "mint.nn.functional": {
        "activations": (
            "elu elu_ gelu glu hardshrink hardsigmoid hardswish hardtanh hardtanh_ leaky_relu log_softmax "
            "logsigmoid mish prelu relu relu6 relu_ selu sigmoid sigmoid_ silu softmax softplus softshrink "
            "threshold threshold_ "
        ),
        "arithmetic": "tanh",
        "convolution": "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d",
        "embeddings": "embedding one_hot",
        "losses": (
            "binary_cross_entropy binary_cross_entropy_with_logits cross_entropy kl_div l1_loss mse_loss nll_loss "
            "smooth_l1_loss "
        ),
        "margin_losses": "cosine_embedding_loss soft_margin_loss",
        "max_pooling": "adaptive_max_pool1d adaptive_max_pool2d max_unpool2d",
        "movement": "flatten",
        "noise": "dropout dropout2d",
        "normalisation": "batch_norm group_norm layer_norm normalize",
        "padding": "pad",
        "pooling": "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d avg_pool1d avg_pool2d avg_pool3d max_pool2d",
        "products": "linear",
    },
    "mint.special": {
        "arithmetic": "erf expm1 log1p round",
    },
    "nn": {
        "activations": (
            "CELU ELU FastGelu GELU GLU HShrink HSigmoid HSwish Hardtanh LeakyReLU LogSigmoid LogSoftmax "
            "LogSoftmaxExt Mish ReLU ReLU6 SeLU SiLU Sigmoid SoftShrink Softmax Softmax2d Softmin Softsign "
            "Tanhshrink Threshold "
        ),
        "arithmetic": "Tanh",
        "losses": (
            "BCELoss BCEWithLogitsLoss GaussianNLLLoss HuberLoss KLDivLoss L1Loss L1LossExt MAELoss NLLLoss "
            "PoissonNLLLoss RMSELoss SmoothL1Loss "
        ),
        "margin_losses": (
            "CosineEmbeddingLoss HingeEmbeddingLoss MarginRankingLoss MultiLabelSoftMarginLoss MultiMarginLoss "
            "MultilabelMarginLoss SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss "
        ),
        "max_pooling": (
            "AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d FractionalMaxPool2d FractionalMaxPool3d "
            "MaxUnpool1d MaxUnpool2d MaxUnpool3d "
        ),
        "movement": "Flatten",
        "noise": "RReLU",
        "normalisation": "ClipByNorm LRN",
        "padding_layers": (
            "ConstantPad1d ConstantPad2d ConstantPad3d Pad ReflectionPad1d ReflectionPad2d ReflectionPad3d "
            "ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad2d "
        ),
        "pooling": "AvgPool1dExt AvgPool2dExt AvgPool3dExt LPPool1d LPPool2d MaxPool2dExt",
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
            "CeLU Elu FastGeLU FastGelu GLU GeLU Gelu GeluExt HShrink HSigmoid HSwish LogSoftmax LogSoftmaxExt "
            "Mish PReLU ReLU ReLU6 SeLU SiLU Sigmoid SoftShrink Softmax Softplus Softsign celu elu fast_gelu gelu "
            "glu hardshrink hardsigmoid hardswish hardtanh leaky_relu log_softmax logsigmoid mish prelu relu "
            "relu6 selu sigmoid silu soft_shrink softmax softmin softplus softshrink softsign swiglu tanhshrink "
            "threshold "
        ),
        "arithmetic": (
            "Abs Add AddV2 Ceil Cos Div Erf Exp Expm1 Floor FloorDiv FloorMod Inv Log Log1p Maximum Minimum Mod "
            "Mul Neg Pow RealDiv Reciprocal Round Rsqrt Sign Sin Sqrt Square Sub SubV2 Tanh Trunc abs absolute "
            "add ceil clamp clamp_ clip clip_by_value cos div divide erf exp expm1 floor floor_div floor_divide "
            "floor_mod fma log log1p maximum minimum mul multiply neg negative pow reciprocal remainder round "
            "rsqrt sign sin sqrt square sub subtract tanh tanh_ true_divide trunc "
        ),
        "attention": "attention flash_attention_score multi_scale_deformable_attn_function rotary_position_embedding",
        "complex": (
            "Angle Atan2 Complex ComplexAbs Conj Hypot Imag Polar Real angle arctan2 atan2 complex conj hypot "
            "imag is_complex isreal polar real view_as_complex view_as_real "
        ),
        "conversion": (
            "Cast DType DynamicShape Identity IdentityN Rank Shape Size TensorShape TensorToTuple cast dtype "
            "dyn_shape identity is_floating_point is_tensor numel rank shape shape_ size type_as "
        ),
        "convolution": (
            "Conv2D Conv2DBackpropInput Conv2DTranspose Conv3D Conv3DTranspose DepthwiseConv2dNative Dilation2D "
            "conv1d conv2d conv3d conv3d_transpose conv_transpose1d conv_transpose2d conv_transpose3d "
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
        "embeddings": "embedding",
        "fourier": (
            "fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft "
            "irfft2 irfftn rfft rfft2 rfftfreq rfftn "
        ),
        "fractional_pooling": "FractionalAvgPool FractionalMaxPool",
        "indexing": (
            "Gather GatherD GatherElements IndexAdd MaskedFill OneHot Pad PadV3 Select Slice StridedSlice "
            "TensorScatterElements gather gather_d gather_elements index_add index_select masked_fill one_hot "
            "select slice strided_slice tensor_scatter_elements tensor_slice where "
        ),
        "inference_attention": "incre_flash_attention prompt_flash_attention",
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
        "losses": (
            "BCEWithLogitsLoss BinaryCrossEntropy KLDivLoss L2Loss NLLLoss SigmoidCrossEntropyWithLogits "
            "SmoothL1Loss SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits binary_cross_entropy "
            "binary_cross_entropy_with_logits cross_entropy gaussian_nll_loss huber_loss kl_div l1_loss mse_loss "
            "mse_loss_ext nll_loss smooth_l1_loss "
        ),
        "margin_losses": (
            "MultiMarginLoss MultilabelMarginLoss SoftMarginLoss TripletMarginLoss cosine_embedding_loss "
            "hinge_embedding_loss margin_ranking_loss multi_margin_loss multilabel_margin_loss "
            "multilabel_soft_margin_loss soft_margin_loss triplet_margin_loss "
        ),
        "max_pooling": (
            "AdaptiveMaxPool2D AdaptiveMaxPool3D FractionalMaxPool3DWithFixedKsize "
            "FractionalMaxPoolWithFixedKsize MaxPool3DWithArgmax MaxPoolWithArgmax MaxPoolWithArgmaxV2 "
            "MaxUnpool2D MaxUnpool3D adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d "
            "fractional_max_pool2d fractional_max_pool3d max_unpool1d max_unpool2d max_unpool3d "
        ),
        "movement": (
            "BroadcastTo Concat Expand ExpandDims Flatten Pack Reshape ReverseV2 Split Squeeze Stack Tile "
            "Transpose TransposeExtView TransposeView Tril Triu Unpack Unstack broadcast_to cat chunk concat "
            "diagonal expand expand_as expand_dims flatten flip moveaxis movedim narrow permute ravel "
            "repeat_interleave reshape reverse split squeeze stack swapaxes swapdims t tile transpose tril triu "
            "unbind unflatten unsqueeze unstack view_as "
        ),
        "noise": "Dropout2D Dropout3D DropoutDoMask DropoutGenMask dropout1d dropout2d dropout3d gumbel_softmax rrelu",
        "normalisation": (
            "BatchNorm LRN LayerNorm RmsNorm add_layer_norm add_rms_norm batch_norm clip_by_global_norm "
            "clip_by_norm group_norm layer_norm lrn rms_norm "
        ),
        "padding": "MirrorPad Padding mirror_pad pad padding",
        "pooling": (
            "AdaptiveAvgPool2D AdaptiveAvgPool3D AvgPool AvgPool3D MaxPool MaxPool3D adaptive_avg_pool1d "
            "adaptive_avg_pool2d adaptive_avg_pool2d_ext adaptive_avg_pool3d avg_pool1d avg_pool2d avg_pool3d "
            "lp_pool1d lp_pool2d max_pool1d max_pool2d max_pool3d "
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
