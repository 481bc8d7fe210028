// Calls made from the samples of the op table, and a tape that differentiates them: what the table's tests share.
#pragma once

#include <cmath>
#include <cstring>
#include <random>

#include "ops/eager/eager.h"
#include "ops/program/strided.h"
#include "ops/table/builder.h"
#include "ops/tensor/convert.h"

namespace ember::ops::testing {

struct Call {
  const Op* op;
  Values operands;
  Attrs attrs;
  Values run() const { return ops::run(*op, operands, attrs); }
};

// Any value of an integer dtype, often one next to its limits or to 0.
template <class T>
T any_integer(uint64_t bits) {
  using Limits = std::numeric_limits<T>;
  constexpr T kNear[] = {Limits::min(), Limits::min() + 1, Limits::max(), Limits::max() - 1, T(0), T(1), T(-1), T(2)};
  return bits % 4 == 0 ? kNear[bits >> 2 & 7] : static_cast<T>(bits >> 5);
}

// Values in [low, high], the same for the same seed. Integers include both ends; between infinities they are of all
// sizes.
inline Tensor random_tensor(DType dtype, const Shape& shape, double low, double high, uint64_t seed) {
  Tensor t = Tensor::empty(dtype, shape);
  std::mt19937_64 bits(seed * 0x9E3779B97F4A7C15 + 1);
  dispatch(dtype, [&]<class T>() {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      if (std::isinf(low)) {
        for (int64_t i = 0; i < t.numel(); ++i) t.data_as<T>()[i] = any_integer<T>(bits());
        return;
      }
    }
    for (int64_t i = 0; i < t.numel(); ++i) {
      double unit = static_cast<double>(bits() >> 11) * 0x1p-53;
      if constexpr (is_complex_type<T>) {
        const double other = static_cast<double>(bits() >> 11) * 0x1p-53;
        t.data_as<T>()[i] =
            convert_value<T>(std::complex<double>(low + unit * (high - low), low + other * (high - low)));
        continue;
      }
      double value = is_float(dtype) ? low + unit * (high - low) : std::floor(low + unit * (high - low + 1));
      t.data_as<T>()[i] = std::is_same_v<T, bool> ? convert_value<T>(unit < 0.5) : convert_value<T>(value);
    }
  });
  return t;
}

// With `wide`, float operands are made in float64, and attributes that name a float dtype name that.
inline Value make_operand(const SampleOperand& sample, uint64_t seed, bool wide = false) {
  if (sample.absent) return {};
  if (sample.scalar) {
    if (sample.dtype == DType::Bool) return sample.number != 0;
    if (is_int(sample.dtype)) return static_cast<int64_t>(sample.number);
    return sample.number;
  }
  DType dtype = wide && is_float(sample.dtype) ? DType::Float64 : sample.dtype;
  return random_tensor(dtype, sample.shape, sample.low, sample.high, seed);
}

inline Value default_operand(const Param& p) {
  if (const double* number = std::get_if<double>(&p.default_value)) return *number;
  return {};
}

inline Call make_call(const Op& op, const Sample& sample, uint64_t seed = 0, bool wide = false) {
  Call call{&op, {}, {}};
  std::vector<std::pair<std::string_view, Attr>> named(sample.attrs.begin(), sample.attrs.end());
  call.attrs = make_attrs(op, named);
  for (size_t i = 0; wide && i < call.attrs.values().size(); ++i) {
    const DType* dtype = std::get_if<DType>(&call.attrs.values()[i]);
    if (dtype && is_float(*dtype)) call.attrs.set(i, DType::Float64);
  }
  size_t at = 0;
  size_t list = 0;
  for (const Param& p : op.signature.params) {
    if (!is_operand(p.kind)) continue;
    if (p.kind == ParamKind::Random) {
      call.operands.push_back(int64_t{7} << 32 | 1);
      continue;
    }
    int count = p.kind == ParamKind::Tensors ? sample.lists.at(list++) : 1;
    for (int i = 0; i < count; ++i) {
      bool has_sample = at < sample.operands.size();
      if (!has_sample && !p.has_default)
        throw std::logic_error("a sample of '" + std::string(op.name) + "' lacks '" + p.name + "'");
      call.operands.push_back(has_sample ? make_operand(sample.operands[at], seed * 64 + at, wide)
                                         : default_operand(p));
      ++at;
    }
  }
  return call;
}

// The same elements with other strides: every axis doubled and reversed within its own block.
inline Tensor scattered(const Tensor& t) {
  Shape room, strides;
  for (int64_t size : t.shape()) room.push_back(size * 2 + 1);
  Tensor block = Tensor::empty(t.dtype(), room);
  Shape steps = row_major_strides(room);
  int64_t offset = 0;
  for (size_t i = 0; i < t.rank(); ++i) {
    bool empty = t.shape()[i] == 0;
    strides.push_back(-2 * steps[i]);
    offset += empty ? 0 : 2 * (t.shape()[i] - 1) * steps[i];
  }
  Tensor out = block.view(layout(t.dtype(), t.shape(), strides), offset * static_cast<int64_t>(itemsize(t.dtype())));
  copy_into(t, out);
  return out;
}

