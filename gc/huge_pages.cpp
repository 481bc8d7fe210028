#include "gc/huge_pages.h"

#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace ember::gc {
namespace {

constexpr auto kSlow = std::chrono::milliseconds(1);
constexpr int64_t kWithout = int64_t{256} << 20;  // bytes that go without after a slow page
constexpr size_t kBetween = size_t{32} << 20;     // bytes from one page that is tried to the next

std::atomic<int64_t> without{0};

bool slow_to_touch(std::byte* page) {
  const auto start = std::chrono::steady_clock::now();
  *static_cast<volatile std::byte*>(page) = std::byte{0};
  return std::chrono::steady_clock::now() - start > kSlow;
}

}  // namespace

void advise_huge_pages(void* data, size_t bytes) {
  const size_t whole = bytes / kHugePage * kHugePage;
  if (without.load(std::memory_order_relaxed) > 0) {
    without.fetch_sub(static_cast<int64_t>(whole), std::memory_order_relaxed);
    return;
  }
  madvise(data, whole, MADV_HUGEPAGE);
  for (size_t at = 0; at < whole; at += kBetween) {
    if (!slow_to_touch(static_cast<std::byte*>(data) + at)) continue;
    madvise(data, whole, MADV_NOHUGEPAGE);
    without.store(kWithout, std::memory_order_relaxed);
    return;
  }
}

}  // namespace ember::gc
