// Arithmetic on Python's numbers that are expressions of a capture's symbols. The result is what Python computes of the
// hints; how it comes about is recorded as an expression, natively where an operation of the table gives Python's own
// bits, else as a call of Python's function. What is neither an int of 64 bits nor a float nor a bool, or is an error,
// pins the operands.
#pragma once

#include <span>

#include "python/src/capture/capture.h"

namespace ember::python {

bool is_symbolic(PyObject* o);      // a number with an expression
bool is_plain_number(PyObject* o);  // exactly of class int, of up to 64 bits, float or bool
Object hint_of(PyObject* o);        // a symbolic number's; others are themselves
Object pinned_value(PyObject* o);   // the same, guarded

// function(*operands), of numbers that are plain or symbolic, at least one of them symbolic.
Object compute_number(PyObject* function, std::span<PyObject* const> operands);
Object by_operator(const char* name, std::initializer_list<PyObject*> operands);  // the same of module operator's
Object add_numbers(PyObject* a, PyObject* b);
Object subtract_numbers(PyObject* a, PyObject* b);
Object multiply_numbers(PyObject* a, PyObject* b);
Object divide_numbers(PyObject* a, PyObject* b);
Object floor_divide_numbers(PyObject* a, PyObject* b);
Object remainder_of_numbers(PyObject* a, PyObject* b);
Object negated_number(PyObject* a);
Object compare_numbers(PyObject* a, PyObject* b, int comparison);
Object least_or_greatest(PyObject* a, PyObject* b, bool least);  // of ints
Object number_as(ops::Kind kind, PyObject* o);                   // bool(o), int(o) or float(o)
bool decide_truth(PyObject* o);                                  // guards it

}  // namespace ember::python
