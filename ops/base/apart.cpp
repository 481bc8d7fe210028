// A call that was left to itself is adrift: its thread is joined when it has ended and the next one begins. A forked
// child has none of them, nor the one that its parent waited for. At the end of the process a signal holds each where
// it is, since destructors of the library that it is in take what it uses.
#include "ops/base/apart.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "gc/fork.h"
#include "ops/base/interrupt.h"
#include "ops/base/without_signals.h"

namespace ember::ops {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{10};
constexpr int kHold = 100;  // looks for a thread to be still

bool has_ended(const std::future<int>& call, milliseconds most = milliseconds(0)) {
  return call.wait_for(most) == std::future_status::ready;
}

struct Adrift {
  std::future<int> call;
  std::thread thread;
  pid_t process;
};

std::vector<Adrift>& all_adrift() {
  static auto& all = *new std::vector<Adrift>;
  return all;
}
gc::ForkMutex<std::mutex>& adrift_mutex() {
  static auto& one = *new gc::ForkMutex<std::mutex>{gc::ForkRank::Libraries};
  return one;
}

std::atomic<int> held{0};
constexpr int kHoldSignal = SIGTRAP;  // which WithoutSignals lets through

void hold_all() {
  struct sigaction still = {};
  still.sa_handler = [](int) {
    held.fetch_add(1);
    while (true) pause();
  };
  sigaction(kHoldSignal, &still, nullptr);
  int signalled = 0;
  for (Adrift& one : all_adrift()) {
    if (one.process != getpid() || has_ended(one.call)) continue;
    if (pthread_kill(one.thread.native_handle(), kHoldSignal) == 0) ++signalled;
  }
  for (int look = 0; held < signalled && look < kHold; ++look) std::this_thread::sleep_for(kLook);
}

void keep_adrift(Adrift one) {
  static const bool registered = std::atexit(hold_all) == 0;
  (void)registered;
  const std::lock_guard lock(adrift_mutex());
  all_adrift().push_back(std::move(one));
}

void join_ended() {
  const std::lock_guard lock(adrift_mutex());
  std::erase_if(all_adrift(), [](Adrift& one) {
    if (one.process != getpid() || !has_ended(one.call)) return false;
    one.thread.join();
    return true;
  });
}

std::thread start(std::packaged_task<int()> work) {
  const WithoutSignals inherited;
  return std::thread(std::move(work));
}

// False if it is to stop before the call ends, which in a child that a signal's handler forks it never does.
bool waits_for(const std::future<int>& call, pid_t process) {
  try {
    while (!has_ended(call, kLook)) {
      give_way();
      if (getpid() != process) return false;
    }
    return true;
  } catch (const Interrupted&) {
    return false;
  }
}

}  // namespace

int run_apart(std::function<int()> work) {
  give_way();
  join_ended();
  const pid_t process = getpid();
  std::packaged_task<int()> task(work);
  std::future<int> call = task.get_future();
  std::thread thread;
  try {
    thread = start(std::move(task));
  } catch (const std::system_error&) {  // no thread to be had
    return work();
  }
  struct Waited {
    const std::future<int>& call;
    pid_t process;
    bool whole = false;
  } waited{call, process};
  const auto wait = [](void* context) {
    Waited& waited = *static_cast<Waited*>(context);
    waited.whole = waits_for(waited.call, waited.process);
  };
  embedding().unlocked && !in_job() ? embedding().unlocked(wait, &waited) : wait(&waited);
  if (waited.whole) {
    thread.join();
    return call.get();
  }
  keep_adrift({std::move(call), std::move(thread), process});
  throw Interrupted();
}

}  // namespace ember::ops
