// Graphs that call themselves, for tests of what goes through them.
#pragma once

#include "tests/bytecode/graphs.h"

namespace ember::bytecode {

inline Type count() { return Type::tensor(ops::DType::Int64, {}); }

inline ops::Tensor counts(const ops::Shape& shape, std::initializer_list<int64_t> values) {
  const ops::Tensor t = ops::Tensor::empty(ops::DType::Int64, shape);
  std::copy(values.begin(), values.end(), t.data_as<int64_t>());
  return t;
}

// if `more` asks for it by the last operand, what `again` makes of calls of the graph, else the first operand.
using Again = std::function<ops::Values(GraphBuilder&, GraphId, std::span<const ops::Value>)>;
inline GraphId recursive(Module& m, const std::string& name, const Types& params, bool effect, const Again& again) {
  const GraphId id = m.add_graph(name);
  GraphBuilder b(m, id);
  ops::Values in;
  for (const Type& type : params) in.push_back(b.param("p", type));
  b.declare(std::span(params).first(1), effect);
  const GraphId more = define(m, name + "_more", params,
                              [&](GraphBuilder& c, std::span<const ops::Value> p) { return again(c, id, p); });
  const GraphId done =
      define(m, name + "_done", params, [](GraphBuilder&, std::span<const ops::Value> p) { return ops::Values{p[0]}; });
  b.finish(b.if_else(b.item(b.call("greater", {in.back(), int64_t{0}})), in, more, done));
  return id;
}

// f(x, n) = x if n <= 0 else sin(f(x * x + 0.3, n - 1)) * f(0.8 * x, n - 2) + x
inline GraphId tree(Module& m) {
  return recursive(m, "tree", {float64({2}), count()}, false,
                   [](GraphBuilder& b, GraphId self, std::span<const ops::Value> p) {
                     const ops::Value left = b.add(b.mul(p[0], p[0]), 0.3), right = b.mul(p[0], 0.8);
                     const ops::Value a = b.call(self, std::array{left, b.call("sub", {p[1], int64_t{1}})})[0];
                     const ops::Value c = b.call(self, std::array{right, b.call("sub", {p[1], int64_t{2}})})[0];
                     return ops::Values{b.add(b.mul(b.call("sin", {a}), c), p[0])};
                   });
}

// f(x, w, n) = x if n <= 0 else f(x * w, w, n - 1) * w, where w grows by x / 10 before the call and by 1 after it
inline GraphId writing(Module& m) {
  return recursive(m, "writing", {float64({2}), parameter({2}), count()}, true,
                   [](GraphBuilder& b, GraphId self, std::span<const ops::Value> p) {
                     b.call_all("assign_add", std::array{p[1], b.mul(p[0], 0.1)});
                     const ops::Value next = b.call("sub", {p[2], int64_t{1}});
                     const ops::Value y = b.call(self, std::array{b.mul(p[0], b.load(p[1])), p[1], next})[0];
                     b.call_all("assign_add", std::array{p[1], b.add(b.mul(y, 0.0), 1.0)});
                     return ops::Values{b.mul(y, b.load(p[1]))};
                   });
}

// The same of (x, w, n, d, u), with d added to what is read of w, and with what is written made of u in place of x.
inline GraphId writing_apart(Module& m) {
  const GraphId apart =
      recursive(m, "writing_apart", {float64({2}), parameter({2}), float64({2}), float64({2}), count()}, true,
                [](GraphBuilder& b, GraphId self, std::span<const ops::Value> p) {
                  b.call_all("assign_add", std::array{p[1], b.mul(p[3], 0.1)});
                  const ops::Value next = b.call("sub", {p[4], int64_t{1}}), w = b.load(p[1]);
                  const ops::Value x = b.mul(p[0], b.add(w, p[2]));
                  const ops::Value y = b.call(self, std::array{x, p[1], p[2], b.mul(p[3], w), next})[0];
                  b.call_all("assign_add", std::array{p[1], ops::Value(b.constant(tensor({2}, {1, 1})))});
                  return ops::Values{b.mul(y, b.add(b.load(p[1]), p[2]))};
                });
  return define(m, "apart", {float64({2}), parameter({2}), count(), float64({2}), float64({2})},
                [&](GraphBuilder& b, std::span<const ops::Value> p) {
                  return b.call(apart, std::array{p[0], p[1], p[3], p[4], p[2]});
                });
}

}  // namespace ember::bytecode
