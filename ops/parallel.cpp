// The pool. A job is published by raising a ticket that carries the job's number of pieces; worker w runs piece w if
// there is one, and only then reads the job, so the next job never races with a worker that this one did not need. The
// caller runs piece 0 and waits. Whoever waits spins for some 20 us and then sleeps in the kernel.
//
// One job at a time: a second caller, like a nested call, runs its work alone. Fork holds the pool still; the child
// forgets the parent's workers and makes its own.
#include "ops/parallel.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "ops/cpu_limit.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ember::ops {
namespace {

constexpr int kMaxThreads = 1024;
constexpr std::chrono::microseconds kSpin{20};

thread_local bool inside = false;  // in a job: nested calls run alone

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

template <class T>
void wait_while(const std::atomic<T>& value, T seen) {
  auto end = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 64; ++i) {
      if (value.load(std::memory_order_acquire) != seen) return;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  value.wait(seen, std::memory_order_acquire);
}

struct Job {
  RangeFn fn;
  void* context;
  int64_t count;
  int64_t pieces;

  void run(int64_t piece) const {
    int64_t size = count / pieces;
    int64_t extra = count % pieces;
    int64_t begin = piece * size + std::min(piece, extra);
    fn(context, begin, begin + size + (piece < extra ? 1 : 0));
  }
};

class Pool {
 public:
  // False if somebody else has the pool.
  bool run(const Job& job) {
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return false;
    start(static_cast<int>(job.pieces) - 1);
    Job mine = job;
    mine.pieces = std::min<int64_t>(job.pieces, workers_ + 1);
    job_ = mine;
    pending_.store(static_cast<int>(mine.pieces) - 1, std::memory_order_relaxed);
    uint64_t number = (ticket_.load(std::memory_order_relaxed) >> kPieceBits) + 1;
    ticket_.store(number << kPieceBits | static_cast<uint64_t>(mine.pieces), std::memory_order_release);
    ticket_.notify_all();
    inside = true;
    mine.run(0);
    inside = false;
    for (int left; (left = pending_.load(std::memory_order_acquire)) != 0;) wait_while(pending_, left);
    return true;
  }

  std::mutex& mutex() { return mutex_; }

 private:
  static constexpr int kPieceBits = 16;

  void start(int wanted) {
    if (workers_ >= wanted) return;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      while (workers_ < wanted) {
        uint64_t seen = ticket_.load();
        std::thread([this, worker = workers_ + 1, seen] { work(worker, seen); }).detach();
        ++workers_;
      }
    } catch (const std::system_error&) {
      // Fewer threads than asked for: the pieces are cut for those that there are.
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  [[noreturn]] void work(int worker, uint64_t seen) {
    inside = true;
    while (true) {
      wait_while(ticket_, seen);
      seen = ticket_.load(std::memory_order_acquire);
      if (worker >= static_cast<int>(seen & ((1 << kPieceBits) - 1))) continue;
      job_.run(worker);
      if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) pending_.notify_one();
    }
  }

  std::mutex mutex_;
  int workers_ = 0;
  Job job_{};
  alignas(64) std::atomic<uint64_t> ticket_{0};
  alignas(64) std::atomic<int> pending_{0};
};

Pool* pool = nullptr;

void prepare_fork() {
  if (!inside) pool->mutex().lock();
}
void after_fork_in_parent() {
  if (!inside) pool->mutex().unlock();
}
void after_fork_in_child() {
  pool = new Pool;  // the old one belongs to threads that are not here
}

Pool& the_pool() {
  static const bool made = [] {
    pool = new Pool;
    pthread_atfork(prepare_fork, after_fork_in_parent, after_fork_in_child);
    return true;
  }();
  (void)made;
  return *pool;
}

int initial_threads() {
  if (const char* text = std::getenv("OMP_NUM_THREADS")) {
    long asked = std::strtol(text, nullptr, 10);
    if (asked > 0) return static_cast<int>(std::min<long>(asked, kMaxThreads));
  }
  int limit = cgroup_cpus();
  int available = affinity_cpus();
  return std::min(limit != 0 ? std::min(limit, available) : available, kMaxThreads);
}

std::atomic<int>& thread_count() {
  static std::atomic<int> count{initial_threads()};
  return count;
}

}  // namespace

int threads() { return thread_count().load(std::memory_order_relaxed); }

void set_threads(int count) {
  if (count < 1) throw std::invalid_argument("the number of threads must be 1 or more");
  thread_count().store(std::min(count, kMaxThreads), std::memory_order_relaxed);
}

void parallel_ranges(int64_t count, int64_t grain, RangeFn fn, void* context) {
  if (count <= 0) return;
  int64_t pieces = std::min<int64_t>(threads(), count / std::max<int64_t>(grain, 1));
  if (pieces <= 1 || inside || !the_pool().run({fn, context, count, pieces})) fn(context, 0, count);
}

}  // namespace ember::ops
