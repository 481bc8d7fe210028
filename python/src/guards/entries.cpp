#include <algorithm>
#include <functional>

#include "python/src/conversion/convert.h"
#include "python/src/guards/entry.h"

namespace ember::python {
namespace {

constexpr size_t kMaxEntries = 1024;
constexpr ptrdiff_t kMaxAlike = 64;  // for arguments alike, which what lies outside, or sizes, tell apart

uint64_t mixed(uint64_t hash, uint64_t part) {
  hash = (hash ^ part) * 0x9E3779B97F4A7C15;
  return hash ^ hash >> 32;
}

uint64_t hash_of(const Flat& flat, const std::vector<size_t>& leaves) {
  uint64_t hash = std::hash<std::string>()(flat.structure);
  for (size_t leaf : leaves) hash = mixed(hash, argument(flat.leaves[leaf]).bits);
  return hash;
}

}  // namespace

uint64_t hash_of_call(const Flat& flat) {
  uint64_t hash = std::hash<std::string>()(flat.structure);
  for (PyObject* constant : flat.constants) hash = mixed(hash, reinterpret_cast<uint64_t>(constant));
  for (PyObject* leaf : flat.leaves) {
    const vm::Argument a = argument(leaf);
    hash = mixed(hash, a.tensor ? a.tensor->layout().id : a.bits);
  }
  return hash;
}

Entries::Group& Entries::group(const std::vector<size_t>& leaves) {
  const auto it = std::ranges::find(groups_, leaves, &Group::leaves);
  if (it != groups_.end()) return *it;
  groups_.push_back({leaves, {}});
  return groups_.back();
}

void Entries::add(std::shared_ptr<Entry> entry) {
  const auto oldest = [&](auto among) {
    size_t least_used = all_.size();
    for (size_t i = 0; i < all_.size(); ++i)
      if (among(all_[i]) && (least_used == all_.size() || all_[i]->used < all_[least_used]->used)) least_used = i;
    return least_used;
  };
  if (all_.size() >= kMaxEntries) drop(oldest([](const auto&) { return true; }));
  std::vector<size_t> leaves;
  entry->hash = std::hash<std::string>()(entry->structure);
  for (const auto& [leaf, value] : entry->held) {
    leaves.push_back(leaf);
    entry->hash = mixed(entry->hash, argument(value.get()).bits);
  }
  const auto alike = [&](const auto& e) { return e->hash == entry->hash; };
  if (std::ranges::count_if(all_, alike) >= kMaxAlike) drop(oldest(alike));
  group(leaves).by_hash.emplace(entry->hash, entry);
  use(entry);
  all_.push_back(std::move(entry));
}

void Entries::drop(size_t number) {
  const std::shared_ptr<Entry> dropped = all_[number];
  all_.erase(all_.begin() + static_cast<ptrdiff_t>(number));
  dropped->used = 0;
  if (latest_ == dropped) latest_ = all_.empty() ? nullptr : all_.back();
  for (Group& group : groups_) std::erase_if(group.by_hash, [&](const auto& item) { return item.second == dropped; });
}

void Entries::use(const std::shared_ptr<Entry>& entry) {
  entry->used = ++clock_;
  if (latest_ != entry) latest_ = entry;
}

void Entries::find(const Flat& flat, Candidates* candidates) const {
  for (const Group& group : groups_) {
    if (!group.leaves.empty() && group.leaves.back() >= flat.leaves.size()) continue;
    if (std::ranges::any_of(group.leaves, [&](size_t leaf) { return is_tensor(flat.leaves[leaf]); })) continue;
    const auto [begin, end] = group.by_hash.equal_range(hash_of(flat, group.leaves));
    for (auto at = begin; at != end; ++at)
      if (at->second != latest_) candidates->push_back(at->second);
  }
  std::ranges::sort(*candidates, std::ranges::greater(), [](const auto& e) { return e->used; });
}

}  // namespace ember::python
