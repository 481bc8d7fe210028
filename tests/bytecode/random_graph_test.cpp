// Random modules with control flow, calls, views and writes: every pass leaves a valid module that prints and parses
// back and computes the same bits, with loads as copies before insert_copies and as the Ref's own memory after it.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "bytecode/graph/graph_builder.h"
#include "bytecode/graph/verify.h"
#include "bytecode/passes/passes.h"
#include "bytecode/text/text.h"
#include "ops/program/strided.h"
#include "tests/bytecode/evaluate.h"

namespace ember::bytecode {
namespace {

using ops::Value;
using ops::Values;

const Type kMatrix = Type::tensor(ops::DType::Float32, {4, 4});
const Type kRow = Type::tensor(ops::DType::Float32, {4});
Type ref_type() {
  Type type = kMatrix;
  type.kind = ops::Kind::Ref;
  return type;
}

class Generator {
 public:
  Generator(Module& module, uint32_t seed) : module_(module), random_(seed) {}

  void entry() {
    const GraphId id = module_.add_graph("entry");
    GraphBuilder b(module_, id);
    Scope scope{b, {}, {}, {}, {}};
    for (const char* name : {"x", "y"}) scope.matrices.push_back(b.param(name, kMatrix));
    scope.rows.push_back(b.param("r", kRow));
    scope.refs = {b.param("w", ref_type()), b.param("v", ref_type())};
    scope.flags.push_back(b.param("c", Type::scalar(ops::Kind::Bool)));
    fill(scope, 24, 3);
    b.finish(Values{pick(scope.matrices), pick(scope.matrices), pick(scope.rows)});
  }

 private:
  struct Scope {
    GraphBuilder& b;
    Values matrices, rows, refs, flags;
  };

  size_t below(size_t n) { return random_() % n; }
  const Value& pick(const Values& values) { return values[below(values.size())]; }

  void fill(Scope& s, size_t steps, int depth) {
    for (size_t i = 0; i < steps; ++i) step(s, depth);
  }

  void step(Scope& s, int depth) {
    const size_t kind = below(depth > 0 ? 16 : 12);
    GraphBuilder& b = s.b;
    if (kind < 4) {
      static constexpr const char* names[] = {"add", "mul", "sub", "neg"};
      const Value a = pick(s.matrices);
      s.matrices.push_back(kind == 3 ? b.neg(a) : b.call(names[kind], {a, below(2) ? pick(s.matrices) : pick(s.rows)}));
    } else if (kind == 4) {
      s.matrices.push_back(b.mul(pick(s.matrices), Value(below(3) / 2.0)));
    } else if (kind == 5) {
      s.matrices.push_back(b.call("swapaxes", {pick(s.matrices)}, {{"axis0", int64_t{0}}, {"axis1", int64_t{1}}}));
    } else if (kind == 6) {
      s.rows.push_back(b.sum(pick(s.matrices), {ops::Dim(static_cast<int64_t>(below(2)))}, false));
    } else if (kind == 7) {
      s.matrices.push_back(b.broadcast_to(pick(s.rows), {4, 4}));
    } else if (kind == 8) {
      s.matrices.push_back(b.reshape(b.reshape(pick(s.matrices), {16}), {4, 4}));
    } else if (kind == 9) {
      s.matrices.push_back(b.load(pick(s.refs)));
    } else if (kind == 10) {
      b.call("assign", {pick(s.refs), pick(s.matrices)});
    } else if (kind == 11) {
      s.matrices.push_back(b.sub(pick(s.rows), b.mul(pick(s.matrices), b.neg(pick(s.matrices)))));
    } else {
      control(s, kind, depth - 1);
    }
  }

  // (x, r, w, v, c) -> (matrix, row)
  GraphId sub_graph(const char* name, int depth, bool shared) {
    const GraphId id = module_.add_graph(name);
    GraphBuilder b(module_, id);
    Scope scope{b, {b.param("x", kMatrix)}, {b.param("r", kRow)}, {}, {}};
    scope.refs = {b.param("w", ref_type()), b.param("v", ref_type())};
    scope.flags = {b.param("c", Type::scalar(ops::Kind::Bool))};
    fill(scope, 1 + below(6), depth);
    b.finish(Values{pick(scope.matrices), pick(scope.rows)});
    module_.graph(id).shared = shared;
    return id;
  }

