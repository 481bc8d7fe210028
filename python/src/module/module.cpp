// The extension module. Hot types are added raw; what is called rarely is bound with pybind11.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>

#include "bytecode/code/deopt.h"
#include "bytecode/passes/passes.h"
#include "gc/fork.h"
#include "gc/storage.h"
#include "ops/base/crc32c.h"
#include "ops/base/interrupt.h"
#include "ops/base/isa.h"
#include "ops/base/parallel.h"
#include "ops/base/whole_file.h"
#include "ops/eager/print.h"
#include "ops/linalg/lapack.h"
#include "ops/matmul/bf16x3_gemm.h"
#include "ops/matmul/packed_cache.h"
#include "ops/program/strided.h"
#include "ops/tensor/bools.h"
#include "ops/text/safetensors.h"
#include "python/src/autograd/grad.h"
#include "python/src/calls/dispatch.h"
#include "python/src/calls/function.h"
#include "python/src/calls/precision.h"
#include "python/src/capture/bind_capture.h"
#include "python/src/capture/describe.h"
#include "python/src/capture/lookup.h"
#include "python/src/communication/transport.h"
#include "python/src/conversion/alignment.h"
#include "python/src/conversion/bridge.h"
#include "python/src/conversion/convert.h"
#include "python/src/conversion/document.h"
#include "python/src/conversion/pixels.h"
#include "python/src/frames/break_driver.h"
#include "python/src/frames/callee_frames.h"
#include "python/src/frames/frame.h"
#include "python/src/frames/frame_calls.h"
#include "python/src/frames/frame_eval.h"
#include "python/src/frames/hiding.h"
#include "python/src/frames/recipe.h"
#include "python/src/guards/stored_entry.h"
#include "python/src/jit/explain.h"
#include "python/src/jit/jit.h"
#include "python/src/module/finalizer.h"
#include "python/src/module/random_stream.h"
#include "python/src/module/samples.h"
#include "python/src/module/signals.h"
#include "python/src/module/timeline.h"
#include "tiers/environment.h"
#include "tiers/tiers.h"
#include "tiers/vmtool/commands.h"
#include "vm/exec/depth.h"
#include "vm/state/hooks.h"

namespace py = pybind11;

