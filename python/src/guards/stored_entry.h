// What outlives a process of an Entry (capture/cache): its code as a module file, and numbers; and the Entry that these
// become again in another process, with that process' objects. Trees, guards and effects come as they are given to
// core.add_entry.
#pragma once

#include <pybind11/pybind11.h>

namespace ember::python {

void bind_stored_entries(pybind11::module_& m);

}  // namespace ember::python