  void control(Scope& s, size_t kind, int depth) {
    const Values inputs = {pick(s.matrices), pick(s.rows), s.refs[0], s.refs[below(2)], pick(s.flags)};
    Values results;
    if (kind == 12) {
      const GraphId callee = sub_graph("callee", depth, below(2));
      results = s.b.call(callee, inputs);
    } else if (kind == 13) {
      results = loop(s, inputs, depth);
    } else {
      const GraphId yes = sub_graph("yes", depth, false);
      const GraphId no = sub_graph("no", depth, false);
      results = s.b.if_else(below(4) ? inputs[4] : Value(below(2) == 0), inputs, yes, no);
    }
    s.matrices.push_back(results[0]);
    s.rows.push_back(results[1]);
  }

  Values loop(Scope& s, const Values& inputs, int depth) {
    const GraphId test = module_.add_graph("test"), next = module_.add_graph("next");
    const GraphId body = sub_graph("body", depth, false);
    for (GraphId id : {test, next}) {
      GraphBuilder b(module_, id);
      const Values carried = {b.param("x", kMatrix), b.param("r", kRow), b.param("n", Type::scalar(ops::Kind::Int))};
      const Values fixed = {b.param("w", ref_type()), b.param("v", ref_type()),
                            b.param("c", Type::scalar(ops::Kind::Bool))};
      if (id == test) {
        b.finish(Values{b.call("less", {Value(int64_t{0}), carried[2]})});
      } else {
        Values results = b.call(body, Values{carried[0], carried[1], fixed[0], fixed[1], fixed[2]});
        results.push_back(b.sub(carried[2], Value(int64_t{1})));
        b.finish(results);
      }
    }
    const Values carried = {inputs[0], inputs[1], Value(static_cast<int64_t>(below(3)))};
    return s.b.while_loop(carried, std::span(inputs).subspan(2), test, next);
  }

  Module& module_;
  std::mt19937 random_;
};

ops::Tensor filled(const Type& type, uint32_t seed) {
  const ops::Tensor t = ops::Tensor::empty(type.dtype, hints(type.dims));
  std::mt19937 random(seed);
  for (int64_t i = 0; i < t.numel(); ++i)
    t.data_as<float>()[i] = static_cast<float>(static_cast<int>(random() % 17) - 8) / 4;
  return t;
}

// Results, and what the Refs hold afterwards.
Data outcome(const Module& m, bool loads_alias, bool flag) {
  const Data arguments = {filled(kMatrix, 1), filled(kMatrix, 2), filled(kRow, 3),
                          filled(kMatrix, 4), filled(kMatrix, 5), flag};
  Data results = evaluate(m, m.entry, arguments, loads_alias);
  results.push_back(arguments[3]);
  results.push_back(arguments[4]);
  return results;
}

// Any NaN equals any other.
bool same_bits(const ops::Tensor& a, const ops::Tensor& b) {
  const ops::Tensor left = to_contiguous(a), right = to_contiguous(b);
  if (left.dtype() != right.dtype() || !(left.shape() == right.shape())) return false;
  const auto same = [](float p, float q) {
    return std::bit_cast<uint32_t>(p) == std::bit_cast<uint32_t>(q) || (std::isnan(p) && std::isnan(q));
  };
  return std::equal(left.data_as<float>(), left.data_as<float>() + left.numel(), right.data_as<float>(), same);
}

void expect_same(const Data& have, const Data& want, const std::string& what) {
  ASSERT_EQ(have.size(), want.size());
  for (size_t i = 0; i < have.size(); ++i)
    EXPECT_TRUE(same_bits(std::get<ops::Tensor>(have[i]), std::get<ops::Tensor>(want[i]))) << what << ", result " << i;
}

void check_seed(uint32_t seed, int level) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", level " + std::to_string(level));
  Module m;
  const ops::SymbolScope scope(&m.symbols);
  Generator(m, seed).entry();
  verify(m);
  const std::string text = print(m, true);
  EXPECT_EQ(print(parse(text), true), text);
  const Data want[] = {outcome(m, false, false), outcome(m, false, true)};
  bool loads_alias = false;
  set_load_elimination(level);
  for (const Pass& pass : passes()) {
    pass.run(m);
    ASSERT_NO_THROW(verify(m)) << pass.name << "\n" << print(m);
    loads_alias = loads_alias || pass.name == "insert_copies";
    for (bool flag : {false, true})
      expect_same(outcome(m, loads_alias, flag), want[flag], "after " + std::string(pass.name));
    if (testing::Test::HasFailure()) FAIL() << print(m);
  }
  const std::string after = print(m, true);
  EXPECT_EQ(print(parse(after), true), after);
}

TEST(RandomGraphs, KeepTheirMeaningThroughEveryPass) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    check_seed(seed, static_cast<int>(seed % 3));
    if (HasFailure()) break;
  }
  set_load_elimination(1);
}

}  // namespace
}  // namespace ember::bytecode