namespace ember::python {
namespace {

// The entries of a checkpoint whose head this is: (name, dtype, shape, begin, end of its bytes).
py::list read_safetensors(std::string_view head, size_t size) {
  py::list out;
  for (const ops::StoredTensor& entry : ops::read_safetensors(std::as_bytes(std::span(head)), size)) {
    const std::vector<int64_t> shape(entry.shape.begin(), entry.shape.end());
    out.append(py::make_tuple(entry.name, steal(dtype_object(entry.dtype)), py::tuple(py::cast(shape)), entry.begin,
                              entry.end));
  }
  return out;
}

std::span<const std::byte> contiguous_bytes(const py::buffer_info& info) {
  if (info.itemsize != 1 || info.ndim != 1 || (info.size > 1 && info.strides[0] != 1))
    throw py::value_error("the buffer must be of contiguous bytes");
  return std::as_bytes(std::span(static_cast<const char*>(info.ptr), static_cast<size_t>(info.size)));
}

// The CRC-32C of each run of so many bytes; for 0 that of no bytes.
std::vector<uint32_t> crc32c(const py::buffer& data, size_t run_bytes) {
  const py::buffer_info info = data.request();
  const std::span<const std::byte> bytes = contiguous_bytes(info);
  const size_t count = run_bytes == 0 ? 1 : bytes.size() / run_bytes;
  std::vector<uint32_t> out(count);
  bridged([&] {
    const WithoutGil released;
    for (size_t i = 0; i < count; ++i) out[i] = ops::crc32c(bytes.subspan(i * run_bytes, run_bytes));
  });
  return out;
}

// A Tensor of the elements that a buffer holds in row-major order: a copy, or, if `shared`, over its memory where that
// may be written and is aligned.
py::object tensor_from_bytes(py::handle dtype, const std::vector<int64_t>& shape, const py::buffer& data, bool shared) {
  ops::Shape sizes;
  for (const int64_t size : shape) sizes.push_back(size);
  const py::buffer_info info = data.request();
  const std::span<const std::byte> bytes = contiguous_bytes(info);
  return bridged([&] {
    const ops::LayoutRef layout = ops::layout(dtype_of(dtype.ptr()).value(), sizes);
    if (bytes.size() != layout->bytes())
      raise(PyExc_ValueError, "the bytes are not those of a Tensor of this dtype and shape");
    if (shared && !info.readonly && !bytes.empty() && is_aligned(info.ptr, layout->dtype)) {
      const ops::Tensor over = share_buffer(data.ptr()).view(layout);
      return steal(wrap(has_only_bools(over) ? over : copy_of(over)));
    }
    const ops::Tensor tensor = ops::Tensor::empty(layout->dtype, sizes);
    std::copy(bytes.begin(), bytes.end(), tensor.data_as<std::byte>());
    if (tensor.dtype() == ops::DType::Bool) ops::make_bools(tensor);
    return steal(wrap(tensor));
  });
}

// The bytes of the elements in row-major order, over the same memory where they lie so.
py::object bytes_of(const TensorArgument& tensor) {
  return bridged([&] {
    const ops::Tensor dense = ops::to_contiguous(real(tensor.ptr(), "bytes_of"));
    const auto size = static_cast<int64_t>(dense.layout().bytes());
    return steal(wrap(dense.view(ops::layout(ops::DType::UInt8, {size}))));
  });
}

// Writes the bytes of `parts`, whole or not at all.
void write_file(const py::bytes& path, const std::vector<py::bytes>& parts) {
  const std::string name = path;
  if (name.find('\0') != std::string::npos) throw py::value_error("embedded null byte in a file's name");
  std::vector<std::span<const std::byte>> spans;
  for (const py::bytes& part : parts) spans.push_back(std::as_bytes(std::span(std::string_view(part))));
  int error = 0;
  bridged([&] {
    try {
      const WithoutGil released;
      ops::write_whole(name, spans);
    } catch (const std::system_error& failed) {
      error = failed.code().value();
    }
  });
  if (error == 0) return;
  errno = error;
  const Object decoded = check(PyUnicode_DecodeFSDefaultAndSize(name.data(), static_cast<Py_ssize_t>(name.size())));
  PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, decoded.get());
  throw py::error_already_set();
}

// Whether files have the sizes and times of change that they had; rows: [path from a folder, bytes, nanoseconds].
bool are_unchanged(const std::string& folder, const std::vector<std::tuple<std::string, int64_t, int64_t>>& rows) {
  const int opened = open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return false;
  const bool same = std::ranges::all_of(rows, [&](const auto& row) {
    const auto& [path, bytes, time] = row;
    struct stat now = {};
    return fstatat(opened, path.c_str(), &now, 0) == 0 && now.st_size == bytes &&
           now.st_mtim.tv_sec * 1'000'000'000 + now.st_mtim.tv_nsec == time;
  });
  close(opened);
  return same;
}

// What a signal handler raised stays set until set_python_error meets the Interrupted that follows. A thread that holds
// a lock asks nobody.
bool wants_to_stop() {
  if (getpid() != gettid() || gc::holds_lock()) return false;
  return with_gil([] { return PyErr_CheckSignals() != 0; });
}

void unlocked(void (*run)(void*), void* context) {
  if (WithoutGil::released() || gc::holds_lock()) return run(context);
  WithoutGil section;
  run(context);
}

void print_to_stdout(const std::string& text) {
  with_gil([&] { PySys_FormatStdout("%s", text.c_str()); });
}

void bind_settings(py::module_& m) {
  m.def("set_threads", [](int n) { bridged([&] { ops::set_threads(n); }); });
  m.def("threads", &ops::threads);
  m.def("isa", [] { return std::string(ops::isa_name()); });
  m.def("set_isa", [](const std::string& text) {
    ops::Isa isa;
    bool amx;
    return ops::parse_isa(text, &isa, &amx) && (!amx || ops::has_amx()) && tiers::set_isa(isa) && tiers::set_amx(amx);
  });
  m.def("environment_problem", &tiers::environment_problem);
  py::list variables;
  for (const tiers::Variable& variable : tiers::environment_variables()) variables.append(variable.name);
  m.attr("environment_variables") = py::tuple(variables);
  m.attr("matmul_precisions") = py::tuple(py::cast(ops::kMatmulPrecisions));
  m.def("lock_order_problems", &gc::lock_order_problems);
  m.def("set_matmul_precision", [](const std::string& text) {
    ops::MatmulPrecision wanted;
    const bool known = ops::parse_matmul_precision(text, &wanted);
    if (known) ops::set_matmul_precision(wanted);
    return known;
  });
  m.def("memory_stats", [] {
    gc::Stats s = gc::stats();
    py::dict d;
    d["live"] = s.live;
    d["peak"] = s.peak;
    d["cached"] = s.cached;
    d["limit"] = s.limit;
    d["packed"] = ops::packed_totals().bytes;
    return d;
  });
  m.def("reset_peak", &gc::reset_peak);
  m.def("set_memory_limit", &gc::set_limit);
  m.def("vmtool", &vmtool::run_command);
  m.def("trim_memory", &gc::trim);
  m.def("set_load_elimination", &bytecode::set_load_elimination);
  m.def("set_call_limit", &vm::set_call_limit);
  m.def("stack_is_short", &vm::stack_is_short);
  m.def("has_lapack", &ops::has_lapack);
  m.def("set_lapack", [](const std::string& path) { ops::set_lapack(path); });
  m.def("_dtype", [](const std::string& name) -> py::object {  // None: there is none of this name
    ops::DType dtype;
    if (!ops::parse_dtype(name, &dtype)) return py::none();
    return steal(dtype_object(dtype));
  });
  m.def("dtype_of", [](py::object o) -> py::object {
    auto dtype = dtype_of(o.ptr());
    return dtype ? steal(dtype_object(*dtype)) : py::none();
  });
  m.def("refuse_lost_part", [](TensorArgument value, TensorArgument target, const std::string& function) {
    bridged([&] { ops::refuse_lost_part(type_of(value.ptr()), type_of(target.ptr()).dtype, function); });
  });
  m.def("from_numpy", [](py::object array) { return bridged([&] { return steal(wrap(share_buffer(array.ptr()))); }); });
  m.def(
      "from_dlpack",
      [](py::object source, std::optional<bool> copy) {
        return bridged([&] { return steal(wrap(from_dlpack(source.ptr(), copy))); });
      },
      py::arg("source"), py::arg("copy") = py::none());
  m.def("write_file", &write_file);
  m.def("are_unchanged", &are_unchanged);
  m.def("tensor_from_bytes", &tensor_from_bytes, py::arg("dtype"), py::arg("shape"), py::arg("data"),
        py::arg("shared") = false);
  m.def("bytes_of", &bytes_of);
  m.def("read_safetensors",
        [](const py::bytes& head, size_t size) { return bridged([&] { return read_safetensors(head, size); }); });
  m.def("crc32c", &crc32c);
  m.def("set_attribute", [](const py::type& type, const std::string& name, const py::object& value) {
    auto* changed = reinterpret_cast<PyTypeObject*>(type.ptr());
    PyDict_SetItemString(changed->tp_dict, name.c_str(), value.ptr());
    PyType_Modified(changed);  // and what inherits from it
  });
  m.def("deopt_counts", [] {
    py::dict d;
    for (size_t i = 0; i < bytecode::kDeoptReasons; ++i)
      d[py::str(std::string(bytecode::info(static_cast<bytecode::DeoptReason>(i)).name))] =
          bytecode::deopt_counts()[i].load();
    return d;
  });
}

}  // namespace
}  // namespace ember::python

