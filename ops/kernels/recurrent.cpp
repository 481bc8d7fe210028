// Where a thread's cache holds the weights, each thread takes some sequences through all steps; else all threads share
// the product of a step.
#include "ops/kernels/recurrent.h"

#include <array>

#include "ops/base/division.h"
#include "ops/base/interrupt.h"
#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/kernels/widen.h"
#include "ops/matmul/bf16x3_gemm.h"
#include "ops/program/program.h"
#include "ops/program/strided.h"
#include "ops/table/op.h"

namespace ember::ops::recurrent {
namespace {

constexpr int64_t kCachedWeight = 256 << 10;  // bytes
constexpr int64_t kManySteps = 6;             // pay for a copy of the weights
constexpr int64_t kFewRows = 8;               // fewer are not worth a thread

Tensor contiguous(const View& v) { return v.layout ? to_contiguous(borrow(v)) : Tensor(); }

// The inputs of a program under construction, numbered as they come.
struct Inputs {
  ExprBuilder builder;
  uint16_t count = 0;

  List<Ex> take(size_t some, DType dtype) {
    List<Ex> out;
    for (size_t i = 0; i < some; ++i) out.push_back(builder.input(count++, dtype));
    return out;
  }
};

List<Ex> joined(std::initializer_list<List<Ex>> lists) {
  List<Ex> out;
  for (const List<Ex>& list : lists) out.insert(out.end(), list.begin(), list.end());
  return out;
}

// Rows of some sequences: of states, of one gate among others, of a bias, of whether a sequence goes on.
struct RowLayouts {
  LayoutRef states, product, bias, within;
  std::array<LayoutRef, 5> among;  // by the number of parts that a row has

  RowLayouts(DType dtype, int64_t rows, int64_t units, int64_t gates)
      : states(layout(dtype, {rows, units})),
        product(layout(dtype, {rows, gates * units})),
        bias(layout(dtype, {rows, units}, {0, 1})),
        within(layout(DType::Bool, {rows, units}, {1, 0})) {
    for (size_t parts = 1; parts < among.size(); ++parts) {
      among[parts] = layout(dtype, {rows, units}, {static_cast<int64_t>(parts) * units, 1});
    }
  }
};

// What both directions share: sizes, the weights as the right operand of products, the lengths.
template <class T>
class Layer {
 public:
  Layer(const KernelCall& call, const View& sequences, size_t gates, size_t lengths, size_t reverse, bool transposed)
      : count_(sequences.layout->shape[0]),
        rows_(sequences.layout->shape[1]),
        units_(call.in[1].layout->shape[1]),
        wide_(static_cast<int64_t>(gates) * units_),
        reverse_(call.attrs.flag(reverse)),
        weight_(call.in[1]),
        cacheable_(call.cacheable) {
    if ((!cacheable_ || cacheable_->changing()) && count_ >= kManySteps) {
      own_ = clone(borrow(weight_));
      weight_ = {own_.data(), &own_.layout()};
      cacheable_ = own_.storage().get();
    }
    const Layout& w = *weight_.layout;
    right_ = transposed ? layout(w.dtype, {units_, wide_}, {w.strides[1], w.strides[0]}) : LayoutRef(&w);
    if (call.in[lengths].layout) find_ends(call.in[lengths]);
  }

  bool masked() const { return within_.defined(); }
  int64_t at(int64_t step) const { return step_at(step, count_, reverse_); }

  // Calls f(first, rows) for the sequences, on all threads if that pays.
  template <class F>
  void each_part(F f) const {
    const bool apart = rows_ >= 2 * kFewRows && static_cast<int64_t>(sizeof(T)) * wide_ * units_ <= kCachedWeight &&
                       bf16_terms(dtype_of<T>, rows_, right_->shape[1], right_->shape[0]) == 0;
    if (!apart) return f(int64_t{0}, rows_);
    const int64_t part = std::max(kFewRows, ceil_div(rows_, threads()));
    parallel_for_throwing(ceil_div(rows_, part), 1, [&](int64_t begin, int64_t end) {
      f(begin * part, std::min(end * part, rows_) - begin * part);
    });
  }

