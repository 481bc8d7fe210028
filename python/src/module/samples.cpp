// The samples of the op table for Python's tests: the same calls that the table's own tests make.
#include "python/src/module/samples.h"

#include <pybind11/stl.h>

#include "ops/table/op.h"
#include "python/src/conversion/convert.h"
#include "python/src/tensor/tensor.h"

namespace py = pybind11;

namespace ember::python {
namespace {

py::object value(const ops::Attr& attr) {
  if (const bool* flag = std::get_if<bool>(&attr)) return py::bool_(*flag);
  if (const ops::Dim* whole = std::get_if<ops::Dim>(&attr)) return py::int_(whole->hint());
  if (const double* number = std::get_if<double>(&attr)) return py::float_(*number);
  if (const std::string* text = std::get_if<std::string>(&attr)) return py::str(*text);
  if (const ops::DType* dtype = std::get_if<ops::DType>(&attr))
    return py::reinterpret_steal<py::object>(dtype_object(*dtype).release());
  if (const ops::Ints* ints = std::get_if<ops::Ints>(&attr)) {
    py::list sizes;
    for (const ops::Dim& d : *ints) sizes.append(d.hint());
    return py::tuple(sizes);
  }
  return py::none();
}

py::dict operand(const ops::SampleOperand& sample) {
  using namespace py::literals;
  return py::dict("shape"_a = std::vector<int64_t>(sample.shape.begin(), sample.shape.end()),
                  "dtype"_a = py::reinterpret_steal<py::object>(dtype_object(sample.dtype).release()),
                  "low"_a = sample.low, "high"_a = sample.high, "scalar"_a = sample.scalar, "number"_a = sample.number,
                  "absent"_a = sample.absent);
}

py::list samples(const std::string& name) {
  const ops::Op* op = ops::find_op(name);
  if (!op) throw py::key_error("no op '" + name + "'");
  py::list rows;
  for (const ops::Sample& sample : op->samples()) {
    py::list operands;
    for (const ops::SampleOperand& o : sample.operands) operands.append(operand(o));
    py::dict attributes;
    for (const auto& [key, attr] : sample.attrs) attributes[key] = value(attr);
    rows.append(py::make_tuple(operands, attributes, sample.lists));
  }
  return rows;
}

}  // namespace

void bind_samples(py::module_& m) { m.def("samples", samples); }

}  // namespace ember::python
