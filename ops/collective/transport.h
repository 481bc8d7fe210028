// How collective ops reach other processes. What embeds the library sets a Transport, which carries one request after
// the other in the order in which they are made; all processes of a group make the same requests in the same order.
// Without one there is this process alone, whose collectives are copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gc/storage.h"
#include "ops/tensor/dtype.h"

namespace ember::ops {

// Both spans are row-major, and belong to the transport until the request is carried.
struct Request {
  std::string_view op;
  std::string group;
  std::string reduction;  // of ops that reduce
  DType dtype;
  std::span<const std::byte> input;
  std::span<std::byte> output;
  std::vector<int64_t> numbers;  // roots, tags and counts, as the op has them
};

// A request that is carried while others compute, with memory of its own, which the result replaces.
struct Bucket {
  gc::Ref<gc::Storage> memory;
  Request request;
};

class Transport {
 public:
  virtual ~Transport() = default;
  // Returns when the output is complete. Throws OpError if another process failed or asks for something else, and
  // Interrupted; neither span is touched after that.
  virtual void carry(const Request& request) = 0;
  // The same in two calls, of which the first returns at once.
  virtual void begin(std::shared_ptr<Bucket> bucket) = 0;
  virtual void end(const Bucket& bucket) = 0;
};

void set_transport(Transport* transport);  // null: this process is alone
void communicate(const Request& request);
int64_t begin(Bucket bucket);                 // a ticket
std::shared_ptr<Bucket> end(int64_t ticket);  // which is spent

}  // namespace ember::ops
