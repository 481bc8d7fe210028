#include "ops/kernels/sort.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <type_traits>

#include "ops/base/interrupt.h"
#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/tensor/strided_iterator.h"

namespace ember::ops {
namespace {

constexpr int64_t kRadixFrom = 48;                         // elements that are worth the histogram of a digit
constexpr int64_t kDealFrom = 1 << 14;                     // those of a line that are worth buckets
constexpr int64_t kDealAlways = 1 << 19;                   // the same, on one thread
constexpr int64_t kSelectBelow = 16;                       // the part of a line, 1 / 16, that is worth a selection
constexpr int64_t kSelectMost = 1 << 18;                   // elements that are worth one
constexpr int64_t kStep = 1 << 20;                         // elements between looks for an interrupt
constexpr int64_t kGrain = 1 << 13;                        // elements that are worth a thread
constexpr int64_t kPiece = 1 << 15;                        // elements that are counted together
constexpr int64_t kLongFrom = 1 << 12;                     // elements that are worth long digits
constexpr int kDigit = 8, kLongDigit = 11, kLeading = 11;  // bits
constexpr int64_t kBuckets = int64_t{1} << kLeading;

// A key of at most 32 bits above its index, in one integer; of a line that is short enough.
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

// The keys of a line's elements, less the least of them where that is known, and the bits they have.
template <class T>
struct Line {
  using Key = Unsigned<sizeof(T)>;
  const T* data;
  int64_t n, step;
  Key flip;
  Key least = 0;
  int bits = sizeof(T) * 8;
  Key operator[](int64_t i) const { return static_cast<Key>((key_of(data[i * step]) ^ flip) - least); }
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
  in_steps(line.n, kStep, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const uint64_t key = line[i];
      if (key >= bound) continue;
      std::construct_at(items + kept++, key, i);
      if (kept == 2 * count) cut();
    }
  });
  return kept < count ? nullptr : (cut(), std::sort(items, items + count), items);
}

template <class T>
void find_range(Line<T>& line) {
  using Key = typename Line<T>::Key;
  std::atomic<Key> least{std::numeric_limits<Key>::max()}, greatest{0};
  parallel_for(line.n, kGrain, [&](int64_t begin, int64_t end) {
    Key low = std::numeric_limits<Key>::max(), high = 0;
    for (int64_t i = begin; i < end; ++i) {
      const Key key = line[i];
      low = std::min(low, key);
      high = std::max(high, key);
    }
    for (Key seen = least; low < seen && !least.compare_exchange_weak(seen, low);) {
    }
    for (Key seen = greatest; high > seen && !greatest.compare_exchange_weak(seen, high);) {
    }
  });
  line.least = least;
  line.bits = static_cast<int>(std::bit_width(uint64_t{greatest} - uint64_t{least}));
}

// By `bits` bits of the keys above some others, digit by digit from the least on; those that all keys share cost
// nothing. What is in order by index stays so.
template <int Digit, class Item>
Item* sort_by_digits(Item* from, Item* to, int64_t n, int shift, int bits) {
  constexpr size_t kDigits = size_t{1} << Digit;
  const auto digits = static_cast<size_t>((bits + Digit - 1) / Digit);
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  const auto digit = [&](const Item& item, size_t d) {
    return ((item.key() >> shift) & mask) >> (d * Digit) & (kDigits - 1);
  };
  std::array<std::array<int64_t, kDigits>, (2 * kLongDigit + Digit - 1) / Digit> counts;
  for (size_t d = 0; d < digits; ++d) counts[d].fill(0);
  in_steps(n, kStep, [&, items = from](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      for (size_t d = 0; d < digits; ++d) ++counts[d][digit(items[i], d)];
    }
  });
  for (size_t d = 0; d < digits; ++d) {
    if (counts[d][digit(from[0], d)] == n) continue;
    int64_t sum = 0;
    for (int64_t& count : counts[d]) sum += std::exchange(count, sum);
    in_steps(n, kStep, [&next = counts[d], &digit, d, from, to](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[next[digit(from[i], d)]++] = from[i];
    });
    std::swap(from, to);
  }
  return from;
}