inline double element(const Tensor& t, int64_t i) {
  return dispatch(t.dtype(), [&]<class T>() { return convert_value<double>(t.data_as<T>()[i]); });
}

// Equal in every bit, NaNs made canonical, those of complex numbers part by part.
inline bool same_bits(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) return false;
  const Tensor x = to_contiguous(a), y = to_contiguous(b);
  const DType part = part_dtype(x.dtype());
  const auto parts = static_cast<int64_t>(itemsize(x.dtype()) / itemsize(part));
  return dispatch_any(part, [&]<class T>() {
    const T* p = reinterpret_cast<const T*>(x.data_as<char>());
    const T* q = reinterpret_cast<const T*>(y.data_as<char>());
    for (int64_t i = 0; i < x.numel() * parts; ++i) {
      const auto number = [](T t) { return convert_value<double>(t); };
      if (std::memcmp(p + i, q + i, sizeof(T)) != 0 && !(std::isnan(number(p[i])) && std::isnan(number(q[i]))))
        return false;
    }
    return true;
  });
}

inline bool same_bits(const Value& a, const Value& b) {
  if (a.index() != b.index()) return false;
  if (const Tensor* t = std::get_if<Tensor>(&a)) return same_bits(*t, std::get<Tensor>(b));
  if (const double* x = std::get_if<double>(&a))
    return std::bit_cast<uint64_t>(*x) == std::bit_cast<uint64_t>(std::get<double>(b));
  if (const int64_t* x = std::get_if<int64_t>(&a)) return *x == std::get<int64_t>(b);
  if (const bool* x = std::get_if<bool>(&a)) return *x == std::get<bool>(b);
  return true;
}

// Runs eagerly and remembers, then runs the gradient rules backwards. Composed ops without a rule are differentiated
// step by step.
class Tape final : public Builder {
 public:
  Value watch(const Value& v) {
    if (none(v)) return v;
    values_.push_back(v);
    return GraphValue{static_cast<uint32_t>(values_.size() - 1)};
  }
  const Value& value(const Value& v) const {
    const GraphValue* known = std::get_if<GraphValue>(&v);
    return known ? values_.at(known->id) : v;
  }

  Values apply(const Op& op, std::span<const Value> operands, const Attrs& attrs) override {
    if (!op.grad && op.compose) return op.compose(*this, operands, attrs);
    Values in;
    for (const Value& v : operands) in.push_back(value(v));
    Step step{&op, {operands.begin(), operands.end()}, {}, attrs};
    for (const Value& v : run(op, in, attrs)) step.out.push_back(watch(v));
    steps_.push_back(step);
    return step.out;
  }
  Type type(const Value& v) const override { return type_of(value(v)); }
  Value size(Dim dim) override { return dim.hint(); }
  Value next_random() override { return next_random_key(); }
  Value constant(const Tensor& t) override { return t; }

  // Cotangents of `inputs`, given those of `outputs`.
  Values backward(std::span<const Value> outputs, std::span<const Value> cotangents, std::span<const Value> inputs) {
    cotangents_.assign(values_.size(), Value());
    for (size_t i = 0; i < outputs.size(); ++i) accumulate(outputs[i], cotangents[i]);
    for (size_t i = steps_.size(); i-- > 0;) step_back(steps_[i]);
    Values out;
    for (const Value& v : inputs) out.push_back(none(v) ? v : cotangents_[std::get<GraphValue>(v).id]);
    return out;
  }

 private:
  struct Step {
    const Op* op;
    Values in, out;
    Attrs attrs;
  };

  void accumulate(const Value& target, const Value& ct) {
    const GraphValue* known = std::get_if<GraphValue>(&target);
    if (none(ct) || !known) return;
    Value& sum = cotangents_[known->id];
    sum = none(sum) ? ct : eager_.add(sum, ct);
  }

  void step_back(const Step& step) {
    Values in, out, ct;
    Types in_types, out_types;
    bool any = false;
    for (const Value& v : step.in) {
      in.push_back(value(v));
      in_types.push_back(type_of(in.back()));
    }
    for (const Value& v : step.out) {
      out.push_back(value(v));
      out_types.push_back(type_of(out.back()));
      const Value& cotangent = cotangents_[std::get<GraphValue>(v).id];
      any |= !none(cotangent);
      ct.push_back(cotangent);
    }
    if (!any || !step.op->grad) return;
    for (size_t i = 0; i < ct.size(); ++i) {
      if (none(ct[i]) && out_types[i].is_tensor())
        ct[i] = Tensor::full(out_types[i].dtype, hints(out_types[i].dims), 0);
    }
    Grad rule(eager_, *step.op, in, out, ct, in_types, out_types, step.attrs, ~uint32_t{0});
    Values answer = step.op->grad(rule);
    if (answer.size() != step.in.size()) {
      throw std::logic_error("the gradient of '" + std::string(step.op->name) + "' returns " +
                             std::to_string(answer.size()) + " values for " + std::to_string(step.in.size()) +
                             " operands");
    }
    for (size_t i = 0; i < answer.size(); ++i) accumulate(step.in[i], answer[i]);
  }

  EagerBuilder eager_;
  std::vector<Value> values_, cotangents_;
  std::vector<Step> steps_;
};

}  // namespace ember::ops::testing
