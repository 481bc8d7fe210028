// Huge pages for large blocks: fewer misses of the TLB, fewer faults. The kernel zeroes a page when it is first
// touched. In a virtual machine whose host has taken free memory back, that waits for the host: 5 ms a huge page
// instead of 0.1, while small pages come from memory that was freed lately and is still there. So some pages of a block
// are touched here, and if one is slow, this block and the next go without.
#pragma once

#include <cstddef>

namespace ember::gc {

inline constexpr size_t kHugePage = size_t{2} << 20;

// Asks for huge pages for a block that begins with one.
void advise_huge_pages(void* data, size_t bytes);

}  // namespace ember::gc