// By the lowest `bits` of the keys, the others being equal: by the first two digits of these, which tell most elements
// apart, and then those that agree by the rest.
template <class Item>
Item* sort_items(Item* items, Item* spare, int64_t n, int bits) {
  const bool longer = n >= kLongFrom;
  const int leading = std::min(bits, 2 * (longer ? kLongDigit : kDigit)), rest = bits - leading;
  if (n * kDigit < kRadixFrom * leading) {
    std::sort(items, items + n);
    return items;
  }
  Item* ordered = longer ? sort_by_digits<kLongDigit>(items, spare, n, rest, leading)
                         : sort_by_digits<kDigit>(items, spare, n, rest, leading);
  Item* other = ordered == items ? spare : items;
  Pace pace;
  for (int64_t i = 0; rest > 0 && i < n;) {
    int64_t end = i + 1;
    while (end < n && ordered[end].key() >> rest == ordered[i].key() >> rest) ++end;
    if (end - i > 1) {
      const Item* sorted = sort_items(ordered + i, other + i, end - i, rest);
      if (sorted != ordered + i) std::copy(sorted, sorted + (end - i), ordered + i);
    }
    pace.worked(end - i);
    i = end;
  }
  return ordered;
}

// A line's elements dealt into buckets by the leading bits of their keys: how many come before each bucket.
template <class T>
struct Buckets {
  const Line<T>& line;
  int rest;  // bits below those that tell the bucket
  int64_t pieces;
  Scratch<int64_t> counts;  // of each piece those of each bucket, which become where they go
  Scratch<int64_t> first;   // of each bucket, and the end

  explicit Buckets(const Line<T>& line)
      : line(line),
        rest(std::max(0, line.bits - kLeading)),
        pieces((line.n + kPiece - 1) / kPiece),
        counts(pieces * kBuckets),
        first(kBuckets + 1) {
    parallel_for(pieces, 1, [this](int64_t begin, int64_t end) {
      std::fill(counts + begin * kBuckets, counts + end * kBuckets, 0);
      for (int64_t piece = begin; piece < end; ++piece) count(piece);
    });
    int64_t sum = 0;
    for (int64_t b = 0; b < kBuckets; ++b) {
      first[b] = sum;
      for (int64_t piece = 0; piece < pieces; ++piece) sum += std::exchange(counts[piece * kBuckets + b], sum);
    }
    first[kBuckets] = sum;
  }

  int64_t bucket(uint64_t key) const { return static_cast<int64_t>(key >> rest); }
  int64_t begin(int64_t piece) const { return piece * kPiece; }
  int64_t end(int64_t piece) const { return std::min(line.n, (piece + 1) * kPiece); }

  void count(int64_t piece) {
    int64_t* to = counts + piece * kBuckets;
    for (int64_t i = begin(piece); i < end(piece); ++i) ++to[bucket(line[i])];
  }

  // Those of buckets from one on and below another, to where they are in the order of buckets less an offset.
  template <class Item>
  void deal(int64_t low, int64_t high, Item* to) {
    const int64_t offset = first[low];
    const auto wanted = static_cast<uint64_t>(high - low);
    parallel_for(pieces, 1, [&](int64_t from, int64_t until) {
      for (int64_t piece = from; piece < until; ++piece) {
        int64_t* next = counts + piece * kBuckets;
        for (int64_t i = begin(piece); i < end(piece); ++i) {
          const uint64_t key = line[i];
          const int64_t b = bucket(key);
          if (static_cast<uint64_t>(b - low) < wanted) std::construct_at(to + next[b]++ - offset, key, i);
        }
      }
    });
  }
};

// The elements at positions of the order: those of buckets that hold some of them are sorted. `items` holds them.
template <class T, class Item>
const Item* dealt(const Line<T>& line, int64_t begin, int64_t end, Item* items, Item* spare) {
  Buckets<T> buckets(line);
  const int64_t* first = buckets.first;
  const int64_t low = std::upper_bound(first, first + kBuckets, begin) - first - 1;
  const int64_t high = std::lower_bound(first, first + kBuckets, end) - first;
  const int64_t offset = first[low];
  buckets.deal(low, high, spare);
  parallel_for(first[high] - offset, kGrain, [&](int64_t from, int64_t until) {
    int64_t b = std::lower_bound(first + low, first + high, from + offset) - first;
    for (; b < high && first[b] - offset < until; ++b) {
      Item *mine = spare + (first[b] - offset), *sorted = items + (first[b] - offset);
      const int64_t n = first[b + 1] - first[b];
      const Item* ordered = sort_items(mine, sorted, n, buckets.rest);
      if (ordered != sorted) std::copy(ordered, ordered + n, sorted);
    }
  });
  return items + (begin - offset);
}

