// Functions of two or three numbers by series, an element at a time (ops/kernels/special.h): operands are given one
// shape and dtype first. The half types and integers are computed in float32; all in float64, and rounded.
#include <algorithm>
#include <array>
#include <numeric>

#include "ops/base/parallel.h"
#include "ops/expr/functions.h"
#include "ops/kernels/special.h"
#include "ops/program/program.h"
#include "ops/program/strided.h"
#include "ops/table/elementwise.h"
#include "ops/table/movement.h"
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

constexpr int64_t kGrain = 256;  // elements that are worth a thread

Value promoted(Builder& b, std::span<const Value> in, size_t at) {
  Value value = in[at];
  for (size_t i = 0; i < in.size(); ++i)
    if (i != at)
      value = b.call("promoted", {value, b.type(in[i]).is_tensor() ? b.call("stop_gradient", {in[i]}) : in[i]});
  return value;
}

bool of_one_type(Builder& b, std::span<const Value> in) {
  const Type first = b.type(in[0]);
  return std::all_of(in.begin(), in.end(), [&](const Value& v) {
    const Type type = b.type(v);
    return type.is_tensor() && type.dtype == first.dtype && to_ints(type.dims) == to_ints(first.dims);
  });
}

// Calls an op whose operands have one shape, with all of them in one dtype: floats in float32 at least.
Value together(Builder& b, std::string_view op, std::span<const Value> in, bool floats) {
  Values all;
  DType last_dtype = DType::Float32;
  const bool alike = of_one_type(b, in);
  for (size_t i = 0; i < in.size(); ++i) {
    const Value value = alike ? in[i] : promoted(b, in, i);
    last_dtype = b.type(value).dtype;
    if (floats) refuse_complex(b.type(value), op.substr(0, op.find("_elements")));
    const DType dtype = !floats || last_dtype == DType::Float64 ? last_dtype : DType::Float32;
    all.push_back(in_dtype(b, value, dtype));
  }
  const Value out = b.call_all(op, all)[0];
  return is_half_dtype(last_dtype) ? b.cast(out, last_dtype) : out;
}

// Base of ops whose operands have one shape. The result has it, and the last one's dtype, in which all are taken.
struct ElementOp {
  static constexpr Flags flags = Flag::Pure;
  static Types infer(const InferCall& c) {
    const Type& last = c.in.back();
    for (const Type& type : c.in) {
      refuse_complex(type, "elements");
      if (to_ints(type.dims) != to_ints(last.dims)) {
        type_error("Operands must be of one shape, but are " + to_string(type) + " and " + to_string(last) + ".");
      }
    }
    return {Type::tensor(last.dtype, last.dims)};
  }
  static Values batch(Batch& v) {
    Values in;
    for (size_t i = 0; i < v.operands(); ++i) in.push_back(v.in_batched(i));
    return v.b.apply(v.op, in, v.attrs);
  }

 protected:
  template <class T, size_t N, class F>
  static void each(const KernelCall& c, F f) {
    const Layout& out = *c.out[0].layout;
    std::array<Tensor, N> copies;
    std::array<const T*, N> from;
    for (size_t i = 0; i < N; ++i) {
      const Layout& in = *c.in[i].layout;
      from[i] = c.in[i].template as<const T>();
      if (in.dtype == out.dtype && in.contiguous && in.numel == out.numel) continue;
      copies[i] = Tensor::empty(out.dtype, out.shape);
      copy_view(c.in[i], {copies[i].data(), c.out[0].layout});
      from[i] = copies[i].template data_as<T>();
    }
    T* const to = c.out[0].as<T>();
    parallel_for(out.numel, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        to[i] = [&]<size_t... I>(std::index_sequence<I...>) { return static_cast<T>(f(from[I][i]...)); }
        (std::make_index_sequence<N>());
      }
    });
  }
};

// What no op of this file has.
void no_gradient(Grad& g, size_t operand, const std::string& what) {
  if (g.needs(operand)) throw std::runtime_error("There is no gradient of " + what + "; stop_gradient it.");
}

