// Memory from outside may lie anywhere; a tensor's elements may not.
#pragma once

#include <cstdint>

#include "ops/tensor/dtype.h"

namespace ember::python {

inline bool is_aligned(const void* address, ops::DType dtype) {
  const size_t part = is_complex(dtype) ? itemsize(dtype) / 2 : itemsize(dtype);
  return reinterpret_cast<uintptr_t>(address) % part == 0;
}

}  // namespace ember::python
