// Random ops. Two kernels make numbers from Philox blocks, bit by bit defined; everything else is composed of them and
// of elementwise ops, so every tier, instruction set and number of threads gives the same numbers. A random op is pure
// given its key; a `seed` replaces that of the key.
#include <cmath>

#include "ops/base/parallel.h"
#include "ops/kernels/random.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kGrain = 1 << 13;  // elements worth a thread

// The top bits of a word, as many as T's significand holds, over their range: in [0, 1), and never rounded.
template <class T>
T unit(uint32_t high, uint32_t low) {
  if constexpr (std::is_same_v<T, double>) {
    return static_cast<double>((uint64_t{high} << 32 | low) >> 11) * 0x1p-53;
  } else if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(static_cast<int32_t>(high >> 8)) * 0x1p-24F;
  } else if constexpr (std::is_same_v<T, Half>) {
    return Half(static_cast<float>(high >> 21) * 0x1p-11F);
  } else {
    return BFloat16(static_cast<float>(high >> 24) * 0x1p-8F);
  }
}

// Calls f(element, word, word) for `count` elements, with the first words of their blocks (ops/simd/philox.h).
template <class F>
void for_each_words(int64_t key, int64_t count, F f) {
  constexpr int64_t kTogether = 512;
  parallel_for(count, kGrain, [&](int64_t begin, int64_t end) {
    uint32_t high[kTogether], low[kTogether];
    for (int64_t first = begin; first < end; first += kTogether) {
      const int64_t n = std::min(kTogether, end - first);
      kernels().random_words(key, first, n, high, low);
      for (int64_t i = 0; i < n; ++i) f(first + i, high[i], low[i]);
    }
  });
}

// One draw for the whole batch, so that its elements get different numbers.
Values draw_for_each(Batch& v, size_t shape_index) {
  Ints shape = v.attrs.ints(shape_index);
  shape.insert(shape.begin(), v.size);
  Attrs attrs = v.attrs;
  attrs.set(shape_index, std::move(shape));
  return v.b.apply(v.op, {{v.in(0)}}, attrs);
}

struct Rand {
  static constexpr const char* name = "rand";
  static constexpr const char* primitive = "UniformReal";
  static constexpr const char* signature = "size: ints, dtype: dtype? = None, seed: int? = None, key: random -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc = "Numbers drawn evenly from [0, 1), float32 unless dtype says otherwise.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) {
    DType dtype = c.attrs.has(1) ? c.attrs.dtype(1) : DType::Float32;
    require_float(dtype, name);
    return {Type::tensor(dtype, dims_of(c.attrs.ints(0), name))};
  }
  static void kernel(const KernelCall& c) {
    int64_t key = key_of(c.in[0], c.attrs, 2);
    dispatch_float(c.out[0].layout->dtype, [&]<class T>() {
      T* out = c.out[0].as<T>();
      for_each_words(key, c.out[0].layout->numel,
                     [out](int64_t i, uint32_t high, uint32_t low) { out[i] = unit<T>(high, low); });
    });
  }
  static Values batch(Batch& v) { return draw_for_each(v, 0); }
  static std::vector<Sample> samples() {
    return {{{}, {{"size", Ints{4, 3}}}, {}}, {{}, {{"size", Ints{5}}, {"dtype", DType::Float64}}, {}}};
  }
};
EMBER_OP(Rand);

struct RandomPair {
  static constexpr const char* name = "random_pair";
  static constexpr const char* primitive = "RandomPair";
  static constexpr const char* signature = "shape: ints, seed: int? = None, key: random -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc =
      "For each element two float32 numbers of one block: one of (0, 1] and one of [0, 1). What normal numbers are "
      "made of.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) {
    Type out = Type::tensor(DType::Float32, dims_of(c.attrs.ints(0), name));
    return {out, out};
  }
  static void kernel(const KernelCall& c) {
    int64_t key = key_of(c.in[0], c.attrs, 1);
    float* first = c.out[0].as<float>();
    float* second = c.out[1].as<float>();
    for_each_words(key, c.out[0].layout->numel, [=](int64_t i, uint32_t high, uint32_t low) {
      first[i] = static_cast<float>(static_cast<int32_t>(high >> 8) + 1) * 0x1p-24F;
      second[i] = unit<float>(low, 0);
    });
  }
  static Values batch(Batch& v) { return draw_for_each(v, 0); }
  static std::vector<Sample> samples() { return {{{}, {{"shape", Ints{4, 3}}}, {}}}; }
};
EMBER_OP(RandomPair);

