// How long work gives way: what embeds the library says how to run it without a lock that the caller may hold, and
// whether somebody, such as a signal's handler, wants it to stop. Work asks every few milliseconds, on the thread that
// began it, and stops by an exception; what writes in place holds an Uninterrupted, so that it is done whole. Neither
// is done by a thread that holds one of the locks of gc/fork.h: what embeds the library may wait for its own lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

namespace ember::ops {

// Work was stopped by what `wants_to_stop` said.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

struct Embedding {
  bool (*wants_to_stop)() = nullptr;
  void (*unlocked)(void (*run)(void*), void* context) = nullptr;  // runs it without the lock
};
Embedding& embedding();

// Whether the work of this thread is to stop: asks, unless it has asked just now.
bool wants_to_stop();

// Throws Interrupted if the work of this thread is to stop: where it is one of several threads of a job, all of them.
void give_way();

// Calls f(begin, end) over [0, count) in parts, between which it gives way.
template <class F>
void in_steps(int64_t count, int64_t step, F&& f) {
  for (int64_t begin = 0; begin < count; begin += step) {
    if (begin > 0) give_way();
    f(begin, count - begin < step ? count : begin + step);
  }
}

// Of a loop whose trips do unequal work: gives way about each millisecond of it.
class Pace {
 public:
  void worked(int64_t operations) {
    constexpr int64_t kBetween = 1 << 20;
    if ((since_ += operations) < kBetween) return;
    since_ = 0;
    give_way();
  }

 private:
  int64_t since_ = 0;
};

// While one lives, this thread is one of those of a job, which stop together; the one that began it asks.
class JobThread {
 public:
  JobThread(std::atomic<bool>* stopped, bool asks);
  ~JobThread();
  JobThread(const JobThread&) = delete;
  JobThread& operator=(const JobThread&) = delete;

 private:
  std::atomic<bool>* const stopped_before_;
  const bool asked_before_;
};

bool in_job();  // whether this thread is

class Uninterrupted {
 public:
  explicit Uninterrupted(bool really = true);
  ~Uninterrupted();
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;

 private:
  const bool really_;
};

}  // namespace ember::ops
