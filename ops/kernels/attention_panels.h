// What attention and its gradient share: the probabilities of a panel of queries.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "ops/base/parallel.h"
#include "ops/kernels/attention.h"
#include "ops/matmul/panels.h"
#include "ops/program/strided.h"
#include "ops/tensor/convert.h"

namespace ember::ops {

// How a step's results are kept: as they are, or rounded to a half type.
template <class T>
struct Unrounded {
  using Number = T;
  static constexpr T kGreatest = std::numeric_limits<T>::max();
  static void settle(T*, int64_t) {}
};
template <class Half>
struct RoundedTo {
  using Number = Half;
  static constexpr float kGreatest = 65504;  // of the smaller range of the two
  static void settle(float* x, int64_t count) {
    for (int64_t i = 0; i < count; ++i) x[i] = static_cast<float>(Half(x[i]));
  }
};

template <class T>
struct Matrix {
  const T* data;
  int64_t row, column;  // strides
  const T* at_row(int64_t i) const { return data + i * row; }
};

// An operand as matrices: the last two dimensions, for each index of those before.
template <class T>
class Matrices {
 public:
  explicit Matrices(const View& view) : Matrices(view, view.layout->shape, view.layout->strides) {}
  Matrices(const View& view, const Shape& shape, const Shape& strides)
      : data_(view.as<T>()),
        rows_(shape[shape.size() - 2]),
        columns_(shape[shape.size() - 1]),
        row_(strides[strides.size() - 2]),
        column_(strides[strides.size() - 1]) {
    for (size_t d = 0; d + 2 < shape.size(); ++d) {
      batch_.sizes.push_back(shape[d]);
      batch_.strides.push_back(strides[d]);
    }
  }
  int64_t count() const { return batch_.count(); }
  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  Matrix<T> operator[](int64_t index) const {
    StridedIterator at(batch_);
    at.seek(index);
    return {data_ + at.offset(), row_, column_};
  }

 private:
  const T* data_;
  int64_t rows_, columns_, row_, column_;
  StridedDims batch_;
};

// The mask as a panel reads it.
template <class T>
class Masks {
 public:
  explicit Masks(const AttentionCall& call)
      : kind_(!call.mask.layout                        ? Kind::None
              : call.mask.layout->dtype == DType::Bool ? Kind::Replaced
                                                       : Kind::Added),
        fill_(call.form.fill) {
    if (kind_ == Kind::None) return;
    const Layout& query = *call.query.layout;
    Shape shape = query.shape;
    shape[shape.size() - 1] = call.key.layout->shape[shape.size() - 2];
    const Shape strides = broadcast_strides(*call.mask.layout, shape);
    if (kind_ == Kind::Added) added_.emplace(call.mask, shape, strides);
    if (kind_ == Kind::Replaced) replaced_.emplace(call.mask, shape, strides);
  }

  bool replaces() const { return kind_ == Kind::Replaced; }
  bool none() const { return kind_ == Kind::None; }

  // Of `n` keys those up to the last that one of the queries may see.
  int64_t seen(int64_t head, int64_t first, int64_t count, int64_t n) const {
    if (kind_ == Kind::Added) {
      return last((*added_)[head], first, count, n, [](T x) { return x == -std::numeric_limits<T>::infinity(); });
    }
    if (kind_ == Kind::Replaced && std::isinf(fill_) && fill_ < 0) {
      return last((*replaced_)[head], first, count, n, [](bool masked) { return masked; });
    }
    return n;
  }

  // A row for each key; of a bool mask ones and zeros.
  void pack(const Panels<T>& panels, int64_t head, int64_t first, int64_t count, int64_t n, T* out) const {
    if (kind_ == Kind::Added) {
      const Matrix<T> mask = (*added_)[head];
      panels.pack(n, count, panels.columns, mask.at_row(first), mask.column, mask.row, out);
      return;
    }
    const Matrix<bool> mask = (*replaced_)[head];
    std::fill_n(out, n * panels.columns, T{0});
    for (int64_t q = 0; q < count; ++q) {
      const bool* row = mask.at_row(first + q);
      for (int64_t k = 0; k < n; ++k) out[k * panels.columns + q] = row[k * mask.column];
    }
  }

 private:
  enum class Kind { None, Added, Replaced };

  template <class Element, class F>
  static int64_t last(const Matrix<Element>& mask, int64_t first, int64_t count, int64_t n, F hidden) {
    int64_t seen = 0;
    for (int64_t q = 0; q < count && seen < n; ++q) {
      const Element* row = mask.at_row(first + q);
      int64_t end = n;
      while (end > seen && hidden(row[(end - 1) * mask.column])) --end;
      seen = end;
    }
    return seen;
  }

  Kind kind_;
  double fill_;
  std::optional<Matrices<T>> added_;
  std::optional<Matrices<bool>> replaced_;
};

// The probabilities of one head's queries, by panels, which several threads may make at once. Keys are packed once for
// all heads of a group.
template <class T, class Rounding>
class Probabilities {
  const AttentionForm& form_;
  const Matrices<T> queries_, keys_, values_;
  const Masks<T> masks_;

