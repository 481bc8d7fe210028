#include "python/src/frames/frame_acts.h"

#include <algorithm>
#include <string_view>

#include "python/src/frames/frame_calls.h"

namespace ember::python {
namespace {

constexpr std::pair<std::string_view, Act> kActs[] = {
    {"LOAD_CONST", Act::Push},
    {"LOAD_CLOSURE", Act::Push},
    {"LOAD_LOCAL", Act::Load},
    {"LOAD_CELL", Act::Load},
    {"STORE_LOCAL", Act::Store},
    {"POP", Act::Pop},
    {"COPY", Act::Copy},
    {"SWAP", Act::Swap},
    {"JUMP", Act::Jump},
    {"JUMP_IF", Act::JumpIf},
    {"JUMP_IF_OR_POP", Act::JumpIfOrPop},
    {"JUMP_IF_NONE", Act::JumpIfNone},
    {"BUILD_TUPLE", Act::BuildTuple},
    {"BUILD_LIST", Act::BuildList},
    {"FOR", Act::For},
    {"UNARY", Act::Unary},
    {"BINARY", Act::Binary},
    {"COMPARE", Act::Binary},
    {"INPLACE", Act::Inplace},
    {"LOAD_ATTR", Act::Attribute},
    {"LOAD_METHOD", Act::Method},
    {"LOAD_ITEM", Act::Item},
    {"GET_ITER", Act::Iterator},
    {"CALL", Act::Call},
    {"CALL_SPREAD", Act::Call},
};

// Whose operators run no code of the program's.
bool is_operand(PyObject* o) { return is_plain_number(o) || is_captured_kind(o) || Py_IS_TYPE(o, &ParameterType); }

// Whose next item runs no code of the program's.
bool is_plain_iterator(PyObject* o) {
  PyTypeObject* const types[] = {&PyListIter_Type,     &PyTupleIter_Type,   &PyRangeIter_Type,
                                 &PyDictIterItem_Type, &PyDictIterKey_Type, &PyDictIterValue_Type};
  return std::ranges::find(types, Py_TYPE(o)) != std::end(types);
}

Py_ssize_t number(PyObject* operand) {
  const Py_ssize_t value = PyLong_AsSsize_t(operand);
  if (value == -1 && PyErr_Occurred()) throw PythonError();
  return value;
}

// Jumps forwards; who goes back counts trips and looks for signals, which is for the handler to do.
bool jump(FrameObject& frame, const InstructionObject& ins, bool jumps, bool pops) {
  if (jumps && ins.target <= frame.here) return false;
  if (jumps) frame.at = ins.target;
  if (pops) Stack(frame).drop();
  return true;
}

bool load(const FrameObject& frame, const InstructionObject& ins) {
  PyObject* value = PyDict_GetItemWithError(frame.names, ins.operand);
  if (!value && PyErr_Occurred()) throw PythonError();
  if (value) Stack(frame).push(value);
  return value;
}

bool decide(FrameObject& frame, const InstructionObject& ins, bool keeps) {
  PyObject* test = Stack(frame).top();
  const bool jumps = test == ins.operand;
  return PyBool_Check(test) && jump(frame, ins, jumps, !(jumps && keeps));
}

bool next(FrameObject& frame, const InstructionObject& ins) {
  const Stack stack(frame);
  const Object iterator = Object::borrow(stack.top());
  if (!is_plain_iterator(iterator.get())) return false;
  const Object item = Object::own(Py_TYPE(iterator.get())->tp_iternext(iterator.get()));
  if (!item && PyErr_Occurred()) throw PythonError();
  if (item) {
    stack.push(item.get());
  } else {
    stack.drop();
    frame.at = ins.target;
  }
  return true;
}

bool operate(const FrameObject& frame, const InstructionObject& ins) {
  const Stack stack(frame);
  const Py_ssize_t count = ins.act == Act::Unary ? 1 : 2;
  const Object first = Object::borrow(stack.top(count)), last = Object::borrow(stack.top());
  const auto fits = frame.eager || ins.act == Act::Inplace ? is_plain_number : is_operand;
  if (!fits(first.get()) || !fits(last.get())) return false;
  stack.drop(count);
  PyObject* const operands[] = {first.get(), last.get()};
  stack.push(check(PyObject_Vectorcall(ins.operand, operands, static_cast<size_t>(count), nullptr)).get());
  return true;
}

// Whether an attribute is found by Python's own rules, and is no more than a function, bound or not, or what is there.
bool is_plain_attribute(PyObject* owner, PyObject* name) {
  if (Py_TYPE(owner)->tp_getattro != PyObject_GenericGetAttr) return false;
  PyObject* attribute = _PyType_Lookup(Py_TYPE(owner), name);
  return !attribute || !Py_TYPE(attribute)->tp_descr_get || PyFunction_Check(attribute) ||
         Py_IS_TYPE(attribute, &PyMethodDescr_Type) || Py_IS_TYPE(attribute, &PyMemberDescr_Type);
}

bool read(FrameObject& frame, const InstructionObject& ins) {
  const Stack stack(frame);
  const Object owner = Object::borrow(stack.top());
  if (is_tensor(owner.get()) || !is_plain_attribute(owner.get(), ins.operand)) return false;
  frame.called = true;  // keys of a dict may be the program's to compare
  stack.drop();
  const Object attribute = check(PyObject_GenericGetAttr(owner.get(), ins.operand));
  if (ins.act == Act::Method) stack.push(null);
  stack.push(attribute.get());
  return true;
}

bool is_plain_container(PyObject* o) { return PyList_CheckExact(o) || PyTuple_CheckExact(o) || PyDict_CheckExact(o); }

bool index(FrameObject& frame) {
  const Stack stack(frame);
  const Object owner = Object::borrow(stack.top(2)), key = Object::borrow(stack.top());
  const bool known = PyLong_CheckExact(key.get()) || PyUnicode_CheckExact(key.get());
  if (!known || !is_plain_container(owner.get())) return false;
  if (!PyTuple_CheckExact(owner.get()) && check(PyObject_CallOneArg(is_unobserved, owner.get())).get() == Py_True)
    return false;
  frame.called = true;
  stack.drop(2);
  stack.push(check(PyObject_GetItem(owner.get(), key.get())).get());
  return true;
}

bool iterate(const FrameObject& frame) {
  const Stack stack(frame);
  const Object owner = Object::borrow(stack.top());
  if (!is_plain_container(owner.get()) && !Py_IS_TYPE(owner.get(), &PyRange_Type)) return false;
  stack.set(1, check(PyObject_GetIter(owner.get())));
  return true;
}

}  // namespace

PyObject *null, *is_unobserved;

Act act_of(PyObject* name) {
  for (const auto& [known, act] : kActs)
    if (PyUnicode_CompareWithASCIIString(name, known.data()) == 0) return act;
  return Act::Nothing;
}

bool act(FrameObject& frame, const InstructionObject& ins) {
  const Stack stack(frame);
  switch (ins.act) {
    case Act::Push:
      stack.push(ins.operand);
      return true;
    case Act::Load:
      return load(frame, ins);
    case Act::Store:
      check(PyDict_SetItem(frame.names, ins.operand, stack.top()));
      stack.drop();
      return true;
    case Act::Pop:
      stack.drop();
      return true;
    case Act::Copy:
      stack.push(stack.top(number(ins.operand)));
      return true;
    case Act::Swap: {
      const Py_ssize_t depth = number(ins.operand);
      const Object upper = Object::borrow(stack.top()), lower = Object::borrow(stack.top(depth));
      stack.set(1, lower);
      stack.set(depth, upper);
      return true;
    }
    case Act::Jump:
      return jump(frame, ins, true, false);
    case Act::JumpIf:
      return decide(frame, ins, false);
    case Act::JumpIfOrPop:
      return decide(frame, ins, true);
    case Act::JumpIfNone:
      return jump(frame, ins, (stack.top() == Py_None) == (ins.operand == Py_True), true);
    case Act::BuildTuple:
      stack.push(check(PyList_AsTuple(stack.pop_list(number(ins.operand)).get())).get());
      return true;
    case Act::BuildList:
      stack.push(stack.pop_list(number(ins.operand)).get());
      return true;
    default:
      return false;
  }
}

bool compute(FrameObject& frame, const InstructionObject& ins) {
  if (ins.act >= Act::Attribute && !frame.eager) return false;
  switch (ins.act) {
    case Act::For:
      return next(frame, ins);
    case Act::Unary:
    case Act::Binary:
    case Act::Inplace:
      return operate(frame, ins);
    case Act::Attribute:
    case Act::Method:
      return read(frame, ins);
    case Act::Item:
      return index(frame);
    case Act::Iterator:
      return iterate(frame);
    case Act::Call:
      return call(frame, ins);
    default:
      return false;
  }
}

}  // namespace ember::python
