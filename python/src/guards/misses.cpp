#include "python/src/guards/misses.h"

#include <algorithm>

#include "python/src/calls/precision.h"
#include "python/src/conversion/convert.h"
#include "python/src/tensor/tensor_class.h"

namespace ember::python {
namespace {

struct Miss {
  std::string kind;
  Object owner, key, expected, met;
  std::string file;
  uint32_t line = 0;
};

Object text_object(const std::string& text) {
  return check(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

Object or_none(const Object& o) { return o ? o : Object::borrow(Py_None); }

Object name_of(const Entry& entry, size_t leaf) {
  return entry.function ? text_object(entry.function->entry().param_names[leaf]) : Object();
}

std::optional<Miss> by_arguments(const Entry& entry, const Flat& flat) {
  for (size_t i = 0; i < entry.constants.size(); ++i)
    if (!same(entry.constants[i].get(), flat.constants[i]))
      return Miss{"constant", {}, {}, entry.constants[i], Object::borrow(flat.constants[i]), {}};
  for (const auto& [leaf, value] : entry.held)
    if (!same(value.get(), flat.leaves[leaf]))
      return Miss{
          "value", name_of(entry, leaf), check(PyLong_FromSize_t(leaf)), value, Object::borrow(flat.leaves[leaf]), {}};
  for (const auto& [leaf, value] : entry.pinned)
    if (!same(value.get(), flat.leaves[leaf]))
      return Miss{"parameter", {}, {}, value, Object::borrow(flat.leaves[leaf]), {}};
  if (entry.precision.get() != precision_rules()) return Miss{"precision", {}, {}, {}, {}, {}};
  if (entry.tensor_classes != tensor_class_version()) return Miss{"tensor class", {}, {}, {}, {}, {}};
  return {};
}

Miss by_symbols(const Entry& entry, const Flat& flat) {
  std::vector<PyObject*> operands(flat.leaves.begin(), flat.leaves.end());
  for (const Object& hidden : entry.hidden) operands.push_back(hidden.get());
  std::vector<Object> values;
  for (const OutsideValue& outside : entry.outside) {
    const Object& value = values.emplace_back(outside.place.read(outside.type));
    if (!value || (is_tensor(value.get()) && std::ranges::find(operands, value.get()) != operands.end())) {
      Object type = Object::borrow(reinterpret_cast<PyObject*>(outside.type));
      return {"outside", outside.place.owner, outside.place.key, std::move(type), value, {}};
    }
    operands.push_back(value.get());
  }
  for (const auto& [place, operand] : entry.aliases) {
    Object value = place.read(Py_TYPE(operands[operand]));
    if (value.get() != operands[operand])
      return {"outside", place.owner, place.key, Object::borrow(operands[operand]), std::move(value), {}};
  }
  if (!entry.function) return {"call", {}, {}, {}, {}, {}};
  std::vector<vm::Argument> arguments;
  for (PyObject* o : operands) arguments.push_back(argument(o));
  arguments.resize(arguments.size() + entry.computed.size());
  const vm::Prologue::Refusal refusal = entry.function->refusal(arguments);
  const std::vector<std::string>& files = entry.function->code().files;
  return {"symbols",
          {},
          {},
          text_object(refusal.expected),
          text_object(refusal.met),
          refusal.line && refusal.file < files.size() ? files[refusal.file] : "",
          refusal.line};
}

std::vector<Miss> misses_of(Entry& entry, const Flat& flat) {
  if (std::optional<Miss> miss = by_arguments(entry, flat)) return {*miss};
  std::vector<Miss> all;
  for (const FailedGuard& f : entry.guards.failures()) all.push_back({f.kind, f.owner, f.key, f.expected, f.now, {}});
  if (all.empty()) all.push_back(by_symbols(entry, flat));
  return all;
}

}  // namespace

Object misses(const PyJit& jit, const Flat& flat) {
  Object all = check(PyList_New(0));
  constexpr Py_ssize_t kMost = 8;
  Py_ssize_t looked_at = 0;
  for (size_t i = jit.entries->all().size(); i-- > 0 && looked_at < kMost;) {
    Entry& entry = *jit.entries->all()[i];
    if (entry.structure != flat.structure) continue;
    ++looked_at;
    for (const Miss& m : misses_of(entry, flat)) {
      const Object told = check(Py_BuildValue("(nsOOOOsI)", static_cast<Py_ssize_t>(i), m.kind.c_str(),
                                              or_none(m.owner).get(), or_none(m.key).get(), or_none(m.expected).get(),
                                              or_none(m.met).get(), m.file.c_str(), m.line));
      check(PyList_Append(all.get(), told.get()));
    }
  }
  return all;
}

}  // namespace ember::python
