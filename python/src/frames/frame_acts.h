// What an Instruction and a Frame are (frame.h), and what is done of instructions here, which runs no code of the
// program's but the comparison of keys of dicts, and what objects do as they end.
//
// Outside captures CPython's looks for signals are imitated, since what handlers raise belongs to the last of them:
//
//   called    while an instruction is executed, whether it has begun to run code of the program's
//   before    the last instruction after which CPython looks for signals: a call, or one that goes back
//   by_graph  whether a graph has led here from there, whose instructions nobody saw
//   pending   what is to be raised after the next such instruction, since the graph may have left its `try`
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "python/src/capture/capture.h"
#include "python/src/conversion/object.h"

namespace ember::python {

// What is done here for an instruction. From For on it may raise, or record an op; from Attribute on only outside
// captures. After a Call, and what goes back, CPython looks for signals.
enum class Act : uint8_t {
  Nothing,
  Push,
  Load,
  Store,
  Pop,
  Copy,
  Swap,
  Jump,
  JumpIf,
  JumpIfOrPop,
  JumpIfNone,
  BuildTuple,
  BuildList,
  For,
  Unary,
  Binary,
  Inplace,
  Attribute,
  Method,
  Item,
  Iterator,
  Call
};

struct InstructionObject {
  PyObject_HEAD PyObject *name, *operand, *positions;
  PyObject* handler;  // once it is known
  PyObject* site;     // code that makes its call and looks like the user's, likewise
  Py_ssize_t target, line, looks_at, takes, puts;
  char into;
  bool computes;  // the handler is given the values that the instruction takes, and returns the one it puts
  Act act;
};

struct FrameObject {
  PyObject_HEAD PyObject *code, *instructions, *handlers, *filename, *names, *stack, *region;
  PyObject* handled;           // the exception that is being handled
  PyObject *pending, *raised;  // raised: an exception that has no handler here
  PyObject* callees;           // outside a capture: how functions that are called run (graph_breaks/callee_frames.py)
  PyObject *session, *within;  // of a capture; the frame whose condition or loop this is part of, and where that is
  PyObject* lost;              // a dict: variables that a condition on a Tensor left without a value, at which step
  PyObject* arrivals;          // a dict: at headers of loops: how many errors there were, how often
  Py_ssize_t at, here, before, steps, line;
  Py_ssize_t floor, low;  // of the stack: from where on it is the frame's, that of each way in which it may have ended
  char eager, called, by_graph;
  char makes_cells;  // whether comprehensions have cells of their own
};

extern PyObject* null;           // CPython's NULL on the stack
extern PyTypeObject* opaque;     // what stands for a value that captured code may not look at
extern PyObject* is_unobserved;  // a function: whether items of a container are guarded one by one

inline bool is_plain_number(PyObject* o) { return PyLong_CheckExact(o) || PyFloat_CheckExact(o) || PyBool_Check(o); }
inline bool is_captured_kind(PyObject* o) { return Py_IS_TYPE(o, &TensorType) || is_number(o); }

// The values on a frame's stack; the topmost is 1 deep.
class Stack {
 public:
  explicit Stack(const FrameObject& frame) : list_(Object::borrow(frame.stack)) {
    if (!list_ || !PyList_Check(list_.get())) raise(PyExc_TypeError, "a frame's stack is a list");
  }
  PyObject* top(Py_ssize_t depth = 1) const { return PyList_GET_ITEM(list_.get(), place(depth)); }
  void set(Py_ssize_t depth, Object value) const { check(PyList_SetItem(list_.get(), place(depth), value.release())); }
  void push(PyObject* value) const { check(PyList_Append(list_.get(), value)); }
  void drop(Py_ssize_t count = 1) const {
    if (count > 0) check(PyList_SetSlice(list_.get(), place(count), place(1) + 1, nullptr));
  }
  Object pop_list(Py_ssize_t count) const {
    Object values = check(count > 0 ? PyList_GetSlice(list_.get(), place(count), place(1) + 1) : PyList_New(0));
    drop(count);
    return values;
  }

 private:
  Py_ssize_t place(Py_ssize_t depth) const {
    const Py_ssize_t size = PyList_GET_SIZE(list_.get());
    if (depth < 1 || depth > size) raise(PyExc_IndexError, "a frame's stack ends");
    return size - depth;
  }

  Object list_;
};

// Executes until a return, the end of the region, or until `limit` instructions have been; with `enter` also the first.
// What a handler of the frame's takes goes on there. None, or how the frame ended.
Object run(FrameObject& frame, Py_ssize_t limit, bool enter);

// A frame like another that has not begun, with variables (a dict) of its own.
Object begin(const FrameObject& prototype, PyObject* variables);

// The frame, which lacks nothing that it runs.
FrameObject& complete_frame(PyObject* object);

// What a frame's list of instructions has.
InstructionObject& instruction(PyObject* o);
PyObject* handler_at(const FrameObject& frame, Py_ssize_t at);

// What an instruction of this name does here.
Act act_of(PyObject* name);

// Does what neither raises nor records anything. Whether it has been done.
bool act(FrameObject& frame, const InstructionObject& ins);

// Does what runs no code of the program's, though it may raise an error, or record an op. Whether it has been done.
bool compute(FrameObject& frame, const InstructionObject& ins);

}  // namespace ember::python
