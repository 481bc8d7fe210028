// How long work gives way: what embeds the library says how to run it without a lock that the caller may hold, and
// whether somebody, such as a signal's handler, wants it to stop. Work asks every few milliseconds, on the thread that
// began it, and stops by an exception; what writes in place holds an Uninterrupted, so that it is done whole. Neither
// is done by a thread that holds one of the locks of gc/fork.h: what embeds the library may wait for its own lock.
#pragma once

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
