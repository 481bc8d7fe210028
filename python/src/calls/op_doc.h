// Documentation of ops.add and its kin, written out from the table.
#pragma once

#include <string>

#include "ops/table/op.h"

namespace ember::python {

std::string documentation(const ops::Op& op);
std::string text_signature(const ops::Op& op);  // "(input, other=1)"

}  // namespace ember::python
