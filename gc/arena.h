// Bump memory for objects that die together: compile-time data of one graph or one compilation. Nothing is destroyed
// one by one, so only trivially destructible types are accepted.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace ember::gc {

class Arena {
 public:
  explicit Arena(size_t block_bytes = 16 * 1024) : block_bytes_(block_bytes) {}

  template <class T>
  std::span<T> make_array(size_t n) {
    static_assert(std::is_trivially_destructible_v<T>);
    T* first = static_cast<T*>(take(n * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(first, n);
    return {first, n};
  }

  template <class T>
  std::span<T> copy(std::span<const T> items) {
    std::span<T> out = make_array<T>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), out.begin());
    return out;
  }

  size_t bytes() const { return used_; }

 private:
  void* take(size_t bytes, size_t alignment) {
    size_t at = (offset_ + alignment - 1) / alignment * alignment;
    if (blocks_.empty() || at + bytes > capacity_) {
      capacity_ = bytes > block_bytes_ ? bytes : block_bytes_;
      blocks_.push_back(std::make_unique<std::byte[]>(capacity_));
      at = 0;
    }
    offset_ = at + bytes;
    used_ += bytes;
    return blocks_.back().get() + at;
  }

  size_t block_bytes_;
  size_t capacity_ = 0;
  size_t offset_ = 0;
  size_t used_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

}  // namespace ember::gc
