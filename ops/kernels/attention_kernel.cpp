// The kernel of attention: heads and panels of queries in parallel, each thread with one head's packed keys and values.
#include "ops/kernels/attention_panels.h"

namespace ember::ops {
namespace {

template <class T, class Rounding>
class Attention {
 public:
  Attention(const AttentionCall& call, const View& out) : p_(call), out_(out.as<T>()) {}

  void run(int64_t head, int64_t first) {
    if (p_.take(head)) {
      const Matrix<T> value = p_.value();
      panels_.pack_left(p_.width, p_.keys, value.data, value.column, value.row, values_);
      finite_ = panels_.extent(values_, panels_.tiles(p_.width) * p_.keys) <= std::numeric_limits<T>::max();
    }
    T* out = out_ + (head * p_.length + first) * p_.width;
    if (!finite_ || !multiply(first, p_.seen(first), out)) multiply(first, p_.keys, out);
  }

 private:
  // False if keys behind the first n matter.
  bool multiply(int64_t first, int64_t n, T* out) {
    if (!p_.panel(first, n, room_, scores_)) return false;
    panels_.multiply(p_.width, n, p_.keys, values_, scores_, result_);
    if (n < p_.keys && panels_.any_negative_zero(result_, p_.width * panels_.columns)) return false;
    panels_.unpack(p_.count(first), p_.width, result_, out);
    return true;
  }

  Probabilities<T, Rounding> p_;
  const typename Probabilities<T, Rounding>::Room room_{p_};
  const Panels<T>& panels_ = p_.panels;
  T* out_;
  Scratch<T> values_{panels_.tiles(p_.width) * p_.keys}, scores_{p_.keys * panels_.columns},
      result_{p_.width * panels_.columns};
  bool finite_ = false;
};

}  // namespace

void attend(const AttentionCall& call, const View& out) {
  if (out.layout->numel == 0) return;
  with_types(call, [&]<class T, class Rounding>() {
    const Matrices<T> result(out);
    const int64_t columns = Panels<T>().columns, panels = ceil_div(result.rows(), columns);
    const int64_t keys = call.key.layout->shape[call.key.layout->rank() - 2];
    const int64_t work = std::max<int64_t>(1, columns * keys * (result.columns() + call.query.layout->shape.back()));
    parallel_for_throwing(result.count() * panels, (1 << 18) / work, [&](int64_t begin, int64_t end) {
      Attention<T, Rounding> attention(call, out);
      for (int64_t i = begin; i < end; ++i) attention.run(i / panels, i % panels * columns);
    });
  });
}

}  // namespace ember::ops
