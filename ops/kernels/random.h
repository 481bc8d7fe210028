// What random ops share: the key of a call, and that results are floats.
#pragma once

#include <string>
#include <string_view>

#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {

// The key, with the seed of the attribute in place of its own where that is given.
inline int64_t key_of(const View& key, const Attrs& attrs, size_t seed_index) {
  int64_t stream = scalar_of<int64_t>(key);
  if (!attrs.has(seed_index)) return stream;
  auto seed = static_cast<uint64_t>(attrs.integer(seed_index));
  return static_cast<int64_t>(seed << 32 | (static_cast<uint64_t>(stream) & 0xFFFFFFFF));
}

inline void require_float(DType dtype, std::string_view op_name) {
  if (!is_float(dtype)) {
    type_error(about(op_name) + "the dtype must be a float's, but got " + std::string(name(dtype)) + ".");
  }
}

template <class F>
void dispatch_float(DType dtype, F&& f) {
  if (dtype == DType::Float16) return f.template operator()<Half>();
  if (dtype == DType::BFloat16) return f.template operator()<BFloat16>();
  if (dtype == DType::Float64) return f.template operator()<double>();
  return f.template operator()<float>();
}

}  // namespace ember::ops
