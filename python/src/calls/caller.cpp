// The library's own frames lie between the op and the user's code. Of those in ops, nn and the methods of Tensor the
// outermost public function is what the user called; a layer's construct is called by the layer's name, also where it
// stands within another layer. What captures, differentiates and runs is passed over; what executes bytecode stands for
// the user's code.
#include "python/src/calls/caller.h"

#include <frameobject.h>

#include <map>
#include <utility>

#include "python/src/capture/capture.h"
#include "python/src/conversion/object.h"

namespace ember::python {
namespace {

thread_local const char* called_as = nullptr;

Object attribute_of(PyObject* o, const char* name) {
  Object attribute = Object::own(PyObject_GetAttrString(o, name));
  if (!attribute) PyErr_Clear();
  return attribute;
}

std::string text_of(PyObject* o) { return o && PyUnicode_Check(o) ? text(o) : std::string(); }

std::string module_of(PyObject* frame) {
  Object globals = attribute_of(frame, "f_globals");
  const bool readable = globals && PyDict_Check(globals.get());
  return readable ? text_of(PyDict_GetItemString(globals.get(), "__name__")) : std::string();
}

bool within(const std::string& module, const char* package) {
  const std::string name = package;
  return module == name || module.starts_with(name + ".");
}

bool callable_by_users(const std::string& module) {
  return within(module, "emberjit.ops") || within(module, "emberjit.primitives") || within(module, "emberjit.nn") ||
         module == "emberjit.tensors.methods";
}

// The name of the type of a method's object.
std::string owner_of(PyObject* frame) {
  Object locals = attribute_of(frame, "f_locals");
  Object self = locals ? Object::own(PyMapping_GetItemString(locals.get(), "self")) : Object();
  PyErr_Clear();
  return self ? text_of(attribute_of(reinterpret_cast<PyObject*>(Py_TYPE(self.get())), "__name__").get())
              : std::string();
}

bool is_public(const std::string& name) { return !name.empty() && name[0] != '_' && name[0] != '<'; }

// What a frame of the library says about the call; users' code says where it is.
struct FrameInfo {
  bool library = false, callable = false, interpreter = false;
  std::string function;
};

FrameInfo frame_info(PyObject* frame, PyObject* code) {
  const std::string module = module_of(frame);
  if (!within(module, "emberjit")) return {};
  return {true, callable_by_users(module), module == "emberjit.capture.bytecode.interpreter",
          text_of(attribute_of(code, "co_name").get())};
}

// The library's code objects are few and stay, so they are looked at once.
const FrameInfo& known(PyObject* frame, const Object& code) {
  static auto& codes = *new std::map<PyObject*, std::pair<Object, FrameInfo>>();
  static auto& users = *new FrameInfo();
  const auto it = codes.find(code.get());
  if (it != codes.end()) return it->second.second;
  FrameInfo info = frame_info(frame, code.get());
  if (!info.library) return users;
  return codes.emplace(code.get(), std::pair(code, std::move(info))).first->second.second;
}

}  // namespace

Caller caller(bool location) {
  Caller out;
  if (called_as) out.name = called_as;
  bool settled = false;
  Object frame = Object::borrow(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  while (frame) {
    auto* f = reinterpret_cast<PyFrameObject*>(frame.get());
    const Object code = Object::own(reinterpret_cast<PyObject*>(PyFrame_GetCode(f)));
    const FrameInfo& info = known(frame.get(), code);
    if (!info.library) {
      if (!location) break;
      out.file = text_of(attribute_of(code.get(), "co_filename").get());
      out.line = static_cast<uint32_t>(PyFrame_GetLineNumber(f));
      break;
    }
    settled = settled || info.interpreter;
    if (settled && !location) break;
    if (!settled && info.callable) {
      settled = info.function == "construct" || info.function == "__call__";
      const std::string name = settled ? owner_of(frame.get()) : info.function;
      if (is_public(name)) out.name = name;
    }
    frame = Object::own(reinterpret_cast<PyObject*>(PyFrame_GetBack(f)));
  }
  return out;
}

CalledAs::CalledAs(const char* name) : outer_(std::exchange(called_as, called_as ? called_as : name)) {}
CalledAs::~CalledAs() { called_as = outer_; }

}  // namespace ember::python
