// Indexing: ints, slices, None and Ellipsis become strided views (and, assigned to, functional updates or writes into
// the view); an integer tensor gathers along one axis; all other indices are composed of ops by
// emberjit/tensors/indexing.py.
#include <algorithm>
#include <optional>

#include "ops/eager/eager.h"
#include "ops/table/movement.h"
#include "python/src/calls/caller.h"
#include "python/src/calls/dispatch.h"
#include "python/src/capture/capture.h"
#include "python/src/capture/symbolic.h"
#include "python/src/conversion/convert.h"
#include "python/src/tensor/shared_memory.h"
#include "python/src/tensor/write.h"

namespace ember::python {
namespace {

struct Slices {
  ops::Ints begin, end, step;
  ops::Ints squeezed;             // axes of the sliced tensor that an int chose
  std::vector<int64_t> inserted;  // axes of the result where None stands
};

// Errors are told of "tensor getitem" or "tensor setitem", as CalledAs says.
std::string about_index() { return "For 'tensor getitem', "; }

bool plain_index(PyObject* o) {
  return PyLong_Check(o) || (!is_tensor(o) && PyIndex_Check(o) && !PySequence_Check(o));  // arrays have __index__, too
}

ops::Dim as_int(PyObject* o) {
  if (is_symbolic(o)) return dim_of(as_number(o)->capture->symbols(), as_number(o)->expr);
  Object index = check(PyNumber_Index(o));
  int64_t value = PyLong_AsLongLong(index.get());
  if (value == -1 && PyErr_Occurred()) throw PythonError();
  return value;
}

// A part of a slice, cut to what cannot overflow beside any size.
ops::Dim part_of_slice(PyObject* o) {
  constexpr Py_ssize_t kFar = Py_ssize_t{1} << 48;
  if (is_symbolic(o) && as_number(o)->kind == ops::Kind::Int) {
    const ops::Dim number = as_int(o);
    const bool near =
        as_number(o)->capture->of_sizes(number.expr) || (ops::Dim(-kFar) < number && number < ops::Dim(kFar));
    return near ? number : ops::Dim(std::clamp<int64_t>(ops::pinned(number), -kFar, kFar));
  }
  const Py_ssize_t value = PyNumber_AsSsize_t(o, nullptr);
  if (value == -1 && PyErr_Occurred()) throw PythonError();
  return std::clamp(value, -kFar, kFar);
}

// A bound of a slice within an axis of size d, as Python clips it.
ops::Dim bound(PyObject* o, ops::Dim d, ops::Dim missing, bool backward) {
  if (o == Py_None) return missing;
  const ops::Dim value = part_of_slice(o);
  ops::Dim at = value < ops::Dim(0) ? d + value : value;
  ops::Dim low = backward ? -1 : 0, high = backward ? d - ops::Dim(1) : d;
  if (at < low) return low;
  return high < at ? high : at;
}

void add_slice(PyObject* o, ops::Dim d, Slices* s) {
  auto* slice = reinterpret_cast<PySliceObject*>(o);
  const int64_t step = slice->step == Py_None ? 1 : ops::pinned(part_of_slice(slice->step));
  if (step == 0) ops::value_error(about_index() + "the step of a slice must not be 0.");
  bool backward = step < 0;
  ops::Dim begin = bound(slice->start, d, backward ? d - ops::Dim(1) : ops::Dim(0), backward);
  ops::Dim end = bound(slice->stop, d, backward ? ops::Dim(-1) : d, backward);
  // For the op a negative bound counts from the end, so "before the first" is one further down.
  s->begin.push_back(begin < ops::Dim(0) ? begin - d : begin);
  s->end.push_back(end < ops::Dim(0) ? end - d : end);
  s->step.push_back(step);
}

void add_int(PyObject* o, const ops::Dims& dims, size_t axis, Slices* s) {
  const ops::Dim value = as_int(o);
  const ops::Dim d = dims[axis];
  ops::Dim at = value < ops::Dim(0) ? d + value : value;
  if (at < ops::Dim(0) || !(at < d))
    ops::index_error(about_index() + "index " + std::to_string(value.hint()) + " is out of bounds for axis " +
                     std::to_string(axis) + " with size " + std::to_string(d.hint()) + " of shape " +
                     to_string(hints(dims)) + ".");
  s->squeezed.push_back(static_cast<int64_t>(s->begin.size()));
  s->begin.push_back(at);
  s->end.push_back(at + ops::Dim(1));
  s->step.push_back(1);
}

std::vector<PyObject*> items_of(PyObject* index) {
  if (!PyTuple_Check(index)) return {index};
  std::vector<PyObject*> items;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index); ++i) items.push_back(PyTuple_GET_ITEM(index, i));
  return items;
}