// The elements from a position of the order on; `items` or `spare` holds them.
template <class T, class Item>
const Item* ordered(const Line<T>& line, int64_t begin, Item* items, Item* spare) {
  for (int64_t i = 0; i < line.n; ++i) std::construct_at(items + i, line[i], i);
  return sort_items(items, spare, line.n, line.bits) + begin;
}

// The results of a line: elements, indices, and how far one is from the next.
template <class T>
struct LineResults {
  T* values;
  int64_t* indices;
  int64_t step;

  template <class Item>
  void write(const Line<T>& line, const Item* sorted, int64_t count) const {
    parallel_for(count, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t index = sorted[i].index();
        indices[i * step] = index;
        values[i * step] = line.data[index * line.step];
      }
    });
  }
};

// Items of a line, and as much again.
template <class T, class Widest>
struct Items {
  Scratch<Widest> items, spare;
  bool alone;  // whether the threads are free for one line
  Items(int64_t n, bool alone) : items(n), spare(n), alone(alone) {}

  template <class Item>
  void sort(const Line<T>& line, int64_t begin, int64_t end, const LineResults<T>& results) {
    auto *mine = reinterpret_cast<Item*>(static_cast<Widest*>(items)),
         *other = reinterpret_cast<Item*>(static_cast<Widest*>(spare));
    const Item* sorted =
        deals(line, begin, end) ? dealt(line, begin, end, mine, other) : ordered(line, begin, mine, other);
    results.write(line, sorted, end - begin);
  }

  // Whether buckets pay: of a part of a line only its own are sorted, and a whole one is sorted by several threads.
  bool deals(const Line<T>& line, int64_t begin, int64_t end) const {
    const bool part = end - begin <= line.n / kSelectBelow;
    return line.n >= (alone || part ? kDealFrom : kDealAlways);
  }

  void sort(Line<T> line, int64_t begin, int64_t end, const LineResults<T>& results) {
    if (begin == 0 && end > 0 && end <= std::min(line.n / kSelectBelow, kSelectMost)) {
      const Widest* first = select_first<T, Widest>(line, end, items);
      if (first) return results.write(line, first, end);
    }
    if (deals(line, begin, end)) find_range(line);
    if (std::is_same_v<Widest, Narrow> || (line.bits <= 32 && line.n < kNarrowLine)) {
      sort<Narrow>(line, begin, end, results);
    } else {
      sort<Wide>(line, begin, end, results);
    }
  }
};

template <class T, class Widest>
void sort_all(const SortCall& call, const View& values, const View& indices) {
  const Layout &in = *call.input.layout, &out = *indices.layout;
  const bool whole = in.rank() == 0;
  const int64_t n = whole ? 1 : in.shape[call.axis], step = whole ? 1 : in.strides[call.axis];
  const int64_t out_step = whole ? 1 : out.strides[call.axis];
  StridedDims from, to, places;
  for (size_t d = 0; d < in.rank(); ++d) {
    if (d == call.axis) continue;
    from.add(in.shape[d], in.strides[d]);
    to.add(out.shape[d], out.strides[d]);
    places.add(out.shape[d], call.position ? call.position->layout->strides[d] : 0);
  }
  using U = Unsigned<sizeof(T)>;
  const U flip = call.descending ? std::numeric_limits<U>::max() : U{0};
  const bool alone = from.count() == 1 && threads() > 1;
  parallel_for_throwing(from.count(), std::max<int64_t>(1, kGrain / n), [&](int64_t begin, int64_t end) {
    Items<T, Widest> items(n, alone);
    StridedIterator source(from), target(to), place(places);
    source.seek(begin);
    target.seek(begin);
    place.seek(begin);
    for (int64_t line = begin; line < end; ++line, source.advance(1), target.advance(1), place.advance(1)) {
      const int64_t first = call.position ? call.position->as<int64_t>()[place.offset()] : 0;
      const int64_t last = call.position ? first + 1 : call.count;
      items.sort({call.input.as<T>() + source.offset(), n, step, flip}, first, last,
                 {values.as<T>() + target.offset(), indices.as<int64_t>() + target.offset(), out_step});
    }
  });
}

}  // namespace

void sort_lines(const SortCall& call, const View& values, const View& indices) {
  if (indices.layout->numel == 0) return;
  const Layout& in = *call.input.layout;
  dispatch_ordered(in.dtype, [&]<class T>() {
    if (sizeof(T) <= 4 && (in.rank() == 0 || in.shape[call.axis] < kNarrowLine)) {
      sort_all<T, Narrow>(call, values, indices);
    } else {
      sort_all<T, Wide>(call, values, indices);
    }
  });
}

}  // namespace ember::ops
