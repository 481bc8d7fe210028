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

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

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
#include "ops/base/without_signals.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ember::ops {
namespace {

constexpr int kMaxThreads = 1024;
constexpr int64_t kPiecesPerThread = 4;
constexpr int64_t kGrainsPerLook = 64;  // of work between looks for an interrupt, at most
constexpr int64_t kFaster = 8;
constexpr std::chrono::milliseconds kLook{4};
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

template <class F>
void spin_while(F waits) {
  auto end = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 64; ++i) {
      if (!waits()) return;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
}

// Runs [begin, end), and looks for an interrupt between steps: at first of a grain, which may be much, then of as many
// as take little time.
void run_steps(RangeFn fn, void* context, int64_t begin, int64_t end, int64_t grain) {
  using Clock = std::chrono::steady_clock;
  const int64_t most = kGrainsPerLook * grain;
  for (int64_t step = grain; begin < end;) {
    give_way();
    if (end - begin <= step) return fn(context, begin, end);
    const Clock::time_point before = Clock::now();
    fn(context, begin, begin + step);
    begin += step;
    const Clock::duration spent = Clock::now() - before;
    if (spent * kFaster < kLook) {
      step = std::min(most, step * kFaster);
    } else if (spent > kLook) {
      step = std::max(grain, step / 2);
    }
  }
}

struct Job {
  RangeFn fn;
  void* context;
  int64_t count;
  int64_t pieces;
  int64_t grain;
  std::atomic<bool>* stopped;
  Isa isa;

  // `looks`: on the thread that began the job.
  void run(int64_t piece, bool looks) const {
    int64_t size = count / pieces;
    int64_t extra = count % pieces;
    const int64_t begin = piece * size + std::min(piece, extra);
    const int64_t end = begin + size + (piece < extra ? 1 : 0);
    const PinnedIsa pinned(isa);
    const JobThread mine(stopped, looks);
    try {
      run_steps(fn, context, begin, end, grain);
    } catch (const Interrupted&) {
      stopped->store(true, std::memory_order_relaxed);
    }
  }
  bool stops() const { return stopped->load(std::memory_order_relaxed); }
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
    await_pieces();
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
    const WithoutSignals inherited;
    try {
      while (workers_ < wanted) {
        std::thread([this, worker = workers_, seen = ticket_.load()] { work(worker, seen); }).detach();
        ++workers_;
      }
    } catch (const std::exception&) {
      // Fewer threads than asked for: those that there are claim all pieces.
    }
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
      if (pending_.fetch_sub(1) == 1 && asleep_) futex(FUTEX_WAKE_PRIVATE, 1, nullptr);
      claims = claims_.load(std::memory_order_acquire);
    }
  }

  // Looks for an interrupt meanwhile: then the workers stop soon.
  void await_pieces() {
    const JobThread mine(job_.stopped, true);
    constexpr timespec kNap{0, 10'000'000};
    spin_while([this] { return !abandoned_ && pending_.load(std::memory_order_acquire) != 0; });
    asleep_ = true;
    for (int left; !abandoned_ && (left = pending_) != 0;) {
      futex(FUTEX_WAIT_PRIVATE, left, &kNap);
      try {
        if (!job_.stops()) give_way();
      } catch (const Interrupted&) {
      }
    }
    asleep_ = false;
  }
  void futex(int what, int value, const timespec* limit) {
    syscall(SYS_futex, reinterpret_cast<int*>(&pending_), what, value, limit, nullptr, 0);
  }

  [[noreturn]] void work(int worker, uint32_t seen) {
    inside = true;
    while (true) {
      spin_while([&] { return ticket_.load(std::memory_order_acquire) == seen; });
      ticket_.wait(seen, std::memory_order_acquire);
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
  std::atomic<bool> asleep_{false};  // whoever waits for pending_
};
static_assert(sizeof(std::atomic<int>) == sizeof(int) && std::atomic<int>::is_always_lock_free);

Pool* pool = nullptr;

Pool& the_pool() {
  static const bool initialised = [] {
    pool = new Pool;
    pthread_atfork(nullptr, nullptr, [] { std::exchange(pool, new Pool)->abandon(); });
    return true;
  }();
  (void)initialised;
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
  if (pieces <= 1) return fn(context, 0, count);
  if (inside) return run_steps(fn, context, 0, count, grain);
  std::atomic<bool> stopped{false};
  Job job{fn, context, count, threads() == 1 ? 1 : pieces, grain, &stopped, isa()};
  const auto run = [](void* job) { run_job(*static_cast<Job*>(job)); };
  embedding().unlocked ? embedding().unlocked(run, &job) : run(&job);
  if (stopped) throw Interrupted();
}

}  // namespace ember::ops
