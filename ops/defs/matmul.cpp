// Matrix products. One kernel, `matmul`, multiplies operands of any rank and layout, so a transposed operand is a view
// and never a copy; the other names are compositions of it. float64 and integers accumulate in the same order in
// their own type (integers wrap); the half types widen to float32 and round once at the end. Products of float32
// and bfloat16 may be bf16x3 instead (bf16x3_gemm.h): their logical sizes decide, never the operands' layouts.
#include <memory>

#include "ops/base/parallel.h"
#include "ops/kernels/complex_matmul.h"
#include "ops/kernels/widen.h"
#include "ops/matmul/bf16x3_gemm.h"
#include "ops/matmul/gemm.h"
#include "ops/matmul/product.h"
#include "ops/program/program.h"
#include "ops/simd/kernels.h"
#include "ops/table/products.h"
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

void multiply_float(const KernelCall& call, const Product& p) {
  float* const whole = call.out[0].as<float>();
  const gc::Storage* const cacheable = p.batch == 1 ? call.cacheable : nullptr;
  for_each_item(
      p, call.in[0].as<float>(), call.in[1].as<float>(), whole, [&](const float* a, const float* b, float* c) {
        run_gemm(
            {p.m, p.n, p.k, a, p.a_row, p.a_col, b, p.b_row, p.b_col, c, p.n, call.epilogue, c - whole, cacheable});
      });
}

std::vector<int64_t> starts(const StridedDims& strided) {
  std::vector<int64_t> out(static_cast<size_t>(strided.count()));
  StridedIterator at(strided);
  for (int64_t& start : out) {
    start = at.offset();
    at.advance(1);
  }
  return out;
}

// The product as bf16x3, if its sizes are such. An item is a pair of matrices, or all of A with one matrix B.
template <class T>
bool try_bf16x3(const KernelCall& call, const Product& p) {
  const bool one_b = call.in[1].layout->rank() < 3;
  const int64_t rows = one_b ? p.batch * p.m : p.m;
  const int terms = bf16_terms(dtype_of<T>, rows, p.n, p.k);
  if (terms == 0) return false;
  const std::vector<int64_t> a = starts(p.a_batch), b = starts(p.b_batch);
  const size_t matrices = one_b ? a.size() : 1;
  const int64_t count = static_cast<int64_t>(a.size() / matrices), size = rows * p.n;
  const auto items = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const size_t first = static_cast<size_t>(i) * matrices;
      run_bf16x3(
          Bf16x3Product<T>{{call.in[0].as<T>(), rows, p.a_row, p.a_col, p.m, std::span(a).subspan(first, matrices)},
                           {call.in[1].as<T>(), p.n, p.b_col, p.b_row, p.n, std::span(b).subspan(first, 1)},
                           p.k,
                           terms,
                           call.out[0].as<T>() + i * size,
                           call.epilogue,
                           i * size,
                           count == 1 ? call.cacheable : nullptr});
    }
  };
  count >= threads() ? parallel_for_throwing(count, 1, items) : items(0, count);
  return true;
}

// Rows of B next to each other, for kernels that need them so.
template <class T>
std::unique_ptr<T[]> rows_of(const Product& p, const T* b) {
  std::unique_ptr<T[]> rows(new T[static_cast<size_t>(p.k * p.n)]);
  for (int64_t i = 0; i < p.k; ++i) {
    for (int64_t j = 0; j < p.n; ++j) rows[static_cast<size_t>(i * p.n + j)] = b[i * p.b_row + j * p.b_col];
  }
  return rows;
}

template <class T>
void multiply_fma(int64_t m, int64_t n, int64_t k, const T* a, int64_t a_row, int64_t a_col, const T* b, int64_t b_row,
                  T* c, int64_t ldc) {
  if constexpr (std::is_same_v<T, double>) {
    kernels().of<T>().gemm_direct(m, n, k, a, a_row, a_col, b, b_row, c, ldc);
  } else {
    for (int64_t i = 0; i < m; ++i) {
      std::fill_n(c + i * ldc, n, T{0});
      for (int64_t p = 0; p < k; ++p) {
        const T x = a[i * a_row + p * a_col];
        for (int64_t j = 0; j < n; ++j)
          c[i * ldc + j] = static_cast<T>(c[i * ldc + j] + uint64_t{1} * x * b[p * b_row + j]);
      }
    }
  }
}

