// The kernel of attention's gradient. Nothing of the forward pass is kept: probabilities are computed anew. A thread
// takes a head and goes through its queries in order, since the cotangents of keys and values are chains over them;
// these take several panels at a time, so that a chain's piece is worth its way through memory.
#include "ops/attention_panels.h"

namespace ember::ops {
namespace {

constexpr int64_t kGroup = 4;  // panels

template <class T, class Rounding>
class AttentionGradient {
 public:
  AttentionGradient(const AttentionCall& call, const View& cotangent, const View& query, const View& key,
                    const View& value)
      : p_(call), cotangents_(cotangent), query_(query.as<T>()), key_(key.as<T>()), value_(value.as<T>()) {}

  void run(int64_t head) {
    if (p_.take(head)) {
      const Matrix<T> k = p_.key(), v = p_.value();
      panels_.pack_left(p_.depth, p_.keys, k.data, k.column, k.row, turned_keys_);
      panels_.pack_left(p_.keys, p_.width, v.data, v.row, v.column, values_);
      value_extent_ = panels_.extent(values_, panels_.tiles(p_.keys) * p_.width);
    }
    head_ = head;
    cotangent_ = cotangents_[head];
    if (!whole_head(true)) whole_head(false);
  }

 private:
  T* key_out() const { return key_ + head_ * p_.keys * p_.depth; }
  T* value_out() const { return value_ + head_ * p_.keys * p_.width; }

  // With `skip`, panels leave out the keys behind those that they see. False if that may show.
  bool whole_head(bool skip) {
    std::fill_n(key_out(), p_.keys * p_.depth, T{0});
    std::fill_n(value_out(), p_.keys * p_.width, T{0});
    bool skipped = false;
    for (int64_t first = 0; first < p_.length; first += kGroup * panels_.columns) {
      const int64_t count = std::min(kGroup * panels_.columns, p_.length - first);
      int64_t seen[kGroup] = {}, most = 0;
      for (int64_t g = 0; g * panels_.columns < count; ++g) {
        seen[g] = skip ? p_.seen(first + g * panels_.columns) : p_.keys;
        most = std::max(most, seen[g]);
        skipped = skipped || seen[g] < p_.keys;
      }
      for (int64_t g = 0; g * panels_.columns < count; ++g) {
        if (!panel(first + g * panels_.columns, seen[g], most, g * p_.keys * panels_.columns)) return false;
      }
      const Matrix<T> query = p_.query();
      accumulate(slopes_, first, count, most, query, p_.depth, key_out());
      accumulate(probabilities_, first, count, most, cotangent_, p_.width, value_out());
    }
    return !skipped || !(panels_.any_negative_zero(key_out(), p_.keys * p_.depth) ||
                         panels_.any_negative_zero(value_out(), p_.keys * p_.width));
  }

  // Probabilities, their scores' cotangents and those of the queries, over n keys; then zeros up to `most`.
  bool panel(int64_t first, int64_t n, int64_t most, int64_t at) {
    const int64_t lanes = p_.count(first), size = n * panels_.columns;
    T* p = probabilities_ + at;
    T* slope = slopes_ + at;
    if (!p_.panel(first, n, p)) return false;
    panels_.pack(p_.width, lanes, panels_.columns, cotangent_.at_row(first), cotangent_.column, cotangent_.row, right_);
    if (n < p_.keys &&
        !p_.bounded(static_cast<double>(p_.width), value_extent_, panels_.extent(right_, p_.width * panels_.columns))) {
      return false;
    }
    panels_.multiply(n, p_.width, p_.width, values_, right_, slope);
    Rounding::settle(slope, size);
    softmax_cotangent(p, slope, n);
    p_.mask_cotangent(slope, n);
    p_.scale(slope, size);
    panels_.multiply(p_.depth, n, p_.keys, turned_keys_, slope, result_);
    if (n < p_.keys && panels_.any_negative_zero(result_, p_.depth * panels_.columns)) return false;
    panels_.unpack(lanes, p_.depth, result_, query_ + (head_ * p_.length + first) * p_.depth);
    std::fill_n(p + size, (most - n) * panels_.columns, T{0});
    std::fill_n(slope + size, (most - n) * panels_.columns, T{0});
    return true;
  }

  // slope = (slope - the sum of slope * p) * p
  void softmax_cotangent(const T* p, T* slope, int64_t n) {
    const int64_t size = n * panels_.columns;
    T total[Panels<T>::kMostColumns];
    panels_.panel.multiply(slope, p, products_, size);
    Rounding::settle(products_, size);
    panels_.sum(products_, n, total);
    Rounding::settle(total, panels_.columns);
    panels_.panel.subtract(slope, total, n);
    Rounding::settle(slope, size);
    panels_.panel.multiply(slope, p, slope, size);
    Rounding::settle(slope, size);
  }

  // out[key] += the panels' rows of that key times the queries' rows of `from`, over the first n keys.
  void accumulate(const T* turned, int64_t first, int64_t count, int64_t n, const Matrix<T>& from, int64_t width,
                  T* out) {
    const int64_t columns = panels_.columns, mr = panels_.tile.mr, whole = count / columns, rest = count % columns;
    for (int64_t j = 0; j < width; j += columns) {
      panels_.pack(count, std::min(columns, width - j), columns, from.at_row(first) + j * from.column, from.row,
                   from.column, rows_ + j * count);
    }
    TileItem items[kGroup];
    for (int64_t g = 0; g < kGroup; ++g) items[g] = {g * p_.keys * columns, g * columns * columns};
    for (int64_t k = 0; k < n; k += mr) {
      for (int64_t j = 0; j < width; j += columns) {
        Tile<T> tile{whole,
                     columns,
                     items,
                     turned + k * columns,
                     columns,
                     1,
                     rows_ + j * count,
                     columns,
                     out + k * width + j,
                     width,
                     std::min(mr, n - k),
                     std::min(columns, width - j),
                     true};
        panels_.tile.run(tile);
        if (rest == 0) continue;
        tile.batch = 1;
        tile.depth = rest;
        tile.items += whole;
        panels_.tile.run(tile);
      }
    }
  }

  Probabilities<T, Rounding> p_;
  const Panels<T>& panels_ = p_.panels;
  const Matrices<T> cotangents_;
  T *query_, *key_, *value_;
  const int64_t group_ = kGroup * panels_.columns, widest_ = std::max(p_.depth, p_.width) + panels_.columns;
  Scratch<T> turned_keys_{panels_.tiles(p_.depth) * p_.keys}, values_{panels_.tiles(p_.keys) * p_.width};
  Scratch<T> probabilities_{group_ * p_.keys}, slopes_{group_ * p_.keys}, products_{p_.keys * panels_.columns};
  Scratch<T> right_{p_.width * panels_.columns}, result_{p_.depth * panels_.columns};
  Scratch<T> rows_{group_ * widest_};
  int64_t head_ = 0;
  Matrix<T> cotangent_{};
  T value_extent_ = 0;
};

}  // namespace

void attend_backward(const AttentionCall& call, const View& cotangent, const View& query, const View& key,
                     const View& value) {
  with_types(call, [&]<class T, class Rounding>() {
    const int64_t heads = Matrices<T>(call.query).count();
    parallel_for_throwing(heads, 1, [&](int64_t begin, int64_t end) {
      AttentionGradient<T, Rounding> gradient(call, cotangent, query, key, value);
      for (int64_t head = begin; head < end; ++head) gradient.run(head);
    });
  });
}

}  // namespace ember::ops
