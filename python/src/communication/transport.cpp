#include "python/src/communication/transport.h"

#include <pybind11/stl.h>
#include <unistd.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>

#include "gc/fork.h"
#include "ops/base/error.h"
#include "ops/base/interrupt.h"
#include "ops/collective/combine.h"
#include "ops/collective/transport.h"
#include "python/src/conversion/bridge.h"
#include "python/src/conversion/convert.h"
#include "python/src/conversion/object.h"

namespace py = pybind11;

namespace ember::python {
namespace {

using std::chrono_literals::operator""ms;
constexpr auto kLook = 20ms;  // how often who waits looks whether it is to stop

// A request in the queue. It belongs to the op that waits, or with its bucket to the queue.
struct Queued {
  const ops::Request& request;
  std::shared_ptr<ops::Bucket> bucket = nullptr;
  std::string error = {};
  bool done = false;
};

class Queue final : public ops::Transport {
 public:
  void carry(const ops::Request& request) override {
    check_process(request);
    Queued queued{request};
    {
      const std::lock_guard lock(mutex_);
      push(&queued);
    }
    await(&queued);
  }
  void begin(std::shared_ptr<ops::Bucket> bucket) override {
    check_process(bucket->request);
    const std::lock_guard lock(mutex_);
    auto queued = std::make_unique<Queued>(Queued{bucket->request, bucket});
    push(queued.get());
    begun_.emplace(bucket.get(), std::move(queued));
  }
  void end(const ops::Bucket& bucket) override {
    std::unique_ptr<Queued> queued;
    {
      const std::lock_guard lock(mutex_);
      auto node = begun_.extract(&bucket);
      if (node.empty()) ops::value_error("For 'all_reduce_end', communication has ended since.");
      queued = std::move(node.mapped());
    }
    await(queued.get());
  }

  // Waits until a request is carried, and throws what came of it.
  void await(Queued* queued) {
    struct Wait {
      Queue& queue;
      Queued* queued;
      bool interrupted = false;
    } wait{*this, queued};
    const auto run = [](void* context) {
      auto& wait = *static_cast<Wait*>(context);
      wait.interrupted = wait.queue.is_interrupted(wait.queued);
    };
    ops::embedding().unlocked ? ops::embedding().unlocked(run, &wait) : run(&wait);
    if (wait.interrupted) throw ops::Interrupted();
    if (!queued->error.empty()) throw ops::OpError(ops::OpError::Kind::Value, queued->error);
  }

  // Waits for the next request. Null: the queue was closed.
  Queued* take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return nullptr;
    current_ = waiting_.front();
    waiting_.pop_front();
    return current_;
  }
  void finish(std::string error) {
    const std::lock_guard lock(mutex_);
    current_->error = std::move(error);
    current_->done = true;
    current_ = nullptr;
    changed_.notify_all();
  }
  bool is_cancelled() {
    const std::lock_guard lock(mutex_);
    return cancelled_;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    process_ = getpid();
    closed_ = cancelled_ = false;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  void check_process(const ops::Request& request) const {
    if (getpid() != process_)
      ops::value_error("For '" + std::string(request.op) + "', a forked child does not communicate.");
  }
  void push(Queued* queued) {
    waiting_.push_back(queued);
    changed_.notify_all();
  }

  // Waits until a request is carried; whether it was to stop meanwhile, which ends communication.
  bool is_interrupted(Queued* queued) {
    std::unique_lock lock(mutex_);
    bool interrupted = false;
    while (!queued->done) {
      changed_.wait_for(lock, kLook);
      if (queued->done || interrupted) continue;
      lock.unlock();
      interrupted = ops::wants_to_stop();
      lock.lock();
      cancelled_ = cancelled_ || interrupted;
    }
    return interrupted;
  }

  gc::ForkMutex<std::mutex> mutex_{gc::ForkRank::Libraries};
  gc::ForkCondition changed_{gc::ForkRank::Libraries};
  std::deque<Queued*> waiting_;
  std::map<const ops::Bucket*, std::unique_ptr<Queued>> begun_;
  Queued* current_ = nullptr;
  pid_t process_ = 0;
  bool closed_ = true, cancelled_ = false;
};

Queue& queue() {
  static auto& one = *new Queue;
  return one;
}

py::memoryview memory(std::span<const std::byte> bytes, bool readonly) {
  return py::memoryview::from_memory(const_cast<std::byte*>(bytes.data()), static_cast<py::ssize_t>(bytes.size()),
                                     readonly);
}

// (op, group, reduction, dtype, itemsize, input, output, numbers) of the next request; None: there will be none.
py::object next_request() {
  Queued* next = nullptr;
  bridged([&] {
    const WithoutGil released;
    next = queue().take();
  });
  if (!next) return py::none();
  const ops::Request& r = next->request;
  return py::make_tuple(std::string(r.op), r.group, r.reduction, steal(dtype_object(r.dtype)), itemsize(r.dtype),
                        memory(r.input, true), memory({r.output.data(), r.output.size()}, false), r.numbers);
}

// Reduces the parts that lie one after the other in a buffer, of rank 0 first.
void combine_parts(const std::string& reduction, py::handle dtype, const py::buffer& parts, int64_t ranks,
                   const py::buffer& out) {
  const py::buffer_info from = parts.request(), to = out.request(true);
  const ops::DType kind = dtype_of(dtype.ptr()).value();
  const int64_t count = to.size * to.itemsize / static_cast<int64_t>(itemsize(kind));
  if (from.size * from.itemsize != ranks * to.size * to.itemsize) throw py::value_error("the parts have other sizes");
  bridged([&] {
    std::vector<const void*> places;
    for (int64_t rank = 0; rank < ranks; ++rank)
      places.push_back(static_cast<const std::byte*>(from.ptr) + rank * to.size * to.itemsize);
    const WithoutGil released;
    ops::combine(reduction, kind, places, count, to.ptr);
  });
}

}  // namespace

void bind_communication(py::module_& m) {
  m.def("open_transport", [] {
    queue().open();
    ops::set_transport(&queue());
  });
  m.def("close_transport", [] {
    ops::set_transport(nullptr);
    queue().close();
  });
  m.def("next_request", &next_request);
  m.def("finish_request", [](const std::string& error) { queue().finish(error); });
  m.def("is_cancelled", [] { return queue().is_cancelled(); });
  m.def("combine_parts", &combine_parts);
}

}  // namespace ember::python
