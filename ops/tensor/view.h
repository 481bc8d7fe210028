// Memory with a layout, not owned: what kernels read and write.
#pragma once

#include "ops/tensor/layout.h"

namespace ember::ops {

struct View {
  void* data = nullptr;
  const Layout* layout = nullptr;
  template <class T>
  T* as() const {
    return static_cast<T*>(data);
  }
};

}  // namespace ember::ops