template <auto F, size_t N, auto Single = F>
struct FloatElements : ElementOp {
  static constexpr const char* numpy = "";  // tests/python/references.py
  static void kernel(const KernelCall& c) {
    if (c.out[0].layout->dtype == DType::Float64) return each<double, N>(c, F);
    if (c.out[0].layout->dtype == DType::Float32) return each<float, N>(c, Single);
    type_error("The last operand must be float32 or float64.");
  }
  // Operands but the last are constants: second derivatives by them there are none.
  static std::vector<Sample> samples() {
    std::vector<SampleOperand> operands(N, sample_of({3, 4}, 2, 5, DType::Int32));
    operands.back() = N == 3 ? sample_of({3, 4}, 0.1, 0.9) : sample_of({3, 4}, 1, 9);
    return {{operands, {}, {}}};
  }
};

// The public op over one of elements.
template <class Elements>
struct FloatOp {
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* numpy = "";  // tests/python/references.py
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    return {together(b, Elements::name, in, true)};
  }
  static std::vector<Sample> samples() {
    return {{{sample_of({2, 3}, 2, 6, DType::Int32), sample_of({3}, 1, 9)}, {}, {}},
            {{sample_number(2.5), sample_of({2, 3}, 1, 9, DType::Float64)}, {}, {}},
            {{sample_number(3, DType::Int64), sample_of({0, 3}, 1, 9)}, {}, {}},
            {{sample_of({}, 2, 6, DType::Int32), sample_of({4}, 1, 9, DType::Float16)}, {}, {}}};
  }
};

struct ZetaSlope : FloatElements<special::zeta_slope, 2> {
  static constexpr const char* name = "zeta_slope";
  static constexpr const char* primitive = "ZetaSlope";
  static constexpr const char* signature = "input: tensor, other: tensor -> tensor";
  static constexpr const char* doc = "The derivative of zeta by input, of tensors of one shape.";
  static constexpr const char* saves = "input, other";
  static Values grad(Grad& g) {
    Builder& b = g.b;
    no_gradient(g, 0, "the derivative of zeta by 'input'");
    const Value above = b.add(g.in(0), 1.0);
    const Value slope =
        b.add(b.call("zeta_elements", {above, g.in(1)}), b.mul(g.in(0), b.call(name, {above, g.in(1)})));
    return {Value(), b.neg(b.mul(g.ct(), slope))};
  }
};
EMBER_OP(ZetaSlope);

struct ZetaElements : FloatElements<special::zeta, 2> {
  static constexpr const char* name = "zeta_elements";
  static constexpr const char* primitive = "ZetaElements";
  static constexpr const char* signature = "input: tensor, other: tensor -> tensor";
  static constexpr const char* doc = "zeta of tensors of one shape.";
  static constexpr const char* saves = "input, other";
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value slope = b.neg(b.mul(g.in(0), b.call(name, {b.add(g.in(0), 1.0), g.in(1)})));
    return {g.needs(0) ? g.unbroadcast(b.mul(g.ct(), b.call("zeta_slope", {g.in(0), g.in(1)})), 0) : Value(),
            b.mul(g.ct(), slope)};
  }
};
EMBER_OP(ZetaElements);

struct Zeta : FloatOp<ZetaElements> {
  static constexpr const char* name = "zeta";
  static constexpr const char* primitive = "Zeta";
  static constexpr const char* signature = "input: number, other: number -> tensor";
  static constexpr const char* doc =
      "Hurwitz' zeta function: the sum of (other + k)^-input from k = 0, elementwise with broadcasting. Infinite at "
      "input 1 and at integers other up to 0, NaN for input below 1 and where a power is not real. Integers give "
      "float32.";
};
EMBER_OP(Zeta);

