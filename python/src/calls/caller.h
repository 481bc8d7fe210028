// Errors in the words of the user's call: by the name of the function, method or layer that was called, where that is
// not the op's own. Python's frames tell it, and the line; they are looked at only when something fails, or a node is
// captured, which keeps both for its run.
#pragma once

#include <cstdint>
#include <string>

#include "ops/table/op.h"

namespace ember::python {

struct Caller {
  std::string name;  // empty: the op's own
  std::string file;  // of the user's code; empty where there is none, or nobody asks for the location
  uint32_t line = 0;
};
Caller caller(bool location = true);

// Names what C code calls ("tensor getitem") for its lifetime. Of public functions that call others the outermost
// counts.
class CalledAs {
 public:
  explicit CalledAs(const char* name);
  ~CalledAs();
  CalledAs(const CalledAs&) = delete;
  CalledAs& operator=(const CalledAs&) = delete;

 private:
  const char* const outer_;
};

template <class F>
auto with_caller_name(F&& f) {
  try {
    return f();
  } catch (const ops::OpError& error) {
    const std::string name = caller().name;
    if (name.empty()) throw;
    throw ops::OpError(error.kind, ops::in_name_of(name, error.what()));
  }
}

}  // namespace ember::python
