"""The public names that each module of emberjit.functions declares. Written by tools/stubs.py."""

from __future__ import annotations

_DECLARED = {
    "Tensor": {
        "activations": "hardshrink relu_ sigmoid sigmoid_ soft_shrink softmax",
        "arithmetic": (
            "abs abs_ absolute add add_ ceil ceil_ clamp clamp_ clip clip_ cos cos_ div div_ divide erf erf_ exp "
            "exp_ expm1 expm1_ floor floor_ floor_div floor_divide floor_divide_ floor_mod inv log log1p log1p_ "
            "log_ maximum minimum mul mul_ multiply neg neg_ negative pow pow_ reciprocal reciprocal_ remainder "
            "remainder_ round round_ rsqrt rsqrt_ sgn sign sign_ sin sin_ sqrt sqrt_ square square_ sub sub_ "
            "subtract tanh tanh_ true_divide trunc trunc_ "
        ),
        "arrays": "ptp",
        "choices": "multinomial random_categorical",
        "choosing": (
            "argwhere choose count_nonzero diagonal_scatter index masked_select nonzero select_scatter "
            "slice_scatter take "
        ),
        "closeness": "allclose approximate_equal isclose isneginf isposinf nan_to_num",
        "complex": "angle arctan2 atan2 atan2_ conj hypot hypot_ imag is_complex isreal real",
        "conversion": (
            "astype bfloat16 bool byte char clone copy dim double float half int is_floating_point is_signed "
            "itemset long ndimension nelement numel register_hook set_data short stride to type_as value "
        ),
        "creation": "fill fills new_empty new_full new_ones new_zeros",
        "decompositions": "eigvals geqrf orgqr ormqr qr svd",
        "diagonals": "diag diagflat trace",
        "distributions": "bernoulli bernoulli_ cauchy log_normal",
        "elementary": (
            "acos acosh addcdiv addcmul arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh "
            "copysign cosh deg2rad float_power fmax fmin fmod frac gcd heaviside lcm ldexp lerp log10 log2 "
            "logaddexp logaddexp2 nextafter positive rad2deg signbit sinc sinh tan xdivy xlogy "
        ),
        "histograms": "histc",
        "indexing": "gather gather_d gather_elements index_select masked_fill masked_fill_ select where",
        "joining": "dsplit hsplit tensor_split vsplit",
        "least_squares": "lstsq",
        "linear_systems": (
            "cholesky cholesky_inverse cholesky_solve det inverse log_matrix_determinant logdet lu_solve "
            "matrix_determinant slogdet triangular_solve "
        ),
        "logic": (
            "bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor eq equal ge "
            "greater greater_equal gt invert isfinite isinf isnan le less less_equal logical_and logical_not "
            "logical_or logical_xor lt ne not_equal "
        ),
        "matrices": "adjoint cov matrix_power",
        "movement": (
            "broadcast_to chunk diagonal expand expand_as expand_dims flatten flip moveaxis movedim narrow "
            "permute ravel repeat_interleave reshape reshape_as resize reverse split squeeze sum_to_size swapaxes "
            "swapdims t tile transpose tril tril_ triu triu_ unbind unflatten unsqueeze view view_as "
        ),
        "norms": "norm renorm",
        "patches": "col2im fold unfold",
        "products": "addbmm addmv addr baddbmm bmm cross dot ger inner matmul mm outer",
        "random": "exponential_ normal_ random_ uniform uniform_",
        "rearranging": "fliplr flipud repeat roll rot90",
        "reductions": (
            "all amax amin any argmax argmax_with_value argmin argmin_with_value cumsum max mean min prod std sum "
            "var "
        ),
        "scans": "cummax cummin cumprod diff logcumsumexp",
        "scattering": (
            "gather_nd inplace_update scatter_add scatter_add_ scatter_div scatter_max scatter_min scatter_mul "
            "scatter_sub "
        ),
        "searching": "bincount searchsorted",
        "segments": "reverse_sequence unsorted_segment_max unsorted_segment_min unsorted_segment_prod unsorted_segment_sum",
        "sets": "unique unique_consecutive unique_with_pad",
        "sorting": "argsort median msort nanmedian sort top_k topk",
        "special": "digamma erfc erfinv erfinv_ i0 igamma igammac lgamma logit mvlgamma",
        "statistics": "aminmax kthvalue logsumexp nanmean nanquantile nansum quantile",
        "storage": (
            "assign_value assign_value_cpp data_sync delete_ flush_from_cache getitem_index_info hooks init_data "
            "is_init is_pinned is_shared move_to offload offload_file_path pin_memory remove_hook requires_grad_ "
            "set_ set_cast_dtype set_const_arg set_device_address set_dtype set_init_flag set_param_info "
            "setitem_index_info storage to_ type untyped_storage wait_pipeline "
        ),
        "writes": (
            "addmm addmm_ copy_ fill_ fill_diagonal fill_diagonal_ index_add index_add_ index_copy_ index_fill "
            "index_fill_ index_put index_put_ masked_scatter masked_scatter_ put_ scatter scatter_ zero_ "
        ),
    },
    "mint": {
        "activations": "npu_gelu sigmoid softmax",
        "arithmetic": (
            "abs add ceil clamp clip cos div divide erf exp expm1 fix floor floor_divide log log1p maximum "
            "minimum mul neg negative pow reciprocal remainder round rsqrt sign sin sqrt square sub tanh trunc "
        ),
        "choices": "multinomial randperm",
        "choosing": "count_nonzero masked_select nonzero take",
        "closeness": "allclose equal isclose isneginf nan_to_num",
        "complex": "arctan2 atan2 imag polar real",
        "conversion": "clone",
        "convolution": "conv2d conv_tbc",
        "creation": "arange empty empty_like eye full full_like ones ones_like zeros zeros_like",
        "diagonals": "diag trace",
        "distributions": "bernoulli",
        "einsum": "einsum",
        "elementary": (
            "acos acosh addcdiv addcmul arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh cosh "
            "exp2 float_power fmod frac gcd lerp log10 log2 logaddexp logaddexp2 sinc sinh tan xlogy "
        ),
        "histograms": "histc",
        "indexing": "gather index_select masked_fill select where",
        "joining": "dstack hstack meshgrid",
        "linear_systems": "inverse triangular_solve",
        "logic": (
            "bitwise_and bitwise_not bitwise_or bitwise_xor eq ge greater greater_equal gt isfinite isinf isnan "
            "le less less_equal logical_and logical_not logical_or logical_xor lt ne not_equal "
        ),
        "movement": (
            "broadcast_to cat chunk concat diagonal flatten flip movedim narrow permute ravel repeat_interleave "
            "reshape split squeeze stack swapaxes swapdims t tile transpose tril triu unbind unflatten unsqueeze "
        ),
        "normalisation": "batch_norm_elemt batch_norm_gather_stats_with_counts batch_norm_stats",
        "norms": "cdist norm",
        "products": "addbmm addmv addr_ baddbmm bmm cross dot matmul mm mv outer vdot",
        "random": "normal rand rand_like randint randint_like randn randn_like",
        "rearranging": "roll",
        "reductions": "all amax amin any argmax argmin cumsum max mean min prod std sum var",
        "scans": "cummax cummin cumprod diff",
        "scattering": "scatter_add",
        "searching": "bincount searchsorted",
        "sequences": "linspace",
        "sets": "unique unique_consecutive",
        "sorting": "argsort median sort topk",
        "special": "erfc erfinv",
        "statistics": "kthvalue logsumexp nansum std_mean var_mean",
        "writes": "addmm index_add index_put scatter",
    },
    "mint.linalg": {
        "decompositions": "qr",
        "linear_systems": "inv",
        "norms": "matrix_norm norm vector_norm",
    },
    "mint.nn": {
        "activations": (
            "ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LogSigmoid LogSoftmax Mish ReLU ReLU6 SELU "
            "SiLU Sigmoid Softmax Softplus Threshold "
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
        "patches": "Fold PixelShuffle Unfold",
        "pooling": "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AvgPool1d AvgPool2d AvgPool3d MaxPool2d",
        "resizing": "Upsample UpsamplingBilinear2d UpsamplingNearest2d",
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
        "grids": "grid_sample",
        "losses": (
            "binary_cross_entropy binary_cross_entropy_with_logits cross_entropy kl_div l1_loss mse_loss nll_loss "
            "smooth_l1_loss "
        ),
        "margin_losses": "cosine_embedding_loss soft_margin_loss",
        "max_pooling": "adaptive_max_pool1d adaptive_max_pool2d max_unpool2d",
        "movement": "flatten",
        "noise": "dropout dropout2d",
        "normalisation": "batch_norm group_norm layer_norm",
        "norms": "normalize",
        "padding": "pad",
        "patches": "fold pixel_shuffle unfold",
        "pooling": "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d avg_pool1d avg_pool2d avg_pool3d max_pool2d",
        "products": "linear",
        "resizing": "interpolate upsample",
    },
    "mint.special": {
        "activations": "log_softmax",
        "arithmetic": "erf expm1 log1p round",
        "elementary": "exp2 sinc",
        "special": "erfc",
    },
    "nn": {
        "activations": (
            "CELU ELU FastGelu GELU GLU HShrink HSigmoid HSwish Hardtanh LeakyReLU LogSigmoid LogSoftmax "
            "LogSoftmaxExt Mish ReLU ReLU6 SeLU SiLU Sigmoid SoftShrink Softmax Softmax2d Softmin Softsign "
            "Tanhshrink Threshold "
        ),
        "arithmetic": "Tanh",
        "creation": "Range",
        "ctc": "CTCLoss",
        "diagonals": "MatrixDiag MatrixDiagPart MatrixSetDiag",
        "former_layers": "CentralCrop ImageGradients L1Regularizer LBeta MatMul Moments Norm OneHot PSNR Tril Triu",
        "linear_systems": "MatDet MatInverse",
        "losses": (
            "BCELoss BCEWithLogitsLoss CrossEntropyLoss GaussianNLLLoss HuberLoss KLDivLoss L1Loss L1LossExt "
            "MAELoss MSELoss NLLLoss PoissonNLLLoss RMSELoss SmoothL1Loss "
        ),
        "margin_losses": (
            "CosineEmbeddingLoss HingeEmbeddingLoss MarginRankingLoss MultiLabelSoftMarginLoss MultiMarginLoss "
            "MultilabelMarginLoss SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss "
        ),
        "max_pooling": (
            "AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d FractionalMaxPool2d FractionalMaxPool3d "
            "MaxUnpool1d MaxUnpool2d MaxUnpool3d "
        ),
        "movement": "Flatten Unflatten",
        "noise": "RReLU",
        "normalisation": "ClipByNorm LRN",
        "overlap_losses": "DiceLoss FocalLoss",
        "padding_layers": (
            "ConstantPad1d ConstantPad2d ConstantPad3d Pad ReflectionPad1d ReflectionPad2d ReflectionPad3d "
            "ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad2d "
        ),
        "patches": "PixelShuffle PixelUnshuffle Unfold",
        "pooling": "AvgPool1dExt AvgPool2dExt AvgPool3dExt LPPool1d LPPool2d MaxPool2dExt",
        "rearranging": "ChannelShuffle Roll",
        "resizing": "ResizeBilinear Upsample",
        "special": "DiGamma IGamma LGamma",
        "statistics": "ReduceLogSumExp",
    },
    "numpy": {
        "arithmetic": (
            "abs absolute add around ceil clip cos divide exp expm1 fabs fix floor floor_divide log log1p maximum "
            "minimum mod multiply negative power reciprocal remainder rint sign sin sqrt square subtract tanh "
            "true_divide trunc "
        ),
        "arrays": (
            "array array_equal array_equiv array_str asarray asfarray broadcast_arrays convolve correlate "
            "isscalar polyadd polyder polyint polymul polysub polyval promote_types ptp result_type size sometrue "
        ),
        "choosing": "argwhere choose count_nonzero select take take_along_axis where",
        "closeness": "isclose isneginf isposinf",
        "complex": "arctan2 hypot",
        "creation": "arange empty empty_like eye full full_like identity ones ones_like tri zeros zeros_like",
        "diagonals": "diag diagflat trace",
        "elementary": (
            "arccos arccosh arcsin arcsinh arctan arctanh cbrt copysign cosh deg2rad divmod exp2 float_power fmod "
            "gcd heaviside lcm log10 log2 logaddexp logaddexp2 positive rad2deg radians signbit sinh tan unwrap "
        ),
        "histograms": "histogram histogram2d histogram_bin_edges histogramdd",
        "joining": (
            "append array_split atleast_1d atleast_2d atleast_3d column_stack concatenate dsplit dstack hsplit "
            "hstack meshgrid split stack vsplit vstack "
        ),
        "logic": (
            "bitwise_and bitwise_not bitwise_or bitwise_xor equal greater greater_equal invert isfinite isinf "
            "isnan less less_equal logical_and logical_not logical_or logical_xor not_equal "
        ),
        "matrices": "corrcoef cov matrix_power vander",
        "movement": "broadcast_to diagonal expand_dims moveaxis ravel reshape squeeze swapaxes tile transpose tril triu",
        "norms": "norm",
        "padding": "pad",
        "positions": (
            "apply_over_axes diag_indices indices interp ix_ ravel_multi_index tril_indices tril_indices_from "
            "triu_indices triu_indices_from unravel_index "
        ),
        "products": "cross dot inner kron matmul multi_dot outer tensordot",
        "random": "rand randint randn",
        "rearranging": "flip fliplr flipud repeat roll rollaxis rot90",
        "reductions": "amax amin argmax argmin max mean min std sum var",
        "scans": "cumprod cumsum diff ediff1d gradient nancumsum trapz",
        "searching": "bincount digitize searchsorted",
        "sequences": "bartlett blackman geomspace hamming hanning linspace logspace",
        "sets": "in1d intersect1d isin setdiff1d union1d",
        "sorting": "unique",
        "statistics": "average nanmax nanmean nanmin nanstd nansum nanvar",
    },
    "ops": {
        "activations": (
            "CeLU Elu FastGeLU FastGelu GLU GeLU Gelu GeluExt HShrink HSigmoid HSwish LogSoftmax LogSoftmaxExt "
            "Mish PReLU ReLU ReLU6 SeLU SiLU Sigmoid SoftShrink Softmax Softplus Softsign celu elu fast_gelu gelu "
            "glu hardshrink hardsigmoid hardswish hardtanh inplace_sigmoid leaky_relu log_softmax logsigmoid mish "
            "prelu relu relu6 selu sigmoid silu soft_shrink softmax softmin softplus softshrink softsign swiglu "
            "tanhshrink threshold "
        ),
        "adafactor": "FusedAdaFactor FusedAdaFactorWithGlobalNorm",
        "arithmetic": (
            "Abs Add AddV2 Ceil Cos Div Erf Exp Expm1 Floor FloorDiv FloorMod Inv Log Log1p Maximum Minimum Mod "
            "Mul Neg Pow RealDiv Reciprocal Rint Round Rsqrt Sign Sin Sqrt Square Sub SubV2 Tanh TensorAdd Trunc "
            "abs absolute add add_ext ceil clamp clamp_ clip clip_by_value cos div divide erf exp expm1 floor "
            "floor_div floor_divide floor_mod floordiv floormod fma inv log log1p maximum minimum mul multiply "
            "neg negative pow pows reciprocal remainder round rsqrt sgn sign sin sqrt square sub sub_ext subtract "
            "tanh tanh_ tensor_add tensor_div tensor_exp tensor_expm1 tensor_floordiv tensor_mod tensor_mul "
            "tensor_muls tensor_pow tensor_sub true_divide trunc "
        ),
        "attention": "attention flash_attention_score multi_scale_deformable_attn_function rotary_position_embedding",
        "backward_elementwise": (
            "ACosGrad AbsGrad AcoshGrad AsinGrad AsinhGrad AtanGrad EluGrad EluGradExt FastGeLUGrad GeLUGrad "
            "GluGrad HShrinkGrad HSigmoidGrad HSwishGrad IgammaGradA InvGrad LogSoftmaxGrad LogitGrad MaximumGrad "
            "MaximumGradGrad MinimumGrad MinimumGradGrad MvlgammaGrad PReLUGrad ReLU6Grad ReciprocalGrad ReluGrad "
            "RsqrtGrad SeluGrad SiLUGrad SigmoidGrad SoftShrinkGrad SoftmaxBackward SoftmaxGrad SoftplusGrad "
            "SqrtGrad TanhGrad "
        ),
        "backward_images": (
            "AffineGridGrad DeformableOffsetsGrad GridSampler2DGrad GridSampler3DGrad ROIAlignGrad "
            "ResizeBicubicGrad ResizeBilinearGrad ResizeLinear1DGrad ResizeNearestNeighborGrad "
            "ResizeNearestNeighborV2Grad ResizeV2Grad ScaleAndTranslateGrad UpsampleNearest1DGrad "
            "UpsampleNearest2DGrad UpsampleNearest3DGrad UpsampleTrilinear3DGrad "
        ),
        "backward_layers": (
            "BatchNormGrad BatchNormGradGrad BiasAddGrad BinaryCrossEntropyGrad CdistGrad DropoutGrad "
            "GroupNormGrad KLDivLossGrad L2NormalizeGrad LRNGrad LayerNormGrad LayerNormGradGrad "
            "MultiMarginLossGrad NLLLossGrad PdistGrad SigmoidCrossEntropyWithLogitsGrad SmoothL1LossGrad "
        ),
        "backward_movement": (
            "ConcatOffset Conv2DBackpropFilter Conv3DBackpropFilter GatherDGradV2 LstsqV2Grad LuUnpackGrad "
            "MaskedSelectGrad MedianGrad MirrorPadGrad PadV3Grad SliceGrad SparseFillEmptyRowsGrad "
            "SparseSegmentMeanGrad SparseSegmentSqrtNGrad SparseSliceGrad StridedSliceGrad TraceGrad TraceV2Grad "
            "tracev2_grad_op "
        ),
        "backward_pooling": (
            "AdaptiveAvgPool2DGrad AdaptiveAvgPool3DGrad AdaptiveMaxPool2DGrad AdaptiveMaxPool3DGrad "
            "AvgPool3DGrad AvgPoolGrad FractionalAvgPoolGrad FractionalMaxPool3DGradWithFixedKsize "
            "FractionalMaxPoolGrad FractionalMaxPoolGradWithFixedKsize MaxPool3DGrad MaxPool3DGradGrad "
            "MaxPool3DGradWithArgmax MaxPoolGrad MaxPoolGradGrad MaxPoolGradGradWithArgmax MaxPoolGradWithArgmax "
            "MaxPoolGradWithArgmaxV2 MaxUnpool2DGrad MaxUnpool3DGrad "
        ),
        "boxes": (
            "BoundingBoxDecode BoundingBoxEncode CheckValid IOU RandomChoiceWithMask bounding_box_decode "
            "bounding_box_encode check_valid choice_with_mask iou "
        ),
        "candidates": (
            "LogUniformCandidateSampler UniformCandidateSampler log_uniform_candidate_sampler "
            "uniform_candidate_sampler "
        ),
        "choices": (
            "Multinomial MultinomialWithReplacement RandomCategorical RandomShuffle Randperm RandpermV2 "
            "multinomial multinomial_with_replacement random_categorical randperm shuffle "
        ),
        "choosing": (
            "CountNonZero EmbeddingLookup GatherV2 MaskedSelect NonZero SparseGatherV2 argwhere count_nonzero "
            "diagonal_scatter index is_nonzero masked_select nonzero select_scatter slice_scatter take "
        ),
        "closeness": (
            "ApproximateEqual CheckNumerics FloatStatus IsClose NanToNum approximate_equal isclose isneginf "
            "isposinf nan_to_num "
        ),
        "colours": "AdjustHue AdjustSaturation HSVToRGB RGBToHSV",
        "communication": (
            "AllGather AllGatherV AllReduce AlltoAll AlltoAllV AlltoAllVC Barrier BatchISendIRecv Broadcast "
            "CollectiveGather CollectiveScatter NeighborExchange NeighborExchangeV2 Receive Reduce ReduceScatter "
            "ReduceScatterV Send all_gather_matmul matmul_reduce_scatter "
        ),
        "complex": (
            "Angle Atan2 Complex ComplexAbs Conj ConjugateTranspose Hypot Imag Polar Real angle arctan2 atan2 "
            "complex conj hypot imag is_complex isreal polar real view_as_complex view_as_real "
        ),
        "conversion": (
            "Cast ConvertToDynamic DType DynamicShape Identity IdentityN Rank Shape Size TensorShape "
            "TensorToTuple cast dtype dyn_shape is_floating_point is_sequence_value_unknown is_tensor numel rank "
            "shape shape_ size type_as "
        ),
        "convolution": (
            "Conv2D Conv2DBackpropInput Conv2DTranspose Conv3D Conv3DTranspose DepthwiseConv2dNative Dilation2D "
            "conv1d conv2d conv3d conv3d_transpose conv_transpose1d conv_transpose2d conv_transpose3d "
        ),
        "coordinates": "Coalesce RaggedRange coalesce",
        "creation": (
            "Eye Fill FillV2 Fills Ones OnesLike Range ScalarToTensor TupleToArray Zeros ZerosLike arange eye "
            "fill fills full full_like new_ones new_zeros ones ones_like range scalar_to_tensor tensor_range "
            "tuple_to_array zeros zeros_like "
        ),
        "crops": "SampleDistortedBoundingBoxV2",
        "ctc": "CTCGreedyDecoder CTCLoss CTCLossV2 ctc_greedy_decoder ctc_loss",
        "custom": "Custom",
        "decompositions": "Eig Geqrf Orgqr Ormqr Qr Svd cond eig eigvals geqrf orgqr ormqr pinv qr svd",
        "diagonals": (
            "Diag DiagPart MatrixBandPart MatrixDiagPartV3 MatrixDiagV3 MatrixSetDiagV3 Trace diag diag_embed "
            "diagflat matrix_band_part matrix_diag matrix_diag_part matrix_set_diag trace "
        ),
        "distributions": (
            "Bernoulli Cauchy Gamma LogNormalReverse ParameterizedTruncatedNormal Poisson RandomGamma "
            "RandomPoisson StandardLaplace TruncatedNormal Uniform bernoulli bernoulli_ bernoulli_ext gamma "
            "laplace poisson random_gamma random_poisson standard_laplace "
        ),
        "effects": (
            "Assign AssignAdd AssignSub Depend NPUClearFloatStatus Print PyFunc StopGradient assign assign_add "
            "assign_sub depend foreign_call print_ stop_gradient stop_gradient_ "
        ),
        "einsum": "Einsum einsum einsum_ext",
        "elementary": (
            "ACos Acosh Addcdiv Addcmul Asin Asinh Atan Atanh Cosh DivNoNan Eps Fmax Fmin Gcd Heaviside Lcm Lerp "
            "LerpScalar MulNoNan NextAfter Sinc Sinh SquaredDifference Tan TruncateDiv TruncateMod Xdivy Xlogy "
            "acos acosh addcdiv addcmul arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh "
            "copysign cosh deg2rad eps exp2 float_power float_power_ext fmax fmin fmod frac gcd heaviside lcm "
            "ldexp lerp log10 log2 logaddexp logaddexp2 nextafter positive rad2deg signbit sinc sinh tan "
            "truncate_div truncate_mod xdivy xlogy "
        ),
        "embeddings": "OneHot embedding one_hot",
        "experts": (
            "ReshapeAndCache moe_init_routing_v2 moe_token_permute moe_token_unpermute nsa_compress "
            "ring_attention_update "
        ),
        "filters": "ExtractGlimpse ScaleAndTranslate",
        "former_layers": "bidense",
        "fourier": (
            "fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft "
            "irfft2 irfftn rfft rfft2 rfftfreq rfftn "
        ),
        "fractional_pooling": "FractionalAvgPool FractionalMaxPool",
        "grids": (
            "AffineGrid CropAndResize DeformableOffsets GridSampler2D GridSampler3D ROIAlign affine_grid "
            "crop_and_resize deformable_conv2d grid_sample "
        ),
        "histograms": "ConfusionMatrix Histogram HistogramFixedWidth histc",
        "indexing": (
            "Gather GatherD GatherElements IndexAdd MaskedFill Select SelectView Slice StridedSlice "
            "TensorScatterElements gather gather_d gather_elements index_add index_select masked_fill select "
            "slice strided_slice tensor_scatter_elements tensor_slice where "
        ),
        "inference_attention": "PagedAttention fused_infer_attention_score incre_flash_attention prompt_flash_attention",
        "joining": (
            "ConcatOffsetV1 Meshgrid ParallelConcat SplitV atleast_1d atleast_2d atleast_3d block_diag "
            "cartesian_prod column_stack combinations dsplit dstack hsplit hstack meshgrid row_stack tensor_split "
            "vsplit vstack "
        ),
        "least_squares": "Lstsq MatrixSolveLs lstsq",
        "linear_systems": (
            "Cholesky CholeskyInverse CholeskySolve LogMatrixDeterminant LuSolve LuUnpack MatrixDeterminant "
            "MatrixExp MatrixInverse MatrixSolve MatrixTriangularSolve cholesky cholesky_inverse cholesky_solve "
            "det inverse log_matrix_determinant logdet lu_solve lu_unpack matrix_determinant matrix_exp "
            "matrix_solve slogdet "
        ),
        "logic": (
            "BitwiseAnd BitwiseOr BitwiseXor CompareAndBitpack Equal Greater GreaterEqual Invert IsFinite IsInf "
            "IsNan LeftShift Less LessEqual LogicalAnd LogicalNot LogicalOr LogicalXor NotEqual PopulationCount "
            "RightShift bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor eq "
            "equal ge greater greater_equal gt invert isfinite isinf isnan le less less_equal logical_and "
            "logical_not logical_or logical_xor lt ne not_equal population_count tensor_ge tensor_gt tensor_le "
            "tensor_lt "
        ),
        "losses": (
            "BCEWithLogitsLoss BinaryCrossEntropy KLDivLoss L2Loss NLLLoss SigmoidCrossEntropyWithLogits "
            "SmoothL1Loss SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits "
            "SparseSoftmaxCrossEntropyWithLogitsV2 binary_cross_entropy binary_cross_entropy_with_logits "
            "cross_entropy gaussian_nll_loss huber_loss kl_div l1_loss mse_loss mse_loss_ext nll_loss "
            "smooth_l1_loss "
        ),
        "margin_losses": (
            "MultiMarginLoss MultilabelMarginLoss SoftMarginLoss TripletMarginLoss cosine_embedding_loss "
            "hinge_embedding_loss margin_ranking_loss multi_margin_loss multilabel_margin_loss "
            "multilabel_soft_margin_loss soft_margin_loss triplet_margin_loss "
        ),
        "matrices": "MatrixLogarithm MatrixPower TridiagonalMatMul adjoint cov matrix_power vander",
        "max_pooling": (
            "AdaptiveMaxPool2D AdaptiveMaxPool3D FractionalMaxPool3DWithFixedKsize "
            "FractionalMaxPoolWithFixedKsize MaxPool3DWithArgmax MaxPoolWithArgmax MaxPoolWithArgmaxV2 "
            "MaxUnpool2D MaxUnpool3D adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d "
            "fractional_max_pool2d fractional_max_pool3d max_unpool1d max_unpool2d max_unpool3d "
        ),
        "movement": (
            "BroadcastTo Concat Expand ExpandDims Flatten FlattenGrad Pack Reshape ReverseV2 SequenceConcat "
            "SequenceStack SequenceUnstack Split Squeeze Stack Tile Transpose TransposeExtView TransposeView Tril "
            "Triu Unpack Unstack broadcast_to cat chunk concat diagonal expand expand_as expand_dims flatten flip "
            "moveaxis movedim narrow permute ravel repeat_interleave reshape reverse split squeeze stack swapaxes "
            "swapdims t tile transpose tril triu unbind unflatten unsqueeze unstack view_as "
        ),
        "noise": "Dropout2D Dropout3D DropoutDoMask DropoutGenMask dropout1d dropout2d dropout3d gumbel_softmax rrelu",
        "normalisation": (
            "BatchNorm ClipByNorm LRN LayerNorm RmsNorm add_layer_norm add_rms_norm batch_norm "
            "clip_by_global_norm clip_by_norm group_norm layer_norm lrn rms_norm "
        ),
        "norms": (
            "Cdist EuclideanNorm L2Normalize LpNorm NuclearNorm Pdist Renorm cdist cosine_similarity dist "
            "matrix_norm norm pdist renorm vector_norm "
        ),
        "observing": "Assert HistogramSummary ImageSummary ScalarSummary TensorSummary mixed_precision_cast",
        "optimizers": (
            "Adam AdamNoUpdateParam AdamWeightDecay ApplyAdaMax ApplyAdadelta ApplyAdagrad ApplyAdagradDA "
            "ApplyAdagradV2 ApplyAdamWithAmsgrad ApplyAdamWithAmsgradV2 ApplyAddSign ApplyCenteredRMSProp "
            "ApplyFtrl ApplyGradientDescent ApplyKerasMomentum ApplyMomentum ApplyPowerSign ApplyProximalAdagrad "
            "ApplyProximalGradientDescent ApplyRMSProp FusedCastAdamWeightDecay FusedWeightScaleApplyMomentum "
            "LARSUpdate SGD "
        ),
        "padding": "MirrorPad Pad PadV3 Padding mirror_pad pad padding",
        "patches": "Col2Im ExtractImagePatches ExtractVolumePatches Im2Col col2im fold pixel_shuffle pixel_unshuffle unfold",
        "pooling": (
            "AdaptiveAvgPool2D AdaptiveAvgPool3D AvgPool AvgPool3D MaxPool MaxPool3D adaptive_avg_pool1d "
            "adaptive_avg_pool2d adaptive_avg_pool2d_ext adaptive_avg_pool3d avg_pool1d avg_pool2d avg_pool3d "
            "lp_pool1d lp_pool2d max_pool1d max_pool2d max_pool3d "
        ),
        "positions": (
            "DataFormatDimMap DataFormatVecPermute InvertPermutation TrilIndices TriuIndices UnravelIndex "
            "tril_indices triu_indices "
        ),
        "products": (
            "AccumulateNV2 AddN BatchMatMul BiasAdd Cross Dense Ger MatMul SequenceAddN accumulate_n addbmm addmv "
            "addn addr baddbmm baddbmm_ext batch_dot bias_add bmm cross dense dot ger inner kron matmul mm mv "
            "outer tensor_dot vecdot "
        ),
        "random": (
            "Dropout NonDeterministicInts StandardNormal UniformInt UniformReal dropout exponential_ normal "
            "normal_ rand rand_like randint randint_like randn randn_like random_ standard_normal uniform "
            "uniform_ "
        ),
        "rearranging": (
            "BatchToSpace BatchToSpaceND BatchToSpaceNDV2 ChannelShuffle DepthToSpace Roll Shift SpaceToBatch "
            "SpaceToBatchND SpaceToDepth batch_to_space_nd channel_shuffle fliplr flipud repeat_elements roll "
            "rot90 space_to_batch_nd "
        ),
        "recurrent": "DynamicGRUV2 DynamicRNN GRUV2 LSTM",
        "reductions": (
            "ArgMaxWithValue ArgMinWithValue Argmax Argmin ReduceAll ReduceAny ReduceMax ReduceMean ReduceMin "
            "ReduceProd ReduceSum all amax amin any argmax argmin cumsum max mean min prod reduce_max reduce_mean "
            "reduce_min reduce_prod reduce_sum std sum var "
        ),
        "region_pooling": "PSROIPooling PSROIPoolingGrad",
        "resizing": (
            "ResizeArea ResizeBicubic ResizeBilinear ResizeBilinearV2 ResizeLinear1D ResizeNearestNeighbor "
            "ResizeNearestNeighborV2 UpsampleNearest3D UpsampleTrilinear3D interpolate upsample "
        ),
        "scalars": (
            "EqualCount ScalarCast ScalarToArray SquareSumAll array_to_scalar augassign_add augassign_div "
            "augassign_floordiv augassign_mod augassign_mul augassign_sub bool_and bool_eq bool_not bool_or "
            "deepcopy dict_getitem dict_setitem hyper_add in_dict is_ is_not is_sequence_shape_unknown isconstant "
            "list_equal list_getitem list_len list_setitem make_dict make_list make_range make_slice make_tuple "
            "not_in_dict reduced_shape scalar_add scalar_cast scalar_div scalar_eq scalar_floordiv scalar_ge "
            "scalar_gt scalar_le scalar_log scalar_lt scalar_max scalar_min scalar_mod scalar_mul scalar_ne "
            "scalar_pow scalar_sub scalar_to_array scalar_uadd scalar_usub shape_mul string_concat string_eq tail "
            "tuple_div tuple_equal tuple_getitem tuple_len tuple_reversed tuple_setitem "
        ),
        "scans": "CumProd CumSum Cummax Cummin CumulativeLogsumexp cummax cummin cumprod diff diff_ext logcumsumexp trapz",
        "scattering": (
            "GatherNd InplaceAdd InplaceIndexAdd InplaceSub InplaceUpdate InplaceUpdateV2 ScatterAdd "
            "ScatterAddWithAxis ScatterDiv ScatterMax ScatterMin ScatterMul ScatterNd ScatterNdAdd ScatterNdDiv "
            "ScatterNdMax ScatterNdMin ScatterNdMul ScatterNdSub ScatterNdUpdate ScatterNonAliasingAdd ScatterSub "
            "ScatterUpdate SparseToDense TensorScatterAdd TensorScatterDiv TensorScatterMax TensorScatterMin "
            "TensorScatterMul TensorScatterSub TensorScatterUpdate gather_nd inplace_add inplace_index_add "
            "inplace_sub inplace_update scatter_add scatter_div scatter_max scatter_min scatter_mul scatter_nd "
            "scatter_nd_add scatter_nd_div scatter_nd_max scatter_nd_min scatter_nd_mul scatter_nd_sub "
            "scatter_nd_update scatter_sub scatter_update tensor_scatter_add tensor_scatter_div "
            "tensor_scatter_max tensor_scatter_min tensor_scatter_mul tensor_scatter_sub tensor_scatter_update "
        ),
        "searching": "Bincount Bucketize LowerBound SearchSorted UpperBound bincount bucketize searchsorted",
        "segments": (
            "ReverseSequence SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum "
            "SparseSegmentMeanWithNumSegments SparseSegmentSqrtN SparseSegmentSqrtNWithNumSegments "
            "UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSum reverse_sequence "
            "sequence_mask sparse_segment_mean unsorted_segment_max unsorted_segment_min unsorted_segment_prod "
            "unsorted_segment_sum "
        ),
        "sequences": (
            "BartlettWindow BlackmanWindow HammingWindow LinSpace LogSpace bartlett_window blackman_window "
            "hamming_window hann_window kaiser_window linspace logspace "
        ),
        "sets": "ListDiff UniqueConsecutive UniqueWithPad unique_consecutive unique_with_pad",
        "sorting": "Median Sort TopK Unique argsort median msort nanmedian sort top_k topk unique",
        "sparse_optimizers": (
            "FusedSparseAdam FusedSparseFtrl FusedSparseLazyAdam FusedSparseProximalAdagrad SparseApplyAdadelta "
            "SparseApplyAdagrad SparseApplyAdagradV2 SparseApplyFtrl SparseApplyFtrlV2 SparseApplyProximalAdagrad "
            "SparseApplyRMSProp "
        ),
        "special": (
            "BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e "
            "BesselY0 BesselY1 Betainc Digamma Erfc Erfinv Igamma Igammac Lgamma Logit Mvlgamma Polygamma Zeta "
            "bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1 "
            "bessel_k1e bessel_y0 bessel_y1 digamma erfc erfinv erfinv_ i0 igamma igammac lgamma logit mvlgamma "
            "polygamma zeta "
        ),
        "spectra": "FFTWithSize STFT stft",
        "statistics": (
            "InTopK NthElement Quantile ReduceStd aminmax intopk kthvalue logsumexp nanmean nanquantile nansum "
            "quantile std_mean var_mean "
        ),
        "storage": "MoveTo move_to",
        "suppression": "CombinedNonMaxSuppression NMSWithMask NonMaxSuppressionV3 NonMaxSuppressionWithOverlaps",
        "tokens": "ComputeAccidentalHits EditDistance MapUniform NoRepeatNGram SubAndFilter",
        "transducer": "RNNTLoss",
        "writes": (
            "CopyWithSlice FillDiagonal IndexFill IndexPut MaskedScatter TensorCopySlices addmm index_fill "
            "index_put masked_scatter put_ scatter zero_ "
        ),
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
