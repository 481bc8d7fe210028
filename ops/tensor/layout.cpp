// The table of layouts: sixteen hashed shards, each under its own mutex. The table does not own: an entry goes when the
// last reference to its layout goes. A look-up that meets a layout on its way out makes a new one beside it.
#include "ops/tensor/layout.h"

#include <array>
#include <mutex>
#include <stdexcept>
#include <unordered_map>

#include "gc/fork.h"

namespace ember::ops {
namespace {

constexpr int64_t kMaxElements = int64_t{1} << 48;

bool is_contiguous(const Shape& shape, const Shape& strides, int64_t numel) {
  if (numel == 0) return true;
  int64_t expected = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) continue;
    if (strides[i] != expected) return false;
    expected *= shape[i];
  }
  return true;
}

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15;
  return hash ^ hash >> 29;
}

uint64_t hash_of(DType dtype, const Shape& shape, const Shape& strides) {
  uint64_t hash = mix(static_cast<uint64_t>(dtype) + 1, shape.size());
  for (int64_t size : shape) hash = mix(hash, static_cast<uint64_t>(size));
  for (int64_t stride : strides) hash = mix(hash, static_cast<uint64_t>(stride));
  return hash;
}

}  // namespace

int64_t element_count(const Shape& shape) {
  int64_t count = 1;
  bool empty = false;
  for (int64_t size : shape) {
    if (size < 0) throw std::invalid_argument("a dimension is negative: " + to_string(shape));
    if (size == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(count, size, &count) || count > kMaxElements) {
      throw std::invalid_argument("a tensor of shape " + to_string(shape) + " has more than 2**48 elements");
    }
  }
  return empty ? 0 : count;
}

class LayoutTable {
 public:
  static LayoutTable& get() {
    static LayoutTable& table = *new LayoutTable;
    return table;
  }

  LayoutRef intern(DType dtype, const Shape& shape, const Shape& strides) {
    uint64_t hash = hash_of(dtype, shape, strides);
    Shard& shard = shards_[hash % kShards];
    std::lock_guard lock(shard.mutex);
    auto [first, last] = shard.layouts.equal_range(hash);
    for (auto it = first; it != last; ++it) {
      const Layout* candidate = it->second;
      if (candidate->dtype != dtype || !(candidate->shape == shape) || !(candidate->strides == strides)) continue;
      if (!candidate->try_retain()) continue;
      LayoutRef ref(candidate);
      candidate->release();
      return ref;
    }
    int64_t numel = element_count(shape);
    uint64_t id = next_id_.fetch_add(1, std::memory_order_relaxed);
    LayoutRef fresh(new Layout(id, dtype, shape, strides, numel, is_contiguous(shape, strides, numel)));
    shard.layouts.emplace(hash, fresh.get());
    return fresh;
  }

  void remove(const Layout* layout) {
    uint64_t hash = hash_of(layout->dtype, layout->shape, layout->strides);
    Shard& shard = shards_[hash % kShards];
    std::lock_guard lock(shard.mutex);
    auto [first, last] = shard.layouts.equal_range(hash);
    for (auto it = first; it != last; ++it) {
      if (it->second != layout) continue;
      shard.layouts.erase(it);
      return;
    }
  }

  size_t live() {
    size_t count = 0;
    for (Shard& shard : shards_) {
      std::lock_guard lock(shard.mutex);
      count += shard.layouts.size();
    }
    return count;
  }

 private:
  static constexpr size_t kShards = 16;
  struct Shard {
    gc::ForkMutex<std::mutex> mutex{gc::ForkRank::Layouts};
    std::unordered_multimap<uint64_t, const Layout*> layouts;
  };

  std::array<Shard, kShards> shards_;
  std::atomic<uint64_t> next_id_{1};
};

void Layout::destroy() const noexcept {
  LayoutTable::get().remove(this);
  delete this;
}

Shape part_strides(const Shape& strides) {
  Shape out;
  for (int64_t s : strides) out.push_back(2 * s);
  return out;
}

Shape row_major_strides(const Shape& shape) {
  Shape strides(shape.size(), 1);
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step *= shape[i] > 0 ? shape[i] : 1;
  }
  return strides;
}

LayoutRef layout(DType dtype, const Shape& shape) {
  element_count(shape);
  return LayoutTable::get().intern(dtype, shape, row_major_strides(shape));
}

LayoutRef layout(DType dtype, const Shape& shape, const Shape& strides) {
  if (shape.size() != strides.size()) throw std::invalid_argument("a layout needs one stride per dimension");
  element_count(shape);
  return LayoutTable::get().intern(dtype, shape, strides);
}

size_t live_layouts() { return LayoutTable::get().live(); }

bool broadcasts_to(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  for (size_t d = 0; d < from.size(); ++d)
    if (from[d] != 1 && from[d] != to[to.size() - from.size() + d]) return false;
  return true;
}

Shape broadcast_shapes(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape out = longer;
  size_t lead = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    int64_t x = longer[lead + i];
    int64_t y = shorter[i];
    if (x != y && x != 1 && y != 1) {
      throw std::invalid_argument("shapes " + to_string(a) + " and " + to_string(b) + " cannot be broadcast");
    }
    out[lead + i] = x == 1 ? y : x;
  }
  return out;
}

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i != 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace ember::ops