  // product = left @ weight, or weight'
  void multiply(const View& left, const View& product) const {
    static const Op& matmul = op("matmul");
    static const Attrs none = make_attrs(matmul, {});
    const View in[] = {left, {weight_.data, right_.get()}};
    matmul.kernel({in, {&product, 1}, none, nullptr, cacheable_});
  }

 protected:
  // Of step t, the rows from `first` on of what has `parts` parts for each unit.
  T* rows_at(T* all, int64_t t, int64_t first, size_t parts) const {
    return all + (t * rows_ + first) * static_cast<int64_t>(parts) * units_;
  }
  void add_parts(std::vector<View>* views, T* rows, size_t parts, const LayoutRef& layout) const {
    for (size_t i = 0; i < parts; ++i) views->push_back({rows + static_cast<int64_t>(i) * units_, layout.get()});
  }
  void add_within(std::vector<View>* views, int64_t t, int64_t first, const RowLayouts& layouts) const {
    if (masked()) views->push_back({within_.data_as<bool>() + t * rows_ + first, layouts.within.get()});
  }

  const int64_t count_, rows_, units_, wide_;

 private:
  void find_ends(const View& lengths) {
    within_ = Tensor::empty(DType::Bool, {count_, rows_});
    const int64_t stride = lengths.layout->strides[0];
    for (int64_t i = 0; i < count_ * rows_; ++i) {
      const int64_t at = i % rows_ * stride;
      const bool wide = lengths.layout->dtype == DType::Int64;
      const int64_t length = wide ? lengths.as<int64_t>()[at] : lengths.as<int32_t>()[at];
      within_.data_as<bool>()[i] = i / rows_ < length;
    }
  }

  const bool reverse_;
  View weight_;
  const gc::Storage* cacheable_;
  Tensor own_;  // a copy of the weights, of which packed copies may be cached where they may not be of those
  LayoutRef right_;
  Tensor within_;
};

template <class Cell, class T>
class Forward : Layer<T> {
  using At = Of<Cell>;

 public:
  explicit Forward(const KernelCall& call)
      : Layer<T>(call, call.in[At::kInputGates], Cell::gates, At::kLengths, At::kReverse, true),
        out_(call.out),
        input_(contiguous(call.in[At::kInputGates])),
        bias_(contiguous(call.in[At::kBias])) {
    for (size_t i = 0; i < Cell::states; ++i) first_[i] = contiguous(call.in[At::kFirst + i]);
    Inputs in;
    const List<Ex> input = in.take(Cell::gates, dtype_of<T>);
    List<Ex> product = in.take(Cell::gates, dtype_of<T>);
    const List<Ex> bias = in.take(bias_.defined() ? Cell::gates : 0, dtype_of<T>);
    for (size_t i = 0; i < bias.size(); ++i) product[i] = product[i] + bias[i];
    const List<Ex> before = in.take(Cell::states, dtype_of<T>), within = in.take(this->masked(), DType::Bool);
    const Made<Ex> next = step<Cell>(input, product, before, within.empty() ? nullptr : within.data());
    program_ = Program::of(in.builder.finish(joined({next.states, next.kept})));
  }

  void run() const {
    this->each_part([&](int64_t first, int64_t rows) { run_part(first, rows); });
  }

 private:
  // The states before a step.
  T* before(size_t state, int64_t step, int64_t first) const {
    return step == 0 ? this->rows_at(first_[state].template data_as<T>(), 0, first, 1)
                     : this->rows_at(out_[state].template as<T>(), this->at(step - 1), first, 1);
  }

