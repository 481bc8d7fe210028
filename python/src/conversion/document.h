// Documents of the compile cache as bytes: None, bool, int, str, lists (tuples become lists) and dicts of these, with
// each text once. What is read may be anything: it is a document, or a ValueError.
#pragma once

#include <pybind11/pybind11.h>

namespace ember::python {

void bind_documents(pybind11::module_& m);  // document_bytes, document_from

}  // namespace ember::python
