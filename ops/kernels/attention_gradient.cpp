// The kernel of attention's gradient. Nothing of the forward pass is kept: probabilities are computed anew. A team of
// threads takes a head and goes through its queries in order, since the cotangents of keys and values accumulate over
// them in sequence; they take a group of panels at a time, to amortise the accumulators' way through memory. Of a group
// the team shares out the panels first, and when all are made the keys, so that no sum knows how many the team are.
// Teams of more than one serve heads that are too few for the threads.
#include <atomic>
#include <vector>

#include "ops/base/interrupt.h"
#include "ops/kernels/attention_panels.h"

namespace ember::ops {
namespace {

constexpr int64_t kGroup = 4;       // panels, at least
constexpr int64_t kWork = 1 << 18;  // multiplications that are worth a thread

template <class T, class Rounding>
class AttentionGradient {
 public:
  AttentionGradient(const AttentionCall& call, const View& cotangent, const View& query, const View& key,
                    const View& value, int64_t team)
      : p_(call), team_(team), cotangents_(cotangent), query_(query.as<T>()), key_(key.as<T>()), value_(value.as<T>()) {
    for (int64_t i = 0; i < team; ++i) rooms_.emplace_back(p_);
    for (int64_t g = 0; g < group_ / columns_; ++g) items_.push_back({g * p_.keys * columns_, g * columns_ * columns_});
  }

  void run(int64_t head) {
    if (p_.take(head)) {
      const Matrix<T> k = p_.key(), v = p_.value();
      panels_.pack_left(p_.depth, p_.keys, k.data, k.column, k.row, transposed_keys_);
      panels_.pack_left(p_.keys, p_.width, v.data, v.row, v.column, values_);
      value_extent_ = panels_.extent(values_, panels_.tiles(p_.keys) * p_.width);
    }
    head_ = head;
    cotangent_ = cotangents_[head];
    if (!run_head(true)) run_head(false);
  }

 private:
  struct Room : Probabilities<T, Rounding>::Room {
    explicit Room(const Probabilities<T, Rounding>& p)
        : Probabilities<T, Rounding>::Room(p),
          cotangent(p.width * p.panels.columns),
          products(p.keys * p.panels.columns),
          result(p.depth * p.panels.columns) {}
    Scratch<T> cotangent, products, result;
  };

  T* key_out() const { return key_ + head_ * p_.keys * p_.depth; }
  T* value_out() const { return value_ + head_ * p_.keys * p_.width; }

  // With `skip`, panels leave out the keys behind those that they see. False if that may show.
  bool run_head(bool skip) {
    std::fill_n(key_out(), p_.keys * p_.depth, T{0});
    std::fill_n(value_out(), p_.keys * p_.width, T{0});
    find_seen(skip);
    for (int64_t first = 0; first < p_.length; first += group_) {
      const int64_t count = std::min(group_, p_.length - first);
      const auto seen = seen_.begin() + first / columns_;
      const int64_t most = *std::max_element(seen, seen + ceil_div(count, columns_));
      if (!make_panels(first, count, most)) return false;
      accumulate(first, count, most);
    }
    const bool skipped = std::any_of(seen_.begin(), seen_.end(), [this](int64_t n) { return n < p_.keys; });
    return !skipped || !(panels_.any_negative_zero(key_out(), p_.keys * p_.depth) ||
                         panels_.any_negative_zero(value_out(), p_.keys * p_.width));
  }

  void find_seen(bool skip) {
    seen_.assign(static_cast<size_t>(ceil_div(p_.length, columns_)), p_.keys);
    if (!skip) return;
    share(static_cast<int64_t>(seen_.size()), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) seen_[static_cast<size_t>(i)] = p_.seen(i * columns_);
    });
  }

  // False if one of them needs the keys that it left out.
  bool make_panels(int64_t first, int64_t count, int64_t most) {
    std::atomic<bool> complete{true};
    share(team_, [&](int64_t begin, int64_t end) {
      for (int64_t member = begin; member < end; ++member) {
        for (int64_t g = member; g * columns_ < count && complete; g += team_) {
          give_way();
          if (!panel(rooms_[static_cast<size_t>(member)], first, g, most)) complete = false;
        }
      }
    });
    return complete;
  }

  // Panel g of the group: probabilities, their scores' cotangents and those of the queries, over the keys seen; then
  // zeros up to `most`.
  bool panel(const Room& room, int64_t group, int64_t g, int64_t most) const {
    const int64_t first = group + g * columns_, lanes = p_.count(first);
    const int64_t n = seen_[static_cast<size_t>(first / columns_)], size = n * columns_;
    T* p = probabilities_ + g * p_.keys * columns_;
    T* slope = slopes_ + g * p_.keys * columns_;
    if (!p_.panel(first, n, room, p)) return false;
    panels_.pack(p_.width, lanes, columns_, cotangent_.at_row(first), cotangent_.column, cotangent_.row,
                 room.cotangent);
    if (n < p_.keys && !p_.bounded(static_cast<double>(p_.width), value_extent_,
                                   panels_.extent(room.cotangent, p_.width * columns_))) {
      return false;
    }
    panels_.multiply(n, p_.width, p_.width, values_, room.cotangent, slope);
    Rounding::settle(slope, size);
    softmax_cotangent(p, slope, room.products, n);
    p_.mask_cotangent(room, slope, n);
    p_.scale(slope, size);
    panels_.multiply(p_.depth, n, p_.keys, transposed_keys_, slope, room.result);
    if (n < p_.keys && panels_.any_negative_zero(room.result, p_.depth * columns_)) return false;
    panels_.unpack(lanes, p_.depth, room.result, query_ + (head_ * p_.length + first) * p_.depth);
    std::fill_n(p + size, (most - n) * columns_, T{0});
    std::fill_n(slope + size, (most - n) * columns_, T{0});
    return true;
  }

