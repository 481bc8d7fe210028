// An Entry: a captured graph with all that it was captured for, and what decides whether it serves a call. In this
// order:
// - `admits`: the structure of the arguments, constants, numbers that the graph holds for one value (admission.cpp);
// - `Guards::hold`: what was read from outside is as it was (guards.h);
// - `read_outside`: numbers and Tensors from outside that each call reads are there, of their classes, and those places
//   have one Tensor that had one when the graph was captured;
// - `writes_unaliased` and its kin: what the graph writes is not read under another name (admission.cpp);
// - vm::Function::call: dtypes, sizes and expressions of symbols that Python decided by (vm/exec/prologue.h).
#pragma once

#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "python/src/capture/capture.h"
#include "python/src/capture/effects.h"
#include "python/src/guards/flat.h"
#include "python/src/guards/guards.h"
#include "python/src/jit/result_tree.h"
#include "vm/autograd/differentiable_function.h"

namespace ember::python {

using Writes = std::vector<std::pair<size_t, size_t>>;  // leaf number, result that becomes its elements

struct Entry {
  std::string structure;
  std::vector<Object> constants;
  Object unfolded;                                // the Jit's, when this was made
  std::vector<std::pair<size_t, Object>> held;    // leaf number, the one value that a number has
  uint64_t hash = 0, used = 0;                    // of structure and these; when it was last
  std::vector<std::pair<size_t, Object>> pinned;  // leaf number, value: a Parameter that is also hidden
  std::vector<ops::Kind> computed;                // of operands, behind these, that are expressions
  Guards guards;
  Object precision;                                // the rules that held (precision.h)
  uint64_t tensor_classes = 0;                     // tensor_class_version()
  std::vector<Object> hidden;                      // tensors and Parameters from outside
  std::vector<OutsideValue> outside;               // behind the hidden ones
  std::vector<OutsideAlias> aliases;               // of operands
  std::vector<size_t> written;                     // of hidden, Parameters that the graph may write
  std::shared_ptr<const bytecode::Module> module;  // optimised; for saving
  std::string text;                                // instead of it: what it is printed as
  gc::Ref<vm::Function> function;
  std::shared_ptr<vm::DifferentiableFunction> differentiable;  // instead of both, for calls while a tape records
  Object op_by_op;                                             // the Jit's inner
  bool in_python = false;  // whether that may run instead of a graph whose integers have too few bits
  Writes writes;
  bool writes_elements = false;  // of any Tensor, maybe of an argument within a gradient
  bool needs_dense = false;      // arguments and what comes from outside
  std::vector<bool> own_memory;  // of results: whether each has it, as Python sees it, though the graph may share some
  ResultTree results;
  std::vector<Effect> effects;
  std::vector<Object> apart;  // lists and dicts that must be none of the arguments
  Object errors;              // a list of what makes the user's errors that the graph may raise, by number; see
                              // capture/graph/raises.py
  Object lines;               // a list: by bytecode::Source::path - 1, the user's lines that lead to ops
};

// The entries of a jitted function. A call finds those that may serve it by a hash of its structure and of the numbers
// that its graphs hold for one value only.
class Entries {
 public:
  using Candidates = std::vector<std::shared_ptr<Entry>>;
  void add(std::shared_ptr<Entry> entry);  // beyond a limit the one goes that has not been used for longest
  void drop(size_t number);
  const std::vector<std::shared_ptr<Entry>>& all() const { return all_; }  // in the order in which they were made
  std::shared_ptr<Entry> latest() const { return latest_; }                // that was used, or made
  void use(const std::shared_ptr<Entry>& entry);
  void find(const Flat& flat, Candidates* candidates) const;  // the latest is not among them

 private:
  struct Group {
    std::vector<size_t> leaves;  // that are held for one value
    std::unordered_multimap<uint64_t, std::shared_ptr<Entry>> by_hash;
  };
  Group& group(const std::vector<size_t>& leaves);
  std::vector<std::shared_ptr<Entry>> all_;
  std::vector<Group> groups_;
  std::shared_ptr<Entry> latest_;
  uint64_t clock_ = 0;
};

// Of what a graph may be made for: structure, constants by identity, numbers, and dtypes and sizes of Tensors.
uint64_t hash_of_call(const Flat& flat);

// Whether arguments are of an entry's structure, with the constants and numbers that it was captured for.
bool admits(const Entry& entry, const Flat& flat);

// Puts what each call reads from outside behind the operands; whether it is there. A Tensor among them that is an
// operand already, by another name, would be two values of the graph, of which gradients flow to one.
bool read_outside(const Entry& entry, std::pmr::vector<Object>* values, std::pmr::vector<PyObject*>* operands);

// Whether a graph writes what shares its memory: only Python's own writes tell a tape of the others. `written`: of the
// operands after the `leaves`.
bool writes_views(const Writes& writes, std::span<const size_t> written, std::span<PyObject* const> operands,
                  size_t leaves);
bool any_share_memory(std::span<PyObject* const> operands);
// Whether no argument that is written shares memory with another operand, which would change under the graph's eyes.
bool writes_unaliased(const Writes& writes, std::span<PyObject* const> operands);
// The same of Parameters that are `written`, of the operands after the `leaves`; arguments that are `pinned` to them
// are not read.
bool assigns_unaliased(std::span<const size_t> written, std::span<const std::pair<size_t, Object>> pinned,
                       std::span<PyObject* const> operands, size_t leaves);

}  // namespace ember::python
