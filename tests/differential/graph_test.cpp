// Random modules and recursion in every tier, their results and the first error. EMBERJIT_CASES=n runs n times as many,
// EMBERJIT_SEED=s that one alone.
#include <cstdlib>

#include "bytecode/graph/verify.h"
#include "bytecode/transforms/transforms.h"
#include "tests/bytecode/recursive_graphs.h"
#include "tests/differential/random_module.h"
#include "tests/differential/tiers_agree.h"

namespace ember::differential {
namespace {

using bytecode::GraphId;
using bytecode::Module;
using ops::Shape;
using ops::Types;

// 0 and 1, seldom with one that is out of every range.
ops::Tensor indices(const bytecode::Type& type, const Shape& shape, int64_t wrong, std::mt19937& random) {
  const ops::Tensor t = ops::Tensor::empty(type.dtype, shape);
  for (int64_t k = 0; k < t.numel(); ++k) t.data_as<int64_t>()[k] = static_cast<int64_t>(random() % 2);
  if (random() % 6 == 0) t.data_as<int64_t>()[random() % static_cast<size_t>(t.numel())] = wrong;
  return t;
}

Data arguments_for(const bytecode::Module& module, const Shape& sizes, uint32_t seed) {
  const bytecode::Graph& graph = module.graph(module.entry);
  std::mt19937 random(seed);
  Data arguments;
  for (size_t i = 0; i < graph.params.size(); ++i) {
    const bytecode::Type& type = graph.type(graph.params[i]);
    Shape shape;
    for (ops::Dim d : type.dims) {
      const ops::SymbolExpr* e = d.symbolic() ? &module.symbols.exprs()[d.expr] : nullptr;
      shape.push_back(e && e->op == ops::SymbolOp::Symbol ? sizes[e->a] : d.hint());
    }
    if (graph.param_names[i] == "i" || graph.param_names[i] == "j") {
      arguments.push_back(indices(type, shape, graph.param_names[i] == "i" ? 1000 : -1000, random));
    } else if (type.is_tensor()) {
      const bool plain = type.kind == ops::Kind::Ref || random() % 3 == 0;
      const Strides strides = plain ? Strides::Contiguous : kStrides[random() % std::size(kStrides)];
      arguments.push_back(with_strides(random_elements(type.dtype, shape, 3, random), strides));
    } else if (type.kind == ops::Kind::Bool) {
      arguments.push_back(random() % 2 == 0);
    } else if (type.kind == ops::Kind::Int) {
      arguments.push_back(static_cast<int64_t>(random() % 4));
    } else {
      arguments.push_back(static_cast<double>(random() % 9) / 4 - 1);
    }
  }
  return arguments;
}

// The gradient of a function raises what the function does.
void expect_same_error(const Subject& gradient, const Subject& function, const Data& arguments,
                       const std::string& what) {
  const Outcome want = function.reference(arguments);
  if (want.error.empty()) return;
  EXPECT_EQ(gradient.reference(arguments).error, want.error) << what << "\n" << gradient.text();
}

void check(const RandomOptions& options, const Effort& effort) {
  bytecode::Module module = random_module(options);
  const std::string what = "seed " + std::to_string(options.seed);
  Subject subject(module);
  bytecode::Module plain = module;
  plain.entry = 0;
  const Subject function(plain);
  std::mt19937 random(options.seed + 1);
  const int calls = options.symbolic ? 3 : 2;
  for (int call = 0; call < calls && !testing::Test::HasFailure(); ++call) {
    Shape sizes = {options.rows, options.columns};
    for (int64_t& size : sizes)
      if (call > 0 && options.symbolic) size = 2 + static_cast<int64_t>(random() % 9);
    const Data arguments = arguments_for(module, sizes, options.seed * 8 + static_cast<uint32_t>(call));
    const std::string called = what + ", call " + std::to_string(call);
    if (expect_agreement(subject, arguments, effort, called) && options.differentiate)
      expect_same_error(subject, function, arguments, called);
  }
}

// A failure in a pass or in lowering names its seed too.
void check_seed(uint32_t seed, bool large) {
  static constexpr int64_t small_sizes[] = {2, 3, 4, 5, 7, 8, 16, 17, 33};
  std::mt19937 random(seed);
  RandomOptions options{.seed = seed};
  options.rows = large ? 40 : small_sizes[random() % 7];
  options.columns = large ? 700 : small_sizes[random() % 9];
  options.symbolic = random() % 2 == 0;
  options.differentiate = random() % 3 == 0;
  try {
    check(options, {large ? std::vector<int>{1, 2, 3} : std::vector<int>{1}, large ? 2u : 40u, seed % 4 == 0});
  } catch (const std::exception& e) {
    ADD_FAILURE() << "seed " << seed << ": " << e.what();
  }
}

bool one_seed(uint32_t* seed) {
  const char* text = std::getenv("EMBERJIT_SEED");
  if (text) *seed = static_cast<uint32_t>(std::atol(text));
  return text != nullptr;
}

constexpr uint32_t kLargeSeeds = 1'000'000;

TEST(RandomModules, AgreeInEveryTier) {
  uint32_t only;
  if (one_seed(&only)) return check_seed(only, only >= kLargeSeeds);
  for (uint32_t seed = 0; seed < 150 * case_factor() && !HasFailure(); ++seed) check_seed(seed, false);
}

TEST(RandomModules, OfManyElementsAgreeForAnyNumberOfThreads) {
  uint32_t only;
  if (one_seed(&only)) GTEST_SKIP() << "one seed was asked for";
  for (uint32_t i = 0; i < 10 * case_factor() && !HasFailure(); ++i) check_seed(kLargeSeeds + i, true);
}

void check_recursive(GraphId (*make)(Module&), const Types& params, const Data& arguments) {
  for (bool gradient : {false, true}) {
    Module m;
    m.entry = make(m);
    if (gradient) {
      m.entry = bytecode::grad(m, m.entry, {.wrt = {0}});
    } else {
      const GraphId callee = m.entry;
      m.entry = bytecode::define(m, "entry", params, [&](auto& b, auto p) { return b.call(callee, p); });
    }
    Subject subject(m);
    expect_agreement(subject, arguments, {{1}, 40, true}, gradient ? "gradient" : "function");
  }
}

TEST(Recursion, AgreesInEveryTier) {
  const ops::Tensor x = bytecode::tensor({2}, {0.4, -0.3}), w = bytecode::tensor({2}, {0.5, 0.6});
  for (int64_t n : {0, 1, 4}) {
    const ops::Tensor depth = bytecode::counts({}, {n});
    check_recursive(bytecode::tree, {bytecode::float64({2}), bytecode::count()}, {x, depth});
    check_recursive(bytecode::writing, {bytecode::float64({2}), bytecode::parameter({2}), bytecode::count()},
                    {x, w, depth});
  }
}

}  // namespace
}  // namespace ember::differential
