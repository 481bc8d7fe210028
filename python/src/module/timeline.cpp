// The timeline of ops/base/timeline.h in Python. While spans are recorded, what EMBERJIT_TRACE prints (captures,
// promotions, bailouts) are events of it.
#include "python/src/module/timeline.h"

#include "ops/base/timeline.h"
#include "vm/state/hooks.h"

namespace py = pybind11;

namespace ember::python {
namespace {

using Trace = decltype(vm::Hooks::trace);
Trace traced_before = nullptr;

void note_event(std::string_view line) {
  const int64_t now = ops::now_ns();
  ops::add_span({std::string(line), "tiers", now, now, 0});
  if (traced_before) traced_before(line);
}

// The hook stays, since other threads may be about to call it.
void record_spans(bool on) {
  Trace& trace = vm::hooks().trace;
  if (on && trace != &note_event) {
    traced_before = trace;
    trace = &note_event;
  }
  ops::record_spans(on);
}

py::list take_spans() {
  py::list spans;
  for (const ops::Span& span : ops::take_spans())
    spans.append(py::make_tuple(span.name, span.category, span.begin, span.end, span.thread));
  return spans;
}

// A span that Python has timed, with time.perf_counter_ns().
void add_span(std::string name, int64_t begin, int64_t end) {
  ops::add_span({std::move(name), "python", begin, end, 0});
}

}  // namespace

void bind_timeline(py::module_& m) {
  m.def("record_spans", &record_spans);
  m.def("take_spans", &take_spans);
  m.def("add_span", &add_span);
  m.def("spans_lost", &ops::spans_lost);
}

}  // namespace ember::python
