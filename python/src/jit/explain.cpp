#include "python/src/jit/explain.h"

#include <set>

#include "bytecode/code/code.h"
#include "bytecode/code/deopt.h"
#include "bytecode/code/module_file.h"
#include "bytecode/text/text.h"
#include "bytecode/transforms/transforms.h"
#include "ops/matmul/packed_cache.h"
#include "ops/program/strided.h"
#include "python/src/jit/jit.h"
#include "vm/exec/function.h"

namespace py = pybind11;

namespace ember::python {
namespace {

py::list specialisations(const vm::Function& function) {
  py::list out;
  for (const auto& [pinned, f] : function.specialisations()) {
    const vm::Profile& profile = f->profile();
    py::dict d;
    py::list shapes;
    for (vm::Register r : f->function().params)
      shapes.append(f->function().registers[r].is_tensor() ? to_string(f->reg(r).layout->shape)
                                                           : std::string("number"));
    d["shapes"] = shapes;
    d["calls"] = profile.calls.get();
    d["native_calls"] = profile.native_calls.get();
    d["interpreted_us"] = 1e6 * static_cast<double>(profile.interpreted_ticks.get()) / vm::ticks_per_second();
    d["native_us"] = 1e6 * static_cast<double>(profile.native_ticks.get()) / vm::ticks_per_second();
    gc::Ref<vm::Native> native = f->native();
    d["tier"] = native ? 1 : 0;
    d["code_bytes"] = native ? native->code_bytes : 0;
    d["arena_bytes"] = f->arena_bytes();
    std::string bound;
    for (const vm::FunctionBinding* g : with_callees(*f)) bound += (bound.empty() ? "" : "\n") + to_string(g->bound());
    d["bound"] = bound;
    py::dict deopts;
    for (size_t i = 0; i < bytecode::kDeoptReasons; ++i)
      if (profile.deopts[i].get() > 0)
        deopts[py::str(std::string(info(static_cast<bytecode::DeoptReason>(i)).name))] = profile.deopts[i].get();
    d["deopts"] = deopts;
    out.append(d);
  }
  return out;
}

const std::vector<std::shared_ptr<Entry>>& entries_of(py::object jit) {
  if (!PyObject_TypeCheck(jit.ptr(), &JitType)) throw py::type_error("expected a jitted function");
  return reinterpret_cast<PyJit*>(jit.ptr())->entries->all();
}

py::dict packed(const std::set<const gc::Storage*>& storages) {
  ops::PackedStats all;
  for (const gc::Storage* storage : storages) {
    const ops::PackedStats some = ops::packed_stats(*storage);
    all.copies += some.copies;
    all.bytes += some.bytes;
    all.used += some.used;
  }
  py::dict d;
  d["copies"] = all.copies;
  d["bytes"] = all.bytes;
  d["used"] = all.used;
  return d;
}

py::list entries(py::object jit) {
  py::list out;
  for (const std::shared_ptr<Entry>& e : entries_of(jit)) {
    py::dict d;
    d["arguments"] = e->structure;
    d["pinned"] = e->pinned.size() + e->held.size();
    d["guards"] = e->guards.size();
    d["hidden_inputs"] = e->hidden.size();
    py::list shapes;
    size_t evictions = 0;
    std::string text;
    std::set<const gc::Storage*> storages;
    for (const Object& hidden : e->hidden)
      if (is_tensor(hidden.get())) storages.insert(real(hidden.get(), "explain").storage().get());
    const auto describe = [&](const vm::Function& function) {
      for (const py::handle& s : specialisations(function)) shapes.append(s);
      evictions += function.evictions();
      text += bytecode::disassemble(function.code());
      for (const ops::Tensor& constant : function.code().constants) storages.insert(constant.storage().get());
    };
    if (e->function) describe(*e->function);
    if (e->differentiable) e->differentiable->visit(describe);
    d["specialisations"] = shapes;
    d["evictions"] = evictions;
    d["bytecode"] = text;
    d["packed"] = packed(storages);
    py::list effects;
    for (const Effect& effect : e->effects) effects.append(py::handle(effect.words.get()));
    d["effects"] = effects;
    out.append(d);
  }
  return out;
}

py::bytes encoded(py::object jit) {
  const auto& all = entries_of(jit);
  if (all.empty()) throw py::value_error("the function has not been called yet, so there is nothing to save");
  const Entry& entry = *all.back();
  bytecode::Module frozen = entry.differentiable ? entry.differentiable->runnable()
                            : entry.module       ? *entry.module
                                                 : bytecode::parse(entry.text);
  bytecode::State values;
  size_t first =
      frozen.graph(frozen.entry).params.size() - entry.computed.size() - entry.outside.size() - entry.hidden.size();
  for (size_t i = 0; i < entry.hidden.size(); ++i)
    values.emplace_back(static_cast<uint32_t>(first + i), ops::to_contiguous(real(entry.hidden[i].get(), "save")));
  try {
    bytecode::freeze(frozen, values);
    const std::vector<std::byte> bytes = bytecode::encode(*bytecode::lower(frozen));
    return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  } catch (...) {
    set_python_error();
    throw py::error_already_set();
  }
}

}  // namespace

void bind_explain(py::module_& m) {
  m.def("explain", &entries);
  m.def("encoded", &encoded);
}

}  // namespace ember::python
