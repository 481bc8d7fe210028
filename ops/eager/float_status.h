// The float status of the process: whether a result that is not finite was seen between clearing the status and reading
// it. In between every result is looked at, of eager ops by run(), of a graph's by nodes that the graph gets for it.
#pragma once

#include "ops/tensor/view.h"

namespace ember::ops {

bool watching_floats();                // whether the status was cleared and not read yet
void note_floats(const View& result);  // looks at the elements of a result
void clear_float_status();             // from now on results are looked at
bool read_float_status();              // and they are not any longer; whether one was not finite

// While one lives, results of this thread are steps within a kernel, which nobody looks at.
class WithinKernel {
 public:
  WithinKernel();
  ~WithinKernel();
  WithinKernel(const WithinKernel&) = delete;
  WithinKernel& operator=(const WithinKernel&) = delete;
};

}  // namespace ember::ops