struct StandardNormal {
  static constexpr const char* name = "standard_normal";
  static constexpr const char* primitive = "StandardNormal";
  static constexpr const char* signature = "shape: ints, seed: int? = None, key: random -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc =
      "Normally distributed float32 numbers of mean 0 and deviation 1, by Box and Muller: sqrt(-2 log u) cos(2 pi v).";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    constexpr double kTwoPi = 6.283185307179586;
    Values pair = b.call_all("random_pair", {{in[0]}}, {{"shape", attrs.ints(0)}, {"seed", attrs.values()[1]}});
    Value radius = b.call("sqrt", {b.mul(b.call("log", {pair[0]}), -2.0)});
    return {b.mul(radius, b.call("cos", {b.mul(pair[1], kTwoPi)}))};
  }
  static std::vector<Sample> samples() { return {{{}, {{"shape", Ints{4, 3}}}, {}}}; }
};
EMBER_OP(StandardNormal);

struct Randn {
  static constexpr const char* name = "randn";
  static constexpr const char* primitive = "Randn";
  static constexpr const char* signature = "size: ints, dtype: dtype? = None, seed: int? = None, key: random -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc = "standard_normal, converted to dtype.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    DType dtype = attrs.has(1) ? attrs.dtype(1) : DType::Float32;
    require_float(dtype, name);
    Value out = b.call("standard_normal", {in[0]}, {{"shape", attrs.ints(0)}, {"seed", attrs.values()[2]}});
    return {dtype == DType::Float32 ? out : b.cast(out, dtype)};
  }
  static std::vector<Sample> samples() { return {{{}, {{"size", Ints{4}}, {"dtype", DType::Float16}}, {}}}; }
};
EMBER_OP(Randn);

struct Normal {
  static constexpr const char* name = "normal";
  static constexpr const char* primitive = "Normal";
  static constexpr const char* signature =
      "shape: ints, mean: number, stddev: number, seed: int? = None, key: random -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "mean + stddev * standard_normal(shape), broadcast.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    Value z = b.call("standard_normal", {in[2]}, {{"shape", attrs.ints(0)}, {"seed", attrs.values()[3]}});
    const Value drawn = b.add(b.mul(z, in[1]), in[0]);
    refuse_complex(b.type(drawn), name);
    return {drawn};
  }
  static std::vector<Sample> samples() {
    SampleOperand mean{{}, DType::Float32, 0, 0, true, 1.5}, deviation{{3}, DType::Float32, 0.5, 2};
    return {{{mean, deviation}, {{"shape", Ints{2, 3}}}, {}}};
  }
};
EMBER_OP(Normal);

struct Uniform {
  static constexpr const char* name = "uniform";
  static constexpr const char* primitive = "Uniform";
  static constexpr const char* signature =
      "shape: ints, minval: number, maxval: number, seed: int? = None, dtype: dtype = Float32, key: random -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Numbers drawn evenly from [minval, maxval), which may be tensors and broadcast. An integer dtype takes whole "
      "numbers "
      "below each.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    DType dtype = attrs.dtype(4);
    bool whole = !is_float(dtype);
    Value u = b.call("rand", {in[2]},
                     {{"size", attrs.ints(0)}, {"dtype", whole ? DType::Float32 : dtype}, {"seed", attrs.values()[3]}});
    Value out = b.add(b.mul(u, b.sub(in[1], in[0])), in[0]);
    refuse_complex(b.type(out), name);
    return {whole ? b.cast(b.call("floor", {out}), dtype) : out};
  }
  static std::vector<Sample> samples() {
    SampleOperand low{{}, DType::Float32, -1, 0}, high{{3}, DType::Float32, 1, 2};
    return {{{low, high}, {{"shape", Ints{2, 3}}}, {}}};
  }
};
EMBER_OP(Uniform);

struct Bernoulli {
  static constexpr const char* name = "bernoulli";
  static constexpr const char* primitive = "Bernoulli";
  static constexpr const char* signature = "input: tensor, p: float = 0.5, seed: int? = None, key: random -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc = "Ones with probability p, else zeros, in input's shape and dtype.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const SymbolicFloat p = attrs.real(1);
    if (!(0.0 <= p && p <= 1.0))
      value_error(about(name) + "p must be in [0, 1], but got " + std::to_string(p.hint()) + ".");
    Type t = b.type(in[0]);
    Value u = b.call("rand", {in[1]}, {{"size", ints_of(t.dims)}, {"seed", attrs.values()[2]}});
    return {b.cast(b.call("less", {u, b.number(p)}), t.dtype)};
  }
  static std::vector<Sample> samples() { return {{{{{4, 3}}}, {{"p", 0.25}}, {}}}; }
};
EMBER_OP(Bernoulli);

