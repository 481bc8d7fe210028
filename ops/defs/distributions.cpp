// Random ops whose elements take as many numbers as chance wants: gamma's and Poisson's, by rejection. Draw n of
// element i of a key is block (key, i, n) of ops/simd/philox.h, so an element is a pure function of key, index and
// parameter as of all random ops. Computed in double.
#include <cmath>

#include "ops/base/parallel.h"
#include "ops/kernels/random.h"
#include "ops/kernels/widen.h"
#include "ops/simd/philox.h"

namespace ember::ops {
namespace {

constexpr int64_t kGrain = 1 << 10;  // elements worth a thread

// The numbers of one element, in order.
class Draws {
 public:
  Draws(int64_t key, int64_t element) : key_(key), element_(element) {}
  double unit() { return static_cast<double>(word() >> 11) * 0x1p-53; }            // [0, 1)
  double positive() { return (static_cast<double>(word() >> 11) + 1) * 0x1p-53; }  // (0, 1]
  double normal() {                                                                // Box and Muller
    const double radius = std::sqrt(-2 * std::log(positive()));
    return radius * std::cos(6.283185307179586 * unit());
  }

 private:
  uint64_t word() {
    if (taken_ % 2 == 0) block_ = random_block(key_, element_, taken_ / 2);
    const uint32_t* half = block_.words + taken_++ % 2 * 2;
    return uint64_t{half[0]} << 32 | half[1];
  }
  int64_t key_, element_;
  uint32_t taken_ = 0;
  PhiloxBlock block_{};
};

// Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.
double gamma_draw(double alpha, Draws draws) {
  if (!(alpha > 0)) return alpha == 0 ? 0 : std::nan("");
  if (std::isinf(alpha)) return alpha;
  const double boost = alpha < 1 ? std::pow(draws.positive(), 1 / alpha) : 1;
  const double d = (alpha < 1 ? alpha + 1 : alpha) - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = draws.normal(), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(draws.positive()) < x * x / 2 + d - d * v + d * std::log(v)) return boost * d * v;
  }
}

// Hoermann, "The transformed rejection method for generating Poisson random variables", 1993: PTRS.
double large_poisson(double rate, Draws draws) {
  const double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), within = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = draws.unit() - 0.5, v = draws.positive(), us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= within) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    int sign;
    const double bound = k * std::log(rate) - rate - lgamma_r(k + 1, &sign);
    if (std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b) <= bound) return k;
  }
}

// Knuth's products of uniform numbers where few are expected.
double poisson_draw(double rate, Draws draws) {
  if (!(rate >= 0)) return std::nan("");
  if (std::isinf(rate)) return rate;
  if (rate >= 10) return large_poisson(rate, draws);
  const double least = std::exp(-rate);
  double product = draws.positive(), count = 0;
  for (; product > least; ++count) product *= draws.positive();
  return count;
}

// One element for each of an operand, its parameter.
template <class Self, double (*draw)(double, Draws)>
struct DrawOp {
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) {
    require_float(c.in[0].dtype, Self::name);
    return {Type::tensor(c.in[0].dtype, c.in[0].dims)};
  }
  static void kernel(const KernelCall& c) {
    const int64_t key = key_of(c.in[1], c.attrs, 1);
    const Tensor in = to_contiguous(borrow(c.in[0]));
    dispatch_float(in.dtype(), [&]<class T>() {
      const T* parameters = in.data_as<T>();
      T* out = c.out[0].as<T>();
      parallel_for(in.layout().numel, kGrain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          out[i] = convert_value<T>(draw(convert_value<double>(parameters[i]), Draws(key, i)));
      });
    });
  }
  static Values batch(Batch& v) { return v.b.apply(v.op, {{v.in_batched(0), v.in(1)}}, v.attrs); }
};

struct RandomGamma : DrawOp<RandomGamma, gamma_draw> {
  static constexpr const char* name = "random_gamma";
  static constexpr const char* primitive = "RandomGamma";
  static constexpr const char* signature = "alpha: tensor, seed: int? = None, key: random -> tensor";
  static constexpr const char* doc =
      "For each alpha a number of density x ** (alpha - 1) * exp(-x) / gamma(alpha), of alpha's dtype. 0 where alpha "
      "is 0, infinity where it is that, NaN where it is negative.";
  static std::vector<Sample> samples() {
    return {{{{{4, 3}, DType::Float32, 0.1, 3}}, {}, {}},
            {{{{5}, DType::Float64, 0.1, 3}}, {{"seed", int64_t{7}}}, {}}};
  }
};
EMBER_OP(RandomGamma);

struct RandomPoisson : DrawOp<RandomPoisson, poisson_draw> {
  static constexpr const char* name = "random_poisson";
  static constexpr const char* primitive = "RandomPoisson";
  static constexpr const char* signature = "rate: tensor, seed: int? = None, key: random -> tensor";
  static constexpr const char* doc =
      "For each rate a whole number n of probability rate ** n * exp(-rate) / n!, of rate's dtype. Infinity where "
      "rate is that, NaN where it is negative.";
  static std::vector<Sample> samples() {
    return {{{{{4, 3}, DType::Float32, 0, 30}}, {}, {}}, {{{{5}, DType::Float64, 0, 3}}, {{"seed", int64_t{7}}}, {}}};
  }
};
EMBER_OP(RandomPoisson);

}  // namespace
}  // namespace ember::ops
