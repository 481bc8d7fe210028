// Programs in text form for tests: parsed, optimised, lowered, ready to call.
#pragma once

#include <gtest/gtest.h>

#include "bytecode/code/code.h"
#include "bytecode/graph/verify.h"
#include "bytecode/passes/passes.h"
#include "bytecode/text/text.h"
#include "vm/exec/function.h"

namespace ember::vm {

inline ops::Tensor iota(const ops::Shape& shape, float first = 0) {
  ops::Tensor t = ops::Tensor::empty(ops::DType::Float32, shape);
  for (int64_t i = 0; i < t.numel(); ++i) t.data_as<float>()[i] = first + static_cast<float>(i);
  return t;
}

struct Program {
  explicit Program(const char* text, std::vector<Overwrite> overwrites = {}) {
    bytecode::Module module = bytecode::parse(text);
    bytecode::verify(module);
    bytecode::optimise(module);
    code = bytecode::lower(module);
    bytecode::verify(*code);
    function = gc::make<Function>(code, std::move(overwrites));
  }

  std::vector<Result> call(const std::vector<ops::Tensor>& inputs) const {
    std::vector<Argument> arguments;
    for (const ops::Tensor& t : inputs) arguments.push_back({&t, 0});
    std::vector<Result> results;
    if (!function->call(arguments, &results)) ADD_FAILURE() << "the code does not admit the arguments";
    return results;
  }
  ops::Tensor run(const std::vector<ops::Tensor>& inputs) const { return call(inputs).at(0).tensor; }

  bytecode::CodeRef code;
  gc::Ref<Function> function;
};

}  // namespace ember::vm
