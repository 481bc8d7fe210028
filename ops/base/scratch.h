// Memory for a call's intermediate elements.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gc/storage.h"

namespace ember::ops {

template <class T>
class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(int64_t count)
      : storage_(gc::allocate(static_cast<size_t>(std::max<int64_t>(count, 1)) * sizeof(T))) {}
  operator T*() const { return static_cast<T*>(storage_->data()); }  // NOLINT: it is that array

 private:
  gc::Ref<gc::Storage> storage_;
};

}  // namespace ember::ops
