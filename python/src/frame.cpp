#include "python/src/frame.h"

#include <structmember.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "python/src/capture.h"
#include "python/src/python_frame.h"

namespace ember::python {
namespace {

// What is done here for an instruction. From Unary on, and For, it may raise, or record an op.
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
  Inplace
};

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
};

struct InstructionObject {
  PyObject_HEAD PyObject *name, *operand, *positions;
  PyObject* handler;  // once it is known
  Py_ssize_t target, line, looks_at, takes, puts;
  char into;
  bool computes;  // the handler is given the values that the instruction takes, and returns the one it puts
  Act act;
};

struct FrameObject {
  PyObject_HEAD PyObject *instructions, *handlers, *filename, *names, *stack, *region, *handled, *pending;
  Py_ssize_t at, here, before, steps, line;
  char eager, called, by_graph;
};

InstructionObject* as_instruction(PyObject* o) { return reinterpret_cast<InstructionObject*>(o); }
FrameObject* as_frame(PyObject* o) { return reinterpret_cast<FrameObject*>(o); }
PyObject* object(FrameObject& frame) { return reinterpret_cast<PyObject*>(&frame); }
PyObject* object(InstructionObject& ins) { return reinterpret_cast<PyObject*>(&ins); }

PyObject *handlers, *computing;  // of instructions, by name
extern PyTypeObject InstructionType;
PyTypeObject* opaque;                // what stands for a value that captured code may not look at
PyObject *refuse_opaque, *observe;   // functions: refuses to look at such a value; notes that it looks into another
thread_local uint64_t executed = 0;  // instructions, by captures of this thread

bool is_plain_number(PyObject* o) { return PyLong_CheckExact(o) || PyFloat_CheckExact(o) || PyBool_Check(o); }
bool is_captured_kind(PyObject* o) { return Py_IS_TYPE(o, &TensorType) || is_number(o); }

// Whose operators run no code of the program's.
bool is_operand(PyObject* o) { return is_plain_number(o) || is_captured_kind(o) || Py_IS_TYPE(o, &ParameterType); }

// Whether captured code may look at a value without anybody's being told.
bool leads_nowhere(PyObject* o, bool into) {
  return is_plain_number(o) || is_captured_kind(o) || PyUnicode_CheckExact(o) || o == Py_None ||
         (!into && !Py_IS_TYPE(o, opaque));
}

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

// Jumps forwards; who goes back counts trips and looks for signals, which is for the handler to do.
bool jump(FrameObject& frame, const InstructionObject& ins, bool made, bool pops) {
  if (made && ins.target <= frame.here) return false;
  if (made) frame.at = ins.target;
  if (pops) Stack(frame).drop();
  return true;
}

bool load(const FrameObject& frame, const InstructionObject& ins) {
  PyObject* found = PyDict_GetItemWithError(frame.names, ins.operand);
  if (!found && PyErr_Occurred()) throw PythonError();
  if (found) Stack(frame).push(found);
  return found;
}

bool decide(FrameObject& frame, const InstructionObject& ins, bool keeps) {
  PyObject* test = Stack(frame).top();
  const bool made = test == ins.operand;
  return PyBool_Check(test) && jump(frame, ins, made, !(made && keeps));
}

// What neither raises nor runs or records anything. Whether it has been done.
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

