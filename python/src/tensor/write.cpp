#include "python/src/tensor/write.h"

#include <array>

#include "ops/eager/eager.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"
#include "python/src/calls/dispatch.h"
#include "python/src/capture/capture.h"
#include "python/src/conversion/convert.h"
#include "python/src/tensor/shared_memory.h"

namespace ember::python {
namespace {

int kind_of(ops::DType dtype) { return is_complex(dtype) ? 3 : is_float(dtype) ? 2 : is_int(dtype) ? 1 : 0; }

void check_result(const ops::Type& target, const ops::Type& result) {
  if (kind_of(result.dtype) > kind_of(target.dtype))
    ops::type_error("For 'assignment', the result, " + to_string(result) + ", cannot be written into " +
                    to_string(target) + ", which cannot hold such numbers: convert it first.");
  bool fits = result.dims.size() <= target.dims.size();
  for (size_t d = 0; fits && d < result.dims.size(); ++d) {
    const ops::Dim& from = result.dims[d];
    fits = identical(from, ops::Dim(1)) || from == target.dims[target.dims.size() - result.dims.size() + d];
  }
  if (!fits)
    ops::value_error("For 'assignment', the result, " + to_string(result) + ", cannot be written into " +
                     to_string(target) + ": the shapes differ.");
}

// The result as a Tensor of the type.
Object converted(const ops::Type& type, PyObject* result) {
  Object tensor = Object::borrow(result);
  if (type_of(tensor.get()).dtype != type.dtype) tensor = call("cast", {tensor.get()}, {{"dtype", type.dtype}});
  if (identical(type_of(tensor.get()), type)) return tensor;
  return call("broadcast_to", {tensor.get()}, {{"shape", ops::ints_of(type.dims)}});
}

}  // namespace

void overwrite(const ops::Tensor& target, const ops::Tensor& elements) {
  const gc::WriteScope writing(*target.storage());
  ops::copy_into(elements, target);
}

bool writes_at_once() { return !current_capture() && !recording(); }

void replace_written(PyObject* tensor, PyObject* updated) {
  if (Capture* capture = current_capture()) return capture->write_elements(tensor, updated);
  replace_elements(tensor, real(updated, "assignment"), as_tensor(updated)->variable);
}

void write_result(PyObject* tensor, PyObject* result) {
  const ops::Type type = type_of(tensor);
  check_result(type, type_of(result));
  Object whole = converted(type, result);
  if (!writes_at_once()) {
    const bool fresh = current_capture() || real(whole.get(), "assignment").storage()->count() == 1;
    if (!fresh) whole = call("own", {whole.get()}, {{"number", int64_t{0}}});
    return replace_written(tensor, whole.get());
  }
  prepare_write(tensor);
  overwrite(real(tensor, "assignment"), real(whole.get(), "assignment"));
}

bool run_in_place(const ops::Op& op, std::span<PyObject* const> arguments, PyObject* tensor) {
  if (!writes_at_once() || !op.elementwise()) return false;
  prepare_write(tensor);
  const Arguments read = read_arguments(op, arguments);
  for (const Object& o : read.operands)
    if (o && PyComplex_CheckExact(o.get())) return false;
  ops::Values values;
  for (const Object& o : read.operands) values.push_back(operand_value(o.get()));
  for (const Object& o : read.operands) note_parameters(std::array{o.get()});
  return ops::run_into(op, values, read.attrs, real(tensor, "assignment"));
}

}  // namespace ember::python