  void run_part(int64_t first, int64_t rows) const {
    const RowLayouts layouts(dtype_of<T>, rows, this->units_, Cell::gates);
    const Scratch<T> product(rows * this->wide_);
    std::vector<View> in, out;
    for (int64_t step = 0; step < this->count_; ++step) {
      give_way();
      const int64_t t = this->at(step);
      this->multiply({before(0, step, first), layouts.states.get()}, {product, layouts.product.get()});
      in.clear();
      out.clear();
      T* const input = this->rows_at(input_.template data_as<T>(), t, first, Cell::gates);
      this->add_parts(&in, input, Cell::gates, layouts.among[Cell::gates]);
      this->add_parts(&in, product, Cell::gates, layouts.among[Cell::gates]);
      if (bias_.defined()) this->add_parts(&in, bias_.template data_as<T>(), Cell::gates, layouts.bias);
      for (size_t i = 0; i < Cell::states; ++i) {
        in.push_back({before(i, step, first), layouts.states.get()});
        out.push_back({this->rows_at(out_[i].template as<T>(), t, first, 1), layouts.states.get()});
      }
      this->add_within(&in, t, first, layouts);
      if constexpr (Cell::kept > 0) {
        T* const kept = this->rows_at(out_[At::kKept].template as<T>(), t, first, Cell::kept);
        this->add_parts(&out, kept, Cell::kept, layouts.among[Cell::kept]);
      }
      program_->run(in, out);
    }
  }

  const std::span<const View> out_;
  const Tensor input_, bias_;
  std::array<Tensor, Cell::states> first_;
  gc::Ref<const Program> program_;
};

template <class Cell, class T>
class Backward : Layer<T> {
  using At = typename Of<Cell>::Back;
  static constexpr size_t kStates = Cell::states;
  static constexpr size_t kOutFirst = Cell::product_apart ? 2 : 1;  // of the results: the gates' come before

 public:
  explicit Backward(const KernelCall& call)
      : Layer<T>(call, call.in[At::kMade], Cell::gates, At::kLengths, At::kReverse, false), out_(call.out) {
    for (size_t i = 0; i < kStates; ++i) {
      ct_[i] = contiguous(call.in[At::ct(i)]);
      states_[i] = contiguous(call.in[At::kMade + i]);
      first_[i] = contiguous(call.in[At::kFirst + i]);
    }
    if constexpr (Cell::kept > 0) {
      kept_ = contiguous(call.in[At::kKept]);
      ct_kept_ = contiguous(call.in[At::kKeptGradient]);
    }
    Inputs in;
    const DType dtype = dtype_of<T>;
    List<Ex> ct = in.take(kStates, dtype);
    const Ex of_product = in.take(1, dtype)[0];
    const List<Ex> carried = in.take(carried_states(), dtype);
    for (size_t i = 0; i < kStates; ++i) {
      const size_t at = i - (kStates - carried.size());
      ct[i] = ct[i] + (i > 0 ? carried[at] : carries() ? carried[0] + of_product : of_product);
    }
    const List<Ex> kept = in.take(Cell::kept, dtype), ct_kept = in.take(ct_kept_.defined() ? Cell::kept : 0, dtype);
    const List<Ex> before = in.take(kStates, dtype), after = in.take(kStates, dtype);
    const List<Ex> within = in.take(this->masked(), DType::Bool);
    const Slopes<Ex> slopes = back<Cell>(ct, ct_kept, kept, before, after, within.empty() ? nullptr : within.data());
    program_ = Program::of(in.builder.finish(joined({slopes.input, slopes.product, slopes.before})));
  }

  void run() const {
    this->each_part([&](int64_t first, int64_t rows) { run_part(first, rows); });
  }

 private:
  bool carries() const { return Cell::carries || this->masked(); }
  size_t carried_states() const { return kStates - (carries() ? 0 : 1); }

  const T* before(size_t state, int64_t step, int64_t first) const {
    return step == 0 ? this->rows_at(first_[state].template data_as<T>(), 0, first, 1)
                     : this->rows_at(states_[state].template data_as<T>(), this->at(step - 1), first, 1);
  }

