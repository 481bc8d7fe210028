"""The public names that each module of emberjit.functions declares. Written by tools/stubs.py."""

from __future__ import annotations

_DECLARED = {
    "Tensor": {
        "activations": "relu_ sigmoid sigmoid_ softmax",
        "arithmetic": (
            "abs abs_ absolute add add_ ceil ceil_ clamp clamp_ clip clip_ cos cos_ div div_ divide erf erf_ exp "
            "exp_ expm1 expm1_ floor floor_ floor_div floor_divide floor_divide_ floor_mod inv log log1p log1p_ "
            "log_ maximum minimum mul mul_ multiply neg neg_ negative pow pow_ reciprocal reciprocal_ remainder "
            "remainder_ round round_ rsqrt rsqrt_ sgn sign sign_ sin sin_ sqrt sqrt_ square square_ sub sub_ "
            "subtract tanh tanh_ true_divide trunc trunc_ "
        ),
        "closeness": "allclose approximate_equal isclose isneginf isposinf nan_to_num",
        "complex": "angle arctan2 atan2 atan2_ conj hypot hypot_ imag is_complex isreal real",
        "conversion": (
            "astype bfloat16 bool byte char clone copy dim double float half int is_floating_point long numel "
            "register_hook set_data short stride to value "
        ),
        "creation": "fill new_ones new_zeros",
        "elementary": (
            "acos acosh addcdiv addcmul arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh "
            "copysign cosh deg2rad float_power fmax fmin fmod frac gcd heaviside lcm ldexp lerp log10 log2 "
            "logaddexp logaddexp2 nextafter positive rad2deg signbit sinc sinh tan xdivy xlogy "
        ),
        "indexing": "gather gather_d gather_elements index_select masked_fill masked_fill_ select where",
        "logic": (
            "bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor eq equal ge "
            "greater greater_equal gt invert isfinite isinf isnan le less less_equal logical_and logical_not "
            "logical_or logical_xor lt ne not_equal "
        ),
        "movement": (
            "broadcast_to chunk diagonal expand expand_as expand_dims flatten flip moveaxis movedim narrow "
            "permute ravel repeat_interleave reshape reshape_as split squeeze swapaxes swapdims t tile transpose "
            "tril tril_ triu triu_ unbind unflatten unsqueeze view view_as "
        ),
        "products": "bmm matmul mm",
        "random": "bernoulli bernoulli_ exponential_ normal_ random_ uniform_",
        "reductions": (
            "all amax amin any argmax argmax_with_value argmin argmin_with_value cumsum max mean min prod std sum "
            "var "
        ),
        "sorting": "argsort median msort nanmedian sort topk unique",
        "special": "digamma erfc erfinv erfinv_ i0 igamma igammac lgamma logit mvlgamma",
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
        "closeness": "allclose isclose isneginf nan_to_num",
        "complex": "arctan2 atan2 imag polar real",
        "conversion": "clone",
        "convolution": "conv2d",
        "creation": "arange eye full full_like ones ones_like zeros zeros_like",
        "elementary": (
            "acos acosh addcdiv arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh cosh exp2 "
            "float_power fmod frac gcd lerp log10 log2 logaddexp logaddexp2 sinc sinh tan xlogy "
        ),
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
        "sorting": "argsort median sort topk unique",
        "special": "erfc erfinv",
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
        "indexing": "pad",
        "movement": "flatten",
        "networks": "cross_entropy layer_norm mse_loss nll_loss",
        "pooling": "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d max_pool2d",
        "products": "linear",
        "random": "dropout",
    },
    "mint.special": {
        "arithmetic": "erf expm1 log1p round",
        "elementary": "exp2 sinc",
        "special": "erfc",
    },
    "nn": {
        "activations": "GELU HSigmoid HSwish LeakyReLU LogSoftmax ReLU ReLU6 SiLU Sigmoid Softmax",
        "arithmetic": "Tanh",
        "movement": "Flatten",
    },
    "numpy": {
        "arithmetic": (
            "abs absolute add ceil clip cos divide exp expm1 fix floor floor_divide log log1p maximum minimum mod "
            "multiply negative power reciprocal remainder rint sign sin sqrt square subtract tanh true_divide "
            "trunc "
        ),
        "closeness": "isclose isneginf isposinf",
        "complex": "arctan2 hypot",
        "creation": "arange full ones zeros",
        "elementary": (
            "arccos arccosh arcsin arcsinh arctan arctanh cbrt copysign cosh deg2rad divmod exp2 fabs float_power "
            "fmod gcd heaviside lcm log10 log2 logaddexp logaddexp2 positive rad2deg radians signbit sinh tan "
            "unwrap "
        ),
        "indexing": "where",
        "logic": (
            "bitwise_and bitwise_not bitwise_or bitwise_xor equal greater greater_equal invert isfinite isinf "
            "isnan less less_equal logical_and logical_not logical_or logical_xor not_equal "
        ),
        "movement": (
            "broadcast_to diagonal expand_dims moveaxis ravel reshape squeeze stack swapaxes tile transpose tril "
            "triu "
        ),
        "products": "matmul",
        "random": "rand randn",
        "reductions": "amax amin argmax argmin max mean min std sum var",
        "sorting": "unique",
    },
    "ops": {
        "activations": (
            "GeLU GeluExt HSigmoid HSwish LogSoftmax ReLU ReLU6 SiLU Sigmoid Softmax gelu hardsigmoid hardswish "
            "leaky_relu log_softmax relu relu6 sigmoid silu softmax softplus "
        ),
        "arithmetic": (
            "Abs Add AddV2 Ceil Cos Div Erf Exp Expm1 Floor FloorDiv FloorMod Inv Log Log1p Maximum Minimum Mod "
            "Mul Neg Pow RealDiv Reciprocal Rint Round Rsqrt Sign Sin Sqrt Square Sub SubV2 Tanh TensorAdd Trunc "
            "abs absolute add ceil clamp clamp_ clip clip_by_value cos div divide erf exp expm1 floor floor_div "
            "floor_divide floor_mod floordiv floormod fma inv log log1p maximum minimum mul multiply neg negative "
            "pow pows reciprocal remainder round rsqrt sgn sign sin sqrt square sub subtract tanh tanh_ "
            "tensor_add tensor_div tensor_exp tensor_expm1 tensor_floordiv tensor_mod tensor_mul tensor_muls "
            "tensor_pow tensor_sub true_divide trunc "
        ),
        "closeness": "ApproximateEqual IsClose NanToNum approximate_equal is_nonzero isclose isneginf isposinf nan_to_num",
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
        "elementary": (
            "ACos Acosh Addcdiv Addcmul Asin Asinh Atan Atanh Cosh DivNoNan Eps Fmax Fmin Gcd Heaviside Lcm Lerp "
            "LerpScalar MulNoNan NextAfter Sinc Sinh SquaredDifference Tan TruncateDiv TruncateMod Xdivy Xlogy "
            "acos acosh addcdiv addcmul arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh "
            "copysign cosh deg2rad eps exp2 float_power float_power_ext fmax fmin fmod frac gcd heaviside lcm "
            "ldexp lerp log10 log2 logaddexp logaddexp2 nextafter positive rad2deg signbit sinc sinh tan "
            "truncate_div truncate_mod xdivy xlogy "
        ),
        "fourier": (
            "fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft "
            "irfft2 irfftn rfft rfft2 rfftfreq rfftn "
        ),
        "indexing": (
            "Gather GatherD GatherElements IndexAdd MaskedFill OneHot Pad PadV3 Select Slice StridedSlice "
            "TensorScatterElements gather gather_d gather_elements index_add index_select masked_fill one_hot pad "
            "select slice strided_slice tensor_scatter_elements where "
        ),
        "logic": (
            "BitwiseAnd BitwiseOr BitwiseXor Equal Greater GreaterEqual Invert IsFinite IsInf IsNan LeftShift "
            "Less LessEqual LogicalAnd LogicalNot LogicalOr LogicalXor NotEqual PopulationCount RightShift "
            "bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor eq equal ge "
            "greater greater_equal gt invert isfinite isinf isnan le less less_equal logical_and logical_not "
            "logical_or logical_xor lt ne not_equal population_count tensor_ge tensor_gt tensor_le tensor_lt "
        ),
        "movement": (
            "BroadcastTo Concat ExpandDims Flatten Reshape ReverseV2 Split Squeeze Stack Tile Transpose Tril Triu "
            "Unstack broadcast_to cat chunk concat diagonal expand_as expand_dims flatten flip moveaxis movedim "
            "narrow permute ravel repeat_interleave reshape split squeeze stack swapaxes swapdims t tile "
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
        "products": "BatchMatMul BiasAdd Dense MatMul bias_add bmm dense matmul mm",
        "random": (
            "Dropout StandardNormal UniformInt UniformReal bernoulli bernoulli_ dropout exponential_ normal "
            "normal_ rand rand_like randint randn randn_like random_ standard_normal uniform uniform_ "
        ),
        "reductions": (
            "ArgMaxWithValue ArgMinWithValue Argmax Argmin CumSum ReduceAll ReduceAny ReduceMax ReduceMean "
            "ReduceMin ReduceProd ReduceSum all amax amin any argmax argmin cumsum max mean min prod reduce_max "
            "reduce_min reduce_prod reduce_sum std sum var "
        ),
        "sorting": "Sort TopK Unique argsort median msort nanmedian sort topk unique",
        "special": (
            "BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e "
            "BesselY0 BesselY1 Betainc Digamma Erfc Erfinv Igamma Igammac Lgamma Logit Mvlgamma Polygamma Zeta "
            "bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1 "
            "bessel_k1e bessel_y0 bessel_y1 digamma erfc erfinv erfinv_ i0 igamma igammac lgamma logit mvlgamma "
            "polygamma zeta "
        ),
        "writes": "addmm index_fill index_put masked_scatter put_ scatter zero_",
    },
}
NAMES = {
    scope: {name: module for module, names in modules.items() for name in names.split()}
    for scope, modules in _DECLARED.items()
}
