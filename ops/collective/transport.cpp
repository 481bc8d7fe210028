#include "ops/collective/transport.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "gc/fork.h"
#include "ops/base/error.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

std::atomic<Transport*> current{nullptr};

// Buckets that were begun, by ticket.
struct Begun {
  gc::ForkMutex<std::mutex> mutex{gc::ForkRank::Libraries};
  std::map<int64_t, std::shared_ptr<Bucket>> buckets;
  int64_t last = 0;
};
Begun& begun() {
  static auto& one = *new Begun;
  return one;
}

}  // namespace

void set_transport(Transport* transport) { current = transport; }

void communicate(const Request& request) {
  if (Transport* transport = current) return transport->carry(request);
  if (request.input.size() != request.output.size())
    value_error(about(request.op) +
                "there is no other process: start the program by mpirun and call communication.init().");
  std::ranges::copy(request.input, request.output.begin());
}

int64_t begin(Bucket bucket) {
  auto shared = std::make_shared<Bucket>(std::move(bucket));
  if (Transport* transport = current) transport->begin(shared);
  const std::lock_guard lock(begun().mutex);
  begun().buckets.emplace(++begun().last, std::move(shared));
  return begun().last;
}

std::shared_ptr<Bucket> end(int64_t ticket) {
  std::shared_ptr<Bucket> bucket;
  {
    const std::lock_guard lock(begun().mutex);
    auto node = begun().buckets.extract(ticket);
    if (node.empty()) value_error(about("all_reduce_end") + "nothing was begun with this ticket, or it has ended.");
    bucket = std::move(node.mapped());
  }
  if (Transport* transport = current) transport->end(*bucket);
  return bucket;
}

}  // namespace ember::ops
