#include "python/src/jit/run.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory_resource>
#include <span>

#include "ops/base/interrupt.h"
#include "ops/eager/eager.h"
#include "ops/program/strided.h"
#include "ops/table/raised_error.h"
#include "python/src/calls/dispatch.h"
#include "python/src/conversion/convert.h"
#include "python/src/jit/graph_errors.h"
#include "python/src/jit/results.h"
#include "python/src/tensor/shared_memory.h"
#include "python/src/tensor/write.h"

namespace ember::python {
namespace {

// The value of a call, once its effects have been replayed.
Object finish(const Entry& entry, Results& results) {
  Object value = build(entry.results, results);
  if (entry.effects.empty()) return value;
  std::vector<Change> changes;
  for (const Effect& effect : entry.effects) {
    Object owner = build(effect.owner, results);
    changes.emplace_back(std::move(owner), build(effect.operands, results));
  }
  replay(entry.effects, changes);
  return value;
}

void prepare_writes(const Entry& entry, const Flat& flat) {
  const bool saved = tape_saves_tensors();
  for (size_t i : entry.written) prepare_assign(entry.hidden[i].get(), saved);
  for (const auto& [leaf, result] : entry.writes) prepare_write(flat.leaves[leaf]);
}

bool is_dense(PyObject* o) { return !is_tensor(o) || real(o, "an argument").layout().contiguous; }

// Whether a result lies in the argument that it overwrites.
bool lies_in(const ops::Tensor& result, PyObject* argument) {
  const ops::Tensor& target = real(argument, "an argument of a jitted function");
  return result.data() == target.data() && result.layout_ref() == target.layout_ref();
}

// What is going to be overwritten.
void keep_results(const Entry& entry, Results* results, const Flat& flat) {
  for (const auto& [leaf, written] : entry.writes) {
    const bool there = !flat.recorded() && lies_in(results->values[written].tensor, flat.leaves[leaf]);
    for (size_t i = 0; i < results->values.size(); ++i) {
      ops::Tensor& t = results->values[i].tensor;
      const bool overwritten = t.defined() && t.storage().get() == memory_of(flat.leaves[leaf]);
      if (overwritten && !(there && i == written)) t = ops::clone(t);
    }
  }
}

// Memory that nobody else has, nor has had the address of.
bool is_sole(const ops::Tensor& tensor) {
  return tensor.contiguous() && tensor.offset() == 0 && tensor.storage()->count() == 1 && !tensor.storage()->changing();
}

// Where nobody can tell, an argument takes the memory of its new elements.
void write(const Entry& entry, const Results& results, const Flat& flat) {
  for (const auto& [leaf, result] : entry.writes) {
    if (flat.recorded()) {
      replace_elements(flat.leaves[leaf], results.values[result].tensor, results.variable(result));
      continue;
    }
    const ops::Tensor& written = real(flat.leaves[leaf], "an argument of a jitted function");
    const ops::Tensor& result_tensor = results.values[result].tensor;
    if (lies_in(result_tensor, flat.leaves[leaf])) continue;
    if (!shares_memory(flat.leaves[leaf]) && is_sole(written) && is_sole(result_tensor)) {
      as_tensor(flat.leaves[leaf])->value = vm::Value(result_tensor);
      continue;
    }
    const ops::Uninterrupted whole;
    overwrite(written, result_tensor);
  }
}

bool run_code(const Entry& entry, const std::pmr::vector<PyObject*>& operands, Results* results) {
  std::pmr::vector<vm::Argument> arguments(operands.get_allocator());
  arguments.reserve(operands.size() + entry.computed.size());
  for (PyObject* o : operands) arguments.push_back(argument(o));
  arguments.resize(operands.size() + entry.computed.size());
  return entry.function->call(arguments, &results->values);
}

vm::TrackedResult tracked_result(PyObject* o) {
  vm::TrackedResult p;
  if (is_tensor(o)) {
    p.value.tensor = real(o, "an argument of a jitted function");
    p.variable = as_tensor(o)->variable;
    return p;
  }
  p.value.kind = PyBool_Check(o) ? ops::Kind::Bool : PyFloat_Check(o) ? ops::Kind::Float : ops::Kind::Int;
  p.value.bits = argument(o).bits;
  return p;
}

// A call that a tape may record.
bool run_recorded(const std::shared_ptr<Entry>& entry, std::span<PyObject* const> operands, Results* results,
                  bool* op_by_op) {
  vm::TrackedResults arguments, tracked_results;
  for (PyObject* o : operands) arguments.push_back(tracked_result(o));
  for (ops::Kind kind : entry->computed) arguments.emplace_back().value.kind = kind;
  const size_t leaves = operands.size() - entry->hidden.size() - entry->outside.size();
  const auto contents = [entry, leaves](size_t operand) {
    return tracked_result(entry->hidden[operand - leaves].get());
  };
  const vm::DifferentiableFunction::Outcome outcome =
      entry->differentiable->call(arguments, contents, &tracked_results);
  *op_by_op = outcome == vm::DifferentiableFunction::Outcome::OpByOp;
  if (outcome != vm::DifferentiableFunction::Outcome::Ran) return false;
  for (vm::TrackedResult& p : tracked_results) {
    results->values.push_back(std::move(p.value));
    results->variables.push_back(p.variable);
  }
  return true;
}

}  // namespace

Object run(const std::shared_ptr<Entry>& entry, const Flat& flat, bool* op_by_op) {
  std::array<std::byte, 512> local;
  std::pmr::monotonic_buffer_resource memory(local.data(), local.size());
  std::pmr::vector<PyObject*> operands(&memory);
  operands.reserve(flat.leaves.size() + entry->hidden.size() + entry->outside.size());
  operands.assign(flat.leaves.begin(), flat.leaves.end());
  for (const Object& hidden : entry->hidden) operands.push_back(hidden.get());
  std::pmr::vector<Object> outside(&memory);
  outside.reserve(entry->outside.size());
  if (!read_outside(*entry, &outside, &operands)) return {};
  note_parameters(operands);
  if (flat.recorded() && writes_views(entry->writes, entry->written, operands, flat.leaves.size())) return {};
  prepare_writes(*entry, flat);
  if (!writes_unaliased(entry->writes, operands)) return {};
  if (!assigns_unaliased(entry->written, entry->pinned, operands, flat.leaves.size())) return {};
  if (entry->writes_elements && any_share_memory(operands)) return {};
  if (entry->needs_dense && !std::ranges::all_of(operands, is_dense)) return {};
  Results results{{}, {}, {}, *entry, flat, operands, {}};
  try {
    const bool ran =
        flat.recorded() ? run_recorded(entry, operands, &results, op_by_op) : run_code(*entry, operands, &results);
    if (!ran) return {};
  } catch (const ops::RaisedError& raised) {
    raise_user_error(*entry, raised, flat);
  } catch (const ops::OpError& error) {
    if (error.kind != ops::OpError::Kind::Overflow || !entry->in_python) raise_with_lines(*entry, error);
    *op_by_op = true;
    return {};
  }
  keep_results(*entry, &results, flat);
  write(*entry, results, flat);
  return finish(*entry, results);
}

}  // namespace ember::python
