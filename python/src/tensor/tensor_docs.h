// Documentation of Tensor and Parameter and of their members that are written in C++, as help() and the reference show
// it: signature, what it returns, errors, an example that tools/examples.py runs.
#pragma once

namespace ember::python::docs {

inline constexpr char kTensor[] =
    R"(Tensor(input_data=None, dtype=None, shape=None, init=None, const_arg=False, device=None, internal=False)
--

An n-dimensional array of elements of one dtype, on the CPU. Ops and operators make new ones; views (`x[1:]`, `x.T`,
`x.reshape(...)`) share the memory of what they view; `x[0] = 1` and methods that end in `_` write in place.

Args:
    input_data: A number, a list or tuple (also nested) of numbers, a Tensor or an array of NumPy's, whose elements are
        copied. None: `shape` and `dtype` say what it is.
    dtype: Of the elements; by default that of the data: bool, int64 for Python's int, float32 for its float, an array's
        own.
    shape: Without data, the sizes. A size of None is unknown, and shape=None is of unknown rank: such a Tensor has no
        elements and describes an argument, for Cell.set_inputs.
    init: Without data, an Initializer or its name ("normal", "ones", ...) that fills the shape.
    const_arg: Accepted without effect.
    device: "CPU" or None.
    internal: Accepted without effect.

Raises:
    TypeError: if the data is of another type, or has neither data nor shape and dtype.
    ValueError: if the rows of a list are of several lengths.

Examples:
    >>> x = Tensor([[1, 2, 3], [4, 5, 6]], ms.float32)
    >>> x
    Tensor(shape=[2, 3], dtype=Float32, value=
    [[1.00000000e+00, 2.00000000e+00, 3.00000000e+00],
     [4.00000000e+00, 5.00000000e+00, 6.00000000e+00]])
    >>> print(x[1] * 2 + 1)
    [ 9. 11. 13.]
    >>> Tensor(shape=(2, None), dtype=ms.float32).shape
    (2, -1))";

inline constexpr char kParameter[] =
    R"(Parameter(default_input, name=None, requires_grad=True, layerwise_parallel=False, parallel_optimizer=True, storage_format='', device=None)
--

A Tensor that a Cell keeps as an attribute, that optimizers update in place and checkpoints store by its name.

Args:
    default_input: A Tensor, array, list or number, whose elements are copied.
    name: In checkpoints. A Cell that it is an attribute of gives it the attribute's name, with those of the Cells above
        in front, unless it has one.
    requires_grad: Whether `Cell.trainable_params()` has it, so that it has a gradient and an optimizer updates it.
    layerwise_parallel: Accepted without effect, as are parallel_optimizer, storage_format and device.
    parallel_optimizer: See layerwise_parallel.
    storage_format: See layerwise_parallel.
    device: See layerwise_parallel.

Raises:
    ValueError: if `name` is neither a str nor None.
    TypeError: if default_input is nothing that Tensor takes.

Examples:
    >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
    >>> w
    Parameter (name=w, shape=(2,), dtype=Float32, requires_grad=True)
    >>> _ = w.set_data(Tensor([3.0, 4.0]))
    >>> print(w * 2)
    [6. 8.])";

inline constexpr char kAsNumpy[] = R"(asnumpy($self, /)
--

The elements as an array of NumPy's that shares the memory: writes into one are seen in the other. It is a copy where
elements stand at several indices (`broadcast_to`), and for bfloat16 if ml_dtypes is not installed (then in float32).

Returns:
    numpy.ndarray of the same shape.

Examples:
    >>> x = Tensor([1.0, 2.0])
    >>> x.asnumpy()[0] = 5.0
    >>> print(x)
    [5. 2.])";

inline constexpr char kNumpy[] = R"(numpy($self, /)
--

The same as `asnumpy()`.

Returns:
    numpy.ndarray of the same shape.

Examples:
    >>> Tensor([1.0, 2.0]).numpy()
    array([1., 2.], dtype=float32))";

