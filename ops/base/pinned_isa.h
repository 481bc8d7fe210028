// Work keeps to one instruction set, though another thread may choose another meanwhile: memory that kernels of one set
// have laid out is not for those of another.
#pragma once

#include "ops/base/isa.h"

namespace ember::ops {

// While one lives, isa() is on this thread what it was when the outermost was made.
class PinnedIsa {
 public:
  PinnedIsa();
  explicit PinnedIsa(Isa wanted);  // on another thread, for the same work
  ~PinnedIsa();
  PinnedIsa(const PinnedIsa&) = delete;
  PinnedIsa& operator=(const PinnedIsa&) = delete;

 private:
  const int before_;
};

}  // namespace ember::ops
