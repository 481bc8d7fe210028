// What ran when, for a profiler. While somebody records, spans of all threads are kept, up to a number; while nobody
// does, a TimedSpan costs one load and a branch. Times are of the steady clock.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ember::ops {

struct Span {
  std::string name;
  const char* category;
  int64_t begin, end;                  // nanoseconds; equal: an event
  uint64_t thread;                     // as the system numbers it
  std::optional<uint64_t> place = {};  // which instruction: its function's number, and 32 bits of its pc
};

inline std::atomic<bool> recording_spans{false};

void record_spans(bool on);      // from nothing on, or no longer
void add_span(Span span);        // of this thread, unless spans are not recorded
std::vector<Span> take_spans();  // in the order of their ends; they are forgotten
uint64_t spans_lost();           // since recording began: they were too many
int64_t now_ns();

class TimedSpan {
 public:
  // `name` makes the name, if it is wanted.
  template <class Name>
  TimedSpan(const char* category, const Name& name, std::optional<uint64_t> place = {}) {
    if (recording_spans.load(std::memory_order_relaxed)) [[unlikely]]
      span_.emplace(Span{name(), category, now_ns(), 0, 0, place});
  }
  ~TimedSpan() {
    if (span_) [[unlikely]]
      finish();
  }
  TimedSpan(const TimedSpan&) = delete;
  TimedSpan& operator=(const TimedSpan&) = delete;

 private:
  void finish() noexcept;

  std::optional<Span> span_;
};

}  // namespace ember::ops