 public:
  explicit Probabilities(const AttentionCall& call)
      : form_(call.form), queries_(call.query), keys_(call.key), values_(call.value), masks_(call) {}

  const Panels<T> panels;
  const int64_t length = queries_.rows(), depth = queries_.columns(), keys = keys_.rows(), width = values_.columns();

  // Where a thread makes its panels.
  struct Room {
    explicit Room(const Probabilities& p)
        : query(p.depth * p.panels.columns), mask(p.masks_.none() ? 0 : p.keys * p.panels.columns) {}
    Scratch<T> query, mask;
  };

  int64_t count(int64_t first) const { return std::min(panels.columns, length - first); }
  Matrix<T> query() const { return query_; }
  Matrix<T> key() const { return keys_[group_]; }
  Matrix<T> value() const { return values_[group_]; }

  // Turns to a head. True if it is the first of its group here.
  bool take(int64_t head) {
    head_ = head;
    query_ = queries_[head];
    const int64_t group = head / (queries_.count() / keys_.count());
    if (group == group_) return false;
    group_ = group;
    const Matrix<T> k = key();
    panels.pack_left(keys, depth, k.data, k.row, k.column, left_);
    key_extent_ = panels.extent(left_, panels.tiles(keys) * depth);
    return true;
  }

  // The keys from the first to the last that queries of this panel see.
  int64_t seen(int64_t first) const {
    const int64_t n = form_.causal ? std::min(keys, first + count(first)) : keys;
    return masks_.seen(head_, first, count(first), n);
  }

  // x = the probabilities of the first n keys. False if those of the others may differ from +0.
  bool panel(int64_t first, int64_t n, const Room& room, T* x) const {
    const int64_t lanes = count(first), size = n * panels.columns;
    panels.pack(depth, lanes, panels.columns, query_.at_row(first), query_.column, query_.row, room.query);
    if (n < keys && !bounded(panels.extent(room.query, depth * panels.columns))) return false;
    panels.multiply(n, depth, depth, left_, room.query, x);
    Rounding::settle(x, size);
    scale(x, size);
    mask(first, n, room.mask, x);
    T column[Panels<T>::kMaxColumns];
    panels.panel.max(x, n, column);
    panels.exponentials(x, column, x, n, column);
    for (int64_t c = 0; c < panels.columns; ++c) {
      if (n < keys && !(column[c] > 0 && column[c] <= std::numeric_limits<T>::max())) return false;
      column[c] = T{1} / column[c];
    }
    panels.panel.scale(x, column, n);
    Rounding::settle(x, size);
    return true;
  }

  // The scores' scaling, which is that of their cotangents too.
  void scale(T* x, int64_t size) const {
    if (form_.divide) {
      panels.panel.divide(x, factor_, size);
    } else if (factor_ != T{1}) {
      panels.row.scale(x, &factor_, 1, size);
    }
    Rounding::settle(x, size);
  }

  // The cotangents of scores that a bool mask replaced are +0. Of the panel that was made last in this room.
  void mask_cotangent(const Room& room, T* x, int64_t n) const {
    if (masks_.replaces()) panels.panel.replace(x, room.mask, T{0}, n * panels.columns);
  }

  // Whether sums of `terms` products stay far from the greatest number.
  static bool bounded(double terms, T a, T b) {
    return terms * double{a} * double{b} < double{Rounding::kGreatest} / 16;
  }

 private:
  bool bounded(T query_extent) const {
    const double factor = std::max(1.0, std::fabs(form_.divide ? 1 / double{factor_} : double{factor_}));
    return bounded(static_cast<double>(depth) * factor, query_extent, key_extent_);
  }

  void mask(int64_t first, int64_t n, T* packed, T* x) const {
    const int64_t size = n * panels.columns;
    if (!masks_.none()) {
      masks_.pack(panels, head_, first, count(first), n, packed);
      if (masks_.replaces()) {
        panels.panel.replace(x, packed, number(form_.fill), size);
      } else {
        panels.row.multiply_add(packed, T{1}, x, size);
      }
      Rounding::settle(x, size);
    }
    if (!form_.causal) return;
    for (int64_t k = first + 1; k < n; ++k) {
      const int64_t behind = std::min(k - first, panels.columns);
      for (int64_t q = 0; q < behind; ++q) x[k * panels.columns + q] += -std::numeric_limits<T>::infinity();
    }
  }

  static T number(double x) { return static_cast<T>(convert_value<typename Rounding::Number>(x)); }

  const T factor_ = number(form_.scale);
  Scratch<T> left_{panels.tiles(keys) * depth};
  Matrix<T> query_{};
  int64_t head_ = -1, group_ = -1;
  T key_extent_ = 0;
};

// Calls f(call, rounding) with the kernels' types.
template <class F>
void with_types(const AttentionCall& call, F f) {
  if (call.query.layout->dtype == DType::Float64) return f.template operator()<double, Unrounded<double>>();
  if (call.half == DType::Float16) return f.template operator()<float, RoundedTo<Half>>();
  if (call.half == DType::BFloat16) return f.template operator()<float, RoundedTo<BFloat16>>();
  f.template operator()<float, Unrounded<float>>();
}

}  // namespace ember::ops
