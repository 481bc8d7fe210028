#include "python/src/tensor/shared_memory.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "ops/program/strided.h"
#include "ops/table/movement.h"
#include "python/src/calls/dispatch.h"
#include "vm/autograd/tape.h"

namespace ember::python {
namespace {

const gc::Storage* storage_of(const PyTensor* t) {
  return t->value.pending() || !t->value.tensor_now().defined() ? nullptr : t->value.tensor_now().storage().get();
}

// Those of the ring that have this memory: a Parameter may for a while hold another value.
std::vector<PyTensor*> ring_of(PyTensor* tensor, const gc::Storage* storage) {
  std::vector<PyTensor*> ring = {tensor};
  for (PyTensor* t = tensor->next; t && t != tensor; t = t->next)
    if (storage_of(t) == storage) ring.push_back(t);
  return ring;
}

struct Extent {  // of elements, in bytes from the storage's start
  int64_t low = 0, high = 0;
  bool meets(const Extent& other) const { return low < other.high && other.low < high; }
};

Extent extent(const ops::Tensor& t) {
  const auto size = static_cast<int64_t>(itemsize(t.dtype()));
  Extent e{t.offset(), t.offset() + (t.numel() == 0 ? 0 : size)};
  for (size_t d = 0; d < t.rank() && t.numel() != 0; ++d) {
    const int64_t reach = t.layout().strides[d] * (t.shape()[d] - 1) * size;
    (reach < 0 ? e.low : e.high) += reach;
  }
  return e;
}

// The places of a Tensor's elements, in elements from the byte `low`, in row-major order.
std::vector<int64_t> places(const ops::Tensor& t, int64_t low) {
  std::vector<int64_t> positions;
  positions.reserve(static_cast<size_t>(t.numel()));
  const int64_t first = (t.offset() - low) / static_cast<int64_t>(itemsize(t.dtype()));
  ops::LoopNest<1> nest(t.shape(), {&t.layout().strides});
  nest.elements([&](const std::array<int64_t, 1>& at) { positions.push_back(first + at[0]); });
  return positions;
}

// Which elements of a Tensor another wrote: at each element of `tensor` the position in `written`, and whether there is
// one.
struct Overwritten {
  ops::Tensor positions, mask;
  bool any = false, all = true;
};

Overwritten overwritten(const ops::Tensor& tensor, const ops::Tensor& written) {
  const Extent area = extent(written);
  std::vector<int64_t> written_at(static_cast<size_t>(area.high - area.low) / itemsize(written.dtype()), -1);
  int64_t position = 0;
  for (int64_t place : places(written, area.low)) written_at[static_cast<size_t>(place)] = position++;
  Overwritten out{ops::Tensor::empty(ops::DType::Int64, {tensor.numel()}),
                  ops::Tensor::empty(ops::DType::Bool, tensor.shape())};
  size_t i = 0;
  for (int64_t place : places(tensor, area.low)) {
    const bool within = place >= 0 && place < static_cast<int64_t>(written_at.size());
    const int64_t at = within ? written_at[static_cast<size_t>(place)] : -1;
    out.positions.data_as<int64_t>()[i] = std::max<int64_t>(at, 0);
    out.mask.data_as<bool>()[i++] = at >= 0;
    (at >= 0 ? out.any : out.all) = at >= 0;
  }
  return out;
}

vm::Tracked apply(const char* name, std::initializer_list<vm::Tracked> operands,
                  const std::vector<std::pair<std::string_view, ops::Attr>>& attrs = {}) {
  const ops::Op& op = ops::op(name);
  return vm::tape().apply(op, std::span(operands.begin(), operands.size()), ops::make_attrs(op, attrs)).at(0);
}

// The variable of a Tensor of which elements were written through another one.
uint64_t after_write(const vm::Tracked& before, const vm::Tracked& written, const Overwritten& which) {
  const ops::Shape& shape = std::get<ops::Tensor>(before.value).shape();
  const ops::Ints sizes = ops::ints_of(ops::dims(shape));
  const vm::Tracked flat = apply("reshape", {written}, {{"shape", ops::Ints{-1}}});
  vm::Tracked elements = apply("gather", {flat, {which.positions, 0}}, {{"axis", int64_t{0}}});
  elements = apply("reshape", {elements}, {{"shape", sizes}});
  return which.all ? elements.variable : apply("select", {{which.mask, 0}, elements, before}).variable;
}

// The parts of complex numbers, along a last axis.
vm::Tracked parts_of(const vm::Tracked& t) {
  return is_complex(std::get<ops::Tensor>(t.value).dtype()) ? apply("view_as_real", {t}) : t;
}

void refuse_repeated(const PyTensor* t) {
  if (repeats_elements(t->value.tensor_now().layout()))
    ops::value_error(
        "elements of a Tensor are written that stand at several indices (of broadcast_to, expand, ...), and that share "
        "their memory with another Tensor: make a copy() first.");
}

// Whether somebody has the memory who is to keep what is in it now. What is shared with the outside is to be written.
bool held_by_others(PyTensor* t) {
  const gc::Storage* storage = storage_of(t);
  return !storage->changing() && storage->count() > ring_of(t, storage).size();
}

bool is_parameter_of_ring(PyTensor* t) { return is_parameter(reinterpret_cast<PyObject*>(t)); }

// Gives a Tensor, which had `had`, the variable of what it is after others have been written through `wrote`.
void flow_through(PyTensor* tensor, const ops::Tensor& had, vm::Tracked wrote) {
  vm::Tracked old{had, tensor->variable}, now{tensor->value.tensor_now(), 0};
  const bool complex = is_complex(std::get<ops::Tensor>(now.value).dtype());
  const bool by_parts = complex != is_complex(std::get<ops::Tensor>(wrote.value).dtype());
  if (by_parts)
    for (vm::Tracked* one : {&old, &now, &wrote}) *one = parts_of(*one);
  const Overwritten which = overwritten(std::get<ops::Tensor>(now.value), std::get<ops::Tensor>(wrote.value));
  if (!which.any) return;
  now.variable = after_write(old, wrote, which);
  tensor->variable = by_parts && complex ? apply("view_as_complex", {now}).variable : now.variable;
}

}  // namespace

bool repeats_elements(const ops::Layout& layout) {
  if (layout.contiguous) return false;
  for (size_t d = 0; d < layout.rank(); ++d)
    if (layout.strides[d] == 0 && layout.shape[d] > 1) return layout.numel != 0;
  return false;
}

bool has_aliases(PyObject* tensor) { return shares_memory(tensor) || real(tensor, "assign").storage()->changing(); }

bool may_alias(PyObject* a, PyObject* b) {
  if (!is_tensor(a) || !is_tensor(b)) return false;
  const ops::Tensor &here = real(a, "assign"), &there = real(b, "assign");
  const gc::Storage *first = here.storage().get(), *second = there.storage().get();
  if (first != second && !(first->changing() && second->changing())) return false;
  const auto place = [](const ops::Tensor& t, int64_t byte) {
    return static_cast<const std::byte*>(t.storage()->data()) + byte;
  };
  const Extent one = extent(here), other = extent(there);
  const std::less<> before;
  return before(place(here, one.low), place(there, other.high)) &&
         before(place(there, other.low), place(here, one.high));
}

void leave_ring(PyTensor* t) {
  if (!t->next) return;
  t->previous->next = t->next;
  t->next->previous = t->previous;
  if (t->next->next == t->next) t->next->next = t->next->previous = nullptr;
  t->next = t->previous = nullptr;
}

void join(PyTensor* a, PyTensor* b) {
  for (PyTensor* t = b->next; t && t != b; t = t->next)
    if (t == a) return;
  if (!a->next) a->next = a->previous = a;
  if (b->next) leave_ring(b);
  b->previous = a;
  b->next = a->next;
  a->next->previous = b;
  a->next = b;
}

void join_rings(std::span<PyObject* const> operands, PyObject* result) {
  if (!is_tensor(result)) return;
  const gc::Storage* storage = storage_of(as_tensor(result));
  if (!storage || storage->count() == 1) return;
  for (PyObject* o : operands)
    if (o && o != result && is_tensor(o) && storage_of(as_tensor(o)) == storage)
      return join(as_tensor(o), as_tensor(result));
}

void prepare_write(PyObject* tensor) {
  real(tensor, "assignment");
  PyTensor* t = as_tensor(tensor);
  const bool repeated = repeats_elements(t->value.tensor_now().layout());
  if (shares_memory(tensor)) refuse_repeated(t);
  if (repeated || tape_saves_tensors() || held_by_others(t)) give_own_storage(tensor);
}

ops::Tensor give_own_storage(PyObject* tensor) {
  constexpr int64_t kAlignment = 64;
  const ops::Tensor from = real(tensor, "assign");
  PyTensor* t = as_tensor(tensor);
  if (!shares_memory(tensor)) {
    t->value = vm::Value(ops::clone(from));
    return from;
  }
  const std::vector<PyTensor*> ring = ring_of(t, from.storage().get());
  Extent all = extent(from);
  for (const PyTensor* member : ring) {
    const Extent e = extent(member->value.tensor_now());
    all = {std::min(all.low, e.low), std::max(all.high, e.high)};
  }
  all.low -= all.low % kAlignment;
  const auto bytes = static_cast<size_t>(all.high - all.low);
  gc::Ref<gc::Storage> own = gc::allocate(bytes);
  std::memcpy(own->data(), static_cast<const std::byte*>(from.storage()->data()) + all.low, bytes);
  for (PyTensor* member : ring) {
    const ops::Tensor& had = member->value.tensor_now();
    member->value = vm::Value(ops::Tensor(own, had.layout_ref(), had.offset() - all.low));
  }
  return from;
}

void replace_elements(PyObject* tensor, const ops::Tensor& elements, uint64_t variable) {
  PyTensor* t = as_tensor(tensor);
  if (!shares_memory(tensor)) {
    t->value = vm::Value(elements);
    if (!is_parameter(tensor)) t->variable = variable;
    return;
  }
  refuse_repeated(t);
  const ops::Tensor before = give_own_storage(tensor);
  ops::copy_into(elements, t->value.tensor_now());
  track_written(tensor, before, variable);
}

void track_written(PyObject* tensor, const ops::Tensor& before, uint64_t variable) {
  PyTensor* t = as_tensor(tensor);
  if (!is_parameter(tensor)) t->variable = variable;
  const ops::Tensor written = t->value.tensor_now();
  const std::vector<PyTensor*> ring = ring_of(t, written.storage().get());
  std::vector<Object> held;  // the ops below may run Python
  for (PyTensor* member : ring) held.push_back(Object::borrow(reinterpret_cast<PyObject*>(member)));
  const auto parameter = std::ranges::find_if(ring, is_parameter_of_ring);
  for (PyTensor* other : ring) {
    const ops::Tensor after = other->value.tensor_now();
    if (other == t || is_parameter_of_ring(other) || !extent(after).meets(extent(written))) continue;
    const bool views_parameter =
        parameter != ring.end() && extent(after).meets(extent((*parameter)->value.tensor_now()));
    const PyTensor* source = views_parameter ? *parameter : t;
    if (source->variable == 0 && other->variable == 0) continue;
    const ops::Tensor had(before.storage(), after.layout_ref(), after.offset() + before.offset() - written.offset());
    flow_through(other, had, {source->value.tensor_now(), source->variable});
  }
}

}  // namespace ember::python