// double, or an unsigned integer.
template <class T>
void multiply_plain(const Product& p, const T* a, const T* b, T* c) {
  const auto item = [&](const T* a, const T* b, T* c) {
    std::unique_ptr<T[]> packed;
    int64_t b_row = p.b_row;
    if (p.b_col != 1 && p.n != 1) {
      packed = rows_of(p, b);
      b = packed.get();
      b_row = p.n;
    }
    const int64_t work = std::max<int64_t>(1, p.n * p.k);
    parallel_for((p.m + 7) / 8, std::max<int64_t>(1, (1 << 14) / work), [&](int64_t begin, int64_t end) {
      const int64_t m0 = begin * 8, m1 = std::min(end * 8, p.m);
      multiply_fma(m1 - m0, p.n, p.k, a + m0 * p.a_row, p.a_row, p.a_col, b, b_row, c + m0 * p.n, p.n);
    });
  };
  StridedIterator at_a(p.a_batch), at_b(p.b_batch);
  for (int64_t i = 0; i < p.batch; ++i) {
    item(a + at_a.offset(), b + at_b.offset(), c + i * p.m * p.n);
    at_a.advance(1);
    at_b.advance(1);
  }
}

template <class T>
void run_plain(const KernelCall& call, const Product& p) {
  multiply_plain(p, call.in[0].as<T>(), call.in[1].as<T>(), call.out[0].as<T>());
}

// In whole, without the epilogue.
void multiply_other(const KernelCall& call, const Product& p) {
  const DType dtype = call.out[0].layout->dtype;
  if (dtype == DType::Float64) return run_plain<double>(call, p);
  switch (itemsize(dtype)) {
    case 1:
      return run_plain<uint8_t>(call, p);
    case 2:
      return run_plain<uint16_t>(call, p);
    case 4:
      return run_plain<uint32_t>(call, p);
    default:
      return run_plain<uint64_t>(call, p);
  }
}

void multiply(const KernelCall& call) {
  const DType dtype = call.out[0].layout->dtype;
  if (call.out[0].layout->numel == 0) return;
  if (is_complex(dtype)) {
    multiply_as_real(call, &multiply);
    if (call.epilogue) call.epilogue->run_all();
    return;
  }
  Product p = product_of(*call.in[0].layout, *call.in[1].layout, *call.out[0].layout);
  const bool split = (dtype == DType::Float32 && try_bf16x3<float>(call, p)) ||
                     (dtype == DType::BFloat16 && try_bf16x3<BFloat16>(call, p));
  if (split) return;
  if (is_half_dtype(dtype)) return run_in_float32(call, &multiply);
  fold_batch(&p);
  if (dtype == DType::Float32) return multiply_float(call, p);
  multiply_other(call, p);
  if (call.epilogue) call.epilogue->run_all();
}

void check_operands(const Type& a, const Type& b, std::string_view name) {
  if (a.dtype != b.dtype || a.dtype == DType::Bool) {
    type_error("For '" + std::string(name) + "', operands must be numbers of one dtype, but are " + to_string(a) +
               " and " + to_string(b) + ".");
  }
  if (a.dims.empty() || b.dims.empty()) refuse_operands(name, "operands need at least one dimension", a, b);
}

Type product_type(const Type& a, const Type& b, std::string_view name) {
  check_operands(a, b, name);
  return Type::tensor(a.dtype, product_dims(a, b, name));
}

Value transposed(Builder& b, const Value& x) {
  const size_t rank = b.dims(x).size();
  Ints order;
  for (size_t d = 0; d < rank; ++d) order.push_back(static_cast<int64_t>(d));
  std::swap(order[rank - 2], order[rank - 1]);
  return b.transpose(x, order);
}

Value matmul(Builder& b, const Value& x, const Value& y) { return b.call("matmul", {x, y}); }

Dim count(const Dims& dims, size_t drop) {
  Dim n = 1;
  for (size_t d = 0; d + drop < dims.size(); ++d) n = n * dims[d];
  return n;
}

// Sums the batch axes that broadcasting added or stretched, then takes the operand's own shape.
Value to_operand(Grad& g, const Value& ct, const Dims& wanted) {
  Builder& b = g.b;
  const Dims have = b.dims(ct);
  const size_t lead = have.size() - wanted.size();
  Axes summed;
  for (size_t d = 0; d + 2 < have.size(); ++d) {
    if (d < lead || (wanted[d - lead] == Dim(1) && have[d] != Dim(1))) summed.push_back(d);
  }
  const Value out = reduce_sum(b, ct, summed, true);
  return lead == 0 ? out : b.reshape(out, wanted);
}

struct MatMul {
  static constexpr const char* name = "matmul";
  static constexpr const char* primitive = "MatMulExt";
  static constexpr const char* signature = "input: tensor, other: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::SupportsEpilogue;
  static constexpr const char* doc =
      "The matrix product, as np.matmul: batches broadcast, and a 1-d operand is a row or column that vanishes again.";
  static constexpr const char* numpy = "np.matmul(input, other)";
  static constexpr const char* saves = "input, other";
  static Types infer(const InferCall& call) { return {product_type(call.in[0], call.in[1], name)}; }
  static void kernel(const KernelCall& call) { multiply(call); }

