"""The public names that each module of emberjit.functions declares. Written by tools/stubs.py."""

from __future__ import annotations

_DECLARED = {
    "Tensor": """
activations.activations: hardshrink relu_ sigmoid sigmoid_ soft_shrink
activations.softmax: softmax
compat.storage: assign_value assign_value_cpp data_sync delete_ flush_from_cache getitem_index_info hooks init_data is_init
    is_pinned is_shared move_to offload offload_file_path pin_memory remove_hook requires_grad_ set_ set_cast_dtype
    set_const_arg set_device_address set_dtype set_init_flag set_param_info setitem_index_info storage to_ type
    untyped_storage wait_pipeline
creation.constants: fill fills new_empty new_full new_ones new_zeros
creation.copies: clone copy value
creation.dtypes: astype bfloat16 bool byte char double float half int is_complex is_floating_point is_signed long short to
    type_as
creation.properties: dim ndimension nelement numel stride
effects.assignment: set_data
effects.gradient_flow: register_hook
elementwise.arithmetic: abs abs_ absolute add add_ addcdiv addcmul ceil ceil_ clamp clamp_ clip clip_ copysign div div_
    divide floor floor_ floor_div floor_divide floor_divide_ floor_mod fmax fmin fmod frac gcd heaviside inv lcm lerp maximum
    minimum mul mul_ multiply neg neg_ negative nextafter positive reciprocal reciprocal_ remainder remainder_ round round_
    sgn sign sign_ signbit sub sub_ subtract true_divide trunc trunc_
elementwise.comparison: allclose approximate_equal eq equal ge greater greater_equal gt isclose le less less_equal lt ne
    not_equal
elementwise.complex: angle conj imag isreal real
elementwise.exponentials: exp exp_ expm1 expm1_ float_power hypot hypot_ ldexp log log10 log1p log1p_ log2 log_ logaddexp
    logaddexp2 pow pow_ rsqrt rsqrt_ sqrt sqrt_ square square_ xdivy xlogy
elementwise.logic: bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor invert logical_and
    logical_not logical_or logical_xor
elementwise.non_finite: isfinite isinf isnan isneginf isposinf nan_to_num
elementwise.special: digamma erf erf_ erfc erfinv erfinv_ i0 igamma igammac lgamma logit mvlgamma
elementwise.trigonometry: acos acosh arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 atan2_ atanh
    cos cos_ cosh deg2rad rad2deg sin sin_ sinc sinh tan tanh tanh_
images.patches: col2im fold unfold
indexing.gather: gather gather_d gather_elements gather_nd index index_select take
indexing.index_writes: copy_ fill_ fill_diagonal fill_diagonal_ index_add index_add_ index_copy_ index_fill index_fill_
    index_put index_put_ itemset put_ zero_
indexing.scatter: diagonal_scatter inplace_update scatter scatter_ scatter_add scatter_add_ scatter_div scatter_max
    scatter_min scatter_mul scatter_sub select_scatter slice_scatter
indexing.selection: argwhere choose count_nonzero masked_fill masked_fill_ masked_scatter masked_scatter_ masked_select
    nonzero select where
indexing.slices: narrow
linalg.decompositions: eigvals geqrf orgqr ormqr qr svd
linalg.least_squares: lstsq
linalg.linear_systems: cholesky cholesky_inverse cholesky_solve det inverse log_matrix_determinant logdet lu_solve
    matrix_determinant slogdet triangular_solve
linalg.matrices: adjoint cov matrix_power
linalg.norms: norm renorm
linalg.products: addbmm addmm addmm_ addmv addr baddbmm bmm matmul mm
linalg.vector_products: cross dot ger inner outer
random.categorical: multinomial random_categorical
random.distributions: bernoulli bernoulli_ cauchy log_normal
random.uniform_and_normal: exponential_ normal_ random_ uniform uniform_
reductions.cumulative: cummax cummin cumprod cumsum logcumsumexp
reductions.differences: diff
reductions.histograms: bincount histc
reductions.quantiles: kthvalue median nanmedian nanquantile quantile
reductions.reductions: all amax amin any argmax argmax_with_value argmin argmin_with_value max mean min prod ptp std sum var
reductions.segments: reverse_sequence unsorted_segment_max unsorted_segment_min unsorted_segment_prod unsorted_segment_sum
reductions.statistics: aminmax logsumexp nanmean nansum
shapes.broadcasting: broadcast_to expand expand_as repeat repeat_interleave sum_to_size tile
shapes.diagonals: diag diagflat diagonal trace tril tril_ triu triu_
shapes.flips_and_rolls: flip fliplr flipud reverse roll rot90
shapes.reshaping: expand_dims flatten ravel reshape reshape_as resize squeeze unflatten unsqueeze view view_as
shapes.splitting: chunk dsplit hsplit split tensor_split unbind vsplit
shapes.transposition: moveaxis movedim permute swapaxes swapdims t transpose
sorting.searching: searchsorted
sorting.sets: unique unique_consecutive unique_with_pad
sorting.sorting: argsort msort sort top_k topk
""",
    "mint": """
activations.activations: npu_gelu sigmoid
activations.softmax: softmax
creation.constants: empty empty_like eye full full_like ones ones_like zeros zeros_like
creation.copies: clone
creation.ranges: arange linspace
elementwise.arithmetic: abs add addcdiv addcmul ceil clamp clip div divide fix floor floor_divide fmod frac gcd lerp maximum
    minimum mul neg negative reciprocal remainder round sign sub trunc
elementwise.comparison: allclose eq equal ge greater greater_equal gt isclose le less less_equal lt ne not_equal
elementwise.complex: imag polar real
elementwise.exponentials: exp exp2 expm1 float_power log log10 log1p log2 logaddexp logaddexp2 pow rsqrt sqrt square xlogy
elementwise.logic: bitwise_and bitwise_not bitwise_or bitwise_xor logical_and logical_not logical_or logical_xor
elementwise.non_finite: isfinite isinf isnan isneginf nan_to_num
elementwise.special: erf erfc erfinv
elementwise.trigonometry: acos acosh arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh cos
    cosh sin sinc sinh tan tanh
indexing.gather: gather index_select take
indexing.index_writes: index_add index_put
indexing.scatter: scatter scatter_add
indexing.selection: count_nonzero masked_fill masked_select nonzero select where
indexing.slices: narrow
layers.convolution: conv2d conv_tbc
layers.normalisation: batch_norm_elemt batch_norm_gather_stats_with_counts batch_norm_stats
linalg.einsum: einsum
linalg.linear_systems: inverse triangular_solve
linalg.norms: cdist norm
linalg.products: addbmm addmm addmv addr_ baddbmm bmm matmul mm mv
linalg.vector_products: cross dot outer vdot
random.categorical: multinomial
random.distributions: bernoulli
random.permutations: randperm
random.uniform_and_normal: normal rand rand_like randint randint_like randn randn_like
reductions.cumulative: cummax cummin cumprod cumsum
reductions.differences: diff
reductions.histograms: bincount histc
reductions.quantiles: kthvalue median
reductions.reductions: all amax amin any argmax argmin max mean min prod std sum var
reductions.statistics: logsumexp nansum std_mean var_mean
shapes.broadcasting: broadcast_to repeat_interleave tile
shapes.combinations: meshgrid
shapes.diagonals: diag diagonal trace tril triu
shapes.flips_and_rolls: flip roll
shapes.joining: cat concat dstack hstack stack
shapes.reshaping: flatten ravel reshape squeeze unflatten unsqueeze
shapes.splitting: chunk split unbind
shapes.transposition: movedim permute swapaxes swapdims t transpose
sorting.searching: searchsorted
sorting.sets: unique unique_consecutive
sorting.sorting: argsort sort topk
""",
    "mint.linalg": """
linalg.decompositions: qr
linalg.linear_systems: inv
linalg.norms: matrix_norm norm vector_norm
""",
    "mint.nn": """
activations.activations: ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LogSigmoid Mish ReLU ReLU6 SELU SiLU Sigmoid
    Softplus Threshold
activations.softmax: LogSoftmax Softmax
elementwise.trigonometry: Tanh
images.patches: Fold PixelShuffle Unfold
images.resizing: Upsample UpsamplingBilinear2d UpsamplingNearest2d
layers.max_pooling: AdaptiveMaxPool1d AdaptiveMaxPool2d MaxUnpool2d
layers.pooling: AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AvgPool1d AvgPool2d AvgPool3d MaxPool2d
losses.losses: BCELoss BCEWithLogitsLoss CrossEntropyLoss KLDivLoss L1Loss MSELoss NLLLoss SmoothL1Loss
losses.margin_losses: CosineEmbeddingLoss SoftMarginLoss
shapes.padding_layers: ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d ReflectionPad2d ReflectionPad3d
    ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d
shapes.reshaping: Flatten
""",
    "mint.nn.functional": """
activations.activations: elu elu_ gelu glu hardshrink hardsigmoid hardswish hardtanh hardtanh_ leaky_relu logsigmoid mish
    prelu relu relu6 relu_ selu sigmoid sigmoid_ silu softplus softshrink threshold threshold_
activations.softmax: log_softmax softmax
elementwise.trigonometry: tanh
images.grids: grid_sample
images.patches: fold pixel_shuffle unfold
images.resizing: interpolate upsample
layers.convolution: conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d
layers.embeddings: embedding one_hot
layers.max_pooling: adaptive_max_pool1d adaptive_max_pool2d max_unpool2d
layers.normalisation: batch_norm group_norm layer_norm
layers.pooling: adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d avg_pool1d avg_pool2d avg_pool3d max_pool2d
linalg.norms: normalize
linalg.products: linear
losses.losses: binary_cross_entropy binary_cross_entropy_with_logits cross_entropy kl_div l1_loss mse_loss nll_loss
    smooth_l1_loss
losses.margin_losses: cosine_embedding_loss soft_margin_loss
random.dropout: dropout dropout2d
shapes.padding: pad
shapes.reshaping: flatten
""",
    "mint.special": """
activations.softmax: log_softmax
elementwise.arithmetic: round
elementwise.exponentials: exp2 expm1 log1p
elementwise.special: erf erfc
elementwise.trigonometry: sinc
""",
    "nn": """
activations.activations: CELU ELU FastGelu GELU GLU HShrink HSigmoid HSwish Hardtanh LeakyReLU LogSigmoid Mish RReLU ReLU
    ReLU6 SeLU SiLU Sigmoid SoftShrink Softsign Tanhshrink Threshold
activations.softmax: LogSoftmax LogSoftmaxExt Softmax Softmax2d Softmin
creation.ranges: Range
elementwise.special: DiGamma IGamma LBeta LGamma
elementwise.trigonometry: Tanh
images.crops: CentralCrop
images.measures: ImageGradients PSNR
images.patches: PixelShuffle PixelUnshuffle Unfold
images.resizing: ResizeBilinear Upsample
layers.embeddings: OneHot
layers.max_pooling: AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d FractionalMaxPool2d FractionalMaxPool3d MaxUnpool1d
    MaxUnpool2d MaxUnpool3d
layers.normalisation: ClipByNorm LRN
layers.pooling: AvgPool1dExt AvgPool2dExt AvgPool3dExt LPPool1d LPPool2d MaxPool2dExt
linalg.linear_systems: MatDet MatInverse
linalg.norms: Norm
linalg.products: MatMul
losses.ctc: CTCLoss
losses.losses: BCELoss BCEWithLogitsLoss CrossEntropyLoss GaussianNLLLoss HuberLoss KLDivLoss L1Loss L1LossExt L1Regularizer
    MAELoss MSELoss NLLLoss PoissonNLLLoss RMSELoss SmoothL1Loss
losses.margin_losses: CosineEmbeddingLoss HingeEmbeddingLoss MarginRankingLoss MultiLabelSoftMarginLoss MultiMarginLoss
    MultilabelMarginLoss SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss
losses.overlap_losses: DiceLoss FocalLoss
reductions.statistics: Moments ReduceLogSumExp
shapes.blocks: ChannelShuffle
shapes.diagonals: MatrixDiag MatrixDiagPart MatrixSetDiag Tril Triu
shapes.flips_and_rolls: Roll
shapes.padding: Pad
shapes.padding_layers: ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d ReflectionPad2d ReflectionPad3d
    ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad2d
shapes.reshaping: Flatten Unflatten
""",
    "numpy": """
creation.arrays: array array_equal array_equiv array_str asarray asfarray broadcast_arrays
creation.constants: empty empty_like eye full full_like identity ones ones_like tri zeros zeros_like
creation.dtypes: promote_types result_type
creation.properties: isscalar size
creation.ranges: arange geomspace linspace logspace
elementwise.arithmetic: abs absolute add around ceil clip copysign divide divmod fabs fix floor floor_divide fmod gcd
    heaviside lcm maximum minimum mod multiply negative positive reciprocal remainder rint sign signbit subtract true_divide
    trunc
elementwise.comparison: equal greater greater_equal isclose less less_equal not_equal
elementwise.exponentials: cbrt exp exp2 expm1 float_power hypot log log10 log1p log2 logaddexp logaddexp2 power sqrt square
elementwise.logic: bitwise_and bitwise_not bitwise_or bitwise_xor invert logical_and logical_not logical_or logical_xor
elementwise.non_finite: isfinite isinf isnan isneginf isposinf
elementwise.piecewise: interp
elementwise.trigonometry: arccos arccosh arcsin arcsinh arctan arctan2 arctanh cos cosh deg2rad rad2deg radians sin sinh tan
    tanh unwrap
indexing.gather: take take_along_axis
indexing.indices: diag_indices indices ix_ ravel_multi_index tril_indices tril_indices_from triu_indices triu_indices_from
    unravel_index
indexing.selection: argwhere choose count_nonzero select where
linalg.matrices: corrcoef cov matrix_power vander
linalg.norms: norm
linalg.products: matmul multi_dot
linalg.vector_products: cross dot inner kron outer tensordot
random.uniform_and_normal: rand randint randn
reductions.along_axes: apply_over_axes
reductions.cumulative: cumprod cumsum nancumsum
reductions.differences: diff ediff1d gradient trapz
reductions.histograms: bincount histogram histogram2d histogram_bin_edges histogramdd
reductions.reductions: amax amin argmax argmin max mean min ptp sometrue std sum var
reductions.statistics: average nanmax nanmean nanmin nanstd nansum nanvar
shapes.broadcasting: broadcast_to repeat tile
shapes.combinations: meshgrid
shapes.diagonals: diag diagflat diagonal trace tril triu
shapes.flips_and_rolls: flip fliplr flipud roll rot90
shapes.joining: append column_stack concatenate dstack hstack stack vstack
shapes.padding: pad
shapes.reshaping: atleast_1d atleast_2d atleast_3d expand_dims ravel reshape squeeze
shapes.splitting: array_split dsplit hsplit split vsplit
shapes.transposition: moveaxis rollaxis swapaxes transpose
signal.convolution: convolve correlate
signal.polynomials: polyadd polyder polyint polymul polysub polyval
signal.windows: bartlett blackman hamming hanning
sorting.searching: digitize searchsorted
sorting.sets: in1d intersect1d isin setdiff1d union1d unique
""",
    "ops": """
activations.activations: CeLU Elu FastGeLU FastGelu GLU GeLU Gelu GeluExt HShrink HSigmoid HSwish Mish PReLU ReLU ReLU6 SeLU
    SiLU Sigmoid SoftShrink Softplus Softsign celu elu fast_gelu gelu glu hardshrink hardsigmoid hardswish hardtanh
    inplace_sigmoid leaky_relu logsigmoid mish prelu relu relu6 rrelu selu sigmoid silu soft_shrink softplus softshrink
    softsign swiglu tanhshrink threshold
activations.softmax: LogSoftmax LogSoftmaxExt Softmax gumbel_softmax log_softmax softmax softmin
compat.communication: AllGather AllGatherV AllReduce AlltoAll AlltoAllV AlltoAllVC Barrier BatchISendIRecv Broadcast
    CollectiveGather CollectiveScatter NeighborExchange NeighborExchangeV2 Receive Reduce ReduceScatter ReduceScatterV Send
    all_gather_matmul matmul_reduce_scatter
compat.data_formats: DataFormatDimMap DataFormatVecPermute
compat.python_values: ScalarCast ScalarToArray ScalarToTensor TensorToTuple TupleToArray array_to_scalar augassign_add
    augassign_div augassign_floordiv augassign_mod augassign_mul augassign_sub bool_and bool_eq bool_not bool_or dict_getitem
    dict_setitem hyper_add in_dict is_ is_not is_sequence_shape_unknown isconstant list_equal list_getitem list_len
    list_setitem make_dict make_list make_range make_slice make_tuple not_in_dict reduced_shape scalar_add scalar_cast
    scalar_div scalar_eq scalar_floordiv scalar_ge scalar_gt scalar_le scalar_log scalar_lt scalar_max scalar_min scalar_mod
    scalar_mul scalar_ne scalar_pow scalar_sub scalar_to_array scalar_to_tensor scalar_uadd scalar_usub shape_mul
    string_concat string_eq tail tuple_div tuple_equal tuple_getitem tuple_len tuple_reversed tuple_setitem tuple_to_array
compat.storage: MoveTo move_to
creation.constants: Eye Fill FillV2 Fills Ones OnesLike Zeros ZerosLike eye fill fills full full_like new_ones new_zeros ones
    ones_like zeros zeros_like
creation.copies: Identity IdentityN deepcopy
creation.dtypes: Cast DType cast dtype is_complex is_floating_point mixed_precision_cast type_as
creation.properties: ConvertToDynamic DynamicShape Rank Shape Size TensorShape dyn_shape is_sequence_value_unknown is_tensor
    numel rank shape shape_ size
creation.ranges: LinSpace LogSpace Range arange linspace logspace range tensor_range
effects.assignment: Assign AssignAdd AssignSub Depend assign assign_add assign_sub depend
effects.custom: Custom PyFunc foreign_call
effects.gradient_flow: StopGradient stop_gradient stop_gradient_
effects.output: Assert HistogramSummary ImageSummary Print ScalarSummary TensorSummary print_
elementwise.arithmetic: Abs Add AddV2 Addcdiv Addcmul Ceil Div DivNoNan Eps Floor FloorDiv FloorMod Fmax Fmin Gcd Heaviside
    Inv Lcm Lerp LerpScalar Maximum Minimum Mod Mul MulNoNan Neg NextAfter RealDiv Reciprocal Rint Round Sign
    SquaredDifference Sub SubV2 TensorAdd Trunc TruncateDiv TruncateMod abs absolute add add_ext addcdiv addcmul ceil clamp
    clamp_ clip clip_by_value copysign div divide eps floor floor_div floor_divide floor_mod floordiv floormod fma fmax fmin
    fmod frac gcd heaviside inv lcm lerp maximum minimum mul multiply neg negative nextafter positive reciprocal remainder
    round sgn sign signbit sub sub_ext subtract tensor_add tensor_div tensor_floordiv tensor_mod tensor_mul tensor_muls
    tensor_sub true_divide trunc truncate_div truncate_mod
elementwise.comparison: ApproximateEqual Equal Greater GreaterEqual IsClose Less LessEqual NotEqual approximate_equal eq
    equal ge greater greater_equal gt isclose le less less_equal lt ne not_equal tensor_ge tensor_gt tensor_le tensor_lt
elementwise.complex: Angle Complex ComplexAbs Conj ConjugateTranspose Imag Polar Real angle complex conj imag isreal polar
    real view_as_complex view_as_real
elementwise.exponentials: Exp Expm1 Hypot Log Log1p Pow Rsqrt Sqrt Square Xdivy Xlogy exp exp2 expm1 float_power
    float_power_ext hypot ldexp log log10 log1p log2 logaddexp logaddexp2 pow pows rsqrt sqrt square tensor_exp tensor_expm1
    tensor_pow xdivy xlogy
elementwise.logic: BitwiseAnd BitwiseOr BitwiseXor CompareAndBitpack Invert LeftShift LogicalAnd LogicalNot LogicalOr
    LogicalXor PopulationCount RightShift bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift
    bitwise_xor invert logical_and logical_not logical_or logical_xor population_count
elementwise.non_finite: CheckNumerics FloatStatus IsFinite IsInf IsNan NPUClearFloatStatus NanToNum isfinite isinf isnan
    isneginf isposinf nan_to_num
elementwise.special: BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e BesselY0
    BesselY1 Betainc Digamma Erf Erfc Erfinv Igamma Igammac Lgamma Logit Mvlgamma Polygamma Zeta bessel_i0 bessel_i0e
    bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1 bessel_k1e bessel_y0 bessel_y1 digamma erf erfc
    erfinv erfinv_ i0 igamma igammac lgamma logit mvlgamma polygamma zeta
elementwise.trigonometry: ACos Acosh Asin Asinh Atan Atan2 Atanh Cos Cosh Sin Sinc Sinh Tan Tanh acos acosh arccos arccosh
    arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh cos cosh deg2rad rad2deg sin sinc sinh tan tanh tanh_
gradient_primitives.elementwise: ACosGrad AbsGrad AcoshGrad AsinGrad AsinhGrad AtanGrad EluGrad EluGradExt FastGeLUGrad
    GeLUGrad GluGrad HShrinkGrad HSigmoidGrad HSwishGrad IgammaGradA InvGrad LogSoftmaxGrad LogitGrad MaximumGrad
    MaximumGradGrad MinimumGrad MinimumGradGrad MvlgammaGrad PReLUGrad ReLU6Grad ReciprocalGrad ReluGrad RsqrtGrad SeluGrad
    SiLUGrad SigmoidGrad SoftShrinkGrad SoftmaxBackward SoftmaxGrad SoftplusGrad SqrtGrad TanhGrad
gradient_primitives.images: AffineGridGrad DeformableOffsetsGrad GridSampler2DGrad GridSampler3DGrad ROIAlignGrad
    ResizeBicubicGrad ResizeBilinearGrad ResizeLinear1DGrad ResizeNearestNeighborGrad ResizeNearestNeighborV2Grad
    ResizeV2Grad ScaleAndTranslateGrad UpsampleNearest1DGrad UpsampleNearest2DGrad UpsampleNearest3DGrad
    UpsampleTrilinear3DGrad
gradient_primitives.layers: BatchNormGrad BatchNormGradGrad BiasAddGrad BinaryCrossEntropyGrad CdistGrad DropoutGrad
    GroupNormGrad KLDivLossGrad L2NormalizeGrad LRNGrad LayerNormGrad LayerNormGradGrad MultiMarginLossGrad NLLLossGrad
    PdistGrad SigmoidCrossEntropyWithLogitsGrad SmoothL1LossGrad
gradient_primitives.pooling: AdaptiveAvgPool2DGrad AdaptiveAvgPool3DGrad AdaptiveMaxPool2DGrad AdaptiveMaxPool3DGrad
    AvgPool3DGrad AvgPoolGrad FractionalAvgPoolGrad FractionalMaxPool3DGradWithFixedKsize FractionalMaxPoolGrad
    FractionalMaxPoolGradWithFixedKsize MaxPool3DGrad MaxPool3DGradGrad MaxPool3DGradWithArgmax MaxPoolGrad MaxPoolGradGrad
    MaxPoolGradGradWithArgmax MaxPoolGradWithArgmax MaxPoolGradWithArgmaxV2 MaxUnpool2DGrad MaxUnpool3DGrad PSROIPoolingGrad
gradient_primitives.shapes: ConcatOffset Conv2DBackpropFilter Conv3DBackpropFilter GatherDGradV2 LstsqV2Grad LuUnpackGrad
    MaskedSelectGrad MedianGrad MirrorPadGrad PadV3Grad SliceGrad SparseFillEmptyRowsGrad SparseSegmentMeanGrad
    SparseSegmentSqrtNGrad SparseSliceGrad StridedSliceGrad TraceGrad TraceV2Grad tracev2_grad_op
images.boxes: BoundingBoxDecode BoundingBoxEncode CheckValid IOU RandomChoiceWithMask bounding_box_decode bounding_box_encode
    check_valid choice_with_mask iou
images.colours: AdjustHue AdjustSaturation HSVToRGB RGBToHSV
images.crops: SampleDistortedBoundingBoxV2
images.filters: ExtractGlimpse ScaleAndTranslate
images.grids: AffineGrid CropAndResize DeformableOffsets GridSampler2D GridSampler3D ROIAlign affine_grid crop_and_resize
    deformable_conv2d grid_sample
images.non_max_suppression: CombinedNonMaxSuppression NMSWithMask NonMaxSuppressionV3 NonMaxSuppressionWithOverlaps
images.patches: Col2Im ExtractImagePatches ExtractVolumePatches Im2Col col2im fold pixel_shuffle pixel_unshuffle unfold
images.resizing: ResizeArea ResizeBicubic ResizeBilinear ResizeBilinearV2 ResizeLinear1D ResizeNearestNeighbor
    ResizeNearestNeighborV2 UpsampleNearest3D UpsampleTrilinear3D interpolate upsample
indexing.coordinates: Coalesce RaggedRange coalesce
indexing.gather: EmbeddingLookup Gather GatherD GatherElements GatherNd GatherV2 SparseGatherV2 gather gather_d
    gather_elements gather_nd index index_select take
indexing.index_writes: CopyWithSlice FillDiagonal IndexAdd IndexFill IndexPut InplaceIndexAdd TensorCopySlices index_add
    index_fill index_put inplace_index_add put_ zero_
indexing.indices: InvertPermutation TrilIndices TriuIndices UnravelIndex tril_indices triu_indices
indexing.scatter: InplaceAdd InplaceSub InplaceUpdate InplaceUpdateV2 ScatterAdd ScatterAddWithAxis ScatterDiv ScatterMax
    ScatterMin ScatterMul ScatterNd ScatterNdAdd ScatterNdDiv ScatterNdMax ScatterNdMin ScatterNdMul ScatterNdSub
    ScatterNdUpdate ScatterNonAliasingAdd ScatterSub ScatterUpdate SparseToDense TensorScatterAdd TensorScatterDiv
    TensorScatterElements TensorScatterMax TensorScatterMin TensorScatterMul TensorScatterSub TensorScatterUpdate
    diagonal_scatter inplace_add inplace_sub inplace_update scatter scatter_add scatter_div scatter_max scatter_min
    scatter_mul scatter_nd scatter_nd_add scatter_nd_div scatter_nd_max scatter_nd_min scatter_nd_mul scatter_nd_sub
    scatter_nd_update scatter_sub scatter_update select_scatter slice_scatter tensor_scatter_add tensor_scatter_div
    tensor_scatter_elements tensor_scatter_max tensor_scatter_min tensor_scatter_mul tensor_scatter_sub tensor_scatter_update
indexing.selection: CountNonZero MaskedFill MaskedScatter MaskedSelect NonZero Select SelectView argwhere count_nonzero
    is_nonzero masked_fill masked_scatter masked_select nonzero select where
indexing.slices: Slice StridedSlice narrow slice strided_slice tensor_slice
layers.attention: attention flash_attention_score multi_scale_deformable_attn_function rotary_position_embedding
layers.convolution: Conv2D Conv2DBackpropInput Conv2DTranspose Conv3D Conv3DTranspose DepthwiseConv2dNative Dilation2D conv1d
    conv2d conv3d conv3d_transpose conv_transpose1d conv_transpose2d conv_transpose3d
layers.embeddings: OneHot embedding one_hot
layers.experts: ReshapeAndCache moe_init_routing_v2 moe_token_permute moe_token_unpermute nsa_compress ring_attention_update
layers.fractional_pooling: FractionalAvgPool FractionalMaxPool
layers.inference_attention: PagedAttention fused_infer_attention_score incre_flash_attention prompt_flash_attention
layers.max_pooling: AdaptiveMaxPool2D AdaptiveMaxPool3D FractionalMaxPool3DWithFixedKsize FractionalMaxPoolWithFixedKsize
    MaxPool3DWithArgmax MaxPoolWithArgmax MaxPoolWithArgmaxV2 MaxUnpool2D MaxUnpool3D adaptive_max_pool1d adaptive_max_pool2d
    adaptive_max_pool3d fractional_max_pool2d fractional_max_pool3d max_unpool1d max_unpool2d max_unpool3d
layers.normalisation: BatchNorm ClipByNorm LRN LayerNorm RmsNorm add_layer_norm add_rms_norm batch_norm clip_by_global_norm
    clip_by_norm group_norm layer_norm lrn rms_norm
layers.pooling: AdaptiveAvgPool2D AdaptiveAvgPool3D AvgPool AvgPool3D MaxPool MaxPool3D adaptive_avg_pool1d
    adaptive_avg_pool2d adaptive_avg_pool2d_ext adaptive_avg_pool3d avg_pool1d avg_pool2d avg_pool3d lp_pool1d lp_pool2d
    max_pool1d max_pool2d max_pool3d
layers.recurrent: DynamicGRUV2 DynamicRNN GRUV2 LSTM
layers.region_pooling: PSROIPooling
layers.tokens: ComputeAccidentalHits EditDistance MapUniform NoRepeatNGram SubAndFilter
linalg.decompositions: Eig Geqrf Orgqr Ormqr Qr Svd cond eig eigvals geqrf orgqr ormqr pinv qr svd
linalg.einsum: Einsum einsum einsum_ext
linalg.least_squares: Lstsq MatrixSolveLs lstsq
linalg.linear_systems: Cholesky CholeskyInverse CholeskySolve LogMatrixDeterminant LuSolve LuUnpack MatrixDeterminant
    MatrixExp MatrixInverse MatrixSolve MatrixTriangularSolve cholesky cholesky_inverse cholesky_solve det inverse
    log_matrix_determinant logdet lu_solve lu_unpack matrix_determinant matrix_exp matrix_solve slogdet
linalg.matrices: MatrixLogarithm MatrixPower TridiagonalMatMul adjoint cov matrix_power vander
linalg.norms: Cdist EuclideanNorm L2Normalize LpNorm NuclearNorm Pdist Renorm cdist cosine_similarity dist matrix_norm norm
    pdist renorm vector_norm
linalg.products: AccumulateNV2 AddN BatchMatMul BiasAdd Dense MatMul SequenceAddN accumulate_n addbmm addmm addmv addn addr
    baddbmm baddbmm_ext bias_add bidense bmm dense matmul mm mv
linalg.vector_products: Cross Ger batch_dot cross dot ger inner kron outer tensor_dot vecdot
losses.ctc: CTCGreedyDecoder CTCLoss CTCLossV2 ctc_greedy_decoder ctc_loss
losses.losses: BCEWithLogitsLoss BinaryCrossEntropy KLDivLoss L2Loss NLLLoss SigmoidCrossEntropyWithLogits SmoothL1Loss
    SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogitsV2
    binary_cross_entropy binary_cross_entropy_with_logits cross_entropy gaussian_nll_loss huber_loss kl_div l1_loss mse_loss
    mse_loss_ext nll_loss smooth_l1_loss
losses.margin_losses: MultiMarginLoss MultilabelMarginLoss SoftMarginLoss TripletMarginLoss cosine_embedding_loss
    hinge_embedding_loss margin_ranking_loss multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss
    soft_margin_loss triplet_margin_loss
losses.transducer: RNNTLoss
optimiser_rules.adafactor: FusedAdaFactor FusedAdaFactorWithGlobalNorm
optimiser_rules.adam_rules: Adam AdamNoUpdateParam AdamWeightDecay ApplyAdaMax ApplyAdamWithAmsgrad ApplyAdamWithAmsgradV2
    FusedCastAdamWeightDecay
optimiser_rules.rules: ApplyAdadelta ApplyAdagrad ApplyAdagradDA ApplyAdagradV2 ApplyAddSign ApplyCenteredRMSProp ApplyFtrl
    ApplyGradientDescent ApplyKerasMomentum ApplyMomentum ApplyPowerSign ApplyProximalAdagrad ApplyProximalGradientDescent
    ApplyRMSProp FusedWeightScaleApplyMomentum LARSUpdate SGD
optimiser_rules.sparse_rules: FusedSparseAdam FusedSparseFtrl FusedSparseLazyAdam FusedSparseProximalAdagrad
    SparseApplyAdadelta SparseApplyAdagrad SparseApplyAdagradV2 SparseApplyFtrl SparseApplyFtrlV2 SparseApplyProximalAdagrad
    SparseApplyRMSProp
random.candidate_samplers: LogUniformCandidateSampler UniformCandidateSampler log_uniform_candidate_sampler
    uniform_candidate_sampler
random.categorical: Multinomial MultinomialWithReplacement RandomCategorical multinomial multinomial_with_replacement
    random_categorical
random.distributions: Bernoulli Cauchy Gamma LogNormalReverse ParameterizedTruncatedNormal Poisson RandomGamma RandomPoisson
    StandardLaplace TruncatedNormal Uniform bernoulli bernoulli_ bernoulli_ext gamma laplace poisson random_gamma
    random_poisson standard_laplace
random.dropout: Dropout Dropout2D Dropout3D DropoutDoMask DropoutGenMask dropout dropout1d dropout2d dropout3d
random.permutations: RandomShuffle Randperm RandpermV2 randperm shuffle
random.uniform_and_normal: NonDeterministicInts StandardNormal UniformInt UniformReal exponential_ normal normal_ rand
    rand_like randint randint_like randn randn_like random_ standard_normal uniform uniform_
reductions.cumulative: CumProd CumSum Cummax Cummin CumulativeLogsumexp cummax cummin cumprod cumsum logcumsumexp
reductions.differences: diff diff_ext trapz
reductions.histograms: Bincount ConfusionMatrix Histogram HistogramFixedWidth bincount histc
reductions.quantiles: Median NthElement Quantile kthvalue median nanmedian nanquantile quantile
reductions.reductions: ArgMaxWithValue ArgMinWithValue Argmax Argmin EqualCount ReduceAll ReduceAny ReduceMax ReduceMean
    ReduceMin ReduceProd ReduceSum SquareSumAll all amax amin any argmax argmin max mean min prod reduce_max reduce_mean
    reduce_min reduce_prod reduce_sum std sum var
reductions.segments: ReverseSequence SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum
    SparseSegmentMeanWithNumSegments SparseSegmentSqrtN SparseSegmentSqrtNWithNumSegments UnsortedSegmentMax
    UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSum reverse_sequence sequence_mask sparse_segment_mean
    unsorted_segment_max unsorted_segment_min unsorted_segment_prod unsorted_segment_sum
reductions.statistics: ReduceStd aminmax logsumexp nanmean nansum std_mean var_mean
shapes.blocks: BatchToSpace BatchToSpaceND BatchToSpaceNDV2 ChannelShuffle DepthToSpace SpaceToBatch SpaceToBatchND
    SpaceToDepth batch_to_space_nd channel_shuffle space_to_batch_nd
shapes.broadcasting: BroadcastTo Expand Tile broadcast_to expand expand_as repeat_elements repeat_interleave tile
shapes.combinations: Meshgrid cartesian_prod combinations meshgrid
shapes.diagonals: Diag DiagPart MatrixBandPart MatrixDiagPartV3 MatrixDiagV3 MatrixSetDiagV3 Trace Tril Triu diag diag_embed
    diagflat diagonal matrix_band_part matrix_diag matrix_diag_part matrix_set_diag trace tril triu
shapes.flips_and_rolls: ReverseV2 Roll Shift flip fliplr flipud reverse roll rot90
shapes.joining: Concat ConcatOffsetV1 Pack ParallelConcat SequenceConcat SequenceStack Stack block_diag cat column_stack
    concat dstack hstack row_stack stack vstack
shapes.padding: MirrorPad Pad PadV3 Padding mirror_pad pad padding
shapes.reshaping: ExpandDims Flatten FlattenGrad Reshape Squeeze atleast_1d atleast_2d atleast_3d expand_dims flatten ravel
    reshape squeeze unflatten unsqueeze view_as
shapes.splitting: SequenceUnstack Split SplitV Unpack Unstack chunk dsplit hsplit split tensor_split unbind unstack vsplit
shapes.transposition: Transpose TransposeExtView TransposeView moveaxis movedim permute swapaxes swapdims t transpose
signal.fourier: fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft irfft2
    irfftn rfft rfft2 rfftfreq rfftn
signal.spectrograms: FFTWithSize STFT stft
signal.windows: BartlettWindow BlackmanWindow HammingWindow bartlett_window blackman_window hamming_window hann_window
    kaiser_window
sorting.searching: Bucketize LowerBound SearchSorted UpperBound bucketize searchsorted
sorting.sets: ListDiff Unique UniqueConsecutive UniqueWithPad unique unique_consecutive unique_with_pad
sorting.sorting: InTopK Sort TopK argsort intopk msort sort top_k topk
""",
    "scipy.linalg": """
linalg.decompositions: eigh
linalg.least_squares: lstsq
linalg.linear_systems: cho_factor cho_solve cholesky inv lu lu_factor solve_triangular
shapes.joining: block_diag
""",
}


def _modules(text: str) -> dict[str, str]:
    """The modules of names, which follow the module and a colon."""
    out, module = {}, ""
    for word in text.split():
        if word.endswith(":"):
            module = word[:-1]
        else:
            out[word] = module
    return out


NAMES = {scope: _modules(text) for scope, text in _DECLARED.items()}
