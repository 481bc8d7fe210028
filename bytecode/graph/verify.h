// The definition of the IR, executable: checks every invariant of graph.h, and that every node's types are what its
// op's rule infers.
#pragma once

#include <stdexcept>

#include "bytecode/graph/graph.h"

namespace ember::bytecode {

struct VerifyError : std::runtime_error {
  using std::runtime_error::runtime_error;  // names graph, node and rule
};

void verify(const Module& module);  // throws VerifyError

}  // namespace ember::bytecode