  // With 1-d operands as rows and columns: dA = dC B', dB = A' dC. A right operand without batch takes all rows of A at
  // once.
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Dims a = g.in_type(0).dims, o = g.in_type(1).dims;
    const Dims a2 = a.size() == 1 ? Dims{1, a[0]} : a;
    const Dims o2 = o.size() == 1 ? Dims{o[0], 1} : o;
    Dims ct_dims = broadcast(leading(a2), leading(o2), name);
    ct_dims.push_back(a2[a2.size() - 2]);
    ct_dims.push_back(o2[o2.size() - 1]);
    Value ct = b.reshape(g.ct(), ct_dims);
    Value x = b.reshape(g.in(0), a2), y = b.reshape(g.in(1), o2);
    Values out(2);
    if (g.needs(0)) out[0] = b.reshape(to_operand(g, matmul(b, ct, transposed(b, y)), a2), a);
    if (!g.needs(1)) return out;
    if (o2.size() == 2 && a2.size() > 2) {
      x = b.reshape(x, {count(a2, 1), a2[a2.size() - 1]});
      ct = b.reshape(ct, {count(ct_dims, 1), ct_dims[ct_dims.size() - 1]});
    }
    out[1] = b.reshape(to_operand(g, matmul(b, transposed(b, x), ct), o2), o);
    return out;
  }

  static Values batch(Batch& batch) { return batched_product(batch); }

  static std::vector<Sample> samples() {
    const auto of = [](Shape a, Shape b, DType dtype = DType::Float32) {
      return Sample{{{a, dtype}, {b, dtype}}, {}, {}};
    };
    return {of({3, 4}, {4, 5}),
            of({4}, {4}),
            of({4}, {4, 5}),
            of({3, 4}, {4}),
            of({2, 3, 4}, {4, 5}),
            of({2, 3, 4}, {2, 4, 5}),
            of({2, 1, 3, 4}, {3, 4, 2}),
            of({3, 4}, {2, 4, 5}),
            of({2, 3, 4}, {4}),
            of({0, 4}, {4, 5}),
            of({3, 0}, {0, 5}),
            of({3, 4}, {4, 5}, DType::Int32)};
  }
};
EMBER_OP(MatMul);

// The product of matrices of which each is transposed first where asked.
Value product(Builder& b, std::span<const Value> in, bool transpose_a, bool transpose_b, std::string_view name) {
  const Type x = b.type(in[0]), y = b.type(in[1]);
  check_operands(x, y, name);
  if (x.dims.size() < 2 || y.dims.size() < 2) refuse_operands(name, "operands need two dimensions", x, y);
  check_product(x, y, transpose_a, transpose_b, name);
  return matmul(b, transpose_a ? transposed(b, in[0]) : in[0], transpose_b ? transposed(b, in[1]) : in[1]);
}

struct PrimitiveMatMul {
  static constexpr const char* name = "mat_mul";
  static constexpr const char* primitive = "MatMul";
  static constexpr const char* signature =
      "input: tensor, mat2: tensor, transpose_a: bool = False, transpose_b: bool = False -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "The product of two matrices, each transposed first where asked.";
  static constexpr const char* numpy = "np.matmul(input.T if transpose_a else input, mat2.T if transpose_b else mat2)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Type x = b.type(in[0]), y = b.type(in[1]);
    if (x.dims.size() != 2 || y.dims.size() != 2) refuse_operands(name, "operands must have 2 dimensions", x, y);
    return {product(b, in, attrs.flag(2), attrs.flag(3), name)};
  }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}}, {{4, 5}}}, {}, {}},
            {{{{4, 3}}, {{4, 5}}}, {{"transpose_a", true}}, {}},
            {{{{3, 4}}, {{5, 4}}}, {{"transpose_b", true}}, {}}};
  }
};
EMBER_OP(PrimitiveMatMul);

struct BatchMatMul {
  static constexpr const char* name = "batch_mat_mul";
  static constexpr const char* primitive = "BatchMatMul";
  static constexpr const char* signature =
      "x: tensor, y: tensor, transpose_a: bool = False, transpose_b: bool = False -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "The products of two batches of matrices, each transposed first where asked.";
  static constexpr const char* numpy =
      "np.matmul(np.swapaxes(x, -1, -2) if transpose_a else x, np.swapaxes(y, -1, -2) if transpose_b else y)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    return {product(b, in, attrs.flag(2), attrs.flag(3), name)};
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 4}}, {{2, 4, 5}}}, {}, {}},
            {{{{2, 4, 3}}, {{2, 5, 4}}}, {{"transpose_a", true}, {"transpose_b", true}}, {}}};
  }
};
EMBER_OP(BatchMatMul);

