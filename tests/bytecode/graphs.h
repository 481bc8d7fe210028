// Writing and comparing graphs in tests.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "bytecode/graph/graph_builder.h"
#include "bytecode/graph/verify.h"
#include "bytecode/passes/passes.h"
#include "ops/program/strided.h"
#include "tests/bytecode/evaluate.h"

namespace ember::bytecode {

using Body = std::function<ops::Values(GraphBuilder&, std::span<const ops::Value>)>;

inline GraphId define(Module& module, const std::string& name, const Types& params, const Body& body) {
  const GraphId id = module.add_graph(name);
  GraphBuilder b(module, id);
  ops::Values values;
  for (size_t i = 0; i < params.size(); ++i) values.push_back(b.param("p" + std::to_string(i), params[i]));
  b.finish(body(b, values));
  return id;
}

inline Type float64(const ops::Dims& dims) { return Type::tensor(ops::DType::Float64, dims); }
inline Type parameter(const ops::Dims& dims) { return {ops::Kind::Ref, ops::DType::Float64, dims}; }

inline ops::Tensor tensor(const ops::Shape& shape, std::initializer_list<double> values) {
  const ops::Tensor t = ops::Tensor::empty(ops::DType::Float64, shape);
  EXPECT_EQ(static_cast<size_t>(t.numel()), values.size());
  std::copy(values.begin(), values.end(), t.data_as<double>());
  return t;
}

// Arguments of their own for every run: a run may write those that are Refs.
inline Data clone(const Data& data) {
  Data copy = data;
  for (Datum& d : copy)
    if (auto* t = std::get_if<ops::Tensor>(&d)) d = clone(*t);
  return copy;
}

inline std::vector<double> numbers(const Datum& d) {
  if (const auto* x = std::get_if<double>(&d)) return {*x};
  if (const auto* i = std::get_if<int64_t>(&d)) return {static_cast<double>(*i)};
  if (const auto* b = std::get_if<bool>(&d)) return {static_cast<double>(*b)};
  const ops::Tensor& from = std::get<ops::Tensor>(d);
  const ops::Tensor wide = ops::Tensor::empty(ops::DType::Float64, from.shape());
  copy_into(from, wide);
  return {wide.data_as<double>(), wide.data_as<double>() + wide.numel()};
}

inline void expect_near(const std::vector<double>& have, const std::vector<double>& want, double tolerance,
                        const std::string& what) {
  ASSERT_EQ(have.size(), want.size()) << what;
  for (size_t i = 0; i < have.size(); ++i)
    EXPECT_NEAR(have[i], want[i], tolerance * (1 + std::abs(want[i]))) << what << ", element " << i;
}

// Verifies the module from `entry` on, and that the passes keep the bits of its results. Answers these.
inline Data run_checked(Module& module, GraphId entry, const Data& arguments) {
  module.entry = entry;
  EXPECT_NO_THROW(verify(module));
  const Data results = evaluate(module, entry, clone(arguments));
  Module optimised = module;
  optimise(optimised);
  EXPECT_NO_THROW(verify(optimised));
  const Data again = evaluate(optimised, optimised.entry, clone(arguments));
  EXPECT_EQ(again.size(), results.size());
  for (size_t i = 0; i < results.size(); ++i) EXPECT_EQ(numbers(again.at(i)), numbers(results[i])) << "result " << i;
  return results;
}

}  // namespace ember::bytecode
