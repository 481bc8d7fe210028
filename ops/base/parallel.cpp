// The pool. A job is cut into a few pieces a thread, and whoever is free claims the next one: the caller too, so that
// it never waits for a worker that the system has not scheduled yet. The count of pieces left, of the workers wanted
// and the job's number are one word; the job is read only after a claim, and replaced only when every piece is done.
// Which thread runs a piece, and where the cuts lie, never shows in the results. Whoever waits spins for some 200 us,
// since waking a halted virtual CPU takes that long, and then sleeps in the kernel.
//
// One job at a time: a second caller, like a nested call, runs its work alone. No fork waits for a job, which may
// itself wait for Python's lock: the child forgets the parent's pool, with its workers and whatever they were at, and
// makes its own. A job that itself forked (a signal's handler did, where it looked for an interrupt) is stopped in the
// child.
#include "ops/base/parallel.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <utility>

#include "ops/base/cpu_limit.h"
#include "ops/base/interrupt.h"
#include "ops/base/pinned_isa.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ember::ops {
namespace {

constexpr int kMaxThreads = 1024;
constexpr int64_t kPiecesPerThread = 4;
constexpr int64_t kGrainsPerLook = 64;  // of work between looks for an interrupt
constexpr std::chrono::microseconds kSpin{200};

thread_local bool inside = false;  // in a job: nested calls run alone

struct Inside {
  Inside() { inside = true; }
  ~Inside() { inside = false; }
};

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
  int64_t step;  // of what is run between looks for an interrupt
  std::atomic<bool>* stopped;
  Isa isa;

  // `looks`: on the thread that began the job.
  void run(int64_t piece, bool looks) const {
    int64_t size = count / pieces;
    int64_t extra = count % pieces;
    int64_t begin = piece * size + std::min(piece, extra);
    const int64_t end = begin + size + (piece < extra ? 1 : 0);
    const PinnedIsa pinned(isa);
    for (; begin < end && !stopped->load(std::memory_order_relaxed); begin += step) {
      if (looks && wants_to_stop()) return stopped->store(true, std::memory_order_relaxed);
      fn(context, begin, std::min(begin + step, end));
    }
  }
};

class Pool {
 public:
  // False if somebody else has the pool.
  bool run(const Job& job) {
    if (busy_.exchange(true, std::memory_order_acquire)) return false;
    owner_ = pthread_self();
    const int helpers = static_cast<int>(std::min<int64_t>(threads(), job.pieces)) - 1;
    start(helpers);
    job_ = job;
    pending_.store(static_cast<int>(job.pieces), std::memory_order_relaxed);
    ++number_;
    claims_.store(make_claims(number_, helpers, job.pieces), std::memory_order_release);
    ticket_.store(number_, std::memory_order_release);
    ticket_.notify_all();
    {
      const Inside now;
      run_pieces(kCaller);
    }
    for (int left; !abandoned_ && (left = pending_.load(std::memory_order_acquire)) != 0;) wait_while(pending_, left);
    owner_ = {};
    busy_.store(false, std::memory_order_release);
    return true;
  }

  // In a forked child.
  void abandon() {
    if (!busy_ || !pthread_equal(owner_, pthread_self())) return;
    abandoned_ = true;
    job_.stopped->store(true, std::memory_order_relaxed);
  }

 private:
  void start(int wanted) {
    if (workers_ >= wanted) return;
    sigset_t most, before;  // all but faults, which blocked would end the process unseen by its handlers
    sigfillset(&most);
    for (int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP}) sigdelset(&most, fault);
    pthread_sigmask(SIG_SETMASK, &most, &before);
    try {
      while (workers_ < wanted) {
        std::thread([this, worker = workers_, seen = ticket_.load()] { work(worker, seen); }).detach();
        ++workers_;
      }
    } catch (const std::exception&) {
      // Fewer threads than asked for: those that there are claim all pieces.
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  // The job's number, how many workers it wants, and its pieces that nobody has yet.
  static uint64_t make_claims(uint32_t number, int helpers, int64_t pieces) {
    return uint64_t{number} << 32 | static_cast<uint64_t>(helpers) << kLeftBits | static_cast<uint64_t>(pieces);
  }
  static int helpers_of(uint64_t claims) {
    return static_cast<int>(claims >> kLeftBits & ((1 << (32 - kLeftBits)) - 1));
  }
  static int64_t left_of(uint64_t claims) { return static_cast<int64_t>(claims & ((1 << kLeftBits) - 1)); }

  void run_pieces(int worker) {
    uint64_t claims = claims_.load(std::memory_order_acquire);
    while (left_of(claims) != 0 && worker < helpers_of(claims)) {
      if (!claims_.compare_exchange_weak(claims, claims - 1, std::memory_order_acq_rel)) continue;
      job_.run(left_of(claims) - 1, worker == kCaller);
      if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) pending_.notify_one();
      claims = claims_.load(std::memory_order_acquire);
    }
  }

  [[noreturn]] void work(int worker, uint32_t seen) {
    inside = true;
    while (true) {
      wait_while(ticket_, seen);
      seen = ticket_.load(std::memory_order_acquire);
      run_pieces(worker);
    }
  }

  static constexpr int kCaller = -1;
  static constexpr int kLeftBits = 20;

  std::atomic<bool> busy_{false};
  bool abandoned_ = false;
  pthread_t owner_{};  // of the job
  int workers_ = 0;
  uint32_t number_ = 0;
  Job job_{};
  alignas(64) std::atomic<uint32_t> ticket_{0};
  alignas(64) std::atomic<uint64_t> claims_{0};
  alignas(64) std::atomic<int> pending_{0};
};

Pool* pool = nullptr;

Pool& the_pool() {
  static const bool made = [] {
    pool = new Pool;
    pthread_atfork(nullptr, nullptr, [] { std::exchange(pool, new Pool)->abandon(); });
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

void run_job(Job& job) {
  if (job.pieces > 1 && the_pool().run(job)) return;
  job.pieces = 1;
  const Inside now;
  job.run(0, true);
}

}  // namespace

int threads() { return thread_count().load(std::memory_order_relaxed); }

void set_threads(int count) {
  if (count < 1) throw std::invalid_argument("the number of threads must be 1 or more");
  thread_count().store(std::min(count, kMaxThreads), std::memory_order_relaxed);
}

void parallel_ranges(int64_t count, int64_t grain, RangeFn fn, void* context) {
  if (count <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  const int64_t pieces = std::min<int64_t>(kPiecesPerThread * threads(), count / grain);
  if (pieces <= 1 || inside) return fn(context, 0, count);
  std::atomic<bool> stopped{false};
  Job job{fn, context, count, threads() == 1 ? 1 : pieces, kGrainsPerLook * grain, &stopped, isa()};
  const auto run = [](void* job) { run_job(*static_cast<Job*>(job)); };
  embedding().unlocked ? embedding().unlocked(run, &job) : run(&job);
  if (stopped) throw Interrupted();
}

}  // namespace ember::ops
