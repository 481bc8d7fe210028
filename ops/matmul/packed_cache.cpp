#include "ops/matmul/packed_cache.h"

#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "gc/fork.h"

namespace ember::ops {
namespace {

constexpr uint64_t kMix = 0x9E3779B97F4A7C15;

size_t first_limit() {
  const auto machine = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return std::min(size_t{256} << 20, machine / 8);
}

uint64_t fingerprint(uint64_t version, const PackedKey& form) {
  uint64_t all = version * kMix ^ static_cast<uint64_t>(form.of);
  const auto mix = [&](uint64_t number) { all = (all ^ all >> 32 ^ number) * kMix; };
  mix(reinterpret_cast<uintptr_t>(form.first));
  for (int64_t number : form.numbers) mix(static_cast<uint64_t>(number));
  return all | 1;
}

// When keys were first seen: a 4-way set-associative table that forgets the oldest.
class FirstUses {
 public:
  uint64_t first(uint64_t what, uint64_t now) {
    std::array<FirstUse, 4>& some = all_[what >> 32 & (all_.size() - 1)];
    for (const FirstUse& s : some)
      if (s.what == what) return s.when;
    *std::ranges::min_element(some, {}, &FirstUse::when) = {what, now};
    return now;
  }

 private:
  struct FirstUse {
    uint64_t what = 0, when = 0;
  };
  std::array<std::array<FirstUse, 4>, 1024> all_;
};

class PackedCache {
 public:
  static PackedCache& get() {
    static PackedCache& copies = *new PackedCache;
    return copies;
  }

  gc::Ref<gc::Storage> find(uint64_t version, const PackedKey& form) {
    const std::lock_guard lock(mutex_);
    ++now_;
    const auto [begin, end] = copies_.equal_range(version);
    const auto it = std::find_if(begin, end, [&](const auto& c) { return c.second.form == form; });
    if (it == end) return nullptr;
    ++counts_.used;
    ++it->second.uses;
    it->second.used_at = now_;
    return it->second.memory;
  }

  // Whether to make one; makes room for it.
  bool wanted(uint64_t version, const PackedKey& form, size_t bytes) {
    std::vector<gc::Ref<gc::Storage>> gone;
    const std::lock_guard lock(mutex_);
    const uint64_t first = first_uses_.first(fingerprint(version, form), now_);
    if (first == now_ || bytes > counts_.limit) return false;
    while (counts_.bytes > counts_.limit - bytes) {
      const auto oldest = std::ranges::min_element(copies_, {}, [](const auto& c) { return c.second.used_at; });
      if (oldest->second.used_at >= first) return false;
      gone.push_back(take(oldest));
      ++counts_.evicted;
    }
    return true;
  }

  void add(const gc::Storage& storage, uint64_t version, const PackedKey& form, gc::Ref<gc::Storage> memory) {
    const std::lock_guard lock(mutex_);
    const auto [begin, end] = copies_.equal_range(version);
    if (std::any_of(begin, end, [&](const auto& c) { return c.second.form == form; })) return;
    if (memory->size() > counts_.limit || counts_.bytes > counts_.limit - memory->size()) return;
    if (!storage.watch(version)) return;
    counts_.bytes += memory->size();
    ++counts_.inserted;
    copies_.emplace(version, Copy{form, std::move(memory), now_});
  }

  // Copies of this version, or all.
  void drop(const uint64_t* version) {
    std::vector<gc::Ref<gc::Storage>> gone;
    const std::lock_guard lock(mutex_);
    auto [at, end] = version ? copies_.equal_range(*version) : std::pair(copies_.begin(), copies_.end());
    while (at != end) gone.push_back(take(at++));
  }

  PackedStats stats(uint64_t version) {
    PackedStats stats;
    const std::lock_guard lock(mutex_);
    for (auto [at, end] = copies_.equal_range(version); at != end; ++at) {
      ++stats.copies;
      stats.bytes += at->second.memory->size();
      stats.used += at->second.uses;
    }
    return stats;
  }

  PackedTotals totals() {
    const std::lock_guard lock(mutex_);
    counts_.copies = copies_.size();
    return counts_;
  }

  void set_limit(size_t bytes) {
    drop(nullptr);
    const std::lock_guard lock(mutex_);
    counts_.limit = bytes;
  }

 private:
  struct Copy {
    PackedKey form;
    gc::Ref<gc::Storage> memory;
    uint64_t used_at, uses = 0;
  };
  using All = std::unordered_multimap<uint64_t, Copy>;  // by version

  PackedCache() {
    static constexpr gc::CachedCopies keeper{[](uint64_t version) { get().drop(&version); }};
    counts_.limit = first_limit();
    gc::set_cached_copies(&keeper);
    gc::add_idle_memory([] { get().drop(nullptr); });
  }

  gc::Ref<gc::Storage> take(All::iterator copy) {
    gc::Ref<gc::Storage> memory = std::move(copy->second.memory);
    counts_.bytes -= memory->size();
    copies_.erase(copy);
    return memory;
  }

  gc::ForkMutex<std::mutex> mutex_{gc::ForkRank::Packed};
  All copies_;
  FirstUses first_uses_;
  PackedTotals counts_;
  uint64_t now_ = 0;
};

}  // namespace

gc::Ref<gc::Storage> find_or_pack(const gc::Storage* storage, const PackedKey& form, int64_t bytes,
                                  const std::function<void(void*)>& pack) {
  if (!storage || storage->changing()) return nullptr;
  PackedCache& copies = PackedCache::get();
  const uint64_t version = storage->version();
  if (gc::Ref<gc::Storage> copy = copies.find(version, form)) return copy;
  if (!copies.wanted(version, form, static_cast<size_t>(bytes))) return nullptr;
  gc::Ref<gc::Storage> copy;
  try {
    copy = gc::allocate(static_cast<size_t>(bytes));
  } catch (const gc::OutOfMemory&) {
    return nullptr;
  }
  pack(copy->data());
  copies.add(*storage, version, form, copy);
  return copy;
}

PackedStats packed_stats(const gc::Storage& of) { return PackedCache::get().stats(of.version()); }
PackedTotals packed_totals() { return PackedCache::get().totals(); }
void set_packed_limit(size_t bytes) { PackedCache::get().set_limit(bytes); }

}  // namespace ember::ops
