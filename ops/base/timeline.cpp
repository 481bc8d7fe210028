#include "ops/base/timeline.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <mutex>

#include "gc/fork.h"

namespace ember::ops {
namespace {

constexpr size_t kMostSpans = size_t{1} << 20;

std::vector<Span> spans;
uint64_t lost = 0;

gc::ForkMutex<std::mutex>& mutex() {
  static auto& one = *new gc::ForkMutex<std::mutex>(gc::ForkRank::Timeline);
  return one;
}

}  // namespace

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void record_spans(bool on) {
  const std::lock_guard lock(mutex());
  if (on) {
    spans.clear();
    lost = 0;
  }
  recording_spans.store(on, std::memory_order_relaxed);
}

void add_span(Span span) {
  if (!recording_spans.load(std::memory_order_relaxed)) return;
  span.thread = static_cast<uint64_t>(syscall(SYS_gettid));
  const std::lock_guard lock(mutex());
  if (spans.size() < kMostSpans)
    spans.push_back(std::move(span));
  else
    ++lost;
}

std::vector<Span> take_spans() {
  const std::lock_guard lock(mutex());
  return std::exchange(spans, {});
}

uint64_t spans_lost() {
  const std::lock_guard lock(mutex());
  return lost;
}

void TimedSpan::finish() noexcept {
  span_->end = now_ns();
  try {
    add_span(std::move(*span_));
  } catch (const std::bad_alloc&) {
    const std::lock_guard lock(mutex());
    ++lost;
  }
}

}  // namespace ember::ops
