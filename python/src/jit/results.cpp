#include "python/src/jit/results.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "ops/program/strided.h"
#include "python/src/conversion/convert.h"
#include "python/src/jit/jit.h"
#include "python/src/tensor/shared_memory.h"

namespace ember::python {
namespace {

Object result_object(Results& results, size_t i) {
  vm::Result& r = results.values[i];
  if (r.kind == ops::Kind::Bool) return Object::borrow(r.bits & 1 ? Py_True : Py_False);
  if (r.kind == ops::Kind::Int) return check(PyLong_FromLongLong(static_cast<int64_t>(r.bits)));
  if (r.kind == ops::Kind::Float) {
    double d;
    std::memcpy(&d, &r.bits, sizeof d);
    return check(PyFloat_FromDouble(d));
  }
  const bool shared = r.tensor.storage()->count() != 1;
  if (shared && results.entry.own_memory[i] && results.has(r.tensor))
    return wrap(ops::clone(std::exchange(r.tensor, {})), results.variable(i));
  Object tensor = wrap(std::move(r.tensor), results.variable(i));
  if (!shared) return tensor;
  join_rings(results.operands, tensor.get());
  for (const Object& other : results.sharing) join_rings(std::array{other.get()}, tensor.get());
  return results.sharing.emplace_back(tensor);
}

Object build_items(const ResultTree& tree, Results& results) {
  return make_sequence(tree.way == ResultTree::Way::List, static_cast<Py_ssize_t>(tree.parts.size()),
                       [&](Py_ssize_t i) { return build(tree.parts[static_cast<size_t>(i)], results); });
}

Object build_dict(const ResultTree& tree, Results& results) {
  Object dict = check(PyDict_New());
  for (size_t i = 0; i < tree.parts.size(); ++i) {
    const Object value = build(tree.parts[i], results);
    check(PyDict_SetItem(dict.get(), PyTuple_GET_ITEM(tree.content.get(), static_cast<Py_ssize_t>(i)), value.get()));
  }
  return dict;
}

}  // namespace

const gc::Storage* memory_of(PyObject* o) {
  return is_tensor(o) ? real(o, "an argument of a jitted function").storage().get() : nullptr;
}

bool Results::has(const ops::Tensor& tensor) const {
  const auto same = [&](PyObject* o) { return memory_of(o) == tensor.storage().get(); };
  return std::ranges::any_of(operands, same) ||
         std::ranges::any_of(sharing, [&](const Object& o) { return same(o.get()); }) ||
         std::ranges::count_if(values, [&](const vm::Result& r) {
           return r.tensor.defined() && r.tensor.storage() == tensor.storage();
         }) > 1;
}

Object build(const ResultTree& tree, Results& results) {
  switch (tree.way) {
    case ResultTree::Way::Result:
      return result_object(results, tree.number);
    case ResultTree::Way::Constant:
      return tree.content;
    case ResultTree::Way::Given:
      return Object::borrow(results.arguments.leaves[tree.number]);
    case ResultTree::Way::Container:
      return Object::borrow(results.arguments.containers[tree.number]);
    case ResultTree::Way::Again:
      return results.memo[tree.number];
    case ResultTree::Way::Keep: {
      Object value = build(tree.parts[0], results);
      return results.memo.emplace_back(std::move(value));
    }
    case ResultTree::Way::Made:
      return check(PyObject_CallOneArg(tree.content.get(), build(tree.parts[0], results).get()));
    case ResultTree::Way::Tuple:
    case ResultTree::Way::List:
      return build_items(tree, results);
    case ResultTree::Way::Dict:
      return build_dict(tree, results);
  }
  return {};
}

}  // namespace ember::python
