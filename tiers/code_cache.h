// Memory for native code, never writable and executable at one address: every chunk is a memory file mapped twice, once
// to write and once to run. Blocks are counted; the last reference gives the bytes back, so code that is running is
// never overwritten. Beyond the cap the owner that ran longest ago is asked to drop its code (vm keeps a reference
// while it runs). After fork the child gets copies of the chunks at the same addresses, so neither process sees the
// other's writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gc/ref.h"
#include "tiers/symbols/symbols.h"

namespace ember::tiers {

class CodeBlock final : public gc::Counted {
 public:
  const void* address() const { return address_; }  // executable, aligned to 64 bytes
  size_t size() const { return size_; }

 private:
  friend class CodeCache;
  CodeBlock(const void* address, size_t size) : address_(address), size_(size) {}
  void destroy() const noexcept override;

  const void* address_;
  size_t size_;
};

class CodeCache {
 public:
  static CodeCache& instance();

  // Copies position-independent code into the cache, known to outside tools by the symbol; null if executable memory is
  // denied or the cap is reached and nothing can be evicted.
  gc::Ref<CodeBlock> add(std::span<const uint8_t> code, const Symbol& symbol);

  size_t used() const;
  size_t cap() const;
  void set_cap(size_t bytes);
  // Called with the bytes that are needed when the cap is reached; returns whether it dropped something.
  void set_evictor(bool (*evict)());

 private:
  friend class CodeBlock;
  CodeCache();
  struct Chunk;
  struct State;
  const uint8_t* place(std::span<const uint8_t> code, size_t size);
  void release(const void* address, size_t size);
  State& state_;
};

}  // namespace ember::tiers