inline constexpr char kGetBytes[] = R"(get_bytes($self, /)
--

The bytes of the elements in row-major order, as they lie in memory (little-endian).

Returns:
    bytes, `nbytes` of them.

Examples:
    >>> Tensor([1, 2], ms.int16).get_bytes()
    b'\x01\x00\x02\x00')";

inline constexpr char kItem[] = R"(item($self, index=None, /)
--

One element as a Python number.

Args:
    index: An int or a tuple of ints; None: the only element.

Returns:
    bool, int, float or complex.

Raises:
    ValueError: if index is None and there are several elements, or none.
    IndexError: if index is outside the shape.

Examples:
    >>> Tensor([2.5]).item()
    2.5
    >>> Tensor([[1, 2], [3, 4]]).item((1, 0))
    3)";

inline constexpr char kToList[] = R"(tolist($self, /)
--

The elements as nested lists of Python numbers; of a Tensor without axes, the number.

Returns:
    list, bool, int, float or complex.

Examples:
    >>> Tensor([[1, 2], [3, 4]]).tolist()
    [[1, 2], [3, 4]])";

inline constexpr char kIsContiguous[] = R"(is_contiguous($self, /)
--

Whether the elements lie in row-major order without gaps. Ops take Tensors of any strides.

Returns:
    bool.

Examples:
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> x.is_contiguous(), x.T.is_contiguous()
    (True, False))";

inline constexpr char kContiguous[] = R"(contiguous($self, /)
--

A Tensor of the same elements in row-major order without gaps: itself if it is so, else a copy.

Returns:
    Tensor of the same shape and dtype.

Examples:
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> x.T.strides, x.T.contiguous().strides
    ((8, 16), (16, 8)))";

inline constexpr char kStorageOffset[] = R"(storage_offset($self, /)
--

The number of elements between the beginning of the memory and the first element: above 0 for views alone.

Returns:
    int.

Examples:
    >>> Tensor([1, 2, 3, 4])[1:].storage_offset()
    1)";

inline constexpr char kDataPtr[] = R"(data_ptr($self, /)
--

The address of the first element, which holds as long as the Tensor lives and is not given other data. From then on the
memory counts as shared: graphs read it anew in each call.

Returns:
    int.

Examples:
    >>> x = Tensor([1.0, 2.0, 3.0])
    >>> x[1:].data_ptr() - x.data_ptr()
    4)";

inline constexpr char kShape[] =
    R"(The sizes of the axes, a tuple of ints. In a captured function they are symbols, which fit other sizes later.

Examples:
    >>> ops.zeros((2, 3)).shape
    (2, 3))";

inline constexpr char kDType[] = R"(The type of the elements, such as ms.float32.

Examples:
    >>> print(Tensor([1.0]).dtype, Tensor([1]).dtype)
    Float32 Int64)";

inline constexpr char kNDim[] = R"(The number of axes, an int.

Examples:
    >>> ops.zeros((2, 3)).ndim
    2)";

inline constexpr char kSize[] = R"(The number of elements, an int.

Examples:
    >>> ops.zeros((2, 3)).size
    6)";

inline constexpr char kItemSize[] = R"(The bytes of one element, an int.

Examples:
    >>> ops.zeros((2, 3), ms.float64).itemsize
    8)";

inline constexpr char kNBytes[] = R"(The bytes of all elements, an int.

Examples:
    >>> ops.zeros((2, 3), ms.float64).nbytes
    48)";

inline constexpr char kStrides[] =
    R"(The bytes from one element to the next along each axis, a tuple of ints, as NumPy counts them.

Examples:
    >>> ops.zeros((2, 3), ms.float32).strides
    (12, 4))";

inline constexpr char kT[] = R"(The Tensor with its axes reversed, a view of the same memory.

Examples:
    >>> print(Tensor([[1, 2, 3], [4, 5, 6]]).T)
    [[1 4]
     [2 5]
     [3 6]])";

}  // namespace ember::python::docs