struct PolygammaElements : FloatElements<special::polygamma, 2> {
  static constexpr const char* name = "polygamma_elements";
  static constexpr const char* primitive = "PolygammaElements";
  static constexpr const char* signature = "n: tensor, input: tensor -> tensor";
  static constexpr const char* doc = "The n-th derivative of psi of tensors of one shape.";
  static constexpr const char* saves = "n, input";
  static void kernel(const KernelCall& c) {
    const Layout& out = *c.out[0].layout;
    const Tensor orders = Tensor::empty(DType::Float64, out.shape);
    copy_view(c.in[0], {orders.data(), &orders.layout()});
    const std::span<const double> of(orders.data_as<double>(), static_cast<size_t>(out.numel));
    const std::array few{std::count(of.begin(), of.end(), 0.0), std::count(of.begin(), of.end(), 1.0)};
    if (few[0] == out.numel) return run<functions::digamma>(c.in[1], c.out[0]);
    if (few[1] == out.numel) return run<functions::trigamma>(c.in[1], c.out[0]);
    FloatElements::kernel(c);
    if (few[0] > 0) replace<functions::digamma>(c, of, 0);
    if (few[1] > 0) replace<functions::trigamma>(c, of, 1);
  }
  static Values grad(Grad& g) {
    const Value slope = g.b.call(name, {g.b.add(g.in(0), 1.0), g.in(1)});
    return {Value(), g.b.mul(g.ct(), slope)};
  }

 private:
  // Orders that are functions on their own.
  template <Ex (*F)(Ex)>
  static void run(const View& in, const View& out) {
    const auto program = [](DType dtype) {
      ExprBuilder b;
      return Program::of(b.finish({F(b.input(0, dtype))}));
    };
    static const auto& programs = *new std::array{program(DType::Float32), program(DType::Float64)};
    programs[out.layout->dtype == DType::Float64]->run({&in, 1}, {&out, 1});
  }
  template <Ex (*F)(Ex)>
  static void replace(const KernelCall& c, std::span<const double> orders, double order) {
    const Layout& out = *c.out[0].layout;
    const Tensor values = Tensor::empty(out.dtype, out.shape);
    run<F>(c.in[1], {values.data(), &values.layout()});
    dispatch_width(itemsize(out.dtype), [&]<class U>() {
      for (size_t i = 0; i < orders.size(); ++i)
        if (orders[i] == order) c.out[0].as<U>()[i] = values.data_as<U>()[i];
    });
  }
};
EMBER_OP(PolygammaElements);

struct Polygamma : FloatOp<PolygammaElements> {
  static constexpr const char* name = "polygamma";
  static constexpr const char* primitive = "Polygamma";
  static constexpr const char* signature = "n: number, input: number -> tensor";
  static constexpr const char* doc =
      "The n-th derivative of digamma at input, elementwise with broadcasting; of order 0 digamma itself. NaN where n "
      "is no integer from 0. Integers give float32.";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    return {together(b, PolygammaElements::name, in, true)};
  }
  static std::vector<Sample> samples() {
    return {{{sample_of({5, 1}, 0, 3, DType::Int32), sample_of({4}, 0.5, 4)}, {}, {}},
            {{sample_number(2, DType::Int64), sample_of({2, 3}, 1, 9, DType::Float64)}, {}, {}},
            {{sample_number(3, DType::Int64), sample_of({0, 3}, 1, 9)}, {}, {}},
            {{sample_of({}, 0, 4, DType::Int32), sample_of({4}, 1, 9, DType::Float16)}, {}, {}}};
  }
};
EMBER_OP(Polygamma);

// x^(a - 1) e^-x / Gamma(a)
Value gamma_density(Builder& b, const Value& a, const Value& x) {
  const Value log = b.sub(b.call("xlogy", {b.sub(a, 1.0), x}), b.add(x, b.call("lgamma", {a})));
  return b.exp(log);
}

struct IgammaSlope : FloatElements<special::igamma_slope, 2> {
  static constexpr const char* name = "igamma_slope";
  static constexpr const char* primitive = "IgammaGradA";
  static constexpr const char* signature = "input: tensor, other: tensor -> tensor";
  static constexpr const char* doc = "The derivative of igamma by input, of tensors of one shape.";
  static constexpr const char* saves = "input, other";
  static Values grad(Grad& g) {
    Builder& b = g.b;
    no_gradient(g, 0, "the derivative of igamma by 'input'");
    const Value slope = b.sub(b.call("log", {g.in(1)}), b.call("digamma", {g.in(0)}));
    return {Value(), b.mul(g.ct(), b.mul(gamma_density(b, g.in(0), g.in(1)), slope))};
  }
};
EMBER_OP(IgammaSlope);

