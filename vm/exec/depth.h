// How deep calls may nest at run time: as many as the limit says, and never more than the thread's stack has room for.
#pragma once

#include <stdexcept>

#include "vm/state/frame.h"

namespace ember::vm {

// MindSpore's words; a RuntimeError in Python.
struct TooDeep : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Bytes that a kernel and an error may take of the stack below the deepest call. tests/differential/stack_test.cpp
// measures that no op takes more than three quarters; CMakeLists.txt limits what one frame takes.
inline constexpr size_t kStackRoom = size_t{128} << 10;

void set_call_limit(int limit);  // 1000 at first
bool stack_is_short();           // this thread's, so that calls should nest no deeper

// A call that `caller` makes, for its lifetime. Throws TooDeep, and ops::Interrupted if the embedding asks.
class NestedCall {
 public:
  explicit NestedCall(const Frame& caller);
  ~NestedCall();
  NestedCall(const NestedCall&) = delete;
  NestedCall& operator=(const NestedCall&) = delete;
};

}  // namespace ember::vm