PYBIND11_MODULE(_emberjit_core, m) {
  using namespace ember::python;
  m.attr("__name__") = "emberjit._emberjit";
  m.doc() = "emberjit's core: tensors, the op table, captures and jitted functions.";
  bridged([&] {
    add_dtypes(m.ptr());
    add_tensor_types(m.ptr());
    index_error =
        check(PyErr_NewExceptionWithDoc("emberjit.IndexRangeError",
                                        "A position that does not exist: an IndexError as NumPy has it, and a\n"
                                        "RuntimeError as MindSpore has it.\n\n"
                                        "Examples:\n"
                                        "    >>> try:\n"
                                        "    ...     Tensor([1, 2])[5]\n"
                                        "    ... except IndexError as error:\n"
                                        "    ...     print(type(error).__name__)\n"
                                        "    IndexRangeError",
                                        check(PyTuple_Pack(2, PyExc_IndexError, PyExc_RuntimeError)).get(), nullptr))
            .release();
    check(PyModule_AddObjectRef(m.ptr(), "IndexRangeError", index_error));
    capture_error =
        check(PyErr_NewExceptionWithDoc(
                  "emberjit.CaptureError",
                  "What cannot be captured into a graph: a limit of emberjit's, no error of the program's.\n\n"
                  "Raised where a graph is asked for and Python cannot do instead: by jit(fullgraph=True), by\n"
                  "JitConfig(jit_syntax_level=\"STRICT\"), by transforms, and by save. Otherwise what does not\n"
                  "enter a graph runs in Python, and explain()[\"breaks\"] has the reason. The program's own\n"
                  "errors are raised as they are.\n\n"
                  "Examples:\n"
                  "    >>> @ms.jit(fullgraph=True)\n"
                  "    ... def parity(x):\n"
                  "    ...     return x + 1 if int(x.sum()) % 2 else open('even')\n"
                  "    >>> try:\n"
                  "    ...     _ = parity(Tensor([1, 2]))\n"
                  "    ... except ms.CaptureError as error:\n"
                  "    ...     print('no graph holds it')\n"
                  "    no graph holds it",
                  nullptr, nullptr))
            .release();
    check(PyModule_AddObjectRef(m.ptr(), "CaptureError", capture_error));
    add_numbers(m.ptr());
    check(PyModule_AddObjectRef(m.ptr(), "dtype", reinterpret_cast<PyObject*>(&DTypeType)));
    add_ops(m.ptr());
    add_functions(m.ptr());
    add_jit(m.ptr());
    add_frame_evaluation(m.ptr());
    add_lookup(m.ptr());
    add_finalizers(m.ptr());
    add_recipes(m.ptr());
    add_hiding(m.ptr());
    add_break_driver(m.ptr());
    add_callee_frames(m.ptr());
    add_signals(m.ptr());
    add_frames(m.ptr());
    add_frame_calls(m.ptr());
  });
  bind_capture(m);
  bind_settings(m);
  bind_explain(m);
  bind_describe(m);
  bind_grad(m);
  bind_pixels(m);
  bind_precision(m);
  bind_random(m);
  bind_samples(m);
  bind_stored_entries(m);
  bind_documents(m);
  bind_timeline(m);
  bind_communication(m);
  ember::ops::embedding() = {.wants_to_stop = wants_to_stop, .unlocked = unlocked};
  ember::ops::set_print_sink(print_to_stdout);
  ember::gc::stats();
  ember::tiers::start();
  WithoutGil::watch_forks();
}

// What Python imports. Types and the tape belong to one interpreter.
extern "C" PYBIND11_EXPORT PyObject* PyInit__emberjit() {
  if (PyInterpreterState_Get() == PyInterpreterState_Main()) return PyInit__emberjit_core();
  PyErr_SetString(PyExc_ImportError, "emberjit works in a process's main interpreter only: use processes or threads.");
  return nullptr;
}
