// Every strip kernel of every instruction set gives the bits of the scalar evaluation, over special values, random bits
// and random ordinary numbers, for every number of elements up to a few vectors.
#include "ops/simd/strips.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "ops/expr/lookup.h"
#include "ops/expr/scalar.h"

namespace ember::ops {
namespace {

bool is_nan(DType d, ScalarWord word) {
  const auto bits = static_cast<uint64_t>(word);
  switch (d) {
    case DType::Float16:
      return (bits & 0x7FFF) > 0x7C00;
    case DType::BFloat16:
      return (bits & 0x7FFF) > 0x7F80;
    case DType::Float8E4M3FN:
      return (bits & 0x7F) == 0x7F;
    case DType::Float8E5M2:
      return (bits & 0x7F) > 0x7C;
    case DType::Float32:
      return (bits & 0x7FFFFFFF) > 0x7F800000;
    case DType::Float64:
      return (bits & ~(uint64_t{1} << 63)) > uint64_t{0x7FF} << 52;
    default:
      return false;
  }
}

// Equal in every bit, or NaN both; of complex numbers part by part.
bool same(DType d, ScalarWord a, ScalarWord b) {
  if (!is_complex(d)) return a == b || (is_nan(d, a) && is_nan(d, b));
  const size_t bits = itemsize(d) * 4;
  const ScalarWord mask = (ScalarWord{1} << bits) - 1;
  return same(part_dtype(d), a & mask, b & mask) && same(part_dtype(d), a >> bits, b >> bits);
}

uint64_t float_word(DType d, double value) {
  switch (d) {
    case DType::Float16:
      return Half(static_cast<float>(value)).bits;
    case DType::BFloat16:
      return BFloat16(static_cast<float>(value)).bits;
    case DType::Float32:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    default:
      return std::bit_cast<uint64_t>(value);
  }
}

std::vector<uint64_t> special_words(DType d) {
  std::vector<uint64_t> words;
  if (d == DType::Bool) return {0, 1};
  const size_t bits = itemsize(d) * 8;
  if (is_int(d)) {
    for (uint64_t w : {0, 1, 2, 3, 7, 8, 15, 31, 32, 63, 64, -1, -2, -3, -8, -64}) words.push_back(w);
    for (size_t k : {bits - 2, bits - 1}) {
      for (uint64_t delta : {-1, 0, 1}) words.push_back((uint64_t{1} << k) + delta);
    }
  } else {
    for (double x : {0.0,
                     0.25,
                     0.5,
                     1.0,
                     1.5,
                     2.0,
                     2.5,
                     3.0,
                     0.1,
                     1e-3,
                     1e-8,
                     1e-20,
                     1e-40,
                     1e-310,
                     5e-324,
                     0.625,
                     0.92,
                     88.7,
                     88.8,
                     103.9,
                     709.7,
                     745.2,
                     1e5,
                     1e9,
                     2147483648.0,
                     4294967296.0,
                     9223372036854775808.0,
                     1.8446744073709552e19,
                     1e30,
                     3.4028235e38,
                     1e300,
                     1.7e308,
                     127.5,
                     128.0,
                     255.5,
                     32767.5,
                     65504.0,
                     65520.0,
                     static_cast<double>(INFINITY),
                     static_cast<double>(NAN)}) {
      words.push_back(float_word(d, x));
      words.push_back(float_word(d, -x));
    }
  }
  for (uint64_t& w : words) {
    if (bits < 64) w &= (uint64_t{1} << bits) - 1;
  }
  return words;
}

class Words {
 public:
  Words(DType d, uint32_t seed)
      : parts_(is_complex(d) ? 2 : 1), dtype_(part_dtype(d)), special_(special_words(dtype_)), random_(seed) {}
  ScalarWord next() {
    const ScalarWord first = next_part();
    return parts_ == 1 ? first : first | ScalarWord{next_part()} << (itemsize(dtype_) * 8);
  }

 private:
  uint64_t next_part() {
    const uint32_t kind = random_() % 4;
    if (dtype_ == DType::Bool) return random_() & 1;
    if (kind == 0) return special_[random_() % special_.size()];
    if (kind == 1 || is_int(dtype_)) {
      const uint64_t word = uint64_t{random_()} << 32 | random_();
      const size_t bits = itemsize(dtype_) * 8;
      return bits == 64 ? word : word & ((uint64_t{1} << bits) - 1);
    }
    return float_word(dtype_, std::uniform_real_distribution<>(-6, 6)(random_));
  }