struct RandInt {
  static constexpr const char* name = "randint";
  static constexpr const char* primitive = "UniformInt";
  static constexpr const char* dynamic = "low, high";
  static constexpr const char* signature =
      "low: int, high: int, size: ints, seed: int? = None, dtype: dtype? = None, key: random -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc =
      "Whole numbers drawn evenly from [low, high): the top half of 64 random bits times the number of choices. int64 "
      "unless dtype says otherwise.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) {
    const Dim low = c.attrs.dim(0), high = c.attrs.dim(1);
    if (low >= high) {
      value_error(about(name) + "'low' must be below 'high', but got " + std::to_string(low.hint()) + " and " +
                  std::to_string(high.hint()) + ".");
    }
    return {Type::tensor(c.attrs.has(4) ? c.attrs.dtype(4) : DType::Int64, dims_of(c.attrs.ints(2), name))};
  }
  static void kernel(const KernelCall& c) {
    int64_t key = key_of(c.in[0], c.attrs, 3);
    auto low = static_cast<uint64_t>(c.attrs.integer(0));
    uint64_t choices = static_cast<uint64_t>(c.attrs.integer(1)) - low;
    dispatch(c.out[0].layout->dtype, [&]<class T>() {
      T* out = c.out[0].as<T>();
      for_each_words(key, c.out[0].layout->numel, [=](int64_t i, uint32_t upper, uint32_t lower) {
        const uint64_t word = uint64_t{upper} << 32 | lower;
        auto offset = static_cast<uint64_t>(static_cast<unsigned __int128>(word) * choices >> 64);
        out[i] = convert_value<T>(static_cast<int64_t>(low + offset));
      });
    });
  }
  static Values batch(Batch& v) { return draw_for_each(v, 2); }
  static std::vector<Sample> samples() {
    return {{{}, {{"low", int64_t{-3}}, {"high", int64_t{9}}, {"size", Ints{4, 3}}}, {}}};
  }
};
EMBER_OP(RandInt);

struct Dropout {
  static constexpr const char* name = "dropout";
  static constexpr const char* primitive = "Dropout";
  static constexpr const char* signature =
      "input: tensor, p: float = 0.5, training: bool = True, seed: int? = None, key: random -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "While training, zeros with probability p and input / (1 - p) elsewhere; else the input itself.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const SymbolicFloat p = attrs.real(1);
    if (!(0.0 <= p && p < 1.0))
      value_error(about(name) + "p must be in [0, 1), but got " + std::to_string(p.hint()) + ".");
    Type t = b.type(in[0]);
    require_float(t.dtype, name);
    if (!attrs.flag(2) || p == 0.0) return {in[0]};
    Value u = b.call("rand", {in[1]}, {{"size", ints_of(t.dims)}, {"seed", attrs.values()[3]}});
    const Value mask = b.call("greater_equal", {u, b.number(p)});
    return {b.select(mask, b.mul(in[0], b.number(1.0 / (1.0 - p))), 0.0)};
  }
  static std::vector<Sample> samples() {
    return {{{{{4, 3}}}, {{"p", 0.25}}, {}}, {{{{4}}}, {{"training", false}}, {}}};
  }
};
EMBER_OP(Dropout);

struct DropoutWithMask {
  static constexpr const char* name = "dropout_with_mask";
  static constexpr const char* primitive = "DropoutWithMask";
  static constexpr const char* signature =
      "x: tensor, keep_prob: float = 0.5, seed: int? = None, key: random -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "(x / keep_prob with probability keep_prob and else zeros, 1 where an element was kept and else 0).";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const SymbolicFloat keep = attrs.real(1);
    if (!(0.0 < keep && keep <= 1.0)) {
      value_error(about(name) + "keep_prob must be in (0, 1], but got " + std::to_string(keep.hint()) + ".");
    }
    Type t = b.type(in[0]);
    require_float(t.dtype, name);
    Value u = b.call("rand", {in[1]}, {{"size", ints_of(t.dims)}, {"seed", attrs.values()[2]}});
    Value mask = b.call("less", {u, b.number(keep)});
    return {b.select(mask, b.mul(in[0], b.number(1.0 / keep)), 0.0), b.cast(mask, t.dtype)};
  }
  static std::vector<Sample> samples() {
    return {{{{{4, 3}}}, {{"keep_prob", 0.75}}, {}}, {{{{4}, DType::Float16}}, {{"keep_prob", 1.0}}, {}}};
  }
};
EMBER_OP(DropoutWithMask);

}  // namespace
}  // namespace ember::ops
