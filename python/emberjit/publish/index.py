"""The public names that each module of emberjit.functions declares. Written by tools/stubs.py."""

from __future__ import annotations

_DECLARED = {
    "Tensor": {
        "activations": "relu_ sigmoid sigmoid_ softmax",
        "arithmetic": (
            "abs abs_ absolute add add_ ceil ceil_ clamp clamp_ clip clip_ cos cos_ div div_ divide erf erf_ exp "
            "exp_ expm1 expm1_ floor floor_ floor_div floor_divide floor_divide_ floor_mod inv log log1p log1p_ "
            "log_ maximum minimum mul mul_ multiply neg neg_ negative pow pow_ reciprocal reciprocal_ remainder "
            "remainder_ round round_ rsqrt rsqrt_ sign sign_ sin sin_ sqrt sqrt_ square square_ sub sub_ subtract "
            "tanh tanh_ true_divide trunc trunc_ "
        ),
        "complex": "angle arctan2 atan2 atan2_ conj hypot hypot_ imag is_complex isreal real",
        "conversion": (
            "astype bfloat16 bool byte char clone copy dim double float half int is_floating_point long numel "
            "register_hook set_data short stride to value "
        ),
        "creation": "fill new_ones new_zeros",
        "decompositions": "eigvals geqrf orgqr ormqr qr svd",
        "indexing": "gather gather_d gather_elements index_select masked_fill masked_fill_ select where",
        "least_squares": "lstsq",
        "linear_systems": (
            "cholesky cholesky_inverse cholesky_solve det inverse log_matrix_determinant logdet lu_solve "
            "matrix_determinant slogdet triangular_solve "
        ),
        "logic": (
            "bitwise_and bitwise_not bitwise_or bitwise_xor eq equal ge greater greater_equal gt invert isfinite "
            "isinf isnan le less less_equal logical_and logical_not logical_or logical_xor lt ne not_equal "
        ),
        "matrices": "cov matrix_power",
        "movement": (
            "broadcast_to chunk diagonal expand expand_as expand_dims flatten flip moveaxis movedim narrow "
            "permute ravel repeat_interleave reshape reshape_as split squeeze swapaxes swapdims t tile transpose "
            "tril tril_ triu triu_ unbind unflatten unsqueeze view view_as "
        ),
        "norms": "norm renorm",
        "products": "addbmm addmv addr baddbmm bmm cross dot ger inner matmul mm outer trace",
        "random": "bernoulli bernoulli_ exponential_ normal_ random_ uniform_",
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
        "creation": "arange eye full full_like ones ones_like zeros zeros_like",
        "einsum": "einsum",
        "indexing": "gather index_select masked_fill select where",
        "linear_systems": "inverse triangular_solve",
        "logic": (
            "bitwise_and bitwise_not bitwise_or bitwise_xor eq ge greater greater_equal gt isfinite isinf isnan "
            "le less less_equal logical_and logical_not logical_or logical_xor lt ne not_equal "
        ),
        "movement": (
            "broadcast_to cat chunk concat diagonal flatten flip movedim narrow permute ravel repeat_interleave "
            "reshape split squeeze stack swapaxes swapdims t tile transpose tril triu unbind unflatten unsqueeze "
        ),
        "norms": "cdist norm",
        "products": "addbmm addmv addr_ baddbmm bmm cross dot matmul mm mv outer trace vdot",
        "random": "rand rand_like randn randn_like",
        "reductions": "all amax amin any argmax argmin cumsum max mean min prod std sum var",
        "sorting": "argsort median sort topk unique",
        "writes": "addmm index_add index_put scatter scatter_add",
    },
    "mint.linalg": {
        "decompositions": "qr",
        "linear_systems": "inv",
        "norms": "matrix_norm norm vector_norm",
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
        "norms": "normalize",
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
        "complex": "arctan2 hypot",
        "creation": "arange full ones zeros",
        "indexing": "where",
        "logic": (
            "bitwise_and bitwise_not bitwise_or bitwise_xor equal greater greater_equal invert isfinite isinf "
            "isnan less less_equal logical_and logical_not logical_or logical_xor not_equal "
        ),
        "matrices": "corrcoef cov vander",
        "movement": (
            "broadcast_to diagonal expand_dims moveaxis ravel reshape squeeze stack swapaxes tile transpose tril "
            "triu "
        ),
        "norms": "norm",
        "products": "cross dot inner kron matmul multi_dot outer tensordot trace",
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
            "Mul Neg Pow RealDiv Reciprocal Round Rsqrt Sign Sin Sqrt Square Sub SubV2 Tanh Trunc abs absolute "
            "add ceil clamp clamp_ clip clip_by_value cos div divide erf exp expm1 floor floor_div floor_divide "
            "floor_mod fma inv log log1p maximum minimum mul multiply neg negative pow reciprocal remainder round "
            "rsqrt sign sin sqrt square sub subtract tanh tanh_ true_divide trunc "
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
        "decompositions": "Eig Geqrf Orgqr Ormqr Qr Svd cond eig eigvals geqrf orgqr ormqr pinv qr svd",
        "effects": (
            "Assign AssignAdd AssignSub Depend NPUClearFloatStatus Print StopGradient assign assign_add "
            "assign_sub depend foreign_call print_ stop_gradient "
        ),
        "einsum": "Einsum einsum einsum_ext",
        "fourier": (
            "fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft "
            "irfft2 irfftn rfft rfft2 rfftfreq rfftn "
        ),
        "indexing": (
            "Gather GatherD GatherElements IndexAdd MaskedFill OneHot Pad PadV3 Select Slice StridedSlice "
            "TensorScatterElements gather gather_d gather_elements index_add index_select masked_fill one_hot pad "
            "select slice strided_slice tensor_scatter_elements where "
        ),
        "least_squares": "Lstsq MatrixSolveLs lstsq",
        "linear_systems": (
            "Cholesky CholeskyInverse CholeskySolve LogMatrixDeterminant LuSolve LuUnpack MatrixDeterminant "
            "MatrixExp MatrixInverse MatrixSolve MatrixTriangularSolve cholesky cholesky_inverse cholesky_solve "
            "det inverse log_matrix_determinant logdet lu_solve lu_unpack matrix_determinant matrix_exp "
            "matrix_solve slogdet "
        ),
        "logic": (
            "BitwiseAnd BitwiseOr BitwiseXor Equal Greater GreaterEqual Invert IsFinite IsInf IsNan Less "
            "LessEqual LogicalAnd LogicalNot LogicalOr LogicalXor NotEqual bitwise_and bitwise_not bitwise_or "
            "bitwise_xor eq equal ge greater greater_equal gt invert isfinite isinf isnan le less less_equal "
            "logical_and logical_not logical_or logical_xor lt ne not_equal "
        ),
        "matrices": "MatrixPower cov matrix_power vander",
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
        "norms": (
            "Cdist EuclideanNorm L2Normalize LpNorm NuclearNorm Pdist Renorm cdist cosine_similarity dist "
            "matrix_norm norm pdist renorm vector_norm "
        ),
        "pooling": (
            "AdaptiveAvgPool2D AdaptiveAvgPool3D AvgPool AvgPool3D MaxPool MaxPool3D adaptive_avg_pool1d "
            "adaptive_avg_pool2d adaptive_avg_pool3d avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d "
            "max_pool3d "
        ),
        "products": (
            "AccumulateNV2 AddN BatchMatMul BiasAdd Cross Dense Ger MatMul Trace TridiagonalMatMul accumulate_n "
            "addbmm addmv addn addr baddbmm baddbmm_ext batch_dot bias_add bmm cross dense dot ger inner kron "
            "matmul mm mv outer tensor_dot trace vecdot "
        ),
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
        "writes": "addmm index_fill index_put masked_scatter put_ scatter zero_",
    },
    "scipy.linalg": {
        "decompositions": "eigh",
        "least_squares": "lstsq",
        "linear_systems": "cho_factor cho_solve cholesky inv lu lu_factor solve_triangular",
        "matrices": "block_diag",
    },
}
NAMES = {
    scope: {name: module for module, names in modules.items() for name in names.split()}
    for scope, modules in _DECLARED.items()
}
