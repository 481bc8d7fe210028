// A vector of at most N trivially copyable items, stored in place. Exceeding N throws std::length_error, so hostile
// ranks end as errors and never as overruns.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <stdexcept>

namespace ember::ops {

template <class T, size_t N>
class InlineVector {
 public:
  InlineVector() = default;
  InlineVector(std::initializer_list<T> items) {
    for (const T& item : items) push_back(item);
  }
  explicit InlineVector(std::span<const T> items) {
    for (const T& item : items) push_back(item);
  }
  InlineVector(size_t count, const T& item) {
    for (size_t i = 0; i < count; ++i) push_back(item);
  }

  void push_back(const T& item) {
    if (size_ == N) throw std::length_error("more than 8 dimensions");
    items_[size_++] = item;
  }
  void insert(size_t at, const T& item) {
    push_back(item);
    std::rotate(begin() + at, end() - 1, end());
  }
  void erase(size_t at) {
    std::copy(begin() + at + 1, end(), begin() + at);
    --size_;
  }
  void clear() { size_ = 0; }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t i) { return items_[i]; }
  const T& operator[](size_t i) const { return items_[i]; }
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + size_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }
  T& back() { return items_[size_ - 1]; }
  const T& back() const { return items_[size_ - 1]; }
  operator std::span<const T>() const { return {items_.data(), size_}; }

 private:
  std::array<T, N> items_{};
  size_t size_ = 0;
};

inline constexpr size_t kMaxRank = 8;

}  // namespace ember::ops