// An operator, or the next item of an iterator, that runs no code of the program's. Whether it has been done.
bool compute(FrameObject& frame, const InstructionObject& ins) {
  if (ins.act < Act::Unary) return ins.act == Act::For && next(frame, ins);
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

void find_handler(InstructionObject& ins) {
  PyObject* found = PyDict_GetItemWithError(computing, ins.name);
  ins.computes = found;
  if (!found) found = PyDict_GetItemWithError(handlers, ins.name);
  if (!found) raise(PyExc_LookupError, "nothing executes " + text(ins.name));
  ins.handler = Py_NewRef(found);
}

Object run_handler(FrameObject& frame, InstructionObject& ins) {
  if (compute(frame, ins)) return Object::borrow(Py_None);
  if (!ins.handler) find_handler(ins);
  std::vector<PyObject*> args = {object(frame), ins.computes ? ins.operand : object(ins)};
  if (!ins.computes) return check(PyObject_Vectorcall(ins.handler, args.data(), 2, nullptr));
  const Object values = Stack(frame).pop_list(ins.takes);
  for (Py_ssize_t i = 0; i < ins.takes; ++i) args.push_back(PyList_GET_ITEM(values.get(), i));
  Object made = check(PyObject_Vectorcall(ins.handler, args.data(), args.size(), nullptr));
  if (ins.puts == 0) return made;
  Stack(frame).push(made.get());
  return Object::borrow(Py_None);
}

Object execute(FrameObject& frame, InstructionObject& ins) {
  if (frame.handled == Py_None) return run_handler(frame, ins);
  const Object handled = Object::borrow(frame.handled);
  const Handling handling(handled.get());
  return run_handler(frame, ins);
}

// Notes that captured code looks at a value, with `into` also at what it contains.
void look_at(PyObject* value, bool into) {
  if (leads_nowhere(value, into)) return;
  if (Py_IS_TYPE(value, opaque)) check(PyObject_CallNoArgs(refuse_opaque));
  if (into) check(PyObject_CallOneArg(observe, value));
}

void look_at_operands(const FrameObject& frame, const InstructionObject& ins) {
  const Stack stack(frame);
  for (Py_ssize_t depth = ins.looks_at; depth > 0; --depth) look_at(Object::borrow(stack.top(depth)).get(), ins.into);
}

// Executes an instruction into the current graph.
Object capture(FrameObject& frame, InstructionObject& ins) {
  ++executed;
  if (ins.line != frame.line) {
    frame.line = ins.line;
    Capture* capture = current_capture();
    if (!capture) raise(capture_error, "what a capture has left goes on outside of it.");
    capture->set_source(text(frame.filename), static_cast<uint32_t>(ins.line));
  }
  if (ins.looks_at > 0) look_at_operands(frame, ins);
  if (act(frame, ins)) return Object::borrow(Py_None);
  if (PyList_GET_ITEM(frame.handlers, frame.here) == Py_None) return execute(frame, ins);
  return check(PyObject_CallMethod(object(frame), "execute_protected", "O", object(ins)));
}

void restore(const Object& error) {
  PyErr_Restore(Py_NewRef(Py_TYPE(error.get())), Py_NewRef(error.get()), PyException_GetTraceback(error.get()));
}

// Executes an instruction as Python does. An error that waits for the end of a call is raised then.
Object execute_eagerly(FrameObject& frame, InstructionObject& ins) {
  frame.called = false;
  Object end = act(frame, ins) ? Object::borrow(Py_None) : execute(frame, ins);
  if (frame.pending == Py_None || (!frame.called && end.get() == Py_None)) return end;
  frame.called = true;
  const Object error = Object::own(std::exchange(frame.pending, Py_NewRef(Py_None)));
  restore(error);
  throw PythonError();
}

// Whether the frame is at an end of its region.
bool is_through(const FrameObject& frame) {
  PyObject *inside = PyTuple_GET_ITEM(frame.region, 0), *stops = PyTuple_GET_ITEM(frame.region, 1);
  if (inside == Py_None && PySet_GET_SIZE(stops) == 0) return false;
  const Object at = check(PyLong_FromSsize_t(frame.at));
  const int stopped = PySet_Contains(stops, at.get());
  check(stopped);
  const int within = inside == Py_None ? 1 : PySet_Contains(inside, at.get());
  check(within);
  return stopped || !within;
}

// Whether a handler of the function's takes the error that is set; else it stays set.
bool goes_on(FrameObject& frame) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback) PyException_SetTraceback(value, traceback);
  const Object error = Object::own(value), kept = Object::own(type), lines = Object::own(traceback);
  frame.at = frame.here;
  const Handling handling(error.get());
  const Object caught = check(PyObject_CallMethod(object(frame), "fail", "O", error.get()));
  if (caught.get() != Py_True) restore(error);
  return caught.get() == Py_True;
}

InstructionObject& instruction(PyObject* found) {
  if (!found) throw PythonError();
  if (!Py_IS_TYPE(found, &InstructionType)) raise(PyExc_TypeError, "what a frame executes is an Instruction");
  return *as_instruction(found);
}

