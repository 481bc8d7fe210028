#include "ops/base/interrupt.h"

#include <chrono>
#include <utility>

namespace ember::ops {
namespace {

constexpr std::chrono::milliseconds kSlice{10};

struct Thread {
  int uninterrupted = 0;
  std::chrono::steady_clock::time_point asked{};
  std::atomic<bool>* stopped = nullptr;  // of the job
  bool asks = true;
};
thread_local Thread thread;

}  // namespace

Embedding& embedding() {
  static Embedding instance;
  return instance;
}

bool wants_to_stop() {
  if (!embedding().wants_to_stop || thread.uninterrupted != 0) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now - thread.asked < kSlice) return false;
  thread.asked = now;
  const JobThread handler(nullptr, true);  // is no part of the job
  return embedding().wants_to_stop();
}

void give_way() {
  const bool known = thread.stopped && thread.stopped->load(std::memory_order_relaxed);
  if (!known && !(thread.asks && wants_to_stop())) return;
  if (thread.stopped) thread.stopped->store(true, std::memory_order_relaxed);
  throw Interrupted();
}

JobThread::JobThread(std::atomic<bool>* stopped, bool asks)
    : stopped_before_(std::exchange(thread.stopped, stopped)), asked_before_(std::exchange(thread.asks, asks)) {}
JobThread::~JobThread() {
  thread.stopped = stopped_before_;
  thread.asks = asked_before_;
}

bool in_job() { return thread.stopped != nullptr; }

Uninterrupted::Uninterrupted(bool really) : really_(really) { thread.uninterrupted += really_; }
Uninterrupted::~Uninterrupted() { thread.uninterrupted -= really_; }

}  // namespace ember::ops
