// Recipes: how values that captured code holds are made anew in each call, of results of the graph and of what went
// into it (capture/state/reconstruction.py), and ResumePoint: where a function goes on after a graph, with what.
//
//   Recipe("constant", value)          the value
//   Recipe("leaf", number)             a result of the graph
//   Recipe("path", (key, ...))         of what went into it: inputs[key]...
//   Recipe("tuple" | "list", (build, ...))
//   Recipe("dict", ((build, build), ...))
//   Recipe("once", id)                 one object, however often it is asked for; `complete` says by which build
//
// A build is a Recipe, or a function of a Context.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "python/src/conversion/object.h"

namespace ember::python {

struct ContextObject {
  PyObject_HEAD PyObject *leaves, *inputs;  // a sequence; what paths lead into
  PyObject* memo;                           // a dict: what has been made so far, by the ids of what it stands for
};

struct ResumePointObject {
  PyObject_HEAD Py_ssize_t at;  // of instructions; kEnd: the function's end
  PyObject *build, *changed;    // variables that do not hold what they did before the graph
};
constexpr Py_ssize_t kEnd = -1;

extern PyTypeObject ResumePointType;

// What a function goes on with: (stack, variables, exception being handled), or its result. `results`: of the graph,
// the ResumePoint itself first.
Object resumed(PyObject* results, PyObject* inputs);

void add_recipes(PyObject* module);

}  // namespace ember::python