Object run(FrameObject& frame, Py_ssize_t limit, bool enter) {
  while (frame.steps != limit) {
    if (is_through(frame) && !std::exchange(enter, false)) break;
    InstructionObject& ins = instruction(PyList_GetItem(frame.instructions, frame.at));
    frame.here = frame.at++;
    Object stack;  // as it is, for an instruction that may have to begin again
    if (frame.eager && frame.by_graph) stack = check(PySequence_List(frame.stack));
    try {
      Object end = frame.eager ? execute_eagerly(frame, ins) : capture(frame, ins);
      ++frame.steps;
      if (frame.called) {
        frame.before = frame.here;
        frame.by_graph = false;
      }
      if (end.get() != Py_None) return end;
      continue;
    } catch (const ThreadExit&) {
      throw;
    } catch (...) {
      set_python_error();
    }
    if (!goes_on(frame)) throw PythonError();
    if (frame.pending == Py_None)
      ++frame.steps;
    else if (stack)
      Py_SETREF(frame.stack, stack.release());
  }
  return Object::borrow(Py_None);
}

bool is_complete(const FrameObject& frame) {
  for (PyObject* held :
       {frame.instructions, frame.handlers, frame.filename, frame.names, frame.region, frame.handled, frame.pending})
    if (!held) return false;
  return handlers && PyList_Check(frame.instructions) && PyList_Check(frame.handlers) && PyDict_Check(frame.names) &&
         PyTuple_Check(frame.region) && PyTuple_GET_SIZE(frame.region) == 2 &&
         PyList_GET_SIZE(frame.handlers) >= PyList_GET_SIZE(frame.instructions);
}

PyObject* frame_run(PyObject* self, PyObject* args) {
  Py_ssize_t limit;
  int enter;
  if (!PyArg_ParseTuple(args, "np", &limit, &enter)) return nullptr;
  return guarded([&] {
    if (!is_complete(*as_frame(self))) raise(PyExc_TypeError, "a frame lacks what it runs");
    return run(*as_frame(self), limit, enter).release();
  });
}

PyObject* frame_execute(PyObject* self, PyObject* ins) {
  return guarded([&] { return execute(*as_frame(self), instruction(ins)).release(); });
}

std::array<PyObject**, 8> references(PyObject* self) {
  FrameObject& frame = *as_frame(self);
  return {&frame.instructions, &frame.handlers, &frame.filename, &frame.names,
          &frame.stack,        &frame.region,   &frame.handled,  &frame.pending};
}

int frame_traverse(PyObject* self, visitproc visit, void* arg) {
  for (PyObject** held : references(self)) Py_VISIT(*held);
  return 0;
}

int frame_clear(PyObject* self) {
  for (PyObject** held : references(self)) Py_CLEAR(*held);
  return 0;
}

void frame_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  frame_clear(self);
  Py_TYPE(self)->tp_free(self);
}

// Instruction(name, operand, target, line, positions)
PyObject* instruction_new(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject *name, *operand, *positions;
  Py_ssize_t target, line;
  if (!PyArg_ParseTuple(args, "UOnnO", &name, &operand, &target, &line, &positions)) return nullptr;
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  InstructionObject& ins = *as_instruction(self);
  ins.name = Py_NewRef(name);
  ins.operand = Py_NewRef(operand);
  ins.positions = Py_NewRef(positions);
  ins.target = target;
  ins.line = line;
  ins.into = true;
  for (const auto& [known, act] : kActs)
    if (PyUnicode_CompareWithASCIIString(name, known.data()) == 0) ins.act = act;
  return self;
}

void instruction_dealloc(PyObject* self) {
  InstructionObject& ins = *as_instruction(self);
  for (PyObject* held : {ins.name, ins.operand, ins.positions, ins.handler}) Py_XDECREF(held);
  Py_TYPE(self)->tp_free(self);
}

// executed() -> how many instructions captures of this thread have executed.
PyObject* count_executed(PyObject*, PyObject*) { return PyLong_FromUnsignedLongLong(executed); }

// look_at(*values), and at what they contain
PyObject* look_at_values(PyObject*, PyObject* const* values, Py_ssize_t count) {
  return guarded([&]() -> PyObject* {
    for (Py_ssize_t i = 0; i < count; ++i) look_at(values[i], true);
    Py_RETURN_NONE;
  });
}

