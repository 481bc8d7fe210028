// Replayed effects: what captured code does to plain objects of Python's that it has not made. A run of the graph
// leaves them alone, so that one that raises has changed nothing; once its results exist the effects are replayed, in
// order. Meanwhile no code of the program's runs: values that are replaced end, and garbage is collected, after the
// last.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "python/src/conversion/object.h"
#include "python/src/jit/result_tree.h"

namespace ember::python {

// Changes an owner; what that gives up is kept in `replaced`.
using Replay = void (*)(PyObject* owner, PyObject* operands, std::vector<Object>* replaced);

struct Effect {
  Effect(const std::string& kind, ResultTree owner, ResultTree operands, Object words);
  Replay replay;
  ResultTree owner, operands;  // the operands as a tuple
  Object words;                // for explain
};

// An effect's owner and operands in a call.
using Change = std::pair<Object, Object>;

void replay(std::span<const Effect> effects, std::span<const Change> changes);

}  // namespace ember::python
