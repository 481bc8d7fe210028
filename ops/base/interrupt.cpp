#include "ops/base/interrupt.h"

#include <chrono>

namespace ember::ops {
namespace {

constexpr std::chrono::milliseconds kSlice{10};

struct Thread {
  int uninterrupted = 0;
  std::chrono::steady_clock::time_point asked{};
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
  return embedding().wants_to_stop();
}

Uninterrupted::Uninterrupted(bool really) : really_(really) { thread.uninterrupted += really_; }
Uninterrupted::~Uninterrupted() { thread.uninterrupted -= really_; }

}  // namespace ember::ops