// Empty if the index holds anything but ints, slices, None and Ellipsis.
std::optional<Slices> basic(PyObject* tensor, PyObject* index) {
  std::vector<PyObject*> items = items_of(index);
  ops::Type type = type_of(tensor);
  size_t used = 0;
  for (PyObject* o : items) {
    const bool known = plain_index(o) || PySlice_Check(o) || o == Py_None || o == Py_Ellipsis;
    if (!known || PyBool_Check(o) || (is_number(o) && as_number(o)->kind == ops::Kind::Bool)) return {};
    used += plain_index(o) || PySlice_Check(o);
  }
  size_t rank = type.dims.size();
  if (used > rank)
    ops::index_error(about_index() + "there are too many indices, " + std::to_string(used) + ", for shape " +
                     to_string(hints(type.dims)) + ".");
  Slices s;
  size_t axis = 0;
  int64_t out = 0;
  bool filled = false;
  auto full = [&] {
    s.begin.push_back(0);
    s.end.push_back(type.dims[axis]);
    s.step.push_back(1);
    ++axis;
    ++out;
  };
  for (PyObject* o : items) {
    if (o == Py_None) {
      s.inserted.push_back(out++);
    } else if (o == Py_Ellipsis) {
      if (filled) ops::index_error(about_index() + "an index can have only one ellipsis (...).");
      filled = true;
      for (size_t n = rank - used; n > 0; --n) full();
    } else if (PySlice_Check(o)) {
      add_slice(o, type.dims[axis++], &s);
      ++out;
    } else {
      add_int(o, type.dims, axis, &s);
      ++axis;
    }
  }
  while (axis < rank) full();
  return s;
}

Object sliced(PyObject* self, const Slices& s) {
  Object out = Object::borrow(self);
  if (!s.begin.empty())
    out = call("strided_slice", {out.get()}, {{"begin", s.begin}, {"end", s.end}, {"strides", s.step}});
  if (!s.squeezed.empty()) out = call("squeeze", {out.get()}, {{"axis", s.squeezed}});
  for (int64_t axis : s.inserted) out = call("expand_dims", {out.get()}, {{"axis", axis}});
  return out;
}

Object indexing() { return check(PyImport_ImportModule("emberjit.tensors.indexing")); }

Object advanced(PyObject* self, PyObject* index) {
  if (is_tensor(index) && is_int(type_of(index).dtype) && !type_of(self).dims.empty())
    return call("gather", {self, index}, {{"axis", int64_t{0}}});
  return check(PyObject_CallMethod(indexing().get(), "get", "OO", self, index));
}

PyObject* get_item(PyObject* self, PyObject* index) {
  return guarded([&] {
    const CalledAs name("tensor getitem");
    return with_caller_name([&] {
      std::optional<Slices> s = basic(self, index);
      return (s ? sliced(self, *s) : advanced(self, index)).release();
    });
  });
}

PyObject* sequence_item(PyObject* self, Py_ssize_t i) {
  return guarded([&] {
    Object index = check(PyLong_FromSsize_t(i));
    return check(get_item(self, index.get())).release();
  });
}

size_t region_rank(const Slices& s) { return s.begin.size() - s.squeezed.size() + s.inserted.size(); }

// The value without leading axes of one element that a region of this rank does not have.
Object without_leading_ones(Object value, size_t rank) {
  if (!is_tensor(value.get())) return value;
  const ops::Dims dims = type_of(value.get()).dims;
  ops::Ints leading;
  for (size_t axis = 0; axis + rank < dims.size() && dims[axis] == ops::Dim(1); ++axis) leading.push_back(axis);
  return leading.empty() ? value : call("squeeze", {value.get()}, {{"axis", leading}});
}

