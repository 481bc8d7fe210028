// The class of the classes Tensor and Parameter. Programs may give both attributes of their own and replace those that
// there are, as libraries for MindSpore do; special methods (`__add__`) and what Python keeps of a class stay as they
// are. What was captured before such a change is captured anew.
#pragma once

#include <cstdint>

#include "python/src/conversion/object.h"

namespace ember::python {

extern PyTypeObject TensorClassType;
uint64_t tensor_class_version();  // how often a program has changed one of them

}  // namespace ember::python