Values igamma_grad(Grad& g, const Value& ct) {
  Builder& b = g.b;
  return {g.needs(0) ? g.unbroadcast(b.mul(ct, b.call("igamma_slope", {g.in(0), g.in(1)})), 0) : Value(),
          b.mul(ct, gamma_density(b, g.in(0), g.in(1)))};
}

struct IgammaElements : FloatElements<special::igamma, 2, special::igamma_single> {
  static constexpr const char* name = "igamma_elements";
  static constexpr const char* primitive = "IgammaElements";
  static constexpr const char* signature = "input: tensor, other: tensor -> tensor";
  static constexpr const char* doc = "igamma of tensors of one shape.";
  static constexpr const char* saves = "input, other";
  static Values grad(Grad& g) { return igamma_grad(g, g.ct()); }
};
EMBER_OP(IgammaElements);

struct IgammacElements : FloatElements<special::igammac, 2, special::igammac_single> {
  static constexpr const char* name = "igammac_elements";
  static constexpr const char* primitive = "IgammacElements";
  static constexpr const char* signature = "input: tensor, other: tensor -> tensor";
  static constexpr const char* doc = "igammac of tensors of one shape.";
  static constexpr const char* saves = "input, other";
  static Values grad(Grad& g) { return igamma_grad(g, g.b.neg(g.ct())); }
};
EMBER_OP(IgammacElements);

struct Igamma : FloatOp<IgammaElements> {
  static constexpr const char* name = "igamma";
  static constexpr const char* primitive = "Igamma";
  static constexpr const char* signature = "input: number, other: number -> tensor";
  static constexpr const char* doc =
      "The regularised lower incomplete gamma function P(input, other), elementwise with broadcasting; NaN below zero. "
      "Integers give float32.";
};
EMBER_OP(Igamma);

struct Igammac : FloatOp<IgammacElements> {
  static constexpr const char* name = "igammac";
  static constexpr const char* primitive = "Igammac";
  static constexpr const char* signature = "input: number, other: number -> tensor";
  static constexpr const char* doc =
      "The regularised upper incomplete gamma function Q(input, other) = 1 - P, elementwise with broadcasting; NaN "
      "below "
      "zero. Integers give float32.";
};
EMBER_OP(Igammac);

struct BetaincElements : FloatElements<special::betainc, 3> {
  static constexpr const char* name = "betainc_elements";
  static constexpr const char* primitive = "BetaincElements";
  static constexpr const char* signature = "a: tensor, b: tensor, x: tensor -> tensor";
  static constexpr const char* doc = "betainc of tensors of one shape.";
  static constexpr const char* saves = "a, b, x";
  static Values grad(Grad& g) {
    Builder& b = g.b;
    no_gradient(g, 0, "betainc by 'a'");
    no_gradient(g, 1, "betainc by 'b'");
    const auto lgamma = [&](const Value& v) { return b.call("lgamma", {v}); };
    const Value first = b.cast(g.in(0), g.out_type().dtype), second = b.cast(g.in(1), g.out_type().dtype);
    const Value over = b.sub(lgamma(b.add(first, second)), b.add(lgamma(first), lgamma(second)));
    const Value powers = b.add(b.call("xlogy", {b.sub(first, 1.0), g.in(2)}),
                               b.call("xlogy", {b.sub(second, 1.0), b.sub(1.0, g.in(2))}));
    return {Value(), Value(), b.mul(g.ct(), b.exp(b.add(powers, over)))};
  }
};
EMBER_OP(BetaincElements);

struct Betainc : FloatOp<BetaincElements> {
  static constexpr const char* name = "betainc";
  static constexpr const char* primitive = "Betainc";
  static constexpr const char* signature = "a: tensor, b: tensor, x: tensor -> tensor";
  static constexpr const char* doc =
      "The regularised incomplete beta function I_x(a, b), elementwise with broadcasting; NaN unless a, b > 0 and x is "
      "within [0, 1]. There is a gradient by x alone. Integers give float32.";
  static std::vector<Sample> samples() {
    const auto whole = [](const Shape& shape) { return sample_of(shape, 1, 6, DType::Int32); };
    return {{{whole({2, 3}), whole({3}), sample_of({3}, 0.1, 0.9)}, {}, {}},
            {{whole({}), whole({2, 1}), sample_of({4}, 0.1, 0.9, DType::Float64)}, {}, {}}};
  }
};
EMBER_OP(Betainc);

