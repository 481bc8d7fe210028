// Driver and Continuation: how a function that breaks runs (capture/graph_breaks/driver.py), as graphs and, between
// them, single instructions in Python. What handlers of signals raise comes while something of Python's runs, never
// between.
#pragma once

#include "python/src/conversion/object.h"

namespace ember::python {

// What a driver gives for a call that it need not be asked about; NULL if it has to be.
Object by_driver(PyObject* driver, PyObject* const* args, Py_ssize_t positional, PyObject* keyword_names);

bool is_driver(PyObject* o);
bool is_spent(PyObject* driver);  // whether all its calls are Python's

// Calls the function, whose parameters have these values (a dict); `eager` if all of it is for Python.
Object run_driver(PyObject* driver, PyObject* variables);
extern PyObject* eager;  // instead of a result: Python has to go on

void add_break_driver(PyObject* module);

}  // namespace ember::python
