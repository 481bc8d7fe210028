// How collective ops reach other processes. What embeds the library sets a Transport, which carries one request after
// the other in the order in which they are made; all processes of a group make the same requests in the same order.
// Without one there is this process alone, whose collectives are copies.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

class Transport {
 public:
  virtual ~Transport() = default;
  // Returns when the output is complete. Throws OpError if another process failed or asks for something else, and
  // Interrupted; neither span is touched after that.
  virtual void carry(const Request& request) = 0;
};

void set_transport(Transport* transport);  // null: this process is alone
void communicate(const Request& request);

}  // namespace ember::ops
