// Whether two nodes are pure, and give the same where their inputs are the same; types are not compared.
#pragma once

#include "bytecode/graph/graph.h"

namespace ember::bytecode {

bool same_but_inputs(const Node& a, const Node& b);

}  // namespace ember::bytecode
