#include <algorithm>
#include <functional>

#include "python/src/calls/precision.h"
#include "python/src/conversion/convert.h"
#include "python/src/guards/entry.h"
#include "python/src/jit/results.h"
#include "python/src/tensor/shared_memory.h"
#include "python/src/tensor/tensor_class.h"

namespace ember::python {
namespace {

// Whether two have memory in common, maybe as arrays of NumPy's.
bool overlap(const gc::Storage* a, const gc::Storage* b) {
  if (!a || !b) return false;
  const auto* first = static_cast<const std::byte*>(a->data());
  const auto* second = static_cast<const std::byte*>(b->data());
  return a == b || (std::less<>()(first, second + b->size()) && std::less<>()(second, first + a->size()));
}

}  // namespace

bool admits(const Entry& entry, const Flat& flat) {
  if (entry.structure != flat.structure || entry.precision.get() != precision_rules()) return false;
  if (entry.tensor_classes != tensor_class_version()) return false;
  for (size_t i = 0; i < entry.constants.size(); ++i)
    if (!same(entry.constants[i].get(), flat.constants[i])) return false;
  for (const auto& [leaf, value] : entry.held)
    if (!same(value.get(), flat.leaves[leaf])) return false;
  for (const auto& [leaf, value] : entry.pinned)
    if (!same(value.get(), flat.leaves[leaf])) return false;
  return std::ranges::none_of(entry.apart, [&](const Object& o) {
    return std::ranges::find(flat.containers, o.get()) != flat.containers.end();
  });
}

bool read_outside(const Entry& entry, std::pmr::vector<Object>* values, std::pmr::vector<PyObject*>* operands) {
  for (const OutsideValue& outside : entry.outside) {
    PyObject* value = values->emplace_back(outside.place.read(outside.type)).get();
    if (!value || (is_tensor(value) && std::ranges::find(*operands, value) != operands->end())) return false;
    operands->push_back(value);
  }
  return std::ranges::all_of(entry.aliases, [&](const OutsideAlias& alias) {
    PyObject* operand = (*operands)[alias.operand];
    return alias.place.read(Py_TYPE(operand)).get() == operand;
  });
}

bool any_share_memory(std::span<PyObject* const> operands) {
  return std::any_of(operands.begin(), operands.end(), [&](PyObject* o) {
    const auto also = [&](PyObject* other) { return other != o && overlap(memory_of(other), memory_of(o)); };
    return std::any_of(operands.begin(), operands.end(), also);
  });
}

bool writes_views(const Writes& writes, std::span<const size_t> written, std::span<PyObject* const> operands,
                  size_t leaves) {
  return std::any_of(written.begin(), written.end(), [&](size_t i) { return shares_memory(operands[leaves + i]); }) ||
         std::any_of(writes.begin(), writes.end(), [&](const auto& w) { return shares_memory(operands[w.first]); });
}

bool writes_unaliased(const Writes& writes, std::span<PyObject* const> operands) {
  return std::all_of(writes.begin(), writes.end(), [&](const auto& write) {
    const gc::Storage* written = memory_of(operands[write.first]);
    return std::count_if(operands.begin(), operands.end(),
                         [&](PyObject* o) { return overlap(memory_of(o), written); }) == 1;
  });
}

bool assigns_unaliased(std::span<const size_t> written, std::span<const std::pair<size_t, Object>> pinned,
                       std::span<PyObject* const> operands, size_t leaves) {
  for (size_t leaf = 0; leaf < leaves && !written.empty(); ++leaf) {
    PyObject* argument = operands[leaf];
    if (!is_tensor(argument) || !is_parameter(argument)) continue;
    const bool pins = std::ranges::any_of(pinned, [&](const auto& pin) { return pin.first == leaf; });
    if (!pins && std::ranges::any_of(written, [&](size_t i) { return operands[leaves + i] == argument; })) return false;
  }
  return std::ranges::none_of(written, [&](size_t i) {
    PyObject* parameter = operands[leaves + i];
    return has_aliases(parameter) &&
           std::ranges::any_of(operands, [&](PyObject* o) { return o != parameter && may_alias(parameter, o); });
  });
}

}  // namespace ember::python
