#include "python/src/frames/frame.h"

#include <structmember.h>

#include <array>

#include "python/src/frames/frame_acts.h"
#include "python/src/frames/frame_calls.h"
#include "python/src/frames/python_frame.h"

namespace ember::python {
namespace {

InstructionObject* as_instruction(PyObject* o) { return reinterpret_cast<InstructionObject*>(o); }
FrameObject* as_frame(PyObject* o) { return reinterpret_cast<FrameObject*>(o); }
PyObject* object(FrameObject& frame) { return reinterpret_cast<PyObject*>(&frame); }
PyObject* object(InstructionObject& ins) { return reinterpret_cast<PyObject*>(&ins); }

PyObject *handlers, *computing;  // of instructions, by name
PyObject* cells_name;
extern PyTypeObject InstructionType, FrameType;
PyObject *refuse_opaque, *observe;   // functions: refuses to look at such a value; notes that it looks into another
thread_local uint64_t executed = 0;  // instructions, by captures of this thread

// Whether captured code may look at a value without anybody's being told.
bool leads_nowhere(PyObject* o, bool into) {
  return is_plain_number(o) || is_captured_kind(o) || PyUnicode_CheckExact(o) || o == Py_None ||
         (!into && !Py_IS_TYPE(o, opaque));
}

void find_handler(InstructionObject& ins) {
  PyObject* handler = PyDict_GetItemWithError(computing, ins.name);
  ins.computes = handler;
  if (!handler) handler = PyDict_GetItemWithError(handlers, ins.name);
  if (!handler) raise(PyExc_LookupError, "nothing executes " + text(ins.name));
  ins.handler = Py_NewRef(handler);
}

Object run_handler(FrameObject& frame, InstructionObject& ins) {
  if (compute(frame, ins)) return Object::borrow(Py_None);
  if (!ins.handler) find_handler(ins);
  std::vector<PyObject*> args = {object(frame), ins.computes ? ins.operand : object(ins)};
  if (!ins.computes) return check(PyObject_Vectorcall(ins.handler, args.data(), 2, nullptr));
  const Object values = Stack(frame).pop_list(ins.takes);
  for (Py_ssize_t i = 0; i < ins.takes; ++i) args.push_back(PyList_GET_ITEM(values.get(), i));
  Object value = check(PyObject_Vectorcall(ins.handler, args.data(), args.size(), nullptr));
  if (ins.puts == 0) return value;
  Stack(frame).push(value.get());
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
  if (handler_at(frame, frame.here) == Py_None) return execute(frame, ins);
  return check(PyObject_CallMethod(object(frame), "execute_protected", "O", object(ins)));
}

// Whether CPython does after an instruction that has called something, or gone back.
bool looks_for_signals(Act act) {
  return act == Act::Call || act == Act::Jump || act == Act::JumpIf || act == Act::JumpIfOrPop ||
         act == Act::JumpIfNone;
}

// Executes an instruction as Python does. An error that waits for the end of a call is raised then.
Object execute_eagerly(FrameObject& frame, InstructionObject& ins) {
  frame.called = false;
  Object end = act(frame, ins) ? Object::borrow(Py_None) : execute(frame, ins);
  frame.called = frame.called && looks_for_signals(ins.act);
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
  const Object error = take_error();
  frame.at = frame.here;
  const Handling handling(error.get());
  const Object caught = check(PyObject_CallMethod(object(frame), "fail", "O", error.get()));
  if (caught.get() != Py_True) restore(error);
  return caught.get() == Py_True;
}

// A namespace (capture/state/namespace.py) like another, with these variables. What else it has changes only while
// graphs are captured, but for cells, which comprehensions may have of their own.
Object named(PyObject* like, PyObject* variables, bool makes_cells) {
  const Object nothing = check(PyTuple_New(0)), fields = check(PyObject_GenericGetDict(like, nullptr));
  Object copy = check(Py_TYPE(like)->tp_new(Py_TYPE(like), nothing.get(), nullptr));
  Object own = fields;
  if (PyObject* cells = PyDict_GetItemWithError(fields.get(), cells_name); cells && makes_cells) {
    own = check(PyDict_Copy(fields.get()));
    check(PyDict_SetItem(own.get(), cells_name, check(PyDict_Copy(cells)).get()));
  }
  check(PyObject_GenericSetDict(copy.get(), own.get(), nullptr));
  check(PyDict_Update(copy.get(), variables));
  return copy;
}

bool is_complete(const FrameObject& frame) {
  for (PyObject* held : {frame.instructions, frame.handlers, frame.filename, frame.names, frame.region, frame.handled,
                         frame.pending, frame.callees})
    if (!held) return false;
  return handlers && PyList_Check(frame.instructions) && PyList_Check(frame.handlers) && PyDict_Check(frame.names) &&
         PyTuple_Check(frame.region) && PyTuple_GET_SIZE(frame.region) == 2 &&
         PyList_GET_SIZE(frame.handlers) >= PyList_GET_SIZE(frame.instructions);
}

PyObject* frame_run(PyObject* self, PyObject* args) {
  Py_ssize_t limit;
  int enter;
  if (!PyArg_ParseTuple(args, "np", &limit, &enter)) return nullptr;
  return guarded([&] { return run(complete_frame(self), limit, enter).release(); });
}

PyObject* frame_execute(PyObject* self, PyObject* ins) {
  return guarded([&] { return execute(*as_frame(self), instruction(ins)).release(); });
}

std::array<PyObject**, 15> references(FrameObject& frame) {
  return {&frame.code,    &frame.instructions, &frame.handlers, &frame.filename, &frame.names,
          &frame.stack,   &frame.region,       &frame.handled,  &frame.pending,  &frame.raised,
          &frame.callees, &frame.session,      &frame.within,   &frame.lost,     &frame.arrivals};
}

PyObject* frame_new(PyTypeObject* type, PyObject*, PyObject*) {
  return guarded([&] {
    Object object = check(type->tp_alloc(type, 0));
    FrameObject& frame = *as_frame(object.get());
    for (PyObject** held :
         {&frame.handled, &frame.pending, &frame.raised, &frame.callees, &frame.session, &frame.within})
      *held = Py_NewRef(Py_None);
    frame.lost = check(PyDict_New()).release();
    frame.arrivals = check(PyDict_New()).release();
    frame.before = -1;
    return object.release();
  });
}

int frame_traverse(PyObject* self, visitproc visit, void* arg) {
  for (PyObject** held : references(*as_frame(self))) Py_VISIT(*held);
  return 0;
}

int frame_clear(PyObject* self) {
  for (PyObject** held : references(*as_frame(self))) Py_CLEAR(*held);
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
  ins.act = act_of(name);
  return self;
}

void instruction_dealloc(PyObject* self) {
  InstructionObject& ins = *as_instruction(self);
  for (PyObject* held : {ins.name, ins.operand, ins.positions, ins.handler, ins.site}) Py_XDECREF(held);
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

// provide_handlers(HANDLERS, COMPUTES, Opaque, observe_opaque, observe, NULL, is_unobserved)
PyObject* provide_handlers(PyObject*, PyObject* args) {
  PyObject* provided[7];
  if (!PyArg_ParseTuple(args, "O!O!O!OOOO", &PyDict_Type, &provided[0], &PyDict_Type, &provided[1], &PyType_Type,
                        &provided[2], &provided[3], &provided[4], &provided[5], &provided[6]))
    return nullptr;
  for (PyObject* o : provided) Py_INCREF(o);
  handlers = provided[0];
  computing = provided[1];
  opaque = reinterpret_cast<PyTypeObject*>(provided[2]);
  refuse_opaque = provided[3];
  observe = provided[4];
  null = provided[5];
  is_unobserved = provided[6];
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
PyMemberDef frame_members[] = {EMBER_MEMBER(FrameObject, code, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, instructions, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, handlers, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, filename, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, stack, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, region, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, handled, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, pending, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, raised, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, callees, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, session, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, within, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, lost, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, arrivals, T_OBJECT_EX),
                               EMBER_MEMBER(FrameObject, at, T_PYSSIZET),
                               EMBER_MEMBER(FrameObject, here, T_PYSSIZET),
                               EMBER_MEMBER(FrameObject, before, T_PYSSIZET),
                               EMBER_MEMBER(FrameObject, steps, T_PYSSIZET),
                               EMBER_MEMBER(FrameObject, line, T_PYSSIZET),
                               EMBER_MEMBER(FrameObject, floor, T_PYSSIZET),
                               EMBER_MEMBER(FrameObject, low, T_PYSSIZET),
                               EMBER_MEMBER(FrameObject, eager, T_BOOL),
                               EMBER_MEMBER(FrameObject, called, T_BOOL),
                               EMBER_MEMBER(FrameObject, by_graph, T_BOOL),
                               EMBER_MEMBER(FrameObject, makes_cells, T_BOOL),
                               {"namespace", T_OBJECT_EX, offsetof(FrameObject, names), 0, nullptr},
                               {nullptr, 0, 0, 0, nullptr}};
#undef EMBER_MEMBER

PyObject* frame_call(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  return guarded([&] {
    if (count != 3) raise(PyExc_TypeError, "call_at_line() takes a function, a tuple and a dict");
    return call_at_line(complete_frame(self), args[0], args[1], args[2]).release();
  });
}

PyMethodDef frame_methods[] = {
    {"run", frame_run, METH_VARARGS,
     "run(limit, enter): executes until a return, the end of the region, or until `limit` instructions have been."},
    {"execute", frame_execute, METH_O, "Executes an instruction."},
    {"call_at_line", reinterpret_cast<PyCFunction>(frame_call), METH_FASTCALL,
     "call_at_line(function, args, keywords): calls what is not followed from a Python frame at the user's line."},
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
  type.tp_setattro = set_attribute;
  type.tp_members = instruction_members;
  return type;
}

PyTypeObject make_frame_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit.Frame";
  type.tp_basicsize = sizeof(FrameObject);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  type.tp_new = frame_new;
  type.tp_traverse = frame_traverse;
  type.tp_clear = frame_clear;
  type.tp_dealloc = frame_dealloc;
  type.tp_methods = frame_methods;
  type.tp_setattro = set_attribute;
  type.tp_members = frame_members;
  return type;
}

PyTypeObject InstructionType = make_instruction_type();
PyTypeObject FrameType = make_frame_type();

}  // namespace

PyTypeObject* opaque;

InstructionObject& instruction(PyObject* o) {
  if (!o) throw PythonError();
  if (!Py_IS_TYPE(o, &InstructionType)) raise(PyExc_TypeError, "what a frame executes is an Instruction");
  return *as_instruction(o);
}

PyObject* handler_at(const FrameObject& frame, Py_ssize_t at) {
  PyObject* handler = PyList_GetItem(frame.handlers, at);
  if (!handler) throw PythonError();
  return handler;
}

Object begin(const FrameObject& prototype, PyObject* variables) {
  Object copy = check(Py_TYPE(&prototype)->tp_alloc(Py_TYPE(&prototype), 0));
  FrameObject& frame = *as_frame(copy.get());
  const auto own = references(frame);
  const auto shared = references(const_cast<FrameObject&>(prototype));
  for (size_t i = 0; i < own.size(); ++i) *own[i] = Py_XNewRef(*shared[i]);
  Py_SETREF(frame.names, named(prototype.names, variables, prototype.makes_cells).release());
  Py_XSETREF(frame.stack, check(PyList_New(0)).release());
  frame.before = prototype.before;
  frame.eager = prototype.eager;
  return copy;
}

FrameObject& complete_frame(PyObject* object) {
  if (!PyObject_TypeCheck(object, &FrameType) || !is_complete(*as_frame(object)))
    raise(PyExc_TypeError, "a frame lacks what it runs");
  return *as_frame(object);
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

void add_frames(PyObject* module) {
  cells_name = check(PyUnicode_InternFromString("cells")).release();
  check(PyType_Ready(&InstructionType));
  check(PyType_Ready(&FrameType));
  check(PyModule_AddObjectRef(module, "Instruction", reinterpret_cast<PyObject*>(&InstructionType)));
  check(PyModule_AddObjectRef(module, "Frame", reinterpret_cast<PyObject*>(&FrameType)));
  check(PyModule_AddFunctions(module, functions));
}

}  // namespace ember::python