// provide_handlers(HANDLERS, COMPUTES, Opaque, observe_opaque, observe)
PyObject* provide_handlers(PyObject*, PyObject* args) {
  PyObject* given[5];
  if (!PyArg_ParseTuple(args, "O!O!O!OO", &PyDict_Type, &given[0], &PyDict_Type, &given[1], &PyType_Type, &given[2],
                        &given[3], &given[4]))
    return nullptr;
  for (PyObject* each : given) Py_INCREF(each);
  handlers = given[0];
  computing = given[1];
  opaque = reinterpret_cast<PyTypeObject*>(given[2]);
  refuse_opaque = given[3];
  observe = given[4];
  Py_RETURN_NONE;
}

#define EMBER_MEMBER(cls, name, kind) \
  { #name, kind, offsetof(cls, name), 0, nullptr }
PyMemberDef instruction_members[] = {
    EMBER_MEMBER(InstructionObject, name, T_OBJECT_EX),      EMBER_MEMBER(InstructionObject, operand, T_OBJECT_EX),
    EMBER_MEMBER(InstructionObject, positions, T_OBJECT_EX), EMBER_MEMBER(InstructionObject, target, T_PYSSIZET),
    EMBER_MEMBER(InstructionObject, line, T_PYSSIZET),       EMBER_MEMBER(InstructionObject, looks_at, T_PYSSIZET),
    EMBER_MEMBER(InstructionObject, takes, T_PYSSIZET),      EMBER_MEMBER(InstructionObject, puts, T_PYSSIZET),
    EMBER_MEMBER(InstructionObject, into, T_BOOL),           {nullptr, 0, 0, 0, nullptr}};
PyMemberDef frame_members[] = {EMBER_MEMBER(FrameObject, instructions, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, handlers, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, filename, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, stack, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, region, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, handled, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, at, T_PYSSIZET),
                               EMBER_MEMBER(FrameObject, here, T_PYSSIZET),
                               EMBER_MEMBER(FrameObject, steps, T_PYSSIZET),
                               EMBER_MEMBER(FrameObject, line, T_PYSSIZET),
                               EMBER_MEMBER(FrameObject, eager, T_BOOL),
                               EMBER_MEMBER(FrameObject, called, T_BOOL),
                               EMBER_MEMBER(FrameObject, by_graph, T_BOOL),
                               EMBER_MEMBER(FrameObject, before, T_PYSSIZET),
                               EMBER_MEMBER(FrameObject, pending, T_OBJECT_EX),
                               {"namespace", T_OBJECT_EX, offsetof(FrameObject, names), 0, nullptr},
                               {nullptr, 0, 0, 0, nullptr}};
#undef EMBER_MEMBER

PyMethodDef frame_methods[] = {
    {"run", frame_run, METH_VARARGS,
     "run(limit, enter): executes until a return, the end of the region, or until `limit` instructions have been."},
    {"execute", frame_execute, METH_O, "Executes an instruction."},
    {nullptr, nullptr, 0, nullptr}};
PyMethodDef functions[] = {{"executed", count_executed, METH_NOARGS, nullptr},
                           {"look_at", reinterpret_cast<PyCFunction>(look_at_values), METH_FASTCALL, nullptr},
                           {"provide_handlers", provide_handlers, METH_VARARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

PyTypeObject make_instruction_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit.Instruction";
  type.tp_doc =
      "One canonical instruction; `target` is where it may jump, else -1. It looks at so many values from the top\n"
      "of the stack, with `into` also at what they contain.";
  type.tp_basicsize = sizeof(InstructionObject);
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_new = instruction_new;
  type.tp_dealloc = instruction_dealloc;
  type.tp_members = instruction_members;
  return type;
}

PyTypeObject make_frame_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit.Frame";
  type.tp_basicsize = sizeof(FrameObject);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  type.tp_new = PyType_GenericNew;
  type.tp_traverse = frame_traverse;
  type.tp_clear = frame_clear;
  type.tp_dealloc = frame_dealloc;
  type.tp_methods = frame_methods;
  type.tp_members = frame_members;
  return type;
}

PyTypeObject InstructionType = make_instruction_type();
PyTypeObject FrameType = make_frame_type();

}  // namespace

void add_frames(PyObject* module) {
  check(PyType_Ready(&InstructionType));
  check(PyType_Ready(&FrameType));
  check(PyModule_AddObjectRef(module, "Instruction", reinterpret_cast<PyObject*>(&InstructionType)));
  check(PyModule_AddObjectRef(module, "Frame", reinterpret_cast<PyObject*>(&FrameType)));
  check(PyModule_AddFunctions(module, functions));
}

}  // namespace ember::python