  int parts_;
  DType dtype_;
  std::vector<uint64_t> special_;
  std::mt19937 random_;
};

std::vector<Isa> isas() {
  std::vector<Isa> result = {Isa::Portable};
  if (best_isa() >= Isa::Avx2) result.push_back(Isa::Avx2);
  if (best_isa() >= Isa::Avx512) result.push_back(Isa::Avx512);
  return result;
}

// An expression of one verb whose operands have dtype `of`.
Expr one_verb(Verb verb, DType of, DType result, uint64_t bits = 0) {
  ExprBuilder b;
  std::vector<Ex> in;
  const int operands = info(verb).operands;
  for (int k = 0; k < operands; ++k) {
    in.push_back(b.input(static_cast<uint16_t>(k), verb == Verb::Select && k == 0 ? DType::Bool : of));
  }
  in.resize(3);
  return b.finish({b.emit(verb, result, in[0], in[1], in[2], bits)});
}

void check(const Expr& expr, const std::function<ScalarWord(Words&)>& draw, int64_t n) {
  const NodeId id = expr.outputs[0];
  const ExprNode& node = expr.nodes[id];
  const size_t result_size = itemsize(node.dtype);
  std::vector<std::vector<std::byte>> operands;
  std::vector<std::vector<ScalarWord>> words(static_cast<size_t>(n), std::vector<ScalarWord>(expr.inputs));
  for (uint16_t k = 0; k < expr.inputs; ++k) {
    const DType d = expr.input_dtype(k);
    Words source(d, 77 + k + static_cast<uint32_t>(node.verb) * 131);
    operands.emplace_back(static_cast<size_t>(n) * itemsize(d) + 1);
    for (int64_t i = 0; i < n; ++i) {
      const ScalarWord w = draw(source);
      words[static_cast<size_t>(i)][k] = w;
      std::memcpy(operands[k].data() + static_cast<size_t>(i) * itemsize(d), &w, itemsize(d));
    }
  }
  operands.resize(3);
  ScalarProgram scalar(expr);
  std::vector<ScalarWord> wanted(static_cast<size_t>(n));
  for (size_t i = 0; i < wanted.size(); ++i) scalar.run(words[i], {&wanted[i], 1});
  const void* second = node.verb == Verb::Lookup ? lookup_table(node.bits).data : operands[1].data();
  for (Isa isa : isas()) {
    const StripFn fn = strip(strips(isa), expr, id);
    for (int64_t m = 0; m <= n; m = m < 70 && m < n ? m + 1 : m == n ? n + 1 : n) {
      std::vector<std::byte> out(static_cast<size_t>(m) * result_size + 8, std::byte{0xA5});
      fn(m, out.data(), operands[0].data(), second, operands[2].data());
      for (int64_t i = m < n ? std::max<int64_t>(0, m - 1) : 0; i < m; ++i) {
        ScalarWord got = 0;
        std::memcpy(&got, out.data() + static_cast<size_t>(i) * result_size, result_size);
        const ScalarWord want = wanted[static_cast<size_t>(i)];
        const auto low = [](ScalarWord w) { return static_cast<uint64_t>(w); };
        ASSERT_TRUE(same(node.dtype, got, want))
            << name(isa) << ' ' << to_string(expr) << "element " << i << " of " << m << std::hex << " is " << low(got)
            << ", not " << low(want) << ", operands " << low(words[static_cast<size_t>(i)][0]) << ' '
            << (expr.inputs > 1 ? low(words[static_cast<size_t>(i)][1]) : 0);
      }
      for (int k = 0; k < 8; ++k) ASSERT_EQ(out[static_cast<size_t>(m) * result_size + k], std::byte{0xA5});
    }
  }
}

ScalarWord any(Words& w) { return w.next(); }

class StripVerbs : public testing::TestWithParam<int> {};

TEST_P(StripVerbs, GiveTheBitsOfTheScalarEvaluation) {
  const Verb verb = static_cast<Verb>(GetParam());
  int kernels = 0;
  for (size_t d = 0; d < kDTypes; ++d) {
    const DType of = static_cast<DType>(d);
    const bool comparison = verb >= Verb::Eq && verb <= Verb::Le;
    const DType result = comparison ? DType::Bool : verb == Verb::Complex ? complex_dtype(of) : part_dtype(of);
    const Expr expr = one_verb(verb, of, result);
    std::string why;
    if (!well_formed(expr, &why)) continue;
    ++kernels;
    check(expr, any, 4000);
  }
  EXPECT_GT(kernels, 0);
}

std::string verb_name(const testing::TestParamInfo<int>& p) {
  return std::string(info(static_cast<Verb>(p.param)).name);
}

// Convert, Bitcast and Lookup have tests of their own.
INSTANTIATE_TEST_SUITE_P(Primitive, StripVerbs,
                         testing::Range(static_cast<int>(Verb::Add), static_cast<int>(Verb::Convert)), verb_name);
INSTANTIATE_TEST_SUITE_P(Complex, StripVerbs,
                         testing::Range(static_cast<int>(Verb::RealPart), static_cast<int>(Verb::Exp)), verb_name);
INSTANTIATE_TEST_SUITE_P(Composite, StripVerbs, testing::Range(static_cast<int>(Verb::Exp), static_cast<int>(kVerbs)),
                         verb_name);

TEST(Strips, Convert) {
  for (size_t from = 0; from < kDTypes; ++from) {
    for (size_t to = 0; to < kDTypes; ++to) {
      check(one_verb(Verb::Convert, static_cast<DType>(from), static_cast<DType>(to)), any, 3000);
    }
  }
}

TEST(Strips, ConvertEveryHalf) {
  for (DType half : {DType::Float16, DType::BFloat16}) {
    uint64_t next = 0;
    check(
        one_verb(Verb::Convert, half, DType::Float32), [&](Words&) { return next++ & 0xFFFF; }, 65536);
    uint64_t bits = 0;
    check(
        one_verb(Verb::Convert, DType::Float32, half), [&](Words&) { return (bits += 9973) & 0xFFFFFFFF; }, 500000);
  }
}

// Halfway between two numbers of a half type, or next to that.
TEST(Strips, ConvertToHalvesWhatFloat32CannotHold) {
  std::mt19937_64 random(1);
  for (DType half : {DType::Float16, DType::BFloat16}) {
    const int dropped = half == DType::Float16 ? 42 : 45;
    const uint64_t least = half == DType::Float16 ? 990 : 880, most = half == DType::Float16 ? 1040 : 1152;
    const auto real = [&](Words&) {
      const uint64_t kept = (random() & 1) << 63 | (least + random() % (most - least)) << 52 | random() >> 12;
      return (kept >> dropped << dropped | uint64_t{1} << (dropped - 1)) + random() % 3 - 1;
    };
    check(one_verb(Verb::Convert, DType::Float64, half), real, 100'000);
    for (DType from : {DType::Int32, DType::UInt32, DType::Int64, DType::UInt64}) {
      const int bits = static_cast<int>(itemsize(from)) * 8;
      const auto whole = [&](Words&) {
        const uint64_t x = ((0x100 | (random() & 0xFF)) << random() % static_cast<size_t>(bits - 8)) + random() % 3 - 1;
        return bits == 64 ? x : x & 0xFFFFFFFF;
      };
      check(one_verb(Verb::Convert, from, half), whole, 100'000);
    }
  }
}

TEST(Strips, Bitcast) {
  check(one_verb(Verb::Bitcast, DType::Float32, DType::Int32), any, 300);
  check(one_verb(Verb::Bitcast, DType::UInt64, DType::Float64), any, 300);
  check(one_verb(Verb::Bitcast, DType::Int16, DType::UInt16), any, 300);
}

TEST(Strips, Lookup) {
  for (uint64_t t = 0; t < lookup_tables(); ++t) {
    const uint64_t size = lookup_table(t).size;
    check(
        one_verb(Verb::Lookup, DType::Int32, lookup_table(t).dtype, t), [&](Words& w) { return w.next() % size; }, 300);
  }
}

TEST(Strips, ResultMayReplaceAnOperand) {
  for (Isa isa : isas()) {
    const Expr expr = one_verb(Verb::Add, DType::Float32, DType::Float32);
    std::vector<float> a(1000), b(1000);
    for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i), b[i] = 0.5F * static_cast<float>(i);
    strip(strips(isa), expr, expr.outputs[0])(1000, a.data(), a.data(), b.data(), nullptr);
    for (size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i], static_cast<float>(i) * 1.5F);
  }
}

}  // namespace
}  // namespace ember::ops
