// One way into every op: arguments by the op's signature, then captured, recorded on a tape, or run at once.
#pragma once

#include <span>

#include "ops/table/op.h"
#include "python/src/tensor/tensor.h"

namespace ember::python {

// Operands in signature order, a `tensors` parameter's spread out; null where absent. Attributes complete.
struct Arguments {
  std::vector<Object> operands;
  ops::Attrs attrs;
};
Arguments parse(const ops::Op& op, PyObject* const* args, Py_ssize_t positional, PyObject* keyword_names);

Object dispatch(const ops::Op& op, std::span<PyObject* const> operands, const ops::Attrs& attrs);

// Of Python's arguments by position in the signature; null where left out.
Arguments read_arguments(const ops::Op& op, std::span<PyObject* const> bound);

// A call with Python's arguments by position in the signature; null where left out.
Object call_op(const ops::Op& op, std::span<PyObject* const> bound);

// Sugar for slots and methods: operands alone, attributes by default.
Object dispatch(const ops::Op& op, std::initializer_list<PyObject*> operands);

// By the op's name.
Object call(const char* name, std::initializer_list<PyObject*> operands,
            const std::vector<std::pair<std::string_view, ops::Attr>>& attrs);

// Attribute of a parameter from a Python object; raises TypeError naming op and parameter.
ops::Attr attribute(const ops::Op& op, const ops::Param& param, PyObject* value);

// A callable that holds its op (op_object.cpp).
extern PyTypeObject OpType;
Object op_object(const ops::Op& op);
const ops::Op& op_of(PyObject* object);
void add_ops(PyObject* module);

// Tapes of this thread (grad.cpp). While one has saved tensors, their memory is not written.
bool recording();
bool recorded(PyObject* tensor);  // whether a gradient may be asked for
bool tape_saves_tensors();
void note_parameters(std::span<PyObject* const> operands);  // for a later run of the same
Object record(const ops::Op& op, std::span<PyObject* const> operands, const ops::Attrs& attrs);

// An operand as a value to compute with now.
ops::Value operand_value(PyObject* o);
Object wrap_results(const ops::Op& op, std::span<PyObject* const> operands, ops::Values results,
                    const uint64_t* variables = nullptr);

}  // namespace ember::python
