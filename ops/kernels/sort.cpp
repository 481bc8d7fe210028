#include "ops/kernels/sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <type_traits>

#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/tensor/strided_iterator.h"

namespace ember::ops {
namespace {

constexpr int64_t kRadixFrom = 512;   // elements of a line that are worth histograms
constexpr int64_t kSelectBelow = 16;  // the part of a line, 1 / 16, that is worth a selection
constexpr int64_t kGrain = 1 << 13;   // elements that are worth a thread
constexpr int kDigit = 8;
constexpr size_t kBuckets = size_t{1} << kDigit;

// A key above its index, in one integer; of a line that is short enough.
struct Narrow {
  uint64_t bits;
  Narrow(uint64_t key, int64_t index) : bits(key << 32 | static_cast<uint64_t>(index)) {}
  int64_t index() const { return static_cast<int64_t>(bits & 0xFFFFFFFF); }
  uint64_t key() const { return bits >> 32; }
  bool operator<(const Narrow& other) const { return bits < other.bits; }
};
constexpr int64_t kNarrowLine = int64_t{1} << 32;

struct Wide {
  uint64_t bits;
  int64_t at;
  Wide(uint64_t key, int64_t index) : bits(key), at(index) {}
  int64_t index() const { return at; }
  uint64_t key() const { return bits; }
  bool operator<(const Wide& other) const { return bits < other.bits || (bits == other.bits && at < other.at); }
};

template <size_t Bytes>
using Unsigned =
    std::conditional_t<Bytes == 1, uint8_t,
                       std::conditional_t<Bytes == 2, uint16_t, std::conditional_t<Bytes == 4, uint32_t, uint64_t>>>;

template <class T>
Unsigned<sizeof(T)> key_of(T x) {
  using U = Unsigned<sizeof(T)>;
  const U bits = std::bit_cast<U>(x);
  constexpr U kSign = static_cast<U>(U{1} << (sizeof(T) * 8 - 1));
  if constexpr (std::is_same_v<T, bool> || std::is_unsigned_v<T>) {
    return bits;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<U>(bits ^ kSign);
  } else {
    constexpr U kInfinity = std::is_same_v<T, Half>       ? U(0x7C00)
                            : std::is_same_v<T, BFloat16> ? U(0x7F80)
                            : sizeof(T) == 4              ? U(0x7F800000)
                                                          : U(0x7FF0000000000000);
    const U size = static_cast<U>(bits & ~kSign);
    if (size > kInfinity) return std::numeric_limits<U>::max();
    if (size == 0) return kSign;
    return static_cast<U>(bits & kSign ? ~bits : bits | kSign);
  }
}

// By digits of the keys, from the least on; digits that all keys share cost nothing. What is in order by index stays
// so.
template <class Item>
Item* radix_sort(Item* from, Item* to, int64_t n, size_t key_bytes) {
  std::array<std::array<int64_t, kBuckets>, 8> counts{};
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t key = from[i].key();
    for (size_t d = 0; d < key_bytes; ++d) ++counts[d][key >> (d * kDigit) & (kBuckets - 1)];
  }
  for (size_t d = 0; d < key_bytes; ++d) {
    const size_t shift = d * kDigit;
    if (counts[d][from[0].key() >> shift & (kBuckets - 1)] == n) continue;
    int64_t sum = 0;
    for (int64_t& count : counts[d]) sum += std::exchange(count, sum);
    for (int64_t i = 0; i < n; ++i) to[counts[d][from[i].key() >> shift & (kBuckets - 1)]++] = from[i];
    std::swap(from, to);
  }
  return from;
}

// The keys of a line's elements.
template <class T>
struct Line {
  using Key = Unsigned<sizeof(T)>;
  const T* data;
  int64_t n, step;
  Key flip;
  Key operator[](int64_t i) const { return static_cast<Key>(key_of(data[i * step]) ^ flip); }
};

// The first `count` of the order, of which few elements beat those that came before. `items` has room for twice as
// many.
template <class T, class Item>
const Item* select_first(const Line<T>& line, int64_t count, Item* items) {
  int64_t kept = 0;
  uint64_t bound = std::numeric_limits<uint64_t>::max();
  const auto cut = [&] {
    std::nth_element(items, items + count - 1, items + kept);
    kept = count;
    bound = items[count - 1].key();
  };
  for (int64_t i = 0; i < line.n; ++i) {
    const uint64_t key = line[i];
    if (key >= bound) continue;
    std::construct_at(items + kept++, key, i);
    if (kept == 2 * count) cut();
  }
  return kept < count ? nullptr : (cut(), std::sort(items, items + count), items);
}

// The first `count` of the order; `items` or `spare` holds them.
template <class T, class Item>
const Item* ordered(const Line<T>& line, int64_t count, Item* items, Item* spare) {
  const int64_t n = line.n;
  if (count > 0 && count <= n / kSelectBelow) {
    const Item* found = select_first(line, count, items);
    if (found) return found;
  }
  for (int64_t i = 0; i < n; ++i) std::construct_at(items + i, line[i], i);
  if (n >= kRadixFrom) return radix_sort(items, spare, n, sizeof(T));
  std::sort(items, items + n);
  return items;
}

template <class T, class Item>
void sort_all(const SortCall& call, const View& values, const View& indices) {
  const Layout &in = *call.input.layout, &out = *indices.layout;
  const bool whole = in.rank() == 0;
  const int64_t n = whole ? 1 : in.shape[call.axis], step = whole ? 1 : in.strides[call.axis];
  const int64_t out_step = whole ? 1 : out.strides[call.axis];
  StridedDims from, to;
  for (size_t d = 0; d < in.rank(); ++d) {
    if (d == call.axis) continue;
    from.add(in.shape[d], in.strides[d]);
    to.add(out.shape[d], out.strides[d]);
  }
  using U = Unsigned<sizeof(T)>;
  const U flip = call.descending ? std::numeric_limits<U>::max() : U{0};
  parallel_for(from.count(), std::max<int64_t>(1, kGrain / n), [&](int64_t begin, int64_t end) {
    const Scratch<Item> items(n), spare(n);
    StridedIterator source(from), target(to);
    source.seek(begin);
    target.seek(begin);
    for (int64_t line = begin; line < end; ++line, source.advance(1), target.advance(1)) {
      const T* x = call.input.as<T>() + source.offset();
      const Item* sorted = ordered<T, Item>({x, n, step, flip}, call.count, items, spare);
      T* found = values.as<T>() + target.offset();
      int64_t* which = indices.as<int64_t>() + target.offset();
      for (int64_t i = 0; i < call.count; ++i) {
        which[i * out_step] = sorted[i].index();
        found[i * out_step] = x[sorted[i].index() * step];
      }
    }
  });
}

}  // namespace

void sort_lines(const SortCall& call, const View& values, const View& indices) {
  const Layout& in = *call.input.layout;
  if (indices.layout->numel == 0) return;
  dispatch_ordered(in.dtype, [&]<class T>() {
    if (sizeof(T) <= 4 && (in.rank() == 0 || in.shape[call.axis] < kNarrowLine)) {
      sort_all<T, Narrow>(call, values, indices);
    } else {
      sort_all<T, Wide>(call, values, indices);
    }
  });
}

}  // namespace ember::ops
