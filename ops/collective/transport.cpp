#include "ops/collective/transport.h"

#include <algorithm>
#include <atomic>

#include "ops/base/error.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

std::atomic<Transport*> current{nullptr};

}  // namespace

void set_transport(Transport* transport) { current = transport; }

void communicate(const Request& request) {
  if (Transport* transport = current) return transport->carry(request);
  if (request.input.size() != request.output.size())
    value_error(about(request.op) +
                "there is no other process: start the program by mpirun and call communication.init().");
  std::ranges::copy(request.input, request.output.begin());
}

}  // namespace ember::ops