  // slope = (slope - the sum of slope * p) * p
  void softmax_cotangent(const T* p, T* slope, T* products, int64_t n) const {
    const int64_t size = n * columns_;
    T total[Panels<T>::kMaxColumns];
    panels_.panel.multiply(slope, p, products, size);
    Rounding::settle(products, size);
    panels_.sum(products, n, total);
    Rounding::settle(total, columns_);
    panels_.panel.subtract(slope, total, n);
    Rounding::settle(slope, size);
    panels_.panel.multiply(slope, p, slope, size);
    Rounding::settle(slope, size);
  }

  // Takes the group's panels to the first n keys' cotangents and their values'.
  void accumulate(int64_t first, int64_t count, int64_t n) {
    const Matrix<T> query = p_.query();
    pack_rows(query, first, count, p_.depth, query_rows_);
    pack_rows(cotangent_, first, count, p_.width, cotangent_rows_);
    const int64_t mr = panels_.tile.mr;
    share(ceil_div(n, mr), [&](int64_t begin, int64_t end) {
      const int64_t from = begin * mr, to = std::min(end * mr, n);
      accumulate(slopes_, query_rows_, count, from, to, p_.depth, key_out());
      accumulate(probabilities_, cotangent_rows_, count, from, to, p_.width, value_out());
    });
  }

  void pack_rows(const Matrix<T>& from, int64_t first, int64_t count, int64_t width, T* out) const {
    for (int64_t j = 0; j < width; j += columns_) {
      panels_.pack(count, std::min(columns_, width - j), columns_, from.at_row(first) + j * from.column, from.row,
                   from.column, out + j * count);
    }
  }

  // out[key] += the panels' rows of that key times the queries' rows, over the keys from `from` to `to`.
  void accumulate(const T* transposed, const T* rows, int64_t count, int64_t from, int64_t to, int64_t width,
                  T* out) const {
    const int64_t mr = panels_.tile.mr, whole = count / columns_, rest = count % columns_;
    for (int64_t k = from; k < to; k += mr) {
      give_way();
      for (int64_t j = 0; j < width; j += columns_) {
        Tile<T> tile{whole,
                     columns_,
                     items_.data(),
                     transposed + k * columns_,
                     columns_,
                     1,
                     rows + j * count,
                     columns_,
                     out + k * width + j,
                     width,
                     std::min(mr, to - k),
                     std::min(columns_, width - j),
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

  // Calls f(begin, end) over [0, count), in a piece for each of the team.
  template <class F>
  void share(int64_t count, F f) const {
    parallel_for_throwing(count, std::max<int64_t>(1, count / team_), f);
  }

  Probabilities<T, Rounding> p_;
  const Panels<T>& panels_ = p_.panels;
  const int64_t team_, columns_ = panels_.columns;
  const int64_t group_ = ceil_div(kGroup, team_) * team_ * columns_;  // queries
  const Matrices<T> cotangents_;
  T *query_, *key_, *value_;
  Scratch<T> transposed_keys_{panels_.tiles(p_.depth) * p_.keys}, values_{panels_.tiles(p_.keys) * p_.width};
  Scratch<T> probabilities_{group_ * p_.keys}, slopes_{group_ * p_.keys};
  Scratch<T> query_rows_{group_ * (p_.depth + columns_)}, cotangent_rows_{group_ * (p_.width + columns_)};
  std::vector<Room> rooms_;
  std::vector<TileItem> items_;  // the panels of a group
  std::vector<int64_t> seen_;    // of each panel of the head
  int64_t head_ = 0;
  Matrix<T> cotangent_{};
  T value_extent_ = 0;
};

// Threads that a head is worth.
template <class T>
int64_t team_of(const AttentionCall& call) {
  const Matrices<T> query(call.query), value(call.value);
  const int64_t panels = ceil_div(query.rows(), Panels<T>().columns);
  const int64_t work = query.rows() * value.rows() * (query.columns() + value.columns());
  return std::clamp<int64_t>(work / kWork, 1, std::min<int64_t>(threads(), std::max<int64_t>(1, panels)));
}

}  // namespace

void attend_backward(const AttentionCall& call, const View& cotangent, const View& query, const View& key,
                     const View& value) {
  with_types(call, [&]<class T, class Rounding>() {
    const int64_t heads = Matrices<T>(call.query).count(), rest = heads % threads(), team = team_of<T>(call);
    const int64_t shared = team > rest ? rest : 0;  // heads that a team takes; the others have a thread each
    parallel_for_throwing(heads - shared, 1, [&](int64_t begin, int64_t end) {
      AttentionGradient<T, Rounding> gradient(call, cotangent, query, key, value, 1);
      for (int64_t head = begin; head < end; ++head) gradient.run(head);
    });
    if (shared == 0) return;
    AttentionGradient<T, Rounding> gradient(call, cotangent, query, key, value, team);
    for (int64_t head = heads - shared; head < heads; ++head) gradient.run(head);
  });
}

}  // namespace ember::ops
