// The system side of tensor memory: aligned blocks from mimalloc.
//
// Debian's libmimalloc exports malloc and friends. It is loaded privately (RTLD_LOCAL) and only mi_ functions are
// looked up, so the host process keeps its own malloc and operator new. Sanitizer builds, and machines without the
// library, use aligned_alloc instead.
#pragma once

#include <cstddef>

namespace ember::gc {

// Null if the system has no more. `alignment` is a power of two.
void* system_allocate(size_t bytes, size_t alignment);
void system_free(void* block);
void system_collect();  // gives free pages back to the system
bool uses_mimalloc();

}  // namespace ember::gc