template <class T>
std::make_unsigned_t<T> magnitude(T x) {
  return x < 0 ? std::make_unsigned_t<T>(0) - static_cast<std::make_unsigned_t<T>>(x)
               : static_cast<std::make_unsigned_t<T>>(x);
}

// Small numbers by Euclid's algorithm, whose divisions are fast then.
template <class U>
U common_divisor(U x, U y) {
  if constexpr (sizeof(U) > 4)
    if ((x | y) >> 32 != 0) return std::gcd(x, y);
  auto a = static_cast<uint32_t>(x), b = static_cast<uint32_t>(y);
  while (b != 0) a = std::exchange(b, a % b);
  return static_cast<U>(a);
}

template <class F>
void each_int(const KernelCall& c, F f) {
  dispatch(c.out[0].layout->dtype, [&]<class T>() {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      f.template operator()<T>();
    } else {
      type_error("Operands must be integers.");
    }
  });
}

struct GcdElements : ElementOp {
  static constexpr const char* name = "gcd_elements";
  static constexpr const char* primitive = "GcdElements";
  static constexpr const char* signature = "input: tensor, other: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc = "gcd of tensors of one shape and dtype.";
  static constexpr const char* numpy = "np.gcd(input, other)";
  static void kernel(const KernelCall& c) {
    each_int(c, [&]<class T>() {
      each<T, 2>(c, [](T a, T b) { return static_cast<T>(common_divisor(magnitude(a), magnitude(b))); });
    });
  }
  static std::vector<Sample> samples() {
    return {{{sample_of({3, 4}, -99, 99, DType::Int32), sample_of({3, 4}, -99, 99, DType::Int32)}, {}, {}}};
  }
};
EMBER_OP(GcdElements);

struct LcmElements : GcdElements {
  static constexpr const char* name = "lcm_elements";
  static constexpr const char* primitive = "LcmElements";
  static constexpr const char* doc = "lcm of tensors of one shape and dtype.";
  static constexpr const char* numpy = "np.lcm(input, other)";
  static void kernel(const KernelCall& c) {
    each_int(c, [&]<class T>() {
      each<T, 2>(c, [](T a, T b) {
        const auto x = magnitude(a), y = magnitude(b), common = common_divisor(x, y);
        return common == 0 ? T(0) : static_cast<T>(static_cast<uint64_t>(x / common) * y);
      });
    });
  }
};
EMBER_OP(LcmElements);

template <class Elements>
struct IntOp {
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* signature = "input: number, other: number -> tensor";
  static constexpr const char* numpy = Elements::numpy;
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    for (size_t i = 0; i < 2; ++i) {
      const Type type = b.type(in[i]);
      if (is_int(type.dtype)) continue;
      const std::string_view op(Elements::name);
      type_error(about(op.substr(0, op.find('_'))) + "operands must be integers, but got " + to_string(type) + ".");
    }
    return {together(b, Elements::name, in, false)};
  }
  static std::vector<Sample> samples() {
    return {{{sample_of({2, 3}, -50, 50, DType::Int32), sample_of({3}, -50, 50, DType::Int64)}, {}, {}},
            {{sample_of({5}, 0, 99, DType::UInt8), sample_number(12, DType::Int64)}, {}, {}},
            {{sample_of({0, 3}, -9, 9, DType::Int32), sample_of({3}, -9, 9, DType::Int32)}, {}, {}}};
  }
};

struct Gcd : IntOp<GcdElements> {
  static constexpr const char* name = "gcd";
  static constexpr const char* primitive = "Gcd";
  static constexpr const char* doc =
      "The greatest common divisor of integers, not negative, elementwise with broadcasting; of 0 and x it is |x|.";
};
EMBER_OP(Gcd);

struct Lcm : IntOp<LcmElements> {
  static constexpr const char* name = "lcm";
  static constexpr const char* primitive = "Lcm";
  static constexpr const char* doc =
      "The least common multiple of integers, elementwise with broadcasting; 0 where one is 0. It wraps.";
};
EMBER_OP(Lcm);

}  // namespace
}  // namespace ember::ops
