#include "gc/guard_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace ember::gc {
namespace {

GuardPages asked() {
  const char* text = std::getenv("EMBERJIT_GUARD_PAGES");
  const std::string_view word = text ? text : "";
  return word == "after" ? GuardPages::After : word == "before" ? GuardPages::Before : GuardPages::None;
}

size_t page() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

size_t whole_pages(size_t bytes) { return (bytes + page() - 1) / page() * page(); }

}  // namespace

GuardPages guard_pages() {
  static const GuardPages wanted = asked();
  return wanted;
}

void* guarded_allocate(size_t bytes) {
  const size_t inner = whole_pages(bytes);
  void* mapped = mmap(nullptr, inner + 2 * page(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  char* first = static_cast<char*>(mapped) + page();
  if (inner != 0 && mprotect(first, inner, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapped, inner + 2 * page());
    return nullptr;
  }
  return guard_pages() == GuardPages::After ? first + (inner - bytes) : first;
}

void guarded_free(void* block, size_t bytes) {
  const size_t inner = whole_pages(bytes);
  char* first = static_cast<char*>(block) - (guard_pages() == GuardPages::After ? inner - bytes : 0);
  munmap(first - page(), inner + 2 * page());
}

}  // namespace ember::gc
