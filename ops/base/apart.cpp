// A call that was left to itself is adrift: its thread is joined when it has ended and the next one begins. A forked
// child has none of them. At the end of the process a signal holds each where it is, since destructors of the library
// that it is in take what it uses.
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
int hold_signal() { return SIGRTMAX; }

void hold_all() {
  struct sigaction still = {};
  still.sa_handler = [](int) {
    held.fetch_add(1);
    while (true) pause();
  };
  sigaction(hold_signal(), &still, nullptr);
  int wanted = 0;
  for (Adrift& one : all_adrift()) {
    if (one.process != getpid() || has_ended(one.call)) continue;
    if (pthread_kill(one.thread.native_handle(), hold_signal()) == 0) ++wanted;
  }
  for (int look = 0; held < wanted && look < kHold; ++look) std::this_thread::sleep_for(kLook);
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
  return std::thread([work = std::move(work)]() mutable {
    sigset_t hold;
    sigemptyset(&hold);
    sigaddset(&hold, hold_signal());
    pthread_sigmask(SIG_UNBLOCK, &hold, nullptr);
    work();
  });
}

// False if it is to stop before the call ends.
bool waits_for(const std::future<int>& call) {
  try {
    while (!has_ended(call, kLook)) give_way();
    return true;
  } catch (const Interrupted&) {
    return false;
  }
}

}  // namespace

int run_apart(std::function<int()> work) {
  give_way();
  join_ended();
  std::packaged_task<int()> task(work);
  std::future<int> call = task.get_future();
  std::thread thread;
  try {
    thread = start(std::move(task));
  } catch (const std::system_error&) {  // no thread to be had
    return work();
  }
  std::pair<const std::future<int>*, bool> waited(&call, false);
  const auto wait = [](void* context) {
    auto& [one, whole] = *static_cast<std::pair<const std::future<int>*, bool>*>(context);
    whole = waits_for(*one);
  };
  embedding().unlocked && !in_job() ? embedding().unlocked(wait, &waited) : wait(&waited);
  if (waited.second) {
    thread.join();
    return call.get();
  }
  keep_adrift({std::move(call), std::move(thread), getpid()});
  throw Interrupted();
}

}  // namespace ember::ops
