// Cells of recurrent layers: what a step makes of what its input gives the gates, of the product of the states before
// it with the weights of the states (bias included), and of those states.
//
//   lstm  c = f * c' + i * g, h = o * tanh(c)      i, f, o = sigmoid, g = tanh of their gates
//   gru   h = (1 - z) * n + z * h'                 r, z = sigmoid of their gates, n = tanh(input_n + r * product_n)
//   rnn   h = tanh or relu of its gate
//
// Each is written once, for numbers of programs (Ex) and values of compositions, which have the same arithmetic; so the
// kernels give the bits that the compositions say. A sequence that has ended keeps its states, and its activations are
// 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ops/expr/expr.h"

namespace ember::ops::recurrent {

inline Ex sigmoid(Ex x) { return unary(Verb::Sigmoid, x); }
inline Ex tanh(Ex x) { return unary(Verb::Tanh, x); }
inline Ex relu(Ex x) { return binary(Verb::Max, x, x.constant(0)); }
inline Ex if_positive(Ex x, Ex y) { return select(lt(x.constant(0), x), y, y.constant(0)); }
inline Ex choose(Ex c, Ex yes, Ex no) { return select(c, yes, no); }
inline Ex only(Ex c, Ex x) { return select(c, x, x.constant(0)); }
inline Ex unless(Ex c, Ex x) { return select(c, x.constant(0), x); }

template <class V>
using List = std::vector<V>;

// What a step makes: the states after it, and what is kept beside them.
template <class V>
struct Made {
  List<V> states, kept;
};
// The cotangents of what the input and the product of the states gave the gates, and of the states before the step as
// far as they do not come through the product: of the first only where the cell carries it.
template <class V>
struct Slopes {
  List<V> input, product, before;
};

// What has cotangents of its own beside those that a step gives it.
template <class V>
V plus(const V& x, const List<V>& more, size_t i) {
  return more.empty() ? x : x + more[i];
}

struct Lstm {
  static constexpr const char* gradient = "lstm_layer_backward";
  static constexpr size_t gates = 4, states = 2, kept = 4;
  static constexpr bool carries = false, product_apart = false;
  template <class V>
  static Made<V> step(const List<V>& input, const List<V>& product, const List<V>& before) {
    const V i = sigmoid(input[0] + product[0]), f = sigmoid(input[1] + product[1]);
    const V g = tanh(input[2] + product[2]), o = sigmoid(input[3] + product[3]);
    const V c = f * before[1] + i * g;
    return {{o * tanh(c), c}, {i, f, g, o}};
  }
  template <class V>
  static Slopes<V> back(const List<V>& ct, const List<V>& ct_kept, const List<V>& kept, const List<V>& before,
                        const List<V>& after) {
    const V &i = kept[0], &f = kept[1], &g = kept[2], &o = kept[3];
    const V shown = tanh(after[1]);
    const V c = ct[1] + ct[0] * o * (1.0 - shown * shown);
    const V of_i = plus(c * g, ct_kept, 0), of_f = plus(c * before[1], ct_kept, 1);
    const V of_g = plus(c * i, ct_kept, 2), of_o = plus(ct[0] * shown, ct_kept, 3);
    return {
        {of_i * (i * (1.0 - i)), of_f * (f * (1.0 - f)), of_g * (1.0 - g * g), of_o * (o * (1.0 - o))}, {}, {c * f}};
  }
};

struct Gru {
  static constexpr const char* gradient = "gru_layer_backward";
  static constexpr size_t gates = 3, states = 1, kept = 4;
  static constexpr bool carries = true, product_apart = true;
  template <class V>
  static Made<V> step(const List<V>& input, const List<V>& product, const List<V>& before) {
    const V r = sigmoid(input[0] + product[0]), z = sigmoid(input[1] + product[1]);
    const V n = tanh(input[2] + r * product[2]);
    return {{(1.0 - z) * n + z * before[0]}, {r, z, n, product[2]}};
  }
  template <class V>
  static Slopes<V> back(const List<V>& ct, const List<V>& ct_kept, const List<V>& kept, const List<V>& before,
                        const List<V>&) {
    const V &r = kept[0], &z = kept[1], &n = kept[2];
    const V of_n = plus(ct[0] * (1.0 - z), ct_kept, 2) * (1.0 - n * n);
    const V of_r = plus(of_n * kept[3], ct_kept, 0) * (r * (1.0 - r));
    const V of_z = plus(ct[0] * (before[0] - n), ct_kept, 1) * (z * (1.0 - z));
    return {{of_r, of_z, of_n}, {of_r, of_z, plus(of_n * r, ct_kept, 3)}, {ct[0] * z}};
  }
};

template <bool Relu>
struct Rnn {
  static constexpr const char* gradient = Relu ? "rnn_relu_layer_backward" : "rnn_tanh_layer_backward";
  static constexpr size_t gates = 1, states = 1, kept = 0;
  static constexpr bool carries = false, product_apart = false;
  template <class V>
  static Made<V> step(const List<V>& input, const List<V>& product, const List<V>&) {
    const V gate = input[0] + product[0];
    return {{Relu ? relu(gate) : tanh(gate)}, {}};
  }
  template <class V>
  static Slopes<V> back(const List<V>& ct, const List<V>&, const List<V>&, const List<V>&, const List<V>& after) {
    const V& h = after[0];
    return {{Relu ? if_positive(h, ct[0]) : ct[0] * (1.0 - h * h)}, {}, {}};
  }
};

// A step where sequences may have ended, for which `within` is false; it is null where none ends.
template <class Cell, class V>
Made<V> step(const List<V>& input, const List<V>& product, const List<V>& before, const V* within) {
  Made<V> next = Cell::step(input, product, before);
  if (!within) return next;
  for (size_t i = 0; i < Cell::states; ++i) next.states[i] = choose(*within, next.states[i], before[i]);
  for (V& x : next.kept) x = only(*within, x);
  return next;
}
template <class Cell, class V>
Slopes<V> back(const List<V>& ct, const List<V>& ct_kept, const List<V>& kept, const List<V>& before,
               const List<V>& after, const V* within) {
  Slopes<V> slopes = Cell::back(ct, ct_kept, kept, before, after);
  if (!within) return slopes;
  for (List<V>* of : {&slopes.input, &slopes.product}) {
    for (V& x : *of) x = only(*within, x);
  }
  for (size_t i = 0; i < slopes.before.size(); ++i) {
    slopes.before[i] = choose(*within, slopes.before[i], ct[(Cell::carries ? 0 : 1) + i]);
  }
  if (!Cell::carries) slopes.before.insert(slopes.before.begin(), unless(*within, ct[0]));
  return slopes;
}

// Which of the steps comes at a place in their order.
inline int64_t step_at(int64_t place, int64_t count, bool reverse) { return reverse ? count - 1 - place : place; }

// Where operands of the layer and of its gradient are.
template <class Cell>
struct Of {
  static constexpr size_t kStates = Cell::states, kInputGates = 0, kWeight = 1, kFirst = 2, kBias = 2 + kStates,
                          kLengths = 3 + kStates, kReverse = 4 + kStates;
  static constexpr size_t kKept = kStates;  // of the results
  struct Back {
    static constexpr size_t kMade = 1 + kStates, kKept = kMade + kStates, kFirst = kKept + (Cell::kept > 0),
                            kLengths = kFirst + kStates, kKeptGradient = kLengths + 1,
                            kReverse = kKeptGradient + (Cell::kept > 0);
    static constexpr size_t ct(size_t state) { return state == 0 ? 0 : 1 + state; }
  };
};

}  // namespace ember::ops::recurrent