// The value without the axes that None inserted, and with those that ints removed put back, so that it broadcasts
// against the sliced region.
Object with_axes_of_region(Object value, const Slices& s) {
  if (!is_tensor(value.get()) || type_of(value.get()).dims.empty()) return value;
  const size_t rank = region_rank(s);
  ops::Ints inserted;
  for (int64_t axis : s.inserted)
    if (rank - static_cast<size_t>(axis) <= type_of(value.get()).dims.size())
      inserted.push_back(axis - static_cast<int64_t>(rank));
  if (!inserted.empty()) value = call("squeeze", {value.get()}, {{"axis", inserted}});
  for (size_t i = s.squeezed.size(); i-- > 0;) {
    const int64_t from_end = s.squeezed[i].hint() - static_cast<int64_t>(s.begin.size());
    if (-from_end > static_cast<int64_t>(type_of(value.get()).dims.size()) + 1) continue;
    value = call("expand_dims", {value.get()}, {{"axis", from_end}});
  }
  return value;
}

void write(PyObject* self, const Slices& s, PyObject* value) {
  Object region = sliced(self, s);
  const ops::Tensor& target = real(region.get(), "assignment");
  const Object operand = is_tensor(value) ? Object::borrow(value) : exact_tensor_of_data(value);
  const ops::Tensor& source = real(operand.get(), "assignment");
  const ops::Op& broadcast = ops::op("broadcast_to");
  const ops::Attrs attrs = ops::make_attrs(broadcast, {{"shape", ops::ints_of(ops::dims(target.shape()))}});
  overwrite(target, std::get<ops::Tensor>(ops::run(broadcast, {{ops::Value(source)}}, attrs)[0]));
}

// The shape of x[index].
ops::Shape region_shape(PyObject* self, const Slices& s) {
  const ops::Op& op = ops::op("strided_slice");
  const ops::Attrs attrs = ops::make_attrs(op, {{"begin", s.begin}, {"end", s.end}, {"strides", s.step}});
  const ops::Shape sizes = hints(ops::infer(op, {{type_of(self)}}, attrs)[0].dims);
  ops::Shape shape;
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    const bool squeezed = std::any_of(s.squeezed.begin(), s.squeezed.end(),
                                      [&](ops::Dim d) { return d.hint() == static_cast<int64_t>(axis); });
    if (!squeezed) shape.push_back(sizes[axis]);
  }
  for (int64_t axis : s.inserted) shape.insert(static_cast<size_t>(axis), 1);
  return shape;
}

void assign_region(PyObject* self, const Slices& s, Object value) {
  if (writes_at_once()) return write(self, s, value.get());
  value = with_axes_of_region(std::move(value), s);
  Object updated = call("slice_update", {self, value.get()}, {{"begin", s.begin}, {"end", s.end}, {"strides", s.step}});
  replace_written(self, updated.get());
}

void assign_elements(PyObject* self, PyObject* index, PyObject* value) {
  Object updated = check(PyObject_CallMethod(indexing().get(), "updated", "OOO", self, index, value));
  if (!writes_at_once()) return replace_written(self, updated.get());
  overwrite(real(self, "assignment"), real(updated.get(), "assignment"));
}

void assign_item(PyObject* self, PyObject* index, PyObject* value) {
  if (!value) raise(PyExc_TypeError, "elements of a Tensor cannot be deleted");
  std::optional<Slices> s = basic(self, index);
  if (writes_at_once()) prepare_write(self);
  const bool plain = is_tensor(value) || PyFloat_Check(value) || PyLong_Check(value) || is_number(value);
  Object v = plain ? Object::borrow(value) : exact_tensor_of_data(value);
  if (is_tensor(v.get())) ops::refuse_lost_part(type_of(v.get()), type_of(self).dtype, "tensor setitem");
  if (!s) return assign_elements(self, index, v.get());
  const ops::Shape shape = is_tensor(v.get()) ? hints(type_of(v.get()).dims) : ops::Shape();
  try {
    assign_region(self, *s, without_leading_ones(v, region_rank(*s)));
  } catch (const ops::OpError&) {
    const ops::Shape region = region_shape(self, *s);
    if (ops::broadcasts_to(shape, region)) throw;
    ops::value_error(about_index() + "a value of shape " + to_string(shape) +
                     " cannot be broadcast to the region of shape " + to_string(region) + " that the index names.");
  }
}

int set_item(PyObject* self, PyObject* index, PyObject* value) {
  return guarded_int([&] {
    const CalledAs name("tensor setitem");
    with_caller_name([&] { assign_item(self, index, value); });
    return 0;
  });
}

}  // namespace

PyMappingMethods tensor_mapping_methods = {tensor_length_slot, get_item, set_item};
PySequenceMethods tensor_sequence_methods = {
    tensor_length_slot, nullptr, nullptr, sequence_item, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
PyBufferProcs tensor_buffer_procs = {get_buffer, release_buffer};

}  // namespace ember::python