struct Bmm {
  static constexpr const char* name = "bmm";
  static constexpr const char* primitive = "BatchMatMulExt";
  static constexpr const char* signature = "input_x: tensor, mat2: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "The products of two batches of matrices.";
  static constexpr const char* numpy = "np.matmul(input_x, mat2)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    return {product(b, in, false, false, name)};
  }
  static std::vector<Sample> samples() { return {{{{{2, 3, 4}}, {{2, 4, 5}}}, {}, {}}}; }
};
EMBER_OP(Bmm);

struct BiasAdd {
  static constexpr const char* name = "bias_add";
  static constexpr const char* primitive = "BiasAdd";
  static constexpr const char* signature = "input_x: tensor, bias: tensor, data_format: str = 'NCHW' -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Adds one element of `bias` to each channel: axis 1 for the formats 'NCHW' and 'NCDHW', the last for 'NHWC'.";
  static constexpr const char* numpy =
      "input_x + (bias if data_format == 'NHWC' else bias.reshape((-1,) + (1,) * (input_x.ndim - 2)))";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Type x = b.type(in[0]), bias = b.type(in[1]);
    const std::string& format = attrs.text(2);
    const bool last = format == "NHWC";
    if (!last && format != "NCHW" && format != "NCDHW") {
      value_error("For 'bias_add', data_format must be 'NCHW', 'NCDHW' or 'NHWC', but is '" + format + "'.");
    }
    if (x.dims.size() < 2 || bias.dims.size() != 1)
      refuse_operands(name, "input_x needs two dimensions, bias one", x, bias);
    const size_t channels = last ? x.dims.size() - 1 : 1;
    if (bias.dims[0] != x.dims[channels]) {
      refuse_operands(name, "bias must have one element for each index of axis " + std::to_string(channels), x, bias);
    }
    Dims shape(x.dims.size() - channels, 1);
    shape[0] = bias.dims[0];
    return {b.add(in[0], b.reshape(in[1], shape))};
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 4, 5}}, {{3}}}, {}, {}},
            {{{{2, 3}}, {{3}}}, {}, {}},
            {{{{2, 3, 4, 5}}, {{5}}}, {{"data_format", std::string("NHWC")}}, {}}};
  }
};
EMBER_OP(BiasAdd);

struct Dense {
  static constexpr const char* name = "dense";
  static constexpr const char* primitive = "Dense";
  static constexpr const char* signature = "input: tensor, weight: tensor, bias: tensor? = None -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "input @ weight.T + bias, where `weight` is (outputs, inputs), or (inputs,).";
  static constexpr const char* numpy = "np.matmul(input, weight.T) + (0 if bias is None else bias)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    const Type input = b.type(in[0]), weight = b.type(in[1]);
    if (weight.dims.size() != 1 && weight.dims.size() != 2) {
      refuse_operands(name, "weight must have one or two dimensions", input, weight);
    }
    check_operands(input, weight, name);
    check_product(input, weight, false, weight.dims.size() == 2, name);
    const Value product = matmul(b, in[0], weight.dims.size() == 2 ? transposed(b, in[1]) : in[1]);
    if (none(in[2])) return {product};
    try {
      return {b.add(product, in[2])};
    } catch (const OpError&) {
      refuse_operands(name, "bias must have one element per output, but is " + to_string(b.type(in[2])), input, weight);
    }
  }
  // As of rows: the weight's gradient comes out in the weight's own order.
  static constexpr const char* saves = "input, weight";
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Dims x = g.in_type(0).dims, w = g.in_type(1).dims;
    const Dim rows = count(x, 1), outputs = w.size() == 1 ? Dim(1) : w[0], inputs = w[w.size() - 1];
    const Value ct = b.reshape(g.ct(), {rows, outputs});
    Values out(3);
    if (g.needs(0)) out[0] = b.reshape(matmul(b, ct, b.reshape(g.in(1), {outputs, inputs})), x);
    if (g.needs(1)) out[1] = b.reshape(matmul(b, transposed(b, ct), b.reshape(g.in(0), {rows, inputs})), w);
    if (g.needs(2)) out[2] = g.unbroadcast(g.ct(), 2);
    return out;
  }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}}, {{5, 4}}, {{5}}}, {}, {}},
            {{{{2, 3, 4}}, {{5, 4}}, absent_operand()}, {}, {}},
            {{{{4}}, {{4}}, {Shape{}}}, {}, {}}};
  }
};
EMBER_OP(Dense);

}  // namespace
}  // namespace ember::ops
