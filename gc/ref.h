// Intrusive reference counts. Every shared object of emberjit derives from Counted and is held by Ref<T>; there is no
// other owner. Counts are atomic, so an object may be released on any thread. Cycles are not collected: only functions
// refer to each other in cycles, and their module owns all of them (bytecode/graph/graph.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ember::gc {

class Counted {
 public:
  Counted() = default;
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() const noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy();
  }
  // For tables of weak pointers: takes a reference unless the last one has gone.
  bool try_retain() const noexcept {
    uint32_t seen = count_.load(std::memory_order_relaxed);
    while (seen != 0 && !count_.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel)) {
    }
    return seen != 0;
  }
  uint32_t count() const noexcept { return count_.load(std::memory_order_acquire); }

 protected:
  virtual ~Counted() = default;
  virtual void destroy() const noexcept { delete this; }

 private:
  mutable std::atomic<uint32_t> count_{0};
};

template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* object) : object_(object) {
    if (object_) object_->retain();
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
  Ref(const Ref<U>& other) : Ref(static_cast<T*>(other.get())) {}
  ~Ref() {
    if (object_) object_->release();
  }
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) noexcept { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

template <class T, class... Args>
Ref<T> make(Args&&... args) {
  return Ref<T>(new T(std::forward<Args>(args)...));
}

}  // namespace ember::gc
