// Offsets in the arena from lifetimes: requests are served in order of their first write from the best-fitting hole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ember::vm {

struct MemoryRequest {
  size_t bytes = 0;
  uint32_t begin = 0;
  uint32_t end = 0;
  int32_t in_place_of = -1;  // a request that ends where this one begins and may be overwritten
  size_t offset = 0;         // the answer
};

// Fills the offsets, aligned to 64 bytes, and returns the arena's size. Requests are in order of begin. With `reuse`
// false every request gets memory of its own.
size_t plan_memory(std::vector<MemoryRequest>& requests, bool reuse);

}  // namespace ember::vm
