// A tree of capture/state/results.py, which is made of Python tuples, as a graph's entry holds it.
#pragma once

#include <cstdint>
#include <vector>

#include "python/src/conversion/object.h"

namespace ember::python {

struct ResultTree {
  enum class Way : uint8_t { Result, Constant, Given, Container, Again, Keep, Made, Tuple, List, Dict };

  ResultTree() = default;
  explicit ResultTree(PyObject* tree);
  int visit(visitproc visit, void* arg) const;

  Way way = Way::Constant;
  size_t number = 0;  // of a result, a leaf or a container among the arguments, or a part that occurs again
  Object content;     // a constant, the function that makes something, or a tuple: the keys of a dict
  std::vector<ResultTree> parts;
};

}  // namespace ember::python
