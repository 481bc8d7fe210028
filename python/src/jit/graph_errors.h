// Errors that a graph raises as it runs: what the user's code, or an op, would have raised, with the user's lines as
// traceback. They tell themselves from those that come while it runs, of a signal's handler say: none of the `try`
// around the graph is meant for them, since the graph has none around what raises them (capture/graph/raises.py).
#pragma once

#include "ops/table/raised_error.h"
#include "python/src/jit/jit.h"

namespace ember::python {

// The error of an op, with the lines in its text where none are known.
[[noreturn]] void raise_with_lines(const Entry& entry, const ops::OpError& raised);

[[noreturn]] void raise_user_error(const Entry& entry, const ops::RaisedError& raised, const Flat& flat);

// From now on no error is this thread's latest that a graph has raised: before the next one may be at its address.
void forget_graph_error();

// Whether an error is that one.
bool is_graph_error(const PyObject* error);

}  // namespace ember::python
