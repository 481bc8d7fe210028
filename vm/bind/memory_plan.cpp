#include "vm/bind/memory_plan.h"

#include <map>
#include <queue>
#include <set>

namespace ember::vm {
namespace {

constexpr size_t kAlignment = 64;

size_t rounded(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

// Free holes by offset and by size; neighbours are joined.
class Holes {
 public:
  size_t take(size_t bytes) {
    auto best = by_size_.lower_bound({bytes, 0});
    if (best == by_size_.end()) return extend(bytes);
    auto [size, offset] = *best;
    erase(offset, size);
    if (size > bytes) insert(offset + bytes, size - bytes);
    return offset;
  }

  void give(size_t offset, size_t bytes) {
    if (bytes == 0) return;
    auto next = by_offset_.lower_bound(offset);
    if (next != by_offset_.end() && next->first == offset + bytes) {
      bytes += next->second;
      erase(next->first, next->second);
    }
    auto after = by_offset_.lower_bound(offset);
    if (after != by_offset_.begin()) {
      auto before = std::prev(after);
      if (before->first + before->second == offset) {
        offset = before->first;
        bytes += before->second;
        erase(before->first, before->second);
      }
    }
    insert(offset, bytes);
  }

  size_t end() const { return end_; }

 private:
  size_t extend(size_t bytes) {
    size_t offset = end_;
    if (!by_offset_.empty()) {
      auto last = std::prev(by_offset_.end());
      if (last->first + last->second == end_) {
        offset = last->first;
        erase(last->first, last->second);
      }
    }
    end_ = offset + bytes;
    return offset;
  }
  void insert(size_t offset, size_t size) {
    by_offset_[offset] = size;
    by_size_.insert({size, offset});
  }
  void erase(size_t offset, size_t size) {
    by_offset_.erase(offset);
    by_size_.erase({size, offset});
  }

  std::map<size_t, size_t> by_offset_;
  std::set<std::pair<size_t, size_t>> by_size_;
  size_t end_ = 0;
};

}  // namespace

size_t plan_memory(std::vector<MemoryRequest>& requests, bool reuse) {
  Holes holes;
  using Ending = std::pair<uint32_t, size_t>;  // end, request
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> active;
  std::vector<bool> handed_on(requests.size(), false);
  for (size_t i = 0; i < requests.size(); ++i) {
    MemoryRequest& request = requests[i];
    while (reuse && !active.empty() && active.top().first < request.begin) {
      size_t ended = active.top().second;
      active.pop();
      if (!handed_on[ended]) holes.give(requests[ended].offset, rounded(requests[ended].bytes));
    }
    int32_t from = request.in_place_of;
    bool in_place = reuse && from >= 0 && !handed_on[from] && requests[from].end == request.begin &&
                    rounded(requests[from].bytes) == rounded(request.bytes);
    if (in_place) {
      request.offset = requests[from].offset;
      handed_on[from] = true;
    } else {
      request.offset = holes.take(rounded(request.bytes));
    }
    active.push({request.end, i});
  }
  return holes.end();
}

}  // namespace ember::vm