  // Operands in the order of the program's inputs and outputs.
  void add_operands(int64_t step, int64_t first, T* product, T* carried, int64_t size, const RowLayouts& layouts,
                    std::vector<View>* in, std::vector<View>* out) const {
    const int64_t t = this->at(step);
    const auto state = [&](const T* at) { return View{const_cast<T*>(at), layouts.states.get()}; };
    const auto of_step = [&](const Tensor& all) { return state(this->rows_at(all.data_as<T>(), t, first, 1)); };
    const auto parts = [&](std::vector<View>* views, T* all, size_t count) {
      this->add_parts(views, this->rows_at(all, t, first, count), count, layouts.among[count]);
    };
    for (const Tensor& ct : ct_) in->push_back(of_step(ct));
    in->push_back(state(product));
    for (size_t i = 0; i < carried_states(); ++i) in->push_back(state(carried + static_cast<int64_t>(i) * size));
    if constexpr (Cell::kept > 0) {
      parts(in, kept_.template data_as<T>(), Cell::kept);
      if (ct_kept_.defined()) parts(in, ct_kept_.template data_as<T>(), Cell::kept);
    }
    for (size_t i = 0; i < kStates; ++i) in->push_back(state(before(i, step, first)));
    for (const Tensor& states : states_) in->push_back(of_step(states));
    this->add_within(in, t, first, layouts);
    for (size_t i = 0; i < kOutFirst; ++i) parts(out, out_[i].template as<T>(), Cell::gates);
    for (size_t i = 0; i < carried_states(); ++i) out->push_back(state(carried + static_cast<int64_t>(i) * size));
  }

  void run_part(int64_t first, int64_t rows) const {
    const RowLayouts layouts(dtype_of<T>, rows, this->units_, Cell::gates);
    const int64_t size = rows * this->units_, some = static_cast<int64_t>(carried_states());
    const Scratch<T> product(size), carried(size * some);
    std::fill_n(static_cast<T*>(product), size, T{0});
    std::fill_n(static_cast<T*>(carried), size * some, T{0});
    std::vector<View> in, out;
    for (int64_t step = this->count_; step-- > 0;) {
      give_way();
      in.clear();
      out.clear();
      add_operands(step, first, product, carried, size, layouts, &in, &out);
      program_->run(in, out);
      T* const gates = this->rows_at(out_[kOutFirst - 1].template as<T>(), this->at(step), first, Cell::gates);
      this->multiply({gates, layouts.product.get()}, {product, layouts.states.get()});
    }
    for (size_t i = 0; i < kStates; ++i) {
      T* const to = this->rows_at(out_[kOutFirst + i].template as<T>(), 0, first, 1);
      const int64_t apart = static_cast<int64_t>(kStates) - some;
      for (int64_t j = 0; j < size; ++j) {
        const T* const from = carried + std::max<int64_t>(static_cast<int64_t>(i) - apart, 0) * size;
        to[j] = i > 0 ? from[j] : carries() ? from[j] + product[j] : product[j];
      }
    }
  }

  const std::span<const View> out_;
  std::array<Tensor, kStates> ct_, states_, first_;
  Tensor kept_, ct_kept_;
  gc::Ref<const Program> program_;
};

template <template <class, class> class Run, class Cell>
void run_float(const KernelCall& call) {
  if (call.out[0].layout->dtype == DType::Float64) return Run<Cell, double>(call).run();
  Run<Cell, float>(call).run();
}

template <template <class, class> class Run, class Cell>
void run(const KernelCall& call) {
  is_half_dtype(call.out[0].layout->dtype) ? run_in_float32(call, &run_float<Run, Cell>) : run_float<Run, Cell>(call);
}

}  // namespace

template <class Cell>
void forward(const KernelCall& call) {
  run<Forward, Cell>(call);
}
template <class Cell>
void backward(const KernelCall& call) {
  run<Backward, Cell>(call);
}

template void forward<Lstm>(const KernelCall&);
template void forward<Gru>(const KernelCall&);
template void forward<Rnn<false>>(const KernelCall&);
template void forward<Rnn<true>>(const KernelCall&);
template void backward<Lstm>(const KernelCall&);
template void backward<Gru>(const KernelCall&);
template void backward<Rnn<false>>(const KernelCall&);
template void backward<Rnn<true>>(const KernelCall&);

}  // namespace ember::ops::recurrent
