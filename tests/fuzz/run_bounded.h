// Runs verified code as a stranger's file might make it run: with small arguments made from the types of its
// parameters, little memory, and an interrupt at the first look for one. Errors are fine; crashes, races with memory
// and undefined behaviour are what the fuzzers look for.
#pragma once

#include <bit>
#include <exception>
#include <string>
#include <vector>

#include "ops/base/interrupt.h"
#include "ops/eager/print.h"
#include "vm/exec/function.h"

namespace ember::fuzz {

inline constexpr int64_t kMaxElements = 1 << 12;
inline constexpr size_t kMemory = size_t{64} << 20;

inline void run_bounded(bytecode::CodeRef code) {
  gc::set_limit(kMemory);
  ops::set_print_sink([](const std::string&) {});
  ops::embedding().wants_to_stop = [] { return true; };
  const bytecode::CodeFunction& entry = code->functions[code->entry];
  std::vector<ops::Tensor> tensors;
  tensors.reserve(entry.params.size());
  std::vector<vm::Argument> arguments;
  try {
    for (const bytecode::Register r : entry.params) {
      const ops::Type& type = entry.registers[r];
      if (!type.is_tensor()) {
        const bool real = type.kind == ops::Kind::Float;
        arguments.push_back({nullptr, real ? std::bit_cast<uint64_t>(1.5) : type.kind == ops::Kind::Int ? 3u : 1u});
        continue;
      }
      const ops::Shape shape = ops::hints(type.dims);
      if (ops::element_count(shape) > kMaxElements) return;
      tensors.push_back(ops::Tensor::full(type.dtype, shape, 1));
      arguments.push_back({&tensors.back(), 0});
    }
    const auto function = gc::make<vm::Function>(std::move(code));
    std::vector<vm::Result> results;
    for (int i = 0; i < 2; ++i) function->call(arguments, &results);
  } catch (const std::exception&) {
  }
}

}  // namespace ember::fuzz
