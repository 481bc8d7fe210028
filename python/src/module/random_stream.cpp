// Streams of random numbers as Python's Generators hold them, and a scope in which a thread draws from one.
#include "python/src/module/random_stream.h"

#include <memory>
#include <optional>

#include "ops/eager/random_stream.h"

namespace py = pybind11;

namespace ember::python {
namespace {

struct PyStream {
  std::unique_ptr<ops::RandomStream> own;  // none: the process's
  ops::RandomStream& stream() const { return own ? *own : ops::process_stream(); }
};

class PyStreamScope {
 public:
  explicit PyStreamScope(PyStream& drawn) : drawn_(drawn) {}
  void enter() { scope_.emplace(drawn_.stream()); }
  void leave() { scope_.reset(); }

 private:
  PyStream& drawn_;
  std::optional<ops::StreamScope> scope_;
};

}  // namespace

void bind_random(py::module_& m) {
  py::class_<PyStream>(m, "RandomStream")
      .def(py::init([](bool own) { return PyStream{own ? std::make_unique<ops::RandomStream>(0) : nullptr}; }))
      .def("seed", [](PyStream& s, uint32_t seed) { s.stream().seed(seed); })
      .def("restore", [](PyStream& s, uint64_t state) { s.stream().restore(state); })
      .def_property_readonly("state", [](const PyStream& s) { return s.stream().state(); });
  py::class_<PyStreamScope>(m, "StreamScope")
      .def(py::init<PyStream&>(), py::keep_alive<1, 2>())
      .def("__enter__", &PyStreamScope::enter)
      .def("__exit__", [](PyStreamScope& s, py::args) { s.leave(); });
}

}  // namespace ember::python
